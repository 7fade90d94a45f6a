"""Operators of an operator set of ONNX, as libraries name them: calling one raises OnnxExporterError."""

from typing import TYPE_CHECKING

from ._symbolics import missing

if not TYPE_CHECKING:  # a name that is not there is an error

    def __getattr__(name):
        return missing("symbolic_opset9", name)
