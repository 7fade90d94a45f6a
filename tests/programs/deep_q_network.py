"""A network of Q values on a corridor: replay memory, a target network, an exploration that ends."""

import math
import random
from collections import deque, namedtuple

import torch
from torch import nn, optim

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))
SIZE = 6


class Corridor:
    def reset(self):
        self.place, self.time = 0, 0
        return self.observe()

    def observe(self):
        return nn.functional.one_hot(torch.tensor([self.place]), SIZE).float()

    def step(self, action):
        self.place = max(0, self.place + (1 if action else -1))
        self.time += 1
        done = self.place == SIZE - 1
        return (None if done else self.observe()), (1.0 if done else -0.05), done or self.time > 30


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)


random.seed(0)
torch.manual_seed(0)
policy_net, target_net = (nn.Sequential(nn.Linear(SIZE, 24), nn.ReLU(), nn.Linear(24, 2)) for _ in range(2))
target_net.load_state_dict(policy_net.state_dict())
optimizer = optim.AdamW(policy_net.parameters(), lr=5e-3, amsgrad=True)
memory, env, steps_done, lengths = ReplayMemory(500), Corridor(), 0, []
for episode in range(25):
    state, done, total = env.reset(), False, 0.0
    while not done:
        epsilon = 0.05 + 0.85 * math.exp(-steps_done / 100)
        steps_done += 1
        if random.random() > epsilon:
            with torch.no_grad():
                action = policy_net(state).max(1).indices.view(1, 1)
        else:
            action = torch.tensor([[random.randrange(2)]], dtype=torch.long)
        next_state, reward, done = env.step(action.item())
        memory.push(state, action, next_state, torch.tensor([reward]))
        state, total = next_state, total + reward
        if len(memory) >= 32:
            batch = Transition(*zip(*memory.sample(32)))
            mask = torch.tensor([s is not None for s in batch.next_state], dtype=torch.bool)
            following = torch.cat([s for s in batch.next_state if s is not None])
            values = policy_net(torch.cat(batch.state)).gather(1, torch.cat(batch.action))
            future = torch.zeros(32)
            with torch.no_grad():
                future[mask] = target_net(following).max(1).values
            loss = nn.SmoothL1Loss()(values, (future * 0.95 + torch.cat(batch.reward)).unsqueeze(1))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
            optimizer.step()
            with torch.no_grad():
                for t, p in zip(target_net.parameters(), policy_net.parameters()):
                    t.lerp_(p, 0.05)
    lengths.append(env.time)
print(lengths, round(loss.item(), 5), steps_done)
print(policy_net(torch.eye(SIZE)).argmax(1)[:-1])
