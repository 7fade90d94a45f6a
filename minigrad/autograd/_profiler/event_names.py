"""What a profile calls operators: by PyTorch's names, and from the outside in where PyTorch tells a function from the step of it that does the work.

An operator's class says them as ``event``, where they are not the function's name and that of ``aten``.
"""

from ..._ops.aten import aten_name

__all__ = [
    "MEMORY_EVENT_NAME",
    "OUT_OF_MEMORY_EVENT_NAME",
    "class_of",
    "is_hidden",
    "is_shown_line",
    "names_of",
    "overload_of",
    "rewritten",
]

MEMORY_EVENT_NAME = "[memory]"
OUT_OF_MEMORY_EVENT_NAME = "[OutOfMemory]"

_known: dict = {}
_classes: dict = {}  # the id of each tuple of names -> the class of the op that they are the names of


def names_of(cls, operands, params, writes):
    """The names of one application of the op ``cls``, such as ``("aten::softmax", "aten::_softmax")``; ``writes``: in place."""
    key = cls, writes
    found = _known.get(key)
    if found is None:
        found = _names(cls, operands, params, writes)
        if callable(cls.event) or callable(cls.aten):
            key = cls, writes, found
        found = _known.setdefault(key, found)
        _classes[id(found)] = cls
    return found


def class_of(names):
    """The class of the op that ``names_of`` gave these names for: the notes of a profile hold no more than them."""
    return _classes[id(names)]


def _names(cls, operands, params, writes):
    event = cls.event
    if event is None:
        inner = aten_name(cls, operands, params).partition(".")[0]
        outer = cls.function_name()
        names = [outer] if outer == inner else [outer, inner]
    else:
        names = (event if isinstance(event, str) else event(operands, params)).split()
    return (f"aten::{names[0]}_",) if writes else tuple([f"aten::{name}" for name in names])


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
