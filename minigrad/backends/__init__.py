"""The libraries that PyTorch computes with, each a module that says whether it is there: none is, NumPy computes."""

from typing import Any

from .._base import lazy as _lazy
from . import _flags

_SUBMODULES = (
    "cpu", "cuda", "cudnn", "cusparselt", "kleidiai", "mha", "miopen", "mkl", "mkldnn", "mps", "nnpack", "openmp", "opt_einsum",
    "quantized", "xnnpack",
)  # fmt: skip
_later = {name: (f"backends.{name}", "") for name in _SUBMODULES}

#: How float32 numbers are multiplied, unless a library's module says otherwise: kept, and changes nothing.
fp32_precision = "none"


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def __dir__():
    return sorted({*globals(), *_later})


def flags_frozen() -> Any:
    """Whether assignments to settings are refused.

    >>> import minigrad
    >>> minigrad.backends.flags_frozen()
    False
    """
    return _flags.is_frozen()


def disable_global_flags() -> None:
    """Refuse all further assignments to settings of these modules, for the rest of the program: only blocks change them."""
    _flags.freeze()


_flags.check_settings(globals(), fp32_precision=_flags.a_precision)
