"""``ZeroRedundancyOptimizer``, with PyTorch's gloo or here: what it prints is compared, and is what an optimizer alone computes."""

import warnings

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP

warnings.simplefilter("ignore")
dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()
torch.set_default_dtype(torch.float64)


def net():
    torch.manual_seed(5)
    return nn.Sequential(nn.Linear(8, 30), nn.Tanh(), nn.Linear(30, 20), nn.ReLU(), nn.Linear(20, 3))


def run(model, optimizer, schedule, steps):
    for step in steps:
        torch.manual_seed(step)
        x, y = torch.randn(SIZE, 6, 8), torch.randint(0, 3, (SIZE, 6))
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[RANK]), y[RANK]).backward()
        optimizer.step()
        schedule.step()


for name, options in (("SGD", {"lr": 0.05, "momentum": 0.9}), ("Adam", {"lr": 0.01})):
    kind = getattr(torch.optim, name)
    sharded, whole = DDP(net()), DDP(net())
    zero, plain = (
        ZeroRedundancyOptimizer(sharded.parameters(), kind, **options),
        kind(whole.parameters(), **options),
    )
    run(sharded, zero, torch.optim.lr_scheduler.StepLR(zero, 3, 0.5), range(10))
    schedule = torch.optim.lr_scheduler.StepLR(plain, 3, 0.5)
    run(whole, plain, schedule, range(10))
    assert all(torch.equal(a, b) for a, b in zip(sharded.parameters(), whole.parameters()))
    zero.consolidate_state_dict(to=0)
    state = [zero.state_dict() if RANK == 0 else None]
    dist.broadcast_object_list(state, src=0)
    expected = plain.state_dict()
    assert sorted(state[0]["state"]) == sorted(expected["state"]), state[0]["state"].keys()
    for number, values in expected["state"].items():
        for key, value in values.items():
            assert not torch.is_tensor(value) or torch.equal(state[0]["state"][number][key], value), (
                number,
                key,
            )
    again = ZeroRedundancyOptimizer(sharded.parameters(), kind, **options)
    again.load_state_dict(state[0])
    run(sharded, again, torch.optim.lr_scheduler.ConstantLR(again, 1.0), range(10, 15))
    run(whole, plain, torch.optim.lr_scheduler.ConstantLR(plain, 1.0), range(10, 15))
    assert all(torch.equal(a, b) for a, b in zip(sharded.parameters(), whole.parameters()))
    if RANK == 0:
        print(
            name,
            [f"{p.sum().item():.8f}" for p in sharded.parameters()],
            state[0]["param_groups"][0]["lr"],
            flush=True,
        )
dist.barrier()
dist.destroy_process_group()
