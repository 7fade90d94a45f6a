"""Splits a dataset by a generator, trains on one part, selects by another: the same split each time, whatever else is drawn."""

import torch
from torch import nn
from torch.utils.data import DataLoader, StackDataset, TensorDataset, random_split


def main():
    torch.manual_seed(4)
    x = torch.rand(150, 3) * 2 - 1
    y = (x * torch.tensor([1.0, -2.0, 0.5])).sum(1, keepdim=True) + 0.3
    data = TensorDataset(x, y)
    train, select, rest = random_split(data, [0.7, 0.2, 0.1], generator=torch.Generator().manual_seed(42))
    again = random_split(data, [105, 30, 15], generator=torch.Generator().manual_seed(42))
    print(
        len(train),
        len(select),
        len(rest),
        [a.indices == b.indices for a, b in zip((train, select, rest), again)],
    )
    print(train.indices[:10], rest.indices)

    loader = DataLoader(train, batch_size=16, shuffle=True, generator=torch.Generator().manual_seed(1))
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(3):
        total = 0.0
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs), targets)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(inputs)
        with torch.no_grad():
            errors = [
                nn.functional.mse_loss(model(inputs), targets).item()
                for inputs, targets in DataLoader(select, 30)
            ]
        print(epoch, f"{total / len(train):.4f}", [f"{error:.4f}" for error in errors])

    named = StackDataset(x=x, y=y, number=range(150))
    part, _ = random_split(named, [4, 146])
    for batch in DataLoader(part, batch_size=4):
        print({key: value.shape for key, value in batch.items()}, batch["number"].tolist())
    try:
        random_split(data, [100, 49])
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
