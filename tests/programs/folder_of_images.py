"""A dataset that reads files from folders named by class, with transforms, and a convolutional network on it."""

import os
import tempfile

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Folder(Dataset):
    def __init__(self, root, transform=None):
        self.classes = sorted(os.listdir(root))
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}
        self.samples = [
            (os.path.join(root, name, file), self.class_to_idx[name])
            for name in self.classes
            for file in sorted(os.listdir(os.path.join(root, name)))
        ]
        self.transform = transform

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        path, label = self.samples[index]
        image = np.load(path)
        return (self.transform(image) if self.transform else image), label


class ToTensor:
    def __call__(self, image):
        return torch.from_numpy(image.transpose(2, 0, 1)).float().div(255)


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = torch.tensor(mean).view(-1, 1, 1), torch.tensor(std).view(-1, 1, 1)

    def __call__(self, tensor):
        return (tensor - self.mean) / self.std


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x):
        for t in self.transforms:
            x = t(x)
        return x


rng = np.random.default_rng(0)
with tempfile.TemporaryDirectory() as root:
    for name, channel in (("blue", 2), ("green", 1), ("red", 0)):
        os.mkdir(os.path.join(root, name))
        for i in range(12):
            image = rng.integers(0, 100, (8, 8, 3), dtype=np.uint8)
            image[2:6, 2:6, channel] += 120
            np.save(os.path.join(root, name, f"{i:02}.npy"), image)
    data = Folder(root, Compose([ToTensor(), Normalize([0.5, 0.5, 0.5], [0.25, 0.25, 0.25])]))
    torch.manual_seed(3)
    loader = DataLoader(data, batch_size=9, shuffle=True)
    print(len(data), data.classes, data[0][0].shape, data[0][0].dtype)
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 3),
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(4):
        model.train()
        running_loss, correct = 0.0, 0
        for images, labels in loader:
            optimizer.zero_grad()
            outputs = model(images)
            loss = criterion(outputs, labels)
            loss.backward()
            optimizer.step()
            running_loss += loss.item() * images.size(0)
            correct += (outputs.argmax(1) == labels).sum().item()
        print(f"epoch {epoch}: loss {running_loss / len(data):.4f} acc {correct / len(data):.3f}")
print(sum(p.numel() for p in model.parameters() if p.requires_grad), "parameters")
