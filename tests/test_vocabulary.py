"""A formula asks its vocabulary, ``xp``, for names: both worlds, arrays and Tensors, have to know them all."""

import ast
from pathlib import Path

import pytest

from minigrad._arrays import vocabulary as arrays
from minigrad._ops import vocabulary

FILES = sorted(Path(vocabulary.__file__).parent.glob("*.py"))


def asked_of_xp(path):
    """The names that the formulas of a file ask of ``xp``, with the line of each."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "xp":
            yield node.attr, node.lineno


@pytest.mark.parametrize("world", [arrays, vocabulary], ids=["arrays", "Tensors"])
def test_every_name_that_a_formula_uses_is_known(world):
    missing = {
        f"{path.name}:{line}: xp.{name}"
        for path in FILES
        for name, line in asked_of_xp(path)
        if not hasattr(world, name)
    }
    assert not missing


def test_formulas_use_the_vocabulary():
    assert len({name for path in FILES for name, _ in asked_of_xp(path)}) > 50
