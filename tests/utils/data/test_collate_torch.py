"""Batches of all kinds of samples, in PyTorch and here: types, dtypes, shapes, strides, values, errors."""

import collections
import types

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import minigrad
from tests.utils.data.libraries import outcome

pytestmark = pytest.mark.torch

Point = collections.namedtuple("Point", "x y")


class Table(collections.UserDict):
    pass


class Row(collections.UserList):
    pass


class Fixed(collections.abc.Mapping):
    """A mapping that is made of nothing."""

    def __getitem__(self, key):
        return {"a": 1}[key]

    def __iter__(self):
        return iter("a")

    def __len__(self):
        return 1


def turned(lib, *shape):
    """A tensor laid out the other way round."""
    return lib.arange(float(np.prod(shape))).reshape(*shape[::-1]).permute(*reversed(range(len(shape))))


SAMPLES = {
    "tensors": lambda lib: [lib.ones(2), lib.zeros(2)],
    "numbers in tensors": lambda lib: [lib.tensor(1), lib.tensor(2)],
    "tensors without elements": lambda lib: [lib.ones(0, 2), lib.zeros(0, 2)],
    "transposed tensors": lambda lib: [turned(lib, 2, 3), turned(lib, 2, 3)],
    "channels last": lambda lib: [lib.arange(24.0).reshape(4, 2, 3).permute(2, 0, 1)] * 2,
    "volumes": lambda lib: [turned(lib, 2, 3, 2, 2)] * 2,
    "expanded tensors": lambda lib: [lib.ones(1).expand(3), lib.zeros(1).expand(3)],
    "tensors of different dtypes": lambda lib: [lib.ones(2, dtype=lib.int64), lib.ones(2)],
    "tensors of different shapes": lambda lib: [lib.ones(2), lib.ones(3)],
    "tensors with a gradient": lambda lib: [lib.ones(2, requires_grad=True), lib.ones(2)],
    "truth values": lambda lib: [True, False],
    "integers": lambda lib: [1, 2],
    "an integer and a float": lambda lib: [1, 2.5],
    "a float and an integer": lambda lib: [2.5, 1],
    "large integers": lambda lib: [2**40, 1],
    "too large integers": lambda lib: [2**70, 1],
    "floats": lambda lib: [1.5, 2.5],
    "complex numbers": lambda lib: [1j, 2.5],
    "texts": lambda lib: ["a", "bc"],
    "bytes": lambda lib: [b"a", b"bc"],
    "None": lambda lib: [None, None],
    "tuples": lambda lib: [(1, lib.ones(2), "a"), (2, lib.zeros(2), "b")],
    "lists": lambda lib: [[1, 2.0], [3, 4.0]],
    "tuples of different lengths": lambda lib: [(1, 2), (3,)],
    "dicts": lambda lib: [{"a": 1, "b": {"c": 2.5}}, {"b": {"c": 3.5}, "a": 4}],
    "dicts without a key": lambda lib: [{"a": 1}, {"b": 1}],
    "ordered dicts": lambda lib: [collections.OrderedDict(a=1), collections.OrderedDict(a=2)],
    "default dicts": lambda lib: [collections.defaultdict(int, a=1), collections.defaultdict(int, a=2)],
    "mappings that cannot be written": lambda lib: [
        types.MappingProxyType({"a": 1}),
        types.MappingProxyType({"a": 2}),
    ],
    "mappings that cannot be made": lambda lib: [Fixed(), Fixed()],
    "mappings of a class": lambda lib: [Table(a=1), Table(a=2)],
    "sequences of a class": lambda lib: [Row([1, 2]), Row([3, 4])],
    "named tuples": lambda lib: [Point(1, "a"), Point(2, "b")],
    "deques": lambda lib: [collections.deque([1, 2]), collections.deque([3, 4])],
    "ranges": lambda lib: [range(2), range(2)],
    "sets": lambda lib: [{1}, {2}],
    "arrays": lambda lib: [np.ones(2), np.zeros(2)],
    "arrays of float32": lambda lib: [np.ones((2, 3), np.float32)] * 2,
    "transposed arrays": lambda lib: [np.arange(6).reshape(2, 3).T] * 2,
    "images, channels last": lambda lib: [np.zeros((4, 5, 3), np.uint8).transpose(2, 0, 1)] * 2,
    "reversed arrays": lambda lib: [np.arange(3)[::-1]] * 2,
    "arrays of another byte order": lambda lib: [np.arange(3, dtype=">i4")] * 2,
    "arrays of different dtypes": lambda lib: [np.ones(2, np.int32), np.ones(2, np.float32)],
    "arrays of different shapes": lambda lib: [np.ones(2), np.ones(3)],
    "arrays and tensors": lambda lib: [np.ones(2), lib.ones(2)],
    "a tensor and an array": lambda lib: [lib.ones(2), np.ones(2)],
    "arrays of no dimension": lambda lib: [np.array(1), np.array(2)],
    "arrays of texts": lambda lib: [np.array(["a"])] * 2,
    "arrays of objects": lambda lib: [np.array([{}])] * 2,
    "matrices": lambda lib: [np.ones(2).view(np.recarray)] * 2,
    "numbers of NumPy": lambda lib: [np.float32(1), np.float32(2)],
    "integers of NumPy": lambda lib: [np.uint8(1), np.uint8(2)],
    "truth values of NumPy": lambda lib: [np.bool_(True), np.bool_(False)],
    "texts of NumPy": lambda lib: [np.str_("a"), np.str_("b")],
    "bytes of NumPy": lambda lib: [np.bytes_(b"a"), np.bytes_(b"b")],
    "dates of NumPy": lambda lib: [np.datetime64("2020-01-01")],
    "nothing": lambda lib: [],
    "empty lists": lambda lib: [[], []],
    "empty dicts": lambda lib: [{}, {}],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_default_collate(name):
    def program(lib, data):
        return data.default_collate(SAMPLES[name](lib))

    assert outcome(program, minigrad) == outcome(program, torch)


@pytest.mark.parametrize("name", SAMPLES)
def test_default_convert(name):
    def program(lib, data):
        return [data.default_convert(sample) for sample in SAMPLES[name](lib)]

    assert outcome(program, minigrad) == outcome(program, torch)


#: What cannot be sent to the loader, or fails by accident in PyTorch's workers.
NOT_IN_WORKERS = {"mappings that cannot be written", "tensors with a gradient", "a tensor and an array"}


def test_batches_made_in_a_worker():
    """All in one worker: there, tensors are put together in shared memory, by a way of its own."""

    def program(lib, data):
        made = {name: make(lib) for name, make in SAMPLES.items() if name not in NOT_IN_WORKERS}

        class Batches(data.Dataset):
            def __len__(self):
                return len(made)

            def __getitem__(self, i):
                def program(lib, data):
                    return data.default_collate([*made.values()][i])

                return outcome(program, lib)

        return list(data.DataLoader(Batches(), batch_size=None, num_workers=1))

    ours, theirs = outcome(program, minigrad), outcome(program, torch)
    assert ours == theirs


def test_a_map_of_one_s_own():
    def program(lib, data):
        collate = data._utils.collate

        class Text(str):
            pass

        def lengths(batch, *, collate_fn_map=None):
            return [len(text) for text in batch]

        known = {
            lib.Tensor: collate.collate_tensor_fn,
            str: lengths,
            (int, float): lambda batch, **_: sum(batch),
        }
        results = [
            collate.collate([(1, "ab", lib.ones(1)), (2, "c", lib.zeros(1))], collate_fn_map=known),
            collate.collate([Text("abc")], collate_fn_map=known),
            collate.collate(
                [[1.5], [2.5]], collate_fn_map={float: lambda batch, *, collate_fn_map: max(batch)}
            ),
        ]
        collate.default_collate_fn_map[Text] = lengths
        try:
            return results, data.default_collate([Text("abc")])
        finally:
            del collate.default_collate_fn_map[Text]

    assert outcome(program, minigrad) == outcome(program, torch)


def test_without_a_map_there_are_only_containers():
    def program(lib, data):
        return data._utils.collate.collate([[1], [2]])

    assert outcome(program, minigrad) == outcome(program, torch)


def test_pin_memory_asks_objects_in_containers():
    def program(lib, data):
        class Batch:
            def pin_memory(self):
                return "pinned"

        nested = {"a": [Batch(), 1], "b": (Batch(), "text"), "c": Point(Batch(), None), "d": Row([Batch()])}
        return data._utils.pin_memory.pin_memory(nested)

    assert outcome(program, minigrad) == outcome(program, torch)
