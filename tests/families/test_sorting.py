"""Sorting, selecting by rank, distinct elements, and searching in sorted sequences."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.families import draws, rows
from tests.families.draws import COMPLEX, FLOATS, INTEGERS, few, wide
from tests.families.rows import REAL, Row

NUMBERS = [*INTEGERS, *FLOATS]
PLAIN = {"in_place": False, "out": False}
ALONG = {"draw": rows.draw_reduced, "dims": "one", "keepdim": False, "ties": False, **PLAIN}
RANKED = {
    "draw": rows.draw_ranked,
    "any_place": True,
    "ties": False,
    "values": ("apart",),
    "dtypes": FLOATS,
    **PLAIN,
}
MIDDLE = {
    "draw": rows.draw_reduced,
    "any_place": True,
    "ties": False,
    "values": ("apart",),
    "dtypes": FLOATS,
    "empty": False,
    **PLAIN,
}

QUANTILE = {
    "draw": rows.draw_reduced,
    "dtypes": ["float32", "float64"],
    "empty": False,
    "ties": False,
    "any_place": True,
    **PLAIN,
}


def over(function):
    def quantile(x, q, dim=None, keepdim=False):
        return function(x, q, axis=dim if x.ndim else None, keepdims=keepdim)

    return quantile


def in_order(x, dim=-1, descending=False, stable=False):
    """Values in order, and from where they come; equal ones stay in order."""
    if not x.ndim:
        return x, np.zeros((), int)
    places = np.argsort(-x.astype(float) if descending else x, axis=dim, kind="stable")
    return np.take_along_axis(x, places, dim), places


def places_in_order(x, **keywords):
    return in_order(x, **keywords)[1]


def ranked(x, k, dim):
    values, places = in_order(x, dim)
    return (np.take(values, k - 1, dim), np.take(places, k - 1, dim)) if x.ndim else (values, places)


def greatest(x, k, dim, largest=True):
    values, places = in_order(x, dim, descending=largest)
    return (np.take(values, range(k), dim), np.take(places, range(k), dim)) if x.ndim else (values, places)


def middle(x, dim=None, keepdim=False):
    """The lower of the two in the middle, with its place where a dimension is named."""
    if dim is None or not x.ndim:
        value = np.sort(x.ravel())[(x.size - 1) // 2]
        return value if dim is None else (x, np.zeros((), int))
    values, places = ranked(x, (x.shape[dim] + 1) // 2, dim)
    return (np.expand_dims(values, dim), np.expand_dims(places, dim)) if keepdim else (values, places)


# Of a bool or complex number PyTorch takes kthvalue and mode, though not of several.
ROWS = [
    Row("sort", in_order, dtypes=REAL, keywords={"stable": True}, **ALONG),
    Row("sort", in_order, dtypes=REAL, keywords={"stable": True, "descending": True}, note="descending", **ALONG),
    Row("argsort", places_in_order, rule="int64", dtypes=REAL, keywords={"stable": True}, order=0, **ALONG),
    Row("msort", lambda x: np.sort(x, 0), dtypes=REAL, ties=False, min_dims=1, in_place=False),
    Row("topk", greatest, **RANKED),
    Row("topk", greatest, keywords={"largest": False}, note="smallest", **RANKED),
    Row("kthvalue", ranked, differs=("bool", *COMPLEX), **RANKED),
    Row("median", middle, dims="none one", **MIDDLE),
    Row("nanmedian", middle, dims="none one", **MIDDLE),
    Row("mode", None, dims="one", differs=COMPLEX, **{**MIDDLE, "dtypes": NUMBERS, "order": 0}),
    Row("quantile", over(np.quantile), keywords={"q": 0.3}, dims="none one", **QUANTILE),
    Row("nanquantile", over(np.nanquantile), keywords={"q": 0.3}, dims="none one", **QUANTILE),
]  # fmt: skip


test_values = rows.of_values(ROWS)
test_gradients = rows.of_gradients(ROWS)
test_layout_does_not_matter = rows.of_layouts(ROWS)
test_as_in_torch = rows.beside_torch(ROWS)


tied = draws.operands(dtypes=REAL, values=("ties", "apart"))


@few
@given(tied)
def test_unique_lists_what_there_is(operand):
    x = operand.tensor()
    values, inverse, counts = minigrad.unique(x, return_inverse=True, return_counts=True)
    want, places, number = np.unique(wide(operand.array), return_inverse=True, return_counts=True)
    np.testing.assert_array_equal(wide(values.numpy()), want)
    np.testing.assert_array_equal(inverse.numpy(), places.reshape(x.shape))
    np.testing.assert_array_equal(counts.numpy(), number)
    assert values.dtype == x.dtype


@few
@given(tied)
def test_unique_consecutive_can_be_repeated_back(operand):
    x = operand.tensor()
    values, inverse, counts = minigrad.unique_consecutive(x, return_inverse=True, return_counts=True)
    assert minigrad.equal(values.repeat_interleave(counts), x.flatten())
    assert minigrad.equal(values[inverse], x)
    assert not (values[1:] == values[:-1]).any()


@few
@given(
    draws.operands(dtypes=NUMBERS, values=("ties", "apart"), max_dims=1, min_dims=1),
    draws.operands(dtypes=NUMBERS),
    st.booleans(),
)
def test_places_in_sorted_sequences(sequence, sought, right):
    steps, x = sequence.tensor().sort()[0], sought.tensor().to(sequence.tensor().dtype)
    want = np.searchsorted(wide(steps.numpy()), wide(x.numpy()), "right" if right else "left")
    np.testing.assert_array_equal(minigrad.searchsorted(steps, x, right=right).numpy(), want)
    np.testing.assert_array_equal(minigrad.bucketize(x, steps, right=right).numpy(), want)


@few
@given(
    draws.operands(dtypes=NUMBERS, values=("ties",)),
    draws.operands(dtypes=NUMBERS, values=("ties",)),
    st.booleans(),
)
def test_isin_looks_each_element_up(elements, among, invert):
    x = elements.tensor()
    y = among.tensor().to(x.dtype)
    want = np.isin(wide(x.numpy()), wide(y.numpy()), invert=invert)
    np.testing.assert_array_equal(minigrad.isin(x, y, invert=invert).numpy(), want)


@few
@given(
    draws.operands(dtypes=INTEGERS, domain="positive", min_dims=1, max_dims=1),
    st.integers(0, 12),
    st.booleans(),
)
def test_bincount_counts_or_sums_weights(operand, minlength, weighted):
    x = operand.tensor()
    weights = minigrad.arange(len(x), dtype=minigrad.float64) / 4 if weighted else None
    counts = minigrad.bincount(x, weights, minlength)
    want = np.bincount(operand.array.astype(int), None if weights is None else weights.numpy(), minlength)
    np.testing.assert_array_equal(counts.numpy(), want)


@few
@given(draws.operands(dtypes=["float32", "float64"], values=("ties", "apart")), st.integers(1, 6))
def test_histograms_count_what_falls_into_bins(operand, bins):
    x = operand.tensor()
    counts, edges = minigrad.histogram(x.flatten(), bins, range=(-4.0, 4.0))
    want, places = np.histogram(wide(operand.array), bins, (-4.0, 4.0))
    np.testing.assert_array_equal(counts.numpy(), want)
    np.testing.assert_allclose(edges.numpy(), places, rtol=1e-6)
    np.testing.assert_array_equal(minigrad.histc(x, bins, -4, 4).numpy(), want)
    several = minigrad.histogramdd(x.reshape(-1, 1), [bins], range=[-4.0, 4.0]).hist
    np.testing.assert_array_equal(several.numpy(), want)
