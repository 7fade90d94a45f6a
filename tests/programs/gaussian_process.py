"""Regression by a Gaussian process: hyperparameters by marginal likelihood, Cholesky factors, posterior samples, a sparse one."""

import math

import torch
from torch import nn
from torch.distributions import MultivariateNormal

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
x = torch.linspace(0, 1, 25).unsqueeze(1)
y = torch.sin(2 * math.pi * x).squeeze() + 0.1 * torch.randn(25)
new = torch.linspace(-0.1, 1.1, 9).unsqueeze(1)


class GP(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = nn.ParameterDict(
            {
                name: nn.Parameter(torch.tensor(value))
                for name, value in (("length", 0.0), ("scale", 0.0), ("noise", -1.0))
            }
        )

    def value(self, name):
        return nn.functional.softplus(self.raw[name]) + 1e-4

    def kernel(self, a, b):
        return self.value("scale") * torch.exp(-0.5 * torch.cdist(a, b).pow(2) / self.value("length") ** 2)

    def likelihood(self, x, y):
        K = self.kernel(x, x) + self.value("noise") * torch.eye(len(x))
        L = torch.linalg.cholesky(K)
        alpha = torch.cholesky_solve(y.unsqueeze(1), L)
        return -0.5 * y @ alpha.squeeze(1) - L.diagonal().log().sum() - 0.5 * len(x) * math.log(2 * math.pi)

    def posterior(self, x, y, new):
        K = self.kernel(x, x) + self.value("noise") * torch.eye(len(x))
        cross = self.kernel(x, new)
        solved = torch.linalg.solve(K, torch.cat([y.unsqueeze(1), cross], 1))
        covariance = self.kernel(new, new) - cross.T @ solved[:, 1:]
        return MultivariateNormal(cross.T @ solved[:, 0], covariance + 1e-6 * torch.eye(len(new)))


gp = GP()
optimizer = torch.optim.Adam(gp.parameters(), lr=0.1)
for step in range(60):
    optimizer.zero_grad()
    loss = -gp.likelihood(x, y)
    loss.backward()
    optimizer.step()
    if step % 20 == 19:
        print(step, f"{loss.item():.4f}", {name: round(gp.value(name).item(), 4) for name in gp.raw})
with torch.no_grad():
    posterior = gp.posterior(x, y, new)
    print(posterior.mean, posterior.variance.sqrt() > 0.01)
    print(posterior.rsample((3,)).shape, posterior.entropy().item() < 0)
    prior = MultivariateNormal(torch.zeros(25), gp.kernel(x, x) + gp.value("noise") * torch.eye(25))
    print(torch.allclose(prior.log_prob(y), gp.likelihood(x, y)))
