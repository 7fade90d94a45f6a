"""Kernels of losses of margins on arrays.  A reduction is PyTorch's number: see ``kernels/loss.py``."""

import numpy as np

from .activation import log_sigmoid
from .loss import reduced


def soft_margin(x, y, reduction):
    """log(1 + exp(-x y)), reduced."""
    return reduced(-log_sigmoid(x * y), reduction)


def multi_margin(x, target, w, p, margin, reduction):
    """Σ max(0, margin - x[t] + x[c])ᵖ / C over the classes c other than the target t, times w[t]; reduced."""
    x = x.reshape(target.size, x.shape[-1] if x.ndim else 1)
    index = target.reshape(-1, 1)
    if ((index < 0) | (index >= x.shape[1])).any():
        raise RuntimeError("target out of range")
    over = x - np.take_along_axis(x, index, 1)
    over += x.dtype.type(margin)
    np.fmax(over, 0, out=over)  # nan is no margin
    if p == 2:
        over *= over
    np.put_along_axis(over, index, 0, 1)
    z = np.add.reduce(over, 1) / x.dtype.type(x.shape[1])
    if w is not None:
        z *= w[index[:, 0]]
    return _over_samples(z, target.shape, reduction)


def _over_samples(z, shape, reduction):
    if not z.size and reduction:
        return z.dtype.type(0)
    return reduced(z.reshape(shape), reduction)


def _labels(target, classes):
    """The labels of each sample, (N, C), those from the first -1 on as 0; and which places are before it."""
    target = target.reshape(-1, classes)
    if ((target < -1) | (target >= classes)).any():
        raise RuntimeError("argument #2 'target' is out of range")
    valid = np.logical_and.accumulate(target >= 0, 1)
    return np.where(valid, target, 0), valid


def _exceed(x, target):
    """1 - x[t] + x[c] for each label t and class c that is none, else 0: (N, labels, C); and which classes are labels, (N, C)."""
    classes = x.shape[-1] if x.ndim else 1
    x = x.reshape(-1, classes)
    labels, valid = _labels(target, classes)
    is_target = np.zeros(x.shape, bool)
    samples, places = np.nonzero(valid)
    is_target[samples, labels[samples, places]] = True
    over = x[:, None, :] - np.take_along_axis(x, labels, 1)[:, :, None]
    over += 1
    over *= valid[:, :, None] & ~is_target[:, None, :]
    return over, is_target, labels, classes


def multilabel_margin(x, target, reduction):
    """Σ max(0, 1 - x[t] + x[c]) / C over all labels t and all classes c that are none, reduced; and which classes are labels."""
    over, is_target, _, classes = _exceed(x, target)
    z = np.add.reduce(np.maximum(over, 0), (1, 2)) / x.dtype.type(classes)
    return _over_samples(z, x.shape[:-1], reduction), is_target.reshape(x.shape).astype(x.dtype)


def multilabel_margin_slope(x, target):
    """The derivative of each sample's loss by its x: constant between kinks."""
    over, _, labels, classes = _exceed(x, target)
    wrong = (over > 0).astype(x.dtype)
    slope = np.add.reduce(wrong, 1)
    samples = np.arange(len(labels))[:, None]
    np.add.at(slope, (samples, labels), -np.add.reduce(wrong, 2))
    return slope / x.dtype.type(classes)
