"""What programs ask of ``torch.onnx``: whether an export is under way, its names and errors.  Models cannot be exported yet."""

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._api import _lazy
from .errors import OnnxExporterError

if TYPE_CHECKING:
    from ..version import __version__ as producer_version
    from . import errors as errors
    from . import symbolic_helper as symbolic_helper
    from . import symbolic_opset9 as symbolic_opset9
    from . import symbolic_opset11 as symbolic_opset11
    from ._loading import load as load

    utils: Any  # which imports this package


__all__ = ["OnnxExporterError", "errors", "export", "is_in_onnx_export", "load"]

producer_name = "minigrad"
_registered: dict[Any, Any] = {}

_later = _lazy.places(
    {
        "onnx._loading": "load",
        "onnx.errors": "errors=",
        "onnx.symbolic_helper": "symbolic_helper=",
        "onnx.symbolic_opset11": "symbolic_opset11=",
        "onnx.symbolic_opset9": "symbolic_opset9=",
        "onnx.utils": "utils=",
        "version": "producer_version=__version__",
    }
)

TrainingMode: Any = enum.IntEnum("TrainingMode", "EVAL PRESERVE TRAINING", start=0, module=__name__)
OperatorExportTypes: Any = enum.IntEnum(
    "OperatorExportTypes", "ONNX ONNX_ATEN ONNX_ATEN_FALLBACK ONNX_FALLTHROUGH", start=0, module=__name__
)
TensorProtoDataType: Any = enum.IntEnum(
    "TensorProtoDataType",
    "UNDEFINED FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32 UINT64 COMPLEX64 COMPLEX128 "
    "BFLOAT16 FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2 FLOAT8E5M2FNUZ",
    start=0,
    module=__name__,
)


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


def is_in_onnx_export() -> bool:
    """Whether a model is being exported: False, as none can be.

    >>> import minigrad
    >>> minigrad.onnx.is_in_onnx_export()
    False
    """
    return False


def export(model: Any, *args: tuple[Any, ...], **kwargs: dict[str, Any] | None) -> Any:
    """Raises OnnxExporterError: models cannot be exported to ONNX.

    >>> import minigrad
    >>> minigrad.onnx.export(minigrad.nn.ReLU(), (minigrad.ones(1),), "relu.onnx")
    Traceback (most recent call last):
        ...
    minigrad.onnx.OnnxExporterError: minigrad cannot export ReLU to ONNX: save its state_dict with torch.save, and export it where PyTorch is installed
    """
    raise OnnxExporterError(
        f"minigrad cannot export {type(model).__name__} to ONNX: save its state_dict with torch.save, and export it where PyTorch "
        "is installed"
    )


def register_custom_op_symbolic(
    symbolic_name: str, symbolic_fn: Callable[..., Any], opset_version: int
) -> None:
    """Remember how an operator is to be exported: libraries do so when they are imported.  Raises ValueError for a name without a namespace.

    >>> import minigrad
    >>> minigrad.onnx.register_custom_op_symbolic("mine::double", lambda g, x: None, 9)
    >>> minigrad.onnx.unregister_custom_op_symbolic("mine::double", 9)
    """
    _check(symbolic_name)
    _registered[symbolic_name, opset_version] = symbolic_fn


def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None:
    """Forget how an operator was to be exported.

    >>> import minigrad
    >>> minigrad.onnx.unregister_custom_op_symbolic("mine::double", 9)
    """
    _check(symbolic_name)
    _registered.pop((symbolic_name, opset_version), None)


def _check(name):
    namespace, _, operator = name.partition("::")
    if not (namespace.isidentifier() and operator.isidentifier()):
        raise ValueError(
            f"Failed to register operator {name}. The symbolic name must match the format domain::name, and should start with a "
            "letter and contain only alphanumerical characters"
        )
