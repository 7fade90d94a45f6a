"""``Size``: the shape of a tensor, a tuple that prints and slices as PyTorch's."""

import math

from .publishing import publish


class Size(tuple):
    """The shape of a tensor.

    >>> import minigrad
    >>> minigrad.zeros(2, 3).shape
    torch.Size([2, 3])
    """

    __slots__ = ()

    def __new__(cls, sizes=()):
        self = tuple.__new__(cls, sizes)
        for i, n in enumerate(self):
            if n.__class__ is not int and not hasattr(n, "__index__"):
                raise TypeError(f"torch.Size() takes an iterable of 'int' (item {i} is '{type(n).__name__}')")
        return self

    def numel(self):
        """The number of elements of a tensor of this shape."""
        return math.prod(self)

    def __repr__(self):
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def __getitem__(self, index):
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other):
        if not isinstance(other, tuple):
            raise TypeError(f"can only concatenate tuple (not {type(other).__name__}) to torch.Size")
        return Size(tuple.__add__(self, other))

    def __radd__(self, other):
        return Size(tuple.__add__(tuple(other), self))

    def __mul__(self, times):
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __reduce__(self):
        return Size, (tuple(self),)


publish("minigrad", Size)
