"""Rare classes as often as frequent ones: weights for the samples, from the counts of the labels."""

import torch
from torch.utils.data import (
    BatchSampler,
    ConcatDataset,
    DataLoader,
    RandomSampler,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
)


def main():
    torch.manual_seed(3)
    labels = torch.multinomial(torch.tensor([0.8, 0.15, 0.05]), 200, replacement=True)
    data = TensorDataset(torch.randn(200, 4), labels)
    counts = torch.bincount(labels)
    weights = (1 / counts.double())[labels]
    print(counts.tolist())
    sampler = WeightedRandomSampler(weights, 300)
    for workers in (0, 2):
        loader = DataLoader(data, batch_size=100, sampler=sampler, num_workers=workers)
        for x, y in loader:
            print(torch.bincount(y, minlength=3).tolist(), f"{x.double().sum():.4f}", y[:10].tolist())

    generator = torch.Generator().manual_seed(9)
    few = WeightedRandomSampler(weights, 10, replacement=False, generator=generator)
    print([*few], [*few])

    rare = Subset(data, (labels == 2).nonzero().flatten().tolist())
    more = ConcatDataset([data, *[rare] * 5])
    print(len(rare), len(more))
    loader = DataLoader(
        more, batch_sampler=BatchSampler(RandomSampler(more, generator=generator), 50, drop_last=False)
    )
    for x, y in loader:
        print(tuple(x.shape), torch.bincount(y, minlength=3).tolist(), f"{x.double().sum():.4f}")

    validation = SubsetRandomSampler(range(150, 200))
    print([y.tolist() for _, y in DataLoader(data, batch_size=25, sampler=validation)])


if __name__ == "__main__":
    main()
