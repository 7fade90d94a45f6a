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
REFUSED = """
S.to("meta").to("cpu")
S.to("meta").cpu()
S.to("meta") * 2
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
