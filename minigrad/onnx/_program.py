"""``ONNXProgram``: a model as ONNX, which can be saved, run and compared."""

import contextlib
import copy
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import _api
from .._api import Tensor
from .._base import dtypes
from .._base.extras import missing_extra
from ..utils import _pytree as pytree
from ._builder import needed
from ._tensors import DTYPES, NUMBERS, tensor_proto
from .errors import OnnxExporterWarning

#: The most bytes of weights that go into the file itself.
_LARGE = 1_500_000_000
#: From how many bytes on a tensor is stored beside the file.
_BESIDE = 256


class ONNXProgram:
    """An ONNX model, as returned by ``minigrad.onnx.export``.

    It is called like the module it was made from, and then computes with ``onnxruntime``. ``model_proto`` is the model as the package
    ``onnx`` represents it, ``exported_program`` the graph that it was made from.
    """

    __module__ = "minigrad.onnx"
    _capture_strategy = (
        "TorchExportNonStrictStrategy"  # what PyTorch calls the way in which programs are recorded
    )

    def __init__(self, model: Any, exported_program: Any) -> None:
        self._proto: Any = model
        self._ir: Any = None
        self._session: Any = None
        self.exported_program = exported_program

    @property
    def model_proto(self) -> Any:
        """The model, an ``onnx.ModelProto``."""
        if self._ir is not None:
            import onnx_ir  # type: ignore[import-not-found,unused-ignore]

            return onnx_ir.serde.serialize_model(self._ir)
        return self._proto

    @property
    def model(self) -> Any:
        """The model as the package ``onnx_ir`` represents it; changes to it change the program. Raises ImportError without that package."""
        if self._ir is None:
            try:
                import onnx_ir  # type: ignore[import-not-found,unused-ignore]
            except ImportError:
                raise ImportError(
                    "ONNXProgram.model needs the package 'onnx_ir', which is not installed; model_proto does not"
                ) from None
            self._ir = onnx_ir.serde.deserialize_model(self._proto)
        return self._ir

    def __repr__(self) -> str:
        graph = self.model_proto.graph
        kinds = sorted({node.op_type for node in graph.node})
        names = ", ".join(x.name for x in graph.input), ", ".join(x.name for x in graph.output)
        return f"ONNXProgram(({names[0]}) -> ({names[1]}), {len(graph.node)} nodes of {', '.join(kinds)}, {len(graph.initializer)} initializers)"

    # Running -----------------------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Sequence[Tensor]:
        """What ``onnxruntime`` computes of these arguments: a tuple of tensors."""
        if self._session is None:
            self.initialize_inference_session()
        import onnxruntime as ort  # type: ignore[import-not-found,import-untyped,unused-ignore]

        fed = {}
        for name, tensor in self._named(args, kwargs):
            number = NUMBERS[tensor.dtype]
            array = (
                (tensor.view(dtypes.int16) if tensor.dtype is dtypes.bfloat16 else tensor)
                .contiguous()
                .numpy()
            )
            fed[name] = ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array, number)
        found = self._session.run_with_ort_values(None, fed)
        return tuple([_tensor(x.numpy()) for x in found])

    def call_reference(self, *args: Any, **kwargs: Any) -> Sequence[Tensor]:
        """Compute the results for these arguments with the reference implementation in the package ``onnx``."""
        from onnx.reference import ReferenceEvaluator  # type: ignore[import-not-found,unused-ignore]

        evaluator = ReferenceEvaluator(self.model_proto)
        found = evaluator.run(None, {name: _array(x) for name, x in self._named(args, kwargs)})
        return tuple([_tensor(x) for x in found])

    def compute_values(
        self, value_names: Sequence[str], args: Any = (), kwargs: Any = None
    ) -> Sequence[Tensor]:
        """Compute the values with these names inside the model with the reference implementation; raise ValueError for an unknown name."""
        onnx = needed()
        from onnx.reference import ReferenceEvaluator  # type: ignore[import-not-found,unused-ignore]

        proto = copy.deepcopy(self.model_proto)
        known = {name for node in proto.graph.node for name in node.output}
        for name in value_names:
            if name not in known:
                raise ValueError(f"Value '{name}' not found in the model. Please provide a valid value name.")
        del proto.graph.output[:]
        proto.graph.output.extend([onnx.ValueInfoProto(name=name) for name in value_names])
        found = ReferenceEvaluator(proto).run(
            None, {name: _array(x) for name, x in self._named(args, kwargs or {})}
        )
        return tuple([_tensor(x) for x in found])

    def _named(self, args, kwargs):
        """The tensors among the arguments, with the names of the inputs."""
        given = _in_order((args, kwargs), self.exported_program.example_inputs)
        leaves = [x.detach() for x in pytree.tree_leaves(given) if isinstance(x, Tensor)]
        initializers = {x.name for x in self.model_proto.graph.initializer}
        names = [x.name for x in self.model_proto.graph.input if x.name not in initializers]
        if len(names) != len(leaves):
            raise ValueError(
                f"the model has {len(names)} inputs ({', '.join(names)}), got {len(leaves)} tensors"
            )
        return [*zip(names, leaves, strict=True)]

    def initialize_inference_session(self, initializer: Callable[[Any], Any] | None = None) -> None:
        """Create the session of ``onnxruntime`` that calls use; ``initializer`` makes one from the bytes of the model."""
        if initializer is None:
            try:
                import onnxruntime as ort  # type: ignore[import-not-found,import-untyped,unused-ignore]
            except ImportError:
                raise missing_extra("Running a model", "onnxruntime", "onnx") from None

            def initializer(model):
                options = ort.SessionOptions()
                options.log_severity_level = 3
                return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])

        self._session = initializer(self.model_proto.SerializeToString())

    def release(self) -> None:
        """Discard the session of ``onnxruntime``."""
        self._session = None

    # Changing ----------------------------------------------------------------------------------------------------------------

    def optimize(self) -> None:
        """Remove superfluous nodes from the graph: those without users, copies, and duplicates."""
        from ._simplifying import simplify

        proto = self.model_proto
        simplify(proto)
        self._proto, self._ir, self._session = proto, None, None

    def apply_weights(self, state_dict: Mapping[str, Tensor]) -> None:
        """Replace the weights of the model, by their names in the state dict; warn with ``OnnxExporterWarning`` for each unknown name."""
        proto = self.model_proto
        places = {x.name: number for number, x in enumerate(proto.graph.initializer)}
        for name, tensor in state_dict.items():
            if name in places:
                proto.graph.initializer[places[name]].CopyFrom(tensor_proto(needed(), name, tensor))
            else:
                warnings.warn(
                    f"Weight '{name}' not found in the model. Skipped applying.",
                    OnnxExporterWarning,
                    stacklevel=2,
                )
        self._proto, self._ir, self._session = proto, None, None

    def rename_axes(self, rename_mapping: Mapping[str, str]) -> None:
        """Rename dynamic sizes.

        The names of inputs and outputs change with those of values inside.
        """
        proto = self.model_proto
        for value in [*proto.graph.input, *proto.graph.output, *proto.graph.value_info]:
            for dim in value.type.tensor_type.shape.dim:
                if dim.dim_param in rename_mapping:
                    dim.dim_param = rename_mapping[dim.dim_param]
        self._proto, self._ir, self._session = proto, None, None

    # Saving ------------------------------------------------------------------------------------------------------------------

    def save(
        self,
        destination: Any,
        *,
        include_initializers: bool = True,
        keep_initializers_as_inputs: bool = False,
        external_data: bool | None = None,
    ) -> None:
        """Write the model to a file.

        With ``external_data``, or if the weights are too large for one file, these go to a file beside it, ``<destination>.data``, and a
        ``destination`` that is not a path raises TypeError. Without ``include_initializers`` the file has no weights; with
        ``keep_initializers_as_inputs`` weights are inputs, which can be given when the model is run.
        """
        onnx = needed()
        proto = copy.deepcopy(self.model_proto)
        weights = [*proto.graph.initializer]
        if keep_initializers_as_inputs:
            proto.graph.input.extend(
                [onnx.helper.make_tensor_value_info(x.name, x.data_type, [*x.dims]) for x in weights]
            )
        if not include_initializers:
            del proto.graph.initializer[:]
        large = sum(len(x.raw_data) for x in proto.graph.initializer) > _LARGE
        is_path = isinstance(destination, (str, os.PathLike))
        if external_data and not is_path:
            raise TypeError(f"external_data needs the path of a file, got {type(destination)}")
        if is_path and (external_data or large):
            path = os.fspath(destination)
            beside = f"{os.path.basename(path)}.data"
            with contextlib.suppress(FileNotFoundError):  # weights are appended to a file that is there
                os.remove(os.path.join(os.path.dirname(path), beside))
            onnx.save_model(proto, path, save_as_external_data=True, location=beside, size_threshold=_BESIDE)
        elif is_path:
            onnx.save_model(proto, os.fspath(destination))
        else:
            destination.write(proto.SerializeToString())


def _array(tensor):
    """A tensor as the reference implementation takes it: bfloat16 of the package ``ml_dtypes``."""
    if tensor.dtype is dtypes.bfloat16:
        onnx = needed()
        return onnx.numpy_helper.to_array(tensor_proto(onnx, "", tensor))
    return tensor.contiguous().numpy()


def _tensor(array):
    """What a runtime returned as a tensor."""
    if str(array.dtype) == "bfloat16":
        return _api.from_numpy(array.view("int16").copy()).view(dtypes.bfloat16)
    return (
        _api.from_numpy(array.copy())
        if getattr(array, "shape", None)
        else _api.tensor(array.item(), dtype=_DTYPE_NAMES[str(array.dtype)])
    )


_DTYPE_NAMES = {str(dtype).rpartition(".")[2]: dtype for dtype in DTYPES.values()}


def _in_order(given, example):
    """Nested arguments with the keys of dicts in the order of the example's."""
    if isinstance(given, dict) and isinstance(example, dict) and given.keys() == example.keys():
        return {key: _in_order(given[key], example[key]) for key in example}
    if type(given) in (tuple, list) and type(example) in (tuple, list) and len(given) == len(example):
        return [_in_order(*pair) for pair in zip(given, example)]
    return given
