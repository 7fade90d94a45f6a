"""``onnx.export`` of arguments at the edges of what operators take: numbers that are not finite, negative places, sizes that may differ, state that is written to."""

import numpy as np
import pytest

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.onnx.errors import ConversionError
from tests.onnx.checked_exports import check
from tests.onnx.exported_cases import Call

INF, NAN = float("inf"), float("nan")


def zeroed(dim, start, length):
    """A function that writes zeros to a part of a copy of its input."""

    def function(x):
        x = x * 1
        x.narrow(dim, start, length).zero_()
        return x

    return function


ROW, SMALL = torch.arange(5.0), torch.tensor([INF, 1.0])
#: What is exported -> the function, and its inputs.
FIXED = {
    "narrow": (lambda x: x.narrow(0, -2, 2), ROW),
    "narrow, written to": (zeroed(1, -2, 1), torch.ones(3, 4)),
    "narrow at a tensor": (lambda x, start: x.narrow(0, start, 2), ROW, torch.tensor(-3)),
    "roll": (lambda x: (x.roll(8), x.roll(-7), x.roll(5), x.roll(7, 0)), ROW),
    "diag": (lambda x: (torch.diag(x), torch.diag_embed(x, 1), torch.diagflat(x, -1)), SMALL),
    "diagflat": (
        lambda x: (torch.diagflat(x), torch.diagflat(x, 1), torch.diag_embed(x > 1)),
        torch.arange(4.0).view(2, 2),
    ),
    "searchsorted": (
        lambda edges, x: (torch.searchsorted(edges, x), torch.searchsorted(edges, x, right=True)),
        torch.tensor([1.0, 2.0, INF]),
        torch.tensor([NAN, INF, 2.0, 1.5]),
    ),
    "searchsorted with a sorter": (
        lambda edges, x, order: torch.searchsorted(edges, x, sorter=order),
        *(torch.tensor([3.0, 1.0, 2.0]), torch.tensor([1.5, 2.5]), torch.tensor([1, 2, 0])),
    ),
    "searchsorted of ints": (
        lambda edges: (
            torch.searchsorted(edges, 1.5),
            torch.bucketize(1.5, edges),
            torch.bucketize(2, edges),
        ),
        torch.tensor([1, 2, 3]),
    ),
    "softplus": (
        lambda x: (F.softplus(x, 1.0, 2.0), F.softplus(x, 2.0, 2.0), F.softplus(x)),
        torch.tensor([1.0, 1.5, 2.0, 3.0, INF, NAN]),
    ),
    "threshold": (
        lambda x: (F.threshold(x, 0.5, 9.0), F.softshrink(x), F.hardshrink(x)),
        torch.tensor([NAN, -INF, 0.5, 1.0, -2.0]),
    ),
    "attention to NaN": (
        lambda q, k, mask: F.scaled_dot_product_attention(q, k, k, attn_mask=mask),
        torch.tensor([[[NAN, 1.0], [1.0, 2.0], [NAN, 3.0]]]),
        torch.ones(1, 2, 2),
        torch.tensor([[True, False], [True, True], [False, False]]),
    ),
    "attention to nothing": (
        lambda q, mask: F.scaled_dot_product_attention(q, q, q, attn_mask=mask),
        *(torch.ones(1, 2, 2), torch.tensor([[0.0, -INF], [-INF, -INF]])),
    ),
    "causal attention": (
        lambda q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True),
        *(torch.ones(1, 2, 2), torch.tensor([[[1.0, 1.0], [2.0, 3.0]]])),
    ),
    "isclose": (
        lambda a, b: (torch.isclose(a, b, rtol=0.01, atol=0.5), torch.isclose(a, b)),
        *(torch.tensor([100, 100, 5]), torch.tensor([101, 102, 5])),
    ),
    "gaussian_nll_loss": (
        lambda x, y, var: (F.gaussian_nll_loss(x, y, var), F.gaussian_nll_loss(x, y, 0.5)),
        *(torch.arange(6.0).view(2, 3), torch.zeros(2, 3), torch.tensor([0.5, 2.0])),
    ),
    "cdist": (
        lambda x, y: (torch.cdist(x, y), torch.cdist(y, x, p=1.0)),
        *(torch.arange(6.0).view(2, 3), torch.ones(4, 5, 3)),
    ),
    "alpha_dropout": (
        lambda x: (F.alpha_dropout(x, 0.5), F.feature_alpha_dropout(x, 0.5)),
        torch.ones(2, 3, 4),
    ),
}
#: What is exported for any length -> the function, the example, and inputs of other lengths.
DYNAMIC = {
    "split": (lambda x: x.split(2)[1] * 1, torch.arange(4.0), torch.arange(10.0), torch.arange(3.0)),
    "narrow": (lambda x: x.narrow(0, -2, 2) * 1, ROW, torch.arange(8.0)),
    "narrow, written to": (zeroed(0, -2, 2), ROW, torch.arange(8.0)),
    "roll": (lambda x: (x.roll(5), x.roll(-4, 0), x.roll(3, 0)), ROW + 1, torch.arange(3.0), torch.ones(1)),
}


@pytest.mark.parametrize("name", FIXED)
def test_edges(name):
    function, *inputs = FIXED[name]
    module = Call(function).eval()
    check(torch.onnx.export(module, tuple(inputs)), module, *inputs)


@pytest.mark.filterwarnings("ignore:# 'dynamic_axes'")
@pytest.mark.parametrize("name", DYNAMIC)
def test_edges_of_any_length(name):
    function, example, *others = DYNAMIC[name]
    module = Call(function).eval()
    program = torch.onnx.export(module, (example,), input_names=["x"], dynamic_axes={"x": [0]})
    for x in (example, *others):
        check(program, module, x)


@pytest.mark.parametrize("need_weights", [True, False])
def test_heads_that_may_look_at_nothing(need_weights):
    layer = nn.MultiheadAttention(4, 2, batch_first=True)
    module = Call(lambda x, hidden: layer(x, x, x, key_padding_mask=hidden, need_weights=need_weights)).eval()
    inputs = torch.ones(2, 2, 4), torch.tensor([[True, True], [False, True]])
    check(torch.onnx.export(module, inputs), module, *inputs)


class Clipped(nn.Module):
    """Adds its buffer, and clips that."""

    def __init__(self, *inplace, **given):
        super().__init__()
        self.register_buffer("bias", torch.tensor([-1.0, 2.0]))
        self.inplace, self.given = inplace, given

    def forward(self, x):
        y = x + self.bias
        F.hardtanh(self.bias, 0.0, 1.0, *self.inplace, **self.given)
        return y, x + self.bias


@pytest.mark.parametrize("module", [Clipped(True), Clipped(inplace=True)])
def test_exports_leave_the_state_as_it_was(module):
    with pytest.warns(UserWarning, match="changes buffer 'bias'"):
        program = torch.onnx.export(module.eval(), (torch.ones(2),))
    assert module.bias.tolist() == [-1.0, 2.0]
    check(program, module, torch.zeros(2))


@pytest.mark.filterwarnings("ignore:size_average and reduce")
def test_old_arguments_of_losses_are_refused():
    module = Call(lambda x, y: F.smooth_l1_loss(x, y, size_average=False, beta=0.0)).eval()
    with pytest.raises(ConversionError, match="use reduction"):
        torch.onnx.export(module, (torch.ones(2), torch.zeros(2)))


@pytest.mark.filterwarnings("ignore:# 'dynamic_axes'")
def test_dynamic_axes_of_nothing_are_named():
    module = Call(lambda x: x + 1).eval()
    with pytest.warns(UserWarning, match="Provided key typo for dynamic axes") as warned:
        program = torch.onnx.export(
            module,
            (ROW,),
            input_names=["x"],
            output_names=["y"],
            dynamic_axes={"x": [0], "y": [0], "typo": [0]},
        )
    assert sum("Provided key" in str(each.message) for each in warned) == 1
    check(program, module, torch.ones(3))


class Attention(nn.Module):
    """Attention over a source that has rows of its own added."""

    def __init__(self, **options):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True, **options)

    def forward(self, x, mask, padding):
        return self.attention(x, x, x, attn_mask=mask, key_padding_mask=padding)


#: What is exported with rows and columns that may differ.
WITH_TWO_SIZES = {
    "rows by a Range that goes down": lambda x: x[torch.arange(x.shape[0] - 1, -1, -1)],
    "rows by a Range from the end": lambda x: x[torch.arange(-x.shape[0], 0)],
    "recompute_scale_factor": lambda x: F.interpolate(
        x[None], scale_factor=1.7, mode="linear", recompute_scale_factor=True
    ),
    "bias_k": Attention(add_bias_kv=True),
    "add_zero_attn": Attention(add_bias_kv=True, add_zero_attn=True),
}


def filled(x):
    """A square matrix of the rows of ``x``, with another diagonal."""
    product = x @ x.T
    product.fill_diagonal_(7)
    return product


def written(function):
    """A function that changes a part of a copy of its input."""

    def call(x):
        x = x * 1
        function(x)
        return x

    return call


def added(parts):
    for number, part in enumerate(parts):
        part.add_(number + 1)


#: What is exported with two sizes that may differ: on (rows, columns), or more dimensions with these last.
WITH_TWO_SIZES |= {
    "adaptive_avg_pool": lambda x: (
        F.adaptive_avg_pool2d(x[None], (3, 2)),
        F.adaptive_avg_pool2d(x[None], (None, 3)),
        F.adaptive_avg_pool1d(x.double(), 7),
        F.adaptive_avg_pool1d(torch.cat([x, x / 0], 1), 3),
    ),
    "adaptive_max_pool": lambda x: (
        F.adaptive_max_pool2d(x[None], (2, 3)),
        F.adaptive_max_pool1d(x, x.shape[1] // 2 + 1),
    ),
    "area": lambda x: (
        F.interpolate(x.repeat(1, 1, 2, 2), scale_factor=0.6, mode="area"),
        F.interpolate(x[None, None], (x.shape[0] // 2 + 1, 3), mode="area"),
        F.interpolate(x[None], size=x.shape[0] + 1, mode="area"),
    ),
    "chunk": lambda x: (
        torch.cat([*x.repeat(7, 2).chunk(3)][::-1]),
        x.repeat(1, 2).chunk(2, 1)[1] * 1,
        x.chunk(5)[0] + 1,
    ),
    "tensor_split": lambda x: [part + 1 for part in (*x.tensor_split(3, 1), *x.tensor_split((1, -1)))],
    "unfold": lambda x: (x.repeat(1, 3).unfold(1, 3, 2), x.unfold(0, x.shape[0] // 2 + 1, 1)),
    "unfold of images": lambda x: (
        F.unfold(x[None], (2, 3), padding=1),
        F.unfold(x[None, None], 3, dilation=2, padding=(2, 3), stride=(1, 2)),
    ),
    "diagonal": lambda x: (
        x.diagonal() * 1,
        x.diagonal(1, 1, 0) * 2,
        torch.diagonal(x[None], -1, -2, -1),
        x.trace(),
        torch.diag(x, 2),
    ),
    "diag_embed": lambda x: (torch.diag_embed(x, 1), torch.diag_embed(x, -2, 0, 2), torch.diag(x[0])),
    "fill_diagonal_": filled,
    "fill_diagonal_ that wraps": written(lambda x: x.fill_diagonal_(3, wrap=True)),
    "written to a diagonal": written(lambda x: x.diagonal(-1).mul_(2)),
    "written to a diagonal of a stack": lambda x: written(lambda y: y.diagonal(1, 2, 0).add_(1))(
        x.expand(3, *x.shape)
    ),
    "written to a chunk": lambda x: written(lambda y: added(y.chunk(2, 1)))(x.repeat(1, 2)),
    "written to a split": written(lambda x: x.split(2)[0].add_(1)),
    "linspace": lambda x: (torch.linspace(0.5, x.shape[1] - 0.5, x.shape[1]), torch.linspace(2, 1, len(x))),
    "indices of triangles": lambda x: (
        torch.tril_indices(x.shape[0], x.shape[1], 1),
        x[tuple(torch.triu_indices(*x.shape))],
    ),
}


def autocast(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return F.linear(x, torch.ones(2, x.shape[1]))


#: What is refused -> the function, and what the error says.
NOT_EXPORTED = {
    "one input or the other": (lambda x: x if x.size(0) < x.size(1) else x + 0, "takes another way"),
    "numbers of NumPy": (lambda x: x + torch.from_numpy(np.arange(x.size(1))), "constant .* is another one"),
    "functions": (
        lambda x: torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a - 1, (x,)),
        "cond takes a function",
    ),
    "vmap": (lambda x: torch.vmap(lambda row: row.softmax(0))(x), "uses vmap, grad or another transform"),
    "jvp": (lambda x: torch.func.jvp(torch.sin, (x,), (x,))[1], "uses vmap, grad or another transform"),
    "autocast": (autocast, "linear is called in a block of autocast"),
    "no tensor": (lambda x: None, "returns no tensor"),
    "a size as an attribute": (lambda x: F.celu(x, x.size(1) / 2), "depends on sizes"),
}


@pytest.mark.parametrize("name", WITH_TWO_SIZES)
def test_edges_of_dynamic_sizes(name):
    module, inputs = WITH_TWO_SIZES[name], lambda rows, columns: (torch.randn(rows, columns),)
    if isinstance(module, nn.Module):

        def inputs(rows, columns):
            return (
                torch.randn(rows, columns, 8),
                torch.ones(columns, columns).triu(1).bool(),
                torch.zeros(rows, columns).bool(),
            )

        shapes = ({0: "rows", 1: "columns"}, {0: "columns", 1: "columns"}, {0: "rows", 1: "columns"})
    else:
        module, shapes = Call(module), ({0: "rows", 1: "columns"},)
    program = torch.onnx.export(module.eval(), inputs(4, 5), dynamic_shapes=shapes)
    for sizes in ((4, 5), (1, 7), (6, 3)):
        check(program, module, *inputs(*sizes))


@pytest.mark.parametrize("name", NOT_EXPORTED)
def test_refused_edges_of_dynamic_sizes(name):
    function, message = NOT_EXPORTED[name]
    with pytest.raises(RuntimeError, match=message):
        torch.onnx.export(
            Call(function).eval(), (torch.randn(4, 5),), dynamic_shapes=({0: "rows", 1: "columns"},)
        )
