"""A mixture of experts: each token goes to the two that a gate likes best, with a loss that keeps them busy alike."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Experts(nn.Module):
    def __init__(self, size, count=4, chosen=2):
        super().__init__()
        self.count, self.chosen, self.gate = count, chosen, nn.Linear(size, count, bias=False)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(size, 2 * size), nn.GELU(), nn.Linear(2 * size, size))
            for _ in range(count)
        )

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        probabilities = self.gate(flat).softmax(-1)
        weights, chosen = probabilities.topk(self.chosen, dim=-1)
        weights = weights / weights.sum(-1, keepdim=True)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows, which = torch.where(chosen == i)
            if rows.numel():
                out.index_add_(0, rows, expert(flat[rows]) * weights[rows, which, None])
        load = F.one_hot(chosen, self.count).sum((0, 1)).float() / chosen.numel()
        self.balance = self.count * (load * probabilities.mean(0)).sum()
        return out.view_as(x)


layer = Experts(8)
x = torch.randn(6, 10, 8)
dense = torch.stack([expert(x) for expert in layer.experts], -1)
p = layer.gate(x).softmax(-1)
kept = torch.zeros_like(p).scatter_(-1, p.topk(2).indices, p.topk(2).values)
kept = kept / kept.sum(-1, keepdim=True)
print(torch.allclose(layer(x), (dense * kept.unsqueeze(-2)).sum(-1), atol=1e-5), layer.balance.item())

target = torch.where(x[..., :1] > 0, x.flip(-1), -x)
optimizer = torch.optim.ASGD(layer.parameters(), lr=0.5)
for step in range(30):
    loss = F.mse_loss(layer(x), target)
    optimizer.zero_grad()
    (loss + 0.01 * layer.balance).backward()
    optimizer.step()
    if step % 10 == 9:
        print(step, f"{loss.item():.4f} {layer.balance.item():.4f}")
print(len(layer.experts), [name for name, _ in layer.named_parameters()][:3])


class Choice(nn.Module):
    def __init__(self):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(3))
        self.ops = [torch.tanh, torch.relu, torch.neg]

    def forward(self, x, temperature, hard=False):
        weights = F.gumbel_softmax(self.logits, tau=temperature, hard=hard)
        return sum(w * op(x) for w, op in zip(weights, self.ops))


choice = Choice()
optimizer = torch.optim.Adadelta(choice.parameters(), lr=20.0)
for step in range(30):
    loss = F.mse_loss(choice(x, max(0.3, 1 - step / 30)), -x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(choice.logits.argmax().item(), choice(x, 0.5, hard=True).shape)
