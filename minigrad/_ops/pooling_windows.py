"""What all pooling shares: windows over the last one to three axes, their arguments read and checked."""

import functools
import operator

import numpy as np

from .._arrays.kernels import pooling as kernels
from .._base.dtypes import dtype_name
from .._base.errors import shape_text, type_name
from .._core.tensor import Tensor

__all__ = []


def is_left_out(stride):
    """Whether windows are to be their own size apart: ``stride`` is None, or an empty sequence."""
    return stride is None or (isinstance(stride, (tuple, list)) and not stride)


def refuse(x, kernel, kinds):
    """Raise NotImplementedError for the kinds of dtypes that PyTorch's kernel does not know."""
    if x.dtype.kind in kinds and not (kernel.startswith("avg") and x.dtype.str[1:] == "i8"):
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype_name(x)}'")

_WORDS = {1: "one int", 2: "two ints", 3: "three ints"}
_AXES = {2: "HW", 3: "THW"}


def _numbers(value, n, message):
    """A number or numbers as a tuple of n; raises RuntimeError with the message."""
    if isinstance(value, (tuple, list)):
        if len(value) not in (1, n):
            raise RuntimeError(message)
        if value[0].__class__ is not int:
            _refuse_bool(value[0])
        value = tuple([operator.index(v) for v in value])
        return value * n if len(value) == 1 else value
    if value.__class__ is not int:
        _refuse_bool(value)
    return (operator.index(value),) * n


def _refuse_bool(value):
    """Raise TypeError for a truth value: it counts as an int in Python, but not in PyTorch."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"must be int, not {type_name(value)}")


def _window(function, n, kernel_size, stride, padding, dilation=1):
    """``(kernel, stride, padding, dilation)`` as tuples; a stride of () is the kernel's size."""
    single = "must be a single int" if function == "avg_pool3d" else "must either be a single int"
    omitted = "must be omitted, a single int" if function == "avg_pool3d" else "must either be omitted, a single int"
    kernel = _numbers(kernel_size, n, f"{function}: kernel_size {single}, or a tuple of {_WORDS[n]}")
    stride = () if is_left_out(stride) else stride
    if not isinstance(stride, tuple) or stride:
        stride = _numbers(stride, n, f"{function}: stride {omitted}, or a tuple of {_WORDS[n]}")
    padding = _numbers(padding, n, f"{function}: padding {single}, or a tuple of {_WORDS[n]}")
    dilation = _numbers(dilation, n, f"{function}: dilation must be either a single int, or a tuple of {_WORDS[n]}")
    for k, s, p, d in zip(kernel, stride or kernel, padding, dilation):
        if s == 0:
            raise RuntimeError("stride should not be zero")
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if p > max(0, (d * (k - 1) + 1) // 2):
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
        if 0 in shape[-4:]:
            name = "max_pool3d_with_indices_out_cpu_template" if function == "max_pool3d" else function
            raise RuntimeError(  # PyTorch names dimension 0 whichever it is
                f"{name}(): Expected input's non-batch dimensions to have positive length, but input has a shape of "
                f"{shape_text(shape)} and non-batch dimension 0 has length zero!"
            )
        if function == "avg_pool3d" and any(m < k for m, k in zip(space, kernel)):
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
        _refuse_bool(value)
        return operator.index(value)
    except TypeError:
        at = f", but found element of type {type_name(value)} at pos 0"
        raise TypeError(f"{function}(): argument '{name}' (position 2) must be tuple of ints{at}") from None


# Windows that divide the axes into a number of parts -----------------------------------------------------------------------------


def _parts(function, n, x, output_size):
    """The ``output_size`` as a tuple of n: None stands for the image's own."""
    if isinstance(output_size, (tuple, list)):
        if x.ndim <= len(output_size):
            raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
        output_size = [m if v is None else v for v, m in zip(output_size, x.shape[-len(output_size) :])]
        if len(output_size) != n:
            raise RuntimeError(
                f"{function}(): internal error: output_size.size() must be {n}" if "max" in function
                else f"{function}: output_size must be {n}"
            )
        return tuple([operator.index(m) for m in output_size])
    size = operator.index(output_size)
    if not -(2**63) <= size < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return (size,) * n


def _check_parts(function, n, x, out):
    colon = ":" if "max" in function else ""
    if x.ndim not in (n + 1, n + 2):
        raise RuntimeError(f"{function}(): Expected {n + 1}D or {n + 2}D tensor, but got{colon} {shape_text(x.shape)}")
    if "max" in function or set(out) != {1}:  # PyTorch takes one mean by another function
        for i in range(1 if "max" in function else x.ndim - n, x.ndim):
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
