"""Recurrent layers, as ONNX's own nodes, and cells."""

from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ._common import refuse
from ._registry import exporter
from .matrices import linear

#: For each kind of layer the gates in ONNX's order, as numbers of PyTorch's.
_GATES = {"LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2), "RNN": (0,)}


def _ordered(g, kind, parameter):
    """A parameter with its gates in ONNX's order, with a dimension for the direction."""
    order = _GATES[kind]
    if len(order) > 1:
        hidden = parameter.shape[0] // len(order)
        gates = g.split(parameter, [hidden] * len(order), 0)
        parameter = g.op("Concat", *[gates[i] for i in order], axis=0)
    return g.unsqueeze(parameter, 0)


def _layers(
    g,
    kind,
    input,
    states,
    params,
    has_biases,
    num_layers,
    dropout,
    train,
    bidirectional,
    batch_first,
    **attributes,
):
    if dropout and train:
        raise refuse(f"{kind} with dropout in training")
    directions = 2 if bidirectional else 1
    each = len(params) // (num_layers * directions)
    if each not in (2, 4):
        raise refuse(f"{kind} with proj_size")
    hidden = params[1].shape[1]
    x = g.transpose(input, [1, 0, 2]) if batch_first else input
    last: list[list[Any]] = [[] for _ in states]
    for layer in range(num_layers):
        own = [
            params[(layer * directions + d) * each : (layer * directions + d + 1) * each]
            for d in range(directions)
        ]
        weights, recurrences = (_stacked(g, [_ordered(g, kind, p[i]) for p in own]) for i in (0, 1))
        bias = None
        if has_biases:
            bias = _stacked(
                g, [g.op("Concat", _ordered(g, kind, p[2]), _ordered(g, kind, p[3]), axis=1) for p in own]
            )
        first = [
            None
            if _zero(s)
            else s
            if num_layers == 1
            else g.slice(s, 0, layer * directions, (layer + 1) * directions)
            for s in states
        ]
        made = g.op(
            kind,
            x,
            weights,
            recurrences,
            bias,
            None,
            *first,
            hidden_size=hidden,
            direction="bidirectional" if bidirectional else "forward",
            outputs=1 + len(states),
            **{
                key: value * directions if isinstance(value, list) else value
                for key, value in attributes.items()
            },
        )
        x = g.op("Reshape", g.transpose(made[0], [0, 2, 1, 3]), g.ints([0, 0, -1]))
        for found, state in zip(last, made[1:], strict=True):
            found.append(state)
    out = g.transpose(x, [1, 0, 2]) if batch_first else x
    return out, *[_stacked(g, found) for found in last]


def _stacked(g, parts):
    return parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=0)


def _zero(state):
    """Whether a state is known to be zero, as it is where the program gives none."""
    return state.elements is not None and not bool(state.elements.any())


def _check(input, hx):
    if isinstance(hx, Value) and hx.dtype is dtypes.int64:
        raise refuse("a recurrent layer of a packed sequence")
    if len(input.shape) != 3:
        raise refuse("a recurrent layer of a single sequence")


def _register_layers(name, kind, **attributes):
    @exporter(name)
    def layers(g, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first=None):
        _check(input, hx)
        states = [*hx] if kind == "LSTM" else [hx]
        return _layers(
            g,
            kind,
            input,
            states,
            params,
            has_biases,
            num_layers,
            dropout,
            train,
            bidirectional,
            batch_first,
            **attributes,
        )


def _register_cell(name, activation):
    @exporter(name)
    def cell(g, input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
        return g.op(activation, g.op("Add", linear(g, input, w_ih, b_ih), linear(g, hx, w_hh, b_hh)))


_register_layers("lstm", "LSTM")
_register_layers("gru", "GRU", linear_before_reset=1)
_register_layers("rnn_tanh", "RNN", activations=["Tanh"])
_register_layers("rnn_relu", "RNN", activations=["Relu"])
_register_cell("rnn_tanh_cell", "Tanh")
_register_cell("rnn_relu_cell", "Relu")


@exporter("lstm_cell")
def lstm_cell(
    g: Builder, input: Value, hx: Any, w_ih: Value, w_hh: Value, b_ih: Any = None, b_hh: Any = None
) -> Any:
    hidden, cell = hx
    gates = g.op("Add", linear(g, input, w_ih, b_ih), linear(g, hidden, w_hh, b_hh))
    size = w_hh.shape[1]
    entry, forget, new, out = g.split(gates, [size] * 4, len(input.shape) - 1)
    entry, forget, out = (g.op("Sigmoid", x) for x in (entry, forget, out))
    kept = g.op("Add", g.op("Mul", forget, cell), g.op("Mul", entry, g.op("Tanh", new)))
    return g.op("Mul", out, g.op("Tanh", kept)), kept


@exporter("gru_cell")
def gru_cell(
    g: Builder, input: Value, hx: Value, w_ih: Value, w_hh: Value, b_ih: Any = None, b_hh: Any = None
) -> Value:
    size, axis = w_hh.shape[1], len(input.shape) - 1
    ours = g.split(linear(g, input, w_ih, b_ih), [size] * 3, axis)
    theirs = g.split(linear(g, hx, w_hh, b_hh), [size] * 3, axis)
    reset, update = (g.op("Sigmoid", g.op("Add", a, b)) for a, b in zip(ours[:2], theirs[:2]))
    new = g.op("Tanh", g.op("Add", ours[2], g.op("Mul", reset, theirs[2])))
    return g.op("Add", new, g.op("Mul", update, g.op("Sub", hx, new)))
