"""MPI, by the package mpi4py: loaded when the first group of several processes is made, never before."""

import contextlib
import importlib.util
import os
import sys
import time
from typing import Any

from .._base.extras import missing_extra

_excepthook: Any = None


def installed():
    """Whether the package is there; it is not loaded."""
    return "mpi4py" in sys.modules or importlib.util.find_spec("mpi4py") is not None


def load():
    """``mpi4py.MPI``, which starts MPI if need be; raises ImportError without the package."""
    if not installed():
        raise missing_extra("A group of several processes", "mpi4py", "mpi")
    from mpi4py import MPI

    return MPI


def end_all_on_exceptions():
    """Let an exception that nobody catches end all ranks, after its traceback: the others would wait for this one."""
    global _excepthook
    if _excepthook is not None:
        return
    before = _excepthook = sys.excepthook

    def report(kind: Any, value: Any, traceback: Any) -> None:
        before(kind, value, traceback)
        abort(1)

    sys.excepthook = report


def abort(code):
    """End all ranks at once."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # closed by the program
            stream.flush()
    time.sleep(0.2)  # the launcher passes on what was printed
    MPI = load()
    if MPI.Is_initialized() and not MPI.Is_finalized():
        MPI.COMM_WORLD.Abort(code)
    os._exit(code)
