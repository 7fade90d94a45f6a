"""Compare minigrad with PyTorch and print a table: ``python -m benchmarks`` (see README.md)."""

import argparse
import importlib
import math
import re
import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from benchmarks import cases, registry, report  # noqa: E402  (found through the line above)


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Time minigrad against PyTorch."
    )
    parser.add_argument(
        "--only", metavar="PATTERN", default="", help="a regular expression for 'subject: name'"
    )
    parser.add_argument("--rounds", type=int, help="rounds of A B B A per benchmark (default 10, quick 3)")
    names = [setting.name for setting in registry.SETTINGS]
    parser.add_argument(
        "--settings",
        default=",".join(names),
        help=f"threads, and a busy loop beside, of {', '.join(names)} (default all)",
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and shorter samples")
    parser.add_argument("--json", metavar="FILE", help="also write the results there")
    parser.add_argument(
        "--against",
        metavar="FILE",
        help="exit with 1 if a ratio is more than 30 %% above the one in this file, written by --json, three times in a row",
    )
    parser.add_argument(
        "--check", action="store_true", help="exit with 1 if a bar is missed or cannot be judged"
    )
    parser.add_argument("--list", action="store_true", help="print the benchmarks' names and stop")
    parser.add_argument("--target", default="minigrad", help="the module under test (default minigrad)")
    options = parser.parse_args(arguments)
    if options.rounds is not None and options.rounds < 1:
        parser.error("--rounds takes a positive number")
    wanted = [name.strip() for name in options.settings.split(",")]
    if not set(wanted) <= set(names):
        parser.error(f"--settings takes {', '.join(names)}, separated by commas")
    options.settings = tuple(setting for setting in registry.SETTINGS if setting.name in wanted)
    if options.rounds is None:
        options.rounds = 3 if options.quick else 10
    return options


def open_session(options):
    """Import both libraries, of which only what is no time is asked here: what is timed has processes of its own."""
    target = importlib.import_module(options.target)
    try:
        reference = importlib.import_module("torch")
    except ModuleNotFoundError:
        reference = None
        print("PyTorch is not installed: no ratios to it")
    return registry.Session(target, reference, options.rounds, options.quick, options.settings)


def measure(benchmark, session):
    """The benchmark's row; an error in one benchmark is a line of the table and not the end of it."""
    try:
        return report.Row(benchmark, benchmark.measure(session))
    except Exception as error:
        words = str(error).strip().partition("\n")[0]
        return report.Row(benchmark, error=f"{type(error).__name__}: {words}")


SLIDE = 1.3  # how many times the recorded ratio is too much
TRIES = 3


def has_slid(row, most):
    """Whether a row failed or its ratio, if there is one, is above ``most``."""
    return bool(row.error) or (row.measurement.ratio is not None and row.measurement.ratio > most)


def against_recorded(path, rows, session):
    """The rows whose ratio in the first setting is far above the recorded one, however often they are measured."""
    recorded = report.ratios(path)
    slid = []
    for row in rows:
        most = SLIDE * recorded.get(row.benchmark.path, math.inf)
        tries = 1
        while has_slid(row, most) and tries < TRIES:
            tries += 1
            row = measure(row.benchmark, session)
        if has_slid(row, most):
            slid.append(row)
            words = row.error or f"{row.measurement.ratio:.3f}, more than {most:.3f}"
            print(f"  slid: {row.benchmark.path}: {words}")
    print(f"{len(slid)} of {len(rows)} ratios slid by more than {SLIDE - 1:.0%}")
    return slid


def main(arguments=None):
    options = parse(arguments)
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
    more = [setting.name for setting in options.settings[1:]]
    print(report.head(options.target, "torch" if session.reference else "-", more))
    rows = []
    try:
        for subject, benchmarks in chosen:
            print(subject.title, flush=True)
            for benchmark in benchmarks:
                rows.append(measure(benchmark, session))
                print(report.line(rows[-1], more), flush=True)
        print(report.summary(rows))
        slid = against_recorded(options.against, rows, session) if options.against else []
    finally:
        session.close()
    if options.json:
        report.write(options.json, rows, where)
    if slid or (options.check and any(row.verdict is False or row.unjudged for row in rows)):
        sys.exit(1)


if __name__ == "__main__":
    main()
