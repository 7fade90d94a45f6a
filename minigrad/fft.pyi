# Written by `python -m tests.generate`: do not edit.
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np

from ._base import return_types as _named_results
from ._base.device import device as _device
from ._base.device import layout as _layout
from ._base.device import memory_format as _memory_format
from ._base.dtypes import dtype as _dtype
from ._base.size import Size as _Size
from ._core.hooks import RemovableHandle
from ._core.node import Node
from ._base.device import Device as _Device
from ._api import Generator
from ._core.tensor import Tensor as Tensor

def fft(input: Tensor, n: Any = None, dim: Any = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the discrete Fourier transform along ``dim``, of ``n`` points: the input is cut off or padded with zeros.

    ``norm`` is "backward" (no factor), "ortho" (1/√n) or "forward" (1/n). Raises RuntimeError for an empty dimension.

    >>> import minigrad
    >>> minigrad.fft.fft(minigrad.tensor([1., 0., 0.]))
    tensor([1.+0.j, 1.+0.j, 1.+0.j])
    """
def fft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute ``fftn`` along two dimensions, by default the last two.

    >>> import minigrad
    >>> minigrad.fft.fft2(minigrad.ones(4, 4)).shape
    torch.Size([4, 4])
    """
def fftfreq(n: Any, d: Any = ..., *, out: Any = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the frequencies of an ``fft`` of ``n`` points at distance ``d``, in the order of its results.

    >>> import minigrad
    >>> minigrad.fft.fftfreq(4)
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
def fftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the ``fft`` along several dimensions, by default all, of ``s`` points (-1 keeps a size).

    >>> import minigrad
    >>> minigrad.fft.fftn(minigrad.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """Move frequency 0 to the middle, by default along all dimensions.

    >>> import minigrad
    >>> minigrad.fft.fftshift(minigrad.fft.fftfreq(4))
    tensor([-0.5000, -0.2500,  0.0000,  0.2500])
    """
def hfft(input: Tensor, n: Any = None, dim: Any = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the ``fft`` of a Hermitian-symmetric signal, of which one half is given: ``n`` real numbers.

    >>> import minigrad
    >>> minigrad.fft.hfft(minigrad.tensor([1., 0., 0.]))
    tensor([1., 1., 1., 1.])
    """
def hfft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute ``hfftn`` along two dimensions, by default the last two.

    >>> import minigrad
    >>> minigrad.fft.hfft2(minigrad.ones(4, 4)).shape
    torch.Size([4, 6])
    """
def hfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the ``fftn`` of a Hermitian-symmetric signal, of which one half along the last dimension is given: real numbers.

    >>> import minigrad
    >>> minigrad.fft.hfftn(minigrad.ones(4, 3)).shape
    torch.Size([4, 4])
    """
def ifft(input: Tensor, n: Any = None, dim: Any = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the inverse of ``fft``; here ``norm="backward"`` means a factor of 1/n, "forward" none.

    (..., n, ...) -> (..., n, ...), complex.

    >>> import minigrad
    >>> minigrad.fft.ifft(minigrad.tensor([2., 2.])).real
    tensor([2., 0.])
    """
def ifft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute ``ifftn`` along two dimensions, by default the last two.

    >>> import minigrad
    >>> minigrad.fft.ifft2(minigrad.ones(4, 4)).shape
    torch.Size([4, 4])
    """
def ifftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the inverse of ``fftn``.

    The shape is kept; the result is complex.

    >>> import minigrad
    >>> minigrad.fft.ifftn(minigrad.ones(2, 2))
    tensor([[1.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """Undo ``fftshift``.

    Shape and dtype are kept.

    >>> import minigrad
    >>> minigrad.fft.ifftshift(minigrad.tensor([-1., 0., 1.]))
    tensor([ 0.,  1., -1.])
    """
def ihfft(input: Tensor, n: Any = None, dim: Any = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the inverse of ``hfft``: one half of the ``ifft`` of real numbers.

    >>> import minigrad
    >>> minigrad.fft.ihfft(minigrad.tensor([1., 2., 3.])).shape
    torch.Size([2])
    """
def ihfft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute ``ihfftn`` along two dimensions, by default the last two.

    >>> import minigrad
    >>> minigrad.fft.ihfft2(minigrad.ones(4, 4)).shape
    torch.Size([4, 3])
    """
def ihfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the inverse of ``hfftn``.

    Real input; the last dimension, of size n, becomes n // 2 + 1.

    >>> import minigrad
    >>> minigrad.fft.ihfftn(minigrad.ones(4, 4)).shape
    torch.Size([4, 3])
    """
def irfft(input: Tensor, n: Any = None, dim: Any = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the inverse of ``rfft``: ``n`` real numbers from one half of their transform, by default 2 (m - 1) from m.

    >>> import minigrad
    >>> minigrad.fft.irfft(minigrad.fft.rfft(minigrad.tensor([1., 2., 3.])), n=3)
    tensor([1., 2., 3.])
    """
def irfft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute ``irfftn`` along two dimensions, by default the last two.

    >>> import minigrad
    >>> minigrad.fft.irfft2(minigrad.ones(4, 4)).shape
    torch.Size([4, 6])
    """
def irfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the inverse of ``rfftn``.

    Complex input; the last dimension, of size n, becomes 2 (n - 1), or as ``s`` says.

    >>> import minigrad
    >>> minigrad.fft.irfftn(minigrad.ones(4, 3)).shape
    torch.Size([4, 4])
    """
def rfft(input: Tensor, n: Any = None, dim: Any = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the ``fft`` of real numbers, without the half that is redundant: n points become ``n // 2 + 1``.

    >>> import minigrad
    >>> minigrad.fft.rfft(minigrad.tensor([1., 2., 3.])).shape
    torch.Size([2])
    """
def rfft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute ``rfftn`` along two dimensions, by default the last two.

    >>> import minigrad
    >>> minigrad.fft.rfft2(minigrad.ones(4, 4)).shape
    torch.Size([4, 3])
    """
def rfftfreq(n: Any, d: Any = ..., *, out: Any = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the frequencies of an ``rfft`` of ``n`` points at distance ``d``.

    >>> import minigrad
    >>> minigrad.fft.rfftfreq(4)
    tensor([0.0000, 0.2500, 0.5000])
    """
def rfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Tensor:
    """Compute the ``fftn`` of real numbers, without the redundant half along the last dimension.

    >>> import minigrad
    >>> minigrad.fft.rfftn(minigrad.ones(4, 4)).shape
    torch.Size([4, 3])
    """
