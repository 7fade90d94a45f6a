"""Weights that are computed from others: normed, orthogonal, symmetric, spectrally normed, and the older forms of that."""

import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize

torch.manual_seed(0)


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)

    def right_inverse(self, a):
        return a.triu()


class MatrixExponential(nn.Module):
    def forward(self, x):
        return torch.matrix_exp(x)


layer = nn.Linear(3, 3)
parametrize.register_parametrization(layer, "weight", Symmetric())
print(torch.allclose(layer.weight, layer.weight.T), layer)
parametrize.register_parametrization(layer, "weight", MatrixExponential())
print(torch.linalg.eigvalsh(layer.weight).min().item() > 0, [name for name, _ in layer.named_parameters()])
with parametrize.cached():
    print(layer.weight is layer.weight)
parametrize.remove_parametrizations(layer, "weight", leave_parametrized=True)
print(type(layer.weight).__name__, parametrize.is_parametrized(layer))

orthogonal = parametrizations.orthogonal(nn.Linear(5, 5))
print(torch.dist(orthogonal.weight.T @ orthogonal.weight, torch.eye(5)).item() < 1e-4)
spectral = parametrizations.spectral_norm(nn.Linear(4, 6), n_power_iterations=5)
for _ in range(5):
    spectral(torch.ones(1, 4))
print(f"{torch.linalg.matrix_norm(spectral.weight, 2).item():.3f}")
normed = parametrizations.weight_norm(nn.Linear(4, 2), dim=0)
print(sorted(name for name, _ in normed.named_parameters()), normed.weight.norm(dim=1))
old = nn.utils.weight_norm(nn.Linear(4, 2))
print(sorted(name for name, _ in old.named_parameters()), type(old.weight).__name__)

optimizer = torch.optim.Adam(
    [*orthogonal.parameters(), *normed.parameters(), *spectral.parameters()], lr=0.05
)
x = torch.randn(20, 5)
for _ in range(15):
    out = orthogonal(x)
    loss = (
        (out - x.roll(1, 1)).pow(2).mean() + normed(x[:, :4]).pow(2).mean() + spectral(x[:, :4]).abs().mean()
    )
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.3f}", torch.dist(orthogonal.weight.T @ orthogonal.weight, torch.eye(5)).item() < 1e-4)
