"""Which global name stands for an object of ours in PyTorch's pickles, and the way back.

A checkpoint names functions and classes by module and name (``torch.nn.modules.linear Linear``).  Files must keep
PyTorch's names, so that PyTorch reads ours and we read its.  The module tree here mirrors PyTorch's; what lives
elsewhere is listed in ``elsewhere``.
"""

import functools
import importlib
import sys
from typing import Any

from .. import _utils
from .._base import device, dtypes
from .._base.publishing import own_module, publish
from .._core.tensor import Tensor
from .._ops import storage_classes
from .._ops.random import Generator

PACKAGE = __name__.partition(".")[0]
#: What PyTorch has and minigrad has not; a file that names one of them holds such elements.
MISSING = {
    "float4_e2m1fn_x2", "qint8", "qint32", "quint8", "quint4x2", "quint2x4", "QInt8Storage", "QInt32Storage", "QUInt8Storage",
    "QUInt4x2Storage", "QUInt2x4Storage", "ComplexHalfStorage",
}  # fmt: skip


class StorageType:
    """Stands in a file for a storage class: it says the dtype and can do nothing else."""

    dtype: Any

    def __init__(self, name: str) -> None:
        self.name = name
        self.dtype = dtypes.uint8 if name == "UntypedStorage" else storage_classes.LEGACY[name].dtype

    def __str__(self) -> str:
        return f"StorageType(dtype={self.dtype})"


publish("minigrad.serialization", StorageType)


@functools.cache
def storage_types():
    """(module, name) in PyTorch -> ``StorageType``."""
    types = {name: StorageType(name) for name in (*storage_classes.LEGACY, "UntypedStorage")}
    return {(module, name): kind for name, kind in types.items() for module in ("torch", "torch.storage")}


@functools.cache
def elsewhere():
    """(module, name) in PyTorch -> object, for all whose place here is another."""
    found = {
        ("torch.serialization", "_get_layout"): get_layout,
        ("torch.tensor", "_rebuild_from_type"): _utils._rebuild_from_type,
        ("torch._C", "Generator"): Generator,
    }
    found.update({("torch", name): cls for name, cls in storage_classes.LEGACY.items()})
    return found


@functools.cache
def _names():
    return {id(obj): name for name, obj in elsewhere().items()}


def refuse_missing(module, name):
    """Raise RuntimeError for the name of a dtype or storage class that only PyTorch has."""
    if module == "torch" and name in MISSING:
        raise RuntimeError(f"the file holds elements of type torch.{name}, which minigrad does not have")


def get_layout(name):
    """The layout that prints as ``name``, such as ``"torch.strided"``."""
    found = getattr(device, name.removeprefix("torch."), None)
    if not isinstance(found, device.layout):
        raise KeyError(f"minigrad has no layout {name}")
    return found


def to_torch(obj):
    """The pair (module, name) that PyTorch gives to a class or function of ours; None for what is not ours."""
    name = _names().get(id(obj))
    if name is not None:
        return name
    module, name = own_module(obj), getattr(obj, "__qualname__", getattr(obj, "name", None))
    if not isinstance(module, str) or not isinstance(name, str) or module.partition(".")[0] != PACKAGE:
        return None
    return "torch" + module.removeprefix(PACKAGE), name


def _module(path):
    try:
        return importlib.import_module(f"{PACKAGE}.{path}" if path else PACKAGE)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith(PACKAGE):
            raise  # ours is there, but not what it needs
        return None


def from_torch(module, name):
    """The object of ours for a global name in ``torch``; raises AttributeError if it does not exist.

    A name is looked for in the module of the same path, then in the packages around it.
    """
    refuse_missing(module, name)
    found = storage_types().get((module, name)) or elsewhere().get((module, name))
    if found is not None:
        return found
    path = module.partition(".")[2]
    if path == "_C._nn":
        path = "nn.functional"
    elif path.startswith("_C"):  # the functions of the tensor library itself
        if name in ("_VariableFunctionsClass", "_VariableFunctions"):
            return sys.modules[PACKAGE]
        if name in ("TensorBase", "_TensorBase"):
            return Tensor
        path = ""
    while True:
        found = _module(path)
        for part in name.split(".") if found is not None else ():
            found = getattr(found, part, None)
        if found is not None:
            return found
        if not path:
            break
        path = path.rpartition(".")[0]
    if module == "torch" and name.endswith("Tensor"):
        return Tensor  # the classes of tensors by dtype, which PyTorch 0.1 had
    raise AttributeError(
        f"Can't get attribute '{name}' on module '{module}': minigrad has no counterpart of it"
    )
