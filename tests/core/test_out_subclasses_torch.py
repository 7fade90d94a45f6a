"""``out=`` and subclasses of Tensor: which class the result has, and that it is the memory of ``out``, as in PyTorch."""

import pytest

torch = pytest.importorskip("torch")
import minigrad

pytestmark = pytest.mark.torch

#: Calls with ``out``: of a function of the library, an operand ``a`` of three elements, and a maker of tensors to write into.
CALLS = {
    "add": lambda lib, a, out: lib.add(a, a, out=out(3)),
    "neg": lambda lib, a, out: lib.neg(a, out=out(3)),
    "where": lambda lib, a, out: lib.where(a > 0, a, a, out=out(3)),
    "sum": lambda lib, a, out: lib.sum(a, 0, out=out()),
    "cat": lambda lib, a, out: lib.cat([a, a], out=out(6)),
    "stack": lambda lib, a, out: lib.stack([a, a], 1, out=out(3, 2)),
    "outer": lambda lib, a, out: lib.outer(a, a, out=out(3, 3)),
    "max": lambda lib, a, out: lib.max(a, 0, out=(out(), out().long())),
    "sort": lambda lib, a, out: lib.sort(a, out=(out(3), out(3).long())),
    "inv": lambda lib, a, out: lib.linalg.inv(lib.diag(a), out=out(3, 3)),
    "a resized out": lambda lib, a, out: lib.add(a, a, out=out(0)),
}


def classes(lib, name, operand_class, out_class):
    """The class of the result (of each, where there are several), and whether what is written to it is written to ``out``."""

    class Sub(lib.Tensor):
        pass

    class Below(Sub):
        pass

    kinds = {"Tensor": lib.Tensor, "Sub": Sub, "Below": Below, "Parameter": lib.Tensor}

    def made(x, kind):
        x = x.as_subclass(kinds[kind])
        return lib.nn.Parameter(x, requires_grad=False) if kind == "Parameter" else x

    outs = []

    def out(*shape):
        outs.append(made(lib.empty(shape), out_class))
        return outs[-1]

    result = CALLS[name](lib, made(lib.tensor([3.0, 1.0, 2.0]), operand_class), out)
    first = result[0] if isinstance(result, tuple) else result
    values = first.tolist()
    first.zero_()
    names = [type(each).__name__ for each in result] if isinstance(result, tuple) else type(result).__name__
    return type(result).__name__, names, first is outs[0], outs[0].abs().sum().item(), values


@pytest.mark.parametrize("out_class", ["Tensor", "Sub", "Below", "Parameter"])
@pytest.mark.parametrize("operand_class", ["Tensor", "Sub", "Parameter"])
@pytest.mark.parametrize("name", CALLS)
def test_classes(name, operand_class, out_class):
    ours, theirs = (classes(lib, name, operand_class, out_class) for lib in (minigrad, torch))
    assert ours == theirs
