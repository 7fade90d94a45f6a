"""Distances and cosines as modules."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from tests.numeric import check_gradients


def pairs(*shape, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape), rng.normal(size=shape)


@pytest.mark.parametrize("p", [1.0, 2.0, 3.0])
def test_pairwise_distance_is_the_norm_of_the_difference(p):
    x, y = pairs(4, 3)
    found = nn.PairwiseDistance(p=p, eps=0.5)(torch.tensor(x), torch.tensor(y))
    np.testing.assert_allclose(found.numpy(), (np.abs(x - y + 0.5) ** p).sum(1) ** (1 / p))


def test_pairwise_distance_keeps_the_axis_on_request():
    x, y = map(torch.tensor, pairs(4, 3))
    assert nn.PairwiseDistance()(x, y).shape == (4,)
    assert nn.PairwiseDistance(keepdim=True)(x, y).shape == (4, 1)


def test_cosine_similarity_is_that_along_its_axis():
    x, y = pairs(4, 3, 2)
    cosines = (x * y).sum(2) / np.linalg.norm(x, axis=2) / np.linalg.norm(y, axis=2)
    found = nn.CosineSimilarity(dim=2)(torch.tensor(x), torch.tensor(y))
    np.testing.assert_allclose(found.numpy(), cosines)


def test_a_vector_shorter_than_eps_counts_as_long_as_that():
    x, y = torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]])
    assert nn.CosineSimilarity()(x, y).item() == 0
    short = torch.tensor([[0.0, 0.5]])
    assert nn.CosineSimilarity(eps=1.0)(short, y).item() == pytest.approx(0.4)


def test_their_gradients_are_those_of_finite_differences():
    x, y = pairs(2, 3)
    check_gradients(nn.PairwiseDistance(), x, y)
    check_gradients(nn.CosineSimilarity(), x, y)


def test_they_keep_their_settings():
    distance, cosine = nn.PairwiseDistance(1, 0.5, True), nn.CosineSimilarity(0, 0.25)
    assert (distance.norm, distance.eps, distance.keepdim) == (1, 0.5, True)
    assert (cosine.dim, cosine.eps) == (0, 0.25)
    assert (repr(distance), repr(cosine)) == ("PairwiseDistance()", "CosineSimilarity()")
    assert list(distance.state_dict()) == list(cosine.state_dict()) == []
