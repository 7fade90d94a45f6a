"""Inputs that mislead a classifier, by one step and by several; a map of what it looks at; training against them."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(128, 2)
)  # fmt: skip
y = torch.arange(48) % 2
x = (0.2 * torch.rand(48, 1, 8, 8)).clamp(0, 1)
x[y == 0, :, :4] += 0.4
x[y == 1, :, 4:] += 0.4


def fgsm(x, y, epsilon):
    x = x.clone().detach().requires_grad_(True)
    F.cross_entropy(model(x), y).backward()
    return (x + epsilon * x.grad.sign()).clamp(0, 1).detach()


def pgd(x, y, epsilon, rate=0.05, steps=5):
    moved = x + torch.empty_like(x).uniform_(-epsilon, epsilon)
    for _ in range(steps):
        moved.requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(moved), y), moved)
        moved = moved.detach() + rate * g.sign()
        moved = torch.min(torch.max(moved, x - epsilon), x + epsilon).clamp(0, 1)
    return moved


def accuracy(x):
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
for step in range(20):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print(
    f"{loss.item():.4f}",
    accuracy(x),
    accuracy(fgsm(x, y, 0.5)) <= accuracy(x),
    (fgsm(x, y, 0.1) - x).abs().max().item(),
)
print((pgd(x, y, 0.2) - x).abs().max().item() <= 0.2 + 1e-6)

features = {}
handle = model[4].register_forward_hook(
    lambda module, args, out: (out.retain_grad(), features.update(out=out)) and None
)
model(x[:2])[:, 1].sum().backward()
weights = features["out"].grad.mean((2, 3), keepdim=True)
cam = F.interpolate(
    F.relu((weights * features["out"]).sum(1, keepdim=True)), size=8, mode="bilinear", align_corners=False
)
handle.remove()
print(cam.shape, cam.min().item() >= 0)

for step in range(15):
    optimizer.zero_grad()
    loss = 0.5 * F.cross_entropy(model(x), y) + 0.5 * F.cross_entropy(model(fgsm(x, y, 0.15)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.3f}", accuracy(fgsm(x, y, 0.15)) > 0.5)
