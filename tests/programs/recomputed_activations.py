"""A deep network whose activations are computed again in backward; gradients are the same, also with dropout."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

torch.manual_seed(0)
calls = []


class Block(nn.Module):
    def __init__(self, number, size=12):
        super().__init__()
        self.number, self.norm = number, nn.LayerNorm(size)
        self.mlp = nn.Sequential(
            nn.Linear(size, 4 * size), nn.GELU(), nn.Dropout(0.1), nn.Linear(4 * size, size)
        )

    def forward(self, x):
        calls.append(self.number)
        return x + self.mlp(self.norm(x))


class Deep(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        self.blocks, self.head, self.remember = (
            nn.ModuleList([Block(i) for i in range(depth)]),
            nn.Linear(12, 2),
            True,
        )

    def forward(self, x):
        for block in self.blocks:
            x = block(x) if self.remember else checkpoint(block, x, use_reentrant=False)
        return self.head(x)


model, x = Deep(), torch.randn(6, 12)
results = []
for remember in (True, False):
    model.remember = remember
    model.zero_grad()
    calls.clear()
    torch.manual_seed(3)
    loss = model(x).pow(2).mean()
    forward = list(calls)
    loss.backward()
    results.append([p.grad.clone() for p in model.parameters()])
    print(remember, loss.item(), forward, calls[len(forward) :])
print(all(torch.allclose(a, b) for a, b in zip(*results)))
chain = nn.Sequential(*[nn.Sequential(nn.Linear(12, 12), nn.Tanh()) for _ in range(6)])
x.requires_grad_()
checkpoint_sequential(chain, 3, x, use_reentrant=False).sum().backward()
first = x.grad.clone()
x.grad = None
chain(x).sum().backward()
print(torch.allclose(first, x.grad), first.norm().item())
sizes = []
with torch.autograd.graph.saved_tensors_hooks(lambda t: sizes.append(t.numel()) or t, lambda t: t):
    chain(x)
print(len(sizes) > 0, max(sizes))
