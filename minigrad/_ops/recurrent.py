"""Recurrent nets: the cells, and whole nets of several layers in one or both directions over sequences, padded or packed.

Nearly everything is made of other ops, in PyTorch's order.  A layer's product with its input is computed for all steps at once; what
remains of a step is the product with the state before, and a few elementwise ops.  For long short-term memory, as in PyTorch, and for gated recurrent
units there is a node for the whole layer besides, which computes on plain arrays in one go (``_arrays/kernels/recurrent.py``, ``gated_recurrent.py``).

Shapes: T steps, N samples, X features, H of the state, G numbers per gate times gates.  Packed data (sum of lengths, X) holds the steps one
after another, each with as many samples as still have one: ``batch_sizes``.
"""

import math
from collections import namedtuple
from itertools import accumulate, pairwise

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.kernels import gated_recurrent
from .._arrays.kernels import recurrent as kernels
from .._base.argument_kinds import explained_by
from .._base.composites import composite
from .._base.dtypes import promote_types, scalar_type_name
from .._base.errors import not_a_tensor, type_name
from .._core.families import Fused, fast_classes, op
from .._core.modes import WATCHED, thread_state
from .._core.tensor import Tensor, wrap
from .activation import relu
from .autocasting import current_dtype
from .create import flag_named, full
from .dropout import dropout
from .index_slices import AtSlices
from .join import cat, stack
from .linear import linear
from .matmul import matmul
from .parts import narrow
from .permute import transpose
from .split import split_with_sizes, unbind
from .transcendental import sigmoid, tanh
from .view_copies import unsafe_chunk

__all__ = ["gru", "gru_cell", "lstm", "lstm_cell", "rnn_relu", "rnn_relu_cell", "rnn_tanh", "rnn_tanh_cell"]

#: The parameters of a layer in one direction: (G, X), (G, H), (G,), (G,), and for projections (P, H); None where missing.
Weights = namedtuple("Weights", "ih hh b_ih b_hh hr")


# Steps: the input's part of the gates (N, G), a tuple of states, the weights -> the new states, of which the first is the output ------


def _lstm_step(gates, states, weights):
    """i, f, o = σ and g = tanh of their quarter;   c' = f c + i g,   h' = o tanh c'."""
    h, c = states
    i, f, g, o = unsafe_chunk(linear(h, weights.hh, weights.b_hh) + gates, 4, 1)
    i, f, g, o = sigmoid(i), sigmoid(f), tanh(g), sigmoid(o)
    c = f * c + i * g
    h = o * tanh(c)
    return (h if weights.hr is None else linear(h, weights.hr)), c


def _gru_step(gates, states, weights):
    """r, z = σ of their third;   n = tanh(n_x + r n_h),   h' = (h - n) z + n."""
    (h,) = states
    r, z, n = unsafe_chunk(gates, 3, 1)
    r_h, z_h, n_h = unsafe_chunk(linear(h, weights.hh, weights.b_hh), 3, 1)
    n = tanh(n + n_h * sigmoid(r_h + r))
    return ((h - n) * sigmoid(z_h + z) + n,)


def _plain_step(function):
    def step(gates, states, weights):
        return (function(linear(states[0], weights.hh, weights.b_hh) + gates),)

    return step


_STEPS = {"lstm": _lstm_step, "gru": _gru_step, "rnn_tanh": _plain_step(tanh), "rnn_relu": _plain_step(relu)}


# Cells ---------------------------------------------------------------------------------------------------------------------


def _check_cell(input, hidden, w_ih, w_hh, gates):
    """Raise RuntimeError for sizes that do not fit."""
    if gates == 1:
        _check_gates(w_ih, w_hh, gates)
    features = w_ih.size(1)
    if input.size(1) != features:
        raise RuntimeError(f"input has inconsistent input_size: got {input.size(1)} expected {features}")
    size = w_hh.size(1)
    for i, h in enumerate(hidden):
        if input.size(0) != h.size(0):
            raise RuntimeError(f"Input batch size {input.size(0)} doesn't match hidden{i} batch size {h.size(0)}")
        if h.size(1) != size:
            raise RuntimeError(f"hidden{i} has inconsistent hidden_size: got {h.size(1)}, expected {size}")
    _check_gates(w_ih, w_hh, gates)


def _check_gates(w_ih, w_hh, gates):
    size = w_hh.size(1)
    for name, weight in (("ih", w_ih), ("hh", w_hh)):
        if weight.size(0) != gates * size:
            raise RuntimeError(f"weight_{name} first dim must be {gates} * hidden_size = {gates * size}, but got {weight.size(0)}")


def _cell(kind, gates, input, hidden, w_ih, w_hh, b_ih, b_hh):
    for place, (name, x) in enumerate((("input", input), ("hx", hidden[0]), ("w_ih", w_ih), ("w_hh", w_hh)), 1):
        if not isinstance(x, Tensor):
            raise not_a_tensor(f"{kind}_cell", name, place, x)
    _check_cell(input, hidden, w_ih, w_hh, gates)
    if kind == "lstm" and not (w_ih.dtype.is_floating_point or w_ih.dtype.is_complex):
        raise RuntimeError(
            f"result type Float can't be cast to the desired output type {scalar_type_name(promote_types(w_ih.dtype, w_hh.dtype))}"
        )
    return _STEPS[kind](linear(input, w_ih, b_ih), hidden, Weights(w_ih, w_hh, b_ih, b_hh, None))


def lstm_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """Compute one step of long short-term memory: ``(N, X), ((N, H), (N, H)) -> (N, H), (N, H)``, the states h and c.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> state = minigrad.zeros(1, 2)
    >>> h, c = minigrad.lstm_cell(minigrad.ones(1, 3), (state, state), minigrad.ones(8, 3), minigrad.ones(8, 2))
    >>> h
    tensor([[0.7038, 0.7038]])
    """
    if not isinstance(hx, (list, tuple)):
        raise TypeError(f"lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not {type_name(hx)}")
    if len(hx) != 2:
        raise RuntimeError("lstm_cell expects two hidden states")
    return _cell("lstm", 4, input, hx, w_ih, w_hh, b_ih, b_hh)


def gru_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """Compute one step of a gated recurrent unit: ``(N, X), (N, H) -> (N, H)``; raise RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.gru_cell(minigrad.ones(1, 3), minigrad.zeros(1, 2), minigrad.zeros(6, 3), minigrad.zeros(6, 2))
    tensor([[0., 0.]])
    """
    return _cell("gru", 3, input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


def rnn_tanh_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """Compute ``tanh(input @ w_ih.T + b_ih + hx @ w_hh.T + b_hh)``: ``(N, X), (N, H) -> (N, H)``; raise RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.rnn_tanh_cell(minigrad.ones(1, 3), minigrad.ones(1, 2), minigrad.zeros(2, 3), minigrad.eye(2))
    tensor([[0.7616, 0.7616]])
    """
    return _cell("rnn_tanh", 1, input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


def rnn_relu_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """Compute ``relu(input @ w_ih.T + b_ih + hx @ w_hh.T + b_hh)``: ``(N, X), (N, H) -> (N, H)``; raise RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.rnn_relu_cell(minigrad.ones(1, 3), minigrad.ones(1, 2), minigrad.zeros(2, 3), minigrad.eye(2))
    tensor([[1., 1.]])
    """
    return _cell("rnn_relu", 1, input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


# Layers --------------------------------------------------------------------------------------------------------------------


class MkldnnRnnLayerBackward0(Fused):
    """z, h_last, c_last = all steps of ``_lstm_step`` from h, c on, backwards to ``reverse``; also what the kernel wants to have again."""
    operands, results, nondiff, optional_from = "x w_ih w_hh b_ih b_hh h c", "z h_last c_last gates cells", (3, 4), 3
    names = {"x": "input", "w_ih": "weight1", "w_hh": "weight2", "b_ih": "weight3", "b_hh": "weight4", "h": "hx_", "c": "cx_"}
    public = "mkldnn_rnn_layer"
    def forward(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse): return kernels.lstm(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse)
    def fused(g, needs, x, w_ih, w_hh, h, c, z, gates, cells, reverse):
        return kernels.lstm_backward(*g[:3], needs, x, w_ih, w_hh, h, c, z, gates, cells, reverse)
    def along(self, edges, xp, g, values):
        if xp is arrays: return Fused.along(self, edges, xp, g, values)
        all_gradients = _lstm_gradients(g, *values[:7], self.params[0])
        return [None if edge is None else h for h, edge in zip(all_gradients, edges)]
    def _formula(i):
        def vjp(xp, g, x, w_ih, w_hh, b_ih, b_hh, h, c, z, gates, cells, reverse):
            return _lstm_gradients(g, x, w_ih, w_hh, b_ih, b_hh, h, c, reverse)[i]
        return vjp
    vjp_x, vjp_w_ih, vjp_w_hh, vjp_b_ih, vjp_b_hh, vjp_h, vjp_c = map(_formula, range(7))  # type: ignore[arg-type]
    def mult_adds(x, w_ih, w_hh): return x[0] * x[1] * (math.prod(w_ih) + math.prod(w_hh))
    def flops(x, w_hh): return x[0] * x[1] * 8 * w_hh[1]  # of each step: the sum of the four gates' products, and c = f c + i k, h = o tanh c
_lstm_layer = op(MkldnnRnnLayerBackward0)


def _lstm_gradients(g, x, w_ih, w_hh, b_ih, b_hh, h, c, reverse):
    """The gradients of the layer's operands, on Tensors: all steps once more, and then back."""
    gz, gh, gc = g[:3]
    gates = list(enumerate(unbind(linear(x, w_ih, b_ih))))
    steps = []
    for t, each in reversed(gates) if reverse else gates:
        i, f, k, o = unsafe_chunk(linear(h, w_hh, b_hh) + each, 4, 1)
        i, f, k, o = sigmoid(i), sigmoid(f), tanh(k), sigmoid(o)
        after = f * c + i * k
        s = tanh(after)
        steps.append((t, h, c, i, f, k, o, s))
        h, c = o * s, after
    slopes, of_w, gh, gc = [None] * len(steps), 0, 0 if gh is None else gh, 0 if gc is None else gc
    for t, h, c, i, f, k, o, s in reversed(steps):
        if gz is not None:
            gh = gh + gz[t]
        gc = gc + gh * o * (1 - s * s)
        parts = gc * k * i * (1 - i), gc * c * f * (1 - f), gc * i * (1 - k * k), gh * s * o * (1 - o)
        slopes[t] = slope = cat(parts, 1)
        of_w = of_w + matmul(slope.mT, h)
        gh, gc = matmul(slope, w_hh), gc * f
    slopes = stack(slopes)
    rows = slopes.flatten(0, 1)
    total = None if b_ih is None else rows.sum(0)
    return matmul(slopes, w_ih), matmul(rows.mT, x.flatten(0, 1)), of_w, total, total, gh, gc


class GruLayerBackward0(Fused):
    """z, h_last = all steps of ``_gru_step`` from h on, backwards to ``reverse``; also what the kernel wants to have again."""
    operands, results, nondiff, optional_from = "x w_ih w_hh b_ih b_hh h", "z h_last blocks", (2,), 3
    names, public = {"x": "input", "h": "hx"}, "gru_layer"
    def forward(x, w_ih, w_hh, b_ih, b_hh, h, reverse): return gated_recurrent.gru(x, w_ih, w_hh, b_ih, b_hh, h, reverse)
    def fused(g, needs, x, w_ih, w_hh, h, z, blocks, reverse):
        return gated_recurrent.gru_backward(*g[:2], needs, x, w_ih, w_hh, h, z, blocks, reverse)
    def along(self, edges, xp, g, values):
        if xp is arrays: return Fused.along(self, edges, xp, g, values)
        all_gradients = _gru_gradients(g, *values[:6], self.params[0])
        return [None if edge is None else h for h, edge in zip(all_gradients, edges)]
    def _formula(i):
        def vjp(xp, g, x, w_ih, w_hh, b_ih, b_hh, h, z, blocks, reverse):
            return _gru_gradients(g, x, w_ih, w_hh, b_ih, b_hh, h, reverse)[i]
        return vjp
    vjp_x, vjp_w_ih, vjp_w_hh, vjp_b_ih, vjp_b_hh, vjp_h = map(_formula, range(6))  # type: ignore[arg-type]
    def mult_adds(x, w_ih, w_hh): return x[0] * x[1] * (math.prod(w_ih) + math.prod(w_hh))
    def flops(x, w_hh): return x[0] * x[1] * 6 * w_hh[1]  # of each step, sums and products: of two gates, n_x + r n_h, and h = (h - n) z + n
_gru_layer = op(GruLayerBackward0)


def _gru_gradients(g, x, w_ih, w_hh, b_ih, b_hh, h, reverse):
    """Same as ``_lstm_gradients``."""
    gz, gh = g[:2]
    gates = list(enumerate(unbind(linear(x, w_ih, b_ih))))
    steps = []
    for t, each in reversed(gates) if reverse else gates:
        r, z, n = unsafe_chunk(each, 3, 1)
        r_h, z_h, n_h = unsafe_chunk(linear(h, w_hh, b_hh), 3, 1)
        r, z = sigmoid(r + r_h), sigmoid(z + z_h)
        n = tanh(n + n_h * r)
        steps.append((t, h, r, z, n, n_h))
        h = (h - n) * z + n
    slopes, of_w, of_b, gh = [None] * len(steps), 0, 0, 0 if gh is None else gh
    for t, h, r, z, n, n_h in reversed(steps):
        if gz is not None:
            gh = gh + gz[t]
        of_z, of_n = gh * (h - n) * z * (1 - z), gh * (1 - z) * (1 - n * n)
        of_r = of_n * n_h * r * (1 - r)
        slopes[t] = cat((of_r, of_z, of_n), 1)
        slope = cat((of_r, of_z, of_n * r), 1)
        of_w, of_b = of_w + matmul(slope.mT, h), of_b + slope.sum(0)
        gh = gh * z + matmul(slope, w_hh)
    slopes = stack(slopes)
    rows = slopes.flatten(0, 1)
    of_input = None if b_ih is None else rows.sum(0)
    return matmul(slopes, w_ih), matmul(rows.mT, x.flatten(0, 1)), of_w, of_input, None if b_hh is None else of_b, gh


def _step_by_step():
    """Whether somebody watches each operator, of whom not all take a layer for one (as a function with ``whole_layers`` does)."""
    return thread_state.mode == WATCHED and not all(getattr(watcher, "whole_layers", False) for watcher in thread_state.watchers)


def _in_one_go(x, states, weights, gates):
    """Whether the node of the whole layer may serve: plain tensors of one dtype that fit together, seen by nobody on the way."""
    operands = [x, *states, *(w for w in weights if w is not None)]
    if _step_by_step() or weights.hr is not None or not all(y.__class__ in fast_classes for y in operands):
        return False
    dtype, (n, size) = x._array.dtype, states[0].shape
    shapes = [(gates * size, x.shape[-1]), (gates * size, size), (gates * size,), (gates * size,)]
    return (
        dtype.char in "fd"
        and all(y._array.dtype is dtype for y in operands)
        and x.ndim == 3
        and x.shape[1] == n
        and states[-1].shape == (n, size)
        and all(w is None or w.shape == shape for w, shape in zip(weights, shapes))
    )


def _over_steps(step, x, states, weights, reverse):
    """One layer in one direction: (T, N, X) -> (T, N, H), and the last states."""
    if not x.size(0):
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    if step is _lstm_step and weights.hr is None and current_dtype() is not None:  # mixed precision lowers the layer as a whole
        x, *states = [y.to(current_dtype()) for y in (x, *states)]
        weights = Weights(*[None if w is None else w.to(current_dtype()) for w in weights])
    if step is _lstm_step and _in_one_go(x, states, weights, 4):
        z, h, c, *_ = _lstm_layer(x, *weights[:4], *states, reverse)
        return z, (h, c)
    if step is _gru_step and current_dtype() is None and _in_one_go(x, states, weights, 3):
        z, h, _ = _gru_layer(x, *weights[:4], *states, reverse)
        return z, (h,)
    steps = unbind(linear(x, weights.ih, weights.b_ih))
    found = []
    for gates in reversed(steps) if reverse else steps:
        states = step(gates, states, weights)
        found.append(states[0])
    return stack(found[::-1] if reverse else found), states


def _over_packed(step, sizes, x, states, weights, reverse):
    """One layer in one direction over packed data: (sum of sizes, X) -> (sum of sizes, H), and the last states of all samples."""
    gates = linear(x, weights.ih, weights.b_ih)
    n, width = states[0].size(0), gates.size(1)
    if n == 1 < sizes[0]:  # which would broadcast
        raise RuntimeError(f"output with shape [1, {width}] doesn't match the broadcast shape [{sizes[0]}, {width}]")
    steps = list(zip(sizes, split_with_sizes(gates, sizes)))
    first, found = states, []
    if reverse:  # samples join in as the steps come that they have
        before = sizes[-1]
        states = tuple([narrow(s, 0, 0, before) for s in states])
        for n, gates in reversed(steps):
            if n > before:
                states = tuple([cat((s, narrow(s0, 0, before, n - before))) for s, s0 in zip(states, first)])
                before = n
            states = step(gates, states, weights)
            found.append(states[0])
        return cat(found[::-1]), states
    ended, before = [], sizes[0]
    for n, gates in steps:  # samples leave as they end
        if n < before:
            ended.append([narrow(s, 0, n, before - n) for s in states])
            states = tuple([narrow(s, 0, 0, n) for s in states])
            before = n
        states = step(gates, states, weights)
        found.append(states[0])
    parts = [states, *ended[::-1]]
    return cat(found), tuple([cat(each) for each in zip(*parts)]) if ended else states


def _net(kind, x, sizes, hidden, params, biases, layers, probability, train, bidirectional, batch_first):
    """All layers: the output, and the last states, each as (layers * directions, N, H)."""
    directions = 2 if bidirectional else 1
    projected = kind == "lstm" and hidden[0].size(2) != hidden[1].size(2)
    if sizes is not None:
        sizes = _sizes(sizes)
    elif batch_first:
        x = transpose(x, 0, 1)
    each = 2 + 2 * bool(biases) + projected
    if len(params) % each:
        raise RuntimeError("got an incorrect number of RNN parameters")
    weights = [_weights(params[i : i + each], biases, projected) for i in range(0, len(params), each)]
    starts = list(zip(*map(unbind, hidden)))
    if len(starts) != layers * directions:
        raise RuntimeError("Expected more hidden states in stacked_rnn")
    if len(weights) != layers * directions:
        raise RuntimeError("Expected more weights in stacked_rnn")

    last = []
    for layer in range(layers):
        outputs = []
        for i in range(directions * layer, directions * (layer + 1)):
            reverse = i % directions == 1
            if sizes is None:
                found, states = _over_steps(_STEPS[kind], x, starts[i], weights[i], reverse)
            else:
                found, states = _over_packed(_STEPS[kind], sizes, x, starts[i], weights[i], reverse)
            outputs.append(found)
            last.append(states)
        x = outputs[0] if directions == 1 else cat(outputs, outputs[0].dim() - 1)
        if probability and train and layer < layers - 1:
            x = dropout(x, probability, True)
    if sizes is None and batch_first:
        x = transpose(x, 0, 1)
    return x, *(stack(states) for states in zip(*last))


def _weights(params, biases, projected):
    hr = params[-1] if projected else None
    return Weights(params[0], params[1], params[2] if biases else None, params[3] if biases else None, hr)


def _sizes(batch_sizes):
    """``batch_sizes`` as a list; raises RuntimeError unless it is a vector of int64."""
    _check_lengths(batch_sizes)
    return batch_sizes.tolist()


_PADDED = ("input", "hx", "params", "has_biases", "num_layers", "dropout", "train", "bidirectional", "batch_first")
_PACKED = ("data", "batch_sizes", "hx", "params", "has_biases", "num_layers", "dropout", "train", "bidirectional")
_CLASSES = {"input": Tensor, "data": Tensor, "batch_sizes": Tensor, "params": (list, tuple)}


def _arguments(kind, args, named):
    """The arguments by their names, in whichever of the two forms fits; raises TypeError if none does."""
    for names in (_PADDED, _PACKED):
        given = {**dict(zip(names, args)), **named}
        classes = {**_CLASSES, "hx": (list, tuple) if kind == "lstm" else Tensor}
        complete = len(given) == len(args) + len(named) and given.keys() == set(names)
        if complete and all(isinstance(value, classes.get(name, object)) for name, value in given.items()):
            return given
    states = "tuple of Tensors" if kind == "lstm" else "Tensor"
    rest = "tuple of Tensors params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional"
    got = ", ".join([*map(type_name, args), *(f"{name}={type_name(value)}" for name, value in named.items())])
    raise TypeError(
        f"{kind}() received an invalid combination of arguments - got ({got}), but expected one of:\n"
        f" * (Tensor data, Tensor batch_sizes, {states} hx, {rest})\n"
        f" * (Tensor input, {states} hx, {rest}, bool batch_first)\n"
    )


def _called(kind, args, named):
    given = _arguments(kind, args, named)
    hidden = tuple(given["hx"]) if kind == "lstm" else (given["hx"],)
    if kind == "lstm" and len(hidden) != 2:
        raise RuntimeError("lstm expects two hidden states")
    x, sizes = (given["data"], given["batch_sizes"]) if "data" in given else (given["input"], None)
    return _net(
        kind, x, sizes, hidden, given["params"], given["has_biases"], given["num_layers"], given["dropout"],
        given["train"], given["bidirectional"], given.get("batch_first", False),
    )


@composite
def lstm(*args, **named):
    """Apply layers of long short-term memory to sequences; the function behind ``nn.LSTM``.

    ``lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)``, or for packed data
    ``lstm(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``; returns the output and the last states
    h and c. ``input`` is (T, N, X), each of ``hx`` (layers * directions, N, H). Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> x, state = minigrad.ones(5, 1, 3), minigrad.zeros(1, 1, 2)
    >>> weights = [minigrad.zeros(8, 3), minigrad.zeros(8, 2)]
    >>> output, h, c = minigrad.lstm(x, (state, state), weights, False, 1, 0.0, True, False, False)
    >>> output.shape, h.shape, c.shape
    (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]), torch.Size([1, 1, 2]))
    """
    return _called("lstm", args, named)


@composite
def gru(*args, **named):
    """Apply layers of gated recurrent units to sequences; the function behind ``nn.GRU``. Its arguments are those of ``lstm``, with one state.

    ``input`` is (T, N, F), or (N, T, F) with ``batch_first``; returns the outputs and the last states.

    >>> import minigrad
    >>> weights = [minigrad.zeros(6, 3), minigrad.zeros(6, 2)]
    >>> output, h = minigrad.gru(minigrad.ones(5, 1, 3), minigrad.zeros(1, 1, 2), weights, False, 1, 0.0, True, False, False)
    >>> output.shape, h.shape
    (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]))
    """
    return _called("gru", args, named)


@composite
def rnn_tanh(*args, **named):
    """Apply layers of ``tanh`` units to sequences; the function behind ``nn.RNN``. Its arguments are those of ``lstm``, with one state.

    ``input`` is (T, N, F), or (N, T, F) with ``batch_first``; returns the outputs and the last states.

    >>> import minigrad
    >>> weights = [minigrad.zeros(2, 3), minigrad.zeros(2, 2)]
    >>> output, h = minigrad.rnn_tanh(minigrad.ones(5, 1, 3), minigrad.zeros(1, 1, 2), weights, False, 1, 0.0, True, False, False)
    >>> output.shape, h.shape
    (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]))
    """
    return _called("rnn_tanh", args, named)


@composite
def rnn_relu(*args, **named):
    """Apply layers of ``relu`` units to sequences; the function behind ``nn.RNN``. Its arguments are those of ``lstm``, with one state.

    ``input`` is (T, N, F), or (N, T, F) with ``batch_first``; returns the outputs and the last states.

    >>> import minigrad
    >>> weights = [minigrad.zeros(2, 3), minigrad.zeros(2, 2)]
    >>> output, h = minigrad.rnn_relu(minigrad.ones(5, 1, 3), minigrad.zeros(1, 1, 2), weights, False, 1, 0.0, True, False, False)
    >>> output.shape, h.shape
    (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]))
    """
    return _called("rnn_relu", args, named)


# Packing -------------------------------------------------------------------------------------------------------------------


class PackPaddedSequenceBackward0(AtSlices):
    """z = the rows of x (T, N, ...) at ``index``, which counts through both axes; g is put there, into zeros."""
    operands, public = "x index", "_pack_padded_sequence"
    def forward(x, index):            return x.reshape(-1, *x.shape[2:])[index]
    def vjp_x(xp, g, x_shape, index):
        rows, columns, *rest = x_shape
        return xp.reshape(xp.add_slices(g, index, 0, (rows * columns, *rest)), x_shape)
    batch = None  # type: ignore[assignment]
_pack = op(PackPaddedSequenceBackward0)


def _check_lengths(lengths):
    if lengths.ndim != 1 or lengths.dtype.name != "int64":
        kind = {"float32": "Float", "float64": "Double", "int32": "Int", "int64": "Long"}.get(lengths.dtype.name, lengths.dtype.name)
        raise RuntimeError(f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.ndim}D cpu {kind} tensor")


@explained_by("_pack_padded_sequence")
def pack_padded(input, lengths, batch_first):
    """Packed data and ``batch_sizes`` of (T, N, ...) with ``lengths`` (N,), which decrease.

    Raises RuntimeError for lengths that do not decrease, are not positive, or whose number is not N.
    """
    flag_named("batch_first", batch_first)
    _check_lengths(lengths)
    if not input.numel():
        raise RuntimeError("Cannot pack empty tensors.")
    if batch_first:
        input = transpose(input, 0, 1)
    n = input.size(1)
    ends = lengths.tolist()
    if len(ends) != n:
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {len(ends)} (batch_size={n})")
    if ends[-1] <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if any(a < b for a, b in pairwise(ends)):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need "
            "ONNX exportability."
        )
    there = np.arange(ends[0])[:, None] < np.array(ends)
    index = np.flatnonzero(there[: input.size(0)])
    return _pack(input, wrap(index)), wrap(there.sum(1))


def pad_packed(data, batch_sizes, batch_first, padding_value, total_length):
    """(T, N, ...) with ``padding_value`` after the end of each sample, and the lengths (N,), of packed data."""
    sizes = _sizes(batch_sizes)
    if not sizes:
        raise RuntimeError("batch_sizes can not be empty")
    steps = len(sizes)
    if total_length > 0:
        if total_length < steps:
            raise RuntimeError(
                "Expected total_length to be at least the length of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {steps}"
            )
        steps = total_length
    found = full((steps, sizes[0], *data.shape[1:]), padding_value, dtype=data.dtype)
    ends = list(accumulate(sizes))
    at = start = 0
    for t, size in enumerate(sizes, 1):  # runs of steps with the same samples go in one piece
        if t == len(sizes) or sizes[t] != size:
            part = narrow(data, 0, start, ends[t - 1] - start).view(t - at, size, *data.shape[1:])
            found[at:t, :size] = part
            at, start = t, ends[t - 1]
    lengths = (np.array(sizes)[:, None] > np.arange(sizes[0])).sum(0)
    return (transpose(found, 0, 1) if batch_first else found), wrap(lengths)


@explained_by("pad_sequence")
def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Tensors (L, ...) of several lengths as one of (max L, N, ...), or (N, max L, ...), filled up with ``padding_value``.

    Raises RuntimeError for no tensors, or sizes that do not fit.
    """
    flag_named("batch_first", batch_first)
    for i, x in enumerate(sequences):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type_name(x)}")
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    if not sequences[0].ndim:
        raise RuntimeError("ArrayRef: invalid slice, N = 1; size = 0")
    longest, rest = max(x.size(0) for x in sequences), sequences[0].shape[1:]
    shape = (len(sequences), longest) if batch_first else (longest, len(sequences))
    found = full((*shape, *rest), padding_value, dtype=sequences[0].dtype)
    for i, x in enumerate(sequences):
        place = found.select(0 if batch_first else 1, i)
        narrow(place, 0, longest - x.size(0) if padding_side == "left" else 0, x.size(0)).copy_(x)
    return found
