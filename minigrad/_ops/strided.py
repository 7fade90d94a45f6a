"""Views of a storage by sizes and strides: ``as_strided``, ``resize_``, and where views lie when they are replayed."""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.memory_layout import address, contiguous_strides, offset_in, owner_of
from .._arrays.unresolved import seen_as, stored
from .._arrays.view_chain import positions, steps_of
from .._base import settings
from .._base.composites import composite
from .._base.device import channels_last, channels_last_3d, contiguous_format, preserve_format
from .._base.device import memory_format as format_class
from .._base.errors import shape_text, too_large, type_name
from .._core.families import Linear, Piece, ViewOp, op
from .._core.families import view as view_op
from .._core.inplace import laid_out, view_
from .._core.tensor import bump, is_blank, of_array
from .._core.views import View
from .index_slices import index_add
from .join import stack
from .parts import SelectBackward0, SliceBackward0
from .resizing import resize
from .sharing import references
from .sizes import as_int, ints, refuse_long, sizes_of
from .storage_classes import UntypedStorage

__all__ = ["as_strided", "resize_as_"]
METHODS = "as_strided as_strided_ resize_ resize_as_"


class AsStridedBackward0(ViewOp):
    """z = the memory under x, read with another size, strides and offset from x's first element.

    The gradient is laid out in such memory, and read as x lies there; elements of x that share memory share it evenly.
    """
    repeats = True
    def batch(call, xs, batched, params, size):
        (x,), (sizes, stride, offset, _) = xs, params
        check_within_sample(x, sizes, stride, offset)
        return call(x, (size, *sizes), (x.stride(0), *stride), offset, x.stride())
    def forward(x, size, stride, storage_offset, own_stride):
        item = x.itemsize
        return arrays.strided(x, size, tuple([s * item for s in stride]), storage_offset * item)
    def vjp(xp, g, shape, size, stride, storage_offset, own_stride):
        return xp.restrided(g, (size, stride, storage_offset), (shape, own_stride, 0), (shape, own_stride, 0))
_as_strided = view_op(AsStridedBackward0)


def check_within_sample(x, size, stride, offset):
    """Raise RuntimeError unless what is asked of each sample of ``x`` lies in the memory that this sample spans."""
    if 0 in size:
        return
    begin = x.storage_offset()
    first = begin + offset
    where = f"result = tensor.as_strided({shape_text(size)}, {shape_text(stride)}, {first}) can access memory outside of `tensor`. "
    advice = "This is not supported inside of vmap, please try to rewrite the `as_strided` call as a sequence of PyTorch view operations"
    if 0 in x.shape[1:]:
        raise RuntimeError(
            f"{where}`tensor` has no storage but the passed-in (size, stride, storage_offset) imply a result with some storage. {advice}"
        )
    end = begin + 1 + sum((n - 1) * s for n, s in zip(x.shape[1:], x.stride()[1:]))
    last = first + 1 + sum((n - 1) * s for n, s in zip(size, stride))
    if first < begin or last > end:
        raise RuntimeError(
            f"{where}`result` can access some memory in range [{first}, {last}], but `tensor` can only access some memory in range "
            f"[{begin}, {end}]. {advice}"
        )


class Restrided(Linear):
    """z = x, laid out in memory as ``source`` says, read as ``target`` says; see ``arrays.restrided``."""
    public = "restrided"
    def batch(call, xs, batched, params, size):
        ends = [offset + sum([(n - 1) * s for n, s in zip(sizes, stride)]) for sizes, stride, offset in params]
        span = 1 + max(ends) - min([offset for _, _, offset in params])  # what one sample takes up
        return call(xs[0], *[((size, *sizes), (span, *stride), offset) for sizes, stride, offset in params])
    forward = arrays.restrided
    def name(self): return "AsStridedBackward0"
    def vjp(xp, g, source, target, shared): return xp.restrided(g, target, source, shared)
restrided = op(Restrided)


def as_strided(input, size, stride, storage_offset=None):
    """Return a view of the storage under ``input`` with the given ``size``, ``stride`` and offset (default: that of ``input``), in elements.

    Raises RuntimeError if the view would exceed the storage, or for negative strides.

    >>> import minigrad
    >>> minigrad.as_strided(minigrad.arange(6), (2, 3), (1, 2))
    tensor([[0, 2, 4],
            [1, 3, 5]])
    """
    return _as_strided(input, *strided_arguments(input, size, stride, storage_offset))


def strided_arguments(input, size, stride, storage_offset):
    """The parameters of ``AsStridedBackward0``: size, stride, offset from the first element, the strides of ``input``."""
    size, stride = ints("as_strided", "size", size), ints("as_strided", "stride", stride)
    if storage_offset is not None:
        storage_offset = as_int(storage_offset, "as_strided", "storage_offset", 4)
    elif not input._array.size:
        storage_offset = offset_of_empty(input)
    check_strided(input, size, stride, storage_offset)
    # relative to where the array begins, which for an empty view need not be where the view does
    offset = 0 if storage_offset is None else storage_offset - offset_in(input._array)
    return size, stride, offset, input.stride()


def offset_of_empty(input):
    """Where a tensor without elements begins in its storage: NumPy leaves an empty slice at the address of what was sliced."""
    view = input._node
    if view.__class__ is not View:
        return offset_in(input._array)
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
    return offset_in(input._array) + bytes_left // x.itemsize


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


class AsStridedBackward1(AsStridedBackward0):
    """In-place version of ``AsStridedBackward0``."""
_as_strided_ = view_(AsStridedBackward1)


def as_strided_(input, size, stride, storage_offset=None):
    """In-place version of ``as_strided``; returns the tensor.

    >>> import minigrad
    >>> minigrad.arange(4).as_strided_((2, 2), (1, 1))
    tensor([[0, 1],
            [1, 2]])
    """
    return _as_strided_(input, *strided_arguments(input, size, stride, storage_offset))


#: The dimensions that a tensor of a format must have.
_RANKS = {channels_last: 4, channels_last_3d: 5}


def _strides_in(memory_format, size):
    """The strides, in elements, of a tensor of a format: those of ``channels_last`` are of images whose channels lie side by side."""
    if memory_format is contiguous_format:
        return contiguous_strides(size)
    n, channels, *space = size
    first, *others = contiguous_strides((n, *space, channels))
    return first, others[-1], *others[:-1]


@composite
def resize_(input, *sizes, size=None, memory_format=contiguous_format):
    """Give the tensor another size, with its elements in index order; return the tensor.

    Elements stay where they are in the storage, which grows if it is too small; new elements are uninitialised. With
    ``memory_format=channels_last`` they are laid out in that format. Raises RuntimeError for a tensor that requires grad, or if a storage
    has to grow while a NumPy array refers to it.

    >>> import minigrad
    >>> minigrad.arange(6).resize_(2, 2)
    tensor([[0, 1],
            [2, 3]])
    """
    if input.requires_grad:
        raise RuntimeError("cannot resize variables that require grad")
    size = sizes_of("resize_", "size", sizes, size)
    refuse_long("resize_", "size", size)
    if memory_format is None:
        memory_format = contiguous_format
    if not isinstance(memory_format, format_class):
        raise TypeError(f"resize_(): argument 'memory_format' must be torch.memory_format, not {type_name(memory_format)}")
    if memory_format is preserve_format:
        raise RuntimeError("Unsupported memory formatPreserve")
    rank = _RANKS.get(memory_format, len(size))
    if rank != len(size):
        raise RuntimeError(f"required rank {rank} tensor to use {str(memory_format).rpartition('.')[2]} format")
    if min(size, default=0) < 0:
        raise RuntimeError(f"requested resize to {shape_text(size)}: sizes must not be negative")
    if size != input._array.shape or memory_format is not contiguous_format:
        if not is_blank(input._array):
            try:
                make_room(input, math.prod(size))
            except (MemoryError, ValueError) as error:
                raise too_large(error, size) from None
        x = input._array
        item = x.itemsize
        strides = tuple([s * item for s in _strides_in(memory_format, size)])
        if not is_blank(x):
            z = arrays.strided(x, size, strides)
        elif math.prod(size) <= owner_of(x).nbytes // item - input.storage_offset():
            z = seen_as(x, x.looking(size, strides))
        else:
            z = seen_as(x, type(stored(x))(size, x.dtype))
        aliased = not input._storage.shared
        bump(input)
        if aliased:
            laid_out(input, x)
        input._array = z
    return input


def make_room(input, count):
    """Let the storage under ``input`` have room for ``count`` elements from the tensor's first on."""
    dtype = input._array.dtype
    room = owner_of(input._array).nbytes // dtype.itemsize - input.storage_offset()
    if count <= room or not count:
        return
    own = input._array.__class__ is np.ndarray and input._storage.shared
    if own and input._array.flags.owndata and input._array.flags.c_contiguous and references([input._array]) == 1:
        z = settings.uninitialized((count,), dtype)  # nobody else looks at it: 10 us less than the general way
        z[:room] = input._array.reshape(-1)
        input._array = z
        return
    storage = UntypedStorage.of(input._array)
    offset = input.storage_offset() * dtype.itemsize
    resize(storage, offset + count * dtype.itemsize, input)
    z = np.ndarray((count,), dtype, storage._owner, offset)
    z[room:] = settings.uninitialized((count - max(room, 0),), dtype)


@composite
def resize_as_(input, the_template, *, memory_format=contiguous_format):
    """Give the tensor the size of another, as ``resize_`` does.

    >>> import minigrad
    >>> minigrad.resize_as_(minigrad.arange(4), minigrad.ones(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    if memory_format is None:
        memory_format = contiguous_format
    if memory_format is preserve_format:
        shown = [f for f, rank in _RANKS.items() if the_template._array.ndim == rank and the_template.is_contiguous(memory_format=f)]
        memory_format = shown[0] if shown and not the_template.is_contiguous() else contiguous_format
    return resize_(input, tuple(the_template._array.shape), memory_format=memory_format)


class Place(Linear):
    """z = zeros like a base, with x where a chain of views leads: what ``xp.place`` is on Tensors (see ``views.py``)."""
    forward = arrays.place
    def name(self):        return "AsStridedBackward0"  # PyTorch takes such a view of the zeros' memory
    def vjp(xp, g, chain, template): return xp.look(xp.laid_out(g, template), chain)
    def batch(call, xs, batched, params, size):
        chain, template = params
        if any(cls.retypes for cls, _ in steps_of(chain)):
            return stack([call(x, *params) for x in xs[0].unbind(0)])
        zeros = of_array(np.zeros((size, math.prod(template.shape)), xs[0]._array.dtype))
        places = of_array(positions(chain, template).reshape(-1))
        return index_add(zeros, 1, places, xs[0].reshape(size, places.shape[0])).reshape(size, *template.shape)
place = op(Place)
