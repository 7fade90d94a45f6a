"""Sparse tensors by themselves: what is refused, higher derivatives, both kinds of kernels, gradients that meet, in-place writes."""

import io
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import minigrad
from minigrad._sparse import kernels, scattering
from minigrad._sparse.arrays import Coo, add_into
from minigrad.autograd import gradcheck, gradgradcheck

I = minigrad.tensor([[0, 0, 1], [1, 0, 1]])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        ("sparse_coo_tensor([[5]], [1.], (2,))", RuntimeError, "size is inconsistent with indices: for dim 0, size is 2 but found index 5"),
        ("sparse_coo_tensor([[-1]], [1.], (2,))", RuntimeError, "found negative index -1 for dim 0"),
        ("sparse_coo_tensor([[0, 1]], [1.], (2,))", RuntimeError, "must have same nnz"),
        ("sparse_coo_tensor([[0, 1]], [1., 2.], (2, 2))", RuntimeError, "sparse_dim = 1, dense_dim = 0"),
        ("sparse_coo_tensor([[0, 0]], [1., 2.], is_coalesced=True)", RuntimeError, "cannot set is_coalesced to true"),
        ("sparse_coo_tensor([[0]], [1.], device='meta')", NotImplementedError, "no data"),
        ("sparse_csr_tensor([0, 1, 3], [0, 1], [1., 2.], (2, 2))", RuntimeError, r"`crow_indices\[..., -1\] == nnz` is not satisfied"),
        ("sparse_csr_tensor([0, 1, 2], [0, 5], [1., 2.], (2, 2))", RuntimeError, "`0 <= col_indices < ncols` is not satisfied"),
        ("sparse_csr_tensor([1, 1, 2], [0, 1], [1., 2.], (2, 2))", RuntimeError, r"`crow_indices\[..., 0\] == 0` is not satisfied"),
        ("sparse_csr_tensor([0, 2], [1, 0], [1., 2.], (1, 2))", RuntimeError, "are sorted and distinct"),
        ("sparse_csr_tensor([0, 2, 1, 2], [0, 1], [1., 2.], (3, 2))", RuntimeError, "0 <= crow_indices"),
        ("sparse_compressed_tensor([0], [0], [1.])", RuntimeError, "expected sparse compressed tensor layout but got none"),
        ("eye(4).to_sparse_bsr((3, 2))", RuntimeError, "must be divisible"),
        ("ones(2, 2, layout=sparse_coo)", RuntimeError, "not implemented for sparse layout"),
        ("eye(2).values()", RuntimeError, "values expected sparse tensor layout but got Strided"),
        ("sparse_coo_tensor([[0, 0]], [1., 2.]).values()", RuntimeError, "please call .coalesce"),
        ("eye(2).to_sparse() / ones(2, 2)", RuntimeError, "Sparse division requires a scalar"),
        ("eye(2).to_sparse() @ ones(3, 2)", RuntimeError, r"cannot be multiplied \(2x2 and 3x2\)"),
        ("eye(2).to_sparse() @ ones(2, 2).double()", RuntimeError, "expected scalar type Float but found Double"),
        ("eye(2).copy_(eye(2).to_sparse())", RuntimeError, "between dense and sparse"),
        ("eye(2).to_sparse().cumsum(0)", NotImplementedError, "'aten::cumsum' with arguments from the 'SparseCPU' backend"),
        ("cumsum(eye(2).to_sparse_csr(), 0)", NotImplementedError, "'SparseCsrCPU' backend"),
        ("eye(2).to_sparse().numpy()", TypeError, "to_dense"),
        ("vmap(func.grad(lambda w: nn.functional.embedding(tensor([0]), w, sparse=True).sum()))(ones(2, 3, 4))", NotImplementedError, "inside of transforms"),
        ("nn.functional.embedding(tensor([0]), ones(3, 4, device='meta', requires_grad=True), sparse=True)", NotImplementedError, "on meta"),
        ("sparse.sum(ones(2, 2), 0)", NotImplementedError, "'aten::_sparse_sum' with arguments from the 'CPU' backend"),
        ("sparse.softmax(ones(2, 2), 0)", NotImplementedError, "'aten::_sparse_softmax' with arguments from the 'CPU' backend"),
        ("smm(ones(2, 2), ones(2, 2))", RuntimeError, "can only be called on sparse tensors"),
        ("optim.Adam([p]).step()", RuntimeError, "please consider SparseAdam instead"),
        ("optim.RMSprop([p]).step()", RuntimeError, "RMSprop does not support sparse gradients"),
        ("optim.Adagrad([p], weight_decay=0.1).step()", RuntimeError, "weight_decay option is not compatible with sparse gradients"),
        ("optim.SGD([p], fused=True).step()", RuntimeError, "does not support sparse gradients"),
        ("optim.Adagrad([p], fused=True).step()", RuntimeError, "does not support sparse grad"),
        ("optim.SGD([p], weight_decay=0.1).step()", RuntimeError, "add.sparse, dense. is not supported"),
    ],
)  # fmt: skip
def test_refused(call, error, words):
    p = minigrad.ones(3, 2, requires_grad=True)
    minigrad.nn.functional.embedding(minigrad.tensor([1]), p, sparse=True).sum().backward()
    with pytest.raises(error, match=words):
        eval(
            call,
            {
                **{
                    name: getattr(minigrad, name)
                    for name in (
                        "eye",
                        "ones",
                        "tensor",
                        "nn",
                        "optim",
                        "func",
                        "smm",
                        "sparse",
                        "vmap",
                        "cumsum",
                        "sparse_coo",
                        *MAKERS,
                    )
                },
                "p": p,
            },
        )


MAKERS = ("sparse_coo_tensor", "sparse_csr_tensor", "sparse_compressed_tensor")


def test_indices_are_not_looked_at_where_a_program_says_so():
    assert minigrad.sparse_coo_tensor([[5]], [1.0], (2,), check_invariants=False)._nnz() == 1
    check = minigrad.sparse.check_sparse_tensor_invariants
    with check(False):
        assert not check.is_enabled() and minigrad.sparse_coo_tensor([[5]], [1.0], (2,))._nnz() == 1
    assert check.is_enabled()


FUNCTIONS = {
    "dense": lambda S, D: S.to_dense() ** 3,
    "unary": lambda S, D: (S.sin() * 2).to_dense(),
    "product": lambda S, D: minigrad.sparse.mm(S, D) ** 2,
    "transposed product": lambda S, D: (D.t() @ S) ** 2,
    "rows": lambda S, D: minigrad.sparse.mm(S.to_sparse_csr(), D) ** 2,
    "two sparse ones": lambda S, D: minigrad.sparse.mm(S, S * S).to_dense(),
    "sum": lambda S, D: minigrad.sparse.sum(S * S, 0).to_dense() ** 2,
    "softmax": lambda S, D: minigrad.sparse.softmax(S, 1).to_dense(),
    "log_softmax": lambda S, D: minigrad.sparse.log_softmax(S, 0).to_dense(),
    "with dense": lambda S, D: (D[:, :2] + S * D[:, :2]) ** 2,
    "mask": lambda S, D: (D[:, :2] ** 2).sparse_mask(S).to_dense(),
    "sampled": lambda S, D: minigrad.sparse.sampled_addmm(S.to_sparse_csr(), D, D.t()).to_dense() ** 2,
    "parts": lambda S, D: (
        minigrad.cat(
            [
                S[0].to_dense(),
                S.index_select(1, minigrad.tensor([1, 1])).to_dense()[1],
                S.narrow_copy(0, 1, 1).to_dense()[0],
            ]
        )
        ** 2
    ),
    "joined": lambda S, D: minigrad.cat([S, S * 2], 1).to_dense() ** 2,
    "blocks": lambda S, D: S.to_sparse_bsr((1, 2)).to_dense() ** 2,
    "batch": lambda S, D: minigrad.bmm(minigrad.stack([S, S * S]), minigrad.stack([D, D * 2])),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    "indices", [I, minigrad.tensor([[1, 0, 1], [0, 1, 0]])], ids=["distinct", "one place twice"]
)
def test_first_and_second_derivatives(name, indices):
    values = minigrad.tensor([0.5, 2.0, -1.5], dtype=minigrad.float64, requires_grad=True)
    dense = minigrad.linspace(-1, 2, 6, dtype=minigrad.float64).reshape(2, 3).requires_grad_()

    def function(values, dense):
        return FUNCTIONS[name](minigrad.sparse_coo_tensor(indices, values, (2, 2)), dense)

    assert gradcheck(function, (values, dense))
    assert gradgradcheck(function, (values, dense))


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "complex64", "complex128", "int64", "float16", "uint8"]
)
def test_kernels_with_and_without_scipy_agree(dtype, monkeypatch):
    """To the last bit: for rows without elements, with few, and with many."""
    pytest.importorskip("scipy")
    rng = np.random.default_rng(0)
    outer = np.sort(np.concatenate([rng.integers(0, 40, 300), np.repeat([3, 17], 200)]))
    along = rng.integers(0, 30, len(outer))

    def numbers(*shape):
        found = rng.standard_normal(shape) * 3
        return (found + 1j * rng.standard_normal(shape) if dtype[0] == "c" else abs(found)).astype(dtype)

    values = numbers(len(outer))
    for width in (1, 2, 7):
        dense = numbers(30, width)
        for order in (np.arange(len(outer)), rng.permutation(len(outer))):
            rows = kernels.rows_of(outer[order], along[order], 40, False)
            monkeypatch.undo()
            fast = kernels.times(rows, values[order], dense, 30)
            monkeypatch.setattr(kernels, "scipy_tools", lambda: None)
            monkeypatch.setattr(scattering, "_AT_ONCE", 64)
            slow = kernels.times(rows, values[order], dense, 30)
            assert fast.dtype == slow.dtype == dtype
            assert fast.tobytes() == slow.tobytes()
        expected = np.zeros((40, 30), "complex128" if dtype[0] == "c" else float)
        np.add.at(expected, (outer, along), values)
        expected = expected @ dense.astype(expected.dtype)
        if expected.dtype == float and dtype in ("int64", "uint8"):
            expected = expected.astype("int64").astype(dtype)
        tolerance = {"float16": 2e-3, "float32": 1e-5, "complex64": 1e-5}.get(dtype, 1e-12)
        np.testing.assert_allclose(slow, expected, rtol=tolerance, atol=tolerance)


def test_sparse_and_dense_gradients_meet():
    w = minigrad.ones(4, 2, requires_grad=True)
    take = lambda *rows: minigrad.nn.functional.embedding(minigrad.tensor(rows), w, sparse=True)
    take(1, 1).sum().backward()
    assert w.grad.is_sparse and w.grad.to_dense()[1].tolist() == [2, 2]
    take(1, 3).sum().backward()
    assert w.grad.is_sparse and w.grad.to_dense().sum(1).tolist() == [0, 6, 0, 2]
    (w * 2).sum().backward()
    assert not w.grad.is_sparse and w.grad.sum(1).tolist() == [4, 10, 4, 6]
    take(0).sum().backward()
    assert w.grad.sum(1).tolist() == [6, 10, 4, 6]
    (take(2).sum() + w.sum() + take(2, 2).sum()).backward()
    assert w.grad.sum(1).tolist() == [8, 12, 12, 8]
    (g,) = minigrad.autograd.grad((take(2) ** 2).sum(), w, create_graph=True)
    assert g.is_sparse
    (again,) = minigrad.autograd.grad((g.to_dense() ** 2).sum(), w)
    assert again.to_dense()[2].tolist() == [8, 8]


def test_hooks_see_sparse_gradients():
    w = minigrad.ones(4, 2, requires_grad=True)
    seen = []
    w.register_hook(lambda g: seen.append(g) or g * 2)
    minigrad.nn.functional.embedding(minigrad.tensor([1]), w, sparse=True).sum().backward()
    assert seen[0].is_sparse and w.grad.to_dense()[1].tolist() == [2, 2]


def test_a_second_backward_and_writes_are_noticed():
    S = minigrad.eye(2).to_sparse().requires_grad_()
    D = minigrad.ones(2, 2)
    z = minigrad.sparse.mm(S, D).sum()
    z.backward()
    with pytest.raises(RuntimeError, match="second time"):
        z.backward()
    z = minigrad.sparse.mm(S, D).sum()
    D.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        S.mul_(2)
    for function in (lambda number: S * number, lambda number: S / number):
        number = minigrad.tensor(2.0)
        z = function(number)
        number.add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            z.to_dense().sum().backward()


def test_gradients_are_clipped():
    w = minigrad.ones(4, 2, requires_grad=True)
    (minigrad.nn.functional.embedding(minigrad.tensor([1, 1, 2]), w, sparse=True) * 3).sum().backward()
    norm = minigrad.nn.utils.clip_grad_norm_([w], 1.0)
    assert norm.item() == pytest.approx((2 * 36 + 2 * 9) ** 0.5)
    assert w.grad.is_sparse and w.grad.to_dense().norm().item() == pytest.approx(1, rel=1e-5)


def test_parameters_may_be_sparse():
    p = minigrad.nn.Parameter(minigrad.eye(2).to_sparse())
    assert isinstance(p, minigrad.nn.Parameter) and p.is_sparse and p.requires_grad
    minigrad.sparse.mm(p, minigrad.ones(2, 1)).sum().backward()
    assert p.grad.is_sparse
    assert repr(p).startswith("Parameter containing:\ntensor(indices=")


@pytest.mark.parametrize("function", ["softmax", "log_softmax"])
def test_softmax_is_of_floating_numbers(function):
    for dtype, name in ((minigrad.complex64, "ComplexFloat"), (minigrad.int64, "Long")):
        for x in (minigrad.eye(2, dtype=dtype), minigrad.zeros(2, 2, dtype=dtype)):
            with pytest.raises(NotImplementedError, match=f"\"{function}\" not implemented for '{name}'"):
                getattr(minigrad.sparse, function)(x.to_sparse(), 0)


def test_a_sparse_gradient_is_added_to_one_of_inference_mode():
    w = minigrad.ones(3, 2, requires_grad=True)
    rows = minigrad.nn.functional.embedding(minigrad.tensor([0, 1, 0]), w, sparse=True)
    with minigrad.inference_mode():
        w.grad = minigrad.ones(3, 2)
        minigrad.autograd.backward(rows, minigrad.ones(3, 2), retain_graph=True)
    assert w.grad.is_inference() and w.grad.tolist() == [[3, 3], [2, 2], [1, 1]]
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        minigrad.autograd.backward(rows, minigrad.ones(3, 2))
    assert w.grad.tolist() == [[3, 3], [2, 2], [1, 1]]


def test_a_parameter_stands_before_a_sparse_tensor():
    p, s = minigrad.nn.Parameter(minigrad.ones(2, 2)), minigrad.eye(2).to_sparse()
    for z in (p + s, p - s, p * s, p @ s):
        dense = z.to_dense()
        dense.sum().backward()
    assert (p + s).tolist() == [[2, 1], [1, 2]] and (p * s).is_sparse
    assert p.grad.tolist() == [[4, 3], [3, 4]]


def test_gradcheck_of_sparse_inputs():
    check = minigrad.sparse.as_sparse_gradcheck(gradcheck)
    x = minigrad.eye(3, dtype=minigrad.float64).to_sparse().requires_grad_()
    assert check(lambda x: minigrad.sparse.mm(x, minigrad.ones(3, 2, dtype=minigrad.float64)), (x,))
    assert check(lambda x: x * 3, (x,))


def test_nothing_of_it_is_imported_before_it_is_used():
    code = "import sys, minigrad; minigrad.ones(2).sum(); print([m for m in sys.modules if m.startswith('minigrad._sparse.') or m == 'scipy'])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


@pytest.mark.parametrize("most", [1, 2, 7, 300])
def test_rows_that_are_taken_more_than_once_are_added_one_after_another(most):
    rng = np.random.default_rng(most)
    index = np.repeat(np.arange(20), rng.integers(1, most + 1, 20))
    rng.shuffle(index)
    values = rng.integers(-9, 9, (len(index), 3)).astype(np.float32)
    added = minigrad.sparse_coo_tensor(index[None], values, (25, 3))
    expected = np.ones((25, 3), np.float32)
    np.add.at(expected, index, 2 * values)
    table = minigrad.ones(25, 3)
    version = table._version
    table.add_(added, alpha=2)
    assert table.numpy().tolist() == expected.tolist() and table._version == version + 1
    table.sub_(added).sub_(added)
    assert table.tolist() == minigrad.ones(25, 3).tolist()


def test_adding_to_a_large_table_takes_the_memory_of_what_is_added():
    table = minigrad.zeros(10**6, 8)
    row = minigrad.sparse_coo_tensor([[5]], minigrad.ones(1, 8), (10**6, 8))
    tracemalloc.start()
    table.add_(row)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10**6 and table[5].tolist() == [1] * 8


def test_the_gradient_of_a_conversion_has_what_its_sparse_gradient_keeps():
    x = minigrad.tensor([[0.0, 2.0], [3.0, 0.0]], requires_grad=True)
    other = minigrad.tensor([[5.0, 0.0], [6.0, 0.0]])
    (x.to_sparse() + other.to_sparse()).to_dense().sum().backward()
    assert x.grad.tolist() == [[1, 1], [1, 0]]


def test_sums_of_integers_keep_their_dtype_where_elements_only_move():
    x = minigrad.tensor([[1, 0, 1], [1, 1, 0]], dtype=minigrad.int8).to_sparse()
    found = [minigrad.sparse.sum(x, 0), minigrad.sparse.sum(x, (0, 1)), minigrad.sparse.sum(x), x.sum(0)]
    assert [each.dtype for each in found] == [minigrad.int8, *[minigrad.int64] * 3]
    twice = minigrad.sparse_coo_tensor([[0, 0]], [True, True], (2,))
    assert minigrad.sparse.sum(twice, 0).item() == 2


def test_empty_tensors_of_no_rows_or_columns():
    for shape in ((0, 3), (3, 0)):
        x = minigrad.zeros(shape, requires_grad=True)
        assert x.to_sparse(1).shape == x.to_sparse_csr().shape == shape
        assert x.sparse_mask(x.detach().to_sparse()).requires_grad
        assert (
            minigrad.nn.functional.linear(x, x.detach().to_sparse()).tolist() == [[0.0] * shape[0]] * shape[0]
        )


def test_dense_factors_of_functions_for_sparse_ones():
    x = minigrad.ones(2, 2)
    assert minigrad.sparse.mm(x, x).tolist() == [[2, 2], [2, 2]]
    assert minigrad.sparse.addmm(x, x, x, beta=2).tolist() == [[4, 4], [4, 4]]


def test_the_gradient_of_a_sparse_weight_is_dense_as_that_of_a_product():
    weight = minigrad.eye(3).to_sparse().requires_grad_()
    minigrad.nn.functional.linear(minigrad.ones(2, 3), weight).sum().backward()
    assert weight.grad.layout is minigrad.strided and weight.grad.tolist() == [[2] * 3] * 3
    batch = minigrad.stack([minigrad.eye(3), minigrad.eye(3)]).to_sparse().requires_grad_()
    dense = minigrad.ones(2, 3, 4, requires_grad=True)
    minigrad.bmm(batch, dense).sum().backward()
    assert batch.grad.tolist() == [[[4] * 3] * 3] * 2 and dense.grad.tolist() == [[[1] * 4] * 3] * 2


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("SGD", {}),
        ("SGD", {"momentum": 0.9}),
        ("SGD", {"maximize": True}),
        ("Adagrad", {}),
        ("Adagrad", {"maximize": True}),
    ],
)
def test_foreach_moves_the_rows_of_sparse_gradients_as_a_loop_does(kind, options):
    ends = []
    for foreach in (False, True):
        tables = [minigrad.nn.Parameter(minigrad.arange(12.0).reshape(4, 3) / 10) for _ in range(2)]
        other = minigrad.nn.Parameter(minigrad.ones(3))
        optimizer = getattr(minigrad.optim, kind)([*tables, other], lr=0.1, foreach=foreach, **options)
        for _ in range(3):
            optimizer.zero_grad()
            rows = [
                minigrad.nn.functional.embedding(minigrad.tensor([0, 2, 2]), w, sparse=True) for w in tables
            ]
            (sum((r * other).square().sum() for r in rows)).backward()
            optimizer.step()
        ends.append([w.detach() for w in (*tables, other)])
    assert all(minigrad.equal(a, b) for a, b in zip(*ends))
    assert ends[0][0][1].tolist() == (minigrad.arange(3.0, 6.0) / 10).tolist()


def test_indices_of_any_dimension():
    dense = minigrad.arange(24.0).reshape(2, 3, 4) * (minigrad.arange(24).reshape(2, 3, 4) % 3 == 0)
    x = dense.to_sparse().requires_grad_()
    for index in [
        1,
        (slice(None), 1),
        (..., 2),
        (slice(None), -1, 3),
        (1, ..., 0),
        (None, 0),
        (0, None, 2),
        (1, 2, 3),
    ]:
        minigrad.testing.assert_close(x[index].to_dense(), dense[index])
    x[:, 1].to_dense().sum().backward()
    assert x.grad.to_dense()[:, 1].sum() == (dense[:, 1] != 0).sum() == x.grad.to_dense().sum()
    minigrad.testing.assert_close(minigrad.movedim(x, 0, -1).to_dense(), dense.movedim(0, -1))
    minigrad.testing.assert_close(x.movedim((0, 1), (1, 2)).to_dense(), dense.movedim((0, 1), (1, 2)))
    with pytest.raises(NotImplementedError, match="as_strided"):
        x[0:1]
    assert minigrad.ones_like(dense[0].to_sparse_csr()).values().tolist() == [1.0] * 3


def test_nodes_are_called_as_in_pytorch():
    dense = minigrad.eye(3, requires_grad=True)
    for layout in (minigrad.sparse_coo, minigrad.sparse_csr):
        x = minigrad.eye(3).to_sparse(layout=layout).requires_grad_()
        for found, name in [
            (x.t(), "T"),
            (x.mT, "Transpose"),
            (dense.to_sparse(1), "ToSparse"),
            (x.relu(), "Relu"),
            (x + x, "Add"),
            (x @ dense, "Mm"),
        ]:
            assert found.grad_fn.name() == f"{name}Backward0"
    assert dense.to_sparse().grad_fn.name() == x.to_sparse().grad_fn.name() == "ToSparseBackward1"


@pytest.mark.parametrize("with_scipy", [True, False])
@pytest.mark.parametrize("dtype", [minigrad.float32, minigrad.float64, minigrad.complex64, minigrad.float16])
def test_rows_are_added_where_they_repeat(monkeypatch, with_scipy, dtype):
    """A step of a table: the same with SciPy's kernel and without, one repetition after the other."""
    if with_scipy:
        pytest.importorskip("scipy")
    else:
        monkeypatch.setattr(scattering, "scipy_tools", lambda: None)
    minigrad.manual_seed(0)
    table = minigrad.nn.Parameter(minigrad.randn(4000, 5).to(dtype))
    index = minigrad.cat([minigrad.randint(0, 30, (200,)), minigrad.randint(0, 4000, (100,))])
    values = minigrad.randn(300, 5).to(dtype)
    expected = table.detach().clone()
    factor = minigrad.tensor(0.1).to(dtype)
    if dtype is minigrad.float16:  # the repetitions are summed first
        sums = minigrad.zeros(4000, 5).index_add(0, index, values.float()).to(dtype)
        expected -= sums * factor
    else:
        for at, row in zip(index.tolist(), values):
            expected[at] -= row * factor
    table.grad = minigrad.sparse_coo_tensor(index[None], values, table.shape)
    minigrad.optim.SGD([table], lr=0.1).step()
    tolerance = 2e-3 if dtype is minigrad.float16 else 1e-5
    minigrad.testing.assert_close(table.detach(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_rows_that_repeat_often_are_added_in_the_order_of_scipys_kernel(dtype, monkeypatch):
    pytest.importorskip("scipy")
    rng = np.random.default_rng(0)
    keys = np.concatenate([rng.integers(0, 9, 300), np.full(150, 4)])
    for shape in ((), (1,), (3,), (2, 2)):
        values = rng.standard_normal((len(keys), *shape)).astype(dtype)
        array = Coo(keys[None], values, (10, *shape))
        start = rng.standard_normal((10, *shape)).astype(dtype)
        for ufunc in (np.add, np.subtract):
            monkeypatch.undo()
            fast = add_into(start.copy(), array, ufunc)
            monkeypatch.setattr(scattering, "scipy_tools", lambda: None)
            assert fast.tobytes() == add_into(start.copy(), array, ufunc).tobytes()


def test_rows_that_are_not_there_are_refused():
    pytest.importorskip("scipy")
    for key in (-1, 3):
        with pytest.raises(IndexError, match="out of bounds"):
            scattering.add_rows(np.zeros((3, 2), np.float32), np.array([key]), np.ones((1, 2), np.float32), 1)


def test_gradients_that_are_not_coalesced_count_in_full():
    """Two elements of a gradient at one place are both of it."""
    x = minigrad.sparse_coo_tensor([[0, 2, 0]], [1.0, 2.0, 4.0], (3,)).requires_grad_()
    for function, factor in ((lambda x: x * 2, 2.0), (lambda x: -x, -1.0), (lambda x: x + x, 2.0)):
        y = function(x)
        (found,) = minigrad.autograd.grad(y, x, grad_outputs=y.detach())
        assert found.to_dense().tolist() == [5 * factor**2, 0, 2 * factor**2]


@pytest.mark.parametrize(
    "result",
    [
        lambda x: x.index_select(0, minigrad.tensor([1, 0])),
        lambda x: x.unsqueeze(0),
        lambda x: minigrad.smm(x, minigrad.ones(2, 2)),
    ],
)
def test_results_that_are_not_known_to_be_coalesced(result):
    x = minigrad.sparse_coo_tensor(I, minigrad.ones(3), (2, 2)).coalesce()
    assert not result(x).is_coalesced()


@pytest.mark.filterwarnings("ignore:.*not writable")
def test_a_sparse_tensor_is_not_added_to_memory_that_is_read_only():
    array = np.zeros(3, np.float32)
    array.flags.writeable = False
    x = minigrad.from_numpy(array)
    for summand in (minigrad.sparse_coo_tensor([[0, 2]], minigrad.ones(2), (3,)), minigrad.ones(3)):
        with pytest.raises(ValueError, match="(array|destination) is read-only"):
            x.add_(summand)
    assert not array.any()


@pytest.mark.parametrize("as_archive", [True, False])
def test_indices_in_files_are_checked(as_archive):
    bad = [
        minigrad.sparse_coo_tensor([[5, 0]], [1.0, 2.0], (2,), check_invariants=False),
        minigrad.sparse_coo_tensor([[1, 0]], [1.0, 2.0], (2,), is_coalesced=True, check_invariants=False),
        minigrad.sparse_csr_tensor([0, 1, 2], [0, 5], [1.0, 2.0], (2, 2), check_invariants=False),
    ]
    for x in bad:
        file = io.BytesIO()
        minigrad.save(x, file, _use_new_zipfile_serialization=as_archive)
        file.seek(0)
        with pytest.raises(
            RuntimeError, match="size is inconsistent|cannot set is_coalesced|is not satisfied"
        ):
            minigrad.load(file)
    with pytest.raises(RuntimeError, match="cannot set is_coalesced to true"):
        minigrad.sparse_coo_tensor([[1, 0]], [1.0, 2.0], (2,), is_coalesced=True)


def test_gather_has_a_sparse_gradient_of_a_leaf():
    x = minigrad.arange(6.0).reshape(2, 3).requires_grad_()
    index = minigrad.tensor([[2, 2], [0, 1]])
    pick = lambda x: minigrad.gather(x, 1, index, sparse_grad=True)
    (first,) = minigrad.autograd.grad((pick(x) ** 2).sum(), x, create_graph=True)
    assert first._indices().tolist() == [[0, 0, 1, 1], [2, 2, 0, 1]] and first._values().tolist() == [
        4,
        4,
        6,
        8,
    ]
    (second,) = minigrad.autograd.grad(first.to_dense().sum(), x)
    assert second.to_dense().tolist() == [[0, 0, 4], [2, 2, 0]]
    pick(x * 2).sum().backward()  # what is no leaf has a dense one
    assert x.grad.tolist() == [[0, 0, 4], [2, 2, 0]]
    assert minigrad.vmap(lambda x: minigrad.gather(x, 0, index[0], sparse_grad=True))(x).shape == (2, 2)


@pytest.mark.parametrize("mode", ["sum", "mean"])
def test_indices_after_the_last_offset_are_in_no_bag(mode):
    grads = []
    for sparse in (False, True):
        bags = minigrad.nn.EmbeddingBag(
            6, 2, sparse=sparse, include_last_offset=True, mode=mode, padding_idx=4
        )
        index, offsets = minigrad.tensor([0, 1, 1, 5, 4, 3, 0]), minigrad.tensor([0, 2, 5])
        (bags(index, offsets) * minigrad.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
        grads.append(bags.weight.grad.to_dense())
    assert grads[0].equal(grads[1]) and not grads[0][3].any()


def test_a_sparse_vector_is_a_factor_on_either_side():
    x = minigrad.sparse_coo_tensor([[0, 2]], [3.0, 5.0], (3,)).requires_grad_()
    left, right = minigrad.ones(2, 3, requires_grad=True), minigrad.ones(3, 2, requires_grad=True)
    ((left @ x) + (x @ right)).sum().backward()
    assert left.grad.to_dense().tolist() == [[3, 0, 5]] * 2 and right.grad.tolist() == [
        [3, 3],
        [0, 0],
        [5, 5],
    ]
    assert x.grad.to_dense().tolist() == [4, 4, 4]


@pytest.mark.parametrize("layer", ["Embedding", "EmbeddingBag"])
def test_rows_are_taken_even_if_their_sparse_gradient_cannot_be_scaled(layer):
    mode = {"mode": "sum"} if layer == "EmbeddingBag" else {}
    table = getattr(minigrad.nn, layer)(4, 2, sparse=True, scale_grad_by_freq=True, **mode)
    found = table(minigrad.tensor([[0, 1]]))
    assert found.grad_fn.name() == f"{layer}Backward0"
    with pytest.raises(RuntimeError, match="scale_grad_by_freq not supported with sparse gradients"):
        found.sum().backward()


@pytest.mark.parametrize(
    ("make", "bounds", "along", "size", "words"),
    [
        ("csr", [0, 1], [0, 1], (2, 2), r"equal to the number of rows \+ 1 \(=3\), but got 2"),
        ("csc", [0, 1], [0, 1], (2, 2), r"equal to the number of columns \+ 1 \(=3\)"),
        ("bsr", [0, 1], [0, 1], (4, 4), r"equal to the number of row blocks \+ 1 \(=3\)"),
        ("bsc", [0, 1], [0, 1], (4, 4), r"equal to the number of column blocks \+ 1 \(=3\)"),
        ("csr", [0, 2, 2], [1, 0], (2, 2), r"for all i = 1, \.\.\., nrows are sorted and distinct"),
        ("bsc", [0, 2, 2], [1, 0], (4, 4), r"for all i = 1, \.\.\., ncols are sorted and distinct"),
        ("bsr", [0, 1, 2], [0, 5], (4, 4), r"`0 <= col_indices < ncols` is not satisfied"),
        (
            "bsr",
            [0, 1, 2],
            [0, 1],
            (4, 5),
            r"tensor shape\[1\] \(=5\) must be divisible with blocksize\[1\] \(=2\)",
        ),
        ("bsc", [0, 1, 2], [0, 1], (5, 4), r"tensor shape\[0\] \(=5\) must be divisible with blocksize\[0\]"),
    ],
)
def test_indices_that_do_not_fit_are_told_in_pytorchs_words(make, bounds, along, size, words):
    values = minigrad.ones(2, 2, 2) if make[0] == "b" else minigrad.ones(2)
    with pytest.raises(RuntimeError, match=words):
        getattr(minigrad, f"sparse_{make}_tensor")(bounds, along, values, size)
