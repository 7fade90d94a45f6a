"""Making tensors of a size: filled with zeros, ones or a number, or yet to be written; also like another tensor.

Those made from data are in ``from_data.py``, sequences of numbers in ``ranges.py``.
"""

import numpy as np

from .._arrays.memory_layout import axes_of_copy
from .._base import device as devices
from .._base import dtypes, settings
from .._base.composites import composite
from .._base.dtypes import dtype_name, known
from .._base.errors import check_integer_range, integer, not_a_tensor, too_large, type_name
from .._base.guards import explain_failure
from .._core import late
from .._core.modes import thread_state
from .._core.out import fill_out
from .._core.tensor import Tensor, as_class, start_requiring_grad, wrap
from .._core.wrapped import Wrapped, beneath, rewrap
from .convert import as_number, in_format
from .scalars import as_scalar, number_of
from .sizes import ints, refuse_long

__all__ = [
    "empty", "empty_like", "empty_permuted", "empty_strided", "eye", "full", "full_like", "ones", "ones_like",
    "scalar_tensor", "zeros", "zeros_like",
]
METHODS = "new_empty new_empty_strided new_full new_ones new_zeros"


# What all functions here share -------------------------------------------------------------------------------------------


def finish(array, requires_grad=False, device=None, layout=None, pin_memory=False, like=None, levels=()):
    """A new leaf over ``array``, of the class that results of the tensor ``like`` have; refuses other devices and layouts.

    ``levels``: those of ``vmap`` along whose samples it varies, the outermost first; the samples lie along the first axes.
    """
    on_meta = device is not None and devices.check(device) is devices.META
    if layout is not None and layout is not devices.strided:
        if not isinstance(layout, devices.layout):
            raise TypeError(f"argument 'layout' must be torch.layout, not {type_name(layout)}")
        raise RuntimeError(f"this function creates strided tensors, not tensors of layout {layout!r}: use to_sparse() to create sparse tensors")
    if pin_memory is not False and pin_memory is not None:
        flag_named("pin_memory", pin_memory)
    if pin_memory:
        raise RuntimeError(
            "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this "
            "system."
        )
    out = late.meta().emptied(array) if on_meta else wrap(array)
    if like is not None and like.__class__ is not Tensor and not like._is_meta:
        if like._is_sparse:
            raise NotImplementedError("this operator does not support sparse tensors: convert the tensor with to_dense() first")
        out = as_class(out, like._results or like.__class__)
    if levels:
        out = rewrap(out, levels)
    if requires_grad is not False and requires_grad is not None:
        flag_named("requires_grad", requires_grad)
    if requires_grad:
        if array.dtype.kind not in "fc" and out.dtype.category < dtypes.FLOATING:
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        start_requiring_grad(out)
    return out


def dtype_of(name, out):
    """The dtype of the tensor ``out`` that the function ``name`` is to write into; raises TypeError if the argument is not a tensor."""
    if not isinstance(out, Tensor):
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type_name(out)}")
    return out.dtype


def into_out(name, out, array, dtype):
    """Write ``array`` into ``out``, which takes on its shape; ``dtype`` is what the caller asked for."""
    if dtype is not None and dtype is not dtype_of(name, out):
        raise RuntimeError(
            f"dtype {dtypes.scalar_type_name(dtype)} does not match dtype of out parameter ({dtype_name(out)})"
        )
    if out.requires_grad and thread_state.recording:
        raise RuntimeError(
            f"aten::{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad."
        )
    array = array.astype(out._array.dtype, copy=False)
    if array.size == out._array.size and name in _KEEPING:
        array = array.reshape(out._array.shape)
    return fill_out(out, wrap(array), name)


#: Functions that fill an ``out`` of as many elements, whatever its shape is.
_KEEPING = frozenset(["arange", "linspace", "logspace", "range"])


def flag_named(name, value):
    """Raise TypeError for an argument that is neither True nor False."""
    if value is not True and value is not False:
        raise TypeError(f"argument '{name}' must be bool, not {type_name(value)}")


def np_dtype(name, dtype, out=None):
    """The NumPy dtype for the argument ``dtype``: None is the default dtype (or that of ``out``)."""
    if dtype is None:
        return dtypes.get_default_dtype().np if out is None else dtype_of(name, out).np
    return known(name, dtype).np


def sizes(name, size):
    """The shape from ``*size``: integers, or one sequence of them."""
    if len(size) == 1 and not hasattr(size[0], "__index__"):
        size = size[0]
        if not isinstance(size, (tuple, list)):
            raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {type_name(size)}")
    elif len(size) == 1 and ((isinstance(size[0], Tensor) and size[0]._array.ndim) or size[0].__class__ is bool):
        raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {type_name(size[0])}")
    exact = True
    for place, n in enumerate(size):
        if n.__class__ is not int:
            exact = False
            if place and not hasattr(n, "__index__"):
                raise TypeError(
                    f"{name}(): argument 'size' failed to unpack the object at pos {place + 1} with error "
                    f'"type must be tuple of ints,but got {type_name(n)}"'
                )
            if not place and (not hasattr(n, "__index__") or n.__class__ is bool):
                raise TypeError(
                    f"{name}(): argument 'size' (position 1) must be tuple of ints, but found element of type "
                    f"{type_name(n)} at pos {place}"
                )
            n = n.__index__()
        if not -(2**63) <= n < 2**63:
            raise TypeError(f"{name}(): argument 'size' failed to unpack the object at pos {place + 1} with error \"Overflow when unpacking long long\n\"")
        if n < 0:
            if name in ("zeros", "ones"):
                raise RuntimeError(f"{name}: Dimension size must be non-negative.")
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {[int(m) for m in size]}")
    return tuple(size) if exact else tuple([n.__index__() for n in size])


def real_number(value):
    """``value`` as a Python number; a 0-dim tensor counts as one.  Raises OverflowError for an integer of more than 64 bits."""
    if isinstance(value, Tensor):
        return value.item()
    if isinstance(value, np.generic):
        return number_of(value)
    if value.__class__ is int:
        check_integer_range(value)
    return value


# Filled --------------------------------------------------------------------------------------------------------------------


@composite
def zeros(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, **named):
    """Return a tensor of zeros, of the default dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    try:
        return _filled("zeros", np.zeros, size, named, out, dtype, layout, device, requires_grad, pin_memory)
    except Exception:
        explain_failure(zeros, out, dtype, layout, device, requires_grad, pin_memory, size, named)
        raise


@composite
def ones(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, **named):
    """Return a tensor of ones, of the default dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.ones(2)
    tensor([1., 1.])
    """
    try:
        return _filled("ones", _ones, size, named, out, dtype, layout, device, requires_grad, pin_memory)
    except Exception:
        explain_failure(ones, out, dtype, layout, device, requires_grad, pin_memory, size, named)
        raise


@composite
def empty(
    *size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False,
    memory_format=None, **named,
):
    """Return a tensor with uninitialised elements.

    >>> import minigrad
    >>> minigrad.empty(2, 3).shape
    torch.Size([2, 3])
    """
    try:
        if memory_format is not None and (memory_format is not devices.contiguous_format or out is not None):
            return _empty_in_format(size, named, out, dtype, layout, device, requires_grad, pin_memory, memory_format)
        return _filled("empty", settings.uninitialized, size, named, out, dtype, layout, device, requires_grad, pin_memory)
    except Exception:
        explain_failure(empty, out, dtype, layout, device, requires_grad, pin_memory, memory_format, size, named)
        raise


def allocated(shape, dtype, make=np.empty, name=None):
    """A new array, made by ``make(shape, dtype)`` for the function ``name``; raises RuntimeError where memory does not hold it."""
    try:
        return make(shape, dtype)
    except (MemoryError, ValueError, OverflowError) as error:
        if name is not None:
            refuse_long(name, "size", shape)
        raise too_large(error, shape) from None


def _empty_in_format(size, named, out, dtype, layout, device, requires_grad, pin_memory, memory_format):
    if out is not None:
        dtype_of("empty", out)
        raise RuntimeError("'memory_format' argument is incompatible with 'out' tensor argument")
    if memory_format is devices.preserve_format:
        raise RuntimeError("unsupported memory format Preserve")
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(_array_in_format, size, named, dtype, layout, device, requires_grad, pin_memory, memory_format)
    return _array_in_format(size, named, dtype, layout, device, requires_grad, pin_memory, memory_format)


def _array_in_format(size, named, dtype, layout, device, requires_grad, pin_memory, memory_format):
    target = np_dtype("empty", dtype)
    array = in_format(settings.uninitialized(sizes("empty", size_or_named("empty", size, named)), target), target, memory_format)
    return finish(array, requires_grad, device, layout, pin_memory)


def _ones(shape, dtype):
    array = np.empty(shape, dtype)  # np.ones is written in Python
    if dtype is not None and np.dtype(dtype).char == "V":
        array[...] = as_number(1, array.dtype)
    else:
        array.fill(1)
    return array


def _filled(name, make, size, named, out, dtype, layout, device, requires_grad, pin_memory):
    if layout is not None and layout is not devices.strided and isinstance(layout, devices.layout) and out is None and not pin_memory:
        return _without_elements(name, size, named, dtype, layout, device, requires_grad)
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(_filled, name, make, size, named, out, dtype, layout, device, requires_grad, pin_memory)
    shape = sizes(name, size_or_named(name, size, named))
    if out is not None:
        dtype = None if dtype is None else known(name, dtype)
        return into_out(name, out, allocated(shape, dtype_of(name, out).np, make, name), dtype)
    return finish(allocated(shape, np_dtype(name, dtype), make, name), requires_grad, device, layout, pin_memory)


def _without_elements(name, size, named, dtype, layout, device, requires_grad, dense_dim=0):
    """A sparse tensor that keeps no element; in a compressed layout, with ``dense_dim`` dense dimensions."""
    if name not in ("empty", "zeros"):
        raise RuntimeError(f"{'full' if name == 'ones' else name}(...) is not implemented for sparse layout")
    if layout in (devices.jagged, devices._mkldnn):
        raise RuntimeError(f"minigrad has no layout {layout!r}")
    shape = sizes(name, size_or_named(name, size, named))
    found = late.sparse().empty(shape, known(name, dtype or dtypes.get_default_dtype()), requires_grad, layout, dense_dim=dense_dim)
    return late.sparse().emptied(found) if device is not None and devices.is_meta(device) else found


def size_or_named(name, size, named):
    """``size``, given by position or as the only one of the ``named`` arguments."""
    if named:
        for key in named:
            if key != "size" or size:
                raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
        return (named["size"],)
    if not size:
        raise TypeError(f'{name}() missing 1 required positional arguments: "size"')
    return size


@composite
def full(size, fill_value, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """Return a tensor of ``size`` filled with a number, whose type determines the dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.full((2,), 7)
    tensor([7, 7])
    """
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {type_name(size)}")
    if fill_value.__class__ is not float:
        fill_value = as_scalar(fill_value, "full", "fill_value", 2)
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(_full, size, fill_value, out, dtype, layout, device, requires_grad, pin_memory)
    return _full(size, fill_value, out, dtype, layout, device, requires_grad, pin_memory)


def _full(size, fill_value, out, dtype, layout, device, requires_grad, pin_memory):
    shape = sizes("full", (size,))
    if dtype is None:
        dtype = dtypes.of_python(fill_value) if out is None else dtype_of("full", out)
    dtype = known("full", dtype)
    array = allocated(shape, dtype.np)
    array.fill(as_number(fill_value, dtype.np, bounded=dtype.itemsize > 2))
    if out is not None:
        return into_out("full", out, array, dtype)
    return finish(array, requires_grad, device, layout, pin_memory)


@composite(event=None)
def scalar_tensor(s, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """Return a 0-dim tensor holding a number, of the default dtype.

    >>> import minigrad
    >>> minigrad.scalar_tensor(2)
    tensor(2.)
    """
    if isinstance(s, Wrapped):
        s = s.item()
    return finish(as_number(as_scalar(s, "scalar_tensor", "s", 1), np_dtype("scalar_tensor", dtype)), requires_grad, device, layout, pin_memory)


def _eye(n, m, dtype):
    if dtype.char != "V":
        return np.eye(n, m, dtype=dtype)
    array = np.zeros((n, m), dtype)
    array[range(min(n, m)), range(min(n, m))] = as_number(1, dtype)
    return array


@composite
def eye(n, m=None, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """Return a matrix (n, m) with ones on its diagonal and zeros elsewhere; m is n by default.

    >>> import minigrad
    >>> minigrad.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    for place, (name, value) in enumerate((("n", n), ("m", m)), 1):
        if value is not None:
            integer(value, "eye", name, place)
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(_eye_of, n, m, out, dtype, layout, device, requires_grad, pin_memory)
    return _eye_of(n, m, out, dtype, layout, device, requires_grad, pin_memory)


def _eye_of(n, m, out, dtype, layout, device, requires_grad, pin_memory):
    m = n if m is None else m
    for position, (letter, count) in enumerate((("n", n), ("m", m)), 1):
        if integer(count, "eye", letter, position) < 0:
            raise RuntimeError(f"{letter} must be greater or equal to 0, got {count}")
    if out is not None:
        dtype = None if dtype is None else known("eye", dtype)
        return into_out("eye", out, _eye(n, m, np_dtype("eye", dtype, out)), dtype)
    return finish(_eye(n, m, np_dtype("eye", dtype)), requires_grad, device, layout, pin_memory)


@composite
def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """Return a tensor of ``size`` and ``stride`` with uninitialised elements.

    >>> import minigrad
    >>> minigrad.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    size, stride = ints("empty_strided", "size", size), ints("empty_strided", "stride", stride)
    if device is not None and devices.is_meta(device):
        array = late.meta().without_elements(strided, size, stride, np_dtype("empty_strided", dtype))
        return finish(array, requires_grad, device, layout, pin_memory)
    array = strided(size, stride, np_dtype("empty_strided", dtype))
    return finish(array, requires_grad, device, layout, pin_memory)


def strided(shape, strides, dtype):
    """An array of this shape, its strides given in elements, over memory of its own."""
    if len(shape) != len(strides):
        raise RuntimeError(
            f"dimensionality of sizes ({len(shape)}) must match dimensionality of strides ({len(strides)})"
        )
    if any(s < 0 for s in strides):
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(shape)} and strides={list(strides)}")
    if any(n < 0 for n in shape):
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    length = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, strides))
    memory = settings.uninitialized(length, dtype)
    return np.lib.stride_tricks.as_strided(memory, shape, [s * memory.itemsize for s in strides])


@composite(event=None)
def empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """Return a dense, uninitialised tensor of ``size`` whose dimensions lie in memory in the order ``physical_layout``, outermost first.

    >>> import minigrad
    >>> minigrad.empty_permuted((2, 3, 4), (2, 0, 1)).stride()
    (3, 1, 6)
    """
    order = list(physical_layout)
    if len(order) != len(size):
        raise RuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. "
            f"len(size) = {len(size)} is not equal to len(physical_layout) = {len(order)}"
        )
    for dim in order:
        if not 0 <= dim < len(size):
            raise RuntimeError(f"Dimension out of range (expected to be between 0 and {len(size) - 1}, but got {dim} at "
                               f"index {order.index(dim)}).  Negative dims are not supported here.")
    if len(set(order)) != len(order):
        raise RuntimeError("Duplicate dim not allowed")
    shape, target = [size[dim] for dim in order], np_dtype("empty_permuted", dtype)
    if device is not None and devices.is_meta(device):
        dense = late.meta().without_elements(np.empty, shape, target)
    else:
        dense = settings.uninitialized(shape, target)
    return finish(dense.transpose(np.argsort(order)), requires_grad, device, layout, pin_memory)


# Like another tensor -----------------------------------------------------------------------------------------------------------


def array_like(name, input, dtype, memory_format, make=np.empty, samples=()):
    """An array of the shape and order in memory of ``input``, made by ``make(shape, dtype)``; ``samples``: sizes to stand before its shape."""
    if not isinstance(input, Tensor):
        raise not_a_tensor(name, "input", 1, input)
    x = input._array
    target = x.dtype if dtype is None else known(name, dtype).np
    if memory_format is devices.preserve_format or memory_format is None:
        if x.flags.c_contiguous:
            return make((*samples, *x.shape), target)
        order = axes_of_copy(x)
        array = make((*samples, *[x.shape[d] for d in order]), target)
        first = len(samples)
        return array.transpose([*range(first), *(first + np.argsort(order))])
    if memory_format is devices.contiguous_format or samples:
        return make((*samples, *x.shape), target)
    return in_format(make(x.shape, target), target, memory_format)


def _alike(name, input, dtype, memory_format, make, requires_grad, device, layout, pin_memory):
    # a batch is made of the like of a batch, so that samples can be written into it
    source, levels = input, ()
    if input.__class__ is not Tensor:
        if isinstance(input, Tensor) and input._is_sparse:
            return late.sparse().like(name, input, dtype, layout, requires_grad, device, make)
        if isinstance(input, Wrapped):
            source, levels = beneath(input)
        if device is None and isinstance(source, Tensor) and source.is_meta:
            device = devices.META
    if name == "zeros_like" and layout is not None and layout is not devices.strided and isinstance(layout, devices.layout) and not levels:
        return _without_elements("zeros", (tuple(source.shape),), {}, dtype or source.dtype, layout, device, requires_grad, source.ndim - 2)
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(
            _alike, name, input, dtype, memory_format, make, requires_grad, device, layout, pin_memory
        )
    array = array_like(name, source, dtype, memory_format, make)
    return finish(array, requires_grad, device, layout, pin_memory, source, levels)


@composite
def zeros_like(
    input, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=devices.preserve_format
):
    """Return zeros of the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.zeros_like(minigrad.tensor([1, 2]))
    tensor([0, 0])
    """
    return _alike("zeros_like", input, dtype, memory_format, np.zeros, requires_grad, device, layout, pin_memory)


@composite
def ones_like(
    input, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=devices.preserve_format
):
    """Return ones of the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.ones_like(minigrad.tensor([1, 2]))
    tensor([1, 1])
    """
    return _alike("ones_like", input, dtype, memory_format, _ones, requires_grad, device, layout, pin_memory)


@composite
def empty_like(
    input, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=devices.preserve_format
):
    """Return an uninitialised tensor of the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.empty_like(minigrad.ones(2, 3)).shape
    torch.Size([2, 3])
    """
    return _alike("empty_like", input, dtype, memory_format, settings.uninitialized, requires_grad, device, layout, pin_memory)


@composite
def full_like(
    input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False,
    memory_format=devices.preserve_format,
):
    """Return a tensor of the shape, dtype and memory order of ``input``, filled with a number.

    >>> import minigrad
    >>> minigrad.full_like(minigrad.tensor([1., 2.]), 7)
    tensor([7., 7.])
    """
    make = _filled_with(as_scalar(fill_value, "full_like", "fill_value", 2))
    return _alike("full_like", input, dtype, memory_format, make, requires_grad, device, layout, pin_memory)


def _filled_with(value):
    def make(shape, dtype):
        array = np.empty(shape, dtype)
        array[...] = as_number(value, dtype)
        return array

    return make


def _new(name, make, self, size, named, dtype, device, requires_grad, layout, pin_memory):
    if device is None and self.is_meta:
        device = devices.META
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(_new, name, make, self, size, named, dtype, device, requires_grad, layout, pin_memory)
    target = self._array.dtype if dtype is None else known(name, dtype).np
    shape = sizes(name, size_or_named(name, size, named))
    source, levels = beneath(self) if isinstance(self, Wrapped) else (self, ())
    array = allocated((*[level.size for level in levels], *shape), target, make, name)
    return finish(array, requires_grad, device, layout, pin_memory, source, levels)


@composite
def new_zeros(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, **named):
    """Return zeros of a size, of this tensor's dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).new_zeros(2, 3)
    tensor([[0, 0, 0],
            [0, 0, 0]])
    """
    return _new("new_zeros", np.zeros, self, size, named, dtype, device, requires_grad, layout, pin_memory)


@composite
def new_ones(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, **named):
    """Return ones of a size, of this tensor's dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).new_ones((2,))
    tensor([1, 1])
    """
    return _new("new_ones", _ones, self, size, named, dtype, device, requires_grad, layout, pin_memory)


@composite
def new_empty(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, **named):
    """Return an uninitialised tensor of a size, of this tensor's dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> x = minigrad.tensor([1, 2]).new_empty(2, 3)
    >>> x.shape, x.dtype
    (torch.Size([2, 3]), torch.int64)
    """
    return _new("new_empty", settings.uninitialized, self, size, named, dtype, device, requires_grad, layout, pin_memory)


@composite
def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """Return a tensor of a size filled with a number, of this tensor's dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).new_full((2,), 7)
    tensor([7., 7.])
    """
    fill_value = as_scalar(fill_value, "new_full", "fill_value", 2)
    if isinstance(self, Wrapped):
        make = _filled_with(fill_value)
        return _new("new_full", make, self, (size,), {}, dtype, device, requires_grad, layout, pin_memory)
    return full(
        size, fill_value, dtype=self.dtype if dtype is None else dtype, device=self.device if device is None else device, requires_grad=requires_grad,
        layout=layout, pin_memory=pin_memory,
    )


@composite(event=None)
def new_empty_strided(self, size, stride, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """Return an uninitialised tensor of a size and strides, of this tensor's dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).new_empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    if device is None and self.is_meta:
        device = devices.META
    target = self._array.dtype if dtype is None else known("new_empty_strided", dtype).np
    size, stride = ints("new_empty_strided", "size", size), ints("new_empty_strided", "stride", stride)
    if device is not None and devices.is_meta(device):
        array = late.meta().without_elements(strided, size, stride, target)
        return finish(array, requires_grad, device, layout, pin_memory, self)
    if not isinstance(self, Wrapped):
        return finish(strided(size, stride, target), requires_grad, device, layout, pin_memory, self)
    source, levels = beneath(self)
    size, stride = list(size), list(stride)
    for level in reversed(levels):
        stride.insert(0, 1 + sum((n - 1) * s for n, s in zip(size, stride)))
        size.insert(0, level.size)
    array = strided(tuple(size), tuple(stride), target)
    return finish(array, requires_grad, device, layout, pin_memory, source, levels)
