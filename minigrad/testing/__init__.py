"""What tests of tensor programs are written with: ``assert_close``, ``make_tensor``."""

from .._api import _lazy
from ._comparison import assert_close
from ._creation import make_tensor

__all__ = ["assert_close", "make_tensor"]
_lazy.publish_all(globals())
