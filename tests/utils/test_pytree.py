"""Nested containers: ``utils._pytree``."""

import copy
import dataclasses
import pickle
import time
from collections import OrderedDict, defaultdict, deque, namedtuple

import hypothesis
import hypothesis.strategies as st
import pytest

import minigrad as torch
from minigrad.utils import _pytree as pytree

Pair = namedtuple("Pair", "first second")

containers = st.recursive(
    st.integers() | st.none() | st.text(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3).map(OrderedDict)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3).map(lambda d: defaultdict(list, d))
        | st.lists(inner, max_size=3).map(lambda items: deque(items, maxlen=4))
        | st.tuples(inner, inner).map(lambda items: Pair(*items))
    ),
    max_leaves=12,
)


@hypothesis.given(containers)
def test_what_is_taken_apart_can_be_put_together(tree):
    leaves, spec = pytree.tree_flatten(tree)
    again = pytree.tree_unflatten(leaves, spec)
    assert again == tree and type(again) is type(tree)
    assert leaves == pytree.tree_leaves(tree) == list(pytree.tree_iter(tree))
    assert spec.num_leaves == len(leaves)
    assert spec == pytree.tree_structure(again) and hash(spec) == hash(pytree.tree_structure(again))
    assert spec.flatten_up_to(tree) == leaves
    assert pytree.tree_map(lambda leaf: leaf, tree) == tree


@hypothesis.given(containers)
def test_key_paths_lead_to_the_leaves(tree):
    pairs, spec = pytree.tree_flatten_with_path(tree)
    assert spec == pytree.tree_structure(tree)
    assert [leaf for _, leaf in pairs] == pytree.tree_leaves(tree)
    assert all(pytree.key_get(tree, path) is leaf for path, leaf in pairs)


@hypothesis.given(containers)
def test_specs_become_text_and_come_back(tree):
    spec = pytree.tree_structure(tree)
    assert pickle.loads(pickle.dumps(spec)) == copy.deepcopy(spec) == spec
    if "namedtuple" not in str(spec):  # which need a name first
        assert pytree.treespec_loads(pytree.treespec_dumps(spec)) == spec


def test_the_text_of_a_spec():
    spec = pytree.tree_structure([1, {"b": (2, 3)}, deque(maxlen=5)])
    assert str(spec) == (
        "TreeSpec(list, None, [*,\n"
        "  TreeSpec(dict, ['b'], [TreeSpec(tuple, None, [*,\n"
        "      *])]),\n"
        "  TreeSpec(deque, 5, [])])"
    )
    assert pytree.treespec_pprint(spec) == "[*, {'b': (*, *)}, deque([], maxlen=5)]"
    assert (spec.num_nodes, spec.num_leaves, spec.num_children) == (7, 3, 3)
    assert spec.type is list and spec.context is None and not spec.is_leaf()
    assert spec.child(0) == spec.children()[0] == pytree.treespec_leaf() and spec.child(0).is_leaf()


def test_specs_do_not_change():
    spec = pytree.tree_structure([1])
    with pytest.raises(dataclasses.FrozenInstanceError, match="^cannot assign to field 'type'$"):
        spec.type = tuple
    with pytest.raises(dataclasses.FrozenInstanceError, match="^cannot delete field 'type'$"):
        del spec.type


def test_tensors_sizes_and_named_results():
    x = torch.tensor([[1.0, 2.0]])
    assert pytree.tree_leaves(x) == [x]
    assert pytree.tree_leaves(x.shape) == [1, 2]
    found = x.max(1)
    doubled = pytree.tree_map(lambda leaf: leaf * 2, found)
    assert type(doubled) is type(found) and doubled.values.tolist() == [4.0]
    assert pytree.is_structseq(found) and not pytree.is_namedtuple(found)
    assert pytree.is_structseq_instance(time.localtime()) and not pytree.is_structseq(Pair)
    assert pytree.is_namedtuple(Pair) and not pytree.is_namedtuple_instance(Pair)


@pytest.mark.parametrize(
    "like, tree, message",
    [
        ([1, 2], [1], "Node arity mismatch; expected 2, but got 1."),
        ([1, 2], (1, 2), "Node type mismatch; expected <class 'list'>, but got <class 'tuple'>."),
        ([1, 2], 3, "Node type mismatch; expected <class 'list'>, but got <class 'int'>."),
        ({"a": 1}, {"b": 1}, "Node keys mismatch; missing key(s): {'a'}; extra key(s): {'b'}."),
    ],
)
def test_trees_that_are_nested_otherwise(like, tree, message):
    with pytest.raises(ValueError) as caught:
        pytree.tree_structure(like).flatten_up_to(tree)
    assert str(caught.value) == message
    with pytest.raises(ValueError):
        pytree.tree_map(lambda one, other: one, like, tree)


def test_dicts_of_all_kinds_match_each_other():
    assert pytree.tree_map(lambda x, y: x - y, {"a": 1, "b": 2}, OrderedDict(b=5, a=3)) == {"a": -2, "b": -3}
    assert pytree.tree_structure(defaultdict(list, {"a": 1})).flatten_up_to({"a": 7}) == [7]
    assert pytree.tree_structure(deque([1], maxlen=3)).flatten_up_to(deque([2])) == [2]


def test_the_number_of_leaves_must_be_right():
    spec = pytree.tree_structure([1, 2])
    with pytest.raises(
        ValueError, match="`leaves` has length 1 but the spec refers to a pytree that holds 2 items"
    ):
        spec.unflatten([1])
    with pytest.raises(TypeError, match="instance of PyTreeSpec but got item of type <class 'int'>"):
        pytree.tree_unflatten([1], 3)
    assert pytree.tree_unflatten(spec, [1, 2]) == [1, 2]


def test_is_leaf_stops_early():
    tree = [1, (2, 3)]
    assert pytree.tree_leaves(tree, is_leaf=lambda node: isinstance(node, tuple)) == [1, (2, 3)]
    assert pytree.tree_map(str, tree, is_leaf=lambda node: isinstance(node, tuple)) == ["1", "(2, 3)"]
    assert pytree.tree_is_leaf(None) and not pytree.tree_is_leaf([])


def test_maps_and_questions():
    tree = [1, "a", {"b": 2.5}]
    assert pytree.tree_map_only(int, lambda x: -x, tree) == [-1, "a", {"b": 2.5}]
    assert pytree.tree_map_only((int, float), lambda x: -x, tree) == [-1, "a", {"b": -2.5}]
    assert pytree.tree_map_only(lambda x: x == "a", str.upper, tree) == [1, "A", {"b": 2.5}]
    with pytest.raises(TypeError, match="^Argument must be a type, a tuple of types, or a callable.$"):
        pytree.tree_map_only(3, str, tree)
    seen = []
    assert pytree.tree_map_(seen.append, tree) is tree and seen == [1, "a", 2.5]
    assert pytree.tree_map_only_(str, seen.append, tree) is tree and seen[3:] == ["a"]
    assert pytree.tree_all(lambda x: x, tree) and not pytree.tree_any(lambda x: x == 3, tree)
    assert pytree.tree_all_only(int, lambda x: x == 1, tree)
    assert not pytree.tree_any_only(float, lambda x: x > 3, tree)
    assert pytree.arg_tree_leaves(1, [2], a=(3,)) == [1, 2, 3]
    named = pytree.tree_map_with_path(
        lambda path, x, y: (pytree.keystr(path), x + y), Pair(1, [2]), Pair(3, [4])
    )
    assert named == Pair((".first", 4), [(".second[0]", 6)])


@pytest.mark.parametrize(
    "tree, full, expected",
    [
        (0, [1, (2, 3)], [0, 0, 0]),
        ((0, None), (1, [2, 3]), [0, None, None]),
        ({"a": 5}, {"a": [1, 2]}, [5, 5]),
        ((0,), (1, 2), None),
        ([0, 1], (1, 2), None),
    ],
)
def test_broadcasting_a_prefix(tree, full, expected):
    assert pytree._broadcast_to_and_flatten(tree, pytree.tree_structure(full)) == expected


class Box:
    def __init__(self, content):
        self.content = content


def test_types_of_users():
    pytree.register_pytree_node(Box, lambda box: ([box.content], "box"), lambda children, _: Box(*children))
    try:
        with pytest.raises(ValueError, match="Box'> is already registered as pytree node.$"):
            pytree.register_pytree_node(Box, None, None)
        with pytest.raises(ValueError, match="Did not find a flatten_with_keys_fn for type"):
            pytree.tree_flatten_with_path(Box(1))
        with pytest.raises(NotImplementedError, match="No registered serialization name for"):
            pytree.treespec_dumps(pytree.tree_structure(Box(1)))
        assert pytree.tree_map(lambda x: x + 1, [Box(1)])[0].content == 2
        with pytest.raises(ValueError, match="^Type mismatch; expected"):
            pytree.tree_structure(Box(1)).flatten_up_to([1])
        with pytest.warns(UserWarning, match="Overwriting the previous registration"):
            pytree._private_register_pytree_node(
                Box, lambda box: ([box.content, 0], None), lambda children, _: Box(children[0])
            )
        assert pytree.tree_leaves(Box(7)) == [7, 0]
    finally:
        pytree._deregister_pytree_node(Box)
    assert pytree.tree_is_leaf(Box(1))


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


def test_dataclasses():
    with pytest.raises(ValueError, match=r"Missing fields in `field_names`: {'y'}"):
        pytree.register_dataclass(Point, field_names=["x"])
    with pytest.raises(ValueError, match=r"Unexpected fields in `field_names`: {'z'}"):
        pytree.register_dataclass(Point, field_names=["x", "y", "z"])
    with pytest.raises(ValueError, match="field_names must be specified"):
        pytree.register_dataclass(int)
    pytree.register_dataclass(Point)
    try:
        assert pytree.tree_map(lambda v: v * 2, Point(1, None)) == Point(2, None)
        assert [pytree.keystr(path) for path, _ in pytree.tree_leaves_with_path(Point(1, 2))] == [".x", ".y"]
    finally:
        pytree._deregister_pytree_node(Point)


def test_constants():
    class Name(str):
        __slots__ = ()

    pytree.register_constant(Name)
    try:
        leaves, spec = pytree.tree_flatten([Name("a"), 1])
        assert leaves == [1] and pytree.tree_unflatten([2], spec) == ["a", 2]
        assert spec == pytree.tree_structure([Name("a"), 5]) != pytree.tree_structure([Name("b"), 5])
        assert pytree.is_constant_class(Name)
    finally:
        pytree._deregister_pytree_node(Name)
    with pytest.raises(TypeError, match="non-default `__eq__`"):
        pytree.register_constant(Box)


KINDS = {
    "tuple": ((1, 2), None, "[0]"),
    "list": ([1, 2], None, "[0]"),
    "dict": ({"a": 1, "b": 2}, ["a", "b"], "['a']"),
    "ordereddict": (OrderedDict(a=1, b=2), ["a", "b"], "['a']"),
    "defaultdict": (defaultdict(int, a=1, b=2), [int, ["a", "b"]], "['a']"),
    "deque": (deque([1, 2], maxlen=5), 5, "[0]"),
    "namedtuple": (Pair(1, 2), Pair, f".{Pair._fields[0]}"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_single_types_come_apart_and_together(kind):
    tree, context, first_key = KINDS[kind]
    flatten, unflatten = getattr(pytree, f"_{kind}_flatten"), getattr(pytree, f"_{kind}_unflatten")
    assert (flatten(tree), type(flatten(tree)[0])) == (([1, 2], context), list)
    made = unflatten(iter([3, 4]), context)
    assert type(made) is type(tree) and flatten(made) == ([3, 4], context)
    keyed, same = getattr(pytree, f"_{kind}_flatten_with_keys")(tree)
    assert (str(keyed[0][0]), [child for _, child in keyed], same) == (first_key, [1, 2], context)


def test_functions_of_single_types_serve_other_types():
    class Output(OrderedDict):
        pass

    pytree.register_pytree_node(
        Output,
        lambda tree: pytree._dict_flatten(tree),
        lambda children, keys: Output(pytree._dict_unflatten(children, keys)),
        flatten_with_keys_fn=lambda tree: pytree._dict_flatten_with_keys(tree),
    )
    try:
        made = pytree.tree_map(lambda leaf: leaf + 1, Output(a=1, b=[2]))
        assert type(made) is Output and made == {"a": 2, "b": [3]}
        assert [pytree.keystr(path) for path, _ in pytree.tree_leaves_with_path(made)] == [
            "['a']",
            "['b'][0]",
        ]
    finally:
        pytree._deregister_pytree_node(Output)


def test_what_is_deprecated_says_so():
    with pytest.warns(FutureWarning, match="use `isinstance\\(treespec, TreeSpec\\)"):
        assert repr(pytree.LeafSpec()) == "*"
    with pytest.warns(FutureWarning, match="`treespec.children_specs` is deprecated"):
        assert len(pytree.tree_structure([1, 2]).children_specs) == 2
    with pytest.warns(FutureWarning, match="_is_leaf is private"):
        assert pytree._is_leaf(1)


def test_named_tuples_need_a_name_to_become_json():
    spec = pytree.tree_structure(Pair(1, [2]))
    with pytest.raises(NotImplementedError, match="Please register using `_register_namedtuple`."):
        pytree.treespec_dumps(spec)
    pytree._register_namedtuple(Pair, serialized_type_name="tests.Pair")
    try:
        assert pytree.treespec_loads(pytree.treespec_dumps(spec)) == spec
    finally:
        pytree._deregister_pytree_node(Pair)
    with pytest.raises(ValueError, match="^Unknown protocol 2. Available protocols: \\[1\\]$"):
        pytree.treespec_loads("[2, {}]")


@pytest.mark.torch
@pytest.mark.parametrize(
    "tree",
    [
        [1, (2, {"a": 3, "b": [None]})],
        OrderedDict(a=1, b=(2, 3)),
        defaultdict(list, {"a": [1, 2]}),
        deque([1, [2]], maxlen=3),
        Pair(1, {"z": 2}),
        (),
        5,
    ],
    ids=str,
)
def test_specs_are_written_as_pytorch_writes_them(tree):
    pytest.importorskip("torch")
    from torch.utils import _pytree as theirs

    ours, other = pytree.tree_structure(tree), theirs.tree_structure(tree)
    assert repr(ours) == repr(other)
    assert pytree.treespec_pprint(ours) == theirs.treespec_pprint(other)
    keys = [pytree.keystr(path) for path, _ in pytree.tree_leaves_with_path(tree)]
    assert keys == [theirs.keystr(path) for path, _ in theirs.tree_leaves_with_path(tree)]
    if type(tree) is not Pair:
        assert pytree.treespec_dumps(ours) == theirs.treespec_dumps(other)
