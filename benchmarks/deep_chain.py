"""Time a very deep chain under one library, and watch that it is freed.

``python -m benchmarks.deep_chain minigrad times`` prints JSON.  It is alone in its process because a million
nodes and the garbage collector disturb whatever else is there.
"""

import argparse
import gc
import importlib
import json
import sys
import time
import weakref

DEPTHS = (10_000, 1_000_000)
WATCHED = 1000
#: How often the short chain is timed for each time of the long one.
SHORT_SAMPLES = 10


def build(torch, depth, watch=None):
    """A leaf of ones and the sum of ``depth`` adds of it; every so often a node goes to ``watch``."""
    x = torch.ones(4, requires_grad=True)
    z = x
    if watch is None:
        for _ in range(depth):
            z = z + x
    else:
        every = depth // WATCHED
        for step in range(depth):
            z = z + x
            if step % every == 0:
                watch(z.grad_fn)
    return x, z.sum()


def check(x, depth):
    """The gradient of the sum is known: one for each mention of x."""
    if x.grad.tolist() != [depth + 1.0] * 4:
        raise ArithmeticError(f"the gradient is {x.grad.tolist()}, not {depth + 1}")


def phases(torch, depth):
    """Seconds per op to build the chain, run it backward, and free it."""
    gc.collect()
    start = time.perf_counter()
    x, loss = build(torch, depth)
    built = time.perf_counter()
    loss.backward()
    ran = time.perf_counter()
    check(x, depth)
    dropped = time.perf_counter()
    del loss
    freed = time.perf_counter()
    return {
        "build": (built - start) / depth,
        "backward": (ran - built) / depth,
        "build and backward": (ran - start) / depth,
        "free": (freed - dropped) / depth,
    }


def best(samples):
    """The quickest of each phase."""
    return {phase: min(sample[phase] for sample in samples) for phase in samples[0]}


def alive(torch, depth, backward):
    """How many of the watched objects outlive the last name of their graph, the collector being off."""
    watched = []

    def watch(thing):
        watched.append(weakref.ref(thing))

    x, loss = build(torch, depth, watch)
    watch(x)
    watch(loss)
    if backward:
        loss.backward()
        check(x, depth)
    del x, loss
    return {"watched": len(watched), "alive": sum(reference() is not None for reference in watched)}


def times(torch, repeats):
    """The best of each phase at both depths, with the collector on and off, taken in turn."""
    switches = {"on": gc.enable, "off": gc.disable}
    samples = {collector: {depth: [] for depth in DEPTHS} for collector in switches}
    for _ in range(repeats):
        for collector, switch in switches.items():
            switch()
            for depth in DEPTHS:
                for _ in range(SHORT_SAMPLES if depth == min(DEPTHS) else 1):
                    samples[collector][depth].append(phases(torch, depth))
    return {
        collector: {depth: best(found) for depth, found in depths.items()}
        for collector, depths in samples.items()
    }


def survivors(torch):
    """What outlives graphs that were dropped after a backward, and before one."""
    gc.disable()
    depth = max(DEPTHS)
    return {
        "after backward": alive(torch, depth, backward=True),
        "without backward": alive(torch, depth, backward=False),
    }


def main():
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.deep_chain", description=__doc__.splitlines()[0]
    )
    parser.add_argument("library", help="the module to import, such as minigrad")
    parser.add_argument("question", choices=("times", "survivors"), help="what to find out")
    parser.add_argument("--repeats", type=int, default=3, help="how often to time the long chain (default 3)")
    options = parser.parse_args()
    torch = importlib.import_module(options.library)
    torch.set_num_threads(1)
    found = times(torch, options.repeats) if options.question == "times" else survivors(torch)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
