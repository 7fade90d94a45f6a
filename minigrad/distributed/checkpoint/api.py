"""The error of a checkpoint that could not be saved or loaded."""

import traceback
from typing import Any

__all__ = ["CheckpointException"]


class CheckpointException(BaseException):
    """Some processes failed to save or load; all of them raise this.  ``failures`` has, by rank, the exception and where it arose.

    >>> from minigrad.distributed.checkpoint import CheckpointException
    >>> CheckpointException("read", {1: (OSError("disk full"), None)}).failures[1][0]
    OSError('disk full')
    """

    def __init__(self, msg: str, failures: dict[int, Any]) -> None:
        super().__init__(msg, failures)
        self._failures = failures

    @property
    def failures(self) -> dict[int, Any]:
        """Rank -> (exception, where it arose)."""
        return self._failures

    def __str__(self) -> str:
        lines = [f"CheckpointException ranks:{self._failures.keys()}\n"]
        for rank, (error, places) in self._failures.items():
            lines.append(f"Traceback (most recent call last): (RANK {rank})\n")
            lines += traceback.format_list(places or [])
            lines += traceback.format_exception_only(type(error), error)
        return "".join(lines)
