"""Times of one machine beside the published ones: ``python -m minigrad bench``."""

import importlib
import json
from pathlib import Path

from benchmarks import cases, registry, report
from benchmarks.headlines import HEADLINES, geometric_mean
from benchmarks.run import measure

PUBLISHED = Path(__file__).parent / "measured" / "headlines.json"
HEAD = f"{'':32} {'here':>10} {'published':>10} {'factor':>7}   {'to PyTorch':>10} {'published':>10}"


def published():
    """The machine's description, and the rows by path, of the table in ``docs/explanation/performance.md``."""
    found = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return found["machine"], {f"{row['subject']}: {row['name']}": row for row in found["results"]}


def line(title, row, before):
    """One line of the table: our time here and there, and the ratios to PyTorch's where it is installed."""
    if row.error:
        return f"{title:32} {row.error}"
    now = row.measurement
    times = f"{report.amount(now.target, 's'):>10} {report.amount(before['target'], 's'):>10} {now.target / before['target']:>7.2f}"
    return f"{title:32} {times}   {report.ratio(now.ratio) or '-':>10} {report.ratio(before['ratio']):>10}"


def main(paths=HEADLINES):
    """Measure rows of the headlines on one thread, print each as it is done; returns 1 if one of them failed."""
    try:
        reference = importlib.import_module("torch")
    except ModuleNotFoundError:
        reference = None
    session = registry.Session(importlib.import_module("minigrad"), reference, 3, True, registry.SETTINGS[:1])
    machine, before = published()
    here = report.machine(session, importlib.import_module("numpy").__version__)
    for name, where in (("here", here), ("published", machine)):
        libraries = ", ".join(" ".join(pair) for pair in where["libraries"].items())
        print(
            f"{name:10} {libraries}, NumPy {where['numpy']}, Python {where['python']}, {where['processors']} processors, {where['platform']}"
        )
    print(f"\nOne thread. A factor above 1: slower here.\n{HEAD}")
    benchmarks = {each.path: each for subject in cases.subjects() for each in subject.benchmarks}
    rows = []
    try:
        for path in paths:
            rows.append(measure(benchmarks[path], session))
            print(line(HEADLINES[path], rows[-1], before[path]), flush=True)
    finally:
        session.close()
    done = [row for row in rows if not row.error]
    if done:
        factors = [row.measurement.target / before[row.benchmark.path]["target"] for row in done]
        print(f"{'geometric mean':32} {'':21} {geometric_mean(factors):>7.2f}")
    return int(len(done) < len(rows))
