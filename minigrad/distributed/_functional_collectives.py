"""Names that libraries import from here."""

from typing import Any

from .._api import Tensor
from ._whole import not_spread

__all__ = ["all_to_all_single_autograd", "wait_tensor"]


def wait_tensor(tensor: Tensor) -> Tensor:
    """The tensor: what collectives return is complete."""
    return tensor


def all_to_all_single_autograd(*args: Any, **kwargs: Any) -> Any:
    """Raises NotImplementedError: ``distributed.nn.functional.all_to_all_single`` has a derivative."""
    raise not_spread("all_to_all_single_autograd")
