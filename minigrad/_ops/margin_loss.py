"""Losses of margins: what is right is to exceed what is wrong by so much.  ``reduction`` is PyTorch's number, as in ``loss.py``."""

import math

from .._arrays import vocabulary as arrays
from .._arrays.kernels import margin_loss as kernels
from .._arrays.kernels.loss import MEAN, NONE, spread
from .._arrays.kernels.margin_loss import multilabel_margin_slope as slope_of
from .._base.dtypes import FLOATING, dtype_name, int64, promote_types, scalar_type_name
from .._base.errors import broadcast_shapes, check_sizes, flag, not_a_tensor, shape_text
from .._core.families import Fused, General, op
from .._core.tensor import Tensor
from .activation import logsigmoid
from .autocasting import widened
from .batches import everywhere
from .choose import minimum, where
from .create import full_like
from .distance import pairwise_distance
from .loss import Pairs, no_gradient, reduced, reduced_by_sample
from .operands import need_tensors
from .scalars import as_real, as_scalar

__all__ = ["cosine_embedding_loss", "hinge_embedding_loss", "margin_ranking_loss", "triplet_margin_loss"]


# Two classes -----------------------------------------------------------------------------------------------------------------


class SoftMarginLossBackward0(Pairs):
    """z = log(1 + exp(-x y)), reduced; the operands broadcast."""
    autocast = "full"
    operands, names = "x y", {"x": "self", "y": "target"}
    def forward(x, y, reduction):  return kernels.soft_margin(x, y, reduction)
    def refuse(error, xs, params):
        if isinstance(error, ValueError): check_sizes(xs[0].shape, xs[1].shape)
    def vjp_x(xp, g, x, y, x_shape, reduction):
        slope = -y * xp.sigmoid(-x * y)
        return xp.sum_to(slope * spread(g, reduction, xp.size(slope)), x_shape)
_soft_margin = op(SoftMarginLossBackward0)


def soft_margin_loss(input, target, reduction=MEAN):
    """``log(1 + exp(-target * input))``, reduced; ``target`` is 1 or -1."""
    no_gradient("soft_margin_loss", target=target)
    if broadcast_shapes([input.shape, target.shape]) != input.shape:
        shape = shape_text(broadcast_shapes([input.shape, target.shape]))
        raise RuntimeError(f"output with shape {shape_text(input.shape)} doesn't match the broadcast shape {shape}")
    if target.dtype.category > input.dtype.category >= FLOATING:
        raise RuntimeError(
            f"result type {scalar_type_name(promote_types(input.dtype, target.dtype))} can't be cast to the desired output type {scalar_type_name(input.dtype)}"
        )
    if input.dtype.category < FLOATING:
        z = (-target * -input).exp()  # bool has no negative
        raise RuntimeError(
            f"result type {scalar_type_name(z.dtype)} can't be cast to the desired output type {scalar_type_name(input.dtype)}"
        )
    if target.dtype is not input.dtype:
        target = target.to(input.dtype)
    if input.is_complex():
        return reduced((-target * input).exp().log1p(), reduction)
    return _soft_margin(input, target, reduction)


@widened
def hinge_embedding_loss(input, target, margin=1.0, reduction=NONE):
    """Compute ``input`` where ``target`` is 1, and ``max(margin - input, 0)`` where it is -1; reduced.

    The result is a 0-dim tensor, or has the common shape without reduction.

    >>> import minigrad
    >>> minigrad.hinge_embedding_loss(minigrad.tensor([2., 0.25]), minigrad.tensor([1., -1.]))
    tensor([2.0000, 0.7500])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("hinge_embedding_loss", "input", 1, input)
    # PyTorch subtracts in the dtype of the input
    apart = where(target != 1, (full_like(input, as_real(margin, "hinge_embedding_loss", "margin", 3)) - input).clamp_min(0), 0)
    return reduced(apart + where(target != -1, input, 0), reduction)


@widened
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=NONE):
    """Compute ``max(margin - target * (input1 - input2), 0)``, reduced: ``target`` is 1 where ``input1`` should be larger, -1 where
    ``input2`` should.

    The result is a 0-dim tensor, or has the common shape without reduction.

    >>> import minigrad
    >>> minigrad.margin_ranking_loss(minigrad.tensor([2.]), minigrad.tensor([3.]), minigrad.tensor([1.]))
    tensor([1.])
    """
    need_tensors("margin_ranking_loss", input1=input1, input2=input2, target=target)
    margin = float(as_real(margin, "margin_ranking_loss", "margin", 4))
    return reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


@widened
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=NONE):
    """Compute ``1 - cosine`` where ``target`` is 1, and ``max(cosine - margin, 0)`` where it is -1; reduced: ``(N, D), (N, D), (N) -> (N)``.

    >>> import minigrad
    >>> minigrad.cosine_embedding_loss(minigrad.ones(1, 2), minigrad.ones(1, 2), minigrad.ones(1))
    tensor([0.])
    """
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    expected = target.ndim + 1
    if input1.ndim != expected or input2.ndim != expected:
        raise RuntimeError(
            f"{target.ndim}D target tensor expects {expected}D input tensors, but found inputs with sizes {shape_text(input1.shape)} "
            f"and {shape_text(input2.shape)}."
        )
    eps = 1e-12
    product = (input1 * input2).sum(-1)
    cosine = product / (((input1 * input1).sum(-1) + eps) * ((input2 * input2).sum(-1) + eps)).sqrt()
    alike = where(target == 1, 1 - cosine, 0)
    return reduced(alike + where(target == -1, (cosine - float(margin)).clamp_min(0), 0), reduction)


# Several classes -------------------------------------------------------------------------------------------------------------


def _by_sample(shape):
    """The numbers of samples and classes of an input; raises RuntimeError."""
    if len(shape) > 2 or (len(shape) and not shape[-1]):
        raise RuntimeError(f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {shape_text(shape)}")
    return (shape[0] if len(shape) == 2 else 1), (shape[-1] if shape else 1)


def _check_long(target):
    if target.dtype is not int64:
        raise RuntimeError(f"expected scalar type Long but found {dtype_name(target)}")


def slope_by_sample(xp, g, x, slope, reduction, shape=None):
    """The gradient of x from each sample's slope, (N, C)."""
    g = spread(g, reduction, slope.shape[0])
    return xp.reshape(slope * (xp.reshape(g, (-1, 1)) if g.ndim else g), x.shape if shape is None else shape)


class MultiMarginLossBackward0(General):
    """z = Σ max(0, margin - x[t] + x[c])ᵖ / C over the classes c other than the target t, times w[t]; reduced: (N, C), (N) -> (N)."""
    operands, optional_from, names = "x target w", 2, {"x": "self", "w": "weight"}
    public = "multi_margin_loss"
    def batch(call, xs, batched, params, size):
        (x, target, w), (p, margin, reduction) = everywhere(xs, batched, size), params
        labels = target.reshape(size, -1)
        z = call(x.reshape(labels.numel(), -1), labels.reshape(-1), None, p, margin, NONE)
        if w is not None: z = z * w.gather(1, labels).reshape(-1)
        return reduced_by_sample(z.reshape(target.shape), reduction)
    def forward(x, target, w, p, margin, reduction): return kernels.multi_margin(x, target, w, p, margin, reduction)
    def vjp_x(xp, g, x, target, w, x_shape, p, margin, reduction):
        n, classes = _by_sample(x_shape)
        x = xp.reshape(x, (n, classes))
        index = xp.reshape(target, (n, 1))
        own = xp.one_hot(index, classes, x)
        over = xp.clip(margin + x - xp.take_along_axis(x, index, 1), 0, math.inf) * (1 - own)
        slope = (xp.astype_like(over > 0, x) if p == 1 else 2 * over) / classes
        if w is not None: slope = slope * xp.reshape(xp.take_slices(w, target, 0), (n, 1))
        slope = slope - own * xp.sum(slope, 1, True)
        return slope_by_sample(xp, g, x, slope, reduction, x_shape)
_multi_margin = op(MultiMarginLossBackward0)


@widened
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, reduction=MEAN):
    """``max(0, margin - input[target] + input[c]) ** p`` summed over the other classes c, divided by their number, weighted, reduced."""
    p, margin = as_scalar(p, "multi_margin_loss", "p", 3), as_scalar(margin, "multi_margin_loss", "margin", 4)
    no_gradient("multi_margin_loss", weight=weight)
    n, classes = _by_sample(input.shape)
    if target.ndim > 1 or target.numel() != n:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). Expected "
            f"target size [{n}], but got {shape_text(target.shape)}. Input has shape {shape_text(input.shape)}."
        )
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {shape_text(weight.shape)}")
    if not input.dtype.is_floating_point or input.dtype.itemsize == 2:
        raise NotImplementedError(f"\"multi_margin_loss_cpu_kernel\" not implemented for '{dtype_name(input)}'")
    _check_long(target)
    if weight is not None and weight.dtype is not input.dtype:
        raise RuntimeError(f"expected scalar type {dtype_name(input)} but found {dtype_name(weight)}")
    return _multi_margin(input, target, weight, p, margin, reduction)


class MultilabelMarginLossBackward0(Fused):
    """z = Σ max(0, 1 - x[t] + x[c]) / C over all labels t and all classes c that are none; reduced; also which classes are labels."""
    operands, results, nondiff, names = "x target", "z is_target", (1,), {"x": "self"}
    public = "multilabel_margin_loss"
    def batch(call, xs, batched, params, size):
        x, target = everywhere(xs, batched, size)
        shape = x.shape if x.ndim > 1 else (size, 1)
        z, is_target = call(x.reshape(-1, shape[-1]), target.reshape(-1, shape[-1]), NONE)
        return reduced_by_sample(z.reshape(shape[:-1]), params[0]), is_target.reshape(x.shape)
    def forward(x, target, reduction): return kernels.multilabel_margin(x, target, reduction)
    def vjp_x(xp, g, x, target, is_target, reduction): return slope_by_sample(xp, g, x, _multilabel_slope(x, target), reduction)
    def fused(g, needs, x, target, reduction): return slope_by_sample(arrays, g, x, slope_of(x, target), reduction), None
_multilabel_margin = op(MultilabelMarginLossBackward0)


class MultilabelMarginSlope(General):
    """The derivative of each sample's ``multilabel_margin_loss`` by its x, (N, C): constant between kinks."""
    operands, public = "x target", "multilabel_margin_slope"
    def batch(call, xs, batched, params, size):
        x, target = everywhere(xs, batched, size)
        classes = x.shape[-1] if x.ndim > 1 else 1
        return call(x.reshape(-1, classes), target.reshape(-1, classes)).reshape(size, -1, classes)
    def forward(x, target): return slope_of(x, target)
_multilabel_slope = op(MultilabelMarginSlope)


@widened
def multilabel_margin_loss(input, target, reduction=MEAN):
    """``max(0, 1 - input[t] + input[c])`` summed over the labels t, which in ``target`` end at the first -1, and the other classes c; reduced."""
    _by_sample(input.shape)
    if target.shape != input.shape:
        raise RuntimeError(f"inconsistent target size: {shape_text(target.shape)} for input of size: {shape_text(input.shape)}")
    if not input.dtype.is_floating_point or input.dtype.itemsize == 2:
        raise NotImplementedError(
            f"\"multilabel_margin_loss_forward_out_frame\" not implemented for '{dtype_name(input)}'"
        )
    _check_long(target)
    return _multilabel_margin(input, target, reduction)[0]


def multilabel_soft_margin_loss(input, target, weight, reduction):
    """The binary cross entropies of ``sigmoid(input)`` and ``target``, weighted, averaged over the last axis of ``input``, reduced."""
    z = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        z = z * weight
    return reduced(z.sum(input.dim() - 1) / input.size(-1), reduction)


# Triplets --------------------------------------------------------------------------------------------------------------------


def check_triplet(anchor, positive, negative):
    """Raise RuntimeError unless all have as many dimensions."""
    a, p, n = (x.ndim for x in (anchor, positive, negative))
    if not a == p == n:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {a}D, positive {p}D, and negative {n}D inputs"
        )


def triplet_loss(anchor, positive, negative, distance, margin, swap, reduction):
    """``max(distance to positive - distance to negative + margin, 0)``, reduced.

    With ``swap`` the negative's distance is that to the anchor or the positive, whichever is less.
    """
    check_triplet(anchor, positive, negative)
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return reduced((margin + near - far).clamp_min(0), reduction)


@widened
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction=NONE):
    """Compute ``max(d(anchor, positive) - d(anchor, negative) + margin, 0)``, where d is the ``p``-norm of the difference; reduced:
    ``(N, D) -> (N)``.

    >>> import minigrad
    >>> minigrad.triplet_margin_loss(minigrad.zeros(1, 2), minigrad.zeros(1, 2), minigrad.ones(1, 2), eps=0.)
    tensor([0.])
    """
    flag(swap, "triplet_margin_loss", "swap", 7)

    def distance(x, y):
        return pairwise_distance(x, y, p, eps)
    return triplet_loss(anchor, positive, negative, distance, margin, swap, reduction)
