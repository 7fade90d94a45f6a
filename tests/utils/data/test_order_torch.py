"""The same seed gives PyTorch's batches in PyTorch's order, and leaves the generators as PyTorch does."""

import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import minigrad
from tests.utils.data.libraries import outcome

pytestmark = pytest.mark.torch


def samples(data, n=11):
    class Numbers(data.Dataset):
        def __len__(self):
            return n

        def __getitem__(self, i):
            return i, float(i), [i * 2, {"x": i}]

    return Numbers()


def stream(data, n=7, length=None):
    class Numbers(data.IterableDataset):
        def __repr__(self):
            return "Numbers()"

        def __iter__(self):
            info = data.get_worker_info()
            return iter(range(n) if info is None else range(info.id, n, info.num_workers))

    if length is not None:
        Numbers.__len__ = lambda self: length
    return Numbers()


def generator(lib, seed=5):
    return lib.Generator().manual_seed(seed)


#: What the loader is made of, beside the number of workers; most by ``samples``.
LOADERS = {
    "default": lambda lib, data: (samples(data), {}),
    "batches": lambda lib, data: (samples(data), {"batch_size": 3}),
    "drop_last": lambda lib, data: (samples(data), {"batch_size": 3, "drop_last": True}),
    "shuffle": lambda lib, data: (samples(data), {"batch_size": 3, "shuffle": True}),
    "shuffle by a generator": lambda lib, data: (
        samples(data),
        {"batch_size": 4, "shuffle": True, "generator": generator(lib)},
    ),
    "a generator without shuffle": lambda lib, data: (samples(data), {"generator": generator(lib)}),
    "shuffle and drop_last": lambda lib, data: (
        samples(data),
        {"batch_size": 4, "shuffle": True, "drop_last": True},
    ),
    "no batches": lambda lib, data: (samples(data), {"batch_size": None, "shuffle": True}),
    "random sampler with replacement": lambda lib, data: (
        samples(data),
        {"batch_size": 16, "sampler": data.RandomSampler(range(11), replacement=True, num_samples=70)},
    ),
    "random sampler, more than there are": lambda lib, data: (
        samples(data),
        {"batch_size": 8, "sampler": data.RandomSampler(range(11), num_samples=25)},
    ),
    "random sampler by a generator": lambda lib, data: (
        samples(data),
        {"batch_size": 8, "sampler": data.RandomSampler(range(11), True, 33, generator(lib))},
    ),
    "subset": lambda lib, data: (
        samples(data),
        {"batch_size": 2, "sampler": data.SubsetRandomSampler([7, 3, 1, 9, 0])},
    ),
    "subset by a generator": lambda lib, data: (
        samples(data),
        {"sampler": data.SubsetRandomSampler([7, 3, 1], generator(lib))},
    ),
    "weights": lambda lib, data: (
        samples(data),
        {"batch_size": 5, "sampler": data.WeightedRandomSampler([0.1, 0.9, 3.0, 0.6, 0.0], 20)},
    ),
    "weights without replacement": lambda lib, data: (
        samples(data),
        {"batch_size": 2, "sampler": data.WeightedRandomSampler([0.1, 0.9, 3.0, 0.6], 3, replacement=False)},
    ),
    "weights by a generator": lambda lib, data: (
        samples(data),
        {"batch_size": 5, "sampler": data.WeightedRandomSampler(lib.ones(4), 9, generator=generator(lib))},
    ),
    "batch sampler": lambda lib, data: (
        samples(data),
        {"batch_sampler": data.BatchSampler(data.RandomSampler(range(11)), 4, True)},
    ),
    "lists of indices": lambda lib, data: (
        samples(data),
        {"batch_sampler": [[3, 1], [], [5, 5, 5], [0]][::2]},
    ),
    "indices": lambda lib, data: (samples(data), {"sampler": [4, -1, 2], "batch_size": 2}),
    "rank 1 of 3": lambda lib, data: (
        samples(data),
        {"batch_size": 2, "sampler": data.DistributedSampler(range(11), 3, 1, seed=4)},
    ),
    "rank 2 of 3, drop_last": lambda lib, data: (
        samples(data),
        {"batch_size": 2, "sampler": data.DistributedSampler(range(11), 3, 2, drop_last=True)},
    ),
    "rank 4 of 5 of 2": lambda lib, data: (
        samples(data),
        {"sampler": data.DistributedSampler(range(2), 5, 4, False)},
    ),
    "collate_fn": lambda lib, data: (samples(data), {"batch_size": 4, "collate_fn": str}),
    "tensors": lambda lib, data: (
        data.TensorDataset(lib.arange(12.0).reshape(6, 2), lib.arange(6)),
        {"batch_size": 4, "shuffle": True},
    ),
    "random split": lambda lib, data: (
        data.random_split(data.TensorDataset(lib.arange(12.0).reshape(6, 2)), [0.5, 0.5], generator(lib))[0],
        {"batch_size": 2, "shuffle": True},
    ),
    "subset of a subset": lambda lib, data: (
        data.Subset(data.Subset(data.TensorDataset(lib.arange(6)), [5, 3, 1, 0]), [3, 1, -1]),
        {"batch_size": 2},
    ),
    "stream": lambda lib, data: (stream(data), {}),
    "stream in batches": lambda lib, data: (stream(data), {"batch_size": 3}),
    "stream, drop_last": lambda lib, data: (stream(data), {"batch_size": 3, "drop_last": True}),
    "stream without batches": lambda lib, data: (stream(data), {"batch_size": None}),
    "stream with a length": lambda lib, data: (stream(data, length=7), {"batch_size": 2}),
    "stream longer than it says": lambda lib, data: (stream(data, length=2), {"batch_size": 1}),
}
WORKERS = {
    "no workers": {},
    "a worker": {"num_workers": 1},
    "two workers": {"num_workers": 2},
    "persistent workers": {"num_workers": 2, "persistent_workers": True, "prefetch_factor": 3},
}


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("name", LOADERS)
def test_two_epochs(name, workers):
    def program(lib, data):
        dataset, options = LOADERS[name](lib, data)
        loader = data.DataLoader(dataset, **options, **WORKERS[workers])
        seen = []
        for _ in range(2):
            seen.append(list(loader))
            seen.append(lib.get_rng_state())
        if "generator" in options:
            seen.append(options["generator"].get_state())
        with_length = hasattr(dataset, "__len__")
        return seen, len(loader) if with_length else None, random.random(), np.random.rand()

    assert outcome(program, minigrad) == outcome(program, torch)


@pytest.mark.parametrize("workers", WORKERS)
def test_an_epoch_that_is_left_early(workers):
    def program(lib, data):
        loader = data.DataLoader(samples(data), batch_size=2, shuffle=True, **WORKERS[workers])
        first = next(iter(loader))
        iterator = iter(loader)
        return first, next(iterator), next(iterator), list(loader), lib.get_rng_state()

    assert outcome(program, minigrad) == outcome(program, torch)


@pytest.mark.parametrize("workers", WORKERS)
def test_seeds_of_workers(workers):
    """torch, random and NumPy draw in each worker what they draw in PyTorch's; so does what is set up in ``worker_init_fn``."""

    def program(lib, data):
        found = {}

        class Draws(data.Dataset):
            def __len__(self):
                return 6

            def __getitem__(self, i):
                info = data.get_worker_info()
                if info is None:
                    return lib.rand(2), random.random(), np.random.rand()
                known = info.id, info.num_workers, info.seed, info.dataset is self, info.worker_method
                return (
                    lib.rand(2),
                    random.random(),
                    np.random.rand(),
                    known,
                    found["drawn"],
                    lib.get_num_threads(),
                )

        def set_up(number):
            found["drawn"] = number, lib.randint(1000, ()).item()

        loader = data.DataLoader(
            Draws(), batch_size=None, shuffle=True, worker_init_fn=set_up, **WORKERS[workers]
        )
        return list(loader), list(loader), lib.rand(1)

    assert outcome(program, minigrad) == outcome(program, torch)


@pytest.mark.parametrize("seed", [0, 1, 2**40])
@pytest.mark.parametrize(
    "lengths", [[3, 7], [0.25, 0.75], [1 / 3, 1 / 3, 1 / 3], [1.0], [0.999999999, 1e-9], [4, 4], [1.5, -0.5]]
)
def test_random_split(lengths, seed):
    def program(lib, data):
        parts = data.random_split(range(10), lengths, generator=generator(lib, seed))
        by_default = data.random_split(range(10), lengths)
        return [[*part] for part in parts], [part.indices for part in by_default], lib.rand(1)

    assert outcome(program, minigrad) == outcome(program, torch)


def test_how_often_the_length_is_asked():
    """A dataset that grows, or a subclass of Tensor in it, notices."""

    def program(lib, data):
        asked = []

        class Growing(data.Dataset):
            def __len__(self):
                asked.append(None)
                return 5 + len(asked)

            def __getitem__(self, i):
                return i

        loader = data.DataLoader(Growing(), batch_size=4, shuffle=True, generator=generator(lib))
        batches = [batch.tolist() for batch in loader]
        return (
            batches,
            len(asked),
            outcome(lambda lib, data: data.random_split(Growing(), [0.5, 0.5]), lib),
            len(asked),
        )

    assert outcome(program, minigrad) == outcome(program, torch)


def test_out_of_order_batches_are_the_same_ones():
    def program(lib, data):
        loader = data.DataLoader(samples(data, 40), batch_size=3, shuffle=True, num_workers=2, in_order=False)
        return sorted(map(repr, list(loader)))

    assert outcome(program, minigrad) == outcome(program, torch)


@pytest.mark.parametrize("first", [0, 1, 5])
def test_epochs_of_a_distributed_sampler(first):
    def program(lib, data):
        sampler = data.DistributedSampler(range(10), 4, 3, seed=first)
        seen = []
        for epoch in range(3):
            sampler.set_epoch(epoch)
            seen.append([*sampler])
        return seen, len(sampler)

    assert outcome(program, minigrad) == outcome(program, torch)
