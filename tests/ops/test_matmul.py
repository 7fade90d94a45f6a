"""Products of vectors, matrices and stacks, ``linear``: nodes, memory, old orders of arguments, biases that broadcast, what is refused."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.nn.functional import linear
from tests.numeric import check_gradients


def rand(*shape, seed=0, dtype=np.float64):
    rng = np.random.default_rng([seed, *shape])
    array = rng.uniform(-2, 2, shape)
    return (array + 1j * rng.uniform(-2, 2, shape) if dtype == np.complex128 else array).astype(dtype)


SUMS = {
    "addmm": (lambda b, x, y: x @ y, [(4,), (2, 3), (3, 4)]),
    "addmv": (lambda b, x, y: x @ y, [(2,), (2, 3), (3,)]),
    "addr": (lambda b, x, y: np.outer(x, y), [(2, 1), (2,), (3,)]),
    "addbmm": (lambda b, x, y: (x @ y).sum(0), [(4,), (5, 2, 3), (5, 3, 4)]),
    "baddbmm": (lambda b, x, y: x @ y, [(2, 4), (5, 2, 3), (5, 3, 4)]),
}


@pytest.mark.parametrize("name", SUMS)
def test_beta_of_zero_ignores_nan(name):
    product, shapes = SUMS[name]
    arrays = [rand(*shape, seed=i) for i, shape in enumerate(shapes)]
    arrays[0][...] = np.nan
    z = getattr(torch, name)(*map(torch.tensor, arrays), beta=0)
    np.testing.assert_allclose(z.numpy(), product(*arrays), rtol=1e-12)


@pytest.mark.parametrize("name", SUMS)
def test_the_oldest_orders_of_arguments(name):
    _, shapes = SUMS[name]
    b, x, y = (torch.tensor(rand(*shape, seed=i)) for i, shape in enumerate(shapes))
    function, method = getattr(torch, name), getattr(b, name)
    expected = function(b, x, y, beta=0.5, alpha=-3)
    with pytest.warns(UserWarning, match=f"This overload of {name} is deprecated"):
        assert torch.equal(function(0.5, b, -3, x, y), expected)
    with pytest.warns(UserWarning):
        assert torch.equal(method(0.5, -3, x, y), expected)
    expected = function(b, x, y, beta=0.5)
    with pytest.warns(UserWarning):
        assert torch.equal(function(0.5, b, x, y), expected) and torch.equal(method(0.5, x, y), expected)
    with pytest.raises(TypeError):
        function(b, x, y, 0.5, 2)


def test_addbmm_in_place_grows_where_it_broadcasts():
    x = torch.ones(1)
    assert x.addbmm_(torch.ones(2, 3, 4), torch.ones(2, 4, 5)) is x
    assert x.shape == (3, 5)
    leaf = torch.ones(1, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        leaf.addbmm_(torch.ones(2, 3, 4), torch.ones(2, 4, 5))


@pytest.mark.parametrize("bias_shape", [(), (1,), (4,), (1, 4), (2, 4), (2, 1)], ids=str)
def test_linear_with_a_bias_that_broadcasts(bias_shape):
    arrays = [rand(2, 3), rand(4, 3, seed=1), rand(*bias_shape, seed=2)]
    np.testing.assert_allclose(
        linear(*map(torch.tensor, arrays)).numpy(), arrays[0] @ arrays[1].T + arrays[2]
    )
    check_gradients(linear, *arrays)


def test_linear_with_a_vector_as_weight():
    check_gradients(linear, rand(2, 3), rand(3))
    check_gradients(linear, rand(3), rand(3), rand())


def graph(tensor):
    """The names of a tensor's node and of those before it."""
    node = tensor.grad_fn
    names = [type(end).__name__ for end, _ in node.next_functions if end is not None]
    return type(node).__name__, names


def test_nodes_have_pytorchs_names():
    x, w, b, v = (torch.ones(*shape, requires_grad=True) for shape in ((2, 3), (4, 3), (4,), (3,)))
    leaf = "AccumulateGrad"
    assert graph(linear(x, w, b)) == ("AddmmBackward0", [leaf] * 3)
    assert graph(linear(x, w)) == ("MmBackward0", [leaf] * 2)
    assert graph(linear(x[None], w, b))[0] == "ViewBackward0"
    assert graph(linear(x[None], w))[0] == "UnsafeViewBackward0"
    assert graph(x @ w.mT)[0] == "MmBackward0"
    assert graph(x @ v) == ("MvBackward0", [leaf] * 2)
    assert graph(v @ v)[0] == "DotBackward0"
    assert graph(v @ x.mT)[0] == "SqueezeBackward4"
    assert graph(x[None] @ w.mT)[0] == "UnsafeViewBackward0"
    assert graph(torch.bmm(x[None], w.mT[None]))[0] == "BmmBackward0"
    assert graph(torch.addmm(b, x, w.mT))[0] == "AddmmBackward0"
    assert graph(torch.baddbmm(b, x[None], w.mT[None]))[0] == "BaddbmmBackward0"
    assert graph(torch.outer(v, b))[0] == "MulBackward0"


def test_saved_values():
    x, w, b = (torch.ones(*shape, requires_grad=True) for shape in ((2, 3), (4, 3), (4,)))
    node = linear(x, w, b).grad_fn
    assert node._saved_mat1 is x
    assert (node._saved_alpha, node._saved_beta) == (1, 1)
    node = torch.mm(x, w.mT.detach()).grad_fn
    assert node._saved_mat2 is not None
    assert node._saved_self is None  # the gradient of mat2 is not wanted


def test_linear_saves_only_what_backward_needs():
    data, weight = torch.ones(2, 3), torch.ones(4, 3, requires_grad=True)
    node = linear(data, weight, torch.ones(4, requires_grad=True)).grad_fn
    assert node._saved_mat2 is None  # only the gradient of the data would need it
    assert node._saved_mat1 is data


def test_modifying_a_saved_operand_is_noticed():
    x, w, b = torch.ones(2, 3), torch.ones(4, 3, requires_grad=True), torch.ones(4, requires_grad=True)
    z = linear(x, w, b)
    x.add_(1)
    with pytest.raises(
        RuntimeError, match=r"modified by an inplace operation: \[torch.FloatTensor \[2, 3\]\]"
    ):
        z.sum().backward()


def test_a_second_backward_raises():
    w = torch.ones(4, 3, requires_grad=True)
    z = linear(torch.ones(2, 3), w).sum()
    z.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        z.backward()


def test_half_precision_sums_in_single():
    x = torch.full((1, 4096), 1.0, dtype=torch.float16)
    y = torch.full((4096, 1), 0.5, dtype=torch.float16)
    assert (x @ y).item() == 2048
    assert torch.bmm(x[None], y[None]).item() == 2048


def test_operators_refuse_what_is_no_tensor():
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for @: 'Tensor' and 'int'"):
        torch.ones(2, 2) @ 3
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for @: 'int' and 'Tensor'"):
        3 @ torch.ones(2, 2)


Z = torch.zeros
REFUSED = [
    ("mm", (Z(2, 3), Z(4, 5)), RuntimeError, r"mat1 and mat2 shapes cannot be multiplied \(2x3 and 4x5\)"),
    ("mm", (Z(3), Z(3, 4)), RuntimeError, "self must be a matrix"),
    ("mm", (Z(2, 3), Z(3)), RuntimeError, "mat2 must be a matrix"),
    ("mm", (Z(2, 3), Z(3, 4).double()), RuntimeError, "same dtype, but got: float != double"),
    ("mm", (Z(2, 3).bool(), Z(3, 4).bool()), NotImplementedError, "\"addmm_impl_cpu_\" not implemented for 'Bool'"),
    ("mm", (Z(2, 3), 3), TypeError, r"mm\(\): argument 'mat2' \(position 2\) must be Tensor, not int"),
    ("bmm", (Z(2, 3), Z(4, 5)), RuntimeError, "batch1 must be a 3D tensor"),
    ("bmm", (Z(2, 2, 3), Z(3, 3, 4)), RuntimeError, r"batch2 tensor to be: \[2, 3\] but got: \[3, 3\]"),
    ("bmm", (Z(2, 2, 3), Z(2, 3, 4).double()), RuntimeError, "expected scalar type Float but found Double"),
    ("mv", (Z(2, 3), Z(4)), RuntimeError, r"size mismatch, got input \(2\), mat \(2x3\), vec \(4\)"),
    ("mv", (Z(2, 3), Z(3, 4)), RuntimeError, r"vector \+ matrix @ vector expected, got 1, 2, 2"),
    ("dot", (Z(3), Z(4)), RuntimeError, "inconsistent tensor size"),
    ("dot", (Z(3), Z(3, 4)), RuntimeError, "1D tensors expected, but got 1D and 2D tensors"),
    ("dot", (Z(3), Z(3).double()), RuntimeError, "same dtype, but found Float and Double"),
    ("matmul", (Z(()), Z(3)), RuntimeError, "at least 1D, but they are 0D and 1D"),
    ("matmul", (Z(5, 2, 3), Z(4, 5)), RuntimeError, r"\(10x3 and 4x5\)"),
    ("matmul", (Z(5, 2, 3), Z(4, 3, 2)), RuntimeError, r"a \(5\) must match the size of tensor b \(4\)"),
    ("matmul", (Z(5, 2, 3), Z(5, 4, 2)), RuntimeError, r"to be: \[5, 3\] but got: \[5, 4\]"),
    ("matmul", (Z(2, 3), 3), TypeError, r"argument 'other' \(position 2\) must be Tensor, not int"),
    ("outer", (Z(3, 2), Z(3)), RuntimeError, "outer: Expected 1-D argument self, but got 2-D"),
    ("inner", (Z(3), Z(4)), RuntimeError, "the last dimension must match"),
    ("addmm", (Z(5), Z(2, 3), Z(3, 4)), RuntimeError, r"expanded size of the tensor \(4\) must match the existing size \(5\)"),
    ("addmm", (Z(4), Z(2, 3), Z(3)), RuntimeError, "mat2 must be a matrix, got 1-D tensor"),
    ("addmm", (Z(4).double(), Z(2, 3), Z(3, 4)), RuntimeError, "self and mat2 must have the same dtype"),
    ("addr", (Z(2, 4), Z(2), Z(3)), RuntimeError, "expanded size"),
    ("addbmm", (Z(2, 4), Z(5, 2, 3), Z(4, 3, 4)), RuntimeError, "same number of batches, got 5 and 4"),
    ("baddbmm", (Z(3), Z(5, 2, 3), Z(5, 3, 4)), RuntimeError, "non-singleton dimension 2"),
]  # fmt: skip


@pytest.mark.parametrize("name, operands, error, message", REFUSED)
def test_refused(name, operands, error, message):
    with pytest.raises(error, match=message):
        getattr(torch, name)(*operands)


@pytest.mark.parametrize(
    "operands, message",
    [
        ((Z(2, 3), Z(4, 5), Z(4)), r"mat1 and mat2 shapes cannot be multiplied \(2x3 and 5x4\)"),
        ((Z(5, 2, 3), Z(4, 2), Z(4)), r"\(10x3 and 2x4\)"),
        ((Z(2, 3), Z(4, 3), Z(5)), r"expanded size of the tensor \(4\) must match the existing size \(5\)"),
        ((Z(()), Z(4, 3)), "both arguments to linear need to be at least 1D, but they are 0D and 2D"),
        ((Z(2, 3), Z(2, 4, 3)), "expects a tensor with <= 2 dimensions, but self is 3D"),
        ((Z(2, 3), Z(4, 3).double()), "same dtype, but got: float != double"),
        ((Z(2, 3), Z(4, 3), Z(4).double()), "self and mat2 must have the same dtype, but got Double and Float"),
    ],
)  # fmt: skip
def test_linear_refuses(operands, message):
    with pytest.raises(RuntimeError, match=message):
        linear(*operands)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_gradients_of_an_inner_product_with_a_number(dtype):
    check_gradients(torch.inner, rand(dtype=dtype), rand(4, 3, seed=1, dtype=dtype))


@pytest.mark.parametrize("name", ["addmm", "addmv", "addr", "addbmm", "baddbmm"])
def test_in_place_sums(name):
    product, shapes = SUMS[name]
    x, y = (torch.tensor(rand(*shape, seed=i)) for i, shape in enumerate(shapes[1:], 1))
    start = torch.tensor(np.ones_like(product(None, x.numpy(), y.numpy())))
    leaf = start.clone().requires_grad_()
    z = leaf * 1
    same = getattr(z, name + "_")(x, y, beta=2, alpha=3)
    assert same is z
    expected = getattr(torch, name)(start, x, y, beta=2, alpha=3)
    np.testing.assert_allclose(z.detach().numpy(), expected.numpy())
    z.sum().backward()
    np.testing.assert_array_equal(leaf.grad.numpy(), np.full(leaf.shape, 2.0))
