"""Distances between vectors: of pairs, of all pairs; the cosine of their angle."""

import math

import numpy as np

from .._arrays.kernels import distance as kernels
from .._base.composites import composite
from .._base.dtypes import BOOL, FLOATING, dtype_name, promote_types, result_dtype, scalar_type_name
from .._base.errors import broadcast_shapes, not_a_tensor
from .._core.families import General, op
from .._core.interpret import promotion_rank
from .._core.tensor import Tensor
from .autocasting import widened
from .batches import aligned, leading
from .moments import norm_gradient, vector_norm, vector_norm_of
from .operands import need_tensors
from .scalars import as_real, as_scalar
from .sizes import as_int

__all__ = ["cdist", "cosine_similarity", "dist", "pairwise_distance", "pdist"]
METHODS = "dist"


# Of pairs ----------------------------------------------------------------------------------------------------------------------


class DistBackward0(General):
    """z = the p-norm of x - y, which broadcast;   gradient that of the norm: 0 where x = y."""
    operands, names, conjugates, public = "x y", {"x": "self", "y": "other", "z": "result"}, False, "dist"
    def batch(call, xs, batched, params, size):
        ndim = max(x.ndim - b for x, b in zip(xs, batched))
        x, y = [aligned(x, b, ndim) for x, b in zip(xs, batched)]
        return vector_norm((x - y).reshape(size, -1), params[0], 1)
    def forward(x, y, p): return vector_norm_of(x - y, p, None, False, None)
    def refuse(error, xs, params):
        if isinstance(error, ValueError): broadcast_shapes([x.shape for x in xs])
    def vjp_x(xp, g, x, y, z, x_shape, p): return _of_difference(xp, g, x - y, z, x_shape, p)
    def vjp_y(xp, g, x, y, z, y_shape, p): return _of_difference(xp, g, y - x, z, y_shape, p)
_dist = op(DistBackward0)


def _of_difference(xp, g, d, z, shape, p):
    if p == 0: return None
    ones = (1,) * d.ndim
    return xp.sum_to(norm_gradient(xp, xp.reshape(g, ones), d, xp.reshape(z, ones), p, None), shape)


def dist(input, other, p=2):
    """Return the ``p``-norm of ``input - other``, over all elements.

    >>> import minigrad
    >>> minigrad.dist(minigrad.tensor([1., 2.]), minigrad.tensor([4., 6.]))
    tensor(5.)
    """
    for name, x, place in (("input", input, 1), ("other", other, 2)):
        if not isinstance(x, Tensor):
            raise not_a_tensor("dist", name, place, x)
    common = result_dtype([promotion_rank(input), promotion_rank(other)])
    if BOOL in (input.dtype.category, other.dtype.category):
        several = "two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        one = "a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        raise RuntimeError(f"Subtraction, the `-` operator, with {several if common.category == BOOL else one}")
    if common.category < FLOATING:
        raise RuntimeError(f"norm(): input dtype should be either floating point or complex. Got {scalar_type_name(common)} instead.")
    p = as_scalar(p, "dist", "p", 3)
    if isinstance(p, complex):
        raise RuntimeError("linalg.vector_norm: Expected a non-complex scalar as the order of norm.")
    return _dist(input.to(common), other.to(common), p)


@composite
def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """Return the ``p``-norms of ``x1 - x2 + eps`` along the last dimension: (..., D) -> (...).

    >>> import minigrad
    >>> minigrad.pairwise_distance(minigrad.tensor([[1., 2.]]), minigrad.tensor([[4., 6.]]), eps=0.)
    tensor([5.])
    """
    need_tensors("pairwise_distance", x1=x1, x2=x2)
    return vector_norm(x1 - x2 + float(as_real(eps, "pairwise_distance", "eps", 4)), float(as_real(p, "pairwise_distance", "p", 3)), max(x1.ndim, x2.ndim) - 1 if max(x1.ndim, x2.ndim) else None, keepdim)


@composite
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """Return the cosine of the angle between ``x1`` and ``x2`` along ``dim``, with each norm at least ``eps``.

    >>> import minigrad
    >>> minigrad.cosine_similarity(minigrad.tensor([[3., 4.]]), minigrad.tensor([[4., 3.]]))
    tensor([0.9600])
    """
    dim = as_int(dim, "cosine_similarity", "dim", 3)
    common = promote_types(x1.dtype, x2.dtype)
    if not common.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {scalar_type_name(common)}")
    if not eps >= 0:
        raise RuntimeError(f"eps must be non-negative, got: {eps:g}")
    shape = broadcast_shapes([x1.shape, x2.shape])
    x1, x2 = (x if x.is_floating_point() else x.to(common) for x in (x1, x2))
    x1, x2 = (x if x.shape == shape else x.expand(shape) for x in (x1, x2))
    one, other = (x / vector_norm(x, 2, dim, True).clamp_min(eps) for x in (x1, x2))
    return (one * other).sum(dim)


# Of all pairs ------------------------------------------------------------------------------------------------------------------

_FEW = 1 << 16  # differences up to which the gradient of Euclidean distances takes each by itself


def _towards(xp, g, x, y, z, p):
    """The gradient to x of all distances z between rows of x and of y: Σ over y's rows of g times that of the norm."""
    if p == 0: return xp.zeros_like(x)
    if p == 2 and math.prod(z.shape) * x.shape[-1] > _FEW:
        share = xp.divide_nonzero(g, z)
        return x * xp.sum(share, -1, True) - xp.matmul(share, y)
    d = xp.expand_dims(x, -2) - xp.expand_dims(y, -3)
    g, z = xp.expand_dims(g, -1), xp.expand_dims(z, -1)
    if p == math.inf: return xp.sum(g * xp.same_or_nan(xp.abs(d), z) * xp.sign(d), -2)
    return xp.sum(norm_gradient(xp, g, d, z, p, -1), -2)


class CdistBackward0(General):
    """z[i, j] = the p-norm of x[i] - y[j]: (..., P, M), (..., R, M) -> (..., P, R);   gradient 0 where x[i] = y[j]."""
    batch = leading(2, 2)
    operands, names = "x y", {"x": "x1", "y": "x2", "z": "result"}
    public = "cdist"
    def forward(x, y, p, compute_mode): return kernels.euclidean(x, y) if compute_mode == 1 and p == 2 else kernels.all_norms(x, y, p)
    def refuse(error, xs, params):
        if isinstance(error, ValueError): broadcast_shapes([x.shape[:-2] for x in xs])
    def vjp_x(xp, g, x, y, z, x_shape, p): return xp.sum_to(_towards(xp, g, x, y, z, p), x_shape)
    def vjp_y(xp, g, x, y, z, y_shape, p):
        return xp.sum_to(_towards(xp, xp.matrix_transpose(g), y, x, xp.matrix_transpose(z), p), y_shape)
_cdist = op(CdistBackward0)

_MODES = {"use_mm_for_euclid_dist_if_necessary": 0, "use_mm_for_euclid_dist": 1, "donot_use_mm_for_euclid_dist": 2}


@widened
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """Return the ``p``-norm distance of each row of ``x1`` from each row of ``x2``: ``(..., P, M), (..., R, M) -> (..., P, R)``.

    Raises RuntimeError for dtypes other than float32 and float64, and for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.cdist(minigrad.tensor([[0., 0.]]), minigrad.tensor([[3., 4.], [0., 0.]]))
    tensor([[5., 0.]])
    """
    mode = _MODES.get(compute_mode)
    if mode is None:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    need_tensors("cdist", x1=x1, x2=x2)
    p = as_real(p, "cdist", "p", 3)
    for name, x in (("X1", x1), ("X2", x2)):
        if x.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    for name, x in (("X1", x1), ("X2", x2)):
        if not x.dtype.is_floating_point:
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {dtype_name(x)}")
    if x1.dtype is not x2.dtype:
        raise RuntimeError(f"expected scalar type {dtype_name(x1)} but found {dtype_name(x2)}")
    if not p >= 0:
        raise RuntimeError("cdist only supports non-negative p values")
    if x1.dtype.itemsize == 2:
        raise NotImplementedError(f"\"cdist\" not implemented for '{dtype_name(x1)}'")
    return _cdist(x1, x2, p, mode)


class PdistBackward0(General):
    """z = the p-norms of x[i] - x[j] for i < j, in one row: (n, m) -> (n (n - 1) / 2);   gradient 0 where x[i] = x[j]."""
    operands, names, public = "x", {"x": "self", "z": "result"}, "pdist"
    batch = leading()
    def forward(x, p): return kernels.all_norms(x, x, p)[..., _above(x.shape[-2])]
    def vjp(xp, g, x, z, p):
        g, z = _symmetric(xp, g, x), _symmetric(xp, z, x)
        return _towards(xp, g, x, x, z, p)
_pdist = op(PdistBackward0)


def _above(n):
    return np.triu(np.ones((n, n), bool), 1)


def _symmetric(xp, values, x):
    """The symmetric matrix whose upper triangle is ``values``."""
    n = x.shape[-2]
    shape = (*values.shape[:-1], n, n)
    if n < 2: return xp.zeros(shape, values)
    place = np.zeros((n, n), np.int64)
    place[_above(n)] = np.arange(n * (n - 1) // 2)
    z = xp.take_slices(values, xp.as_operand((place + place.T).reshape(-1)), len(shape) - 2)
    return xp.off_diagonal(xp.reshape(z, shape))


def pdist(input, p=2):
    """Return the ``p``-norm distances between all pairs of rows, as a vector: ``(n, m) -> (n (n - 1) / 2)``.

    Raises RuntimeError unless there are two dimensions, NotImplementedError for half precision.

    >>> import minigrad
    >>> minigrad.pdist(minigrad.tensor([[0., 0.], [3., 4.], [0., 4.]]))
    tensor([5., 4., 3.])
    """
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if not input.dtype.is_floating_point:
        raise RuntimeError("pdist only supports floating-point dtypes")
    if not p >= 0:
        raise RuntimeError("pdist only supports non-negative p values")
    if input.dtype.itemsize == 2 and input.shape[0] > 1:
        raise NotImplementedError(f"\"pdist\" not implemented for '{dtype_name(input)}'")
    return _pdist(input, p)
