"""Kernels beside formulas: each computes on arrays what the formula beside it says, and every one of them is in the table here."""

# ruff: noqa: N805 (formulas and kernels have no self)

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import minigrad as torch
import minigrad._ops
from minigrad._core.families import General, Op, Unary, op, unary

F = torch.nn.functional


def with_kernels():
    """All classes of operators that name a kernel beside a formula, or one for all gradients at once."""
    for module in pkgutil.iter_modules(minigrad._ops.__path__):
        importlib.import_module("minigrad._ops." + module.name)
    found, stack = [], [Op]
    while stack:
        cls = stack.pop()
        stack += cls.__subclasses__()
        if cls.__module__.startswith("minigrad.") and cls.plan is not None and cls.call is not None:
            if cls.fused is not None or any(k is not None for k in cls.plan.kernels):
                found.append(cls)
    return found


def labels(*shape, classes=4):
    return torch.from_numpy(np.random.default_rng(7).integers(0, classes, shape))


def positive(x):
    return (x.detach() * 0 + 0.5).abs() + x.detach() ** 2


def gru(x, h, *weights):
    return torch.gru(x, h, weights, True, 1, 0.0, True, False, False)


def lstm(x, h, c, *weights):
    return torch.lstm(x, (h, c), weights, True, 1, 0.0, True, False, False)


SQUARE = ((5, 7),)
NORM = ((6, 4, 3), (4,), (4,))
IMAGE, GRID = (2, 3, 5, 6), (2, 4, 3, 2)

#: Name of the node -> the shapes of operands, and functions of them that make it.
CASES = {
    "MulBackward0": (((5, 7), (5, 7)), [torch.mul, lambda x, y: x[:, :1] * y]),
    "ExpBackward0": (SQUARE, [torch.exp]),
    "SigmoidBackward0": (SQUARE, [torch.sigmoid, lambda x: torch.sigmoid(x[0, 0])]),
    "TanhBackward0": (SQUARE, [torch.tanh, lambda x: torch.tanh(x[0, 0])]),
    "EluBackward0": (SQUARE, [F.elu, lambda x: F.elu(x, 0.7), torch.selu]),
    "CeluBackward0": (SQUARE, [torch.celu, lambda x: torch.celu(x, 2.5)]),
    "HardswishBackward0": (SQUARE, [F.hardswish, lambda x: F.hardswish(3 * x), lambda x: F.hardswish(x[0, 0])]),
    "SiluBackward0": (SQUARE, [F.silu]),
    "MishBackward0": (SQUARE, [F.mish]),
    "SoftplusBackward0": (SQUARE, [F.softplus, lambda x: F.softplus(x, 2.0, 1.0)]),
    "LogSigmoidBackward0": (SQUARE, [F.logsigmoid]),
    "GeluBackward0": (SQUARE, [F.gelu, lambda x: F.gelu(x, approximate="tanh")]),
    "SoftmaxBackward0": (((5, 7, 3),), [lambda x, d=d: torch.softmax(x, d) for d in (0, 1, 2)]),
    "SafeSoftmaxBackward0": (
        ((5, 7),),
        [lambda x: importlib.import_module("minigrad._ops.attention")._safe_softmax(x, 1)],
    ),
    "LogSoftmaxBackward0": (((5, 7, 3),), [lambda x, d=d: torch.log_softmax(x, d) for d in (0, 1, 2)]),
    "ProdBackward0": (((2, 3),), [torch.prod, lambda x: torch.prod(x.masked_fill(x > 1, 0))]),
    "ProdBackward1": (
        ((3, 4),),
        [lambda x: torch.prod(x, 1), lambda x: torch.prod(x.masked_fill(x > 1, 0), 0, True)],
    ),
    "CumprodBackward0": (
        ((3, 4), (1, 3)),
        [lambda x, y: torch.cumprod(x, 1) * torch.cumprod(y, 0).sum(), lambda x, _: torch.cumprod(x * (x < 1), 0)],
    ),
    "MseLossBackward0": (
        ((5, 7), (5, 7)),
        [lambda x, y, r=r: F.mse_loss(x, y, reduction=r) for r in ("mean", "sum", "none")],
    ),
    "NllLossBackward0": (
        ((6, 4), (4,)),
        [
            lambda x, _: F.nll_loss(x, labels(6)),
            lambda x, w: F.nll_loss(x, labels(6), positive(w), reduction="sum"),
            lambda x, w: F.nll_loss(x, labels(6), positive(w), ignore_index=1, reduction="none"),
            lambda x, _: F.nll_loss(x[0], labels()),
        ],
    ),
    "NllLoss2DBackward0": (
        ((3, 4, 2, 5), (4,)),
        [
            lambda x, w: F.nll_loss(x, labels(3, 2, 5), positive(w)),
            lambda x, _: F.nll_loss(x, labels(3, 2, 5), ignore_index=2, reduction="none"),
        ],
    ),
    "LinalgDetBackward0": (((3, 4, 4),), [torch.linalg.det]),
    "GridSampler2DBackward0": (
        (IMAGE, GRID),
        [
            lambda x, y, m=m, p=p: F.grid_sample(x, y, m, p, align_corners=False)
            for m in ("bilinear", "nearest", "bicubic")
            for p in ("zeros", "border", "reflection")
        ],
    ),
    "GridSampler3DBackward0": (
        ((2, 3, 4, 5, 3), (2, 2, 3, 2, 3)),
        [lambda x, y, m=m: F.grid_sample(x, y, m, align_corners=True) for m in ("bilinear", "nearest")],
    ),
    # all gradients at once
    "NativeLayerNormBackward0": (
        ((6, 3, 4), (3, 4), (3, 4)),
        [lambda x, w, b: F.layer_norm(x, (3, 4), w, b), lambda x, w, b: F.layer_norm(x, (4,))],
    ),
    "FusedRmsNormBackward0": (
        ((6, 3, 4), (3, 4)),
        [lambda x, w: F.rms_norm(x, (3, 4), w), lambda x, w: F.rms_norm(x, (4,))],
    ),
    "NativeGroupNormBackward0": (
        NORM,
        [
            lambda x, w, b: F.group_norm(x, 2, w, b),
            lambda x, w, b: F.group_norm(x, 1),
            lambda x, w, b: sum(z.sin().sum() for z in torch.native_group_norm(x, w, b, 6, 4, 3, 2, 1e-5)),
            lambda x, w, b: torch.native_group_norm(x, w, b, 6, 4, 3, 2, 1e-5)[2],
        ],
    ),
    "NativeBatchNormBackward0": (
        NORM,
        [
            lambda x, w, b: F.batch_norm(x, None, None, w, b, True),
            lambda x, w, b: F.batch_norm(x, b.detach().clone(), positive(w), w, b, False),
            lambda x, w, b: F.batch_norm(x, b.detach().clone(), positive(w), training=False),
        ],
    ),
    "ScaledDotProductFlashAttentionForCpuBackward0": (
        ((2, 5, 4), (2, 6, 4), (2, 6, 3)),
        [
            F.scaled_dot_product_attention,
            lambda x, y, w: F.scaled_dot_product_attention(x, y, w, is_causal=True),
            lambda x, y, w: F.scaled_dot_product_attention(x, y, w, attn_mask=y.detach()[:, :5, :1] * x.detach()[0, 0, 0]
                                                           + torch.zeros(2, 5, 6, dtype=x.dtype)),
        ],
    ),
    "CtcLossBackward0": (
        ((8, 2, 4),),
        [
            lambda x: F.ctc_loss(x.log_softmax(2), labels(2, 3, classes=3) + 1, (8, 7), (3, 2)),
            lambda x: F.ctc_loss(x.log_softmax(2), labels(5, classes=3) + 1, (8, 7), (3, 2), reduction="none"),
        ],
    ),
    "CtcLossOfBatches": (
        ((8, 2, 4),),
        [
            lambda x: torch.vmap(
                lambda n: F.ctc_loss(x.log_softmax(2), labels(2, 3, classes=3) + 1, n, torch.tensor([3, 2]))
            )(torch.tensor([[8, 7], [7, 8]]))
        ],
    ),
    "ConvolutionBackward0": (  # large enough for oneDNN, which alone has all gradients at once
        ((2, 8, 16, 16), (16, 8, 3, 3), (16,)),
        [
            lambda x, w, b: F.conv2d(x / 8, w, b, padding=1),
            lambda x, w, b: F.conv2d(x / 8, w, stride=2),
            lambda x, w, b: F.conv2d(x / 8, w[:, :2], b, groups=4),
        ],
    ),
    "MultilabelMarginLossBackward0": (
        ((5, 4),),
        [
            lambda x, r=r: F.multilabel_margin_loss(x, torch.tensor([[3, 0, -1, 1]] * 5), reduction=r)
            for r in ("mean", "none")
        ],
    ),
    "MkldnnRnnLayerBackward0": (
        ((4, 2, 3), (1, 2, 5), (1, 2, 5), (20, 3), (20, 5), (20,), (20,)),
        [lambda *xs: lstm(*xs)[0], lambda *xs: sum(z.sum() for z in lstm(*xs))],
    ),
    "GruLayerBackward0": (
        ((4, 2, 3), (1, 2, 5), (15, 3), (15, 5), (15,), (15,)),
        [lambda *xs: gru(*xs)[0], lambda *xs: sum(z.sum() for z in gru(*xs))],
    ),
}  # fmt: skip


def nodes_of(z):
    seen, stack = set(), [z.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack += [edge for edge, _ in node.next_functions]
    return seen


def test_every_kernel_is_in_the_table():
    assert {cls.__name__ for cls in with_kernels()} == set(CASES)


@pytest.mark.parametrize("cls", with_kernels(), ids=lambda cls: cls.__name__)
def test_a_kernel_takes_what_its_formula_mentions(cls):
    plan = cls.plan
    for kernel, mentioned in zip(plan.kernels, plan.mentions):
        if kernel is not None:
            taken = kernel.nin if isinstance(kernel, np.ufunc) else len(inspect.signature(kernel).parameters)
            assert taken == 1 + len(mentioned)
    if len(plan.operands) > 1 and cls.fused is not None:
        names = list(inspect.signature(cls.fused).parameters)
        assert names[:2] == ["g", "needs"]
        assert set(names[2:]) <= plan.place.keys()
        operands_and_results = {
            name for name in names[2:] if plan.place[name] < plan.arity + len(plan.results)
        }
        saved = {name for name, i in plan.place.items() if any(i in m for m in plan.mentions)}
        assert operands_and_results <= saved


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
@pytest.mark.parametrize("name", CASES)
def test_a_kernel_computes_what_the_formula_says(name, dtype):
    shapes, functions = CASES[name]
    rng = np.random.default_rng(3)
    made = set()
    for function in functions:
        operands = [torch.tensor(rng.uniform(-1.5, 1.5, s), dtype=dtype, requires_grad=True) for s in shapes]
        z = function(*operands)
        made |= {node.name() for node in nodes_of(z)}
        g = torch.tensor(rng.uniform(0.5, 1.5, z.shape), dtype=dtype)
        by_kernel = torch.autograd.grad(z, operands, g, retain_graph=True, allow_unused=True)
        by_formula = torch.autograd.grad(z, operands, g, create_graph=True, allow_unused=True)
        assert any(grad is not None for grad in by_kernel)
        for fast, said in zip(by_kernel, by_formula):
            assert (fast is None) == (said is None)
            if fast is not None:
                assert fast.dtype is said.dtype and not fast.requires_grad
                torch.testing.assert_close(
                    fast,
                    said.detach(),
                    rtol=1e-4 if dtype is torch.float32 else 1e-10,
                    atol=1e-5 if dtype is torch.float32 else 1e-11,
                )
    assert name in made


def test_arrays_go_to_the_kernel_and_tensors_to_the_formula():
    ran = []

    class Doubled(Unary):
        """z = 2 x."""

        def forward(x):
            return x + x

        def vjp(xp, g, x):
            ran.append("formula")
            return g + g

        def fused(g, x):
            ran.append("kernel")
            return g + g

    class Weighed(General):
        """z = n x, and y is added."""

        operands = "x y"

        def forward(x, y, n):
            return x * n + y

        def vjp_x(xp, g, y, n):
            ran.append("formula")
            return g * n

        def vjp_y(xp, g):
            return g + 0

        def fused_x(g, y, n):
            ran.append("kernel")
            return g * n

    doubled, weighed = unary(Doubled), op(Weighed)
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    for z in (doubled(x), weighed(x, y, 2.0)):
        ran.clear()
        (fast,) = torch.autograd.grad(z.sum(), x, retain_graph=True)
        assert ran == ["kernel"]
        (said,) = torch.autograd.grad(z.sum(), x, create_graph=True)
        assert ran == ["kernel", "formula"]
        assert fast.tolist() == said.tolist() == [2.0, 2.0]
