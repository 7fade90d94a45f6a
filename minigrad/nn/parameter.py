"""``Parameter`` and ``Buffer``: the tensors that modules register."""

from .._api import _Buffer as Buffer
from .._api import _Parameter as Parameter

__all__ = ["Buffer", "Parameter"]
