"""``Work``: a collective that has been started, and how the collectives of a process make progress.

What a collective does is a generator that yields lists of MPI's requests: each time all of a list are complete, it goes on.  The collectives
of a group wait in a line, and the first of it runs: so the messages of all ranks meet in the same order.  Sends and receives run at once.
MPI moves data only while it is called: ``progress`` does so for all that is under way, and whoever waits calls it again and again.
"""

import os
import threading
import time
from collections import deque
from datetime import timedelta
from typing import Any

from .._base.forking import held_while_forking
from ..futures import Future
from ._deferred import Deferred, is_deferring
from ._errors import DistBackendError
from ._mpi import load as load

#: Seconds during which one who waits only yields the processor; after that it sleeps between its calls.
_EAGER = 0.002
_NAP, _LONG_NAP = 5e-5, 1e-3
_yield_processor = getattr(os, "sched_yield", lambda: time.sleep(0))

lock = held_while_forking(threading.RLock())
_lines: dict[Any, deque[Any]] = {}
_loose: list[Any] = []
completed: dict[str, int] = {}  # how many collectives of each group, by its name
watchers: list[Any] = []  # what is called now and then while somebody waits


class Work:
    """A collective, a send or a receive that has been started with ``async_op=True``.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> x = minigrad.ones(2)
    >>> work = distributed.all_reduce(x, async_op=True)
    >>> work.wait(), x
    (True, tensor([1., 1.]))
    >>> distributed.destroy_process_group()
    """

    def __init__(
        self,
        program: Any,
        name: str,
        group: Any,
        result: Any = (),
        size: int = 0,
        peers: Any = None,
        needs_all: bool = True,
    ) -> None:
        self._program = program
        self._requests: Any = None
        self._name = name
        self._group = group
        self._result = list(result)
        self._eager = _EAGER + size * 1e-9
        self._done = False
        self._error: Any = None
        self._future: Any = None
        self._sender = -1
        self._number = 0  # of a collective, in its group
        self._peers = peers  # of a send or a receive: the ranks in the group with which it is, with all or with one of them
        self._needs_all = needs_all
        self._looks = 0  # how often it was found since that one of these has ended

    def _advance(self):
        """Go as far as the messages that have come allow; returns whether the end is reached."""
        if self._done:
            return True
        requests = self._requests
        try:
            while requests is None or _complete(requests):
                requests = self._requests = next(self._program)
            return False
        except StopIteration:
            self._end(None)
        except Exception as error:
            self._end(self._explained(error))
        return True

    def _end(self, error):
        self._done, self._error = True, error
        self._requests = self._program = None
        if error is not None:
            self._group._broken = error
        elif self._number:
            completed[self._group.group_name] = self._number
        if self._future is not None:
            _settle(self._future, self)

    def _explained(self, error):
        """An error of MPI, with the collective in which it arose."""
        if type(error).__module__.partition(".")[0] != "mpi4py":
            return type(error)(f"{self._where()}: {error}") if type(error) is RuntimeError else error
        kind = error.Get_error_string().partition("\n")[0].partition(",")[0]
        hint = (
            ": shapes or dtypes differ between ranks (TORCH_DISTRIBUTED_DEBUG=DETAIL tells which)"
            if "truncate" in kind.lower()
            else ""
        )
        return DistBackendError(f"{self._where()}: {kind}{hint}")

    def _where(self):
        group = self._group
        return f"[rank {group.ranks[group._rank]}] {self._name} in the group {group.group_name!r} of ranks {_span(group.ranks)}"

    def wait(self, timeout: timedelta | None = None) -> bool:
        """Wait until it is complete; raises what made it fail, and DistBackendError when the time of the group, or ``timeout``, is over."""
        if not self._done:
            self._drive(self._group._seconds(timeout))
        if self._error is not None:
            raise self._error
        return True

    def _drive(self, seconds):
        begin = time.monotonic()
        calls = 0
        while True:
            with lock:
                progress()
            if self._done:
                return
            calls += 1
            if calls & 15 == 0 or calls > 256:
                passed = time.monotonic() - begin
                if passed > seconds:
                    with lock:
                        self._time_out(seconds)
                    return
                if passed > self._eager:
                    for watch in watchers:
                        watch(self, passed)
                    time.sleep(_NAP if passed < 1 else _LONG_NAP)
                    continue
            _yield_processor()

    def _time_out(self, seconds):
        self._fail(
            DistBackendError(
                f"{self._where()}: Timed out waiting {seconds * 1000:.0f}ms: another rank has not joined it, or has ended"
            )
        )

    def _fail(self, error):
        """Give up; what comes after it in the group fails as well, as its messages could meet those of this one."""
        if self._done:
            return
        self._end(error)
        line = _lines.pop(self._group, ())
        for work in line:
            if not work._done:
                work._end(error)

    def is_completed(self) -> bool:
        """Whether it is complete; asking makes all that is under way go on."""
        if not self._done:
            with lock:
                progress()
        return self._done

    def is_success(self) -> bool:
        """Whether it is complete and has not failed."""
        return self.is_completed() and self._error is None

    def exception(self) -> Any:
        """What made it fail, or None."""
        return self._error

    def result(self) -> list[Any]:
        """The tensors that it writes to, after waiting for it."""
        self.wait()
        return self._result

    def synchronize(self) -> None:
        """Wait until it is complete."""
        self.wait()

    def source_rank(self) -> int:
        """The rank from which a receive has got its message."""
        return self._sender

    def get_future(self) -> Future[Any]:
        """A Future of the list of tensors that it writes to."""
        with lock:
            if self._future is None:
                self._future = _WorkFuture(self)
                if self._done:
                    _settle(self._future, self)
        return self._future


class _WorkFuture(Future[Any]):
    """The Future of a Work: waiting for it drives the Work."""

    def __init__(self, work):
        super().__init__()
        self._work = work

    def wait(self) -> Any:
        if not self._completed:
            self._work.wait()
        return super().wait()

    def done(self) -> bool:
        if not self._completed:
            self._work.is_completed()
        return self._completed

    def then(self, callback: Any) -> Any:
        if is_deferring():
            return Deferred(self, lambda: callback(self))
        following = _FollowingFuture(self)

        def run(future):
            try:
                following.set_result(callback(future))
            except Exception as error:
                following.set_exception(error)

        self.add_done_callback(run)
        return following


class _FollowingFuture(_WorkFuture):
    """What ``then`` gives: it is there as soon as the callback has run, after the Work."""

    def __init__(self, before):
        super().__init__(before._work)


def _settle(future, work):
    if work._error is not None:
        future.set_exception(work._error)
    else:
        future.set_result(work._result)


def start(work):
    """Put a collective in the line of its group; it begins if it is the first."""
    group = work._group
    if group._broken is not None:
        raise DistBackendError(
            f"{work._where()}: an earlier collective of this group has failed: {group._broken}"
        )
    with lock:
        line = _lines.get(group)
        if line is None:
            line = _lines[group] = deque()
        group._started += 1
        work._number = group._started
        line.append(work)
        if line[0] is work:
            _run_line(group, line)
    return work


def start_loose(work):
    """Begin a send or a receive."""
    with lock:
        if not work._advance():
            _loose.append(work)
    return work


def progress():
    """Let all that is under way go as far as it can (the lock is held)."""
    for group, line in list(_lines.items()):
        _run_line(group, line)
    if _loose and [
        work for work in list(_loose) if work._advance()
    ]:  # callbacks may change the list meanwhile
        _loose[:] = [work for work in _loose if not work._done]


def poll():
    """Let all that is under way go as far as it can."""
    with lock:
        progress()


def _run_line(group, line):
    while line:
        work = line[0]
        if not work._advance():
            return
        if line and line[0] is work:  # a callback of its Future that has waited may have come here before
            line.popleft()
    if not line and _lines.get(group) is line:
        del _lines[group]


def _complete(requests):
    while requests:
        if not requests[-1].Test():
            return False
        requests.pop()
    return True


def _span(ranks):
    """Ranks for a message: ``0-3``, or one by one."""
    ranks = list(ranks)
    if len(ranks) > 2 and ranks == list(range(ranks[0], ranks[-1] + 1)):
        return f"{ranks[0]}-{ranks[-1]}"
    return ", ".join(map(str, ranks))
