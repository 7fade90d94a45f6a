"""Elements in other places: flipped, rolled, rotated; triangles and diagonals of matrices."""


import numpy as np

from .._arrays import vocabulary as arrays
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import axis, integer, type_name
from .._core.families import Linear, op
from .._core.inplace import op_
from .._core.out import write_out_same
from .batches import along, along_result, leading
from .scalars import number_of
from .shape import ravel
from .sizes import ints, refuse_long, sizes_of
from .strided import as_strided

__all__ = ["diag", "diag_embed", "diagflat", "flip", "fliplr", "flipud", "roll", "rot90", "trace", "tril", "triu"]
METHODS = "diag diag_embed diagflat fill_diagonal_ flip=flip_method fliplr flipud roll rot90 trace tril tril_ triu triu_"


def dims_without_repeats(dims, ndim):
    """Dimensions from the front; raises IndexError out of range, RuntimeError for one named twice."""
    found = tuple([axis(d, ndim) for d in dims])
    for i, d in enumerate(found):
        if d in found[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return found


# Another order ---------------------------------------------------------------------------------------------------------------------


class FlipBackward0(Linear):
    """z = x in reverse order along some axes."""
    batch = along("dims")
    forward = arrays.flipped
    def vjp(xp, g, dims): return xp.flip(g, dims)
_flip = op(FlipBackward0)


def flip(input, dims):
    """Return a copy with the order of elements reversed along the given dimensions.

    Raises IndexError for a dimension out of range, RuntimeError for one named twice.

    >>> import minigrad
    >>> minigrad.flip(minigrad.tensor([[1, 2], [3, 4]]), (0,))
    tensor([[3, 4],
            [1, 2]])
    """
    if not isinstance(dims, (tuple, list)):
        raise TypeError(f"flip(): argument 'dims' (position 2) must be tuple of ints, not {type_name(dims)}")
    dims = dims_without_repeats(ints("flip", "dims", dims), input._array.ndim)
    return _flip(input, dims if input._array.ndim else ())


def flip_method(input, *given, dims=None):
    """Return a copy with the order of elements reversed along the given dimensions, which may be separate arguments; see ``flip``.

    >>> import minigrad
    >>> minigrad.tensor([[1, 2], [3, 4]]).flip(0, 1)
    tensor([[4, 3],
            [2, 1]])
    """
    return flip(input, sizes_of("flip", "dims", given, dims))


@composite
def fliplr(input):
    """Return a copy with the second dimension reversed; raise RuntimeError if there is none.

    >>> import minigrad
    >>> minigrad.fliplr(minigrad.tensor([[1, 2]]))
    tensor([[2, 1]])
    """
    if input._array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return _flip(input, (1,))


def flipud(input):
    """Return a copy with the first dimension reversed; raise RuntimeError if there is none.

    >>> import minigrad
    >>> minigrad.flipud(minigrad.tensor([1, 2]))
    tensor([2, 1])
    """
    if input._array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return _flip(input, (0,))


class RollBackward0(Linear):
    """z = x, its elements shifted along some axes (none: along all as one); elements shifted past the end reappear at the beginning."""
    def batch(call, xs, batched, params, size):
        (x,), (shifts, dims) = xs, params
        return call(x, shifts, tuple([d + 1 for d in dims])) if dims else call(x.reshape(size, -1), shifts, (1,)).reshape(x.shape)
    forward = arrays.roll
    def vjp(xp, g, shifts, dims): return xp.roll(g, tuple([-s for s in shifts]), dims)
_roll = op(RollBackward0)


def roll(input, shifts, dims=None):
    """Return a copy with elements shifted along dimensions; elements shifted past the end reappear at the beginning.

    Without ``dims`` the tensor is flattened first. Raises RuntimeError unless there are as many shifts as dimensions.

    >>> import minigrad
    >>> minigrad.roll(minigrad.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    shifts = listed("roll", "shifts", shifts, 2)
    dims = () if dims is None else listed("roll", "dims", dims, 3)
    refuse_long("roll", "shifts", shifts)
    n = input._array.ndim
    if not shifts:
        raise RuntimeError("`shifts` required")
    if len(shifts) != len(dims) and (dims or len(shifts) > 1):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if dims and not n:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    return _roll(input, shifts, tuple([axis(d, n) for d in dims]))


def listed(function, argument, values, position):
    """A tuple of ints from one or several."""
    if isinstance(values, (tuple, list)):
        return ints(function, argument, values)
    if not hasattr(values, "__index__"):
        raise TypeError(f"{function}(): argument '{argument}' (position {position}) must be tuple of ints, not {type_name(values)}")
    return (integer(values, function, argument, position),)


class Rot90Backward0(Linear):
    """z = x rotated by k right angles in the plane of two axes, from the first towards the second."""
    batch = along("dims")
    forward = arrays.rot90
    def vjp(xp, g, k, dims): return xp.rot90(g, -k, dims)
_rot90 = op(Rot90Backward0)


def rot90(input, k=1, dims=(0, 1)):
    """Return a copy rotated by ``k`` times 90 degrees in the plane of two dimensions, from the first towards the second.

    Raises RuntimeError unless two different dimensions are given.

    >>> import minigrad
    >>> minigrad.rot90(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    n = input._array.ndim
    dims = ints("rot90", "dims", dims)
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if n < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {n}")
    first, second = axis(dims[0], n), axis(dims[1], n)
    if first == second:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    return _rot90(input, integer(k, "rot90", "k", 2), (first, second))


# Triangles and diagonals ---------------------------------------------------------------------------------------------------------


class TrilBackward0(Linear):
    """z = x on and below a diagonal, else 0."""
    out_dtype = "result"
    batch = leading()
    forward = arrays.tril
    def vjp(xp, g, diagonal): return xp.tril(g, diagonal)
_tril, _tril_ = op(TrilBackward0), op_(TrilBackward0)


class TriuBackward0(Linear):
    """z = x on and above a diagonal, else 0."""
    out_dtype = "result"
    batch = leading()
    forward = arrays.triu
    def vjp(xp, g, diagonal): return xp.triu(g, diagonal)
_triu, _triu_ = op(TriuBackward0), op_(TriuBackward0)


def check_triangle(name, input, diagonal):
    """``diagonal`` as an int; raises unless ``input`` is a matrix or several."""
    if input._array.ndim < 2:
        raise RuntimeError(f"{name.rstrip('_')}: input tensor must have at least 2 dimensions")
    diagonal = diagonal if diagonal.__class__ is int else integer(diagonal, name, "diagonal", 1)
    if not -(2**63) <= diagonal < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return diagonal


def tril(input, diagonal=0, *, out=None):
    """Return a copy with zeros above a diagonal of the last two dimensions; a positive ``diagonal`` lies above the main one.

    Raises RuntimeError for fewer than two dimensions.

    >>> import minigrad
    >>> minigrad.tril(minigrad.ones(2, 2))
    tensor([[1., 0.],
            [1., 1.]])
    """
    diagonal = check_triangle("tril", input, diagonal)
    return _tril(input, diagonal) if out is None else _tril.into(out, input, diagonal)


@composite
def fill_diagonal_(input, fill_value, wrap=False):
    """Fill the main diagonal with a number; with ``wrap``, the diagonal of a tall matrix starts again below, after skipping one row.

    Raises RuntimeError for fewer than two dimensions, and for more than two of different sizes.

    >>> import minigrad
    >>> minigrad.zeros(2, 2).fill_diagonal_(1)
    tensor([[1., 0.],
            [0., 1.]])
    """
    shape = input._array.shape
    number = number_of(fill_value)
    if number is None:
        raise TypeError(f"fill_diagonal_(): argument 'fill_value' (position 1) must be Number, not {type_name(fill_value)}")
    if len(shape) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    rows, columns = shape[0], min(shape[1:])
    step = sum(input.stride())
    for top in range(0, rows, columns + 1) if wrap and len(shape) == 2 else (0,):
        size = min(columns, rows - top)
        as_strided(input, (size,), (step,), input.storage_offset() + top * input.stride(0)).fill_(number)
    return input


def triu(input, diagonal=0, *, out=None):
    """Return a copy with zeros below a diagonal of the last two dimensions; a positive ``diagonal`` lies above the main one.

    Raises RuntimeError for fewer than two dimensions.

    >>> import minigrad
    >>> minigrad.triu(minigrad.ones(2, 2))
    tensor([[1., 1.],
            [0., 1.]])
    """
    diagonal = check_triangle("triu", input, diagonal)
    return _triu(input, diagonal) if out is None else _triu.into(out, input, diagonal)


def tril_(input, diagonal=0):
    """In-place version of ``tril``; returns the tensor.

    >>> import minigrad
    >>> minigrad.ones(2, 2).tril_()
    tensor([[1., 0.],
            [1., 1.]])
    """
    return _tril_(input, check_triangle("tril_", input, diagonal))


def triu_(input, diagonal=0):
    """In-place version of ``triu``; returns the tensor.

    >>> import minigrad
    >>> minigrad.ones(2, 2).triu_()
    tensor([[1., 1.],
            [0., 1.]])
    """
    return _triu_(input, check_triangle("triu_", input, diagonal))


class DiagonalBackward0_copy(Linear):
    """z = a copy of the diagonals of the matrices that two axes of x span."""
    public, batch = "diagonal_copy", along("dim1", "dim2")
    def forward(x, offset, dim1, dim2):        return x.diagonal(offset, dim1, dim2).copy()
    def vjp(xp, g, shape, offset, dim1, dim2): return xp.diagonal_backward(g, shape, offset, dim1, dim2)
_diagonal_copy = op(DiagonalBackward0_copy)


class DiagEmbedBackward0(Linear):
    """z = zeros, with the last axis of x on the diagonals of matrices that two axes of z span."""
    batch = along_result("dim1", "dim2")
    def forward(x, offset, dim1, dim2):
        n = x.shape[-1] + abs(offset)
        shape = list(x.shape[:-1])
        for d in sorted((dim1, dim2)):
            shape.insert(d, n)
        return arrays.diagonal_backward(x, shape, offset, dim1, dim2)
    def vjp(xp, g, offset, dim1, dim2): return xp.diagonal(g, offset, dim1, dim2)
_diag_embed = op(DiagEmbedBackward0)


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Return zeros with the last dimension of ``input`` on the diagonals of matrices that two new dimensions span.

    Raises RuntimeError if they are the same, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.diag_embed(minigrad.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    n = input._array.ndim + 1
    first, second = axis(dim1, n), axis(dim2, n)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return _diag_embed(input, integer(offset, "diag_embed", "offset", 2), first, second)


@composite
def diag(input, diagonal=0, *, out=None):
    """Return a matrix with a vector on its diagonal, or a copy of a matrix's diagonal; a positive ``diagonal`` lies above the main one.

    Raises RuntimeError for other than one or two dimensions.

    >>> import minigrad
    >>> minigrad.diag(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    if out is not None:
        return write_out_same(out, diag, input, diagonal)
    n = input._array.ndim
    if n == 1:
        return diag_embed(input, diagonal)
    if n != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {n}D")
    return _diagonal_copy(input, integer(diagonal, "diag", "diagonal", 2), 0, 1)


@composite
def diagflat(input, offset=0):
    """Return a matrix with all elements of ``input`` on its diagonal.

    >>> import minigrad
    >>> minigrad.diagflat(minigrad.tensor([[1], [2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    return diag_embed(ravel(input), offset)


class TraceBackward0(Linear):
    """z = the sum of the diagonal of a matrix; g is put on the diagonal of zeros."""
    autocast = "full"
    def batch(call, xs, batched, params, size): return xs[0].diagonal(0, 1, 2).sum(1)
    def forward(x):        return np.add.reduce(x.diagonal(), dtype=np.int64 if x.dtype.kind in "iub" else None)
    def vjp(xp, g, shape): return xp.diagonal_backward(xp.broadcast_to(g, (min(shape),)), shape, 0, 0, 1)
_trace = op(TraceBackward0)


def trace(input):
    """Return the sum of a matrix's diagonal; integers are summed in ``int64``.

    Raises RuntimeError unless there are two dimensions.

    >>> import minigrad
    >>> minigrad.trace(minigrad.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """
    if input._array.dtype.char in "?HIL":
        raise NotImplementedError(f"\"trace\" not implemented for '{dtype_name(input)}'")
    if input._array.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input._array.ndim}")
    return _trace(input)
