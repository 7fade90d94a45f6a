"""Calls as demanding users make them, and mistakes as they make them: values, dtypes, errors and warnings are PyTorch's.

Each line is an example of a cause that acts in many places; of messages the first sentence is compared.
"""

import warnings

import numpy as np
import pytest

import minigrad
from tests.messages import first_sentence

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

LARGE = """
torch.full((1,), 2**70, dtype=torch.float32)
torch.full((1,), -2**70, dtype=torch.float32)
torch.full_like(x, 2**64)
torch.full_like(x, 2**63)
x.new_full((1,), 2**70)
torch.ones(1).fill_(2**70)
torch.ones(1).fill_(2**63)
torch.fill(x, 2**70)
i.fill_(2**70)
x.clamp(0, 2**70)
x.clamp(-2**70)
x.clamp(2**63)
x.clamp_(0, 2**70)
x.clip(max=2**70)
x.pow(2**70)
x ** 2**70
(2**70) ** x
x * 2**70
x == 2**70
x.masked_fill(b, 2**70)
x.masked_fill(b, 2**63)
x.masked_fill_(b, 2**70)
x.index_fill(0, torch.tensor([0]), 2**70)
x.scatter(0, i[:1] * 0, 2**70)
x.fill_diagonal_(2**70)
x.add(1, alpha=2**64)
x.add(1, alpha=2**63)
x.sub(y, alpha=2**70)
torch.rsub(x, y, alpha=2**70)
torch.addmm(x[:, :2], x, x.t(), alpha=2**70)
torch.addmv(x[:, 0], x, x[0], beta=2**70)
torch.addcmul(x, x, y, value=2**70)
torch.addcdiv(x, x, y, value=2**70)
x.lerp(y, 2**70)
torch.isin(x, 2**70)
x[0] = 2**63
x[0, 0] = -2**70
x[b] = 2**70
x[torch.tensor([0])] = 2**70
i[0, 0] = 2**63
torch.scalar_tensor(2**70)
torch.scalar_tensor(2**63)
torch.tensor(2**70)
torch.tensor(2**63)
torch.linspace(0, 2**70, 3)
torch.logspace(0, 2**70, 3)
torch.arange(2**70)
torch.arange(0, 2**70, 2**69)
torch.arange(0, 2**62, 2**60)
F.threshold(x, 2**70, 0)
F.hardshrink(x, 2**70)
torch.histc(x, 3, 0, 2**70)
torch.norm(x, 2**70)
torch.dist(x, y, 2**70)
"""
NUMBERS = """
x[0] = np.float32(2)
x[0] = np.float64(2)
x[0] = np.float16(2)
x[0] = np.int32(2)
x[0] = np.bool_(True)
i * np.bool_(True)
np.bool_(True) + i
b & np.bool_(True)
i ** np.bool_(True)
i.clamp(np.bool_(True))
torch.full((2,), np.bool_(True))
torch.where(b, np.bool_(True), 2)
F.linear(x, x)
F.linear(x, x, torch.tensor(1.0))
F.hardtanh(i, 0, 1e30)
F.hardtanh(i.short(), 0, 70000)
x.index_put((torch.tensor([9]),), torch.tensor([1]))
np.int64(1) << i.short()
np.float32(2) >> i
F.smooth_l1_loss(x, x, beta=nan)
F.hardtanh(x.half(), 0, 2**31)
F.hardtanh(x, 0, 1e39)
x.index_fill(0, torch.tensor([0]).int(), 1j)
torch.promote_types(int, torch.float64) is torch.float64
torch.can_cast(float, int)
torch.scalar_tensor(torch.tensor(3))
torch.zeros(2, 2).fill_diagonal_(torch.tensor(3.0))
x.nan_to_num(2**70)
i.int()[:0].median()
torch.histogram(x.half(), 4, range=(2.0, 3.0))
torch.normal(x, 0.0, out=torch.ones(1, 2, 3))
F.max_pool2d(x[None], 1, np.int64(1))
torch.searchsorted(x[0] + 1j, 2.0)
torch.triplet_margin_loss(x, x, x, 1.0, 2.0, 1e-6, [])
x.addr(x[:, 0], x[0], alpha=[1.0])
torch.cdist(x, 2.0)
torch.binomial(x, 0.5)
torch.norm(i, keepdim=1)
x.put(torch.tensor([9]), torch.tensor([1]))
x[0] = np.complex64(1)
x[b] = np.float32(1)
i[0] = np.uint8(2)
i[0] = np.float32(2)
b[0] = np.int64(1)
b[0] = np.bool_(True)
torch.scalar_tensor(np.float32(2))
F.multi_margin_loss(x, i[0, :2], margin=np.float32(.1))
F.max_pool1d(x[None], np.int64(2), np.int64(1))
F.avg_pool1d(x[None], np.int64(2), np.int64(1))
F.avg_pool2d(x[None], (2, 2), (np.int64(1), 1))
F.max_pool2d(x[None], 2, [])
torch.add(i, i, alpha=np.float32(2))
torch.add(i, i, alpha=np.int64(2))
x.norm(p=torch.tensor(3.))
x.norm(torch.tensor(2))
F.normalize(x, p=torch.tensor(3))
F.normalize(x, torch.tensor(2.))
torch.dist(x, y, torch.tensor(2))
torch.dist(x, y, np.float32(3))
torch.histc(x, bins=np.int64(3))
torch.histc(x, bins=3, min=torch.tensor(0.), max=np.float32(9))
torch.histc(x, 1.5)
torch.eye(2.5)
torch.eye(True)
"""
DTYPES = """
x.sum(dtype=float)
x.sum(0, dtype=float)
x.mean(dtype=float)
x.prod(dtype=int)
x.cumsum(0, dtype=float)
x.softmax(0, dtype=float)
x.to(float)
x.to(int)
i.to(bool)
x.cumsum(0, dtype='a')
x.cumprod(0, dtype='a')
x.nansum(dtype='a')
x.softmax(0, dtype='a')
F.log_softmax(x, 0, dtype='a')
torch.zeros(1, dtype='a')
torch.set_default_dtype('a')
torch.set_default_dtype(torch.int32)
"""
DEVICES = """
torch.device()
torch.device('')
torch.device(1.5)
torch.device([])
torch.device(True)
torch.device('cpu', '0')
torch.device('cpu', -1)
torch.device('cpu', True)
torch.device('cpu', np.int64(0))
torch.device('cpu', None)
torch.device('cpu:0', 0)
torch.device('cpu:a')
torch.device('foo')
torch.device(torch.device('cpu'))
"""
MATRICES = """
torch.linalg.eigvalsh(torch.full((1, 1), nan))
torch.linalg.eigvalsh(torch.full((2, 2), nan))
torch.linalg.eigvalsh(torch.full((2, 2), inf))
torch.linalg.eigvalsh(torch.full((3, 3), nan))
torch.linalg.eigvalsh(torch.full((5, 5), nan))
torch.linalg.eigh(torch.full((1, 1), nan))
torch.linalg.eigh(torch.full((1, 1), inf))
torch.linalg.eigh(torch.full((2, 2), nan))
torch.linalg.eigh(torch.full((4, 4), nan))
torch.linalg.eigvalsh(torch.tensor([[1., nan], [0., 2.]]))
torch.linalg.eigvalsh(torch.tensor([[1., nan], [0., 2.]]), UPLO='U')
torch.linalg.eigvalsh(torch.full((2, 2), nan, dtype=torch.complex64))
torch.linalg.eigh(torch.stack([torch.full((2, 2), nan), torch.eye(2)]))
torch.linalg.matrix_rank(torch.full((2, 2), nan), hermitian=True)
F.scaled_dot_product_attention(x[None, None], y[None, None], y[None, None], torch.ones(2, 2), is_causal=True)
F.scaled_dot_product_attention(x[None, None], y[None, None], x[None, None], torch.tensor([[False, True], [True, True]]), is_causal=True)
F.scaled_dot_product_attention(x[None, None], x[None, None], x[None, None], torch.tensor([[1., 5.], [2., 3.]]), is_causal=True)
F.scaled_dot_product_attention(x[None], y[None], y[None], torch.ones(2, 2), is_causal=True)
F.scaled_dot_product_attention(x[None, None], y[None, None], y[None, None], torch.ones(2, 2), 0.5, True)
"""
HISTOGRAMS = """
torch.histogram(x)
torch.histogram(x, 5)
torch.histogram(x, bins=0)
torch.histogram(x, bins=-1)
torch.histogram(x, bins='a')
torch.histogram(x, bins=1.5)
torch.histogram(i, bins=3)
torch.histogram(x, bins=torch.tensor([[3., 1.]]))
torch.histogram(x, bins=torch.tensor([3]))
torch.histogram(x, bins=torch.tensor([]))
torch.histogram(x, bins=torch.tensor([1.]))
torch.histogram(x, bins=torch.tensor([1., 2.]).double())
torch.histogram(x, bins=3, range=(3., 1.))
torch.histogram(x, bins=3, range=(3.,))
torch.histogram(x, bins=3, range=3)
torch.histogram(x, bins=3, range=(0., inf))
torch.histogram(x, bins=3, weight=torch.ones(3))
torch.histogram(x, bins=3, weight=i)
torch.histogram(x, bins=torch.tensor([1., 2.]), range=(0., 1.))
torch.histogramdd(x, bins=[3])
torch.histogramdd(x, bins=[3, 0, 1])
torch.histogramdd(x, bins=[3, 1, 1], range=[0., 1.])
torch.histogramdd(x[0], bins=[3])
torch.histogramdd(i, bins=[3, 3, 3])
"""
LOSSES = """
nn.MSELoss(reduce=0)(x, y)
nn.L1Loss(size_average=0)(x, y)
nn.SmoothL1Loss(None, 0)(x, y)
nn.MSELoss(reduce=1).reduction
F.binary_cross_entropy(x / 10, x / 10, weight=i)
F.binary_cross_entropy(x / 10, x / 10, weight=y.double())
F.binary_cross_entropy_with_logits(x, x, weight=y.double())
F.binary_cross_entropy_with_logits(x, x, pos_weight=i)
F.binary_cross_entropy_with_logits(x, y, weight=i, pos_weight=y.double())
torch.dropout(x, 0.5, 'a')
torch.dropout(x, 0.5, 1)
torch.alpha_dropout(x, 0.5, None)
torch.feature_dropout(x, 0.5, 'a')
torch.dropout_(x, 0.5, 'a')
F.dropout(x, training='a')
F.dropout2d(x[None], training=0)
torch.logit(torch.linspace(0, 1, 9), eps=.6)
torch.logit(torch.linspace(0, 1, 9), eps=.9)
torch.special.logit(torch.linspace(0, 1, 9), eps=.2)
torch.dist(i, i)
torch.dist(b, b)
"""
SHAPES = """
x.view()
x.view(None)
torch.roll(x, 'a')
torch.roll(x, 1, 'a')
torch.randint()
torch.randint(5)
torch.randint((2,))
torch.randint(5, 2)
torch.randint(0, 5, 2)
torch.randint(0, 5)
torch.randint(high=3, size=(2,))
torch.arange()
torch.arange('a')
torch.arange([1])
torch.arange(0, 'a')
torch.arange(0, 1, 'a')
torch.arange(end=3)
torch.arange(start=1, end=3)
torch.where(b, x)
"""
CALLS = [
    call
    for calls in (LARGE, NUMBERS, DTYPES, DEVICES, MATRICES, HISTOGRAMS, LOSSES, SHAPES)
    for call in calls.split("\n")
    if call
]


def outcome(library, call):
    """What the call gives, or the error that it raises; and what it warns of."""
    names = {
        "torch": library,
        "F": library.nn.functional,
        "nn": library.nn,
        "np": np,
        "nan": np.nan,
        "inf": np.inf,
    }
    x = library.arange(6.0).reshape(2, 3) + 1
    names |= {"x": x, "y": library.full((2, 3), 2.0), "i": library.arange(6).reshape(2, 3), "b": x > 3}
    library.manual_seed(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            _, equals, _ = call.partition("] = ")
            if equals:
                exec(call, names)
                found = names[call[0]]
            else:
                found = eval(call, names)
        except Exception as error:
            found = type(error).__name__, first_sentence(str(error))
    return described(found), [(w.category, first_sentence(str(w.message))) for w in caught]


def described(found):
    if isinstance(found, tuple):
        return [described(part) for part in found]
    if hasattr(found, "is_floating_point"):
        values = np.array(found.tolist())
        return [str(found.dtype), tuple(found.shape), values]
    return str(found).replace("minigrad computes on the CPU only", "")


@pytest.mark.parametrize("call", CALLS)
def test_calls_are_pytorchs(call):
    (ours, our_warnings), (theirs, their_warnings) = outcome(minigrad, call), outcome(torch, call)
    compare(ours, theirs)
    assert our_warnings == their_warnings


def compare(ours, theirs):
    if isinstance(theirs, np.ndarray):
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-6)
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs), (ours, theirs)
        for one, other in zip(ours, theirs):
            compare(one, other)
    else:
        assert ours == theirs


@pytest.mark.parametrize(
    "call",
    [
        "torch.asarray(a)",
        "torch.as_tensor(a)",
        "torch.from_numpy(a)",
        "torch.frombuffer(b'1234', dtype=torch.uint8)",
    ],
)
def test_memory_that_cannot_be_written_to_warns_once(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            eval(call, {"torch": minigrad, "a": np.frombuffer(b"1234", np.uint8)})
    (warning,) = caught
    assert "is not writable, and PyTorch does not support non-writable tensors." in str(warning.message)


@pytest.mark.parametrize("drawn", [0, 3, 17])
def test_generators_go_through_files_of_both_libraries(drawn, tmp_path):
    for writer, reader in ((torch, minigrad), (minigrad, torch)):
        generator = writer.Generator().manual_seed(5)
        writer.rand(drawn, generator=generator)
        writer.save({"generator": generator}, tmp_path / "generator.pt")
        found = reader.load(tmp_path / "generator.pt", weights_only=False)["generator"]
        assert found.initial_seed() == 5
        assert reader.rand(3, generator=found).tolist() == writer.rand(3, generator=generator).tolist()
