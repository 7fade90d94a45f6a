"""REINFORCE with a Gaussian policy and a baseline; beside it the same by reparametrised samples."""

import torch
from torch import nn
from torch.distributions import Independent, Normal, TransformedDistribution, kl_divergence
from torch.distributions.transforms import TanhTransform

torch.manual_seed(0)
TARGET = torch.tensor([0.5, -0.25])


def reward(action):
    return -(action - TARGET).pow(2).sum(-1)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.log_std = nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(2))

    def forward(self):
        return Independent(Normal(self.mu, self.log_std.exp()), 1)


policy, baseline = Policy(), 0.0
optimizer = torch.optim.SGD(policy.parameters(), lr=0.05)
for step in range(80):
    distribution = policy()
    actions = distribution.sample((64,))
    r = reward(actions)
    loss = -(distribution.log_prob(actions) * (r - baseline)).mean()
    baseline = 0.9 * baseline + 0.1 * r.mean().item()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("reinforce", policy.mu.tolist(), policy.log_std.exp().tolist(), round(baseline, 3))

policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=0.05)
for step in range(80):
    squashed = TransformedDistribution(policy(), TanhTransform(cache_size=1))
    actions = squashed.rsample((16,))
    loss = (-reward(actions) + 0.01 * squashed.log_prob(actions)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("reparametrised", policy.mu.tanh().tolist(), round(loss.item(), 4))
print(kl_divergence(policy(), Independent(Normal(torch.zeros(2), torch.ones(2)), 1)).item(), policy())
