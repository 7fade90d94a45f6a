"""Connectionist temporal classification: against the sum over all paths; gradients; lengths; what cannot be."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad.nn import functional as F
from tests.numeric import check_gradients

inf = float("inf")


def log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def rand(*shape, seed=0):
    return log_softmax(np.random.default_rng([seed, *shape]).uniform(-2, 2, shape))


def by_all_paths(log_probs, labels, blank=0):
    """The loss of one sample, (T, C): every path that reads as ``labels`` when repetitions, then blanks, are left out."""
    times, classes = log_probs.shape
    total = 0.0
    for path in itertools.product(range(classes), repeat=times):
        read = [c for c, _ in itertools.groupby(path) if c != blank]
        if read == list(labels):
            total += np.exp(sum(log_probs[t, c] for t, c in enumerate(path)))
    return -np.log(total) if total else inf


@given(
    times=st.integers(1, 5),
    labels=st.lists(st.lists(st.sampled_from([0, 2]), max_size=3), min_size=1, max_size=3),
)
@settings(max_examples=40, deadline=None)
def test_the_loss_is_the_sum_over_all_paths(times, labels):
    n = len(labels)
    log_probs = rand(times, n, 3)
    lengths = [len(row) for row in labels]
    inputs = [max(times - i, 1) for i in range(n)]
    flat = torch.tensor([c for row in labels for c in row], dtype=torch.int64)
    ours = F.ctc_loss(torch.tensor(log_probs), flat, inputs, lengths, blank=1, reduction="none")
    expected = [by_all_paths(log_probs[:m, i], row, 1) for i, (m, row) in enumerate(zip(inputs, labels))]
    np.testing.assert_allclose(ours.numpy(), expected, atol=1e-12)


TARGETS = torch.tensor([[1, 1, 2], [2, 3, 0]])


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_reductions_and_gradients_through_log_softmax(reduction):
    x = np.random.default_rng(0).uniform(-2, 2, (5, 2, 4))

    def function(x):
        return F.ctc_loss(x.log_softmax(2), TARGETS, (5, 4), (3, 2), reduction=reduction)

    log_probs = log_softmax(x)
    each = np.array([by_all_paths(log_probs[:, 0], [1, 1, 2]), by_all_paths(log_probs[:4, 1], [2, 3])])
    expected = {"none": each, "sum": each.sum(), "mean": (each / [3, 2]).mean()}[reduction]
    np.testing.assert_allclose(function(torch.tensor(x)).numpy(), expected)
    check_gradients(function, x, eps=1e-5)


def test_the_recorded_recursion_agrees_with_the_kernel():
    x = torch.tensor(rand(9, 2, 4), requires_grad=True)
    loss = F.ctc_loss(x, TARGETS, torch.tensor([9, 6]), torch.tensor([3, 0]), reduction="sum")
    raw = torch.autograd.grad(loss, x, retain_graph=True)[0]
    recorded = torch.autograd.grad(loss, x, create_graph=True)[0]
    np.testing.assert_allclose(raw.numpy(), recorded.detach().numpy(), atol=1e-12)
    assert not raw[6:, 1].any() and raw[:6, 1].any()


def test_labels_that_are_impossible():
    x = torch.tensor(rand(3, 2, 4), requires_grad=True)
    targets = torch.tensor([[1, 1], [2, 3]])
    loss = F.ctc_loss(x, targets, (2, 3), (2, 2), reduction="none")
    assert loss[0].item() == inf and loss[1].item() < inf
    loss = F.ctc_loss(x, targets, (2, 3), (2, 2), reduction="none", zero_infinity=True)
    assert loss[0].item() == 0
    for create_graph in (False, True):
        g = torch.autograd.grad(loss.sum(), x, retain_graph=True, create_graph=create_graph)[0]
        assert not g[:, 0].any() and g[:, 1].abs().sum() > 0 and torch.isfinite(g).all()


def test_one_sample_without_a_batch():
    x = rand(4, 3)
    loss = F.ctc_loss(
        torch.tensor(x), torch.tensor([1, 2]), torch.tensor(4), torch.tensor(2), reduction="none"
    )
    assert loss.shape == ()
    np.testing.assert_allclose(loss.item(), by_all_paths(x, [1, 2]))
    assert torch.ctc_loss(torch.tensor(x)[:, None], torch.tensor([[1, 2]]), (4,), (2,)).shape == (1,)


def test_an_input_of_length_zero():
    loss = F.ctc_loss(torch.tensor(rand(3, 2, 4)), TARGETS, (0, 0), (0, 1), reduction="none")
    assert loss.tolist() == [0, inf]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"input_lengths": (6, 4)}, "Expected input_lengths to have value at most 5, but got value 6"),
        ({"input_lengths": (5,)}, "input_lengths must be of size batch_size"),
        (
            {"input_lengths": torch.tensor([5.0, 4.0]), "target_lengths": torch.tensor([3, 2])},
            "input_lengths must be integral",
        ),
        ({"target_lengths": (4, 1)}, "at least 4 at dimension 1, but got size 3"),
        ({"target_lengths": (-1, 1)}, "Expected target_lengths to have value at least 0, but got value -1"),
        ({"targets": torch.tensor([1, 2])}, "to have size 5 at dimension 0, but got size 2"),
        ({"targets": TARGETS + 9}, "Expected targets to be classes"),
        ({"blank": 4}, "blank must be in label range"),
    ],
)
def test_errors(change, words):
    arguments = {
        "log_probs": torch.tensor(rand(5, 2, 4)),
        "targets": TARGETS,
        "input_lengths": (5, 4),
        "target_lengths": (3, 2),
    }
    with pytest.raises(RuntimeError, match=words):
        F.ctc_loss(**arguments | change)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("in_rows", [True, False])
def test_vmap_over_lengths_is_one_sample_after_the_other(reduction, in_rows):
    torch.manual_seed(0)
    log_probs = torch.randn(3, 7, 2, 5, dtype=torch.float64).log_softmax(-1)
    targets = torch.randint(1, 5, (3, 2, 4) if in_rows else (3, 5))
    inputs = torch.tensor([[7, 5], [4, 7], [6, 6]])
    lengths = torch.tensor([[2, 3], [3, 2], [1, 4]])

    def loss(*xs):
        return torch.nn.functional.ctc_loss(*xs, reduction=reduction)

    def slope(*xs):
        return torch.func.grad(lambda *xs: loss(*xs).sum())(*xs)

    everything = log_probs, targets, inputs, lengths
    for function in (loss, slope):
        alone = [function(*(x[i] for x in everything)) for i in range(3)]
        torch.testing.assert_close(torch.vmap(function)(*everything), torch.stack(alone))
    of_inputs = torch.vmap(lambda inputs: loss(log_probs[0], targets[0], inputs, lengths[0]))(inputs)
    torch.testing.assert_close(of_inputs[2], loss(log_probs[0], targets[0], inputs[2], lengths[0]))


def test_vmap_over_lengths_refuses_what_is_too_long():
    x, targets, two = torch.zeros(4, 2, 3), torch.ones(2, 3, dtype=torch.int64), torch.tensor([2, 2])
    loss = torch.nn.functional.ctc_loss
    with pytest.raises(RuntimeError, match="input_lengths to have value at most 4, but got value 5"):
        torch.vmap(lambda n: loss(x, targets, n, two))(torch.tensor([[4, 4], [5, 4]]))
    with pytest.raises(RuntimeError, match="Expected targets to be classes, from 0 to 2"):
        torch.vmap(lambda n: loss(x, targets + 2, two, n))(torch.tensor([[2, 2], [1, 2]]))


def test_second_derivatives_with_lengths_under_vmap_are_refused():
    def slope(x, n):
        return (
            torch.func.grad(lambda x: F.ctc_loss(x, torch.ones(2, 3).long(), torch.tensor([4, 4]), n))(x)
            .sin()
            .sum()
        )

    with pytest.raises(RuntimeError, match="second derivatives of ctc_loss"):
        torch.vmap(torch.func.grad(slope), (None, 0))(torch.zeros(4, 2, 3), torch.tensor([[2, 2], [1, 2]]))
