"""A layer of long short-term memory over all steps, on arrays.

The products with the input, and those for the gradients of the weights, are one for all steps; a step has one product in each direction
and works in buffers that are there.  T steps, N samples, X features, H of the states; gates stand in the order i, f, g, o.
"""

import numpy as np


def _sigmoid(x):
    """1 / (1 + e⁻ˣ), in place."""
    np.negative(x, x)
    np.exp(x, x)
    x += 1
    np.divide(1, x, x)  # half the time of np.reciprocal


def lstm(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse):
    """(T, N, X), (4H, X), (4H, H), (4H,) or None, the same, (N, H), (N, H) -> outputs (T, N, H), the last states (N, H) and (N, H), and for the
    gradient the gates (T, N, 4H) and the cells (T, N, H).
    """
    steps, n, features = x.shape
    size = h.shape[1]
    gates = x.reshape(-1, features) @ w_ih.T
    if b_ih is not None:
        gates += b_ih + b_hh
    gates = gates.reshape(steps, n, 4 * size)
    outputs, cells = np.empty((steps, n, size), x.dtype), np.empty((steps, n, size), x.dtype)
    from_state, product = np.empty((n, 4 * size), x.dtype), np.empty((n, size), x.dtype)
    candidate = slice(2 * size, 3 * size)
    w = w_hh.T
    with np.errstate(over="ignore"):  # a gate of 0
        for t in range(steps - 1, -1, -1) if reverse else range(steps):
            z = gates[t]
            z += np.matmul(h, w, out=from_state)
            np.tanh(z[:, candidate], product)
            _sigmoid(z)  # the candidate too: quicker than around it
            z[:, candidate] = product
            after, out = cells[t], outputs[t]
            product *= z[:, :size]
            np.multiply(z[:, size : 2 * size], c, after)
            after += product
            np.tanh(after, out)
            out *= z[:, 3 * size :]
            h, c = out, after
    return outputs, h.copy(), c.copy(), gates, cells


def lstm_backward(g, gh, gc, needs, x, w_ih, w_hh, h, c, outputs, gates, cells, reverse):
    """The gradients of the operands of ``lstm``; g, gh, gc are those of the outputs and of the last states, None for zero."""
    steps, n, size = outputs.shape
    slopes = np.empty_like(gates)
    gh = np.zeros_like(h) if gh is None else gh
    gc = np.zeros_like(c) if gc is None else gc.copy()
    s, u = np.empty_like(c), np.empty_like(c)
    first = steps - 1 if reverse else 0
    of_gates, of_slopes = gates.reshape(steps, n, 4, size), slopes.reshape(steps, n, 4, size)
    for t in range(steps) if reverse else range(steps - 1, -1, -1):
        i, f, k, o = (of_gates[t, :, j] for j in range(4))
        slope = of_slopes[t]
        if g is not None:
            gh = gh + g[t]
        np.subtract(1, gates[t], slopes[t])  # 1 - gate, of the candidate too: quicker than around it
        slopes[t] *= gates[t]
        np.multiply(k, k, u)
        np.subtract(1, u, slope[:, 2])
        np.tanh(cells[t], s)
        for j, factor in enumerate((k, c if t == first else cells[t + 1 if reverse else t - 1], i, s)):
            slope[:, j] *= factor
        np.multiply(s, s, s)
        np.subtract(1, s, s)
        s *= gh
        s *= o
        gc += s
        slope[:, :3] *= gc[:, None]
        slope[:, 3] *= gh
        gc *= f
        if t != first or needs[5]:
            gh = slopes[t] @ w_hh
    rows = slopes.reshape(-1, 4 * size)
    total = np.ones(len(rows), rows.dtype) @ rows if needs[3] or needs[4] else None
    before = (outputs[1:], h[None]) if reverse else (h[None], outputs[:-1])
    return (
        (rows @ w_ih).reshape(x.shape) if needs[0] else None,
        rows.T @ x.reshape(len(rows), -1) if needs[1] else None,
        rows.T @ np.concatenate(before).reshape(len(rows), size) if needs[2] else None,
        total if needs[3] else None,
        total.copy() if needs[4] else None,
        gh if needs[5] else None,
        gc if needs[6] else None,
    )
