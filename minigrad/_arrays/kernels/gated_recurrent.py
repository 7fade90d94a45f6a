"""A layer of gated recurrent units over all steps, on arrays, like that of long short-term memory in ``recurrent.py``.

T steps, N samples, X features, H of the state.  Inside there are four blocks of (T, N, H), in the order: what the state says to the new values, the gates r and z,
and the new values n.  The state is multiplied for the first three, the input for the last three.
"""

import numpy as np

from .recurrent import do_task, gradient_tasks, pieces_of_steps, states_before, while_others_work

_FROM_STATE = [2, 0, 1]  # places of n, r, z in the weights, which have r, z, n
_PLACES = [1, 2, 0]  # and of r, z, n among the first three of ours


def _by_gate(w, size):
    """Weights (3H, ...) or a bias (3H,) as (3, H, ...), those of the gates halved: a sigmoid is made of a ``tanh``."""
    gates = w.reshape(3, size, *w.shape[1:]).copy()
    gates[:2] *= w.dtype.type(0.5)
    return gates


def gru(x, w_ih, w_hh, b_ih, b_hh, h, reverse):
    """(T, N, X), (3H, X), (3H, H), (3H,) or None, the same, (N, H) -> outputs (T, N, H), the last state (N, H), and for the gradient
    the blocks (4, T, N, H).
    """
    steps, n, features = x.shape
    size = h.shape[1]
    blocks = np.empty((4, steps, n, size), x.dtype)
    from_input = np.ascontiguousarray(_by_gate(w_ih, size).mT)
    w = np.ascontiguousarray(_by_gate(w_hh, size)[_FROM_STATE].mT)
    bias = None
    if b_ih is None:
        blocks[0] = 0
    else:
        bias, of_state = _by_gate(b_ih, size), _by_gate(b_hh, size)
        bias[:2] += of_state[:2]
        blocks[0] = of_state[2]

    def project(part):
        piece, j = part
        rows = blocks[1 + j, piece].reshape(-1, size)
        np.matmul(x[piece].reshape(-1, features), from_input[j], out=rows)
        if bias is not None:
            rows += bias[j]

    outputs = np.empty((steps, n, size), x.dtype)
    from_state, product = np.empty((3, n, size), x.dtype), np.empty((n, size), x.dtype)
    half = np.array(0.5, x.dtype)
    pieces = pieces_of_steps(steps, n, reverse)
    meanwhile = while_others_work(pieces, n, features * 3 * size)
    parts = [[(piece, j) for j in range(3)] for piece in pieces]
    with meanwhile(project, parts[0]):  # nothing can be done before
        pass
    for piece, following in zip(pieces, [*parts[1:], []]):
        with meanwhile(project, following):
            for t in range(steps)[piece][:: -1 if reverse else 1]:
                block = blocks[:, t]
                given = block[:3]
                given += np.matmul(h, w, out=from_state)
                sigmoids = block[1:3]
                np.tanh(sigmoids, sigmoids)
                sigmoids *= half
                sigmoids += half
                of_state, r, z, new = block
                new += np.multiply(of_state, r, product)
                np.tanh(new, new)
                out = outputs[t]
                np.subtract(h, new, out)
                out *= z
                out += new
                h = out
    return outputs, h.copy(), blocks


def gru_backward(g, gh, needs, x, w_ih, w_hh, h, outputs, blocks, reverse):
    """The gradients of the operands of ``gru``; g and gh are those of the outputs and of the last state, None for zero."""
    steps, n, size = outputs.shape
    features = x.shape[2]
    slopes = np.empty_like(blocks)  # in what makes the blocks, to be multiplied by the state's gradient
    given = np.empty((steps, n, features + size), x.dtype)  # what a step is given: input and state

    def prepare(piece):
        of_state, r, z, new = blocks[:, piece]
        s_state, s_r, s_z, s_new = slopes[:, piece]
        before = states_before(outputs, h, piece, reverse)
        np.subtract(1, z, s_z)
        np.multiply(new, new, s_new)
        np.subtract(1, s_new, s_new)
        s_new *= s_z
        np.multiply(s_new, r, s_state)
        np.subtract(1, r, s_r)
        s_r *= s_state
        s_r *= of_state
        s_z *= z
        s_z *= before - new
        given[piece, :, :features] = x[piece]
        given[piece, :, features:] = before

    gw, gb = np.zeros((4, size, features + size), x.dtype), np.zeros((4, size), x.dtype)
    gx = np.empty(x.shape, x.dtype) if needs[0] else None

    def of_weights(piece, j):
        rows = slopes[j, piece].reshape(-1, size)
        seen = slice(0 if j else features, None if j < 3 else features)
        gw[j, :, seen] += rows.T @ given[piece].reshape(-1, features + size)[:, seen]
        gb[j] += np.add.reduce(rows, 0)

    def of_input(piece):
        rows = slopes[1:, piece].reshape(3, -1, size)
        np.add.reduce(rows @ to_input, 0, out=gx[piece].reshape(-1, features))

    gh = np.zeros_like(h) if gh is None else gh
    w, to_input = w_hh.reshape(3, size, size)[_FROM_STATE], w_ih.reshape(3, size, features)
    to_states = np.empty((3, n, size), x.dtype)
    first = steps - 1 if reverse else 0
    pieces = pieces_of_steps(steps, n, not reverse)
    meanwhile = while_others_work(pieces, n, (features + size) * 3 * size)
    tasks = []
    for piece in pieces:
        with meanwhile(do_task, tasks):
            prepare(piece)
            for t in range(steps)[piece][:: 1 if reverse else -1]:
                if g is not None:
                    gh = gh + g[t]
                slope = slopes[:, t]
                slope *= gh
                if t != first or needs[5]:
                    kept = gh * blocks[2, t]
                    gh = np.add.reduce(np.matmul(slope[:3], w, out=to_states), 0)
                    gh += kept
        tasks = gradient_tasks(piece, needs, of_weights, of_input)
    with meanwhile(do_task, tasks):
        pass
    of_input_side, of_state_side = gw[1:, :, :features], gw[_PLACES, :, features:]
    return (
        gx,
        np.ascontiguousarray(of_input_side).reshape(3 * size, features) if needs[1] else None,
        np.ascontiguousarray(of_state_side).reshape(3 * size, size) if needs[2] else None,
        gb[1:].reshape(-1) if needs[3] else None,
        gb[_PLACES].reshape(-1) if needs[4] else None,
        gh if needs[5] else None,
    )
