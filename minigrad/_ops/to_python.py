"""A tensor's values as Python's and NumPy's, and what Python asks of a container: methods of Tensor."""

import functools
import warnings

import numpy as np

from .._arrays.rounding import numbers
from .._arrays.traced import Traced
from .._arrays.unresolved import Unresolved
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.dtypes import scalar_type_name
from .._core.modes import thread_state
from .._core.tensor import Tensor, of_array

__all__: list[str] = []
METHODS = (
    "item tolist numpy __array__ __array_wrap__ __len__ __iter__ __bool__ __nonzero__=__bool__ __float__ __int__ __long__=__int__ "
    "__complex__ __index__ __delitem__ __reversed__ __contains__ __format__"
)


@composite
def item(self):
    """Return the only element as a Python number; raise RuntimeError if there are more or none.

    >>> import minigrad
    >>> minigrad.tensor([2.5]).item()
    2.5
    """
    if self._array.size != 1:
        raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
    return numbers(self._array).item()


@composite(event=None)
def tolist(self):
    """Return the elements as nested lists of Python numbers (one number for a 0-dim tensor).

    >>> import minigrad
    >>> minigrad.tensor([[1, 2], [3, 4]]).tolist()
    [[1, 2], [3, 4]]
    """
    return numbers(self._array).tolist()


@composite(event=None)
def numpy(self, *, force=False):
    """Return the tensor as an array that shares its memory.

    Raises RuntimeError if the tensor requires grad, unless ``force`` or inside ``no_grad``; and for a conjugate or negative view, which
    ``force`` copies.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).numpy()
    array([1, 2])
    """
    if not force and self.requires_grad and thread_state.recording and not thread_state.inference:
        raise RuntimeError(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        )
    if self._array.dtype.char == "V":
        raise TypeError(f"Got unsupported ScalarType {scalar_type_name(self.dtype)}")
    array = self._array
    if array.__class__ is Traced:
        array.program.leak("numpy() reads the elements of a tensor")
        return array.array
    if array.__class__ is Unresolved:
        if not force:
            which = "conj" if array.conjugated else "neg"
            bit = "conjugate" if array.conjugated else "negative"
            raise RuntimeError(
                f"Can't call numpy() on Tensor that has {bit} bit set. Use tensor.resolve_{which}().numpy() instead."
            )
        return array.resolve()
    return array


def __array__(self, dtype=None, copy=None):
    array = self.numpy()
    if copy:
        return np.array(array, dtype=dtype)
    return np.asarray(array, dtype=dtype) if copy is None else np.asarray(array, dtype=dtype, copy=False)


def __array_wrap__(self, array, context=None, return_scalar=False):
    """What a NumPy function of this tensor returns: a tensor; truth values come as uint8, as PyTorch has it."""
    return of_array(array.view(np.uint8) if array.dtype == np.bool_ else array)


def __len__(self):
    if not self._array.ndim:
        raise TypeError("len() of a 0-d tensor")
    return self._array.shape[0]


def __iter__(self):
    if not self.dim():
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


@composite("is_nonzero")
def __bool__(self):
    array = self._array
    if array.size != 1:
        raise RuntimeError(
            "Boolean value of Tensor with no values is ambiguous"
            if array.size == 0
            else "Boolean value of Tensor with more than one value is ambiguous"
        )
    return bool(numbers(array).item())


@composite(event="item")
def __float__(self):
    return float(one_number(self, float))


@composite("item")
def __int__(self):
    return int(one_number(self, int))


def __complex__(self):
    return complex(one_number(self, complex))


def __index__(self):
    array = self._array
    if array.size != 1 or array.dtype.kind not in "iub":
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(array.item())


def __delitem__(self, key):
    raise TypeError("Tensor does not support deleting items")


def __reversed__(self):
    return self.flip(0) if self._array.ndim else self


def __contains__(self, element):
    if isinstance(element, (Tensor, int, float, complex)):
        if isinstance(element, Tensor) and element._wrapped:
            return (self == element).reshape(-1).any().item()
        value = numbers(element._array) if isinstance(element, Tensor) else element
        return bool((numbers(self._array) == value).any())
    raise RuntimeError(
        f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}."
    )


def __format__(self, format_spec):
    if type(self) is Tensor and not self._array.ndim:
        return self.item().__format__(format_spec)
    return object.__format__(self, format_spec) if format_spec else str(self)


def one_number(tensor, kind):
    """The only element of a tensor, for a conversion to a Python number."""
    if tensor._array.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    if kind is not int and tensor.requires_grad and thread_state.recording:
        warn_of_number()
    value = numbers(tensor._array).item()
    if isinstance(value, complex) and kind is not complex:
        if value.imag:
            raise RuntimeError(
                f"value cannot be converted to type {'double' if kind is float else 'int64_t'} without overflow"
            )
        value = value.real
    return value


@functools.cache
def warn_of_number():
    """Warn, once, that a number made of a tensor has no history."""
    warnings.warn(
        "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using tensor.detach() "
        "first.",
        stacklevel=level_of_user(),
    )
