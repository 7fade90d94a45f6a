"""Kernels that oneDNN computes: each takes arrays, and returns None for those that are not for it.

They serve float32 arrays; the results differ from NumPy's by rounding, and by threads where sums are split among them.
"""

import numpy as np

from . import engine_settings, onednn
from .onednn import (
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    FORWARD,
    SRC,
    WEIGHTS,
    Descriptions,
    Operation,
    dims,
)

_DIRECT = 1  # the algorithm of convolutions
_FLOAT32 = np.dtype(np.float32)


def functions():
    """All kernels by name; none if there is no library."""
    if not onednn.load():
        return {}
    return {f.__name__: f for f in (conv, conv_input, conv_weight)}


def _dense(x):
    """``x``, or a copy of it, in the order of its elements."""
    return x if x.flags.c_contiguous and x.flags.aligned else np.array(x, order="C")


# Convolutions ----------------------------------------------------------------------------------------------------------------


def conv(x, w, stride, pads, dilation, groups):
    """(N, C, ...) with (O, C / groups, ...) -> (N, O, ...)."""
    out = tuple(
        [
            (n + lo + hi - d * (k - 1) - 1) // s + 1
            for n, (lo, hi), k, s, d in zip(x.shape[2:], pads, w.shape[2:], stride, dilation)
        ]
    )
    z = np.empty((len(x), len(w), *out), _FLOAT32)
    return z if _convolved("forward", x, w, z, stride, pads, dilation, groups) else None


def conv_input(g, w, space, stride, padding, dilation, groups):
    """The gradient of the image, whose axes of space are ``space``."""
    x = np.empty((len(g), w.shape[1] * groups, *space), _FLOAT32)
    pads = [(p, p) for p in padding]
    return x if _convolved("backward_data", x, w, g, stride, pads, dilation, groups) else None


def conv_weight(g, x, kernel, stride, pads, dilation, groups):
    """The gradient of the weights."""
    w = np.empty((g.shape[1], x.shape[1] // groups, *kernel), _FLOAT32)
    return w if _convolved("backward_weights", x, w, g, stride, pads, dilation, groups) else None


def _convolved(direction, x, w, z, stride, pads, dilation, groups):
    """Compute one of image, weights and result from the other two; returns whether oneDNN could."""
    work = z.size * w.size // max(len(w), 1)
    if (
        work < engine_settings.WORTH
        or not work
        or not x.size
        or any(a.dtype != _FLOAT32 for a in (x, w, z))
        or not 3 <= x.ndim <= 5
    ):
        return False
    if any(lo < 0 for lo, _ in pads):
        return False
    x, w, z = _dense(x), _dense(w), _dense(z)
    key = (direction, x.shape, w.shape, z.shape, tuple(stride), tuple(pads), tuple(dilation), groups)

    def make():
        with Descriptions() as d:
            weights = (groups, w.shape[0] // groups, *w.shape[1:]) if groups > 1 else w.shape
            before, after = [lo for lo, _ in pads], []
            for n, k, m, s, e, (lo, _) in zip(x.shape[2:], w.shape[2:], z.shape[2:], stride, dilation, pads):
                after.append((m - 1) * s + e * (k - 1) + 1 - n - lo)
            geometry = [dims(stride), dims([e - 1 for e in dilation]), dims(before), dims(after)]
            preferred = [d.any(shape) for shape in (x.shape, weights, z.shape)]
            x_, w_, z_ = [d.dense(shape) for shape in (x.shape, weights, z.shape)]
            forward = d.primitive(
                "convolution_forward", FORWARD, _DIRECT, *preferred[:2], None, preferred[2], *geometry
            )
            if direction == "forward":
                return Operation(forward, [(SRC, x_), (WEIGHTS, w_)], [(DST, z_)])
            if direction == "backward_data":
                pd = d.primitive("convolution_backward_data", _DIRECT, *preferred, *geometry, forward)
                return Operation(pd, [(WEIGHTS, w_), (DIFF_DST, z_)], [(DIFF_SRC, x_)])
            pd = d.primitive(
                "convolution_backward_weights",
                _DIRECT,
                *preferred[:2],
                None,
                preferred[2],
                *geometry,
                forward,
            )
            return Operation(pd, [(SRC, x_), (DIFF_DST, z_)], [(DIFF_WEIGHTS, w_)])

    arrays = {"forward": (x, w, z), "backward_data": (w, z, x), "backward_weights": (x, z, w)}[direction]
    return onednn.run(key, work, make, arrays)
