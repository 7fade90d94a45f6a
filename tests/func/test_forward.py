"""``func.jvp`` and ``linearize``: values against closed forms, options, errors."""

import pytest

import minigrad as torch
from minigrad.autograd import forward_ad
from minigrad.func import grad, jvp, linearize


def vector(*numbers, **kwargs):
    return torch.tensor(numbers, dtype=torch.float64, **kwargs)


def close(a, b):
    torch.testing.assert_close(a, b)


X, T = vector(1.0, -2.0, 0.5), vector(1.0, 10.0, -1.0)


def test_value_and_tangent():
    value, tangent = jvp(lambda x: x * x, (X,), (T,))
    close(value, X * X)
    close(tangent, 2 * X * T)
    assert not value.requires_grad
    assert not tangent.requires_grad


def test_several_primals_and_structures():
    values, tangents = jvp(lambda p, y: {"product": p["x"] * y, "sum": y.sum()}, ({"x": X}, T), ({"x": T}, X))
    close(values["product"], X * T)
    close(tangents["product"], T * T + X * X)
    close(tangents["sum"], X.sum())


def test_aux_has_no_tangent():
    _, tangent, aux = jvp(lambda x: (x.sin(), [x * 2]), (X,), (T,), has_aux=True)
    close(tangent, X.cos() * T)
    close(aux[0], X * 2)


def test_what_does_not_matter_has_zeros():
    value, tangent = jvp(lambda x: X, (T,), (T,))
    close(value, X)
    close(tangent, torch.zeros_like(X))


def test_nested():
    def second(x):
        return jvp(torch.sin, (x,), (T,))[1]

    close(jvp(second, (X,), (T,))[1], -X.sin() * T * T)
    close(jvp(grad(lambda x: (x**3).sum()), (X,), (T,))[1], 6 * X * T)
    close(grad(lambda x: jvp(lambda x: (x**3).sum(), (x,), (T,))[1])(X), 6 * X * T)


def test_products_of_products():
    # the factors that move in at the ends of the running products have no tangent
    def derivative(x):
        return jvp(grad(lambda x: x.prod(0)), (x,), (torch.ones_like(x),))[1]

    close(derivative(X), torch.stack([X[1] + X[2], X[0] + X[2], X[0] + X[1]]))


def test_writes_write_tangents():
    def f(x):
        y = x.clone()
        y[1:].mul_(x[:2])
        z = torch.zeros(3, dtype=torch.float64)
        z[0] = y[1]
        z[1:] += x[1:]
        return y, z

    (y, _), (ty, tz) = jvp(f, (X,), (T,))
    close(y, torch.stack([X[0], X[1] * X[0], X[2] * X[1]]))
    close(ty, torch.stack([T[0], T[1] * X[0] + X[1] * T[0], T[2] * X[1] + X[2] * T[1]]))
    close(tz, torch.stack([ty[1], T[1], T[2]]))


def test_views_made_before_share_the_tangent():
    def f(x):
        base = torch.zeros(3, dtype=torch.float64)
        first, last = base[:2], base[1:]
        first.add_(x[:2])
        return last * 1

    close(jvp(f, (X,), (T,))[1], torch.stack([T[1], torch.zeros_like(T[0])]))


def test_a_tangent_for_each_sample_in_a_buffer():
    def f(x):
        out = torch.zeros(3, dtype=torch.float64)
        out[:] = x
        out[0] = x[1] * x[2]
        return out

    found = torch.func.jacfwd(f)(X)
    expected = torch.eye(3, dtype=torch.float64)
    expected[0] = torch.stack([torch.zeros_like(X[0]), X[2], X[1]])
    close(found, expected)


def test_the_tangents_own_history():
    t = T.clone().requires_grad_()
    _, tangent = jvp(lambda x: x**3, (X,), (t,))
    close(torch.autograd.grad(tangent.sum(), t)[0], 3 * X**2)
    x = X.clone().requires_grad_()
    _, tangent = jvp(lambda x: x**3, (x,), (T,))
    close(torch.autograd.grad(tangent.sum(), x)[0], 6 * X * T)


def test_linear_functions_of_tracked_tensors_have_tracked_tangents():
    x = X.clone().requires_grad_()
    _, tangent = jvp(lambda x: x * T, (x,), (T,))
    assert tangent.requires_grad
    close(torch.autograd.grad(tangent.sum(), x)[0], torch.zeros_like(X))
    _, tangent = jvp(lambda x: x + T, (x,), (T,))
    assert not tangent.requires_grad


def test_no_grad_and_detach():
    def f(x):
        with torch.no_grad():
            y = x * x
        return y * x.detach()

    close(jvp(f, (X,), (T,))[1], 2 * X * T * X)


def test_linearize():
    value, push = linearize(lambda x, y: {"a": (x * y).sin()}, X, T)
    close(value["a"], (X * T).sin())
    for s, t in ((X, T), (T, X)):
        close(push(s, t)["a"], (X * T).cos() * (s * T + X * t))


def test_strict():
    jvp(lambda x: x * 2, (X,), (T,), strict=True)
    with pytest.raises(RuntimeError, match="The output of f is independent of the inputs"):
        jvp(lambda x: X, (T,), (T,), strict=True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: jvp(torch.sin, X, (T,)), "Expected primals to be a tuple."),
        (lambda: jvp(torch.sin, (X,), (T, T)), "Expected primals and tangents to have the same python structure."),
        (lambda: jvp(torch.sin, (), ()), "Expected primals to contain at least one Tensor."),
        (lambda: jvp(torch.sin, (3.0,), (T,)), "Expected primals to only contain Tensors, got <class 'float'>"),
        (lambda: jvp(torch.sin, (X,), (T[:2],)), "Trying to set a forward gradient that has a different size"),
        (lambda: jvp(lambda x: 3, (X,), (T,)), "expected f(*primals) to return only tensors"),
        (lambda: jvp(lambda x: (), (X,), (T,)), "Expected f to be a function that has non-empty output"),
        (lambda: jvp(torch.sin, (X,), (T,), has_aux=True), "output of function f should be a tuple: (output, aux)"),
        (lambda: linearize(torch.sin, X)[1](T, T), "to have the same argspec as the primals"),
        (lambda: linearize(torch.sin, X)[1](T[:2]), "tangent:0 with shape torch.Size([2]) in flattened pytree"),
        (lambda: linearize(torch.sin, X)[1](T.float()), "tangent:0 with dtype torch.float32 in flattened pytree"),
    ],
)  # fmt: skip
def test_errors(call, message):
    with pytest.raises(RuntimeError) as error:
        call()
    assert message in str(error.value)


def test_not_inside_of_a_dual_level():
    with (
        forward_ad.dual_level(),
        pytest.raises(RuntimeError, match="Nested forward mode AD is not supported at the moment"),
    ):
        jvp(torch.sin, (X,), (T,))
