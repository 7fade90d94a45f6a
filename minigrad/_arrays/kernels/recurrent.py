"""A layer of long short-term memory over all steps, on arrays.

T steps, N samples, X features, H of the states.  Inside, gates come first, in the order o, i, f, g, (4, T, N, H): a step's products are four small ones, which
BLAS does without packing, what a step computes is in long rows, and the gates with a sigmoid stand together, as do those that act on the cell.  A sigmoid is
(1 + tanh(x/2)) / 2: the weights of these gates are halved, so that one ``tanh`` serves all four.

What needs no order, here and in ``gated_recurrent.py``, is done for a piece of the steps at once, and beside the steps of another piece, where there are threads: the input's part of the next gates;
on the way back the slopes of the next steps, and the gradients of the weights from those that are done.
"""

import numpy as np

from ..._base.pool import beside, one_by_one
from .. import engine
from ..products import LARGE

_ORDER = [3, 0, 1, 2]  # places of o, i, f, g in the weights, which have i, f, g, o
_PLACES = [1, 2, 3, 0]  # and of i, f, g, o in ours
_ROWS = 400  # samples times steps of a piece


def _by_gate(w, size):
    """Weights (4H, ...) or a bias (4H,) as (4, H, ...), the gates in our order and those with a sigmoid halved."""
    gates = w.reshape(4, size, *w.shape[1:])[_ORDER]
    gates[:3] *= w.dtype.type(0.5)
    return gates


def pieces_of_steps(steps, n, backwards):
    """The steps in pieces: slices, in the order in which they are gone through."""
    length = -(-_ROWS // max(n, 1))
    pieces = [slice(begin, min(begin + length, steps)) for begin in range(0, steps, length)]
    return pieces[::-1] if backwards else pieces


def while_others_work(pieces, n, multiplications):
    """How parts that have so many multiplications for each row are done, while the steps of a piece are."""
    rows = (pieces[0].stop - pieces[0].start) * n
    return beside if rows * multiplications >= LARGE else one_by_one


def gradient_tasks(piece, needs, of_weights, of_input):
    """What the slopes of a piece are needed for when they are known: each of the four blocks of the weights' gradients, and the input's."""
    tasks = [(of_weights, piece, j) for j in range(4)] if any(needs[1:5]) else []
    return [*tasks, (of_input, piece)] if needs[0] else tasks


def do_task(task):
    """Do one of ``gradient_tasks``."""
    function, *arguments = task
    function(*arguments)


def lstm(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse):
    """(T, N, X), (4H, X), (4H, H), (4H,) or None, the same, (N, H), (N, H) -> outputs (T, N, H), the last states (N, H) and (N, H), and for the
    gradient the gates (4, T, N, H) and the cells (T, N, H), or what the engine has instead.
    """
    found = engine.ask("lstm", x, w_ih, w_hh, b_ih, b_hh, h, c, reverse)
    return found or _lstm(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse)


def _lstm(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse):
    steps, n, features = x.shape
    size = h.shape[1]
    gates = np.empty((4, steps, n, size), x.dtype)
    from_input = np.ascontiguousarray(_by_gate(w_ih, size).mT)
    bias = None if b_ih is None else _by_gate(b_ih + b_hh, size)

    def project(part):
        piece, j = part
        rows = gates[j, piece].reshape(-1, size)
        np.matmul(x[piece].reshape(-1, features), from_input[j], out=rows)
        if bias is not None:
            rows += bias[j]

    outputs, cells = np.empty((steps, n, size), x.dtype), np.empty((steps, n, size), x.dtype)
    from_state, product = np.empty((4, n, size), x.dtype), np.empty((n, size), x.dtype)
    w = np.ascontiguousarray(_by_gate(w_hh, size).mT)
    half = np.array(0.5, x.dtype)
    pieces = pieces_of_steps(steps, n, reverse)
    meanwhile = while_others_work(pieces, n, features * 4 * size)
    parts = [[(piece, j) for j in range(4)] for piece in pieces]
    with meanwhile(project, parts[0]):  # nothing can be done before
        pass
    for piece, following in zip(pieces, [*parts[1:], []]):
        with meanwhile(project, following):
            for t in range(steps)[piece][:: -1 if reverse else 1]:
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


def states_before(states, first, piece, reverse):
    """The states before each step of a piece; ``first`` is the one before all."""
    if reverse:
        known = states[piece.start + 1 : piece.stop + 1]
        return known if piece.stop < len(states) else np.concatenate((known, first[None]))
    known = states[max(piece.start - 1, 0) : piece.stop - 1]
    return known if piece.start else np.concatenate((first[None], known))


def lstm_backward(g, gh, gc, needs, x, w_ih, w_hh, h, c, outputs, gates, cells, reverse):
    """The gradients of the operands of ``lstm``; g, gh, gc are those of the outputs and of the last states, None for zero."""
    if gates.ndim == 1:  # the engine's
        found = engine.ask("lstm_backward", x, g, gh, gc, w_ih, w_hh, h, c, outputs, gates, cells, reverse)
        if found is not None:
            gx, gh, gc, gw_ih, gw_hh, gb = found
            return [v if need else None for v, need in zip((gx, gw_ih, gw_hh, gb, gb.copy(), gh, gc), needs)]
        bias = cells[h.size :]
        *_, gates, cells = _lstm(x, w_ih, w_hh, bias, np.zeros_like(bias), h, c, reverse)
    steps, n, size = outputs.shape
    features = x.shape[2]
    # The slopes in the gates, to be multiplied by the output's gradient for o and by the cell's for the others; and those of the outputs in the cells.
    slopes, of_cells = np.empty_like(gates), np.empty_like(cells)
    given = np.empty((steps, n, features + size), x.dtype)  # what a step is given: input and state

    def prepare(piece):
        o, i, _, g = gates[:, piece]
        s = slopes[:, piece]
        np.subtract(1, gates[:3, piece], s[:3])
        s[:3] *= gates[:3, piece]
        np.multiply(g, g, s[3])
        np.subtract(1, s[3], s[3])
        u = np.tanh(cells[piece])
        s[0] *= u
        np.multiply(u, u, u)
        np.subtract(1, u, u)
        np.multiply(u, o, of_cells[piece])
        s[1] *= g
        s[2] *= states_before(cells, c, piece, reverse)
        s[3] *= i
        given[piece, :, :features] = x[piece]
        given[piece, :, features:] = states_before(outputs, h, piece, reverse)

    gw, gb = np.zeros((4, size, features + size), x.dtype), np.zeros((4, size), x.dtype)
    gx = np.empty(x.shape, x.dtype) if needs[0] else None

    def of_weights(piece, j):
        rows = slopes[j, piece].reshape(-1, size)
        gw[j] += rows.T @ given[piece].reshape(-1, features + size)
        gb[j] += np.add.reduce(rows, 0)

    def of_input(piece):
        rows = slopes[:, piece].reshape(4, -1, size)
        np.add.reduce(rows @ to_input, 0, out=gx[piece].reshape(-1, features))

    gh = np.zeros_like(h) if gh is None else gh
    gc = np.zeros_like(c) if gc is None else gc.copy()
    w, to_input = w_hh.reshape(4, size, size)[_ORDER], w_ih.reshape(4, size, features)[_ORDER]
    product, to_states = np.empty_like(gc), np.empty((4, n, size), x.dtype)
    first = steps - 1 if reverse else 0
    pieces = pieces_of_steps(steps, n, not reverse)
    meanwhile = while_others_work(pieces, n, (features + size) * 4 * size)
    tasks = []
    for piece in pieces:
        with meanwhile(do_task, tasks):
            prepare(piece)
            for t in range(steps)[piece][:: 1 if reverse else -1]:
                if g is not None:
                    gh = gh + g[t]
                gc += np.multiply(gh, of_cells[t], product)
                slope = slopes[:, t]
                slope[0] *= gh
                slope[1:] *= gc
                gc *= gates[2, t]
                if t != first or needs[5]:
                    gh = np.add.reduce(np.matmul(slope, w, out=to_states), 0)
        tasks = gradient_tasks(piece, needs, of_weights, of_input)
    with meanwhile(do_task, tasks):
        pass
    gw, gb = gw[_PLACES].reshape(4 * size, -1), gb[_PLACES].reshape(-1)
    return (
        gx,
        np.ascontiguousarray(gw[:, :features]) if needs[1] else None,
        np.ascontiguousarray(gw[:, features:]) if needs[2] else None,
        gb if needs[3] else None,
        gb.copy() if needs[4] else None,
        gh if needs[5] else None,
        gc if needs[6] else None,
    )
