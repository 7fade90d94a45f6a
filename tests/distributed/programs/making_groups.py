"""Groups that are made while collectives are under way: some ranks wait for these before they make the group, others after it."""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()


def own_channel():
    from minigrad.distributed._groups import own_channel  # what async_save works with

    return own_channel(None)


WAYS = {
    "new_group": dist.new_group,
    "of some": lambda: dist.new_group([0, SIZE - 1], use_local_synchronization=True),
    "split_group": lambda: dist.split_group(split_ranks=[list(range(SIZE - 1)), [SIZE - 1]]),
    "own_channel": own_channel,
    "mesh": lambda: dist.init_device_mesh("cpu", (1, SIZE), mesh_dim_names=("a", "b"))["b"].get_group(),
}
if not hasattr(torch.version, "minigrad"):
    del WAYS["own_channel"], WAYS["split_group"]  # PyTorch's needs a device for the latter
for name, make in WAYS.items():
    if name == "of some" and 0 < RANK < SIZE - 1:
        make = type(None)
    for late in range(SIZE):
        tensors = [torch.full((size,), float(RANK)) for size in (100_000, 5, 200_000, 3)]
        works = [dist.all_reduce(x, async_op=True) for x in tensors]
        works.append(dist.broadcast(x := torch.full((4,), float(RANK)), late, async_op=True))
        if RANK != late:
            works[-1].wait()
        group = make()
        for work in reversed(works):
            work.wait()
        assert x.tolist() == [late] * 4
        assert all(each[0] == each[-1] == sum(range(SIZE)) for each in tensors)
        if group is not None:
            dist.all_reduce(own := torch.ones(3), group=group)
            assert own[0] == dist.get_world_size(group)
dist.barrier()
if RANK == 0:
    print("made", sorted(WAYS))
