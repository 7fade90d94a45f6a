"""Dropout at test time, a Bayesian layer by variational inference, and calibration of what a classifier is sure of."""

import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
from torch.nn import functional as F

torch.manual_seed(0)
x = torch.linspace(-2, 2, 60).unsqueeze(1)
y = x**3 / 4 + 0.1 * torch.randn(60, 1)


class BayesLinear(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(outside, inside) * inside**-0.5)
        self.rho = nn.Parameter(torch.full((outside, inside), -4.0))
        self.bias = nn.Parameter(torch.zeros(outside))

    def posterior(self):
        return Normal(self.mu, F.softplus(self.rho))

    def forward(self, x):
        return F.linear(x, self.posterior().rsample(), self.bias)

    def kl(self):
        return kl_divergence(self.posterior(), Normal(0.0, 1.0)).sum()


bayes = nn.Sequential(BayesLinear(1, 16), nn.Tanh(), BayesLinear(16, 1))
optimizer = torch.optim.Adam(bayes.parameters(), lr=0.02)
for step in range(60):
    likelihood = -Normal(bayes(x), 0.1).log_prob(y).mean()
    loss = likelihood + sum(m.kl() for m in bayes if isinstance(m, BayesLinear)) / 6000
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 19:
        print(step, f"{loss.item():.3f}")
drop = nn.Sequential(nn.Linear(1, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
optimizer = torch.optim.Adamax(drop.parameters(), lr=0.02)
for step in range(60):
    loss = F.gaussian_nll_loss(drop(x), y, torch.full_like(y, 0.05))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.3f}")
drop.eval()
for m in drop.modules():
    if isinstance(m, nn.Dropout):
        m.train()
with torch.no_grad():
    draws = torch.stack([drop(x) for _ in range(50)])
print(draws.shape, draws.std(0).mean().item() > 0, drop.training, drop[2].training)

logits = torch.randn(500, 4) * 3
labels = torch.distributions.Categorical(logits=logits / 2.0).sample()
temperature = torch.ones(1, requires_grad=True)
lbfgs = torch.optim.LBFGS([temperature], lr=0.1, max_iter=40)


def closure():
    lbfgs.zero_grad()
    loss = F.cross_entropy(logits / temperature, labels)
    loss.backward()
    return loss


lbfgs.step(closure)
confidence, guess = (logits / temperature).softmax(-1).max(-1)
edges = torch.linspace(0, 1, 6)
which = torch.bucketize(confidence, edges[1:-1])
gaps = [
    (confidence[which == b].mean() - (guess == labels)[which == b].float().mean()).abs().item()
    for b in range(5)
    if (which == b).sum() > 20
]
print(f"{temperature.item():.3f}", max(gaps) < 0.2)
