"""The OpenBLAS in NumPy's wheel, whose functions ctypes finds; other builds of NumPy have another BLAS, and nothing here."""

import functools
import os

import numpy as np


@functools.cache
def _libraries():
    import ctypes

    package = os.path.dirname(np.__file__)
    folders = (os.path.join(package, "..", "numpy.libs"), os.path.join(package, ".dylibs"))
    return [
        ctypes.CDLL(os.path.join(folder, name))
        for folder in folders
        for name in (os.listdir(folder) if os.path.isdir(folder) else ())
        if "openblas" in name
    ]


def function(*names):
    """The first function of these names that there is; None if there is none."""
    for library in _libraries():
        for name in names:
            found = getattr(library, name, None)
            if found is not None:
                return found
    return None
