"""``load``: a checkpoint into the tensors of all processes, however many had saved it."""

import os
import warnings
from typing import Any

from .._groups import ProcessGroup, is_initialized
from ._coordination import Coordination
from .default_planner import DefaultLoadPlanner
from .filesystem import FileSystemReader
from .planner import LoadPlanner
from .stateful import Stateful
from .storage import StorageReader

__all__ = ["load", "load_state_dict"]


def load(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_reader: StorageReader | None = None,
    planner: LoadPlanner | None = None,
    process_group: ProcessGroup | None = None,
    no_dist: bool = False,
) -> None:
    """Load from the directory ``checkpoint_id`` what the state has: into its tensors, which stay; other objects are put in their places.

    All processes of the group call this, with the same names; there may be more or fewer of them than have saved.  Objects with ``state_dict``, such as modules, get
    their state by ``load_state_dict``.  Without a group, or with ``no_dist``, this process loads alone.  Raises CheckpointException, on all processes, if one of them
    fails, such as for a name that the checkpoint has not.

    >>> import tempfile
    >>> import minigrad
    >>> from minigrad.distributed import checkpoint
    >>> state = {"a": minigrad.zeros(2), "epoch": 0}
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     saved = checkpoint.save({"a": minigrad.ones(2), "epoch": 3}, checkpoint_id=directory, no_dist=True)
    ...     checkpoint.load(state, checkpoint_id=directory, no_dist=True)
    >>> state
    {'a': tensor([1., 1.]), 'epoch': 3}
    """
    alone = no_dist or not is_initialized()
    if alone and not no_dist:
        warnings.warn(
            "torch.distributed is disabled, unavailable or uninitialized, assuming the intent is to load in a single process.",
            stacklevel=2,
        )
    names = sorted(state_dict)
    states = {
        name: state_dict[name].state_dict() if isinstance(state_dict[name], Stateful) else state_dict[name]
        for name in names
    }
    read(states, _reader(storage_reader, checkpoint_id), Coordination(process_group, alone), planner)
    for name in names:
        if isinstance(state_dict[name], Stateful):
            state_dict[name].load_state_dict(states[name])
        else:
            state_dict[name] = states[name]


def load_state_dict(
    state_dict: dict[str, Any],
    storage_reader: StorageReader,
    process_group: ProcessGroup | None = None,
    coordinator_rank: int = 0,
    no_dist: bool = False,
    planner: LoadPlanner | None = None,
) -> None:
    """Return what ``load`` was before: use that.

    >>> from minigrad.distributed.checkpoint import load_state_dict
    >>> callable(load_state_dict)
    True
    """
    warnings.warn(
        "`load_state_dict` is deprecated and will be removed in future versions. Please use `load` instead.",
        FutureWarning,
        stacklevel=2,
    )
    storage_reader.reset()
    read(state_dict, storage_reader, Coordination(process_group, no_dist), planner)


def _reader(reader, checkpoint_id):
    if reader is not None:
        if checkpoint_id is not None:
            reader.reset(checkpoint_id)
        return reader
    if checkpoint_id is None:
        raise RuntimeError("`checkpoint_id` must be specified if storage_reader/storage_writer is None.")
    if not FileSystemReader.validate_checkpoint_id(checkpoint_id):
        raise RuntimeError(f"minigrad loads checkpoints from directories, not from {checkpoint_id}")
    return FileSystemReader(checkpoint_id)


def read(state: Any, reader: StorageReader, processes: Coordination, planner: Any = None) -> None:
    """Load into a state of which nothing is an object with a state of its own."""
    planner = DefaultLoadPlanner() if planner is None else planner

    def propose():
        metadata = reader.read_metadata()
        planner.set_up_planner(state, metadata, processes.is_coordinator)
        reader.set_up_storage_reader(metadata, processes.is_coordinator)
        return reader.prepare_local_plan(planner.create_local_plan())

    def decide(plans):
        return reader.prepare_global_plan(planner.create_global_plan(plans))

    plan = processes.share_out("plan", propose, decide)
    processes.all_do("read", lambda: reader.read_data(planner.finish_plan(plan), planner).wait())
