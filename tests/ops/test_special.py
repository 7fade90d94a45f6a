"""Special functions at their awkward points: recorded values, recurrences, poles, forms, SciPy, what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad._arrays.kernels import error_function, scipy_functions
from tests.numeric import check_gradients

inf, nan = math.inf, math.nan
special = torch.special


def leaf(values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


# Values --------------------------------------------------------------------------------------------------------------


@given(st.floats(-170, 170).filter(lambda x: x > 0 or abs(x - round(x)) > 1e-6))
@settings(max_examples=300, deadline=None)
def test_lgamma_is_that_of_the_standard_library(x):
    got = torch.lgamma(torch.tensor(x, dtype=torch.float64)).item()
    assert got == pytest.approx(math.lgamma(x), rel=1e-12, abs=2e-13)


def test_lgamma_has_exact_zeros_and_all_digits_beside_them():
    small = 1e-9
    got = torch.lgamma(torch.tensor([1.0, 2.0, 1 + small, 2 - small], dtype=torch.float64)).tolist()
    euler = 0.5772156649015329
    assert got[:2] == [0, 0]
    d = (1 + small) - 1
    assert got[2] == pytest.approx(-euler * d + math.pi**2 / 12 * d * d, rel=1e-13)
    d = (2 - small) - 2
    assert got[3] == pytest.approx((1 - euler) * d + (math.pi**2 / 12 - 0.5) * d * d, rel=1e-13)


@given(st.floats(0.01, 50))
@settings(max_examples=100, deadline=None)
def test_recurrences(x):
    t = torch.tensor([x, x + 1], dtype=torch.float64)
    psi = torch.digamma(t).tolist()
    assert psi[1] == pytest.approx(psi[0] + 1 / x, rel=1e-12, abs=1e-12)
    for n in (1, 2, 5):
        p = torch.polygamma(n, t).tolist()
        step = (-1) ** n * math.factorial(n) * x ** (-n - 1)
        assert p[1] - p[0] == pytest.approx(step, rel=1e-9, abs=1e-12 * abs(p[0]))
    z = special.zeta(torch.tensor(2.5, dtype=torch.float64), t).tolist()
    assert z[0] - z[1] == pytest.approx(x**-2.5, rel=1e-9)


@given(st.floats(-0.9999999, 0.9999999))
@settings(max_examples=100, deadline=None)
def test_inverses(x):
    t = torch.tensor(x, dtype=torch.float64)
    assert torch.erf(torch.erfinv(t)).item() == pytest.approx(x, rel=1e-13, abs=1e-15)
    p = (t + 1) / 2
    assert special.ndtr(special.ndtri(p)).item() == pytest.approx(p.item(), rel=1e-9)


def test_erfinv_is_close_over_all_of_its_ranges():
    steps = np.arange(1.0, 16.0, 0.25)
    x = np.concatenate([np.linspace(-0.999, 0.999, 2001), 1 - 10.0**-steps, 10.0**-steps])
    double = torch.erfinv(torch.from_numpy(x)).numpy()
    tail = np.minimum(1 - x, 1.0)
    np.testing.assert_allclose(error_function.erf(double), x, rtol=4e-16, atol=4e-16)
    np.testing.assert_allclose(error_function.erfc(double[x > 0.5]), tail[x > 0.5], rtol=4e-14)
    single = x[np.absolute(x) < 1 - 2.0**-24].astype(np.float32)
    exact = torch.erfinv(torch.from_numpy(single.astype(np.float64))).numpy()
    np.testing.assert_allclose(torch.erfinv(torch.from_numpy(single)).numpy(), exact, rtol=3e-7)


def test_many_elements_have_the_values_of_few():
    x = torch.linspace(-9, 40, 300_000, dtype=torch.float64)
    for f in (
        torch.lgamma,
        torch.digamma,
        lambda x: torch.polygamma(1, x),
        torch.erfc,
        special.i1e,
        torch.i0,
    ):
        np.testing.assert_allclose(f(x)[::1000].numpy(), f(x[::1000]).numpy(), rtol=1e-12)


def test_ndtri_far_from_the_middle():
    p = 10.0 ** -np.linspace(1, 300, 50)
    x = special.ndtri(torch.from_numpy(p))
    assert special.log_ndtr(x).numpy() == pytest.approx(np.log(p), rel=1e-14)


RECORDED = {
    "bessel_j0": [(1.0, 0.7651976865579666), (3.0, -0.26005195490193345)],
    "bessel_j1": [(1.0, 0.4400505857449335)],
    "bessel_y0": [(1.0, 0.08825696421567697)],
    "bessel_y1": [(1.0, -0.7812128213002888)],
    "airy_ai": [(0.0, 0.3550280538878172), (-1.0, 0.5355608832923521)],
    "modified_bessel_k0": [(1.0, 0.42102443824070834)],
    "modified_bessel_k1": [(1.0, 0.6019072301972346)],
    "scaled_modified_bessel_k0": [(1.0, 1.1444630798068949)],
    "scaled_modified_bessel_k1": [(1.0, 1.636153486263258)],
    "i0e": [(1.0, 0.46575960759364043), (10.0, 0.1278333371634286)],
    "i1": [(1.0, 0.5651591039924851), (-3.0, -3.953370217402609)],
    "i1e": [(10.0, 0.1212626813844555)],
    "modified_bessel_i0": [(1.0, 1.2660658777520084)],
    "modified_bessel_i1": [(1.0, 0.5651591039924851)],
    "erfcx": [(1.0, 0.427583576155807), (-1.0, 5.008980080762283), (1e10, 5.641895835477563e-11)],
    "log_ndtr": [(0.0, -0.6931471805599453), (-3.0, -6.60772622151035), (-40.0, -804.6084420137538)],
    "ndtri": [(0.5, 0.0), (0.975, 1.959963984540054), (1e-10, -6.361340902404056)],
    "entr": [(0.5, 0.34657359027997264), (2.0, -1.3862943611198906)],
    "spherical_bessel_j0": [(0.0, 1.0), (3.0, 0.0470400026866224)],
}


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_values(name):
    if (
        any(part in name for part in ("_j0", "_j1", "_y0", "_y1", "airy", "_k0", "_k1"))
        and "spherical" not in name
    ):
        pytest.importorskip("scipy")
    x, expected = zip(*RECORDED[name])
    got = getattr(special, name)(torch.tensor(x, dtype=torch.float64))
    np.testing.assert_allclose(got.numpy(), expected, rtol=2e-13, atol=1e-16)
    assert getattr(special, name)(torch.tensor(x)).dtype is torch.float32
    assert getattr(special, name)(torch.tensor([1])).dtype is torch.float32


def test_polynomials_are_numpys():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1.5, 1.5, 20)
    families = {
        "chebyshev_polynomial_t": np.polynomial.chebyshev.chebval,
        "hermite_polynomial_h": np.polynomial.hermite.hermval,
        "hermite_polynomial_he": np.polynomial.hermite_e.hermeval,
        "laguerre_polynomial_l": np.polynomial.laguerre.lagval,
        "legendre_polynomial_p": np.polynomial.legendre.legval,
    }
    for name, reference in families.items():
        for n in (0, 1, 2, 5, 9, 14):
            expected = reference(x, [0] * n + [1])
            got = getattr(special, name)(torch.tensor(x), n).numpy()
            np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-11, err_msg=f"{name} {n}")


def test_kinds_of_chebyshev_polynomials_agree():
    x = torch.linspace(-1, 1, 41, dtype=torch.float64)
    for n in (0, 1, 3, 6, 7, 12):
        t, u, v, w = (getattr(special, f"chebyshev_polynomial_{kind}")(x, n) for kind in "tuvw")
        if n:
            before = special.chebyshev_polynomial_u(x, n - 1)
            for got, expected in ((v, u - before), (w, u + before), (t, u - x * before)):
                np.testing.assert_allclose(got.numpy(), expected.numpy(), atol=1e-12)
        shifted = special.shifted_chebyshev_polynomial_t((x + 1) / 2, n)
        np.testing.assert_allclose(shifted.numpy(), t.numpy(), atol=1e-12)


def test_degrees_are_rounded_towards_zero_and_negative_ones_are_zero():
    x, n = torch.tensor([[0.5], [2.0]]), torch.tensor([-1.0, -0.5, 1.9, nan])
    assert special.hermite_polynomial_he(x, n).tolist() == [[0, 1, 0.5, 0], [0, 1, 2, 0]]
    assert special.chebyshev_polynomial_t(2, torch.tensor([1, 2])).dtype is torch.float32


# Corners -------------------------------------------------------------------------------------------------------------


def check_corner(function, x, value, slope, dtype=torch.float64):
    x = leaf(x, dtype)
    z = function(x)
    (g,) = torch.autograd.grad(z.sum(), x)
    np.testing.assert_allclose(z.detach().numpy(), value, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(g.numpy(), slope, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_corners_of_numerics(dtype):
    check_corner(torch.erfinv, [1, -1, 2], [inf, -inf, nan], [inf, inf, nan], dtype)
    check_corner(special.entr, [0, -1, 1], [0, -inf, 0], [inf, nan, -1], dtype)
    check_corner(torch.lgamma, [0, -1, 1], [inf, inf, 0], [-inf, nan, -0.57722], dtype)
    x = leaf([0, -1], dtype)
    z = torch.digamma(x)
    (g,) = torch.autograd.grad(z.sum(), x)
    assert z[0] == -inf and torch.isnan(z[1])
    assert g[0] == inf and 1e10 < g[1] < inf
    assert math.copysign(1, special.entr(torch.tensor(1.0)).item()) == -1
    check_corner(torch.i0, [0, inf, -inf], [1, nan, nan], [0, nan, nan], dtype)
    check_corner(special.i0e, [0, inf, -inf], [1, 0, 0], [0, 0, 0], dtype)
    check_corner(special.i1e, [0, inf, -inf], [0, 0, 0], [0.5, 0, 0], dtype)
    check_corner(special.ndtri, [0, 1, 2], [-inf, inf, nan], [inf, inf, nan], dtype)


def test_xlog1py_where_the_first_is_zero():
    x, y = leaf([0.0, 0, 0, 2]), leaf([-2.0, nan, -1, 0])
    z = special.xlog1py(x, y)
    np.testing.assert_array_equal(z.detach().numpy(), [0, nan, 0, 0])
    gx, gy = torch.autograd.grad(z.sum(), (x, y))
    np.testing.assert_array_equal(gx.numpy(), [0, nan, 0, 0])
    np.testing.assert_array_equal(gy.numpy()[[0, 3]], [0, 2])


def test_derivatives_of_bessel_functions_are_exact_at_zero():
    x = leaf(0.0)
    slopes, z = [], torch.i0(x)
    for _ in range(6):
        slopes.append(z.item())
        (z,) = torch.autograd.grad(z, x, create_graph=True)
    assert slopes == pytest.approx([1, 0, 1 / 2, 0, 3 / 8, 0], abs=1e-15)


# Gradients -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function", [torch.lgamma, torch.digamma, torch.i0, special.i0e, special.i1, special.i1e]
)
def test_gradients_on_both_sides_of_zero(function):
    check_gradients(function, np.array([0.3, 2.5, -1.4, 9.0, 0.9, -0.3]), rtol=1e-4)


def test_the_incomplete_gamma_functions():
    pytest.importorskip("scipy")
    a, y = torch.tensor([0.5, 2.0, 7.0], dtype=torch.float64), np.array([0.3, 1.0, 4.0])
    check_gradients(lambda y: torch.igamma(a, y), y)
    check_gradients(lambda y: torch.igammac(a, y), y)
    y = torch.tensor(y)
    np.testing.assert_allclose((torch.igamma(a, y) + torch.igammac(a, y)).numpy(), 1)
    np.testing.assert_array_equal(torch.igamma(a * 0, y * 0).numpy(), [nan] * 3)
    with pytest.raises(NotImplementedError, match="the derivative for 'igamma: input' is not implemented"):
        torch.igamma(leaf(2.0), leaf(1.0)).backward()
    with pytest.raises(NotImplementedError, match="\"igamma_cpu\" not implemented for 'Long'"):
        torch.igamma(torch.tensor([1]), torch.tensor([1]))


def test_functions_without_gradient_record_nothing():
    x = leaf([0.5])
    for z in (
        special.modified_bessel_i0(x),
        special.spherical_bessel_j0(x),
        special.chebyshev_polynomial_t(x, x),
    ):
        assert not z.requires_grad
    with pytest.raises(NotImplementedError, match="the derivative for 'zeta' is not implemented"):
        special.zeta(x + 1, 2).sum().backward()


# Forms, dtypes, errors -----------------------------------------------------------------------------------------------


def test_forms():
    x = torch.tensor([0.3, 0.6])
    for name in ("digamma", "lgamma", "erfinv", "i0"):
        expected = getattr(torch, name)(x)
        assert getattr(x, name)().equal(expected)
        y = x.clone()
        assert getattr(y, name + "_")() is y and y.equal(expected)
        out = torch.empty(2, dtype=torch.float64)
        assert getattr(torch, name)(x, out=out) is out and out.equal(expected.double())
        assert getattr(torch, name)(x.half()).dtype is torch.float16
        with pytest.raises(RuntimeError, match="can't be cast"):
            getattr(torch.tensor([1]), name + "_")()
    assert x.polygamma(2).equal(torch.polygamma(2, x))
    assert x.clone().polygamma_(2).equal(torch.polygamma(2, x))
    x = x + 2
    assert x.mvlgamma(2).equal(torch.mvlgamma(x, 2)) and x.clone().mvlgamma_(2).equal(torch.mvlgamma(x, 2))
    out = torch.empty(2)
    assert special.zeta(x, 2.0, out=out) is out and special.chebyshev_polynomial_t(x, 2, out=out) is out
    assert special.spherical_bessel_j0(x=x).equal(special.spherical_bessel_j0(x))
    assert special.modified_bessel_i1(input=x).equal(special.i1(x))
    assert torch.polygamma(1, x, out=out).equal(x.polygamma(1))
    assert torch.mvlgamma(x, 2, out=out).equal(x.mvlgamma(2))


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: torch.polygamma(-1, torch.ones(1)), RuntimeError, "does not support negative n"),
        (lambda: torch.polygamma(1.5, torch.ones(1)), TypeError, "argument 'n' (position 1) must be int, not float"),
        (lambda: torch.mvlgamma(torch.ones(1), 0), RuntimeError, "p has to be greater than or equal to 1"),
        (lambda: torch.mvlgamma(torch.tensor([True]), 1), RuntimeError, "may not be a boolean tensor"),
        (lambda: torch.lgamma(torch.tensor(1j)), NotImplementedError, "\"lgamma_vml_cpu\" not implemented for 'ComplexFloat'"),
        (lambda: torch.digamma(torch.tensor(1j)), NotImplementedError, "\"digamma\" not implemented for 'ComplexFloat'"),
        (lambda: special.erfcx(torch.ones(1).half()), NotImplementedError, "\"erfcx_cpu\" not implemented for 'Half'"),
        (lambda: special.zeta(1, 2), TypeError, "special_zeta() received an invalid combination of arguments - got (int, int)"),
        (lambda: special.legendre_polynomial_p(torch.ones(1), [2]), TypeError, "got (Tensor, list)"),
        (lambda: torch.igamma(torch.ones(1), 2.0), TypeError, "argument 'other' (position 2) must be Tensor, not float"),
    ],
)  # fmt: skip
def test_errors(call, kind, words):
    with pytest.raises(kind) as caught:
        call()
    assert words in str(caught.value)


def test_without_scipy_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "scipy", None)
    with pytest.raises(
        ImportError, match=r"minigrad.special.bessel_j0 needs .*scipy.*minigrad-numpy\[special\]"
    ):
        special.bessel_j0(torch.ones(1))
    with pytest.raises(ImportError, match=r"minigrad-numpy\[special\]"):
        scipy_functions.of_scipy("igamma", "gammainc")
    assert torch.lgamma(torch.tensor(4.0)).item() == pytest.approx(math.log(6))


def test_names_of_scipy_are_the_same_functions():
    for ours, theirs in (
        ("expit", "sigmoid"),
        ("psi", "digamma"),
        ("gammaln", "lgamma"),
        ("multigammaln", "mvlgamma"),
    ):
        assert getattr(special, ours) is getattr(torch, theirs)


# SciPy and PyTorch ---------------------------------------------------------------------------------------------------


def test_scipy_agrees():
    scipy = pytest.importorskip("scipy.special")
    x = np.concatenate([np.linspace(-20, 20, 1601) + 0.003, np.logspace(-12, 3, 40)])
    with np.errstate(all="ignore"):
        for name, theirs in (("lgamma", "gammaln"), ("digamma", "digamma"), ("i0", "i0")):
            got = getattr(torch, name)(torch.tensor(x)).numpy()
            expected = getattr(scipy, theirs)(x)
            np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-13, err_msg=name)
        for name in ("i0e", "i1", "i1e", "erfcx", "log_ndtr", "ndtri", "entr"):
            got = getattr(special, name)(torch.tensor(x)).numpy()
            np.testing.assert_allclose(got, getattr(scipy, name)(x), rtol=1e-12, atol=1e-300, err_msg=name)


def test_gradients_of_two_operands():
    x, y = np.array([[0.5], [2.0]]), np.array([0.3, 1.0, 4.0])
    check_gradients(special.xlog1py, x, y)
    check_gradients(lambda y: special.xlog1py(2.5, y), y)
    check_gradients(lambda x: special.xlog1py(x, 2.5), x)
    check_gradients(lambda y: special.zeta(3.5, y), y, rtol=1e-4)


def test_erf_of_single_precision():
    x = np.concatenate((np.linspace(-7, 7, 600_001), [0.0, 1e-30, 5e18, -1e30, np.inf, np.nan])).astype(
        np.float32
    )
    found = error_function.erf(x)
    expected = error_function.erf(x.astype(np.float64))
    np.testing.assert_allclose(found, expected, rtol=5e-7)
    assert error_function.erf(x, out=x) is x
    np.testing.assert_array_equal(x, found)
