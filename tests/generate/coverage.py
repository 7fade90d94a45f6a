"""Writes the page that says what works of each operator: ``docs/coverage/operators.md``.

python -m tests.generate.coverage            writes the page (two minutes)
python -m tests.generate.coverage exp where  calls these operators only, and keeps the other lines
python -m tests.generate.coverage --check    fails if the page is not up to date

Each mark is what ``tests/operators/capabilities.py`` found by calling the operator.  It needs the extras test and special.
"""

import collections
import importlib
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/coverage/operators.md"
#: How a state looks on the page.
MARKS = {"yes": "✓", "part": "part", "loop": "loop", "no": "✗", "none": ""}
#: How subjects are called that have no word as a name.
TITLES = {"fft": "FFT", "linalg": "Linear algebra", "matmul": "Matrix products", "neural": "Neural networks"}
#: The columns that a row of the table without gradients says nothing about if another row of the operator has them.
DERIVATIVES = ("backward", "double backward", "forward mode")

INTRODUCTION = """\
<!-- Written by `python -m tests.generate.coverage`: do not edit. -->

# Operators

What works for each of minigrad's {total} operators. Every mark is the result of calls: random operands of several shapes and memory layouts, from the table of operators that the tests use.

| column | a ✓ means |
|---|---|
| forward | The result agrees with a reference: NumPy's, where there is one, or else minigrad's own for contiguous operands in double precision. |
| bool, integer, half, float, complex | The operator accepts the dtypes: `bool`; `uint8` and `int8` to `int64`; `float16` and `bfloat16`; `float32` and `float64`; `complex64` and `complex128`. |
| backward, double backward | First and second derivatives agree with central differences. |
| forward mode | Forward mode agrees with backward. |
| `vmap` | `vmap` returns the same as a loop over the samples. |
| in place | The in-place method, such as `exp_` for `exp`, writes the same result. (`inplace=True` is not counted.) |
| `out=` | `out=` is filled with the same result. |

| mark | meaning |
|---|---|
| ✓ | It works. |
| part | It works for some of the dtypes, arguments or operands. |
| loop | `vmap` works, but runs the samples one by one. |
| ✗ | It raises an error, or there is no derivative. |
| (empty) | It does not apply: for example, there are no derivatives of integers, and not every operator has an in-place method. |

Dtypes that an operator refuses are those that PyTorch refuses, except for [listed differences](../differences.md). [The comparison of operators with PyTorch](../operators.md) covers values, gradients and errors.

{counts}
"""
LAST = """\
## Other functions

These are tested separately and have no row above: functions that draw random numbers, inspect tensors, only work in place, or return results that the table cannot compare.

{names}
"""


def operators():
    """{subject: {name of an operator: its rows}} of the table of operators; one that is in several subjects is in the first."""
    from tests.operators import table

    subjects: dict = {}
    found: dict = {}
    for row, subject in table.ROWS:
        first = name(row)
        if first not in found:
            found[first] = subjects.setdefault(subject.__name__.rpartition(".")[2], {})[first] = []
        found[first].append(row)
    return subjects


def name(row):
    """The name of a row's operator."""
    return row.op if hasattr(row, "op") else row.path


def states(rows):
    """{column: state} of an operator, from all of its rows."""
    from tests.operators import capabilities

    of_rows = [(row, capabilities.found(row)) for row in rows]
    result = {}
    for column in capabilities.COLUMNS:
        told = [found[column] for row, found in of_rows if row.order or column not in DERIVATIVES]
        result[column] = capabilities.together(told or [found[column] for _, found in of_rows])
    return result


def line(rows):
    """The operator's line of its subject's table."""
    return f"| {names(rows)} | " + " | ".join(MARKS[state] for state in states(rows).values()) + " |"


def names(rows):
    """The names of an operator in the first cell of its line."""
    first = name(rows[0])
    aliases = sorted({alias for row in rows for alias in row.names} - {first})
    return ", ".join(f"`{each}`" for each in (first, *aliases))


def others():
    """The public operators that the table has no row for."""
    from tests.operators import test_every_operator as every
    from tests.operators.table.creation import RANDOM

    found = {row.path for row in RANDOM} | every.OWN_TESTS | set(every.EXCLUDED)
    return sorted(other for other in found if other[0] != "_" and other.rpartition(".")[2].islower())


def shown():
    """{names: line} of the operators on the page."""
    if not PAGE.is_file():
        return {}
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return {
        line[2:].partition(" | ")[0]: line
        for line in lines
        if line.startswith("| `") and line.count(" | ") > 5
    }


def page(kept=None):
    """The text of the page; ``kept`` has lines that are taken as they are, by the operators' names."""
    from tests.operators import capabilities

    kept = kept or {}

    columns = [f"`{column}`" if column in ("vmap", "out=") else column for column in capabilities.COLUMNS]
    counts = {column: collections.Counter() for column in capabilities.COLUMNS}
    sections, total = [], 0
    for title, found in operators().items():
        lines = [
            f"## {TITLES.get(title, title.capitalize())}\n",
            "| operator | " + " | ".join(columns) + " |",
            "|---" * (1 + len(columns)) + "|",
        ]
        for rows in found.values():
            total += 1
            lines.append(kept.get(names(rows)) or line(rows))
            for column, mark in zip(counts, lines[-1].split(" | ")[1:]):
                counts[column][mark.removesuffix(" |").strip()] += 1
        sections.append("\n".join(lines) + "\n")
    marks = [mark for mark in MARKS.values() if mark]
    summary = ["| operators | " + " | ".join(columns) + " |", "|---" * (1 + len(columns)) + "|"]
    for mark in (*marks, ""):
        summary.append(
            f"| {mark or '(empty)'} | " + " | ".join(str(counts[column][mark]) for column in counts) + " |"
        )
    listed = ", ".join(f"`{other}`" for other in others())
    return "\n".join(
        [INTRODUCTION.format(total=total, counts="\n".join(summary)), *sections, LAST.format(names=listed)]
    )


def main(arguments):
    """Write the page, or with ``--check`` say whether it is up to date."""
    check = arguments == ["--check"]
    operators = set() if check else set(arguments)
    if any(name.startswith("-") for name in operators):
        raise SystemExit(__doc__)
    if not operators:
        for needed in ("ml_dtypes", "scipy"):
            importlib.import_module(needed)
    kept = {
        title: line for title, line in shown().items() if operators and title.split("`")[1] not in operators
    }
    text = page(kept)
    if not check:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text:
        raise SystemExit("not up to date: run  python -m tests.generate.coverage")


if __name__ == "__main__":
    main(sys.argv[1:])
