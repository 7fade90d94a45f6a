"""Sorting, selecting by rank, distinct elements, and searching in sorted sequences."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.operators import draws
from tests.operators.draws import INTEGERS, few, wide
from tests.operators.rows import REAL
from tests.operators.table.sorting import NUMBERS

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
