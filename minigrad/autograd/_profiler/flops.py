"""How many floating-point operations an operator takes, told by its class from the shapes of its operands and the values of its parameters."""

from typing import Any

from .recorded_inputs import call_by_names

__all__ = ["flops_of", "mult_adds_of"]


def mult_adds_of(cls: Any, inputs: Any) -> Any:
    """Return the number of pairs of a multiplication and an addition in the products of matrices, vectors or windows of the op ``cls``.

    ``inputs`` are its operands and parameters, as ``describe`` gives them.

    >>> import minigrad
    >>> from minigrad._ops.matmul import MmBackward0
    >>> from minigrad.autograd._profiler.flops import flops_of, mult_adds_of
    >>> from minigrad.autograd._profiler.input_shapes import describe
    >>> mult_adds_of(MmBackward0, [describe(minigrad.ones(2, 3)), describe(minigrad.ones(3, 4))])
    24
    """
    return _count(cls.mult_adds, cls, inputs)


def flops_of(cls: Any, inputs: Any) -> Any:
    """Return the number of operations of the op ``cls``; 0 where none is counted.

    >>> import minigrad
    >>> from minigrad._ops.matmul import MmBackward0
    >>> from minigrad.autograd._profiler.flops import flops_of, mult_adds_of
    >>> from minigrad.autograd._profiler.input_shapes import describe
    >>> flops_of(MmBackward0, [describe(minigrad.ones(2, 3)), describe(minigrad.ones(3, 4))])
    48
    """
    return 2 * mult_adds_of(cls, inputs) + _count(cls.flops, cls, inputs)


def _count(formula, cls, inputs):
    if formula is None:
        return 0
    arity = cls.plan.arity
    given = [*[i.shape for i in inputs[:arity]], *[i.value for i in inputs[arity:]]]
    try:
        return int(call_by_names(formula, cls, given))
    except (IndexError, TypeError, ValueError):
        return 0  # of shapes that do not fit: the operator has refused them
