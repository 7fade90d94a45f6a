"""Losses.  ``reduction`` is PyTorch's number here: 0 none, 1 the mean, 2 the sum; ``nn.functional`` knows the names."""

import numpy as np

from .._core import loss_kernels as kernels
from .._core.dtypes import from_numpy_dtype, promote_types, scalar_type_name
from .._core.errors import check_sizes
from .._core.families import General, op
from .._core.loss_kernels import MEAN, NONE
from .._core.tensor import wrap
from .activation import check_floating

__all__ = []


def _one_dtype(x, y):
    """Both operands in their common dtype."""
    if x.dtype is y.dtype:
        return x, y
    common = promote_types(x.dtype, y.dtype)
    return (x if x.dtype is common else x.to(common)), (y if y.dtype is common else y.to(common))


def _differ(error, xs, params):
    if isinstance(error, ValueError):
        check_sizes(xs[0].shape, xs[1].shape)
        raise error


# Differences ---------------------------------------------------------------------------------------------------------------


class MseLossBackward0(General):
    """z = (x - y)², reduced; the operands broadcast."""
    operands, names, refuse = "x y", {"x": "self", "y": "target"}, _differ
    def forward(x, y, reduction):
        check_floating("mse_cpu", x)
        return kernels.mse(x, y, reduction)
    def vjp_x(xp, g, x, y, x_shape, reduction): return xp.sum_to(xp.mse_backward(g, x, y, reduction), x_shape)
    def vjp_y(xp, g, x, y, y_shape, reduction): return xp.sum_to(xp.mse_backward(g, y, x, reduction), y_shape)
_mse = op(MseLossBackward0)


def mse_loss(input, target, reduction=MEAN):
    """``(input - target) ** 2``, reduced."""
    return _mse(input, target, reduction) if input.dtype is target.dtype else _mse(*_one_dtype(input, target), reduction)


class SmoothL1LossBackward0(General):
    """z = d - beta/2 for d = |x - y|, or d²/(2 beta) where d < beta; reduced; the operands broadcast."""
    operands, names, refuse = "x y", {"x": "self", "y": "target"}, _differ
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
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return l1_loss(input, target, reduction) if beta == 0 else _smooth_l1(*_one_dtype(input, target), reduction, beta)


class HuberLossBackward0(General):
    """z = delta (d - delta/2) for d = |x - y|, or d²/2 where d <= delta; reduced; the operands broadcast."""
    operands, names, refuse = "x y", {"x": "self", "y": "target"}, _differ
    def forward(x, y, reduction, delta):
        check_floating("huber_cpu", x)
        return kernels.huber(x, y, reduction, delta)
    def vjp_x(xp, g, x, y, x_shape, reduction, delta): return xp.sum_to(_slope(xp, g, x - y, delta, reduction), x_shape)
    def vjp_y(xp, g, x, y, y_shape, reduction, delta): return xp.sum_to(_slope(xp, g, y - x, delta, reduction), y_shape)
_huber = op(HuberLossBackward0)


def huber_loss(input, target, reduction=MEAN, delta=1.0):
    """``delta * (|input - target| - delta / 2)``, or half the square of the difference up to ``delta``; reduced."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return _huber(*_one_dtype(input, target), reduction, delta)


def _reduce(values, reduction):
    return values if reduction == NONE else values.mean() if reduction == MEAN else values.sum()


def l1_loss(input, target, reduction=MEAN):
    """``|input - target|``, reduced."""
    return _reduce((input - target).abs(), reduction)


# Probabilities -------------------------------------------------------------------------------------------------------------


class BinaryCrossEntropyBackward0(General):
    """z = -(y log x + (1 - y) log(1 - x)), the logarithms at least -100, times w; reduced."""
    operands, optional_from, names = "x y w", 2, {"x": "self", "y": "target", "w": "weight"}
    def forward(x, y, w, reduction):
        check_floating("binary_cross_entropy", x)
        if x.dtype != y.dtype: raise RuntimeError(f"Found dtype {_type(y)} but expected {_type(x)}")
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


def _type(array):
    return scalar_type_name(from_numpy_dtype(array.dtype))


def binary_cross_entropy(input, target, weight=None, reduction=MEAN):
    """The cross entropy of probabilities ``input`` and ``target``, each of two classes; reduced."""
    return _binary_cross_entropy(input, target, weight, reduction)


class BinaryCrossEntropyWithLogitsBackward0(General):
    """z = (1 - y) x - log sigmoid(x), reduced."""
    operands, names = "x y", {"x": "self", "y": "target"}
    _saved_weight = _saved_pos_weight = None
    def forward(x, y, reduction):
        check_floating("log_sigmoid_cpu", x)
        return kernels.binary_cross_entropy_with_logits(x, y, None, None, reduction)
    def vjp_x(xp, g, x, y, reduction): return (xp.sigmoid(x) - y) * kernels.spread(g, reduction, xp.size(x))
    def vjp_y(xp, g, x, reduction):    return -x * kernels.spread(g, reduction, xp.size(x))
_with_logits = op(BinaryCrossEntropyWithLogitsBackward0)


class BinaryCrossEntropyWithLogitsBackward0(General):
    """z = (1 - y) x - (1 + (p - 1) y) log sigmoid(x), times w; reduced; w and p broadcast."""
    operands, optional_from, names = "x y w p", 2, {"x": "self", "y": "target", "w": "weight", "p": "pos_weight"}
    public = "binary_cross_entropy_with_logits"
    def forward(x, y, w, p, reduction):
        check_floating("log_sigmoid_cpu", x)
        return kernels.binary_cross_entropy_with_logits(x, y, w, p, reduction)
    def vjp_x(xp, g, x, y, w, p, reduction):
        slope = xp.sigmoid(x) - y if p is None else (p * y + 1 - y) * xp.sigmoid(x) - p * y
        return (slope if w is None else slope * w) * kernels.spread(g, reduction, xp.size(x))
    def vjp_y(xp, g, x, w, p, reduction):
        slope = -x if p is None else -x - (p - 1) * xp.log_sigmoid(x)
        return (slope if w is None else slope * w) * kernels.spread(g, reduction, xp.size(x))
_with_weighted_logits = op(BinaryCrossEntropyWithLogitsBackward0)


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=MEAN):
    """As ``binary_cross_entropy`` of ``sigmoid(input)``, without its rounding errors; ``pos_weight`` weighs the first class."""
    if weight is None and pos_weight is None and input.dtype is target.dtype:
        return _with_logits(input, target, reduction)
    for other in (weight, pos_weight):
        if other is not None:
            check_sizes(input.shape, other.shape)
    input, target = _one_dtype(input, target)
    return _with_weighted_logits(input, target, weight, pos_weight, reduction)


def kl_div(input, target, reduction=MEAN, log_target=False):
    """``target * (log(target) - input)``, reduced: the divergence of ``exp(input)`` from ``target``."""
    for x in (input, target):
        if not x.is_floating_point() and not x.is_complex():
            raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        return _reduce(target.exp() * (target - input), reduction)
    return _reduce(target.xlogy(target) - target * input, reduction)


# Classes -------------------------------------------------------------------------------------------------------------------


class NllLossBackward0(General):
    """z = -w[t] x[n, t], reduced: (N, C), (N,) -> (N,); the mean is weighted; targets ``ignore_index`` count nothing."""
    operands, optional_from, names = "x target w", 2, {"x": "self", "target": "target", "w": "weight"}
    public = "nll_loss"
    def forward(x, target, w, reduction, ignore_index):
        check_floating("nll_loss_out_frame", x)
        return kernels.nll(x, target, w, reduction, ignore_index)
    def vjp_x(xp, g, x_shape, target, w, reduction, ignore_index):
        return xp.nll_backward(g, x_shape, target, w, reduction, ignore_index)
    def saved(self, name):
        if name != "total_weight": return General.saved(self, name)
        target, weight, (shape, *_) = self.saved("target"), self.saved("weight"), self.shapes
        dtype = np.dtype("float32") if weight is None else weight._array.dtype
        return wrap(kernels.total_weight(target._array, shape[min(len(shape) - 1, 1)], None if weight is None else weight._array,
                                         self.params[1], dtype))
_nll = op(NllLossBackward0)


class NllLoss2DBackward0(NllLossBackward0):
    """The same with further axes: (N, C, ...), (N, ...) -> (N, ...)."""
    forward, vjp_x = NllLossBackward0.forward, NllLossBackward0.vjp_x
_nll_2d = op(NllLoss2DBackward0)


def _check_nll(input, target, weight):
    n = input.ndim
    if n < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {n})")
    if n != 1 and input.shape[0] != (target.shape[0] if target.ndim else -1):
        size = target.shape[0] if target.ndim else 1
        raise ValueError(f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({size}).")
    if n <= 2:
        if target.ndim > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if n == 1 and target.numel() != 1:
            raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target.numel()}")
    elif n == 4:
        if target.ndim != 3:
            raise RuntimeError(
                f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {target.ndim}"
            )
        if target.shape[1:] != input.shape[2:]:
            raise RuntimeError(f"size mismatch (got input: {list(input.shape)} , target: {list(target.shape)}")
    elif target.shape[1:] != input.shape[2:]:
        raise RuntimeError(f"Expected target size {[input.shape[0], *input.shape[2:]]}, got {list(target.shape)}")
    if target.dtype.name not in ("int64", "uint8"):
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {scalar_type_name(target.dtype)}"
        )
    if weight is not None:
        classes = input.shape[0 if n == 1 else 1]
        if weight.ndim != 1 or weight.numel() != classes:
            raise RuntimeError(
                f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
                f"shape: {list(weight.shape)}"
            )
        if weight.dtype is not input.dtype:
            raise RuntimeError(
                f"expected scalar type {scalar_type_name(input.dtype)} but found {scalar_type_name(weight.dtype)}"
            )


def nll_loss(input, target, weight=None, reduction=MEAN, ignore_index=-100):
    """Minus the elements of ``input`` (N, C, ...) at the classes ``target`` (N, ...), weighted and reduced."""
    _check_nll(input, target, weight)
    return (_nll if input.ndim < 3 else _nll_2d)(input, target, weight, reduction, ignore_index)


def cross_entropy_loss(input, target, weight=None, reduction=MEAN, ignore_index=-100, label_smoothing=0.0):
    """The cross entropy of ``softmax(input)`` and ``target``: classes, or probabilities in the shape of ``input``."""
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    class_axis = 0 if input.ndim == 1 else 1
    if input.shape == target.shape:
        if target.dtype.name not in ("float16", "bfloat16", "float32", "float64"):
            raise RuntimeError(
                f"Expected floating point type for target with class probabilities, got {scalar_type_name(target.dtype)}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _with_probabilities(input, target, weight, reduction, label_smoothing, class_axis)
    log_p = input.log_softmax(class_axis)
    if label_smoothing == 0:
        return nll_loss(log_p, target, weight, reduction, ignore_index)
    return _smoothed(log_p, target, weight, reduction, ignore_index, label_smoothing, class_axis)


def _along_classes(weight, ndim, class_axis):
    return weight.reshape([-1 if d == class_axis else 1 for d in range(ndim)])


def _check_weight(weight, classes):
    if weight is not None and (weight.ndim != 1 or weight.numel() != classes):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got weight "
            f"tensor of shape: {list(weight.shape)}"
        )


def _with_probabilities(input, target, weight, reduction, label_smoothing, class_axis):
    classes = input.shape[class_axis]
    _check_weight(weight, classes)
    log_p = input.log_softmax(class_axis)
    if label_smoothing > 0:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    z = log_p * target
    if weight is not None:
        z = z * _along_classes(weight, input.ndim, class_axis)
    if reduction == NONE:
        return -z.sum(class_axis)
    total = -z.sum()
    return total / (input.numel() / classes if classes else 0) if reduction == MEAN else total


def _smoothed(log_p, target, weight, reduction, ignore_index, label_smoothing, class_axis):
    classes = log_p.shape[class_axis]
    nll = nll_loss(log_p, target, weight, reduction, ignore_index)
    if weight is None:
        smooth = -log_p.sum(class_axis)
    else:
        smooth = -(log_p * _along_classes(weight, log_p.ndim, class_axis)).sum(class_axis)
    ignored = target == ignore_index
    smooth = smooth.masked_fill(ignored.reshape(smooth.shape), 0.0)
    if reduction == MEAN:
        if weight is None:
            n = ignored.numel() - int(ignored.sum())
            smooth = smooth.sum() / n if n else smooth.sum() * float("nan")
        else:
            smooth = smooth.sum() / _total_weight(target, classes, weight, ignore_index)
    elif reduction != NONE:
        smooth = smooth.sum()
    return nll * (1 - label_smoothing) + smooth * (label_smoothing / classes)


def _total_weight(target, classes, weight, ignore_index):
    """The sum of the weights of all targets that are not ignored."""
    array = weight._array
    return wrap(kernels.total_weight(target._array.reshape(-1), classes, array, ignore_index, array.dtype))
