"""Losses at their awkward points: sizes that differ, weights, nodes, corners, what is refused."""

import math
import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad.nn import functional as F
from tests.numeric import check_gradients

inf, nan = float("inf"), float("nan")


def rand(*shape, seed=0, low=-2.0, high=2.0):
    return np.random.default_rng([seed, *shape]).uniform(low, high, shape)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


PAIRS = {
    "mse_loss": (F.mse_loss, lambda x, y: (x - y) ** 2),
    "l1_loss": (F.l1_loss, lambda x, y: np.abs(x - y)),
    "smooth_l1_loss": (
        lambda x, y, **k: F.smooth_l1_loss(x, y, beta=0.7, **k),
        lambda x, y: np.where(np.abs(x - y) < 0.7, (x - y) ** 2 / 1.4, np.abs(x - y) - 0.35),
    ),
    "huber_loss": (
        lambda x, y, **k: F.huber_loss(x, y, delta=0.7, **k),
        lambda x, y: np.where(np.abs(x - y) < 0.7, (x - y) ** 2 / 2, 0.7 * (np.abs(x - y) - 0.35)),
    ),
    "bce_with_logits": (F.binary_cross_entropy_with_logits, lambda x, y: -(y * np.log(sigmoid(x)) + (1 - y) * np.log(1 - sigmoid(x)))),
}  # fmt: skip


def test_sizes_that_differ_broadcast_with_a_warning():
    for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"):
        function, reference = PAIRS[name]
        x, y = rand(2, 3), rand(3, seed=1)
        with pytest.warns(
            UserWarning, match=r"target size \(torch.Size\(\[3\]\)\) that is different to the input size"
        ):
            ours = function(torch.tensor(x), torch.tensor(y))
        np.testing.assert_allclose(ours.item(), reference(x, y).mean())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_gradients(function, x, y)
            with pytest.raises(
                RuntimeError, match=r"size of tensor a \(3\) must match the size of tensor b \(2\)"
            ):
                function(torch.ones(2, 3), torch.ones(2, 2))


def test_mixed_dtypes_promote():
    assert F.mse_loss(torch.ones(3), torch.ones(3).double()).dtype is torch.float64
    assert F.mse_loss(torch.ones(3), torch.ones(3, dtype=torch.int64)).dtype is torch.float32
    x = torch.ones(3, requires_grad=True)
    F.mse_loss(x, torch.zeros(3).double()).backward()
    assert x.grad.dtype is torch.float32
    np.testing.assert_allclose(x.grad.numpy(), 2 / 3)


# Classes -------------------------------------------------------------------------------------------------------------------


def test_cross_entropy_is_two_nodes():
    x = torch.zeros(2, 4, requires_grad=True)
    loss = F.cross_entropy(x, torch.tensor([0, 3]))
    node = loss.grad_fn
    assert node.name() == "NllLossBackward0"
    assert node.next_functions[0][0].name() == "LogSoftmaxBackward0"
    assert node._saved_total_weight.item() == 2
    assert node._saved_target.tolist() == [0, 3]
    assert F.cross_entropy(
        torch.zeros(2, 4, 3, 3, requires_grad=True), torch.zeros(2, 3, 3).long()
    ).grad_fn.name() == ("NllLoss2DBackward0")
    assert F.mse_loss(x, x.detach()).grad_fn._saved_reduction == 1


#: (loss of x, y), points, value, gradient: what PyTorch 2.13 gives where formulas are delicate.
CORNERS = [
    ("cross_entropy, logit of the target -inf", lambda x: F.cross_entropy(x[None], torch.tensor([0])), [-inf, 0], inf, [-1, 1]),
    ("cross_entropy, another logit -inf", lambda x: F.cross_entropy(x[None], torch.tensor([1])), [-inf, 0], 0, [0, 0]),
    ("cross_entropy, smoothed", lambda x: F.cross_entropy(x[None], torch.tensor([1]), label_smoothing=0.1), [-inf, 0], inf, [-0.05, 0.05]),
    ("all ignored, mean", lambda x: F.cross_entropy(x[None], torch.tensor([-100])), [1, 0], nan, [0, 0]),
    ("all ignored, sum", lambda x: F.cross_entropy(x[None], torch.tensor([-100]), reduction="sum"), [1, 0], 0, [0, 0]),
    ("bce, p=0 y=1", lambda x: F.binary_cross_entropy(x, torch.ones(1).double()), [0], 100, [-1e12]),
    ("bce, p=1 y=1", lambda x: F.binary_cross_entropy(x, torch.ones(1).double()), [1], 0, [0]),
    ("bce, p=0 y=0", lambda x: F.binary_cross_entropy(x, torch.zeros(1).double()), [0], 0, [0]),
    ("logits -1000", lambda x: F.binary_cross_entropy_with_logits(x, torch.ones(1).double()), [-1000], 1000, [-1]),
    ("logits 1000", lambda x: F.binary_cross_entropy_with_logits(x, torch.zeros(1).double()), [1000], 1000, [1]),
    ("kl_div of 0", lambda x: F.kl_div(x, torch.zeros(1).double(), reduction="sum"), [-inf], nan, [0]),
    ("mse of equals", lambda x: F.mse_loss(x, torch.ones(1).double()), [1], 0, [0]),
    ("l1 of equals", lambda x: F.l1_loss(x, torch.ones(1).double()), [1], 0, [0]),
    ("smooth_l1 of equals", lambda x: F.smooth_l1_loss(x, torch.ones(1).double()), [1], 0, [0]),
    ("smooth_l1 at beta", lambda x: F.smooth_l1_loss(x, torch.zeros(1).double()), [1], 0.5, [1]),
    ("huber at delta", lambda x: F.huber_loss(x, torch.zeros(1).double()), [1], 0.5, [1]),
]  # fmt: skip


@pytest.mark.parametrize("loss, points, value, slope", [c[1:] for c in CORNERS], ids=[c[0] for c in CORNERS])
@pytest.mark.parametrize("create_graph", [False, True])
def test_corners(loss, points, value, slope, create_graph):
    x = torch.tensor(points, dtype=torch.float64, requires_grad=True)
    z = loss(x)
    (grad,) = torch.autograd.grad(z, x, create_graph=create_graph)
    np.testing.assert_allclose(z.item(), value)
    np.testing.assert_allclose(grad.detach().numpy(), slope, atol=1e-12)


def test_classes_of_nothing():
    x = torch.zeros(0, 3, requires_grad=True)
    each, total = (F.nll_loss(x, torch.zeros(0).long(), reduction=r) for r in ("none", "sum"))
    assert each.shape == (0,) and total.item() == 0
    assert torch.autograd.grad(total, x)[0].shape == (0, 3)


def test_weights_that_broadcast():
    x, y, w = (torch.tensor(rand(4, 3, seed=i, low=0.1, high=0.9)) for i in range(3))
    each = F.binary_cross_entropy(x, y, reduction="none")
    torch.testing.assert_close(F.binary_cross_entropy(x, y, w[0], reduction="none"), each * w[0])


def test_kl_div_per_example():
    x, y = (torch.tensor(rand(4, 3, seed=i, low=0.1, high=0.9)) for i in range(2))
    total = F.kl_div(x.log(), y, reduction="sum")
    torch.testing.assert_close(F.kl_div(x.log(), y, reduction="batchmean"), total / 4)


def test_weight_zero_of_the_only_target():
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    loss = F.nll_loss(x, torch.tensor([0]), weight=torch.tensor([0.0, 1.0]))
    loss.backward()
    assert math.isnan(loss.item())
    assert math.isnan(x.grad[0, 0].item())
    assert x.grad[0, 1].item() == 0


def test_deprecated_flags():
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.0])
    for flags, name in (
        ({"size_average": False}, "sum"),
        ({"reduce": False}, "none"),
        ({"size_average": True}, "mean"),
        ({"reduce": True}, "mean"),
    ):
        with pytest.warns(UserWarning, match=f"please use reduction='{name}' instead"):
            assert F.mse_loss(x, y, **flags).tolist() == F.mse_loss(x, y, reduction=name).tolist()


Z, T = torch.zeros, torch.tensor


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: F.nll_loss(Z(3, 4), T([0, 1, 5])), IndexError, "Target 5 is out of bounds."),
        (lambda: F.nll_loss(Z(3, 4), T([0, 1, -1])), IndexError, "Target -1 is out of bounds."),
        (lambda: F.nll_loss(Z(2, 4, 2, 2), Z(2, 2, 2).long() + 9), IndexError, "Target 9 is out of bounds."),
        (lambda: F.nll_loss(Z(3, 4), T([0, 1])), ValueError, r"batch_size \(3\) to match target batch_size \(2\)"),
        (lambda: F.nll_loss(Z(3, 4), Z(3)), RuntimeError, "to be Long or Byte, but got Float"),
        (lambda: F.nll_loss(Z(()), T(0)), ValueError, r"Expected 1 or more dimensions \(got 0\)"),
        (lambda: F.nll_loss(Z(3, 4), T([0, 1, 2]), weight=Z(3)), RuntimeError, "defined either for all 4 classes"),
        (lambda: F.nll_loss(Z(3, 4, 2), Z(3, 3).long()), RuntimeError, r"Expected target size \[3, 2\], got \[3, 3\]"),
        (lambda: F.nll_loss(Z(3, 4), T([0, 1, 2]), reduction="foo"), ValueError, "foo is not a valid value for reduction"),
        (lambda: F.nll_loss(Z(3, 4).long(), T([0, 1, 2])), NotImplementedError, "not implemented for 'Long'"),
        (lambda: F.cross_entropy(Z(3, 4), T([0, 1, 5])), IndexError, "Target 5 is out of bounds."),
        (lambda: F.cross_entropy(Z(3, 4), Z(3, 5)), RuntimeError, "0D or 1D target tensor expected"),
        (lambda: F.cross_entropy(Z(3, 4), Z(3, 4).long()), RuntimeError, "class probabilities, got Long"),
        (lambda: F.cross_entropy(Z(3, 4), T([0, 1, 2]), label_smoothing=2.0), RuntimeError, "between 0.0 and 1.0. Got: 2"),
        (lambda: F.cross_entropy(Z(3, 4), Z(3, 4), ignore_index=0), RuntimeError, "not supported for floating point target"),
        (lambda: F.cross_entropy(3, T([0])), TypeError, "must be Tensor, not int"),
        (lambda: F.mse_loss(Z(3).long(), Z(3).long()), NotImplementedError, "\"mse_cpu\" not implemented for 'Long'"),
        (lambda: F.smooth_l1_loss(Z(3), Z(3), beta=-1), RuntimeError, "does not support negative values for beta"),
        (lambda: F.huber_loss(Z(3), Z(3), delta=0), RuntimeError, "does not support non-positive values for delta"),
        (lambda: F.binary_cross_entropy(Z(3) + 2, Z(3)), RuntimeError, "all elements of input should be between 0 and 1"),
        (lambda: F.binary_cross_entropy(Z(3), Z(3) + 2), RuntimeError, "all elements of target should be between 0 and 1"),
        (lambda: F.binary_cross_entropy(Z(3), Z(2)), ValueError, "is deprecated. Give both the same size"),
        (lambda: F.binary_cross_entropy(Z(3), Z(3).double()), RuntimeError, "Found dtype Double but expected Float"),
        (lambda: F.binary_cross_entropy_with_logits(Z(3), Z(2)), ValueError, "must be the same as input size"),
        (lambda: F.kl_div(Z(3).long(), Z(3).long(), reduction="sum"), RuntimeError, "Integral inputs not supported"),
    ],
)  # fmt: skip
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("name", ["mse_loss", "l1_loss", "huber_loss"])
def test_weights(name):
    function = getattr(F, name)
    x, y, w = rand(2, 3), rand(2, 3, seed=1), rand(2, 3, seed=2, low=0.5)
    each = function(torch.tensor(x), torch.tensor(y), reduction="none").numpy()
    args = [torch.tensor(a) for a in (x, y)]
    # PyTorch's huber_loss divides by the number of elements, its other losses by the sum of the weights
    total = w.size if name == "huber_loss" else w.sum()
    np.testing.assert_allclose(function(*args, weight=torch.tensor(w)).item(), (each * w).sum() / total)
    np.testing.assert_allclose(
        function(*args, weight=torch.tensor(w), reduction="sum").item(), (each * w).sum()
    )
    with pytest.raises(ValueError, match="Weights and input must have the same size."):
        function(*args, weight=torch.ones(3))


@pytest.mark.parametrize("name", ["mse_loss", "smooth_l1_loss", "huber_loss"])
def test_inference_tensors_of_another_dtype_cannot_be_saved_either(name):
    with torch.inference_mode():
        target = torch.tensor([1, 2])
    assert getattr(F, name)(torch.zeros(2), target).item() > 0
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        getattr(F, name)(torch.zeros(2, requires_grad=True), target)
