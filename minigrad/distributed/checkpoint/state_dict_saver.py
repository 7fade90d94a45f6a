"""``save``: the state of all processes as one checkpoint; ``async_save``, which goes on while the program does."""

import copy
import os
import threading
import warnings
from concurrent.futures import Future
from enum import Enum
from typing import Any

from ..._api import Tensor, no_grad
from .._groups import ProcessGroup, is_initialized, own_channel
from ._coordination import Coordination
from .default_planner import DefaultSavePlanner
from .filesystem import FileSystemWriter
from .metadata import Metadata
from .planner import SavePlanner
from .stateful import Stateful
from .storage import StorageWriter

__all__ = ["AsyncCheckpointerType", "async_save", "save", "save_state_dict"]


class AsyncCheckpointerType(Enum):
    """Where ``async_save`` writes: in a thread.

    >>> from minigrad.distributed.checkpoint.state_dict_saver import AsyncCheckpointerType
    >>> AsyncCheckpointerType.THREAD.value
    'thread'
    """

    THREAD = "thread"
    PROCESS = "process"


def save(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_writer: StorageWriter | None = None,
    planner: SavePlanner | None = None,
    process_group: ProcessGroup | None = None,
    no_dist: bool = False,
    use_collectives: bool = True,
) -> Metadata:
    """Save a state into the directory ``checkpoint_id``: all processes of the group call this; what several of them have under one name is written by one.

    Of objects with ``state_dict``, such as modules, that is saved.  Without a group, or with ``no_dist``, this process saves alone.  Returns what the checkpoint says
    of itself.  Raises CheckpointException, on all processes, if one of them fails.

    >>> import tempfile
    >>> import minigrad
    >>> from minigrad.distributed import checkpoint
    >>> model = minigrad.nn.Linear(2, 1)
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     saved = checkpoint.save({"model": model, "epoch": 3}, checkpoint_id=directory, no_dist=True)
    >>> sorted(saved.state_dict_metadata)
    ['epoch', 'model.bias', 'model.weight']
    """
    if not use_collectives:
        raise NotImplementedError(
            "minigrad saves with collectives: a directory then has one .metadata that all processes have agreed on"
        )
    alone = no_dist or not is_initialized()
    if alone and not no_dist:
        warnings.warn(
            "torch.distributed is disabled, unavailable or uninitialized, assuming the intent is to save in a single process.",
            stacklevel=2,
        )
    return write(
        states_of(state_dict),
        _writer(storage_writer, checkpoint_id),
        Coordination(process_group, alone),
        planner,
    )


def save_state_dict(
    state_dict: dict[str, Any],
    storage_writer: StorageWriter,
    process_group: ProcessGroup | None = None,
    coordinator_rank: int = 0,
    no_dist: bool = False,
    planner: SavePlanner | None = None,
) -> Metadata:
    """Return what ``save`` was before: use that.

    >>> from minigrad.distributed.checkpoint import save_state_dict
    >>> callable(save_state_dict)
    True
    """
    warnings.warn(
        "`save_state_dict` is deprecated and will be removed in future versions. Please use `save` instead.",
        FutureWarning,
        stacklevel=2,
    )
    storage_writer.reset()
    return write(state_dict, storage_writer, Coordination(process_group, no_dist), planner)


def async_save(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_writer: StorageWriter | None = None,
    planner: SavePlanner | None = None,
    process_group: ProcessGroup | None = None,
    async_checkpointer_type: AsyncCheckpointerType = AsyncCheckpointerType.THREAD,
    async_stager: Any = None,
    no_dist: bool = False,
    use_collectives: bool = True,
) -> Future[Metadata]:
    """Copy a state, and save the copy in a thread: a Future of what ``save`` returns.  All processes of the group call this.

    The processes agree through messages of their own, so that the program may use the group meanwhile.  Wait for the Future before the next checkpoint, and before
    the group is destroyed.

    >>> import tempfile
    >>> import minigrad
    >>> from minigrad.distributed import checkpoint
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     future = checkpoint.async_save({"a": minigrad.ones(2)}, checkpoint_id=directory, no_dist=True)
    ...     saved = future.result()
    >>> list(saved.state_dict_metadata)
    ['a']
    """
    if async_checkpointer_type is not AsyncCheckpointerType.THREAD or async_stager is not None:
        raise NotImplementedError(
            "minigrad saves in a thread, a copy that it makes itself: leave out async_checkpointer_type and async_stager"
        )
    if not use_collectives:
        raise NotImplementedError("minigrad saves with collectives")
    alone = no_dist or not is_initialized()
    group = None if alone else own_channel(process_group)
    state = _copied(states_of(state_dict))
    writer, processes = _writer(storage_writer, checkpoint_id), Coordination(group, alone)
    future: Future[Metadata] = Future()

    def run():
        try:
            metadata = write(state, writer, processes, planner)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(metadata)

    threading.Thread(target=run, name="minigrad-checkpoint").start()
    return future


def states_of(state_dict: dict[str, Any]) -> dict[str, Any]:
    """Return the state, with that of each object that has one in its place."""
    return {
        name: value.state_dict() if isinstance(value, Stateful) else value
        for name, value in state_dict.items()
    }


def _copied(value):
    """A copy that the program cannot change any more."""
    if isinstance(value, Tensor):
        with no_grad():
            return value.detach().clone()
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_copied, value))
    return copy.deepcopy(value)


def _writer(writer, checkpoint_id):
    if writer is not None:
        if checkpoint_id is not None:
            writer.reset(checkpoint_id)
        return writer
    if checkpoint_id is None:
        raise RuntimeError("`checkpoint_id` must be specified if storage_reader/storage_writer is None.")
    if not FileSystemWriter.validate_checkpoint_id(checkpoint_id):
        raise RuntimeError(f"minigrad saves checkpoints in directories, not at {checkpoint_id}")
    return FileSystemWriter(checkpoint_id)


def write(state: Any, writer: StorageWriter, processes: Coordination, planner: Any = None) -> Metadata:
    """Save a state of which nothing is an object with a state of its own."""
    planner = DefaultSavePlanner() if planner is None else planner
    metadata: Any = None

    def propose():
        planner.set_up_planner(state, writer.storage_meta(), processes.is_coordinator)
        writer.set_up_storage_writer(processes.is_coordinator)
        return writer.prepare_local_plan(planner.create_local_plan())

    def decide(plans):
        nonlocal metadata
        plans, metadata = planner.create_global_plan(plans)
        return writer.prepare_global_plan(plans)

    plan = processes.share_out("plan", propose, decide)

    def work():
        return writer.write_data(planner.finish_plan(plan), planner).wait()

    def finish(results):
        writer.finish(metadata, results)
        return metadata

    return processes.conclude("write", work, finish)
