"""Embeddings, bags of them, hashes at their awkward points: padding, frequencies, norms, what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad.nn import functional as F
from tests.numeric import check_gradients


def rand(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).uniform(-2, 2, shape)


TABLE, INDEX = rand(5, 3), np.array([1, 2, 1, 4, 0])


def test_max_norm_scales_rows_in_place():
    table = torch.tensor([[3.0, 4.0], [0.3, 0.4], [6.0, 8.0]])
    version = table._version
    z = F.embedding(torch.tensor([0, 1]), table, max_norm=1.0)
    np.testing.assert_allclose(table.numpy(), [[0.6, 0.8], [0.3, 0.4], [6, 8]], rtol=1e-6)
    assert z.tolist() == table[:2].tolist() and table._version == version + 1


def test_last_offset_and_frequencies():
    index = torch.tensor(INDEX)
    z = F.embedding_bag(
        index, torch.tensor(TABLE), torch.tensor([0, 2, 4]), mode="sum", include_last_offset=True
    )
    np.testing.assert_allclose(z.numpy(), [TABLE[[1, 2]].sum(0), TABLE[[1, 4]].sum(0)])
    table = torch.tensor(TABLE, requires_grad=True)
    z = F.embedding_bag(index, table, torch.tensor([0]), mode="sum", scale_grad_by_freq=True)
    assert torch.autograd.grad(z.sum(), table)[0].tolist() == [[1] * 3] * 3 + [[0] * 3] + [[1] * 3]
    assert F.embedding_bag(index, table, index[:0]).shape == (0, 3)


def test_several_results_of_a_bag():
    _, bag, sizes, places = torch.embedding_bag(
        torch.tensor(TABLE), torch.tensor(INDEX), torch.tensor([0, 2, 2]), mode=2
    )
    assert bag.tolist() == [0, 0, 2, 2, 2] and sizes.tolist() == [2, 0, 3]
    assert places[1].tolist() == [-1] * 3 and places.dtype is torch.int64


I, W, O = torch.tensor(INDEX), torch.tensor(TABLE), torch.tensor([0, 2])


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: F.embedding(I + 3, W), IndexError, "index out of range in self"),
        (lambda: F.embedding(I - 3, W), IndexError, "index out of range in self"),
        (lambda: F.embedding(I.float(), W), RuntimeError, "one of the following scalar types: Long, Int; but got torch.FloatTensor"),
        (lambda: F.embedding(I, W[0]), RuntimeError, "'weight' must be 2-D"),
        (lambda: F.embedding(I, W, 9), AssertionError, "Padding_idx must be within num_embeddings"),
        (lambda: F.embedding([1], W), TypeError, "argument 'indices' .position 2. must be Tensor, not list"),
        (lambda: F.embedding_bag(I, W), ValueError, "offsets has to be a 1D Tensor but got None"),
        (lambda: F.embedding_bag(I, W, O, mode="x"), ValueError, "mode has to be one of sum, mean or max"),
        (lambda: F.embedding_bag(I, W, O + 1), RuntimeError, r"offsets\[0\] has to be 0"),
        (lambda: F.embedding_bag(I, W, O * 9), RuntimeError, r"offsets\[-1\] can not be greater than input's length 5"),
        (lambda: F.embedding_bag(I, W, O, padding_idx=9), RuntimeError, "-5 through 4, but got 9"),
        (lambda: F.embedding_bag(I, W, O, per_sample_weights=W[:, 0]), NotImplementedError, "only supported for mode='sum'"),
        (lambda: F.one_hot(I, 2), RuntimeError, "Class values must be smaller than num_classes"),
        (lambda: F.one_hot(I - 1), RuntimeError, "Class values must be non-negative"),
        (lambda: F.one_hot(I.float()), RuntimeError, "index tensor of type LongTensor"),
        (lambda: F.one_hot(I[:0]), RuntimeError, "Can not infer total number of classes"),
        (lambda: torch.hash_tensor(torch.ones(0)), RuntimeError, "Expected reduction dim to be specified"),
        (lambda: torch.hash_tensor(I, mode=1), RuntimeError, "Unknown hash_tensor mode: 1"),
    ],
)  # fmt: skip
def test_errors(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_hash_tensor():
    assert torch.hash_tensor(torch.tensor([[1, 2], [4, 7]]), 1).tolist() == [3, 3]
    assert torch.hash_tensor(torch.tensor([1.0, 2.0, 3.0])).item() == 4609434218613702656
    assert torch.hash_tensor(torch.tensor([-1], dtype=torch.int8)).item() == 2**64 - 1
    assert torch.tensor([7.0], requires_grad=True).hash_tensor().requires_grad is False


@given(st.lists(st.integers(0, 4), max_size=6), st.sampled_from([None, 1, -1]), st.booleans())
@settings(max_examples=30, deadline=None)
def test_embedding(indices, padding, by_frequency):
    index = np.array(indices, np.int64)
    table = torch.tensor(TABLE, requires_grad=True)
    z = F.embedding(torch.tensor(index), table, padding, scale_grad_by_freq=by_frequency)
    np.testing.assert_array_equal(z.detach().numpy(), TABLE[index])
    g, expected = rand(len(index), 3, seed=1), np.zeros((5, 3))
    for i, row in zip(index, g):
        if padding is None or i != padding % 5:
            expected[i] += row / ((index == i).sum() if by_frequency else 1)
    np.testing.assert_allclose(
        torch.autograd.grad(z, table, torch.tensor(g))[0].numpy(), expected, atol=1e-12
    )


def test_gradients_of_embedding():
    index = torch.tensor(INDEX)
    check_gradients(lambda w: F.embedding(index.reshape(5, 1), w) ** 2, TABLE)
    check_gradients(lambda w: F.embedding(torch.tensor(2), w, scale_grad_by_freq=True) ** 2, TABLE)
    check_gradients(lambda w: F.embedding(index[:2].int(), w, scale_grad_by_freq=True).exp(), TABLE)


def test_weights_of_a_bag():
    def function(w, p):
        return F.embedding_bag(torch.tensor(INDEX).reshape(1, 5), w, mode="sum", per_sample_weights=p) ** 2

    p = rand(1, 5, seed=1)
    np.testing.assert_allclose(
        function(torch.tensor(TABLE), torch.tensor(p)).numpy(), (p @ TABLE[INDEX]) ** 2
    )
    check_gradients(function, TABLE, p)


def test_one_hot():
    assert F.one_hot(torch.tensor([[0], [2]])).tolist() == [[[1, 0, 0]], [[0, 0, 1]]]
    assert F.one_hot(I[:0], 3).shape == (0, 3)
