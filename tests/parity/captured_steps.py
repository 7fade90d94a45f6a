"""What random programs (``programs.py``) do with captured steps: in minigrad they are recorded and replayed, in PyTorch they run as they are."""

import minigrad

#: How often a step is called: from the third call on it is replayed.
CALLS = 4


def replayed(lib, function):
    """``function``, to be recorded and replayed in minigrad."""
    return lib.compile(function) if lib is minigrad else function


def captured(lib, step):
    """A whole training step, to be recorded and replayed in minigrad; what cannot be replayed runs as it is."""
    return lib.capture(step, fallback=True) if lib is minigrad else step


def written_over(x, y):
    z = x * 1
    z.add_(y)
    return z.tanh_()


#: Functions of two tensors.
FUNCTIONS = {
    "tanh": lambda x, y: (x.tanh() * y).exp(),
    "matmul": lambda x, y: (x @ y).relu() + 1,
    "moments": lambda x, y: (x - x.mean(0)) * y.sum(),
    "views": lambda x, y: x.reshape(-1)[1:] * y.reshape(-1)[:-1],
    "conjugate": lambda x, y: (x.conj() * y).abs(),
    "two": lambda x, y: (x.sin(), x * y),
    "written_over": written_over,
}


def compiled(name):
    """A creation: what the last of several calls gives."""

    def step(lib, a, b, k):
        function = replayed(lib, FUNCTIONS[name])
        for _ in range(CALLS):
            result = function(a, b)
        return result

    return step


COMPILED = {f"compiled_{name}": compiled(name) for name in FUNCTIONS}


def training(lib, module, optimizer, x):
    """The losses of some captured steps of a module and its optimizer, on a copy of ``x``, which may be a parameter."""
    x = x.detach().clone()

    def step(x):
        optimizer.zero_grad()
        out = module(x)
        loss = (out[0] if isinstance(out, tuple) else out).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    step = captured(lib, step)
    return tuple(step(x).clone() for _ in range(CALLS))
