"""Types of tensors by their shapes, for annotations: ``TensorType((2, 3, Dyn))``."""

__all__ = ["Dyn", "TensorType", "is_consistent", "is_more_precise"]


class TensorType:
    """The type of tensors of a shape, in which ``Dyn`` stands for any size.

    >>> import minigrad
    >>> from minigrad.fx.tensor_type import Dyn, TensorType
    >>> TensorType((2, Dyn)) == TensorType[2, Dyn]
    True
    """

    def __init__(self, dim):
        self.__origin__ = TensorType
        self.__args__ = dim

    @property
    def dims(self):
        """The sizes."""
        return self.__args__

    def __repr__(self):
        return f"TensorType[{self.dims}]"

    def __eq__(self, other):
        return isinstance(other, TensorType) and list(self.dims) == list(other.dims)

    def __hash__(self):
        return hash(tuple(self.dims))

    def __class_getitem__(cls, dims):
        return cls(dims if isinstance(dims, tuple) else (dims,))


class _DynType:
    """The type of what nothing is known of."""

    def __init__(self):
        self.__name__ = "_DynType"

    def __eq__(self, other):
        return isinstance(other, _DynType)

    def __hash__(self):
        return hash(_DynType)

    def __str__(self):
        return "Dyn"

    __repr__ = __str__


Dyn = _DynType()


def is_consistent(t1, t2):
    """Whether one thing can be of both types: what is not known can be anything.

    >>> from minigrad.fx.tensor_type import Dyn, TensorType, is_consistent
    >>> is_consistent(TensorType((2, Dyn)), TensorType((Dyn, 3)))
    True
    """
    if t1 == t2 or Dyn in (t1, t2):
        return True
    if isinstance(t1, TensorType) and isinstance(t2, TensorType):
        return len(t1.dims) == len(t2.dims) and all(map(is_consistent, t1.dims, t2.dims))
    return False


def is_more_precise(t1, t2):
    """Whether the first type says all that the second does.

    >>> from minigrad.fx.tensor_type import Dyn, TensorType, is_more_precise
    >>> is_more_precise(TensorType((2, 3)), TensorType((2, Dyn)))
    True
    """
    if t1 == t2 or t2 == Dyn:
        return True
    if isinstance(t1, TensorType) and isinstance(t2, TensorType):
        return len(t1.dims) == len(t2.dims) and all(map(is_more_precise, t1.dims, t2.dims))
    return False
