"""Indexing: ``x[key]``, ``x[key] = y``, and ``index_put``.

What the keys say is read in ``keys.py``; index tensors become the parameters of ops in ``index_tensors.py``.
"""

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.rounding import fitted, numbers
from .._base import dtypes
from .._base.dtypes import dtype_name, is_complex_type, legacy_type_name
from .._base.errors import not_a_tensor, shape_text, type_name
from .._base.mixing import refuse_pytorch
from .._core.families import General, Linear, number, op
from .._core.inplace import at_once, check_apart, may_write, write
from .._core.modes import set_recording
from .._core.storage import FRESH
from .._core.tensor import Tensor, bump, wrap
from .._core.wrapped import any_wrapped
from .convert import as_dtype, as_number, copy_, fill_
from .index_samples import Rows, layout
from .index_tensors import Indices, InferenceIndices, frees_indices
from .keys import (
    _BOOL,
    _INT64,
    _MAY_INDEX,
    as_keys,
    bounds,
    check_mask,
    no_axis,
    no_slice,
    number_of_data,
    out_of_bounds,
    views_and_indices,
    views_only,
)
from .parts import ALL, _select, slice_
from .shape import _view, alias, expand_to

__all__ = ["index_put", "index_put_"]
METHODS = "index_put index_put_ __getitem__ __setitem__"


_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1


def __getitem__(input, key):
    """``input[key]``: a view for integers, slices, None and ``...``; a copy where tensors, sequences or masks take part."""
    cls = key.__class__
    if cls is int:
        shape = input._array.shape
        if not shape:
            return number_of_data(input, key)
        n = shape[0]
        if not -n <= key < n:
            raise out_of_bounds(key, 0, n)
        return _select(input, 0, key + n if key < 0 else key)
    if cls is slice:
        if not input._array.ndim:
            raise no_slice()
        return slice_(input, 0, *bounds(key))
    if cls is tuple:
        viewed = views_only(input, key)
        if viewed is not None:
            return alias(input) if viewed is input else viewed
    elif cls is Tensor and key._array.ndim and key._array.dtype is _INT64 and input._array.ndim:
        indices = Indices((key,))
        if indices.__class__ is not Indices:
            indices.check_unsaved(input)
        return _index(input, indices)
    viewed, indices = views_and_indices(input, as_keys(key))
    if indices is not None:
        if any_wrapped(indices):
            return Rows(viewed, indices).gather()
        indices = Indices(indices)
        if indices.__class__ is not Indices:
            indices.check_unsaved(viewed)
        return _index(indices.volatile(viewed), indices)
    return alias(input) if viewed is input else viewed


def refuse_index(error, xs, params):
    """Raise PyTorch's error for a key that NumPy refused."""
    if isinstance(error, (IndexError, ValueError)):
        check_key(xs[0].shape, params[0].key)


def check_key(shape, key):
    """Raise IndexError if ``key``, a tuple of index arrays, masks and full slices, does not fit ``shape``."""
    dim, parts = 0, []
    for k in key:
        if k.__class__ is not np.ndarray:
            dim += 1
        elif k.dtype.kind == "b":
            check_mask(k, shape, dim, dim)
            parts += [(dim + d, part) for d, part in enumerate(k.nonzero())]
            dim += k.ndim
        else:
            parts.append((dim, k))
            dim += 1
    if dim > len(shape):
        raise IndexError(f"too many indices for tensor of dimension {len(shape)}") from None
    try:
        np.broadcast_shapes(*[part.shape for _, part in parts])
    except ValueError:
        raise IndexError(
            "shape mismatch: indexing tensors could not be broadcast together with shapes "
            + ", ".join(shape_text(part.shape) for _, part in parts)
        ) from None
    if any(not shape[dim] and part.size for dim, part in parts):
        raise IndexError("index is out of bounds for dimension with size 0") from None
    for nr, (dim, part) in enumerate(parts):
        bad = (part < -shape[dim]) | (part >= shape[dim])
        if bad.any():
            raise out_of_bounds(part[bad][0], nr, shape[dim]) from None


def gather_at(x, indices):
    """The elements of an array at ``indices``."""
    key = indices.key
    last = key[-1]
    if last.dtype.kind == "i" and (len(key) == 1 or all(k is ALL for k in key[:-1])):
        return x.take(last, len(key) - 1)  # 2 times as quick as x[key] for rows
    return arrays.contiguous(x[key])


class IndexBackward0(Linear):
    """z = x[indices]; g is added at ``indices``, which may repeat, into zeros.

    Masks count as the indices of their elements.  Where the indexed dimensions are not adjacent, what is indexed comes first.
    """
    aten = "index.Tensor"
    def batch(call, xs, batched, params, size):
        (indices,) = params
        n, in_front = layout(indices.as_tensors())
        z = call(xs[0], Indices((None, *indices.as_tensors())))
        return z.movedim(n, 0) if in_front else z
    refuse, names = staticmethod(refuse_index), {"shape": "self_sym_sizes"}
    forward = gather_at
    def vjp(xp, g, shape, indices): return xp.add_at(g, shape, indices)
_index = op(IndexBackward0)
frees_indices(IndexBackward0)


def refuse_put(error, xs, params):
    """Raise PyTorch's error for a key or a value that NumPy refused."""
    x, y, indices = xs[0], xs[1], params[0]
    key = indices.key
    if 0 not in x.shape:  # PyTorch broadcasts before it looks at what the indices are
        key = tuple([np.zeros_like(k) if isinstance(k, np.ndarray) and k.dtype.kind in "iu" else k for k in (key if isinstance(key, tuple) else (key,))])
    check_key(x.shape, key)
    shape = x[key].shape
    if key is not indices.key and _broadcasts(y.shape, shape):
        check_key(x.shape, indices.key)
    raise RuntimeError(
        f"shape mismatch: value tensor of shape {shape_text(y.shape)} cannot be broadcast to indexing result of shape {shape_text(shape)}"
    ) from None


def _broadcasts(shape, wanted):
    """Whether values of a shape broadcast to the ``wanted`` one."""
    return len(shape) <= len(wanted) and all(n in (1, m) for n, m in zip(reversed(shape), reversed(wanted)))


def put_into(x, y, indices, accumulate):
    """Write ``y`` at ``indices`` of array ``x``, or add it there."""
    if y.ndim > 1 and y.shape[0] == 1 and y.ndim > x[indices.key].ndim:
        raise ValueError  # PyTorch drops leading dimensions of size one in x[key] = y only
    if not accumulate:
        x[indices.key] = y
    elif x.dtype.char == "V" and is_complex_type(x.dtype):
        x[...] = fitted(numbers(x) + arrays.add_at(np.broadcast_to(numbers(y), x[indices.key].shape), x.shape, indices), x.dtype)
    elif x.flags.c_contiguous:
        arrays.add_into(x, indices.key, np.broadcast_to(y, x[indices.key].shape))
    else:
        x += arrays.add_at(np.broadcast_to(y, x[indices.key].shape), x.shape, indices)


class IndexPutBackward0(General):
    """z = x with y, broadcast, at ``indices`` (or added there, if ``accumulate``)."""
    linear = True
    operands, names, fills = "x y", {"x": "self", "y": "values"}, "tensor[indices] = tensor"
    def batch(call, xs, batched, params, size):
        (x, y), (indices, accumulate) = xs, params
        tensors = indices.as_tensors()
        n, in_front = layout(tensors)
        if not batched[0]: x = x.expand(size, *x.shape)
        ndim = x.ndim - 1 + n - sum([t._array.ndim if t._array.dtype is _BOOL else 1 for t in tensors if t is not None])
        lead, shape = (y.shape[:1], y.shape[1:]) if batched[1] else ((1,), y.shape)
        if len(shape) < ndim or batched[1]: y = y.reshape(*lead, *(1,) * (ndim - len(shape)), *shape)
        elif in_front: y = y.unsqueeze(0)
        if in_front: y = y.movedim(0, n)
        return call(x, y, Indices((None, *tensors)), accumulate)
    refuse = staticmethod(refuse_put)
    def forward(x, y, indices, accumulate):
        z = x.copy(order="K")
        put_into(z, y, indices, accumulate)
        return z
    def vjp_x(xp, g, indices, accumulate): return g if accumulate else xp.zero_at(g, indices)
    def vjp_y(xp, g, y_shape, indices):    return xp.sum_to(xp.at(g, indices), y_shape)
_index_put = op(IndexPutBackward0)
frees_indices(IndexPutBackward0)


class IndexPutImplBackward0(IndexPutBackward0):
    """Like ``index_put``, where a gradient is added at the indices that it was read from."""
_index_put_impl = op(IndexPutImplBackward0)
frees_indices(IndexPutImplBackward0)


def same_dtypes(x, y, indices):
    """Raise RuntimeError unless ``y`` may be put into ``x``: first of all, of its shape."""
    if x._array.dtype != y._array.dtype:
        try:
            put_into(x._array.copy(), y._array.astype(x._array.dtype), indices, False)
        except (IndexError, ValueError, TypeError) as error:
            if not isinstance(error, IndexError) or "out of bounds" not in str(error):  # which PyTorch finds out later
                refuse_put(error, (x._array, y._array), (indices,))
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {dtype_name(x)} for the "
            f"destination and {dtype_name(y)} for the source."
        )


def without_leading_ones(y):
    """``y`` without leading dimensions of size one."""
    shape = y._array.shape
    extra = 0
    while extra < len(shape) and shape[extra] == 1:
        extra += 1
    return _view(y, shape[extra:]) if extra else y


def put_indices(input, y, indices, accumulate=False):
    """Write ``y`` in place at ``indices``; returns ``input``."""
    may_write(input, y)
    y = indices.volatile(y)
    if y._array.size == 1 and not accumulate and all(i is None or i.dtype is dtypes.bool_ for i in indices.tensors):
        if is_complex_type(y._array.dtype) and not is_complex_type(input._array.dtype):
            as_number(y._array.item(), input._array.dtype)  # raises for one that is not real
        y = as_dtype(y, input.dtype)  # a mask is filled with one value of any dtype
    same_dtypes(input, y, indices)
    check_apart(input, y, *[i for i in indices.tensors if i is not None])
    if indices.__class__ is InferenceIndices:
        indices.check_unsaved(input, y)

    def kernel(x, ya):
        try:
            put_into(x, ya, indices, accumulate)
        except (IndexError, ValueError, TypeError) as error:
            refuse_put(error, (x, ya), (indices,))

    return write(IndexPutBackward0, input, (y,), (indices, accumulate), kernel)


def __setitem__(input, key, value):
    """``input[key] = value``, in place: through the views that the key asks for, or at its index tensors and masks."""
    kind = value.__class__
    if (kind is Tensor or kind is float or kind is int) and at_once(input) and set_at_once(input, key, value, kind):
        return
    if kind is not Tensor:
        value = as_value(input, value)
        if value._volatile:
            may_write(input)
            with_volatile(input, key, value)
            return
    if key is False:
        return
    if key is Ellipsis:
        copy_to(input, value)
        return
    cls = key.__class__
    if not input._array.ndim and (cls is int or cls is slice):
        raise no_axis() if cls is int else no_slice()
    viewed = views_only(input, key if cls is tuple else (key,))
    if viewed is None:
        viewed, indices = views_and_indices(input, as_keys(key))
        if indices is not None and key is not True:
            if any_wrapped(indices):
                copy_(viewed, Rows(viewed, indices).scatter(without_leading_ones(value), False))
                return
            indices = Indices(indices)
            value = without_leading_ones(value)
            put_indices(viewed, value, indices)
            if viewed._volatile:
                viewed._spread(input)
            return
    copy_to(viewed, value)


def with_volatile(input, key, value):
    """``input[key] = value`` for a volatile value: it is not recorded, and makes the whole of ``input`` volatile."""
    was = set_recording(False)
    try:
        __setitem__(input, key, value.data)
    finally:
        set_recording(was)
    value._spread(input)


def set_at_once(input, key, value, kind):
    """Write where there is no history and NumPy means the same as PyTorch; returns whether that was so."""
    x = input._array
    cls = key.__class__
    if cls is tuple:
        for k in key:
            if not (k.__class__ is int or k is None or k is Ellipsis or (k.__class__ is slice and is_plain(k))):
                return False
    elif cls is Tensor:
        key = key._array
        if not key.ndim or (key.dtype is not _INT64 and key.dtype is not _BOOL):
            return False
        if kind is Tensor and np.may_share_memory(x, value._array):
            return False
    elif cls is not int and not (cls is slice and is_plain(key)):
        return False
    if kind is Tensor:
        y = value._array
        if y.dtype is not x.dtype or value is input or value._storage is input._storage is not FRESH or not at_once(value):
            return False
        value = y
    elif x.dtype.kind != "f" and (x.dtype.kind != "i" or kind is not int):
        return False
    elif kind is int and not _INT64_MIN <= value <= _INT64_MAX:
        raise ValueError("Overflow when unpacking long long")
    try:
        x[key] = value
    except (IndexError, ValueError, TypeError, OverflowError):
        return False  # the general way finds PyTorch's words for it
    bump(input)
    return True


def is_plain(key):
    """Whether a slice has no step but a positive one, and plain ends."""
    start, end, step = key.start, key.stop, key.step
    return (
        (step is None or (step.__class__ is int and step > 0))
        and (start is None or start.__class__ is int)
        and (end is None or end.__class__ is int)
    )


def as_value(input, value):
    """What is to be assigned, as a tensor: a number becomes one of input's dtype."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (bool, int, float, complex, np.integer)):  # NumPy's other numbers are refused, as by PyTorch
        if isinstance(value, int) and not _INT64_MIN <= value <= _INT64_MAX:
            raise ValueError("Overflow when unpacking long long")
        known = number(value, input._array.dtype)
        known = wrap(as_number(value, input._array.dtype)) if known is None else known
        return known.to("meta") if input._is_meta else known
    raise TypeError(f"can't assign a {type_of(value)} to a {legacy_type_name(input._array.dtype)}")


def type_of(value):
    """The name of a value's type with its module, as PyTorch's message has it."""
    refuse_pytorch(value)
    cls = type(value)
    return cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__name__}"


def copy_to(view, value):
    """Copy ``value``, broadcast, into a view."""
    shape, have = view._array.shape, value._array.shape
    if shape == have:
        copy_(view, value)
    elif not have and not value._is_meta:
        fill_(view, value)
    else:
        ones = 0
        while ones < len(have) and have[ones] == 1:
            ones += 1
        value = _view(value, have[ones:])
        copy_(view, value if value._array.shape == shape else expand_to(value, shape))


def as_index_tensors(function, indices):
    """The argument ``indices`` of ``index_put`` as index tensors by dimension."""
    if not isinstance(indices, (tuple, list)):
        raise TypeError(f"{function}(): argument 'indices' (position 2) must be tuple of Tensors, not {type_name(indices)}")
    found = list(indices)
    for i, t in enumerate(found):
        if not isinstance(t, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 1, but got {type_name(t)}")
    if any(t._array.dtype not in _MAY_INDEX for t in found):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return found if any_wrapped(found) else Indices(found)


def index_put(input, indices, values, accumulate=False):
    """Return a copy of ``input`` with ``values``, broadcast, written (or with ``accumulate`` added) at ``indices``, a tuple of index tensors
    or masks.

    Raises RuntimeError if dtypes differ or shapes do not fit, IndexError for an index out of range.

    >>> import minigrad
    >>> x, i = minigrad.zeros(3), minigrad.tensor([0, 0, 2])
    >>> minigrad.index_put(x, (i,), minigrad.tensor(1.), accumulate=True)
    tensor([2., 0., 1.])
    """
    if not isinstance(values, Tensor):
        raise not_a_tensor("index_put", "values", 3, values)
    indices = as_index_tensors("index_put", indices)
    if indices.__class__ is list:
        return Rows(input, indices).scatter(values, accumulate)
    same_dtypes(input, values, indices)
    return _index_put(input, indices.volatile(values), indices, bool(accumulate))


def index_put_(input, indices, values, accumulate=False):
    """In-place version of ``index_put``; returns the tensor.

    >>> import minigrad
    >>> minigrad.zeros(3).index_put_((minigrad.tensor([0, 2]),), minigrad.tensor([1., 5.]))
    tensor([1., 0., 5.])
    """
    if not isinstance(values, Tensor):
        raise not_a_tensor("index_put_", "values", 3, values)
    indices = as_index_tensors("index_put_", indices)
    if indices.__class__ is list:
        return copy_(input, Rows(input, indices).scatter(values, accumulate))
    return put_indices(input, values, indices, bool(accumulate))
