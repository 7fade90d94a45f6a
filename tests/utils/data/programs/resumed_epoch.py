"""An epoch that is interrupted, saved, and gone on with in the same order: by the generator's state and a sampler that skips."""

import io

import torch
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, Sampler, TensorDataset


class Resumable(Sampler):
    def __init__(self, data, batch_size, seed):
        self.data, self.batch_size, self.seed = data, batch_size, seed
        self.epoch = self.done = 0

    def state_dict(self):
        return {"epoch": self.epoch, "done": self.done}

    def load_state_dict(self, state):
        self.epoch, self.done = state["epoch"], state["done"]

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed + self.epoch)
        order = torch.randperm(len(self.data), generator=generator).tolist()
        return iter(order[self.done * self.batch_size :])


def run(loader, sampler, stop=None):
    for (batch,) in loader:
        sampler.done += 1
        print("  ", sampler.epoch, sampler.done, batch.tolist())
        if sampler.done == stop:
            return
    sampler.epoch, sampler.done = sampler.epoch + 1, 0


def main():
    data = TensorDataset(torch.arange(20))
    for workers in (0, 2):
        sampler = Resumable(data, 4, seed=7)
        loader = DataLoader(data, batch_size=4, sampler=sampler, num_workers=workers)
        print("until it is interrupted")
        run(loader, sampler)
        run(loader, sampler, stop=2)
        file = io.BytesIO()
        torch.save({"sampler": sampler.state_dict(), "rng": torch.get_rng_state()}, file)
        file.seek(0)
        state = torch.load(file)
        print("after", state["sampler"])
        sampler = Resumable(data, 4, seed=7)
        sampler.load_state_dict(state["sampler"])
        torch.set_rng_state(state["rng"])
        loader = DataLoader(data, batch_size=4, sampler=sampler, num_workers=workers)
        run(loader, sampler)
        run(loader, sampler, stop=1)

    print("by the generator's state")
    generator = torch.Generator().manual_seed(5)
    loader = DataLoader(
        data, batch_size=5, sampler=RandomSampler(data, generator=generator), generator=generator
    )
    state = generator.get_state()
    first = [batch.tolist() for (batch,) in loader]
    generator.set_state(state)
    print(
        first,
        first == [batch.tolist() for (batch,) in loader],
        first == [batch.tolist() for (batch,) in loader],
    )

    print("two processes")
    for epoch in range(2):
        for rank in range(2):
            sampler = DistributedSampler(data, num_replicas=2, rank=rank, seed=3)
            sampler.set_epoch(epoch)
            print(
                epoch, rank, [batch.tolist() for (batch,) in DataLoader(data, batch_size=4, sampler=sampler)]
            )


if __name__ == "__main__":
    torch.manual_seed(5)
    main()
