"""What holds for all nests of transforms: nothing is left behind, by results, errors or threads."""

import gc
import threading

import pytest

import minigrad as torch
from minigrad._core.modes import thread_state
from minigrad.autograd import forward_ad
from minigrad.func import grad, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap
from minigrad.utils._pytree import tree_leaves

X = torch.tensor([0.3, -0.5, 0.7])
A = torch.tensor([[0.1, 0.2, 0.3], [-0.4, 0.5, 0.1], [0.2, -0.3, 0.4]])


def tracked():
    return X.clone().requires_grad_()


def in_dual_level(f, x):
    with forward_ad.dual_level():
        d = forward_ad.make_dual(x, torch.ones(3))
        y = f(d)
        if y.requires_grad:
            (y,) = torch.autograd.grad(y, d, create_graph=True)
        return tuple(forward_ad.unpack_dual(y))


TRANSFORMS = {
    "grad": lambda f: grad(f)(X),
    "grad of tracked": lambda f: grad(f)(tracked()),
    "grad of grad": lambda f: grad(lambda x: grad(f)(x).sum())(X),
    "vmap of grad": lambda f: vmap(grad(f))(torch.stack([X, 2 * X])),
    "jvp": lambda f: jvp(f, (X,), (X,)),
    "jvp of tracked": lambda f: jvp(f, (tracked(),), (X,)),
    "vjp": lambda f: vjp(f, X)[1](torch.tensor(1.0)),
    "jacrev": lambda f: jacrev(f)(X),
    "jacfwd": lambda f: jacfwd(f)(X),
    "hessian": lambda f: hessian(f)(X),
    "hessian of tracked": lambda f: hessian(f)(tracked()),
    "linearize": lambda f: linearize(f, X)[1](X),
    "dual_level": lambda f: in_dual_level(f, X),
    "dual_level of tracked": lambda f: in_dual_level(f, tracked()),
}
EACH = pytest.mark.parametrize("name", TRANSFORMS)


def net(x):
    return ((A @ x).tanh() * x).sum()


def writing(x):
    y = x.clone()
    y[0].mul_(2)
    z = torch.zeros_like(x)
    z.copy_(y)
    z[1:].sin_()
    return (z * x).sum()


@EACH
@pytest.mark.parametrize("function", [net, writing])
def test_nothing_is_left_for_the_garbage_collector(name, function):
    TRANSFORMS[name](function)  # what is cached is cached
    gc.collect()
    gc.disable()
    try:
        TRANSFORMS[name](function)
        assert gc.collect() == 0
    finally:
        gc.enable()


@EACH
def test_errors_close_all_levels(name):
    def fails(x):
        (x * 2).sum()
        raise KeyError("mine")

    def nested(x):
        return grad(lambda x: vmap(fails)(x.unsqueeze(0)).sum())(x).sum()

    for function in (fails, nested):
        with pytest.raises(KeyError, match="mine"):
            TRANSFORMS[name](function)
        assert thread_state.levels == ()
        assert thread_state.forward
        assert torch.is_grad_enabled()
    torch.testing.assert_close(grad(net)(X), vjp(net, X)[1](torch.tensor(1.0))[0])


def test_modes_inside_are_left_as_they_were():
    with torch.no_grad():
        grad(net)(X)
        assert not torch.is_grad_enabled()
    with torch.inference_mode():
        grad(net)(X)
        assert torch.is_inference_mode_enabled()


def test_threads_do_not_disturb_each_other():
    expected = {name: tree_leaves(transform(net)) for name, transform in TRANSFORMS.items()}
    different = []

    def work():
        for name, transform in TRANSFORMS.items():
            found = tree_leaves(transform(net))
            if not all(torch.allclose(a, b) for a, b in zip(found, expected[name])):
                different.append(name)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not different


def test_all_second_derivatives_agree():
    expected = jacfwd(jacfwd(net))(X)
    for outer in (jacrev, jacfwd):
        for inner in (jacrev, jacfwd, grad):
            torch.testing.assert_close(outer(inner(net))(X), expected)
    torch.testing.assert_close(vmap(hessian(net))(X.unsqueeze(0))[0], expected)


def test_a_write_of_what_is_the_same_for_all_samples():
    def f(x):
        def g(y):
            z = X.clone()
            z.add_(y, alpha=2)
            return (z * z).sum()

        return grad(g)(X) + x

    z = 3 * X
    torch.testing.assert_close(vmap(f)(torch.zeros(2, 3)), (4 * z).expand(2, 3))
