"""``masked.MaskedTensor``: as PyTorch's, with the few differences that docs/differences.md lists."""

import copy
import pickle

import pytest

import minigrad
from minigrad.masked import MaskedTensor, as_masked_tensor, is_masked_tensor, masked_tensor

MASK = [[True, False, True], [False, False, True]]
EXPRESSIONS = {
    "text": lambda m, x, y, mask: x,
    "text of one dimension": lambda m, x, y, mask: x[0],
    "text of no dimension": lambda m, x, y, mask: x[0, 1],
    "text of bools": lambda m, x, y, mask: x > 1,
    "text of three dimensions": lambda m, x, y, mask: x.long().unsqueeze(0).expand(2, 2, 3),
    "text without elements": lambda m, x, y, mask: m.masked.masked_tensor(m.ones(0, 3), m.ones(0, 3).bool()),
    "functions of elements": lambda m, x, y, mask: (x.exp(), m.sin(x), -x, x.clamp(1, 3), x**2, m.isnan(x)),
    "in place": lambda m, x, y, mask: (x.exp_(), x.add_(1), x.mul_(y), x),
    "operators": lambda m, x, y, mask: (x + y, x * 2, 2 * x, 1 / x, x - m.ones(2, 3), x // 2, x == y, ~(x > 1)),
    "functions of two": lambda m, x, y, mask: (m.maximum(x, y), m.atan2(x, m.ones(2, 3)), x.fmod(2)),
    "bits": lambda m, x, y, mask: (x.long() & y.long(), x.bool() | y.bool()),
    "sums": lambda m, x, y, mask: (x.sum(), x.sum(0), x.sum(1, True), m.sum(x, dim=(0, 1)), x.sum(0, dtype=m.float64)),
    "other reductions": lambda m, x, y, mask: (x.mean(1), x.prod(0), x.amax(0), x.amin(1), x.var(1), x.std(), x.all(0)),
    "places": lambda m, x, y, mask: (x.argmax(1), x.argmin(0, keepdim=True)),
    "softmax": lambda m, x, y, mask: (x.softmax(1), m.softmax(x, 0)),
    "nothing left": lambda m, x, y, mask: m.masked.masked_tensor(m.ones(2), m.zeros(2).bool()).sum(),
    "views": lambda m, x, y, mask: (x.t(), x.view(3, 2), x.reshape(-1), x[:, 1:], x[mask], x.select(0, 1), x.flatten()),
    "parts": lambda m, x, y, mask: (*x.split(1), *x.chunk(3, 1), m.cat([x, y]), m.stack([x, x]), m.hstack([x, y])),
    "casts": lambda m, x, y, mask: (x.double(), x.to(m.int8), x.half()),
    "where": lambda m, x, y, mask: m.where(x.get_data() > 1, x, y),
    "likes": lambda m, x, y, mask: (m.ones_like(x), x.clone(), x.detach(), x.contiguous()),
    "tensors": lambda m, x, y, mask: (x.get_data(), x.get_mask(), x.to_tensor(-1)),
    "sizes": lambda m, x, y, mask: (x.shape, x.size(1), x.ndim, x.numel(), len(x), x.stride(), x.dtype, x.requires_grad),
    "numbers": lambda m, x, y, mask: (x.sum().item(), float(x.sum()), bool(x.sum()), int(x.sum())),
    "copies": lambda m, x, y, mask: (copy.deepcopy(x), pickle.loads(pickle.dumps(x))),
}  # fmt: skip


def operands(m):
    mask = m.tensor(MASK)
    data = m.arange(6.0).reshape(2, 3)
    return m.masked.masked_tensor(data, mask), m.masked.masked_tensor(data + 1, mask), mask


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_masked_tensors_are_computed_with_as_in_pytorch(name):
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch.masked")
    ours = EXPRESSIONS[name](minigrad, *operands(minigrad))
    assert str(ours) == str(EXPRESSIONS[name](torch, *operands(torch)))


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "function",
    [
        lambda m, x: x.sum(),
        lambda m, x: (x * x).mean(1).sum(),
        lambda m, x: (x.exp() / x.sqrt()).sum(),
        lambda m, x: x.prod(0).sum(),
        lambda m, x: x.amax(1).sum(),
    ],
)
def test_gradients_of_masked_tensors_have_their_mask(function):
    torch = pytest.importorskip("torch")
    found = []
    for m in (minigrad, torch):
        x = m.masked.masked_tensor(m.arange(6.0).reshape(2, 3) + 1, m.tensor(MASK), requires_grad=True)
        assert x.is_leaf and x.grad is None
        function(m, x).backward()
        found.append(str(x.grad))
    assert found[0] == found[1]


def test_a_masked_nan_does_not_reach_the_gradient_of_the_tensor_behind_it():
    x = minigrad.tensor([4.0, -1.0, 0.0], requires_grad=True)
    as_masked_tensor(x, x.detach() > 0).sqrt().sum().backward()
    assert x.grad.tolist() == [0.25, 0.0, 0.0]


def test_where_gives_each_gradient_its_mask():
    x = minigrad.tensor([-1.0, 0.0, 2.0])
    first, second = masked_tensor(x, x < 0, True), masked_tensor(minigrad.ones(3), x >= 0, True)
    z = minigrad.where(x < 0, first.exp(), second)
    assert z.get_mask().all()
    z.sum().backward()
    assert first.grad.get_mask().tolist() == [True, False, False] and second.grad.to_tensor(0).tolist() == [
        0,
        1,
        1,
    ]
    assert first.grad.to_tensor(0).tolist() == [first.exp()[0].item(), 0, 0]


def test_a_masked_tensor_has_memory_of_its_own():
    data, mask = minigrad.zeros(2), minigrad.tensor([True, True])
    x = masked_tensor(data, mask)
    data.add_(1)
    mask[0] = False
    assert x.to_tensor(5).tolist() == [0, 0]
    x.get_data().add_(1)
    assert x.to_tensor(5).tolist() == [1, 1]


def test_what_is_a_masked_tensor():
    x = masked_tensor(minigrad.ones(2), minigrad.tensor([True, False]))
    assert is_masked_tensor(x) and isinstance(x + 1, MaskedTensor) and isinstance(x, minigrad.Tensor)
    assert not is_masked_tensor(x.get_data()) and type(x.to_tensor(0)) is minigrad.Tensor


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda d, k: masked_tensor(d, 5), TypeError, "mask must be a Tensor"),
        (lambda d, k: masked_tensor([1], k), TypeError, "data must be a Tensor"),
        (lambda d, k: masked_tensor(masked_tensor(d, k), k), TypeError, "data must be a Tensor"),
        (lambda d, k: masked_tensor(d, k.float()), TypeError, "mask must have dtype bool"),
        (lambda d, k: masked_tensor(d.bfloat16(), k), TypeError, "torch.bfloat16 is not supported in MaskedTensor"),
        (lambda d, k: masked_tensor(d, k[0]), ValueError, r"data.dim\(\) must equal mask.dim\(\)"),
        (lambda d, k: masked_tensor(d, k[:1]), ValueError, r"data.size\(\) must equal mask.size\(\)"),
        (lambda d, k: masked_tensor(d.to_sparse(), k), TypeError, "data and mask must have the same layout"),
        (lambda d, k: masked_tensor(d, k) + masked_tensor(d, ~k), ValueError, "Input masks must match"),
        (lambda d, k: minigrad.add(masked_tensor(d, k), 1, alpha=2), ValueError, r"len\(kwargs\) must equal 0"),
        (lambda d, k: masked_tensor(d, k) ** d, TypeError, "unary ops do not support additional Tensor arguments"),
        (lambda d, k: minigrad.relu(masked_tensor(d, k)), TypeError, "returned NotImplemented"),
        (lambda d, k: masked_tensor(d, k) @ d.t(), TypeError, "returned NotImplemented"),
        (lambda d, k: masked_tensor(d, k).tolist(), RuntimeError, "not supported for tensor subclasses"),
        (lambda d, k: masked_tensor(d, k)[0, 1].item(), ValueError, "the element is masked"),
    ],
)  # fmt: skip
def test_what_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call(minigrad.ones(2, 3), minigrad.tensor(MASK))
