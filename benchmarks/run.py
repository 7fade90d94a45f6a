"""Compare minigrad with PyTorch and print a table: ``python -m benchmarks`` (see README.md)."""

import argparse
import dataclasses
import importlib
import math
import re
import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from benchmarks import against_others, cases, growth, headlines, registry, report  # noqa: E402  (found through the line above)


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
        help=f"threads, a busy loop beside, and the extra fast, of {', '.join(names)} (default all; 1,all of growth and others)",
    )
    parser.add_argument(
        "--headlines", action="store_true", help="only the rows of which the geometric mean is taken"
    )
    parser.add_argument("--growth", action="store_true", help="instead: times of programs as they grow")
    parser.add_argument(
        "--others", action="store_true", help="instead: other libraries too, where they are installed"
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
    if options.settings is None:
        options.settings = "1,all" if options.growth or options.others else ",".join(names)
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


def available(session):
    """The session without the settings that need what is not installed; says so."""
    if not any(setting.fast for setting in session.settings):
        return session
    target = session.target.__name__
    if session.runner(target, 1, fast=True).ask("is_fast"):
        return session
    print(f"{target}'s extra fast is not installed: left out are the settings with it")
    return dataclasses.replace(session, settings=tuple(s for s in session.settings if not s.fast))


SLIDE = 1.3  # how many times the recorded ratio is too much
TRIES = 3


def has_slid(row, most):
    """Whether a row failed, or its ratio is above ``most``, if there is one: that of the best times, and of most rounds as well."""
    if row.error:
        return True
    found = row.measurement
    return found.ratio is not None and min(found.ratio, found.median or found.ratio) > most


def against_recorded(path, rows, session):
    """The rows whose ratio in the first setting is far above the recorded one, however often, and each time more thoroughly, they are measured."""
    recorded = report.ratios(path)
    slid = []
    for row in rows:
        most = SLIDE * recorded.get(row.benchmark.path, math.inf)
        tries = 1
        while has_slid(row, most) and tries < TRIES:
            tries += 1
            row = measure(row.benchmark, dataclasses.replace(session, rounds=session.rounds * 2**tries))
        if has_slid(row, most):
            slid.append(row)
            words = row.error or f"{row.measurement.ratio:.3f}, more than {most:.3f}"
            print(f"  slid: {row.benchmark.path}: {words}")
    print(f"{len(slid)} of {len(rows)} ratios slid by more than {SLIDE - 1:.0%}")
    return slid


def chosen_by(options):
    """The benchmarks that are asked for, by their subjects."""
    pattern = re.compile(options.only, re.IGNORECASE)
    chosen = []
    for subject in cases.subjects():
        benchmarks = [
            each
            for each in subject.benchmarks
            if pattern.search(each.path) and (not options.headlines or each.path in headlines.HEADLINES)
        ]
        if benchmarks:
            chosen.append((subject, benchmarks))
    return chosen


def part(module, options):
    """Do a part that has figures of its own instead of rows."""
    session = available(open_session(options))
    where = report.machine(session, importlib.import_module("numpy").__version__)
    try:
        found = module.measure(session, re.compile(options.only, re.IGNORECASE))
    finally:
        session.close()
    if options.json:
        module.write(options.json, found, where)


def main(arguments=None):
    options = parse(arguments)
    if options.growth or options.others:
        part(growth if options.growth else against_others, options)
        return
    chosen = chosen_by(options)
    if not chosen:
        sys.exit(f"no benchmark matches {options.only!r}; --list shows their names")
    if options.list:
        print("\n".join(each.path for _, benchmarks in chosen for each in benchmarks))
        return
    session = available(open_session(options))
    where = report.machine(session, importlib.import_module("numpy").__version__)
    print(", ".join(f"{key} {value}" for key, value in where.items()))
    names = [setting.name for setting in session.settings]
    print(report.head(options.target, "torch" if session.reference else "-", names[1:]))
    rows = []
    try:
        for subject, benchmarks in chosen:
            print(subject.title, flush=True)
            for benchmark in benchmarks:
                rows.append(measure(benchmark, session))
                print(report.line(rows[-1], names[1:]), flush=True)
        print(report.summary(rows))
        for name, mean in headlines.means(rows, names).items():
            print(f"geometric mean of the {len(headlines.HEADLINES)} headlines, {name}: {mean:.3f}")
        slid = against_recorded(options.against, rows, session) if options.against else []
    finally:
        session.close()
    if options.json:
        report.write(options.json, rows, where)
    if slid or (options.check and any(row.verdict is False or row.unjudged for row in rows)):
        sys.exit(1)


if __name__ == "__main__":
    main()
