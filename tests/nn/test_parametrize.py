"""Parameters that are computed of others each time they are asked for."""

import copy
import pickle

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn.utils import parametrize


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).mT

    def right_inverse(self, x):
        return x.triu()


class Doubled(nn.Module):
    def forward(self, x):
        return x * 2


class Sum(nn.Module):
    def forward(self, x, y):
        return x + y

    def right_inverse(self, x):
        return x / 2, x / 2


def symmetric(**kwargs):
    return parametrize.register_parametrization(nn.Linear(3, 3), "weight", Symmetric(), **kwargs)


def test_the_parameter_is_computed_of_its_original():
    layer = symmetric()
    assert torch.equal(layer.weight, layer.weight.mT)
    assert [name for name, _ in layer.named_parameters()] == ["bias", "parametrizations.weight.original"]
    layer(torch.randn(2, 3)).pow(2).sum().backward()
    grad = layer.parametrizations.weight.original.grad
    assert grad.any() and torch.equal(grad, grad.triu())


def test_the_module_has_a_class_of_its_own():
    layer = symmetric()
    assert type(layer).__name__ == "ParametrizedLinear" and isinstance(layer, nn.Linear)
    assert parametrize.type_before_parametrizations(layer) is nn.Linear
    assert parametrize.type_before_parametrizations(nn.Linear(1, 1)) is nn.Linear
    assert parametrize.is_parametrized(layer) and parametrize.is_parametrized(layer, "weight")
    assert not parametrize.is_parametrized(layer, "bias") and not parametrize.is_parametrized(nn.Linear(1, 1))
    assert type(nn.Linear(1, 1)) is not type(layer)
    assert "(0): Symmetric()" in repr(layer)


def test_assigning_goes_through_the_right_inverse():
    layer = symmetric()
    value = torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 5.0], [3.0, 5.0, 6.0]])
    layer.weight = value
    assert torch.equal(layer.weight, value)
    assert torch.equal(layer.parametrizations.weight.original, value.triu())
    parametrize.register_parametrization(layer, "bias", Doubled())
    with pytest.raises(RuntimeError, match="parametrization Doubled does not implement right_inverse"):
        layer.bias = torch.ones(3)


def test_parametrisations_are_applied_one_after_another():
    layer = symmetric()
    before = layer.weight.detach().clone()
    parametrize.register_parametrization(layer, "weight", Doubled())
    torch.testing.assert_close(layer.weight, before * 2)
    assert len(layer.parametrizations.weight) == 2


def test_a_parametrisation_may_be_of_several_tensors():
    layer = nn.Linear(2, 2)
    before = layer.weight.detach().clone()
    parametrize.register_parametrization(layer, "weight", Sum())
    torch.testing.assert_close(layer.weight, before)
    assert {"parametrizations.weight.original0", "parametrizations.weight.original1"} <= set(
        layer.state_dict()
    )
    layer.weight = torch.ones(2, 2)
    assert (layer.parametrizations.weight.original1 == 0.5).all()
    with pytest.raises(ValueError, match="parametrized in terms of a sequence of tensors"):
        parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
    parametrize.remove_parametrizations(layer, "weight")
    assert isinstance(layer.weight, nn.Parameter) and (layer.weight == 1).all()


def test_buffers_can_be_parametrised():
    norm = nn.BatchNorm1d(2)
    norm.running_mean.fill_(3.0)
    parametrize.register_parametrization(norm, "running_mean", Doubled())
    assert norm.running_mean.tolist() == [6.0, 6.0]
    assert "parametrizations.running_mean.original" in dict(norm.named_buffers())


@pytest.mark.parametrize("keep", [True, False])
def test_removal_leaves_the_value_or_the_original(keep):
    layer = symmetric()
    parametrize.register_parametrization(layer, "bias", Doubled())
    original, value = layer.parametrizations.weight.original, layer.weight.detach().clone()
    first = original.detach().clone()
    assert parametrize.remove_parametrizations(layer, "weight", leave_parametrized=keep) is layer
    assert torch.equal(layer.weight, value if keep else first) and layer.weight is original
    assert type(layer).__name__ == "ParametrizedLinear"
    parametrize.remove_parametrizations(layer, "bias")
    assert type(layer) is nn.Linear and not hasattr(layer, "parametrizations")


def test_within_cached_a_tensor_is_computed_once():
    layer = symmetric()
    assert layer.weight is not layer.weight
    with parametrize.cached():
        first = layer.weight
        with parametrize.cached():
            assert layer.weight is first
        assert layer.weight is first
    assert layer.weight is not first


def test_copies_keep_the_class_and_share_nothing():
    layer = symmetric()
    twin = copy.deepcopy(layer)
    assert type(twin) is type(layer) and torch.equal(twin.weight, layer.weight)
    with torch.no_grad():
        twin.parametrizations.weight.original.zero_()
    assert layer.weight.any()
    with pytest.raises(
        RuntimeError, match="Serialization of parametrized modules is only supported through state_dict"
    ):
        pickle.dumps(layer)


def test_parametrisations_go_over_to_another_module():
    for parametrization in (Symmetric(), Sum()):
        source = parametrize.register_parametrization(nn.Linear(2, 2), "weight", parametrization)
        target = nn.Linear(2, 2)
        assert parametrize.transfer_parametrizations_and_params(source, target) is target
        assert torch.equal(source.weight, target.weight)
    plain = nn.Linear(2, 2)
    assert not parametrize.is_parametrized(
        parametrize.transfer_parametrizations_and_params(nn.Linear(2, 2), plain)
    )


class Row(nn.Module):
    def forward(self, x):
        return x[0]


class Wide(nn.Module):
    def forward(self, x):
        return x.double()


class Three(nn.Module):
    def forward(self, x):
        return 3


class FromThree(Symmetric):
    def right_inverse(self, x):
        return 3


class FromWide(Symmetric):
    def right_inverse(self, x):
        return x.double()


class NoInverse(Symmetric):
    def right_inverse(self, x):
        raise NotImplementedError


@pytest.mark.parametrize(
    "parametrization, first, further",
    [
        (
            Row,
            "may not change the shape of the tensor, unless `unsafe`",
            "shape of the tensor, unless the `unsafe`",
        ),
        (
            Wide,
            "may not change the dtype of the tensor, unless `unsafe`",
            "dtype of the tensor, unless the `unsafe`",
        ),
        (
            Three,
            "A parametrization must return a tensor. Got int.",
            "A parametrization must return a tensor. Got int.",
        ),
        (
            FromThree,
            "'right_inverse' must return a Tensor or a Sequence",
            "right_inverse must return a tensor. Got: int",
        ),
        (FromWide, "it may not change the dtype", "right_inverse must have the same dtype as module.weight"),
    ],
)
def test_parametrisations_that_do_not_fit_are_refused(parametrization, first, further):
    layer = nn.Linear(3, 3)
    with pytest.raises(ValueError, match=first):
        parametrize.register_parametrization(layer, "weight", parametrization())
    assert type(layer) is nn.Linear and isinstance(layer.weight, nn.Parameter)
    with pytest.raises(ValueError, match=further):
        parametrize.register_parametrization(symmetric(), "weight", parametrization())


def test_unsafe_allows_another_shape():
    layer = parametrize.register_parametrization(nn.Linear(3, 3), "weight", Row(), unsafe=True)
    assert layer.weight.shape == (3,)


def test_a_right_inverse_may_say_that_it_is_not_there():
    layer = parametrize.register_parametrization(nn.Linear(3, 3), "weight", NoInverse())
    assert torch.equal(layer.weight, layer.weight.mT)


def test_names_that_are_not_there_are_refused():
    with pytest.raises(
        ValueError, match="does not have a parameter, a buffer, or a parametrized element with name 'x'"
    ):
        parametrize.register_parametrization(nn.Linear(3, 3), "x", Symmetric())
    with pytest.raises(ValueError, match="does not have a parametrization on x"):
        parametrize.remove_parametrizations(nn.Linear(3, 3), "x")
    with pytest.raises(ValueError, match="ParametrizationList requires one or more modules"):
        parametrize.ParametrizationList([], torch.ones(2))
    with pytest.raises(KeyError, match="attribute 'weight' already exists"):
        symmetric().weight = nn.Parameter(torch.ones(3, 3))


def test_a_recurrent_net_computes_with_a_parametrised_weight():
    net, plain = nn.GRU(2, 3), nn.GRU(2, 3)
    plain.load_state_dict(net.state_dict())
    parametrize.register_parametrization(net, "weight_hh_l0", Doubled())
    with torch.no_grad():
        plain.weight_hh_l0 *= 2
    x = torch.randn(4, 1, 2)
    assert torch.equal(net(x)[0], plain(x)[0])
