"""Operators of an operator set of ONNX, as libraries name them: calling one raises OnnxExporterError."""

from ._symbolics import missing


def __getattr__(name):
    return missing("symbolic_opset11", name)
