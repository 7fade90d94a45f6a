"""Signals and the deaths of workers, for loaders that programs write themselves.

The loaders here notice a worker's end by the end of its stream (``_multi_process.py``).  Others register the pids of their workers, and ask, or let
SIGCHLD ask, whether one of them has failed.
"""

import operator
import os
import signal
import threading

from . import IS_WINDOWS

#: What stands for a loader -> the pids of its workers.
_workers: dict = {}
_SIGCHLD_handler_set = False


def _set_worker_signal_handlers():
    """In a worker: let SIGTERM end it, whatever the program's own handler does."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _set_worker_pids(key, child_pids):
    """Note which processes, a tuple of pids, are the workers of a loader; raises ValueError for a loader that has some already."""
    key = operator.index(key)
    if key in _workers:
        raise ValueError("_set_worker_pids should be called only once for each _BaseDataLoaderIter.")
    if not isinstance(child_pids, tuple):
        raise TypeError(
            f"_set_worker_pids expects a tuple for child_pids, but got {type(child_pids).__name__}."
        )
    _workers[key] = tuple(map(operator.index, child_pids))


def _remove_worker_pids(key):
    """Forget the workers of a loader, before they end; raises ValueError for one that has none."""
    if key not in _workers:
        raise ValueError("Cannot find worker information for _BaseDataLoaderIter with id " + str(key))
    del _workers[key]


def _error_if_any_worker_fails():
    """Raise RuntimeError if a worker that was noted was killed, or has exited with a code other than 0; whoever waits for it still can."""
    if IS_WINDOWS:
        return
    for key, pids in [*_workers.items()]:
        for pid in pids:
            try:
                ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:  # somebody has waited for it
                continue
            if ended is None or (ended.si_code == os.CLD_EXITED and ended.si_status == 0):
                continue
            _workers[key] = ()  # of one loader's deaths, the first is told
            raise failure(pid, ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status)


def failure(pid, code):
    """The error that says how a worker has ended: with an exit code, or by the signal ``-code``."""
    who = f"DataLoader worker (pid {pid})"
    if code is None or code >= 0:
        return RuntimeError(
            f"{who} exited unexpectedly with exit code {code}. What it wrote to the terminal may say why; with num_workers=0 the error "
            "comes with a traceback."
        )
    name = signal.strsignal(-code) if -code in signal.valid_signals() else f"Unknown signal {-code}"
    advice = ""
    if -code == getattr(signal, "SIGBUS", None):
        advice = "It is possible that dataloader's workers are out of shared memory. Smaller batches, or a smaller prefetch_factor, need less."
    return RuntimeError(f"{who} is killed by signal: {name}. {advice}")


def _set_SIGCHLD_handler():
    """Let every end of a child raise in the main thread if it was a failed worker's; a handler that was there is called after that."""
    global _SIGCHLD_handler_set
    if IS_WINDOWS or _SIGCHLD_handler_set or threading.current_thread() is not threading.main_thread():
        return
    before = signal.getsignal(signal.SIGCHLD)

    def handler(number, frame):
        _error_if_any_worker_fails()
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGCHLD, handler)
    _SIGCHLD_handler_set = True
