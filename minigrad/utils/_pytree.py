"""Nested containers under PyTorch's path: what ``_base/pytree.py`` has, key paths, specs as JSON, dataclasses as nodes."""

import dataclasses
import functools
import importlib
import json
import types
import warnings
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from .._base import pytree as _core
from .._base.decorators import deprecated
from .._base.pytree import (
    _LEAF_SPEC,
    SUPPORTED_NODES,
    LeafSpec,
    TreeSpec,
    is_namedtuple_class,
    tree_flatten,
    tree_is_leaf,
    tree_iter,
    tree_leaves,
    tree_map,
    tree_map_,
    tree_structure,
    tree_unflatten,
)
from .._base.pytree import node_type as _get_node_type
from .._base.pytree import register as _register
from .._base.return_types import Results as _Results
from .._base.size import Size as _Size

__all__ = [
    "PyTree",
    "Context",
    "FlattenFn",
    "UnflattenFn",
    "DumpableContext",
    "ToDumpableContextFn",
    "FromDumpableContextFn",
    "PyTreeSpec",
    "TreeSpec",
    "LeafSpec",
    "keystr",
    "key_get",
    "register_pytree_node",
    "tree_is_leaf",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_unflatten",
    "tree_iter",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_structure",
    "tree_map",
    "tree_map_with_path",
    "tree_map_",
    "tree_map_only",
    "tree_map_only_",
    "tree_all",
    "tree_any",
    "tree_all_only",
    "tree_any_only",
    "treespec_dumps",
    "treespec_loads",
    "treespec_pprint",
    "is_namedtuple",
    "is_namedtuple_class",
    "is_namedtuple_instance",
    "is_structseq",
    "is_structseq_class",
    "is_structseq_instance",
]
BUILTIN_TYPES = _core.BUILTIN_TYPES
STANDARD_DICT_TYPES = _core.STANDARD_DICT_TYPES
NodeDef = _core.NodeDef
treespec_leaf = _core.treespec_leaf
treespec_pprint = _core.treespec_pprint
_broadcast_to_and_flatten = _core.broadcast_to_and_flatten
PyTree = Context = DumpableContext = Any
FlattenFn = UnflattenFn = ToDumpableContextFn = FromDumpableContextFn = FlattenWithKeysFn = Any
KeyEntry = KeyPath = Any
PyTreeSpec = TreeSpec

DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL = 1
NO_SERIALIZED_TYPE_NAME_FOUND = "NO_SERIALIZED_TYPE_NAME_FOUND"


# Kinds of containers -------------------------------------------------------------------------------------------------------


def is_namedtuple(obj):
    """Whether an object, or a class, is a named tuple."""
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_namedtuple_instance(obj):
    """Whether an object is a named tuple."""
    return is_namedtuple_class(type(obj))


def _made_in_c(cls):
    """Whether a class derives from tuple alone, and nothing can derive from it."""
    return cls.__bases__ == (tuple,) and not cls.__flags__ & 1 << 10


def is_structseq_class(cls):
    """Whether ``cls`` is one of CPython's own named tuples, such as ``time.struct_time``, or of ``minigrad.return_types``."""
    return (
        isinstance(cls, type)
        and all(
            isinstance(getattr(cls, name, None), int)
            for name in ("n_fields", "n_sequence_fields", "n_unnamed_fields")
        )
        and (_made_in_c(cls) or issubclass(cls, _Results))
    )


def is_structseq(obj):
    """``is_structseq_class`` of an object's class, or of a class."""
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_instance(obj):
    """``is_structseq_class`` of an object's class."""
    return is_structseq_class(type(obj))


# Registering -----------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class _SerializeNodeDef:
    """How the specs of a type of node become JSON."""

    typ: Any
    serialized_type_name: str
    to_dumpable_context: Any
    from_dumpable_context: Any


SUPPORTED_SERIALIZED_TYPES: dict[Any, _SerializeNodeDef] = {}
SERIALIZED_TYPE_TO_PYTHON_TYPE: dict[str, Any] = {}
CONSTANT_NODES: set[type] = set()


def register_pytree_node(
    cls: type[Any],
    flatten_fn: Callable[[Any], tuple[list[Any], Any]],
    unflatten_fn: Callable[[Iterable[Any], Any], Any],
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Callable[[Any], Any] | None = None,
    from_dumpable_context: Callable[[Any], Any] | None = None,
    flatten_with_keys_fn: Any = None,
) -> None:
    """Make ``cls`` a type of node: ``flatten_fn(tree)`` gives children and a context, ``unflatten_fn(children, context)`` the tree.

    ``flatten_with_keys_fn``, for key paths, gives pairs (key, child) and the context; the others say how a context becomes JSON and
    comes back.  Raises ValueError if the class is registered already.

    >>> from minigrad.utils import _pytree
    >>> class Pair:
    ...     def __init__(self, a, b):
    ...         self.a, self.b = a, b
    >>> _pytree.register_pytree_node(Pair, lambda pair: ([pair.a, pair.b], None), lambda ab, _: Pair(*ab))
    >>> _pytree.tree_leaves([Pair(1, 2), 3])
    [1, 2, 3]
    """
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _private_register_pytree_node(
        cls,
        flatten_fn,
        unflatten_fn,
        serialized_type_name=serialized_type_name,
        to_dumpable_context=to_dumpable_context,
        from_dumpable_context=from_dumpable_context,
        flatten_with_keys_fn=flatten_with_keys_fn,
    )


def _private_register_pytree_node(
    cls,
    flatten_fn,
    unflatten_fn,
    *,
    serialized_type_name=None,
    to_dumpable_context=None,
    from_dumpable_context=None,
    flatten_with_keys_fn=None,
):
    """Like ``register_pytree_node``, but a class may be registered again."""
    _register(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)
    _register_serialization(cls, serialized_type_name, to_dumpable_context, from_dumpable_context)


def _register_serialization(cls, name, to_dumpable=None, from_dumpable=None):
    if (to_dumpable is None) != (from_dumpable is None):
        raise ValueError(
            f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or registered."
        )
    name = NO_SERIALIZED_TYPE_NAME_FOUND if name is None else name
    SUPPORTED_SERIALIZED_TYPES[cls] = _SerializeNodeDef(cls, name, to_dumpable, from_dumpable)
    SERIALIZED_TYPE_TO_PYTHON_TYPE[name] = cls


@deprecated(
    "`torch.utils._pytree._register_pytree_node` is deprecated. Please use `torch.utils._pytree.register_pytree_node` instead."
)
def _register_pytree_node(
    cls, flatten_fn, unflatten_fn, to_str_fn=None, maybe_from_str_fn=None, **serialization
):
    """Deprecated: ``register_pytree_node``."""
    if to_str_fn is not None or maybe_from_str_fn is not None:
        warnings.warn(
            "`to_str_fn` and `maybe_from_str_fn` is deprecated. Please use `to_dumpable_context` and `from_dumpable_context` instead.",
            FutureWarning,
            stacklevel=3,
        )
    _private_register_pytree_node(cls, flatten_fn, unflatten_fn, **serialization)


def _deregister_pytree_node(cls):
    """Make ``cls`` a type of leaves again."""
    del SUPPORTED_NODES[cls]
    del SERIALIZED_TYPE_TO_PYTHON_TYPE[SUPPORTED_SERIALIZED_TYPES.pop(cls).serialized_type_name]
    CONSTANT_NODES.discard(cls)


def _register_namedtuple(cls, *, serialized_type_name):
    """Give a class of named tuples, which are nodes anyway, a name for JSON."""
    entry = SUPPORTED_NODES[namedtuple]
    _private_register_pytree_node(
        cls,
        entry.flatten_fn,
        entry.unflatten_fn,
        serialized_type_name=serialized_type_name,
        to_dumpable_context=_namedtuple_to_json,
        from_dumpable_context=_namedtuple_from_json,
        flatten_with_keys_fn=entry.flatten_with_keys_fn,
    )


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    """Register a dataclass, or a similar class made from its fields, as a type of node; fields that are None are not leaves.

    Raises ValueError if ``field_names`` are not the fields that construct the class.

    >>> import dataclasses
    >>> from minigrad.utils import _pytree
    >>> @dataclasses.dataclass
    ... class Point:
    ...     x: int
    ...     y: int
    >>> _pytree.register_dataclass(Point)
    >>> _pytree.tree_map(lambda leaf: leaf + 1, Point(1, 2)).y
    3
    """
    if not dataclasses.is_dataclass(cls):
        if field_names is None:
            raise ValueError(
                f"field_names must be specified with a list of all fields used to initialize {cls}, as it is not a dataclass."
            )
    else:
        needed = [field.name for field in dataclasses.fields(cls) if field.init]
        if field_names is None:
            field_names = needed
        else:
            _check_field_names(set(field_names), set(needed) - set(drop_field_names or ()))

    def flatten(tree):
        values = {name: getattr(tree, name) for name in field_names}
        given = [name for name, value in values.items() if value is not None]
        return [values[name] for name in given], [
            given,
            [name for name in field_names if name not in given],
        ]

    def unflatten(children, context):
        given, absent = context
        return cls(**dict(zip(given, children, strict=True)), **dict.fromkeys(absent))

    def flatten_with_keys(tree):
        children, context = flatten(tree)
        return list(zip(map(GetAttrKey, context[0]), children)), context

    _private_register_pytree_node(
        cls,
        flatten,
        unflatten,
        serialized_type_name=serialized_type_name,
        flatten_with_keys_fn=flatten_with_keys,
    )


def _check_field_names(given, needed):
    """Raise ValueError if the names of a dataclass's fields are not those that it is made from."""
    if given == needed:
        return
    message = "field_names does not include all dataclass fields.\n"
    if missing := needed - given:
        message += (
            f"Missing fields in `field_names`: {missing}. Add them to `field_names`, or to `drop_field_names` if they are "
            "no part of the tree.\n"
        )
    if unexpected := given - needed:
        message += f"Unexpected fields in `field_names`: {unexpected}. Please remove these fields, or add them to `drop_field_names`.\n"
    raise ValueError(message)


@dataclasses.dataclass(frozen=True, slots=True)
class ConstantNode:
    """The context of a node without leaves: the value itself."""

    value: Any


def register_constant(cls):
    """Make ``cls`` a type of nodes without leaves; raises TypeError if it does not say which of its instances are equal.

    >>> from minigrad.utils import _pytree
    >>> class Name(str):
    ...     pass
    >>> _pytree.register_constant(Name)
    >>> _pytree.tree_leaves([Name("a"), "b"])
    ['b']
    """
    if cls.__eq__ is object.__eq__:
        raise TypeError("register_constant(cls) expects `cls` to have a non-default `__eq__` implementation.")
    if cls.__hash__ is None:
        raise TypeError(
            "register_constant(cls) expects `cls` to have a non-default `__hash__` implementation."
        )

    def flatten(tree):
        return [], ConstantNode(tree)

    _private_register_pytree_node(
        cls, flatten, lambda _, context: context.value, flatten_with_keys_fn=flatten
    )
    CONSTANT_NODES.add(cls)


def is_constant_class(cls):
    """Whether ``register_constant`` was called for ``cls``."""
    return isinstance(cls, type) and cls in CONSTANT_NODES


# Maps and questions ----------------------------------------------------------------------------------------------------------


def map_only(type_or_types_or_pred, /):
    """A decorator: the function is applied to what is of these types (or satisfies the predicate); all else stays as it is."""
    if isinstance(type_or_types_or_pred, (type, tuple, types.UnionType)):

        def wanted(leaf):
            return isinstance(leaf, type_or_types_or_pred)

    elif callable(type_or_types_or_pred):
        wanted = type_or_types_or_pred
    else:
        raise TypeError("Argument must be a type, a tuple of types, or a callable.")

    def wrapper(func):
        @functools.wraps(func)
        def wrapped(leaf):
            return func(leaf) if wanted(leaf) else leaf

        return wrapped

    return wrapper


def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """Like ``tree_map``, for leaves of these types, or those of which the predicate is true.

    >>> from minigrad.utils import _pytree
    >>> _pytree.tree_map_only(int, lambda x: -x, [1, "a", {"b": 2}])
    [-1, 'a', {'b': -2}]
    """
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """Like ``tree_map_``, for leaves of these types, or those of which the predicate is true."""
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    """Whether ``pred`` is true of every leaf."""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    """Whether ``pred`` is true of a leaf."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(type_or_types, /, pred, tree, is_leaf=None):
    """Whether ``pred`` is true of every leaf of these types."""
    return all(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))


def tree_any_only(type_or_types, /, pred, tree, is_leaf=None):
    """Whether ``pred`` is true of a leaf of these types."""
    return any(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))


def arg_tree_leaves(*args, **kwargs):
    """The leaves of all the arguments."""
    return tree_leaves([*args, *kwargs.values()])


# Key paths -------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, slots=True)
class SequenceKey:
    """A step of a key path: into a list, a tuple or a deque."""

    idx: int

    def __str__(self):
        return f"[{self.idx!r}]"

    def get(self, sequence):
        """The child."""
        return sequence[self.idx]


@dataclasses.dataclass(frozen=True, slots=True)
class MappingKey:
    """A step of a key path: into a dict."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"

    def get(self, mapping: Any) -> Any:
        """The child."""
        return mapping[self.key]


@dataclasses.dataclass(frozen=True, slots=True)
class GetAttrKey:
    """A step of a key path: to an attribute."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"

    def get(self, obj: Any) -> Any:
        """The child."""
        return getattr(obj, self.name)


def _indices(sequence):
    return map(SequenceKey, range(len(sequence)))


def _keys(mapping):
    return map(MappingKey, mapping)


def _fields(tree):
    return map(GetAttrKey, tree._fields)


def _with_keys(flatten, keys):
    """Like ``flatten``, but each child comes with the key that leads to it."""

    def flatten_with_keys(tree):
        children, context = flatten(tree)
        return list(zip(keys(tree), children, strict=True)), context

    return flatten_with_keys


# How single built-in types come apart, with keys too, and together again: programs call this for types of their own.
_, _tuple_flatten, _tuple_unflatten, _ = SUPPORTED_NODES[tuple]
_, _list_flatten, _list_unflatten, _ = SUPPORTED_NODES[list]
_, _dict_flatten, _dict_unflatten, _ = SUPPORTED_NODES[dict]
_, _namedtuple_flatten, _namedtuple_unflatten, _ = SUPPORTED_NODES[namedtuple]
_, _ordereddict_flatten, _ordereddict_unflatten, _ = SUPPORTED_NODES[OrderedDict]
_, _defaultdict_flatten, _defaultdict_unflatten, _ = SUPPORTED_NODES[defaultdict]
_, _deque_flatten, _deque_unflatten, _ = SUPPORTED_NODES[deque]
_tuple_flatten_with_keys = _with_keys(_tuple_flatten, _indices)
_list_flatten_with_keys = _with_keys(_list_flatten, _indices)
_dict_flatten_with_keys = _with_keys(_dict_flatten, _keys)
_namedtuple_flatten_with_keys = _with_keys(_namedtuple_flatten, _fields)
_ordereddict_flatten_with_keys = _with_keys(_ordereddict_flatten, _keys)
_defaultdict_flatten_with_keys = _with_keys(_defaultdict_flatten, _keys)
_deque_flatten_with_keys = _with_keys(_deque_flatten, _indices)


def keystr(kp):
    """Return a key path as text.

    >>> from minigrad.utils import _pytree
    >>> [_pytree.keystr(path) for path, _ in _pytree.tree_leaves_with_path({"a": [1, 2]})]
    ["['a'][0]", "['a'][1]"]
    """
    return "".join(map(str, kp))


def key_get(obj, kp):
    """What is at a key path in ``obj``."""
    for key in kp:
        obj = key.get(obj)
    return obj


def _leaves_with_path(path, tree, is_leaf):
    if not is_leaf or not is_leaf(tree):
        cls = _get_node_type(tree)
        entry = SUPPORTED_NODES.get(cls)
        if entry is not None:
            flatten = entry.flatten_with_keys_fn
            if is_structseq_class(cls) and not flatten:
                flatten = _tuple_flatten_with_keys
            if not flatten:
                raise ValueError(
                    f"Did not find a flatten_with_keys_fn for type: {cls}. Please pass a flatten_with_keys_fn argument to "
                    "register_pytree_node."
                )
            for key, child in flatten(tree)[0]:
                yield from _leaves_with_path((*path, key), child, is_leaf)
            return
    yield path, tree


def tree_leaves_with_path(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """The leaves of ``tree`` as pairs (key path, leaf); raises ValueError for a type that was registered without keys."""
    return list(_leaves_with_path((), tree, is_leaf))


def tree_flatten_with_path(tree, is_leaf=None):
    """``tree_leaves_with_path`` and the TreeSpec."""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """Like ``tree_map``, but the first argument of ``func`` is the leaf's key path.

    >>> from minigrad.utils import _pytree
    >>> _pytree.tree_map_with_path(lambda path, x: f"{_pytree.keystr(path)}={x}", {"a": [1]})
    {'a': ["['a'][0]=1"]}
    """
    pairs, treespec = tree_flatten_with_path(tree, is_leaf)
    columns = [*zip(*pairs), *[treespec.flatten_up_to(rest) for rest in rests]]
    return treespec.unflatten([func(*row) for row in zip(*columns, strict=True)])


# Specs -------------------------------------------------------------------------------------------------------------------------


def treespec_tuple(iterable=(), /):
    """The spec of a tuple of trees with these specs; raises ValueError for anything but specs."""
    children = list(iterable)
    if not all(isinstance(child, TreeSpec) for child in children):
        raise ValueError(f"Expected a tuple of TreeSpec values, got: {children!r}.")
    return TreeSpec(tuple, None, children)


def treespec_dict(mapping=(), /, **kwargs):
    """The spec of a dict of trees with these specs; raises ValueError for anything but specs."""
    specs = dict(mapping, **kwargs)
    if not all(isinstance(child, TreeSpec) for child in specs.values()):
        raise ValueError(f"Expected a dictionary of TreeSpec values, got: {specs!r}.")
    return TreeSpec(dict, list(specs), list(specs.values()))


class EnumEncoder(json.JSONEncoder):
    """JSON with the members of enums in it."""

    def default(self, obj):
        """An enum's member as a dict."""
        if isinstance(obj, Enum):
            cls = type(obj)
            return {"__enum__": True, "fqn": f"{cls.__module__}:{cls.__qualname__}", "name": obj.name}
        return super().default(obj)


def enum_object_hook(obj):
    """What ``EnumEncoder`` wrote, as it was."""
    if "__enum__" not in obj:
        return obj
    module, _, qualname = obj["fqn"].partition(":")
    cls = importlib.import_module(module)
    for name in qualname.split("."):
        cls = getattr(cls, name)
    return cls[obj["name"]]


def _namedtuple_to_json(cls):
    name = SUPPORTED_SERIALIZED_TYPES[cls].serialized_type_name if cls in SUPPORTED_SERIALIZED_TYPES else None
    if name is None or name == NO_SERIALIZED_TYPE_NAME_FOUND:
        reason = "didn't register a" if name is None else "couldn't find a"
        raise NotImplementedError(
            f"Can't serialize TreeSpec of namedtuple class {cls} because we {reason} serializated_type_name. Please register "
            "using `_register_namedtuple`."
        )
    return name


def _namedtuple_from_json(name):
    if name not in SERIALIZED_TYPE_TO_PYTHON_TYPE:
        raise NotImplementedError(
            f"Can't deserialize TreeSpec of namedtuple class {name} because we couldn't find a serializated name."
        )
    return SERIALIZED_TYPE_TO_PYTHON_TYPE[name]


def _defaultdict_to_json(context):
    factory, keys = context
    return {
        "default_factory_module": factory.__module__,
        "default_factory_name": factory.__qualname__,
        "dict_context": keys,
    }


def _defaultdict_from_json(context):
    module = importlib.import_module(context["default_factory_module"])
    return [getattr(module, context["default_factory_name"]), context["dict_context"]]


def _spec_to_json(treespec):
    if treespec.is_leaf():
        return {"type": None, "context": None, "children_spec": []}
    entry = SUPPORTED_SERIALIZED_TYPES.get(treespec.type)
    if entry is None:
        raise NotImplementedError(f"Serializing {treespec.type} in pytree is not registered.")
    if entry.serialized_type_name == NO_SERIALIZED_TYPE_NAME_FOUND:
        raise NotImplementedError(
            f"No registered serialization name for {treespec.type} found. Please update your _register_pytree_node call with a "
            "`serialized_type_name` kwarg."
        )
    if entry.to_dumpable_context is not None:
        context = entry.to_dumpable_context(treespec.context)
    else:
        try:
            context = json.dumps(treespec.context, cls=EnumEncoder)
        except TypeError as error:
            raise TypeError(
                "Unable to serialize context. Please make the context json dump-able, or register a custom serializer using "
                "_register_pytree_node."
            ) from error
    children = [_spec_to_json(child) for child in treespec.children()]
    return {"type": entry.serialized_type_name, "context": context, "children_spec": children}


def _spec_from_json(schema):
    name, context, children = schema["type"], schema["context"], schema["children_spec"]
    if name is None and context is None and not children:
        return _LEAF_SPEC
    if name not in SERIALIZED_TYPE_TO_PYTHON_TYPE:
        raise NotImplementedError(f"Deserializing {name} in pytree is not registered.")
    cls = SERIALIZED_TYPE_TO_PYTHON_TYPE[name]
    read = SUPPORTED_SERIALIZED_TYPES[cls].from_dumpable_context
    if read is not None:
        context = read(context)
    else:
        try:
            context = json.loads(context, object_hook=enum_object_hook)
        except TypeError as error:
            raise TypeError(
                "Unable to deserialize context. Please make the context json load-able, or register a custom serializer using "
                "_register_pytree_node."
            ) from error
    return TreeSpec(cls, context, [_spec_from_json(child) for child in children])


def _check_protocol(protocol):
    if protocol != DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL:
        raise ValueError(
            f"Unknown protocol {protocol}. Available protocols: {[DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL]}"
        )


def treespec_dumps(treespec, protocol=None):
    """Return a spec as JSON; raises NotImplementedError for types that were registered without a name for it.

    >>> from minigrad.utils import _pytree
    >>> _pytree.treespec_loads(_pytree.treespec_dumps(_pytree.tree_structure([1, {"a": 2}])))
    TreeSpec(list, None, [*,
      TreeSpec(dict, ['a'], [*])])
    """
    if not isinstance(treespec, TreeSpec):
        raise TypeError(
            f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}."
        )
    protocol = DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL if protocol is None else protocol
    _check_protocol(protocol)
    return json.dumps((protocol, _spec_to_json(treespec)), cls=EnumEncoder)


@functools.lru_cache
def treespec_loads(serialized):
    """The spec that ``treespec_dumps`` wrote."""
    protocol, schema = json.loads(serialized)
    _check_protocol(protocol)
    return _spec_from_json(schema)


@deprecated("`pytree_to_str` is deprecated. Please use `treespec_dumps` instead.")
def pytree_to_str(treespec):
    """Deprecated: ``treespec_dumps``."""
    return treespec_dumps(treespec)


@deprecated("`str_to_pytree` is deprecated. Please use `treespec_loads` instead.")
def str_to_pytree(json):
    """Deprecated: ``treespec_loads``."""
    return treespec_loads(json)


@deprecated(
    "torch.utils._pytree._is_namedtuple_instance is private and will be removed in a future release. Please use "
    "torch.utils._pytree.is_namedtuple_instance instead."
)
def _is_namedtuple_instance(tree):
    """Deprecated: ``is_namedtuple_instance``."""
    return is_namedtuple_instance(tree)


@deprecated(
    "torch.utils._pytree._is_leaf is private and will be removed in a future release. Please use "
    "torch.utils._pytree.tree_is_leaf instead."
)
def _is_leaf(tree, is_leaf=None):
    """Deprecated: ``tree_is_leaf``."""
    return tree_is_leaf(tree, is_leaf)


# The built-in types ------------------------------------------------------------------------------------------------------------

_KEYED: dict[Any, Any] = {
    tuple: _tuple_flatten_with_keys,
    _Size: _tuple_flatten_with_keys,
    list: _list_flatten_with_keys,
    deque: _deque_flatten_with_keys,
    dict: _dict_flatten_with_keys,
    OrderedDict: _ordereddict_flatten_with_keys,
    defaultdict: _defaultdict_flatten_with_keys,
    namedtuple: _namedtuple_flatten_with_keys,
}
_CONVERSIONS = {
    namedtuple: (_namedtuple_to_json, _namedtuple_from_json),
    defaultdict: (_defaultdict_to_json, _defaultdict_from_json),
}
for _cls, _keyed in _KEYED.items():
    SUPPORTED_NODES[_cls] = SUPPORTED_NODES[_cls]._replace(flatten_with_keys_fn=_keyed)
    _module = "torch" if _cls is _Size else _cls.__module__
    _register_serialization(_cls, f"{_module}.{_cls.__name__}", *_CONVERSIONS.get(_cls, ()))
