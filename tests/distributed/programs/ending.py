"""Rank 1 ends in one of several ways while the others wait for it."""

import os
import signal
import sys
import time
from datetime import timedelta

import torch
import torch.distributed as dist

how = sys.argv[1]
dist.init_process_group("gloo", timeout=timedelta(seconds=2 if how == "absent" else 600))
dist.barrier()
if dist.get_rank() == 1:
    if how == "exception":
        raise ValueError("the reason")
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "exit":
        sys.exit(3)
    if how == "absent":
        time.sleep(60)
shape = (dist.get_rank() + 2, 2) if how == "shape" else (2, 2)
dtype = torch.float64 if how == "dtype" and dist.get_rank() == 1 else torch.float32
if how == "order" and dist.get_rank() == 1:
    dist.broadcast(torch.ones(shape), 0)
if how == "absent late":
    try:
        dist.monitored_barrier(timeout=timedelta(seconds=1)) if dist.get_rank() != 1 else time.sleep(60)
    except RuntimeError as error:
        print(error, flush=True)
        raise
dist.all_reduce(torch.ones(shape, dtype=dtype))
print("not reached")
