"""Slices at a vector of indices: ``index_select``, ``index_add``, ``index_copy``, ``index_fill``."""

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.rounding import fitted, numbers
from .._arrays.scatter_add import add_into, is_half, rounded_once
from .._arrays.traced import Traced
from .._base.dtypes import dtype_name, is_complex_type
from .._base.errors import axis as axis_of
from .._base.errors import either_name, integer, not_a_tensor, shape_text
from .._core.families import General, op
from .._core.inplace import check_apart, may_write, write
from .._core.tensor import Tensor, is_blank, wrap
from .._core.wrapped import elements
from .batches import everywhere
from .choose import where
from .convert import as_number
from .keys import out_of_bounds
from .masks import filling
from .parts import ALL

__all__ = ["index_add", "index_copy", "index_fill", "index_select"]
METHODS = "index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_select"

_INT32, _INT64 = np.dtype("int32"), np.dtype("int64")
_UNSIGNED = {_INT32: np.dtype("uint32"), _INT64: np.dtype("uint64")}


def is_tensor(function, name, place, value):
    """Raise TypeError unless an argument is a Tensor."""
    if not isinstance(value, Tensor):
        raise not_a_tensor(function, name, place, value)


def bad_index(index, n):
    """An element of a tensor of indices that is not in [0, n), or None."""
    index = elements(index)
    if index.__class__ is Traced:
        return index.program.check(_bad_index, (index, n))
    return None if is_blank(index) else _bad_index(index, n)


def _bad_index(index, n):
    if not index.size or index.view(_UNSIGNED[index.dtype]).max() < n:
        return None
    return index[(index < 0) | (index >= n)][0]


def slices(dim, index):
    """The key of the slices at ``index``, a vector or number, along ``dim``."""
    return (*(ALL,) * dim, index.reshape(-1))


class AtSlices(General):
    """An op on slices at a vector of indices along ``dim``: for a batch of indices, those of all samples stand one after another."""
    __slots__ = ()
    def batch(call, xs, batched, params, size):
        dim, *params = params
        x, index, *ys = everywhere(xs, batched, size)
        to_shape = call.op is AddSlices
        shape = params[0] if to_shape else x.shape[1:]
        padded_dim = not shape
        if padded_dim: shape, x, ys = (1,), x.reshape(size, -1), [y.reshape(size, -1) for y in ys]
        if batched[1]:
            n = shape[dim]
            index = (where(index < 0, index + n, index) + wrap(np.arange(size) * n).reshape(-1, *(1,) * (index.ndim - 1))).reshape(-1)
            x, *ys = [y.reshape(y.shape + (1,) * (dim + 2 - y.ndim)).movedim(dim + 1, 1).flatten(0, 1) for y in (x, *ys)]
            if to_shape: params = [(size * n, *shape[:dim], *shape[dim + 1 :])]
            z = call(x, index, *ys, 0, *params).unflatten(0, (size, -1)).movedim(1, dim + 1)
        else:
            if to_shape: params = [(size, *shape)]
            z = call(x, xs[1], *ys, dim + 1, *params)
        return z.reshape(size) if padded_dim else z


class IndexSelectBackward0(AtSlices):
    """z = the slices of x at ``index``, a vector, along ``dim``; g is added there, into zeros."""
    linear = True
    operands = "x index"
    def forward(x, index, dim):            return x.take(index.reshape(-1), dim) if x.ndim else x.copy()
    def vjp_x(xp, g, x_shape, index, dim): return xp.add_slices(g, index, dim, x_shape)
    def inputs(x, index, dim): return x, dim, index
_index_select = op(IndexSelectBackward0)


class AddSlices(AtSlices):
    """z = zeros of ``shape`` with the slices of x added at ``index`` along ``dim``: what ``xp.add_slices`` is on Tensors."""
    linear = True
    operands, public = "x index", "add_slices"
    def forward(x, index, dim, shape): return arrays.add_slices(x, index, dim, shape)
    def vjp_x(xp, g, index, dim):      return xp.take_slices(g, index, dim)
add_slices = op(AddSlices)


def index_select(input, dim=None, index=None, *, out=None, axis=None):
    """Return the slices of ``input`` at ``index`` (a vector of int32 or int64) along a dimension.

    Raises IndexError for an index that is negative or too large.

    >>> import minigrad
    >>> minigrad.index_select(minigrad.tensor([[1, 2], [3, 4]]), 0, minigrad.tensor([1, 1]))
    tensor([[3, 4],
            [3, 4]])
    """
    is_tensor("index_select", "index", 3, index)
    i, x = index._array, input._array
    if dim is None or axis is not None:
        dim = either_name("index_select", dim, axis)
    dim = axis_of(integer(dim, "index_select", "dim", 2), x.ndim)
    if isinstance(out, Tensor) and out.dtype is not input.dtype:
        raise RuntimeError("index_select(): self and result must have the same scalar type")
    if i.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if i.dtype not in _UNSIGNED:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not x.ndim and i.size != 1:
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {i.size} value(s)")
    bad = bad_index(index, x.shape[dim] if x.ndim else 1)
    if bad is not None:
        if x.ndim < 2 or (x.size and dim != 1):
            raise IndexError("index out of range in self")
        if not x.shape[dim]:
            raise RuntimeError("index_select(): self indexing axis dim should be positive")
        raise RuntimeError(f"INDICES element is out of DATA bounds, id={bad} axis_dim={x.shape[dim]}")
    return _index_select(input, index, dim) if out is None else _index_select.into(out, input, index, dim)


def add_to_slices(x, index, y, dim, alpha):
    """Add ``alpha`` times the slices of ``y`` to those of array ``x`` at ``index`` along ``dim``."""
    if x.dtype.char == "V" and is_complex_type(x.dtype):
        z = numbers(x)
        add_to_slices(z, index, numbers(y), dim, alpha)
        x[...] = fitted(z, x.dtype)
        return
    if alpha != 1:
        y = y * as_number(alpha, y.dtype, bounded=True)
    if not x.ndim:
        np.add(x, np.add.reduce(y.reshape(-1), dtype=y.dtype), x)
    elif not x.size:
        return  # whatever the indices are, as in PyTorch
    elif is_half(x):
        y = y.reshape(slices_shape(x, index, dim))
        if x.ndim > 1 and dim in (0, x.ndim - 1):
            rounded_once(x, slices(dim, index), y, add_into)
        else:  # where PyTorch rounds after each
            np.add.at(x, slices(dim, index), y)
    elif x.flags.c_contiguous:
        add_into(x, slices(dim, index), y.reshape(slices_shape(x, index, dim)))
    else:
        np.add.at(x, slices(dim, index), y.reshape(slices_shape(x, index, dim)))


def slices_shape(x, index, dim):
    """The shape of the slices of ``x`` at ``index`` along ``dim``."""
    return (*x.shape[:dim], index.size, *x.shape[dim + 1 :]) if x.ndim else ()


class IndexAddBackward0(AtSlices):
    """z = x with alpha times the slices of y added at ``index`` along ``dim``."""
    out_dtype = "result"
    linear = True
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


def check_slices(name, input, dim, index, source, reduces=None, alpha=1):
    """``dim`` from the front; raises unless ``source`` has slices like those of ``input`` at ``index`` along ``dim``.

    ``reduces``: they are for ``index_reduce``, with (True) or without those of ``input``; ``alpha``: what the slices are to be multiplied by.
    """
    public = name.rstrip("_")
    is_tensor(public, "index", 3, index)
    is_tensor(public, "source", 4, source)
    x, i, y = input._array, index._array, source._array
    dim = axis_of(integer(dim, public, "dim", 2), x.ndim)
    if i.ndim > 1:
        raise IndexError(
            f"{name}(): Index is supposed to be a vector, but got dim: {i.ndim} with type: {dtype_name(index)} and size: "
            f"{shape_text(i.shape)}"
        )
    if i.dtype not in _UNSIGNED:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index but got: {dtype_name(index)}")
    if x.dtype != y.dtype:
        raise RuntimeError(f"{name}(): self ({dtype_name(input)}) and source ({dtype_name(source)}) must have the same scalar type")
    if dim and dim >= y.ndim:
        raise RuntimeError(f"{name}(): Indexing dim {dim} is out of bounds of the source tensor with dim {y.ndim}")
    have = y.shape[dim] if y.ndim else 1
    if i.size != have:
        raise RuntimeError(
            f"{name}(): Number of indices ({i.size}) should be equal to source.size(dim): ({have}), for dim: {dim}"
        )
    if (x.ndim == 0 and y.shape not in ((), (1,))) or (x.ndim and y.ndim and (x.shape[:dim], x.shape[dim + 1 :]) != (y.shape[:dim], y.shape[dim + 1 :])):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{shape_text(x.shape)} source.shape = {shape_text(y.shape)}"
        )
    if reduces is False:
        check_in_range(index, x, dim, IndexError)
    at_once = x.ndim > 1 and dim in (0, x.ndim - 1) and i.dtype != "int32" and alpha == 1  # by PyTorch's other kernel, with words of its own
    if (reduces or not at_once) and bad_index(index, x.shape[dim] if x.ndim else 1) is not None:
        raise IndexError("index out of range in self")
    if x.size:
        check_in_range(index, x, dim)
    return dim


def check_in_range(index, x, dim, error=RuntimeError, name=""):
    """Raise ``error`` for an index that dimension ``dim`` of ``x`` does not have; negative ones it has not."""
    n = x.shape[dim] if x.ndim else 1
    bad = bad_index(index, n)
    if bad is not None:
        raise error(f"{name}index {bad} is out of bounds for dimension {dim} with size {n}")


def index_add(input, dim, index, source, *, alpha=1, out=None):
    """Return a copy of ``input`` with ``alpha`` times the slices of ``source`` added at ``index`` along a dimension.

    Raises RuntimeError if sizes or dtypes do not fit, or for an index out of range.

    >>> import minigrad
    >>> minigrad.index_add(minigrad.zeros(3), 0, minigrad.tensor([0, 0]), minigrad.tensor([1., 2.]))
    tensor([3., 0., 0.])
    """
    dim = check_slices("index_add_", input, dim, index, source, alpha=alpha)
    if out is not None:
        return _index_add.into(out, input, index, source, dim, alpha)
    return _index_add(input, index, source, dim, alpha)


def index_add_(input, dim, index, source, *, alpha=1):
    """In-place version of ``index_add``; returns the tensor.

    >>> import minigrad
    >>> minigrad.zeros(3).index_add_(0, minigrad.tensor([0, 2, 2]), minigrad.tensor([1., 2., 3.]))
    tensor([1., 0., 5.])
    """
    may_write(input, source)
    dim = check_slices("index_add_", input, dim, index, source, alpha=alpha)
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


class IndexCopyBackward0(AtSlices):
    """z = x with the slices of y at ``index`` along ``dim``."""
    out_dtype = "result"
    linear = True
    operands, names = "x index y", {"y": "source"}
    def forward(x, index, y, dim):
        z = np.array(x, order="C")
        set_slices(z, index, y, dim)
        return z
    def vjp_x(xp, g, index, dim):          return xp.zero_slices(g, index, dim)
    def vjp_y(xp, g, index, dim, y_shape): return xp.reshape(xp.take_slices(g, index, dim), y_shape)
_index_copy = op(IndexCopyBackward0)


def check_copy(input, dim, index, source):
    """Like ``check_slices``, with the messages of ``index_copy``."""
    is_tensor("index_copy", "index", 3, index)
    is_tensor("index_copy", "source", 4, source)
    x, i, y = input._array, index._array, source._array
    dim = axis_of(integer(dim, "index_copy", "dim", 2), x.ndim)
    if i.ndim > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {i.ndim})")
    if not y.ndim and i.size != 1:
        raise IndexError(f"index_copy_(): When source is scalar, index should have one element (got {i.size})")
    if x.ndim and y.ndim and x.ndim != y.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality "
            f"({y.ndim}), destination dimensionality ({x.ndim})"
        )
    if i.dtype is not _INT64:
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {dtype_name(index)}")
    if x.dtype != y.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{dtype_name(input)} and (source) {dtype_name(source)}"
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
    check_in_range(index, x, dim, IndexError, "index_copy_(): ")
    return dim


def index_copy(input, dim, index, source, *, out=None):
    """Return a copy of ``input`` with the slices of ``source`` at ``index`` (int64) along a dimension.

    Raises RuntimeError if shapes or dtypes do not fit, IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.index_copy(minigrad.zeros(3), 0, minigrad.tensor([2]), minigrad.tensor([7.]))
    tensor([0., 0., 7.])
    """
    dim = check_copy(input, dim, index, source)
    return _index_copy(input, index, source, dim) if out is None else _index_copy.into(out, input, index, source, dim)


def index_copy_(input, dim, index, source):
    """In-place version of ``index_copy``; returns the tensor.

    >>> import minigrad
    >>> minigrad.zeros(3).index_copy_(0, minigrad.tensor([2]), minigrad.tensor([7.]))
    tensor([0., 0., 7.])
    """
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
    z = np.array(x, order="K")
    fill_slices(z, index, value, dim)
    return z


class IndexFillBackward0(AtSlices):
    """z = x with a number in the slices at ``index`` along ``dim``."""
    aten = "index_fill.int_Scalar"
    operands, fills = "x index", "tensor[mask] = scalar"
    def forward(x, index, dim, value): return filled(x, index, value, dim)
    def vjp_x(xp, g, index, dim):      return xp.zero_slices(g, index, dim)
_index_fill_number = op(IndexFillBackward0)


class IndexFillBackward1(General):
    """z = x with y, a 0-dim tensor, in the slices at ``index`` along ``dim``."""
    aten = "index_fill.int_Tensor"
    operands, names, fills = "x index y", {"y": "value"}, "tensor[mask] = scalar"
    def batch(call, xs, batched, params, size):
        (x, index, y), (dim, _) = xs, params
        if not batched[0]: x = x.expand(size, *x.shape)
        chosen = AtSlices.batch(_index_fill_number, [wrap(np.zeros(x.shape, bool)), index], (True, batched[1]), (dim, True), size)
        return where(chosen, (y.reshape(-1, *(1,) * (x.ndim - 1)) if batched[2] else y).to(x.dtype), x)
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
    if isinstance(value, Tensor) and value._array.ndim:
        filling("index_fill_", input, value)  # which refuses it
    if i.dtype is not _INT64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if (is_complex_type(value._array.dtype) if isinstance(value, Tensor) else isinstance(value, complex)) and not is_complex_type(x.dtype):
        raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
    dim = axis_of(integer(dim, "index_fill", "dim", 2), x.ndim)
    value = filling("index_fill_", input, value)
    if i.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    n = x.shape[dim] if x.ndim else 1
    i = elements(index)
    bad = (i < -n) | (i >= n)
    if bad.any():
        raise out_of_bounds(i[bad][0], dim, n)
    return dim, value


def index_fill(input, dim, index, value):
    """Return a copy of ``input`` with ``value``, a number or 0-dim tensor, in the slices at ``index`` (int64) along a dimension.

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
    """In-place version of ``index_fill``; returns the tensor.

    >>> import minigrad
    >>> minigrad.zeros(3).index_fill_(0, minigrad.tensor([0, 2]), 1.)
    tensor([1., 0., 1.])
    """
    may_write(input, value)
    dim, value = check_fill(input, dim, index, value)
    if isinstance(value, Tensor):
        return write(IndexFillBackward1, input, (index, value), (dim, value._array.dtype), lambda x, i, y: fill_slices(x, i, y, dim))
    return write(IndexFillBackward0, input, (index,), (dim, value), lambda x, i: fill_slices(x, i, value, dim))
