"""How the processes agree while they save or load: what one of them raises, all of them learn of.

Without groups, or with ``no_dist``, there is one process alone.
"""

import pickle
import traceback
from typing import Any

from .._groups import get_rank, get_world_size, group_of
from .._objects import all_gather_object, broadcast_object_list, gather_object, scatter_object_list
from .api import CheckpointException


class _Failure:
    """An exception on its way to the other processes."""

    def __init__(self, error):
        places = traceback.extract_tb(error.__traceback__)
        self.places = [(place.filename, place.lineno, place.name, place.line) for place in places]
        try:
            pickle.loads(pickle.dumps(error))  # its class may ask for more than an exception keeps
            self.error = error
        except Exception:  # whatever its class does then: its text can travel
            self.error = RuntimeError(f"{type(error).__name__}: {error}")


def _attempt(function, *arguments):
    try:
        return function(*arguments)
    except (Exception, CheckpointException) as error:
        return _Failure(error)


def _raised_by(step, values):
    """The exception for what has failed, by rank; None if nothing has."""
    failures = {
        rank: (value.error, value.places) for rank, value in enumerate(values) if isinstance(value, _Failure)
    }
    return CheckpointException(step, failures) if failures else None


class Coordination:
    """The processes of a group, of which the first one decides."""

    def __init__(self, group: Any, alone: bool) -> None:
        self.group = None if alone else group_of(group)
        self.alone = alone
        self.rank = 0 if alone else get_rank(group)
        self.size = 1 if alone else get_world_size(group)
        self.is_coordinator = self.rank == 0

    def _gather(self, value):
        if self.alone:
            return [value]
        values: Any = [None] * self.size if self.is_coordinator else None
        gather_object(value, values, group=self.group, group_dst=0)
        return values

    def _decide(self, step, values, decide):
        """What the coordinator makes of the values of all; an exception if one of them is one, or if it fails itself."""
        failed = _raised_by(step, values)
        if failed is not None:
            return failed
        decided = _attempt(decide, values)
        return _raised_by(step, [decided]) or decided

    def share_out(self, step: str, propose: Any, decide: Any) -> Any:
        """Let each process propose, the coordinator decide from the list of these, and each get its part of the list that is decided."""
        values = self._gather(_attempt(propose))
        parts: Any = None
        if self.is_coordinator:
            parts = self._decide(step, values, decide)
            if isinstance(parts, CheckpointException):
                parts = [parts] * self.size
        if self.alone:
            return _checked(parts[0])
        own = [None]
        scatter_object_list(own, parts, group=self.group, group_src=0)
        return _checked(own[0])

    def conclude(self, step: str, work: Any, decide: Any) -> Any:
        """Let each process work, and the coordinator decide from what all return: all get what it decides."""
        values = self._gather(_attempt(work))
        decided = [self._decide(step, values, decide) if self.is_coordinator else None]
        if not self.alone:
            broadcast_object_list(decided, group=self.group, group_src=0)
        return _checked(decided[0])

    def all_do(self, step: str, work: Any) -> None:
        """Let each process work; raises on all of them if one fails."""
        done = _attempt(work)
        values = [done if isinstance(done, _Failure) else None]
        if not self.alone:
            own, values = values[0], [None] * self.size
            all_gather_object(values, own, self.group)
        failed = _raised_by(step, values)
        if failed is not None:
            raise failed


def _checked(value):
    if isinstance(value, CheckpointException):
        raise value
    return value
