"""The table and the JSON file."""

import dataclasses
import json
import os
import platform

NAME_WIDTH = 62


@dataclasses.dataclass(frozen=True)
class Row:
    """A benchmark and what came of it: a Measurement, or the words of the error."""

    benchmark: object
    measurement: object = None
    error: str = ""

    @property
    def verdict(self):
        """Whether the bar was met; None where there was nothing to judge by."""
        if self.error or not self.measurement.agrees:
            return False
        found = {name: self.measurement.ratio_in(name) for name in self.benchmark.bars}
        judged = [(found[name], bar) for name, bar in self.benchmark.bars.items() if found[name] is not None]
        if self.benchmark.bar is not None and self.measurement.ratio is not None:
            judged.append((self.measurement.ratio, self.benchmark.bar))
        return all(found <= bar for found, bar in judged) if judged else None

    @property
    def unjudged(self):
        """Whether there is a bar but nothing to compare with it, PyTorch not being installed."""
        return self.benchmark.bar is not None and self.verdict is None


def amount(value, unit):
    """A value in a unit that suits its size."""
    if value is None:
        return "-"
    if unit == "s":
        for factor, symbol in ((1e6, "us"), (1e3, "ms")):
            if value * factor < 1000:
                return f"{value * factor:.3g} {symbol}"
        return f"{value:.3g} s"
    if unit == "bytes":
        return f"{value / 1024:,.1f} kB"
    return f"{value:,} {unit}".rstrip()


def ratio(value):
    return "" if value is None else f"{value:.3f}"


def head(target, reference, more=()):
    """The table's first line; ``more`` are the names of the settings after the first."""
    columns = f"{target:>12} {reference:>12} {'ratio':>7} {'median':>7} {'quartiles':>10} {'bar':>6}"
    further = "".join(f" {name:>12}" for name in more)
    return f"{'':{NAME_WIDTH}} {columns}{further}"


def line(row, more=()):
    """The table's line for one benchmark, with the ratios, and the bars after a stroke, in the settings after the first."""
    benchmark, found = row.benchmark, row.measurement
    name = f"  {benchmark.name:{NAME_WIDTH - 2}}"
    if row.error:
        return f"{name} {row.error}"
    spread = "" if found.low is None else f"{found.low:.2f}-{found.high:.2f}"
    verdict = {None: "", True: "pass", False: "FAIL"}[row.verdict]
    note = f"  ({found.note})" if found.note else ""
    target, reference = amount(found.target, benchmark.unit), amount(found.reference, benchmark.unit)
    columns = (
        f"{target:>12} {reference:>12} {ratio(found.ratio):>7} {ratio(found.median):>7} {spread:>10} "
        f"{ratio(benchmark.bar):>6}"
    )
    for setting in more:
        bar = f"/{benchmark.bars[setting]:.2f}" if setting in benchmark.bars else ""
        columns += f" {ratio(found.ratio_in(setting)) + bar:>12}"
    columns += f"  {verdict}"
    return f"{name} {columns}{note}".rstrip()


def summary(rows):
    """The table's last line."""
    verdicts = [row.verdict for row in rows]
    met, failed = verdicts.count(True), verdicts.count(False)
    unjudged = sum(row.unjudged for row in rows)
    words = f"{met} bars met, {failed} failed, {unjudged} not judged, of {len(rows)} rows"
    missed = [row.benchmark.path for row in rows if row.verdict is False]
    return "\n".join([words, *(f"  failed: {path}" for path in missed)])


def machine(session, numpy_version):
    """Where the numbers come from."""
    versions = {library.__name__: library.__version__ for library in session.libraries}
    return {
        "python": platform.python_version(),
        "numpy": numpy_version,
        "libraries": versions,
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "settings": [setting.name for setting in session.settings],
        "rounds": session.rounds,
        "quick": session.quick,
    }


def ratios(path):
    """The ratios in a file that ``write`` wrote, by the benchmarks' names."""
    with open(path, encoding="utf-8") as file:
        results = json.load(file)["results"]
    return {f"{each['subject']}: {each['name']}": each["ratio"] for each in results if each.get("ratio")}


def write(path, rows, where):
    """Write all of it to ``path`` as JSON; times are in seconds."""
    results = [
        {
            "subject": row.benchmark.subject,
            "name": row.benchmark.name,
            "unit": row.benchmark.unit,
            "bar": row.benchmark.bar,
            "passed": row.verdict,
            "error": row.error,
            **(dataclasses.asdict(row.measurement) if row.measurement else {}),
        }
        for row in rows
    ]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"machine": where, "results": results}, file, indent=2)
        file.write("\n")
