"""Custom Functions: the names that programs import from here; what they are is in the modules named below."""

from typing import Any

from .._base import lazy as _lazy
from .._base.missing import getattr_of as _getattr_of
from ._legacy.legacy_function import InplaceFunction, NestedIOFunction, traceable
from ._legacy.legacy_function import _iter_filter as _iter_filter
from ._legacy.legacy_function import _iter_None_tensors as _iter_None_tensors
from ._legacy.legacy_function import _iter_tensors as _iter_tensors
from ._legacy.legacy_function import _iter_tensors_permissive as _iter_tensors_permissive
from ._legacy.legacy_function import _map_tensor_data as _map_tensor_data
from ._legacy.legacy_function import _nested_map as _nested_map
from ._legacy.legacy_function import _unflatten as _unflatten
from .custom_function import AUTOGRAD_FUNCTION_COUNTER as AUTOGRAD_FUNCTION_COUNTER
from .custom_function import Function, FunctionMeta, once_differentiable
from .custom_function import _is_setup_context_defined as _is_setup_context_defined
from .custom_function import _SingleLevelFunction as _SingleLevelFunction
from .function_backward import BackwardCFunction
from .function_context import FunctionCtx
from .function_context import _HookMixin as _HookMixin

#: The name that ``FunctionCtx`` had when it was a mixin; old pickles know it.
_ContextMethodMixin = FunctionCtx

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "NestedIOFunction",
    "once_differentiable",
    "traceable",
]
_lazy.publish_all(globals())
__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
_lazy.answer_for_sources(globals())
