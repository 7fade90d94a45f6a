"""oneDNN, kernels of networks for the CPU: where its library is installed (the extra ``fast``), it computes what is large.

``MINIGRAD_ONEDNN=0`` in the environment, or ``flags(enabled=False)``, leaves all to NumPy.  ``deterministic`` lets it use one thread only, so that results have
the same bits on any number of cores.  It computes in full precision whatever is set.
"""

import contextlib
from typing import Any

from .._arrays import engine as _engine
from .._arrays import engine_settings as _engine_settings
from ._flags import Precision as _Precision
from ._flags import a_bool as _a_bool
from ._flags import a_precision as _a_precision
from ._flags import check_settings as _check_settings

__all__ = [
    "VERBOSE_OFF", "VERBOSE_ON", "VERBOSE_ON_CREATION", "conv", "flags", "is_acl_available", "is_available", "matmul", "rnn", "set_flags",
    "verbose",
]  # fmt: skip

VERBOSE_OFF, VERBOSE_ON, VERBOSE_ON_CREATION = 0, 1, 2
enabled = True
deterministic = False
allow_tf32 = None
fp32_precision = "none"
matmul, conv, rnn = _Precision(), _Precision(), _Precision()


def is_available() -> bool:
    """Return whether oneDNN can be used; the first call looks for the library.

    >>> import minigrad
    >>> minigrad.backends.mkldnn.is_available() in (True, False)
    True
    """
    return bool(_engine.find())


def is_acl_available() -> bool:
    """Return whether oneDNN uses the Arm Compute Library: always False.

    >>> import minigrad
    >>> minigrad.backends.mkldnn.is_acl_available()
    False
    """
    return False


class verbose:
    """A context manager in which oneDNN, if available, prints what it computes (from ``VERBOSE_ON`` on) and creates."""

    def __init__(self, level: Any) -> None:
        self.level = level

    def __enter__(self) -> Any:
        if self.level == VERBOSE_OFF:
            return None
        _engine.set_verbose(self.level)
        return self

    def __exit__(self, *exc: Any) -> Any:
        _engine.set_verbose(VERBOSE_OFF)
        return False


def set_flags(
    _enabled: Any = None, _deterministic: Any = None, _allow_tf32: Any = None, _fp32_precision: str = "none"
) -> Any:
    """Change settings; return the previous values of all.

    >>> import minigrad
    >>> minigrad.backends.mkldnn.set_flags(_enabled=True)
    (True, False, None, 'none')
    """
    given = {"enabled": _enabled, "deterministic": _deterministic, "fp32_precision": _fp32_precision}
    before = enabled, deterministic, allow_tf32, fp32_precision
    globals().update({name: value for name, value in given.items() if value is not None})
    _engine_settings.enabled, _engine_settings.deterministic = enabled, deterministic
    return before


@contextlib.contextmanager
def flags(
    enabled: bool = False, deterministic: bool = False, allow_tf32: bool = True, fp32_precision: str = "none"
) -> Any:
    """Return a context manager that changes settings.

    >>> import minigrad
    >>> with minigrad.backends.mkldnn.flags(deterministic=True): print(minigrad.backends.mkldnn.deterministic)
    True
    """
    before = set_flags(enabled, deterministic, None, fp32_precision)
    try:
        yield
    finally:
        set_flags(*before)


def _assigned(name: str, setter: str) -> Any:
    """A check of a setting that the kernels look at, which hands it on."""
    check = _a_bool(setter)

    def checked(value: Any) -> None:
        check(value)
        setattr(_engine_settings, name, value)

    return checked


_check_settings(
    globals(),
    enabled=_assigned("enabled", "set_enabled_mkldnn"),
    deterministic=_assigned("deterministic", "set_deterministic_mkldnn"),
    fp32_precision=_a_precision,
)
