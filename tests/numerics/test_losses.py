"""Exponentials over an axis, and losses: infinite scores, ignored targets, the active side of a kink."""

from math import inf, log, nan

from tests.numerics.table import checks_of, row

CROSS_ENTROPY_OF_ONE = "F.cross_entropy(x, torch.tensor([{}]){})".format

ROWS = [
    row("x.logsumexp(0)", -inf, x=[-inf, -inf], dx=[nan, nan]),
    row("x.logsumexp(0)", inf, x=[inf, 1], dx=[nan, 0]),
    row("x.logsumexp(0)", 1000 + log(2), x=[1000.0, 1000], dx=[0.5, 0.5]),
    row("x.logsumexp(0)", 0, x=[-inf, 0], dx=[0, 1]),
    row("x.logcumsumexp(0)", [-inf, -inf, 0], x=[-inf, -inf, 0], dx=[nan, nan, 1]),
    row("x.softmax(0)", [nan, nan], x=[-inf, -inf], dx=[nan, nan]),
    row("x.softmax(0)", [0, 1], x=[-inf, 0], dx=[0, 0]),
    row("x.softmax(0)", [nan, nan], x=[inf, 0], dx=[nan, nan]),
    row("x.log_softmax(0)", [-inf, 0], x=[-inf, 0], cotangent=[0.0, 1], dx=[0, 0]),
    # cross entropy
    row(CROSS_ENTROPY_OF_ONE(-100, ""), nan, x=[[1.0, 2]], dx=[[0, 0]]),
    row(CROSS_ENTROPY_OF_ONE(-100, ", reduction='sum'"), 0, x=[[1.0, 2]], dx=[[0, 0]]),
    row("F.cross_entropy(x, torch.tensor([-100, 0]))", log(2), x=[[1.0, 2], [0, 0]], dx=[[0, 0], [-0.5, 0.5]]),
    row(CROSS_ENTROPY_OF_ONE(0, ""), inf, x=[[-inf, 0]], dx=[[-1, 1]]),
    row(CROSS_ENTROPY_OF_ONE(1, ""), 0, x=[[-inf, 0]], dx=[[0, 0]]),
    row(CROSS_ENTROPY_OF_ONE(1, ", label_smoothing=0.1"), inf, x=[[-inf, 0]], dx=[[-0.05, 0.05]]),
    row("F.cross_entropy(x[:0], torch.tensor([], dtype=torch.int64))", nan, x=[[1.0, 2]]),
    row(CROSS_ENTROPY_OF_ONE(5, ""), x=[[1.0, 2]], raises=(IndexError, r"Target 5 is out of bounds\.")),
    row("F.nll_loss(x, torch.tensor([0]), torch.tensor([0, 1], dtype=x.dtype))", nan, x=[[1.0, 2]], dx=[[nan, 0]]),
    # the others
    row("F.binary_cross_entropy(x, y, reduction='none')", [100, -0.0, 0], x=[0.0, 1, 0], y=[1.0, 1, 0], dx=[-1e12, 0, 0]),
    row("F.binary_cross_entropy(x, y)", x=[1.5], y=[1.0], raises=(RuntimeError, "between 0 and 1")),
    row("F.binary_cross_entropy_with_logits(x, y, reduction='none')", [1000, 1000], x=[-1000.0, 1000], y=[1.0, 0], dx=[-1, 1]),
    row("F.kl_div(x, y, reduction='none')", [nan], x=[-inf], y=[0.0], dx=[-0.0]),
    *[
        row(f"F.{name}(x, y)", 0, x=[1.0], y=[1.0], dx=[0], dy=[0])
        for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
    ],
    *[row(f"F.{name}(x, y)", 0.5, x=[1.0], y=[0.0], dx=[1], dy=[-1]) for name in ("smooth_l1_loss", "huber_loss")],
    row("F.hinge_embedding_loss(x, torch.tensor([-1]))", 0, x=[1.0], dx=[-1]),
    row("F.margin_ranking_loss(x, y, torch.tensor([1]))", 0, x=[0.0], y=[0.0], dx=[-1], dy=[1]),
    row("F.gaussian_nll_loss(x, x.detach(), y)", 0.5 * log(1e-6), x=[1.0], y=[0.0], dy=[5e5]),
]  # fmt: skip

test_rows_hold, test_rows_are_what_torch_does = checks_of(ROWS)
