"""Gradients in memory that the ranks have in common are what they are without it, to the bit; where it is not to be had, ranks do without; it is given back."""

import errno
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from minigrad.distributed import _shared_memory

dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()
FOLDER = _shared_memory._FOLDER


def mapped():
    """How many such memories this process has."""
    with open("/proc/self/maps") as file:
        return len({line.split()[4] for line in file if f"{FOLDER}/minigrad-" in line})


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide, self.exact = nn.Linear(200, 300), nn.Linear(300, 70).double()
        self.low, self.unused = nn.Linear(70, 300).half(), nn.Linear(100, 10)

    def forward(self, x):
        return self.low(torch.tanh(self.exact(torch.tanh(self.wide(x)).double())).half())


def trained(common, uneven=False, **options):
    """The sums of the gradients in every step, and of the parameters at the end."""
    torch.manual_seed(1)
    model = DDP(Net(), find_unused_parameters=True, bucket_cap_mb=0.1, **options)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    found = []
    with model.join():
        for step in range(4 + RANK * uneven):
            torch.manual_seed(10 * step + RANK)
            if step % 2:
                optimizer.zero_grad()
            model(torch.randn(5, 200)).float().square().mean().backward()
            nn.utils.clip_grad_norm_(model.parameters(), 3.0)
            optimizer.step()
            found += [p.grad.clone() for p in model.parameters() if p.grad is not None]
    assert mapped() == common, (mapped(), common)
    assert all((bucket.flats is not None) == common for bucket in model._reducer.buckets)
    return found + [p.detach().clone() for p in model.parameters()]


def alike(first, second):
    return len(first) == len(second) and all(torch.equal(a, b) for a, b in zip(first, second))


for options in {}, {"gradient_as_bucket_view": True}, {"static_graph": True}, {"uneven": True}:
    least, _shared_memory._LEAST = _shared_memory._LEAST, 1 << 40
    apart = trained(False, **options)
    _shared_memory._LEAST = least
    together = trained(True, **options)
    assert alike(apart, together), options
    assert not mapped() and not [name for name in os.listdir(FOLDER) if f"minigrad-{os.getpid()}" in name]


def refuse(*arguments):
    raise OSError(errno.ENOSPC, "no room")


for rank, name in ((0, "posix_fallocate"), (SIZE - 1, "open")):
    before = getattr(os, name)
    if rank == RANK:
        setattr(os, name, refuse)
    assert alike(apart, trained(False, uneven=True))
    setattr(os, name, before)
if RANK == 0:
    print("common memory")
