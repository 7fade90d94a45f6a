"""How processes that were not started by a launcher of MPI become one world of MPI.

A process takes part in MPI through a connection to its launcher, whose number stands in its environment.  So rank 0 starts ``mpiexec`` with as many
helpers as there are ranks; each hands its connection to the process of its rank, on the same machine, which then starts MPI as if it had been launched.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time

from . import _launching, _leaving, _mpi
from ._errors import DistBackendError

_HOW_TO_START = "start the program by  python -m minigrad.distributed.run --nproc-per-node N program.py  or  mpiexec -n N python -m minigrad program.py"


def join(store, rank, size, timeout):
    """A communicator of all the processes that meet in the store."""
    if "mpi4py.MPI" in sys.modules:
        raise RuntimeError(
            f"mpi4py has started MPI in this process alone before the group was made; {_HOW_TO_START}"
        )
    if not hasattr(socket, "recv_fds"):
        raise RuntimeError(f"processes cannot join MPI on this system; {_HOW_TO_START}")
    _mpi.installed() or _mpi.load()
    with tempfile.TemporaryDirectory(prefix="minigrad-") as directory:
        own = os.path.join(directory, "rank")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(own)
            listener.listen(1)
            listener.settimeout(0.1)
            store.set(f"minigrad/host/{rank}", socket.gethostname())
            store.set(f"minigrad/socket/{rank}", own)
            if rank == 0:
                store.set("minigrad/refusal", _refusal())
            if refusal := store.get("minigrad/refusal").decode():
                raise RuntimeError(refusal)
            launcher = _start_helpers(store, size) if rank == 0 else None
            _take_connection(listener, launcher, timeout.total_seconds())
    comm = _mpi.load().COMM_WORLD
    if (comm.Get_rank(), comm.Get_size()) != (rank, size):
        raise DistBackendError(
            f"MPI made rank {comm.Get_rank()} of {comm.Get_size()} of rank {rank} of {size}; {_HOW_TO_START}"
        )
    return comm.Dup()


def _refusal():
    """What is to be said where the installed launcher is one whose processes have no connection that can be passed on; otherwise nothing."""
    said = subprocess.run([_launching.find_mpiexec(), "--version"], capture_output=True, text=True).stdout
    if "Open MPI" in said or "PRRTE" in said:
        return f"the processes of Open MPI's mpiexec have no connection that can be passed on, as those of MPICH's have; {_HOW_TO_START}"
    return ""


def _start_helpers(store, size):
    places = []
    for rank in range(size):
        if store.get(f"minigrad/host/{rank}").decode() != socket.gethostname():
            raise RuntimeError(f"processes on several machines have to be started by MPI: {_HOW_TO_START}")
        places.append(store.get(f"minigrad/socket/{rank}").decode())
    command = [
        _launching.find_mpiexec(),
        "-n",
        str(size),
        sys.executable,
        "-S",
        os.path.join(os.path.dirname(__file__), "_lend.py"),
        *places,
    ]
    # What it prints when it ends the helpers is no news: the ranks have said why.
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _take_connection(listener, launcher, seconds):
    """Get the connection to the launcher from the helper of this rank; the link to the helper stays open for as long as this process lives."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            connection, _ = listener.accept()
            break
        except TimeoutError:
            if launcher is not None and launcher.poll() is not None:
                said = launcher.stderr.read().decode(errors="replace").strip()
                raise DistBackendError(
                    f"mpiexec ended with the exit code {launcher.returncode}: {said}; {_HOW_TO_START}"
                ) from None
            if time.monotonic() > deadline:
                raise DistBackendError(
                    f"mpiexec did not start the helper of this rank in {seconds:.0f} s; {_HOW_TO_START}"
                ) from None
    connection.settimeout(None)
    data, descriptors, _, _ = socket.recv_fds(connection, 65536, 1)
    if not descriptors:
        raise RuntimeError(
            f"the installed mpiexec gives its processes no connection that can be passed on; {_HOW_TO_START}"
        )
    variables = dict(line.split("=", 1) for line in data.decode().split("\0"))
    os.environ.update(variables, PMI_FD=str(descriptors[0]))
    # MPI ends after all objects of Python: this one must not close its end before.
    connection.setblocking(False)
    _leaving.watch_helper(connection)
    os.dup(connection.fileno())
