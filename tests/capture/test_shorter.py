"""Calls that a captured step leaves out, and those that it must not."""

from itertools import pairwise

import pytest

import minigrad as torch
from minigrad._capture.arena import Arena


def twice(x):
    return (x + 1).exp() * (x + 1).sin()


def twice_with_a_write(x):
    y = x + 1
    z = y.exp()
    y.mul_(2)
    return z * (x + 1) + y


def written_operand(x):
    w = x * 3
    y = w + 1
    w.mul_(2)
    return y * (w + 1)


def copied(x):
    y = x * 2
    return y.clone() + y.clone().sin()


def copied_and_source_written(x):
    y = x * 2
    z = y.clone()
    y.add_(1)
    return y * z


def copy_written(x):
    y = x * 2
    z = y.clone()
    z.add_(1)
    return y * z


def copy_returned(x):
    y = x * 2
    return y, y.clone()


def written_over(x):
    y = x.detach().requires_grad_()
    loss = torch.nn.functional.mse_loss(y, torch.ones(4))
    return (*torch.autograd.grad(loss, y), loss.detach())


def written_over_and_seen(x):
    y = (x + 1).exp()
    z = x + 1
    seen = z[1:]
    z.mul_(x)
    return y * z * seen.sum()


def written_over_in_part(x):
    y = (x + 1).exp()
    z = x + 1
    z[1:].mul_(2)
    return y * z


def first_one_changed_meanwhile(x):
    y = x + 1
    z = x + 1
    y.mul_(2)
    z.mul_(3)
    return y * z


def numbers_apart(x):
    return (x + 1) * (x + 1.0) * (x + 0.0).atan2(x + -0.0)


@pytest.mark.parametrize(
    "step, function, calls",
    [
        (twice, "add", 1), (twice_with_a_write, "add", 3), (written_operand, "add", 2), (copied, "copyto", 0), (copied_and_source_written, "copyto", 1),
        (copy_written, "copyto", 1), (copy_returned, "astype", 1), (numbers_apart, "add", 4),
        (written_over, "subtract", 1), (written_over_and_seen, "add", 2), (written_over_in_part, "add", 2), (first_one_changed_meanwhile, "add", 2),
    ],
    ids=lambda x: getattr(x, "__name__", None),
)  # fmt: skip
def test_calls_that_are_left_out(step, function, calls):
    captured = torch.capture(step)
    for _ in range(5):
        x = torch.randn(4)
        want, got = (torch.utils._pytree.tree_leaves(f(x)) for f in (step, captured))
        assert all(map(torch.equal, want, got))
    assert captured.replays
    source = captured.explain(x)
    assert sum(f"{function}(" in line for line in source.splitlines()) == calls, source


def test_blocks_that_are_held_do_not_overlap():
    arena, held = Arena(), []
    for i, nbytes in enumerate([4, 64, 100, 16, 4, 4096, 0, 64, 20, 100, 3000, 8]):
        held.append(arena.take(nbytes))
        if i % 3 == 2:
            arena.give_back(held.pop(i // 3))
        assert held[-1][1] >= nbytes
        ends = sorted(held)
        assert all(a + size <= b for (a, size), (b, _) in pairwise(ends))
        assert ends[-1][0] + ends[-1][1] <= arena.size
    assert arena.memory().size == arena.size
