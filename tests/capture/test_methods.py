"""Captured methods, static and class methods, partial functions; copies and pickles of captured steps, and of objects that hold them."""

import copy
import functools
import gc
import pickle
import weakref

import pytest

import minigrad as torch
from minigrad import nn


class Trainer:
    """Trains one weight; ``step`` is captured."""

    def __init__(self, start=1.0, rate=0.1):
        self.weight = nn.Parameter(torch.tensor([start]))
        self.optimizer = torch.optim.SGD([self.weight], lr=rate)

    @torch.capture
    def step(self, x):
        """One step."""
        self.optimizer.zero_grad()
        loss = (self.weight * x).square().sum()
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    plain = step.__wrapped__

    @torch.capture
    @staticmethod
    def doubled(x):
        return (x * 2).tanh()

    @staticmethod
    @torch.capture
    def tripled(x):
        return (x * 3).tanh()

    @torch.capture
    @classmethod
    def scaled(cls, x):
        return (x * cls.scale()).tanh()

    @classmethod
    @torch.capture
    def scaled_again(cls, x):
        return (x * cls.scale()).tanh()

    @classmethod
    def scale(cls):
        return 4.0


class Quicker(Trainer):
    """A method that calls the captured one of its base class."""

    @torch.capture
    def step(self, x):
        return super().step(x) * 2

    @classmethod
    def scale(cls):
        return 5.0


class Layer(nn.Module):
    """A module whose forward is captured."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    @torch.capture
    def forward(self, x):
        return self.inner(x).tanh().detach()


@torch.capture
def double(x):
    return (x * 2).tanh()


def train(trainer, calls=5):
    for _ in range(calls):
        trainer.step(torch.tensor([0.5]))
    return trainer


def test_each_instance_has_a_step_of_its_own():
    trainers, others = ([Trainer(k, 0.1 * k) for k in (1.0, 2.0)] for _ in range(2))
    for _ in range(8):
        for a, b in zip(trainers, others):
            assert torch.equal(a.step(torch.tensor([0.5])), b.plain(torch.tensor([0.5])))
            assert torch.equal(a.weight, b.weight)
            assert torch.equal(a.weight.grad, b.weight.grad)
    first, second = (t.step for t in trainers)
    assert first is trainers[0].step is not second
    assert first.replays and second.replays and not Trainer.step.replays
    assert "subtract(" in first.explain(torch.tensor([0.5]))
    assert first.__doc__ == "One step."
    first.reset()
    assert second.replays and not first.replays


def test_a_captured_method_of_a_base_class():
    quick, plain = Quicker(), Trainer()
    for _ in range(6):
        assert torch.equal(quick.step(torch.tensor([0.5])), plain.plain(torch.tensor([0.5])) * 2)
    assert quick.step.replays and torch.equal(quick.weight, plain.weight)


def test_methods_of_modules_and_of_classes():
    layer, x = Layer(), torch.tensor([[0.5, 1.0]])
    state = [*layer.state_dict()]
    for _ in range(6):
        assert torch.equal(layer(x), layer.inner(x).tanh())
    assert layer.forward.replays and [*layer.state_dict()] == state
    for holder in (Trainer, Quicker, Trainer(), Quicker()):
        for _ in range(4):
            assert torch.equal(holder.doubled(x), (x * 2).tanh())
            assert torch.equal(holder.tripled(x), (x * 3).tanh())
            assert torch.equal(holder.scaled(x), (x * holder.scale()).tanh())
            assert torch.equal(holder.scaled_again(x), (x * holder.scale()).tanh())
    assert all(getattr(Trainer, name).replays for name in ("doubled", "tripled", "scaled", "scaled_again"))
    assert "multiply(" in Trainer.scaled.explain(Trainer, x)


def test_partial_functions():
    def step(scale, x, shift=0.0):
        return (x * scale + shift).tanh()

    x = torch.tensor([0.5, 1.0])
    for captured in (
        torch.capture(functools.partial(step, 2.0, shift=1.0)),
        functools.partial(torch.capture(step), 2.0, shift=1.0),
    ):
        for _ in range(4):
            assert torch.equal(captured(x), step(2.0, x, 1.0))

    class Holder:
        by_three = functools.partialmethod(torch.capture(lambda self, scale, x: (x * scale).tanh()), 3.0)

    holder = Holder()
    for _ in range(4):
        assert torch.equal(holder.by_three(x), (x * 3).tanh())


def test_an_instance_ends_with_its_steps():
    trainer, layer = train(Trainer()), Layer()
    for _ in range(4):
        layer(torch.ones(1, 2))
    gone = [weakref.ref(x) for x in (trainer, trainer.step, layer, layer.inner)]
    del trainer, layer
    gc.collect()
    assert [ref() for ref in gone] == [None] * 4


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle {n}": functools.partial(lambda n, x: pickle.loads(pickle.dumps(x, n)), n)
        for n in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("how", COPIES)
def test_copies_start_empty(how):
    trainer = train(Trainer())
    other = COPIES[how](trainer)
    assert trainer.step.replays and other.step is not trainer.step and not other.step.replays
    assert other.step.owner is other and trainer.step.owner is trainer
    plain = copy.deepcopy(other)
    for _ in range(5):
        assert torch.equal(other.step(torch.tensor([0.5])), plain.plain(torch.tensor([0.5])))
    assert other.step.replays


@pytest.mark.parametrize("how", COPIES)
def test_copies_of_steps_start_empty(how):
    make = COPIES[how]
    trainer = train(Trainer())
    bound = make(trainer.step)
    assert not bound.replays and bound.owner.weight is not None
    assert (bound.owner is trainer) == (how == "copy")
    for step in (double, torch.capture(torch.tanh, fallback=True)):
        for _ in range(4):
            step(torch.ones(2))
        assert step.replays
        other = make(step)
        if step is double and how.startswith("pickle"):  # by name, as functions are
            assert other is double
        else:
            assert not other.replays and torch.equal(other(torch.ones(2)), step(torch.ones(2)))


def test_instances_without_dict_are_told():
    class Slim:
        __slots__ = ("weight",)

        @torch.capture
        def step(self, x):
            return x * 2

    with pytest.raises(TypeError, match="__dict__"):
        Slim().step(torch.ones(2))


def test_what_stands_around_a_method_is_seen():
    """``vars`` names every attribute, those of the captured steps as well."""

    class Holder:
        def __init__(self):
            self.scale = torch.tensor(2.0)

        @torch.capture
        def step(self, x):
            return (vars(self)["scale"] * x).tanh()

    holder = Holder()
    for k in range(8):
        if k == 5:
            holder.scale = torch.tensor(3.0)
        assert torch.equal(holder.step(torch.ones(2)), (holder.scale * torch.ones(2)).tanh())
    assert holder.step.replays
