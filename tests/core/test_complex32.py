"""Tensors of complex numbers of half precision: what PyTorch computes on the CPU, its numbers; what it refuses, its words."""

import copy
import io
import pickle

import numpy as np
import pytest

import minigrad

pytestmark = [
    pytest.mark.filterwarnings("ignore:ComplexHalf support"),
    pytest.mark.filterwarnings("ignore:Casting complex"),
    pytest.mark.filterwarnings("ignore:TypedStorage is deprecated"),
]
COMPUTED = """
x
m
s
lib.tensor(float('nan'), dtype=d)
lib.tensor([1+2j, float('inf')], dtype=d)
x.tolist()
s.item(), complex(s), bool(s)
float(lib.tensor(2.0, dtype=d))
x.dtype, x.element_size(), x.itemsize, x.nbytes, x.type(), x.is_complex(), x.is_floating_point(), x.is_signed()
x.storage().dtype
x.untyped_storage().nbytes()
lib.finfo(d)
lib.finfo(d).eps
d.to_real(), d.to_complex(), d.itemsize, d.is_complex, d.is_signed
lib.float16.to_complex(), lib.bfloat16.to_complex(), lib.float32.to_complex()
lib.zeros(2, dtype=d)
lib.ones(2, dtype=d)
lib.full((2,), 1+2j, dtype=d)
lib.full((2,), 3, dtype=d)
(lib.manual_seed(1), lib.randn(3, dtype=d))[1]
(lib.manual_seed(1), lib.rand(3, dtype=d))[1]
x.clone().uniform_().shape
x.clone().normal_().shape
lib.tensor([1, 2.5], dtype=d)
lib.tensor([True], dtype=d)
lib.tensor(1e6, dtype=d)
lib.tensor(3+70000j, dtype=d)
lib.as_tensor([1j], dtype=d)
lib.asarray([1j], dtype=d)
lib.asarray(x)
lib.scalar_tensor(1j, dtype=d)
x.new_zeros(2), x.new_ones(2), x.new_full((2,), 1j), x.new_tensor([1j, 2])
x.to(lib.float32)
x.to(lib.complex64), x.to(lib.complex128), c.to(d), f.to(d), h.to(d), i.to(d), b.to(d), lib.tensor([1.0]).bfloat16().to(d)
x.to(lib.bool), x.to(lib.int64)
c.chalf(), f.chalf(), x.chalf()
f.type(d), x.type(lib.complex64)
x.type('torch.ComplexHalfTensor')
x.real, x.imag
m.H, m.adjoint()
lib.view_as_complex(lib.view_as_real(x))
lib.view_as_complex(h.reshape(2, 2))
lib.view_as_complex(h.reshape(2, 2)).dtype
x.view(lib.float16)
x.view(lib.int32)
x.view(lib.uint8)
x.view(lib.int16)
lib.tensor([15360, 16384, 0, 0], dtype=lib.int16).view(d)
h.view(d)
lib.complex(h, h)
lib.complex(h.float(), h.float()).chalf()
m.t().contiguous(), m.reshape(4), m.diagonal(), m.split(1), m.unbind(), m[:, 1], x[1:3], x[[0, 2]], x[b]
x[..., None], x[::2], x[-1], m[0, 1]
lib.cat([x, x])
lib.cat([x, c])
lib.cat([x, h])
lib.stack([x, x]), lib.hstack([x, x]), lib.vstack([x, x])
x.repeat(2), x.expand(2, 4), x.roll(1), lib.where(b, x, x)
lib.where(b, x, 2.0)
lib.where(b, x, 1j)
lib.where(b, c, x)
x.index_select(0, i2), x.masked_select(b)
x.masked_fill(b, 1j)
x.masked_fill(b, 2)
x.index_fill(0, i2, 2)
x.index_copy(0, i2, x[:2])
x.index_add(0, i2, x[:2])
x.index_put((i2,), x[:2])
x.index_put((i2,), x[:2], accumulate=True)
x.clone().fill_(2), x.clone().fill_(1j), x.clone().zero_()
x.clone().copy_(f), x.clone().copy_(c), f.clone().copy_(x)
x.repeat_interleave(2)
lib.tensor_split(x, 2), lib.chunk(x, 2), x.unfold(0, 2, 1), x.as_strided((2, 2), (2, 1))
lib.block_diag(m, m)
lib.nn.functional.pad(x, (1, 1))
lib.nn.functional.pad(x, (1, 1), value=2)
lib.meshgrid(x, x, indexing='ij')
lib.broadcast_tensors(x, m[:, :1])
x + x
x - x
x * x
x + 1
1 + x
x + 1j
x + 1.5
1 - x
x * 2
x * 2j
x * h
x + h
x + f
x + c
x + i
x + b
x * f
x * c
f * x
x * lib.tensor(2.0)
x * lib.tensor(2.0, dtype=lib.float64)
x * lib.tensor(2j, dtype=lib.complex128)
s * f
s + h
x + h.bfloat16()
f * lib.tensor(1j, dtype=d)
h * lib.tensor(1j, dtype=d)
h * 1j
h + 1j
h.bfloat16() * 1j
h - 2j
h * c[0]
lib.add(x, x, alpha=2)
lib.add(x, x, alpha=1j)
lib.sub(x, x, alpha=2)
lib.rsub(x, x)
x.clone().add_(1)
x.clone().add_(x)
x.clone().mul_(x)
x.clone().mul_(2j)
x.clone().sub_(1)
x.clone().add_(c)
x.clone().neg_()
x.clone().conj_physical_()
x == x, x != x
x == 1, x == c, x == h, x != 2j
x.eq(1+0.5j)
lib.isclose(x, x)
lib.allclose(x, x)
lib.addcmul(x, x, x)
lib.addcmul(x, x, x, value=2j)
lib.float_power(x, 2)
lib.nn.functional.dropout(x, 0.0)
lib.nn.functional.l1_loss(x, x)
lib.nn.functional.conv1d(m[None], m[None])
lib.nn.functional.conv2d(m[None, None], m[None, None])
lib.nn.functional.one_hot(i2).to(d)
x.sum(dtype=lib.complex64)
x.mean(dtype=lib.complex64)
x.prod(dtype=lib.complex64)
x.norm(1)
x.norm(2, dim=0)
lib.linalg.vector_norm(x)
lib.linalg.vector_norm(x, 1)
lib.linalg.matrix_norm(m)
lib.linalg.norm(m)
x.std(0)
x.var(unbiased=False)
m.any(1), m.all(0)
x.cumsum(0, dtype=lib.complex64)
x.diff()
lib.outer(x, x)
lib.ger(x, x)
lib.einsum('ij->ji', m)
lib.einsum('i,i->i', x, x)
lib.kron(m, m)
lib.tril(m)
lib.triu(m)
lib.diag_embed(x)
lib.diagonal_scatter(m, m[0])
lib.fft.fftshift(x)
lib.dist(x, x)
lib.combinations(x)
lib.cartesian_prod(x, x)
lib.promote_types(d, lib.float16), lib.promote_types(d, lib.float32), lib.promote_types(d, lib.bfloat16), lib.promote_types(d, lib.float64), lib.promote_types(d, lib.int64), lib.promote_types(d, lib.bool), lib.promote_types(d, lib.complex64), lib.promote_types(d, lib.complex128)
lib.promote_types(d, lib.uint8)
lib.result_type(x, 1), lib.result_type(x, 1.0), lib.result_type(x, 1j), lib.result_type(h, 1j), lib.result_type(s, f), lib.result_type(s, h), lib.result_type(h, s), lib.result_type(f, s)
lib.can_cast(d, lib.half), lib.can_cast(lib.half, d), lib.can_cast(d, lib.complex64), lib.can_cast(d, lib.int8), lib.can_cast(lib.complex64, d)
len(x), list(x)
1+2j in x
x.is_same_size(x)
lib.nn.Parameter(x)
lib.ones(2, dtype=d, requires_grad=True)
lib.nn.Linear(2, 2, dtype=d)
c.requires_grad_().to(d)
lib.sgn(x)
lib.zeros(2, dtype=d, device='meta') + 1
lib.zeros(2, dtype=d, device='meta').sum()
lib.zeros(2, dtype=d, device='meta').abs()
lib.zeros(2, dtype=d, device='meta')
lib.zeros(2, dtype=d, device='meta').real
x.to('meta')
x.apply_(lambda v: v)
x.map_(x, lambda a, b: a)
x.cpu() is x, x.to(d) is x, x.chalf() is x
x.data, x.detach(), x.grad
x.untyped_storage().tolist()
lib.view_as_real_copy(x), lib.view_as_complex_copy(lib.view_as_real(x))
lib.var_mean(x)
lib._foreach_add([x, x], 1)
lib._foreach_mul([x, x], [x, x])
lib._foreach_norm([x])
lib.nonzero(x)
x.bool()
lib.count_nonzero(x, 0)
lib.abs(x)
lib.absolute(x)
lib.conj(x)
lib.conj_physical(x)
lib.isfinite(x)
lib.isinf(x)
lib.isnan(x)
lib.isreal(x)
lib.neg(x)
lib.positive(x)
lib.resolve_conj(x)
lib.resolve_neg(x)
lib.is_conj(x)
lib.real(x)
lib.imag(x)
lib.view_as_real(x)
lib.std(x)
lib.var(x)
lib.any(x)
lib.all(x)
lib.count_nonzero(x)
lib.norm(x)
lib.std_mean(x)
lib.argwhere(x)
lib.diag(x)
lib.diagflat(x)
lib.t(m)
lib.clone(x)
lib.detach(x)
x.contiguous()
lib.ravel(x)
lib.flatten(x)
lib.numel(x)
lib.is_complex(x)
lib.is_floating_point(x)
lib.is_nonzero(s)
lib.zeros_like(x)
lib.ones_like(x)
lib.dist(m, m)
x.chalf()
x.cfloat()
x.cdouble()
x.half()
x.float()
x.double()
x.bfloat16()
x.int()
x.long()
""".strip().splitlines()
REFUSED = """
float(s)
int(s)
lib.arange(3, dtype=d)
lib.linspace(0, 1, 3, dtype=d)
lib.logspace(0, 1, 3, dtype=d)
lib.randperm(3, dtype=d)
x.clone().random_()
x.clone().exponential_()
x.clone().bernoulli_()
x.clone().cauchy_()
lib.view_as_complex(f)
lib.polar(h, h)
x.scatter_add(0, i2, x[:2])
x / x
x // x
x % x
x ** x
x ** 2
x ** 3
x ** (1+1j)
2 ** x
x / 2
x / 1j
2 / x
x.clone().div_(2)
h.clone().add_(x)
h.clone().mul_(1j)
x.clone().sqrt_()
x.clone().exp_()
x.clone().abs_()
x.clone().pow_(2)
x.clone().clamp_(0)
x < x
x < 1
x >= x
lib.equal(x, x)
lib.equal(x, x + 1)
lib.maximum(x, x)
lib.fmin(x, x)
lib.atan2(x, x)
lib.hypot(x, x)
lib.copysign(x, x)
lib.logaddexp(x, x)
lib.logical_and(x, x)
lib.logical_or(x, x), lib.logical_xor(x, x)
lib.bitwise_and(x, x)
lib.lerp(x, x, 0.5)
lib.lerp(x, x, x)
lib.addcdiv(x, x, x)
lib.xlogy(x, x)
lib.heaviside(x, x)
lib.nextafter(x, x)
lib.fmod(x, 2)
lib.remainder(x, 2)
lib.floor_divide(x, 2)
lib.true_divide(x, 2)
lib.div(x, x, rounding_mode='floor')
lib.ldexp(x, x)
lib.clamp(x, 0, 1)
x.clip(0)
lib.threshold(x, 0, 1)
lib.nn.functional.relu(x)
lib.nn.functional.gelu(x)
lib.nn.functional.silu(x)
lib.nn.functional.softplus(x)
lib.nn.functional.elu(x)
lib.nn.functional.leaky_relu(x)
lib.nn.functional.tanh(x)
lib.nn.functional.dropout(x, 0.5).shape
lib.nn.functional.linear(m, m)
lib.nn.functional.linear(m, m, m[0])
lib.nn.functional.mse_loss(x, x)
lib.nn.functional.normalize(x, dim=0)
lib.nn.functional.layer_norm(m, (2,))
lib.nn.functional.batch_norm(m, None, None, training=True)
lib.nn.functional.avg_pool1d(m, 2)
lib.nn.functional.cross_entropy(m, m)
lib.nn.functional.cosine_similarity(m, m)
lib.nn.functional.scaled_dot_product_attention(m, m, m)
x.sum(0), m.sum(1), m.sum((0, 1)), m.sum(1, keepdim=True)
c.sum(dtype=d)
h.sum(dtype=d)
x.mean(0)
m.mean(1)
m.prod(1)
x.nansum(0)
x.cumprod(0)
lib.trapezoid(x)
lib.gradient(x)
x @ x
m @ m
m @ m[0]
x.dot(x)
lib.vdot(x, x)
lib.inner(x, x)
lib.mm(m, m)
lib.mv(m, m[0])
lib.bmm(m[None], m[None])
lib.baddbmm(m[None], m[None], m[None])
lib.addmm(m, m, m)
lib.addmv(m[0], m, m[0])
lib.addr(m, m[0], m[0])
lib.matmul(m[None], m)
lib.tensordot(m, m, 1)
lib.linalg.multi_dot([m, m])
lib.matrix_power(m, 2)
lib.linalg.cross(x[:3], x[:3])
lib.trace(m)
lib.linalg.solve(m, m)
lib.linalg.det(m)
lib.linalg.svdvals(m)
lib.linalg.eigvals(m)
lib.linalg.cholesky(m)
lib.linalg.qr(m)
lib.linalg.matrix_exp(m)
lib.fft.fft(x)
lib.fft.ifft(x)
lib.fft.rfft(h)
lib.fft.fft2(m)
lib.fft.fft(h)
lib.fft.irfft(x)
lib.cdist(m, m)
lib.topk(x, 2)
lib.kthvalue(x, 2)
lib.searchsorted(x, x)
lib.bucketize(x, x)
lib.unique(x)
lib.quantile(x, 0.5)
lib.logit(x)
lib.special.expit(x)
lib.special.entr(x)
lib.special.sinc(x)
lib.vander(x)
lib.cov(m)
lib.corrcoef(m)
lib.promote_types(d, lib.uint16)
x.numpy()
x.__array__()
x.numpy(force=True)
lib.set_default_dtype(d)
lib.hash_tensor(x)
lib.nn.functional.hardtanh(x)
lib.nn.functional.sigmoid(x)
lib.nn.functional.logsigmoid(x)
lib.nn.functional.huber_loss(x, x)
lib.special.logsumexp(x, 0)
lib.logcumsumexp(x, 0)
lib.bitwise_left_shift(x, x)
lib.gcd(x, x)
lib.mvlgamma(x, 1)
lib.erfinv(x)
lib.acos(x)
lib.acosh(x)
lib.angle(x)
lib.asin(x)
lib.asinh(x)
lib.atan(x)
lib.atanh(x)
lib.ceil(x)
lib.cos(x)
lib.cosh(x)
lib.deg2rad(x)
lib.digamma(x)
lib.erf(x)
lib.erfc(x)
lib.exp(x)
lib.exp2(x)
lib.expm1(x)
lib.floor(x)
lib.frac(x)
lib.isneginf(x)
lib.isposinf(x)
lib.signbit(x)
lib.lgamma(x)
lib.log(x)
lib.log1p(x)
lib.log2(x)
lib.rad2deg(x)
lib.reciprocal(x)
lib.relu(x)
lib.round(x)
lib.rsqrt(x)
lib.sigmoid(x)
lib.sign(x)
lib.sin(x)
lib.sinc(x)
lib.sinh(x)
lib.sqrt(x)
lib.square(x)
lib.tan(x)
lib.tanh(x)
lib.trunc(x)
lib.logical_not(x)
lib.bitwise_not(x)
lib.nan_to_num(x)
lib.i0(x)
lib.sum(x)
lib.mean(x)
lib.prod(x)
lib.max(x)
lib.min(x)
lib.argmax(x)
lib.argmin(x)
lib.amax(x)
lib.amin(x)
lib.aminmax(x)
lib.nansum(x)
lib.nanmean(x)
lib.median(x)
lib.nanmedian(x)
lib.mode(x)
lib.cumsum(x, 0)
lib.cumprod(x, 0)
lib.cummax(x, 0)
lib.softmax(x, 0)
lib.log_softmax(x, 0)
lib.sort(x)
lib.argsort(x)
lib.unique_consecutive(x)
lib.msort(x)
lib.det(m)
lib.matrix_exp(m)
lib.svd(m)
lib.bernoulli(x)
lib.bincount(x)
lib.cov(x)
lib.nn.functional.pdist(m)
""".strip().splitlines()
GRADIENTS = """
x + x
x * x
x * 2j
x.abs()
x.conj()
x.real
x.imag
x.to(lib.complex64)
x * f
x * c
x - h
x * h + x
(x * x + x).abs()
lib.view_as_real(x)
lib.view_as_complex(lib.view_as_real(x))
lib.view_as_complex(h.reshape(2, 2))
lib.complex(h, h)
x[0]
x[::2]
lib.cat([x, x])
lib.cat([x, c])
lib.where(b, x, x)
m.t()
x.clone()
x.half()
x.float()
h.chalf()
x.neg()
x.clone().mul_(x)
lib.addcmul(x, x, x)
""".strip().splitlines()
#: What PyTorch refuses, and minigrad computes: elements are only moved.
MOVED = """
lib.eye(2, dtype=d)
x.gather(0, i2)
x.take(i2)
lib.take_along_dim(x, i2)
x.scatter(0, i2, x[:2])
x.scatter(0, i2, 1j)
x.put(i2, x[:2])
x.masked_scatter(b, x)
x.flip(0)
lib.rot90(m)
lib.nn.functional.pad(m[None], (1, 1), mode="reflect")
lib.nn.functional.pixel_shuffle(lib.ones(1, 4, 1, 1, dtype=d), 2)
""".strip().splitlines()


def names(library, dtype, grad=False):
    """What the expressions mention, of a library, ``d`` being its complex ``dtype``."""
    d = getattr(library, dtype)
    found = {
        "x": library.tensor([1 + 0.5j, -2 + 1j, 3 - 1.25j, 0.5j]).to(d),
        "m": library.tensor([[1.0, 2j], [1 - 1j, 3.0]]).to(d),
        "s": library.tensor(1.5 - 2j).to(d),
        "f": library.tensor([1.0, 2.0, 3.0, 0.5]),
        "h": library.tensor([1.0, -2.0, 0.25, 4.0]).half(),
        "c": library.tensor([1j, 1.0, 2 + 1j, -1.0]),
    }
    for tensor in found.values() if grad else ():
        tensor.requires_grad_()
    rest = {
        "lib": library,
        "d": d,
        "i": library.tensor([1, 2, 3, 4]),
        "i2": library.tensor([2, 0]),
        "b": library.tensor([True, False, True, False]),
    }
    return found, found | rest


def answer(expression, library, dtype="complex32"):
    try:
        return repr(eval(expression, names(library, dtype)[1])).replace("minigrad.", "torch.")
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]


@pytest.mark.torch
@pytest.mark.parametrize("expression", COMPUTED)
def test_what_is_computed_is_pytorchs(expression):
    import torch

    assert answer(expression, minigrad) == answer(expression, torch)


@pytest.mark.torch
@pytest.mark.parametrize("expression", REFUSED)
def test_what_is_refused_is_refused_in_pytorchs_words(expression):
    import torch

    theirs = answer(expression, torch)
    assert "Error: " in theirs and answer(expression, minigrad) == theirs


@pytest.mark.torch
@pytest.mark.parametrize("expression", GRADIENTS)
def test_gradients_are_pytorchs(expression):
    import torch

    found = []
    for library in (torch, minigrad):
        leaves, known = names(library, "complex32", grad=True)
        z = eval(expression, known)
        (library.view_as_real(z.cfloat()) if z.is_complex() else z.float()).sum().backward()
        found.append([repr(z), [repr(leaf.grad) for leaf in leaves.values()]])
    assert found[0] == found[1]


@pytest.mark.parametrize("expression", MOVED)
def test_what_only_moves_elements_works_where_pytorch_refuses_it(expression):
    half, single = [
        answer(f"({expression}).cfloat()", minigrad, dtype) for dtype in ("complex32", "complex64")
    ]
    assert half == single and "Error" not in half


def numbers(library):
    """Two vectors of numbers of many sizes."""
    rng = np.random.default_rng(0)
    parts = rng.normal(size=(2, 5000, 2)) * np.exp2(rng.integers(-10, 10, (2, 5000, 1)))
    return [library.view_as_complex(library.from_numpy(each).half()) for each in parts]


@pytest.mark.torch
@pytest.mark.parametrize(
    "expression",
    [
        "x + y",
        "x - y",
        "x * y",
        "x.abs()",
        "x.sgn()",
        "x * 2.1",
        "x + (2.1 + 0.3j)",
        "x * y.real",
        "x * y.real.float()",
        "x * y.cdouble()",
        "y.real * 2.1j",
        "x.cdouble().chalf()",
        "(x.cdouble() * 0.1).chalf()",
        "x.reshape(20, 250).var(0)",
        "x.reshape(1000, 5).std(1)",
        "x.reshape(1000, 5).norm(dim=1)",
        "lib.outer(x[:50], y[:60])",
        "lib.isclose(x, x * 1.0001)",
        "(lib.manual_seed(3), lib.randn(1000, dtype=lib.chalf))[1]",
        "(lib.manual_seed(3), lib.rand(1000, dtype=lib.chalf))[1]",
        "(lib.manual_seed(3), x[:100].clone().uniform_(-1, 2))[1]",
        "(lib.manual_seed(3), lib.normal(x[:100], 2.0))[1]",
    ],
)
def test_numbers_are_rounded_as_pytorchs(expression):
    import torch

    found = []
    for library in (torch, minigrad):
        x, y = numbers(library)
        z = eval(expression, {"lib": library, "x": x, "y": y})
        found.append((library.view_as_real(z) if z.is_complex() else z).numpy())
    assert found[0].dtype == found[1].dtype and np.array_equal(*found, equal_nan=True)


@pytest.mark.torch
@pytest.mark.parametrize(
    "expression",
    [
        "lib.add(x, y, alpha=2.1)",
        "lib.addcmul(x, y, x, value=0.3)",
        "lib.dist(x[:5], y[:5])",
        "lib.nn.functional.conv1d(x[:60].reshape(1, 3, 20), y[:18].reshape(2, 3, 3))",
        "lib.nn.functional.conv2d(x[:75].reshape(1, 3, 5, 5), y[:54].reshape(2, 3, 3, 3), padding=1)",
        "x[:10].index_put((lib.tensor([1, 1, 3]),), y[:3], accumulate=True)",
    ],
)
def test_where_pytorch_rounds_in_between_numbers_are_near_its(expression):
    import torch

    found = []
    for library in (torch, minigrad):
        x, y = [each.sgn() for each in numbers(library)]
        found.append(eval(expression, {"lib": library, "x": x, "y": y}).cfloat().numpy())
    np.testing.assert_allclose(*found, rtol=0, atol=0.02)


def test_second_gradients_and_transforms():
    x = minigrad.tensor([1 + 2j], dtype=minigrad.complex32, requires_grad=True)
    (g,) = minigrad.autograd.grad((x * x.conj()).real.float().sum(), x, create_graph=True)
    assert g.dtype is minigrad.complex32 and g.tolist() == [2 + 4j]
    (h,) = minigrad.autograd.grad(g.real.float().sum(), x)
    assert h.tolist() == [2]
    value, tangent = minigrad.func.jvp(lambda v: v * v, (x.detach(),), (x.detach(),))
    assert value.tolist() == [-3 + 4j] and tangent.tolist() == [-6 + 8j]
    doubled = minigrad.func.vmap(lambda v: v * 2)(minigrad.ones(2, 3, dtype=minigrad.chalf))
    assert doubled.dtype is minigrad.chalf and doubled.tolist() == [[2] * 3] * 2


def test_gradients_are_summed():
    x = minigrad.ones(2, dtype=minigrad.chalf, requires_grad=True)
    for _ in range(2):
        (x.expand(3, 2) * 1j).imag.float().sum().backward()
    assert x.grad.dtype is minigrad.chalf and x.grad.tolist() == [6, 6]
    y = x * 2
    y.retain_grad()
    first, second = y.unbind()
    (first + first * 1j + second).real.float().backward()
    assert y.grad.tolist() == [1 - 1j, 1]


def test_anomaly_mode_sees_nans():
    x = minigrad.ones(1, dtype=minigrad.chalf, requires_grad=True)
    with minigrad.autograd.set_detect_anomaly(True):
        z = (x * minigrad.tensor(float("nan"), dtype=minigrad.chalf)).real.float().sum()
        with (
            pytest.warns(UserWarning, match="MulBackward0"),
            pytest.raises(RuntimeError, match="returned nan"),
        ):
            z.backward()


@pytest.mark.torch
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("SGD", {}),
        ("SGD", {"momentum": 0.5, "weight_decay": 0.25}),
        ("Adam", {}),
        ("RMSprop", {}),
        ("Adagrad", {}),
    ],
)
def test_optimizers_move_parameters(name, options):
    import torch

    found = []
    for library in (torch, minigrad):
        p = library.nn.Parameter(library.tensor([1 + 2j, 3 - 1j], dtype=library.chalf))
        p.grad = library.tensor([0.5 + 1j, 1j], dtype=library.chalf)
        optimizer = getattr(library.optim, name)([p], lr=0.25, **options)
        for _ in range(3):
            optimizer.step()
        found.append(p.detach().cfloat().numpy())
    np.testing.assert_allclose(*found, rtol=2e-3)


def test_copies_share_nothing_and_views_do():
    x = minigrad.tensor([1j, 2, 3], dtype=minigrad.chalf)
    for again in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.clone()):
        assert again.dtype is x.dtype and again.tolist() == x.tolist()
    x.real[1] = 5
    x[1:].imag.fill_(7)
    assert x.tolist() == [1j, 5 + 7j, 3 + 7j]
    x.imag = minigrad.ones(3)
    assert minigrad.view_as_real(x).tolist() == [[0, 1], [5, 1], [3, 1]]


@pytest.mark.torch
@pytest.mark.parametrize("zipped", [True, False])
def test_files_are_read_by_both_libraries(zipped):
    import torch

    for source, target in ((torch, minigrad), (minigrad, torch), (minigrad, minigrad)):
        file = io.BytesIO()
        x = source.tensor([1j, 2, 4 - 1j], dtype=source.chalf)
        source.save([x[1:], source.nn.Parameter(x)], file, _use_new_zipfile_serialization=zipped)
        file.seek(0)
        view, parameter = target.load(file)
        assert view.dtype is target.complex32 and view.tolist() == [2, 4 - 1j]
        assert parameter.requires_grad and parameter.tolist() == [1j, 2, 4 - 1j]


def test_storages_hold_numbers():
    storage = minigrad.storage.TypedStorage([1j, 2], dtype=minigrad.chalf)
    storage[1] = 3 - 1j
    assert storage.tolist() == [1j, 3 - 1j] and storage[0] == 1j and storage.nbytes() == 8
    assert minigrad.tensor([1j], dtype=minigrad.chalf).storage().tolist() == [1j]


@pytest.mark.parametrize("name", ["clone", "sum", "abs", "neg", "real"])
def test_tensors_without_elements(name):
    x = minigrad.ones(2, 3, dtype=minigrad.chalf, device="meta")
    z = getattr(x, name) if name == "real" else getattr(x, name)()
    assert z.is_meta and z.dtype is (minigrad.half if name in ("abs", "real") else minigrad.chalf)
