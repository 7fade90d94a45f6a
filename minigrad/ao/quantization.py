"""The stubs that models have in the places where a quantised one converts; they pass tensors on, as in PyTorch until a model is converted.

Preparing and converting models needs quantised tensors, which minigrad has not.
"""

from typing import Any

from .._api import _lazy
from ..nn import Module

__all__ = ["DeQuantStub", "QuantStub"]


class _Stub(Module):
    def __init__(self, qconfig: Any = None) -> None:
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x: Any) -> Any:
        """``x``."""
        return x


class QuantStub(_Stub):
    """Where a model's input is to be quantised; returns it as it is.

    >>> import minigrad
    >>> minigrad.ao.quantization.QuantStub()(minigrad.ones(2))
    tensor([1., 1.])
    """


class DeQuantStub(_Stub):
    """Where a quantised result is to become a tensor of floating numbers; returns it as it is.

    >>> import minigrad
    >>> minigrad.ao.quantization.DeQuantStub()(minigrad.ones(2))
    tensor([1., 1.])
    """


_lazy.publish_all(globals())
