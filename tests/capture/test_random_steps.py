"""Random steps, captured: views, writes in place, reductions, products, draws, several backwards; each call has the bits of the step as it is."""

import random

import pytest

import minigrad as torch

UNARY = [
    "tanh",
    "sigmoid",
    "exp",
    "square",
    "neg",
    "abs",
    "relu",
    "sin",
    "clone",
    "softmax",
    "cumsum",
    "logsumexp",
    "contiguous",
    "t",
    "flip",
]
WRITES = ["add_", "mul_", "tanh_", "copy_", "fill_", "zero_", "clamp_"]


def unary(name, x):
    if name in ("softmax", "cumsum"):
        return getattr(x, name)(1)
    if name == "logsumexp":
        return x.logsumexp(0, keepdim=True).expand(x.shape)
    if name == "flip":
        return x.flip(0)
    return getattr(x, name)()


def window(rng, x):
    """A view of a square matrix, of any shape, as a function of the matrix."""
    a, b = sorted(rng.sample(range(x + 1), 2))
    kind = rng.choice(["rows", "columns", "row", "diagonal", "flat", "transposed"])
    return {
        "rows": lambda t: t[a:b],
        "columns": lambda t: t[:, a:b],
        "row": lambda t: t[a],
        "diagonal": lambda t: t.diagonal(),
        "flat": lambda t: (t if t.is_contiguous() else t.t()).reshape(-1)[a:b],
        "transposed": lambda t: t.t()[a:b],
    }[kind]


def write(name, x, y):
    if name == "copy_":
        x.copy_(y)
    elif name in ("add_", "mul_"):
        getattr(x, name)(y)
    elif name == "fill_":
        x.fill_(0.5)
    elif name == "clamp_":
        x.clamp_(-1, 1)
    else:
        getattr(x, name)()


def program(seed):
    """A list of instructions, functions of (tensors, parameters), drawn once: running it twice does the same."""
    rng = random.Random(seed)
    n = rng.choice([2, 3, 4])
    steps = []

    def pick(k):
        return rng.randrange(k)

    for _ in range(rng.randrange(4, 14)):
        kind = rng.choices(
            [
                "unary",
                "binary",
                "product",
                "write",
                "join",
                "parameter",
                "dropout",
                "where",
                "no_grad",
                "backward",
            ],
            [6, 5, 2, 4, 1, 4, 1, 1, 1, 1],
        )[0]
        i, j, name, writes, view = (
            rng.random(),
            rng.random(),
            rng.choice(UNARY),
            rng.choice(WRITES),
            window(rng, n),
        )
        steps.append((kind, i, j, name, writes, view))

    def run(xs, parameters):
        pool = list(xs)
        kept = []
        at = lambda r: pool[int(r * len(pool))]
        for kind, i, j, name, writes, view in steps:
            x, y, p = at(i), at(j), parameters[int(j * len(parameters))]
            if kind == "unary":
                pool.append(unary(name, x))
            elif kind == "binary":
                pool.append(x * y + x if i < 0.5 else x - y / (1 + y * y))
            elif kind == "product":
                pool.append(x @ y)
            elif kind == "write":
                z = x * 1.5
                write(writes, view(z), view(y).detach())
                pool.append(z)
            elif kind == "join":
                pool.append(torch.cat([x[:1], y[1:]]))
            elif kind == "parameter":
                pool.append(x * p if i < 0.5 else x @ p)
            elif kind == "dropout":
                pool.append(torch.nn.functional.dropout(x, 0.4))
            elif kind == "where":
                pool.append(torch.where(x > y, x, y * 0.5))
            elif kind == "no_grad":
                with torch.no_grad():
                    pool.append(x + p)
            elif pool[-1].requires_grad:
                loss = (pool[-1] * 0.1).sum()
                loss.backward(retain_graph=True)
                kept.append(loss.detach())
        loss = (pool[-1].square() * 0.01).mean() + sum((p * p).sum() for p in parameters)
        loss.backward()
        with torch.no_grad():
            for p in parameters:
                p -= 0.01 * p.grad
                p.grad = None
        return [loss.detach(), *kept, pool[-1].detach().clone()]

    return run, n


def exactly(x):
    return x.dtype, x.stride(), x._version, x.detach().numpy().tobytes()


@pytest.mark.parametrize("seed", range(60))
def test_random_steps(seed):
    run, n = program(seed)
    torch.manual_seed(seed)
    sets = [[torch.randn(n, n) * 0.5 for _ in range(2)] for _ in range(1)]
    plain = [p.clone().requires_grad_() for p in sets[0]]
    other = [p.clone().requires_grad_() for p in sets[0]]
    step = torch.capture(lambda *xs: run(xs, other))
    for call in range(6):
        xs = [torch.randn(n, n) * 0.5 for _ in range(2)]
        torch.manual_seed(call)
        want = run(xs, plain)
        torch.manual_seed(call)
        got = step(*xs)
        assert list(map(exactly, got)) == list(map(exactly, want)), call
        assert list(map(exactly, other)) == list(map(exactly, plain)), call
    assert step.replays
