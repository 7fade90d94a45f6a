"""Convolutions and transposed convolutions over one to three axes of space."""

import functools
import math
import operator

from .._arrays import vocabulary as arrays
from .._arrays.kernels import convolution as kernels
from .._arrays.kernels.convolution import transposed_space
from .._base import dtypes
from .._base.deprecation import warn_once
from .._base.dtypes import c_name, dtype_name
from .._base.errors import shape_text, type_name
from .._core.families import Fused, General, Op, op
from .._core.tensor import Tensor
from .batches import along_channels, everywhere
from .convert import as_dtype
from .padding import constant_pad_nd
from .sizes import as_int

__all__ = [
    "conv1d", "conv2d", "conv3d", "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "convolution",
]


# The op, and the part of it that belongs to the weights ----------------------------------------------------------------------


def _c_type(x):
    return c_name(dtypes.from_numpy_dtype(x.dtype))


def convolved(x, w, b, stride, padding, dilation, transposed, output_padding, groups):
    """The convolution of arrays, plus b."""
    other_bias = b is not None and b.dtype != x.dtype
    if other_bias and not transposed:
        raise RuntimeError(f"Input type ({_c_type(x)}) and bias type ({_c_type(b)}) should be the same")
    small = x.dtype.kind in "iu" and x.dtype.itemsize < 8
    if x.dtype.kind == "b" or (small and transposed):
        volumes = x.ndim == 5 and max(w.shape[2:]) > 1
        plain = "compute_columns3d" if volumes else f"slow_conv{3 if x.ndim == 5 else 2}d_cpu"
        kernel = f"slow_conv_transpose{3 if x.ndim == 5 else 2}d_out_cpu" if transposed else plain
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype_name(x)}'")
    if x.dtype != w.dtype:
        raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(w)}")
    if other_bias:
        raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(b)}")
    if small and max(dilation) > 1:
        raise NotImplementedError(f"\"slow_conv_dilated<>\" not implemented for '{dtype_name(x)}'")
    return kernels.convolve(x, w, stride, padding, dilation, transposed, output_padding, groups, b)


def convolve_back(xp, g, w, space, stride, padding, dilation, groups):
    """What ``g``, an image made by convolution with ``w``, says about the image of ``space`` before it."""
    least = transposed_space(g.shape[2:], w.shape[2:], stride, padding, (0,) * len(space), dilation)
    missing = tuple([n - m for n, m in zip(space, least)])
    return xp.convolve(g, w, stride, padding, dilation, True, missing, groups)


def convolve_into(xp, x, w, space, stride, padding, dilation, groups):
    """The convolution as far as ``space``: the end of x is further away if it has much ``output_padding``."""
    z = xp.convolve(x, w, stride, padding, dilation, False, (0,) * len(space), groups)
    return z if z.shape[2:] == space else z[(..., *[slice(n) for n in space])]


class ConvolutionBackward0(Fused):
    """z[n, o, p] = b[o] + Σ x[n, c, p stride + k dilation - padding] w[o, c, k]; transposed: the adjoint of that in x.

    (N, C, ...), (O, C / groups, ...), (O,) -> (N, O, ...); the weights of a transposed one are (C, O / groups, ...).
    """
    autocast = "lower"
    operands, optional_from = "x w b", 2
    names = {"x": "input", "w": "weight", "b": "bias", "b_shape": "bias_sym_sizes_opt"}
    def batch(call, xs, batched, params, size):
        (x, w, b), (of_x, of_w, of_b), (*numbers, transposed, more, groups) = xs, batched, params
        if not of_w:
            if not of_x: z = call(x, w, None, *params)
            else: z = call(x.flatten(0, 1), w, None if of_b else b, *params).unflatten(0, (size, -1))
            if b is None or (of_x and not of_b): return z
        elif of_x:  # each sample has groups of its own
            x = x.movedim(0, 1).flatten(1, 2)
            z = call(x, w.flatten(0, 1), None, *numbers, transposed, more, size * groups).unflatten(1, (size, -1)).movedim(1, 0)
        else:  # further filters for each group
            w = w.movedim(0, 1).flatten(1, 2) if transposed else w.unflatten(1, (groups, -1)).movedim(0, 1).flatten(0, 2)
            z = call(x, w, None, *numbers, transposed, more, groups)
            z = z.unflatten(1, (groups, size, -1)).movedim(2, 0).flatten(2, 3)
        return z if b is None else z + along_channels(b, of_b, x.ndim - (of_x and not of_w))
    def forward(x, w, b, stride, padding, dilation, transposed, output_padding, groups):
        return convolved(x, w, b, stride, padding, dilation, transposed, output_padding, groups)
    def vjp_x(xp, g, w, x_shape, stride, padding, dilation, transposed, groups):
        if transposed: return convolve_into(xp, g, w, x_shape[2:], stride, padding, dilation, groups)
        return convolve_back(xp, g, w, x_shape[2:], stride, padding, dilation, groups)
    def vjp_w(xp, g, x, w_shape, stride, padding, dilation, transposed, groups):
        if transposed: g, x = x, g
        return xp.convolve_weight(g, x, w_shape[2:], stride, padding, dilation, groups)
    def vjp_b(xp, g, b_shape): return xp.reshape(xp.sum_to(g, (1, *b_shape, *[1] * (g.ndim - 2))), b_shape)
    def fused(g, needs, x, w, w_shape, stride, padding, dilation, transposed, groups):
        several = x is not None and (w is not None or needs[2]) and not transposed
        return kernels.gradients(g, x, w, needs[2], w_shape[2:], stride, padding, dilation, groups) if several else None
    def along(self, edges, xp, g, values):
        found = Fused.along(self, edges, xp, g, values) if xp is arrays and self.casts is None else None
        return Op.along(self, edges, xp, g, values) if found is None else found
    @property
    def _saved_bias_sym_sizes_opt(self): return self.shapes[2] or (0,)
    def jvp_x(xp, tx, w, stride, padding, dilation, transposed, output_padding, groups):
        return xp.convolve(tx, w, stride, padding, dilation, transposed, output_padding, groups)
    def jvp_w(xp, tw, x, stride, padding, dilation, transposed, output_padding, groups):
        return xp.convolve(x, tw, stride, padding, dilation, transposed, output_padding, groups)
    def jvp_b(xp, tb, z): return xp.reshape(tb, (-1, *[1] * (z.ndim - 2)))
    counted = 0
    def event(operands, params): return f"conv{'_transpose' if params[3] else ''}{operands[0].ndim - 2}d convolution"
    def inputs(name, x, w, b, stride, padding, dilation, transposed, output_padding, groups):
        if name == "convolution": return x, w, b, stride, padding, dilation, transposed, output_padding, groups
        return (x, w, b, stride, padding, output_padding, groups, dilation) if transposed.value else (x, w, b, stride, padding, dilation, groups)
    def mult_adds(x, w, stride, padding, dilation, transposed):
        if transposed: return math.prod(x) * math.prod(w[1:])
        sizes = zip(x[2:], w[2:], stride, padding, dilation)
        return x[0] * math.prod([(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in sizes]) * math.prod(w)
_convolution = op(ConvolutionBackward0)


class ConvolutionBackwardBackward0(General):
    """The gradient of a convolution to its weights: linear in the result's gradient x and in the image y."""
    operands, public = "x y", "convolution_weight"
    def batch(call, xs, batched, params, size):
        (*numbers, groups) = params
        if not batched[1]:  # further filters for each group
            x = xs[0].unflatten(2, (groups, -1)).movedim(0, 2).flatten(1, 3)
            return call(x, xs[1], *numbers, groups).unflatten(0, (groups, size, -1)).movedim(1, 0).flatten(1, 2)
        x, y = [x.movedim(0, 1).flatten(1, 2) for x in everywhere(xs, batched, size)]
        return call(x, y, *numbers, size * groups).unflatten(0, (size, -1))
    def forward(x, y, kernel, stride, padding, dilation, groups):
        return kernels.conv_weight(x, y, kernel, stride, padding, dilation, groups)
    def vjp_x(xp, g, y, x_shape, stride, padding, dilation, groups):
        return convolve_into(xp, y, g, x_shape[2:], stride, padding, dilation, groups)
    def vjp_y(xp, g, x, y_shape, stride, padding, dilation, groups):
        return convolve_back(xp, x, g, y_shape[2:], stride, padding, dilation, groups)
convolve_weight = op(ConvolutionBackwardBackward0)


def convolve(x, w, stride, padding, dilation, transposed, output_padding, groups):
    """``convolution`` without checks."""
    return _convolution(x, w, None, stride, padding, dilation, transposed, output_padding, groups)


# Arguments -------------------------------------------------------------------------------------------------------------------


_FORMS = {
    False: (
        " * (Tensor input, Tensor weight, Tensor bias = None, tuple of ints stride = 1, tuple of ints padding = 0, "
        "tuple of ints dilation = 1, int groups = 1)\n"
        " * (Tensor input, Tensor weight, Tensor bias = None, tuple of ints stride = 1, str padding = \"valid\", "
        "tuple of ints dilation = 1, int groups = 1)\n"
    ),
}


def _whole(value):
    """Whether a value is an integer, or a sequence of some."""
    if value.__class__ is int:
        return True
    if isinstance(value, (tuple, list)):
        return all(_whole(v) and not isinstance(v, (tuple, list)) for v in value)
    try:
        operator.index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


def _wrong(function, arguments):
    given = [
        (f"{name}=" if i > 2 else "") + type_name(value)
        for i, (name, value) in enumerate(arguments.items())
        if value is not None and not (i > 2 and _whole(value))
    ]
    if function.startswith("conv_transpose"):
        for place, (name, value) in enumerate(arguments.items()):
            if place < 3 and not isinstance(value, Tensor) and not (place == 2 and value is None):
                return TypeError(f"{function}(): argument '{name}' (position {place + 1}) must be Tensor, not {type_name(value)}")
        name, value = next((n, v) for i, (n, v) in enumerate(arguments.items()) if i > 2 and not _whole(v))
        kind = "int" if name == "groups" else "tuple of ints"
        return TypeError(f"{function}(): argument '{name}' must be {kind}, not {type_name(value)}")
    return TypeError(
        f"{function}() received an invalid combination of arguments - got ({', '.join(given)}), but expected one of:\n"
        + _FORMS[False]
    )


def _ints(value, n, name):
    """A number or numbers, one for each of n axes, as a tuple of n; raises RuntimeError."""
    if isinstance(value, (tuple, list)):
        if len(value) == 1:
            return (operator.index(value[0]),) * n
        if len(value) != n:
            raise RuntimeError(
                f"expected {name} to be a single integer value or a list of {n} values to match the convolution dimensions, "
                f"but got {name}={shape_text(value)}"
            )
        return tuple([operator.index(v) for v in value])
    return (operator.index(value),) * n


def _no_kernel_size(sizes):
    if len(sizes) == 3:
        return f"kernel size should be greater than zero, but got: {' x '.join(map(str, sizes))} (TxHxW)"
    height, width = (1, *sizes)[-2:]
    return f"kernel size should be greater than zero, but got kernel_height: {height} kernel_width: {width}"


def _check(x, shape, b, stride, padding, dilation, transposed, output_padding, groups):
    """Raise RuntimeError unless the shapes of x (N, C, ...), of the weights and of the bias, if any, and all numbers fit."""
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if any(p < 0 for p in padding):
        raise RuntimeError("negative padding is not supported")
    if any(p < 0 for p in output_padding):
        raise RuntimeError("negative output_padding is not supported")
    if any(s <= 0 for s in stride):
        raise RuntimeError("non-positive stride is not supported")
    if any(d <= 0 for d in dilation):
        raise RuntimeError("non-positive dilation is not supported")
    size = shape_text(shape)
    if len(shape) != len(x):
        raise RuntimeError(
            f"Expected {len(shape)}-dimensional input for {len(shape)}-dimensional weight {size}, but got "
            f"{len(x)}-dimensional input of size {shape_text(x)} instead"
        )
    if shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {size} instead"
        )
    if shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size "
            f"[{size}] instead"
        )
    if 0 in shape[2:]:
        raise RuntimeError(_no_kernel_size(shape[2:]))
    channels = shape[0] if transposed else shape[1] * groups
    given = f"transposed={int(transposed)}" if transposed else f"groups={groups}"
    if x[1] != channels:
        raise RuntimeError(
            f"Given {given}, weight of size {size}, expected input{shape_text(x)} to have {channels} channels, but got "
            f"{x[1]} channels instead"
        )
    filters = shape[1] * groups if transposed else shape[0]
    if b is not None and (len(b) != 1 or b[0] != filters):
        given = f"{given}, " if transposed else ""
        raise RuntimeError(
            f"Given {given}weight of size {size}, expected bias to be 1-dimensional with {filters} elements, but got bias of size "
            f"{shape_text(b)} instead"
        )
    if transposed:
        if any(o >= s and o >= d for o, s, d in zip(output_padding, stride, dilation)):
            raise RuntimeError(_too_much(output_padding, stride, dilation))
        space = transposed_space(x[2:], shape[2:], stride, padding, output_padding, dilation)
        if any(n < 1 for n in space):
            raise RuntimeError(
                f"Given input size per channel: ({_by(x[2:])}). Calculated output size per channel: ({_by(space)}). "
                "Output size is too small"
            )
        _check_space(x)
        return
    space = [n + 2 * p for n, p in zip(x[2:], padding)]
    extent = [d * (k - 1) + 1 for d, k in zip(dilation, shape[2:])]
    if any(k > n for k, n in zip(extent, space)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({_by(space)}). Kernel size: ({_by(extent)}). Kernel size can't be greater "
            "than actual input size"
        )
    _check_space(x)


def _check_space(x):
    """Raise RuntimeError for images (N, C, ...) without any points, unless there are none of them, or no channels."""
    if 0 in x[2:] and x[0] and x[1]:
        shown = (*x[:2], 1, *x[2:]) if len(x) == 3 else x
        raise RuntimeError(f"Only zero batch or zero channel inputs are supported, but got input shape: {shape_text(shown)}")


def _by(sizes):
    return " x ".join(map(str, sizes))


def _too_much(output_padding, stride, dilation):
    axes = ("depth", "height", "width")[-len(stride) :] if len(stride) > 1 else ("width",)
    numbers = []
    for name, values in (("output_padding", output_padding), ("stride", stride), ("dilation", dilation)):
        values = (1, *values) if len(stride) == 1 and name != "output_padding" else (0, *values) if len(stride) == 1 else values
        for axis, value in zip(("height", *axes) if len(stride) == 1 else axes, values):
            numbers.append(f"{name}_{axis}: {value}")
    return f"output padding must be smaller than either stride or dilation, but got {' '.join(numbers)}"


def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """Compute the general convolution: ``(N, C, ...)`` with ``(O, C / groups, ...)`` or, transposed, ``(C, O / groups, ...)``.

    All other convolutions are special cases of it. Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> x, w = minigrad.ones(1, 1, 3), minigrad.ones(1, 1, 2)
    >>> minigrad.convolution(x, w, None, [1], [0], [1], False, [0], 1)
    tensor([[[2., 2.]]])
    """
    n = weight.ndim - 2
    if n <= 0:
        raise RuntimeError("weight should have at least three dimensions")
    stride, padding = _ints(stride, n, "stride"), _ints(padding, n, "padding")
    dilation = _ints(dilation, n, "dilation")
    output_padding = _ints(output_padding, n, "output_padding")
    _check(input.shape, weight.shape, None if bias is None else bias.shape, stride, padding, dilation, transposed, output_padding, groups)
    return _convolution(input, weight, bias, stride, padding, dilation, bool(transposed), output_padding, groups)


def _batched(function, n, x):
    """``(x with an axis of images, whether it had none)``; raises RuntimeError."""
    if x.ndim == n + 2:
        return x, False
    if x.ndim != n + 1:
        raise RuntimeError(
            f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {function}, but got input of size: {shape_text(x.shape)}"
        )
    return x.unsqueeze(0), True


def _is_operands(input, weight, bias):
    return isinstance(input, Tensor) and isinstance(weight, Tensor) and (bias is None or isinstance(bias, Tensor))


def _conv(function, n, input, weight, bias, stride, padding, dilation, groups):
    if not _is_operands(input, weight, bias) or not (
        _whole(stride) and _whole(dilation) and _whole(groups) and (isinstance(padding, str) or _whole(padding))
    ):
        raise _wrong(function, {
            "input": input, "weight": weight, "bias": bias, "stride": stride, "padding": padding, "dilation": dilation, "groups": groups,
        })
    x, unbatched = _batched(function, n, input)
    if isinstance(padding, str) and bias is not None:
        bias = as_dtype(bias, input.dtype)  # of which PyTorch asks no dtype then
    if padding == "same":
        x, padding = _same(x, weight, _each(stride, n, weight.ndim - 2, "stride"), _each(dilation, n, weight.ndim - 2, "dilation"))
    shapes = x.shape, weight.shape, None if bias is None else bias.shape
    stride, padding, dilation = _geometry(*shapes, n, *map(_as_tuple, (stride, padding, dilation)), groups)
    z = _convolution(x, weight, bias, stride, padding, dilation, False, (0,) * len(stride), groups)
    return z.squeeze(0) if unbatched else z


def _as_tuple(value):
    return tuple(value) if value.__class__ is list else value


def _each(value, n, m, name):
    return _ints(value if isinstance(value, (tuple, list)) else (value,) * n, m, name)


@functools.lru_cache(256)
def _geometry(x, w, b, n, stride, padding, dilation, groups):
    """``(stride, padding, dilation)`` for each axis, given the shapes of the operands; raises RuntimeError if something does not fit."""
    m = len(w) - 2
    stride, dilation = _each(stride, n, m, "stride"), _each(dilation, n, m, "dilation")
    if isinstance(padding, str):
        if padding != "valid":
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        padding = (0,) * m
    padding = _each(padding, n, m, "padding")
    _check(x, w, b, stride, padding, dilation, False, (), groups)
    return stride, padding, dilation


@functools.lru_cache(256)
def _transposed_geometry(x, w, b, n, stride, padding, output_padding, dilation, groups):
    """``(stride, padding, output_padding, dilation)`` for each axis: as ``_geometry``."""
    names = ("stride", "padding", "output_padding", "dilation")
    numbers = [_each(v, n, len(w) - 2, name) for v, name in zip((stride, padding, output_padding, dilation), names)]
    stride, padding, output_padding, dilation = numbers
    _check(x, w, b, stride, padding, dilation, True, output_padding, groups)
    return numbers


def _same(x, w, stride, dilation):
    """``(x, padding)`` such that the result of a convolution with ``w`` is as large as x, which is padded where the sides differ."""
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    totals = [d * (k - 1) for d, k in zip(dilation, w.shape[2:])]
    if any(t % 2 for t in totals):
        warn_once(
            "padding='same'",
            "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be created",
            UserWarning,
        )
        pad = []
        for t in reversed(totals):
            pad += [0, t % 2]
        x = constant_pad_nd(x, pad)
    return x, tuple([t // 2 for t in totals])


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlate sequences with a kernel: ``(N, C, L)`` or ``(C, L)`` with ``(O, C / groups, K)``; ``padding`` may be "same" or "valid".

    Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.conv1d(minigrad.ones(1, 1, 4), minigrad.ones(1, 1, 3), padding="same")
    tensor([[[2., 3., 3., 2.]]])
    """
    return _conv("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlate images with a kernel: ``(N, C, H, W)`` or ``(C, H, W)`` with ``(O, C / groups, K, L)``; see ``conv1d``.

    >>> import minigrad
    >>> minigrad.conv2d(minigrad.ones(1, 1, 3, 3), minigrad.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
    return _conv("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlate volumes with a kernel: ``(N, C, D, H, W)`` or ``(C, D, H, W)`` with ``(O, C / groups, J, K, L)``; see ``conv1d``.

    >>> import minigrad
    >>> minigrad.conv3d(minigrad.ones(1, 1, 2, 2, 2), minigrad.ones(1, 1, 2, 2, 2)).flatten()
    tensor([8.])
    """
    return _conv("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


def _conv_transpose(function, n, input, weight, bias, stride, padding, output_padding, groups, dilation):
    arguments = {
        "input": input, "weight": weight, "bias": bias, "stride": stride, "padding": padding,
        "output_padding": output_padding, "groups": groups, "dilation": dilation,
    }
    values = list(arguments.values())
    if not _is_operands(input, weight, bias) or not all(map(_whole, values[3:])):
        raise _wrong(function, arguments)
    x, unbatched = _batched(function, n, input)
    shapes = x.shape, weight.shape, None if bias is None else bias.shape
    if x.numel() and weight.ndim == n + 2 and not weight.shape[1]:
        wanted = "5D" if n == 3 else "2D or 4D"
        raise RuntimeError(f"non-empty {wanted} weight tensor expected, but got: {shape_text(weight.shape)}")
    numbers = map(_as_tuple, (stride, padding, output_padding, dilation))
    stride, padding, output_padding, dilation = _transposed_geometry(*shapes, n, *numbers, groups)
    apart = bias is not None and bias.dtype is not x.dtype and n < 3 and x.dtype.np.kind == "f" and bias.is_floating_point()
    z = _convolution(x, weight, None if apart else bias, stride, padding, dilation, True, output_padding, groups)
    if apart: z += bias.reshape(-1, *[1] * n)  # what PyTorch's kernel does with it, whatever its dtype
    return z.squeeze(0) if unbatched else z


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Apply the transpose (the gradient) of ``conv1d`` to sequences: ``(N, C, L)`` with ``(C, O / groups, K)``.

    Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.conv_transpose1d(minigrad.ones(1, 1, 2), minigrad.ones(1, 1, 2))
    tensor([[[1., 2., 1.]]])
    """
    return _conv_transpose("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Apply the transpose of ``conv2d`` to images; see ``conv_transpose1d``.

    ``input`` is (N, C, H, W) or (C, H, W), ``weight`` (C, C_out
    groups, kH, kW).

    >>> import minigrad
    >>> minigrad.conv_transpose2d(minigrad.ones(1, 1, 1, 1), minigrad.ones(1, 1, 1, 2), stride=2)
    tensor([[[[1., 1.]]]])
    """
    return _conv_transpose("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Apply the transpose of ``conv3d`` to volumes; see ``conv_transpose1d``.

    ``input`` is (N, C, D, H, W) or (C, D, H, W), ``weight`` (C, C_out
    groups, kD, kH, kW).

    >>> import minigrad
    >>> minigrad.conv_transpose3d(minigrad.ones(1, 1, 1, 1, 1), minigrad.ones(1, 1, 1, 1, 2)).flatten()
    tensor([1., 1.])
    """
    return _conv_transpose("conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation)


# Time first --------------------------------------------------------------------------------------------------------------------


class ConvTbcBackward0(General):
    """z[t, n, o] = b[o] + Σ x[t + k - pad, n, c] w[k, c, o]: (T, N, C), (K, C, O), (O,) -> (T + 2 pad - K + 1, N, O)."""
    operands, names = "x w b", {"x": "self", "w": "weight", "b": "bias"}
    def batch(call, xs, batched, params, size):
        x, w, b = everywhere(xs, batched, size)
        numbers = (1,), params, (1,), False, (0,), 1
        z = ConvolutionBackward0.batch(_convolution, (x.permute(0, 2, 3, 1), w.permute(0, 3, 2, 1), b), (True,) * 3, numbers, size)
        return z.permute(0, 3, 1, 2)
    def forward(x, w, b, pad):
        z = kernels.conv(x.transpose(1, 2, 0), w.transpose(2, 1, 0), (1,), (pad,), (1,), 1)
        return arrays.contiguous(z.transpose(2, 0, 1) + b)
    def vjp_x(xp, g, w, pad, x_shape):
        back = convolve_back(xp, xp.permute_dims(g, (1, 2, 0)), xp.permute_dims(w, (2, 1, 0)), x_shape[:1], (1,), (pad,), (1,), 1)
        return xp.permute_dims(back, (2, 0, 1))
    def vjp_w(xp, g, x, pad, w_shape):
        of = xp.convolve_weight(xp.permute_dims(g, (1, 2, 0)), xp.permute_dims(x, (1, 2, 0)), w_shape[:1], (1,), (pad,), (1,), 1)
        return xp.permute_dims(of, (2, 1, 0))
    def vjp_b(xp, g, b_shape): return xp.sum_to(g, b_shape)
_conv_tbc = op(ConvTbcBackward0)


def conv_tbc(input, weight, bias, pad=0):
    """Cross-correlate sequences with time first: ``(T, N, C)`` with ``(K, C, O)`` and a bias ``(O,)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.conv_tbc(minigrad.ones(3, 1, 1), minigrad.ones(2, 1, 1), minigrad.zeros(1)).flatten()
    tensor([2., 2.])
    """
    pad = as_int(pad, "conv_tbc", "pad", 4)
    if input.ndim != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if weight.ndim != 3:
        raise RuntimeError("Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.")
    if bias.ndim != 1:
        raise RuntimeError("Bias must be 1-D")
    if input.shape[2] != weight.shape[1]:
        raise RuntimeError("Input dim 2 (input channels) is not == dim 1 in the weight tensor")
    if weight.shape[2] != bias.shape[0]:
        raise RuntimeError("Bias size must equal dim 2 in the weight tensor (output channels).")
    if input.dtype is not weight.dtype:
        names = [dtypes.scalar_type_name(x.dtype) for x in (input, weight)]
        raise RuntimeError("self and mat2 must have the same dtype, but got {} and {}".format(*names))
    if input.dtype is dtypes.bool_ and input.shape[0] + 2 * pad >= weight.shape[0]:
        raise NotImplementedError("\"addmm_impl_cpu_\" not implemented for 'Bool'")
    if input.shape[0] + 2 * pad - weight.shape[0] + 1 < 0:
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {input.shape[0] + 2 * pad - weight.shape[0] + 1}: "
            f"{shape_text((input.shape[0] + 2 * pad - weight.shape[0] + 1, input.shape[1], weight.shape[2]))}"
        )
    return _conv_tbc(input, weight, as_dtype(bias, input.dtype), pad)
