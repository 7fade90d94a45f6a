"""Settings of computation on CUDA: there is none, so those of products are kept but change nothing; those of attention hold on the CPU."""

from types import SimpleNamespace as _Namespace

from .._base import attention_kernels as _kernels
from ._flags import changed as _changed

__all__ = [
    "SDPAParams",
    "can_use_cudnn_attention",
    "can_use_efficient_attention",
    "can_use_flash_attention",
    "cudnn_sdp_enabled",
    "enable_cudnn_sdp",
    "enable_flash_sdp",
    "enable_math_sdp",
    "enable_mem_efficient_sdp",
    "flash_sdp_enabled",
    "is_built",
    "is_flash_attention_available",
    "math_sdp_enabled",
    "matmul",
    "mem_efficient_sdp_enabled",
    "sdp_kernel",
]

#: ``allow_tf32`` and others, for products of matrices.
matmul = _Namespace(
    allow_tf32=False,
    allow_fp16_reduced_precision_reduction=True,
    allow_bf16_reduced_precision_reduction=True,
    allow_fp16_accumulation=False,
)


def is_built():
    """Whether this package was made for CUDA: False.

    >>> import minigrad
    >>> minigrad.backends.cuda.matmul.allow_tf32 = True
    >>> minigrad.backends.cuda.is_built()
    False
    """
    return False


def is_flash_attention_available():
    """Whether there is a kernel of attention for CUDA: False.

    >>> import minigrad
    >>> minigrad.backends.cuda.is_flash_attention_available()
    False
    """
    return False


def flash_sdp_enabled():
    """Whether attention may use flash attention.

    >>> import minigrad
    >>> minigrad.backends.cuda.flash_sdp_enabled()
    True
    """
    return _kernels.enabled["flash"]


def enable_flash_sdp(enabled):
    """Let attention use flash attention, or not.

    >>> import minigrad
    >>> minigrad.backends.cuda.enable_flash_sdp(True)
    >>> minigrad.backends.cuda.flash_sdp_enabled()
    True
    """
    _kernels.enabled["flash"] = bool(enabled)


def mem_efficient_sdp_enabled():
    """Whether attention may use the kernel that saves memory.

    >>> import minigrad
    >>> minigrad.backends.cuda.mem_efficient_sdp_enabled()
    True
    """
    return _kernels.enabled["mem_efficient"]


def enable_mem_efficient_sdp(enabled):
    """Let attention use the kernel that saves memory, or not.

    >>> import minigrad
    >>> minigrad.backends.cuda.enable_mem_efficient_sdp(True)
    >>> minigrad.backends.cuda.mem_efficient_sdp_enabled()
    True
    """
    _kernels.enabled["mem_efficient"] = bool(enabled)


def math_sdp_enabled():
    """Whether attention may be computed from its formula.

    >>> import minigrad
    >>> minigrad.backends.cuda.math_sdp_enabled()
    True
    """
    return _kernels.enabled["math"]


def enable_math_sdp(enabled):
    """Let attention be computed from its formula, or not.

    >>> import minigrad
    >>> minigrad.backends.cuda.enable_math_sdp(True)
    >>> minigrad.backends.cuda.math_sdp_enabled()
    True
    """
    _kernels.enabled["math"] = bool(enabled)


def cudnn_sdp_enabled():
    """Whether attention may use cuDNN's kernel.

    >>> import minigrad
    >>> minigrad.backends.cuda.cudnn_sdp_enabled()
    True
    """
    return _kernels.enabled["cudnn"]


def enable_cudnn_sdp(enabled):
    """Let attention use cuDNN's kernel, or not.

    >>> import minigrad
    >>> minigrad.backends.cuda.enable_cudnn_sdp(True)
    >>> minigrad.backends.cuda.cudnn_sdp_enabled()
    True
    """
    _kernels.enabled["cudnn"] = bool(enabled)


def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    """A context manager that says which kernels attention may use for the length of a ``with`` block.

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
    """The arguments of attention, of which ``can_use_flash_attention`` and its kin are asked.

    >>> import minigrad
    >>> x = minigrad.ones(1, 1, 2, 2)
    >>> minigrad.backends.cuda.SDPAParams(x, x, x, None, 0.0, False, False).dropout
    0.0
    """

    def __init__(self, query, key, value, attn_mask, dropout, is_causal, enable_gqa):
        self.query, self.key, self.value, self.attn_mask = query, key, value, attn_mask
        self.dropout, self.is_causal, self.enable_gqa = dropout, is_causal, enable_gqa


def can_use_flash_attention(params, debug=False):
    """Whether CUDA's flash attention takes these ``SDPAParams``: False.

    >>> import minigrad
    >>> x = minigrad.ones(1, 1, 2, 2)
    >>> minigrad.backends.cuda.can_use_flash_attention(minigrad.backends.cuda.SDPAParams(x, x, x, None, 0.0, False, False))
    False
    """
    return False


def can_use_efficient_attention(params, debug=False):
    """Whether CUDA's attention that saves memory takes these ``SDPAParams``: False.

    >>> import minigrad
    >>> x = minigrad.ones(1, 1, 2, 2)
    >>> minigrad.backends.cuda.can_use_efficient_attention(minigrad.backends.cuda.SDPAParams(x, x, x, None, 0.0, False, False))
    False
    """
    return False


def can_use_cudnn_attention(params, debug=False):
    """Whether cuDNN's attention takes these ``SDPAParams``: False.

    >>> import minigrad
    >>> x = minigrad.ones(1, 1, 2, 2)
    >>> minigrad.backends.cuda.can_use_cudnn_attention(minigrad.backends.cuda.SDPAParams(x, x, x, None, 0.0, False, False))
    False
    """
    return False
