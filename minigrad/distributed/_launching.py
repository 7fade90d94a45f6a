"""Where the launcher of MPI is, and how it is told what to start."""

import os
import shutil
import sys

from .._base.extras import missing_extra


def find_mpiexec():
    """The path of ``mpiexec``: of the environment that this Python belongs to, else of the search path; raises ImportError where there is none."""
    beside = os.path.dirname(sys.executable)
    found = shutil.which("mpiexec", path=beside) or shutil.which("mpiexec")
    if found is None:
        raise missing_extra("Starting several processes", "mpich", "mpi")
    return found
