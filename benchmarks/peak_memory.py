"""How many bytes the arrays of a library take at the worst moment of a benchmark: ``python -m benchmarks.peak_memory minigrad 'LeNet'``.

Counted where the library gets its memory from: NumPy's memory handler for what is built on NumPy, the profiler's records for PyTorch.  One benchmark in
a process, on one thread.
"""

import argparse
import ctypes
import gc
import importlib
import os
import re

from benchmarks.subprocesses import python


def bytes_at_peak(library, path):
    """The answer of a process of its own."""
    return int(python("-m", "benchmarks.peak_memory", library, f"^{re.escape(path)}$", threads=1))


def bytes_held(library, path):
    """What arrays hold that five runs of a benchmark have made and left behind: the answer of a process of its own."""
    return int(python("-m", "benchmarks.peak_memory", library, f"^{re.escape(path)}$", "--held", threads=1))


def rise(changes):
    """The largest rise in a history of changes, from one level to a later one."""
    level = lowest = most = 0
    for change in changes:
        level += change
        lowest = min(lowest, level)
        most = max(most, level - lowest)
    return most


def peak(library, run):
    """The largest rise of what arrays hold while ``run()`` runs: a training step begins with dropping the last one's gradients."""
    run()  # makes what stays, such as the state of an optimizer
    gc.collect()
    return rise(history_of_torch(library, run) if library.__name__ == "torch" else history_of_numpy(run))


def left_behind(run):
    """The bytes of arrays that five runs have made and left behind."""

    def runs():
        for _ in range(5):
            run()
        gc.collect()

    return sum(history_of_numpy(runs))


def history_of_torch(torch, run):
    """The bytes of each allocation, and of each release as a negative number, in their order."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profile:
        run()
    events = profile.profiler.kineto_results.events()
    records = [(each.start_ns(), each.nbytes()) for each in events if each.name() == "[memory]"]
    return [nbytes for _, nbytes in sorted(records, key=lambda record: record[0])]


# NumPy's memory handler: where the elements of all arrays come from ------------------------------------------------------

Pointer, Size = ctypes.c_void_p, ctypes.c_size_t
Malloc = ctypes.CFUNCTYPE(Pointer, Pointer, Size)
Calloc = ctypes.CFUNCTYPE(Pointer, Pointer, Size, Size)
Realloc = ctypes.CFUNCTYPE(Pointer, Pointer, Pointer, Size)
Free = ctypes.CFUNCTYPE(None, Pointer, Pointer, Size)


class Handler(ctypes.Structure):
    """``PyDataMem_Handler`` of NumPy's C API."""

    _fields_ = [
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", Pointer),
        ("malloc", Malloc),
        ("calloc", Calloc),
        ("realloc", Realloc),
        ("free", Free),
    ]


SET_HANDLER = 304  # its place in the table of NumPy's C API, from NumPy 1.22 on


def history_of_numpy(run, look=None):
    """As ``history_of_torch``, of the arrays made while ``run()`` runs; ``look(change)``, if given, is called at each.

    Arrays that outlive it go on calling the functions made here: the process has to end without freeing them.
    """
    history = []

    def note(change):
        history.append(change)
        if look is not None:
            look(change)

    handler = counting(note)
    make = function(ctypes.pythonapi, "PyCapsule_New", ctypes.py_object, Pointer, ctypes.c_char_p, Pointer)
    capsule = make(ctypes.addressof(handler), b"mem_handler", None)
    before = set_handler(capsule)
    try:
        run()
    finally:
        set_handler(before)
    kept.append(handler)
    return history


kept = []  # handlers that arrays may still call


def counting(note):
    """A handler that gets memory from the C library and tells ``note`` by how much more or less is held."""
    c_library = ctypes.CDLL(None)
    malloc = function(c_library, "malloc", Pointer, Size)
    calloc = function(c_library, "calloc", Pointer, Size, Size)
    realloc = function(c_library, "realloc", Pointer, Pointer, Size)
    free = function(c_library, "free", None, Pointer)
    sizes = {}

    def new(pointer, size):
        sizes[pointer] = size
        note(size)
        return pointer

    def changed(pointer, size):
        old = sizes.pop(pointer, 0)
        pointer = realloc(pointer, size)
        sizes[pointer] = size
        note(size - old)
        return pointer

    def gone(pointer):
        free(pointer)
        note(-sizes.pop(pointer, 0))

    return Handler(
        b"counting",
        1,
        None,
        Malloc(lambda _, size: new(malloc(size), size)),
        Calloc(lambda _, count, each: new(calloc(count, each), count * each)),
        Realloc(lambda _, pointer, size: changed(pointer, size)),
        Free(lambda _, pointer, size: gone(pointer)),
    )


def function(library, name, result, *arguments):
    """A function of a C library, with its types."""
    found = library[name]
    found.restype, found.argtypes = result, arguments
    return found


def set_handler(capsule):
    """Make ``capsule`` the handler of arrays to come; returns the one before."""
    from numpy._core import _multiarray_umath

    address = function(ctypes.pythonapi, "PyCapsule_GetPointer", Pointer, ctypes.py_object, ctypes.c_char_p)
    table = ctypes.cast(address(_multiarray_umath._ARRAY_API, None), ctypes.POINTER(Pointer))
    return ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(table[SET_HANDLER])(capsule)


def main():
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peak_memory", description=__doc__.partition(":")[0]
    )
    parser.add_argument("library", help="the module to import, such as minigrad")
    parser.add_argument("benchmark", help="a regular expression for one 'subject: name'")
    parser.add_argument("--held", action="store_true", help="instead: how many they take after five runs")
    options = parser.parse_args()
    from benchmarks import cases
    from benchmarks.registry import FAST

    setups = [
        each.setup
        for subject in cases.subjects()
        for each in subject.benchmarks
        if each.setup is not None and re.search(options.benchmark, each.path)
    ]
    if len(setups) != 1:
        parser.error(f"{len(setups)} benchmarks match {options.benchmark!r}, not one")
    os.environ.setdefault(FAST, "0")  # what other allocators give is not counted
    library = importlib.import_module(options.library)
    run = setups[0](library)
    print(left_behind(run) if options.held else peak(library, run), flush=True)
    os._exit(0)  # see history_of_numpy


if __name__ == "__main__":
    main()
