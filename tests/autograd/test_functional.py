"""``autograd.functional``: Jacobians, Hessians and their products with vectors."""

import warnings

import numpy as np
import pytest

import minigrad
from minigrad.autograd import functional
from minigrad.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp
from tests.messages import first_sentence


def point(lib=minigrad, requires_grad=False):
    x = lib.tensor([[0.5, -1.0], [2.0, 0.25]], dtype=lib.float64, requires_grad=requires_grad)
    y = lib.tensor([1.5, -0.5], dtype=lib.float64, requires_grad=requires_grad)
    return x, y


def values(x, y):
    """A tensor, a vector and a number, of a matrix and a vector."""
    return x * y + x.exp(), x.sin() @ y, (x * x).sum()


def energy(x, y):
    return (x.exp() @ y).sum() + (y**3).sum() * x[0, 1]


def dense(function, arrays, eps=1e-6):
    """The Jacobians of ``function``, arrays to list of arrays, by central differences: ``[result][input]``."""
    results = function(*arrays)
    found = [[np.zeros(z.shape + a.shape) for a in arrays] for z in results]
    for k, a in enumerate(arrays):
        for place in np.ndindex(a.shape):
            both = []
            for sign in (1, -1):
                moved = [np.array(b) for b in arrays]
                moved[k][place] += sign * eps
                both.append(function(*moved))
            for row, above, below in zip(found, *both):
                row[k][(..., *place)] = (above - below) / (2 * eps)
    return found


def on_arrays(function):
    def applied(*arrays):
        out = function(*map(minigrad.tensor, arrays))
        return [z.numpy() for z in (out if isinstance(out, tuple) else (out,))]

    return applied


EXPECTED = dense(on_arrays(values), [x.numpy() for x in point()])


@pytest.mark.parametrize("vectorize", [False, True])
@pytest.mark.parametrize("create_graph", [False, True])
def test_jacobian_is_that_of_differences(vectorize, create_graph):
    found = jacobian(values, point(requires_grad=True), create_graph=create_graph, vectorize=vectorize)
    for row, expected in zip(found, EXPECTED, strict=True):
        for one, other in zip(row, expected, strict=True):
            np.testing.assert_allclose(one.detach().numpy(), other, atol=1e-8)
    # the number does not depend on y: zeros, without a history
    assert not found[2][1].any()
    assert found[0][0].requires_grad == create_graph


def test_jacobian_of_one_tensor_or_a_tuple_of_one():
    x, _ = point()
    one = jacobian(minigrad.exp, x)
    assert one.shape == (2, 2, 2, 2)
    assert jacobian(minigrad.exp, (x,))[0].equal(one)
    assert jacobian(lambda x: (x.exp(),), x)[0].equal(one)
    assert jacobian(lambda x: (x.exp(),), (x,))[0][0].equal(one)


@pytest.mark.parametrize("vectorize", [False, True])
def test_hessian_is_that_of_differences(vectorize):
    def gradient(*arrays):
        return [g.numpy() for g in jacobian(energy, tuple(map(minigrad.tensor, arrays)))]

    expected = dense(gradient, [x.numpy() for x in point()])
    found = hessian(energy, point(), vectorize=vectorize)
    for row, others in zip(found, expected, strict=True):
        for one, other in zip(row, others, strict=True):
            np.testing.assert_allclose(one.numpy(), other, atol=1e-8)


def test_products_are_those_of_the_matrices():
    x, y = point()
    v = (minigrad.ones(2, 2).double(), minigrad.tensor([1.0, 2.0]).double(), minigrad.tensor(0.5).double())
    matrix = [[one.numpy() for one in row] for row in jacobian(values, (x, y))]
    outputs, pulled = vjp(values, (x, y), v)
    assert all(one.equal(other) for one, other in zip(outputs, values(x, y)))
    for k, got in enumerate(pulled):
        expected = sum(np.tensordot(g.numpy(), row[k], g.dim()) for g, row in zip(v, matrix))
        np.testing.assert_allclose(got.numpy(), expected)
    direction = v[:2]
    _, pushed = jvp(values, (x, y), direction)
    for got, row in zip(pushed, matrix):
        expected = sum(np.tensordot(one, t.numpy(), t.dim()) for one, t in zip(row, direction))
        np.testing.assert_allclose(got.numpy(), expected)
    second = [[one.numpy() for one in row] for row in hessian(energy, (x, y))]
    for product in (vhp, hvp):
        value, found = product(energy, (x, y), direction)
        assert value.equal(energy(x, y))
        for got, row in zip(found, second):
            expected = sum(np.tensordot(one, t.numpy(), t.dim()) for one, t in zip(row, direction))
            np.testing.assert_allclose(got.numpy(), expected)


def test_results_can_be_differentiated():
    x = minigrad.tensor([1.0, 2.0], requires_grad=True)
    v = minigrad.tensor([3.0, 4.0], requires_grad=True)
    cube = lambda x: x**3

    def gradients(result, *inputs):
        return [g.tolist() for g in minigrad.autograd.grad(result.sum(), inputs)]

    assert gradients(jacobian(cube, x, create_graph=True), x) == [[6.0, 12.0]]
    assert gradients(jacobian(cube, x, create_graph=True, vectorize=True), x) == [[6.0, 12.0]]
    assert gradients(vjp(cube, x, v, create_graph=True)[1], x, v) == [[18.0, 48.0], [3.0, 12.0]]
    assert gradients(jvp(cube, x, v, create_graph=True)[1], x, v) == [[18.0, 48.0], [3.0, 12.0]]
    total = lambda x: (x**3).sum()
    assert gradients(hessian(total, x, create_graph=True), x) == [[6.0, 6.0]]
    assert gradients(vhp(total, x, v, create_graph=True)[1], x, v) == [[18.0, 24.0], [6.0, 12.0]]
    assert gradients(hvp(total, x, v, create_graph=True)[1], x, v) == [[18.0, 24.0], [6.0, 12.0]]


def test_what_is_captured_is_constant():
    x = minigrad.tensor([1.0, 2.0], requires_grad=True)
    assert jacobian(lambda y: x * y, x).tolist() == [[1.0, 0.0], [0.0, 2.0]]
    assert not jacobian(lambda y: x * x, x).any()
    assert x.grad is None


def test_grad_mode_outside_does_not_matter():
    x = minigrad.tensor([1.0, 2.0])
    total = lambda x: (x**3).sum()
    with minigrad.no_grad():
        assert jacobian(minigrad.square, x).diagonal().tolist() == [2.0, 4.0]
        assert hessian(total, x).diagonal().tolist() == [6.0, 12.0]
        assert vjp(minigrad.square, x, x)[1].tolist() == jvp(minigrad.square, x, x)[1].tolist() == [2.0, 8.0]
        assert vhp(total, x, x)[1].tolist() == hvp(total, x, x)[1].tolist() == [6.0, 24.0]
        tracked = jacobian(minigrad.square, x.clone().requires_grad_(), create_graph=True)
    assert tracked.requires_grad


def test_names():
    assert functional.__all__ == ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]
    assert minigrad.autograd.functional is functional


# What is said --------------------------------------------------------------------------------------------------------------

ONES = lambda lib, *shape: lib.ones(*shape, dtype=lib.float64)
CASES = {
    "jacobian of a number": lambda lib, f: f.jacobian(lib.exp, 3.0),
    "jacobian at a list": lambda lib, f: f.jacobian(lib.exp, [point(lib)[0]]),
    "jacobian at a tuple with a number": lambda lib, f: f.jacobian(lib.add, (point(lib)[0], 3.0)),
    "jacobian of what gives nothing": lambda lib, f: f.jacobian(lambda x: None, point(lib)[0]),
    "jacobian of what gives a number": lambda lib, f: f.jacobian(lambda x: (x, 3.0), point(lib)[0]),
    "jacobian of nothing": lambda lib, f: f.jacobian(lambda x: lib.zeros(0) * x.sum(), point(lib)[0]),
    "another strategy": lambda lib, f: f.jacobian(lib.exp, point(lib)[0], strategy="sideways"),
    "forward mode with a graph": lambda lib, f: f.jacobian(
        lib.exp, point(lib)[0], create_graph=True, strategy="forward-mode"
    ),
    "forward mode, strict": lambda lib, f: f.jacobian(
        lib.exp, point(lib)[0], strict=True, strategy="forward-mode"
    ),
    "forward mode, not vectorized": lambda lib, f: f.jacobian(
        lib.exp, point(lib)[0], strategy="forward-mode"
    ),
    "strict and vectorized": lambda lib, f: f.jacobian(lib.exp, point(lib)[0], strict=True, vectorize=True),
    "strict, a result is constant": lambda lib, f: f.jacobian(
        lambda x: lib.ones(2), point(lib)[0], strict=True
    ),
    "strict, one input does not matter": lambda lib, f: f.jacobian(
        lambda x, y: x.exp(), point(lib), strict=True
    ),
    "strict, the jacobian is constant": lambda lib, f: f.jacobian(
        lambda x, y: x + y, point(lib, True), strict=True, create_graph=True
    ),
    "hessian of a vector": lambda lib, f: f.hessian(lib.exp, point(lib)[0]),
    "hessian of a tuple": lambda lib, f: f.hessian(lambda x: (x.sum(),), point(lib)[0]),
    "hessian by another strategy": lambda lib, f: f.hessian(
        lib.sum, point(lib)[0], outer_jacobian_strategy="sideways"
    ),
    "hessian, strict, linear": lambda lib, f: f.hessian(lib.sum, point(lib)[0], strict=True),
    "hessian, strict, constant": lambda lib, f: f.hessian(lambda x: lib.ones(()), point(lib)[0], strict=True),
    "vjp without v": lambda lib, f: f.vjp(lib.exp, point(lib)[0]),
    "vjp, v of another shape": lambda lib, f: f.vjp(lib.exp, point(lib)[0], ONES(lib, 3)),
    "vjp, too many v": lambda lib, f: f.vjp(lib.exp, point(lib)[0], (ONES(lib, 2, 2),) * 2),
    "vjp, too few v": lambda lib, f: f.vjp(values, point(lib), ONES(lib, 2, 2)),
    "vjp, one v of another shape": lambda lib, f: f.vjp(values, point(lib), (ONES(lib, 2, 2),) * 3),
    "vjp, v no tensor": lambda lib, f: f.vjp(lib.exp, point(lib)[0], [1.0]),
    "vjp, strict": lambda lib, f: f.vjp(lambda x, y: x.exp(), point(lib), v=ONES(lib, 2, 2), strict=True),
    "vjp, strict, linear, with a graph": lambda lib, f: f.vjp(
        lambda x, y: x + y, point(lib, True), v=ONES(lib, 2, 2), strict=True, create_graph=True
    ),
    "jvp without v": lambda lib, f: f.jvp(lib.exp, point(lib)[0]),
    "jvp, one v of another shape": lambda lib, f: f.jvp(values, point(lib), (ONES(lib, 2, 2), ONES(lib, 3))),
    "jvp, strict, constant": lambda lib, f: f.jvp(
        lambda x: lib.ones(2), point(lib)[0], ONES(lib, 2, 2), strict=True
    ),
    "jvp, strict, one input does not matter": lambda lib, f: f.jvp(
        lambda x, y: x.exp(), point(lib), (ONES(lib, 2, 2), ONES(lib, 2)), strict=True
    ),
    "jvp, strict, linear, with a graph": lambda lib, f: f.jvp(
        lambda x: x * 2, point(lib, True)[0], ONES(lib, 2, 2), strict=True, create_graph=True
    ),
    **{
        f"{name}, {what}": (lambda lib, f, name=name, call=call: call(lib, getattr(f, name)))
        for name in ("vhp", "hvp")
        for what, call in {
            "without v": lambda lib, product: product(lib.sum, point(lib)[0]),
            "of a vector": lambda lib, product: product(lib.exp, point(lib)[0], ONES(lib, 2, 2)),
            "of a tuple": lambda lib, product: product(lambda x: (x.sum(),), point(lib)[0], ONES(lib, 2, 2)),
            "v of another shape": lambda lib, product: product(lib.sum, point(lib)[0], ONES(lib, 3)),
            "strict, linear": lambda lib, product: product(
                lib.sum, point(lib)[0], ONES(lib, 2, 2), strict=True
            ),
            "strict, one input does not matter": lambda lib, product: product(
                lambda x, y: (x**3).sum(), point(lib), (ONES(lib, 2, 2), ONES(lib, 2)), strict=True
            ),
            "strict, apart": lambda lib, product: product(
                lambda x, y: (x**3).sum() + y.sum(),
                point(lib),
                (ONES(lib, 2, 2), ONES(lib, 2)),
                strict=True,
            ),
        }.items()
    },
}


def outcome(lib, case):
    from importlib import import_module

    try:
        case(lib, import_module(f"{lib.__name__}.autograd.functional"))
    except Exception as error:
        return type(error).__name__, str(error)
    return "nothing raised"


@pytest.mark.parametrize("case", CASES)
def test_mistakes_are_errors(case):
    kind, text = outcome(minigrad, CASES[case])
    assert kind in ("RuntimeError", "TypeError", "NotImplementedError", "AssertionError") and len(text) > 30


@pytest.mark.torch
@pytest.mark.parametrize("case", CASES)
def test_mistakes_are_errors_in_pytorchs_words(case):
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of torch.jit, at its first use
        kind, text = outcome(minigrad, CASES[case])
        expected_kind, expected_text = outcome(torch, CASES[case])
    assert (kind, first_sentence(text)) == (expected_kind, first_sentence(expected_text))


# Forward mode ----------------------------------------------------------------------------------------------------------------


def test_jacobian_by_forward_mode():
    found = jacobian(values, point(), vectorize=True, strategy="forward-mode")
    for row, expected in zip(found, EXPECTED, strict=True):
        for one, other in zip(row, expected, strict=True):
            np.testing.assert_allclose(one.numpy(), other, atol=1e-8)


def test_hessian_by_forward_mode_over_reverse():
    found = hessian(energy, point(), vectorize=True, outer_jacobian_strategy="forward-mode")
    for row, others in zip(found, hessian(energy, point()), strict=True):
        for one, other in zip(row, others, strict=True):
            np.testing.assert_allclose(one.numpy(), other.numpy(), atol=1e-12)


def test_jacobian_by_forward_mode_of_a_constant():
    found = jacobian(
        lambda x: (x.sum(), minigrad.ones(3)),
        minigrad.ones(2),
        vectorize=True,
        strategy="forward-mode",
    )
    assert found[0].tolist() == [1.0, 1.0] and found[1].shape == (3, 2) and not found[1].any()
