"""A network of spiking neurons, trained through time by a surrogate gradient; and truncated backpropagation of a state."""

import torch
from torch import nn


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, membrane):
        ctx.save_for_backward(membrane)
        return (membrane > 0).to(membrane.dtype)

    @staticmethod
    def backward(ctx, grad):
        (membrane,) = ctx.saved_tensors
        return grad / (10 * membrane.abs() + 1) ** 2


class Leaky(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.linear, self.decay = nn.Linear(inside, outside), nn.Parameter(torch.tensor(0.9))

    def forward(self, x, membrane):
        membrane = self.decay * membrane + self.linear(x)
        spike = Spike.apply(membrane - 1.0)
        return spike, membrane - spike.detach()


torch.manual_seed(0)
hidden, readout = Leaky(6, 20), nn.Linear(20, 2)
optimizer = torch.optim.Adam([*hidden.parameters(), *readout.parameters()], lr=0.01)
rates = torch.rand(32, 6)
labels = (rates[:, :3].sum(1) > rates[:, 3:].sum(1)).long()
for epoch in range(12):
    membrane, votes, spikes = torch.zeros(32, 20), 0.0, 0.0
    for t in range(15):
        spike, membrane = hidden(torch.bernoulli(rates), membrane)
        votes = votes + readout(spike)
        spikes += spike.mean().item() / 15
    loss = nn.functional.cross_entropy(votes / 15, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 4 == 3:
        print(epoch, f"{loss.item():.3f} {spikes:.3f}")
print(hidden.decay.item() != 0.9, hidden.linear.weight.grad.abs().sum().item() > 0)

rnn, head = nn.GRU(1, 8), nn.Linear(8, 1)
signal = torch.sin(torch.arange(60.0) / 3).view(60, 1, 1)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
for epoch in range(3):
    state = torch.zeros(1, 1, 8)
    for start in range(0, 50, 10):
        state = state.detach()
        out, state = rnn(signal[start : start + 10], state)
        loss = (head(out) - signal[start + 1 : start + 11]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.4f}", state.requires_grad)
