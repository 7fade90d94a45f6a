"""Whole training steps, captured: every call leaves the same bits behind as the step as it is."""

import copy
import gc
import queue
import threading
import weakref

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional as F

OPTIMIZERS = {
    "SGD": {"lr": 0.1},
    "SGD momentum": {"lr": 0.1, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.01},
    "SGD nesterov": {"lr": 0.1, "momentum": 0.9, "nesterov": True, "maximize": True},
    "Adam": {"lr": 0.01},
    "Adam amsgrad": {"lr": 0.01, "amsgrad": True, "weight_decay": 0.1},
    "AdamW": {"lr": 0.01},
    "Adamax": {"lr": 0.01},
    "NAdam": {"lr": 0.01},
    "RAdam": {"lr": 0.01},
    "Adagrad": {"lr": 0.01},
    "Adadelta": {"lr": 0.5},
    "RMSprop": {"lr": 0.01, "momentum": 0.5, "centered": True},
    "Rprop": {"lr": 0.01},
    "ASGD": {"lr": 0.01},
    "SGD foreach": {"lr": 0.1, "foreach": True},
    "SGD foreach momentum": {"lr": 0.1, "foreach": True, "momentum": 0.9, "weight_decay": 0.01},
    "Adam foreach": {"lr": 0.01, "foreach": True},
    "AdamW foreach": {"lr": 0.01, "foreach": True, "amsgrad": True},
    "RMSprop foreach": {"lr": 0.01, "foreach": True, "centered": True, "momentum": 0.5},
}


class Run:
    """A model, its optimizer and schedule, and a step of ``body``."""

    def __init__(self, model, body, optimizer="SGD", schedule=None):
        torch.manual_seed(0)
        self.model = model()
        self.optimizer = getattr(torch.optim, optimizer.split()[0])(
            self.model.parameters(), **OPTIMIZERS[optimizer]
        )
        self.schedule = schedule and schedule(self.optimizer)
        self.body = body

    def step(self, *args):
        return self.body(self, *args)

    def state(self):
        """All that a step may change."""
        tensors = [*self.model.state_dict().values()]
        grads = [p.grad for p in self.model.parameters()]
        buffers = [
            v
            for state in self.optimizer.state.values()
            for v in state.values()
            if isinstance(v, torch.Tensor)
        ]
        versions = [p._version for p in self.model.parameters()]
        rates = [group["lr"] for group in self.optimizer.param_groups]
        return (
            [
                None if t is None else (t.dtype, t.stride(), t.detach().numpy().tobytes())
                for t in tensors + grads + buffers
            ],
            versions,
            rates,
        )


def bits(x):
    leaves = torch.utils._pytree.tree_leaves(x)
    return [
        (y.dtype, y.stride(), y.requires_grad, y.detach().numpy().tobytes())
        if isinstance(y, torch.Tensor)
        else y
        for y in leaves
    ]


def captured_of(run):
    step = torch.capture(run.step)
    run.captured = step
    return step


def agree(
    model,
    body,
    optimizer="SGD",
    schedule=None,
    batch=lambda: (torch.randn(8, 4), torch.randn(8, 1)),
    calls=8,
    replayed=True,
):
    """Assert that captured steps do what the steps do, and that they are replayed in the end."""
    plain, other = (Run(model, body, optimizer, schedule) for _ in range(2))
    step = captured_of(other)
    for seed in range(calls):
        torch.manual_seed(seed)
        want = plain.step(*batch())
        after = torch.get_rng_state()
        torch.manual_seed(seed)
        got = step(*batch())
        assert bits(got) == bits(want)
        assert torch.equal(after, torch.get_rng_state())
        assert other.state() == plain.state()
    assert step.replays == replayed
    return plain, other


def mlp():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


def train(run, x, y):
    run.optimizer.zero_grad()
    loss = F.mse_loss(run.model(x), y)
    loss.backward()
    run.optimizer.step()
    if run.schedule is not None:
        run.schedule.step()
    return loss.detach()


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_optimizers(optimizer):
    agree(mlp, train, optimizer, calls=20)


@pytest.mark.parametrize(
    "schedule",
    [
        lambda o: torch.optim.lr_scheduler.StepLR(o, 3),
        lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 10),
        lambda o: torch.optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=30, cycle_momentum=False),
    ],
    ids=["StepLR", "CosineAnnealingLR", "OneCycleLR"],
)
@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_schedules(optimizer, schedule):
    agree(mlp, train, optimizer, schedule, calls=20)


MODELS = {
    "dropout": (lambda: nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.3), nn.Linear(8, 1)), None),
    "batch norm": (
        lambda: nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1)),
        None,
    ),
    "layer norm": (lambda: nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.GELU(), nn.Linear(8, 1)), None),
    "convolution": (
        lambda: nn.Sequential(nn.Conv2d(1, 3, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(12, 1)),
        lambda: (torch.randn(5, 1, 6, 6), torch.randn(5, 1)),
    ),
    "embedding": (
        lambda: nn.Sequential(nn.Embedding(10, 4), nn.Flatten(), nn.Linear(12, 1)),
        lambda: (torch.randint(0, 10, (5, 3)), torch.randn(5, 1)),
    ),
    "double": (lambda: mlp().double(), lambda: (torch.randn(8, 4).double(), torch.randn(8, 1).double())),
    "a slice of a data set": (mlp, lambda: (torch.randn(16, 4)[3:11], torch.randn(8, 3)[:, 1:2])),
}


@pytest.mark.parametrize("name", MODELS)
def test_models(name):
    model, batch = MODELS[name]
    agree(model, train, "Adam", **({} if batch is None else {"batch": batch}))


def clipped(run, x, y):
    run.optimizer.zero_grad()
    loss = F.mse_loss(run.model(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(run.model.parameters(), 0.1)
    run.optimizer.step()
    return loss.detach(), norm


def zeroed_at_the_end(run, x, y):
    loss = F.mse_loss(run.model(x), y)
    loss.backward()
    run.optimizer.step()
    run.optimizer.zero_grad()
    return loss.detach()


def accumulated(run, x, y):
    run.optimizer.zero_grad()
    for part in range(2):
        rows = slice(4 * part, 4 * part + 4)
        F.mse_loss(run.model(x[rows]), y[rows]).backward()
    run.optimizer.step()


def by_hand(run, x, y):
    loss = F.mse_loss(run.model(x), y)
    grads = torch.autograd.grad(loss, list(run.model.parameters()))
    with torch.no_grad():
        for p, g in zip(run.model.parameters(), grads):
            p -= 0.1 * g
    return loss.detach(), grads


def with_writes(run, x, y):
    run.optimizer.zero_grad()
    h = run.model[0](x)
    h[:, 1] = 0.5
    h = h.clone().mul_(2)
    h[h.shape[0] // 2 :] += 1.0
    loss = (run.model[2](h.tanh_()) - y).square().mean()
    loss.backward()
    run.optimizer.step()
    return loss.detach()


def penalised(run, x, y):
    run.optimizer.zero_grad()
    x = x.requires_grad_()
    out = run.model(x)
    (slope,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    loss = F.mse_loss(out, y) + slope.square().mean() + sum((p * p).sum() for p in run.model.parameters())
    loss.backward()
    run.optimizer.step()
    return loss.detach()


def leaf_of_its_own(run, x, y):
    run.optimizer.zero_grad()
    x = x.detach().requires_grad_()
    out = run.model(x)
    (slope,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    loss = F.mse_loss(out, y) + slope.square().mean()
    loss.backward()
    run.optimizer.step()
    return loss.detach(), slope.detach()


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x * x * g


def custom(run, x, y):
    run.optimizer.zero_grad()
    loss = F.mse_loss(run.model[2](Cube.apply(run.model[0](x))), y)
    loss.backward()
    run.optimizer.step()
    return loss.detach()


def mixed(run, x, y):
    run.optimizer.zero_grad()
    with torch.autocast("cpu", torch.bfloat16):
        out = run.model(x)
    loss = F.mse_loss(out.float(), y)
    loss.backward()
    run.optimizer.step()
    return loss.detach()


@pytest.mark.parametrize(
    "body",
    [
        clipped,
        zeroed_at_the_end,
        accumulated,
        by_hand,
        with_writes,
        penalised,
        leaf_of_its_own,
        custom,
        mixed,
    ],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("optimizer", ["Adam", "Adam foreach"])
def test_steps(body, optimizer):
    agree(mlp, body, optimizer)


def test_an_explanation_tells_the_parts_of_a_step_apart():
    _, other = agree(mlp, train)
    explanation = other.captured.explain(torch.randn(8, 4), torch.randn(8, 1))
    parts = {line.strip().partition("(")[0]: part for part, line in explanation.lines}
    assert (parts["tanh"], parts["refill"]) == ("forward", "update")
    assert {part for part, line in explanation.lines if ", d_" in line and "(d_" not in line} == {"backward"}
    assert sum(explanation.calls().values()) == len(explanation.lines) - 2
    html = explanation._repr_html_()
    assert all(part in html for part in ("forward", "backward", "update")) and "<script" not in html
    for _, line in explanation.lines:
        assert line in explanation


def test_small_parameters_move_as_one():
    _, other = agree(mlp, train, "Adam foreach")
    source = other.captured.explain(torch.randn(8, 4), torch.randn(8, 1))
    assert source.count("sqrt(") == 1 and "subtract(parameters, " in source, source
    assert "copyto" not in source and "setitem" not in source, source


def test_gradients_that_are_added_to_from_call_to_call():
    def body(run, x, y):
        loss = F.mse_loss(run.model(x), y)
        loss.backward()
        return loss.detach()

    agree(mlp, body)


def test_forward_alone():
    def body(run, x, y):
        with torch.no_grad():
            return run.model(x), {"error": (run.model(x) - y).abs()}

    agree(mlp, body)


def test_what_is_kept_stays_as_it_was():
    run = Run(mlp, train, "Adam")
    step = captured_of(run)
    kept = []
    for _ in range(8):
        loss = step(torch.randn(8, 4), torch.randn(8, 1))
        found = [loss, *[p.grad for p in run.model.parameters()]]
        kept.append((found, [t.clone() for t in found]))
    assert step.replays
    for found, copies in kept:
        assert all(map(torch.equal, found, copies))


HOLDS = {
    "the tensor": lambda g: (g, lambda held: held.clone()),
    "a view": lambda g: (g.reshape(-1), lambda held: held.clone()),
    "an element": lambda g: (g.detach()[..., 0], lambda held: held.clone()),
    "the array": lambda g: (g.numpy(), lambda held: torch.tensor(held.tolist())),
    "the storage": lambda g: (g.untyped_storage(), lambda held: torch.tensor(held.tolist())),
    "a buffer": lambda g: (memoryview(g.numpy()), lambda held: torch.tensor(held.tolist())),
}


@pytest.mark.parametrize("how", HOLDS)
@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("optimizer", ["Adam", "Adam foreach"])
def test_gradients_that_are_held_stay_as_they_were(how, which, optimizer):
    plain, other = Run(mlp, train, optimizer), Run(mlp, train, optimizer)
    step = captured_of(other)
    held = []
    for call in range(12):
        batch = torch.randn(8, 4), torch.randn(8, 1)
        assert torch.equal(plain.step(*batch), step(*batch))
        assert plain.state() == other.state()
        if call % 3 == 2:
            kept, copied = HOLDS[how](list(other.model.parameters())[which].grad)
            held.append((kept, copied, copied(kept)))
            if call == 8:
                other.optimizer.zero_grad()
                plain.optimizer.zero_grad()
    assert step.replays
    assert all(torch.equal(copied(kept), copy) for kept, copied, copy in held)


def test_gradients_that_nobody_holds_take_the_same_memory():
    run = Run(mlp, train)
    step = captured_of(run)
    addresses = []
    for _ in range(8):
        step(torch.randn(8, 4), torch.randn(8, 1))
        addresses.append([p.grad.data_ptr() for p in run.model.parameters()])
    assert len({*map(tuple, addresses[4:])}) == 1


@pytest.mark.parametrize("body", [train, clipped], ids=lambda f: f.__name__)
def test_gradients_that_are_changed_between_calls(body):
    """What is done to a gradient, or put in its place, is gone at the next step; an attribute as well."""
    plain, other = Run(mlp, body), Run(mlp, body)
    step = captured_of(other)
    mine = []
    for call in range(20):
        batch = torch.randn(8, 4), torch.randn(8, 1)
        assert bits(plain.step(*batch)) == bits(step(*batch))
        assert plain.state() == other.state()
        grads = [p.grad for run in (plain, other) for p in run.model.parameters()]
        assert not any(hasattr(g, "mine") for g in grads)
        assert [g._version for g in grads[:4]] == [g._version for g in grads[4:]]
        if call % 4 == 0:
            grads[5].mul_(2)
        elif call % 4 == 1:
            grads[4].mine = call
        elif call % 4 == 2:
            list(other.model.parameters())[1].grad = torch.ones(8)
            mine.append(list(other.model.parameters())[1].grad)
        del grads
    assert step.replays and all(torch.equal(g, torch.ones(8)) for g in mine)


def test_weights_that_are_replaced_while_a_step_is_noted():
    run = Run(mlp, lambda run, x: run.model(x).detach())
    step = captured_of(run)
    for call in range(14):
        if call < 6:
            run.model[0].weight.data = torch.randn(8, 4)
        x = torch.randn(3, 4)
        assert torch.equal(step(x), run.model(x))
    assert step.replays


def test_a_plan_keeps_no_array_of_the_run_that_was_noted():
    noted = queue.SimpleQueue()

    def step(x):
        y = x.exp()
        noted.put(weakref.ref(y._array.array if step.replays is False else y._array))
        return y.sin()

    step = torch.capture(step)
    for _ in range(4):
        step(torch.randn(3))
    gc.collect()
    assert step.replays
    assert noted.qsize() == 2
    assert noted.get()() is noted.get()() is None


def test_plans_that_are_forgotten_hold_nothing():
    run = Run(mlp, train, "Adam")
    step = captured_of(run)
    gc.collect()
    gc.disable()
    try:
        for _ in range(6):
            step(torch.randn(8, 4), torch.randn(8, 1))
        assert step.replays
        step.reset()
        arrays = [weakref.ref(p._array) for p in run.model.parameters()]
        for p in run.model.parameters():
            p.data = p.detach().clone()
        assert [ref() for ref in arrays] == [None] * 4
    finally:
        gc.enable()


def test_other_shapes_have_plans_of_their_own():
    plain, other = Run(mlp, train, "Adam"), Run(mlp, train, "Adam")
    step = captured_of(other)
    for size in (8, 8, 8, 8, 3, 3, 3, 3, 8, 3):
        batch = torch.randn(size, 4), torch.randn(size, 1)
        assert torch.equal(plain.step(*batch), step(*batch))
    assert plain.state() == other.state()


@pytest.mark.parametrize("optimizer", ["Adam", "Adam foreach"])
def test_weights_rates_and_modes_that_change(optimizer):
    plain, other = Run(MODELS["dropout"][0], train, optimizer), Run(MODELS["dropout"][0], train, optimizer)
    step = captured_of(other)
    saved = None
    for call in range(30):
        for run in (plain, other):
            if call == 6:
                run.optimizer.param_groups[0]["lr"] = 0.5
            if call == 8:
                with torch.no_grad():
                    run.model[0].weight.mul_(0.5)
            if call == 10:
                run.model.eval()
            if call == 15:
                run.model.train()
                run.optimizer.param_groups[0]["weight_decay"] = 0.1
            if call == 20:
                saved = copy.deepcopy((run.model.state_dict(), run.optimizer.state_dict()))
                run.model.load_state_dict(saved[0])
                run.optimizer.load_state_dict(saved[1])
            if call == 25:
                run.model[2].weight.requires_grad_(False)
        torch.manual_seed(call)
        batch = torch.randn(8, 4), torch.randn(8, 1)
        torch.manual_seed(call)
        want = plain.step(*batch)
        torch.manual_seed(call)
        assert torch.equal(want, step(*batch)), call
        assert plain.state() == other.state(), call


REFUSED = {
    "a number is read": lambda x: x.sum().item(),
    "a branch": lambda x: x if x.sum() > 0 else -x,
    "an array is asked for": lambda x: torch.from_numpy(x.numpy() + 1),
    "a mask selects": lambda x: x[x > 0],
    "the places of what is not zero": lambda x: x.nonzero(),
    "a view of an argument": lambda x: x.view(-1),
    "a storage": lambda x: x * x.untyped_storage()[0],
    "elements of a storage": lambda x: x * x._typed_storage().tolist()[0],
    "a counter": lambda x, calls=[]: (calls.append(0), x * len(calls))[1],
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_captured(name):
    step = torch.capture(REFUSED[name])
    with pytest.raises(RuntimeError, match="cannot be captured"):
        for _ in range(5):
            step(torch.tensor([1.0, 2.0]))


@pytest.mark.parametrize("name", REFUSED)
def test_fallback(name):
    function = REFUSED[name]
    step = torch.capture(lambda *args: REFUSED[name](*args), fallback=True)
    calls_before = list(function.__defaults__[0]) if function.__defaults__ else None
    for call in range(6):
        x = torch.tensor([1.0, 2.0]) + call
        got = step(x)
        if calls_before is None:
            assert bits(got) == bits(function(x))
        assert type(x._array).__name__ == "ndarray"
    assert not step.replays


def test_the_line_is_told():
    def step(x):
        y = x * 2
        return y if y.sum() > 0 else x

    with pytest.raises(RuntimeError, match=r"reads the elements.*line \d+ of .*test_steps.py"):
        torch.capture(step)(torch.ones(2))


def test_after_an_error_all_is_as_it_was():
    run = Run(mlp, train, "Adam")
    step = torch.capture(lambda x: run.model(x).sum().item())
    with pytest.raises(RuntimeError):
        step(torch.ones(8, 4))
    assert all(type(p._array).__name__ == "ndarray" for p in run.model.parameters())
    assert torch.isfinite(train(run, torch.ones(8, 4), torch.ones(8, 1)))


def test_an_error_of_the_step_itself():
    def step(x, y):
        return x @ y

    captured = torch.capture(step)
    with pytest.raises(RuntimeError, match="size mismatch|shapes"):
        captured(torch.ones(2, 3), torch.ones(2, 3))
    assert torch.equal(captured(torch.ones(2, 3), torch.ones(3, 2)), torch.full((2, 2), 3.0))


def test_two_threads():
    run = Run(mlp, lambda run, x, y: F.mse_loss(run.model(x), y).detach())
    step = captured_of(run)
    batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(40)]
    with torch.no_grad():
        want = [run.step(*batch) for batch in batches]
    found = [None] * len(batches)

    def work(start):
        with torch.no_grad():
            for i in range(start, len(batches), 2):
                found[i] = step(*batches[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(map(torch.equal, found, want))


def test_other_threads_compute_with_what_is_being_captured():
    weight = torch.randn(4, 4)
    x = torch.randn(4, 4)
    want = (weight @ x).tanh()
    found = queue.SimpleQueue()

    def step(y):
        z = weight @ y
        other = threading.Thread(target=lambda: found.put((weight @ x).tanh().sum().item()))
        other.start()
        other.join()
        return z.tanh()

    captured = torch.capture(step)
    for _ in range(4):
        assert torch.equal(captured(x), want)
    assert captured.replays
    assert found.qsize() == 2  # while it was noted
    assert {found.get() for _ in range(2)} == {want.sum().item()}


def test_a_captured_step_in_another():
    inner = torch.capture(lambda x: (x * 2).tanh())
    outer = torch.capture(lambda x: inner(x) + inner(x * 3))
    for k in range(8):
        x = torch.randn(3)
        assert torch.equal(outer(x), (x * 2).tanh() + (x * 3 * 2).tanh())


def test_indices_out_of_range_are_found_in_replays():
    table = torch.randn(10, 3)
    step = torch.capture(lambda i: table.index_select(0, i) * 2)
    for _ in range(4):
        step(torch.tensor([1, 2]))
    with pytest.raises(IndexError, match="out of range"):
        step(torch.tensor([1, 12]))


def test_draws_of_what_then_runs_whole_are_drawn_once():
    """``normal`` draws and then looks at the deviations, so that it is noted as one call."""
    step = lambda x: torch.normal(x, x.abs()) + torch.rand(4)
    captured = torch.capture(step)
    for seed in range(6):
        x = torch.randn(4)
        torch.manual_seed(seed)
        want = step(x)
        torch.manual_seed(seed)
        assert torch.equal(captured(x), want)
    assert captured.replays


SIZES = {
    "unique": lambda x: x.unique() + 1,
    "unique_consecutive": lambda x: x.unique_consecutive() + 1,
    "unique along a dimension": lambda x: x.reshape(2, 2).unique(dim=0) + 1,
    "masked_select": lambda x: x.masked_select(x > 0.5) + 1,
    "repeat_interleave": lambda x: x.repeat_interleave(x.long()) + 1,
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_that_depend_on_elements_are_refused(name):
    """Also where the notings happen to see the same size."""
    step = torch.capture(SIZES[name])
    with pytest.raises(RuntimeError, match="cannot be captured: the shape of the result"):
        step(torch.tensor([0.0, 1.0, 2.0, 3.0]))


def test_draws_that_nobody_needs_are_drawn():
    def step(x):
        torch.nn.functional.dropout(x, 0.5)
        return torch.nn.functional.dropout(x, 0.5)

    captured = torch.capture(step)
    for seed in range(6):
        x = torch.randn(20)
        torch.manual_seed(seed)
        want = step(x)
        torch.manual_seed(seed)
        assert torch.equal(captured(x), want)
    assert captured.replays


TABLE = torch.zeros(4)


def test_tensors_that_are_found_by_name_are_followed():
    """``nonzero`` looks at its operand at once, before any op sees it."""
    step = torch.capture(lambda x: x + TABLE.nonzero().sum())
    with pytest.raises(RuntimeError, match="nonzero"):
        step(torch.ones(2))


def test_explain():
    step = torch.capture(lambda x: torch.linalg.inv(x) * 2)
    assert "no call" in step.explain(torch.eye(2))
    for _ in range(3):
        step(torch.eye(2))
    text = step.explain(torch.eye(2))
    assert "runs whole" in text
    assert "multiply(" in text
    assert "def replay(x0):" in text
    step.reset()
    assert "no call" in step.explain(torch.eye(2))
