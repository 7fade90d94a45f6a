"""Lists and dicts that cannot be changed: what arguments of nodes are made of, so that nodes know who uses them."""

from typing import Any

from ..utils._pytree import register_pytree_node

__all__ = ["immutable_dict", "immutable_list"]

_HELP = """If you are attempting to modify the kwargs or args of a torch.fx.Node object,
instead create a new copy of it and assign the copy to the node:

    new_args = ...  # copy and mutate args
    node.args = new_args"""


def _refuse(self, *args, **kwargs):
    """Raises TypeError."""
    raise TypeError(f"{type(self).__name__!r} object does not support mutation. {_HELP}")


class immutable_list(list):
    """An immutable, hashable list.

    >>> import minigrad
    >>> minigrad.fx.immutable_collections.immutable_list([1, 2])
    [1, 2]
    """

    __delitem__ = __iadd__ = __imul__ = __setitem__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[Any], tuple[tuple[Any, ...]]]:
        return type(self), (tuple(self),)


class immutable_dict(dict):
    """An immutable, hashable dict.

    >>> import minigrad
    >>> minigrad.fx.immutable_collections.immutable_dict(a=1)
    {'a': 1}
    """

    __delitem__ = __ior__ = __setitem__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __reduce__(self) -> Any:
        return type(self), (tuple(self.items()),)


def _list_with_keys(tree):
    from ..utils._pytree import SequenceKey

    return [(SequenceKey(i), x) for i, x in enumerate(tree)], None


def _dict_with_keys(tree):
    from ..utils._pytree import MappingKey

    return [(MappingKey(key), x) for key, x in tree.items()], list(tree)


register_pytree_node(
    immutable_list,
    lambda tree: (list(tree), None),
    lambda children, context: immutable_list(children),
    serialized_type_name="torch.fx.immutable_collections.immutable_list",
    flatten_with_keys_fn=_list_with_keys,
)
register_pytree_node(
    immutable_dict,
    lambda tree: (list(tree.values()), list(tree)),
    lambda children, keys: immutable_dict(zip(keys, children, strict=True)),
    serialized_type_name="torch.fx.immutable_collections.immutable_dict",
    flatten_with_keys_fn=_dict_with_keys,
)
