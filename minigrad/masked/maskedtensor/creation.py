"""How masked tensors are made of data and masks."""

from typing import Any

from ... import _api
from ..._api import Tensor
from .core import MaskedTensor, checked

__all__ = ["as_masked_tensor", "masked_tensor"]


def masked_tensor(data: Any, mask: Any, requires_grad: bool = False) -> MaskedTensor:
    """Return a masked tensor of copies of ``data`` and ``mask``, a tensor of bools of the same shape; a leaf of the graph.

    >>> import minigrad
    >>> minigrad.masked.masked_tensor(minigrad.tensor([1., 2.]), minigrad.tensor([True, False]))
    MaskedTensor(
      [  1.0000,       --]
    )
    """
    return MaskedTensor(data, mask, requires_grad)


def as_masked_tensor(data: Tensor, mask: Tensor) -> MaskedTensor:
    """Return ``data`` with a mask, differentiably: gradients reach ``data`` where the mask is True.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.], requires_grad=True)
    >>> minigrad.masked.as_masked_tensor(x, minigrad.tensor([True, False])).sum().backward()
    >>> x.grad
    tensor([1., 0.])
    """
    checked(data, mask)
    # selected, not multiplied: what is behind the mask passes no nan on
    return MaskedTensor._of(_api.where(mask, data, data.detach()), mask.clone())
