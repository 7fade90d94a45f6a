"""Activation functions and softmaxes."""

import math

import numpy as np

from tests.operators import rows
from tests.operators.draws import COMPLEX, FLOATS
from tests.operators.rows import Row

ALONG = {
    "draw": rows.draw_reduced,
    "dims": "one",
    "keepdim": False,
    "dtypes": FLOATS,
    "differs": COMPLEX,
    "in_place": False,
    "out": False,
}
PLAIN = {"dtypes": FLOATS, "domains": ("nonzero",), "in_place": False, "out": False}
SELU = 1.0507009873554805, 1.6732632423543772
erf = np.vectorize(math.erf, otypes=[float])


def normal_cdf(x):
    return 0.5 + 0.5 * (erf(x / math.sqrt(2)) if x.size else x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x, beta=1, threshold=20):
    return np.where(x * beta > threshold, x, np.log1p(np.exp(beta * x)) / beta)


def elu(x, alpha=1.0):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def celu(x, alpha=1.0):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0) / alpha))


def leaky(x, negative_slope=0.01):
    return np.where(x > 0, x, negative_slope * x)


def gelu_tanh(x, approximate):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def shares(x, dim):
    powers = np.exp(x)
    return powers / powers.sum(dim, keepdims=True) if x.ndim else np.ones(())


def log_shares(x, dim):
    return x - np.log(np.exp(x).sum(dim, keepdims=True)) if x.ndim else np.zeros(())


def gated(x, dim=-1):
    first, second = np.split(x, 2, dim)
    return first * sigmoid(second)


F = "nn.functional."
# Of complex numbers PyTorch refuses gradients that are given here: "differs".
ROWS = [
    Row("relu", lambda x: np.maximum(x, 0), aliases=(F + "relu",), **{**PLAIN, "in_place": True, "out": False}),
    Row("selu", lambda x: SELU[0] * elu(x, SELU[1]), aliases=(F + "selu",), **{**PLAIN, "in_place": True}),
    Row("celu", celu, keywords={"alpha": 1.3}, noise=1e-7, aliases=(F + "celu",), **{**PLAIN, "in_place": True}),
    Row("threshold", lambda x, threshold, value: np.where(x > threshold, x, value), keywords={"threshold": 0.1, "value": 2}, aliases=(F + "threshold",), **{**PLAIN, "in_place": True, "out": True}),
    Row("hardshrink", lambda x, lambd: np.where(np.abs(x) > lambd, x, 0), keywords={"lambd": 0.8}, aliases=(F + "hardshrink",), **{**PLAIN, "out": True}),
    Row("rrelu", lambda x, lower, upper: leaky(x, (lower + upper) / 2), keywords={"lower": 0.2, "upper": 0.4}, aliases=(F + "rrelu",), **{**PLAIN, "in_place": True}),
    Row("prelu", lambda x, w: np.where(x > 0, x, w.reshape(-1, *[1] * (x.ndim - 2)) * x), draw=rows.draw_channels, aliases=(F + "prelu",), **PLAIN),
    Row(F + "relu6", lambda x: np.clip(x, 0, 6), **PLAIN),
    Row(F + "leaky_relu", leaky, keywords={"negative_slope": 0.3}, **PLAIN),
    Row(F + "elu", elu, keywords={"alpha": 1.3}, **PLAIN),
    Row(F + "gelu", lambda x: x * normal_cdf(x), **PLAIN),
    Row(F + "gelu", gelu_tanh, keywords={"approximate": "tanh"}, note="tanh", **PLAIN),
    Row(F + "silu", lambda x: x * sigmoid(x), differs=COMPLEX, **PLAIN),
    Row(F + "mish", lambda x: x * np.tanh(softplus(x)), **PLAIN),
    Row(F + "softplus", softplus, keywords={"beta": 1.5, "threshold": 3}, **{**PLAIN, "domains": ("small",)}),
    Row(F + "softsign", lambda x: x / (1 + np.abs(x)), **PLAIN),
    Row(F + "softshrink", lambda x, lambd: np.sign(x) * np.maximum(np.abs(x) - lambd, 0), keywords={"lambd": 0.2}, **PLAIN),
    Row(F + "tanhshrink", lambda x: x - np.tanh(x), **PLAIN),
    Row(F + "hardtanh", lambda x, min_val, max_val: np.clip(x, min_val, max_val), keywords={"min_val": -1, "max_val": 5}, **PLAIN),
    Row(F + "hardsigmoid", lambda x: np.clip(x / 6 + 0.5, 0, 1), noise=1e-7, **{**PLAIN, "domains": ("small",)}),
    Row(F + "hardswish", lambda x: x * np.clip(x / 6 + 0.5, 0, 1), noise=1e-7, **{**PLAIN, "domains": ("small",)}),
    Row(F + "logsigmoid", lambda x: -softplus(-x), **PLAIN),
    Row(F + "sigmoid", sigmoid, **PLAIN),
    Row(F + "tanh", np.tanh, **PLAIN),
    Row(F + "glu", gated, draw=rows.draw_halves, **PLAIN),
    Row("softmax", shares, aliases=(F + "softmax", "special.softmax"), **ALONG),
    Row("log_softmax", log_shares, aliases=(F + "log_softmax", "special.log_softmax"), **ALONG),
    Row(F + "softmin", lambda x, dim: shares(-x, dim), **ALONG),
]  # fmt: skip
