"""Indexing: ``x[key]``, ``x[key] = y``, and the functions that pick or set elements by index tensors or masks.

A key of integers, slices, None and ``...`` is a chain of views (``shape.py``).  Index tensors, sequences and masks copy: what is left
of the key after the views is a tuple of tensors, one per dimension or more, with None for dimensions that are not indexed.
"""

import math
import operator
import warnings

import numpy as np

from .._core import arrays, dtypes
from .._core.errors import (
    SECOND_BACKWARD,
    broadcast_shapes,
    check_sizes,
    not_a_tensor,
    shape_text,
    type_name,
)
from .._core.families import General, Linear, Op, general, number, op
from .._core.inplace import at_once, check_apart, fits, may_write, write
from .._core.interpret import into
from .._core.old_forms import old_form
from .._core.saved import Packed, SavedTensor, stale
from .._core.storage import FRESH, INFERENCE, inference_saved
from .._core.switch import here, set_recording
from .._core.tensor import Tensor, bump, of_array, wrap
from .convert import as_dtype, as_number, copy_, fill_
from .shape import _END, ALL, _select, _unsqueeze, _view, alias, expand_to, slice_
from .split import unbind

__all__ = [
    "argwhere", "index_put", "index_put_", "masked_fill", "masked_scatter", "masked_select", "nonzero",
    "nonzero_static", "put", "take", "unravel_index",
]

_INT64, _BOOL, _UINT8 = np.dtype("int64"), np.dtype("bool"), np.dtype("uint8")
_MAY_INDEX = {_INT64, np.dtype("int32"), _BOOL, _UINT8}


# Basic keys: a chain of views ----------------------------------------------------------------------------------------------------


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
        indices = Indices(indices)
        if indices.__class__ is not Indices:
            indices.check_unsaved(viewed)
        return _index(indices.volatile(viewed), indices)
    return alias(input) if viewed is input else viewed


def views_only(input, keys):
    """``input`` after the views that a tuple of plain keys asks for; None if another key is among them, or one is wrong."""
    out, dim = input, 0
    shape = input._array.shape
    for place, k in enumerate(keys):
        cls = k.__class__
        if cls is int:
            if dim >= len(shape):
                return None
            n = shape[dim]
            if not -n <= k < n:
                return None
            out = _select(out, dim, k + n if k < 0 else k)
            shape = shape[:dim] + shape[dim + 1 :]
        elif cls is slice:
            if dim >= len(shape):
                return None
            start, end, step = k.start, k.stop, k.step
            if start is not None or end is not None or step is not None:
                start, end, step = bounds(k)
                n = shape[dim]
                if step != 1 or end < n or not (start == 0 or start <= -n):
                    out = slice_(out, dim, start, end, step)
                    shape = out._array.shape
            dim += 1
        elif k is None:
            out = _unsqueeze(out, dim)
            dim += 1
            shape = out._array.shape
        elif k is Ellipsis:
            rest = keys[place + 1 :]
            for r in rest:
                if r.__class__ is not int and r.__class__ is not slice and r is not None:
                    return None
            dim = len(shape) - len(rest) + rest.count(None)
            if dim < 0:
                return None
        else:
            return None
    return out


def number_of_data(input, key):
    """``loss.data[0]`` of 2017, when results had one dimension at least: a number; raises IndexError for any other tensor."""
    if key:
        raise out_of_bounds(key, 0, 0)
    if not input._is_data:
        raise no_axis()
    old_form("loss.data[0]", "Use `loss.item()` instead.")
    return input.item()


def no_axis():
    """The error for an index of a 0-dim tensor."""
    return IndexError(
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor "
        "to a number"
    )


def no_slice():
    """The error for a slice of a 0-dim tensor."""
    return IndexError("slice() cannot be applied to a 0-dim tensor.")


def out_of_bounds(index, dim, n):
    """The error for an index that a dimension does not have."""
    return IndexError(f"index {index} is out of bounds for dimension {dim} with size {n}")


def bounds(key):
    """(start, end, step) of a slice; raises ValueError for a step that is not positive."""
    start, end, step = key.start, key.stop, key.step
    try:
        start = 0 if start is None else start if start.__class__ is int else operator.index(start)
        end = _END if end is None else end if end.__class__ is int else operator.index(end)
        step = 1 if step is None else step if step.__class__ is int else operator.index(step)
    except TypeError:
        raise TypeError("slice indices must be integers or None or have an __index__ method") from None
    if step <= 0:
        raise ValueError("step must be greater than zero" if step else "slice step cannot be zero")
    return start, end, step


def as_keys(key):
    """A key as a tuple of keys; a sequence that holds more than numbers counts as a tuple."""
    if key.__class__ is tuple:
        return key
    if isinstance(key, list) and len(key) < 32:
        for k in key:
            if k is None or k is Ellipsis or isinstance(k, (Tensor, slice, list, tuple, np.ndarray)):
                warnings.warn(
                    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; "
                    "use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, "
                    "x[torch.tensor(seq)], which will result either in an error or a different result",
                    stacklevel=3,
                )
                return tuple(key)
    return (key,)


def dims_named(keys):
    """How many dimensions the keys name; a mask names as many as it has."""
    named = 0
    for k in keys:
        if k is None or k is Ellipsis or k is True or k is False:
            continue
        if isinstance(k, Tensor) and k._array.dtype in (_BOOL, _UINT8):
            named += k._array.ndim
        else:
            named += 1
    return named


def views_and_indices(input, keys):
    """``input`` after the views that ``keys`` ask for, and index tensors by dimension of it, or None if there are none."""
    keys = [k if k is None or k.__class__ in (int, slice) or k is Ellipsis else as_key(k) for k in keys]
    ndim, named = input._array.ndim, dims_named(keys)
    if named > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    out, dim, indices, original = input, 0, None, 0
    for k in keys:
        cls = k.__class__
        if cls is int:
            n = out._array.shape[dim]
            if not -n <= k < n:
                raise out_of_bounds(k, original, n)
            out = _select(out, dim, k + n if k < 0 else k)
            original += 1
        elif cls is slice:
            start, end, step = bounds(k)
            n = out._array.shape[dim]
            if step != 1 or end < n or not (start == 0 or start <= -n):
                out = slice_(out, dim, start, end, step)
            dim += 1
            original += 1
        elif k is None:
            out = _unsqueeze(out, dim)
            dim += 1
        elif k is Ellipsis:
            dim += ndim - named
            original += ndim - named
            named = ndim  # a second one stands for nothing
        else:
            if cls is bool:
                out, k = _unsqueeze(out, dim), wrap(np.zeros(1 if k else 0, _INT64))
            if indices is None:
                indices = []
            indices += [None] * (dim - len(indices))
            indices.append(k)
            if k._array.dtype is _BOOL or k._array.dtype is _UINT8:
                check_mask(k._array, out._array.shape, dim, len(indices) - 1)
                dim += k._array.ndim
                original += k._array.ndim
                indices += [SPANNED] * (k._array.ndim - 1)
            else:
                dim += 1
                original += cls is not bool
    return out, indices


#: Among indices: a dimension that the mask before it indexes too.
SPANNED = object()


def as_key(k):
    """A key that is neither a plain int, slice, None nor ``...``, as an int, a bool, or an index tensor."""
    if isinstance(k, np.ndarray):
        k = of_array(k)
    if isinstance(k, Tensor):
        array = k._array
        if array.dtype not in _MAY_INDEX and not (array.ndim == 0 and array.dtype.kind in "iu"):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if array.ndim == 0:
            return bool(array) if array.dtype in (_BOOL, _UINT8) else int(array)
        if array.dtype is _UINT8:
            warnings.warn(
                "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.", stacklevel=4
            )
        return k
    if k is True or k is False:
        return k
    if hasattr(k, "__index__") and not isinstance(k, np.bool_):
        return operator.index(k)
    if isinstance(k, (list, tuple, range)):
        return as_key(wrap(indices_of(k)))
    if isinstance(k, str):
        raise TypeError("new(): invalid data type 'str'")
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
        f"{type_name(k)})"
    )


def indices_of(sequence):
    """Nested sequences of numbers as an array of indices or a mask."""
    found = np.array(plain_numbers(sequence))
    if not found.size:
        return np.zeros(found.shape, _INT64)
    if found.dtype.kind not in "biuf":
        raise TypeError(f"new(): invalid data type '{found.dtype.type.__name__.rstrip('_')}'")
    return found if found.dtype.kind == "b" else found.astype(_INT64)


def plain_numbers(sequence):
    """Nested sequences without tensors."""
    if isinstance(sequence, Tensor):
        return sequence._array
    return [plain_numbers(k) if isinstance(k, (list, tuple, range, Tensor)) else k for k in sequence]


# Index tensors -------------------------------------------------------------------------------------------------------------------


class Indices:
    """Index tensors as a parameter of ops: saved, checked for modification and freed like operands."""

    __slots__ = ("key", "tensors", "versions")

    def __init__(self, tensors):
        self.tensors = tensors = tuple([t for t in tensors if t is not SPANNED])
        key, versions = [], []
        for t in tensors:
            if t is None:
                key.append(ALL)
                versions.append(0)
                continue
            array, storage = t._array, t._storage
            key.append(array != 0 if array.dtype is _UINT8 else array)
            if storage is INFERENCE:
                self.__class__ = InferenceIndices
                versions.append(0)
            else:
                versions.append(storage.version)
        self.key, self.versions = tuple(key), versions

    def volatile(self, y):
        """``y``, volatile if one of the index tensors is."""
        for t in self.tensors:
            if t is not None and t._volatile:
                return t._spread(y.detach())
        return y

    def checked(self):
        """The key of an array; raises RuntimeError if an index tensor was modified since."""
        for t, version in zip(self.tensors, self.versions):
            if t is not None and t._storage.version != version:
                raise stale(t, version)
        return self.key


class InferenceIndices(Indices):
    """Indices of which some were made in inference mode: they cannot be saved."""

    __slots__ = ()

    def check_unsaved(self, *operands):
        """Raise RuntimeError if an op of these operands is to be recorded."""
        if here.recording and not here.inference and any(x.requires_grad for x in operands):
            raise inference_saved()

    def checked(self):
        """The key of an array."""
        return self.key


class PackedIndices(Indices):
    """Indices of which hooks have packed some: the key is made again whenever it is needed."""

    __slots__ = ()

    def __init__(self, tensors, versions):
        self.tensors, self.versions = tensors, versions

    def unpacked(self):
        """The index tensors; raises RuntimeError if one was modified since it was saved."""
        tensors = [t.tensor(None) if t.__class__ is Packed else t for t in self.tensors]
        for t, held, version in zip(tensors, self.tensors, self.versions):
            if t is not None and t is held and t._storage is not INFERENCE and t._storage.version != version:
                raise stale(t, version)
        return tuple(tensors)

    @property
    def key(self):
        return Indices(self.unpacked()).key

    def checked(self):
        """The key of an array; raises RuntimeError if an index tensor was modified since."""
        return self.key


class _Freed:
    """What is left of indices after backward."""

    __slots__ = ()

    @property
    def tensors(self):
        raise RuntimeError(SECOND_BACKWARD)

    key = tensors

    def checked(self):
        """Raises RuntimeError: the indices are gone."""
        raise RuntimeError(SECOND_BACKWARD)


_FREED = _Freed()


def frees_indices(cls):
    """Let an op's nodes drop their indices after backward, and show them as the tensors they are."""
    for kind in (cls, general(cls)):
        run, value = kind.backward, kind.value

        def backward(node, xp, g, keep, run=run):
            outs = run(node, xp, g, keep)
            if not keep:
                node.params = (_FREED, *node.params[1:])
            return outs

        def shown(node, i, value=value):
            if i.__class__ is tuple:
                return shown(node, i[0])[i[1]]
            found = value(node, i)
            if found.__class__ is PackedIndices:
                return found.unpacked()
            return found.tensors if found.__class__ in (Indices, _Freed) else found

        kind.backward, kind.value = backward, shown
    cls.raw_saved, cls.places_held, cls.held, cls.hold = _raw_saved, _places_held, _held, _hold
    cls.names_of_tensors = classmethod(lambda cls: [*Op.names_of_tensors.__func__(cls), "indices"])


# A place of an index tensor, for hooks on saved tensors: (the number of the parameter, which tensor of it).


def _raw_saved(node, name):
    place = node.places().get(name)
    if place is None or node.params[place - _before_params(node)].__class__ not in (Indices, PackedIndices, _Freed):
        return Op.raw_saved(node, name)
    return tuple([SavedTensor._of(node, (place, k)) for k in range(len(node.value(place)))])


def _places_held(node):
    first = _before_params(node)
    return [*Op.places_held(node), *[(first, k) for k, t in enumerate(node.params[0].tensors) if t is not None]]


def _held(node, place):
    return node.params[0].tensors[place[1]] if place.__class__ is tuple else Op.held(node, place)


def _hold(node, place, packed):
    if place.__class__ is not tuple:
        Op.hold(node, place, packed)
        return
    indices, k = node.params[0], place[1]
    tensors = (*indices.tensors[:k], packed, *indices.tensors[k + 1 :])
    node.params = (PackedIndices(tensors, indices.versions), *node.params[1:])


def _before_params(node):
    return node.plan.arity + len(node.plan.results)


def refuse_index(error, xs, params):
    """Raise PyTorch's error for a key that NumPy refused."""
    if isinstance(error, (IndexError, ValueError)):
        check_key(xs[0].shape, params[0].key)


def check_mask(mask, shape, dim, place):
    """Raise IndexError unless a mask has the sizes of the dimensions from ``dim`` on."""
    for d, n in enumerate(mask.shape):
        if dim + d >= len(shape) or shape[dim + d] != n:
            raise IndexError(
                f"The shape of the mask {shape_text(mask.shape)} at index {d} does not match the shape of the indexed tensor "
                f"{shape_text(shape)} at index {dim + d}"
            )


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


def picked(x, indices):
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
    refuse, names = staticmethod(refuse_index), {"shape": "self_sym_sizes"}
    forward = picked
    def vjp(xp, g, shape, indices): return xp.add_at(g, shape, indices)
_index = op(IndexBackward0)
frees_indices(IndexBackward0)


def refuse_put(error, xs, params):
    """Raise PyTorch's error for a key or a value that NumPy refused."""
    x, y, indices = xs[0], xs[1], params[0]
    check_key(x.shape, indices.key)
    raise RuntimeError(
        f"shape mismatch: value tensor of shape {shape_text(y.shape)} cannot be broadcast to indexing result of shape "
        f"{shape_text(x[indices.key].shape)}"
    ) from None


def put_into(x, y, indices, accumulate):
    """Write ``y`` at ``indices`` of array ``x``, or add it there."""
    if y.ndim > 1 and y.shape[0] == 1 and y.ndim > x[indices.key].ndim:
        raise ValueError  # PyTorch drops leading dimensions of size one in x[key] = y only
    if not accumulate:
        x[indices.key] = y
    elif x.flags.c_contiguous:
        arrays.add_into(x, indices.key, np.broadcast_to(y, x[indices.key].shape))
    else:
        x += arrays.add_at(np.broadcast_to(y, x[indices.key].shape), x.shape, indices)


class IndexPutBackward0(General):
    """z = x with y, broadcast, at ``indices`` (or added there, if ``accumulate``)."""
    operands, names, fills = "x y", {"x": "self", "y": "values"}, "tensor[indices] = tensor"
    refuse = staticmethod(refuse_put)
    def forward(x, y, indices, accumulate):
        z = x.copy()
        put_into(z, y, indices, accumulate)
        return z
    def vjp_x(xp, g, indices, accumulate): return g if accumulate else xp.zero_at(g, indices)
    def vjp_y(xp, g, y_shape, indices):    return xp.sum_to(xp.at(g, indices), y_shape)
_index_put = op(IndexPutBackward0)
frees_indices(IndexPutBackward0)


def same_dtypes(x, y, indices):
    """Raise RuntimeError unless ``y`` may be put into ``x``: first of all, of its shape."""
    if x._array.dtype != y._array.dtype:
        try:
            put_into(x._array.copy(), y._array.astype(x._array.dtype), indices, False)
        except (IndexError, ValueError, TypeError) as error:
            refuse_put(error, (x._array, y._array), (indices,))
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {dtypes.scalar_type_name(x.dtype)} for the "
            f"destination and {dtypes.scalar_type_name(y.dtype)} for the source."
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
        if y._array.dtype.kind == "c" and input._array.dtype.kind != "c":
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
    if isinstance(value, (bool, int, float, complex, np.generic)):
        known = number(value, input._array.dtype)
        return wrap(as_number(value, input._array.dtype)) if known is None else known
    raise TypeError(f"can't assign a {type_of(value)} to a {Tensor.type_text(input._array)}")


def type_of(value):
    """The name of a value's type with its module, as PyTorch's message has it."""
    cls = type(value)
    return cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__name__}"


def copy_to(view, value):
    """Copy ``value``, broadcast, into a view."""
    shape, have = view._array.shape, value._array.shape
    if shape == have:
        copy_(view, value)
    elif not have:
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
    found = []
    for i, t in enumerate(indices):
        if not isinstance(t, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 1, but got {type_name(t)}")
        if t._array.dtype not in _MAY_INDEX:
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        found.append(t)
    return Indices(found)


def index_put(input, indices, values, accumulate=False):
    """A copy of ``input`` with ``values``, broadcast, at ``indices``: a tuple of index tensors or masks; added with ``accumulate``.

    Raises RuntimeError if dtypes differ or shapes do not fit, IndexError for an index out of range.

    >>> import minigrad
    >>> x, i = minigrad.zeros(3), minigrad.tensor([0, 0, 2])
    >>> minigrad.index_put(x, (i,), minigrad.tensor(1.), accumulate=True)
    tensor([2., 0., 1.])
    """
    if not isinstance(values, Tensor):
        raise not_a_tensor("index_put", "values", 3, values)
    indices = as_index_tensors("index_put", indices)
    same_dtypes(input, values, indices)
    return _index_put(input, indices.volatile(values), indices, bool(accumulate))


def index_put_(input, indices, values, accumulate=False):
    """As ``index_put``, written into the tensor itself, which is returned."""
    if not isinstance(values, Tensor):
        raise not_a_tensor("index_put_", "values", 3, values)
    return put_indices(input, values, as_index_tensors("index_put_", indices), bool(accumulate))


# Masks ---------------------------------------------------------------------------------------------------------------------------


def check_boolean(function, mask):
    """Raise RuntimeError unless ``mask`` is of bool."""
    if not isinstance(mask, Tensor):
        raise not_a_tensor(function, "mask", 2, mask)
    if mask._array.dtype is not _BOOL:
        raise RuntimeError(f"{function}_ only supports boolean masks, but got mask with dtype {C_NAMES.get(mask.dtype.name, mask.dtype.name)}")


#: The names of dtypes in messages that use C's.
C_NAMES = {
    "float32": "float", "float64": "double", "uint8": "unsigned char", "int8": "signed char", "int16": "short int",
    "int32": "int", "int64": "long int", "float16": "c10::Half", "bfloat16": "c10::BFloat16",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip


def refuse_shapes(error, xs, params):
    """Raise PyTorch's error for operands that do not broadcast."""
    check_sizes(xs[1].shape, xs[0].shape)


class MaskedFillBackward0(General):
    """z = value, a number, where ``mask`` holds, else x; they broadcast."""
    operands, refuse, fills = "x mask", staticmethod(refuse_shapes), "tensor[mask] = scalar"
    def forward(x, mask, value):     return arrays.contiguous(arrays.where(mask, value, x))
    def vjp_x(xp, g, mask, x_shape): return xp.sum_to(xp.drop(g, mask), x_shape)
_masked_fill_number = op(MaskedFillBackward0)


class MaskedFillBackward1(General):
    """z = y, a 0-dim tensor, where ``mask`` holds, else x; they broadcast."""
    operands, refuse, names, fills = "x mask y", staticmethod(refuse_shapes), {"y": "value"}, "tensor[mask] = scalar"
    def forward(x, mask, y):         return arrays.contiguous(arrays.where(mask, y, x))
    def vjp_x(xp, g, mask, x_shape): return xp.sum_to(xp.drop(g, mask), x_shape)
    def vjp_y(xp, g, mask):          return xp.sum(xp.keep(g, mask))
_masked_fill_tensor = op(MaskedFillBackward1)


def filling(function, input, value):
    """A value to fill elements of ``input`` with: an array of its dtype for a number, a tensor of its dtype for a 0-dim tensor."""
    if isinstance(value, Tensor):
        if value._array.ndim:
            raise RuntimeError(
                f"{function} only supports a 0-dimensional value tensor, but got tensor with {value._array.ndim} dimension(s)."
            )
        if value._array.dtype == input._array.dtype or value.requires_grad:
            return value
        return wrap(np.asarray(as_number(value._array.item(), input._array.dtype)))
    if not isinstance(value, (bool, int, float, complex, np.generic)):
        raise TypeError(
            f"{function.rstrip('_')}() received an invalid combination of arguments - got a value of type {type_name(value)}, but "
            "expected a Tensor or a Number"
        )
    return as_number(value, input._array.dtype)


def masked_fill(input, mask, value):
    """A copy of ``input`` with ``value``, a number or 0-dim tensor, where ``mask`` holds; they broadcast.

    Raises RuntimeError for a mask that is not of bool.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.])
    >>> minigrad.masked_fill(x, x > 1, 0)
    tensor([1., 0.])
    """
    check_boolean("masked_fill", mask)
    value = filling("masked_fill_", input, value)
    return _masked_fill_tensor(input, mask, value) if isinstance(value, Tensor) else _masked_fill_number(input, mask, value)


def masked_fill_(input, mask, value):
    """As ``masked_fill``, written into the tensor itself, which is returned."""
    may_write(input, value)
    check_boolean("masked_fill", mask)
    value = filling("masked_fill_", input, value)
    if isinstance(value, Tensor):
        return write(
            MaskedFillBackward1, input, (mask, value), (), fill_masked, mask_fits(input, mask)
        )
    return write(
        MaskedFillBackward0, input, (mask,), (value,), lambda x, m: np.copyto(x, value, where=m), mask_fits(input, mask)
    )


def fill_masked(x, mask, y):
    """Write the number in the 0-dim array ``y`` into ``x`` where ``mask`` holds."""
    np.copyto(x, y.real if y.dtype.kind == "c" and x.dtype.kind != "c" else y, where=mask, casting="unsafe")


def mask_fits(input, mask):
    """Raises RuntimeError, when called, if ``mask`` is too large for an in-place op on ``input``."""
    shapes = [input._array.shape, mask._array.shape]
    return lambda: fits(MaskedFillBackward0, input, input.dtype, broadcast_shapes(shapes))


class MaskedSelectBackward0(General):
    """z = the elements of x where ``mask`` holds, in one row; they broadcast."""
    operands, refuse = "x mask", staticmethod(refuse_shapes)
    def forward(x, mask):            return arrays.masked_select(x, mask)
    def vjp_x(xp, g, mask, x_shape): return xp.masked_place(g, mask, x_shape)
_masked_select = op(MaskedSelectBackward0)


class MaskedPlace(General):
    """z = zeros with x, in one row, where ``mask`` holds, summed to ``shape``: what ``xp.masked_place`` is on Tensors."""
    operands, public = "x mask", "masked_place"
    def forward(x, mask, shape): return arrays.masked_place(x, mask, shape)
    def vjp_x(xp, g, mask):      return xp.masked_select(g, mask)
masked_place = op(MaskedPlace)


def masked_select(input, mask, *, out=None):
    """The elements of ``input`` where ``mask`` holds, in one row; they broadcast.

    Raises RuntimeError for a mask that is not of bool.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2., 3.])
    >>> minigrad.masked_select(x, x > 1)
    tensor([2., 3.])
    """
    if isinstance(mask, Tensor) and mask._array.dtype is not _BOOL:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    if out is not None:
        return into(out, lambda: _masked_select(input, mask), "masked_select", (input,))
    return _masked_select(input, mask)


def refuse_scatter(error, xs, params):
    """Raise PyTorch's error for a mask or a source that do not fit."""
    refuse_shapes(error, xs, params)
    if isinstance(error, ValueError):
        raise RuntimeError("Number of elements of source < number of ones in mask") from None


class MaskedScatterBackward0(General):
    """z = the first elements of y, one after the other, where ``mask`` holds, else x; x and ``mask`` broadcast."""
    operands, names, refuse = "x mask y", {"x": "self", "y": "source", "y_shape": "source_sym_sizes"}, staticmethod(refuse_scatter)
    def forward(x, mask, y):
        shape = np.broadcast_shapes(x.shape, mask.shape)
        z = np.array(np.broadcast_to(x, shape), order="C")
        scatter_masked(z, mask, y)
        return z
    def vjp_x(xp, g, mask, x_shape): return xp.sum_to(xp.drop(g, mask), x_shape)
    def vjp_y(xp, g, mask, y_shape):
        part = xp.masked_select(g, mask)
        n = math.prod(y_shape) - part.shape[0]
        return xp.reshape(xp.concat((part, xp.zeros((n,), g)), 0) if n else part, y_shape)
_masked_scatter = op(MaskedScatterBackward0)


def scatter_masked(x, mask, y):
    """Write the first elements of ``y`` into array ``x`` where ``mask`` holds."""
    mask = np.broadcast_to(mask, x.shape)
    n = np.count_nonzero(mask)
    if n > y.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    x[mask] = y.reshape(-1)[:n]


def check_masked_scatter(input, mask, source):
    """Raise TypeError or RuntimeError unless the operands of ``masked_scatter`` have the right types."""
    for place, (name, x) in enumerate((("mask", mask), ("source", source)), 2):
        if not isinstance(x, Tensor):
            raise not_a_tensor("masked_scatter", name, place, x)
    if input._array.dtype != source._array.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{dtypes.scalar_type_name(input.dtype)} and {dtypes.scalar_type_name(source.dtype)}"
        )
    if mask._array.dtype is not _BOOL:
        raise RuntimeError(
            f"masked_scatter_ only supports boolean masks, but got mask with dtype {dtypes.scalar_type_name(mask.dtype)}"
        )


def masked_scatter(input, mask, source):
    """A copy of ``input`` with the first elements of ``source``, one after the other, where ``mask`` holds; they broadcast.

    Raises RuntimeError for a mask that is not of bool, or a source of another dtype or with too few elements.

    >>> import minigrad
    >>> x = minigrad.tensor([1, 2, 3])
    >>> minigrad.masked_scatter(x, x > 1, minigrad.tensor([7, 8]))
    tensor([1, 7, 8])
    """
    check_masked_scatter(input, mask, source)
    return _masked_scatter(input, mask, source)


def masked_scatter_(input, mask, source):
    """As ``masked_scatter``, written into the tensor itself, which is returned."""
    may_write(input, source)
    check_masked_scatter(input, mask, source)
    return write(MaskedScatterBackward0, input, (mask, source), (), scatter_masked, mask_fits(input, mask))


# As if in one row ------------------------------------------------------------------------------------------------------------------


def check_flat_index(function, x, index):
    """Raise unless ``index`` may pick elements of ``x`` as if in one row."""
    if not isinstance(index, Tensor):
        raise not_a_tensor(function.rstrip("_"), "index", 2, index)
    if index._array.dtype is not _INT64:
        raise RuntimeError(f"{function}(): Expected a long tensor for index, but got {dtypes.scalar_type_name(index.dtype)}")
    i, n = index._array, x._array.size
    if i.size:
        if not n:
            raise IndexError(f"{function}(): tried to {function.rstrip('_')} from an empty tensor")
        bad = (i < -n) | (i >= n)
        if bad.any():
            raise IndexError(f"out of range: tried to access index {i[bad][0]} on a tensor of {n} elements.")


class TakeBackward0(General):
    """z = the elements of x, as if in one row, at ``index``."""
    operands = "x index"
    def forward(x, index):            return x.take(index)
    def vjp_x(xp, g, x_shape, index): return xp.put_flat(g, index, x_shape)
_take = op(TakeBackward0)


class PutFlat(General):
    """z = zeros of ``shape`` with x added at ``index``, as if in one row: what ``xp.put_flat`` is on Tensors."""
    operands, public = "x index", "put_flat"
    def forward(x, index, shape): return arrays.put_flat(x, index, shape)
    def vjp_x(xp, g, index):      return xp.take_flat(g, index)
put_flat = op(PutFlat)


def take(input, index, *, out=None):
    """The elements of ``input``, as if in one row, at ``index`` (int64); the result has its shape.

    Raises IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.take(minigrad.tensor([[1, 2], [3, 4]]), minigrad.tensor([0, -1]))
    tensor([1, 4])
    """
    check_flat_index("take", input, index)
    return _take(input, index) if out is None else into(out, lambda: _take(input, index), "take", (input,))


class PutBackward0(General):
    """z = x with the elements of y at ``index``, as if in one row (or added there, if ``accumulate``)."""
    operands, names = "x index y", {"y": "source"}
    def forward(x, index, y, accumulate):
        z = np.array(x, order="C")
        put_in_row(z, index, y, accumulate)
        return z
    def vjp_x(xp, g, index, accumulate): return g if accumulate else xp.zero_flat(g, index)
    def vjp_y(xp, g, index, y_shape):    return xp.reshape(xp.take_flat(g, index), y_shape)
_put = op(PutBackward0)


def put_in_row(x, index, y, accumulate):
    """Write the elements of ``y`` at ``index`` of array ``x``, as if in one row, or add them there."""
    if not accumulate:
        x.put(index, y)
    else:
        x += arrays.put_flat(y.reshape(index.shape), index, x.shape)


def zero_flat(x, index):
    """``x`` with zeros at ``index``, as if in one row."""
    return _put(x, index, wrap(np.zeros(index._array.size, x._array.dtype)), False)


def check_put(input, index, source):
    """Raise unless ``source`` may be put at ``index``."""
    check_flat_index("put_", input, index)
    if not isinstance(source, Tensor):
        raise not_a_tensor("put", "source", 3, source)
    if source._array.size != index._array.size:
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source._array.size}, index.numel() = {index._array.size}"
        )
    if source._array.dtype != input._array.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{dtypes.scalar_type_name(input.dtype)} and source.dtype = {dtypes.scalar_type_name(source.dtype)}"
        )


def put(input, index, source, accumulate=False):
    """A copy of ``input`` with the elements of ``source`` at ``index``, as if in one row; added there with ``accumulate``.

    Raises IndexError for an index out of range or of another size than ``source``.

    >>> import minigrad
    >>> minigrad.put(minigrad.tensor([1, 2, 3]), minigrad.tensor([0]), minigrad.tensor([9]))
    tensor([9, 2, 3])
    """
    check_put(input, index, source)
    return _put(input, index, source, bool(accumulate))


def put_(input, index, source, accumulate=False):
    """As ``put``, written into the tensor itself, which is returned."""
    may_write(input, source)
    check_put(input, index, source)
    check_apart(input, index, source)
    accumulate = bool(accumulate)
    return write(PutBackward0, input, (index, source), (accumulate,), lambda x, i, y: put_in_row(x, i, y, accumulate))


# Where elements are ----------------------------------------------------------------------------------------------------------------


def nonzero(input, *, out=None, as_tuple=False):
    """The indices of all elements that are not zero: a row for each, or a tuple with a vector for each dimension.

    >>> import minigrad
    >>> minigrad.nonzero(minigrad.tensor([[0, 1], [2, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("nonzero", "input", 1, input)
    x = input._array
    if as_tuple:
        return unbind(nonzero(input if x.ndim else input.detach().unsqueeze(0)), 1)
    found = wrap(np.array(x.nonzero()).T if x.ndim else np.zeros((int(bool(x)), 0), _INT64))
    return found if out is None else into(out, lambda: found, "nonzero")


def argwhere(input):
    """The indices of all elements that are not zero, a row for each.

    >>> import minigrad
    >>> minigrad.argwhere(minigrad.tensor([0, 5, 6]))
    tensor([[1],
            [2]])
    """
    return nonzero(input)


def nonzero_static(input, *, size, fill_value=-1, out=None):
    """As ``nonzero``, in a result of ``size`` rows: the first ones, or what there are and then rows of ``fill_value``.

    Raises RuntimeError if ``size`` is negative.

    >>> import minigrad
    >>> minigrad.nonzero_static(minigrad.tensor([0, 5]), size=2)
    tensor([[ 1],
            [-1]])
    """
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    found = nonzero(input)._array[:size]
    z = np.full((size, found.shape[1]), fill_value, _INT64)
    z[: len(found)] = found
    return wrap(z) if out is None else into(out, lambda: wrap(z), "nonzero_static")


def unravel_index(indices, shape):
    """The indices by dimension of a tensor of ``shape``, for indices of its elements as if in one row; as a tuple.

    Raises ValueError for a negative size, TypeError for indices that are no integers.

    >>> import minigrad
    >>> minigrad.unravel_index(minigrad.tensor([1, 5]), (2, 3))
    (tensor([0, 1]), tensor([1, 2]))
    """
    if not isinstance(indices, Tensor):
        raise not_a_tensor("unravel_index", "indices", 1, indices)
    if indices._array.dtype.kind not in "iu":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    shape = (operator.index(shape),) if hasattr(shape, "__index__") else tuple([operator.index(n) for n in shape])
    if min(shape, default=0) < 0:
        raise ValueError(f"'shape' cannot have negative values, but got {shape}")
    left = indices._array
    found = np.empty((*left.shape, len(shape)), _INT64)
    for d in range(len(shape) - 1, -1, -1):
        found[..., d] = left % max(shape[d], 1)
        left = left // max(shape[d], 1)
    return unbind(wrap(found), -1)
