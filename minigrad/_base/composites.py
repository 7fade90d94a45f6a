"""``composite``: marks functions that are no operators here, but that who watches a program is told of like operators.

They consist of several operators (``flatten``), make tensors (``zeros``), or take values out of them (``item``).  Profilers and the noting of lines
(``autograd/_profiler/composites.py``) watch them; mostly nobody does, and then a mark must cost nothing.  A wrapper that asks whether somebody does
takes 100 to 250 ns of each call on CPython 3.11: of 30 functions that were measured over a tenth more for 18, two thirds for ``detach``; and every traceback has a frame
more.  A test in each body would have to repeat the arguments of each.  So ``composite`` returns the very function, and while somebody watches, ``redirect``
lets the marked functions run other code: this file is the only one that does so.  The function objects stay the same, so it does not matter under which
names programs hold them.
"""

import threading
import types
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, overload

from .forking import held_while_forking

__all__ = ["composite", "redirect", "restore"]

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


_marks: list[Mark] = []
_wrap: Callable[[Mark], Callable[..., Any]] | None = None  # what ``redirect`` was given, until ``restore``
_own_codes: list[types.CodeType] = []  # of the functions that are redirected, in the order of ``_marks``
_lock = held_while_forking(threading.RLock())  # a thread's end may be noticed while it is held


def redirect(wrap):
    """Let each marked function, also one that is imported later, run ``wrap(mark)`` instead; ``mark.function`` is then a copy that runs the function's own code."""
    global _wrap
    with _lock:
        _wrap = wrap
        for mark in _marks:
            _redirect(mark)


def restore():
    """Let the marked functions run their own code again."""
    global _wrap
    with _lock:
        for mark, own in zip(_marks, _own_codes):
            mark.function.__code__ = own
        _own_codes.clear()
        _wrap = None


def _add(mark):
    with _lock:
        _marks.append(mark)
        if _wrap is not None:
            _redirect(mark)


def _redirect(mark):
    function = mark.function
    own = function.__code__
    copy = types.FunctionType(
        own, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    instead = _wrap(mark._replace(function=copy))
    constants = [instead if c == "what to call" else c for c in _elsewhere.__code__.co_consts]
    _own_codes.append(own)
    function.__code__ = _elsewhere.__code__.replace(
        co_consts=tuple(constants),
        co_name=own.co_name,
        co_freevars=own.co_freevars,  # a function's cells stay its own
    )


def _elsewhere(*args, **kwargs):
    call = "what to call"  # a constant, in whose place each function's code has what it is to call
    return call(*args, **kwargs)
