"""Functions of neural networks: layers as functions of their parameters, activation functions, losses."""

import warnings
from typing import Any as _Any

from .._api import Tensor, _activation, _composites, _lazy, _level_of_user, _linear
from .._api import alpha_dropout as _alpha_dropout
from .._api import alpha_dropout_ as _alpha_dropout_
from .._api import bilinear as bilinear
from .._api import celu as _celu
from .._api import celu_ as celu_
from .._api import contiguous_format as _contiguous_format
from .._api import dropout as _dropout
from .._api import dropout_ as _dropout_
from .._api import dtype as _dtype
from .._api import empty_like as _empty_like
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
from .._api import zeros_like as _zeros_like

linear: _Any = _linear
elu_: _Any = _activation.elu_
gelu: _Any = _activation.gelu
hardtanh_: _Any = _activation.hardtanh_
leaky_relu_: _Any = _activation.leaky_relu_
logsigmoid: _Any = _activation.logsigmoid
softplus: _Any = _activation.softplus
softshrink: _Any = _activation.softshrink
softsign: _Any = _activation.softsign
tanhshrink: _Any = _activation.tanhshrink


# Activation functions ------------------------------------------------------------------------------------------------------


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Replace negative elements by zero: ``max(input, 0)``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.relu(minigrad.tensor([-1., 2.]))
    tensor([0., 2.])
    """
    return relu_(input) if inplace else _relu(input)


@_composites.composite
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Clamp each element to [0, 6].

    Any shape and real dtype; activation functions with exponentials need floating-point dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.relu6(minigrad.tensor([-1., 3., 9.]))
    tensor([0., 3., 6.])
    """
    return _activation.relu6_(input) if inplace else _activation.relu6(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Multiply negative elements by ``negative_slope``, and keep the others.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.leaky_relu(minigrad.tensor([-1., 2.]), 0.1)
    tensor([-0.1000,  2.0000])
    """
    return leaky_relu_(input, negative_slope) if inplace else _activation.leaky_relu(input, negative_slope)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Multiply negative elements by a random slope from [``lower``, ``upper``), or by the mean of the two unless ``training``.

    >>> import minigrad
    >>> minigrad.nn.functional.rrelu(minigrad.tensor([-4.8, 2.]))
    tensor([-1.1000,  2.0000])
    """
    return rrelu_(input, lower, upper, training) if inplace else _rrelu(input, lower, upper, training)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Replace negative elements by ``alpha * (exp(input) - 1)``, and keep the others. [Clevert et al. 2016]

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.elu(minigrad.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
    return elu_(input, alpha) if inplace else _activation.elu(input, alpha)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Replace negative elements by ``alpha * (exp(input / alpha) - 1)``, and keep the others. [Barron 2017]

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.celu(minigrad.tensor([-1., 2.]), alpha=2.)
    tensor([-0.7869,  2.0000])
    """
    return celu_(input, alpha) if inplace else _celu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Compute ``scale * elu(input, alpha)`` with the two constants that keep mean 0 and variance 1 from layer to layer. [Klambauer et al. 2017]

    >>> import minigrad
    >>> minigrad.nn.functional.selu(minigrad.tensor([-1., 2.]))
    tensor([-1.1113,  2.1014])
    """
    return selu_(input) if inplace else _selu(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Multiply each element by its sigmoid: ``input * sigmoid(input)``, also called Swish.

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.silu(minigrad.tensor([-1., 0., 2.]))
    tensor([-0.2689,  0.0000,  1.7616])
    """
    return _activation.silu_(input) if inplace else _activation.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Compute ``input * tanh(softplus(input))`` elementwise. [Misra 2019]

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.mish(minigrad.tensor([-1., 0., 2.]))
    tensor([-0.3034,  0.0000,  1.9440])
    """
    return _activation.mish_(input) if inplace else _activation.mish(input)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Clamp each element to [``min_val``, ``max_val``]; raise ValueError if they are in the wrong order.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.hardtanh(minigrad.tensor([-3., 0.5, 3.]))
    tensor([-1.0000,  0.5000,  1.0000])
    """
    if inplace:
        _activation.check_order(min_val, max_val)
        return hardtanh_(input, min_val, max_val)
    return _activation.hardtanh(input, min_val, max_val)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """Approximate the sigmoid by a straight line: ``(input + 3) / 6``, clamped to [0, 1].

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.hardsigmoid(minigrad.tensor([-3., 0., 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """
    return _activation.hardsigmoid_(input) if inplace else _activation.hardsigmoid(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Compute ``input * hardsigmoid(input)`` elementwise. [Howard et al. 2019]

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.hardswish(minigrad.tensor([-3., 0., 3.]))
    tensor([-0., 0., 3.])
    """
    return _activation.hardswish_(input) if inplace else _activation.hardswish(input)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Keep elements greater than ``threshold``, and replace the others by ``value``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.threshold(minigrad.tensor([-1., 0.5, 3.]), 1., 9.)
    tensor([9., 9., 3.])
    """
    return threshold_(input, threshold, value) if inplace else _threshold(input, threshold, value)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Split ``input`` in two halves along ``dim``, and multiply the first by the sigmoid of the second. [Dauphin et al. 2017]

    The dimension must be even; it is halved.

    >>> import minigrad
    >>> minigrad.nn.functional.glu(minigrad.tensor([1., 2., 0., 0.]))
    tensor([0.5000, 1.0000])
    """
    return _activation.glu(input, dim)


def sigmoid(input: Tensor) -> Tensor:
    """Map each element into (0, 1): ``1 / (1 + exp(-input))``.

    Keeps the shape and dtype, but integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.sigmoid(minigrad.tensor([0., 2.]))
    tensor([0.5000, 0.8808])
    """
    return _sigmoid(input)


def tanh(input: Tensor) -> Tensor:
    """Compute the hyperbolic tangent of each element.

    Keeps the shape and dtype, but integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.tanh(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """
    return _tanh(input)


def _implied_dim(name, ndim, stacklevel):
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """Scale the exponentials of the elements so that they sum to 1 along ``dim``.

    The shape of ``input``, in ``dtype`` if it is given.

    >>> import minigrad
    >>> minigrad.nn.functional.softmax(minigrad.tensor([0., 0., 1.]), dim=0)
    tensor([0.2119, 0.2119, 0.5761])
    """
    if dim is None:
        dim = _implied_dim("softmax", input.dim(), _stacklevel)
    return _softmax(input, dim) if dtype is None else _softmax(input, dim, dtype=dtype)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """Compute the softmax of ``-input``: the smallest element gets the largest value.

    The shape of ``input``, in ``dtype`` if it is given.

    >>> import minigrad
    >>> minigrad.nn.functional.softmin(minigrad.tensor([0., 0., 1.]), dim=0)
    tensor([0.4223, 0.4223, 0.1554])
    """
    if dim is None:
        dim = _implied_dim("softmin", input.dim(), _stacklevel)
    return _softmax(-input, dim) if dtype is None else _softmax(-input, dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """Compute the logarithm of ``softmax(input)`` along ``dim``, without overflow.

    The shape of ``input``, in ``dtype`` if it is given.

    >>> import minigrad
    >>> minigrad.nn.functional.log_softmax(minigrad.tensor([0., 0., 1.]), dim=0)
    tensor([-1.5514, -1.5514, -0.5514])
    """
    if dim is None:
        dim = _implied_dim("log_softmax", input.dim(), _stacklevel)
    return _log_softmax(input, dim) if dtype is None else _log_softmax(input, dim, dtype=dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """Draw a differentiable sample: the softmax of ``(logits + noise) / tau`` along ``dim``, with Gumbel noise. [Jang et al. 2017]

    With ``hard`` the sample is the one-hot vector of its largest element, with the gradient of the softmax. ``eps`` has no effect.

    >>> import minigrad
    >>> minigrad.nn.functional.gumbel_softmax(minigrad.zeros(4, 3), hard=True).sum(-1)
    tensor([1., 1., 1., 1.])
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=_level_of_user())
    noise = -_empty_like(logits, memory_format=_contiguous_format).exponential_().log()
    soft = _softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    largest = soft.max(dim, keepdim=True).indices
    one_hot = _zeros_like(logits, memory_format=_contiguous_format).scatter_(dim, largest, 1.0)
    return one_hot - soft.detach() + soft


# Dropout -------------------------------------------------------------------------------------------------------------------


def _check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set elements to zero with probability ``p``, and scale the others by ``1 / (1 - p)``; return ``input`` itself unless ``training``.

    Shape and dtype are kept. Raises ValueError if ``p`` is not a probability.

    >>> import minigrad
    >>> minigrad.nn.functional.dropout(minigrad.tensor([1., 2.]), training=False)
    tensor([1., 2.])
    >>> x = minigrad.nn.functional.dropout(minigrad.ones(100))
    >>> ((x == 0) | (x == 2)).all()
    tensor(True)
    """
    _check_probability(p)
    return _dropout_(input, p, training) if inplace else _dropout(input, p, training)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Apply dropout for networks with ``selu``: dropped elements take its lower limit, and mean and variance are preserved.

    >>> import minigrad
    >>> minigrad.nn.functional.alpha_dropout(minigrad.tensor([1., 2.]), training=False)
    tensor([1., 2.])
    """
    _check_probability(p)
    return _alpha_dropout_(input, p, training) if inplace else _alpha_dropout(input, p, training)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Apply ``alpha_dropout`` to whole channels of ``(N, C, ...)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.feature_alpha_dropout(minigrad.ones(1, 9, 2), training=True)
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
    _check_probability(p)
    return (
        _feature_alpha_dropout_(input, p, training) if inplace else _feature_alpha_dropout(input, p, training)
    )


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Apply ``dropout`` to whole channels of ``(N, C, L)`` or ``(C, L)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.dropout1d(minigrad.ones(9, 2))
    >>> (x[:, 0] == x[:, 1]).all()
    tensor(True)
    """
    _check_probability(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. It drops whole channels of an input "
            "(N, C, L) or (C, L)."
        )
    return _drop_channels(input, 3, p, training, inplace)


def _drop_channels(input, ndim, p, training, inplace):
    """Drop whole channels; an input of other than ``ndim`` dimensions is one without a batch."""
    drop = _feature_dropout_ if inplace else _feature_dropout
    if input.dim() == ndim:
        return drop(input, p, training)
    dropped = drop(input.unsqueeze_(0) if inplace else input.unsqueeze(0), p, training)
    return dropped.squeeze_(0) if inplace else dropped.squeeze(0)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Apply ``dropout`` to whole channels of ``(N, C, H, W)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.dropout2d(minigrad.ones(1, 9, 1, 2))
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
    _check_probability(p)
    if input.dim() not in (3, 4):
        warnings.warn(
            f"dropout2d: Received a {input.dim()}-D input to dropout2d, which is deprecated and will result in an error in "
            "a future release. It drops whole channels of an input (N, C, H, W) or (C, H, W); use dropout for single "
            "elements.",
            stacklevel=_level_of_user(),
        )
    if input.dim() == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - "
            "input is interpreted as shape (N, C, L), where C is the channel dim. In a future release it will be read as "
            "(C, H, W); dropout1d keeps this reading.",
            stacklevel=_level_of_user(),
        )
    return _feature_dropout_(input, p, training) if inplace else _feature_dropout(input, p, training)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Apply ``dropout`` to whole channels of ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.dropout3d(minigrad.ones(1, 9, 1, 1, 2))
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
    _check_probability(p)
    if input.dim() not in (4, 5):
        warnings.warn(
            f"dropout3d: Received a {input.dim()}-D input to dropout3d, which is deprecated and will result in an error in "
            "a future release. It drops whole channels of an input (N, C, D, H, W) or (C, D, H, W); use dropout for single "
            "elements.",
            stacklevel=_level_of_user(),
        )
    return _drop_channels(input, 5, p, training, inplace)


# Imported when first used ----------------------------------------------------------------------------------------

_later = _lazy.places(
    {
        "_ops.attention": "scaled_dot_product_attention",
        "_api": (
            "adaptive_avg_pool1d avg_pool1d channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d "
            "conv_transpose3d cosine_similarity max_pool1d_with_indices native_channel_shuffle pairwise_distance pdist "
            "pixel_shuffle pixel_unshuffle"
        ),
        "_ops.embedding": "one_hot",
        "_ops.normalize": "local_response_norm normalize",
        "nn._functional.attention": "_canonical_mask _none_or_dtype multi_head_attention_forward",
        "nn._functional.embeddings": "embedding embedding_bag",
        "nn._functional.products": "grouped_mm",
        "nn._functional.losses": (
            "binary_cross_entropy binary_cross_entropy_with_logits cosine_embedding_loss cross_entropy ctc_loss "
            "gaussian_nll_loss hinge_embedding_loss huber_loss kl_div l1_loss linear_cross_entropy margin_ranking_loss "
            "mse_loss multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss nll_loss poisson_nll_loss "
            "smooth_l1_loss soft_margin_loss triplet_margin_loss triplet_margin_with_distance_loss"
        ),
        "nn._functional.private_names": (
            "_check_key_padding_mask _check_unpool_output_size _get_softmax_dim _in_projection _in_projection_packed "
            "_is_integer _list_with_default _mha_shape_check _no_grad_embedding_renorm_ _unpool_output_size "
            "_verify_batch_size _verify_spatial_size assert_int_or_pair"
        ),
        "nn.modules.utils": "_pair _single _triple",
        "nn._reduction": "_Reduction=",
        "_jit_internal": "boolean_dispatch",
        "overrides": (
            "handle_torch_function has_torch_function has_torch_function_unary has_torch_function_variadic"
        ),
        "nn._functional.normalization": "batch_norm group_norm instance_norm layer_norm rms_norm",
        "_ops.image": "affine_grid grid_sample interpolate upsample upsample_bilinear upsample_nearest",
        "_ops.padding": "fold pad unfold",
        "_ops.avg_pooling": (
            "adaptive_avg_pool2d adaptive_avg_pool3d avg_pool2d avg_pool3d lp_pool1d lp_pool2d lp_pool3d"
        ),
        "_ops.max_pooling": (
            "adaptive_max_pool1d=choosing_adaptive_max_pool1d adaptive_max_pool1d_with_indices "
            "adaptive_max_pool2d adaptive_max_pool2d_with_indices adaptive_max_pool3d "
            "adaptive_max_pool3d_with_indices fractional_max_pool2d fractional_max_pool2d_with_indices "
            "fractional_max_pool3d fractional_max_pool3d_with_indices max_pool1d=choosing_max_pool1d "
            "max_pool2d=choosing_max_pool2d max_pool2d_with_indices "
            "max_pool3d=choosing_max_pool3d max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d"
        ),
    }
)


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


_lazy.publish_all(globals())
