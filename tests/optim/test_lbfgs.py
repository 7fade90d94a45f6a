"""L-BFGS and its line search."""

import copy
import pickle

import numpy as np
import pytest

import minigrad as torch
from minigrad import optim
from minigrad.optim._line_search import Point, cubic_minimum, strong_wolfe


def rosenbrock(p):
    return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2


def closure_of(optimizer, loss_of):
    p = optimizer.param_groups[0]["params"][0]

    def closure():
        optimizer.zero_grad()
        loss = loss_of(p)
        loss.backward()
        return loss

    return closure


def start(**options):
    p = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
    return p, optim.LBFGS([p], **options)


def test_the_line_search_finds_rosenbrocks_valley():
    p, optimizer = start(line_search_fn="strong_wolfe", max_iter=100)
    first = optimizer.step(closure_of(optimizer, rosenbrock))
    assert first.item() == pytest.approx(24.2)
    np.testing.assert_allclose(p.detach().numpy(), [1, 1], atol=1e-4)
    assert optimizer.state[p]["func_evals"] < 80


def test_without_line_search_a_quadratic_takes_few_steps():
    p = torch.tensor([1.0, -2.0, 3.0], dtype=torch.float64, requires_grad=True)
    optimizer = optim.LBFGS([p])
    scales = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    optimizer.step(closure_of(optimizer, lambda p: (scales * (p - 5) ** 2).sum()))
    np.testing.assert_allclose(p.detach().numpy(), [5, 5, 5], atol=1e-6)
    assert optimizer.state[p]["n_iter"] < 15


def test_limits():
    for options, key, limit in (
        ({"max_iter": 3, "max_eval": 9, "lr": 1e-3}, "n_iter", 3),
        ({"max_eval": 4, "lr": 1e-3}, "func_evals", 4),
    ):
        p, optimizer = start(**options)
        optimizer.step(closure_of(optimizer, rosenbrock))
        assert optimizer.state[p][key] == limit
    p, optimizer = start(history_size=2, line_search_fn="strong_wolfe")
    optimizer.step(closure_of(optimizer, rosenbrock))
    assert [len(optimizer.state[p][key]) for key in ("old_dirs", "old_stps", "ro", "al")] == [2, 2, 2, 2]
    assert optimizer.defaults["max_eval"] == 25


def test_nothing_is_done_where_the_gradient_vanishes():
    p = torch.zeros(2, requires_grad=True)
    optimizer = optim.LBFGS([p])
    assert optimizer.step(closure_of(optimizer, lambda p: (p * p).sum())).item() == 0
    assert optimizer.state[p] == {"func_evals": 1, "n_iter": 0}


@pytest.mark.parametrize("how", ["state_dict", "deepcopy", "pickle"])
def test_resuming(how):
    p, optimizer = start(line_search_fn="strong_wolfe", max_iter=4)
    optimizer.step(closure_of(optimizer, rosenbrock))
    if how == "state_dict":
        q = p.detach().clone().requires_grad_()
        twin = optim.LBFGS([q], line_search_fn="strong_wolfe", max_iter=4)
        twin.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    else:
        pair = (p, optimizer)
        q, twin = copy.deepcopy(pair) if how == "deepcopy" else pickle.loads(pickle.dumps(pair))
    for each in (optimizer, twin):
        each.step(closure_of(each, rosenbrock))
    assert p.tolist() == q.tolist()


def test_complex_parameters_and_ones_without_gradient():
    z = torch.tensor([1 + 2j], dtype=torch.complex128, requires_grad=True)
    q = torch.ones(2, dtype=torch.float64, requires_grad=True)
    optimizer = optim.LBFGS([z, q])

    def closure():
        optimizer.zero_grad()
        loss = (z - (3 - 1j)).abs().square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    np.testing.assert_allclose(z.detach().numpy(), [3 - 1j], atol=1e-7)
    assert q.tolist() == [1, 1]


def test_refused():
    p, q = (torch.ones(1, requires_grad=True) for _ in range(2))
    with pytest.raises(ValueError, match="LBFGS doesn't support per-parameter options"):
        optim.LBFGS([{"params": [p]}, {"params": [q]}])
    optimizer = optim.LBFGS([p], line_search_fn="other")
    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        optimizer.step(closure_of(optimizer, lambda p: (p * p).sum()))
    optimizer.add_param_group({"params": [q]})
    with pytest.raises(AssertionError, match="Expected exactly one param_group, but got 2"):
        optimizer.step(lambda: 1.0)


def test_the_cubic_through_two_points():
    f, slope = lambda t: t**3 - 3 * t, lambda t: torch.tensor(3.0 * t**2 - 3)
    points = [Point(t, f(t), None, slope(t)) for t in (0.0, 3.0)]
    assert float(cubic_minimum(*points)) == pytest.approx(1)
    assert float(cubic_minimum(*reversed(points))) == pytest.approx(1)
    assert float(cubic_minimum(*points, bounds=(1.5, 2))) == 1.5
    without = [Point(0.0, 0.0, None, torch.tensor(3.0)), Point(1.0, 2.0, None, torch.tensor(3.0))]
    assert cubic_minimum(*without) == 0.5


def test_the_strong_wolfe_conditions_hold():
    direction = torch.tensor([1.0], dtype=torch.float64)
    for f in (lambda t: (t - 3) ** 4, lambda t: (t - 0.01) ** 2, lambda t: (t - 40) ** 2 + (5 * t).sin()):

        def evaluate(t, f=f):
            x = torch.tensor([float(t)], dtype=torch.float64, requires_grad=True)
            loss = f(x).sum()
            return loss.item(), torch.autograd.grad(loss, x)[0]

        loss, gradient = evaluate(0.0)
        slope = gradient.dot(direction)
        found, new, t, count = strong_wolfe(evaluate, 1.0, direction, loss, gradient, slope, 25)
        assert found <= loss + 1e-4 * float(t) * float(slope) and abs(float(new)) <= -0.9 * float(slope)
        assert (found, count <= 26) == (pytest.approx(evaluate(t)[0]), True)


@pytest.mark.torch
@pytest.mark.parametrize("t, limit", [(1.0, 25), (10.0, 25), (0.001, 25), (50.0, 3), (0.01, 0)])
def test_the_line_search_can_be_called(t, limit):
    """As ``_strong_wolfe``, which programs take from ``torch.optim.lbfgs``: the loss is neither convex nor the same in all dimensions."""
    import importlib

    found = []
    for name in ("torch", "minigrad"):
        library, lbfgs = importlib.import_module(name), importlib.import_module(f"{name}.optim.lbfgs")

        def after(x, t, d, library=library):
            p = (x + t * d).detach().requires_grad_()
            loss = ((p - library.tensor([3.0, 1.0])) ** 2).sum() + p.cos().sum()
            loss.backward()
            return float(loss), p.grad

        x = library.tensor([0.5, -0.5], dtype=library.float64)
        loss, gradient = after(x, 0, x)
        d = -gradient
        loss, gradient, t_found, tries = lbfgs._strong_wolfe(
            after, x, t, d, loss, gradient, gradient.dot(d), max_ls=limit
        )
        found.append([loss, *gradient.tolist(), float(t_found), tries])
    assert found[1] == pytest.approx(found[0], rel=1e-9)
