"""What PyTorch's dispatcher calls an operator, such as ``mul.Tensor``: for what shows operators to users who know those names.

A name is that of the function, and after the dot an overload.  Most operators have one, ``default``; PyTorch numbers its nodes by overload
(``SumBackward1`` is ``sum.dim_IntList``), so a class says it as ``aten``.  ``minigrad.ops`` makes callable objects of the names.
"""

import numbers

import numpy as np

from .._core.saved import is_number
from .._core.tensor import Tensor

__all__: list[str] = []  # nothing that users call

def aten_name(cls, operands, params=(), writes=False):
    """The name of one application of the op ``cls``, such as ``mul.Tensor``; ``writes``: in place, ``mul_.Tensor``.

    An op of ours that PyTorch does in several steps (``linear``, ``matmul`` of a stack) has the name of the one that multiplies.
    """
    name = cls.aten
    if name is None:
        name = f"{cls.function_name()}.default"
    elif not isinstance(name, str):
        name = name(operands, params)
    elif name[-1] == "}":
        name, _, asked = name[:-1].partition("{")
        name += _OVERLOADS[asked](operands, params)
    return name if not writes else cls.aten_ or name.replace(".", "_.", 1)


def _by_other(operands, params):
    """Which of the two operands is a number."""
    x, y = map(_is_number, operands[:2])
    return "Scalar_Tensor" if x else "Scalar" if y else "Tensor"


def _by_each(operands, params):
    """The kinds of both operands."""
    return "_".join(["Scalar" if _is_number(x) else "Tensor" for x in operands])


def _by_both(operands, params):
    """The kinds of both operands, or ``Tensor`` for both."""
    kinds = _by_each(operands, params)
    return "Tensor" if kinds == "Tensor_Tensor" else kinds


def _by_dim(operands, params):
    """Whether the first parameter is a dimension, several, or none."""
    dim = params[0]
    return "default" if dim is None else "dim" if isinstance(dim, int) else "dims"


#: What may stand in braces in a class's ``aten``.
_OVERLOADS = {"other": _by_other, "each": _by_each, "both": _by_both, "dim": _by_dim}


def _is_number(x):
    return is_number(x) if isinstance(x, Tensor) else isinstance(x, (numbers.Number, np.generic))


def aten_arguments(cls, operands, params=()):
    """The arguments of one application of the op ``cls``, in the order of the function that ``aten_name`` tells."""
    given = list(operands if cls.aten_operands is None else cls.aten_operands(*operands))
    while given and given[-1] is None:
        given.pop()
    return (*given, *params)
