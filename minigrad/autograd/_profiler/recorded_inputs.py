"""The inputs of operators as PyTorch's functions take them, from those that are noted: operands, then parameters."""

from .input_shapes import Input, described

__all__ = ["inputs_of", "inputs_of_call"]

#: Functions that make tensors of a size: after it, PyTorch's take dtype, layout, device and whether the memory is pinned.
_OF_A_SIZE = {f"aten::{name}" for name in ("ones", "rand", "randn", "zeros")}


def inputs_of_call(name, noted):
    """The inputs of a function that is no operator here."""
    if name in _OF_A_SIZE and noted and all(isinstance(n.value, (int, list, tuple)) for n in noted):
        size = (
            noted[0].value
            if len(noted) == 1 and not isinstance(noted[0].value, int)
            else [n.value for n in noted]
        )
        return [described(list(size)), *[described(None)] * 4]
    return noted


def inputs_of(cls, name, noted):
    """The inputs of the function or step ``name`` of the op ``cls``, of which ``noted`` are the descriptions."""
    if cls.inputs is None or not noted:
        return noted
    taken = call_by_names(cls.inputs, cls, noted, name=name.removeprefix("aten::").rstrip("_"))
    return [x if isinstance(x, Input) else described(x) for x in taken]


def call_by_names(function, cls, values, **more):
    """A function that the class of an op has, of those of its operands and parameters (``values``) that it mentions; None for what there is not."""
    known = dict(zip((*cls.plan.operands, *cls.plan.params), values), **more)
    code = function.__code__
    return function(*[known.get(name) for name in code.co_varnames[: code.co_argcount]])
