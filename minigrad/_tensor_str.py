"""What makes the text of a tensor, for libraries that write texts of their own: ``torch._tensor_str``."""

from ._base.dtypes import bfloat16
from ._display.tensor_text import PRINT_OPTS as PRINT_OPTS
from ._display.tensor_text import entries_text, get_printoptions, printoptions, set_printoptions

__all__ = ["get_printoptions", "printoptions", "set_printoptions"]


def _str(self, *, tensor_contents=None):
    """The text of a tensor, ``repr``."""
    return type(self).__repr__(self, tensor_contents=tensor_contents)


_str_intern = _str


def _tensor_str(self, indent):
    """The text of a tensor's elements alone, in brackets; lines after the first are indented."""
    return entries_text(
        self.detach().float().numpy() if self.dtype is bfloat16 else self.detach().numpy(), indent
    )
