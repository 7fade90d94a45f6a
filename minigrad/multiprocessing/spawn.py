"""Processes that run the same function, each with its number; if one fails the others are ended, and its error is raised here."""

import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

__all__ = [
    "ProcessContext",
    "ProcessException",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "spawn",
    "start_processes",
]

#: If the variable of this name is "1", processes of the fork server are started side by side.
ENV_VAR_PARALLEL_START = "TORCH_MP_PARALLEL_START"

log: Any = logging.getLogger(__name__)

_PR_SET_PDEATHSIG = 1


def _prctl_pr_set_pdeathsig(signum):
    """Have the kernel send this process a signal when its parent ends, however that ends; on Linux."""
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signum), 0, 0, 0)


class ProcessException(Exception):
    """A process failed: ``error_index`` is its number, ``error_pid`` its process identifier."""

    def __init__(self, msg: str, error_index: int, error_pid: int) -> None:
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.error_pid = error_pid

    def __reduce__(self) -> Any:
        return type(self), (self.msg, self.error_index, self.error_pid)


class ProcessRaisedException(ProcessException):
    """A process failed with an exception, whose traceback the message holds."""


class ProcessExitedException(ProcessException):
    """A process was ended by a signal, or exited with a code: ``exit_code``, and ``signal_name`` if it was a signal."""

    def __init__(
        self, msg: str, error_index: int, error_pid: int, exit_code: int, signal_name: str | None = None
    ) -> None:
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self) -> Any:
        return type(self), (self.msg, self.error_index, self.error_pid, self.exit_code, self.signal_name)


def _run(function, index, args, errors):
    """What the process of this number does."""
    _prctl_pr_set_pdeathsig(signal.SIGINT)
    if not multiprocessing.parent_process().is_alive():  # it ended before the kernel was told
        return
    try:
        function(index, *args)
    except KeyboardInterrupt:
        pass  # ended by the parent, or together with it
    except Exception:
        import traceback

        errors.send(traceback.format_exc())
        leaving = sys.modules.get("minigrad.distributed._leaving")
        if leaving is not None:
            leaving.fail(1)
        sys.exit(1)


class ProcessContext:
    """The processes that ``start_processes`` has started; ``join`` waits for them."""

    sentinels: dict[Any, Any]

    def __init__(self, processes: Any, errors: Any) -> None:
        self.processes = processes
        self.sentinels = {process.sentinel: index for index, process in enumerate(processes)}
        self._errors = dict(enumerate(errors))
        self._texts = {}

    def pids(self) -> Any:
        """Return the process identifiers, in the order of the numbers."""
        return [process.pid for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait until the processes have ended, at most ``timeout`` seconds; returns whether all have.

        If one has failed, the others get ``grace_period`` seconds to end by themselves, and are ended then; what is raised is a
        ProcessRaisedException, with the traceback, if it was an exception, else a ProcessExitedException.
        """
        failed = self._wait(None if timeout is None else time.monotonic() + timeout)
        if failed is None:
            return not self.sentinels
        if grace_period is not None:
            self._wait_for_all(grace_period)
        self._end(lambda process: process.terminate(), "SIGTERM")
        self._wait_for_all(30 if grace_period is None else grace_period)
        self._end(lambda process: process.kill(), "SIGKILL")
        for process in self.processes:
            process.join()
        self._receive(failed)
        for reader in self._errors.values():
            reader.close()
        raise self._error(failed)

    def _wait(self, deadline):
        """Wait until one has failed, and return its number; None when all have ended, one has ended well, or time is up."""
        while self.sentinels:
            rest = None if deadline is None else max(0, deadline - time.monotonic())
            readers = {reader: index for index, reader in self._errors.items()}
            ready = multiprocessing.connection.wait([*self.sentinels, *readers], rest)
            for each in ready:
                if each in readers:
                    self._receive(readers[each])  # a process with much to say waits until it is heard
            ended = [each for each in ready if each in self.sentinels]
            for sentinel in ended:
                index = self.sentinels.pop(sentinel)
                self.processes[index].join()
                if self.processes[index].exitcode:
                    return index
            if ended or not ready:
                return None
        return None

    def _receive(self, index):
        """Take what the process of this number has to say of its error, if anything."""
        reader = self._errors.pop(index, None)
        if reader is not None:
            with reader:
                try:
                    self._texts[index] = reader.recv()
                except (EOFError, OSError):  # it has ended without an exception, or before it had said all
                    self._texts[index] = None

    def _wait_for_all(self, seconds):
        deadline = time.monotonic() + seconds
        for process in self.processes:
            process.join(max(0, deadline - time.monotonic()))

    def _end(self, by, signal_name):
        for process in self.processes:
            if process.is_alive():
                log.warning("Terminating process %s via signal %s", process.pid, signal_name)
                by(process)

    def _error(self, index):
        process, text = self.processes[index], self._texts.get(index)
        if text is not None:
            message = f"\n\n-- Process {index} terminated with the following error:\n{text}"
            return ProcessRaisedException(message, index, process.pid)
        code = process.exitcode
        if code >= 0:
            message = f"process {index} terminated with exit code {code}"
            return ProcessExitedException(message, index, process.pid, code)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"<Unknown signal {-code}>"
        return ProcessExitedException(
            f"process {index} terminated with signal {name}", index, process.pid, code, name
        )


class SpawnContext(ProcessContext):
    """Deprecated: ``ProcessContext``."""

    def __init__(self, processes: Any, errors: Any) -> None:
        warnings.warn("SpawnContext is renamed to ProcessContext since 1.4 release.", stacklevel=2)
        super().__init__(processes, errors)


def start_processes(
    fn: Callable[..., Any],
    args: Any = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> Any:
    """Start ``nprocs`` processes that call ``fn(i, *args)``, i from 0 on, and wait for them; a ``ProcessContext`` unless ``join``.

    Raises what ``ProcessContext.join`` does.  A process ends when this one does, on Linux however it ends.

    >>> import minigrad
    >>> minigrad.multiprocessing.start_processes(print, nprocs=1, start_method="fork")
    """
    from .context import get_context

    context = get_context(start_method)

    def start(index):
        reader, writer = multiprocessing.Pipe(duplex=False)
        process = context.Process(target=_run, args=(fn, index, args, writer), daemon=daemon)
        process.start()
        writer.close()
        return process, reader

    if start_method == "forkserver" and os.environ.get(ENV_VAR_PARALLEL_START, "0") == "1":
        with ThreadPoolExecutor(max_workers=nprocs) as executor:
            started = list(executor.map(start, range(nprocs)))
    else:
        started = list(map(start, range(nprocs)))
    found = ProcessContext([process for process, _ in started], [reader for _, reader in started])
    if not join:
        return found
    while not found.join():
        pass
    return None


def spawn(
    fn: Callable[..., Any],
    args: Any = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> Any:
    """As ``start_processes`` by the method ``"spawn"``; another one gets a FutureWarning and is not taken.

    >>> import minigrad
    >>> minigrad.multiprocessing.spawn(print, nprocs=0)
    """
    if start_method != "spawn":
        warnings.warn(
            f"This method only supports start_method=spawn (got: {start_method}).\nTo use a different start_method use:\n\t\t"
            " torch.multiprocessing.start_processes(...)",
            FutureWarning,
            stacklevel=2,
        )
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")
