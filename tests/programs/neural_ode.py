"""A differential equation whose right side is a network: steps of Runge and Kutta, and gradients by the adjoint equation."""

import torch
from torch import nn

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)


def rk4(f, y, t0, t1, steps):
    h = (t1 - t0) / steps
    for i in range(steps):
        t = t0 + i * h
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, t, y):
        return self.net(y)


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, field, y0, t1, steps, *params):
        with torch.no_grad():
            y1 = rk4(field, y0, 0.0, t1, steps)
        ctx.field, ctx.t1, ctx.steps = field, t1, steps
        ctx.save_for_backward(y1, *params)
        return y1

    @staticmethod
    def backward(ctx, grad):
        y1, *params = ctx.saved_tensors
        sizes = [p.numel() for p in params]

        def dynamics(t, state):
            y, a = state[: y1.numel()].view_as(y1), state[y1.numel() : 2 * y1.numel()].view_as(y1)
            with torch.enable_grad():
                y = y.detach().requires_grad_()
                f = ctx.field(t, y)
                vjps = torch.autograd.grad(f, (y, *params), -a, allow_unused=True)
            return torch.cat([f.detach().reshape(-1), *(v.reshape(-1) for v in vjps)])

        state = torch.cat([y1.reshape(-1), grad.reshape(-1), torch.zeros(sum(sizes))])
        state = rk4(dynamics, state, ctx.t1, 0.0, ctx.steps)
        a, rest = state[y1.numel() : 2 * y1.numel()].view_as(y1), state[2 * y1.numel() :]
        return None, a, None, None, *(g.view_as(p) for g, p in zip(rest.split(sizes), params))


field = Field()
angle = 0.8
rotation = torch.tensor(
    [
        [torch.tensor(angle).cos(), -torch.tensor(angle).sin()],
        [torch.tensor(angle).sin(), torch.tensor(angle).cos()],
    ]
)
start = torch.randn(24, 2)
target = start @ rotation.T
params = tuple(field.parameters())
loss = (Adjoint.apply(field, start, 1.0, 20, *params) - target).pow(2).mean()
by_adjoint = torch.autograd.grad(loss, params)
by_backward = torch.autograd.grad((rk4(field, start, 0.0, 1.0, 20) - target).pow(2).mean(), params)
print([torch.allclose(a, b, atol=1e-5) for a, b in zip(by_adjoint, by_backward)])
optimizer = torch.optim.Adam(params, lr=0.02)
for step in range(25):
    loss = (Adjoint.apply(field, start, 1.0, 4, *params) - target).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 8 == 0:
        print(step, f"{loss.item():.6f}")
