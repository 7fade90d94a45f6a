"""Failures before a success."""

from collections.abc import Sequence
from typing import Any

from .._api import (
    Tensor,
    _is_all_true,
    _random_new,
    _special,
    finfo,
    no_grad,
    zeros_like,
)
from . import constraints
from ._binary_forms import BinaryForms, cross_entropy
from .distribution import _NO_PARTS, Distribution, _as_text, _shown
from .utils import broadcast_all

__all__ = ["Geometric"]


class Geometric(BinaryForms, Distribution):
    """The geometric distribution: the number of failures before the first success of probability ``probs``, or of log odds ``logits``.

    >>> import minigrad
    >>> minigrad.distributions.Geometric(minigrad.tensor([0.5])).log_prob(minigrad.tensor([2.])).exp()
    tensor([0.1250])
    """

    arg_constraints: Any = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.nonnegative_integer

    def __init__(
        self,
        probs: Tensor | int | float | bool | None = None,
        logits: Tensor | int | float | bool | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._keep_form(probs, logits)
        super().__init__(self._param.size(), validate_args=validate_args)
        if self._validate_args and probs is not None and not _is_all_true(self.probs > 0):
            raise ValueError(
                f"Expected parameter probs ({_shown(self.probs)}) of distribution {self!r} to be positive but found "
                f"invalid values:\n{_as_text(self.probs)}"
            )

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Geometric, batch_shape, _instance, self._forms)

    @property
    def mean(self) -> Tensor:
        """``1 / p - 1``."""
        return 1 / self.probs - 1

    @property
    def mode(self) -> Tensor:
        """0."""
        return zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        """``(1 / p - 1) / p``."""
        return (1 / self.probs - 1) / self.probs

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw integers, in the dtype of the parameter."""
        shape, dtype = self._extended_shape(sample_shape), self.probs.dtype
        with no_grad():
            u = _random_new.uniform(shape, dtype, finfo(dtype).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``k log (1 - p) + log p``."""
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        return _special.xlog1py(value, -probs) + self.probs.log()

    def entropy(self) -> Tensor:
        """Return the entropy of one trial, divided by p."""
        return cross_entropy(self.logits, self.probs) / self.probs
