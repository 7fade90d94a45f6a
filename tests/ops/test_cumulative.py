"""Running sums, products and extremes, differences and integrals at their awkward points: zeros, ties, large arrays, what is refused."""

import math

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients

inf, nan = float("inf"), float("nan")


def rand(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-2.0, 2.0, shape)


def leaf(values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


def grad_of(function, values):
    x = leaf(values)
    (g,) = torch.autograd.grad(function(x).sum(), x)
    return g.tolist()


REFERENCE = {
    "cumsum": np.cumsum, "cumprod": np.cumprod, "logcumsumexp": lambda x, axis: np.log(np.cumsum(np.exp(x), axis)),
    "cummax": np.maximum.accumulate, "cummin": np.minimum.accumulate,
}  # fmt: skip


def running(name, x, dim):
    z = getattr(torch, name)(x, dim)
    return z.values if name in ("cummax", "cummin") else z


@pytest.mark.parametrize(
    "values", [[2.0, 0.0, 3.0, 4.0], [2.0, 0.0, 3.0, 0.0, 5.0], [0.0, 0.0], [0.0, 2.0], [2.0, 3.0, 0.0]]
)
def test_cumprod_is_exact_where_there_are_zeros_to_any_order(values):
    check_gradients(lambda x: torch.cumprod(x, 0), np.array(values), order=3, atol=1e-4)
    check_gradients(
        lambda x: torch.cumprod(x, 1), np.array([values, [1.5] * len(values)]), order=2, atol=1e-5
    )


@pytest.mark.parametrize("shape", [(40, 130), (130, 40), (3, 500, 4), (2, 4000), (700, 8), (300, 5, 3)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_large_arrays(shape, dtype):
    x = np.random.default_rng(0).uniform(0.5, 1.5, shape)
    x = np.rint(x * 3).astype(dtype) if dtype == "int64" else x.astype(dtype)
    for dim in range(len(shape)):
        for name in ("cumsum", "cummax", "cummin"):
            z = running(name, torch.tensor(x), dim)
            assert z.dtype is getattr(torch, dtype)
            np.testing.assert_allclose(z.numpy(), REFERENCE[name](x.astype("float64"), axis=dim), rtol=1e-5)
        if dtype == "float64":
            np.testing.assert_allclose(torch.tensor(x).cumprod(dim).numpy(), np.cumprod(x, dim), rtol=1e-9)
        _, indices = torch.tensor(x).cummax(dim)
        np.testing.assert_array_equal(
            np.take_along_axis(x, indices.numpy(), dim), np.maximum.accumulate(x, dim)
        )


def test_running_sums_of_large_arrays_pass_on_what_is_not_finite_only_forward():
    x = np.ones((50, 100), "float32")
    x[3, 40], x[7, 99], x[9, 0] = inf, nan, -inf
    z = torch.tensor(x).cumsum(1).numpy()
    np.testing.assert_array_equal(z, np.cumsum(x, 1))
    assert np.isfinite(z[3, :40]).all()


def test_gradients_of_large_arrays():
    x = leaf(np.random.default_rng(0).uniform(0.5, 1.5, (30, 150)))
    weights = torch.tensor(np.random.default_rng(1).normal(size=(30, 150)))
    (g,) = torch.autograd.grad((x.cumsum(1) * weights).sum(), x)
    np.testing.assert_allclose(g.numpy(), np.cumsum(weights.numpy()[:, ::-1], 1)[:, ::-1], atol=1e-10)


def test_cumprod_gradients_of_the_table():
    assert grad_of(lambda x: x.cumprod(0), [2.0, 0.0, 3.0, 4.0]) == [1.0, 32.0, 0.0, 0.0]
    assert grad_of(lambda x: x.cumprod(0), [2.0, 0.0, 3.0, 0.0, 5.0]) == [1.0, 8.0, 0.0, 0.0, 0.0]


def test_dtypes():
    assert torch.tensor([True, True]).cumsum(0).tolist() == [1, 2]
    assert torch.tensor([100, 100], dtype=torch.int8).cumsum(0).dtype is torch.int64
    assert torch.tensor([2, 3], dtype=torch.uint8).cumprod(0).tolist() == [2, 6]
    x = leaf([1.0, 2.0], torch.float32)
    z = x.cumprod(0, dtype=torch.float64)
    assert z.dtype is torch.float64 and z.grad_fn.next_functions[0][0].variable is x
    z.sum().backward()
    assert x.grad.tolist() == [3.0, 1.0] and x.grad.dtype is torch.float32
    assert torch.full((3000,), 1.0, dtype=torch.float16).cumsum(0)[-1].item() == 3000
    with pytest.raises(NotImplementedError, match="not implemented for 'Long'"):
        torch.tensor([1, 2]).logcumsumexp(0)
    with pytest.raises(NotImplementedError, match="\"cummax_cpu\" not implemented for 'ComplexFloat'"):
        torch.tensor([1j]).cummax(0)


def test_ties_and_nans_of_running_extremes():
    values, indices = torch.tensor([1.0, 1.0, 0.0, 1.0]).cummax(0)
    assert values.tolist() == [1, 1, 1, 1] and indices.tolist() == [0, 1, 1, 3]
    assert grad_of(lambda x: x.cummax(0).values, [1.0, 1.0, 0.0, 1.0]) == [1.0, 2.0, 0.0, 1.0]
    values, indices = torch.tensor([1.0, nan, 3.0]).cummax(0)
    assert values[0].item() == 1
    assert math.isnan(values[1])
    assert math.isnan(values[2])
    assert indices.tolist() == [0, 1, 1]
    assert grad_of(lambda x: x.cummax(0).values, [1.0, nan, 3.0]) == [1.0, 2.0, 0.0]
    assert torch.tensor([3, 1, 2]).cummin(0).indices.tolist() == [0, 1, 1]
    assert torch.tensor([False, True]).cummax(0).values.tolist() == [False, True]


def test_logcumsumexp_at_infinities():
    assert torch.tensor([-inf, -inf, 0.0]).logcumsumexp(0).tolist() == [-inf, -inf, 0.0]
    assert torch.tensor([1000.0, 1000.0]).logcumsumexp(0)[1].item() == pytest.approx(1000.6931)
    g = grad_of(lambda x: x.logcumsumexp(0), [-inf, -inf, 0.0])
    assert math.isnan(g[0]) and math.isnan(g[1]) and g[2] == 1


def test_in_place():
    x = leaf([1.0, 2.0, 3.0])
    z = (x * 2).cumprod_(0)
    assert z.tolist() == [2, 8, 48]
    (g,) = torch.autograd.grad(z.sum(), x)
    assert g.tolist() == pytest.approx([2 + 8 + 48, 4 + 24, 16])
    y = torch.tensor([1, 2, 3], dtype=torch.int32)
    assert y.cumsum_(0) is y and y.tolist() == [1, 3, 6] and y.dtype is torch.int32 and y._version == 1
    with pytest.raises(
        RuntimeError,
        match="Bad in-place call: input tensor dtype int and output tensor dtype long int should match",
    ):
        y.cumsum_(0, dtype=torch.int64)
    check_gradients(lambda x: (x * 2).cumsum_(0), rand(3, 2))
    check_gradients(lambda x: (x * 2).cumprod_(1), rand(2, 3))


def test_wrong_dims():
    for name in REFERENCE:
        with pytest.raises(IndexError, match=r"expected to be in range of \[-1, 0\], but got 1"):
            getattr(torch, name)(torch.zeros(2), 1)
        with pytest.raises(
            TypeError, match=rf"{name}\(\): argument 'dim' \(position 2\) must be int, not tuple"
        ):
            getattr(torch, name)(torch.zeros(2), (0,))
        with pytest.raises(TypeError, match=rf'{name}\(\) missing 1 required positional arguments: "dim"'):
            getattr(torch, name)(torch.zeros(2))
        assert running(name, torch.zeros(2), 0).shape == (2,)
    assert torch.zeros(2).cumsum(axis=0).shape == (2,)


# Differences and integrals -------------------------------------------------------------------------------------------------


def test_integrals_of_little():
    assert torch.trapezoid(torch.tensor([1.0])).item() == 0
    assert torch.trapezoid(torch.zeros(0, 2), dim=0).tolist() == [0, 0]
    assert torch.trapezoid(torch.arange(4)).item() == 4.5
    with pytest.raises(RuntimeError, match="There must be one `x` value for each sample point"):
        torch.trapezoid(torch.zeros(2, 2), torch.zeros(3))
    with pytest.raises(RuntimeError, match="received a bool input for `y`, but bool is not supported"):
        torch.trapezoid(torch.tensor([True]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"edge_order": 3}, "only supports edge_order=1 and edge_order=2"),
        ({"dim": (0, 0)}, "dim 0 appears multiple times in the list of dims"),
        ({"spacing": [1.0, 2.0, 3.0]}, "a list of length equal to 'self.dim\\(\\) = 2'"),
        ({"edge_order": 2}, "expected each dimension size to be at least edge_order\\+1"),
    ],
)
def test_slope_errors(options, message):
    with pytest.raises(RuntimeError, match=message):
        torch.gradient(torch.zeros(2, 3), **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: torch.diff(x[0]), "diff expects input to be at least one-dimensional"),
        (lambda x: torch.diff(x, -1), "order must be non-negative but got -1"),
        (lambda x: torch.diff(x, prepend=x[0]), "diff expects prepend or append to be the same dimension as input"),
    ],
)  # fmt: skip
def test_difference_errors(call, message):
    with pytest.raises(RuntimeError, match=message):
        call(torch.zeros(2))


def test_no_difference_at_all_leaves_out_what_would_be_joined_on():
    x = torch.arange(3.0)
    assert torch.equal(torch.diff(x, n=0, prepend=x, append=x), x)
