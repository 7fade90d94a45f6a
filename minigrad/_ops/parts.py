"""Views of a part of a tensor: ``select``, slices, ``narrow``, ``diagonal``, ``unfold``.

The gradient of each is put at its place among zeros.
"""

from .._arrays import vocabulary as arrays
from .._base.composites import composite
from .._base.errors import axis, shape_text
from .._base.guards import explain
from .._core import interpret  # noqa: F401 (interpret: the slow path, which ops need as well)
from .._core.families import Linear, ViewOp, op
from .._core.families import view as view_op
from .._core.tensor import Tensor
from .batches import along, along_result
from .sizes import as_int

__all__ = ["diagonal", "narrow", "select"]
METHODS = "diagonal narrow select unfold"

ALL = slice(None)
_END = 2**63 - 1  # where a slice without an end ends, in PyTorch's words


class SelectBackward0(ViewOp):
    """z = x at one index of an axis; g is put there among zeros."""
    aten = "select.int"
    batch = along("dim")
    def forward(x, dim, index):           return x[(*(ALL,) * dim, index, ...)] if dim else x[index, ...]
    def vjp(xp, g, shape, dim, index):    return xp.select_backward(g, shape, dim, index)
_select = view_op(SelectBackward0)


class SelectBackwardBackward0(Linear):
    """z = zeros, with x at one index of an axis."""
    batch = along_result("dim", shape="shape")
    forward = arrays.select_backward
    def vjp(xp, g, dim, index): return g[(ALL,) * dim + (index, ...)]
select_backward = op(SelectBackwardBackward0)


def select(input, dim, index):
    """Return a view of ``input`` at ``index`` of dimension ``dim``, which is removed.

    Raises IndexError if either is out of range.

    >>> import minigrad
    >>> minigrad.select(minigrad.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """
    shape = input._array.shape
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    if dim.__class__ is not int or index.__class__ is not int or not 0 <= dim < len(shape):
        dim = axis(as_int(dim, "select", "dim", 2), len(shape))
        index = as_int(index, "select", "index", 3)
    n = shape[dim]
    if not -n <= index < n:
        raise IndexError(f"select(): index {index} out of range for tensor of size {shape_text(shape)} at dimension {dim}")
    return _select(input, dim, index + n if index < 0 else index)


class SliceBackward0(ViewOp):
    """z = a range of x along an axis; g is put there among zeros."""
    aten = "slice.Tensor"
    batch = along("dim")
    def forward(x, dim, start, end, step):
        return x[(*(ALL,) * dim, slice(start, end, step))] if dim else x[start:end:step]
    def vjp(xp, g, shape, dim, start, end, step):    return xp.slice_backward(g, shape, dim, start, end, step)
slice_ = view_op(SliceBackward0)


class SliceBackwardBackward0(Linear):
    """z = zeros, with x at a range along an axis."""
    batch = along_result("dim", shape="shape")
    forward = arrays.slice_backward
    def vjp(xp, g, dim, start, end, step): return g[(ALL,) * dim + (slice(start, end, step),)]
slice_backward = op(SliceBackwardBackward0)



@composite
def narrow(input, dim, start, length):
    """Return a view of ``length`` elements of dimension ``dim``, starting at ``start``.

    Raises IndexError if ``dim`` or ``start`` is out of range, RuntimeError if the range does not fit.

    >>> import minigrad
    >>> minigrad.narrow(minigrad.tensor([1, 2, 3, 4]), 0, 1, 2)
    tensor([2, 3])
    """
    shape = input._array.shape
    if isinstance(start, Tensor) and (start._array.ndim or start._array.dtype.kind not in "iu"):
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    dim, start = as_int(dim, "narrow", "dim", 2), as_int(start, "narrow", "start", 3)
    length = as_int(length, "narrow", "length", 4)
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    dim = axis(dim, len(shape))
    n = shape[dim]
    if not -n <= start <= n:
        raise IndexError(f"start out of range (expected to be in range of [{-n}, {n}], but got {start})")
    if start < 0:
        start += n
    if start + length > n:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({n}).")
    return slice_(input, dim, start, start + length, 1)


class DiagonalBackward0(ViewOp):
    """z = the diagonals of the matrices that two axes of x span, as the last axis; g is put there among zeros."""
    batch = along("dim1", "dim2")
    forward = arrays.diagonal
    def vjp(xp, g, shape, offset, dim1, dim2): return xp.diagonal_backward(g, shape, offset, dim1, dim2)
_diagonal = view_op(DiagonalBackward0)


class DiagonalBackwardBackward0(Linear):
    """z = zeros, with x on the diagonals."""
    batch = along_result("dim1", "dim2", shape="shape")
    forward = arrays.diagonal_backward
    def vjp(xp, g, offset, dim1, dim2): return xp.diagonal(g, offset, dim1, dim2)
diagonal_backward = op(DiagonalBackwardBackward0)


def diagonal(input, offset=0, dim1=0, dim2=1):
    """Return a view of the diagonals of the matrices that two dimensions span, as the last dimension; a positive ``offset`` lies above the
    main one.

    Raises RuntimeError if the dimensions are the same, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.diagonal(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    n = input._array.ndim
    first, second = axis(dim1, n), axis(dim2, n)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return _diagonal(input, as_int(offset, "diagonal", "offset", 2), first, second)


class UnfoldBackward0(ViewOp):
    """z = windows of x along an axis, their elements as a new last axis; overlapping ones add up in x's gradient."""
    batch = along("dimension")
    repeats = True
    forward = arrays.unfold
    def vjp(xp, g, shape, dimension, size, step): return xp.unfold_backward(g, shape, dimension, size, step)
_unfold = view_op(UnfoldBackward0)


class UnfoldBackwardBackward0(Linear):
    """z = zeros, with the windows in x added in their places."""
    batch = along_result("dim", shape="shape")
    forward = arrays.unfold_backward
    def vjp(xp, g, dim, size, step): return xp.unfold(g, dim, size, step)
unfold_backward = op(UnfoldBackwardBackward0)


def unfold(input, dimension, size, step):
    """Return a view of all windows of ``size`` elements along a dimension, ``step`` apart; their elements are a new last dimension.

    Raises RuntimeError if ``size`` is larger than the dimension or negative, or ``step`` is not positive.

    >>> import minigrad
    >>> minigrad.tensor([1, 2, 3, 4]).unfold(0, 2, 1)
    tensor([[1, 2],
            [2, 3],
            [3, 4]])
    """
    try:
        shape = input._array.shape
        dim = axis(as_int(dimension, "unfold", "dimension", 1), len(shape))
        size, step = as_int(size, "unfold", "size", 2), as_int(step, "unfold", "step", 3)
        n = shape[dim] if shape else 1
        if size < 0:
            raise RuntimeError(f"size is {size} but must be >= 0")
        if size > n:
            raise RuntimeError(f"maximum size for tensor at dimension {dim} is {n} but size is {size}")
        if step <= 0:
            raise RuntimeError(f"step is {step} but must be > 0")
        return _unfold(input, dim, size, step)
    except Exception as error:
        explain(unfold, {"input": input, "dimension": dimension, "size": size, "step": step}, error)
        raise
