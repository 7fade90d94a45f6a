"""A policy that learns which of four arms pays, with ``reinforce()``, as in the examples of 2017."""

import torch
import torch.autograd as autograd
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable

torch.manual_seed(3)


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine = nn.Linear(3, 4)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        return F.softmax(self.affine(x), 1)


model = Policy()
optimizer = optim.Adam(model.parameters(), lr=5e-2)
state = torch.ones(1, 3)


def select_action(state):
    probs = model(Variable(state))
    action = probs.multinomial()
    model.saved_actions.append(action)
    return action.data


def finish_episode():
    rewards = torch.Tensor(model.rewards)
    rewards = (rewards - rewards.mean()) / (rewards.std() + 1e-6)
    for action, r in zip(model.saved_actions, rewards):
        action.reinforce(r)
    optimizer.zero_grad()
    autograd.backward(model.saved_actions, [None for _ in model.saved_actions])
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]


for episode in range(60):
    for t in range(20):
        action = select_action(state)
        model.rewards.append(1.0 if action[0, 0] == 2 else 0.0)
    finish_episode()

probs = model(Variable(state, volatile=True))
print(probs.data)
assert probs.data[0, 2] > 0.9
print("done")
