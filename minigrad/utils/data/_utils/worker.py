"""The worker's side of a loader: a process that makes the batches it is asked for, until nobody can ask any more.

A thread reads what the loader sends, so that the loader never waits for a worker that is busy.  The end of the stream is the word to end:
the loader closes its end of the connection when it is done, and the system does when the loader's process is gone.  Other processes
forked from the loader's close their copies (see ``_multi_process.py``); should one have been made past Python's eyes, the worker also
looks after its parent every second.
"""

import contextlib
import dataclasses
import multiprocessing
import os
import pickle
import queue
import random
import threading
from multiprocessing.reduction import ForkingPickler
from typing import Any

import numpy as np

from .... import _api
from ...._base.threads import set_num_threads
from .. import _utils
from . import collate, signal_handling
from .fetch import _DatasetKind
from .messages import Channel
from .pipes import is_pipe

_LOOK_EVERY = 1.0  # seconds between looks after the parent

_worker_info = None


@dataclasses.dataclass(frozen=True, slots=True)
class WorkerInfo:
    """Information about a worker: ``id``, ``num_workers``, ``seed``, and ``dataset``, its copy of the dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any
    rng: Any = None
    worker_method: str | None = "multiprocessing"


def get_worker_info() -> Any:
    """Return the ``WorkerInfo`` of this worker process (``id``, ``num_workers``, ``seed``, ``dataset``), or None elsewhere.

    >>> from minigrad.utils.data import get_worker_info
    >>> get_worker_info() is None
    True
    """
    return _worker_info


@dataclasses.dataclass(frozen=True)
class _IterableDatasetStopIteration:
    """In the place of a batch: the worker's copy of the dataset has no more."""

    worker_id: int


@dataclasses.dataclass(frozen=True)
class _ResumeIteration:
    """In the place of an index: a new epoch begins."""

    seed: int | None = None


@dataclasses.dataclass
class Work:
    """What workers are told when they start."""

    dataset_kind: int
    dataset: Any
    auto_collation: bool
    collate_fn: Any
    drop_last: bool
    base_seed: int
    worker_init_fn: Any
    num_workers: int
    shared_seed: int | None


def _generate_state(base_seed, worker_id):
    """The seed of a worker's NumPy: four words from a hash of both numbers, so that its stream is not that of ``random``."""
    entropy = [worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
    return np.random.SeedSequence(entropy).generate_state(4)


class ManagerWatchdog:
    """Tells a worker whether the process that started it is still there."""

    def __init__(self):
        self.manager_pid = os.getppid()
        self.manager_dead = False

    def is_alive(self):
        """Whether the parent runs; once it has ended, False for ever."""
        parent = multiprocessing.parent_process()
        self.manager_dead = (
            self.manager_dead
            or os.getppid() != self.manager_pid
            or (parent is not None and not parent.is_alive())
        )
        return not self.manager_dead


class _Inbox:
    """What the loader has sent and the worker has not read: bytes, and None when nothing will come any more."""

    def __init__(self, connection: Any) -> None:
        self.closed = False
        self._connection = connection
        self._messages = queue.SimpleQueue()
        self._parent = ManagerWatchdog()
        self._thread = threading.Thread(target=self._read, name="minigrad worker's inbox", daemon=True)
        self._thread.start()

    def get(self) -> Any:
        return self._messages.get()

    def _read(self):
        with contextlib.suppress(EOFError, OSError):
            while self._parent.is_alive():
                if self._connection.poll(_LOOK_EVERY):
                    self._messages.put(self._connection.recv_bytes())
        self.closed = True
        self._messages.put(None)
        threading.Event().wait(_utils.MP_STATUS_CHECK_INTERVAL)
        if not self._parent.is_alive():  # nobody else will end a dataset that takes its time
            os._exit(1)


def _worker_loop(work, worker_id, connection):
    """Make the batches that the loader asks for over the connection, until it is closed."""
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError, ConnectionResetError):
        signal_handling._set_worker_signal_handlers()
        with contextlib.closing(Channel(connection)) as channel:
            _work(work, worker_id, _Inbox(connection), channel)


def _work(work, worker_id, inbox, channel):
    collate.become_worker()
    seed = work.base_seed + worker_id
    _seed(seed, work.base_seed, worker_id)
    fetcher, failure = _begin(work, worker_id, seed)
    ended = False
    while (message := inbox.get()) is not None:
        if inbox.closed:
            continue
        key, index = pickle.loads(message)
        if isinstance(index, _ResumeIteration):
            fetcher, failure = _fetcher(work, worker_id, index.seed)
            ended = False
            continue
        if ended:
            continue
        data, ended = failure, False
        if failure is None:
            data, ended = _fetched(fetcher, index, work, worker_id)
        _send(channel, key, data, worker_id)
        del data, index, message  # the next batch may need the memory


def _seed(seed, base_seed, worker_id):
    with contextlib.suppress(RuntimeError):  # a BLAS that cannot be told
        set_num_threads(1)
    random.seed(seed)
    _api.manual_seed(seed)
    np.random.seed(_generate_state(base_seed, worker_id))


def _where(worker_id):
    return f"in DataLoader worker process {worker_id}"


def _begin(work, worker_id, seed):
    """Let the program set the worker up; returns the fetcher, and what failed."""
    global _worker_info
    _worker_info = WorkerInfo(worker_id, work.num_workers, seed, work.dataset)
    try:
        if is_pipe(work.dataset):
            from ..graph_settings import apply_sharding

            apply_sharding(work.dataset, work.num_workers, worker_id)
        if work.worker_init_fn is not None:
            work.worker_init_fn(worker_id)
    except Exception:
        return None, _utils.ExceptionWrapper(where=_where(worker_id))
    return _fetcher(work, worker_id, work.shared_seed)


def _fetcher(work, worker_id, shared_seed):
    try:
        if shared_seed is not None:
            from ..graph_settings import apply_random_seed

            apply_random_seed(work.dataset, _api.Generator().manual_seed(shared_seed))
        args = work.dataset_kind, work.dataset, work.auto_collation, work.collate_fn, work.drop_last
        return _DatasetKind.create_fetcher(*args), None
    except Exception:
        return None, _utils.ExceptionWrapper(where=_where(worker_id))


def _fetched(fetcher, index, work, worker_id):
    """A batch, or what stands for it, and whether there are no more."""
    try:
        return fetcher.fetch(index), False
    except Exception as error:
        if isinstance(error, StopIteration) and work.dataset_kind == _DatasetKind.Iterable:
            return _IterableDatasetStopIteration(worker_id), True
        return _utils.ExceptionWrapper(where=_where(worker_id)), False


def _send(channel, key, data, worker_id):
    """Send a batch; where it cannot be pickled, the reason."""
    try:
        channel.send_batch(key, data)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception:
        failure = data if isinstance(data, _utils.ExceptionWrapper) else None
        failure = failure or _utils.ExceptionWrapper(where=_where(worker_id))
        try:
            ForkingPickler.dumps(failure.exc_type)
        except Exception:  # a class that cannot be found by its name
            failure.exc_msg = f"{failure.exc_msg}({failure.exc_type.__name__} itself cannot be pickled.)\n"
            failure.exc_type = RuntimeError
        channel.send_batch(key, failure)
