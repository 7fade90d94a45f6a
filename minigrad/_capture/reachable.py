"""The tensors and optimizers that a function can get at: by its closure, the globals that it names, the object that it is a method of."""

from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType

from .._core.tensor import Tensor
from ..nn import Module
from ..optim import Optimizer

__all__ = ["reached_by"]

#: More objects than these are not looked at.
_MOST = 20_000
_LEAVES = (int, float, complex, str, bytes, type, ModuleType, BuiltinFunctionType)


def reached_by(function):
    """The tensors that ``function`` may read without being handed them, and the optimizers, as far as they can be found."""
    found, optimizers, seen, pending = [], [], set(), [function]
    while pending and len(seen) < _MOST:
        x = pending.pop()
        if id(x) in seen or isinstance(x, _LEAVES):
            continue
        seen.add(id(x))
        if isinstance(x, Tensor):
            found.append(x)
        elif isinstance(x, FunctionType):
            pending += _of_function(x)
        elif isinstance(x, MethodType):
            pending += (x.__func__, x.__self__)
        elif isinstance(x, (list, tuple, set, frozenset)):
            pending += x
        elif isinstance(x, dict):
            pending += x.values()
        elif isinstance(x, Optimizer):
            optimizers.append(x)
            pending += [
                group["params"] for group in x.param_groups
            ]  # its own numbers it reads anew in each run
        elif isinstance(x, Module) or _is_of_a_program(type(x)):
            pending += getattr(x, "__dict__", {}).values()
            if (
                "__call__" in dir(type(x))
                and isinstance(type(x).__call__, FunctionType)
                and not isinstance(x, Module)
            ):
                pending.append(type(x).__call__)
    return found, optimizers


def _of_function(function):
    """What a function of a program has at hand; the library's own have nothing that changes."""
    if (function.__module__ or "").partition(".")[0] == "minigrad":
        return []
    found = [cell.cell_contents for cell in function.__closure__ or () if _is_full(cell)]
    found += function.__defaults__ or ()
    found += (function.__kwdefaults__ or {}).values()
    names = _names_in(function.__code__)
    return found + [value for name, value in function.__globals__.items() if name in names]


def _is_full(cell):
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _names_in(code):
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_in(constant)
    return names


def _is_of_a_program(cls):
    """Whether a class is neither Python's, nor NumPy's, nor the library's."""
    return cls.__module__.partition(".")[0] not in (
        "builtins",
        "minigrad",
        "numpy",
        "collections",
        "threading",
        "functools",
    )
