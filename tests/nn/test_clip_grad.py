"""Clipping of gradients, and parameters as one vector."""

import math

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import utils


def parameters(*grads):
    made = []
    for grad in grads:
        parameter = nn.Parameter(torch.zeros(len(grad)))
        parameter.grad = torch.tensor(grad)
        made.append(parameter)
    return made


@pytest.mark.parametrize(
    "norm_type, norm",
    [(2, 5.0), (1, 7.0), (math.inf, 4.0), ("inf", 4.0), (3, 91 ** (1 / 3)), (-math.inf, 3.0)],
)
def test_the_norm_is_that_of_all_elements_together(norm_type, norm):
    given = parameters([3.0], [-4.0])
    total = utils.clip_grad_norm_(given, 1.0, norm_type)
    assert total.item() == pytest.approx(norm) and not total.requires_grad
    assert [p.grad.item() for p in given] == pytest.approx([3 / norm, -4 / norm], rel=1e-5)


def test_gradients_within_the_norm_stay_as_they_are():
    given = parameters([3.0, 4.0])
    utils.clip_grad_norm_(iter(given), 5.5)
    assert given[0].grad.tolist() == [3.0, 4.0]


def test_a_single_tensor_and_parameters_without_gradient_are_taken():
    (single,) = parameters([3.0, 4.0])
    assert utils.clip_grad_norm_(single, 1.0).item() == 5
    assert utils.clip_grad_norm_([nn.Parameter(torch.ones(2))], 1.0).item() == 0
    assert utils.get_total_norm(torch.ones(4)).item() == 2
    assert utils.get_total_norm([torch.ones(1), torch.ones(3, dtype=torch.float64)]).dtype is torch.float64


def test_scaling_by_a_norm_that_is_known():
    given = parameters([3.0, 4.0])
    utils.clip_grads_with_norm_(given, 1.0, torch.tensor(10.0))
    assert given[0].grad.tolist() == pytest.approx([0.3, 0.4], rel=1e-5)


def test_a_norm_that_is_not_finite_raises_on_request():
    given = parameters([math.inf, 1.0])
    with pytest.raises(
        RuntimeError, match="The total norm of order 2.0 for gradients from `parameters` is non-finite"
    ):
        utils.clip_grad_norm_(given, 1.0, error_if_nonfinite=True)
    assert given[0].grad.tolist() == [math.inf, 1.0]
    assert utils.clip_grad_norm_(given, 1.0).item() == math.inf


def test_values_are_cut_to_a_range():
    given = parameters([3.0, -0.5], [-4.0])
    utils.clip_grad_value_(given, 1)
    assert [p.grad.tolist() for p in given] == [[1.0, -0.5], [-1.0]]


def test_an_empty_generator_and_the_old_name_are_warned_of():
    with pytest.warns(UserWarning, match="`parameters` is an empty generator"):
        utils.clip_grad_norm_((p for p in ()), 1.0)
    with pytest.warns(FutureWarning, match="clip_grad_norm` is now deprecated"):
        utils.clip_grad_norm(parameters([1.0]), 1.0)


def test_parameters_go_into_a_vector_and_back():
    layer = nn.Linear(2, 3)
    vector = utils.parameters_to_vector(layer.parameters())
    assert vector.grad_fn.name() == "CatBackward0"
    assert vector.tolist() == [*layer.weight.flatten().tolist(), *layer.bias.tolist()]
    values = torch.arange(9.0)
    utils.vector_to_parameters(values, layer.parameters())
    assert layer.weight.tolist() == [[0, 1], [2, 3], [4, 5]] and layer.bias.tolist() == [6, 7, 8]
    values[0] = 9
    assert layer.weight[0, 0] == 9  # no copy
    with pytest.raises(TypeError, match="expected torch.Tensor, but got: list"):
        utils.vector_to_parameters([1.0], layer.parameters())
