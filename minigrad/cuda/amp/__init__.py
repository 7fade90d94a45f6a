"""Mixed precision on CUDA, under its older names: there is no CUDA, so both warn and do nothing."""

import warnings

from ... import amp as _amp

__all__ = ["GradScaler", "autocast"]


def _deprecated(name):
    warnings.warn(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('cuda', args...)` instead.",
        FutureWarning,
        stacklevel=3,
    )


class autocast(_amp.autocast):
    """As ``minigrad.amp.autocast("cuda", dtype, enabled, cache_enabled)``."""

    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        _deprecated("autocast")
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(_amp.GradScaler):
    """As ``minigrad.amp.GradScaler("cuda", ...)``."""

    def __init__(
        self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True
    ):
        _deprecated("GradScaler")
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
