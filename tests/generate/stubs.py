"""The type stubs of what minigrad makes at run time: Tensor's methods, the functions of the tensor API, named results.

A signature is read from the function itself; what it returns is a Tensor, unless a table here says otherwise.
"""

import inspect
import pkgutil
import types

import minigrad
from minigrad import _api
from minigrad._base import dtypes, publishing, return_types
from minigrad._base.missing import without_missing
from minigrad._core import tensor as tensor_module
from minigrad._core.tensor import Tensor

#: What functions, methods and properties return, where it is not a Tensor.
RETURNS = {
    "builtins.bool": "__bool__ __contains__ allclose can_cast equal is_complex is_conj is_contiguous is_floating_point "
    "is_grad_enabled is_inference is_inference_mode_enabled is_leaf is_neg is_nonzero is_same_size is_signed is_storage is_tensor requires_grad "
    "retains_grad _is_view _is_zerotensor is_anomaly_check_nan_enabled is_anomaly_enabled is_distributed is_pinned is_set_to is_shared are_deterministic_algorithms_enabled is_autocast_cache_enabled is_autocast_enabled "
    "is_deterministic_algorithms_warn_only_enabled is_warn_always_enabled set_flush_denormal",
    "builtins.complex": "__complex__",
    "builtins.float": "__float__",
    "builtins.int": "_level_of_user level_of_user __hash__ __index__ __int__ __len__ _version const_data_ptr data_ptr dim element_size get_device get_num_threads get_deterministic_debug_mode get_num_interop_threads "
    "initial_seed itemsize nbytes ndim ndimension nelement numel output_nr seed storage_offset",
    "builtins.str": "__format__ __repr__ _repr_html_ get_float32_matmul_precision storage_type typename",
    "builtins.tuple[Tensor, ...]": "broadcast_tensors chunk dsplit gradient hsplit meshgrid split split_copy split_with_sizes "
    "split_with_sizes_copy tensor_split unbind unbind_copy unravel_index unsafe_chunk unsafe_split unsafe_split_with_sizes vsplit",
    "builtins.tuple[Tensor, Tensor]": "gru lstm_cell rnn_relu rnn_tanh std_mean var_mean",
    "builtins.tuple[Tensor, Tensor, Tensor]": "lstm",
    "Iterator[Tensor]": "__iter__",
    "None": "__delitem__ __init__ _lacks __setitem__ __setstate__ backward install_as_torch retain_grad save set_default_dtype set_num_threads "
    "set_printoptions set_rng_state set_anomaly_enabled set_default_device set_deterministic_debug_mode set_float32_matmul_precision "
    "set_num_interop_threads set_warn_always use_deterministic_algorithms uninstall_as_torch",
    "Tensor | None": "grad _base",
    "Any": "__dir__ __dlpack__ __dlpack_device__ get_device_module _getattr_of to_dlpack __reduce_ex__ __torch_function__ _backward_hooks _construct _edge _own _post_accumulate_grad_hooks _typed_storage dim_order storage untyped_storage atleast_1d atleast_2d atleast_3d item load tolist unique unique_consecutive",
    "Generator": "manual_seed",
    "Generator | None": "thread_safe_generator",
    "Node | None": "_grad_fn creator grad_fn",
    "RemovableHandle": "register_hook register_post_accumulate_grad_hook",
    "_Size": "broadcast_shapes shape",
    "_device": "device get_default_device",
    "_dtype": "dtype get_autocast_dtype get_default_dtype promote_types result_type",
    "_layout": "layout",
    "np.ndarray[Any, Any]": "__array__ numpy",
}
RETURN_OF = {name: kind for kind, names in RETURNS.items() for name in names.split()}
RETURN_OF |= {name: f"_named_results.{name}" for name in return_types.FIELDS}

#: Parameters that mean the same everywhere.
PARAMETERS = {
    "builtins.bool": "accumulate as_tuple create_graph descending equal_nan include_self keepdim largest pin_memory replacement "
    "return_counts return_inverse sorted",
    "_dtype | None": "dtype",
}
PARAMETER_OF = {name: kind for kind, names in PARAMETERS.items() for name in names.split()}

DIM = "dim: builtins.int, keepdim: builtins.bool = ..., *, out: Any = ..."
#: Whose result depends on how they are called: parameters and result of each way.  ``input`` or ``self`` comes first.
OVERLOADS = {
    **{
        name: (
            ("", "Tensor"),
            (DIM, f"_named_results.{name}"),
            ("other: Tensor, *, out: Any = ...", "Tensor"),
        )
        for name in ("max", "min")
    },
    **{name: (("", "Tensor"), (DIM, f"_named_results.{name}")) for name in ("median", "nanmedian")},
    "nonzero": (
        ("*, out: Any = ..., as_tuple: Literal[False] = ...", "Tensor"),
        ("*, as_tuple: Literal[True]", "builtins.tuple[Tensor, ...]"),
    ),
    "size": (("dim: None = ...", "_Size"), ("dim: builtins.int", "builtins.int")),
    "stride": (
        ("dim: None = ...", "builtins.tuple[builtins.int, ...]"),
        ("dim: builtins.int", "builtins.int"),
    ),
    "type": (
        ("dtype: None = ...", "builtins.str"),
        ("dtype: Any, non_blocking: builtins.bool = ...", "Tensor"),
    ),
}
#: Functions that are called in other ways than the method of that name.
WAYS = {
    "where": (
        ("condition: Any", "builtins.tuple[Tensor, ...]"),
        ("condition: Any, input: Any, other: Any, *, out: Any = ...", "Tensor"),
    ),
}

#: Operators of two operands; Python passes them nothing else.
BINARY = "add and div eq floordiv ge gt le lshift lt matmul mod mul ne or pow rshift sub truediv xor"
OPERATORS = {f"__{place}{name}__" for name in BINARY.split() for place in ("", "r", "i")}

SLOTS = {
    "_array": "Any",  # of a batch, or with a tangent, another object
    "_node": "Any",
    "_storage": "Any",
    "_wrapped": "builtins.bool",
    "name": "builtins.str | None",
}
UNSEEN = {
    "__annotations__",
    *"__dict__ __doc__ __firstlineno__ __init__ __init_subclass__ __module__ __new__ __slots__ __static_attributes__".split(),
    "__weakref__",
}

IMPORTS = """import builtins
from collections.abc import Iterator
from typing import Any, Literal, overload

import numpy as np

from {top}_base import return_types as _named_results
from {top}_base.device import device as _device
from {top}_base.device import layout as _layout
from {top}_base.dtypes import dtype as _dtype
from {top}_base.size import Size as _Size
from {top}_core.hooks import RemovableHandle
from {top}_core.node import Node
"""


def parameters(function, method):
    """A function's parameters for the stub, as text; the first one of a method is ``self``."""
    parts, starred = [], False
    for i, p in enumerate(inspect.signature(function).parameters.values()):
        if i == 0 and method:
            parts.append("self")
            continue
        if p.kind is p.KEYWORD_ONLY and not starred:
            parts.append("*")
        starred = starred or p.kind in (p.VAR_POSITIONAL, p.KEYWORD_ONLY)
        stars = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        kind = "Any" if stars else PARAMETER_OF.get(p.name, "Any")
        parts.append(f"{stars}{p.name}: {kind}" + (" = ..." if p.default is not p.empty else ""))
    return ", ".join(parts)


def definition(name, function, method=False):
    """The lines that define one function or method."""
    indent, first, kind = "    " * method, "self" if method else "input: Any", RETURN_OF.get(name, "Tensor")
    ways = [(", ".join(filter(None, (first, rest))), kind) for rest, kind in OVERLOADS.get(name, ())]
    if name in WAYS and not method:
        ways = WAYS[name]
    if ways:
        for listed, kind in ways:
            yield f"{indent}@overload\n{indent}def {name}({listed}) -> {kind}: ...\n"
    elif name in OPERATORS:
        ignored = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
        yield f"{indent}def {name}(self, other: Any) -> {kind}: ...{ignored}\n"
    else:
        yield f"{indent}def {name}({parameters(function, method)}) -> {kind}: ...\n"


def members():
    """The lines of class Tensor."""
    yield "    def __init__(self, *args: Any, **kwargs: Any) -> None: ...\n"
    for name in without_missing(Tensor, sorted(set(vars(Tensor)) - UNSEEN)):
        getattr(Tensor, name)  # from here on the real method, if another stood for it
        value = vars(Tensor)[name]
        kind = RETURN_OF.get(name, "Tensor")
        if name in SLOTS:
            yield f"    {name}: {SLOTS[name]}\n"
        elif isinstance(value, property):
            yield f"    @property\n    def {name}(self) -> {kind}: ...\n"
            if value.fset is not None:
                yield f"    @{name}.setter\n    def {name}(self, value: Any) -> None: ...\n"
        elif isinstance(value, (classmethod, staticmethod)):
            first = "cls, " if isinstance(value, classmethod) else ""
            yield f"    @{type(value).__name__}\n    def {name}({first}*args: Any, **kwargs: Any) -> {kind}: ...\n"
        elif inspect.isfunction(value):
            yield from definition(name, value, method=True)
        elif callable(value):
            yield f"    def {name}(self) -> {kind}: ...\n"
        else:
            yield f"    {name}: {'Any' if value is None else 'builtins.' + type(value).__name__}\n"


def tensor_stub():
    """The stub of ``_core/tensor.py``: its own functions are internal, and stay untyped."""
    yield IMPORTS.format(top="..")
    yield "\nnew: Any\n"
    own = {name: value for name, value in vars(tensor_module).items() if inspect.isfunction(value)}
    for name in sorted(own):
        if own[name].__module__ == tensor_module.__name__:
            yield f"def {name}(*args: Any, **kwargs: Any) -> Any: ...\n"
    yield "\nclass Tensor:\n"
    yield from members()


def results_stub():
    """The stub of ``_base/return_types.py``."""
    yield (
        "from typing import Any\n\nfrom .._core.tensor import Tensor\n\nFIELDS: dict[str, str]\n\ndef __getattr__(name: str) -> Any: ...\n"
    )
    for name, fields in return_types.FIELDS.items():
        size = len(fields.split())
        yield f"\nclass {name}(tuple[{', '.join(['Tensor'] * size)}]):\n"
        for field in fields.split():
            yield f"    @property\n    def {field}(self) -> Tensor: ...\n"


def declaration(name, value):
    """The lines of a stub in ``minigrad/`` for a name and what it stands for."""
    if isinstance(value, (types.ModuleType, type)):
        place = value.__name__ if isinstance(value, types.ModuleType) else place_of(name, value)
        above, _, last = place.removeprefix(minigrad.__name__).rpartition(".")
        if name == last:
            yield f"from {above or '.'} import {last} as {name}\n"
        else:  # only an import under the same name is one for others
            yield f"from {above or '.'} import {last} as _{name}\n{name} = _{name}\n"
    elif inspect.isfunction(value):
        yield from definition(name, value)
    elif isinstance(value, types.UnionType):
        kind = name.lstrip("_")
        yield f"from ._base.device import {kind} as _{name}\n{name} = _{name}\n"
    elif isinstance(value, float):
        yield f"{name}: builtins.float\n"
    else:
        kind = (
            "_dtype"
            if isinstance(value, dtypes.dtype)
            else "None"
            if value is None
            else "Any"
            if name[0] == "_"
            else type(value).__name__
        )
        yield f"{name}: {kind}\n"


def place_of(name, cls):
    """Where a class is written, which it does not say itself: what publishes it knows, or the tables, or its methods."""
    if cls in publishing._sources:
        return f"{publishing._sources[cls][0]}.{cls.__name__}"
    if name in _api._found:
        return ".".join([minigrad.__name__, *_api._found[name]])
    methods = (method for base in cls.__mro__ for method in vars(base).values() if inspect.isfunction(method))
    return f"{next(methods).__globals__['__name__']}.{cls.__name__}"


def api_names():
    """What ``_api`` has, in order: its own names and those it fetches at their first use; not what it only needs itself."""
    names = set(vars(_api)) | set(getattr(_api, "_found", ()))
    for name in sorted(names):
        value = getattr(_api, name)
        foreign = isinstance(value, types.ModuleType) and not value.__name__.startswith(
            minigrad.__name__ + "."
        )
        if not name.startswith("__") and not foreign:
            yield name


def api_stub():
    """The stub of ``_api.py``."""
    yield IMPORTS.format(top=".")
    yield "\n"
    for name in api_names():
        yield from declaration(name, getattr(_api, name))


def package_stub():
    """The stub of ``minigrad`` itself: what ``_api`` has, the dtypes, the submodules and functions from there."""
    yield (
        "import builtins\nfrom typing import Any\n\nfrom ._api import *\nfrom ._base.dtypes import dtype as _dtype\n"
    )
    for found in pkgutil.iter_modules(minigrad.__path__):
        if found.name[0] != "_":
            yield f"from . import {found.name} as {found.name}\n"
    known = {*api_names(), *(found.name for found in pkgutil.iter_modules(minigrad.__path__))}
    for name in sorted(set(dir(minigrad)) - known):
        if name[0] != "_" and not isinstance(getattr(minigrad, name), types.ModuleType):
            yield from declaration(name, getattr(minigrad, name))
    yield "__version__: builtins.str\n"


STUBS = {
    "_core/tensor.pyi": tensor_stub,
    "_base/return_types.pyi": results_stub,
    "_api.pyi": api_stub,
    "__init__.pyi": package_stub,
}


def files():
    """The stubs, below the package, each with its text."""
    for name, stub in STUBS.items():
        yield name, "".join(stub())
