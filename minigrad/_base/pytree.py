"""Nested containers: what is inside a list, tuple, dict, named tuple, deque, ..., and how to put it together again.

A container of a registered type is a node, everything else a leaf.  ``tree_flatten`` takes a tree apart into its leaves and a
``TreeSpec``, which says how they were nested.  ``utils/_pytree.py`` shows all this under PyTorch's path, and adds key paths, specs as
JSON, and dataclasses.
"""

import threading
import warnings
from collections import OrderedDict, defaultdict, deque, namedtuple

from .forking import held_while_forking
from .publishing import publish
from .return_types import Results
from .size import Size

#: A type of container: how it comes apart, into a list of children and a context, and together again.
NodeDef = namedtuple("NodeDef", "type flatten_fn unflatten_fn flatten_with_keys_fn", defaults=(None,))

#: Type -> NodeDef.  All named tuples stand under ``namedtuple``.
SUPPORTED_NODES = {
    tuple: NodeDef(tuple, lambda tree: (list(tree), None), lambda children, context: tuple(children)),
    list: NodeDef(list, lambda tree: (tree, None), lambda children, context: list(children)),
    dict: NodeDef(
        dict,
        lambda tree: (list(tree.values()), list(tree)),
        lambda children, keys: dict(zip(keys, children, strict=True)),
    ),
    namedtuple: NodeDef(
        namedtuple, lambda tree: (list(tree), type(tree)), lambda children, kind: kind(*children)
    ),
    OrderedDict: NodeDef(
        OrderedDict,
        lambda tree: (list(tree.values()), list(tree)),
        lambda children, keys: OrderedDict(zip(keys, children, strict=True)),
    ),
    defaultdict: NodeDef(
        defaultdict,
        lambda tree: (list(tree.values()), [tree.default_factory, list(tree)]),
        lambda children, context: defaultdict(context[0], zip(context[1], children, strict=True)),
    ),
    deque: NodeDef(
        deque,
        lambda tree: (list(tree), tree.maxlen),
        lambda children, maxlen: deque(children, maxlen=maxlen),
    ),
}
STANDARD_DICT_TYPES = frozenset((dict, OrderedDict, defaultdict))
BUILTIN_TYPES = frozenset(SUPPORTED_NODES)
SUPPORTED_NODES[Size] = NodeDef(
    Size, lambda tree: (list(tree), None), lambda children, context: tuple(children)
)
_registering = held_while_forking(threading.RLock())


def register(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn=None):
    """Make ``cls`` a type of node; replaces, with a UserWarning, what it was before."""
    with _registering:
        if cls in SUPPORTED_NODES:
            warnings.warn(
                f"{cls} is already registered as pytree node. Overwriting the previous registration.",
                stacklevel=3,
            )
        SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)


def is_namedtuple_class(cls):
    """Whether ``cls`` is a type of named tuples."""
    if not isinstance(cls, type) or not issubclass(cls, tuple):
        return False
    fields = getattr(cls, "_fields", None)
    if not isinstance(fields, tuple) or any(type(field) is not str for field in fields):
        return False
    return all(callable(getattr(cls, name, None)) for name in ("_make", "_asdict"))


def node_type(tree):
    """Under which type ``tree`` would be registered."""
    cls = type(tree)
    if cls is not tuple and isinstance(tree, tuple):
        if is_namedtuple_class(cls):
            return namedtuple
        if isinstance(tree, Results) and cls not in SUPPORTED_NODES:  # made when it was first asked for
            SUPPORTED_NODES[cls] = NodeDef(
                cls, lambda tree: (list(tree), None), lambda children, context: cls(children)
            )
    return cls


class _Fields:
    """What a spec holds, while it can still be changed."""

    __slots__ = ("type", "_context", "_children", "num_nodes", "num_leaves", "num_children")


def _spec(type, context, children):
    """``TreeSpec(type, context, children)`` without the checks."""
    spec = _Fields()
    spec.type, spec._context, spec._children = type, context, children
    nodes, leaves = 1, 1 if type is None else 0
    for child in children:
        nodes += child.num_nodes
        leaves += child.num_leaves
    spec.num_nodes, spec.num_leaves, spec.num_children = nodes, leaves, len(children)
    spec.__class__ = TreeSpec  # 0.4 us; 1.0 by object.__setattr__
    return spec


class TreeSpec(_Fields):
    """The structure of a tree: the type of its root, the context to rebuild it, and the specs of its children. It is immutable.

    >>> tree_structure([1, {"a": 2}])
    TreeSpec(list, None, [*,
      TreeSpec(dict, ['a'], [*])])
    """

    __slots__ = ()

    def __new__(cls, type, context, children_specs):
        if type is None:
            if context is not None:
                raise AssertionError("leaf node should not have a context")
            if children_specs:
                raise AssertionError("leaf node should not have children")
        return _spec(type, context, children_specs)

    def __setattr__(self, name, value):
        raise _frozen("assign to", name)

    def __delattr__(self, name):
        raise _frozen("delete", name)

    def __reduce__(self):
        return TreeSpec, (self.type, self._context, self._children)

    def __repr__(self, indent=0):
        indent += 2
        children = (",\n" + " " * indent).join(child.__repr__(indent) for child in self._children)
        return f"TreeSpec({self.type.__name__}, {self._context}, [{children}])"

    def __eq__(self, other):
        if self is other:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        return (
            str(self.type) == str(other.type)
            and self._context == other._context
            and self._children == other._children
        )

    def __hash__(self):
        # contexts of users' types may not be hashable; equal specs have equal hashes without them
        context = None
        if self.type in (dict, OrderedDict):
            context = tuple(self._context)
        elif self.type is defaultdict:
            context = self._context[0], tuple(self._context[1])
        elif self.type in BUILTIN_TYPES:
            context = self._context
        return hash((self.type, context, tuple(self._children)))

    @property
    def context(self):
        """What the root's type needs, besides the children, to rebuild it: the keys of a dict, the maxlen of a deque."""
        return self._context

    @property
    def children_specs(self):
        """Deprecated: ``children()``."""
        warnings.warn(
            "`treespec.children_specs` is deprecated. Use `treespec.child(index)` to access a single child, or "
            "`treespec.children()` to get all children.",
            FutureWarning,
            stacklevel=2,
        )
        return self._children

    def is_leaf(self):
        """Whether this is the spec of a leaf."""
        return self.num_nodes == 1 and self.num_leaves == 1

    def children(self):
        """The specs of the children, as a list."""
        return self._children.copy()

    def child(self, index):
        """The spec of one child."""
        return self._children[index]

    def flatten_up_to(self, tree):
        """The subtrees of ``tree`` where this spec has leaves; raises ValueError where the two are not nested alike."""
        subtrees = []
        self._collect(tree, subtrees)
        return subtrees

    def _collect(self, tree, subtrees):
        if self.num_nodes == 1 and self.num_leaves == 1:
            subtrees.append(tree)
            return
        for spec, subtree in zip(self._children, self._matching_children(tree), strict=True):
            spec._collect(subtree, subtrees)

    def _matching_children(self, tree):
        """The children of ``tree`` in this spec's order; dicts of all kinds match each other, whatever their order."""
        found, wanted = node_type(tree), self.type
        if wanted not in BUILTIN_TYPES:
            if found != wanted:
                raise ValueError(f"Type mismatch; expected {wanted!r}, but got {found!r}.")
            children, context = SUPPORTED_NODES[found].flatten_fn(tree)
            if len(children) != self.num_children:
                raise ValueError(
                    f"Node arity mismatch; expected {self.num_children}, but got {len(children)}."
                )
            if context != self._context:
                raise ValueError(f"Node context mismatch for custom node type {wanted!r}.")
            return children
        dicts = wanted in STANDARD_DICT_TYPES and found in STANDARD_DICT_TYPES
        if not dicts and found != wanted:
            raise ValueError(f"Node type mismatch; expected {wanted!r}, but got {found!r}.")
        if len(tree) != self.num_children:
            raise ValueError(f"Node arity mismatch; expected {self.num_children}, but got {len(tree)}.")
        if dicts:
            keys = self._context[1] if wanted is defaultdict else self._context
            missing, extra = set(keys).difference(tree), set(tree).difference(keys)
            if missing or extra:
                message = f"; missing key(s): {missing}" if missing else ""
                message += f"; extra key(s): {extra}" if extra else ""
                raise ValueError(f"Node keys mismatch{message}.")
            return [tree[key] for key in keys]
        children, context = SUPPORTED_NODES[found].flatten_fn(tree)
        if found is not deque and context != self._context:  # the maxlen of a deque may be another
            raise ValueError(
                f"Node context mismatch for node type {wanted!r}; expected {self._context!r}, but got {context!r}."
            )
        return children

    def unflatten(self, leaves):
        """Return the tree with the given leaves; raise ValueError if there are more or fewer than the spec has.

        >>> tree_structure((0, [0, 0])).unflatten("abc")
        ('a', ['b', 'c'])
        """
        if not isinstance(leaves, (list, tuple)):
            leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds "
                f"{self.num_leaves} items ({self})."
            )
        return self._build(iter(leaves))

    def _build(self, leaves):
        if self.type is None:
            return next(leaves)
        children = [child._build(leaves) for child in self._children]
        return SUPPORTED_NODES[self.type].unflatten_fn(children, self._context)


def _frozen(action, name):
    """The error for a change of a spec: dataclasses' own, as specs are frozen dataclasses in PyTorch."""
    from dataclasses import FrozenInstanceError

    return FrozenInstanceError(f"cannot {action} field {name!r}")


class LeafSpec(TreeSpec):
    """The spec of a leaf."""

    __slots__ = ()

    def __new__(cls):
        warnings.warn(
            "`isinstance(treespec, LeafSpec)` is deprecated, use `isinstance(treespec, TreeSpec) and treespec.is_leaf()` instead.",
            FutureWarning,
            stacklevel=2,
        )
        return _leaf_spec()

    def __reduce__(self):
        return treespec_leaf, ()

    def __repr__(self, indent=0):
        return "*"


def _leaf_spec():
    spec = _spec(None, None, [])
    object.__setattr__(spec, "__class__", LeafSpec)
    return spec


_LEAF_SPEC = _leaf_spec()


def treespec_leaf():
    """The spec of a leaf: the same object each time."""
    return _LEAF_SPEC


def tree_is_leaf(tree, is_leaf=None):
    """Return whether ``tree`` is a leaf: its type is not registered, or ``is_leaf(tree)`` is true.

    >>> tree_is_leaf(None), tree_is_leaf([1, 2])
    (True, False)
    """
    return bool(is_leaf is not None and is_leaf(tree)) or node_type(tree) not in SUPPORTED_NODES


def tree_flatten(tree, is_leaf=None):
    """Return the leaves of ``tree``, as a list, and its TreeSpec.

    >>> tree_flatten((1, {"a": 2}))
    ([1, 2], TreeSpec(tuple, None, [*,
      TreeSpec(dict, ['a'], [*])]))
    """
    leaves = []
    return leaves, _take_apart(tree, leaves, is_leaf)


def _take_apart(tree, leaves, is_leaf):
    """Append the leaves of ``tree`` to ``leaves``; returns the spec."""
    if is_leaf is not None and is_leaf(tree):
        entry = None
    else:
        cls = node_type(tree)
        entry = SUPPORTED_NODES.get(cls)
    if entry is None:
        leaves.append(tree)
        return _LEAF_SPEC
    children, context = entry.flatten_fn(tree)
    return _spec(cls, context, [_take_apart(child, leaves, is_leaf) for child in children])


def tree_unflatten(leaves, treespec):
    """The tree with these leaves, nested as ``treespec`` says; raises ValueError if their number is another, TypeError for no spec."""
    if not isinstance(treespec, TreeSpec):
        if not isinstance(leaves, TreeSpec):
            raise TypeError(
                f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}."
            )
        leaves, treespec = treespec, leaves
    return treespec.unflatten(leaves)


def tree_iter(tree, is_leaf=None):
    """The leaves of ``tree``, one by one."""
    if tree_is_leaf(tree, is_leaf):
        yield tree
    else:
        for child in SUPPORTED_NODES[node_type(tree)].flatten_fn(tree)[0]:
            yield from tree_iter(child, is_leaf)


def tree_leaves(tree, is_leaf=None):
    """Return the leaves of ``tree``, as a list.

    >>> tree_leaves([1, (2, {"a": 3}), None])
    [1, 2, 3, None]
    """
    leaves = []
    _gather(tree, leaves, is_leaf)
    return leaves


def _gather(tree, leaves, is_leaf):
    entry = None if is_leaf is not None and is_leaf(tree) else SUPPORTED_NODES.get(node_type(tree))
    if entry is None:
        leaves.append(tree)
    else:
        for child in entry.flatten_fn(tree)[0]:
            _gather(child, leaves, is_leaf)


def tree_structure(tree, is_leaf=None):
    """The TreeSpec of ``tree``."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """Return ``tree`` with each leaf replaced by ``func(leaf)``; from further trees, ``func`` gets the subtrees at the same position.

    Raises ValueError if one of ``rests`` has another structure than ``tree``.

    >>> tree_map(lambda x: x + 1, {"x": 7, "y": (42, 64)})
    {'x': 8, 'y': (43, 65)}
    >>> tree_map(lambda x, y: [x, *y], [5, 6], [[7, 9], [1, 2]])
    [[5, 7, 9], [6, 1, 2]]
    """
    leaves, treespec = tree_flatten(tree, is_leaf)
    return treespec.unflatten(map(func, leaves, *[treespec.flatten_up_to(rest) for rest in rests]))


def tree_map_(func, tree, *rests, is_leaf=None):
    """Call ``func`` as ``tree_map`` does, for what it does to the leaves, and return ``tree`` itself."""
    leaves, treespec = tree_flatten(tree, is_leaf)
    for arguments in zip(leaves, *[treespec.flatten_up_to(rest) for rest in rests]):
        func(*arguments)
    return tree


def broadcast_to_and_flatten(tree, treespec, is_leaf=None):
    """Return the leaves of ``tree``, each repeated for the leaves of ``treespec`` at its position; None if the structures differ.

    >>> broadcast_to_and_flatten((0, None), tree_structure((1, [2, 3])))
    [0, None, None]
    """
    result = []

    def repeat(leaf, subtree):
        result.extend([leaf] * len(tree_leaves(subtree, is_leaf)))

    try:
        tree_map_(repeat, tree, treespec.unflatten([0] * treespec.num_leaves), is_leaf=is_leaf)
    except ValueError:
        return None
    return result


class _Asterisk(str):
    """What stands for a leaf in the text of a spec."""

    __slots__ = ()

    def __repr__(self):
        return "*"


def treespec_pprint(treespec):
    """Return a spec as text, with an asterisk for each leaf.

    >>> from minigrad.utils import _pytree
    >>> _pytree.treespec_pprint(_pytree.tree_structure({"a": (1, 2)}))
    "{'a': (*, *)}"
    """
    return repr(tree_unflatten([_Asterisk("*")] * treespec.num_leaves, treespec))


publish("minigrad.utils._pytree", TreeSpec, LeafSpec, treespec_leaf)
