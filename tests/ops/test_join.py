"""Joining, repeating, broadcasting; flips, rolls, triangles, diagonals: values against NumPy, gradients of two orders, dtypes, errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from tests.numeric import check_gradients

RNG = np.random.default_rng(0)
X, Y = RNG.uniform(-1, 1, (2, 3)), RNG.uniform(-1, 1, (2, 3))
V = RNG.uniform(-1, 1, 4)
T = RNG.uniform(-1, 1, (2, 3, 4))


#: name -> (on tensors, on arrays, arrays)
OPS = {
    "cat": (lambda *xs: torch.cat(xs), lambda *xs: np.concatenate(xs), (X, Y, X[:1])),
    "cat dim": (lambda *xs: torch.cat(xs, -1), lambda *xs: np.concatenate(xs, 1), (X, Y[:, :2])),
    "cat one": (lambda x: torch.cat([x]), lambda x: x, (X,)),
    "cat of empty": (lambda x, y: torch.cat([y, x, y], 1), lambda x, y: x, (X, np.zeros(0))),
    "cat strided": (lambda x, y: torch.cat([x.t(), y.t()], 1), lambda x, y: np.concatenate([x.T, y.T], 1), (X, Y)),
    "stack": (lambda *xs: torch.stack(xs), lambda *xs: np.stack(xs), (X, Y)),
    "stack last": (lambda *xs: torch.stack(xs, -1), lambda *xs: np.stack(xs, -1), (X, Y)),
    "stack numbers": (lambda *xs: torch.stack(xs), lambda *xs: np.stack(xs), (X[0, 0], Y[0, 0])),
    "hstack": (lambda *xs: torch.hstack(xs), lambda *xs: np.hstack(xs), (X, Y)),
    "hstack vectors": (lambda *xs: torch.hstack(xs), lambda *xs: np.hstack(xs), (V, V[:2])),
    "vstack": (lambda *xs: torch.vstack(xs), lambda *xs: np.vstack(xs), (X, Y[0])),
    "dstack": (lambda *xs: torch.dstack(xs), lambda *xs: np.dstack(xs), (X, Y)),
    "column_stack": (lambda *xs: torch.column_stack(xs), lambda *xs: np.column_stack(xs), (X, Y[:, 0])),
    "block_diag": (
        lambda *xs: torch.block_diag(*xs),
        lambda x, v, n: np.block([[x, np.zeros((2, 5))], [np.zeros((1, 3)), v[None], np.zeros((1, 1))], [np.zeros((1, 7)), n]]),
        (X, V, np.array(3.0)),
    ),
    "atleast_2d": (lambda x: torch.atleast_2d(x), np.atleast_2d, (V,)),
    "atleast_3d": (lambda x: torch.atleast_3d(x), np.atleast_3d, (V,)),
    "tile": (lambda x: torch.tile(x, (2, 1, 3)), lambda x: np.tile(x, (2, 1, 3)), (X,)),
    "repeat": (lambda x: x.repeat(2, 2, 3), lambda x: np.tile(x, (2, 2, 3)), (X,)),
    "repeat none": (lambda x: x.repeat(0, 2), lambda x: np.tile(x, (0, 2)), (X,)),
    "repeat_interleave": (lambda x: x.repeat_interleave(2, 1), lambda x: np.repeat(x, 2, 1), (X,)),
    "repeat_interleave flat": (lambda x: x.repeat_interleave(3), lambda x: np.repeat(x, 3), (X,)),
    "repeat_interleave each": (
        lambda x: x.repeat_interleave(torch.tensor([2, 0, 3]), 1), lambda x: np.repeat(x, [2, 0, 3], 1), (X,),
    ),
    "broadcast_tensors": (
        lambda x, y: torch.broadcast_tensors(x, y)[1], lambda x, y: np.broadcast_to(y, (2, 3)), (X, Y[:, :1]),
    ),
    "meshgrid": (lambda x, y: torch.meshgrid(x, y, indexing="ij"), lambda x, y: np.meshgrid(x, y, indexing="ij"), (V, X[0])),
    "meshgrid xy": (lambda x, y: torch.meshgrid(x, y, indexing="xy"), lambda x, y: np.meshgrid(x, y), (V, X[0])),
    "cartesian_prod": (
        lambda x, y: torch.cartesian_prod(x, y),
        lambda x, y: np.stack([a.reshape(-1) for a in np.meshgrid(x, y, indexing="ij")], 1), (V, X[0]),
    ),
    "combinations": (
        lambda x: torch.combinations(x), lambda x: np.array([[x[i], x[j]] for i in range(4) for j in range(i + 1, 4)]), (V,),
    ),
    "combinations again": (
        lambda x: torch.combinations(x, 2, True), lambda x: np.array([[x[i], x[j]] for i in range(4) for j in range(i, 4)]), (V,),
    ),
    "flip": (lambda x: x.flip(0, 2), lambda x: np.flip(x, (0, 2)), (T,)),
    "fliplr": (lambda x: x.fliplr(), np.fliplr, (T,)),
    "flipud": (lambda x: x.flipud(), np.flipud, (T,)),
    "roll": (lambda x: x.roll(-1, 1), lambda x: np.roll(x, -1, 1), (T,)),
    "roll several": (lambda x: x.roll((5, 1), (2, 0)), lambda x: np.roll(x, (5, 1), (2, 0)), (T,)),
    "roll flat": (lambda x: x.roll(7), lambda x: np.roll(x, 7), (T,)),
    "rot90": (lambda x: x.rot90(1, (0, 2)), lambda x: np.rot90(x, 1, (0, 2)), (T,)),
    "rot90 back": (lambda x: x.rot90(-1, (2, 1)), lambda x: np.rot90(x, -1, (2, 1)), (T,)),
    "tril": (lambda x: x.tril(1), lambda x: np.tril(x, 1), (T,)),
    "triu": (lambda x: x.triu(-1), lambda x: np.triu(x, -1), (T,)),
    "diag": (lambda x: torch.diag(x, 1), lambda x: np.diag(x, 1), (X,)),
    "diag of vector": (lambda x: torch.diag(x, -1), lambda x: np.diag(x, -1), (V,)),
    "diag_embed": (lambda x: torch.diag_embed(x, 1), lambda x: np.stack([np.diag(row, 1) for row in x]), (X,)),
    "diag_embed dims": (
        lambda x: torch.diag_embed(x, 0, 0, 1), lambda x: np.stack([np.diag(row) for row in x], -1), (X,),
    ),
    "diagflat": (lambda x: torch.diagflat(x, -1), lambda x: np.diagflat(x, -1), (X,)),
    "trace": (lambda x: torch.trace(x), np.trace, (X,)),
}  # fmt: skip


@pytest.mark.parametrize("name", OPS)
def test_values_are_numpys(name):
    ours, theirs, operands = OPS[name]
    found = ours(*[torch.tensor(x) for x in operands])
    expected = theirs(*operands)
    if not isinstance(found, tuple):
        found, expected = [found], [expected]
    for z, e in zip(found, expected, strict=True):
        assert z.dtype is torch.float64
        np.testing.assert_array_equal(z.numpy(), e)


@pytest.mark.parametrize("name", OPS)
def test_gradients(name):
    ours, _, operands = OPS[name]
    check_gradients(ours, *operands)


def test_results_share_no_memory_with_their_operands():
    x = torch.tensor(X)
    for z in (
        torch.cat([x]),
        x.flip(()),
        x.roll(0, 0),
        x.rot90(0),
        x.repeat(1, 1),
        x.tril(5),
        torch.stack([x]),
        x.diag(),
        torch.tile(x, ()),
    ):
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


def test_half_precision_and_bool():
    x = torch.ones(2, 2, dtype=torch.float16)
    assert torch.cat([x, x]).dtype is torch.float16 and x.tril().dtype is torch.float16
    flags = torch.tensor([[True, False], [True, True]])
    assert flags.tril().tolist() == [[True, False], [True, True]]
    assert torch.cat([flags, flags]).dtype is torch.bool
    assert flags.roll(1, 0).tolist() == [[True, True], [True, False]]


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


def test_out():
    x, y = torch.tensor(X), torch.tensor(Y)
    out = torch.empty(4, 3, dtype=torch.float64)
    assert torch.cat([x, y], out=out) is out
    np.testing.assert_array_equal(out.numpy(), np.concatenate([X, Y]))
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.cat([x.clone().requires_grad_(), y], out=out)


def test_meshgrid_without_indexing_warns():
    with pytest.warns(UserWarning, match="it will be required to pass the indexing argument"):
        torch.meshgrid(torch.zeros(2), torch.zeros(3))


def test_broadcast_shapes():
    assert torch.broadcast_shapes((2, 1), (3,), 1, ()) == (2, 3)
    assert torch.broadcast_shapes() == ()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.integers(0, 2), st.data())
def test_cat_and_split_undo_each_other(sizes, dim, data):
    shapes = [[2, 1, 3][:dim] + [n] + [2, 1, 3][dim + 1 :] for n in sizes]
    parts = [torch.arange(int(np.prod(shape))).reshape(shape) for shape in shapes]
    whole = torch.cat(parts, dim)
    for part, again in zip(parts, whole.split(sizes, dim), strict=True):
        assert torch.equal(part, again)


@settings(max_examples=60, deadline=None)
@given(st.integers(-9, 9), st.integers(0, 2), st.integers(-3, 3))
def test_roll_and_rot90_are_undone_by_their_opposites(shift, dim, k):
    x = torch.tensor(T)
    assert torch.equal(x.roll(shift, dim).roll(-shift, dim), x)
    assert torch.equal(x.rot90(k, (0, 2)).rot90(-k, (0, 2)), x)


# Errors, recorded from PyTorch -----------------------------------------------------------------------------------------------------

A, B = torch.zeros(2, 3, 4), torch.zeros(3)
ERRORS = [
    (lambda: torch.cat([]), ValueError, "torch.cat(): expected a non-empty list of Tensors"),
    (lambda: torch.cat(A), TypeError, "cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor"),
    (lambda: torch.cat([A, 3]), TypeError, "expected Tensor as element 1 in argument 0, but got int"),
    (lambda: torch.cat((A, A), 3), IndexError, "Dimension out of range (expected to be in range of [-3, 2], but got 3)"),
    (lambda: torch.cat((A, B)), RuntimeError, "Tensors must have same number of dimensions: got 3 and 1"),
    (lambda: torch.cat((B[0], B[0])), RuntimeError, "zero-dimensional tensor (at position 0) cannot be concatenated"),
    (
        lambda: torch.cat((A, A[:, :2])), RuntimeError,
        "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 2 for tensor number 1 in the list.",
    ),
    (lambda: torch.stack([]), RuntimeError, "stack expects a non-empty TensorList"),
    (
        lambda: torch.stack((A, B)), RuntimeError,
        "stack expects each tensor to be equal size, but got [2, 3, 4] at entry 0 and [3] at entry 1",
    ),
    (lambda: torch.hstack([]), RuntimeError, "hstack expects a non-empty TensorList"),
    (
        lambda: torch.block_diag(A), RuntimeError,
        "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input 0 has 3 dimensions",
    ),
    (
        lambda: A.repeat(2), RuntimeError,
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
    ),
    (lambda: A.repeat_interleave(-1), RuntimeError, "Repeats must be non-negative"),
    (
        lambda: A.repeat_interleave(torch.tensor([1, 2, 3]), 0), RuntimeError,
        "repeats must have the same size as input along dim, but got repeats.size(0) = 3 and input.size(0) = 2",
    ),
    (
        lambda: torch.broadcast_tensors(A, B), RuntimeError,
        "The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 2",
    ),
    (lambda: A.flip(0, 0), RuntimeError, "dim 0 appears multiple times in the list of dims"),
    (lambda: B.fliplr(), RuntimeError, "Input must be >= 2-d."),
    (lambda: A.roll((1, 2), 0), RuntimeError, "shifts and dimensions must align. shifts: 2, dims:1"),
    (lambda: A.rot90(1, (0,)), RuntimeError, "expected total rotation dims == 2, but got dims = 1"),
    (lambda: B.tril(), RuntimeError, "tril: input tensor must have at least 2 dimensions"),
    (lambda: A.diag(), RuntimeError, "diag(): Supports 1D or 2D tensors. Got 3D"),
    (lambda: torch.combinations(A), RuntimeError, "Expect a 1D vector, but got shape [2, 3, 4]"),
    (
        lambda: torch.broadcast_shapes((2, 1), (3, 2)), RuntimeError,
        "Attempting to broadcast a dimension of length 3 at -2! Mismatching argument at index 1 had (3, 2); but expected shape should be "
        "broadcastable to [2, 2]",
    ),
]  # fmt: skip


@pytest.mark.parametrize("call, kind, message", ERRORS)
def test_errors_are_pytorchs(call, kind, message):
    with pytest.raises(kind) as raised:
        call()
    assert str(raised.value) == message


def test_joined_images_keep_their_channels_last():
    x = torch.ones(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)
    assert torch.cat([x, x], 1).stride() == (120, 1, 30, 6)
    assert torch.cat([x, x.contiguous()], 1).stride() == (120, 20, 5, 1)
