"""Numbers of NumPy and 0-dim tensors as arguments: where PyTorch takes them for numbers, so does minigrad, and they promote nothing."""

import warnings

import numpy as np
import pytest

import minigrad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

KINDS = {
    "floating tensor": lambda library, v: library.tensor(float(v)),
    "integer tensor": lambda library, v: library.tensor(v),
    "float32": lambda library, v: np.float32(v),
    "float64": lambda library, v: np.float64(v),
    "int32": lambda library, v: np.int32(v),
    "uint8": lambda library, v: np.uint8(v),
}
#: ``V`` makes a number of the kind in question.
EXPRESSIONS = """
x.clamp(0, V(2))
x.clamp(V(0), 2)
x.clamp(0., V(1)).dtype
torch.clamp(x, V(0), V(2))
x.clone().clamp_(0, V(2))
x.clamp_min(V(1))
F.threshold(x, V(1), 0.)
F.threshold(x, 1., V(0))
F.leaky_relu(x, V(1))
F.elu(x, V(1))
F.celu(x, V(1))
F.softplus(x, V(1))
F.hardtanh(x, V(0), V(1))
F.hardshrink(x, V(1))
F.softshrink(x, V(1))
F.dropout(x, V(1))
F.layer_norm(x, [3], eps=V(1))
F.batch_norm(x, None, None, training=True, momentum=V(1), eps=V(1))
F.group_norm(x, 1, eps=V(1))
F.rms_norm(x, [3], eps=V(1))
F.normalize(x, p=V(2))
F.normalize(x, eps=V(1))
F.cosine_similarity(x, x, eps=V(1))
F.pairwise_distance(x, x, p=V(2))
F.huber_loss(x, x+2, delta=V(1))
F.smooth_l1_loss(x, x+2, beta=V(1))
F.cross_entropy(x, tensor([0, 1]), label_smoothing=V(1))
F.cross_entropy(x, tensor([0, 1]), ignore_index=V(1))
F.margin_ranking_loss(x, x, x, margin=V(1))
F.triplet_margin_loss(x, x, x+1, margin=V(1))
F.hinge_embedding_loss(x, x.sign(), margin=V(1))
F.poisson_nll_loss(x, x, eps=V(1))
F.gaussian_nll_loss(x, x, x.abs(), eps=V(1))
F.softmax(x, V(1))
F.log_softmax(x, dim=V(1))
F.pad(x, (V(1), V(1)))
F.pad(x, (1, 1), value=V(2))
F.one_hot(tensor([0, 1]), V(2))
F.interpolate(x[None], scale_factor=V(2))
F.interpolate(x[None], size=V(2))
F.max_pool1d(x, V(2))
F.avg_pool1d(x, V(2))
F.unfold(x[None, None], V(1))
F.embedding(tensor([0, 1]), x, padding_idx=V(1))
F.embedding(tensor([0, 1]), x, max_norm=V(1))
F.local_response_norm(x[None], V(2))
F.glu(x[:, :2], V(1))
F.prelu(x, V(1))
x.sum(V(1))
x.sum(dim=(V(1),))
x.mean(V(0))
x.norm(V(2))
x.norm(p=V(2))
torch.linalg.norm(x, V(2))
torch.linalg.vector_norm(x, V(2))
x.std(V(0))
x.var(0, correction=V(1))
x.topk(V(1))
x.sort(V(1))
x.kthvalue(V(1))
x.quantile(V(1))
x.cumsum(V(1))
x.transpose(V(0), V(1))
x.permute(V(1), V(0))
x.reshape(V(3), V(2))
x.view(V(6))
x.unsqueeze(V(0))
x.squeeze(V(0))
x.expand(V(2), V(3))
x.repeat(V(2), V(1))
x.repeat_interleave(V(2))
x.roll(V(1), V(0))
x.flip(V(0))
x.narrow(V(0), V(1), V(1))
x.select(V(0), V(1))
x.index_select(V(0), tensor([0]))
x.gather(V(1), tensor([[0], [1]]))
x.chunk(V(2))
x.diagonal(V(1))
x.tril(V(1))
x.add(x, alpha=V(2))
x.sub(x, alpha=V(2))
x.addcmul(x, x, value=V(2))
torch.addmm(x, x[:, :2], x, beta=V(2), alpha=V(2))
x.lerp(x+1, V(2))
x.pow(V(2))
x**V(2)
V(2)**x
x*V(2)
V(2)*x
V(2)-x
x-V(2)
V(2)/x
x//V(2)
x%V(2)
x==V(2)
x<V(2)
V(2)<x
torch.add(x, V(2))
torch.add(x, x, alpha=V(2))
torch.mul(x, V(2))
torch.div(x, V(2), rounding_mode="floor")
torch.fmod(x, V(2))
torch.remainder(x, V(2))
torch.where(x>0, x, V(2))
torch.where(x>0, V(2), V(1))
x.masked_fill(x>0, V(2))
x.clone().fill_(V(2))
x.clone().index_fill_(0, tensor([0]), V(2))
x.scatter(1, tensor([[0], [1]]), V(2))
x.nan_to_num(V(2))
torch.full((2, ), V(2))
torch.full_like(x, V(2))
torch.arange(V(2))
torch.arange(V(0), V(2), V(1))
torch.linspace(V(0), V(1), V(3))
torch.logspace(V(0), V(1), V(3))
torch.eye(V(2))
torch.zeros(V(2))
torch.zeros((V(2), V(3)))
torch.ones(V(2)).shape
torch.empty(V(2)).shape
torch.randn(V(2)).shape
torch.randint(V(1), V(2), (2, ))
torch.randperm(V(1))
torch.tensor([V(1), V(2)])
torch.as_tensor(V(1))
torch.bernoulli(x.abs()/4, V(1))
torch.normal(V(1), V(0), (2, ))
x.clone().uniform_(V(1), V(2)).shape
x.clone().normal_(V(1), V(2)).shape
torch.histc(x, V(2))
torch.bincount(tensor([1, 1]), minlength=V(3))
torch.isclose(x, x, rtol=V(1))
torch.allclose(x, x, V(1))
torch.renorm(x, V(2), V(0), V(1))
torch.cdist(x, x, V(2))
torch.dist(x, x+1, V(2))
torch.polygamma(V(1), x.abs())
torch.heaviside(x, V(1))
torch.copysign(x, V(1))
torch.xlogy(x, V(1))
torch.fmax(x, V(1))
torch.maximum(x, V(1))
torch.round(x, decimals=V(1))
torch.diff(x, V(1))
torch.movedim(x, V(0), V(1))
torch.tensordot(x, x.T, V(1))
torch.stack([x], V(0))
torch.cat([x, x], V(1))
torch.combinations(x[0], V(2))
torch.rot90(x, V(1))
torch.nn.Linear(V(2), V(3)).weight.shape
torch.nn.Conv1d(V(2), V(3), V(1)).weight.shape
torch.nn.BatchNorm1d(V(3), momentum=V(1))(x).shape
torch.nn.Dropout(V(1))(x)
torch.nn.LayerNorm(V(3))(x).shape
torch.nn.Embedding(V(2), V(3)).weight.shape
torch.nn.LeakyReLU(V(1))(x)
torch.optim.SGD([x.clone().requires_grad_()], lr=V(1)).defaults["lr"]
torch.optim.Adam([x.clone().requires_grad_()], lr=V(1)).defaults["lr"]
x[V(1)]
x[:V(1)]
x[V(0):V(1)]
x[0, V(1)]
x.clone().__setitem__(0, V(2))
x.size(V(0))
x.stride(V(0))
x.unbind(V(0))
x.softmax(V(1))
x.argmax(V(1))
x.any(V(1))
x.cummax(V(1)).values
x.logcumsumexp(V(1))
torch.fft.fftfreq(V(2), d=V(1))
torch.nn.utils.clip_grad_norm_([x.clone().requires_grad_()], V(1))
torch.nn.init.constant_(x.clone(), V(2))
torch.nn.init.normal_(x.clone(), V(1), V(2)).shape
torch.nn.init.uniform_(x.clone(), V(1), V(2)).shape
""".strip().splitlines()


def evaluate(library, expression, kind):
    library.manual_seed(0)
    names = {
        "torch": library,
        "F": library.nn.functional,
        "tensor": library.tensor,
        "x": library.tensor([[1.0, -2.0, 3.0], [0.5, 0.1, -0.7]]),
        "V": lambda value: KINDS[kind](library, value),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(expression, names)


def assert_alike(ours, theirs):
    if isinstance(theirs, torch.Tensor):
        assert str(ours.dtype) == str(theirs.dtype)
        np.testing.assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=1e-5, atol=1e-6)
    elif isinstance(theirs, tuple) and not isinstance(theirs, torch.Size):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs):
            assert_alike(a, b)
    else:
        assert str(ours) == str(theirs)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_pytorch_takes_for_a_number_is_one(expression):
    taken = 0
    for kind in KINDS:
        try:
            expected = evaluate(torch, expression, kind)
        except (TypeError, RuntimeError, IndexError):
            continue
        taken += 1
        assert_alike(evaluate(minigrad, expression, kind), expected)
    assert taken
