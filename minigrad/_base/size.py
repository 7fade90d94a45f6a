"""``Size``: the shape of a tensor, a tuple that prints and slices as PyTorch's."""

import math
from collections.abc import Callable, Iterable
from typing import Any, SupportsIndex, overload

from .publishing import publish
from .sealed import final


class Size(tuple[int, ...]):
    """The shape of a tensor.

    >>> import minigrad
    >>> minigrad.zeros(2, 3).shape
    torch.Size([2, 3])
    """

    __slots__ = ()

    def __new__(cls, sizes: Iterable[int] = ()) -> "Size":
        self = tuple.__new__(cls, sizes)
        for i, n in enumerate(self):
            if n.__class__ is not int and not hasattr(n, "__index__"):
                raise TypeError(f"torch.Size() takes an iterable of 'int' (item {i} is '{type(n).__name__}')")
        return self

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    @overload
    def __getitem__(self, index: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> "Size": ...
    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: tuple[Any, ...]) -> "Size":  # type: ignore[override]  # of ints only, says tuple
        if not isinstance(other, tuple):
            raise TypeError(f"can only concatenate tuple (not {type(other).__name__}) to torch.Size")
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: Iterable[int]) -> "Size":
        return Size(tuple.__add__(tuple(other), self))

    def __mul__(self, times: SupportsIndex) -> "Size":
        return Size(tuple.__mul__(self, times))

    __rmul__: Callable[..., "Size"] = __mul__

    def __reduce__(self) -> Any:
        return Size, (tuple(self),)


publish("minigrad", final(Size))
