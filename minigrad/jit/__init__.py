"""TorchScript's names: decorators and functions that promise the same results hand on what they are given, which runs as the Python that it is.

What there would have to be a TorchScript for, graphs, its code, and files of it, raises NotImplementedError and says so.
"""

import typing
from typing import Final, NamedTuple

from ..futures import Future
from ._annotations import (
    _overload,
    _overload_method,
    annotate,
    export,
    ignore,
    interface,
    is_scripting,
    isinstance,
    script_if_tracing,
    unused,
)
from ._asynchronous import fork, wait
from ._freezing import freeze, optimize_for_inference, run_frozen_optimizations
from ._script import (
    CompilationUnit,
    Error,
    RecursiveScriptClass,
    RecursiveScriptModule,
    ScriptFunction,
    ScriptModule,
    ScriptWarning,
    script,
    script_method,
)
from ._settings import (
    enable_onednn_fusion,
    fuser,
    last_executed_optimized_graph,
    onednn_fusion_enabled,
    optimized_execution,
    set_fusion_strategy,
    strict_fusion,
)  # fmt: skip
from ._storing import export_opnames, jit_module_from_flatbuffer, load, save, save_jit_module_to_flatbuffer
from ._trace import (
    TopLevelTracedModule,
    TracedModule,
    TracerWarning,
    TracingCheckError,
    is_tracing,
    trace,
    trace_module,
)

__all__ = [
    "Attribute", "CompilationUnit", "Error", "Final", "Future", "ScriptFunction", "ScriptModule", "annotate", "enable_onednn_fusion", "export",
    "export_opnames", "fork", "freeze", "fuser", "ignore", "interface", "is_scripting", "is_tracing", "isinstance", "load", "onednn_fusion_enabled",
    "optimize_for_inference", "save", "script", "script_if_tracing", "script_method", "set_fusion_strategy", "strict_fusion", "trace", "trace_module",
    "unused", "wait",
]  # fmt: skip


_script_if_tracing = script_if_tracing


class Attribute(NamedTuple):
    """A value annotated with its TorchScript type.

    >>> import minigrad
    >>> minigrad.jit.Attribute(3, int).value
    3
    """

    value: typing.Any
    type: typing.Any
