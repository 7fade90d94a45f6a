"""The mode of a module while it is exported."""

import contextlib
import enum
from collections.abc import Iterator
from typing import Any

TrainingMode: Any = enum.IntEnum(
    "TrainingMode", "EVAL PRESERVE TRAINING", start=0, module=__name__.rpartition(".")[0]
)


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
    was = getattr(model, "training", False)
    if mode in (TrainingMode.EVAL, TrainingMode.TRAINING):
        model.train(mode is TrainingMode.TRAINING)
    try:
        yield
    finally:
        if mode in (TrainingMode.EVAL, TrainingMode.TRAINING):
            model.train(was)
