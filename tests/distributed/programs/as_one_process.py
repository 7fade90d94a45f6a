"""What several processes compute together, against one that has all the data."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()
torch.set_default_dtype(torch.float64)


def net():
    torch.manual_seed(5)
    return nn.Sequential(nn.Linear(8, 30), nn.Tanh(), nn.Linear(30, 20), nn.ReLU(), nn.Linear(20, 3))


OPTIMIZERS = {
    "SGD": lambda p: torch.optim.SGD(p, 0.05),
    "momentum": lambda p: torch.optim.SGD(p, 0.05, momentum=0.9),
    "Adam": lambda p: torch.optim.Adam(p, 0.01),
}


def bit_for_bit():
    """50 steps of n ranks are those of one process that adds the gradients of the n parts in order."""
    for name, make in OPTIMIZERS.items():
        model, alone = DDP(net(), bucket_cap_mb=0.002, gradient_as_bucket_view=name == "Adam"), net()
        steps, lone_steps = make(model.parameters()), make(alone.parameters())
        for step in range(50):
            torch.manual_seed(step)
            x, y = torch.randn(SIZE, 6, 8), torch.randint(0, 3, (SIZE, 6))
            steps.zero_grad()
            nn.functional.cross_entropy(model(x[RANK]), y[RANK]).backward()
            steps.step()
            parts = []
            for k in range(SIZE):
                loss = nn.functional.cross_entropy(alone(x[k]), y[k])
                parts.append([g * (1 / SIZE) for g in torch.autograd.grad(loss, [*alone.parameters()])])
            for p, *shares in zip(alone.parameters(), *parts):
                p.grad = shares[0].clone()
                for share in shares[1:]:
                    p.grad += share
            lone_steps.step()
        for p, q in zip(model.parameters(), alone.parameters()):
            assert torch.equal(p, q), (name, (p - q).abs().max())


def batch_norm_of_all():
    torch.manual_seed(3)
    lengths = [4 + k for k in range(SIZE)]
    x = torch.randn(sum(lengths), 3, 2) * 3 + 1
    seed = torch.randn_like(x)
    whole = nn.BatchNorm1d(3)
    whole.weight.data.copy_(torch.tensor([1.0, 2.0, 3.0]))
    part = nn.SyncBatchNorm.convert_sync_batchnorm(nn.BatchNorm1d(3))
    part.load_state_dict(whole.state_dict())
    a = x.clone().requires_grad_()
    (whole(a) * seed).sum().backward()
    b = x.split(lengths)[RANK].clone().requires_grad_()
    y = part(b)
    (y * seed.split(lengths)[RANK]).sum().backward()
    assert torch.allclose(b.grad, a.grad.split(lengths)[RANK])
    assert torch.allclose(part.running_mean, whole.running_mean) and torch.allclose(
        part.running_var, whole.running_var
    )
    dist.all_reduce(part.weight.grad), dist.all_reduce(part.bias.grad)
    assert torch.allclose(part.weight.grad, whole.weight.grad) and torch.allclose(
        part.bias.grad, whole.bias.grad
    )
    assert part.num_batches_tracked == 1
    assert torch.allclose(part.eval()(b), whole.eval()(b))


def models_that_differ():
    for make, words in (
        (
            lambda: nn.Linear(3, 2 + (RANK == 1)),
            "weight of shape (2, 3), torch.float64 where rank 1 has weight of shape (3, 3)",
        ),
        (lambda: nn.Linear(3, 2, bias=RANK != 1), "only rank 0 has bias of shape (2,)"),
        (
            lambda: nn.Linear(3, 2).to(torch.float32 if RANK else torch.float64),
            "torch.float64 where rank 1 has weight of shape (2, 3), torch.float32",
        ),
    ):
        try:
            DDP(make())
        except RuntimeError as error:
            assert words in str(error), error
        else:
            raise AssertionError("not found")


def gradients_that_overlap():
    """With views, the gradients are those of the buckets, and stay so."""
    model = DDP(net(), gradient_as_bucket_view=True)
    for _ in range(2):
        model(torch.ones(2, 8)).sum().backward()
        grads = [p.grad for p in model.parameters()]
        bases = {id(g._base) for g in grads}
        assert len(bases) == 1 and None not in [g._base for g in grads]
        model.zero_grad(set_to_none=False)


bit_for_bit()
batch_norm_of_all()
models_that_differ()
gradients_that_overlap()
if RANK == 0:
    print("the same as one process", os.environ["WORLD_SIZE"])
