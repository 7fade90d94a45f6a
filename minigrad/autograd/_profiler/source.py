"""Where in the user's program an operator was applied."""

import os
import sys
import weakref

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
#: Parts of the package that stand between the user's line and the operator.
_INSIDE = tuple(
    os.path.join(_PACKAGE, part) for part in ("_core", "_ops", "autograd", "_transforms", "profiler")
)
_MODULE = os.path.join(_PACKAGE, "nn", "modules", "module.py")
_short: dict = {}
_numbers: dict = {}


def stack_of(frame, modules=False):
    """The lines that led to ``frame``, the innermost first, such as ``train.py(12): step``; ``modules``: only the modules among them."""
    found = []
    while frame is not None:
        code = frame.f_code
        path = code.co_filename
        if path == _MODULE:
            module = frame.f_locals.get("self")
            name = f"nn.Module: {module_name(module)}"
            if module is not None and (not found or found[-1] != name):
                found.append(name)
        elif not modules and not path.startswith(_INSIDE):
            found.append(f"{_shortened(path)}({frame.f_lineno}): {code.co_name}")
        frame = frame.f_back
    return found


def module_name(module):
    """The name of a module's class with a number, which tells instances apart: ``Linear_0``."""
    cls = type(module)
    seen = _numbers.setdefault(cls.__name__, weakref.WeakKeyDictionary())
    number = seen.setdefault(module, len(seen))
    return f"{cls.__name__}_{number}"


def _shortened(path):
    """A path from the folder on ``sys.path`` that it is in, the longest if several are."""
    short = _short.get(path)
    if short is None:
        folders = [os.path.join(folder, "") for folder in sys.path if folder]
        longest = max((len(f) for f in folders if path.startswith(f)), default=0)
        short = _short[path] = path[longest:]
    return short
