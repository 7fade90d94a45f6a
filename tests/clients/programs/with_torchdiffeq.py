"""A neural differential equation is fitted to a spiral, by backpropagation through the solver and by the adjoint method."""

import torch
from torch import nn
from torchdiffeq import odeint, odeint_adjoint, odeint_event

torch.manual_seed(0)
times = torch.linspace(0.0, 3.0, 16)
start = torch.tensor([2.0, 0.0])
rotation = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])


class Spiral(nn.Module):
    def forward(self, t, y):
        return y @ rotation


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, t, y):
        return self.net(y)


truth = odeint(Spiral(), start, times, method="dopri5")
print(truth[-1])
for method in ("euler", "midpoint", "rk4", "dopri8", "bosh3", "adaptive_heun", "implicit_adams"):
    print(method, odeint(Spiral(), start, times, method=method)[-1])

for solve in (odeint, odeint_adjoint):
    field = Field()
    with torch.no_grad():
        for p, q in zip(
            field.parameters(),
            [torch.linspace(-0.3, 0.4, p.numel()).view_as(p) for p in field.parameters()],
            strict=True,
        ):
            p.copy_(q)
    optimizer = torch.optim.Adam(field.parameters(), lr=0.02)
    for step in range(6):
        optimizer.zero_grad()
        loss = (solve(field, start, times, rtol=1e-4, atol=1e-5) - truth).abs().mean()
        loss.backward()
        optimizer.step()
        print(solve.__name__, step, f"{loss.item():.4f}")


class Fall(nn.Module):
    def forward(self, t, state):
        _, speed = state
        return speed, torch.full_like(speed, -9.81)


gravity_time, states = odeint_event(
    Fall(),
    (torch.tensor([10.0]), torch.tensor([0.0])),
    torch.tensor(0.0),
    event_fn=lambda t, y: y[0][0],
    atol=1e-6,
    rtol=1e-6,
)
print(f"{gravity_time.item():.4f}", f"{states[1][-1].item():.3f}")
