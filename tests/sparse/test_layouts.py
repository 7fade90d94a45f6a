"""How elements and indices are kept: dtypes of indices, order, dense dimensions, and dimensions of size 1 or none."""

import pytest

import minigrad as torch
from tests.sparse.tables import tensor

DENSE = torch.tensor([[0, 2.0, 0, 5.0], [3.0, 0, -4.0, 0]])


def with_int32():
    return torch.sparse_csr_tensor(
        torch.tensor([0, 2, 4], dtype=torch.int32),
        torch.tensor([1, 3, 0, 2], dtype=torch.int32),
        torch.tensor([2.0, 5.0, 3.0, -4.0]),
        (2, 4),
    )


def test_indices_of_compressed_layouts_keep_their_dtype():
    x = with_int32()
    for y in (x, x * 2, x.clone(), x.double(), x.sin(), x + x, torch.zeros_like(x), x.to_sparse_bsr((1, 2)), x.sum(1, keepdim=True)):  # fmt: skip
        assert y.crow_indices().dtype is y.col_indices().dtype is torch.int32
    for y in (x.t(), x.to_sparse_csc()):
        assert y.ccol_indices().dtype is y.row_indices().dtype is torch.int32
    assert x.to_sparse().indices().dtype is torch.int64
    for y in (x.t().to_sparse_csr(), x.to_sparse_csc().t(), x.to_sparse().t()):
        assert y.to_dense().equal(DENSE.t())
    right = torch.arange(8.0).reshape(4, 2)
    for y in (x, x.to_sparse_csc(), x.to_sparse_bsr((2, 2))):
        assert (y @ right).equal(DENSE @ right) and (right.t() @ y.t()).equal((DENSE @ right).t())
    y = x.requires_grad_()
    torch.sparse.mm(y, right).sum().backward()
    assert y.grad.to_dense().equal((DENSE != 0) * right.sum(1))


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        (("int32", "int64"), "crow_indices and col_indices must have the same dtype, but got Int and Long"),
        (("int16", "int16"), "crow_indices and col_indices dtype must be Int or Long, but got Short"),
        (("float32", "float32"), "dtype must be Int or Long, but got Float"),
    ],
)
def test_other_dtypes_of_compressed_indices_are_refused(kinds, words):
    a, b = (getattr(torch, kind) for kind in kinds)
    with pytest.raises(RuntimeError, match=words):
        torch.sparse_csr_tensor(torch.tensor([0, 1], dtype=a), torch.tensor([0], dtype=b), torch.ones(1))


def test_columns_and_blocks_come_in_their_own_order():
    columns = DENSE.to_sparse_csc().to_sparse()
    assert columns._indices().tolist() == [[1, 0, 1, 0], [0, 1, 2, 3]] and not columns.is_coalesced()
    blocks = DENSE.to_sparse_bsr((2, 1)).to_sparse()
    assert blocks._indices()[1].tolist() == [0, 0, 1, 1, 2, 2, 3, 3] and not blocks.is_coalesced()
    for x in (columns, blocks):
        assert x.coalesce().to_dense().equal(DENSE) and (x + x).to_dense().equal(DENSE * 2)
    assert DENSE.to_sparse_csr().to_sparse().is_coalesced()


def test_dense_dimensions_of_compressed_layouts():
    values = torch.arange(6.0).reshape(3, 2)
    x = torch.sparse_csr_tensor([0, 2, 3], [0, 3, 2], values, (2, 4, 2))
    for y in (torch.zeros_like(x), x.clone().zero_()):
        assert (
            y.layout is torch.sparse_csr
            and y.values().shape == (0, 2)
            and y.crow_indices().tolist() == [0] * 3
        )
    part = x.select(-1, 1)
    assert part.layout is torch.sparse_csr and part.to_dense().equal(x.to_dense()[..., 1])


def test_sums_keep_dimensions_as_sparse_ones():
    for dtype in (torch.float32, torch.int32, torch.bool):
        for kind in ("uncoalesced", "hybrid", "hybrid3"):
            x = tensor(torch, kind, str(dtype)[6:])
            dense = x.to_dense() if dtype is not torch.bool else x.to_dense().long()
            for dim in (0, -1, 1, (0, 1)):
                found = x.sum(dim, keepdim=True)
                assert found.to_dense().equal(dense.sum(dim, keepdim=True)), (kind, dim)
    assert tensor(torch, "hybrid").sum(1, keepdim=True).sparse_dim() == 2
    x = DENSE.to_sparse_csr()
    assert x.sum((0, 1), keepdim=True).to_dense().tolist() == [[6.0]]
    assert torch.sum(x, dtype=torch.float64).dtype is torch.float64
    with pytest.raises(RuntimeError, match="supported for sum.dim_IntList is CSR, but got layout SparseBsr"):
        DENSE.to_sparse_bsr((1, 2)).sum(1, keepdim=True)


def test_tensors_of_no_dimensions():
    x = torch.sparse_coo_tensor(torch.empty(0, 2, dtype=torch.int64), torch.tensor([2.0, 3.0]), ())
    assert x.sum(0) == x.sum() == x.coalesce().values() == 5
    assert (x * 2).sparse_mask(x.coalesce()).to_dense() == 10 and x.mT is x
    assert torch.tensor(0.0).to_sparse()._nnz() == 0 and torch.tensor(2.0).to_sparse()._nnz() == 1
    for call, error in (
        (lambda: list(x), TypeError),
        (lambda: x.unbind(), IndexError),
        (lambda: x[0], IndexError),
        (lambda: torch.cat([x, x]), IndexError),
        (lambda: x.narrow_copy(0, 0, 1), RuntimeError),
        (lambda: x @ torch.ones(2, 2), RuntimeError),
    ):
        with pytest.raises(error):
            call()


def test_in_place_transposes_and_conjugates():
    x = DENSE.to_sparse()
    assert x.t_() is x and x.to_dense().equal(DENSE.t())
    assert x.transpose_(0, 1) is x and x.to_dense().equal(DENSE)
    with pytest.raises(RuntimeError, match="in-place transposition is not supported for SparseCsr layout"):
        DENSE.to_sparse_csr().t_()
    dense = DENSE * (1 + 2j)
    for y in (dense.to_sparse(), dense.to_sparse_csr()):
        for found, expected in (
            (torch.conj(y), dense.conj()), (y.adjoint(), dense.adjoint()), (y.mH, dense.mH), (y.real, dense.real), (torch.imag(y), dense.imag),
        ):  # fmt: skip
            assert found.to_dense().equal(expected.resolve_conj())
    with pytest.raises(RuntimeError, match="imag is not implemented for tensors with non-complex dtypes"):
        x.imag


def test_conversions_of_batches_keep_zeros_that_were_elements():
    index = torch.tensor([[0, 1, 3], [0, 2, 3]]), torch.tensor([[1, 0, 2], [0, 2, 1]])
    x = torch.sparse_csr_tensor(*index, torch.tensor([[1.0, 0.0, 2.0], [0.0, 3.0, 4.0]]), (2, 2, 3))
    for y in (x.to_sparse_csc(), x.to_sparse_csc().to_sparse_csr(), x.to_sparse_bsr((1, 1))):
        assert y._nnz() == 3 and y.to_dense().equal(x.to_dense())
    assert x.to_sparse_csc().row_indices().tolist() == [[1, 0, 1], [0, 1, 0]]


def test_compressed_tensors_have_two_sparse_dimensions():
    x = tensor(torch, "csr")
    assert x.to_sparse(2).sparse_dim() == 2
    with pytest.raises(
        RuntimeError, match="conversion from SparseCsr to Sparse with sparse_dim argument !=2"
    ):
        x.to_sparse(1)


def test_indices_of_results_of_coordinates_are_int64_but_not_in_place():
    x = with_int32()
    assert (x * x).crow_indices().dtype is (x * DENSE).col_indices().dtype is torch.int64
    assert x.sparse_mask(x.clone()).crow_indices().dtype is torch.int64
    for y in (x.clone().mul_(x), x.clone().mul_(DENSE), torch.mul(x, x, out=x.clone())):
        assert y.crow_indices().dtype is y.col_indices().dtype is torch.int32
        assert y.to_dense().equal(DENSE * DENSE)
