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
    """The means of windows that divide the last axis into ``output_size`` parts: ``(N, C, L)`` or ``(C, L)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.adaptive_avg_pool1d(minigrad.tensor([[1., 3., 5., 7.]]), 2)
    tensor([[2., 6.]])
    """
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows that divide the last two axes into parts: ``(N, C, H, W)`` or ``(C, H, W)``; None keeps an axis.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_avg_pool2d(minigrad.arange(8.).view(1, 2, 4), (1, 2))
    tensor([[[2.5000, 4.5000]]])
    """
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows that divide the last three axes into parts: ``(N, C, D, H, W)`` or ``(C, D, H, W)``; None keeps an axis.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_avg_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 1)
    tensor([[[[3.5000]]]])
    """
def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: Any = False) -> Tensor:
    """The largest elements of windows that divide the last axis into parts, and with ``return_indices`` their places.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool1d(minigrad.tensor([[1., 5., 7., 2.]]), 2)
    tensor([[5., 7.]])
    """
def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Any, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """``(values, indices)`` of the largest elements of windows that divide the last axis into parts.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool1d_with_indices(minigrad.tensor([[1., 5., 7., 2.]]), 2)
    (tensor([[5., 7.]]), tensor([[1, 2]]))
    """
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: Any = False) -> Tensor:
    """The largest elements of windows that divide the last two axes into parts, and with ``return_indices`` their places.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool2d(minigrad.tensor([[[1., 5.], [7., 2.]]]), (None, 1))
    tensor([[[5.],
             [7.]]])
    """
def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Any, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """``(values, indices)`` of the largest elements of windows that divide the last two axes into parts.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool2d_with_indices(minigrad.tensor([[[1., 5.], [7., 2.]]]), 1)
    (tensor([[[7.]]]), tensor([[[2]]]))
    """
def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: Any = False) -> Tensor:
    """The largest elements of windows that divide the last three axes into parts, and with ``return_indices`` their places.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 1)
    tensor([[[[7.]]]])
    """
def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Any, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """``(values, indices)`` of the largest elements of windows that divide the last three axes into parts.

    >>> import minigrad
    >>> minigrad.nn.functional.adaptive_max_pool3d_with_indices(minigrad.arange(8.).view(1, 2, 2, 2), 1)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
def affine_grid(theta: Any, size: Any, align_corners: Any = None) -> Tensor:
    """The points of an even grid for images of ``size`` (N, C, ...), after the affine maps ``theta``: ``(N, 2, 3)`` or ``(N, 3, 4)``.

    Raises ValueError for maps that do not fit, NotImplementedError for other sizes.

    >>> import minigrad
    >>> minigrad.nn.functional.affine_grid(minigrad.eye(2, 3)[None], (1, 1, 1, 2), align_corners=False).flatten()
    tensor([-0.5000,  0.0000,  0.5000,  0.0000])
    """
def alpha_dropout(input: Tensor, p: builtins.float = ..., training: builtins.bool = False, inplace: builtins.bool = False) -> Tensor:
    """Dropout for networks of ``selu``: dropped elements become the limit of ``selu``, and mean and variance stay.

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
    """The means of windows: ``(N, C, L)`` or ``(C, L)``; the windows are ``stride``, by default their size, apart.

    Zeros of the border count unless ``count_include_pad`` is False.  Raises RuntimeError for sizes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.avg_pool1d(minigrad.tensor([[1., 3., 2., 0.]]), 2)
    tensor([[2., 1.]])
    """
def avg_pool2d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: Any = None, *, out: Any = None) -> Tensor:
    """The means of windows: ``(N, C, H, W)`` or ``(C, H, W)``, or their sums divided by ``divisor_override``; see ``minigrad.avg_pool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.avg_pool2d(minigrad.arange(8.).view(1, 2, 4), 2)
    tensor([[[2.5000, 4.5000]]])
    """
def avg_pool3d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: Any = None, *, out: Any = None) -> Tensor:
    """The means of windows: ``(N, C, D, H, W)`` or ``(C, D, H, W)``, or their sums divided by ``divisor_override``.

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
    """A function that calls ``if_true`` or ``if_false``, as its argument ``arg_name`` says.

    >>> import minigrad
    >>> choose = minigrad._jit_internal.boolean_dispatch("up", 1, False, lambda x, up=True: x + 1, lambda x, up=False: x - 1, __name__, "choose")
    >>> choose(1), choose(1, up=True)
    (0, 2)
    """
def celu(input: Tensor, alpha: builtins.float = ..., inplace: builtins.bool = False) -> Tensor:
    """``input`` where it is positive, else ``alpha * (exp(input / alpha) - 1)``.

    Shape and dtype stay, for floating dtypes.

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
    """The channels of ``groups`` groups in turn: the first of each, the second of each, and so on; ``(N, C, ...)``.

    Raises RuntimeError if the channels are no multiple of ``groups``.

    >>> import minigrad
    >>> minigrad.channel_shuffle(minigrad.arange(4.).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str | builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> Tensor:
    """The convolution of rows: ``(N, C, L)`` or ``(C, L)`` with ``(O, C / groups, K)``; ``padding`` may be "same" or "valid".

    Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.conv1d(minigrad.ones(1, 1, 4), minigrad.ones(1, 1, 3), padding="same")
    tensor([[[2., 3., 3., 2.]]])
    """
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str | builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> Tensor:
    """The convolution of images: ``(N, C, H, W)`` or ``(C, H, W)`` with ``(O, C / groups, K, L)``; see ``conv1d``.

    >>> import minigrad
    >>> minigrad.conv2d(minigrad.ones(1, 1, 3, 3), minigrad.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str | builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> Tensor:
    """The convolution of volumes: ``(N, C, D, H, W)`` or ``(C, D, H, W)`` with ``(O, C / groups, J, K, L)``; see ``conv1d``.

    >>> import minigrad
    >>> minigrad.conv3d(minigrad.ones(1, 1, 2, 2, 2), minigrad.ones(1, 1, 2, 2, 2)).flatten()
    tensor([8.])
    """
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: Any = 0) -> Tensor:
    """The convolution of sequences with time first: ``(T, N, C)`` with ``(K, C, O)`` and a bias ``(O,)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.conv_tbc(minigrad.ones(3, 1, 1), minigrad.ones(2, 1, 1), minigrad.zeros(1)).flatten()
    tensor([2., 2.])
    """
def conv_transpose1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: Any = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """The transposed convolution of rows, the adjoint of ``conv1d``: ``(N, C, L)`` with ``(C, O / groups, K)``.

    Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.conv_transpose1d(minigrad.ones(1, 1, 2), minigrad.ones(1, 1, 2))
    tensor([[[1., 2., 1.]]])
    """
def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: Any = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """The transposed convolution of images, the adjoint of ``conv2d``; see ``conv_transpose1d``.

    ``input`` is (N, C, H, W) or (C, H, W), ``weight`` (C, C_out
    groups, kH, kW).

    >>> import minigrad
    >>> minigrad.conv_transpose2d(minigrad.ones(1, 1, 1, 1), minigrad.ones(1, 1, 1, 2), stride=2)
    tensor([[[[1., 1.]]]])
    """
def conv_transpose3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: Any = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """The transposed convolution of volumes, the adjoint of ``conv3d``; see ``conv_transpose1d``.

    ``input`` is (N, C, D, H, W) or (C, D, H, W), ``weight`` (C, C_out
    groups, kD, kH, kW).

    >>> import minigrad
    >>> minigrad.conv_transpose3d(minigrad.ones(1, 1, 1, 1, 1), minigrad.ones(1, 1, 1, 1, 2)).flatten()
    tensor([1., 1.])
    """
from ..nn._functional.losses import cosine_embedding_loss as cosine_embedding_loss
def cosine_similarity(x1: Any, x2: Any, dim: Any = 1, eps: Any = ...) -> Tensor:
    """The cosine of the angle between ``x1`` and ``x2`` along ``dim``, their norms being at least ``eps``.

    >>> import minigrad
    >>> minigrad.cosine_similarity(minigrad.tensor([[3., 4.]]), minigrad.tensor([[4., 3.]]))
    tensor([0.9600])
    """
from ..nn._functional.losses import cross_entropy as cross_entropy
from ..nn._functional.losses import ctc_loss as ctc_loss
def dropout(input: Tensor, p: builtins.float = ..., training: builtins.bool = True, inplace: builtins.bool = False) -> Tensor:
    """``input`` with elements set to 0 with probability ``p``, the others scaled by ``1 / (1 - p)``; itself unless ``training``.

    Raises ValueError for a ``p`` that is no probability.

    The shape and dtype of ``input``.

    >>> import minigrad
    >>> minigrad.nn.functional.dropout(minigrad.tensor([1., 2.]), training=False)
    tensor([1., 2.])
    >>> x = minigrad.nn.functional.dropout(minigrad.ones(100))
    >>> ((x == 0) | (x == 2)).all()
    tensor(True)
    """
def dropout1d(input: Tensor, p: builtins.float = ..., training: builtins.bool = True, inplace: builtins.bool = False) -> Tensor:
    """Like ``dropout``, for whole channels: ``(N, C, L)`` or ``(C, L)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.dropout1d(minigrad.ones(9, 2))
    >>> (x[:, 0] == x[:, 1]).all()
    tensor(True)
    """
def dropout2d(input: Tensor, p: builtins.float = ..., training: builtins.bool = True, inplace: builtins.bool = False) -> Tensor:
    """Like ``dropout``, for whole channels: ``(N, C, H, W)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.dropout2d(minigrad.ones(1, 9, 1, 2))
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
def dropout3d(input: Tensor, p: builtins.float = ..., training: builtins.bool = True, inplace: builtins.bool = False) -> Tensor:
    """Like ``dropout``, for whole channels: ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.dropout3d(minigrad.ones(1, 9, 1, 1, 2))
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
def elu(input: Tensor, alpha: builtins.float = ..., inplace: builtins.bool = False) -> Tensor:
    """``input`` where it is positive, else ``alpha * (exp(input) - 1)``.

    Shape and dtype stay, for floating dtypes.

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
    """Like ``alpha_dropout``, for whole channels: ``(N, C, ...)``.

    >>> import minigrad
    >>> x = minigrad.nn.functional.feature_alpha_dropout(minigrad.ones(1, 9, 2), training=True)
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
def fold(input: Tensor, output_size: Any, kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, stride: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """Images with columns added in their places, the adjoint of ``unfold``: ``(N, C * k * l, blocks) -> (N, C, H, W)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.fold(minigrad.ones(1, 2, 2), (1, 3), (1, 2)).flatten()
    tensor([1., 2., 1.])
    """
def fractional_max_pool2d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Tensor:
    """The largest elements of ``output_size`` windows at random places: ``(N, C, H, W)`` or ``(C, H, W)``.

    With ``output_ratio`` the size is that part of the image's.  Raises ValueError without either, RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.fractional_max_pool2d(minigrad.arange(16.).reshape(1, 4, 4), 2, output_size=1).flatten()
    tensor([15.])
    """
def fractional_max_pool2d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> builtins.tuple[Tensor, Tensor]:
    """``(values, indices)`` of the largest elements of windows at random places; see ``fractional_max_pool2d``.

    >>> import minigrad
    >>> values, indices = minigrad.nn.functional.fractional_max_pool2d_with_indices(minigrad.ones(1, 6, 6), 2, output_size=3)
    >>> values.shape, indices.shape
    (torch.Size([1, 3, 3]), torch.Size([1, 3, 3]))
    """
def fractional_max_pool3d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Tensor:
    """The largest elements of ``output_size`` windows at random places: ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.functional.fractional_max_pool3d(minigrad.ones(1, 6, 6, 6), 2, output_ratio=0.5).shape
    torch.Size([1, 3, 3, 3])
    """
def fractional_max_pool3d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> builtins.tuple[Tensor, Tensor]:
    """``(values, indices)`` of the largest elements of windows at random places; see ``fractional_max_pool3d``.

    >>> import minigrad
    >>> values, indices = minigrad.nn.functional.fractional_max_pool3d_with_indices(minigrad.ones(1, 6, 6, 6), 2, output_size=3)
    >>> values.shape, indices.shape
    (torch.Size([1, 3, 3, 3]), torch.Size([1, 3, 3, 3]))
    """
from ..nn._functional.losses import gaussian_nll_loss as gaussian_nll_loss
def gelu(input: Tensor, *, approximate: Any = ..., out: Any = None) -> Tensor:
    """``input`` times the normal distribution function at ``input``; ``approximate="tanh"`` for the form with tanh.

    Any shape; floating dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.gelu(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.1587,  0.0000,  0.8413])
    """
def glu(input: Tensor, dim: builtins.int = -1) -> Tensor:
    """The first half of ``input`` along ``dim`` times the sigmoid of the second.

    The dimension must be even; it is halved.

    >>> import minigrad
    >>> minigrad.nn.functional.glu(minigrad.tensor([1., 2., 0., 0.]))
    tensor([0.5000, 1.0000])
    """
def grid_sample(input: Tensor, grid: Any, mode: Any = ..., padding_mode: Any = ..., align_corners: Any = None) -> Tensor:
    """The image ``(N, C, H, W)`` at the points ``(N, ..., 2)`` of ``grid``, or ``(N, C, D, H, W)`` at ``(N, ..., 3)``: (x, y[, z]) in [-1, 1].

    ``mode`` is "bilinear", "nearest" or "bicubic"; outside is ``padding_mode``: "zeros", "border" or "reflection".  With ``align_corners`` -1 and
    1 are the centers of the outermost pixels, else their outer edges.  Raises ValueError for other modes, RuntimeError for sizes that do not
    fit.

    >>> import minigrad
    >>> x, grid = minigrad.tensor([[[[1., 3.]]]]), minigrad.tensor([[[[1., 0.]]]])
    >>> minigrad.nn.functional.grid_sample(x, grid, align_corners=True)
    tensor([[[[3.]]]])
    """
from ..nn._functional.normalization import group_norm as group_norm
def gumbel_softmax(logits: Tensor, tau: builtins.float = 1, hard: builtins.bool = False, eps: builtins.float = ..., dim: builtins.int = -1) -> Tensor:
    """The softmax of ``(logits + noise) / tau`` along ``dim``, with noise of Gumbel's distribution: a sample that has a gradient.

    With ``hard`` it is the one-hot vector of the category that came out largest, with the gradient of the softmax.
    ``eps`` has no effect.

    >>> import minigrad
    >>> minigrad.nn.functional.gumbel_softmax(minigrad.zeros(4, 3), hard=True).sum(-1)
    tensor([1., 1., 1., 1.])
    """
from ..overrides import handle_torch_function as handle_torch_function
def hardshrink(input: Tensor, lambd: Any = ..., *, out: Any = None) -> Tensor:
    """``input``, with 0 for what lies within ``lambd`` of it.

    Shape and dtype stay.

    >>> import minigrad
    >>> minigrad.hardshrink(minigrad.tensor([-1., 0.2, 0.7]))
    tensor([-1.0000,  0.0000,  0.7000])
    """
def hardsigmoid(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """``(input + 3) / 6`` within 0 and 1.

    Shape and dtype stay, for floating dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.hardsigmoid(minigrad.tensor([-3., 0., 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """
def hardswish(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """``input * hardsigmoid(input)``.

    Shape and dtype stay, for floating dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.hardswish(minigrad.tensor([-3., 0., 3.]))
    tensor([-0., 0., 3.])
    """
def hardtanh(input: Tensor, min_val: builtins.float = ..., max_val: builtins.float = ..., inplace: builtins.bool = False) -> Tensor:
    """``input`` within the limits; raises ValueError if they are in the wrong order.

    Shape and dtype stay.

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
    """The image ``(N, C, ...)``, of one to three axes of space, in another size: ``size``, or ``scale_factor`` times its own.

    ``mode`` is "nearest", "nearest-exact", "area", and by the number of axes "linear", "bilinear", "bicubic", "trilinear".  With ``antialias``
    ("bilinear", "bicubic", "lanczos") a smaller image is filtered.  Raises ValueError for arguments that do not fit,
    NotImplementedError for other modes.

    >>> import minigrad
    >>> minigrad.nn.functional.interpolate(minigrad.tensor([[[1., 3.]]]), size=4, mode="linear")
    tensor([[[1.0000, 1.5000, 2.5000, 3.0000]]])
    """
from ..nn._functional.losses import kl_div as kl_div
from ..nn._functional.losses import l1_loss as l1_loss
from ..nn._functional.normalization import layer_norm as layer_norm
def leaky_relu(input: Tensor, negative_slope: builtins.float = ..., inplace: builtins.bool = False) -> Tensor:
    """``input`` where it is positive, else ``negative_slope * input``.

    Shape and dtype stay.

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
    """``input @ weight.T + bias``: ``(..., k), (m, k), (m,) -> (..., m)``; a 1-dim weight ``(k,)`` gives ``(...,)``.

    Raises RuntimeError for sizes that do not fit or different dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.linear(minigrad.ones(1, 3), minigrad.ones(2, 3), minigrad.tensor([0., 1.]))
    tensor([[3., 4.]])
    """
from ..nn._functional.losses import linear_cross_entropy as linear_cross_entropy
def local_response_norm(input: Tensor, size: Any, alpha: Any = ..., beta: Any = ..., k: Any = ...) -> Tensor:
    """``input / (k + alpha * mean) ** beta``, where mean is that of the squares in ``size`` neighbouring channels: (N, C, ...).

    Raises ValueError for less than three dimensions.

    >>> import minigrad
    >>> minigrad.nn.functional.local_response_norm(minigrad.ones(1, 3, 1), size=3, alpha=3.)
    tensor([[[0.4387],
             [0.3536],
             [0.4387]]])
    """
def log_softmax(input: Tensor, dim: builtins.int | None = None, _stacklevel: builtins.int = 3, dtype: _dtype | None = None) -> Tensor:
    """The logarithm of ``softmax(input)``.

    The shape of ``input``, in ``dtype`` if it is given.

    >>> import minigrad
    >>> minigrad.nn.functional.log_softmax(minigrad.tensor([0., 0., 1.]), dim=0)
    tensor([-1.5514, -1.5514, -0.5514])
    """
def logsigmoid(input: Tensor, *, out: Any = None) -> Tensor:
    """z = log(1 / (1 + e⁻ˣ)).

    For each element x of ``input``, of any shape.  The result has its shape and dtype; it is written into ``out``, if that is given.

    >>> import minigrad
    >>> minigrad.nn.functional.logsigmoid(minigrad.tensor([-100., 0.]))
    tensor([-100.0000,   -0.6931])
    """
def lp_pool1d(input: Tensor, norm_type: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, ceil_mode: builtins.bool = False) -> Tensor:
    """The ``norm_type``-norms of windows, up to signs of odd powers: ``(N, C, L)`` or ``(C, L)``.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool1d(minigrad.tensor([[3., 4.]]), 2, 2)
    tensor([[5.]])
    """
def lp_pool2d(input: Tensor, norm_type: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, ceil_mode: builtins.bool = False) -> Tensor:
    """The ``norm_type``-norms of windows, up to signs of odd powers: ``(N, C, H, W)`` or ``(C, H, W)``; infinite norms too.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool2d(minigrad.tensor([[[3., 4.], [0., 0.]]]), 2, (2, 2))
    tensor([[[5.]]])
    """
def lp_pool3d(input: Tensor, norm_type: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, ceil_mode: builtins.bool = False) -> Tensor:
    """The ``norm_type``-norms of windows, up to signs of odd powers: ``(N, C, D, H, W)`` or ``(C, D, H, W)``; infinite norms too.

    >>> import minigrad
    >>> minigrad.nn.functional.lp_pool3d(minigrad.ones(1, 2, 2, 2), 1, 2)
    tensor([[[[8.]]]])
    """
from ..nn._functional.losses import margin_ranking_loss as margin_ranking_loss
def max_pool1d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> Tensor:
    """The largest elements of windows, ``(N, C, L)`` or ``(C, L)``, and with ``return_indices`` their places; see ``minigrad.max_pool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.max_pool1d(minigrad.tensor([[1., 5., 7., 2.]]), 2)
    tensor([[5., 7.]])
    >>> minigrad.nn.functional.max_pool1d(minigrad.tensor([[1., 5., 7., 2.]]), 2, return_indices=True)
    (tensor([[5., 7.]]), tensor([[1, 2]]))
    """
def max_pool1d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """``(values, indices)`` of the largest elements of windows: ``(N, C, L)`` or ``(C, L)``; see ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool1d_with_indices(minigrad.tensor([[1., 3., 2.]]), 2)
    (tensor([[3.]]), tensor([[1]]))
    """
def max_pool2d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> Tensor:
    """The largest elements of windows, ``(N, C, H, W)`` or ``(C, H, W)``, and with ``return_indices`` their places.

    >>> import minigrad
    >>> minigrad.nn.functional.max_pool2d(minigrad.tensor([[[1., 5.], [7., 2.]]]), 2)
    tensor([[[7.]]])
    """
def max_pool2d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """``(values, indices)`` of the largest elements of windows; an index counts the places of ``(H, W)`` as if in one row.

    >>> import minigrad
    >>> x = minigrad.tensor([[[1., 5.], [7., 2.]]])
    >>> minigrad.nn.functional.max_pool2d_with_indices(x, 2)
    (tensor([[[7.]]]), tensor([[[2]]]))
    """
def max_pool3d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> Tensor:
    """The largest elements of windows, ``(N, C, D, H, W)`` or ``(C, D, H, W)``, and with ``return_indices`` their places.

    >>> import minigrad
    >>> minigrad.nn.functional.max_pool3d(minigrad.arange(8.).view(1, 2, 2, 2), 2)
    tensor([[[[7.]]]])
    """
def max_pool3d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """``(values, indices)`` of the largest elements of windows; an index counts the places of ``(D, H, W)`` as if in one row.

    >>> import minigrad
    >>> x = minigrad.arange(8.).view(1, 2, 2, 2)
    >>> minigrad.nn.functional.max_pool3d_with_indices(x, 2)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
def max_unpool1d(input: Tensor, indices: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, output_size: Any = None) -> Tensor:
    """Zeros with ``input`` at the ``indices`` of ``max_pool1d``: ``(N, C, L)`` or ``(C, L)``.

    Raises ValueError for an ``output_size`` that cannot be, RuntimeError for indices out of range.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool1d(minigrad.tensor([[3.]]), minigrad.tensor([[1]]), 2)
    tensor([[0., 3.]])
    """
def max_unpool2d(input: Tensor, indices: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, output_size: Any = None) -> Tensor:
    """Zeros with ``input`` at the ``indices`` of ``max_pool2d``: ``(N, C, H, W)`` or ``(C, H, W)``; see ``max_unpool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool2d(minigrad.tensor([[[7.]]]), minigrad.tensor([[[2]]]), 2)
    tensor([[[0., 0.],
             [7., 0.]]])
    """
def max_unpool3d(input: Tensor, indices: Any, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, output_size: Any = None) -> Tensor:
    """Zeros with ``input`` at the ``indices`` of ``max_pool3d``: ``(N, C, D, H, W)`` or ``(C, D, H, W)``; see ``max_unpool1d``.

    >>> import minigrad
    >>> minigrad.nn.functional.max_unpool3d(minigrad.tensor([[[[7.]]]]), minigrad.tensor([[[[1]]]]), (1, 1, 2))
    tensor([[[[0., 7.]]]])
    """
def mish(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """``input * tanh(softplus(input))``.

    Shape and dtype stay, for floating dtypes.

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
    """Same as ``channel_shuffle``.

    >>> import minigrad
    >>> minigrad.native_channel_shuffle(minigrad.arange(4.).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
from ..nn._functional.losses import nll_loss as nll_loss
def normalize(input: Tensor, p: Any = ..., dim: Any = 1, eps: Any = ..., out: Any = None) -> Tensor:
    """``input`` divided by its ``p``-norms along ``dim``, or by ``eps`` where they are less.

    >>> import minigrad
    >>> minigrad.nn.functional.normalize(minigrad.tensor([[3., 4.]]))
    tensor([[0.6000, 0.8000]])
    """
def one_hot(input: Tensor, num_classes: Any = -1) -> Tensor:
    """For each class in ``input`` a vector with a one in that place: (...) -> (..., num_classes), of int64.

    Raises RuntimeError for other dtypes than int64, and for classes that are negative or too large.

    >>> import minigrad
    >>> minigrad.nn.functional.one_hot(minigrad.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
def pad(input: Tensor, pad: Any, mode: Any = ..., value: Any = None) -> Tensor:
    """``input`` with a border: ``pad`` is (before, after) for the last axis, then for the one before it, and so on.

    ``mode`` is "constant" (``value``, 0 by default), or for the last one to three axes of (N, C, ...) or (C, ...): "reflect",
    "replicate", "circular".  Negative widths cut off.  Raises RuntimeError for widths that do not fit, NotImplementedError for
    other modes.

    >>> import minigrad
    >>> minigrad.nn.functional.pad(minigrad.tensor([[1., 2., 3.]]), (2, 1), "reflect")
    tensor([[3., 2., 1., 2., 3., 2.]])
    """
def pairwise_distance(x1: Any, x2: Any, p: Any = ..., eps: Any = ..., keepdim: builtins.bool = False) -> Tensor:
    """The ``p``-norms of ``x1 - x2 + eps`` along the last axis: (..., D) -> (...).

    >>> import minigrad
    >>> minigrad.pairwise_distance(minigrad.tensor([[1., 2.]]), minigrad.tensor([[4., 6.]]), eps=0.)
    tensor([5.])
    """
def pdist(input: Tensor, p: Any = 2) -> Tensor:
    """The ``p``-norms of the differences of all pairs of rows, in one row: ``(n, m) -> (n (n - 1) / 2)``.

    Raises RuntimeError for other than two dimensions, NotImplementedError for half precision.

    >>> import minigrad
    >>> minigrad.pdist(minigrad.tensor([[0., 0.], [3., 4.], [0., 4.]]))
    tensor([5., 4., 3.])
    """
def pixel_shuffle(input: Tensor, upscale_factor: Any) -> Tensor:
    """Channels moved to pixels, ``(..., C * r * r, H, W) -> (..., C, H * r, W * r)``.

    Raises RuntimeError if the channels are no multiple of the factor's square.

    >>> import minigrad
    >>> minigrad.pixel_shuffle(minigrad.arange(4.).reshape(4, 1, 1), 2)
    tensor([[[0., 1.],
             [2., 3.]]])
    """
def pixel_unshuffle(input: Tensor, downscale_factor: Any) -> Tensor:
    """Pixels moved to channels, ``(..., C, H * r, W * r) -> (..., C * r * r, H, W)``.

    Raises RuntimeError if height or width are no multiples of the factor.

    >>> import minigrad
    >>> minigrad.pixel_unshuffle(minigrad.arange(4.).reshape(1, 2, 2), 2).flatten()
    tensor([0., 1., 2., 3.])
    """
from ..nn._functional.losses import poisson_nll_loss as poisson_nll_loss
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """``input`` where it is positive, else ``weight * input``; a weight per channel (axis 1), or one for all.

    Raises RuntimeError for a number of weights that is not the number of channels.

    >>> import minigrad
    >>> minigrad.prelu(minigrad.tensor([-4., 2.]), minigrad.tensor([0.25]))
    tensor([-1.,  2.])
    """
def relu(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """``max(input, 0)``.

    Shape and dtype stay.

    >>> import minigrad
    >>> minigrad.nn.functional.relu(minigrad.tensor([-1., 2.]))
    tensor([0., 2.])
    """
def relu6(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """``input`` within 0 and 6.

    _Any shape and real dtype; so of all activation functions here, of which those with exponentials want floating dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.relu6(minigrad.tensor([-1., 3., 9.]))
    tensor([0., 3., 6.])
    """
def relu_(input: Tensor) -> Tensor:
    """In-place version of ``relu``; returns the tensor.

    Its shape and dtype stay: raises RuntimeError if the result does not fit.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.relu_() is x
    True
    """
from ..nn._functional.normalization import rms_norm as rms_norm
def rrelu(input: Tensor, lower: builtins.float = ..., upper: builtins.float = ..., training: builtins.bool = False, inplace: builtins.bool = False) -> Tensor:
    """``input`` where it is positive, else times a random number of [``lower``, ``upper``), or their mean unless ``training``.

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
    """``softmax(query @ key.mT * scale + attn_mask) @ value``: (..., L, E), (..., S, E), (..., S, D) -> (..., L, D).

    A mask of bool says which keys a query may look at; ``is_causal`` allows those up to its own place; ``scale`` is one divided by the
    root of E unless given.  With ``enable_gqa`` several heads of the query share one of key and value.  Raises RuntimeError for sizes
    and dtypes that do not fit.

    >>> import minigrad
    >>> x = minigrad.ones(1, 2, 2)
    >>> minigrad.nn.functional.scaled_dot_product_attention(x, x, x)
    tensor([[[1., 1.],
             [1., 1.]]])
    """
def selu(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """``scale * elu(input, alpha)`` with the constants that keep mean 0 and variance 1.

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
    """``1 / (1 + exp(-input))``.

    Shape and dtype stay; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.sigmoid(minigrad.tensor([0., 2.]))
    tensor([0.5000, 0.8808])
    """
def silu(input: Tensor, inplace: builtins.bool = False) -> Tensor:
    """``input * sigmoid(input)``.

    Shape and dtype stay, for floating dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.silu(minigrad.tensor([-1., 0., 2.]))
    tensor([-0.2689,  0.0000,  1.7616])
    """
from ..nn._functional.losses import smooth_l1_loss as smooth_l1_loss
from ..nn._functional.losses import soft_margin_loss as soft_margin_loss
def softmax(input: Tensor, dim: builtins.int | None = None, _stacklevel: builtins.int = 3, dtype: _dtype | None = None) -> Tensor:
    """``exp(input)`` divided by its sum along ``dim``.

    The shape of ``input``, in ``dtype`` if it is given.

    >>> import minigrad
    >>> minigrad.nn.functional.softmax(minigrad.tensor([0., 0., 1.]), dim=0)
    tensor([0.2119, 0.2119, 0.5761])
    """
def softmin(input: Tensor, dim: builtins.int | None = None, _stacklevel: builtins.int = 3, dtype: _dtype | None = None) -> Tensor:
    """The softmax of ``-input``: the smallest element gets the most.

    The shape of ``input``, in ``dtype`` if it is given.

    >>> import minigrad
    >>> minigrad.nn.functional.softmin(minigrad.tensor([0., 0., 1.]), dim=0)
    tensor([0.4223, 0.4223, 0.1554])
    """
def softplus(input: Tensor, beta: Any = ..., threshold: Any = ..., *, out: Any = None) -> Tensor:
    """``log(1 + exp(beta * input)) / beta``; ``input`` itself where ``beta * input > threshold``.

    Any shape; floating dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.softplus(minigrad.tensor([-1., 0., 30.]))
    tensor([ 0.3133,  0.6931, 30.0000])
    """
def softshrink(input: Tensor, lambd: Any = ..., *, out: Any = None) -> Tensor:
    """``input`` moved towards 0 by ``lambd``, and 0 where it is closer.

    Any shape; floating dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.softshrink(minigrad.tensor([-1., 0.2, 2.]))
    tensor([-0.5000,  0.0000,  1.5000])
    """
def softsign(input: Tensor) -> Tensor:
    """``input / (1 + |input|)``.

    Any shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.softsign(minigrad.tensor([-1., 0., 3.]))
    tensor([-0.5000,  0.0000,  0.7500])
    """
def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent.

    Shape and dtype stay; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.tanh(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """
def tanhshrink(input: Tensor) -> Tensor:
    """``input - tanh(input)``.

    Any shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.tanhshrink(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.2384,  0.0000,  0.2384])
    """
def threshold(input: Tensor, threshold: builtins.float, value: builtins.float, inplace: builtins.bool = False) -> Tensor:
    """``input`` where it is greater than ``threshold``, else ``value``.

    Shape and dtype stay.

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
    """The blocks of images as columns: ``(N, C, H, W) -> (N, C * k * l, blocks)``, or without ``N``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.unfold(minigrad.arange(4.).reshape(1, 1, 2, 2), (1, 2))
    tensor([[[0., 2.],
             [1., 3.]]])
    """
def upsample(input: Tensor, size: Any = None, scale_factor: Any = None, mode: Any = ..., align_corners: Any = None) -> Tensor:
    """Deprecated: ``interpolate``.

    >>> import minigrad
    >>> minigrad.nn.functional.upsample(minigrad.tensor([[[1., 2.]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """Deprecated: ``interpolate`` with ``mode="bilinear", align_corners=True``.

    >>> import minigrad
    >>> minigrad.nn.functional.upsample_bilinear(minigrad.tensor([[[[1., 3.]]]]), size=(1, 3))
    tensor([[[[1., 2., 3.]]]])
    """
def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """Deprecated: ``interpolate`` with the nearest elements.

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
