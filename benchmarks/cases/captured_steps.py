"""Steps that are captured, against the same steps under PyTorch, which runs them eagerly, and against the same written by hand in NumPy."""

import functools
import importlib.util
import os
import shutil

from benchmarks import timing
from benchmarks.cases.models import models
from benchmarks.cases.small_graphs import chains, operands
from benchmarks.cases.training_steps import adam, digits_mlp, evenly, set_weights, sgd, steps
from benchmarks.peak_memory import bytes_at_peak, bytes_held
from benchmarks.registry import Measurement, Subject, compare, difference
from benchmarks.runner import Runner

captured = Subject("Captured steps, against PyTorch's eager ones")

#: The modules that have the same steps in NumPy, and compiled by PyTorch.
BY_HAND, COMPILED = "benchmarks.others.numpy_by_hand", "benchmarks.others.torch_compiled"


def what_is_missing():
    """What ``torch.compile`` needs and is not here, in words; empty if nothing is."""
    if importlib.util.find_spec("torch") is None:
        return "PyTorch is not installed"
    if not any(name and shutil.which(name) for name in (os.environ.get("CXX"), "g++", "clang++")):
        return "there is no C++ compiler for torch.compile"
    return ""


def capture(torch, step):
    """``step``, captured where the library can do that."""
    return torch.capture(step) if hasattr(torch, "capture") else step


def trainer(torch, model, criterion, optimizer, *batch):
    """The function that takes one captured step and returns the loss."""

    def step(x, target):
        optimizer.zero_grad()
        loss = criterion(model(x), target)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return functools.partial(capture(torch, step), *batch)


def tiny_mlp(torch, make_optimizer):
    nn = torch.nn
    layers = nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1)
    model = set_weights(torch, nn.Sequential(*layers))
    optimizer = make_optimizer(torch, model.parameters())
    return trainer(torch, model, nn.MSELoss(), optimizer, evenly(torch, 8, 8), evenly(torch, 8, 1))


def together(name, torch, parameters, **options):
    """An optimizer that moves all parameters as one; PyTorch's is what it is by default, since that is quicker there."""
    if hasattr(torch, "capture"):
        options["foreach"] = True
    return getattr(torch.optim, name)(parameters, **options)


TINY = {
    "SGD": (sgd, 0.09),
    "SGD, foreach": (functools.partial(together, "SGD", lr=0.01), 0.09),
    "Adam": (adam, 0.15),
    "Adam, foreach": (functools.partial(together, "Adam", lr=0.001), 0.08),
}
for name, (make_optimizer, bar) in TINY.items():
    captured.timed(f"8-8-8-1 tanh MLP, batch 8, {name}", bar=bar)(
        functools.partial(tiny_mlp, make_optimizer=make_optimizer)
    )


@captured.timed("100 times z = (z*y + y).tanh() on 4 elements, backward", bar=0.22)
def tanh_chain(torch):
    x, y = operands(torch)

    def step(x):
        y.grad = None
        z = x
        for _ in range(100):
            z = (z * y + y).tanh()
        z.sum().backward()
        return y.grad

    return functools.partial(capture(torch, step), x)


@captured.timed("LSTMCell, 20 steps, batch 8, 32 units, Adam", bar=0.25)
def lstm_cell(torch):
    cell = set_weights(torch, torch.nn.LSTMCell(32, 32))

    def final_state(x):
        h = c = x.new_zeros(8, 32)
        for each in x.unbind():
            h, c = cell(each, (h, c))
        return h

    optimizer = adam(torch, cell.parameters())
    x, target = evenly(torch, 20, 8, 32), evenly(torch, 8, 32)
    return trainer(torch, final_state, torch.nn.MSELoss(), optimizer, x, target)


@captured.timed("784-256-128-10 ReLU MLP, batch 64, Adam", bar=0.85)
def digits_step(torch):
    model, *batch = digits_mlp(torch)
    return trainer(torch, model, torch.nn.CrossEntropyLoss(), adam(torch, model.parameters()), *batch)


def against_hand(session, path):
    """The captured step against the same in NumPy, each in a process of its own on one thread."""
    runners = [session.runner(library, 1) for library in (session.target.__name__, BY_HAND)]
    note = difference(*[runner.ask("set_up", path) for runner in runners])
    return compare(timing.alternate(runners, session.rounds, 0.01 if session.quick else 0.025), note)


for name in TINY:
    name = f"8-8-8-1 tanh MLP, batch 8, {name}"
    captured.measured(f"{name}, against NumPy by hand", bar=1.2, unit="s")(
        functools.partial(against_hand, path=captured.path(name))
    )


def against_compiled(session, path):
    """The captured step against the same step compiled by PyTorch, each in a process of its own on one thread."""
    missing = what_is_missing()
    libraries = (session.target.__name__, COMPILED)[: 1 if missing else 2]
    runners = [session.runner(library, 1) for library in libraries]
    found = [runner.ask("set_up", path) for runner in runners]
    note = missing or difference(*found)
    return compare(timing.alternate(runners, session.rounds, 0.01 if session.quick else 0.025), note)


def until_ready(session, path):
    """What the first three calls take, after which a captured step runs its plan, against those of the step compiled by PyTorch; both in processes that have imported the library."""
    times = []
    for library in (session.target.__name__, COMPILED)[: 1 if what_is_missing() else 2]:
        runner = Runner(library, 1)
        try:
            runner.ask("make_ready", path)
            times.append(3 * runner.ask("sample", 3))
        finally:
            runner.close()
    return Measurement.single(times[0], times[1] if times[1:] else None, what_is_missing())


for name in ("8-8-8-1 tanh MLP, batch 8, Adam", "784-256-128-10 ReLU MLP, batch 64, Adam"):
    captured.measured(f"{name}, against torch.compile", unit="s")(
        functools.partial(against_compiled, path=captured.path(name))
    )
    captured.measured(f"{name}, first three calls, against torch.compile", unit="s")(
        functools.partial(until_ready, path=captured.path(name))
    )


def first_result(session, path):
    """What the first call takes in a process that has only imported the library, against 0.2 s."""
    runner = Runner(session.target.__name__, 1)
    try:
        runner.ask("make_ready", path)
        return Measurement.single(runner.ask("sample", 1), 0.2)
    finally:
        runner.close()


for name in ("8-8-8-1 tanh MLP, batch 8, Adam", "784-256-128-10 ReLU MLP, batch 64, Adam"):
    captured.measured(f"{name}, first result, against 0.2 s", bar=1.0, unit="s")(
        functools.partial(first_result, path=captured.path(name))
    )


def held(session, path, eager):
    """What stays because the step is captured, against the peak of the eager step."""
    library = session.target.__name__
    more = bytes_held(library, path) - bytes_held(library, eager)
    return Measurement.single(more, bytes_at_peak(library, eager))


for name, eager in (
    ("8-8-8-1 tanh MLP, batch 8, Adam", steps.path("8-8-8-1 tanh MLP, batch 8, Adam")),
    ("784-256-128-10 ReLU MLP, batch 64, Adam", models.path("784-256-128-10 ReLU MLP, batch 64, Adam")),
    (
        "100 times z = (z*y + y).tanh() on 4 elements, backward",
        chains.path("z = (z*y + y).tanh(), backward"),
    ),
):
    captured.measured(f"{name}, memory held, against the eager step's peak", bar=1.0, unit="bytes")(
        functools.partial(held, path=captured.path(name), eager=eager)
    )
