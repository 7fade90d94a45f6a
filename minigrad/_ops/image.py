"""Images of other sizes (``interpolate``), sampled at points (``grid_sample``, ``affine_grid``), and pixels moved to channels."""

import math
import operator
import warnings

import numpy as np

from .._arrays.kernels import image as kernels
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import integer, shape_text, type_name
from .._core.families import General, Linear, op
from .._core.tensor import Tensor, wrap
from .avg_pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from .batches import folded, leading
from .join import _cat
from .padding import renamed

__all__ = [
    "affine_grid_generator", "channel_shuffle", "grid_sampler", "grid_sampler_2d", "grid_sampler_3d", "native_channel_shuffle",
    "pixel_shuffle", "pixel_unshuffle",
]


# Pixels and channels -----------------------------------------------------------------------------------------------------------


class PixelShuffleBackward0(Linear):
    """z: (..., C r r, H, W) -> (..., C, H r, W r)."""
    batch = leading()
    def forward(x, upscale_factor): return kernels.pixel_shuffle(x, upscale_factor)
    def vjp(xp, g, upscale_factor): return xp.unshuffle_pixels(g, upscale_factor)
_pixel_shuffle = shuffle_pixels = op(PixelShuffleBackward0)


class PixelUnshuffleBackward0(Linear):
    """z: (..., C, H r, W r) -> (..., C r r, H, W)."""
    batch = leading()
    def forward(x, downscale_factor): return kernels.pixel_unshuffle(x, downscale_factor)
    def vjp(xp, g, downscale_factor): return xp.shuffle_pixels(g, downscale_factor)
_pixel_unshuffle = unshuffle_pixels = op(PixelUnshuffleBackward0)


class ChannelShuffleBackward0(Linear):
    """z: (N, g c, ...) -> (N, c g, ...): the channels of the groups in turn."""
    batch = folded()
    def forward(x, groups):    return kernels.channel_shuffle(x, groups)
    def vjp(xp, g, groups):    return xp.shuffle_channels(g, g.shape[1] // groups) if g.shape[1] else g
_channel_shuffle = shuffle_channels = op(ChannelShuffleBackward0)


def _pixels(function, input, name, factor):
    if not isinstance(input, Tensor):
        raise TypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {type_name(input)}")
    if input.ndim < 3:
        raise RuntimeError(f"{function} expects input to have at least 3 dimensions, but got input with {input.ndim} dimension(s)")
    factor = operator.index(factor)
    if factor <= 0:
        raise RuntimeError(f"{function} expects a positive {name}, but got {factor}")
    return factor


def pixel_shuffle(input, upscale_factor):
    """Rearrange channels into pixels, ``(..., C * r * r, H, W) -> (..., C, H * r, W * r)``.

    Raises RuntimeError unless the channels are a multiple of the factor's square.

    >>> import minigrad
    >>> minigrad.pixel_shuffle(minigrad.arange(4.).reshape(4, 1, 1), 2)
    tensor([[[0., 1.],
             [2., 3.]]])
    """
    r = _pixels("pixel_shuffle", input, "upscale_factor", upscale_factor)
    if input.shape[-3] % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but "
            f"input.size(-3)={input.shape[-3]} is not divisible by {r * r}"
        )
    return _pixel_shuffle(input, r)


def pixel_unshuffle(input, downscale_factor):
    """Rearrange pixels into channels, ``(..., C, H * r, W * r) -> (..., C * r * r, H, W)``.

    Raises RuntimeError unless height and width are multiples of the factor.

    >>> import minigrad
    >>> minigrad.pixel_unshuffle(minigrad.arange(4.).reshape(1, 2, 2), 2).flatten()
    tensor([0., 1., 2., 3.])
    """
    r = _pixels("pixel_unshuffle", input, "downscale_factor", downscale_factor)
    for name, dim in (("height", -2), ("width", -1)):
        if input.shape[dim] % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({dim})={input.shape[dim]} is not "
                f"divisible by {r}"
            )
    return _pixel_unshuffle(input, r)


def channel_shuffle(input, groups):
    """Divide the channels of ``(N, C, ...)`` into ``groups`` groups, and interleave them: the first of each, the second of each, and so on.

    Raises RuntimeError unless the channels are a multiple of ``groups``.

    >>> import minigrad
    >>> minigrad.channel_shuffle(minigrad.arange(4.).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
    if input.ndim <= 2:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {shape_text(input.shape)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    if input.shape[1] % groups:
        raise RuntimeError(f"Number of channels must be divisible by groups. Got {input.shape[1]} channels and {groups} groups.")
    return _channel_shuffle(input, groups)


def native_channel_shuffle(input, groups):
    """The same as ``channel_shuffle``.

    >>> import minigrad
    >>> minigrad.native_channel_shuffle(minigrad.arange(4.).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
    return channel_shuffle(input, groups)


# Interpolation -----------------------------------------------------------------------------------------------------------------


class Upsample(Linear):
    """z = x in the size ``output_size``: each element a sum of weighted neighbours, axis by axis."""
    batch = folded()
    public, more_saved = "interpolate", "scales_d scales_h scales_w"
    def forward(x, output_size, align_corners, scales, mode, antialias):
        if x.dtype.kind not in "fV" and x.dtype.str[1:] != "u1":
            short = {"nearest": "nearest", "nearest-exact": "nearest"}.get(mode, mode)
            raise NotImplementedError(f"\"upsample_{short}{x.ndim - 2}d_channels_last\" not implemented for '{dtype_name(x)}'")
        return kernels.resample(x, output_size, align_corners, scales, mode, antialias)
    def vjp(xp, g, shape, align_corners, scales, mode, antialias):
        return xp.resample_backward(g, mode, tuple(shape[2:]), align_corners, scales, antialias)
    def saved(self, name):
        if name == "scales" or name in self.more_saved.split():
            scales = Linear.saved(self, "scales")
            return scales[0] if name == "scales" else scales["dhw"[-len(scales):].index(name[-1])]
        return Linear.saved(self, name)
    def event(operands, params):
        *_, mode, antialias = params
        exact = "_" if mode == "nearest-exact" or antialias else ""
        return f"{exact}upsample_{mode.replace('-', '_')}{operands[0].ndim - 2}d{'_aa' if antialias else ''}"
resample = op(Upsample)


_KINDS = {
    "nearest": ("Nearest{}D", (1, 2, 3)), "nearest-exact": ("NearestExact{}D", (1, 2, 3)), "linear": ("Linear{}D", (1,)),
    "bilinear": ("Bilinear{}D", (2,)), "bicubic": ("Bicubic{}D", (2,)), "trilinear": ("Trilinear{}D", (3,)),
}
_upsamplings = {
    (mode, n, False): renamed(Upsample, f"Upsample{name.format(n)}Backward0") for mode, (name, axes) in _KINDS.items() for n in axes
}
_upsamplings |= {
    (mode, 2, True): renamed(Upsample, f"Upsample{mode.capitalize()}2DAaBackward0") for mode in ("bilinear", "bicubic", "lanczos")
}


class UpsampleBackwardBackward0(Linear):
    """The adjoint of ``Upsample``; ``space`` is the size of its operand."""
    batch = folded()
    public = "interpolate_backward"
    def forward(x, mode, space, align_corners, scales, antialias):
        return kernels.resample_backward(x, mode, space, align_corners, scales, antialias)
    def vjp(xp, g, shape, mode, align_corners, scales, antialias):
        return xp.resample(g, tuple(shape[2:]), align_corners, scales, mode, antialias)
resample_backward = op(UpsampleBackwardBackward0)


_MODES = "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact"


def _whole(value):
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def interpolate(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False
):
    """Resize images ``(N, C, ...)`` of one to three spatial dimensions to ``size``, or by ``scale_factor``.

    ``mode`` is "nearest", "nearest-exact", "area", or by the number of dimensions "linear", "bilinear", "bicubic", "trilinear". With
    ``antialias`` ("bilinear", "bicubic", "lanczos") a smaller image is filtered. Raises ValueError for arguments that do not fit,
    NotImplementedError for other modes.

    >>> import minigrad
    >>> minigrad.nn.functional.interpolate(minigrad.tensor([[[1., 3.]]]), size=4, mode="linear")
    tensor([[[1.0000, 1.5000, 2.5000, 3.0000]]])
    """
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
            )
    elif align_corners is None:
        align_corners = False
    n = input.dim() - 2
    size, scales = _size_and_scales(input, n, size, scale_factor, mode, recompute_scale_factor)
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and input.ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    if size is not None and n in (1, 2, 3) and (mode == "area" or (mode, n, bool(antialias)) in _upsamplings):
        size = tuple([operator.index(m) for m in size])
    if mode == "area" and n in (1, 2, 3):
        return (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[n - 1](input, size)
    if (mode, n, bool(antialias)) not in _upsamplings:
        wanted = {"linear": 3, "bilinear": 4, "trilinear": 5}.get(mode)
        if wanted and n in (1, 2, 3):
            raise NotImplementedError(f"Got {input.dim()}D input, but {mode} mode needs {wanted}D input")
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the modes: {_MODES} (got {mode})"
        )
    if size is None and not all(isinstance(s, int | float | np.number) for s in scales):
        got = "Tensor, NoneType, " + ("bool, " if "linear" in mode or mode == "bicubic" else "") + "list"
        name = f"{'_' if mode == 'nearest-exact' else ''}upsample_{mode.replace('-', '_')}{n}d"
        raise TypeError(f"{name}() received an invalid combination of arguments - got ({got}), but expected one of:")
    if size is None:
        size = tuple([int(m * s) for m, s in zip(input.shape[2:], scales)])
        scales = tuple([float(s) for s in scales])
    else:
        scales = (None,) * n
    return _upsampled(input, size, scales, mode, bool(align_corners), bool(antialias))


def _size_and_scales(input, n, size, scale_factor, mode, recompute):
    """``(size, None)`` or ``(None, scales)``: one for each axis."""
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if isinstance(size, (list, tuple)):
            if len(size) != n:
                raise ValueError(
                    "Input and output must have the same number of spatial dimensions, but got input with spatial "
                    f"dimensions of {list(input.shape[2:])} and output size of {size}. The output size takes one number for "
                    "each of them: of an input (N, C, d1, ..., dK), K numbers."
                )
            if not all(map(_whole, size)):
                raise TypeError(
                    "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with types "
                    f"{[type(m) for m in size]}"
                )
        else:
            size = (size,) * n
        if recompute:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        return tuple(size), None
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if isinstance(scale_factor, (list, tuple)):
        if len(scale_factor) != n:
            raise ValueError(
                "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {list(input.shape[2:])} and scale_factor of shape {scale_factor}. There is one factor for "
                "each of them: of an input (N, C, d1, ..., dK), K numbers."
            )
        scales = tuple(scale_factor)
    else:
        scales = (scale_factor,) * n
    if mode == "area" or recompute:
        return tuple([math.floor(m * s) for m, s in zip(input.shape[2:], scales)]), None
    return None, scales


def _upsampled(x, size, scales, mode, align_corners, antialias):
    n = len(size)
    space = x.shape[2:]
    if min(*space, *size) <= 0:
        names = ("W",) if n == 1 else ("H", "W") if n == 2 else ("D", "H", "W")
        texts = [", ".join([f"{a}: {m}" for a, m in zip(names, sizes)]) for sizes in (space, size)]
        raise RuntimeError(f"Input and output sizes should be greater than 0, but got input ({texts[0]}){' and' * (n == 1)} output ({texts[1]})")
    if 0 in x.shape[1:]:
        raise RuntimeError(f"Non-empty {n + 2}D data tensor expected but got a tensor with sizes {shape_text(x.shape)}")
    return _upsamplings[mode, n, antialias](x, size, align_corners, scales, mode, antialias)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """A deprecated name for ``interpolate``.

    >>> import minigrad
    >>> minigrad.nn.functional.upsample(minigrad.tensor([[[1., 2.]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=level_of_user())
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """A deprecated form of ``interpolate`` with ``mode="nearest"``.

    >>> import minigrad
    >>> minigrad.nn.functional.upsample_nearest(minigrad.tensor([[[1., 2.]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    warnings.warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=level_of_user())
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """A deprecated form of ``interpolate`` with ``mode="bilinear", align_corners=True``.

    >>> import minigrad
    >>> minigrad.nn.functional.upsample_bilinear(minigrad.tensor([[[[1., 3.]]]]), size=(1, 3))
    tensor([[[[1., 2., 3.]]]])
    """
    warnings.warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=level_of_user())
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


# Points of a grid ----------------------------------------------------------------------------------------------------------------


class GridSampler2DBackward0(General):
    """z = the image x (N, C, ...) at the points y (N, ..., d), interpolated."""
    autocast = "full"
    batch = folded()
    operands, names, public = "x y", {"x": "input", "y": "grid"}, "grid_sampler_2d"
    def forward(x, y, interpolation_mode, padding_mode, align_corners):
        if x.dtype != y.dtype and x.dtype.kind in "fV": raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(y)}")
        if x.dtype.kind not in "fV":
            kernel = "grid_sampler_2d_cpu_kernel_impl" if x.ndim == 4 else "grid_sampler3d_cpu"
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype_name(x)}'")
        return kernels.grid_sample(x, y, interpolation_mode, padding_mode, align_corners)
    def vjp_x(xp, g, y, x_shape, interpolation_mode, padding_mode, align_corners):
        return _onto_image(g, y, tuple(x_shape[2:]), interpolation_mode, padding_mode, align_corners)
    def vjp_y(xp, g, x, y, interpolation_mode, padding_mode, align_corners):
        return _onto_grid(g, x, y, interpolation_mode, padding_mode, align_corners)
    def fused_x(g, y, x_shape, interpolation_mode, padding_mode, align_corners):
        return kernels.grid_sample_input(g, y, x_shape[2:], interpolation_mode, padding_mode, align_corners)
    fused_y = kernels.grid_sample_grid
_grid_sampler_2d = op(GridSampler2DBackward0)


class GridSampler3DBackward0(GridSampler2DBackward0):
    """The same over three axes."""
    public = "grid_sampler_3d"
    forward, vjp_x, vjp_y = GridSampler2DBackward0.forward, GridSampler2DBackward0.vjp_x, GridSampler2DBackward0.vjp_y
_grid_sampler_3d = op(GridSampler3DBackward0)


class Taps(General):
    """``kernels.taps``: the axes of space come first, then the taps."""
    operands, results, nondiff, public = "x", "places inside offset slope", (0, 1, 2, 3), "taps"
    def batch(call, xs, batched, params, size):
        zs = call(xs[0].flatten(0, 1), *params)
        return tuple([z.unflatten(d, (size, -1)).movedim(d, 0) for d, z in zip((2, 2, 1, 1), zs)])
    def forward(x, space, mode, padding, align_corners):
        return tuple(map(np.array, zip(*kernels.taps(x, space, mode, padding, align_corners))))
_all_taps = op(Taps)


def _taps(grid, space, mode, padding, align_corners):
    """``kernels.taps`` with the offsets as functions of the grid."""
    axes = []
    for k, (places, inside, offset, slope) in enumerate(zip(*_all_taps(grid, tuple(space), mode, padding, align_corners))):
        coordinate = grid[..., len(space) - 1 - k]
        axes.append((places, inside, offset + slope * (coordinate - coordinate.detach()), slope))
    return axes


def _product(factors):
    z = None
    for factor in factors:
        if factor is not None:
            z = factor if z is None else z * factor
    return z


def _masked(x, inside):
    return x * inside.unsqueeze(1)


def _seen(x, at, inside):
    """The elements of the image at flat places, nought where they are not inside."""
    n, c = x.shape[:2]
    flat = x.reshape(n, c, math.prod(x.shape[2:]))
    places = math.prod(at.shape[1:])
    index = at.reshape(n, 1, places).expand(n, c, places)
    return _masked(flat.gather(2, index).reshape(n, c, *at.shape[1:]), inside)


def _onto_image(g, grid, space, mode, padding, align_corners):
    """The adjoint of ``grid_sampler`` in the image, to any order."""
    axes = _taps(grid, space, mode, padding, align_corners)
    weights = [kernels.weights_of(mode, offset) for _, _, offset, _ in axes]
    n, c = g.shape[:2]
    z = wrap(np.zeros((n, c, math.prod(space)), g._array.dtype))
    count = math.prod(g.shape[2:])
    for numbers, at, inside in kernels.corners(axes, space):
        weight = _product([w[i] for w, i in zip(weights, numbers)])
        part = _masked(g if weight is None else g * weight.unsqueeze(1), inside)
        index = at.reshape(n, 1, count).expand(n, c, count)
        z = z.scatter_add(2, index, part.reshape(n, c, count))
    return z.reshape(n, c, *space)


def _onto_grid(g, x, grid, mode, padding, align_corners):
    """The gradient of ``grid_sampler`` to the grid, to any order."""
    d = x.ndim - 2
    if mode == kernels.NEAREST:
        return wrap(np.zeros(grid.shape, grid._array.dtype))
    axes = _taps(grid, x.shape[2:], mode, padding, align_corners)
    weights = [kernels.weights_of(mode, offset) for _, _, offset, _ in axes]
    slopes = [kernels.slopes_of(mode, offset) for _, _, offset, _ in axes]
    sums = [None] * d
    for numbers, at, inside in kernels.corners(axes, x.shape[2:]):
        seen = (_seen(x, at, inside) * g).sum(1)
        for axis in range(d):
            part = seen * _product([slopes[a][i] if a == axis else weights[a][i] for a, i in enumerate(numbers)])
            sums[axis] = part if sums[axis] is None else sums[axis] + part
    z = [(total * axes[axis][3]).unsqueeze(-1) for axis, total in enumerate(sums)]
    return _cat(tuple(z[::-1]), grid.ndim - 1)


@composite
def grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    """Sample images at points, as ``nn.functional.grid_sample`` does, with numbers for the modes.

    Bilinear is 0, nearest 1, bicubic 2; zeros 0, border 1, reflection 2. The shapes are those of ``grid_sample``.

    >>> import minigrad
    >>> x, grid = minigrad.tensor([[[[1., 3.]]]]), minigrad.zeros(1, 1, 1, 2)
    >>> minigrad.grid_sampler(x, grid, 0, 0, False)
    tensor([[[[2.]]]])
    """
    interpolation_mode = integer(interpolation_mode, "grid_sampler", "interpolation_mode", 3)
    padding_mode = integer(padding_mode, "grid_sampler", "padding_mode", 4)
    return _sampled(input, grid, interpolation_mode, padding_mode, align_corners)


def grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners):
    """Sample images ``(N, C, H, W)`` at points, as ``grid_sampler`` does.

    >>> import minigrad
    >>> minigrad.grid_sampler_2d(minigrad.ones(1, 1, 2, 2), minigrad.zeros(1, 1, 1, 2), 0, 0, True).flatten()
    tensor([1.])
    """
    return _sampled(input, grid, interpolation_mode, padding_mode, align_corners)


def grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners):
    """Sample volumes ``(N, C, D, H, W)`` at points, as ``grid_sampler`` does.

    >>> import minigrad
    >>> minigrad.grid_sampler_3d(minigrad.ones(1, 1, 2, 2, 2), minigrad.zeros(1, 1, 1, 1, 3), 0, 0, True).flatten()
    tensor([1.])
    """
    return _sampled(input, grid, interpolation_mode, padding_mode, align_corners)


def _sampled(input, grid, mode, padding, align_corners):
    sizes = f"input with sizes {shape_text(input.shape)} and grid with sizes {shape_text(grid.shape)}"
    if input.size(0) != grid.size(0):
        raise RuntimeError(f"grid_sampler(): expected grid and input to have same batch size, but got {sizes}")
    if grid.shape[-1] != input.ndim - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {input.ndim - 2} in last dimension, but got grid with sizes "
            f"{shape_text(grid.shape)}"
        )
    for i in range(2, input.ndim):
        if not input.shape[i]:
            raise RuntimeError(
                "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes "
                f"{shape_text(input.shape)} with dimension {i} being empty"
            )
    if input.ndim not in (4, 5) or input.ndim != grid.ndim:
        raise RuntimeError(f"grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got {sizes}")
    if input.ndim == 5 and mode == kernels.BICUBIC:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    return (_grid_sampler_2d if input.ndim == 4 else _grid_sampler_3d)(input, grid, mode, padding, bool(align_corners))


_CHANGED = (
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Say align_corners=False "
    "to keep this and silence the warning, align_corners=True for corner pixels that stay at the corners."
)


@composite("grid_sampler")
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Sample images ``(N, C, H, W)`` at the points ``(N, ..., 2)`` of ``grid``, or volumes ``(N, C, D, H, W)`` at ``(N, ..., 3)``: (x, y[,
    z]) in [-1, 1].

    ``mode`` is "bilinear", "nearest" or "bicubic"; ``padding_mode``, for points outside, is "zeros", "border" or "reflection". With
    ``align_corners``, -1 and 1 are the centers of the outermost pixels, else their outer edges. Raises ValueError for other modes,
    RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> x, grid = minigrad.tensor([[[[1., 3.]]]]), minigrad.tensor([[[[1., 0.]]]])
    >>> minigrad.nn.functional.grid_sample(x, grid, align_corners=True)
    tensor([[[[3.]]]])
    """
    modes = {"bilinear": 0, "nearest": 1, "bicubic": 2}
    paddings = {"zeros": 0, "border": 1, "reflection": 2}
    if mode not in modes:
        raise ValueError(f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'")
    if padding_mode not in paddings:
        raise ValueError(
            f"nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '{padding_mode}'"
        )
    if align_corners is None:
        warnings.warn(_CHANGED, stacklevel=level_of_user())
        align_corners = False
    return _sampled(input, grid, modes[mode], paddings[padding_mode], align_corners)


def maps_of_all(call, x, size, align_corners):
    """An op on affine maps of images of a size for a batch of those."""
    count = x.shape[0]
    return call(x.flatten(0, 1), (count * size[0], *size[1:]), align_corners).unflatten(0, (count, -1))


class AffineGridGeneratorBackward0(Linear):
    """z = the points of an even grid after the affine maps x: (N, d, d + 1) -> (N, *space, d)."""
    public = "affine_grid_generator"
    def batch(call, xs, batched, params, size): return maps_of_all(call, xs[0], *params)
    def forward(x, size, align_corners):
        return kernels.affine_grid(x, size, align_corners)
    def vjp(xp, g, size, align_corners): return xp.affine_grid_backward(g, size, align_corners)
_affine_grid = affine_grid_map = op(AffineGridGeneratorBackward0)


class AffineGridGeneratorBackwardBackward0(Linear):
    """The adjoint of ``affine_grid``."""
    public = "affine_grid_generator_backward"
    def batch(call, xs, batched, params, size): return maps_of_all(call, xs[0], *params)
    def forward(x, size, align_corners):    return kernels.affine_grid_backward(x, size, align_corners)
    def vjp(xp, g, size, align_corners):    return xp.affine_grid_map(g, size, align_corners)
affine_grid_backward = op(AffineGridGeneratorBackwardBackward0)


def affine_grid_generator(theta, size, align_corners):
    """The same as ``nn.functional.affine_grid``.

    >>> import minigrad
    >>> minigrad.affine_grid_generator(minigrad.eye(2, 3)[None], [1, 1, 1, 2], True).flatten()
    tensor([-1.,  0.,  1.,  0.])
    """
    n = len(size) - 2
    if n not in (2, 3):
        raise RuntimeError("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")
    if tuple(theta.shape[1:]) != (n, n + 1):
        raise RuntimeError(f"Expected a batch of {n}D affine matrices of shape Nx{n}x{n + 1} for size {shape_text(size)}. Got {shape_text(theta.shape)}.")
    size = tuple([operator.index(m) for m in size])
    if theta.shape[0] != size[0]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{size[0]}, {n + 1}] but got: [{theta.shape[0]}, {n + 1}]."
        )
    return _affine_grid(theta, size, bool(align_corners))


def affine_grid(theta, size, align_corners=None):
    """Return the sampling points for images of ``size`` (N, C, ...) under the affine maps ``theta``: ``(N, 2, 3)`` or ``(N, 3, 4)``.

    Raises ValueError for maps that do not fit, NotImplementedError for other sizes.

    >>> import minigrad
    >>> minigrad.nn.functional.affine_grid(minigrad.eye(2, 3)[None], (1, 1, 1, 2), align_corners=False).flatten()
    tensor([-0.5000,  0.0000,  0.5000,  0.0000])
    """
    if align_corners is None:
        warnings.warn(_CHANGED, stacklevel=level_of_user())
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    n = len(size) - 2
    if n not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size "
            f"{size}."
        )
    if theta.dim() != 3 or theta.shape[-2:] != (n, n + 1):
        raise ValueError(
            f"Expected a batch of {n}D affine matrices of shape Nx{n}x{n + 1} for size {size}. Got {theta.shape}."
        )
    if align_corners and min(size[2:]) == 1:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. With one "
            "pixel along an axis, the first and last corner are the same: the grid has its centre there.",
            stacklevel=level_of_user(),
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return affine_grid_generator(theta, size, align_corners)
