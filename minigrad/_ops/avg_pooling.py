"""Pooling by the mean of windows, or a norm of their elements."""

from .._arrays.kernels import pooling as kernels
from .._base.composites import composite
from .._core.families import Linear, op
from .._core.out import write_out_same
from .activation import relu
from .batches import leading
from .max_pooling import max_pool1d, max_pool2d, max_pool3d
from .pooling_windows import (
    _WORDS,
    _argument_dims,
    _check_parts,
    _checked_window,
    _is_tensor,
    _numbers,
    _one_int,
    _parts,
    is_left_out,
    refuse,
)

__all__ = ["adaptive_avg_pool1d", "avg_pool1d"]


class AvgPool2DBackward0(Linear):
    """z = the means of windows, or their sums divided by ``divisor_override``."""
    batch = leading()
    public = "avg_pool2d"
    def forward(x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        half = len(kernel_size) == 3 and x.dtype.itemsize == 2
        refuse(x, "avg_pool2d" if len(kernel_size) == 2 else "avg_pool3d_out_frame", "biucfV" if half else "biuc")
        return kernels.avg_pool(x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    def vjp(xp, g, shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        space = tuple(shape[len(shape) - len(kernel_size):])
        return xp.avg_pool_backward(g, space, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
_avg_pool2d = op(AvgPool2DBackward0)


class AvgPool3DBackward0(AvgPool2DBackward0):
    """The same over three axes."""
    autocast = "full"
    public = "avg_pool3d"
    forward, vjp = AvgPool2DBackward0.forward, AvgPool2DBackward0.vjp
_avg_pool3d = op(AvgPool3DBackward0)


class AvgPool2DBackwardBackward0(Linear):
    """The adjoint of ``avg_pool``; ``space`` are the last axes of its operand."""
    batch = leading()
    public = "avg_pool_backward"
    def forward(x, space, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return kernels.avg_pool_backward(x, space, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    def vjp(xp, g, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return xp.avg_pool(g, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
avg_pool_backward = op(AvgPool2DBackwardBackward0)
avg_pool = _avg_pool2d


class AdaptiveAvgPool2DBackward0(Linear):
    """z = the means of windows that divide the last axes into parts."""
    batch = leading()
    public = "adaptive_avg_pool2d"
    def forward(x, output_size):
        refuse(x, "adaptive_avg_pool2d" if len(output_size) == 2 else "adaptive_avg_pool3d_cpu", "biuc")
        return kernels.adaptive_avg_pool(x, output_size)
    def vjp(xp, g, shape, output_size):
        return xp.adaptive_avg_pool_backward(g, tuple(shape[len(shape) - len(output_size):]))
_adaptive_avg_pool2d = op(AdaptiveAvgPool2DBackward0)


class AdaptiveAvgPool3DBackward0(AdaptiveAvgPool2DBackward0):
    """The same over three axes."""
    autocast = "full"
    public = "adaptive_avg_pool3d"
    forward, vjp = AdaptiveAvgPool2DBackward0.forward, AdaptiveAvgPool2DBackward0.vjp
_adaptive_avg_pool3d = op(AdaptiveAvgPool3DBackward0)


class AdaptiveAvgPool2DBackwardBackward0(Linear):
    """The adjoint of ``adaptive_avg_pool``; ``space`` are the last axes of its operand."""
    batch = leading()
    public = "adaptive_avg_pool_backward"
    def forward(x, space):         return kernels.adaptive_avg_pool_backward(x, space)
    def vjp(xp, g, shape, space):  return xp.adaptive_avg_pool(g, tuple(shape[len(shape) - len(space):]))
adaptive_avg_pool_backward = op(AdaptiveAvgPool2DBackwardBackward0)
adaptive_avg_pool = _adaptive_avg_pool2d


@composite
def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Take the mean of each window: ``(N, C, L)`` or ``(C, L)``; windows are ``stride`` apart, by default their size.

    Zeros of the padding count unless ``count_include_pad`` is False. Raises RuntimeError for sizes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.avg_pool1d(minigrad.tensor([[1., 3., 2., 0.]]), 2)
    tensor([[2., 1.]])
    """
    _is_tensor(input, "avg_pool1d")
    _argument_dims("avg_pool1d", input)
    kernel = _one_int("avg_pool1d", kernel_size, "kernel_size")
    step = kernel if is_left_out(stride) else _one_int("avg_pool1d", stride, "stride")
    padding = _one_int("avg_pool1d", padding, "padding")
    z = avg_pool2d(input.unsqueeze(-2), (1, kernel), (1, step), (0, padding), ceil_mode, count_include_pad)
    return z.squeeze(-2)


def _avg_pool(function, n, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    _is_tensor(input, function)
    if input.ndim not in (n + 1, n + 2):
        if n == 2:
            low, high = (-input.ndim, input.ndim - 1) if input.ndim else (-1, 0)
            raise IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got -3)")
        raise RuntimeError("non-empty 4D or 5D (batch mode) tensor expected for input")
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    numbers = [tuple(v) if v.__class__ is list else v for v in (kernel_size, stride, padding)]
    kernel, stride, padding, _ = _checked_window(function, n, input.shape, *numbers, 1, bool(ceil_mode))
    pool = _avg_pool2d if n == 2 else _avg_pool3d
    return pool(input, kernel, stride, padding, bool(ceil_mode), bool(count_include_pad), divisor_override)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, *, out=None):
    """Take the mean of each window of ``(N, C, H, W)`` or ``(C, H, W)``, or the sum divided by ``divisor_override``; see ``minigrad.avg_pool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.avg_pool2d(minigrad.arange(8.).view(1, 2, 4), 2)
    tensor([[[2.5000, 4.5000]]])
    """
    args = kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    return _avg_pool("avg_pool2d", 2, input, *args) if out is None else write_out_same(out, avg_pool2d, input, *args)


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, *, out=None):
    """Take the mean of each window of ``(N, C, D, H, W)`` or ``(C, D, H, W)``, or the sum divided by ``divisor_override``.

    >>> import minigrad
    >>> minigrad.nn.functional.avg_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 2)
    tensor([[[[3.5000]]]])
    """
    args = kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    return _avg_pool("avg_pool3d", 3, input, *args) if out is None else write_out_same(out, avg_pool3d, input, *args)


def _lp_pool(avg, largest, n, input, norm_type, kernel_size, stride, ceil_mode):
    if isinstance(kernel_size, (tuple, list)) and len(kernel_size) != n > 1:
        many, got = ("too many", "") if len(kernel_size) > n else ("not enough", f", got {len(kernel_size)}")
        raise ValueError(f"{many} values to unpack (expected {n}{got})")
    count = 1
    for k in _numbers(kernel_size, n, f"lp_pool{n}d: kernel_size must be an int or a tuple of {_WORDS[n]}"):
        count *= k
    if isinstance(norm_type, (int, float)):
        if norm_type == float("inf"):
            return largest(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
        if norm_type == -float("inf"):
            return -largest(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    means = avg(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (means.sign() * relu(means.abs())).mul(count).pow(1.0 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Take the ``norm_type``-norm of each window of ``(N, C, L)`` or ``(C, L)``, up to the signs of odd powers; infinite norms too.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool1d(minigrad.tensor([[3., 4.]]), 2, 2)
    tensor([[5.]])
    """
    return _lp_pool(avg_pool1d, max_pool1d, 1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Take the ``norm_type``-norm of each window of ``(N, C, H, W)`` or ``(C, H, W)``, up to the signs of odd powers; infinite norms too.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool2d(minigrad.tensor([[[3., 4.], [0., 0.]]]), 2, (2, 2))
    tensor([[[5.]]])
    """
    return _lp_pool(avg_pool2d, max_pool2d, 2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Take the ``norm_type``-norm of each window of ``(N, C, D, H, W)`` or ``(C, D, H, W)``, up to the signs of odd powers; infinite norms too.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool3d(minigrad.ones(1, 2, 2, 2), 1, 2)
    tensor([[[[8.]]]])
    """
    return _lp_pool(avg_pool3d, max_pool3d, 3, input, norm_type, kernel_size, stride, ceil_mode)


@composite
def adaptive_avg_pool1d(input, output_size):
    """Take the means of ``output_size`` windows that cover the last dimension of ``(N, C, L)`` or ``(C, L)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.adaptive_avg_pool1d(minigrad.tensor([[1., 3., 5., 7.]]), 2)
    tensor([[2., 6.]])
    """
    _is_tensor(input, "adaptive_avg_pool1d")
    _argument_dims("adaptive_avg_pool1d", input)
    out = _one_int("adaptive_avg_pool1d", output_size, "output_size")
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, out)).squeeze(-2)


def _adaptive_avg_pool(function, n, input, output_size):
    _is_tensor(input, function)
    if isinstance(output_size, bool):
        raise TypeError(f"{function}(): argument 'output_size' (position 2) must be tuple of ints, not bool")
    out = _parts(function, n, input, output_size)
    _check_parts(function, n, input, out)
    if set(out) == {1}:
        refuse(input._array, "adaptive_avg_pool2d" if n == 2 else "adaptive_avg_pool3d_cpu", "biu" if n == 2 else "biuc")
        return input.mean(tuple(range(-1, -n - 1, -1)), True)
    return (_adaptive_avg_pool2d if n == 2 else _adaptive_avg_pool3d)(input, out)


@composite
def adaptive_avg_pool2d(input, output_size):
    """Take the means of windows that cover the last two dimensions of ``(N, C, H, W)`` or ``(C, H, W)``; None keeps a dimension.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_avg_pool2d(minigrad.arange(8.).view(1, 2, 4), (1, 2))
    tensor([[[2.5000, 4.5000]]])
    """
    return _adaptive_avg_pool("adaptive_avg_pool2d", 2, input, output_size)


def adaptive_avg_pool3d(input, output_size):
    """Take the means of windows that cover the last three dimensions of ``(N, C, D, H, W)`` or ``(C, D, H, W)``; None keeps a dimension.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_avg_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 1)
    tensor([[[[3.5000]]]])
    """
    return _adaptive_avg_pool("adaptive_avg_pool3d", 3, input, output_size)
