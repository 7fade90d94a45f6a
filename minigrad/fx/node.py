"""``Node``: one step of a graph, which knows its arguments, its users, and its place in the list of nodes."""

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

from .. import _api
from .._api import Tensor
from .._base.dtypes import dtype
from ..nn import Module
from ..utils._dtype_abbrs import dtype_abbrs
from . import _targets
from .immutable_collections import immutable_dict, immutable_list
from .operator_schemas import normalize_function, normalize_module

__all__ = ["Node", "has_side_effect", "map_aggregate", "map_arg"]

Target: TypeAlias = Callable[..., Any] | str
Argument: TypeAlias = Any
#: The classes of values that stand in arguments as they are.
base_types: tuple[Any, ...] = (
    str,
    int,
    float,
    bool,
    complex,
    dtype,
    Tensor,
    _api.device,
    _api.memory_format,
    _api.layout,
)

OPS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output")
_legal_ops = dict.fromkeys((*OPS, "root"))
_side_effectful_functions = {_api._assert, operator.setitem}
#: Functions that draw random numbers: dead ones are kept, because those that follow would draw others.
_DRAWING = frozenset(
    [
        "rand",
        "randn",
        "randint",
        "randperm",
        "rand_like",
        "randn_like",
        "randint_like",
        "bernoulli",
        "normal",
        "poisson",
        "multinomial",
    ]
)
_type_repr = _targets.type_text
_get_qualified_name = _targets.qualified_name


def has_side_effect(fn: Callable[..., Any]) -> Any:
    """Mark a function so that dead-code elimination keeps its calls; return the function, so that it works as a decorator.

    >>> import minigrad
    >>> minigrad.fx.has_side_effect(print) is print
    True
    """
    _side_effectful_functions.add(fn)
    return fn


def map_aggregate(a: Any, fn: Callable[..., Any]) -> Any:
    """Return ``a`` with each x inside lists, tuples, dicts and slices replaced by ``fn(x)``; lists and dicts become immutable.

    >>> import minigrad
    >>> minigrad.fx.node.map_aggregate([1, (2, {"a": 3})], lambda x: x * 10)
    [10, (20, {'a': 30})]
    """
    if isinstance(a, tuple):
        items = [map_aggregate(x, fn) for x in a]
        return type(a)(*items) if hasattr(a, "_fields") else tuple(items)
    if isinstance(a, list):
        return immutable_list([map_aggregate(x, fn) for x in a])
    if isinstance(a, dict):
        return immutable_dict({key: map_aggregate(x, fn) for key, x in a.items()})
    if isinstance(a, slice):
        return slice(map_aggregate(a.start, fn), map_aggregate(a.stop, fn), map_aggregate(a.step, fn))
    return fn(a)


def map_arg(a: Any, fn: Callable[..., Any]) -> Any:
    """Return ``a`` with each node inside lists, tuples, dicts and slices replaced by ``fn(node)``.

    >>> import minigrad
    >>> graph = minigrad.fx.Graph()
    >>> x = graph.placeholder("x")
    >>> minigrad.fx.map_arg([x, 1, {"k": x}], lambda node: node.name)
    ['x', 1, {'k': 'x'}]
    """
    if not callable(fn):
        raise AssertionError("torch.fx.map_arg(a, fn): fn must be a callable")
    return _map_nodes(a, fn)


def _map_nodes(a, fn):
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


def _key_between(low, high):
    """A tuple of numbers after ``low`` and before ``high``; None for no bound."""
    if high is None:
        return (0,) if low is None else (low[0] + 1,)
    if low is None:
        return (high[0] - 1,)
    if len(low) > len(high):
        return (*low[: len(high)], low[len(high)] + 1)
    if len(low) < len(high):
        return (*high[: len(low)], high[len(low)] - 1)
    return (*low, 0)


def _format_arg(arg, max_list_len=float("inf")):
    """How a printed graph shows an argument: nodes with a percent sign."""
    if hasattr(arg, "_custom_fx_repr_fn"):
        return arg._custom_fx_repr_fn()
    if isinstance(arg, (list, tuple)):
        texts = [_format_arg(x) for i, x in enumerate(arg) if i < max_list_len]
        rest = f", ...[total_len={len(arg)}]" if len(arg) > max_list_len else ""
        if isinstance(arg, list):
            return f"[{', '.join(texts)}{rest}]"
        return f"({', '.join(texts)}{',' if len(arg) == 1 else ''}{rest})"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{key}: {_format_arg(x)}" for key, x in arg.items()) + "}"
    return (
        f"%{arg}" if isinstance(arg, Node) else _targets.type_text(arg) if isinstance(arg, type) else str(arg)
    )


def shape_text(shape: Any) -> str:
    """``[2, 3]``, in which sizes are shown by ``str``."""
    return f"[{', '.join(map(str, shape))}]"


def recorded_value(node: Any) -> Any:
    """Return what the metadata of a node say about its value: a tensor, a ``TensorMetadata``, or None."""
    return node.meta.get("val", node.meta.get("tensor_meta", node.meta.get("example_value")))


class Node:
    """One step of a graph: ``op`` says of which kind it is, ``target`` what it reads or calls, ``args`` and ``kwargs`` with what.

    ==================  ==========================================  ==================================
    op                  target                                      args
    ==================  ==========================================  ==================================
    ``placeholder``     the name of a parameter of the function     its default, if it has one
    ``get_attr``        a dotted name below the module
    ``call_function``   a function                                  those of the call
    ``call_module``     the dotted name of a submodule              those of the call
    ``call_method``     the name of a method                        the object first
    ``output``          ``"output"``                                the one value that is returned
    ==================  ==========================================  ==================================

    Nodes are made by graphs, mostly while functions are traced. ``users`` and ``all_input_nodes`` follow the arguments; ``meta`` is a dict for
    whatever passes note about the node.

    >>> import minigrad
    >>> traced = minigrad.fx.symbolic_trace(lambda x: x + 1)
    >>> for node in traced.graph.nodes:
    ...     print(node.op, node.name, node.args)
    placeholder x ()
    call_function add (x, 1)
    output output (add,)
    """

    users: dict[Any, Any]
    meta: dict[Any, Any]

    def __init__(
        self,
        graph: Any,
        name: str,
        op: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        return_type: Any = None,
    ) -> None:
        if op == "call_function":
            if not callable(target):
                raise ValueError(
                    f"Node [graph = {graph}, name = '{name}'] target {target} has type {_typename(target)} but a Callable is expected"
                )
        else:
            if op not in _legal_ops:
                raise AssertionError(f"op '{op}' is not in _legal_ops")
            if not isinstance(target, str):
                raise ValueError(
                    f"Node [graph = {graph}, name = '{name}'] target {target} has type {_typename(target)} but a str is expected"
                )
        self.graph = graph
        self._name, self._op, self._target = name, op, target
        self.type = return_type
        self._input_nodes = {}
        self.users = {}
        self.meta = {}
        self._sort_key = None
        self._erased = False
        self._repr_fn = None
        self._prev = self._next = self
        self._update_args_kwargs(args, kwargs)

    # Names and targets, by which graphs find nodes -------------------------------------------------------------------------

    @property
    def name(self) -> Any:
        """The unique name of the node in its graph."""
        return self._name

    @name.setter
    def name(self, value: Any) -> None:
        for hook in getattr(self.graph.owning_module, "_replace_hooks", None) or ():
            for user in self.users:
                hook(old=self, new=value, user=user)
        self._name = value

    @property
    def op(self) -> Any:
        """The kind of operation: ``placeholder``, ``get_attr``, ``call_function``, ``call_module``, ``call_method`` or ``output``."""
        return self._op

    @op.setter
    def op(self, value: Any) -> None:
        with self.graph._index.moving(self):
            self._op = value

    @property
    def target(self) -> Any:
        """What is read or called: a function, or a name."""
        return self._target

    @target.setter
    def target(self, value: Any) -> None:
        with self.graph._index.moving(self):
            self._target = value

    def _rename(self, candidate):
        if candidate != self.name:
            names = self.graph._graph_namespace
            self.name = names.create_name(candidate, None)
            names._rename_object(self, self.name)

    # The list of nodes -----------------------------------------------------------------------------------------------------

    @property
    def next(self) -> "Node":
        """The node after this one; the graph's root after the last."""
        return self._next

    @property
    def prev(self) -> "Node":
        """The node before this one; the graph's root before the first."""
        return self._prev

    def prepend(self, x: "Node") -> None:
        """Move the node ``x`` of the same graph before this one."""
        if x.graph is not self.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if x is self:
            return
        x._remove_from_list()
        before = self._prev
        before._next, x._prev, x._next, self._prev = x, before, self, x
        x._sort_key = _key_between(before._sort_key, self._sort_key)

    def append(self, x: "Node") -> None:
        """Move the node ``x`` of the same graph after this one."""
        self._next.prepend(x)

    def _remove_from_list(self):
        self._prev._next, self._next._prev = self._next, self._prev

    def __lt__(self, other: Any) -> bool:
        return self._sort_key < other._sort_key

    def __gt__(self, other: Any) -> bool:
        return self._sort_key > other._sort_key

    def __le__(self, other: Any) -> Any:
        return self is other or self < other

    def __ge__(self, other: Any) -> Any:
        return self is other or self > other

    # Arguments and users ---------------------------------------------------------------------------------------------------

    @property
    def args(self) -> Any:
        """The positional arguments; assign a whole tuple to change them."""
        return self._args

    @args.setter
    def args(self, value: Any) -> None:
        self._update_args_kwargs(value, self._kwargs)

    @property
    def kwargs(self) -> Any:
        """The keyword arguments; assign a whole dict to change them."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, value: Any) -> None:
        self._update_args_kwargs(self._args, value)

    def _update_args_kwargs(self, args, kwargs):
        for used in self._input_nodes:
            used.users.pop(self, None)
        inputs = {}

        def use(node):
            inputs.setdefault(node)
            node.users.setdefault(self)
            return node

        self._input_nodes = inputs
        self._args, self._kwargs = _map_nodes(args, use), _map_nodes(kwargs, use)

    @property
    def all_input_nodes(self) -> "list[Node]":
        """The distinct nodes among the arguments, in order."""
        return [*self._input_nodes]

    def update_arg(self, idx: int, arg: Any) -> None:
        """Set ``args[idx]`` to ``arg``."""
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx: int, arg: Any) -> None:
        """Insert ``arg`` before ``args[idx]``."""
        if not 0 <= idx <= len(self.args):
            raise AssertionError(f"insert_args index must be between 0 and len(self.args), got {idx}")
        self.args = (*self.args[:idx], arg, *self.args[idx:])

    def update_kwarg(self, key: str, arg: Any) -> None:
        """Set ``kwargs[key]`` to ``arg``."""
        self.kwargs = {**self.kwargs, key: arg}

    def replace_all_uses_with(
        self,
        replace_with: "Node",
        delete_user_cb: "Callable[[Node], bool] | None" = None,
        *,
        propagate_meta: bool = False,
    ) -> "list[Node]":
        """Replace this node by another one in all its users; return the list of those users.

        ``delete_user_cb(user)`` says whether to change a user; ``propagate_meta`` copies the metadata to the other node, which must have none.

        >>> import minigrad
        >>> graph = minigrad.fx.symbolic_trace(lambda x, y: x + x).graph
        >>> x, y, add, output = graph.nodes
        >>> x.replace_all_uses_with(y), add.args
        ([add], (y, y))
        """
        if propagate_meta:
            if replace_with.meta:
                raise AssertionError(
                    "Called node.replace_all_uses_with(replace_with, propagate_meta=True), but replace_with already has .meta keys"
                )
            replace_with.meta.update(self.meta)
        changed = [user for user in [*self.users] if delete_user_cb is None or delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    def replace_input_with(self, old_input: "Node", new_input: "Node") -> None:
        """Replace ``old_input`` by ``new_input`` in this node's arguments."""
        for hook in getattr(self.graph.owning_module, "_replace_hooks", None) or ():
            hook(old=old_input, new=new_input.name, user=self)
        self._replace_input_with(old_input, new_input)

    def _replace_input_with(self, old_input, new_input):
        def exchanged(node):
            return new_input if node is old_input else node

        self._update_args_kwargs(_map_nodes(self._args, exchanged), _map_nodes(self._kwargs, exchanged))

    # What is known of a node -----------------------------------------------------------------------------------------------

    @property
    def stack_trace(self) -> str | None:
        """The lines of the program that made the node, innermost last; None unless the tracer recorded them (``record_stack_traces``)."""
        return self.meta.get("stack_trace")

    @stack_trace.setter
    def stack_trace(self, trace: Any) -> None:
        self.meta["stack_trace"] = trace

    def is_impure(self, impure_random: bool = True) -> bool:
        """Return whether the node must be kept even if unused: parameters, the output, calls with side effects and, with ``impure_random``,
        random calls.
        """
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_module":
            owner = self.graph.owning_module
            if owner is None:
                raise AssertionError("self.graph.owning_module not set for purity check")
            return getattr(owner.get_submodule(self.target), "_is_impure", False)
        if self.op == "call_function":
            if self.target in _side_effectful_functions:
                return True
            name = getattr(self.target, "__name__", "")
            if not _targets.is_own(self.target):
                return False
            return (impure_random and name in _DRAWING) or self.kwargs.get("out") is not None
        return False

    def normalized_arguments(
        self,
        root: Module,
        arg_types: tuple[Any] | None = None,
        kwarg_types: dict[str, Any] | None = None,
        normalize_to_only_use_kwargs: bool = False,
    ) -> Any:
        """Return (args, kwargs) in the order of the signature of the function, or of the submodule of ``root``, with defaults; None if they
        do not fit.
        """
        if self.op == "call_function":
            return normalize_function(
                self.target,
                self.args,
                self.kwargs,
                arg_types,
                kwarg_types,
                normalize_to_only_use_kwargs=normalize_to_only_use_kwargs,
            )
        if self.op == "call_module":
            return normalize_module(
                root,
                self.target,
                self.args,
                self.kwargs,
                normalize_to_only_use_kwargs=normalize_to_only_use_kwargs,
            )
        return None

    # Text ------------------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return self._repr_fn(self) if self._repr_fn else self.name

    @staticmethod
    def _pretty_print_target(target):
        return _targets.printed_name(target)

    def format_node(
        self,
        placeholder_names: list[str] | None = None,
        maybe_return_typename: list[str] | None = None,
        *,
        include_tensor_metadata: bool = False,
    ) -> str | None:
        """Return the line that a printed graph has for this node.

        ``include_tensor_metadata`` shows dtype, shape, strides and device of a tensor that stands in ``meta["val"]``. The other two arguments are lists: names
        of parameters are appended to the first if it is not empty, and the type of the result is put into the second.

        >>> import minigrad
        >>> traced = minigrad.fx.symbolic_trace(lambda x: x + 1)
        >>> [*traced.graph.nodes][1].format_node()
        '%add : [num_users=1] = call_function[target=operator.add](args = (%x, 1), kwargs = {})'
        """
        kind = f"{_type_repr(self.type)} " if self.type is not None else ""
        start = f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}[target={self._pretty_print_target(self.target)}]"
        if self.op == "placeholder":
            if placeholder_names:
                text = self.target
                placeholder_names.append(text + (f"{text}: {_type_repr(self.type)}" if self.type else ""))
                return None
            return start + (f"(default={self.args[0]})" if self.args else "")
        if self.op == "get_attr":
            return start
        if self.op == "output":
            if self.type and maybe_return_typename:
                maybe_return_typename[0] = f" -> {_type_repr(self.type)}"
            return f"return {self.args[0]}"
        value = recorded_value(self)
        if include_tensor_metadata and isinstance(value, Tensor):
            about = f'Tensor "{dtype_abbrs[value.dtype]}{shape_text(value.shape)}{shape_text(value.stride())}{value.device}"'
            start = start.replace(f" : {kind}", f" : {about}", 1)
        return f"{start}(args = {_format_arg(self.args)}, kwargs = {_format_arg(self.kwargs)})"

    # Pickles ---------------------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _typename(value):
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
