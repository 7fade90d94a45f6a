"""Where in the user's program nodes were recorded and tensors were made and written to: what is noted of that, while somebody asks for it.

The frames of the Python stack tell: the innermost that is not inside this package (or Python's own library) is the user's line, and
those of ``Module.__call__`` hold the modules that run.  Nothing is kept of them but text.  Who notes it is ``thread_state.origins``: see
``autograd/_answers/provenance.py``.
"""

import linecache
import os
import sys
import weakref
from typing import Any, NamedTuple

PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_MODULE = os.path.join(PACKAGE, "nn", "modules", "module.py")
_LIBRARY = os.path.join(os.path.dirname(os.__file__), "")
_INSTALLED = tuple(f"{os.sep}{folder}{os.sep}" for folder in ("site-packages", "dist-packages"))


class Origin(NamedTuple):
    """A line of the user's program: its file, number, function and text, and the innermost ``nn.Module`` that ran it.

    ``module`` is that module's dotted path from the outermost one that was called ("" for that itself, or outside of all), ``module_type`` the
    name of its class ("" outside of all).
    """

    filename: str
    line: int
    function: str
    text: str
    module: str = ""
    module_type: str = ""

    def __str__(self) -> str:
        text = f"{shortened(self.filename)}:{self.line}"
        if self.text:
            text += f": {self.text}"
        if self.module_type:
            text += f" (in {self.module_type}{f' {self.module}' if self.module else ''})"
        return text


def origin_at(frame, known):
    """The origin of what runs below ``frame``, from the dictionary ``known`` if it was found before; None if there is no line of the user's."""
    line, modules = user_line(frame)
    if line is None:
        return None
    code = line.f_code
    inside = (path_of(modules), type(modules[0]).__name__) if modules else ("", "")
    key = code.co_filename, line.f_lineno, code.co_name, *inside
    origin = known.get(key)
    if origin is None:
        linecache.checkcache(code.co_filename)
        text = linecache.getline(code.co_filename, line.f_lineno, line.f_globals).strip()
        origin = known[key] = Origin(*key[:3], text, *inside)
    return origin


class Write(NamedTuple):
    """A write to a storage: the version it led to, the function that wrote ("" if unknown), and the line."""

    version: int
    function: str
    origin: Origin | None


def origin_of(node: Any) -> Any:
    """Return the line of the program that recorded ``node``; None if it is unknown.

    >>> import minigrad
    >>> x = minigrad.ones(2, requires_grad=True)
    >>> with minigrad.autograd.graph.record_origins(): y = x * 2
    >>> minigrad.autograd.graph.origin_of(y.grad_fn) is not None
    True
    """
    extra = node._extra
    return None if extra is None or extra.metadata is None else extra.metadata.get("origin_")


class Made(NamedTuple):
    """How a tensor without history came about: why it has none, the function that made it, and the line.

    ``reason`` is a word from ``autograd/_answers/missing_history.py``; ``ends`` are weak references to the node that was cut off here and to the leaves behind it, and
    ``earlier`` the cuts that this history had itself; ``causes`` are, where no operand required grad, the same of what the operands come from.
    """

    reason: str
    function: str = ""
    origin: Origin | None = None
    ends: frozenset[Any] = frozenset()
    causes: tuple[Any, ...] = ()
    earlier: tuple[Any, ...] = ()
    detail: str = ""


def writes_to(storage):
    """The writes to ``storage`` that were noted, the oldest first."""
    return tuple(getattr(storage, "writes", ()))


# The stack -----------------------------------------------------------------------------------------------------------------


def user_line(frame):
    """The innermost frame from ``frame`` outwards that is the user's (or None), and the modules that run, the innermost first."""
    line, modules = None, []
    while frame is not None:
        path = frame.f_code.co_filename
        module = running_module(frame)
        if module is not None:
            modules.append(module)
        elif line is None and not (path.startswith((PACKAGE, "<frozen ")) or in_library(path)):
            line = frame
        frame = frame.f_back
    return line, modules


def running_module(frame):
    """The module that is being called, if ``frame`` is that call."""
    code = frame.f_code
    if code.co_name == "_call_impl" and code.co_filename == _MODULE:
        return frame.f_locals.get("self")
    return None


def in_library(path):
    """Whether a file belongs to Python's own library."""
    return path.startswith(_LIBRARY) and not any(folder in path for folder in _INSTALLED)


_names: weakref.WeakKeyDictionary = (
    weakref.WeakKeyDictionary()
)  # module -> {id of a module inside it: its dotted path}


def path_of(modules):
    """The dotted path of the innermost of ``modules``, from the outermost that contains it; "" for a module that no other contains."""
    inner = modules[0]
    for outer in reversed(modules[1:]):
        names = _names.get(outer)
        name = None if names is None else names.get(id(inner))
        if name is None or not leads_to(outer, name, inner):
            names = _names[outer] = {id(module): name for name, module in outer.named_modules()}
            name = names.get(id(inner))
        if name is not None:
            return name
    return ""


def leads_to(outer, name, inner):
    """Whether ``name`` is still the path from module ``outer`` to ``inner``."""
    for part in name.split(".") if name else ():
        outer = outer._modules.get(part)
        if outer is None:
            return False
    return outer is inner


_short: dict[Any, Any] = {}


def shortened(path: Any) -> Any:
    """A path from the folder on ``sys.path`` that it is in, the longest if several are."""
    short = _short.get(path)
    if short is None:
        folders = [os.path.join(folder, "") for folder in sys.path if folder]
        longest = max((len(f) for f in folders if path.startswith(f)), default=0)
        short = _short[path] = path[longest:]
    return short
