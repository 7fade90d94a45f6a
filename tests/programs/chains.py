"""A conditional random field: scores of all paths by logsumexp, the best path by Viterbi, marginals by gradients."""

import itertools

import torch
from torch import nn

torch.manual_seed(0)


class CRF(nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.start, self.end = nn.Parameter(torch.randn(tags)), nn.Parameter(torch.randn(tags))
        self.transitions = nn.Parameter(torch.randn(tags, tags))

    def score(self, emissions, tags):
        total = self.start[tags[0]] + emissions[0, tags[0]] + self.end[tags[-1]]
        steps = self.transitions[tags[:-1], tags[1:]] + emissions[1:].gather(1, tags[1:, None]).squeeze(1)
        return total + steps.sum()

    def partition(self, emissions):
        alpha = self.start + emissions[0]
        for e in emissions[1:]:
            alpha = torch.logsumexp(alpha[:, None] + self.transitions, dim=0) + e
        return torch.logsumexp(alpha + self.end, dim=0)

    @torch.no_grad()
    def decode(self, emissions):
        score, history = self.start + emissions[0], []
        for e in emissions[1:]:
            best, index = (score[:, None] + self.transitions).max(dim=0)
            history.append(index)
            score = best + e
        path = [int((score + self.end).argmax())]
        for index in reversed(history):
            path.append(int(index[path[-1]]))
        return path[::-1]


crf = CRF(3)
emissions = torch.randn(4, 3, requires_grad=True)
paths = [torch.tensor(p) for p in itertools.product(range(3), repeat=4)]
scores = torch.stack([crf.score(emissions, p) for p in paths])
print(
    torch.allclose(scores.logsumexp(0), crf.partition(emissions), atol=1e-5),
    crf.decode(emissions) == paths[int(scores.argmax())].tolist(),
)
(marginals,) = torch.autograd.grad(crf.partition(emissions), emissions)
print(marginals, marginals.sum(1))

x = torch.randn(30, 6, 5)
gold = (x[..., :3].argmax(-1) + x[..., :3].argmax(-1).roll(1, 1)) % 3
encoder = nn.LSTM(5, 8, batch_first=True, bidirectional=True)
head = nn.Linear(16, 3)
optimizer = torch.optim.Adam([*crf.parameters(), *encoder.parameters(), *head.parameters()], lr=0.05)
for epoch in range(6):
    out = head(encoder(x)[0])
    loss = torch.stack([crf.partition(e) - crf.score(e, t) for e, t in zip(out, gold)]).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, f"{loss.item():.3f}")
