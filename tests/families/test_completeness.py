"""No operator of the families' modules is without a row, or a reason in this file why it has none."""

import importlib
import pathlib

import pytest

import minigrad
from tests.families.tables import FAMILIES, ROWS

MODULES = (
    "activation", "arithmetic", "bins", "choose", "compare", "complex", "cumulative", "error_function", "moments",
    "order_statistics", "reduce", "rounding", "softmax", "sorting", "special", "transcendental",
)  # fmt: skip

#: Operators without a row, each with what is checked instead.
ELSEWHERE = {
    "frexp": "two results of different kinds: tests/ops/test_arithmetic.py",
    "norm_except_dim": "of weights that are normalised: tests/ops/test_tensor_functions.py",
}
COVERED = {name for row in ROWS for name in (row.op, *row.aliases)}
OWN_TESTS = {  # in the files of the families, but not as a row
    "allclose", "bincount", "bucketize", "equal", "histc", "histogram", "histogramdd", "is_conj", "is_neg", "is_nonzero", "isin",
    "searchsorted", "unique", "unique_consecutive",
}  # fmt: skip


def names_of(module):
    return importlib.import_module(f"minigrad._ops.{module}").__all__


@pytest.mark.parametrize("module", MODULES)
def test_every_operator_has_a_row(module):
    missing = []
    for name in names_of(module):
        plain = name.removesuffix("_")
        if plain in COVERED | OWN_TESTS or name in ELSEWHERE:
            continue
        missing.append(name)
    assert not missing, f"no row in tests/families for {missing}"


def test_the_exclusions_are_needed():
    known = {name for module in MODULES for name in names_of(module)}
    assert set(ELSEWHERE) <= known
    assert known >= OWN_TESTS
    assert not (set(ELSEWHERE) | OWN_TESTS) & COVERED
    sources = [pathlib.Path(family.__file__).read_text(encoding="utf-8") for family in FAMILIES]
    for name in OWN_TESTS:
        assert any(name in source for source in sources), name


def test_every_in_place_form_is_tested():
    in_place = {row.op for row in ROWS if row.in_place}
    methods = {row.op for row in ROWS if hasattr(minigrad.Tensor, row.op + "_")}
    assert methods <= in_place, f"rows that deny their in-place form: {sorted(methods - in_place)}"
