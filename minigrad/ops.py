"""``torch.ops``: operators under the names of PyTorch's dispatcher, ``ops.aten.mul.Tensor``.

``ops.aten.mul`` is an ``OpOverloadPacket``, ``ops.aten.mul.Tensor`` one ``OpOverload`` of it: objects that are made once, can be called, and stand
for an operator wherever one is compared or listed (selective checkpointing, profiles).  They call the function or method of that name.
"""

import contextlib
import functools
import inspect
import operator
import threading
import types
from collections.abc import Iterator
from typing import Any

from . import _api, _aten_functions, autograd
from ._api import Tensor
from ._base.aten_overloads import overloads_of
from ._base.lazy import load, places
from ._core.modes import thread_state
from ._core.out import write_result
from ._core.overriding import ask, asked
from ._ops.aten import aten_name
from ._ops.names import METHODS
from ._schemas import schema_of

__all__ = ["OpOverload", "OpOverloadPacket", "aten", "load_library", "prim"]


class OpOverload:
    """One overload of an operator, such as ``aten.mul.Tensor``, as ``ops`` returns it."""

    __name__: str

    def __init__(self, packet: Any, overload: Any) -> None:
        self._overloadpacket = packet
        self._overloadname = overload
        self._opname = packet.__name__
        self._namespace = packet._namespace
        self._outs = packet._outs.get(overload, ())
        self.__name__ = f"{packet.__name__}.{overload}"
        self.__module__ = packet.__module__
        self.__qualname__ = self._name = self.name()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if thread_state.function_modes and thread_state.asks_modes:
            return ask(self, asked((*args, *kwargs.values())), args, kwargs)
        for overload, given, proceed in reversed(_applying.now):
            if (
                overload is self
                and not kwargs
                and len(args) == len(given)
                and all(map(operator.is_, args, given))
            ):
                return proceed()
        if self._outs:
            return self._write(args, kwargs)
        return self._overloadpacket(*args, **kwargs)

    def _write(self, args, kwargs):
        """What the operator computes, written into the tensors given by the names of this overload; returns them."""
        for name in self._outs:
            if name not in kwargs:
                raise RuntimeError(
                    f"{self._overloadpacket._qualified_op_name}() is missing value for argument '{name}'."
                )
        outs = [kwargs.pop(name) for name in self._outs]
        if "out" in inspect.signature(self.op).parameters:
            return self.op(*args, **kwargs, out=outs[0] if len(outs) == 1 else tuple(outs))
        found = self.op(*args, **kwargs)
        if len(outs) > 1 or isinstance(found, (tuple, list)):
            many = outs if len(outs) > 1 else outs[0]
            for out, result in zip(many, found, strict=True):
                write_result(out, result, self._opname)
            return tuple(many) if len(outs) > 1 else None
        return write_result(outs[0], found, self._opname)

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self._overloadpacket}', overload='{self._overloadname}')>"

    def __str__(self) -> str:
        return f"{self._overloadpacket}.{self._overloadname}"

    def __reduce__(self) -> Any:
        return _overload, (self._namespace, self._opname, self._overloadname)

    def __deepcopy__(self, memo: Any = None) -> Any:
        return self

    def name(self) -> Any:
        """Return the name with colons: ``aten::mul.Tensor``, or ``aten::mm`` for a default overload."""
        name = self._overloadpacket._qualified_op_name
        return name if self._overloadname == "default" else f"{name}.{self._overloadname}"

    @functools.cached_property
    def _schema(self):
        """Name, arguments and results: see ``_schemas.py``."""
        return schema_of(self)

    @property
    def overloadpacket(self) -> Any:
        """The operator of this overload."""
        return self._overloadpacket

    @property
    def op(self) -> Any:
        """The callable behind the overload."""
        return self._overloadpacket.op

    @property
    def namespace(self) -> Any:
        """The namespace, ``aten`` or ``prim``."""
        return self._namespace


class OpOverloadPacket:
    """An operator with all its overloads, such as ``aten.mul``, as ``ops`` returns it."""

    def __init__(self, namespace: Any, name: str, op: Any, overloads: Any) -> None:
        """``overloads``: the names of the overloads, each with the names of the tensors that it writes to."""
        self.__name__ = name
        self.__module__ = f"{__name__}.{namespace}"
        self._namespace = namespace
        self._qualified_op_name = f"{namespace}::{name}"
        self._op = op
        self._overload_names, self._outs = tuple(overloads), overloads

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if thread_state.function_modes and thread_state.asks_modes:
            return ask(self, asked((*args, *kwargs.values())), args, kwargs)
        return self.op(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(
                f"'{self}' can't have an overload name beginning with '__' and the underlying op {self.op} has no "
                f"attribute {name} either."
            )
        if name not in self._overload_names:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{name}'")
        return self.__dict__.setdefault(name, OpOverload(self, name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._overload_names)

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self}')>"

    def __str__(self) -> str:
        return f"{self._namespace}.{self.__name__}"

    def __reduce__(self) -> Any:
        return _packet, (self._namespace, self.__name__)

    def __deepcopy__(self, memo: Any = None) -> Any:
        return self

    @property
    def op(self) -> Any:
        """The function that is called."""
        return self._op

    def overloads(self) -> Any:
        """Return the names of the overloads.

        >>> import minigrad
        >>> minigrad.ops.aten.lerp.overloads()
        ['Scalar', 'Tensor', 'Scalar_out', 'Tensor_out']
        """
        return list(self._overload_names)


#: What is asked of modules, and is no operator though it looks like one.
_MODULE_NAMES = ("__all__", "__origin__", "__path__", "__self__", "__wrapped__")


class _OpNamespace(types.ModuleType):
    """The operators of one namespace; each is made when it is first asked for."""

    def __init__(self, name: str, find: Any) -> None:
        super().__init__(f"{__name__}.{name}")
        self.name = name
        self._find = find
        self.__file__ = __name__

    def __getattr__(self, name: str) -> Any:
        if name in _MODULE_NAMES:
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")
        op = self._find(name)
        if op is None and (added := load("_library.overloads").find_custom(self.name, name)):
            return added
        known = overloads_of(name) if self.name == "aten" else None
        if op is None:
            why = "" if known is None else f"; minigrad does not provide PyTorch's aten::{name}"
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'{why}")
        packet = OpOverloadPacket(self.name, name, op, known or _OTHERS.get(name) or {"default": ()})
        return self.__dict__.setdefault(name, packet)


def _packet(namespace, name):
    return getattr(globals().get(namespace) or __getattr__(namespace), name)


def _overload(namespace, name, overload):
    return getattr(_packet(namespace, name), overload)


# What the operators do -----------------------------------------------------------------------------------------------------

#: Tensor's own short ways, which are no operators.
_NO_OPERATORS = (
    "H T asarray bfloat16 bool byte cdouble cfloat char default_generator double dtype enable_grad finfo float from_dlpack from_numpy "
    "frombuffer get_rng_state half iinfo inference_mode int is_inference_mode_enabled is_tensor long mH mT new new_tensor no_grad "
    "set_printoptions set_rng_state short type unique unravel_index"
)


def _find(name):
    """The function behind ``aten.name``; None if there is none."""
    if name[:2] == "__":
        return getattr(Tensor, name, None) if overloads_of(name) else None
    found = _aten_functions.find(name)
    if found is not None:
        return found
    if name in _NO_OPERATORS.split():
        return None
    if name in places(_api._FUNCTIONS):
        return getattr(_api, name)
    return getattr(Tensor, name) if name in places(METHODS) else None


def _find_prim(name):
    return {"device": lambda input: input.device, "dtype": lambda input: input.dtype}.get(name)


#: The overloads of what is no operator of ``aten``, where there are others than ``default``.
_OTHERS = {"_record_function_exit": {"default": (), "_RecordFunction": ()}}


def _find_profiler(name):
    return {
        "_record_function_enter": autograd.profiler._record_function_enter,
        "_record_function_enter_new": autograd.profiler._record_function_enter,
        "_record_function_exit": autograd.profiler._record_function_exit,
    }.get(name)


def __getattr__(name):
    """The operators that a program defines (``minigrad.library``): any name is a namespace, as in PyTorch."""
    if name[:2] == "__":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return load("_library.overloads").namespace(name)


def load_library(path: Any) -> Any:
    """Raise OSError: compiled operator libraries call PyTorch's own library, which is not here. Packages that contain one usually work without it.

    >>> import minigrad
    >>> minigrad.ops.load_library("operators.so")
    Traceback (most recent call last):
    OSError: Could not load this library: operators.so (minigrad cannot run PyTorch's compiled operators)
    """
    raise OSError(f"Could not load this library: {path} (minigrad cannot run PyTorch's compiled operators)")


aten: Any = _OpNamespace("aten", _find)
prim: Any = _OpNamespace("prim", _find_prim)
profiler: Any = _OpNamespace("profiler", _find_profiler)
#: Steps of ours that PyTorch has no name for, as far as any was seen.
_steps: dict[str, OpOverloadPacket] = {}


class _Applying(threading.local):
    now: Any = ()


_applying = _Applying()


@contextlib.contextmanager
def applying(overload: Any, args: Any, proceed: Any) -> Iterator[Any]:
    """Inside, ``overload(*args)`` is the application of an operator that is under way: ``proceed()``."""
    was = _applying.now
    _applying.now = (*was, (overload, args, proceed))
    try:
        yield
    finally:
        _applying.now = was


def overload_of(cls: Any, operands: Any, params: Any = (), writes: bool = False) -> Any:
    """Return the ``OpOverload`` of one application of the op ``cls``: see ``_ops/aten.py``."""
    name, _, overload = aten_name(cls, operands, params, writes).partition(".")
    packet = getattr(aten, name, None) or _steps.get(name)
    if packet is None:
        packet = _steps[name] = OpOverloadPacket("minigrad", name, cls.call, {overload: ()})
    overloads = packet._outs
    return getattr(
        packet, overload if overload in overloads else next(each for each in overloads if not overloads[each])
    )
