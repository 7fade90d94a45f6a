"""oneDNN, the kernels of networks on the CPU: minigrad computes without, so its settings are kept but change nothing."""

from typing import Any

from ._flags import Precision as _Precision
from ._flags import a_bool as _a_bool
from ._flags import a_precision as _a_precision
from ._flags import changed as _changed
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
    """Whether this library computes: False, NumPy does.

    >>> import minigrad
    >>> minigrad.backends.mkldnn.is_available()
    False
    """
    return False


def is_acl_available() -> bool:
    """Whether the library computes by Arm's: False.

    >>> import minigrad
    >>> minigrad.backends.mkldnn.is_acl_available()
    False
    """
    return False


class verbose:
    """A context in which the library would tell what it computes: it computes nothing."""

    def __init__(self, level: Any) -> None:
        self.level = level

    def __enter__(self) -> Any:
        return None if self.level == VERBOSE_OFF else self

    def __exit__(self, *exc: Any) -> Any:
        return False


def set_flags(
    _enabled: Any = None, _deterministic: Any = None, _allow_tf32: Any = None, _fp32_precision: str = "none"
) -> Any:
    """Change settings; returns what all were before.

    >>> import minigrad
    >>> minigrad.backends.mkldnn.set_flags(_enabled=True)
    (True, False, None, 'none')
    """
    given = {"enabled": _enabled, "deterministic": _deterministic, "fp32_precision": _fp32_precision}
    before = enabled, deterministic, allow_tf32, fp32_precision
    globals().update({name: value for name, value in given.items() if value is not None})
    return before


def flags(
    enabled: bool = False, deterministic: bool = False, allow_tf32: bool = True, fp32_precision: str = "none"
) -> Any:
    """A context manager that changes settings for the length of a ``with`` block.

    >>> import minigrad
    >>> with minigrad.backends.mkldnn.flags(deterministic=True): print(minigrad.backends.mkldnn.deterministic)
    True
    """
    return _changed(globals(), enabled=enabled, deterministic=deterministic, fp32_precision=fp32_precision)


_check_settings(
    globals(),
    enabled=_a_bool("set_enabled_mkldnn"),
    deterministic=_a_bool("set_deterministic_mkldnn"),
    fp32_precision=_a_precision,
)
