"""The inputs of operators as PyTorch's functions take them, from those that are noted: operands, then parameters."""

from .input_shapes import Input, describe

__all__ = ["inputs_of", "inputs_of_call"]

#: Functions that make tensors of a size: after it, PyTorch's take dtype, layout, device and whether the memory is pinned.
_OF_A_SIZE = {f"aten::{name}" for name in ("ones", "rand", "randn", "zeros")}


def inputs_of_call(name, snapshots):
    """The inputs of a function that is no operator here."""
    if name in _OF_A_SIZE and snapshots and all(isinstance(n.value, (int, list, tuple)) for n in snapshots):
        size = (
            snapshots[0].value
            if len(snapshots) == 1 and not isinstance(snapshots[0].value, int)
            else [n.value for n in snapshots]
        )
        return [describe(list(size)), *[describe(None)] * 4]
    return snapshots


def inputs_of(cls, name, snapshots):
    """The inputs of the function or step ``name`` of the op ``cls``, of which ``snapshots`` are the descriptions."""
    if cls.inputs is None or not snapshots:
        return snapshots
    taken = call_by_names(cls.inputs, cls, snapshots, name=name.removeprefix("aten::").rstrip("_"))
    return [x if isinstance(x, Input) else describe(x) for x in taken]


def call_by_names(function, cls, values, **more):
    """A function that the class of an op has, of those of its operands and parameters (``values``) that it mentions; None for what there is not."""
    known = dict(zip((*cls.plan.operands, *cls.plan.params), values), **more)
    code = function.__code__
    return function(*[known.get(name) for name in code.co_varnames[: code.co_argcount]])
