"""A diffusion model of points on a circle: noise is added by a schedule, predicted, and removed step by step."""

import math

import torch
from torch import nn

torch.manual_seed(0)
STEPS = 20
betas = torch.linspace(1e-3, 0.2, STEPS)
alphas = 1 - betas
bars = torch.cumprod(alphas, dim=0)


class Denoiser(nn.Module):
    def __init__(self, size=32):
        super().__init__()
        self.size = size
        self.time = nn.Sequential(nn.Linear(size, size), nn.SiLU())
        self.inside, self.middle, self.outside = nn.Linear(2, size), nn.Linear(size, size), nn.Linear(size, 2)

    def embed(self, t):
        half = self.size // 2
        frequency = torch.exp(-math.log(1000) * torch.arange(half) / half)
        angle = t[:, None].float() * frequency[None]
        return self.time(torch.cat([angle.sin(), angle.cos()], dim=-1))

    def forward(self, x, t):
        h = nn.functional.silu(self.inside(x) + self.embed(t))
        return self.outside(nn.functional.silu(self.middle(h)) + h)


def circle(n):
    angle = torch.rand(n) * 2 * math.pi
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.02 * torch.randn(n, 2)


model = Denoiser()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for step in range(80):
    x, t = circle(128), torch.randint(0, STEPS, (128,))
    noise = torch.randn_like(x)
    bar = bars[t].unsqueeze(1)
    loss = nn.functional.mse_loss(model(bar.sqrt() * x + (1 - bar).sqrt() * noise, t), noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 19:
        print(step, f"{loss.item():.4f}")


@torch.no_grad()
def sample(n):
    x = torch.randn(n, 2)
    for i in reversed(range(STEPS)):
        t = torch.full((n,), i)
        mean = (x - betas[t, None] / (1 - bars[t, None]).sqrt() * model(x, t)) / alphas[t, None].sqrt()
        x = mean + (betas[i].sqrt() * torch.randn_like(x) if i else 0)
    return x


points = sample(200)
print(points.shape, f"{points.norm(dim=1).mean().item():.2f}", bars[[0, -1]])
