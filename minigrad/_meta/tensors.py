"""``MetaTensor``: the class of tensors on the device ``meta``, and what they answer where a tensor's elements are asked for."""

import copy
from collections import OrderedDict

from .. import _utils
from .._base import dtypes
from .._core import late
from .._core.modes import thread_state
from .._core.overriding import disabled
from .._core.tensor import Tensor, as_class, new, start_requiring_grad
from .._ops import parameter

NO_DATA = "Cannot copy out of meta tensor; no data!"


def no_data():
    """The error where the elements of a tensor on ``meta`` are to be copied."""
    return NotImplementedError(NO_DATA)


def _no_item():
    return RuntimeError("Tensor.item() cannot be called on meta tensors")


class MetaTensor(Tensor):
    """A tensor on the device ``meta``: a blank array stands in the place of its array."""

    __slots__ = ()
    _is_meta = True
    _results: type | None = None
    is_cpu = False
    __torch_function__ = staticmethod(disabled)  # no subclass, to those who override functions

    def _as_parameter(self, requires_grad):
        parameter = as_class(self.detach(), MetaParameter)
        if requires_grad:
            start_requiring_grad(parameter)
        return parameter

    def item(self):
        """Raises RuntimeError: there are no elements."""
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        raise _no_item()

    def __bool__(self):
        if self._array.size != 1:
            return Tensor.__bool__(self)
        raise _no_item()

    __nonzero__ = __bool__

    def _number(self):
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        raise _no_item()

    __float__ = __int__ = __long__ = __complex__ = __index__ = _number

    def __contains__(self, element):
        if not isinstance(element, (Tensor, int, float, complex)):
            return Tensor.__contains__(self, element)
        raise _no_item()

    def tolist(self):
        """Raises NotImplementedError: there are no elements."""
        raise no_data()

    def numpy(self, *, force=False):
        """Raises TypeError: there is no array."""
        if force:
            raise no_data()
        raise TypeError(
            "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
        )

    def __array_ufunc__(self, *args, **kwargs):
        return self.numpy()

    def __array_function__(self, *args, **kwargs):
        return self.numpy()

    def __dlpack__(self, **wanted):
        raise BufferError("Cannot pack tensors on meta")

    def data_ptr(self):
        """0: there is no memory."""
        return 0

    const_data_ptr = data_ptr

    def is_shared(self):
        """False: there is no memory to share."""
        return False

    def share_memory_(self):
        """Raises RuntimeError: there is no memory to share."""
        raise RuntimeError("_share_fd_: only available on CPU")

    def pin_memory(self, device=None):
        """Raises RuntimeError: there is no memory to pin."""
        raise RuntimeError(
            f"cannot pin 'Meta{dtypes.scalar_type_name(self.dtype)}Type' only dense CPU tensors can be pinned"
        )

    def is_pinned(self, device=None):
        """False."""
        return False

    def get_device(self):
        """-1, as for the CPU."""
        return -1

    def apply_(self, callable):
        """The tensor itself: there are no elements to apply a function to."""
        return self

    def map_(self, tensor, callable):
        """The tensor itself: there are no elements to apply a function to."""
        return self

    def map2_(self, x, y, callable):
        """The tensor itself: there are no elements to apply a function to."""
        return self

    def storage_offset(self):
        """The offset of the tensor in its storage, in elements."""
        return self._array.offset // self._array.itemsize

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
                "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
                "see https://github.com/pytorch/pytorch/pull/103001"
            )
        twin = memo[id(self)] = meta(self._array.copy("K"), type(self))
        if self.requires_grad:
            start_requiring_grad(twin)
        if self.grad is not None:
            twin.grad = copy.deepcopy(self.grad, memo)
        return twin

    def __reduce_ex__(self, protocol):
        size, stride = tuple(self.shape), self.stride()
        rebuild, args = _utils._rebuild_meta_tensor_no_storage, (self.dtype, size, stride, self.requires_grad)
        if isinstance(self, parameter.Parameter):
            rebuild, args = _utils._rebuild_parameter, (self.data, self.requires_grad, OrderedDict())
        return rebuild, args

    def __format__(self, spec):
        return object.__format__(self, spec) if spec else str(self)

    def __repr__(self, *, tensor_contents=None):
        return _text(self, "..." if tensor_contents is None else tensor_contents)


def _text(x, contents):
    """What a tensor prints as: what is known of it."""
    notes = [f"tensor({contents}", "device='meta'", f"size={tuple(x.shape)}"]
    if x.dtype is not dtypes.get_default_dtype():
        notes.append(f"dtype={x.dtype}")
    if x.grad_fn is not None:
        name = x.grad_fn.name().rpartition("::")[2]
        notes.append(f"grad_fn=<{name}>")
    elif x.requires_grad:
        notes.append("requires_grad=True")
    return ", ".join(notes) + ")"


class MetaParameter(MetaTensor, parameter.Parameter):
    """A parameter on the device ``meta``."""

    __slots__ = ()
    _results = MetaTensor

    def __new__(cls, data=None, requires_grad=True):
        return parameter.Parameter(data, requires_grad)

    def __repr__(self, *, tensor_contents=None):
        return "Parameter containing:\n" + MetaTensor.__repr__(self, tensor_contents=tensor_contents)


late.meta_tensor = MetaTensor


def meta(array, cls=MetaTensor):
    """A new tensor on ``meta`` over a blank array."""
    tensor = new(cls)
    tensor._array = array
    tensor._node = None
    tensor._storage = thread_state.fresh
    return tensor


def unsupported(name):
    """The error for an op whose result depends on elements."""
    return NotImplementedError(
        f"aten::{name}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel registered. Its result, or the shape of it, depends on "
        "the elements, which tensors on meta do not have."
    )
