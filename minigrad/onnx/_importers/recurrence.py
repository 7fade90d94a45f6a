"""Recurrent networks, a step after the other."""

from typing import Any

from ... import _api as mg
from ...nn import functional as F
from . import activations as _known


def _activation(name, alpha, beta):
    given = {key: value for key, value in (("alpha", alpha), ("beta", beta)) if value is not None}
    name = {"relu": "Relu", "tanh": "Tanh", "sigmoid": "Sigmoid"}.get(name, name)
    if name == "Affine":
        return lambda x: given.get("alpha", 1.0) * x + given.get("beta", 0.0)
    if name == "ScaledTanh":
        return lambda x: given.get("alpha", 1.0) * mg.tanh(given.get("beta", 1.0) * x)
    if name in ("LeakyRelu", "ThresholdedRelu", "HardSigmoid", "Elu"):
        return lambda x: getattr(_known, name)(x, **given)
    if name in ("Relu", "Tanh", "Sigmoid", "Softsign", "Softplus"):
        return getattr(_known, name)
    raise NotImplementedError(f"the activation function {name} of a recurrent network")


def _run(x, states, weights, lengths, step, names, alphas, betas, direction, layout, clip):
    """Run every direction; gives all hidden states and the last states."""
    if layout:
        x, states = x.transpose(0, 1), [each if each is None else each.transpose(0, 1) for each in states]
    steps, batch, _ = x.shape
    count = 2 if direction == "bidirectional" else 1
    each = len(names) // count
    hidden = weights[1].shape[-1]
    outputs, last = [], []
    for which in range(count):
        own = [None if weight is None else weight[which] for weight in weights]
        functions = []
        for place in range(which * each, (which + 1) * each):
            function = _activation(
                names[place],
                alphas[place] if alphas and place < len(alphas) else None,
                betas[place] if betas and place < len(betas) else None,
            )
            functions.append(_clipped(function, clip) if clip else function)
        state = [x.new_zeros(batch, hidden) if part is None else part[which] for part in states]
        backwards = direction == "reverse" or which == 1
        rows = [None] * steps
        for time in reversed(range(steps)) if backwards else range(steps):
            new = step(x[time], state, own, functions)
            if lengths is not None:
                alive = (lengths > time).unsqueeze(1)
                new = [mg.where(alive, fresh, old) for fresh, old in zip(new, state)]
                rows[time] = mg.where(alive, new[0], mg.zeros_like(new[0]))
            else:
                rows[time] = new[0]
            state = new
        outputs.append(mg.stack(rows))
        last.append(state)
    result = mg.stack(outputs, 1)  # steps, directions, batch, hidden
    finals = [mg.stack(parts) for parts in zip(*last)]
    if layout:
        return (result.permute(2, 0, 1, 3), *(part.transpose(0, 1) for part in finals))
    return (result, *finals)


def _clipped(function, clip):
    return lambda x: function(mg.clamp(x, -clip, clip))


def _halves(bias):
    """The two biases, of the input and of the state."""
    return (None, None) if bias is None else mg.chunk(bias, 2)


def RNN(
    x: Any,
    w: Any,
    r: Any,
    b: Any = None,
    sequence_lens: Any = None,
    initial_h: Any = None,
    *,
    activation_alpha: Any = None,
    activation_beta: Any = None,
    activations: Any = None,
    clip: Any = None,
    direction: str = "forward",
    hidden_size: Any = None,
    layout: int = 0,
) -> Any:
    names = activations or ["Tanh"] * 2

    def step(x, state, weights, functions):
        w, r, b = weights
        own, other = _halves(b)
        return [functions[0](F.linear(x, w, own) + F.linear(state[0], r, other))]

    names = names if direction == "bidirectional" else names[:1]
    return _run(
        x,
        [initial_h],
        [w, r, b],
        sequence_lens,
        step,
        names,
        activation_alpha,
        activation_beta,
        direction,
        layout,
        clip,
    )


def GRU(
    x: Any,
    w: Any,
    r: Any,
    b: Any = None,
    sequence_lens: Any = None,
    initial_h: Any = None,
    *,
    activation_alpha: Any = None,
    activation_beta: Any = None,
    activations: Any = None,
    clip: Any = None,
    direction: str = "forward",
    hidden_size: Any = None,
    layout: int = 0,
    linear_before_reset: int = 0,
) -> Any:
    names = activations or ["Sigmoid", "Tanh"] * 2

    def step(x, state, weights, functions):
        w, r, b = weights
        (hidden,), (own, other) = state, _halves(b)
        update, reset, new = mg.chunk(F.linear(x, w, own), 3, -1)
        rows = mg.chunk(r, 3)
        biases = [None] * 3 if other is None else mg.chunk(other, 3)
        update = functions[0](update + F.linear(hidden, rows[0], biases[0]))
        reset = functions[0](reset + F.linear(hidden, rows[1], biases[1]))
        if linear_before_reset:
            new = functions[1](new + reset * F.linear(hidden, rows[2], biases[2]))
        else:
            new = functions[1](new + F.linear(reset * hidden, rows[2], biases[2]))
        return [(1 - update) * new + update * hidden]

    names = names if direction == "bidirectional" else names[:2]
    return _run(
        x,
        [initial_h],
        [w, r, b],
        sequence_lens,
        step,
        names,
        activation_alpha,
        activation_beta,
        direction,
        layout,
        clip,
    )


def LSTM(
    x: Any,
    w: Any,
    r: Any,
    b: Any = None,
    sequence_lens: Any = None,
    initial_h: Any = None,
    initial_c: Any = None,
    p: Any = None,
    *,
    activation_alpha: Any = None,
    activation_beta: Any = None,
    activations: Any = None,
    clip: Any = None,
    direction: str = "forward",
    hidden_size: Any = None,
    input_forget: int = 0,
    layout: int = 0,
) -> Any:
    names = activations or ["Sigmoid", "Tanh", "Tanh"] * 2

    def step(x, state, weights, functions):
        w, r, b, peepholes = weights
        (hidden, cell), (own, other) = state, _halves(b)
        entering, leaving, forgetting, new = mg.chunk(F.linear(x, w, own) + F.linear(hidden, r, other), 4, -1)
        if peepholes is not None:
            to_entering, to_leaving, to_forgetting = mg.chunk(peepholes, 3)
            entering, forgetting = entering + to_entering * cell, forgetting + to_forgetting * cell
        entering = functions[0](entering)
        forgetting = 1 - entering if input_forget else functions[0](forgetting)
        cell = forgetting * cell + entering * functions[1](new)
        if peepholes is not None:
            leaving = leaving + to_leaving * cell
        return [functions[0](leaving) * functions[2](cell), cell]

    names = names if direction == "bidirectional" else names[:3]
    return _run(
        x,
        [initial_h, initial_c],
        [w, r, b, p],
        sequence_lens,
        step,
        names,
        activation_alpha,
        activation_beta,
        direction,
        layout,
        clip,
    )
