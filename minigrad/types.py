"""Names for the types that annotations of tensor programs use: ``torch.types``."""

import builtins
import os
from collections.abc import Sequence
from typing import IO, Any, TypeAlias, Union

from ._api import Size, Tensor, dtype, layout
from ._api import device as _Device
from ._base.device import Device, qscheme
from ._ops.storage_classes import TypedStorage, UntypedStorage
from ._symbolic import SymBool, SymFloat, SymInt
from .autograd.graph import GradientEdge

__all__ = ["Number", "Device", "FileLike", "Storage"]

_int, _float, _bool, _complex = builtins.int, builtins.float, builtins.bool, builtins.complex
_bytes, _str = builtins.bytes, builtins.str
_device, _dtype, _layout, _qscheme = _Device, dtype, layout, qscheme
_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors: TypeAlias = Tensor | Sequence[Tensor | None]
_TensorOrTensorsOrGradEdge: TypeAlias = Tensor | Sequence[Tensor] | GradientEdge | Sequence[GradientEdge]
_size: TypeAlias = Size | list[int] | tuple[int, ...]
_symsize: TypeAlias = Size | Sequence[int | SymInt]

Number: TypeAlias = int | float | bool
_Number = (int, float, bool)
FileLike: TypeAlias = Union[str, "os.PathLike[str]", IO[bytes]]
Storage: TypeAlias = TypedStorage | UntypedStorage
IntLikeType: TypeAlias = int | SymInt
FloatLikeType: TypeAlias = float | SymFloat
BoolLikeType: TypeAlias = bool | SymBool
PySymType: TypeAlias = SymInt | SymFloat | SymBool
py_sym_types: tuple[Any, ...] = (SymInt, SymFloat, SymBool)
