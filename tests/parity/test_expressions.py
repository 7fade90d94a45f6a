"""Expressions from ``expressions.txt``: their values, or the errors that they raise, are the same in PyTorch and in minigrad.

A section begins with ``### subject``; what stands before its line ``===`` is run first, of the lines after that each is an expression.  They may use ``torch``
and what ``names`` makes below.
"""

import re
import warnings
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
import minigrad
from tests.messages import first_sentence

pytestmark = pytest.mark.torch

TEXT = (Path(__file__).parent / "expressions.txt").read_text()
SECTIONS = dict(zip(*[iter(re.split(r"^### (.*)\n", TEXT, flags=re.M)[1:])] * 2))


def names(lib):
    """What an expression may use, for one of the two libraries."""
    func = lib.func
    return {
        "torch": lib, "F": lib.nn.functional, "func": func, "fwAD": lib.autograd.forward_ad, "Function": lib.autograd.Function, "vmap": func.vmap,
        "grad": func.grad, "vjp": func.vjp, "jvp": func.jvp, "jacrev": func.jacrev, "jacfwd": func.jacfwd, "hessian": func.hessian,
        "v": lib.tensor([1.0, 2.0, 3.0]), "w": lib.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "m": lib.arange(9.0).reshape(3, 3) / 10,
    }  # fmt: skip


def described(x, lib):
    """A value as text that does not name the library: of tensors the elements, rounded, and all flags."""
    if isinstance(x, lib.Tensor):
        node = None if x.grad_fn is None else type(x.grad_fn).__name__
        elements = [round(e, 4) if isinstance(e, float) else e for e in x.detach().reshape(-1).tolist()]
        return f"{elements} {list(x.shape)} {x.dtype} {x.requires_grad} {node}"
    if isinstance(x, (list, tuple)):
        return f"{type(x).__name__}({', '.join([described(part, lib) for part in x])})"
    if isinstance(x, dict):
        return str({key: described(part, lib) for key, part in x.items()})
    return re.sub(r"0x\w+", "0x", (x if isinstance(x, str) else repr(x)).replace("minigrad", "torch"))


def result(preparation, expression, lib):
    """What an expression gives or raises, as text."""
    space = names(lib)
    lib.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(preparation, space)
        try:
            return described(eval(expression, space), lib)
        except Exception as error:
            return f"{type(error).__name__}: {first_sentence(str(error))}"


@pytest.mark.parametrize("section", SECTIONS)
def test_expressions(section):
    preparation, _, lines = SECTIONS[section].rpartition("===\n")
    expressions = [line for line in lines.splitlines() if line]
    assert expressions
    differing = []
    for line in expressions:
        ours, theirs = (result(preparation, line, lib) for lib in (minigrad, torch))
        if ours != theirs:
            differing += [line, f"  minigrad: {ours}", f"  PyTorch:  {theirs}"]
    assert not differing, "\n" + "\n".join(differing)
