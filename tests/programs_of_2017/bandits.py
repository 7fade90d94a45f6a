"""Which arm to pull, learnt twice: from logarithms of probabilities, and by rewarded draws."""

import torch
from torch import autograd, nn, optim
from torch.autograd import Variable
from torch.distributions import Categorical

torch.manual_seed(7)


class Arms(nn.Module):
    def __init__(self):
        super(Arms, self).__init__()
        self.taste = nn.Linear(3, 4)

    def forward(self, x):
        return nn.functional.softmax(self.taste(x), dim=1)


def rewards_of(arms):
    rewards = torch.Tensor([1.0 if arm == 2 else 0.0 for arm in arms])
    return (rewards - rewards.mean()) / (rewards.std() + 1e-6)


def chance(arms):
    return arms(Variable(torch.ones(1, 3))).data[0][2]


arms = Arms()
optimizer = optim.Adam(arms.parameters(), lr=0.1)
before = chance(arms)
for epoch in range(20):
    pulled, logs = [], []
    for i in range(12):
        choice = Categorical(arms(Variable(torch.ones(1, 3))))
        arm = choice.sample()
        pulled.append(arm.data[0])
        logs.append(choice.log_prob(arm))
    loss = torch.cat([-log * reward for log, reward in zip(logs, rewards_of(pulled))]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(type(pulled[0]).__name__, loss.size(), chance(arms) > before)

arms = Arms()
optimizer = optim.Adam(arms.parameters(), lr=0.1)
before = chance(arms)
for epoch in range(20):
    draws = [arms(Variable(torch.ones(1, 3))).multinomial() for i in range(12)]
    for draw, reward in zip(draws, rewards_of([draw.data[0, 0] for draw in draws])):
        draw.reinforce(reward)
    optimizer.zero_grad()
    autograd.backward(draws, [None for draw in draws])
    optimizer.step()
print(draws[0].size(), chance(arms) > before)
