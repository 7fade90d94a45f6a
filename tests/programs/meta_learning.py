"""MAML on sine waves: the inner step is differentiated through, with functional_call."""

import math

import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 24), nn.ReLU(), nn.Linear(24, 1))
meta = torch.optim.Adam(model.parameters(), lr=1e-2)


def task():
    amplitude, phase = torch.rand(1) * 4 + 1, torch.rand(1) * math.pi
    support, query = torch.rand(2, 10, 1) * 10 - 5
    return [(x, amplitude * torch.sin(x + phase)) for x in (support, query)]


def adapted(params, x, y, rate=0.02, steps=2, create_graph=True):
    for _ in range(steps):
        loss = nn.functional.mse_loss(functional_call(model, params, (x,)), y)
        grads = torch.autograd.grad(loss, tuple(params.values()), create_graph=create_graph)
        params = {name: p - rate * g for (name, p), g in zip(params.items(), grads)}
    return params


for iteration in range(15):
    total = 0.0
    meta.zero_grad()
    for _ in range(4):
        (sx, sy), (qx, qy) = task()
        params = adapted(dict(model.named_parameters()), sx, sy)
        loss = nn.functional.mse_loss(functional_call(model, params, (qx,)), qy) / 4
        loss.backward()
        total += loss.item()
    meta.step()
    if iteration % 5 == 4:
        print(iteration, f"{total:.4f}")
(sx, sy), _ = task()
before = nn.functional.mse_loss(model(sx), sy)
params = adapted(dict(model.named_parameters()), sx, sy, steps=5, create_graph=False)
after = nn.functional.mse_loss(functional_call(model, params, (sx,)), sy)
print(after.item() < before.item(), sorted(params), params["0.weight"].grad_fn is not None)
