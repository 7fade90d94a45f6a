"""NumPy's functions as our own operators, where a gradient is wanted: the table of all rules, which are in files by subject."""

from . import numpy_elements, numpy_products, numpy_reductions, numpy_shapes  # noqa: F401  # each enters its rules
from .numpy_rules import FUNCTIONS as FUNCTIONS

__all__ = []
