"""minigrad: PyTorch's tensors, autograd, nn and optim in pure Python over NumPy.

``import minigrad as torch`` and a program written for PyTorch runs.  The tensor-level names are here; ``nn``, ``optim`` and the other
subpackages are imported when they are first used.
"""

import importlib
from math import e, inf, nan, pi

from ._core.allocator import keep_memory as _keep_memory

_keep_memory()  # before the first large array

from ._alias import install_as_torch, uninstall_as_torch  # noqa: E402
from ._api import *  # noqa: E402
from ._api import autograd  # noqa: E402
from ._core.dtypes import bfloat16, complex64, complex128, float16, float32, float64  # noqa: E402
from ._core.dtypes import bool_ as bool  # noqa: E402
from ._core.dtypes import complex64 as cfloat  # noqa: E402
from ._core.dtypes import complex128 as cdouble  # noqa: E402
from ._core.dtypes import float16 as half  # noqa: E402
from ._core.dtypes import float32 as float  # noqa: E402
from ._core.dtypes import float64 as double  # noqa: E402
from ._core.dtypes import int8, int16, int32, int64, uint8, uint16, uint32, uint64  # noqa: E402
from ._core.dtypes import int16 as short  # noqa: E402
from ._core.dtypes import int32 as int  # noqa: E402
from ._core.dtypes import int64 as long  # noqa: E402
from ._core.printing import set_printoptions  # noqa: E402
from .version import __version__  # noqa: E402

#: Imported on first use, so that importing minigrad stays quick.
_SUBMODULES = ("nn", "optim", "random", "return_types", "serialization", "storage", "utils")
#: Functions whose home is such a submodule.
_LAZY = {
    "get_num_threads": "_core.threads",
    "load": "serialization",
    "save": "serialization",
    "set_num_threads": "_core.threads",
}


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _LAZY:
        found = getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__():
    return sorted({*globals(), *_SUBMODULES, *_LAZY})
