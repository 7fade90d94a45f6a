"""Modes that users write: they see each operator of a thread, and may change what it gives."""

import pytest

import minigrad as torch
from minigrad.utils._python_dispatch import TorchDispatchMode
from minigrad.utils.checkpoint import checkpoint


class Names(TorchDispatchMode):
    def __init__(self):
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.seen.append(func.__name__)
        return func(*args, **(kwargs or {}))


def test_operators_are_seen_and_recorded():
    x = torch.ones(2, 2, requires_grad=True)
    with Names() as names:
        y = x.sin().sum(0).view(2, 1)
        torch.nn.functional.linear(y.t(), x).add_(1)
    assert names.seen == [
        "sin.default",
        "sum.dim_IntList",
        "view.default",
        "t.default",
        "mm.default",
        "add_.Tensor",
    ]
    assert y.grad_fn.name() == "ViewBackward0"
    y.sum().backward()
    assert len(names.seen) == 6
    assert torch.allclose(x.grad, x.detach().cos())


def test_a_mode_may_change_results():
    class Negated(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            out = func(*args)
            return -out if func is torch.ops.aten.mul.Tensor else out

    with Negated():
        assert (torch.ones(2) * 3).sum() == -6
    assert (torch.ones(2) * 3).sum() == 6


def test_a_mode_may_change_arguments():
    class Other(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return (
                func(args[0], 10)
                if func is torch.ops.aten.add.Tensor
                else torch.ops.aten.cos.default(args[0])
            )

    with Other():
        assert (torch.zeros(1) + 1).item() == 10
        assert torch.zeros(1).sin().item() == 1


def test_modes_within_modes():
    with Names() as outer, Names() as inner:
        torch.ones(2).exp()
    assert outer.seen == inner.seen == ["exp.default"]


def test_modes_that_raise_or_do_nothing():
    class Refusing(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise KeyError(func.name())

    with Refusing(), pytest.raises(KeyError, match="aten::mul.Tensor"):
        torch.ones(1) * 2
    with TorchDispatchMode(), pytest.raises(NotImplementedError):
        torch.ones(1) * 2
    assert (torch.ones(1) * 2).item() == 2


def test_modes_as_the_contexts_of_a_checkpoint():
    first, again = Names(), Names()
    x = torch.rand(3, requires_grad=True)
    checkpoint(
        lambda x: (x.sin() * 2).exp(), x, use_reentrant=False, context_fn=lambda: (first, again)
    ).sum().backward()
    assert first.seen == again.seen == ["sin.default", "mul.Tensor", "exp.default"]
