"""Extend autograd by an operation of your own, and wrap it in a module: the Linear of PyTorch's manual, and what to do beside it.

    1. A Function has a forward and a backward; a Module holds its parameters.
    2. gradcheck compares backward with finite differences, and finds a mistake in it.
    3. Code that autograd cannot see, here the solver of a banded system in NumPy, gets a derivative.
    4. setup_context opens the way to grad, vmap and jvp.

Run it:  python examples/extending_autograd.py [--quick]
"""

import argparse
import textwrap

import minigrad as torch
from minigrad import nn
from minigrad.autograd import Function, gradcheck, gradgradcheck
from minigrad.func import grad, jvp, vmap


def heading(text):
    print(f"\n{text}\n{'-' * len(text)}")


def explain(text):
    print(textwrap.fill(" ".join(text.split()), width=100) + "\n")


def check(fact, complaint):
    """Stop unless what was just explained is so."""
    if not fact:
        raise SystemExit(complaint)


class LinearFunction(Function):
    """y = x Wᵀ + b:  (n, inputs), (outputs, inputs), (outputs,) -> (n, outputs)."""

    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        y = x.mm(weight.t())
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        wants_x, wants_weight, wants_bias = ctx.needs_input_grad  # what nobody asked for need not be computed
        return (
            g.mm(weight) if wants_x else None,
            g.t().mm(x) if wants_weight else None,
            g.sum(0) if wants_bias else None,
        )


class Linear(nn.Module):
    """A layer that holds a weight and a bias, and applies LinearFunction to them."""

    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.inputs, self.outputs = inputs, outputs
        self.weight = nn.Parameter(
            torch.empty(outputs, inputs)
        )  # a Parameter is found by parameters(), and saved
        if bias:
            self.bias = nn.Parameter(torch.empty(outputs))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = self.inputs**-0.5
        for p in self.parameters():
            nn.init.uniform_(p, -bound, bound)

    def forward(self, x):
        return LinearFunction.apply(x, self.weight, self.bias)

    def extra_repr(self):
        """What ``print(layer)`` shows between the brackets."""
        return f"inputs={self.inputs}, outputs={self.outputs}, bias={self.bias is not None}"


def fit(linear, steps):
    """Train a network of two such layers to tell the parity of three bits; returns the network and the loss of every step."""
    torch.manual_seed(0)
    bits = torch.cartesian_prod(*[torch.tensor([0.0, 1.0])] * 3)
    parity = (bits.sum(1) % 2).unsqueeze(1)
    network = nn.Sequential(linear(3, 16), nn.Tanh(), linear(16, 1))
    optimizer = torch.optim.Adam(network.parameters(), lr=0.05)
    losses = []
    for _ in range(steps):
        loss = nn.functional.binary_cross_entropy_with_logits(network(bits), parity)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return network, losses


def a_layer(steps):
    heading("1. A Function and a Module")
    network, losses = fit(Linear, steps)
    print(network, "\n")
    print(network(torch.zeros(1, 3)), "\n")
    _, theirs = fit(nn.Linear, steps)
    explain(f"""Trained for {steps} steps to tell the parity of three bits, its loss falls from {losses[0]:.4f} to {losses[-1]:.4f}; with
        nn.Linear in its place, from {theirs[0]:.4f} to {theirs[-1]:.4f}.""")
    check(losses[-1] < 0.1, "the network has learnt too little")
    check(abs(losses[-1] - theirs[-1]) < 1e-3 * losses[0], "nn.Linear learns differently")


class WrongLinear(LinearFunction):
    """One of those mistakes that still run: the shapes are right, the factor is not."""

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        return g.mm(weight), g.t().mm(x) / len(x), g.sum(0)


def a_check():
    heading("2. Is backward right?")
    shapes = ((4, 2), (1, 2), (1,))
    inputs = [torch.randn(*shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    once, twice = gradcheck(LinearFunction.apply, inputs), gradgradcheck(LinearFunction.apply, inputs)
    print(f"gradcheck: {once}, gradgradcheck: {twice}\n")
    check(once and twice, "backward is wrong")
    explain("In double precision, finite differences tell. Of a backward with a mistake gradcheck says:")
    try:
        gradcheck(WrongLinear.apply, inputs)
    except RuntimeError as error:
        print(textwrap.indent(str(error), "  "))
    else:
        raise SystemExit("gradcheck has not found the mistake")


class Tridiagonal(Function):
    """x with A x = b, for the matrix A that has ``diagonal`` on its diagonal and -1 beside it, by elimination in NumPy."""

    @staticmethod
    def solve(diagonal, b):
        d, x = diagonal.copy(), b.copy()
        for k in range(1, len(d)):
            d[k] -= 1 / d[k - 1]
            x[k] += x[k - 1] / d[k - 1]
        x[-1] /= d[-1]
        for k in range(len(d) - 2, -1, -1):
            x[k] = (x[k] + x[k + 1]) / d[k]
        return x

    @staticmethod
    def forward(ctx, diagonal, b):
        x = torch.from_numpy(Tridiagonal.solve(diagonal.detach().numpy(), b.detach().numpy()))
        ctx.save_for_backward(diagonal, x)
        return x

    @staticmethod
    def backward(ctx, g):
        diagonal, x = ctx.saved_tensors
        above = Tridiagonal.apply(
            diagonal, g
        )  # A is its own transpose; through apply, so that it can be differentiated again
        return -above * x, above


def a_solver(steps):
    heading("3. Code that autograd cannot see")
    explain("""A rod is heated everywhere, loses heat at each place at a rate of its own, and its ends touch bodies of temperature 1 and
        1/2: its temperatures solve a banded system. Which rates keep its left half at 1, and its right half at 1/2? The solver is
        a loop over a NumPy array; its derivative is the same solver once more.""")
    size, heat = 12, 0.6
    wanted = torch.tensor([1.0] * (size // 2) + [0.5] * (size // 2), dtype=torch.float64)
    heating = torch.full((size,), heat, dtype=torch.float64)
    heating[0] += wanted[0]
    heating[-1] += wanted[-1]
    start = torch.full((size,), 3.0, dtype=torch.float64, requires_grad=True)
    right = gradcheck(Tridiagonal.apply, (start, heating)) and gradgradcheck(
        Tridiagonal.apply, (start, heating)
    )
    check(right, "the solver's backward is wrong")

    logarithms = torch.zeros(size, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([logarithms], lr=0.05)
    for _ in range(steps):
        temperatures = Tridiagonal.apply(2 + logarithms.exp(), heating)
        loss = (temperatures - wanted).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    found = logarithms.exp().detach()
    neighbours = torch.cat([wanted[:1], wanted[:-1]]) + torch.cat([wanted[1:], wanted[-1:]])
    exact = (heat + neighbours) / wanted - 2
    for name, values in (("temperatures", temperatures.detach()), ("rates", found), ("exact rates", exact)):
        print(f"{name:13}" + "".join(f"{value:6.2f}" for value in values.tolist()))
    check((found - exact).abs().max() < 0.2, "the rates were not found")


class Softsign(Function):
    """x / (1 + |x|), in the form with ``setup_context``."""

    generate_vmap_rule = True  # forward, backward and jvp are made of operations that vmap knows

    @staticmethod
    def forward(x):
        return x / (1 + x.abs())

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (1 + x.abs()) ** 2

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return t / (1 + x.abs()) ** 2


def transforms():
    heading("4. grad, vmap and jvp")
    x = torch.linspace(-2, 2, 5)
    slopes = vmap(grad(Softsign.apply))(x)
    value, tangent = jvp(Softsign.apply, (x,), (torch.ones(5),))
    second = vmap(grad(grad(Softsign.apply)))(x)
    rows = {"x": x, "softsign": value, "vmap(grad)": slopes, "jvp": tangent, "vmap(grad(grad))": second}
    for name, values in rows.items():
        print(f"{name:17}" + "".join(f"{number:8.3f}" for number in values.tolist()))
    check(torch.equal(slopes, tangent), "backward and jvp differ")


def main():
    parser = argparse.ArgumentParser(description="Extend autograd by operations of your own.")
    parser.add_argument("--quick", action="store_true", help="fewer steps")
    steps = 150 if parser.parse_args().quick else 600
    torch.manual_seed(0)
    a_layer(steps)
    a_check()
    a_solver(steps)
    transforms()


if __name__ == "__main__":
    main()
