"""``Proxy``: what stands for a value while a program is traced, and notes in a graph whatever is done with it."""

import copy
import dataclasses
import dis
import enum
import logging
import operator
import sys
import traceback
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from .._base.missing import getattr_of as _getattr_of
from .._base.size import Size
from .._core.overriding import let_ask
from ..nn import Parameter
from ..ops import OpOverload
from ..overrides import TorchFunctionMode
from ..utils._pytree import tree_iter
from . import _traced_calls, config
from . import traceback as fx_traceback
from ._operator_texts import magic_methods, reflectable_magic_methods
from .node import Node, base_types, map_arg
from .operator_schemas import check_for_mutable_operation

__all__ = [
    "Attribute",
    "GraphAppendingTracer",
    "ParameterProxy",
    "Proxy",
    "Scope",
    "ScopeContextManager",
    "TraceError",
    "TracerBase",
]

_log = logging.getLogger(__name__)
_OWN_FILES = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/"


class Scope:
    """The module being traced: its dotted name and its class."""

    module_path: str
    module_type: Any

    def __init__(self, module_path: str, module_type: Any) -> None:
        self.module_path, self.module_type = module_path, module_type


class ScopeContextManager:
    """Sets the current scope to another module within a ``with`` block."""

    def __init__(self, scope: Any, current_scope: Any) -> None:
        self._scope, self._before = scope, copy.copy(scope)
        scope.module_path, scope.module_type = current_scope.module_path, current_scope.module_type

    def __enter__(self) -> Any:
        return self._scope

    def __exit__(self, *error: Any) -> None:
        self._scope.module_path, self._scope.module_type = self._before.module_path, self._before.module_type


class TraceError(ValueError):
    """Raised when a program asks for the actual value of a proxy."""


class TracerBase:
    """The base class of tracers: it creates nodes and their proxies."""

    graph: Any
    module_stack: Any
    node_name_to_scope: Any
    scope: Any

    #: Whether nodes get the lines of the program that made them, in ``meta["stack_trace"]``.
    record_stack_traces = False
    _record_forward_stack_traces_only = False
    #: Whether operators that write to their operands raise RuntimeError.
    check_mutable_operations = False
    #: Whether ``assert proxy`` becomes a node.
    trace_asserts = False
    #: Whether reading a buffer of a module gives a proxy.
    proxy_buffer_attributes = False
    #: The method that is traced of a module.
    traced_func_name = "forward"

    def create_node(
        self,
        kind: str,
        target: Callable[..., Any] | str,
        args: Any,
        kwargs: Any,
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Insert a node into the graph; subclasses check or change what it is to be."""
        if kind == "call_function" and self.check_mutable_operations:
            check_for_mutable_operation(target, args, kwargs)  # type: ignore[arg-type]
        node = self.graph.create_node(kind, target, args, kwargs, name, type_expr)
        self.node_name_to_scope[node.name] = self.scope.module_path, self.scope.module_type
        if fx_traceback.has_preserved_node_meta():
            fx_traceback.copy_current_meta(node)
        elif self.module_stack:
            node.meta["nn_module_stack"] = copy.copy(self.module_stack)
        if self.record_stack_traces and not config.do_not_emit_stack_traces and not node.stack_trace:
            frames = self._filter_traceback_frames(traceback.extract_stack(sys._getframe(1)))
            if frames:
                node.stack_trace = "".join(frames.format()).strip()
        return node

    def _filter_traceback_frames(self, user_stack_summary):
        """Of the calls that led to a node, those from the first ``forward`` on that are not minigrad's own."""
        frames = [*user_stack_summary]
        if self._record_forward_stack_traces_only:
            frames = [
                f for f in frames if f.name == "forward" or (f.filename, f.name) in fx_traceback.ANCHORS
            ]
        else:
            first = next((i for i, frame in enumerate(frames) if frame.name == "forward"), len(frames))
            frames = frames[first:]
        return traceback.StackSummary.from_list([f for f in frames if not f.filename.startswith(_OWN_FILES)])

    def proxy(self, node: Node) -> Any:
        """Return the proxy of a node; subclasses may return their own kind."""
        return Proxy(node, self)

    def create_proxy(
        self,
        kind: str,
        target: Callable[..., Any] | str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: Any = None,
        proxy_factory_fn: Any = None,
    ) -> Any:
        """Insert a node whose arguments may contain proxies, and return its proxy (made by ``proxy_factory_fn(node)``, if given)."""
        node = self.create_node(kind, target, self.create_arg(args), self.create_arg(kwargs), name, type_expr)
        return (proxy_factory_fn or self.proxy)(node)

    def _find_user_frame(self):
        """The frame of the program that is being traced; None if there is none."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(_OWN_FILES):
            frame = frame.f_back
        return frame

    def create_arg(self, a: Any) -> Any:
        """Return what a node's argument is for a value of the program: nodes for proxies, also inside containers.

        Raises NotImplementedError for values that no node can hold.
        """
        if isinstance(a, Proxy):
            return a.node
        if hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple):
            items = [self.create_arg(x) for x in a]
            return (
                type(a)(*items)
                if hasattr(a, "_fields")
                else tuple(items)
                if type(a) is tuple
                else type(a)(items)
            )
        if isinstance(a, list):
            return [self.create_arg(x) for x in a]
        if isinstance(a, dict):
            return {self._checked_key(key): self.create_arg(x) for key, x in a.items()}
        if isinstance(a, slice):
            return slice(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if isinstance(a, range):
            return range(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if isinstance(a, OpOverload):
            return a
        if dataclasses.is_dataclass(a):
            fields = {field.name: self.create_arg(getattr(a, field.name)) for field in dataclasses.fields(a)}
            return self.create_node("call_function", type(a), (), fields)
        if isinstance(a, (*base_types, enum.Enum)) or a is None or a is ...:
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def _checked_key(self, key):
        if isinstance(key, str):
            return key
        key = self.create_arg(key)

        def refuse(node):
            raise RuntimeError(
                f"Keys for dictionaries used as an argument cannot contain a Node. Got key: {node}"
            )

        map_arg(key, refuse)
        return key

    def to_bool(self, obj: Any) -> bool:
        """Called when the truth of a proxy is asked for: raises TraceError; subclasses may know an answer."""
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj: Any) -> Iterator[Any]:
        """Called when the program goes through a proxy: raises TraceError; subclasses may return an iterator."""
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or **kwargs "
            "function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what types of "
            "control flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy iteration errors"
        )

    def keys(self, obj: Any) -> Any:
        """Called for ``proxy.keys()`` and ``**proxy``: a node of that call; subclasses may return an iterator."""
        return Attribute(obj, "keys")()


class GraphAppendingTracer(TracerBase):
    """The tracer of proxies that stand for a node without any program being traced: what is done with them is appended to the graph.

    >>> import minigrad
    >>> graph = minigrad.fx.Graph()
    >>> x = minigrad.fx.Proxy(graph.placeholder("x"))
    >>> (x + 1).relu()
    Proxy(relu)
    >>> [*graph.nodes]
    [x, add, relu]
    """

    scope: Any
    module_stack: Any
    node_name_to_scope: dict[Any, Any]

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.scope = Scope("", None)
        self.module_stack = OrderedDict()
        self.node_name_to_scope = {}


def assert_fn(x: object) -> None:
    """Return the function that traced assertions call (see ``TracerBase.trace_asserts``)."""
    if not x:
        raise AssertionError("Assertion failed")


def _instruction(frame):
    """The instructions of a frame's code, and the number of the one that it is executing."""
    instructions = [*dis.get_instructions(frame.f_code)]
    return instructions, bisect_left([i.offset for i in instructions], frame.f_lasti)


def _in_assertion(frame):
    """Whether a frame is asking for the truth of what it asserts."""
    instructions, number = _instruction(frame)
    if not instructions[number].opname.startswith("POP_JUMP"):
        number = next(
            (
                i
                for i in range(number, min(number + 4, len(instructions)))
                if instructions[i].opname.startswith("POP_JUMP")
            ),
            None,
        )
        if number is None:
            return False
    jump = instructions[number]
    if "TRUE" not in jump.opname:
        return False
    following = next((i for i in instructions[number + 1 :] if i.opname not in ("CACHE", "NOT_TAKEN")), None)
    return following is not None and (
        following.opname == "LOAD_ASSERTION_ERROR"
        or following.argval == "AssertionError"
        or (following.opname == "LOAD_COMMON_CONSTANT" and following.argval is AssertionError)
    )


class Proxy:
    """Stands for the value of a node while a program runs: functions, methods and operators on it are noted as further nodes.

    Its value is not known, so it cannot decide a condition, be gone through, or have a length: that raises ``TraceError``. Functions that need values
    are left as they are with ``wrap``; loops over ``range(n)`` with a fixed n, and ``a, b = proxy``, do work.

    >>> import minigrad
    >>> def positive(x):
    ...     return x if x.sum() > 0 else -x
    >>> minigrad.fx.symbolic_trace(positive)
    Traceback (most recent call last):
    ...
    minigrad.fx.proxy.TraceError: symbolically traced variables cannot be used as inputs to control flow
    """

    tracer: Any

    def __init__(self, node: Node, tracer: Any = None) -> None:
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self) -> str:
        return f"Proxy({self.node.name})"

    def __getattr__(self, k: str) -> Any:
        return Attribute(self, k)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        copied = {}
        for key, value in self.__dict__.items():
            try:
                copied[key] = copy.deepcopy(value, memo)
            except (TypeError, RuntimeError):
                _log.warning(
                    "Shallow copy %s of Proxy because it cannot be deepcopied. Proxy is created for node %s",
                    key,
                    self.node.name,
                )
                copied[key] = copy.copy(value)
        proxy = Proxy(copied["node"], copied["tracer"])
        proxy.__dict__.update(copied)
        return proxy

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self) -> Iterator[Any]:
        instructions, number = _instruction(sys._getframe(1))
        if instructions[number].opname == "UNPACK_SEQUENCE":
            return (self[i] for i in range(instructions[number].argval))  # type: ignore[index]
        return self.tracer.iter(self)

    def __abs__(self) -> Any:
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self) -> bool:
        if self.tracer.trace_asserts and _in_assertion(sys._getframe(1)):
            self.tracer.create_proxy("call_function", assert_fn, (self,), {})
            return True
        return self.tracer.to_bool(self)

    def keys(self) -> Any:
        """Return what the tracer says to ``keys()`` and to ``**``: a proxy of the call."""
        return self.tracer.keys(self)

    def __len__(self) -> int:
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call "
            "torch.fx.wrap('len') at module scope"
        )

    @classmethod
    def __torch_function__(
        cls,
        orig_method: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        args, kwargs = args or (), kwargs or {}
        tracers = {id(x.tracer): x.tracer for x in tree_iter((args, kwargs)) if isinstance(x, cls)}
        if len(tracers) > 1:
            raise RuntimeError(
                f"Found multiple different tracers {[*tracers.values()]} while trying to trace operations {orig_method}"
            )
        (tracer,) = tracers.values()
        method = _traced_calls.method_name(orig_method)
        if method is not None:
            return tracer.create_proxy("call_method", method, args, kwargs)
        args, kwargs = _traced_calls.as_noted(orig_method, args, kwargs)
        name = tracer.graph._target_to_str(orig_method)
        return tracer.create_proxy("call_function", orig_method, args, kwargs, name=name)


let_ask(vars(Proxy)["__torch_function__"].__func__)


class ProxiesHear(TorchFunctionMode):
    """A block in which calls with proxies among their arguments, however deep, are noted: no function has to ask for it."""

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        proxy = next((x for x in tree_iter((args, kwargs)) if isinstance(x, Proxy)), None)
        if proxy is None:
            return func(*args, **kwargs)
        return type(proxy).__torch_function__(func, types, args, kwargs)


class Attribute(Proxy):
    """Stands for an attribute of a proxy: a node is made when its value is needed, which it is not where a method is called."""

    root: Any
    attr: str
    tracer: Any

    def __init__(self, root: Any, attr: str) -> None:
        self.root, self.attr, self.tracer = root, attr, root.tracer
        self._node = None

    @property
    def node(self) -> Any:
        """The node that reads the attribute."""
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


class ParameterProxy(Proxy):
    """Stands for a parameter of a module whose shape the program may ask for: see ``Tracer(param_shapes_constant=True)``."""

    param: Any
    name: str

    def __init__(self, tracer: Any, node: Node, name: str, param: Parameter) -> None:
        super().__init__(node, tracer)
        if not isinstance(param, Parameter):
            raise AssertionError(f"Expected Parameter, got {type(param)}")
        self.param, self.name = param, name

    def __repr__(self) -> str:
        return f"ParameterProxy({self.name})"

    @property
    def shape(self) -> Size:
        """The shape of the parameter."""
        return self.param.shape

    def size(self) -> Size:
        """Return the shape of the parameter."""
        return self.param.size()

    def dim(self) -> int:
        """Return the number of dimensions of the parameter."""
        return self.param.dim()

    @property
    def ndim(self) -> int:
        """The number of dimensions of the parameter."""
        return self.param.ndim

    def numel(self) -> int:
        """Return the number of elements of the parameter."""
        return self.param.numel()

    def nelement(self) -> int:
        """Return the number of elements of the parameter."""
        return self.param.nelement()


def _operator_method(name, reflected):
    """The method of ``Proxy`` for one of Python's operators."""

    def method(self, *args):
        operands = (args[0], self) if reflected else (self, *args)
        return self.tracer.create_proxy("call_function", getattr(operator, name), operands, {})

    method.__name__ = f"__{'r' * reflected}{name.strip('_')}__"
    method.__qualname__ = f"Proxy.{method.__name__}"
    return method


for _table, _reflected in ((magic_methods, False), (reflectable_magic_methods, True)):
    for _name in _table:
        if hasattr(operator, _name):
            _method = _operator_method(_name, _reflected)
            setattr(Proxy, _method.__name__, _method)


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
