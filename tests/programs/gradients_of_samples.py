"""Gradients of single samples, three ways, and a step of private training: each clipped, summed, with noise."""

import torch
from torch import nn
from torch.func import functional_call, grad, jacrev, vmap

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 16, 3))
x, y = torch.randn(8, 1, 6, 6), torch.randint(0, 3, (8,))
params = {name: p.detach() for name, p in model.named_parameters()}


def loss_of_one(params, sample, target):
    prediction = functional_call(model, params, (sample.unsqueeze(0),))
    return nn.functional.cross_entropy(prediction, target.unsqueeze(0))


by_vmap = vmap(grad(loss_of_one), in_dims=(None, 0, 0))(params, x, y)
by_loop = []
for sample, target in zip(x, y):
    loss = nn.functional.cross_entropy(model(sample[None]), target[None])
    by_loop.append(torch.autograd.grad(loss, list(model.parameters())))
by_loop = [torch.stack(parts) for parts in zip(*by_loop)]
losses = vmap(loss_of_one, in_dims=(None, 0, 0))
by_jacobian = jacrev(losses)(params, x, y)
for (name, g), other in zip(by_vmap.items(), by_loop):
    print(
        name,
        tuple(g.shape),
        torch.allclose(g, other, atol=1e-5),
        torch.allclose(g, by_jacobian[name], atol=1e-5),
    )

norms = torch.stack([g.flatten(1).norm(dim=1) for g in by_vmap.values()]).norm(dim=0)
print(norms)
factor = (1.0 / norms).clamp(max=1.0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
generator = torch.Generator().manual_seed(5)
for (name, p), g in zip(model.named_parameters(), by_vmap.values()):
    clipped = torch.einsum("i,i...->...", factor, g)
    p.grad = (clipped + 0.1 * torch.randn(p.shape, generator=generator)) / len(x)
before = nn.functional.cross_entropy(model(x), y).item()
optimizer.step()
print(before, nn.functional.cross_entropy(model(x), y).item())
fisher = sum(torch.einsum("ni,nj->ij", g.flatten(1), g.flatten(1)).diagonal().sum() for g in by_vmap.values())
print(fisher.item(), (norms**2).sum().item())
