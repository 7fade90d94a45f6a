"""Views: tensors that look at another's memory in another shape, in another order, or at a part of it.

Their gradients go back the same way: reshaped, permuted, summed over repetitions, or put at their place among zeros.
"""

import math
import operator
import warnings

import numpy as np

from .._core import arrays, dtypes
from .._core.device import contiguous_format
from .._core.errors import axis, dim_out_of_range, integer, shape_text, type_name
from .._core.families import Linear, Piece, ViewOp, op
from .._core.families import view as view_op
from .._core.inplace import laid_out, view_
from .._core.ownership import address, owner_of
from .._core.replay import steps_of
from .._core.storage import INFERENCE
from .._core.switch import here
from .._core.tensor import Tensor, as_class, bump, check_subclass, contiguous_strides, stripped
from .._core.views import View
from .convert import clone, contiguous

__all__ = [
    "adjoint", "as_strided", "broadcast_to", "diagonal", "flatten", "movedim", "moveaxis", "narrow", "permute", "ravel",
    "reshape", "resize_as_", "select", "squeeze", "swapaxes", "swapdims", "t", "transpose", "unflatten", "unsqueeze",
]

ALL = slice(None)
_END = 2**63 - 1  # where a slice without an end ends, in PyTorch's words


def sizes_of(function, argument, given, named=None):
    """A tuple of ints from what was given as ``*sizes``: several numbers, or one sequence of them, which may have been ``named``."""
    if named is not None:
        given = (named,)
    elif not given:
        raise TypeError(f'{function}() missing 1 required positional arguments: "{argument}"')
    if len(given) == 1 and given[0].__class__ is not int:
        first = given[0]
        if isinstance(first, (tuple, list)):
            given = first
        elif not hasattr(first, "__index__"):
            raise TypeError(f"{function}(): argument '{argument}' (position 1) must be tuple of ints, not {type_name(first)}")
    return ints(function, argument, given)


def ints(function, argument, values):
    """A tuple of ints; raises TypeError for other elements."""
    for v in values:
        if v.__class__ is not int:
            break
    else:
        return values if values.__class__ is tuple else tuple(values)
    found = []
    for i, v in enumerate(values):
        if not hasattr(v, "__index__"):
            raise TypeError(
                f"{function}(): argument '{argument}' failed to unpack the object at pos {i + 1} with error "
                f'"type must be tuple of ints,but got {type_name(v)}"'
            )
        found.append(operator.index(v))
    return tuple(found)


def as_int(value, function, argument, position):
    """``value`` as an int; raises TypeError for what is none."""
    return value if value.__class__ is int else integer(value, function, argument, position)


class AxisOp(ViewOp):
    """A view op whose parameters name dimensions: NumPy's error about them becomes PyTorch's."""

    __slots__ = ()

    @staticmethod
    def refuse(error, xs, params):
        """Raise PyTorch's error for NumPy's."""
        if isinstance(error, np.exceptions.AxisError):
            raise dim_out_of_range(error.axis, error.ndim) from None


# Another shape ---------------------------------------------------------------------------------------------------------------


def refuse_shape(error, xs, params):
    """Raise PyTorch's error for a shape that NumPy refused."""
    size = xs[0].size
    shape = ints("view", "size", params[0])
    unknown = [i for i, n in enumerate(shape) if n == -1]
    for i, n in enumerate(shape):
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {shape_text(shape)}") from None
    if len(unknown) > 1:
        raise RuntimeError("only one dimension can be inferred") from None
    if unknown and not size and 0 in shape:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {shape_text(shape)} because the unspecified dimension size -1 "
            "can be any value and is ambiguous"
        ) from None
    raise RuntimeError(f"shape '{shape_text(shape)}' is invalid for input of size {size}") from None


def shares(x, z):
    """Whether ``z``, a reshaped ``x``, still shares its memory."""
    return x.flags.c_contiguous or not x.size or np.may_share_memory(x, z)


class ViewBackward0(ViewOp):
    """z = x in another shape."""
    refuse = staticmethod(refuse_shape)
    def forward(x, size):
        if size and min(size) < -1:  # NumPy takes any negative size for the unknown one
            raise ValueError("negative size")
        return x.reshape(size)
    def vjp(xp, g, shape): return xp.reshape(g, shape)
_view = view_op(ViewBackward0)


class ReshapeAliasBackward0(ViewBackward0):
    """As ``ViewBackward0``: the node of ``reshape`` where elements do not lie in the order of the indices, but no copy is needed."""
_reshape_alias = view_op(ReshapeAliasBackward0)


class UnsafeViewBackward0(Linear):
    """z = x, a copy that nobody else sees, in another shape."""
    refuse, public = staticmethod(refuse_shape), "reshape"
    def forward(x, size):  return x.reshape(size)
    def vjp(xp, g, shape): return xp.reshape(g, shape)
_unsafe_view = op(UnsafeViewBackward0)


def view(input, *shape, size=None, dtype=None):
    """The same memory in another shape, one size of which may be -1; or, given a dtype, its bytes as elements of that dtype.

    Raises RuntimeError if the sizes do not fit, or if the elements do not lie in memory as the shape needs them (``reshape``
    would copy).

    >>> import minigrad
    >>> minigrad.arange(6).view(2, -1).shape
    torch.Size([2, 3])
    """
    if len(shape) < 2:
        if not shape:
            shape = (size if dtype is None else dtype,)
        first = shape[0]
        if first.__class__ is dtypes.dtype:
            return view_as_dtype(input, first)
        if first.__class__ is tuple:
            shape = first
        elif first.__class__ is not int:
            shape = size_of_view(first)
    xa = input._array
    if not xa.flags.c_contiguous:
        check_viewable(xa, shape)
    return _view(input, shape)


def size_of_view(given):
    """The size from the only argument of ``view``; raises TypeError for what is neither a size nor a dtype."""
    if isinstance(given, (tuple, list)):
        return tuple(given)
    if hasattr(given, "__index__"):
        return (operator.index(given),)
    name = type_name(given)
    wrong = f"      didn't match because some of the arguments have invalid types: (!{name}!)\n"
    raise TypeError(
        f"view() received an invalid combination of arguments - got ({name}), but expected one of:\n * (torch.dtype dtype)\n"
        f"{wrong} * (tuple of ints size)\n{wrong}"
    )


def check_viewable(x, shape):
    """Raise RuntimeError if array ``x`` would have to be copied for ``shape``."""
    try:
        z = x.reshape(shape)
    except (ValueError, TypeError) as error:
        refuse_shape(error, (x,), (shape,))
    if not shares(x, z):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )


def reshape(input, shape):
    """``input`` in another shape, one size of which may be -1: a view if memory allows, else a copy.

    Raises RuntimeError if the sizes do not fit.

    >>> import minigrad
    >>> minigrad.reshape(minigrad.arange(6), (3, 2)).shape
    torch.Size([3, 2])
    """
    if shape.__class__ is not tuple:
        if not isinstance(shape, (tuple, list)):
            raise TypeError(f"reshape(): argument 'shape' (position 2) must be tuple of ints, not {type_name(shape)}")
        shape = tuple(shape)
    xa = input._array
    if xa.flags.c_contiguous:
        return _view(input, shape)
    try:
        z = xa.reshape(shape)
    except (ValueError, TypeError) as error:
        refuse_shape(error, (xa,), (shape,))
    if shares(xa, z):
        return _reshape_alias(input, shape)
    return _unsafe_view(clone(input, memory_format=contiguous_format), shape)


def reshape_method(input, *sizes, shape=None):
    """As ``reshape``; the sizes may stand by themselves."""
    if len(sizes) != 1 or sizes[0].__class__ is not int:
        sizes = sizes_of("reshape", "shape", sizes, shape)
    return reshape(input, sizes)


class TransposeBackward0(AxisOp):
    """z = x with two axes exchanged."""
    def forward(x, dim0, dim1):
        if not x.ndim:
            axis(dim0, 0), axis(dim1, 0)
            return x[...]
        return x.swapaxes(dim0, dim1)
    def vjp(xp, g, dim0, dim1): return xp.swapaxes(g, dim0, dim1)
_transpose = view_op(TransposeBackward0)


def transpose(input, dim0, dim1):
    """A view with two dimensions exchanged; raises IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.transpose(minigrad.zeros(2, 3, 4), 0, 2).shape
    torch.Size([4, 3, 2])
    """
    return _transpose(input, as_int(dim0, "transpose", "dim0", 2), as_int(dim1, "transpose", "dim1", 3))


class TBackward0(ViewOp):
    """z = xᵀ for a matrix; a vector or number is itself."""
    def forward(x): return x.T
    def vjp(xp, g): return xp.transpose(g)
_t = view_op(TBackward0)


def t(input):
    """The transpose of a matrix, as a view; a vector or number is itself.  Raises RuntimeError for more dimensions.

    >>> import minigrad
    >>> minigrad.t(minigrad.zeros(2, 3)).shape
    torch.Size([3, 2])
    """
    if input._array.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D")
    return _t(input)


def refuse_dims(error, xs, params):
    """Raise PyTorch's error for an order of dimensions that NumPy refused."""
    n, dims = xs[0].ndim, ints("permute", "dims", params[0])
    if len(dims) != n:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of "
            f"dimensions i.e. input.dim() = {n} is not equal to len(dims) = {len(dims)}"
        ) from None
    for d in dims:
        axis(d, n)
    raise RuntimeError("permute(): duplicate dims are not allowed.") from None


class PermuteBackward0(ViewOp):
    """z = x with its axes in the order ``dims``."""
    refuse = staticmethod(refuse_dims)
    def forward(x, dims):     return x.transpose(dims)
    def vjp(xp, g, dims):     return xp.permute_dims(g, inverse(dims))
_permute = view_op(PermuteBackward0)


def inverse(dims):
    """The permutation that undoes ``dims``."""
    n = len(dims)
    back = [0] * n
    for i, d in enumerate(dims):
        back[d] = i
    return tuple(back)


def permute(input, dims):
    """A view with the dimensions in another order.

    Raises RuntimeError unless ``dims`` names every dimension once, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.permute(minigrad.zeros(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
    if dims.__class__ is not tuple:
        if not isinstance(dims, (tuple, list)):
            raise TypeError(f"permute(): argument 'dims' (position 2) must be tuple of ints, not {type_name(dims)}")
        dims = tuple(dims)
    return _permute(input, dims)


def permute_method(input, *given, dims=None):
    """As ``permute``; the dimensions may stand by themselves."""
    if len(given) > 1:
        return _permute(input, given)
    return permute(input, sizes_of("permute", "dims", given, dims))


class ExpandBackward0(ViewOp):
    """z = x repeated along axes of length one, and along new ones in front."""
    repeats = True
    def forward(x, size):  return arrays.strided(x, size, strides_expanded(x, size))
    def vjp(xp, g, shape): return xp.sum_to(g, shape)
_expand = view_op(ExpandBackward0)


def strides_expanded(x, size):
    """The strides of array ``x`` repeated to ``size``: zero where elements repeat."""
    shape, strides = x.shape, x.strides
    extra = len(size) - len(shape)
    kept = size[extra:]
    if kept != shape:
        strides = tuple([s if n == m else 0 for s, n, m in zip(strides, shape, kept)])
    if not extra:
        return strides
    if 1 not in size[:extra]:
        return (0,) * extra + strides
    for d in range(extra - 1, -1, -1):
        following = size[d + 1] * strides[0] if strides else x.itemsize
        strides = (following if size[d] == 1 else 0, *strides)
    return strides


def expand_to(input, size):
    """``input`` expanded to ``size``, a tuple of ints, where -1 keeps a size; raises RuntimeError if that cannot be."""
    shape = input._array.shape
    extra = len(size) - len(shape)
    if extra < 0 or (size and min(size) < 0):
        return _expand(input, checked_size(input, shape, size, extra))
    kept = size[extra:]
    if kept != shape:
        for n, have in zip(kept, shape):
            if n != have and have != 1:
                return _expand(input, checked_size(input, shape, size, extra))
    return _expand(input, size)


def checked_size(input, shape, size, extra):
    """``size`` with the old sizes for -1; raises RuntimeError if ``shape`` cannot be expanded to it."""
    if extra < 0:
        raise RuntimeError(
            f"expand({Tensor.internal_type_text(input._array)}{{{shape_text(shape)}}}, size={shape_text(size)}): the number of sizes "
            f"provided ({len(size)}) must be greater or equal to the number of dimensions in the tensor ({len(shape)})"
        )
    to = list(size)
    for i in range(len(size) - 1, -1, -1):
        n = size[i]
        if i < extra:
            if n < 0:
                raise RuntimeError(f"The expanded size of the tensor ({n}) isn't allowed in a leading, non-existing dimension {i}")
            continue
        have = shape[i - extra]
        if n == -1:
            to[i] = have
        elif n != have and (have != 1 or n < 0):
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({have}) at non-singleton dimension {i}.  "
                f"Target sizes: {shape_text(size)}.  Tensor sizes: {shape_text(shape)}"
            )
    return tuple(to)


def expand(input, *sizes, size=None, implicit=False):
    """A view repeated along dimensions of size one and along new ones in front; -1 keeps a size.

    Raises RuntimeError if a dimension of another size would have to change.

    >>> import minigrad
    >>> minigrad.tensor([[1], [2]]).expand(-1, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    return expand_to(input, sizes_of("expand", "size", sizes, size))


def broadcast_to(input, size):
    """As ``input.expand(size)``.

    >>> import minigrad
    >>> minigrad.broadcast_to(minigrad.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"broadcast_to(): argument 'size' (position 2) must be tuple of ints, not {type_name(size)}")
    return expand_to(input, ints("broadcast_to", "size", size))


def broadcast_to_method(input, *sizes, size=None):
    """As ``broadcast_to``; the sizes may stand by themselves."""
    return expand_to(input, sizes_of("broadcast_to", "size", sizes, size))


def unsqueezed(xp, g, shape):
    """``g`` in ``shape``, which has further axes of length one, or none."""
    return g if len(shape) == len(g.shape) else xp.reshape(g, shape)


class SqueezeBackward0(ViewOp):
    """z = x without its axes of length one."""
    def forward(x):        return x.squeeze()
    def vjp(xp, g, shape): return unsqueezed(xp, g, shape)
_squeeze_all = view_op(SqueezeBackward0)


class SqueezeBackward1(ViewOp):
    """z = x without one axis, if its length is one."""
    def forward(x, dim):   return x.squeeze(dim) if x.ndim and x.shape[dim] == 1 else x[...]
    def vjp(xp, g, shape): return unsqueezed(xp, g, shape)
_squeeze = view_op(SqueezeBackward1)


class SqueezeBackward2(ViewOp):
    """z = x without those of some axes whose length is one."""
    def forward(x, dim):   return x.squeeze(tuple(d for d in dim if x.shape[d] == 1)) if x.ndim else x[...]
    def vjp(xp, g, shape): return unsqueezed(xp, g, shape)
_squeeze_several = view_op(SqueezeBackward2)


def squeeze(input, dim=None):
    """A view without the dimensions of size one; or without ``dim`` (one or several), where of size one.

    Raises IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.squeeze(minigrad.zeros(1, 3, 1)).shape
    torch.Size([3])
    """
    if dim is None:
        return _squeeze_all(input)
    n = input._array.ndim
    if isinstance(dim, (tuple, list)):
        return _squeeze_several(input, dims_of("squeeze", dim, n))
    return _squeeze(input, axis(as_int(dim, "squeeze", "dim", 2), n))


def dims_of(function, dim, ndim):
    """Several dimensions from the front; raises RuntimeError for one named twice."""
    dims = tuple([axis(d, ndim) for d in ints(function, "dim", dim)])
    for i, d in enumerate(dims):
        if d in dims[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return dims


class UnsqueezeBackward0(ViewOp):
    """z = x with a new axis of length one."""
    def forward(x, dim):
        shape = x.shape
        if dim == len(shape) and not x.flags.c_contiguous:
            return arrays.strided(x, (*shape, 1), (*x.strides, x.itemsize))
        return x.reshape((*shape[:dim], 1, *shape[dim:]))  # unlike x[None] it gives the new axis PyTorch's stride
    def vjp(xp, g, dim):     return xp.squeeze(g, dim)
_unsqueeze = view_op(UnsqueezeBackward0)


def unsqueeze(input, dim):
    """A view with a new dimension of size one at ``dim``; raises IndexError if it is out of range.

    >>> import minigrad
    >>> minigrad.unsqueeze(minigrad.tensor([1, 2]), 1)
    tensor([[1],
            [2]])
    """
    return _unsqueeze(input, axis(as_int(dim, "unsqueeze", "dim", 2), input._array.ndim + 1))


def view_as(input, other):
    """As ``input.view(other.size())``."""
    return view(input, *shape_of(other, "view_as") or ((),))


def reshape_as(input, other):
    """As ``input.reshape(other.size())``."""
    return reshape(input, shape_of(other, "reshape_as"))


def expand_as(input, other):
    """As ``input.expand(other.size())``."""
    return expand_to(input, shape_of(other, "expand_as"))


def shape_of(other, function):
    """The shape of a tensor; raises TypeError for what is none."""
    if not isinstance(other, Tensor):
        raise TypeError(f"{function}(): argument 'other' (position 1) must be Tensor, not {type_name(other)}")
    return other._array.shape


def ravel(input):
    """All elements in one dimension: a view or a copy, as memory allows.

    >>> import minigrad
    >>> minigrad.ravel(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    return _view(contiguous(input), (-1,) if input._array.size else (0,))


def flatten(input, start_dim=0, end_dim=-1):
    """The dimensions ``start_dim`` to ``end_dim`` as one: ``input`` itself, a view or a copy, as memory allows.

    Raises RuntimeError if ``start_dim`` comes after ``end_dim``, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.flatten(minigrad.zeros(2, 3, 4), 1).shape
    torch.Size([2, 12])
    """
    shape = input._array.shape
    if start_dim.__class__ is int and start_dim == 0 and end_dim == -1 and len(shape) != 1:
        return reshape(input, (input._array.size,))
    start = axis(as_int(start_dim, "flatten", "start_dim", 2), len(shape))
    end = axis(as_int(end_dim, "flatten", "end_dim", 3), len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return reshape(input, (1,))
    if start == end:
        return input
    return reshape(input, (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


def unflatten(input, dim, sizes):
    """A view with dimension ``dim`` split into ``sizes``, one of which may be -1.

    Raises RuntimeError if the sizes do not multiply to the dimension's.

    >>> import minigrad
    >>> minigrad.unflatten(minigrad.zeros(2, 6), 1, (3, -1)).shape
    torch.Size([2, 3, 2])
    """
    shape = input._array.shape
    if isinstance(dim, str) or not hasattr(dim, "__index__"):
        raise TypeError(f"unflatten(): argument 'dim' (position 1) must be int, not {type_name(dim)}")
    if not isinstance(sizes, (tuple, list)):
        raise TypeError(f"unflatten(): argument 'sizes' (position 2) must be tuple of ints, not {type_name(sizes)}")
    dim = axis(operator.index(dim), len(shape))
    sizes = ints("unflatten", "sizes", sizes)
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    n = shape[dim] if shape else 1
    if sizes.count(-1) > 1:
        raise RuntimeError("unflatten got an unexpected error:\nonly one dimension can be inferred")
    product = math.prod(k for k in sizes if k != -1)
    if n % product if -1 in sizes and product else product != n:
        raise RuntimeError(
            f"unflatten: Provided sizes {shape_text(sizes)} don't multiply up to the size of dim {dim} ({n}) in the input tensor"
        )
    if -1 in sizes:
        if not product:
            raise RuntimeError(
                f"unflatten got an unexpected error:\ncannot reshape tensor of 0 elements into shape {shape_text(sizes)} because the "
                "unspecified dimension size -1 can be any value and is ambiguous"
            )
        sizes = tuple([n // product if k == -1 else k for k in sizes])
    return view(input, *shape[:dim], *sizes, *shape[dim + 1 :])


class AliasBackward0(ViewOp):
    """z = x, as another tensor."""
    def forward(x): return x[...]
    def vjp(xp, g): return g
alias = view_op(AliasBackward0)


def as_subclass(input, cls):
    """A view of the whole tensor as an object of a subclass of Tensor; raises TypeError for another class.

    >>> import minigrad
    >>> class Metres(minigrad.Tensor):
    ...     pass
    >>> minigrad.ones(2).as_subclass(Metres) * 2
    Metres([2., 2.])
    """
    check_subclass(cls)
    return as_class(alias(stripped(input)), cls)


# A part ----------------------------------------------------------------------------------------------------------------------


class SelectBackward0(ViewOp):
    """z = x at one index of an axis; g is put there among zeros."""
    def forward(x, dim, index):           return x[(*(ALL,) * dim, index, ...)] if dim else x[index, ...]
    def vjp(xp, g, shape, dim, index):    return xp.select_backward(g, shape, dim, index)
_select = view_op(SelectBackward0)


class SelectBackwardBackward0(Linear):
    """z = zeros, with x at one index of an axis."""
    forward = arrays.select_backward
    def vjp(xp, g, dim, index): return g[(ALL,) * dim + (index, ...)]
select_backward = op(SelectBackwardBackward0)


def select(input, dim, index):
    """A view of ``input`` at ``index`` of dimension ``dim``, which goes away.

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
    def forward(x, dim, start, end, step):
        return x[(*(ALL,) * dim, slice(start, end, step))] if dim else x[start:end:step]
    def vjp(xp, g, shape, dim, start, end, step):    return xp.slice_backward(g, shape, dim, start, end, step)
slice_ = view_op(SliceBackward0)


class SliceBackwardBackward0(Linear):
    """z = zeros, with x at a range along an axis."""
    forward = arrays.slice_backward
    def vjp(xp, g, dim, start, end, step): return g[(ALL,) * dim + (slice(start, end, step),)]
slice_backward = op(SliceBackwardBackward0)



def narrow(input, dim, start, length):
    """A view of ``length`` elements of dimension ``dim`` from ``start`` on.

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
    forward = arrays.diagonal
    def vjp(xp, g, shape, offset, dim1, dim2): return xp.diagonal_backward(g, shape, offset, dim1, dim2)
_diagonal = view_op(DiagonalBackward0)


class DiagonalBackwardBackward0(Linear):
    """z = zeros, with x on the diagonals."""
    forward = arrays.diagonal_backward
    def vjp(xp, g, offset, dim1, dim2): return xp.diagonal(g, offset, dim1, dim2)
diagonal_backward = op(DiagonalBackwardBackward0)


def diagonal(input, offset=0, dim1=0, dim2=1):
    """A view of the diagonals of the matrices that two dimensions span, as the last dimension; ``offset`` > 0: above the main one.

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
    repeats = True
    forward = arrays.unfold
    def vjp(xp, g, shape, dimension, size, step): return xp.unfold_backward(g, shape, dimension, size, step)
_unfold = view_op(UnfoldBackward0)


class UnfoldBackwardBackward0(Linear):
    """z = zeros, with the windows in x added in their places."""
    forward = arrays.unfold_backward
    def vjp(xp, g, dim, size, step): return xp.unfold(g, dim, size, step)
unfold_backward = op(UnfoldBackwardBackward0)


def unfold(input, dimension, size, step):
    """A view of all windows of ``size`` elements along a dimension, ``step`` apart; their elements are a new last dimension.

    Raises RuntimeError if ``size`` is larger than the dimension or negative, or ``step`` is not positive.

    >>> import minigrad
    >>> minigrad.tensor([1, 2, 3, 4]).unfold(0, 2, 1)
    tensor([[1, 2],
            [2, 3],
            [3, 4]])
    """
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


class AsStridedBackward0(ViewOp):
    """z = the memory under x, read with another size, strides and offset from x's first element.

    The gradient is laid out in such memory, and read as x lies there; elements of x that share memory share it evenly.
    """
    repeats = True
    def forward(x, size, stride, storage_offset, own_stride):
        item = x.itemsize
        return arrays.strided(x, size, tuple([s * item for s in stride]), storage_offset * item)
    def vjp(xp, g, shape, size, stride, storage_offset, own_stride):
        return xp.restrided(g, (size, stride, storage_offset), (shape, own_stride, 0), (shape, own_stride, 0))
_as_strided = view_op(AsStridedBackward0)


class Restrided(Linear):
    """z = x, laid out in memory as ``source`` says, read as ``target`` says; see ``arrays.restrided``."""
    public = "restrided"
    forward = arrays.restrided
    def name(self): return "AsStridedBackward0"
    def vjp(xp, g, source, target, shared): return xp.restrided(g, target, source, shared)
restrided = op(Restrided)


def as_strided(input, size, stride, storage_offset=None):
    """A view of the storage under ``input`` with ``size``, ``stride`` and an offset (default: that of ``input``), in elements.

    Raises RuntimeError if that goes beyond the storage, or for negative strides.

    >>> import minigrad
    >>> minigrad.as_strided(minigrad.arange(6), (2, 3), (1, 2))
    tensor([[0, 2, 4],
            [1, 3, 5]])
    """
    return _as_strided(input, *strided_arguments(input, size, stride, storage_offset))


def strided_arguments(input, size, stride, storage_offset):
    """The parameters of ``AsStridedBackward0``: size, stride, offset from the first element, the strides of ``input``."""
    size, stride = ints("as_strided", "size", size), ints("as_strided", "stride", stride)
    if storage_offset is None and not input._array.size:
        storage_offset = offset_of_empty(input)
    check_strided(input, size, stride, storage_offset)
    offset = 0 if storage_offset is None else storage_offset - input.storage_offset()
    return size, stride, offset, input.stride()


def offset_of_empty(input):
    """Where a tensor without elements begins in its storage: NumPy leaves an empty slice at the address of what was sliced."""
    view = input._node
    if view.__class__ is not View:
        return input.storage_offset()
    x = view.base._array
    bytes_left = 0
    for cls, params in steps_of(view.chain):
        if cls is Piece:
            several, k, *params = params
            cls, params = several.part(x, k, *params)
        z = cls.forward(x, *params)
        if issubclass(cls, (SliceBackward0, SelectBackward0)):
            dim, start = params[:2]
            if cls is SliceBackward0:
                start = slice(start, None).indices(x.shape[dim])[0]
            bytes_left += start * x.strides[dim] - (address(z) - address(x))
        x = z
    return input.storage_offset() + bytes_left // x.itemsize


def check_strided(input, size, stride, storage_offset):
    """Raise RuntimeError unless the storage under ``input`` has room for ``size`` and ``stride``."""
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if min(stride, default=0) < 0:
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: {shape_text(stride)}")
    if storage_offset is None:
        storage_offset = input.storage_offset()
    elif storage_offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {storage_offset}")
    if min(size, default=0) < 0:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={shape_text(size)} and strides={shape_text(stride)}")
    if 0 in size:
        return
    item, available = input._array.itemsize, owner_of(input._array).nbytes
    needed = (storage_offset + 1 + sum((n - 1) * s for n, s in zip(size, stride))) * item
    if needed > available:
        raise RuntimeError(
            f"setStorage: sizes {shape_text(size)}, strides {shape_text(stride)}, storage offset {storage_offset}, and itemsize "
            f"{item} requiring a storage size of {needed} are out of bounds for storage of size {available}"
        )


def view_as_dtype(input, dtype):
    """The bytes of ``input`` as elements of ``dtype``: shared memory without history."""
    x, to = input._array, dtype.np
    if to.itemsize != x.itemsize:
        check_bytes(input, dtype)
    out = input.detach()
    out._array = x.view(to)
    if here.inference:
        out._storage = INFERENCE
    return out


def check_bytes(input, dtype):
    """Raise RuntimeError unless the elements of ``input`` can be read as ``dtype``, which has another size."""
    names = f"to view {dtypes.scalar_type_name(input.dtype)} as {dtypes.scalar_type_name(dtype)} (different element sizes)"
    shape, strides = input._array.shape, input.stride()
    if not shape:
        raise RuntimeError(f"self.dim() cannot be 0 {names}")
    ratio = dtype.itemsize // input.itemsize
    if ratio > 1:
        if shape[-1] % ratio:
            raise RuntimeError(f"self.size(-1) must be divisible by {ratio} {names}, but got {shape[-1]}")
        if input.storage_offset() % ratio:
            raise RuntimeError(f"self.storage_offset() must be divisible by {ratio} {names}, but got {input.storage_offset()}")
    if strides[-1] != 1 and (shape[-1] != 1 or ratio > 1):
        raise RuntimeError(f"self.stride(-1) must be 1 {names}, but got {strides[-1]}")
    if ratio > 1:
        for i, s in enumerate(strides[:-1]):
            if s % ratio:
                raise RuntimeError(f"self.stride({i}) must be divisible by {ratio} {names}, but got {s}")


# Dimensions in another order ---------------------------------------------------------------------------------------------------


def swapdims(input, dim0, dim1):
    """As ``transpose``."""
    return transpose(input, dim0, dim1)


def swapaxes(input, axis0, axis1):
    """As ``transpose``."""
    return transpose(input, axis0, axis1)


def movedim(input, source, destination):
    """A view with dimensions moved to other places; the others keep their order.

    Raises RuntimeError if as many sources as destinations are not given, or one twice; IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.movedim(minigrad.zeros(2, 3, 4), 0, 2).shape
    torch.Size([3, 4, 2])
    """
    n = input._array.ndim
    source = ints("movedim", "source", source if isinstance(source, (tuple, list)) else (source,))
    destination = ints("movedim", "destination", destination if isinstance(destination, (tuple, list)) else (destination,))
    if len(source) != len(destination):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({shape_text(source)} dims) should contain the same number of "
            f"dims as destination ({shape_text(destination)} dims)"
        )
    whence, where = [axis(d, n) for d in source], [axis(d, n) for d in destination]
    for name, dims, given in (("source", whence, source), ("destination", where, destination)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({shape_text(given)})")
    if not n:
        return alias(input)
    order = [d for d in range(n) if d not in whence]
    for place, d in sorted(zip(where, whence)):
        order.insert(place, d)
    return _permute(input, tuple(order))


def moveaxis(input, source, destination):
    """As ``movedim``."""
    return movedim(input, source, destination)


def reversed_dims(input):
    """The dimensions in reverse order, as a view."""
    n = input._array.ndim
    if n == 0:
        warnings.warn("Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.", stacklevel=2)
    elif n != 2:
        warnings.warn(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error "
            "in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, "
            "-1))` to reverse the dimensions of a tensor.",
            stacklevel=2,
        )
    return _permute(input, tuple(range(n - 1, -1, -1)))


def identity_of_number(input, name, conj):
    """Of a 0-dim tensor, which has no matrix to transpose, itself or its conjugate."""
    cure = "Consider using x.conj()." if conj else "This function is the identity in these cases."
    warnings.warn(f"{name} is deprecated on 0-D tensors. {cure}", stacklevel=3)
    return input.conj() if conj and input._array.dtype.kind == "c" else input


def transposed_matrix(input):
    """The last two dimensions exchanged, as a view."""
    n = input._array.ndim
    if n < 2:
        if n == 0:
            return identity_of_number(input, "Tensor.mT", False)
        raise RuntimeError(f"tensor.mT is only supported on matrices or batches of matrices. Got {n}-D tensor.")
    return _transpose(input, n - 2, n - 1)


def conjugate_transpose(input):
    z = _transpose(input, input._array.ndim - 2, input._array.ndim - 1)
    return z.conj() if z._array.dtype.kind == "c" else z


def hermitian_matrix(input):
    """The transpose of a matrix, conjugated if complex."""
    n = input._array.ndim
    if n == 2:
        return conjugate_transpose(input)
    if n == 0:
        return identity_of_number(input, "Tensor.H", True)
    cure = " For batches of matrices, consider using tensor.mH" if n > 2 else ""
    raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {n}-D tensor.{cure}")


def hermitian_matrices(input):
    """The last two dimensions exchanged, conjugated if complex."""
    n = input._array.ndim
    if n < 2:
        if n == 0:
            return identity_of_number(input, "Tensor.mH", True)
        raise RuntimeError(f"tensor.mH is only supported on matrices or batches of matrices. Got {n}-D tensor.")
    return conjugate_transpose(input)


H, T, mH, mT = property(hermitian_matrix), property(reversed_dims), property(hermitian_matrices), property(transposed_matrix)


def adjoint(input):
    """The last two dimensions exchanged, conjugated if complex; raises RuntimeError for one dimension.

    >>> import minigrad
    >>> minigrad.adjoint(minigrad.zeros(4, 2, 3)).shape
    torch.Size([4, 3, 2])
    """
    n = input._array.ndim
    if n < 2:
        if n == 0:
            return identity_of_number(input, "adjoint()", True)
        raise RuntimeError(f"tensor.adjoint() is only supported on matrices or batches of matrices. Got {n}-D tensor.")
    return conjugate_transpose(input)


# In place: the tensor itself is given another shape --------------------------------------------------------------------------------


class TransposeBackward1(TransposeBackward0):
    """As ``TransposeBackward0``, in place."""
_transpose_ = view_(TransposeBackward1)


class TBackward1(TBackward0):
    """As ``TBackward0``, in place."""
_t_ = view_(TBackward1)


class SqueezeBackward3(SqueezeBackward0):
    """As ``SqueezeBackward0``, in place."""
_squeeze_all_ = view_(SqueezeBackward3)


class SqueezeBackward4(SqueezeBackward1):
    """As ``SqueezeBackward1``, in place."""
_squeeze_ = view_(SqueezeBackward4)


class SqueezeBackward5(SqueezeBackward2):
    """As ``SqueezeBackward2``, in place."""
_squeeze_several_ = view_(SqueezeBackward5)


class UnsqueezeBackward1(UnsqueezeBackward0):
    """As ``UnsqueezeBackward0``, in place."""
_unsqueeze_ = view_(UnsqueezeBackward1)


class AsStridedBackward1(AsStridedBackward0):
    """As ``AsStridedBackward0``, in place."""
_as_strided_ = view_(AsStridedBackward1)


def transpose_(input, dim0, dim1):
    """As ``transpose``, of the tensor itself, which is returned."""
    return _transpose_(input, as_int(dim0, "transpose_", "dim0", 1), as_int(dim1, "transpose_", "dim1", 2))


def swapdims_(input, dim0, dim1):
    """As ``transpose_``."""
    return transpose_(input, dim0, dim1)


def swapaxes_(input, axis0, axis1):
    """As ``transpose_``."""
    return transpose_(input, axis0, axis1)


def t_(input):
    """As ``t``, of the tensor itself, which is returned."""
    if input._array.ndim > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D")
    return _t_(input)


def squeeze_(input, dim=None):
    """As ``squeeze``, of the tensor itself, which is returned."""
    if dim is None:
        return _squeeze_all_(input)
    if isinstance(dim, (tuple, list)):
        return _squeeze_several_(input, dims_of("squeeze_", dim, input._array.ndim))
    return _squeeze_(input, axis(as_int(dim, "squeeze_", "dim", 1), input._array.ndim))


def unsqueeze_(input, dim):
    """As ``unsqueeze``, of the tensor itself, which is returned."""
    return _unsqueeze_(input, axis(as_int(dim, "unsqueeze_", "dim", 1), input._array.ndim + 1))


def as_strided_(input, size, stride, storage_offset=None):
    """As ``as_strided``, of the tensor itself, which is returned."""
    return _as_strided_(input, *strided_arguments(input, size, stride, storage_offset))


def resize_(input, *sizes, size=None, memory_format=contiguous_format):
    """Give the tensor another size, and its elements the order of the indices; returns it.

    Elements stay where they are in memory: there are fewer of them, or more; where the memory is too small, new memory takes their
    values, and what is left over has any value.  Raises RuntimeError for a tensor that requires grad.

    >>> import minigrad
    >>> minigrad.arange(6).resize_(2, 2)
    tensor([[0, 1],
            [2, 3]])
    """
    if input.requires_grad:
        raise RuntimeError("cannot resize variables that require grad")
    size = sizes_of("resize_", "size", sizes, size)
    x = input._array
    if min(size, default=0) < 0:
        raise RuntimeError(f"requested resize to {shape_text(size)}: sizes must not be negative")
    if size != x.shape:
        item, storage = x.itemsize, owner_of(x)
        room = (storage.nbytes - input.storage_offset() * item) // item
        strides = tuple([s * item for s in contiguous_strides(size)])
        if math.prod(size) <= room:
            z = arrays.strided(x, size, strides)
        else:
            z = np.empty(size, x.dtype)
            z.reshape(-1)[:room] = arrays.strided(x, (room,), (item,))
        aliased = not input._storage.shared
        bump(input)
        if aliased:
            laid_out(input, x)
        input._array = z
    return input


def resize_as_(input, the_template, *, memory_format=contiguous_format):
    """As ``resize_`` to the size of another tensor."""
    return resize_(input, tuple(the_template._array.shape), memory_format=memory_format)


# Views replayed --------------------------------------------------------------------------------------------------------------------


class Place(Linear):
    """z = zeros like a base, with x where a chain of views leads: what ``xp.place`` is on Tensors (see ``views.py``)."""
    forward = arrays.place
    def name(self):        return "AsStridedBackward0"  # PyTorch takes such a view of the zeros' memory
    def vjp(xp, g, chain, template): return xp.look(xp.laid_out(g, template), chain)
place = op(Place)
