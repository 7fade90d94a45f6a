"""Sorting, order statistics, distinct elements, bins at their awkward points: ties and nans, nodes, what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


# Sorting ---------------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(0, 5), min_size=0, max_size=60),
    st.booleans(),
    st.sampled_from(["float32", "int64", "float16", "int8"]),
)
@settings(max_examples=60, deadline=None)
def test_sort_keeps_the_order_of_equals_in_both_directions(values, descending, dtype):
    found, indices = torch.tensor(np.array(values, dtype)).sort(0, descending)
    expected = sorted(range(len(values)), key=lambda i: (-values[i] if descending else values[i], i))
    assert indices.tolist() == expected
    assert found.tolist() == [values[i] for i in expected]


def test_nan_is_the_largest():
    x = torch.tensor([nan, 1.0, inf])
    assert x.sort().indices.tolist() == [1, 2, 0]
    assert x.sort(descending=True).indices.tolist() == [0, 2, 1]
    assert x.topk(2).indices.tolist() == [0, 2]
    assert x.topk(1, largest=False).indices.tolist() == [1]
    many = torch.tensor([nan, 1.0] * 20)
    assert many.sort().indices.tolist() == [*range(1, 40, 2), *range(0, 40, 2)]


def test_large_arrays_with_and_without_ties_sort_stably():
    rng = np.random.default_rng(0)
    few = rng.integers(0, 2000, (20, 200)).astype("float32")
    few[3, 5] = few[3, 9] = few[7, 0] = nan
    for x in (
        rng.normal(size=(20, 200)),
        few,
        rng.integers(0, 9, (20, 200)).astype("float32"),
        rng.integers(0, 9, (20, 200)),
    ):
        for dim in (0, 1):
            np.testing.assert_array_equal(
                torch.argsort(torch.tensor(x), dim).numpy(), np.argsort(x, dim, kind="stable")
            )


def test_gradients_of_large_arrays_go_where_the_elements_stood():
    x = leaf(np.random.default_rng(0).normal(size=(60, 70)))
    weights = torch.tensor(np.random.default_rng(1).normal(size=(60, 70)))
    for dim in (0, 1):
        values, indices = x.sort(dim)
        (g,) = torch.autograd.grad((values * weights).sum(), x)
        np.testing.assert_array_equal(np.take_along_axis(g.numpy(), indices.numpy(), dim), weights.numpy())


def test_topk_errors():
    with pytest.raises(RuntimeError, match="selected index k out of range"):
        torch.zeros(2).topk(3)
    with pytest.raises(TypeError, match=r"topk\(\): argument 'k' \(position 2\) must be int, not float"):
        torch.zeros(2).topk(1.0)
    with pytest.raises(RuntimeError, match="topk does not support complex dtypes on CPU"):
        torch.tensor([1j]).topk(1)
    with pytest.raises(RuntimeError, match="Sort does not support complex dtypes on CPU"):
        torch.tensor([1j]).sort()


def test_nodes_names_and_out():
    x = leaf([3.0, 1.0, 2.0])
    assert type(x.sort()) is torch.return_types.sort
    made = {
        "SortBackward0": x.sort().values, "SortBackward1": x.sort(stable=False).values, "TopkBackward0": x.topk(2).values,
        "KthvalueBackward0": x.kthvalue(2).values, "MedianBackward0": x.median(), "MedianBackward1": x.median(0).values,
        "NanmedianBackward0": x.nanmedian(), "NanmedianBackward1": x.nanmedian(0).values, "ModeBackward0": x.mode().values,
        "Unique2Backward0": x.unique(), "UniqueDimBackward0": x.unique(dim=0),
        "UniqueConsecutiveBackward0": x.unique_consecutive(),
    }  # fmt: skip
    for name, z in made.items():
        assert type(z.grad_fn).__name__ == name
    assert not x.sort().indices.requires_grad and x.argsort().grad_fn is None
    assert x.sort().values.grad_fn._saved_indices.tolist() == [1, 2, 0]
    pair = torch.empty(0), torch.empty(0, dtype=torch.int64)
    assert type(torch.sort(x.detach().float(), out=pair)).__name__ == "sort_out"
    assert pair[0].tolist() == [1, 2, 3]
    assert torch.msort(torch.tensor([[2.0, 1.0], [1.0, 2.0]])).tolist() == [[1, 1], [2, 2]]


# Order statistics ----------------------------------------------------------------------------------------------------------


def test_median_takes_the_lower_middle():
    x = torch.tensor([[4.0, 1.0, 3.0, 2.0]])
    assert x.median().item() == 2 and x.median(1).indices.tolist() == [3]
    assert grad_of(torch.median, [3.0, 2.0, 1.0, 2.0]) == [0.0, 0.5, 0.0, 0.5]
    assert grad_of(lambda x: x.median(0).values, [4.0, 1.0, 3.0, 2.0]) == [0.0, 0.0, 0.0, 1.0]
    assert math.isnan(torch.zeros(0).median())
    with pytest.raises(IndexError, match=r"median\(\): Expected reduction dim 0 to have non-zero size."):
        torch.zeros(0, 2).median(0)


def test_median_and_nan():
    x = [1.0, nan, 3.0]
    assert math.isnan(torch.tensor(x).median()) and torch.tensor(x).median(0).indices.item() == 1
    assert torch.tensor(x).nanmedian().item() == 1
    assert grad_of(torch.median, x) == [0.0, 1.0, 0.0]
    assert grad_of(torch.nanmedian, x) == [1.0, 0.0, 0.0]
    rows = torch.tensor([[nan, 3.0, nan], [nan, nan, nan], [5.0, 4.0, 3.0]])
    values, indices = rows.nanmedian(1)
    assert values[0].item() == 3
    assert math.isnan(values[1])
    assert values[2].item() == 4
    assert indices[0].item() == 1


def test_kthvalue_errors():
    with pytest.raises(RuntimeError, match=r"kthvalue\(\): selected number k out of range for dimension 0"):
        torch.zeros(2).kthvalue(3)
    with pytest.raises(IndexError, match=r"kthvalue\(\): Expected reduction dim 0 to have non-zero size."):
        torch.zeros(0).kthvalue(1)


def test_mode():
    values, indices = torch.tensor([[1.0, 2.0, 2.0, 1.0, 3.0], [5.0, 5.0, 5.0, 0.0, 0.0]]).mode()
    assert values.tolist() == [1, 5] and indices.tolist() == [3, 2]
    assert torch.tensor([[1, 2], [1, 3]]).mode(0, True).values.tolist() == [[1, 2]]
    assert grad_of(lambda x: x.mode().values, [1.0, 2.0, 2.0]) == [0.0, 0.0, 1.0]


def test_quantiles_and_nan():
    x = torch.tensor([nan, 1.0, 2.0])
    assert math.isnan(torch.quantile(x, 0.5))
    assert torch.nanquantile(x, torch.tensor([0.5, 1.0])).tolist() == [1.5, 2.0]
    assert math.isnan(torch.nanquantile(torch.tensor([nan, nan]), 0.5))
    assert grad_of(lambda x: torch.quantile(x, 0.5), [1.0, 2.0, 3.0, 4.0]) == [0.0, 0.5, 0.5, 0.0]
    check_gradients(lambda x, q: torch.quantile(x, q, 1), apart(2, 5), np.array([0.3, 0.6]))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((torch.arange(3), 0.5), "input tensor must be either float or double dtype"),
        ((torch.zeros(3), 1.5), r"q must be in the range \[0, 1\] but got 1.5"),
        ((torch.zeros(3), torch.tensor(1.5)), r"q values must be in the range \[0, 1\]"),
        ((torch.zeros(3), torch.zeros(2, 2)), "q must be a scalar or 1D tensor"),
        ((torch.zeros(3), torch.zeros(2, dtype=torch.float64)), "q tensor must be same dtype as the input tensor"),
        ((torch.zeros(0), 0.5), "input tensor must be non-empty"),
    ],
)  # fmt: skip
def test_quantile_errors(args, message):
    with pytest.raises(RuntimeError, match=r"quantile\(\) " + message):
        torch.quantile(*args)


# Distinct elements -----------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-3, 3), max_size=12))
@settings(max_examples=50, deadline=None)
def test_unique_and_its_inverse_and_counts(values):
    x = torch.tensor(values, dtype=torch.int64)
    found, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    assert found.tolist() == sorted(set(values))
    assert [found.tolist()[i] for i in inverse.tolist()] == values
    assert counts.tolist() == [values.count(v) for v in found.tolist()]
    found, inverse, counts = torch.unique_consecutive(x, return_inverse=True, return_counts=True)
    again = [v for v, n in zip(found.tolist(), counts.tolist()) for _ in range(n)]
    assert again == values == [found.tolist()[i] for i in inverse.tolist()]
    assert all(a != b for a, b in zip(found.tolist(), found.tolist()[1:]))


def test_unique_slices():
    x = torch.tensor([[1, 2], [1, 2], [0, 1]])
    found, inverse, counts = torch.unique(x, dim=0, return_inverse=True, return_counts=True)
    assert found.tolist() == [[0, 1], [1, 2]] and inverse.tolist() == [1, 1, 0] and counts.tolist() == [1, 2]
    assert torch.unique_consecutive(x, dim=0, return_inverse=True)[1].tolist() == [0, 0, 1]
    assert torch.unique(torch.tensor([[2, 1], [1, 2]]), return_inverse=True)[1].tolist() == [[1, 0], [0, 1]]
    with pytest.raises(RuntimeError, match="There are 0 sized dimensions, and they aren't selected"):
        torch.unique(torch.zeros(0, 2), dim=1)


def test_unique_takes_every_nan_for_another():
    found, inverse, counts = torch.tensor([nan, nan, 1.0]).unique(return_inverse=True, return_counts=True)
    assert len(found) == 3 and inverse.tolist() == [1, 2, 0] and counts.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda x: x.unique(), "_unique2"),
        (lambda x: x.unique(dim=0), "unique_dim"),
        (lambda x: x.unique_consecutive(), "unique_consecutive"),
    ],
)
def test_unique_has_no_derivative(function, name):
    with pytest.raises(NotImplementedError, match=f"the derivative for '{name}' is not implemented."):
        function(leaf([1.0, 2.0])).sum().backward()


# Bins ------------------------------------------------------------------------------------------------------------------


def test_searchsorted():
    edges = torch.tensor([1.0, 3.0, 5.0])
    assert torch.searchsorted(edges, torch.tensor([[3.0, 6.0], [0.0, 1.0]])).tolist() == [[1, 3], [0, 0]]
    assert torch.searchsorted(edges, 3, right=True).item() == 2
    assert torch.searchsorted(edges, 3.5, side="right", out_int32=True).dtype is torch.int32
    rows = torch.tensor([[1.0, 3.0, 5.0], [0.0, 1.0, 2.0]])
    assert torch.searchsorted(rows, torch.tensor([[3.0, 6.0], [0.0, 1.0]]), right=True).tolist() == [
        [2, 3],
        [1, 2],
    ]
    shuffled = torch.tensor([5.0, 3.0, 1.0])
    assert torch.searchsorted(shuffled, torch.tensor([2.0]), sorter=torch.tensor([2, 1, 0])).tolist() == [1]
    out = torch.empty(0, dtype=torch.int64)
    assert torch.searchsorted(edges, torch.tensor([4.0]), out=out) is out and out.tolist() == [2]


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        ((torch.zeros(2), 1.0), {"side": "bad"}, "side can only be 'left' or 'right' but got bad"),
        ((torch.zeros(2), 1.0), {"side": "left", "right": True}, "side and right can't be set to opposites"),
        ((torch.tensor(1.0), 1.0), {}, "boundaries tensor should have positive dimension, but got 0 dimension"),
        ((torch.zeros(2, 2), 1.0), {}, "input value can be a scalar only when boundaries tensor dimension is 1"),
        ((torch.zeros(1, 2), torch.zeros(2, 2)), {}, "the first N-1 dimensions of boundaries tensor and input value tensor must match"),
        ((torch.zeros(2), 1.0), {"sorter": torch.tensor([0, 2])}, "sorter index out of range"),
    ],
)  # fmt: skip
def test_searchsorted_errors(args, options, message):
    with pytest.raises(RuntimeError, match=message):
        torch.searchsorted(*args, **options)


def test_bucketize():
    edges = torch.tensor([1, 3, 5, 7, 9])
    assert torch.bucketize(torch.tensor([3, 6, 9]), edges).tolist() == [1, 3, 4]
    assert torch.bucketize(torch.tensor([3, 6, 9]), edges, right=True).tolist() == [2, 3, 5]
    with pytest.raises(RuntimeError, match=r"boundaries tensor must be 1 dimension, but got dim\(2\)"):
        torch.bucketize(3, torch.zeros(2, 2))


def test_histc():
    assert torch.histc(torch.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3).tolist() == [0, 2, 1, 0]
    assert torch.histc(torch.tensor([1.0, 1.0]), 3).tolist() == [0, 2, 0]
    assert torch.histc(torch.tensor([1.0, nan, 5.0]), 3, 0, 3).tolist() == [0, 1, 0]
    assert torch.histc(torch.zeros(0), 3).tolist() == [0, 0, 0]
    for args, message in (((0,), "bins must be > 0"), ((3, 4, 1), "max must be larger than min")):
        with pytest.raises(RuntimeError, match=message):
            torch.histc(torch.tensor([1.0]), *args)
    with pytest.raises(NotImplementedError, match="not implemented for 'Long'"):
        torch.histc(torch.tensor([1]))
    with pytest.raises(RuntimeError, match="is not finite"):
        torch.histc(torch.tensor([1.0, inf]), 3)


def test_bincount():
    x = torch.tensor([3, 1, 1, 2])
    assert torch.bincount(x).tolist() == [0, 2, 1, 1]
    assert torch.bincount(x, torch.tensor([1.0, 2.0, 3.0, 4.0])).tolist() == [0, 5, 4, 1]
    assert torch.bincount(x, torch.tensor([1.0, 2.0, 3.0, 4.0])).dtype is torch.float32
    assert torch.bincount(x, torch.tensor([1, 2, 3, 4])).dtype is torch.float64
    assert x.bincount(minlength=6).tolist() == [0, 2, 1, 1, 0, 0]
    assert torch.bincount(torch.zeros(0, dtype=torch.int64)).shape == (0,)
    for bad in (torch.tensor([-1]), torch.zeros(2, 2, dtype=torch.int64)):
        with pytest.raises(RuntimeError, match="bincount only supports 1-d non-negative integral inputs."):
            torch.bincount(bad)
    with pytest.raises(RuntimeError, match="weights should be 1-d and have the same length as input"):
        torch.bincount(x, torch.zeros(2))
    with pytest.raises(NotImplementedError, match="the derivative for 'bincount' is not implemented."):
        torch.bincount(x, leaf([1.0, 2.0, 3.0, 4.0])).sum().backward()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("density", [False, True])
def test_histograms_with_edges(weighted, density):
    rng = np.random.default_rng(0)
    x, weight = rng.normal(size=(40, 2)), rng.uniform(size=40)
    options = {"density": density, "weight": torch.tensor(weight) if weighted else None}
    theirs = {"density": density, "weights": weight if weighted else None}
    hist, edges = torch.histogram(torch.tensor(x[:, 0]), 5, range=(-1.0, 1.5), **options)
    expected = np.histogram(x[:, 0], 5, range=(-1.0, 1.5), **theirs)
    np.testing.assert_allclose(hist.numpy(), expected[0], atol=1e-12)
    np.testing.assert_allclose(edges.numpy(), expected[1], atol=1e-12)
    borders = np.array([-2.0, -0.3, 0.1, 4.0])
    np.testing.assert_allclose(
        torch.histogram(torch.tensor(x[:, 0]), torch.tensor(borders), **options).hist.numpy(),
        np.histogram(x[:, 0], borders, **theirs)[0],
        atol=1e-12,
    )
    for bins, reference in (
        ([3, 4], [3, 4]),
        ([torch.tensor(borders), torch.tensor(borders)], [borders, borders]),
    ):
        found = torch.histogramdd(torch.tensor(x), bins, **options)
        expected = np.histogramdd(x, reference, **theirs)
        np.testing.assert_allclose(found.hist.numpy(), expected[0], atol=1e-12)
        for ours, edge in zip(found.bin_edges, expected[1]):
            np.testing.assert_allclose(ours.numpy(), edge, atol=1e-12)


def test_histogram_errors():
    with pytest.raises(RuntimeError, match="bins must be > 0, but got -1"):
        torch.histogram(torch.tensor([1.0]), -1)
    with pytest.raises(NotImplementedError, match="not implemented for 'Long'"):
        torch.histogramdd(torch.zeros(2, 2, dtype=torch.int64), 3)
    with pytest.raises(NotImplementedError, match="the derivative for 'histogram' is not implemented."):
        torch.histogram(leaf([1.0, 2.0]), 2).hist.sum().backward()


def test_isin():
    x = torch.tensor([[1, 2], [3, 4]])
    assert torch.isin(x, torch.tensor([2, 3])).tolist() == [[False, True], [True, False]]
    assert torch.isin(x, 2, invert=True).tolist() == [[True, False], [True, True]]
    assert torch.isin(1, x).item() is True
    assert torch.isin(torch.tensor([nan]), torch.tensor([nan])).tolist() == [False]
    with pytest.raises(TypeError, match="isin"):
        torch.isin(1, 1)


def test_histogramdd_leaves_out_what_is_beyond_the_first_and_last_edge_though_they_be_out_of_order():
    x = torch.tensor([[0.5, 1.5], [1.0, 2.0], [0.25, 0.5]])
    edges = [torch.tensor([2.0, 1.0, 0.0]), torch.tensor([0.0, 1.0, 2.0])]
    assert not torch.histogramdd(x, edges).hist.any()
    assert torch.histogramdd(x, edges, density=True).hist.isnan().all()


@pytest.mark.parametrize("n", [5, 100])
@pytest.mark.parametrize("k", [0, 1, 3, 5])
def test_topk(n, k):
    x = apart(3, n)
    for largest in (True, False):
        values, indices = torch.topk(torch.tensor(x), k, largest=largest)
        expected = np.sort(x, 1)[:, ::-1] if largest else np.sort(x, 1)
        np.testing.assert_array_equal(values.numpy(), expected[:, :k])
        np.testing.assert_array_equal(np.take_along_axis(x, indices.numpy(), 1), values.numpy())
        np.testing.assert_array_equal(
            torch.topk(torch.tensor(x.T.copy()), k, 0, largest).values.numpy(), expected[:, :k].T
        )
