"""Settings of the whole process that programs make: deterministic algorithms, warnings, precision, threads between operators.

All operators here are deterministic and compute in full precision whatever is set; what a setting changes besides stands at its function.
"""

import warnings
from typing import Any

import numpy as np

__all__ = [
    "are_deterministic_algorithms_enabled",
    "get_deterministic_debug_mode",
    "get_float32_matmul_precision",
    "get_num_interop_threads",
    "is_deterministic_algorithms_warn_only_enabled",
    "is_warn_always_enabled",
    "set_deterministic_debug_mode",
    "set_float32_matmul_precision",
    "set_flush_denormal",
    "set_num_interop_threads",
    "set_warn_always",
    "use_deterministic_algorithms",
]

_DEBUG_MODES = {"default": 0, "warn": 1, "error": 2}

_deterministic = _warn_only = _warn_always = False
_fill_uninitialized = True
#: What makes an array whose elements nobody has written: ``np.empty``, or what fills it so that programs that read it notice.
uninitialized = np.empty
_matmul_precision = "highest"
_interop_threads = 0


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for deterministic algorithms. All are deterministic, so nothing is refused, and nothing warns.

    ``empty`` and similar functions then fill what they make (see ``utils.deterministic``). Raises TypeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.use_deterministic_algorithms(True)
    >>> minigrad.are_deterministic_algorithms_enabled()
    True
    >>> minigrad.use_deterministic_algorithms(False)
    """
    global _deterministic, _warn_only
    for name, value in (("mode' (position 1)", mode), ("warn_only'", warn_only)):
        if not isinstance(value, bool):
            raise TypeError(
                f"_set_deterministic_algorithms(): argument '{name} must be bool, not {type(value).__name__}"
            )
    _deterministic, _warn_only = mode, warn_only
    _choose_uninitialized()


def fill_uninitialized_memory(fill):
    """Let ``empty`` and its kin fill what they make while deterministic algorithms are asked for, or not (``utils.deterministic``)."""
    global _fill_uninitialized
    if not isinstance(fill, bool):
        raise RuntimeError(f"expected a bool, but got {type(fill).__name__}")
    _fill_uninitialized = fill
    _choose_uninitialized()


def fills_uninitialized_memory():
    """What ``fill_uninitialized_memory`` was told."""
    return _fill_uninitialized


def _choose_uninitialized():
    global uninitialized
    uninitialized = _conspicuous if _deterministic and _fill_uninitialized else np.empty


def _conspicuous(shape, dtype):
    """An array of nan, of the largest integer, or of True."""
    array = np.empty(shape, dtype)
    if array.dtype.kind in "iu":
        array.fill(np.iinfo(array.dtype).max)
    else:
        array.fill(np.True_ if array.dtype.kind == "b" else np.nan)
    return array


def are_deterministic_algorithms_enabled() -> bool:
    """Return whether deterministic algorithms were asked for.

    >>> import minigrad
    >>> minigrad.are_deterministic_algorithms_enabled()
    False
    """
    return _deterministic


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Return whether warnings instead of errors were asked for where no algorithm is deterministic.

    >>> import minigrad
    >>> minigrad.is_deterministic_algorithms_warn_only_enabled()
    False
    """
    return _warn_only


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Ask for deterministic algorithms by a mode: 0 or ``"default"`` is off, 1 or ``"warn"`` warns only, 2 or ``"error"`` is on.

    See ``use_deterministic_algorithms``. Raises TypeError or RuntimeError for anything else.

    >>> import minigrad
    >>> minigrad.set_deterministic_debug_mode("warn")
    >>> minigrad.get_deterministic_debug_mode()
    1
    >>> minigrad.set_deterministic_debug_mode(0)
    """
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        if debug_mode not in _DEBUG_MODES:
            raise RuntimeError(
                f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}"
            )
        debug_mode = _DEBUG_MODES[debug_mode]
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}")
    use_deterministic_algorithms(debug_mode > 0, warn_only=debug_mode == 1)


def get_deterministic_debug_mode() -> int:
    """Return the mode as a number; see ``set_deterministic_debug_mode``.

    >>> import minigrad
    >>> minigrad.get_deterministic_debug_mode()
    0
    """
    return (1 if _warn_only else 2) if _deterministic else 0


def set_warn_always(b: bool, /) -> None:
    """Set whether warnings that appear once in a program appear each time; raise RuntimeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_warn_always(False)
    """
    global _warn_always
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _warn_always = b


def is_warn_always_enabled() -> bool:
    """Return whether warnings that appear once in a program appear each time.

    >>> import minigrad
    >>> minigrad.is_warn_always_enabled()
    False
    """
    return _warn_always


def set_float32_matmul_precision(precision: str) -> None:
    """Allow a lower precision for products of float32 matrices. They are computed in full float32 all the same.

    ``precision`` is ``"highest"``, ``"high"`` or ``"medium"``; anything else warns and changes nothing.

    >>> import minigrad
    >>> minigrad.set_float32_matmul_precision("highest")
    """
    global _matmul_precision
    if not isinstance(precision, str):
        raise TypeError(f"set_float32_matmul_precision expects a str, but got {type(precision).__name__}")
    if precision not in ("highest", "high", "medium"):
        warnings.warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the currentsetFloat32MatmulPrecision call has no effect.",
            stacklevel=2,
        )
        return
    _matmul_precision = precision


def get_float32_matmul_precision() -> str:
    """Return the precision that was set for products of float32 matrices.

    >>> import minigrad
    >>> minigrad.get_float32_matmul_precision()
    'highest'
    """
    return _matmul_precision


def set_flush_denormal(mode: str) -> bool:
    """Ask for denormal numbers to be flushed to zero; return False, because NumPy cannot do that.

    Raises RuntimeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_flush_denormal(True)
    False
    """
    if not isinstance(mode, bool):
        raise RuntimeError(f"flush_denormal expects a bool, but got {type(mode).__name__}")
    return False


def get_num_interop_threads() -> Any:
    """Return the number of threads that may run operators at the same time: 1, unless the program has set another.

    >>> import minigrad
    >>> minigrad.get_num_interop_threads()
    1
    """
    return _interop_threads or 1


def set_num_interop_threads(n: Any) -> None:
    """Set the number that ``get_num_interop_threads`` returns, once; operators run in the thread that calls them.

    Raises RuntimeError if ``n`` is not a positive int, and for a second call.

    >>> import minigrad
    >>> minigrad.set_num_interop_threads(0)
    Traceback (most recent call last):
      ...
    RuntimeError: set_num_interop_threads expects a positive integer
    """
    global _interop_threads
    if not isinstance(n, int) or isinstance(n, bool):
        raise RuntimeError(f"set_num_interop_threads expects an int, but got {type(n).__name__}")
    if n <= 0:
        raise RuntimeError("set_num_interop_threads expects a positive integer")
    if _interop_threads:
        raise RuntimeError(
            "Error: cannot set number of interop threads after parallel work has started or set_num_interop_threads called"
        )
    _interop_threads = n
