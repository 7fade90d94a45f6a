"""Pooling by the largest element of windows: regular ones, a number of parts, random places; and back (``max_unpool``)."""

import operator

import numpy as np

from .._arrays.kernels import pooling as kernels
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import not_a_tensor, shape_text
from .._core.families import General, op
from .._core.tensor import Tensor
from .batches import everywhere, leading
from .pooling_windows import (
    _argument_dims,
    _check_parts,
    _checked_window,
    _empty,
    _is_tensor,
    _numbers,
    _one_int,
    _parts,
    is_left_out,
    refuse,
)
from .random import rand

__all__ = ["adaptive_max_pool1d", "max_pool1d", "max_pool1d_with_indices", "max_pool2d", "max_pool3d"]


# Elements at indices ---------------------------------------------------------------------------------------------------------


class MaxPoolBackwardBackward(General):
    """z = the elements of x at indices y into its last n axes."""
    linear = True
    batch = leading()
    operands, public = "x y", "gather_windows"
    def forward(x, y, n):             return kernels.gather_windows(x, y, n)
    def vjp_x(xp, g, x_shape, y, n):  return xp.scatter_windows(g, y, tuple(x_shape[len(x_shape) - n:]), True)
gather_windows = op(MaxPoolBackwardBackward)


class MaxPoolBackward(General):
    """z = zeros with the elements of x added at indices y into the last axes, ``space``."""
    linear = True
    batch = leading()
    operands, public = "x y", "scatter_windows"
    def forward(x, y, space, overlap):  return kernels.scatter_windows(x, y, space, overlap)
    def vjp_x(xp, g, y, space):         return xp.gather_windows(g, y, len(space))
scatter_windows = op(MaxPoolBackward)


def overlaps(kernel, stride, dilation):
    """Whether windows may share elements."""
    return any(d * (k - 1) >= s for k, s, d in zip(kernel, stride or kernel, dilation))


class MaxPool2DWithIndicesBackward0(General):
    """z = the largest elements of windows, the first of equals, and their places: there go the gradients."""
    batch = leading()
    operands, results, nondiff, names = "x", "z indices", (1,), {"x": "self", "indices": "result1", "shape": "self_sym_sizes"}
    public = "max_pool2d"
    def forward(x, kernel_size, stride, padding, dilation, ceil_mode):
        refuse(x, f"max_pool{len(kernel_size)}d", "bc")
        return kernels.max_pool(x, kernel_size, stride, padding, dilation, ceil_mode)
    def alone(x, kernel_size, stride, padding, dilation, ceil_mode):
        refuse(x, f"max_pool{len(kernel_size)}d", "bc")
        return kernels.max_pool(x, kernel_size, stride, padding, dilation, ceil_mode, False)[0]
    def vjp(xp, g, shape, kernel_size, stride, dilation, indices):
        space = tuple(shape[len(shape) - len(kernel_size):])
        return xp.scatter_windows(g, indices, space, overlaps(kernel_size, stride, dilation))
    def jvp(xp, t, kernel_size, indices): return xp.gather_windows(t, indices, len(kernel_size))
    event = "max_pool2d max_pool2d_with_indices"
_max_pool2d = op(MaxPool2DWithIndicesBackward0)


class MaxPool3DWithIndicesBackward0(MaxPool2DWithIndicesBackward0):
    """The same over three axes."""
    public = "max_pool3d"
    forward, vjp = MaxPool2DWithIndicesBackward0.forward, MaxPool2DWithIndicesBackward0.vjp
    event = "max_pool3d max_pool3d_with_indices"
_max_pool3d = op(MaxPool3DWithIndicesBackward0)


class AdaptiveMaxPool2DBackward0(General):
    """z = the largest elements of windows that divide the last axes into parts, and their places: there go the gradients."""
    batch = leading()
    operands, results, nondiff, names = "x", "z indices", (1,), {"x": "self", "indices": "result1", "shape": "self_sym_sizes"}
    public = "adaptive_max_pool2d"
    def forward(x, output_size):
        refuse(x, "adaptive_max_pool2d" if len(output_size) == 2 else "adaptive_max_pool3d_cpu", "biuc")
        return kernels.adaptive_max_pool(x, output_size)
    def alone(x, output_size):
        refuse(x, "adaptive_max_pool2d" if len(output_size) == 2 else "adaptive_max_pool3d_cpu", "biuc")
        return kernels.adaptive_max_pool(x, output_size, False)[0]
    def vjp(xp, g, shape, output_size, indices):
        space = tuple(shape[len(shape) - len(output_size):])
        return xp.scatter_windows(g, indices, space, any(not m or n % m for n, m in zip(space, output_size)))
    def jvp(xp, t, output_size, indices): return xp.gather_windows(t, indices, len(output_size))
_adaptive_max_pool2d = op(AdaptiveMaxPool2DBackward0)


class AdaptiveMaxPool3DBackward0(AdaptiveMaxPool2DBackward0):
    """The same over three axes."""
    public = "adaptive_max_pool3d"
    forward, vjp = AdaptiveMaxPool2DBackward0.forward, AdaptiveMaxPool2DBackward0.vjp
_adaptive_max_pool3d = op(AdaptiveMaxPool3DBackward0)


class FractionalMaxPool2DBackward0(General):
    """z = the largest elements of windows at random places, which y decides; and their places.   [Graham 2014]"""
    operands, results, nondiff, names = "x y", "z indices", (1,), {"x": "self", "indices": "result1"}
    public = "fractional_max_pool2d"
    def batch(call, xs, batched, params, size):
        x, y = everywhere(xs, batched, size)
        if x.ndim == len(params[0]) + 2: return call(x, y[:, 0], *params)
        return tuple([z.unflatten(0, (size, -1)) for z in call(x.flatten(0, 1), y[:, :x.shape[1]].flatten(0, 1), *params)])
    def forward(x, y, kernel_size, output_size):
        refuse(x, "fractional_max_pool2d_out_frame" if len(kernel_size) == 2 else "fractional_max_pool3d_out_frame", "biuc")
        return kernels.fractional_max_pool(x, kernel_size, output_size, y)
    def vjp_x(xp, g, x_shape, indices, kernel_size):
        return xp.scatter_windows(g, indices, tuple(x_shape[len(x_shape) - len(kernel_size):]), True)
_fractional_max_pool2d = op(FractionalMaxPool2DBackward0)


class FractionalMaxPool3DBackward0(FractionalMaxPool2DBackward0):
    """The same over three axes."""
    public = "fractional_max_pool3d"
    forward, vjp_x = FractionalMaxPool2DBackward0.forward, FractionalMaxPool2DBackward0.vjp_x
_fractional_max_pool3d = op(FractionalMaxPool3DBackward0)


class MaxUnpool2DBackward0(General):
    """z = zeros with x at indices: of equal indices the last wins, and all get its gradient."""
    linear = True
    batch = leading()
    operands, public, names = "x indices", "max_unpool2d", {"x": "self"}
    def forward(x, indices, output_size):
        if 0 in output_size: return np.zeros((*x.shape[: -len(output_size)], *output_size), x.dtype)
        if x.dtype.kind not in "fV":
            raise NotImplementedError(f"\"max_unpool{len(output_size)}d\" not implemented for '{dtype_name(x)}'")
        return kernels.unpool(x, indices, output_size)
    def vjp_x(xp, g, indices, output_size): return xp.gather_windows(g, indices, len(output_size))
_max_unpool2d = op(MaxUnpool2DBackward0)


class MaxUnpool3DBackward0(MaxUnpool2DBackward0):
    """The same over three axes."""
    public = "max_unpool3d"
    forward, vjp_x = MaxUnpool2DBackward0.forward, MaxUnpool2DBackward0.vjp_x
_max_unpool3d = op(MaxUnpool3DBackward0)


# max_pool --------------------------------------------------------------------------------------------------------------------


def _one(value, name, stride=False):
    if isinstance(value, (tuple, list)):
        if len(value) != 1:
            kinds = "None, an int, list of ints, or tuple of ints" if stride else "an int, list of ints or tuple of ints"
            raise RuntimeError(f"max_pool1d() {name} must be {kinds} of size 1 but got size {len(value)}")
        value = value[0]
    return operator.index(value)


@composite
def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Take the maximum of each window of ``(N, C, L)`` or ``(C, L)``; return ``(values, indices)``. See ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool1d_with_indices(minigrad.tensor([[1., 3., 2.]]), 2)
    (tensor([[3.]]), tensor([[1]]))
    """
    return _max_pool_of_rows(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def _max_pool_of_rows(input, kernel_size, stride, padding, dilation, ceil_mode, both):
    _is_tensor(input, "max_pool1d")
    kernel, padding, dilation = _one(kernel_size, "kernel_size"), _one(padding, "padding"), _one(dilation, "dilation")
    stride = kernel if is_left_out(stride) else _one(stride, "stride", True)
    if input.ndim not in (2, 3) or 0 in (input.shape if input.ndim == 2 else input.shape[1:]):
        raise RuntimeError(
            f"max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:{shape_text(input.shape)}"
        )
    for name, value in (("kernel_size", kernel), ("stride", stride)):
        if value <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")
    if padding < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {padding}")
    if padding > kernel // 2:
        raise RuntimeError(
            f"max_pool1d() padding should be at most half of kernel size, but got padding={padding} and kernel_size={kernel}"
        )
    if dilation <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {dilation}")
    out = kernels.output_size(input.shape[-1], kernel, stride, padding, dilation, ceil_mode)
    if out < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {out}")
    if input._array.dtype.kind in "bc":
        raise NotImplementedError(f"\"max_pool2d\" not implemented for '{dtype_name(input._array)}'")
    window = (1, kernel), (1, stride), (0, padding), (1, dilation), bool(ceil_mode)
    if not both:
        return _max_pool2d.first(input.unsqueeze(-2), *window).squeeze(-2)
    values, indices = _max_pool2d(input.unsqueeze(-2), *window)
    return values.squeeze(-2), indices.squeeze(-2)


@composite
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """Take the maximum of each window of ``(N, C, L)`` or ``(C, L)``; windows are ``stride`` apart, by default their size.

    Padding counts as minus infinity. Raises RuntimeError for sizes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.max_pool1d(minigrad.tensor([[1., 3., 2., 0.]]), 2)
    tensor([[3., 2.]])
    """
    return choosing_max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool(function, n, input, kernel_size, stride, padding, dilation, ceil_mode, both=False):
    """The largest elements of windows, and if ``both`` their indices."""
    _is_tensor(input, function)
    if input.ndim not in (n + 1, n + 2):
        raise RuntimeError(f"non-empty {n + 1}D or {n + 2}D (batch mode) tensor expected for input")
    numbers = [tuple(v) if v.__class__ is list else v for v in (kernel_size, stride, padding, dilation)]
    window = _checked_window(function, n, input.shape, *numbers, bool(ceil_mode))
    pool = _max_pool2d if n == 2 else _max_pool3d
    return (pool if both else pool.first)(input, *window, bool(ceil_mode))


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """Take the maximum of each window of ``(N, C, H, W)`` or ``(C, H, W)``; see ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool2d(minigrad.arange(16.).reshape(1, 4, 4), 2)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """
    return _max_pool("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """Take the maximum of each window of ``(N, C, D, H, W)`` or ``(C, D, H, W)``; see ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool3d(minigrad.arange(8.).reshape(1, 2, 2, 2), 2).flatten()
    tensor([7.])
    """
    return _max_pool("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Take the maximum of each window; return ``(values, indices)``, where an index refers to the flattened ``(H, W)``.

    >>> import minigrad
    >>> x = minigrad.tensor([[[1., 5.], [7., 2.]]])
    >>> minigrad.nn.functional.max_pool2d_with_indices(x, 2)
    (tensor([[[7.]]]), tensor([[[2]]]))
    """
    return _max_pool("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Take the maximum of each window; return ``(values, indices)``, where an index refers to the flattened ``(D, H, W)``.

    >>> import minigrad
    >>> x = minigrad.arange(8.).view(1, 2, 2, 2)
    >>> minigrad.nn.functional.max_pool3d_with_indices(x, 2)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _max_pool("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode, True)


@composite("max_pool1d")
def choosing_max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Take the maximum of each window of ``(N, C, L)`` or ``(C, L)``, with ``return_indices`` also its index; see ``minigrad.max_pool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.max_pool1d(minigrad.tensor([[1., 5., 7., 2.]]), 2)
    tensor([[5., 7.]])
    >>> minigrad.nn.functional.max_pool1d(minigrad.tensor([[1., 5., 7., 2.]]), 2, return_indices=True)
    (tensor([[5., 7.]]), tensor([[1, 2]]))
    """
    found = _max_pool_of_rows(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)
    if not return_indices and not input.dtype.is_floating_point:
        raise NotImplementedError(f"\"max_pool1d_impl\" not implemented for '{dtype_name(input._array)}'")
    return found


def choosing_max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Take the maximum of each window of ``(N, C, H, W)`` or ``(C, H, W)``, with ``return_indices`` also its index.

    >>> import minigrad
    >>> minigrad.nn.functional.max_pool2d(minigrad.tensor([[[1., 5.], [7., 2.]]]), 2)
    tensor([[[7.]]])
    """
    return _max_pool("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def choosing_max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Take the maximum of each window of ``(N, C, D, H, W)`` or ``(C, D, H, W)``, with ``return_indices`` also its index.

    >>> import minigrad
    >>> minigrad.nn.functional.max_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 2)
    tensor([[[[7.]]]])
    """
    return _max_pool("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


for _function in (choosing_max_pool1d, choosing_max_pool2d, choosing_max_pool3d):
    _function.__name__ = _function.__qualname__ = _function.__name__.removeprefix("choosing_")


def adaptive_max_pool1d(input, output_size):
    """Take the maxima of ``output_size`` windows that cover the last dimension; return ``(values, indices)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.adaptive_max_pool1d(minigrad.tensor([[1., 3., 7., 5.]]), 2)
    (tensor([[3., 7.]]), tensor([[1, 2]]))
    """
    _is_tensor(input, "adaptive_max_pool1d")
    _argument_dims("adaptive_max_pool1d", input)
    out = _one_int("adaptive_max_pool1d", output_size, "output_size")
    for i in range(1, input.ndim):
        if not input.shape[i]:
            raise _empty("adaptive_max_pool1d", input, i)
    x = input.unsqueeze(-2)
    _check_parts("adaptive_max_pool2d", 2, x, (1, out))
    values, indices = _adaptive_max_pool2d(x, (1, out))
    return values.squeeze(-2), indices.squeeze(-2)


def _adaptive_max_pool(function, n, input, output_size, both=True):
    _is_tensor(input, function)
    out = _parts(function, n, input, output_size)
    _check_parts(function, n, input, out)
    pool = _adaptive_max_pool2d if n == 2 else _adaptive_max_pool3d
    return (pool if both else pool.first)(input, out)


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """Take the maxima of windows that cover the last dimension; return ``(values, indices)``.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool1d_with_indices(minigrad.tensor([[1., 5., 7., 2.]]), 2)
    (tensor([[5., 7.]]), tensor([[1, 2]]))
    """
    return adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """Take the maxima of windows that cover the last two dimensions; return ``(values, indices)``.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool2d_with_indices(minigrad.tensor([[[1., 5.], [7., 2.]]]), 1)
    (tensor([[[7.]]]), tensor([[[2]]]))
    """
    return _adaptive_max_pool("adaptive_max_pool2d", 2, input, output_size)


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """Take the maxima of windows that cover the last three dimensions; return ``(values, indices)``.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool3d_with_indices(minigrad.arange(8.).view(1, 2, 2, 2), 1)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _adaptive_max_pool("adaptive_max_pool3d", 3, input, output_size)


def choosing_adaptive_max_pool1d(input, output_size, return_indices=False):
    """Take the maxima of windows that cover the last dimension, with ``return_indices`` also their indices.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool1d(minigrad.tensor([[1., 5., 7., 2.]]), 2)
    tensor([[5., 7.]])
    """
    both = adaptive_max_pool1d(input, output_size)
    return both if return_indices else both[0]


choosing_adaptive_max_pool1d.__name__ = choosing_adaptive_max_pool1d.__qualname__ = "adaptive_max_pool1d"


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """Take the maxima of windows that cover the last two dimensions, with ``return_indices`` also their indices.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool2d(minigrad.tensor([[[1., 5.], [7., 2.]]]), (None, 1))
    tensor([[[5.],
             [7.]]])
    """
    return _adaptive_max_pool("adaptive_max_pool2d", 2, input, output_size, return_indices)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """Take the maxima of windows that cover the last three dimensions, with ``return_indices`` also their indices.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 1)
    tensor([[[[7.]]]])
    """
    return _adaptive_max_pool("adaptive_max_pool3d", 3, input, output_size, return_indices)


# Windows at random places ----------------------------------------------------------------------------------------------------------


def _fractional(n, input, kernel_size, output_size, output_ratio, samples):
    function = f"fractional_max_pool{n}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{function} requires specifying either an output_size or an output_ratio")
    if output_size is None:
        if (n == 2 or not isinstance(output_ratio, (int, float))) and len(output_ratio) > n:
            raise ValueError(f"{function} requires output_ratio to either be a single Int or tuple of Ints.")
        ratios = tuple(output_ratio) if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * n
        output_size = [int(input.shape[i - n] * ratios[i]) for i in range(n)]
    if samples is None:
        batch = 1 if input.ndim == n + 1 else input.size(0)
        samples = rand(batch, input.size(-n - 1), n, dtype=input.dtype)
    for name, value in (("kernel_size", kernel_size), ("output_size", output_size)):
        if isinstance(value, (tuple, list)) and len(value) != n:
            raise RuntimeError(f"{function}: {name} must either be a single Int or tuple of Ints")
    kernel, out = _numbers(kernel_size, n, ""), _numbers(output_size, n, "")
    if min(kernel) < 1:
        raise RuntimeError(f"{function}: kernel_size must be positive, but got {kernel}")
    if input.ndim not in (n + 1, n + 2):
        raise RuntimeError(f"{function}(): Expected {n + 1}D or {n + 2}D tensor, but got: {shape_text(input.shape)}")
    batch = 1 if input.ndim == n + 1 else input.shape[0]
    channels = input.shape[-n - 1]
    prefix = "fractional_max_pool2d()" if n == 2 else "fractional_max_pool3d_out()"
    for i in range(1, input.ndim):
        if not input.shape[i]:
            raise RuntimeError(
                f"{prefix}: Expected input to have non-zero size for non-batch dimensions, but got{shape_text(input.shape)} with "
                f"dimension {i} being empty."
            )
    if samples.ndim != 3:
        raise RuntimeError("Expect _random_samples to have 3 dimensions.")
    if samples.shape[0] < batch:
        raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if samples.shape[1] != channels:
        raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
    if samples.shape[2] != n:
        raise RuntimeError(f"Expect _random_samples.size(2) equals to {n} got {samples.shape[2]}.")
    names = ("height", "width") if n == 2 else ("time", "height", "width")
    for name, size, k, m in zip(names, input.shape[-n:], kernel, out):
        if m + k - 1 > size - (n == 3):  # one less in three dimensions
            raise RuntimeError(f"{prefix}: pool {name} {k} too large relative to input {name} {size}")
    return (_fractional_max_pool2d if n == 2 else _fractional_max_pool3d)(input, samples, kernel, out)


def fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """Take the maxima of windows at random positions; return ``(values, indices)``. See ``fractional_max_pool2d``.

    >>> import minigrad
    >>> values, indices = minigrad.nn.functional.fractional_max_pool2d_with_indices(minigrad.ones(1, 6, 6), 2, output_size=3)
    >>> values.shape, indices.shape
    (torch.Size([1, 3, 3]), torch.Size([1, 3, 3]))
    """
    return _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """Take the maxima of windows at random positions; return ``(values, indices)``. See ``fractional_max_pool3d``.

    >>> import minigrad
    >>> values, indices = minigrad.nn.functional.fractional_max_pool3d_with_indices(minigrad.ones(1, 6, 6, 6), 2, output_size=3)
    >>> values.shape, indices.shape
    (torch.Size([1, 3, 3, 3]), torch.Size([1, 3, 3, 3]))
    """
    return _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """Take the maxima of ``output_size`` windows at random positions: ``(N, C, H, W)`` or ``(C, H, W)``. [Graham 2014]

    ``output_ratio`` gives the output size as a fraction of the input's. Raises ValueError without either, RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.fractional_max_pool2d(minigrad.arange(16.).reshape(1, 4, 4), 2, output_size=1).flatten()
    tensor([15.])
    """
    both = _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return both if return_indices else both[0]


def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """Take the maxima of ``output_size`` windows at random positions: ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.functional.fractional_max_pool3d(minigrad.ones(1, 6, 6, 6), 2, output_ratio=0.5).shape
    torch.Size([1, 3, 3, 3])
    """
    both = _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return both if return_indices else both[0]


# Back to the places of the largest elements ------------------------------------------------------------------------------------


def _each_axis(value, n):
    """One number for each axis: those that are given, however many, or one for all."""
    return tuple(value) if hasattr(value, "__iter__") else (operator.index(value),) * n


def _unpooled_size(n, input, kernel_size, stride, padding, output_size):
    kernel, padding = _each_axis(kernel_size, n), _each_axis(padding, n)
    stride = kernel if stride is None else _each_axis(stride, n)
    shape, n = input.size(), len(kernel)
    default = [(shape[i - n] - 1) * stride[i] + kernel[i] - 2 * padding[i] for i in range(n)]
    if output_size is None:
        for d, m in enumerate(default):
            if m < 0:
                raise ValueError(f"max_unpooling: output_size must contain non-negative spatial dimensions, but got output_size[{d}]={m}")
        return default
    if len(output_size) == n + 2:
        output_size = output_size[2:]
    if len(output_size) != n:
        raise ValueError(
            f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a length of '{len(output_size)}'"
        )
    for d in range(n):
        low, high = default[d] - stride[d], default[d] + stride[d]
        if not low < output_size[d] < high:
            raise ValueError(f'invalid output_size "{output_size}" (dim {d} must be between {low} and {high})')
    return [operator.index(m) for m in output_size]


def _unpool(n, input, indices, size):
    """Zeros of ``size`` in the last axes with ``input`` at ``indices``."""
    if not isinstance(indices, Tensor):
        raise not_a_tensor(f"max_unpool{n}d", "indices", 2, indices)
    if len(size) != n:
        axes = "two elements (height, width)" if n == 2 else "three elements (depth, height, width)"
        raise RuntimeError(f"There should be exactly {axes} in output_size, but got {len(size)} elements.")
    if indices.dtype.name != "int64":
        got = f" but got: {dtype_name(indices._array)}" if n == 2 else ""
        raise RuntimeError(f"elements in indices should be type int64{got}")
    if input.ndim not in (n + 1, n + 2):
        kind = "2d should be a 3d or 4d" if n == 2 else "3d should be a 4d or 5d"
        raise RuntimeError(f"Input to max_unpooling{kind} Tensor, but got a tensor with {input.ndim} dimensions.")
    if input.shape != indices.shape:
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({shape_text(input.shape)}) but got indices tensor with "
            f"shape: {shape_text(indices.shape)}"
        )
    for i in range(1, input.ndim):
        if not input.shape[i]:
            raise RuntimeError(
                f"max_unpooling{n}d_forward_out_cpu(): Expected input to have non-zero size for non-batch dimensions, but got {shape_text(input.shape)} "
                f"with dimension {i} being empty."
            )
    return (_max_unpool2d if n == 2 else _max_unpool3d)(input, indices, tuple(size))


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Put the maxima of ``max_pool1d`` back at their ``indices``, with zeros elsewhere: ``(N, C, L)`` or ``(C, L)``.

    Raises ValueError for an impossible ``output_size``, RuntimeError for indices out of range.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool1d(minigrad.tensor([[3.]]), minigrad.tensor([[1]]), 2)
    tensor([[0., 3.]])
    """
    size = _unpooled_size(1, input, kernel_size, stride, padding, output_size)
    return _unpool(2, input.unsqueeze(-1), indices.unsqueeze(-1), (*size, 1)).squeeze(-1)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Put the maxima of ``max_pool2d`` back at their ``indices``, with zeros elsewhere: ``(N, C, H, W)`` or ``(C, H, W)``; see ``max_unpool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool2d(minigrad.tensor([[[7.]]]), minigrad.tensor([[[2]]]), 2)
    tensor([[[0., 0.],
             [7., 0.]]])
    """
    return _unpool(2, input, indices, _unpooled_size(2, input, kernel_size, stride, padding, output_size))


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Put the maxima of ``max_pool3d`` back at their ``indices``, with zeros elsewhere: ``(N, C, D, H, W)`` or ``(C, D, H, W)``; see
    ``max_unpool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool3d(minigrad.tensor([[[[7.]]]]), minigrad.tensor([[[[1]]]]), (1, 1, 2))
    tensor([[[[0., 7.]]]])
    """
    size = _unpooled_size(3, input, kernel_size, stride, padding, output_size)
    for name, value in (("stride", kernel_size if stride is None else stride), ("padding", padding)):
        if len(_each_axis(value, 3)) != 3:
            raise RuntimeError(f"There should be exactly three elements (depth, height, width) in {name}, but got: {len(value)} elements.")
    return _unpool(3, input, indices, size)
