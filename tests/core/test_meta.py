"""Tensors on the device ``meta``: how they are made, what they answer, what they refuse, and that nothing of their size is allocated."""

import copy
import io
import pickle
import resource
import tracemalloc

import pytest

import minigrad
from minigrad import nn

F = nn.functional
HUGE = 2**40


@pytest.fixture
def m():
    return minigrad.empty(2, 3, device="meta")


def shown(z):
    return repr(z)


@pytest.mark.parametrize(
    "expression, text",
    [
        ("empty(2, 3, device='meta')", "tensor(..., device='meta', size=(2, 3))"),
        ("tensor(3, device='meta')", "tensor(..., device='meta', size=(), dtype=torch.int64)"),
        ("zeros(2, device='meta', requires_grad=True)", "tensor(..., device='meta', size=(2,), requires_grad=True)"),
        ("ones(2, device='meta', requires_grad=True) * 2", "tensor(..., device='meta', size=(2,), grad_fn=<MulBackward0>)"),
        ("nn.Parameter(empty(2, device='meta'))", "Parameter containing:\ntensor(..., device='meta', size=(2,), requires_grad=True)"),
    ],
)  # fmt: skip
def test_text(expression, text):
    assert (
        shown(
            eval(
                expression,
                vars(minigrad)
                | {"nn": nn, **{n: getattr(minigrad, n) for n in ("empty", "tensor", "zeros", "ones")}},
            )
        )
        == text
    )


MAKING = [
    "zeros(4)", "ones(2, 2)", "empty(4)", "full((4,), 2.5)", "full((2, 2), 1)", "eye(2)", "arange(4)", "arange(0., 1., .25)", "linspace(0, 1, 4)", "logspace(0, 1, 4)", "rand(4)", "randn(2, 2)",
    "randint(5, (4,))", "randperm(4)", "tensor([1., 2.])", "tensor([[1, 2]])", "as_tensor([1., 2.])", "asarray([1, 2])", "scalar_tensor(1.)", "empty_strided((2, 2), (1, 2))", "empty_permuted((2, 3), (1, 0))",
    "tril_indices(2, 2)", "triu_indices(2, 2)", "hann_window(4)", "normal(0., 1., (4,))", "empty(1, 2, 2, 2, memory_format=minigrad.channels_last)",
]  # fmt: skip


def asked(z):
    return z.shape, z.dtype, z.stride()


@pytest.mark.parametrize("call", MAKING)
def test_functions_that_make_tensors(call):
    """With ``device="meta"``, in a ``with`` block, and as the default; the generator is left alone."""
    on_cpu = eval(f"minigrad.{call}")
    state = minigrad.get_rng_state()
    given = eval(f"minigrad.{call[:-1]}, device='meta')")
    with minigrad.device("meta"):
        around = eval(f"minigrad.{call}")
        with minigrad.device("cpu"):
            assert not minigrad.zeros(1).is_meta
        assert minigrad.zeros(1, device="cpu").device.type == "cpu"
    minigrad.set_default_device("meta")
    try:
        by_default = eval(f"minigrad.{call}")
        assert minigrad.get_default_device().type == "meta"
    finally:
        minigrad.set_default_device(None)
    for z in (given, around, by_default):
        assert z.is_meta
        assert asked(z) == asked(on_cpu)
    assert minigrad.equal(state, minigrad.get_rng_state())
    assert not minigrad.zeros(1).is_meta


@pytest.mark.parametrize(
    "call",
    ["zeros_like", "ones_like", "empty_like", "rand_like", "randn_like"],
)
def test_like_another(call, m):
    function = getattr(minigrad, call)
    assert asked(function(m.t())) == asked(function(minigrad.ones(2, 3).t()))
    assert function(m).is_meta
    assert not function(m, device="cpu").is_meta
    assert function(minigrad.ones(2), device="meta").is_meta


def test_new(m):
    for z in (m.new_zeros(2), m.new_ones(2), m.new_empty(2), m.new_full((2,), 1), m.new_tensor([1.0, 2.0])):
        assert z.is_meta
        assert z.shape == (2,)
    assert not m.new_zeros(2, device="cpu").is_meta


def test_what_it_is(m):
    assert m.device == minigrad.device("meta")
    assert m.is_meta
    assert not m.is_cpu
    assert isinstance(m, minigrad.Tensor)
    assert isinstance(nn.Parameter(m), nn.Parameter)
    assert m.data_ptr() == 0
    assert m.type() == "torch.meta.FloatTensor"
    assert m[1:].untyped_storage().nbytes() == 24
    assert m[1:].storage_offset() == 3
    assert m.untyped_storage().device == m.device
    assert repr(m.untyped_storage()) == "...\n[torch.storage.UntypedStorage(device=meta) of size 24]"


@pytest.mark.parametrize(
    "expression, error, text",
    [
        ("m.cpu()", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
        ("m.to('cpu')", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
        ("m.tolist()", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
        ("c.copy_(m)", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
        ("m.sum().item()", RuntimeError, "Tensor.item() cannot be called on meta tensors"),
        ("bool(m.sum())", RuntimeError, "Tensor.item() cannot be called on meta tensors"),
        ("float(m.sum())", RuntimeError, "Tensor.item() cannot be called on meta tensors"),
        ("int(m.sum())", RuntimeError, "Tensor.item() cannot be called on meta tensors"),
        ("m.allclose(m)", RuntimeError, "Tensor.item() cannot be called on meta tensors"),
        ("m.item()", RuntimeError, "a Tensor with 6 elements cannot be converted to Scalar"),
        ("bool(m)", RuntimeError, "Boolean value of Tensor with more than one value is ambiguous"),
        ("m.numpy()", TypeError, "can't convert meta device type tensor to numpy."),
        ("m.__array__()", TypeError, "can't convert meta device type tensor to numpy."),
        ("np.sin(m)", TypeError, "can't convert meta device type tensor to numpy."),
        ("minigrad.equal(m, m)", NotImplementedError, "aten::equal: attempted to run this operator with Meta tensors"),
        ("m.nonzero()", NotImplementedError, ""),
        ("m[m > 0]", NotImplementedError, ""),
        ("m.unique()", NotImplementedError, ""),
        ("m + c", RuntimeError, "Tensor on device cpu is not on the expected device meta!"),
        ("c + m", RuntimeError, "Tensor on device meta is not on the expected device cpu!"),
        ("c + m.sum()", RuntimeError, "Tensor on device meta is not on the expected device cpu!"),
        ("minigrad.cat([m, c])", RuntimeError, "Tensor on device cpu is not on the expected device meta!"),
        ("minigrad.where(c > 0, m, c)", RuntimeError, "Tensor on device meta is not on the expected device cpu!"),
        ("F.layer_norm(m, (3,), minigrad.ones(3))", RuntimeError, "Tensor on device cpu is not on the expected device meta!"),
        ("minigrad.add(m, m, out=minigrad.empty(0))", RuntimeError, "Attempting to copy from device meta to device cpu"),
        ("m.share_memory_()", RuntimeError, "_share_fd_: only available on CPU"),
        ("nn.Linear(1, 1, device='meta').to('cpu')", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
    ],
)  # fmt: skip
def test_refused(expression, error, text, m):
    import numpy as np

    names = {"minigrad": minigrad, "nn": nn, "F": F, "np": np, "m": m, "c": minigrad.ones(2, 3)}
    with pytest.raises(error) as caught:
        eval(expression, names)
    assert str(caught.value).startswith(text)


def test_what_goes_together(m):
    """Numbers and 0-dim tensors of the CPU, indices of the CPU, and copies from there."""
    number, index = minigrad.tensor(2.0), minigrad.tensor([0, 1, 1])
    assert (m + number).is_meta
    assert (number * m).is_meta
    assert m[index].shape == (3, 3)
    assert F.embedding(index, m).shape == (3, 3)
    assert m.copy_(minigrad.ones(3)) is m
    assert m.index_select(0, index).shape == (3, 3)
    moved = minigrad.ones(2, 3).t().to("meta")
    assert asked(moved) == asked(minigrad.ones(2, 3).t())


def test_in_place_and_views(m):
    base = m.clone()
    view = base[0]
    version = base._version
    assert view.mul_(2).add_(1) is view
    assert base._version == version + 2
    assert view._base is base
    assert m.t().t().is_set_to(m)
    assert base.resize_(4, 4).shape == (4, 4)
    with pytest.raises(RuntimeError, match="must match the size"):
        m.add_(minigrad.empty(4, device="meta"))
    m[0, 0] = 1.0
    m[m > 0] = 0.0
    assert m.normal_() is m


def test_backward_through_views_written_to():
    x = minigrad.ones(4, 3, device="meta", requires_grad=True)
    y = x * 2
    y[0] = x[1] * 3
    y.t()[0].mul_(2)
    y.sum().backward()
    assert x.grad.is_meta
    assert asked(x.grad) == asked(x)


def test_derivatives_of_higher_order_and_transforms():
    x = minigrad.ones(3, device="meta", requires_grad=True)
    (g,) = minigrad.autograd.grad(x.exp().sum(), x, create_graph=True)
    assert g.requires_grad
    (h,) = minigrad.autograd.grad(g.sum(), x)
    assert h.is_meta
    assert minigrad.vmap(lambda x: x * 2)(x.detach()).shape == (3,)
    assert minigrad.func.jacrev(minigrad.sin)(x.detach()).shape == (3, 3)
    assert minigrad.func.grad(lambda x: (x * x).sum())(x.detach()).is_meta


def test_what_watches_goes_along():
    """Checkpoints, hooks, anomaly mode, custom Functions and subclasses."""
    x = minigrad.ones(3, device="meta", requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(g.is_meta))
    minigrad.utils.checkpoint.checkpoint(lambda x: x.exp().tanh(), x, use_reentrant=False).sum().backward()
    with minigrad.autograd.set_detect_anomaly(True):
        (x * 3).sum().backward()
    assert seen == [True, True]

    class Square(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    Square.apply(x).sum().backward()
    assert x.grad.is_meta

    class Own(minigrad.Tensor):
        pass

    own = x.detach().as_subclass(Own)
    assert own.is_meta
    assert type(own + 1) is Own


@pytest.mark.parametrize("layer", [nn.LSTM, nn.GRU, nn.RNN])
def test_recurrent_layers(layer):
    with minigrad.device("meta"):
        model = layer(3, 4, 2, bidirectional=True)
        x = minigrad.ones(5, 2, 3)
    z, _ = model(x)
    assert z.shape == (5, 2, 8)
    z.sum().backward()
    assert all(p.grad.is_meta for p in model.parameters())


def test_backward_twice_is_refused_as_ever():
    x = minigrad.ones(3, device="meta", requires_grad=True)
    z = x.exp().sum()
    z.backward()
    with pytest.raises(RuntimeError, match="second time"):
        z.backward()


def test_files(tmp_path, m):
    model = nn.Linear(3, 2)
    minigrad.save(model.state_dict(), tmp_path / "model.pt")
    state = minigrad.load(tmp_path / "model.pt", map_location="meta")
    assert all(x.is_meta for x in state.values())
    assert asked(state["weight"]) == asked(model.weight)
    kept = io.BytesIO()
    minigrad.save({"m": m.t(), "p": nn.Parameter(m)}, kept)
    kept.seek(0)
    found = minigrad.load(kept)
    assert asked(found["m"]) == asked(m.t())
    assert isinstance(found["p"], nn.Parameter)
    again = pickle.loads(pickle.dumps(m.requires_grad_()))
    assert again.requires_grad
    assert again.is_meta
    assert copy.deepcopy(m).is_meta


# Modules -------------------------------------------------------------------------------------------------------------------------


def test_modules():
    state = minigrad.get_rng_state()
    with minigrad.device("meta"):
        model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
    assert minigrad.equal(state, minigrad.get_rng_state())
    assert all(x.is_meta for x in model.state_dict().values())
    loaded = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
    with pytest.warns(UserWarning, match="which is a no-op"):
        model.load_state_dict(loaded.state_dict())
    assert model[0].weight.is_meta
    model.load_state_dict(loaded.state_dict(), assign=True)
    x = minigrad.randn(5, 3)
    minigrad.testing.assert_close(model(x), loaded(x))
    assert all(type(p) is nn.Parameter and p.requires_grad for p in model.parameters())


def test_modules_move():
    model = nn.Linear(3, 2, device="meta")
    real = model.to_empty(device="cpu")
    assert real is model
    assert type(model.weight) is nn.Parameter
    assert model(minigrad.ones(1, 3)).shape == (1, 2)
    model.to("meta")
    assert model.weight.is_meta
    assert model(minigrad.ones(1, 3, device="meta")).is_meta
    assert model.half().weight.dtype is minigrad.float16
    skipped = nn.utils.skip_init(nn.Linear, 3, 2)
    assert skipped.weight.device.type == "cpu"
    assert skipped.weight.requires_grad
    assert nn.utils.skip_init(nn.Linear, 3, 2, device="meta").weight.is_meta


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad"])
def test_optimizers(optimizer):
    model = nn.Linear(3, 2, device="meta")
    step = getattr(minigrad.optim, optimizer)(model.parameters(), lr=0.1)
    for _ in range(2):
        step.zero_grad()
        model(minigrad.empty(4, 3, device="meta")).square().mean().backward()
        step.step()
    assert model.weight.is_meta


# Nothing of their size ---------------------------------------------------------------------------------------------------------


class Block(nn.Module):
    """A block of a transformer as GPT-2 has it."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1)
        )

    def forward(self, x):
        n, length, width = x.shape
        parts = (
            self.qkv(self.norms[0](x))
            .view(n, length, 3, self.heads, width // self.heads)
            .permute(2, 0, 3, 1, 4)
        )
        z = F.scaled_dot_product_attention(*parts, is_causal=True)
        x = x + self.out(z.transpose(1, 2).reshape(n, length, width))
        return x + self.mlp(self.norms[1](x))


class Transformer(nn.Module):
    def __init__(self, words, width, heads, layers):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(8192, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(layers)])
        self.head = nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(minigrad.arange(tokens.shape[1], device=tokens.device))
        return self.head(self.blocks(x))


def bounded(function, most):
    """What ``function()`` returns, after asserting that it takes no more than ``most`` bytes at any time."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    try:
        result = function()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < 2 * most
    return result


def test_a_transformer_of_70_billion_parameters():
    def train():
        with minigrad.device("meta"):
            model = Transformer(32000, 8192, 64, 86)
            tokens = minigrad.zeros(2, 4096, dtype=minigrad.int64)
        scores = model(tokens)
        F.cross_entropy(scores.view(-1, 32000), tokens.view(-1)).backward()
        minigrad.optim.AdamW(model.parameters()).step()
        return model, scores

    model, scores = bounded(train, 60e6)
    assert sum(p.numel() for p in model.parameters()) > 69e9
    assert scores.shape == (2, 4096, 32000)
    assert model.head.weight.grad.shape == (32000, 8192)


OPERATORS = {
    "elementwise": lambda x: (x + x).mul_(2).exp().clamp(0).tanh(),
    "sums": lambda x: (x.sum(0), x.mean(), x.std(1), x.norm(), x.logsumexp(0)),
    "extremes": lambda x: (x.max(0), x.argmin(1), x.topk(3), x.sort(), x.cumsum(0)),
    "shapes": lambda x: (x.t().contiguous(), x[:, ::2].clone(), x.reshape(-1), minigrad.cat([x, x])),
    "products": lambda x: (x @ x, F.linear(x, x), minigrad.einsum("ij,kj->ik", x, x)),
    "normalisation": lambda x: (F.layer_norm(x, x.shape[1:]), F.softmax(x, 0), F.batch_norm(x, None, None, training=True)),
    "windows": lambda x: (F.conv1d(x[None], x[:4, :, None].expand(4, 2**20, 3)), F.max_pool1d(x, 2), F.avg_pool1d(x, 2)),
    "attention": lambda x: F.scaled_dot_product_attention(x[None], x[None], x[None], is_causal=True),
    "indices": lambda x: (x.masked_fill(x > 0, 0.0), x.gather(0, x.long()), minigrad.where(x > 0, x, 0.0)),
    "random": lambda x: (F.dropout(x), minigrad.rand_like(x), x.normal_()),
    "linear algebra": lambda x: (minigrad.linalg.inv(x), minigrad.linalg.qr(x), minigrad.fft.fft(x)),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_on_tensors_of_a_trillion_elements(name):
    def run():
        x = minigrad.empty(2**20, 2**20, device="meta")
        assert x.numel() == HUGE
        return OPERATORS[name](x)

    bounded(run, 20e6)


@pytest.mark.parametrize("call", ["zeros(2**40)", "ones(2**40)", "full((2**40,), 1.)", "rand(2**40)", "randint(9, (2**40,))", "arange(2**40)", "linspace(0, 1, 2**40)", "randperm(2**40)", "eye(2**20)"])  # fmt: skip
def test_makers_of_a_trillion_elements(call):
    assert bounded(lambda: eval(f"minigrad.{call[:-1]}, device='meta')"), 20e6).numel() == HUGE


@pytest.mark.parametrize("parts", ["split(1)", "unbind(0)", "split([1, 2])", "chunk(3)", "tensor_split(3)"])
def test_the_gradient_of_one_of_several_views(parts):
    x = minigrad.ones(3, 2, device="meta", requires_grad=True)
    one = eval(f"x.{parts}")[-1]
    for create_graph in (False, True):
        (g,) = minigrad.autograd.grad(one, x, minigrad.ones_like(one), create_graph=create_graph)
        assert g.is_meta and g.shape == (3, 2)


def test_numbers_are_copied_into_the_whole_of_a_tensor():
    for key in (..., slice(None)):
        x = minigrad.ones(2, device="meta", requires_grad=True) * 1
        x[key] = 1.5
        assert x.grad_fn.name() == "torch::autograd::CopyBackwards"


def test_the_graph_of_a_gradient_of_a_transposed_leaf():
    x = minigrad.empty_like(minigrad.ones(3, 2).t(), device="meta", requires_grad=True)
    x.split(1)[1].backward(minigrad.ones(1, 3, device="meta"), create_graph=True)
    assert x.grad.is_meta and x.grad.stride() == x.stride() == (1, 2)


def test_dropout_of_integers():
    with pytest.raises(
        RuntimeError, match="result type torch.float32 can't be cast to the desired output type torch.int64"
    ):
        F.dropout(minigrad.ones(2, dtype=minigrad.int64, device="meta"))
    assert F.dropout(minigrad.ones(2, device="meta")).is_meta
