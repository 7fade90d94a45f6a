"""A copy with one part replaced: ``select_scatter``, ``slice_scatter``, ``diagonal_scatter``, ``as_strided_scatter``."""

from .._arrays import vocabulary as arrays
from .._base.errors import axis, integer, shape_text
from .._core.families import General, op
from .batches import along
from .index_slices import is_tensor
from .parts import ALL, diagonal, select, slice_
from .sizes import ints
from .strided import check_strided

__all__ = ["as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"]
METHODS = "as_strided_scatter diagonal_scatter select_scatter slice_scatter"


def check_part(part, src):
    """Raise RuntimeError unless ``src`` has the shape of the part that it replaces."""
    if part != src._array.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. src size = "
            f"{shape_text(src._array.shape)}, slice size = {shape_text(part)}"
        )


class SelectScatterBackward0(General):
    """z = x with y at one index of an axis."""
    linear = True
    batch = along("dim")
    operands, names, mixes = "x y", {"y": "src"}, True
    forward = arrays.select_scatter
    def vjp_x(xp, g, y_shape, dim, index): return xp.select_scatter(g, xp.zeros(y_shape, g), dim, index)
    def vjp_y(xp, g, dim, index):          return g[(*(ALL,) * dim, index, ...)]
_select_scatter = op(SelectScatterBackward0)


def select_scatter(input, src, dim, index):
    """Return a copy of ``input`` with ``src`` at ``index`` of a dimension; raises RuntimeError if the shape does not fit.

    >>> import minigrad
    >>> minigrad.select_scatter(minigrad.zeros(2, 2), minigrad.ones(2), 0, 1)
    tensor([[0., 0.],
            [1., 1.]])
    """
    is_tensor("select_scatter", "src", 2, src)
    check_part(select(input.detach(), dim, index)._array.shape, src)
    dim = axis(dim, input._array.ndim)
    return _select_scatter(input, src, dim, integer(index, "select_scatter", "index", 4) % input._array.shape[dim])


class SliceScatterBackward0(General):
    """z = x with y at a range along an axis."""
    out_dtype = "result"
    linear = True
    batch = along("dim")
    operands, names, mixes = "x y", {"y": "src"}, True
    forward = arrays.slice_scatter
    def vjp_x(xp, g, y_shape, dim, start, end, step): return xp.slice_scatter(g, xp.zeros(y_shape, g), dim, start, end, step)
    def vjp_y(xp, g, dim, start, end, step):          return g[(*(ALL,) * dim, slice(start, end, step))]
_slice_scatter = op(SliceScatterBackward0)


def slice_scatter(input, src, dim=0, start=None, end=None, step=1, *, out=None):
    """Return a copy of ``input`` with ``src`` at a range of a dimension; raises RuntimeError if the shape does not fit.

    >>> import minigrad
    >>> minigrad.slice_scatter(minigrad.zeros(3), minigrad.ones(2), start=1)
    tensor([0., 1., 1.])
    """
    is_tensor("slice_scatter", "src", 2, src)
    dim = axis(dim, input._array.ndim)
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    check_part(slice_(input.detach(), dim, start, end, step)._array.shape, src)
    if out is not None:
        return _slice_scatter.into(out, input, src, dim, start, end, step)
    return _slice_scatter(input, src, dim, start, end, step)


class DiagonalScatterBackward0(General):
    """z = x with y on the diagonals of the matrices that two axes span."""
    linear = True
    batch = along("dim1", "dim2")
    operands, names, mixes = "x y", {"y": "src"}, True
    forward = arrays.diagonal_scatter
    def vjp_x(xp, g, y_shape, offset, dim1, dim2): return xp.diagonal_scatter(g, xp.zeros(y_shape, g), offset, dim1, dim2)
    def vjp_y(xp, g, offset, dim1, dim2):          return xp.diagonal(g, offset, dim1, dim2)
_diagonal_scatter = op(DiagonalScatterBackward0)


def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """Return a copy of ``input`` with ``src`` on its diagonals; raises RuntimeError if the shape does not fit.

    >>> import minigrad
    >>> minigrad.diagonal_scatter(minigrad.zeros(2, 2), minigrad.ones(2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    is_tensor("diagonal_scatter", "src", 2, src)
    check_part(diagonal(input.detach(), offset, dim1, dim2)._array.shape, src)
    n = input._array.ndim
    return _diagonal_scatter(input, src, offset, axis(dim1, n), axis(dim2, n))


class AsStridedScatterBackward0(General):
    """z = x with y at the elements that a size, strides and an offset pick of its memory (dense in the order of indices)."""
    linear = True
    operands, names = "x y", {"y": "src", "offset": "storage_offset"}
    forward = arrays.as_strided_scatter
    def vjp_x(xp, g, y_shape, size, stride, offset): return xp.as_strided_scatter(g, xp.zeros(y_shape, g), size, stride, offset)
    def vjp_y(xp, g, size, stride, offset):          return xp.as_strided(g, size, stride, offset)
_as_strided_scatter = op(AsStridedScatterBackward0)


def as_strided_scatter(input, src, size, stride, storage_offset=None):
    """Return a copy of ``input``, dense in the order of its indices, with ``src`` where ``as_strided`` would look.

    Raises RuntimeError if the shape does not fit or the range is too large.

    >>> import minigrad
    >>> minigrad.as_strided_scatter(minigrad.zeros(4), minigrad.ones(2), (2,), (2,))
    tensor([1., 0., 1., 0.])
    """
    is_tensor("as_strided_scatter", "src", 2, src)
    size, stride = ints("as_strided_scatter", "size", size), ints("as_strided_scatter", "stride", stride)
    check_strided(input, size, stride, storage_offset)
    check_part(size, src)
    return _as_strided_scatter(input, src, size, stride, storage_offset or 0)
