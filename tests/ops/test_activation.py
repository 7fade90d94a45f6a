"""Activation functions and dropout at their awkward points: kinks and infinities, large arrays, in place, what is refused."""

import math

import numpy as np
import pytest

import minigrad as torch
from minigrad.nn import functional as F
from tests.numeric import check_gradients

inf, nan = float("inf"), float("nan")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


FUNCTIONS = """relu relu6 leaky_relu elu celu selu gelu silu mish softplus hardtanh hardsigmoid hardswish logsigmoid softsign tanhshrink
hardshrink softshrink rrelu sigmoid tanh threshold:0.1,20 leaky_relu:1.5 leaky_relu:-0.5 elu:1.3 celu:1.3 softplus:2,5""".split()


def apart(*shape):
    """Numbers of both signs, none of them near a kink of the functions above."""
    n = math.prod(shape)
    return np.random.default_rng(n).permutation(np.linspace(-6.6, 7.3, n) + 0.0123).reshape(shape)


def test_the_slope_of_hardswish_in_half_precision_is_rounded_once():
    x = torch.linspace(-4, 4, 1001).half().requires_grad_()
    (grad,) = torch.autograd.grad(F.hardswish(x), x, torch.full_like(x, 0.3))
    wide = x.detach().float().requires_grad_()
    (exact,) = torch.autograd.grad(F.hardswish(wide), wide, torch.full_like(x, 0.3).float())
    assert torch.equal(grad, exact.half())


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_has_the_same_bits_in_blocks_as_at_once(approximate):
    threads = torch.get_num_threads()
    answers = []
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            x = torch.tensor(apart(150_001), dtype=torch.float32, requires_grad=True)
            z = F.gelu(x, approximate=approximate)
            z.backward(x.detach())
            answers.append((z.detach(), x.grad))
    finally:
        torch.set_num_threads(threads)
    (z, grad), (other_z, other_grad) = answers
    assert torch.equal(z, other_z) and torch.equal(grad, other_grad)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_large_arrays_take_the_same_values_and_gradients_as_small_ones(name):
    function, _, arguments = name.partition(":")
    function, arguments = getattr(F, function), [float(a) for a in arguments.split(",") if a]
    x = apart(40, 50)
    whole = torch.tensor(x, dtype=torch.float32, requires_grad=True)
    rows = [torch.tensor(row, dtype=torch.float32, requires_grad=True) for row in x]
    z, parts = function(whole, *arguments), [function(row, *arguments) for row in rows]
    torch.testing.assert_close(z, torch.stack(parts), rtol=1e-6, atol=1e-7)
    grads = torch.autograd.grad([z.sum(), sum(part.sum() for part in parts)], [whole, *rows])
    torch.testing.assert_close(grads[0], torch.stack(grads[1:]), rtol=1e-6, atol=1e-7)


#: What PyTorch 2.13 gives at the points where formulas are delicate: value and gradient of the sum.
CORNERS = {
    "relu": ([-1, 0, nan], [0, 0, nan], [0, 0, 1]),
    "relu6": ([0, 6], [0, 6], [0, 0]),
    "hardtanh": ([-1, 1], [-1, 1], [0, 0]),
    "leaky_relu": ([0], [0], [0.01]),
    "elu": ([0, -inf, -1000], [0, -1, -1], [1, 0, 0]),
    "celu": ([0], [0], [1]),
    "selu": ([0], [0], [1.7580993408473766]),
    "hardsigmoid": ([-3, 0, 3], [0, 0.5, 1], [0, 1 / 6, 0]),
    "hardswish": ([-3, 0, 3], [-0.0, 0, 3], [0, 0.5, 1]),
    "softshrink": ([-0.5, 0.5, nan], [0, 0, nan], [0, 0, 1]),
    "hardshrink": ([-0.5, 0.5], [0, 0], [0, 0]),
    "softplus": ([0, 20, 20.1, -1000], [math.log(2), 20 + math.log1p(math.exp(-20)), 20.1, 0], [0.5, sigmoid(20.0), 1, 0]),
    "logsigmoid": ([-1000, 1000], [-1000, 0], [1, 0]),
    "gelu": ([-inf, 0, inf], [nan, 0, inf], [nan, 0.5, nan]),
    "silu": ([-inf, 0, -1000], [nan, 0, -0.0], [nan, 0.5, 0]),
    "mish": ([-inf, 0, -1000], [nan, 0, -0.0], [nan, 0.6, 0]),
}  # fmt: skip


@pytest.mark.parametrize("name", CORNERS)
@pytest.mark.parametrize("create_graph", [False, True])
def test_corners(name, create_graph):
    points, values, slopes = CORNERS[name]
    for repeat in (1, 1000):  # small and large arrays have kernels of their own
        x = torch.tensor(points * repeat, dtype=torch.float64, requires_grad=True)
        y = getattr(F, name)(x)
        (grad,) = torch.autograd.grad(y.sum(), x, create_graph=create_graph)
        np.testing.assert_allclose(y.detach().numpy(), values * repeat, rtol=1e-12)
        np.testing.assert_allclose(grad.detach().numpy(), slopes * repeat, rtol=1e-12)


@pytest.mark.parametrize("approximate", ["none", "tanh"])
@pytest.mark.parametrize("size", [5, 900, 600_000])  # at once, and in blocks
def test_gelu_of_single_precision_is_that_of_double(approximate, size):
    rng = np.random.default_rng(0)
    values = rng.uniform(-8, 8, size)
    values[:5] = -inf, inf, nan, -1e10, 1e9
    found = []
    for dtype in (torch.float32, torch.float64):
        x = torch.from_numpy(values).to(torch.float32).to(dtype).requires_grad_()
        y = F.gelu(x, approximate=approximate)
        (grad,) = torch.autograd.grad(y, x, torch.from_numpy(np.linspace(-2, 2, size)).to(dtype))
        found.append((y.detach().numpy(), grad.numpy()))
    for single, double in zip(*found):
        np.testing.assert_allclose(single, double, rtol=1e-6, atol=5e-6)


def test_threshold_at_the_threshold():
    x = torch.tensor([1.0, 1.1, nan], requires_grad=True)
    y = F.threshold(x, 1, 9)
    np.testing.assert_array_equal(y.detach().numpy(), np.float32([9, 1.1, nan]))
    y.sum().backward()
    assert x.grad.tolist() == [0, 1, 1]


def test_relu_passes_no_infinite_gradient_where_it_is_zero():
    for n in (4, 4000):
        x = torch.tensor([-1.0, 1.0] * n, requires_grad=True)
        F.relu(x).backward(torch.full((2 * n,), inf))
        assert x.grad.tolist() == [0, inf] * n


IN_PLACE = {
    **{name: getattr(F, name) for name in "relu relu6 leaky_relu selu silu mish hardtanh hardsigmoid hardswish rrelu".split()},
    "elu": lambda x, inplace=False: F.elu(x, 1.3, inplace),
    "celu": lambda x, inplace=False: F.celu(x, 1.3, inplace),
    "threshold": lambda x, inplace=False: F.threshold(x, 0.1, 20, inplace),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place(name):
    function = IN_PLACE[name]
    x = torch.tensor(apart(3, 4))
    y = x.clone()
    assert function(y, inplace=True) is y
    np.testing.assert_allclose(y.numpy(), function(x).numpy(), rtol=1e-14)
    assert y._version == 1
    check_gradients(lambda x: function(x * 1.1, inplace=True), apart(3, 4))


def test_steep_in_place_slopes_are_refused_in_backward():
    for function in (lambda x: F.leaky_relu(x, -0.1, True), lambda x: F.elu(x, -0.1, True)):
        x = torch.ones(2, requires_grad=True)
        y = function(x * 1)
        with pytest.raises(RuntimeError, match="triggered with a negative slope which is not supported"):
            y.sum().backward()


def test_silu_of_complex_numbers():
    z = np.array([1 + 2j, -0.5j, 0])
    np.testing.assert_allclose(F.silu(torch.tensor(z)).numpy(), z / (1 + np.exp(-z)))
    check_gradients(F.silu, z)


def test_integers():
    x = torch.tensor([-1, 0, 8])
    assert F.relu(x).tolist() == [0, 0, 8]
    assert F.relu6(x).tolist() == [0, 0, 6]
    assert F.threshold(x, 2, 0).tolist() == [0, 0, 8]
    assert F.relu(x).dtype is torch.int64


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: F.gelu(torch.tensor([1])), NotImplementedError, "\"GeluKernelImpl\" not implemented for 'Long'"),
        (lambda: F.elu(torch.tensor([1])), NotImplementedError, "\"elu_cpu\" not implemented for 'Long'"),
        (lambda: F.silu(torch.tensor([True])), NotImplementedError, "\"silu_cpu\" not implemented for 'Bool'"),
        (lambda: F.leaky_relu(torch.tensor([1])), NotImplementedError, "\"leaky_relu_cpu\" not implemented for 'Long'"),
        (lambda: F.relu(torch.tensor([True])), RuntimeError, "Boolean inputs not supported for relu"),
        (lambda: F.relu(torch.tensor([1j])), NotImplementedError, "clamp is not supported for complex types"),
        (lambda: F.hardtanh(torch.ones(2), 2, 1), ValueError, "min_val cannot be greater than max_val"),
        (lambda: F.celu(torch.ones(2), 0.0), RuntimeError, "alpha cannot be 0 for CELU"),
        (lambda: F.softshrink(torch.ones(2), -1), RuntimeError, "lambda must be in range"),
        (lambda: F.gelu(torch.ones(2), approximate="x"), RuntimeError, "approximate argument must be either none or tanh"),
        (lambda: F.prelu(torch.ones(2, 3), torch.ones(2)), RuntimeError, "parameter numbers = 2 and channel size = 3"),
        (lambda: F.prelu(torch.ones(2), torch.ones(1).double()), RuntimeError, "Got Float and Double"),
        (lambda: F.glu(torch.ones(3)), RuntimeError, "Halving dimension must be even, but dimension 0 is size 3"),
        (lambda: F.relu(3), TypeError, r"relu\(\): argument 'input' \(position 1\) must be Tensor, not int"),
        (lambda: F.threshold(torch.ones(2), "a", 1), TypeError, "must be Number, not str"),
        (lambda: F.dropout(torch.ones(2), 1.5), ValueError, "dropout probability has to be between 0 and 1, but got 1.5"),
        (lambda: F.rrelu(torch.ones(2), 2, 1), RuntimeError, "Lower bound should be less than or equal"),
    ],
)  # fmt: skip
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_nodes_have_pytorchs_names():
    x = torch.ones(2, 4, requires_grad=True)
    for function, name in {
        F.relu: "ReluBackward0", F.relu6: "HardtanhBackward0", F.selu: "EluBackward0", F.gelu: "GeluBackward0",
        F.logsigmoid: "LogSigmoidBackward0", F.softsign: "DivBackward0", F.glu: "GluBackward0", F.dropout: "MulBackward0",
    }.items():  # fmt: skip
        assert type(function(x).grad_fn).__name__ == name
    assert F.leaky_relu(x, 0.3).grad_fn._saved_negative_slope == 0.3
    assert F.relu(x).grad_fn._saved_result.tolist() == x.tolist()
    assert F.elu(x * 1, 1.0, True).grad_fn.name() == "EluBackward1"


# Dropout -------------------------------------------------------------------------------------------------------------------


def test_dropout_draws_pytorchs_numbers():
    torch.manual_seed(0)
    x = torch.tensor([-1.0, 2, -3, -4, 5, 0], requires_grad=True)
    y = F.dropout(x)
    assert y.tolist() == [0, 0, -6, 0, 0, 0]
    y.sum().backward()
    assert x.grad.tolist() == [0, 0, 2, 0, 0, 0]
    torch.manual_seed(0)
    np.testing.assert_allclose(
        F.alpha_dropout(torch.ones(6), 0.5, True).numpy(),
        [-0.7792, -0.7792, 1.6656, -0.7792, -0.7792, -0.7792],
        atol=1e-4,
    )
    torch.manual_seed(0)
    assert F.dropout1d(torch.ones(2, 3, 2)).amax(2).tolist() == [[0, 0, 2], [0, 0, 0]]
    torch.manual_seed(0)
    np.testing.assert_allclose(
        F.feature_alpha_dropout(torch.ones(2, 3, 2), 0.5, True).numpy()[..., 0],
        [[-0.7792, -0.7792, 1.6656], [-0.7792, -0.7792, -0.7792]],
        atol=1e-4,
    )
    torch.manual_seed(0)
    np.testing.assert_allclose(
        F.rrelu(torch.tensor([-1.0, 2, -3, -4, 5, 0]), 0.1, 0.3, True).numpy(),
        [-0.2940, 2, -0.7247, -0.7675, 5, 0],
        atol=1e-4,
    )


def test_dropout_in_evaluation_is_the_input():
    x = torch.ones(3)
    assert F.dropout(x, 0.5, False) is x
    assert F.dropout(x, 0.0) is x
    assert F.dropout(x, 1.0).tolist() == [0, 0, 0]


def test_dropout_in_place():
    torch.manual_seed(0)
    x = torch.ones(6)
    y = x
    assert F.dropout(x, 0.5, True, True) is y
    assert x.tolist() == [0, 0, 2, 0, 0, 0]


@pytest.mark.parametrize("size", [1, 3, 400_000])
def test_no_infinity_on_the_way_to_a_finite_number(size):
    """Twice the operand, the cube in the gradient and a slope of 0 times infinity are no reason for inf and nan."""
    large = torch.full((size,), 3e38)
    assert torch.equal(F.gelu(large, approximate="tanh"), large)
    for approximate in ("none", "tanh"):
        for value, slope in ((1e19, 1), (-1e19, 0)):
            x = torch.full((size,), value, requires_grad=True)
            F.gelu(x, approximate=approximate).sum().backward()
            assert torch.equal(x.grad, torch.full((size,), float(slope)))
    x = torch.full((size,), inf)
    assert torch.equal(F.leaky_relu(x, 0.0), x)
    assert torch.equal(F.leaky_relu(x, 0.0, inplace=True), torch.full((size,), inf))
    assert F.leaky_relu(torch.full((size,), -inf), 0.0).isnan().all()


def test_shrinking_compares_with_the_limit_in_bfloat16():
    """0.3 is 0.30078125 there, and an element that is this is within the limits."""
    for function in (F.hardshrink, F.softshrink):
        x = torch.tensor([0.3, -0.3, 0.31], dtype=torch.bfloat16, requires_grad=True)
        z = function(x, 0.3)
        z.sum().backward()
        assert x.grad.tolist() == [0, 0, 1]
        assert z.grad_fn._saved_lambd == 0.3
    assert F.hardshrink(x, 0.3).tolist() == [0, 0, x[2].item()]


# The error function ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function, reference", [(torch.erf, math.erf), (torch.erfc, math.erfc)])
def test_error_function(function, reference):
    x = np.concatenate([np.linspace(-6, 6, 20001), [0.0, 1e-300, -1e-8, 26.0]])
    expected = np.array([reference(v) for v in x])
    np.testing.assert_allclose(function(torch.tensor(x)).numpy(), expected, rtol=2e-15, atol=1e-300)
    single = function(torch.tensor(x, dtype=torch.float32)).numpy()
    np.testing.assert_allclose(
        single, [reference(v) for v in np.float32(x).astype(float)], rtol=3e-7, atol=1e-37
    )
    corners = function(torch.tensor([nan, inf, -inf, -0.0]))
    np.testing.assert_array_equal(
        corners.numpy(), np.float32([nan, reference(inf), reference(-inf), reference(0)])
    )
    check_gradients(function, np.linspace(-3, 3, 7))
    check_gradients(function, np.array(0.3))


@pytest.mark.torch
def test_results_have_pytorchs_order_in_memory():
    pytorch = pytest.importorskip("torch")

    def told(lib, name, layout):
        x = lib.arange(120, dtype=lib.float32).reshape(2, 4, 3, 5) / 60 - 1
        x = {
            "as it is": lambda: x,
            "transposed": lambda: x.transpose(1, 3),
            "channels last": lambda: x.contiguous(memory_format=lib.channels_last),
            "expanded": lambda: x[:, :1].expand(2, 4, 3, 5),
        }[layout]()
        lib.manual_seed(0)
        x = x.detach().requires_grad_()
        z = getattr(lib.nn.functional, name)(x)
        (g,) = lib.autograd.grad(z, x, lib.ones_like(z))
        return z.stride(), g.stride(), z.detach().flatten().numpy()

    for name in (
        "gelu",
        "silu",
        "mish",
        "softplus",
        "logsigmoid",
        "relu",
        "elu",
        "tanh",
        "dropout",
        "alpha_dropout",
    ):
        for layout in ("as it is", "transposed", "channels last", "expanded"):
            *ours, values = told(torch, name, layout)
            *theirs, expected = told(pytorch, name, layout)
            assert ours == theirs, (name, layout)
            np.testing.assert_allclose(values, expected, 1e-5, 1e-6, err_msg=f"{name} {layout}")
