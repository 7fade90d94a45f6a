"""What ``repr`` says of a tensor."""

import numpy as np

from .._arrays.rounding import numbers
from .._base import dtypes
from .._core import late
from .._core.modes import thread_state
from .._core.overriding import blocked
from .._core.tensor import Tensor
from .._display.tensor_html import tensor_html
from .._display.tensor_text import tensor_text
from .convert import in_format

__all__: list[str] = []
METHODS = "__repr__ _repr_html_=html_of"


def __repr__(self, *, tensor_contents=None):
    if thread_state.levels and self._node is not None:
        return late.text_inside(self)
    return describe(self, contents=tensor_contents)


def html_of(self):
    """HTML for a notebook, in which the text is that of ``repr``; a subclass is not asked.

    >>> import minigrad
    >>> html = minigrad.ones(2, 3)._repr_html_()
    >>> "[2, 3]" in html and "float32" in html and "24 B" in html
    True
    """
    with blocked():
        return tensor_html(self)


def describe(tensor, *more, contents=None):
    """The text of a tensor, PyTorch's to the character; ``more`` is what is said of it at the end, ``contents`` stands for its elements."""
    suffixes = []
    try:
        made_by = tensor.grad_fn
        name = None if made_by is None else type(made_by).__name__
    except RuntimeError:  # a view that was modified in a way that is forbidden
        name = "Invalid"
    if name is not None:
        suffixes.append(f"grad_fn=<{name}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    array = tensor._array
    dtype = tensor.dtype
    array = numbers(array) if dtype is not dtypes.bfloat16 else in_format(array, np.dtype("float32"), None)
    prefix = "tensor(" if type(tensor) is Tensor else f"{type(tensor).__name__}("
    return tensor_text(
        array,
        dtype_name=dtype.name,
        default_dtype_name=dtypes.get_default_dtype().name,
        suffixes=(*suffixes, *more),
        prefix=prefix,
        contents=contents,
    )
