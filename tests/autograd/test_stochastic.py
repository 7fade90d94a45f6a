"""Draws as nodes: ``reinforce()`` of 2017 beside what draws are today."""

import copy
import gc
import io
import math
import pickle
import weakref

import numpy as np
import pytest

import minigrad
from minigrad.autograd import Variable, backward, grad

pytestmark = pytest.mark.filterwarnings("ignore:.*API of 2017")


def parameters(*values, dtype=minigrad.float64):
    return Variable(minigrad.tensor(values, dtype=dtype), requires_grad=True)


def slope(log_probability, at, weights):
    """The gradient, by central differences, of the sum of ``weights * log_probability(x)`` at ``x = at``."""
    out = np.zeros_like(at)
    for place in np.ndindex(at.shape):
        ends = []
        for step in (1e-6, -1e-6):
            x = at.copy()
            x[place] += step
            ends.append(np.sum(weights * log_probability(x)))
        out[place] = (ends[0] - ends[1]) / 2e-6
    return out


# The gradients --------------------------------------------------------------------------------------------------------------


def test_the_gradient_of_bernoulli_is_that_of_the_log_probability():
    p = parameters(0.2, 0.5, 0.7)
    draw = p.bernoulli()
    reward = minigrad.tensor([1.0, -2.0, 3.0], dtype=minigrad.float64)
    draw.reinforce(reward)
    backward([draw], [None])
    x = draw.tolist()
    expected = slope(lambda p: np.log(np.where(x, p, 1 - p)), p.detach().numpy().copy(), reward.numpy())
    np.testing.assert_allclose(p.grad.numpy(), -expected, rtol=1e-6)


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("rows", [None, 2])
def test_the_gradient_of_multinomial_is_that_of_the_log_probability(replacement, rows):
    values = minigrad.tensor([[0.5, 1.0, 2.0, 0.25], [3.0, 1.0, 0.5, 0.5]], dtype=minigrad.float64)
    w = Variable(values[0] if rows is None else values, requires_grad=True)
    draw = w.multinomial(3, replacement)
    reward = minigrad.rand(draw.shape, dtype=minigrad.float64)
    places = draw.numpy().copy()
    draw.reinforce(reward)
    backward([draw], [None])

    def log_probability(w):
        out = np.empty(places.shape)
        for place in np.ndindex(*places.shape):
            row, drawn = place[:-1], places[place[:-1]]
            left = np.ones(4, bool)
            if not replacement:
                left[drawn[: place[-1]]] = False
            out[place] = np.log(w[(*row, drawn[place[-1]])] / w[row][left].sum())
        return out

    expected = slope(log_probability, w.detach().numpy().copy(), reward.numpy())
    np.testing.assert_allclose(w.grad.numpy(), -expected, rtol=1e-6, atol=1e-9)


def test_a_weight_of_zero_is_never_drawn_and_has_a_finite_gradient():
    w = parameters(0.0, 1.0)
    draw = w.multinomial(1)
    draw.reinforce(1.0)
    backward([draw], [None])
    assert w.grad.tolist() == [1.0, 0.0]


def test_the_gradient_of_normal_is_that_of_the_log_density():
    mean, std = parameters(0.0, 1.0, -1.0), parameters(0.5, 1.0, 2.0)
    reward = minigrad.tensor([1.0, -2.0, 3.0], dtype=minigrad.float64)

    def log_density(mean, std):
        return -(((x - mean) / std) ** 2) / 2 - np.log(std)

    draw = minigrad.normal(mean, std)
    x, m, s = draw.detach().numpy(), mean.detach().numpy().copy(), std.detach().numpy().copy()
    draw.reinforce(reward)
    backward([draw], [None])
    by_mean, by_std = mean.grad.clone(), std.grad.clone()
    np.testing.assert_allclose(
        by_mean.numpy(), -slope(lambda m: log_density(m, s), m, reward.numpy()), rtol=1e-5
    )
    np.testing.assert_allclose(
        by_std.numpy(), -slope(lambda s: log_density(m, s), s, reward.numpy()), rtol=1e-5
    )


def test_normal_with_a_number_for_one_of_its_parameters():
    mean, std = parameters(1.0), parameters(2.0)
    for draw, x, expected in (
        (minigrad.normal(mean, 2.0), mean, lambda z: -3 * (z - 1) / 4),
        (minigrad.normal(1.0, std), std, lambda z: -3 * ((z - 1) ** 2 / 8 - 0.5)),
        (mean.normal(2.0), mean, lambda z: -3 * (z - 1) / 4),
    ):
        x.grad = None
        draw.reinforce(3.0)
        backward([draw], [None])
        assert x.grad.item() == pytest.approx(expected(draw.item()))


def test_means_and_deviations_that_broadcast():
    mean, std = parameters(0.0, 1.0), parameters(2.0)
    draw = minigrad.normal(mean, std)
    draw.reinforce(1.0)
    backward([draw], [None])
    far = (draw.detach() - mean.detach()) / 2
    assert minigrad.allclose(std.grad, -((far * far - 1) / 2).sum(0, keepdim=True))


def test_the_score_can_be_differentiated_again():
    p = parameters(0.3)
    draw = p.bernoulli()
    draw.reinforce(2.0)
    (first,) = grad([draw], [p], [minigrad.ones(1, dtype=minigrad.float64)], create_graph=True)
    (second,) = grad(first.sum(), p)
    x, q = draw.item(), 0.3
    assert first.item() == pytest.approx(-2 * (x / q - (1 - x) / (1 - q)))
    assert second.item() == pytest.approx(2 * (x / q**2 + (1 - x) / (1 - q) ** 2))


# Backward -------------------------------------------------------------------------------------------------------------------


def test_backward_without_a_reward_raises():
    p = parameters(0.2, 0.8)
    for draw in (p.bernoulli(), p.multinomial(1), minigrad.normal(p, 1.0)):
        with pytest.raises(
            RuntimeError, match="^differentiating stochastic functions requires providing a reward$"
        ):
            backward([draw], [None])
    through = (p.bernoulli() * 3).sum() + p.sum()
    with pytest.raises(RuntimeError, match="requires providing a reward"):
        through.backward()


def test_a_draw_itself_runs_backward():
    p = parameters(0.5, 0.5)
    draw = p.bernoulli()
    draw.reinforce(1.0)
    draw.backward()
    assert p.grad.abs().tolist() == [2.0, 2.0]


def test_the_reward_takes_the_place_of_the_gradient_from_above():
    p = parameters(0.5)
    draw = p.bernoulli()
    loss = (draw * 1000 + p).sum()
    draw.reinforce(1.0)
    loss.backward()
    assert p.grad.item() in (-1.0, 3.0)


def test_several_draws_at_once():
    p = parameters(0.25, 0.75)
    draws = [p.multinomial(1) for _ in range(3)] + [p.bernoulli()]
    for i, draw in enumerate(draws):
        draw.reinforce(float(i))
    backward(draws, [None] * 4)
    assert p.grad.abs().sum() > 0
    assert Variable._execution_engine.run_backward((), (), False) == ()


def test_draws_in_a_sequence():
    p = parameters(0.5)
    first = p.bernoulli()
    second = (first * 0.5 + 0.25).bernoulli()
    for draw in (first, second):
        draw.reinforce(1.0)
    second.backward()
    assert p.grad.abs().item() == 2.0


def test_a_second_backward_needs_the_graph():
    p = parameters(0.5)
    draw = p.bernoulli()
    draw.reinforce(1.0)
    backward([draw], [None], retain_graph=True)
    backward([draw], [None])
    assert p.grad.abs().item() == 4.0
    with pytest.raises(RuntimeError, match="a second time"):
        backward([draw], [None])


def test_probabilities_that_were_modified_are_noticed():
    p = parameters(0.5) * 1
    draw = p.bernoulli()
    p.mul_(0.5)
    draw.reinforce(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        backward([draw], [None])


def test_the_draw_may_be_modified():
    p = parameters(0.5)
    draw = p.multinomial(1)
    draw.add_(5)
    draw.reinforce(1.0)
    backward([draw], [None])
    assert p.grad.tolist() == [0.0]


# Rewards --------------------------------------------------------------------------------------------------------------------


def test_only_draws_can_be_reinforced():
    text = r"^reinforce\(\) can be only called on outputs of stochastic functions"
    p = parameters(0.5)
    with minigrad.no_grad():
        unrecorded = p.bernoulli()
    for x in (
        p,
        p * 2,
        minigrad.ones(1).bernoulli(),
        unrecorded,
        p.multinomial(1).detach(),
        p.bernoulli() * 1,
    ):
        with pytest.raises(RuntimeError, match=text):
            x.reinforce(1.0)


def test_a_reward_must_fit():
    draw = parameters(0.5, 0.5).bernoulli()
    with pytest.raises(
        ValueError,
        match=r"^got reward of size torch.Size\(\[3\]\), but expected a tensor of size torch.Size\(\[2\]\)$",
    ):
        draw.reinforce(minigrad.ones(3, dtype=minigrad.float64))
    with pytest.raises(
        TypeError,
        match=r"^mismatch between reward and output type: got torch.FloatTensor, but expected torch.DoubleTensor$",
    ):
        draw.reinforce(minigrad.ones(2))
    with pytest.raises(TypeError, match="got list"):
        draw.reinforce([1.0, 1.0])
    draw.reinforce(minigrad.tensor(1.0))  # what a loop over a tensor gives
    with pytest.raises(RuntimeError, match="^you can only reinforce a stochastic Function once$"):
        draw.reinforce(1)


# Today ----------------------------------------------------------------------------------------------------------------------


def test_without_a_reward_draws_are_those_of_today():
    p = minigrad.tensor([0.2, 0.8], requires_grad=True)
    for draw, name in (
        (minigrad.bernoulli(p), "BernoulliBackward0"),
        (minigrad.normal(p, 1.0), "NormalBackward1"),
        (minigrad.normal(0.0, p), "NormalBackward2"),
        (minigrad.normal(p, p), "NormalBackward3"),
    ):
        assert type(draw.grad_fn).__name__ == draw.grad_fn.name() == name
        assert draw.grad_fn.next_functions[-1][0].variable is p
        p.grad = None
        draw.sum().backward()
        assert p.grad.tolist() == [0.0, 0.0]
    places = minigrad.multinomial(p, 1)
    assert not places.requires_grad and places.grad_fn is None and places.is_leaf


def test_draws_copy_and_pickle_without_their_history():
    places = parameters(0.2, 0.8).multinomial(1)
    file = io.BytesIO()
    minigrad.save(places, file)
    file.seek(0)
    for twin in (
        minigrad.load(file),
        copy.deepcopy(places),
        pickle.loads(pickle.dumps(places)),
        copy.copy(places.clone()),
    ):
        assert twin.tolist() == places.tolist() and "_draw" not in twin.__dict__


def test_the_same_numbers_are_drawn():
    p = parameters(0.2, 0.8)
    for draw in (lambda x: x.bernoulli(), lambda x: x.multinomial(1), lambda x: minigrad.normal(x, x)):
        minigrad.manual_seed(3)
        first = draw(p)
        minigrad.manual_seed(3)
        assert minigrad.equal(first.detach(), draw(p.detach()))


def test_graphs_of_draws_are_freed():
    gc.disable()
    try:
        p = parameters(0.2, 0.8) * 1
        node = weakref.ref(p.grad_fn)
        draws = [p.bernoulli(), p.multinomial(1), minigrad.normal(p, p)]
        for draw in draws[:2]:
            draw.reinforce(1.0)
        del p
        assert node() is not None
        del draws, draw
        assert node() is None
    finally:
        gc.enable()


def test_a_policy_learns():
    theta = Variable(minigrad.zeros(3), requires_grad=True)
    for _ in range(150):
        action = theta.softmax(0).multinomial(8, True)
        reward = (action == 1).float()
        action.reinforce(reward - reward.mean())
        theta.grad = None
        backward([action], [None])
        theta.data -= 0.1 * theta.grad
    assert theta.softmax(0)[1] > 0.9
    assert math.isfinite(theta.detach().abs().sum().item())
