"""Kernels of losses on arrays.  A reduction is PyTorch's number: 0 none, 1 the mean, 2 the sum."""

from functools import lru_cache

import numpy as np
from numpy._core.umath import clip  # type: ignore[attr-defined]  # a ufunc; ``np.clip`` is Python around it

from .activation import log_sigmoid
from .elementwise import in_single

NONE, MEAN, SUM = range(3)


def reduced(values, reduction):
    """The values, their mean or their sum."""
    if reduction == NONE:
        return values
    total = np.add.reduce(values, None)
    return total if reduction == SUM else total / values.size


def spread(g, reduction, n):
    """What each of n values contributes to the loss, times the loss's gradient g."""
    return g / n if reduction == MEAN else g


# Differences ---------------------------------------------------------------------------------------------------------------


def mse(x, y, reduction):
    """(x - y)², reduced."""
    d = x - y
    if reduction == NONE:
        return d * d
    if d.ndim != 1:
        d = d.reshape(-1)  # a copy only of what is not dense
    total = d.dot(d)
    return total if reduction == SUM else total / d.size


def mse_backward(g, x, y, reduction):
    """The gradient of ``mse`` to x."""
    out = np.subtract(x, y)
    if reduction == MEAN:
        g = g * out.dtype.type(2 / out.size) if out.size else g
    else:
        g = g + g
    out *= g
    return out


@in_single
def smooth_l1(x, y, reduction, beta):
    """d - beta/2 for d = abs(x - y), or d²/(2 beta) where d < beta; reduced."""
    d = x - y
    beta = d.dtype.type(beta)
    return _huber(d, beta, reduction) / beta


@in_single
def huber(x, y, reduction, delta):
    """delta (d - delta/2) for d = abs(x - y), or d²/2 where d <= delta; reduced."""
    d = x - y
    return _huber(d, d.dtype.type(delta), reduction)


def _huber(d, limit, reduction):
    """(abs(d) - m/2) m with m = min(abs(d), limit): both branches of Huber's loss, without a choice for each number; reduced."""
    out = np.asarray(np.absolute(d))
    m = np.asarray(clip(out, d.dtype.type(0), limit))
    if reduction != NONE:
        out, m = out.reshape(-1), m.reshape(-1)
        total = out.dot(m) - m.dot(m) * d.dtype.type(0.5)
        return total if reduction == SUM else total / d.size
    out -= m * d.dtype.type(0.5)
    out *= m
    return out


# Probabilities -------------------------------------------------------------------------------------------------------------


def binary_cross_entropy(x, y, weight, reduction):
    """-(y log x + (1 - y) log(1 - x)), with logarithms of at least -100, times the weight; reduced."""
    z = (y - 1) * np.maximum(np.log1p(-x), -100) - y * np.maximum(np.log(x), -100)
    return reduced(z if weight is None else z * weight, reduction)


def binary_cross_entropy_with_logits(x, y, weight, pos_weight, reduction):
    """(1 - y) x - (1 + (pos_weight - 1) y) log sigmoid(x), times the weight, in the dtype of y; reduced."""
    z = log_sigmoid(x)
    if pos_weight is not None:
        z = z * ((pos_weight - 1) * y + 1)
    z = ((1 - y) * x).astype(y.dtype, copy=False) - z
    z = z if weight is None else z * weight
    return reduced(z if z.dtype is y.dtype else z.astype(y.dtype), reduction)


# Classes -------------------------------------------------------------------------------------------------------------------


@lru_cache(32)
def _few_places(n):
    return np.arange(n)


def _places(n):
    """0, 1, ..., n - 1."""
    return _few_places(n) if n <= 4096 else np.arange(n)


def usable(target, classes, ignore_index):
    """``target`` with some class in place of ``ignore_index``, and which are to be kept (None: all).

    Raises IndexError for what is below zero; what is beyond the last class makes the indexing fail.
    """
    if not target.size:
        return target, None
    least = np.minimum.reduce(target, None)
    if least >= 0 > ignore_index:
        return target, None
    kept = target != ignore_index
    if least < 0 and (target[kept] < 0).any():
        raise out_of_bounds(target[kept], classes)
    if kept.all():
        return target, None
    return np.where(kept, target, 0), kept


def out_of_bounds(target, classes):
    """The error for a target that is no class."""
    wrong = target[(target < 0) | (target >= classes)]
    return IndexError(f"Target {wrong[0]} is out of bounds.")


def _by_class(x, target):
    """x as (N, C) or (N, C, rest) and ``target`` as (N,) or (N, rest), with the key that picks each target's element."""
    if x.ndim == 1:
        x = x[None]
    if x.ndim > 2:
        n, c = x.shape[:2]
        rest = x.size // (n * c) if x.size else 0
        return x.reshape(n, c, rest), target.reshape(n, rest)
    return x, target.reshape(x.shape[0])


def _key(x, target):
    if x.ndim == 2:
        return _places(x.shape[0]), target
    return _places(x.shape[0])[:, None], target, _places(x.shape[2])


def nll(x, target, weight, reduction, ignore_index):
    """Minus x at the targets, times the targets' weights; the mean is the sum divided by the weights' sum."""
    shape = target.shape
    x, target = _by_class(x, target)
    target, kept = usable(target, x.shape[1], ignore_index)
    try:
        at_target = x[_key(x, target)]
    except IndexError:
        raise out_of_bounds(target, x.shape[1]) from None
    if weight is not None:
        at_target = at_target * weight[target]
    if reduction == NONE:
        out = np.negative(at_target)
        if kept is not None:
            out[~kept] = 0
        return out.reshape(shape)
    if kept is not None:
        at_target = at_target[kept]
    total = np.add.reduce(at_target, None)
    return -total if reduction == SUM else total / -_total_weight(target, kept, weight, x.dtype)


def _total_weight(target, kept, weight, dtype):
    if weight is None:
        return dtype.type(target.size if kept is None else np.count_nonzero(kept))
    return np.add.reduce(weight[target] if kept is None else weight[target[kept]], None)


def total_weight(target, classes, weight, ignore_index, dtype):
    """The sum of the weights of all targets that are not ignored: what the mean is divided by."""
    target, kept = usable(target, classes, ignore_index)
    return np.asarray(_total_weight(target, kept, weight, dtype))


def nll_slopes(target, classes, weight, reduction, ignore_index, dtype):
    """The derivative of ``nll`` by the element of x that each target picks; and the targets, usable ones."""
    target, kept = usable(target, classes, ignore_index)
    slope = dtype.type(-1) if weight is None else -weight[target]
    if reduction == MEAN:
        total = _total_weight(target, kept, weight, dtype)
        slope = slope / total if total else slope * dtype.type(np.inf)
    if kept is not None:
        slope = np.where(kept, slope, dtype.type(0))
    return slope, target


def nll_backward(g, shape, target, weight, reduction, ignore_index):
    """The gradient of ``nll`` to x, which has this shape."""
    out = np.zeros(shape, g.dtype)
    x, target = _by_class(out, target)
    slope, target = nll_slopes(target, x.shape[1], weight, reduction, ignore_index, g.dtype)
    if reduction == NONE:
        g = g.reshape(target.shape)
    x[_key(x, target)] = g * slope
    return out
