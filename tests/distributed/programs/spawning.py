"""A program that starts its ranks itself."""

import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def train(rank, size, url, fails):
    dist.init_process_group("gloo", init_method=url, rank=rank, world_size=size)
    x = torch.full((2,), float(rank))
    dist.all_reduce(x)
    if fails and rank == 1:
        raise ValueError("the reason")
    dist.barrier()
    objects = [None] * size
    dist.all_gather_object(objects, (rank, x.tolist()))
    if rank == 0:
        print(objects, dist.get_backend())
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    mp.spawn(train, args=(3, sys.argv[1], "fails" in sys.argv), nprocs=3)
    print("all ended")
