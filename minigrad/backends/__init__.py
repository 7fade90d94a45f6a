"""The libraries that PyTorch computes with, each a module that says whether it is there: none is, NumPy computes."""

from .._base import lazy as _lazy

_SUBMODULES = (
    "cpu", "cuda", "cudnn", "cusparselt", "mha", "mkl", "mkldnn", "mps", "nnpack", "openmp", "opt_einsum",
)  # fmt: skip
_later = {name: (f"backends.{name}", "") for name in _SUBMODULES}


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def __dir__():
    return sorted({*globals(), *_later})
