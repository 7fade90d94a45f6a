"""Kernels that share their work: the same bits on any number of threads, and the values of the plain computation."""

import numpy as np
import pytest

import minigrad
from minigrad import nn
from minigrad._arrays import in_parts, products
from minigrad._arrays.kernels import recurrent
from minigrad._base import pool

F = nn.functional


@pytest.fixture(autouse=True)
def any_number_of_threads():
    before = pool.count()
    # gradients of weights by oneDNN are sums of as many parts as there are threads
    with minigrad.backends.mkldnn.flags(enabled=False):
        yield
    pool.set_count(before)


def both(function, *shapes, dtype=minigrad.float32):
    """``function`` of random tensors, and the gradients: on one, two and three threads."""
    found = []
    for threads in (1, 2, 3):
        pool.set_count(threads)
        minigrad.manual_seed(0)
        xs = [minigrad.randn(*shape, dtype=dtype).requires_grad_() for shape in shapes]
        z = function(*xs)
        weights = minigrad.randn(*z.shape, dtype=dtype)
        found.append([z.detach(), *minigrad.autograd.grad(z, xs, weights)])
    return found


CASES = {
    "tanh": (lambda x: x.tanh(), (700, 700)),
    "exp, expanded": (lambda x, y: (x + y).exp(), (700, 700), (700,)),
    "mul and add": (lambda x, y, z: (x * y + z) * 1.5 - y, (2100, 1000), (2100, 1000), (1000,)),
    "div, sub, maximum": (lambda x, y: minigrad.maximum(x / (y * y + 1), y - x), (2100, 1000), (2100, 1)),
    "gelu": (F.gelu, (640, 700)),
    "gelu tanh": (lambda x: F.gelu(x, approximate="tanh"), (640, 700)),
    "silu of a transpose": (lambda x: F.silu(x.t()), (640, 700)),
    "elu": (lambda x: F.elu(x, 0.5), (640, 700)),
    "leaky_relu": (F.leaky_relu, (640, 700)),
    "hardswish": (F.hardswish, (640, 700)),
    "softplus": (F.softplus, (640, 700)),
    "erf": (lambda x: x.erf(), (640, 700)),
    "pow": (lambda x, y: x.abs() ** y, (640, 700), (640, 700)),
    "atan2, rows": (minigrad.atan2, (640, 700), (640, 1)),
    "lgamma": (lambda x: (x.abs() + 1).lgamma(), (640, 700)),
    "mm": (minigrad.mm, (300, 320), (320, 310)),
    "mm, few rows": (minigrad.mm, (40, 800), (800, 700)),
    "mv": (minigrad.mv, (3000, 3000), (3000,)),
    "bmm": (minigrad.bmm, (7, 128, 130), (7, 130, 120)),
    "attention's product": (minigrad.matmul, (2, 9, 128, 64), (2, 9, 64, 128)),
    "attention": (F.scaled_dot_product_attention, (20, 130, 32), (20, 120, 32), (20, 120, 40)),
    "attention, causal": (lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True), (20, 130, 32)),
    "linear": (F.linear, (4, 100, 200), (300, 200), (300,)),
    "conv": (lambda x, w: F.conv2d(x, w, padding=1), (9, 32, 24, 24), (32, 32, 3, 3)),
    "conv, strides": (lambda x, w: F.conv2d(x, w, stride=2), (17, 32, 25, 25), (32, 32, 3, 3)),
    "conv, one image": (lambda x, w: F.conv2d(x, w, padding=1), (1, 64, 40, 40), (64, 64, 3, 3)),
    "conv, rows of an image": (lambda x, w: F.conv2d(x, w, padding=1), (1, 64, 100, 100), (16, 64, 3, 3)),
    "conv, groups": (lambda x, w: F.conv2d(x, w, groups=4), (9, 32, 24, 24), (64, 8, 3, 3)),
    "depthwise": (lambda x, w: F.conv2d(x, w, padding=1, groups=32), (9, 32, 24, 24), (32, 1, 3, 3)),
    "depthwise, strides": (lambda x, w: F.conv2d(x, w, stride=2, groups=32), (9, 32, 25, 25), (64, 1, 3, 3)),
    "conv1d": (lambda x, w: F.conv1d(x, w, padding=2), (50, 16, 200), (32, 16, 5)),
    "conv3d": (lambda x, w: F.conv3d(x, w), (7, 8, 12, 12, 12), (16, 8, 3, 3, 3)),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (1000,), w, b), (2100, 1000), (1000,), (1000,)),
    "rms_norm": (lambda x, w: F.rms_norm(x, (1000,), w), (2100, 1000), (1000,)),
    "group_norm": (lambda x, w: F.group_norm(x, 4, w), (21, 100, 1000), (100,)),
    "batch_norm": (lambda x, w: F.batch_norm(x, None, None, w, training=True), (7, 300, 1000), (300,)),
    "softmax": (lambda x: x.softmax(1), (30, 700, 100)),
    "log_softmax": (lambda x: x.log_softmax(-1), (2100, 1000)),
    "cumsum": (lambda x: x.cumsum(1), (700, 1500)),
    "contiguous": (lambda x: x.t().contiguous(), (700, 1000)),
    "transposed": (lambda x, w: F.conv_transpose2d(x, w, stride=2), (20, 64, 14, 14), (64, 32, 4, 4)),
    "transposed, few": (lambda x, w: F.conv_transpose2d(x, w, stride=2), (20, 64, 14, 14), (64, 4, 5, 5)),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [minigrad.float32, minigrad.float64], ids=str)
@pytest.mark.parametrize("name", CASES)
def test_same_bits(name, dtype):
    function, *shapes = CASES[name]
    one, *more = both(function, *shapes, dtype=dtype)
    for others in more:
        for a, b in zip(one, others):
            assert np.array_equal(a.numpy(), b.numpy(), equal_nan=True)


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
@pytest.mark.parametrize("reverse", [False, True])
def test_layers_of_recurrent_nets(reverse, kind):
    minigrad.manual_seed(1)
    net = getattr(nn, kind)(70, 80, bidirectional=reverse)
    found = []
    for threads in (1, 2, 3):
        pool.set_count(threads)
        net.zero_grad()
        minigrad.manual_seed(0)
        x = minigrad.randn(30, 40, 70, requires_grad=True)
        z, last = net(x)
        h, c = last if kind == "LSTM" else (last, last)
        (z.square().sum() + h.sum() + c.cos().sum()).backward()
        found.append([z.detach(), x.grad, *(p.grad.clone() for p in net.parameters())])
    for others in found[1:]:
        assert all(np.array_equal(a.numpy(), b.numpy()) for a, b in zip(found[0], others))


def test_lstm_works_beside_its_steps_where_that_pays(monkeypatch):
    monkeypatch.setattr(Counted, "parts", [])
    monkeypatch.setattr(recurrent, "beside", Counted)
    nn.LSTM(8, 8)(minigrad.randn(30, 40, 8))[0].sum().backward()
    assert Counted.parts == []
    nn.LSTM(70, 80)(minigrad.randn(30, 40, 70))[0].sum().backward()
    assert Counted.parts == [4, 4, 4, 0, 0, 4, 4, 4]  # forward, a piece ahead; backward, a piece behind


class Counted(pool.beside):
    parts: list[int] = []

    def __enter__(self):
        Counted.parts.append(len(self.parts))
        super().__enter__()


def shared(monkeypatch, module, name="share"):
    """Note how many parts are shared."""
    counts = []
    share = getattr(module, name)

    def noted(function, parts):
        counts.append(len(parts))
        share(function, parts)

    monkeypatch.setattr(module, name, noted)
    return counts


def test_large_operands_are_shared_and_small_ones_are_not(monkeypatch):
    pool.set_count(2)
    counts = shared(monkeypatch, in_parts)
    x = minigrad.randn(7 * in_parts.PART, requires_grad=True)
    x.tanh().sum().backward()
    assert counts == [4, 4]
    minigrad.randn(1000).tanh()
    assert counts == [4, 4]


def test_simple_functions_of_very_large_operands_are_shared(monkeypatch):
    pool.set_count(2)
    counts = shared(monkeypatch, in_parts)
    x, y = (minigrad.randn(in_parts.MEMORY_BOUND, requires_grad=True) for _ in "xy")
    z = x * y + x
    assert len(counts) == 2
    z.backward(minigrad.ones_like(z))
    assert len(counts) == 4  # the sum's gradients are the one that comes, not copies of it
    assert minigrad.equal(x.grad, y.detach() + 1) and minigrad.equal(y.grad, x.detach())
    first, second = minigrad.autograd.grad((x + y).sum(), (x, y))
    assert bool((first == 1).all()) and bool((second == 1).all())


def test_products_are_shared_where_blas_is_held(monkeypatch):
    monkeypatch.setattr(products.threads, "held", True)
    counts = shared(monkeypatch, products)
    x = np.random.default_rng(0).normal(size=(512, 512))
    z = products.dot(x, x.T)
    assert counts == [4]
    assert np.allclose(z, np.einsum("ij,kj->ik", x, x))
    y = products.matmul(np.stack([x[:200, :200]] * 8), np.stack([x[:200, :200]] * 8))
    assert counts == [4, 4] and np.allclose(y[5], x[:200, :200] @ x[:200, :200])
    monkeypatch.setattr(products.threads, "held", False)
    products.dot(x, x)
    assert counts == [4, 4]


def test_parts_of_what_broadcasts():
    rng = np.random.default_rng(0)
    x, row, column = rng.normal(size=(600, 700)), rng.normal(size=700), rng.normal(size=(600, 1))
    pool.set_count(2)
    for others in ((row,), (column,), (row, column), (np.array(2.0),), (x[:1],), (x.T.copy().T,)):

        def kernel(*arrays):
            return sum(np.exp(a) for a in arrays)

        for operands in ((x, *others), (*others, x)):
            assert np.array_equal(in_parts.in_parts(kernel, *operands), kernel(*operands))
    assert np.array_equal(in_parts.in_parts(np.multiply, x, row), x * row)


def test_nothing_is_allocated_on_meta():
    x = minigrad.empty(1 << 20, 1 << 20, device="meta", requires_grad=True)
    z = (x @ x).tanh()
    z.backward(x.detach())
    assert x.grad.shape == x.shape
