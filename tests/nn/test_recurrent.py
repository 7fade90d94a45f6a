"""Recurrent layers and cells: what they compute, over padded and packed sequences, and what they refuse."""

import copy
import pickle

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad._ops import recurrent
from minigrad.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence
from tests.numeric import check_gradients


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_step(x, states, w_ih, w_hh, b_ih, b_hh, w_hr=None):
    h, c = states
    i, f, g, o = np.split(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh, 4, -1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    h = sigmoid(o) * np.tanh(c)
    return (h if w_hr is None else h @ w_hr.T), c


def gru_step(x, states, w_ih, w_hh, b_ih, b_hh):
    (h,) = states
    r, z, n = np.split(x @ w_ih.T + b_ih, 3, -1)
    r_h, z_h, n_h = np.split(h @ w_hh.T + b_hh, 3, -1)
    z = sigmoid(z + z_h)
    return ((1 - z) * np.tanh(n + sigmoid(r + r_h) * n_h) + z * h,)


def tanh_step(x, states, w_ih, w_hh, b_ih, b_hh):
    return (np.tanh(x @ w_ih.T + b_ih + states[0] @ w_hh.T + b_hh),)


STEPS = {"LSTM": lstm_step, "GRU": gru_step, "RNN": tanh_step}
KINDS = list(STEPS)


def by_hand(net, x, states):
    """Output and last states of a net for (T, X), one sample, by NumPy: ``states`` holds arrays (layers * directions, ...)."""
    step = STEPS[type(net).__name__]
    last = []
    directions = 2 if net.bidirectional else 1
    for layer in range(net.num_layers):
        outputs = []
        for direction in range(directions):
            i = layer * directions + direction
            weights = [w.detach().numpy() for w in net.all_weights[i]]
            state = tuple(s[i] for s in states)
            found = []
            for row in x[::-1] if direction else x:
                state = step(row, state, *weights)
                found.append(state[0])
            outputs.append(np.stack(found[::-1] if direction else found))
            last.append(state)
        x = np.concatenate(outputs, -1)
    return x, [np.stack(s) for s in zip(*last)]


def zeros(net):
    count = net.num_layers * (2 if net.bidirectional else 1)
    states = [np.zeros((count, net.proj_size or net.hidden_size))]
    return states + [np.zeros((count, net.hidden_size))] * (type(net) is nn.LSTM)


def as_list(states):
    return [states] if isinstance(states, torch.Tensor) else list(states)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{}, {"num_layers": 2, "bidirectional": True}])
def test_a_net_computes_step_by_step_what_its_formulas_say(kind, options):
    net = getattr(nn, kind)(3, 4, **options).double()
    x = torch.randn(5, 2, 3, dtype=torch.float64)
    output, states = net(x)
    for n in range(2):
        expected, last = by_hand(net, x[:, n].numpy(), zeros(net))
        np.testing.assert_allclose(output[:, n].detach().numpy(), expected, rtol=1e-12)
        for got, want in zip(as_list(states), last):
            np.testing.assert_allclose(got[:, n].detach().numpy(), want, rtol=1e-12)


def test_projected_outputs_are_the_states_times_a_matrix():
    net = nn.LSTM(3, 4, 2, bidirectional=True, proj_size=2).double()
    x = torch.randn(5, 1, 3, dtype=torch.float64)
    output, (h, c) = net(x)
    assert output.shape == (5, 1, 4) and h.shape == (4, 1, 2) and c.shape == (4, 1, 4)
    expected, last = by_hand(net, x[:, 0].numpy(), zeros(net))
    np.testing.assert_allclose(output[:, 0].detach().numpy(), expected, rtol=1e-12)
    np.testing.assert_allclose(c[:, 0].detach().numpy(), last[1], rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_packed_samples_are_computed_as_if_they_were_alone(kind):
    net = getattr(nn, kind)(3, 4, 2, bidirectional=True).double()
    samples = [torch.randn(n, 3, dtype=torch.float64) for n in (2, 5, 3)]
    output, states = net(pack_sequence(samples, enforce_sorted=False))
    padded, lengths = pad_packed_sequence(output)
    assert lengths.tolist() == [2, 5, 3]
    for n, sample in enumerate(samples):
        alone, last = net(sample)
        torch.testing.assert_close(padded[: len(sample), n], alone)
        assert not padded[len(sample) :, n].any()
        for got, want in zip(as_list(states), as_list(last)):
            torch.testing.assert_close(got[:, n], want)


@pytest.mark.parametrize("kind", KINDS)
def test_the_batch_may_come_first_or_be_missing(kind):
    net = getattr(nn, kind)(3, 4, 2)
    first = copy.deepcopy(net)
    first.batch_first = True
    x = torch.randn(5, 2, 3)
    output, states = net(x)
    turned, same_states = first(x.transpose(0, 1))
    assert torch.equal(turned, output.transpose(0, 1))
    assert all(map(torch.equal, as_list(states), as_list(same_states)))
    alone, own_states = net(x[:, 0])
    torch.testing.assert_close(alone, output[:, 0])
    torch.testing.assert_close(as_list(own_states)[0], as_list(states)[0][:, 0])


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_finite_differences(kind):
    net = getattr(nn, kind)(2, 2, bidirectional=True).double()
    names = [name for name, _ in net.named_parameters()]

    def function(x, h, c, *weights):
        hx = (h, c) if kind == "LSTM" else h
        output, states = torch.func.functional_call(net, dict(zip(names, weights)), (x, hx))
        return [output, *as_list(states)] + ([] if kind == "LSTM" else [c])

    rng = np.random.default_rng(0)
    shapes = [(3, 2, 2), (2, 2, 2), (2, 2, 2), *(w.shape for w in net.parameters())]
    check_gradients(function, *(rng.normal(size=s) for s in shapes), directions=3)


@pytest.mark.parametrize(
    "step, gates, node",
    [(recurrent._lstm_step, 4, "MkldnnRnnLayerBackward0"), (recurrent._gru_step, 3, "GruLayerBackward0")],
    ids=["LSTM", "GRU"],
)
def test_the_node_of_a_whole_layer_has_the_gradients_of_its_steps(step, gates, node):
    rng = np.random.default_rng(1)
    shapes = (4, 2, 3), (5 * gates, 3), (5 * gates, 5), (5 * gates,), (5 * gates,), *[(2, 5)] * (gates - 2)
    for reverse in (False, True):
        for biases in (True, False):
            x, *weights = (torch.tensor(rng.normal(size=s), requires_grad=True) for s in shapes)
            weights, states = weights[:4], tuple(weights[4:])
            weights = recurrent.Weights(*(weights if biases else [*weights[:2], None, None]), None)
            leaves = [x, *states, *(w for w in weights if w is not None)]

            def outcome(step, x=x, states=states, weights=weights, reverse=reverse, leaves=leaves):
                z, last = recurrent._over_steps(step, x, states, weights, reverse)
                loss = (z * z).sum() + (last[0] ** 3).sum() + last[-1].sin().sum()
                plain = torch.autograd.grad(loss, leaves, retain_graph=True)
                recorded = torch.autograd.grad(loss, leaves, create_graph=True)
                twice = torch.autograd.grad(sum((g * g).sum() for g in recorded), leaves)
                return z, *last, *plain, *recorded, *twice

            whole = outcome(step)
            steps = outcome(lambda *args: step(*args))
            assert whole[0].grad_fn.name() == node
            assert steps[0].grad_fn.name() == "StackBackward0"
            for mine, own in zip(whole, steps):
                torch.testing.assert_close(mine, own, rtol=1e-10, atol=1e-12)


def test_mixed_precision_lowers_a_layer_of_long_short_term_memory_as_a_whole():
    pytest.importorskip("ml_dtypes")
    x = torch.ones(2, 1, 3)
    with torch.autocast("cpu"):
        output, (h, c) = nn.LSTM(3, 4)(x)
        assert output.dtype is h.dtype is c.dtype is torch.bfloat16
        assert nn.GRU(3, 4)(x)[0].dtype is nn.LSTMCell(3, 4)(x[0])[0].dtype is torch.float32


def test_saturated_gates_raise_no_warning():
    with np.errstate(all="raise", under="ignore"):
        output, _ = nn.LSTM(1, 1)(torch.full((2, 1, 1), -1e6))
    assert output.isfinite().all()


@pytest.mark.parametrize("kind", KINDS)
def test_transforms_go_through_a_net(kind):
    net = getattr(nn, kind)(2, 3).double().requires_grad_(False)

    def output(x):
        return net(x)[0]

    x, t = torch.randn(2, 4, 1, 2, dtype=torch.float64)
    eps = 1e-6
    slope = (output(x + eps * t) - output(x - eps * t)) / (2 * eps)
    torch.testing.assert_close(torch.func.jvp(output, (x,), (t,))[1], slope, rtol=1e-6, atol=1e-8)
    torch.testing.assert_close(torch.vmap(output)(torch.stack([x, t])), torch.stack([output(x), output(t)]))


def test_dropout_falls_between_the_layers_in_training_only():
    net = nn.LSTM(3, 4, 2, dropout=1.0)
    x = torch.randn(5, 2, 3)
    without = copy.deepcopy(net)
    without.dropout = 0.0
    second = nn.LSTM(4, 4)
    second.load_state_dict(
        {name.replace("l1", "l0"): w for name, w in net.state_dict().items() if "l1" in name}
    )
    assert torch.equal(net(x)[0], second(torch.zeros(5, 2, 4))[0])
    assert torch.equal(net.eval()(x)[0], without(x)[0])


@pytest.mark.parametrize(
    "cell, step", [("LSTMCell", lstm_step), ("GRUCell", gru_step), ("RNNCell", tanh_step)]
)
def test_a_cell_computes_one_step(cell, step):
    cell = getattr(nn, cell)(3, 4).double()
    weights = [w.detach().numpy() for w in cell.parameters()]
    x, *states = torch.randn(3, 2, 4, dtype=torch.float64)
    x, states = x[:, :3], tuple(states[: 2 if step is lstm_step else 1])
    expected = step(x.numpy(), [s.numpy() for s in states], *weights)
    hx = states if step is lstm_step else states[0]
    for got, want in zip(as_list(cell(x, hx)), expected):
        np.testing.assert_allclose(got.detach().numpy(), want, rtol=1e-12)
    alone = as_list(cell(x[0], tuple(s[0] for s in states) if step is lstm_step else hx[0]))
    for got, want in zip(alone, expected):
        np.testing.assert_allclose(got.detach().numpy(), want[0], rtol=1e-12)
    from_nothing = step(
        x.numpy(), [np.zeros((2, 4))] * 2 if step is lstm_step else [0 * expected[0]], *weights
    )
    np.testing.assert_allclose(as_list(cell(x))[0].detach().numpy(), from_nothing[0], rtol=1e-12)


def test_relu_serves_in_the_place_of_tanh():
    net, cell = nn.RNN(3, 4, 1, "relu", bias=False), nn.RNNCell(3, 4, bias=False, nonlinearity="relu")
    cell.weight_ih, cell.weight_hh = net.weight_ih_l0, net.weight_hh_l0
    x = torch.randn(2, 1, 3)
    h = cell(x[1], cell(x[0]))
    torch.testing.assert_close(net(x)[1][0], h)
    assert (h == torch.relu(x[1] @ cell.weight_ih.T + cell(x[0]) @ cell.weight_hh.T)).all()


def test_parameters_and_text():
    net = nn.LSTM(3, 4, 2, batch_first=True, dropout=0.5, bidirectional=True, proj_size=2)
    assert (
        repr(net)
        == "LSTM(3, 4, proj_size=2, num_layers=2, batch_first=True, dropout=0.5, bidirectional=True)"
    )
    names = ["weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr"]
    places = ["l0", "l0_reverse", "l1", "l1_reverse"]
    assert list(net.state_dict()) == [f"{name}_{place}" for place in places for name in names]
    assert [len(weights) for weights in net.all_weights] == [5] * 4
    assert net.weight_ih_l1.shape == (16, 4) and net.weight_hh_l1.shape == (16, 2)
    assert net.flatten_parameters() is None
    assert repr(nn.GRUCell(3, 4, bias=False)) == "GRUCell(3, 4, bias=False)"
    assert repr(nn.RNNCell(3, 4, nonlinearity="relu")) == "RNNCell(3, 4, nonlinearity=relu)"


def test_copies_and_conversions_keep_the_weights_in_their_places():
    net = nn.GRU(3, 4)
    for twin in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert twin._flat_weights[0] is twin.weight_ih_l0 is not net.weight_ih_l0
        assert twin.__dict__.keys() == net.__dict__.keys()
        x = torch.randn(2, 1, 3)
        assert torch.equal(twin(x)[0], net(x)[0])
    assert net.double()(torch.ones(2, 1, 3, dtype=torch.float64))[0].dtype is torch.float64


@pytest.mark.parametrize(
    "make, error, message",
    [
        (lambda: nn.LSTM(0, 3), ValueError, "input_size must be greater than zero"),
        (lambda: nn.LSTM(3, 4.0), TypeError, "hidden_size should be of type int, got: float"),
        (lambda: nn.GRU(3, 4, 0), ValueError, "num_layers must be greater than zero"),
        (lambda: nn.GRU(3, 4, bias=1), TypeError, "bias should be of type bool, got: int"),
        (lambda: nn.LSTM(3, 4, 2, dropout=2), ValueError, "dropout should be a number in range"),
        (lambda: nn.LSTM(3, 4, proj_size=4), ValueError, "proj_size has to be smaller than hidden_size"),
        (lambda: nn.GRU(3, 4, proj_size=2), ValueError, "proj_size argument is only supported for LSTM"),
        (lambda: nn.RNN(3, 4, nonlinearity="sin"), ValueError, "Unknown nonlinearity 'sin'"),
        (lambda: nn.RNNBase("SRU", 3, 4), ValueError, "Unrecognized RNN mode: SRU"),
    ],
)
def test_settings_that_cannot_be_are_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_dropout_after_a_single_layer_is_warned_of():
    with pytest.warns(UserWarning, match="dropout option adds dropout after all but last recurrent layer"):
        nn.LSTM(3, 4, dropout=0.5)


@pytest.mark.parametrize(
    "shape, states, message",
    [
        ((5, 2, 3), (1, 2, 5), r"Expected hidden size \(1, 2, 4\), got \[1, 2, 5\]"),
        ((5, 2, 3), (2, 4), "For batched 3-D input, hx should also be 3-D but got 2-D tensor"),
        ((5, 3), (1, 1, 4), "For unbatched 2-D input, hx should also be 2-D but got 3-D tensor"),
        ((5, 2, 2), None, r"input.size\(-1\) must be equal to input_size. Expected 3, got 2"),
        ((0, 2, 3), None, "Expected sequence length to be larger than 0 in RNN"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(shape, states, message):
    with pytest.raises(RuntimeError, match=message):
        nn.GRU(3, 4)(torch.zeros(shape), None if states is None else torch.zeros(states))


def test_other_dtypes_and_dimensions_are_refused():
    with pytest.raises(ValueError, match="RNN input dtype .* does not match weight dtype"):
        nn.LSTM(3, 4)(torch.zeros(5, 2, 3, dtype=torch.float64))
    with pytest.raises(ValueError, match="LSTM: Expected input to be 2D or 3D, got 4D instead"):
        nn.LSTM(3, 4)(torch.zeros(1, 5, 2, 3))
    with pytest.raises(ValueError, match="GRUCell: Expected hidden to be 1D or 2D, got 3D instead"):
        nn.GRUCell(3, 4)(torch.zeros(2, 3), torch.zeros(1, 2, 4))


def test_cells_refuse_what_does_not_fit():
    x, h = torch.zeros(2, 3), torch.zeros(2, 4)
    with pytest.raises(RuntimeError, match="input has inconsistent input_size: got 2 expected 3"):
        nn.GRUCell(3, 4)(x[:, :2])
    with pytest.raises(RuntimeError, match="Input batch size 2 doesn't match hidden1 batch size 1"):
        nn.LSTMCell(3, 4)(x, (h, h[:1]))
    with pytest.raises(RuntimeError, match="hidden0 has inconsistent hidden_size: got 3, expected 4"):
        nn.RNNCell(3, 4)(x, x)
    with pytest.raises(RuntimeError, match=r"weight_hh first dim must be 4 \* hidden_size = 16, but got 8"):
        torch.lstm_cell(x, (h, h), torch.zeros(16, 3), torch.zeros(8, 4))


def test_the_functions_take_both_forms():
    net = nn.GRU(3, 4)
    x, h = torch.randn(5, 2, 3), torch.zeros(1, 2, 4)
    weights = list(net.parameters())
    output, last = torch.gru(x, h, weights, True, 1, 0.0, True, False, False)
    assert torch.equal(output, net(x)[0])
    data, sizes, *_ = pack_padded_sequence(x, [5, 5])
    packed, _ = torch.gru(data, sizes, h, weights, True, 1, 0.0, True, False)
    torch.testing.assert_close(packed, output.flatten(0, 1))
    named = torch.gru(
        input=x, hx=h, params=weights, has_biases=True, num_layers=1, dropout=0.0, train=True, bidirectional=False,
        batch_first=False,
    )  # fmt: skip
    assert torch.equal(named[1], last)


def test_the_functions_refuse_what_does_not_fit():
    x, h, weights = torch.zeros(5, 2, 3), torch.zeros(1, 2, 4), list(nn.GRU(3, 4).parameters())
    with pytest.raises(TypeError, match=r"gru\(\) received an invalid combination of arguments"):
        torch.gru(x, h, weights, True)
    with pytest.raises(RuntimeError, match="lstm expects two hidden states"):
        torch.lstm(x, [h], weights, True, 1, 0.0, True, False, False)
    with pytest.raises(RuntimeError, match="got an incorrect number of RNN parameters"):
        torch.gru(x, h, weights[:3], True, 1, 0.0, True, False, False)
    with pytest.raises(RuntimeError, match="Expected more hidden states in stacked_rnn"):
        torch.gru(x, h, weights * 2, True, 2, 0.0, True, False, False)


CONFIGURATIONS = [
    "LSTM(3, 4, 2, bidirectional=True)",
    "LSTM(3, 4, 2, dropout=0.5, batch_first=True)",
    "LSTM(3, 4, 2, bias=False, proj_size=2)",
    "GRU(3, 4, 2, bidirectional=True, dropout=0.3)",
    "RNN(3, 4, 2, 'relu', bias=False)",
]


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:LSTM with projections is not supported with oneDNN")
@pytest.mark.parametrize("expression", CONFIGURATIONS)
@pytest.mark.parametrize("packed", [False, True])
def test_the_same_seed_gives_pytorch_s_numbers(expression, packed):
    theirs = pytest.importorskip("torch")
    outcomes = []
    for lib in (theirs, torch):
        lib.manual_seed(0)
        net = eval(expression, vars(lib.nn) | {"RNN": lib.nn.RNN, "LSTM": lib.nn.LSTM, "GRU": lib.nn.GRU})
        x = lib.randn(5, 4, 3)
        if packed:
            x = lib.nn.utils.rnn.pack_padded_sequence(
                x, [3, 1, 4, 2] if not net.batch_first else [3, 1, 4, 2, 2], net.batch_first, False
            )
        output, states = net(x)
        (output.data if packed else output).pow(2).sum().backward()
        state = list(states) if isinstance(states, (tuple, list)) else [states]
        found = [output.data if packed else output, *state, *(w.grad for w in net.parameters())]
        outcomes.append([w.detach().numpy() for w in (*net.parameters(), *found)])
    for expected, got in zip(*outcomes):
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=2e-6)


@pytest.mark.torch
def test_files_go_both_ways(tmp_path):
    theirs = pytest.importorskip("torch")
    for source, target in ((theirs, torch), (torch, theirs)):
        net = source.nn.LSTM(3, 4, 2)
        source.save(net, tmp_path / "net")
        read = target.load(tmp_path / "net", weights_only=False)
        x = np.ones((2, 1, 3), np.float32)
        np.testing.assert_allclose(
            read(target.tensor(x))[0].detach().numpy(), net(source.tensor(x))[0].detach().numpy(), rtol=1e-5
        )


#: What is done to a net ``m``, whose weights are asked for as a flat list, before it runs.
FLAT_WEIGHTS = [
    "m._flat_weights = [w * 2 for w in m._flat_weights]",
    "m._flat_weights[1] = m.weight_hh_l0 * 0",
    "m._flat_weights = [w * 2 for w in m._flat_weights]; m.weight_hh_l0 = t.nn.Parameter(m.weight_hh_l0 * 3)",
    "m._flat_weights = [w * 2 for w in m._flat_weights]; m.double().float()",
    "m._flat_weights = [w.detach() * 2 for w in m._flat_weights]; m = copy.deepcopy(m)",
    "m._flat_weights = [w * 2 for w in m._flat_weights]; m.flatten_parameters()",
    "m = copy.deepcopy(m); m.weight_hh_l0.data.zero_()",
    "w = m.weight_hh_l0.data * 2; del m._parameters['weight_hh_l0']; m.weight_hh_l0 = w",
]


def after(lib, kind, done):
    lib.manual_seed(0)
    names = {"m": getattr(lib.nn, kind)(2, 3), "t": lib, "copy": copy}
    exec(done, names)
    m = names["m"]
    out = m(lib.ones(2, 1, 2))[0]
    out.sum().backward()
    return out.tolist(), [p.grad is not None and p.grad.tolist() for p in m.parameters()]


@pytest.mark.torch
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("done", FLAT_WEIGHTS)
def test_flat_weights_are_replaced(done, kind):
    ours, theirs = after(torch, kind, done), after(pytest.importorskip("torch"), kind, done)
    assert close_in_all(ours, theirs), (ours, theirs)


def close_in_all(a, b):
    """Whether two nested lists have the same numbers, but for rounding."""
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(close_in_all, a, b))
    return a == pytest.approx(b, rel=1e-4, abs=1e-5)
