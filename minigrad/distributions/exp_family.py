"""Exponential families: densities ``exp(<t(x), θ> - F(θ) + k(x))``, whose log-normaliser F tells their entropy and divergences."""

from .._api import autograd
from .distribution import Distribution

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """A distribution of natural parameters θ; a subclass defines ``_natural_params``, ``_log_normalizer(*θ)`` and ``_mean_carrier_measure``, E k(x).

    From these come the entropy, and the divergence of two of the same family: the mean of t(x) is the gradient of F.   [Nielsen & Nock 2010,
    "Entropies and cross-entropies of exponential families"]

    >>> import minigrad
    >>> from minigrad.distributions import Exponential, ExponentialFamily
    >>> ExponentialFamily.entropy(Exponential(minigrad.tensor([1., 2.]))).detach()
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

    def entropy(self):
        """F(θ) - <θ, grad F(θ)> - E k(x)."""
        theta = [t.detach().requires_grad_() for t in self._natural_params]
        normalizer = self._log_normalizer(*theta)
        means = autograd.grad(normalizer.sum(), theta, create_graph=True)
        entropy = normalizer - self._mean_carrier_measure
        for t, mean in zip(theta, means):
            entropy = entropy - (t * mean).reshape(*self._batch_shape, -1).sum(-1)
        return entropy
