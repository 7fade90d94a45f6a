"""``autocast``: which operators are computed in which dtype, nesting, the casts of weights, custom functions, checkpoints."""

import pytest

import minigrad
import minigrad.nn.functional as F
from minigrad.utils.checkpoint import checkpoint

pytest.importorskip("ml_dtypes")

#: name -> the result of an operator, of tensors a: (4, 4), b: (2, 4, 4), v: (4,), im: (1, 3, 8, 8), w: (3, 3, 3, 3), y: 4 classes.
CALLS = {
    "matrix by matrix": "a @ a",
    "matrix by vector": "a @ v",
    "stacks": "b @ b",
    "linear": "F.linear(a, a, v)",
    "addmm": "torch.addmm(a, a, a)",
    "baddbmm": "torch.baddbmm(b, b, b)",
    "einsum": "torch.einsum('ij,jk->ik', a, a)",
    "conv1d": "F.conv1d(im[:, :, 0], w[:, :, 0])",
    "conv2d": "F.conv2d(im, w)",
    "conv_transpose2d": "F.conv_transpose2d(im, w)",
    "attention": "F.scaled_dot_product_attention(b, b, b)",
    "prelu": "F.prelu(a, v[:1])",
    "softmax of low": "(a @ a).softmax(0)",
    "layer_norm of low": "F.layer_norm(a @ a, (4,))",
    "gelu of low": "F.gelu(a @ a)",
    "low and full": "(a @ a) + a",
    "cat": "torch.cat([a @ a, a])",
    "stack": "torch.stack([a @ a, a])",
    "of float64": "a.double() @ a.double()",
    "of float16": "a.half() @ a.half()",
    "elementwise": "a * a",
    "mse_loss": "F.mse_loss(a @ a, a)",
    "l1_loss": "F.l1_loss(a @ a, a @ a)",
    "smooth_l1_loss": "F.smooth_l1_loss(a @ a, a @ a)",
    "huber_loss": "F.huber_loss(a @ a, a)",
    "cross_entropy": "F.cross_entropy(a @ a, y)",
    "nll_loss": "F.nll_loss((a @ a).log_softmax(1), y)",
    "kl_div": "F.kl_div(a @ a, (a @ a).abs(), reduction='sum')",
    "with logits": "F.binary_cross_entropy_with_logits(a @ a, (a @ a).sigmoid())",
    "poisson_nll_loss": "F.poisson_nll_loss(a @ a, a @ a)",
    "hinge_embedding_loss": "F.hinge_embedding_loss(a @ a, a @ a)",
    "margin_ranking_loss": "F.margin_ranking_loss((a @ a)[0], (a @ a)[1], v)",
    "triplet_margin_loss": "F.triplet_margin_loss(a @ a, a @ a, a @ a)",
    "cosine_embedding_loss": "F.cosine_embedding_loss(a @ a, a @ a, v.sign())",
    "soft_margin_loss": "F.soft_margin_loss(a @ a, (a @ a).detach())",
    "ctc_loss": "F.ctc_loss((b @ b).log_softmax(2), torch.tensor([[1], [2], [1], [3]]), (2,) * 4, (1,) * 4)",
    "multi_margin_loss": "F.multi_margin_loss(a @ a, y)",
    "multilabel_margin_loss": "F.multilabel_margin_loss(a @ a, torch.tensor([[0, -1, 0, 0]] * 4))",
    "avg_pool3d": "F.avg_pool3d((b @ b)[None], 2)",
    "grid_sample": "F.grid_sample((im @ im.mT), (b @ b)[:1, None, :, :2], align_corners=False)",
    "prod": "(a @ a).prod()",
    "prod along a dimension": "(a @ a).prod(0)",
    "trace": "(a @ a).trace()",
    "inverse": "torch.linalg.inv(a @ a)",
    "cdist": "torch.cdist(a @ a, a)",
    "quantile": "(a @ a).quantile(0.5)",
    "reflection": "F.pad(F.conv2d(im, w), (1, 1, 1, 1), 'reflect')",
    "max_pool2d": "F.max_pool2d(F.conv2d(im, w), 2)",
}


def operands(library):
    library.manual_seed(0)
    return {
        "torch": library, "F": library.nn.functional, "a": library.randn(4, 4, requires_grad=True), "b": library.randn(2, 4, 4),
        "v": library.randn(4), "im": library.randn(1, 3, 8, 8), "w": library.randn(3, 3, 3, 3, requires_grad=True),
        "y": library.tensor([0, 1, 2, 3]),
    }  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("name", CALLS)
def test_dtypes_and_values_are_pytorchs(name):
    torch = pytest.importorskip("torch")
    found = []
    for library in (minigrad, torch):
        names = operands(library)
        with library.autocast("cpu"):
            z = eval(CALLS[name], names)
        found.append((str(z.dtype), z.detach().float().flatten().tolist()))
    assert found[0][0] == found[1][0]
    assert found[0][1] == pytest.approx(found[1][1], rel=0.03, abs=0.1)


def test_products_are_computed_in_the_lower_precision():
    a = minigrad.full((2, 2), 1 + 2**-10)
    for dtype, one in ((minigrad.bfloat16, 2.0), (minigrad.float16, 2.00390625)):
        with minigrad.autocast("cpu", dtype=dtype):
            z = a @ a
        assert z.dtype is dtype and z.float().tolist() == [[one] * 2] * 2
    assert (a @ a).dtype is minigrad.float32


def test_nesting_and_switching_off():
    a = minigrad.ones(2, 2)
    assert not minigrad.is_autocast_enabled("cpu")
    with minigrad.autocast("cpu"):
        assert minigrad.is_autocast_enabled("cpu") and not minigrad.is_autocast_enabled()
        with minigrad.autocast("cpu", enabled=False):
            assert not minigrad.is_autocast_enabled("cpu") and (a @ a).dtype is minigrad.float32
        with minigrad.autocast("cpu", dtype=minigrad.float16):
            assert (
                minigrad.get_autocast_dtype("cpu") is minigrad.float16 and (a @ a).dtype is minigrad.float16
            )
        assert (a @ a).dtype is minigrad.bfloat16
    assert not minigrad.is_autocast_enabled("cpu") and (a @ a).dtype is minigrad.float32


def test_it_ends_with_an_exception_and_may_be_entered_again():
    a, mode = minigrad.ones(2, 2), minigrad.autocast("cpu")
    for _ in range(2):
        with pytest.raises(KeyError), mode:
            assert (a @ a).dtype is minigrad.bfloat16
            raise KeyError
        assert (a @ a).dtype is minigrad.float32


def test_as_a_decorator():
    @minigrad.autocast("cpu")
    def product(x):
        "Its docstring."
        return x @ x

    assert product(minigrad.ones(2, 2)).dtype is minigrad.bfloat16 and product.__doc__ == "Its docstring."


def test_a_weight_is_cast_once():
    a = minigrad.ones(2, 2, requires_grad=True)
    with minigrad.autocast("cpu"):
        y, z = a @ a, a @ a
        casts = {node for x in (y, z) for node, _ in x.grad_fn.next_functions}
        assert len(casts) == 1 and casts.pop().name() == "ToCopyBackward0"
    with minigrad.autocast("cpu", cache_enabled=False):
        y = a @ a
        assert len({node for node, _ in y.grad_fn.next_functions}) == 2
    with minigrad.autocast("cpu"), minigrad.no_grad():
        a @ a
    with minigrad.autocast("cpu"):
        with minigrad.no_grad():
            a @ a
        assert (a @ a).requires_grad


def test_gradients_have_the_dtype_of_the_weight():
    a = minigrad.full((2, 2), 0.5, requires_grad=True)
    with minigrad.autocast("cpu"):
        loss = F.mse_loss(a @ a, minigrad.zeros(2, 2))
    assert loss.dtype is minigrad.float32
    loss.backward()
    assert a.grad.dtype is minigrad.float32 and a.grad.tolist() == [[0.5] * 2] * 2


def test_what_is_refused_or_switched_off():
    with pytest.warns(
        UserWarning, match="^CUDA is not available or torch_xla is imported. Disabling autocast.$"
    ):
        mode = minigrad.autocast("cuda")
    with mode:
        assert not minigrad.is_autocast_enabled("cuda")
        assert (minigrad.ones(2, 2) @ minigrad.ones(2, 2)).dtype is minigrad.float32
    with pytest.warns(UserWarning, match="the target dtype is not supported"):
        mode = minigrad.autocast("cpu", dtype=minigrad.float64)
    with mode:
        assert not minigrad.is_autocast_enabled("cpu")
    with pytest.raises(ValueError, match="^Expected `device_type` of type `str`, got: `<class 'int'>`$"):
        minigrad.autocast(3)
    with pytest.raises(RuntimeError, match="^Expected one of cpu, cuda"):
        minigrad.autocast("nosuch")
    with pytest.raises(RuntimeError, match="^unsupported scalarType$"):
        minigrad.autocast("ve")
    with pytest.warns(FutureWarning, match="torch.cuda.amp.autocast.* is deprecated"):
        minigrad.cuda.amp.autocast(enabled=False)
    assert minigrad.amp.is_autocast_available("cpu")


@pytest.mark.parametrize("cast_inputs, dtype", [(None, "bfloat16"), ("float32", "float32")])
def test_custom_functions(cast_inputs, dtype):
    seen = []

    class Square(minigrad.autograd.Function):
        @staticmethod
        @minigrad.amp.custom_fwd(
            device_type="cpu", cast_inputs=cast_inputs and getattr(minigrad, cast_inputs)
        )
        def forward(ctx, x):
            seen.append(minigrad.is_autocast_enabled("cpu"))
            return x @ x

        @staticmethod
        @minigrad.amp.custom_bwd(device_type="cpu")
        def backward(ctx, g):
            seen.append(minigrad.is_autocast_enabled("cpu"))
            return g.float()

    with minigrad.autocast("cpu"):
        z = Square.apply(minigrad.ones(2, 2, requires_grad=True))
    assert z.dtype is getattr(minigrad, dtype)
    z.sum().backward()
    assert seen == [cast_inputs is None] * 2


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_a_checkpoint_computes_again_as_it_did_before(use_reentrant):
    a = minigrad.full((2, 2), 0.75, requires_grad=True)
    seen = []

    def function(x):
        z = x @ x
        seen.append(z.dtype)
        return z.tanh()

    with minigrad.autocast("cpu"):
        loss = checkpoint(function, a, use_reentrant=use_reentrant).sum()
    loss.backward()
    assert seen == [minigrad.bfloat16] * 2 and a.grad.dtype is minigrad.float32


SETTINGS = """
torch.set_autocast_enabled("cpu", True), torch.is_autocast_enabled("cpu"), (x @ x).dtype
torch.set_autocast_dtype("cpu", torch.float16), torch.get_autocast_dtype("cpu"), (x @ x).dtype, (x + x).dtype
torch.set_autocast_enabled("cpu", False), torch.is_autocast_enabled("cpu"), (x @ x).dtype, torch.get_autocast_dtype("cpu")
torch.set_autocast_dtype("cpu", torch.bfloat16), torch.get_autocast_dtype("cpu")
torch.set_autocast_enabled(True), torch.is_autocast_enabled(), torch.is_autocast_enabled("cpu"), torch.set_autocast_enabled(False)
torch.set_autocast_cache_enabled(False), torch.is_autocast_cache_enabled(), torch.set_autocast_cache_enabled(True), torch.clear_autocast_cache()
torch.autocast_increment_nesting(), torch.autocast_increment_nesting(), torch.autocast_decrement_nesting(), torch.autocast_decrement_nesting()
torch.set_autocast_cpu_enabled(True), (x @ x).dtype, torch.set_autocast_cpu_enabled(False), torch.set_autocast_gpu_dtype(torch.float16)
torch.set_autocast_enabled("cpu", 1)
torch.set_autocast_dtype("cpu", 3)
torch.set_autocast_cache_enabled(None)
inside("cpu", lambda: (torch.set_autocast_enabled("cpu", False), (x @ x).dtype, torch.autocast_increment_nesting(), torch.autocast_decrement_nesting()))
inside("cpu", lambda: (torch.set_autocast_dtype("cpu", torch.float16), (x @ x).dtype)), torch.get_autocast_dtype("cpu"), (x @ x).dtype
inside("cpu", lambda: (torch.set_autocast_enabled("cpu", False), torch.set_autocast_enabled("cpu", True), (x @ x).dtype), dtype=torch.float16)
inside("cpu", lambda: (torch.set_autocast_dtype("cpu", torch.float16), torch.get_autocast_dtype("cpu"), torch.set_autocast_enabled("cpu", True), (x @ x).dtype), enabled=False)
inside("cpu", lambda: inside("cpu", lambda: (torch.get_autocast_dtype("cpu"), torch.set_autocast_enabled("cpu", True), (x @ x).dtype), enabled=False), dtype=torch.float16)
"""


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:torch.set_autocast:DeprecationWarning")
def test_settings_outside_of_blocks():
    torch = pytest.importorskip("torch")

    def outcome(library, call):
        def inside(kind, function, **options):
            with library.autocast(kind, **options):
                return function()

        try:
            return str(eval(call, {"torch": library, "x": library.ones(2, 2), "inside": inside}))
        except Exception as error:
            return type(error).__name__

    for call in SETTINGS.strip().splitlines():
        assert outcome(minigrad, call) == outcome(torch, call), call
