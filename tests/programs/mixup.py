"""Mixup and cutmix with soft targets, label smoothing, random erasing: losses of probabilities."""

import torch
from torch import nn
from torch.distributions import Beta
from torch.nn import functional as F

torch.manual_seed(0)
x, y = torch.randn(64, 3, 8, 8), torch.randint(0, 5, (64,))
x += F.one_hot(y, 8).float()[:, None, :, None]
model = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2), nn.Hardswish(), nn.Flatten(), nn.Linear(72, 5))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
beta = Beta(0.4, 0.4)
smooth = nn.CrossEntropyLoss(label_smoothing=0.1)


def mixup(x, y):
    lam = beta.sample()
    order = torch.randperm(len(x))
    return lam * x + (1 - lam) * x[order], y, y[order], lam


def cutmix(x, y):
    lam = float(beta.sample())
    order = torch.randperm(len(x))
    size = int(8 * (1 - lam) ** 0.5)
    top, left = (int(torch.randint(0, 8 - size + 1, ())) for _ in range(2))
    mixed = x.clone()
    mixed[:, :, top : top + size, left : left + size] = x[order, :, top : top + size, left : left + size]
    return mixed, y, y[order], 1 - size * size / 64


for step in range(20):
    mixed, a, b, lam = (mixup if step % 2 else cutmix)(x, y)
    out = model(mixed)
    loss = lam * F.cross_entropy(out, a) + (1 - lam) * F.cross_entropy(out, b)
    soft = lam * F.one_hot(a, 5) + (1 - lam) * F.one_hot(b, 5)
    assert torch.allclose(loss, F.cross_entropy(out, soft.float()), atol=1e-5)
    optimizer.zero_grad()
    (loss + 0.1 * smooth(out, a)).backward()
    optimizer.step()
    if step % 5 == 4:
        print(step, f"{loss.item():.4f} {float(lam):.4f}")
with torch.no_grad():
    out = model(x)
print(smooth(out, y).item(), F.cross_entropy(out, y, weight=torch.arange(1.0, 6)).item())
top = out.topk(2, dim=1).indices
confusion = torch.bincount(y * 5 + top[:, 0], minlength=25).view(5, 5)
print(
    (top == y[:, None]).any(1).float().mean().item() >= (top[:, 0] == y).float().mean().item(),
    confusion.sum(1).equal(y.bincount(minlength=5)),
)
