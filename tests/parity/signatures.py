"""The public functions that both libraries have, with the parameters that PyTorch says they take: for ``random_calls.py``.

Parameters are those of PyTorch's own schemas of operators, or of the Python function where it is one.
"""

import inspect
import re
from collections import defaultdict
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType
from typing import NamedTuple

import torch
from torch.nn import functional as F

#: Where functions are looked for: the place -> what the names of its schemas begin with.
PLACES = {
    "torch": "",
    "torch.nn.functional": "",
    "torch.linalg": "linalg_",
    "torch.special": "special_",
    "torch.fft": "fft_",
    "torch.sparse": "_sparse_",
    "torch.nn.init": "",
    "torch.nn.utils": "",
    "torch.nn.utils.rnn": "",
    "torch.signal.windows": "",
    "torch.Tensor": "",
}
FUNCTIONS = (BuiltinFunctionType, FunctionType, MethodDescriptorType, type(F.gelu))
#: Functions whose calls would change what comes after them, look outside, or give addresses.
APART = {
    "compile", "const_data_ptr", "data_ptr", "from_file", "hash_tensor", "is_shared", "load", "lobpcg", "map2_", "map_", "module_load", "new",
    "numpy", "record_stream", "register_hook", "register_post_accumulate_grad_hook", "reinforce", "set_", "share_memory_", "storage", "svd_lowrank",
    "pca_lowrank", "to_dlpack", "to_sparse_coo", "untyped_storage", "vmap", "apply_", "from_dlpack", "from_numpy", "frombuffer", "xpu", "ipu", "mtia",
    "cuda", "lu", "multi_head_attention_forward", "thread_safe_generator", "get_device_module", "typename", "storage_type", "as_subclass",
    "triplet_margin_with_distance_loss", "indices", "values", "qscheme", "slice_inverse", "to_padded_tensor", "dense_dim", "index", "resize", "resize_as",
    "smm", "is_vulkan_available", "seed", "sspaddmm", "hspmm", "saddmm", "unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes", "segment_reduce", "resize_as_sparse_",
}  # fmt: skip
APART_ALL = re.compile(
    r"_|set_|get_|use_|is_(anomaly|autocast|warn|deterministic|inference)|sym_|are_|.*(sparse|quantize|cudnn|miopen|mkldnn|fbgemm|nested"
    r"|dequant|q_per|q_scale|q_zero|int_repr|coalesce|_values|_indices|ccol_|crow_|col_i|row_i|rename|refine_names|align_|fused_moving"
    r"|batch_norm_(stats|elemt|gather|backward|update)|names|fake_)"
)
#: The operators of Python, as the functions of ``operator``.
OPERATORS = (
    "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift eq ne lt le gt ge iadd isub imul itruediv ifloordiv imod ipow iand ior "
    "ixor ilshift irshift getitem"
).split()


class Parameter(NamedTuple):
    """One parameter: its name, PyTorch's name for its kind, such as ``Optional[List[int]]``, and how it is passed."""

    name: str
    kind: str
    optional: bool
    by_name: bool = False
    length: int | None = None  # of a list that a number may stand for
    is_out: bool = False


def functions(minigrad):
    """Full name -> its overloads, each a list of parameters, of all functions to call."""
    schemas = defaultdict(list)
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::"):
            schemas[schema.name[6:]].append(schema)
    found = {}
    for place, prefix in PLACES.items():
        theirs, ours = within(torch, place), within(minigrad, place)
        for name in dir(theirs):
            function = getattr(theirs, name)
            if (
                isinstance(function, FUNCTIONS)
                and name not in APART
                and not APART_ALL.match(name)
                and hasattr(ours, name)
            ):
                overloads = of_python(function, schemas[prefix + name]) or of_schemas(schemas[prefix + name])
                if overloads:
                    found[f"{place}.{name}"] = overloads
    for name in OPERATORS:
        second = "Index" if name == "getitem" else "Operand"
        found[f"operator.{name}"] = [[Parameter("self", "Tensor", False), Parameter("other", second, False)]]
    return found


def within(library, place):
    """The module or class of a library that PyTorch calls ``place``."""
    for part in place.split(".")[1:]:
        library = getattr(library, part)
    return library


def of_schemas(schemas):
    """The overloads of an operator that Python can call."""
    overloads = []
    on_tensors = any(s.arguments and str(s.arguments[0].type) == "Tensor" for s in schemas)
    for schema in schemas:
        kinds = [str(a.real_type) for a in schema.arguments]
        named_dims = any(
            "name" in word.lower() for word in (schema.overload_name, *[a.name for a in schema.arguments])
        )
        scripted = (
            on_tensors and kinds and kinds[0] not in ("Tensor", "number", "List[Tensor]", "Optional[Tensor]")
        )
        of_other_devices = schema.overload_name in ("dtype", "dtype_out") and "mm" in schema.name
        if not (
            named_dims
            or scripted
            or of_other_devices
            or "prim" in schema.overload_name
            or any(len(k) == 1 or k == "Any" for k in kinds)
        ):
            overloads.append(
                [
                    Parameter(a.name, kind, a.has_default_value(), a.kwarg_only, a.N, a.is_out)
                    for a, kind in zip(schema.arguments, kinds)
                ]
            )
    return overloads


def of_python(function, schemas):
    """The parameters of a function written in Python, by its annotations; None if it is none, or does not tell."""
    if getattr(function, "__name__", "") == "fn" and "if_true" in (
        closure := inspect.getclosurevars(function).nonlocals
    ):
        function = closure["if_false"]  # one that chooses by a flag: the other has the same parameters
    if not isinstance(function, FunctionType):
        return None
    known = {a.name: str(a.real_type) for schema in schemas for a in schema.arguments}
    known["input"] = known.get("self", "Tensor")
    known["M"] = "int"
    taken = []
    for p in inspect.signature(function).parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) or p.name.startswith("_"):
            return None
        kind = kind_of(p.annotation) or known.get(p.name)
        if kind is None:
            if p.default is p.empty:
                return None
            kind = {bool: "bool", int: "int", float: "float", str: "str"}.get(
                type(p.default), "Optional[Tensor]"
            )
        taken.append(
            Parameter(
                p.name,
                kind,
                p.default is not p.empty,
                p.kind is p.KEYWORD_ONLY,
                2 if "List" in kind else None,
            )
        )
    return [taken] if taken else None


def kind_of(annotation):
    """The kind that an annotation says, in the words of schemas; None if it says none."""
    if annotation is inspect.Parameter.empty:
        return None
    words = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", None)
    words = str(annotation) if words is None or not isinstance(annotation, type) else words
    words = re.sub(r"torch\.|typing\.|_C\.", "", words)
    optional = bool(re.search(r"Optional\[|None", words))
    if "DType" in words or "dtype" in words:
        kind = "ScalarType"
    elif apart := next((k for k in ("Layout", "Device", "Generator") if k.lower() in words.lower()), None):
        kind = apart
    elif re.search(r"[Ll]ist\[Tensor|TensorOrTensors|([Ss]equence|Iterable)\[Tensor", words):
        kind = "List[Tensor]"
    elif re.search(r"List\[|list\[|tuple\[|Broadcasting", words):
        kind = "List[float]" if "float" in words else "List[int]"
    elif "Iterable" in words:
        kind = "List[float]"
    elif "Literal" in words:
        kind = "str"
    else:
        kind = next(
            (k for k in ("Tensor", "bool", "int", "float", "str", "Number") if re.search(rf"\b{k}\b", words)),
            None,
        )
        kind = "number" if kind == "Number" else kind
    return f"Optional[{kind}]" if kind and optional else kind
