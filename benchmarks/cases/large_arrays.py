"""Large arrays, where memory and kernels count and the cost of making an op does not."""

import functools

from benchmarks.cases.training_steps import evenly
from benchmarks.registry import Subject

large = Subject("Large arrays, forward and backward")


def big_chain_of(torch, count):
    x, y, z = (evenly(torch, count).requires_grad_() for _ in range(3))
    slope = torch.ones(count)

    def run():
        x.grad = y.grad = z.grad = None
        ((x * y + z).tanh() * y).backward(slope)
        return y.grad

    return run


@large.timed("tanh(x*y + z) * y, 4M elements", bar_all=1.0, bar_fast=0.9)
def big_chain(torch):
    return big_chain_of(torch, 1 << 22)


@large.timed("a @ b, 512 x 512", bar_all=1.1, bar_fast=1.0)
def product(torch):
    a, b = (evenly(torch, 512, 512).requires_grad_() for _ in range(2))
    slope = evenly(torch, 512, 512)

    def run():
        a.grad = b.grad = None
        (a @ b).backward(slope)
        return a.grad

    return run


@large.timed("cross_entropy, 1024 x 128")
def cross_entropy(torch):
    x = evenly(torch, 1024, 128).requires_grad_()
    target = torch.arange(1024) % 128

    def run():
        x.grad = None
        torch.nn.functional.cross_entropy(x, target).backward()
        return x.grad

    return run


def on_rows(torch, function, shape):
    """``function(x)`` forward and backward, with an uneven gradient arriving."""
    x = evenly(torch, *shape).requires_grad_()
    slope = evenly(torch, *function(x).shape) + 0.5

    def run():
        x.grad = None
        function(x).backward(slope)
        return x.grad

    return run


for name, function, shape in (
    ("softmax over rows, 1024 x 128", lambda x: x.softmax(1), (1024, 128)),
    ("log_softmax over rows, 1024 x 128", lambda x: x.log_softmax(1), (1024, 128)),
    ("sum over axis 0, 1024 x 1024", lambda x: x.sum(0), (1024, 1024)),
    ("sum over axis 1, 1024 x 1024", lambda x: x.sum(1), (1024, 1024)),
    ("sum over all, 1024 x 1024", lambda x: x.sum(), (1024, 1024)),
    ("mean over axis 0, 1024 x 1024", lambda x: x.mean(0), (1024, 1024)),
    ("mean over axis 1, 1024 x 1024", lambda x: x.mean(1), (1024, 1024)),
    ("mean over axes 0 and 2, 64 x 16 x 1024", lambda x: x.mean((0, 2)), (64, 16, 1024)),
):
    large.timed(name)(functools.partial(on_rows, function=function, shape=shape))
