"""Tensors and the memory under them: the storage of a tensor, tensors that look at another memory, elements by a Python function."""

import itertools
import warnings
from collections.abc import Iterable

import numpy as np

from .._arrays.memory_layout import address, contiguous_strides, owner_of, strides_of
from .._arrays.unresolved import same_bits, seen_as, stored
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.dtypes import c_name, dtype_name, legacy_type_name
from .._base.errors import not_a_tensor, shape_text, type_name
from .._base.settings import is_warn_always_enabled
from .._core import late
from .._core.families import Op, record
from .._core.inplace import check_writable, rebase
from .._core.modes import thread_state
from .._core.node import AccumulateGrad
from .._core.storage import note_repeats, own_storage
from .._core.tensor import Tensor, bump, is_blank
from .._core.wrapped import Wrapped
from .resizing import resize
from .storage_classes import CLASS_NAMES, LEGACY, TypedStorage, UntypedStorage
from .undifferentiable import undifferentiable

__all__ = ["is_storage"]
METHODS = (
    "apply_ is_set_to is_shared map_ map2_ set_ share_memory_ storage storage_type untyped_storage _typed_storage=typed_storage"
)


def is_storage(obj, /):
    """Return whether ``obj`` is a storage: the memory under a tensor.

    >>> import minigrad
    >>> minigrad.is_storage(minigrad.ones(2).untyped_storage()), minigrad.is_storage(minigrad.ones(2))
    (True, False)
    """
    return isinstance(obj, (TypedStorage, UntypedStorage))


def untyped_storage(input):
    """Return the memory that the tensor and its views share, as bytes.

    >>> import minigrad
    >>> minigrad.ones(3)[1:].untyped_storage().nbytes()
    12
    """
    if thread_state.capturing is not None:
        thread_state.capturing.program.leak("a storage, through which elements can be read, was asked for")
    return UntypedStorage.of(input._array)


def typed_storage(input):
    """The memory that the tensor and its views share, as elements of the tensor's dtype."""
    return TypedStorage(wrap_storage=untyped_storage(input), dtype=input.dtype)


def storage(input):
    """Return the tensor's storage as a ``TypedStorage``, with a warning: such storages are deprecated.

    >>> import minigrad
    >>> minigrad.ones(2).storage().size()
    2
    """
    _warn_of_typed_storage()
    return typed_storage(input)


def storage_type(input):
    """Return the class of the tensor's typed storage, such as ``FloatStorage``.

    >>> import minigrad
    >>> minigrad.ones(2).storage_type().__name__
    'FloatStorage'
    """
    _warn_of_typed_storage()
    return LEGACY.get(CLASS_NAMES.get(input.dtype))


_warned = False


def _warn_of_typed_storage():
    global _warned
    if _warned and not is_warn_always_enabled():
        return
    _warned = True
    warnings.warn(
        "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. "
        "It matters only to code that works on storages: tensor.untyped_storage() gives the bytes, where tensor.storage() "
        "gives elements.",
        stacklevel=level_of_user(),
    )


def is_shared(self):
    """Return whether the tensor's memory is shared between processes, or a file mapped into memory.

    >>> import minigrad
    >>> minigrad.ones(2).is_shared()
    False
    """
    from .._arrays.shared_memory import is_mapped

    return is_mapped(owner_of(self._array))


def share_memory_(self):
    """Move the tensor's storage, and with it all views of it, to memory that processes share; return the tensor.

    Shape, dtype and values are kept. Processes that receive the tensor from then on, or are forked, see each other's writes. NumPy arrays
    over the former memory do not move. Does nothing if the memory is shared already.

    >>> import minigrad
    >>> x = minigrad.ones(2)
    >>> x.share_memory_()
    tensor([1., 1.])
    >>> x.is_shared(), x[1:].is_shared()
    (True, True)
    """
    from .process_pickles import share

    share(untyped_storage(self), self)
    return self


def is_set_to(input, tensor):
    """Return whether both tensors refer to the same memory with the same shape, strides and offset.

    >>> import minigrad
    >>> x = minigrad.ones(3)
    >>> x.is_set_to(x.detach()), x.is_set_to(x[1:])
    (True, False)
    """
    if not isinstance(tensor, Tensor):
        raise not_a_tensor("is_set_to", "tensor", 1, tensor)
    x, y = input._array, tensor._array
    return (
        x.shape == y.shape and x.dtype == y.dtype and strides_of(x) == strides_of(y) and address(x) == address(y)
        and owner_of(x) is owner_of(y) and same_bits(x, y)
    )


# Another memory ------------------------------------------------------------------------------------------------------------------


class Set(Op):
    """x, which looks at the memory of y from now on; no gradient comes through."""
    operands, public = "x y", "set"
    def forward(x, y): return y
_Set = undifferentiable(Set, "set_")


@composite
def set_(input, source=None, storage_offset=None, size=None, stride=None):
    """Make the tensor refer to the memory of ``source``, a tensor or a storage, or to none; return the tensor.

    With ``storage_offset``, ``size`` and optionally ``stride`` (in elements), it refers to a part of it; a storage that is too small
    grows. The version counter is kept. Raises RuntimeError for another dtype, or if the storage cannot grow.

    >>> import minigrad
    >>> minigrad.zeros(2).set_(minigrad.arange(6.), 1, (2, 2))
    tensor([[1., 2.],
            [3., 4.]])
    """
    partly = storage_offset is not None
    known = isinstance(source, (Tensor, TypedStorage, UntypedStorage)) or (source is None and not partly)
    sized = size is None or (isinstance(size, Iterable) and (stride is None or isinstance(stride, Iterable)))
    if not known or partly is (size is None) or not sized:
        given = ", ".join(type_name(x) for x in (source, storage_offset, size, stride) if x is not None)
        raise TypeError(
            f"set_() received an invalid combination of arguments - got ({given}), but expected one of:\n * ()\n"
            " * (torch.Storage source)\n * (torch.Storage source, int storage_offset, tuple of ints size, tuple of ints stride = None)\n"
            " * (Tensor source)\n * (Tensor source, int storage_offset, tuple of ints size, tuple of ints stride = None)"
        )
    if isinstance(source, Wrapped):
        source = source._owner()
    edges = input._edge, source._edge if isinstance(source, Tensor) else None
    tracked = thread_state.recording and not thread_state.inference and edges != (None, None)
    check_writable(input, tracked)
    array = _found(input, source, storage_offset, size, stride)
    bump(input)
    own_storage(input)
    input._array = array
    note_repeats(input)
    view = input._node
    if view.__class__ is AccumulateGrad:
        view.array = array
    if tracked:
        rebase(input, record(_Set, (input, source), (), array, edges))
    return input


def _found(input, source, offset, size, stride):
    """The array over the memory of ``source`` that ``set_`` asks for."""
    dtype = input._array.dtype
    if source is None:
        return late.meta().without_elements(np.empty, 0, dtype) if input.is_meta else np.empty(0, dtype)
    if isinstance(source, Tensor):
        if source._array.dtype != dtype:
            ours, theirs = c_name(input.dtype), c_name(source.dtype)
            raise RuntimeError(f"Could not set tensor of type {theirs} to a tensor of type {ours}")
        memory = UntypedStorage.of(source._array)
        if offset is None:
            check_devices(input, memory)
            return seen_as(input._array, stored(source._array))
    else:
        memory = source._untyped_storage
        if isinstance(source, TypedStorage) and source.dtype is not input.dtype:
            raise RuntimeError(
                f"Expected a Storage of type {c_name(input.dtype)} or an UntypedStorage, but got type "
                f"{dtype_name(source)} for argument 1 'storage'"
            )
        if offset is None:
            offset, size = 0, (memory.nbytes() // dtype.itemsize,)
    size = tuple(size)
    stride = contiguous_strides(size) if stride is None else tuple(stride)
    if len(size) != len(stride):
        raise RuntimeError(f"unequal size length ({len(size)}) and stride length ({len(stride)})")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if min(size + stride, default=0) < 0:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={shape_text(size)} and strides={shape_text(stride)}")
    item, available = dtype.itemsize, memory.nbytes()
    check_devices(input, memory)
    if 0 in size:
        return np.empty(size, dtype)
    needed = (offset + 1 + sum((n - 1) * s for n, s in zip(size, stride))) * item
    # PyTorch lets a storage grow only for another layout than the tensor had
    other = size != tuple(input.shape) or stride != tuple(input.stride())
    if needed > available and other and not is_blank(memory._elements):
        resize(memory, needed)
    elif needed > available:
        raise RuntimeError(
            f"setStorage: sizes {shape_text(size)}, strides {shape_text(stride)}, storage offset {offset}, and itemsize {item} requiring "
            f"a storage size of {needed} are out of bounds for storage of size {available}"
        )
    if is_blank(memory._elements):
        return memory._elements.looking(size, tuple([s * item for s in stride]), offset * item, dtype)
    return seen_as(input._array, np.ndarray(size, dtype, memory._elements, offset * item, tuple([s * item for s in stride])))


def check_devices(input, memory):
    """Raise RuntimeError unless a tensor and a storage are both on the CPU, or both on ``meta``."""
    if is_blank(memory._elements) is not is_blank(input._array):
        raise RuntimeError(
            f"Attempted to set the storage of a tensor on device \"{input.device}\" to a storage on different device \"{memory.device}\".  This is no longer "
            "allowed; the devices must match."
        )


# Elements by a Python function -----------------------------------------------------------------------------------------------------


def apply_(input, callable):
    """Replace each element by the result of ``callable`` on it; return the tensor, whose version is not incremented.

    Raises RuntimeError for a tensor that requires grad.

    >>> import minigrad
    >>> minigrad.arange(3).apply_(lambda n: n * n)
    tensor([0, 1, 4])
    """
    return _each("apply_", input, (), callable)


def map_(input, tensor, callable):
    """Replace each element by ``callable(element, element of tensor)``, as ``apply_`` does; ``tensor`` is broadcast.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).map_(minigrad.tensor([10., 20.]), lambda a, b: a + b)
    tensor([11., 22.])
    """
    return _each("map_", input, (tensor,), callable)


def map2_(input, x, y, callable):
    """Replace each element by ``callable(element, element of x, element of y)``, as ``apply_`` does.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).map2_(minigrad.tensor([3., 4.]), minigrad.tensor([5., 6.]), lambda a, b, c: a + b * c)
    tensor([16., 26.])
    """
    return _each("map2_", input, (x, y), callable)


def _each(function, input, others, callable):
    if any(t.requires_grad for t in (input, *others)):
        raise RuntimeError(
            f"Can't call {function}() on Variable that requires grad. Use var.detach().{function}() instead."
        )
    for name, t in zip(("other",) if len(others) == 1 else ("x", "y"), others):
        if t.dtype is not input.dtype:
            wanted, got = legacy_type_name(input._array.dtype), legacy_type_name(t._array.dtype)
            raise TypeError(f"{function}: expected {wanted} for '{name}' (got {got})")
    arrays = [input._array, *(np.broadcast_to(t._array, input._array.shape) for t in others)]
    for place in itertools.product(*map(range, input._array.shape)):
        input._array[place] = callable(*[array[place].item() for array in arrays])
    return input
