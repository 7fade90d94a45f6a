"""The same optimizers and schedules under PyTorch: trajectories, state dicts both ways."""

import inspect

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

import minigrad

real = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

rate = st.floats(1e-3, 1.0)
decay = st.sampled_from([0, 0.01, 0.5])
beta = st.tuples(st.floats(0.1, 0.99), st.floats(0.1, 0.999))
eps = st.sampled_from([1e-8, 1e-3])
flag = st.booleans()

#: What each optimizer's options are drawn from.
OPTIONS = {
    "SGD": {"lr": rate, "momentum": st.sampled_from([0, 0.9]), "dampening": st.sampled_from([0, 0.3]), "weight_decay": decay, "maximize": flag},
    "Adam": {"lr": rate, "betas": beta, "eps": eps, "weight_decay": decay, "amsgrad": flag, "maximize": flag, "decoupled_weight_decay": flag},
    "AdamW": {"lr": rate, "betas": beta, "eps": eps, "weight_decay": decay, "amsgrad": flag, "maximize": flag},
    "Adamax": {"lr": rate, "betas": beta, "eps": eps, "weight_decay": decay, "maximize": flag},
    "NAdam": {"lr": rate, "betas": beta, "weight_decay": decay, "momentum_decay": st.floats(0, 1), "decoupled_weight_decay": flag, "maximize": flag},
    "RAdam": {"lr": rate, "betas": beta, "weight_decay": decay, "decoupled_weight_decay": flag, "maximize": flag},
    "Adagrad": {"lr": rate, "lr_decay": decay, "weight_decay": decay, "initial_accumulator_value": decay, "maximize": flag},
    "Adadelta": {"lr": rate, "rho": st.floats(0, 1), "eps": eps, "weight_decay": decay, "maximize": flag},
    "RMSprop": {"lr": rate, "alpha": st.floats(0.1, 0.99), "eps": eps, "weight_decay": decay, "momentum": st.sampled_from([0, 0.9]), "maximize": flag},
    "Rprop": {"lr": rate, "etas": st.tuples(st.floats(0.1, 0.9), st.floats(1.1, 2)), "maximize": flag},
    "ASGD": {"lr": rate, "lambd": decay, "alpha": st.floats(0, 1), "t0": st.sampled_from([0, 2, 1e6]), "weight_decay": decay, "maximize": flag},
    "Adafactor": {"lr": rate, "beta2_decay": st.floats(-1, 0), "d": st.floats(1, 3), "weight_decay": decay, "maximize": flag},
}  # fmt: skip
SHAPES = ((), (3,), (2, 3), (2, 2, 2))


def values(*key, shape, dtype):
    return np.random.default_rng(key).normal(size=shape).astype(dtype)


class Run:
    """Two groups of parameters under a library, moved by fixed gradients."""

    def __init__(self, library, name, options, second, dtype="float64"):
        self.library, self.dtype = library, dtype
        self.params = [
            library.tensor(values(0, i, shape=shape, dtype=dtype), requires_grad=True)
            for i, shape in enumerate(SHAPES)
        ]
        groups = [{"params": self.params[:2]}, {"params": self.params[2:], **second}]
        self.optimizer = getattr(library.optim, name)(groups, **options)

    def step(self, t):
        for i, p in enumerate(self.params):
            without = (t + i) % 4 == 3
            p.grad = (
                None if without else self.library.tensor(values(t, i, shape=tuple(p.shape), dtype=self.dtype))
            )
        self.optimizer.step()

    def now(self):
        return [p.detach().numpy().copy() for p in self.params]


def agree(ours, theirs, **tolerance):
    for x, y in zip(ours.now(), theirs.now(), strict=True):
        np.testing.assert_allclose(x, y, **tolerance)


@pytest.mark.parametrize("name", OPTIONS)
@hypothesis.settings(max_examples=25)
@hypothesis.given(data=st.data())
def test_trajectories(name, data):
    options = data.draw(st.fixed_dictionaries({}, optional=OPTIONS[name]))
    second = data.draw(st.fixed_dictionaries({}, optional=OPTIONS[name]))
    if name in ("Adam", "Adamax", "NAdam", "RAdam", "AdamW", "RMSprop", "Adadelta"):
        second.pop("maximize", None)
    ours, theirs = (Run(library, name, options, second) for library in (minigrad, real))
    for t in range(1, 7):
        ours.step(t)
        theirs.step(t)
        agree(ours, theirs, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", OPTIONS)
def test_single_precision_trajectories(name):
    ours, theirs = (Run(library, name, {"lr": 0.01}, {}, "float32") for library in (minigrad, real))
    for t in range(1, 21):
        ours.step(t)
        theirs.step(t)
        agree(ours, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("source, target", [(real, minigrad), (minigrad, real)], ids=["from", "to"])
def test_state_dicts_are_exchanged_with_pytorch(name, source, target, tmp_path):
    first = Run(source, name, {"lr": 0.01}, {"lr": 0.02})
    for t in range(1, 5):
        first.step(t)
    source.save(first.optimizer.state_dict(), tmp_path / "state")
    second = Run(target, name, {}, {})
    for p, now in zip(second.params, first.now(), strict=True):
        with target.no_grad():
            p.copy_(target.tensor(now))
    second.optimizer.load_state_dict(target.load(tmp_path / "state", weights_only=True))
    assert [group["lr"] for group in second.optimizer.param_groups] == [0.01, 0.02]
    for t in range(5, 9):
        first.step(t)
        second.step(t)
        agree(first, second, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", [*OPTIONS, "LBFGS", "SparseAdam", "Muon"])
def test_signatures_and_texts(name):
    ours, theirs = getattr(minigrad.optim, name), getattr(real.optim, name)
    signatures = [
        [(p.name, p.kind, p.default) for p in inspect.signature(cls).parameters.values()]
        for cls in (ours, theirs)
    ]
    assert signatures[0] == signatures[1]
    reprs = [repr(getattr(lib.optim, name)([lib.ones(2, 2, requires_grad=True)])) for lib in (minigrad, real)]
    assert reprs[0] == reprs[1]


@pytest.mark.parametrize("line_search", [None, "strong_wolfe"])
@pytest.mark.parametrize("history", [1, 3, 100])
def test_lbfgs(line_search, history):
    found = []
    for library in (minigrad, real):
        p = library.tensor([-1.2, 1.0, 0.5], dtype=library.float64, requires_grad=True)
        rate = 1.0 if line_search else 0.01
        optimizer = library.optim.LBFGS(
            [p], lr=rate, max_iter=7, history_size=history, line_search_fn=line_search
        )

        def closure(optimizer=optimizer, p=p):
            optimizer.zero_grad()
            loss = ((1 - p[:-1]) ** 2 + 10 * (p[1:] - p[:-1] ** 2) ** 2).sum()
            loss.backward()
            return loss

        losses = [optimizer.step(closure).item() for _ in range(4)]
        state = optimizer.state[p]
        found.append(
            (losses, p.tolist(), state["func_evals"], state["n_iter"], len(state["ro"]), sorted(state))
        )
    ours, theirs = found
    assert ours[0] == pytest.approx(theirs[0], rel=1e-6) and ours[1] == pytest.approx(theirs[1], rel=1e-6)
    assert ours[2:] == theirs[2:]


def test_muon():
    found = []
    for library in (minigrad, real):
        p = library.tensor(values(0, shape=(4, 6), dtype="float32"), requires_grad=True)
        optimizer = library.optim.Muon([p], lr=0.1)
        for t in range(1, 4):
            p.grad = library.tensor(values(t, shape=(4, 6), dtype="float32"))
            optimizer.step()
        found.append(p.detach().numpy())
    np.testing.assert_allclose(*found, rtol=1e-3, atol=1e-3)


SCHEDULES = {
    "LambdaLR": lambda s, o: s.LambdaLR(o, [lambda t: 0.9**t, lambda t: 1 / (1 + t)]),
    "MultiplicativeLR": lambda s, o: s.MultiplicativeLR(o, lambda t: 0.9),
    "StepLR": lambda s, o: s.StepLR(o, 3),
    "MultiStepLR": lambda s, o: s.MultiStepLR(o, [2, 5]),
    "ConstantLR": lambda s, o: s.ConstantLR(o),
    "LinearLR": lambda s, o: s.LinearLR(o),
    "ExponentialLR": lambda s, o: s.ExponentialLR(o, 0.9),
    "PolynomialLR": lambda s, o: s.PolynomialLR(o, 6, 1.5),
    "CosineAnnealingLR": lambda s, o: s.CosineAnnealingLR(o, 4, 0.01),
    "CosineAnnealingWarmRestarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 3, 2),
    "CyclicLR": lambda s, o: s.CyclicLR(o, 0.01, [0.1, 0.2], 3, mode="exp_range", gamma=0.9),
    "OneCycleLR": lambda s, o: s.OneCycleLR(o, [0.1, 0.2], 20),
    "SequentialLR": lambda s, o: s.SequentialLR(o, [s.LinearLR(o), s.StepLR(o, 2)], [4]),
    "ChainedScheduler": lambda s, o: s.ChainedScheduler([s.LinearLR(o), s.StepLR(o, 2)]),
}


def scheduled(library, name):
    params = [library.ones(1, requires_grad=True) for _ in range(2)]
    optimizer = library.optim.SGD(
        [{"params": params[:1]}, {"params": params[1:], "lr": 0.2}], lr=0.1, momentum=0.9
    )
    return SCHEDULES[name](library.optim.lr_scheduler, optimizer)


def rates(scheduler, count):
    for _ in range(count):
        scheduler.optimizer.step()
        scheduler.step()
        yield [*scheduler.get_last_lr(), *(group["momentum"] for group in scheduler.optimizer.param_groups)]


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules_are_the_same_to_the_last_bit(name):
    assert list(rates(scheduled(minigrad, name), 12)) == list(rates(scheduled(real, name), 12))


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("source, target", [(real, minigrad), (minigrad, real)], ids=["from", "to"])
def test_schedules_are_exchanged_with_pytorch(name, source, target):
    first, second = scheduled(source, name), scheduled(target, name)
    list(rates(first, 4))
    assert list(first.state_dict()) == list(scheduled(target, name).state_dict())
    second.optimizer.load_state_dict(first.optimizer.state_dict())
    second.load_state_dict(first.state_dict())
    assert list(rates(first, 8)) == list(rates(second, 8))


@pytest.mark.parametrize("library", [minigrad, real], ids=["minigrad", "torch"])
def test_swapping_in_other_parameters(library):
    p, q = (library.ones(2, requires_grad=True) for _ in range(2))
    p.grad, q.grad = library.ones(2), library.full((2,), 2.0)
    optimizer = library.optim.Adam([p], lr=0.5)
    optimizer.step()
    swap = library.optim.swap_in_optimizer_params_and_state
    with swap(optimizer, {"q": q}, optimizer.state_dict()):
        assert optimizer.param_groups[0]["params"][0] is q
        optimizer.step()
    assert optimizer.param_groups[0]["params"][0] is p and list(optimizer.state) == [p]
    assert q.tolist() == pytest.approx([1 - 0.5 * 0.29 / 0.19 / ((0.004999 / 0.001999) ** 0.5)] * 2, rel=1e-5)
    with (
        pytest.raises(RuntimeError, match="requires initialized optimizer state"),
        swap(library.optim.Adam([q]), {"q": q}, optimizer.state_dict()),
    ):
        pass
    with (
        pytest.raises(RuntimeError, match="has a different number of parameter groups"),
        swap(optimizer, {"q": q}, {"state": {}, "param_groups": []}),
    ):
        pass
