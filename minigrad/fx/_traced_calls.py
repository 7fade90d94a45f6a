"""How calls of minigrad's functions are noted: as methods or functions, with which arguments by position and which by name.

PyTorch hands a call of its functions in C++ on as it was made. Of those in Python it hands on the arguments by name that have defaults, all of them.
"""

import functools
import inspect

from .. import nn
from .._core.modes import thread_state
from . import _targets

#: Functions outside of ``nn.functional`` that PyTorch has in Python, and that are noted with all their arguments.
_IN_PYTHON = frozenset(["norm", "split", "stft", "unique_consecutive", "unique", "tensordot", "cdist"])


#: Functions that in PyTorch call the method of their name.
_METHODS = frozenset((("torch.nn.functional", "sigmoid"), ("torch.nn.functional", "tanh")))


def method_name(func):
    """The name of the method that a call is noted as: those of tensors, and Python's operators; None where it is a function."""
    if thread_state.operator is not None:
        return thread_state.operator
    place = _targets.public_place(func)
    return place[1] if place is not None and (place[0] == "torch.Tensor" or place in _METHODS) else None


@functools.cache
def _signature(func):
    return inspect.signature(func)


def _is_in_python(func):
    place, name = _targets.public_place(func) or (None, None)
    if place == "torch.nn.functional":
        return getattr(nn.functional, name, None) is func
    return place == "torch.functional" and name in _IN_PYTHON


def as_noted(func, args, kwargs):
    """(args, kwargs) of a call as the node has them."""
    if not _is_in_python(func):
        return args, kwargs
    try:
        bound = _signature(func).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return args, kwargs
    bound.apply_defaults()
    by_position, by_name = [], {}
    for name, parameter in bound.signature.parameters.items():
        value = bound.arguments[name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            by_position.extend(value)
        elif parameter.kind is parameter.VAR_KEYWORD:
            by_name.update(value)
        elif parameter.default is parameter.empty and parameter.kind is not parameter.KEYWORD_ONLY:
            by_position.append(value)
        else:
            by_name[name] = value
    return tuple(by_position), by_name
