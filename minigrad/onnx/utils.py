"""``torch.onnx.utils``: names of ``minigrad.onnx`` that programs import from here."""

import contextlib
from collections.abc import Iterator
from typing import Any

from . import export, is_in_onnx_export, register_custom_op_symbolic, unregister_custom_op_symbolic
from .errors import OnnxExporterError

__all__ = [
    "OnnxExporterError",
    "export",
    "is_in_onnx_export",
    "register_custom_op_symbolic",
    "select_model_mode_for_export",
    "unregister_custom_op_symbolic",
]


@contextlib.contextmanager
def select_model_mode_for_export(model: Any, mode: str) -> Iterator[Any]:
    """Inside, the model is in the mode of an export: evaluation or training; None, or ``TrainingMode.PRESERVE``, leaves it as it is.

    >>> import minigrad
    >>> model = minigrad.nn.ReLU()
    >>> with minigrad.onnx.utils.select_model_mode_for_export(model, minigrad.onnx.TrainingMode.EVAL):
    ...     model.training
    False
    >>> model.training
    True
    """
    from . import TrainingMode

    was = getattr(model, "training", False)
    if mode in (TrainingMode.EVAL, TrainingMode.TRAINING):
        model.train(mode is TrainingMode.TRAINING)
    try:
        yield
    finally:
        if mode in (TrainingMode.EVAL, TrainingMode.TRAINING):
            model.train(was)
