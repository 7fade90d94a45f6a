"""What a backend supports, node by node: ``OperatorSupport``, and rules that are put together."""

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..._base.dtypes import dtype as _dtype
from ...nn import Module
from ..node import Node
from .shape_prop import TensorMetadata
from .tools_common import CALLABLE_NODE_OPS, get_node_target

__all__ = ["OpSupports", "OperatorSupport", "OperatorSupportBase", "any_chain", "chain", "create_op_support"]


class OperatorSupportBase(abc.ABC):
    """The base class of rules about which nodes are supported."""

    @abc.abstractmethod
    def is_node_supported(self, submodules: Mapping[str, Module], node: Node) -> bool:
        """Return whether a node is supported; ``submodules`` maps names to the module's submodules."""


class OperatorSupport(OperatorSupportBase):
    """Supports the targets in a dict, by the names that ``get_node_target`` returns, for all dtypes (None) or for those listed for the arguments.

    >>> import minigrad
    >>> from minigrad.fx.passes.operator_support import OperatorSupport
    >>> node = [*minigrad.fx.symbolic_trace(lambda x: x + 1).graph.nodes][1]
    >>> OperatorSupport({"_operator.add": None}).is_node_supported({}, node), OperatorSupport({}).is_node_supported({}, node)
    (True, False)
    """

    def __init__(
        self,
        support_dict: Mapping[str, tuple[Sequence[Sequence[_dtype]], dict[str, Sequence[_dtype]]] | None]
        | None = None,
    ) -> None:
        self._support_dict = support_dict or {}

    def is_node_supported(self, submodules: Mapping[str, Module], node: Node) -> bool:
        """Return whether the node's target is in the dict, for the dtypes of its arguments (see ``ShapeProp``); nodes that call nothing are
        supported.
        """
        if node.op not in CALLABLE_NODE_OPS:
            return True
        target = get_node_target(submodules, node)
        if target not in self._support_dict:
            return False
        rule = self._support_dict[target]
        if rule is None:
            return True
        by_place, by_name = rule
        pairs = [
            *zip(node.args, by_place, strict=False),
            *((node.kwargs[name], kinds) for name, kinds in by_name.items() if name in node.kwargs),
        ]
        return all(
            kinds is None or not isinstance(arg, Node) or _get_arg_dtype(arg) in kinds for arg, kinds in pairs
        )


class _Rule(OperatorSupportBase):
    def __init__(self, rule: Any) -> None:
        self._rule = rule

    def is_node_supported(self, submodules: Any, node: Any) -> Any:
        return self._rule(submodules, node)


def create_op_support(is_node_supported: Callable[[Mapping[str, Module], Node], bool]) -> Any:
    """Turn a function into an ``OperatorSupportBase``.

    >>> from minigrad.fx.passes.operator_support import create_op_support
    >>> create_op_support(lambda submodules, node: True).is_node_supported({}, None)
    True
    """
    return _Rule(is_node_supported)


def chain(*op_support: Any) -> Any:
    """Support what all of these support.

    >>> from minigrad.fx.passes.operator_support import chain, create_op_support
    >>> yes, no = (create_op_support(lambda submodules, node, answer=answer: answer) for answer in (True, False))
    >>> chain(yes, no).is_node_supported({}, None)
    False
    """
    return _Rule(lambda submodules, node: all(x.is_node_supported(submodules, node) for x in op_support))


def any_chain(*op_support: Any) -> Any:
    """Support what any of these supports.

    >>> from minigrad.fx.passes.operator_support import any_chain, create_op_support
    >>> yes, no = (create_op_support(lambda submodules, node, answer=answer: answer) for answer in (True, False))
    >>> any_chain(yes, no).is_node_supported({}, None)
    True
    """
    return _Rule(lambda submodules, node: any(x.is_node_supported(submodules, node) for x in op_support))


class OpSupports:
    """Rules that can be combined."""

    @classmethod
    def decline_if_input_dtype(cls, dtype: _dtype) -> Any:
        """Support all but nodes with an input of that dtype."""
        return _Rule(
            lambda submodules, node: all(_get_arg_dtype(arg) != dtype for arg in node.all_input_nodes)
        )

    @classmethod
    def decline_if_node_in_names(cls, disallow_set: set[str]) -> Any:
        """Support all but nodes with those names."""
        return _Rule(lambda submodules, node: node.name not in disallow_set)


def _get_arg_dtype(arg):
    """The dtype of a node's value; its type if it is no tensor."""
    if not isinstance(arg, Node):
        raise AssertionError(f"Expected torch.fx.Node, got {type(arg)}")
    about = arg.meta.get("tensor_meta")
    return about.dtype if isinstance(about, TensorMetadata) else arg.meta["type"]
