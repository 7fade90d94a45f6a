"""Tensors that a function being differentiated holds from outside: they cannot be written to in it, for the history would outlive the transform.

Nothing is noted on any tensor.  What a function holds is looked for when an op in place would give a history, or a tangent, to a tensor without one:
among its arguments bound beforehand, the cells of its closure, the globals that its code names, and what those hold.
"""

import functools
import types

from .._arrays.memory_layout import owner_of
from .._core import late
from .._core.levels import BatchLevel
from .._core.modes import thread_state
from .._core.tensor import Tensor
from .._core.wrapped import Batched, Wrapped, elements
from .._ops.aten import aten_name


def check_not_captured(cls, x, others):
    """Raise RuntimeError if ``x``, about to be written to by ``cls``, is held from outside by a function being differentiated."""
    memory = None
    edge = x._edge
    for level in reversed(thread_state.levels):
        if level.__class__ is BatchLevel:
            if differs(x, level) < any(differs(y, level) for y in others):
                return  # which is refused for that reason
            continue
        if level.function is None or made_since(x, edge, level):
            continue
        if memory is None:
            memory = id(owner_of(elements(x)))
        if memory in held_by(level):
            name = aten_name(cls, (x, *others), writes=True).removesuffix(".default")
            raise RuntimeError(
                "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place operation "
                f"(aten::{name}) that would mutate a captured Tensor. Give the function that tensor as an argument, or use "
                "the operation out of place."
            )


def made_since(x, edge, level):
    """Whether ``x`` is known to have been made after the level was opened: it belongs to it, or its history is younger."""
    return (isinstance(x, Wrapped) and x._array.level.number >= level.number) or (
        edge is not None and edge._seq > level.born
    )


def differs(x, level):
    """Whether ``x`` is a tensor of the batch level, and another one for each sample."""
    return x.__class__ is Batched and x._array.level is level and x._array.batched


def held_by(level):
    """The ids of the arrays under the tensors that the level's function holds from outside; looked for once."""
    if level.held is None:
        level.held = memories(level.function)
    return level.held


def memories(function):
    """The ids of the arrays that own the memory of the tensors to be reached from a function."""
    module = getattr(function, "__module__", None)
    found, seen, waiting = set(), set(), [function]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, Tensor):
            found.add(id(owner_of(elements(thing))))
        elif id(thing) not in seen:
            seen.add(id(thing))
            waiting += reached_from(thing, module)
    return found


def reached_from(thing, module):
    """What a function, a container or a module holds; of the globals, those that code of ``module``, the function's own, names."""
    if isinstance(thing, types.FunctionType):
        held = [*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values()]
        for cell in thing.__closure__ or ():
            held += contents(cell)
        if thing.__module__ == module:
            held += [
                thing.__globals__[name] for name in names_in(thing.__code__) if name in thing.__globals__
            ]
        return held
    if isinstance(thing, types.MethodType):
        return thing.__func__, thing.__self__, *vars_of(thing.__self__)
    if isinstance(thing, functools.partial):
        return thing.func, *thing.args, *thing.keywords.values()
    if isinstance(thing, dict):
        return thing.values()
    if isinstance(thing, (list, tuple, set)):
        return thing
    if hasattr(thing, "_parameters") and hasattr(thing, "_buffers"):
        return vars_of(thing)
    return ()


def contents(cell):
    """What a cell of a closure holds, if it holds anything yet."""
    try:
        return (cell.cell_contents,)
    except ValueError:
        return ()


def vars_of(thing):
    """The attributes of an object itself."""
    return getattr(thing, "__dict__", {}).values()


def names_in(code):
    """The names that code, and the functions written in it, ask of the globals, attributes among them.

    Python offers no other way to know which globals a function uses: this is what ``inspect.getclosurevars`` does, which leaves out the functions within.
    """
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_in(constant)


late.check_not_captured = check_not_captured
