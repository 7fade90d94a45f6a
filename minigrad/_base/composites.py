"""``composite``: marks functions that are no operators here, but that who watches a program is told of like operators.

They consist of several operators (``flatten``), make tensors (``zeros``), or take values out of them (``item``).  Profilers and the noting of lines
(``autograd/_profiler/composites.py``) watch them; mostly nobody does, and then a mark costs nothing: ``composite`` returns the very function, and while
somebody watches, ``watch`` lets the marked functions run other code (``redirecting.py``).
"""

import types
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, overload

from .redirecting import DEFAULTS, WATCHERS, code_before, lock, redirect, restore

__all__ = ["composite", "default", "no_default", "unwatch", "watch"]

_Function = TypeVar("_Function", bound=Callable[..., Any])
_SAME = "the name"


class Mark(NamedTuple):
    """What is said of a marked function."""

    function: types.FunctionType
    name: str  # without a prefix, for those who note lines
    event: str | None  # what profilers are told, "aten::zeros"; None: nothing
    if_new: bool  # PyTorch does not call it where it gives back its first argument


@overload
def composite(function: _Function, /) -> _Function: ...


@overload
def composite(
    name: str | None = None, /, *, event: str | None = _SAME, if_new: bool = False
) -> Callable[[_Function], _Function]: ...


def composite(name=None, /, *, event=_SAME, if_new=False):
    """Mark a function, which stays what it is: ``@composite``, or ``@composite("item")`` if PyTorch has another name for it.

    ``event``: the operator of which profilers are told, if that has yet another name; None if they are not told.  ``if_new``: they are not told of calls
    that return their first argument.
    """
    if isinstance(name, types.FunctionType):
        return composite()(name)

    def mark(function):
        shown = function.__name__ if name is None else name
        told = shown if event is _SAME else event
        _add(Mark(function, shown, told if told is None else f"aten::{told}", if_new))
        return function

    return mark


_marks: dict[types.FunctionType, Mark] = {}
_wrap: Callable[[Mark], Callable[..., Any]] | None = None  # what ``watch`` was given, until ``unwatch``


def watch(wrap):
    """Let each marked function, also one that is imported later, run ``wrap(mark)`` instead; ``mark.function`` is then a copy that runs the function's own code."""
    global _wrap
    with lock:
        _wrap = wrap
        redirect(_marks, WATCHERS, _around)


def unwatch():
    """Let the marked functions run their own code again."""
    global _wrap
    with lock:
        restore(_marks, WATCHERS)
        _wrap = None


#: The functions whose tensors are on the default device; those made like another tensor are where that is.
_MAKING = frozenset(
    [
        "arange",
        "as_tensor",
        "asarray",
        "bartlett_window",
        "blackman_window",
        "empty",
        "empty_permuted",
        "empty_strided",
        "eye",
        "fftfreq",
        "full",
        "hamming_window",
        "hann_window",
        "kaiser_window",
        "linspace",
        "logspace",
        "normal",
        "rand",
        "randint",
        "randn",
        "randperm",
        "range",
        "rfftfreq",
        "scalar_tensor",
        "tensor",
        "tril_indices",
        "triu_indices",
        "zeros",
        "ones",
    ]
)
_default: Callable[..., Any] | None = None  # what ``default`` was given, until ``no_default``


def default(wrap):
    """Let each function that makes tensors where ``device`` says, also one that is imported later, run ``wrap(function, own)`` instead."""
    global _default
    with lock:
        _default = wrap
        redirect([mark.function for mark in _marks.values() if _makes(mark)], DEFAULTS, wrap)


def no_default():
    """Undo ``default``."""
    global _default
    with lock:
        restore(_marks, DEFAULTS)
        _default = None


def _makes(mark):
    code = code_before(mark.function)
    return mark.name in _MAKING and "device" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _around(function, own):
    return _wrap(_marks[function]._replace(function=own))


def _add(mark):
    with lock:
        _marks[mark.function] = mark
        if _wrap is not None:
            redirect([mark.function], WATCHERS, _around)
        if _default is not None and _makes(mark):
            redirect([mark.function], DEFAULTS, _default)
