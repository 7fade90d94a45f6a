"""Losses of classes."""

from typing import Any

from ... import _api as mg
from ..._base import dtypes
from ...nn import functional as F


def NegativeLogLikelihoodLoss(
    x: Any, target: Any, weight: Any = None, *, ignore_index: Any = None, reduction: str = "mean"
) -> Any:
    target = target.to(dtypes.int64)
    ignored = mg.zeros(target.shape, dtype=dtypes.bool_) if ignore_index is None else target == ignore_index
    places = mg.where(ignored, 0, target)
    loss = -mg.gather(x, 1, places.unsqueeze(1)).squeeze(1)
    weights = mg.ones_like(loss) if weight is None else weight[places]
    weights = mg.where(ignored, mg.zeros_like(weights), weights)
    loss = mg.where(ignored, mg.zeros_like(loss), loss * weights)
    if reduction == "mean":
        return loss.sum() / weights.sum()
    return loss.sum() if reduction == "sum" else loss


def SoftmaxCrossEntropyLoss(
    scores: Any, labels: Any, weights: Any = None, *, ignore_index: Any = None, reduction: str = "mean"
) -> Any:
    likely = F.log_softmax(scores, 1)
    return NegativeLogLikelihoodLoss(
        likely, labels, weights, ignore_index=ignore_index, reduction=reduction
    ), likely
