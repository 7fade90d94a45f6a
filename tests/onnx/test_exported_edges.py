"""``onnx.export`` of arguments at the edges of what operators take: numbers that are not finite, negative places, sizes that may differ, state that is written to."""

import pytest

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from tests.onnx.exported_cases import Call
from tests.onnx.test_export import check

INF, NAN = float("inf"), float("nan")


def zeroed(dim, start, length):
    """A function that writes zeros to a part of a copy of its input."""

    def function(x):
        x = x * 1
        x.narrow(dim, start, length).zero_()
        return x

    return function


ROW, SMALL = torch.arange(5.0), torch.tensor([INF, 1.0])
#: What is exported -> the function, and its inputs.
FIXED = {
    "narrow": (lambda x: x.narrow(0, -2, 2), ROW),
    "narrow, written to": (zeroed(1, -2, 1), torch.ones(3, 4)),
    "narrow at a tensor": (lambda x, start: x.narrow(0, start, 2), ROW, torch.tensor(-3)),
    "roll": (lambda x: (x.roll(8), x.roll(-7), x.roll(5), x.roll(7, 0)), ROW),
    "diag": (lambda x: (torch.diag(x), torch.diag_embed(x, 1), torch.diagflat(x, -1)), SMALL),
    "diagflat": (
        lambda x: (torch.diagflat(x), torch.diagflat(x, 1), torch.diag_embed(x > 1)),
        torch.arange(4.0).view(2, 2),
    ),
}
#: What is exported for any length -> the function, the example, and inputs of other lengths.
DYNAMIC = {
    "split": (lambda x: x.split(2)[1] * 1, torch.arange(4.0), torch.arange(10.0), torch.arange(3.0)),
    "narrow": (lambda x: x.narrow(0, -2, 2) * 1, ROW, torch.arange(8.0)),
    "narrow, written to": (zeroed(0, -2, 2), ROW, torch.arange(8.0)),
    "roll": (lambda x: (x.roll(5), x.roll(-4, 0), x.roll(3, 0)), ROW + 1, torch.arange(3.0), torch.ones(1)),
}


@pytest.mark.parametrize("name", FIXED)
def test_edges(name):
    function, *inputs = FIXED[name]
    module = Call(function).eval()
    check(torch.onnx.export(module, tuple(inputs)), module, *inputs)


@pytest.mark.filterwarnings("ignore:# 'dynamic_axes'")
@pytest.mark.parametrize("name", DYNAMIC)
def test_edges_of_any_length(name):
    function, example, *others = DYNAMIC[name]
    module = Call(function).eval()
    program = torch.onnx.export(module, (example,), input_names=["x"], dynamic_axes={"x": [0]})
    for x in (example, *others):
        check(program, module, x)


class Clipped(nn.Module):
    """Adds its buffer, and clips that."""

    def __init__(self, *inplace, **given):
        super().__init__()
        self.register_buffer("bias", torch.tensor([-1.0, 2.0]))
        self.inplace, self.given = inplace, given

    def forward(self, x):
        y = x + self.bias
        F.hardtanh(self.bias, 0.0, 1.0, *self.inplace, **self.given)
        return y, x + self.bias


@pytest.mark.parametrize("module", [Clipped(True), Clipped(inplace=True)])
def test_exports_leave_the_state_as_it_was(module):
    with pytest.warns(UserWarning, match="changes buffer 'bias'"):
        program = torch.onnx.export(module.eval(), (torch.ones(2),))
    assert module.bias.tolist() == [-1.0, 2.0]
    check(program, module, torch.zeros(2))
