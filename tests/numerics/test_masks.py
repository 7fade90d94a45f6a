"""Masks, indices that occur twice, pooling with ties, normalisation without variance."""

from math import inf, nan

from tests.numerics.table import checks_of, row

ROWS = [
    # the trap: a branch that is not taken has an infinite slope
    row("torch.where(x > 0, x.sqrt(), 0)", [0, 2], x=[0.0, 4], dx=[nan, 0.25]),
    row("torch.where(x > 0, 1 / x, 0)", [0, 0.5], x=[0.0, 2], dx=[nan, -0.25]),
    row("x.log().masked_fill(x == 0, 0)", [0, 0], x=[0.0, 1], dx=[nan, 1]),
    # repeated indices
    row("x.gather(0, torch.tensor([0, 0, 1]))", [5, 5, 6], x=[5.0, 6], dx=[2, 1]),
    row("x.index_select(0, torch.tensor([0, 0, 1]))", [5, 5, 6], x=[5.0, 6], dx=[2, 1]),
    row("x.index_put((torch.tensor([0, 0]),), y, accumulate=True)", [8, 6],
        x=[5.0, 6], y=[1.0, 2], dx=[1, 1], dy=[1, 1]),
    row("x.scatter_reduce(0, torch.tensor([0, 0]), y, 'amax')", [3, 1], x=[0.0, 1], y=[3.0, 3], dx=[0, 1], dy=[0.5, 0.5]),
    row("x.scatter_reduce(0, torch.tensor([0, 0]), y, 'amax')", [3], x=[3.0], y=[3.0, 3], dx=[1 / 3], dy=[1 / 3, 1 / 3]),
    row("x.scatter_reduce(0, torch.tensor([0, 0]), y, 'prod')", [0], x=[2.0], y=[0.0, 3], dx=[0], dy=[6, 0]),
    row("F.embedding(torch.tensor([0, 1]), x, padding_idx=0)", [[1, 2], [3, 4]], x=[[1.0, 2], [3, 4]], dx=[[0, 0], [1, 1]]),
    # windows
    row("F.max_pool1d(x, 3)", [[2]], x=[[1.0, 2, 2]], dx=[[0, 1, 0]]),
    row("F.max_pool2d(x, 2)", [[[2]]], x=[[[1.0, 2], [2, 1]]], dx=[[[0, 1], [0, 0]]]),
    row("F.adaptive_max_pool1d(x, 1)", [[2]], x=[[1.0, 2, 2]], dx=[[0, 1, 0]]),
    row("F.max_pool1d(x, 3)", [[nan]], x=[[1.0, nan, inf]], dx=[[0, 1, 0]]),
    # no variance
    row("F.batch_norm(x, None, None, training=True)", [[0], [0]], x=[[2.0], [2]], dx=[[0], [0]]),
    row("F.layer_norm(x, (2,))", [0, 0], x=[2.0, 2], dx=[0, 0]),
    row("F.batch_norm(x, None, None, training=True)", x=[[2.0]],
        raises=(ValueError, "Expected more than 1 value per channel when training")),
]  # fmt: skip

test_rows_hold, test_rows_are_what_torch_does = checks_of(ROWS)
