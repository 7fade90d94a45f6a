"""The iterator of a loader with workers: hands indices out in turn, collects batches, gives them in the sampler's order.

Each worker has a connection of its own, on which nobody else writes: a worker that dies in the midst of anything blocks nobody, and is
noticed by the end of its stream.  Nothing that the loader waits for has a name in the system; what ends a worker is that the connection
closes (``_utils/worker.py``), so nothing is left over, whoever is killed.
"""

import atexit
import contextlib
import itertools
import multiprocessing
import os
import time
import warnings
import weakref
from multiprocessing.connection import Pipe, wait
from multiprocessing.process import _children  # type: ignore[attr-defined]
from pickle import PicklingError

from ..._ops.process_pickles import register
from . import _utils
from ._iterators import _BaseDataLoaderIter
from ._utils import ExceptionWrapper, worker
from ._utils.signal_handling import failure

_LOOK_EVERY = 1.0  # seconds between looks after workers whose end may not be noticed otherwise
_PATIENCE = 1.0  # seconds that a process is given to end when it is told by a signal

#: The crews of iterators that are not over.
_running: set = set()


def _end_all():
    for crew in [*_running]:
        crew.end()


def _forget_all():
    for crew in [*_running]:
        crew.forget()
    _running.clear()


atexit.register(_end_all)  # before multiprocessing, imported above, ends them less gently
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


class _Crew:
    """The workers of an iterator and the connections to them, which end with it.

    The iterator's finalizer keeps them.  Were they garbage together with it, the connections might be finalized first: they would close their
    descriptors then, and be told to close them again, by which time these may be somebody else's.
    """

    def __init__(self):
        self.workers, self.channels = [], []
        self.owner = os.getpid()
        self.over = False
        _running.add(self)

    def end(self):
        """End the workers: by themselves if they do so in time."""
        if self.over:
            return
        if self.owner != os.getpid():  # garbage that is collected right after a fork
            self.forget()
            return
        _running.discard(self)
        self._close_connections()
        for patience, end in (
            (_utils.MP_STATUS_CHECK_INTERVAL, None),
            (_PATIENCE, "terminate"),
            (_PATIENCE, "kill"),
        ):
            living = [process for process in self.workers if process.is_alive()]
            for process in living if end else ():
                getattr(process, end)()
            until = time.monotonic() + patience
            for process in living:
                process.join(max(0, until - time.monotonic()))

    def forget(self):
        """In a process forked from the loader's: close the copies of the connections, by whose end the workers know that it is gone.

        The workers are not this process's children: multiprocessing would end them when it exits.
        """
        self._close_connections()
        _children.difference_update(self.workers)

    def _close_connections(self):
        self.over = True
        for channel in self.channels:
            channel.close()


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Lets ``num_workers`` processes make the batches, ``prefetch_factor`` ahead each."""

    def __init__(self, loader):
        super().__init__(loader)
        self._prefetch_factor = loader.prefetch_factor
        self._in_order = loader.in_order
        if self._num_workers <= 0:
            raise AssertionError("num_workers must be greater than 0 for MultiProcessingDataLoaderIter")
        if self._prefetch_factor <= 0:
            raise AssertionError("prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter")
        self._worker_init_fn = loader.worker_init_fn
        self._crew = _Crew()
        self._workers, self._channels = self._crew.workers, self._crew.channels
        weakref.finalize(self, self._crew.end).atexit = False  # but by _end_all
        self._send_idx = 0
        try:
            self._start(loader.multiprocessing_context)
            self._reset(loader, first_iter=True)
        except BaseException:
            self._shutdown_workers()
            raise

    def _start(self, context):
        context = context or multiprocessing.get_context()
        if context.get_start_method() != "fork":
            register()  # the dataset's tensors go to the workers in shared memory
        work = worker.Work(
            self._dataset_kind, self._dataset, self._auto_collation, self._collate_fn, self._drop_last,
            self._base_seed, self._worker_init_fn, self._num_workers, self._shared_seed,
        )  # fmt: skip
        for number in range(self._num_workers):
            ours, theirs = Pipe()
            self._channels.append(worker.Channel(ours))
            process = context.Process(target=worker._worker_loop, args=(work, number, theirs), daemon=True)
            with theirs:
                _start_process(process)
            self._workers.append(process)

    def _reset(self, loader, first_iter=False):
        super()._reset(loader, first_iter)
        self._first_idx = self._rcvd_idx = self._send_idx  # what comes of an earlier epoch is thrown away
        self._asked = {}  # index of a batch -> the worker that makes it
        self._arrived = {}  # index of a batch -> (batch, worker)
        self._ready = []  # workers whose connections have something to read
        self._workers_status = [True] * self._num_workers  # whether they have more in this epoch
        self._workers_num_tasks = [0] * self._num_workers
        self._worker_queue_idx_cycle = itertools.cycle(range(self._num_workers))
        if not first_iter:
            for number in range(self._num_workers):
                self._tell(number, None, worker._ResumeIteration(self._shared_seed))
        for _ in range(self._prefetch_factor * self._num_workers):
            self._try_put_index()

    # Handing out ------------------------------------------------------------------------------------------------------

    def _try_put_index(self):
        """Hand the next index to the worker whose turn it is, if there are both."""
        try:
            index = self._next_index()
        except StopIteration:
            return
        capacity = self._prefetch_factor * self._num_workers // max(1, sum(self._workers_status))
        for number in itertools.islice(self._worker_queue_idx_cycle, self._num_workers):
            if self._workers_status[number] and (
                self._in_order or self._workers_num_tasks[number] < capacity
            ):
                break
        else:
            return
        self._tell(number, self._send_idx, index)
        self._asked[self._send_idx] = number
        self._workers_num_tasks[number] += 1
        self._send_idx += 1

    def _tell(self, number, key, index):
        message = worker.ForkingPickler.dumps((key, index))
        # that the worker is gone is noticed when it is waited for
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._channels[number].connection.send_bytes(message)

    # Collecting -------------------------------------------------------------------------------------------------------

    def _next_data(self):
        try:
            return self._next_batch()
        except Exception:
            raise
        except BaseException:  # KeyboardInterrupt: whatever becomes of this iterator, its workers end
            self._shutdown_workers()
            raise

    def _next_batch(self):
        while True:
            expected = self._skip_missing()
            if expected == self._send_idx:
                if not self._persistent_workers:
                    self._shutdown_workers()
                raise StopIteration
            if expected in self._arrived:
                self._rcvd_idx += 1
                return self._process_data(*self._arrived.pop(expected))
            if self._shutdown:
                raise RuntimeError(
                    "the workers of this DataLoader's iterator have ended: iterate over the loader again"
                )
            key, number, data = self._get_data()
            self._asked.pop(key, None)
            if isinstance(data, worker._IterableDatasetStopIteration):
                self._workers_status[number] = False
                if not self._persistent_workers:
                    self._channels[number].close()
                self._try_put_index()
            elif self._in_order:
                self._arrived[key] = data, number
            else:
                return self._process_data(data, number)

    def _skip_missing(self):
        """The next batch that may come: not one asked of a worker that has no more."""
        while self._rcvd_idx < self._send_idx and self._rcvd_idx not in self._arrived:
            number = self._asked.get(self._rcvd_idx)
            if number is not None:
                if self._workers_status[number]:
                    break
                del self._asked[self._rcvd_idx]
            self._rcvd_idx += 1
        return self._rcvd_idx

    def _process_data(self, data, number):
        self._workers_num_tasks[number] -= 1
        self._try_put_index()
        if isinstance(data, ExceptionWrapper):
            data.reraise()
        return data

    def _get_data(self):
        """The next thing that any worker sends: its key, the worker, the data.

        Raises RuntimeError if a worker has died, or if ``timeout`` seconds pass.
        """
        until = time.monotonic() + self._timeout if self._timeout > 0 else None
        while True:
            while self._ready:
                number = self._ready.pop()
                try:
                    key, unpickled = self._channels[number].receive()
                except (EOFError, ConnectionResetError):
                    self._raise_if_died(number)
                    continue
                if key >= self._first_idx:
                    return key, number, self._opened(unpickled, number)
            places = {}
            for number, process in enumerate(self._workers):
                if self._workers_status[number]:
                    places[self._channels[number].connection] = places[process.sentinel] = number
            left = _LOOK_EVERY if until is None else min(_LOOK_EVERY, until - time.monotonic())
            found = wait(places, max(0, left))
            self._raise_if_died()
            # sentinels are numbers
            self._ready = [places[each] for each in found if not isinstance(each, int)]
            if until is not None and not found and time.monotonic() >= until:
                raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")

    @staticmethod
    def _opened(unpickled, number):
        try:
            return unpickled()
        except Exception:
            return ExceptionWrapper(where=f"while unpickling what DataLoader worker process {number} sent")

    # Ends -------------------------------------------------------------------------------------------------------------

    def _raise_if_died(self, ended=None):
        """Raise RuntimeError for workers that have died (``ended``: one whose stream has ended, and that is about to)."""
        if ended is not None:
            self._workers[ended].join(_utils.MP_STATUS_CHECK_INTERVAL)
        died = []
        for number, process in enumerate(self._workers):
            if self._workers_status[number] and (number == ended or not process.is_alive()):
                self._workers_status[number] = False
                died.append(process)
        if died:
            pids = ", ".join(str(process.pid) for process in died)
            raise RuntimeError(f"DataLoader worker (pid(s) {pids}) exited unexpectedly") from failure(
                died[0].pid, died[0].exitcode
            )

    def _can_go_on(self):
        """Whether all workers are there for another epoch."""
        return not self._shutdown and all(process.is_alive() for process in self._workers)

    @property
    def _shutdown(self):
        return self._crew.over

    def _shutdown_workers(self):
        self._crew.end()


def _start_process(process):
    try:
        process.start()
    except (TypeError, AttributeError, PicklingError):
        warnings.warn(
            "Got pickle error when attempting to start a worker Process. Unless workers are forked, the dataset, collate_fn and "
            "worker_init_fn have to be picklable: functions and classes of a module, not lambdas. "
            "multiprocessing.set_start_method('fork') lets workers inherit them instead.",
            stacklevel=7,
        )
        raise
