"""Lazy modules: before their first input, at it, and after it."""

import copy
import pickle

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn.modules.lazy import LazyModuleMixin
from minigrad.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter, is_lazy


def model():
    return nn.Sequential(nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.Flatten(), nn.LazyLinear(2))


def test_the_first_input_gives_the_sizes():
    lazy = model()
    assert all(map(is_lazy, lazy.parameters()))
    assert lazy(torch.ones(2, 3, 5, 5)).shape == (2, 2)
    assert repr(lazy) == (
        "Sequential(\n"
        "  (0): Conv2d(3, 4, kernel_size=(3, 3), stride=(1, 1))\n"
        "  (1): BatchNorm2d(4, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)\n"
        "  (2): Flatten(start_dim=1, end_dim=-1)\n"
        "  (3): Linear(in_features=36, out_features=2, bias=True)\n"
        ")"
    )
    assert not any(map(is_lazy, lazy.parameters()))
    assert not lazy[3]._forward_pre_hooks and not lazy[3]._load_state_dict_pre_hooks
    assert not hasattr(lazy[3], "_initialize_hook") and not hasattr(lazy[3], "_load_hook")


def test_the_numbers_are_drawn_when_the_sizes_are_known():
    torch.manual_seed(0)
    lazy = nn.LazyLinear(2)
    lazy(torch.ones(1, 3))
    torch.manual_seed(0)
    assert lazy.weight.tolist() == nn.Linear(3, 2).weight.tolist()


def test_a_state_dict_gives_the_sizes_too():
    lazy, eager = nn.LazyLinear(2), nn.Linear(3, 2)
    lazy.load_state_dict(eager.state_dict())
    assert type(lazy) is nn.LazyLinear and lazy.weight.shape == (2, 3)
    with pytest.raises(AssertionError, match="The in_features inferred from input: 4 is not equal"):
        lazy(torch.ones(1, 4))
    assert repr(lazy(torch.ones(1, 3)).shape) == "torch.Size([1, 2])" and type(lazy) is nn.Linear


def test_states_without_sizes_load_into_each_other_and_into_nothing_else():
    state = nn.LazyLinear(2).state_dict()
    assert is_lazy(state["weight"])
    nn.LazyLinear(2).load_state_dict(state)
    with pytest.raises(RuntimeError, match="Can't access the shape of an uninitialized parameter or buffer"):
        nn.Linear(3, 2).load_state_dict(state)


def test_dtypes_change_before_the_first_input():
    lazy = nn.LazyLinear(2).double()
    assert is_lazy(lazy.weight) and lazy.weight.dtype is torch.float64
    assert lazy(torch.ones(1, 3, dtype=torch.float64)).dtype is torch.float64
    norm = nn.LazyBatchNorm1d().to(torch.float64)
    assert is_lazy(norm.running_mean) and norm.running_mean.dtype is torch.float64


def test_copies_are_lazy_on_their_own():
    lazy = nn.LazyLinear(2)
    for twin in (copy.deepcopy(lazy), pickle.loads(pickle.dumps(lazy))):
        assert is_lazy(twin.weight) and twin(torch.ones(1, 5)).shape == (1, 2)
        assert repr(twin) == "Linear(in_features=5, out_features=2, bias=True)"
        assert not twin._forward_pre_hooks
    assert is_lazy(lazy.weight) and lazy.in_features == 0 and lazy._forward_pre_hooks


@pytest.mark.parametrize(
    "layer, shape, error, message",
    [
        (
            nn.LazyConv1d(4, 3),
            (3,),
            RuntimeError,
            r"Expected 2D \(unbatched\) or 3D \(batched\) input to LazyConv1d, but got",
        ),
        (nn.LazyConv1d(4, 3, groups=4), (1, 3, 5), ValueError, "in_channels must be divisible by groups"),
        (nn.LazyBatchNorm2d(), (2, 3), ValueError, "expected 4D input"),
    ],
)
def test_inputs_that_do_not_fit(layer, shape, error, message):
    with pytest.raises(error, match=message):
        layer(torch.ones(shape))


def test_instance_norm_tracks_statistics_while_it_is_lazy():
    lazy = nn.LazyInstanceNorm2d(affine=True)
    assert lazy.track_running_stats and is_lazy(lazy.running_mean)
    lazy(torch.ones(1, 3, 2, 2))
    assert type(lazy) is nn.InstanceNorm2d and lazy.weight.shape == lazy.running_var.shape == (3,)


def test_the_mixin_needs_to_be_told_how_parameters_are_made():
    class Scale(LazyModuleMixin, nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = UninitializedParameter()

        def forward(self, x):
            return x * self.weight

    with pytest.raises(NotImplementedError, match="initialize_parameters is not implemented for Scale"):
        Scale()(torch.ones(2))

    class Careless(Scale):
        def initialize_parameters(self, x):
            pass

    with pytest.raises(RuntimeError, match="module Careless has not been fully initialized"):
        Careless()(torch.ones(2))

    class Careful(Scale):
        def initialize_parameters(self, x):
            self.weight.materialize(x.shape)
            nn.init.constant_(self.weight, 3)

    layer = Careful()
    assert layer(torch.ones(2)).tolist() == [3, 3] and type(layer) is Careful


def test_what_has_no_shape_cannot_be_computed_with():
    weight = UninitializedParameter(dtype=torch.float64)
    assert isinstance(weight, Parameter) and weight.requires_grad and weight.dtype is torch.float64
    assert repr(weight) == "<UninitializedParameter>"
    with pytest.raises(RuntimeError, match="Can't access the shape of an uninitialized parameter"):
        weight.shape
    with pytest.raises(RuntimeError, match="Can't share memory on an uninitialized parameter"):
        weight.share_memory_()
    for use in (
        lambda: weight + 1,
        lambda: weight.numel(),
        lambda: weight[0],
        lambda: weight.clone(),
        lambda: len(weight),
    ):
        with pytest.raises(ValueError, match="Attempted to use an uninitialized parameter in .* lazy module"):
            use()


def test_materialize_makes_a_parameter_or_a_buffer():
    weight = UninitializedParameter(requires_grad=False)
    weight.materialize((2, 3), dtype=torch.float64)
    assert type(weight) is Parameter and weight.shape == (2, 3) and weight.dtype is torch.float64
    assert not weight.requires_grad
    buffer = UninitializedBuffer(persistent=False)
    assert isinstance(buffer, Buffer) and not buffer.persistent
    buffer.materialize(3)
    assert type(buffer) is torch.Tensor and buffer.shape == (3,) and isinstance(buffer, Buffer)
