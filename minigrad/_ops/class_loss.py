"""Losses of scores and classes: ``nll_loss``, cross entropy.  ``reduction`` is PyTorch's number, as in ``loss.py``."""

import numpy as np

from .._arrays.kernels import loss as kernels
from .._arrays.kernels.loss import MEAN, NONE
from .._base.dtypes import dtype_name
from .._base.errors import type_name
from .._core.families import General, op
from .._core.tensor import Tensor, wrap
from .activation import check_floating
from .autocasting import widened
from .batches import aligned, everywhere
from .choose import where
from .loss import no_gradient

__all__ = []


def weights_of(w, target, ignore_index, is_batched=False):
    """The weight of each target; 0 for what is ignored.  ``w`` is (C,), or (B, C) and the targets (B, ...)."""
    kept = target != ignore_index
    index = where(kept, target, 0)
    found = w.gather(1, index.reshape(index.shape[0], -1)) if is_batched else w.take(index)
    return found.reshape(target.shape) * kept


class NllSlopes(General):
    """The derivative of ``nll_loss`` by the element of x that each target picks; and the targets, of some class where they are ignored."""
    operands, results, nondiff, optional_from, public = "target w", "slope index", (0, 1), 1, "nll_slopes"
    def batch(call, xs, batched, params, size):
        (target, w), (classes, reduction, ignore_index, dtype) = xs, params
        target, = everywhere(xs[:1], batched, size)
        slope, index = call(target, None, classes, NONE, ignore_index, dtype)
        weights = -slope if w is None else weights_of(w, target, ignore_index, batched[1])
        if reduction == MEAN: weights = where(slope == 0, 0.0, weights / aligned(weights.reshape(size, -1).sum(1), True, target.ndim - 1))
        return -weights, index
    def forward(target, w, classes, reduction, ignore_index, dtype):
        slope, index = kernels.nll_slopes(target, classes, w, reduction, ignore_index, dtype)
        return np.array(np.broadcast_to(slope, target.shape)), index
_nll_slopes = op(NllSlopes)


class NllLossBackward0(General):
    """z = -w[t] x[n, t], reduced: (N, C), (N,) -> (N,); the mean is weighted; targets ``ignore_index`` count nothing."""
    autocast = "full"
    aten = "nll_loss_forward.default"
    linear = True
    def batch(call, xs, batched, params, size):
        (x, target), w, (reduction, ignore_index) = everywhere(xs[:2], batched, size), xs[2], params
        if x.ndim == 2: z = call(x, target.reshape(size), None, NONE, ignore_index).reshape(target.shape)
        else: z = call(x.flatten(0, 1), target.flatten(0, 1), None, NONE, ignore_index).reshape(target.shape)
        if w is None and reduction == NONE: return z
        weights = (target != ignore_index).to(x.dtype) if w is None else weights_of(w, target, ignore_index, batched[2])
        if w is not None: z = z * weights
        if reduction == NONE: return z
        z = z.reshape(size, -1).sum(1)
        return z / weights.reshape(size, -1).sum(1) if reduction == MEAN else z
    operands, optional_from, names = "x target w", 2, {"x": "self", "target": "target", "w": "weight"}
    public, more_saved = "nll_loss", "total_weight"
    def forward(x, target, w, reduction, ignore_index):
        check_floating("nll_loss_out_frame", x)
        return kernels.nll(x, target, w, reduction, ignore_index)
    def vjp_x(xp, g, x_shape, target, w, reduction, ignore_index):
        axis = 0 if len(x_shape) == 1 else 1
        slope, index = _nll_slopes(target, w, x_shape[axis], reduction, ignore_index, g._array.dtype)
        g = g * slope
        if g.ndim == len(x_shape): g, index = g.reshape(()), index.reshape(())  # one target for one row
        return xp.put_along_axis(xp.expand_dims(g, axis), xp.expand_dims(index, axis), axis, x_shape)
    fused_x = kernels.nll_backward
    def saved(self, name):
        if name != "total_weight": return General.saved(self, name)
        target, weight, (shape, *_) = self.saved("target"), self.saved("weight"), self.shapes
        from .._core.families.shown import known
        beside = known(self, "self") if weight is None else weight._array
        dtype = np.dtype("float32") if beside is None else beside.dtype
        return wrap(kernels.total_weight(target._array, shape[min(len(shape) - 1, 1)], None if weight is None else weight._array,
                                         self.params[1], dtype))
    event = "nll_loss_nd nll_loss nll_loss_forward"
_nll = op(NllLossBackward0)


class NllLoss2DBackward0(NllLossBackward0):
    """The same with further axes: (N, C, ...), (N, ...) -> (N, ...)."""
    aten = "nll_loss2d_forward.default"
    forward, vjp_x = NllLossBackward0.forward, NllLossBackward0.vjp_x
    event = "nll_loss_nd nll_loss nll_loss2d_forward"
_nll_2d = op(NllLoss2DBackward0)


def _no_classes(target):
    return RuntimeError(f"expected target dtype to be Long or Byte, but got {dtype_name(target)}")


def _only_tensors(input, target):
    """Raise TypeError for NumPy's numbers, which have no dimensions either: PyTorch reads the kinds of arguments first."""
    for x in (input, target):
        if not isinstance(x, Tensor):
            raise TypeError(f"a tensor is expected, not {type_name(x)}")


def _check_nll(input, target, weight):
    n = input.ndim
    if n < 1:
        _only_tensors(input, target)
        raise ValueError(f"Expected 1 or more dimensions (got {n})")
    if n > 1 and not target.ndim and input.shape[0]:
        _only_tensors(input, target)
        raise ValueError(f"Expected input batch_size ({input.shape[0]}) to match target batch_size (0).")
    if n < 3 and target.ndim < 2 and target.dtype.name not in ("int64", "uint8"):
        raise _no_classes(target)
    if n != 1 and target.ndim and input.shape[0] != target.shape[0]:
        raise ValueError(f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]}).")
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
        raise _no_classes(target)
    if weight is not None:
        no_gradient("nll_loss_forward", weight=weight)
        classes = input.shape[0 if n == 1 else 1]
        if weight.ndim != 1 or weight.numel() != classes:
            raise RuntimeError(
                f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
                f"shape: {list(weight.shape)}"
            )
        if weight.dtype is not input.dtype:
            raise RuntimeError(
                f"expected scalar type {dtype_name(input)} but found {dtype_name(weight)}"
            )


def nll_loss(input, target, weight=None, reduction=MEAN, ignore_index=-100):
    """Compute the negative log-likelihood: minus ``input`` (N, C, ...) at the classes ``target`` (N, ...), weighted and reduced."""
    _check_nll(input, target, weight)
    return (_nll if input.ndim < 3 else _nll_2d)(input, target, weight, reduction, ignore_index)


@widened
def cross_entropy_loss(input, target, weight=None, reduction=MEAN, ignore_index=-100, label_smoothing=0.0):
    """Compute the cross entropy between ``softmax(input)`` and ``target``: class indices, or probabilities of the shape of ``input``."""
    if not label_smoothing > 0.0:
        label_smoothing = 0.0  # PyTorch asks no more of what is not positive
    if label_smoothing > 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    class_axis = 0 if input.ndim == 1 else 1
    if input.shape == target.shape:
        if target.dtype.name not in ("float16", "bfloat16", "float32", "float64"):
            raise RuntimeError(
                f"Expected floating point type for target with class probabilities, got {dtype_name(target)}"
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
        if ignored._wrapped:
            smooth = smooth.sum() / (ignored.numel() - ignored.sum() if weight is None else weights_of(weight, target, ignore_index).sum())
        elif weight is None:
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
