"""A program for PyTorch's gloo: what it prints is compared."""

import warnings

import torch
import torch.distributed as dist

warnings.simplefilter("ignore")
dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()


def show(*values):
    if RANK == 0:
        print(*values, flush=True)


def outcome(function):
    try:
        return function()
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0].partition(' (')[0]}"


torch.manual_seed(RANK)
for dtype in (
    torch.float32,
    torch.float16,
    torch.bfloat16,
    torch.float64,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.bool,
    torch.complex64,
):
    for op in ("SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR"):
        x = (torch.randn(5) * 3).round().to(dtype)
        result = outcome(lambda: dist.all_reduce(x, getattr(dist.ReduceOp, op)))
        show(dtype, op, x if result is None else result)
show(
    repr(dist.ReduceOp.SUM),
    dist.ReduceOp.SUM == dist.ReduceOp.RedOpType.SUM,
    dist.get_backend(),
    dist.is_initialized(),
)
world = dist.group.WORLD
show(
    dist.get_process_group_ranks(world), world.group_name, world.group_desc, world.size(), dist.get_pg_count()
)
show(
    outcome(lambda: dist.get_global_rank(world, 5)),
    dist.get_group_rank(world, 1),
    dist.GroupMember.NON_GROUP_MEMBER,
)
leaf = torch.ones(2, requires_grad=True)
show(outcome(lambda: dist.all_reduce(leaf)), leaf, leaf._version)
work = dist.all_reduce(x := torch.ones(2), async_op=True)
show(work.wait(), work.is_completed(), outcome(lambda: work.get_future().wait()), x._version)
view = torch.zeros(3, 2).t()
view += RANK + 1
show(outcome(lambda: dist.all_reduce(view)), view)
show(outcome(lambda: dist.broadcast(view, 1)), view)
parts = [torch.zeros(2, 2).t() for _ in range(SIZE)]
show(outcome(lambda: dist.all_gather(parts, (torch.arange(4.0).view(2, 2) * (RANK + 1)).t())), parts)
show(outcome(lambda: dist.broadcast([1], 0)), outcome(lambda: dist.all_gather(view, view)))
show(outcome(lambda: dist.all_gather([torch.zeros(2, dtype=torch.int32)] * SIZE, torch.zeros(2))))
out = torch.zeros(1)
show(outcome(lambda: dist.reduce_scatter(out, [torch.ones(1) * k for k in range(SIZE)])), out)
out = torch.zeros(2)
show(outcome(lambda: dist.reduce_scatter_tensor(out, torch.arange(2.0 * SIZE))), out)
out = torch.zeros(2 * SIZE)
show(outcome(lambda: dist.all_to_all_single(out, torch.arange(2.0 * SIZE) + 10 * RANK)), out)
show(outcome(lambda: dist.all_gather_into_tensor(out, torch.arange(2.0) + 10 * RANK)), out)
objects = [None] * SIZE
dist.all_gather_object(objects, {"rank": RANK})
show(objects)
dist.reduce(x := torch.ones(2) * RANK, 0)
show(x)
show(outcome(lambda: dist.init_process_group("gloo")), outcome(lambda: dist.new_group([0, SIZE + 3])))
if RANK == 0:
    show(
        outcome(lambda: dist.send(torch.ones(1), 0)),
        outcome(lambda: dist.scatter(torch.ones(1), None, src=0)),
    )
if RANK == 0:
    dist.send(torch.arange(3.0), 1)
elif RANK == 1:
    got = torch.zeros(3)
    assert dist.recv(got, 0) == 0 and got[2] == 2
for options in (None, object(), 5):
    group = dist.new_group([0, 1], pg_options=options)
x = torch.full((2,), float(RANK))
dist.all_reduce(x, group=group)
show(x, dist.get_rank(group), dist.get_world_size(group), dist.get_pg_count())
dist.barrier()
dist.destroy_process_group()
show(outcome(dist.get_rank), outcome(dist.get_backend), dist.is_initialized())
