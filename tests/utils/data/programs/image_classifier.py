"""Classifies images of bars; workers turn and disturb them as they load."""

import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Bars(Dataset):
    """Images of a bright row or column, as uint8; which of the two is the label."""

    def __init__(self, n, transform=None):
        rng = np.random.default_rng(0)
        self.images = rng.integers(0, 60, (n, 8, 8), dtype=np.uint8)
        self.labels = rng.integers(0, 2, n)
        for image, label, at in zip(self.images, self.labels, rng.integers(0, 8, n)):
            (image.T if label else image)[at] += 150
        self.transform = transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        if self.transform is not None:
            image = self.transform(image)
        return image, int(self.labels[i])


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return x


def flip(image):
    return image[::-1].copy() if random.random() < 0.5 else image


def to_tensor(image):
    return torch.from_numpy(image).to(torch.float32).div(255).unsqueeze(0)


def shift(image):
    dx, dy = torch.randint(-1, 2, (2,)).tolist()
    return torch.roll(image, (dy, dx), (1, 2))


def noise(image):
    return image + 0.05 * torch.from_numpy(np.random.randn(*image.shape).astype(np.float32))


def main():
    torch.manual_seed(0)
    train = DataLoader(
        Bars(256, Compose(flip, to_tensor, shift, noise)), 32, shuffle=True, num_workers=2, drop_last=True
    )
    test = DataLoader(Bars(64, to_tensor), batch_size=64)
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for epoch in range(6):
        for i, (images, labels) in enumerate(train):
            loss = nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if i == 0:
                print(
                    epoch,
                    i,
                    tuple(images.shape),
                    images.dtype,
                    labels[:8].tolist(),
                    f"{images.mean():.5f} {loss:.3f}",
                )
    with torch.no_grad():
        right = sum((model(images).argmax(1) == labels).sum().item() for images, labels in test)
    print("right:", right > 48, "of", len(test.dataset))


if __name__ == "__main__":
    main()
