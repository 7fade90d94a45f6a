"""Losses as modules: each computes what the function of its name does, with the settings it was made with."""

import pickle

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional as F

X, Y = torch.tensor([[0.1, 0.7, 2.0], [1.5, -0.2, 0.3]]), torch.tensor([[0.3, 0.2, 0.4], [1.0, 2.0, 0.5]])
SIGNS = torch.tensor([[1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]])
CLASSES = torch.tensor([2, 0])
PAIRS = torch.tensor([1, -1])

#: module, function, inputs, settings.
LOSSES = [
    ("PoissonNLLLoss", F.poisson_nll_loss, (X, Y), {"log_input": False, "full": True, "eps": 1e-3}),
    ("PoissonNLLLoss", F.poisson_nll_loss, (X, Y), {}),
    ("GaussianNLLLoss", F.gaussian_nll_loss, (X, Y, Y.abs()), {"full": True, "eps": 0.3}),
    ("HingeEmbeddingLoss", F.hinge_embedding_loss, (X, SIGNS), {"margin": 0.5}),
    ("SoftMarginLoss", F.soft_margin_loss, (X, SIGNS), {}),
    ("MultiLabelMarginLoss", F.multilabel_margin_loss, (X, torch.tensor([[2, 0, -1], [1, -1, 0]])), {}),
    ("MultiLabelSoftMarginLoss", F.multilabel_soft_margin_loss, (X, (SIGNS + 1) / 2), {"weight": Y[0]}),
    ("MultiMarginLoss", F.multi_margin_loss, (X, CLASSES), {"p": 2, "margin": 0.5, "weight": Y[0]}),
    ("CosineEmbeddingLoss", F.cosine_embedding_loss, (X, Y, PAIRS), {"margin": 0.1}),
    ("MarginRankingLoss", F.margin_ranking_loss, (X[:, 0], Y[:, 0], PAIRS), {"margin": 0.1}),
    ("TripletMarginLoss", F.triplet_margin_loss, (X, Y, SIGNS), {"margin": 2.0, "p": 1.0, "swap": True}),
    (
        "TripletMarginWithDistanceLoss",
        F.triplet_margin_with_distance_loss,
        (X, Y, SIGNS),
        {"distance_function": F.pairwise_distance, "margin": 2.0, "swap": True},
    ),
    (
        "CTCLoss",
        F.ctc_loss,
        (
            torch.zeros(4, 2, 3).log_softmax(2),
            torch.tensor([[1, 2], [2, 2]]),
            torch.tensor([4, 3]),
            torch.tensor([2, 1]),
        ),
        {"blank": 0, "zero_infinity": True},
    ),
    ("SmoothL1Loss", F.smooth_l1_loss, (X, Y), {"beta": 0.5}),
    ("HuberLoss", F.huber_loss, (X, Y), {"delta": 0.5}),
]


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize(
    "name, function, inputs, settings", LOSSES, ids=[f"{row[0]}-{len(row[3])}" for row in LOSSES]
)
def test_they_compute_what_their_functions_do(name, function, inputs, settings, reduction):
    module = getattr(nn, name)(reduction=reduction, **settings)
    expected = function(*inputs, reduction=reduction, **settings).numpy()
    np.testing.assert_array_equal(module(*inputs).numpy(), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(module))(*inputs).numpy(), expected)
    assert all(getattr(module, key) is value for key, value in settings.items())


def test_triplets_have_a_distance_of_their_own():
    loss = nn.TripletMarginWithDistanceLoss()
    assert repr(loss) == "TripletMarginWithDistanceLoss(\n  (distance_function): PairwiseDistance()\n)"
    np.testing.assert_allclose(
        loss(X, Y, SIGNS).item(), nn.TripletMarginLoss()(X, Y, SIGNS).item(), rtol=1e-6
    )


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: nn.MultiMarginLoss(p=3), "only p == 1 and p == 2 supported"),
        (lambda: nn.MultiMarginLoss(weight=Y), "expected weight to be None or 1D tensor, got 2D instead"),
        (
            lambda: nn.TripletMarginLoss(0),
            "TripletMarginLoss: expected margin to be greater than 0, got 0 instead",
        ),
        (
            lambda: nn.TripletMarginWithDistanceLoss(margin=-1),
            "TripletMarginWithDistanceLoss: expected margin to be greater than 0, got -1 instead",
        ),
    ],
)
def test_settings_that_cannot_be(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_linear_cross_entropy_is_the_cross_entropy_of_a_linear_map():
    loss = nn.LinearCrossEntropyLoss(3, 4, bias=True, weight=torch.arange(1.0, 5.0), label_smoothing=0.1)
    found = loss(X, CLASSES)
    expected = F.cross_entropy(loss.linear(X), CLASSES, weight=loss.weight, label_smoothing=0.1)
    np.testing.assert_allclose(found.item(), expected.item(), rtol=1e-6)
    assert list(loss.state_dict()) == ["weight", "linear.weight", "linear.bias"]
    several = nn.LinearCrossEntropyLoss(3, 4, out_features=(2,), ignore_index=9)
    assert several.linear.out_features == 8
    target = torch.tensor([[0, 9], [3, 1]])
    scores = several.linear(X).reshape(2, 4, 2)
    kept = [
        F.cross_entropy(scores[i, :, j][None], target[i, j][None]).item() for i, j in ((0, 0), (1, 0), (1, 1))
    ]
    np.testing.assert_allclose(several(X, target).item(), np.mean(kept), rtol=1e-6)
    with pytest.raises(RuntimeError, match=r"expected weight shape to be \(4,\), got \(2, 3\)"):
        nn.LinearCrossEntropyLoss(3, 4, weight=X)
    with pytest.raises(RuntimeError, match=r"expected label_smoothing to be in range \[0, 1\], got 2"):
        nn.LinearCrossEntropyLoss(3, 4, label_smoothing=2)


@pytest.mark.parametrize("ignore_index", [9, -1])
@pytest.mark.parametrize("weight", [None, Y[0]])
def test_the_ignored_class_may_be_none_of_the_classes(ignore_index, weight):
    target = torch.tensor([2, ignore_index])
    loss = nn.CrossEntropyLoss(weight, ignore_index=ignore_index)
    np.testing.assert_allclose(loss(X, target).item(), F.cross_entropy(X[:1], CLASSES[:1], weight).item())


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"acc_policy": "fast"}, "invalid acc_policy: 'fast'"),
        ({"chunking_method": "aspect_ratio:0"}, "invalid chunking_method: 'aspect_ratio:0'"),
        ({"chunking_method": "auto:2"}, "invalid chunking_method: 'auto:2'"),
        ({"batch_chunk_size": 0}, "batch_chunk_size must be positive int or None, got 0"),
        ({"acc_dtype": torch.int32}, "acc_dtype must be one of .* got torch.int32"),
    ],
)
def test_options_are_checked(settings, message):
    with pytest.raises(ValueError, match=message):
        nn.LinearCrossEntropyOptions(**settings)


def test_options():
    assert nn.LinearCrossEntropyOptions(chunking_method="aspect_ratio:4") == nn.LinearCrossEntropyOptions(
        chunking_method="aspect_ratio:4"
    )
    assert repr(nn.LinearCrossEntropyOptions()) == (
        "LinearCrossEntropyOptions(allow_retain_graph=False, batch_chunk_size=None, chunking_method='auto', "
        "acc_policy='auto', acc_dtype=None)"
    )
