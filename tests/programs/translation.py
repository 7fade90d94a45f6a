"""An encoder and a decoder with attention learn to reverse sequences, with teacher forcing, and decode greedily."""

import random

import torch
from torch import nn
from torch.nn import functional as F

SOS, EOS, VOCAB, LENGTH = 0, 1, 10, 5


class Encoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, hidden)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)

    def forward(self, x):
        return self.gru(self.embedding(x))


class AttnDecoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, hidden)
        self.attn = nn.Linear(hidden, hidden, bias=False)
        self.gru = nn.GRUCell(2 * hidden, hidden)
        self.out = nn.Linear(hidden, VOCAB)

    def forward(self, token, hidden, memory):
        scores = torch.bmm(memory, self.attn(hidden).unsqueeze(2)).squeeze(2)
        weights = F.softmax(scores, dim=-1)
        context = torch.bmm(weights.unsqueeze(1), memory).squeeze(1)
        hidden = self.gru(torch.cat([self.embedding(token), context], -1), hidden)
        return F.log_softmax(self.out(hidden), -1), hidden, weights


random.seed(1)
torch.manual_seed(1)
encoder, decoder = Encoder(24), AttnDecoder(24)
parameters = list(encoder.parameters()) + list(decoder.parameters())
optimizer = torch.optim.Adam(parameters, lr=0.01)
criterion = nn.NLLLoss()
for step in range(60):
    source = torch.randint(2, VOCAB, (16, LENGTH))
    target = torch.cat([source.flip(1), torch.full((16, 1), EOS)], 1)
    memory, hidden = encoder(source)
    hidden, token, loss = hidden[0], torch.full((16,), SOS), 0
    teacher = random.random() < 0.7
    for t in range(LENGTH + 1):
        output, hidden, weights = decoder(token, hidden, memory)
        loss += criterion(output, target[:, t])
        token = target[:, t] if teacher else output.topk(1)[1].squeeze(1).detach()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(parameters, 0.5)
    optimizer.step()
    if step % 20 == 19:
        print(step, f"{loss.item() / (LENGTH + 1):.3f}", teacher)
with torch.no_grad():
    memory, hidden = encoder(torch.tensor([[2, 3, 4, 5, 6]]))
    hidden, token, attention = hidden[0], torch.tensor([SOS]), []
    for _ in range(LENGTH):
        output, hidden, weights = decoder(token, hidden, memory)
        token = output.argmax(1)
        attention.append(weights.squeeze(0))
print(torch.stack(attention).shape, torch.allclose(torch.stack(attention).sum(1), torch.ones(5)))
