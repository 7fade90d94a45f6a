"""Normalisation, losses, embeddings, attention, distances, masked reductions, random calls: values, derivatives, as in PyTorch."""

import math

import numpy as np
import pytest

from tests.operators.calls import Given, Row

F = "nn.functional"
REDUCTIONS = ("none", "mean", "sum")


def reduced(loss, reduction):
    """A loss per element, or its mean or sum."""
    if reduction in ("none", 0):
        return loss
    return loss.mean() if reduction in ("mean", 1) else loss.sum()


# Normalisation --------------------------------------------------------------------------------------------------------


def optional(s, *shape):
    return s.floats(*shape) if s.flag() else None


def standardized(x, axes, eps):
    mean = x.mean(axes, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(axes, keepdims=True) + eps)


def scaled(z, w, b, shape):
    z = z if w is None else z * w.reshape(shape)
    return z if b is None else z + b.reshape(shape)


def layer_norm(s):
    inner = s.shape(1, 2, 1, 3)
    return (
        s.floats(*s.shape(0, 2), *inner),
        inner,
        optional(s, *inner),
        optional(s, *inner),
        s.one_of(1e-5, 0.1),
    )


def layer_normed(x, inner, w, b, eps):
    return scaled(standardized(x, tuple(range(-len(inner), 0)), eps), w, b, inner)


def with_moments(normed):
    """The reference of a function that also gives the mean and the inverse of the deviation: the result alone."""
    return lambda *args: [normed(*args)]


def first(torch, out):
    return [out[0]]


def rms_norm(s):
    inner = s.shape(1, 2, 1, 3)
    return s.floats(*s.shape(0, 2), *inner), inner, optional(s, *inner), s.one_of(1e-5, 0.1)


def rms_normed(x, inner, w, eps):
    z = x / np.sqrt((x**2).mean(tuple(range(-len(inner), 0)), keepdims=True) + eps)
    return z if w is None else z * w


def group_norm(s):
    groups = s.size(1, 2)
    c = groups * s.size(1, 2)
    return s.floats(s.size(0, 2), c, *s.shape(1, 2, 2, 3)), groups, optional(s, c), optional(s, c), 0.01


def group_normed(x, groups, w, b, eps):
    z = standardized(x.reshape(len(x), groups, -1), (2,), eps) if x.size else x
    return scaled(z.reshape(x.shape), w, b, (1, -1, *[1] * (x.ndim - 2)))


def native_group_norm(s):
    x, groups, w, b, eps = group_norm(s.dense())
    n, c, *rest = x.shape
    return x, w, b, n, c, math.prod(rest), groups, eps


def batch_norm(s):
    """In training, by the batch's own moments."""
    c = s.size(1, 3)
    x = s.floats(s.size(2, 3), c, *s.shape(0, 2, 1, 2))
    return x, None, None, optional(s, c), optional(s, c), True, 0.1, s.one_of(1e-5, 0.1)


def batch_normed(x, mean, var, w, b, training, momentum, eps):
    along = (1, -1, *[1] * (x.ndim - 2))
    if training:
        z = standardized(x, tuple(d for d in range(x.ndim) if d != 1), eps)
    else:
        z = (x - np.reshape(mean, along)) / np.sqrt(np.reshape(var, along) + eps)
    return scaled(z, w, b, along)


def batch_norm_later(s):
    """In evaluation, by running moments, which no gradient goes to."""
    c = s.size(1, 3)
    x = s.floats(s.size(0, 3), c, *s.shape(0, 2, 1, 2))
    mean, var = s.spread((c,)).tolist(), s.spread((c,), 0.5, 2).tolist()
    return x, mean, var, optional(s, c), optional(s, c), False, 0.1, 0.01


def with_tensors(torch, x, mean, var, *rest):
    if mean is None:
        return x, mean, var, *rest
    return x, torch.tensor(mean, dtype=x.dtype), torch.tensor(var, dtype=x.dtype), *rest


def parameters_first(torch, x, mean, var, w, b, *rest):
    return x, w, b, mean, var, *rest


def instance_norm(s):
    c = s.size(1, 3)
    return (
        s.floats(s.size(1, 2), c, *s.shape(1, 2, 2, 3)),
        None,
        None,
        optional(s, c),
        optional(s, c),
        True,
        0.1,
        0.01,
    )


def instance_normed(x, mean, var, w, b, own, momentum, eps):
    return scaled(standardized(x, tuple(range(2, x.ndim)), eps), w, b, (1, -1, *[1] * (x.ndim - 2)))


def with_cudnn(prepare):
    return lambda torch, *args: (*prepare(torch, *args), False)


def local_response(s):
    return s.floats(s.size(1, 2), s.size(1, 4), *s.shape(1, 2, 1, 2)), s.size(1, 3)


def normalize(s):
    shape = s.shape(1, 3, low=1)
    return s.floats(*shape), s.one_of(2.0, 1.0, 3.0), s.dim(shape)


def normalized(x, p, dim):
    return x / np.maximum((np.abs(x) ** p).sum(dim, keepdims=True) ** (1 / p), 1e-12)


# Losses ---------------------------------------------------------------------------------------------------------------


def of_pairs(low=-2.0, high=2.0, low_target=-2.0, high_target=2.0, **more):
    """Predictions and targets of one shape, and a reduction."""

    def arguments(s):
        shape = s.shape(low=1)
        x, y = s.floats(*shape, low=low, high=high), s.floats(*shape, low=low_target, high=high_target)
        return (
            x,
            y,
            {
                "reduction": s.one_of(*REDUCTIONS),
                **{name: s.one_of(*values) for name, values in more.items()},
            },
        )

    return arguments


def weighted(*bounds, count=1):
    """A pair with weights as lists, which no gradient goes to."""

    def arguments(s):
        x, y, named = of_pairs(*bounds)(s)
        return x, y, *[s.spread(x.shape, 0.5, 2).tolist() for _ in range(count)], named

    return arguments


def as_tensors(torch, x, y, *weights):
    return x, y, *[torch.tensor(w, dtype=x.dtype) for w in weights[:2]], *weights[2:]


def loss_of(function):
    """The reference of a loss from what it is for each element."""
    return lambda *args, reduction="mean", **more: reduced(function(*args, **more), reduction)


def cross_entropy(x, y):
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0) - x * y


def smooth(x, y, beta):
    d = np.abs(x - y)
    return np.where(d < beta, d**2 / (2 * beta), d - beta / 2)


def huber(x, y, delta):
    return delta * smooth(x, y, delta)


def kl(x, y, log_target):
    return np.exp(y) * (y - x) if log_target else y * (np.log(y) - x)


def poisson(x, y, log_input, full=False):
    """With ``full``, Stirling's approximation of the factorial of what is more than one."""
    loss = np.exp(x) - y * x if log_input else x - y * np.log(x + 1e-8)
    many = np.maximum(y, 1)
    return loss + np.where(y > 1, y * np.log(many) - y + np.log(2 * np.pi * many) / 2, 0) if full else loss


def gaussian(s):
    shape = (*s.shape(1, 2, 1), s.size(1, 3))
    return (
        s.floats(*shape),
        s.floats(*shape),
        s.floats(*shape, low=0.3, high=2),
        {"full": s.flag(), "reduction": s.one_of(*REDUCTIONS)},
    )


def signs(s, *shape):
    return s.given(np.where(s.rng.integers(0, 2, shape), 1, -1))


def with_signs(s):
    shape = s.shape(low=1)
    return s.floats(*shape), signs(s, *shape), {"reduction": s.one_of(*REDUCTIONS)}


def ranking(s):
    shape = s.shape(low=1)
    return (
        s.floats(*shape),
        s.floats(*shape),
        signs(s, *shape),
        {"margin": s.one_of(0.0, 0.5), "reduction": s.one_of(*REDUCTIONS)},
    )


def rows(s, count):
    n, d = s.size(1, 3), s.size(2, 3)
    return [s.floats(n, d) for _ in range(count)]


def numbered(arguments, names=REDUCTIONS):
    """The same call of the function below, to which a reduction is a number."""

    def call(s):
        *args, named = arguments(s)
        return *args, {**named, "reduction": names.index(named["reduction"])}

    return call


def cosine_embedding(s):
    x, y = rows(s, 2)
    return x, y, signs(s, x.shape[0]), {"margin": s.one_of(0.0, 0.3), "reduction": s.one_of(*REDUCTIONS)}


def cosine(x, y, axis=-1):
    return (x * y).sum(axis) / np.sqrt((x**2).sum(axis) * (y**2).sum(axis))


def cosine_embedded(x, y, target, margin):
    c = cosine(x, y)
    return np.where(target == 1, 1 - c, np.maximum(c - margin, 0))


def triplet(s):
    return *rows(s, 3), {"margin": s.one_of(1.0, 3.0), "swap": s.flag(), "reduction": s.one_of(*REDUCTIONS)}


def triplet_of(a, p, n, margin, swap, eps=1e-6):
    def distance(x, y):
        return np.sqrt(((x - y + eps) ** 2).sum(-1))

    far = np.minimum(distance(a, n), distance(p, n)) if swap else distance(a, n)
    return np.maximum(distance(a, p) - far + margin, 0)


def classes(s):
    """Scores ``(N, C, ...)`` or ``(C,)``, a class for each, weights of the classes as a list or none."""
    c = s.size(2, 4)
    rest = s.shape(0, 2, 1, 2)
    n = s.size(1, 3)
    alone = not rest and s.flag()
    x = s.floats(*(() if alone else (n,)), c, *rest)
    target = s.rng.integers(0, c, (*(() if alone else (n,)), *rest))
    target[(0,) * target.ndim] = 1  # not all are to be ignored
    target = s.dense().given(target)
    named = {"reduction": s.one_of(*REDUCTIONS), "ignore_index": s.one_of(-100, 0)}
    return x, target, s.spread((c,), 0.5, 2).tolist() if s.flag() else None, named


def with_weight(torch, x, target, weight):
    """Weights of the classes, which no gradient goes to."""
    return x, target, None if weight is None else torch.tensor(weight, dtype=x.dtype)


def cross_entropy_classes(s):
    *args, named = classes(s)
    return *args, {**named, "label_smoothing": s.one_of(0.0, 0.3)}


def cross_entropy_probabilities(s):
    x = s.floats(s.size(1, 3), s.size(2, 3))
    return (
        x,
        s.floats(*x.shape, low=0, high=1),
        {"reduction": s.one_of(*REDUCTIONS), "label_smoothing": s.one_of(0.0, 0.3)},
    )


def linear_classes(s):
    n, d, c = s.size(1, 3), s.size(1, 3), s.size(2, 4)
    return s.floats(n, d), s.floats(c, d), s.ints(n, high=c), {"reduction": s.one_of(*REDUCTIONS)}


def linear_reference(x, w, target, reduction):
    scores = x @ w.T
    logs = scores - np.log(np.exp(scores).sum(1, keepdims=True))
    return reduced(-logs[np.arange(len(x)), target], reduction)


def multi_margin(s):
    c, n = s.size(2, 4), s.size(1, 3)
    named = {"p": s.one_of(1, 2), "margin": s.one_of(1.0, 0.8), "reduction": s.one_of(*REDUCTIONS)}
    return s.floats(n, c), s.ints(n, high=c), named


def multi_margin_of(x, target, p, margin):
    own = x[np.arange(len(x)), target][:, None]
    loss = np.maximum(0, margin - own + x) ** p
    loss[np.arange(len(x)), target] = 0
    return loss.sum(1) / x.shape[1]


def weighted_multi_margin(s):
    x, target, named = multi_margin(s)
    return x, target, named.pop("p"), named.pop("margin"), s.spread((x.shape[1],), 0.5, 2).tolist(), named


def with_class_weights(torch, x, target, p, margin, weight):
    return x, target, p, margin, torch.tensor(weight, dtype=x.dtype)


def multilabel(s):
    c, n = s.size(1, 4), s.size(1, 3)
    target = np.array([[*s.order(c)[:k], *[-1] * (c - k)] for k in (s.size(0, c) for _ in range(n))])
    return s.floats(n, c), s.given(target.astype(np.int64)), {"reduction": s.one_of(*REDUCTIONS)}


def soft_multilabel(s):
    shape = (*s.shape(1, 1, 1), s.size(1, 4))
    return s.floats(*shape), s.floats(*shape, low=0, high=1), {"reduction": s.one_of(*REDUCTIONS)}


def ctc(s):
    """Log-probabilities over time, and labels short enough to fit in."""
    time, n, c = s.size(5, 6), s.size(1, 2), s.size(2, 4)
    targets = s.ints(n, 2, low=1, high=c)
    return (
        s.floats(time, n, c),
        targets,
        [time] * n,
        [s.size(1, 2) for _ in range(n)],
        {"reduction": s.one_of(*REDUCTIONS)},
    )


def log_softmax_first(torch, x, *rest):
    return torch.log_softmax(x, -1), *rest


# Embedding, attention, distances -----------------------------------------------------------------------------------------


def embedding(s):
    count = s.size(1, 4)
    return s.ints(*s.shape(), high=count), s.floats(count, s.size())


def bags(s):
    count, n = s.size(1, 4), s.size(1, 5)
    mode = s.one_of("sum", "mean", "max")
    named = {"mode": mode}
    if mode == "sum" and s.flag():
        named["per_sample_weights"] = s.floats(n)
    return s.ints(n, high=count), s.floats(count, s.size(1, 3)), s.given(np.array([0, s.size(0, n)])), named


def bagged(indices, weight, offsets, mode, per_sample_weights=None):
    taken = weight[indices]
    taken = taken if per_sample_weights is None else taken * per_sample_weights[:, None]
    parts = np.split(taken, offsets[1:])
    reduce = {"sum": np.sum, "mean": np.mean, "max": np.max}[mode]
    return np.stack([reduce(p, axis=0) if len(p) else np.zeros(weight.shape[1]) for p in parts])


def bags_with_padding(s):
    """Bags in which one index counts as nothing; the last offset may be that of the end."""
    i, w, o, named = bags(s)
    named = {
        "mode": named["mode"],
        "padding_idx": s.size(-w.shape[0], w.shape[0] - 1),
        "include_last_offset": s.flag(),
    }
    return i, w, o, named


def bagged_without(indices, weight, offsets, mode, padding_idx, include_last_offset):
    parts = np.split(indices, offsets[1:])[: -1 if include_last_offset else None]
    reduce = {"sum": np.sum, "mean": np.mean, "max": np.max}[mode]
    kept = [weight[p[p != padding_idx % len(weight)]] for p in parts]
    return np.stack([reduce(p, axis=0) if len(p) else np.zeros(weight.shape[1]) for p in kept])


def one_hot(s):
    return s.ints(*s.shape(), high=3), s.size(3, 4)


def attention(s):
    """Queries, keys and values of some heads, and a mask, a triangle or neither."""
    stack, d, length, keys = s.shape(0, 2, 1, 2), s.size(1, 3), s.size(1, 3), s.size(1, 3)
    q, k, v = s.floats(*stack, length, d), s.floats(*stack, keys, d), s.floats(*stack, keys, s.size(1, 2))
    kind = s.one_of("none", "mask", "allowed", "causal", "scale")
    if kind == "allowed":
        return q, k, v, {"attn_mask": s.bools(length, keys)}
    if kind == "mask":
        return q, k, v, {"attn_mask": s.floats(length, keys)}
    return q, k, v, {"none": {}, "causal": {"is_causal": True}, "scale": {"scale": 0.7}}[kind]


def attended(q, k, v, attn_mask=0, is_causal=False, scale=None):
    """A query that may look at nothing gets zeros."""
    scores = q @ np.swapaxes(k, -1, -2) * (scale or 1 / math.sqrt(q.shape[-1]))
    allowed = np.asarray(attn_mask)
    scores = np.where(allowed, scores, -np.inf) if allowed.dtype == bool else scores + attn_mask
    if is_causal:
        scores = np.where(np.tril(np.ones(scores.shape[-2:], bool)), scores, -np.inf)
    weights = np.exp(scores - np.maximum(scores.max(-1, keepdims=True), -1e300))
    return weights / np.maximum(weights.sum(-1, keepdims=True), 1e-300) @ v


def heads(s):
    heads, d = s.size(1, 2), 2
    e, length, batch = heads * d, s.size(1, 3), s.size(1, 2)
    x = s.floats(length, batch, e, low=-1, high=1)
    k = s.floats(s.size(1, 3), batch, e, low=-1, high=1)
    w, b = s.floats(3 * e, e, low=-1, high=1), s.floats(3 * e)
    return (
        x,
        k,
        k,
        e,
        heads,
        w,
        b,
        None,
        None,
        False,
        0.0,
        s.floats(e, e, low=-1, high=1),
        s.floats(e),
        {"need_weights": s.flag()},
    )


def given_results(torch, out):
    return [x for x in out if x is not None]


def pairs_of_rows(s):
    shape = (*s.shape(0, 2, 1), s.size(1, 3))
    return s.floats(*shape), s.floats(*shape), s.one_of(2.0, 1.0, 3.0)


ORDERS = (2.0, 1.0, 3.0, math.inf, 0.5, 1.7, 0.0)


def cdist(s):
    stack, d = s.shape(0, 1, 1), s.size(1, 3)
    return s.floats(*stack, s.size(0, 3), d), s.floats(*stack, s.size(0, 3), d), s.one_of(*ORDERS)


def distances(x, y, p):
    d = np.abs(x[..., :, None, :] - y[..., None, :, :])
    if p in (0, math.inf):
        return (d != 0).sum(-1).astype(d.dtype) if p == 0 else d.max(-1)
    return (d**p).sum(-1) ** (1 / p)


def pdist(s):
    return s.floats(s.size(1, 4), s.size(1, 3)), s.one_of(*ORDERS)


def dist(s):
    shape = s.shape(low=1)
    return s.floats(*shape), s.floats(*shape), s.one_of(2.0, 1.0, 3.0)


def power_mean(x, p):
    return (np.abs(x) ** p).sum() ** (1 / p)


def cosine_arguments(s):
    shape = (*s.shape(0, 2, 1), s.size(1, 3))
    return s.floats(*shape), s.floats(*shape), {"dim": -1}


# Masked reductions ----------------------------------------------------------------------------------------------------


def masked(s):
    """A tensor, a dim and a mask that leaves something of every row."""
    shape = s.shape(1, 3, 1)
    dim = s.dim(shape)
    mask = s.rng.integers(0, 2, shape).astype(bool)
    np.moveaxis(mask, dim, 0)[0] = True
    x = s.floats(*shape)
    return x, {"dim": dim, "mask": s.dense().given(mask)}


def over_mask(function, fill):
    return lambda x, dim, mask: function(np.where(mask, x, fill), dim)


def masked_mean(x, dim, mask):
    return np.where(mask, x, 0).sum(dim) / mask.sum(dim)


def masked_variance(x, dim, mask):
    n = mask.sum(dim, keepdims=True)
    mean = np.where(mask, x, 0).sum(dim, keepdims=True) / n
    return (np.where(mask, (x - mean) ** 2, 0) / n).sum(dim)


def with_order(s):
    x, named = masked(s)
    return x, 2.0, named


def biased(s):
    x, named = masked(s)
    return x, {**named, "unbiased": False}


ROOT = {"dtypes": "d", "loose": 20, "strides": False}
INEXACT = {**ROOT, "torch": "d"}
# the largest of equal elements, or the slope of a distance at zero, is anybody's choice
APART = {**INEXACT, "ties": False}

NORMS = [
    *[Row(name, layer_norm, layer_normed, **ROOT) for name in ("layer_norm", f"{F}.layer_norm")],
    Row("native_layer_norm", layer_norm, with_moments(layer_normed), observe=first, **ROOT),
    *[Row(name, rms_norm, rms_normed, **INEXACT) for name in ("rms_norm", f"{F}.rms_norm")],
    *[Row(name, group_norm, group_normed, **INEXACT) for name in ("group_norm", f"{F}.group_norm")],
    Row("native_group_norm", native_group_norm, lambda x, w, b, n, c, hw, groups, eps: [group_normed(x, groups, w, b, eps)],
        observe=first, **INEXACT),
    Row(f"{F}.batch_norm", batch_norm, batch_normed, **INEXACT),
    Row(f"{F}.batch_norm later", batch_norm_later, batch_normed, prepare=with_tensors, **INEXACT),
    Row("batch_norm", batch_norm, batch_normed, prepare=with_cudnn(parameters_first), **INEXACT),
    Row("native_batch_norm", batch_norm, with_moments(batch_normed), prepare=parameters_first, observe=first, **INEXACT),
    Row(f"{F}.instance_norm", instance_norm, instance_normed, **INEXACT),
    Row("instance_norm", instance_norm, instance_normed, prepare=with_cudnn(parameters_first), **INEXACT),
    Row(f"{F}.local_response_norm", local_response, **INEXACT),
    Row(f"{F}.normalize", normalize, normalized, **{**ROOT, "dtypes": "dc"}),
]  # fmt: skip

LOSSES = [
    Row(f"{F}.mse_loss", of_pairs(), loss_of(lambda x, y: (x - y) ** 2), **ROOT),
    Row(f"{F}.l1_loss", of_pairs(), loss_of(lambda x, y: np.abs(x - y)), **APART),
    Row(f"{F}.smooth_l1_loss", of_pairs(beta=(0.5, 1.0)), loss_of(smooth), **APART),
    Row(f"{F}.huber_loss", of_pairs(delta=(0.5, 1.0)), loss_of(huber), **APART),
    Row(f"{F}.kl_div", of_pairs(-3, 0, 0.1, 1, log_target=(False, True)), loss_of(kl), **INEXACT),
    Row(f"{F}.binary_cross_entropy", of_pairs(0.1, 0.9, 0, 1),
        loss_of(lambda x, y: -y * np.log(x) - (1 - y) * np.log1p(-x)), **INEXACT),
    Row(f"{F}.binary_cross_entropy weighted", weighted(0.1, 0.9, 0, 1),
        loss_of(lambda x, y, w: np.asarray(w) * (-y * np.log(x) - (1 - y) * np.log1p(-x))), prepare=as_tensors, **INEXACT),
    Row(f"{F}.binary_cross_entropy_with_logits", of_pairs(-3, 3, 0, 1), loss_of(cross_entropy), **INEXACT),
    Row("kl_div", numbered(of_pairs(-3, 0, 0.1, 1, log_target=(False, True))), loss_of(kl), **INEXACT),
    Row("binary_cross_entropy_with_logits", numbered(of_pairs(-3, 3, 0, 1)), loss_of(cross_entropy), **INEXACT),
    Row("binary_cross_entropy_with_logits weighted", numbered(weighted(-3, 3, 0, 1, count=2)),
        loss_of(lambda x, y, w, p: np.asarray(w) * (p * y * np.log1p(np.exp(-x)) + (1 - y) * np.log1p(np.exp(x)))), prepare=as_tensors, **INEXACT),
    Row(f"{F}.poisson_nll_loss", of_pairs(0.1, 2, 0, 3, log_input=(True, False), full=(True, False)), loss_of(poisson), **INEXACT, single=(1,)),
    Row("poisson_nll_loss", lambda s: (s.floats(3), s.floats(3), True, False, 1e-8, s.size(0, 2)),
        lambda x, y, log, full, eps, reduction: reduced(poisson(x, y, True), reduction), **INEXACT),
    Row(f"{F}.gaussian_nll_loss", gaussian, loss_of(lambda x, y, v, full: (np.log(v) + (x - y) ** 2 / v + full * math.log(2 * math.pi)) / 2), **INEXACT, single=(2,)),
    Row(f"{F}.soft_margin_loss", with_signs, loss_of(lambda x, y: np.log1p(np.exp(-x * y))), **INEXACT),
    Row(f"{F}.hinge_embedding_loss", with_signs, loss_of(lambda x, y: np.where(y == 1, x, np.maximum(0, 1 - x))), **INEXACT),
    Row("hinge_embedding_loss", numbered(with_signs), loss_of(lambda x, y: np.where(y == 1, x, np.maximum(0, 1 - x))), **INEXACT),
    Row(f"{F}.margin_ranking_loss", ranking, loss_of(lambda x, y, t, margin: np.maximum(0, -t * (x - y) + margin)), **APART),
    Row("margin_ranking_loss", numbered(ranking), loss_of(lambda x, y, t, margin: np.maximum(0, -t * (x - y) + margin)), **APART),
    Row(f"{F}.cosine_embedding_loss", cosine_embedding, loss_of(cosine_embedded), **APART),
    Row("cosine_embedding_loss", numbered(cosine_embedding), loss_of(cosine_embedded), **APART),
    Row(f"{F}.triplet_margin_loss", triplet, loss_of(triplet_of), **APART),
    Row("triplet_margin_loss", numbered(triplet), loss_of(triplet_of), **APART),
    Row(f"{F}.triplet_margin_with_distance_loss", triplet, loss_of(triplet_of), **APART),
    Row(f"{F}.nll_loss", classes, prepare=with_weight, **INEXACT),
    Row(f"{F}.cross_entropy", cross_entropy_classes, prepare=with_weight, **INEXACT),
    Row(f"{F}.cross_entropy probabilities", cross_entropy_probabilities, **INEXACT),
    Row(f"{F}.linear_cross_entropy", linear_classes, linear_reference, **INEXACT),
    Row(f"{F}.multi_margin_loss", multi_margin, loss_of(multi_margin_of), **APART),
    Row(f"{F}.multi_margin_loss weighted", weighted_multi_margin, prepare=with_class_weights, **APART),
    Row(f"{F}.multilabel_margin_loss", multilabel, **APART),
    Row(f"{F}.multilabel_soft_margin_loss", soft_multilabel, loss_of(lambda x, y: cross_entropy(x, y).mean(-1)), **INEXACT),
    Row(f"{F}.ctc_loss", ctc, prepare=log_softmax_first, **{**INEXACT, "order": 1}),
    Row("ctc_loss", numbered(ctc), prepare=log_softmax_first, **{**INEXACT, "order": 1}),
]  # fmt: skip

OTHERS = [
    Row(f"{F}.embedding", embedding, lambda i, w: w[i], "f"),
    Row("embedding", lambda s: embedding(s)[::-1], lambda w, i: w[i], "f"),
    Row(f"{F}.embedding_bag", bags, bagged, **APART),
    Row(f"{F}.embedding_bag padding", bags_with_padding, bagged_without, **APART),
    Row("embedding_bag", lambda s: (lambda i, w, o, named: (w, i, o))(*bags(s)),
        lambda w, i, o: [bagged(i, w, o, "sum")], observe=first, **INEXACT),
    Row(f"{F}.one_hot", one_hot, lambda x, n: np.eye(n, dtype=np.int64)[x], order=0, strides=False),
    Row(f"{F}.scaled_dot_product_attention", attention, attended, **INEXACT),
    Row(f"{F}.multi_head_attention_forward", heads, observe=given_results, **INEXACT),
    Row("cdist", cdist, distances, **APART),
    Row("pdist", pdist, lambda x, p: distances(x, x, p)[np.triu_indices(len(x), 1)], **APART),
    Row(f"{F}.pdist", pdist, lambda x, p: distances(x, x, p)[np.triu_indices(len(x), 1)], **APART),
    Row("dist", dist, lambda x, y, p: power_mean(x - y, p), **APART),
    *[Row(name, pairs_of_rows, lambda x, y, p: (np.abs(x - y + 1e-6) ** p).sum(-1) ** (1 / p), **APART)
      for name in ("pairwise_distance", f"{F}.pairwise_distance")],
    *[Row(name, cosine_arguments, lambda x, y, dim: cosine(x, y), **INEXACT)
      for name in ("cosine_similarity", f"{F}.cosine_similarity")],
]  # fmt: skip

MASKED = [
    Row("masked.sum", masked, over_mask(np.sum, 0), **INEXACT),
    Row("masked.prod", masked, over_mask(np.prod, 1), **INEXACT),
    Row("masked.amax", masked, over_mask(np.max, -np.inf), **APART),
    Row("masked.amin", masked, over_mask(np.min, np.inf), **APART),
    Row("masked.argmax", masked, over_mask(np.argmax, -np.inf), **{**APART, "order": 0}),
    Row("masked.argmin", masked, over_mask(np.argmin, np.inf), **{**APART, "order": 0}),
    Row("masked.cumsum", masked, over_mask(np.cumsum, 0), **INEXACT),
    Row("masked.cumprod", masked, over_mask(np.cumprod, 1), **INEXACT),
    Row("masked.mean", masked, masked_mean, **INEXACT),
    Row("masked.median", masked, **APART),
    Row("masked.var", biased, lambda x, dim, mask, unbiased: masked_variance(x, dim, mask), **INEXACT),
    Row("masked.std", lambda s: (biased(s)), lambda x, dim, mask, unbiased: np.sqrt(masked_variance(x, dim, mask)), **{**APART, "order": 0}),
    Row("masked.norm", with_order, lambda x, p, dim, mask: np.sqrt((np.where(mask, x, 0) ** 2).sum(dim)), **APART),
    Row("masked.normalize", with_order, **APART),
    Row("masked.logsumexp", masked, over_mask(lambda x, dim: np.log(np.exp(x).sum(dim)), -np.inf), **INEXACT),
    Row("masked.softmax", masked, observe=lambda torch, out: torch.nan_to_num(out), **INEXACT),
    Row("masked.softmin", masked, observe=lambda torch, out: torch.nan_to_num(out), **INEXACT),
    Row("masked.log_softmax", masked, observe=lambda torch, out: torch.exp(out), **INEXACT),
    Row("masked.logaddexp", lambda s: dist(s)[:2], np.logaddexp, **INEXACT),
]  # fmt: skip

# Fake quantisation ----------------------------------------------------------------------------------------------------------------


def fake_quantized(x, scale, zero_point, low, high, exact="float32"):
    steps = np.clip(np.rint(x * (np.float32(1) / np.float32(scale))) + zero_point, low, high) - zero_point
    return steps.astype(exact) * np.asarray(scale, "float32").astype(exact)


def fake_quantized_channels(x, scale, zero_point, axis, low, high):
    along = [-1 if d == axis else 1 for d in range(x.ndim)]
    return fake_quantized(x, scale.reshape(along), zero_point.reshape(along), low, high, "float64")


def fake_quantized_by(x, scale, zero_point, low, high):
    return fake_quantized(x, scale[0], zero_point[0], low, high)


def by_channels(s):
    shape = s.shape(1, 3, 1, 3)
    axis = s.rng.integers(len(shape))
    n = shape[axis]
    scale = s.given(s.spread((n,), 0.1, 0.5).astype(np.float32))
    return s.floats(*shape), scale, s.given(s.rng.integers(-3, 4, n).astype(np.int32)), int(axis), -4, 4


def by_tensors(s):
    scale = s.given(s.spread((1,), 0.1, 0.5).astype(np.float32))
    return s.floats(*s.shape(0, 3)), scale, s.given(np.array([s.one_of(-2, 3)], np.int32)), -4, 4


def without_gradient(torch, x, scale, *args):
    return x, scale.detach(), *args


def segments(reduce):
    def draw(s):
        n = s.size(1, 3)
        lengths = s.rng.integers(1, 3, n)
        x = s.floats(int(lengths.sum()), *s.shape(0, 2))
        return x, reduce, {"lengths": Given(lengths, "contiguous", 0)}

    return draw


def segmented(x, reduce, lengths):
    apply = {"sum": np.sum, "mean": np.mean, "prod": np.prod, "max": np.max, "min": np.min}[reduce]
    return np.stack([apply(part, axis=0) for part in np.split(x, np.cumsum(lengths)[:-1])])


SEGMENTED = [
    Row(f"segment_reduce {reduce}", segments(reduce), segmented, single=(1,), strides=False)
    for reduce in ("sum", "mean", "prod", "max", "min")
]

FAKE_QUANTIZED = [
    Row("fake_quantize_per_tensor_affine", lambda s: (s.floats(*s.shape(0, 3)), s.one_of(0.3, 1.0), s.one_of(-2, 0, 3), -4, 4), fake_quantized, order=0),
    Row("fake_quantize_per_tensor_affine by tensors", by_tensors, fake_quantized_by, order=0, single=(1, 2), prepare=without_gradient),
    Row("fake_quantize_per_channel_affine", by_channels, fake_quantized_channels, order=0, single=(1, 2), prepare=without_gradient),
    Row("dequantize", lambda s: s.floats(*s.shape(0, 3)), lambda x: x.astype(np.float32), "fb", order=0, torch="b"),
]  # fmt: skip

ROWS = NORMS + LOSSES + OTHERS + MASKED + FAKE_QUANTIZED + SEGMENTED

MARKS = pytest.mark.filterwarnings(
    "ignore:reduction. 'mean' divides the total loss", "ignore:Using a target size"
)

EXCLUSIONS = {"embedding_renorm_": "writes in place; tests/ops/test_embedding.py"}
