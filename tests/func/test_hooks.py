"""Hooks, saved-tensor hooks and checkpoints inside of transforms, and what grad mode hides from which of them."""

import pytest

import minigrad
from minigrad.func import grad, grad_and_value, jacrev, jvp, vjp, vmap
from minigrad.utils.checkpoint import checkpoint

X = minigrad.tensor([[0.2, 0.5], [1.0, -0.4]])
Y = minigrad.tensor([2.0, 3.0])


def with_hook(x):
    z = x * 2
    z.register_hook(lambda g: g * 10)
    return (z * z).sum()


def test_hook_on_a_tensor_changes_the_gradient():
    assert grad(with_hook)(Y).tolist() == (80 * Y).tolist()
    assert vmap(grad(with_hook))(X).tolist() == (80 * X).tolist()
    assert jvp(grad(with_hook), (Y,), (Y,))[1].tolist() == (80 * Y).tolist()


def test_hook_is_not_called_where_the_backward_is_differentiated():
    assert grad(lambda x: grad(with_hook)(x).sum())(Y).tolist() == [80.0, 80.0]
    y = Y.clone().requires_grad_()
    grad(with_hook)(y).sum().backward()
    assert y.grad.tolist() == [80.0, 80.0]


def test_hook_is_called_by_a_pull_function_later():
    calls = []

    def f(x):
        x.register_hook(lambda g: calls.append(tuple(g.shape)) or g * 2)
        return x * 3

    _, pull = vjp(f, Y)
    assert calls == []
    assert pull(Y)[0].tolist() == (6 * Y).tolist()
    assert jacrev(f)(Y).tolist() == [[6.0, 0.0], [0.0, 6.0]]
    assert calls == [(2,), (2,)]


def test_hook_is_called_by_a_backward_inside_of_the_function():
    def f(x):
        z = x * x
        z.register_hook(lambda g: g * 5)
        (g,) = minigrad.autograd.grad(z.sum(), x, create_graph=True)
        return g.sum()

    gradient, value = grad_and_value(f)(Y)
    assert (gradient.tolist(), value.item()) == ([10.0, 10.0], 50.0)


def test_saved_tensor_hooks_are_refused_by_reverse_transforms_only():
    def saving(f, x):
        with minigrad.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
            return f(x)

    with pytest.raises(RuntimeError, match="don't yet support saved tensor hooks"):
        grad(lambda x: saving(minigrad.sin, x).sum())(Y)
    with pytest.raises(RuntimeError, match="don't yet support saved tensor hooks"):
        saving(grad(lambda x: x.sin().sum()), Y)
    assert saving(lambda x: jvp(minigrad.sin, (x,), (x,)), Y)[1].tolist() == (Y.cos() * Y).tolist()


def test_checkpoint_of_a_batch():
    x = X.clone().requires_grad_()
    for use_reentrant in (True, False):
        x.grad = None
        checkpoint(
            lambda x: vmap(lambda x: x.sin().sum())(x), x, use_reentrant=use_reentrant
        ).sum().backward()
        assert minigrad.allclose(x.grad, X.cos())


def test_gradients_under_no_grad_keep_their_tangents():
    def silently(f):
        def g(x):
            with minigrad.no_grad():
                return f(x)

        return g

    def cube(x):
        return (x**3).sum()

    (g, value), (tg, tvalue) = jvp(silently(grad_and_value(cube)), (Y,), (Y,))
    assert (g.tolist(), value.item()) == ([12.0, 27.0], 35.0)
    assert (tg.tolist(), tvalue.item()) == ([24.0, 54.0], 105.0)
    # an argument that is tracked, and dual: its history ends here, its tangent does not
    found = jvp(lambda x: grad(lambda z: (silently(grad(cube))(z) * z).sum())(x), (Y,), (Y,))[1]
    assert found.tolist() == [24.0, 54.0]
    assert grad(lambda x: silently(grad(cube))(x).sum())(Y).tolist() == [0.0, 0.0]
