"""A class name is unique in its module; a node's class says with ``node=`` which of PyTorch's names users see."""

import ast
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import minigrad
from minigrad._core.families import Op, Pointwise
from minigrad._ops import arithmetic, matmul

ROOT = Path(__file__).parent.parent / "minigrad"


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_class_name_stands_twice_in_a_module(path):
    classes = Counter(
        node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)
    )
    assert not [name for name, times in classes.items() if times > 1]


def test_several_classes_may_stand_for_one_node():
    x = minigrad.ones(2, requires_grad=True)
    plain, scaled = minigrad.add(x, 1).grad_fn, minigrad.add(x, 1, alpha=2).grad_fn
    assert isinstance(plain, arithmetic.AddBackward0)
    assert isinstance(scaled, arithmetic.AddScaled)
    for node in (plain, scaled):
        assert type(node).__name__ == type(node).__qualname__ == node.name() == "AddBackward0"
    product = minigrad.ones(2, 3, 4, requires_grad=True) @ minigrad.ones(4, 5)
    assert isinstance(product.grad_fn, matmul.MatmulRowsMatrix)
    assert product.grad_fn.name() == "UnsafeViewBackward0"


def test_a_class_that_is_derived_has_its_own_name():
    class Turned(Pointwise, node="NegBackward0"):
        """z = -x."""

        forward = np.negative

    class Other(Turned):
        pass

    assert Turned.__name__ == "NegBackward0"
    assert Turned.function_name() == "neg"
    assert Other.__name__ == "Other"
    assert issubclass(Other, Op)
    assert "__dict__" not in dir(Other())
