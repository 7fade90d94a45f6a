"""``jacrev``, ``jacfwd`` and ``hessian`` against closed forms."""

import pytest

import minigrad as torch
from minigrad.func import hessian, jacfwd, jacrev, vmap

BOTH = pytest.mark.parametrize("jacobian", [jacrev, jacfwd])


def vector(*numbers, **kwargs):
    return torch.tensor(numbers, dtype=torch.float64, **kwargs)


def close(a, b):
    torch.testing.assert_close(a, b)


X, W = vector(1.0, -2.0, 0.5), vector(1.0, 2.0, 3.0, 4.0, 5.0, 6.0).reshape(2, 3)


@BOTH
def test_linear_and_not(jacobian):
    close(jacobian(lambda x: W @ x)(X), W)
    close(jacobian(lambda x: x**3)(X), torch.diag(3 * X**2))
    close(jacobian(lambda w: w @ X)(W), torch.einsum("ij,k->ijk", torch.eye(2, dtype=torch.float64), X))
    assert jacobian(lambda x: x.sum())(X[0]).shape == ()


@BOTH
def test_structures(jacobian):
    found = jacobian(lambda p, y: {"a": p["x"] * y, "b": (y.sum(),)}, (0, 1))({"x": X}, X.sin())
    close(found["a"][0]["x"], torch.diag(X.sin()))
    close(found["a"][1], torch.diag(X))
    close(found["b"][0][0]["x"], torch.zeros(3, dtype=torch.float64))
    close(found["b"][0][1], torch.ones(3, dtype=torch.float64))


@BOTH
def test_aux_and_argnums(jacobian):
    found, aux = jacobian(lambda x, y: (x * y, [x + y]), 1, has_aux=True)(X, X.cos())
    close(found, torch.diag(X))
    close(aux[0], X + X.cos())


@BOTH
def test_nested(jacobian):
    second = jacobian(jacobian(lambda x: (x**3).sum()))(X)
    close(second, torch.diag(6 * X))
    x = X.clone().requires_grad_()
    (found,) = torch.autograd.grad(jacobian(lambda x: x**3)(x).sum(), x)
    close(found, 6 * X)


@BOTH
def test_only_what_leads_outside_is_tracked(jacobian):
    w = W.clone().requires_grad_()
    assert not jacobian(lambda x: (x * x, w.sum()))(X)[0].requires_grad
    assert jacobian(lambda x: w @ x)(X).requires_grad


@pytest.mark.parametrize("chunk_size", [1, 2, 100])
def test_chunks(chunk_size):
    close(jacrev(lambda x: (x**2, x.sum()), chunk_size=chunk_size)(X)[0], torch.diag(2 * X))


def test_hessian():
    close(hessian(lambda x: (x**3).sum() + x[0] * x[1])(X)[0], vector(6.0, 1.0, 0.0))
    close(vmap(hessian(lambda x: x.prod()))(torch.stack([X, X]))[1][0], torch.stack([0 * X[0], X[2], X[1]]))
    found = hessian(lambda x, y: x @ W.T @ y, (0, 1))(X, W[:, 0])
    close(found[0][1], W.T)
    close(found[1][0], W)


def test_hessian_of_what_writes():
    def f(x):
        y = torch.zeros(4, dtype=torch.float64)
        y[:3] = x
        y[3] = x[0] * x[1]
        y[0:2].mul_(x[1])
        return (y * y).sum()

    def plain(x):
        return ((x[:2] * x[1]) ** 2).sum() + x[2] ** 2 + (x[0] * x[1]) ** 2

    close(hessian(f)(X), hessian(plain)(X))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: jacrev(torch.abs)(X + 0j), "jacrev: Expected all inputs to be real"),
        (lambda: jacfwd(torch.abs)(X + 0j), "jacfwd: Expected all inputs to be real"),
        (lambda: jacrev(lambda x: x + 0j)(X), "jacrev: Expected all outputs to be real"),
        (lambda: jacfwd(lambda x: x + 0j)(X), "jacfwd: Expected all outputs to be real"),
        (lambda: jacrev(torch.sin, 1)(X), "Got argnum=1, but only 1 positional inputs"),
    ],
)
def test_errors(call, message):
    with pytest.raises(RuntimeError) as error:
        call()
    assert message in str(error.value)


def test_chunk_size_must_be_positive():
    with pytest.raises(ValueError, match="jacrev: `chunk_size` should be greater than 0."):
        jacrev(torch.sin, chunk_size=0)
