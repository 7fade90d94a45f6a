"""``torch.onnx.utils``: names of ``minigrad.onnx`` that programs import from here."""

from . import export, is_in_onnx_export, register_custom_op_symbolic, unregister_custom_op_symbolic
from ._modes import select_model_mode_for_export
from .errors import OnnxExporterError

__all__ = [
    "OnnxExporterError",
    "export",
    "is_in_onnx_export",
    "register_custom_op_symbolic",
    "select_model_mode_for_export",
    "unregister_custom_op_symbolic",
]
