"""Sparse tensors that take on another size in place."""

import pytest

import minigrad as torch
from tests.sparse.tables import tensor


def test_values_of_grown_dense_dimensions_keep_their_order():
    x = torch.sparse_coo_tensor([[0, 2]], torch.arange(1.0, 5.0).reshape(2, 2), (3, 2))
    assert x.sparse_resize_((4, 3), 1, 1)._values().tolist() == [[1, 2, 3], [4, 0, 0]]
    assert x.shape == (4, 3) and x._indices().tolist() == [[0, 2]]


@pytest.mark.parametrize(
    ("kind", "size", "words"),
    [
        ("coalesced", ((3, 4), 1, 1), r"changing the number of sparse dimensions \(from 2 to 1\)"),
        ("hybrid", ((3,), 1, 0), r"changing the number of dense dimensions \(from 1 to 0\)"),
        (
            "coalesced",
            ((2, 4), 2, 0),
            r"size of sparse dimensions \(from \[3, 4\] to \[2, 4\]\) on a non-empty",
        ),
        ("hybrid", ((3, 2), 1, 1), r"size of dense dimensions \(from \[4\] to \[2\]\)"),
        ("empty", ((3, 4), 2, 1), "len\\(size\\) = 2, sparse_dim = 2, dense_dim = 1"),
        ("empty", ((3, -4), 2, 0), "negative dimension"),
        ("empty", ((3, 4), 3, -1), "negative dimension"),
    ],
)
def test_sizes_that_do_not_hold_all_elements_are_refused(kind, size, words):
    with pytest.raises(RuntimeError, match=words):
        tensor(torch, kind).sparse_resize_(*size)


def test_clearing_checks_the_size_too():
    for size in (((5,), 2, 0), ((5, 3), -1, 3)):
        with pytest.raises(RuntimeError, match="is not satisfied|negative dimension"):
            tensor(torch, "coalesced").sparse_resize_and_clear_(*size)


def test_compressed_tensors_take_on_the_number_of_elements_of_another():
    x, y = tensor(torch, "csr"), torch.eye(5).to_sparse_csr()
    x.resize_as_sparse_(y)
    assert x.shape == (5, 5) and x.crow_indices().equal(y.crow_indices())
    assert x.values().tolist() == [*tensor(torch, "csr").values().tolist(), 0]
    x.resize_as_sparse_(torch.zeros(5, 5).to_sparse_csr())
    assert x._nnz() == 0
    for other, words in (
        ("csc", "must have the same layout"),
        ("coalesced", "src  expected sparse compressed"),
    ):
        with pytest.raises(RuntimeError, match=words):
            x.resize_as_sparse_(tensor(torch, other))
    with pytest.raises(RuntimeError, match="self  expected sparse compressed"):
        tensor(torch, "coalesced").resize_as_sparse_(x)


def test_rows_are_added_and_columns_do_not_shrink():
    x = tensor(torch, "csr")
    dense = x.to_dense()
    x.resize_(4, 5)
    assert x.to_dense().equal(torch.nn.functional.pad(dense, (0, 1, 0, 1)))
    with pytest.raises(
        RuntimeError, match="original number of columns is 5 while the requested new number of columns is 3"
    ):
        x.resize_(4, 3)
    with pytest.raises(
        RuntimeError, match=r"Only batched sparse CSR matrices are supported, but got size \[3\]"
    ):
        x.resize_(3)
    with pytest.raises(RuntimeError, match="cannot resize variables that require grad"):
        x.requires_grad_().resize_(5, 5)


def test_new_elements_have_no_gradient():
    leaf = tensor(torch, "coalesced").requires_grad_()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        leaf.sparse_resize_((5, 6), 2, 0)
    x = leaf.clone().sparse_resize_((5, 6), 2, 0)
    with pytest.raises(RuntimeError, match="derivative for aten::sparse_resize_ is not implemented"):
        x.to_dense().sum().backward()
