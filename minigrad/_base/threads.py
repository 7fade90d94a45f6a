"""How many threads an operation uses, and what NumPy's BLAS may do beside them.

minigrad shares large operations among threads of its own (``pool.py``), which sleep between operations.  OpenBLAS's threads spin instead, for some 26 ms
after every product, and take the cores from whoever has work: so its number is set to one, for the whole process, when minigrad is imported.  The environment
variable ``MINIGRAD_HOLD_BLAS=0`` leaves BLAS its threads; products are BLAS's own business then.

NumPy's wheels bring an OpenBLAS of their own, whose functions ctypes finds; elsewhere the ``threadpoolctl`` package does the same for
any BLAS, if it is installed.  Without either, BLAS keeps its threads (the environment variable ``OMP_NUM_THREADS`` still says how many).
"""

import functools
import os

from . import openblas, pool


@functools.cache
def _openblas():
    """The functions (get, set) of the OpenBLAS in NumPy's wheel; None if there is none."""
    names = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")
    get, set_ = (openblas.function(*(name.format(verb) for name in names)) for verb in ("get", "set"))
    return None if get is None else (get, set_)


def _pools():
    """threadpoolctl's view of the BLAS libraries in this process; empty without the package."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return []
    return [library for library in ThreadpoolController().lib_controllers if library.user_api == "blas"]


#: Whether BLAS computes on the thread that calls it, so that products are for us to share.
held = False


def hold_blas():
    """Set the threads of NumPy's own OpenBLAS to one, and let the pool have as many as it would have used."""
    global held
    if os.environ.get("MINIGRAD_HOLD_BLAS") == "0":
        return
    functions = _openblas()
    if functions is not None:
        get, set_ = functions
        pool.set_count(int(get()))
        set_(1)
        held = True


def get_num_threads() -> int:
    """Return the number of threads that share a large operation.

    >>> import minigrad
    >>> minigrad.get_num_threads() >= 1
    True
    """
    return pool.count()


def set_num_threads(n: int) -> None:
    """Set the number of threads that share a large operation.

    It does not change results by a single bit. If BLAS has threads of its own (``MINIGRAD_HOLD_BLAS=0``, or another BLAS than that of
    NumPy's wheels), their number is set too. Raises RuntimeError if ``n`` is not a positive int.

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
    pool.set_count(n)
    if held:
        return
    functions = _openblas()
    if functions is not None:
        functions[1](n)
        return
    for library in _pools():
        library.set_num_threads(n)
