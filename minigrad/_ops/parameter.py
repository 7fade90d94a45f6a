"""``Parameter`` and ``Buffer``: tensors that a module registers when they are assigned to it.

A Parameter is a class of its own, which ops take straight as they do a Tensor (``families.fast_classes``); what ops return is a Tensor.  A Buffer is a
Tensor with a mark.
"""

from typing import Any

import numpy as np

from .._base.composites import composite
from .._base.mixing import refuse_call_by_pytorch, refuse_pytorch
from .._base.publishing import publish
from .._core import interpret  # noqa: F401  (the slow path, which stands above the families, comes with whatever subject is the first)
from .._core.families import fast_classes
from .._core.storage import FRESH, own_storage
from .._core.tensor import Tensor, as_class, new, restore_operand, start_requiring_grad, wrap
from .._core.wrapped import Dual

__all__: list[str] = []  # nn.parameter is their place for users


def as_tensors(func, types, args=(), kwargs=None):
    """Apply ``func`` as if all its operands were of class Tensor: what subclasses that override nothing do."""
    refuse_call_by_pytorch(func, args)
    tensors = tuple(
        as_class(x, Tensor) if isinstance(x, Parameter) and x.__class__ not in fast_classes else x for x in args
    )
    result = func(*tensors, **(kwargs or {}))
    for x, operand in zip(tensors, args):
        if result is x and x is not operand:
            return restore_operand(operand, x)
    return result


class _Marked(type):
    """Lets ``isinstance(x, cls)`` hold for tensors that carry the class's mark, whatever their class."""

    mark: Any


    def __instancecheck__(cls, instance: Any) -> Any:
        return type.__instancecheck__(cls, instance) or (
            "mark" in cls.__dict__ and isinstance(instance, Tensor) and getattr(instance, cls.mark, False)
        )


class Parameter(Tensor, metaclass=_Marked):
    """A tensor that a ``Module`` registers as a parameter when it is assigned as an attribute.

    It shares the memory of ``data`` (an empty tensor by default), and requires grad unless told otherwise, even under ``no_grad``. Raises
    RuntimeError if it should require grad but its dtype is neither floating-point nor complex.

    >>> import minigrad
    >>> minigrad.nn.Parameter(minigrad.tensor([1., 2.]))
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    """

    mark = "_is_param"
    _results = Tensor
    __torch_function__: Any = staticmethod(as_tensors)

    @composite("Parameter", event=None)
    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        if data.__class__ is Dual:
            data = data.detach()
        if data is not None and data.__class__ is not Tensor and (getattr(data, "_is_meta", False) or getattr(data, "_is_sparse", False) or not isinstance(data, Parameter)):
            return _marked(data, requires_grad)
        self = new(cls)
        if data is None:
            self._array = np.empty(0, np.float32)
            self._storage = FRESH
        else:
            self._array = data._array
            self._storage = own_storage(data)
        self._node = None
        if requires_grad:
            if self._array.dtype.kind not in "fcV":
                raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
            start_requiring_grad(self)
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        if id(self) in memo:
            return memo[id(self)]
        twin = type(self)(self.data.clone(), self.requires_grad)
        memo[id(self)] = twin
        return twin

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        if type(self) is not Parameter and not (self._is_meta or self._is_sparse or self._wrapped):
            text = super().__repr__(tensor_contents=tensor_contents)  # type: ignore[call-arg]
            return f"Parameter containing:\nParameter({text})"
        return "Parameter containing:\n" + as_class(self, Tensor).__repr__(tensor_contents=tensor_contents)


def _marked(data, requires_grad):
    """A parameter of a user's own tensor class: an object of that class with a mark."""
    refuse_pytorch(data)
    if data._is_meta or data._is_sparse:
        return data._as_parameter(requires_grad)
    parameter = data.detach().requires_grad_(requires_grad)
    if type(parameter) is not type(data):
        parameter = as_class(parameter, type(data))
    parameter._is_param = True
    return parameter


fast_classes.add(Parameter)


class Buffer(Tensor, metaclass=_Marked):
    """A tensor that a ``Module`` registers as a buffer when it is assigned as an attribute.

    A ``persistent`` buffer is part of ``state_dict()``.

    >>> import minigrad
    >>> isinstance(minigrad.nn.Buffer(minigrad.ones(2)), minigrad.nn.Buffer)
    True
    """

    mark = "_is_buffer"
    _results = Tensor
    __torch_function__: Any = staticmethod(as_tensors)

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        if data is None:
            data = wrap(np.empty(0, np.float32))
        buffer = data.detach()
        if data.requires_grad:
            start_requiring_grad(buffer)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return buffer


publish("minigrad.nn.parameter", Parameter, Buffer)
