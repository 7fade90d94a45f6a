"""A batch that is gathered tensor by tensor is the one that is collated of its samples; and who has a say in that is asked."""

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import minigrad
from minigrad.utils.data import (
    ConcatDataset,
    DataLoader,
    StackDataset,
    Subset,
    TensorDataset,
    default_collate,
)
from minigrad.utils.data._utils import collate, fetch

DTYPES = ["float32", "float64", "float16", "int64", "uint8", "bool", "complex64"]


def gathered(dataset, indices):
    return fetch._gathered(dataset, indices)


def plain(dataset, indices):
    return default_collate([dataset[i] for i in indices])


def same(one, other):
    assert type(one) is type(other) is list
    for x, y in zip(one, other, strict=True):
        assert (type(x), x.dtype, x.shape, x.stride()) == (type(y), y.dtype, y.shape, y.stride())
        np.testing.assert_array_equal(x.numpy(), y.numpy())


@st.composite
def datasets(draw):
    n = draw(st.integers(1, 6))
    shapes = draw(st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=1, max_size=3))
    tensors = [
        minigrad.arange(n * int(np.prod(shape, dtype=int)))
        .reshape(n, *shape)
        .to(getattr(minigrad, draw(st.sampled_from(DTYPES))))
        for shape in shapes
    ]
    dataset = TensorDataset(*tensors)
    for _ in range(draw(st.integers(0, 2))):
        n = len(dataset)
        dataset = Subset(dataset, draw(st.lists(st.integers(-n, n - 1), min_size=1, max_size=5)))
    n = len(dataset)
    return dataset, draw(st.lists(st.integers(-n, n - 1), min_size=1, max_size=7))


@hypothesis.given(drawn=datasets())
def test_gathered_batches_are_those_of_the_samples(drawn):
    dataset, indices = drawn
    expected = plain(dataset, indices)
    batch = gathered(dataset, indices)
    same(batch, expected)
    for x in batch:
        x.zero_()
    same(plain(dataset, indices), expected)  # the dataset is untouched


def test_tensors_of_the_usual_kind_are_gathered():
    data = TensorDataset(minigrad.arange(6), minigrad.rand(6, 2))
    for dataset in (data, Subset(data, [3, 1]), data.tensors[1], Subset(data.tensors[0], [5, -2])):
        assert gathered(dataset, [1, 0]) is not None
        assert repr(gathered(dataset, [1, 0])) == repr(plain(dataset, [1, 0]))


class Doubled(TensorDataset):
    def __getitem__(self, index):
        return tuple(2 * x for x in super().__getitem__(index))


class AllAtOnce(TensorDataset):
    def __getitems__(self, indices):
        return [("asked for", len(indices))]


class Shifted(Subset):
    def __getitem__(self, i):
        return super().__getitem__(i - 1)

    def __getitems__(self, indices):
        return [self[i] for i in indices]


class Own(minigrad.Tensor):
    pass


def x():
    return minigrad.arange(6.0)


OTHERS = {
    "a dataset with samples of its own": lambda: Doubled(x()),
    "a dataset with batches of its own": lambda: AllAtOnce(x()),
    "a subset with samples of its own": lambda: Shifted(TensorDataset(x()), [0, 1, 2]),
    "a subset of another dataset": lambda: Subset(Doubled(x()), [0, 1, 2]),
    "tensors with a gradient": lambda: TensorDataset(x().requires_grad_()),
    "tensors of a class": lambda: TensorDataset(x().as_subclass(Own)),
    "transposed tensors": lambda: TensorDataset(minigrad.rand(3, 4).t()),
    "indices of a tensor": lambda: Subset(TensorDataset(x()), minigrad.arange(4)),
    "stacked datasets": lambda: StackDataset(TensorDataset(x()), range(6)),
    "joined datasets": lambda: ConcatDataset([TensorDataset(x()), TensorDataset(x())]),
    "lists": lambda: [(1, 2)] * 4,
}


@pytest.mark.parametrize("name", OTHERS)
def test_all_else_is_made_of_samples(name):
    dataset = OTHERS[name]()
    assert gathered(dataset, [0, 2]) is None
    batch = next(iter(DataLoader(dataset, batch_size=3)))
    if name == "a dataset with batches of its own":
        assert batch[0] == ("asked for",)
    else:
        assert repr(batch) == repr(plain(dataset, [0, 1, 2]))


def test_other_indices_are_left_to_the_tensors():
    data = TensorDataset(minigrad.arange(3))
    for indices in ([True, False], [slice(2)], [1.0], [3], [-4], [2**70], [None]):
        assert gathered(data, indices) is None
    with pytest.raises(IndexError, match="index 3 is out of bounds for dimension 0 with size 3"):
        list(DataLoader(data, sampler=[3]))


def test_the_map_of_collating_functions_is_asked(monkeypatch):
    data = TensorDataset(minigrad.arange(4))
    monkeypatch.setitem(
        collate.default_collate_fn_map, minigrad.Tensor, lambda batch, *, collate_fn_map: "mine"
    )
    assert list(DataLoader(data, batch_size=2)) == [["mine"], ["mine"]]
    monkeypatch.undo()
    monkeypatch.setitem(collate.default_collate_fn_map, tuple, lambda batch, *, collate_fn_map: "tuples")
    assert list(DataLoader(data, batch_size=2)) == ["tuples", "tuples"]


def test_a_collate_fn_gets_samples():
    data = TensorDataset(minigrad.arange(4), minigrad.ones(4))
    (batch,) = DataLoader(data, batch_size=4, collate_fn=lambda samples: samples)
    assert [type(sample) for sample in batch] == [tuple] * 4


def test_who_watches_sees_the_operators():
    data = TensorDataset(minigrad.arange(4))
    with minigrad.profiler.profile() as profile:
        list(DataLoader(data, batch_size=4))
    names = {event.key for event in profile.key_averages()}
    assert {"aten::stack", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"} <= names


def test_the_dataset_may_change_between_batches():
    data = TensorDataset(minigrad.arange(4))
    subset = Subset(data, [0, 1, 2, 3])
    iterator = iter(DataLoader(subset, batch_size=1))
    assert next(iterator)[0].tolist() == [0]
    data.tensors = (minigrad.arange(10, 14),)
    assert next(iterator)[0].tolist() == [11]
    subset.indices = [3, 3, 3, 3]
    assert next(iterator)[0].tolist() == [13]


class Once:
    """A sampler of batches, each made by a function from its indices."""

    def __init__(self, made):
        self.made = made

    def __iter__(self):
        return map(self.made, ([0, 1], [2, -1]))


MADE = {
    "iterators": iter,
    "generators": lambda indices: (i for i in indices),
    "maps": lambda indices: map(int, indices),
    "tuples": tuple,
    "ranges": lambda indices: range(min(indices), max(indices) + 1),
}


@pytest.mark.parametrize("name", MADE)
def test_batches_of_indices_that_can_be_read_once(name):
    data = TensorDataset(minigrad.arange(4) * 10)
    for dataset in (data, Subset(data, [3, 2, 1, 0]), data.tensors[0], Subset([*range(4)], [3, 2, 1, 0])):
        loader = DataLoader(dataset, batch_sampler=Once(MADE[name]))
        expected = [plain(dataset, MADE[name](indices)) for indices in ([0, 1], [2, -1])]
        assert repr([*loader]) == repr(expected)
