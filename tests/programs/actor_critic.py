"""An actor and a critic with generalised advantages on a bandit with contexts: discrete actions, entropy, a clipped objective."""

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(4)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(4, 32), nn.Tanh())
        self.actor, self.critic = nn.Linear(32, 3), nn.Linear(32, 1)
        for layer in (self.actor, self.critic):
            nn.init.orthogonal_(layer.weight, gain=0.1)
            nn.init.constant_(layer.bias, 0.0)

    def forward(self, x):
        h = self.shared(x)
        return Categorical(logits=self.actor(h)), self.critic(h).squeeze(-1)


def advantages(rewards, values, gamma=0.9, lam=0.95):
    result, running = torch.zeros_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        following = values[t + 1] if t + 1 < len(rewards) else 0.0
        delta = rewards[t] + gamma * following - values[t]
        running = delta + gamma * lam * running
        result[t] = running
    return result


model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, eps=1e-5)
for update in range(12):
    states = torch.randn(64, 4)
    with torch.no_grad():
        policy, values = model(states)
        actions = policy.sample()
        old = policy.log_prob(actions)
    rewards = (actions == states[:, :3].argmax(1)).float()
    gains = advantages(rewards, values)
    returns = gains + values
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(4):
        policy, values = model(states)
        ratio = (policy.log_prob(actions) - old).exp()
        surrogate = torch.min(ratio * gains, ratio.clamp(0.8, 1.2) * gains)
        loss = (
            -surrogate.mean() + 0.5 * nn.functional.mse_loss(values, returns) - 0.01 * policy.entropy().mean()
        )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
    if update % 3 == 2:
        print(update, f"{rewards.mean().item():.3f} {loss.item():.3f} {policy.entropy().mean().item():.3f}")
print(policy, actions[:10])
