"""Picking elements along a dimension, an index for each: ``gather`` and ``take_along_dim``."""


from .._arrays import vocabulary as arrays
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import axis as axis_of
from .._base.errors import broadcast_shapes, dim_out_of_range, either_name, integer, shape_text
from .._core import late
from .._core.families import General, fast_classes, op
from .batches import along
from .index_slices import _INT64, _UNSIGNED, check_in_range, is_tensor
from .rounding import remainder
from .shape import expand_to, reshape

__all__ = ["gather", "take_along_dim"]
METHODS = "gather take_along_dim"


def check_index(name, input, dim, index, src=None):
    """``dim`` from the front; raises unless ``index`` may pick elements along it (and ``src`` has one for each)."""
    is_tensor(name, "index", 3, index)
    x, i = input._array, index._array
    dim = axis_of(dim if dim.__class__ is int else integer(dim, name, "dim", 2), x.ndim)
    if i.size and i.dtype not in _UNSIGNED:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if src is not None and src._array.dtype != x.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not i.size:
        return dim
    if (i.ndim or 1) != (x.ndim or 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as " + ("input" if name == "gather" else "self") + " tensor")
    fits = i.shape == x.shape
    if not fits:
        fits = True
        for d, (n, m) in enumerate(zip(i.shape, x.shape)):
            if n > m and d != dim:
                fits = False
    if name == "gather":
        if not fits:
            wrong = next(d for d, (n, m) in enumerate(zip(i.shape, x.shape)) if n > m and d != dim)
            raise RuntimeError(
                f"Size does not match at dimension {wrong} expected index {shape_text(i.shape)} to be no larger than self "
                f"{shape_text(x.shape)} apart from dimension {dim}"
            )
    elif src is not None:
        y = src._array
        if (i.ndim or 1) != (y.ndim or 1):
            if i.ndim > y.ndim and all(n <= m for n, m in zip(i.shape, y.shape)): raise dim_out_of_range(y.ndim or 1, y.ndim)
            raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
        if not fits or any(n > m for n, m in zip(i.shape, y.shape or (1,))):
            raise RuntimeError(
                f"Expected index {shape_text(i.shape)} to be no larger than self {shape_text(x.shape)} apart from dimension {dim} "
                f"and to be no larger size than src {shape_text(y.shape)}"
            )
    elif not fits:
        raise RuntimeError(
            f"Expected index {shape_text(i.shape)} to be no larger than self {shape_text(x.shape)} apart from dimension {dim}"
        )
    check_in_range(index, x, dim)
    return dim


class GatherBackward0(General):
    """z = the elements of x at ``index`` along ``dim``, which has z's shape; g is added there, into zeros."""
    out_dtype = "result"
    linear = True
    batch = along("dim")
    operands = "x index"
    def forward(x, index, dim):            return arrays.gather(x, index, dim)
    def vjp_x(xp, g, x_shape, index, dim): return xp.add_elements(g, index, dim, x_shape)
    def inputs(x, index, dim): return x, dim, index, False
_gather = op(GatherBackward0)


class AddElements(General):
    """z = zeros of ``shape`` with x added at ``index`` along ``dim``: what ``xp.add_elements`` is on Tensors."""
    linear = True
    batch = along("dim", shape="shape")
    operands, public = "x index", "add_elements"
    def forward(x, index, dim, shape): return arrays.add_elements(x, index, dim, shape)
    def vjp_x(xp, g, index, dim):      return xp.gather(g, index, dim)
add_elements = op(AddElements)


def gather(input, dim=None, index=None, *, sparse_grad=False, out=None, axis=None):
    """Pick the elements of ``input`` at ``index`` along a dimension; the result has the shape of ``index``.

    ``index`` (int32 or int64) may be smaller than ``input`` in the other dimensions. With ``sparse_grad``, the gradient of a leaf is
    sparse. Raises RuntimeError for an index out of range.

    >>> import minigrad
    >>> minigrad.gather(minigrad.tensor([[1, 2], [3, 4]]), 1, minigrad.tensor([[0], [1]]))
    tensor([[1],
            [4]])
    """
    if dim is None or axis is not None:
        dim = either_name("gather", dim, axis)
    dim = check_index("gather", input, dim, index)
    if sparse_grad and out is None and input.requires_grad and input.__class__ in fast_classes and index.__class__ in fast_classes:
        return late.sparse().gather(input, dim, index)
    return _gather(input, index, dim) if out is None else _gather.into(out, input, index, dim)


@composite
def take_along_dim(input, indices, dim=None, *, out=None):
    """Pick the elements of ``input`` at ``indices`` (int64) along a dimension; the other dimensions broadcast.

    Without ``dim``, both are flattened. Raises RuntimeError for an index out of range.

    >>> import minigrad
    >>> minigrad.take_along_dim(minigrad.tensor([[1, 2], [3, 4]]), minigrad.tensor([[1, 0]]), 1)
    tensor([[2, 1],
            [4, 3]])
    """
    is_tensor("take_along_dim", "indices", 2, indices)
    x, i = input._array, indices._array
    if i.dtype == "int32" and dim is None:
        indices = indices.long()
    elif i.dtype is not _INT64:
        raise RuntimeError(f"torch.take_along_dim(): dtype of indices should be Long but got {dtype_name(indices)}")
    if dim is None:
        input, indices, dim = reshape(input, (x.size,)), reshape(indices, (i.size,)), 0
    else:
        if i.ndim != x.ndim:
            raise RuntimeError(
                "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
                f"{x.ndim} dimensions for input, and {i.ndim} dimensions for indices"
            )
        dim = axis_of(integer(dim, "take_along_dim", "dim", 3), x.ndim)
        if x.ndim:
            ours, theirs = list(x.shape), list(i.shape)
            ours[dim] = theirs[dim] = 1
            together = list(broadcast_shapes((tuple(ours), tuple(theirs))))
            input = expanded_but(input, together, dim)
            indices = expanded_but(indices, together, dim)
        if x.size:
            n = x.shape[dim] if x.ndim else 1
            indices = remainder(indices, n)
    return gather(input, dim, indices, out=out)


def expanded_but(x, shape, dim):
    """``x`` expanded to ``shape`` in all dimensions but ``dim``."""
    shape = (*shape[:dim], x._array.shape[dim], *shape[dim + 1 :])
    return expand_to(x, shape)
