"""What holds a piece of memory: found among all objects that Python's garbage collector knows."""

import functools
import gc
import inspect
import sys
import types

import numpy as np

from ..._arrays.memory_layout import owner_of
from ..._base.publishing import own_module
from ..._core.node import AccumulateGrad, Node, Port
from ..._core.tensor import Tensor
from ..._core.views import View
from ..._ops.index_tensors import Indices
from .._origins import PACKAGE, origin_of, shortened
from .answers import Holder, Holders, at, listed
from .saved_values import is_node, node_of, saved_values

__all__ = ["what_holds"]

_MOST = 20  # holders that are listed
_MOST_NAMES = 5  # of one tensor
_OWN = __name__.partition(".")[0] + "."  # of the modules of this package
_NO_PLACES = (types.FrameType, types.CellType)  # their variables are looked at by name


def what_holds(held):
    """The ``Holders`` answer for a tensor or a node."""
    if isinstance(held, Tensor):
        return _of_tensor(held)
    if isinstance(held, Node):
        return _of_node(held)
    raise TypeError(f"what_holds() takes a Tensor or a Node, not {type(held).__name__}")


class _Program:
    """The tensors, nodes and variables of the program, as they are just now."""

    def __init__(self):
        objects = gc.get_objects()
        self.there = set(map(id, objects))  # what is made from here on belongs to the question
        # oldest first: the collector's own order changes with each of its runs
        self.tensors = sorted((x for x in objects if issubclass(type(x), Tensor)), key=_age)
        self.nodes = sorted((x for x in objects if is_node(x)), key=_number)
        self.functions = [x for x in objects if type(x) is types.FunctionType and x.__closure__]
        del objects  # among them what look_at_frame counts the references to
        self.arrays = []  # the NumPy arrays that variables have
        self.variables = {}  # id of a tensor or array -> what variables call it
        self.namespaces = set()  # ids of the dictionaries that hold variables
        for name, module in list(sys.modules.items()):
            if type(module) is types.ModuleType:
                self.namespaces.add(id(vars(module)))
                if not (getattr(module, "__file__", None) or "").startswith(PACKAGE):
                    self.look_at(vars(module), "" if name == "__main__" else f" of module {name}")
        for frame in sys._current_frames().values():
            while frame is not None:
                if not frame.f_code.co_filename.startswith(PACKAGE):
                    self.look_at_frame(frame)
                frame = frame.f_back

    def look_at_frame(self, frame):
        """Note the names in a function that runs, or in a module."""
        code, variables = frame.f_code, frame.f_locals
        place = f" in {code.co_name}() ({shortened(code.co_filename)}:{frame.f_lineno})"
        if variables is not frame.f_globals:
            self.look_at(variables, place)
        if id(frame.f_globals) not in self.namespaces:
            self.look_at(frame.f_globals, "")
        self.namespaces |= {id(variables), id(frame.f_globals)}
        if (
            type(variables) is dict
            and code.co_flags & inspect.CO_OPTIMIZED
            and sys.getrefcount(variables) <= 3
        ):
            variables.clear()  # up to Python 3.12 it is a copy, which would hold what it names until the function ends

    def look_at(self, variables, place):
        """Note the names in one namespace."""
        for name, value in list(variables.items()):
            if (
                issubclass(type(value), (Tensor, np.ndarray))
                and name.isidentifier()
                and not name.startswith("__")
            ):
                if isinstance(value, np.ndarray) and id(value) not in self.variables:
                    self.arrays.append(value)
                texts = self.variables.setdefault(id(value), [])
                if f"variable `{name}`{place}" not in texts:
                    texts.append(f"variable `{name}`{place}")

    def name(self, x):
        """What the program calls ``x`` and where it has it; "" if nothing is found."""
        found = self.variables.get(id(x), []) + _places_of(x, self)
        more = [f"{len(found) - _MOST_NAMES} more"] if len(found) > _MOST_NAMES else []
        return ", ".join(found[:_MOST_NAMES] + more)

    @functools.cached_property
    def above(self):
        """The nodes whose edges lead to a node, for each."""
        found = {}
        for node in self.nodes:
            for edge in node._next:
                found.setdefault(edge.node if edge.__class__ is Port else edge, []).append(node)
        return found

    def led_to_by(self, node):
        """The tensors whose histories contain ``node``; those with names first."""
        seen, stack = {node}, [node]
        while stack:
            for n in self.above.get(stack.pop(), ()):
                if n not in seen:
                    seen.add(n)
                    stack.append(n)
        found = [t for t in self.tensors if node_of(t) in seen]
        return sorted(found, key=lambda t: id(t) not in self.variables)


def _number(node):
    """The sequence number of a node; those that are just being made have none yet."""
    return getattr(node, "_seq", -1)


def _age(tensor):
    """The sequence number of the node behind a tensor that an operator made."""
    node = node_of(tensor)
    return -1 if node is None or node.__class__ is AccumulateGrad else _number(node)


def _of_tensor(tensor):
    if not isinstance(tensor._array, np.ndarray):
        raise RuntimeError("what_holds(): a tensor inside a transform has no memory")
    owner = owner_of(tensor._array)
    program = _Program()
    found = []
    for t in sorted(program.tensors, key=lambda t: t is not tensor):
        if _looks_at(t._array, owner):
            found.append(_tensor(t, tensor, program))
    for t in program.tensors:
        if t._kept_grad is not None and _looks_at(t._kept_grad._array, owner):
            found.append(Holder("grad", f".grad of {_shown(t, program)}"))
    for node in program.nodes:
        origin = origin_of(node)
        if node.__class__ is AccumulateGrad:
            leaf = node.leaf()
            if node.grad is not None and _looks_at(node.grad._array, owner):
                whose = "a leaf that is gone itself" if leaf is None else _shown(leaf, program)
                found.append(Holder("grad", f".grad of {whose}"))
            if leaf is None and _looks_at(node.array, owner):
                found.append(
                    Holder(
                        "leaf",
                        "the AccumulateGrad node of a leaf that is gone itself"
                        + (_kept_by(node, program) if len(found) < _MOST else ""),
                    )
                )
            continue
        for saved in saved_values(node):
            if saved.array is not None and _looks_at(saved.array, owner):
                text = (
                    f"`{saved.name}`, saved by {node.name()}"
                    + (f" ({origin})" if origin else "")
                    + (_kept_by(node, program) if len(found) < _MOST else "")
                )
                found.append(Holder("saved", text, origin))
    found += _in_closures(owner, program)
    for x in program.arrays:
        if _looks_at(x, owner):
            found.append(
                Holder("array", f"the NumPy array that is {', '.join(program.variables[id(x)][:3])}")
            )
    nbytes = owner.nbytes
    text = f"{_counted(nbytes)} of memory {'are' if nbytes != 1 else 'is'} held by:" + listed(
        [each.text for each in found], 20
    )
    return Holders("held", text, nbytes, tuple(found))


def _of_node(node):
    program = _Program()
    saved = [each for each in saved_values(node) if each.array is not None]
    owners = {id(owner_of(each.array)): owner_of(each.array).nbytes for each in saved}
    nbytes = sum(owners.values())
    origin = origin_of(node)
    lines = [
        f"`{each.name}`, {_description(each.array)}: {_counted(owner_of(each.array).nbytes)}"
        for each in saved
    ]
    text = f"{node.name()}{at(origin, ' at ')} holds {_counted(nbytes)} of memory" + (
        ":" + listed(lines) if lines else "."
    )
    keepers = program.led_to_by(node)
    found = tuple(Holder("tensor", f"the history of {_shown(t, program)}") for t in keepers)
    if found:
        text += "\nThe node is held by:" + listed([each.text for each in found])
    else:
        text += "\nNo tensor's history leads to the node: whoever has the node itself holds it."
    return Holders("held", text, nbytes, found)


def _looks_at(array, owner):
    return isinstance(array, np.ndarray) and owner_of(array) is owner


def _tensor(t, asked, program):
    """The holder that a tensor is."""
    what = "this tensor itself" if t is asked else "a tensor over the same memory"
    if t is not asked and t._node.__class__ is View:
        what = "a view of it" if t._node.base is asked else "a view of the same memory"
    elif t is not asked and asked._node.__class__ is View and asked._node.base is t:
        what = "its base"
    name = program.name(t)
    return Holder("tensor", f"{what}, {_description(t._array)}" + (f": {name}" if name else ""))


def _kept_by(node, program):
    """Whose history a node is part of, in words."""
    tensors = program.led_to_by(node)
    if not tensors:
        return "; nobody's history leads to it"
    more = f" and {len(tensors) - 1} more" if len(tensors) > 1 else ""
    return f"; it belongs to the history of {_shown(tensors[0], program)}{more}"


def _shown(tensor, program):
    name = program.name(tensor)
    return name or f"a tensor, {_description(tensor._array)}"


def _description(array):
    return f"{array.dtype}{list(array.shape)}"


def _counted(nbytes):
    return "1 byte" if nbytes == 1 else f"{nbytes:,} bytes"


# Names -----------------------------------------------------------------------------------------------------------------------


def _places_of(x, program):
    """Where an object stands beside variables: in modules, as attributes, in dictionaries, lists and what else there is, in this order."""
    found = []
    for holder in gc.get_referrers(x):
        if (
            id(holder) not in program.there
            or id(holder) in program.namespaces
            or issubclass(type(holder), (Tensor, *_NO_PLACES))
            or is_node(holder)
        ):
            continue
        kind = type(holder)
        if issubclass(kind, dict):
            key = next((key for key, value in holder.items() if value is x), None)
            owners = _owners(holder)
            module = None if owners else _module_of(holder)
            if module is not None:
                found.append((0, f"`{key}` of a {type(module).__name__}"))
            elif not owners:
                found.append(
                    (
                        2,
                        f"the value of {key!r} in a dictionary"
                        if key is not None
                        else "a key of a dictionary",
                    )
                )
            elif not any(is_node(owner) or issubclass(type(owner), Tensor) for owner in owners):
                found.append((1, f"attribute `{key}` of a {type(owners[0]).__name__}"))
        elif kind in (list, tuple):
            if not _saved(holder):
                place = next(i for i, each in enumerate(holder) if each is x)
                found.append((3, f"element {place} of a {kind.__name__}"))
        else:
            key = next((key for key, value in _attributes(holder).items() if value is x), None)
            if key is not None:
                found.append((1, f"attribute `{key}` of a {kind.__name__}"))
            elif not own_module(kind).startswith(_OWN):
                found.append((4, f"a {kind.__name__}"))
    return list(dict.fromkeys(text for _, text in sorted(found)))


def _saved(sequence, depth=2):
    """Whether a list or tuple is part of what a node has saved."""
    for x in gc.get_referrers(sequence):
        if is_node(x) or isinstance(x, Indices) or (depth and type(x) is tuple and _saved(x, depth - 1)):
            return True
    return False


def _attributes(x):
    """The attributes of an object; {} of what has no such dictionary."""
    found = getattr(x, "__dict__", None)
    return found if type(found) is dict else {}


def _owners(dictionary):
    """The objects whose attributes stand in a dictionary."""
    return [x for x in gc.get_referrers(dictionary) if _attributes(x) is dictionary]


def _module_of(dictionary):
    """The ``nn.Module`` of whose parameters or buffers this is the dictionary; None if it is none."""
    for x in gc.get_referrers(dictionary):
        for owner in _owners(x) if type(x) is dict else [x]:
            found = _attributes(owner)
            if found.get("_parameters") is dictionary or found.get("_buffers") is dictionary:
                return owner
    return None


def _in_closures(owner, program):
    """The functions whose closures hold a tensor or an array over the memory."""
    hooks = {}
    for node in program.nodes:
        extra = node._extra
        for each in (
            () if extra is None else (*extra.tensor.values(), extra.pre, extra.post, extra.accumulated)
        ):
            hooks.update({id(hook): node for hook in each.values()})
    found = []
    for function in program.functions:
        code = function.__code__
        for name, cell in zip(code.co_freevars, function.__closure__):
            try:
                value = cell.cell_contents
            except ValueError:  # not assigned yet
                continue
            if code.co_filename.startswith(PACKAGE) or not _looks_at(getattr(value, "_array", value), owner):
                continue
            text = f"`{name}` in the closure of {function.__qualname__}() ({shortened(code.co_filename)}:{code.co_firstlineno})"
            node = hooks.get(id(function))
            if node is None:
                found.append(Holder("closure", text))
            else:
                found.append(Holder("hook", f"{text}, a hook on {node.name()}", origin_of(node)))
    return found
