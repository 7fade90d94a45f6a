"""Writes the tables of layers and functions that ``onnx.export`` exports, with the opset from which each has a form, into the page about ONNX.

python -m tests.generate.onnx_forms

Each of ``tests/onnx/exported_cases.py`` is exported for one opset after the other until all its cases have a model. It needs the package ``onnx``.
"""

import re
import warnings
from pathlib import Path

import minigrad
from minigrad.onnx import _exporting
from minigrad.onnx.errors import OnnxExporterError
from tests.onnx.exported_cases import cases

PAGE = Path(__file__).parents[2] / "docs/howto/onnx.md"
BEGIN, END = "<!-- what is exported: begin -->\n", "<!-- what is exported: end -->\n"


def first_opset(all_cases):
    """The first opset in which all of a name's cases have a model."""
    import onnx

    for opset in range(_exporting.OLDEST_OPSET, _exporting.NEWEST_OPSET + 1):
        try:
            for module, inputs in all_cases:
                made = minigrad.onnx.export(module, inputs, opset_version=opset)
                onnx.checker.check_model(made.model_proto, full_check=True)
        except OnnxExporterError:
            continue
        return opset
    raise AssertionError("there is no form in any opset")


def by_name():
    """(kind, name) -> the cases."""
    found: dict[tuple[str, str], list[tuple[object, tuple[object, ...]]]] = {}
    for kind, name, module, inputs in cases():
        found.setdefault((kind, name), []).append((module, inputs))
    return found


def tables():
    """A row for each opset: the layers, then the functions, that it is the first for."""
    text = []
    found = {key: first_opset(value) for key, value in by_name().items()}
    for kind, title in (("layer", "Layers of `nn`"), ("function", "Functions, by the names of operators")):
        text.append(f"| From opset | {title} |\n| --- | --- |\n")
        for opset in sorted({*found.values()}):
            names = sorted(name for (each, name), first in found.items() if (each, first) == (kind, opset))
            if names:
                text.append(f"| {opset} | {' '.join(f'`{name}`' for name in names)} |\n")
        text.append("\n")
    return "".join(text)


def named(text):
    """The names in the tables of a page."""
    part = text.split(BEGIN)[1].split(END)[0]
    return set(
        re.findall(r"`(\w+)`", "".join(line for line in part.splitlines(True) if re.match(r"\| \d", line)))
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    old = PAGE.read_text(encoding="utf-8")
    made = re.sub(f"(?<={BEGIN}).*?(?={END})", lambda _: tables(), old, flags=re.DOTALL)
    PAGE.write_text(made, encoding="utf-8")
