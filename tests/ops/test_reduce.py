"""Sums, means, products, extremes, moments, norms at their awkward points: large arrays, nodes, dtypes, corners, what is refused."""

import itertools
import math

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients

inf, nan = float("inf"), float("nan")


def apart(*shape, seed=0):
    """Numbers no two of which are near each other, in random order."""
    n = int(np.prod(shape))
    return (np.random.default_rng(seed).permutation(n) * 0.3 + 0.11 - n * 0.15).reshape(shape)


def leaf(values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


def grad_of(function, values):
    x = leaf(values)
    (g,) = torch.autograd.grad(function(x).sum(), x)
    return g.tolist()


def equal(tensor, expected):
    np.testing.assert_array_equal(tensor.detach().numpy(), np.asarray(expected))


def test_large_float32_sums_are_as_exact_as_pairwise_ones():
    x = np.random.default_rng(0).uniform(0.0, 1.0, (3, 70001)).astype("float32")
    exact = x.astype("float64")
    for tensor, dim in ((torch.tensor(x), 1), (torch.tensor(np.ascontiguousarray(x.T)), 0)):
        error = np.abs(tensor.sum(dim).numpy() - exact.sum(1)) / exact.sum(1)
        assert error.max() < 5e-7
    assert abs(torch.tensor(x).sum().item() - exact.sum()) / exact.sum() < 5e-7


@pytest.mark.parametrize(
    "shape", [(70, 3), (3, 70), (2, 40, 3), (5, 1300), (1300, 5), (2, 3, 20, 30), (1025,), (2, 600, 2)]
)
def test_sums_of_every_layout_agree(shape):
    x = np.random.default_rng(0).normal(size=shape)
    n = len(shape)
    axes = [None, *range(n), *((a, b) for a in range(n) for b in range(a + 1, n)), tuple(range(n))]
    for array in (x, np.asfortranarray(x), x[::-1]):
        for axis in axes:
            for keepdim in (False, True):
                got = torch.from_numpy(array.copy(order="K")).sum(axis, keepdim).numpy()
                expected = np.sum(array, axis=axis, keepdims=keepdim)
                assert got.shape == expected.shape
                np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("shape", [(1000, 5), (1000, 3), (701, 7), (2000, 1), (64, 64)])
def test_extremes_of_tall_arrays(shape):
    x = np.random.default_rng(0).normal(size=shape)
    equal(torch.tensor(x).amax(0), x.max(0))
    equal(torch.tensor(x).amin(0, True), x.min(0, keepdims=True))
    x[5, 0] = nan
    equal(torch.tensor(x).amax(0), x.max(0))


# Overloads, names, dtypes ----------------------------------------------------------------------------------------------


def test_nodes_are_named_after_the_overload():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    made = {
        "Sum": "x.sum() x.sum(0)", "Mean": "x.mean() x.mean(0)", "Prod": "x.prod() x.prod(0)", "Max": "x.max(0)[0] x.max()",
        "Min": "x.min(0)[0] x.min()", "Amax": "x.amax()", "Amin": "x.amin(0)", "Aminmax": "x.aminmax()[0]", "Std": "x.std()",
        "Var": "x.var(0)", "StdMean": "torch.std_mean(x)[0]", "VarMean": "torch.var_mean(x)[1]", "Logsumexp": "x.logsumexp(0)",
        "Nansum": "x.nansum()", "Div": "x.nanmean()", "LinalgVectorNorm": "x.norm()",
    }  # fmt: skip
    for name, expressions in made.items():
        for number, expression in enumerate(expressions.split()):
            z = eval(expression, {"torch": torch, "x": x})
            assert type(z.grad_fn).__name__ == f"{name}Backward{number}"
    assert x.argmax().grad_fn is None and not x.argmax().requires_grad
    assert not x.max(0).indices.requires_grad


def test_saved_values_have_pytorch_names():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    assert x.sum(0).grad_fn._saved_self_sym_sizes == (2, 2)
    assert x.mean().grad_fn._saved_self_sym_numel == 4
    equal(x.amax(1).grad_fn._saved_result, [2.0, 4.0])
    equal(x.max(1).values.grad_fn._saved_indices, [1, 1])
    assert x.std(0, correction=0).grad_fn._saved_correction == 0
    assert x.norm(3).grad_fn._saved_ord == 3


def test_numpy_names_of_arguments():
    x = torch.tensor([[1.0, 5.0], [3.0, 4.0]])
    for name in ("sum", "mean", "prod", "amax", "argmax", "logsumexp", "std", "all", "nansum"):
        function = getattr(torch, name)
        equal(function(x, axis=1, keepdims=True), function(x, dim=1, keepdim=True))
    assert x.max(axis=0).indices.tolist() == [1, 0]
    with pytest.raises(TypeError, match="unexpected keyword argument 'dims'"):
        x.sum(dims=0)


def test_an_argument_by_numpys_name_stands_for_one_that_the_function_has_and_that_is_not_given():
    x = torch.tensor([[1.0, 5.0], [3.0, 4.0]])
    without_keepdim = (
        "sort argsort cumsum cumprod cummax cummin logcumsumexp softmax log_softmax count_nonzero"
    )
    for name in without_keepdim.split():
        function = getattr(torch, name)
        assert str(function(x, axis=0)) == str(function(x, 0))
        with pytest.raises(TypeError, match="'keepdims'"):
            function(x, 0, keepdims=True)
        with pytest.raises(TypeError, match="'axis'"):
            function(x, 0, axis=1)
    for name in ("sum", "amax", "mean", "argmax", "std", "max", "median", "mode"):
        with pytest.raises(TypeError, match="'axis'"):
            getattr(x, name)(0, axis=1)
        with pytest.raises(TypeError, match="'keepdims'"):
            getattr(x, name)(0, keepdim=True, keepdims=True)
    with pytest.raises(TypeError, match="'axis'"):
        x.unique(axis=0)  # no operator of PyTorch's, but a function


def test_named_tuples_print_as_in_pytorch():
    found = torch.tensor([[1.0, 2.0], [3.0, 0.5]]).max(1)
    assert repr(found) == "torch.return_types.max(\nvalues=tensor([2., 3.]),\nindices=tensor([1, 0]))"
    values, indices = found
    assert values is found.values is found[0] and indices is found.indices
    assert type(found) is torch.return_types.max
    assert type(torch.tensor([1.0]).aminmax()).__name__ == "aminmax"
    with pytest.raises(TypeError, match="takes a 2-sequence"):
        torch.return_types.max((1,))


def test_max_of_two_tensors_is_maximum():
    x, y = torch.tensor([1.0, 5.0]), torch.tensor([3.0, 4.0])
    equal(torch.max(x, y), [3.0, 5.0])
    equal(x.min(y), [1.0, 4.0])
    equal(torch.min(x, other=y), [1.0, 4.0])


def test_integers_and_bools():
    assert torch.tensor([True, True]).sum().dtype is torch.int64
    assert torch.tensor([200, 100], dtype=torch.uint8).sum().item() == 300
    assert torch.tensor([100, 100], dtype=torch.int8).prod().item() == 10000
    assert torch.tensor([1, 2], dtype=torch.int32).sum(0).dtype is torch.int64
    assert torch.tensor([3, 1]).max().dtype is torch.int64
    assert torch.tensor([True, False]).max(0).values.item() is True
    assert torch.tensor([1, 2]).logsumexp(0).dtype is torch.float32
    with pytest.raises(RuntimeError, match=r"mean\(\): could not infer output dtype.*Got: Long"):
        torch.tensor([1, 2]).mean()
    with pytest.raises(
        RuntimeError, match="Optional dtype must be either a floating point or complex dtype. Got: Int"
    ):
        torch.tensor([1.0]).mean(dtype=torch.int32)
    with pytest.raises(RuntimeError, match="std and var only support floating point and complex dtypes"):
        torch.tensor([1, 2]).std()
    with pytest.raises(RuntimeError, match="Expected a floating point or complex tensor as input. Got Long"):
        torch.tensor([1, 2]).norm()


def test_dtype_converts_first_and_the_gradient_returns_in_the_dtype_of_the_operand():
    for name in ("sum", "mean", "prod", "nansum"):
        x = leaf([1.5, 2.5], torch.float32)
        z = getattr(torch, name)(x, dtype=torch.float64)
        assert z.dtype is torch.float64
        assert z.grad_fn.next_functions[0][0].variable is x
        z.backward()
        assert x.grad.dtype is torch.float32
    assert torch.tensor([1.9, 2.9]).sum(dtype=torch.int64).item() == 3
    assert torch.tensor([3, 4]).mean(dtype=torch.float32).item() == 3.5


def test_half_precision_accumulates_in_float32():
    x = torch.full((4096,), 1.0, dtype=torch.float16)
    assert x.sum().item() == 4096 and x.sum().dtype is torch.float16
    assert torch.full((70000,), 1.0, dtype=torch.float16).mean().item() == 1.0
    assert torch.full((300,), 2.0, dtype=torch.float16).norm().dtype is torch.float16
    assert torch.tensor([1.0, 3.0], dtype=torch.float16).std().dtype is torch.float16


def test_sum_to_size():
    check_gradients(lambda x: x.sum_to_size(1, 3) ** 2, apart(2, 3))
    check_gradients(lambda x: x.sum_to_size((3,)) ** 2, apart(2, 3))
    x = torch.ones(2, 3)
    assert x.sum_to_size(2, 3) is x
    assert x.sum_to_size(3).tolist() == [2, 2, 2] and x.sum_to_size(()).item() == 6
    with pytest.raises(RuntimeError, match=r"size \{\[2, 2\]\} is not expandable to size \{\[2, 3\]\}."):
        x.sum_to_size(2, 2)


def test_renorm():
    x = np.array([[3.0, 4.0], [0.3, 0.4]])
    np.testing.assert_allclose(
        torch.renorm(torch.tensor(x), 2, 0, 1.0).numpy(), [[0.6, 0.8], [0.3, 0.4]], rtol=1e-6
    )
    for p in (1, 2, 3, inf):
        check_gradients(lambda x, p=p: torch.renorm(x, p, 1, 1.0), apart(3, 4))
    check_gradients(lambda x: (x * 1).renorm_(2, 0, 1.0), apart(3, 4))
    check_gradients(lambda x: torch.renorm(x, 2, 0, 1.0), apart(2, 3) + 1j * apart(2, 3, seed=1))
    with pytest.raises(RuntimeError, match="renorm: non-positive-norm not supported"):
        torch.renorm(torch.ones(2, 2), 0, 0, 1.0)
    with pytest.raises(RuntimeError, match="renorm: expected maxnorm to be >= 0 but got -1"):
        torch.renorm(torch.ones(2, 2), 2, 0, -1.0)
    with pytest.raises(RuntimeError, match="renorm: input needs at least 2 dimensions, got 1 dimensions"):
        torch.renorm(torch.ones(2), 2, 0, 1.0)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_nothing_is_recorded_without_grad(mode):
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    with mode():
        for z in (
            x.sum(), x.max(0).values, x.std(), x.norm(), x.sort().values, x.softmax(0), x.cumsum(0), torch.std_mean(x)[0],
        ):  # fmt: skip
            assert not z.requires_grad and z.grad_fn is None
            assert z.is_inference() is (mode is torch.inference_mode)


# Corner values -----------------------------------------------------------------------------------------------------------


def test_ties_share_the_gradient_of_max_but_not_of_max_along_dim():
    x = [1.0, 3.0, 3.0]
    for function in (torch.max, torch.amax, lambda x: torch.amax(x, 0), lambda x: torch.aminmax(x)[1]):
        assert grad_of(function, x) == [0.0, 0.5, 0.5]
    assert grad_of(lambda x: torch.max(x, 0).values, x) == [0.0, 1.0, 0.0]
    assert torch.tensor(x).max(0).indices.item() == torch.tensor(x).argmax().item() == 1


def test_nan_wins_and_only_amax_spreads_it_into_the_gradient():
    x = [1.0, nan, 3.0, nan]
    tensor = torch.tensor(x)
    assert math.isnan(tensor.max()) and math.isnan(tensor.min()) and math.isnan(tensor.amax())
    assert tensor.max(0).indices.item() == tensor.argmin().item() == 1
    assert grad_of(torch.max, x) == [0.0, 0.5, 0.0, 0.5]
    assert grad_of(lambda x: torch.max(x, 0).values, x) == [0.0, 1.0, 0.0, 0.0]
    assert np.isnan(grad_of(torch.amax, x)).all()


def test_large_rows_find_the_same_extremes():
    x = np.random.default_rng(0).integers(0, 50, (300, 40)).astype("float32")
    x[3, 7] = nan
    for array in (x, x[:, :12].copy(), np.ascontiguousarray(x.T)):
        tensor = torch.tensor(array)
        for dim in (0, 1):
            equal(tensor.amax(dim), np.max(array, dim))
            equal(tensor.min(dim).values, np.min(array, dim))
            equal(tensor.max(dim, True).indices, np.argmax(array, dim, keepdims=True))


@pytest.mark.parametrize(
    ("values", "value", "grad"),
    [([2.0, 0.0, 3.0], 0.0, [0.0, 6.0, 0.0]), ([0.0, 2.0, 0.0], 0.0, [0.0, 0.0, 0.0]), ([], 1.0, [])],
)
def test_prod_is_exact_where_there_are_zeros(values, value, grad):
    assert torch.tensor(values, dtype=torch.float64).prod().item() == value
    assert grad_of(torch.prod, values) == grad
    assert grad_of(lambda x: torch.prod(x, 0), values) == grad


@pytest.mark.parametrize("values", [[2.0, 0.0, 3.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])
def test_second_derivatives_of_prod_are_exact_where_there_are_zeros(values):
    check_gradients(torch.prod, np.array(values), order=3, atol=1e-4)
    check_gradients(lambda x: torch.prod(x, 1), np.array([values, values[::-1]]), order=2, atol=1e-5)


def test_reductions_of_nothing():
    empty = torch.zeros(0)
    assert empty.sum().item() == 0 and math.isnan(empty.mean()) and empty.prod().item() == 1
    assert empty.norm().item() == 0 and empty.logsumexp(0).item() == -inf
    assert empty.all().item() is True and empty.any().item() is False
    assert torch.zeros(0, 2).sum(0).tolist() == [0, 0]
    assert torch.zeros(0, 2).max(1).values.shape == (0,)
    message = "Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
    for name in ("max", "min", "amax", "amin"):
        with pytest.raises(RuntimeError) as caught:
            getattr(torch, name)(empty)
        assert str(caught.value) == f"{name}(): {message}"
        with pytest.raises(IndexError, match=rf"{name}\(\): Expected reduction dim 0 to have non-zero size."):
            getattr(torch, name)(empty, 0)
    with pytest.raises(
        IndexError, match=r"argmax\(\): Expected reduction dim to be specified for input.numel\(\) == 0."
    ):
        empty.argmax()
    with pytest.raises(RuntimeError, match="cannot compute the inf norm on an empty tensor"):
        empty.norm(inf)
    with pytest.raises(RuntimeError, match="aminmax"):
        empty.aminmax()


def test_zero_dimensional_tensors_have_one_dim_to_reduce():
    x = leaf(3.0)
    for function in (
        lambda x: x.sum(0), lambda x: x.mean(-1), lambda x: x.prod(0), lambda x: x.max(0).values, lambda x: x.amin((0,)),
        lambda x: x.logsumexp(0), lambda x: x.norm(2, 0),
    ):  # fmt: skip
        z = function(x)
        assert z.shape == () and z.item() == 3
        assert torch.autograd.grad(z, x)[0].item() == 1
    with pytest.raises(IndexError, match=r"expected to be in range of \[-1, 0\], but got 1"):
        x.sum(1)


def test_std_of_equal_elements_is_zero_with_zero_gradients_of_all_orders():
    for value in (2.0, 0.1, 1e20):
        x = leaf([value] * 7)
        assert x.std().item() == 0 and x.var().item() == 0
        for function in (torch.std, torch.var, lambda x: torch.std_mean(x)[0]):
            assert grad_of(function, [value] * 7) == [0.0] * 7
        (g,) = torch.autograd.grad(x.std(), x, create_graph=True)
        (h,) = torch.autograd.grad(g[0], x)
        assert h.tolist() == [0.0] * 7


def test_std_of_one_element():
    with pytest.warns(UserWarning, match=r"std\(\): degrees of freedom is <= 0"):
        assert math.isnan(torch.tensor([3.0]).std())
    assert torch.tensor([3.0]).std(correction=0).item() == 0
    assert grad_of(lambda x: torch.std(x, correction=0), [3.0]) == [0.0]


def test_overloads_of_std_and_var():
    x = torch.tensor([[1.0, 2.0], [4.0, 8.0]])
    assert x.var(False).item() == x.var(unbiased=False).item() == x.var(correction=0).item()
    equal(x.std(0, False), x.std(dim=0, correction=0))
    equal(x.std(0, True, True), x.std(0, keepdim=True))
    both = torch.var_mean(x, 1, correction=0)
    assert type(both) is tuple
    equal(both[0], [0.25, 4.0])
    equal(both[1], [1.5, 6.0])


def test_variance_is_exact_far_from_zero():
    x = torch.tensor([1e8 + 1, 1e8 + 2, 1e8 + 3], dtype=torch.float64)
    assert x.var().item() == 1.0


@pytest.mark.parametrize("p", [1, 2, 3, 1.5, inf])
def test_norms_at_zero_have_zero_gradients_of_all_orders(p):
    x = leaf([0.0, 0.0])
    z = torch.norm(x, p)
    assert z.item() == 0
    (g,) = torch.autograd.grad(z, x, create_graph=True)
    assert g.tolist() == [0.0, 0.0]
    (h,) = torch.autograd.grad(g.sum(), x, allow_unused=True)
    assert h is None or h.tolist() == [0.0, 0.0]


def test_norms_of_every_order():
    assert grad_of(lambda x: torch.norm(x, inf), [1.0, -1.0, 0.0]) == [0.5, -0.5, 0.0]
    assert grad_of(lambda x: torch.norm(x, -inf), [1.0, -1.0, 2.0]) == [0.5, -0.5, 0.0]
    assert torch.norm(torch.tensor([0.0, 4.0]), 0.5).item() == 4
    assert grad_of(lambda x: torch.norm(x, 0.5), [0.0, 4.0]) == [0.0, 1.0]
    x = leaf([0.0, 4.0])
    assert torch.norm(x, 0).item() == 1
    assert torch.autograd.grad(torch.norm(x, 0), x, allow_unused=True) == (None,)
    for p in (1, 2, 3, 0.5, 1.5, -1, inf, -inf):
        check_gradients(lambda x, p=p: torch.norm(x, p, 1), apart(2, 3))
        np.testing.assert_allclose(
            torch.norm(torch.tensor(apart(5)), p).item(), np.linalg.norm(apart(5), p), rtol=1e-12
        )


def test_logsumexp_at_infinities():
    assert torch.tensor([-inf, -inf]).logsumexp(0).item() == -inf
    assert torch.tensor([inf, 1.0]).logsumexp(0).item() == inf
    assert torch.tensor([1000.0, 1000.0]).logsumexp(0).item() == pytest.approx(1000.6931)
    assert grad_of(lambda x: x.logsumexp(0), [-inf, 0.0]) == [0.0, 1.0]
    assert grad_of(lambda x: x.logsumexp(0), [1000.0, 1000.0]) == pytest.approx([0.5, 0.5])
    assert np.isnan(grad_of(lambda x: x.logsumexp(0), [-inf, -inf])).all()
    assert math.isnan(grad_of(lambda x: x.logsumexp(0), [inf, 1.0])[0])


def test_nansum_and_nanmean_pass_no_gradient_to_nans():
    assert torch.tensor([1.0, nan]).nansum().item() == 1
    assert grad_of(torch.nansum, [1.0, nan]) == [1.0, 0.0]
    assert grad_of(torch.nanmean, [1.0, nan, 3.0]) == [0.5, 0.0, 0.5]


# out=, errors ------------------------------------------------------------------------------------------------------------


def test_out_takes_the_result():
    x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
    for function in (
        torch.sum, torch.mean, torch.prod, torch.amax, torch.logsumexp, torch.nansum, torch.std, torch.var,
    ):  # fmt: skip
        out = torch.empty(0)
        assert function(x, 0, out=out) is out
        equal(out, function(x, 0))
    values, indices = torch.empty(0), torch.empty(0, dtype=torch.int64)
    found = torch.max(x, 1, out=(values, indices))
    assert type(found).__name__ == "max_out"
    assert found.values is values and indices.tolist() == [1, 1]
    assert torch.sum(x, 0, out=torch.empty(0, dtype=torch.float64)).dtype is torch.float64


def test_out_of_another_dtype_is_refused():
    x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype float, but got double instead"):
        torch.amax(x, 0, out=torch.empty(0, dtype=torch.float64))
    values = torch.zeros(2)
    with pytest.raises(
        RuntimeError, match="Expected out tensor to have dtype long int, but got float instead"
    ):
        torch.max(x, 0, out=(values, torch.empty(0)))
    assert values.tolist() == [0, 0]
    with pytest.raises(RuntimeError, match="all only supports bool tensor for result, got: Float"):
        torch.all(x, 0, out=torch.empty(0))
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.sum(leaf([1.0]), 0, out=torch.empty(0, dtype=torch.float64))


def test_wrong_dims_are_refused_in_the_words_of_pytorch():
    x = torch.zeros(2, 3)
    functions = [
        torch.sum, torch.mean, torch.prod, torch.max, torch.amin, torch.argmax, torch.logsumexp, torch.std, torch.all,
    ]  # fmt: skip
    for function in functions:
        with pytest.raises(
            IndexError, match=r"Dimension out of range \(expected to be in range of \[-2, 1\], but got 2\)"
        ):
            function(x, 2)
    for function in (torch.sum, torch.mean, torch.amax, torch.logsumexp, torch.std, torch.norm):
        with pytest.raises(RuntimeError, match="dim 0 appears multiple times in the list of dims"):
            function(x, dim=(0, 0))
    with pytest.raises(TypeError, match=r"argmax\(\): argument 'dim' \(position 2\) must be int, not float"):
        torch.argmax(x, 0.5)
    with pytest.raises(TypeError, match="must be Tensor, not int"):
        torch.sum(3)


def test_unsupported_dtypes_are_refused_in_the_words_of_pytorch():
    z = torch.tensor([1 + 1j])
    with pytest.raises(NotImplementedError, match="\"max_all\" not implemented for 'ComplexFloat'"):
        z.max()
    with pytest.raises(RuntimeError, match="does not support complex input"):
        z.argmax()
    with pytest.raises(NotImplementedError, match="\"max_values_cpu\" not implemented for 'ComplexFloat'"):
        z.amax()
    with pytest.raises(RuntimeError, match="nansum on CPU does not support complex inputs"):
        z.nansum()


REDUCTIONS = (
    "sum nansum mean nanmean prod amax amin aminmax argmax argmin max min all any count_nonzero logsumexp median nanmedian mode "
    "var std var_mean std_mean norm"
)


@pytest.mark.parametrize("name", REDUCTIONS.split())
def test_results_are_contiguous_however_the_operand_is_laid_out(name):
    reduce = getattr(torch, name)
    for order in itertools.permutations(range(3)):
        x = torch.arange(24.0).reshape(2, 3, 4).permute(order)
        for dim in range(3):
            z = reduce(x, dim=dim)
            for part in z if isinstance(z, tuple) else (z,):
                assert part.is_contiguous(), (order, dim, part.stride())


@pytest.mark.parametrize("name", ["max", "min", "prod"])
def test_keepdim_wants_a_dimension(name):
    x = torch.ones(2, 3)
    for refused in (lambda: getattr(torch, name)(x, keepdim=True), lambda: getattr(x, name)(None, True)):
        with pytest.raises(TypeError):
            refused()
    assert getattr(x, name)().shape == ()
