"""Integrals over the values of a distribution of numbers: points and weights that serve for any density on its support."""

import numpy as np

import minigrad as torch
from minigrad.distributions import biject_to

_T = torch.linspace(-37, 37, 4001, dtype=torch.float64)
_FROM_BOUND = torch.linspace(-230, 45, 8001, dtype=torch.float64)


def has_grid(d):
    """Whether the values of a distribution are single real numbers, and of all the batch in intervals of one kind."""
    if d.event_shape != () or d.support.is_discrete or type(d).__name__ == "VonMises":
        return False
    return bool(torch.as_tensor(getattr(d.support, "upper_bound", 1.0)).isfinite().all())


def grid(d):
    """Points x, (n, *batch), and the logarithms of their weights: ``(exp(log_weight) * f(x)).sum(0)`` is the integral of f over the support."""
    bounded = hasattr(d.support, "lower_bound") and not hasattr(d.support, "upper_bound")
    t = _FROM_BOUND if bounded else _T
    step = (t[1] - t[0]).log()
    t = t.reshape(-1, *[1] * len(d.batch_shape)).expand(-1, *d.batch_shape)
    if "Real()" in repr(d.support):  # x = sinh t reaches far enough for tails of any kind
        return t.sinh(), step + t.abs() + torch.log1p((-2 * t.abs()).exp()) - np.log(2)
    transform = biject_to(d.support)
    x = transform(t)
    return x, step + transform.log_abs_det_jacobian(t, x)


def integral(d, f):
    """The integral of ``f(x)`` times the density of ``d``, in the shape of the batch."""
    x, log_weight = grid(d)
    weight = (d.log_prob(x) + log_weight).exp()
    return torch.where(weight == 0, 0.0, weight * f(x)).sum(0)


def unchecked(d):
    """The distribution without checks of values: grids end where supports do, but for rounding."""
    d._validate_args = False
    for inner in ("base_dist", "_dirichlet", "_component_distribution", "_categorical"):
        if inner in d.__dict__:
            unchecked(d.__dict__[inner])
    return d


def whole_numbers(d, most=400):
    """The values of a distribution of counts, (n, *batch), as far as they matter."""
    upper = 1 if repr(d.support) == "Boolean()" else getattr(d.support, "upper_bound", None)
    values = torch.arange(most if upper is None else int(torch.as_tensor(upper).max()) + 1.0)
    return values.double().reshape(-1, *[1] * len(d.batch_shape)).expand(-1, *d.batch_shape)
