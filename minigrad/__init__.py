"""minigrad: PyTorch's tensors, autograd, nn and optim over NumPy."""

import importlib

from . import _api
from ._api import *
from ._core.dtypes import PUBLIC as _dtypes

globals().update(_dtypes)

__version__ = "0.1.0"

_SUBMODULES = ("autograd", "nn", "optim", "utils", "serialization", "linalg", "special", "fft", "func", "random", "testing")


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
