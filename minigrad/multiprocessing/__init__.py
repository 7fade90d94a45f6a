"""The standard library's ``multiprocessing``, with tensors: what is sent is the place of their memory, which sender and receiver share.

All names of ``multiprocessing`` are here.  Its own queues and pipes know tensors too once this package is imported, but a process that has sent a tensor through them has
to live until it is received; those of this package have no such condition (on Linux).
"""

import multiprocessing
import multiprocessing.resource_sharer  # before the first fork, which another thread's import of it would spoil
import sys
import threading
from multiprocessing import *
from typing import Any

from .connection import Pipe as Pipe
from .context import get_context as get_context
from .reductions import init_reductions
from .spawn import ENV_VAR_PARALLEL_START as ENV_VAR_PARALLEL_START
from .spawn import ProcessContext as ProcessContext
from .spawn import ProcessExitedException as ProcessExitedException
from .spawn import ProcessRaisedException as ProcessRaisedException
from .spawn import SpawnContext as SpawnContext
from .spawn import _prctl_pr_set_pdeathsig as _prctl_pr_set_pdeathsig
from .spawn import spawn as spawn
from .spawn import start_processes as start_processes

__all__ = ["set_sharing_strategy", "get_sharing_strategy", "get_all_sharing_strategies"]
__all__ += multiprocessing.__all__

_sharing_strategy = "file_system" if sys.platform in ("darwin", "win32") else "file_descriptor"
_all_sharing_strategies = {_sharing_strategy, "file_system"}


def Queue(maxsize: int = 0) -> Any:  # type: ignore[no-redef]
    """Return a queue between processes for at most ``maxsize`` objects (0: any number).

    >>> import minigrad
    >>> queue = minigrad.multiprocessing.Queue()
    >>> queue.put(minigrad.ones(2))
    >>> queue.get()
    tensor([1., 1.])
    """
    return get_context().Queue(maxsize)


def JoinableQueue(maxsize: int = 0) -> Any:  # type: ignore[no-redef]
    """Return a queue between processes for at most ``maxsize`` objects (0: any number), with ``task_done`` and ``join``.

    >>> import minigrad
    >>> queue = minigrad.multiprocessing.JoinableQueue()
    >>> queue.put(minigrad.ones(2))
    >>> queue.get()
    tensor([1., 1.])
    >>> queue.task_done()
    >>> queue.join()
    """
    return get_context().JoinableQueue(maxsize)


def SimpleQueue() -> Any:  # type: ignore[no-redef]
    """Return a queue without a buffer thread: ``put`` blocks while the pipe is full.

    >>> import minigrad
    >>> queue = minigrad.multiprocessing.SimpleQueue()
    >>> queue.put([minigrad.ones(2), "text"])
    >>> queue.get()
    [tensor([1., 1.]), 'text']
    """
    return get_context().SimpleQueue()


def Pool(  # type: ignore[no-redef]
    processes: Any = None, initializer: Any = None, initargs: Any = (), maxtasksperchild: Any = None
) -> Any:  # type: ignore[no-redef]
    """Return a pool of processes: ``multiprocessing.Pool`` with support for tensors.

    >>> import minigrad
    >>> with minigrad.multiprocessing.Pool(1) as pool:
    ...     pool.map(minigrad.sum, [minigrad.ones(2), minigrad.ones(3)])
    [tensor(2.), tensor(3.)]
    """
    return get_context().Pool(processes, initializer, initargs, maxtasksperchild)


def get_all_sharing_strategies() -> Any:
    """Return the names of the strategies for sharing memory.

    >>> import minigrad
    >>> "file_system" in minigrad.multiprocessing.get_all_sharing_strategies()
    True
    """
    return _all_sharing_strategies


def get_sharing_strategy() -> Any:
    """Return the strategy for sharing memory that was set last.

    >>> import minigrad
    >>> minigrad.multiprocessing.get_sharing_strategy() in minigrad.multiprocessing.get_all_sharing_strategies()
    True
    """
    return _sharing_strategy


def set_sharing_strategy(new_strategy: Any) -> None:
    """Set the strategy for sharing memory. All work the same here: shared memory has no name, and lives as long as it is used.

    Raises AssertionError for a name that is not in ``get_all_sharing_strategies()``.

    >>> import minigrad
    >>> minigrad.multiprocessing.set_sharing_strategy("file_system")
    """
    global _sharing_strategy
    if new_strategy not in _all_sharing_strategies:
        raise AssertionError(
            f"invalid sharing strategy {new_strategy!r}, expected one of {_all_sharing_strategies}"
        )
    _sharing_strategy = new_strategy


def _set_thread_name(name):
    threading.current_thread().name = name


def _get_thread_name():
    return threading.current_thread().name


init_reductions()
