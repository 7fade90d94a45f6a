"""What a program says to TorchScript about its functions, classes and values: it is noted, and changes nothing."""

import builtins
import functools
import inspect
import types
import typing
import warnings
from collections.abc import Callable
from typing import Any

from .._api import _level_of_user

__all__ = []


def _marked_as(function, modifier):
    (function.fget if function.__class__ is property else function)._torchscript_modifier = modifier
    return function


def export(fn: Callable[..., Any]) -> Any:
    """Return the method itself; a ``ScriptModule`` of its module has it as well.

    >>> import minigrad
    >>> @minigrad.jit.export
    ... def double(x):
    ...     return x * 2
    >>> double(3)
    6
    """
    return _marked_as(fn, "export")


def unused(fn: Callable[..., Any]) -> Any:
    """Return the function itself: TorchScript would raise where it is called; here it runs.

    >>> import minigrad
    >>> @minigrad.jit.unused
    ... def double(x):
    ...     return x * 2
    >>> double(3)
    6
    """
    return _marked_as(fn, "unused")


def ignore(drop: bool = False, **kwargs: Any) -> Any:
    """Return the function itself, called as Python in any case; a decorator if called with ``drop`` or nothing.

    >>> import minigrad
    >>> @minigrad.jit.ignore
    ... def double(x):
    ...     return x * 2
    >>> double(3)
    6
    """
    if callable(drop):
        return _marked_as(drop, "ignore")
    if not (drop is True or drop is False):
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    if kwargs.pop("drop_on_export", None) or drop:
        warnings.warn(
            "ignore(True) has been deprecated. Use torch.jit.unused for what a script does not call.",
            FutureWarning,
            stacklevel=_level_of_user(),
        )
    return lambda fn: _marked_as(fn, "ignore")


def annotate(the_type: Any, the_value: Any) -> Any:
    """Return ``the_value``, which TorchScript would take to be of type ``the_type``.

    >>> import minigrad
    >>> minigrad.jit.annotate(list[int], [])
    []
    """
    return the_value


def interface(obj: Any) -> Any:
    """Return the class itself; raises RuntimeError if the argument is not a class.

    >>> import minigrad
    >>> @minigrad.jit.interface
    ... class Doubling:
    ...     def double(self, x): ...
    >>> Doubling.__name__
    'Doubling'
    """
    if not inspect.isclass(obj):
        raise RuntimeError("interface must be applied to a class")
    return obj


def script_if_tracing(fn: Any) -> Any:
    """Return a function equivalent to ``fn``: TorchScript would script it when it is called in a trace.

    >>> import minigrad
    >>> minigrad.jit.script_if_tracing(abs)(-3)
    3
    """

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    wrapper.__original_fn = fn  # type: ignore[attr-defined]
    wrapper.__script_if_tracing_wrapper = True  # type: ignore[attr-defined]
    return wrapper


def is_scripting() -> bool:
    """Return whether this code runs as TorchScript: always False.

    >>> import minigrad
    >>> minigrad.jit.is_scripting()
    False
    """
    return False


def _overload(func):
    """The function itself: the one that is defined last is called."""
    return func


def _overload_method(func):
    """Like ``_overload``, for methods."""
    return func


def isinstance(obj: Any, target_type: Any) -> Any:
    """Return whether ``obj`` is of ``target_type``, elements included: ``List[int]``, ``Dict[str, Tensor]``, ``Tuple[int, str]``,
    ``Optional[int]``, or a tuple of types.

    Raises RuntimeError for a container type without an element type.

    >>> import minigrad
    >>> minigrad.jit.isinstance([1, 2], list[int]), minigrad.jit.isinstance([1, "two"], list[int])
    (True, False)
    """
    if target_type.__class__ is tuple:
        return any(isinstance(obj, each) for each in target_type)
    origin, parts = typing.get_origin(target_type), typing.get_args(target_type)
    if target_type in (list, dict, tuple, list, dict, tuple):
        name = getattr(target_type, "__name__", None) or target_type._name
        elements = "int, int" if name.lower() == "dict" else "int"
        raise RuntimeError(
            f"Attempted to use {name} without a contained type. Please add a contained type, e.g. {name}[{elements}]"
        )
    if target_type is typing.Any:
        return True
    if target_type is None:
        return obj is None
    if origin is None:
        return builtins.isinstance(obj, target_type)
    if origin is typing.Union or origin is getattr(types, "UnionType", None):
        return any(isinstance(obj, each) for each in parts)
    if not builtins.isinstance(obj, origin):
        return False
    if origin is list:
        return all(isinstance(x, parts[0]) for x in obj)
    if origin is dict:
        return all(isinstance(k, parts[0]) and isinstance(v, parts[1]) for k, v in obj.items())
    if origin is tuple:
        if len(parts) == 2 and parts[1] is Ellipsis:
            return all(isinstance(x, parts[0]) for x in obj)
        return len(parts) == len(obj) and all(map(isinstance, obj, parts))
    return True
