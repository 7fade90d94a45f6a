"""A layer of long short-term memory over all steps, on arrays.

T steps, N samples, X features, H of the states.  Inside, gates come first, in the order o, i, f, g, (4, T, N, H): a step's products are four small ones, which
BLAS does without packing, what a step computes is in long rows, and the gates with a sigmoid stand together, as do those that act on the cell.  A sigmoid is
(1 + tanh(x/2)) / 2: the weights of these gates are halved, so that one ``tanh`` serves all four.  What needs no order is done for all steps at once.
"""

import numpy as np

from ..._base.pool import share
from ..products import LARGE, dot

_ORDER = [3, 0, 1, 2]  # places of o, i, f, g in the weights, which have i, f, g, o
_PART = 1 << 17  # elements of one array at a time


def _by_gate(w, size):
    """Weights (4H, ...) or a bias (4H,) as (4, H, ...), the gates in our order and those with a sigmoid halved."""
    gates = w.reshape(4, size, *w.shape[1:])[_ORDER]
    gates[:3] *= w.dtype.type(0.5)
    return gates


def _each(task, tasks, multiplications):
    """``task`` for each of ``tasks``, shared if all together are worth it."""
    if multiplications >= LARGE:
        share(task, tasks)
    else:
        for one in tasks:
            task(one)


def lstm(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse):
    """(T, N, X), (4H, X), (4H, H), (4H,) or None, the same, (N, H), (N, H) -> outputs (T, N, H), the last states (N, H) and (N, H), and for the
    gradient the gates (4, T, N, H) and the cells (T, N, H).
    """
    steps, n, features = x.shape
    size = h.shape[1]
    gates = np.empty((4, steps, n, size), x.dtype)
    rows, given = gates.reshape(4, steps * n, size), x.reshape(steps * n, features)
    from_input = np.ascontiguousarray(_by_gate(w_ih, size).mT)
    _each(lambda j: np.matmul(given, from_input[j], out=rows[j]), range(4), given.size * 4 * size)
    if b_ih is not None:
        rows += _by_gate(b_ih + b_hh, size)[:, None]
    outputs, cells = np.empty((steps, n, size), x.dtype), np.empty((steps, n, size), x.dtype)
    from_state, product = np.empty((4, n, size), x.dtype), np.empty((n, size), x.dtype)
    w = np.ascontiguousarray(_by_gate(w_hh, size).mT)
    half = x.dtype.type(0.5)
    for t in range(steps - 1, -1, -1) if reverse else range(steps):
        z = gates[:, t]
        z += np.matmul(h, w, out=from_state)
        np.tanh(z, z)
        sigmoids = z[:3]
        sigmoids *= half
        sigmoids += half
        o, i, f, g = z
        after, out = cells[t], outputs[t]
        np.multiply(f, c, after)
        after += np.multiply(i, g, product)
        np.tanh(after, out)
        out *= o
        h, c = out, after
    return outputs, h.copy(), c.copy(), gates, cells


def _slopes(gates, cells, c, reverse):
    """The slopes in the gates (4, T, N, H), to be multiplied by the output's gradient for o and by the cell's for the others; and those of the outputs in the cells."""
    steps, n, size = cells.shape
    slopes, of_cells = np.empty_like(gates), np.empty_like(cells)
    part = max(1, _PART // max(n * size, 1))

    def some_steps(begin):
        at = slice(begin, begin + part)
        o, i, _, g = gates[:, at]
        s = slopes[:, at]
        np.subtract(1, gates[:3, at], s[:3])
        s[:3] *= gates[:3, at]
        np.multiply(g, g, s[3])
        np.subtract(1, s[3], s[3])
        u = np.tanh(cells[at])
        s[0] *= u
        np.multiply(u, u, u)
        np.subtract(1, u, u)
        np.multiply(u, o, of_cells[at])
        s[1] *= g
        s[3] *= i
        for t in range(begin, min(begin + part, steps)):
            before = t + 1 if reverse else t - 1
            slopes[2, t] *= cells[before] if 0 <= before < steps else c

    share(some_steps, range(0, steps, part))
    return slopes, of_cells


def lstm_backward(g, gh, gc, needs, x, w_ih, w_hh, h, c, outputs, gates, cells, reverse):
    """The gradients of the operands of ``lstm``; g, gh, gc are those of the outputs and of the last states, None for zero."""
    steps, n, size = outputs.shape
    features = x.shape[2]
    slopes, of_cells = _slopes(gates, cells, c, reverse)
    gh = np.zeros_like(h) if gh is None else gh
    gc = np.zeros_like(c) if gc is None else gc.copy()
    w = w_hh.reshape(4, size, size)[_ORDER]
    product, to_states = np.empty_like(gc), np.empty((4, n, size), x.dtype)
    first = steps - 1 if reverse else 0
    for t in range(steps) if reverse else range(steps - 1, -1, -1):
        if g is not None:
            gh = gh + g[t]
        gc += np.multiply(gh, of_cells[t], product)
        slope = slopes[:, t]
        slope[0] *= gh
        slope[1:] *= gc
        gc *= gates[2, t]
        if t != first or needs[5]:
            gh = np.add.reduce(np.matmul(slope, w, out=to_states), 0)
    rows = slopes.reshape(4, steps * n, size)
    given = x.reshape(steps * n, features)
    gw_ih, gw_hh = np.empty((4, size, features), x.dtype), np.empty((4, size, size), x.dtype)
    if needs[2]:
        before = np.concatenate((outputs[1:], h[None]) if reverse else (h[None], outputs[:-1]))
        before = before.reshape(steps * n, size)
    tasks = []
    for j, place in enumerate(_ORDER):
        if needs[1]:
            tasks.append((rows[j].T, given, gw_ih[place]))
        if needs[2]:
            tasks.append((rows[j].T, before, gw_hh[place]))
    _each(lambda task: np.matmul(task[0], task[1], out=task[2]), tasks, rows.size * (features + size))
    total = None
    if needs[3] or needs[4]:
        ones = np.ones(rows.shape[1], rows.dtype)
        total = np.empty((4, size), rows.dtype)
        total[_ORDER] = np.matmul(ones, rows)
        total = total.reshape(-1)
    gx = None
    if needs[0]:
        gx = sum(
            dot(rows[j], w_ih[place * size : (place + 1) * size]) for j, place in enumerate(_ORDER)
        ).reshape(x.shape)
    return (
        gx,
        gw_ih.reshape(w_ih.shape) if needs[1] else None,
        gw_hh.reshape(w_hh.shape) if needs[2] else None,
        total if needs[3] else None,
        total.copy() if needs[4] else None,
        gh if needs[5] else None,
        gc if needs[6] else None,
    )
