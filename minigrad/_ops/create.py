"""Making tensors: from data, from NumPy, filled, in sequence."""

import math
import warnings

import numpy as np

from .._core import device as devices
from .._core import dtypes
from .._core.errors import not_a_tensor, type_name
from .._core.interpret import put
from .._core.rounding import fma64
from .._core.switch import here
from .._core.tensor import Tensor, as_class, start_requiring_grad, wrap
from .convert import as_dtype, as_number, in_format

__all__ = [
    "arange", "as_tensor", "asarray", "empty", "empty_like", "empty_permuted", "empty_strided", "eye",
    "from_dlpack", "from_numpy", "frombuffer", "full", "full_like", "linspace", "logspace", "ones",
    "ones_like", "range", "scalar_tensor", "tensor", "tril_indices", "triu_indices", "zeros",
    "zeros_like",
]

_range = range
_PYTHON = {float: dtypes.float64, int: dtypes.int64, bool: dtypes.bool_, complex: dtypes.complex128}


# What all functions here share -------------------------------------------------------------------------------------------


def finish(array, requires_grad=False, device=None, layout=None, pin_memory=False, like=None):
    """A new leaf over ``array``, of the class that results of the tensor ``like`` have; refuses other devices and layouts."""
    if device is not None:
        devices.check(device)
    if layout is not None and layout is not devices.strided:
        raise RuntimeError(f"minigrad has no layout {layout!r}: tensors are strided only")
    if pin_memory:
        raise RuntimeError(
            "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this "
            "system."
        )
    out = wrap(array)
    if like is not None and like.__class__ is not Tensor:
        out = as_class(out, like._results or like.__class__)
    if requires_grad:
        if array.dtype.kind not in "fc" and not out.is_floating_point():
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        start_requiring_grad(out)
    return out


def into_out(name, out, array, dtype):
    """Write ``array`` into ``out``, which takes on its shape; ``dtype`` is what the caller asked for."""
    if not isinstance(out, Tensor):
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type_name(out)}")
    if dtype is not None and dtype is not out.dtype:
        raise RuntimeError(
            f"dtype {dtypes.scalar_type_name(dtype)} does not match dtype of out parameter ({dtypes.scalar_type_name(out.dtype)})"
        )
    if out.requires_grad and here.recording:
        raise RuntimeError(
            f"aten::{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad."
        )
    put(out, wrap(array.astype(out._array.dtype, copy=False)))
    return out


def np_dtype(name, dtype, out=None):
    """The NumPy dtype for the argument ``dtype``: None is the default dtype (or that of ``out``)."""
    if dtype is None:
        return dtypes.get_default_dtype().np if out is None else out._array.dtype
    return known(name, dtype).np


def known(name, dtype):
    """``dtype``, or the dtype for one of Python's own types; raises TypeError for anything else."""
    if dtype.__class__ is dtypes.dtype:
        return dtype
    found = _PYTHON.get(dtype) if isinstance(dtype, type) else None
    if found is None:
        raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type_name(dtype)}")
    return found


def sizes(name, size):
    """The shape from ``*size``: integers, or one sequence of them."""
    if len(size) == 1 and not hasattr(size[0], "__index__"):
        size = size[0]
        if not isinstance(size, (tuple, list)):
            raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {type_name(size)}")
    elif len(size) == 1 and isinstance(size[0], Tensor) and size[0]._array.ndim:
        raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not Tensor")
    for place, n in enumerate(size):
        if n.__class__ is not int:
            if not hasattr(n, "__index__") or n.__class__ is bool:
                raise TypeError(
                    f"{name}(): argument 'size' (position 1) must be tuple of ints, but found element of type "
                    f"{type_name(n)} at pos {place}"
                )
            n = n.__index__()
        if n < 0:
            if name in ("zeros", "ones"):
                raise RuntimeError(f"{name}: Dimension size must be non-negative.")
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {[int(m) for m in size]}")
    return tuple(size)


def real_number(value):
    """``value`` as a Python number; a 0-dim tensor counts as one."""
    if isinstance(value, Tensor):
        return value.item()
    return value.item() if isinstance(value, np.generic) else value


# From data -----------------------------------------------------------------------------------------------------------------


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A new tensor holding a copy of ``data``: a number, nested sequences of numbers, an array, a tensor.

    Python floats take the default dtype, integers int64; arrays keep their dtype.

    >>> import minigrad
    >>> minigrad.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    warn_of_copy(data, "torch.tensor")
    return finish(copied(data, "tensor", dtype), requires_grad, device, None, pin_memory)


def copied(data, name, dtype=None, like=None):
    """A new array holding ``data`` as ``dtype``, or as the dtype that follows from the data (or ``like``)."""
    if dtype is not None:
        dtype = known(name, dtype)
    elif like is not None and not isinstance(data, (Tensor, np.ndarray)):
        dtype = like
    if isinstance(data, Tensor):
        data = data._array
    elif isinstance(data, np.ndarray):
        check_foreign(data)
    else:
        return from_python(data, dtype)
    if like is not None and dtype is None:
        dtype = like
    return np.array(data, None if dtype is None else dtype.np, order="C" if data.ndim < 2 or 0 in data.strides else "K")


def check_foreign(array):
    """Raise unless tensors can have the dtype and byte order of ``array``."""
    dtypes.from_numpy_dtype(array.dtype if array.dtype.isnative else array.dtype.newbyteorder("="))
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion between byte orders is "
            "currently not supported."
        )


def from_python(data, dtype):
    """An array from Python numbers and sequences."""
    cls = data.__class__
    if cls is float and dtype is None:
        try:
            return np.array(data, dtypes.get_default_dtype().np)
        except RuntimeWarning:  # beyond the dtype's range: infinity
            return number_as(data, dtypes.get_default_dtype())
    if not isinstance(data, (list, tuple)):
        if isinstance(data, (bool, int, float, complex, np.generic)):
            return number_as(data, number_dtype(data) if dtype is None else dtype)
        if isinstance(data, str):
            raise TypeError("new(): invalid data type 'str'")
        if isinstance(data, bytes):
            raise TypeError("new(): invalid data type 'bytes'")
        if hasattr(data, "__array__"):
            array = np.asarray(data)
            check_foreign(array)
            return np.array(array, None if dtype is None else dtype.np)
        if not is_sequence(data):
            raise RuntimeError(f"Could not infer dtype of {type_name(data)}")
        data = list(data)
    kinds = set()
    data = gathered(data, kinds)
    if dtype is None:
        dtype = common_dtype(kinds)
    target = dtype.np
    if kinds <= _SIMPLE.get(dtype.category, _NONE):
        try:
            return np.array(data, target)
        except (ValueError, OverflowError, RuntimeWarning):
            pass  # the general way below says in PyTorch's words what is wrong, or finds infinities
    shape = shape_of(data)
    flat = []
    flatten(data, shape, 0, flat)
    array = np.empty(len(flat), target)
    for i, value in enumerate(flat):
        array[i] = number_as(value, dtype)
    return array.reshape(shape)


_NONE: frozenset[str] = frozenset()
#: Python numbers that NumPy converts to a dtype of some category as PyTorch does.
_SIMPLE = {
    dtypes.BOOL: {bool, int, float}, dtypes.INTEGER: {bool, int}, dtypes.FLOATING: {bool, int, float},
    dtypes.COMPLEX: {bool, int, float, complex},
}


def number_dtype(value):
    """The dtype of a tensor made from a number: NumPy's own numbers keep theirs."""
    if isinstance(value, np.generic):
        return dtypes.from_numpy_dtype(value.dtype)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return dtypes.of_python(value)


def number_as(value, dtype):
    """A number as a 0-dim array of ``dtype``; raises RuntimeError where it does not fit."""
    if isinstance(value, np.generic):
        value = value.item()
    target = dtype.np
    if isinstance(value, complex) and target.kind != "c":
        raise TypeError("must be real number, not complex")
    if target.kind in "iu":
        return as_number(value, target, dtype.name)
    if isinstance(value, int) and not -(2**1023) < value < 2**1023:
        raise OverflowError("int too large to convert to float")
    with np.errstate(all="ignore"):
        return np.array(value).astype(target)


def is_sequence(value):
    """Whether ``value`` has a length and is indexed by numbers."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, dict)


def gathered(sequence, kinds):
    """Nested lists of numbers from ``sequence``; ``kinds`` collects their types (or dtypes, of NumPy's numbers and tensors)."""
    found = set(map(type, sequence))
    if found <= _NUMBERS:
        kinds |= found
        return sequence
    out = []
    for item in sequence:
        cls = type(item)
        if cls in _NUMBERS:
            kinds.add(cls)
        elif isinstance(item, np.generic):
            kinds.add(dtypes.from_numpy_dtype(item.dtype))
            item = item.item()
        elif isinstance(item, (Tensor, np.ndarray)):
            array = item._array if isinstance(item, Tensor) else item
            kinds.add(dtypes.from_numpy_dtype(array.dtype))
            if isinstance(item, Tensor) and array.size != 1:
                raise ValueError("only one element tensors can be converted to Python scalars")
            item = array.item() if isinstance(item, Tensor) else array.tolist()
        elif isinstance(item, (bool, int, float, complex)):
            kinds.add(next(kind for kind in (bool, int, float, complex) if isinstance(item, kind)))
        elif isinstance(item, str):
            raise ValueError("too many dimensions 'str'")
        elif isinstance(item, (list, tuple)):
            item = gathered(item, kinds)
        elif is_sequence(item):
            item = gathered(list(item), kinds)
        else:
            raise RuntimeError(f"Could not infer dtype of {type_name(item)}")
        out.append(item)
    return out


_NUMBERS = {bool, int, float, complex}


def common_dtype(kinds):
    """The dtype of a tensor whose elements are of these types and dtypes."""
    common = None
    for kind in kinds:
        dtype = kind if isinstance(kind, dtypes.dtype) else dtypes.of_python(kind(0))
        common = dtype if common is None else dtypes.promote_types(common, dtype)
    return dtypes.get_default_dtype() if common is None else common


def shape_of(data):
    """The shape of nested lists, by their first elements."""
    shape = []
    while isinstance(data, (list, tuple)):
        shape.append(len(data))
        if not data:
            break
        data = data[0]
    return tuple(shape)


def flatten(data, shape, dim, flat):
    """Append the numbers of nested lists to ``flat``; raises where a list has not the length that ``shape`` says."""
    if dim == len(shape):
        if isinstance(data, (list, tuple)):
            raise ValueError(f"expected a number at dim {dim}, got a sequence")
        if isinstance(data, int) and not -(2**63) <= data < 2**63:
            raise ValueError("Overflow when unpacking long long")
        flat.append(data)
        return
    if not isinstance(data, (list, tuple)):
        raise TypeError("not a sequence")
    if len(data) != shape[dim] and shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    if shape[dim]:
        for item in data:
            flatten(item, shape, dim + 1, flat)


def from_numpy(ndarray):
    """A tensor that shares an array's memory.

    Raises TypeError for a dtype that tensors do not have, ValueError for negative strides or foreign byte order.

    >>> import minigrad, numpy
    >>> minigrad.from_numpy(numpy.arange(3))
    tensor([0, 1, 2])
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_text(ndarray)})")
    check_foreign(ndarray)
    if any(stride < 0 for stride in ndarray.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
            "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
        )
    if not ndarray.flags.writeable:
        warnings.warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to "
            "this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it "
            "writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.",
            stacklevel=2,
        )
    found = dtypes.from_numpy_dtype(ndarray.dtype)
    array = ndarray.view(np.ndarray)
    return wrap(array if array.dtype is found.np else array.view(found.np))


def type_text(value):
    """The type of a value with its module, as PyTorch names it in messages."""
    cls = type(value)
    return cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__name__}"


def as_tensor(data, dtype=None, device=None):
    """``data`` as a tensor: itself or sharing memory where possible, else a copy; history is kept.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.])
    >>> minigrad.as_tensor(x) is x
    True
    """
    if device is not None:
        devices.check(device)
    if dtype is not None:
        dtype = known("as_tensor", dtype)
    if isinstance(data, Tensor):
        return data if dtype is None else as_dtype(data, dtype)
    if isinstance(data, np.ndarray) and all(stride >= 0 for stride in data.strides):
        out = from_numpy(data)
        return out if dtype is None else as_dtype(out, dtype)
    return wrap(copied(data, "as_tensor", dtype))


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    """``obj`` as a tensor: a copy if ``copy``, never one if ``copy`` is False, else only where needed.

    Raises ValueError where ``copy=False`` cannot be.

    >>> import minigrad
    >>> minigrad.asarray([1, 2])
    tensor([1, 2])
    """
    if device is not None:
        devices.check(device)
    if dtype is not None:
        dtype = known("asarray", dtype)
    if isinstance(obj, (Tensor, np.ndarray)) or (
        not isinstance(obj, (bool, int, float, complex, list, tuple, str, np.generic)) and _is_buffer(obj)
    ):
        if not isinstance(obj, (Tensor, np.ndarray)):
            obj = np.frombuffer(obj, np.uint8 if dtype is None else dtype.np)
        out = obj if isinstance(obj, Tensor) else from_numpy(obj)
        if dtype is not None and dtype is not out.dtype and copy is False:
            raise ValueError(
                f"can't alias tensor with dtype '{dtypes.scalar_type_name(out.dtype)}' into dtype "
                f"'{dtypes.scalar_type_name(dtype)}'."
            )
        out = out if dtype is None else as_dtype(out, dtype)
        if copy and (out is obj or not isinstance(obj, Tensor)):
            out = out.clone()
        if not requires_grad:
            return out.detach() if out.requires_grad and out is not obj else out
        if out.grad_fn is not None:
            out = out.detach()
    else:
        if copy is False:
            raise ValueError("can't alias arbitrary sequence into a tensor.")
        out = wrap(copied(obj, "asarray", dtype))
    return out.requires_grad_() if requires_grad else out


def _is_buffer(obj):
    try:
        memoryview(obj)
    except TypeError:
        return False
    return True


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A 1-dim tensor over the memory of an object that has Python's buffer interface.

    >>> import minigrad
    >>> minigrad.frombuffer(bytearray([1, 0, 2, 0]), dtype=minigrad.int16)
    tensor([1, 2], dtype=torch.int16)
    """
    target = known("frombuffer", dtype).np
    size = memoryview(buffer).nbytes
    if not 0 <= offset < size:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({size} bytes) minus 1"
            if size else "both buffer length (0) and count (-1) must not be 0"
        )
    if count == -1 and (size - offset) % target.itemsize:
        raise ValueError(
            f"buffer length ({size - offset} bytes) after offset ({offset} bytes) must be a multiple of element size "
            f"({target.itemsize})"
        )
    if count == 0 or (count > 0 and offset + count * target.itemsize > size):
        raise ValueError(
            f"requested buffer length ({count} * {target.itemsize} bytes) after offset ({offset} bytes) must not be greater "
            f"than actual buffer length ({size} bytes)"
            if count else f"both buffer length ({size}) and count (0) must not be 0"
        )
    return finish(np.frombuffer(buffer, target, count, offset), requires_grad)


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """A tensor over the memory of any CPU tensor or array that has ``__dlpack__``.

    >>> import minigrad, numpy
    >>> minigrad.from_dlpack(numpy.ones(2))
    tensor([1., 1.], dtype=torch.float64)
    """
    if device is not None:
        devices.check(device)
    out = wrap(np.from_dlpack(ext_tensor))
    return out.clone() if copy else out


# Filled --------------------------------------------------------------------------------------------------------------------


def zeros(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, **named):
    """A tensor of zeros, of the default dtype unless ``dtype`` says otherwise.

    >>> import minigrad
    >>> minigrad.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    return _filled("zeros", np.zeros, size, named, out, dtype, layout, device, requires_grad, pin_memory)


def ones(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, **named):
    """A tensor of ones, of the default dtype unless ``dtype`` says otherwise.

    >>> import minigrad
    >>> minigrad.ones(2)
    tensor([1., 1.])
    """
    return _filled("ones", _ones, size, named, out, dtype, layout, device, requires_grad, pin_memory)


def empty(
    *size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False,
    memory_format=devices.contiguous_format, **named,
):
    """A tensor whose elements have yet to be written.

    >>> import minigrad
    >>> minigrad.empty(2, 3).shape
    torch.Size([2, 3])
    """
    if memory_format not in (devices.contiguous_format, devices.preserve_format):
        target = np_dtype("empty", dtype)
        array = in_format(np.empty(sizes("empty", size_or_named("empty", size, named)), target), target, memory_format)
        return finish(array, requires_grad, device, layout, pin_memory)
    return _filled("empty", np.empty, size, named, out, dtype, layout, device, requires_grad, pin_memory)


def _ones(shape, dtype):
    array = np.empty(shape, dtype)  # np.ones is written in Python
    array.fill(1)
    return array


def _filled(name, make, size, named, out, dtype, layout, device, requires_grad, pin_memory):
    shape = sizes(name, size_or_named(name, size, named))
    if out is not None:
        dtype = None if dtype is None else known(name, dtype)
        return into_out(name, out, make(shape, out._array.dtype if isinstance(out, Tensor) else None), dtype)
    return finish(make(shape, np_dtype(name, dtype)), requires_grad, device, layout, pin_memory)


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


def full(size, fill_value, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor of ``size`` filled with a number, whose type decides the dtype unless ``dtype`` does.

    >>> import minigrad
    >>> minigrad.full((2,), 7)
    tensor([7, 7])
    """
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {type_name(size)}")
    if fill_value.__class__ is not float:
        fill_value = _fill_value("full", fill_value)
    shape = sizes("full", (size,))
    if dtype is None:
        dtype = dtypes.of_python(fill_value) if out is None else out.dtype
    dtype = known("full", dtype)
    array = np.empty(shape, dtype.np)
    array.fill(as_number(fill_value, dtype.np))
    if out is not None:
        return into_out("full", out, array, dtype)
    return finish(array, requires_grad, device, layout, pin_memory)


def _fill_value(name, value):
    if isinstance(value, np.generic) or (isinstance(value, Tensor) and not value._array.ndim and not value.requires_grad):
        return value.item()
    if not isinstance(value, (bool, int, float, complex)):
        raise TypeError(f"{name}(): argument 'fill_value' (position 2) must be Number, not {type_name(value)}")
    return value


def scalar_tensor(s, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """A 0-dim tensor holding a number, of the default dtype.

    >>> import minigrad
    >>> minigrad.scalar_tensor(2)
    tensor(2.)
    """
    if not isinstance(s, (bool, int, float, complex)):
        raise TypeError(f"scalar_tensor(): argument 's' (position 1) must be Number, not {type_name(s)}")
    return finish(as_number(s, np_dtype("scalar_tensor", dtype)), requires_grad, device, layout, pin_memory)


def eye(n, m=None, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """A matrix (n, m), m = n if not given, with ones on its diagonal and zeros elsewhere.

    >>> import minigrad
    >>> minigrad.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    m = n if m is None else m
    for letter, count in (("n", n), ("m", m)):
        if count < 0:
            raise RuntimeError(f"{letter} must be greater or equal to 0, got {count}")
    if out is not None:
        dtype = None if dtype is None else known("eye", dtype)
        return into_out("eye", out, np.eye(n, m, dtype=np_dtype("eye", dtype, out)), dtype)
    return finish(np.eye(n, m, dtype=np_dtype("eye", dtype)), requires_grad, device, layout, pin_memory)


def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor of ``size`` whose elements, yet to be written, lie in memory ``stride`` apart.

    >>> import minigrad
    >>> minigrad.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    array = strided(tuple(size), tuple(stride), np_dtype("empty_strided", dtype))
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
    memory = np.empty(length, dtype)
    return np.lib.stride_tricks.as_strided(memory, shape, [s * memory.itemsize for s in strides])


def empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """A dense tensor of ``size`` whose dimensions lie in memory in the order ``physical_layout``, the outermost first.

    >>> import minigrad
    >>> minigrad.empty_permuted((2, 3, 4), (2, 0, 1)).stride()
    (3, 1, 6)
    """
    order = [dim % len(size) if -len(size) <= dim < len(size) else dim for dim in physical_layout]
    if len(order) != len(size):
        raise RuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. "
            f"len(size) = {len(size)} is not equal to len(physical_layout) = {len(order)}"
        )
    for dim in order:
        if not 0 <= dim < len(size):
            raise RuntimeError(f"Dimension out of range (expected to be between 0 and {len(size) - 1}, but got {dim} at index "
                               f"{order.index(dim)}).  NB: negative dims not currently supported; file an issue if you want it.")
    if len(set(order)) != len(order):
        raise RuntimeError("Duplicate dim not allowed")
    dense = np.empty([size[dim] for dim in order], np_dtype("empty_permuted", dtype))
    return finish(dense.transpose(np.argsort(order)), requires_grad, device, layout, pin_memory)


# In sequence -----------------------------------------------------------------------------------------------------------------


def arange(
    start=0, end=None, step=1, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """The numbers from ``start`` (0) up to but not ``end``, ``step`` apart; int64 if all three are integers.

    Raises RuntimeError if ``step`` is zero or leads away from ``end``.

    >>> import minigrad
    >>> minigrad.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    if end is None:
        start, end = 0, start
    if start.__class__ is end.__class__ is step.__class__ is int and dtype is None and out is None and (end - start) * step > 0:
        return finish(np.arange(start, end, step), requires_grad, device, layout, pin_memory)
    bounds = [real_number(value) for value in (start, end, step)]
    for value in bounds:
        if not isinstance(value, (int, float)):
            raise TypeError(f"arange(): argument 'end' must be Number, not {type_name(value)}")
    if dtype is not None:
        dtype = known("arange", dtype)
    elif out is not None:
        dtype = out.dtype
    else:
        dtype = dtypes.get_default_dtype() if any(isinstance(value, float) for value in bounds) else dtypes.int64
    if dtype.category in (dtypes.BOOL, dtypes.COMPLEX):
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{dtypes.scalar_type_name(dtype)}'")
    array = spaced(*bounds, dtype)
    if out is not None:
        return into_out("arange", out, array, dtype)
    return finish(array, requires_grad, device, layout, pin_memory)


def spaced(start, end, step, dtype, inclusive=False):
    """``start``, ``start + step``, ... up to ``end``, as an array of ``dtype``."""
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end < start) if step > 0 else (end > start):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if dtype is dtypes.int64 and not inclusive:
        start, end, step = int(start), int(end), int(step)
        if step == 0:
            raise ValueError("step must be nonzero")
        return np.arange(start, end, step)
    if dtype.category == dtypes.INTEGER:
        whole = int(start), int(step)
        count = math.floor((end - start) / step) + 1 if inclusive else math.ceil((end - start) / step)
        return (whole[0] + whole[1] * np.arange(count)).astype(dtype.np)
    count = math.floor((end - start) / step) + 1 if inclusive else math.ceil((end - start) / step)
    return (start + step * np.arange(count, dtype=np.float64)).astype(dtype.np)


def range(start=0, end=None, step=1, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """As ``arange``, but with ``end`` and of the default dtype: deprecated."""
    if end is None:
        start, end = 0, start
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's "
        "range builtin. Instead, use torch.arange, which produces values in [start, end).",
        stacklevel=2,
    )
    dtype = known("range", dtypes.get_default_dtype() if dtype is None else dtype)
    array = spaced(real_number(start), real_number(end), real_number(step), dtype, inclusive=True)
    if out is not None:
        return into_out("range", out, array, dtype)
    return finish(array, requires_grad, device, layout, pin_memory)


def _ends(name, start, end, steps, dtype, out):
    """(start, end, dtype) of an evenly spaced sequence."""
    dims = [x._array.ndim if isinstance(x, Tensor) else 0 for x in (start, end)]
    if any(dims):
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got start with {dims[0]} dimension(s) and end "
            f"with {dims[1]} dimension(s)."
        )
    if not hasattr(steps, "__index__"):
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got ({type_name(start)}, {type_name(end)}, "
            f"{type_name(steps)}), but expected one of:\n * (Number start, Number end, int steps, ...)"
        )
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    start, end = real_number(start), real_number(end)
    is_complex = isinstance(start, complex) or isinstance(end, complex)
    if dtype is not None:
        dtype = known(name, dtype)
        if is_complex and dtype.category != dtypes.COMPLEX:
            raise RuntimeError(
                f"torch.{name}(): inferred dtype {'c10::complex<float>'} can't be safely cast to passed dtype "
                f"{dtypes.scalar_type_name(dtype)}"
            )
    elif out is not None:
        dtype = out.dtype
    else:
        dtype = dtypes.default_complex() if is_complex else dtypes.get_default_dtype()
    if dtype.category == dtypes.INTEGER:
        start, end = int(start), int(end)
    return start, end, dtype


def evenly(start, end, steps, dtype):
    """``steps`` numbers from ``start`` to ``end``, both of NumPy's ``dtype``, from both ends towards the middle.

    PyTorch's rounding: ``start + step * i`` in one for single and double precision, whose results have yet to be rounded to ``dtype``
    here; in two for half precision.
    """
    start, end = np.array([start]).astype(dtype), np.array([end]).astype(dtype)
    if steps < 2:
        return start[:steps]
    i = np.arange(steps)
    if dtype.kind in "iu":
        start, end = int(start[0]), int(end[0])
        step = (end - start) / (steps - 1)
        return np.where(i < steps // 2, start + step * i, end - step * (steps - 1 - i))
    step = (end - start) / np.array(steps - 1).astype(dtype)
    if dtype == np.float64:
        low, high = i.astype(np.float64), (steps - 1 - i).astype(np.float64)
        return np.where(i < steps // 2, fma64(low, step[0], start[0]), fma64(-high, step[0], end[0]))
    if dtype == np.float32:
        start, end, step = start.astype(np.float64), end.astype(np.float64), step.astype(np.float64)
    low, high = i.astype(step.dtype), (steps - 1 - i).astype(step.dtype)
    return np.where(i < steps // 2, start + step * low, end - step * high)


def linspace(
    start, end, steps, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """``steps`` numbers evenly spaced from ``start`` to ``end``, both included.

    >>> import minigrad
    >>> minigrad.linspace(0, 1, 3)
    tensor([0.0000, 0.5000, 1.0000])
    """
    start, end, dtype = _ends("linspace", start, end, steps, dtype, out)
    array = evenly(start, end, steps, dtype.np).astype(dtype.np)
    if out is not None:
        return into_out("linspace", out, array, dtype)
    return finish(array, requires_grad, device, layout, pin_memory)


def logspace(
    start, end, steps, base=10.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """``steps`` powers of ``base``, their exponents evenly spaced from ``start`` to ``end``.

    >>> import minigrad
    >>> minigrad.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    start, end, dtype = _ends("logspace", start, end, steps, dtype, out)
    exponents = evenly(start, end, steps, dtype.np)
    wide = np.complex128 if dtype.category == dtypes.COMPLEX else np.float64
    array = np.power(np.array(base, wide), exponents.astype(wide)).astype(dtype.np)
    if out is not None:
        return into_out("logspace", out, array, dtype)
    return finish(array, requires_grad, device, layout, pin_memory)


def _triangle(name, row, col, offset, dtype, layout, device, pin_memory, lower):
    dtype = dtypes.int64 if dtype is None else known(name, dtype)
    for what, n in (("row", row), ("col", col)):
        if n < 0:
            raise RuntimeError(f"{what} must be non-negative, got{n}")
    if dtype not in (dtypes.int64, dtypes.int32, dtypes.int16, dtypes.int8, dtypes.uint8):
        raise NotImplementedError(f"\"{name}\" not implemented for '{dtypes.scalar_type_name(dtype)}'")
    i, j = np.indices((row, col), sparse=True)
    inside = np.nonzero(j - i <= offset if lower else j - i >= offset)
    return finish(np.array(inside).astype(dtype.np), False, device, layout, pin_memory)


def tril_indices(row, col, offset=0, *, dtype=None, device=None, layout=None, pin_memory=False):
    """The indices (2, n) of the lower triangle of a row x col matrix, row by row.

    >>> import minigrad
    >>> minigrad.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    return _triangle("tril_indices", row, col, offset, dtype, layout, device, pin_memory, True)


def triu_indices(row, col, offset=0, *, dtype=None, device=None, layout=None, pin_memory=False):
    """The indices (2, n) of the upper triangle of a row x col matrix, row by row.

    >>> import minigrad
    >>> minigrad.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
    return _triangle("triu_indices", row, col, offset, dtype, layout, device, pin_memory, False)


# Like another tensor -----------------------------------------------------------------------------------------------------------


def array_like(name, input, dtype, memory_format, make=np.empty):
    """An array of the shape and order in memory of ``input``, made by ``make(shape, dtype)``."""
    if not isinstance(input, Tensor):
        raise not_a_tensor(name, "input", 1, input)
    x = input._array
    target = x.dtype if dtype is None else known(name, dtype).np
    if memory_format is devices.preserve_format or memory_format is None:
        if x.flags.c_contiguous or 0 in x.strides:
            return make(x.shape, target)
        order = sorted(_range(x.ndim), key=lambda d: -x.strides[d])
        return make([x.shape[d] for d in order], target).transpose(np.argsort(order))
    if memory_format is devices.contiguous_format:
        return make(x.shape, target)
    return in_format(make(x.shape, target), target, memory_format)


def zeros_like(
    input, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=devices.preserve_format
):
    """Zeros of the shape, dtype and order in memory of ``input``.

    >>> import minigrad
    >>> minigrad.zeros_like(minigrad.tensor([1, 2]))
    tensor([0, 0])
    """
    array = array_like("zeros_like", input, dtype, memory_format, np.zeros)
    return finish(array, requires_grad, device, layout, pin_memory, input)


def ones_like(
    input, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=devices.preserve_format
):
    """Ones of the shape, dtype and order in memory of ``input``.

    >>> import minigrad
    >>> minigrad.ones_like(minigrad.tensor([1, 2]))
    tensor([1, 1])
    """
    array = array_like("ones_like", input, dtype, memory_format, _ones)
    return finish(array, requires_grad, device, layout, pin_memory, input)


def empty_like(
    input, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=devices.preserve_format
):
    """A tensor of the shape, dtype and order in memory of ``input``, its elements yet to be written.

    >>> import minigrad
    >>> minigrad.empty_like(minigrad.ones(2, 3)).shape
    torch.Size([2, 3])
    """
    array = array_like("empty_like", input, dtype, memory_format)
    return finish(array, requires_grad, device, layout, pin_memory, input)


def full_like(
    input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False,
    memory_format=devices.preserve_format,
):
    """A tensor of the shape, dtype and order in memory of ``input``, filled with a number.

    >>> import minigrad
    >>> minigrad.full_like(minigrad.tensor([1., 2.]), 7)
    tensor([7., 7.])
    """
    array = array_like("full_like", input, dtype, memory_format)
    array.fill(as_number(_fill_value("full_like", fill_value), array.dtype))
    return finish(array, requires_grad, device, layout, pin_memory, input)


def warn_of_copy(data, function):
    """Warn where a tensor is copied by a function that is meant for other data."""
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            f"sourceTensor.detach().clone().requires_grad_(True), rather than {function}(sourceTensor).",
            stacklevel=3,
        )


def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A new tensor holding a copy of ``data``, of this tensor's dtype unless ``dtype`` says otherwise.

    >>> import minigrad
    >>> minigrad.ones(2).new_tensor([1, 2])
    tensor([1., 2.])
    """
    warn_of_copy(data, "tensor.new_tensor")
    array = copied(data, "new_tensor", dtype, like=self.dtype)
    return finish(array, requires_grad, device, layout, pin_memory, self)


def _new(name, make, self, size, named, dtype, device, requires_grad, layout, pin_memory):
    target = self._array.dtype if dtype is None else known(name, dtype).np
    array = make(sizes(name, size_or_named(name, size, named)), target)
    return finish(array, requires_grad, device, layout, pin_memory, self)


def new_zeros(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, **named):
    """Zeros of a size, of this tensor's dtype unless ``dtype`` says otherwise."""
    return _new("new_zeros", np.zeros, self, size, named, dtype, device, requires_grad, layout, pin_memory)


def new_ones(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, **named):
    """Ones of a size, of this tensor's dtype unless ``dtype`` says otherwise."""
    return _new("new_ones", _ones, self, size, named, dtype, device, requires_grad, layout, pin_memory)


def new_empty(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, **named):
    """A tensor of a size, of this tensor's dtype unless ``dtype`` says otherwise, its elements yet to be written."""
    return _new("new_empty", np.empty, self, size, named, dtype, device, requires_grad, layout, pin_memory)


def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor of a size filled with a number, of this tensor's dtype unless ``dtype`` says otherwise."""
    fill_value = _fill_value("new_full", fill_value)
    return full(
        size, fill_value, dtype=self.dtype if dtype is None else dtype, device=device, requires_grad=requires_grad,
        layout=layout, pin_memory=pin_memory,
    )


def new_empty_strided(self, size, stride, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor as ``empty_strided``, of this tensor's dtype unless ``dtype`` says otherwise."""
    array = strided(tuple(size), tuple(stride), self._array.dtype if dtype is None else known("new_empty_strided", dtype).np)
    return finish(array, requires_grad, device, layout, pin_memory, self)
