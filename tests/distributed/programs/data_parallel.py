"""Training in several processes, written for PyTorch's gloo: what it prints is compared."""

import warnings

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

warnings.simplefilter("ignore")
dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()


def show(*values):
    if RANK == 0:
        print(*values, flush=True)


def summary(model):
    return [f"{p.double().sum().item():.6f}" for p in model.parameters()]


def outcome(function):
    try:
        return function()
    except Exception as error:
        return f"{type(error).__name__}: {str(error).partition('.')[0]}"


torch.set_default_dtype(torch.float64)  # so that six digits are the same
torch.manual_seed(7)
data = TensorDataset(torch.randn(103, 12), torch.randint(0, 4, (103,)))


class Net(nn.Module):
    def __init__(self, wide=16):
        super().__init__()
        self.first, self.norm, self.second = (
            nn.Linear(12, wide, bias=False),
            nn.BatchNorm1d(wide),
            nn.Linear(wide, 4),
        )
        self.sometimes = nn.Linear(wide, 4)

    def forward(self, x, other=False):
        h = torch.relu(self.norm(self.first(x)))
        return self.second(h) + (self.sometimes(h) if other else 0)


def train(title, optimizer, other=lambda step: True, accumulate=1, hook=None, **options):
    torch.manual_seed(RANK)  # other numbers on each rank: those of rank 0 count
    model = DDP(Net(), **options)
    if hook is not None:
        model.register_comm_hook(None, hook)
    opt = optimizer(model.parameters())
    sampler = DistributedSampler(data, shuffle=True, seed=3)
    loader = DataLoader(data, batch_size=5, sampler=sampler)
    step = 0
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for x, y in loader:
            step += 1
            last = step % accumulate == 0
            with torch.enable_grad() if last else model.no_sync():
                loss = nn.functional.cross_entropy(model(x, other(step)), y)
                loss.backward()
            if last:
                if step == accumulate:
                    show(
                        "gradients",
                        [None if p.grad is None else f"{p.grad.norm():.5f}" for p in model.parameters()],
                    )
                opt.step()
                opt.zero_grad()
    mean = loss.detach()
    dist.all_reduce(mean, op=dist.ReduceOp.AVG)
    show(
        title,
        f"{mean.item():.5f}",
        summary(model),
        [f"{b.double().sum().item():.5f}" for b in model.buffers()],
    )
    sums = [None] * SIZE
    dist.all_gather_object(sums, summary(model))
    assert all(s == sums[0] for s in sums), sums
    return model


sgd = lambda p: torch.optim.SGD(p, 0.1)
model = train("sgd", sgd)
show(list(model.state_dict()), model.module.__class__.__name__)
train("momentum", lambda p: torch.optim.SGD(p, 0.1, momentum=0.9))
train("adam", lambda p: torch.optim.Adam(p, 0.01))
train("views", sgd, gradient_as_bucket_view=True)
train("small buckets", sgd, bucket_cap_mb=0.0002)
train("accumulated", sgd, accumulate=2)
train(
    "unused",
    lambda p: torch.optim.Adam(p, 0.01),
    other=lambda step: step % 3 == 0,
    find_unused_parameters=True,
)
train("unused on some ranks", sgd, other=lambda step: (step + RANK) % 2 == 0, find_unused_parameters=True)
train("static", sgd, other=lambda step: False, static_graph=True)
train("hook", sgd, hook=default_hooks.allreduce_hook)
train("half", sgd, hook=default_hooks.fp16_compress_wrapper(default_hooks.allreduce_hook))

model = DDP(Net())
model(data.tensors[0][:5]).sum().backward()
show(outcome(lambda: model(data.tensors[0][:5])))
show(outcome(lambda: DDP(nn.ReLU())), outcome(lambda: model.register_comm_hook(None, 3)))

import torch.distributed.nn.functional as fn

x = torch.full((2,), RANK + 1.0, requires_grad=True)
fn.all_reduce(x * x).sum().backward()
show("all_reduce", x.grad)
x = torch.full((2,), RANK + 1.0, requires_grad=True)
(torch.stack(fn.all_gather(x * 2)) * torch.arange(2.0 * SIZE).view(SIZE, 2)).sum().backward()
show("all_gather", x.grad)
x = torch.full((2,), RANK + 1.0, requires_grad=True)
(fn.broadcast(x * 3, 0) * (RANK + 1)).sum().backward()
show("broadcast", x.grad)
x = torch.full((SIZE, 2), RANK + 1.0, requires_grad=True)
(fn.all_to_all_single(torch.empty(SIZE, 2), x * 2) * (RANK + 1)).sum().backward()
show("all_to_all_single", x.grad)
x = torch.full((2,), RANK + 1.0, requires_grad=True)
(fn.reduce(x * 2, 0) * 5).sum().backward()
show("reduce", x.grad)
dist.barrier()
dist.destroy_process_group()
