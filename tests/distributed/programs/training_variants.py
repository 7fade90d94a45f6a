"""Uneven inputs, compressed gradients, local steps and meshes, written for PyTorch's gloo: what it prints is compared."""

import contextlib
import time
import warnings

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms import Join, Joinable, JoinHook
from torch.distributed.algorithms.ddp_comm_hooks import (
    DDPCommHookType,
    default_hooks,
    quantization_hooks,
    register_ddp_comm_hook,
)
from torch.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook import (
    PostLocalSGDState,
    post_localSGD_hook,
)
from torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import (
    PowerSGDState,
    batched_powerSGD_hook,
    powerSGD_hook,
)
from torch.distributed.algorithms.model_averaging.averagers import PeriodicModelAverager
from torch.distributed.algorithms.model_averaging.hierarchical_model_averager import HierarchicalModelAverager
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.optim import PostLocalSGDOptimizer, ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP

warnings.simplefilter("ignore")
dist.init_process_group("gloo")
MINIGRAD = hasattr(torch.version, "minigrad")
RANK, SIZE = dist.get_rank(), dist.get_world_size()
torch.set_default_dtype(torch.float64)  # so that six digits are the same


def show(*values):
    if RANK == 0:
        print(*values, flush=True)


def outcome(function):
    try:
        return function()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def summary(tensors):
    return [f"{p.double().abs().sum().item():.6f}" for p in tensors]


def on_all_ranks(title, model):
    """The same on all ranks, and what it is."""
    sums = [None] * SIZE
    dist.all_gather_object(sums, summary([*model.parameters(), *model.buffers()]))
    count = len([*model.parameters()])
    same = all(each[:count] == sums[0][:count] for each in sums)
    if title is not None:
        show(title, same, sums[0])
    return same


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.second = nn.Linear(12, 10), nn.BatchNorm1d(10), nn.Linear(10, 10)
        self.last = nn.Linear(10, 4)

    def forward(self, x):
        return self.last(torch.tanh(self.second(torch.relu(self.norm(self.first(x))))))


def made(**options):
    torch.manual_seed(5)
    return DDP(Net(), **options)


def batches(count):
    torch.manual_seed(20 + RANK)
    return [(torch.randn(6, 12), torch.randint(0, 4, (6,))) for _ in range(count)]


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()


# Uneven inputs
for title, options, arguments in (
    ("join", {}, {}),
    ("join, divided by those with data", {}, {"divide_by_initial_world_size": False}),
    ("join, small buckets", {"bucket_cap_mb": 0.0005}, {}),
    ("join, unused", {"find_unused_parameters": True}, {}),
    ("join, without buffers", {"broadcast_buffers": False}, {}),
):
    model = made(**options)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    with model.join(**arguments):
        for x, y in batches(2 + 2 * RANK):
            step(model, optimizer, x, y)
    on_all_ranks(title, model)
for x, y in batches(2):  # and as ever after it
    step(model, optimizer, x, y)
on_all_ranks("after", model)

model = made(broadcast_buffers=False)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
with model.join():
    for number, (x, y) in enumerate(batches(2 + 2 * RANK)):
        if number % 2:
            with model.no_sync():
                nn.functional.cross_entropy(model(x), y).backward()
        else:
            step(model, optimizer, x, y)
on_all_ranks("join with no_sync", model)

for title, with_data in (
    ("join, data at rank 0 alone", RANK == 0),
    ("join, data at the others alone", RANK > 0),
):
    model = made(bucket_cap_mb=0.0005, broadcast_buffers=False)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with model.join():
        for x, y in batches(3 * with_data):
            step(model, optimizer, x, y)
    for x, y in batches(2):
        step(model, optimizer, x, y)
    on_all_ranks(title, model)


class Failing(Joinable, JoinHook):
    """Ends a join by an exception as soon as a rank is through."""

    join_device, join_process_group = torch.device("cpu"), dist.group.WORLD

    def __init__(self):
        super().__init__()

    def join_hook(self, **kwargs):
        return self

    def main_hook(self):
        raise ValueError("the reason")


model = made(broadcast_buffers=False)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
with contextlib.suppress(ValueError), Join([model, Failing()], divide_by_initial_world_size=False):
    for x, y in batches(2 if RANK else 1):
        step(model, optimizer, x, y)
    if RANK:
        raise ValueError("the reason")
for x, y in batches(2):  # divided by the number of all again
    step(model, optimizer, x, y)
on_all_ranks("after a join that failed", model)


def throwing():
    model = made()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with model.join(throw_on_early_termination=True):
        for x, y in batches(2 + RANK):
            step(model, optimizer, x, y)


text = outcome(throwing)
texts = [None] * SIZE
dist.all_gather_object(texts, text)
show(texts)
show(outcome(lambda: Join([])))

for title, options, count in (
    ("", {}, 2),
    (", uneven", {}, 2 + 2 * RANK),
    (", uneven the other way", {}, 4 - 2 * (RANK > 0)),
    (", uneven, views", {"gradient_as_bucket_view": True}, 2 + 2 * RANK),
    (", uneven, unused", {"find_unused_parameters": True}, 2 + 2 * RANK),
    (", uneven, static", {"static_graph": True}, 2 + 2 * RANK),
    (", one without data", {"find_unused_parameters": True}, 3 * RANK),
):
    model = made(**options)
    optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.SGD, lr=0.1, momentum=0.9)
    with Join([model, optimizer]):
        for x, y in batches(count):
            step(model, optimizer, x, y)
    on_all_ranks("join with a sharded optimizer" + title, model)


# Compressed gradients
def compressed(title, hook, state=None, **options):
    model = made(**options)
    model.register_comm_hook(state, hook)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for x, y in batches(6):
        step(model, optimizer, x, y)
    if title is None:
        return on_all_ranks(None, model) and summary(model.parameters())
    on_all_ranks(title, model)
    if state is not None:
        show(state.iter, [round(float(n), 6) for n in state.compression_stats()], len(state.error_dict))


ORDERS = []


def noting(state, bucket):
    ORDERS.append((bucket.index(), bucket.is_last(), [tuple(p.shape) for p in bucket.parameters()]))
    return default_hooks.allreduce_hook(state, bucket)


compressed("order of the buckets", noting)
show(ORDERS[0], ORDERS[1])
ORDERS.clear()
compressed("order of small buckets", noting, bucket_cap_mb=0.0005)
show(*ORDERS)
ORDERS.clear()
for title, sizes in ("growing", [0.0003, 0.0005, 0.0009]), ("shrinking", [0.0009, 0.0003]), ("none", []):
    compressed(f"order of buckets of listed sizes, {title}", noting, bucket_cap_mb_list=sizes)
    show(*ORDERS)
    ORDERS.clear()
compressed("order where some may be unused", noting, bucket_cap_mb=0.0005, find_unused_parameters=True)
show(*ORDERS[:8])


for name in ("FP16_COMPRESS", "POWER_SGD_RANK2", "NOOP", "BATCHED_POWER_SGD"):
    model = made()
    register_ddp_comm_hook(DDPCommHookType[name], model, dist.group.WORLD)
    step(model, torch.optim.SGD(model.parameters(), 0.1), *batches(1)[0])
    on_all_ranks(name, model)
model = made()
model._register_builtin_comm_hook(dist.BuiltinCommHookType.ALLREDUCE)
step(model, torch.optim.SGD(model.parameters(), 0.1), *batches(1)[0])
on_all_ranks("built in", model)


def error_of(hook):
    """Of the smallest and of the largest gradients of a layer, relative to what they are."""
    torch.manual_seed(5)
    exact, model = DDP(nn.Linear(512, 3, bias=False)), DDP(nn.Linear(512, 3, bias=False))
    model.register_comm_hook(None, hook)
    for _ in range(2):
        x, y = torch.randn(7, 512), torch.randn(7, 3) * torch.tensor([1.0, 10.0, 100.0])
        for each in (exact, model):
            each.zero_grad()
            each(x).backward(y)
        assert on_all_ranks(None, model)
    difference = model.module.weight.grad - exact.module.weight.grad
    return (difference.abs().amax(1) / exact.module.weight.grad.abs().amax(1))[[0, -1]].tolist()


if MINIGRAD:  # PyTorch 2.13 fails in both
    whole = error_of(quantization_hooks.quantization_pertensor_hook)
    parts = error_of(quantization_hooks.quantization_perchannel_hook)
    assert whole[0] > 0.1 and max(whole[1], *parts) < 0.01, (whole, parts)


class WithBuffer(nn.Linear):
    def __init__(self):
        super().__init__(2, 1)
        self.register_buffer("own", torch.tensor(float(RANK)))


for options in (
    {},
    {"broadcast_buffers": False},
    {"forward_sync_buffers": False},
    {"forward_sync_buffers": True, "broadcast_buffers": False},
    {"batched_grad_copy": True, "check_reduction": True},
):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = DDP(WithBuffer(), **options)
    begins = model.module.own.item()
    model.module.own += 10 + RANK
    model(torch.ones(1, 2)).sum().backward()
    everywhere = [None] * SIZE
    dist.all_gather_object(everywhere, (begins, model.module.own.item(), model.module.weight.grad.tolist()))
    show("buffers", options, everywhere, [each.category.__name__ for each in said])
    show(model.broadcast_buffers, model.forward_sync_buffers, model.batched_grad_copy)


def averaging_twice(state, bucket):
    time.sleep(
        0.003 * RANK
    )  # the others' messages are there: the last rank has a sum before it begins the next
    work = dist.all_reduce(bucket.buffer(), async_op=True)

    def again(future):
        mean = future.value()[0] / SIZE
        dist.all_reduce(mean)
        return mean / SIZE

    return work.get_future().then(again)


if MINIGRAD:  # PyTorch's ranks may wait for each other for ever
    once, twice = (compressed(None, hook, bucket_cap_mb=0.0005) for hook in (noting, averaging_twice))
    assert once == twice, (once, twice)


class Halves(nn.Module):
    """Of which the second half is not used."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = nn.Linear(12, 4), nn.Linear(12, 4), nn.Linear(12, 4)

    def forward(self, x):
        return self.first(x)


for skip in (False, True):
    ORDERS.clear()
    torch.manual_seed(5)
    model = DDP(
        Halves(), bucket_cap_mb=0.0003, find_unused_parameters=True, skip_all_reduce_unused_params=skip
    )
    model.register_comm_hook(None, noting)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with model.join() if MINIGRAD else contextlib.nullcontext():  # PyTorch's would wait for ever
        for x, y in batches(2 + RANK * MINIGRAD):
            step(model, optimizer, x, y)
    show("unused", len(ORDERS) // (2 + MINIGRAD * (SIZE - 1)), model.module.third.weight.grad is None)
    assert on_all_ranks(None, model)

compressed("PowerSGD", powerSGD_hook, PowerSGDState(None, 1, 2, min_compression_rate=0.5))
compressed("of rank 2", powerSGD_hook, PowerSGDState(None, 2, 2, min_compression_rate=0.5))
if MINIGRAD:  # PyTorch's ranks may wait for each other for ever
    state = PowerSGDState(None, 2, 2, min_compression_rate=0.5)
    assert compressed(None, powerSGD_hook, state, bucket_cap_mb=0.0005) and len(state.error_dict) == 2
compressed("of rank 3", powerSGD_hook, PowerSGDState(None, 3, 2, min_compression_rate=0.5))
compressed("little to save", powerSGD_hook, PowerSGDState(None, 1, 2, min_compression_rate=4))
cold = PowerSGDState(
    None, 1, 1, 0.5, use_error_feedback=False, warm_start=False, orthogonalization_epsilon=1e-8
)
compressed("without memory", powerSGD_hook, cold)
together = PowerSGDState(None, 2, 2, 0.5, batch_tensors_with_same_shape=True, random_seed=3)
compressed("same shapes together", powerSGD_hook, together)
if MINIGRAD:  # PyTorch 2.13 fails in this one
    state = PowerSGDState(None, 4, 2)
    assert compressed(None, batched_powerSGD_hook, state) and state.compression_stats()[0] > 2
show(outcome(lambda: PowerSGDState(None, start_powerSGD_iter=1)))


# Local steps
def local(title, subgroup, gradients=True):
    model = made(broadcast_buffers=False)
    model.register_comm_hook(PostLocalSGDState(None, subgroup, 2, gradients), post_localSGD_hook)
    averager = PeriodicModelAverager(period=2, warmup_steps=2)
    optimizer = PostLocalSGDOptimizer(torch.optim.SGD(model.parameters(), 0.1, momentum=0.9), averager)
    for x, y in batches(6):
        step(model, optimizer, x, y)
    sums = [None] * SIZE
    dist.all_gather_object(sums, summary(model.parameters()))
    state = optimizer.state_dict()
    show(title, sums, state["step"], sorted(state), averager.step)
    optimizer.load_state_dict({**state, "step": 1})
    show(averager.step)


alone = [dist.new_group([rank]) for rank in range(SIZE)][RANK]
local("local steps", alone)
local("without gradients", None, False)
show(outcome(lambda: PeriodicModelAverager(0)), outcome(lambda: PeriodicModelAverager(2, -1)))


def averages(title, periods, warmup):
    averager = HierarchicalModelAverager(periods, warmup)
    layer = nn.Linear(1, 1)
    seen = []
    for _ in range(7):
        layer.weight.grad = torch.ones(1, 1)
        layer.weight.data.fill_(1 + RANK)
        averager.average_parameters(layer.parameters())
        seen.append(layer.weight.item())
    everywhere = [None] * SIZE
    dist.all_gather_object(everywhere, seen)
    show(title, everywhere, averager.step, [*averager.period_process_group_dict])


averages("averages of all", {2: SIZE}, 1)
averages("averages within and of all", {2: 1, 3: SIZE}, 2)
for wrong in ({}, {2: SIZE + 1}, {0: SIZE}, None):
    show(outcome(lambda: HierarchicalModelAverager(wrong)))
show(outcome(lambda: HierarchicalModelAverager({2: SIZE}, -1)))

# Meshes
mesh = init_device_mesh("cpu", (1, SIZE), mesh_dim_names=("dp", "tp"))
show(mesh, mesh.mesh, mesh.ndim, mesh.size(), mesh.size(1), mesh.shape, mesh.device_type, mesh.mesh_dim_names)
ranks = dist.get_process_group_ranks
found = (
    mesh.get_coordinate(),
    mesh.get_rank(),
    mesh.get_local_rank("tp"),
    mesh.get_local_rank(0),
    ranks(mesh.get_group("tp")),
)
places = [None] * SIZE
dist.all_gather_object(places, found)
show(places, [ranks(group) for group in mesh.get_all_groups()])
part = mesh["tp"]
show(
    part,
    part.mesh,
    part.get_local_rank(),
    part.get_group() is mesh.get_group(1),
    part["tp"] is part,
    mesh["dp", "tp"] is mesh,
)
show(
    mesh == init_device_mesh("cpu", (1, SIZE), mesh_dim_names=("dp", "tp")),
    mesh == part,
    hash(mesh) == hash(mesh["dp", "tp"]),
)
for wrong in (
    lambda: mesh.get_local_rank(),
    lambda: mesh.get_group(),
    lambda: mesh["x"],
    lambda: part["dp"],
    lambda: init_device_mesh("cpu", (1, SIZE), mesh_dim_names=("dp",)),
    lambda: init_device_mesh("cpu", (3, SIZE)),
    lambda: init_device_mesh("cpu", (1, SIZE), mesh_dim_names=("a", "a")),
    lambda: init_device_mesh("cpu:0", (SIZE,)),
    lambda: DeviceMesh.from_group([], "cpu"),
    lambda: DeviceMesh.from_group([alone, alone], "cpu"),
    lambda: DeviceMesh("cpu", [0, 1])["a"],
    lambda: DDP(nn.Linear(1, 1), device_mesh=mesh),
    lambda: DDP(nn.Linear(1, 1), device_mesh=part, process_group=alone),
):
    show(outcome(wrong))
line = DeviceMesh("cpu", list(range(SIZE)))
show(line, line.get_group() is dist.group.WORLD, DeviceMesh.from_group(dist.group.WORLD, "cpu"))
named = DeviceMesh.from_group(
    [mesh.get_group(0), mesh.get_group(1)], "cpu", mesh=mesh.mesh, mesh_dim_names=("a", "b")
)
show(named, named["b"], mesh._flatten())
for title, overrides in (
    ("by name", {"tp": "gloo"}),
    ("by number", {0: "gloo", "tp": ("gloo", None)}),
    ("twice", {1: "gloo", "tp": "gloo"}),
    ("of no dimension", {"x": "gloo"}),
):
    other = outcome(
        lambda: init_device_mesh("cpu", (1, SIZE), mesh_dim_names=("dp", "tp"), backend_override=overrides)
    )
    groups = other.get_all_groups() if isinstance(other, DeviceMesh) else []
    show("backend", title, other, [(ranks(group), group is dist.group.WORLD) for group in groups])
show(outcome(lambda: DeviceMesh("cpu", [0, 1], backend_override=())))
show(isinstance(outcome(lambda: DeviceMesh("cpu", [0, 1], backend_override=(("nowhere", None),))), str))
on_all_ranks("a mesh for a model", DDP(nn.Linear(2, 2), device_mesh=line))
dist.barrier()
dist.destroy_process_group()
