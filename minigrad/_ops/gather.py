"""Picking and setting elements along a dimension by index: ``index_select``, ``gather``, ``scatter`` and their kin; parts replaced."""

import warnings

import numpy as np

from .._core import arrays, dtypes
from .._core.errors import axis, broadcast_shapes, integer, not_a_tensor, shape_text
from .._core.families import General, op
from .._core.inplace import check_apart, may_write, write
from .._core.interpret import into
from .._core.places import add_into, copied, reduced, scattered, scattered_sum
from .._core.tensor import Tensor, wrap
from .convert import as_number
from .dims import into_same
from .index import filling, out_of_bounds
from .shape import ALL, check_strided, diagonal, expand_to, ints, reshape, select, slice_

__all__ = [
    "as_strided_scatter", "diagonal_scatter", "gather", "index_add", "index_copy", "index_fill",
    "index_reduce", "index_select", "scatter", "scatter_add", "scatter_reduce", "select_scatter",
    "slice_scatter", "take_along_dim",
]

_INT32, _INT64 = np.dtype("int32"), np.dtype("int64")
_UNSIGNED = {_INT32: np.dtype("uint32"), _INT64: np.dtype("uint64")}


def is_tensor(function, name, place, value):
    """Raise TypeError unless an argument is a Tensor."""
    if not isinstance(value, Tensor):
        raise not_a_tensor(function, name, place, value)


def bad_index(index, n):
    """An element of an index array that is not in [0, n), or None."""
    if not index.size or index.view(_UNSIGNED[index.dtype]).max() < n:
        return None
    return index[(index < 0) | (index >= n)][0]


def name_of(tensor):
    """The name of a tensor's dtype in messages: ``Float``."""
    return dtypes.scalar_type_name(tensor.dtype)


# Slices at a vector of indices -----------------------------------------------------------------------------------------------------


def slices(dim, index):
    """The key of the slices at ``index``, a vector or number, along ``dim``."""
    return (*(ALL,) * dim, index.reshape(-1))


class IndexSelectBackward0(General):
    """z = the slices of x at ``index``, a vector, along ``dim``; g is added there, into zeros."""
    operands = "x index"
    def forward(x, index, dim):            return x.take(index.reshape(-1), dim) if x.ndim else x.copy()
    def vjp_x(xp, g, x_shape, index, dim): return xp.add_slices(g, index, dim, x_shape)
_index_select = op(IndexSelectBackward0)


class AddSlices(General):
    """z = zeros of ``shape`` with the slices of x added at ``index`` along ``dim``: what ``xp.add_slices`` is on Tensors."""
    operands, public = "x index", "add_slices"
    def forward(x, index, dim, shape): return arrays.add_slices(x, index, dim, shape)
    def vjp_x(xp, g, index, dim):      return xp.take_slices(g, index, dim)
add_slices = op(AddSlices)


def index_select(input, dim, index, *, out=None):
    """The slices of ``input`` at ``index`` (a vector of int32 or int64) along a dimension.

    Raises IndexError for an index out of range; negative ones are.

    >>> import minigrad
    >>> minigrad.index_select(minigrad.tensor([[1, 2], [3, 4]]), 0, minigrad.tensor([1, 1]))
    tensor([[3, 4],
            [3, 4]])
    """
    is_tensor("index_select", "index", 3, index)
    i, x = index._array, input._array
    dim = axis(integer(dim, "index_select", "dim", 2), x.ndim)
    if i.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if i.dtype not in _UNSIGNED:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not x.ndim and i.size != 1:
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {i.size} value(s)")
    bad = bad_index(i, x.shape[dim] if x.ndim else 1)
    if bad is not None:
        if x.ndim < 2 or x.size:
            raise IndexError("index out of range in self")
        if not x.shape[dim]:
            raise RuntimeError("index_select(): self indexing axis dim should be positive")
        raise RuntimeError(f"INDICES element is out of DATA bounds, id={bad} axis_dim={x.shape[dim]}")
    if out is not None:
        return into(out, lambda: _index_select(input, index, dim), "index_select", (input,))
    return _index_select(input, index, dim)


def add_to_slices(x, index, y, dim, alpha):
    """Add ``alpha`` times the slices of ``y`` to those of array ``x`` at ``index`` along ``dim``."""
    if alpha != 1:
        y = y * np.asarray(alpha).astype(y.dtype)
    if not x.ndim:
        np.add(x, np.add.reduce(y.reshape(-1), dtype=y.dtype), x)
    elif not x.size:
        return  # whatever the indices are, as in PyTorch
    elif x.flags.c_contiguous:
        add_into(x, slices(dim, index), y.reshape(slices_shape(x, index, dim)))
    else:
        np.add.at(x, slices(dim, index), y.reshape(slices_shape(x, index, dim)))


def slices_shape(x, index, dim):
    """The shape of the slices of ``x`` at ``index`` along ``dim``."""
    return (*x.shape[:dim], index.size, *x.shape[dim + 1 :]) if x.ndim else ()


class IndexAddBackward0(General):
    """z = x with alpha times the slices of y added at ``index`` along ``dim``."""
    operands, names = "x index y", {"y": "source"}
    def forward(x, index, y, dim, alpha):
        z = np.array(x, order="C")
        add_to_slices(z, index, y, dim, alpha)
        return z
    def vjp_x(xp, g): return g
    def vjp_y(xp, g, index, dim, alpha, y_shape):
        g = xp.reshape(xp.take_slices(g, index, dim), y_shape)
        return g if alpha == 1 else g * alpha
_index_add = op(IndexAddBackward0)


def check_slices(name, input, dim, index, source):
    """``dim`` from the front; raises unless ``source`` has slices like those of ``input`` at ``index`` along ``dim``."""
    public = name.rstrip("_")
    is_tensor(public, "index", 3, index)
    is_tensor(public, "source", 4, source)
    x, i, y = input._array, index._array, source._array
    dim = axis(integer(dim, public, "dim", 2), x.ndim)
    if i.ndim > 1:
        raise IndexError(
            f"{name}(): Index is supposed to be a vector, but got dim: {i.ndim} with type: {name_of(index)} and size: "
            f"{shape_text(i.shape)}"
        )
    if i.dtype not in _UNSIGNED:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index but got: {name_of(index)}")
    if x.dtype != y.dtype:
        raise RuntimeError(f"{name}(): self ({name_of(input)}) and source ({name_of(source)}) must have the same scalar type")
    have = y.shape[dim] if y.ndim > dim else 1
    if i.size != have:
        raise RuntimeError(
            f"{name}(): Number of indices ({i.size}) should be equal to source.size(dim): ({have}), for dim: {dim}"
        )
    if x.ndim and y.ndim and (x.shape[:dim], x.shape[dim + 1 :]) != (y.shape[:dim], y.shape[dim + 1 :]):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{shape_text(x.shape)} source.shape = {shape_text(y.shape)}"
        )
    if x.ndim <= 1 and bad_index(i, x.size) is not None:
        raise IndexError("index out of range in self")
    if x.size:
        check_in_range(i, x, dim)
    return dim


def check_in_range(index, x, dim, error=RuntimeError, name=""):
    """Raise ``error`` for an index that dimension ``dim`` of ``x`` does not have; negative ones it has not."""
    n = x.shape[dim] if x.ndim else 1
    bad = bad_index(index, n)
    if bad is not None:
        raise error(f"{name}index {bad} is out of bounds for dimension {dim} with size {n}")


def index_add(input, dim, index, source, *, alpha=1, out=None):
    """A copy of ``input`` with ``alpha`` times the slices of ``source`` added at ``index`` along a dimension.

    Raises RuntimeError if sizes or dtypes do not fit, or for an index out of range.

    >>> import minigrad
    >>> minigrad.index_add(minigrad.zeros(3), 0, minigrad.tensor([0, 0]), minigrad.tensor([1., 2.]))
    tensor([3., 0., 0.])
    """
    dim = check_slices("index_add_", input, dim, index, source)
    if out is not None:
        return into(out, lambda: _index_add(input, index, source, dim, alpha), "index_add", (input, source))
    return _index_add(input, index, source, dim, alpha)


def index_add_(input, dim, index, source, *, alpha=1):
    """As ``index_add``, written into the tensor itself, which is returned."""
    may_write(input, source)
    dim = check_slices("index_add_", input, dim, index, source)
    check_apart(input, index, source)
    return write(
        IndexAddBackward0, input, (index, source), (dim, alpha), lambda x, i, y: add_to_slices(x, i, y, dim, alpha)
    )


def set_slices(x, index, y, dim):
    """Write the slices of ``y`` to those of array ``x`` at ``index`` along ``dim``."""
    if x.ndim:
        x[slices(dim, index)] = y.reshape(slices_shape(x, index, dim))
    elif index.size:
        x[...] = y.reshape(-1)[0]


class IndexCopyBackward0(General):
    """z = x with the slices of y at ``index`` along ``dim``."""
    operands, names = "x index y", {"y": "source"}
    def forward(x, index, y, dim):
        z = np.array(x, order="C")
        set_slices(z, index, y, dim)
        return z
    def vjp_x(xp, g, index, dim):          return xp.zero_slices(g, index, dim)
    def vjp_y(xp, g, index, dim, y_shape): return xp.reshape(xp.take_slices(g, index, dim), y_shape)
_index_copy = op(IndexCopyBackward0)


def check_copy(input, dim, index, source):
    """As ``check_slices``, with the messages of ``index_copy``."""
    is_tensor("index_copy", "index", 3, index)
    is_tensor("index_copy", "source", 4, source)
    x, i, y = input._array, index._array, source._array
    dim = axis(integer(dim, "index_copy", "dim", 2), x.ndim)
    if i.ndim > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {i.ndim})")
    if i.dtype is not _INT64:
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {name_of(index)}")
    if x.dtype != y.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{name_of(input)} and (source) {name_of(source)}"
        )
    if x.ndim and y.ndim and x.ndim != y.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality "
            f"({y.ndim}), destination dimensionality ({x.ndim})"
        )
    ours, theirs = x.shape[:dim] + x.shape[dim + 1 :], y.shape[:dim] + y.shape[dim + 1 :]
    if ours != theirs:
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
            f"{' '.join(map(str, ours))} at dimension {dim} and source slice shape: {' '.join(map(str, theirs))} at dimension 0."
        )
    have = y.shape[dim] if y.ndim else 1
    if i.size != have:
        raise IndexError(f"index_copy_(): Number of indices ({i.size}) should be equal to source.size(dim) ({have})")
    check_in_range(i, x, dim, IndexError, "index_copy_(): ")
    return dim


def index_copy(input, dim, index, source, *, out=None):
    """A copy of ``input`` with the slices of ``source`` at ``index`` (int64) along a dimension.

    Raises RuntimeError if shapes or dtypes do not fit, IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.index_copy(minigrad.zeros(3), 0, minigrad.tensor([2]), minigrad.tensor([7.]))
    tensor([0., 0., 7.])
    """
    dim = check_copy(input, dim, index, source)
    if out is not None:
        return into(out, lambda: _index_copy(input, index, source, dim), "index_copy", (input, source))
    return _index_copy(input, index, source, dim)


def index_copy_(input, dim, index, source):
    """As ``index_copy``, written into the tensor itself, which is returned."""
    may_write(input, source)
    dim = check_copy(input, dim, index, source)
    check_apart(input, index, source)
    return write(IndexCopyBackward0, input, (index, source), (dim,), lambda x, i, y: set_slices(x, i, y, dim))


def fill_slices(x, index, value, dim):
    """Fill the slices of array ``x`` at ``index`` along ``dim`` with a number."""
    if x.ndim:
        x[slices(dim, index)] = value
    elif index.size:
        x[...] = value


def filled(x, index, value, dim):
    """A copy of ``x`` with a number in the slices at ``index`` along ``dim``."""
    z = np.array(x, order="C")
    fill_slices(z, index, value, dim)
    return z


class IndexFillBackward0(General):
    """z = x with a number in the slices at ``index`` along ``dim``."""
    operands, fills = "x index", "tensor[mask] = scalar"
    def forward(x, index, dim, value): return filled(x, index, value, dim)
    def vjp_x(xp, g, index, dim):      return xp.zero_slices(g, index, dim)
_index_fill_number = op(IndexFillBackward0)


class IndexFillBackward1(General):
    """z = x with y, a 0-dim tensor, in the slices at ``index`` along ``dim``."""
    operands, names, fills = "x index y", {"y": "value"}, "tensor[mask] = scalar"
    def forward(x, index, y, dim, value_dtype): return filled(x, index, y, dim)
    def vjp_x(xp, g, index, dim):               return xp.zero_slices(g, index, dim)
    def vjp_y(xp, g, index, dim, value_dtype):  # indices may repeat: each place counts once
        return xp.astype(xp.sum(xp.keep(g, xp.zero_slices(xp.ones_like(g), index, dim) == 0)), value_dtype)
_index_fill_tensor = op(IndexFillBackward1)


def zero_slices(x, index, dim):
    """``x`` with zeros in the slices at ``index`` along ``dim``."""
    return _index_fill_number(x, index, dim, 0)


def check_fill(input, dim, index, value):
    """(dim from the front, value as ``filling`` gives it); raises for what does not fit."""
    is_tensor("index_fill", "index", 3, index)
    x, i = input._array, index._array
    if (value._array.dtype.kind == "c" if isinstance(value, Tensor) else isinstance(value, complex)) and x.dtype.kind != "c":
        raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
    dim = axis(integer(dim, "index_fill", "dim", 2), x.ndim)
    value = filling("index_fill_", input, value)
    if i.dtype is not _INT64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if i.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    n = x.shape[dim] if x.ndim else 1
    bad = (i < -n) | (i >= n)
    if bad.any():
        raise out_of_bounds(i.reshape(-1)[bad.reshape(-1)][0], dim, n)
    return dim, value


def index_fill(input, dim, index, value):
    """A copy of ``input`` with ``value``, a number or 0-dim tensor, in the slices at ``index`` (int64) along a dimension.

    Raises IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.index_fill(minigrad.tensor([1, 2, 3]), 0, minigrad.tensor([0, -1]), 9)
    tensor([9, 2, 9])
    """
    dim, value = check_fill(input, dim, index, value)
    if isinstance(value, Tensor):
        return _index_fill_tensor(input, index, value, dim, value._array.dtype)
    return _index_fill_number(input, index, dim, value)


def index_fill_(input, dim, index, value):
    """As ``index_fill``, written into the tensor itself, which is returned."""
    may_write(input, value)
    dim, value = check_fill(input, dim, index, value)
    if isinstance(value, Tensor):
        return write(IndexFillBackward1, input, (index, value), (dim, value._array.dtype), lambda x, i, y: fill_slices(x, i, y, dim))
    return write(IndexFillBackward0, input, (index,), (dim, value), lambda x, i: fill_slices(x, i, value, dim))


# An index for every element --------------------------------------------------------------------------------------------------------


def check_index(name, input, dim, index, src=None):
    """``dim`` from the front; raises unless ``index`` may pick elements along it (and ``src`` has one for each)."""
    is_tensor(name, "index", 3, index)
    x, i = input._array, index._array
    dim = axis(dim if dim.__class__ is int else integer(dim, name, "dim", 2), x.ndim)
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
            raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
        if not fits or any(n > m for n, m in zip(i.shape, y.shape)):
            raise RuntimeError(
                f"Expected index {shape_text(i.shape)} to be no larger than self {shape_text(x.shape)} apart from dimension {dim} "
                f"and to be no larger size than src {shape_text(y.shape)}"
            )
    elif not fits:
        raise RuntimeError(
            f"Expected index {shape_text(i.shape)} to be no larger than self {shape_text(x.shape)} apart from dimension {dim}"
        )
    check_in_range(i, x, dim)
    return dim


class GatherBackward0(General):
    """z = the elements of x at ``index`` along ``dim``, which has z's shape; g is added there, into zeros."""
    operands = "x index"
    def forward(x, index, dim):            return arrays.gather(x, index, dim)
    def vjp_x(xp, g, x_shape, index, dim): return xp.add_elements(g, index, dim, x_shape)
_gather = op(GatherBackward0)


class AddElements(General):
    """z = zeros of ``shape`` with x added at ``index`` along ``dim``: what ``xp.add_elements`` is on Tensors."""
    operands, public = "x index", "add_elements"
    def forward(x, index, dim, shape): return arrays.add_elements(x, index, dim, shape)
    def vjp_x(xp, g, index, dim):      return xp.gather(g, index, dim)
add_elements = op(AddElements)


def gather(input, dim, index, *, sparse_grad=False, out=None):
    """The elements of ``input`` at ``index`` along a dimension; the result has the shape of ``index``.

    ``index`` (int32 or int64) may be smaller than ``input`` in the other dimensions.  Raises RuntimeError for an index out of range.

    >>> import minigrad
    >>> minigrad.gather(minigrad.tensor([[1, 2], [3, 4]]), 1, minigrad.tensor([[0], [1]]))
    tensor([[1],
            [4]])
    """
    dim = check_index("gather", input, dim, index)
    return _gather(input, index, dim) if out is None else into_same(out, lambda: _gather(input, index, dim), "gather", (input,))


def take_along_dim(input, indices, dim=None, *, out=None):
    """The elements of ``input`` at ``indices`` (int64) along a dimension; the other dimensions broadcast.

    Without ``dim``, elements are picked as if in one row.

    >>> import minigrad
    >>> minigrad.take_along_dim(minigrad.tensor([[1, 2], [3, 4]]), minigrad.tensor([[1, 0]]), 1)
    tensor([[2, 1],
            [4, 3]])
    """
    is_tensor("take_along_dim", "indices", 2, indices)
    x, i = input._array, indices._array
    if i.dtype is not _INT64:
        raise RuntimeError(f"torch.take_along_dim(): dtype of indices should be Long but got {name_of(indices)}")
    if dim is None:
        input, indices, dim = reshape(input, (x.size,)), reshape(indices, (i.size,)), 0
    else:
        if i.ndim != x.ndim:
            raise RuntimeError(
                "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
                f"{x.ndim} dimensions for input, and {i.ndim} dimensions for indices"
            )
        dim = axis(integer(dim, "take_along_dim", "dim", 3), x.ndim)
        if x.ndim:
            ours, theirs = list(x.shape), list(i.shape)
            ours[dim] = theirs[dim] = 1
            together = list(broadcast_shapes((tuple(ours), tuple(theirs))))
            input = expanded_but(input, together, dim)
            indices = expanded_but(indices, together, dim)
    n = input._array.shape[dim] if x.ndim else 1
    if (indices._array < 0).any():
        indices = wrap(np.where(indices._array < 0, indices._array + n, indices._array))
    return gather(input, dim, indices, out=out)


def expanded_but(x, shape, dim):
    """``x`` expanded to ``shape`` in all dimensions but ``dim``."""
    shape = (*shape[:dim], x._array.shape[dim], *shape[dim + 1 :])
    return expand_to(x, shape)


class ScatterBackward0(General):
    """z = x with elements of y at ``index`` along ``dim``; where an index repeats, one of them."""
    operands, names = "x index y", {"y": "src"}
    def forward(x, index, y, dim):         return scattered(copied(x), index, y, dim)
    def vjp_x(xp, g, index, dim):          return xp.zero_elements(g, index, dim)
    def vjp_y(xp, g, index, dim, y_shape): return xp.padded(xp.gather(g, index, dim), y_shape)
_scatter = op(ScatterBackward0)


class ScatterBackward1(General):
    """z = x with a number at ``index`` along ``dim``."""
    operands = "x index"
    def forward(x, index, dim, value): return scattered(copied(x), index, np.asarray(value), dim)
    def vjp_x(xp, g, index, dim):      return xp.zero_elements(g, index, dim)
_scatter_number = op(ScatterBackward1)


def zero_elements(x, index, dim):
    """``x`` with zeros at ``index`` along ``dim``."""
    return _scatter_number(x, index, dim, 0)


class ScatterAddBackward0(General):
    """z = x with elements of y added at ``index`` along ``dim``."""
    operands, names = "x index y", {"y": "src"}
    def forward(x, index, y, dim):         return scattered_sum(copied(x), index, y, dim)
    def vjp_x(xp, g):                      return g
    def vjp_y(xp, g, index, dim, y_shape): return xp.padded(xp.gather(g, index, dim), y_shape)
_scatter_add = op(ScatterAddBackward0)


def scatter(input, dim, index, src=None, *, value=None, reduce=None, out=None):
    """A copy of ``input`` with elements of ``src`` (a tensor, or one number) at ``index`` along a dimension.

    ``reduce`` may be "add" or "multiply".  Raises RuntimeError if shapes or dtypes do not fit, or for an index out of range.

    >>> import minigrad
    >>> minigrad.scatter(minigrad.zeros(3), 0, minigrad.tensor([2, 0]), minigrad.tensor([1., 2.]))
    tensor([2., 0., 1.])
    """
    src = value if src is None else src
    if out is not None:
        return into(out, lambda: scatter(input, dim, index, src, reduce=reduce), "scatter", (input, src))
    dim, src, reduce = check_scatter("scatter", input, dim, index, src, reduce)
    if reduce is not None:
        return _scatter_reduce(input, index, src, dim, reduce, True) if reduce == "prod" else _scatter_add(input, index, src, dim)
    return _scatter(input, index, src, dim) if isinstance(src, Tensor) else _scatter_number(input, index, dim, src)


def scatter_(input, dim, index, src=None, *, value=None, reduce=None):
    """As ``scatter``, written into the tensor itself, which is returned."""
    may_write(input, src)
    dim, src, reduce = check_scatter("scatter", input, dim, index, value if src is None else src, reduce)
    check_apart(input, index, *([src] if isinstance(src, Tensor) else []))
    if reduce == "prod":
        return scatter_reduce_(input, dim, index, src, "prod")
    if reduce is not None:
        return write(ScatterAddBackward0, input, (index, src), (dim,), lambda x, i, y: scattered_sum(x, i, y, dim))
    if isinstance(src, Tensor):
        return write(ScatterBackward0, input, (index, src), (dim,), lambda x, i, y: scattered(x, i, y, dim))
    return write(ScatterBackward1, input, (index,), (dim, src), lambda x, i: scattered(x, i, src, dim))


def check_scatter(name, input, dim, index, src, reduce):
    """(dim from the front, src, reduction or None): a number to scatter is an array, or a tensor to add or multiply with."""
    if reduce not in (None, "add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    if isinstance(src, Tensor):
        dim = check_index(name, input, dim, index, src)
        if reduce is not None:
            warnings.warn(
                "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch "
                "release. Use torch.scatter_reduce instead for more reduction options.",
                stacklevel=3,
            )
    else:
        if not isinstance(src, (bool, int, float, complex, np.generic)):
            raise not_a_tensor(name, "src", 4, src)
        dim = check_index(name, input, dim, index)
        src = as_number(src, input._array.dtype)
        if reduce is not None:
            src = wrap(np.full(index._array.shape, src))
    return dim, src, {None: None, "add": "sum", "multiply": "prod"}[reduce]


def scatter_add(input, dim, index, src, *, out=None):
    """A copy of ``input`` with elements of ``src`` added at ``index`` along a dimension.

    Raises RuntimeError if shapes or dtypes do not fit, or for an index out of range.

    >>> import minigrad
    >>> minigrad.scatter_add(minigrad.zeros(3), 0, minigrad.tensor([0, 0]), minigrad.tensor([1., 2.]))
    tensor([3., 0., 0.])
    """
    is_tensor("scatter_add", "src", 4, src)
    dim = check_index("scatter", input, dim, index, src)
    if out is not None:
        return into(out, lambda: _scatter_add(input, index, src, dim), "scatter_add", (input, src))
    return _scatter_add(input, index, src, dim)


def scatter_add_(input, dim, index, src):
    """As ``scatter_add``, written into the tensor itself, which is returned."""
    is_tensor("scatter_add_", "src", 3, src)
    may_write(input, src)
    dim = check_index("scatter", input, dim, index, src)
    check_apart(input, index, src)
    return write(ScatterAddBackward0, input, (index, src), (dim,), lambda x, i, y: scattered_sum(x, i, y, dim))


# Reductions at indices -------------------------------------------------------------------------------------------------------------


def reduced_gradient_x(xp, g, x, index, y, z, dim, reduce, include_self):
    """The gradient of the tensor into which ``reduced`` writes."""
    if not include_self:
        g = xp.zero_elements(g, index, dim)
        if reduce in ("amax", "amin", "prod", "mean"):
            return g
    if reduce == "sum":
        return g
    if reduce == "mean":
        return g / occurrences(xp, g, index, dim, True)
    if reduce == "prod":
        return g * xp.scatter_reduce(xp.ones_like(x), index, y, dim, "prod", True)
    mine, _, n = shares(xp, x, index, y, z, dim, include_self)
    return g / n * mine


def reduced_gradient_y(xp, g, x, index, y, z, dim, reduce, include_self):
    """The gradient of the elements that ``reduced`` reduces."""
    if reduce == "sum":
        return xp.padded(xp.gather(g, index, dim), y.shape)
    if reduce == "mean":
        return xp.padded(xp.gather(g / occurrences(xp, g, index, dim, include_self), index, dim), y.shape)
    if reduce == "prod":
        out = xp.gather(g, index, dim) * xp.others(x, index, y, dim, include_self)
    else:
        _, theirs, n = shares(xp, x, index, y, z, dim, include_self)
        out = xp.gather(g / n, index, dim) * theirs
    return xp.padded(out, y.shape)


def occurrences(xp, g, index, dim, include_self):
    """How many elements met at each place; one where none did."""
    ones = xp.ones_like(g)
    n = xp.add_elements(xp.gather(ones, index, dim), index, dim, g.shape)
    return n + ones if include_self else xp.where(n == 0, ones, n)


def shares(xp, x, index, y, z, dim, include_self):
    """Which elements are the extremes of their places: of x, of y; and how many there are at each place."""
    mine = xp.astype_like(x == z, x)
    if not include_self:
        mine = xp.zero_elements(mine, index, dim)
    part = y if y.shape == index.shape else y[tuple([slice(n) for n in index.shape])]
    theirs = xp.astype_like(part == xp.gather(z, index, dim), part)
    n = mine + xp.add_elements(theirs, index, dim, x.shape)
    return mine, theirs, xp.where(n == 0, xp.ones_like(n), n)


class ScatterReduceBackward0(General):
    """z = elements of y reduced at ``index`` along ``dim``, together with x there if ``include_self``; ties share g evenly."""
    operands, names = "x index y", {"y": "src"}
    forward = arrays.scatter_reduce
    def vjp_x(xp, g, x, index, y, z, dim, reduce, include_self):     return reduced_gradient_x(xp, g, x, index, y, z, dim, reduce, include_self)
    def vjp_y(xp, g, x, index, y, z, dim, reduce, include_self):     return reduced_gradient_y(xp, g, x, index, y, z, dim, reduce, include_self)
_scatter_reduce = op(ScatterReduceBackward0)


def check_reduce(name, reduce):
    """Raise RuntimeError for an unknown reduction."""
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError("reduce argument must be either sum, prod, mean, amax or amin, got " + str(reduce))


def scatter_reduce(input, dim, index, src, reduce, *, include_self=True, out=None):
    """A copy of ``input`` with elements of ``src`` reduced at ``index`` along a dimension: "sum", "prod", "mean", "amax", "amin".

    The elements of ``input`` there take part if ``include_self``.  Raises RuntimeError if shapes or dtypes do not fit.

    >>> import minigrad
    >>> minigrad.scatter_reduce(minigrad.ones(2), 0, minigrad.tensor([0, 0]), minigrad.tensor([2., 3.]), "prod")
    tensor([6., 1.])
    """
    is_tensor("scatter_reduce", "src", 4, src)
    check_reduce("scatter_reduce", reduce)
    dim = check_index("scatter", input, dim, index, src)
    if out is not None:
        return into(out, lambda: _scatter_reduce(input, index, src, dim, reduce, include_self), "scatter_reduce", (input, src))
    return _scatter_reduce(input, index, src, dim, reduce, include_self)


def scatter_reduce_(input, dim, index, src, reduce, *, include_self=True):
    """As ``scatter_reduce``, written into the tensor itself, which is returned."""
    is_tensor("scatter_reduce_", "src", 3, src)
    check_reduce("scatter_reduce_", reduce)
    may_write(input, src)
    dim = check_index("scatter", input, dim, index, src)
    check_apart(input, index, src)
    return write(
        ScatterReduceBackward0, input, (index, src), (dim, reduce, include_self),
        lambda x, i, y: reduced(x, i, y, dim, reduce, include_self),
    )


def for_every_element(index, shape, dim):
    """A vector of indices along ``dim`` as an index for every element of a source of ``shape``."""
    return index.reshape((1,) * dim + (-1,) + (1,) * (len(shape) - dim - 1)) if shape else index.reshape(())


class IndexReduceBackward0(General):
    """z = slices of y reduced at ``index``, a vector, along ``dim``, together with x there if ``include_self``; ties share g evenly."""
    operands, names = "x index y", {"y": "source"}
    def forward(x, index, y, dim, reduce, include_self):
        index = np.broadcast_to(for_every_element(index, y.shape, dim), y.shape)
        return reduced(copied(x), index, y, dim, reduce, include_self)
    def vjp_x(xp, g, x, index, y, z, dim, reduce, include_self):
        index = xp.broadcast_to(for_every_element(index, y.shape, dim), y.shape)
        return reduced_gradient_x(xp, g, x, index, y, z, dim, reduce, include_self)
    def vjp_y(xp, g, x, index, y, z, dim, reduce, include_self):
        index = xp.broadcast_to(for_every_element(index, y.shape, dim), y.shape)
        return reduced_gradient_y(xp, g, x, index, y, z, dim, reduce, include_self)
_index_reduce = op(IndexReduceBackward0)


def check_index_reduce(input, dim, index, source, reduce):
    """``dim`` from the front; raises for what does not fit."""
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    dim = check_slices("index_reduce_", input, dim, index, source)
    warnings.warn("index_reduce() is in beta and the API may change at any time.", stacklevel=3)
    return dim


def index_reduce(input, dim, index, source, reduce, *, include_self=True, out=None):
    """A copy of ``input`` with slices of ``source`` reduced at ``index`` along a dimension: "prod", "mean", "amax", "amin".

    The slices of ``input`` there take part if ``include_self``.  Raises RuntimeError if shapes or dtypes do not fit.

    >>> import minigrad
    >>> minigrad.index_reduce(minigrad.ones(2), 0, minigrad.tensor([0, 0]), minigrad.tensor([2., 3.]), "prod")
    tensor([6., 1.])
    """
    dim = check_index_reduce(input, dim, index, source, reduce)
    if out is not None:
        return into(out, lambda: _index_reduce(input, index, source, dim, reduce, include_self), "index_reduce", (input, source))
    return _index_reduce(input, index, source, dim, reduce, include_self)


def index_reduce_(input, dim, index, source, reduce, *, include_self=True):
    """As ``index_reduce``, written into the tensor itself, which is returned."""
    may_write(input, source)
    dim = check_index_reduce(input, dim, index, source, reduce)
    check_apart(input, index, source)

    def kernel(x, i, y):
        reduced(x, np.broadcast_to(for_every_element(i, y.shape, dim), y.shape), y, dim, reduce, include_self)

    return write(IndexReduceBackward0, input, (index, source), (dim, reduce, include_self), kernel)


# A part replaced ---------------------------------------------------------------------------------------------------------------------


def check_part(part, src):
    """Raise RuntimeError unless ``src`` has the shape of the part that it replaces."""
    if part != src._array.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. src size = "
            f"{shape_text(src._array.shape)}, slice size = {shape_text(part)}"
        )


class SelectScatterBackward0(General):
    """z = x with y at one index of an axis."""
    operands, names = "x y", {"y": "src"}
    forward = arrays.select_scatter
    def vjp_x(xp, g, y_shape, dim, index): return xp.select_scatter(g, xp.zeros(y_shape, g), dim, index)
    def vjp_y(xp, g, dim, index):          return g[(*(ALL,) * dim, index, ...)]
_select_scatter = op(SelectScatterBackward0)


def select_scatter(input, src, dim, index):
    """A copy of ``input`` with ``src`` at ``index`` of a dimension; raises RuntimeError if the shape does not fit.

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
    operands, names = "x y", {"y": "src"}
    forward = arrays.slice_scatter
    def vjp_x(xp, g, y_shape, dim, start, end, step): return xp.slice_scatter(g, xp.zeros(y_shape, g), dim, start, end, step)
    def vjp_y(xp, g, dim, start, end, step):          return g[(*(ALL,) * dim, slice(start, end, step))]
_slice_scatter = op(SliceScatterBackward0)


def slice_scatter(input, src, dim=0, start=None, end=None, step=1, *, out=None):
    """A copy of ``input`` with ``src`` at a range of a dimension; raises RuntimeError if the shape does not fit.

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
        return into(out, lambda: _slice_scatter(input, src, dim, start, end, step), "slice_scatter", (input, src))
    return _slice_scatter(input, src, dim, start, end, step)


class DiagonalScatterBackward0(General):
    """z = x with y on the diagonals of the matrices that two axes span."""
    operands, names = "x y", {"y": "src"}
    forward = arrays.diagonal_scatter
    def vjp_x(xp, g, y_shape, offset, dim1, dim2): return xp.diagonal_scatter(g, xp.zeros(y_shape, g), offset, dim1, dim2)
    def vjp_y(xp, g, offset, dim1, dim2):          return xp.diagonal(g, offset, dim1, dim2)
_diagonal_scatter = op(DiagonalScatterBackward0)


def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """A copy of ``input`` with ``src`` on its diagonals; raises RuntimeError if the shape does not fit.

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
    operands, names = "x y", {"y": "src"}
    forward = arrays.as_strided_scatter
    def vjp_x(xp, g, y_shape, size, stride, offset): return xp.as_strided_scatter(g, xp.zeros(y_shape, g), size, stride, offset)
    def vjp_y(xp, g, size, stride, offset):          return xp.as_strided(g, size, stride, offset)
_as_strided_scatter = op(AsStridedScatterBackward0)


def as_strided_scatter(input, src, size, stride, storage_offset=None):
    """A copy of ``input``, dense in the order of its indices, with ``src`` where ``as_strided`` would look.

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
