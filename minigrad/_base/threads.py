"""How many threads matrix products use: NumPy's BLAS, asked through its own functions.

NumPy's wheels bring an OpenBLAS of their own, whose functions ctypes finds; elsewhere the ``threadpoolctl`` package does the same for
any BLAS, if it is installed.  Without either, the number cannot be changed here (the environment variable ``OMP_NUM_THREADS`` still can).
"""

import functools
import glob
import os

import numpy as np


@functools.cache
def _openblas():
    """The functions (get, set) of the OpenBLAS in NumPy's wheel; None if there is none."""
    import ctypes

    folder = os.path.dirname(np.__file__)
    for pattern in ("../numpy.libs/*openblas*", ".dylibs/*openblas*"):
        for path in glob.glob(os.path.join(folder, pattern)):
            library = ctypes.CDLL(path)
            for name in (
                "scipy_openblas_{}_num_threads64_",
                "scipy_openblas_{}_num_threads",
                "openblas_{}_num_threads",
            ):
                found = getattr(library, name.format("get"), None)
                if found is not None:
                    return found, getattr(library, name.format("set"))
    return None


def _pools():
    """threadpoolctl's view of the BLAS libraries in this process; empty without the package."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return []
    return [library for library in ThreadpoolController().lib_controllers if library.user_api == "blas"]


def get_num_threads():
    """The number of threads that matrix products use.

    >>> import minigrad
    >>> minigrad.get_num_threads() >= 1
    True
    """
    functions = _openblas()
    if functions is not None:
        return int(functions[0]())
    pools = _pools()
    return max((library.num_threads for library in pools), default=os.cpu_count() or 1)


def set_num_threads(n):
    """Let matrix products use ``n`` threads.

    Raises RuntimeError if ``n`` is not positive, and where NumPy's BLAS cannot be told so from here.

    >>> import minigrad
    >>> before = minigrad.get_num_threads()
    >>> minigrad.set_num_threads(1)
    >>> minigrad.get_num_threads()
    1
    >>> minigrad.set_num_threads(before)
    """
    if not isinstance(n, int) or isinstance(n, bool):
        raise RuntimeError(f"set_num_threads expects an int, but got {type(n).__name__}")
    if n <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    functions = _openblas()
    if functions is not None:
        functions[1](n)
        return
    pools = _pools()
    if not pools:
        raise RuntimeError(
            "the threads of this NumPy's BLAS cannot be set from here: install threadpoolctl, or set the environment "
            "variable OMP_NUM_THREADS before Python starts"
        )
    for library in pools:
        library.set_num_threads(n)
