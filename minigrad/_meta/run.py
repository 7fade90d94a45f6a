"""Running kernels on blank arrays: the operators' own code, with another NumPy around it.

``on_shapes(function)`` is the function with the same code whose globals stand for those of its module: what makes arrays makes blank ones (``numpy_of_shapes.INSTEAD``), the library's
own functions are likewise functions on shapes, all else is what it is.  So an operator has no second set of rules for shapes that could differ from what it computes, and
nothing that a kernel would allocate is allocated.
"""

import functools
import types
from typing import Any

import numpy as np

from .._arrays.unresolved import Unresolved
from .._base import device as devices
from .._base.guards import own_code_of
from .._core import late
from .._core.families import Op
from .._core.tensor import Tensor
from .blank import NoElements
from .numpy_of_shapes import INSTEAD, RULES, Ndarray

_PACKAGE = __name__.partition(".")[0]
_HERE = __name__.rpartition(".")[0]
_functions: dict[int, tuple] = {}  # by their ids: (the function, the one on shapes)
_modules: dict[int, Any] = {}  # the same of modules and classes

#: What stands for functions and classes in kernels.
_instead: dict[int, Any] = {id(one): other for one, other in INSTEAD.items()}
_instead[id(np.ndarray)] = Ndarray
_instead[id(devices.is_meta)] = lambda value: False  # what makes tensors there goes no further way round
_instead[id(Unresolved)] = Unresolved
_kept = [*INSTEAD, np.ndarray, devices.is_meta]  # so that no other object gets one of the ids


def replace(function, by):
    """Let ``by`` stand for a function where kernels run on shapes."""
    _instead[id(function)] = by
    _kept.append(function)


class Namespace:
    """A module or an operator's class as kernels see it: its functions work on shapes."""

    __slots__ = ("_of", "_found")

    def __init__(self, of):
        self._of = of
        self._found = {}

    def __getattr__(self, name):
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = seen(getattr(self._of, name))
        return found

    def __call__(self, *args, **kwargs):
        return self._of(*args, **kwargs)


#: The names by which kernels call how many elements they take at once.  Of what does not exist, all are.
_IN_PIECES = frozenset(("_BLOCK", "_MOST", "_ROUND"))


class Globals(dict):
    """The globals of a function on shapes, looked up in those of the function when they are first needed."""

    __slots__ = ("own",)

    def __init__(self, own):
        super().__init__()
        self.own = own
        for name in (
            "__builtins__",
            "__name__",
            "__package__",
            "__spec__",
        ):  # those that Python itself looks up
            self[name] = own[name]

    def __missing__(self, name):
        value = self.own[name]
        if name in _IN_PIECES and value.__class__ is int:
            value = 1 << 62
        found = self[name] = seen(value)
        return found


_globals: dict[int, Globals] = {}


def seen(value):
    """What a global of a kernel is on shapes."""
    found = _instead.get(id(value))
    if found is not None:
        return found
    kind = value.__class__
    if kind is types.FunctionType:
        return on_shapes(value)
    if kind is types.ModuleType:
        name = value.__name__
        return _namespace(value) if name.partition(".")[0] in (_PACKAGE, "numpy") else value
    if isinstance(value, type):
        return _namespace(value) if issubclass(value, Op) else _class(value) if _computes(value) else value
    if kind is functools.partial:
        return functools.partial(seen(value.func), *value.args, **value.keywords)
    if kind is staticmethod:
        return seen(value.__func__)
    wrapped = getattr(value, "__wrapped__", None)
    if wrapped is not None and kind.__name__ == "_lru_cache_wrapper":
        return on_shapes(wrapped) if _is_ours(wrapped) else value
    return value


def _computes(cls):
    """Whether a class is one of the library's own that helps kernels."""
    return cls.__module__.startswith((f"{_PACKAGE}._ops.", f"{_PACKAGE}._arrays.")) and not issubclass(
        cls, (BaseException, Tensor)
    )


def _class(cls):
    """A class that helps kernels, with methods on shapes."""
    found = _modules.get(id(cls))
    if found is None:
        found = _modules[id(cls)] = type(cls)(cls.__name__, (cls,), {"__slots__": ()})
        for name, value in vars(cls).items():
            if value.__class__ is types.FunctionType:
                setattr(found, name, on_shapes(value))
            elif value.__class__ in (staticmethod, classmethod):
                setattr(found, name, value.__class__(on_shapes(value.__func__)))
            elif value.__class__ is property:
                setattr(found, name, property(on_shapes(value.fget)))
    return found


def _namespace(value):
    found = _modules.get(id(value))
    if found is None:
        found = _modules[id(value)] = Namespace(value)
    return found


def _is_ours(function):
    return function.__module__ is not None and function.__module__.partition(".")[0] in (_PACKAGE, "numpy")


def on_shapes(function):
    """The function with its code, in which arrays may be blank."""
    found = _functions.get(id(function))
    if found is not None:
        return found[1]
    found = _instead.get(id(function))
    if found is not None:
        return found
    if function.__class__ is not types.FunctionType or not _is_ours(function):
        return function
    if function.__module__.startswith(_HERE):
        return function
    own = function.__globals__
    around = _globals.get(id(own))
    if around is None:
        around = _globals[id(own)] = Globals(own)
    cells = tuple([types.CellType(seen(cell.cell_contents)) for cell in function.__closure__ or ()])
    code = own_code_of(function)
    named = {name: seen(x) for name, x in (function.__kwdefaults__ or {}).items()}
    defaults = tuple([seen(x) for x in function.__defaults__ or ()])
    if not code.co_kwonlyargcount:  # a guarded function's own code takes all by position
        public = function.__code__.co_varnames[: function.__code__.co_argcount]
        named.update(zip(public[len(public) - len(defaults) :], defaults))
        defaults = tuple([named[name] for name in code.co_varnames[: code.co_argcount] if name in named])
    made = types.FunctionType(code, around, function.__name__, defaults or None, cells or None)
    made.__kwdefaults__ = named or None
    if not cells:  # what is made anew for each call is not kept
        _functions[id(function)] = (function, made)
    return made


def apply_function(self, function, types, args, kwargs):
    """What one of NumPy's functions returns for arguments of which some are blank: by its rule, or by NumPy's own code on shapes."""
    rule = RULES.get(function)
    if rule is not None:
        return rule(*args, **kwargs)
    body = getattr(function, "_implementation", None)
    if body is None:
        raise NoElements(f"{function.__name__} is not known to arrays without elements")
    return on_shapes(body)(*args, **kwargs)


late.function_of_blank = apply_function
