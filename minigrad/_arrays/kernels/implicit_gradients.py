"""How draws of the gamma and beta distributions move with their parameters: float64 arrays.

A draw x at a fixed place of the distribution function F(x; a) moves by dx/da = -(∂F/∂a) / (∂F/∂x).   [Figurnov, Mohamed & Mnih 2018, "Implicit
reparameterization gradients", section 3]  ∂F/∂a is an integral over one of the tails of the distribution; divided by the density at x it becomes

    ± ∫ (log t(v) - E log t) exp(φ(v)) dv    over v from 0 on,    φ(0) = 0, φ falling,

in which v is the distance from x to t on a logarithmic scale.  Over the tail on x's side of the mean nothing cancels and nothing overflows.  The
integral is a sum over nodes that lie doubly exponentially.   [Takahasi & Mori 1974, "Double exponential formulas"]
"""

import numpy as np

from .gamma_function import digamma
from .special import real


def _rule(step):
    """Nodes and weights for ∫ f(v) dv over v > 0 of an f that falls exponentially, of scale 1: v = exp(k - exp(-k)), k in steps."""
    k = np.arange(-3.5, 4.0, step)
    nodes = np.exp(k - np.exp(-k))
    return nodes, step * nodes * (1 + np.exp(-k))


_GAMMA_RULE, _BETA_RULE = _rule(1 / 12), _rule(1 / 24)
#: How many elements are computed at a time: as many rows of nodes stand in memory at once.
_ROWS = 2048


def standard_gamma_grad(alpha, x):
    """dx/dα of numbers ``x > 0`` drawn from the gamma distribution of shape ``alpha > 0`` and scale 1; the arrays broadcast.

    Refuses half precision.

    >>> import numpy as np
    >>> standard_gamma_grad(np.array([1.0]), np.array([np.log(2)])).round(6)
    array([0.968045])
    """
    return real(
        lambda alpha, x: _in_parts(_gamma_part, alpha, x), "_standard_gamma_grad_cpu", alpha, x, half=False
    )


def dirichlet_grad(x, alpha, total):
    """(dx/dα) / (1 - x) of numbers 0 < x < 1 drawn from the beta distribution of parameters ``alpha`` and ``total - alpha``; the arrays broadcast.

    Refuses half precision.  Below, x is the root of a uniform number of order α, whose derivative is -x log(x) / α.

    >>> import numpy as np
    >>> dirichlet_grad(np.array([0.5]), np.array([1.0]), np.array([2.0])).round(6)
    array([0.693147])
    """
    return real(
        lambda *operands: _in_parts(_beta_part, *operands),
        "_dirichlet_grad_cpu",
        x,
        alpha,
        total,
        half=False,
    )


def _in_parts(kernel, *operands):
    operands = np.broadcast_arrays(*operands)
    out = np.empty(operands[0].shape)
    columns = [x.reshape(-1, 1) for x in operands]
    flat = out.reshape(-1)
    with np.errstate(all="ignore"):
        for start in range(0, flat.size, _ROWS):
            flat[start : start + _ROWS] = kernel(*[x[start : start + _ROWS] for x in columns])
    return out


def _gamma_part(alpha, x):
    out = np.empty(len(x))
    psi_next = digamma(alpha + 1)
    small = ((x <= 1) | (x <= alpha) & (alpha <= 20))[:, 0]
    lower = ~small & (x <= alpha)[:, 0]
    for rows, tail in ((small, _gamma_series), (lower, _gamma_lower), (~small & ~lower, _gamma_upper)):
        if rows.any():
            out[rows] = tail(alpha[rows], x[rows], psi_next[rows])
    return out


def _gamma_series(alpha, x, psi):
    """-Σ xⁿ⁺¹ (log x - digamma(α + n + 1)) / (α ... (α + n)): F as a power series, differentiated term by term."""
    log_x, term = np.log(x), x / alpha
    total = np.zeros_like(x)
    for n in range(1, 200):
        added = term * (psi - log_x)
        total += added
        if not (np.abs(added) > 1e-17 * np.abs(total)).any():
            break
        psi = psi + 1 / (alpha + n)
        term = term * x / (alpha + n)
    return total[:, 0]


def _gamma_lower(alpha, x, psi_next):
    """The tail below x: t = x exp(-v)."""
    fall = lambda v: -alpha * v - x * np.expm1(-v)
    level = np.log(x) - psi_next + 1 / alpha
    return -x[:, 0] * _integral(lambda v: (level - v) * np.exp(fall(v)), fall, alpha - x, x, _GAMMA_RULE)


def _gamma_upper(alpha, x, psi_next):
    """The tail above x: t = x + v."""
    fall = lambda v: (alpha - 1) * np.log1p(v / x) - v
    psi = psi_next - 1 / alpha
    steepness, bend = 1 - (alpha - 1) / x, (alpha - 1) / (x * x)
    return _integral(lambda v: (np.log(x + v) - psi) * np.exp(fall(v)), fall, steepness, bend, _GAMMA_RULE)


def _beta_part(x, alpha, total):
    out = np.empty(len(x))
    lower = (x * total <= alpha)[:, 0]
    for rows, below in ((lower, True), (~lower, False)):
        if rows.any():
            out[rows] = _beta_tail(x[rows], alpha[rows], total[rows], below)
    return out


def _beta_tail(x, alpha, total, below):
    """The tail below or above x: logit t = logit x ∓ v."""
    mean_log = digamma(alpha) - digamma(total)
    rate, share = (alpha, x) if below else (total - alpha, 1 - x)

    def fall(v):
        return -rate * v - total * np.log1p(share * np.expm1(-v))

    def integrand(v):
        spread = np.log1p(share * np.expm1(-v))
        log_t = np.log(x) - spread - (v if below else 0)
        return (log_t - mean_log) * np.exp(-rate * v - total * spread)

    steepness = np.abs(alpha - total * x)
    return (-x if below else x)[:, 0] * _integral(integrand, fall, steepness, total * x * (1 - x), _BETA_RULE)


def _integral(integrand, fall, steepness, bend, rule):
    """∫ integrand(v) dv over v > 0, of the scale on which ``fall``, about ``-steepness v - bend v² / 2``, comes to -1."""
    scale = 2 / (steepness + np.sqrt(steepness * steepness + 2 * np.maximum(bend, 0)))
    scale = np.minimum(scale, 1e300)
    for _ in range(60):
        short = fall(scale) > -0.6
        if not short.any():
            break
        scale = np.where(short, 2 * scale, scale)
    nodes, weights = rule
    return (integrand(scale * nodes) * weights).sum(-1) * scale[:, 0]
