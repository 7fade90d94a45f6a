"""Time data loaders with two worker processes under one library.

``python -m benchmarks.loaders minigrad first`` prints seconds as JSON.  It is alone in its process because what forking costs depends on
all that is mapped there, and another library is a lot.
"""

import argparse
import importlib
import json
import time

import numpy as np


def first_batch(torch, data):
    """Seconds from making a loader over 60,000 rows until two forked workers have given its first batch; they end outside of the time."""
    rows = data.TensorDataset(torch.ones(60_000, 784), torch.arange(60_000) % 10)

    def run():
        start = time.perf_counter()
        iterator = iter(data.DataLoader(rows, 64, num_workers=2, multiprocessing_context="fork"))
        images, _ = next(iterator)
        passed = time.perf_counter() - start
        return passed, images.sum().item()

    return run


def epoch(torch, data):
    """Seconds of an epoch of images that two workers compute in NumPy."""

    class Images(data.Dataset):
        def __len__(self):
            return 64 * 16

        def __getitem__(self, i):
            image = np.random.default_rng(i).standard_normal((64, 64), np.float32)
            return np.tanh(image @ image.T / 8), i % 10

    loader = data.DataLoader(Images(), batch_size=16, num_workers=2, multiprocessing_context="fork")

    def run():
        start = time.perf_counter()
        batches = [images for images, _ in loader]
        passed = time.perf_counter() - start
        return passed, sum(images.sum().item() for images in batches)

    return run


QUESTIONS = {"first": first_batch, "epoch": epoch}


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loaders", description=__doc__.splitlines()[0])
    parser.add_argument("library", help="the module to import, such as minigrad")
    parser.add_argument("question", choices=QUESTIONS, help="what to time")
    parser.add_argument("--repeats", type=int, default=5, help="how often (default 5)")
    options = parser.parse_args()
    torch = importlib.import_module(options.library)
    run = QUESTIONS[options.question](torch, importlib.import_module(f"{options.library}.utils.data"))
    _, result = run()
    seconds = [run()[0] for _ in range(options.repeats)]
    print(json.dumps({"seconds": min(seconds), "result": result}))


if __name__ == "__main__":
    main()
