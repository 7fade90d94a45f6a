"""Functions of neural networks: layers as functions of their parameters, activation functions, losses."""

import warnings

from .._api import Tensor, _activation, _loss, _matmul, broadcast_tensors
from .._api import alpha_dropout as _alpha_dropout
from .._api import alpha_dropout_ as _alpha_dropout_
from .._api import bilinear as bilinear
from .._api import celu as _celu
from .._api import celu_ as celu_
from .._api import dropout as _dropout
from .._api import dropout_ as _dropout_
from .._api import feature_alpha_dropout as _feature_alpha_dropout
from .._api import feature_alpha_dropout_ as _feature_alpha_dropout_
from .._api import feature_dropout as _feature_dropout
from .._api import feature_dropout_ as _feature_dropout_
from .._api import hardshrink as hardshrink
from .._api import log_softmax as _log_softmax
from .._api import prelu as prelu
from .._api import relu as _relu
from .._api import relu_ as relu_
from .._api import rrelu as _rrelu
from .._api import rrelu_ as rrelu_
from .._api import selu as _selu
from .._api import selu_ as selu_
from .._api import sigmoid as _sigmoid
from .._api import softmax as _softmax
from .._api import tanh as _tanh
from .._api import threshold as _threshold
from .._api import threshold_ as threshold_

linear = _matmul.linear
elu_ = _activation.elu_
gelu = _activation.gelu
hardtanh_ = _activation.hardtanh_
leaky_relu_ = _activation.leaky_relu_
logsigmoid = _activation.logsigmoid
softplus = _activation.softplus
softshrink = _activation.softshrink
softsign = _activation.softsign
tanhshrink = _activation.tanhshrink


# Activation functions ------------------------------------------------------------------------------------------------------


def relu(input, inplace=False) -> Tensor:
    """``max(input, 0)``.

    >>> import minigrad
    >>> minigrad.nn.functional.relu(minigrad.tensor([-1., 2.]))
    tensor([0., 2.])
    """
    return relu_(input) if inplace else _relu(input)


def relu6(input, inplace=False) -> Tensor:
    """``input`` within 0 and 6."""
    return _activation.relu6_(input) if inplace else _activation.relu6(input)


def leaky_relu(input, negative_slope=0.01, inplace=False) -> Tensor:
    """``input`` where it is positive, else ``negative_slope * input``."""
    return leaky_relu_(input, negative_slope) if inplace else _activation.leaky_relu(input, negative_slope)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False) -> Tensor:
    """``input`` where it is positive, else times a random number of [``lower``, ``upper``), or their mean unless ``training``."""
    return rrelu_(input, lower, upper, training) if inplace else _rrelu(input, lower, upper, training)


def elu(input, alpha=1.0, inplace=False) -> Tensor:
    """``input`` where it is positive, else ``alpha * (exp(input) - 1)``."""
    return elu_(input, alpha) if inplace else _activation.elu(input, alpha)


def celu(input, alpha=1.0, inplace=False) -> Tensor:
    """``input`` where it is positive, else ``alpha * (exp(input / alpha) - 1)``."""
    return celu_(input, alpha) if inplace else _celu(input, alpha)


def selu(input, inplace=False) -> Tensor:
    """``scale * elu(input, alpha)`` with the constants that keep mean 0 and variance 1."""
    return selu_(input) if inplace else _selu(input)


def silu(input, inplace=False) -> Tensor:
    """``input * sigmoid(input)``."""
    return _activation.silu_(input) if inplace else _activation.silu(input)


def mish(input, inplace=False) -> Tensor:
    """``input * tanh(softplus(input))``."""
    return _activation.mish_(input) if inplace else _activation.mish(input)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False) -> Tensor:
    """``input`` within the limits; raises ValueError if they are in the wrong order."""
    return hardtanh_(input, min_val, max_val) if inplace else _activation.hardtanh(input, min_val, max_val)


def hardsigmoid(input, inplace=False) -> Tensor:
    """``(input + 3) / 6`` within 0 and 1."""
    return _activation.hardsigmoid_(input) if inplace else _activation.hardsigmoid(input)


def hardswish(input, inplace=False) -> Tensor:
    """``input * hardsigmoid(input)``."""
    return _activation.hardswish_(input) if inplace else _activation.hardswish(input)


def threshold(input, threshold, value, inplace=False) -> Tensor:
    """``input`` where it is greater than ``threshold``, else ``value``."""
    return threshold_(input, threshold, value) if inplace else _threshold(input, threshold, value)


def glu(input, dim=-1) -> Tensor:
    """The first half of ``input`` along ``dim`` times the sigmoid of the second."""
    return _activation.glu(input, dim)


def sigmoid(input) -> Tensor:
    """``1 / (1 + exp(-input))``."""
    return _sigmoid(input)


def tanh(input) -> Tensor:
    """The hyperbolic tangent."""
    return _tanh(input)


def _implied_dim(name, ndim, stacklevel):
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None) -> Tensor:
    """``exp(input)`` divided by its sum along ``dim``."""
    if dim is None:
        dim = _implied_dim("softmax", input.dim(), _stacklevel)
    return _softmax(input, dim) if dtype is None else _softmax(input, dim, dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None) -> Tensor:
    """``softmax(-input)``."""
    if dim is None:
        dim = _implied_dim("softmin", input.dim(), _stacklevel)
    return _softmax(-input, dim) if dtype is None else _softmax(-input, dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None) -> Tensor:
    """The logarithm of ``softmax(input)``."""
    if dim is None:
        dim = _implied_dim("log_softmax", input.dim(), _stacklevel)
    return _log_softmax(input, dim) if dtype is None else _log_softmax(input, dim, dtype=dtype)


# Dropout -------------------------------------------------------------------------------------------------------------------


def _check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input, p=0.5, training=True, inplace=False) -> Tensor:
    """``input`` with elements set to 0 with probability ``p``, the others scaled by ``1 / (1 - p)``; itself unless ``training``.

    Raises ValueError for a ``p`` that is no probability.
    """
    _check_probability(p)
    return _dropout_(input, p, training) if inplace else _dropout(input, p, training)


def alpha_dropout(input, p=0.5, training=False, inplace=False) -> Tensor:
    """Dropout for networks of ``selu``: dropped elements become the limit of ``selu``, and mean and variance stay."""
    _check_probability(p)
    return _alpha_dropout_(input, p, training) if inplace else _alpha_dropout(input, p, training)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False) -> Tensor:
    """As ``alpha_dropout``, for whole channels: ``(N, C, ...)``."""
    _check_probability(p)
    return (
        _feature_alpha_dropout_(input, p, training) if inplace else _feature_alpha_dropout(input, p, training)
    )


def dropout1d(input, p=0.5, training=True, inplace=False) -> Tensor:
    """As ``dropout``, for whole channels: ``(N, C, L)`` or ``(C, L)``."""
    _check_probability(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that dropout1d exists to provide "
            "channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. "
            "2D or 3D inputs)."
        )
    return _unbatched(input, 2, p, training, inplace)


def _unbatched(input, ndim, p, training, inplace):
    """Channel dropout of an input that has no batch axis if it has only ``ndim`` axes."""
    drop = _feature_dropout_ if inplace else _feature_dropout
    if input.dim() != ndim:
        return drop(input, p, training)
    dropped = drop(input.unsqueeze_(0) if inplace else input.unsqueeze(0), p, training)
    return dropped.squeeze_(0) if inplace else dropped.squeeze(0)


def dropout2d(input, p=0.5, training=True, inplace=False) -> Tensor:
    """As ``dropout``, for whole channels: ``(N, C, H, W)``."""
    _check_probability(p)
    if input.dim() not in (3, 4):
        warnings.warn(
            f"dropout2d: Received a {input.dim()}-D input to dropout2d, which is deprecated and will result in an error in a "
            "future release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout2d "
            "exists to provide channel-wise dropout on inputs with 2 spatial dimensions, a channel dimension, and an optional "
            "batch dimension (i.e. 3D or 4D inputs).",
            stacklevel=2,
        )
    if input.dim() == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input "
            "is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to "
            "interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout "
            "behavior, please switch to using dropout1d instead.",
            stacklevel=2,
        )
    return _feature_dropout_(input, p, training) if inplace else _feature_dropout(input, p, training)


def dropout3d(input, p=0.5, training=True, inplace=False) -> Tensor:
    """As ``dropout``, for whole channels: ``(N, C, D, H, W)`` or ``(C, D, H, W)``."""
    _check_probability(p)
    if input.dim() not in (4, 5):
        warnings.warn(
            f"dropout3d: Received a {input.dim()}-D input to dropout3d, which is deprecated and will result in an error in a "
            "future release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout3d "
            "exists to provide channel-wise dropout on inputs with 3 spatial dimensions, a channel dimension, and an optional "
            "batch dimension (i.e. 4D or 5D inputs).",
            stacklevel=2,
        )
    return _unbatched(input, 4, p, training, inplace)


# Losses --------------------------------------------------------------------------------------------------------------------

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _reduction(name, size_average=None, reduce=None):
    """PyTorch's number of a reduction, given its name or the deprecated flags."""
    if size_average is not None or reduce is not None:
        name = "none" if reduce is False else "mean" if size_average in (None, True) else "sum"
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.",
            stacklevel=3,
        )
    if name == "elementwise_mean":
        warnings.warn(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=3
        )
        return 1
    number = _REDUCTIONS.get(name)
    if number is None:
        raise ValueError(f"{name} is not a valid value for reduction")
    return number


def _same_size(input, target):
    """Both tensors, broadcast if their sizes differ, which gives a warning."""
    if input._array.shape == target._array.shape:
        return input, target
    warnings.warn(
        f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will likely lead "
        "to incorrect results due to broadcasting. Please ensure they have the same size.",
        stacklevel=3,
    )
    return broadcast_tensors(input, target)


def _weighted(errors, weight, input, reduction):
    """Errors times weights, reduced: the mean is the sum divided by the sum of the weights."""
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    weighted = errors * weight
    if reduction == 0:
        return weighted
    return weighted.sum() if reduction == 2 else weighted.sum() / weight.sum()


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None) -> Tensor:
    """``(input - target) ** 2``, reduced.

    >>> import minigrad
    >>> minigrad.nn.functional.mse_loss(minigrad.tensor([1., 2.]), minigrad.tensor([1., 4.]))
    tensor(2.)
    """
    number = _reduction(reduction, size_average, reduce)
    input, target = _same_size(input, target)
    if weight is not None:
        return _weighted((input - target) ** 2, weight, input, number)
    return _loss.mse_loss(input, target, number)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None) -> Tensor:
    """``|input - target|``, reduced."""
    number = _reduction(reduction, size_average, reduce)
    input, target = _same_size(input, target)
    if weight is not None:
        return _weighted((input - target).abs(), weight, input, number)
    return _loss.l1_loss(input, target, number)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0) -> Tensor:
    """``|input - target| - beta / 2``, or ``(input - target) ** 2 / (2 * beta)`` where the difference is below ``beta``; reduced."""
    number = _reduction(reduction, size_average, reduce)
    input, target = _same_size(input, target)
    return _loss.smooth_l1_loss(input, target, number, beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None) -> Tensor:
    """``delta * (|input - target| - delta / 2)``, or half the square of the difference up to ``delta``; reduced."""
    number = _reduction(reduction)
    input, target = _same_size(input, target)
    if weight is not None:
        return _weighted(_loss.huber_loss(input, target, 0, delta), weight, input, number)
    return _loss.huber_loss(input, target, number, delta)


def binary_cross_entropy(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
) -> Tensor:
    """The cross entropy of probabilities ``input`` and ``target``, each of two classes; reduced.

    Raises RuntimeError for values that are no probabilities.
    """
    number = _reduction(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. "
            "Please ensure they have the same size."
        )
    if weight is not None:
        weight = weight.expand(_broadcast_shape(weight, target))
    return _loss.binary_cross_entropy(input, target, weight, number)


def _broadcast_shape(weight, target):
    shape = target.size()
    for back in range(1, weight.dim() + 1):
        size = shape[-back] if back <= len(shape) else 1
        if weight.size(-back) not in (1, size):
            raise RuntimeError(
                f"Attempting to broadcast a dimension of length {weight.size(-back)} at -{back}! Mismatching argument at "
                f"index 1 had {weight.size()}; but expected shape should be broadcastable to {list(shape)}"
            )
    return shape


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
) -> Tensor:
    """As ``binary_cross_entropy`` of ``sigmoid(input)``, without its rounding errors; ``pos_weight`` weighs the first class."""
    number = _reduction(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return _loss.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False) -> Tensor:
    """``target * (log(target) - input)``, reduced; ``"batchmean"`` divides the sum by the size of the first axis."""
    if size_average is None and reduce is None and reduction == "batchmean":
        total = _loss.kl_div(input, target, 2, log_target)
        return total / input.size()[0] if input.dim() else total
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by "
            "the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' "
            "in the next major release.",
            stacklevel=2,
        )
    return _loss.kl_div(input, target, _reduction(reduction, size_average, reduce), log_target)


def nll_loss(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
) -> Tensor:
    """Minus the elements of ``input`` (N, C, ...) at the classes ``target`` (N, ...), weighted and reduced.

    Raises IndexError for a target that is no class.
    """
    return _loss.nll_loss(input, target, weight, _reduction(reduction, size_average, reduce), ignore_index)


def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
) -> Tensor:
    """The cross entropy of ``softmax(input)`` and ``target``: classes (N, ...), or probabilities in the shape of ``input`` (N, C, ...).

    Raises IndexError for a target that is no class.

    >>> import minigrad
    >>> minigrad.nn.functional.cross_entropy(minigrad.zeros(2, 4), minigrad.tensor([0, 3]))
    tensor(1.3863)
    """
    number = _reduction(reduction, size_average, reduce)
    if not isinstance(input, Tensor):
        raise TypeError(
            f"cross_entropy_loss(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
        )
    return _loss.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)
