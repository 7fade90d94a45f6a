"""``SparseTensor``: the class of sparse tensors, and what they answer where a tensor is asked for its memory.  ``table.py`` gives it its operations."""

import copy
from collections import OrderedDict

from .. import _utils
from .._base.device import sparse_coo, sparse_csr
from .._core.overriding import disabled
from .._core.tensor import Tensor, as_class, bump, start_requiring_grad, wrap
from .._ops import parameter
from .arrays import Coo, refusal
from .text import describe


class SparseTensor(Tensor):
    """A tensor of any sparse layout: a ``SparseArray`` stands in the place of its array."""

    __slots__ = ()
    _is_sparse = True
    _is_parameter = False
    _results: type | None = None
    __torch_function__ = staticmethod(disabled)  # no subclass, to those who override functions

    layout = property(lambda self: self._array.layout, doc="How the elements are arranged.")
    is_sparse = property(
        lambda self: self._array.layout is sparse_coo, doc="Whether the layout is that of coordinates."
    )
    is_sparse_csr = property(
        lambda self: self._array.layout is sparse_csr, doc="Whether the layout is that of compressed rows."
    )
    device = property(lambda self: wrap(self._array.values).device, doc="Where the tensor lives: the CPU.")

    def _as_parameter(self, requires_grad):
        found = as_class(self.detach(), SparseParameter)
        if requires_grad:
            start_requiring_grad(found)
        return found

    def _no_memory(self, *args, **kwargs):
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    data_ptr = const_data_ptr = tolist = _no_memory

    def _no_storage(self, *args, **kwargs):
        raise NotImplementedError("Cannot access storage of SparseTensorImpl")

    storage = untyped_storage = _typed_storage = _no_storage

    def storage_offset(self):
        """0: there is no storage in which the tensor could begin anywhere else."""
        return 0

    def stride(self, dim=None):
        """Zeros, for coordinates; compressed layouts have no strides: RuntimeError is raised."""
        if self._array.__class__ is not Coo:
            raise RuntimeError(f"Sparse {str(self.layout)[13:].upper()} tensors do not have strides")
        return (0,) * self.ndim if dim is None else 0

    def is_contiguous(self, memory_format=None):
        """False."""
        if self._array.__class__ is not Coo:
            raise RuntimeError(f"Sparse {str(self.layout)[13:].upper()} tensors do not have is_contiguous")
        return False

    def contiguous(self, memory_format=None):
        """Raises RuntimeError: elements are not in an order."""
        raise RuntimeError("unsupported memory format option Contiguous")

    def element_size(self):
        """The bytes of an element."""
        return self._array.itemsize

    def numpy(self, *, force=False):
        """Raises TypeError: there is no array of all elements."""
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def __array__(self, *args, **kwargs):
        return self.numpy()

    def __array_ufunc__(self, *args, **kwargs):
        return self.numpy()

    def __array_function__(self, *args, **kwargs):
        return self.numpy()

    def __dlpack__(self, **wanted):
        raise BufferError("Cannot pack sparse tensors")

    def is_shared(self):
        """Whether other processes see the same memory."""
        return wrap(self._array.values).is_shared()

    def is_pinned(self, device=None):
        """False."""
        return False

    def get_device(self):
        """-1: the CPU."""
        return -1

    def item(self):
        """The number in a tensor of one element."""
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        return self.to_dense().item()

    def __bool__(self):
        if self._array.size != 1:
            raise RuntimeError(
                "Boolean value of Tensor with "
                + ("no values is ambiguous" if not self._array.size else "more than one value is ambiguous")
            )
        return bool(self.to_dense())

    __nonzero__ = __bool__

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __complex__(self):
        return complex(self.item())

    def __index__(self):
        return self.to_dense().__index__()

    def __contains__(self, element):
        raise refusal("eq", self._array)

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
                "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
                "see https://github.com/pytorch/pytorch/pull/103001"
            )
        twin = memo[id(self)] = as_class(self.detach().clone(), type(self))
        if self.requires_grad:
            start_requiring_grad(twin)
        if self.grad is not None:
            twin.grad = copy.deepcopy(self.grad, memo)
        twin.__dict__.update(copy.deepcopy(_utils.attributes(self), memo))
        return twin

    def __reduce_ex__(self, protocol):
        rebuild, args = _utils._rebuild_sparse_tensor, (self.layout, self._saved_parts())
        if self._is_parameter:
            return _utils._rebuild_parameter, (self.detach(), self.requires_grad, OrderedDict())
        return rebuild, args

    def _saved_parts(self):
        array = self._array
        if array.__class__ is Coo:
            return wrap(array.indices), wrap(array.values), self.shape, array.coalesced
        return wrap(array.bounds), wrap(array.along), wrap(array.values), self.shape

    def __format__(self, spec):
        return object.__format__(self, spec)

    def __repr__(self, *, tensor_contents=None):
        text = describe(self)
        return "Parameter containing:\n" + text if self._is_parameter else text

    def __len__(self):
        if not self.ndim:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]


class SparseParameter(SparseTensor, parameter.Parameter):  # type: ignore[misc]
    """A parameter that is sparse."""

    __slots__ = ()
    _results = SparseTensor
    _is_parameter = True

    def __new__(cls, data=None, requires_grad=True):
        return parameter.Parameter(data, requires_grad)


def replace(tensor, result):
    """Let ``tensor`` be what ``result`` is: an operation in place.  Its elements are others from now on, which counts as a write."""
    if tensor.requires_grad and tensor.is_leaf and result._node is not None:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    bump(tensor)
    tensor._array = result._array
    if result._node is not None:
        tensor._node = result._node
    return tensor
