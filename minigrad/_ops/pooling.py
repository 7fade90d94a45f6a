"""Pooling: the largest or the mean element of windows over the last one to three axes, and back."""

import functools
import operator

from .._core.errors import shape_text, type_name
from .._core.families import General, Linear, op
from .._core.kernels import pooling as kernels
from .._core.tensor import Tensor
from .activation import relu
from .dims import into_same
from .dims import type_name as dtype_name
from .random import rand

__all__ = [
    "adaptive_avg_pool1d", "adaptive_max_pool1d", "avg_pool1d", "max_pool1d", "max_pool1d_with_indices", "max_pool2d", "max_pool3d",
]


def refuse(x, kernel, kinds):
    """Raise NotImplementedError for the kinds of dtypes that PyTorch's kernel does not know."""
    if x.dtype.kind in kinds and not (kernel.startswith("avg") and x.dtype.str[1:] == "i8"):
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype_name(x)}'")


# Elements at indices ---------------------------------------------------------------------------------------------------------


class MaxPoolBackwardBackward(General):
    """z = the elements of x at indices y into its last n axes."""
    operands, public = "x y", "gather_windows"
    def forward(x, y, n):             return kernels.gather_windows(x, y, n)
    def vjp_x(xp, g, x_shape, y, n):  return xp.scatter_windows(g, y, tuple(x_shape[len(x_shape) - n:]), True)
gather_windows = op(MaxPoolBackwardBackward)


class MaxPoolBackward(General):
    """z = zeros with the elements of x added at indices y into the last axes, ``space``."""
    operands, public = "x y", "scatter_windows"
    def forward(x, y, space, overlap):  return kernels.scatter_windows(x, y, space, overlap)
    def vjp_x(xp, g, y, space):         return xp.gather_windows(g, y, len(space))
scatter_windows = op(MaxPoolBackward)


# Largest elements ------------------------------------------------------------------------------------------------------------


def overlaps(kernel, stride, dilation):
    """Whether windows may share elements."""
    return any(d * (k - 1) >= s for k, s, d in zip(kernel, stride or kernel, dilation))


class MaxPool2DWithIndicesBackward0(General):
    """z = the largest elements of windows, the first of equals, and their places: there go the gradients."""
    operands, results, nondiff, names = "x", "z indices", (1,), {"x": "self", "indices": "result1", "shape": "self_sym_sizes"}
    public = "max_pool2d"
    def forward(x, kernel_size, stride, padding, dilation, ceil_mode):
        refuse(x, f"max_pool{len(kernel_size)}d", "bc")
        return kernels.max_pool(x, kernel_size, stride, padding, dilation, ceil_mode)
    def vjp(xp, g, shape, kernel_size, stride, dilation, indices):
        space = tuple(shape[len(shape) - len(kernel_size):])
        return xp.scatter_windows(g, indices, space, overlaps(kernel_size, stride, dilation))
_max_pool2d = op(MaxPool2DWithIndicesBackward0)


class MaxPool3DWithIndicesBackward0(MaxPool2DWithIndicesBackward0):
    """The same over three axes."""
    public = "max_pool3d"
    forward, vjp = MaxPool2DWithIndicesBackward0.forward, MaxPool2DWithIndicesBackward0.vjp
_max_pool3d = op(MaxPool3DWithIndicesBackward0)


class AdaptiveMaxPool2DBackward0(General):
    """z = the largest elements of windows that divide the last axes into parts, and their places: there go the gradients."""
    operands, results, nondiff, names = "x", "z indices", (1,), {"x": "self", "indices": "result1", "shape": "self_sym_sizes"}
    public = "adaptive_max_pool2d"
    def forward(x, output_size):
        refuse(x, "adaptive_max_pool2d" if len(output_size) == 2 else "adaptive_max_pool3d_cpu", "biuc")
        return kernels.adaptive_max_pool(x, output_size)
    def vjp(xp, g, shape, output_size, indices):
        space = tuple(shape[len(shape) - len(output_size):])
        return xp.scatter_windows(g, indices, space, any(not m or n % m for n, m in zip(space, output_size)))
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
    operands, public, names = "x indices", "max_unpool2d", {"x": "self"}
    def forward(x, indices, output_size):   return kernels.unpool(x, indices, output_size)
    def vjp_x(xp, g, indices, output_size): return xp.gather_windows(g, indices, len(output_size))
_max_unpool2d = op(MaxUnpool2DBackward0)


class MaxUnpool3DBackward0(MaxUnpool2DBackward0):
    """The same over three axes."""
    public = "max_unpool3d"
    forward, vjp_x = MaxUnpool2DBackward0.forward, MaxUnpool2DBackward0.vjp_x
_max_unpool3d = op(MaxUnpool3DBackward0)


# Means -----------------------------------------------------------------------------------------------------------------------


class AvgPool2DBackward0(Linear):
    """z = the means of windows, or their sums divided by ``divisor_override``."""
    public = "avg_pool2d"
    def forward(x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        refuse(x, "avg_pool2d" if len(kernel_size) == 2 else "avg_pool3d_out_frame", "biuc")
        return kernels.avg_pool(x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    def vjp(xp, g, shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        space = tuple(shape[len(shape) - len(kernel_size):])
        return xp.avg_pool_backward(g, space, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
_avg_pool2d = op(AvgPool2DBackward0)


class AvgPool3DBackward0(AvgPool2DBackward0):
    """The same over three axes."""
    public = "avg_pool3d"
    forward, vjp = AvgPool2DBackward0.forward, AvgPool2DBackward0.vjp
_avg_pool3d = op(AvgPool3DBackward0)


class AvgPool2DBackwardBackward0(Linear):
    """The adjoint of ``avg_pool``; ``space`` are the last axes of its operand."""
    public = "avg_pool_backward"
    def forward(x, space, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return kernels.avg_pool_backward(x, space, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    def vjp(xp, g, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return xp.avg_pool(g, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
avg_pool_backward = op(AvgPool2DBackwardBackward0)
avg_pool = _avg_pool2d


class AdaptiveAvgPool2DBackward0(Linear):
    """z = the means of windows that divide the last axes into parts."""
    public = "adaptive_avg_pool2d"
    def forward(x, output_size):
        refuse(x, "adaptive_avg_pool2d" if len(output_size) == 2 else "adaptive_avg_pool3d_cpu", "biuc")
        return kernels.adaptive_avg_pool(x, output_size)
    def vjp(xp, g, shape, output_size):
        return xp.adaptive_avg_pool_backward(g, tuple(shape[len(shape) - len(output_size):]))
_adaptive_avg_pool2d = op(AdaptiveAvgPool2DBackward0)


class AdaptiveAvgPool3DBackward0(AdaptiveAvgPool2DBackward0):
    """The same over three axes."""
    public = "adaptive_avg_pool3d"
    forward, vjp = AdaptiveAvgPool2DBackward0.forward, AdaptiveAvgPool2DBackward0.vjp
_adaptive_avg_pool3d = op(AdaptiveAvgPool3DBackward0)


class AdaptiveAvgPool2DBackwardBackward0(Linear):
    """The adjoint of ``adaptive_avg_pool``; ``space`` are the last axes of its operand."""
    public = "adaptive_avg_pool_backward"
    def forward(x, space):         return kernels.adaptive_avg_pool_backward(x, space)
    def vjp(xp, g, shape, space):  return xp.adaptive_avg_pool(g, tuple(shape[len(shape) - len(space):]))
adaptive_avg_pool_backward = op(AdaptiveAvgPool2DBackwardBackward0)
adaptive_avg_pool = _adaptive_avg_pool2d


# Arguments -------------------------------------------------------------------------------------------------------------------

_WORDS = {1: "one int", 2: "two ints", 3: "three ints"}
_AXES = {2: "HW", 3: "THW"}


def _numbers(value, n, message):
    """A number or numbers as a tuple of n; raises RuntimeError with the message."""
    if isinstance(value, (tuple, list)):
        if len(value) not in (1, n):
            raise RuntimeError(message)
        value = tuple([operator.index(v) for v in value])
        return value * n if len(value) == 1 else value
    return (operator.index(value),) * n


def _window(function, n, kernel_size, stride, padding, dilation=1):
    """``(kernel, stride, padding, dilation)`` as tuples; a stride of () is the kernel's size."""
    single = "must be a single int" if function == "avg_pool3d" else "must either be a single int"
    omitted = "must be omitted, a single int" if function == "avg_pool3d" else "must either be omitted, a single int"
    kernel = _numbers(kernel_size, n, f"{function}: kernel_size {single}, or a tuple of {_WORDS[n]}")
    stride = () if stride is None or stride in ((), []) else stride
    if stride != ():
        stride = _numbers(stride, n, f"{function}: stride {omitted}, or a tuple of {_WORDS[n]}")
    padding = _numbers(padding, n, f"{function}: padding {single}, or a tuple of {_WORDS[n]}")
    dilation = _numbers(dilation, n, f"{function}: dilation must be either a single int, or a tuple of {_WORDS[n]}")
    for k, s, p, d in zip(kernel, stride or kernel, padding, dilation):
        if s == 0:
            raise RuntimeError("stride should not be zero")
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if p > (d * (k - 1) + 1) // 2:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}"
            )
    for name, values in (("kernel size", kernel), ("stride", stride or kernel), ("dilation", dilation)):
        if min(values) < 1:
            short = {"kernel size": "k", "stride": "d", "dilation": "dilation"}[name]
            text = (" " if name == "dilation" else ", " if n == 2 else " ").join([f"{short}{a}: {v}" for a, v in zip(_AXES[n], values)])
            raise RuntimeError(f"{name} should be greater than zero, but got {text}")
    return kernel, stride, padding, dilation


def _check_image(function, n, shape, kernel, stride, padding, dilation, ceil_mode):
    """Raise RuntimeError unless an image of this shape, (N, C, ...) or (C, ...), is large enough for windows."""
    space = shape[-n:]
    if n == 2:
        if 0 in (shape[1:] if len(shape) == 4 else shape):
            raise RuntimeError(
                f"Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{shape_text(shape)}"
            )
    else:
        for i, size in enumerate(shape[-4:]):
            if not size:
                name = "max_pool3d_with_indices_out_cpu_template" if function == "max_pool3d" else function
                raise RuntimeError(
                    f"{name}(): Expected input's non-batch dimensions to have positive length, but input has a shape of "
                    f"{shape_text(shape)} and non-batch dimension {i} has length zero!"
                )
        if function == "avg_pool3d" and any(m + 2 * p < k for m, p, k in zip(space, padding, kernel)):
            texts = [" ".join([f"{mark}{a}: {v}" for a, v in zip("THW", values)]) for mark, values in (("", space), ("k", kernel))]
            raise RuntimeError(f"input image ({texts[0]}) smaller than kernel size ({texts[1]})")
    out = kernels.output_sizes(space, kernel, stride or kernel, padding, dilation, ceil_mode)
    if min(out) < 1:
        channels = shape[-n - 1]
        raise RuntimeError(
            f"Given input size: ({_by((channels, *space))}). Calculated output size: ({_by((channels, *out))}). Output size is too small"
        )


@functools.lru_cache(256)
def _checked_window(function, n, shape, kernel_size, stride, padding, dilation, ceil_mode):
    """``_window`` for an image of this shape; raises RuntimeError if it has no room for windows."""
    window = _window(function, n, kernel_size, stride, padding, dilation)
    _check_image(function, n, shape, *window, ceil_mode)
    return window


def _by(sizes):
    return "x".join(map(str, sizes))


def _is_tensor(x, function):
    if not isinstance(x, Tensor):
        raise TypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {type_name(x)}")


# max_pool --------------------------------------------------------------------------------------------------------------------


def _one(value, name, stride=False):
    if isinstance(value, (tuple, list)):
        if len(value) != 1:
            kinds = "None, an int, list of ints, or tuple of ints" if stride else "an int, list of ints or tuple of ints"
            raise RuntimeError(f"max_pool1d() {name} must be {kinds} of size 1 but got size {len(value)}")
        value = value[0]
    return operator.index(value)


def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """``(values, indices)`` of the largest elements of windows: ``(N, C, L)`` or ``(C, L)``; see ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool1d_with_indices(minigrad.tensor([[1., 3., 2.]]), 2)
    (tensor([[3.]]), tensor([[1]]))
    """
    _is_tensor(input, "max_pool1d")
    kernel, padding, dilation = _one(kernel_size, "kernel_size"), _one(padding, "padding"), _one(dilation, "dilation")
    stride = kernel if stride is None or stride in ((), []) else _one(stride, "stride", True)
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
    if not input.dtype.is_floating_point:
        kernel_name = "max_pool2d" if input.dtype.is_complex else "max_pool1d_impl"
        raise NotImplementedError(f"\"{kernel_name}\" not implemented for '{dtype_name(input._array)}'")
    values, indices = _max_pool2d(input.unsqueeze(-2), (1, kernel), (1, stride), (0, padding), (1, dilation), bool(ceil_mode))
    return values.squeeze(-2), indices.squeeze(-2)


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest elements of windows: ``(N, C, L)`` or ``(C, L)``; the windows are ``stride``, by default their size, apart.

    Outside of the image is minus infinity.  Raises RuntimeError for sizes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.max_pool1d(minigrad.tensor([[1., 3., 2., 0.]]), 2)
    tensor([[3., 2.]])
    """
    return max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)[0]


def _max_pool(function, n, input, kernel_size, stride, padding, dilation, ceil_mode):
    _is_tensor(input, function)
    if input.ndim not in (n + 1, n + 2):
        raise RuntimeError(f"non-empty {n + 1}D or {n + 2}D (batch mode) tensor expected for input")
    numbers = [tuple(v) if v.__class__ is list else v for v in (kernel_size, stride, padding, dilation)]
    window = _checked_window(function, n, input.shape, *numbers, bool(ceil_mode))
    return (_max_pool2d if n == 2 else _max_pool3d)(input, *window, bool(ceil_mode))


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest elements of windows: ``(N, C, H, W)`` or ``(C, H, W)``; see ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool2d(minigrad.arange(16.).reshape(1, 4, 4), 2)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """
    return _max_pool("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode)[0]


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest elements of windows: ``(N, C, D, H, W)`` or ``(C, D, H, W)``; see ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool3d(minigrad.arange(8.).reshape(1, 2, 2, 2), 2).flatten()
    tensor([7.])
    """
    return _max_pool("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode)[0]


def max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """``(values, indices)`` of the largest elements of windows; an index counts the places of ``(H, W)`` as if in one row."""
    return _max_pool("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """``(values, indices)`` of the largest elements of windows; an index counts the places of ``(D, H, W)`` as if in one row."""
    return _max_pool("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode)


def choosing_max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest elements of windows, ``(N, C, L)`` or ``(C, L)``, and with ``return_indices`` their places; see ``minigrad.max_pool1d``."""
    both = max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return both if return_indices else both[0]


def choosing_max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest elements of windows, ``(N, C, H, W)`` or ``(C, H, W)``, and with ``return_indices`` their places."""
    both = _max_pool("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode)
    return both if return_indices else both[0]


def choosing_max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest elements of windows, ``(N, C, D, H, W)`` or ``(C, D, H, W)``, and with ``return_indices`` their places."""
    both = _max_pool("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode)
    return both if return_indices else both[0]


for _function in (choosing_max_pool1d, choosing_max_pool2d, choosing_max_pool3d):
    _function.__name__ = _function.__qualname__ = _function.__name__.removeprefix("choosing_")


# avg_pool and lp_pool --------------------------------------------------------------------------------------------------------


def _argument_dims(function, x):
    if x.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {x.ndim}-dimensional tensor for argument #1 'self' (while checking arguments for {function})"
        )


def _one_int(function, value, name):
    if isinstance(value, (tuple, list)):
        if len(value) != 1:
            raise RuntimeError(f"{function}() argument '{name}' should contain one int (got {len(value)})")
        value = value[0]
    try:
        return operator.index(value)
    except TypeError:
        at = f", but found element of type {type_name(value)} at pos 0"
        raise TypeError(f"{function}(): argument '{name}' (position 2) must be tuple of ints{at}") from None


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The means of windows: ``(N, C, L)`` or ``(C, L)``; the windows are ``stride``, by default their size, apart.

    Zeros of the border count unless ``count_include_pad`` is False.  Raises RuntimeError for sizes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.avg_pool1d(minigrad.tensor([[1., 3., 2., 0.]]), 2)
    tensor([[2., 1.]])
    """
    _is_tensor(input, "avg_pool1d")
    _argument_dims("avg_pool1d", input)
    kernel = _one_int("avg_pool1d", kernel_size, "kernel_size")
    step = kernel if stride is None or stride in ((), []) else _one_int("avg_pool1d", stride, "stride")
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
    """The means of windows: ``(N, C, H, W)`` or ``(C, H, W)``, or their sums divided by ``divisor_override``; see ``minigrad.avg_pool1d``."""
    def compute():
        return _avg_pool("avg_pool2d", 2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return compute() if out is None else into_same(out, compute, "avg_pool2d", (input,))


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, *, out=None):
    """The means of windows: ``(N, C, D, H, W)`` or ``(C, D, H, W)``, or their sums divided by ``divisor_override``."""
    def compute():
        return _avg_pool("avg_pool3d", 3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return compute() if out is None else into_same(out, compute, "avg_pool3d", (input,))


def _lp_pool(avg, largest, n, input, norm_type, kernel_size, stride, ceil_mode):
    count = 1
    for k in _numbers(kernel_size, n, f"lp_pool{n}d: kernel_size must be an int or a tuple of {_WORDS[n]}"):
        count *= k
    if n > 1 and isinstance(norm_type, (int, float)):
        if norm_type == float("inf"):
            return largest(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
        if norm_type == -float("inf"):
            return -largest(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    means = avg(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (means.sign() * relu(means.abs())).mul(count).pow(1.0 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The ``norm_type``-norms of windows, up to signs of odd powers: ``(N, C, L)`` or ``(C, L)``.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool1d(minigrad.tensor([[3., 4.]]), 2, 2)
    tensor([[5.]])
    """
    return _lp_pool(avg_pool1d, max_pool1d, 1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The ``norm_type``-norms of windows, up to signs of odd powers: ``(N, C, H, W)`` or ``(C, H, W)``; infinite norms too."""
    return _lp_pool(avg_pool2d, max_pool2d, 2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The ``norm_type``-norms of windows, up to signs of odd powers: ``(N, C, D, H, W)`` or ``(C, D, H, W)``; infinite norms too."""
    return _lp_pool(avg_pool3d, max_pool3d, 3, input, norm_type, kernel_size, stride, ceil_mode)


# Windows that divide the axes into a number of parts -----------------------------------------------------------------------------


def _parts(function, n, x, output_size):
    """The ``output_size`` as a tuple of n: None stands for the image's own."""
    if isinstance(output_size, (tuple, list)):
        if x.ndim <= len(output_size):
            raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
        output_size = [m if v is None else v for v, m in zip(output_size, x.shape[-len(output_size) :])]
        if len(output_size) != n:
            if len(output_size) == 1:
                return (operator.index(output_size[0]),) * n
            raise RuntimeError(
                f"{function}(): internal error: output_size.size() must be {n}" if "max" in function
                else f"{function}: output_size must be {n}"
            )
        return tuple([operator.index(m) for m in output_size])
    return (operator.index(output_size),) * n


def _check_parts(function, n, x, out):
    colon = ":" if "max" in function else ""
    if x.ndim not in (n + 1, n + 2):
        raise RuntimeError(f"{function}(): Expected {n + 1}D or {n + 2}D tensor, but got{colon} {shape_text(x.shape)}")
    if "max" in function or n == 3:
        for i in range(1 if x.ndim == n + 2 else 0, x.ndim):
            if not x.shape[i]:
                raise _empty(function, x, i)
    if min(out) < 0:
        if "avg" in function:
            text = f"{out[0]}, {out[1]}" + (f",{out[2]}" if n == 3 else "")
            raise RuntimeError(f"{function}: elements of output_size must be greater than or equal to 0 but received {{{text}}}")
        shape = (*x.shape[: x.ndim - n], *out)
        raise RuntimeError(f"Trying to create tensor with negative dimension {next(m for m in out if m < 0)}: {shape_text(shape)}")


def _empty(function, x, dim):
    return RuntimeError(
        f"{function}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {shape_text(x.shape)} "
        f"with dimension {dim} being empty"
    )


def adaptive_avg_pool1d(input, output_size):
    """The means of windows that divide the last axis into ``output_size`` parts: ``(N, C, L)`` or ``(C, L)``.

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
    out = _parts(function, n, input, output_size)
    _check_parts(function, n, input, out)
    if set(out) == {1}:
        refuse(input._array, "adaptive_avg_pool2d" if n == 2 else "adaptive_avg_pool3d_cpu", "biuc")
        return input.mean(tuple(range(-1, -n - 1, -1)), True)
    return (_adaptive_avg_pool2d if n == 2 else _adaptive_avg_pool3d)(input, out)


def adaptive_avg_pool2d(input, output_size):
    """The means of windows that divide the last two axes into parts: ``(N, C, H, W)`` or ``(C, H, W)``; None keeps an axis."""
    return _adaptive_avg_pool("adaptive_avg_pool2d", 2, input, output_size)


def adaptive_avg_pool3d(input, output_size):
    """The means of windows that divide the last three axes into parts: ``(N, C, D, H, W)`` or ``(C, D, H, W)``; None keeps an axis."""
    return _adaptive_avg_pool("adaptive_avg_pool3d", 3, input, output_size)


def adaptive_max_pool1d(input, output_size):
    """``(values, indices)`` of the largest elements of windows that divide the last axis into ``output_size`` parts.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.adaptive_max_pool1d(minigrad.tensor([[1., 3., 7., 5.]]), 2)
    (tensor([[3., 7.]]), tensor([[1, 2]]))
    """
    _is_tensor(input, "adaptive_max_pool1d")
    _argument_dims("adaptive_max_pool1d", input)
    out = _one_int("adaptive_max_pool1d", output_size, "output_size")
    for i in range(input.ndim - 2, input.ndim):
        if not input.shape[i]:
            raise _empty("adaptive_max_pool1d", input, i)
    x = input.unsqueeze(-2)
    _check_parts("adaptive_max_pool2d", 2, x, (1, out))
    values, indices = _adaptive_max_pool2d(x, (1, out))
    return values.squeeze(-2), indices.squeeze(-2)


def _adaptive_max_pool(function, n, input, output_size):
    _is_tensor(input, function)
    out = _parts(function, n, input, output_size)
    _check_parts(function, n, input, out)
    return (_adaptive_max_pool2d if n == 2 else _adaptive_max_pool3d)(input, out)


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """``(values, indices)`` of the largest elements of windows that divide the last axis into parts."""
    return adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """``(values, indices)`` of the largest elements of windows that divide the last two axes into parts."""
    return _adaptive_max_pool("adaptive_max_pool2d", 2, input, output_size)


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """``(values, indices)`` of the largest elements of windows that divide the last three axes into parts."""
    return _adaptive_max_pool("adaptive_max_pool3d", 3, input, output_size)


def choosing_adaptive_max_pool1d(input, output_size, return_indices=False):
    """The largest elements of windows that divide the last axis into parts, and with ``return_indices`` their places."""
    both = adaptive_max_pool1d(input, output_size)
    return both if return_indices else both[0]


choosing_adaptive_max_pool1d.__name__ = choosing_adaptive_max_pool1d.__qualname__ = "adaptive_max_pool1d"


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The largest elements of windows that divide the last two axes into parts, and with ``return_indices`` their places."""
    both = _adaptive_max_pool("adaptive_max_pool2d", 2, input, output_size)
    return both if return_indices else both[0]


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The largest elements of windows that divide the last three axes into parts, and with ``return_indices`` their places."""
    both = _adaptive_max_pool("adaptive_max_pool3d", 3, input, output_size)
    return both if return_indices else both[0]


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
    kernel = _numbers(kernel_size, n, f"{function}: kernel_size must either be a single int or tuple of {_WORDS[n]}")
    out = _numbers(output_size, n, f"{function}: output_size must either be a single int or tuple of {_WORDS[n]}")
    if input.ndim not in (n + 1, n + 2):
        raise RuntimeError(f"{function}(): Expected {n + 1}D or {n + 2}D tensor, but got: {shape_text(input.shape)}")
    batch = 1 if input.ndim == n + 1 else input.shape[0]
    channels = input.shape[-n - 1]
    if samples.ndim != 3:
        raise RuntimeError("Expect _random_samples to have 3 dimensions.")
    if samples.shape[0] < batch:
        raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if samples.shape[1] != channels:
        raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
    if samples.shape[2] != n:
        raise RuntimeError(f"Expect _random_samples.size(2) equals to {n} got {samples.shape[2]}.")
    names = ("height", "width") if n == 2 else ("time", "height", "width")
    prefix = "fractional_max_pool2d()" if n == 2 else "fractional_max_pool3d_out()"
    for name, size, k, m in zip(names, input.shape[-n:], kernel, out):
        if m + k - 1 > size:
            raise RuntimeError(f"{prefix}: pool {name} {k} too large relative to input {name} {size}")
    return (_fractional_max_pool2d if n == 2 else _fractional_max_pool3d)(input, samples, kernel, out)


def fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """``(values, indices)`` of the largest elements of windows at random places; see ``fractional_max_pool2d``."""
    return _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """``(values, indices)`` of the largest elements of windows at random places; see ``fractional_max_pool3d``."""
    return _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """The largest elements of ``output_size`` windows at random places: ``(N, C, H, W)`` or ``(C, H, W)``.

    With ``output_ratio`` the size is that part of the image's.  Raises ValueError without either, RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.fractional_max_pool2d(minigrad.arange(16.).reshape(1, 4, 4), 2, output_size=1).flatten()
    tensor([15.])
    """
    both = _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return both if return_indices else both[0]


def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """The largest elements of ``output_size`` windows at random places: ``(N, C, D, H, W)`` or ``(C, D, H, W)``."""
    both = _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return both if return_indices else both[0]


# Back to the places of the largest elements ------------------------------------------------------------------------------------


def _unpooled_size(n, input, kernel_size, stride, padding, output_size):
    message = f"max_unpool{n}d: expected one number or {n}"
    kernel, padding = _numbers(kernel_size, n, message), _numbers(padding, n, message)
    stride = kernel if stride is None else _numbers(stride, n, message)
    shape = input.shape
    default = [(shape[i - n] - 1) * stride[i] + kernel[i] - 2 * padding[i] for i in range(n)]
    if output_size is None:
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
                f"max_unpooling{n}d(): Expected input to have non-zero size for non-batch dimensions, but got {shape_text(input.shape)} "
                f"with dimension {i} being empty."
            )
    return (_max_unpool2d if n == 2 else _max_unpool3d)(input, indices, tuple(size))


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with ``input`` at the ``indices`` of ``max_pool1d``: ``(N, C, L)`` or ``(C, L)``.

    Raises ValueError for an ``output_size`` that cannot be, RuntimeError for indices out of range.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool1d(minigrad.tensor([[3.]]), minigrad.tensor([[1]]), 2)
    tensor([[0., 3.]])
    """
    size = _unpooled_size(1, input, kernel_size, stride, padding, output_size)
    return _unpool(2, input.unsqueeze(-1), indices.unsqueeze(-1), (*size, 1)).squeeze(-1)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with ``input`` at the ``indices`` of ``max_pool2d``: ``(N, C, H, W)`` or ``(C, H, W)``; see ``max_unpool1d``."""
    return _unpool(2, input, indices, _unpooled_size(2, input, kernel_size, stride, padding, output_size))


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with ``input`` at the ``indices`` of ``max_pool3d``: ``(N, C, D, H, W)`` or ``(C, D, H, W)``; see ``max_unpool1d``."""
    return _unpool(3, input, indices, _unpooled_size(3, input, kernel_size, stride, padding, output_size))
