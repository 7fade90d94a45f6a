"""Checkpoints as directories: one file of each process, and ``.metadata``, which says what is where.

Each tensor and object stands in a file of a process as a file of ``save`` of its own, at an offset.  PyTorch's directories are the same.
``.metadata`` is written last, under another name, and renamed: a directory that has it is complete.
"""

import io
import os
import pickle
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from ... import serialization
from ..._api import Tensor, no_grad
from ..._serialization import names, pickler, unpickler
from ...futures import Future
from . import metadata as metadata_classes
from .default_planner import part_of
from .metadata import Metadata, StorageMeta
from .planner import LoadItemType, LoadPlan, LoadPlanner, SavePlan, SavePlanner
from .storage import StorageReader, StorageWriter, WriteResult

__all__ = ["FileSystemReader", "FileSystemWriter", "SerializationFormat"]

_METADATA = ".metadata"
_VERSION = "1.0.0"
_SUFFIX = ".distcp"


@dataclass
class _StorageInfo:
    """The place of a tensor or an object in the files."""

    relative_path: str
    offset: int
    length: int
    transform_descriptors: Any = None

    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass
class _StoragePrefix:
    """How the names of the files of a process begin."""

    prefix: str


class SerializationFormat(Enum):
    """How tensors stand in the files: as ``save`` writes them.

    >>> from minigrad.distributed.checkpoint.filesystem import SerializationFormat
    >>> SerializationFormat.TORCH_SAVE.value
    'torch_save'
    """

    TORCH_SAVE = "torch_save"
    SAFETENSORS = "safetensors"


class FileSystemWriter(StorageWriter):
    """Writes a checkpoint into the directory ``path``, which is made if need be.

    ``single_file_per_rank`` False gives each tensor and object a file of its own; ``sync_files`` waits until the data are on the disk; without ``overwrite`` a
    directory in which there is a checkpoint is refused, by RuntimeError.

    >>> import tempfile
    >>> import minigrad
    >>> from minigrad.distributed import checkpoint
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     saved = checkpoint.save({"a": minigrad.ones(2)}, storage_writer=checkpoint.FileSystemWriter(directory), no_dist=True)
    >>> list(saved.state_dict_metadata)
    ['a']
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        single_file_per_rank: bool = True,
        sync_files: bool = True,
        thread_count: int = 1,
        per_thread_copy_ahead: int = 10_000_000,
        cache_staged_state_dict: bool = False,
        overwrite: bool = True,
        _extensions: Any = None,
        serialization_format: SerializationFormat = SerializationFormat.TORCH_SAVE,
    ) -> None:
        if _extensions:
            raise NotImplementedError("minigrad does not support extensions of checkpoints")
        if serialization_format is not SerializationFormat.TORCH_SAVE:
            raise NotImplementedError(
                "minigrad writes checkpoints in the format TORCH_SAVE; save_file of safetensors writes single files"
            )
        self.single_file_per_rank = single_file_per_rank
        self.sync_files = sync_files
        self.overwrite = overwrite
        self.reset(path)

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        if checkpoint_id is not None:
            self.path = Path(checkpoint_id)
        self.save_id = str(uuid.uuid4())

    @property
    def checkpoint_id(self) -> Path:
        """The directory."""
        return self.path

    def set_up_storage_writer(self, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        pass  # there is nothing to open before the plan is known

    def prepare_local_plan(self, plan: SavePlan) -> SavePlan:
        self.path.mkdir(parents=True, exist_ok=True)
        if (self.path / _METADATA).exists():
            if not self.overwrite:
                raise RuntimeError(f"Checkpoint already exists and self.overwrite={self.overwrite}.")
            warnings.warn(
                f"Detected an existing checkpoint in {self.path}, overwriting since self.overwrite=True.",
                stacklevel=2,
            )
        return plan

    def prepare_global_plan(self, plans: list[SavePlan]) -> list[SavePlan]:
        (self.path / _METADATA).unlink(missing_ok=True)  # the files that it tells of are written anew
        return [replace(plan, storage_data=_StoragePrefix(f"__{k}_")) for k, plan in enumerate(plans)]

    def write_data(self, plan: SavePlan, planner: SavePlanner) -> Future[list[WriteResult]]:
        prefix = plan.storage_data.prefix
        groups = [plan.items] if self.single_file_per_rank else [[item] for item in plan.items]
        results = []
        for number, items in enumerate(groups):
            if items:
                name = f"{prefix}{number}{_SUFFIX}"
                with _opened(self.path / name, self.sync_files) as file:
                    results += [_write(file, name, item, planner.resolve_data(item)) for item in items]
        return _settled(results)

    def finish(self, metadata: Metadata, results: list[list[WriteResult]]) -> None:
        metadata.version = _VERSION
        metadata.storage_data = {result.index: result.storage_data for part in results for result in part}
        metadata.storage_meta = self.storage_meta()
        unfinished = self.path / f"{_METADATA}.tmp"
        with _opened(unfinished, self.sync_files) as file:
            pickler.pickle_to(file, metadata, pickler.SavedStorages, pickle, 2)
        os.replace(unfinished, self.path / _METADATA)

    def storage_meta(self) -> StorageMeta | None:
        return StorageMeta(checkpoint_id=str(self.path), save_id=self.save_id)

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        return _is_local(checkpoint_id)


@contextmanager
def _opened(path: Path, synced: bool) -> Iterator[Any]:
    with open(path, "wb") as file:
        yield file
        if synced:
            file.flush()
            os.fsync(file.fileno())


def _write(file, name, item, data):
    begin = file.tell()
    if isinstance(data, Tensor):
        tensor, data = data.detach(), io.BytesIO()
        if tensor.untyped_storage().nbytes() != tensor.numel() * tensor.element_size():
            tensor = tensor.clone()  # a view: without the rest of its storage
        serialization.save(tensor, data)
    file.write(data.getbuffer())
    length = file.tell() - begin
    return WriteResult(item.index, length, _StorageInfo(name, begin, length))


class FileSystemReader(StorageReader):
    """Reads a checkpoint from the directory ``path``: minigrad's or PyTorch's.

    Its metadata are read without running anything that the file may name; objects that are no tensors are read by ``load`` with ``weights_only=False``, as PyTorch
    does: read only directories that you trust.

    >>> import tempfile
    >>> import minigrad
    >>> from minigrad.distributed import checkpoint
    >>> state = {"a": minigrad.zeros(2)}
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     saved = checkpoint.save({"a": minigrad.ones(2)}, checkpoint_id=directory, no_dist=True)
    ...     checkpoint.load(state, storage_reader=checkpoint.FileSystemReader(directory), no_dist=True)
    >>> state
    {'a': tensor([1., 1.])}
    """

    def __init__(self, path: str | os.PathLike[str], _extension_registry: Any = None) -> None:
        self.storage_data: dict[Any, Any] = {}
        self.reset(path)

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        self.storage_data = {}
        if checkpoint_id is not None:
            self.path = Path(checkpoint_id)
        self.load_id = str(uuid.uuid4())

    @property
    def checkpoint_id(self) -> Path:
        """The directory."""
        return self.path

    def read_metadata(self, *args: Any, **kwargs: Any) -> Metadata:
        with open(self.path / _METADATA, "rb") as file:
            metadata = _MetadataUnpickler(file).load()
        if getattr(metadata, "storage_meta", None) is None:
            metadata.storage_meta = StorageMeta()
        metadata.storage_meta.load_id = self.load_id
        return metadata

    def set_up_storage_reader(
        self, metadata: Metadata, is_coordinator: bool, *args: Any, **kwargs: Any
    ) -> None:
        if metadata.storage_data is None:
            raise AssertionError("the metadata of the checkpoint do not say where its data are")
        self.storage_data = metadata.storage_data

    def prepare_local_plan(self, plan: LoadPlan) -> LoadPlan:
        return plan

    def prepare_global_plan(self, plans: list[LoadPlan]) -> list[LoadPlan]:
        return plans

    def read_data(self, plan: LoadPlan, planner: LoadPlanner) -> Future[None]:
        by_file: dict[str, list[Any]] = {}
        for item in plan.items:
            place = self.storage_data[item.storage_index]
            if getattr(place, "transform_descriptors", None):
                raise NotImplementedError(
                    f"{item.storage_index.fqn} was written with the extensions {place.transform_descriptors}, which minigrad does not have"
                )
            by_file.setdefault(place.relative_path, []).append((place.offset, place.length, item))
        for name, wanted in by_file.items():
            with open(self.path / name, "rb") as file:
                for offset, length, item in sorted(wanted, key=lambda entry: entry[0]):
                    file.seek(offset)
                    _read(io.BytesIO(file.read(length)), item, planner)
        return _settled(None)

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        return _is_local(checkpoint_id)


def _read(data, item, planner):
    if item.type is LoadItemType.BYTE_IO:
        planner.load_bytes(item, data)
        return
    stored = part_of(
        serialization.load(data, map_location="cpu", weights_only=True), item.storage_offsets, item.lengths
    )
    target = planner.resolve_tensor(item).detach()
    if target.size() != stored.size():
        raise AssertionError(f"req {item.storage_index} mismatch sizes {target.size()} vs {stored.size()}")
    with no_grad():
        target.copy_(stored)
    planner.commit_tensor(item, target)


def _settled(value: Any) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(value)
    return future


def _is_local(checkpoint_id):
    """Whether it is a path, and no address on a network."""
    return isinstance(checkpoint_id, os.PathLike) or "://" not in str(checkpoint_id)


class _MetadataUnpickler(unpickler.Unpickler):
    """Reads ``.metadata``: its own classes, and paths, besides what ``load`` knows."""

    def __init__(self, file):
        super().__init__(file)
        known = [_StorageInfo, _StoragePrefix, metadata_classes._MEM_FORMAT_ENCODING]
        known += [getattr(metadata_classes, name) for name in metadata_classes.__all__]
        self._by_user.update({".".join(names.to_torch(each)): each for each in known})
        for module in ("pathlib", "pathlib._local"):
            self._by_user.update(
                {f"{module}.PosixPath": PurePosixPath, f"{module}.WindowsPath": PureWindowsPath}
            )
