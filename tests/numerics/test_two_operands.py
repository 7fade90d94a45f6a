"""Powers, division, remainders and other functions of two arguments."""

from math import inf, log, nan, pi

from tests.numerics.table import checks_of, elementwise, row

ROWS = [
    # powers
    elementwise("x**0", [1, 1], x=[0.0, 2], dx=[0, 0]),
    elementwise("x**0.0", [1, 1], x=[0.0, 2], dx=[0, 0]),
    elementwise("x**1", [0], x=[0.0], dx=[1]),
    elementwise("x**2", [0], x=[0.0], dx=[0]),
    elementwise("x**0.5", [0], x=[0.0], dx=[inf]),
    elementwise("x**-1", [inf], x=[0.0], dx=[-inf]),
    elementwise("x**y", [1, 0, inf], x=[0.0, 0, 0], y=[0.0, 2, -1], dx=[0, 0, -inf], dy=[0, 0, -inf]),
    elementwise("x**y", [4, nan, 1], x=[-2.0, -2, 1], y=[2, 0.5, nan], dx=[-4, nan, nan], dy=[nan, nan, 0]),
    elementwise("torch.pow(0, x)", [1, 0, inf], x=[0.0, 2, -1], dx=[0, 0, -inf]),
    row(
        "torch.tensor(2)**-1",
        raises=(RuntimeError, r"Integers to negative integer powers are not allowed\."),
    ),
    row("torch.tensor([1, -1, 2, 0])**torch.tensor(-1)", [1, -1, 0, 0]),
    # division
    elementwise("x / y", [nan, inf], x=[0.0, 1], y=[0.0, 0], dx=[inf, inf], dy=[nan, -inf]),
    row("torch.tensor(1) // 0", raises=(RuntimeError, "ZeroDivisionError")),
    row("torch.tensor(-5) % 3", 1),
    row("torch.fmod(torch.tensor(-5), 3)", -2),
    row("torch.tensor(-5) // 3", -2),
    row("torch.div(torch.tensor(-5), 3, rounding_mode='trunc')", -1),
    elementwise(
        "torch.remainder(x, y)", [1, -1, nan], x=[-5.0, 5, 1], y=[3.0, -3, 0], dx=[1, 1, 1], dy=[2, 2, -inf]
    ),
    elementwise(
        "torch.fmod(x, y)", [-2, 2, nan], x=[-5.0, 5, 1], y=[3.0, -3, 0], dx=[1, 1, 1], dy=[1, 1, -inf]
    ),
    elementwise(
        "torch.div(x, y, rounding_mode='floor')", [-2, inf, nan],
        x=[-5.0, 1, 0], y=[3.0, 0, 0], dx=[0, 0, 0], dy=[0, 0, 0],
    ),
    # the rest
    elementwise(
        "torch.atan2(x, y)", [0, pi, -pi, pi / 4], x=[0.0, 0, -0.0, inf], y=[0.0, -0.0, -1, inf],
        dx=[0, -0.0, -1, nan], dy=[-0.0, -0.0, 0, nan],
    ),
    elementwise("torch.hypot(x, y)", [0, inf], x=[0.0, inf], y=[0.0, nan], dx=[nan, nan], dy=[nan, nan]),
    elementwise("torch.maximum(x, y)", [1, nan], x=[1.0, nan], y=[1.0, 1], dx=[0.5, 1], dy=[0.5, 1]),
    elementwise("torch.minimum(x, y)", [1, nan], x=[1.0, nan], y=[1.0, 1], dx=[0.5, 1], dy=[0.5, 1]),
    elementwise("torch.fmax(x, y)", [1, 1, nan], x=[1, nan, nan], y=[1.0, 1, nan], dx=[1, 0, 1], dy=[0, 1, 0]),
    elementwise("torch.fmin(x, y)", [1, 1, nan], x=[1, nan, nan], y=[1.0, 1, nan], dx=[1, 0, 1], dy=[0, 1, 0]),
    elementwise("torch.copysign(x, y)", [-1, -0.0], x=[1.0, 0], y=[-0.0, -1], dx=[-1, 0], dy=[0, 0]),
    elementwise(
        "torch.xlogy(x, y)", [0, nan, -inf, 0], x=[0.0, 0, 1, 0], y=[0, nan, 0, inf],
        dx=[0, nan, -inf, inf], dy=[nan, nan, inf, 0],
    ),
    elementwise(
        "torch.logaddexp(x, y)", [-inf, inf, inf, log(2)], x=[-inf, inf, inf, 0], y=[-inf, inf, -inf, 0],
        dx=[nan, nan, 1, 0.5], dy=[nan, nan, 0, 0.5],
    ),
    elementwise("torch.lerp(x, y, 0.5)", [nan], x=[0.0], y=[inf], dx=[0.5], dy=[0.5]),
    row(
        "torch.heaviside(x, y)",
        x=[0.0], y=[1.0],
        raises=(RuntimeError, "derivative for aten::heaviside is not implemented"),
    ),
]  # fmt: skip

test_rows_hold, test_rows_are_what_torch_does = checks_of(ROWS)
