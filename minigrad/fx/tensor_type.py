"""Types of tensors by their shapes, for annotations: ``TensorType((2, 3, Dyn))``."""

from collections.abc import Sequence
from typing import Any

__all__ = ["Dyn", "TensorType", "is_consistent", "is_more_precise"]


class TensorType:
    """The type of tensors of a shape, in which ``Dyn`` stands for any size.

    >>> import minigrad
    >>> from minigrad.fx.tensor_type import Dyn, TensorType
    >>> TensorType((2, Dyn)) == TensorType[2, Dyn]
    True
    """

    def __init__(self, dim: Sequence[Any]) -> None:
        self.__origin__ = TensorType
        self.__args__ = dim

    @property
    def dims(self) -> Any:
        """The sizes."""
        return self.__args__

    def __repr__(self) -> str:
        return f"TensorType[{self.dims}]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorType) and list(self.dims) == list(other.dims)

    def __hash__(self) -> int:
        return hash(tuple(self.dims))

    def __class_getitem__(cls, dims: Any) -> Any:
        return cls(dims if isinstance(dims, tuple) else (dims,))


class _DynType:
    """The type of what nothing is known of."""

    def __init__(self) -> None:
        self.__name__ = "_DynType"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _DynType)

    def __hash__(self) -> int:
        return hash(_DynType)

    def __str__(self) -> str:
        return "Dyn"

    __repr__ = __str__


Dyn: Any = _DynType()


def is_consistent(t1: object, t2: object) -> bool:
    """Return whether one thing can be of both types: what is not known can be anything.

    >>> from minigrad.fx.tensor_type import Dyn, TensorType, is_consistent
    >>> is_consistent(TensorType((2, Dyn)), TensorType((Dyn, 3)))
    True
    """
    if t1 == t2 or Dyn in (t1, t2):
        return True
    if isinstance(t1, TensorType) and isinstance(t2, TensorType):
        return len(t1.dims) == len(t2.dims) and all(map(is_consistent, t1.dims, t2.dims))
    return False


def is_more_precise(t1: object, t2: object) -> bool:
    """Return whether the first type says all that the second does.

    >>> from minigrad.fx.tensor_type import Dyn, TensorType, is_more_precise
    >>> is_more_precise(TensorType((2, 3)), TensorType((2, Dyn)))
    True
    """
    if t1 == t2 or t2 == Dyn:
        return True
    if isinstance(t1, TensorType) and isinstance(t2, TensorType):
        return len(t1.dims) == len(t2.dims) and all(map(is_more_precise, t1.dims, t2.dims))
    return False
