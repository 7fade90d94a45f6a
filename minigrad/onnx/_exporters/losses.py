"""Losses."""

import math
from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ._common import refuse, together
from ._registry import exporter


def reduced(g: Builder, loss: Value, reduction: str) -> Value:
    """The mean, the sum, or each by itself."""
    if reduction == "none":
        return loss
    return g.reduce("ReduceMean" if reduction == "mean" else "ReduceSum", loss)


def _new(reduction, size_average, reduce):
    if size_average is not None or reduce is not None:
        raise refuse("size_average and reduce", "are not exported: use reduction")
    return reduction


@exporter("mse_loss")
def mse_loss(
    g: Builder,
    input: Value,
    target: Value,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Any = None,
) -> Value:
    gap = g.op("Sub", *together(g, input, target))
    return reduced(g, _weighted(g, g.op("Mul", gap, gap), weight), _new(reduction, size_average, reduce))


@exporter("l1_loss")
def l1_loss(
    g: Builder,
    input: Value,
    target: Value,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Any = None,
) -> Value:
    gap = g.op("Abs", g.op("Sub", *together(g, input, target)))
    return reduced(g, _weighted(g, gap, weight), _new(reduction, size_average, reduce))


def _weighted(g, loss, weight):
    if weight is not None:
        raise refuse("a loss with weights for elements")
    return loss


@exporter("smooth_l1_loss")
def smooth_l1_loss(
    g: Builder,
    input: Value,
    target: Value,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Value:
    gap = g.op("Abs", g.op("Sub", *together(g, input, target)))
    if beta == 0:
        return reduced(g, gap, _new(reduction, size_average, reduce))
    inside = g.op("Less", gap, float(beta), dtype=dtypes.bool_)
    curve = g.op("Mul", g.op("Mul", gap, gap), 0.5 / beta)
    return reduced(
        g, g.where(inside, curve, g.op("Sub", gap, 0.5 * beta)), _new(reduction, size_average, reduce)
    )


@exporter("huber_loss")
def huber_loss(
    g: Builder, input: Value, target: Value, reduction: str = "mean", delta: float = 1.0, weight: Any = None
) -> Value:
    gap = g.op("Abs", g.op("Sub", *together(g, input, target)))
    inside = g.op("LessOrEqual", gap, float(delta), dtype=dtypes.bool_)
    curve = g.op("Mul", g.op("Mul", gap, gap), 0.5)
    line = g.op("Mul", g.op("Sub", gap, 0.5 * delta), delta)
    return reduced(g, _weighted(g, g.where(inside, curve, line), weight), reduction)


@exporter("binary_cross_entropy")
def binary_cross_entropy(
    g: Builder,
    input: Value,
    target: Value,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    one = g.constant(1, input.dtype)
    yes = g.op("Max", g.op("Log", input), -100.0)
    no = g.op("Max", g.op("Log", g.op("Sub", one, input)), -100.0)
    loss = g.op("Neg", g.op("Add", g.op("Mul", target, yes), g.op("Mul", g.op("Sub", one, target), no)))
    loss = loss if weight is None else g.op("Mul", loss, weight)
    return reduced(g, loss, _new(reduction, size_average, reduce))


@exporter("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    g: Builder,
    input: Value,
    target: Value,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Value:
    one = g.constant(1, input.dtype)
    no = g.op("Mul", g.op("Sub", one, target), g.op("Softplus", input))
    yes = g.op("Mul", target, g.op("Softplus", g.op("Neg", input)))
    loss = g.op("Add", yes if pos_weight is None else g.op("Mul", yes, pos_weight), no)
    loss = loss if weight is None else g.op("Mul", loss, weight)
    return reduced(g, loss, _new(reduction, size_average, reduce))


@exporter("nll_loss", "nll_loss_nd", "nll_loss2d")
def nll_loss(
    g: Builder,
    input: Value,
    target: Value,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    reduction = _new(reduction, size_average, reduce)
    if len(input.shape) == 1:
        input, target = g.unsqueeze(input, 0), g.unsqueeze(target, 0)
        loss = g.op(
            "NegativeLogLikelihoodLoss", input, target, weight, ignore_index=ignore_index, reduction=reduction
        )
        return g.squeeze(loss, 0) if reduction == "none" else loss
    return g.op(
        "NegativeLogLikelihoodLoss", input, target, weight, ignore_index=ignore_index, reduction=reduction
    )


@exporter("cross_entropy", "cross_entropy_loss")
def cross_entropy(
    g: Builder,
    input: Value,
    target: Value,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Value:
    reduction = _new(reduction, size_average, reduce)
    axis = 0 if len(input.shape) == 1 else 1
    if target.dtype.is_floating_point:  # probabilities of the classes
        logs = _by_class(g, g.op("LogSoftmax", input, axis=axis), weight, axis)
        loss = g.op("Neg", g.reduce("ReduceSum", g.op("Mul", logs, target), [axis], False))
        if label_smoothing:
            loss = _mixed(g, loss, g.op("Neg", g.reduce("ReduceMean", logs, [axis], False)), label_smoothing)
        return reduced(g, loss, reduction)
    if label_smoothing:
        return _smoothed(g, input, target, weight, ignore_index, reduction, label_smoothing)
    if axis == 0:
        input, target = g.unsqueeze(input, 0), g.unsqueeze(target, 0)
    loss = g.op(
        "SoftmaxCrossEntropyLoss", input, target, weight, ignore_index=ignore_index, reduction=reduction
    )
    return g.squeeze(loss, 0) if axis == 0 and reduction == "none" else loss


def _by_class(g, logs, weight, axis):
    """Values of classes, along a dimension, by the weights of these."""
    if weight is None:
        return logs
    shape = [-1, *[1] * (len(logs.shape) - axis - 1)]
    return g.op("Mul", logs, g.op("Reshape", weight, g.ints(shape)), shape=logs.shape)


def _mixed(g, loss, even, smoothing):
    """The loss for the labels, and that for all classes evenly."""
    return g.op("Add", g.op("Mul", loss, 1.0 - smoothing), g.op("Mul", even, float(smoothing)))


def _smoothed(g, input, target, weight, ignore_index, reduction, smoothing):
    """The cross entropy of labels that are mixed with an even distribution."""
    alone = len(input.shape) == 1
    if alone:
        shape = (1, *input.shape)
        input, target = Value(g.unsqueeze(input, 0).name, input.dtype, shape), g.unsqueeze(target, 0)
    logs = g.op("LogSoftmax", input, axis=1)
    of_labels = g.op(
        "NegativeLogLikelihoodLoss", logs, target, weight, ignore_index=ignore_index, reduction="none"
    )
    even = g.op("Neg", g.reduce("ReduceMean", _by_class(g, logs, weight, 1), [1], False))
    ignored = g.op("Equal", target, ignore_index, dtype=dtypes.bool_)
    loss = g.where(ignored, 0, _mixed(g, of_labels, even, smoothing))
    if reduction == "none":
        return g.squeeze(loss, 0) if alone else loss
    total = g.reduce("ReduceSum", loss)
    if reduction == "sum":
        return total
    shares = g.cast(g.op("Not", ignored), input.dtype)
    if weight is not None:
        known = g.where(ignored, 0, target)
        shares = g.op("Mul", shares, g.op("Gather", weight, known, axis=0))
    return g.op("Div", total, g.reduce("ReduceSum", shares))


@exporter("kl_div")
def kl_div(
    g: Builder,
    input: Value,
    target: Value,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Value:
    reduction = _new(reduction, size_average, reduce)
    if log_target:
        loss = g.op("Mul", g.op("Exp", target), g.op("Sub", target, input))
    else:
        positive = g.op("Greater", target, 0, dtype=dtypes.bool_)
        logs = g.op("Log", g.where(positive, target, 1))
        loss = g.op("Sub", g.op("Mul", target, logs), g.op("Mul", target, input))
    if reduction == "batchmean":
        batch = input.shape[0] if input.shape else 1
        return g.op("Div", g.reduce("ReduceSum", loss), g.constant(batch, loss.dtype))
    return reduced(g, loss, reduction)


@exporter("poisson_nll_loss")
def poisson_nll_loss(
    g: Builder,
    input: Value,
    target: Value,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    if log_input:
        loss = g.op("Sub", g.op("Exp", input), g.op("Mul", target, input))
    else:
        loss = g.op("Sub", input, g.op("Mul", target, g.op("Log", g.op("Add", input, float(eps)))))
    if full:  # Stirling's approximation of log(target!)
        many = g.op("Greater", target, 1, dtype=dtypes.bool_)
        some = g.where(many, target, 1)
        rest = g.op("Mul", g.op("Log", g.op("Mul", some, 2 * math.pi)), 0.5)
        stirling = g.op("Add", g.op("Sub", g.op("Mul", some, g.op("Log", some)), some), rest)
        loss = g.op("Add", loss, g.where(many, stirling, 0))
    return reduced(g, loss, _new(reduction, size_average, reduce))


@exporter("hinge_embedding_loss")
def hinge_embedding_loss(
    g: Builder,
    input: Value,
    target: Value,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    near = g.op("Equal", target, 1, dtype=dtypes.bool_)
    far = g.op("Max", g.op("Sub", g.constant(float(margin), input.dtype), input), 0)
    known = g.op("Equal", target, -1, dtype=dtypes.bool_)
    loss = g.op("Add", g.where(g.op("Not", known), input, 0), g.where(near, 0, far))
    return reduced(g, loss, _new(reduction, size_average, reduce))


@exporter("margin_ranking_loss")
def margin_ranking_loss(
    g: Builder,
    input1: Value,
    input2: Value,
    target: Value,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    gap = g.op("Mul", g.op("Neg", target), g.op("Sub", input1, input2))
    return reduced(g, g.op("Max", g.op("Add", gap, float(margin)), 0), _new(reduction, size_average, reduce))


@exporter("soft_margin_loss")
def soft_margin_loss(
    g: Builder,
    input: Value,
    target: Value,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    return reduced(
        g, g.op("Softplus", g.op("Neg", g.op("Mul", target, input))), _new(reduction, size_average, reduce)
    )


@exporter("triplet_margin_loss")
def triplet_margin_loss(
    g: Builder,
    anchor: Value,
    positive: Value,
    negative: Value,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    from .matrices import pairwise_distance

    near = pairwise_distance(g, anchor, positive, p, eps)
    far = pairwise_distance(g, anchor, negative, p, eps)
    if swap:
        far = g.op("Min", far, pairwise_distance(g, positive, negative, p, eps))
    loss = g.op("Max", g.op("Add", g.op("Sub", near, far), float(margin)), 0)
    return reduced(g, loss, _new(reduction, size_average, reduce))


@exporter("cosine_embedding_loss")
def cosine_embedding_loss(
    g: Builder,
    input1: Value,
    input2: Value,
    target: Value,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    from .matrices import cosine_similarity

    cosine = cosine_similarity(g, input1, input2, len(input1.shape) - 1)
    one = g.constant(1, cosine.dtype)
    alike = g.op("Equal", target, 1, dtype=dtypes.bool_)
    loss = g.where(alike, g.op("Sub", one, cosine), g.op("Max", g.op("Sub", cosine, float(margin)), 0))
    return reduced(g, loss, _new(reduction, size_average, reduce))


@exporter("gaussian_nll_loss")
def gaussian_nll_loss(
    g: Builder,
    input: Value,
    target: Value,
    var: Any,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Value:
    if full:
        raise refuse("gaussian_nll_loss with full=True")
    if not isinstance(var, Value):
        var = g.constant(float(var), input.dtype)
    elif var.shape != input.shape and var.shape == input.shape[:-1]:  # one for each row
        var = g.unsqueeze(var, len(var.shape))
    var = g.op("Max", var, float(eps))
    gap = g.op("Sub", input, target)
    loss = g.op("Mul", g.op("Add", g.op("Log", var), g.op("Div", g.op("Mul", gap, gap), var)), 0.5)
    return reduced(g, loss, reduction)


@exporter("multilabel_soft_margin_loss")
def multilabel_soft_margin_loss(
    g: Builder,
    input: Value,
    target: Value,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    one = g.constant(1, input.dtype)
    no = g.op("Mul", g.op("Sub", one, target), g.op("Softplus", input))
    loss = g.op("Add", g.op("Mul", target, g.op("Softplus", g.op("Neg", input))), no)
    loss = loss if weight is None else g.op("Mul", loss, weight)
    each = g.reduce("ReduceMean", loss, [len(input.shape) - 1])
    return reduced(g, each, _new(reduction, size_average, reduce))


@exporter("multi_margin_loss")
def multi_margin_loss(
    g: Builder,
    input: Value,
    target: Value,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Value:
    if len(input.shape) != 2:
        raise refuse("multi_margin_loss of a single example")
    places = g.unsqueeze(target, 1)
    right = g.op("GatherElements", input, places, axis=1)
    gap = g.op("Max", g.op("Add", g.op("Sub", input, right), float(margin)), 0)
    gap = gap if p == 1 else g.op("Mul", gap, gap)
    if weight is not None:
        gap = g.op("Mul", gap, g.op("Gather", weight, places, axis=0))
    others = g.op(
        "ScatterElements", gap, places, g.op("Expand", g.constant(0, gap.dtype), g.shape_of(places)), axis=1
    )
    each = g.op("Div", g.reduce("ReduceSum", others, [1]), g.constant(input.shape[1], gap.dtype))
    return reduced(g, each, _new(reduction, size_average, reduce))
