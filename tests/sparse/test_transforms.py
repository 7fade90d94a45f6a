"""Sparse tensors inside of ``vmap``, forward mode and reverse mode: the numbers are those of dense ones, and what has no form is refused."""

import pytest

import minigrad as torch
from minigrad.func import grad, hessian, jacfwd, jacrev, jvp, vjp, vmap

DENSE = torch.tensor([[1.0, 0, 2], [0, 0, 3], [4, 0, 0]])
BATCH = torch.arange(18.0).reshape(2, 3, 3)
V = torch.tensor([1.0, 2.0, 3.0])
#: Functions of a matrix, sparse or dense.
PROGRAMS = {
    "a @ x": lambda a: vmap(lambda x: a @ x)(BATCH),
    "x @ a": lambda a: vmap(lambda x: x @ a)(BATCH),
    "mv": lambda a: vmap(lambda x: a.mv(x))(DENSE),
    "addmm": lambda a: vmap(lambda x: torch.addmm(x, a, x))(BATCH),
    "linear": lambda a: vmap(lambda x: torch.nn.functional.linear(x, a))(BATCH),
    "two batches": lambda a: vmap(vmap(lambda x: a @ x))(BATCH),
    "jvp": lambda a: jvp(lambda x: a @ x, (DENSE,), (BATCH[1],))[1],
    "jacfwd": lambda a: jacfwd(lambda x: a @ x)(V),
    "jacrev": lambda a: jacrev(lambda x: (a @ x).sin())(V),
    "hessian": lambda a: hessian(lambda x: (a @ (x * x)).pow(2).sum())(V),
    "grad inside of vmap": lambda a: vmap(grad(lambda x: (a @ x).pow(2).sum()))(DENSE),
    "vmap inside of grad": lambda a: grad(lambda x: vmap(lambda y: a @ y)(x).pow(2).sum())(DENSE),
    "to the matrix": lambda a: grad(lambda a: (a @ DENSE).sum())(a),
    "to the matrix, from a vector": lambda a: vjp(lambda a: a @ V, a)[1](V)[0],
    "to the matrix, of its dense form": lambda a: grad(lambda a: (a.to_dense() * DENSE).pow(2).sum())(a),
    "the matrix's rows": lambda a: jacrev(lambda a: a @ V)(a),
}  # fmt: skip


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr, torch.sparse_csc])
def test_transforms_give_what_dense_matrices_give(layout):
    a = DENSE.to_sparse(layout=layout)
    for name, program in PROGRAMS.items():
        found, expected = program(a), program(DENSE)
        torch.testing.assert_close(found.to_dense(), expected, msg=lambda text, name=name: f"{name}: {text}")


def test_gradients_of_leaves_inside_of_vmap():
    a = DENSE.to_sparse().requires_grad_()
    weight = DENSE.clone().requires_grad_()
    vmap(lambda x: a @ x)(BATCH).pow(2).sum().backward()
    vmap(lambda x: weight @ x)(BATCH).pow(2).sum().backward()
    torch.testing.assert_close(a.grad.to_dense(), weight.grad * (DENSE != 0))


def test_gradients_of_tables_are_sparse():
    index = torch.tensor([0, 2, 0])
    found = grad(lambda w: torch.nn.functional.embedding(index, w, sparse=True).sum())(DENSE)
    assert found.layout is torch.sparse_coo
    assert found.to_dense().tolist() == [[2, 2, 2], [0, 0, 0], [1, 1, 1]]
    rows = vmap(lambda i: torch.nn.functional.embedding(i, DENSE, sparse=True))(index.reshape(3, 1))
    torch.testing.assert_close(rows, DENSE[index].unsqueeze(1))


def test_a_batch_of_sparse_samples():
    a = DENSE.to_sparse()
    assert vmap(lambda x: x * 2)(a).layout is torch.sparse_coo
    torch.testing.assert_close(vmap(lambda x: x.to_dense() + V)(a), DENSE + V)


A = DENSE.to_sparse()


@pytest.mark.parametrize(
    "call",
    [
        lambda: vmap(lambda x: x.to_sparse())(DENSE),
        lambda: vmap(lambda x: torch.sparse_coo_tensor([[0, 1, 2]], x, (3,)))(DENSE),
        lambda: vmap(lambda x: torch.hspmm(A, x))(BATCH),
        lambda: vmap(lambda x: x.sparse_mask(A))(BATCH),
        lambda: vmap(lambda x: A * x)(BATCH),
        lambda: vmap(lambda x: x * A)(BATCH),
        lambda: vmap(lambda x: x + A)(BATCH),
        lambda: jvp(lambda x: (A * x).to_dense(), (DENSE,), (DENSE,)),
        lambda: jvp(lambda x: x.to_sparse().to_dense(), (DENSE,), (DENSE,)),
    ],
)
def test_sparse_tensors_are_not_made_inside_of_transforms(call):
    with pytest.raises(NotImplementedError):
        call()


def test_batches_of_compressed_samples_are_refused():
    with pytest.raises(RuntimeError, match="Sparse CSR tensors do not have strides"):
        vmap(lambda x: x * 2)(DENSE.to_sparse_csr())
