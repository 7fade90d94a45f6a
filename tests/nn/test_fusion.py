"""Layers fused for evaluation, layers without first values, the order of weights in memory, stateless calls."""

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import utils


def normalised(bn, *shape):
    """A batch normalisation that has seen some data, in evaluation mode."""
    bn(torch.randn(*shape) * 3 + 1)
    if bn.affine:
        nn.init.normal_(bn.weight)
        nn.init.normal_(bn.bias)
    return bn.eval()


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("affine", [True, False])
def test_a_convolution_fused_with_normalisation_computes_both(bias, affine):
    conv = nn.Conv2d(2, 3, 2, bias=bias).eval()
    bn = normalised(nn.BatchNorm2d(3, affine=affine), 4, 3, 2, 2)
    x = torch.randn(2, 2, 4, 4)
    fused = utils.fuse_conv_bn_eval(conv, bn)
    torch.testing.assert_close(fused(x), bn(conv(x)), rtol=1e-4, atol=1e-5)
    assert isinstance(fused.weight, nn.Parameter) and fused is not conv


def test_a_transposed_convolution_and_a_linear_map_fuse_too():
    conv, bn = nn.ConvTranspose1d(2, 3, 2).eval(), normalised(nn.BatchNorm1d(3), 4, 3, 2)
    x = torch.randn(2, 2, 4)
    fused = utils.fuse_conv_bn_eval(conv, bn, transpose=True)
    torch.testing.assert_close(fused(x), bn(conv(x)), rtol=1e-4, atol=1e-5)
    linear, bn = nn.Linear(2, 3).eval(), normalised(nn.BatchNorm1d(3), 4, 3)
    x = torch.randn(5, 2)
    torch.testing.assert_close(utils.fuse_linear_bn_eval(linear, bn)(x), bn(linear(x)), rtol=1e-4, atol=1e-5)


def test_what_cannot_be_fused_is_refused():
    conv, bn = nn.Conv1d(2, 3, 2), nn.BatchNorm1d(3)
    with pytest.raises(AssertionError, match="Fusion only for eval!"):
        utils.fuse_conv_bn_eval(conv, bn)
    with pytest.raises(AssertionError, match="bn.running_mean and bn.running_var must not be None"):
        utils.fuse_conv_bn_eval(conv.eval(), nn.BatchNorm1d(3, track_running_stats=False).eval())
    with pytest.raises(AssertionError, match="linear.out_features == bn.num_features"):
        utils.fuse_linear_bn_eval(nn.Linear(2, 3).eval(), nn.BatchNorm1d(4).eval())


def test_layers_can_be_made_without_drawing_numbers():
    before = torch.get_rng_state()
    layer = utils.skip_init(nn.Linear, 5, 2, bias=False)
    assert torch.equal(torch.get_rng_state(), before)
    assert layer.weight.shape == (2, 5) and layer.weight.requires_grad and layer.bias is None
    with pytest.raises(RuntimeError, match="Expected a Module; got"):
        utils.skip_init(int)
    with pytest.raises(RuntimeError, match="Module must support a 'device' arg to skip initialization"):
        utils.skip_init(nn.ReLU)


def test_the_weights_of_convolutions_change_their_order_in_memory():
    net = nn.Sequential(nn.Conv2d(2, 3, 2), nn.Linear(2, 2))
    values = net[0].weight.detach().clone()
    assert utils.convert_conv2d_weight_memory_format(net, torch.channels_last) is net
    assert net[0].weight.stride() == (8, 1, 4, 2) and torch.equal(net[0].weight, values)
    conv = utils.convert_conv3d_weight_memory_format(nn.Conv3d(2, 3, 2), torch.channels_last_3d)
    assert conv.weight.stride() == (16, 1, 8, 4, 2)


def test_functional_call_in_its_old_place_is_deprecated():
    with pytest.warns(FutureWarning, match="`torch.nn.utils.stateless.functional_call` is deprecated"):
        found = utils.stateless.functional_call(
            nn.Linear(2, 1, False), {"weight": torch.ones(1, 2)}, torch.ones(2)
        )
    assert found.tolist() == [2.0]


def test_functions_are_not_hidden_by_the_files_of_the_same_name():
    from minigrad.nn.utils import spectral_norm as of_package
    from minigrad.nn.utils.spectral_norm import spectral_norm as of_file
    from minigrad.nn.utils.weight_norm import WeightNorm

    assert of_package is of_file is utils.spectral_norm
    assert callable(utils.weight_norm) and isinstance(WeightNorm, type)
    assert all(hasattr(utils, name) for name in utils.__all__)
