"""Layers that normalise: their formulas, running statistics, errors, and state dicts of older versions."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def standardised(x, axes, eps=1e-5):
    mean, var = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) / np.sqrt(var + eps)


@pytest.mark.parametrize(
    "layer, shape, axes",
    [
        (nn.BatchNorm1d(3), (5, 3), (0,)),
        (nn.BatchNorm1d(3), (5, 3, 2), (0, 2)),
        (nn.BatchNorm2d(3), (5, 3, 2, 4), (0, 2, 3)),
        (nn.BatchNorm3d(3), (2, 3, 2, 4, 2), (0, 2, 3, 4)),
        (nn.InstanceNorm1d(3), (2, 3, 5), (2,)),
        (nn.InstanceNorm2d(3), (3, 5, 2), (1, 2)),
        (nn.InstanceNorm3d(3), (2, 3, 5, 2, 2), (2, 3, 4)),
        (nn.LayerNorm((3, 4)), (2, 3, 4), (1, 2)),
        (nn.GroupNorm(3, 3), (2, 3, 4), (2,)),
    ],
    ids=repr,
)
def test_they_standardise_over_their_axes(layer, shape, axes):
    x = normal(*shape)
    found = layer.double()(torch.tensor(x)).detach().numpy()
    np.testing.assert_allclose(found, standardised(x, axes), rtol=1e-6, atol=1e-9)


def test_rms_norm_divides_by_the_root_of_the_mean_square():
    x = normal(4, 3)
    expected = x / np.sqrt((x**2).mean(1, keepdims=True) + 0.5)
    np.testing.assert_allclose(
        nn.RMSNorm(3, eps=0.5, elementwise_affine=False)(torch.tensor(x)).numpy(), expected
    )


def test_response_norms_look_at_neighbouring_channels():
    x = normal(2, 6, 3, 2)
    squares = np.pad(x**2, ((0, 0), (1, 1), (0, 0), (0, 0)))
    sums = sum(squares[:, i : i + 6] for i in range(3))
    expected = x / (2 + 0.5 / 3 * sums) ** 0.75
    found = nn.LocalResponseNorm(3, alpha=0.5, k=2)(torch.tensor(x)).numpy()
    np.testing.assert_allclose(found, expected)
    crossing = nn.CrossMapLRN2d(3, alpha=0.5, k=2)(torch.tensor(x)).numpy()
    np.testing.assert_allclose(crossing[:, :2], expected[:, :2])
    sums[:, 2:] += x[:, :1] ** 2  # which the first channel's square never leaves
    np.testing.assert_allclose(crossing, x / (2 + 0.5 / 3 * sums) ** 0.75)
    with pytest.raises(ValueError, match="Expected input to be 4D, got 2D instead"):
        nn.CrossMapLRN2d(3)(torch.ones(2, 3))


def test_batch_norm_keeps_running_statistics():
    layer, x = nn.BatchNorm1d(2, momentum=0.25).double(), normal(8, 2)
    layer(torch.tensor(x))
    np.testing.assert_allclose(layer.running_mean.numpy(), 0.25 * x.mean(0))
    np.testing.assert_allclose(layer.running_var.numpy(), 0.75 + 0.25 * x.var(0, ddof=1))
    assert layer.num_batches_tracked.item() == 1
    found = layer.eval()(torch.tensor(x)).detach().numpy()
    mean, var = layer.running_mean.numpy(), layer.running_var.numpy()
    np.testing.assert_allclose(found, (x - mean) / np.sqrt(var + 1e-5))
    assert layer.num_batches_tracked.item() == 1
    layer.reset_running_stats()
    assert (layer.running_mean.tolist(), layer.running_var.tolist(), layer.num_batches_tracked.item()) == (
        [0, 0],
        [1, 1],
        0,
    )


def test_momentum_none_averages_all_batches():
    layer, batches = nn.BatchNorm1d(2, momentum=None).double(), normal(3, 8, 2)
    for batch in batches:
        layer(torch.tensor(batch))
    np.testing.assert_allclose(layer.running_mean.numpy(), batches.mean((0, 1)))
    np.testing.assert_allclose(layer.running_var.numpy(), batches.var(1, ddof=1).mean(0))


def test_without_running_statistics_evaluation_uses_the_batch():
    x = normal(8, 2)
    layer = nn.BatchNorm1d(2, track_running_stats=False).double().eval()
    assert layer.running_mean is layer.num_batches_tracked is None
    np.testing.assert_allclose(layer(torch.tensor(x)).detach().numpy(), standardised(x, (0,)))
    late = nn.BatchNorm1d(2).double()
    late.track_running_stats = False
    np.testing.assert_allclose(late(torch.tensor(x)).detach().numpy(), standardised(x, (0,)))
    assert late.running_mean.tolist() == [0, 0]


@pytest.mark.parametrize(
    "layer, shape, message",
    [
        (nn.BatchNorm1d(3), (3,), "expected 2D or 3D input (got 1D input)"),
        (nn.BatchNorm2d(3), (2, 3), "expected 4D input (got 2D input)"),
        (nn.BatchNorm3d(3), (2, 3), "expected 5D input (got 2D input)"),
        (nn.BatchNorm1d(3), (1, 3), "Expected more than 1 value per channel when training"),
        (nn.InstanceNorm2d(3), (2, 3), "expected 3D or 4D input (got 2D input)"),
        (
            nn.InstanceNorm1d(3, affine=True),
            (2, 4, 5),
            "expected input's size at dim=1 to match num_features (3), but got: 4.",
        ),
        (nn.SyncBatchNorm(3), (3,), "expected at least 2D input (got 1D input)"),
        (nn.SyncBatchNorm(3), (2, 0), "SyncBatchNorm number of input channels should be non-zero"),
    ],
)
def test_inputs_that_do_not_fit(layer, shape, message):
    with pytest.raises(ValueError) as error:
        layer(torch.ones(shape))
    assert message in str(error.value)


def test_instance_norm_warns_of_another_number_of_channels():
    with pytest.warns(UserWarning, match="input's size at dim=1 does not match num_features"):
        assert nn.InstanceNorm1d(3)(torch.ones(2, 4, 5)).shape == (2, 4, 5)


def test_group_norm_needs_groups_of_equal_size():
    with pytest.raises(ValueError, match=r"num_channels \(5\) must be divisible by num_groups \(2\)"):
        nn.GroupNorm(2, 5)


def test_states_of_version_1_have_no_number_of_batches():
    layer = nn.BatchNorm1d(2)
    layer.num_batches_tracked += 7
    old = {name: x + 1 for name, x in layer.state_dict().items() if name != "num_batches_tracked"}
    layer.load_state_dict(old)
    assert layer.running_mean.tolist() == [1, 1] and layer.num_batches_tracked.item() == 7
    new = layer.state_dict()
    del new["num_batches_tracked"]
    with pytest.raises(RuntimeError, match="Missing key.*num_batches_tracked"):
        layer.load_state_dict(new)


def test_states_of_old_instance_norms_had_statistics_that_are_refused():
    old = dict(nn.InstanceNorm1d(2, track_running_stats=True).state_dict())
    del old["num_batches_tracked"]
    with pytest.raises(
        RuntimeError, match='Unexpected running stats buffer.s. "running_mean" and "running_var"'
    ):
        nn.InstanceNorm1d(2).load_state_dict(old)


def test_converting_to_sync_batch_norm_keeps_parameters_and_buffers():
    model = nn.Sequential(nn.BatchNorm1d(2), nn.Sequential(nn.ReLU(), nn.BatchNorm2d(3, affine=False))).eval()
    weight, mean = model[0].weight, model[1][1].running_mean
    converted = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    assert [type(m).__name__ for m in converted.modules()] == [
        "Sequential",
        "SyncBatchNorm",
        "Sequential",
        "ReLU",
        "SyncBatchNorm",
    ]
    assert converted[0].weight is weight and converted[1][1].running_mean is mean
    assert not converted[0].training
