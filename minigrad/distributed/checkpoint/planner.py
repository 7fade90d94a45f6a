"""Plans: what each process writes to a checkpoint, or reads from it; and the protocol of those who make them."""

import abc
import io
import math
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from ..._api import Tensor
from ..._base.size import Size
from .metadata import ChunkStorageMetadata, Metadata, MetadataIndex, StorageMeta, TensorProperties

__all__ = [
    "BytesIOWriteData",
    "LoadItemType",
    "LoadPlan",
    "LoadPlanner",
    "ReadItem",
    "SavePlan",
    "SavePlanner",
    "TensorWriteData",
    "WriteItem",
    "WriteItemType",
]


class WriteItemType(Enum):
    """What is written: a whole tensor, a part of one, or bytes.

    >>> from minigrad.distributed.checkpoint.planner import WriteItemType
    >>> WriteItemType.TENSOR.name
    'TENSOR'
    """

    TENSOR = auto()
    SHARD = auto()
    BYTE_IO = auto()


class LoadItemType(Enum):
    """What is read: a tensor, or bytes.

    >>> from minigrad.distributed.checkpoint.planner import LoadItemType
    >>> LoadItemType.BYTE_IO.name
    'BYTE_IO'
    """

    TENSOR = auto()
    BYTE_IO = auto()


@dataclass(frozen=True)
class BytesIOWriteData:
    """How many bytes are to be written.

    >>> from minigrad.distributed.checkpoint.planner import BytesIOWriteData
    >>> BytesIOWriteData(10).nbytes
    10
    """

    nbytes: int


@dataclass(frozen=True)
class TensorWriteData:
    """A tensor to write: which part, its properties, and the shape of the whole.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint import planner, ChunkStorageMetadata
    >>> from minigrad.distributed.checkpoint.metadata import TensorProperties
    >>> size = minigrad.Size([2])
    >>> planner.TensorWriteData(ChunkStorageMetadata(minigrad.Size([0]), size), TensorProperties(minigrad.float32), size).size
    torch.Size([2])
    """

    chunk: ChunkStorageMetadata
    properties: TensorProperties
    size: Size


@dataclass(frozen=True)
class WriteItem:
    """One item to write.

    >>> from minigrad.distributed.checkpoint import WriteItem
    >>> from minigrad.distributed.checkpoint.metadata import MetadataIndex
    >>> from minigrad.distributed.checkpoint.planner import WriteItemType
    >>> WriteItem(MetadataIndex("epoch"), WriteItemType.BYTE_IO).tensor_storage_size() is None
    True
    """

    index: MetadataIndex
    type: WriteItemType
    bytes_io_data: BytesIOWriteData | None = None
    tensor_data: TensorWriteData | None = None

    def tensor_storage_size(self) -> int | None:
        """Return the bytes of the whole tensor; None for what is not one."""
        if self.tensor_data is None:
            return None
        return math.prod(self.tensor_data.size) * self.tensor_data.properties.dtype.itemsize


@dataclass(frozen=True)
class ReadItem:
    """One item to read: which part of it, and into which part of which destination.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint import ReadItem
    >>> from minigrad.distributed.checkpoint.metadata import MetadataIndex
    >>> from minigrad.distributed.checkpoint.planner import LoadItemType
    >>> index, none = MetadataIndex("epoch"), minigrad.Size([0])
    >>> ReadItem(LoadItemType.BYTE_IO, index, none, index, none, none).dest_index.fqn
    'epoch'
    """

    type: LoadItemType
    dest_index: MetadataIndex
    dest_offsets: Size
    storage_index: MetadataIndex
    storage_offsets: Size
    lengths: Size


@dataclass(frozen=True)
class SavePlan:
    """What a process writes.

    >>> from minigrad.distributed.checkpoint import SavePlan
    >>> SavePlan([]).items
    []
    """

    items: list[WriteItem]
    storage_data: Any = None
    planner_data: Any = None
    usable: bool = True


@dataclass
class LoadPlan:
    """What a process reads.

    >>> from minigrad.distributed.checkpoint import LoadPlan
    >>> LoadPlan([]).items
    []
    """

    items: list[ReadItem]
    storage_data: Any = None
    planner_data: Any = None


class SavePlanner(abc.ABC):
    """Decides what each process writes.  Its methods are called in this order: ``create_global_plan`` on the first process, the others on all.

    >>> from minigrad.distributed.checkpoint import DefaultSavePlanner, SavePlanner
    >>> issubclass(DefaultSavePlanner, SavePlanner)
    True
    """

    @abc.abstractmethod
    def set_up_planner(
        self, state_dict: Any, storage_meta: StorageMeta | None = None, is_coordinator: bool = False
    ) -> None:
        """Begin with a state."""

    @abc.abstractmethod
    def create_local_plan(self) -> SavePlan:
        """Return what this process could write."""

    @abc.abstractmethod
    def create_global_plan(self, all_plans: list[SavePlan]) -> tuple[list[SavePlan], Metadata]:
        """Return what each process writes, by what each could write; and what the checkpoint says of itself."""

    @abc.abstractmethod
    def finish_plan(self, new_plan: SavePlan) -> SavePlan:
        """Return the plan of this process, as the first one has made it."""

    @abc.abstractmethod
    def resolve_data(self, write_item: WriteItem) -> Tensor | io.BytesIO:
        """Return the tensor or the bytes to be written."""


class LoadPlanner:
    """Decides what each process reads, and where to.  Its methods are called in this order: ``create_global_plan`` on the first process, the others on all.

    >>> from minigrad.distributed.checkpoint import DefaultLoadPlanner, LoadPlanner
    >>> issubclass(DefaultLoadPlanner, LoadPlanner)
    True
    """

    @abc.abstractmethod
    def set_up_planner(
        self, state_dict: Any, metadata: Metadata | None = None, is_coordinator: bool = False
    ) -> None:
        """Begin with a state to read into, and what the checkpoint says of itself."""

    @abc.abstractmethod
    def create_local_plan(self) -> LoadPlan:
        """Return what this process wants to read."""

    @abc.abstractmethod
    def create_global_plan(self, global_plan: list[LoadPlan]) -> list[LoadPlan]:
        """Return what each process reads, by what each wants to."""

    @abc.abstractmethod
    def finish_plan(self, central_plan: LoadPlan) -> LoadPlan:
        """Return the plan of this process, as the first one has made it."""

    @abc.abstractmethod
    def load_bytes(self, read_item: ReadItem, value: io.BytesIO) -> None:
        """Take the bytes of an object."""

    def resolve_bytes(self, read_item: ReadItem) -> io.BytesIO:
        """Return where the bytes of an object are to be written to."""
        raise NotImplementedError("LoadPlanner.resolve_bytes is not implemented")

    @abc.abstractmethod
    def resolve_tensor(self, read_item: ReadItem) -> Tensor:
        """Return the tensor that is to be written to."""

    @abc.abstractmethod
    def commit_tensor(self, read_item: ReadItem, tensor: Tensor) -> None:
        """Called when that has been done."""
