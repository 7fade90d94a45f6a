"""What the file ``.metadata`` of a checkpoint says: which tensors and objects there are, of which parts, and where they are stored.

The classes have PyTorch's names and fields, as both read the files of the other.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ..._api import Tensor, get_default_dtype
from ..._base import device as devices
from ..._base import dtypes
from ..._base.size import Size

__all__ = [
    "BytesStorageMetadata",
    "ChunkStorageMetadata",
    "Metadata",
    "MetadataIndex",
    "StorageMeta",
    "TensorProperties",
    "TensorStorageMetadata",
]


@dataclass
class ChunkStorageMetadata:
    """A part of a tensor: where it begins in each dimension, and its shape.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint import ChunkStorageMetadata
    >>> ChunkStorageMetadata(minigrad.Size([2, 0]), minigrad.Size([2, 3])).sizes
    torch.Size([2, 3])
    """

    offsets: Size
    sizes: Size


class _MEM_FORMAT_ENCODING(Enum):
    """The numbers by which files name formats of memory."""

    TORCH_CONTIGUOUS_FORMAT = 0
    TORCH_CHANNELS_LAST = 1
    TORCH_PRESERVE_FORMAT = 2


_FORMATS = dict(
    zip(_MEM_FORMAT_ENCODING, (devices.contiguous_format, devices.channels_last, devices.preserve_format))
)


@dataclass
class TensorProperties:
    """The dtype of a tensor; the other fields are there because files have them.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.metadata import TensorProperties
    >>> TensorProperties.create_from_tensor(minigrad.ones(2)).dtype
    torch.float32
    """

    dtype: dtypes.dtype = field(default_factory=get_default_dtype)
    layout: devices.layout = devices.strided
    requires_grad: bool = False
    memory_format: devices.memory_format = devices.contiguous_format
    pin_memory: bool = False

    def __getstate__(self) -> Any:
        number = next(number for number, known in _FORMATS.items() if known is self.memory_format)
        return self.dtype, self.layout, self.requires_grad, number, self.pin_memory

    def __setstate__(self, state: Any) -> None:
        self.dtype, self.layout, self.requires_grad, number, self.pin_memory = state
        self.memory_format = _FORMATS[number]

    @staticmethod
    def create_from_tensor(tensor: Tensor) -> "TensorProperties":
        """Return the properties of a tensor."""
        return TensorProperties(tensor.dtype, tensor.layout, tensor.requires_grad)


@dataclass
class TensorStorageMetadata:
    """A tensor that is stored: its properties, its shape, and the parts in which it is stored.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.metadata import TensorProperties, TensorStorageMetadata
    >>> TensorStorageMetadata(TensorProperties(minigrad.float32), minigrad.Size([2]), []).size
    torch.Size([2])
    """

    properties: TensorProperties
    size: Size
    chunks: list[ChunkStorageMetadata]


@dataclass
class BytesStorageMetadata:
    """An object that is stored as what ``save`` makes of it.

    >>> from minigrad.distributed.checkpoint import BytesStorageMetadata
    >>> BytesStorageMetadata()
    BytesStorageMetadata()
    """


@dataclass
class StorageMeta:
    """Which checkpoint it is: its place, and numbers of the saving and the loading.

    >>> from minigrad.distributed.checkpoint.metadata import StorageMeta
    >>> StorageMeta("here").checkpoint_id
    'here'
    """

    checkpoint_id: str | os.PathLike[str] | None = None
    save_id: str | None = None
    load_id: str | None = None
    modules: list[str] = field(default_factory=list)


@dataclass
class Metadata:
    """The contents of a checkpoint: which items it has, and where they are stored.

    ``planner_data`` has, for each name, the keys that lead to it in the nested state; ``storage_data`` its location in the files.

    >>> from minigrad.distributed.checkpoint import BytesStorageMetadata, Metadata
    >>> Metadata({"epoch": BytesStorageMetadata()}).version is None
    True
    """

    state_dict_metadata: dict[str, TensorStorageMetadata | BytesStorageMetadata]
    planner_data: Any = None
    storage_data: Any = None
    storage_meta: StorageMeta | None = None
    version: str | None = None


@dataclass(frozen=True, init=False)
class MetadataIndex:
    """The name of what is stored; of a part of a tensor, also where the part begins.  ``index``, the number of the part, is a hint, and not compared.

    >>> from minigrad.distributed.checkpoint.metadata import MetadataIndex
    >>> MetadataIndex("weight", [0, 2]) == MetadataIndex("weight", [0, 2], index=1)
    True
    """

    fqn: str
    offset: Size | None = None
    index: int | None = field(hash=False, compare=False, default=None)

    def __init__(self, fqn: str, offset: Sequence[int] | None = None, index: int | None = None) -> None:
        object.__setattr__(self, "fqn", fqn)
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "offset", None if offset is None else Size(offset))
