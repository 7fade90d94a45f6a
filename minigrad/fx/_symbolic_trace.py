"""``symbolic_trace``: from a module or function to a ``GraphModule``; and the names of tracing under PyTorch's path."""

from collections.abc import Callable
from typing import Any

from ..nn import Module
from ._patching import _maybe_revert_all_patches as _maybe_revert_all_patches
from ._patching import _wrapped_fns_to_patch as _wrapped_fns_to_patch
from ._patching import _wrapped_methods_to_patch as _wrapped_methods_to_patch
from ._tracer import (
    PH,
    PHBase,
    PHWithMeta,
    ProxyableClassMeta,
    Tracer,
    is_fx_symbolic_tracing,
    is_fx_tracing,
    wrap,
)
from ._tracer import _assert_is_none as _assert_is_none
from .graph_module import GraphModule

__all__ = [
    "PH",
    "PHBase",
    "PHWithMeta",
    "ProxyableClassMeta",
    "Tracer",
    "is_fx_symbolic_tracing",
    "is_fx_tracing",
    "symbolic_trace",
    "wrap",
]


def symbolic_trace(root: Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None) -> Any:
    """Trace a module or function and return an equivalent ``GraphModule``.

    ``concrete_args`` fixes parameters (see ``Tracer.trace``), which must then have these values in every call.

    >>> import minigrad
    >>> def scale(x, positive):
    ...     return x * 2 if positive else x * -2
    >>> traced = minigrad.fx.symbolic_trace(scale, concrete_args={"positive": True})
    >>> traced(minigrad.tensor([1.]), True)
    tensor([2.])
    >>> def total(inputs):
    ...     return inputs["a"] + inputs["b"]
    >>> PH = minigrad.fx.PH
    >>> minigrad.fx.symbolic_trace(total, concrete_args={"inputs": {"a": PH, "b": PH}})({"a": 1, "b": 2})
    3
    """
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
