"""Exponential families: densities ``exp(<t(x), θ> - F(θ) + k(x))``, whose log-normaliser F tells their entropy and divergences."""

from .._api import Tensor, autograd, enable_grad, is_grad_enabled
from .distribution import Distribution

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """The base class of exponential families, ``exp(<t(x), θ> - F(θ) + k(x))``, with natural parameters θ.

    A subclass defines ``_natural_params``, ``_log_normalizer(*θ)`` and ``_mean_carrier_measure``, E k(x). From these follow the entropy,
    and the divergence of two distributions of the same family: the mean of t(x) is the gradient of F. [Nielsen & Nock 2010, "Entropies
    and cross-entropies of exponential families"]

    >>> import minigrad
    >>> from minigrad.distributions import Exponential, ExponentialFamily
    >>> ExponentialFamily.entropy(Exponential(minigrad.tensor([1., 2.])))
    tensor([1.0000, 0.3069])
    """

    @property
    def _natural_params(self):
        """θ, a tuple of tensors."""
        raise NotImplementedError

    def _log_normalizer(self, *natural_params):
        """F(θ)."""
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self):
        """E k(x), a number."""
        raise NotImplementedError

    def _normalizer_and_means(self):
        """F(θ) and its gradient, the means of t(x); with a graph of their own if θ has one."""
        given = self._natural_params
        recorded = is_grad_enabled() and any(t.requires_grad for t in given)
        with enable_grad():
            theta = [t if t.requires_grad else t.detach().requires_grad_() for t in given]
            normalizer = self._log_normalizer(*theta)
            means = autograd.grad(normalizer.sum(), theta, create_graph=recorded)
        return (normalizer if recorded else normalizer.detach()), means

    def entropy(self) -> Tensor:
        """Compute ``F(θ) - <θ, grad F(θ)> - E k(x)``."""
        entropy, means = self._normalizer_and_means()
        entropy = entropy - self._mean_carrier_measure
        for t, mean in zip(self._natural_params, means):
            entropy = entropy - (t * mean).reshape(*self._batch_shape, -1).sum(-1)
        return entropy
