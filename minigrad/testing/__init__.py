"""What tests of tensor programs are written with: ``assert_close``, ``make_tensor``; ``assert_allclose`` is the older form."""

from .._api import _lazy
from ._comparison import assert_allclose, assert_close
from ._creation import make_tensor

__all__ = ["assert_allclose", "assert_close", "make_tensor"]
_lazy.publish_all(globals())
