"""``Parameter`` and ``Buffer``: the tensors that modules register; and those of lazy modules, which have no shape yet."""

from collections.abc import Callable
from typing import Any

from .._api import Tensor, _convert, _Device, _getattr_of, _lazy, empty
from .._api import _Buffer as Buffer
from .._api import _Parameter as Parameter
from .._api import dtype as _dtype

__all__ = [
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "UninitializedTensorMixin",
    "is_lazy",
]


class UninitializedTensorMixin:
    """The base class of uninitialized tensors: dtype and device can change; most other operations raise ValueError until ``materialize``."""

    requires_grad: Any

    data: Any

    cls_to_become: type
    _repr_html_: Any = None  # there is no more to show than the text says

    def materialize(self, shape: Any, device: _Device = None, dtype: _dtype | None = None) -> None:
        """Turn this into a parameter or tensor of the given shape, with uninitialized memory; device and dtype are kept by default.

        >>> import minigrad
        >>> weight = minigrad.nn.UninitializedParameter()
        >>> weight.materialize((2, 3))
        >>> weight.shape, type(weight).__name__
        (torch.Size([2, 3]), 'Parameter')
        """
        data = self.data
        device = data.device if device is None else device
        self.data = empty(shape, device=device, dtype=data.dtype if dtype is None else dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self) -> Any:
        """Raises RuntimeError: the tensor is uninitialized."""
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. Call the module with an input (of any batch "
            "size) first, which sets its shapes; load_state_dict takes them from the "
            "state dict."
        )

    def copy_(self, other: Any, non_blocking: bool = False) -> Any:
        """Do nothing if the other tensor is uninitialized too; raise ValueError otherwise."""
        return self if is_lazy(other) else super().copy_(other, non_blocking)  # type: ignore[misc]

    def share_memory_(self) -> Any:
        """Raise RuntimeError: the tensor is uninitialized."""
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the parameters before "
            "calling `module.share_memory()`."
        )

    def __reduce_ex__(self, proto: Any) -> Any:
        return type(self), (self.requires_grad,)

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if func in _allowed() or type(func).__name__ == "method-wrapper":
            return super().__torch_function__(func, types, args, kwargs or {})  # type: ignore[misc]
        raise _without_shape(cls, func)


def _without_shape(cls, func):
    return ValueError(
        f"Attempted to use an uninitialized parameter in {func}. It is a `torch.nn.parameter.{cls.__name__}`, which has no "
        "shape until a lazy module has seen an input: call `forward` with one first."
    )


def _allowed():
    """What can be done with a tensor that has no shape; half, float, double, to and their kin change the dtype by way of the last two."""
    names = ["__hash__", "size", "copy_", "is_complex", "is_floating_point", "cuda", "cpu", "get_device"]
    return [*(getattr(Tensor, name) for name in names), _convert._to_floating, _convert._to_integer]


def _refused(name):
    def refuse(self, *args, **kwargs):
        raise _without_shape(type(self), getattr(Tensor, name))

    refuse.__name__ = name
    refuse.__doc__ = "Raise ValueError: there is no shape yet."
    return refuse


#: What tensors do without asking ``__torch_function__``.
_UNASKED = (
    "__getitem__ __len__ __setitem__ contiguous detach dim element_size expand is_contiguous new_empty new_full new_ones "
    "new_tensor new_zeros numel numpy reshape stride tolist view"
)
for _name in _UNASKED.split():
    setattr(UninitializedTensorMixin, _name, _refused(_name))


def _empty(cls, requires_grad, device, dtype):
    tensor = Tensor._make_subclass(cls, empty(0, device=device, dtype=dtype))
    tensor.requires_grad = requires_grad
    return tensor


def is_lazy(param: Any) -> bool:
    """Return whether a parameter or buffer is uninitialized.

    >>> import minigrad
    >>> minigrad.nn.parameter.is_lazy(minigrad.nn.LazyLinear(2).weight), minigrad.nn.parameter.is_lazy(minigrad.nn.Linear(3, 2).weight)
    (True, False)
    """
    return isinstance(param, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter whose shape a lazy module sets when it sees its first input.

    >>> import minigrad
    >>> p = minigrad.nn.UninitializedParameter()
    >>> p.materialize((2, 3))
    >>> p.shape
    torch.Size([2, 3])
    """

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: _Device = None, dtype: _dtype | None = None) -> Any:
        return _empty(cls, requires_grad, device, dtype)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"<{type(self).__name__}>"

    def __deepcopy__(self, memo: Any) -> Any:
        if id(self) not in memo:
            data = self.data
            memo[id(self)] = type(self)(self.requires_grad, data.device, data.dtype)
        return memo[id(self)]


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer whose shape a lazy module sets when it sees its first input.

    >>> import minigrad
    >>> b = minigrad.nn.UninitializedBuffer()
    >>> b.materialize((2, 3))
    >>> b.shape
    torch.Size([2, 3])
    """

    cls_to_become = Tensor

    def __new__(
        cls,
        requires_grad: bool = False,
        device: _Device = None,
        dtype: _dtype | None = None,
        persistent: bool = True,
    ) -> Any:
        buffer = _empty(cls, requires_grad, device, dtype)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return buffer

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"<{type(self).__name__}>"

    __deepcopy__: Any = _refused("__deepcopy__")


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
_lazy.answer_for_sources(globals())
