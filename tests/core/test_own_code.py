"""Each operator's functions have code objects of their own: tracebacks and profilers say which operator it is."""

import cProfile
import io
import pstats
import traceback

import pytest

import minigrad as torch


def names_in_traceback(error):
    return [frame.name for frame in traceback.extract_tb(error.__traceback__)]


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda x: torch.exp("a"), "exp"),
        (lambda x: torch.mul(x, "a"), "mul"),
        (lambda x: x.exp_().mul_("a"), "mul_"),
        (lambda x: torch.mm(x, x[0]), "mm"),
    ],
)
def test_tracebacks_name_the_operator(call, name):
    with pytest.raises(Exception) as caught:
        call(torch.ones(2, 2))
    assert name in names_in_traceback(caught.value)


def test_tracebacks_of_backward_name_backward():
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.sum().backward()
    with pytest.raises(RuntimeError) as caught:
        y.sum().backward()
    assert "backward" in names_in_traceback(caught.value)


def test_profiles_of_python_name_the_operators():
    x = torch.ones(2, 2, requires_grad=True)
    (x.exp() * x + x).sum().backward()  # what is imported at the first use is imported
    with cProfile.Profile() as profile:
        (x.exp() * x + x).sum().backward()
    report = io.StringIO()
    pstats.Stats(profile, stream=report).print_stats()
    for name in ("(exp)", "(__mul__)", "(__add__)", "(sum)", "(backward)"):
        assert name in report.getvalue()
    assert "(call)" not in report.getvalue()


def test_code_objects_are_not_shared():
    functions = [torch.exp, torch.sin, torch.mul, torch.add, torch.mm, torch.Tensor.exp_, torch.Tensor.sin_]
    assert len({id(f.__code__) for f in functions}) == len(functions)
    assert torch.exp.__code__.co_name == "exp"
