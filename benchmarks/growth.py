"""How long programs take as they grow: ``python -m benchmarks --growth``."""

import functools
import json
import time

from benchmarks.cases.large_arrays import big_chain_of
from benchmarks.cases.small_graphs import operands
from benchmarks.cases.training_steps import digits_trainer, evenly, set_weights, sgd, trainer

#: Past so many seconds for one run a library is not asked about larger sizes.
LIMIT = 12.0
#: Samples of a size, each as many runs as take about ``SAMPLE`` seconds, or one.
SAMPLES, SAMPLE = 7, 0.04


def chain(torch, steps):
    """Steps of ``z = z * y + y`` on 4 elements, and their backward."""
    x, y = operands(torch)

    def run():
        y.grad = None
        z = x
        for _ in range(steps // 2):
            z = z * y + y
        z.sum().backward()
        return y.grad

    return run


def depth(torch, layers):
    """A training step of a net of so many layers of width 32, batch 32."""
    nn = torch.nn
    model = nn.Sequential(*[part for _ in range(layers) for part in (nn.Linear(32, 32), nn.Tanh())])
    set_weights(torch, model)
    x, y = evenly(torch, 32, 32), evenly(torch, 32, 32)
    return trainer(torch, model, nn.MSELoss(), sgd(torch, model.parameters()), x, y)


#: For each program: what is counted, the sizes, and the setup of one size.
PROGRAMS = {
    "chain": ("operators on 4 elements", [10**k for k in range(2, 7)], chain),
    "elements": ("elements of tanh(x*y + z) * y", [10**k for k in range(2, 8)], big_chain_of),
    "batch": ("batch of a 784-256-128-10 net", [1, 4, 16, 64, 256, 1024, 4096], digits_trainer),
    "depth": ("layers of 32 in a net", [1, 3, 10, 30, 100, 300, 1000], depth),
}


def setups():
    """For each program in each size, under its path, the function that sets it up."""
    return {
        path(name, size): functools.partial(_sized, make, size)
        for name, (_, sizes, make) in PROGRAMS.items()
        for size in sizes
    }


def path(name, size):
    return f"growth of {name}: {size}"


def _sized(make, size, torch):
    return make(torch, size)


def measure(session, wanted):
    """Seconds for one run: for each program and setting, for each library, pairs of a size and its seconds; of the paths that ``wanted``, a pattern, finds."""
    found = {}
    for name, (counted, all_sizes, _) in PROGRAMS.items():
        sizes = [size for size in all_sizes if wanted.search(path(name, size))]
        if not sizes:
            continue
        found[name] = {"counted": counted, "settings": {}}
        for setting in session.settings:
            libraries = [library.__name__ for library in session.libraries]
            print(f"{name}, {setting.name}: {counted}", flush=True)
            print(f"{'':>12} " + " ".join(f"{library:>12}" for library in libraries))
            found[name]["settings"][setting.name] = grow(session, setting, libraries, name, sizes)
    return found


def grow(session, setting, libraries, name, sizes):
    """The seconds of one program in one setting."""
    seconds = {library: [] for library in libraries}
    left = dict(zip(libraries, session.runners_in(setting)))
    for size in sizes:
        times = alternate(left, path(name, size), setting.rest)
        for library, best in times.items():
            seconds[library].append((size, best))
            if best > LIMIT:
                del left[library]
        cells = [f"{times[library]:12.3g}" if library in times else f"{'-':>12}" for library in libraries]
        print(f"{size:>12,} " + " ".join(cells), flush=True)
    return seconds


def alternate(runners, path, rest):
    """The best seconds of one run for each of ``runners``, which take samples in turn, after so much rest."""
    repeats, best = {}, {}
    for library, runner in runners.items():
        runner.ask("make_ready", path)
        repeats[library] = runner.ask("repeats", SAMPLE)
    for _ in range(SAMPLES):
        for library, runner in runners.items():
            if best.get(library, 0) < LIMIT / SAMPLES:
                time.sleep(rest)
                seconds = runner.ask("sample", repeats[library])
                best[library] = min(best.get(library, seconds), seconds)
    for runner in runners.values():
        runner.ask("drop")
    return best


def write(file, found, where):
    """Write what ``measure`` found, and of which machine, as JSON."""
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"machine": where, "programs": found}, out)
        out.write("\n")
