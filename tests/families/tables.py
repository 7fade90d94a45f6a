"""The tables of all families together."""

from tests.families import (
    test_activation,
    test_binary,
    test_bitwise,
    test_comparison,
    test_complex,
    test_cumulative,
    test_moments,
    test_reduction,
    test_sorting,
    test_unary,
)

FAMILIES = (
    test_activation, test_binary, test_bitwise, test_comparison, test_complex, test_cumulative, test_moments, test_reduction,
    test_sorting, test_unary,
)  # fmt: skip
ROWS = [row for family in FAMILIES for row in family.ROWS]
