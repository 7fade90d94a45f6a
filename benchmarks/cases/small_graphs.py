"""Chains of 100 steps on 4 elements: nothing but the cost of making, recording and running ops."""

from benchmarks.registry import Subject

chains = Subject("Chains of 100 steps on 4 elements")

STEPS = 100


def operands(torch, leaf=True):
    """Two vectors of 4 elements; the second one requires grad, or the first if ``leaf`` is False."""
    x = torch.tensor([0.1, -0.2, 0.3, -0.4], requires_grad=not leaf)
    y = torch.tensor([0.5, 0.6, 0.7, 0.8], requires_grad=leaf)
    return x, y


@chains.timed("z = (z*y + y).tanh(), backward", bar=0.65, bar_all=0.55)
def tanh_chain(torch):
    x, y = operands(torch)

    def run():
        y.grad = None
        z = x
        for _ in range(STEPS):
            z = (z * y + y).tanh()
        z.sum().backward()
        return y.grad

    return run


@chains.timed("the same, y a constant and z0 the leaf", bar=0.65, bar_all=0.55)
def tanh_chain_constant(torch):
    x, y = operands(torch, leaf=False)

    def run():
        x.grad = None
        z = x
        for _ in range(STEPS):
            z = (z * y + y).tanh()
        z.sum().backward()
        return z

    return run


@chains.timed("z = z * 1.01, backward", bar=0.45, bar_all=0.36)
def scalar_chain(torch):
    x, _ = operands(torch, leaf=False)

    def run():
        x.grad = None
        z = x
        for _ in range(STEPS):
            z = z * 1.01
        z.sum().backward()
        return x.grad

    return run


@chains.timed("z = (z*1.01 + 0.5).tanh(), backward")
def scalar_tanh_chain(torch):
    x, _ = operands(torch, leaf=False)

    def run():
        x.grad = None
        z = x
        for _ in range(STEPS):
            z = (z * 1.01 + 0.5).tanh()
        z.sum().backward()
        return z

    return run


@chains.timed("z = (z*y + y).tanh() under no_grad", bar=0.75, bar_all=0.62)
def no_grad_chain(torch):
    x, y = operands(torch)

    def run():
        z = x
        with torch.no_grad():
            for _ in range(STEPS):
                z = (z * y + y).tanh()
        return z

    return run


@chains.timed("z = (z*y + y).tanh(), grad with create_graph", bar=0.9)
def create_graph_chain(torch):
    x, y = operands(torch)

    def run():
        z = x
        for _ in range(STEPS):
            z = (z * y + y).tanh()
        (slope,) = torch.autograd.grad(z.sum(), y, create_graph=True)
        return slope

    return run


@chains.timed("z = (z*y + y).tanh(), forward only, recorded")
def recorded_chain(torch):
    x, y = operands(torch)

    def run():
        z = x
        for _ in range(STEPS):
            z = (z * y + y).tanh()
        return z

    return run
