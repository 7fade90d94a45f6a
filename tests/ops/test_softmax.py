"""Softmax and its logarithm at their awkward points: large arrays, stability, dtypes, what is refused."""

import numpy as np
import pytest

import minigrad as torch

inf = float("inf")


def softmax(x, axis):
    z = np.exp(x - x.max(axis, keepdims=True))
    return z / z.sum(axis, keepdims=True)


def log_softmax(x, axis):
    x = x - x.max(axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis, keepdims=True))


REFERENCE = {"softmax": softmax, "log_softmax": log_softmax}
both = pytest.mark.parametrize("name", REFERENCE)


def leaf(values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


@both
@pytest.mark.parametrize(
    "shape", [(5,), (3, 4), (2, 3, 4), (1, 1), (40, 50), (3, 70, 5), (2, 3000), (100, 100)]
)
def test_values(name, shape):
    for scale in (1.0, 40.0):
        x = np.random.default_rng(0).normal(size=shape) * scale
        for dim in range(-len(shape), len(shape)):
            got = getattr(torch, name)(torch.tensor(x), dim).numpy()
            np.testing.assert_allclose(got, REFERENCE[name](x, dim), rtol=1e-12, atol=1e-15)


def test_infinities():
    def rows(function, values):
        return function(torch.tensor(values, dtype=torch.float64), 0).tolist()

    assert np.isnan(rows(torch.softmax, [-inf, -inf])).all()
    assert rows(torch.softmax, [-inf, 0.0]) == [0.0, 1.0]
    assert np.isnan(rows(torch.softmax, [inf, 0.0])).any()
    assert rows(torch.log_softmax, [-inf, 0.0]) == [-inf, 0.0]
    x = leaf([-inf, 0.0])
    (g,) = torch.autograd.grad(torch.log_softmax(x, 0), x, torch.tensor([0.0, 1.0], dtype=torch.float64))
    assert g.tolist() == [0.0, 0.0]
    x = leaf([-inf, 0.0])
    (g,) = torch.autograd.grad(torch.softmax(x, 0), x, torch.tensor([1.0, 1.0], dtype=torch.float64))
    assert g.tolist() == [0.0, 0.0]


@both
def test_large_rows_of_large_numbers_do_not_overflow(name):
    x = np.random.default_rng(0).normal(size=(100, 100)).astype("float32") + 1000
    got = getattr(torch, name)(torch.tensor(x), 1).numpy()
    np.testing.assert_allclose(got, REFERENCE[name](x.astype("float64"), 1), rtol=1e-4)
    x[5] = -inf
    assert np.isnan(getattr(torch, name)(torch.tensor(x), 1).numpy()[5]).all()


def test_log_softmax_is_exact_where_it_is_all_but_zero():
    x = np.zeros((100, 100), "float32")
    x[:, 0] = np.linspace(5, 29, 100)
    got = torch.tensor(x).log_softmax(1).numpy()[:, 0]
    np.testing.assert_allclose(got, log_softmax(x.astype("float64"), 1)[:, 0], atol=1e-6)
    assert (got <= 0).all()


@both
def test_dtypes(name):
    function = getattr(torch, name)
    assert function(torch.tensor([1.0, 2.0], dtype=torch.float16), 0).dtype is torch.float16
    x = leaf([1.0, 2.0], torch.float32)
    z = function(x, 0, dtype=torch.float64)
    assert z.dtype is torch.float64
    z[0].backward()
    assert x.grad.dtype is torch.float32
    assert function(torch.tensor([1, 2]), 0, dtype=torch.float32).dtype is torch.float32
    with pytest.raises(
        NotImplementedError, match=f"\"{name}_lastdim_kernel_impl\" not implemented for 'Long'"
    ):
        function(torch.tensor([1, 2]), 0)
    with pytest.raises(NotImplementedError, match=f"\"{name}_kernel_impl\" not implemented for 'Bool'"):
        function(torch.ones(2, 2, dtype=torch.bool), 0)


@both
def test_empty_and_zero_dimensional(name):
    function = getattr(torch, name)
    assert function(torch.zeros(0, 3), 1).shape == (0, 3)
    assert function(torch.zeros(3, 0), 1).shape == (3, 0)
    assert function(torch.tensor(5.0), -1).item() == (1 if name == "softmax" else 0)
    with pytest.raises(
        IndexError, match=r"Dimension out of range \(expected to be in range of \[-1, 0\], but got 1\)"
    ):
        function(torch.tensor(5.0), 1)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-2, 1\], but got 7"):
        function(torch.zeros(2, 2), 7)
    with pytest.raises(TypeError, match=r"argument 'dim' \(position 2\) must be int, not float"):
        function(torch.zeros(2, 2), 0.5)
    with pytest.raises(TypeError, match='missing 1 required positional arguments: "dim"'):
        function(torch.zeros(2, 2))
    assert function(torch.zeros(2, 2), axis=1).shape == (2, 2)


@both
def test_out_and_node(name):
    function = getattr(torch, name)
    x = torch.tensor([[1.0, 2.0]])
    out = torch.empty(0)
    assert function(x, 1, out=out) is out
    np.testing.assert_array_equal(out.numpy(), function(x, 1).numpy())
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype float, but got double instead"):
        function(x, 1, out=torch.empty(0, dtype=torch.float64))
    z = function(leaf([1.0, 2.0]), 0)
    assert (
        type(z.grad_fn).__name__
        == {"softmax": "SoftmaxBackward0", "log_softmax": "LogSoftmaxBackward0"}[name]
    )
    np.testing.assert_array_equal(z.grad_fn._saved_result.detach().numpy(), z.detach().numpy())


@both
def test_a_result_that_was_written_to_is_noticed(name):
    x = leaf([1.0, 2.0])
    z = getattr(torch, name)(x, 0)
    z.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()
