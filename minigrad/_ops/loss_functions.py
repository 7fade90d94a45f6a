"""Losses under the signatures of the package itself, where ``reduction`` is a number: 0 none, 1 the mean, 2 the sum."""

import numpy as np

from .._arrays.kernels.loss import MEAN, NONE, SUM
from .._base.composites import composite
from .._base.errors import not_a_tensor, type_name
from .._core.tensor import Tensor
from . import loss

__all__ = ["binary_cross_entropy_with_logits", "kl_div"]


def _check(function, input, target, reduction, position):
    """``reduction``, where any number but 1 and 2 means none; raises TypeError if the argument is not a tensor, or not a number."""
    for place, (name, x) in enumerate((("input", input), ("target", target)), 1):
        if not isinstance(x, Tensor):
            raise not_a_tensor(function, name, place, x)
    if not isinstance(reduction, int | np.integer) or isinstance(reduction, bool):
        raise TypeError(f"{function}(): argument 'reduction' (position {position}) must be int, not {type_name(reduction)}")
    return reduction if reduction in (MEAN, SUM) else NONE


@composite
def kl_div(input, target, reduction=0, *, log_target=False):
    """Compute ``target * (log(target) - input)``, or ``exp(target) * (target - input)`` if ``log_target``, reduced.

    Shapes broadcast; ``reduction`` is 0 for none, 1 for the mean, 2 for the sum.

    >>> import minigrad
    >>> minigrad.kl_div(minigrad.zeros(2), minigrad.ones(2), 2)
    tensor(0.)
    """
    reduction = _check("kl_div", input, target, reduction, 3)
    return loss.kl_div(input, target, reduction, log_target)


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    """Compute the binary cross entropy of ``sigmoid(input)``, reduced; ``weight`` weights elements, ``pos_weight`` the positive class.

    >>> import minigrad
    >>> minigrad.binary_cross_entropy_with_logits(minigrad.zeros(2), minigrad.ones(2))
    tensor([0.6931, 0.6931])
    """
    reduction = _check("binary_cross_entropy_with_logits", input, target, reduction, 5)
    return loss.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)
