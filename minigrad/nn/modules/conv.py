"""Convolutions and transposed convolutions."""

from typing import Any

from ..._api import Tensor, _Device, empty
from ..._api import dtype as _dtype
from .. import functional as F
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .linear import draw_by_fan_in
from .module import Module
from .utils import _ntuple, _reverse_repeat_tuple, _shown, _single
from .utils import _pair as _pair  # programs import these from here
from .utils import _triple as _triple

__all__ = [
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "LazyConv1d",
    "LazyConv2d",
    "LazyConv3d",
    "LazyConvTranspose1d",
    "LazyConvTranspose2d",
    "LazyConvTranspose3d",
]


def _same_padding(kernel_size, dilation):
    """What keeps the input's size, per side, as ``F.pad`` wants it: the odd one goes to the end."""
    padding = []
    for k, d in zip(reversed(kernel_size), reversed(dilation)):
        total = d * (k - 1)
        padding += [total // 2, total - total // 2]
    return padding


class _ConvNd(Module):
    """A weight ``(out_channels, in_channels / groups, *kernel_size)`` (transposed: in and out the other way round) and a bias."""

    weight: Any
    bias: Any

    __constants__: list[Any] = [
        "stride",
        "padding",
        "dilation",
        "groups",
        "padding_mode",
        "output_padding",
        "in_channels",
        "out_channels",
        "kernel_size",
    ]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        padding: str | tuple[int, ...],
        dilation: tuple[int, ...],
        transposed: bool,
        output_padding: tuple[int, ...],
        groups: int,
        bias: bool,
        padding_mode: str,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise ValueError(f"{name} must be divisible by groups")
        words = {"same", "valid"}
        if isinstance(padding, str):
            if padding not in words:
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {words}")
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = "zeros", "reflect", "replicate", "circular"
        if padding_mode not in modes:
            raise ValueError(
                f"padding_mode must be one of {{{str(modes)[1:-1]}}}, but got padding_mode='{padding_mode}'"
            )
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        if padding == "same":
            self._reversed_padding_repeated_twice = _same_padding(kernel_size, dilation)
        elif padding == "valid":
            self._reversed_padding_repeated_twice = [0, 0] * len(kernel_size)
        else:
            self._reversed_padding_repeated_twice = _reverse_repeat_tuple(padding, 2)
        self.weight = Parameter(empty(self._weight_shape(), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _weight_shape(self):
        first, second = self.out_channels, self.in_channels
        if self.transposed:
            first, second = second, first
        return (first, second // self.groups, *self.kernel_size)

    def reset_parameters(self) -> None:
        """Reinitialize weight and bias: uniform within ``1 / sqrt(fan_in)`` of 0."""
        draw_by_fan_in(self.weight, self.bias)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, {_shown(self, 'kernel_size stride')}"
        for name, usual in (("padding", 0), ("dilation", 1), ("output_padding", 0)):
            value = getattr(self, name)
            if value != (usual,) * len(value):
                text += f", {name}={value}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.__dict__.setdefault("padding_mode", "zeros")


class _Conv(_ConvNd):
    """A convolution over ``_n_axes`` axes, by ``_convolve``."""

    _n_axes: int

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: str | int | tuple[int, ...] = 0,
        dilation: int | tuple[int, ...] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        sizes = _ntuple(self._n_axes)
        super().__init__(
            in_channels,
            out_channels,
            sizes(kernel_size),
            sizes(stride),
            padding if isinstance(padding, str) else sizes(padding),
            sizes(dilation),
            False,
            sizes(0),
            groups,
            bias,
            padding_mode,
            device=device,
            dtype=dtype,
        )

    def _conv_forward(self, input, weight, bias):
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = 0
        return self._convolve(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input: Tensor) -> Any:
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Conv):
    """Cross-correlate with a learned kernel, and add a bias per channel: ``(N, C_in, L) -> (N, C_out, L_out)``, or without N.

    ``padding`` is a number, ``"same"`` or ``"valid"``; ``padding_mode`` selects zeros, reflection, replication or the opposite side.
    Raises ValueError if ``groups`` does not divide the channels, and for an unknown mode or padding.

    >>> import minigrad
    >>> minigrad.nn.Conv1d(2, 4, 3, stride=2)(minigrad.ones(1, 2, 9)).shape
    torch.Size([1, 4, 4])
    """

    _n_axes = 1
    _convolve = staticmethod(F.conv1d)


class Conv2d(_Conv):
    """Cross-correlate images with a learned kernel: ``(N, C_in, H, W) -> (N, C_out, H_out, W_out)``, or without N.

    The arguments are those of ``Conv1d``.

    >>> import minigrad
    >>> minigrad.nn.Conv2d(3, 8, 3, padding=1)(minigrad.ones(1, 3, 5, 7)).shape
    torch.Size([1, 8, 5, 7])
    """

    _n_axes = 2
    _convolve = staticmethod(F.conv2d)


class Conv3d(_Conv):
    """Cross-correlate volumes with a learned kernel: ``(N, C_in, D, H, W) -> (N, C_out, D_out, H_out, W_out)``, or without N.

    The arguments are those of ``Conv1d``.

    >>> import minigrad
    >>> minigrad.nn.Conv3d(1, 2, kernel_size=3)(minigrad.ones(1, 1, 5, 5, 5)).shape
    torch.Size([1, 2, 3, 3, 3])
    """

    _n_axes = 3
    _convolve = staticmethod(F.conv3d)


class _ConvTransposeNd(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        transposed: Any,
        output_padding: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
            bias,
            padding_mode,
            device=device,
            dtype=dtype,
        )

    def _output_padding(
        self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None
    ):
        """What is to be added at the end of each axis; raises ValueError for an ``output_size`` that cannot be."""
        if output_size is None:
            return _single(self.output_padding)
        n = num_spatial_dims
        others = 2 if input.dim() == n + 2 else 1
        if len(output_size) == others + n:
            output_size = output_size[others:]
        if len(output_size) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or {others + n} elements "
                f"(got {len(output_size)})"
            )
        dilation = (1,) * n if dilation is None else dilation
        least = [
            (input.size(others + i) - 1) * stride[i] - 2 * padding[i] + dilation[i] * (kernel_size[i] - 1) + 1
            for i in range(n)
        ]
        most = [size + stride[i] - 1 for i, size in enumerate(least)]
        if any(not low <= size <= high for low, size, high in zip(least, output_size, most)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range from {least} to {most} (for an input of "
                f"{input.size()[2:]})"
            )
        return [size - low for size, low in zip(output_size, least)]


class _ConvTranspose(_ConvTransposeNd):
    """A transposed convolution over ``_n_axes`` axes, by ``_convolve``."""

    _n_axes: int

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] = 0,
        output_padding: int | tuple[int, ...] = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: int | tuple[int, ...] = 1,
        padding_mode: str = "zeros",
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        sizes = _ntuple(self._n_axes)
        super().__init__(
            in_channels,
            out_channels,
            sizes(kernel_size),
            sizes(stride),
            sizes(padding),
            sizes(dilation),
            True,
            sizes(output_padding),
            groups,
            bias,
            padding_mode,
            device=device,
            dtype=dtype,
        )

    def forward(self, input: Tensor, output_size: Any = None) -> Any:
        if self.padding_mode != "zeros":
            raise ValueError(f"Only `zeros` padding mode is supported for ConvTranspose{self._n_axes}d")
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, self._n_axes, self.dilation
        )
        return self._convolve(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            output_padding,
            self.groups,
            self.dilation,
        )


class ConvTranspose1d(_ConvTranspose):
    """Apply the transpose (the gradient) of ``Conv1d``: ``(N, C_in, L) -> (N, C_out, L_out)``, or without N.

    ``Conv1d`` maps several sizes to the same ``L``: ``forward(input, output_size)`` selects one of them per call, ``output_padding`` once
    for all. Raises ValueError for a size that is not among them.

    >>> import minigrad
    >>> layer, x = minigrad.nn.ConvTranspose1d(2, 4, 3, stride=2), minigrad.ones(1, 2, 4)
    >>> layer(x).shape, layer(x, output_size=[10]).shape
    (torch.Size([1, 4, 9]), torch.Size([1, 4, 10]))
    """

    _n_axes = 1
    _convolve = staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTranspose):
    """Apply the transpose of ``Conv2d`` to images: ``(N, C_in, H, W) -> (N, C_out, H_out, W_out)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.ConvTranspose2d(1, 2, kernel_size=3, stride=2)(minigrad.ones(1, 1, 4, 4)).shape
    torch.Size([1, 2, 9, 9])
    """

    _n_axes = 2
    _convolve = staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTranspose):
    """Apply the transpose of ``Conv3d`` to volumes: ``(N, C_in, D, H, W) -> (N, C_out, D_out, H_out, W_out)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.ConvTranspose3d(1, 2, kernel_size=2)(minigrad.ones(1, 1, 4, 4, 4)).shape
    torch.Size([1, 2, 5, 5, 5])
    """

    _n_axes = 3
    _convolve = staticmethod(F.conv_transpose3d)


class _LazyConvXdMixin(LazyModuleMixin):
    """What makes a convolution take its number of input channels from the first input."""

    _weight_shape: Any
    groups: Any

    weight: Any
    out_channels: Any
    bias: Any
    in_channels: Any

    def _wait_for_channels(self, out_channels, bias, device, dtype):
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Reinitialize weight and bias, once they are materialized."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """Materialize weight and bias with the shapes that the input requires; raises ValueError if ``groups`` does not divide its channels."""
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._get_in_channels(input)
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        self.weight.materialize(self._weight_shape())
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()

    def _get_in_channels(self, input):
        unbatched = self._get_num_spatial_dims() + 1
        if input.dim() not in (unbatched, unbatched + 1):
            raise RuntimeError(
                f"Expected {unbatched}D (unbatched) or {unbatched + 1}D (batched) input to {type(self).__name__}, but got input "
                f"of size: {input.shape}"
            )
        return input.shape[input.dim() - unbatched]

    def _get_num_spatial_dims(self):
        return self._n_axes


class _LazyConv(_LazyConvXdMixin):
    def __init__(
        self,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: str | int | tuple[int, ...] = 0,
        dilation: int | tuple[int, ...] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype
        )
        self._wait_for_channels(out_channels, bias, device, dtype)


class LazyConv1d(_LazyConv, Conv1d):
    """A ``Conv1d`` that takes ``in_channels`` from its first input.

    >>> import minigrad
    >>> conv = minigrad.nn.LazyConv1d(2, kernel_size=3)
    >>> conv(minigrad.ones(1, 4, 8)).shape, conv.in_channels
    (torch.Size([1, 2, 6]), 4)
    """

    cls_to_become: type | None = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """A ``Conv2d`` that takes ``in_channels`` from its first input.

    >>> import minigrad
    >>> conv = minigrad.nn.LazyConv2d(2, kernel_size=3)
    >>> conv(minigrad.ones(1, 4, 8, 8)).shape, conv.in_channels
    (torch.Size([1, 2, 6, 6]), 4)
    """

    cls_to_become: type | None = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """A ``Conv3d`` that takes ``in_channels`` from its first input.

    >>> import minigrad
    >>> conv = minigrad.nn.LazyConv3d(2, kernel_size=3)
    >>> conv(minigrad.ones(1, 4, 5, 5, 5)).shape, conv.in_channels
    (torch.Size([1, 2, 3, 3, 3]), 4)
    """

    cls_to_become: type | None = Conv3d


class _LazyConvTranspose(_LazyConvXdMixin):
    def __init__(
        self,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] = 0,
        output_padding: int | tuple[int, ...] = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: int | tuple[int, ...] = 1,
        padding_mode: str = "zeros",
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__(
            0,
            0,
            kernel_size,
            stride,
            padding,
            output_padding,
            groups,
            False,
            dilation,
            padding_mode,
            device,
            dtype,
        )
        self._wait_for_channels(out_channels, bias, device, dtype)


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    """A ``ConvTranspose1d`` that takes ``in_channels`` from its first input.

    >>> import minigrad
    >>> conv = minigrad.nn.LazyConvTranspose1d(2, kernel_size=3)
    >>> conv(minigrad.ones(1, 4, 8)).shape, conv.in_channels
    (torch.Size([1, 2, 10]), 4)
    """

    cls_to_become: type | None = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    """A ``ConvTranspose2d`` that takes ``in_channels`` from its first input.

    >>> import minigrad
    >>> conv = minigrad.nn.LazyConvTranspose2d(2, kernel_size=3)
    >>> conv(minigrad.ones(1, 4, 8, 8)).shape, conv.in_channels
    (torch.Size([1, 2, 10, 10]), 4)
    """

    cls_to_become: type | None = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    """A ``ConvTranspose3d`` that takes ``in_channels`` from its first input.

    >>> import minigrad
    >>> conv = minigrad.nn.LazyConvTranspose3d(2, kernel_size=3)
    >>> conv(minigrad.ones(1, 4, 5, 5, 5)).shape, conv.in_channels
    (torch.Size([1, 2, 7, 7, 7]), 4)
    """

    cls_to_become: type | None = ConvTranspose3d
