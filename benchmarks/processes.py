"""Times of several processes: all_reduce and steps of DistributedDataParallel beside PyTorch's gloo, and what more ranks would take.

python benchmarks/processes.py          # needs mpi4py, an MPI and PyTorch; two ranks with a thread each, about a minute
python benchmarks/processes.py --model  # only what is computed, from the figures in this file

The first prints what was measured here.  The second computes: the time of a step is that of its computation, and of the part of the communication that
backward does not hide; an all_reduce of S bytes over n ranks takes 2 * ceil(log2 n) * latency + 2 * (n - 1) / n * S / bandwidth.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time

SIZES = (4, 1 << 10, 1 << 16, 1 << 20, 10 << 20, 100 << 20)
#: Of the step that is computed: a perceptron 784-1024-1024-10 with 256 images for each rank, in seconds, as measured alone; and its gradients, in bytes.
STEP, BACKWARD, GRADIENTS = 0.0234, 0.0138, 4 * (784 * 1024 + 1024 + 1024 * 1024 + 1024 + 1024 * 10 + 10)
#: What one rank does for each step whatever the number of ranks: hooks, copies into buckets, additions; measured with messages within a machine, less their time.
OVERHEAD = 0.002
#: Messages within this machine, by latency in seconds and bandwidth of a rank in bytes a second: fitted to what was measured with two ranks, up to 10 MB.
MACHINE = 6e-6, 9.5e9
#: Networks, likewise: assumptions.
NETWORKS = {
    "100 Gbit/s, 2 us": (2e-6, 11e9),
    "25 Gbit/s Ethernet, 20 us": (20e-6, 2.8e9),
    "1 Gbit/s Ethernet, 50 us": (50e-6, 0.115e9),
}


def all_reduce_time(ranks, size, latency, bandwidth):
    """Seconds for an all_reduce, by the formula above."""
    return (
        2 * math.ceil(math.log2(ranks)) * latency + 2 * (ranks - 1) / ranks * size / bandwidth
        if ranks > 1
        else 0.0
    )


def step_time(ranks, latency, bandwidth):
    """Seconds for a step: the last bucket, of a megabyte at most, cannot hide behind backward, nor can what is longer than that."""
    if ranks == 1:
        return STEP
    whole = all_reduce_time(ranks, GRADIENTS, latency, bandwidth)
    last = all_reduce_time(ranks, min(GRADIENTS, 1 << 20), latency, bandwidth)
    return STEP + OVERHEAD + last + max(0.0, whole - last - BACKWARD)


def print_model():
    fitted = ", ".join(f"{size}: {all_reduce_time(2, size, *MACHINE) * 1e3:.3f}" for size in SIZES)
    print(f"computed: all_reduce of so many bytes between two ranks of this machine, in ms: {fitted}")
    print("computed: images a second, as a share of n times those of one rank")
    counts = (2, 8, 64, 512, 4096)
    print(f"{'network':34}" + "".join(f"{n:>8}" for n in counts))
    for name, (latency, bandwidth) in NETWORKS.items():
        print(f"{name:34}" + "".join(f"{STEP / step_time(n, latency, bandwidth):8.2f}" for n in counts))


def measure(times=12):
    """What a rank does: prints a line of JSON on rank 0."""
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    alone = "RANK" not in os.environ
    if not alone:
        dist.init_process_group("gloo")
    found = {}
    if not alone:
        for size in SIZES:
            x = torch.ones(size // 4)
            found[f"all_reduce of {size} B"] = median(
                lambda x=x: dist.all_reduce(x), dist.barrier, times * (1 if size > 1 << 20 else 8)
            )
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Linear(784, 1024),
        torch.nn.ReLU(),
        torch.nn.Linear(1024, 1024),
        torch.nn.ReLU(),
        torch.nn.Linear(1024, 10),
    )
    if not alone:
        model = torch.nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for batch in (64, 256):
        x, y = torch.randn(batch, 784), torch.randint(0, 10, (batch,))

        def step(x=x, y=y):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()

        found[f"step with {batch} images a rank"] = median(
            step, (lambda: None) if alone else dist.barrier, times * 2
        )
    if alone or dist.get_rank() == 0:
        print(json.dumps(found), flush=True)


def median(run, before, times):
    taken = []
    for _ in range(times):
        before()
        begin = time.perf_counter()
        run()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


def run(*words):
    """The figures that a command prints."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *words, __file__, "--measure"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def print_measured(rounds):
    commands = {
        "minigrad": ("-m", "minigrad.distributed.run", "--nproc-per-node", "2"),
        "PyTorch": ("-m", "torch.distributed.run", "--nproc-per-node", "2"),
        "minigrad alone": ("-m", "minigrad"),
    }
    every = {name: [] for name in commands}
    for _ in range(rounds):
        for name, words in commands.items():
            every[name].append(run(*words))
    middle = {
        name: {key: statistics.median(r[key] for r in runs) for key in runs[0]}
        for name, runs in every.items()
    }
    print(f"{'measured, 2 ranks, ms':34}{'minigrad':>10}{'PyTorch':>10}{'ratio':>8}{'alone':>10}{'ratio':>8}")
    for key, ours in middle["minigrad"].items():
        theirs, alone = middle["PyTorch"][key], middle["minigrad alone"].get(key)
        line = f"{key:34}{ours * 1e3:10.3f}{theirs * 1e3:10.3f}{ours / theirs:8.2f}"
        print(line + (f"{alone * 1e3:10.3f}{ours / alone:8.2f}" if alone else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", action="store_true", help="only compute")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        return measure()
    if not arguments.model:
        print_measured(arguments.rounds)
    print_model()


if __name__ == "__main__":
    main()
