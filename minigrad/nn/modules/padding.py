"""Padding: with a constant, the edge, the mirror image, or from the other side."""

from typing import Any

from ..._api import Tensor
from .. import functional as F
from .batchnorm import _check_ndim
from .module import Module
from .utils import _ntuple

__all__ = [
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class _PadNd(Module):
    """Padding of the last ``_n_axes`` axes; ``padding`` is one number, or those before and after each axis, the last axis first."""

    padding: tuple[Any, ...]

    __constants__: list[Any] = ["padding"]
    _n_axes: int
    _mode: str

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _ntuple(2 * self._n_axes)(padding)

    def forward(self, input: Tensor) -> Any:
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _CircularPadNd(_PadNd):
    _mode = "circular"

    def _check_input_dim(self, input):
        _check_ndim(input, self._n_axes + 1, self._n_axes + 2)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return super().forward(input)


class CircularPad1d(_CircularPadNd):
    """Pad with elements from the opposite side: ``(N, C, L)`` or ``(C, L)``.

    >>> import minigrad
    >>> minigrad.nn.CircularPad1d((2, 1))(minigrad.tensor([[1., 2., 3.]]))
    tensor([[2., 3., 1., 2., 3., 1.]])
    """

    _n_axes = 1


class CircularPad2d(_CircularPadNd):
    """Pad with elements from the opposite side: ``(N, C, H, W)`` or ``(C, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.CircularPad2d((1, 0, 0, 0))(minigrad.tensor([[[1., 2.]]]))
    tensor([[[2., 1., 2.]]])
    """

    _n_axes = 2


class CircularPad3d(_CircularPadNd):
    """Pad with elements from the opposite side: ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.CircularPad3d(1)(minigrad.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    _n_axes = 3


class _ConstantPadNd(_PadNd):
    __constants__: list[Any] = ["padding", "value"]

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """Pad the last dimension with ``value``; negative sizes crop.

    >>> import minigrad
    >>> minigrad.nn.ConstantPad1d((2, -1), 9.)(minigrad.tensor([1., 2.]))
    tensor([9., 9., 1.])
    """

    _n_axes = 1


class ConstantPad2d(_ConstantPadNd):
    """Pad the last two dimensions with ``value``; negative sizes crop.

    >>> import minigrad
    >>> minigrad.nn.ConstantPad2d((1, 0, 0, 1), 9.)(minigrad.tensor([[[1., 2.]]]))
    tensor([[[9., 1., 2.],
             [9., 9., 9.]]])
    """

    _n_axes = 2


class ConstantPad3d(_ConstantPadNd):
    """Pad the last three dimensions with ``value``; negative sizes crop.

    >>> import minigrad
    >>> minigrad.nn.ConstantPad3d(1, 9.)(minigrad.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    _n_axes = 3


class _ReflectionPadNd(_PadNd):
    _mode = "reflect"


class ReflectionPad1d(_ReflectionPadNd):
    """Pad with the mirror image, without repeating the edge: ``(N, C, L)`` or ``(C, L)``.

    >>> import minigrad
    >>> minigrad.nn.ReflectionPad1d(2)(minigrad.tensor([[1., 2., 3.]]))
    tensor([[3., 2., 1., 2., 3., 2., 1.]])
    """

    _n_axes = 1


class ReflectionPad2d(_ReflectionPadNd):
    """Pad with the mirror image, without repeating the edge: ``(N, C, H, W)`` or ``(C, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.ReflectionPad2d((1, 0, 0, 0))(minigrad.tensor([[[1., 2.]]]))
    tensor([[[2., 1., 2.]]])
    """

    _n_axes = 2


class ReflectionPad3d(_ReflectionPadNd):
    """Pad with the mirror image, without repeating the edge: ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.ReflectionPad3d(1)(minigrad.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    _n_axes = 3


class _ReplicationPadNd(_PadNd):
    _mode = "replicate"


class ReplicationPad1d(_ReplicationPadNd):
    """Pad by repeating the edge: ``(N, C, L)`` or ``(C, L)``.

    >>> import minigrad
    >>> minigrad.nn.ReplicationPad1d(2)(minigrad.tensor([[1., 2., 3.]]))
    tensor([[1., 1., 1., 2., 3., 3., 3.]])
    """

    _n_axes = 1


class ReplicationPad2d(_ReplicationPadNd):
    """Pad by repeating the edge: ``(N, C, H, W)`` or ``(C, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.ReplicationPad2d((1, 0, 0, 1))(minigrad.tensor([[[1., 2.]]]))
    tensor([[[1., 1., 2.],
             [1., 1., 2.]]])
    """

    _n_axes = 2


class ReplicationPad3d(_ReplicationPadNd):
    """Pad by repeating the edge: ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.ReplicationPad3d(1)(minigrad.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    _n_axes = 3


class ZeroPad1d(ConstantPad1d):
    """Pad the last dimension with zeros.

    >>> import minigrad
    >>> minigrad.nn.ZeroPad1d(1)(minigrad.tensor([[1., 2.]]))
    tensor([[0., 1., 2., 0.]])
    """

    def __init__(self, padding: int | tuple[int, int]) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad2d(ConstantPad2d):
    """Pad the last two dimensions with zeros.

    >>> import minigrad
    >>> minigrad.nn.ZeroPad2d((1, 0, 0, 1))(minigrad.tensor([[[1., 2.]]]))
    tensor([[[0., 1., 2.],
             [0., 0., 0.]]])
    """

    def __init__(self, padding: int | tuple[int, int, int, int]) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad3d(ConstantPad3d):
    """Pad the last three dimensions with zeros.

    >>> import minigrad
    >>> minigrad.nn.ZeroPad3d(1)(minigrad.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    def __init__(self, padding: int | tuple[int, int, int, int, int, int]) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"
