# Written by `python -m tests.generate`: do not edit.
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np

from .._base import return_types as _named_results
from .._base.device import device as _device
from .._base.device import layout as _layout
from .._base.device import memory_format as _memory_format
from .._base.dtypes import dtype as _dtype
from .._base.size import Size as _Size
from .._core.hooks import RemovableHandle
from .._core.node import Node
from .._base.device import Device as _Device

new: Any
PLAIN: Any
def _lift(*args: Any, **kwargs: Any) -> Any: ...
def about_to_write(*args: Any, **kwargs: Any) -> Any: ...
def alias_of_class(*args: Any, **kwargs: Any) -> Any: ...
def as_class(*args: Any, **kwargs: Any) -> Any: ...
def bump(*args: Any, **kwargs: Any) -> Any: ...
def check_grad(*args: Any, **kwargs: Any) -> Any: ...
def check_subclass(*args: Any, **kwargs: Any) -> Any: ...
def inference_write(*args: Any, **kwargs: Any) -> Any: ...
def is_blank(*args: Any, **kwargs: Any) -> Any: ...
def is_of_program(*args: Any, **kwargs: Any) -> Any: ...
def node_and_nr(*args: Any, **kwargs: Any) -> Any: ...
def of_array(*args: Any, **kwargs: Any) -> Any: ...
def restore_operand(*args: Any, **kwargs: Any) -> Any: ...
def result_of_class(*args: Any, **kwargs: Any) -> Any: ...
def rewrap_subclass(*args: Any, **kwargs: Any) -> Any: ...
def start_requiring_grad(*args: Any, **kwargs: Any) -> Any: ...
def stop_requiring_grad(*args: Any, **kwargs: Any) -> Any: ...
def strip_subclass(*args: Any, **kwargs: Any) -> Any: ...
def version_of(*args: Any, **kwargs: Any) -> Any: ...
def without_class(*args: Any, **kwargs: Any) -> Any: ...
def wrap(*args: Any, **kwargs: Any) -> Any: ...
def wrap_each(*args: Any, **kwargs: Any) -> Any: ...

class Tensor:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def H(self) -> Tensor: ...
    @property
    def T(self) -> Tensor: ...
    def __abs__(self, *, out: Tensor | None = None) -> Tensor:
        """The absolute value of each element: z = |x|;   dz/dx = sgn x, 0 at 0.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.abs(minigrad.tensor([-1., 2.])), minigrad.abs(minigrad.tensor([3 + 4j]))
        (tensor([1., 2.]), tensor([5.]))
        """
    def __add__(self, other: Any) -> Tensor: ...
    def __and__(self, other: Any) -> Tensor: ...
    def __array__(self, dtype: _dtype | None = None, copy: builtins.bool | None = None) -> np.ndarray[Any, Any]: ...
    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Tensor:
        """What NumPy calls for a function, which is no ufunc, of a tensor."""
    __array_priority__: builtins.int
    def __array_ufunc__(self, ufunc: Any, method: Any, *inputs: Any, out: Tensor | None = ..., **kwargs: Any) -> Tensor:
        """What NumPy calls for a ufunc, or for one of its methods, of a tensor."""
    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: Any = False) -> Tensor:
        """What a NumPy function of this tensor returns: a tensor; truth values come as uint8, as PyTorch has it."""
    def __bool__(self) -> builtins.bool: ...
    def __complex__(self) -> builtins.complex: ...
    def __contains__(self, element: Any) -> builtins.bool: ...
    def __deepcopy__(self, memo: Any) -> Tensor:
        """A deep copy of a leaf; raises RuntimeError for another tensor."""
    def __delitem__(self, key: Any) -> None: ...
    def __dir__(self) -> Any: ...
    def __div__(self, other: Any) -> Tensor: ...
    def __dlpack__(self, *, stream: Any = -1, max_version: Any = None, dl_device: Any = None, copy: builtins.bool | None = None) -> Any:
        """Export the tensor's memory as a DLPack capsule, with a version and flags if ``max_version`` is (1, 0) or higher.

        ``copy`` exports a copy. Raises BufferError for a tensor that requires grad, for a conjugate or negative view, and for a device other
        than the CPU; AssertionError for a stream, because a CPU has none.

        >>> import minigrad, numpy
        >>> numpy.from_dlpack(minigrad.ones(2))
        array([1., 1.], dtype=float32)
        """
    def __dlpack_device__(self) -> Any:
        """Return the tensor's device as DLPack describes it: ``(DLDeviceType.kDLCPU, 0)``.

        Raises ValueError for a tensor on ``meta``.

        >>> import minigrad
        >>> minigrad.ones(2).__dlpack_device__()[1]
        0
        """
    def __eq__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __float__(self) -> builtins.float: ...
    def __floordiv__(self, other: Any) -> Tensor: ...
    def __format__(self, format_spec: Any) -> builtins.str: ...
    def __ge__(self, other: Any) -> Tensor: ...
    def __getitem__(self, key: Any) -> Tensor:
        """``input[key]``: a view for integers, slices, None and ``...``; a copy where tensors, sequences or masks take part."""
    def __gt__(self, other: Any) -> Tensor: ...
    def __hash__(self) -> builtins.int: ...
    def __iadd__(self, other: Any) -> Tensor: ...
    def __iand__(self, other: Any) -> Tensor: ...
    def __idiv__(self, other: Any) -> Tensor: ...
    def __ifloordiv__(self, other: Any) -> Tensor: ...
    def __ilshift__(self, other: Any) -> Tensor: ...
    def __imod__(self, other: Any) -> Tensor: ...
    def __imul__(self, other: Any) -> Tensor: ...
    def __index__(self) -> builtins.int: ...
    def __int__(self) -> builtins.int: ...
    def __invert__(self) -> Tensor:
        """``~input``, for integers and bool."""
    def __ior__(self, other: Any) -> Tensor: ...
    def __ipow__(self, other: Any) -> Tensor: ...
    def __irshift__(self, other: Any) -> Tensor: ...
    def __isub__(self, other: Any) -> Tensor: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __itruediv__(self, other: Any) -> Tensor: ...
    def __ixor__(self, other: Any) -> Tensor: ...
    def __le__(self, other: Any) -> Tensor: ...
    def __len__(self) -> builtins.int: ...
    def __long__(self) -> Tensor: ...
    def __lshift__(self, other: Any) -> Tensor: ...
    def __lt__(self, other: Any) -> Tensor: ...
    def __matmul__(self, other: Any) -> Tensor: ...
    def __mod__(self, other: Any) -> Tensor: ...
    def __mul__(self, other: Any) -> Tensor: ...
    def __ne__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __neg__(self, *, out: Tensor | None = None) -> Tensor:
        """The negative of each element: z = -x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.neg(minigrad.tensor([1, -2]))
        tensor([-1,  2])
        """
    def __nonzero__(self) -> Tensor: ...
    def __or__(self, other: Any) -> Tensor: ...
    def __pos__(self) -> Tensor:
        """Return ``input`` itself; raise RuntimeError for bool.

        >>> import minigrad
        >>> minigrad.positive(minigrad.tensor([1., 2.]))
        tensor([1., 2.])
        """
    def __pow__(self, other: Any) -> Tensor: ...
    def __radd__(self, other: Any) -> Tensor: ...
    def __rand__(self, other: Any) -> Tensor: ...
    def __rdiv__(self, other: Any) -> Tensor: ...
    def __reduce_ex__(self, proto: Any) -> Any:
        """How ``pickle`` keeps a tensor: as a leaf over its storage, which it goes on sharing with others, without its gradient."""
    def __repr__(self, *, tensor_contents: Any = None) -> builtins.str: ...
    def __reversed__(self) -> Tensor: ...
    def __rfloordiv__(self, other: Any) -> Tensor: ...
    def __rlshift__(self, other: Any) -> Tensor: ...
    def __rmatmul__(self, other: Any) -> Tensor: ...
    def __rmod__(self, other: Any) -> Tensor: ...
    def __rmul__(self, other: Any) -> Tensor: ...
    def __ror__(self, other: Any) -> Tensor: ...
    def __rpow__(self, other: Any) -> Tensor: ...
    def __rrshift__(self, other: Any) -> Tensor: ...
    def __rshift__(self, other: Any) -> Tensor: ...
    def __rsub__(self, other: Any) -> Tensor: ...
    def __rtruediv__(self, other: Any) -> Tensor: ...
    def __rxor__(self, other: Any) -> Tensor: ...
    def __setitem__(self, key: Any, value: Any) -> None:
        """``input[key] = value``, in place: through the views that the key asks for, or at its index tensors and masks."""
    def __setstate__(self, state: Any) -> None:
        """What ``pickle`` calls BUILD on a tensor: files up to PyTorch 0.3 keep part of a tensor there.

        ``state`` is (storage, offset, size, stride), (data, grad, hooks, requires_grad, volatile) or
        (requires_grad, volatile, hooks).
        """
    def __sub__(self, other: Any) -> Tensor: ...
    @classmethod
    def __torch_function__(cls, *args: Any, **kwargs: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Tensor: ...
    def __xor__(self, other: Any) -> Tensor: ...
    _array: Any
    @property
    def _backward_hooks(self) -> Any: ...
    @_backward_hooks.setter
    def _backward_hooks(self, value: Any) -> None: ...
    @property
    def _base(self) -> Tensor | None: ...
    _beyond: Any
    @property
    def _cdata(self) -> Tensor: ...
    def _coalesced_(self, coalesced: Any) -> Tensor:
        """Let a sparse tensor count as coalesced, or not."""
    def _conj(self) -> Tensor:
        """Like ``conj``, of a complex tensor only: raises RuntimeError for a real one."""
    def _conj_physical(self) -> Tensor:
        """Same as ``conj_physical``."""
    def _construct(self, args: Any, kwargs: Any) -> Any:
        """``Tensor(2, 3)``, ``Tensor([1., 2.])``, ``Tensor(other)``, for Tensor and its subclasses."""
    def _dimI(self) -> Tensor:
        """How many sparse dimensions a tensor in coordinates has."""
    def _dimV(self) -> Tensor:
        """How many dense dimensions a tensor in coordinates has."""
    _draw: Any
    @property
    def _edge(self) -> Any: ...
    _former: Any
    @property
    def _grad(self) -> Tensor: ...
    @_grad.setter
    def _grad(self, value: Any) -> None: ...
    _grad_dtype: builtins.ellipsis
    @property
    def _grad_fn(self) -> Node | None: ...
    @_grad_fn.setter
    def _grad_fn(self, value: Any) -> None: ...
    def _indices(self) -> Tensor:
        """The indices of a sparse tensor, whether it is coalesced or not."""
    _inference: Any
    def _is_all_true(self) -> Tensor:
        """Whether all elements of a tensor of bools are true, as such a tensor without dimensions: inside ``vmap`` all samples count.

        Raises RuntimeError for other dtypes.

        >>> import minigrad
        >>> minigrad._is_all_true(minigrad.tensor([True, False]))
        tensor(False)
        """
    def _is_any_true(self) -> Tensor:
        """Whether any element of a tensor of bools is true, as such a tensor without dimensions: inside ``vmap`` all samples count.

        Raises RuntimeError for other dtypes.

        >>> import minigrad
        >>> minigrad._is_any_true(minigrad.tensor([True, False]))
        tensor(True)
        """
    _is_data: builtins.bool
    _is_meta: builtins.bool
    _is_sparse: builtins.bool
    def _is_view(self) -> builtins.bool:
        """Whether the tensor is a differentiable view of another."""
    def _is_zerotensor(self) -> builtins.bool:
        """False: every tensor has memory."""
    _kept_grad: Any
    _laid_out: builtins.int
    _layouts: Any
    @staticmethod
    def _make_subclass(*args: Any, **kwargs: Any) -> Tensor: ...
    def _neg_view(self) -> Tensor:
        """The negative of a tensor, as a view of the same memory."""
    def _nnz(self) -> Tensor:
        """How many elements, or blocks, a sparse tensor keeps; of each matrix in a batch."""
    _node: Any
    _not_finite: Any
    @property
    def _post_accumulate_grad_hooks(self) -> Any: ...
    _provenance: Any
    def _repr_html_(self) -> builtins.str:
        """HTML for a notebook, in which the text is that of ``repr``; a subclass is not asked.

        >>> import minigrad
        >>> html = minigrad.ones(2, 3)._repr_html_()
        >>> "[2, 3]" in html and "float32" in html and "24 B" in html
        True
        """
    _results: Any
    _retains: builtins.bool
    _storage: Any
    def _to_dense(self, dtype: _dtype | None = None, masked_grad: builtins.bool | None = None) -> Tensor:
        """As ``to_dense``, of which it is the last step."""
    def _typed_storage(self) -> Any:
        """The memory that the tensor and its views share, as elements of the tensor's dtype."""
    def _values(self) -> Tensor:
        """The values of a sparse tensor, whether it is coalesced or not: the same memory, without history."""
    @property
    def _version(self) -> builtins.int: ...
    _volatile: builtins.bool
    _wrapped: builtins.bool
    def abs(self, *, out: Tensor | None = None) -> Tensor:
        """The absolute value of each element: z = |x|;   dz/dx = sgn x, 0 at 0.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.abs(minigrad.tensor([-1., 2.])), minigrad.abs(minigrad.tensor([3 + 4j]))
        (tensor([1., 2.]), tensor([5.]))
        """
    def abs_(self) -> Tensor:
        """In-place version of ``abs``; not for complex.

        >>> import minigrad
        >>> minigrad.tensor([-1, 2]).abs_()
        tensor([1, 2])
        """
    def absolute(self, *, out: Tensor | None = None) -> Tensor:
        """The absolute value of each element: z = |x|;   dz/dx = sgn x, 0 at 0.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.abs(minigrad.tensor([-1., 2.])), minigrad.abs(minigrad.tensor([3 + 4j]))
        (tensor([1., 2.]), tensor([5.]))
        """
    def absolute_(self) -> Tensor:
        """In-place version of ``abs``; not for complex.

        >>> import minigrad
        >>> minigrad.tensor([-1, 2]).abs_()
        tensor([1, 2])
        """
    def acos(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse cosine of each element: z = acos x;   dz/dx = -1 / √(1 - x²).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.acos(minigrad.tensor([-1., 0., 2.]))
        tensor([3.1416, 1.5708,    nan])
        """
    def acos_(self) -> Tensor:
        """In-place version of ``acos``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.acos_() is x
        True
        """
    def acosh(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse hyperbolic cosine of each element: z = acosh x;   dz/dx = 1 / √(x² - 1), for complex x 1 / (√(x - 1) √(x + 1)).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.acosh(minigrad.tensor([0., 1., 2.]))
        tensor([   nan, 0.0000, 1.3170])
        """
    def acosh_(self) -> Tensor:
        """In-place version of ``acosh``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.acosh_() is x
        True
        """
    def add(self, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex | None = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``input + alpha * other``, elementwise; the operands broadcast and promote.

        >>> import minigrad
        >>> minigrad.add(minigrad.tensor([1., 2.]), minigrad.tensor([10., 20.]), alpha=2)
        tensor([21., 42.])
        """
    def add_(self, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex | None = 1) -> Tensor:
        """Add ``alpha * other`` in place; return the tensor.

        ``other`` broadcasts to the shape of the tensor, which keeps its dtype; raises RuntimeError if the result has a higher kind of dtype.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).add_(minigrad.tensor([3., 4.]), alpha=10)
        tensor([31., 42.])
        """
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``beta * input + alpha * (the sum of the matrix products of two batches)``; ``input`` is ignored if ``beta`` is 0.

        >>> import minigrad
        >>> minigrad.addbmm(minigrad.zeros(1, 1), minigrad.ones(5, 1, 3), minigrad.ones(5, 3, 1))
        tensor([[15.]])
        """
    def addbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1) -> Tensor:
        """In-place version of ``addbmm``; as in PyTorch, ``input`` grows to the shape of the product where it broadcasts.

        >>> import minigrad
        >>> minigrad.zeros(1, 1).addbmm_(minigrad.tensor([[[1., 2.]]]), minigrad.tensor([[[3.], [4.]]]))
        tensor([[11.]])
        """
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, *old: Any, value: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``input + value * tensor1 / tensor2``, elementwise; tensor1 and tensor2 may not both be integers.

        >>> import minigrad
        >>> minigrad.addcdiv(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([2., 4.]), value=10)
        tensor([6., 6.])
        """
    def addcdiv_(self, tensor1: Tensor, tensor2: Tensor, *old: Any, value: builtins.complex = 1) -> Tensor:
        """Add ``value * tensor1 / tensor2`` in place; return the tensor.

        ``tensor1`` and ``tensor2`` broadcast to the tensor's shape; its dtype stays.

        >>> import minigrad
        >>> minigrad.tensor([1., 1.]).addcdiv_(minigrad.tensor([1., 2.]), minigrad.tensor([2., 4.]), value=10)
        tensor([6., 6.])
        """
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, *old: Any, value: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``input + value * tensor1 * tensor2``, elementwise.

        >>> import minigrad
        >>> minigrad.addcmul(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]), value=10)
        tensor([31., 81.])
        """
    def addcmul_(self, tensor1: Tensor, tensor2: Tensor, *old: Any, value: builtins.complex = 1) -> Tensor:
        """Add ``value * tensor1 * tensor2`` in place; return the tensor.

        ``tensor1`` and ``tensor2`` broadcast to the tensor's shape; its dtype stays.

        >>> import minigrad
        >>> minigrad.tensor([1., 1.]).addcmul_(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]), value=10)
        tensor([31., 81.])
        """
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``beta * input + alpha * mat1 @ mat2`` for matrices; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

        >>> import minigrad
        >>> minigrad.addmm(minigrad.tensor([1., 2.]), minigrad.ones(1, 3), minigrad.ones(3, 2))
        tensor([[4., 5.]])
        """
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1) -> Tensor:
        """In-place version of ``addmm``; ``input`` must have the shape of the product.

        >>> import minigrad
        >>> minigrad.ones(1, 1).addmm_(minigrad.tensor([[1., 2.]]), minigrad.tensor([[3.], [4.]]))
        tensor([[12.]])
        """
    def addmv(self, mat: Tensor, vec: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``beta * input + alpha * mat @ vec``; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

        ``mat`` is (n, m), ``vec`` (m,), the result (n,); all of one dtype.

        >>> import minigrad
        >>> minigrad.addmv(minigrad.tensor([1., 2.]), minigrad.ones(2, 3), minigrad.ones(3))
        tensor([4., 5.])
        """
    def addmv_(self, mat: Tensor, vec: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1) -> Tensor:
        """In-place version of ``addmv``; ``input`` must have the shape of the product.

        >>> import minigrad
        >>> minigrad.ones(2).addmv_(minigrad.eye(2), minigrad.tensor([3., 4.]))
        tensor([4., 5.])
        """
    def addr(self, vec1: Tensor, vec2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``beta * input + alpha * outer(vec1, vec2)``; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

        ``vec1`` is (n,), ``vec2`` (m,), the result (n, m).

        >>> import minigrad
        >>> minigrad.addr(minigrad.ones(2, 2), minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
        tensor([[4., 5.],
                [7., 9.]])
        """
    def addr_(self, vec1: Tensor, vec2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1) -> Tensor:
        """In-place version of ``addr``; ``input`` must have the shape of the product.

        >>> import minigrad
        >>> minigrad.zeros(2, 2).addr_(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
        tensor([[3., 4.],
                [6., 8.]])
        """
    def adjoint(self) -> Tensor:
        """Return a view with the last two dimensions exchanged, conjugated if complex; raise RuntimeError for one dimension.

        >>> import minigrad
        >>> minigrad.adjoint(minigrad.zeros(4, 2, 3)).shape
        torch.Size([4, 3, 2])
        """
    def all(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return whether all elements are non-zero: of the whole tensor, or along ``dim``.

        >>> import minigrad
        >>> minigrad.all(minigrad.tensor([[1, 0], [1, 1]]), 1)
        tensor([False,  True])
        """
    def allclose(self, other: Tensor, rtol: builtins.float = ..., atol: builtins.float = ..., equal_nan: builtins.bool = False) -> builtins.bool:
        """Return whether all elements are close, as a Python bool; see ``isclose``.

        >>> import minigrad
        >>> minigrad.allclose(minigrad.tensor([1.]), minigrad.tensor([1.000001]))
        True
        """
    def amax(self, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the largest elements along ``dim``: an int or several, with () for all.

        >>> import minigrad
        >>> minigrad.amax(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        tensor([4., 3.])
        """
    def amin(self, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the smallest elements along ``dim``: an int or several, with () for all.

        >>> import minigrad
        >>> minigrad.amin(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        tensor([1., 2.])
        """
    def aminmax(self, *, dim: builtins.int | None = None, keepdim: builtins.bool = False, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.aminmax:
        """Return the smallest and the largest element: of all, or along one dimension.

        >>> import minigrad
        >>> minigrad.aminmax(minigrad.tensor([3., 1., 2.]))
        torch.return_types.aminmax(
        min=tensor(1.),
        max=tensor(3.))
        """
    def angle(self, *, out: Tensor | None = None) -> Tensor:
        """Return the angle of each element in radians.

        >>> import minigrad
        >>> minigrad.angle(minigrad.tensor([1j, -1]))
        tensor([1.5708, 3.1416])
        """
    def any(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return whether any element is non-zero: of the whole tensor, or along ``dim``.

        >>> import minigrad
        >>> minigrad.any(minigrad.tensor([[1, 0], [0, 0]]), 1)
        tensor([ True, False])
        """
    def apply_(self, callable: Any) -> Tensor:
        """Replace each element by the result of ``callable`` on it; return the tensor, whose version is not incremented.

        Raises RuntimeError for a tensor that requires grad.

        >>> import minigrad
        >>> minigrad.arange(3).apply_(lambda n: n * n)
        tensor([0, 1, 4])
        """
    def arccos(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse cosine of each element: z = acos x;   dz/dx = -1 / √(1 - x²).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.acos(minigrad.tensor([-1., 0., 2.]))
        tensor([3.1416, 1.5708,    nan])
        """
    def arccos_(self) -> Tensor:
        """In-place version of ``acos``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.acos_() is x
        True
        """
    def arccosh(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse hyperbolic cosine of each element: z = acosh x;   dz/dx = 1 / √(x² - 1), for complex x 1 / (√(x - 1) √(x + 1)).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.acosh(minigrad.tensor([0., 1., 2.]))
        tensor([   nan, 0.0000, 1.3170])
        """
    def arccosh_(self) -> Tensor:
        """In-place version of ``acosh``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.acosh_() is x
        True
        """
    def arcsin(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse sine of each element: z = asin x;   dz/dx = 1 / √(1 - x²).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.asin(minigrad.tensor([-1., 0., 2.]))
        tensor([-1.5708,  0.0000,     nan])
        """
    def arcsin_(self) -> Tensor:
        """In-place version of ``asin``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.asin_() is x
        True
        """
    def arcsinh(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse hyperbolic sine of each element: z = asinh x;   dz/dx = 1 / √(x² + 1).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.asinh(minigrad.tensor([0., 1.]))
        tensor([0.0000, 0.8814])
        """
    def arcsinh_(self) -> Tensor:
        """In-place version of ``asinh``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.asinh_() is x
        True
        """
    def arctan(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse tangent of each element: z = atan x;   dz/dx = 1 / (x² + 1).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.atan(minigrad.tensor([0., 1.]))
        tensor([0.0000, 0.7854])
        """
    def arctan2(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The angle of a point in the plane: z = the angle of the point (y, x), as C's atan2;   dz/dx = y / (x² + y²), dz/dy = -x / (x² + y²), 0 at the origin.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.atan2(minigrad.tensor([1., 1.]), minigrad.tensor([1., -1.]))
        tensor([0.7854, 2.3562])
        """
    def arctan2_(self, other: Tensor) -> Tensor:
        """In-place version of ``atan2``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.atan2_(x) is x
        True
        """
    def arctan_(self) -> Tensor:
        """In-place version of ``atan``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.atan_() is x
        True
        """
    def arctanh(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse hyperbolic tangent of each element: z = atanh x;   dz/dx = 1 / (1 - x²).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.atanh(minigrad.tensor([0., 0.5, 1.]))
        tensor([0.0000, 0.5493,    inf])
        """
    def arctanh_(self) -> Tensor:
        """In-place version of ``atanh``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.atanh_() is x
        True
        """
    def argmax(self, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the index of the largest element (the first among equals): of all, or along ``dim``.

        >>> import minigrad
        >>> minigrad.argmax(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        tensor([1, 0])
        """
    def argmin(self, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the index of the smallest element (the first among equals): of all, or along ``dim``.

        >>> import minigrad
        >>> minigrad.argmin(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        tensor([0, 1])
        """
    def argsort(self, dim: builtins.int = -1, descending: builtins.bool = False, stable: builtins.bool | None = None, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the indices that sort the elements along ``dim``; ``out`` requires ``stable``.

        >>> import minigrad
        >>> minigrad.argsort(minigrad.tensor([3., 1., 2.]))
        tensor([1, 2, 0])
        """
    def argwhere(self) -> Tensor:
        """Return the indices of all non-zero elements, one row for each.

        >>> import minigrad
        >>> minigrad.argwhere(minigrad.tensor([0, 5, 6]))
        tensor([[1],
                [2]])
        """
    def as_strided(self, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> Tensor:
        """Return a view of the storage under ``input`` with the given ``size``, ``stride`` and offset (default: that of ``input``), in elements.

        Raises RuntimeError if the view would exceed the storage, or for negative strides.

        >>> import minigrad
        >>> minigrad.as_strided(minigrad.arange(6), (2, 3), (1, 2))
        tensor([[0, 2, 4],
                [1, 3, 5]])
        """
    def as_strided_(self, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> Tensor:
        """In-place version of ``as_strided``; returns the tensor.

        >>> import minigrad
        >>> minigrad.arange(4).as_strided_((2, 2), (1, 1))
        tensor([[0, 1],
                [1, 2]])
        """
    def as_strided_scatter(self, src: Tensor, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> Tensor:
        """Return a copy of ``input``, dense in the order of its indices, with ``src`` where ``as_strided`` would look.

        Raises RuntimeError if the shape does not fit or the range is too large.

        >>> import minigrad
        >>> minigrad.as_strided_scatter(minigrad.zeros(4), minigrad.ones(2), (2,), (2,))
        tensor([1., 0., 1., 0.])
        """
    def as_subclass(self, cls: Any) -> Tensor:
        """Return a view of the whole tensor as an instance of a subclass of Tensor; raise TypeError for another class.

        Keeps shape and dtype.

        >>> import minigrad
        >>> class Metres(minigrad.Tensor):
        ...     pass
        >>> minigrad.ones(2).as_subclass(Metres) * 2
        Metres([2., 2.])
        """
    def asin(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse sine of each element: z = asin x;   dz/dx = 1 / √(1 - x²).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.asin(minigrad.tensor([-1., 0., 2.]))
        tensor([-1.5708,  0.0000,     nan])
        """
    def asin_(self) -> Tensor:
        """In-place version of ``asin``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.asin_() is x
        True
        """
    def asinh(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse hyperbolic sine of each element: z = asinh x;   dz/dx = 1 / √(x² + 1).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.asinh(minigrad.tensor([0., 1.]))
        tensor([0.0000, 0.8814])
        """
    def asinh_(self) -> Tensor:
        """In-place version of ``asinh``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.asinh_() is x
        True
        """
    def atan(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse tangent of each element: z = atan x;   dz/dx = 1 / (x² + 1).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.atan(minigrad.tensor([0., 1.]))
        tensor([0.0000, 0.7854])
        """
    def atan2(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The angle of a point in the plane: z = the angle of the point (y, x), as C's atan2;   dz/dx = y / (x² + y²), dz/dy = -x / (x² + y²), 0 at the origin.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.atan2(minigrad.tensor([1., 1.]), minigrad.tensor([1., -1.]))
        tensor([0.7854, 2.3562])
        """
    def atan2_(self, other: Tensor) -> Tensor:
        """In-place version of ``atan2``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.atan2_(x) is x
        True
        """
    def atan_(self) -> Tensor:
        """In-place version of ``atan``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.atan_() is x
        True
        """
    def atanh(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse hyperbolic tangent of each element: z = atanh x;   dz/dx = 1 / (1 - x²).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.atanh(minigrad.tensor([0., 0.5, 1.]))
        tensor([0.0000, 0.5493,    inf])
        """
    def atanh_(self) -> Tensor:
        """In-place version of ``atanh``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.atanh_() is x
        True
        """
    def backward(self, gradient: Any = None, retain_graph: builtins.bool | None = None, create_graph: builtins.bool = False, inputs: Any = None, retain_variables: Any = None) -> None:
        """Compute the gradients of this tensor with respect to the leaves of its graph, and add them to the leaves' ``.grad``.

        See ``minigrad.autograd.backward``.

        >>> import minigrad
        >>> x = minigrad.tensor([1., 2.], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
        """
    def baddbmm(self, batch1: Tensor, batch2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``beta * input + alpha * bmm(batch1, batch2)``; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

        ``batch1`` is (b, n, m), ``batch2`` (b, m, p), the result (b, n, p); all of one dtype.

        >>> import minigrad
        >>> minigrad.baddbmm(minigrad.ones(2, 1, 1), minigrad.ones(2, 1, 3), minigrad.ones(2, 3, 1)).flatten()
        tensor([4., 4.])
        """
    def baddbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1) -> Tensor:
        """In-place version of ``baddbmm``; ``input`` must have the shape of the product.

        >>> import minigrad
        >>> minigrad.ones(1, 1, 1).baddbmm_(minigrad.tensor([[[1., 2.]]]), minigrad.tensor([[[3.], [4.]]]))
        tensor([[[12.]]])
        """
    def bernoulli(self, p: builtins.float | None = None, *, generator: Any = None, out: Any = None) -> Tensor:
        """Draw 1 with the probabilities in ``input`` (or with probability ``p``), else 0.

        The result has the shape and dtype of ``input``, a floating-point one.

        >>> import minigrad
        >>> minigrad.bernoulli(minigrad.tensor([0., 1.]))
        tensor([0., 1.])
        """
    def bernoulli_(self, p: Any = ..., *, generator: Any = None) -> Tensor:
        """Fill with 1 with probability ``p``, a number or a tensor that broadcasts, else 0; return the tensor.

        >>> import minigrad
        >>> minigrad.empty(2).bernoulli_(1)
        tensor([1., 1.])
        """
    def bfloat16(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``bfloat16``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0, 1]).bfloat16().dtype
        torch.bfloat16
        """
    def bincount(self, weights: Tensor | None = None, minlength: builtins.int = 0) -> Tensor:
        """Count the occurrences of each integer from 0 on in ``input``, or sum their ``weights``.

        >>> import minigrad
        >>> minigrad.bincount(minigrad.tensor([3, 1, 1]))
        tensor([0, 2, 0, 1])
        """
    def bitwise_and(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Bitwise AND of integers; logical AND of bool.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> bin(minigrad.bitwise_and(minigrad.tensor(0b1100), minigrad.tensor(0b1010)))
        '0b1000'
        """
    def bitwise_and_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``bitwise_and``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.bitwise_and_(x) is x
        True
        """
    def bitwise_left_shift(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Shift the bits of x left by y: x 2ʸ; 0 where y is negative or at least the width of the dtype.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.bitwise_left_shift(minigrad.tensor([1, 3]), minigrad.tensor([4, 1]))
        tensor([16,  6])
        """
    def bitwise_left_shift_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``bitwise_left_shift``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.bitwise_left_shift_(x) is x
        True
        """
    def bitwise_not(self, *, out: Tensor | None = None) -> Tensor:
        """Bitwise NOT of integers; logical NOT of bool.

        >>> import minigrad
        >>> minigrad.bitwise_not(minigrad.tensor([0, 3]))
        tensor([-1, -4])
        """
    def bitwise_not_(self) -> Tensor:
        """In-place version of ``bitwise_not``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.bitwise_not_() is x
        True
        """
    def bitwise_or(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Bitwise OR of integers; logical OR of bool.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> bin(minigrad.bitwise_or(minigrad.tensor(0b1100), minigrad.tensor(0b1010)))
        '0b1110'
        """
    def bitwise_or_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``bitwise_or``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.bitwise_or_(x) is x
        True
        """
    def bitwise_right_shift(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Shift the bits of x right by y: x / 2ʸ, rounded down; only the sign remains where y is negative or at least the width of the dtype.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.bitwise_right_shift(minigrad.tensor([17, -17]), 2)
        tensor([ 4, -5])
        """
    def bitwise_right_shift_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``bitwise_right_shift``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.bitwise_right_shift_(x) is x
        True
        """
    def bitwise_xor(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Bitwise XOR of integers and bool.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> bin(minigrad.bitwise_xor(minigrad.tensor(0b1100), minigrad.tensor(0b1010)))
        '0b110'
        """
    def bitwise_xor_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``bitwise_xor``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.bitwise_xor_(x) is x
        True
        """
    def bmm(self, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Multiply two batches of matrices, ``(b, n, k) @ (b, k, m) -> (b, n, m)``.

        >>> import minigrad
        >>> minigrad.bmm(minigrad.ones(2, 1, 3), minigrad.ones(2, 3, 1)).flatten()
        tensor([3., 3.])
        """
    def bool(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``bool``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0., 2.]).bool()
        tensor([False,  True])
        """
    def broadcast_to(self, *sizes: builtins.int | Sequence[builtins.int], size: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Return a view expanded to a size, which may be given as separate arguments; see ``broadcast_to``.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).broadcast_to(2, 2)
        tensor([[1, 2],
                [1, 2]])
        """
    def byte(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``uint8``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).byte()
        tensor([1, 2], dtype=torch.uint8)
        """
    def cauchy_(self, median: builtins.float = 0, sigma: builtins.float = 1, *, generator: Any = None) -> Tensor:
        """Fill with numbers from the Cauchy distribution; return the tensor.

        >>> import minigrad
        >>> minigrad.empty(3).cauchy_().shape
        torch.Size([3])
        """
    def ccol_indices(self) -> Tensor:
        """Return the positions among the values where the columns of a CSC or BSC tensor begin: (columns + 1).

        >>> import minigrad
        >>> minigrad.eye(2).to_sparse_csc().ccol_indices()
        tensor([0, 1, 2])
        """
    def cdouble(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``complex128``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0, 1]).cdouble().dtype
        torch.complex128
        """
    def ceil(self, *, out: Tensor | None = None) -> Tensor:
        """Each element rounded up: z = the least integer not below x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.ceil(minigrad.tensor([-1.5, 1.5]))
        tensor([-1.,  2.])
        """
    def ceil_(self) -> Tensor:
        """In-place version of ``ceil``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.ceil_() is x
        True
        """
    def cfloat(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``complex64``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0, 1]).cfloat().dtype
        torch.complex64
        """
    def chalf(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``complex32``: complex numbers whose parts are ``float16``.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).chalf()
        tensor([1.+0.j, 2.+0.j], dtype=torch.complex32)
        """
    def char(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``int8``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([1., -2.]).char()
        tensor([ 1, -2], dtype=torch.int8)
        """
    def cholesky(self, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
        """Return the result of ``linalg.cholesky``; deprecated.

        >>> import minigrad
        >>> minigrad.cholesky(minigrad.tensor([[4.]]))
        tensor([[2.]])
        """
    def cholesky_inverse(self, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
        """Return the inverse of ``L Lᴴ``, or of ``Lᴴ L`` with ``upper``, where L is ``input``.

        ``input`` is (..., n, n), of a floating or complex dtype, as is the result.

        >>> import minigrad
        >>> minigrad.cholesky_inverse(minigrad.tensor([[2.]]))
        tensor([[0.2500]])
        """
    def cholesky_solve(self, input2: Tensor, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
        """Solve ``A X = input`` for ``A = L Lᴴ``, or ``Lᴴ L`` with ``upper``, where L is ``input2``.

        ``input`` is (..., n, k), ``input2`` (..., n, n); floating and complex dtypes.

        >>> import minigrad
        >>> minigrad.cholesky_solve(minigrad.tensor([[8.]]), minigrad.tensor([[2.]]))
        tensor([[2.]])
        """
    def chunk(self, chunks: builtins.int, dim: builtins.int = 0, *, axis: Any = None) -> builtins.tuple[Tensor, ...]:
        """Split along a dimension into a tuple of at most ``chunks`` views of equal size (the last may be smaller).

        Raises RuntimeError for a 0-dim tensor, or if ``chunks`` is not positive.

        >>> import minigrad
        >>> minigrad.chunk(minigrad.arange(5), 2)
        (tensor([0, 1, 2]), tensor([3, 4]))
        """
    def clamp(self, min: Tensor | builtins.complex | None = None, max: Tensor | builtins.complex | None = None, *, out: Tensor | None = None) -> Tensor:
        """Limit each element to [min, max], each a number, a tensor or None; ``max`` wins if the limits cross, and nan stays nan.

        Raises RuntimeError if both are None.

        >>> import minigrad
        >>> minigrad.clamp(minigrad.tensor([-1., 0.5, 2.]), 0, 1)
        tensor([0.0000, 0.5000, 1.0000])
        """
    def clamp_(self, min: Tensor | builtins.complex | None = None, max: Tensor | builtins.complex | None = None) -> Tensor:
        """In-place version of ``clamp``.

        >>> import minigrad
        >>> minigrad.tensor([-1., 0.5, 2.]).clamp_(0, 1)
        tensor([0.0000, 0.5000, 1.0000])
        """
    def clamp_max(self, max: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Limit each element to at most ``max``, a number or a tensor.

        >>> import minigrad
        >>> minigrad.clamp_max(minigrad.tensor([-1., 2.]), 0)
        tensor([-1.,  0.])
        """
    def clamp_max_(self, max: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``clamp_max``.

        >>> import minigrad
        >>> minigrad.tensor([-1., 2.]).clamp_max_(0)
        tensor([-1.,  0.])
        """
    def clamp_min(self, min: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Limit each element to at least ``min``, a number or a tensor.

        >>> import minigrad
        >>> minigrad.clamp_min(minigrad.tensor([-1., 2.]), 0)
        tensor([0., 2.])
        """
    def clamp_min_(self, min: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``clamp_min``.

        >>> import minigrad
        >>> minigrad.tensor([-1., 2.]).clamp_min_(0)
        tensor([0., 2.])
        """
    def clip(self, min: Tensor | builtins.complex | None = None, max: Tensor | builtins.complex | None = None, *, out: Tensor | None = None) -> Tensor:
        """Limit each element to [min, max], each a number, a tensor or None; ``max`` wins if the limits cross, and nan stays nan.

        Raises RuntimeError if both are None.

        >>> import minigrad
        >>> minigrad.clamp(minigrad.tensor([-1., 0.5, 2.]), 0, 1)
        tensor([0.0000, 0.5000, 1.0000])
        """
    def clip_(self, min: Tensor | builtins.complex | None = None, max: Tensor | builtins.complex | None = None) -> Tensor:
        """In-place version of ``clamp``.

        >>> import minigrad
        >>> minigrad.tensor([-1., 0.5, 2.]).clamp_(0, 1)
        tensor([0.0000, 0.5000, 1.0000])
        """
    def clone(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Return a copy of ``input`` through which gradients flow.

        Keeps shape and dtype.

        >>> import minigrad
        >>> minigrad.clone(minigrad.tensor([1, 2]))
        tensor([1, 2])
        """
    def coalesce(self) -> Tensor:
        """Return the tensor with sorted indices and the values of equal indices summed; itself if it is coalesced already.

        >>> import minigrad
        >>> minigrad.sparse_coo_tensor([[1, 0, 1]], [1., 2., 3.], (2,)).coalesce().values()
        tensor([2., 4.])
        """
    def col_indices(self) -> Tensor:
        """Return the column of each value of a CSR or BSR tensor.

        >>> import minigrad
        >>> minigrad.eye(2).to_sparse_csr().col_indices()
        tensor([0, 1])
        """
    def conj(self) -> Tensor:
        """Return the conjugate of a complex tensor, as a view; a real tensor itself.

        Conjugation happens when the elements are read; see ``resolve_conj``.

        >>> import minigrad
        >>> z = minigrad.tensor([1 + 2j])
        >>> minigrad.conj(z)
        tensor([1.-2.j])
        >>> minigrad.conj(z).mul_(2).is_conj(), z
        (True, tensor([2.+4.j]))
        """
    def conj_physical(self, *, out: Tensor | None = None) -> Tensor:
        """Return the conjugate of a complex tensor in new memory; a real tensor itself.

        >>> import minigrad
        >>> minigrad.conj_physical(minigrad.tensor([1 + 2j]))
        tensor([1.-2.j])
        """
    def conj_physical_(self) -> Tensor:
        """In-place version of ``conj_physical``.

        >>> import minigrad
        >>> minigrad.tensor([1 + 2j]).conj_physical_()
        tensor([1.-2.j])
        """
    def const_data_ptr(self) -> builtins.int:
        """Return the address of the first element.

        A view that begins where the tensor begins has the same address.

        >>> import minigrad
        >>> x = minigrad.ones(3)
        >>> x[:2].data_ptr() == x.data_ptr()
        True
        """
    def contiguous(self, *, memory_format: _memory_format = ...) -> Tensor:
        """Return the tensor itself if its elements lie in memory in index order (or in that of ``memory_format``), else a copy that does.

        >>> import minigrad
        >>> x = minigrad.ones(2, 3)
        >>> x.contiguous() is x
        True
        """
    def copy_(self, other: Tensor, non_blocking: builtins.bool = False) -> Tensor:
        """Copy the values of ``other`` into the tensor, with broadcasting and conversion; return the tensor.

        Keeps shape and dtype.

        >>> import minigrad
        >>> minigrad.zeros(2).copy_(minigrad.tensor([1, 2]))
        tensor([1., 2.])
        """
    def copysign(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Compute ``|input|`` with the sign of ``other``, a tensor or a number; integers become the default dtype.

        >>> import minigrad
        >>> minigrad.copysign(minigrad.tensor([1., -2.]), -0.)
        tensor([-1., -2.])
        """
    def copysign_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``copysign``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.copysign_(x) is x
        True
        """
    def corrcoef(self) -> Tensor:
        """Return the correlation matrix of the rows of ``input``, whose columns are observations: ``cov`` scaled to ones on the diagonal.

        >>> import minigrad
        >>> minigrad.corrcoef(minigrad.tensor([[1., 2., 3.], [3., 2., 1.]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
        """
    def cos(self, *, out: Tensor | None = None) -> Tensor:
        """The cosine of each element: z = cos x;   dz/dx = -sin x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.cos(minigrad.tensor([0., 1.]))
        tensor([1.0000, 0.5403])
        """
    def cos_(self) -> Tensor:
        """In-place version of ``cos``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.cos_() is x
        True
        """
    def cosh(self, *, out: Tensor | None = None) -> Tensor:
        """The hyperbolic cosine of each element: z = cosh x;   dz/dx = sinh x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.cosh(minigrad.tensor([0., 1.]))
        tensor([1.0000, 1.5431])
        """
    def cosh_(self) -> Tensor:
        """In-place version of ``cosh``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.cosh_() is x
        True
        """
    def count_nonzero(self, dim: builtins.int | Sequence[builtins.int] | None = None, **names: Any) -> Tensor:
        """Count the non-zero elements: of the whole tensor, or along ``dim``.

        >>> import minigrad
        >>> minigrad.count_nonzero(minigrad.tensor([[1, 0], [1, 1]]), dim=0)
        tensor([2, 1])
        """
    def cov(self, *, correction: builtins.int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
        """Return the covariance matrix of the rows of ``input``, whose columns are observations; a vector is one row.

        ``fweights`` (integers) says how often each observation occurs, ``aweights`` how much it counts. Divides by the sum of weights less
        ``correction``. Raises RuntimeError for bools, and for weights that do not fit.

        >>> import minigrad
        >>> minigrad.cov(minigrad.tensor([[1., 2., 3.], [3., 2., 1.]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
        """
    def cpu(self, *, memory_format: _memory_format = ...) -> Tensor:
        """Return the tensor itself, which is on the CPU already.

        >>> import minigrad
        >>> x = minigrad.ones(2)
        >>> x.cpu() is x
        True
        """
    @property
    def creator(self) -> Node | None: ...
    def cross(self, other: Tensor, dim: builtins.int | None = None, *, out: Tensor | None = None) -> Tensor:
        """Return the cross product along ``dim``, by default the first dimension of size 3; see ``linalg.cross``.

        >>> import minigrad
        >>> minigrad.cross(minigrad.tensor([1., 0., 0.]), minigrad.tensor([0., 1., 0.]), dim=0)
        tensor([0., 0., 1.])
        """
    def crow_indices(self) -> Tensor:
        """Return the positions among the values where the rows of a CSR or BSR tensor begin: (rows + 1).

        >>> import minigrad
        >>> minigrad.eye(2).to_sparse_csr().crow_indices()
        tensor([0, 1, 2])
        """
    def cuda(self, device: _Device = None, non_blocking: builtins.bool = False, *, memory_format: _memory_format = ...) -> Tensor:
        """Raise AssertionError: CUDA is not supported.

        >>> import minigrad
        >>> minigrad.ones(2).cuda()
        Traceback (most recent call last):
            ...
        AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
        """
    def cummax(self, dim: builtins.int | None = None, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.cummax:
        """Return the cumulative maxima along ``dim``, and their indices: the last one among equals.

        >>> import minigrad
        >>> minigrad.cummax(minigrad.tensor([1., 3., 2.]), 0).values
        tensor([1., 3., 3.])
        """
    def cummin(self, dim: builtins.int | None = None, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.cummin:
        """Return the cumulative minima along ``dim``, and their indices: the last one among equals.

        >>> import minigrad
        >>> minigrad.cummin(minigrad.tensor([3., 1., 2.]), 0).values
        tensor([3., 1., 1.])
        """
    def cumprod(self, dim: builtins.int | None = None, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the cumulative products along ``dim``; integers and bools are multiplied in ``int64``.

        >>> import minigrad
        >>> minigrad.cumprod(minigrad.tensor([1., 2., 3.]), 0)
        tensor([1., 2., 6.])
        """
    def cumprod_(self, dim: builtins.int, *, dtype: _dtype | None = None) -> Tensor:
        """In-place version of ``cumprod``; returns the tensor.

        >>> import minigrad
        >>> minigrad.tensor([1, 2, 3]).cumprod_(0)
        tensor([1, 2, 6])
        """
    def cumsum(self, dim: builtins.int | None = None, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the cumulative sums along ``dim``; integers and bools are summed in ``int64``.

        >>> import minigrad
        >>> minigrad.cumsum(minigrad.tensor([1., 2., 3.]), 0)
        tensor([1., 3., 6.])
        """
    def cumsum_(self, dim: builtins.int, *, dtype: _dtype | None = None) -> Tensor:
        """In-place version of ``cumsum``; returns the tensor.

        >>> import minigrad
        >>> minigrad.tensor([1, 2, 3]).cumsum_(0)
        tensor([1, 3, 6])
        """
    @property
    def data(self) -> Tensor: ...
    @data.setter
    def data(self, value: Any) -> None: ...
    def data_ptr(self) -> builtins.int:
        """Return the address of the first element.

        A view that begins where the tensor begins has the same address.

        >>> import minigrad
        >>> x = minigrad.ones(3)
        >>> x[:2].data_ptr() == x.data_ptr()
        True
        """
    def deg2rad(self, *, out: Tensor | None = None) -> Tensor:
        """Degrees converted to radians: z = x π / 180.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.deg2rad(minigrad.tensor([0, 90, 180]))
        tensor([0.0000, 1.5708, 3.1416])
        """
    def deg2rad_(self) -> Tensor:
        """In-place version of ``deg2rad``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.deg2rad_() is x
        True
        """
    def dense_dim(self) -> Tensor:
        """Return the number of dimensions of the values of a sparse tensor; all dimensions for a dense tensor.

        >>> import minigrad
        >>> minigrad.ones(2, 3).to_sparse(1).dense_dim()
        1
        """
    def dequantize(self) -> Tensor:
        """Return the tensor in float32: minigrad has no quantised tensors, for which PyTorch's function would return the numbers that they stand for.

        >>> import minigrad
        >>> minigrad.dequantize(minigrad.tensor([1, 2]))
        tensor([1., 2.])
        """
    def det(self) -> Tensor:
        """Return the determinants of square matrices ``(..., n, n) -> (...)``, as ``linalg.det``.

        >>> import minigrad
        >>> minigrad.det(minigrad.tensor([[2., 0.], [0., 3.]]))
        tensor(6.)
        """
    def detach(self) -> Tensor:
        """Return a view without gradient history; it shares the version counter, so that writes to it are noticed.

        Keeps shape and dtype.

        >>> import minigrad
        >>> minigrad.ones(2, requires_grad=True).detach().requires_grad
        False
        """
    def detach_(self) -> Tensor:
        """Forget the gradient history of this tensor; raise RuntimeError for a view.

        >>> import minigrad
        >>> x = minigrad.tensor([1.], requires_grad=True) * 2
        >>> x.detach_().requires_grad
        False
        """
    @property
    def device(self) -> _device: ...
    def diag(self, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
        """Return a matrix with a vector on its diagonal, or a copy of a matrix's diagonal; a positive ``diagonal`` lies above the main one.

        Raises RuntimeError for other than one or two dimensions.

        >>> import minigrad
        >>> minigrad.diag(minigrad.tensor([[1, 2], [3, 4]]))
        tensor([1, 4])
        """
    def diag_embed(self, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1) -> Tensor:
        """Return zeros with the last dimension of ``input`` on the diagonals of matrices that two new dimensions span.

        Raises RuntimeError if they are the same, IndexError for one out of range.

        >>> import minigrad
        >>> minigrad.diag_embed(minigrad.tensor([1, 2]))
        tensor([[1, 0],
                [0, 2]])
        """
    def diagflat(self, offset: builtins.int = 0) -> Tensor:
        """Return a matrix with all elements of ``input`` on its diagonal.

        >>> import minigrad
        >>> minigrad.diagflat(minigrad.tensor([[1], [2]]))
        tensor([[1, 0],
                [0, 2]])
        """
    def diagonal(self, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
        """Return a view of the diagonals of the matrices that two dimensions span, as the last dimension; a positive ``offset`` lies above the
        main one.

        Raises RuntimeError if the dimensions are the same, IndexError for one out of range.

        >>> import minigrad
        >>> minigrad.diagonal(minigrad.tensor([[1, 2], [3, 4]]))
        tensor([1, 4])
        """
    def diagonal_scatter(self, src: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
        """Return a copy of ``input`` with ``src`` on its diagonals; raises RuntimeError if the shape does not fit.

        >>> import minigrad
        >>> minigrad.diagonal_scatter(minigrad.zeros(2, 2), minigrad.ones(2))
        tensor([[1., 0.],
                [0., 1.]])
        """
    def diff(self, n: builtins.int = 1, dim: builtins.int = -1, prepend: Tensor | None = None, append: Tensor | None = None, *, out: Tensor | None = None, axis: Any = None) -> Tensor:
        """Return the n-th differences of neighbouring elements along ``dim``, after ``prepend`` and ``append`` are joined on; XOR for bools.

        >>> import minigrad
        >>> minigrad.diff(minigrad.tensor([1., 4., 9.]))
        tensor([3., 5.])
        """
    def digamma(self, *, out: Tensor | None = None) -> Tensor:
        """The digamma function of each element: z = d/dx log |Γ(x)|;   dz/dx = polygamma(1, x).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.digamma(minigrad.tensor([1., 2.]))
        tensor([-0.5772,  0.4228])
        """
    def digamma_(self) -> Tensor:
        """In-place version of ``digamma``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.digamma_() is x
        True
        """
    def dim(self) -> builtins.int:
        """Return the number of dimensions.

        >>> import minigrad
        >>> minigrad.ones(2, 3).dim()
        2
        """
    def dim_order(self, *, ambiguity_check: Any = False) -> Any:
        """Return the dimensions in the order of their strides, the largest first.

        >>> import minigrad
        >>> minigrad.ones(2, 3, 4).permute(2, 0, 1).dim_order()
        (1, 2, 0)
        """
    def dist(self, other: Tensor, p: builtins.complex = 2) -> Tensor:
        """Return the ``p``-norm of ``input - other``, over all elements.

        >>> import minigrad
        >>> minigrad.dist(minigrad.tensor([1., 2.]), minigrad.tensor([4., 6.]))
        tensor(5.)
        """
    def div(self, other: Tensor | builtins.complex, *, rounding_mode: builtins.str | None = None, out: Tensor | None = None) -> Tensor:
        """Divide ``input`` by ``other``, elementwise; integers give floating-point numbers unless ``rounding_mode`` is "trunc" or "floor".

        >>> import minigrad
        >>> minigrad.div(minigrad.tensor([7, -7]), 2)
        tensor([ 3.5000, -3.5000])
        >>> minigrad.div(minigrad.tensor([7, -7]), 2, rounding_mode="floor")
        tensor([ 3, -4])
        """
    def div_(self, other: Tensor | builtins.complex, *, rounding_mode: builtins.str | None = None) -> Tensor:
        """Divide by ``other`` in place; return the tensor.

        ``other`` broadcasts to the tensor's shape, and the dtype is kept. Raises RuntimeError for an integer tensor without ``rounding_mode``.

        >>> import minigrad
        >>> minigrad.tensor([7., -7.]).div_(2, rounding_mode="floor")
        tensor([ 3., -4.])
        """
    def divide(self, other: Tensor | builtins.complex, *, rounding_mode: builtins.str | None = None, out: Tensor | None = None) -> Tensor:
        """Divide ``input`` by ``other``, elementwise; integers give floating-point numbers unless ``rounding_mode`` is "trunc" or "floor".

        >>> import minigrad
        >>> minigrad.div(minigrad.tensor([7, -7]), 2)
        tensor([ 3.5000, -3.5000])
        >>> minigrad.div(minigrad.tensor([7, -7]), 2, rounding_mode="floor")
        tensor([ 3, -4])
        """
    def divide_(self, other: Tensor | builtins.complex, *, rounding_mode: builtins.str | None = None) -> Tensor:
        """Divide by ``other`` in place; return the tensor.

        ``other`` broadcasts to the tensor's shape, and the dtype is kept. Raises RuntimeError for an integer tensor without ``rounding_mode``.

        >>> import minigrad
        >>> minigrad.tensor([7., -7.]).div_(2, rounding_mode="floor")
        tensor([ 3., -4.])
        """
    def dot(self, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return the dot product of two vectors.

        >>> import minigrad
        >>> minigrad.dot(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
        tensor(11.)
        """
    def double(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``float64``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0, 1]).double().dtype
        torch.float64
        """
    def dsplit(self, indices_or_sections: Any = None, *, indices: builtins.int | Sequence[builtins.int] | None = None, sections: builtins.int | None = None) -> builtins.tuple[Tensor, ...]:
        """Split along the third dimension with ``tensor_split``; a number of sections must divide its size.

        >>> import minigrad
        >>> minigrad.dsplit(minigrad.arange(4).reshape(1, 2, 2), 2)[0].shape
        torch.Size([1, 2, 1])
        """
    @property
    def dtype(self) -> _dtype: ...
    def eig(self, eigenvectors: Any = False, *, e: Any = None, v: Any = None) -> Tensor:
        """Raise RuntimeError: removed in favour of ``linalg.eig``.

        >>> import minigrad
        >>> minigrad.eig(minigrad.eye(2))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        RuntimeError: This function was deprecated since version 1.9 and is now removed...
        """
    def element_size(self) -> builtins.int:
        """Return the size of an element in bytes.

        >>> import minigrad
        >>> minigrad.ones(2, dtype=minigrad.float64).element_size()
        8
        """
    def eq(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x == y, elementwise; nan equals nothing.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.eq(minigrad.tensor([1., float("nan")]), minigrad.tensor([1., float("nan")]))
        tensor([ True, False])
        """
    def eq_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``eq``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.eq_(x) is x
        True
        """
    def equal(self, other: Tensor) -> builtins.bool:
        """Return whether two tensors have the same shape and elements, as a Python bool.

        >>> import minigrad
        >>> minigrad.equal(minigrad.tensor([1, 2]), minigrad.tensor([1, 2]))
        True
        """
    def erf(self, *, out: Tensor | None = None) -> Tensor:
        """The error function of each element: z = 2/√π times the integral of exp(-t²) from 0 to x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.erf(minigrad.tensor([-1., 0., 3.]))
        tensor([-0.8427,  0.0000,  1.0000])
        """
    def erf_(self) -> Tensor:
        """In-place version of ``erf``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.erf_() is x
        True
        """
    def erfc(self, *, out: Tensor | None = None) -> Tensor:
        """The complementary error function of each element: z = 1 - erf x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.erfc(minigrad.tensor([-1., 0., 5.]))
        tensor([1.8427e+00, 1.0000e+00, 1.5375e-12])
        """
    def erfc_(self) -> Tensor:
        """In-place version of ``erfc``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.erfc_() is x
        True
        """
    def erfinv(self, *, out: Tensor | None = None) -> Tensor:
        """The inverse error function of each element: z = the number whose erf is x;   dz/dx = √π/2 exp(z²).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.erfinv(minigrad.tensor([0., 0.5, 1.]))
        tensor([0.0000, 0.4769,    inf])
        """
    def erfinv_(self) -> Tensor:
        """In-place version of ``erfinv``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.erfinv_() is x
        True
        """
    def exp(self, *, out: Tensor | None = None) -> Tensor:
        """The exponential of each element: z = eˣ;   dz/dx = z.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.exp(minigrad.tensor([0, 1, 2]))
        tensor([1.0000, 2.7183, 7.3891])
        """
    def exp2(self, *, out: Tensor | None = None) -> Tensor:
        """Two to the power of each element: z = 2ˣ;   dz/dx = z log 2.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.exp2(minigrad.tensor([0., 3., -1.]))
        tensor([1.0000, 8.0000, 0.5000])
        """
    def exp2_(self) -> Tensor:
        """In-place version of ``exp2``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.exp2_() is x
        True
        """
    def exp_(self) -> Tensor:
        """In-place version of ``exp``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.exp_() is x
        True
        """
    def expand(self, *sizes: builtins.int | Sequence[builtins.int], size: builtins.int | Sequence[builtins.int] | None = None, implicit: builtins.bool = False) -> Tensor:
        """Return a view repeated along dimensions of size one and along new leading ones; -1 keeps a size.

        Raises RuntimeError if a dimension of another size would have to change.

        >>> import minigrad
        >>> minigrad.tensor([[1], [2]]).expand(-1, 3)
        tensor([[1, 1, 1],
                [2, 2, 2]])
        """
    def expand_as(self, other: Tensor) -> Tensor:
        """Return ``input.expand(other.size())``.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).expand_as(minigrad.ones(2, 2))
        tensor([[1, 2],
                [1, 2]])
        """
    def expm1(self, *, out: Tensor | None = None) -> Tensor:
        """The exponential of each element minus one: z = eˣ - 1, exact near 0;   dz/dx = z + 1.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.expm1(minigrad.tensor([0., 1e-10]))
        tensor([0.0000e+00, 1.0000e-10])
        """
    def expm1_(self) -> Tensor:
        """In-place version of ``expm1``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.expm1_() is x
        True
        """
    def exponential_(self, lambd: builtins.float = 1, *, generator: Any = None) -> Tensor:
        """Fill with exponentially distributed numbers of mean ``1 / lambd``; return the tensor.

        >>> import minigrad
        >>> x = minigrad.empty(1000).exponential_(2.)
        >>> bool((x > 0).all()), 0.4 < x.mean().item() < 0.6
        (True, True)
        """
    def fill_(self, value: Tensor | builtins.complex) -> Tensor:
        """Set every element to ``value``, a number or a 0-dim tensor; return the tensor.

        >>> import minigrad
        >>> minigrad.zeros(2).fill_(7)
        tensor([7., 7.])
        """
    def fill_diagonal_(self, fill_value: builtins.complex, wrap: builtins.bool = False) -> Tensor:
        """Fill the main diagonal with a number; with ``wrap``, the diagonal of a tall matrix starts again below, after skipping one row.

        Raises RuntimeError for fewer than two dimensions, and for more than two of different sizes.

        >>> import minigrad
        >>> minigrad.zeros(2, 2).fill_diagonal_(1)
        tensor([[1., 0.],
                [0., 1.]])
        """
    def fix(self, *, out: Tensor | None = None) -> Tensor:
        """Each element rounded towards zero: z = x without its fraction.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.trunc(minigrad.tensor([-1.5, 1.5]))
        tensor([-1.,  1.])
        """
    def fix_(self) -> Tensor:
        """In-place version of ``trunc``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.trunc_() is x
        True
        """
    def flatten(self, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
        """Merge the dimensions ``start_dim`` to ``end_dim`` into one: ``input`` itself, a view or a copy, as the memory allows.

        Raises RuntimeError if ``start_dim`` comes after ``end_dim``, IndexError for one out of range.

        >>> import minigrad
        >>> minigrad.flatten(minigrad.zeros(2, 3, 4), 1).shape
        torch.Size([2, 12])
        """
    def flip(self, *given: Any, dims: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Return a copy with the order of elements reversed along the given dimensions, which may be separate arguments; see ``flip``.

        >>> import minigrad
        >>> minigrad.tensor([[1, 2], [3, 4]]).flip(0, 1)
        tensor([[4, 3],
                [2, 1]])
        """
    def fliplr(self) -> Tensor:
        """Return a copy with the second dimension reversed; raise RuntimeError if there is none.

        >>> import minigrad
        >>> minigrad.fliplr(minigrad.tensor([[1, 2]]))
        tensor([[2, 1]])
        """
    def flipud(self) -> Tensor:
        """Return a copy with the first dimension reversed; raise RuntimeError if there is none.

        >>> import minigrad
        >>> minigrad.flipud(minigrad.tensor([1, 2]))
        tensor([2, 1])
        """
    def float(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``float32``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0, 1]).float().dtype
        torch.float32
        """
    def float_power(self, exponent: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Raise ``input`` to the power ``exponent`` in float64 (complex128 for complex operands).

        >>> import minigrad
        >>> minigrad.float_power(minigrad.tensor([1, 2, 3]), 2)
        tensor([1., 4., 9.], dtype=torch.float64)
        """
    def float_power_(self, exponent: Tensor | builtins.complex) -> Tensor:
        """Raise a tensor of float64 or complex128 to the power ``exponent`` in place.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.], dtype=minigrad.float64).float_power_(3)
        tensor([1., 8.], dtype=torch.float64)
        """
    def floor(self, *, out: Tensor | None = None) -> Tensor:
        """Each element rounded down: z = the greatest integer not above x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.floor(minigrad.tensor([-1.5, 1.5]))
        tensor([-2.,  1.])
        """
    def floor_(self) -> Tensor:
        """In-place version of ``floor``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.floor_() is x
        True
        """
    def floor_divide(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Division rounded down to an integer: z = x / y rounded down.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.floor_divide(minigrad.tensor([7., -7.]), 2)
        tensor([ 3., -4.])
        """
    def floor_divide_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``floor_divide``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.floor_divide_(x) is x
        True
        """
    def fmax(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The maximum of two tensors that ignores nan, element by element: z = the greater of x and y, or the one that is no nan; of equal ones x takes the gradient.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.fmax(minigrad.tensor([1., float("nan")]), minigrad.tensor([2., 3.]))
        tensor([2., 3.])
        """
    def fmin(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The minimum of two tensors that ignores nan, element by element: z = the less of x and y, or the one that is no nan; of equal ones x takes the gradient.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.fmin(minigrad.tensor([1., float("nan")]), minigrad.tensor([2., 3.]))
        tensor([1., 3.])
        """
    def fmod(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Compute ``input - trunc(input / other) * other``, elementwise, with the sign of ``input``, like C's ``fmod``.

        Raises RuntimeError where integers are divided by zero.

        >>> import minigrad
        >>> minigrad.fmod(minigrad.tensor([-3., 3.]), 2)
        tensor([-1.,  1.])
        """
    def fmod_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``fmod``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.fmod_(x) is x
        True
        """
    def frac(self, *, out: Tensor | None = None) -> Tensor:
        """The fractional part of each element: z = x - trunc x, with x's sign.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.frac(minigrad.tensor([-1.5, 1.25]))
        tensor([-0.5000,  0.2500])
        """
    def frac_(self) -> Tensor:
        """In-place version of ``frac``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.frac_() is x
        True
        """
    def frexp(self, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.frexp:
        """Return (mantissa, exponent) such that ``input == mantissa * 2 ** exponent`` and |mantissa| in [0.5, 1), for floating tensors.

        >>> import minigrad
        >>> minigrad.frexp(minigrad.tensor([8.])).exponent
        tensor([4], dtype=torch.int32)
        """
    def gather(self, dim: builtins.int | None = None, index: Tensor | None = None, *, sparse_grad: builtins.bool = False, out: Tensor | None = None, axis: Any = None) -> Tensor:
        """Pick the elements of ``input`` at ``index`` along a dimension; the result has the shape of ``index``.

        ``index`` (int32 or int64) may be smaller than ``input`` in the other dimensions. With ``sparse_grad``, the gradient of a leaf is
        sparse. Raises RuntimeError for an index out of range.

        >>> import minigrad
        >>> minigrad.gather(minigrad.tensor([[1, 2], [3, 4]]), 1, minigrad.tensor([[0], [1]]))
        tensor([[1],
                [4]])
        """
    def gcd(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The greatest common divisor of two integers, never negative.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.gcd(minigrad.tensor([12, -8]), minigrad.tensor([18, 12]))
        tensor([6, 4])
        """
    def gcd_(self, other: Tensor) -> Tensor:
        """In-place version of ``gcd``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.gcd_(x) is x
        True
        """
    def ge(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x >= y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.ge(minigrad.tensor([1, 2, 3]), 2)
        tensor([False,  True,  True])
        """
    def ge_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``ge``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.ge_(x) is x
        True
        """
    def geometric_(self, p: builtins.float, *, generator: Any = None) -> Tensor:
        """Fill with the numbers of trials up to the first success of probability ``p``; return the tensor.

        >>> import minigrad
        >>> minigrad.empty(3, dtype=minigrad.int64).geometric_(0.999999).shape
        torch.Size([3])
        """
    def geqrf(self, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.geqrf:
        """Return R with the vectors of Householder reflections below it, and their factors, as ``linalg.householder_product`` takes them.

        >>> import minigrad
        >>> minigrad.geqrf(minigrad.tensor([[3.], [4.]])).a
        tensor([[-5.0000],
                [ 0.5000]])
        """
    def ger(self, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return the outer product of two vectors: ``(n,), (m,) -> (n, m)``.

        >>> import minigrad
        >>> minigrad.outer(minigrad.tensor([1, 2]), minigrad.tensor([3, 4]))
        tensor([[3, 4],
                [6, 8]])
        """
    def get_device(self) -> builtins.int:
        """Return the index of the device: -1 for the CPU.

        >>> import minigrad
        >>> minigrad.ones(2).get_device()
        -1
        """
    @property
    def grad(self) -> Tensor | None: ...
    @grad.setter
    def grad(self, value: Any) -> None: ...
    @property
    def grad_dtype(self) -> Tensor: ...
    @grad_dtype.setter
    def grad_dtype(self, value: Any) -> None: ...
    @property
    def grad_fn(self) -> Node | None: ...
    def greater(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x > y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.gt(minigrad.tensor([1, 2, 3]), 2)
        tensor([False, False,  True])
        """
    def greater_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``gt``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.gt_(x) is x
        True
        """
    def greater_equal(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x >= y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.ge(minigrad.tensor([1, 2, 3]), 2)
        tensor([False,  True,  True])
        """
    def greater_equal_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``ge``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.ge_(x) is x
        True
        """
    def gt(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x > y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.gt(minigrad.tensor([1, 2, 3]), 2)
        tensor([False, False,  True])
        """
    def gt_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``gt``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.gt_(x) is x
        True
        """
    def half(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``float16``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0, 1]).half().dtype
        torch.float16
        """
    def hardshrink(self, lambd: builtins.complex = ..., *, out: Tensor | None = None) -> Tensor:
        """Set elements within [``-lambd``, ``lambd``] to zero, and keep the others.

        Keeps shape and dtype.

        >>> import minigrad
        >>> minigrad.hardshrink(minigrad.tensor([-1., 0.2, 0.7]))
        tensor([-1.0000,  0.0000,  0.7000])
        """
    def hash_tensor(self, dim: builtins.int | Sequence[builtins.int] = ..., *, keepdim: builtins.bool = False, mode: builtins.int = 0, out: Tensor | None = None) -> Tensor:
        """Return the XOR of the elements' bits, over all or along ``dim``, as uint64.

        Floats count as float64, integers as int64. Raises RuntimeError for a ``mode`` other than 0 and if there is nothing to reduce.

        >>> import minigrad
        >>> minigrad.hash_tensor(minigrad.tensor([1, 2, 4])).item()
        7
        """
    def heaviside(self, values: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return 0 where ``input`` is negative, 1 where it is positive, and ``values`` where it is zero; not differentiable.

        Shapes broadcast; both must have the same dtype, which is the result's.

        >>> import minigrad
        >>> minigrad.heaviside(minigrad.tensor([-1., 0., 2.]), minigrad.tensor([0.5]))
        tensor([0.0000, 0.5000, 1.0000])
        """
    def heaviside_(self, values: Tensor) -> Tensor:
        """In-place version of ``heaviside``.

        >>> import minigrad
        >>> minigrad.tensor([-1., 0., 2.]).heaviside_(minigrad.tensor([0.5]))
        tensor([0.0000, 0.5000, 1.0000])
        """
    def histc(self, bins: builtins.int = 100, min: builtins.complex = 0, max: builtins.complex = 0, *, out: Tensor | None = None) -> Tensor:
        """Count the elements in each of ``bins`` equal bins from ``min`` to ``max``, or over the range of the data if both are equal.

        >>> import minigrad
        >>> minigrad.histc(minigrad.tensor([1., 2., 1.]), bins=4, min=0, max=3)
        tensor([0., 2., 1., 0.])
        """
    def histogram(self, bins: Tensor | builtins.int = 100, *, range: Any = None, weight: Tensor | None = None, density: builtins.bool = False, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.histogram:
        """Count the elements between ``bins`` equally spaced edges, or between given edges; return the counts and the edges.

        ``weight`` counts each element by its weight; with ``density`` the histogram integrates to 1.

        >>> import minigrad
        >>> minigrad.histogram(minigrad.tensor([1., 2., 1.]), bins=4, range=(0., 3.)).hist
        tensor([0., 2., 1., 0.])
        """
    def hsplit(self, indices_or_sections: Any = None, *, indices: builtins.int | Sequence[builtins.int] | None = None, sections: builtins.int | None = None) -> builtins.tuple[Tensor, ...]:
        """Split along the second dimension (of a vector, the first) with ``tensor_split``; a number of sections must divide its size.

        >>> import minigrad
        >>> minigrad.hsplit(minigrad.arange(4).reshape(1, 2, 2), 2)[0].shape
        torch.Size([1, 1, 2])
        """
    def hypot(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The length of the hypotenuse of a right triangle: z = √(x² + y²).

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.hypot(minigrad.tensor([3., 5.]), minigrad.tensor([4., 12.]))
        tensor([ 5., 13.])
        """
    def hypot_(self, other: Tensor) -> Tensor:
        """In-place version of ``hypot``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.hypot_(x) is x
        True
        """
    def i0(self, *, out: Tensor | None = None) -> Tensor:
        """The modified Bessel function of the first kind of order 0: z = I₀(x);   dz/dx = I₁(x).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.i0(minigrad.tensor([0., 1.]))
        tensor([1.0000, 1.2661])
        """
    def i0_(self) -> Tensor:
        """In-place version of ``i0``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.i0_() is x
        True
        """
    def igamma(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The regularised lower incomplete gamma function: z = 1/Γ(x) times the integral of tˣ⁻¹ e⁻ᵗ from 0 to y;   dz/dy = yˣ⁻¹ e⁻ʸ / Γ(x).

        Needs SciPy.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.igamma(minigrad.tensor([1.]), minigrad.tensor([2.]))
        tensor([0.8647])
        """
    def igamma_(self, other: Tensor) -> Tensor:
        """In-place version of ``igamma``; returns the tensor.  Needs SciPy.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.igamma_(x) is x
        True
        """
    def igammac(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The regularised upper incomplete gamma function: z = 1/Γ(x) times the integral of tˣ⁻¹ e⁻ᵗ from y on;   dz/dy = -yˣ⁻¹ e⁻ʸ / Γ(x).

        Needs SciPy.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.igammac(minigrad.tensor([1.]), minigrad.tensor([2.]))
        tensor([0.1353])
        """
    def igammac_(self, other: Tensor) -> Tensor:
        """In-place version of ``igammac``; returns the tensor.  Needs SciPy.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.igammac_(x) is x
        True
        """
    @property
    def imag(self) -> Tensor: ...
    @imag.setter
    def imag(self, value: Any) -> None: ...
    def index_add(self, dim: builtins.int, index: Tensor, source: Tensor, *, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Return a copy of ``input`` with ``alpha`` times the slices of ``source`` added at ``index`` along a dimension.

        Raises RuntimeError if sizes or dtypes do not fit, or for an index out of range.

        >>> import minigrad
        >>> minigrad.index_add(minigrad.zeros(3), 0, minigrad.tensor([0, 0]), minigrad.tensor([1., 2.]))
        tensor([3., 0., 0.])
        """
    def index_add_(self, dim: builtins.int, index: Tensor, source: Tensor, *, alpha: builtins.complex = 1) -> Tensor:
        """In-place version of ``index_add``; returns the tensor.

        >>> import minigrad
        >>> minigrad.zeros(3).index_add_(0, minigrad.tensor([0, 2, 2]), minigrad.tensor([1., 2., 3.]))
        tensor([1., 0., 5.])
        """
    def index_copy(self, dim: builtins.int, index: Tensor, source: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return a copy of ``input`` with the slices of ``source`` at ``index`` (int64) along a dimension.

        Raises RuntimeError if shapes or dtypes do not fit, IndexError for an index out of range.

        >>> import minigrad
        >>> minigrad.index_copy(minigrad.zeros(3), 0, minigrad.tensor([2]), minigrad.tensor([7.]))
        tensor([0., 0., 7.])
        """
    def index_copy_(self, dim: builtins.int, index: Tensor, source: Tensor) -> Tensor:
        """In-place version of ``index_copy``; returns the tensor.

        >>> import minigrad
        >>> minigrad.zeros(3).index_copy_(0, minigrad.tensor([2]), minigrad.tensor([7.]))
        tensor([0., 0., 7.])
        """
    def index_fill(self, dim: builtins.int, index: Tensor, value: Tensor | builtins.complex) -> Tensor:
        """Return a copy of ``input`` with ``value``, a number or 0-dim tensor, in the slices at ``index`` (int64) along a dimension.

        Raises IndexError for an index out of range.

        >>> import minigrad
        >>> minigrad.index_fill(minigrad.tensor([1, 2, 3]), 0, minigrad.tensor([0, -1]), 9)
        tensor([9, 2, 9])
        """
    def index_fill_(self, dim: builtins.int, index: Tensor, value: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``index_fill``; returns the tensor.

        >>> import minigrad
        >>> minigrad.zeros(3).index_fill_(0, minigrad.tensor([0, 2]), 1.)
        tensor([1., 0., 1.])
        """
    def index_put(self, indices: Sequence[Tensor] | None, values: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """Return a copy of ``input`` with ``values``, broadcast, written (or with ``accumulate`` added) at ``indices``, a tuple of index tensors
        or masks.

        Raises RuntimeError if dtypes differ or shapes do not fit, IndexError for an index out of range.

        >>> import minigrad
        >>> x, i = minigrad.zeros(3), minigrad.tensor([0, 0, 2])
        >>> minigrad.index_put(x, (i,), minigrad.tensor(1.), accumulate=True)
        tensor([2., 0., 1.])
        """
    def index_put_(self, indices: Sequence[Tensor] | None, values: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """In-place version of ``index_put``; returns the tensor.

        >>> import minigrad
        >>> minigrad.zeros(3).index_put_((minigrad.tensor([0, 2]),), minigrad.tensor([1., 5.]))
        tensor([1., 0., 5.])
        """
    def index_reduce(self, dim: builtins.int, index: Tensor, source: Tensor, reduce: builtins.str, *, include_self: builtins.bool = True, out: Tensor | None = None) -> Tensor:
        """Return a copy of ``input`` with slices of ``source`` reduced into it at ``index`` along a dimension, by "prod", "mean", "amax" or "amin".

        The slices of ``input`` there are included if ``include_self``. Raises RuntimeError if shapes or dtypes do not fit.

        >>> import minigrad
        >>> minigrad.index_reduce(minigrad.ones(2), 0, minigrad.tensor([0, 0]), minigrad.tensor([2., 3.]), "prod")
        tensor([6., 1.])
        """
    def index_reduce_(self, dim: builtins.int, index: Tensor, source: Tensor, reduce: builtins.str, *, include_self: builtins.bool = True) -> Tensor:
        """In-place version of ``index_reduce``; returns the tensor.

        >>> import minigrad
        >>> minigrad.ones(3).index_reduce_(0, minigrad.tensor([2, 2]), minigrad.tensor([5., 6.]), "prod")
        tensor([ 1.,  1., 30.])
        """
    def index_select(self, dim: builtins.int | None = None, index: Tensor | None = None, *, out: Tensor | None = None, axis: Any = None) -> Tensor:
        """Return the slices of ``input`` at ``index`` (a vector of int32 or int64) along a dimension.

        Raises IndexError for an index that is negative or too large.

        >>> import minigrad
        >>> minigrad.index_select(minigrad.tensor([[1, 2], [3, 4]]), 0, minigrad.tensor([1, 1]))
        tensor([[3, 4],
                [3, 4]])
        """
    def indices(self) -> Tensor:
        """Return the indices (sparse dimensions, n) of a coalesced sparse tensor.

        >>> import minigrad
        >>> minigrad.eye(2).to_sparse().indices()
        tensor([[0, 1],
                [0, 1]])
        """
    def inner(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Sum products over the last dimensions of both operands; a 0-dim operand is a factor.

        >>> import minigrad
        >>> minigrad.inner(minigrad.ones(2, 3), minigrad.ones(3))
        tensor([3., 3.])
        """
    def int(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``int32``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0, 1]).int().dtype
        torch.int32
        """
    def inverse(self, *, out: Tensor | None = None) -> Tensor:
        """The same as ``linalg.inv``.

        >>> import minigrad
        >>> minigrad.inverse(minigrad.tensor([[2., 0.], [0., 4.]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
        """
    def ipu(self, device: _Device = None, non_blocking: builtins.bool = False, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Raise RuntimeError: tensors on Graphcore's processors are not supported.

        >>> import minigrad
        >>> minigrad.ones(2).ipu()
        Traceback (most recent call last):
            ...
        RuntimeError: PyTorch is not linked with support for ipu devices (minigrad computes on the CPU only)
        """
    def is_coalesced(self) -> Tensor:
        """Return whether a sparse tensor is known to have sorted indices without repetitions.

        >>> import minigrad
        >>> minigrad.sparse_coo_tensor([[0, 1]], [1., 2.], (2,)).is_coalesced()
        False
        """
    def is_complex(self) -> builtins.bool:
        """Return whether the dtype is complex.

        >>> import minigrad
        >>> minigrad.tensor([1j]).is_complex(), minigrad.tensor([1.]).is_complex()
        (True, False)
        """
    def is_conj(self) -> builtins.bool:
        """Return whether the tensor is a conjugate view, as ``conj()`` of a complex tensor is.

        >>> import minigrad
        >>> z = minigrad.tensor(1j)
        >>> minigrad.is_conj(z.conj()), minigrad.is_conj(z.conj().conj())
        (True, False)
        """
    def is_contiguous(self, *, memory_format: _memory_format = ...) -> builtins.bool:
        """Return whether the elements lie in memory in index order (or in that of ``memory_format``).

        >>> import minigrad
        >>> x = minigrad.ones(2, 3)
        >>> x.is_contiguous(), x.t().is_contiguous()
        (True, False)
        """
    is_cpu: builtins.bool
    is_cuda: builtins.bool
    def is_distributed(self) -> builtins.bool:
        """Return False: the tensor is not distributed.

        >>> import minigrad
        >>> minigrad.ones(2).is_distributed()
        False
        """
    def is_floating_point(self) -> builtins.bool:
        """Return whether the dtype is a floating-point dtype.

        >>> import minigrad
        >>> minigrad.ones(2).is_floating_point(), minigrad.tensor([1, 2]).is_floating_point()
        (True, False)
        """
    def is_inference(self) -> builtins.bool:
        """Return whether the tensor was made in inference mode.

        >>> import minigrad
        >>> with minigrad.inference_mode(): x = minigrad.ones(2)
        >>> x.is_inference()
        True
        """
    is_ipu: builtins.bool
    @property
    def is_leaf(self) -> builtins.bool: ...
    is_maia: builtins.bool
    @property
    def is_meta(self) -> Tensor: ...
    is_mkldnn: builtins.bool
    is_mps: builtins.bool
    is_mtia: builtins.bool
    def is_neg(self) -> builtins.bool:
        """Return whether the tensor is a negative view, as the imaginary part of a conjugate view is.

        >>> import minigrad
        >>> minigrad.is_neg(minigrad.tensor(1j).conj().imag)
        True
        """
    is_nested: builtins.bool
    def is_nonzero(self) -> builtins.bool:
        """Return whether the only element is not zero; raises RuntimeError if there are more or none.

        >>> import minigrad
        >>> minigrad.is_nonzero(minigrad.tensor([0.]))
        False
        """
    def is_pinned(self, device: _Device = None) -> builtins.bool:
        """Return False: memory is never pinned.

        >>> import minigrad
        >>> minigrad.ones(2).is_pinned()
        False
        """
    is_quantized: builtins.bool
    def is_same_size(self, other: Tensor) -> builtins.bool:
        """Return whether two tensors have the same shape.

        >>> import minigrad
        >>> minigrad.is_same_size(minigrad.ones(2), minigrad.zeros(2))
        True
        """
    def is_set_to(self, tensor: Tensor) -> builtins.bool:
        """Return whether both tensors refer to the same memory with the same shape, strides and offset.

        >>> import minigrad
        >>> x = minigrad.ones(3)
        >>> x.is_set_to(x.detach()), x.is_set_to(x[1:])
        (True, False)
        """
    def is_shared(self) -> builtins.bool:
        """Return whether the tensor's memory is shared between processes, or a file mapped into memory.

        >>> import minigrad
        >>> minigrad.ones(2).is_shared()
        False
        """
    def is_signed(self) -> builtins.bool:
        """Return whether the dtype can hold negative numbers.

        >>> import minigrad
        >>> minigrad.tensor([1], dtype=minigrad.uint8).is_signed(), minigrad.tensor([1]).is_signed()
        (False, True)
        """
    is_sparse: builtins.bool
    is_sparse_csr: builtins.bool
    is_vulkan: builtins.bool
    is_xla: builtins.bool
    is_xpu: builtins.bool
    def isclose(self, other: Tensor, rtol: builtins.float = ..., atol: builtins.float = ..., equal_nan: builtins.bool = False) -> Tensor:
        """Return whether ``|input - other| <= atol + rtol * |other|``, elementwise; equal infinities are close.

        Raises RuntimeError for operands of different dtypes and for negative tolerances.

        >>> import minigrad
        >>> minigrad.isclose(minigrad.tensor([1., 2.]), minigrad.tensor([1.000001, 2.1]))
        tensor([ True, False])
        """
    def isfinite(self) -> Tensor:
        """Whether the element is neither infinite nor nan.

        Works on each element x of ``input``, of any shape.  The result has the same shape and is bool.

        >>> import minigrad
        >>> minigrad.isfinite(minigrad.tensor([1., float("inf"), float("nan")]))
        tensor([ True, False, False])
        """
    def isinf(self) -> Tensor:
        """Whether the element is infinite.

        Works on each element x of ``input``, of any shape.  The result has the same shape and is bool.

        >>> import minigrad
        >>> minigrad.isinf(minigrad.tensor([1., float("-inf"), float("nan")]))
        tensor([False,  True, False])
        """
    def isnan(self) -> Tensor:
        """Whether the element is nan.

        Works on each element x of ``input``, of any shape.  The result has the same shape and is bool.

        >>> import minigrad
        >>> minigrad.isnan(minigrad.tensor([1., float("inf"), float("nan")]))
        tensor([False, False,  True])
        """
    def isneginf(self, *, out: Tensor | None = None) -> Tensor:
        """Return whether each element is -inf; not for complex.

        >>> import minigrad
        >>> minigrad.isneginf(minigrad.tensor([1., -float("inf")]))
        tensor([False,  True])
        """
    def isposinf(self, *, out: Tensor | None = None) -> Tensor:
        """Return whether each element is +inf; not for complex.

        >>> import minigrad
        >>> minigrad.isposinf(minigrad.tensor([1., float("inf")]))
        tensor([False,  True])
        """
    def isreal(self) -> Tensor:
        """Whether the imaginary part is zero.

        Works on each element x of ``input``, of any shape.  The result has the same shape and is bool.

        >>> import minigrad
        >>> minigrad.isreal(minigrad.tensor([1 + 0j, 1j]))
        tensor([ True, False])
        """
    def istft(self, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: Tensor | None = None, center: builtins.bool = True, normalized: builtins.bool = False, onesided: builtins.bool | None = None, length: builtins.int | None = None, return_complex: builtins.bool = False) -> Tensor:
        """Invert ``stft`` by least squares: (batch, frequency, window) -> (batch, time).

        Raises RuntimeError where no window covers a part of the signal.

        >>> import minigrad
        >>> window = minigrad.hann_window(8)
        >>> z = minigrad.stft(minigrad.ones(16), 8, window=window, return_complex=True)
        >>> minigrad.istft(z, 8, window=window).shape
        torch.Size([16])
        """
    def item(self) -> builtins.int | builtins.float | builtins.bool:
        """Return the only element as a Python number; raise RuntimeError if there are more or none.

        >>> import minigrad
        >>> minigrad.tensor([2.5]).item()
        2.5
        """
    @property
    def itemsize(self) -> builtins.int: ...
    def kron(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return the Kronecker product: each element of ``input`` times all of ``other``, as a block.

        >>> import minigrad
        >>> minigrad.kron(minigrad.tensor([1, 10]), minigrad.tensor([1, 2]))
        tensor([ 1,  2, 10, 20])
        """
    def kthvalue(self, k: builtins.int, dim: builtins.int = -1, keepdim: builtins.bool = False, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.kthvalue:
        """Return the ``k``-th smallest elements along ``dim``, counted from 1, and their indices; nan counts as the largest.

        >>> import minigrad
        >>> minigrad.kthvalue(minigrad.tensor([3., 1., 2.]), 2)
        torch.return_types.kthvalue(
        values=tensor(2.),
        indices=tensor(2))
        """
    @property
    def layout(self) -> _layout: ...
    def lcm(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The least common multiple of two integers, never negative.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.lcm(minigrad.tensor([4, -6]), minigrad.tensor([6, 9]))
        tensor([12, 18])
        """
    def lcm_(self, other: Tensor) -> Tensor:
        """In-place version of ``lcm``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.lcm_(x) is x
        True
        """
    def ldexp(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Each element times a power of two: z = x 2ʸ;   dz/dy = z log 2.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.ldexp(minigrad.tensor([1., 3.]), minigrad.tensor([4, -1]))
        tensor([16.0000,  1.5000])
        """
    def ldexp_(self, other: Tensor) -> Tensor:
        """In-place version of ``ldexp``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.ldexp_(x) is x
        True
        """
    def le(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x <= y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.le(minigrad.tensor([1, 2, 3]), 2)
        tensor([ True,  True, False])
        """
    def le_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``le``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.le_(x) is x
        True
        """
    def lerp(self, end: Tensor, weight: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Interpolate linearly: ``input + weight * (end - input)``; ``weight`` is a number or a tensor.

        >>> import minigrad
        >>> minigrad.lerp(minigrad.tensor([0., 10.]), minigrad.tensor([10., 20.]), 0.3)
        tensor([ 3., 13.])
        """
    def lerp_(self, end: Tensor, weight: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``lerp``.

        >>> import minigrad
        >>> minigrad.tensor([0., 10.]).lerp_(minigrad.tensor([10., 20.]), 0.5)
        tensor([ 5., 15.])
        """
    def less(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x < y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.lt(minigrad.tensor([1, 2, 3]), 2)
        tensor([ True, False, False])
        """
    def less_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``lt``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.lt_(x) is x
        True
        """
    def less_equal(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x <= y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.le(minigrad.tensor([1, 2, 3]), 2)
        tensor([ True,  True, False])
        """
    def less_equal_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``le``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.le_(x) is x
        True
        """
    def lgamma(self, *, out: Tensor | None = None) -> Tensor:
        """The logarithm of the gamma function of each element: z = log |Γ(x)|;   dz/dx = digamma x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.lgamma(minigrad.tensor([1., 5., 0.]))
        tensor([0.0000, 3.1781,    inf])
        """
    def lgamma_(self) -> Tensor:
        """In-place version of ``lgamma``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.lgamma_() is x
        True
        """
    def log(self, *, out: Tensor | None = None) -> Tensor:
        """The natural logarithm of each element: z = log x;   dz/dx = 1 / x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.log(minigrad.tensor([1., 10., 0.]))
        tensor([0.0000, 2.3026,   -inf])
        """
    def log10(self, *, out: Tensor | None = None) -> Tensor:
        """The logarithm to base 10 of each element: z = log₁₀ x;   dz/dx = 1 / (x log 10).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.log10(minigrad.tensor([1000., 0.01]))
        tensor([ 3.0000, -2.0000])
        """
    def log10_(self) -> Tensor:
        """In-place version of ``log10``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.log10_() is x
        True
        """
    def log1p(self, *, out: Tensor | None = None) -> Tensor:
        """The logarithm of one plus each element: z = log(1 + x), exact near 0;   dz/dx = 1 / (1 + x).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.log1p(minigrad.tensor([0., 1e-10]))
        tensor([0.0000e+00, 1.0000e-10])
        """
    def log1p_(self) -> Tensor:
        """In-place version of ``log1p``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.log1p_() is x
        True
        """
    def log2(self, *, out: Tensor | None = None) -> Tensor:
        """The logarithm to base 2 of each element: z = log₂ x;   dz/dx = 1 / (x log 2).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.log2(minigrad.tensor([8., 0.5]))
        tensor([ 3., -1.])
        """
    def log2_(self) -> Tensor:
        """In-place version of ``log2``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.log2_() is x
        True
        """
    def log_(self) -> Tensor:
        """In-place version of ``log``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.log_() is x
        True
        """
    def log_normal_(self, mean: builtins.float = 1, std: builtins.float = 2, *, generator: Any = None) -> Tensor:
        """Fill with numbers whose logarithm is normally distributed; return the tensor.

        >>> import minigrad
        >>> bool((minigrad.empty(1000).log_normal_() > 0).all())
        True
        """
    def log_softmax(self, dim: builtins.int | None = None, dtype: _dtype | None = None, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the logarithm of ``softmax``, accurate even where that underflows; ``dtype`` converts first.

        >>> import minigrad
        >>> minigrad.log_softmax(minigrad.tensor([0., 0.]), 0)
        tensor([-0.6931, -0.6931])
        """
    def logaddexp(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The logarithm of a sum of exponentials, without overflow: z = log(eˣ + eʸ);   dz/dx = eˣ / (eˣ + eʸ).

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.logaddexp(minigrad.tensor([-1000., 1.]), minigrad.tensor([-1000., 2.]))
        tensor([-999.3068,    2.3133])
        """
    def logaddexp2(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The logarithm to base 2 of a sum of powers of two, without overflow: z = log₂(2ˣ + 2ʸ);   dz/dx = 2ˣ / (2ˣ + 2ʸ).

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.logaddexp2(minigrad.tensor([3., 2.]), minigrad.tensor([3., 0.]))
        tensor([4.0000, 2.3219])
        """
    def logcumsumexp(self, dim: builtins.int | None = None, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Compute ``log(cumsum(exp(input), dim))`` without overflow.  Raises NotImplementedError for integers.

        >>> import minigrad
        >>> minigrad.logcumsumexp(minigrad.tensor([0., 0.]), 0)
        tensor([0.0000, 0.6931])
        """
    def logdet(self) -> Tensor:
        """Return the logarithm of the determinant: nan where it is negative, -inf where it is zero.

        ``input`` is (..., n, n), the result (...).

        >>> import minigrad
        >>> minigrad.logdet(minigrad.eye(2))
        tensor(0.)
        """
    def logical_and(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Logical AND: whether both elements are non-zero.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and is bool; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.logical_and(minigrad.tensor([0, 1, 2]), minigrad.tensor([True, True, False]))
        tensor([False,  True, False])
        """
    def logical_and_(self, other: Tensor) -> Tensor:
        """In-place version of ``logical_and``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.logical_and_(x) is x
        True
        """
    def logical_not(self, *, out: Tensor | None = None) -> Tensor:
        """Return whether each element is zero; of any dtype.

        >>> import minigrad
        >>> minigrad.logical_not(minigrad.tensor([0, 3]))
        tensor([ True, False])
        """
    def logical_not_(self) -> Tensor:
        """In-place version of ``logical_not``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.logical_not_() is x
        True
        """
    def logical_or(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Logical OR: whether at least one element is non-zero.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and is bool; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.logical_or(minigrad.tensor([0., 1.]), minigrad.tensor([0, 0]))
        tensor([False,  True])
        """
    def logical_or_(self, other: Tensor) -> Tensor:
        """In-place version of ``logical_or``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.logical_or_(x) is x
        True
        """
    def logical_xor(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Logical XOR: whether exactly one element is non-zero.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and is bool; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.logical_xor(minigrad.tensor([0., 1.]), minigrad.tensor([2, 2]))
        tensor([ True, False])
        """
    def logical_xor_(self, other: Tensor) -> Tensor:
        """In-place version of ``logical_xor``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2])
        >>> x.logical_xor_(x) is x
        True
        """
    def logit(self, eps: builtins.float | None = None, *, out: Tensor | None = None) -> Tensor:
        """Return the inverse of the sigmoid: ``log(input / (1 - input))``; ``eps`` clamps the input to [eps, 1 - eps].

        Keeps the shape; integers become the default dtype.

        >>> import minigrad
        >>> minigrad.logit(minigrad.tensor([0.5, 1.]), eps=0.1)
        tensor([0.0000, 2.1972])
        """
    def logit_(self, eps: builtins.float | None = None) -> Tensor:
        """In-place version of ``logit``.

        >>> import minigrad
        >>> minigrad.tensor([0.5, 0.9]).logit_()
        tensor([0.0000, 2.1972])
        """
    def logsumexp(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Compute ``log(exp(input).sum(dim))`` without overflow. Integers are converted to the default dtype.

        >>> import minigrad
        >>> minigrad.logsumexp(minigrad.tensor([1000., 1000.]), 0)
        tensor(1000.6932)
        """
    def long(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``int64``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0, 1]).long().dtype
        torch.int64
        """
    def lstsq(self, A: Any, *, out: Tensor | None = None) -> Tensor:
        """Raise RuntimeError: removed in favour of ``linalg.lstsq``.

        >>> import minigrad
        >>> minigrad.lstsq(minigrad.ones(2, 1), minigrad.eye(2))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        RuntimeError: This function was deprecated since version 1.9 and is now removed...
        """
    def lt(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x < y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.lt(minigrad.tensor([1, 2, 3]), 2)
        tensor([ True, False, False])
        """
    def lt_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``lt``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.lt_(x) is x
        True
        """
    def lu(self, pivot: Any = True, get_infos: Any = False) -> Tensor:
        """The same as ``torch.lu``.

        >>> import minigrad
        >>> LU, pivots = minigrad.tensor([[2., 1.], [4., 3.]]).lu()
        >>> pivots
        tensor([2, 2], dtype=torch.int32)
        """
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return the result of ``linalg.lu_solve``, with the arguments in another order; deprecated.

        >>> import minigrad
        >>> minigrad.lu_solve(minigrad.tensor([[8.]]), *minigrad.linalg.lu_factor(minigrad.tensor([[4.]])))
        tensor([[2.]])
        """
    @property
    def mH(self) -> Tensor: ...
    @property
    def mT(self) -> Tensor: ...
    def map2_(self, x: Tensor, y: Tensor, callable: Any) -> Tensor:
        """Replace each element by ``callable(element, element of x, element of y)``, as ``apply_`` does.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).map2_(minigrad.tensor([3., 4.]), minigrad.tensor([5., 6.]), lambda a, b, c: a + b * c)
        tensor([16., 26.])
        """
    def map_(self, tensor: Any, callable: Any) -> Tensor:
        """Replace each element by ``callable(element, element of tensor)``, as ``apply_`` does; ``tensor`` is broadcast.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).map_(minigrad.tensor([10., 20.]), lambda a, b: a + b)
        tensor([11., 22.])
        """
    def masked_fill(self, mask: Tensor, value: Tensor | builtins.complex) -> Tensor:
        """Return a copy of ``input`` with ``value``, a number or 0-dim tensor, where ``mask`` is true; both broadcast.

        Raises RuntimeError for a mask that is not of dtype bool.

        >>> import minigrad
        >>> x = minigrad.tensor([1., 2.])
        >>> minigrad.masked_fill(x, x > 1, 0)
        tensor([1., 0.])
        """
    def masked_fill_(self, mask: Tensor, value: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``masked_fill``; returns the tensor.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).masked_fill_(minigrad.tensor([True, False]), 0.)
        tensor([0., 2.])
        """
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """Return a copy of ``input`` with consecutive elements of ``source`` where ``mask`` is true; both broadcast.

        Raises RuntimeError for a mask that is not of dtype bool, or a source of another dtype or with too few elements.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2, 3])
        >>> minigrad.masked_scatter(x, x > 1, minigrad.tensor([7, 8]))
        tensor([1, 7, 8])
        """
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """In-place version of ``masked_scatter``; returns the tensor.

        >>> import minigrad
        >>> minigrad.tensor([1., 2., 3.]).masked_scatter_(minigrad.tensor([True, False, True]), minigrad.tensor([8., 9.]))
        tensor([8., 2., 9.])
        """
    def masked_select(self, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return the elements of ``input`` where ``mask`` is true, as a vector; both broadcast.

        Raises RuntimeError for a mask that is not of dtype bool.

        >>> import minigrad
        >>> x = minigrad.tensor([1., 2., 3.])
        >>> minigrad.masked_select(x, x > 1)
        tensor([2., 3.])
        """
    def matmul(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Multiply vectors, matrices or batches of matrices; leading dimensions broadcast.

        Two vectors give their dot product. ``(..., n, k) @ (..., k, m) -> (..., n, m)``; a vector counts as a row on the left, as a column on
        the right. Raises RuntimeError for 0-dim operands, sizes that do not fit, or different dtypes.

        >>> import minigrad
        >>> minigrad.matmul(minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([1., 1.]))
        tensor([3., 7.])
        """
    def matrix_exp(self) -> Tensor:
        """Return the matrix exponentials of square matrices, Σ Aⁿ / n!.

        >>> import minigrad
        >>> minigrad.matrix_exp(minigrad.zeros(2, 2))
        tensor([[1., 0.],
                [0., 1.]])
        """
    def matrix_power(self, n: builtins.int, *, out: Tensor | None = None) -> Tensor:
        """Return the n-th power of square matrices, of their inverses for a negative n, as ``linalg.matrix_power``.

        >>> import minigrad
        >>> minigrad.matrix_power(minigrad.tensor([[1., 1.], [0., 1.]]), 3)
        tensor([[1., 3.],
                [0., 1.]])
        """
    @overload
    def max(self) -> Tensor:
        """Return the largest of all elements; the largest along ``dim``, with their indices; or the larger elements of two tensors.

        A nan counts as the largest.  Raises RuntimeError or IndexError if there are no elements to choose from.

        >>> import minigrad
        >>> minigrad.max(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        torch.return_types.max(
        values=tensor([4., 3.]),
        indices=tensor([1, 0]))
        """
    @overload
    def max(self, dim: builtins.int, keepdim: builtins.bool = ..., *, out: Any = ...) -> _named_results.max:
        """Return the largest of all elements; the largest along ``dim``, with their indices; or the larger elements of two tensors.

        A nan counts as the largest.  Raises RuntimeError or IndexError if there are no elements to choose from.

        >>> import minigrad
        >>> minigrad.max(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        torch.return_types.max(
        values=tensor([4., 3.]),
        indices=tensor([1, 0]))
        """
    @overload
    def max(self, other: Tensor, *, out: Any = ...) -> Tensor:
        """Return the largest of all elements; the largest along ``dim``, with their indices; or the larger elements of two tensors.

        A nan counts as the largest.  Raises RuntimeError or IndexError if there are no elements to choose from.

        >>> import minigrad
        >>> minigrad.max(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        torch.return_types.max(
        values=tensor([4., 3.]),
        indices=tensor([1, 0]))
        """
    def maximum(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The maximum of two tensors, element by element: z = the greater of x and y, nan if either is; equal ones share the gradient, with a nan both take the whole.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.maximum(minigrad.tensor([1., 5.]), minigrad.tensor([2., float("nan")]))
        tensor([2., nan])
        """
    def mean(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the mean of all elements, or along ``dim``: an int or several, with () for all.

        The dtype (or ``dtype``, which converts first) must be floating-point or complex; otherwise raises RuntimeError.

        >>> import minigrad
        >>> minigrad.mean(minigrad.tensor([[1., 2.], [3., 4.]]), dim=1)
        tensor([1.5000, 3.5000])
        """
    @overload
    def median(self) -> Tensor:
        """Return the median, the lower of two middle elements: of all, or along ``dim`` with its index.

        The result is nan if an element is nan.

        >>> import minigrad
        >>> minigrad.median(minigrad.tensor([4., 1., 3., 2.]))
        tensor(2.)
        """
    @overload
    def median(self, dim: builtins.int, keepdim: builtins.bool = ..., *, out: Any = ...) -> _named_results.median:
        """Return the median, the lower of two middle elements: of all, or along ``dim`` with its index.

        The result is nan if an element is nan.

        >>> import minigrad
        >>> minigrad.median(minigrad.tensor([4., 1., 3., 2.]))
        tensor(2.)
        """
    @overload
    def min(self) -> Tensor:
        """Return the smallest of all elements; the smallest along ``dim``, with their indices; or the smaller elements of two tensors.

        A nan counts as the smallest.  Raises RuntimeError or IndexError if there are no elements to choose from.

        >>> import minigrad
        >>> minigrad.min(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        torch.return_types.min(
        values=tensor([1., 2.]),
        indices=tensor([0, 1]))
        """
    @overload
    def min(self, dim: builtins.int, keepdim: builtins.bool = ..., *, out: Any = ...) -> _named_results.min:
        """Return the smallest of all elements; the smallest along ``dim``, with their indices; or the smaller elements of two tensors.

        A nan counts as the smallest.  Raises RuntimeError or IndexError if there are no elements to choose from.

        >>> import minigrad
        >>> minigrad.min(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        torch.return_types.min(
        values=tensor([1., 2.]),
        indices=tensor([0, 1]))
        """
    @overload
    def min(self, other: Tensor, *, out: Any = ...) -> Tensor:
        """Return the smallest of all elements; the smallest along ``dim``, with their indices; or the smaller elements of two tensors.

        A nan counts as the smallest.  Raises RuntimeError or IndexError if there are no elements to choose from.

        >>> import minigrad
        >>> minigrad.min(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
        torch.return_types.min(
        values=tensor([1., 2.]),
        indices=tensor([0, 1]))
        """
    def minimum(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The minimum of two tensors, element by element: z = the less of x and y, nan if either is; equal ones share the gradient, with a nan both take the whole.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

        >>> import minigrad
        >>> minigrad.minimum(minigrad.tensor([1., 5.]), minigrad.tensor([2., float("nan")]))
        tensor([1., nan])
        """
    def mm(self, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Multiply two matrices, ``(n, k) @ (k, m) -> (n, m)``.

        >>> import minigrad
        >>> minigrad.mm(minigrad.ones(1, 3), minigrad.ones(3, 2))
        tensor([[3., 3.]])
        """
    def mode(self, dim: builtins.int = -1, keepdim: builtins.bool = False, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.mode:
        """Return the most frequent elements along ``dim`` (the smallest among equally frequent ones), and their indices.

        >>> import minigrad
        >>> minigrad.mode(minigrad.tensor([1, 2, 2, 3])).values
        tensor(2)
        """
    def module_load(self, other: Tensor | builtins.complex, assign: Any = False) -> Tensor:
        """Return the tensor that replaces a parameter or buffer when ``other`` is loaded into it, if ``__future__`` says that modules swap tensors.

        It has the values of ``other`` in this tensor's memory and dtype, or with ``assign`` is a view of ``other``; subclasses may override this.

        >>> import minigrad
        >>> minigrad.zeros(2).module_load(minigrad.tensor([1, 2]))
        tensor([1., 2.])
        """
    def moveaxis(self, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]) -> Tensor:
        """The same as ``movedim``.

        >>> import minigrad
        >>> minigrad.moveaxis(minigrad.ones(2, 3, 4), 0, -1).shape
        torch.Size([3, 4, 2])
        """
    def movedim(self, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Return a view with dimensions moved to other positions; the others keep their order.

        Raises RuntimeError if the numbers of sources and destinations differ, or one is repeated; IndexError for one out of range.

        >>> import minigrad
        >>> minigrad.movedim(minigrad.zeros(2, 3, 4), 0, 2).shape
        torch.Size([3, 4, 2])
        """
    def msort(self, *, out: Tensor | None = None) -> Tensor:
        """Sort the elements along the first dimension.

        >>> import minigrad
        >>> minigrad.msort(minigrad.tensor([3., 1., 2.]))
        tensor([1., 2., 3.])
        """
    def mtia(self, device: _Device = None, non_blocking: builtins.bool = False, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Raise AssertionError: tensors on Meta's accelerators are not supported.

        >>> import minigrad
        >>> minigrad.ones(2).mtia()
        Traceback (most recent call last):
            ...
        AssertionError: Torch not compiled with MTIA enabled (minigrad computes on the CPU only)
        """
    def mul(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """The product of two tensors, element by element: z = x y.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.mul(minigrad.tensor([1, 2]), minigrad.tensor([[10.], [100.]]))
        tensor([[ 10.,  20.],
                [100., 200.]])
        """
    def mul_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``mul``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.mul_(x) is x
        True
        """
    def multinomial(self, num_samples: builtins.int | None = None, replacement: builtins.bool = False, *, generator: Any = None) -> Tensor:
        """The same as ``multinomial``.

        >>> import minigrad
        >>> minigrad.tensor([0., 1., 0.]).multinomial(2, replacement=True)
        tensor([1, 1])
        """
    def multiply(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """The product of two tensors, element by element: z = x y.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.mul(minigrad.tensor([1, 2]), minigrad.tensor([[10.], [100.]]))
        tensor([[ 10.,  20.],
                [100., 200.]])
        """
    def multiply_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``mul``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.mul_(x) is x
        True
        """
    def mv(self, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Multiply a matrix by a vector, ``(n, k) @ (k,) -> (n,)``.

        >>> import minigrad
        >>> minigrad.mv(minigrad.ones(2, 3), minigrad.ones(3))
        tensor([3., 3.])
        """
    def mvlgamma(self, p: builtins.int, *, out: Tensor | None = None) -> Tensor:
        """Return the logarithm of the multivariate gamma function of dimension ``p``; raise RuntimeError for p < 1.

        >>> import minigrad
        >>> minigrad.mvlgamma(minigrad.tensor([2., 3.]), 2)
        tensor([0.4516, 1.5502])
        """
    def mvlgamma_(self, p: builtins.int) -> Tensor:
        """In-place version of ``mvlgamma``; raise RuntimeError for integers.

        >>> import minigrad
        >>> minigrad.tensor([3.]).mvlgamma_(2)
        tensor([1.5502])
        """
    name: builtins.str | None
    def nan_to_num(self, nan: builtins.float | None = ..., posinf: builtins.float | None = None, neginf: builtins.float | None = None, *, out: Tensor | None = None) -> Tensor:
        """Replace nan by ``nan`` (0), and the infinities by ``posinf`` and ``neginf`` (the greatest and least numbers of the dtype).

        >>> import minigrad
        >>> minigrad.nan_to_num(minigrad.tensor([1., float("nan"), float("inf")]), posinf=9.)
        tensor([1., 0., 9.])
        """
    def nan_to_num_(self, nan: builtins.float | None = ..., posinf: builtins.float | None = None, neginf: builtins.float | None = None) -> Tensor:
        """In-place version of ``nan_to_num``.

        >>> import minigrad
        >>> minigrad.tensor([float("nan"), 1.]).nan_to_num_(9.)
        tensor([9., 1.])
        """
    def nanmean(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the mean of the elements that are not nan: of all, or along ``dim``.

        >>> import minigrad
        >>> minigrad.nanmean(minigrad.tensor([1., float("nan"), 2.]))
        tensor(1.5000)
        """
    @overload
    def nanmedian(self) -> Tensor:
        """Return the median of the elements that are not nan; see ``median``.

        >>> import minigrad
        >>> minigrad.nanmedian(minigrad.tensor([1., float("nan"), 3.]))
        tensor(1.)
        """
    @overload
    def nanmedian(self, dim: builtins.int, keepdim: builtins.bool = ..., *, out: Any = ...) -> _named_results.nanmedian:
        """Return the median of the elements that are not nan; see ``median``.

        >>> import minigrad
        >>> minigrad.nanmedian(minigrad.tensor([1., float("nan"), 3.]))
        tensor(1.)
        """
    def nanquantile(self, q: Tensor | builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = ..., out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the quantiles of the elements that are not nan; see ``quantile``.

        >>> import minigrad
        >>> minigrad.nanquantile(minigrad.tensor([1., float("nan"), 3.]), 0.5)
        tensor(2.)
        """
    def nansum(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the sum of the elements that are not nan: of all, or along ``dim``.

        >>> import minigrad
        >>> minigrad.nansum(minigrad.tensor([1., float("nan"), 2.]))
        tensor(3.)
        """
    def narrow(self, dim: builtins.int, start: Tensor | builtins.int, length: builtins.int) -> Tensor:
        """Return a view of ``length`` elements of dimension ``dim``, starting at ``start``.

        Raises IndexError if ``dim`` or ``start`` is out of range, RuntimeError if the range does not fit.

        >>> import minigrad
        >>> minigrad.narrow(minigrad.tensor([1, 2, 3, 4]), 0, 1, 2)
        tensor([2, 3])
        """
    def narrow_copy(self, dim: builtins.int, start: builtins.int, length: builtins.int, *, out: Tensor | None = None) -> Tensor:
        """Return the result of ``narrow`` as a copy, in memory of its own; shape and dtype are the same.

        >>> import minigrad
        >>> minigrad.narrow_copy(minigrad.arange(5), 0, 1, 3)
        tensor([1, 2, 3])
        """
    @property
    def nbytes(self) -> builtins.int: ...
    @property
    def ndim(self) -> builtins.int: ...
    def ndimension(self) -> builtins.int:
        """Return the number of dimensions.

        >>> import minigrad
        >>> minigrad.ones(2, 3).dim()
        2
        """
    def ne(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x != y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.ne(minigrad.tensor([1, 2]), 1)
        tensor([False,  True])
        """
    def ne_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``ne``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.ne_(x) is x
        True
        """
    def neg(self, *, out: Tensor | None = None) -> Tensor:
        """The negative of each element: z = -x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.neg(minigrad.tensor([1, -2]))
        tensor([-1,  2])
        """
    def neg_(self) -> Tensor:
        """In-place version of ``neg``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.neg_() is x
        True
        """
    def negative(self, *, out: Tensor | None = None) -> Tensor:
        """The negative of each element: z = -x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.neg(minigrad.tensor([1, -2]))
        tensor([-1,  2])
        """
    def negative_(self) -> Tensor:
        """In-place version of ``neg``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.neg_() is x
        True
        """
    def nelement(self) -> builtins.int:
        """Return the number of elements.

        >>> import minigrad
        >>> minigrad.ones(2, 3).numel()
        6
        """
    def new(self, *args: Any, **kwargs: Any) -> Tensor:
        """Construct a tensor of this one's dtype as in 2017: from sizes, from data, or from another tensor.

        >>> import minigrad
        >>> minigrad.tensor([1]).new([2, 3])
        tensor([2, 3])
        """
    def new_empty(self, *size: builtins.int | Sequence[builtins.int], dtype: _dtype | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, layout: _layout | None = None, pin_memory: builtins.bool | None = False, **named: Any) -> Tensor:
        """Return an uninitialised tensor of a size, of this tensor's dtype unless ``dtype`` is given.

        >>> import minigrad
        >>> x = minigrad.tensor([1, 2]).new_empty(2, 3)
        >>> x.shape, x.dtype
        (torch.Size([2, 3]), torch.int64)
        """
    def new_empty_strided(self, size: Sequence[builtins.int], stride: Sequence[builtins.int], *, dtype: _dtype | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, layout: _layout | None = None, pin_memory: builtins.bool | None = False) -> Tensor:
        """Return an uninitialised tensor of a size and strides, of this tensor's dtype unless ``dtype`` is given.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).new_empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
        """
    def new_full(self, size: Sequence[builtins.int], fill_value: builtins.complex, *, dtype: _dtype | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, layout: _layout | None = None, pin_memory: builtins.bool | None = False) -> Tensor:
        """Return a tensor of a size filled with a number, of this tensor's dtype unless ``dtype`` is given.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).new_full((2,), 7)
        tensor([7., 7.])
        """
    def new_ones(self, *size: builtins.int | Sequence[builtins.int], dtype: _dtype | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, layout: _layout | None = None, pin_memory: builtins.bool | None = False, **named: Any) -> Tensor:
        """Return ones of a size, of this tensor's dtype unless ``dtype`` is given.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).new_ones((2,))
        tensor([1, 1])
        """
    def new_tensor(self, data: Any, *, dtype: _dtype | None = None, device: _Device = None, requires_grad: builtins.bool = False, layout: _layout | None = None, pin_memory: builtins.bool = False) -> Tensor:
        """Make a new tensor from a copy of ``data``, of this tensor's dtype unless ``dtype`` is given.

        >>> import minigrad
        >>> minigrad.ones(2).new_tensor([1, 2])
        tensor([1., 2.])
        """
    def new_zeros(self, *size: builtins.int | Sequence[builtins.int], dtype: _dtype | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, layout: _layout | None = None, pin_memory: builtins.bool | None = False, **named: Any) -> Tensor:
        """Return zeros of a size, of this tensor's dtype unless ``dtype`` is given.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).new_zeros(2, 3)
        tensor([[0, 0, 0],
                [0, 0, 0]])
        """
    def nextafter(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The next floating-point number towards another: z = the next number after x towards y.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.nextafter(minigrad.tensor([1.]), minigrad.tensor([2.])) - 1
        tensor([1.1921e-07])
        """
    def nextafter_(self, other: Tensor) -> Tensor:
        """In-place version of ``nextafter``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.nextafter_(x) is x
        True
        """
    @overload
    def nonzero(self, *, out: Any = ..., as_tuple: Literal[False] = ...) -> Tensor:
        """Return the indices of all non-zero elements: one row for each, or a tuple with a vector for each dimension.

        >>> import minigrad
        >>> minigrad.nonzero(minigrad.tensor([[0, 1], [2, 0]]))
        tensor([[0, 1],
                [1, 0]])
        """
    @overload
    def nonzero(self, *, as_tuple: Literal[True]) -> builtins.tuple[Tensor, ...]:
        """Return the indices of all non-zero elements: one row for each, or a tuple with a vector for each dimension.

        >>> import minigrad
        >>> minigrad.nonzero(minigrad.tensor([[0, 1], [2, 0]]))
        tensor([[0, 1],
                [1, 0]])
        """
    def nonzero_static(self, *, size: builtins.int, fill_value: builtins.int = -1, out: Tensor | None = None) -> Tensor:
        """Return the indices of non-zero elements in exactly ``size`` rows, cut off or filled up with rows of ``fill_value``.

        Raises RuntimeError if ``size`` is negative.

        >>> import minigrad
        >>> minigrad.nonzero_static(minigrad.tensor([0, 5]), size=2)
        tensor([[ 1],
                [-1]])
        """
    def norm(self, p: Any = ..., dim: Any = None, keepdim: builtins.bool = False, dtype: _dtype | None = None) -> Tensor:
        """Return the norm of all elements, or along ``dim``, as ``torch.norm``, computed in ``dtype``.

        >>> import minigrad
        >>> minigrad.tensor([3., 4.]).norm(2, 0, True)
        tensor([5.])
        """
    def normal(self, std: Tensor | builtins.float = ..., *, generator: Any = None) -> Tensor:
        """Draw normally distributed numbers with the means in ``input``; see ``normal``.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).normal(0.)
        tensor([1., 2.])
        """
    def normal_(self, mean: builtins.float = 0, std: builtins.float = 1, *, generator: Any = None) -> Tensor:
        """Fill with normally distributed numbers; return the tensor.

        >>> import minigrad
        >>> minigrad.empty(2).normal_(3, 0)
        tensor([3., 3.])
        """
    def not_equal(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Whether x != y, elementwise.

        Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.ne(minigrad.tensor([1, 2]), 1)
        tensor([False,  True])
        """
    def not_equal_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``ne``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.ne_(x) is x
        True
        """
    def numel(self) -> builtins.int:
        """Return the number of elements.

        >>> import minigrad
        >>> minigrad.ones(2, 3).numel()
        6
        """
    def numpy(self, *, force: builtins.bool = False) -> np.ndarray[Any, Any]:
        """Return the tensor as an array that shares its memory.

        Raises RuntimeError if the tensor requires grad, unless ``force`` or inside ``no_grad``; and for a conjugate or negative view, which
        ``force`` copies.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).numpy()
        array([1, 2])
        """
    def orgqr(self, input2: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The same as ``linalg.householder_product``.

        >>> import minigrad
        >>> A = minigrad.tensor([[3., 1.], [4., 2.]])
        >>> minigrad.orgqr(*minigrad.geqrf(A))
        tensor([[-0.6000, -0.8000],
                [-0.8000,  0.6000]])
        """
    def ormqr(self, input2: Tensor, input3: Tensor, left: builtins.bool = True, transpose: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
        """Compute ``Q @ input3``, or ``input3 @ Q`` unless ``left``, with the Q of ``geqrf`` or, if ``transpose``, its adjoint.

        ``input`` is (..., m, k), ``input2``, the factors of the reflections, (..., k), ``input3`` (..., m, n), or (..., n, m) unless ``left``.

        >>> import minigrad
        >>> minigrad.ormqr(*minigrad.geqrf(minigrad.tensor([[3.], [4.]])), minigrad.tensor([[-5.], [0.]]))
        tensor([[3.],
                [4.]])
        """
    def outer(self, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return the outer product of two vectors: ``(n,), (m,) -> (n, m)``.

        >>> import minigrad
        >>> minigrad.outer(minigrad.tensor([1, 2]), minigrad.tensor([3, 4]))
        tensor([[3, 4],
                [6, 8]])
        """
    @property
    def output_nr(self) -> builtins.int: ...
    def permute(self, *given: Any, dims: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Return a view with the dimensions in another order, which may be given as separate arguments; see ``permute``.

        >>> import minigrad
        >>> minigrad.ones(2, 3, 4).permute(2, 0, 1).shape
        torch.Size([4, 2, 3])
        """
    def pin_memory(self, device: _Device = None) -> Tensor:
        """Raise RuntimeError: there is no accelerator to pin memory for, which raises in PyTorch too.

        >>> import minigrad
        >>> minigrad.ones(2).pin_memory()
        Traceback (most recent call last):
            ...
        RuntimeError: Cannot access accelerator device when none is available.
        """
    def pinverse(self, rcond: builtins.float = ...) -> Tensor:
        """Return the pseudoinverse, with singular values up to ``rcond`` times the largest as zero: see ``linalg.pinv``.

        ``input`` is (..., m, n), the result (..., n, m).

        >>> import minigrad
        >>> minigrad.pinverse(minigrad.tensor([[2.], [0.]]))
        tensor([[0.5000, 0.0000]])
        """
    def polygamma(self, n: builtins.int) -> Tensor:
        """Return the derivative of order ``n`` of ``digamma``.

        Keeps the shape; integers become the default dtype.

        >>> import minigrad
        >>> minigrad.tensor([1.]).polygamma(1)
        tensor([1.6449])
        """
    def polygamma_(self, n: builtins.int) -> Tensor:
        """In-place version of ``polygamma``.

        >>> import minigrad
        >>> minigrad.tensor([1.]).polygamma_(1)
        tensor([1.6449])
        """
    def positive(self) -> Tensor:
        """Return ``input`` itself; raise RuntimeError for bool.

        >>> import minigrad
        >>> minigrad.positive(minigrad.tensor([1., 2.]))
        tensor([1., 2.])
        """
    def pow(self, exponent: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Raise ``input`` to the power ``exponent``, elementwise; either may be a number.

        Raises RuntimeError for an integer tensor with a negative integer exponent.

        >>> import minigrad
        >>> minigrad.pow(minigrad.tensor([1., 2., 3.]), 2)
        tensor([1., 4., 9.])
        """
    def pow_(self, exponent: Tensor | builtins.complex) -> Tensor:
        """Raise the tensor to the power ``exponent`` in place.

        ``exponent`` is a number, or a tensor that broadcasts to the tensor's shape; the dtype is kept.

        >>> import minigrad
        >>> minigrad.tensor([1., 2., 3.]).pow_(2)
        tensor([1., 4., 9.])
        """
    def prelu(self, weight: Tensor) -> Tensor:
        """Multiply negative elements by ``weight``: one per channel (dimension 1), or one for all.

        Raises RuntimeError if the number of weights is not the number of channels. [He et al. 2015]

        >>> import minigrad
        >>> minigrad.prelu(minigrad.tensor([-4., 2.]), minigrad.tensor([0.25]))
        tensor([-1.,  2.])
        """
    def prod(self, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the product of all elements, or along one dimension. Integers and bools are multiplied in ``int64``.

        >>> import minigrad
        >>> minigrad.prod(minigrad.tensor([[1., 2.], [3., 4.]]), 1)
        tensor([ 2., 12.])
        """
    def put(self, index: Tensor, source: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """Return a copy of ``input`` with the elements of ``source`` written, or with ``accumulate`` added, at ``index`` of the flattened tensor.

        Raises IndexError for an index out of range or of another size than ``source``.

        >>> import minigrad
        >>> minigrad.put(minigrad.tensor([1, 2, 3]), minigrad.tensor([0]), minigrad.tensor([9]))
        tensor([9, 2, 3])
        """
    def put_(self, index: Tensor, source: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """In-place version of ``put``; returns the tensor.

        >>> import minigrad
        >>> minigrad.zeros(2, 2).put_(minigrad.tensor([1, 2]), minigrad.tensor([5., 6.]))
        tensor([[0., 5.],
                [6., 0.]])
        """
    def q_per_channel_axis(self) -> Tensor:
        """Raise NotImplementedError: only quantized tensors have a quantization axis.

        >>> import minigrad
        >>> minigrad.q_per_channel_axis(minigrad.ones(2))
        Traceback (most recent call last):
            ...
        NotImplementedError: Could not run 'aten::q_per_channel_axis' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
        """
    def q_per_channel_scales(self) -> Tensor:
        """Raise NotImplementedError: only quantized tensors have scales.

        >>> import minigrad
        >>> minigrad.q_per_channel_scales(minigrad.ones(2))
        Traceback (most recent call last):
            ...
        NotImplementedError: Could not run 'aten::q_per_channel_scales' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
        """
    def q_per_channel_zero_points(self) -> Tensor:
        """Raise NotImplementedError: only quantized tensors have zero points.

        >>> import minigrad
        >>> minigrad.q_per_channel_zero_points(minigrad.ones(2))
        Traceback (most recent call last):
            ...
        NotImplementedError: Could not run 'aten::q_per_channel_zero_points' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
        """
    def q_scale(self) -> Tensor:
        """Raise NotImplementedError: only quantized tensors have a scale.

        >>> import minigrad
        >>> try:
        ...     minigrad.q_scale(minigrad.ones(2))
        ... except NotImplementedError as error:
        ...     print(str(error)[:71])
        Could not run 'aten::q_scale' with arguments from the 'CPU' backend: it
        """
    def q_zero_point(self) -> Tensor:
        """Raise NotImplementedError: only quantized tensors have a zero point.

        >>> import minigrad
        >>> minigrad.q_zero_point(minigrad.ones(2))
        Traceback (most recent call last):
            ...
        NotImplementedError: Could not run 'aten::q_zero_point' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
        """
    def qr(self, some: builtins.bool = True, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.qr:
        """Return the result of ``linalg.qr`` with mode "reduced", or "complete" unless ``some``; deprecated.

        >>> import minigrad
        >>> minigrad.qr(minigrad.tensor([[3.], [4.]])).R
        tensor([[-5.]])
        """
    def quantile(self, q: Tensor | builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = ..., out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the ``q``-quantiles, 0 ≤ q ≤ 1, of all elements or along ``dim``; several ``q`` add a first dimension.

        The result is nan if an element is nan.

        >>> import minigrad
        >>> minigrad.quantile(minigrad.tensor([1., 2., 3., 4.]), 0.5)
        tensor(2.5000)
        """
    def rad2deg(self, *, out: Tensor | None = None) -> Tensor:
        """Radians converted to degrees: z = x 180 / π.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.rad2deg(minigrad.tensor([0., 1.]))
        tensor([ 0.0000, 57.2958])
        """
    def rad2deg_(self) -> Tensor:
        """In-place version of ``rad2deg``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.rad2deg_() is x
        True
        """
    def random_(self, *args: Any, generator: Any = None, **named: Any) -> Tensor:
        """Fill with integers: ``random_()`` over the dtype's range, ``random_(to)`` from [0, to), ``random_(from, to)`` from [from, to).

        >>> import minigrad
        >>> minigrad.empty(2).random_(3, 4)
        tensor([3., 3.])
        """
    def ravel(self) -> Tensor:
        """Flatten to one dimension: a view or a copy, as the memory allows.

        >>> import minigrad
        >>> minigrad.ravel(minigrad.tensor([[1, 2], [3, 4]]))
        tensor([1, 2, 3, 4])
        """
    @property
    def real(self) -> Tensor: ...
    @real.setter
    def real(self, value: Any) -> None: ...
    def reciprocal(self, *, out: Tensor | None = None) -> Tensor:
        """The reciprocal of each element: z = 1 / x;   dz/dx = -z².

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.reciprocal(minigrad.tensor([2, 4]))
        tensor([0.5000, 0.2500])
        """
    def reciprocal_(self) -> Tensor:
        """In-place version of ``reciprocal``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.reciprocal_() is x
        True
        """
    def register_hook(self, hook: Any) -> RemovableHandle:
        """Call ``hook(grad)`` whenever the gradient of this tensor is computed; a value it returns replaces the gradient.

        Returns a handle with ``remove()``. Raises RuntimeError if the tensor does not require grad.

        >>> import minigrad
        >>> x = minigrad.ones(2, requires_grad=True)
        >>> handle = x.register_hook(lambda grad: grad * 10)
        >>> x.sum().backward()
        >>> x.grad
        tensor([10., 10.])
        """
    def register_post_accumulate_grad_hook(self, hook: Any) -> RemovableHandle:
        """Call ``hook(tensor)`` after a gradient was added to this leaf's ``.grad``; return a handle with ``remove()``.

        >>> import minigrad
        >>> x = minigrad.tensor([1., 2.], requires_grad=True)
        >>> handle = x.register_post_accumulate_grad_hook(lambda x: print(x.grad))
        >>> (x * x).sum().backward()
        tensor([2., 4.])
        >>> handle.remove()
        """
    def reinforce(self, reward: Any) -> Tensor:
        """Give a random draw its reward: a number, or a tensor of the draw's size and of the probabilities' dtype.

        Backward then passes ``-reward * d log p(draw)`` through the draw. Raises RuntimeError if the tensor was not drawn from something that
        requires grad, or has a reward already.

        >>> import minigrad, warnings
        >>> from minigrad.autograd import Variable
        >>> p = Variable(minigrad.tensor([0.5]), requires_grad=True)
        >>> draw = p.bernoulli()
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     draw.reinforce(3.)
        >>> minigrad.autograd.backward([draw], [None])
        >>> minigrad.equal(p.grad, 6 - 12 * draw)
        True
        """
    def relu(self) -> Tensor:
        """The rectified linear unit: z = max(x, 0); the slope is 0 where z = 0.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.relu(minigrad.tensor([-1., 0., 2.]))
        tensor([0., 0., 2.])
        """
    def relu_(self) -> Tensor:
        """In-place version of ``relu``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.relu_() is x
        True
        """
    def remainder(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Compute ``input - floor(input / other) * other``, elementwise, with the sign of ``other``, like Python's ``%``.

        Raises RuntimeError where integers are divided by zero.

        >>> import minigrad
        >>> minigrad.remainder(minigrad.tensor([-3., 3.]), 2)
        tensor([1., 1.])
        """
    def remainder_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``remainder``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.remainder_(x) is x
        True
        """
    def renorm(self, p: builtins.complex, dim: builtins.int, maxnorm: builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Scale down the slices of ``input`` along ``dim`` whose ``p``-norm exceeds ``maxnorm``.

        >>> import minigrad
        >>> minigrad.renorm(minigrad.tensor([[3., 4.], [1., 0.]]), 2, 0, 1.)
        tensor([[0.6000, 0.8000],
                [1.0000, 0.0000]])
        """
    def renorm_(self, p: builtins.complex, dim: builtins.int, maxnorm: builtins.complex) -> Tensor:
        """In-place version of ``renorm``; returns the tensor.

        >>> import minigrad
        >>> minigrad.tensor([[3., 4.], [0.3, 0.4]]).renorm_(2, 0, 1.)
        tensor([[0.6000, 0.8000],
                [0.3000, 0.4000]])
        """
    def repeat(self, *given: Any, repeats: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Return a copy repeated the given number of times along each dimension, and along new leading dimensions.

        Raises RuntimeError for fewer numbers than dimensions, or a negative one.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).repeat(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]])
        """
    def repeat_interleave(self, repeats: Tensor | builtins.int, dim: builtins.int | None = None, *, output_size: builtins.int | None = None, axis: Any = None) -> Tensor:
        """The same as ``repeat_interleave``.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).repeat_interleave(2)
        tensor([1, 1, 2, 2])
        """
    @property
    def requires_grad(self) -> builtins.bool: ...
    @requires_grad.setter
    def requires_grad(self, value: Any) -> None: ...
    def requires_grad_(self, requires_grad: builtins.bool | None = True) -> Tensor:
        """Set whether gradients with respect to this leaf are computed; return the tensor.

        Raises RuntimeError if the dtype is neither floating nor complex, or for ``False`` on a tensor that is not a leaf.

        >>> import minigrad
        >>> minigrad.ones(2).requires_grad_()
        tensor([1., 1.], requires_grad=True)
        """
    def reshape(self, *sizes: builtins.int | Sequence[builtins.int], shape: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Return the tensor in another shape, whose sizes may be separate arguments; see ``reshape``.

        >>> import minigrad
        >>> minigrad.arange(4).reshape(2, -1)
        tensor([[0, 1],
                [2, 3]])
        """
    def reshape_as(self, other: Tensor) -> Tensor:
        """Return ``input.reshape(other.size())``.

        >>> import minigrad
        >>> minigrad.arange(4).reshape_as(minigrad.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
    def resize_(self, *sizes: builtins.int | Sequence[builtins.int], size: builtins.int | Sequence[builtins.int] | None = None, memory_format: _memory_format | None = ...) -> Tensor:
        """Give the tensor another size, with its elements in index order; return the tensor.

        Elements stay where they are in the storage, which grows if it is too small; new elements are uninitialised. With
        ``memory_format=channels_last`` they are laid out in that format. Raises RuntimeError for a tensor that requires grad, or if a storage
        has to grow while a NumPy array refers to it.

        >>> import minigrad
        >>> minigrad.arange(6).resize_(2, 2)
        tensor([[0, 1],
                [2, 3]])
        """
    def resize_as_(self, the_template: Tensor, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Give the tensor the size of another, as ``resize_`` does.

        >>> import minigrad
        >>> minigrad.resize_as_(minigrad.arange(4), minigrad.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
    def resize_as_sparse_(self, the_template: Tensor) -> Tensor:
        """Resize a sparse tensor in place to the size of another; in a compressed layout, to the number of its elements, too.

        >>> import minigrad
        >>> x = minigrad.eye(2).to_sparse()
        >>> x.resize_as_sparse_(minigrad.eye(3).to_sparse()).shape
        torch.Size([3, 3])
        """
    def resolve_conj(self) -> Tensor:
        """Return a copy of a conjugate view with conjugated elements; any other tensor itself.

        >>> import minigrad
        >>> z = minigrad.tensor(1j)
        >>> minigrad.resolve_conj(z.conj()).is_conj(), minigrad.resolve_conj(z) is z
        (False, True)
        """
    def resolve_neg(self) -> Tensor:
        """Return a copy of a negative view with negated elements; any other tensor itself.

        >>> import minigrad
        >>> minigrad.resolve_neg(minigrad.tensor(1j).conj().imag).is_neg()
        False
        """
    def retain_grad(self) -> None:
        """Keep the ``.grad`` of this tensor although it is not a leaf; does nothing for a leaf.

        Raises RuntimeError if the tensor does not require grad.

        >>> import minigrad
        >>> x = minigrad.tensor([1., 2.], requires_grad=True)
        >>> y = x * x
        >>> y.retain_grad()
        >>> y.sum().backward()
        >>> y.grad
        tensor([1., 1.])
        """
    @property
    def retains_grad(self) -> builtins.bool: ...
    def roll(self, shifts: builtins.int | Sequence[builtins.int], dims: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Return a copy with elements shifted along dimensions; elements shifted past the end reappear at the beginning.

        Without ``dims`` the tensor is flattened first. Raises RuntimeError unless there are as many shifts as dimensions.

        >>> import minigrad
        >>> minigrad.roll(minigrad.tensor([1, 2, 3]), 1)
        tensor([3, 1, 2])
        """
    def rot90(self, k: builtins.int = 1, dims: Sequence[builtins.int] = ...) -> Tensor:
        """Return a copy rotated by ``k`` times 90 degrees in the plane of two dimensions, from the first towards the second.

        Raises RuntimeError unless two different dimensions are given.

        >>> import minigrad
        >>> minigrad.rot90(minigrad.tensor([[1, 2], [3, 4]]))
        tensor([[2, 4],
                [1, 3]])
        """
    def round(self, *, decimals: builtins.int = 0, out: Tensor | None = None) -> Tensor:
        """Round to the nearest integer, or to ``decimals`` places; halves go to the even neighbour.

        >>> import minigrad
        >>> minigrad.round(minigrad.tensor([0.5, 1.5, -2.7]))
        tensor([ 0.,  2., -3.])
        """
    def round_(self, *, decimals: builtins.int = 0) -> Tensor:
        """In-place version of ``round``.

        >>> import minigrad
        >>> minigrad.tensor([1.26, -2.5]).round_(decimals=1)
        tensor([ 1.3000, -2.5000])
        """
    def row_indices(self) -> Tensor:
        """Return the row of each value of a CSC or BSC tensor.

        >>> import minigrad
        >>> minigrad.eye(2).to_sparse_csc().row_indices()
        tensor([0, 1])
        """
    def rsqrt(self, *, out: Tensor | None = None) -> Tensor:
        """The reciprocal of the square root of each element: z = 1 / √x;   dz/dx = -z³ / 2.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.rsqrt(minigrad.tensor([4., 0.]))
        tensor([0.5000,    inf])
        """
    def rsqrt_(self) -> Tensor:
        """In-place version of ``rsqrt``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.rsqrt_() is x
        True
        """
    def scatter(self, dim: builtins.int, index: Tensor, src: Tensor | builtins.complex | None = None, *, value: builtins.complex | None = None, reduce: builtins.str | None = None, out: Tensor | None = None) -> Tensor:
        """Return a copy of ``input`` with elements of ``src`` (a tensor, or one number) written at ``index`` along a dimension.

        ``reduce`` may be "add" or "multiply".  Raises RuntimeError if shapes or dtypes do not fit, or for an index out of range.

        >>> import minigrad
        >>> minigrad.scatter(minigrad.zeros(3), 0, minigrad.tensor([2, 0]), minigrad.tensor([1., 2.]))
        tensor([2., 0., 1.])
        """
    def scatter_(self, dim: builtins.int, index: Tensor, src: Tensor | builtins.complex | None = None, *, value: builtins.complex | None = None, reduce: builtins.str | None = None) -> Tensor:
        """In-place version of ``scatter``; returns the tensor.

        >>> import minigrad
        >>> minigrad.zeros(3).scatter_(0, minigrad.tensor([2, 0]), minigrad.tensor([5., 6.]))
        tensor([6., 0., 5.])
        """
    def scatter_add(self, dim: builtins.int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return a copy of ``input`` with elements of ``src`` added at ``index`` along a dimension.

        Raises RuntimeError if shapes or dtypes do not fit, or for an index out of range.

        >>> import minigrad
        >>> minigrad.scatter_add(minigrad.zeros(3), 0, minigrad.tensor([0, 0]), minigrad.tensor([1., 2.]))
        tensor([3., 0., 0.])
        """
    def scatter_add_(self, dim: builtins.int, index: Tensor, src: Tensor) -> Tensor:
        """In-place version of ``scatter_add``; returns the tensor.

        >>> import minigrad
        >>> minigrad.zeros(3).scatter_add_(0, minigrad.tensor([2, 2]), minigrad.tensor([5., 6.]))
        tensor([ 0.,  0., 11.])
        """
    def scatter_reduce(self, dim: builtins.int, index: Tensor, src: Tensor, reduce: builtins.str, *, include_self: builtins.bool = True, out: Tensor | None = None) -> Tensor:
        """Return a copy of ``input`` with elements of ``src`` reduced into it at ``index`` along a dimension, by "sum", "prod", "mean", "amax"
        or "amin".

        The elements of ``input`` there are included if ``include_self``. Raises RuntimeError if shapes or dtypes do not fit.

        >>> import minigrad
        >>> minigrad.scatter_reduce(minigrad.ones(2), 0, minigrad.tensor([0, 0]), minigrad.tensor([2., 3.]), "prod")
        tensor([6., 1.])
        """
    def scatter_reduce_(self, dim: builtins.int, index: Tensor, src: Tensor, reduce: builtins.str, *, include_self: builtins.bool = True) -> Tensor:
        """In-place version of ``scatter_reduce``; returns the tensor.

        >>> import minigrad
        >>> minigrad.ones(3).scatter_reduce_(0, minigrad.tensor([2, 2]), minigrad.tensor([5., 6.]), "amax")
        tensor([1., 1., 6.])
        """
    def select(self, dim: builtins.int, index: builtins.int) -> Tensor:
        """Return a view of ``input`` at ``index`` of dimension ``dim``, which is removed.

        Raises IndexError if either is out of range.

        >>> import minigrad
        >>> minigrad.select(minigrad.tensor([[1, 2], [3, 4]]), 1, 0)
        tensor([1, 3])
        """
    def select_scatter(self, src: Tensor, dim: builtins.int, index: builtins.int) -> Tensor:
        """Return a copy of ``input`` with ``src`` at ``index`` of a dimension; raises RuntimeError if the shape does not fit.

        >>> import minigrad
        >>> minigrad.select_scatter(minigrad.zeros(2, 2), minigrad.ones(2), 0, 1)
        tensor([[0., 0.],
                [1., 1.]])
        """
    def set_(self, source: Any = None, storage_offset: builtins.int | None = None, size: Sequence[builtins.int] | None = None, stride: Sequence[builtins.int] | None = None) -> Tensor:
        """Make the tensor refer to the memory of ``source``, a tensor or a storage, or to none; return the tensor.

        With ``storage_offset``, ``size`` and optionally ``stride`` (in elements), it refers to a part of it; a storage that is too small
        grows. The version counter is kept. Raises RuntimeError for another dtype, or if the storage cannot grow.

        >>> import minigrad
        >>> minigrad.zeros(2).set_(minigrad.arange(6.), 1, (2, 2))
        tensor([[1., 2.],
                [3., 4.]])
        """
    def sgn(self, *, out: Tensor | None = None) -> Tensor:
        """The direction of each element: z = x / |x|, 0 at 0.  For complex x the part of g along z does not change z: (g - Re(g z̄) z) / |x|.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.sgn(minigrad.tensor([3 + 4j, 0j]))
        tensor([0.6000+0.8000j, 0.0000+0.0000j])
        """
    def sgn_(self) -> Tensor:
        """In-place version of ``sgn``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.sgn_() is x
        True
        """
    @property
    def shape(self) -> _Size: ...
    def share_memory_(self) -> Tensor:
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
    def short(self, *, memory_format: _memory_format | None = ...) -> Tensor:
        """Convert the tensor to ``int16``; the result is the tensor itself if it has that dtype already.

        >>> import minigrad
        >>> minigrad.tensor([0, 1]).short().dtype
        torch.int16
        """
    def sigmoid(self, *, out: Tensor | None = None) -> Tensor:
        """The logistic sigmoid of each element: z = 1 / (1 + e⁻ˣ);   dz/dx = z (1 - z).

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.sigmoid(minigrad.tensor([-2., 0., 2.]))
        tensor([0.1192, 0.5000, 0.8808])
        """
    def sigmoid_(self) -> Tensor:
        """In-place version of ``sigmoid``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.sigmoid_() is x
        True
        """
    def sign(self, *, out: Tensor | None = None) -> Tensor:
        """The sign of each element: z = -1, 0 or 1: the sign of x, 0 for nan; no gradient comes through.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.sign(minigrad.tensor([-2., 0., float("nan")]))
        tensor([-1.,  0.,  0.])
        """
    def sign_(self) -> Tensor:
        """In-place version of ``sign``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.sign_() is x
        True
        """
    def signbit(self, *, out: Tensor | None = None) -> Tensor:
        """Return whether the sign bit of each element is set, that of -0 too; not for complex.

        >>> import minigrad
        >>> minigrad.signbit(minigrad.tensor([1., -0.]))
        tensor([False,  True])
        """
    def sin(self, *, out: Tensor | None = None) -> Tensor:
        """The sine of each element: z = sin x;   dz/dx = cos x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.sin(minigrad.tensor([0., 1.]))
        tensor([0.0000, 0.8415])
        """
    def sin_(self) -> Tensor:
        """In-place version of ``sin``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.sin_() is x
        True
        """
    def sinc(self, *, out: Tensor | None = None) -> Tensor:
        """The normalised sinc function of each element: z = sin(πx) / πx, 1 at 0;   dz/dx = (cos(πx) - z) / x, 0 at 0.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.sinc(minigrad.tensor([0., 0.5, 1.5]))
        tensor([ 1.0000,  0.6366, -0.2122])
        """
    def sinc_(self) -> Tensor:
        """In-place version of ``sinc``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.sinc_() is x
        True
        """
    def sinh(self, *, out: Tensor | None = None) -> Tensor:
        """The hyperbolic sine of each element: z = sinh x;   dz/dx = cosh x.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.sinh(minigrad.tensor([0., 1.]))
        tensor([0.0000, 1.1752])
        """
    def sinh_(self) -> Tensor:
        """In-place version of ``sinh``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.sinh_() is x
        True
        """
    @overload
    def size(self, dim: None = ...) -> _Size:
        """Return the shape, or the size of one dimension.

        >>> import minigrad
        >>> minigrad.ones(2, 3).size()
        torch.Size([2, 3])
        >>> minigrad.ones(2, 3).size(-1)
        3
        """
    @overload
    def size(self, dim: builtins.int) -> builtins.int:
        """Return the shape, or the size of one dimension.

        >>> import minigrad
        >>> minigrad.ones(2, 3).size()
        torch.Size([2, 3])
        >>> minigrad.ones(2, 3).size(-1)
        3
        """
    def slice_scatter(self, src: Tensor, dim: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1, *, out: Tensor | None = None) -> Tensor:
        """Return a copy of ``input`` with ``src`` at a range of a dimension; raises RuntimeError if the shape does not fit.

        >>> import minigrad
        >>> minigrad.slice_scatter(minigrad.zeros(3), minigrad.ones(2), start=1)
        tensor([0., 1., 1.])
        """
    def slogdet(self, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.slogdet:
        """Return the sign (phase) of the determinants of square matrices, and the logarithms of their magnitudes, as ``linalg.slogdet``.

        >>> import minigrad
        >>> minigrad.slogdet(minigrad.eye(2)).logabsdet
        tensor(0.)
        """
    def smm(self, mat2: Tensor) -> Tensor:
        """Multiply a sparse matrix by a dense one; the result is sparse.

        >>> import minigrad
        >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
        >>> minigrad.smm(a, minigrad.tensor([[1.], [10.]])).to_dense()
        tensor([[20.],
                [ 0.]])
        """
    def softmax(self, dim: builtins.int | None = None, dtype: _dtype | None = None, *, out: Tensor | None = None, **names: Any) -> Tensor:
        """Scale the exponentials of the elements to sum to 1: ``exp(input) / exp(input).sum(dim)``; ``dtype`` converts first.

        Raises NotImplementedError for integers, IndexError for a dimension out of range.

        >>> import minigrad
        >>> minigrad.softmax(minigrad.tensor([0., 0.]), 0)
        tensor([0.5000, 0.5000])
        """
    def solve(self, A: Any, *, out: Tensor | None = None) -> Tensor:
        """Raise RuntimeError: removed in favour of ``linalg.solve``.

        >>> import minigrad
        >>> minigrad.solve(minigrad.ones(2, 1), minigrad.eye(2))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        RuntimeError: This function was deprecated since version 1.9 and is now removed...
        """
    def sort(self, dim: builtins.int = -1, descending: builtins.bool = False, stable: builtins.bool | None = None, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.sort:
        """Sort the elements along ``dim``; return them and their original indices; nan counts as the largest.

        The order of equal elements is kept, with or without ``stable``. Raises RuntimeError for complex tensors.

        >>> import minigrad
        >>> minigrad.sort(minigrad.tensor([3., 1., 2.]))
        torch.return_types.sort(
        values=tensor([1., 2., 3.]),
        indices=tensor([1, 2, 0]))
        """
    def sparse_dim(self) -> Tensor:
        """Return the number of dimensions of a sparse tensor that have indices; 0 for a dense tensor.

        >>> import minigrad
        >>> minigrad.ones(2, 3).to_sparse(1).sparse_dim()
        1
        """
    def sparse_mask(self, mask: Tensor) -> Tensor:
        """Return the elements of a dense or sparse tensor at the indices of the sparse tensor ``mask``, as a sparse tensor.

        >>> import minigrad
        >>> minigrad.tensor([[1., 2.], [3., 4.]]).sparse_mask(minigrad.eye(2).to_sparse()).values()
        tensor([1., 4.])
        """
    def sparse_resize_(self, size: Sequence[builtins.int], sparse_dim: Any, dense_dim: Any) -> Tensor:
        """Resize a sparse tensor in place, to a size that holds all its elements unless it has none.

        The values keep their order: where dense dimensions grow, those of the first elements come first, and zeros last.
        Raises RuntimeError for a tensor with elements if a dimension shrinks, or if the number of sparse or dense dimensions changes.

        >>> import minigrad
        >>> minigrad.eye(2).to_sparse().sparse_resize_((3, 2), 2, 0).shape
        torch.Size([3, 2])
        """
    def sparse_resize_and_clear_(self, size: Sequence[builtins.int], sparse_dim: Any, dense_dim: Any) -> Tensor:
        """Resize a sparse tensor in place and remove all its elements.

        >>> import minigrad
        >>> minigrad.eye(2).to_sparse().sparse_resize_and_clear_((3, 2), 2, 0)._nnz()
        0
        """
    def split(self, split_size: builtins.int, dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
        """The same as ``minigrad.split``.

        >>> import minigrad
        >>> minigrad.arange(5).split(2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
        """
    def split_with_sizes(self, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
        """Split along a dimension into a tuple of views of the sizes in a list.

        Raises RuntimeError if the sizes do not sum to the dimension's.

        >>> import minigrad
        >>> minigrad.split_with_sizes(minigrad.arange(3), [1, 2])
        (tensor([0]), tensor([1, 2]))
        """
    def sqrt(self, *, out: Tensor | None = None) -> Tensor:
        """The square root of each element: z = √x;   dz/dx = 1 / 2z.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.sqrt(minigrad.tensor([4, 9]))
        tensor([2., 3.])
        >>> minigrad.sqrt(minigrad.tensor([-1.])), minigrad.sqrt(minigrad.tensor([-1 + 0j]))
        (tensor([nan]), tensor([0.+1.j]))
        """
    def sqrt_(self) -> Tensor:
        """In-place version of ``sqrt``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.sqrt_() is x
        True
        """
    def square(self, *, out: Tensor | None = None) -> Tensor:
        """Return the square of each element, ``input ** 2``.

        Keeps shape and dtype.

        >>> import minigrad
        >>> minigrad.square(minigrad.tensor([2, 3]))
        tensor([4, 9])
        """
    def square_(self) -> Tensor:
        """In-place version of ``square``.

        >>> import minigrad
        >>> minigrad.tensor([2, 3]).square_()
        tensor([4, 9])
        """
    def squeeze(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, axis: Any = None) -> Tensor:
        """Return a view without the dimensions of size one, or without those in ``dim`` (one or several) that have size one.

        Raises IndexError for a dimension out of range.

        >>> import minigrad
        >>> minigrad.squeeze(minigrad.zeros(1, 3, 1)).shape
        torch.Size([3])
        """
    def squeeze_(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, axis: Any = None) -> Tensor:
        """In-place version of ``squeeze``; returns the tensor.

        >>> import minigrad
        >>> minigrad.ones(1, 2, 1).squeeze_().shape
        torch.Size([2])
        """
    def sspaddmm(self, mat1: Tensor, mat2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``beta * input + alpha * (mat1 @ mat2)`` for sparse ``input`` and ``mat1``, as a sparse tensor.

        >>> import minigrad
        >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
        >>> minigrad.sspaddmm(a, a, minigrad.eye(2)).to_dense()
        tensor([[0., 4.],
                [0., 0.]])
        """
    def std(self, dim: builtins.int | Sequence[builtins.int] | None = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, *, correction: builtins.complex | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the standard deviation: of all elements, or along ``dim``. Its gradient is 0 where all elements are equal.

        >>> import minigrad
        >>> minigrad.std(minigrad.tensor([1., 2., 3.]))
        tensor(1.)
        """
    def stft(self, n_fft: Any, hop_length: Any = None, win_length: Any = None, window: Any = None, center: Any = True, pad_mode: Any = ..., normalized: Any = False, onesided: Any = None, return_complex: Any = None, align_to_window: Any = None) -> Tensor:
        """Compute the short-time Fourier transform, that of overlapping windows of a signal: (batch, time) -> (batch, frequency, window).

        Windows of ``n_fft`` elements (``win_length`` of which are non-zero) are ``hop_length`` apart; with ``center`` the first is centered
        at the beginning. Raises RuntimeError for sizes that do not fit.

        >>> import minigrad
        >>> minigrad.stft(minigrad.ones(16), 8, window=minigrad.hann_window(8), return_complex=True).shape
        torch.Size([5, 9])
        """
    def storage(self) -> Any:
        """Return the tensor's storage as a ``TypedStorage``, with a warning: such storages are deprecated.

        >>> import minigrad
        >>> minigrad.ones(2).storage().size()
        2
        """
    def storage_offset(self) -> builtins.int:
        """Return the offset of the tensor in its storage, in elements.

        >>> import minigrad
        >>> minigrad.arange(6)[2:].storage_offset()
        2
        """
    def storage_type(self) -> builtins.str:
        """Return the class of the tensor's typed storage, such as ``FloatStorage``.

        >>> import minigrad
        >>> minigrad.ones(2).storage_type().__name__
        'FloatStorage'
        """
    @overload
    def stride(self, dim: None = ...) -> builtins.tuple[builtins.int, ...]:
        """Return the strides in elements: of every dimension, or of one.

        >>> import minigrad
        >>> minigrad.ones(2, 3).stride()
        (3, 1)
        >>> minigrad.ones(2, 3).t().stride()
        (1, 3)
        """
    @overload
    def stride(self, dim: builtins.int) -> builtins.int:
        """Return the strides in elements: of every dimension, or of one.

        >>> import minigrad
        >>> minigrad.ones(2, 3).stride()
        (3, 1)
        >>> minigrad.ones(2, 3).t().stride()
        (1, 3)
        """
    def sub(self, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex | None = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``input - alpha * other``, elementwise; the operands broadcast and promote; not for bool.

        >>> import minigrad
        >>> minigrad.sub(minigrad.tensor([21., 42.]), minigrad.tensor([10., 20.]), alpha=2)
        tensor([1., 2.])
        """
    def sub_(self, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex | None = 1) -> Tensor:
        """Subtract ``alpha * other`` in place; return the tensor.

        ``other`` broadcasts to the shape of the tensor, which keeps its dtype; raises RuntimeError if the result has a higher kind of dtype.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).sub_(1)
        tensor([0., 1.])
        """
    def subtract(self, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
        """Compute ``input - alpha * other``, as ``sub`` does; beside a number, ``alpha`` may be given by position.

        >>> import minigrad
        >>> minigrad.subtract(minigrad.tensor([21., 42.]), 10, 2)
        tensor([ 1., 22.])
        """
    def subtract_(self, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex = 1) -> Tensor:
        """Subtract ``alpha * other`` in place, as ``sub_`` does; beside a number, ``alpha`` may be given by position.

        >>> import minigrad
        >>> minigrad.tensor([21., 42.]).subtract_(10, 2)
        tensor([ 1., 22.])
        """
    def sum(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the sum of all elements, or along ``dim``: an int or several, with () for all.

        Integers and bools are summed in ``int64``; ``dtype`` converts first. Raises IndexError for a dimension out of range.

        >>> import minigrad
        >>> minigrad.sum(minigrad.tensor([[1., 2.], [3., 4.]]), dim=0)
        tensor([4., 6.])
        """
    def sum_to_size(self, *args: Any, size: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Sum over the dimensions along which a tensor of ``size`` would be expanded to the shape of this one.

        Raises RuntimeError if it could not be expanded to it.

        >>> import minigrad
        >>> minigrad.ones(2, 3).sum_to_size(1, 3)
        tensor([[2., 2., 2.]])
        """
    def svd(self, some: builtins.bool = True, compute_uv: builtins.bool = True, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.svd:
        """Factorise ``input = U diag(S) V.mH`` as ``linalg.svd`` does, but return V.

        ``some`` gives the reduced form; without ``compute_uv``, U and V are zeros.

        >>> import minigrad
        >>> minigrad.svd(minigrad.tensor([[3., 0.], [0., 4.]])).S
        tensor([4., 3.])
        """
    def swapaxes(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """The same as ``transpose``.

        >>> import minigrad
        >>> minigrad.swapaxes(minigrad.ones(2, 3), 0, 1).shape
        torch.Size([3, 2])
        """
    def swapaxes_(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """The same as ``transpose_``.

        >>> import minigrad
        >>> minigrad.ones(2, 3).swapaxes_(0, 1).shape
        torch.Size([3, 2])
        """
    def swapdims(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """The same as ``transpose``.

        >>> import minigrad
        >>> minigrad.swapdims(minigrad.ones(2, 3), 0, 1).shape
        torch.Size([3, 2])
        """
    def swapdims_(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """The same as ``transpose_``.

        >>> import minigrad
        >>> minigrad.ones(2, 3).swapdims_(0, 1).shape
        torch.Size([3, 2])
        """
    def symeig(self, eigenvectors: Any = False, upper: builtins.bool = True, *, out: Tensor | None = None) -> Tensor:
        """Raise RuntimeError: removed in favour of ``linalg.eigh``.

        >>> import minigrad
        >>> minigrad.symeig(minigrad.eye(2))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        RuntimeError: This function was deprecated since version 1.9 and is now removed...
        """
    def t(self) -> Tensor:
        """Return the transpose of a matrix, as a view; a vector or 0-dim tensor itself.

        Raises RuntimeError for more dimensions.

        >>> import minigrad
        >>> minigrad.t(minigrad.zeros(2, 3)).shape
        torch.Size([3, 2])
        """
    def t_(self) -> Tensor:
        """In-place version of ``t``; returns the tensor.

        >>> import minigrad
        >>> minigrad.tensor([[1, 2]]).t_()
        tensor([[1],
                [2]])
        """
    def take(self, index: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return the elements of the flattened ``input`` at ``index`` (int64), in the shape of ``index``.

        Raises IndexError for an index out of range.

        >>> import minigrad
        >>> minigrad.take(minigrad.tensor([[1, 2], [3, 4]]), minigrad.tensor([0, -1]))
        tensor([1, 4])
        """
    def take_along_dim(self, indices: Tensor, dim: builtins.int | None = None, *, out: Tensor | None = None) -> Tensor:
        """Pick the elements of ``input`` at ``indices`` (int64) along a dimension; the other dimensions broadcast.

        Without ``dim``, both are flattened. Raises RuntimeError for an index out of range.

        >>> import minigrad
        >>> minigrad.take_along_dim(minigrad.tensor([[1, 2], [3, 4]]), minigrad.tensor([[1, 0]]), 1)
        tensor([[2, 1],
                [4, 3]])
        """
    def tan(self, *, out: Tensor | None = None) -> Tensor:
        """The tangent of each element: z = tan x;   dz/dx = 1 + z².

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.tan(minigrad.tensor([0., 1.]))
        tensor([0.0000, 1.5574])
        """
    def tan_(self) -> Tensor:
        """In-place version of ``tan``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.tan_() is x
        True
        """
    def tanh(self, *, out: Tensor | None = None) -> Tensor:
        """The hyperbolic tangent of each element: z = tanh x;   dz/dx = 1 - z².

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.tanh(minigrad.tensor([-1., 0., 1.]))
        tensor([-0.7616,  0.0000,  0.7616])
        """
    def tanh_(self) -> Tensor:
        """In-place version of ``tanh``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.tanh_() is x
        True
        """
    def tensor_split(self, indices_or_sections: Any = None, dim: builtins.int = 0, *, indices: Sequence[builtins.int] | None = None, sections: builtins.int | None = None, tensor_indices_or_sections: Tensor | None = None) -> builtins.tuple[Tensor, ...]:
        """Split along a dimension into a tuple of views: a number of nearly equal size, or cut before the given indices.

        A keyword says which of the two is meant. Raises RuntimeError for a 0-dim tensor, or if the number of sections is not positive.

        >>> import minigrad
        >>> minigrad.tensor_split(minigrad.arange(5), 2)
        (tensor([0, 1, 2]), tensor([3, 4]))
        """
    def tile(self, *given: Any, dims: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
        """Repeat a tensor as ``tile`` does; the numbers may be separate arguments.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).tile(2)
        tensor([1, 2, 1, 2])
        """
    def to(self, *args: Any, **kwargs: Any) -> Tensor:
        """Convert to another dtype or device (the CPU is the only one), or to those of another tensor.

        ``to(dtype, non_blocking=False, copy=False)``, ``to(device=None, dtype=None, ...)`` or ``to(other, ...)``, all with
        ``memory_format=preserve_format``. Returns the tensor itself if nothing changes, unless ``copy``.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).to(minigrad.float64)
        tensor([1., 2.], dtype=torch.float64)
        """
    def to_dense(self, dtype: _dtype | None = None, *, masked_grad: builtins.bool | None = None) -> Tensor:
        """Return the tensor itself, which is dense, converted to ``dtype`` if given.

        ``masked_grad`` concerns sparse tensors.

        >>> import minigrad
        >>> minigrad.ones(2).to_dense(minigrad.int64)
        tensor([1, 1])
        """
    def to_sparse(self, sparse_dim: Any = None, *, layout: _layout | None = None, blocksize: Any = None, dense_dim: Any = None) -> Tensor:
        """Convert to a sparse tensor; of a dense one, the non-zero elements are kept.

        ``sparse_dim`` is the number of dimensions that have indices (by default all); the others stay dense. Or ``layout`` names the layout
        (``sparse_coo``), with ``blocksize`` for block layouts, and ``dense_dim`` for compressed ones.

        >>> import minigrad
        >>> minigrad.tensor([[0., 2.], [3., 0.]]).to_sparse()
        tensor(indices=tensor([[0, 1],
                               [1, 0]]),
               values=tensor([2., 3.]),
               size=(2, 2), nnz=2, layout=torch.sparse_coo)
        """
    def to_sparse_bsc(self, blocksize: Any, dense_dim: Any = None) -> Tensor:
        """Convert to the sparse layout ``sparse_bsc``, in blocks of ``blocksize``; of a dense tensor, the last ``dense_dim`` dimensions stay dense.

        >>> import minigrad
        >>> minigrad.tensor([[0., 2.], [3., 4.]]).to_sparse_bsc((1, 2))._nnz()
        2
        """
    def to_sparse_bsr(self, blocksize: Any, dense_dim: Any = None) -> Tensor:
        """Convert to the sparse layout ``sparse_bsr``, in blocks of ``blocksize``; of a dense tensor, the last ``dense_dim`` dimensions stay dense.

        >>> import minigrad
        >>> minigrad.tensor([[0., 2.], [3., 4.]]).to_sparse_bsr((1, 2))._nnz()
        2
        """
    def to_sparse_coo(self) -> Tensor:
        """Convert to a sparse tensor in coordinate format, as ``to_sparse()`` does.

        >>> import minigrad
        >>> minigrad.eye(2).to_sparse_coo().layout
        torch.sparse_coo
        """
    def to_sparse_csc(self, dense_dim: Any = None) -> Tensor:
        """Convert to the sparse layout ``sparse_csc``; of a dense tensor, the last ``dense_dim`` dimensions stay dense.

        >>> import minigrad
        >>> minigrad.tensor([[0., 2.], [3., 4.]]).to_sparse_csc()._nnz()
        3
        """
    def to_sparse_csr(self, dense_dim: Any = None) -> Tensor:
        """Convert to the sparse layout ``sparse_csr``; of a dense tensor, the last ``dense_dim`` dimensions stay dense.

        >>> import minigrad
        >>> minigrad.tensor([[0., 2.], [3., 4.]]).to_sparse_csr()._nnz()
        3
        """
    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers (one number for a 0-dim tensor).

        >>> import minigrad
        >>> minigrad.tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
    def topk(self, k: builtins.int, dim: builtins.int = -1, largest: builtins.bool = True, sorted: builtins.bool = True, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.topk:
        """Return the ``k`` largest (or smallest) elements along ``dim``, in order, and their indices; nan counts as the largest.

        Raises RuntimeError if there are fewer than ``k`` elements.

        >>> import minigrad
        >>> minigrad.topk(minigrad.tensor([3., 1., 2.]), 2)
        torch.return_types.topk(
        values=tensor([3., 2.]),
        indices=tensor([0, 2]))
        """
    def trace(self) -> Tensor:
        """Return the sum of a matrix's diagonal; integers are summed in ``int64``.

        Raises RuntimeError unless there are two dimensions.

        >>> import minigrad
        >>> minigrad.trace(minigrad.tensor([[1, 2], [3, 4]]))
        tensor(5)
        """
    def transpose(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Return a view with two dimensions exchanged; raises IndexError for one out of range.

        >>> import minigrad
        >>> minigrad.transpose(minigrad.zeros(2, 3, 4), 0, 2).shape
        torch.Size([4, 3, 2])
        """
    def transpose_(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """In-place version of ``transpose``; returns the tensor.

        >>> import minigrad
        >>> minigrad.ones(2, 3).transpose_(0, 1).shape
        torch.Size([3, 2])
        """
    def triangular_solve(self, A: Tensor, upper: builtins.bool = True, transpose: builtins.bool = False, unitriangular: builtins.bool = False, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.triangular_solve:
        """Solve ``T X = input`` for the upper (or lower) triangle T of ``A``, or its transpose; return X and a copy of ``A``.

        ``A`` is (..., n, n), ``input`` and X are (..., n, k), of one floating or complex dtype.

        >>> import minigrad
        >>> minigrad.triangular_solve(minigrad.tensor([[4.]]), minigrad.tensor([[2.]])).solution
        tensor([[2.]])
        """
    def tril(self, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
        """Return a copy with zeros above a diagonal of the last two dimensions; a positive ``diagonal`` lies above the main one.

        Raises RuntimeError for fewer than two dimensions.

        >>> import minigrad
        >>> minigrad.tril(minigrad.ones(2, 2))
        tensor([[1., 0.],
                [1., 1.]])
        """
    def tril_(self, diagonal: builtins.int = 0) -> Tensor:
        """In-place version of ``tril``; returns the tensor.

        >>> import minigrad
        >>> minigrad.ones(2, 2).tril_()
        tensor([[1., 0.],
                [1., 1.]])
        """
    def triu(self, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
        """Return a copy with zeros below a diagonal of the last two dimensions; a positive ``diagonal`` lies above the main one.

        Raises RuntimeError for fewer than two dimensions.

        >>> import minigrad
        >>> minigrad.triu(minigrad.ones(2, 2))
        tensor([[1., 1.],
                [0., 1.]])
        """
    def triu_(self, diagonal: builtins.int = 0) -> Tensor:
        """In-place version of ``triu``; returns the tensor.

        >>> import minigrad
        >>> minigrad.ones(2, 2).triu_()
        tensor([[1., 1.],
                [0., 1.]])
        """
    def true_divide(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Divide ``input`` by ``other``, elementwise; integers give floating-point numbers.

        >>> import minigrad
        >>> minigrad.true_divide(minigrad.tensor([1, 2]), 2)
        tensor([0.5000, 1.0000])
        """
    def true_divide_(self, other: Tensor | builtins.complex) -> Tensor:
        """Divide by ``other`` in place; return the tensor.

        ``other`` broadcasts to the tensor's shape, and the dtype is kept. Raises RuntimeError for an integer tensor.

        >>> import minigrad
        >>> minigrad.tensor([1., 2.]).true_divide_(2)
        tensor([0.5000, 1.0000])
        """
    def trunc(self, *, out: Tensor | None = None) -> Tensor:
        """Each element rounded towards zero: z = x without its fraction.

        Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

        >>> import minigrad
        >>> minigrad.trunc(minigrad.tensor([-1.5, 1.5]))
        tensor([-1.,  1.])
        """
    def trunc_(self) -> Tensor:
        """In-place version of ``trunc``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.trunc_() is x
        True
        """
    @overload
    def type(self, dtype: None = ...) -> builtins.str:
        """Return the legacy name of the tensor's type, or convert the tensor to another dtype.

        >>> import minigrad
        >>> minigrad.tensor([1.]).type()
        'torch.FloatTensor'
        >>> minigrad.tensor([1.]).type(minigrad.int64)
        tensor([1])
        """
    @overload
    def type(self, dtype: Any, non_blocking: builtins.bool = ...) -> Tensor:
        """Return the legacy name of the tensor's type, or convert the tensor to another dtype.

        >>> import minigrad
        >>> minigrad.tensor([1.]).type()
        'torch.FloatTensor'
        >>> minigrad.tensor([1.]).type(minigrad.int64)
        tensor([1])
        """
    def type_as(self, other: Tensor) -> Tensor:
        """Convert the tensor to the dtype of ``other``.

        >>> import minigrad
        >>> minigrad.tensor([1, 2]).type_as(minigrad.tensor([0.]))
        tensor([1., 2.])
        """
    def unbind(self, dim: builtins.int = 0, *, axis: Any = None) -> builtins.tuple[Tensor, ...]:
        """Return a tuple of views of ``input`` at each index of a dimension; raise IndexError if there is no such dimension.

        >>> import minigrad
        >>> minigrad.unbind(minigrad.tensor([[1, 2], [3, 4]]))
        (tensor([1, 2]), tensor([3, 4]))
        """
    def unflatten(self, dim: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
        """Return a view with dimension ``dim`` split into ``sizes``, one of which may be -1.

        Raises RuntimeError unless the product of the sizes is that of the dimension.

        >>> import minigrad
        >>> minigrad.unflatten(minigrad.zeros(2, 6), 1, (3, -1)).shape
        torch.Size([2, 3, 2])
        """
    def unfold(self, dimension: builtins.int, size: builtins.int, step: builtins.int) -> Tensor:
        """Return a view of all windows of ``size`` elements along a dimension, ``step`` apart; their elements are a new last dimension.

        Raises RuntimeError if ``size`` is larger than the dimension or negative, or ``step`` is not positive.

        >>> import minigrad
        >>> minigrad.tensor([1, 2, 3, 4]).unfold(0, 2, 1)
        tensor([[1, 2],
                [2, 3],
                [3, 4]])
        """
    def uniform_(self, from_: builtins.float = 0, to: builtins.float = 1, *, generator: Any = None, **named: Any) -> Tensor:
        """Fill with numbers drawn uniformly from [from, to); return the tensor.

        >>> import minigrad
        >>> minigrad.empty(2).uniform_(3, 3)
        tensor([3., 3.])
        """
    def unique(self, sorted: Any = True, return_inverse: Any = False, return_counts: Any = False, dim: Any = None) -> Any:
        """Return the distinct elements, or slices along ``dim``, in order (whatever ``sorted`` says); optionally also their positions and counts.

        >>> import minigrad
        >>> minigrad.unique(minigrad.tensor([3, 1, 1]), return_counts=True)
        (tensor([1, 3]), tensor([2, 1]))
        """
    def unique_consecutive(self, return_inverse: Any = False, return_counts: Any = False, dim: Any = None) -> Any:
        """Return the elements, or slices along ``dim``, without consecutive repetitions.

        >>> import minigrad
        >>> minigrad.unique_consecutive(minigrad.tensor([1, 1, 2, 1]))
        tensor([1, 2, 1])
        """
    def unsafe_chunk(self, chunks: builtins.int, dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
        """Split into chunks that share memory but are not views; see ``chunk``.

        >>> import minigrad
        >>> minigrad.unsafe_chunk(minigrad.arange(3), 2)
        (tensor([0, 1]), tensor([2]))
        """
    def unsafe_split(self, split_size: builtins.int, dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
        """Split into pieces of one size that share memory but are not views: write to a piece only if the others are not used.

        See ``split``.

        >>> import minigrad
        >>> minigrad.unsafe_split(minigrad.arange(3), 2)
        (tensor([0, 1]), tensor([2]))
        """
    def unsafe_split_with_sizes(self, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
        """Split into pieces of the given sizes that share memory but are not views; see ``split_with_sizes``.

        >>> import minigrad
        >>> minigrad.unsafe_split_with_sizes(minigrad.arange(3), (1, 2))
        (tensor([0]), tensor([1, 2]))
        """
    def unsqueeze(self, dim: builtins.int | None = None, *, axis: Any = None) -> Tensor:
        """Return a view with a new dimension of size one at ``dim``; raises IndexError if it is out of range.

        >>> import minigrad
        >>> minigrad.unsqueeze(minigrad.tensor([1, 2]), 1)
        tensor([[1],
                [2]])
        """
    def unsqueeze_(self, dim: builtins.int | None = None, *, axis: Any = None) -> Tensor:
        """In-place version of ``unsqueeze``; returns the tensor.

        >>> import minigrad
        >>> minigrad.ones(2).unsqueeze_(0).shape
        torch.Size([1, 2])
        """
    def untyped_storage(self) -> Any:
        """Return the memory that the tensor and its views share, as bytes.

        >>> import minigrad
        >>> minigrad.ones(3)[1:].untyped_storage().nbytes()
        12
        """
    def values(self) -> Tensor:
        """Return the values (n, *dense dimensions) of a sparse tensor; one in coordinate format must be coalesced.

        >>> import minigrad
        >>> minigrad.eye(2).to_sparse().values()
        tensor([1., 1.])
        """
    def var(self, dim: builtins.int | Sequence[builtins.int] | None = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, *, correction: builtins.complex | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
        """Return the variance, Σ (x - mean)² / (n - correction): of all elements, or along ``dim``.

        >>> import minigrad
        >>> minigrad.var(minigrad.tensor([1., 2., 3.]))
        tensor(1.)
        """
    def vdot(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Return the dot product of two vectors, with ``input`` conjugated.

        >>> import minigrad
        >>> minigrad.vdot(minigrad.tensor([1j]), minigrad.tensor([1j]))
        tensor(1.+0.j)
        """
    def view(self, *shape: Any, size: builtins.int | Sequence[builtins.int] | None = None, dtype: _dtype | None = None) -> Tensor:
        """Return a view of the same memory in another shape, in which one size may be -1; or, given a dtype, of its bytes as elements of that dtype.

        Raises RuntimeError if the sizes do not fit, or if the elements do not lie in memory as the shape needs (``reshape`` would copy).

        >>> import minigrad
        >>> minigrad.arange(6).view(2, -1).shape
        torch.Size([2, 3])
        """
    def view_as(self, other: Tensor) -> Tensor:
        """Return ``input.view(other.size())``.

        >>> import minigrad
        >>> minigrad.arange(4).view_as(minigrad.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
    @property
    def volatile(self) -> Tensor: ...
    @volatile.setter
    def volatile(self, value: Any) -> None: ...
    def vsplit(self, indices_or_sections: Any = None, *, indices: builtins.int | Sequence[builtins.int] | None = None, sections: builtins.int | None = None) -> builtins.tuple[Tensor, ...]:
        """Split along the first dimension with ``tensor_split``; a number of sections must divide its size.

        >>> import minigrad
        >>> minigrad.vsplit(minigrad.arange(4).reshape(1, 2, 2), 1)[0].shape
        torch.Size([1, 2, 2])
        """
    def where(self, condition: Tensor, other: Tensor | builtins.complex) -> Tensor:
        """Return the tensor where ``condition`` is true, and ``other`` elsewhere.

        Shapes broadcast, dtypes promote; ``other`` may be a number.

        >>> import minigrad
        >>> x = minigrad.tensor([-1., 2.])
        >>> x.where(x > 0, 0.)
        tensor([0., 2.])
        """
    def xlogy(self, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
        """Compute ``input * log(other)``, with 0 where ``input`` is 0 and ``other`` is not nan; either may be a number.

        >>> import minigrad
        >>> minigrad.xlogy(minigrad.tensor([0., 2.]), minigrad.tensor([0., 1.]))
        tensor([0., 0.])
        """
    def xlogy_(self, other: Tensor | builtins.complex) -> Tensor:
        """In-place version of ``xlogy``; returns the tensor.

        Keeps shape and dtype; raises RuntimeError if the result does not fit them.

        >>> import minigrad
        >>> x = minigrad.tensor([0.25, 0.5])
        >>> x.xlogy_(x) is x
        True
        """
    def xpu(self, device: _Device = None, non_blocking: builtins.bool = False, *, memory_format: _memory_format = ...) -> Tensor:
        """Raise AssertionError: tensors on Intel GPUs are not supported.

        >>> import minigrad
        >>> minigrad.ones(2).xpu()
        Traceback (most recent call last):
            ...
        AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
        """
    def zero_(self) -> Tensor:
        """Set every element to zero; return the tensor.

        >>> import minigrad
        >>> minigrad.ones(2).zero_()
        tensor([0., 0.])
        """
