"""A pickle machine that makes nothing but containers and descriptions: what ``python -m minigrad inspect`` reads files with.

``Unpickler`` refuses names that it does not know.  Here they stand for themselves: a class or function is a ``Name``, and what a call of it would
return an ``Instance`` that keeps the arguments, the state and the elements.  No name is looked up, so that files can be read whose classes are
not installed or not to be trusted.  Tensors and storages are described by their dtype and sizes; their bytes are not read.
"""

import functools
from pickle import UnpicklingError
from typing import Any

from .._base import dtypes
from . import names
from .loaded_storages import text
from .unpickler import Unpickler, default_globals, modern_name, show


class Name:
    """A class or function by its full name."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path


class Instance:
    """What a call of ``path`` with ``arguments`` would return."""

    __slots__ = ("arguments", "elements", "items", "path", "state")

    def __init__(self, path: str, arguments: tuple[Any, ...]) -> None:
        self.path, self.arguments, self.state = path, arguments, None
        self.items: dict[Any, Any] = {}
        self.elements: list[Any] = []


class Storage:
    """The memory of tensors: its elements' dtype, or the name of one that is not known here, and its size."""

    __slots__ = ("dtype", "key", "nbytes")

    def __init__(self, key: str, dtype: Any, count: int) -> None:
        self.key, self.dtype, self.nbytes = key, dtype, count * getattr(dtype, "itemsize", 1)


class Description:
    """A tensor without its values; ``storage`` is None for one that has none in the file."""

    __slots__ = ("dtype", "shape", "storage")

    def __init__(self, shape: Any, dtype: Any, storage: Storage | None) -> None:
        if type(shape) is not tuple and not isinstance(shape, list):
            raise UnpicklingError(f"not the shape of a tensor: {show(shape)}")
        if not all(type(size) is int and size >= 0 for size in shape):
            raise UnpicklingError("not the shape of a tensor")
        self.shape, self.dtype, self.storage = tuple(shape), dtype, storage


def _of_storage(storage, offset, shape, *rest):
    return Description(shape, storage.dtype, storage)


def _of_storage_and_dtype(storage, offset, shape, strides, requires_grad, hooks, dtype, *rest):
    return Description(shape, dtype, storage)


def _without_storage(dtype, shape, *rest):
    return Description(shape, dtype, None)


@functools.cache
def _describing():
    """What describes the tensor that a function of ``torch._utils`` would make, by the function's name."""
    first = {f"_rebuild_{kind}": lambda data, *rest: data for kind in ("parameter", "parameter_with_state")}
    found = {f"_rebuild_{kind}": _of_storage for kind in ("tensor", "tensor_v2", "qtensor")}
    found |= {"_rebuild_tensor_v3": _of_storage_and_dtype, **first}
    found |= {
        "_rebuild_meta_tensor_no_storage": _without_storage,
        "_rebuild_wrapper_subclass": lambda cls, *rest: _without_storage(*rest),
    }
    return {f"torch._utils.{name}": function for name, function in found.items()}


#: Where the functions that make tensors are.
_MAKING_TENSORS = ("torch._utils", "torch._tensor", "torch.nn.parameter")


class InertUnpickler(Unpickler):
    """Reads one pickle as ``Unpickler`` does, whatever it names; ``named`` collects the names that ``load`` would refuse."""

    def __init__(self, file: Any, *, persistent_load: Any = None, named: dict[str, bool]) -> None:
        super().__init__(file, persistent_load=persistent_load, encoding="latin1")
        self._named = named

    def _find(self, module, name):
        module, name = modern_name(module, name)
        path = f"{module}.{name}"
        found = default_globals().get(path)
        if found is None:
            self._named[path] = True
        return Name(path) if found is None or module in _MAKING_TENSORS else found

    def reduce(self):
        if not isinstance(self._stack[-2], Name):
            return super().reduce()
        arguments, function = self._stack.pop(), self._stack.pop()
        self._stack.append(self._call(function, arguments))

    def _call(self, function, arguments):
        """What stands for the result of a call of a name."""
        if type(arguments) is not tuple:
            raise UnpicklingError(f"arguments of a call must be a tuple, but got {show(arguments)}")
        if function.path == "torch._tensor._rebuild_from_type_v2" and len(arguments) == 4:
            function, arguments = arguments[0], arguments[2]  # a subclass and its attributes are left out
            return self._call(function, arguments)
        describe = _describing().get(function.path)
        return Instance(function.path, arguments) if describe is None else describe(*arguments)

    def _new(self, args, kwargs):
        if not isinstance(self._stack[-1], Name):
            return super()._new(args, kwargs)
        self._stack.append(Instance(self._stack.pop().path, args))

    def build(self):
        instance = self._stack[-2]
        if isinstance(instance, Instance):
            instance.state = self._stack.pop()
        elif isinstance(instance, Description):
            self._stack.pop()  # attributes of a tensor
        else:
            super().build()

    def _list(self, verb):
        target = self._stack[-1]
        return target.elements if isinstance(target, Instance) else super()._list(verb)

    def _dict(self, verb):
        target = self._stack[-1]
        return target.items if isinstance(target, Instance) else super()._dict(verb)

    def persistent(self):
        pid = self._stack[-1]
        if type(pid) is tuple and len(pid) > 1 and text(pid[0]) == "module":
            self._stack[-1] = pid[1]  # a class with its source, in files from before the zip archives
        else:
            super().persistent()

    def additems(self):
        target = self._marks[-1][-1]
        if isinstance(target, Instance):
            target.elements.extend(self._pop_mark())
        else:
            super().additems()


def storage_dtype(kind: Any) -> Any:
    """The dtype of the elements of a storage class as a file names it."""
    if isinstance(kind, Name):
        return kind.path.rpartition(".")[2].removesuffix("Storage").lower()
    if isinstance(kind, names.StorageType):
        return kind.dtype
    raise UnpicklingError(f"not a class of storages: {show(kind)}")


def dtype_name(dtype: Any) -> str:
    """How a dtype is called: of a known one, or of a ``Name``."""
    if isinstance(dtype, dtypes.dtype):
        return dtype.name
    return dtype.path.rpartition(".")[2] if isinstance(dtype, Name) else str(dtype)
