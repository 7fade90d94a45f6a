"""Small programs with custom Functions, from ``functions.txt``: what they print is the same in PyTorch and in minigrad.

A program begins with ``### fact``.  It may use ``torch``, ``Function``, ``F_`` (the module ``autograd.function``) and what ``names`` makes below.
"""

import contextlib
import copy
import gc
import io
import pickle
import re
import warnings
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
import minigrad
import minigrad.autograd.function
from tests.messages import first_sentence

pytestmark = pytest.mark.torch

TEXT = (Path(__file__).parent / "functions.txt").read_text()
PROGRAMS = dict(zip(*[iter(re.split(r"^### (.*)\n", TEXT, flags=re.M)[1:])] * 2))


def names(lib):
    """What a program may use, for one of the two libraries."""
    Function = lib.autograd.Function

    def T(*values, r=True, dtype=None):
        """A leaf that requires grad, unless r=False."""
        return lib.tensor(list(values), requires_grad=r, dtype=dtype)

    def shown(x):
        if not isinstance(x, lib.Tensor):
            return x
        made_by = None if x.grad_fn is None else type(x.grad_fn).__name__
        flags = "leaf" * x.is_leaf, "view" * x._is_view(), "requires grad" * x.requires_grad
        return x.tolist(), str(x.dtype), made_by, x.output_nr, flags, x._version

    def p(*values):
        """Print values, and all there is to see of tensors."""
        print(*[shown(x) for x in values])

    def e(function, *args, **kwargs):
        """Print what a call returns or raises."""
        try:
            p("returned", function(*args, **kwargs))
        except Exception as error:
            print(type(error).__name__, error)

    def fn(forward, backward=lambda ctx, g: g, name="Fn", **attributes):
        """A new Function."""
        body = {"forward": staticmethod(forward), "backward": staticmethod(backward), **attributes}
        return type(Function)(name, (Function,), body)

    class Dbl(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    class Inp(Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return {
        "__name__": "__main__",
        "torch": lib,
        "Function": Function,
        "F_": lib.autograd.function,
        "T": T,
        "p": p,
        "e": e,
        "fn": fn,
        "Dbl": Dbl,
        "Inp": Inp,
        "copy": copy,
        "gc": gc,
        "pickle": pickle,
    }


def printed_by(lib, program):
    """What a program prints, and the warnings that it gives."""
    out = io.StringIO()
    with warnings.catch_warnings(record=True) as given, contextlib.redirect_stdout(out):
        warnings.simplefilter("always")
        exec(program, names(lib))
    assert lib.is_grad_enabled()
    lines = out.getvalue().splitlines()
    lines += [f"{w.category.__name__}: {w.message}".partition(" (Triggered")[0] for w in given]
    return [re.sub("0x[0-9a-f]+", "0x", line).replace("minigrad.", "torch.") for line in lines]


@pytest.mark.parametrize("fact", PROGRAMS)
def test_programs_print_the_same(fact):
    program = compile(PROGRAMS[fact], fact, "exec")
    ours, theirs = printed_by(minigrad, program), printed_by(torch, program)
    # of an error's text, the first sentence is PyTorch's
    assert [first_sentence(line) for line in ours] == [first_sentence(line) for line in theirs]
