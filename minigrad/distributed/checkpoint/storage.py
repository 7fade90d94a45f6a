"""Where checkpoints are kept: the protocol of what writes and reads them."""

import abc
import os
from dataclasses import dataclass
from typing import Any

from ...futures import Future
from .metadata import Metadata, MetadataIndex, StorageMeta
from .planner import LoadPlan, LoadPlanner, SavePlan, SavePlanner

__all__ = ["StorageReader", "StorageWriter", "WriteResult"]


@dataclass(frozen=True)
class WriteResult:
    """What has been written: its index, its bytes, and its place.

    >>> from minigrad.distributed.checkpoint.metadata import MetadataIndex
    >>> from minigrad.distributed.checkpoint.storage import WriteResult
    >>> WriteResult(MetadataIndex("a"), 10, None).size_in_bytes
    10
    """

    index: MetadataIndex
    size_in_bytes: int
    storage_data: Any


class StorageWriter(abc.ABC):
    """Writes checkpoints.  ``prepare_global_plan`` and ``finish`` are called on the first process, the others on all.

    >>> from minigrad.distributed.checkpoint import FileSystemWriter, StorageWriter
    >>> issubclass(FileSystemWriter, StorageWriter)
    True
    """

    @abc.abstractmethod
    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """Begin with another checkpoint."""

    @abc.abstractmethod
    def set_up_storage_writer(self, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Begin to write."""

    @abc.abstractmethod
    def prepare_local_plan(self, plan: SavePlan) -> SavePlan:
        """Return the plan of a process, with what the writer adds to it."""

    @abc.abstractmethod
    def prepare_global_plan(self, plans: list[SavePlan]) -> list[SavePlan]:
        """Return the plans of all processes, with what the writer adds to them."""

    @abc.abstractmethod
    def write_data(self, plan: SavePlan, planner: SavePlanner) -> Future[list[WriteResult]]:
        """Write what the plan says, which ``planner.resolve_data`` gives."""

    @abc.abstractmethod
    def finish(self, metadata: Metadata, results: list[list[WriteResult]]) -> None:
        """Write the metadata, by what all processes have written: the checkpoint is there from now on."""

    @classmethod
    @abc.abstractmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Return whether it can write there."""

    def storage_meta(self) -> StorageMeta | None:
        """Return which checkpoint it writes."""
        return None


class StorageReader(abc.ABC):
    """Reads checkpoints.  ``prepare_global_plan`` is called on the first process, the others on all.

    >>> from minigrad.distributed.checkpoint import FileSystemReader, StorageReader
    >>> issubclass(FileSystemReader, StorageReader)
    True
    """

    @abc.abstractmethod
    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """Begin with another checkpoint."""

    @abc.abstractmethod
    def read_metadata(self, *args: Any, **kwargs: Any) -> Metadata:
        """Return what the checkpoint says of itself."""

    @abc.abstractmethod
    def set_up_storage_reader(
        self, metadata: Metadata, is_coordinator: bool, *args: Any, **kwargs: Any
    ) -> None:
        """Begin to read."""

    @abc.abstractmethod
    def prepare_local_plan(self, plan: LoadPlan) -> LoadPlan:
        """Return the plan of a process, with what the reader adds to it."""

    @abc.abstractmethod
    def prepare_global_plan(self, plans: list[LoadPlan]) -> list[LoadPlan]:
        """Return the plans of all processes, with what the reader adds to them."""

    @abc.abstractmethod
    def read_data(self, plan: LoadPlan, planner: LoadPlanner) -> Future[None]:
        """Read what the plan says: tensors into what ``planner.resolve_tensor`` gives, bytes to ``planner.load_bytes``."""

    @classmethod
    @abc.abstractmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Return whether it can read there."""
