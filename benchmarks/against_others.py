"""Other libraries beside minigrad and PyTorch: ``python -m benchmarks --others``."""

import json
import os
import time

from benchmarks import others, registry
from benchmarks.runner import Runner

#: Seconds that a library may take to make a program ready and run it once or twice; one that takes longer is left out.
READY = 60.0


def measure(session, wanted):
    """Seconds for one run: for each program that ``wanted``, a pattern, finds, and each setting, for each library; words where there is none."""
    modules = others.installed()
    for name in others.LIBRARIES:
        if name not in modules:
            print(f"{name} is not installed: left out")
    found = {}
    for setting in session.settings:
        print(f"setting {setting.name}", flush=True)
        for program in filter(wanted.search, others.PROGRAMS):
            found.setdefault(program, {})[setting.name] = times = race(session, setting, program, modules)
            print(f"  {program}", flush=True)
            for library, seconds in times.items():
                print(
                    f"    {library:<15} {seconds if isinstance(seconds, str) else f'{seconds:.4g} s'}",
                    flush=True,
                )
    return found


def race(session, setting, program, modules):
    """The best seconds of each library, or words; each has a process of its own."""
    times, ready = {}, {}
    runners = dict(zip([library.__name__ for library in session.libraries], session.runners_in(setting)))
    right = None
    try:
        for name, module in modules.items():
            runners[name] = Runner(module, setting.threads)
            if setting.threads == 1 and hasattr(
                os, "sched_setaffinity"
            ):  # not all of them ask how many threads they may have
                os.sched_setaffinity(runners[name].process.pid, {max(os.sched_getaffinity(0))})
        for library, runner in runners.items():
            try:
                if program not in runner.ask("can", seconds=READY):
                    times[library] = "cannot run it"
                    continue
                answer = runner.ask("set_up", program, seconds=READY)
                right = answer if right is None else right
                times[library] = registry.difference(right, answer) or None
                if times[library] is None:
                    ready[library] = runner.ask("repeats", 0.025, seconds=READY)
            except (RuntimeError, OSError) as error:
                times[library] = str(error)
        with registry.beside(setting.busy):
            for _ in range(session.rounds):
                for library, repeats in ready.items():
                    time.sleep(setting.rest)
                    seconds = runners[library].ask("sample", repeats)
                    times[library] = min(seconds, times[library] or seconds)
    finally:
        for name in modules:
            if name in runners:
                runners[name].close()
    return times


def write(file, found, where):
    """Write what ``measure`` found, and of which machine, as JSON."""
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"machine": where, "programs": found}, out, indent=1)
        out.write("\n")
