"""Normalisation over the last axes, groups of channels, or neighbouring channels."""

import numbers
from typing import Any

from ..._api import Size, Tensor, _Device
from ..._api import dtype as _dtype
from .. import functional as F
from .. import init
from .batchnorm import _make, _reset_affine
from .module import Module
from .utils import _shown

__all__ = ["CrossMapLRN2d", "GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


class _ResponseNorm(Module):
    def __init__(self, size: Any, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def extra_repr(self) -> str:
        return f"{self.size}, {_shown(self, 'alpha beta k')}"


class LocalResponseNorm(_ResponseNorm):
    """Divide by a power of the mean square over ``size`` neighbouring channels: ``input / (k + alpha * mean_square) ** beta``, for
    ``(N, C, ...)``. [Krizhevsky et al. 2012]

    >>> import minigrad
    >>> minigrad.nn.LocalResponseNorm(2)(minigrad.ones(1, 4, 1)).shape
    torch.Size([1, 4, 1])
    """

    __constants__: list[Any] = ["size", "alpha", "beta", "k"]

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class CrossMapLRN2d(_ResponseNorm):
    """Apply ``LocalResponseNorm`` as Torch 7 did: to ``(N, C, H, W)``, with windows of an odd number of channels.

    >>> import minigrad
    >>> minigrad.nn.CrossMapLRN2d(3)(minigrad.ones(1, 4, 2, 2)).shape
    torch.Size([1, 4, 2, 2])
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__(size, alpha, beta, k)

    def forward(self, input: Tensor) -> Tensor:
        from ._functions import CrossMapLRN2d  # an autograd.Function, which few programs need

        return CrossMapLRN2d.apply(input, self.size, self.alpha, self.beta, self.k)


class _OverLastAxes(Module):
    """What has parameters of shape ``normalized_shape``."""

    normalized_shape: tuple[Any, ...]

    __constants__: list[Any] = ["normalized_shape", "eps", "elementwise_affine"]

    def __init__(self, normalized_shape: Any, eps: float | None, elementwise_affine: bool) -> None:
        super().__init__()
        if isinstance(normalized_shape, numbers.Integral):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, {_shown(self, 'eps elementwise_affine')}"


class LayerNorm(_OverLastAxes):
    """Normalise over the last dimensions, of sizes ``normalized_shape``: ``(input - mean) / sqrt(var + eps) * weight + bias``. [Ba et al. 2016]

    >>> import minigrad
    >>> minigrad.nn.LayerNorm(2, elementwise_affine=False)(minigrad.tensor([[1., 3.]]))
    tensor([[-1.0000,  1.0000]])
    """

    eps: float

    def __init__(
        self,
        normalized_shape: int | list[int] | Size,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__(normalized_shape, eps, elementwise_affine)
        _make(self, "weight", elementwise_affine, self.normalized_shape, device, dtype)
        _make(self, "bias", elementwise_affine and bias, self.normalized_shape, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set weights to 1 and biases to 0."""
        if self.elementwise_affine:
            _reset_affine(self)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, bias={self.bias is not None}"


class RMSNorm(_OverLastAxes):
    """Divide by the root mean square over the last dimensions, of sizes ``normalized_shape``: ``input / sqrt(mean(input ** 2) + eps) * weight``.

    ``eps=None`` stands for the machine epsilon of the input's dtype. [Zhang and Sennrich 2019]

    >>> import minigrad
    >>> minigrad.nn.RMSNorm(2, elementwise_affine=False)(minigrad.tensor([[3., 3.]]))
    tensor([[1., 1.]])
    """

    def __init__(
        self,
        normalized_shape: int | list[int] | Size,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__(normalized_shape, eps, elementwise_affine)
        _make(self, "weight", elementwise_affine, self.normalized_shape, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set weights to 1."""
        if self.elementwise_affine:
            init.ones_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)


class GroupNorm(Module):
    """Normalise over each of ``num_groups`` groups of channels of ``(N, C, ...)``, then scale and shift each channel.

    Computes ``(input - mean) / sqrt(var + eps)`` times a weight plus a bias per channel. Raises ValueError unless ``num_groups`` divides
    the channels. [Wu and He 2018]

    >>> import minigrad
    >>> minigrad.nn.GroupNorm(1, 2, affine=False)(minigrad.tensor([[1., 3.]]))
    tensor([[-1.0000,  1.0000]])
    """

    __constants__: list[Any] = ["num_groups", "num_channels", "eps", "affine"]

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        _make(self, "weight", affine, num_channels, device, dtype)
        _make(self, "bias", affine and bias, num_channels, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set weights to 1 and biases to 0."""
        if self.affine:
            _reset_affine(self)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        shown = _shown(self, "eps affine")
        return f"{self.num_groups}, {self.num_channels}, {shown}, bias={self.bias is not None}"
