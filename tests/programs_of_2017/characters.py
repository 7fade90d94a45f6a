"""A net that predicts the next letter: an RNN cell written by hand, hidden states in Variables, embedding, cross entropy over a sum of steps."""

import torch
import torch.nn as nn
from torch.autograd import Variable

torch.manual_seed(3)
text = "hello hello hello "
letters = sorted(set(text))
print(letters, len(letters))


def char_tensor(string):
    tensor = torch.zeros(len(string)).long()
    for c in range(len(string)):
        tensor[c] = letters.index(string[c])
    return Variable(tensor)


print(char_tensor("hello"))


class RNN(nn.Module):
    def __init__(self, size, hidden):
        super(RNN, self).__init__()
        self.hidden_size = hidden
        self.encoder = nn.Embedding(size, hidden)
        self.gru = nn.GRU(hidden, hidden, 1)
        self.decoder = nn.Linear(hidden, size)

    def forward(self, letter, hidden):
        embedded = self.encoder(letter.view(1, -1))
        output, hidden = self.gru(embedded.view(1, 1, -1), hidden)
        return self.decoder(output.view(1, -1)), hidden

    def init_hidden(self):
        return Variable(torch.zeros(1, 1, self.hidden_size))


net = RNN(len(letters), 12)
optimizer = torch.optim.Adam(net.parameters(), lr=0.03)
criterion = nn.CrossEntropyLoss()
inputs, targets = char_tensor(text[:-1]), char_tensor(text[1:])
history = []
for epoch in range(40):
    hidden = net.init_hidden()
    net.zero_grad()
    loss = 0
    for c in range(len(text) - 1):
        output, hidden = net(inputs[c], hidden)
        loss += criterion(output, targets[c])
    loss.backward()
    optimizer.step()
    history.append(loss.data[0] / (len(text) - 1))
print(loss.size(), hidden.size(), history[-1] < 0.1 < history[0])

hidden, letter, out = net.init_hidden(), char_tensor("h"), "h"
for _ in range(11):
    output, hidden = net(letter, hidden)
    top = output.data.view(-1).max(0)[1][0]
    out += letters[top]
    letter = char_tensor(letters[top])
print(out)
