"""What a profile calls operators: by PyTorch's names, and from the outside in where PyTorch tells a function from the step of it that does the work."""

from ..._core.aten import aten_name

__all__ = ["names_of"]

#: The name of an op's function here -> in PyTorch, where users call another one.
_CALLED = {
    "to_copy": "to",
    "prelu_kernel": "prelu",
    "native_batch_norm": "batch_norm",
    "native_layer_norm": "layer_norm",
    "native_group_norm": "group_norm",
    "safe_softmax": "_safe_softmax",
    "reshape_alias": "_reshape_alias",
}
#: Ops whose names depend on their operands.
_VARYING = {"linear", "matmul", "convolution"}

_known: dict = {}


def names_of(cls, operands, params, writes):
    """The names of one application of the op ``cls``, such as ``("aten::softmax", "aten::_softmax")``; ``writes``: in place."""
    key = cls, writes
    found = _known.get(key)
    if found is None:
        found = _names(cls, operands, params, writes)
        if cls.function_name() not in _VARYING:
            _known[key] = found
    return found


def _names(cls, operands, params, writes):
    outer = cls.function_name()
    if outer == "convolution":
        transposed = "_transpose" if params[3] else ""
        return f"aten::conv{transposed}{operands[0].ndim - 2}d", "aten::convolution"
    inner = aten_name(cls, operands, params).partition(".")[0]
    outer = _CALLED.get(outer, outer)
    if writes:
        return (f"aten::{outer}_",)
    return (f"aten::{outer}",) if outer == inner else (f"aten::{outer}", f"aten::{inner}")
