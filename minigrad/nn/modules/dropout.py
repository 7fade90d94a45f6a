"""Dropout: elements or channels set to zero at random, in training mode only."""

from typing import Any

from ..._api import Tensor
from .. import functional as F
from .module import Module

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _DropoutNd(Module):
    __constants__: list[Any] = ["p", "inplace"]

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """In training mode, set elements to zero with probability ``p``, and scale the others by ``1 / (1 - p)``. [Hinton et al. 2012]

    >>> import minigrad
    >>> minigrad.nn.Dropout(0.2).eval()(minigrad.ones(2))
    tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """In training mode, drop whole channels of ``(N, C, L)`` or ``(C, L)`` with probability ``p``.

    >>> import minigrad
    >>> x = minigrad.nn.Dropout1d()(minigrad.ones(9, 2))
    >>> (x[:, 0] == x[:, 1]).all()
    tensor(True)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """In training mode, drop whole channels of ``(N, C, H, W)`` with probability ``p``.

    >>> import minigrad
    >>> x = minigrad.nn.Dropout2d()(minigrad.ones(1, 9, 1, 2))
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """In training mode, drop whole channels of ``(N, C, D, H, W)`` or ``(C, D, H, W)`` with probability ``p``.

    >>> import minigrad
    >>> x = minigrad.nn.Dropout3d()(minigrad.ones(1, 9, 1, 1, 2))
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout for networks with ``SELU``: dropped elements take its lower limit, and mean and variance are preserved. [Klambauer et al. 2017]

    >>> import minigrad
    >>> minigrad.nn.AlphaDropout().eval()(minigrad.tensor([1., 2.]))
    tensor([1., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """Apply ``AlphaDropout`` to whole channels of ``(N, C, ...)``.

    >>> import minigrad
    >>> x = minigrad.nn.FeatureAlphaDropout()(minigrad.ones(1, 9, 2))
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.feature_alpha_dropout(input, self.p, self.training)
