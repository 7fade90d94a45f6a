"""Names for the types that annotations of tensor programs use: ``torch.types``."""

import builtins
import os
from collections.abc import Sequence
from typing import IO, TypeAlias, Union

from ._api import Size, Tensor
from ._api import device as _Device
from ._ops.storage_classes import TypedStorage, UntypedStorage

__all__ = ["Number", "Device", "FileLike", "Storage", "IntLikeType", "FloatLikeType", "BoolLikeType"]

_int, _float, _bool, _complex = builtins.int, builtins.float, builtins.bool, builtins.complex
_device = _Device
_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
_size: TypeAlias = Size | list[int] | tuple[int, ...]

Number: TypeAlias = int | float | bool
Device: TypeAlias = _Device | str | int | None
FileLike: TypeAlias = Union[str, "os.PathLike[str]", IO[bytes]]
Storage: TypeAlias = TypedStorage | UntypedStorage
IntLikeType: TypeAlias = int
FloatLikeType: TypeAlias = float
BoolLikeType: TypeAlias = bool
