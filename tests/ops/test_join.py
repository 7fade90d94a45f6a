"""Joining, repeating, flips, triangles at their awkward points: dtypes, memory, layouts."""

import numpy as np
import pytest

import minigrad as torch

RNG = np.random.default_rng(0)
X, Y = RNG.uniform(-1, 1, (2, 3)), RNG.uniform(-1, 1, (2, 3))
V = RNG.uniform(-1, 1, 4)


def test_results_share_no_memory_with_their_operands():
    x = torch.tensor(X)
    for z in (
        torch.cat([x]), x.flip(()), x.roll(0, 0), x.rot90(0), x.repeat(1, 1), x.tril(5), torch.stack([x]), x.diag(),
        torch.tile(x, ()),
    ):  # fmt: skip
        assert not np.shares_memory(z.numpy(), x.numpy())


# Dtypes ----------------------------------------------------------------------------------------------------------------------------


def test_cat_and_stack_promote_and_gradients_return_in_each_operands_dtype():
    for join in (torch.cat, torch.stack):
        a, b, c = (
            torch.ones(2, requires_grad=True),
            torch.ones(2, dtype=torch.float64, requires_grad=True),
            torch.ones(2, dtype=torch.int32),
        )
        z = join([a, b, c])
        assert z.dtype is torch.float64
        (z * 2).sum().backward()
        assert a.grad.dtype is torch.float32 and b.grad.dtype is torch.float64
        assert a.grad.tolist() == b.grad.tolist() == [2, 2]
    real, imaginary = (
        torch.ones(1, requires_grad=True),
        torch.ones(1, dtype=torch.complex64, requires_grad=True),
    )
    (torch.cat([real, imaginary]) * (1 + 2j)).real.sum().backward()
    assert real.grad.tolist() == [1] and imaginary.grad.tolist() == [1 - 2j]


# Particular things --------------------------------------------------------------------------------------------------------------------


def test_result_of_cat_lies_in_the_order_of_its_indices():
    x = torch.tensor(X).t()
    assert torch.cat([x, x]).is_contiguous() and torch.stack([x, x]).is_contiguous()


def test_only_operands_that_require_grad_get_one():
    x, y = torch.tensor(X, requires_grad=True), torch.tensor(Y)
    z = torch.cat([y, x])
    assert [f and type(f).__name__ for f, _ in z.grad_fn.next_functions] == [None, "AccumulateGrad"]
    assert z.grad_fn._saved_dim == 0
    z.sum().backward()
    assert y.grad is None and x.grad.tolist() == np.ones_like(X).tolist()


def test_one_tensor_may_stand_several_times_in_a_list():
    x = torch.tensor(V, requires_grad=True)
    (torch.cat([x, x * 2, x]) * torch.stack([x, x, x]).flatten()).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 8 * V)


def test_broadcast_tensors_gives_back_what_has_the_shape_already():
    x, y = torch.zeros(2, 3), torch.zeros(3)
    a, b = torch.broadcast_tensors(x, y)
    assert a is x and b._base is y


def test_tril_keeps_infinities_and_nans_out():
    x = torch.tensor([[1.0, float("inf")], [2.0, float("nan")]])
    assert x.tril(-1).tolist() == [[0, 0], [2, 0]]


def test_tril_in_place():
    x = torch.ones(2, 2, requires_grad=True)
    y = x * 3
    assert y.tril_() is y and type(y.grad_fn).__name__ == "TrilBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [[3, 0], [3, 3]]


def test_meshgrid_without_indexing_warns():
    with pytest.warns(UserWarning, match="it will be required to pass the indexing argument"):
        torch.meshgrid(torch.zeros(2), torch.zeros(3))


# Errors, recorded from PyTorch -----------------------------------------------------------------------------------------------------


def test_joined_images_keep_their_channels_last():
    x = torch.ones(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)
    assert torch.cat([x, x], 1).stride() == (120, 1, 30, 6)
    assert torch.cat([x, x.contiguous()], 1).stride() == (120, 20, 5, 1)
