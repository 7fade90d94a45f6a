"""Graphs, code and errors are PyTorch's, to the character."""

import importlib

import pytest

import minigrad
from tests.fx import cases, programs

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

MODULES = ("annotate", "operator_schemas", "tensor_type", "traceback")
for _module in MODULES:
    importlib.import_module(f"torch.fx.{_module}")
    importlib.import_module(f"minigrad.fx.{_module}")


def text(value):
    """What a case gives, with the library's name as PyTorch's."""
    parts = value if isinstance(value, tuple) else (value,)
    return "\n".join(str(part) for part in parts).replace("minigrad", "torch")


@pytest.mark.parametrize("name", cases.CASES)
@pytest.mark.filterwarnings(
    "ignore:Was not able to add assertion", "ignore:Attempted to insert", "ignore:.isinstance.treespec"
)
def test_cases(name):
    run = cases.CASES[name]
    assert [text(value) for value in run(minigrad)] == [text(value) for value in run(torch)]


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_programs(name):
    make, _ = programs.PROGRAMS[name]
    theirs, ours = (library.fx.symbolic_trace(make(library)) for library in (torch, minigrad))
    assert str(ours.graph) == str(theirs.graph)
    assert ours.code == theirs.code
    assert str(ours) == str(theirs)
    assert ours.print_readable(print_output=False) == theirs.print_readable(print_output=False)
    stacks = [
        [(node.name, node.meta.get("nn_module_stack")) for node in gm.graph.nodes] for gm in (theirs, ours)
    ]
    assert text(stacks[1]) == text(stacks[0])
