"""Autocast switched on and off without a block, as libraries do that build blocks of their own: ``set_autocast_enabled`` and its like."""

import threading
import warnings
from typing import Any

from .._base.dtypes import dtype as _dtype
from .._base.errors import type_name
from .._core.modes import thread_state, unwatch, watch
from .._ops import autocasting
from . import autocast_mode

__all__: list[str] = []  # the package publishes them


class _Settings(threading.local):
    def __init__(self):
        self.nesting = 0


_settings = _Settings()


def _block():
    """The innermost block of this thread; outside of all, one that lasts as long as the thread does."""
    if thread_state.autocast is None:
        autocasting.Autocast(None, True).__enter__()
    return thread_state.autocast


def _leave_if_idle(block):
    """Without a block that lasts, if it is as autocast is without one."""
    if block.outer is None and not block.is_public and block.dtype is None and block.caching:
        block.__exit__()


def set_autocast_enabled(device_type: Any, enabled: Any = None, /) -> None:
    """Switch autocast on or off for a device type in this thread, until the end of the enclosing block, if there is one.

    With one argument, for CUDA. Raises TypeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_autocast_enabled("cpu", True)
    >>> minigrad.is_autocast_enabled("cpu")
    True
    >>> minigrad.set_autocast_enabled("cpu", False)
    """
    if enabled is None:
        device_type, enabled = "cuda", device_type
    if not isinstance(enabled, bool):
        raise TypeError(
            f"set_autocast_enabled(): argument 'enabled' (position 2) must be bool, not {type_name(enabled)}"
        )
    kind = autocast_mode.known_kind(device_type)
    if kind != "cpu":
        autocast_mode.choices.enabled[kind] = enabled
        return
    if enabled is (autocasting.current_dtype() is not None):
        return
    block = _block()
    if enabled:
        block.dtype = autocast_mode.get_autocast_dtype("cpu")
        watch(block.watcher)
    else:
        unwatch(block.watcher)
        block.dtype = None
        _leave_if_idle(block)


def set_autocast_dtype(device_type: Any, dtype: _dtype, /) -> None:
    """Set the dtype that autocast uses for a device type in this thread; raise TypeError if it is not a dtype.

    >>> import minigrad
    >>> minigrad.set_autocast_dtype("cpu", minigrad.float16)
    >>> minigrad.get_autocast_dtype("cpu")
    torch.float16
    >>> minigrad.set_autocast_dtype("cpu", minigrad.bfloat16)
    """
    if not isinstance(dtype, _dtype):
        raise TypeError(
            f"set_autocast_dtype(): argument 'dtype' (position 2) must be torch.dtype, not {type_name(dtype)}"
        )
    kind = autocast_mode.known_kind(device_type)
    block = thread_state.autocast if kind == "cpu" else None
    if block is not None and block.dtype is not None:
        block.dtype = dtype
    if block is None or not block.is_public:
        autocast_mode.choices.dtypes[kind] = dtype
    else:
        block.lower = dtype


def set_autocast_cache_enabled(enabled: bool, /) -> None:
    """Set whether autocast caches converted weights in this thread; raise TypeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_autocast_cache_enabled(True)
    >>> minigrad.is_autocast_cache_enabled()
    True
    """
    if not isinstance(enabled, bool):
        raise TypeError(f"enabled must be a bool (got {type_name(enabled)})")
    if enabled is not autocast_mode.is_autocast_cache_enabled():
        block = _block()
        block.caching = enabled
        _leave_if_idle(block)


def clear_autocast_cache() -> None:
    """Forget the converted weights that autocast has cached.

    >>> import minigrad
    >>> minigrad.clear_autocast_cache()
    """
    if thread_state.autocast is not None:
        thread_state.autocast.casts.clear()


def _depth():
    depth, block = _settings.nesting, thread_state.autocast
    while block is not None:
        depth, block = depth + block.is_public, block.outer
    return depth


def autocast_increment_nesting() -> int:
    """Increment the depth of nested autocast blocks, and return it.

    >>> import minigrad
    >>> minigrad.autocast_increment_nesting(), minigrad.autocast_decrement_nesting()
    (1, 0)
    """
    _settings.nesting += 1
    return _depth()


def autocast_decrement_nesting() -> int:
    """Decrement the depth of nested autocast blocks, and return it.

    >>> import minigrad
    >>> minigrad.autocast_increment_nesting(), minigrad.autocast_decrement_nesting()
    (1, 0)
    """
    _settings.nesting -= 1
    return _depth()


def _old_setter(name, new, kind, argument):
    """A setter of the time when each kind of device had its own."""

    def set_it(value):
        warnings.warn(
            f"torch.{name}({argument}) is deprecated. Please use torch.{new.__name__}('{kind}', {argument}) instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        new(kind, value)

    set_it.__name__ = set_it.__qualname__ = name
    set_it.__annotations__ = {"value": bool if argument == "enabled" else _dtype, "return": None}
    usual = "False" if argument == "enabled" else f'minigrad.get_autocast_dtype("{kind}")'
    set_it.__doc__ = f"""A deprecated form of ``{new.__name__}("{kind}", {argument})``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.{name}({usual})
    """
    return set_it


set_autocast_cpu_enabled: Any = _old_setter(
    "set_autocast_cpu_enabled", set_autocast_enabled, "cpu", "enabled"
)
set_autocast_ipu_enabled: Any = _old_setter(
    "set_autocast_ipu_enabled", set_autocast_enabled, "ipu", "enabled"
)
set_autocast_xla_enabled: Any = _old_setter(
    "set_autocast_xla_enabled", set_autocast_enabled, "xla", "enabled"
)
set_autocast_cpu_dtype: Any = _old_setter("set_autocast_cpu_dtype", set_autocast_dtype, "cpu", "dtype")
set_autocast_gpu_dtype: Any = _old_setter("set_autocast_gpu_dtype", set_autocast_dtype, "cuda", "dtype")
set_autocast_ipu_dtype: Any = _old_setter("set_autocast_ipu_dtype", set_autocast_dtype, "ipu", "dtype")
set_autocast_xla_dtype: Any = _old_setter("set_autocast_xla_dtype", set_autocast_dtype, "xla", "dtype")
