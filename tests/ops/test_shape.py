"""Views: memory shared, writing through them, histories, several at once, nothing and one element."""

import gc
import weakref

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients

X = np.random.default_rng(0).uniform(-1, 1, (2, 3, 4))

VIEWS = """
x.view(4, -1); x.view(-1); x.reshape(6, 4); x.flatten(1); x.unflatten(2, (2, -1)); x.ravel(); x.view_as(torch.zeros(3, 8)); x.transpose(0, -1)
x[0].t(); x[1].T; x.mT; x[0].H; x.adjoint(); x.permute(2, 0, -2); x.movedim((0, 1), (1, 2)); x[:, :1].squeeze(); x[:, :1].squeeze(1)
x[:1, :1].squeeze((0, 1)); x.unsqueeze(1); x.select(1, -1); x.narrow(2, 1, 2); x[:, ::2, 1:]; x[1, ..., None, 2]; x.diagonal(1, 1, 2)
x.diagonal(-1, 2, 0); x.unfold(2, 2, 2); x.as_strided((3, 2), (4, 1), 1); x.tensor_split(3, 2)[0]; x.hsplit(3)[1]
"""
REPEATING = "x[:, :1].expand(5, -1, 3, 4); torch.broadcast_to(x, (2, 2, 3, 4)); x.unfold(2, 3, 1); x.as_strided((3, 3), (1, 1))"
SEVERAL = "x.unbind(1)[2]; x.split(2, 1)[1]; x.split([1, 3], 2)[1]; x.chunk(2, 2)[0]"


def views(*texts):
    """Parametrise a test by the functions that make views."""
    expressions = [e.strip() for text in texts for line in text.strip().splitlines() for e in line.split(";")]
    return pytest.mark.parametrize("view_of", [eval("lambda x: " + e) for e in expressions], ids=expressions)


@views(VIEWS, REPEATING, SEVERAL)
def test_a_view_has_the_memory_of_its_base(view_of):
    base = torch.tensor(X)
    view, values = view_of(base), view_of(base).numpy().copy()
    assert np.shares_memory(view.numpy(), base.numpy())
    assert view._base is base
    base.add_(1)
    np.testing.assert_array_equal(view.numpy(), values + 1)
    assert view._version == base._version == 1


@views(VIEWS)
def test_gradients_flow_through_a_write_to_a_view(view_of):
    shape = view_of(torch.tensor(X)).shape

    def write(x, y):
        base = x * 2
        view_of(base).mul_(y)
        view = view_of(base)
        view.copy_((view * 1).sin() + y)
        return base * base

    check_gradients(write, X, np.random.default_rng(1).uniform(-1, 1, shape))


@views(VIEWS, REPEATING)
def test_what_is_written_to_the_base_reaches_a_view_made_before(view_of):
    def write(x):
        base = x * 2
        view = view_of(base)
        base.mul_(torch.tensor(np.cos(X)))
        return view * view

    check_gradients(write, X, order=1)
    base = torch.tensor(X, requires_grad=True) * 2
    view = view_of(base)
    base.mul_(3)
    assert type(view.grad_fn).__name__ == "AsStridedBackward0"


def test_views_of_views_share_one_base_at_any_depth():
    base = torch.zeros(2, 3)
    view = base
    for _ in range(50):
        view = view.t()[:]
    assert view._base is base
    view[0, 0] = 5
    assert base[0, 0].item() == 5


def test_a_view_keeps_its_base_alive_but_not_the_other_way_round():
    gc.disable()
    try:
        base = torch.zeros(3, requires_grad=True) * 1
        view = base[0]
        gone, kept = weakref.ref(view), weakref.ref(base)
        del base
        assert kept() is not None
        del view
        assert gone() is None and kept() is None
    finally:
        gc.enable()


def test_select_of_a_vector_is_a_0_dim_view():
    x = torch.arange(3.0)
    x[1].fill_(7)
    x.unbind()[2].fill_(8)
    x.as_strided((), (), 0).fill_(9)
    assert x.tolist() == [9, 7, 8]


def test_offset_and_contiguity():
    x = torch.tensor(X)
    assert x[1, 1].storage_offset() == 16
    assert x[1].is_contiguous() and not x.mT.is_contiguous()
    assert x.mT[:, :1].is_contiguous() is False
    assert x[1, 1:].as_strided((2,), (1,), 0).tolist() == X.reshape(-1)[:2].tolist()


def test_reshape_copies_only_where_it_must():
    x = torch.tensor(X, requires_grad=True)
    assert type(x.reshape(-1).grad_fn).__name__ == "ViewBackward0"
    assert type(x[..., ::2].reshape(-1).grad_fn).__name__ == "ReshapeAliasBackward0"
    assert type(x.to("meta")[..., ::2].reshape(-1).grad_fn).__name__ == "ViewBackward0"
    copy = x.mT.reshape(-1)
    assert type(copy.grad_fn).__name__ == "UnsafeViewBackward0"
    assert type(copy.grad_fn.next_functions[0][0]).__name__ == "CloneBackward0"
    assert not copy._is_view() and not np.shares_memory(copy.detach().numpy(), x.detach().numpy())
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        x.mT.view(-1)


def test_flatten_of_one_dimension_is_the_tensor_itself():
    x = torch.tensor(X)
    assert x.flatten(1, 1) is x
    assert x[0, 0].flatten().shape == (4,)
    assert torch.tensor(1.0).flatten().shape == (1,)


def test_saved_values_of_views():
    x = torch.tensor(X, requires_grad=True)
    assert x.view(-1).grad_fn._saved_self_sym_sizes == (2, 3, 4)
    node = x.select(1, 2).grad_fn
    assert (node._saved_dim, node._saved_index, node._saved_self_sym_sizes) == (1, 2, (2, 3, 4))
    node = x[:, 1:3].grad_fn
    assert (node._saved_dim, node._saved_start, node._saved_end, node._saved_step) == (1, 1, 3, 1)
    assert x[:].grad_fn._saved_end == 2**63 - 1
    assert x.permute(2, 0, 1).grad_fn._saved_dims == (2, 0, 1)
    assert x.diagonal(1, 1, 2).grad_fn._saved_offset == 1


# Bytes as another dtype -----------------------------------------------------------------------------------------------------------


def test_view_of_another_dtype_shares_bytes():
    x = torch.tensor([1.0, 2.0])
    bits = x.view(torch.int32)
    assert bits.tolist() == [0x3F800000, 0x40000000]
    bits[0] = 0x40400000
    assert x.tolist() == [3.0, 2.0] and x._version == 1
    assert x.view(torch.int16).shape == (4,) and x.view(torch.float64).shape == (1,)
    assert not x.requires_grad_().view(torch.int32).requires_grad


@pytest.mark.parametrize(
    "x, dtype, message",
    [
        (torch.zeros(3), torch.float64, "self.size(-1) must be divisible by 2 to view Float as Double (different element sizes), but got 3"),
        (torch.zeros(()), torch.int16, "self.dim() cannot be 0 to view Float as Short (different element sizes)"),
        (torch.zeros(2, 4).t(), torch.float64, "self.stride(-1) must be 1 to view Float as Double (different element sizes), but got 4"),
        (
            torch.zeros(2, 3)[:, :2],
            torch.float64,
            "self.stride(0) must be divisible by 2 to view Float as Double (different element sizes), but got 3",
        ),
        (
            torch.zeros(3)[1:],
            torch.float64,
            "self.storage_offset() must be divisible by 2 to view Float as Double (different element sizes), but got 1",
        ),
    ],
)  # fmt: skip
def test_view_of_another_dtype_raises(x, dtype, message):
    with pytest.raises(RuntimeError) as raised:
        x.view(dtype)
    assert str(raised.value) == message


# Several at once ------------------------------------------------------------------------------------------------------------------


def test_pieces_that_have_no_gradient_count_as_zero():
    x = torch.tensor(X, requires_grad=True)
    (g,) = torch.autograd.grad(x.unbind(1)[1].sum() + x.split([1, 2, 1], 2)[1].sum(), x)
    expected = np.zeros_like(X)
    expected[:, 1] += 1
    expected[:, :, 1:3] += 1
    np.testing.assert_array_equal(g.numpy(), expected)


def test_a_single_piece_is_one_output():
    x = torch.ones(2, requires_grad=True)
    (whole,) = x.split(2)
    assert type(whole.grad_fn).__name__ == "SplitBackward0" and whole.output_nr == 0
    whole.sum().backward()
    assert x.grad.tolist() == [1, 1]


def test_pieces_may_not_be_written_to_while_recording():
    x = torch.ones(4, requires_grad=True) * 1
    for pieces in (x.unbind(), x.split(2), x.chunk(2), x.split([1, 3])):
        with pytest.raises(RuntimeError, match="is the output of a function that returns multiple views"):
            pieces[0].mul_(2)
    x.tensor_split(2)[0].mul_(2)
    assert x.tolist() == [2, 2, 1, 1]


def test_pieces_of_a_tensor_without_grad_may_be_written_to():
    x = torch.zeros(4)
    for piece, value in zip(x.split(2), (1.0, 2.0)):
        piece.fill_(value)
    for k, element in enumerate(x):
        element.add_(10 * k)
    assert x.tolist() == [1, 11, 22, 32]


def test_iteration_is_unbind():
    x = torch.tensor(X[0], requires_grad=True)
    rows = list(x)
    assert [type(row.grad_fn).__name__ for row in rows] == ["UnbindBackward0"] * 3
    assert [row.output_nr for row in rows] == [0, 1, 2]


# Zero sizes, 0 dimensions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "view, shape",
    [
        (lambda x: x.view(3, 0), (3, 0)), (lambda x: x.t().reshape(-1), (0,)), (lambda x: x.expand(4, 0, 3), (4, 0, 3)),
        (lambda x: x[:, 1], (0,)), (lambda x: x.unsqueeze(0).squeeze(0), (0, 3)), (lambda x: x.diagonal(), (0,)),
        (lambda x: x.unfold(1, 2, 1), (0, 2, 2)), (lambda x: x.as_strided((0,), (1,)), (0,)), (lambda x: x.unbind(1)[0], (0,)),
        (lambda x: x.split(1)[0], (0, 3)), (lambda x: x.chunk(2)[1], (0, 3)), (lambda x: x.flatten(), (0,)),
        (lambda x: x.mT, (3, 0)),
    ],
)  # fmt: skip
def test_empty_tensors(view, shape):
    x = torch.zeros(0, 3, requires_grad=True)
    z = view(x)
    assert z.shape == shape and z._base is x
    z.sum().backward()
    assert x.grad.shape == (0, 3)


# Expanded tensors ------------------------------------------------------------------------------------------------------------------


def test_expanded_tensors_may_be_filled_but_not_otherwise_written_to():
    x = torch.zeros(3)
    x.expand(2, 3).fill_(4)
    assert x.tolist() == [4, 4, 4]
    with pytest.raises(
        RuntimeError,
        match="more than one element of the written-to tensor refers to a single memory location",
    ):
        x.expand(2, 3).add_(1)
    x.expand(1, 3).add_(1)
    assert x.tolist() == [5, 5, 5]


def test_write_to_an_expanded_tensor_that_is_recorded_raises_in_backward():
    x = torch.zeros(3, requires_grad=True) * 1
    x.expand(2, 3).fill_(4)
    assert x.tolist() == [4, 4, 4]
    with pytest.raises(RuntimeError, match="more than one element"):
        x.sum().backward()


# The tensor itself in another shape ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, name, shape",
    [
        (lambda x: x.transpose_(0, 2), "TransposeBackward1", (4, 3, 1)),
        (lambda x: x.swapaxes_(0, 1), "TransposeBackward1", (3, 1, 4)),
        (lambda x: x.squeeze_(), "SqueezeBackward3", (3, 4)),
        (lambda x: x.squeeze_(0), "SqueezeBackward4", (3, 4)),
        (lambda x: x.squeeze_((0,)), "SqueezeBackward5", (3, 4)),
        (lambda x: x.unsqueeze_(-1), "UnsqueezeBackward1", (1, 3, 4, 1)),
        (lambda x: x.as_strided_((2,), (1,)), "AsStridedBackward1", (2,)),
    ],
)
def test_in_place_view_ops(change, name, shape):
    leaf = torch.ones(1, 3, 4, dtype=torch.float64, requires_grad=True)
    x = leaf * 2
    before = x
    assert change(x) is before
    assert x.shape == shape and x._version == 1 and type(x.grad_fn).__name__ == name and not x._is_view()
    x.sum().backward()
    assert leaf.grad.sum().item() == 2 * x.numel()
    with pytest.raises(
        RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"
    ):
        change(leaf)
    view = (leaf * 1)[:]
    change(view)
    assert view._is_view()
    view.mul_(3)
    view._base.sum().backward()


def test_a_view_whose_base_was_transposed_in_place_keeps_its_elements():
    start = torch.ones(2, 3, requires_grad=True)
    x = start * 1
    row = x[0]
    x.t_()
    row.mul_(2)
    assert x.tolist() == [[2, 1], [2, 1], [2, 1]]
    x.sum().backward()
    assert start.grad.tolist() == [[2, 2, 2], [1, 1, 1]]


def test_resize():
    x = torch.arange(6)
    assert x[2:].resize_(2, 2).tolist() == [[2, 3], [4, 5]]
    assert x.view(2, 3).t().resize_(3, 2).tolist() == [[0, 3], [1, 4], [2, 5]]
    big = torch.arange(3).resize_(2, 4)
    assert big.shape == (2, 4) and big.flatten()[:3].tolist() == [0, 1, 2]
    assert x.resize_as_(torch.zeros(2, 3)).tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(RuntimeError, match="cannot resize variables that require grad"):
        torch.ones(2, requires_grad=True).resize_(3)


# Copies of views -------------------------------------------------------------------------------------------------------------------


def test_functions_that_copy_share_nothing_and_are_differentiable():
    x = torch.tensor(X, requires_grad=True)
    for copy in (torch.expand_copy(x, (2, 2, 3, 4)), torch.permute_copy(x, (2, 0, 1)), *torch.unbind_copy(x)):
        assert not copy._is_view() and not np.shares_memory(copy.detach().numpy(), X)
    check_gradients(lambda x: torch.diagonal_copy(x, 0, 1, 2), X)


def test_pieces_of_unsafe_split_share_memory_but_count_no_versions():
    x = torch.ones(4, requires_grad=True) * 1
    first, _ = torch.unsafe_split(x, 2)
    first.mul_(3)
    assert x.tolist() == [3, 3, 1, 1] and x._version == 0 and first._version == 1
    check_gradients(lambda x: torch.unsafe_chunk(x, 2, 2), X)
