"""Functions that write an operator into a graph of ONNX: they have names here, which libraries import, and raise when they are called."""

from typing import Any

from ..nn import Module
from .errors import OnnxExporterError


def missing(module: Module, name: str) -> Any:
    """A function that stands for ``torch.onnx.<module>.<name>``; raises AttributeError for a name of Python's own."""
    if name[:2] == "__":
        raise AttributeError(f"module 'torch.onnx.{module}' has no attribute '{name}'")

    def refuse(*args, **kwargs):
        raise OnnxExporterError(f"minigrad cannot export to ONNX: it has no torch.onnx.{module}.{name}")

    refuse.__name__ = name
    return refuse
