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

F, L = torch.nn.functional, torch.linalg
D = torch.float64
B = 3

pytestmark = pytest.mark.filterwarnings("ignore:index_reduce")


def drawn(kind):
    """A batch of arguments: "2 3" of that shape, "i5 2" indices below 5, "d5 2" such of which no two are the same, "p3" positive definite, "." a number."""
    if kind == ".":
        return torch.randn(B, dtype=D)
    first, *rest = kind.split()
    if first[0] == "p":
        x = torch.randn(B, int(first[1:]), int(first[1:]), dtype=D)
        return x @ x.mT + torch.eye(int(first[1:]), dtype=D)
    if first[0] in "id":
        n, shape = int(first[1:]), tuple(map(int, rest))
        if first[0] == "i":
            return torch.randint(0, n, (B, *shape))
        return torch.stack([torch.randperm(n)[: shape[0]] for _ in range(B)])
    return torch.randn(B, *map(int, kind.split()), dtype=D)


def images(n, size=4):
    """The axes of an image of ``n`` dimensions."""
    return " ".join([str(size)] * n)


#: What is tried: a function, and the arguments of one sample (see ``drawn``).
CASES = {
    "where": (lambda x, y: torch.where(x > 0, x, y), "4", "2 4"),
    "lerp": (torch.lerp, "4", "2 4", "1"),
    "addcmul": (lambda x, y, z: torch.addcmul(x, y, z, value=2), "4", "2 4", "2 1"),
    "addcdiv": (lambda x, y, z: torch.addcdiv(x, y, z, value=2), "4", "2 4", "2 1"),
    "masked_fill": (lambda x, m: x.masked_fill(m > 0, 2.0), "4", "2 4"),
    "masked_fill with a tensor": (lambda x, m, y: x.masked_fill(m > 0, y), "4", "2 4", "."),
    "masked_scatter": (lambda x, m, y: x.masked_scatter(m > 0, y), "2 4", "4", "9"),
    "masked_select": (lambda x: x.masked_select(torch.tensor([[True], [False]])), "2 4"),
    "fill": (torch.fill, "2 4", "."),
    "flip": (lambda x: x.flip(0), "2 3"),
    "roll": (lambda x: x.roll(1), "2 3"),
    "roll along dims": (lambda x: x.roll((1, 2), (0, 1)), "2 3"),
    "rot90": (torch.rot90, "2 3"),
    "tril": (torch.tril, "3 3"),
    "diag": (torch.diag, "3"),
    "diag_embed": (torch.diag_embed, "2 3"),
    "diagonal_copy": (torch.diagonal_copy, "3 3"),
    "clone": (lambda x: x.clone(memory_format=torch.channels_last), "1 2 3 2"),
    "to": (lambda x: x.float().double(), "3"),
    "repeat": (lambda x: x.repeat(2, 1, 3), "3"),
    "block_diag": (torch.block_diag, "2 3", "2"),
    "cat": (lambda x, y: torch.cat([x, y]), "2", "3"),
    "squeeze": (lambda x: x.squeeze(()), "1 4"),
    "as_strided": (lambda x: x.as_strided((2, 2), (1, 2)), "4"),
    "glu": (lambda x: F.glu(x, 0), "4"),
    "isin": (lambda x, y: torch.isin(x, y) * 1.0, "i4 3", "i4 2"),
    "searchsorted": (lambda x, y: torch.searchsorted(x.sort()[0], y) * 1.0, "5", "2 3"),
    "linspace": (lambda x, y: torch.linspace(x, y, 4, dtype=D), ".", "."),
    "unravel_index": (lambda i: sum(torch.unravel_index(i, (2, 3))) * 1.0, "i6 4"),
    # along dimensions
    "sort": (lambda x: x.sort(0)[0], "4 2"),
    "topk": (lambda x: x.topk(2, 0)[0], "4 2"),
    "kthvalue": (lambda x: x.kthvalue(2, 0)[0], "4 2"),
    "median": (torch.median, "5"),
    "mode": (lambda x: x.mode(0)[0], "4"),
    "quantile": (lambda x: torch.quantile(x, torch.tensor([0.2, 0.7], dtype=D), dim=0), "4 2"),
    "max": (lambda x: x.max(0)[0], "4 2"),
    "amax": (lambda x: x.amax(), "4 2"),
    "aminmax": (lambda x: torch.aminmax(x)[1], "4 2"),
    "argmax": (lambda x: x.argmax() * 1.0, "4 2"),
    "cummax": (lambda x: x.cummax(0)[0], "4"),
    "cumprod": (lambda x: x.cumprod(0), "4"),
    "logcumsumexp": (lambda x: x.logcumsumexp(0), "4"),
    "logsumexp": (lambda x: x.logsumexp(0), "4"),
    "softmax": (lambda x: x.softmax(0), "4"),
    "log_softmax": (lambda x: x.log_softmax(0), "4"),
    "std": (lambda x: x.std(0), "4"),
    "norm": (lambda x: x.norm(3), "4"),
    "renorm": (lambda x: torch.renorm(x, 2, 0, 0.5), "4 3"),
    "normalize": (lambda x: F.normalize(x, dim=0), "4 3"),
    # indices
    "gather": (lambda x, i: x.gather(0, i), "4 2", "i4 3 2"),
    "take_along_dim": (lambda x, i: torch.take_along_dim(x, i, 1), "2 4", "i4 2 3"),
    "scatter": (lambda x, i, y: x.scatter(0, i, y), "4", "d4 3", "3"),
    "scatter a number": (lambda x, i: x.scatter(0, i, 2.0), "4", "d4 3"),
    "scatter_add": (lambda x, i, y: x.scatter_add(0, i, y), "4 2", "i4 3 2", "3 2"),
    "index_select": (lambda x, i: x.index_select(1, i), "2 4", "i4 3"),
    "index_add": (lambda x, i, y: x.index_add(1, i, y, alpha=2), "2 4", "i4 3", "2 3"),
    "index_copy": (lambda x, i, y: x.index_copy(1, i, y), "2 4", "d4 3", "2 3"),
    "index_fill": (lambda x, i: x.index_fill(1, i, 2.0), "2 4", "i4 3"),
    "index_fill with a tensor": (lambda x, i, y: x.index_fill(1, i, y), "2 4", "i4 3", "."),
    "take": (lambda x, i: x.take(i - 4), "2 4", "i8 3 2"),
    "put": (lambda x, i, y: x.put(i - 4, y, accumulate=True), "2 4", "i8 3", "3"),
    "x[i]": (lambda x, i: x[i - 2], "4 2", "i4 3"),
    "x[i] of a number": (lambda x, i: x[i], "4 2", "i4"),
    "x[i, :, j]": (lambda x, i, j: x[i, :, j], "4 2 3", "i4 2", "i3 5 2"),
    "x[:, i, 1:]": (lambda x, i: x[:, i, 1:], "4 3 3", "i3 2 2"),
    "x[[0, 2]]": (lambda x: x[[0, 2]], "4 2"),
    "x[[0, 2], :, [1, 1]]": (lambda x: x[[0, 2], :, [1, 1]], "4 2 3"),
    "x[:, mask]": (lambda x: x[:, torch.tensor([True, False, True])], "4 3"),
    "index_put": (lambda x, i, y: x.index_put((i,), y, accumulate=True), "4 2", "i4 3", "3 2"),
    "index_put at known places": (
        lambda x, y: x.index_put((torch.tensor([0, 2]), torch.tensor([1, 1])), y),
        "4 2",
        "2",
    ),
    "select_scatter": (lambda x, y: x.select_scatter(y, 0, 1), "3 2", "2"),
    "slice_scatter": (lambda x, y: x.slice_scatter(y, 0, 1, 3), "3 2", "2 2"),
    "diagonal_scatter": (lambda x, y: x.diagonal_scatter(y), "3 3", "3"),
    "embedding": (lambda x, i: F.embedding(i, x, padding_idx=1), "5 3", "i5 4"),
    "one_hot": (lambda i: F.one_hot(i, 5) * 1.0, "i5 4"),
    # matrices
    "addmm": (lambda b, x, y: torch.addmm(b, x, y, beta=0.5, alpha=2), "4", "2 3", "3 4"),
    "addmv": (lambda b, x, y: torch.addmv(b, x, y, beta=0.5, alpha=2), "2", "2 3", "3"),
    "addr": (lambda b, x, y: torch.addr(b, x, y, beta=0.5, alpha=2), "3", "2", "3"),
    "addbmm": (lambda b, x, y: torch.addbmm(b, x, y, beta=0.5, alpha=2), "4", "5 2 3", "5 3 4"),
    "baddbmm": (lambda b, x, y: torch.baddbmm(b, x, y, beta=0.5, alpha=2), "4", "5 2 3", "5 3 4"),
    "linear": (F.linear, "2 3", "4 3", "4"),
    "matmul": (torch.matmul, "2 3", "5 3 4"),
    "vdot": (torch.vdot, "3", "3"),
    "inv": (L.inv, "p3"),
    "det": (torch.det, "p3"),
    "slogdet": (lambda x: L.slogdet(x)[1], "p3"),
    "matrix_exp": (torch.matrix_exp, "2 2"),
    "lu": (lambda x: L.lu(x)[1] + L.lu(x)[2], "p3"),
    "lu_factor": (lambda x: L.lu_factor(x)[0], "p3"),
    "lu_solve": (lambda x, y: L.lu_solve(*L.lu_factor(x), y), "p3", "3 2"),
    "cholesky": (L.cholesky, "p3"),
    "cholesky_inverse": (torch.cholesky_inverse, "p3"),
    "cholesky_solve": (torch.cholesky_solve, "3 2", "p3"),
    "qr": (lambda x: sum(L.qr(x)), "3 3"),
    "householder_product": (L.householder_product, "4 3", "3"),
    "eigvalsh": (L.eigvalsh, "p3"),
    "eigh": (lambda x: L.eigh(x)[1] ** 2, "p3"),
    "eigvals": (lambda x: L.eigvals(x).abs(), "p3"),
    "svd": (lambda x: L.svd(x, full_matrices=False)[0] ** 2, "4 3"),
    "svdvals": (L.svdvals, "4 3"),
    "cond": (L.cond, "p3"),
    "matrix_norm": (lambda x: L.matrix_norm(x, "nuc"), "4 3"),
    "pinv": (L.pinv, "4 3"),
    "solve": (L.solve, "p3", "3 2"),
    "solve for a vector": (L.solve, "p3", "3"),
    "solve for a stack": (L.solve, "p3", "2 3 2"),
    "solve_triangular": (lambda x, y: L.solve_triangular(x, y, upper=True), "p3", "2 3 2"),
    "lstsq": (lambda x, y: L.lstsq(x, y).solution, "4 3", "4 2"),
    "cross": (L.cross, "1 3", "2 3"),
    "cdist": (torch.cdist, "4 3", "2 5 3"),
    "pdist": (F.pdist, "4 3"),
    "dist": (torch.dist, "4", "2 4"),
    # images and sequences
    "unfold": (lambda x: F.unfold(x, 2), "2 3 3"),
    "unfold of several": (lambda x: F.unfold(x, 2), "2 2 3 3"),
    "fold": (lambda x: F.fold(x, (3, 3), 2), "2 8 4"),
    "max_unpool": (lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2), "2 4 4"),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x, 2), "4 2 2"),
    "channel_shuffle": (lambda x: F.channel_shuffle(x, 2), "2 4 2 2"),
    "interpolate": (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), "2 2 3 3"),
    "grid_sample": (lambda x, y: F.grid_sample(x, y * 0.4, align_corners=True), "2 2 4 4", "2 3 3 2"),
    "affine_grid": (lambda x: F.affine_grid(x, (2, 1, 3, 3), align_corners=True), "2 2 3"),
    "conv_tbc": (lambda x, w, b: torch.conv_tbc(x, w, b, 1), "4 2 3", "2 3 5", "5"),
    "fft": (lambda x: torch.view_as_real(torch.fft.fft2(x)), "3 4"),
    "rfft": (lambda x: torch.view_as_real(torch.fft.rfft(x)), "3 4"),
    "hfft": (torch.fft.hfft, "3 4"),
    "attention": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        *("2 5 4", "2 5 4", "2 5 3"),
    ),
    "attention with a mask": (
        lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m > 0),
        *("2 5 4", "2 6 4", "2 6 3", "5 6"),
    ),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (3, 4), w, b), "2 3 4", "3 4", "3 4"),
    "rms_norm": (lambda x, w: F.rms_norm(x, (4,), w), "2 4", "4"),
    "group_norm": (lambda x, w, b: F.group_norm(x, 2, w, b), "2 4 3", "4", "4"),
    "batch_norm": (lambda x, w, b: F.batch_norm(x, None, None, w, b, True), "5 4 3", "4", "4"),
    "batch_norm by known statistics": (
        lambda x, m, v, w, b: F.batch_norm(x, m.detach(), v.detach() ** 2 + 1, w, b, False),
        *("5 4", "4", "4", "4", "4"),
    ),
    "instance_norm": (lambda x, w, b: F.instance_norm(x, weight=w, bias=b), "2 4 3", "4", "4"),
    # losses
    "bce": (lambda x, y: F.binary_cross_entropy(x.sigmoid(), y.sigmoid()), "4", "4"),
    "bce with weights": (
        lambda x, y, w, p: F.binary_cross_entropy_with_logits(x, y, weight=w, pos_weight=p),
        *("4 2", "4 2", "2", "2"),
    ),
    "cross entropy of probabilities": (lambda x, y: F.cross_entropy(x, y.softmax(1)), "5 4", "5 4"),
    "ctc": (lambda x, t: F.ctc_loss(x.log_softmax(2), t + 1, (6, 5), (2, 3)), "6 2 4", "i3 2 3"),
}
for name in ("hardtanh", "leaky_relu", "gelu", "elu", "celu", "softplus", "hardshrink", "softshrink"):
    CASES[name] = (getattr(F, name), "4")
for reduce in ("sum", "prod", "mean", "amax", "amin"):
    CASES[f"scatter_reduce {reduce}"] = (
        lambda x, i, y, reduce=reduce: x.scatter_reduce(0, i, y, reduce),
        *("4 2", "i4 3 2", "3 2"),
    )
for reduce in ("prod", "amax"):
    CASES[f"index_reduce {reduce}"] = (
        lambda x, i, y, reduce=reduce: x.index_reduce(0, i, y, reduce),
        *("4 2", "i4 3", "3 2"),
    )
for n in (1, 2, 3):
    conv, transposed = getattr(F, f"conv{n}d"), getattr(F, f"conv_transpose{n}d")
    CASES[f"conv{n}d"] = (
        lambda x, w, b, f=conv: f(x, w, b, padding=1, stride=2, groups=2),
        *(f"2 4 {images(n)}", f"6 2 {images(n, 2)}", "6"),
    )
    CASES[f"conv_transpose{n}d"] = (
        lambda x, w, b, f=transposed: f(x, w, b, stride=2, groups=2),
        *(f"2 4 {images(n, 3)}", f"4 3 {images(n, 2)}", "6"),
    )
    for pool, size in (("avg_pool", 2), ("max_pool", 2), ("adaptive_avg_pool", 3), ("adaptive_max_pool", 3)):
        CASES[f"{pool}{n}d"] = (
            lambda x, f=getattr(F, f"{pool}{n}d"), size=size: f(x, size),
            f"2 2 {images(n)}",
        )
    for mode in ("constant", "reflect", "replicate", "circular"):
        CASES[f"pad {n} {mode}"] = (lambda x, n=n, mode=mode: F.pad(x, (1, 1) * n, mode), f"2 {images(n, 3)}")
for reduction in ("none", "mean", "sum"):
    for name in ("mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy_with_logits"):
        CASES[f"{name} {reduction}"] = (
            lambda x, y, f=getattr(F, name), r=reduction: f(x, y, reduction=r),
            *("4 2", "4 2"),
        )
    CASES[f"nll_loss {reduction}"] = (
        lambda x, t, r=reduction: F.nll_loss(x, t, ignore_index=1, reduction=r),
        *("5 4", "i4 5"),
    )
    CASES[f"nll_loss with weights {reduction}"] = (
        lambda x, t, r=reduction: F.nll_loss(x, t, weight=torch.arange(1, 5, dtype=D), reduction=r),
        *("5 4", "i4 5"),
    )
    CASES[f"nll_loss of one {reduction}"] = (
        lambda x, t, r=reduction: F.nll_loss(x, t, reduction=r),
        "4",
        "i4",
    )
    CASES[f"nll_loss of images {reduction}"] = (
        lambda x, t, r=reduction: F.nll_loss(x, t, reduction=r),
        *("2 4 3 3", "i4 2 3 3"),
    )
    CASES[f"cross_entropy {reduction}"] = (
        lambda x, t, r=reduction: F.cross_entropy(x, t, label_smoothing=0.1, ignore_index=2, reduction=r),
        *("5 4", "i4 5"),
    )
    CASES[f"multi_margin_loss {reduction}"] = (
        lambda x, t, r=reduction: F.multi_margin_loss(x, t, reduction=r),
        *("5 4", "i4 5"),
    )
    CASES[f"multilabel_margin_loss {reduction}"] = (
        lambda x, t, r=reduction: F.multilabel_margin_loss(x, t, reduction=r),
        *("5 4", "i4 5 4"),
    )

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
