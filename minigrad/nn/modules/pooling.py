"""Pooling: the maximum, the mean or the norm of windows, and their undoing."""

from typing import Any

from ..._api import Tensor
from .. import functional as F
from .module import Module
from .utils import _ntuple, _shown, _single
from .utils import _pair as _pair  # programs import these from here
from .utils import _triple as _triple

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "LPPool1d",
    "LPPool2d",
    "LPPool3d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
]


class _MaxPoolNd(Module):
    stride: Any

    __constants__: list[Any] = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]

    def __init__(
        self,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] | None = None,
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, ...] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Any) -> None:
        return self._pool(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )

    def extra_repr(self) -> str:
        return _shown(self, "kernel_size stride padding dilation ceil_mode")


class MaxPool1d(_MaxPoolNd):
    """Take the maximum of each window: ``(N, C, L) -> (N, C, L_out)``, or without N; ``return_indices`` also returns where it was.

    >>> import minigrad
    >>> minigrad.nn.MaxPool1d(2)(minigrad.tensor([[1., 3., 2., 0.]]))
    tensor([[3., 2.]])
    """

    _pool = staticmethod(F.max_pool1d)


class MaxPool2d(_MaxPoolNd):
    """Take the maximum of each window of images: ``(N, C, H, W)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.MaxPool2d(2)(minigrad.tensor([[[1., 5.], [7., 2.]]]))
    tensor([[[7.]]])
    """

    _pool = staticmethod(F.max_pool2d)


class MaxPool3d(_MaxPoolNd):
    """Take the maximum of each window of volumes: ``(N, C, D, H, W)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.MaxPool3d(2)(minigrad.ones(1, 1, 4, 4, 4)).shape
    torch.Size([1, 1, 2, 2, 2])
    """

    _pool = staticmethod(F.max_pool3d)


class _MaxUnpoolNd(Module):
    kernel_size: tuple[Any, ...]
    stride: tuple[Any, ...]
    padding: tuple[Any, ...]

    _n_axes: int

    def __init__(self, kernel_size: Any, stride: Any = None, padding: int = 0) -> None:
        super().__init__()
        sizes = _ntuple(self._n_axes)
        self.kernel_size = sizes(kernel_size)
        self.stride = sizes(kernel_size if stride is None else stride)
        self.padding = sizes(padding)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> None:
        return self._unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return _shown(self, "kernel_size stride padding")


class MaxUnpool1d(_MaxUnpoolNd):
    """Put the maxima of ``MaxPool1d`` back at their indices, with zeros elsewhere; ``output_size`` resolves sizes that pooling rounded.

    >>> import minigrad
    >>> pool = minigrad.nn.MaxPool1d(2, return_indices=True)
    >>> minigrad.nn.MaxUnpool1d(2)(*pool(minigrad.tensor([[1., 3., 2., 0.]])))
    tensor([[0., 3., 2., 0.]])
    """

    _n_axes = 1
    _unpool = staticmethod(F.max_unpool1d)


class MaxUnpool2d(_MaxUnpoolNd):
    """Put the maxima of ``MaxPool2d`` back at their indices, with zeros elsewhere: ``(N, C, H, W)``, or without N.

    >>> import minigrad
    >>> values, indices = minigrad.nn.MaxPool2d(2, return_indices=True)(minigrad.tensor([[[1., 5.], [7., 2.]]]))
    >>> minigrad.nn.MaxUnpool2d(2)(values, indices)
    tensor([[[0., 0.],
             [7., 0.]]])
    """

    _n_axes = 2
    _unpool = staticmethod(F.max_unpool2d)


class MaxUnpool3d(_MaxUnpoolNd):
    """Put the maxima of ``MaxPool3d`` back at their indices, with zeros elsewhere: ``(N, C, D, H, W)``, or without N.

    >>> import minigrad
    >>> values, indices = minigrad.nn.MaxPool3d(2, return_indices=True)(minigrad.ones(1, 4, 4, 4))
    >>> minigrad.nn.MaxUnpool3d(2)(values, indices).sum()
    tensor(8.)
    """

    _n_axes = 3
    _unpool = staticmethod(F.max_unpool3d)


class _AvgPoolNd(Module):
    stride: Any

    __constants__: list[Any] = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]

    def __init__(
        self, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, count_include_pad: bool
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def _arguments(self):
        return self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad

    def extra_repr(self) -> str:
        return _shown(self, "kernel_size stride padding")


class AvgPool1d(_AvgPoolNd):
    """Take the mean of each window: ``(N, C, L) -> (N, C, L_out)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.AvgPool1d(2)(minigrad.tensor([[1., 3., 2., 0.]]))
    tensor([[2., 1.]])
    """

    def __init__(
        self,
        kernel_size: int | tuple[int],
        stride: int | tuple[int] | None = None,
        padding: int | tuple[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        stride = kernel_size if stride is None else stride
        super().__init__(
            _single(kernel_size), _single(stride), _single(padding), ceil_mode, count_include_pad
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(input, *self._arguments())


class _WithDivisor(_AvgPoolNd):
    __constants__: list[Any] = [*_AvgPoolNd.__constants__, "divisor_override"]

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: int = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Any:
        return self._pool(input, *self._arguments(), self.divisor_override)


class AvgPool2d(_WithDivisor):
    """Take the mean of each window of images: ``(N, C, H, W)``, or without N; ``divisor_override`` replaces the window's size as the divisor.

    >>> import minigrad
    >>> minigrad.nn.AvgPool2d(2)(minigrad.arange(8.).view(1, 2, 4))
    tensor([[[2.5000, 4.5000]]])
    """

    _pool = staticmethod(F.avg_pool2d)


class AvgPool3d(_WithDivisor):
    """Take the mean of each window of volumes: ``(N, C, D, H, W)``, or without N; ``divisor_override`` replaces the window's size as the divisor.

    >>> import minigrad
    >>> minigrad.nn.AvgPool3d(2)(minigrad.ones(1, 1, 4, 4, 4)).shape
    torch.Size([1, 1, 2, 2, 2])
    """

    _pool = staticmethod(F.avg_pool3d)

    def __setstate__(self, d: Any) -> None:
        super().__setstate__(d)
        for name, usual in (("padding", 0), ("ceil_mode", False), ("count_include_pad", True)):
            self.__dict__.setdefault(name, usual)


class _FractionalMaxPool(Module):
    kernel_size: tuple[Any, ...]
    output_size: Any
    output_ratio: Any

    __constants__: list[Any] = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    _n_axes: int

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        sizes = _ntuple(self._n_axes)
        self.kernel_size = sizes(kernel_size)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else sizes(output_size)
        self.output_ratio = None if output_ratio is None else sizes(output_ratio)
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"FractionalMaxPool{self._n_axes}d requires specifying either an output size, or a pooling ratio"
            )
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < r < 1 for r in self.output_ratio[: self._n_axes]):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def forward(self, input: Tensor) -> Any:
        return self._pool(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


class FractionalMaxPool2d(_FractionalMaxPool):
    """Take the maxima of windows at random positions, as many as ``output_size`` or ``output_ratio`` asks for: ``(N, C, H, W)``, or without N.

    Raises ValueError unless exactly one of the two is given, and for ratios outside (0, 1). [Graham 2014]

    >>> import minigrad
    >>> minigrad.nn.FractionalMaxPool2d(2, output_size=3)(minigrad.ones(1, 6, 6)).shape
    torch.Size([1, 3, 3])
    """

    _n_axes = 2
    _pool = staticmethod(F.fractional_max_pool2d)


class FractionalMaxPool3d(_FractionalMaxPool):
    """Take the maxima of windows of volumes at random positions: ``(N, C, D, H, W)``, or without N; see ``FractionalMaxPool2d``.

    >>> import minigrad
    >>> minigrad.nn.FractionalMaxPool3d(2, output_ratio=0.5)(minigrad.ones(1, 6, 6, 6)).shape
    torch.Size([1, 3, 3, 3])
    """

    _n_axes = 3
    _pool = staticmethod(F.fractional_max_pool3d)

    def __init__(
        self,
        kernel_size: int | tuple[int, int, int],
        output_size: int | tuple[int, int, int] | None = None,
        output_ratio: float | tuple[float, float, float] | None = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        if isinstance(kernel_size, (int, tuple, list)) and any(k <= 0 for k in _single(kernel_size)):
            raise ValueError(f"kernel_size must be greater than 0, but got {kernel_size}")
        super().__init__(kernel_size, output_size, output_ratio, return_indices, _random_samples)


class _LPPoolNd(Module):
    __constants__: list[Any] = ["norm_type", "kernel_size", "stride", "ceil_mode"]

    def __init__(
        self,
        norm_type: float,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] | None = None,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Any) -> None:
        return self._pool(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        return _shown(self, "norm_type kernel_size stride ceil_mode")


class LPPool1d(_LPPoolNd):
    """Take the ``norm_type``-norm of each window, ``sum(x ** norm_type) ** (1 / norm_type)``: ``(N, C, L)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.LPPool1d(2, 2)(minigrad.tensor([[3., 4.]]))
    tensor([[5.]])
    """

    _pool = staticmethod(F.lp_pool1d)


class LPPool2d(_LPPoolNd):
    """Take the ``norm_type``-norm of each window of images ``(N, C, H, W)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.LPPool2d(2, 2)(minigrad.tensor([[[3., 4.], [0., 0.]]]))
    tensor([[[5.]]])
    """

    _pool = staticmethod(F.lp_pool2d)


class LPPool3d(_LPPoolNd):
    """Take the ``norm_type``-norm of each window of volumes ``(N, C, D, H, W)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.LPPool3d(1, 2)(minigrad.ones(1, 2, 2, 2))
    tensor([[[[8.]]]])
    """

    _pool = staticmethod(F.lp_pool3d)


class _AdaptiveMaxPoolNd(Module):
    __constants__: list[Any] = ["output_size", "return_indices"]

    def __init__(
        self, output_size: int | tuple[int | None, ...] | None, return_indices: bool = False
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def forward(self, input: Any) -> None:
        return self._pool(input, self.output_size, self.return_indices)

    def extra_repr(self) -> str:
        return _shown(self, "output_size")


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Take the maxima of ``output_size`` windows that cover the input: ``(N, C, L) -> (N, C, output_size)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.AdaptiveMaxPool1d(2)(minigrad.tensor([[1., 5., 7., 2.]]))
    tensor([[5., 7.]])
    """

    _pool = staticmethod(F.adaptive_max_pool1d)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """Take the maxima of ``output_size`` windows that cover images; None in ``output_size`` keeps the input's size.

    >>> import minigrad
    >>> minigrad.nn.AdaptiveMaxPool2d((None, 1))(minigrad.tensor([[[1., 5.], [7., 2.]]]))
    tensor([[[5.],
             [7.]]])
    """

    _pool = staticmethod(F.adaptive_max_pool2d)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """Take the maxima of ``output_size`` windows that cover volumes; None in ``output_size`` keeps the input's size.

    >>> import minigrad
    >>> minigrad.nn.AdaptiveMaxPool3d((1, None, 2))(minigrad.ones(1, 4, 4, 4)).shape
    torch.Size([1, 1, 4, 2])
    """

    _pool = staticmethod(F.adaptive_max_pool3d)


class _AdaptiveAvgPoolNd(Module):
    __constants__: list[Any] = ["output_size"]

    def __init__(self, output_size: int | tuple[int | None, ...] | None) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Any) -> None:
        return self._pool(input, self.output_size)

    def extra_repr(self) -> str:
        return _shown(self, "output_size")


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Take the means of ``output_size`` windows that cover the input: ``(N, C, L) -> (N, C, output_size)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.AdaptiveAvgPool1d(2)(minigrad.tensor([[1., 5., 7., 2.]]))
    tensor([[3.0000, 4.5000]])
    """

    _pool = staticmethod(F.adaptive_avg_pool1d)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """Take the means of ``output_size`` windows that cover images; None in ``output_size`` keeps the input's size.

    >>> import minigrad
    >>> minigrad.nn.AdaptiveAvgPool2d((1, None))(minigrad.ones(2, 5, 7)).shape
    torch.Size([2, 1, 7])
    """

    _pool = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """Take the means of ``output_size`` windows that cover volumes; None in ``output_size`` keeps the input's size.

    >>> import minigrad
    >>> minigrad.nn.AdaptiveAvgPool3d((1, None, 2))(minigrad.ones(1, 4, 4, 4)).shape
    torch.Size([1, 1, 4, 2])
    """

    _pool = staticmethod(F.adaptive_avg_pool3d)
