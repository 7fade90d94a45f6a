"""How a rank learns that another one has ended: who ends says so, and whoever waits for long looks for such notices.

Without this, a rank that ends while others wait for it would leave them waiting until their time is over.
"""

import atexit
import sys

import numpy as np

from . import _work
from ._errors import DistBackendError

#: Seconds for which a collective goes on after the notice: its messages may be under way.
_GRACE = 1.0
_TAG = 1

_comm = None
_sent: list = []  # the notices under way: their requests
_left: set = set()
_helper = (
    None  # the link to the helper that lent this process its connection to the launcher (see _joining.py)
)
_ended_well = False


def watch(comm):
    """Look for notices of the ranks of a communicator of all, and send them when this process ends."""
    global _comm
    _comm = comm.Dup()
    _left.clear()
    if _look not in _work.watchers:
        _work.watchers.append(_look)
        atexit.register(leave)


def watch_helper(link):
    """Look whether the helper of this process is alive: the launcher ends all helpers when a rank has failed."""
    global _helper
    _helper = link


def leave():
    """Tell the other ranks that this one takes part no longer."""
    global _comm, _ended_well
    if _comm is not None:
        own = _comm.Get_rank()
        token = np.zeros(1, np.uint8)
        _sent.extend(_comm.Isend(token, rank, _TAG) for rank in range(_comm.Get_size()) if rank != own)
        _comm = None
    if _helper is not None and not _ended_well:
        _ended_well = True
        _helper.send(b"f")


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
    while comm.Iprobe(tag=_TAG):
        token = np.zeros(1, np.uint8)
        status = _work.load().Status()
        comm.Recv(token, tag=_TAG, status=status)
        _left.add(status.Get_source())
    missing = _left.intersection(work._group.ranks)
    if missing:
        work._patience = work._patience or passed + _GRACE
        if passed > work._patience:
            with _work.lock:
                work._fail(
                    DistBackendError(
                        f"{work._where()}: rank {', '.join(map(str, sorted(missing)))} has ended, or has destroyed its groups, without joining it"
                    )
                )


def _is_closed(link):
    try:
        return link.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
