"""What nodes are to note while they are made: where they come from, and whatever the program says of them."""

import contextlib
import copy
import enum
import functools
import traceback
from collections.abc import Iterator
from typing import Any

from .._base.missing import getattr_of as _getattr_of

__all__ = [
    "NodeSource",
    "NodeSourceAction",
    "annotate",
    "annotate_fn",
    "format_stack",
    "get_current_meta",
    "get_graph_provenance_json",
    "has_preserved_node_meta",
    "preserve_node_meta",
    "reset_grad_fn_seq_nr",
    "set_current_meta",
    "set_grad_fn_seq_nr",
    "set_stack_trace",
]

current_meta: dict[Any, Any] = {}
should_preserve_node_meta = False
#: Functions whose frames belong into stack traces, as (file, name): those that ``annotate_fn`` decorates.
ANCHORS: set[Any] = set()
#: What a node that is made from another keeps of its metadata.
_KEPT = (
    "nn_module_stack",
    "torch_fn",
    "source_fn_stack",
    "original_aten",
    "recompute",
    "ac_graph_id",
    "has_backward_hook",
    "from_node",
    "quantization_tag",
    "custom",
    "partitioner_tag",
)


class NodeSourceAction(enum.Enum):
    """What was done to get a node from another."""

    CREATE = "create"
    REPLACE = "replace"


class NodeSource:
    """Where a node comes from: the node before, the pass that made it from that, and in ``from_node`` where that came from.

    >>> import minigrad
    >>> node = minigrad.fx.Graph().placeholder("x")
    >>> source = minigrad.fx.traceback.NodeSource(node, "my_pass", minigrad.fx.traceback.NodeSourceAction.CREATE)
    >>> source.name, source.to_dict()["action"]
    ('x', 'create')
    """

    action: list[Any]
    target: str
    graph_id: int
    from_node: Any

    def __init__(self, node: Any, pass_name: str = "", action: Any = None) -> None:
        self.pass_name = pass_name
        self.action = [] if action is None else action if isinstance(action, list) else [action]
        for one in self.action:
            if not isinstance(one, NodeSourceAction):
                raise AssertionError(f"Expected NodeSourceAction, got {type(one)}")
        self.name = node.name if node else ""
        self.target = str(node.target) if node else ""
        self.graph_id = id(node.graph) if node else -1
        self.from_node = copy.deepcopy(node.meta.get("from_node", [])) if node else []

    def _action_text(self):
        return "+".join(one.value for one in self.action)

    def __repr__(self) -> str:
        return self.print_readable()

    def print_readable(self, indent: int = 0) -> str:
        """Return the history, a line for each node."""
        if indent > 9:
            return ""
        own = f"(name={self.name}, pass_name={self.pass_name}, action={self._action_text()}, graph_id={self.graph_id})\n"
        return "    " * indent + own + "".join(source.print_readable(indent + 1) for source in self.from_node)

    def to_dict(self) -> dict[str, Any]:
        """Return the history as nested dicts."""
        return {
            "name": self.name,
            "target": self.target,
            "graph_id": self.graph_id,
            "pass_name": self.pass_name,
            "action": self._action_text(),
            "from_node": [source.to_dict() for source in self.from_node],
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeSource) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.print_readable())


@contextlib.contextmanager
def preserve_node_meta(enable: bool = True) -> Iterator[None]:
    """In the block, nodes that are made from others keep their metadata (see ``set_current_meta``).

    >>> import minigrad
    >>> with minigrad.fx.traceback.preserve_node_meta():
    ...     minigrad.fx.traceback.has_preserved_node_meta()
    True
    """
    global should_preserve_node_meta, current_meta
    before = should_preserve_node_meta, current_meta.copy()
    should_preserve_node_meta = enable
    try:
        yield
    finally:
        should_preserve_node_meta, current_meta = before


def has_preserved_node_meta() -> bool:
    """Return whether nodes keep the metadata of those that they are made from.

    >>> import minigrad
    >>> minigrad.fx.traceback.has_preserved_node_meta()
    False
    """
    return should_preserve_node_meta


def get_current_meta() -> dict[str, Any]:
    """Return the metadata that nodes get that are made now, a dict.

    >>> import minigrad
    >>> minigrad.fx.traceback.get_current_meta()
    {}
    """
    return current_meta


@contextlib.contextmanager
def set_current_meta(node: Any, pass_name: str = "") -> Iterator[None]:
    """In the block, nodes that are made come from ``node``, if metadata are preserved and it has any.

    >>> import minigrad
    >>> from minigrad.fx import traceback
    >>> node = minigrad.fx.Graph().placeholder("x")
    >>> node.meta["stage"] = 1
    >>> with traceback.preserve_node_meta(), traceback.set_current_meta(node):
    ...     traceback.get_current_meta()["stage"]
    1
    """
    global current_meta
    if not (should_preserve_node_meta and node.meta):
        yield
        return
    before = current_meta
    current_meta = {**node.meta, "from_node": [NodeSource(node, pass_name, NodeSourceAction.CREATE)]}
    try:
        yield
    finally:
        current_meta = before


def copy_current_meta(node: Any) -> None:
    """Give a new node the metadata that nodes get now."""
    if current_meta.get("stack_trace"):
        node.stack_trace = current_meta["stack_trace"]
    node.meta.update({key: copy.copy(current_meta[key]) for key in _KEPT if key in current_meta})


def set_stack_trace(stack: list[str]) -> None:
    """Let nodes get these lines as their stack trace, if metadata are preserved.

    >>> import minigrad
    >>> with minigrad.fx.traceback.preserve_node_meta():
    ...     minigrad.fx.traceback.set_stack_trace(["line 1"])
    ...     minigrad.fx.traceback.format_stack()
    ['line 1']
    """
    if should_preserve_node_meta:
        if stack:
            current_meta["stack_trace"] = "".join(stack)
        else:
            current_meta.pop("stack_trace", None)


def format_stack() -> list[str]:
    """Return the lines of the stack trace that nodes get now; those of the caller if metadata are not preserved.

    >>> import minigrad
    >>> "format_stack" in minigrad.fx.traceback.format_stack()[-1]
    True
    """
    if should_preserve_node_meta:
        return [current_meta.get("stack_trace", "")]
    return traceback.format_list(traceback.extract_stack()[:-1])


@contextlib.contextmanager
def annotate(annotation_dict: dict[str, Any]) -> Iterator[None]:
    """In the block, ``meta["custom"]`` of nodes that are made from others has these entries.

    >>> import minigrad
    >>> with minigrad.fx.traceback.annotate({"stage": 1}):
    ...     print(minigrad.fx.traceback.get_current_meta()["custom"])
    {'stage': 1}
    """
    before = current_meta.get("custom")
    current_meta["custom"] = {**(before or {}), **annotation_dict}
    try:
        yield
    finally:
        if before is None:
            del current_meta["custom"]
        else:
            current_meta["custom"] = before


def annotate_fn(annotation_dict: dict[str, Any]) -> Any:
    """Return a decorator: ``annotate`` around each call of a function.

    >>> import minigrad
    >>> @minigrad.fx.traceback.annotate_fn({"stage": 2})
    ... def stage():
    ...     return minigrad.fx.traceback.get_current_meta()["custom"]
    >>> stage()
    {'stage': 2}
    """

    def decorate(func):
        ANCHORS.add((func.__code__.co_filename, func.__code__.co_name))

        @functools.wraps(func)
        def annotated(*args, **kwargs):
            with annotate(annotation_dict):
                return func(*args, **kwargs)

        return annotated

    return decorate


def set_grad_fn_seq_nr(seq_nr: int) -> None:
    """Note that a node of a backward pass begins, by its sequence number.

    >>> import minigrad
    >>> from minigrad.fx import traceback
    >>> with traceback.preserve_node_meta():
    ...     traceback.set_grad_fn_seq_nr(7)
    ...     traceback.get_current_meta()["grad_fn_seq_nr"]
    [7]
    """
    if should_preserve_node_meta:
        current_meta["grad_fn_seq_nr"] = [*current_meta.get("grad_fn_seq_nr", []), seq_nr]
        current_meta["in_grad_fn"] = current_meta.get("in_grad_fn", 0) + 1


def reset_grad_fn_seq_nr() -> None:
    """Note that the node of a backward pass ends that began last.

    >>> import minigrad
    >>> from minigrad.fx import traceback
    >>> with traceback.preserve_node_meta():
    ...     traceback.set_grad_fn_seq_nr(7)
    ...     traceback.reset_grad_fn_seq_nr()
    """
    if should_preserve_node_meta:
        level = current_meta.get("in_grad_fn", 0)
        if level <= 0:
            raise AssertionError(f"Expected current_level > 0, got {level}")
        if level == 1:
            del current_meta["in_grad_fn"], current_meta["grad_fn_seq_nr"]
        else:
            current_meta["in_grad_fn"] = level - 1
            current_meta["grad_fn_seq_nr"] = current_meta["grad_fn_seq_nr"][:-1]


def get_graph_provenance_json(graph: Any) -> dict[str, Any]:
    """Name of a node -> the history of it, as ``NodeSource.to_dict`` gives it.

    >>> import minigrad
    >>> minigrad.fx.traceback.get_graph_provenance_json(minigrad.fx.symbolic_trace(lambda x: x + 1).graph)
    {'add': []}
    """
    return {
        node.name: [source.to_dict() for source in node.meta.get("from_node", ())]
        for node in graph.nodes
        if node.op == "call_function"
    }


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
