"""Four ranks on two machines."""

import os
import socket

import torch
import torch.distributed as dist
from torch import nn

from minigrad.distributed._shared_memory import common_memory

dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()
local, _ = dist.new_subgroups()
assert common_memory(dist.group.WORLD, 1 << 20) is None and len(common_memory(local, 1 << 20)) == 2

if RANK == 0:
    for _ in range(3):  # from a rank here and from two there
        senders = {dist.recv(torch.zeros(2, 3), tag=3) for _ in range(SIZE - 1)}
        assert senders == {1, 2, 3}
        dist.barrier()
else:
    for _ in range(3):
        dist.send(torch.ones(2, 3), 0, tag=3)
        dist.barrier()
for size in 1, 5_000, 1_000_000:
    dist.all_reduce(x := torch.full((size,), float(RANK)))
    assert x.unique().tolist() == [6]
torch.manual_seed(RANK)
model = nn.parallel.DistributedDataParallel(nn.Linear(300, 300))
for _ in range(3):
    model(torch.full((1, 300), float(RANK))).sum().backward()
assert model.module.weight.grad.unique().tolist() == [4.5]  # three times the mean of 0 to 3
seen = [None] * SIZE
dist.all_gather_object(
    seen, (socket.gethostname(), dist.get_node_local_rank(), int(os.environ["LOCAL_WORLD_SIZE"]))
)
if RANK == 0:
    print(seen)
