"""The error that ends a process, in a file for whoever started it: ``record`` writes it where ``TORCHELASTIC_ERROR_FILE`` says."""

import faulthandler
import functools
import json
import os
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

__all__ = ["ChildFailedError", "ErrorHandler", "ProcessFailure", "get_error_handler", "record"]

_NOTHING = "<N/A>"


class ErrorHandler:
    """Writes an exception to the file that ``TORCHELASTIC_ERROR_FILE`` names, as JSON; does nothing without that variable.

    >>> from minigrad.distributed.elastic.multiprocessing.errors import ErrorHandler
    >>> ErrorHandler().record_exception(ValueError("not written anywhere"))
    """

    def initialize(self) -> None:
        """Let Python print a traceback where a signal such as a segmentation fault ends the process."""
        faulthandler.enable(all_threads=True)

    def record_exception(self, e: BaseException) -> None:
        """Write the exception that is being handled, with its traceback and the time."""
        path = os.environ.get("TORCHELASTIC_ERROR_FILE")
        if path is None:
            return
        details = {"py_callstack": traceback.format_exc(), "timestamp": str(int(time.time()))}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"message": {"message": f"{type(e).__name__}: {e}", "extraInfo": details}}, file)


def get_error_handler() -> ErrorHandler:
    """A new ``ErrorHandler``.

    >>> from minigrad.distributed.elastic.multiprocessing.errors import get_error_handler
    >>> type(get_error_handler()).__name__
    'ErrorHandler'
    """
    return ErrorHandler()


@dataclass
class ProcessFailure:
    """How a process has ended: ``message`` and ``timestamp`` are those in its error file, or say which signal ended it, and when this was made.

    >>> from minigrad.distributed.elastic.multiprocessing.errors import ProcessFailure
    >>> ProcessFailure(local_rank=0, pid=17, exitcode=-9, error_file="").message
    'Signal 9 (SIGKILL) received by PID 17'
    """

    local_rank: int
    pid: int
    exitcode: int
    error_file: str
    error_file_data: Any = field(init=False)
    message: Any = field(init=False)
    timestamp: int = field(init=False)

    def __post_init__(self) -> None:
        if os.path.isfile(self.error_file):
            with open(self.error_file, encoding="utf-8") as file:
                self.error_file_data = json.load(file)
            self.message = self.error_file_data["message"]
            of_message = self.error_file_data if isinstance(self.message, str) else self.message["extraInfo"]
            self.timestamp = int(of_message.get("timestamp", 0))
            return
        self.error_file, self.error_file_data = _NOTHING, {"message": ""}
        self.timestamp = int(time.time())
        self.message = (
            f"Signal {-self.exitcode} ({self.signal_name()}) received by PID {self.pid}"
            if self.exitcode < 0
            else "Decorate the main function with record for a traceback here"
        )

    def signal_name(self) -> str:
        """The name of the signal that ended the process, or ``<N/A>``."""
        try:
            return signal.Signals(-self.exitcode).name
        except ValueError:
            return _NOTHING

    def timestamp_isoformat(self) -> str:
        """The time as a text."""
        return datetime.fromtimestamp(self.timestamp).isoformat(sep="_")


class ChildFailedError(Exception):
    """Processes of a program have failed: ``failures`` has one ``ProcessFailure`` for each of these ranks.

    >>> from minigrad.distributed.elastic.multiprocessing.errors import ChildFailedError, ProcessFailure
    >>> ChildFailedError("train.py", {3: ProcessFailure(3, 17, -9, "")}).get_first_failure()[0]
    3
    """

    def __init__(self, name: str, failures: dict[int, ProcessFailure]) -> None:
        if not failures:
            raise AssertionError("ChildFailedError needs one failure at least")
        self.name, self.failures = name, failures
        first, _ = self.get_first_failure()
        ranks = [first, *(rank for rank in failures if rank != first)]
        super().__init__("\n".join([f"{name} FAILED", *(self._line(rank) for rank in ranks)]))

    def _line(self, rank):
        failure = self.failures[rank]
        message = failure.message if isinstance(failure.message, str) else failure.message["message"]
        return f"rank {rank} (pid {failure.pid}, exit code {failure.exitcode}, {failure.timestamp_isoformat()}): {message}"

    def get_first_failure(self) -> tuple[int, ProcessFailure]:
        """The rank that failed first, and how."""
        rank = min(self.failures, key=lambda each: self.failures[each].timestamp)
        return rank, self.failures[rank]


def record(fn: Callable[..., Any], error_handler: ErrorHandler | None = None) -> Callable[..., Any]:
    """Decorate the main function of a program: what it raises is written down by the error handler, and raised.

    An exit with code 0 becomes a return, of None.

    >>> from minigrad.distributed.elastic.multiprocessing.errors import record
    >>> @record
    ... def main():
    ...     return 3
    >>> main()
    3
    """
    handler = error_handler or get_error_handler()

    @functools.wraps(fn)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        handler.initialize()
        try:
            return fn(*args, **kwargs)
        except SystemExit as end:
            if end.code != 0:
                raise
            return None
        except Exception as error:
            handler.record_exception(error)
            raise

    return wrapped
