"""Errors and warnings of exports to ONNX."""

from typing import Any

__all__ = ["OnnxExporterError", "OnnxExporterWarning", "SymbolicValueError", "UnsupportedOperatorError"]


class OnnxExporterWarning(UserWarning):
    """Warnings of an export."""


class OnnxExporterError(RuntimeError):
    """Errors of an export."""

    __module__ = "minigrad.onnx"

    def _at(self, place: str) -> Any:
        """The same error, which says where in the program."""
        self.args = (f"{self.args[0]}{place}", *self.args[1:])
        return self


class ConversionError(OnnxExporterError):
    """A step of a program that cannot be written as nodes of ONNX."""


class UnsupportedOperatorError(OnnxExporterError):
    """An operator that has no counterpart in an operator set.

    >>> from minigrad.onnx.errors import UnsupportedOperatorError
    >>> print(UnsupportedOperatorError("aten::foo", 9, 11))
    Exporting the operator 'aten::foo' to ONNX opset version 9 is not supported. Support for this operator was added in version 11, try exporting with this version
    """

    def __init__(self, name: str, version: int, supported_version: int | None) -> None:
        text = f"Exporting the operator '{name}' to ONNX opset version {version} is not supported. "
        if supported_version is None:
            text += "Write a function for it, and give it in the `custom_translation_table` of `torch.onnx.export`."
        else:
            text += f"Support for this operator was added in version {supported_version}, try exporting with this version"
        super().__init__(text)


class SymbolicValueError(OnnxExporterError):
    """A value of the graph that an export cannot work with."""

    def __init__(self, msg: str, value: Any) -> None:
        super().__init__(f"{msg}  [Caused by the value '{value}' (type '{type(value).__name__}')]")
