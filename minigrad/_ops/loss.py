"""Losses of pairs of tensors.  ``reduction`` is PyTorch's number here: 0 none, 1 the mean, 2 the sum; ``nn.functional`` knows the names."""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.kernels import loss as kernels
from .._arrays.kernels.loss import MEAN, NONE, SUM
from .._base.dtypes import bool_, can_cast, dtype_name, float32, float64, promote_types, scalar_type_name
from .._base.errors import broadcast_shapes, check_sizes, flag, shape_text, type_name
from .._core.families import General, op
from .._core.modes import thread_state
from .._core.storage import INFERENCE
from .._core.tensor import Tensor
from .activation import check_floating
from .autocasting import current_dtype, widened
from .batches import aligned, everywhere
from .convert import as_dtype
from .operands import need_tensors

__all__ = ["poisson_nll_loss"]


def _one_dtype(x, y):
    """Both operands in their common dtype, where kernels and formulas do not see to that."""
    if x.dtype is y.dtype or (x.dtype in _MIXED and y.dtype in _MIXED):
        return x, y
    common = promote_types(x.dtype, y.dtype)
    return _as(x, common), _as(y, common)


_MIXED = {float32, float64}


def _as(x, dtype):
    """``x`` in a dtype; that of an inference tensor is one as well, so that it is refused where ``x`` would have to be saved."""
    if x.dtype is dtype:
        return x
    converted = x.to(dtype)
    if x._storage is INFERENCE:
        converted._storage = INFERENCE
    return converted


def no_gradient(function, **operands):
    """Raise RuntimeError if one of the operands, by their names, wants a gradient, which this function does not give."""
    for name, x in operands.items():
        if x is not None and x.requires_grad and thread_state.recording:
            raise RuntimeError(
                f"The function '{function}' is not differentiable with respect to argument '{name}'. This input cannot have "
                "requires_grad True."
            )


def _differ(error, xs, params):
    if isinstance(error, ValueError):
        check_sizes(xs[0].shape, xs[1].shape)
        raise error


class Pairs(General):
    """A loss of elements that broadcast, reduced: for a batch, over each sample."""
    __slots__ = ()
    def batch(call, xs, batched, params, size):
        place = call.op.plan.params.index("reduction")
        if len({x._array.ndim - b for x, b in zip(xs, batched) if x is not None}) == 1:  # so that no formula broadcasts
            xs, batched = everywhere(xs, batched, size), [x is not None for x in xs]
        ndim = max([x._array.ndim - b for x, b in zip(xs, batched) if x is not None])
        z = call(*[aligned(x, b, ndim) for x, b in zip(xs, batched)], *params[:place], NONE, *params[place + 1 :])
        return reduced_by_sample(z, params[place])


def reduced_by_sample(z, reduction):
    """The values of a batch of samples; or the mean or the sum over each."""
    if reduction == NONE or z._array.ndim == 1: return z
    dims = tuple(range(1, z._array.ndim))
    return z.mean(dims) if reduction == MEAN else z.sum(dims)


# Differences ---------------------------------------------------------------------------------------------------------------


class MseLossBackward0(Pairs):
    """z = (x - y)², reduced; the operands broadcast;   dz/dx = 2 (x - y), dz/dy = 2 (y - x)."""
    autocast = "full"
    operands, names, refuse, mixes = "x y", {"x": "self", "y": "target"}, _differ, True
    def forward(x, y, reduction):
        check_floating("mse_cpu", x)
        return kernels.mse(x, y, reduction)
    def vjp_x(xp, g, x, y, x_shape, reduction): return xp.sum_to(_twice(xp, g, x - y, reduction), x_shape)
    def vjp_y(xp, g, x, y, y_shape, reduction): return xp.sum_to(_twice(xp, g, y - x, reduction), y_shape)
    def fused_x(g, x, y, x_shape, reduction):   return arrays.sum_to(kernels.mse_backward(g, x, y, reduction), x_shape)
    def fused_y(g, x, y, y_shape, reduction):   return arrays.sum_to(kernels.mse_backward(g, y, x, reduction), y_shape)
_mse = op(MseLossBackward0)


def _twice(xp, g, d, reduction):
    return d * (g * (2 / xp.size(d) if reduction == MEAN and xp.size(d) else 2))


def mse_loss(input, target, reduction=MEAN):
    """``(input - target) ** 2``, reduced."""
    return _mse(input, target, reduction) if input.dtype is target.dtype else _mse(*_one_dtype(input, target), reduction)


class SmoothL1LossBackward0(Pairs):
    """z = d - beta/2 for d = |x - y|, or d²/(2 beta) where d < beta; reduced; the operands broadcast."""
    autocast = "full"
    operands, names, refuse, mixes = "x y", {"x": "self", "y": "target"}, _differ, True
    def forward(x, y, reduction, beta):
        check_floating("smooth_l1_cpu", x)
        return kernels.smooth_l1(x, y, reduction, beta)
    def vjp_x(xp, g, x, y, x_shape, reduction, beta): return xp.sum_to(_slope(xp, g, (x - y) / beta, 1.0, reduction), x_shape)
    def vjp_y(xp, g, x, y, y_shape, reduction, beta): return xp.sum_to(_slope(xp, g, (y - x) / beta, 1.0, reduction), y_shape)
_smooth_l1 = op(SmoothL1LossBackward0)


def _slope(xp, g, d, limit, reduction):
    return xp.clip(d, -limit, limit) * kernels.spread(g, reduction, xp.size(d))


def smooth_l1_loss(input, target, reduction=MEAN, beta=1.0):
    """``|input - target| - beta / 2``, or ``(input - target) ** 2 / (2 * beta)`` where the difference is below ``beta``; reduced."""
    if not beta >= 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return l1_loss(input, target, reduction) if beta == 0 else _smooth_l1(*_one_dtype(input, target), reduction, beta)


class HuberLossBackward0(Pairs):
    """z = delta (d - delta/2) for d = |x - y|, or d²/2 where d <= delta; reduced; the operands broadcast."""
    autocast = "full"
    operands, names, refuse, mixes = "x y", {"x": "self", "y": "target"}, _differ, True
    def forward(x, y, reduction, delta):
        check_floating("huber_cpu", x)
        return kernels.huber(x, y, reduction, delta)
    def vjp_x(xp, g, x, y, x_shape, reduction, delta): return xp.sum_to(_slope(xp, g, x - y, delta, reduction), x_shape)
    def vjp_y(xp, g, x, y, y_shape, reduction, delta): return xp.sum_to(_slope(xp, g, y - x, delta, reduction), y_shape)
_huber = op(HuberLossBackward0)


def huber_loss(input, target, reduction=MEAN, delta=1.0):
    """``delta * (|input - target| - delta / 2)``, or half the square of the difference up to ``delta``; reduced."""
    if not delta > 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return _fitting(_huber(*_one_dtype(input, target), reduction, delta), input.dtype)


def _fitting(z, dtype):
    """The loss, as the dtype of the tensor that PyTorch writes it into, unless autocast has chosen one; raises RuntimeError where that cannot hold it."""
    if current_dtype() is not None:
        return z
    if z.dtype is not dtype and not can_cast(z.dtype, dtype):
        raise RuntimeError(f"result type {scalar_type_name(z.dtype)} can't be cast to the desired output type {scalar_type_name(dtype)}")
    return as_dtype(z, dtype)


def reduced(values, reduction):
    """The values, their mean or their sum; raises TypeError for a reduction that is no int."""
    if reduction.__class__ is not int and not isinstance(reduction, np.integer) and not isinstance(reduction, Tensor):
        raise TypeError(f"argument 'reduction' must be int, not {type_name(reduction)}")
    return values.mean() if reduction == MEAN else values.sum() if reduction == SUM else values


@widened
def l1_loss(input, target, reduction=MEAN):
    """``|input - target|``, reduced."""
    return reduced((input - target).abs(), reduction)


# Probabilities -------------------------------------------------------------------------------------------------------------


class BinaryCrossEntropyBackward0(Pairs):
    """z = -(y log x + (1 - y) log(1 - x)), the logarithms at least -100, times w; reduced."""
    autocast = "full"
    operands, optional_from, names = "x y w", 2, {"x": "self", "y": "target", "w": "weight"}
    def forward(x, y, w, reduction):
        check_floating("binary_cross_entropy", x)
        if x.dtype != y.dtype: raise RuntimeError(f"Found dtype {dtype_name(y)} but expected {dtype_name(x)}")
        for name, v in (("input", x), ("target", y)):
            if not ((v >= 0) & (v <= 1)).all(): raise RuntimeError(f"all elements of {name} should be between 0 and 1")
        return kernels.binary_cross_entropy(x, y, w, reduction)
    def vjp_x(xp, g, x, y, w, reduction):
        slope = (x - y) / xp.clip((1 - x) * x, 1e-12, np.inf)
        return (slope if w is None else slope * w) * kernels.spread(g, reduction, xp.size(x))
    def vjp_y(xp, g, x, w, reduction):
        slope = xp.log(1 - x) - xp.log(x)
        return (slope if w is None else slope * w) * kernels.spread(g, reduction, xp.size(x))
_binary_cross_entropy = op(BinaryCrossEntropyBackward0)


def binary_cross_entropy(input, target, weight=None, reduction=MEAN):
    """The cross entropy of probabilities ``input`` and ``target``, each of two classes; reduced."""
    no_gradient("binary_cross_entropy", weight=weight)
    return _binary_cross_entropy(input, target, _in_dtype_of(input, weight), reduction)


def _in_dtype_of(input, weight):
    """Weights, or None, in the dtype of the loss."""
    return weight if weight is None or weight.dtype is input.dtype else weight.to(input.dtype)


class BinaryCrossEntropyWithLogitsBackward0(Pairs):
    """z = (1 - y) x - log sigmoid(x), reduced."""
    autocast = "full"
    operands, names = "x y", {"x": "self", "y": "target"}
    _saved_weight = _saved_pos_weight = None
    def forward(x, y, reduction):
        check_floating("log_sigmoid_cpu", x)
        return kernels.binary_cross_entropy_with_logits(x, y, None, None, reduction)
    def vjp_x(xp, g, x, y, reduction): return (xp.sigmoid(x) - y) * kernels.spread(g, reduction, xp.size(x))
    def vjp_y(xp, g, x, reduction):    return -x * kernels.spread(g, reduction, xp.size(x))
    def inputs(x, y, reduction): return x, y, None, None, reduction
_with_logits = op(BinaryCrossEntropyWithLogitsBackward0)


class WeightedBinaryCrossEntropyWithLogits(Pairs, node="BinaryCrossEntropyWithLogitsBackward0"):
    """z = (1 - y) x - (1 + (p - 1) y) log sigmoid(x), times w; reduced, in the dtype of y; w and p broadcast."""
    autocast = "full"
    operands, optional_from, names = "x y w p", 2, {"x": "self", "y": "target", "w": "weight", "p": "pos_weight"}
    public = "binary_cross_entropy_with_logits"
    def forward(x, y, w, p, reduction):
        check_floating("log_sigmoid_cpu", x)
        return kernels.binary_cross_entropy_with_logits(x, y, w, p, reduction)
    def vjp_x(xp, g, x, y, w, p, reduction):
        slope = xp.sigmoid(x) - y if p is None else (p * y + 1 - y) * xp.sigmoid(x) - p * y
        return xp.astype_like((slope if w is None else slope * w) * kernels.spread(g, reduction, xp.size(x)), x)
    def vjp_y(xp, g, x, y, w, p, reduction):
        slope = -x if p is None else -x - (p - 1) * xp.log_sigmoid(x)
        return xp.astype_like((slope if w is None else slope * w) * kernels.spread(g, reduction, xp.size(x)), y)
_with_weighted_logits = op(WeightedBinaryCrossEntropyWithLogits)


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=MEAN):
    """Like ``binary_cross_entropy`` of ``sigmoid(input)``, without its rounding errors; ``pos_weight`` weighs the first class."""
    if weight is None and pos_weight is None and input.dtype is target.dtype:
        if input.shape != target.shape:
            _check_holds(target, input.shape)
        return _with_logits(input, target, reduction)
    if input.is_floating_point():  # the operator says itself what else it does not take
        _check_written_into(target, input, weight, pos_weight)
    for other in (weight, pos_weight):
        if other is not None:
            check_sizes(input.shape, other.shape)
    if pos_weight is not None:
        _check_holds(input, broadcast_shapes([target.shape, pos_weight.shape]))
    _check_holds(target, input.shape)
    if weight is not None:
        _check_holds(target, weight.shape)
    return _with_weighted_logits(input, target, weight, pos_weight, reduction)


def _check_holds(x, shape):
    """Raise RuntimeError unless products of ``x`` with a tensor of ``shape`` can be written into one like ``x``."""
    whole = broadcast_shapes([x.shape, shape])
    if whole != tuple(x.shape):
        raise RuntimeError(f"output with shape {shape_text(x.shape)} doesn't match the broadcast shape {shape_text(whole)}")


def _check_written_into(target, *factors):
    """Raise RuntimeError if a target does not hold ``(1 - target)`` times the factors: PyTorch computes the loss in its dtype."""
    if target.dtype is bool_:
        raise RuntimeError("Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.")
    for x in factors:
        if x is not None and not can_cast(x.dtype, target.dtype):
            raise RuntimeError(f"result type {dtype_name(x)} can't be cast to the desired output type {dtype_name(target)}")


@widened
def kl_div(input, target, reduction=MEAN, log_target=False):
    """``target * (log(target) - input)``, reduced: the divergence of ``exp(input)`` from ``target``."""
    for x in (input, target):
        if not x.is_floating_point() and not x.is_complex():
            raise RuntimeError("kl_div: Integral inputs not supported.")
    if input.is_complex() or target.is_complex():
        raise RuntimeError("kl_div: Complex inputs not supported.")
    if log_target:
        return reduced(target.exp() * (target - input), reduction)
    return reduced(target.xlogy(target) - target * input, reduction)


# Counts, distributions -----------------------------------------------------------------------------------------------------


@widened
def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    """Compute the negative log-likelihood of Poisson counts: ``exp(input) - target * input``, or ``input - target * log(input + eps)``
    unless ``log_input``; reduced.

    ``full`` adds Stirling's approximation of log(target!). Shapes broadcast; ``reduction`` is 0 for none, 1 for the mean, 2 for the sum.

    >>> import minigrad
    >>> minigrad.poisson_nll_loss(minigrad.zeros(1), minigrad.ones(1), True, False, 1e-8, 1)
    tensor(1.)
    """
    need_tensors("poisson_nll_loss", input=input, target=target)
    for place, (name, value) in enumerate((("log_input", log_input), ("full", full)), 3):
        flag(value, "poisson_nll_loss", name, place)
    if not isinstance(reduction, int):
        raise TypeError(f"poisson_nll_loss(): argument 'reduction' (position 6) must be int, not {type_name(reduction)}")
    z = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        log_factorial = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        z = (z + log_factorial.masked_fill(target <= 1, 0)).to(z.dtype)
    return reduced(z, reduction)


def gaussian_nll_loss(input, target, var, full, eps, reduction):
    """``(log(var) + (input - target)² / var) / 2`` with ``var`` at least ``eps``; ``full`` adds log(2π) / 2; reduced.

    The gradient passes the limit to ``var`` as if there were none.
    """
    var = var.clone()
    var.detach().clamp_(min=eps)
    z = 0.5 * (var.log() + (input - target) ** 2 / var)
    return reduced(z + 0.5 * math.log(2 * math.pi) if full else z, reduction)
