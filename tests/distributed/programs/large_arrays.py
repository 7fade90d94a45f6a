"""Collectives of ten million elements against NumPy: each dtype with one operation, or, with the argument ``all``, with every one.

Element i of rank r is (i + r) modulo 3, so that three elements tell what all are to be.
"""

import sys

import torch
import torch.distributed as dist
from collectives_expected import DTYPES, combined, ops_of

dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()
LENGTH = 10_000_000
EVERY = sys.argv[1:] == ["all"]
checked = set()


def of_rank(rank, dtype):
    return torch.tensor([rank % 3, (rank + 1) % 3, (rank + 2) % 3]).to(dtype)


def whole(three, length=LENGTH):
    return three.repeat(length // 3 + 1)[:length]


def same(ours, three, what):
    assert ours.dtype == three.dtype, what
    assert torch.equal(ours, whole(three, len(ours))), what
    checked.add(what)


def reduced(dtype, op):
    three = [of_rank(rank, dtype) for rank in range(SIZE)]
    expected = combined(op, three, dtype)
    x = whole(three[RANK])
    dist.all_reduce(x, getattr(dist.ReduceOp, op))
    same(x, expected, ("all_reduce", dtype, op))
    if EVERY:
        x = whole(three[RANK])
        dist.reduce(x, SIZE - 1, getattr(dist.ReduceOp, op))
        same(x, expected if RANK == SIZE - 1 else three[RANK], ("reduce", dtype, op))


def moved(dtype):
    own, last = whole(of_rank(RANK, dtype)), SIZE - 1
    x = own.clone()
    dist.broadcast(x, last)
    same(x, of_rank(last, dtype), ("broadcast", dtype))
    rows = torch.empty(SIZE * LENGTH, dtype=dtype)
    dist.all_gather_single(rows, own)
    for rank in range(SIZE):
        same(rows[rank * LENGTH :][:LENGTH], of_rank(rank, dtype), ("all_gather_single", dtype, rank))
    part = torch.empty(LENGTH, dtype=dtype)
    dist.reduce_scatter_single(part, own.repeat(SIZE))
    same(part, combined("SUM", [of_rank(r, dtype) for r in range(SIZE)], dtype), ("reduce_scatter", dtype))
    dist.all_to_all_single(rows, own.repeat(SIZE))
    for rank in range(SIZE):
        same(rows[rank * LENGTH :][:LENGTH], of_rank(rank, dtype), ("all_to_all_single", dtype, rank))


for number, dtype in enumerate(DTYPES):
    ops = ops_of(dtype)
    for op in ops if EVERY else [ops[-1 - number % len(ops)]]:
        reduced(dtype, op)
for dtype in DTYPES if EVERY else [torch.float32]:
    moved(dtype)
if RANK == 0:
    print(
        f"checked {len(checked)}, operations {len({each[2] for each in checked if each[0] == 'all_reduce'})}"
    )
