"""Borders around images (``pad``), and images cut into overlapping blocks (``unfold``, ``fold``)."""

import operator

from .._arrays import vocabulary as arrays
from .._arrays.kernels import padding as padding_kernels
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import dim_out_of_range, shape_text, type_name
from .._core import interpret  # noqa: F401 (interpret: the slow path, which ops need as well)
from .._core.families import Linear, op
from .._core.tensor import Tensor
from .batches import folded, leading
from .convert import as_number

__all__ = ["constant_pad_nd"]


# Constants -------------------------------------------------------------------------------------------------------------------


class ConstantPadNdBackward0(Linear):
    """z = x with a number around its last axes; negative widths cut off, which the gradient pads with zeros."""
    batch = leading()
    def forward(x, pad, value): return arrays.constant_pad(x, pad, value)
    def vjp(xp, g, pad):        return xp.constant_pad(g, tuple([-n for n in pad]), 0)
    def jvp(xp, t, pad):        return xp.constant_pad(t, pad, 0)
    @property
    def _saved_pad(self):       return tuple([n % 2**64 for n in self.saved("pad")])
constant_pad = op(ConstantPadNdBackward0)


def constant_pad_nd(input, pad, value=0):
    """Pad ``input`` with ``value``: ``pad`` is (before, after) for the last dimension, then for the one before it, and so on.

    Negative widths crop. Raises RuntimeError for widths that do not fit.

    >>> import minigrad
    >>> minigrad.constant_pad_nd(minigrad.ones(2), (1, 0), 5.)
    tensor([5., 1., 1.])
    """
    pad = _widths(pad)
    if len(pad) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    if len(pad) > 2 * input.ndim:
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. Pad length is "
            f"{len(pad)} while the input has {input.ndim} dimensions."
        )
    for i in range(0, len(pad), 2):
        n, lo, hi = input.shape[-1 - i // 2], pad[i], pad[i + 1]
        if n + min(lo, 0) + min(hi, 0) < 0 or (lo < -n or hi < -n):
            raise RuntimeError("narrow(): length must be non-negative.")
        if n + lo + hi < 0:
            raise RuntimeError(
                f"The input size {n}, plus negative padding {lo} and {hi} resulted in a negative output size, which is invalid. "
                f"Check dimension {input.ndim - 1 - i // 2} of your input."
            )
    if value.__class__ is not float or input._array.dtype.kind in "iu":
        as_number(value, input._array.dtype)
    return constant_pad(input, pad, value)


def _widths(pad):
    if not isinstance(pad, tuple | list):
        raise TypeError(f"pad(): argument 'pad' (position 2) must be tuple of ints, not {type_name(pad)}")
    if pad and pad[0].__class__ is bool:
        raise TypeError("pad(): argument 'pad' (position 2) must be tuple of ints, but found element of type bool at pos 0")
    try:
        return tuple([operator.index(n) for n in pad])
    except TypeError:
        for place, n in enumerate(pad):
            if not hasattr(n, "__index__"):
                raise TypeError(
                    f"pad(): argument 'pad' failed to unpack the object at pos {place + 1} with error \"type must be tuple of ints,but "
                    f"got {type_name(n)}\""
                ) from None
        raise


# The image's own elements ------------------------------------------------------------------------------------------------------


class EdgePad(Linear):
    """z = x with its own elements around it; their gradients add up."""
    autocast = "full"
    batch = leading()
    public = "pad"
    def forward(x, padding, reflects):
        if x.dtype.kind == "b":
            name = f"{'reflection' if reflects else 'replication'}_pad{len(padding) // 2}d"
            raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")
        return arrays.edge_pad(x, padding, reflects)
    def vjp(xp, g, padding, reflects, shape):
        return xp.edge_pad_backward(g, padding, reflects, tuple(shape[-(len(padding) // 2):]))
    @property
    def _saved_padding(self): return tuple([n % 2**64 for n in self.saved("padding")])
edge_pad = op(EdgePad)


def renamed(cls, name):
    """The function of a copy of an op class whose node has another name."""
    body = {"forward": cls.forward, "vjp": cls.vjp, "__doc__": cls.__doc__, "__module__": cls.__module__}
    return op(type(cls)(name, (cls,), body))


_edge_pads = {
    (reflects, n): renamed(EdgePad, f"{'Reflection' if reflects else 'Replication'}Pad{n}DBackward0")
    for reflects in (True, False)
    for n in (1, 2, 3)
}


class EdgePadBackwardBackward(Linear):
    """The adjoint of a padding with the image's own elements."""
    batch = leading()
    public = "pad_backward"
    def forward(x, padding, reflects, space): return arrays.edge_pad_backward(x, padding, reflects, space)
    def vjp(xp, g, padding, reflects):        return xp.edge_pad(g, padding, reflects)
edge_pad_backward = op(EdgePadBackwardBackward)


def _check_edges(x, pad, reflects):
    n = len(pad) // 2
    shape = x.shape
    if any(m == 0 for m in shape[-n - 1 :]) or (x.ndim == n + 1 and not shape[0]):
        raise RuntimeError(
            f"Expected {n + 1}D or {n + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {shape_text(shape)}"
        )
    space = shape[-n:]
    sizes = [m + lo + hi for m, (lo, hi) in zip(space, padding_kernels.pairs(pad))]
    if reflects:
        for i in range(n):
            lo, hi, m = pad[2 * i], pad[2 * i + 1], shape[-1 - i]
            if lo >= m or hi >= m:
                raise RuntimeError(
                    f"Argument #{4 + 2 * i}: Padding size should be less than the corresponding input dimension, but got: padding "
                    f"({lo}, {hi}) at dimension {x.ndim - 1 - i} of input {shape_text(shape)}"
                )
    if any(m < 1 for m in sizes):
        raise RuntimeError(f"input ({_named_sizes(space, reflects)}) is too small. Calculated output {_calculated(sizes)}")


def _named_sizes(sizes, reflects):
    letters = "DHW"[-len(sizes) :]
    if len(sizes) == 3:
        return f"D: {sizes[0]} H: {sizes[1]}, W: {sizes[2]}"
    end = " " if len(sizes) == 2 and not reflects else ""
    return ", ".join([f"{a}: {n}" for a, n in zip(letters, sizes)]) + end


def _calculated(sizes):
    return " ".join([f"{a}: {n}" for a, n in zip("DHW"[-len(sizes) :], sizes)])


def _circular(x, pad):
    """x with what is at its other end around it: copies into a new tensor, as in PyTorch."""
    n = len(pad) // 2
    around = padding_kernels.pairs(pad)
    lead = x.ndim - n
    size = list(x.shape)
    for axis, (lo, hi) in enumerate(around, lead):
        if lo > size[axis] or hi > size[axis]:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        size[axis] += lo + hi
        if size[axis] < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
    z = x.new_empty(size)
    target, source = z, x
    for axis, (lo, hi) in enumerate(around, lead):
        source = source.narrow(axis, max(-lo, 0), x.shape[axis] - max(-lo, 0) - max(-hi, 0))
        target = target.narrow(axis, max(lo, 0), size[axis] - max(lo, 0) - max(hi, 0))
    target.copy_(source)
    for axis, (lo, hi) in reversed(list(enumerate(around, lead))):
        end = size[axis] - max(hi, 0)
        if lo > 0:
            z.narrow(axis, 0, lo).copy_(z.narrow(axis, end - lo, lo))
        if hi > 0:
            z.narrow(axis, end, hi).copy_(z.narrow(axis, max(lo, 0), hi))
    return z


@composite
def pad(input, pad, mode="constant", value=None):
    """Pad ``input``: ``pad`` is (before, after) for the last dimension, then for the one before it, and so on.

    ``mode`` is "constant" (``value``, 0 by default), or for the last one to three dimensions of (N, C, ...) or (C, ...) "reflect",
    "replicate" or "circular". Negative widths crop. Raises RuntimeError for widths that do not fit, NotImplementedError for other modes.

    >>> import minigrad
    >>> minigrad.nn.functional.pad(minigrad.tensor([[1., 2., 3.]]), (2, 1), "reflect")
    tensor([[3., 2., 1., 2., 3., 2.]])
    """
    if not isinstance(input, Tensor):
        raise TypeError(f"pad(): argument 'input' (position 1) must be Tensor, not {type_name(input)}")
    widths = _widths(pad)
    if isinstance(mode, str) and mode not in ("constant", "reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if len(widths) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(widths) > 2 * input.ndim:
        raise RuntimeError(
            f"Padding length should be less than or equal to two times the input dimension but got padding length {len(widths)} and "
            f"input of dimension {input.ndim}"
        )
    if mode == "constant":
        return constant_pad_nd(input, widths, 0 if value is None else value)
    if value is not None and value != 0:
        raise RuntimeError(f"Padding mode \"{mode}\" doesn't take in value argument")
    n = len(widths) // 2
    if n not in (1, 2, 3) or input.ndim not in (n + 1, n + 2):
        raise NotImplementedError(
            f"Padding size {len(widths)} is not supported for {input.ndim}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    if mode == "circular":
        return _circular(input, widths)
    reflects = mode == "reflect"
    _check_edges(input, widths, reflects)
    return _edge_pads[reflects, n](input, widths, reflects)


# Blocks ------------------------------------------------------------------------------------------------------------------------


class Im2ColBackward0(Linear):
    """z = the blocks of images as columns: (N, C, H, W) -> (N, C k l, blocks)."""
    batch = folded(4)
    public = "unfold"
    def forward(x, kernel_size, dilation, padding, stride):
        if x.dtype.kind in "iu": raise NotImplementedError(f"\"im2col_out_cpu\" not implemented for '{dtype_name(x)}'")
        return arrays.im2col(x, kernel_size, dilation, padding, stride)
    def vjp(xp, g, shape, kernel_size, dilation, padding, stride):
        return xp.col2im(g, tuple(shape[-2:]), kernel_size, dilation, padding, stride)
    @property
    def _saved_self_sym_argsize_minus_1(self): return self.shapes[-1]
    @property
    def _saved_self_sym_argsize_minus_2(self): return self.shapes[-2]
    event = "im2col"
im2col = op(Im2ColBackward0)


class Col2ImBackward0(Linear):
    """z = images with the columns added in their places: (N, C k l, blocks) -> (N, C, H, W)."""
    batch = folded(3)
    public = "fold"
    def forward(x, output_size, kernel_size, dilation, padding, stride):
        if x.dtype.kind in "iu": raise NotImplementedError(f"\"col2im_out_cpu\" not implemented for '{dtype_name(x)}'")
        return arrays.col2im(x, output_size, kernel_size, dilation, padding, stride)
    def vjp(xp, g, kernel_size, dilation, padding, stride):
        return xp.im2col(g, kernel_size, dilation, padding, stride)
    event = "col2im"
col2im = op(Col2ImBackward0)


def _pair(value, name):
    if isinstance(value, (tuple, list)):
        if len(value) != 2:
            raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(value)}")
        return tuple([operator.index(n) for n in value])
    return (operator.index(value),) * 2


def _block_arguments(kernel_size, dilation, padding, stride):
    kernel, dilation = _pair(kernel_size, "kernel_size"), _pair(dilation, "dilation")
    padding, stride = _pair(padding, "padding"), _pair(stride, "stride")
    for name, short, values in (("kernel size", "kernel", kernel), ("stride", "stride", stride), ("dilation", "dilation", dilation)):
        if min(values) < 1:
            raise RuntimeError(
                f"{name} should be greater than zero, but got {short}_height: {values[0]} {short}_width: {values[1]}"
            )
    if min(padding) < 0:
        raise RuntimeError(f"padding should be non-negative, but got pad_height: {padding[0]} pad_width: {padding[1]}")
    return kernel, dilation, padding, stride


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Extract the windows of images as columns: ``(N, C, H, W) -> (N, C * k * l, blocks)``, or without ``N``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.unfold(minigrad.arange(4.).reshape(1, 1, 2, 2), (1, 2))
    tensor([[[0., 2.],
             [1., 3.]]])
    """
    kernel, dilation, padding, stride = _block_arguments(kernel_size, dilation, padding, stride)
    shape = input.shape
    if input.ndim == 1 or (input.ndim == 2 and 0 not in shape):
        raise dim_out_of_range(input.ndim, input.ndim)
    if input.ndim not in (3, 4) or 0 in shape[1:] or (input.ndim == 3 and not shape[0]):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: "
            f"{shape_text(shape)}"
        )
    blocks = _count(shape[-2:], kernel, dilation, padding, stride)
    if min(blocks) < 1:
        raise RuntimeError(
            f"Given input with spatial size {tuple(shape[-2:])}, kernel_size={kernel}, dilation={dilation}, padding={padding}, "
            f"calculated shape of the array of sliding blocks as {blocks}, but its components must be at least one."
        )
    return im2col(input, kernel, dilation, padding, stride)


def _count(space, kernel, dilation, padding, stride):
    return tuple([
        (n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, d, p, s in zip(space, kernel, dilation, padding, stride)
    ])


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Sum columns into images at their windows, the adjoint of ``unfold``: ``(N, C * k * l, blocks) -> (N, C, H, W)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.fold(minigrad.ones(1, 2, 2), (1, 3), (1, 2)).flatten()
    tensor([1., 2., 1.])
    """
    kernel, dilation, padding, stride = _block_arguments(kernel_size, dilation, padding, stride)
    size = _pair(output_size, "output_size")
    shape = input.shape
    if input.ndim not in (2, 3) or 0 in shape[1:] or (input.ndim == 2 and not shape[0]):
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: "
            f"{shape_text(shape)}"
        )
    if shape[-2] % (kernel[0] * kernel[1]):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)="
            f"{shape[-2]} and kernel_size={kernel}."
        )
    blocks = _count(size, kernel, dilation, padding, stride)
    given = f"Given output_size={size}, kernel_size={kernel}, dilation={dilation}, padding={padding}, stride={stride}, expected "
    if shape[-1] != blocks[0] * blocks[1]:
        raise RuntimeError(
            f"{given}size of input's dimension 2 to match the calculated number of sliding blocks {blocks[0]} * {blocks[1]} = "
            f"{blocks[0] * blocks[1]}, but got input.size(2)={shape[-1]}."
        )
    if min(blocks) < 1:
        raise RuntimeError(
            f"{given}size of input's dimension 2 to match the calculated number of sliding blocks {blocks[0]} * {blocks[1]} = "
            f"{blocks[0] * blocks[1]}, but got input.size(2)={shape[-1]}."
        )
    return col2im(input, size, kernel, dilation, padding, stride)
