"""What datasets, samplers and loaders refuse, warn of and tell of themselves, in PyTorch and here."""

import collections
import random
from decimal import Decimal
from fractions import Fraction

import pytest

torch = pytest.importorskip("torch")
import minigrad
from tests.utils.data.libraries import outcome

pytestmark = pytest.mark.torch


def stream(data):
    class Numbers(data.IterableDataset):
        def __iter__(self):
            return iter(range(5))

    return Numbers()


def with_value(obj, name, value):
    setattr(obj, name, value)
    return getattr(obj, name)


def overriding(data, *names):
    methods = {"__getitem__": lambda self, i: i, "__getitems__": lambda self, i: i}
    return type("Mine", (data.Subset,), {name: methods[name] for name in names})


PROGRAMS = {
    # loaders
    "negative workers": lambda lib, data: data.DataLoader([1], num_workers=-1),
    "negative timeout": lambda lib, data: data.DataLoader([1], timeout=-1),
    "timeout without workers": lambda lib, data: iter(data.DataLoader([1], timeout=1)),
    "prefetch without workers": lambda lib, data: data.DataLoader([1], prefetch_factor=2),
    "negative prefetch": lambda lib, data: data.DataLoader([1], num_workers=1, prefetch_factor=-1),
    "persistent without workers": lambda lib, data: data.DataLoader([1], persistent_workers=True),
    "sampler and shuffle": lambda lib, data: data.DataLoader([1], sampler=[0], shuffle=True),
    "batch sampler and batch_size": lambda lib, data: data.DataLoader([1], batch_sampler=[[0]], batch_size=2),
    "batch sampler and shuffle": lambda lib, data: data.DataLoader([1], batch_sampler=[[0]], shuffle=True),
    "batch sampler and drop_last": lambda lib, data: data.DataLoader([1], batch_sampler=[[0]], drop_last=True),
    "drop_last without batches": lambda lib, data: data.DataLoader([1], batch_size=None, drop_last=True),
    "batch_size 0": lambda lib, data: data.DataLoader([1], batch_size=0),
    "batch_size True": lambda lib, data: data.DataLoader([1], batch_size=True),
    "batch_size 2.0": lambda lib, data: data.DataLoader([1], batch_size=2.0),
    "drop_last 1": lambda lib, data: data.DataLoader([1], drop_last=1),
    "shuffled stream": lambda lib, data: data.DataLoader(stream(data), shuffle=True),
    "stream, shuffle=False": lambda lib, data: list(data.DataLoader(stream(data), shuffle=False)),
    "sampled stream": lambda lib, data: data.DataLoader(stream(data), sampler=[0]),
    "stream in batches of a sampler": lambda lib, data: data.DataLoader(stream(data), batch_sampler=[[0]]),
    "context without workers": lambda lib, data: data.DataLoader([1], multiprocessing_context="fork"),
    "unknown context": lambda lib, data: data.DataLoader([1], num_workers=1, multiprocessing_context="thread"),
    "no context": lambda lib, data: data.DataLoader([1], num_workers=1, multiprocessing_context=5),
    "another batch_size": lambda lib, data: with_value(data.DataLoader([1]), "batch_size", 2),
    "another sampler": lambda lib, data: with_value(data.DataLoader([1]), "sampler", [0]),
    "another dataset": lambda lib, data: with_value(data.DataLoader([1]), "dataset", [0]),
    "another timeout": lambda lib, data: with_value(data.DataLoader([1], num_workers=1), "timeout", 3),
    "other workers": lambda lib, data: with_value(data.DataLoader([1]), "num_workers", 1),
    "many workers": lambda lib, data: data.DataLoader([1], num_workers=1000).num_workers,
    "pin_memory": lambda lib, data: list(data.DataLoader([1, 2], pin_memory=True)),
    "pin_memory in workers": lambda lib, data: list(data.DataLoader([1, 2], pin_memory=True, num_workers=1)),
    "pin_memory_device": lambda lib, data: list(data.DataLoader([1], pin_memory=True, pin_memory_device="cuda")),
    "length of a stream": lambda lib, data: len(data.DataLoader(stream(data))),
    "lengths": lambda lib, data: [
        len(data.DataLoader(range(10), batch_size=size, drop_last=last)) for size in (1, 3, 10, 11) for last in (False, True)
    ],
    "length without batches": lambda lib, data: len(data.DataLoader(range(10), batch_size=None)),
    "empty dataset": lambda lib, data: list(data.DataLoader([])),
    "empty dataset, shuffled": lambda lib, data: list(data.DataLoader([], shuffle=True)),
    "attributes": lambda lib, data: {
        name: value if isinstance(value, (int, str, type(None))) else type(value).__name__
        for name, value in ((name, getattr(data.DataLoader(range(3), 2, num_workers=1), name)) for name in (
            "batch_size", "num_workers", "pin_memory", "drop_last", "timeout", "sampler", "batch_sampler", "prefetch_factor",
            "pin_memory_device", "persistent_workers", "in_order", "generator", "multiprocessing_context", "worker_init_fn",
            "collate_fn", "_dataset_kind", "_auto_collation", "_index_sampler", "_iterator", "_IterableDataset_len_called",
        ))
    },
    "private names": lambda lib, data: sorted(
        name
        for name in (
            "_DatasetKind", "_BaseDataLoaderIter", "_SingleProcessDataLoaderIter", "_MultiProcessingDataLoaderIter",
            "_InfiniteConstantSampler", "default_collate", "default_convert", "get_worker_info", "Dataset", "_collate_fn_t",
            "_worker_init_fn_t",
        )
        if getattr(data.dataloader, name)
    ),
    "kinds": lambda lib, data: (data._DatasetKind.Map, data._DatasetKind.Iterable),
    "iterators": lambda lib, data: [
        type(iter(data.DataLoader([1], num_workers=n))).__name__ for n in (0, 1)
    ] + [len(iter(data.DataLoader(range(7), 2)))],
    "fetchers": lambda lib, data: [
        data._DatasetKind.create_fetcher(kind, dataset, batches, list, False).fetch([0, 1])
        for kind, dataset, batches in ((0, [5, 6], True), (1, [5, 6], True), (1, [7], False))
    ],
    "samples of a subclass of the iterator": lambda lib, data: (
        next(data.dataloader._SingleProcessDataLoaderIter(data.DataLoader([1, 2], batch_size=2)))
    ),
    # samplers
    "replacement 1": lambda lib, data: data.RandomSampler([1], replacement=1),
    "no samples": lambda lib, data: data.RandomSampler([1], num_samples=0),
    "2.5 samples": lambda lib, data: data.RandomSampler([1], True, 2.5),
    "nothing to sample": lambda lib, data: data.RandomSampler([]),
    "weights, no samples": lambda lib, data: data.WeightedRandomSampler([1.0], 0),
    "weights, True samples": lambda lib, data: data.WeightedRandomSampler([1.0], True),
    "weights, replacement 1": lambda lib, data: data.WeightedRandomSampler([1.0], 1, 1),
    "a matrix of weights": lambda lib, data: data.WeightedRandomSampler([[1.0]], 1),
    "weights of a dict": lambda lib, data: data.WeightedRandomSampler({1: 2.0}, 1),
    "weights of a generator": lambda lib, data: data.WeightedRandomSampler((w for w in [1.0, 2.0]), 1),
    "weights of a set": lambda lib, data: data.WeightedRandomSampler({1.0, 2.0}, 1),
    "no weights": lambda lib, data: data.WeightedRandomSampler(None, 1),
    "weights that are fractions": lambda lib, data: list(data.WeightedRandomSampler([Fraction(1, 2), Decimal(1)], 4)),
    "texts for weights": lambda lib, data: data.WeightedRandomSampler(["a"], 1),
    "too few weights": lambda lib, data: list(data.WeightedRandomSampler([1.0, 2.0], 3, False)),
    "weights": lambda lib, data: data.WeightedRandomSampler([1, 2], 3).weights,
    "samplers' lengths": lambda lib, data: [
        len(data.RandomSampler("abc")), len(data.RandomSampler("abc", num_samples=7)), len(data.SubsetRandomSampler([4, 5])),
        len(data.WeightedRandomSampler([1, 2], 3)), len(data.SequentialSampler("ab")), len(data.BatchSampler("abcde", 2, False)),
        len(data.BatchSampler("abcde", 2, True)),
    ],
    "a sampler without iteration": lambda lib, data: iter(data.Sampler()),
    "no ranks": lambda lib, data: data.DistributedSampler([1]),
    "a rank of how many": lambda lib, data: data.DistributedSampler([1], rank=0),
    "which rank": lambda lib, data: data.DistributedSampler([1], num_replicas=1),
    "a text for a rank": lambda lib, data: data.DistributedSampler([1], 2, "a"),
    "rank out of range": lambda lib, data: data.DistributedSampler([1], 2, 2),
    "negative rank": lambda lib, data: data.DistributedSampler([1], 2, -1),
    "a sampler over a growing list": lambda lib, data: grown(data),
    "a batch sampler that is iterated": lambda lib, data: [*data.BatchSampler(iter(range(7)), 3, True)],
    # datasets
    "a dataset without samples": lambda lib, data: data.Dataset()[0],
    "a loader of a dataset without samples": lambda lib, data: list(data.DataLoader(type("Mine", (data.Dataset,), {"__len__": lambda self: 2})())),
    "a loader of what has a length only": lambda lib, data: list(data.DataLoader(type("Mine", (), {"__len__": lambda self: 2})())),
    "a loader of a stream without iteration": lambda lib, data: list(data.DataLoader(type("Mine", (data.IterableDataset,), {})())),
    "an index of 71 bits": lambda lib, data: list(data.DataLoader(data.TensorDataset(lib.arange(3)), sampler=[2**70])),
    "a negative index of 71 bits": lambda lib, data: list(data.DataLoader(lib.arange(3), sampler=[-(2**70)])),
    "an index of 64 bits": lambda lib, data: data.TensorDataset(lib.arange(3))[2**63],
    "lengths that are no integers": lambda lib, data: error_type(data.random_split, range(3), [1.5, 1.5]),
    "tensors of different lengths": lambda lib, data: data.TensorDataset(lib.ones(2), lib.ones(3)),
    "no tensors": lambda lib, data: data.TensorDataset().tensors,
    "slices of tensors": lambda lib, data: data.TensorDataset(lib.arange(5))[1:3],
    "joined": lambda lib, data: [*map((data.TensorDataset(lib.arange(2)) + data.TensorDataset(lib.arange(3))).__getitem__, range(-5, 5))],
    "joined, out of range": lambda lib, data: data.ConcatDataset([[1], [2]])[2],
    "joined, far out of range": lambda lib, data: data.ConcatDataset([[1], [2]])[-3],
    "nothing joined": lambda lib, data: data.ConcatDataset([]),
    "joined streams": lambda lib, data: data.ConcatDataset([stream(data)]),
    "streams in a row": lambda lib, data: [*(stream(data) + stream(data))],
    "streams without lengths": lambda lib, data: len(stream(data) + stream(data)),
    "lists in a row": lambda lib, data: [*data.ChainDataset([[1]])],
    "old name": lambda lib, data: data.ConcatDataset([[1], [2, 3]]).cummulative_sizes,
    "sizes": lambda lib, data: data.ConcatDataset([[1], [2, 3]]).cumulative_sizes,
    "stacked": lambda lib, data: [data.StackDataset([1, 2], "ab")[1], data.StackDataset(a=[1, 2], b="ab")[0], len(data.StackDataset("ab"))],
    "stacked at once": lambda lib, data: [
        data.StackDataset([1, 2], "ab").__getitems__([1, 0]), data.StackDataset(a=[1, 2], b="ab").__getitems__([1, 0]),
        data.StackDataset(data.Subset([1, 2], [1, 0]), "ab").__getitems__([1]), data.StackDataset("ab").__getitems__([]),
    ],
    "stacked both ways": lambda lib, data: data.StackDataset([1], b=[2]),
    "nothing stacked": lambda lib, data: data.StackDataset(),
    "stacked of different lengths": lambda lib, data: data.StackDataset([1], [2, 3]),
    "stacked of wrong batches": lambda lib, data: data.StackDataset(overriding(data, "__getitem__", "__getitems__")([1, 2], [0, 1])).__getitems__([[0, 1]]),
    "subset": lambda lib, data: [data.Subset("abc", [2, 0])[1], len(data.Subset("abc", [2, 0])), data.Subset("abc", [2, 0]).__getitems__([1, 0])],
    "subset by a list": lambda lib, data: data.Subset(data.TensorDataset(lib.arange(5)), [4, 3, 2])[[0, 2]],
    "subset with samples of its own": lambda lib, data: overriding(data, "__getitem__")([1], [0]),
    "subset with both of its own": lambda lib, data: len(overriding(data, "__getitem__", "__getitems__")([1], [0])),
    "annotations": lambda lib, data: [
        sorted(getattr(data, name).__annotations__)
        for name in ("DataLoader", "TensorDataset", "StackDataset", "ConcatDataset", "Subset")
    ],
    "generic names": lambda lib, data: [data.Dataset[int] is not None, data.DataLoader[int] is not None, data.Sampler[int] is not None],
}  # fmt: skip


def error_type(function, *args):
    try:
        function(*args)
    except Exception as error:
        return type(error).__name__


def grown(data):
    source = [1]
    sampler = data.RandomSampler(source)
    source += [2, 3]
    return len(sampler), sorted(sampler)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    ours, theirs = (outcome(PROGRAMS[name], lib) for lib in (minigrad, torch))
    ours, theirs = (
        (result if not hasattr(result, "dataset") else "made", said) for result, said in (ours, theirs)
    )
    assert ours == theirs


def test_nothing_made_ahead():
    """PyTorch's text; its iterator complains besides when it is freed."""
    with pytest.raises(
        AssertionError, match="prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter"
    ):
        iter(minigrad.utils.data.DataLoader([1], num_workers=1, prefetch_factor=0))


def test_a_loader_that_is_made_anew_each_time():
    """As libraries do: a subclass that keeps its iterator and lets the batch sampler go on for ever."""

    def program(lib, data):
        class Repeating:
            def __init__(self, sampler):
                self.sampler = sampler

            def __iter__(self):
                while True:
                    yield from iter(self.sampler)

        class Endless(data.DataLoader):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                object.__setattr__(self, "batch_sampler", Repeating(self.batch_sampler))
                self._DataLoader__initialized = False
                self.batch_sampler = self.batch_sampler
                self._DataLoader__initialized = True
                self.iterator = super().__iter__()

            def __len__(self):
                return len(self.batch_sampler.sampler)

            def __iter__(self):
                for _ in range(len(self)):
                    yield next(self.iterator)

        loader = Endless(range(5), batch_size=2, shuffle=True, num_workers=1)
        return [list(loader) for _ in range(3)], len(loader.iterator._workers)

    assert outcome(program, minigrad) == outcome(program, torch)


def test_containers_of_the_standard_library_are_datasets():
    def program(lib, data):
        deque = collections.deque([1.5, 2.5, 3.5])
        return list(data.DataLoader(deque, 2)), list(data.DataLoader({0: "a", 1: "b"})), random.random()

    assert outcome(program, minigrad) == outcome(program, torch)


def test_a_stacked_batch_of_indices_that_can_be_read_once():
    """PyTorch raises what zip() says."""
    stacked = minigrad.utils.data.StackDataset([1, 2], "ab")
    assert stacked.__getitems__(iter([1, 0])) == [(2, "b"), (1, "a")]
