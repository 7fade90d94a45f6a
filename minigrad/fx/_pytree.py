"""Nested inputs taken apart as a spec says, by generated code: ``tree_flatten_spec``."""

from collections import namedtuple

from .. import return_types
from ..utils._pytree import tree_flatten

#: Type of container -> (tree, spec) -> its children, of which it has at least those that the spec asks for.
SUPPORTED_NODES: dict = {}
#: Type of container -> (tree, spec) -> whether it has just these.
SUPPORTED_NODES_EXACT_MATCH: dict = {}


def register_pytree_flatten_spec(cls, flatten_fn_spec, flatten_fn_exact_match_spec=None):
    """Register how generated code flattens containers of a type: ``flatten_fn_spec(tree, spec)`` returns the children."""
    SUPPORTED_NODES[cls] = flatten_fn_spec
    SUPPORTED_NODES_EXACT_MATCH[cls] = flatten_fn_exact_match_spec


def _deregister_pytree_flatten_spec(cls):
    del SUPPORTED_NODES[cls]
    del SUPPORTED_NODES_EXACT_MATCH[cls]


def tree_flatten_spec(pytree, spec):
    """Return the leaves of a tree according to a spec; raise RuntimeError if its structure differs.

    >>> from minigrad.fx._pytree import tree_flatten_spec
    >>> from minigrad.utils._pytree import tree_structure
    >>> tree_flatten_spec([1, {"a": (2, 3)}], tree_structure([0, {"a": 0}]))
    [1, (2, 3)]
    """
    if spec.is_leaf():
        return [pytree]
    if spec.type in SUPPORTED_NODES:
        children = SUPPORTED_NODES[spec.type](pytree, spec)
        return [
            leaf
            for child, inner in zip(children, spec.children(), strict=False)
            for leaf in tree_flatten_spec(child, inner)
        ]
    leaves, real = tree_flatten(pytree)
    if spec != real:
        raise RuntimeError(f"Real spec {real} of object {pytree} is different from expected spec {spec}.")
    return leaves


def _by_keys(tree, spec):
    return [tree[key] for key in spec.context]


def _by_numbers(tree, spec):
    return [tree[i] for i in range(spec.num_children)]


def _same_length(tree, spec):
    return len(tree) == spec.num_children


register_pytree_flatten_spec(dict, _by_keys, _same_length)
for _kind in (list, tuple, namedtuple, *getattr(return_types, "all_return_types", ())):
    register_pytree_flatten_spec(_kind, _by_numbers, _same_length)
