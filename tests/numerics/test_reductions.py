"""Reductions and order statistics: ties, nans, zeros in products, empty axes."""

from math import inf, nan

from tests.numerics.table import checks_of, row

EXTREMES = [
    row(f"{code}", value, x=[1.0, 3, 3] if value == 3 else [1.0, 1, 3], dx=dx)
    for code, value, dx in [
        ("x.max()", 3, [0, 0.5, 0.5]), ("x.amax()", 3, [0, 0.5, 0.5]), ("x.aminmax().max", 3, [0, 0.5, 0.5]),
        ("x.min()", 1, [0.5, 0.5, 0]), ("x.amin()", 1, [0.5, 0.5, 0]), ("x.aminmax().min", 1, [0.5, 0.5, 0]),
    ]
]  # fmt: skip

ROWS = [
    *EXTREMES,
    row("x.max(0)", (3, 1), x=[1.0, 3, 3], dx=[0, 1, 0]),
    row("x.min(0)", (1, 0), x=[1.0, 1, 3], dx=[1, 0, 0]),
    row("x.max()", nan, x=[1.0, nan, 3, nan], dx=[0, 0.5, 0, 0.5]),
    row("x.max(0)", (nan, 1), x=[1.0, nan, 3, nan], dx=[0, 1, 0, 0]),
    row("x.amax()", nan, x=[1.0, nan, 3, nan], dx=[nan, nan, nan, nan]),
    row("x.argmax(), x.argmin()", (1, 0), x=[1.0, 3, 3, 1]),
    row("x.argmax(), x.argmin()", (1, 1), x=[1.0, nan, 3, nan]),
    # order statistics
    row("x.median()", 2, x=[3.0, 2, 1, 2], dx=[0, 0.5, 0, 0.5]),
    row("x.median(0)", (2, 3), x=[4.0, 1, 3, 2], dx=[0, 0, 0, 1]),
    row("x.median()", nan, x=[1.0, nan, 3], dx=[0, 1, 0]),
    row("x.nanmedian()", 1, x=[1.0, nan, 3], dx=[1, 0, 0]),
    row("x.mode().values", 3, x=[1.0, 3, 3, 2]),
    row("x.kthvalue(3).values", 3, x=[1.0, 3, 3, 2]),
    row("x.kthvalue(2)", (2, 3), x=[1.0, 3, 5, 2], dx=[0, 0, 0, 1]),
    row("x.quantile(0.5)", 2.5, x=[1.0, 2, 3, 4], dx=[0, 0.5, 0.5, 0]),
    row("x.sort(stable=True)", ([0, 1, 1, 1], [2, 0, 1, 3]), x=[1.0, 1, 0, 1],
        cotangent=[1.0, 2, 3, 4], dx=[2, 3, 1, 4]),
    row("x.sort(stable=True, descending=True)", ([1, 1, 1, 0], [0, 1, 3, 2]), x=[1.0, 1, 0, 1],
        cotangent=[1.0, 2, 3, 4], dx=[1, 2, 4, 3]),
    row("x.sort()", ([1, inf, nan], [1, 2, 0]), x=[nan, 1.0, inf]),
    row("x.sort(descending=True)", ([nan, inf, 1], [0, 2, 1]), x=[nan, 1.0, inf]),
    row("x.topk(2)", ([nan, inf], [0, 2]), x=[nan, 1.0, inf]),
    # cumulative
    row("x.cummax(0)", ([1, 1, 1, 1], [0, 1, 1, 3]), x=[1.0, 1, 0, 1], dx=[1, 2, 0, 1]),
    row("x.cummin(0)", ([1, 1, 0, 0], [0, 1, 2, 2]), x=[1.0, 1, 0, 1], dx=[1, 1, 2, 0]),
    row("x.cummax(0)", ([1, nan, nan], [0, 1, 1]), x=[1.0, nan, 3], dx=[1, 2, 0]),
    row("x.prod()", 0, x=[2.0, 0, 3], dx=[0, 6, 0]),
    row("x.prod()", 0, x=[0.0, 2, 0], dx=[0, 0, 0]),
    row("x[:0].prod()", 1, x=[2.0], dx=[0]),
    row("x.cumprod(0)", [2, 0, 0, 0], x=[2.0, 0, 3, 4], dx=[1, 32, 0, 0]),
    row("x.cumprod(0)", [2, 0, 0, 0, 0], x=[2.0, 0, 3, 0, 5], dx=[1, 8, 0, 0, 0]),
    # of nothing, of one element, of equal ones
    row("x[:0].sum()", 0, x=[2.0], dx=[0]),
    row("x[:0].mean()", nan, x=[2.0]),
    row("x[:0].max()", x=[2.0], raises=(RuntimeError, "")),
    row("x[:0].argmax()", x=[2.0], raises=(IndexError, "")),
    row("x[:0].amax(0)", x=[2.0], raises=(IndexError, "")),
    row("x.std()", nan, x=[3.0], dx=[nan]),
    row("x.var()", nan, x=[3.0], dx=[nan]),
    row("x.std(correction=0)", 0, x=[3.0], dx=[0]),
    row("x.std()", 0, x=[2.0, 2, 2], dx=[0, 0, 0]),
    row("x.var()", 0, x=[2.0, 2, 2], dx=[0, 0, 0]),
    row("x.nansum()", 1, x=[1, nan], dx=[1, 0]),
    row("x.nanmean()", 2, x=[1, nan, 3], dx=[0.5, 0, 0.5]),
]  # fmt: skip

test_rows_hold, test_rows_are_what_torch_does = checks_of(ROWS)
