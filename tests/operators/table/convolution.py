"""Convolution, pooling, padding and images, random calls: values and derivatives, and the same as PyTorch."""

import math

import numpy as np
import pytest

from tests.operators.calls import Given, Row

F = "nn.functional"


# Convolution ----------------------------------------------------------------------------------------------------------


def by_axis(numbers, dims):
    """A number for each axis, of which one number or a tuple of one may be given."""
    numbers = numbers if isinstance(numbers, (tuple, list)) else (numbers,)
    return tuple(numbers) * dims if len(numbers) == 1 else tuple(numbers)


def convolution(dims, transposed=False):
    """A batch (or one example) of channels, kernels in groups, a bias or none, and how the kernels are moved."""

    def arguments(s):
        groups, each = s.size(1, 2), s.flag()
        moves = {
            name: tuple(s.size(low, low + 1) for _ in range(dims if each else 1))
            for name, low in (("stride", 1), ("dilation", 1), ("padding", 0))
        }
        stride, dilation, padding = (by_axis(m, dims) for m in moves.values())
        cin, cout = groups * s.size(1, 2), groups * s.size(1, 2)
        kernel = s.shape(dims, dims, 1, 3 - (dims > 1))
        lengths = [
            d * (k - 1) + 1 + s.size(2 * p * transposed, 2) for k, d, p in zip(kernel, dilation, padding)
        ]
        x = s.floats(*(s.size(0, 2),) * s.flag(), cin, *lengths, low=-1, high=1)
        w = s.floats(
            *((cin, cout // groups) if transposed else (cout, cin // groups)), *kernel, low=-1, high=1
        )
        b = s.floats(cout) if s.flag() else None
        moves = {name: value if each else value[0] for name, value in moves.items()} | {"groups": groups}
        if transposed:
            moves["output_padding"] = s.size(0, min(max(pair) - 1 for pair in zip(stride, dilation)))
        return x, w, b, moves

    return arguments


def steps(place, lengths, stride, dilation):
    """What one place of the kernel meets: the key of a part of the image."""
    return [slice(d * p, d * p + m * (n - 1) + 1, m) for p, n, m, d in zip(place, lengths, stride, dilation)]


def convolved(x, w, b=None, stride=1, padding=0, dilation=1, groups=1):
    """A convolution, one place of the kernel after the other."""
    dims = w.ndim - 2
    if x.ndim == dims + 1:
        return convolved(x[None], w, b, stride, padding, dilation, groups)[0]
    stride, padding, dilation = (by_axis(m, dims) for m in (stride, padding, dilation))
    x = np.pad(x, [(0, 0)] * 2 + [(p, p) for p in padding])
    lengths = [
        (n - d * (k - 1) - 1) // m + 1 for n, k, m, d in zip(x.shape[2:], w.shape[2:], stride, dilation)
    ]
    out = np.zeros((len(x), len(w), *lengths), np.result_type(x, w))
    for place in np.ndindex(w.shape[2:]):
        seen = x[(..., *steps(place, lengths, stride, dilation))]
        for xs, ws, zs in zip(
            *(np.split(a, groups, axis) for a, axis in ((seen, 1), (w[(..., *place)], 0), (out, 1)))
        ):
            zs += np.einsum("nc...,oc->no...", xs, ws)
    return out if b is None else out + b.reshape(-1, *[1] * dims)


def spread_out(x, w, b=None, stride=1, padding=0, dilation=1, groups=1, output_padding=0):
    """A transposed convolution: each element of ``x`` adds a kernel to the result."""
    dims = w.ndim - 2
    if x.ndim == dims + 1:
        return spread_out(x[None], w, b, stride, padding, dilation, groups, output_padding)[0]
    stride, padding, dilation = (by_axis(m, dims) for m in (stride, padding, dilation))
    lengths = [
        (n - 1) * m + d * (k - 1) + 1 + output_padding
        for n, k, m, d in zip(x.shape[2:], w.shape[2:], stride, dilation)
    ]
    out = np.zeros((len(x), w.shape[1] * groups, *lengths), np.result_type(x, w))
    for place in np.ndindex(w.shape[2:]):
        key = steps(place, x.shape[2:], stride, dilation)
        for xs, ws, zs in zip(
            *(np.split(a, groups, axis) for a, axis in ((x, 1), (w[(..., *place)], 0), (out, 1)))
        ):
            zs[(..., *key)] += np.einsum("nc...,co->no...", xs, ws)
    out = out[(..., *[slice(p, n - p) for p, n in zip(padding, lengths)])]
    return out if b is None else out + b.reshape(-1, *[1] * dims)


def over_time(s):
    cin, cout, k = s.size(1, 2), s.size(1, 2), s.size(1, 2)
    s = s.dense()
    return s.floats(k + s.size(0, 2), s.size(0, 2), cin), s.floats(k, cin, cout), s.floats(cout), s.size(0, 1)


def convolved_over_time(x, w, b, pad):
    x, w = x.transpose(1, 2, 0), w.transpose(2, 1, 0)
    return convolved(x, w, b, padding=pad).transpose(2, 0, 1)


def in_full(s):
    """The arguments of ``convolution``, all of which are positional."""
    x, w, b, moves = convolution(2)(s)
    if len(x.shape) == 3:
        x = s.floats(1, *x.shape)
    two = [list(by_axis(moves[name], 2)) for name in ("stride", "padding", "dilation")]
    return x, w, b, *two, False, [0, 0], moves["groups"]


def convolved_in_full(x, w, b, stride, padding, dilation, transposed, output_padding, groups):
    return convolved(x, w, b, stride, padding, dilation, groups)


# Pooling --------------------------------------------------------------------------------------------------------------


def images(s, dims, least=1, most=5, batch=None):
    lengths = s.shape(dims, dims, least, most if dims < 3 else min(most, least + 1))
    batch = (s.flag() or dims == 3) if batch is None else batch
    return s.floats(*(s.size(0, 2),) * batch, s.size(1, 2), *lengths)


def pooling(dims, dilated=False, **more):
    """Channels, and windows within them."""

    def arguments(s):
        each = dims > 1 and s.flag()

        def numbers(low, high):
            return tuple(s.size(low, high) for _ in range(dims)) if each else s.size(low, high)

        kernel, dilation = numbers(1, 3 - (dims > 2)), numbers(1, 2) if dilated else 1
        reach = max(d * (k - 1) + 1 for k, d in zip(by_axis(kernel, dims), by_axis(dilation, dims)))
        x = images(s, dims, reach, reach + 2)
        padding = tuple(s.size(0, k // 2) for k in kernel) if each else s.size(0, kernel // 2)
        window = {"stride": s.one_of(None, numbers(1, 2)), "padding": padding, "ceil_mode": s.flag()}
        if dilated:
            window["dilation"] = dilation
        return x, kernel, {**window, **{name: s.one_of(*choices) for name, choices in more.items()}}

    return arguments


def windows(n, kernel, stride, padding, dilation, ceil_mode):
    """For each place of a result, the places in a dimension of length ``n`` padded at both ends that a window covers."""
    reach = n + 2 * padding - dilation * (kernel - 1) - 1
    count = (-(-reach // stride) if ceil_mode else reach // stride) + 1
    if ceil_mode and (count - 1) * stride >= n + padding:
        count -= 1
    return [[k * stride - padding + dilation * j for j in range(kernel)] for k in range(count)]


def pooled(reduce):
    """The reference of a pooling of windows of cells; ``reduce(cells, size, **options)``: ``size`` counts padding."""

    def reference(x, kernel, stride=None, padding=0, ceil_mode=False, dilation=1, dims=None, **options):
        dims = options.pop("over", None) or dims
        stride, *rest = (by_axis(m, dims) for m in (stride or kernel, kernel, padding, dilation))
        along = [windows(n, k, m, p, d, ceil_mode) for n, m, k, p, d in zip(x.shape[-dims:], stride, *rest)]
        out = np.empty((*x.shape[:-dims], *map(len, along)))
        for place in np.ndindex(out.shape[-dims:]):
            covered = [a[p] for a, p in zip(along, place)]
            inside = [[i for i in c if 0 <= i < n] for c, n in zip(covered, x.shape[-dims:])]
            size = math.prod(sum(i < n + p for i in c) for c, n, p in zip(covered, x.shape[-dims:], rest[1]))
            cells = x[(..., *np.ix_(*inside))].reshape(*x.shape[:-dims], math.prod(map(len, inside)))
            out[(..., *place)] = reduce(cells, size, **options)
        return out

    return lambda dims: lambda x, kernel, **window: reference(x, kernel, over=dims, **window)


def mean_of(cells, size, count_include_pad=True, divisor_override=None):
    return cells.sum(-1) / (divisor_override or (size if count_include_pad else cells.shape[-1]))


max_pooled = pooled(lambda cells, size: cells.max(-1))
avg_pooled = pooled(mean_of)


def lp(dims):
    def arguments(s):
        kernel = s.size(1, 2)
        x = images(s, dims, kernel, kernel + 2)
        return (
            s.given(np.abs(x.array) + np.asarray(0.5, x.dtype)),
            s.one_of(1, 2, 3),
            kernel,
            {"ceil_mode": s.flag()},
        )

    return arguments


def lp_pooled(dims):
    def reference(x, p, kernel, ceil_mode):
        # PyTorch scales the mean of the cells, windows cut off by the border included
        mean = avg_pooled(dims)(x**p, kernel, ceil_mode=ceil_mode)
        return (mean * kernel**dims) ** (1 / p)

    return reference


def adaptive(dims):
    def arguments(s):
        return images(s, dims, 1, 5), s.shape(dims, dims, 1, 3)

    return arguments


def adaptively(function):
    def reference(x, sizes):
        out = np.empty((*x.shape[: -len(sizes)], *sizes))
        for place in np.ndindex(sizes):
            key = [
                slice(p * n // k, -(-(p + 1) * n // k))
                for p, n, k in zip(place, x.shape[-len(sizes) :], sizes)
            ]
            part = x[(..., *key)]
            out[(..., *place)] = function(part, tuple(range(-len(sizes), 0)))
        return out

    return reference


def fractional(dims):
    def arguments(s):
        batch, channels = s.size(1, 2), s.size(1, 2)
        x = s.floats(batch, channels, *s.shape(dims, dims, 4, 5))
        samples = Given(
            s.rng.random((batch, channels, dims)).astype(
                x.dtype if np.dtype(x.dtype).kind == "f" else "float32"
            )
        )
        return x, 2, {"output_size": [s.size(1, 2)] * dims, "_random_samples": samples}

    return arguments


def unpooling(dims):
    """What a max pooling gives back: values, and places that are all different."""

    def arguments(s):
        lengths = [2 * s.size(1, 2) for _ in range(dims)]
        channels = s.size(1, 2)
        indices = np.stack(
            [np.array(s.order(math.prod(lengths))[: math.prod(lengths) // 2**dims]) for _ in range(channels)]
        )
        halves = [n // 2 for n in lengths]
        return (
            s.floats(1, channels, *halves),
            Given(indices.reshape(1, channels, *halves).astype(np.int64)),
            2,
        )

    return arguments


def unpooled(x, indices, kernel):
    dims = x.ndim - 2
    lengths = [2 * n for n in x.shape[2:]]
    out = np.zeros((*x.shape[:2], math.prod(lengths)), x.dtype)
    np.put_along_axis(out, indices.reshape(*x.shape[:2], -1), x.reshape(*x.shape[:2], -1), 2)
    return out.reshape(*x.shape[:2], *lengths) if dims else out


# Padding --------------------------------------------------------------------------------------------------------------


def padding(s):
    """Each mode for the dims it knows; constants may cut off as well."""
    mode = s.one_of("constant", "reflect", "replicate", "circular")
    if mode == "constant":
        shape = s.shape(1, 3, low=2)
        return s.floats(*shape), [s.size(-1, 2) for _ in range(2 * s.size(0, len(shape)))], {"mode": mode}
    dims = s.size(1, 2)
    x = s.floats(s.size(1, 2), s.size(1, 2), *s.shape(dims, dims, 3, 4))
    return x, [s.size(0, 2) for _ in range(2 * dims)], {"mode": mode}


def padded(x, pad, mode="constant", value=0):
    pairs = [(0, 0)] * (x.ndim - len(pad) // 2) + list(zip(pad[::2], pad[1::2]))[::-1]
    out = np.pad(x, [(max(a, 0), max(b, 0)) for a, b in pairs],
                 {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode])  # fmt: skip
    return out[tuple(slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(pairs, out.shape))]


# Images ---------------------------------------------------------------------------------------------------------------


def interpolation(s):
    mode = s.one_of("nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear", "area")
    dims = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}.get(mode) or s.size(1, 3)
    x = images(s, dims, 1, 4, batch=True)
    arguments = {"mode": mode}
    if s.flag() or mode == "area":
        arguments["size"] = [s.size(1, 5) for _ in range(dims)]
    else:
        arguments["scale_factor"] = s.one_of(2.0, 1.5, 3.0)
    if mode in ("linear", "bilinear", "bicubic", "trilinear"):
        arguments["align_corners"] = s.flag()
    return x, arguments


def filtered(s):
    x = images(s, 2, 1, 6, batch=True)
    return x, {
        "size": [s.size(1, 7) for _ in range(2)],
        "mode": s.one_of("bilinear", "bicubic"),
        "antialias": True,
    }


def upsampling(mode):
    def arguments(s):
        return images(s, 2, 1, 3, batch=True), {"scale_factor": s.size(1, 3)} | (
            {"mode": mode} if mode else {}
        )

    return arguments


def sampling(s, dims=None, mode=None):
    """Images and where to look, some of it outside; not near the places between which the slope jumps."""
    dims = dims or s.size(2, 3)
    batch = s.size(0, 2)
    x = s.floats(batch, s.size(1, 2), *s.shape(dims, dims, 2, 3))
    grid = s.floats(batch, *s.shape(dims, dims, 1, 2), dims, low=-1.3, high=1.3)
    mode = mode or s.one_of("bilinear", "nearest")
    return (
        x,
        grid,
        {"mode": mode, "padding_mode": s.one_of("zeros", "border", "reflection"), "align_corners": s.flag()},
    )


def sampler(dims):
    def arguments(s):
        batch = s.size(1, 2)
        x = s.floats(batch, s.size(1, 2), *s.shape(dims, dims, 2, 3))
        return (
            x,
            s.floats(batch, *s.shape(dims, dims, 1, 2), dims, low=-1.3, high=1.3),
            0,
            s.size(0, 2),
            s.flag(),
        )

    return arguments


def affine(s):
    dims, batch = s.size(2, 3), s.size(1, 2)
    return s.floats(batch, dims, dims + 1), [batch, 1, *s.shape(dims, dims, 1, 3)], s.flag()


def shuffle(s):
    r = s.size(1, 2)
    return s.floats(*s.shape(0, 1), r * r * s.size(1, 2), s.size(1, 2), s.size(1, 2)), r


def shuffled(x, r):
    *rest, c, h, w = x.shape
    x = x.reshape(*rest, c // (r * r), r, r, h, w)
    n = len(rest)
    return x.transpose(*range(n), n, n + 3, n + 1, n + 4, n + 2).reshape(*rest, c // (r * r), h * r, w * r)


def unshuffle(s):
    r = s.size(1, 2)
    return s.floats(*s.shape(0, 1, low=1), s.size(1, 2), r * s.size(1, 2), r * s.size(1, 2)), r


def unshuffled(x, r):
    *rest, c, h, w = x.shape
    x = x.reshape(*rest, c, h // r, r, w // r, r)
    n = len(rest)
    return x.transpose(*range(n), n, n + 2, n + 4, n + 1, n + 3).reshape(*rest, c * r * r, h // r, w // r)


def channels(s):
    groups = s.size(1, 3)
    return s.floats(s.size(1, 2), groups * s.size(1, 2), *s.shape(1, 2, 1, 2)), groups


def shuffled_channels(x, groups):
    n, c, *rest = x.shape
    return x.reshape(n, groups, c // groups, *rest).swapaxes(1, 2).reshape(x.shape)


def blocks(s):
    kernel, stride, dilation, pad = s.size(1, 2), s.size(1, 2), s.size(1, 2), s.size(0, 1)
    lengths = [dilation * (kernel - 1) + 1 + s.size(0, 2) for _ in range(2)]
    x = s.floats(*(s.size(1, 2),) * s.flag(), s.size(1, 2), *lengths)
    return x, kernel, {"dilation": dilation, "padding": pad, "stride": stride}


def folding(s):
    """Columns of as many blocks as there are in the images to be."""
    kernel, stride, dilation, pad = s.size(1, 2), s.size(1, 2), s.size(1, 2), s.size(0, 1)
    lengths = [dilation * (kernel - 1) + 1 + s.size(0, 2) for _ in range(2)]
    count = math.prod((n + 2 * pad - dilation * (kernel - 1) - 1) // stride + 1 for n in lengths)
    x = s.floats(*(s.size(1, 2),) * s.flag(), s.size(1, 2) * kernel * kernel, count)
    return x, lengths, kernel, {"dilation": dilation, "padding": pad, "stride": stride}


ROOT = {"loose": 20, "dtypes": "d", "strides": False}
CONVOLVED = {**ROOT, "dtypes": "dc", "torch": "dc"}
APART = {**ROOT, "ties": False}

CONVOLUTIONS = [
    *[Row(f"{module}conv{n}d", convolution(n), convolved, **CONVOLVED) for module in ("", f"{F}.") for n in (1, 2, 3)],
    *[Row(f"{module}conv_transpose{n}d", convolution(n, True), spread_out, **CONVOLVED)
      for module in ("", f"{F}.") for n in (1, 2, 3)],
    Row("convolution", in_full, convolved_in_full, **{**CONVOLVED, "torch": "d"}),
    Row("conv_tbc", over_time, convolved_over_time, **ROOT, torch="d"),
    Row(f"{F}.conv_tbc", over_time, convolved_over_time, **ROOT, torch="d"),
]  # fmt: skip

POOLS = [
    *[Row(f"{F}.max_pool{n}d", pooling(n, True), max_pooled(n), **APART) for n in (1, 2, 3)],
    *[Row(f"max_pool{n}d", pooling(n, True), max_pooled(n), **APART) for n in (1, 2, 3)],
    *[Row(f"{F}.max_pool{n}d_with_indices", pooling(n, True), **APART) for n in (1, 2, 3)],
    Row("max_pool1d_with_indices", pooling(1, True), **APART),
    Row(f"{F}.avg_pool1d", pooling(1, count_include_pad=(True, False)), avg_pooled(1), **ROOT),
    Row("avg_pool1d", pooling(1, count_include_pad=(True, False)), avg_pooled(1), **ROOT),
    *[Row(f"{F}.avg_pool{n}d", pooling(n, count_include_pad=(True, False), divisor_override=(None, 3)), avg_pooled(n), **ROOT)
      for n in (2, 3)],
    *[Row(f"{F}.lp_pool{n}d", lp(n), lp_pooled(n), **ROOT) for n in (1, 2, 3)],
    *[Row(f"{F}.adaptive_avg_pool{n}d", adaptive(n), adaptively(np.mean), **ROOT, torch="f") for n in (1, 2, 3)],
    Row("adaptive_avg_pool1d", adaptive(1), adaptively(np.mean), **ROOT, torch="f"),
    *[Row(f"{F}.adaptive_max_pool{n}d", adaptive(n), adaptively(np.max), **APART) for n in (1, 2, 3)],
    *[Row(f"{F}.adaptive_max_pool{n}d_with_indices", adaptive(n), **APART) for n in (1, 2, 3)],
    Row("adaptive_max_pool1d", adaptive(1), **APART),
    *[Row(f"{F}.fractional_max_pool{n}d", fractional(n), **APART, torch="d") for n in (2, 3)],
    *[Row(f"{F}.fractional_max_pool{n}d_with_indices", fractional(n), **APART, torch="d") for n in (2, 3)],
    *[Row(f"{F}.max_unpool{n}d", unpooling(n), unpooled, **ROOT, torch="fi") for n in (1, 2, 3)],
]  # fmt: skip

IMAGES = [
    Row(f"{F}.pad", padding, padded, "fci", strides=False),
    Row("constant_pad_nd", lambda s: (s.floats(*s.shape(1, 3)), [s.size(0, 2), s.size(0, 2)], 0), lambda x, pad, v: padded(x, pad),
        "fcib", strides=False),
    Row(f"{F}.interpolate", interpolation, **ROOT, torch="f"),
    Row(f"{F}.interpolate antialias", filtered, **ROOT, torch="d"),
    Row(f"{F}.upsample", upsampling("nearest"), **ROOT),
    Row(f"{F}.upsample_nearest", upsampling(None), **ROOT),
    Row(f"{F}.upsample_bilinear", upsampling(None), **ROOT),
    Row(f"{F}.grid_sample", sampling, **ROOT, order=1),
    Row(f"{F}.grid_sample bicubic", lambda s: sampling(s, 2, "bicubic"), **ROOT, order=1),
    Row("grid_sampler", lambda s: sampler(2)(s), **ROOT, order=1),
    Row("grid_sampler_2d", sampler(2), **ROOT, order=1),
    Row("grid_sampler_3d", sampler(3), **ROOT, order=1),
    Row(f"{F}.affine_grid", affine, **ROOT),
    Row("affine_grid_generator", affine, **ROOT, torch="d"),
    *[Row(name, shuffle, shuffled, "fcib", strides=False) for name in ("pixel_shuffle", f"{F}.pixel_shuffle")],
    *[Row(name, unshuffle, unshuffled, "fcib", strides=False) for name in ("pixel_unshuffle", f"{F}.pixel_unshuffle")],
    *[Row(name, channels, shuffled_channels, "fcib", strides=False)
      for name in ("channel_shuffle", f"{F}.channel_shuffle")],
    *[Row(name, channels, shuffled_channels, "f", strides=False)
      for name in ("native_channel_shuffle", f"{F}.native_channel_shuffle")],
    Row(f"{F}.unfold", blocks, **ROOT),
    Row(f"{F}.fold", folding, **ROOT),
]  # fmt: skip

ROWS = CONVOLUTIONS + POOLS + IMAGES

MARKS = pytest.mark.filterwarnings(
    "ignore:.*deprecated", "ignore:Default grid_sample", "ignore:.*affine_grid"
)
