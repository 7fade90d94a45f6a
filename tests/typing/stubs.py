"""Writes ``minigrad/_core/tensor.pyi``: the types of Tensor's methods, most of which are bound at import and so unseen by type checkers.

    python tests/typing/stubs.py          writes the file
    python tests/typing/stubs.py --check  fails if it is not up to date
"""

import ast
import inspect
import sys
from pathlib import Path

import minigrad
from minigrad._core import tensor as module

TARGET = Path(minigrad.__file__).parent / "_core" / "tensor.pyi"

#: What methods and properties return, where it is not a Tensor.
RETURNS = {
    "int": "__index__ __int__ __len__ data_ptr dim element_size get_device itemsize nbytes ndim ndimension nelement numel "
    "output_nr storage_offset _version __hash__",
    "float": "__float__",
    "complex": "__complex__",
    "bool": "__bool__ __contains__ allclose equal is_complex is_conj is_contiguous is_cpu is_cuda is_floating_point is_inference "
    "is_leaf is_meta is_neg is_nonzero is_same_size is_shared is_signed is_sparse is_pinned requires_grad retains_grad _is_view",
    "str": "__repr__ __str__ __format__",
    "None": "backward retain_grad __init__",
    "Size": "shape",
    "dtype": "dtype",
    "device": "device",
    "layout": "layout",
    "Iterator[Tensor]": "__iter__",
    "tuple[Tensor, ...]": "unbind split split_with_sizes chunk tensor_split hsplit vsplit dsplit",
    "RemovableHandle": "register_hook register_post_accumulate_grad_hook",
    "np.ndarray": "numpy __array__",
    "Tensor | None": "grad _base",
    "Node | None": "grad_fn",
    "Any": "item tolist size stride type max min sort topk median mode kthvalue aminmax __reduce_ex__ __dlpack__ __class__ "
    "unique unique_consecutive slogdet nonzero new storage untyped_storage cummax cummin __setitem__ __dir__ __array_namespace__ "
    "nanmedian histogram frexp __dlpack_device__",
}
RETURN_OF = {name: kind for kind, names in RETURNS.items() for name in names.split()}
HEAD = '''# Written by tests/typing/stubs.py: do not edit.
from collections.abc import Iterator
from typing import Any

import numpy as np

from .device import device as device
from .device import layout as layout
from .dtypes import dtype as dtype
from .hooks import RemovableHandle
from .node import Node
from .size import Size
'''


def functions():
    """The module's own functions and names, untyped: they are internal."""
    for node in ast.parse(Path(module.__file__).read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield f"def {node.name}(*args: Any, **kwargs: Any) -> Any: ...\n"
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield f"{ast.unparse(target)}: Any\n"


def parameters(function):
    """A function's parameters for the stub; all are of type Any."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        return "self, *args: Any, **kwargs: Any"
    parts, bare_star = [], False
    for i, p in enumerate(signature.parameters.values()):
        if i == 0:
            parts.append("self")
            continue
        if p.kind is p.VAR_POSITIONAL:
            bare_star = True
            parts.append(f"*{p.name}: Any")
        elif p.kind is p.VAR_KEYWORD:
            parts.append(f"**{p.name}: Any")
        else:
            if p.kind is p.KEYWORD_ONLY and not bare_star:
                parts.append("*")
                bare_star = True
            parts.append(f"{p.name}: Any" + (" = ..." if p.default is not p.empty else ""))
    return ", ".join(parts)


def members():
    """The lines of the class."""
    yield "    def __init__(self, *args: Any, **kwargs: Any) -> None: ...\n"
    yield "    def __getattr__(self, name: str) -> Any: ...\n"
    seen = dict(vars(module.Tensor))
    for name in sorted(seen):
        value = seen[name]
        if name in ("__slots__", "__doc__", "__module__", "__new__", "__dict__", "__weakref__", "__init__", "__init_subclass__"):
            continue
        kind = RETURN_OF.get(name, "Tensor")
        if isinstance(value, property):
            yield f"    @property\n    def {name}(self) -> {kind}: ...\n"
            if value.fset is not None:
                yield f"    @{name}.setter\n    def {name}(self, value: Any) -> None: ...\n"
        elif isinstance(value, (staticmethod, classmethod)):
            yield f"    @{type(value).__name__}\n    def {name}(*args: Any, **kwargs: Any) -> Any: ...\n"
        elif inspect.isfunction(value):
            ignore = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
            yield f"    def {name}({parameters(value)}) -> {kind}: ...{ignore}\n"
        elif isinstance(value, type(str.join)) or callable(value):
            yield f"    def {name}(self, *args: Any, **kwargs: Any) -> {kind}: ...\n"
        else:
            yield f"    {name}: {'Any' if value is None else type(value).__name__}\n"


def text():
    """The whole stub."""
    return HEAD + "\n" + "".join(functions()) + "\nclass Tensor:\n" + "".join(members())


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text() != text():
            raise SystemExit(f"{TARGET} is not up to date: run  python tests/typing/stubs.py")
    else:
        TARGET.write_text(text())
