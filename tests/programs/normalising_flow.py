"""Affine couplings and permutations that map two moons to a Gaussian, trained by likelihood, inverted for samples."""

import math

import torch
from torch import nn


def moons(count, generator):
    t = torch.rand(count, generator=generator) * math.pi
    upper = torch.stack([t.cos(), t.sin()], 1)
    lower = torch.stack([1 - t.cos(), 0.5 - t.sin()], 1)
    which = torch.rand(count, 1, generator=generator) < 0.5
    return torch.where(which, upper, lower) + 0.05 * torch.randn(count, 2, generator=generator)


class Coupling(nn.Module):
    def __init__(self, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.1), nn.Linear(32, 4))
        nn.init.zeros_(self.net[-1].weight)

    def parameters_of(self, x):
        s, t = self.net(x * self.mask).chunk(2, dim=1)
        return torch.tanh(s) * (1 - self.mask), t * (1 - self.mask)

    def forward(self, x):
        s, t = self.parameters_of(x)
        return x * torch.exp(s) + t, s.sum(1)

    def inverse(self, z):
        s, t = self.parameters_of(z)
        return (z - t) * torch.exp(-s)


class Flow(nn.Module):
    def __init__(self, count):
        super().__init__()
        masks = [torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])]
        self.layers = nn.ModuleList([Coupling(masks[i % 2]) for i in range(count)])
        self.register_buffer("loc", torch.zeros(2))
        self.register_buffer("cov", torch.eye(2))

    @property
    def base(self):
        return torch.distributions.MultivariateNormal(self.loc, self.cov)

    def log_prob(self, x):
        total = x.new_zeros(x.shape[0])
        for layer in self.layers:
            x, logdet = layer(x)
            total = total + logdet
        return self.base.log_prob(x) + total

    def sample(self, n):
        z = self.base.sample((n,))
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


generator = torch.Generator().manual_seed(0)
torch.manual_seed(0)
flow = Flow(4)
optimizer = torch.optim.Adam(flow.parameters(), lr=0.01)
for step in range(60):
    loss = -flow.log_prob(moons(128, generator)).mean()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    if step % 20 == 19:
        print(step, f"{loss.item():.3f}")
with torch.no_grad():
    x = moons(5, generator)
    z = x
    for layer in flow.layers:
        z, _ = layer(z)
    for layer in reversed(flow.layers):
        z = layer.inverse(z)
    print(torch.allclose(x, z, atol=1e-4), flow.sample(500).shape)
print([name for name, _ in flow.named_buffers()][:3], len(flow.state_dict()))
