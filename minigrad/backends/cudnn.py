"""cuDNN, the kernels of networks on CUDA: there is none, so its settings are kept but change nothing."""

from typing import Any

from .._api import Tensor
from .._base.dtypes import float16 as _float16
from .._base.dtypes import float32 as _float32
from .._base.dtypes import float64 as _float64
from ._flags import Precision as _Precision
from ._flags import a_bool as _a_bool
from ._flags import a_precision as _a_precision
from ._flags import changed as _changed
from ._flags import check_settings as _check_settings

__all__ = [
    "CUDNN_TENSOR_DTYPES",
    "conv",
    "flags",
    "is_acceptable",
    "is_available",
    "rnn",
    "set_flags",
    "version",
]

CUDNN_TENSOR_DTYPES = {_float64, _float32, _float16}
conv, rnn = _Precision("tf32"), _Precision("tf32")

enabled = True
benchmark = False
benchmark_limit = None
deterministic = False
allow_tf32 = True
fp32_precision = "none"
depthwise_kernel = "auto"


def is_available() -> bool:
    """Return whether the library is available: always False.

    >>> import minigrad
    >>> minigrad.backends.cudnn.benchmark = True
    >>> minigrad.backends.cudnn.is_available()
    False
    """
    return False


def version() -> None:
    """Return the library's version: None.

    >>> import minigrad
    >>> minigrad.backends.cudnn.version()
    """
    return None


def is_acceptable(tensor: Tensor) -> bool:
    """Return whether the library could process the tensor: always False.

    >>> import minigrad
    >>> minigrad.backends.cudnn.is_acceptable(minigrad.ones(2))
    False
    """
    return False


def set_flags(
    _enabled: Any = None, _benchmark: Any = None, _benchmark_limit: Any = None, _deterministic: Any = None, _allow_tf32: Any = None, _fp32_precision: str = "none",
    _depthwise_kernel: Any = None,
) -> Any:  # fmt: skip
    """Change settings; return the previous values of all.

    >>> import minigrad
    >>> before = minigrad.backends.cudnn.set_flags(_benchmark=True)
    >>> minigrad.backends.cudnn.benchmark
    True
    >>> minigrad.backends.cudnn.benchmark = False
    """
    given = {
        "enabled": _enabled,
        "benchmark": _benchmark,
        "benchmark_limit": _benchmark_limit,
        "deterministic": _deterministic,
        "allow_tf32": _allow_tf32,
        "fp32_precision": _fp32_precision,
        "depthwise_kernel": _depthwise_kernel,
    }
    before = tuple(globals()[name] for name in given)
    globals().update({name: value for name, value in given.items() if value is not None})
    return before


def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
    fp32_precision: str = "none",
    depthwise_kernel: str = "auto",
) -> Any:
    """Return a context manager that changes settings.

    >>> import minigrad
    >>> with minigrad.backends.cudnn.flags(benchmark=True): print(minigrad.backends.cudnn.benchmark)
    True
    """
    return _changed(
        globals(),
        enabled=enabled,
        benchmark=benchmark,
        benchmark_limit=benchmark_limit,
        deterministic=deterministic,
        allow_tf32=allow_tf32,
        fp32_precision=fp32_precision,
        depthwise_kernel=depthwise_kernel,
    )


_check_settings(
    globals(),
    enabled=_a_bool("set_enabled_cudnn"),
    benchmark=_a_bool("set_benchmark_cudnn"),
    deterministic=_a_bool("set_deterministic_cudnn"),
    allow_tf32=_a_bool("set_allow_tf32_cudnn"),
    fp32_precision=_a_precision,
)
