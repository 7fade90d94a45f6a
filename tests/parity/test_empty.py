"""Empty batches, channels, sequences and images, through every layer and function: results, dtypes, gradients and errors are PyTorch's.

``empty_modules.txt`` has a call a line, where ``Z`` makes zeros that require grad and ``I`` zeros of int64; the calls of functions are made here.  What PyTorch
fails over, or contradicts itself in, is in ``BEYOND``: an empty result is as good as any other here.
"""

import ast
import inspect
import warnings
from pathlib import Path

import numpy as np
import pytest

import minigrad
from tests.messages import first_sentence

CALLS = Path(__file__).with_name("empty_modules.txt").read_text().splitlines()

#: Functions of one tensor, and what they are given besides: with dimensions where a number stands for one.
_WHOLE = (
    "sum mean prod nansum nanmean all any amax amin max min argmax argmin median nanmedian mode std var norm aminmax std_mean var_mean "
    "count_nonzero sort argsort unique unique_consecutive msort isnan nonzero argwhere bincount tril triu trace diag diagonal diag_embed "
    "diagflat flatten ravel cov corrcoef squeeze vander histc trapezoid"
)
_ALONG = (
    "sum mean prod nansum nanmean all any amax amin max min argmax argmin median nanmedian mode logsumexp count_nonzero sort argsort cumsum "
    "cumprod cummax cummin logcumsumexp softmax log_softmax flip roll"
)
for _name in _WHOLE.split():
    CALLS += [f"torch.{_name}(Z({shape}))" for shape in ("0", "0, 3", "3, 0", "2, 0, 3")]
for _name in _ALONG.split():
    _rest = "1, {}" if _name == "roll" else "[{}]" if _name == "flip" else "{}"
    CALLS += [f"torch.{_name}(Z(0, 3), {_rest.format(dim)})" for dim in (0, 1)]
    CALLS += [f"torch.{_name}(Z(2, 0, 3), {_rest.format(dim)})" for dim in (0, 1)]

_PAIRS = (
    "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss poisson_nll_loss kl_div hinge_embedding_loss binary_cross_entropy "
    "binary_cross_entropy_with_logits multilabel_soft_margin_loss"
)
for _reduction in ("mean", "sum", "none"):
    for _shape in ("0, 3", "2, 0", "0"):
        CALLS += [
            f"F.{_name}(Z({_shape}), Z({_shape}), reduction='{_reduction}')" for _name in _PAIRS.split()
        ]
        CALLS += [
            f"F.{_name}(Z({_shape}), Z({_shape}), Z({_shape}), reduction='{_reduction}')"
            for _name in ("gaussian_nll_loss", "margin_ranking_loss", "triplet_margin_loss")
        ]
    CALLS += [
        f"F.{call}, reduction='{_reduction}')"
        for call in (
            "cross_entropy(Z(0, 3), I(0)",
            "cross_entropy(Z(0, 3), Z(0, 3)",
            "cross_entropy(Z(0, 3), I(0), weight=torch.ones(3)",
            "cross_entropy(Z(0, 3), I(0), label_smoothing=0.1",
            "cross_entropy(Z(0, 3, 4), I(0, 4)",
            "cross_entropy(Z(2, 3, 0), I(2, 0)",
            "cross_entropy(Z(0, 3, 4, 4), I(0, 4, 4)",
            "cross_entropy(Z(2, 0), Z(2, 0)",
            "cross_entropy(Z(2, 0), I(2)",
            "cross_entropy(Z(2, 3), torch.tensor([-100, -100])",
            "nll_loss(Z(0, 3), I(0)",
            "nll_loss(Z(0, 3, 4), I(0, 4)",
            "multi_margin_loss(Z(2, 0), I(2)",
            "multilabel_margin_loss(Z(2, 0), I(2, 0)",
            "cosine_embedding_loss(Z(0, 3), Z(0, 3), Z(0)",
            "ctc_loss(Z(4, 0, 3), I(0, 2), I(0), I(0)",
            "ctc_loss(Z(4, 1, 3), I(1, 0), torch.tensor([4]), torch.tensor([0])",
            "ctc_loss(Z(0, 1, 3), I(1, 2), torch.tensor([0]), torch.tensor([2])",
        )
    ]
for _name in "inv det slogdet cholesky qr eigvalsh eigh eigvals svdvals matrix_rank pinv cond norm matrix_norm vector_norm matrix_exp inv_ex".split():
    CALLS += [f"torch.linalg.{_name}(Z({shape}))" for shape in ("0, 0", "0, 2, 2", "2, 0, 0", "0, 3", "3, 0")]
for _name in "fft ifft rfft irfft hfft ihfft".split():
    CALLS += [f"torch.fft.{_name}(Z({shape}))" for shape in ("0", "4, 0")] + [f"torch.fft.{_name}(Z(4), n=0)"]
CALLS += """
torch.cat([])
torch.cat([Z(0), Z(2, 3)])
torch.cat([Z(0, 3), Z(2, 3)])
torch.stack([])
torch.stack([Z(0), Z(0)])
torch.split(Z(0), 2)
torch.split(Z(2), 0)
torch.chunk(Z(0), 2)
torch.unbind(Z(0, 3))
torch.unbind(Z(3, 0))
torch.tensor_split(Z(0), 3)
Z(0, 3).unfold(0, 1, 1)
Z(0, 3).repeat(2, 1)
Z(2, 3).expand(0, 2, 3)
torch.repeat_interleave(Z(2), torch.tensor([0, 0]))
Z(0, 3).reshape(-1, 3)
Z(0, 3).reshape(0, -1)
Z(0, 3).view(-1)
Z(0, 3)[0]
Z(3, 2)[I(0)]
Z(3, 2)[[]]
Z(0, 2)[torch.tensor([0])]
Z(3, 2).index_select(0, I(0))
Z(0, 2).index_select(0, torch.tensor([0]))
torch.gather(Z(3, 2), 0, I(0, 2))
torch.gather(Z(0, 2), 0, I(1, 2))
Z(3, 2).scatter_add(0, I(0, 2), Z(0, 2))
Z(0, 2).scatter_add(0, I(0, 2), Z(0, 2))
Z(3, 2).index_add(0, I(0), Z(0, 2))
Z(3, 2).index_copy(0, I(0), Z(0, 2))
torch.index_put(Z(3), (I(0),), Z(0))
Z(3).masked_select(torch.zeros(3, dtype=torch.bool))
torch.take(Z(0), I(0))
torch.take(Z(0), torch.tensor([0]))
torch.cdist(Z(0, 3), Z(2, 3))
torch.cdist(Z(2, 0), Z(2, 0))
F.pdist(Z(1, 3))
torch.dist(Z(0), Z(0))
torch.mm(Z(2, 0), Z(0, 3))
torch.bmm(Z(0, 2, 3), Z(0, 3, 2))
torch.mv(Z(2, 0), Z(0))
torch.dot(Z(0), Z(0))
torch.addmm(Z(2, 3), Z(2, 0), Z(0, 3))
torch.baddbmm(Z(2, 2, 2), Z(2, 2, 0), Z(2, 0, 2))
torch.einsum('ij,jk->ik', Z(2, 0), Z(0, 3))
torch.linalg.solve(Z(0, 0), Z(0))
torch.linalg.solve(torch.eye(2), Z(2, 0))
torch.multinomial(Z(0, 3), 1)
torch.multinomial(Z(3, 0), 1)
torch.bincount(I(0), Z(0))
torch.bincount(I(0), minlength=3)
torch.histogram(torch.zeros(0), 3)
F.one_hot(I(0))
F.one_hot(I(0), 3)
torch.searchsorted(torch.zeros(0), torch.zeros(2))
bool(torch.zeros(0))
torch.zeros(0).item()
repr(torch.zeros(0, 3))
F.normalize(Z(2, 0))
F.scaled_dot_product_attention(Z(2, 0, 4), Z(2, 3, 4), Z(2, 3, 4))
F.scaled_dot_product_attention(Z(2, 3, 4), Z(2, 0, 4), Z(2, 0, 4))
F.scaled_dot_product_attention(Z(1, 2, 3, 4), Z(1, 2, 0, 4), Z(1, 2, 0, 4))
F.conv_transpose2d(Z(2, 3, 3, 3, dtype=torch.float64), Z(3, 0, 2, 2, dtype=torch.float64))
F.scaled_dot_product_attention(Z(0, 2, 3, 4), Z(0, 2, 3, 4), Z(0, 2, 3, 4), is_causal=True)
""".strip().splitlines()

#: Call -> the shape of the result.
BEYOND = {
    "nn.PixelShuffle(2)(Z(0, 4, 3, 3))": (0, 1, 6, 6),  # PyTorch: no gradient
    "nn.PixelUnshuffle(2)(Z(0, 4, 4, 4))": (0, 16, 2, 2),  # (0, 4, 4, 4)
    "nn.ChannelShuffle(2)(Z(1, 0, 3, 3))": (1, 0, 3, 3),  # no gradient
    "nn.Conv2d(0, 2, 2)(Z(2, 0, 5, 5))": (2, 2, 4, 4),  # (2, 0, 4, 4)
    "nn.AdaptiveAvgPool2d(2)(Z(2, 0, 6, 6))": (2, 0, 2, 2),  # no gradient
    "nn.AdaptiveMaxPool2d(0)(Z(2, 3, 6, 6))": (2, 3, 0, 0),  # no gradient
    "torch.fft.fft(Z(0, 4))": (0, 4),  # an error of MKL
    "torch.fft.rfft2(Z(0, 4, 4))": (0, 4, 3),  # an error of MKL
    "F.pdist(Z(0, 3))": (0,),  # a crash
    "F.multi_margin_loss(Z(0, 3), I(0), reduction='none')": (0,),
}


def outcome(library, call):
    """What a call gives, and the gradients of its operands and of its module's parameters; or the error."""
    operands = []

    def zeros(*shape):
        operands.append(library.zeros(*shape, requires_grad=True))
        return operands[-1]

    names = {"torch": library, "F": library.nn.functional, "nn": library.nn, "Z": zeros}
    names["I"] = lambda *shape: library.zeros(*shape, dtype=library.long)
    library.manual_seed(0)
    tree = ast.parse(call, mode="eval")
    parameters = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if isinstance(tree.body, ast.Call) and isinstance(tree.body.func, ast.Call):
                module = eval(compile(ast.Expression(tree.body.func), call, "eval"), names)
                names["module"] = module
                tree.body.func = ast.copy_location(ast.Name("module", ast.Load()), tree.body.func)
            found = eval(compile(tree, call, "eval"), names)
            if isinstance(names.get("module"), library.nn.Module):
                parameters = list(names["module"].parameters())
        except Exception as error:
            return [type(error).__name__, first_sentence(str(error))]
        shown = described(found, library)
        try:
            sums = [
                (x.real if x.is_complex() else x).sum()
                for x in tensors(found, library)
                if x.grad_fn is not None
            ]
            if sums:
                sum(sums).backward()
        except (RuntimeError, NotImplementedError):
            return [shown, "no gradient"]
    return [shown, *[described(x.grad, library) for x in operands + parameters]]


def tensors(found, library):
    if isinstance(found, library.Tensor):
        return [found]
    return [x for part in found for x in tensors(part, library)] if isinstance(found, (tuple, list)) else []


def described(found, library):
    if isinstance(found, library.Tensor):
        return [str(found.dtype), tuple(found.shape), np.array(found.detach().tolist())]
    if isinstance(found, (tuple, list)):
        return [described(part, library) for part in found]
    return str(found)


def compare(ours, theirs):
    if isinstance(theirs, np.ndarray):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs), (ours, theirs)
        for one, other in zip(ours, theirs):
            compare(one, other)
    else:
        assert ours == theirs


@pytest.mark.torch
@pytest.mark.parametrize("call", CALLS)
def test_empty_operands_give_what_they_give_in_pytorch(call):
    torch = pytest.importorskip("torch")
    compare(outcome(minigrad, call), outcome(torch, call))


@pytest.mark.parametrize("call", BEYOND)
def test_empty_results_where_pytorch_fails(call):
    shown, *gradients = outcome(minigrad, call)
    assert shown[1] == BEYOND[call]
    assert gradients
    assert all(gradient == "None" or np.isfinite(gradient[2]).all() for gradient in gradients)


def test_every_module_meets_an_empty_operand():
    text = "\n".join([*CALLS, *BEYOND])
    abstract = (
        "Module Container ModuleDict ModuleList ParameterDict ParameterList Sequential Parameter Buffer RNNBase RNNCellBase "
        "LinearCrossEntropyOptions"
    ).split()
    missing = {
        name
        for name, value in vars(minigrad.nn.modules).items()
        if inspect.isclass(value)
        and name not in abstract
        and not name.startswith("_")
        and f"nn.{name}(" not in text
    }
    assert missing == set()
