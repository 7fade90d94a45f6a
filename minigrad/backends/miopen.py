"""MIOpen, the kernels of networks on AMD's devices: there is none, so its setting is kept but changes nothing."""

from typing import Any

from ._flags import a_bool as _a_bool
from ._flags import changed as _changed
from ._flags import check_settings as _check_settings

__all__ = ["flags", "set_flags"]

immediate = False


def set_flags(_immediate: Any = None) -> Any:
    """Change the setting; return the previous value in a tuple.

    >>> import minigrad
    >>> minigrad.backends.miopen.set_flags(False)
    (False,)
    """
    global immediate
    before = (immediate,)
    if _immediate is not None:
        immediate = _immediate
    return before


def flags(immediate: bool = False) -> Any:
    """Return a context manager that changes the setting.

    >>> import minigrad
    >>> with minigrad.backends.miopen.flags(immediate=True): print(minigrad.backends.miopen.immediate)
    True
    """
    return _changed(globals(), immediate=immediate)


_check_settings(globals(), immediate=_a_bool("set_immediate_miopen"))
