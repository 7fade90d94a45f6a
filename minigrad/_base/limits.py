"""``finfo`` and ``iinfo``: the limits of the numbers of a dtype."""

from typing import Any

import numpy as np

from . import dtypes
from .publishing import publish
from .sealed import final

#: What NumPy does not know of: eps, max, the smallest normal number, and the power of ten that is told apart.
_NARROW = {
    "bfloat16": (2.0**-7, (2 - 2.0**-7) * 2.0**127, 2.0**-126, 0.01),
    "float8_e4m3fn": (2.0**-3, 448.0, 2.0**-6, 1.0),
    "float8_e4m3fnuz": (2.0**-3, 240.0, 2.0**-7, 1.0),
    "float8_e5m2": (2.0**-2, 57344.0, 2.0**-14, 1.0),
    "float8_e5m2fnuz": (2.0**-3, 57344.0, 2.0**-15, 1.0),  # eps as PyTorch has it
    "float8_e8m0fnu": (1.0, 2.0**127, 2.0**-127, 1.0),
}


class finfo:
    """The limits of a floating-point dtype (for a complex one, of its parts), by default of the default dtype.

    Raises TypeError for an integer dtype.

    >>> import minigrad
    >>> minigrad.finfo(minigrad.float32).eps
    1.1920928955078125e-07
    """

    dtype: Any
    bits: Any
    eps: float
    max: float
    tiny: float
    resolution: float
    smallest_normal: float
    min: float

    def __init__(self, type: Any = None) -> None:
        d = dtypes.get_default_dtype() if type is None else type
        if not isinstance(d, dtypes.dtype):
            raise TypeError(
                f"finfo(): argument 'type' (position 1) must be torch.dtype, not {d.__class__.__name__}"
            )
        if d.name == "float4_e2m1fn_x2":
            raise NotImplementedError("\"epsilon\" not implemented for 'Float4_e2m1fn_x2'")
        if d.category < dtypes.FLOATING:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        d = d.to_real()
        self.dtype, self.bits = d.name, 8 * d.itemsize
        if d.name in _NARROW:
            self.eps, self.max, self.tiny, self.resolution = _NARROW[d.name]
        else:
            known = np.finfo(d.np)
            self.eps, self.max = float(known.eps), float(known.max)
            self.tiny, self.resolution = float(known.tiny), 10.0**-known.precision
        self.min, self.smallest_normal = -self.max, self.tiny
        if d.name == "float8_e8m0fnu":  # which has no sign
            self.min = self.tiny

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.tiny:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


class iinfo:
    """The limits of an integer dtype; raises TypeError for any other dtype.

    >>> import minigrad
    >>> minigrad.iinfo(minigrad.int8)
    iinfo(min=-128, max=127, dtype=int8)
    """

    dtype: str
    bits: int
    min: int
    max: int

    def __init__(self, type: Any) -> None:
        if not isinstance(type, dtypes.dtype):
            raise TypeError(
                f"iinfo(): argument 'type' (position 1) must be torch.dtype, not {type.__class__.__name__}"
            )
        if type.category >= dtypes.FLOATING:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"
            )
        if type.category == dtypes.BOOL:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if type.name[0] == "q":
            raise NotImplementedError(f"\"dtype\" not implemented for '{dtypes.scalar_type_name(type)}'")
        if type.name in dtypes.WITHOUT_TENSORS:  # bits, and integers of fewer than eight
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"
            )
        known = np.iinfo(type.np)
        self.dtype, self.bits, self.min, self.max = type.name, known.bits, int(known.min), int(known.max)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


publish("minigrad", final(finfo), final(iinfo))
