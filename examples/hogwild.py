"""Hogwild: several processes train one network at the same time, without locks.

They share its parameters.  Each reads them, computes the gradient of a batch of its own, and writes its step into them, whatever the others are writing at that moment.
The data are scikit-learn's 1,797 digits of 8 x 8 pixels, shifted at random.

    python examples/hogwild.py

It trains a convolutional network by one process and by two, with the same number of steps in all, and prints times and accuracies.
"""

import argparse
import time

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm.auto import tqdm

import minigrad as torch
import minigrad.multiprocessing as mp
import minigrad.nn.functional as F
from minigrad import nn


def load():
    """Images (n, 1, 8, 8) with pixels in [0, 1], and labels; three quarters to train on, one quarter held out."""
    digits = load_digits()
    images = torch.tensor(digits.images / 16, dtype=torch.float32).unsqueeze(1)
    labels = torch.tensor(digits.target)
    chosen = train_test_split(range(len(labels)), random_state=0, stratify=digits.target)
    train, test = (torch.tensor(rows) for rows in chosen)
    return (images[train], labels[train]), (images[test], labels[test])


def network():
    """Two convolutions, one at full and one at half size, ten classes."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(128, 10),
    )


def shifted(images):
    """The images of a batch, moved together by at most one pixel in each direction."""
    down, right = torch.randint(3, (2,)).tolist()
    return F.pad(images, (1, 1, 1, 1))[:, :, down : down + 8, right : right + 8]


def work(i, model, images, labels, steps, done, batch=32):
    """Train the model that all processes share for some steps, which are counted in ``done[i]``."""
    torch.set_num_threads(1)
    torch.manual_seed(i)  # or each would draw the same batches
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(steps):
        rows = torch.randint(len(labels), (batch,))
        loss = F.cross_entropy(model(shifted(images[rows])), labels[rows])
        optimizer.zero_grad()  # gradients are each process's own
        loss.backward()
        optimizer.step()
        done[i] = step + 1


def train(processes, images, labels, steps):
    """Train a new network by so many processes, ``steps`` steps in all: the network, and the seconds that it took."""
    torch.manual_seed(0)
    model = network().share_memory()
    images, labels = images.share_memory_(), labels.share_memory_()
    done = torch.zeros(processes, dtype=torch.int64).share_memory_()
    method = "fork" if "fork" in mp.get_all_start_methods() else "spawn"
    arguments = model, images, labels, steps // processes, done
    running = mp.start_processes(work, arguments, nprocs=processes, join=False, start_method=method)
    while not done.any() and not running.join(timeout=0.01):
        pass  # spawned processes are importing
    start = time.perf_counter()
    name = "one process" if processes == 1 else f"{processes} processes"
    with tqdm(total=steps, desc=name, unit="step") as progress:
        ended = False
        while not ended:
            ended = running.join(timeout=0.05)
            progress.update(done.sum().item() - progress.n)
    return model, time.perf_counter() - start


@torch.no_grad()
def accuracy(model, images, labels):
    """The share of images that the network reads rightly."""
    return (model(images).argmax(1) == labels).float().mean().item()


def main():
    parser = argparse.ArgumentParser(description="Train one network by several processes at the same time.")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--steps", type=int, default=4000, help="steps of all processes together")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    steps = 1200 if options.quick else options.steps

    (images, labels), held_out = load()
    print(f"{sum(p.numel() for p in network().parameters()):,} parameters, {steps} steps")
    seconds, found = {}, {}
    for processes in (1, options.processes):
        model, seconds[processes] = train(processes, images, labels, steps)
        found[processes] = accuracy(model, *held_out)
        print(f"{seconds[processes]:.2f} s, held-out accuracy: {found[processes]:.4f}")
    print(
        f"{options.processes} processes are {seconds[1] / seconds[options.processes]:.2f} times as fast as one"
    )
    if min(found.values()) < (0.8 if options.quick else 0.97):
        raise SystemExit("the network has learnt too little")


if __name__ == "__main__":
    main()
