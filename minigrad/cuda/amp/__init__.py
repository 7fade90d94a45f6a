"""The older, deprecated names of mixed precision on CUDA: without CUDA they warn and cast nothing."""

from typing import Any

from ... import amp as _amp
from ..._base.dtypes import dtype as _dtype
from ..._base.dtypes import float16 as _float16
from ...amp._older import deprecated as _deprecated

__all__ = ["GradScaler", "amp_definitely_not_available", "autocast", "custom_bwd", "custom_fwd"]


def amp_definitely_not_available() -> bool:
    """Return whether mixed precision on CUDA is unavailable: always True.

    >>> import minigrad
    >>> minigrad.cuda.amp.amp_definitely_not_available()
    True
    """
    return True


class autocast(_amp.autocast):
    """A deprecated form of ``minigrad.amp.autocast("cuda", dtype, enabled, cache_enabled)``."""

    def __init__(self, enabled: bool = True, dtype: _dtype = _float16, cache_enabled: bool = True) -> None:
        _deprecated("cuda", "autocast")
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(_amp.GradScaler):
    """A deprecated form of ``minigrad.amp.GradScaler("cuda", ...)``."""

    def __init__(
        self,
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        _deprecated("cuda", "GradScaler")
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def custom_fwd(fwd: Any = None, *, cast_inputs: Any = None) -> Any:
    """A deprecated form of ``minigrad.amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     decorate = minigrad.cuda.amp.custom_fwd(cast_inputs=minigrad.float32)
    """
    _deprecated("cuda", "custom_fwd", device_argument=True)
    return _amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd: Any) -> Any:
    """A deprecated form of ``minigrad.amp.custom_bwd(bwd, device_type="cuda")``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     backward = minigrad.cuda.amp.custom_bwd(lambda ctx, g: g)
    """
    _deprecated("cuda", "custom_bwd", device_argument=True)
    return _amp.custom_bwd(bwd, device_type="cuda")
