"""How a rank learns that another one has ended: who ends says so, and whoever waits for long looks for such notices.

Without this, a rank that ends while others wait for it would leave them waiting until their time is over.  A notice says how many collectives of each group the rank
has completed, because a rank may well end while others are still at a collective in which it has done its part.
"""

import atexit
import json
import sys
import time

import numpy as np

from . import _work
from ._errors import DistBackendError

#: Looks for which one waits after the notice, a second at most if this process is never held up: messages may be under way.
_GRACE = 1000
_TAG = 1

_comm = None
_sent: list = []  # the notices under way: their requests
_left: dict = {}  # the ranks that have ended: how many collectives of each group they have completed
_earlier: list = []  # the communicators of this rank's earlier notices, each with those that came
_helper = (
    None  # the link to the helper that lent this process its connection to the launcher (see _joining.py)
)
_ended_well = False


def watch(comm):
    """Look for notices of the ranks of a communicator of all, and send them when this process ends."""
    global _comm, _left
    _comm = comm.Dup()
    _left = {}
    _work.completed.clear()
    if _look not in _work.watchers:
        _work.watchers.append(_look)
        atexit.register(_end)


def watch_helper(link):
    """Look whether the helper of this process is alive: the launcher ends all helpers when a rank has failed."""
    global _helper
    _helper = link


def leave():
    """Tell the other ranks that this one takes part no longer."""
    global _comm, _ended_well
    if _comm is not None:
        own = _comm.Get_rank()
        text = np.frombuffer(json.dumps(_work.completed).encode(), np.uint8)
        _sent.extend(_comm.Isend(text, rank, _TAG) for rank in range(_comm.Get_size()) if rank != own)
        _earlier.append((_comm, _left))
        _comm = None
    if _helper is not None and not _ended_well:
        _ended_well = True
        _helper.send(b"f")


def _end():
    """Leave, and hear that all others have left: MPI would wait for them as well, but with all its might, and complain of messages that nobody wants."""
    global _comm
    if _work.load().Is_finalized():  # by the program itself
        _comm = None
        _earlier.clear()
    leave()
    for comm, left in _earlier:
        while len(left) < comm.Get_size() - 1:
            _hear(comm, left)
            time.sleep(0.001)


def _hear(comm, left):
    """Take the notices that have come."""
    MPI = _work.load()
    status = MPI.Status()
    while comm.Iprobe(tag=_TAG, status=status):
        text = np.empty(status.Get_count(MPI.BYTE), np.uint8)
        comm.Recv(text, status.Get_source(), _TAG)
        left[status.Get_source()] = json.loads(text.tobytes())


def fail(code):
    """End this process at once, after an error that has been reported: MPI would wait for the other ranks first."""
    import os

    if _comm is not None:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def _look(work, passed):
    """Give a collective up of which a rank has ended: called again and again while one waits for it."""
    if _helper is not None and _is_closed(_helper):
        work._fail(DistBackendError(f"{work._where()}: another rank has ended, or the launcher has"))
        return
    comm = _comm
    if comm is None:
        return
    _hear(comm, _left)
    missing = _missing(work)
    if missing:
        work._looks += 1
        if work._looks > _GRACE:
            with _work.lock:
                work._fail(
                    DistBackendError(
                        f"{work._where()}: rank {', '.join(map(str, missing))} has ended, or has destroyed its groups, without joining it"
                    )
                )


def _missing(work):
    """The ranks that have ended without what the Work needs of them: for a collective, all that have not completed it."""
    ranks, name = work._group.ranks, work._group.group_name
    if work._peers is None:
        return [r for r in ranks if r in _left and _left[r].get(name, 0) < work._number]
    found = [ranks[peer] for peer in work._peers if ranks[peer] in _left]
    return found if work._needs_all or len(found) == len(work._peers) else []


def _is_closed(link):
    try:
        return link.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
