"""Training steps as one writes them in NumPy for speed: gradients by hand, and buffers that are made once, into which all results are written."""

import numpy as np

from benchmarks.cases.captured_steps import captured
from benchmarks.others import inputs

RATE = 0.01
BETA1, BETA2, EPS, ADAM_RATE = 0.9, 0.999, 1e-8, 0.001


def side_by_side(arrays):
    """One array with the elements of all, and views of it in their places."""
    whole = np.concatenate([a.reshape(-1) for a in arrays])
    ends = np.cumsum([a.size for a in arrays])[:-1]
    return whole, [part.reshape(a.shape) for part, a in zip(np.split(whole, ends), arrays)]


def gradients_of_tanh_mlp(weights, x, target, slopes):
    """A function that writes the gradients of the weights to ``slopes``, and returns the loss."""
    w1, b1, w2, b2, w3, b3 = weights
    rows, width = len(x), len(b1)
    h1, h2, g1, g2, slope = (np.empty((rows, width), np.float32) for _ in range(5))
    out, error = (np.empty((rows, 1), np.float32) for _ in range(2))
    ones, one = np.ones(rows, np.float32), np.float32(1)
    w1_t, w2_t, w3_t, g1_t, g2_t, error_t = w1.T, w2.T, w3.T, g1.T, g2.T, error.T
    flat_error, share = error.reshape(-1), np.float32(2 / out.size)
    d_w1, d_b1, d_w2, d_b2, d_w3, d_b3 = slopes

    def gradients():
        x.dot(w1_t, h1)
        np.add(h1, b1, h1)
        np.tanh(h1, h1)
        h1.dot(w2_t, h2)
        np.add(h2, b2, h2)
        np.tanh(h2, h2)
        h2.dot(w3_t, out)
        np.add(out, b3, out)
        np.subtract(out, target, error)
        loss = flat_error.dot(flat_error) / out.size
        np.multiply(error, share, error)
        ones.dot(error, d_b3)
        error_t.dot(h2, d_w3)
        error.dot(w3, g2)
        np.multiply(h2, h2, slope)
        np.subtract(one, slope, slope)
        np.multiply(g2, slope, g2)
        ones.dot(g2, d_b2)
        g2_t.dot(h1, d_w2)
        g2.dot(w2, g1)
        np.multiply(h1, h1, slope)
        np.subtract(one, slope, slope)
        np.multiply(g1, slope, g1)
        ones.dot(g1, d_b1)
        g1_t.dot(x, d_w1)
        return loss

    return gradients


def tanh_mlp(together):
    """The gradients' function, and pairs of weights and gradients, all of them as one pair if ``together``."""
    weights, x, target = inputs.tanh_mlp()
    slopes = [np.zeros_like(w) for w in weights]
    pairs = list(zip(weights, slopes))
    if together:
        (whole, weights), (slope, slopes) = side_by_side(weights), side_by_side(slopes)
        pairs = [(whole, slope)]
    return gradients_of_tanh_mlp(weights, x, target, slopes), pairs


def sgd(together=False):
    (gradients, pairs), rate = tanh_mlp(together), np.array(RATE, np.float32)
    moves = [(w, g, np.empty_like(w)) for w, g in pairs]

    def run():
        loss = gradients()
        for w, g, move in moves:
            np.multiply(g, rate, move)
            np.subtract(w, move, w)
        return loss

    return run


def adam(together=False):
    gradients, pairs = tanh_mlp(together)
    moves = [(w, g, np.zeros_like(w), np.zeros_like(w), np.empty_like(w), np.empty_like(w)) for w, g in pairs]
    rest1, rest2 = np.array(1 - BETA1, np.float32), np.array(1 - BETA2, np.float32)
    size, eps = np.empty((), np.float32), np.empty((), np.float32)
    t = 0

    def run():
        nonlocal t
        loss = gradients()
        t += 1
        root = (1 - BETA2**t) ** 0.5
        size.fill(ADAM_RATE / (1 - BETA1**t) * root)
        eps.fill(EPS * root)
        for w, g, m, v, a, b in moves:
            np.subtract(g, m, a)
            np.multiply(a, rest1, a)
            np.add(m, a, m)
            np.multiply(g, g, a)
            np.subtract(a, v, a)
            np.multiply(a, rest2, a)
            np.add(v, a, v)
            np.sqrt(v, a)
            np.add(a, eps, a)
            np.divide(m, a, b)
            np.multiply(b, size, b)
            np.subtract(w, b, w)
        return loss

    return run


SETUPS = {
    captured.path("8-8-8-1 tanh MLP, batch 8, SGD"): sgd,
    captured.path("8-8-8-1 tanh MLP, batch 8, SGD, foreach"): lambda: sgd(together=True),
    captured.path("8-8-8-1 tanh MLP, batch 8, Adam"): adam,
    captured.path("8-8-8-1 tanh MLP, batch 8, Adam, foreach"): lambda: adam(together=True),
}
