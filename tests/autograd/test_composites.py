"""Functions that are no operators, and are watched like operators: ``@composite``."""

import inspect
import subprocess
import sys

import pytest

import minigrad as torch
from minigrad._base.composites import composite
from minigrad.autograd.profiler import profile


def names(prof):
    return [e.name for e in prof.function_events]


def test_a_mark_leaves_the_function_as_it_is():
    def function(x, *, y=2):
        """Adds."""
        return x + y

    code = function.__code__
    marked = composite("sum_of_two")(function)
    assert marked is function and function.__code__ is code
    assert composite(function) is function
    assert function(1) == 3 and str(inspect.signature(function)) == "(x, *, y=2)"


def test_one_that_is_defined_while_a_profiler_is_on_is_seen_too():
    factor = 3
    with profile() as prof:

        @composite("three_times")
        def function(x, *, plus=0):
            return x * factor + plus

        code = function.__code__
        assert function(torch.ones(()), plus=1) == 4
        assert function(torch.ones(())) == 3
    assert names(prof).count("aten::three_times") == 2
    assert function.__code__ is not code
    assert function(torch.ones(())) == 3  # with the function's own cells


def test_errors_pass_through_and_are_noted():
    @composite
    def fails_at_once():
        raise ValueError("no")

    with profile() as prof, pytest.raises(ValueError, match="no"):
        fails_at_once()
    assert names(prof) == ["aten::fails_at_once"]


def test_what_profilers_are_not_told_of():
    @composite(event=None)
    def silent():
        return torch.zeros(1)

    @composite(event="other_name")
    def shown():
        return torch.zeros(1)

    with profile() as prof:
        silent()
        shown()
    assert names(prof) == ["aten::zeros", "aten::other_name", "aten::zeros"]


def test_a_module_that_is_imported_while_a_profiler_is_on_is_seen_too():
    program = """
import sys
import minigrad as torch
from minigrad.autograd.profiler import profile

x, target = torch.zeros(2, 3), torch.tensor([0, 1])
assert "minigrad.nn._functional.losses" not in sys.modules
with profile() as prof:
    torch.nn.functional.cross_entropy(x, target)
print([e.name for e in prof.function_events])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "'aten::cross_entropy_loss'" in done.stdout, done.stderr
