"""A stream of records, split over the workers: by the dataset itself, and by ``worker_init_fn``."""

import itertools
import math

import torch
from torch.utils.data import ChainDataset, DataLoader, IterableDataset, get_worker_info


class Records(IterableDataset):
    def __init__(self, start, end):
        self.start, self.end = start, end

    def __iter__(self):
        info = get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        for i in itertools.islice(range(self.start, self.end), first, None, step):
            yield i, torch.full((2,), i / 2)


class Range(IterableDataset):
    def __init__(self, start, end):
        self.start, self.end = start, end

    def __iter__(self):
        return iter(range(self.start, self.end))

    def __len__(self):
        return self.end - self.start


def split(worker):
    info = get_worker_info()
    data = info.dataset
    part = math.ceil((data.end - data.start) / info.num_workers)
    start = data.start + worker * part
    data.start, data.end = start, min(start + part, data.end)


class Shuffled(IterableDataset):
    """A buffer from which records are taken at random."""

    def __init__(self, source, size):
        self.source, self.size = source, size

    def __iter__(self):
        buffer = []
        for record in self.source:
            buffer.append(record)
            if len(buffer) == self.size:
                yield buffer.pop(torch.randint(len(buffer), ()).item())
        while buffer:
            yield buffer.pop(torch.randint(len(buffer), ()).item())


def show(title, loader):
    print(title)
    for batch in loader:
        print("  ", batch.tolist() if isinstance(batch, torch.Tensor) else batch)


def main():
    torch.manual_seed(2)
    for workers in (0, 1, 2):
        show(f"{workers} workers", DataLoader(Records(3, 14), batch_size=4, num_workers=workers))
        show(
            f"{workers} workers, drop_last",
            DataLoader(Records(3, 14), 4, num_workers=workers, drop_last=True),
        )
    show("by worker_init_fn", DataLoader(Range(3, 10), batch_size=2, num_workers=2, worker_init_fn=split))
    show("samples", DataLoader(Range(3, 10), batch_size=None, num_workers=2, worker_init_fn=split))
    show("one after the other", DataLoader(ChainDataset([Range(0, 3), Range(10, 12)]), batch_size=2))
    show("shuffled", DataLoader(Shuffled(Range(0, 10), 4), batch_size=5))
    show("shuffled in workers", DataLoader(Shuffled(Records(0, 10), 4), batch_size=3, num_workers=2))
    loader = DataLoader(Range(0, 7), batch_size=2, num_workers=2, persistent_workers=True)
    print(
        len(loader),
        [sum(batch.sum().item() for batch in DataLoader(Range(0, 7), batch_size=2)) for _ in range(2)],
    )
    for epoch in range(2):
        print(epoch, sorted(batch.tolist() for batch in loader))


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")  # that the stream is longer than it says
    main()
