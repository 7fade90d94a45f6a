"""Anomaly mode: which line of the forward made the node that failed in backward, and which node made the first nan."""

import warnings
from typing import Any

from .._core.modes import thread_state
from ._anomaly import Anomaly, set_anomaly
from ._answers import nans, provenance

__all__ = ["detect_anomaly", "set_detect_anomaly"]


def _set(check_nan):
    """Switch anomaly mode on; returns the mode before."""
    return _set_mode(Anomaly(check_nan, nans.Finder(check_nan)))


def _set_mode(mode):
    """Make ``mode`` the anomaly mode of this thread, in which lines are noted, too; returns the mode before."""
    was = set_anomaly(mode)
    if was is None and mode is not None:
        provenance.start()
    elif was is not None and mode is None:
        provenance.stop()
    return was


class detect_anomaly:
    """Within the block, a backward that fails warns with the line of the program that recorded the node.

    With ``check_nan``, a backward that produces nan raises RuntimeError, which names the node, its line, and where the nan comes from.
    The mode belongs to the current thread and slows programs down: use it for debugging only.

    >>> import minigrad, warnings
    >>> x = minigrad.zeros(1, requires_grad=True)
    >>> try:
    ...     with warnings.catch_warnings():
    ...         warnings.simplefilter("ignore")
    ...         with minigrad.autograd.detect_anomaly():
    ...             (x.sqrt() * 0).backward()
    ... except RuntimeError as error:
    ...     first, line, why = str(error).splitlines()
    >>> first
    "Function 'SqrtBackward0' returned nan values in its 0th output."
    >>> why
    'At [0] the incoming gradient is 0.0 and `result` is 0.0; the derivative of sqrt is infinite there, and 0 * inf is nan'
    """

    prev: Any

    def __init__(self, check_nan: bool = True) -> None:
        self.prev = thread_state.anomaly
        self.check_nan = check_nan
        self.prev_check_nan = self.prev is None or self.prev.check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.prev = _set(self.check_nan)

    def __exit__(self, *exc: Any) -> None:
        _set_mode(self.prev)


class set_detect_anomaly:
    """Switch anomaly mode on or off: immediately as a function, or for a ``with`` block.

    >>> import minigrad
    >>> with minigrad.autograd.set_detect_anomaly(True, check_nan=False):
    ...     minigrad.is_anomaly_enabled(), minigrad.is_anomaly_check_nan_enabled()
    (True, False)
    """

    prev: Any

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.prev = _set(check_nan) if mode else _set_mode(None)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: Any) -> None:
        _set_mode(self.prev)


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode of this thread on or off; raise TypeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_anomaly_enabled(False)
    """
    for place, (name, value) in enumerate((("enabled", enabled), ("check_nan", check_nan)), 1):
        if not isinstance(value, bool):
            raise TypeError(
                f"set_anomaly_enabled(): argument '{name}' (position {place}) must be bool, not {type(value).__name__}"
            )
    if enabled:
        _set(check_nan)
    else:
        _set_mode(None)


def is_anomaly_enabled() -> bool:
    """Return whether anomaly mode is on in this thread.

    >>> import minigrad
    >>> minigrad.is_anomaly_enabled()
    False
    """
    return thread_state.anomaly is not None


def is_anomaly_check_nan_enabled() -> Any:
    """Return whether anomaly mode, if on, looks for nans.

    >>> import minigrad
    >>> minigrad.is_anomaly_check_nan_enabled()
    True
    """
    return thread_state.anomaly is None or thread_state.anomaly.check_nan
