"""Compare minigrad with PyTorch and print a table: ``python -m benchmarks`` (see README.md)."""

import argparse
import gc
import importlib
import os
import re
import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from benchmarks import cases, registry, report  # noqa: E402  (found through the line above)
from benchmarks.subprocesses import THREAD_VARIABLES  # noqa: E402


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Time minigrad against PyTorch."
    )
    parser.add_argument(
        "--only", metavar="PATTERN", default="", help="a regular expression for 'subject: name'"
    )
    parser.add_argument("--rounds", type=int, help="rounds of A B B A per benchmark (default 10, quick 3)")
    parser.add_argument("--threads", type=int, default=1, help="threads for both libraries (default 1)")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and shorter samples")
    parser.add_argument("--json", metavar="FILE", help="also write the results there")
    parser.add_argument(
        "--check", action="store_true", help="exit with 1 if a bar is missed or cannot be judged"
    )
    parser.add_argument("--list", action="store_true", help="print the benchmarks' names and stop")
    parser.add_argument("--target", default="minigrad", help="the module under test (default minigrad)")
    options = parser.parse_args(arguments)
    if options.threads < 1 or (options.rounds is not None and options.rounds < 1):
        parser.error("--threads and --rounds take a positive number")
    if options.rounds is None:
        options.rounds = 3 if options.quick else 10
    return options


def hold_threads(count):
    """Hold the libraries' thread pools to ``count`` threads; called before any of them is imported."""
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(count)))
    if count > 1:
        # Spinning threads wait for a core that another pool has: 0.8 ms became 120.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def open_session(options):
    """Import both libraries, each held to the same number of threads."""
    target = importlib.import_module(options.target)
    try:
        reference = importlib.import_module("torch")
    except ModuleNotFoundError:
        reference = None
        print("PyTorch is not installed: no ratios to it")
    session = registry.Session(target, reference, options.rounds, options.quick, options.threads)
    for library in session.libraries:
        library.set_num_threads(options.threads)
    return session


def measure(benchmark, session):
    """The benchmark's row; an error in one benchmark is a line of the table and not the end of it."""
    try:
        return report.Row(benchmark, benchmark.measure(session))
    except Exception as error:
        words = str(error).strip().partition("\n")[0]
        return report.Row(benchmark, error=f"{type(error).__name__}: {words}")


def main(arguments=None):
    options = parse(arguments)
    hold_threads(options.threads)
    cases.load()
    chosen = [
        (subject, benchmarks)
        for subject in registry.subjects
        if (
            benchmarks := [
                each for each in subject.benchmarks if re.search(options.only, each.path, re.IGNORECASE)
            ]
        )
    ]
    if not chosen:
        sys.exit(f"no benchmark matches {options.only!r}; --list shows their names")
    if options.list:
        print("\n".join(each.path for _, benchmarks in chosen for each in benchmarks))
        return
    session = open_session(options)
    where = report.machine(session, importlib.import_module("numpy").__version__)
    print(", ".join(f"{key} {value}" for key, value in where.items()))
    print(report.head(options.target, "torch" if session.reference else "-"))
    # What is alive now stays so: a collection then walks a library's own objects, not the other's modules.
    gc.collect()
    gc.freeze()
    rows = []
    for subject, benchmarks in chosen:
        print(subject.title, flush=True)
        for benchmark in benchmarks:
            rows.append(measure(benchmark, session))
            print(report.line(rows[-1]), flush=True)
    print(report.summary(rows))
    if options.json:
        report.write(options.json, rows, where)
    if options.check and any(row.verdict is False or row.unjudged for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
