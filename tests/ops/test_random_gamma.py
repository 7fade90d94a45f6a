"""Gamma and Dirichlet numbers, and how they move with their parameters."""

import math

import numpy as np
import pytest

import minigrad as torch
from minigrad._arrays.kernels import implicit_gradients as kernels

RNG = np.random.default_rng(0)


def lower_tail(alpha, x):
    """The distribution function of the gamma distribution, by its power series."""
    total = term = 1 / alpha
    for n in range(1, 2000):
        term *= x / (alpha + n)
        total += term
        if term < 1e-18 * total:
            break
    return total * math.exp(alpha * math.log(x) - x - math.lgamma(alpha))


def slope_at_fixed_place(cdf, alpha, x):
    """``-(∂F/∂α) / (∂F/∂x)`` by central differences."""
    h, k = 1e-4 * alpha, 1e-4 * min(x, alpha)
    by_alpha = (cdf(alpha + h, x) - cdf(alpha - h, x)) / (2 * h)
    return -by_alpha * 2 * k / (cdf(alpha, x + k) - cdf(alpha, x - k))


@pytest.mark.parametrize("alpha", [0.05, 0.5, 1.0, 3.0, 19.5, 30.0, 200.0])
def test_gamma_numbers_move_along_their_quantile(alpha):
    for x in RNG.gamma(alpha, size=8):
        if x > 1e-3:
            want = slope_at_fixed_place(lower_tail, alpha, x)
            got = kernels.standard_gamma_grad(np.array(alpha), np.array(x))
            np.testing.assert_allclose(got, want, rtol=1e-4)


@pytest.mark.parametrize(
    ("alpha", "x"), [(20.0, 20.0), (20.001, 20.0), (1.0, 1.0), (1.0, 1.00001), (0.3, 1.0)]
)
def test_where_one_formula_takes_over_from_another_they_agree(alpha, x):
    eps = 1e-9
    around = [(alpha + i * eps, x + j * eps) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    got = kernels.standard_gamma_grad(*(np.array(values) for values in zip(*around)))
    np.testing.assert_allclose(got, got[4], rtol=1e-8)


def test_a_power_of_a_uniform_number_moves_as_it_should():
    """``x = u ** (1 / α)`` has the distribution Beta(α, 1), and 1 - x Beta(1, α)."""
    alpha, x = 10 ** RNG.uniform(-2, 3, 200), RNG.uniform(1e-3, 1 - 1e-3, 200)
    got = kernels.dirichlet_grad(x, alpha, alpha + 1) * (1 - x)
    np.testing.assert_allclose(got, -x * np.log(x) / alpha, rtol=1e-8)


@pytest.mark.parametrize(
    ("alpha", "beta"), [(0.3, 0.4), (2.0, 5.0), (40.0, 3.0), (150.0, 220.0), (0.5, 30.0)]
)
def test_beta_numbers_move_along_their_quantile(alpha, beta):
    """The distribution function is integrated over the logit, on which its density is smooth."""

    def cdf(alpha, x):
        end = math.log(x / (1 - x))
        t = np.linspace(end - 80 / min(alpha, 1), end, 200001)
        log_density = alpha * t - (alpha + beta) * np.logaddexp(0, t)
        log_beta = math.lgamma(alpha) + math.lgamma(beta) - math.lgamma(alpha + beta)
        density = np.exp(log_density - log_beta)
        return float((density[1:] + density[:-1]).sum() / 2 * (t[1] - t[0]))

    for x in RNG.beta(alpha, beta, size=4):
        h, k = 1e-4 * alpha, 1e-5 * min(x, 1 - x)
        slope = (cdf(alpha + h, x) - cdf(alpha - h, x)) / (2 * h)
        want = -slope * 2 * k / (cdf(alpha, x + k) - cdf(alpha, x - k)) / (1 - x)
        got = kernels.dirichlet_grad(np.array(x), np.array(alpha), np.array(alpha + beta))
        np.testing.assert_allclose(got, want, rtol=1e-3)


def test_many_elements_and_broadcast_ones():
    alpha, x = RNG.uniform(0.1, 9, (5000, 1)), RNG.gamma(3, size=2)
    got = kernels.standard_gamma_grad(alpha, x)
    assert got.shape == (5000, 2)
    np.testing.assert_allclose(got[4321, 1], kernels.standard_gamma_grad(alpha[4321], x[1:])[0], rtol=1e-12)
    assert np.isnan(kernels.standard_gamma_grad(np.array([np.nan, 1.0]), np.array([1.0, np.nan]))).all()


# Operators -----------------------------------------------------------------------------------------------------


def test_gradients_of_gamma_numbers():
    alpha = torch.tensor([[0.5, 2.0], [9.0, 40.0]], dtype=torch.float64, requires_grad=True)
    x = torch._standard_gamma(alpha)
    assert x.grad_fn.name() == "StandardGammaBackward0"
    x.backward(2 * torch.ones(2, 2).double())
    want = 2 * torch._standard_gamma_grad(alpha.detach(), x.detach())
    assert torch.equal(alpha.grad, want)
    assert not torch._standard_gamma(alpha.detach()).requires_grad
    with torch.no_grad():
        assert not torch._standard_gamma(alpha).requires_grad


def test_gradients_of_shares_keep_their_sum():
    alpha = torch.tensor([[0.5, 2.0, 1.0], [9.0, 40.0, 3.0]], dtype=torch.float64, requires_grad=True)
    x = torch._sample_dirichlet(alpha)
    assert x.grad_fn.name() == "_DirichletBackward"
    (gradient,) = torch.autograd.grad(x.sum(), alpha, retain_graph=True)
    np.testing.assert_allclose(gradient.numpy(), 0, atol=1e-12)
    for place in range(3):
        (gradient,) = torch.autograd.grad(x[0, place], alpha, retain_graph=True)
        own = torch._dirichlet_grad(x.detach()[0], alpha.detach()[0], alpha.detach()[0].sum().expand(3))
        want = own * (torch.eye(3).double()[place] - x.detach()[0, place])
        np.testing.assert_allclose(gradient.numpy(), [want.tolist(), [0, 0, 0]], rtol=1e-12)


def test_two_shares_are_a_beta_number():
    """dx/dα of the first of two shares is that of Beta(α, β), and dx/dβ the negative of that of the other one."""
    alpha = torch.tensor([0.7, 2.5], dtype=torch.float64, requires_grad=True)
    x = torch._sample_dirichlet(alpha)
    (gradient,) = torch.autograd.grad(x[0], alpha)
    share, a = x.detach().numpy(), alpha.detach().numpy()
    own = kernels.dirichlet_grad(share, a, np.full(2, a.sum())) * (1 - share)
    np.testing.assert_allclose(gradient.numpy(), own * [1, -1], rtol=1e-10)


def test_no_second_derivatives():
    alpha = torch.ones(2, requires_grad=True)
    for draw, called in (
        (torch._standard_gamma, "_standard_gamma_grad"),
        (torch._sample_dirichlet, "_dirichlet_grad"),
    ):
        (gradient,) = torch.autograd.grad(draw(alpha)[0], alpha, create_graph=True)
        with pytest.raises(NotImplementedError, match=f"the derivative for '{called}' is not implemented"):
            gradient.sum().backward()


def test_tangents_and_batches():
    alpha = torch.tensor([0.5, 3.0], dtype=torch.float64)
    torch.manual_seed(0)
    x, tangent = torch.func.jvp(torch._standard_gamma, (alpha,), (torch.tensor([1.0, 0.0]).double(),))
    assert torch.equal(tangent, torch._standard_gamma_grad(alpha, x) * torch.tensor([1.0, 0.0]))
    torch.manual_seed(0)
    batched = torch.vmap(torch._standard_gamma, randomness="different")(torch.stack([alpha, alpha]))
    torch.manual_seed(0)
    assert torch.equal(batched, torch._standard_gamma(torch.stack([alpha, alpha])))
    same = torch.vmap(lambda _: torch._standard_gamma(alpha), randomness="same")(torch.ones(2))
    assert torch.equal(same[0], same[1])
    with pytest.raises(RuntimeError, match="randomness error mode"):
        torch.vmap(torch._standard_gamma)(alpha)


def test_a_generator_of_ones_own():
    alpha = torch.full((5,), 0.4)
    first = torch._standard_gamma(alpha, torch.Generator().manual_seed(1))
    assert torch.equal(first, torch._standard_gamma(alpha, generator=torch.Generator().manual_seed(1)))
    with pytest.raises(TypeError, match="argument 'generator' must be torch.Generator"):
        torch._sample_dirichlet(alpha, 3)


@pytest.mark.parametrize("name", ["_standard_gamma", "_sample_dirichlet"])
def test_refused(name):
    with pytest.raises(TypeError, match=f"{name}.*argument 'input' .position 1. must be Tensor, not float"):
        getattr(torch, name)(3.0)
    for dtype in (torch.int64, torch.float16):
        with pytest.raises(NotImplementedError, match="not implemented for"):
            getattr(torch, name)(torch.ones(2, dtype=dtype))


# PyTorch -------------------------------------------------------------------------------------------------------


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [2, 3, 7, 16, 33, 100])
def test_dirichlet_numbers_are_pytorchs_to_the_last_bit(dtype, n):
    library = pytest.importorskip("torch")
    alpha = RNG.uniform(0.1, 20, (40, n)).astype(dtype)
    library.manual_seed(2)
    torch.manual_seed(2)
    want = library._sample_dirichlet(library.tensor(alpha)).numpy()
    np.testing.assert_array_equal(torch._sample_dirichlet(torch.tensor(alpha)).numpy(), want)
    np.testing.assert_array_equal(
        torch._standard_gamma(torch.tensor(alpha).T).numpy(),
        library._standard_gamma(library.tensor(alpha).T).numpy(),
    )


@pytest.mark.torch
def test_derivatives_are_pytorchs_as_far_as_those_are_right():
    """Its approximations have three to four digits."""
    library = pytest.importorskip("torch")
    alpha, beta = 10 ** RNG.uniform(-1.5, 2, 500), 10 ** RNG.uniform(-1.5, 2, 500)
    x = np.maximum(RNG.gamma(alpha), 1e-30)
    np.testing.assert_allclose(
        kernels.standard_gamma_grad(alpha, x),
        library._standard_gamma_grad(library.tensor(alpha), library.tensor(x)).numpy(),
        rtol=3e-3,
    )
    x = np.clip(RNG.beta(alpha, beta), 1e-20, 1 - 1e-6)
    np.testing.assert_allclose(
        kernels.dirichlet_grad(x, alpha, alpha + beta),
        library._dirichlet_grad(
            library.tensor(x), library.tensor(alpha), library.tensor(alpha + beta)
        ).numpy(),
        rtol=2e-2,
    )
