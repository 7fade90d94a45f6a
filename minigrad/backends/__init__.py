"""The libraries that PyTorch computes with, each a module that says whether it is there: none is, NumPy computes."""

from typing import TYPE_CHECKING, Any

from .._base import lazy as _lazy
from . import _flags

if TYPE_CHECKING:
    from . import cpu as cpu
    from . import cuda as cuda
    from . import cudnn as cudnn
    from . import cusparselt as cusparselt
    from . import kleidiai as kleidiai
    from . import mha as mha
    from . import miopen as miopen
    from . import mkl as mkl
    from . import mkldnn as mkldnn
    from . import mps as mps
    from . import nnpack as nnpack
    from . import openmp as openmp
    from . import opt_einsum as opt_einsum
    from . import quantized as quantized
    from . import xnnpack as xnnpack


_SUBMODULES = (
    "cpu", "cuda", "cudnn", "cusparselt", "kleidiai", "mha", "miopen", "mkl", "mkldnn", "mps", "nnpack", "openmp", "opt_einsum",
    "quantized", "xnnpack",
)  # fmt: skip
_later = {name: (f"backends.{name}", "") for name in _SUBMODULES}

#: How float32 numbers are multiplied, unless a library's module says otherwise: kept, and changes nothing.
fp32_precision = "none"


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


def flags_frozen() -> Any:
    """Return whether assignments to settings are refused.

    >>> import minigrad
    >>> minigrad.backends.flags_frozen()
    False
    """
    return _flags.is_frozen()


def disable_global_flags() -> None:
    """Refuse assignments to these settings for the rest of the program; context managers can still change them."""
    _flags.freeze()


_flags.check_settings(globals(), fp32_precision=_flags.a_precision)
