"""Models as files of ONNX: ``export`` writes them, ``load`` reads them; and what programs ask of ``torch.onnx`` besides."""

import enum
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._api import _lazy
from ._modes import TrainingMode, select_model_mode_for_export
from .errors import OnnxExporterError

if TYPE_CHECKING:
    from ..version import __version__ as producer_version
    from . import errors as errors
    from . import operators as operators
    from . import ops as ops
    from . import symbolic_helper as symbolic_helper
    from . import symbolic_opset9 as symbolic_opset9
    from . import symbolic_opset11 as symbolic_opset11
    from . import testing as testing
    from . import verification as verification
    from ._exportable_module import ExportableModule as ExportableModule
    from ._input_observer import InputObserver as InputObserver
    from ._loading import load as load
    from ._program import ONNXProgram as ONNXProgram

    utils: Any  # which imports this package


__all__ = [
    "ExportableModule",
    "InputObserver",
    "ONNXProgram",
    "OnnxExporterError",
    "errors",
    "export",
    "is_in_onnx_export",
    "load",
    "ops",
]

producer_name = "minigrad"
_registered: dict[str, dict[int, Callable[..., Any]]] = {}  # operator -> opset -> function

_later = _lazy.places(
    {
        "onnx._exportable_module": "ExportableModule",
        "onnx._input_observer": "InputObserver",
        "onnx._loading": "load",
        "onnx._program": "ONNXProgram",
        "onnx.errors": "errors=",
        "onnx.operators": "operators=",
        "onnx.ops": "ops=",
        "onnx.symbolic_helper": "symbolic_helper=",
        "onnx.symbolic_opset11": "symbolic_opset11=",
        "onnx.symbolic_opset9": "symbolic_opset9=",
        "onnx.testing": "testing=",
        "onnx.utils": "utils=",
        "onnx.verification": "verification=",
        "version": "producer_version=__version__",
    }
)

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
    """Return whether a model is being exported to ONNX.

    >>> import minigrad
    >>> minigrad.onnx.is_in_onnx_export()
    False
    """
    exporting = sys.modules.get(f"{__name__}._exporting")
    return exporting is not None and exporting.under_way()


def export(
    model: Any,
    args: tuple[Any, ...] = (),
    f: Any = None,
    *,
    kwargs: dict[str, Any] | None = None,
    verbose: bool | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    opset_version: int | None = None,
    dynamo: bool = True,
    external_data: bool = True,
    dynamic_shapes: dict[str, Any] | tuple[Any, ...] | list[Any] | None = None,
    custom_translation_table: dict[Callable[..., Any], Callable[..., Any]] | None = None,
    report: bool = False,
    optimize: bool = True,
    verify: bool = False,
    profile: bool = False,
    dump_exported_program: bool = False,
    artifacts_dir: Any = ".",
    export_params: bool = True,
    keep_initializers_as_inputs: bool = False,
    dynamic_axes: Mapping[str, Mapping[int, str]] | Mapping[str, Sequence[int]] | None = None,
    training: Any = TrainingMode.EVAL,
    operator_export_type: Any = OperatorExportTypes.ONNX,
    do_constant_folding: bool = True,
    custom_opsets: Mapping[str, int] | None = None,
    export_modules_as_functions: Any = False,
    autograd_inlining: bool = True,
) -> Any:
    """Export a module to ONNX: return an ``ONNXProgram``, and write it to the file ``f`` if one is given.

    An ``ExportableModule`` brings its arguments and names. The module is recorded on ``args`` and ``kwargs``, as by ``minigrad.export.export``, in its current mode. Sizes of inputs are dynamic
    if ``dynamic_shapes`` names them, by a ``Dim`` or a string (``{"x": {0: "batch"}}``), or ``dynamic_axes`` by the names in
    ``input_names``; numbers of the program that depend on them are found by recording it with several sizes. ``opset_version`` is 13 to
    23, by default 20. ``export_params`` and ``keep_initializers_as_inputs`` concern the file; ``custom_translation_table`` has functions
    for operators (``torch.ops.mine.double``), which are called like those of ``register_custom_op_symbolic``. ``external_data`` puts
    weights into a file beside it. ``verify`` compares the model with the program under onnxruntime, and raises OnnxExporterError if
    shapes or dtypes differ; ``report`` writes a report to ``artifacts_dir``. With ``dynamo=False`` the module is put into evaluation
    mode, unless ``training`` says otherwise, and None is returned.

    Raises ImportError without the package ``onnx``, UnsupportedOperatorError for an operator that has no ONNX form, ConversionError for
    arguments that have none; both name the line of the program. A UserWarning names the inputs and buffers that the program changes in
    place, which the model does not. ``profile``, ``export_modules_as_functions`` and ``autograd_inlining`` have no effect, and warn if
    they are not left at their defaults.

    >>> import minigrad
    >>> model = minigrad.nn.Sequential(minigrad.nn.Linear(3, 2), minigrad.nn.ReLU()).eval()
    >>> program = minigrad.onnx.export(model, (minigrad.ones(1, 3),))  # doctest: +SKIP
    >>> program  # doctest: +SKIP
    ONNXProgram((input) -> (relu), 2 nodes of Gemm, Relu, 2 initializers)
    """
    from ..export import ExportedProgram
    from . import _exporting

    if operator_export_type != OperatorExportTypes.ONNX:
        raise ValueError("operator_export_type: there are models of ONNX's own operators only")
    _exporting.warn_of_options(
        3,
        profile=profile,
        export_modules_as_functions=export_modules_as_functions,
        autograd_inlining=autograd_inlining,
    )
    exportable = sys.modules.get(f"{__name__}._exportable_module")
    if exportable is not None and isinstance(model, exportable.ExportableModule):
        if not args and kwargs is None:
            args, kwargs = model.example_arguments()
        dynamic_shapes = model.dynamic_shapes() if dynamic_shapes is None else dynamic_shapes
        input_names = model.input_names() if input_names is None else input_names
        output_names = model.output_names() if output_names is None else output_names
    args = args if isinstance(args, tuple) else (args,)
    kwargs = dict(kwargs or {})
    if not isinstance(model, ExportedProgram) and args and isinstance(args[-1], dict) and not dynamo:
        args, kwargs = args[:-1], {**args[-1], **kwargs}
    modern = dynamo or isinstance(model, ExportedProgram)
    if modern:
        _exporting.warn_of_training(model, 3)
        if dynamic_shapes is None and dynamic_axes:
            warnings.warn(
                "# 'dynamic_axes' is not recommended when dynamo=True, and may lead to 'torch._dynamo.exc.UserError: Constraints violated.' "
                "Supply the 'dynamic_shapes' argument instead if export is unsuccessful.",
                UserWarning,
                stacklevel=2,
            )
    else:
        warnings.warn(
            "dynamo=False asks for the exporter of old; models are exported in one way here, and this only sets the mode of the module and returns None",
            DeprecationWarning,
            stacklevel=2,
        )
        if dynamic_shapes:
            raise ValueError(
                "The exporter only supports dynamic shapes through parameter dynamic_axes when dynamo=False."
            )
    mode: Any = TrainingMode.PRESERVE if modern else training
    with select_model_mode_for_export(model, mode):
        program = _exporting.export_model(
            model,
            args,
            kwargs,
            opset=_exporting.DEFAULT_OPSET if opset_version is None else opset_version,
            input_names=input_names,
            output_names=output_names,
            dynamic_shapes=dynamic_shapes,
            dynamic_axes=dynamic_axes,
            fold=do_constant_folding,
            optimize=optimize,
            table=custom_translation_table,
            symbolics=_registered,
            custom_opsets=custom_opsets,
            verbose=bool(verbose),
        )
    _exporting.warn_of_changes(model if isinstance(model, ExportedProgram) else program.exported_program, 3)
    if f is not None:
        program.save(
            f,
            include_initializers=export_params,
            keep_initializers_as_inputs=keep_initializers_as_inputs,
            external_data=external_data and not hasattr(f, "write"),
        )
    lines: list[str] = []
    if verify:
        given = program.exported_program.example_inputs
        lines = _exporting.verified(program, *given)
    if report:
        _exporting.write_report(program, lines, artifacts_dir)
    if dump_exported_program:
        _exporting.save_exported_program(program, artifacts_dir)
    return program if modern else None


def register_custom_op_symbolic(
    symbolic_name: str, symbolic_fn: Callable[..., Any], opset_version: int
) -> None:
    """Register a function that exports an operator from an opset on: ``symbolic_fn(graph, *arguments)``, where ``graph.op`` appends a node
    and returns its output.

    ``graph.op("Mul", x, y)`` takes an operator of ONNX, or ``domain::name``; the last letters of attribute names say their kind:
    ``alpha_f=0.5``, ``axis_i=1``. Raises ValueError for a name without a namespace.

    >>> import minigrad
    >>> minigrad.onnx.register_custom_op_symbolic("mine::double", lambda g, x: None, 9)
    >>> minigrad.onnx.unregister_custom_op_symbolic("mine::double", 9)
    """
    _check(symbolic_name)
    _registered.setdefault(symbolic_name, {})[opset_version] = symbolic_fn


def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None:
    """Remove the registered export function of an operator.

    >>> import minigrad
    >>> minigrad.onnx.unregister_custom_op_symbolic("mine::double", 9)
    """
    _check(symbolic_name)
    _registered.get(symbolic_name, {}).pop(opset_version, None)


def _check(name):
    namespace, _, operator = name.partition("::")
    if not (namespace.isidentifier() and operator.isidentifier()):
        raise ValueError(
            f"Failed to register operator {name}. The symbolic name must match the format domain::name, and should start with a "
            "letter and contain only alphanumerical characters"
        )
