"""Tensors without an array: ``Batched`` and ``Dual``, and the layers that stand in the array's place.

A layer knows shape and dtype, so that all that only asks for these works as ever; what would read the elements does not find an array, and fails
loudly rather than compute with the wrong ones.
"""

import numpy as np

from .._arrays.memory_layout import contiguous_strides
from . import late
from .levels import BatchLevel
from .modes import thread_state
from .storage import FRESH
from .tensor import Tensor, new


class Layer:
    """What a wrapped tensor has in the place of an array: the tensor it stands for, further in, and the level that it belongs to."""

    __slots__ = ("inner", "level")
    tensor = Tensor  # the class of the tensors that have such a layer
    __array_ufunc__ = None  # NumPy is not to take this for an array of objects

    def __array__(self, *args, **kwargs):
        raise RuntimeError("a tensor inside a transform has no array")

    @property
    def shape(self):
        return self.inner._array.shape

    @property
    def strides(self):
        return self.inner._array.strides

    @property
    def dtype(self):
        return self.inner._array.dtype

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        size = 1
        for n in self.shape:
            size *= n
        return size

    @property
    def itemsize(self):
        return self.inner._array.itemsize

    @property
    def nbytes(self):
        return self.size * self.itemsize

    @property
    def is_meta(self):
        return getattr(self.inner._array, "is_meta", False)

    @property
    def base(self):
        return self.inner._array

    @property
    def __array_interface__(self):
        """The address alone: NumPy is not to take this for an array."""
        return {"data": self.inner._array.__array_interface__["data"]}

    @property
    def flags(self):
        """As an array's, as far as tensors ask."""
        return self

    @property
    def c_contiguous(self):
        if self.inner._array.flags.c_contiguous:
            return True
        wanted = contiguous_strides(self.shape)
        item = self.itemsize
        return not self.size or all(
            n == 1 or have == want * item for n, have, want in zip(self.shape, self.strides, wanted)
        )

    def sample(self):
        """An array of this shape and these strides, that of the first sample: for questions about its place in memory."""
        array = self.inner._array
        while isinstance(array, Layer):
            array = array.inner._array
        if not array.size:
            return np.empty(self.shape, self.dtype)
        return np.lib.stride_tricks.as_strided(array, self.shape, self.strides)

    def transpose(self, dims):
        """The same layer around the tensor with its dimensions in another order."""
        return self.holding(self.inner.permute(dims))

    def copy(self, order="K"):
        """The same layer around a copy of the tensor."""
        return self.holding(self.inner.clone())

    def __len__(self):
        shape = self.shape
        if not shape:
            raise TypeError("len() of a 0-d tensor")
        return shape[0]


class BatchLayer(Layer):
    """A batch along axis 0 of ``inner``; or, if not ``batched``, one value for all samples."""

    __slots__ = (
        "batched",
        "given_dim",  # along which dimension the batch lay in the argument of vmap that this is
    )

    def __init__(self, inner, level, batched=True, given_dim=0):
        self.inner = inner
        self.level = level
        self.batched = batched
        self.given_dim = given_dim

    @property
    def shape(self):
        shape = self.inner._array.shape
        return shape[1:] if self.batched else shape

    @property
    def strides(self):
        strides = self.inner._array.strides
        return strides[1:] if self.batched else strides

    def transpose(self, dims):
        """The same layer around the tensor with its dimensions in another order."""
        return self.holding(self.inner.permute((0, *[d + 1 for d in dims]) if self.batched else dims))

    def holding(self, inner):
        """The same layer around another tensor."""
        return BatchLayer(inner, self.level, self.batched)

    def item(self):
        """Raises RuntimeError: there are as many numbers as samples."""
        if not self.batched:
            return self.inner.item()
        self.check_alone()
        raise RuntimeError(
            "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a "
            "Tensor: there is one element for each sample, so compute with the tensor itself instead."
        )

    tolist = item

    def check_alone(self):
        """Raise RuntimeError if an element is asked for inside another transform, further in: PyTorch cannot tell there what asked."""
        if any(
            level.__class__ is not BatchLevel and not level.is_forward_ad
            for level in thread_state.levels[self.level.number :]
        ):
            raise RuntimeError(
                "vmap: It looks like you're either (1) calling .item() on a Tensor or (2) attempting to use a Tensor in "
                "some data-dependent control flow or (3) encountering this error in PyTorch internals. For (1): compute "
                "with the tensor itself, which has one element for each sample. For (2): choose with torch.where."
            )


class DualLayer(Layer):
    """A value and its tangent: a tensor like ``inner``, or None for zero."""

    __slots__ = ("tangent", "__weakref__")

    def __init__(self, inner, level, tangent):
        self.inner = inner
        self.level = level
        self.tangent = tangent
        if level.layers is not None:
            level.layers.add(self)

    def holding(self, inner):
        """The same layer around another tensor."""
        return DualLayer(inner, self.level, self.tangent)

    def copy(self, order="K"):
        """The same layer around copies of the value and of its tangent."""
        return DualLayer(
            self.inner.clone(), self.level, None if self.tangent is None else self.tangent.clone()
        )

    def item(self):
        """The value's only element."""
        return self.inner.item()

    def tolist(self):
        """The value's elements."""
        return self.inner.tolist()


class Wrapped(Tensor):
    """A tensor without an array."""

    __slots__ = ()
    _wrapped = True
    _inference = False
    _results = Tensor

    def detach(self):
        """The same value without history on any level, and without a tangent."""
        layer = self._array
        inner = layer.inner.detach()
        return wrap_layer(layer.holding(inner)) if layer.__class__ is BatchLayer else inner

    def _owner(self, error=None):
        """The tensor whose memory counts as this one's: the value, in ``forward_ad``; raises ``error`` inside other transforms."""
        layer = self._array
        if layer.level.is_forward_ad:
            return layer.inner
        raise error or NotImplementedError(f"Cannot access storage of {self._implementation}")

    def untyped_storage(self):
        """The value's storage; raises NotImplementedError inside transforms of functions."""
        return self._owner().untyped_storage()

    def storage(self):
        """Like ``untyped_storage``, of the tensor's dtype."""
        return self._owner().storage()

    def _typed_storage(self):
        return self._owner()._typed_storage()

    def is_shared(self):
        """Whether the value's memory is shared; raises NotImplementedError inside transforms of functions."""
        return self._owner().is_shared()

    def is_pinned(self, device=None):
        """False; raises RuntimeError for a batch."""
        return one_value(self, no_fallback("is_pinned")).is_pinned()

    def is_set_to(self, tensor):
        """As of the value; raises RuntimeError for a batch."""
        why = no_fallback("is_set_to")
        return one_value(self, why).is_set_to(one_value(tensor, why))

    def numpy(self, *, force=False):
        """The array of the value; raises RuntimeError inside transforms of functions."""
        return self._owner(no_pointer()).numpy(force=force)

    def tolist(self):
        """The elements of the value; raises RuntimeError for a batch."""
        return one_value(self, NO_POINTER).tolist()

    def data_ptr(self):
        """The address of the value's first element; raises RuntimeError inside transforms of functions."""
        return self._owner(no_pointer()).data_ptr()

    def __dlpack__(self, **wanted):
        return self._owner(no_pointer()).__dlpack__(**wanted)

    def apply_(self, callable):
        """As of the value; raises RuntimeError inside transforms of functions."""
        self._owner(no_pointer()).apply_(callable)
        return self

    def map_(self, tensor, callable):
        """As of the value; raises RuntimeError inside transforms of functions."""
        self._owner(no_pointer()).map_(one_value(tensor, NO_POINTER), callable)
        return self

    def __contains__(self, element):
        if not isinstance(element, (Tensor, int, float, complex)):
            return Tensor.__contains__(self, element)
        return (self == element).reshape(-1).any().item()

    def storage_offset(self):
        """Where in its storage, in elements, the first sample begins."""
        return self._array.inner.storage_offset()

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = self._owner().__deepcopy__(memo)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        return self._owner().__reduce_ex__(protocol)

    def __format__(self, spec):
        if not self._array.ndim:
            return self.item().__format__(spec)
        return object.__format__(self, spec) if spec else repr(self)

    def __repr__(self, *, tensor_contents=None):
        return late.text_inside(self)


class Batched(Wrapped):
    """A tensor of one sample, inside ``vmap``: the samples of the whole batch lie one level further in."""

    __slots__ = ()
    _implementation = "BatchedTensorImpl"

    @staticmethod
    def _no_out(name):
        return RuntimeError(
            f"Batching rule not implemented for aten::{name}.out; the fallback path doesn't work on out= or view ops."
        )

    def __bool__(self):
        if not self._array.batched:
            return bool(self._array.inner)
        self._array.check_alone()
        raise RuntimeError(
            "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support "
            "that yet: each sample may choose differently, so choose with torch.where."
        )

    __nonzero__ = __bool__

    @property
    def data(self):
        """Raises RuntimeError: see ``detach()``."""
        if not self._array.batched:
            return self.detach()
        raise RuntimeError("accessing `data` under vmap transform is not allowed")

    @data.setter
    def data(self, value):
        raise RuntimeError("mutating directly with `.data` under vmap transform is not allowed.")

    def set_(self, *args, **kwargs):
        """Raises NotImplementedError: a sample has no memory of its own."""
        return self._owner()

    resize_ = resize_as_ = set_


class Dual(Wrapped):
    """A tensor that carries its tangent, in forward mode."""

    __slots__ = ()
    _implementation = "TensorWrapper"

    @staticmethod
    def _no_out(name):
        return NotImplementedError(
            f"Trying to use forward AD with {name}_out that does not support it because it is an out= function"
        )

    @property
    def data(self):
        """As ``detach()``."""
        return self.detach()

    @data.setter
    def data(self, value):
        error = RuntimeError("mutating directly with `.data` inside functorch transform is not allowed.")
        self._owner(error).data = value

    def detach_(self):
        """Forget the history of this very tensor, and its tangent; raises RuntimeError for a view."""
        Tensor.detach_(self)
        layer = self._array
        layer.inner.detach_()
        layer.tangent = None
        return self

    @property
    def _base(self):
        """The tensor that this one is a view of: in ``forward_ad``, what it is a view of by its value."""
        return self._array.inner._base if self._array.level.is_forward_ad else Tensor._base.fget(self)

    def _is_view(self):
        """Whether the tensor is a differentiable view of another."""
        return self._base is not None

    @property
    def _version(self):
        """How often this memory was written to in place."""
        return self._array.inner._version

    def set_(self, *args, **kwargs):
        """Raises NotImplementedError: the tangent could not follow."""
        raise NotImplementedError(
            "Trying to use forward AD with set_ that does not support it because it has not been implemented yet.\nMake a "
            "new tensor with the values instead: its tangent comes from them."
        )

    def resize_(self, *sizes, **kwargs):
        """Raises RuntimeError: the tangent could not follow."""
        raise RuntimeError("cannot resize variables that has a forward grad")

    resize_as_ = resize_


BatchLayer.tensor = Batched
DualLayer.tensor = Dual


def wrap_layer(array):
    """A new tensor, without history, over an array or a layer."""
    tensor = new(getattr(array, "tensor", Tensor))
    tensor._array = array
    tensor._node = None
    tensor._storage = FRESH if isinstance(array, Layer) else thread_state.fresh
    return tensor


def batch(inner, level, batched=True):
    """A tensor of the batch level ``level`` over ``inner``."""
    tensor = new(Batched)
    tensor._array = BatchLayer(inner, level, batched)
    tensor._node = None
    tensor._storage = FRESH
    if inner._node is not None and inner.requires_grad:
        level.tracked_below = True
    return tensor


def dual(inner, level, tangent):
    """A tensor of the dual level ``level``: ``inner`` with a tangent, or None."""
    tensor = new(Dual)
    tensor._array = DualLayer(inner, level, tangent)
    tensor._node = None
    tensor._storage = FRESH
    for x in (inner, tangent):
        if x is not None and x._node is not None and x.requires_grad:
            level.tracked_below = True
    return tensor


def beneath(x):
    """The plain tensor that ``x`` stands for, and the batch levels along whose samples it varies, the outermost first: the axes in front."""
    levels = []
    while isinstance(x, Wrapped):
        layer = x._array
        if x.__class__ is Batched and layer.batched:
            if not layer.level.open:
                raise escaped()
            levels.insert(0, layer.level)
        x = layer.inner
    return x, levels


def rewrap(x, levels):
    """A tensor for one sample of each of the batch levels, given outermost first, whose samples lie along the first axes of ``x``."""
    for level in levels:
        x = batch(x, level)
    return x


def one_value(x, why):
    """The plain tensor that ``x`` stands for: its value, in forward mode; raises RuntimeError ``why`` if each sample has one."""
    if not isinstance(x, Wrapped):
        return x
    x, levels = beneath(x)
    if levels:
        raise RuntimeError(why)
    return x


def elements(x):
    """The array with all elements of a tensor, those of all samples: for what must hold of each of them."""
    array = x._array
    while isinstance(array, Layer):
        array = array.inner._array
    return array


def any_wrapped(xs):
    """Whether one of the values, which need not be tensors, is a tensor without an array."""
    return any(isinstance(x, Wrapped) for x in xs)


def unwrap(x, level):
    """The tensor that ``x`` stands for below ``level``; ``x`` itself if it is none of that level's."""
    if isinstance(x, Wrapped) and x._array.level is level:
        return x._array.inner
    return x


def whole_batch(x, level):
    """All samples of ``x``, a result at a batch level, along axis 0."""
    if isinstance(x, Wrapped) and x._array.level is level:
        if x._array.batched:
            return x._array.inner
        x = x._array.inner
    return x.expand(level.size, *x.shape)


# What cannot be done inside of transforms, in PyTorch's words ------------------------------------------------------------

NO_POINTER = "Cannot access data pointer of Tensor that doesn't have storage"


def no_pointer():
    """The error where an address or an array is asked for."""
    return RuntimeError(NO_POINTER)


def no_fallback(name):
    """The message where an op cannot be done sample by sample."""
    return f"Batching rule not implemented for aten::{name}. We could not generate a fallback."


def escaped():
    """The error for a tensor of a batch that is used after its transform."""
    return RuntimeError(
        "Either your tensor may have escaped from inside a function being vmapped (return it from the function instead of "
        "keeping it elsewhere), or vmap has lost track of it, which would be an error in minigrad."
    )
