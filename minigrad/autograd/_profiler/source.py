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
    found, inner = [], None
    while frame is not None:
        code = frame.f_code
        module = running_module(frame)
        if module is not None:
            found.append(f"nn.Module: {module_name(module)}")
        elif not modules and not code.co_filename.startswith(_INSIDE) and not _stands_before(code, inner):
            inner = code
            found.append(f"{shortened(code.co_filename)}({frame.f_lineno}): {code.co_name}")
        frame = frame.f_back
    return found


def _stands_before(code, inner):
    """Whether a code object is that of what runs a function, under its name, before the function's own, ``inner``: a guard, or who asks its operands."""
    if inner is None or code is inner:
        return False
    return (code.co_filename, code.co_firstlineno, code.co_name) == (
        inner.co_filename,
        inner.co_firstlineno,
        inner.co_name,
    )


def module_name(module):
    """The name of a module's class with a number, which tells instances apart: ``Linear_0``."""
    cls = type(module)
    seen = _numbers.setdefault(cls.__name__, weakref.WeakKeyDictionary())
    number = seen.setdefault(module, len(seen))
    return f"{cls.__name__}_{number}"
