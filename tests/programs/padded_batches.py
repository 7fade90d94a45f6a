"""Sentences of different lengths, padded by a collate function, classified by an LSTM over packed sequences."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset

WORDS = "the a cat dog sat ran fast slow on under mat tree".split()
vocab = {"<pad>": 0, "<unk>": 1, **{word: i + 2 for i, word in enumerate(WORDS)}}


class Sentences(Dataset):
    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(count):
            length = int(torch.randint(3, 9, (1,), generator=generator))
            ids = torch.randint(2, len(vocab), (length,), generator=generator)
            self.items.append((ids, int((ids == vocab["cat"]).sum() > (ids == vocab["dog"]).sum())))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    batch.sort(key=lambda item: len(item[0]), reverse=True)
    sentences, labels = zip(*batch)
    lengths = torch.tensor([len(s) for s in sentences])
    return (
        pad_sequence(sentences, batch_first=True, padding_value=vocab["<pad>"]),
        lengths,
        torch.tensor(labels),
    )


class Classifier(nn.Module):
    def __init__(self, size=8, hidden=12):
        super().__init__()
        self.embedding = nn.Embedding(len(vocab), size, padding_idx=0)
        self.lstm = nn.LSTM(size, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, 2)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embedding(tokens), lengths, batch_first=True)
        output, (h, _) = self.lstm(packed)
        padded, sizes = pad_packed_sequence(output, batch_first=True)
        assert padded.size(1) == int(sizes.max())
        return self.out(torch.cat([h[-2], h[-1]], dim=1))


torch.manual_seed(0)
loader = DataLoader(Sentences(96, 1), batch_size=16, shuffle=True, collate_fn=collate, drop_last=True)
model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(4):
    total = 0.0
    for tokens, lengths, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(tokens, lengths), labels)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        total += loss.item()
    print(f"{epoch} {total / len(loader):.4f} {norm:.4f} {tuple(tokens.shape)} {lengths.tolist()}")
print(model.embedding.weight[0].abs().sum().item(), model.embedding.weight.grad[0].abs().sum().item())
