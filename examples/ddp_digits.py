"""Train one network in several processes, each with its part of the digits, and go on from the last checkpoint when one of them dies.

    python examples/ddp_digits.py

starts itself in two processes (with mpi4py and an MPI installed: the extra ``mpi``; without, it runs in one), trains, and prints the accuracy on digits that no
process has seen.  By hand, with more processes, and with two more starts if one fails:

    python -m minigrad.distributed.run --nproc-per-node 4 --max-restarts 2 examples/ddp_digits.py

Kill one of the processes meanwhile: the run starts again where the last checkpoint in ``out/`` was.  Two halves of a batch take half the time of the
batch where the processes have cores of their own.
"""

import argparse
import os
import sys
from pathlib import Path

from sklearn.datasets import load_digits

import minigrad as torch
from minigrad import distributed as dist
from minigrad import nn
from minigrad.nn.parallel import DistributedDataParallel
from minigrad.utils.data import DataLoader, TensorDataset
from minigrad.utils.data.distributed import DistributedSampler


def load():
    """Images of 64 numbers in [0, 1], and labels; every fifth is held out."""
    digits = load_digits()
    images, labels = torch.tensor(digits.data / 16, dtype=torch.float32), torch.tensor(digits.target)
    held_out = torch.arange(len(labels)) % 5 == 0
    return (images[~held_out], labels[~held_out]), (images[held_out], labels[held_out])


def train(epochs, checkpoint, batch=64):
    """Each process takes its share of every batch; their gradients are averaged while backward runs."""
    rank, size = dist.get_rank(), dist.get_world_size()
    training, held_out = load()
    model = DistributedDataParallel(nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10)))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    sampler = DistributedSampler(TensorDataset(*training), seed=1)
    loader = DataLoader(sampler.dataset, batch // size, sampler=sampler)
    first = 0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        first = state["epoch"] + 1
        if rank == 0:
            print(f"goes on with epoch {first}", flush=True)
    for epoch in range(first, epochs):
        sampler.set_epoch(epoch)  # another order, the same in all processes
        for images, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()
        dist.all_reduce(mean := loss.detach(), op=dist.ReduceOp.AVG)
        if rank == 0:
            print(f"epoch {epoch}: loss {mean:.4f}", flush=True)
            state = {"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(state, f"{checkpoint}.new")
            os.replace(f"{checkpoint}.new", checkpoint)  # whoever dies here leaves the old one or the new one
    right = (model(held_out[0]).argmax(1) == held_out[1]).double().mean()
    if rank == 0:
        print(f"{size} processes, accuracy on new digits: {right:.1%}", flush=True)
        checkpoint.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="train for three epochs only")
    parser.add_argument("--epochs", type=int, default=20)
    arguments = parser.parse_args()
    if "RANK" not in os.environ and dist.is_available():  # started by hand
        from minigrad.distributed import run

        return run.main(["--nproc-per-node", "2", *sys.argv])
    alone = {} if dist.is_available() else {"rank": 0, "world_size": 1, "store": dist.HashStore()}
    dist.init_process_group("gloo", **alone)
    torch.manual_seed(0)
    checkpoint = Path("out/ddp_digits.pt")
    checkpoint.parent.mkdir(exist_ok=True)
    train(3 if arguments.quick else arguments.epochs, checkpoint)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
