"""Kernels that oneDNN computes: each takes arrays, and returns None for those that are not for it.

They serve float32 arrays; the results differ from NumPy's by rounding, and by threads where sums are split among them.
"""

import ctypes
import math

import numpy as np

from . import engine_settings, onednn
from .onednn import BACKWARD, F32, FORWARD, INFERENCE, S32, U8, Arg, Descriptions, Operation, dims

_DIRECT, _MAX, _GELU = 1, 0x1FF, 0x31  # algorithms: of convolutions, of pooling, elementwise
_FORWARDS, _REVERSED = 1, 2  # directions of an LSTM
_OVERWRITE = 1  # lets gradients of its weights not be added to what is in their memory
_FLOAT32 = np.dtype(np.float32)
_LEAST = np.finfo(np.float32).min
_ZERO = ctypes.c_float(0)
_ELEMENT = 16  # multiplications that take as long as a pass over an element


def functions():
    """All kernels by name; none if there is no library."""
    if not onednn.load():
        return {}
    kernels = (
        conv,
        conv_gradients,
        conv_input,
        conv_weight,
        max_pool,
        lstm,
        lstm_backward,
        matmul,
        gelu,
        gelu_backward,
    )
    return {f.__name__: f for f in kernels}


def _dense(x):
    """``x``, or a copy of it, in the order of its elements."""
    return x if x.flags.c_contiguous and x.flags.aligned else np.array(x, order="C")


def _padded(n):
    """A number of channels as oneDNN computes it."""
    return n + 15 & -16


def _ends(space, out, kernel, stride, pads, dilation):
    """What is around the axes of space: before them, as ``pads`` says, and after, so much that exactly ``out`` windows stand there."""
    before = [lo for lo, _ in pads]
    after = [
        (m - 1) * s + d * (k - 1) + 1 - n - lo
        for n, m, k, s, lo, d in zip(space, out, kernel, stride, before, dilation)
    ]
    return dims(before), dims(after)


# Convolutions ----------------------------------------------------------------------------------------------------------------


def conv(x, w, b, stride, pads, dilation, groups):
    """(N, C, ...) with (O, C / groups, ...) and (O,) or None -> (N, O, ...)."""
    out = tuple(
        [
            (n + lo + hi - d * (k - 1) - 1) // s + 1
            for n, (lo, hi), k, s, d in zip(x.shape[2:], pads, w.shape[2:], stride, dilation)
        ]
    )
    z = np.empty((len(x), len(w), *out), _FLOAT32)
    given = {"x": x, "w": w} if b is None else {"x": x, "w": w, "b": b}
    return z if _convolved(("forward",), given, {"z": z}, stride, pads, dilation, groups) else None


def conv_input(g, w, space, stride, padding, dilation, groups):
    """The gradient of the image, whose axes of space are ``space``."""
    x = np.empty((len(g), w.shape[1] * groups, *space), _FLOAT32)
    pads = [(p, p) for p in padding]
    given = {"w": w, "z": g}
    return x if _convolved(("backward_data",), given, {"x": x}, stride, pads, dilation, groups) else None


def conv_weight(g, x, kernel, stride, pads, dilation, groups):
    """The gradient of the weights."""
    found = conv_gradients(g, x, None, False, kernel, stride, pads, dilation, groups)
    return found and found[1]


def conv_gradients(g, x, w, biased, kernel, stride, pads, dilation, groups):
    """The gradients of image (None without ``w``), weights, and bias (None unless ``biased``): what is done to ``g`` is done once."""
    made = {"w": np.empty((g.shape[1], x.shape[1] // groups, *kernel), _FLOAT32)}
    given = {"x": x, "z": g}
    if biased:
        made["b"] = np.empty(g.shape[1], _FLOAT32)
    directions = ["backward_weights"]
    if w is not None:
        given["w"], made["x"] = w, np.empty(x.shape, _FLOAT32)
        directions.append("backward_data")
    done = _convolved(tuple(directions), given, made, stride, pads, dilation, groups)
    return tuple([made.get(role) for role in "xwb"]) if done else None


#: What the arrays are in each direction, those given and those made, by their roles: image, weights, bias, result.
_GIVEN = {
    "forward": {"x": Arg.SRC, "w": Arg.WEIGHTS, "b": Arg.BIAS},
    "backward_data": {"w": Arg.WEIGHTS, "z": Arg.DIFF_DST},
    "backward_weights": {"x": Arg.SRC, "z": Arg.DIFF_DST},
}
_MADE = {
    "forward": {"z": Arg.DST},
    "backward_data": {"x": Arg.DIFF_SRC},
    "backward_weights": {"w": Arg.DIFF_WEIGHTS, "b": Arg.DIFF_BIAS},
}


def _convolved(directions, given, made, stride, pads, dilation, groups):
    """Compute what is to be ``made`` from what is ``given``, arrays by their roles; returns whether oneDNN could."""
    arrays = [*given.values(), *made.values()]
    x, w, z = [{**made, **given}[role] for role in "xwz"]
    multiplications = z.size * w.size // max(len(w), 1)
    if not multiplications or not x.size or not 3 <= x.ndim <= 5:
        return False
    if any(a.dtype != _FLOAT32 for a in arrays) or any(lo < 0 for lo, _ in pads):
        return False
    channels, filters = w.shape[1], len(w) // groups
    if any(quicker_without(direction, channels, filters, groups, w.shape[2:]) for direction in directions):
        return False
    if x.ndim == 3:  # sequences as images of one row, for which there are more kernels
        x, w, z = [a[:, :, None] for a in (x, w, z)]
        stride, pads, dilation = (1, *stride), [(0, 0), *pads], (1, *dilation)
    wide = 1 if channels == 1 < groups else _padded(filters) / filters  # few take as long as many
    work = multiplications * wide + _ELEMENT * (x.size + z.size)
    if work < engine_settings.WORTH:
        return False
    weights = (groups, w.shape[0] // groups, *w.shape[1:]) if groups > 1 else w.shape
    shapes = {"x": x.shape, "w": weights, "b": w.shape[:1], "z": z.shape}
    roles = *given, *made
    key = (directions, roles, *shapes.values(), tuple(stride), tuple(pads), tuple(dilation))

    def make():
        with Descriptions() as d:
            ends = _ends(x.shape[2:], z.shape[2:], w.shape[2:], stride, pads, dilation)
            geometry = [dims(stride), dims([e - 1 for e in dilation]), *ends]
            ours = {role: d.dense(shapes[role]) for role in roles}
            image, weights, result = [d.any(shapes[role]) for role in "xwz"]
            operands = image, weights, ours.get("b"), result
            forward = d.primitive("convolution_forward", FORWARD, _DIRECT, *operands, *geometry)
            primitives = {
                "forward": lambda: forward,
                "backward_data": lambda: d.primitive(
                    "convolution_backward_data", _DIRECT, image, weights, result, *geometry, forward
                ),
                "backward_weights": lambda: d.primitive(
                    "convolution_backward_weights", _DIRECT, *operands, *geometry, forward
                ),
            }

            def arguments(table, roles):
                return [(tuple([table[name].get(role) for name in directions]), ours[role]) for role in roles]

            descriptions = [primitives[name]() for name in directions]
            return Operation(descriptions, arguments(_GIVEN, given), arguments(_MADE, made))

    return onednn.run(key, work, make, [*map(_dense, given.values()), *made.values()])


def quicker_without(direction, channels, filters, groups, kernel):
    """Whether NumPy is quicker: for some convolutions of few channels and filters in each group oneDNN takes up to ten times as long as for others."""
    if groups == 1:
        return direction == "backward_data" and channels == 1
    weights = direction == "backward_weights"
    if channels == filters == 1:
        return (
            len(kernel) == 3 or (weights and kernel[-1] > 3) or (direction == "forward" and kernel[-1] > 14)
        )
    return min(channels, filters) < (8 if weights else 4)


# Pooling ---------------------------------------------------------------------------------------------------------------------


def max_pool(x, axes, out, kernel, stride, pads, dilation, located):
    """The largest elements of windows over the last axes, and if ``located`` which of a window's elements each is; not for nan, nor where a window has -inf only."""
    lead = x.shape[: x.ndim - axes]
    if x.dtype != _FLOAT32 or not axes <= 3 or not x.size:
        return None
    x = _dense(x)
    if np.isnan(np.maximum.reduce(x, None)):  # which oneDNN does not see
        return None
    shape = (math.prod(lead[:-1]), lead[-1] if lead else 1)
    z = np.empty((*lead, *out), _FLOAT32)
    if not z.size:
        return None
    few = math.prod(kernel) < 256
    which = np.empty(z.shape, np.uint8 if few else np.int32) if located else None
    key = ("max_pool", shape, x.shape[len(lead) :], out, kernel, stride, tuple(pads), dilation, located)

    def make():
        with Descriptions() as d:
            ends = _ends(x.shape[len(lead) :], out, kernel, stride, pads, dilation)
            geometry = [dims(stride), dims(kernel), dims([e - 1 for e in dilation]), *ends]
            x_, z_ = d.dense((*shape, *x.shape[len(lead) :])), d.dense((*shape, *out))
            pd = d.primitive("pooling_forward", FORWARD if located else INFERENCE, _MAX, x_, z_, *geometry)
            results = [(Arg.DST, z_)]
            if located:
                results.append((Arg.WORKSPACE, d.dense((*shape, *out), U8 if few else S32)))
            return Operation(pd, [(Arg.SRC, x_)], results)

    if (
        not onednn.run(key, 4 * _ELEMENT * x.size, make, [x, z, which] if located else [x, z])
        or np.minimum.reduce(z, None) == _LEAST
    ):
        return None
    return z, which


# Recurrence ------------------------------------------------------------------------------------------------------------------


def lstm(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse):
    """(T, N, X), (4H, X), (4H, H), (4H,) or None, the same, (N, H), (N, H) -> outputs (T, N, H), the last states (N, H) and (N, H), and for the
    gradient bytes of oneDNN's and, in one row, the last c and the bias.
    """
    sizes = *x.shape, h.shape[1]
    bias = np.zeros(len(w_ih), _FLOAT32) if b_ih is None else b_ih + b_hh
    arrays = [x, h, c, w_ih, w_hh, bias]
    if not x.size or not h.size or any(a.dtype != _FLOAT32 for a in arrays):
        return None
    outputs = np.empty((*x.shape[:2], h.shape[1]), _FLOAT32)
    h, c = np.empty(h.shape, _FLOAT32), np.empty(h.shape, _FLOAT32)
    arrays = [*map(_dense, arrays), outputs, h, c, None]

    def make():
        with Descriptions() as d:
            pd, inputs, results = _lstm_forward(d, *sizes, reverse)
            return Operation(pd, inputs, [*results, (Arg.WORKSPACE, onednn.wanted(pd, Arg.WORKSPACE))])

    if not onednn.run(("lstm", *sizes, reverse), _lstm_work(*sizes), make, arrays):
        return None
    return outputs, h, c, arrays[-1], np.concatenate((c.reshape(-1), bias))


def lstm_backward(x, g, gh, gc, w_ih, w_hh, h, c, outputs, kept, row, reverse):
    """The gradients of the operands of ``lstm`` but the second bias; g, gh, gc are those of the results, None for zero."""
    sizes = *x.shape, h.shape[1]
    last, bias = np.split(row, [h.size])
    shapes = outputs.shape, h.shape, c.shape
    slopes = [np.zeros(shape, _FLOAT32) if a is None else a for a, shape in zip((g, gh, gc), shapes)]
    before = [x, h, c, w_ih, w_hh, bias, outputs, outputs[0 if reverse else -1], last, *slopes]
    arrays = [_dense(a) for a in before]
    found = [np.empty(a.shape, _FLOAT32) for a in (x, h, c, w_ih, w_hh, bias)]

    def make():
        with Descriptions() as d:
            forward, inputs, results = _lstm_forward(d, *sizes, reverse)
            of = dict(inputs + results)
            rows = [of[name] for name in (Arg.SRC, Arg.SRC_1, Arg.SRC_2)]
            weights = [*_any_weights(d, *sizes[2:]), None, None, of[Arg.BIAS]]
            after = [of[name] for name in (Arg.DST, Arg.DST_1, Arg.DST_2)]
            pd = d.primitive(
                "lstm_backward",
                BACKWARD,
                _REVERSED if reverse else _FORWARDS,
                *rows,
                *weights,
                *after,
                *rows,
                *weights,
                *after,
                _OVERWRITE,
                forward,
            )
            if onednn.size_of(onednn.wanted(pd, Arg.WORKSPACE)) != kept.size:
                raise onednn.Unsupported
            slopes = [
                (name, of[same])
                for name, same in zip(
                    (Arg.DIFF_DST, Arg.DIFF_DST_1, Arg.DIFF_DST_2), (Arg.DST, Arg.DST_1, Arg.DST_2)
                )
            ]
            names = (
                Arg.DIFF_SRC,
                Arg.DIFF_SRC_1,
                Arg.DIFF_SRC_2,
                Arg.DIFF_WEIGHTS,
                Arg.DIFF_WEIGHTS_1,
                Arg.DIFF_BIAS,
            )
            gradients = [
                (name, of[same])
                for name, same in zip(
                    names, (Arg.SRC, Arg.SRC_1, Arg.SRC_2, Arg.WEIGHTS, Arg.WEIGHTS_1, Arg.BIAS)
                )
            ]
            return Operation(
                pd, [*inputs, *results, *slopes, (Arg.WORKSPACE, onednn.wanted(pd, Arg.WORKSPACE))], gradients
            )

    key = "lstm_backward", *sizes, reverse, kept.size
    return found if onednn.run(key, _lstm_work(*sizes), make, [*arrays, kept, *found]) else None


def _lstm_forward(d, steps, n, features, size, reverse):
    """The description of the primitive; the arguments with the descriptions of our arrays; the same of the results."""
    x, outputs, state = d.dense((steps, n, features)), d.dense((steps, n, size)), d.dense((1, 1, n, size))
    # (layers, directions, inputs, gates, outputs), of which we have the last two first
    weights = [
        d.dense((1, 1, k, 4, size), F32, (4 * k * size, 4 * k * size, 1, k * size, k))
        for k in (features, size)
    ]
    bias = d.dense((1, 1, 4, size))
    kinds = [*_any_weights(d, features, size), None, None, bias]
    direction = _REVERSED if reverse else _FORWARDS
    pd = d.primitive("lstm_forward", FORWARD, direction, x, state, state, *kinds, outputs, state, state, 0)
    inputs = [
        (Arg.SRC, x),
        (Arg.SRC_1, state),
        (Arg.SRC_2, state),
        (Arg.WEIGHTS, weights[0]),
        (Arg.WEIGHTS_1, weights[1]),
        (Arg.BIAS, bias),
    ]
    return pd, inputs, [(Arg.DST, outputs), (Arg.DST_1, state), (Arg.DST_2, state)]


def _any_weights(d, features, size):
    return [d.any((1, 1, k, 4, size)) for k in (features, size)]


def _lstm_work(steps, n, features, size):
    return steps * n * 4 * size * (features + size)


# Products --------------------------------------------------------------------------------------------------------------------


def matmul(x, y, b=None):
    """The product of matrices, or of stacks of them with the same leading axes, plus a row."""
    if x.ndim != y.ndim or x.ndim < 2 or x.shape[:-2] != y.shape[:-2] or x.shape[-1] != y.shape[-2]:
        return None
    shape = (*x.shape[:-1], y.shape[-1])
    if not (x.size and y.size) or any(a.dtype != _FLOAT32 for a in (x, y)) or not _can_add(b, y):
        return None
    x, y, z = _matrices(x), _matrices(y), np.empty(shape, _FLOAT32)

    def make():
        with Descriptions() as d:
            x_, y_ = (d.dense(a.shape, F32, [s // 4 for s in a.strides]) for a in (x, y))
            z_, b_ = d.dense(shape), None if b is None else d.dense((*[1] * (y.ndim - 1), y.shape[-1]))
            pd = d.primitive("matmul", x_, y_, b_, z_)
            rows = [] if b is None else [(Arg.BIAS, b_)]
            return Operation(pd, [(Arg.SRC, x_), (Arg.WEIGHTS, y_), *rows], [(Arg.DST, z_)])

    key = "matmul", x.shape, y.shape, x.strides, y.strides, b is None
    arrays = [x, y, z] if b is None else [x, y, _dense(b), z]
    return z if onednn.run(key, x.size * y.shape[-1], make, arrays) else None


def _can_add(b, y):
    return b is None or (b.shape == y.shape[-1:] and b.dtype == _FLOAT32)


def _matrices(x):
    """``x``, or a dense copy of it if its rows or columns do not lie side by side in memory, without gaps between their elements."""
    row, column = x.strides[-2:]
    fits = (
        min(row, column) == x.itemsize
        and x.flags.aligned
        and all(s > 0 and s % x.itemsize == 0 for s in x.strides)
    )
    return x if fits else np.array(x, order="C")


# Activations -----------------------------------------------------------------------------------------------------------------


def gelu(x):
    """``x`` times the normal distribution function; not for infinity, of which oneDNN makes nan."""
    return _elementwise("gelu", _GELU, [(Arg.SRC, x)], Arg.DST)


def gelu_backward(g, x):
    """The gradient of ``gelu``; not for infinity."""
    return _elementwise("gelu_backward", _GELU, [(Arg.SRC, x), (Arg.DIFF_DST, g)], Arg.DIFF_SRC)


def _elementwise(name, algorithm, given, wanted):
    """An elementwise function of arrays of one shape, in the order of their elements, unless there is nan in the result."""
    arrays = [array for _, array in given]
    shape = arrays[0].shape
    if not all(
        a.size and a.shape == shape and a.dtype == _FLOAT32 and a.flags.c_contiguous and a.flags.aligned
        for a in arrays
    ):
        return None
    z = np.empty(shape, _FLOAT32)

    def make():
        with Descriptions() as d:
            row = d.dense((z.size,))
            pd = d.primitive("eltwise_forward", FORWARD, algorithm, row, row, _ZERO, _ZERO)
            if wanted == Arg.DIFF_SRC:
                pd = d.primitive("eltwise_backward", algorithm, row, row, row, _ZERO, _ZERO, pd)
            return Operation(pd, [(argument, row) for argument, _ in given], [(wanted, row)])

    work = 2 * len(arrays) * _ELEMENT * z.size
    done = onednn.run((name, algorithm, z.size), work, make, [*arrays, z])
    return z if done and not np.isnan(np.minimum.reduce(z, None)) else None
