"""What captured steps read and change of the program around them, between the calls and in them: the same bits as without capture, or a refusal."""

import contextlib
import copy
import itertools
import random

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional as F


class Program:
    """A model, an optimizer, and whatever else a step has at hand."""

    def __init__(self):
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        self.extra = nn.Linear(4, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scale, self.scales, self.options = 1.0, [1.0], {"scale": 1.0}
        self.calls, self.losses, self.last = 0, [], None
        self.generator = torch.Generator().manual_seed(1)
        self.array = torch.ones(4).numpy()

    def state(self):
        tensors = [*self.model.parameters(), *self.extra.parameters()]
        found = [
            (bits(p), p.requires_grad, p._version, None if p.grad is None else bits(p.grad)) for p in tensors
        ]
        return found, self.calls, list(map(bits, self.losses)), bits(self.generator.get_state())


def bits(x):
    return (x.dtype, x.stride(), x.detach().numpy().tobytes()) if isinstance(x, torch.Tensor) else x


def train(w, x, y, factor=1.0, out=None):
    w.optimizer.zero_grad()
    loss = F.mse_loss(w.model(x) if out is None else out, y) * factor
    loss.backward()
    w.optimizer.step()
    return loss.detach()


class Doubled(torch.autograd.Function):
    factor = 2.0

    @staticmethod
    def forward(ctx, x):
        return x * Doubled.factor

    @staticmethod
    def backward(ctx, g):
        return g * Doubled.factor


FACTOR = 1.0


def set_factor(w, value):
    global FACTOR
    FACTOR = value


def set_class(w, value):
    Doubled.factor = value


def set_grads(w, value):
    for p in w.model.parameters():
        p.grad = None if value is None else torch.full_like(p, value)


def freeze_while(w, x, y):
    for p in w.model.parameters():
        p.requires_grad_(True)
    loss = train(w, x, y)
    for p in w.model.parameters():
        p.requires_grad_(False)
    w.extra(x).sum().backward()
    return loss


def accumulate(w, x, y):
    loss = F.mse_loss(w.model(x), y)
    loss.backward()
    return loss.detach()


def without(p):
    del p.optimizer.param_groups[0]["params"][0]


#: What is done before the fifth call, and the step if it is not ``train``.
CHANGES = {
    "a global": (lambda w: set_factor(w, 2.0), lambda w, x, y: train(w, x, y, FACTOR)),
    "an attribute": (lambda w: setattr(w, "scale", 2.0), lambda w, x, y: train(w, x, y, w.scale)),
    "an element of a list": (
        lambda w: w.scales.__setitem__(0, 2.0),
        lambda w, x, y: train(w, x, y, w.scales[0]),
    ),
    "an item of a dict": (
        lambda w: w.options.update(scale=2.0),
        lambda w, x, y: train(w, x, y, w.options["scale"]),
    ),
    "an attribute of a class": (
        lambda w: set_class(w, 3.0),
        lambda w, x, y: train(w, x, y, out=Doubled.apply(w.model(x))),
    ),
    "a NumPy array": (
        lambda w: w.array.fill(2),
        lambda w, x, y: train(w, x, y, torch.tensor(w.array[0].item())),
    ),
    "a generator": (
        lambda w: setattr(w, "generator", torch.Generator().manual_seed(5)),
        lambda w, x, y: train(w, x + torch.randn(8, 4, generator=w.generator), y),
    ),
    "the state of a generator": (
        lambda w: w.generator.manual_seed(5),
        lambda w, x, y: train(w, x + torch.randn(8, 4, generator=w.generator), y),
    ),
    "the rate, which is read": (
        lambda w: w.optimizer.param_groups[0].update(lr=0.5),
        lambda w, x, y: train(w, x, y, w.optimizer.param_groups[0]["lr"]),
    ),
    "a module": (lambda w: w.model.__setitem__(1, nn.ReLU()), train),
    "the model": (lambda w: setattr(w, "model", copy.deepcopy(w.model)), train),
    "a hook on a module": (lambda w: w.model[0].register_forward_hook(lambda m, args, out: out * 2), train),
    "a hook on a parameter": (lambda w: w.model[0].weight.register_hook(lambda g: g * 2) and None, train),
    "a hook after a gradient": (
        lambda w: w.model[0].weight.register_post_accumulate_grad_hook(lambda p: p.grad.mul_(2)),
        train,
    ),
    "a hook on the optimizer": (
        lambda w: w.optimizer.register_step_pre_hook(lambda o, args, kwargs: set_grads(w, 1.0)),
        train,
    ),
    "a group": (
        lambda w: w.optimizer.add_param_group({"params": w.extra.parameters()}),
        lambda w, x, y: train(w, x, y, out=w.model(x) + w.extra(x)),
    ),
    "a parameter less": (without, train),
    "no gradients": (lambda w: set_grads(w, None), accumulate),
    "other gradients": (lambda w: set_grads(w, 1.0), accumulate),
    "requires_grad": (lambda w: w.model[0].weight.requires_grad_(False), train),
    "data": (lambda w: setattr(w.model[0].weight, "data", torch.ones(8, 4)), train),
    "a frozen model": (lambda w: None, freeze_while),
}


@pytest.fixture(autouse=True)
def as_at_first():
    yield
    set_factor(None, 1.0)
    set_class(None, 2.0)


@pytest.mark.parametrize("name", CHANGES)
def test_changes_between_calls(name):
    change, body = CHANGES[name]
    plain, other = Program(), Program()
    step = torch.capture(lambda x, y: body(other, x, y))
    batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(9)]
    found = []
    for w, call in ((plain, lambda x, y: body(plain, x, y)), (other, step)):
        as_before = []
        set_factor(w, 1.0)
        set_class(w, 2.0)
        for i, batch in enumerate(batches):
            if i == 4:
                change(w)
            as_before.append((bits(call(*batch)), w.state()))
        found.append(as_before)
        assert w is plain or step.replays
    for i, (want, got) in enumerate(zip(*found)):
        assert got == want, i


def counted(w, x, y):
    w.calls += 1
    return train(w, x, y)


def listed(w, x, y):
    w.losses.append(train(w, x, y))


def remembered(w, x, y):
    w.last = train(w, x, y)


def rate_by_hand(w, x, y):
    w.optimizer.param_groups[0]["lr"] *= 0.5
    return train(w, x, y)


STREAM = random.Random(0)
NUMBERS = itertools.count()
#: What is refused, and a part of the reason.
REFUSED = {
    "a counter": (counted, "changes calls of a Program from"),
    "a list": (listed, "changes what is in a list"),
    "a tensor that is kept": (remembered, "changes last of a Program"),
    "a rate set by hand": (rate_by_hand, "changes lr in a group of SGD"),
    "Python's random numbers": (
        lambda w, x, y: train(w, x, y, 1 + (random.random() > 2)),
        "draws random numbers",
    ),
    "another stream": (lambda w, x, y: train(w, x, y, 1 + (STREAM.random() > 2)), "draws random numbers"),
    "an iterator": (lambda w, x, y: train(w, x, y, 1 + 0 * next(NUMBERS)), "can read from a count"),
    "a seed": (lambda w, x, y: torch.manual_seed(0) and train(w, x, y), "state of a random generator"),
    "grad mode": (lambda w, x, y: torch.set_grad_enabled(False) and None, "leaves grad mode"),
    "results in one memory": (lambda w, x, y: (z := x * 2, z[1:]), "several tensors in the same memory"),
    "a view of a parameter": (
        lambda w, x, y: w.model[0].weight[1:].detach(),
        "view of a tensor that was there before",
    ),
    "an inference tensor": (lambda w, x, y: torch.inference_mode()(lambda: x * 2)(), "inference mode"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    body, reason = REFUSED[name]
    w = Program()

    def step(x, y):
        return body(w, x, y)

    captured = torch.capture(step)
    with (
        pytest.raises(RuntimeError, match=f"cannot be captured: .*{reason}.*line \\d+ of"),
        torch.enable_grad(),
    ):
        for _ in range(5):
            torch.set_grad_enabled(True)
            captured(torch.randn(8, 4), torch.randn(8, 1))


ARGUMENTS = {
    "zeros of both signs": (lambda x, k: x / k, lambda i: (torch.ones(2), (0.0, -0.0)[i % 2])),
    "numbers of other types": (
        lambda x, k: x * k if isinstance(k, int) else x - k,
        lambda i: (torch.ones(2), (1, 1.0, True)[i % 3]),
    ),
    "nan": (lambda x, k: x * k, lambda i: (torch.ones(2), float("nan"))),
    "slices": (lambda x, s: x[s] * 2, lambda i: (torch.randn(4), slice(i % 2, 3))),
    "a tensor twice": (lambda x, y: x.mul_(2) + y, lambda i: (z := torch.randn(4), z)),
    "parts of one memory that are read": (lambda x, y: x * y, lambda i: ((z := torch.randn(9))[:-1], z[1:])),
    "gradients that are there": (
        lambda p: (p * p).sum().backward(),
        lambda i: (with_grad(torch.randn(4), i > 3),),
    ),
    "hooks": (lambda p: (p * p).sum().backward(), lambda i: (with_hook(torch.randn(4), i > 3),)),
}


def with_grad(x, wanted):
    x.requires_grad_()
    x.grad = torch.ones(4) if wanted else None
    return x


def with_hook(x, wanted):
    x.requires_grad_()
    if wanted:
        x.register_hook(lambda g: g * 3)
    return x


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(name):
    step, arguments = ARGUMENTS[name]
    captured = torch.capture(step)
    for i in range(14):
        found = []
        for call in (step, captured):
            torch.manual_seed(i)
            args = arguments(i)
            result = call(*args)
            tensors = [x for x in args if isinstance(x, torch.Tensor)]
            found.append((bits(result), [(bits(x), x._version, bits(x.grad)) for x in tensors]))
        assert found[0] == found[1], i


def test_writes_to_shared_memory_are_refused():
    for step in (lambda x, y: x.mul_(2) + y, lambda x, y: y.mul_(2) + x):
        z = torch.ones(5)
        with pytest.raises(RuntimeError, match="shares with another tensor"):
            torch.capture(step)(z[:3], z[2:])
        assert torch.equal(z, torch.ones(5))
        same = torch.ones(5)
        got = torch.capture(step, fallback=True)(z[:3], z[2:])
        assert torch.equal(got, step(same[:3], same[2:]))
    buffer = torch.ones(4)
    with pytest.raises(RuntimeError, match="shares with another tensor"):
        torch.capture(lambda x: buffer.add_(1)[0] + x.sum())(buffer[:2])


MODES = {
    "autocast": lambda: torch.autocast("cpu", torch.bfloat16),
    "hooks on saved tensors": lambda: torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x * 2),
    "anomaly mode": lambda: torch.autograd.detect_anomaly(check_nan=False),
    "no_grad": torch.no_grad,
}


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
@pytest.mark.parametrize("name", MODES)
def test_modes_around_a_call(name):
    w = torch.randn(4, 4, requires_grad=True)

    def step(x):
        y = (x @ w).tanh()
        return [y.detach(), *([*torch.autograd.grad(y.sum(), w)] if y.requires_grad else [])]

    captured = torch.capture(step)
    for i in range(8):
        x = torch.randn(4, 4)
        with MODES[name]() if i % 8 > 4 else contextlib.nullcontext():
            assert list(map(bits, captured(x))) == list(map(bits, step(x))), i


def test_default_dtype():
    step = torch.capture(lambda x: x + torch.ones(3) * 0.1)
    try:
        for i in range(8):
            torch.set_default_dtype(torch.float32 if i < 4 else torch.float64)
            assert step(torch.zeros(3, dtype=torch.float32)).dtype is torch.get_default_dtype()
    finally:
        torch.set_default_dtype(torch.float32)


def test_large_operators_have_the_same_bits():
    """Kernels that share large work among threads, or take another way for arrays, do so in replays too."""
    x, w = torch.randn(300, 300), torch.randn(300, 300)
    at = torch.arange(2000) % 300
    lstm = nn.LSTM(4, 5)
    for step in (
        lambda x: x @ w,
        lambda x: F.linear(x, w, w[0]),
        lambda x: torch.stack([x, x]) @ torch.stack([w, w]),
    ):
        captured = torch.capture(step)
        assert [bits(captured(x)) for _ in range(4)] == [bits(step(x))] * 4
    gathered = lambda x: torch.autograd.grad(x[at].square().sum(), x)[0]
    captured = torch.capture(gathered)
    x.requires_grad_()
    assert [bits(captured(x)) for _ in range(4)] == [bits(gathered(x))] * 4
    layer = lambda x: torch.autograd.grad(lstm(x)[0].square().sum(), list(lstm.parameters()))
    captured = torch.capture(layer)
    x = torch.randn(6, 2, 4)
    assert [list(map(bits, captured(x))) for _ in range(4)] == [list(map(bits, layer(x)))] * 4


def test_histories_end_with_the_step():
    w = torch.ones(2, requires_grad=True)
    step = torch.capture(lambda x: (x * w).sum())
    for _ in range(3):
        loss = step(torch.ones(2))
    with pytest.raises(RuntimeError, match="ends with the step"):
        loss.backward()


def test_what_differs_at_each_call_runs_eagerly_in_the_end():
    scale = 0

    def step(x):
        return x * scale

    captured = torch.capture(step)
    for i in range(60):
        scale = i // 2
        assert torch.equal(captured(torch.ones(2)), torch.full((2,), float(scale)))
    assert "different at each call" in captured.explain(torch.ones(2))
