"""How commands print: tables, sizes, and errors without a traceback."""

import sys
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows under a head, in columns as wide as they have to be; the columns whose numbers are in ``right`` are aligned there."""
    lines = [list(head), *([printable(text) for text in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            text.rjust(width) if column in right else text.ljust(width)
            for column, (text, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    )


def printable(text: str) -> str:
    """A text from a file, with what a terminal would obey, such as escape sequences, spelt out."""
    return text if text.isprintable() else repr(text)[1:-1]


def size(count: int) -> str:
    """A number of bytes in the unit that suits it."""
    amount, units = float(count), ["B", "KB", "MB", "GB", "TB"]
    while amount >= 1000 and len(units) > 1:
        amount /= 1024
        units.pop(0)
    return f"{count} B" if units[0] == "B" else f"{amount:.2f} {units[0]}"


def fail(command: str, reason: object) -> int:
    """Say why a command could not do its work; returns the exit code."""
    print(f"python -m minigrad {command}: {reason}", file=sys.stderr)
    return 1
