"""Sums of products over chosen axes at their awkward points: lists of numbers, lengths of one, the cheapest order, what is refused."""

import warnings

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients


def rand(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).uniform(-2, 2, shape)


def test_einsum_by_lists_of_numbers():
    x, y = torch.tensor(rand(2, 3)), torch.tensor(rand(3, 4))
    np.testing.assert_array_equal(torch.einsum(x, [0, 1], y, [1, 2], [2, 0]).numpy(), (x @ y).mT.numpy())
    np.testing.assert_array_equal(torch.einsum(x, [0, 1], y, [1, 2]).numpy(), (x @ y).numpy())
    assert torch.einsum(x, [..., 1], y, [1, 0], [..., 0]).shape == (2, 4)


def test_a_length_of_one_broadcasts():
    x, y = rand(1, 3), rand(2, 3)
    np.testing.assert_allclose(
        torch.einsum("ij,ij->i", torch.tensor(x), torch.tensor(y)).numpy(), (x * y).sum(1)
    )
    x, y = rand(2, 1), rand(4, 5)
    np.testing.assert_allclose(
        torch.einsum("ij,jk->ik", torch.tensor(x), torch.tensor(y)).numpy(), x @ y.sum(0, keepdims=True)
    )


#: Equations of three operands and more, with the operands' shapes.
CHAINS = {
    "ij,jk,kl->il": [(2, 3), (3, 4), (4, 5)],
    "i,j,k": [(2,), (3,), (4,)],
    "...ij,...jk,kl": [(7, 2, 3), (1, 3, 4), (4, 5)],
    "ij,ij,ij->": [(2, 3)] * 3,
    "ij,jk,k->i": [(2, 3), (1, 4), (4,)],
    "ab,bc,cd,de,ea": [(2, 30), (30, 4), (4, 20), (20, 3), (3, 2)],
    "ij,jk,kl->l": [(2, 0), (0, 4), (4, 5)],
}


@pytest.mark.parametrize("enabled", [False, True])
@pytest.mark.parametrize("equation", CHAINS)
def test_several_operands_in_any_order(equation, enabled):
    """From left to right, and as ``opt_einsum`` orders them."""
    if enabled:
        pytest.importorskip("opt_einsum")
    arrays = [rand(*shape, seed=i) for i, shape in enumerate(CHAINS[equation])]
    with torch.backends.opt_einsum.flags(enabled=enabled):
        found = torch.einsum(equation, *map(torch.tensor, arrays))
    np.testing.assert_allclose(found.numpy(), np.einsum(equation, *arrays), rtol=1e-10)


def test_opt_einsum_is_asked_for_the_order():
    pytest.importorskip("opt_einsum")
    shapes = [(2, 30), (30, 1), (1, 20), (20, 3)]
    z = torch.einsum("ab,bc,cd,de", *(torch.ones(shape, requires_grad=True) for shape in shapes))
    with torch.backends.opt_einsum.flags(enabled=False):
        in_turn = torch.einsum("ab,bc,cd,de", *(torch.ones(shape, requires_grad=True) for shape in shapes))
    assert torch.equal(z, in_turn)
    depths = []
    for node in (z.grad_fn, in_turn.grad_fn):
        products, nodes = [], [(node, 0)]
        while nodes:
            node, depth = nodes.pop()
            depth += node.name() == "BmmBackward0" or node.name() == "MmBackward0"
            products.append(depth)
            nodes += [(child, depth) for child, _ in node.next_functions if child is not None]
        depths.append(max(products))
    assert depths == [2, 3]  # (A B) (C D) instead of ((A B) C) D


Z = torch.zeros


@pytest.mark.parametrize(
    "args, error, message",
    [
        (("ij,jk", Z(2, 3)), RuntimeError, "fewer operands were provided than specified"),
        (("ij", Z(2, 3), Z(2, 3)), RuntimeError, "more operands were provided than specified"),
        (("ij", Z(2)), RuntimeError, r"the number of subscripts in the equation \(2\) does not match"),
        (("ij->ijk", Z(2, 3)), RuntimeError, "output subscript k does not appear"),
        (("ij,jk->ik", Z(2, 3), Z(4, 5)), RuntimeError, "subscript j has size 4 for operand 1"),
        (("i1", Z(2, 3)), RuntimeError, "invalid subscript given at index 1"),
        (("ij->i-j", Z(2, 3)), RuntimeError, "invalid subscript given at index 5"),
        (("ii", Z(2, 3)), RuntimeError, "subscript i is repeated for operand 0 but the sizes don't match, 3 != 2"),
        (("ij->ii", Z(2, 3)), RuntimeError, "output subscript i appears more than once"),
        (("..i", Z(2, 3)), RuntimeError, "found '.' for operand 0 that is not part of any ellipsis"),
        (("...i...", Z(2, 3)), RuntimeError, "an ellipsis was already found"),
        (("...,...", Z(2, 3), Z(4)), RuntimeError, "covered by ellipsis in operand 1has size 4"),
        (("",), ValueError, "must specify the equation string and at least one operand"),
        (("ij", 3), TypeError, "expected Tensor as element 0 in argument 1, but got int"),
        (([Z(2, 3)], [0, 1]), TypeError, r"argument 'equation' \(position 1\) must be str, not list"),
        ((Z(2, 3), [0, 60]), ValueError, r"not within the valid range \[0, 52\)"),
        (("ij,jk", Z(2, 3), Z(3, 4).double()), RuntimeError, "expected scalar type Float but found Double"),
    ],
)  # fmt: skip
def test_einsum_refuses(args, error, message):
    with pytest.raises(error, match=message):
        torch.einsum(*args)


@pytest.mark.parametrize(
    "args, message",
    [
        ((Z(2, 3), Z(4, 4), 1), "contracted dimensions need to match, but first has size 3 in dim -1"),
        ((Z(2, 3), Z(3, 4), -1), "expects dims >= 0"),
        ((Z(2, 3), Z(3, 4), 3), "expects dims < ndim_a or ndim_b"),
        ((Z(2, 3), Z(3, 4), ([1, 0], [0])), "both dimension lists should have same length"),
        ((Z(2, 3), Z(3, 4).double(), 1), "both inputs should have same dtype"),
        ((Z(2, 3), Z(3, 2), ([1, 1], [0, 0])), "dim 1 appears multiple times"),
    ],
)
def test_tensordot_refuses(args, message):
    with pytest.raises(RuntimeError, match=message):
        torch.tensordot(*args)


def test_chain_matmul_takes_the_cheapest_order():
    arrays = [rand(2, 30, seed=0), rand(30, 1, seed=1), rand(1, 20, seed=2), rand(20, 3, seed=3)]
    with pytest.warns(UserWarning, match="chain_matmul is deprecated"):
        z = torch.chain_matmul(*(torch.tensor(a, requires_grad=True) for a in arrays))
    np.testing.assert_allclose(z.detach().numpy(), np.linalg.multi_dot(arrays), rtol=1e-10)
    left, right = (node for node, _ in z.grad_fn.next_functions)
    assert type(left).__name__ == type(right).__name__ == "MmBackward0"  # (A B) (C D)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(RuntimeError, match="Expected one or more matrices"):
            torch.chain_matmul()
        with pytest.raises(
            RuntimeError, match=r"tensors 0 and 1 with shapes \[2, 3\] and \[4, 3\] cannot be multiplied"
        ):
            torch.chain_matmul(Z(2, 3), Z(4, 3))


def test_bilinear():
    x, y, w, b = rand(4, 2), rand(4, 3), rand(5, 2, 3), rand(5)
    z = torch.bilinear(*map(torch.tensor, (x, y, w, b)))
    np.testing.assert_allclose(z.numpy(), np.einsum("bi,kij,bj->bk", x, w, y) + b)
    check_gradients(torch.bilinear, x, y, w, b)
    with pytest.raises(RuntimeError, match="input batch dimensions do not match at dim 0: got 2 and 3"):
        torch.bilinear(Z(2, 3), Z(3, 4), Z(5, 3, 4))
    with pytest.raises(RuntimeError, match="input1 size does not match weight size: got 3 but expected 2"):
        torch.bilinear(Z(2, 3), Z(2, 4), Z(5, 2, 4))


def test_tensordot_of_small_integers_sums_in_their_dtype():
    x, y = torch.full((1, 2), 3, dtype=torch.uint8), torch.full((4, 2), 50, dtype=torch.uint8)
    found = torch.tensordot(x, y, dims=([0], [0]))
    assert found.dtype is torch.uint8 and found.tolist() == [[600 % 256] * 2] * 2
