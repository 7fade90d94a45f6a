"""Each operator's rules for batches and for tangents: a batch is a loop, and a tangent what the gradient says."""

import importlib
import pkgutil
import warnings

import pytest

import minigrad as torch
from minigrad import _ops
from minigrad._core.families.op import Op
from minigrad._transforms import batching
from minigrad.func import grad, jvp, vjp, vmap

F = torch.nn.functional
D = torch.float64
B = 3

pytestmark = pytest.mark.filterwarnings("ignore:index_reduce")


def drawn(kind):
    """A batch of arguments: "2 3" of that shape, "i5 2" indices below 5, "." a number."""
    if kind[0] == "i":
        n, *shape = map(int, kind[1:].split())
        return torch.randint(0, n, (B, *shape))
    return torch.randn(B, *map(int, kind.replace(".", "").split()), dtype=D)


#: What is tried: a function, and the arguments of one sample (see ``drawn``).  All that the rows of tests/operators draw is checked there; these
#: are ways through the rules that none of them takes: keys, numbers that are tensors, masks, gradients that are nought by definition.
CASES = {
    "fill": (torch.fill, "2 4", "."),
    "linspace": (lambda x, y: torch.linspace(x, y, 4, dtype=D), ".", "."),
    "isin": (lambda x, y: torch.isin(x, y) * 1.0, "i4 3", "i4 2"),
    "searchsorted": (lambda x, y: torch.searchsorted(x.sort()[0], y) * 1.0, "5", "2 3"),
    "mode": (lambda x: x.mode(0)[0], "4"),
    "quantile": (lambda x: torch.quantile(x, torch.tensor([0.2, 0.7], dtype=D), dim=0), "4 2"),
    "x[i]": (lambda x, i: x[i - 2], "4 2", "i4 3"),
    "x[i] of a number": (lambda x, i: x[i], "4 2", "i4"),
    "x[i, :, j]": (lambda x, i, j: x[i, :, j], "4 2 3", "i4 2", "i3 5 2"),
    "x[:, i, 1:]": (lambda x, i: x[:, i, 1:], "4 3 3", "i3 2 2"),
    "x[[0, 2]]": (lambda x: x[[0, 2]], "4 2"),
    "x[[0, 2], :, [1, 1]]": (lambda x: x[[0, 2], :, [1, 1]], "4 2 3"),
    "x[:, mask]": (lambda x: x[:, torch.tensor([True, False, True])], "4 3"),
    "index_put at known places": (
        lambda x, y: x.index_put((torch.tensor([0, 2]), torch.tensor([1, 1])), y),
        *("4 2", "2"),
    ),
    "scatter_reduce prod": (lambda x, i, y: x.scatter_reduce(0, i, y, "prod"), "4 2", "i4 3 2", "3 2"),
    "index_reduce prod": (lambda x, i, y: x.index_reduce(0, i, y, "prod"), "4 2", "i4 3", "3 2"),
    "embedding": (lambda x, i: F.embedding(i, x, padding_idx=1), "5 3", "i5 4"),
    "householder_product": (torch.linalg.householder_product, "4 3", "3"),
    "attention with a mask": (
        lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m > 0),
        *("2 5 4", "2 6 4", "2 6 3", "5 6"),
    ),
    "attention with numbers as a mask": (
        lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m),
        *("2 5 4", "2 6 4", "2 6 3", "5 6"),
    ),
    "bce with weights": (
        lambda x, y, w, p: F.binary_cross_entropy_with_logits(x, y, weight=w, pos_weight=p),
        *("4 2", "4 2", "2", "2"),
    ),
    "pad in a circle": (lambda x: F.pad(x, (1, 1, 1, 1), "circular"), "2 3 3"),
}

every_case = pytest.mark.parametrize("name", CASES)


def prepared(name):
    """The function, a batch of each argument, and which of them are floating-point."""
    function, *kinds = CASES[name]
    args = [drawn(kind) for kind in kinds]
    return function, args, tuple(i for i, x in enumerate(args) if x.is_floating_point())


def one_by_one(function, args):
    """A function of each sample, stacked."""
    rows = [function(*[x[i] for x in args]) for i in range(B)]
    if isinstance(rows[0], tuple):
        return tuple(torch.stack(list(column)) for column in zip(*rows))
    return torch.stack(rows)


def assert_equal(ours, wanted):
    """Raise AssertionError unless both are the same up to rounding."""
    for x, y in zip(ours, wanted, strict=True) if isinstance(ours, tuple) else [(ours, wanted)]:
        torch.testing.assert_close(x, y, rtol=1e-7, atol=1e-9, equal_nan=True)


def loss_of(function):
    """A number that depends on all that a function gives."""
    return lambda *xs: function(*xs).sin().sum()


def is_smooth(function, args):
    """Whether there are gradients to speak of."""
    xs = [x[0].clone() for x in args]
    for x in xs:
        if x.is_floating_point():
            x.requires_grad_()
    return function(*xs).requires_grad


@every_case
def test_a_batch_is_a_loop(name):
    function, args, _ = prepared(name)
    assert_equal(vmap(function)(*args), one_by_one(function, args))


@every_case
def test_an_argument_may_be_the_same_for_all(name):
    function, args, _ = prepared(name)
    for k in range(len(args) if len(args) > 1 else 0):
        same = args[k][0]
        rest = [x for i, x in enumerate(args) if i != k]
        dims = tuple(None if i == k else 0 for i in range(len(args)))
        wanted = one_by_one(lambda *xs, k=k, same=same: function(*xs[:k], same, *xs[k:]), rest)
        assert_equal(vmap(function, dims)(*args[:k], same, *args[k + 1 :]), wanted)


@every_case
def test_gradients_for_each_sample(name):
    function, args, floating = prepared(name)
    if not floating or not is_smooth(function, args):
        return
    slope = grad(loss_of(function), argnums=floating)
    assert_equal(vmap(slope)(*args), one_by_one(slope, args))


@every_case
def test_gradients_of_a_batch(name):
    function, args, floating = prepared(name)
    if not floating or not is_smooth(function, args):
        return
    wanted = one_by_one(grad(loss_of(function), argnums=floating), args)
    assert_equal(grad(lambda *xs: vmap(function)(*xs).sin().sum(), argnums=floating)(*args), wanted)


@every_case
def test_second_gradients_for_each_sample(name):
    function, args, floating = prepared(name)
    if not floating or not is_smooth(function, args):
        return
    first = grad(loss_of(function), argnums=floating)
    second = grad(lambda *xs: sum((g * g).sum() for g in first(*xs)), argnums=floating)
    assert_equal(vmap(second)(*args), one_by_one(second, args))


@every_case
def test_tangents_for_each_sample_and_what_the_gradient_says(name):
    function, args, floating = prepared(name)
    if not floating or not is_smooth(function, args):
        return
    tangents = [torch.randn_like(args[i]) for i in floating]

    def of(xs):
        def of_floating(*ys):
            zs = list(xs)
            for i, y in zip(floating, ys):
                zs[i] = y
            return function(*zs)

        return of_floating, tuple(xs[i] for i in floating)

    def pushed(*xs):
        g, primals = of(xs[: len(args)])
        return jvp(g, primals, tuple(xs[len(args) :]))

    assert_equal(vmap(pushed)(*args, *tangents), one_by_one(pushed, [*args, *tangents]))
    first = [t[0] for t in tangents]
    _, tangent = pushed(*[x[0] for x in args], *first)
    g, primals = of([x[0] for x in args])
    value, pull = vjp(g, *primals)
    weights = torch.randn_like(value)
    pulled = sum((a * b).sum() for a, b in zip(pull(weights), first))
    torch.testing.assert_close((weights * tangent).sum(), pulled, rtol=1e-7, atol=1e-9)


#: The operators that are applied to one sample after the other, and why.
LOOPED = {
    "Argwhere": "as many as there are, and that depends on the numbers",
    "BagFactors": "bags may begin anywhere",
    "EmbeddingBagBackward0": "bags may begin anywhere",
    "Histc": "the limits depend on the numbers",
    "NotImplemented": "bincount gives as many as the largest number says, the limits of histogram depend on the numbers",
    "NonzeroStatic": "which they are depends on the numbers",
    "RepeatInterleave": "as many as the numbers say",
    "AsStridedScatterBackward0": "places in memory, of one tensor",
    "GruLayerBackward0": "only plain tensors take this way",
    "MkldnnRnnLayerBackward0": "only plain tensors take this way",
    "PackPaddedSequenceBackward0": "how long each sequence is depends on the numbers",
}


def classes(of=Op):
    """All op classes of the operators' modules."""
    for cls in of.__subclasses__():
        yield cls
        yield from classes(cls)


def test_only_these_operators_are_looped_over():
    for module in pkgutil.iter_modules(_ops.__path__):
        importlib.import_module(f"{_ops.__name__}.{module.name}")
    random = "minigrad._ops.random"  # which have rules of another kind: what is drawn, for whom
    found = {
        cls.__qualname__
        for cls in classes()
        if cls.__module__.startswith("minigrad._ops.")
        and cls.__module__ != random
        and cls.call is not None
        and not batching.has_rule(cls)
    }
    assert found == set(LOOPED)


def test_a_loop_is_warned_of_once():
    batching._warned.discard("histc")
    x = torch.randn(B, 5)
    with pytest.warns(
        UserWarning, match="performance drop because we have not yet implemented the batching rule"
    ):
        z = vmap(lambda x: torch.histc(x, 4, -2, 2))(x)
    assert_equal(z, torch.stack([torch.histc(row, 4, -2, 2) for row in x]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vmap(lambda x: torch.histc(x, 4, -2, 2))(x)


def test_writes_in_place_are_one_write():
    x, y = torch.randn(B, 4, 2, dtype=D), torch.randn(B, 3, 2, dtype=D)
    i = torch.tensor([0, 2, 3])
    writes = {
        "index_add": lambda x, y: x.clone().index_add_(0, i, y),
        "scatter": lambda x, y: x.clone().scatter_(0, i[:, None].expand(3, 2), y),
        "index_put": lambda x, y: x.clone().index_put_((i,), y),
        "tril": lambda x, y: x.clone().tril_() + y[0],
    }
    for write in writes.values():
        assert_equal(vmap(write)(x, y), one_by_one(write, [x, y]))
        slope = grad(loss_of(write), argnums=(0, 1))
        assert_equal(vmap(slope)(x, y), one_by_one(slope, [x, y]))


def test_batch_norm_updates_the_statistics_of_each_sample():
    x = torch.randn(B, 5, 4)
    mean, var = torch.zeros(B, 4), torch.ones(B, 4)
    vmap(lambda x, m, v: F.batch_norm(x, m, v, training=True, momentum=0.5))(x, mean, var)
    torch.testing.assert_close(mean, x.mean(1) / 2)
    torch.testing.assert_close(var, x.var(1) / 2 + 0.5)
    with pytest.raises(RuntimeError, match="Batch norm got a batched tensor as input while the running_mean"):
        vmap(lambda x: F.batch_norm(x, torch.zeros(4), torch.ones(4), training=True))(x)
