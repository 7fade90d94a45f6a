"""``redirect``: functions that run other code for a while, under whatever names programs hold them.

What watches or overrides functions is mostly absent, and must cost nothing then.  A wrapper that asks whether it is there takes 100 to 250 ns of each
call on CPython 3.11, and every traceback has a frame more.  So functions stay the very objects that they are, and while something is there, they are
given code that calls it: this file is the only one that does so.  There are three layers: who watches (``composites.py``) is called by what chooses the default device
(``device.py``), and that by who overrides (``_core/overriding.py``).
"""

import ast
import functools
import threading
import types
from collections.abc import Callable, Iterable
from typing import Any

from .forking import held_while_forking

__all__ = ["DEFAULTS", "OVERRIDES", "WATCHERS", "code_before", "code_of", "recode", "redirect", "restore"]

#: The layers, from the inside out.
WATCHERS, DEFAULTS, OVERRIDES = range(3)

lock = held_while_forking(threading.RLock())  # a thread's end may be noticed while it is held


class _Redirected:
    """What is kept of a function that has been redirected: its own code, and what is laid around it in each layer."""

    __slots__ = ("own", "plain", "layers", "codes", "signed")

    def __init__(self, function):
        self.own = function.__code__
        self.plain = types.FunctionType(
            self.own, function.__globals__, function.__name__, function.__defaults__, function.__closure__
        )
        self.plain.__kwdefaults__ = function.__kwdefaults__
        self.plain.__qualname__ = function.__qualname__
        self.signed = False
        self.layers = [None, None, None]
        self.codes = {}  # made before: a block is often entered again


_redirected: dict[types.FunctionType, _Redirected] = {}


def redirect(functions: Iterable[types.FunctionType], layer: int, wrap: Callable[..., Any]) -> None:
    """Let each function run ``wrap(function, own)`` instead, where ``own`` is a copy that runs what it has run so far."""
    with lock:
        for function in functions:
            found = _redirected.get(function)
            if found is None:
                found = _redirected[function] = _Redirected(function)
            found.layers[layer] = wrap
            _update(function, found)


def restore(functions: Iterable[types.FunctionType], layer: int) -> None:
    """Undo ``redirect``."""
    with lock:
        for function in functions:
            found = _redirected.get(function)
            if found is not None and found.layers[layer] is not None:
                found.layers[layer] = None
                _update(function, found)


def code_before(function):
    """The code that a function runs when it is not redirected."""
    found = _redirected.get(function)
    return function.__code__ if found is None else found.own


def recode(function: types.FunctionType, made: Callable[[types.FunctionType], types.CodeType]) -> None:
    """Give a function other code of its own, ``made(function)`` of what it has; what is laid around it stays there."""
    with lock:
        found = _redirected.pop(function, None)
        layers = [None, None, None]
        if found is not None:
            layers, found.layers = found.layers, layers
            _update(function, found)
        function.__code__ = made(function)
        if any(layers):
            found = _redirected[function] = _Redirected(function)
            found.layers = layers
            _update(function, found)


def _update(function, found):
    around = tuple(found.layers)
    if not any(around):
        function.__code__ = found.own
        if found.signed:
            del function.__wrapped__
            found.signed = False
        return
    code = found.codes.get(around)
    if code is None:
        code = found.codes[around] = _code(function, found.plain, around)
    function.__code__ = code
    if not found.signed and "__wrapped__" not in vars(function):
        function.__wrapped__ = found.plain  # whose signature ``inspect`` shows
        found.signed = True


def _code(function, inner, around):
    own = inner.__code__
    for wrap in around:
        if wrap is not None:
            inner = wrap(function, inner)
    code = code_of(_ELSEWHERE, len(own.co_freevars))
    constants = [inner if c == "what to call" else c for c in code.co_consts]
    return code.replace(
        co_consts=tuple(constants),
        co_name=own.co_name,
        co_filename=own.co_filename,
        co_firstlineno=own.co_firstlineno,
        co_freevars=own.co_freevars,  # a function's cells stay its own
    )


#: In the place of the constant each function's code has what it is to call.
_ELSEWHERE = """
def elsewhere(*args, **kwargs):
    call = "what to call"
    return call(*args, **kwargs)
"""


@functools.cache
def code_of(source, cells=0):
    """The code object of the function that ``source`` defines, for a function that has so many cells: all in the first line, as users see it in tracebacks."""
    body = ast.parse(source).body
    if cells:
        names = [f"cell{i}" for i in range(cells)]
        body[0].body[:0] = ast.parse(f"if 0: ({', '.join(names)},)").body
        outer = ast.parse(f"def outer({', '.join(names)}): pass").body
        outer[0].body = body
        body = outer
    module = ast.Module(body, [])
    for node in ast.walk(module):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
    code = compile(module, __file__, "exec")
    for _ in range(2 if cells else 1):
        code = next(c for c in code.co_consts if isinstance(c, types.CodeType))
    return code
