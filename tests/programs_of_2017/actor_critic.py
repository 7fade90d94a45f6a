"""An actor and its critic: actions drawn by multinomial() and rewarded by reinforce(), gradients of None for them."""

import torch
import torch.autograd as autograd
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable

torch.manual_seed(7)


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(2, 16)
        self.action_head = nn.Linear(16, 2)
        self.value_head = nn.Linear(16, 1)

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x)), self.value_head(x)


model = Policy()
optimizer = optim.Adam(model.parameters(), lr=3e-2)
states = torch.eye(2)
scores = []
for episode in range(80):
    saved, rewards = [], []
    for k in range(6):
        state = states[k % 2]
        probs, value = model(Variable(state.unsqueeze(0)))
        action = probs.multinomial()
        rewards.append(1.0 if action.data[0, 0] == k % 2 else 0.0)
        saved.append((action, value))
    rewards = torch.Tensor(rewards)
    value_loss = 0
    for (action, value), r in zip(saved, rewards):
        reward = r - value.data[0, 0]
        action.reinforce(reward)
        value_loss += F.smooth_l1_loss(value, Variable(torch.Tensor([[r]])))
    optimizer.zero_grad()
    final_nodes = [value_loss] + [action for action, _ in saved]
    gradients = [torch.ones(1)] + [None] * len(saved)
    autograd.backward(final_nodes, gradients)
    optimizer.step()
    scores.append(rewards.sum())
print(type(scores[0]).__name__, sum(scores[-10:]) / 10 > 5)
print(action.size(), value_loss.size(), action.data.type())
probs, _ = model(Variable(states))
print((probs.data > 0.5))
