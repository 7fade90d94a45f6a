"""The families of operators: all of the hot path.

A family turns the class of an op into the function that users call, specialised once, when the class is made: ``unary``, ``binary`` and ``compare``
for elementwise ops, ``view`` and ``views`` for ops that share memory, ``variadic`` for a sequence of operands, ``op`` for all others.  Read ``op.py``
first, then ``elementwise.py``.
"""

from ..saved import is_number
from .elementwise import Binary, Compare, Unary, binary, compare, unary
from .general import Bilinear, Fused, General, Linear, Pointwise, Reduce, Variadic, op, variadic
from .op import (
    NO_CASTS,
    Op,
    array_beside,
    bind,
    casting,
    dispatch_operator,
    fast_classes,
    kernel_error,
    named,
    named_error,
    no_kernel,
    number,
    operand_types,
    own_code,
    parameters,
    record,
    too_many,
)
from .viewing import MultiViewOp, Piece, ViewOp, attach, view, views

__all__ = [
    "NO_CASTS",
    "Bilinear", "Binary", "Compare", "Fused", "General", "Linear", "MultiViewOp", "Op", "Piece", "Pointwise", "Reduce", "Unary", "Variadic", "ViewOp",
    "array_beside", "attach", "binary", "bind", "casting", "compare", "is_number", "named", "named_error", "no_kernel", "number",
    "op", "operand_types", "own_code", "parameters", "fast_classes", "record", "kernel_error", "dispatch_operator", "too_many", "unary", "variadic", "view",
    "views",
]  # fmt: skip
