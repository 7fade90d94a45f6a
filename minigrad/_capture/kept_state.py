"""``KeptState``: the Python objects that a function can get at without being handed them, as they were when they were first met.

What a function does depends on them: on numbers in globals, closures, attributes, lists.  A plan fits as long as each is the object that it was, and a function that leaves one of them
changed has an effect.  What cannot be looked into (an iterator, an array, an object of a C extension) may change unseen: ``unknown`` names the first that was met.

It serves ``compile``, which must not be wrong about any program: it looks into everything that can be reached, while the functions run that reach it, and refuses what it cannot look into.
``Surroundings`` serves ``capture``, where the program has promised that the step does the same each time: there the names in the code are enough, and more can be captured.
"""

import enum
import functools
import re
import sys
import types
import typing
from collections import deque
from operator import is_
from typing import Any

import numpy as np

from .._base.device import device, layout, memory_format
from .._base.dtypes import dtype
from .._core.tensor import Tensor
from ..nn import Module
from ..nn.modules.global_hooks import _everywhere
from ..optim import Optimizer
from ..optim.lr_scheduler import LRScheduler
from .conditions import Conditions
from .methods import KEPT_AS
from .surroundings import GONE, is_same

__all__ = ["KeptState"]

#: More objects than these are not looked at.
_MOST = 5_000
_ABSENT = object()
_PLAIN = (
    type(None), bool, int, float, complex, str, bytes, range, slice, type(...), type(NotImplemented), enum.Enum, re.Pattern, np.dtype, np.ufunc, np.generic,
    types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType, types.GetSetDescriptorType, types.MemberDescriptorType,
    types.ClassMethodDescriptorType, types.CodeType, types.GenericAlias, types.UnionType, typing.TypeVar, dtype, device, layout, memory_format,
)  # fmt: skip
#: Names that are not those of gradients.
_OF_GRAD_MODE = frozenset(
    {
        "no_grad",
        "enable_grad",
        "set_grad_enabled",
        "is_grad_enabled",
        "requires_grad",
        "requires_grad_",
        "autograd",
    }
)
_BY_STRINGS = frozenset({"getattr", "vars", "__dict__", "attrgetter"})
_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
_REGISTERED = ("_parameters", "_buffers", "_modules")
_OF_CLASSES = frozenset({"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__", "__slots__"})
_HEAP_TYPE = 1 << 9  # the flag of classes that are made while a program runs


def is_of_library(name):
    """Whether a module, by its name, is the library's or NumPy's, which keep nothing that a program's result depends on unseen."""
    return (name or "").partition(".")[0] in ("minigrad", "numpy")


class KeptState:
    """See above; ``enter`` adds what a code object can get at by the names in it."""

    def __init__(self):
        self.unknown: str | None = None
        self.tensors: dict[int, tuple] = {}  # id -> (tensor, its .grad)
        self.of_optimizers: dict[
            int, Tensor
        ] = {}  # those of their states, which are guarded where steps are noted
        self.optimizers: list[Optimizer] = []
        self.seen: dict[int, object] = {}  # id -> each object that was met
        self._cells: list[tuple] = []
        self._names: list[tuple] = []  # (a dict, a key, the value)
        self._rows: list[tuple] = []  # (a list or deque, its elements)
        self._sets: list[tuple] = []
        self._dicts: list[tuple] = []  # (a dict, its keys, its values)
        self._slots: list[tuple] = []
        self._classes: list[tuple] = []
        self._modules: list[tuple] = []
        self._registered: list[tuple] = []
        self._empty: list[dict] = []
        self._spaces: dict[int, tuple] = {}  # modules of Python, and what they are called
        self._attributes: set[str] = set()
        self._globals: set[str] = set()
        self._pending: list[tuple] = []
        self._changes = _everywhere.changes
        self._quickly: Any = (
            None  # a function that knows most quickly that all holds, once nothing more is met
        )

    # Looking around ---------------------------------------------------------------------------------------------------------------

    def enter(self, space, names, attributes):
        """A function is called that mentions the ``names`` of the globals ``space``, and ``attributes`` of whatever."""
        self._globals.update(names)
        for name in names:
            value = space.get(name, _ABSENT)
            self._names.append((space, name, value))
            self._pending.append((value, name))
        new = set(attributes) - self._attributes
        self._attributes |= new
        for module, path in list(self._spaces.values()):
            self._look_in(module, path, new)
        self._walk()

    def add(self, x, path):
        """What ``x`` holds, which a message calls ``path``."""
        self._pending.append((x, path))
        self._walk()

    def _walk(self):
        while self._pending:
            x, path = self._pending.pop()
            if x is _ABSENT or id(x) in self.seen or isinstance(x, _PLAIN):
                continue
            if len(self.seen) >= _MOST:
                self.unknown = self.unknown or "it can get at too many objects"
                return
            self.seen[id(x)] = x
            self._visit(x, path)

    def _visit(self, x, path):
        kind, pending = type(x), self._pending
        if isinstance(x, Tensor):
            self.tensors[id(x)] = x, (x.grad if x.is_leaf else None)
        elif kind is types.ModuleType or isinstance(x, types.ModuleType):
            if x.__name__.startswith("numpy.random"):
                self.unknown = self.unknown or f"{path} draws random numbers"
            elif x.__name__ == "numpy" or not is_of_library(x.__name__):
                self._spaces[id(x)] = x, path
                self._look_in(x, path, self._attributes)
        elif kind is types.FunctionType:
            if not is_of_library(x.__module__):
                self._visit_function(x, path)
        elif kind is types.MethodType:
            pending += ((x.__func__, path), (x.__self__, type(x.__self__).__qualname__))
        elif kind is types.BuiltinFunctionType:
            if isinstance(x.__self__, (list, dict, set, deque)):
                pending.append((x.__self__, f"{path}.__self__"))
        elif kind is functools.partial:
            pending += ((x.func, path), (x.args, path), (x.keywords, path))
        elif kind in (staticmethod, classmethod):
            pending.append((x.__func__, path))
        elif kind is property:
            pending += ((x.fget, path), (x.fset, path))
        elif isinstance(x, type):
            self._visit_class(x, path)
        elif isinstance(x, Module):
            self._visit_module(x, path)
        elif isinstance(x, (Optimizer, LRScheduler)):
            self._visit_optimizer(x, path)
        elif isinstance(x, (tuple, list, deque)):
            if not isinstance(x, tuple):
                self._rows.append((x, tuple(x)))
            pending += [(y, f"{path}[{i}]") for i, y in enumerate(x)]
            self._visit_object(x, path)
        elif isinstance(x, (set, frozenset)):
            self._sets.append((x, frozenset(x)))
            pending += [(y, path) for y in x]
        elif isinstance(x, (dict, types.MappingProxyType)):
            self._visit_dict(x, path, "{}[{!r}]")
            self._visit_object(x, path)
        else:
            self._visit_object(x, path)

    def _look_in(self, module, path, names):
        space = vars(module)
        for name in names & {"random"} if module.__name__ == "numpy" else names:
            if name in space:
                self._names.append((space, name, space[name]))
                self._pending.append((space[name], f"{path}.{name}"))

    def _visit_function(self, x, path):
        if (
            original := x.__dict__.get("_torchdynamo_orig_callable")
        ) is not None:  # what compiles it keeps much that changes
            self._pending.append((original, path))
            return
        for name, cell in zip(x.__code__.co_freevars, x.__closure__ or ()):
            try:
                value = cell.cell_contents
            except ValueError:
                continue
            self._cells.append((cell, value))
            self._pending.append((value, name))
        self._slots.append((x, "__code__", x.__code__))  # which tools that reload modules set
        for name in ("__defaults__", "__kwdefaults__"):
            if (value := getattr(x, name)) is not None:
                self._slots.append((x, name, value))
                self._pending.append((value, path))
        if x.__dict__:
            self._visit_dict(x.__dict__, path, "{}.{}")

    def _visit_class(self, x, path):
        if is_of_library(x.__module__) or x.__module__.partition(".")[0] in sys.stdlib_module_names:
            return
        if not _written_in_python(x):
            self.unknown = self.unknown or f"{path} is the class {x.__qualname__}, written in C"
            return
        items = {name: value for name, value in vars(x).items() if name not in _OF_CLASSES}
        self._classes.append((x, len(vars(x)), items))
        self._pending += [(value, f"{x.__qualname__}.{name}") for name, value in items.items()]
        self._pending += [(base, base.__qualname__) for base in x.__bases__]

    def _visit_dict(self, x, path, form):
        self._dicts.append((x, tuple(x), tuple(x.values())))
        self._pending += [(value, form.format(path, key)) for key, value in x.items()]

    def _visit_object(self, x, path):
        kind = type(x)
        if kind in (tuple, list, dict, deque, types.MappingProxyType):
            return
        self._pending.append((kind, kind.__qualname__))
        known = is_of_library(kind.__module__) or isinstance(
            x, (tuple, list, dict, deque, types.SimpleNamespace)
        )
        if not known and not all(_written_in_python(c) for c in kind.__mro__[:-1]):
            self.unknown = self.unknown or f"{path} is a {kind.__qualname__}, which may change"
            return
        if isinstance(x, functools._lru_cache_wrapper):
            self.unknown = self.unknown or f"{path} keeps results, which may be cleared"
            return
        if isinstance(x, np.ndarray):
            self.unknown = self.unknown or f"{path} is an array, which may change"
            return
        if getattr(x, "__dict__", None):
            self._visit_dict(x.__dict__, path, "{}.{}")
        if not is_of_library(kind.__module__):
            self._slots.append((x, "__class__", kind))
            for name in _slots_of(kind):
                value = getattr(x, name, _ABSENT)
                self._slots.append((x, name, value))
                self._pending.append((value, f"{path}.{name}"))

    def _visit_module(self, x, path):
        self._pending.append((type(x), type(x).__qualname__))
        state = _state_of(x)
        self._modules.append((x, path, state))
        if any(x.__dict__.get(name) for name in _HOOKS):
            self.unknown = self.unknown or f"{path} has hooks"
        for name, value in state.items():
            self._pending.append((value, f"{path}.{name}"))
        for name in _REGISTERED:  # the library writes to these, too, without setting attributes
            registered = x.__dict__.get(name)
            if registered:
                self._registered.append((registered, tuple(registered.values())))
            elif registered is not None:
                self._empty.append(registered)

    def _visit_optimizer(self, x, path):
        """Its numbers are read anew in each run, and its tensors are guarded where it is noted."""
        if isinstance(x, Optimizer):
            self.optimizers.append(x)
            self._pending += [(tuple(group["params"]), f"{path}.param_groups") for group in x.param_groups]
            for state in map(x.state.get, x.state):
                for value in state.values():
                    if isinstance(value, Tensor):
                        self.of_optimizers[id(value)] = value
        else:
            self._pending.append((x.optimizer, f"{path}.optimizer"))

    # Looking again ----------------------------------------------------------------------------------------------------------------

    def holds(self):
        """Whether all is as it was; of modules it is asked only if something was set on one."""
        return (self._quickly is not None and self._quickly(None)) or self._holds()

    def _conditions(self):
        """What ``_holds`` asks, where the same means the same object."""
        conditions = Conditions(GONE)
        terms, name = conditions.terms, conditions.name
        terms.append(f"{name(_everywhere)}.changes == {self._changes}")
        terms += [f"{name(cell)}.cell_contents is {name(value)}" for cell, value in self._cells]
        for space, key, value in self._names:
            absent = f"{key!r} not in {name(space)}"
            terms.append(absent if value is _ABSENT else f"{name(space)}[{key!r}] is {name(value)}")
        for row, values in self._rows:
            terms.append(
                f"len({name(row)}) == {len(values)} and all(map({name(is_)}, {name(row)}, {name(values)}))"
            )
        terms += [f"{name(group)} == {name(values)}" for group, values in self._sets]
        for space, keys, values in self._dicts:
            terms.append(
                f"len({name(space)}) == {len(keys)} and all(map({name(is_)}, {name(space)}, {name(keys)}))"
            )
            terms.append(f"all(map({name(is_)}, {name(space)}.values(), {name(values)}))")
        for x, slot, value in self._slots:
            absent = f"not hasattr({name(x)}, {slot!r})"
            terms.append(absent if value is _ABSENT else f"{name(x)}.{slot} is {name(value)}")
        for x, size, items in self._classes:
            space = name(vars(x))
            terms.append(f"len({space}) == {size}")
            terms += [f"{space}[{key!r}] is {name(value)}" for key, value in items.items()]
        if self._empty:
            terms.append(f"not ({' or '.join(map(name, self._empty))})")
        for registered, values in self._registered:
            terms.append(f"len({name(registered)}) == {len(values)}")
            if any(isinstance(x, Module) for x in values):  # in their order
                terms.append(f"all(map({name(is_)}, {name(registered)}.values(), {name(values)}))")
            else:
                keys = [next((key for key, y in registered.items() if y is x), None) for x in values]
                terms += [f"{name(registered)}[{key!r}] is {name(x)}" for key, x in zip(keys, values)]
        return conditions

    def _holds(self):
        for cell, value in self._cells:
            try:
                if cell.cell_contents is not value:
                    return False
            except ValueError:
                return False
        for space, name, value in self._names:
            if not is_same(space.get(name, _ABSENT), value):
                return False
        for row, values in self._rows:
            if len(row) != len(values) or not all(map(is_same, row, values)):
                return False
        for group, values in self._sets:
            if group != values:
                return False
        for space, keys, values in self._dicts:
            if (
                len(space) != len(keys)
                or not all(map(is_same, space, keys))
                or not all(map(is_same, space.values(), values))
            ):
                return False
        for x, name, value in self._slots:
            if not is_same(getattr(x, name, _ABSENT), value):
                return False
        for x, size, items in self._classes:
            space = vars(x)
            if len(space) != size or any(
                space.get(name, _ABSENT) is not value for name, value in items.items()
            ):
                return False
        if any(self._empty):
            return False
        for registered, values in self._registered:
            if len(registered) != len(values) or not all(map(is_, registered.values(), values)):
                return False
        if self._changes != _everywhere.changes:
            if self.module_that_changed() is not None:
                return False
            self._changes = _everywhere.changes
            if self._quickly is not None:
                self._quickly = self._conditions().function()
        return True

    def module_that_changed(self):
        """The path of a module that has other attributes than it had; None if there is none."""
        for module, path, state in self._modules:
            now = _state_of(module)
            if now.keys() != state.keys() or any(
                not is_same(now[name], value) for name, value in state.items()
            ):
                return path
            if any(module.__dict__.get(name) for name in _HOOKS):
                return path
        return "a hook on all modules" if hooks_on_all_modules() else None

    def reads_gradients(self):
        """Whether a function that was called may ask for the ``.grad`` of a tensor: by that name, that of a function with it in its name, or a name that is not spelled out."""
        names = self._attributes | self._globals
        return not names.isdisjoint(_BY_STRINGS) or any(
            "grad" in name and name not in _OF_GRAD_MODE for name in names
        )

    def seal(self):
        """Forget what was only needed to look around."""
        self.seen, self.tensors, self.of_optimizers = {}, {}, {}
        self._spaces.clear()
        self._names = [
            *{(id(space), name): (space, name, value) for space, name, value in self._names}.values()
        ]
        self._quickly = self._conditions().function()


def hooks_on_all_modules():
    """Whether a hook is registered that is called for all modules."""
    return _everywhere.used and any(
        (_everywhere.forward, _everywhere.forward_pre, _everywhere.backward, _everywhere.backward_pre)
    )


def _state_of(module):
    """What is set on a module: attributes, parameters, buffers, modules below."""
    found = {"__class__": module.__class__}
    for name, value in module.__dict__.items():
        if name in _REGISTERED:
            found.update((f"{name}.{key}", x) for key, x in value.items())
        elif name not in (KEPT_AS, *_HOOKS) and not name.startswith(
            ("_state_dict", "_load_state_dict", "_forward_hooks", "_forward_pre_hooks", "_non_persistent")
        ):
            found[name] = value
    return found


def _written_in_python(cls):
    return bool(cls.__flags__ & _HEAP_TYPE) and _has_source(cls.__module__)


def _has_source(name):
    module = sys.modules.get(name)
    if module is None or name == "__main__":
        return True
    return (getattr(module, "__file__", None) or "").endswith((".py", ".pyc"))


def _slots_of(cls):
    names = []
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    return [name for name in names if name not in ("__dict__", "__weakref__")]
