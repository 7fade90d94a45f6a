"""A network that satisfies y'' = -y, y(0) = 0, y'(0) = 1: derivatives of the network by autograd, differentiated again."""

import math

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1)).double()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
t = torch.linspace(0, math.pi, 32, dtype=torch.float64).unsqueeze(1).requires_grad_()


def residual(t):
    y = net(t)
    dy = torch.autograd.grad(y, t, torch.ones_like(y), create_graph=True)[0]
    (ddy,) = torch.autograd.grad(dy.sum(), t, create_graph=True)
    return y, dy, ddy + y


for step in range(120):
    y, dy, r = residual(t)
    loss = r.pow(2).mean() + y[0].pow(2).sum() + (dy[0] - 1).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 30 == 29:
        print(step, f"{loss.item():.5f}")
y, dy, r = residual(t)
print((y - torch.sin(t)).abs().max().item() < 1.0, y.dtype, dy.requires_grad)
x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
derivative = (x.sin() * x).sum()
for order in range(4):
    (derivative,) = torch.autograd.grad(derivative.sum(), x, create_graph=True)
    print(order + 1, derivative.detach())
