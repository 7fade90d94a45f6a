"""The very first operand of a class that overrides is heard, whatever function meets it; so are all later ones."""

import contextlib
import warnings

import pytest

import minigrad
from minigrad._base import guards
from minigrad._core.overriding import _OPERATORS
from minigrad.nn import functional as F

from .foreign import Foreign, Told, functions, trials, unmet

#: They want further arguments.
NOT_TRIED = "nonzero_static solve_triangular flip tile permute broadcast_to reshape renorm_ geometric_ mvlgamma_ linspace".split()


def calls():
    for function in functions():
        if guards.asks_operands(function) and function.__name__ not in NOT_TRIED:
            for args in trials(function):
                yield function, args


def check(function, args):
    """Called with ``args``, the function is told of with just these."""
    told = function(*args)
    name = function.__name__
    assert told.__class__ is Told, name
    assert (
        told.function is getattr(minigrad.Tensor, _OPERATORS.get(name, name), None)
        or told.function is function
    ), name
    assert len(told.args) + len(told.kwargs) >= len(args), name
    assert all(x is y for x, y in zip(told.args, args)), name


@pytest.mark.parametrize("state", [unmet, contextlib.nullcontext])
def test_every_function_asks(state):
    """Before anybody is known to override, and afterwards."""
    tried = 0
    minigrad.ones(2) + Foreign()  # known from now on
    with warnings.catch_warnings(), state():
        warnings.simplefilter("ignore")
        for function, args in calls():
            check(function, args)
            tried += 1
    assert tried > 900


FORMS = {
    "reversed operator": lambda x, f: (f + x, f - x, f @ x, f**x, f / x),
    "operator": lambda x, f: (x + f, x @ f, x**f, x % f, x // f, x & f, x == f, x < f),
    "index": lambda x, f: (x[f], x[0, f], x[[f]], x.__setitem__(0, f), x.__setitem__(f, 0)),
    "in a list": lambda x, f: (minigrad.stack([x, f]), minigrad.cat((x, f)), minigrad.meshgrid([x, f]), minigrad.einsum("i,i", x, f)),
    "several": lambda x, f: (minigrad.broadcast_tensors(x, f), minigrad.atleast_1d(f), minigrad.block_diag(x, f)),
    "by name": lambda x, f: (minigrad.add(x, other=f), minigrad.mul(input=f, other=x), minigrad.where(x > 0, input=x, other=f)),
    "out": lambda x, f: (minigrad.mul(x, 2, out=f), minigrad.add(x, 2, out=f), minigrad.sum(x, 0, out=f)),
    "with parameters": lambda x, f: (minigrad.sum(f, dim=0), minigrad.var(f, 0, keepdim=True), f.__class__ and minigrad.std(f, correction=0), minigrad.norm(f, p=1)),
    "in place": lambda x, f: (x.add_(f), x.mul_(f), x.copy_(f), x.masked_fill_(f, 0), x.index_add_(0, f, x)),
    "like another": lambda x, f: (minigrad.zeros_like(f), minigrad.rand_like(f), x.to(f), x.type_as(f), x.expand_as(f)),
    "networks": lambda x, f: (F.linear(f, x), F.dropout(f, 0.5, False), F.softmax(f, 0), F.mse_loss(x, f), F.cross_entropy(f, x), F.conv2d(f, x)),
    "layers": lambda x, f: (minigrad.nn.Linear(2, 2)(f), minigrad.nn.ReLU()(f), minigrad.nn.LayerNorm(2)(f), minigrad.nn.MSELoss()(x, f)),
    "libraries": lambda x, f: (minigrad.linalg.cholesky(f), minigrad.linalg.solve(f, x, left=True), minigrad.fft.fft(f), minigrad.special.entr(f)),
    "initialization": lambda x, f: (minigrad.nn.init.uniform_(f), minigrad.nn.init.kaiming_uniform_(f)),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("state", [unmet, contextlib.nullcontext])
def test_forms(form, state):
    """Wherever a tensor may stand."""
    with state():
        told = FORMS[form](minigrad.ones(2, requires_grad=False), Foreign())
        assert all(value.__class__ is Told or value is None for value in told), told


def test_data_are_not_asked():
    """What makes tensors of lists and numbers takes no object for one."""
    for make in (minigrad.tensor, minigrad.as_tensor, minigrad.ones(2).new_tensor):
        with pytest.raises(
            (RuntimeError, TypeError),
            match="Could not infer dtype of Foreign|must be real number, not Foreign",
        ):
            make(Foreign())


def test_errors_of_other_operands_stay():
    """An object that has no such method is refused in the words that it was refused in."""
    for state in (unmet, contextlib.nullcontext):
        with (
            state(),
            pytest.raises(TypeError, match="expected Tensor as element 1 in argument 0, but got object"),
        ):
            minigrad.stack([minigrad.ones(2), object()])
        with state(), pytest.raises(TypeError, match="unsupported operand"):
            minigrad.ones(2) @ object()


def test_signatures_are_those_of_functions():
    """``inspect`` sees the parameters of a function, guarded or redirected."""
    import inspect

    for state in (unmet, contextlib.nullcontext):
        with state():
            assert list(inspect.signature(minigrad.stack).parameters) == ["tensors", "dim", "out", "axis"]
            assert list(inspect.signature(F.softmax).parameters)[:2] == ["input", "dim"]
