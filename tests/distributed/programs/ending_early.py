"""Some ranks have done their part, and end, seconds before others have: nobody takes them for lost.  One that has not done its part is named."""

import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()
absent = sys.argv[1:] == ["absent"]
some = dist.new_group([0, 1, 2])
if RANK == 2:
    time.sleep(0 if absent else 2.5)
out = [torch.zeros(2) for _ in range(SIZE)] if RANK == 0 else None
dist.gather(torch.full((2,), float(RANK)), out, dst=0, group=some)
assert out is None or [each[1] for each in out] == [0, 1, 2]
if absent and RANK != 1:
    dist.all_reduce(torch.ones(2), group=some)
if RANK == 2:
    dist.send(torch.ones(2), 0)
    dist.send_object_list(["a"], 0)
if RANK == 0:
    assert dist.recv(x := torch.zeros(2)) == 2 and x[0] == 1
    assert dist.recv_object_list(got := [None], 2) == 2 and got == ["a"]
print(f"{RANK} has ended", flush=True)
