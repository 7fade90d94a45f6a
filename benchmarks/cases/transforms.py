"""Transforms of functions: gradients per sample, of gradients, Jacobians, Hessians."""

from benchmarks.registry import Subject

transforms = Subject("Transforms of functions")


def numbers(torch, *shape):
    """The same numbers in both libraries."""
    count = 1
    for n in shape:
        count *= n
    return ((torch.arange(count) * 0.7).sin() * 0.5).reshape(shape)


def per_sample_gradients(torch, n, hidden, out):
    """Gradients of the loss of each of 64 samples with respect to all weights of a network of two layers."""
    functional = torch.nn.functional
    weights = {
        "w1": numbers(torch, hidden, n),
        "b1": numbers(torch, hidden),
        "w2": numbers(torch, out, hidden),
        "b2": numbers(torch, out),
    }
    x, y = numbers(torch, 64, n), numbers(torch, 64, out)

    def loss(weights, x, y):
        h = torch.tanh(functional.linear(x, weights["w1"], weights["b1"]))
        return ((functional.linear(h, weights["w2"], weights["b2"]) - y) ** 2).sum()

    gradients = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))
    return lambda: gradients(weights, x, y)["w1"]


@transforms.timed("gradients per sample, 20-32-4, batch 64", bar=0.9)
def per_sample_small(torch):
    return per_sample_gradients(torch, 20, 32, 4)


@transforms.timed("gradients per sample, 128-64-10, batch 64", bar=0.9)
def per_sample_large(torch):
    return per_sample_gradients(torch, 128, 64, 10)


def chain(torch):
    """A function of 60 elementwise steps."""

    def function(x):
        for _ in range(20):
            x = torch.sin(x) * 1.01 + 0.1
        return x.sum()

    return function


@transforms.timed("grad of 60 steps", bar=0.6)
def gradient(torch):
    x, function = numbers(torch, 10), torch.func.grad(chain(torch))
    return lambda: function(x)


@transforms.timed("grad of grad of 60 steps", bar=0.7)
def second_gradient(torch):
    first = torch.func.grad(chain(torch))
    x, function = numbers(torch, 10), torch.func.grad(lambda x: first(x).sum())
    return lambda: function(x)


@transforms.timed("jvp of 60 steps")
def tangent(torch):
    x, function = numbers(torch, 10), chain(torch)
    return lambda: torch.func.jvp(function, (x,), (x,))[1]


@transforms.timed("vmap of 60 steps, batch 64")
def batch(torch):
    x, function = numbers(torch, 64, 10), torch.func.vmap(chain(torch))
    return lambda: function(x)


def rosenbrock(x):
    """The test function of Rosenbrock in any number of dimensions."""
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@transforms.timed("hessian, Rosenbrock in 30 dimensions", bar=0.5, bar_all=0.8)
def hessian(torch):
    x, function = numbers(torch, 30), torch.func.hessian(rosenbrock)
    return lambda: function(x)


@transforms.timed("functional.hessian of it")
def functional_hessian(torch):
    x = numbers(torch, 30)
    return lambda: torch.autograd.functional.hessian(rosenbrock, x)


@transforms.timed("jacrev, 100 x 100")
def jacobian(torch):
    w, x = numbers(torch, 100, 100), numbers(torch, 100)
    function = torch.func.jacrev(lambda x: torch.tanh(w @ x))
    return lambda: function(x)


@transforms.timed("functional.jacobian(vectorize=True), 100 x 100", bar=0.5)
def vectorized_jacobian(torch):
    w, x = numbers(torch, 100, 100), numbers(torch, 100)
    return lambda: torch.autograd.functional.jacobian(lambda x: torch.tanh(w @ x), x, vectorize=True)
