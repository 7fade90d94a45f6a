"""Ten networks at once: stacked parameters, vmap over models and over both models and data, and a step for all."""

import copy

import torch
from torch import nn
from torch.func import functional_call, grad, stack_module_state, vmap

torch.manual_seed(0)


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(5, 16), nn.Linear(16, 3)
        self.register_buffer("scale", torch.ones(()))

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x.flatten(1)))) * self.scale


models = [MLP() for _ in range(10)]
data, targets = torch.randn(32, 5), torch.randint(0, 3, (32,))
params, buffers = stack_module_state(models)
base = copy.deepcopy(models[0])
print(
    {name: tuple(p.shape) for name, p in params.items()},
    {name: tuple(b.shape) for name, b in buffers.items()},
)


def fmodel(params, buffers, x):
    return functional_call(base, (params, buffers), (x,))


together = vmap(fmodel, in_dims=(0, 0, None))(params, buffers, data)
apart = torch.stack([model(data) for model in models])
print(together.shape, torch.allclose(together, apart, atol=1e-5))
split = data[:30].view(10, 3, 5)
print(vmap(fmodel)(params, buffers, split).shape)


def loss(params, buffers, x, y):
    return nn.functional.cross_entropy(fmodel(params, buffers, x), y)


step = vmap(grad(loss), in_dims=(0, 0, None, None))
losses = vmap(loss, in_dims=(0, 0, None, None))
print(losses(params, buffers, data, targets).detach())
for _ in range(20):
    grads = step(params, buffers, data, targets)
    params = {name: (p - 0.5 * grads[name]).detach() for name, p in params.items()}
print(losses(params, buffers, data, targets))
votes = vmap(fmodel, in_dims=(0, 0, None))(params, buffers, data).softmax(-1)
print(votes.mean(0).argmax(-1).eq(targets).float().mean().item(), votes.std(0).mean().item())
noisy = vmap(lambda x: x + torch.randn(3), randomness="different")(torch.zeros(4, 3))
print(noisy.shape, noisy[0].equal(noisy[1]))
