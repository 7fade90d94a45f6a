"""The type stubs of what minigrad makes at run time: Tensor's methods, the functions of the tensor API, named results.

A signature is read from the function itself; what it returns is a Tensor, unless a table here says otherwise.
"""

import functools
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
import types
from types import NoneType

import minigrad
from minigrad import _api
from minigrad._base import dtypes, publishing, return_types
from minigrad._base.missing import without_missing
from minigrad._base.stub_annotations import FromStub
from minigrad._core import tensor as tensor_module
from minigrad._core.tensor import Tensor

from .kinds import kind_of

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
    "builtins.int | builtins.float | builtins.bool": "item",
    "builtins.tuple[Tensor, Tensor]": "adaptive_max_pool1d_with_indices adaptive_max_pool2d_with_indices adaptive_max_pool3d_with_indices "
    "fractional_max_pool2d_with_indices fractional_max_pool3d_with_indices max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices "
    "gru lstm_cell rnn_relu rnn_tanh std_mean var_mean",
    "builtins.tuple[Tensor, Tensor, Tensor]": "lstm",
    "Iterator[Tensor]": "__iter__",
    "None": "__delitem__ __init__ _lacks __setitem__ __setstate__ backward install_as_torch retain_grad save set_default_dtype set_num_threads "
    "set_printoptions set_rng_state set_anomaly_enabled set_default_device set_deterministic_debug_mode set_float32_matmul_precision "
    "set_num_interop_threads set_warn_always use_deterministic_algorithms uninstall_as_torch",
    "Tensor | None": "grad _base",
    "Any": "_capturing capture compile __dir__ __dlpack__ __dlpack_device__ get_device_module _getattr_of to_dlpack __reduce_ex__ __torch_function__ _backward_hooks _construct _edge _own _post_accumulate_grad_hooks _typed_storage dim_order storage untyped_storage atleast_1d atleast_2d atleast_3d load tolist unique unique_consecutive",
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

#: What the annotations of the functions in gathering modules are made of; the stubs import it.
KNOWN = {
    *"builtins.bool builtins.complex builtins.float builtins.int builtins.list builtins.str builtins.tuple".split(),
    *"Any Callable Generator None Sequence Tensor _device _dtype ...".split(),
}

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
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np

from {top}_base import return_types as _named_results
from {top}_base.device import device as _device
from {top}_base.device import layout as _layout
from {top}_base.device import memory_format as _memory_format
from {top}_base.dtypes import dtype as _dtype
from {top}_base.size import Size as _Size
from {top}_core.hooks import RemovableHandle
from {top}_core.node import Node
"""
DEVICE = "from {top}_base.device import Device as _Device\n"


def parameters(function, method, everywhere=False):
    """A function's parameters for the stub, as text; the first one of a method is ``self``."""
    parts, starred = [], False
    for i, p in enumerate(signature(function).parameters.values()):
        if i == 0 and method:
            parts.append("self")
            continue
        if p.kind is p.KEYWORD_ONLY and not starred:
            parts.append("*")
        starred = starred or p.kind in (p.VAR_POSITIONAL, p.KEYWORD_ONLY)
        stars = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        kind = annotation(p.annotation) or kind_of(function.__name__, p.name, bool(stars), everywhere)
        if p.default is None and not any(each in kind for each in ("None", "Any", "_Device")):
            kind += " | None"
        parts.append(
            f"{stars}{p.name}: {kind}" + ("" if p.default is p.empty else f" = {default(p.default)}")
        )
    return ", ".join(parts)


def signature(function):
    """That of a function as it is written: what a stub says is not taken for that, since it is what is being written."""
    found = inspect.signature(function)
    if not isinstance(function.__annotations__, FromStub):
        return found
    listed = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    return found.replace(parameters=listed, return_annotation=found.empty)


def default(value):
    """A default as text."""
    return repr(value) if isinstance(value, (int, NoneType)) else "..."


def annotation(kind):
    """What a parameter says itself, as text; empty if it says nothing, or what only its module can name."""
    if kind is inspect.Parameter.empty:
        return ""
    text = re.sub(r"minigrad\.|collections\.abc\.|typing\.", "", inspect.formatannotation(kind))
    text = re.sub(r"\b(device|dtype|layout|memory_format)\b", r"_\1", text)
    text = re.sub(r"\b(bool|complex|float|int|list|str|tuple)\b", r"builtins.\1", text)
    return text if {*re.findall(r"[\w.]+", text)} <= KNOWN else ""


def docstring(function, indent):
    """The lines of a function's docstring, and what else its body has."""
    text = inspect.getdoc(function) if function.__doc__ else None
    if not text:
        return " ..."
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = textwrap.indent(f'"""{text}' + ("\n" if "\n" in text else "") + '"""', indent + "    ")
    return f"\n{lines}"


def definition(name, function, method=False, everywhere=False):
    """The lines that define one function or method."""
    indent, first, kind = (
        "    " * method,
        "self" if method else "input: Tensor",
        RETURN_OF.get(name, "Tensor"),
    )
    ways = [(", ".join(filter(None, (first, rest))), kind) for rest, kind in OVERLOADS.get(name, ())]
    if name in WAYS and not method:
        ways = WAYS[name]
    body = docstring(function, indent)
    if ways and not everywhere:
        for listed, kind in ways:
            yield f"{indent}@overload\n{indent}def {name}({listed}) -> {kind}:{body}\n"
    elif name in OPERATORS:
        ignored = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
        yield f"{indent}def {name}(self, other: Any) -> {kind}: ...{ignored}\n"
    else:
        yield f"{indent}def {name}({parameters(function, method, everywhere)}) -> {kind}:{body}\n"


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
            if value.fset is not None and not getattr(value.fset, "refuses", False):
                yield f"    @{name}.setter\n    def {name}(self, value: Any) -> None: ...\n"
        elif isinstance(value, (classmethod, staticmethod)):
            first = "cls, " if isinstance(value, classmethod) else ""
            yield f"    @{type(value).__name__}\n    def {name}({first}*args: Any, **kwargs: Any) -> {kind}: ...\n"
        elif inspect.isfunction(value):
            yield from definition(name, value, method=True)
        elif callable(value):
            yield f"    def {name}(self) -> {kind}: ...\n"
        else:
            kind = "Any" if value is None or isinstance(value, tuple) else f"builtins.{type(value).__name__}"
            yield f"    {name}: {kind}\n"


def tensor_stub():
    """The stub of ``_core/tensor.py``: its own functions are internal, and stay untyped."""
    yield (IMPORTS + DEVICE).format(top="..")
    yield "\nnew: Any\nPLAIN: Any\n"
    own = {name: value for name, value in vars(tensor_module).items() if inspect.isfunction(value)}
    for name in sorted(own):
        if own[name].__module__ == tensor_module.__name__:
            yield f"def {name}(*args: Any, **kwargs: Any) -> Any: ...\n"
    yield "\nclass Tensor:\n"
    for line in members():
        yield line.replace("generator: Generator | None", "generator: Any")  # whose module imports this one


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


def imported(name, function, package=""):
    """The line that imports a function which is annotated where it is written; empty if it is not, or made there."""
    home = function.__globals__["__name__"]
    if (
        name in RETURN_OF
        or isinstance(function.__annotations__, FromStub)
        or "return" not in function.__annotations__
        or getattr(sys.modules[home], name, None) is not function
    ):
        return ()
    return (
        f"from {'.' * (package.count('.') + 1)}{home.removeprefix(minigrad.__name__ + '.')} import {name} as {name}\n",
    )


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
    yield (IMPORTS + DEVICE).format(top=".") + "from ._api import *\n"
    for found in pkgutil.iter_modules(minigrad.__path__):
        if (
            found.name[0] != "_" and found.name != "engine"
        ):  # the guard against the other project has no names
            yield f"from . import {found.name} as {found.name}\n"
    known = {*api_names(), *(found.name for found in pkgutil.iter_modules(minigrad.__path__))}
    for name in sorted(set(dir(minigrad)) - known):
        if name[0] != "_" and not isinstance(getattr(minigrad, name), types.ModuleType):
            yield from declaration(name, getattr(minigrad, name))
    yield "__version__: builtins.str\n"


def gathered_stub(name):
    """The stub of a module that gathers functions of operators, such as ``nn/functional.py``."""
    module = importlib.import_module(f"{minigrad.__name__}.{name}")
    top = "." * (name.count(".") + 1)
    yield (IMPORTS + DEVICE).format(top=top)
    yield f"from {top}_api import Generator\nfrom {top}_core.tensor import Tensor as Tensor\n\n"
    listed = getattr(module, "__all__", None) or without_missing(
        module, sorted(each for each in dir(module) if each[0] != "_")
    )
    for each in listed:
        value = getattr(module, each)
        if inspect.isfunction(value) and each not in ("Any", "overload"):
            own = f"linalg_{each}" if name == "linalg" and f"linalg_{each}" in return_types.FIELDS else each
            kind = RETURN_OF.get(own)
            line = () if kind else imported(each, value, name)
            if line and value.__globals__["__name__"] != module.__name__:
                yield from line
            else:
                text = "".join(definition(each, value, everywhere=True))
                wanted = kind or annotation(signature(value).return_annotation) or "Tensor"
                yield text.replace(f"-> {RETURN_OF.get(each, 'Tensor')}:", f"-> {wanted}:", 1)
        elif isinstance(value, type) and value.__module__.startswith(minigrad.__name__) and each != "Tensor":
            yield f"class {each}({value.__base__.__name__}): ...\n"
    for each in sorted(getattr(module, "_later", ())):
        if each[0] == "_":
            yield f"{each}: Any\n"


def device_stub(name):
    """The stub of a package of devices, such as ``cuda``: much of it is made for several packages alike."""
    module = importlib.import_module(f"{minigrad.__name__}.{name}")
    yield (IMPORTS + DEVICE).format(top="..")
    yield "from .._api import Generator\nfrom .._core.tensor import Tensor as Tensor\n\n"
    for each in without_missing(module, sorted(each for each in dir(module) if each[0] != "_")):
        value = getattr(module, each)
        if isinstance(value, types.ModuleType):
            if value.__name__ == f"{module.__name__}.{each}":
                yield f"from . import {each} as {each}\n"
        elif inspect.isfunction(value) and value.__module__.startswith(minigrad.__name__):
            kind = (
                "builtins.bool" if each[:3] == "is_" else "builtins.int" if each[-6:] == "_count" else "Any"
            )
            kind = annotation(signature(value).return_annotation) or kind
            yield "".join(definition(each, value, everywhere=True)).replace("-> Tensor:", f"-> {kind}:", 1)
        elif isinstance(value, type) and value.__module__.startswith(minigrad.__name__) and each != "Tensor":
            yield f"class {each}:{docstring(value, '').removesuffix(' ...')}\n"
            yield "    def __init__(self, *args: Any, **kwargs: Any) -> None: ...\n"
            yield "    def __getattr__(self, name: builtins.str) -> Any: ...\n"
            if hasattr(value, "__enter__"):
                yield "    def __enter__(self) -> Any: ...\n    def __exit__(self, *exc: Any) -> None: ...\n"
        elif value.__class__.__module__ != "typing" and not isinstance(value, type):
            yield f"{each}: Any\n"


def utils_stub():
    """The stub of ``utils``: a file that imported all of it would close circles."""
    module = importlib.import_module(f"{minigrad.__name__}.utils")
    yield "from typing import Any\n\n"
    for name in module._SUBMODULES:
        yield f"from . import {name} as {name}\n"
    yield "from ._swapping import swap_tensors as swap_tensors\n"
    yield "".join(definition("set_module", module.set_module)).replace("-> Tensor", "-> None")


STUBS = {
    "_core/tensor.pyi": tensor_stub,
    "_base/return_types.pyi": results_stub,
    "_api.pyi": api_stub,
    "__init__.pyi": package_stub,
    "utils/__init__.pyi": utils_stub,
    **{
        f"{name}/__init__.pyi": functools.partial(device_stub, name)
        for name in ("accelerator", "cuda", "mtia", "xpu")
    },
    **{
        f"{name.replace('.', '/')}.pyi": functools.partial(gathered_stub, name)
        for name in ("fft", "linalg", "special", "nn.functional")
    },
}


def files():
    """The stubs, below the package, each with its text."""
    for name, stub in STUBS.items():
        yield name, "".join(stub())
