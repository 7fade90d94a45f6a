"""A series is continued by LSTM cells stepped by hand, in windows, with a skill that is compared with persistence."""

import numpy as np
import torch
from torch import nn, optim

np.random.seed(0)
torch.manual_seed(0)
steps = np.arange(60)
waves = np.sin((steps[None] + np.random.randint(-40, 40, (8, 1))) / 4.0).astype("float64")
data = torch.from_numpy(waves)
inputs, targets = data[:6, :-1], data[:6, 1:]


class Sequence(nn.Module):
    def __init__(self, hidden=12):
        super(Sequence, self).__init__()
        self.hidden = hidden
        self.lstm1, self.lstm2, self.linear = (
            nn.LSTMCell(1, hidden),
            nn.LSTMCell(hidden, hidden),
            nn.Linear(hidden, 1),
        )

    def forward(self, input, future=0):
        outputs = []
        h1, c1, h2, c2 = (torch.zeros(input.size(0), self.hidden, dtype=torch.double) for _ in range(4))
        for input_t in input.split(1, dim=1):
            h1, c1 = self.lstm1(input_t, (h1, c1))
            h2, c2 = self.lstm2(h1, (h2, c2))
            output = self.linear(h2)
            outputs += [output]
        for _ in range(future):
            h1, c1 = self.lstm1(output, (h1, c1))
            h2, c2 = self.lstm2(h1, (h2, c2))
            output = self.linear(h2)
            outputs += [output]
        return torch.cat(outputs, dim=1)


seq = Sequence().double()
criterion = nn.MSELoss()
optimizer = optim.LBFGS(seq.parameters(), lr=0.8, max_iter=4)
for i in range(3):

    def closure():
        optimizer.zero_grad()
        loss = criterion(seq(inputs), targets)
        loss.backward()
        return loss

    print(f"STEP {i} loss: {optimizer.step(closure).item():.5f}")
with torch.no_grad():
    predicted = seq(data[6:, :-1], future=10)
print(predicted.shape, criterion(predicted[:, :-10], data[6:, 1:]).item(), predicted.numpy().dtype)
windows = data.unfold(1, 10, 5)
print(windows.shape, windows.mean(-1)[0, :4], data.diff(dim=1).abs().mean().item())
spectrum = torch.fft.rfft(data - data.mean(1, keepdim=True))
print(spectrum.abs().argmax(1), torch.fft.rfftfreq(60)[spectrum.abs()[0].argmax()].item())
