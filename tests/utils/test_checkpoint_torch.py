"""The same programs with checkpoints in PyTorch and in minigrad: results, errors, warnings, and what policies are asked."""

import functools
import importlib
import warnings

import pytest

torch = pytest.importorskip("torch")
import minigrad
from tests.messages import first_sentence

pytestmark = pytest.mark.torch

VALUES = [[0.2, 0.9, 0.4], [0.7, 0.1, 0.6], [0.5, 0.3, 0.8]]


def modules(lib):
    return importlib.import_module(f"{lib.__name__}.utils.checkpoint"), importlib.import_module(
        f"{lib.__name__}.nn.functional"
    )


def leaf(lib):
    return lib.tensor(VALUES, dtype=lib.float64, requires_grad=True)


def rounded(x):
    return [round(v, 6) for v in x.flatten().tolist()]


def outcome(lib, program):
    """What a program gives or raises, and its warnings; advice after PyTorch's texts is left out."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            result = program(lib)
        except (minigrad.utils.checkpoint.CheckpointError, torch.utils.checkpoint.CheckpointError) as error:
            result = f"{type(error).__name__}: {error}".split("\nTip:")[0]
        except Exception as error:
            result = f"{type(error).__name__}: {first_sentence(str(error))}"
    return result, [first_sentence(str(w.message)) for w in seen]


def f(x):
    return (x.sin() * x.exp()).tanh()


def ways(lib, **form):
    """A checkpoint's gradient, by backward and by grad, and what a second backward says."""
    checkpoint, x = modules(lib)[0].checkpoint, leaf(lib)
    out = checkpoint(f, x, **form).sum()
    out.backward(retain_graph=True)
    (g,) = lib.autograd.grad(out, x, retain_graph=True)
    return rounded(x.grad), rounded(g), out.backward(), out.backward()


def calls(lib, outer, inner, early_stop):
    """How often the functions of two nested checkpoints start and end."""
    checkpoint, x, events = modules(lib)[0].checkpoint, leaf(lib), []

    def within(x):
        events.append("inner")
        x = x.cos().tanh()
        events.append("inner ends")
        return x

    def around(x):
        events.append("outer")
        x = checkpoint(within, x.sin(), use_reentrant=inner, early_stop=early_stop).exp()
        events.append("outer ends")
        return x

    out = checkpoint(around, x, use_reentrant=outer, early_stop=early_stop)
    events.append("|")
    out.sum().backward()
    return events, rounded(x.grad)


def hooks(lib, use_reentrant):
    """The order in which hooks are called, inside and around a checkpoint."""
    checkpoint, x, events = modules(lib)[0].checkpoint, leaf(lib), []
    saved_tensors_hooks = lib.autograd.graph.saved_tensors_hooks

    def function(x):
        y = x.sin()
        if y.requires_grad:
            y.register_hook(lambda g: events.append("y"))
        with saved_tensors_hooks(
            lambda t: events.append("pack in") or t, lambda t: events.append("unpack in") or t
        ):
            y = y.exp()
        return y.cos()

    x.register_hook(lambda g: events.append("x"))
    x.register_post_accumulate_grad_hook(lambda x: events.append("accumulated"))
    with saved_tensors_hooks(
        lambda t: events.append("pack out") or t, lambda t: events.append("unpack out") or t
    ):
        z = checkpoint(function, x, use_reentrant=use_reentrant)
    z.register_hook(lambda g: events.append("z"))
    z.sum().backward()
    return events


def mismatch(lib, first, second, **form):
    """What is said when a function is another the second time."""
    functions = [first]
    function = lambda x: functions.pop()(lib, x) if functions else second(lib, x)
    modules(lib)[0].checkpoint(function, leaf(lib), use_reentrant=False, **form).sum().backward()


PROGRAMS = {
    "reentrant": functools.partial(ways, use_reentrant=True),
    "recorded": functools.partial(ways, use_reentrant=False),
    "not chosen": ways,
    **{
        f"calls {outer} {inner} {stop}": functools.partial(calls, outer=outer, inner=inner, early_stop=stop)
        for outer in (True, False)
        for inner in (True, False)
        for stop in (True, False)
    },
    "hooks reentrant": functools.partial(hooks, use_reentrant=True),
    "hooks recorded": functools.partial(hooks, use_reentrant=False),
    "fewer": functools.partial(mismatch, first=lambda lib, x: x.sin().sin(), second=lambda lib, x: x.sin()),
    "more": functools.partial(
        mismatch, first=lambda lib, x: x.sin(), second=lambda lib, x: x.sin().sin(), early_stop=False
    ),
    "shape": functools.partial(
        mismatch, first=lambda lib, x: x.sin().exp(), second=lambda lib, x: x[:2].sin().exp()
    ),
    "dtype": functools.partial(
        mismatch, first=lambda lib, x: x.sin().exp(), second=lambda lib, x: x.to(lib.float32).sin().exp()
    ),
    "strides": functools.partial(
        mismatch, first=lambda lib, x: x.sin().exp(), second=lambda lib, x: x.t().sin().exp()
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_agree(name):
    assert outcome(minigrad, PROGRAMS[name]) == outcome(torch, PROGRAMS[name])


#: Operators that PyTorch dispatches on the way to one of ours, and that ours does not need.
BETWEEN = {"aten.detach.default", "aten.lift_fresh.default", "aten.t.default", "aten.scalar_tensor.default"}

SELECTIVE = {
    "products": lambda lib, F, x, w: (x.matmul(w).mm(w) @ w[0]) * (x @ x[0]),
    "linear": lambda lib, F, x, w: F.linear(x, w, w[0]).relu() + F.linear(x, w),
    "baddbmm": lambda lib, F, x, w: lib.baddbmm(w, x.expand(2, 3, 3), w.expand(2, 3, 3)).bmm(
        w.expand(2, 3, 3)
    ),
    "numbers": lambda lib, F, x, w: (x * 2 + 1 - 0.5) / 3 - (2 - x) ** 2 + 2**x + x**w,
    "compare": lambda lib, F, x, w: (
        lib.where(x > 0.5, x, w).masked_fill(x < w, 0.0).clamp(min=0.1) * (x != 1)
    ),
    "reduce": lambda lib, F, x, w: (
        x.sum(0) + x.mean(1) + x.max(0)[0] + x.sum() + x.mean() + x.var(0) + x.prod(0)
    ),
    "softmax": lambda lib, F, x, w: x.softmax(-1).log() * x.log_softmax(0) + x.logsumexp(0),
    "views": lambda lib, F, x, w: (
        x.t().reshape(9).view(3, 3)[0]
        * x.transpose(0, 1)[1:].sum(0)
        * x[None].squeeze(0).permute(1, 0)[..., 0]
    ),
    "joins": lambda lib, F, x, w: lib.cat([a.exp() for a in x.split(1)]) + lib.stack(list(x.unbind())),
    "gather": lambda lib, F, x, w: x.sort(0)[0] * x.topk(3, 0)[0] + x.gather(0, x.argmax(0, keepdim=True)),
    "activations": lambda lib, F, x, w: F.gelu(x) * F.silu(x) + F.elu(x) * F.leaky_relu(x) + F.logsigmoid(x),
    "losses": lambda lib, F, x, w: (
        F.mse_loss(x, w) + F.cross_entropy(x, x.argmax(1)) + F.smooth_l1_loss(x, w)
    ),
    "dtypes": lambda lib, F, x, w: x.to(lib.float32).sin().to(lib.float64) * x.abs().sqrt(),
}


@pytest.mark.parametrize("keep", [True, False, "products"])
@pytest.mark.parametrize("name", SELECTIVE)
def test_policies_are_asked_about_the_same_operators(name, keep):
    def run(lib):
        checkpoints, functional = modules(lib)
        seen, x = [], leaf(lib)
        w = leaf(lib).detach() + 0.1

        def policy(ctx, op, *args, **kwargs):
            if str(op) not in BETWEEN:
                seen.append(str(op))
            return keep if keep != "products" else op in (lib.ops.aten.mm.default, lib.ops.aten.addmm.default)

        contexts = functools.partial(checkpoints.create_selective_checkpoint_contexts, policy)
        function = functools.partial(SELECTIVE[name], lib, functional)
        out = checkpoints.checkpoint(function, x, w, use_reentrant=False, context_fn=contexts)
        out.sum().backward()
        return seen, rounded(x.grad)

    assert run(minigrad) == run(torch)
