"""Transforms of vectors and matrices: onto shares, triangular matrices, covariances and correlations."""

import math
from typing import Any

from .._api import _activation, _lazy, _linalg_factors, cat, diag_embed, eye, finfo, sigmoid
from . import constraints
from ._transform import SameKind, Transform, _check_dims
from .utils import tril_matrix_to_vec, vec_to_tril_matrix

logsigmoid, softplus = _activation.logsigmoid, _activation.softplus


def _clipped_sigmoid(x):
    """The sigmoid, neither 0 nor 1."""
    limits = finfo(x.dtype)
    return sigmoid(x).clamp(min=limits.tiny, max=1 - limits.eps)


def _after_one(x):
    """``x`` along the last dimension with a 1 in front: (..., n) -> (..., n + 1)."""
    return cat([x.new_ones((*x.shape[:-1], 1)), x], -1)


# Shares ------------------------------------------------------------------------------------------------------


class _OfVectors(Transform):
    def forward_shape(self, shape: Any) -> Any:
        """The shape of y for x of ``shape``; raises ValueError for one without dimensions."""
        _check_dims(len(shape), 1)
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of x for y of ``shape``; raises ValueError for one without dimensions."""
        _check_dims(len(shape), 1)
        return shape


class SoftmaxTransform(SameKind, _OfVectors):
    """The softmax, ``exp(xᵢ) / Σ exp(x)``. It is not bijective, because adding a constant to x changes nothing; use it to optimise.

    >>> import minigrad
    >>> minigrad.distributions.SoftmaxTransform()(minigrad.zeros(4))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

    domain: Any = constraints.real_vector
    codomain: Any = constraints.simplex

    def _call(self, x):
        weights = (x - x.amax(-1, True)).exp()
        return weights / weights.sum(-1, True)

    def _inverse(self, y):
        return y.log()


class StickBreakingTransform(SameKind, _OfVectors):
    """Maps n numbers to n + 1 shares: the sigmoid of each is the share that is broken off what is left.

    Each is first shifted by the logarithm of the number of shares after it, so that zeros give equal shares.

    >>> import minigrad
    >>> minigrad.distributions.StickBreakingTransform()(minigrad.zeros(3))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

    domain: Any = constraints.real_vector
    codomain: Any = constraints.simplex
    bijective = True

    @staticmethod
    def _offset(x):
        """log n, ... log 2, log 1."""
        return (x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)).log()

    def _call(self, x):
        broken = _clipped_sigmoid(x - self._offset(x))
        left = _after_one((1 - broken).cumprod(-1))
        return cat([broken, broken.new_ones((*x.shape[:-1], 1))], -1) * left

    def _inverse(self, y):
        head = y[..., :-1]
        left = (1 - head.cumsum(-1)).clamp(min=finfo(y.dtype).tiny)
        return head.log() - left.log() + self._offset(head)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the sum of the logarithms of ``yᵢ (1 - zᵢ)``, the diagonal of a triangular Jacobian, where z are the sigmoids."""
        moved = x - self._offset(x)
        return (logsigmoid(moved) - moved + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape with one more share than there are numbers."""
        _check_dims(len(shape), 1)
        return shape[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape with one number fewer than there are shares."""
        _check_dims(len(shape), 1)
        return shape[:-1] + (shape[-1] - 1,)


# Matrices ----------------------------------------------------------------------------------------------------


class LowerCholeskyTransform(SameKind, Transform):
    """Maps matrices to lower triangular ones with positive diagonals, by the exponential of the diagonal.

    >>> import minigrad
    >>> minigrad.distributions.LowerCholeskyTransform()(minigrad.tensor([[0., 5.], [2., 0.]]))
    tensor([[1., 0.],
            [2., 1.]])
    """

    domain: Any = constraints.independent(constraints.real, 2)
    codomain: Any = constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + diag_embed(x.diagonal(dim1=-2, dim2=-1).exp())

    def _inverse(self, y):
        return y.tril(-1) + diag_embed(y.diagonal(dim1=-2, dim2=-1).log())


class PositiveDefiniteTransform(SameKind, Transform):
    """Maps matrices to positive definite ones, ``L Lᵀ``, where L is the result of LowerCholeskyTransform.

    >>> import minigrad
    >>> minigrad.distributions.PositiveDefiniteTransform()(minigrad.tensor([[0., 5.], [2., 0.]]))
    tensor([[1., 2.],
            [2., 5.]])
    """

    domain: Any = constraints.independent(constraints.real, 2)
    codomain: Any = constraints.positive_definite

    def _call(self, x):
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y):
        return LowerCholeskyTransform().inv(_linalg_factors.cholesky(y))


class CorrCholeskyTransform(Transform):
    """Maps n (n - 1) / 2 numbers to the Cholesky factor of a correlation matrix, (..., n, n), row by row.

    The square of each number's hyperbolic tangent is its share of what is left of the row's squared length, which is 1; the diagonal gets
    the rest. [Lewandowski, Kurowicka & Joe 2009]

    >>> import minigrad
    >>> minigrad.distributions.CorrCholeskyTransform()(minigrad.tensor([1.]))
    tensor([[1.0000, 0.0000],
            [0.7616, 0.6481]])
    """

    domain: Any = constraints.real_vector
    codomain: Any = constraints.corr_cholesky
    bijective = True

    def _call(self, x):
        eps = finfo(x.dtype).eps
        part = vec_to_tril_matrix(x.tanh().clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - part.square()).sqrt().cumprod(-1)
        identity = eye(part.shape[-1], dtype=part.dtype, device=part.device)
        return (part + identity) * _after_one(left[..., :-1])

    @staticmethod
    def _left(y):
        """What is left, squared, of each row behind each column."""
        return 1 - y.square().cumsum(-1)

    def _inverse(self, y):
        left = _after_one(self._left(y)[..., :-1])
        part = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(left, diag=-1).sqrt()
        return (part.log1p() - (-part).log1p()) / 2

    def log_abs_det_jacobian(self, x: Any, y: Any, intermediates: Any = None) -> Any:
        """Return the logarithm of the Jacobian's determinant; ``intermediates`` is not used."""
        left = tril_matrix_to_vec(self._left(y), diag=-2).log().sum(-1) / 2
        return left - 2 * (x + softplus(-2 * x) - math.log(2)).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        """Return (..., n, n) for (..., n (n - 1) / 2); raise ValueError for other numbers."""
        _check_dims(len(shape), 1)
        numbers = shape[-1]
        n = (1 + math.isqrt(1 + 8 * numbers)) // 2
        if n * (n - 1) // 2 != numbers:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return shape[:-1] + (n, n)

    def inverse_shape(self, shape: Any) -> Any:
        """Return (..., n (n - 1) / 2) for (..., n, n); raise ValueError for matrices that are not square."""
        _check_dims(len(shape), 2)
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        n = shape[-1]
        return shape[:-2] + (n * (n - 1) // 2,)


_lazy.publish(
    f"{__package__}.transforms",
    *(
        SoftmaxTransform,
        StickBreakingTransform,
        LowerCholeskyTransform,
        PositiveDefiniteTransform,
        CorrCholeskyTransform,
    ),
)
