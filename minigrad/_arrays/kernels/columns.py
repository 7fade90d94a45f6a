"""Images brought into columns: what each place of a kernel sees, wherever it stands, as the rows of a matrix.

Convolutions are products of weights with them.  NumPy copies long runs of elements several times as fast as rows of an image.  Where a result is as wide as
its image, or wider, a place of the kernel sees the whole image, some elements on: one run, of which what stands beyond the ends of rows is set to zero afterwards.
"""

import math

import numpy as np

#: Fewer elements are copied as quickly in rows.
_FEW = 1 << 14


def padded(x, pads, value=0):
    """``x`` with ``value`` around its last axes, ``pads`` (before, after) each, of which negative ones cut off; itself if there are none."""
    if not any(lo or hi for lo, hi in pads):
        return x
    lead = x.ndim - len(pads)
    shape = (*x.shape[:lead], *[n + lo + hi for n, (lo, hi) in zip(x.shape[lead:], pads)])
    source, target = [slice(None)] * lead, [slice(None)] * lead
    for n, (lo, hi) in zip(x.shape[lead:], pads):
        source.append(slice(max(-lo, 0), max(n - max(-hi, 0), 0)))
        target.append(slice(max(lo, 0), max(n + lo + hi - max(hi, 0), 0)))
    if all(lo <= 0 and hi <= 0 for lo, hi in pads):
        return x[tuple(source)]
    z = np.full(shape, value, x.dtype) if value else np.zeros(shape, x.dtype)
    z[tuple(target)] = x[tuple(source)]
    return z


def windows(x, kernel, stride, dilation, out):
    """A view of ``x`` (N, C, ...) as (N, C, *kernel, *out): the places of the kernel, and where it may stand."""
    s = x.strides[2:]
    shape = (*x.shape[:2], *kernel, *out)
    strides = (*x.strides[:2], *[a * d for a, d in zip(s, dilation)], *[a * b for a, b in zip(s, stride)])
    return strided(x, shape, strides)


def _windows_of_rest(x, kernel, stride, dilation, out):
    """As ``windows`` for the axes of space after the first, which stays whole: (N, C, *kernel, rows, *out)."""
    s = x.strides[3:]
    shape = (*x.shape[:2], *kernel, x.shape[2], *out)
    strides = (
        *x.strides[:2],
        *[a * d for a, d in zip(s, dilation)],
        x.strides[2],
        *[a * b for a, b in zip(s, stride)],
    )
    return strided(x, shape, strides)


def strided(x, shape, strides):
    if x.flags.c_contiguous and x.size:
        return np.ndarray(shape, x.dtype, x, 0, strides)  # 0.3 us; as_strided takes 5
    return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=False)


def columns(x, begin, rows, kernel, stride, pads, dilation, out, whole, runs):
    """What ``rows`` rows of a result from ``begin`` on see of images: (N, C, *kernel, rows, *out[1:]), or a view of images that is like it.

    If ``whole`` is 1 the first axis is not unfolded: (N, C, *kernel[1:], rows and what is seen above and below, *out[1:]); ``runs`` says whether images are ``in_runs``.
    """
    if whole and runs:
        return _runs(x, begin, rows, kernel, pads, dilation, out[1:])
    size = (rows - 1) * stride[0] + dilation[0] * (kernel[0] - 1) + 1
    first, last, before, after = _part(begin * stride[0] - pads[0][0], size, x.shape[2])
    seen = padded(x[:, :, first:last], [(before, after), *pads[1:]])
    if whole:
        seen = _windows_of_rest(seen, kernel[1:], stride[1:], dilation[1:], out[1:])
    else:
        seen = windows(seen, kernel, stride, dilation, (rows, *out[1:]))
    return np.ascontiguousarray(seen)


def _part(start, size, length):
    """Of ``size`` rows from ``start`` on: the first and the end of those that are among ``length``, and how many there are before and after."""
    end = start + size
    return (
        max(min(start, length), 0),
        max(min(end, length), 0),
        min(max(-start, 0), size),
        min(max(end - length, 0), size),
    )


def in_runs(x, out, kernel, stride, pads, dilation):
    """Whether the result of images of shape ``x`` is as wide as they are, or wider, each place of the kernel sees all of their rows, and it pays to copy these in runs."""
    others = math.prod(kernel[1:])
    if others == 1 or math.prod(x) * others < _FEW or any(s != 1 for s in stride):
        return False
    axes = zip(x[3:], out[1:], pads[1:], dilation[1:], kernel[1:])
    return all(n <= m and 0 <= lo <= d * (k - 1) for n, m, (lo, _), d, k in axes)


def _runs(x, begin, rows, kernel, pads, dilation, rest):
    """``columns``, whole, of images that lie ``in_runs``."""
    lead, item = x.shape[:2], x.itemsize
    size = rows + dilation[0] * (kernel[0] - 1)
    first, last, before, _ = _part(begin - pads[0][0], size, x.shape[2])
    steps = [math.prod(rest[i + 1 :]) for i in range(len(rest))]
    row, kernel, dilation, starts = math.prod(rest), kernel[1:], dilation[1:], [lo for lo, _ in pads[1:]]
    length = size * row
    flat = np.empty(
        (*lead, length + sum([d * (k - 1) * s for d, k, s in zip(dilation, kernel, steps)])), x.dtype
    )
    at = before * row + sum([lo * s for lo, s in zip(starts, steps)])
    end = at + (last - first) * row
    flat[..., :at] = 0
    seen = flat[..., at:end]
    if x.shape[3:] != rest:
        seen[...] = 0
    seen.reshape(*lead, last - first, *rest)[(..., *[slice(n) for n in x.shape[3:]])] = x[:, :, first:last]
    flat[..., end:] = 0
    strides = (*flat.strides[:2], *[d * s * item for d, s in zip(dilation, steps)], item)
    found = np.ascontiguousarray(np.ndarray((*lead, *kernel, length), x.dtype, flat, 0, strides))
    found = found.reshape(*lead, *kernel, size, *rest)
    for axis, (n, count, lo, d) in enumerate(zip(rest, kernel, starts, dilation)):
        for place in range(count):
            shift = place * d - lo
            if shift:
                beyond = slice(-shift) if shift < 0 else slice(max(n - shift, 0), None)
                at = [slice(None)] * found.ndim
                at[2 + axis], at[3 + len(kernel) + axis] = place, beyond
                found[tuple(at)] = 0
    return found
