"""Questions about tensors, as functions."""

import numpy as np

from .._base import dtypes
from .._base.dtypes import dtype_name
from .._base.errors import check_integer_range, not_a_tensor
from .._core.interpret import promotion_rank
from .._core.tensor import Tensor, wrap
from .._core.wrapped import Wrapped
from .overloads import refused

__all__ = [
    "_assert", "_is_all_true", "_is_any_true", "is_complex", "is_floating_point", "is_inference", "is_same_size", "is_signed", "is_tensor", "numel", "result_type",
]
METHODS = "is_same_size _is_all_true _is_any_true"


def _assert(condition, message):
    """Raise AssertionError with ``message`` unless ``condition`` is true: a one-element tensor, or anything that Python asks.

    >>> import minigrad
    >>> minigrad._assert(minigrad.ones(2).sum() == 2, "a sum")
    """
    if not condition:
        raise AssertionError(message)


def _is_all_true(input):
    """Whether all elements of a tensor of bools are true, as such a tensor without dimensions: inside ``vmap`` all samples count.

    Raises RuntimeError for other dtypes.

    >>> import minigrad
    >>> minigrad._is_all_true(minigrad.tensor([True, False]))
    tensor(False)
    """
    return wrap(np.asarray(_bools("_is_all_true", input).all()))


def _is_any_true(input):
    """Whether any element of a tensor of bools is true, as such a tensor without dimensions: inside ``vmap`` all samples count.

    Raises RuntimeError for other dtypes.

    >>> import minigrad
    >>> minigrad._is_any_true(minigrad.tensor([True, False]))
    tensor(True)
    """
    return wrap(np.asarray(_bools("_is_any_true", input).any()))


def _bools(function, input):
    """The array of a tensor of bools; in transforms that of all samples."""
    _tensor(function, input)
    while isinstance(input, Wrapped):
        input = input._array.inner
    if input._array.dtype != np.bool_:
        raise RuntimeError(f"{function}(): expected a tensor of bool, but got {dtype_name(input)}")
    return input._array


def is_tensor(obj, /):
    """Return whether ``obj`` is a Tensor.

    >>> import minigrad
    >>> minigrad.is_tensor(minigrad.ones(2)), minigrad.is_tensor([1.])
    (True, False)
    """
    return isinstance(obj, Tensor)


def _tensor(function, input):
    if not isinstance(input, Tensor):
        raise not_a_tensor(function, "input", 1, input)
    return input


def is_floating_point(input):
    """Return whether the tensor's dtype is a floating-point dtype; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.is_floating_point(minigrad.ones(2))
    True
    """
    return _tensor("is_floating_point", input).is_floating_point()


def is_inference(input):
    """Return whether the tensor was made in inference mode; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.is_inference(minigrad.ones(2))
    False
    """
    return _tensor("is_inference", input).is_inference()


def is_complex(input):
    """Return whether the tensor's dtype is complex; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.is_complex(minigrad.tensor(1j))
    True
    """
    return _tensor("is_complex", input).is_complex()


def is_signed(input):
    """Return whether the tensor's dtype can hold negative numbers; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.is_signed(minigrad.ones(2, dtype=minigrad.uint8))
    False
    """
    return _tensor("is_signed", input).is_signed()


def numel(input):
    """Return the number of elements; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.numel(minigrad.ones(2, 3))
    6
    """
    return _tensor("numel", input)._array.size


def is_same_size(input, other):
    """Return whether two tensors have the same shape.

    >>> import minigrad
    >>> minigrad.is_same_size(minigrad.ones(2), minigrad.zeros(2))
    True
    """
    if not isinstance(other, Tensor):
        raise not_a_tensor("is_same_size", "other", 2, other)
    return _tensor("is_same_size", input)._array.shape == other._array.shape


_RESULT_TYPE = "(Tensor tensor, Tensor other)", "(Tensor tensor, Number other)", "(Number scalar, Tensor tensor)", "(Number scalar1, Number scalar2)"


def result_type(tensor1=None, tensor2=None, /, *, tensor=None, other=None, scalar=None, scalar1=None, scalar2=None):
    """Return the dtype of an operation between two tensors or numbers; raise TypeError for anything else.

    The keywords are those of PyTorch's overloads: ``tensor`` and ``other``, ``scalar`` and ``tensor``, ``scalar1`` and ``scalar2``.

    >>> import minigrad
    >>> minigrad.result_type(minigrad.ones(2, dtype=minigrad.int32), 1.5)
    torch.float32
    """
    given = [x for x in (tensor1, tensor2, scalar, tensor, other, scalar1, scalar2) if x is not None]
    if len(given) != 2 or not all(isinstance(x, (Tensor, bool, int, float, complex, np.generic)) for x in given):
        raise refused("result_type", _RESULT_TYPE, *given)
    for x in given:
        if x.__class__ is int:
            check_integer_range(x)
    return dtypes.result_dtype([promotion_rank(x) for x in given])
