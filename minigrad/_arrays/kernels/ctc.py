"""Connectionist temporal classification on arrays (Graves et al. 2006): the recursions over time in logarithms, all samples at once.

A sample's labels stand with a blank before, between and after them: states 0 to 2S.  ``alpha[n, t, s]`` is the logarithm of the probability
of all beginnings of paths that are in state s at time t, ``beta`` that of all their ends; both count the time t itself.
"""

import numpy as np

from ..reductions import add_along_axis


def states(labels, lengths, blank):
    """The class of every state, (N, 2S + 1), and where a path may come from two states before: at a label other than the last one."""
    n, most = labels.shape
    classes = np.full((n, 2 * most + 1), blank, np.intp)
    classes[:, 1::2] = np.where(np.arange(most) < lengths[:, None], labels, blank)
    skips = np.zeros(classes.shape, bool)
    skips[:, 2:] = (classes[:, 2:] != blank) & (classes[:, 2:] != classes[:, :-2])
    return classes, skips


def _emitted(log_probs, classes):
    """The logarithms of the probabilities of the states: (T, N, 2S + 1)."""
    return np.take_along_axis(log_probs, classes[None], 2)


def _step(before, skips):
    """What reaches the states from themselves, from one and from two before."""
    z = before.copy()
    np.logaddexp(z[:, 1:], before[:, :-1], out=z[:, 1:])
    np.logaddexp(z[:, 2:], np.where(skips[:, 2:], before[:, :-2], -np.inf), out=z[:, 2:])
    return z


def forward(log_probs, classes, skips, input_lengths, target_lengths):
    """Minus the logarithm of each sample's probability, and alpha, (N, T, 2S + 1)."""
    emitted = _emitted(log_probs, classes)
    times, n, count = emitted.shape
    alpha = np.full((n, times, count), -np.inf, log_probs.dtype)
    for t in range(times):
        if t:
            alpha[:, t] = _step(alpha[:, t - 1], skips) + emitted[t]
        else:
            alpha[:, 0, :2] = np.where(
                np.arange(count)[:2] <= target_lengths[:, None], emitted[0, :, :2], -np.inf
            )
    rows, last = np.arange(n), 2 * target_lengths
    if times:
        ends = alpha[rows, input_lengths - 1]
        total = np.logaddexp(ends[rows, last], np.where(target_lengths > 0, ends[rows, last - 1], -np.inf))
    else:
        total = np.full(n, -np.inf, log_probs.dtype)
    total = np.where(input_lengths > 0, total, np.where(target_lengths > 0, -np.inf, 0)).astype(
        log_probs.dtype
    )
    return -total, alpha


def ends(target_lengths, count):
    """The states in which a path may end: (N, 2S + 1)."""
    last = 2 * target_lengths[:, None]
    places = np.arange(count)
    return (places == last) | ((places == last - 1) & (last > 0))


def occupancy(log_probs, loss, alpha, classes, skips, input_lengths, target_lengths):
    """The probability, given the labels, that each class is emitted at each time: (T, N, C); 0 from the end of the input on."""
    emitted = _emitted(log_probs, classes)
    times, n, count = emitted.shape
    beta = np.full((n, times, count), -np.inf, log_probs.dtype)
    final = ends(target_lengths, count)
    backwards = mirrored(skips)
    for t in range(times - 1, -1, -1):
        last = (t == input_lengths - 1)[:, None]
        beta[:, t] = np.where(last & final, emitted[t], -np.inf)
        if t < times - 1 and not last.all():
            onward = _step(beta[:, t + 1, ::-1], backwards)[:, ::-1] + emitted[t]
            beta[:, t] = np.where(last, beta[:, t], onward)
    emitted = np.moveaxis(emitted, 0, 1)
    with np.errstate(invalid="ignore"):
        share = np.exp(alpha + beta - emitted + loss[:, None, None])
    share[np.isneginf(alpha) | np.isneginf(beta)] = 0
    share[~np.isfinite(loss)] = np.nan
    share[np.arange(times) >= input_lengths[:, None]] = 0
    index = np.broadcast_to(classes[:, None, :], share.shape)
    return np.moveaxis(add_along_axis(share, index, 2, (n, times, log_probs.shape[2])), 0, 1)


def mirrored(skips):
    """The same steps with the states in the opposite order: state s to s + 2 is allowed where s + 2 may be reached from s."""
    z = np.zeros_like(skips)
    z[:, 2:] = skips[:, 2:][:, ::-1]
    return z


def inside(times, loss, input_lengths, zero_infinity):
    """Where the gradient is not 0 in any case: before the end of each input, and with ``zero_infinity`` where the loss is finite."""
    times = np.arange(times)[:, None] < input_lengths
    return (times & np.isfinite(loss) if zero_infinity else times)[..., None]
