"""A mixture density network for an inverse that has several answers."""

import torch
from torch import nn
from torch.distributions import Categorical, MixtureSameFamily, Normal

torch.manual_seed(2)
t = torch.rand(300, 1) * 20 - 10
x = torch.sin(0.75 * t) * 7 + t * 0.5 + torch.randn(300, 1) * 0.3


class MDN(nn.Module):
    def __init__(self, hidden=20, parts=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, hidden), nn.Tanh())
        self.pi, self.mu, self.sigma = (nn.Linear(hidden, parts) for _ in range(3))

    def forward(self, x):
        h = self.body(x)
        return MixtureSameFamily(
            Categorical(logits=self.pi(h)), Normal(self.mu(h), nn.functional.softplus(self.sigma(h)) + 0.01)
        )


model = MDN()
optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
for step in range(100):
    loss = -model(x).log_prob(t.squeeze(-1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 25 == 24:
        print(step, f"{loss.item():.3f}")
with torch.no_grad():
    answer = model(torch.tensor([[0.0], [5.0]]))
    print(answer.mixture_distribution.probs.sum(1), answer.mean.shape, answer.variance.sqrt() > 1)
    print(answer.sample((3,)).shape, answer.cdf(torch.tensor([100.0, -100.0])), answer.batch_shape)
