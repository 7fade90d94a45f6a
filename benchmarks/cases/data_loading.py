"""Data loaders: an epoch without workers, an epoch that two workers compute, and how long the first batch of two workers takes."""

import functools
import importlib
import json

from benchmarks.registry import Subject, compare, difference
from benchmarks.subprocesses import python

data_loading = Subject("Data loading")


@data_loading.timed("epoch over a TensorDataset, 60,000 x 784, batch 64, shuffled", bar=0.6)
def tensors(torch):
    data = importlib.import_module(f"{torch.__name__}.utils.data")
    digits = data.TensorDataset(torch.ones(60_000, 784), torch.arange(60_000) % 10)
    loader = data.DataLoader(digits, batch_size=64, shuffle=True)

    def run():
        for batch in loader:
            images, _ = batch
        return images.sum()

    return run


def by_workers(question, session):
    """The best times of processes in turn, since what forking costs depends on what else is in a process."""

    def answer(library):
        return json.loads(python("-m", "benchmarks.loaders", library.__name__, question))

    rounds = [[answer(library) for library in session.libraries] for _ in range(session.rounds)]
    note = difference(*[each["result"] for each in rounds[0]])
    return compare([[each["seconds"] for each in column] for column in zip(*rounds, strict=True)], note)


data_loading.measured("epoch of 64 batches that two workers compute in NumPy", bar=1.0, unit="s")(
    functools.partial(by_workers, "epoch")
)
data_loading.measured("first batch of two forked workers", bar=0.5, unit="s")(
    functools.partial(by_workers, "first")
)
