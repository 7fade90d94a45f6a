"""Draw the figures kept in ``measured/`` for the documentation: ``python -m benchmarks.pictures`` (needs Matplotlib)."""

import json
from pathlib import Path

import matplotlib
from matplotlib import pyplot
from matplotlib.ticker import FuncFormatter

from benchmarks.headlines import HEADLINES

HERE = Path(__file__).parent
MEASURED, IMAGES = HERE / "measured", HERE.parent / "docs" / "images"
COLOURS = {"minigrad": "#1f6fb4", "torch": "#d9662b"}
NAMES = {"minigrad": "minigrad", "torch": "PyTorch"}
STYLES = {"1": ("-", "one thread"), "all": (":", "all threads")}
MARKS = {"1": ("o", "#1f6fb4", "one thread"), "all": ("s", "#6aa9d8", "all threads"),
         "1 fast": ("o", "#2c8a4b", "one thread, with the extra fast"), "all fast": ("s", "#86c79b", "all threads, with the extra fast")}  # fmt: skip


def read(name):
    with open(MEASURED / name, encoding="utf-8") as file:
        return json.load(file)


def save(figure, name):
    """Write an SVG whose bytes depend on the figures alone."""
    figure.savefig(IMAGES / name, metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)


def growth():
    """Seconds against size, one panel for each program."""
    programs = read("growth.json")["programs"]
    figure, panels = pyplot.subplots(1, len(programs), figsize=(13, 3.2), layout="constrained")
    for panel, (name, program) in zip(panels, programs.items()):
        for setting, libraries in program["settings"].items():
            style, threads = STYLES[setting]
            for library, points in libraries.items():
                sizes, seconds = zip(*points)
                label = f"{NAMES[library]}, {threads}"
                panel.loglog(sizes, seconds, style, color=COLOURS[library], label=label, linewidth=1.4)
        panel.set_xlabel(program["counted"], fontsize=9)
        panel.set_title(name, fontsize=10)
        panel.grid(alpha=0.25, linewidth=0.5)
    panels[0].set_ylabel("seconds")
    panels[0].legend(fontsize=7.5, frameon=False)
    save(figure, "growth.svg")


def ratios():
    """The headlines' ratios to PyTorch, a mark for each setting."""
    rows = {f"{each['subject']}: {each['name']}": each for each in read("headlines.json")["results"]}
    first = read("headlines.json")["machine"]["settings"][0]
    figure, panel = pyplot.subplots(figsize=(8, 4.2), layout="constrained")
    for setting, (mark, colour, label) in MARKS.items():
        points = []
        for place, path in enumerate(reversed(HEADLINES)):
            row = rows[path]
            found = row if setting == first else row["further"].get(setting)
            if found is not None:
                points.append((found["ratio"], place))
        if points:
            panel.plot(*zip(*points), mark, color=colour, label=label, markersize=5)
    panel.set_xscale("log", base=2)
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.axvline(1, color="black", linewidth=0.8)
    panel.set_yticks(range(len(HEADLINES)), list(reversed(HEADLINES.values())), fontsize=8.5)
    panel.set_xlabel("time of minigrad / time of PyTorch")
    panel.grid(alpha=0.25, linewidth=0.5)
    panel.legend(fontsize=8, frameon=False, loc="best")
    save(figure, "ratios.svg")


def main():
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "minigrad", "font.size": 9})
    growth()
    ratios()


if __name__ == "__main__":
    main()
