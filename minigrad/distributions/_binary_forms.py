"""Distributions of events that are given by their probability or by its logit, whichever is at hand."""

from collections.abc import Sequence
from typing import Any

from .._api import binary_cross_entropy_with_logits
from .utils import broadcast_all, lazy_property, logits_to_probs, probs_to_logits


def check_one_form(probs: Any, logits: Any) -> None:
    """Raise ValueError unless just one of ``probs`` and ``logits`` is given."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class BinaryForms:
    """The two forms of a parameter, ``probs`` and ``logits``: one is given, and the other is computed on first use."""

    _forms = "probs logits _param"  # the attributes that ``expand`` expands

    def _keep_form(self, probs, logits, *others):
        """Keep the one that is given; returns the others, broadcast with it and in its dtype."""
        check_one_form(probs, logits)
        name, value = ("logits", logits) if probs is None else ("probs", probs)
        *others, value = broadcast_all(*others, value)
        setattr(self, name, value)
        self._param = value
        return [other.type_as(value) for other in others]

    @lazy_property
    def probs(self) -> Any:
        """The probabilities."""
        return logits_to_probs(self.logits, is_binary=True)

    @lazy_property
    def logits(self) -> Any:
        """The log odds."""
        return probs_to_logits(self.probs, is_binary=True)

    @property
    def param_shape(self) -> Any:
        """The shape of ``probs`` and ``logits``."""
        return self._param.size()

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)


def cross_entropy(logits: Any, value: Any) -> Any:
    """``-x log p - (1 - x) log (1 - p)`` for the logits of p, elementwise."""
    return binary_cross_entropy_with_logits(logits, value, reduction=0)


def enumerated(values: Any, batch_shape: Sequence[int], expand: Any) -> Any:
    """A vector of values along a first dimension in front of those of a batch."""
    values = values.view(-1, *[1] * len(batch_shape))
    return values.expand(-1, *batch_shape) if expand else values
