"""Making tensors from data: Python numbers and sequences, NumPy arrays, buffers, other libraries' tensors."""

import warnings

import numpy as np

from .._arrays.rounding import halved
from .._base import device as devices
from .._base import dtypes
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.deprecation import warn_once
from .._base.dtypes import dtype_name, known
from .._base.errors import type_name
from .._core.tensor import Tensor, is_blank, wrap
from .._core.wrapped import Wrapped, beneath
from .convert import as_dtype, as_number, to
from .create import finish
from .dlpack import imported, is_exported

__all__ = ["as_tensor", "asarray", "from_dlpack", "from_numpy", "frombuffer", "tensor"]
METHODS = "new_tensor"


@composite(event="lift_fresh")
def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """Make a new tensor from a copy of ``data``: a number, nested sequences of numbers, an array, or a tensor.

    Python floats get the default dtype, integers int64; arrays keep their dtype.

    >>> import minigrad
    >>> minigrad.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    warn_of_copy(data, "torch.tensor")
    levels = ()
    if isinstance(data, Wrapped):
        data, levels = beneath(data)
    if isinstance(data, Tensor) and data._is_sparse:
        found = data.detach().clone().to(data.dtype if dtype is None else known("tensor", dtype))
        return found.requires_grad_(requires_grad)
    if device is None and isinstance(data, Tensor) and data.is_meta:
        device = devices.META
    return finish(copied(data, "tensor", dtype), requires_grad, device, None, pin_memory, None, levels)


def copied(data, name, dtype=None, like=None):
    """A new array holding ``data`` as ``dtype``, or as the dtype that follows from the data (or ``like``)."""
    if dtype is not None:
        dtype = known(name, dtype)
    elif like is not None and not isinstance(data, (Tensor, np.ndarray)):
        dtype = like
    if isinstance(data, Tensor):
        data = data._array
        if is_blank(data):
            return data.astype(data.dtype if dtype is None else dtype.np, "K")
    elif isinstance(data, np.ndarray):
        check_foreign(data)
    else:
        return from_python(data, dtype)
    if like is not None and dtype is None:
        dtype = like
    if dtype is not None:
        data = halved(data, dtype.np)
    return np.array(data, None if dtype is None else dtype.np, order="C" if data.ndim < 2 or 0 in data.strides else "K")


def check_foreign(array):
    """Raise unless tensors can have the dtype, byte order and direction of ``array``."""
    dtypes.from_numpy_dtype(array.dtype if array.dtype.isnative else array.dtype.newbyteorder("="))
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion between byte orders is "
            "currently not supported."
        )
    if any(stride < 0 for stride in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
            "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
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
        if isinstance(data, (str, bytes)):
            raise no_text(data)
        if isinstance(data, (bool, int, float, complex, np.generic)):
            return number_as(data, number_dtype(data) if dtype is None else dtype)
        if hasattr(data, "__dlpack__") or hasattr(data, "__array__"):
            array = imported(data) if hasattr(data, "__dlpack__") else np.asarray(data)
            check_foreign(array)
            return np.array(array) if dtype is None else np.array(halved(array, dtype.np), dtype.np)
        if not is_sequence(data):
            if dtype is not None and dtype.category >= dtypes.FLOATING and hasattr(data, "__float__"):
                return number_as(float(data), dtype)
            raise _no_number(data, dtype, False)
        data = list(data)
    kinds = set()
    data = gathered(data, kinds, dtype)
    if dtype is None:
        dtype = common_dtype(kinds)
    target = dtype.np
    if kinds <= _SIMPLE.get(dtype.category, _NONE):
        try:
            return np.array(halved(np.array(data), target) if target.char in "eV" else data, target)
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
    if isinstance(value, complex) and dtype.category != dtypes.COMPLEX and target.kind != "b":
        raise _no_number(value, dtype, False)
    if target.kind in "iu":
        if isinstance(value, int) and target.char not in "LQ" and not -(2**63) <= value < 2**63:
            raise ValueError("Overflow when unpacking long long")
        return as_number(value, target, dtype.name)
    if isinstance(value, int) and not -(2**1023) < value < 2**1023:
        raise OverflowError("int too large to convert to float")
    with np.errstate(all="ignore"):
        return halved(np.array(value), target).astype(target)


def is_sequence(value):
    """Whether ``value`` has a length and is indexed by numbers."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, dict)


def gathered(sequence, kinds, dtype=None, first=True):
    """Nested lists of numbers from ``sequence``; ``kinds`` collects their types (or dtypes, of NumPy's numbers and tensors).

    What no number can be made of is refused, in words that depend on the ``dtype`` asked for and on whether the sequence stands
    ``first`` in those around it: by the first elements the shape is found.
    """
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
            item = item if item.dtype == np.uint64 else item.item()
        elif isinstance(item, (Tensor, np.ndarray)):
            array = item._array if isinstance(item, Tensor) else item
            kinds.add(dtypes.from_numpy_dtype(array.dtype))
            if isinstance(item, Tensor) and array.size != 1:
                raise ValueError("only one element tensors can be converted to Python scalars")
            if array is item:
                warn_once(
                    "tensor of arrays",
                    "Creating a tensor from a list of numpy.ndarrays is extremely slow. Join the arrays first, by numpy.stack or "
                    "numpy.array: one array is converted at once.",
                    UserWarning,
                )
            item = array.item() if isinstance(item, Tensor) else array.tolist()
        elif isinstance(item, (bool, int, float, complex)):
            kinds.add(next(kind for kind in (bool, int, float, complex) if isinstance(item, kind)))
        elif isinstance(item, (list, tuple)):
            item = gathered(item, kinds, dtype, first and not out)
        elif is_sequence(item) and not isinstance(item, str):
            if dtype is None and isinstance(item, bytes):
                raise no_text(item)
            item = gathered(list(item), kinds, dtype, first and not out)
        elif dtype is not None and dtype.category >= dtypes.FLOATING and hasattr(item, "__float__"):
            kinds.add(float)
            item = float(item)
        else:
            raise _no_number(item, dtype, first and not out)
        out.append(item)
    return out


_NUMBERS = {bool, int, float, complex}


def no_text(data):
    """The error about a text in the place of numbers."""
    return TypeError(f"new(): invalid data type '{type_name(data)}'")


def _no_number(item, dtype, first):
    """The error about an element of a sequence, or all there is (which is not ``first``), that is not a number."""
    text = isinstance(item, str)
    if text and first:
        return ValueError("too many dimensions 'str'")
    if dtype is None:
        return no_text(item) if text else RuntimeError(f"Could not infer dtype of {type_name(item)}")
    if dtype.category <= dtypes.INTEGER:
        return TypeError(f"'{type_name(item)}' object cannot be interpreted as an integer")
    return TypeError(f"must be real number, not {type_name(item)}")


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


@composite(event="lift_fresh")
def from_numpy(ndarray):
    """Make a tensor that shares an array's memory.

    Raises TypeError for a dtype that tensors do not have, ValueError for negative strides or foreign byte order.

    >>> import minigrad, numpy
    >>> minigrad.from_numpy(numpy.arange(3))
    tensor([0, 1, 2])
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_text(ndarray)})")
    check_foreign(ndarray)
    if not ndarray.flags.writeable:
        warn_once(
            "array without write access",
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. Writing to the tensor raises "
            "an error here: copy the array if you want to.",
            UserWarning,
        )
    found = dtypes.from_numpy_dtype(ndarray.dtype)
    array = ndarray.view(np.ndarray)
    return wrap(array if array.dtype is found.np else array.view(found.np))


def type_text(value):
    """The type of a value with its module, as PyTorch names it in messages."""
    cls = type(value)
    return cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__name__}"


@composite(event="lift_fresh")
def as_tensor(data, dtype=None, device=None):
    """Convert ``data`` to a tensor: itself or sharing memory where possible, else a copy; gradient history is kept.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.])
    >>> minigrad.as_tensor(x) is x
    True
    """
    if device is not None and not isinstance(device, devices.device | str | int | bytes):
        raise TypeError(f"as_tensor(): argument 'device' must be torch.device, not {type_name(device)}")
    found = _as_tensor(data, dtype)
    return found if device is None else to(found, device)


def _as_tensor(data, dtype):
    if dtype is not None:
        dtype = known("as_tensor", dtype)
    if isinstance(data, Tensor):
        return data if dtype is None else as_dtype(data, dtype)
    if isinstance(data, np.ndarray):
        out = from_numpy(data)
    elif hasattr(data, "__dlpack__"):
        out = wrap(imported(data))
    else:
        return wrap(copied(data, "as_tensor", dtype))
    return out if dtype is None else as_dtype(out, dtype)


@composite(event=None)
def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    """Convert ``obj`` to a tensor: a copy if ``copy`` is true, never one if ``copy`` is False, else only if needed.

    Shape and dtype are those of ``obj``, unless ``dtype`` is given. Raises ValueError if ``copy=False`` is impossible.

    >>> import minigrad
    >>> minigrad.asarray([1, 2])
    tensor([1, 2])
    """
    if device is not None and devices.is_meta(device):
        found = to(_asarray(obj, dtype, None if copy else copy, False), device)
        return found.detach().requires_grad_() if requires_grad else found
    return _asarray(obj, dtype, copy, requires_grad)


def _asarray(obj, dtype, copy, requires_grad):
    if dtype is not None:
        dtype = known("asarray", dtype)
    foreign = not isinstance(obj, (Tensor, np.ndarray, bool, int, float, complex, list, tuple, str, np.generic))
    exported = foreign and is_exported(obj)
    if exported or isinstance(obj, (Tensor, np.ndarray)) or (foreign and _is_buffer(obj)):
        if exported:
            obj = imported(obj)
        elif foreign:
            obj = np.frombuffer(obj, np.uint8 if dtype is None else dtype.np)
        out = obj if isinstance(obj, Tensor) else wrap(obj) if exported else from_numpy(obj)
        if dtype is not None and dtype is not out.dtype and copy is False:
            raise ValueError(
                f"can't alias tensor with dtype '{dtype_name(out)}' into dtype "
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


@composite(event=None)
def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """Make a 1-dim tensor over the memory of an object with Python's buffer interface.

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
    if memoryview(buffer).readonly:
        warn_once(
            "buffer without write access",
            "The given buffer is not writable, and PyTorch does not support non-writable tensors. Writing to the tensor raises an error here: copy the "
            "buffer, for example into a bytearray, if you want to.",
            UserWarning,
        )
    return finish(np.frombuffer(buffer, target, count, offset), requires_grad)


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """Make a tensor over the memory of a CPU tensor or array with ``__dlpack__``, or of a capsule; copy it if ``copy``.

    Shape and dtype are those of the memory. Raises RuntimeError for a capsule that was consumed before, BufferError for memory that
    tensors cannot represent, AssertionError for other devices.

    >>> import minigrad, numpy
    >>> minigrad.from_dlpack(numpy.ones(2))
    tensor([1., 1.], dtype=torch.float64)
    """
    return wrap(imported(ext_tensor, device, copy))


def warn_of_copy(data, function):
    """Warn where a tensor is copied by a function that is meant for other data."""
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            f"sourceTensor.detach().clone().requires_grad_(True), rather than {function}(sourceTensor).",
            stacklevel=level_of_user(),
        )


@composite(event="lift_fresh")
def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """Make a new tensor from a copy of ``data``, of this tensor's dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.ones(2).new_tensor([1, 2])
    tensor([1., 2.])
    """
    warn_of_copy(data, "tensor.new_tensor")
    levels = ()
    if isinstance(data, Wrapped):
        data, levels = beneath(data)
    if device is None and self.is_meta:
        device = devices.META
    array = copied(data, "new_tensor", dtype, like=self.dtype)
    return finish(array, requires_grad, device, layout, pin_memory, None if isinstance(self, Wrapped) else self, levels)
