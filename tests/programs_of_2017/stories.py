"""A recurrent net that continues a nursery rhyme; its state is cut off from the past by the type of what it is."""

import math
import tempfile

import torch
from torch import nn
from torch.autograd import Variable

torch.manual_seed(4)
rhyme = "one two buckle my shoe three four knock at the door ".split() * 8
vocabulary = sorted(set(rhyme))
numbers = torch.LongTensor([vocabulary.index(word) for word in rhyme])
columns = numbers.view(4, -1).t().contiguous()


class Teller(nn.Module):
    def __init__(self, kind):
        super(Teller, self).__init__()
        self.kind = kind
        self.words = nn.Embedding(len(vocabulary), 12)
        self.memory = getattr(nn, kind)(12, 12, 2, dropout=0.1)
        self.scores = nn.Linear(12, len(vocabulary))
        self.scores.weight = self.words.weight
        self.words.weight.data.uniform_(-0.1, 0.1)
        self.scores.bias.data.fill_(0)

    def forward(self, words, state):
        found, state = self.memory(self.words(words), state)
        scores = self.scores(found.view(-1, 12))
        return scores.view(found.size(0), found.size(1), scores.size(1)), state

    def start(self, size):
        weight = next(self.parameters()).data
        states = [Variable(weight.new(2, size, 12).zero_()) for _ in "hc"]
        return tuple(states) if self.kind == "LSTM" else states[0]


def cut(state):
    return Variable(state.data) if type(state) == Variable else tuple(cut(part) for part in state)  # noqa: E721


def losses(teller, volatile=False):
    state, total = teller.start(4), 0
    for i in range(0, len(columns) - 1, 5):
        words = Variable(columns[i : min(i + 5, len(columns) - 1)], volatile=volatile)
        wanted = Variable(columns[i + 1 : i + 1 + len(words)].view(-1))
        scores, state = teller(words, cut(state))
        loss = nn.functional.cross_entropy(scores.view(-1, len(vocabulary)), wanted)
        if not volatile:
            teller.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm(teller.parameters(), 0.25)
            assert type(norm) is float
            for p in teller.parameters():
                p.data.add_(-2, p.grad.data)
        total += loss.data * len(words)
    return total[0] / (len(columns) - 1)


for kind in ("LSTM", "GRU"):
    teller = Teller(kind)
    first = losses(teller)
    for epoch in range(5):
        losses(teller)
    teller.eval()
    print(kind, math.exp(losses(teller, volatile=True)) < math.exp(first))

with tempfile.TemporaryFile() as file:
    torch.save(teller, file)
    file.seek(0)
    teller = torch.load(file)
word, state, told = Variable(torch.zeros(1, 1).long(), volatile=True), teller.start(1), []
for i in range(6):
    scores, state = teller(word, state)
    chosen = torch.multinomial(scores.squeeze().data.exp(), 1)[0]
    word.data.fill_(chosen)
    told.append(vocabulary[chosen])
print(len(told), set(told) <= set(rhyme), state.volatile)
