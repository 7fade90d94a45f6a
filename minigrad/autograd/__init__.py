"""Automatic differentiation: ``backward`` and ``grad``, grad modes, custom Functions."""

from . import graph
from .differentiate import backward, grad
from .function import Function
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = [
    "Function",
    "backward",
    "enable_grad",
    "grad",
    "graph",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
]
