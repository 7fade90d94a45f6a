"""What a profile calls operators: by PyTorch's names, and from the outside in where PyTorch tells a function from the step of it that does the work."""

from ..._ops.aten import aten_name

__all__ = [
    "MEMORY_EVENT_NAME",
    "OUT_OF_MEMORY_EVENT_NAME",
    "is_hidden",
    "is_shown_line",
    "names_of",
    "overload_of",
    "rewritten",
]

MEMORY_EVENT_NAME = "[memory]"
OUT_OF_MEMORY_EVENT_NAME = "[OutOfMemory]"

#: The name of an op's function here -> in PyTorch, where users call another one.
_CALLED = {
    "to_copy": "to",
    "prelu_kernel": "prelu",
    "native_batch_norm": "batch_norm",
    "native_layer_norm": "layer_norm",
    "native_group_norm": "group_norm",
    "safe_softmax": "_safe_softmax",
    "reshape_alias": "_reshape_alias",
    "conj": "_conj",
    "fold": "col2im",
    "unique2": "_unique2",
}
#: The steps of a function that are no more than calls, inside it and around the one that does the work.
_BETWEEN = {
    "aten::batch_norm": ("aten::_batch_norm_impl_index",),
    "aten::nll_loss_nd": ("aten::nll_loss",),
}
#: What does the work, where that has another name here.
_WITHIN = {
    "aten::max_pool2d": "aten::max_pool2d_with_indices",
    "aten::max_pool3d": "aten::max_pool3d_with_indices",
    "aten::_conj": "aten::_conj",
    "aten::col2im": "aten::col2im",
    "aten::im2col": "aten::im2col",
    "aten::_unique2": "aten::_unique2",
}
#: Ops whose names depend on their operands.
_VARYING = {"linear", "matmul", "convolution", "interpolate"}

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
    if outer == "interpolate":
        return (_upsampling(operands[0].ndim - 2, *params[3:]),)
    inner = f"aten::{aten_name(cls, operands, params).partition('.')[0]}"
    outer = f"aten::{_outermost(cls, outer)}"
    if writes:
        return (f"{outer}_",)
    inner = _WITHIN.get(outer, inner)
    return (outer,) if outer == inner else (outer, *_BETWEEN.get(outer, ()), inner)


def _upsampling(dimensions, mode, antialias):
    exact = "_" if mode == "nearest-exact" or antialias else ""
    return f"aten::{exact}upsample_{mode.replace('-', '_')}{dimensions}d{'_aa' if antialias else ''}"


def _outermost(cls, name):
    if name == "unfold" and cls.__name__.startswith("Im2Col"):
        return "im2col"
    if name == "nll_loss":
        return "nll_loss_nd"
    return _CALLED.get(name, name)


def overload_of(cls, operands, params, writes):
    """The overload of PyTorch's operator that one application of the op ``cls`` is, such as ``Tensor``; empty for the first of a name."""
    overload = aten_name(cls, operands, params, writes).partition(".")[2]
    return "" if overload == "default" else overload


_HIDDEN = {
    MEMORY_EVENT_NAME,
    OUT_OF_MEMORY_EVENT_NAME,
    "profiler::_record_function_enter",
    "profiler::_record_function_enter_new",
    "profiler::_record_function_exit",
    "aten::is_leaf",
    "aten::output_nr",
    "aten::_version",
}


def is_hidden(name):
    """Whether a profile leaves out events of this name, which say nothing about the program."""
    return name in _HIDDEN


def is_shown_line(entry):
    """Whether a stack shows this line: not those that begin a backward pass."""
    inside = [
        ("autograd/__init__", "_make_grads"),
        ("autograd/__init__", "backward"),
        ("torch/tensor", "backward"),
    ]
    return not any(file in entry and function in entry for file, function in inside)


def rewritten(name, with_wildcard=False):
    """A name as events have it; ``with_wildcard``: the steps of a loop all alike, as ``ProfilerStep*``."""
    return "ProfilerStep*" if with_wildcard and name.startswith("ProfilerStep#") else name
