"""Embedding tables and bags of their rows, as modules."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn


@pytest.mark.parametrize("kind", [nn.Embedding, nn.EmbeddingBag])
def test_the_padding_row_is_zero_and_gets_no_gradient(kind):
    table = kind(5, 3, padding_idx=-2)
    assert table.padding_idx == 3 and table.weight[3].tolist() == [0, 0, 0]
    table(torch.tensor([[0, 3], [3, 4]])).sum().backward()
    assert table.weight.grad[3].tolist() == [0, 0, 0] and table.weight.grad[4].sum().item() > 0


@pytest.mark.parametrize("kind, name", [(nn.Embedding, "Padding_idx"), (nn.EmbeddingBag, "padding_idx")])
def test_padding_rows_that_are_none(kind, name):
    for wrong in (5, -6):
        with pytest.raises(AssertionError, match=f"{name} must be within num_embeddings"):
            kind(5, 3, padding_idx=wrong)


def test_text():
    assert repr(nn.Embedding(5, 3)) == "Embedding(5, 3)"
    full = nn.Embedding(5, 3, -1, 2.0, 1.0, True, True)
    assert repr(full) == (
        "Embedding(5, 3, padding_idx=4, max_norm=2.0, norm_type=1.0, scale_grad_by_freq=True, sparse=True)"
    )
    assert (
        repr(nn.EmbeddingBag(5, 3, mode="max", padding_idx=0))
        == "EmbeddingBag(5, 3, mode='max', padding_idx=0)"
    )


@pytest.mark.parametrize("kind", [nn.Embedding, nn.EmbeddingBag])
def test_given_tables(kind):
    table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    frozen = kind.from_pretrained(table)
    assert not frozen.weight.requires_grad and np.shares_memory(frozen.weight.numpy(), table.numpy())
    assert frozen(torch.tensor([[1]])).flatten().tolist() == [3, 4]
    assert kind.from_pretrained(table, freeze=False).weight.requires_grad
    with pytest.raises(AssertionError, match="Embeddings parameter is expected to be 2-dimensional"):
        kind.from_pretrained(table[0])
    with pytest.raises(
        AssertionError, match="Shape of weight does not match num_embeddings and embedding_dim"
    ):
        kind(2, 3, _weight=table)


def test_rows_that_are_too_long_are_shortened_where_they_are():
    table = nn.Embedding.from_pretrained(torch.tensor([[3.0, 4.0], [3.0, 4.0]]), max_norm=1.0)
    table(torch.tensor([1]))
    np.testing.assert_allclose(table.weight.numpy(), [[3, 4], [0.6, 0.8]], rtol=1e-5)


def test_bags_by_offsets():
    bag = nn.EmbeddingBag.from_pretrained(torch.tensor([[1.0], [2.0], [4.0]]), mode="sum")
    indices = torch.tensor([0, 1, 2])
    assert bag(indices, torch.tensor([0, 1])).tolist() == [[1], [6]]
    assert bag(indices, torch.tensor([0, 1]), torch.tensor([1.0, 10.0, 1.0])).tolist() == [[1], [24]]
    bag.include_last_offset = True
    assert bag(indices, torch.tensor([0, 1, 3])).tolist() == [[1], [6]]
