"""Mixed precision on the CPU, under its older names, which warn."""

from ... import amp as _amp
from ..._base.dtypes import bfloat16 as _bfloat16
from ..._base.dtypes import dtype as _dtype
from ...amp._older import deprecated as _deprecated

__all__ = ["GradScaler", "autocast"]


class autocast(_amp.autocast):
    """A deprecated form of ``minigrad.amp.autocast("cpu", dtype, enabled, cache_enabled)``."""

    def __init__(self, enabled: bool = True, dtype: _dtype = _bfloat16, cache_enabled: bool = True) -> None:
        _deprecated("cpu", "autocast")
        super().__init__("cpu", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(_amp.GradScaler):
    """A deprecated form of ``minigrad.amp.GradScaler("cpu", ...)``."""

    def __init__(
        self,
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        _deprecated("cpu", "GradScaler")
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
