"""Products of vectors, powers of vectors, covariances."""

import math
import warnings

from .._arrays.kernels import linalg as kernels
from .._base import dtypes
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import axis, broadcast_shapes, integer, not_a_tensor
from .._core.families import Bilinear, op
from .._core.out import write_out
from .._core.tensor import Tensor
from .._core.wrapped import elements
from .batches import along
from .complex import complex as as_complex
from .create import ones
from .cumulative import cumprod
from .join import cat
from .matmul import matmul, mm, vdot
from .parts import diagonal as _diagonal

__all__ = ["corrcoef", "cov", "cross", "vander"]
METHODS = "corrcoef cov cross"


# Products ------------------------------------------------------------------------------------------------------------------------


class LinalgCrossBackward0(Bilinear):
    """z = x × y along ``dim``;   x: y × g, y: g × x."""
    out_dtype = "result"
    batch = along("dim")
    public = "linalg_cross"
    def forward(x, y, dim):
        if x.ndim != y.ndim:
            raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
        d = axis(dim, x.ndim)
        if x.ndim and (x.shape[d] != 3 or y.shape[d] != 3):
            raise RuntimeError(
                f"linalg.cross: inputs dimension {dim} must have length 3. Got {x.shape[d]} and {y.shape[d]}"
            )
        if x.dtype != y.dtype:
            raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(y)}")
        broadcast_shapes((x.shape, y.shape))
        if x.dtype.kind == "b": raise NotImplementedError("\"cross\" not implemented for 'Bool'")
        return kernels.cross(x, y, d)
    def vjp_x(xp, g, y, x_shape, dim): return xp.sum_to(xp.cross(y, g, dim), x_shape)
    def vjp_y(xp, g, x, y_shape, dim): return xp.sum_to(xp.cross(g, x, dim), y_shape)
_cross = op(LinalgCrossBackward0)


def cross_of(x, y, dim):
    """The vector product of tensors that broadcast: what formulas ask for."""
    return _cross(x, y, dim)


def linalg_cross(input, other, *, dim=-1, out=None):
    """Return the cross product along ``dim``, of size 3; other dimensions broadcast.

    >>> import minigrad
    >>> minigrad.linalg.cross(minigrad.tensor([1., 0., 0.]), minigrad.tensor([0., 1., 0.]))
    tensor([0., 0., 1.])
    """
    return _cross(input, other, dim) if out is None else _cross.into(out, input, other, dim)


@composite
def cross(input, other, dim=None, *, out=None):
    """Return the cross product along ``dim``, by default the first dimension of size 3; see ``linalg.cross``.

    >>> import minigrad
    >>> minigrad.cross(minigrad.tensor([1., 0., 0.]), minigrad.tensor([0., 1., 0.]), dim=0)
    tensor([0., 0., 1.])
    """
    if dim is None:
        warnings.warn(
            "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply use "
            "torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a future release.",
            stacklevel=level_of_user(),
        )
        dim = next((d for d, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return linalg_cross(input, other, dim=dim, out=out)


def _vecdot(x, y, dim):
    if not (x.is_floating_point() or x.is_complex()):
        raise RuntimeError(f"linalg.vecdot: Expected a floating point or complex tensor as input. Got {dtype_name(x)}")
    if x.dtype is not y.dtype:
        raise RuntimeError(
            f"linalg.vecdot: Expected x and y to have the same dtype, but found x of type {dtype_name(x)} and y of type {dtype_name(y)} instead"
        )
    return vdot(x, y) if x.ndim == y.ndim == 1 else (x.conj() * y).sum(dim)


def vecdot(x, y, *, dim=-1, out=None):
    """Compute ``(conj(x) * y).sum(dim)``; dimensions broadcast.

    >>> import minigrad
    >>> minigrad.linalg.vecdot(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor(11.)
    """
    dim = integer(dim, "linalg_vecdot", "dim", 3)
    if out is None:
        return _vecdot(x, y, dim)
    named = "vdot" if x.ndim == y.ndim == 1 else "linalg_vecdot"
    return write_out(out, _vecdot_for, out, x, y, dim, named=named)


def _vecdot_for(out, x, y, dim):
    z = _vecdot(x, y, dim)
    if out.dtype is not z.dtype:
        raise RuntimeError(f"linalg.vecdot: Expected out of dtype{dtype_name(z)} but found {dtype_name(out)}")
    return z


def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """Return a view of the diagonals of matrices: ``torch.diagonal`` of the last two dimensions.

    >>> import minigrad
    >>> minigrad.linalg.diagonal(minigrad.eye(2))
    tensor([1., 1.])
    """
    return _diagonal(A, offset, dim1, dim2)


def linalg_matmul(input, other, *, out=None):
    """The same as ``matmul``.

    >>> import minigrad
    >>> minigrad.linalg.matmul(minigrad.tensor([[1., 2.]]), minigrad.tensor([[3.], [4.]]))
    tensor([[11.]])
    """
    return matmul(input, other, out=out)


# Powers ------------------------------------------------------------------------------------------------------------------------


def linalg_vander(x, *, N=None):
    """Return the matrices of powers 0 to N - 1 of vectors: ``(..., n) -> (..., n, N)``; N is n by default.

    >>> import minigrad
    >>> minigrad.linalg.vander(minigrad.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [1, 2, 4],
            [1, 3, 9]])
    """
    if x.dtype in (dtypes.bool_, dtypes.float16, dtypes.bfloat16):
        raise RuntimeError(f"linalg.vander supports floating point, complex, and integer tensors, but got {dtype_name(x)}")
    if x.ndim == 0:
        x = x.unsqueeze(-1)
    n = x.shape[-1] if N is None else integer(N, "linalg_vander", "N", 2)
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    powers = cumprod(x.unsqueeze(-1).expand(*x.shape, n - 1), -1)
    first = ones(*x.shape, 1, dtype=powers.dtype)
    return cat((first, powers), -1)


@composite
def vander(x, N=None, increasing=False):
    """Return the matrix of powers of a vector's elements, with falling exponents unless ``increasing``.

    >>> import minigrad
    >>> minigrad.vander(minigrad.tensor([1, 2, 3]), 2)
    tensor([[1, 1],
            [2, 1],
            [3, 1]])
    """
    if not isinstance(x, Tensor):
        raise not_a_tensor("linalg_vander", "x", 1, x)
    if x.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = x.shape[0] if N is None else N
    if n < 0:
        raise RuntimeError("N must be non-negative.")
    z = ones(x.shape[0], n, dtype=x.dtype if x.dtype.category > dtypes.INTEGER else dtypes.int64, device=x.device)
    if n > 1:
        powers = cumprod(x.unsqueeze(-1).expand(x.shape[0], n - 1), -1)
        z = cat((z[:, :1], powers), -1)
    return z if increasing else z.flip(1)


# Covariances -------------------------------------------------------------------------------------------------------------------


def _check_weights(w, name, observations, wanted, ok):
    if w.ndim > 1:
        raise RuntimeError(f"cov(): expected {name} to have one or fewer dimensions but got {name} with {w.ndim} dimensions")
    if not ok:
        raise RuntimeError(f"cov(): expected {name} to have {wanted} dtype but got {name} with {dtype_name(w)} dtype")
    if w.numel() != observations:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got {w.numel()} != {observations}"
        )
    if observations and elements(w).min() < 0:
        raise RuntimeError(f"cov(): {name} cannot be negative")


@composite
def cov(input, *, correction=1, fweights=None, aweights=None):
    """Return the covariance matrix of the rows of ``input``, whose columns are observations; a vector is one row.

    ``fweights`` (integers) says how often each observation occurs, ``aweights`` how much it counts. Divides by the sum of weights less
    ``correction``. Raises RuntimeError for bools, and for weights that do not fit.

    >>> import minigrad
    >>> minigrad.cov(minigrad.tensor([[1., 2., 3.], [3., 2., 1.]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    correction = integer(correction, "cov", "correction", 1)
    if input.ndim > 2:
        raise RuntimeError(f"cov(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions")
    if input.dtype is dtypes.bool_:
        raise RuntimeError("cov(): bool dtype is not supported for input")
    x = input.view(1, -1) if input.ndim < 2 else input
    n = x.shape[1]
    w = None
    if fweights is not None:
        kind = fweights.dtype.category == dtypes.INTEGER and fweights.dtype is not dtypes.bool_
        _check_weights(fweights, "fweights", n, "integral", kind)
        w = fweights
    if aweights is not None:
        _check_weights(aweights, "aweights", n, "floating point", aweights.is_floating_point())
        w = aweights if w is None else w * aweights
    if w is not None and not w.ndim:
        w = w.view(1)
    total = n if w is None else w.sum()
    if w is not None and total.item() == 0:
        raise RuntimeError("cov(): weights sum to zero, can't be normalized")
    mean = (x.sum(1) / n if n else x.sum(1) * math.nan) if w is None else (x * w).sum(1) / total
    if w is None:
        norm = n - correction
    elif aweights is None or correction == 0:
        norm = total - correction
    else:
        by = aweights if fweights is None else fweights * aweights
        norm = total - correction * (w * (by if fweights is None else aweights)).sum() / total
    value = norm.item() if isinstance(norm, Tensor) else norm
    if value <= 0:
        warnings.warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.", stacklevel=level_of_user())
        norm = norm.clamp(min=0) if isinstance(norm, Tensor) else 0
    x = x - mean.unsqueeze(1)
    other = x if w is None else x * w
    return (mm(x, other.t().conj()) / norm).squeeze()


@composite
def corrcoef(input):
    """Return the correlation matrix of the rows of ``input``, whose columns are observations: ``cov`` scaled to ones on the diagonal.

    >>> import minigrad
    >>> minigrad.corrcoef(minigrad.tensor([[1., 2., 3.], [3., 2., 1.]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    if input.ndim > 2:
        raise RuntimeError(f"corrcoef(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions")
    c = cov(input)
    if not c.ndim:
        return c / c
    d = c.diag()
    std = (d.real if c.is_complex() else d).sqrt()
    c = c / std.view(-1, 1) / std.view(1, -1)
    if not c.is_complex():
        return c.clamp(-1, 1)
    return as_complex(c.real.clamp(-1, 1), c.imag.clamp(-1, 1))
