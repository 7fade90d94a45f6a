"""Writes the arguments and results of PyTorch's operators ``aten``, of those that minigrad provides.

python -m tests.generate.aten_schemas

Needs PyTorch.  A line of ``minigrad/_base/aten_schemas.txt`` has arguments, perhaps results, and after the colon the overloads that have these.  What
follows from an overload's name is left out, and ``minigrad/_schemas.py`` adds it: what is written to, and results that are the usual ones.
"""

import re
from pathlib import Path

import torch

import minigrad
from minigrad._base.aten_overloads import _listed, overloads_of
from minigrad._schemas import complete

FILE = Path(__file__).parents[2] / "minigrad/_base/aten_schemas.txt"


def schemas():
    """(operator, overload) -> PyTorch's text of it."""
    found = {}
    for name in _listed():
        if hasattr(minigrad.ops.aten, name):
            for overload in overloads_of(name):
                text = str(getattr(getattr(torch.ops.aten, name), overload)._schema)
                if "..." not in text:  # as many arguments as are given: TorchScript's way to call einsum
                    found[name, overload] = text
    return found


def shorter(name, overload, text):
    """What is to be written for an overload, of which ``text`` are arguments and results."""
    outs = overloads_of(name)[overload]
    arguments, _, returns = text.rpartition(" -> ")
    if outs:
        cut = re.sub(
            r"(, )?(\*, )?Tensor\(\w!\)(\[\])? \w+(?=[,)])",
            lambda m: "" if m[0].split()[-1] in outs else m[0],
            arguments,
        )
        for each in (f"{cut} -> {returns.replace('!', '')}", cut):
            if complete(name, outs, each) == text:
                return each
    elif name[-1] == "_":
        cut = arguments.replace("(a!)", "", 1)
        for each in (cut, f"{cut} -> {returns}"):
            if complete(name, outs, each) == text:
                return each
    elif complete(name, outs, arguments) == text:
        return arguments
    return text


def file_text():
    """The text of the file."""
    names = {}
    for (name, overload), full in schemas().items():
        text = full[full.index("(") :]
        short = min((shorter(name, overload, text), text), key=len)
        if complete(name, overloads_of(name)[overload], short) != text:
            raise AssertionError((name, overload, short))
        names.setdefault(short, []).append(name if overload == "default" else f"{name}.{overload}")
    return "".join(f"{each}: {' '.join(operators)}\n" for each, operators in sorted(names.items()))


if __name__ == "__main__":
    FILE.write_text(file_text(), encoding="utf-8")
