"""Batches of texts of different lengths: a ``collate_fn`` pads them, a batch sampler puts texts of like lengths together."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset, Sampler

TEXTS = """the cat sat on the mat|a dog|dogs bark at night|birds sing|the quick brown fox jumps over the lazy dog|
sleep|a cat and a dog sat down|night falls|the fox sleeps|on the mat the bird sings of the night""".replace(
    "\n", ""
).split("|")


class Texts(Dataset):
    def __init__(self, texts):
        words = sorted({word for text in texts for word in text.split()})
        self.numbers = {word: i for i, word in enumerate(words, 1)}
        self.texts = texts

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        text = self.texts[i]
        return {
            "ids": torch.tensor([self.numbers[word] for word in text.split()]),
            "text": text,
            "label": i % 2,
        }


class AlikeInLength(Sampler):
    def __init__(self, lengths, batch_size):
        self.lengths, self.batch_size = lengths, batch_size

    def __len__(self):
        return -(-len(self.lengths) // self.batch_size)

    def __iter__(self):
        order = sorted(range(len(self.lengths)), key=self.lengths.__getitem__)
        batches = [order[i : i + self.batch_size] for i in range(0, len(order), self.batch_size)]
        for i in torch.randperm(len(batches)).tolist():
            yield batches[i]


def pad(samples):
    samples = sorted(samples, key=lambda sample: -len(sample["ids"]))
    lengths = torch.tensor([len(sample["ids"]) for sample in samples])
    ids = pad_sequence([sample["ids"] for sample in samples], batch_first=True)
    labels = torch.tensor([sample["label"] for sample in samples])
    return ids, lengths, labels, [sample["text"] for sample in samples]


class Reader(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.embedding = nn.Embedding(words + 1, 8, padding_idx=0)
        self.lstm = nn.LSTM(8, 8, batch_first=True)
        self.out = nn.Linear(8, 2)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True)
        _, (hidden, _) = self.lstm(packed)
        return self.out(hidden[-1])


def main():
    torch.manual_seed(1)
    data = Texts(TEXTS)
    lengths = [len(text.split()) for text in TEXTS]
    model = Reader(len(data.numbers))
    for workers in (0, 2):
        loader = DataLoader(
            data, batch_sampler=AlikeInLength(lengths, 3), collate_fn=pad, num_workers=workers
        )
        print(len(loader), "batches,", workers, "workers")
        for ids, each, labels, texts in loader:
            loss = nn.functional.cross_entropy(model(ids, each), labels)
            print(ids.tolist(), each.tolist(), labels.tolist(), texts, f"{loss:.4f}")


if __name__ == "__main__":
    main()
