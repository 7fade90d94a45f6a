"""Processes on two machines; the second is the same one in namespaces of its own, so only where a user may make these."""

import shutil
import subprocess
import sys

import pytest

from .conftest import PROGRAMS

ANOTHER = PROGRAMS.parent / "as_another_host.sh"


@pytest.fixture
def machines(mpi):
    from minigrad.distributed._launching import find_mpiexec

    if shutil.which("unshare") is None or subprocess.run([ANOTHER, "host", "true"]).returncode:
        pytest.skip("namespaces cannot be made here")
    if "HYDRA" not in subprocess.run([find_mpiexec(), "--version"], capture_output=True, text=True).stdout:
        pytest.skip("mpiexec is not that of MPICH")


def test_processes_on_two_machines(machines, command):
    done = command(
        *(sys.executable, "-m", "minigrad.distributed.run", "--hosts", "first,second", "--nproc-per-node", 2),
        *(
            "--mpiexec",
            f"-launcher ssh -launcher-exec {ANOTHER} -iface lo",
            PROGRAMS / "two_machines.py",
        ),
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == f"{[(name, rank, 2) for name in ('first', 'second') for rank in (0, 1)]}\n"
    assert not done.stderr
