"""Results written into tensors that are there already, by ``out=`` and in place; the dtypes of results; factors that are broadcast."""

import pytest

import minigrad as torch

DENSE = torch.tensor([[0, 2.0, 0], [3.0, 0, -4.0]])
S = DENSE.to_sparse()
UNCOALESCED = torch.sparse_coo_tensor([[1, 0, 1], [0, 1, 0]], [1.0, 2.0, 2.0], (2, 3))
D = torch.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x, out: torch.abs(x, out=out), DENSE.abs()),
        (lambda x, out: torch.neg(x, out=out), -DENSE),
        (lambda x, out: torch.add(x, x, alpha=2, out=out), DENSE * 3),
        (lambda x, out: torch.sub(x, x, out=out), DENSE * 0),
        (lambda x, out: torch.mul(x, 2, out=out), DENSE * 2),
        (lambda x, out: torch.mul(x, DENSE, out=out), DENSE * DENSE),
        (lambda x, out: torch.div(x, 2, out=out), DENSE / 2),
        (lambda x, out: torch.floor_divide(x, 2, out=out), DENSE // 2),
        (lambda x, out: torch.pow(x, 2, out=out), DENSE**2),
        (lambda x, out: torch.cat([x, x], out=out), torch.cat([DENSE, DENSE])),
        (lambda x, out: torch.stack([x, x], 1, out=out), torch.stack([DENSE, DENSE], 1)),
        (
            lambda x, out: torch.index_select(x, 1, torch.tensor([2, 1]), out=out),
            DENSE.index_select(1, torch.tensor([2, 1])),
        ),
        (lambda x, out: torch.hspmm(x, D, out=out), DENSE @ D),
        (lambda x, out: torch.mm(x, x.t(), out=out), DENSE @ DENSE.t()),
        (lambda x, out: torch.sspaddmm(x, x, torch.eye(3), out=out), DENSE * 2),
    ],
)
def test_sparse_results_are_written_into_out(call, expected):
    for out in (torch.zeros(2, 3).to_sparse(), torch.ones(7).to_sparse()):
        version = out._version
        assert call(S, out) is out
        assert out.layout is torch.sparse_coo and out._version > version
        torch.testing.assert_close(out.to_dense(), expected)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x, out: torch.mm(x, D, out=out), DENSE @ D),
        (lambda x, out: torch.matmul(x, D, out=out), DENSE @ D),
        (lambda x, out: torch.addmm(DENSE @ D, x, D, beta=2, out=out), DENSE @ D * 3),
        (lambda x, out: torch.mv(x, D[:, 0], out=out), DENSE @ D[:, 0]),
        (lambda x, out: torch.bmm(torch.stack([x, x]), torch.stack([D, D]), out=out), torch.stack([DENSE @ D] * 2)),
        (lambda x, out: torch.sum(x, (0, 1), out=out), DENSE.sum()),
        (lambda x, out: torch.add(DENSE, x, out=out), DENSE * 2),
    ],
)  # fmt: skip
def test_dense_results_are_written_into_out(call, expected):
    out = torch.full(expected.shape, 9.0)
    assert call(S, out) is out
    assert out.equal(expected)


def test_what_out_cannot_hold_is_refused():
    for call, words in (
        (lambda: torch.mul(S, 2, out=torch.zeros(2, 3)), "expected sparse_coo result tensor"),
        (lambda: torch.mm(S, D, out=S.clone()), "expected strided result tensor"),
        (lambda: torch.add(S, S, out=S.to_sparse_csr()), "expected sparse_coo result tensor"),
        (lambda: torch.add(S, S, out=S.int()), "result type Float can't be cast to the desired output type Int"),
        (lambda: torch.mm(S, D, out=torch.zeros(2, 2).double()), "Expected out tensor to have dtype float"),
        (lambda: torch.add(S, S, out=S.clone().requires_grad_()), "don't support automatic differentiation"),
    ):  # fmt: skip
        with pytest.raises(RuntimeError, match=words):
            call()
    with pytest.raises(TypeError, match="argument 'out' must be Tensor, not int"):
        torch.mul(S, S, out=3)


def test_dense_tensors_stay_dense_in_place():
    x = DENSE.clone()
    assert x.mul_(S).equal(DENSE**2) and x.layout is torch.strided
    x = torch.ones(2, 3, requires_grad=True)
    (x * 2).mul_(S).sum().backward()
    assert x.grad.equal(DENSE * 2)
    with pytest.raises(
        RuntimeError, match="Sparse division requires a scalar or zero-dim dense tensor divisor"
    ):
        DENSE.clone().div_(S)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Int"):
        DENSE.int().add_(S)


def test_results_that_were_saved_are_watched_when_sparse_tensors_are_written_into_them():
    for write in (lambda x: x.mul_(S), lambda x: x.add_(S), lambda x: x.sub_(S)):
        x = torch.ones(2, 3, requires_grad=True).exp()
        assert write(x)._version == 1
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            x.sum().backward()


def test_a_factor_of_another_size_resizes_coordinates_in_place():
    x = S.clone()
    assert x.mul_(torch.full((2, 2, 3), 2.0)) is x and x.shape == (2, 2, 3) and x.sparse_dim() == 3
    assert x.to_dense().equal((DENSE * 2).expand(2, 2, 3))
    leaf = S.clone().requires_grad_()
    leaf.clone().mul_(torch.full((2, 2, 3), 2.0)).to_dense().sum().backward()
    assert leaf.grad.to_dense().equal((DENSE != 0) * 4.0)
    with pytest.raises(RuntimeError, match="does not broadcast"):
        DENSE.to_sparse_csr().mul_(torch.ones(2, 2, 3))
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        torch.ones(3).mul_(S)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float16", "bfloat16", "float32", "complex64"])
def test_summands_of_another_dtype_are_converted(dtype):
    y = S.to(getattr(torch, dtype))
    for x in (
        DENSE.to(torch.complex128),
        DENSE.to(torch.complex64),
        *([] if y.is_complex() else [DENSE.double()]),
    ):
        for other in (y, y.to_sparse_csr()):
            expected = x + y.to_dense()
            assert x.clone().add_(other).equal(expected) and (x + other).equal(expected)
            assert x.clone().add_(other, alpha=2).equal(x.clone().add_(y.to_dense(), alpha=2))


def test_small_integers_are_converted_before_they_are_negated():
    small = S.abs().to(torch.uint8)
    for layout in (torch.sparse_coo, torch.sparse_csr):
        y = small.to_sparse(layout=layout)
        for x in (DENSE, DENSE.int()):
            assert (x - y).equal(x - y.to_dense()) and x.clone().sub_(y).equal(x - y.to_dense())
        assert (S.to_sparse(layout=layout) - y).to_dense().equal(DENSE - y.to_dense())


def test_bools_are_not_subtracted():
    b = S.bool()
    for call in (
        lambda: b - b,
        lambda: b.to_dense() - b,
        lambda: b.to_dense().sub_(b),
        lambda: b.clone().sub_(b),
    ):
        with pytest.raises(RuntimeError, match="with two bool tensors is not supported"):
            call()


def test_tensors_of_no_dimensions_count_less_than_others():
    scalar = torch.sparse_coo_tensor(torch.empty(0, 1, dtype=torch.int64), torch.tensor([2.0]), ())
    double = torch.tensor(0.5, dtype=torch.float64)
    assert (scalar * double).dtype is (scalar / double).dtype is torch.float64
    assert (S * double).dtype is (S.double() * scalar).to(torch.float32).dtype is torch.float32
    assert (S * scalar).to_dense().equal(DENSE * 2) and (scalar * S).to_dense().equal(DENSE * 2)
    assert (scalar * DENSE).to_dense().equal(DENSE * 2)


@pytest.mark.parametrize("x", [S, UNCOALESCED, S.to_dense().to_sparse(1)], ids=["coalesced", "not", "hybrid"])
def test_factors_are_broadcast(x):
    dense = x.to_dense()
    for shape in ((3,), (2, 1), (1, 1), (4, 2, 3), (5, 1, 2, 1)):
        factor = torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape)
        for found in (x * factor, factor * x):
            assert found.is_sparse and found.to_dense().equal(dense * factor)
    column = torch.sparse_coo_tensor([[1], [0]], [2.0], (2, 1)).requires_grad_()
    found = column * DENSE
    assert found.to_dense().equal(column.to_dense() * DENSE)
    found.to_dense().sum().backward()
    assert column.grad.to_dense().tolist() == [[0.0], [-1.0]]
    with pytest.raises(
        RuntimeError, match=r"The size of tensor a \(4\) must match the size of tensor b \(3\)"
    ):
        x * torch.ones(4)


def test_numbers_have_no_sum_with_sparse_tensors():
    for x in (S, S.to_sparse_csr(), S.double()):
        for call in (
            lambda: x + 2,
            lambda: 2 + x,
            lambda: x - 2,
            lambda: 2 - x,
            lambda: x + DENSE if x.is_sparse else x + 2.5,
        ):
            with pytest.raises(RuntimeError, match="Use add\\(dense, sparse\\) instead"):
                call()
        with pytest.raises(NotImplementedError, match="aten::reciprocal"):
            2 / x
