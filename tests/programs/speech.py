"""Sequences without alignment: CTC loss on convolved frames, greedy decoding, the distance between what was said and heard."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
BLANK, SYMBOLS = 0, 5
codes = torch.randn(SYMBOLS, 6)


def utterances(n):
    targets = [torch.randint(1, SYMBOLS, (int(torch.randint(2, 5, ())),)) for _ in range(n)]
    frames = [codes[t.repeat_interleave(3)] + 0.2 * torch.randn(3 * len(t), 6) for t in targets]
    sizes = torch.tensor([len(f) for f in frames])
    lengths = torch.tensor([len(t) for t in targets])
    return nn.utils.rnn.pad_sequence(frames, batch_first=True), sizes, torch.cat(targets), lengths


class Recogniser(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(6, 24, 3, padding=1)
        self.rnn = nn.RNN(24, 24, nonlinearity="relu", batch_first=True, bidirectional=True)
        self.out = nn.Linear(48, SYMBOLS)

    def forward(self, x):
        h = F.relu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        return self.out(self.rnn(h)[0]).log_softmax(-1)


def decode(scores):
    best = torch.unique_consecutive(scores.argmax(-1))
    return best[best != BLANK].tolist()


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


model = Recogniser()
ctc = nn.CTCLoss(blank=BLANK, zero_infinity=True)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(40):
    x, sizes, targets, lengths = utterances(16)
    loss = ctc(model(x).transpose(0, 1), targets, sizes, lengths)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    if step % 10 == 9:
        print(step, f"{loss.item():.3f}")
with torch.no_grad():
    x, sizes, targets, lengths = utterances(10)
    heard = [decode(scores[:size]) for scores, size in zip(model(x), sizes)]
said = [t.tolist() for t in targets.split(lengths.tolist())]
errors = sum(distance(a, b) for a, b in zip(said, heard))
print(errors <= sum(map(len, said)), distance([1, 2, 3], [1, 3]), distance([], [1, 2]))
