"""The overloads of PyTorch's operators ``aten``: a file of names, which ``tests/generate/aten_overloads.py`` writes, read when one is first asked for."""

import functools
import os


@functools.cache
def _listed():
    """Operator -> the text of its overloads."""
    path = os.path.join(os.path.dirname(__file__), "aten_overloads.txt")
    lines = __spec__.loader.get_data(path).decode().splitlines()
    return {
        name: each for each, _, names in (line.partition(": ") for line in lines) for name in names.split()
    }


@functools.cache
def overloads_of(name):
    """Overload -> the names of the tensors that it writes to, of an operator; None if PyTorch has none by that name."""
    text = _listed().get(name)
    if text is None:
        return None
    parts = (each.partition(">") for each in text.split())
    return {overload: tuple(outs.split(",")) if outs else () for overload, _, outs in parts}
