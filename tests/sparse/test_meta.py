"""Sparse tensors on meta: those that PyTorch makes there, with the same text; what is not done to them is refused."""

import copy
import itertools

import pytest

import minigrad
from tests.sparse.tables import KINDS, tensor

MADE = """
S.to("meta")
S.to(device="meta", dtype=torch.float64)
S.to("meta").half()
S.to("meta").clone()
S.to("meta").detach()
S.to("meta").zero_()
S.to("meta").requires_grad_()
copy.deepcopy(S.to("meta"))
torch.nn.Parameter(S.to("meta"))
torch.zeros_like(S, device="meta")
torch.zeros_like(S.to("meta"))
S.to("meta").shape, S.to("meta").device, S.to("meta").is_meta, S.to("meta").layout, S.to("meta").dtype
S.to("meta")._nnz(), S.to("meta").sparse_dim(), S.to("meta").dense_dim(), S.to("meta").element_size(), S.to("meta").numel()
S.to("meta").values()
torch.empty(3, 4, layout=S.layout, device="meta") if "bs" not in str(S.layout) else None
torch.sparse_coo_tensor((3, 4), device="meta")
torch.sparse_coo_tensor([[0], [1]], [1.0], (3, 4), device="meta")
torch.sparse_coo_tensor(torch.zeros(2, 5, dtype=torch.int64, device="meta"), torch.zeros(5, device="meta"), (3, 4))
torch.sparse_csr_tensor([0, 1], [1], [1.0], (1, 4), device="meta")
torch.sparse_csr_tensor([0, 1], [1], [1.0], (1, 4), device="meta").crow_indices()
"""
#: What is computed on meta: in every layout, and in compressed ones alone.
COMPUTED = """
S.sum()
S.sum(dtype=torch.float32)
S + S if S.layout in (torch.sparse_coo, torch.sparse_csr) and S.ndim == S.sparse_dim() + S.dense_dim() else None
torch.add(S, S, alpha=3) if S.layout in (torch.sparse_coo, torch.sparse_csr) and S.ndim == S.sparse_dim() + S.dense_dim() else None
S.clone().add_(S.clone()) if S.layout in (torch.sparse_coo, torch.sparse_csr) and S.ndim == S.sparse_dim() + S.dense_dim() else None
S.mT if S.ndim == 2 and S.dense_dim() == 0 else None
S.t() if S.ndim < 3 and S.dense_dim() == 0 else None
S.transpose(0, 0) if S.layout is torch.sparse_coo else None
S.conj(), S.real, S.positive(), S.type(torch.float32)
S.select(-1, 0) if S.dense_dim() else None
S.clone().copy_(S)
S.clone().zero_()
S.float()
S.values()
S.to_sparse() if "bs" not in str(S.layout) else None
S.new_zeros(2, 3) if "bs" not in str(S.layout) else None
torch.sparse.sum(S) if S.layout is torch.sparse_coo else None
torch.sparse.sum(S, 0) if S.sparse_dim() == 1 else None
torch.zeros_like(torch.ones(3, 4, device="meta"), layout=torch.sparse_coo)
torch.sparse_coo_tensor(S._indices(), S._values(), S.shape) if S.layout is torch.sparse_coo else None
W + S if S.shape == (3, 4) and "bs" not in str(S.layout) else None
"""
COMPUTED_OF_COMPRESSED = """
-S
S * 2
S * 2.5
S.sin()
S.abs()
S.isnan()
S.relu()
S.clone().tanh_()
S.clone().mul_(2)
S.clone().fill_(3)
torch.full_like(S, 3)
S.to_dense()
S.to_sparse_csr() if S.layout in (torch.sparse_csr, torch.sparse_csc) else None
S.to_sparse_csc().to_dense() if S.layout in (torch.sparse_csr, torch.sparse_csc) else None
S.sparse_mask(S.clone())
S[0] if S.ndim == 3 else None
"""
REFUSED = """
S.to("meta").to("cpu")
S.to("meta").cpu()
S.to("meta") * 2
S.to("meta").sin()
torch.ones(3, 4, device="meta").sparse_mask(S.to("meta"))
S.to("meta").to_sparse_csr()
S.to("meta") @ torch.ones(4, 2, device="meta")
torch.mul(S.to("meta"), 2)
torch.sparse.mm(S.to("meta"), torch.ones(4, 2, device="meta"))
S.to("meta").mul_(2)
S.to("meta").sparse_mask(S)
torch.ones(3, 4, device="meta").sparse_mask(S)
torch.sparse_coo_tensor([[0], [1]], [1.0], device="meta")
torch.zeros(3, 4, device="meta").to_sparse()
"""


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_what_is_made_on_meta_is_pytorchs():
    torch = pytest.importorskip("torch")
    for kind in KINDS:
        for line in MADE.strip().splitlines():
            found = []
            for lib in (torch, minigrad):
                names = {"torch": lib, "copy": copy, "S": tensor(lib, kind)}
                found.append(repr(eval(line, names)))
            assert found[0] == found[1], (kind, line)


def _form(x):
    """What can be seen of a tensor without elements."""
    if x is None or not hasattr(x, "layout"):
        return x if x is None else [_form(y) for y in x]
    x = x.detach()
    form = [str(x.layout), str(x.dtype), tuple(x.shape), x.is_meta]
    if x.is_sparse:
        return [*form, x.sparse_dim(), x.is_coalesced(), tuple(x._indices().shape), tuple(x._values().shape)]
    return form if form[0] == "torch.strided" else [*form, tuple(x.values().shape)]


def _names(node):
    if node is None:
        return None
    return [node.name().replace("torch::autograd::", ""), *[_names(n) for n, _ in node.next_functions]]


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_computed_on_meta_is_pytorchs(kind):
    torch = pytest.importorskip("torch")
    compared = 0
    lines = COMPUTED if kind in KINDS[: KINDS.index("csr")] else COMPUTED + COMPUTED_OF_COMPRESSED
    for line in filter(None, lines.splitlines()):
        found = []
        for lib in (torch, minigrad):
            S = tensor(lib, kind).to("meta").requires_grad_()
            W = lib.ones(3, 4, device="meta", requires_grad=True)
            z = eval(line, {"torch": lib, "S": S, "W": W})
            names = gradients = None
            if hasattr(z, "grad_fn") and z.grad_fn is not None:
                names = _names(z.grad_fn)
                try:
                    g = lib.autograd.grad(z, [S, W], z.detach().clone(), allow_unused=True)
                    gradients = [_form(x) for x in g]
                except RuntimeError:
                    pass
            found.append((_form(z), names, gradients))
        (form, names, gradients), ours = found
        assert ours[:2] == (form, names), (line, found)
        if gradients is not None:
            compared += 1
            assert ours[2] == gradients, (line, found)
    assert compared > 3


def test_tensors_with_elements_keep_their_number_on_meta():
    torch = minigrad
    index = torch.zeros(2, 5, dtype=torch.int64, device="meta")
    values = torch.zeros(5, device="meta", requires_grad=True)
    x = torch.sparse_coo_tensor(index, values, (3, 4))
    assert x.t()._nnz() == x.float()._nnz() == 5 and x.t().shape == (4, 3)
    x.to_dense().sum().backward()
    assert values.grad.shape == (5,) and values.grad.is_meta
    parts = [torch.zeros(n, dtype=torch.int64, device="meta") for n in (4, 5)]
    y = torch.sparse_csr_tensor(*parts, torch.zeros(5, device="meta"), (3, 4))
    assert y.sin()._nnz() == y.to_sparse_csc()._nnz() == y.to_sparse()._nnz() == 5
    assert y.to_sparse_csc().ccol_indices().shape == (5,)


def test_what_needs_elements_is_refused():
    names = {"torch": minigrad, "S": tensor(minigrad, "coalesced")}
    for line in REFUSED.strip().splitlines():
        with pytest.raises(NotImplementedError, match=r"SparseMeta|no data|Sparse tensors on meta"):
            eval(line, names)
    with pytest.raises(RuntimeError, match="must have same nnz"):
        minigrad.sparse_coo_tensor([[0, 1]], [1.0], (3,), device="meta")
    assert minigrad.ones(3, 4).to_sparse().to("meta").to_dense().shape == (3, 4)


@pytest.mark.torch
def test_parts_on_two_devices_are_pytorchs():
    def made(lib, *devices):
        of_indices, of_values, device = devices
        indices = lib.zeros(1, 2, dtype=lib.int64, device=of_indices)
        try:
            return str(
                lib.sparse_coo_tensor(indices, lib.ones(2, device=of_values), (3,), device=device).device
            )
        except (RuntimeError, NotImplementedError) as error:
            return type(error).__name__, str(error)

    torch = pytest.importorskip("torch")
    for devices in itertools.product(("cpu", "meta"), ("cpu", "meta"), (None, "cpu", "meta")):
        assert made(minigrad, *devices) == made(torch, *devices), devices
