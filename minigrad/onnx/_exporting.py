"""``export``: a module is recorded, and what was recorded is written as a model of ONNX."""

import contextlib
import os
import time
import warnings
from collections.abc import Iterator
from typing import Any

from .._api import Tensor
from ..export import Dim, ExportedProgram
from ..export._counted_results import COUNTED, CountingRecording
from ..export._recordings import named, settled
from ..export._running import Run, names_of_inputs
from ..export._saving import save as save_program
from ..export._sizes import Comparison, Size
from ..export._sizes_in_graphs import with_sizes
from ..export.dynamic_shapes import dynamic_sizes
from ..nn import Module
from ..utils import _pytree as pytree
from ..version import __version__
from ._builder import Builder, needed
from ._program import ONNXProgram
from ._simplifying import simplify
from ._tensors import NUMBERS, tensor_proto
from ._translating import Translation
from .errors import OnnxExporterError

#: The opset of a model if none is asked for.
DEFAULT_OPSET = 20
#: The first opset for which operators are written, and the last that was tried.
OLDEST_OPSET, NEWEST_OPSET = 13, 23
#: Since this version of the format nodes may say where they come from.
_IR_VERSION = 10

_under_way = 0


def under_way() -> bool:
    """Whether a model is being exported."""
    return _under_way > 0


@contextlib.contextmanager
def _exporting() -> Iterator[None]:
    global _under_way
    _under_way += 1
    try:
        yield
    finally:
        _under_way -= 1


def export_model(
    model: Any,
    args: Any,
    kwargs: Any,
    *,
    opset: int,
    input_names: Any,
    output_names: Any,
    dynamic_shapes: Any,
    dynamic_axes: Any,
    fold: bool,
    optimize: bool,
    table: Any,
    symbolics: Any,
    custom_opsets: Any,
    verbose: bool,
) -> ONNXProgram:
    """A module or an exported program as an ``ONNXProgram``."""
    needed()
    if not OLDEST_OPSET <= opset <= NEWEST_OPSET:
        raise ValueError(
            f"Unsupported ONNX opset version: {opset}: there are models of opsets {OLDEST_OPSET} to {NEWEST_OPSET}"
        )

    def tell(text):
        if verbose:
            print(f"[minigrad.onnx] {text}")

    with _exporting():
        tell("record the program")
        program, comparison, dims = _record(
            model, args, kwargs, dynamic_shapes, dynamic_axes, input_names, output_names
        )
        tell(
            f"write {sum(n.op.startswith('call') for n in program.graph.nodes)} operators as nodes of ONNX, opset {opset}"
        )
        builder = Builder(opset)
        translation = Translation(
            program, comparison, builder, fold=fold, table=table or {}, symbolics=symbolics
        )
        inputs = translation.inputs(input_names or ())
        translation.body(output_names or ())
        outputs = translation.outputs(output_names or ())
        proto = _model(
            builder,
            inputs,
            outputs,
            dims,
            type(model).__name__,
            {**builder.versions, **(custom_opsets or {})},
        )
        if optimize:
            simplify(proto)
        if not isinstance(model, ExportedProgram):
            with_sizes(program.graph, comparison)
    tell(f"{len(proto.graph.node)} nodes, {len(proto.graph.initializer)} initializers")
    if verbose:
        print(needed().printer.to_text(proto))
    return ONNXProgram(proto, program)


# Recording -------------------------------------------------------------------------------------------------------------------


def _record(model, args, kwargs, dynamic_shapes, dynamic_axes, input_names, output_names):
    """The program, the comparison of its recordings, and for the sizes that may differ their names."""
    kept_sizes = None
    if isinstance(model, ExportedProgram):
        program = model
        args, kwargs = program.example_inputs
        kept_sizes = program._sizes
        model = program.module(check_guards=False)
    if not isinstance(model, Module):
        raise ValueError(f"Expected `mod` to be an instance of `torch.nn.Module`, got {type(model)}.")
    names = names_of_inputs(model, args)
    first = Run(model, args, kwargs, names, CountingRecording())
    if (
        kept_sizes is not None
        and not any(kept_sizes)
        and not any(COUNTED in n.meta for n in first.graph.nodes)
    ):
        return program, Comparison([program.graph]), {}
    if kept_sizes is not None:
        asked, shown = kept_sizes, {}
    elif dynamic_shapes is None and dynamic_axes:
        known = {*(input_names or ()), *(output_names or ())}
        for name in [each for each in dynamic_axes if each not in known]:
            warnings.warn(
                f"Provided key {name} for dynamic axes is not a valid input/output name: its sizes do not differ. "
                "input_names and output_names say what the inputs and outputs are called.",
                stacklevel=4,
            )
        asked, shown = _of_axes(dynamic_axes, first.leaves, input_names or ())
    else:
        asked, shown = _of_shapes(dynamic_shapes, names, args, kwargs)
    runs, asked = settled(model, args, kwargs, names, asked, first)
    comparison = Comparison([run.graph for run in runs], first.recording.decisions.found)
    names_of_sizes = {}
    for leaf, each in enumerate(asked):
        for number, dim in each.items():
            values = tuple(run.leaves[leaf].shape[number] for run in runs)
            names_of_sizes.setdefault(values, shown.get(dim.__name__, dim.__name__))
    return first.program(asked), comparison, names_of_sizes


def _identifier(text, taken):
    """A name that ``Dim`` takes, for a name of any letters."""
    name = "".join(c if c.isalnum() else "_" for c in text) or "dim"
    name = name if name.isidentifier() else f"d_{name}"
    while taken.get(name, text) != text:
        name += "_"
    taken[name] = text
    return name


def _of_axes(dynamic_axes, leaves, input_names):
    """For each leaf the dimensions that ``dynamic_axes`` names."""
    shown: dict[str, str] = {}
    asked: list[Any] = []
    tensors = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
    unnamed = {name: i for i, name in zip(tensors, input_names)}
    by_leaf = {unnamed[name]: (name, axes) for name, axes in dynamic_axes.items() if name in unnamed}
    sizes: dict[str, int] = {}
    for number, leaf in enumerate(leaves):
        name, axes = by_leaf.get(number, ("", {}))
        if not isinstance(axes, dict):
            axes = {axis: f"{name}_dynamic_axes_{k + 1}" for k, axis in enumerate(axes)}
        found = {}
        for axis, text in axes.items():
            size = leaf.shape[axis]
            own = text if sizes.setdefault(text, size) == size else f"{text}_{name}_{axis}"
            found[axis % leaf.dim()] = Dim(_identifier(own, shown))
        asked.append(found)
    return asked, shown


def _of_shapes(dynamic_shapes, names, args, kwargs):
    """For each leaf the dimensions that ``dynamic_shapes`` names: by ``Dim``, by text, or by hints."""
    shown: dict[str, str] = {}
    made: dict[str, Any] = {}

    def dim(wish):
        if isinstance(wish, str):
            return made.setdefault(wish, Dim(_identifier(wish, shown)))
        return wish

    wishes = dynamic_sizes(pytree_of_dims(dynamic_shapes, dim), names, args, kwargs, pytree.tree_leaves)
    return named(wishes), shown


def pytree_of_dims(shapes: Any, dim: Any) -> Any:
    """What ``dim`` makes of each leaf of nested dicts and sequences."""
    if isinstance(shapes, dict):
        return {key: pytree_of_dims(x, dim) for key, x in shapes.items()}
    if isinstance(shapes, (tuple, list)):
        return type(shapes)([pytree_of_dims(x, dim) for x in shapes])
    return dim(shapes)


# The model -------------------------------------------------------------------------------------------------------------------


def _model(builder, inputs, outputs, dims, name, versions):
    onnx = builder.onnx
    graph = onnx.helper.make_graph(
        builder.nodes,
        "main_graph",
        [_info(onnx, x, dims) for x in inputs],
        [_info(onnx, x, dims) for x in outputs],
        [tensor_proto(onnx, name, tensor) for name, tensor in builder.initializers.items()],
    )
    opsets = [onnx.helper.make_opsetid("", builder.opset)]
    opsets += [
        onnx.helper.make_opsetid(domain, versions.get(domain, 1)) for domain in sorted(builder.domains)
    ]
    model = onnx.helper.make_model(
        graph, opset_imports=opsets, producer_name="minigrad", producer_version=__version__
    )
    model.ir_version = max(_IR_VERSION, onnx.helper.find_min_ir_version_for(opsets, ignore_unknown=True))
    model.metadata_props.add(key="module", value=name)
    return model


def _info(onnx, value, dims):
    shape = [size_text(x, dims) if isinstance(x, Size) else x for x in value.shape]
    return onnx.helper.make_tensor_value_info(value.name, NUMBERS[value.dtype], shape)


def size_text(size: Any, dims: Any) -> str:
    """A size that may differ, as a model shows it: ``batch``, ``2*batch``."""
    if not isinstance(size, Size):
        return str(size)
    if size.values_of_runs in dims:
        return str(dims[size.values_of_runs])
    if size.expression is None or size.expression[0] == "axis":
        _, node, axis = size.expression or ("axis", "unknown", 0)
        return f"{node}_dim_{axis}"
    kind, one, other = size.expression
    if kind == "Add" and isinstance(other, int) and other < 0:
        kind, other = "Sub", -other
    signs = {"Add": " + ", "Sub": " - ", "Mul": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**"}
    texts = [size_text(x, dims) for x in (one, other)]
    if kind not in signs:
        return f"{kind.lower()}({texts[0]})"
    inner = [
        f"({t})" if (" " in t and kind != "Add") or (kind == "Pow" and not t.isalnum()) else t for t in texts
    ]
    return signs[kind].join(inner)


# Reports ---------------------------------------------------------------------------------------------------------------------


def verified(program: ONNXProgram, args: Any, kwargs: Any) -> list[str]:
    """A line for each output: by how much it differs from what the exported program computes."""
    expected = pytree.tree_leaves(program.exported_program.module(check_guards=False)(*args, **kwargs))
    expected = [x for x in expected if isinstance(x, Tensor)]
    lines = []
    names = [x.name for x in program.model_proto.graph.output]
    for name, mine, wanted in zip(names, program(*args, **kwargs), expected, strict=True):
        if tuple(mine.shape) != tuple(wanted.shape) or mine.dtype is not wanted.dtype:
            raise OnnxExporterError(
                f"output {name} is {mine.dtype} {list(mine.shape)}, expected {wanted.dtype} {list(wanted.shape)}"
            )
        gap = (mine.double() - wanted.detach().double()).abs()
        largest = float(gap.max()) if gap.numel() else 0.0
        relative = (
            float((gap / wanted.detach().double().abs().clamp(min=1e-30)).max()) if gap.numel() else 0.0
        )
        lines.append(f"{name}: largest absolute difference {largest:.3g}, relative {relative:.3g}")
    return lines


def write_report(program: ONNXProgram, lines: Any, folder: Any) -> str:
    """Write what was exported to a file in Markdown, and return its path."""
    graph = program.model_proto.graph
    kinds: dict[str, int] = {}
    for node in graph.node:
        kinds[node.op_type] = kinds.get(node.op_type, 0) + 1
    path = os.path.join(os.fspath(folder), f"onnx_export_{time.strftime('%Y-%m-%d_%H-%M-%S')}_success.md")
    text = [
        "# Export to ONNX",
        "",
        "## Nodes",
        "",
        *[f"- {kind}: {count}" for kind, count in sorted(kinds.items())],
        "",
    ]
    if lines:
        text += ["## Comparison with the program", "", *[f"- {line}" for line in lines], ""]
    text += ["## Exported program", "", "```", str(program.exported_program), "```", ""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    return path


def save_exported_program(program: ONNXProgram, folder: Any) -> None:
    """Write the exported program to a file."""
    save_program(
        program.exported_program,
        os.path.join(os.fspath(folder), f"onnx_export_{time.strftime('%Y-%m-%d_%H-%M-%S')}.pt2"),
    )


def warn_of_training(model: Any, stacklevel: int) -> None:
    """Say that a module is in training mode."""
    if isinstance(model, Module) and model.training:
        warnings.warn(
            "Exporting a model while it is in training mode. Please ensure that this is intended, as it may lead to different behavior "
            "during inference. Calling model.eval() before export is recommended.",
            UserWarning,
            stacklevel=stacklevel,
        )


def warn_of_changes(program: ExportedProgram, stacklevel: int) -> None:
    """Say what the program writes to: a model of ONNX computes with it, and forgets it."""
    if program._changed:
        warnings.warn(
            f"The program changes {', '.join(program._changed)}. An ONNX model only computes its outputs: each run starts from the "
            "values that were exported or given. To keep a change, return the changed tensor as an output, and pass it as an input.",
            UserWarning,
            stacklevel=stacklevel,
        )


#: Options that make no difference, and their defaults.
_WITHOUT_EFFECT = {
    "profile": (False, "the export is not profiled; minigrad.profiler measures what runs in its block"),
    "export_modules_as_functions": (False, "modules become nodes of one graph"),
    "autograd_inlining": (True, "functions of autograd.Function are always exported as what they call"),
}


def warn_of_options(stacklevel: int, **given: Any) -> None:
    """Say which options have been given that make no difference."""
    for name, value in given.items():
        default, instead = _WITHOUT_EFFECT[name]
        if value != default:
            warnings.warn(f"'{name}' has no effect: {instead}.", UserWarning, stacklevel=stacklevel)
