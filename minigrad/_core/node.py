"""Nodes of the backward graph: one per recorded operation, linked to the nodes that made its inputs.

A node's class is the op (``MulBackward0``); the class of a tensor's ``_node`` says what the tensor is:
``None`` (nothing recorded), a ``Node`` (the result of an op), an ``AccumulateGrad`` (a leaf that requires grad),
a ``Port`` (one of several outputs of a node), or a ``View`` (see ``views.py``).  How families record and run nodes is in ``families/``.
"""

import itertools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, SupportsIndex

from .._base.publishing import publish
from .._base.read_only import read_only
from .hooks import Extra
from .storage import FRESH

#: Sequence numbers: a younger node has a higher one.
_numbers = itertools.count()
tick = _numbers.__next__


def latest():
    """The highest number that ``tick`` has given, without taking one; -1 before the first."""
    return int(repr(_numbers)[len("count(") : -1]) - 1  # nothing else of it shows the next number


@read_only("", "metadata next_functions")
class Node:
    """One recorded operation.

    ``_next`` holds an edge per input: the node (or port) that made it, an ``AccumulateGrad``, or None; ``_seq`` is the sequence number,
    ``_extra`` the rare state (see ``hooks.py``), ``_storage`` that of the result, as far as it is saved, ``_outputs`` how many results have a gradient.
    (The underscores keep them apart from what users put on the context of a custom Function, which is a node.)
    """

    __slots__ = ("_next", "_seq", "_extra", "_storage", "__weakref__")
    if (
        TYPE_CHECKING
    ):  # at run time, a __getattr__ would slow down the reading of every slot: 0.2 us for each node

        def __getattr__(self, name: str) -> Any: ...

    _outputs = 1
    begins = False  # whether its result counts as a leaf: an argument of a function being transformed
    takes_none = False  # whether backward is called even if no gradient arrived
    lends = False  # whether gradients from backward may be arrays that someone else holds
    #: Whether backward computes gradients that nobody asked for, and shows them to hooks; "any": of them all, if one was asked for.
    computes_all: bool | str = False
    #: How PyTorch names what formulas call x, y, z, ...
    names: dict[Any, Any] = {"x": "self", "y": "other", "z": "result", "shape": "self_sym_sizes"}
    prefix = ""

    def name(self) -> Any:
        """The node's name, such as ``MulBackward0``."""
        return type(self).prefix + type(self).__name__

    @property
    def next_functions(self) -> Any:
        """A pair (node, output number) for each input; (None, 0) where no gradient is wanted."""
        return tuple(as_pair(self._next[i]) for i in self.places_of_next())

    def places_of_next(self) -> Any:
        """Which of the inputs are counted in ``next_functions``."""
        return range(len(self._next))

    def shown(self) -> Any:
        """The node that ``grad_fn`` shows for what this one made; None: it passes for a leaf."""
        return self

    def unreached(self, xp: Any, keep: Any) -> Any:
        """What goes along the edges if no gradient has arrived: none; what was saved is checked and, unless ``keep``, freed all the same."""
        return (None,) * len(self._next)

    def backward_towards(self, edges: Any, xp: Any, g: Any, keep: Any) -> Any:
        """Like ``backward``, for what is to go along ``edges`` only: some of ``_next``, None in place of the others."""
        return self.backward(xp, g, keep)

    @property
    def metadata(self) -> Any:
        """A dictionary for the user's own notes on this node."""
        extra = rare(self)
        if extra.metadata is None:
            extra.metadata = {}
        return extra.metadata

    requires_grad = True

    def _sequence_nr(self):
        return self._seq

    def _set_sequence_nr(self, number):
        self._seq = number

    def register_hook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(grad_inputs, grad_outputs)`` after this node has run; it may return other grad_inputs."""
        return rare(self).post.add(hook)

    def register_prehook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(grad_outputs)`` before this node runs; it may return other grad_outputs."""
        return rare(self).pre.add(hook)

    def _register_hook_dict(self, hooks):
        """Call the functions of a dictionary as tensor hooks of this node's first output."""
        rare(self).tensor[0] = hooks

    def saved(self, name: str) -> Any:
        """The saved value that PyTorch calls ``name``; families override it."""
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '_saved_{name}'")

    def raw_saved(self, name: str) -> Any:
        """The saved tensor that PyTorch calls ``name``, for hooks; families override it."""
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '_raw_saved_{name}'")

    def places_held(self) -> Any:
        """Where this node has saved tensors: what ``held``, ``hold`` and ``value`` take."""
        return ()

    def saved_values(self) -> Any:
        """A ``Saved`` for each tensor that this node saved.  Nothing is unpacked, freed or changed by the question."""
        return []

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"


publish("minigrad.autograd.graph", Node)


def rare(node: Any) -> Any:
    """The node's hooks and other rare state, made on first use."""
    if node._extra is None:
        node._extra = Extra()
    return node._extra


def keep_retaining(old: Any, new: Any) -> None:
    """Let a tensor whose edge was ``old`` and is ``new`` go on retaining its gradient, if it did."""
    node, nr = as_pair(old)
    if node is not None and node._extra is not None:
        ref = node._extra.retain.pop(nr, None)
        if ref is not None:
            node, nr = as_pair(new)
            rare(node).retain[nr] = ref


class Port:
    """Output ``nr`` of a node that has several; a tensor's ``_node``, and an edge's end."""

    __slots__ = ("node", "nr")
    _outputs = 0  # not one: the engine looks closer at such an edge
    begins = False

    def __init__(self, node: Any, nr: Any) -> None:
        self.node = node
        self.nr = nr

    @property
    def _storage(self):
        """The storage of this output, as far as the node saved it."""
        storages = self.node._storage
        return storages[self.nr] if storages.__class__ is list else storages

    @_storage.setter
    def _storage(self, storage):
        storages = self.node._storage
        if storages.__class__ is list:
            storages[self.nr] = storage


@read_only("", "variable")
class AccumulateGrad(Node):
    """The end of the graph at a leaf: it owns the leaf's gradient and adds to it.

    The leaf owns this node; the node knows the leaf by a weak reference, so no cycle arises and nothing has to be made
    again at each step.
    """

    __slots__ = ("grad", "array", "leaf", "cls")
    leaf: Any
    prefix = "torch::autograd::"
    _next = ()

    @property
    def variable(self) -> Any:
        """The leaf; an equivalent tensor is made if the leaf is gone."""
        leaf = self.leaf()
        if leaf is None:
            leaf = object.__new__(self.cls)
            leaf._array = self.array
            leaf._storage = self._storage
            leaf._node = self
            self.leaf = weakref.ref(leaf)
        return leaf


def accumulator(tensor):
    """A new AccumulateGrad for ``tensor``."""
    node = AccumulateGrad()
    node._seq = (1 << 64) - 1  # it runs as soon as it is ready, before all others
    node._extra = None
    node._storage = tensor._storage
    node.grad = None
    node.array = tensor._array
    node.cls = type(tensor)
    node.leaf = weakref.ref(tensor)
    return node


class _Nowhere(Node):
    """The end of an edge that leads nowhere, at views made without grad of tensors that require it."""

    __slots__ = ()

    def backward(self, xp: Any, g: Any, keep: Any) -> Any:
        """Nothing to pass on."""
        return ()


def _nowhere():
    node = _Nowhere()
    node._next = ()
    node._seq = -1
    node._extra = None
    node._storage = FRESH
    return node


NOWHERE = _nowhere()


def as_pair(edge: Any) -> Any:
    """An edge as users see it: (node, output number)."""
    if edge is None or edge is NOWHERE:
        return None, 0
    if edge.__class__ is Port:
        return edge.node, edge.nr
    return edge, 0
