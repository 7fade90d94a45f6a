"""Send tensors to a forked process under one library: the time until the answer is back, and the memory that both then have.

``python -m benchmarks.sent_tensors minigrad large`` prints JSON.  It is alone in its process because it forks.
"""

import argparse
import importlib
import json
import sys
import time

MEGABYTE = 1 << 20


def own_memory():
    """The memory of this process in bytes, of what it shares its part; None where the system does not tell."""
    try:
        with open("/proc/self/smaps_rollup") as lines:
            return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
    except OSError:
        return None


def glimpse(tensor):
    """The sum of one element of each page: what is timed is the way there, not a sum."""
    return float(tensor.flatten()[::1024].sum())


def answer(there, back):
    """What the other process does: it says what it sees of each tensor, and with the last ones in hand how much memory it has."""
    for tensors in iter(there.get, None):
        back.put([glimpse(tensor) for tensor in tensors] if tensors else own_memory())
        if tensors:
            held = tensors  # until others come
    del held


def seconds(there, back, make):
    """How long it takes to send tensors and to hear what is seen of them."""
    tensors = make()
    expected = [glimpse(tensor) for tensor in tensors]
    start = time.perf_counter()
    there.put(tensors)
    found = back.get()
    taken = time.perf_counter() - start
    if found != expected:
        raise ArithmeticError(f"{found[:3]} is seen, not {expected[:3]}")
    return taken


def memory(there, back, make):
    """By how much the memory of both processes grows when they have the tensors, in bytes."""
    there.put([])
    before = back.get() + own_memory()
    tensors = make()
    there.put(tensors)
    if back.get() != [glimpse(tensor) for tensor in tensors]:
        raise ArithmeticError("something else is seen")
    there.put([])
    return back.get() + own_memory() - before


def main():
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.sent_tensors", description=__doc__.splitlines()[0]
    )
    parser.add_argument("library", help="the module to import, such as minigrad")
    parser.add_argument("question", choices=("large", "small", "memory"), help="what to find out")
    parser.add_argument("--samples", type=int, default=15, help="how often to send (default 15)")
    options = parser.parse_args()
    torch = importlib.import_module(options.library)
    context = importlib.import_module(f"{options.library}.multiprocessing").get_context("fork")
    there, back = context.Queue(), context.Queue()
    process = context.Process(target=answer, args=(there, back))
    process.start()

    def large():
        return [torch.ones(25 * MEGABYTE)]  # of 4 bytes each

    def small():
        return [torch.ones(4, 4) for _ in range(20)]

    if options.question == "memory":
        found = memory(there, back, large) / (100 * MEGABYTE)
    else:
        make = large if options.question == "large" else small
        seconds(there, back, make)
        found = min(seconds(there, back, make) for _ in range(options.samples))
    there.put(None)
    process.join()
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
