"""Where in the user's program an operator was applied."""

import os
import weakref

from .._origins import PACKAGE, running_module, shortened

#: Parts of the package that stand between the user's line and the operator.
_PARTS = ("_base", "_arrays", "_display", "_core", "_ops", "autograd", "_transforms", "profiler")
_INSIDE = tuple(PACKAGE + part + os.sep for part in _PARTS)
_numbers: dict = {}


def stack_of(frame, modules=False):
    """The lines that led to ``frame``, the innermost first, such as ``train.py(12): step``; ``modules``: only the modules among them."""
    found = []
    while frame is not None:
        code = frame.f_code
        module = running_module(frame)
        if module is not None:
            found.append(f"nn.Module: {module_name(module)}")
        elif not modules and not code.co_filename.startswith(_INSIDE):
            found.append(f"{shortened(code.co_filename)}({frame.f_lineno}): {code.co_name}")
        frame = frame.f_back
    return found


def module_name(module):
    """The name of a module's class with a number, which tells instances apart: ``Linear_0``."""
    cls = type(module)
    seen = _numbers.setdefault(cls.__name__, weakref.WeakKeyDictionary())
    number = seen.setdefault(module, len(seen))
    return f"{cls.__name__}_{number}"
