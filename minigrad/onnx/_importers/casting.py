"""Values of another element type."""

import math
from typing import Any

from ... import _api as mg
from ..._base import dtypes
from .._element_types import dtype_of

_FLOAT8 = {
    getattr(dtypes, name): name
    for name in ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
}


def Cast(x: Any, *, to: int, saturate: int = 1, round_mode: str = "up") -> Any:
    return _cast(x, dtype_of(to), saturate)


def CastLike(x: Any, target: Any, *, saturate: int = 1, round_mode: str = "up") -> Any:
    return _cast(x, target.dtype, saturate)


def BitCast(x: Any, *, to: int) -> Any:
    return x.view(dtype_of(to))


def _cast(x, dtype, saturate):
    """Numbers beyond the greatest of eight bits become that one if ``saturate``, and infinity or NaN otherwise."""
    if dtype not in _FLOAT8 or (x.dtype in _FLOAT8 and x.dtype == dtype):
        return x.to(dtype)
    greatest = mg.finfo(dtype).max
    wide = x.to(dtypes.float32)
    beyond = wide.abs() > greatest if not saturate else None
    limited = wide.clamp(-greatest, greatest)
    if dtype in (dtypes.float8_e4m3fnuz, dtypes.float8_e5m2fnuz):
        limited = mg.where(mg.isinf(wide), wide if not saturate else limited, limited)
    if saturate:
        return limited.to(dtype)
    return mg.where(beyond, wide * math.inf if dtype is dtypes.float8_e5m2 else math.nan, limited).to(dtype)
