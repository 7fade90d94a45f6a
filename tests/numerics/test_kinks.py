"""Elementwise functions at their kinks and at the ends of their domains."""

from math import inf, log, nan, pi

import numpy as np

from tests.numerics.table import ANY, checks_of, elementwise

SELU_SLOPE = 1.0507009873554805 * 1.6732632423543772
LARGEST = float(np.finfo(np.float64).max)

ROWS = [
    # at 0: the mean of the slopes, or that of one side
    elementwise("x.abs()", [0, 0, nan, inf], x=[-0.0, 0.0, nan, -inf], dx=[0, 0, 0, -1]),
    elementwise("x.sign()", [-1, 0, 0], x=[-2.0, 0, nan], dx=[0, 0, 0]),
    elementwise("x.floor()", [-2, 0, nan], x=[-1.5, 0, nan], dx=[0, 0, 0]),
    elementwise("x.ceil()", [-1, 0, nan], x=[-1.5, 0, nan], dx=[0, 0, 0]),
    elementwise("x.trunc()", [-1, 0, nan], x=[-1.5, 0, nan], dx=[0, 0, 0]),
    elementwise("x.round()", [0, 2, 2, -0.0], x=[0.5, 1.5, 2.5, -0.5], dx=[0, 0, 0, 0]),
    elementwise("x.frac()", [-0.5], x=[-1.5], dx=[1]),
    elementwise("F.relu(x)", [0, 0, nan], x=[-1.0, 0, nan], dx=[0, 0, 1]),
    elementwise("F.relu6(x)", [0, 6], x=[0.0, 6], dx=[0, 0]),
    elementwise("F.hardtanh(x)", [-1, 1], x=[-1.0, 1], dx=[0, 0]),
    elementwise("x.clamp(0, 1)", [0, 0, 0.5, 1, 1, nan], x=[-1.0, 0, 0.5, 1, 2, nan], dx=[0, 1, 1, 1, 0, 0]),
    elementwise(
        "x.clamp(y, w)", [0, 1, 2], x=[0.0, 1, 5], y=[0.0, 0, 3], w=[1.0, 1, 2],
        dx=[1, 1, 0], dy=[0, 0, 0], dw=[0, 0, 1],
    ),
    elementwise("F.leaky_relu(x)", [0], x=[0.0], dx=[0.01]),
    elementwise("F.prelu(x, torch.tensor(0.25, dtype=x.dtype))", [0], x=[0.0], dx=[0.25]),
    elementwise("F.elu(x)", [0], x=[0.0], dx=[1]),
    elementwise("F.celu(x)", [0], x=[0.0], dx=[1]),
    elementwise("F.selu(x)", [0], x=[0.0], dx=[SELU_SLOPE]),
    elementwise("F.hardsigmoid(x)", [0, 0.5, 1], x=[-3.0, 0, 3], dx=[0, 1 / 6, 0]),
    elementwise("F.hardswish(x)", [-0.0, 0, 3], x=[-3.0, 0, 3], dx=[0, 0.5, 1]),
    elementwise("F.softshrink(x)", [0, 0], x=[-0.5, 0.5], dx=[0, 0]),
    elementwise("F.hardshrink(x)", [0, 0], x=[-0.5, 0.5], dx=[0, 0]),
    elementwise("F.threshold(x, 1, 9)", [9, 1.1], x=[1.0, 1.1], dx=[0, 1]),
    # where an exponential leaves the range
    elementwise("F.softplus(x)", [log(2), 20, 20.1, 0], x=[0.0, 20, 20.1, -1000], dx=[0.5, 1, 1, 0]),
    elementwise("F.logsigmoid(x)", [-1000, 0], x=[-1000.0, 1000], dx=[1, 0]),
    elementwise("x.sigmoid()", [0, 1], x=[-1000.0, 1000], dx=[0, 0]),
    elementwise("F.gelu(x)", [nan, 0, ANY], x=[-inf, 0, inf], dx=[nan, 0.5, nan]),
    elementwise("F.silu(x)", [nan, 0], x=[-inf, 0], dx=[nan, 0.5]),
    elementwise("F.mish(x)", [-0.0, 0], x=[-1000.0, 0], dx=[0, 0.6]),
    # at the ends of the domain
    elementwise("x.sqrt()", [0, nan, -0.0], x=[0.0, -1, -0.0], dx=[inf, nan, -inf]),
    elementwise("x.rsqrt()", [inf, -inf], x=[0.0, -0.0], dx=[-inf, inf]),
    elementwise("x.reciprocal()", [inf, -inf], x=[0.0, -0.0], dx=[-inf, -inf]),
    elementwise("x.log()", [-inf, nan], x=[0.0, -1], dx=[inf, -1]),
    elementwise("x.log1p()", [-inf], x=[-1.0], dx=[inf]),
    elementwise("x.asin()", [pi / 2, nan], x=[1.0, 2], dx=[inf, nan]),
    elementwise("x.acos()", [0], x=[1.0], dx=[-inf]),
    elementwise("x.acosh()", [0], x=[1.0], dx=[inf]),
    elementwise("x.atanh()", [inf], x=[1.0], dx=[inf]),
    elementwise("x.erfinv()", [inf, -inf, nan], x=[1.0, -1, 2], dx=[inf, inf, nan]),
    elementwise("x.logit()", [-inf, inf], x=[0.0, 1], dx=[inf, inf]),
    elementwise("x.logit(0.125)", [-log(7), -log(7), 0], x=[0.0, 0.125, 0.5], dx=[0, 64 / 7, 4]),
    elementwise("x.sinc()", [1], x=[0.0], dx=[0]),
    elementwise("torch.special.entr(x)", [0, -inf, -0.0], x=[0.0, -1, 1], dx=[inf, nan, -1]),
    elementwise("x.lgamma()", [inf, inf, 0], x=[0.0, -1, 1], dx=[-inf, nan, -0.57721566490153286]),
    elementwise("x.digamma()", [-inf, nan], x=[0.0, -1], dx=[inf, ANY]),
    elementwise("x.nan_to_num()", [0, ANY, ANY, 1], x=[nan, inf, -inf, 1], dx=[0, 0, 0, 1]),
    elementwise("x.double().nan_to_num()", [0, LARGEST, -LARGEST], x=[nan, inf, -inf], dx=[0, 0, 0]),
]  # fmt: skip

test_rows_hold, test_rows_are_what_torch_does = checks_of(ROWS)
