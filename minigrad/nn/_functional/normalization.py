"""Normalisation: what ``nn.functional`` checks before the operators do their work."""

import math
from collections.abc import Sequence

from ..._api import Tensor, _normalize

local_response_norm = _normalize.local_response_norm
normalize = _normalize.normalize


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise over the last dimensions, of sizes ``normalized_shape``: ``(input - mean) / sqrt(variance + eps) * weight + bias``.

    Shape and dtype are kept. Raises RuntimeError for sizes that do not fit. [Ba et al. 2016]

    >>> import minigrad
    >>> minigrad.nn.functional.layer_norm(minigrad.tensor([1., 3.]), [2], eps=0.)
    tensor([-1.,  1.])
    """
    return _normalize.layer_norm(input, normalized_shape, weight, bias, eps)


def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divide by the root mean square over the last dimensions, of sizes ``normalized_shape``: ``input / sqrt(mean of input² + eps) * weight``.

    ``eps`` defaults to the machine epsilon of the dtype. Raises RuntimeError for sizes that do not fit. [Zhang and Sennrich 2019]

    >>> import minigrad
    >>> minigrad.nn.functional.rms_norm(minigrad.tensor([[3., 4.]]), (2,))
    tensor([[0.8485, 1.1314]])
    """
    return _normalize.rms_norm(input, normalized_shape, weight, eps)


def _several_per_channel(shape):
    if shape[0] * math.prod(shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {shape}")


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each of ``num_groups`` groups of channels of (N, C, ...): ``(input - mean) / sqrt(variance + eps) * weight + bias``.

    Raises RuntimeError for sizes that do not fit, ValueError if a group has one value only. [Wu and He 2018]

    >>> import minigrad
    >>> minigrad.nn.functional.group_norm(minigrad.tensor([[[1., 3.], [10., 30.]]]), num_groups=2)
    tensor([[[-1.0000,  1.0000],
             [-1.0000,  1.0000]]])
    """
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    n, c, *rest = input.size()
    _several_per_channel([n * c // num_groups, num_groups, *rest])
    return _normalize.group_norm(input, num_groups, weight, bias, eps)


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each channel of (N, C, ...): ``(input - mean) / sqrt(variance + eps) * weight + bias``.

    If ``training``, mean and variance are those of the input, and the running statistics, if given, move towards them by the factor
    ``momentum``; otherwise the running statistics are used. Raises RuntimeError for sizes that do not fit, ValueError if a channel has
    one value only. [Ioffe and Szegedy 2015]

    >>> import minigrad
    >>> minigrad.nn.functional.batch_norm(minigrad.tensor([[1., 10.], [3., 30.]]), None, None, training=True)
    tensor([[-1.0000, -1.0000],
            [ 1.0000,  1.0000]])
    """
    if training:
        _several_per_channel(input.size())
        if eps <= 0.0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    elif eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return _normalize.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, False
    )


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each channel of each sample of (N, C, ...) separately; see ``batch_norm``.

    Raises ValueError if a channel has one value only. [Ulyanov et al. 2016]

    >>> import minigrad
    >>> minigrad.nn.functional.instance_norm(minigrad.tensor([[[1., 3.], [10., 30.]]]))
    tensor([[[-1.0000,  1.0000],
             [-1.0000,  1.0000]]])
    """
    if use_input_stats and math.prod(input.size()[2:]) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    return _normalize.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False
    )
