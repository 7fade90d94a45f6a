"""The softmax over clusters of classes."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from tests.numeric import check_gradients


def layer():
    torch.manual_seed(0)
    return nn.AdaptiveLogSoftmaxWithLoss(8, 12, [3, 7], div_value=2.0, head_bias=True).double()


def inputs(n=6):
    return torch.tensor(np.random.default_rng(0).normal(size=(n, 8)))


def test_probabilities_sum_to_one():
    np.testing.assert_allclose(layer().log_prob(inputs()).exp().sum(1).detach().numpy(), np.ones(6))


def test_the_output_is_the_target_classes_log_probability():
    module, x, target = layer(), inputs(), torch.tensor([0, 2, 3, 6, 7, 11])
    output, loss = module(x, target)
    expected = module.log_prob(x).detach().numpy()[range(6), target.numpy()]
    np.testing.assert_allclose(output.detach().numpy(), expected)
    np.testing.assert_allclose(loss.item(), -expected.mean())
    one = module(x[4], target[4])
    assert one.output.shape == one.loss.shape == ()
    np.testing.assert_allclose(one.output.item(), expected[4])


def test_predictions_are_the_most_probable_classes():
    module, x = layer(), inputs(40)
    for shift in (0.0, 2.0, 20.0):  # none, some, all in the clusters
        module.head.bias.data[3:] = shift
        assert module.predict(x).tolist() == module.log_prob(x).argmax(1).tolist()


def test_gradients():
    target = torch.tensor([0, 3, 6, 11])
    check_gradients(lambda x: layer()(x, target).loss, inputs(4), order=1)


def test_sizes_of_the_parts():
    sizes = {name: tuple(p.shape) for name, p in layer().named_parameters()}
    assert sizes == {
        "head.weight": (5, 8),
        "head.bias": (5,),
        "tail.0.0.weight": (4, 8),
        "tail.0.1.weight": (4, 4),
        "tail.1.0.weight": (2, 8),
        "tail.1.1.weight": (5, 2),
    }


@pytest.mark.parametrize("cutoffs", [[0, 3], [3, 3], [7, 3], [3, 12], [3.5]])
def test_cutoffs_rise_among_the_classes(cutoffs):
    with pytest.raises(ValueError, match="unique, positive integers sorted in an increasing order"):
        nn.AdaptiveLogSoftmaxWithLoss(8, 12, cutoffs)


def test_some_cutoff_is_needed():
    with pytest.raises(ValueError, match="cutoffs should be a sequence of length larger than 0"):
        nn.AdaptiveLogSoftmaxWithLoss(8, 12, [])


@pytest.mark.parametrize(
    "x, target, message",
    [
        ((6, 8), [0, 1], "Input and target should have the same size in the batch dimension."),
        ((2, 2, 8), [0, 1], "1D target tensor expects 2D input tensors"),
        ((2, 8), 0, "0D target tensor expects 1D input tensors"),
        ((2, 8), [[0, 1]], "0D or 1D target tensor expected, multi-target not supported"),
        (
            (2, 8),
            [0, 12],
            r"Target values should be in \[0, 11\], but values in range \[0, 12\] were found. ",
        ),
        (
            (2, 8),
            [0, -1],
            r"Target values should be in \[0, 11\], but values in range \[-1, 0\] were found. ",
        ),
    ],
)
def test_inputs_and_targets_that_do_not_fit(x, target, message):
    with pytest.raises(RuntimeError, match=message):
        layer()(torch.ones(x, dtype=torch.float64), torch.tensor(target))
