"""Recurrent layers, as ONNX's own nodes, and cells."""

from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ._common import refuse
from ._registry import exporter
from ._scans import scan
from .matrices import linear
from .packed_sequences import pack, unpack

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
    padded=None,
    **attributes,
):
    """The outputs and last states of layers; ``padded`` is what is in ``input`` if that is packed."""
    if dropout and train:
        raise refuse(f"{kind} with dropout in training")
    directions = 2 if bidirectional else 1
    each = len(params) // (num_layers * directions)
    x = g.transpose(input, [1, 0, 2]) if batch_first else input
    if padded is not None:
        x = padded.steps
    last: list[list[Any]] = [[] for _ in states]
    for layer in range(num_layers):
        own = [
            params[(layer * directions + d) * each : (layer * directions + d + 1) * each]
            for d in range(directions)
        ]
        first = [
            s if num_layers == 1 else g.slice(s, 0, layer * directions, (layer + 1) * directions)
            for s in states
        ]
        if each % 2:
            x, *ends = _projected(g, x, own, first, has_biases, padded)
        else:
            first = [None if _zero(s) else part for s, part in zip(states, first, strict=True)]
            x, *ends = _layer(g, kind, x, own, first, has_biases, padded, attributes)
        for found, state in zip(last, ends, strict=True):
            found.append(state)
    states = [_stacked(g, found) for found in last]
    if padded is not None:
        width = directions * (params[1].shape[1])
        return pack(g, padded._replace(steps=Value(x.name, input.dtype, (None, None, width)))), *states
    return g.transpose(x, [1, 0, 2]) if batch_first else x, *states


def _layer(g, kind, x, own, first, has_biases, padded, attributes):
    """One layer in all its directions, as ONNX's own node."""
    directions = len(own)
    weights, recurrences = (_stacked(g, [_ordered(g, kind, p[i]) for p in own]) for i in (0, 1))
    bias = None
    if has_biases:
        bias = _stacked(
            g, [g.op("Concat", _ordered(g, kind, p[2]), _ordered(g, kind, p[3]), axis=1) for p in own]
        )
    made = g.op(
        kind,
        x,
        weights,
        recurrences,
        bias,
        None if padded is None else g.cast(padded.lengths, dtypes.int32),
        *first,
        hidden_size=own[0][1].shape[1],
        direction="bidirectional" if directions == 2 else "forward",
        outputs=1 + len(first),
        **{
            key: value * directions if isinstance(value, list) else value for key, value in attributes.items()
        },
    )
    return g.op("Reshape", g.transpose(made[0], [0, 2, 1, 3]), g.ints([0, 0, -1])), *made[1:]


def _projected(g, x, own, states, has_biases, padded):
    """One layer of an LSTM whose outputs are projected: ONNX's node knows of no projections, so that its steps are written."""
    outs, last = [], ([], [])
    for number, params in enumerate(own):
        size, width = params[1].shape[0] // 4, params[1].shape[1]
        gates = g.op("MatMul", x, g.transpose(params[0], [1, 0]))
        if has_biases:
            gates = g.op("Add", gates, g.op("Add", params[2], params[3]))
        sequences = [Value(gates.name, gates.dtype, (None, None, 4 * size))]
        if padded is not None:
            sequences.append(Value(g.unsqueeze(padded.within, 2).name, dtypes.bool_, (None, None, 1)))
        begin = []
        for state, count in zip(states, (width, size), strict=True):
            part = g.squeeze(g.slice(state, 0, number, number + 1), 0)
            begin.append(Value(part.name, part.dtype, (None, count)))
        step = _projected_step(g.transpose(params[1], [1, 0]), g.transpose(params[-1], [1, 0]), size)
        ends, (out,) = scan(g, step, begin, sequences, reverse=number == 1)
        outs.append(out)
        for found, end in zip(last, ends, strict=True):
            found.append(g.unsqueeze(end, 0))
    x = outs[0] if len(outs) == 1 else g.op("Concat", *outs, axis=2)
    return x, *[_stacked(g, found) for found in last]


def _projected_step(recurrence, projection, size):
    """A step of an LSTM with these matrices, turned already; beyond the end of a sequence the states stay."""

    def step(g, states, elements):
        (hidden, cell), (gates, *within) = states, elements
        parts = g.split(g.op("Add", gates, g.op("MatMul", hidden, recurrence)), [size] * 4, 1)
        entry, forget, out = (g.op("Sigmoid", parts[i]) for i in (0, 1, 3))
        kept = g.op("Add", g.op("Mul", forget, cell), g.op("Mul", entry, g.op("Tanh", parts[2])))
        shown = g.op("MatMul", g.op("Mul", out, g.op("Tanh", kept)), projection)
        if within:
            shown, kept = g.where(within[0], shown, hidden), g.where(within[0], kept, cell)
        shown, kept = Value(shown.name, shown.dtype, (None, None)), Value(kept.name, kept.dtype, (None, None))
        return [shown, kept], [shown]

    return step


def _stacked(g, parts):
    return parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=0)


def _zero(state):
    """Whether a state is known to be zero, as it is where the program gives none."""
    return state.elements is not None and not bool(state.elements.any())


def _register_layers(name, kind, **attributes):
    @exporter(name)
    def layers(g, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first=None):
        padded = None
        if (
            isinstance(hx, Value) and hx.dtype is dtypes.int64
        ):  # the number of samples of each step of what is packed
            padded = unpack(g, input, hx)
            hx, params, has_biases, num_layers = params, has_biases, num_layers, dropout
            dropout, train, bidirectional, batch_first = train, bidirectional, batch_first, False
        elif len(input.shape) != 3:
            raise refuse("a recurrent layer of a single sequence")
        return _layers(
            g,
            kind,
            input,
            [*hx] if kind == "LSTM" else [hx],
            params,
            has_biases,
            num_layers,
            dropout,
            train,
            bidirectional,
            batch_first,
            padded,
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
