"""A small network learns from a large one: softened targets, and hints from its hidden layer."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x = torch.randn(128, 8)
y = (x[:, :4] * x[:, 4:]).argmax(1)


def train(parameters, loss_of, steps, lr=0.01):
    optimizer = torch.optim.Adam(parameters, lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        optimizer.step()
    return loss.item()


teacher = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))
print(f"teacher {train(teacher.parameters(), lambda: F.cross_entropy(teacher(x), y), 60):.4f}")
teacher.eval().requires_grad_(False)
student = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
regressor = nn.Linear(16, 64)
T, alpha = 4.0, 0.7


def distill():
    with torch.no_grad():
        target, hint = teacher(x), teacher[:2](x)
    out = student(x)
    soft = (
        F.kl_div(F.log_softmax(out / T, dim=1), F.softmax(target / T, dim=1), reduction="batchmean") * T * T
    )
    logged = (
        F.kl_div(
            F.log_softmax(out / T, 1), F.log_softmax(target / T, 1), reduction="batchmean", log_target=True
        )
        * T
        * T
    )
    assert torch.allclose(soft, logged, atol=1e-4)
    return (
        alpha * soft
        + (1 - alpha) * F.cross_entropy(out, y)
        + 0.01 * F.mse_loss(regressor(student[:2](x)), hint)
    )


print(f"student {train([*student.parameters(), *regressor.parameters()], distill, 60):.4f}")
agree = (student(x).argmax(1) == teacher(x).argmax(1)).float().mean().item()
print(agree > 0.4, sum(p.requires_grad for p in teacher.parameters()), teacher[0].weight.grad is not None)
