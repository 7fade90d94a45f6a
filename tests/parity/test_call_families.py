"""Families of calls that random calls have found to differ, some calls of each under both libraries: results, dtypes and classes of exceptions are PyTorch's."""

import warnings

import pytest

pytest.importorskip("torch")
import torch

import minigrad
from tests.parity.random_calls import Space, examine

F, D, I, H, M = (
    "T('float32', (2,))",
    "T('float64', (2,))",
    "T('int32', (2,))",
    "T('float16', (2,))",
    "T('float32', (2, 2))",
)
DOUBLE = "out=T('float64', (1,))"
FAMILIES = {
    "the dtype of out is the result's": [
        f"torch.mm({M}, {M}, {DOUBLE})",
        f"torch.bmm({M}[None], {M}[None], {DOUBLE})",
        f"torch.mv({M}, {F}, {DOUBLE})",
        f"torch.addmm({M}, {M}, {M}, {DOUBLE})",
        f"torch.addbmm({M}, {M}[None], {M}[None], {DOUBLE})",
        f"torch.baddbmm({M}[None], {M}[None], {M}[None], {DOUBLE})",
        f"torch.dot({F}, {F}, {DOUBLE})",
        f"torch.inner({F}, {F}, {DOUBLE})",
        f"torch.tensordot({M}, {M}, 1, {DOUBLE})",
        f"torch.scatter({F}, 0, T('int64', (2,), 1, 'index'), {F}, {DOUBLE})",
        f"torch.linalg.solve_triangular({M}, {M}, upper=True, {DOUBLE})",
        f"torch.nansum({F}, dtype=torch.float64, out=T('float32', ()))",
        f"torch.std({H}, out=T('float32', ()))",
        f"torch.max({F}, {DOUBLE})",
    ],
    "numbers that half precision does not hold": [
        f"{H}.clamp_(1e30)",
        f"torch.clamp({H}, max=1e30)",
        f"{H}.pow(1e30)",
        f"{H}.fill_(70000.0)",
        f"{H}.add({H}, alpha=1e30)",
        f"{H}.fill_(65504.0)",
    ],
    "counts are ints": [
        f"torch.diagonal({M}, offset=True)",
        f"torch.diagonal({M}, offset=np.int64(1))",
        "torch.pixel_shuffle(T('float32', (1, 4, 2, 2)), True)",
        f"torch.diff({F}, n=np.float32(1))",
        f"torch.kl_div({F}, {F}, np.int32(1))",
        f"torch.hinge_embedding_loss({F}, {F}, 0.1, 2.5)",
        f"torch.unsqueeze({F}, np.array(1))",
        "torch.hann_window(True)",
        f"{F}.random_(None)",
    ],
    "the outermost function knows the call": [
        f"torch.gather({F}, 0)",
        f"torch.index_select({F}, 0)",
        f"{F}.gather({I})",
        f"torch.nanquantile(np.bool_(False), 1.0, out={F})",
        "torch.ones(torch.Size([-1]), out=2.5)",
        f"torch.nn.functional.linear({M}, {M}[None], bias=int)",
        f"torch.bmm({M}, np.float16(2), out={M})",
        f"{F}.sub_(-2, None)",
        f"torch.logspace(1, {F}, 3, dtype=np.int64(1))",
        "torch.chain_matmul(np.int64(1))",
        f"torch.kthvalue({F}, 9, out=())",
    ],
    "which mistake is told of first": [
        f"torch.index_put({F}, [{F}, None], {F})",
        "torch.index_put_(T('float64', (1, 3)), (T('int64', (2,), 6, 'index'),), T('float64', (2,)))",
        f"torch.nn.functional.nll_loss({M}, T('float64', ()))",
        f"torch.nn.functional.group_norm({M}, 0, torch)",
        f"torch.gradient({F}, spacing=[{F}], dim=[2, -1])",
        f"torch.stft({M}[None, None], 2, return_complex=(1, 2))",
        "torch.stft(T('float32', (8,)), 4, normalized=True, onesided=(), return_complex=True)",
    ],
    "without elements": [
        "torch.bmm(T('float32', (2, 1, 0)), T('float64', (2, 0, 3)))",
        "torch.cholesky(T('float32', (4, 0, 2)))",
        "torch.cummax(T('float32', (2, 0)), 7)",
        "torch.adaptive_max_pool1d(T('float32', (0, 3, 4)), 1)",
        "torch.linalg.svdvals(T('float32', (4, 0)), driver='gesvd')",
        "T('float32', (2, 2)).addbmm(T('float32', (3, 2, 0)), T('float32', (3, 0, 2)), alpha=nan)",
        "torch.embedding_renorm_(T('int8', (3, 0)), T('int64', (0,), 1, 'index'), 1.0, 2.0)",
    ],
    "values beyond the dtype, and singular matrices": [
        "torch.linalg.cond(T('float32', (3, 3), 0, 'zero'), 'nuc')",
        "torch.linalg.cond(torch.stack([torch.eye(3), torch.tensor([1., 2., 0.]).diag()]), 'nuc')",
        "torch.linalg.vector_norm(T('float32', (), 54), 300)",
        "torch.round(T('float32', (2,)), decimals=400)",
        "T('float32', (2, 2)).log_normal_(inf)",
        "torch.linspace(1, inf, 5, dtype=torch.int32)",
        "T('float16', (3,), 2, 'positive').add(3).mvlgamma(3)",
        "torch.cholesky_inverse(T('complex64', (3, 3), 2))",
        "torch.cholesky_inverse(T('complex128', (3, 3), 2), True)",
        f"torch.dist({F}, T('float64', ()))",
        f"torch.dist({F}, {F}, 1j)",
        "T('complex64', (2, 2)).addr_(T('float32', (2,)), T('int8', (2,)), beta=0.5)",
    ],
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("family", FAMILIES)
def test_calls_are_pytorchs(family):
    spaces = {"torch": Space(torch), "minigrad": Space(minigrad)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [(text, examine("", text, spaces, lambda where: None)) for text in FAMILIES[family]]
    assert [(text, *outcome) for text, outcome in found if outcome[0] is not None] == []
