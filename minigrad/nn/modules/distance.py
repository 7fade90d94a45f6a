"""Distances between vectors, and the cosines of the angles between them."""

from typing import Any

from ..._api import Tensor
from .. import functional as F
from .module import Module

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class PairwiseDistance(Module):
    """Compute the ``p``-norm of ``x1 - x2 + eps`` along the last dimension: ``(N, D), (N, D) -> (N,)``; the inputs broadcast.

    >>> import minigrad
    >>> minigrad.nn.PairwiseDistance()(minigrad.tensor([[0., 0.]]), minigrad.tensor([[3., 4.]]))
    tensor([5.0000])
    """

    __constants__: list[Any] = ["norm", "eps", "keepdim"]

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(Module):
    """Compute the cosine of the angle between ``x1`` and ``x2`` along ``dim``, with each norm at least ``eps``.

    >>> import minigrad
    >>> minigrad.nn.CosineSimilarity()(minigrad.tensor([[1., 0.]]), minigrad.tensor([[3., 4.]]))
    tensor([0.6000])
    """

    __constants__: list[Any] = ["dim", "eps"]

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
