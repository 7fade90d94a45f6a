"""Another shape for the same memory: ``view``, ``reshape``, ``expand``, ``squeeze``, ``flatten`` and their kin.

Gradients go back the same way: reshaped, or summed over repetitions.  The other views are in ``permute.py`` (another order), ``parts.py``
(a part), and ``strided.py`` (any sizes and strides).
"""

import math
import operator

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.unresolved import Unresolved
from .._base import dtypes
from .._base.composites import composite
from .._base.device import contiguous_format
from .._base.dtypes import dtype_name, internal_type_name
from .._base.errors import axis as axis_of
from .._base.errors import either_name, shape_text, type_name
from .._base.guards import explain, explain_failure
from .._core.families import Linear, ViewOp, op
from .._core.families import view as view_op
from .._core.inplace import view_
from .._core.modes import thread_state
from .._core.storage import INFERENCE
from .._core.tensor import Tensor, alias_of_class, check_subclass, strip_subclass
from .._core.wrapped import Batched, wrap_layer
from .batches import along, along_result, leading, shape_of
from .convert import clone, contiguous
from .overloads import refused
from .sizes import as_int, ints, refuse_long, sizes_of

__all__ = ["broadcast_to", "flatten", "ravel", "reshape", "squeeze", "unflatten", "unsqueeze"]
METHODS = (
    "as_subclass broadcast_to=broadcast_to_method expand expand_as flatten ravel reshape=reshape_method "
    "reshape_as squeeze squeeze_ unflatten unsqueeze unsqueeze_ view view_as"
)


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
    batch = shape_of("size")
    refuse = staticmethod(refuse_shape)
    def forward(x, size):
        if size and min(size) < -1:  # NumPy takes any negative size for the unknown one
            raise ValueError("negative size")
        return x.reshape(size)
    def vjp(xp, g, shape): return xp.reshape(g, shape)
_view = view_op(ViewBackward0)


class ReshapeAliasBackward0(ViewBackward0):
    """As ``ViewBackward0``: the node of ``reshape`` where elements do not lie in the order of the indices, but no copy is needed."""
    event = "_reshape_alias"
_reshape_alias = view_op(ReshapeAliasBackward0)


class UnsafeViewBackward0(Linear):
    """z = x, a copy that nobody else sees, in another shape."""
    aten = "_unsafe_view.default"
    refuse, public, batch = staticmethod(refuse_shape), "reshape", shape_of("size")
    def forward(x, size):  return x.reshape(size)
    def vjp(xp, g, shape): return xp.reshape(g, shape)
_unsafe_view = op(UnsafeViewBackward0)


_VIEWS = "(torch.dtype dtype)", "(tuple of ints size)"


def view(input, *shape, size=None, dtype=None):
    """Return a view of the same memory in another shape, in which one size may be -1; or, given a dtype, of its bytes as elements of that dtype.

    Raises RuntimeError if the sizes do not fit, or if the elements do not lie in memory as the shape needs (``reshape`` would copy).

    >>> import minigrad
    >>> minigrad.arange(6).view(2, -1).shape
    torch.Size([2, 3])
    """
    try:
        if len(shape) < 2:
            if dtype is not None and (shape or size is not None):
                raise refused("view", _VIEWS, *shape, dtype)
            if size.__class__ is dtypes.dtype:
                raise refused("view", _VIEWS, size)
            if not shape:
                if size is dtype is None:
                    raise refused("view", _VIEWS)
                shape = (size if dtype is None else dtype,)
            first = shape[0]
            if first.__class__ is dtypes.dtype:
                return view_as_dtype(input, first)
            if first.__class__ is tuple:
                shape = first
            elif first.__class__ is not int:
                if first.__class__ is bool:
                    raise refused("view", _VIEWS, first)
                shape = size_of_view(first)
        xa = input._array
        if not xa.flags.c_contiguous:
            check_viewable(xa.sample() if input._wrapped else xa, shape)
        return _view(input, shape)
    except Exception as error:
        if not (shape and shape[0].__class__ is dtypes.dtype):
            given = {"size": size} if size is not None else {"size": shape} if shape == () else {"*size": shape}
            explain(view, {"input": input, **given}, error)
        raise


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


@composite
def reshape(input, shape):
    """Return ``input`` in another shape, in which one size may be -1: a view if the memory allows it, else a copy.

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
    if input._wrapped:  # inside of a transform: whether memory allows is seen further in
        try:
            return _view(input, shape)
        except RuntimeError:
            return _unsafe_view(clone(input, memory_format=contiguous_format), shape)
    try:
        z = xa.reshape(shape)
    except (ValueError, TypeError) as error:
        refuse_shape(error, (xa,), (shape,))
    if z.shape != shape and -1 not in shape:  # NumPy takes any negative size for one to infer
        refuse_shape(None, (xa,), (shape,))
    if shares(xa, z):
        return _view(input, shape) if input._is_meta else _reshape_alias(input, shape)
    return _unsafe_view(clone(input, memory_format=contiguous_format), shape)


def reshape_method(input, *sizes, shape=None):
    """Return the tensor in another shape, whose sizes may be separate arguments; see ``reshape``.

    >>> import minigrad
    >>> minigrad.arange(4).reshape(2, -1)
    tensor([[0, 1],
            [2, 3]])
    """
    try:
        if len(sizes) != 1 or sizes[0].__class__ is not int:
            return reshape(input, sizes_of("reshape", "shape", sizes, shape))
        return reshape(input, sizes)
    except Exception as error:
        explain(reshape_method, {"input": input, "*shape": sizes} | ({} if shape is None else {"shape": shape}), error)
        raise


class ExpandBackward0(ViewOp):
    """z = x repeated along axes of length one, and along new ones in front."""
    def batch(call, xs, batched, params, size):
        (x,), (shape,) = xs, params
        have = x._array.shape[1:]
        return call(reshape(x, (size, *(1,) * (len(shape) - len(have)), *have)), (size, *shape))
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
            f"expand({internal_type_name(input._array.dtype)}{{{shape_text(shape)}}}, size={shape_text(size)}): the number of sizes "
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
    """Return a view repeated along dimensions of size one and along new leading ones; -1 keeps a size.

    Raises RuntimeError if a dimension of another size would have to change.

    >>> import minigrad
    >>> minigrad.tensor([[1], [2]]).expand(-1, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    try:
        if implicit is not False:
            explain(expand, {"input": input, "implicit": implicit, "*size": sizes})
        return expand_to(input, sizes_of("expand", "size", sizes, size))
    except Exception as error:
        explain(expand, {"input": input, "*size": sizes} | ({} if size is None else {"size": size}), error)
        raise


@composite
def broadcast_to(input, size):
    """Return a view expanded to ``size``, as ``input.expand(size)`` does.

    >>> import minigrad
    >>> minigrad.broadcast_to(minigrad.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"broadcast_to(): argument 'size' (position 2) must be tuple of ints, not {type_name(size)}")
    return expand_to(input, ints("broadcast_to", "size", size))


@composite("broadcast_to")
def broadcast_to_method(input, *sizes, size=None):
    """Return a view expanded to a size, which may be given as separate arguments; see ``broadcast_to``.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).broadcast_to(2, 2)
    tensor([[1, 2],
            [1, 2]])
    """
    size = sizes_of("broadcast_to", "size", sizes, size)
    refuse_long("broadcast_to", "size", size)
    return expand_to(input, size)


def unsqueezed(xp, g, shape):
    """``g`` in ``shape``, which has further axes of length one, or none."""
    return g if len(shape) == len(g.shape) else xp.reshape(g, shape)


class SqueezeBackward0(ViewOp):
    """z = x without its axes of length one."""
    def batch(call, xs, batched, params, size):
        return _squeeze_several(xs[0], tuple(range(1, xs[0]._array.ndim)))
    def forward(x):        return x.squeeze()
    def vjp(xp, g, shape): return unsqueezed(xp, g, shape)
_squeeze_all = view_op(SqueezeBackward0)


class SqueezeBackward1(ViewOp):
    """z = x without one axis, if its length is one."""
    aten = "squeeze.dim"
    batch = along("dim")
    def forward(x, dim):   return x.squeeze(dim) if x.ndim and x.shape[dim] == 1 else x[...]
    def vjp(xp, g, shape): return unsqueezed(xp, g, shape)
_squeeze = view_op(SqueezeBackward1)


class SqueezeBackward2(ViewOp):
    """z = x without those of some axes whose length is one."""
    aten = "squeeze.dims"
    batch = along("dim")
    def forward(x, dim):   return x.squeeze(tuple(d for d in dim if x.shape[d] == 1)) if x.ndim else x[...]
    def vjp(xp, g, shape): return unsqueezed(xp, g, shape)
_squeeze_several = view_op(SqueezeBackward2)


def squeeze(input, dim=None, *, axis=None):
    """Return a view without the dimensions of size one, or without those in ``dim`` (one or several) that have size one.

    Raises IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.squeeze(minigrad.zeros(1, 3, 1)).shape
    torch.Size([3])
    """
    try:
        if dim is None:
            if axis is None:
                return _squeeze_all(input)
            dim = axis
        if not isinstance(input, Tensor):
            return _squeeze(input, dim)  # which asks or refuses it
        n = input._array.ndim
        if isinstance(dim, (tuple, list)):
            return _squeeze_several(input, dims_of("squeeze", dim, n))
        return _squeeze(input, axis_of(as_int(dim, "squeeze", "dim", 2), n))
    except Exception:
        explain_failure(squeeze, input, dim, axis)
        raise


def dims_of(function, dim, ndim):
    """Several dimensions from the front; raises RuntimeError for one named twice."""
    dims = tuple([axis_of(d, ndim) for d in ints(function, "dim", dim)])
    for i, d in enumerate(dims):
        if d in dims[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return dims


class UnsqueezeBackward0(ViewOp):
    """z = x with a new axis of length one."""
    batch = along_result("dim")
    def forward(x, dim):
        shape = x.shape
        if dim == len(shape) and not x.flags.c_contiguous:
            return arrays.strided(x, (*shape, 1), (*x.strides, x.itemsize))
        return x.reshape((*shape[:dim], 1, *shape[dim:]))  # unlike x[None] it gives the new axis PyTorch's stride
    def vjp(xp, g, dim):     return xp.squeeze(g, dim)
_unsqueeze = view_op(UnsqueezeBackward0)


def unsqueeze(input, dim=None, *, axis=None):
    """Return a view with a new dimension of size one at ``dim``; raises IndexError if it is out of range.

    >>> import minigrad
    >>> minigrad.unsqueeze(minigrad.tensor([1, 2]), 1)
    tensor([[1],
            [2]])
    """
    if dim is None or axis is not None:
        dim = either_name("unsqueeze", dim, axis)
    return _unsqueeze(input, axis_of(as_int(dim, "unsqueeze", "dim", 2), input._array.ndim + 1))


@composite
def view_as(input, other):
    """Return ``input.view(other.size())``.

    >>> import minigrad
    >>> minigrad.arange(4).view_as(minigrad.ones(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return view(input, *shape_beside(other, "view_as") or ((),))


def reshape_as(input, other):
    """Return ``input.reshape(other.size())``.

    >>> import minigrad
    >>> minigrad.arange(4).reshape_as(minigrad.ones(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return reshape(input, shape_beside(other, "reshape_as"))


@composite
def expand_as(input, other):
    """Return ``input.expand(other.size())``.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).expand_as(minigrad.ones(2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return expand_to(input, shape_beside(other, "expand_as"))


def shape_beside(other, function):
    """The shape of a tensor; raises TypeError for what is none."""
    if not isinstance(other, Tensor):
        raise TypeError(f"{function}(): argument 'other' (position 1) must be Tensor, not {type_name(other)}")
    return other._array.shape


@composite
def ravel(input):
    """Flatten to one dimension: a view or a copy, as the memory allows.

    >>> import minigrad
    >>> minigrad.ravel(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    return _view(contiguous(input), (-1,) if input._array.size else (0,))


@composite
def flatten(input, start_dim=0, end_dim=-1):
    """Merge the dimensions ``start_dim`` to ``end_dim`` into one: ``input`` itself, a view or a copy, as the memory allows.

    Raises RuntimeError if ``start_dim`` comes after ``end_dim``, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.flatten(minigrad.zeros(2, 3, 4), 1).shape
    torch.Size([2, 12])
    """
    shape = input._array.shape
    if start_dim.__class__ is int and start_dim == 0 and end_dim == -1 and len(shape) != 1:
        return reshape(input, (input._array.size,))
    start = axis_of(as_int(start_dim, "flatten", "start_dim", 2), len(shape))
    end = axis_of(as_int(end_dim, "flatten", "end_dim", 3), len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return reshape(input, (1,))
    if start == end:
        return input
    return reshape(input, (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


@composite
def unflatten(input, dim, sizes):
    """Return a view with dimension ``dim`` split into ``sizes``, one of which may be -1.

    Raises RuntimeError unless the product of the sizes is that of the dimension.

    >>> import minigrad
    >>> minigrad.unflatten(minigrad.zeros(2, 6), 1, (3, -1)).shape
    torch.Size([2, 3, 2])
    """
    shape = input._array.shape
    if isinstance(sizes, (tuple, list)) and not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if isinstance(dim, str) or not hasattr(dim, "__index__"):
        raise TypeError(f"unflatten(): argument 'dim' (position 1) must be int, not {type_name(dim)}")
    if not isinstance(sizes, (tuple, list)):
        raise TypeError(f"unflatten(): argument 'sizes' (position 2) must be tuple of ints, not {type_name(sizes)}")
    dim = axis_of(operator.index(dim), len(shape))
    sizes = ints("unflatten", "sizes", sizes)
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
    batch = leading()
    def forward(x): return x[...]
    def vjp(xp, g): return g
alias = view_op(AliasBackward0)


def as_subclass(input, cls):
    """Return a view of the whole tensor as an instance of a subclass of Tensor; raise TypeError for another class.

    Keeps shape and dtype.

    >>> import minigrad
    >>> class Metres(minigrad.Tensor):
    ...     pass
    >>> minigrad.ones(2).as_subclass(Metres) * 2
    Metres([2., 2.])
    """
    check_subclass(cls)
    bare = strip_subclass(input)
    return alias_of_class(bare, cls, (bare,), (input,))


def view_as_dtype(input, dtype):
    """The bytes of ``input`` as elements of ``dtype``: shared memory without history."""
    x, to = input._array, dtype.np
    if x.__class__ is Unresolved:
        marked = "conjugate view tensors" if x.conjugated else "tensors with negative bit set"
        raise RuntimeError(f"torch.Tensor.view is not supported for {marked} when converting to a different dtype.")
    if to.itemsize != x.itemsize:
        check_bytes(input, dtype)
    out = input.detach()
    if out.__class__ is Batched:
        return wrap_layer(out._array.holding(view_as_dtype(out._array.inner, dtype)))
    if input._wrapped:
        return view_as_dtype(out, dtype)
    out._array = x.view(to)
    if thread_state.inference:
        out._storage = INFERENCE
    return out


def check_bytes(input, dtype):
    """Raise RuntimeError unless the elements of ``input`` can be read as ``dtype``, which has another size."""
    names = f"to view {dtype_name(input)} as {dtypes.scalar_type_name(dtype)} (different element sizes)"
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


class SqueezeBackward3(SqueezeBackward0):
    """In-place version of ``SqueezeBackward0``."""
_squeeze_all_ = view_(SqueezeBackward3)


class SqueezeBackward4(SqueezeBackward1):
    """In-place version of ``SqueezeBackward1``."""
    aten = "squeeze.dim"
_squeeze_ = view_(SqueezeBackward4)


class SqueezeBackward5(SqueezeBackward2):
    """In-place version of ``SqueezeBackward2``."""
    aten = "squeeze.dims"
_squeeze_several_ = view_(SqueezeBackward5)


class UnsqueezeBackward1(UnsqueezeBackward0):
    """In-place version of ``UnsqueezeBackward0``."""
_unsqueeze_ = view_(UnsqueezeBackward1)


def squeeze_(input, dim=None, *, axis=None):
    """In-place version of ``squeeze``; returns the tensor.

    >>> import minigrad
    >>> minigrad.ones(1, 2, 1).squeeze_().shape
    torch.Size([2])
    """
    try:
        if axis is not None:
            dim = either_name("squeeze_", dim, axis)
        if dim is None:
            return _squeeze_all_(input)
        if isinstance(dim, (tuple, list)):
            return _squeeze_several_(input, dims_of("squeeze_", dim, input._array.ndim))
        return _squeeze_(input, axis_of(as_int(dim, "squeeze_", "dim", 1), input._array.ndim))
    except Exception:
        explain_failure(squeeze_, input, dim)
        raise


def unsqueeze_(input, dim=None, *, axis=None):
    """In-place version of ``unsqueeze``; returns the tensor.

    >>> import minigrad
    >>> minigrad.ones(2).unsqueeze_(0).shape
    torch.Size([1, 2])
    """
    try:
        if dim is None or axis is not None:
            dim = either_name("unsqueeze_", dim, axis)
        return _unsqueeze_(input, axis_of(as_int(dim, "unsqueeze_", "dim", 1), input._array.ndim + 1))
    except Exception:
        explain_failure(unsqueeze_, input, dim)
        raise
