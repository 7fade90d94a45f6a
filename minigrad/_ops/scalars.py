"""Reading the arguments that are numbers: PyTorch takes NumPy's numbers and 0-dim tensors for them, and they promote nothing."""

import numpy as np

from .._base.errors import check_integer_range, type_name
from .._core.tensor import Tensor

__all__ = []

_PYTHONS = {bool, int, float, complex}


def as_scalar(value, function, argument, position):
    """``value`` as a Python number; raises TypeError for what is none, OverflowError for an integer of more than 64 bits."""
    found = number_of(value)
    if found is None:
        raise TypeError(f"{function}(): argument '{argument}' (position {position}) must be Number, not {type_name(value)}")
    if found.__class__ is int:
        check_integer_range(found)
    return found


def as_real(value, function, argument, position):
    """``value`` as a float or an int; raises TypeError for what is none."""
    if value.__class__ is float:
        return value
    found = number_of(value)
    if found is None or found.__class__ is complex:
        raise TypeError(f"{function}(): argument '{argument}' (position {position}) must be float, not {type_name(value)}")
    if found.__class__ is int:
        check_integer_range(found)
    return found


def as_limit(value, function, argument, position):
    """Like ``as_scalar``, where a complex number has no meaning: RuntimeError."""
    found = as_scalar(value, function, argument, position)
    if found.__class__ is complex:
        if found.imag:
            raise RuntimeError("value cannot be converted to type double without overflow")
        return found.real
    return found


def number_of(value):
    """The Python number that ``value`` is taken for, or None."""
    if value.__class__ in _PYTHONS:
        return value
    if isinstance(value, Tensor):
        return value.item() if not value.dim() and not value.requires_grad else None
    if isinstance(value, np.number):
        return value.item()
    if isinstance(value, np.bool_):  # PyTorch calls its __float__
        return float(value)
    return value if isinstance(value, int | float | complex) else None
