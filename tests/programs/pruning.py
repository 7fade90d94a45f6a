"""Weights are pruned, by magnitude, at random, in rows and globally; masks live in buffers until they are made permanent."""

import torch
from torch import nn
from torch.nn.utils import prune

torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(96, 10), nn.ReLU(), nn.Linear(10, 2)
)
conv, first, last = model[0], model[3], model[5]
prune.l1_unstructured(conv, name="weight", amount=0.3)
prune.random_unstructured(conv, name="bias", amount=2)
print(sorted(name for name, _ in conv.named_buffers()), sorted(name for name, _ in conv.named_parameters()))
print(int((conv.weight == 0).sum()), int((conv.bias == 0).sum()), prune.is_pruned(model))
prune.ln_structured(first, name="weight", amount=0.5, n=2, dim=0)
print(
    int((first.weight.abs().sum(1) == 0).sum()),
    first._forward_pre_hooks.values().__iter__().__next__().__class__.__name__,
)
prune.global_unstructured(
    [(first, "weight"), (last, "weight")], pruning_method=prune.L1Unstructured, amount=0.2
)
zeros = sum(int((m.weight == 0).sum()) for m in (first, last))
print(zeros, sum(m.weight.numel() for m in (first, last)))

x, y = torch.randn(16, 1, 6, 6), torch.randint(0, 2, (16,))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print(f"{loss.item():.4f}", int((conv.weight == 0).sum()), list(model.state_dict())[:4])
for module, name in ((conv, "weight"), (conv, "bias"), (first, "weight"), (last, "weight")):
    prune.remove(module, name)
print(list(model.state_dict()), prune.is_pruned(model))


class Every(prune.BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        mask = default_mask.clone()
        mask.view(-1)[::2] = 0
        return mask


Every.apply(last, "bias")
prune.custom_from_mask(last, "weight", torch.ones_like(last.weight).tril())
print(last.bias_mask, last.weight_mask.sum().item(), type(last.weight).__name__)
