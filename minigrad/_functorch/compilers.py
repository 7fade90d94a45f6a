"""Compilers of graphs by the names that ``functorch.compile`` has: those that only hand on or show a graph."""

from collections.abc import Callable
from typing import Any

from ..compiler import _as_it_is
from .aot_autograd import aot_function as aot_function
from .aot_autograd import aot_module as aot_module
from .aot_autograd import make_boxed_func as make_boxed_func

__all__ = ["memory_efficient_fusion", "nop", "print_compile", "ts_compile"]


def nop(fx_g: Any, _: Any = None) -> Any:
    """The graph, as it is."""
    return fx_g


def print_compile(fx_g: Any, _: Any = None) -> Any:
    """The graph, as it is, after its code was printed."""
    print(fx_g.code)
    return fx_g


def ts_compile(fx_g: Any, inps: Any = None) -> Any:
    """Raise NotImplementedError: there is no TorchScript."""
    raise NotImplementedError(
        "ts_compile converts a graph to TorchScript, which minigrad does not have: call the graph itself, or use nop"
    )


def memory_efficient_fusion(fn: Callable[..., Any], **kwargs: Any) -> Any:
    """A function, or the module, that does what ``fn`` does."""
    return fn if hasattr(fn, "parameters") else _as_it_is(fn)
