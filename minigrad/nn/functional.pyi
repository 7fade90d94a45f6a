# Written by `python -m tests.generate`: do not edit.
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np

from .._base import return_types as _named_results
from .._base.device import device as _device
from .._base.device import layout as _layout
from .._base.device import memory_format as _memory_format
from .._base.dtypes import dtype as _dtype
from .._base.size import Size as _Size
from .._core.hooks import RemovableHandle
from .._core.node import Node
from .._base.device import Device as _Device
from .._api import Generator
from .._core.tensor import Tensor as Tensor

def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """Take the means of ``output_size`` windows that cover the last dimension of ``(N, C, L)`` or ``(C, L)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.adaptive_avg_pool1d(minigrad.tensor([[1., 3., 5., 7.]]), 2)
    tensor([[2., 6.]])
    """
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Take the means of windows that cover the last two dimensions of ``(N, C, H, W)`` or ``(C, H, W)``; None keeps a dimension.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_avg_pool2d(minigrad.arange(8.).view(1, 2, 4), (1, 2))
    tensor([[[2.5000, 4.5000]]])
    """
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Take the means of windows that cover the last three dimensions of ``(N, C, D, H, W)`` or ``(C, D, H, W)``; None keeps a dimension.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_avg_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 1)
    tensor([[[[3.5000]]]])
    """
def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: Any = False) -> Tensor:
    """Take the maxima of windows that cover the last dimension, with ``return_indices`` also their indices.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool1d(minigrad.tensor([[1., 5., 7., 2.]]), 2)
    tensor([[5., 7.]])
    """
def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Any, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """Take the maxima of windows that cover the last dimension; return ``(values, indices)``.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool1d_with_indices(minigrad.tensor([[1., 5., 7., 2.]]), 2)
    (tensor([[5., 7.]]), tensor([[1, 2]]))
    """
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: Any = False) -> Tensor:
    """Take the maxima of windows that cover the last two dimensions, with ``return_indices`` also their indices.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool2d(minigrad.tensor([[[1., 5.], [7., 2.]]]), (None, 1))
    tensor([[[5.],
             [7.]]])
    """
def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Any, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """Take the maxima of windows that cover the last two dimensions; return ``(values, indices)``.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool2d_with_indices(minigrad.tensor([[[1., 5.], [7., 2.]]]), 1)
    (tensor([[[7.]]]), tensor([[[2]]]))
    """
def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: Any = False) -> Tensor:
    """Take the maxima of windows that cover the last three dimensions, with ``return_indices`` also their indices.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 1)
    tensor([[[[7.]]]])
    """
def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Any, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """Take the maxima of windows that cover the last three dimensions; return ``(values, indices)``.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool3d_with_indices(minigrad.arange(8.).view(1, 2, 2, 2), 1)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
def affine_grid(theta: Any, size: Any, align_corners: Any = None) -> Tensor:
    """Return the sampling points for images of ``size`` (N, C, ...) under the affine maps ``theta``: ``(N, 2, 3)`` or ``(N, 3, 4)``.

    Raises ValueError for maps that do not fit, NotImplementedError for other sizes.

    >>> import minigrad
    >>> minigrad.nn.functional.affine_grid(minigrad.eye(2, 3)[None], (1, 1, 1, 2), align_corners=False).flatten()
    tensor([-0.5000,  0.0000,  0.5000,  0.0000])
    """
def alpha_dropout(input: Tensor, p: builtins.float = ..., training: builtins.bool = False, inplace: builtins.bool = False) -> Tensor:
    """Apply dropout for networks with ``selu``: dropped elements take its lower limit, and mean and variance are preserved.

    >>> import minigrad
    >>> minigrad.nn.functional.alpha_dropout(minigrad.tensor([1., 2.]), training=False)
    tensor([1., 2.])
    """
def assert_int_or_pair(arg: Any, arg_name: Any, message: Any) -> Tensor:
    """Raise AssertionError with ``message``, which mentions the name, unless ``arg`` is an int or has two elements.

    >>> import minigrad
    >>> minigrad.nn.functional.assert_int_or_pair((3, 3), "kernel_size", "{} has to be an int or a pair")
    """
def avg_pool1d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True) -> Tensor:
    """Take the mean of each window: ``(N, C, L)`` or ``(C, L)``; windows are ``stride`` apart, by default their size.

    Zeros of the padding count unless ``count_include_pad`` is False. Raises RuntimeError for sizes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.avg_pool1d(minigrad.tensor([[1., 3., 2., 0.]]), 2)
    tensor([[2., 1.]])
    """
def avg_pool2d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: Any = None, *, out: Any = None) -> Tensor:
    """Take the mean of each window of ``(N, C, H, W)`` or ``(C, H, W)``, or the sum divided by ``divisor_override``; see ``minigrad.avg_pool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.avg_pool2d(minigrad.arange(8.).view(1, 2, 4), 2)
    tensor([[[2.5000, 4.5000]]])
    """
def avg_pool3d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: Any = None, *, out: Any = None) -> Tensor:
    """Take the mean of each window of ``(N, C, D, H, W)`` or ``(C, D, H, W)``, or the sum divided by ``divisor_override``.

    >>> import minigrad
    >>> minigrad.nn.functional.avg_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 2)
    tensor([[[[3.5000]]]])
    """
from ..nn._functional.normalization import batch_norm as batch_norm
def bilinear(input1: Any, input2: Any, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input1 @ weight[k] @ input2 + bias[k]`` for each k: ``(..., n), (..., m), (k, n, m), (k,) -> (..., k)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.bilinear(minigrad.ones(1, 2), minigrad.ones(1, 3), minigrad.ones(4, 2, 3))
    tensor([[6., 6., 6., 6.]])
    """
from ..nn._functional.losses import binary_cross_entropy as binary_cross_entropy
from ..nn._functional.losses import binary_cross_entropy_with_logits as binary_cross_entropy_with_logits
def boolean_dispatch(arg_name: Any, arg_index: Any, default: Any, if_true: Any, if_false: Any, module_name: Any, func_name: Any) -> Tensor:
    """Return a function that calls ``if_true`` or ``if_false``, depending on its argument ``arg_name``.

    >>> import minigrad
    >>> choose = minigrad._jit_internal.boolean_dispatch("up", 1, False, lambda x, up=True: x + 1, lambda x, up=False: x - 1, __name__, "choose")
    >>> choose(1), choose(1, up=True)
    (0, 2)
    """
def celu(input: Tensor, alpha: builtins.float = ..., inplace: builtins.bool = False) -> Tensor:
    """Replace negative elements by ``alpha * (exp(input / alpha) - 1)``, and keep the others. [Barron 2017]

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.celu(minigrad.tensor([-1., 2.]), alpha=2.)
    tensor([-0.7869,  2.0000])
    """
def celu_(input: Tensor, alpha: Any = ...) -> Tensor:
    """In-place version of ``celu``.

    >>> import minigrad
    >>> minigrad.celu_(minigrad.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
def channel_shuffle(input: Tensor, groups: builtins.int) -> Tensor:
    """Divide the channels of ``(N, C, ...)`` into ``groups`` groups, and interleave them: the first of each, the second of each, and so on.

    Raises RuntimeError unless the channels are a multiple of ``groups``.

    >>> import minigrad
    >>> minigrad.channel_shuffle(minigrad.arange(4.).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str | builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> Tensor:
    """Cross-correlate sequences with a kernel: ``(N, C, L)`` or ``(C, L)`` with ``(O, C / groups, K)``; ``padding`` may be "same" or "valid".

    Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.conv1d(minigrad.ones(1, 1, 4), minigrad.ones(1, 1, 3), padding="same")
    tensor([[[2., 3., 3., 2.]]])
    """
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str | builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> Tensor:
    """Cross-correlate images with a kernel: ``(N, C, H, W)`` or ``(C, H, W)`` with ``(O, C / groups, K, L)``; see ``conv1d``.

    >>> import minigrad
    >>> minigrad.conv2d(minigrad.ones(1, 1, 3, 3), minigrad.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str | builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> Tensor:
    """Cross-correlate volumes with a kernel: ``(N, C, D, H, W)`` or ``(C, D, H, W)`` with ``(O, C / groups, J, K, L)``; see ``conv1d``.

    >>> import minigrad
    >>> minigrad.conv3d(minigrad.ones(1, 1, 2, 2, 2), minigrad.ones(1, 1, 2, 2, 2)).flatten()
    tensor([8.])
    """
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: Any = 0) -> Tensor:
    """Cross-correlate sequences with time first: ``(T, N, C)`` with ``(K, C, O)`` and a bias ``(O,)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.conv_tbc(minigrad.ones(3, 1, 1), minigrad.ones(2, 1, 1), minigrad.zeros(1)).flatten()
    tensor([2., 2.])
    """
def conv_transpose1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: Any = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """Apply the transpose (the gradient) of ``conv1d`` to sequences: ``(N, C, L)`` with ``(C, O / groups, K)``.

    Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.conv_transpose1d(minigrad.ones(1, 1, 2), minigrad.ones(1, 1, 2))
    tensor([[[1., 2., 1.]]])
    """
def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: Any = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """Apply the transpose of ``conv2d`` to images; see ``conv_transpose1d``.

    ``input`` is (N, C, H, W) or (C, H, W), ``weight`` (C, C_out
    groups, kH, kW).

    >>> import minigrad
    >>> minigrad.conv_transpose2d(minigrad.ones(1, 1, 1, 1), minigrad.ones(1, 1, 1, 2), stride=2)
    tensor([[[[1., 1.]]]])
    """
def conv_transpose3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: Any = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """Apply the transpose of ``conv3d`` to volumes; see ``conv_transpose1d``.

    ``input`` is (N, C, D, H, W) or (C, D, H, W), ``weight`` (C, C_out
    groups, kD, kH, kW).

    >>> import minigrad
    >>> minigrad.conv_transpose3d(minigrad.ones(1, 1, 1, 1, 1), minigrad.ones(1, 1, 1, 1, 2)).flatten()
    tensor([1., 1.])
    """
from ..nn._functional.losses import cosine_embedding_loss as cosine_embedding_loss
def cosine_similarity(x1: Any, x2: Any, dim: Any = 1, eps: Any = ...) -> Tensor:
    """Return the cosine of the angle between ``x1`` and ``x2`` along ``dim``, with each norm at least ``eps``.

    >>> import minigrad
    >>> minigrad.cosine_similarity(minigrad.tensor([[3., 4.]]), minigrad.tensor([[4., 3.]]))
    tensor([0.9600])
    """
from ..nn._functional.losses import cross_entropy as cross_entropy
from ..nn._functional.losses import ctc_loss as ctc_loss
def dropout(input: Tensor, p: builtins.float = ..., training: builtins.bool = True, inplace: builtins.bool = False) -> Tensor:
    """Set elements to zero with probability ``p``, and scale the others by ``1 / (1 - p)``; return ``input`` itself unless ``training``.

    Shape and dtype are kept. Raises ValueError if ``p`` is not a probability.

    >>> import minigrad
    >>> minigrad.nn.functional.dropout(minigrad.tensor([1., 2.]), training=False)
    tensor([1., 2.])
    >>> x = minigrad.nn.functional.dropout(minigrad.ones(100))
    >>> ((x == 0) | (x == 2)).all()
    tensor(True)
    """
def dropout1d(input: Tensor, p: builtins.float = ..., training: builtins.bool = True, inplace: builtins.bool = False) -> Tensor:
    """Apply ``dropout`` to whole channels of ``(N, C, L)`` or ``(C, L)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.dropout1d(minigrad.ones(9, 2))
    >>> (x[:, 0] == x[:, 1]).all()
    tensor(True)
    """
def dropout2d(input: Tensor, p: builtins.float = ..., training: builtins.bool = True, inplace: builtins.bool = False) -> Tensor:
    """Apply ``dropout`` to whole channels of ``(N, C, H, W)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.dropout2d(minigrad.ones(1, 9, 1, 2))
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
def dropout3d(input: Tensor, p: builtins.float = ..., training: builtins.bool = True, inplace: builtins.bool = False) -> Tensor:
    """Apply ``dropout`` to whole channels of ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.dropout3d(minigrad.ones(1, 9, 1, 1, 2))
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
def elu(input: Tensor, alpha: builtins.float = ..., inplace: builtins.bool = False) -> Tensor:
    """Replace negative elements by ``alpha * (exp(input) - 1)``, and keep the others. [Clevert et al. 2016]

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.elu(minigrad.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
def elu_(input: Tensor, alpha: Any = ..., scale: Any = ..., input_scale: Any = ...) -> Tensor:
    """In-place version of ``elu``.

    >>> import minigrad
    >>> minigrad.nn.functional.elu_(minigrad.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
from ..nn._functional.embeddings import embedding as embedding
from ..nn._functional.embeddings import embedding_bag as embedding_bag
def feature_alpha_dropout(input: Tensor, p: builtins.float = ..., training: builtins.bool = False, inplace: builtins.bool = False) -> Tensor:
    """Apply ``alpha_dropout`` to whole channels of ``(N, C, ...)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.feature_alpha_dropout(minigrad.ones(1, 9, 2), training=True)
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
def fold(input: Tensor, output_size: Any, kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, stride: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """Sum columns into images at their windows, the adjoint of ``unfold``: ``(N, C * k * l, blocks) -> (N, C, H, W)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.fold(minigrad.ones(1, 2, 2), (1, 3), (1, 2)).flatten()
    tensor([1., 2., 1.])
    """
def fractional_max_pool2d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Tensor:
    """Take the maxima of ``output_size`` windows at random positions: ``(N, C, H, W)`` or ``(C, H, W)``. [Graham 2014]

    ``output_ratio`` gives the output size as a fraction of the input's. Raises ValueError without either, RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.fractional_max_pool2d(minigrad.arange(16.).reshape(1, 4, 4), 2, output_size=1).flatten()
    tensor([15.])
    """
def fractional_max_pool2d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> builtins.tuple[Tensor, Tensor]:
    """Take the maxima of windows at random positions; return ``(values, indices)``. See ``fractional_max_pool2d``.

    >>> import minigrad
    >>> values, indices = minigrad.nn.functional.fractional_max_pool2d_with_indices(minigrad.ones(1, 6, 6), 2, output_size=3)
    >>> values.shape, indices.shape
    (torch.Size([1, 3, 3]), torch.Size([1, 3, 3]))
    """
def fractional_max_pool3d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Tensor:
    """Take the maxima of ``output_size`` windows at random positions: ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.functional.fractional_max_pool3d(minigrad.ones(1, 6, 6, 6), 2, output_ratio=0.5).shape
    torch.Size([1, 3, 3, 3])
    """
def fractional_max_pool3d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> builtins.tuple[Tensor, Tensor]:
    """Take the maxima of windows at random positions; return ``(values, indices)``. See ``fractional_max_pool3d``.

    >>> import minigrad
    >>> values, indices = minigrad.nn.functional.fractional_max_pool3d_with_indices(minigrad.ones(1, 6, 6, 6), 2, output_size=3)
    >>> values.shape, indices.shape
    (torch.Size([1, 3, 3, 3]), torch.Size([1, 3, 3, 3]))
    """
from ..nn._functional.losses import gaussian_nll_loss as gaussian_nll_loss
def gelu(input: Tensor, *, approximate: Any = ..., out: Any = None) -> Tensor:
    """Multiply each element by the standard normal distribution function at that element; ``approximate="tanh"`` selects the approximation
    with tanh.

    Any shape; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.gelu(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.1587,  0.0000,  0.8413])
    """
def glu(input: Tensor, dim: builtins.int = -1) -> Tensor:
    """Split ``input`` in two halves along ``dim``, and multiply the first by the sigmoid of the second. [Dauphin et al. 2017]

    The dimension must be even; it is halved.

    >>> import minigrad
    >>> minigrad.nn.functional.glu(minigrad.tensor([1., 2., 0., 0.]))
    tensor([0.5000, 1.0000])
    """
def grid_sample(input: Tensor, grid: Any, mode: Any = ..., padding_mode: Any = ..., align_corners: Any = None) -> Tensor:
    """Sample images ``(N, C, H, W)`` at the points ``(N, ..., 2)`` of ``grid``, or volumes ``(N, C, D, H, W)`` at ``(N, ..., 3)``: (x, y[,
    z]) in [-1, 1].

    ``mode`` is "bilinear", "nearest" or "bicubic"; ``padding_mode``, for points outside, is "zeros", "border" or "reflection". With
    ``align_corners``, -1 and 1 are the centers of the outermost pixels, else their outer edges. Raises ValueError for other modes,
    RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> x, grid = minigrad.tensor([[[[1., 3.]]]]), minigrad.tensor([[[[1., 0.]]]])
    >>> minigrad.nn.functional.grid_sample(x, grid, align_corners=True)
    tensor([[[[3.]]]])
    """
from ..nn._functional.normalization import group_norm as group_norm
from ..nn._functional.products import grouped_mm as grouped_mm
def gumbel_softmax(logits: Tensor, tau: builtins.float = 1, hard: builtins.bool = False, eps: builtins.float = ..., dim: builtins.int = -1) -> Tensor:
    """Draw a differentiable sample: the softmax of ``(logits + noise) / tau`` along ``dim``, with Gumbel noise. [Jang et al. 2017]

    With ``hard`` the sample is the one-hot vector of its largest element, with the gradient of the softmax. ``eps`` has no effect.

    >>> import minigrad
    >>> minigrad.nn.functional.gumbel_softmax(minigrad.zeros(4, 3), hard=True).sum(-1)
    tensor([1., 1., 1., 1.])
    """
from ..overrides import handle_torch_function as handle_torch_function
def hardshrink(input: Tensor, lambd: Any = ..., *, out: Any = None) -> Tensor:
    """Set elements within [``-lambd``, ``lambd``] to zero, and keep the others.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.hardshrink(minigrad.tensor([-1., 0.2, 0.7]))
    tensor([-1.0000,  0.0000,  0.7000])
    """
def hardsigmoid(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """Approximate the sigmoid by a straight line: ``(input + 3) / 6``, clamped to [0, 1].

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.hardsigmoid(minigrad.tensor([-3., 0., 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """
def hardswish(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """Compute ``input * hardsigmoid(input)`` elementwise. [Howard et al. 2019]

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.hardswish(minigrad.tensor([-3., 0., 3.]))
    tensor([-0., 0., 3.])
    """
def hardtanh(input: Tensor, min_val: builtins.float = ..., max_val: builtins.float = ..., inplace: builtins.bool = False) -> Tensor:
    """Clamp each element to [``min_val``, ``max_val``]; raise ValueError if they are in the wrong order.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.hardtanh(minigrad.tensor([-3., 0.5, 3.]))
    tensor([-1.0000,  0.5000,  1.0000])
    """
def hardtanh_(input: Tensor, min_val: Any = ..., max_val: Any = ...) -> Tensor:
    """In-place version of ``hardtanh``.

    >>> import minigrad
    >>> minigrad.nn.functional.hardtanh_(minigrad.tensor([-3., 0.5]))
    tensor([-1.0000,  0.5000])
    """
from ..overrides import has_torch_function as has_torch_function
from ..overrides import has_torch_function_unary as has_torch_function_unary
from ..overrides import has_torch_function_variadic as has_torch_function_variadic
from ..nn._functional.losses import hinge_embedding_loss as hinge_embedding_loss
from ..nn._functional.losses import huber_loss as huber_loss
from ..nn._functional.normalization import instance_norm as instance_norm
def interpolate(input: Tensor, size: Any = None, scale_factor: Any = None, mode: Any = ..., align_corners: Any = None, recompute_scale_factor: Any = None, antialias: Any = False) -> Tensor:
    """Resize images ``(N, C, ...)`` of one to three spatial dimensions to ``size``, or by ``scale_factor``.

    ``mode`` is "nearest", "nearest-exact", "area", or by the number of dimensions "linear", "bilinear", "bicubic", "trilinear". With
    ``antialias`` ("bilinear", "bicubic", "lanczos") a smaller image is filtered. Raises ValueError for arguments that do not fit,
    NotImplementedError for other modes.

    >>> import minigrad
    >>> minigrad.nn.functional.interpolate(minigrad.tensor([[[1., 3.]]]), size=4, mode="linear")
    tensor([[[1.0000, 1.5000, 2.5000, 3.0000]]])
    """
from ..nn._functional.losses import kl_div as kl_div
from ..nn._functional.losses import l1_loss as l1_loss
from ..nn._functional.normalization import layer_norm as layer_norm
def leaky_relu(input: Tensor, negative_slope: builtins.float = ..., inplace: builtins.bool = False) -> Tensor:
    """Multiply negative elements by ``negative_slope``, and keep the others.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.leaky_relu(minigrad.tensor([-1., 2.]), 0.1)
    tensor([-0.1000,  2.0000])
    """
def leaky_relu_(input: Tensor, negative_slope: Any = ...) -> Tensor:
    """In-place version of ``leaky_relu``.

    >>> import minigrad
    >>> minigrad.nn.functional.leaky_relu_(minigrad.tensor([-1., 2.]))
    tensor([-0.0100,  2.0000])
    """
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Any = None) -> Tensor:
    """Compute ``input @ weight.T + bias``: ``(..., k), (m, k), (m,) -> (..., m)``; a 1-dim weight ``(k,)`` gives ``(...,)``.

    Raises RuntimeError for sizes that do not fit or different dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.linear(minigrad.ones(1, 3), minigrad.ones(2, 3), minigrad.tensor([0., 1.]))
    tensor([[3., 4.]])
    """
from ..nn._functional.losses import linear_cross_entropy as linear_cross_entropy
def local_response_norm(input: Tensor, size: Any, alpha: Any = ..., beta: Any = ..., k: Any = ...) -> Tensor:
    """Divide by a power of the mean square over ``size`` neighbouring channels: ``input / (k + alpha * mean) ** beta``, for (N, C, ...).

    Raises ValueError for less than three dimensions. [Krizhevsky et al. 2012]

    >>> import minigrad
    >>> minigrad.nn.functional.local_response_norm(minigrad.ones(1, 3, 1), size=3, alpha=3.)
    tensor([[[0.4387],
             [0.3536],
             [0.4387]]])
    """
def log_softmax(input: Tensor, dim: builtins.int | None = None, _stacklevel: builtins.int = 3, dtype: _dtype | None = None) -> Tensor:
    """Compute the logarithm of ``softmax(input)`` along ``dim``, without overflow.

    The shape of ``input``, in ``dtype`` if it is given.

    >>> import minigrad
    >>> minigrad.nn.functional.log_softmax(minigrad.tensor([0., 0., 1.]), dim=0)
    tensor([-1.5514, -1.5514, -0.5514])
    """
def logsigmoid(input: Tensor, *, out: Any = None) -> Tensor:
    """The logarithm of the sigmoid of each element: z = log(1 / (1 + e⁻ˣ)).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.nn.functional.logsigmoid(minigrad.tensor([-100., 0.]))
    tensor([-100.0000,   -0.6931])
    """
def lp_pool1d(input: Tensor, norm_type: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, ceil_mode: builtins.bool = False) -> Tensor:
    """Take the ``norm_type``-norm of each window of ``(N, C, L)`` or ``(C, L)``, up to the signs of odd powers; infinite norms too.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool1d(minigrad.tensor([[3., 4.]]), 2, 2)
    tensor([[5.]])
    """
def lp_pool2d(input: Tensor, norm_type: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, ceil_mode: builtins.bool = False) -> Tensor:
    """Take the ``norm_type``-norm of each window of ``(N, C, H, W)`` or ``(C, H, W)``, up to the signs of odd powers; infinite norms too.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool2d(minigrad.tensor([[[3., 4.], [0., 0.]]]), 2, (2, 2))
    tensor([[[5.]]])
    """
def lp_pool3d(input: Tensor, norm_type: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, ceil_mode: builtins.bool = False) -> Tensor:
    """Take the ``norm_type``-norm of each window of ``(N, C, D, H, W)`` or ``(C, D, H, W)``, up to the signs of odd powers; infinite norms too.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool3d(minigrad.ones(1, 2, 2, 2), 1, 2)
    tensor([[[[8.]]]])
    """
from ..nn._functional.losses import margin_ranking_loss as margin_ranking_loss
def max_pool1d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> Tensor:
    """Take the maximum of each window of ``(N, C, L)`` or ``(C, L)``, with ``return_indices`` also its index; see ``minigrad.max_pool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.max_pool1d(minigrad.tensor([[1., 5., 7., 2.]]), 2)
    tensor([[5., 7.]])
    >>> minigrad.nn.functional.max_pool1d(minigrad.tensor([[1., 5., 7., 2.]]), 2, return_indices=True)
    (tensor([[5., 7.]]), tensor([[1, 2]]))
    """
def max_pool1d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """Take the maximum of each window of ``(N, C, L)`` or ``(C, L)``; return ``(values, indices)``. See ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool1d_with_indices(minigrad.tensor([[1., 3., 2.]]), 2)
    (tensor([[3.]]), tensor([[1]]))
    """
def max_pool2d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> Tensor:
    """Take the maximum of each window of ``(N, C, H, W)`` or ``(C, H, W)``, with ``return_indices`` also its index.

    >>> import minigrad
    >>> minigrad.nn.functional.max_pool2d(minigrad.tensor([[[1., 5.], [7., 2.]]]), 2)
    tensor([[[7.]]])
    """
def max_pool2d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """Take the maximum of each window; return ``(values, indices)``, where an index refers to the flattened ``(H, W)``.

    >>> import minigrad
    >>> x = minigrad.tensor([[[1., 5.], [7., 2.]]])
    >>> minigrad.nn.functional.max_pool2d_with_indices(x, 2)
    (tensor([[[7.]]]), tensor([[[2]]]))
    """
def max_pool3d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> Tensor:
    """Take the maximum of each window of ``(N, C, D, H, W)`` or ``(C, D, H, W)``, with ``return_indices`` also its index.

    >>> import minigrad
    >>> minigrad.nn.functional.max_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 2)
    tensor([[[[7.]]]])
    """
def max_pool3d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """Take the maximum of each window; return ``(values, indices)``, where an index refers to the flattened ``(D, H, W)``.

    >>> import minigrad
    >>> x = minigrad.arange(8.).view(1, 2, 2, 2)
    >>> minigrad.nn.functional.max_pool3d_with_indices(x, 2)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
def max_unpool1d(input: Tensor, indices: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, output_size: Any = None) -> Tensor:
    """Put the maxima of ``max_pool1d`` back at their ``indices``, with zeros elsewhere: ``(N, C, L)`` or ``(C, L)``.

    Raises ValueError for an impossible ``output_size``, RuntimeError for indices out of range.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool1d(minigrad.tensor([[3.]]), minigrad.tensor([[1]]), 2)
    tensor([[0., 3.]])
    """
def max_unpool2d(input: Tensor, indices: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, output_size: Any = None) -> Tensor:
    """Put the maxima of ``max_pool2d`` back at their ``indices``, with zeros elsewhere: ``(N, C, H, W)`` or ``(C, H, W)``; see ``max_unpool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool2d(minigrad.tensor([[[7.]]]), minigrad.tensor([[[2]]]), 2)
    tensor([[[0., 0.],
             [7., 0.]]])
    """
def max_unpool3d(input: Tensor, indices: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, output_size: Any = None) -> Tensor:
    """Put the maxima of ``max_pool3d`` back at their ``indices``, with zeros elsewhere: ``(N, C, D, H, W)`` or ``(C, D, H, W)``; see
    ``max_unpool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool3d(minigrad.tensor([[[[7.]]]]), minigrad.tensor([[[[1]]]]), (1, 1, 2))
    tensor([[[[0., 7.]]]])
    """
def mish(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """Compute ``input * tanh(softplus(input))`` elementwise. [Misra 2019]

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.mish(minigrad.tensor([-1., 0., 2.]))
    tensor([-0.3034,  0.0000,  1.9440])
    """
from ..nn._functional.losses import mse_loss as mse_loss
from ..nn._functional.attention import multi_head_attention_forward as multi_head_attention_forward
from ..nn._functional.losses import multi_margin_loss as multi_margin_loss
from ..nn._functional.losses import multilabel_margin_loss as multilabel_margin_loss
from ..nn._functional.losses import multilabel_soft_margin_loss as multilabel_soft_margin_loss
def native_channel_shuffle(input: Tensor, groups: builtins.int) -> Tensor:
    """The same as ``channel_shuffle``.

    >>> import minigrad
    >>> minigrad.native_channel_shuffle(minigrad.arange(4.).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
from ..nn._functional.losses import nll_loss as nll_loss
def normalize(input: Tensor, p: Any = ..., dim: Any = 1, eps: Any = ..., out: Any = None) -> Tensor:
    """Divide ``input`` by its ``p``-norms along ``dim``, or by ``eps`` where they are less.

    >>> import minigrad
    >>> minigrad.nn.functional.normalize(minigrad.tensor([[3., 4.]]))
    tensor([[0.6000, 0.8000]])
    """
def one_hot(input: Tensor, num_classes: Any = -1) -> Tensor:
    """Return one-hot vectors: for each class in ``input`` a 1 at its index, (...) -> (..., num_classes), of int64.

    Raises RuntimeError for dtypes other than int64, and for classes that are negative or too large.

    >>> import minigrad
    >>> minigrad.nn.functional.one_hot(minigrad.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
def pad(input: Tensor, pad: Any, mode: Any = ..., value: Any = None) -> Tensor:
    """Pad ``input``: ``pad`` is (before, after) for the last dimension, then for the one before it, and so on.

    ``mode`` is "constant" (``value``, 0 by default), or for the last one to three dimensions of (N, C, ...) or (C, ...) "reflect",
    "replicate" or "circular". Negative widths crop. Raises RuntimeError for widths that do not fit, NotImplementedError for other modes.

    >>> import minigrad
    >>> minigrad.nn.functional.pad(minigrad.tensor([[1., 2., 3.]]), (2, 1), "reflect")
    tensor([[3., 2., 1., 2., 3., 2.]])
    """
def pairwise_distance(x1: Any, x2: Any, p: Any = ..., eps: Any = ..., keepdim: builtins.bool = False) -> Tensor:
    """Return the ``p``-norms of ``x1 - x2 + eps`` along the last dimension: (..., D) -> (...).

    >>> import minigrad
    >>> minigrad.pairwise_distance(minigrad.tensor([[1., 2.]]), minigrad.tensor([[4., 6.]]), eps=0.)
    tensor([5.])
    """
def pdist(input: Tensor, p: Any = 2) -> Tensor:
    """Return the ``p``-norm distances between all pairs of rows, as a vector: ``(n, m) -> (n (n - 1) / 2)``.

    Raises RuntimeError unless there are two dimensions, NotImplementedError for half precision.

    >>> import minigrad
    >>> minigrad.pdist(minigrad.tensor([[0., 0.], [3., 4.], [0., 4.]]))
    tensor([5., 4., 3.])
    """
def pixel_shuffle(input: Tensor, upscale_factor: Any) -> Tensor:
    """Rearrange channels into pixels, ``(..., C * r * r, H, W) -> (..., C, H * r, W * r)``.

    Raises RuntimeError unless the channels are a multiple of the factor's square.

    >>> import minigrad
    >>> minigrad.pixel_shuffle(minigrad.arange(4.).reshape(4, 1, 1), 2)
    tensor([[[0., 1.],
             [2., 3.]]])
    """
def pixel_unshuffle(input: Tensor, downscale_factor: Any) -> Tensor:
    """Rearrange pixels into channels, ``(..., C, H * r, W * r) -> (..., C * r * r, H, W)``.

    Raises RuntimeError unless height and width are multiples of the factor.

    >>> import minigrad
    >>> minigrad.pixel_unshuffle(minigrad.arange(4.).reshape(1, 2, 2), 2).flatten()
    tensor([0., 1., 2., 3.])
    """
from ..nn._functional.losses import poisson_nll_loss as poisson_nll_loss
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Multiply negative elements by ``weight``: one per channel (dimension 1), or one for all.

    Raises RuntimeError if the number of weights is not the number of channels. [He et al. 2015]

    >>> import minigrad
    >>> minigrad.prelu(minigrad.tensor([-4., 2.]), minigrad.tensor([0.25]))
    tensor([-1.,  2.])
    """
def relu(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """Replace negative elements by zero: ``max(input, 0)``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.relu(minigrad.tensor([-1., 2.]))
    tensor([0., 2.])
    """
def relu6(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """Clamp each element to [0, 6].

    Any shape and real dtype; activation functions with exponentials need floating-point dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.relu6(minigrad.tensor([-1., 3., 9.]))
    tensor([0., 3., 6.])
    """
def relu_(input: Tensor) -> Tensor:
    """In-place version of ``relu``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.relu_() is x
    True
    """
from ..nn._functional.normalization import rms_norm as rms_norm
def rrelu(input: Tensor, lower: builtins.float = ..., upper: builtins.float = ..., training: builtins.bool = False, inplace: builtins.bool = False) -> Tensor:
    """Multiply negative elements by a random slope from [``lower``, ``upper``), or by the mean of the two unless ``training``.

    >>> import minigrad
    >>> minigrad.nn.functional.rrelu(minigrad.tensor([-4.8, 2.]))
    tensor([-1.1000,  2.0000])
    """
def rrelu_(input: Tensor, lower: Any = ..., upper: Any = ..., training: Any = False, generator: Generator | None = None) -> Tensor:
    """In-place version of ``rrelu``.

    >>> import minigrad
    >>> minigrad.rrelu_(minigrad.tensor([-4.8, 2.]))
    tensor([-1.1000,  2.0000])
    """
def scaled_dot_product_attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: Any = ..., is_causal: Any = False, scale: Any = None, enable_gqa: Any = False) -> Tensor:
    """Compute ``softmax(query @ key.mT * scale + attn_mask) @ value``: (..., L, E), (..., S, E), (..., S, D) -> (..., L, D).

    A boolean mask is true where a query may attend to a key; ``is_causal`` allows keys up to the query's own position; ``scale`` is by
    default one over the square root of E. With ``enable_gqa`` several query heads share one head of key and value. Raises RuntimeError
    for sizes and dtypes that do not fit. [Vaswani et al. 2017]

    >>> import minigrad
    >>> x = minigrad.ones(1, 2, 2)
    >>> minigrad.nn.functional.scaled_dot_product_attention(x, x, x)
    tensor([[[1., 1.],
             [1., 1.]]])
    """
def selu(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """Compute ``scale * elu(input, alpha)`` with the two constants that keep mean 0 and variance 1 from layer to layer. [Klambauer et al. 2017]

    >>> import minigrad
    >>> minigrad.nn.functional.selu(minigrad.tensor([-1., 2.]))
    tensor([-1.1113,  2.1014])
    """
def selu_(input: Tensor) -> Tensor:
    """In-place version of ``selu``.

    >>> import minigrad
    >>> minigrad.selu_(minigrad.tensor([-1., 2.]))
    tensor([-1.1113,  2.1014])
    """
def sigmoid(input: Tensor) -> Tensor:
    """Map each element into (0, 1): ``1 / (1 + exp(-input))``.

    Keeps the shape and dtype, but integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.sigmoid(minigrad.tensor([0., 2.]))
    tensor([0.5000, 0.8808])
    """
def silu(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """Multiply each element by its sigmoid: ``input * sigmoid(input)``, also called Swish.

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.silu(minigrad.tensor([-1., 0., 2.]))
    tensor([-0.2689,  0.0000,  1.7616])
    """
from ..nn._functional.losses import smooth_l1_loss as smooth_l1_loss
from ..nn._functional.losses import soft_margin_loss as soft_margin_loss
def softmax(input: Tensor, dim: builtins.int | None = None, _stacklevel: builtins.int = 3, dtype: _dtype | None = None) -> Tensor:
    """Scale the exponentials of the elements so that they sum to 1 along ``dim``.

    The shape of ``input``, in ``dtype`` if it is given.

    >>> import minigrad
    >>> minigrad.nn.functional.softmax(minigrad.tensor([0., 0., 1.]), dim=0)
    tensor([0.2119, 0.2119, 0.5761])
    """
def softmin(input: Tensor, dim: builtins.int | None = None, _stacklevel: builtins.int = 3, dtype: _dtype | None = None) -> Tensor:
    """Compute the softmax of ``-input``: the smallest element gets the largest value.

    The shape of ``input``, in ``dtype`` if it is given.

    >>> import minigrad
    >>> minigrad.nn.functional.softmin(minigrad.tensor([0., 0., 1.]), dim=0)
    tensor([0.4223, 0.4223, 0.1554])
    """
def softplus(input: Tensor, beta: Any = ..., threshold: Any = ..., *, out: Any = None) -> Tensor:
    """Compute ``log(1 + exp(beta * input)) / beta``, a smooth ``relu``; where ``beta * input > threshold`` the result is ``input`` itself.

    Any shape; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.softplus(minigrad.tensor([-1., 0., 30.]))
    tensor([ 0.3133,  0.6931, 30.0000])
    """
def softshrink(input: Tensor, lambd: Any = ..., *, out: Any = None) -> Tensor:
    """Move each element towards zero by ``lambd``; elements closer to zero than that become zero.

    Any shape; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.softshrink(minigrad.tensor([-1., 0.2, 2.]))
    tensor([-0.5000,  0.0000,  1.5000])
    """
def softsign(input: Tensor) -> Tensor:
    """Compute ``input / (1 + |input|)``.

    Any shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.softsign(minigrad.tensor([-1., 0., 3.]))
    tensor([-0.5000,  0.0000,  0.7500])
    """
def tanh(input: Tensor) -> Tensor:
    """Compute the hyperbolic tangent of each element.

    Keeps the shape and dtype, but integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.tanh(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """
def tanhshrink(input: Tensor) -> Tensor:
    """Compute ``input - tanh(input)``.

    Any shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.tanhshrink(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.2384,  0.0000,  0.2384])
    """
def threshold(input: Tensor, threshold: builtins.float, value: builtins.float, inplace: builtins.bool = False) -> Tensor:
    """Keep elements greater than ``threshold``, and replace the others by ``value``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.threshold(minigrad.tensor([-1., 0.5, 3.]), 1., 9.)
    tensor([9., 9., 3.])
    """
def threshold_(input: Tensor, threshold: Any, value: Any) -> Tensor:
    """In-place version of ``threshold``.

    >>> import minigrad
    >>> minigrad.threshold_(minigrad.tensor([-3., 0.5]), 0., 9.)
    tensor([9.0000, 0.5000])
    """
from ..nn._functional.losses import triplet_margin_loss as triplet_margin_loss
from ..nn._functional.losses import triplet_margin_with_distance_loss as triplet_margin_with_distance_loss
def unfold(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, stride: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """Extract the windows of images as columns: ``(N, C, H, W) -> (N, C * k * l, blocks)``, or without ``N``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.unfold(minigrad.arange(4.).reshape(1, 1, 2, 2), (1, 2))
    tensor([[[0., 2.],
             [1., 3.]]])
    """
def upsample(input: Tensor, size: Any = None, scale_factor: Any = None, mode: Any = ..., align_corners: Any = None) -> Tensor:
    """A deprecated name for ``interpolate``.

    >>> import minigrad
    >>> minigrad.nn.functional.upsample(minigrad.tensor([[[1., 2.]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """A deprecated form of ``interpolate`` with ``mode="bilinear", align_corners=True``.

    >>> import minigrad
    >>> minigrad.nn.functional.upsample_bilinear(minigrad.tensor([[[[1., 3.]]]]), size=(1, 3))
    tensor([[[[1., 2., 3.]]]])
    """
def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """A deprecated form of ``interpolate`` with ``mode="nearest"``.

    >>> import minigrad
    >>> minigrad.nn.functional.upsample_nearest(minigrad.tensor([[[1., 2.]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
_Reduction: Any
_canonical_mask: Any
_check_key_padding_mask: Any
_check_unpool_output_size: Any
_get_softmax_dim: Any
_in_projection: Any
_in_projection_packed: Any
_is_integer: Any
_list_with_default: Any
_mha_shape_check: Any
_no_grad_embedding_renorm_: Any
_none_or_dtype: Any
_pair: Any
_single: Any
_triple: Any
_unpool_output_size: Any
_verify_batch_size: Any
_verify_spatial_size: Any
