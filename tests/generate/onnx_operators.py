"""Writes the table of ONNX's operators that ``onnx.load`` computes into the page about ONNX.

python -m tests.generate.onnx_operators
"""

import importlib
import re
from pathlib import Path

from minigrad.onnx import _importers

PAGE = Path(__file__).parents[2] / "docs/howto/onnx.md"
BEGIN, END = "<!-- operators that are read: begin -->\n", "<!-- operators that are read: end -->\n"


def table():
    """A row for each file of operators: what it is about, and their names."""
    rows = ["| About | Operators |\n| --- | --- |\n"]
    families: dict[str, list[str]] = {}
    for name, function in _importers.operators().items():
        families.setdefault(function.__module__, []).append(name)
    for module, names in families.items():
        about = importlib.import_module(module).__doc__.splitlines()[0].rstrip(".")
        rows.append(f"| {about} | {' '.join(f'`{name}`' for name in sorted(names))} |\n")
    return "".join(rows)


def page(text):
    """The page with the table that is true now."""
    return re.sub(f"(?<={BEGIN}).*?(?={END})", lambda _: table(), text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
