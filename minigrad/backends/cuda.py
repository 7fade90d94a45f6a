"""Settings of computation on CUDA: there is none, so those of products are kept but change nothing; those of attention hold on the CPU."""

import enum as _enum
from typing import Any

from .._api import Tensor
from .._base import attention_kernels as _kernels
from .._base.device import Device as _Device
from .._base.missing import getattr_of as _getattr_of
from .._devices.absent import CUDA as _CUDA
from ._flags import Precision as _Precision
from ._flags import a_bool as _a_bool
from ._flags import changed as _changed

__all__ = [
    "SDPAParams",
    "allow_fp16_bf16_reduction_math_sdp",
    "can_use_cudnn_attention",
    "can_use_efficient_attention",
    "can_use_flash_attention",
    "cuBLASModule",
    "cuFFTPlanCacheManager",
    "cublas_workspace_size",
    "cudnn_sdp_enabled",
    "cufft_plan_cache",
    "enable_cudnn_sdp",
    "enable_flash_sdp",
    "enable_math_sdp",
    "enable_mem_efficient_sdp",
    "flash_sdp_enabled",
    "fp16_bf16_reduction_math_sdp_allowed",
    "is_built",
    "is_ck_sdpa_available",
    "is_flash_attention_available",
    "math_sdp_enabled",
    "matmul",
    "mem_efficient_sdp_enabled",
    "preferred_blas_library",
    "preferred_linalg_library",
    "preferred_rocm_fa_library",
    "sdp_kernel",
]


class cuBLASModule:
    """Settings for matrix products, which have no effect."""

    _bools = (
        "allow_tf32",
        "allow_fp16_reduced_precision_reduction",
        "allow_bf16_reduced_precision_reduction",
        "allow_fp16_accumulation",
    )

    def __init__(self) -> None:
        values = {**dict.fromkeys(self._bools, True), "allow_tf32": False, "allow_fp16_accumulation": False}
        vars(self).update(values, _precision=_Precision())

    def __getattr__(self, name: str) -> Any:
        if name == "fp32_precision":
            return vars(self)["_precision"].fp32_precision
        raise AttributeError(f"Unknown attribute {name}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "fp32_precision":
            self._precision.fp32_precision = value
        elif name in self._bools:
            _a_bool(f"set_{name}_cublas")(value)
            vars(self)[name] = value
        else:
            raise AttributeError(f"Unknown attribute {name}")


class cuFFTPlanCacheManager:
    """The plan caches of cuFFT, of which there are none."""

    def __getitem__(self, device: _Device) -> Any:
        number = _CUDA.index(device)
        raise RuntimeError(
            f"cufft_plan_cache: expected 0 <= device index < 0, but got device with index {number}"
        )

    size: Any = property(
        lambda self: _CUDA.refuse(), doc="The number of plans: raises AssertionError, as there is no device."
    )
    max_size: Any = property(
        lambda self: _CUDA.refuse(), doc="The most plans: raises AssertionError, as there is no device."
    )

    def clear(self) -> None:
        """Raise AssertionError: there is no device whose plans could be cleared."""
        _CUDA.refuse()


_LinalgBackend = _enum.IntEnum("_LinalgBackend", "Default Cusolver Magma", start=0, module=__name__)
_BlasBackend = _enum.IntEnum("_BlasBackend", "Default Cublas Cublaslt Ck", start=0, module=__name__)
_ROCmFABackend = _enum.IntEnum("_ROCmFABackend", "Default AOTriton Ck", start=0, module=__name__)
matmul, cufft_plan_cache = cuBLASModule(), cuFFTPlanCacheManager()
_reduced_math = False


def _preferred(kind, names, backend, usual):
    """The member of ``kind`` that computes; raises RuntimeError for a ``backend`` that is none, or is not there."""
    if backend is None:
        return usual
    if not isinstance(backend, (str, kind)):
        raise RuntimeError("Unknown input value type.")
    name = backend.name.lower() if isinstance(backend, kind) else backend
    if name not in names.split(", "):
        raise RuntimeError(f"Unknown input value. Choose from: {names}.")
    if name not in ("default", usual.name.lower()):
        raise RuntimeError(
            f"Cannot set preferred backend to {name} if PyTorch has not been compiled with {name}."
        )
    return usual


def preferred_linalg_library(backend: Any = None) -> Any:
    """Return the preferred linear algebra library for CUDA: the default one; raise RuntimeError for another.

    >>> import minigrad
    >>> minigrad.backends.cuda.preferred_linalg_library().name
    'Default'
    """
    return _preferred(_LinalgBackend, "default, cusolver, magma", backend, _LinalgBackend.Default)


def preferred_blas_library(backend: Any = None) -> Any:
    """Return the preferred BLAS library for CUDA: cuBLAS; raise RuntimeError for another.

    >>> import minigrad
    >>> minigrad.backends.cuda.preferred_blas_library().name
    'Cublas'
    """
    names = "default, cublas, hipblas, cublaslt, hipblaslt, ck"
    return _preferred(_BlasBackend, names, backend, _BlasBackend.Cublas)


def preferred_rocm_fa_library(backend: Any = None) -> Any:
    """Return the preferred attention library for AMD devices: the default one; raise RuntimeError for another.

    >>> import minigrad
    >>> minigrad.backends.cuda.preferred_rocm_fa_library().name
    'Default'
    """
    return _preferred(_ROCmFABackend, "default, aotriton, ck", backend, _ROCmFABackend.Default)


def cublas_workspace_size(size: int | None = None) -> Any:
    """Raise AttributeError: there is no device with a cuBLAS workspace.

    >>> import minigrad
    >>> minigrad.backends.cuda.cublas_workspace_size()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_getCublasWorkspaceSize': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    _CUDA.missing("_cuda_getCublasWorkspaceSize")


def is_ck_sdpa_available() -> bool:
    """Return whether attention can use Composable Kernel: always False.

    >>> import minigrad
    >>> minigrad.backends.cuda.is_ck_sdpa_available()
    False
    """
    return False


def fp16_bf16_reduction_math_sdp_allowed() -> Any:
    """Return whether attention may sum in 16 bits.

    >>> import minigrad
    >>> minigrad.backends.cuda.fp16_bf16_reduction_math_sdp_allowed()
    False
    """
    return _reduced_math


def allow_fp16_bf16_reduction_math_sdp(enabled: bool) -> None:
    """Set whether attention may sum in 16 bits, which has no effect.

    >>> import minigrad
    >>> minigrad.backends.cuda.allow_fp16_bf16_reduction_math_sdp(False)
    """
    global _reduced_math
    _reduced_math = bool(enabled)


def is_built() -> bool:
    """Return whether this package was built with CUDA: always False.

    >>> import minigrad
    >>> minigrad.backends.cuda.matmul.allow_tf32 = True
    >>> minigrad.backends.cuda.is_built()
    False
    """
    return False


def is_flash_attention_available() -> bool:
    """Return whether flash attention for CUDA is available: always False.

    >>> import minigrad
    >>> minigrad.backends.cuda.is_flash_attention_available()
    False
    """
    return False


def flash_sdp_enabled() -> Any:
    """Return whether attention may use flash attention.

    >>> import minigrad
    >>> minigrad.backends.cuda.flash_sdp_enabled()
    True
    """
    return _kernels.enabled["flash"]


def enable_flash_sdp(enabled: bool) -> None:
    """Set whether attention may use flash attention.

    >>> import minigrad
    >>> minigrad.backends.cuda.enable_flash_sdp(True)
    >>> minigrad.backends.cuda.flash_sdp_enabled()
    True
    """
    _kernels.enabled["flash"] = bool(enabled)


def mem_efficient_sdp_enabled() -> Any:
    """Return whether attention may use the memory-efficient kernel.

    >>> import minigrad
    >>> minigrad.backends.cuda.mem_efficient_sdp_enabled()
    True
    """
    return _kernels.enabled["mem_efficient"]


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Set whether attention may use the memory-efficient kernel.

    >>> import minigrad
    >>> minigrad.backends.cuda.enable_mem_efficient_sdp(True)
    >>> minigrad.backends.cuda.mem_efficient_sdp_enabled()
    True
    """
    _kernels.enabled["mem_efficient"] = bool(enabled)


def math_sdp_enabled() -> Any:
    """Return whether attention may be computed from its formula.

    >>> import minigrad
    >>> minigrad.backends.cuda.math_sdp_enabled()
    True
    """
    return _kernels.enabled["math"]


def enable_math_sdp(enabled: bool) -> None:
    """Set whether attention may be computed from its formula.

    >>> import minigrad
    >>> minigrad.backends.cuda.enable_math_sdp(True)
    >>> minigrad.backends.cuda.math_sdp_enabled()
    True
    """
    _kernels.enabled["math"] = bool(enabled)


def cudnn_sdp_enabled() -> Any:
    """Return whether attention may use cuDNN's kernel.

    >>> import minigrad
    >>> minigrad.backends.cuda.cudnn_sdp_enabled()
    True
    """
    return _kernels.enabled["cudnn"]


def enable_cudnn_sdp(enabled: bool) -> None:
    """Set whether attention may use cuDNN's kernel.

    >>> import minigrad
    >>> minigrad.backends.cuda.enable_cudnn_sdp(True)
    >>> minigrad.backends.cuda.cudnn_sdp_enabled()
    True
    """
    _kernels.enabled["cudnn"] = bool(enabled)


def sdp_kernel(
    enable_flash: bool = True,
    enable_math: bool = True,
    enable_mem_efficient: bool = True,
    enable_cudnn: bool = True,
) -> Any:
    """Return a context manager that sets which kernels attention may use.

    >>> import minigrad
    >>> with minigrad.backends.cuda.sdp_kernel(enable_flash=False): print(minigrad.backends.cuda.flash_sdp_enabled())
    False
    """
    return _changed(
        _kernels.enabled,
        flash=enable_flash,
        math=enable_math,
        mem_efficient=enable_mem_efficient,
        cudnn=enable_cudnn,
    )


class SDPAParams:
    """The arguments of attention, as ``can_use_flash_attention`` and similar functions take them.

    >>> import minigrad
    >>> x = minigrad.ones(1, 1, 2, 2)
    >>> minigrad.backends.cuda.SDPAParams(x, x, x, None, 0.0, False, False).dropout
    0.0
    """

    query: Any
    key: Any
    value: Any
    attn_mask: Any
    dropout: float
    is_causal: bool
    enable_gqa: Any

    def __init__(
        self,
        query: Tensor,
        key: Tensor,
        value: Any,
        attn_mask: Tensor | None,
        dropout: float,
        is_causal: bool,
        enable_gqa: Any,
    ) -> None:
        self.query, self.key, self.value, self.attn_mask = query, key, value, attn_mask
        self.dropout, self.is_causal, self.enable_gqa = dropout, is_causal, enable_gqa


def can_use_flash_attention(params: Any, debug: bool = False) -> bool:
    """Return whether CUDA's flash attention supports these ``SDPAParams``: always False.

    >>> import minigrad
    >>> x = minigrad.ones(1, 1, 2, 2)
    >>> minigrad.backends.cuda.can_use_flash_attention(minigrad.backends.cuda.SDPAParams(x, x, x, None, 0.0, False, False))
    False
    """
    return False


def can_use_efficient_attention(params: Any, debug: bool = False) -> bool:
    """Return whether CUDA's memory-efficient attention supports these ``SDPAParams``: always False.

    >>> import minigrad
    >>> x = minigrad.ones(1, 1, 2, 2)
    >>> minigrad.backends.cuda.can_use_efficient_attention(minigrad.backends.cuda.SDPAParams(x, x, x, None, 0.0, False, False))
    False
    """
    return False


def can_use_cudnn_attention(params: Any, debug: bool = False) -> bool:
    """Return whether cuDNN's attention supports these ``SDPAParams``: always False.

    >>> import minigrad
    >>> x = minigrad.ones(1, 1, 2, 2)
    >>> minigrad.backends.cuda.can_use_cudnn_attention(minigrad.backends.cuda.SDPAParams(x, x, x, None, 0.0, False, False))
    False
    """
    return False


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
