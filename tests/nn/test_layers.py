"""Linear maps, activation modules, dropout, flattening, losses as modules; initialisation."""

import copy
import math
import pickle

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional as F
from minigrad.nn import init


def test_linear_draws_pytorchs_numbers():
    torch.manual_seed(0)
    layer = nn.Linear(3, 2)
    np.testing.assert_array_equal(
        layer.weight.detach().numpy(),
        np.float32(
            [
                [-0.004322517663240433, 0.3097158372402191, -0.4751853346824646],
                [-0.4248946011066437, -0.2223689705133438, 0.15482072532176971],
            ]
        ),
    )
    np.testing.assert_array_equal(
        layer.bias.detach().numpy(), np.float32([-0.011439144611358643, 0.45777493715286255])
    )


def test_linear():
    layer = nn.Linear(3, 2)
    x = torch.tensor(np.arange(12.0).reshape(2, 2, 3), dtype=torch.float32)
    expected = x.numpy() @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()
    np.testing.assert_allclose(layer(x).detach().numpy(), expected, rtol=1e-5)
    assert repr(layer) == "Linear(in_features=3, out_features=2, bias=True)"
    assert nn.Linear(3, 2, bias=False).bias is None
    assert nn.Linear(3, 2, dtype=torch.float64).weight.dtype is torch.float64
    with pytest.warns(UserWarning, match="Initializing zero-element tensors is a no-op"):
        assert nn.Linear(3, 0)(torch.ones(5, 3)).shape == (5, 0)


def test_linear_whose_weight_is_computed():
    layer = nn.Linear(2, 2)
    raw = layer.weight
    del layer.weight
    layer.raw = raw
    layer.weight = 2 * raw
    x = torch.ones(1, 2)
    np.testing.assert_allclose(layer(x).detach().numpy(), F.linear(x, 2 * raw, layer.bias).detach().numpy())
    layer(x).sum().backward()
    assert raw.grad.tolist() == [[2, 2], [2, 2]]


def test_bilinear():
    layer = nn.Bilinear(2, 3, 4)
    assert layer(torch.ones(5, 2), torch.ones(5, 3)).shape == (5, 4)
    assert repr(layer) == "Bilinear(in1_features=2, in2_features=3, out_features=4, bias=True)"
    with pytest.raises(ValueError, match=r"in1_features must be > 0, but got \(in1_features=0\)"):
        nn.Bilinear(0, 3, 4)


ACTIVATIONS = [
    (nn.ReLU(), "ReLU()", F.relu),
    (nn.ReLU(inplace=True), "ReLU(inplace=True)", F.relu),
    (nn.ReLU6(), "ReLU6()", F.relu6),
    (nn.LeakyReLU(0.2), "LeakyReLU(negative_slope=0.2)", lambda x: F.leaky_relu(x, 0.2)),
    (nn.LeakyReLU(0.2, True), "LeakyReLU(negative_slope=0.2, inplace=True)", lambda x: F.leaky_relu(x, 0.2)),
    (nn.RReLU(0.1, 0.1), "RReLU(lower=0.1, upper=0.1)", lambda x: F.leaky_relu(x, 0.1)),
    (nn.PReLU(), "PReLU(num_parameters=1)", lambda x: F.leaky_relu(x, 0.25)),
    (nn.ELU(1.5), "ELU(alpha=1.5)", lambda x: F.elu(x, 1.5)),
    (nn.CELU(1.5), "CELU(alpha=1.5)", lambda x: F.celu(x, 1.5)),
    (nn.SELU(), "SELU()", F.selu),
    (nn.GELU(), "GELU(approximate='none')", F.gelu),
    (nn.GELU("tanh"), "GELU(approximate='tanh')", lambda x: F.gelu(x, approximate="tanh")),
    (nn.SiLU(), "SiLU()", F.silu),
    (nn.Mish(), "Mish()", F.mish),
    (nn.Sigmoid(), "Sigmoid()", torch.sigmoid),
    (nn.Tanh(), "Tanh()", torch.tanh),
    (nn.LogSigmoid(), "LogSigmoid()", F.logsigmoid),
    (nn.Hardsigmoid(), "Hardsigmoid()", F.hardsigmoid),
    (nn.Hardswish(), "Hardswish()", F.hardswish),
    (nn.Hardtanh(-2, 2), "Hardtanh(min_val=-2, max_val=2)", lambda x: F.hardtanh(x, -2, 2)),
    (nn.Threshold(0.1, 20), "Threshold(threshold=0.1, value=20)", lambda x: F.threshold(x, 0.1, 20)),
    (nn.Softplus(), "Softplus(beta=1.0, threshold=20.0)", F.softplus),
    (nn.Softsign(), "Softsign()", F.softsign),
    (nn.Tanhshrink(), "Tanhshrink()", F.tanhshrink),
    (nn.Hardshrink(), "Hardshrink(0.5)", F.hardshrink),
    (nn.Softshrink(0.3), "Softshrink(0.3)", lambda x: F.softshrink(x, 0.3)),
    (nn.GLU(), "GLU(dim=-1)", F.glu),
    (nn.Softmax(1), "Softmax(dim=1)", lambda x: F.softmax(x, 1)),
    (nn.Softmin(1), "Softmin(dim=1)", lambda x: F.softmin(x, 1)),
    (nn.LogSoftmax(1), "LogSoftmax(dim=1)", lambda x: F.log_softmax(x, 1)),
]


@pytest.mark.parametrize("module, text, function", ACTIVATIONS, ids=[a[1] for a in ACTIVATIONS])
def test_activations(module, text, function):
    x = torch.tensor(np.linspace(-3, 3, 12).reshape(3, 4))
    module = copy.deepcopy(module).double()
    assert repr(module) == text
    np.testing.assert_allclose(module(x.clone()).detach().numpy(), function(x).numpy(), rtol=1e-12)
    twin = pickle.loads(pickle.dumps(module))
    np.testing.assert_allclose(twin(x.clone()).detach().numpy(), function(x).numpy(), rtol=1e-12)


def test_activations_in_place_write_into_their_operand():
    x = torch.tensor([-1.0, 1.0])
    assert nn.ReLU(inplace=True)(x) is x and x.tolist() == [0, 1]


def test_implied_dims_are_deprecated():
    with pytest.warns(UserWarning, match="Implicit dimension choice for softmax has been deprecated"):
        assert nn.Softmax()(torch.zeros(2, 4)).tolist() == [[0.25] * 4] * 2
    assert nn.Softmax2d()(torch.zeros(1, 2, 1, 1)).flatten().tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="expected input to be 3D or 4D, got 2D instead"):
        nn.Softmax2d()(torch.zeros(2, 2))


def test_old_names_of_hardtanhs_limits():
    with pytest.warns(FutureWarning, match="`min_value` is deprecated and renamed to `min_val`"):
        assert nn.Hardtanh(min_value=-5).min_val == -5
    with pytest.raises(AssertionError, match=r"max_val \(-1\) must be greater than min_val \(1\)"):
        nn.Hardtanh(1, -1)


def test_dropout_acts_in_training_only():
    x = torch.ones(1000)
    layer = nn.Dropout(0.25)
    dropped = layer(x)
    kept = dropped != 0
    assert 700 < int(kept.sum()) < 800
    np.testing.assert_allclose(dropped[kept].numpy(), np.float32(1 / 0.75))
    assert layer.eval()(x) is x
    assert repr(layer) == "Dropout(p=0.25, inplace=False)"
    for cls, shape in (
        (nn.Dropout1d, (2, 8, 4)),
        (nn.Dropout2d, (2, 8, 4, 4)),
        (nn.Dropout3d, (2, 8, 2, 2, 2)),
    ):
        channels = cls(0.5)(torch.ones(shape)).flatten(2)
        assert torch.equal(channels.amin(2), channels.amax(2))
    with pytest.raises(ValueError, match="dropout probability has to be between 0 and 1, but got 1.5"):
        nn.Dropout(1.5)


def test_flatten_and_unflatten():
    x = torch.ones(2, 3, 4)
    assert nn.Flatten()(x).shape == (2, 12)
    assert nn.Flatten(0, 1)(x).shape == (6, 4)
    assert nn.Unflatten(1, (3, 1))(x).shape == (2, 3, 1, 4)
    assert repr(nn.Flatten()) == "Flatten(start_dim=1, end_dim=-1)"
    with pytest.raises(TypeError, match="found element of type str at pos 1"):
        nn.Unflatten(1, (3, "a"))


def test_identity():
    x = torch.ones(2)
    assert nn.Identity(54, unused=True)(x) is x


LOSSES = [
    (nn.MSELoss, F.mse_loss),
    (nn.L1Loss, F.l1_loss),
    (nn.SmoothL1Loss, F.smooth_l1_loss),
    (nn.HuberLoss, F.huber_loss),
    (nn.BCEWithLogitsLoss, F.binary_cross_entropy_with_logits),
]


@pytest.mark.parametrize("cls, function", LOSSES)
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_losses(cls, function, reduction):
    x, y = torch.tensor([0.1, 0.7, 2.0]), torch.tensor([0.3, 0.2, 0.4])
    assert torch.equal(cls(reduction=reduction)(x, y), function(x, y, reduction=reduction))
    assert repr(cls()) == f"{cls.__name__}()"


def test_losses_of_classes():
    x, t, w = torch.tensor([[1.0, 2.0], [0.0, 1.0]]), torch.tensor([0, 1]), torch.tensor([0.5, 2.0])
    loss = nn.CrossEntropyLoss(w, label_smoothing=0.1)
    assert torch.equal(loss(x, t), F.cross_entropy(x, t, w, label_smoothing=0.1))
    assert list(loss.state_dict()) == ["weight"]
    assert torch.equal(nn.NLLLoss(w)(x, t), F.nll_loss(x, t, w))
    assert torch.equal(nn.CrossEntropyLoss(ignore_index=1)(x, t), F.cross_entropy(x[:1], t[:1]))
    p = torch.tensor([0.2, 0.8])
    assert torch.equal(nn.BCELoss()(p, torch.ones(2)), F.binary_cross_entropy(p, torch.ones(2)))
    assert torch.equal(nn.KLDivLoss(reduction="sum")(p.log(), p), F.kl_div(p.log(), p, reduction="sum"))
    with pytest.raises(TypeError, match="delta must be a float or int"):
        nn.HuberLoss(delta=1j)


# Initialisation ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fill, low, high",
    [
        (lambda w: init.uniform_(w, -2, 3), -2, 3),
        (lambda w: init.xavier_uniform_(w, 2.0), -2 * math.sqrt(6 / 150), 2 * math.sqrt(6 / 150)),
        (lambda w: init.kaiming_uniform_(w, nonlinearity="relu"), -math.sqrt(6 / 50), math.sqrt(6 / 50)),
        (lambda w: init.kaiming_uniform_(w, a=math.sqrt(5)), -math.sqrt(1 / 50), math.sqrt(1 / 50)),
        (lambda w: init.trunc_normal_(w, a=-0.5, b=1.0), -0.5, 1.0),
        (lambda w: init.trunc_normal_(w, a=2.0, b=3.0), 2.0, 3.0),
    ],
)
def test_bounded_fills(fill, low, high):
    w = nn.Parameter(torch.empty(100, 50))
    assert fill(w) is w
    assert low <= w.min().item() < low + 0.1 * (high - low)
    assert high - 0.5 * (high - low) < w.max().item() <= high
    assert w.requires_grad and w.grad_fn is None


@pytest.mark.parametrize(
    "fill, std",
    [
        (lambda w: init.normal_(w, 1.0, 0.3), 0.3),
        (lambda w: init.xavier_normal_(w), math.sqrt(2 / 150)),
        (lambda w: init.kaiming_normal_(w, mode="fan_out", nonlinearity="relu"), math.sqrt(2 / 100)),
    ],
)
def test_normal_fills(fill, std):
    w = torch.empty(100, 50)
    fill(w)
    assert abs(w.std().item() - std) < 0.05 * std


def test_constant_fills():
    w = nn.Parameter(torch.empty(3, 3))
    assert init.constant_(w, 2.5).tolist() == [[2.5] * 3] * 3
    assert init.ones_(w).sum().item() == 9 and init.zeros_(w).sum().item() == 0
    assert torch.equal(init.eye_(w).detach(), torch.eye(3))
    kernel = init.dirac_(torch.empty(4, 2, 3), groups=2)
    assert kernel.nonzero().tolist() == [[0, 0, 1], [1, 1, 1], [2, 0, 1], [3, 1, 1]]
    sparse = init.sparse_(torch.empty(10, 4), 0.3)
    assert (sparse == 0).sum(0).tolist() == [3, 3, 3, 3]


def test_gains():
    assert init.calculate_gain("linear") == init.calculate_gain("sigmoid") == 1
    assert init.calculate_gain("tanh") == 5 / 3 and init.calculate_gain("selu") == 3 / 4
    assert init.calculate_gain("leaky_relu", 0.2) == math.sqrt(2 / 1.04)
    with pytest.raises(ValueError, match="Unsupported nonlinearity x"):
        init.calculate_gain("x")
    with pytest.raises(ValueError, match="negative_slope True not a valid number"):
        init.calculate_gain("leaky_relu", True)


def test_init_refuses():
    with pytest.raises(ValueError, match="Fan in and fan out can not be computed"):
        init.xavier_uniform_(torch.empty(3))
    with pytest.raises(ValueError, match="Mode x not supported"):
        init.kaiming_uniform_(torch.empty(3, 3), mode="x")
    with pytest.warns(UserWarning, match="Initializing zero-element tensors is a no-op"):
        init.kaiming_uniform_(torch.empty(0, 3))
    with pytest.warns(FutureWarning, match="`nn.init.uniform` is now deprecated"):
        init.uniform(torch.empty(3))
    with pytest.warns(UserWarning, match="mean is more than 2 std from"):
        init.trunc_normal_(torch.empty(3), mean=10.0)


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_fill_draws_pytorchs_numbers(dtype):
    reference = pytest.importorskip("torch")
    fills = {
        "uniform_": (-1.5, 2.5),
        "normal_": (0.5, 2.0),
        "trunc_normal_": (0.0, 1.0, -1.0, 0.5),
        "xavier_uniform_": (1.5,),
        "xavier_normal_": (),
        "kaiming_uniform_": (math.sqrt(5),),
        "kaiming_normal_": (0.1, "fan_out"),
        "sparse_": (0.3,),
    }
    for name, args in fills.items():
        filled = []
        for library in (torch, reference):
            library.manual_seed(7)
            w = library.empty(6, 5, dtype=getattr(library, dtype))
            getattr(library.nn.init, name)(w, *args)
            filled.append(w.numpy())
        np.testing.assert_allclose(filled[0], filled[1], rtol=1e-15, err_msg=name)


@pytest.mark.torch
def test_training_follows_pytorchs_trajectory():
    reference = pytest.importorskip("torch")
    losses = []
    for library in (torch, reference):
        library.manual_seed(0)
        model = library.nn.Sequential(
            library.nn.Linear(6, 16), library.nn.ReLU(), library.nn.Dropout(0.2), library.nn.Linear(16, 3)
        )
        optimizer = library.optim.Adam(model.parameters(), lr=0.01)
        x, t = library.randn(32, 6), library.arange(32) % 3
        history = []
        for _ in range(30):
            optimizer.zero_grad()
            loss = library.nn.functional.cross_entropy(model(x), t)
            loss.backward()
            optimizer.step()
            history.append(loss.item())
        losses.append(history)
    np.testing.assert_allclose(*losses, rtol=2e-5)
