"""Skip-grams with negative samples: vectors of words from a small text, and their neighbours."""

from collections import Counter

import torch
from torch import nn
from torch.nn import functional as F

TEXT = """the king rules the land and the queen rules the sea the king loves the queen and the queen loves the king
a man walks the land and a woman sails the sea the man serves the king and the woman serves the queen""".split()
counts = Counter(TEXT)
vocab = {word: i for i, (word, _) in enumerate(sorted(counts.items(), key=lambda item: (-item[1], item[0])))}
ids = torch.tensor([vocab[word] for word in TEXT])
print(len(vocab), list(vocab)[:4])


class SkipGram(nn.Module):
    def __init__(self, words, size):
        super().__init__()
        self.center, self.context = nn.Embedding(words, size), nn.Embedding(words, size)
        nn.init.uniform_(self.center.weight, -0.5 / size, 0.5 / size)
        nn.init.zeros_(self.context.weight)

    def forward(self, center, positive, negative):
        v = self.center(center)
        good = (v * self.context(positive)).sum(1)
        bad = torch.bmm(self.context(negative), v.unsqueeze(2)).squeeze(2)
        return -(F.logsigmoid(good) + F.logsigmoid(-bad).sum(1)).mean()


pairs = torch.tensor(
    [(ids[i], ids[j]) for i in range(len(ids)) for j in range(max(0, i - 2), min(len(ids), i + 3)) if i != j]
)
weights = torch.tensor([counts[word] for word in vocab], dtype=torch.float) ** 0.75
torch.manual_seed(0)
model = SkipGram(len(vocab), 10)
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=40)
for epoch in range(40):
    negative = torch.multinomial(weights, len(pairs) * 4, replacement=True).view(len(pairs), 4)
    loss = model(pairs[:, 0], pairs[:, 1], negative)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    if epoch % 10 == 9:
        print(epoch, f"{loss.item():.4f} {scheduler.get_last_lr()[0]:.3f}")
vectors = F.normalize(model.center.weight.detach(), dim=1)
similar = vectors @ vectors[vocab["king"]]
print(pairs.shape, similar[vocab["king"]].item(), similar.argsort(descending=True)[0].item() == vocab["king"])
