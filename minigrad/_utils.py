"""How tensors are pickled, and the functions that their pickles name: in PyTorch's files ``torch._utils._rebuild_tensor_v2`` and so on.

Names and arguments of these functions are part of the format of files and of plain pickles.  They trust nothing: sizes, strides and
offsets are checked against the storage that they are to be laid over.

What else libraries import from ``torch._utils`` is fetched from where it is (``_later``).
"""

import operator
import threading
from collections import OrderedDict

import numpy as np

from ._arrays.memory_layout import address, contiguous_strides
from ._arrays.unresolved import marked, marks_of, stored
from ._base.carried_errors import ExceptionWrapper as ExceptionWrapper
from ._base.carried_errors import KeyErrorMessage as KeyErrorMessage
from ._base.dtypes import is_complex_type
from ._base.lazy import fetch, places
from ._base.publishing import publish
from ._core import late
from ._core.storage import note_repeats
from ._core.tensor import Tensor, as_class, bump, wrap
from ._core.wrapped import wrap_layer
from ._ops.copying import warn_if_has_hooks
from ._ops.create import empty_strided
from ._ops.parameter import Parameter
from ._ops.storage_classes import CLASS_NAMES, TypedStorage, UntypedStorage, _Storage


def tensor_reduce(self, proto):
    """How ``pickle`` keeps a tensor: as a leaf over its storage, which it goes on sharing with others, without its gradient."""
    rebuild, args = reduction(self, type(self))
    if rebuild is _rebuild_from_type_v2 and args[1] is Tensor:
        args = (
            args[0],
            None,
            *args[2:],
        )  # the class calls itself torch.Tensor at times: a pickle need not name it
    return rebuild, args


def reduction(tensor, cls):
    """What rebuilds ``tensor`` as an instance of ``cls``: a function and its arguments, among them a storage."""
    warn_if_has_hooks(tensor)
    state = attributes(tensor)
    if issubclass(cls, Parameter):
        rebuild, args = _rebuild_parameter, (tensor.data, tensor.requires_grad, OrderedDict())
    else:
        rebuild, args = _reduction_of_values(tensor)
    if cls in (Tensor, Parameter) and not state:
        return rebuild, args
    if cls is Parameter:
        return _rebuild_parameter_with_state, (*args, state)
    return _rebuild_from_type_v2, (rebuild, cls, args, state)


def _reduction_of_values(tensor):
    bits, array = tensor._array, stored(tensor._array)
    kind, stride = tensor.dtype, tensor.stride()
    memory, offset = _place(array)
    if offset is None:  # the format cannot say how the array lies in its memory
        array = np.array(array, kind.np, order="C")
        memory, offset = _place(array)
        stride = contiguous_strides(array.shape)
    args = (offset, tuple(array.shape), tuple(stride), tensor.requires_grad, OrderedDict())
    marks = marks_of(bits)
    metadata = (marks,) if marks else ()
    if kind in CLASS_NAMES:
        return _rebuild_tensor_v2, (TypedStorage(wrap_storage=memory, dtype=kind), *args, *metadata)
    return _rebuild_tensor_v3, (memory, *args, kind, *metadata)


def _place(array):
    """The storage under ``array``, and where in it, in elements, the array begins.

    None instead of the latter if it, or a stride, is no whole number of elements, or if a stride is negative.
    """
    memory = UntypedStorage.of(array)
    if not array.size:
        return memory, 0
    offset, rest = divmod(address(array) - address(memory._elements), array.itemsize)
    plain = not rest and all(step >= 0 and not step % array.itemsize for step in array.strides)
    return memory, offset if plain else None


tensor_reduce.__name__ = tensor_reduce.__qualname__ = "__reduce_ex__"


def _rebuild_tensor(storage, storage_offset, size, stride):
    """A tensor over ``storage``, which it shares; the dtype is the storage's."""
    return lay_over(storage, storage.dtype, storage_offset, size, stride)


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    """As ``_rebuild_tensor``; hooks are never restored; ``metadata`` says if it is the conjugate or the negative of
    what is in memory.
    """
    return _finish(_rebuild_tensor(storage, storage_offset, size, stride), requires_grad, metadata)


def _rebuild_tensor_v3(
    storage, storage_offset, size, stride, requires_grad, backward_hooks, dtype, metadata=None
):
    """Like ``_rebuild_tensor_v2``, for a dtype that has no storage class of its own."""
    return _finish(lay_over(storage, dtype, storage_offset, size, stride), requires_grad, metadata)


def _rebuild_parameter(data, requires_grad, backward_hooks):
    """A ``Parameter`` over ``data``."""
    return Parameter(data, requires_grad)


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    """A ``Parameter`` over ``data`` with the attributes that a user had set on it."""
    return set_attributes(Parameter(data, requires_grad), state)


def _rebuild_from_type_v2(func, new_type, args, state):
    """The tensor ``func(*args)`` as an instance of ``new_type`` (None: of Tensor), with the attributes that a user had set on it."""
    new_type = new_type or Tensor
    tensor = _as_type(func(*args), new_type)
    if getattr(new_type, "__setstate__", None) is not getattr(Tensor, "__setstate__", None):
        tensor.__setstate__(state)
        return tensor
    return set_attributes(tensor, state)


def _rebuild_from_type(func, new_type, args, state):
    """``_rebuild_from_type_v2`` as files of PyTorch 1.8 to 1.10 have it."""
    return set_attributes(_as_type(func(*args), new_type), state)


def _as_type(tensor, cls):
    if type(tensor) is cls:
        return tensor
    return _finish(as_class(wrap(tensor._array), cls), tensor.requires_grad, None)


def _rebuild_device_tensor_from_numpy(data, dtype, device, requires_grad):
    """A tensor that was on an accelerator without storages and was saved as an ndarray."""
    return _finish(wrap(data.astype(dtype.np, copy=False)), requires_grad, None)


_rebuild_xla_tensor = _rebuild_device_tensor_from_numpy


def _rebuild_device_tensor_from_cpu_tensor(data, dtype, device, requires_grad):
    """A tensor that was on an accelerator without storages and was saved from a copy on the CPU."""
    return _rebuild_device_tensor_from_numpy(data._array, dtype, device, requires_grad)


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad):
    """A tensor on ``meta``: a dtype, a size and strides."""
    return _finish(empty_strided(size, stride, dtype=dtype, device="meta"), requires_grad, None)


def _refuse(kind):
    def rebuild(*args):
        raise RuntimeError(f"the file holds a {kind} tensor, which minigrad does not support")

    rebuild.__doc__ = f"Raise RuntimeError: there are no {kind} tensors."
    return rebuild


class Unread(threading.local):
    """The sparse tensors of a file whose elements come last, which are to be checked once these have been read; None while no such file is read."""

    tensors: list[Tensor] | None = None


unread = Unread()


def _rebuild_sparse_tensor(layout, data):
    """A sparse tensor of its indices, values and size; for coordinates, whether they are coalesced as well.  The indices are checked."""
    if unread.tensors is None:
        return late.sparse().rebuild(layout, data)
    found = late.sparse().rebuild(layout, data, check=False)
    unread.tensors.append(found)
    return found


_rebuild_qtensor = _refuse("quantized")
_rebuild_nested_tensor = _refuse("nested")
_rebuild_wrapper_subclass = _refuse("wrapper subclass")


def lay_over(storage, dtype, offset, size, stride):
    """A tensor of ``dtype`` over ``storage``; ``offset`` and ``stride`` count elements.

    Raises RuntimeError if an element would lie outside the storage.
    """
    if not isinstance(storage, _Storage):
        raise RuntimeError(
            f"a tensor needs a storage, but the file has a {type(storage).__name__} in its place"
        )
    try:
        offset, size, stride = (
            operator.index(offset),
            tuple(map(operator.index, size)),
            tuple(map(operator.index, stride)),
        )
    except TypeError as error:
        raise RuntimeError(f"a tensor's offset, sizes and strides must be integers: {error}") from None
    memory, item = storage._untyped_storage._elements, dtype.itemsize
    if len(size) != len(stride):
        raise RuntimeError(
            f"mismatch in length of strides and shape: strides {list(stride)}, sizes {list(size)}"
        )
    if any(n < 0 for n in size) or offset < 0:
        raise RuntimeError(
            f"Trying to create tensor with negative dimension or offset: {list(size)} at {offset}"
        )
    if any(step < 0 for step in stride):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides: " + str(list(stride))
        )
    if 0 in size:
        return wrap_layer(
            np.empty(size, dtype.np)
            if isinstance(memory, np.ndarray)
            else memory.looking(size, size, 0, dtype.np)
        )
    needed = (offset + 1 + sum((n - 1) * step for n, step in zip(size, stride))) * item
    if needed > len(memory):
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {item} "
            f"requiring a storage size of {needed} are out of bounds for storage of size {len(memory)}"
        )
    if not isinstance(memory, np.ndarray):
        return wrap_layer(
            memory.looking(size, tuple([step * item for step in stride]), offset * item, dtype.np)
        )
    try:
        return wrap(np.ndarray(size, dtype.np, memory, offset * item, tuple(step * item for step in stride)))
    except (ValueError, OverflowError) as error:  # more dimensions or elements than NumPy can count
        raise RuntimeError(f"cannot make a tensor of sizes {list(size)}: {error}") from None


def _finish(tensor, requires_grad, metadata):
    if metadata:
        if metadata.get("conj") and not is_complex_type(tensor._array.dtype):
            raise RuntimeError(
                f"a tensor of {tensor.dtype} cannot be the conjugate of what is in its storage"
            )
        tensor._array = marked(tensor._array, metadata)
    bump(tensor)  # PyTorch sets an empty tensor to the memory
    note_repeats(tensor)
    if requires_grad:
        tensor.requires_grad = True
    return tensor


def attributes(tensor):
    """What a user has set on a tensor, as ``pickle`` wants it: a dict, or a dict and the slots of a subclass."""
    cls = type(tensor)
    getstate = getattr(cls, "__getstate__", None)
    if getstate is not None and getstate is not getattr(object, "__getstate__", None):
        return tensor.__getstate__()
    own = {key: value for key, value in tensor.__dict__.items() if not _internal(key)}
    slots = {}
    for base in cls.__mro__[: cls.__mro__.index(Tensor)]:
        names = base.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if hasattr(tensor, name):
                slots[name] = getattr(tensor, name)
    return (own, slots) if slots else own


def set_attributes(tensor, state):
    """Put back what ``attributes`` took; returns the tensor."""
    if isinstance(state, tuple) and len(state) != 2:
        raise RuntimeError(f"Invalid serialized state: {state}")
    own, slots = state if isinstance(state, tuple) else (state, None)
    tensor.__dict__.update((key, value) for key, value in (own or {}).items() if not _internal(key))
    for key, value in (slots or {}).items():
        if not hasattr(Tensor, key):
            setattr(tensor, key, value)
    return tensor


def _internal(key):
    return key.startswith("_") and hasattr(Tensor, key)


def set_state(tensor, state):
    """What ``pickle`` calls BUILD on a tensor: files up to PyTorch 0.3 keep part of a tensor there.

    ``state`` is (storage, offset, size, stride), (data, grad, hooks, requires_grad, volatile) or
    (requires_grad, volatile, hooks).
    """
    if not tensor.is_leaf:
        raise RuntimeError("__setstate__ can be only called on leaf Tensors")
    if len(state) == 4:
        tensor.data = _rebuild_tensor(*state)
        return
    if len(state) == 5:
        tensor.data = state[0]
        state = (state[3], state[4], state[2])
    requires_grad, _, _ = state
    tensor.requires_grad = bool(requires_grad)


set_state.__name__ = set_state.__qualname__ = "__setstate__"

publish("minigrad._tensor", _rebuild_from_type, _rebuild_from_type_v2)

_later = places(
    {
        "_base.device_index": (
            "_get_all_device_indices=get_all_device_indices _get_available_device_type=get_available_device_type "
            "_get_current_device_index=get_available_device_type _get_device_index=get_device_index "
            "_get_device_module=get_device_module _get_devices_properties=get_devices_properties get_current_device_index"
        ),
        "_base.python_helpers": (
            "CallbackRegistry _dummy_type=dummy_type _get_async_or_non_blocking=get_async_or_non_blocking "
            "_import_dotted_name=import_dotted_name classproperty cpu_count is_compiling try_import"
        ),
        "_ops.flat_tensors": (
            "_element_size=element_size _flatten_dense_tensors=flatten_dense_tensors _handle_complex=handle_complex _reorder_tensors_as=reorder_tensors_as "
            "_take_tensors=take_tensors _unflatten_dense_tensors=unflatten_dense_tensors"
        ),
    }
)


def __getattr__(name):
    return fetch(name, _later, globals())
