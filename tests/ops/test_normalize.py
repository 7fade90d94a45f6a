"""Normalisation at its awkward points: running statistics, blocks, equal elements, zeros, what is refused."""

import itertools
import math

import numpy as np
import pytest

import minigrad as torch
from minigrad.nn import functional as F
from tests.numeric import check_gradients


def rand(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).uniform(-2, 2, shape)


def standardized(x, axes, eps=1e-5):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def test_large_arrays_are_normalised_in_blocks():
    x, w, g = rand(600, 300), rand(300), rand(600, 300, seed=1)
    a, v = torch.tensor(x, requires_grad=True), torch.tensor(w, requires_grad=True)
    z = F.layer_norm(a, (300,), v)
    np.testing.assert_allclose(z.detach().numpy(), standardized(x, 1) * w, atol=1e-10)
    raw = torch.autograd.grad(z, (a, v), torch.tensor(g), retain_graph=True)
    composed = torch.autograd.grad(z, (a, v), torch.tensor(g), create_graph=True)
    for r, c in zip(raw, composed):
        np.testing.assert_allclose(r.numpy(), c.detach().numpy(), atol=1e-9)
    for function in (lambda x: F.group_norm(x, 3), lambda x: F.batch_norm(x, None, None, training=True)):
        a = torch.tensor(rand(40, 6, 1000), requires_grad=True)
        g = torch.tensor(rand(40, 6, 1000, seed=1))
        z = function(a)
        raw, composed = (
            torch.autograd.grad(z, a, g, retain_graph=True, create_graph=c)[0] for c in (False, True)
        )
        np.testing.assert_allclose(raw.numpy(), composed.detach().numpy(), atol=1e-9)


@pytest.mark.parametrize("value", [0.1, 1e3 / 3, -7.3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_equal_elements_become_zero(value, dtype):
    x = torch.full((2, 3, 7), value, dtype=dtype, requires_grad=True)
    for z in (
        F.layer_norm(x, (7,)),
        F.group_norm(x, 1),
        F.batch_norm(x, None, None, training=True),
        F.instance_norm(x),
    ):
        assert (z == 0).all()
        assert not torch.autograd.grad(z.sum(), x)[0].abs().max() > 1e-3 * abs(value)


@pytest.mark.parametrize("shape", [(3, 2), (3, 2, 2), (2, 2, 2, 3), (2, 2, 1, 2, 2)], ids=str)
@pytest.mark.parametrize("training", [True, False])
def test_batch_norm(shape, training):
    x, w, b = rand(*shape), rand(2, seed=1), rand(2, seed=2)
    mean, var = rand(2, seed=3), rand(2, seed=4) ** 2 + 0.1
    running = torch.tensor(mean), torch.tensor(var)
    axes, c = (0, *range(2, len(shape))), (1, 2, *[1] * (len(shape) - 2))
    z = F.batch_norm(torch.tensor(x), *running, torch.tensor(w), torch.tensor(b), training, 0.3, 0.1)
    if training:
        expected = standardized(x, axes, 0.1)
        n = x.size // 2
        np.testing.assert_allclose(running[0].numpy(), 0.7 * mean + 0.3 * x.mean(axes))
        np.testing.assert_allclose(running[1].numpy(), 0.7 * var + 0.3 * x.var(axes) * n / (n - 1))
    else:
        expected = (x - mean.reshape(c)) / np.sqrt(var.reshape(c) + 0.1)
        np.testing.assert_array_equal(running[0].numpy(), mean)
    np.testing.assert_allclose(z.numpy(), expected * w.reshape(c) + b.reshape(c), atol=1e-12)

    def function(x, w, b):
        return F.batch_norm(x, torch.tensor(mean), torch.tensor(var), w, b, training, 0.3, 0.1)

    check_gradients(function, x, w, b)
    check_gradients(lambda b: function(torch.tensor(x), torch.tensor(w), b), b)


def test_batch_norm_keeps_channels_last():
    x = torch.tensor(rand(2, 3, 4, 5)).contiguous(memory_format=torch.channels_last).requires_grad_()
    z = F.batch_norm(x, None, None, training=True)
    assert z.stride() == x.stride()
    np.testing.assert_allclose(z.detach().numpy(), standardized(x.detach().numpy(), (0, 2, 3)), atol=1e-12)
    check_gradients(
        lambda x: F.batch_norm(x.permute(0, 3, 1, 2), None, None, training=True, eps=0.1), rand(2, 2, 2, 2)
    )


def test_two_forwards_of_batch_norm_before_one_backward():
    mean, var = torch.zeros(3), torch.ones(3)
    x = torch.tensor(rand(4, 3), dtype=torch.float32, requires_grad=True)
    first = F.batch_norm(x, mean, var, training=True)
    second = F.batch_norm(x + 1, mean, var, training=True)
    (first.pow(3).sum() + second.sum()).backward()
    assert first.grad_fn._saved_running_mean is mean and mean._version == 0


def test_batch_norm_with_statistics_that_were_changed_since():
    mean, x = torch.zeros(2), torch.ones(3, 2, requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    z = F.batch_norm(x, mean, torch.ones(2), w)
    mean.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_instance_norm():
    x, w, b = rand(2, 3, 4), rand(3, seed=1), rand(3, seed=2)
    z = F.instance_norm(torch.tensor(x), weight=torch.tensor(w), bias=torch.tensor(b))
    np.testing.assert_allclose(z.numpy(), standardized(x, 2) * w[:, None] + b[:, None], atol=1e-10)
    check_gradients(lambda x, w, b: F.instance_norm(x, weight=w, bias=b, eps=0.1), x, w, b)
    mean, var = torch.zeros(3, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
    F.instance_norm(torch.tensor(x), mean, var, momentum=0.5)
    np.testing.assert_allclose(mean.numpy(), 0.5 * x.mean((0, 2)))
    np.testing.assert_allclose(var.numpy(), 0.5 + 0.5 * x.var(2, ddof=1).mean(0))


def test_rms_norm_of_small_numbers_in_half_precision_uses_the_eps_of_single():
    z = F.rms_norm(torch.full((4,), 1e-3, dtype=torch.float16), (4,))
    assert z.tolist() == [0.9453125] * 4


def test_normalize_at_zero():
    x = torch.zeros(1, 2, dtype=torch.float64, requires_grad=True)
    z = F.normalize(x)
    (g,) = torch.autograd.grad(z.sum(), x, create_graph=True)
    assert z.tolist() == [[0, 0]] and g.tolist() == [[1e12, 1e12]]
    assert torch.autograd.grad(g.sum(), x)[0].tolist() == [[0, 0]]


def test_half_precision_computes_in_single():
    x = rand(64, 32).astype("float16")
    for function in (
        lambda x: F.layer_norm(x, (32,)),
        lambda x: F.batch_norm(x, None, None, training=True),
        lambda x: F.group_norm(x, 4),
    ):
        z, wide = function(torch.tensor(x)), function(torch.tensor(x.astype("float32")))
        assert z.dtype is torch.float16
        np.testing.assert_array_equal(z.numpy(), wide.numpy().astype("float16"))


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda x: F.layer_norm(x, (4,)), RuntimeError, r"Given normalized_shape=\[4\], expected input with shape \[\*, 4\]"),
        (lambda x: F.layer_norm(x, ()), RuntimeError, "at least 1-dimensional"),
        (lambda x: F.layer_norm(x, 5), TypeError, "must be tuple of ints, not int"),
        (lambda x: F.layer_norm(x, (5,), torch.ones(3)), RuntimeError, "Expected weight to be of same shape"),
        (lambda x: F.layer_norm(x.long(), (5,)), NotImplementedError, "not implemented for 'Long'"),
        (lambda x: F.layer_norm(x, (5,), torch.ones(5).double()), RuntimeError, "mixed dtype"),
        (lambda x: F.batch_norm(x, None, None), RuntimeError, "running_mean must be defined in evaluation mode"),
        (lambda x: F.batch_norm(x, torch.ones(2), torch.ones(3)), RuntimeError, "should contain 3 elements not 2"),
        (lambda x: F.batch_norm(x[:1, :, 0], None, None, training=True), ValueError, "more than 1 value per channel"),
        (lambda x: F.batch_norm(x, None, None, training=True, eps=0), ValueError, "must be positive during training"),
        (
            lambda x: F.batch_norm(x, torch.ones(3, requires_grad=True), torch.ones(3)),
            RuntimeError,
            "not differentiable with respect to argument 'running_mean'",
        ),
        (lambda x: F.group_norm(x, 2), RuntimeError, "divisible by num_groups"),
        (lambda x: F.group_norm(x[0, 0], 1), RuntimeError, "at least 2 dimensions"),
        (lambda x: F.instance_norm(x[..., :1]), ValueError, "more than 1 spatial element"),
        (lambda x: F.local_response_norm(x[0], 2), ValueError, "Expected 3D or higher"),
        (lambda x: F.rms_norm(x, (4,)), RuntimeError, r"Given normalized_shape=\[4\], expected input with shape \[\*4\]"),
    ],
)  # fmt: skip
def test_errors(call, kind, words):
    with pytest.raises(kind, match=words):
        call(torch.ones(4, 3, 5))


def test_batch_norm_of_nothing():
    w, b = torch.tensor([2.0, 3.0], requires_grad=True), torch.ones(2)
    assert F.batch_norm(torch.ones(0, 2, 3), None, None, w, b, True).shape == (0, 2, 3)
    with pytest.raises(RuntimeError, match="at least one element"):
        torch.native_batch_norm(torch.ones(0, 2), None, None, None, None, True, 0.1, 1e-5)


def test_names_of_nodes():
    x = torch.ones(2, 4, 3, requires_grad=True)
    assert F.layer_norm(x, (3,)).grad_fn.name() == "NativeLayerNormBackward0"
    assert F.group_norm(x, 2).grad_fn.name() == "NativeGroupNormBackward0"
    for training in (True, False):
        node = F.batch_norm(x, torch.zeros(4), torch.ones(4), training=training).grad_fn
        assert node.name() == "NativeBatchNormBackward0" and node._saved_training is training
        assert node._saved_result1.shape == ((4,) if training else (0,))


@pytest.mark.torch
def test_operands_of_several_dtypes_are_taken_or_refused():
    pytorch = pytest.importorskip("torch")

    def outcome(lib, call, x, w, b):
        f, (x, w) = lib.nn.functional, (getattr(lib, name) for name in (x, w))
        b = None if b is None else getattr(lib, b)

        def given(dtype, *shape):
            return None if dtype is None else lib.arange(1.0, 1 + math.prod(shape)).reshape(shape).to(dtype)

        running = given(w, 3)
        try:
            if call == "layer_norm":
                z = f.layer_norm(given(x, 2, 3), (3,), given(w, 3), given(b, 3))
            elif call == "batch_norm":
                z = f.batch_norm(given(x, 2, 3), running, running.clone(), given(b, 3), given(b, 3), True)
            elif call == "instance_norm":
                z = f.instance_norm(given(x, 2, 3, 4), running, running.clone(), given(b, 3), given(b, 3))
            else:
                n = int(call[-2])
                z = getattr(f, call)(given(x, 1, 2, *[4] * n), given(w, 2, 2, *[2] * n), given(b, 2))
        except RuntimeError as error:
            return str(error)
        return z.dtype, z.detach().double().numpy(), running.double().numpy()

    calls = "layer_norm batch_norm instance_norm conv1d conv_transpose1d conv_transpose2d conv_transpose3d".split()
    names = "float32 float64 float16".split()
    for case in itertools.product(calls, names, names, [None, *names]):
        ours, theirs = outcome(torch, *case), outcome(pytorch, *case)
        if isinstance(theirs, str):
            # Where the processor computes float16, PyTorch asks oneDNN first, which refuses more, in words of its own.
            assert ours == theirs or (case[1] == "float16" and "MKLDNN" in theirs), case
            continue
        assert str(ours[0]).rpartition(".")[2] == str(theirs[0]).rpartition(".")[2], case
        for a, b in zip(ours[1:], theirs[1:], strict=True):
            np.testing.assert_allclose(
                a,
                b,
                2e-3 if "float16" in case else 1e-5,
                1e-3 if "float16" in case else 1e-5,
                err_msg=str(case),
            )
