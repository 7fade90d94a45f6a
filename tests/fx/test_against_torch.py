"""Graphs, code and errors are PyTorch's, to the character."""

import importlib
import math

import pytest

import minigrad
from tests.fx import calls, cases, pass_cases, programs

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

CASES = {**cases.CASES, **pass_cases.CASES}
EVERY = {**programs.PROGRAMS, **programs.WITH_FUNCTIONS}
MODULES = ("annotate", "operator_schemas", "tensor_type", "traceback")
for _module in MODULES:
    importlib.import_module(f"torch.fx.{_module}")
    importlib.import_module(f"minigrad.fx.{_module}")


def text(value):
    """What a case gives, with the library's name as PyTorch's."""
    parts = value if isinstance(value, tuple) else (value,)
    return "\n".join(str(part) for part in parts).replace("minigrad", "torch")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings(
    "ignore:Was not able to add assertion", "ignore:Attempted to insert", "ignore:.isinstance.treespec"
)
def test_cases(name):
    run = CASES[name]
    assert [text(value) for value in run(minigrad)] == [text(value) for value in run(torch)]


#: What PyTorch notes otherwise: a private function in its place; another function that this one is for; a parameter left out.
OTHERWISE = {"F.threshold(x, 0.1, 0)", "F.upsample(x, 4)", "F.l1_loss(x, y)"}


def graph_of(library, call):
    """The printed graph of a module whose forward is one call."""

    class Net(library.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = library.nn.Parameter(library.ones(3))
            self.register_buffer("b", library.ones(3))

    names = {"torch": library, "F": library.nn.functional, "math": math}
    exec(f"def forward(self, x, y):\n    w, b = self.w, self.b\n    return {call}", names)
    Net.forward = names["forward"]
    return str(library.fx.symbolic_trace(Net()).graph)


@pytest.mark.filterwarnings("ignore")
def test_calls():
    every = [call.strip() for call in calls.CALLS.replace("\n", ";").split(";") if call.strip()]
    assert len(every) > 250
    unlike = {call for call in every if graph_of(minigrad, call) != graph_of(torch, call)}
    assert unlike == OTHERWISE


@pytest.mark.parametrize("name", EVERY)
def test_programs(name):
    make, _ = EVERY[name]
    theirs, ours = (library.fx.symbolic_trace(make(library)) for library in (torch, minigrad))
    assert str(ours.graph) == str(theirs.graph)
    assert ours.code == theirs.code
    assert str(ours) == str(theirs)
    assert ours.print_readable(print_output=False) == theirs.print_readable(print_output=False)
    stacks = [
        [(node.name, node.meta.get("nn_module_stack")) for node in gm.graph.nodes] for gm in (theirs, ours)
    ]
    assert text(stacks[1]) == text(stacks[0])
