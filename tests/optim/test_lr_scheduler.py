"""Schedules of learning rates: closed forms, chains, state, warnings."""

import copy
import gc
import math
import pickle
import warnings
import weakref

import hypothesis
import hypothesis.strategies as st
import pytest

import minigrad as torch
from minigrad import optim
from minigrad.optim import lr_scheduler as schedules
from minigrad.optim.swa_utils import SWALR


def optimizer_of(*rates, **options):
    groups = [{"params": [torch.ones(1, requires_grad=True)], "lr": rate} for rate in rates or (0.5,)]
    return optim.SGD(groups, **options)


def rates(scheduler, steps):
    """The first group's rate at the beginning and after each step."""
    group = scheduler.optimizer.param_groups[0]
    history = [group["lr"]]
    for _ in range(steps):
        scheduler.optimizer.step()
        scheduler.step()
        assert scheduler.get_last_lr()[0] == group["lr"]
        history.append(group["lr"])
    return history


def cosine(low, high, part):
    return low + (high - low) * (1 + math.cos(math.pi * part)) / 2


CLOSED = {
    "LambdaLR": (lambda o: schedules.LambdaLR(o, lambda t: 0.9**t), lambda t: 0.5 * 0.9**t),
    "MultiplicativeLR": (lambda o: schedules.MultiplicativeLR(o, lambda t: 0.9), lambda t: 0.5 * 0.9**t),
    "StepLR": (lambda o: schedules.StepLR(o, 3, 0.5), lambda t: 0.5 * 0.5 ** (t // 3)),
    "MultiStepLR": (
        lambda o: schedules.MultiStepLR(o, [2, 5, 5], 0.5),
        lambda t: 0.5 * 0.5 ** sum(t >= m for m in (2, 5, 5)),
    ),
    "ConstantLR": (lambda o: schedules.ConstantLR(o, 0.25, 4), lambda t: 0.5 * (0.25 if t < 4 else 1)),
    "LinearLR": (
        lambda o: schedules.LinearLR(o, 0.2, 0.8, 6),
        lambda t: 0.5 * (0.2 + 0.6 * min(t, 6) / 6),
    ),
    "ExponentialLR": (lambda o: schedules.ExponentialLR(o, 0.7), lambda t: 0.5 * 0.7**t),
    "PolynomialLR": (
        lambda o: schedules.PolynomialLR(o, 7, 2.0),
        lambda t: 0.5 * (1 - min(t, 7) / 7) ** 2,
    ),
    "CosineAnnealingLR": (
        lambda o: schedules.CosineAnnealingLR(o, 5, 0.1),
        lambda t: cosine(0.1, 0.5, t / 5),
    ),
    "CosineAnnealingWarmRestarts": (
        lambda o: schedules.CosineAnnealingWarmRestarts(o, 2, 2, 0.1),
        lambda t: cosine(0.1, 0.5, t / 2 if t < 2 else (t - 2) / 4 if t < 6 else (t - 6) / 8 if t < 14 else (t - 14) / 16),
    ),
    "CyclicLR": (
        lambda o: schedules.CyclicLR(o, 0.1, 0.5, 2, 4, cycle_momentum=False),
        lambda t: 0.1 + 0.4 * (t % 6 / 2 if t % 6 <= 2 else (6 - t % 6) / 4),
    ),
    "triangular2": (
        lambda o: schedules.CyclicLR(o, 0.1, 0.5, 2, mode="triangular2", cycle_momentum=False),
        lambda t: 0.1 + 0.4 * (1 - abs(t % 4 - 2) / 2) * 0.5 ** (t // 4),
    ),
    "exp_range": (
        lambda o: schedules.CyclicLR(o, 0.1, 0.5, 2, mode="exp_range", gamma=0.9, cycle_momentum=False),
        lambda t: 0.1 + 0.4 * (1 - abs(t % 4 - 2) / 2) * 0.9**t,
    ),
    "OneCycleLR": (
        lambda o: schedules.OneCycleLR(o, 0.5, 21, div_factor=5, final_div_factor=10, pct_start=5 / 21),
        lambda t: cosine(0.5, 0.1, t / 4) if t <= 4 else cosine(0.01, 0.5, (t - 4) / 16),
    ),
    "three phases": (
        lambda o: schedules.OneCycleLR(
            o, 0.5, 20, anneal_strategy="linear", div_factor=5, final_div_factor=10, pct_start=0.25, three_phase=True
        ),
        lambda t: (
            0.1 + 0.4 * t / 4 if t <= 4 else 0.5 - 0.4 * (t - 4) / 4 if t <= 8 else 0.1 - 0.09 * (t - 8) / 11
        ),
    ),
    "SWALR": (lambda o: SWALR(o, 0.1, 4), lambda t: cosine(0.5, 0.1, 1 - min(t, 4) / 4)),
    "SWALR linear": (
        lambda o: SWALR(o, 0.1, 4, "linear"),
        lambda t: 0.5 + (0.1 - 0.5) * min(t, 4) / 4,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLOSED)
def test_the_rates_are_the_closed_form(name):
    make, closed = CLOSED[name]
    scheduler = make(optimizer_of(momentum=0.9))
    assert rates(scheduler, 15) == pytest.approx([closed(t) for t in range(16)], abs=1e-12)


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("how", ["state_dict", "deepcopy"])
def test_resuming_goes_on(name, how):
    make, _ = CLOSED[name]
    scheduler = make(optimizer_of(momentum=0.9))
    rates(scheduler, 6)
    if how == "deepcopy":
        twin = copy.deepcopy(scheduler)
    else:
        twin = make(optimizer_of(momentum=0.9))
        twin.optimizer.load_state_dict(copy.deepcopy(scheduler.optimizer.state_dict()))
        state = scheduler.state_dict()
        twin.load_state_dict(state if name == "LambdaLR" else pickle.loads(pickle.dumps(state)))
    assert rates(twin, 6) == rates(scheduler, 6)


@pytest.mark.parametrize(
    "name",
    ["StepLR", "MultiStepLR", "ConstantLR", "LinearLR", "ExponentialLR", "PolynomialLR", "CosineAnnealingLR"],
)
@hypothesis.given(epoch=st.integers(0, 30))
def test_an_epoch_asks_for_the_closed_form(name, epoch):
    make, closed = CLOSED[name]
    scheduler = make(optimizer_of())
    scheduler.optimizer.step()
    with pytest.warns(UserWarning, match="The epoch parameter in `scheduler.step"):
        scheduler.step(epoch)
    assert scheduler.last_epoch == epoch
    assert scheduler.get_last_lr() == pytest.approx([closed(epoch)], abs=1e-12)


@hypothesis.given(
    first=st.integers(1, 5),
    second=st.integers(1, 5),
    gamma=st.floats(0.1, 1.0),
    groups=st.lists(st.floats(0.01, 1.0), min_size=1, max_size=3),
)
def test_chained_schedules_multiply(first, second, gamma, groups):
    optimizer = optimizer_of(*groups)
    parts = [
        schedules.StepLR(optimizer, first, gamma),
        schedules.ConstantLR(optimizer, 0.5, second),
        schedules.ExponentialLR(optimizer, gamma),
    ]
    chained = schedules.ChainedScheduler(parts)
    for t in range(1, 8):
        optimizer.step()
        chained.step()
        factor = gamma ** (t // first) * (0.5 if t < second else 1) * gamma**t
        assert chained.get_last_lr() == pytest.approx([rate * factor for rate in groups])


@hypothesis.given(milestones=st.lists(st.integers(1, 12), min_size=2, max_size=2, unique=True).map(sorted))
def test_sequences_begin_each_part_anew(milestones):
    optimizer = optimizer_of(1.0)
    parts = [
        schedules.ConstantLR(optimizer, 0.1, total_iters=20),
        schedules.ExponentialLR(optimizer, 0.5),
        schedules.StepLR(optimizer, 1, 0.9),
    ]
    scheduler = schedules.SequentialLR(optimizer, parts, milestones)
    a, b = milestones
    expected = [0.1 if t < a else 0.5 ** (t - a) if t < b else 0.9 ** (t - b) for t in range(15)]
    assert rates(scheduler, 14) == pytest.approx(expected)


def test_sequences_nest_and_resume():
    def make():
        optimizer = optimizer_of(1.0)
        inner = schedules.SequentialLR(
            optimizer, [schedules.ConstantLR(optimizer, 0.5, 9), schedules.ExponentialLR(optimizer, 0.9)], [2]
        )
        with pytest.warns(
            UserWarning, match="Detected call of"
        ):  # the inner one begins twice, in PyTorch too
            return schedules.SequentialLR(optimizer, [inner, schedules.StepLR(optimizer, 2, 0.5)], [4])

    whole = rates(make(), 9)
    assert whole[:4] == pytest.approx([0.5, 1.0, 0.9, 0.81]) and whole[4:8] == pytest.approx([1, 1, 0.5, 0.5])
    scheduler, twin = make(), make()
    rates(scheduler, 3)
    state = copy.deepcopy(scheduler.state_dict())
    twin.load_state_dict(state)
    assert state.keys() == scheduler.state_dict().keys()  # loading leaves the dict as it was
    twin.optimizer.load_state_dict(scheduler.optimizer.state_dict())
    assert rates(twin, 6) == whole[3:]


def test_momentum_goes_the_other_way_round():
    for optimizer in (optimizer_of(momentum=0.5), optim.Adam([torch.ones(1, requires_grad=True)])):
        group = optimizer.param_groups[0]
        momentum = lambda group=group: group["betas"][0] if "betas" in group else group["momentum"]
        scheduler = schedules.CyclicLR(optimizer, 0.1, 0.5, 2, base_momentum=0.7, max_momentum=0.9)
        seen = [momentum()]
        for _ in range(4):
            rates(scheduler, 1)
            seen.append(momentum())
        assert seen == pytest.approx([0.9, 0.8, 0.7, 0.8, 0.9])
        scheduler = schedules.OneCycleLR(
            optimizer, 1.0, 9, pct_start=1 / 3, base_momentum=0.7, max_momentum=0.9
        )
        seen = [momentum()]
        for _ in range(8):
            rates(scheduler, 1)
            seen.append(momentum())
        assert seen[0] == seen[-1] == pytest.approx(0.9) and seen[2] == min(seen) == pytest.approx(0.7)


def test_a_plateau_lowers_the_rate():
    scheduler = schedules.ReduceLROnPlateau(
        optimizer_of(1.0, 0.3), factor=0.5, patience=1, cooldown=1, min_lr=[0, 0.2]
    )
    seen = []
    for metric in (5, 4, 4, 4, 4, 4, 4, torch.tensor(3.0), 3.1, 3.0):
        scheduler.step(metric)
        seen.append(tuple(scheduler.get_last_lr()))
    assert seen == [(1, 0.3)] * 3 + [(0.5, 0.2)] * 3 + [(0.25, 0.2)] * 3 + [(0.125, 0.2)]
    assert scheduler.best == 3 and scheduler.in_cooldown


@pytest.mark.parametrize(
    "mode, threshold_mode, metrics, better",
    [
        ("min", "rel", [10, 9.1, 8.9], [True, False, True]),
        ("min", "abs", [10, 9.95, 9.8], [True, False, True]),
        ("max", "rel", [10, 10.9, 11.1], [True, False, True]),
        ("max", "abs", [10, 10.05, 10.2], [True, False, True]),
    ],
)
def test_what_is_better_on_a_plateau(mode, threshold_mode, metrics, better):
    scheduler = schedules.ReduceLROnPlateau(
        optimizer_of(), mode, threshold=0.1, threshold_mode=threshold_mode, patience=99
    )
    seen = []
    for metric in metrics:
        scheduler.step(metric)
        seen.append(scheduler.num_bad_epochs == 0)
    assert seen == better


def test_a_plateau_with_a_group_added_later():
    optimizer = optimizer_of(1.0)
    scheduler = schedules.ReduceLROnPlateau(optimizer, patience=0, factor=0.5)
    fixed = schedules.ReduceLROnPlateau(optimizer, patience=0, min_lr=[0.1])
    optimizer.add_param_group({"params": [torch.ones(1, requires_grad=True)], "lr": 2.0})
    for metric in (1.0, 2.0):
        scheduler.step(metric)
    assert scheduler.get_last_lr() == [0.5, 1.0]
    fixed.step(1.0)
    with pytest.raises(RuntimeError, match=r"number of param groups in the `optimizer` \(2\) differs"):
        fixed.step(2.0)


def test_a_tensor_stays_the_rate():
    for make, closed in CLOSED.values():
        rate = torch.tensor(0.5, dtype=torch.float64)
        optimizer = optim.SGD([torch.ones(1, requires_grad=True)], lr=rate, momentum=0.9)
        scheduler = make(optimizer)
        for _ in range(3):
            optimizer.step()
            scheduler.step()
        assert optimizer.param_groups[0]["lr"] is rate
        assert rate.item() == pytest.approx(closed(3))
        assert scheduler.get_last_lr()[0] is not rate


def test_warnings_about_the_order_of_steps():
    scheduler = schedules.StepLR(optimizer_of(), 2)
    with pytest.warns(
        UserWarning, match=r"Detected call of `lr_scheduler.step\(\)` before `optimizer.step\(\)`"
    ):
        scheduler.step()
    scheduler.step()  # once is enough
    scheduler = schedules.StepLR(optimizer_of(), 2)
    scheduler.optimizer.step = lambda: None
    with pytest.warns(UserWarning, match=r"Seems like `optimizer.step\(\)` has been overridden"):
        scheduler.step()
    scheduler = schedules.StepLR(optimizer_of(), 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rates(scheduler, 2)


def test_get_lr_is_for_step():
    scheduler = schedules.ExponentialLR(optimizer_of(), 0.5)
    with pytest.warns(UserWarning, match="To get the last learning rate computed by the scheduler"):
        assert scheduler.get_lr() == [0.25]
    with pytest.raises(NotImplementedError):
        schedules.LRScheduler(optimizer_of())


def test_a_users_scheduler():
    class Inverse(schedules._LRScheduler):
        def get_lr(self):
            return [base / (1 + self.last_epoch) for base in self.base_lrs]

    assert rates(Inverse(optimizer_of(1.0)), 3) == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])


def test_last_epoch_resumes_a_schedule():
    optimizer = optimizer_of(0.5)
    with pytest.raises(KeyError, match="param 'initial_lr' is not specified in param_groups"):
        schedules.StepLR(optimizer, 2, last_epoch=3)
    for name in ("LambdaLR", "StepLR", "CosineAnnealingLR", "ExponentialLR", "LinearLR"):
        make, _ = CLOSED[name]
        whole = rates(make(optimizer_of()), 8)
        optimizer = optimizer_of(whole[3])
        optimizer.param_groups[0]["initial_lr"] = 0.5
        later = {
            "LambdaLR": lambda o: schedules.LambdaLR(o, lambda t: 0.9**t, last_epoch=2),
            "StepLR": lambda o: schedules.StepLR(o, 3, 0.5, last_epoch=3),
            "CosineAnnealingLR": lambda o: schedules.CosineAnnealingLR(o, 5, 0.1, last_epoch=2),
            "ExponentialLR": lambda o: schedules.ExponentialLR(o, 0.7, last_epoch=2),
            "LinearLR": lambda o: schedules.LinearLR(o, 0.2, 0.8, 6, last_epoch=2),
        }[name](optimizer)
        if name != "StepLR":
            assert rates(later, 5) == pytest.approx(whole[3:])
        assert later.base_lrs == [0.5]


def test_callable_objects_are_saved_with_their_attributes():
    class Scale:
        def __init__(self, base):
            self.base = base

        def __call__(self, t):
            return self.base**t

    scheduler = schedules.LambdaLR(optimizer_of(1.0), Scale(0.5))
    state = scheduler.state_dict()
    assert state["lr_lambdas"] == [{"base": 0.5}]
    twin = schedules.LambdaLR(optimizer_of(1.0), Scale(0.9))
    twin.load_state_dict(state)
    assert rates(twin, 2) == [1.0, 0.5, 0.25]
    assert schedules.LambdaLR(optimizer_of(), lambda t: 1.0).state_dict()["lr_lambdas"] == [None]
    cyclic = schedules.CyclicLR(optimizer_of(), 0.1, 0.5, 2, scale_fn=Scale(0.5), cycle_momentum=False)
    assert cyclic.state_dict()["_scale_fn_custom"] == {"base": 0.5}
    assert rates(cyclic, 2)[-1] == pytest.approx(0.1 + 0.4 * 0.5)


def test_fractions_of_epochs():
    scheduler = schedules.CosineAnnealingWarmRestarts(optimizer_of(1.0), 2, 2)
    for epoch, place, length in ((0.5, 0.5, 2), (2.0, 0.0, 4), (5.5, 3.5, 4), (6.0, 0.0, 8), (1.0, 1.0, 2)):
        scheduler.step(epoch)
        assert (scheduler.T_cur, scheduler.T_i, scheduler.last_epoch) == (place, length, math.floor(epoch))
        assert scheduler.get_last_lr() == pytest.approx([cosine(0, 1, place / length)])
    with pytest.raises(ValueError, match="Expected non-negative epoch, but got -1"):
        scheduler.step(-1)


def test_a_scheduler_keeps_no_optimizer_alive():
    gc.collect()
    gc.disable()
    try:
        optimizer = optimizer_of()
        scheduler = schedules.StepLR(optimizer, 2)
        gone = weakref.ref(optimizer)
        del optimizer, scheduler
        assert gone() is None
    finally:
        gc.enable()


TWO = optimizer_of(0.1, 0.2)
ADAGRAD = optim.Adagrad([torch.ones(1, requires_grad=True)])


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: schedules.StepLR(3, 1), TypeError, "int is not an Optimizer"),
        (lambda: schedules.ReduceLROnPlateau(3), TypeError, "int is not an Optimizer"),
        (lambda: schedules.CyclicLR(3, 0, 1), TypeError, "int is not an Optimizer"),
        (lambda: schedules.OneCycleLR(3, 1, 10), TypeError, "int is not an Optimizer"),
        (lambda: schedules.LambdaLR(TWO, [lambda t: 1]), ValueError, "Expected 2 lr_lambdas, but got 1"),
        (lambda: schedules.MultiplicativeLR(TWO, 5), TypeError, "lr_lambda should be a function, but got int"),
        (lambda: schedules.ConstantLR(TWO, 2), ValueError, "factor expected to be between 0 and 1"),
        (lambda: schedules.LinearLR(TWO, 0), ValueError, "Starting multiplicative factor expected"),
        (lambda: schedules.LinearLR(TWO, 1, 2), ValueError, "Ending multiplicative factor expected"),
        (lambda: schedules.CosineAnnealingWarmRestarts(TWO, 0), ValueError, "positive integer T_0, but got 0"),
        (lambda: schedules.CosineAnnealingWarmRestarts(TWO, 1, 0), ValueError, "integer T_mult >= 1, but got 0"),
        (lambda: schedules.CosineAnnealingWarmRestarts(TWO, 1, 1, "a"), ValueError, "float or int eta_min, but got a"),
        (lambda: schedules.CyclicLR(TWO, 0, 1, mode="x"), ValueError, "mode is invalid and scale_fn is None"),
        (lambda: schedules.CyclicLR(TWO, [0], 1), ValueError, "base_lr has 1 values, param_groups has 2"),
        (lambda: schedules.CyclicLR(ADAGRAD, 0, 1), ValueError, "optimizer must support momentum or beta1"),
        (lambda: schedules.OneCycleLR(ADAGRAD, 1, 10), ValueError, "optimizer must support momentum or beta1"),
        (lambda: schedules.OneCycleLR(TWO, 1), ValueError, "You must define either total_steps OR"),
        (lambda: schedules.OneCycleLR(TWO, 1, 0), ValueError, "Expected positive integer total_steps, but got 0"),
        (lambda: schedules.OneCycleLR(TWO, 1, epochs=1, steps_per_epoch=0.5), ValueError, "integer steps_per_epoch"),
        (lambda: schedules.OneCycleLR(TWO, 1, 10, pct_start=2), ValueError, "float between 0 and 1 pct_start, but got 2"),
        (lambda: schedules.OneCycleLR(TWO, 1, 10, anneal_strategy="x"), ValueError, "must be one of 'cos' or 'linear'"),
        (lambda: schedules.ReduceLROnPlateau(TWO, factor=1.0), ValueError, "Factor should be < 1.0."),
        (lambda: schedules.ReduceLROnPlateau(TWO, "x"), ValueError, "mode x is unknown!"),
        (lambda: schedules.ReduceLROnPlateau(TWO, threshold_mode="x"), ValueError, "threshold mode x is unknown!"),
        (lambda: schedules.ReduceLROnPlateau(TWO, min_lr=[1]), ValueError, "expected 2 min_lrs, got 1"),
        (lambda: schedules.SequentialLR(TWO, [], []), ValueError, "expects at least one scheduler"),
        (lambda: schedules.SequentialLR(TWO, [schedules.StepLR(TWO, 1)], [1]), ValueError, "one more than the number"),
        (lambda: schedules.SequentialLR(TWO, [schedules.StepLR(ADAGRAD, 1)], []), ValueError, "belong to the same optimizer"),
        (lambda: schedules.SequentialLR(TWO, [schedules.ReduceLROnPlateau(TWO)], []), ValueError, "does not support `Reduce"),
        (lambda: schedules.SequentialLR(TWO, [3], []), TypeError, "should have `optimizer` as its attribute"),
        (lambda: schedules.ChainedScheduler([]), ValueError, "expects at least one scheduler to be chained"),
        (lambda: schedules.ChainedScheduler([schedules.StepLR(TWO, 1)], ADAGRAD), ValueError, "belong to the same optimizer"),
        (lambda: SWALR(TWO, 0.1, -1), ValueError, "anneal_epochs must be equal or greater than 0, got -1"),
        (lambda: SWALR(TWO, 0.1, anneal_strategy="x"), ValueError, "must be one of 'cos' or 'linear', instead got x"),
        (lambda: SWALR(TWO, [0.1]), ValueError, "swa_lr has 1 values, param_groups has 2"),
    ],
)  # fmt: skip
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_one_cycle_ends():
    scheduler = schedules.OneCycleLR(optimizer_of(momentum=0.9), 1.0, 3)
    rates(scheduler, 3)
    scheduler.optimizer.step()
    with pytest.raises(ValueError, match="Tried to step 4 times. The specified number of total steps is 3"):
        scheduler.step()
