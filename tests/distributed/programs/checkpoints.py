"""Saves a training into a directory, or goes on from one that any number of processes has written: what it prints is compared."""

import os
import sys
import warnings

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.checkpoint.default_planner import DefaultLoadPlanner, DefaultSavePlanner
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    get_optimizer_state_dict,
    get_state_dict,
    set_model_state_dict,
    set_state_dict,
)
from torch.nn.parallel import DistributedDataParallel as DDP

warnings.simplefilter("ignore")
what, directory = sys.argv[1:]
if "RANK" in os.environ:
    dist.init_process_group("gloo")
RANK, SIZE = (dist.get_rank(), dist.get_world_size()) if dist.is_initialized() else (0, 1)
torch.set_default_dtype(torch.float64)


def show(*values):
    if RANK == 0:
        print(*values, flush=True)


def digits(tensor):
    return f"{tensor.double().sum().item():.6f}"


def outcome(function):
    """What it returns, or what made the first rank fail."""
    try:
        return function()
    except (Exception, dcp.CheckpointException) as error:
        failures = getattr(error, "failures", {0: (error, None)})
        first = failures[min(failures)][0]
        return type(error).__name__, f"{type(first).__name__}: {str(first).partition(' for ')[0]}"


class Particular(Exception):
    """It is pickled, but what is made of that needs more than a message."""

    def __init__(self, message, more):
        super().__init__(message)


class FailingPlanner(DefaultSavePlanner):
    def create_local_plan(self):
        if RANK:
            raise Particular("the reason", 1)
        return super().create_local_plan()


class Counter:
    def __init__(self, count=0):
        self.count = count

    def state_dict(self):
        return {"count": self.count, "history": [torch.full((2,), float(self.count)), {"last": self.count}]}

    def load_state_dict(self, state):
        self.count = state["count"]
        show("counter", state["history"][0].tolist(), state["history"][1])


def model_and_optimizer(seed):
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(6, 5), nn.BatchNorm1d(5), nn.Linear(5, 3))
    model = DDP(model) if dist.is_initialized() else model
    return model, torch.optim.Adam(model.parameters(), 0.01)


def step(model, optimizer, number):
    torch.manual_seed(100 + number)
    loss = model(torch.randn(8, 6)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def sharded(seed):
    """A model with an optimizer of which each rank has a part."""
    torch.manual_seed(seed)
    model = nn.Linear(4, 3)
    from torch.distributed.optim import ZeroRedundancyOptimizer

    return model, ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=0.01)


MINIGRAD = hasattr(torch.version, "minigrad")  # PyTorch has no names for the states of such optimizers
if what == "save":
    model, optimizer = model_and_optimizer(1)
    for number in range(3):
        step(model, optimizer, number)
    of_model, of_optimizer = get_state_dict(model, optimizer)
    show(list(of_model), list(of_optimizer["state"]), of_optimizer["param_groups"][0]["params"])
    state = {
        "model": of_model,
        "optimizer": of_optimizer,
        "counter": Counter(7),
        "epoch": 3,
        "shape": (4, 5),
        "half": torch.arange(6).half()[::2],
        "view": torch.arange(1000.0)[10:13].T,
        f"own{RANK}": torch.full((RANK + 1,), float(RANK)),
    }
    metadata = dcp.save(state, checkpoint_id=directory)
    show(sorted(os.listdir(directory)), metadata.version)
    for name, stored in sorted(metadata.state_dict_metadata.items()):
        show(name, type(stored).__name__, metadata.planner_data[name], getattr(stored, "size", None))
    show(sorted((index.fqn, place.relative_path) for index, place in metadata.storage_data.items()))
    sgd = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    sgd.param_groups[0].update({key: 0 for key, value in sgd.param_groups[0].items() if value is None})
    flat = get_optimizer_state_dict(model, sgd, options=StateDictOptions(flatten_optimizer_state_dict=True))
    show(list(flat))
    show(
        outcome(lambda: dcp.save({"a": torch.ones(2), "bad": lambda: 1}, checkpoint_id=directory + "-bad"))[0]
    )
    saved = dcp.async_save({"x": torch.ones(3), "model": of_model}, checkpoint_id=directory + "-later")
    if not MINIGRAD:
        saved.result()  # there the threads would take each other's messages
    for _ in range(3):
        step(model, optimizer, 5)
    saved.result()
    target = {"x": torch.zeros(3), "model": {"0.bias": torch.zeros(5)}}
    dcp.load(target, checkpoint_id=directory + "-later")
    show("later", target["x"].tolist(), digits(target["model"]["0.bias"]))
    frozen = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    frozen[0].requires_grad_(False)
    show(list(get_model_state_dict(frozen, options=StateDictOptions(ignore_frozen_params=True))))
    show(outcome(lambda: get_model_state_dict(frozen, options=StateDictOptions(broadcast_from_rank0=True))))
    torch.manual_seed(RANK)
    other = nn.Linear(2, 1)
    state = get_model_state_dict(other) if RANK == 0 else {}
    set_model_state_dict(
        other, state, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    )
    sums = [None] * SIZE
    dist.all_gather_object(sums, digits(other.weight))
    show(len(set(sums)))
    if MINIGRAD:  # PyTorch's ranks may wait for each other for ever
        failing = outcome(
            lambda: dcp.save({}, checkpoint_id=directory + "-failing", planner=FailingPlanner())
        )
        assert failing == ("CheckpointException", "RuntimeError: Particular: the reason"), failing
    if MINIGRAD:
        model, optimizer = sharded(1)
        for _ in range(2):
            model(torch.ones(1, 4)).sum().backward()
            optimizer.step()
        of_model, of_optimizer = get_state_dict(model, optimizer)
        assert len(of_optimizer["state"]) == 1
        dcp.save({"model": of_model, "optimizer": of_optimizer}, checkpoint_id=directory + "-sharded")
else:
    model, optimizer = model_and_optimizer(RANK + 2)
    of_model, of_optimizer = get_state_dict(model, optimizer)
    counter = Counter()
    state = {
        "model": of_model,
        "optimizer": of_optimizer,
        "counter": counter,
        "epoch": 0,
        "shape": None,
        "half": torch.zeros(3),
        "view": torch.zeros(3),
        "own0": torch.zeros(1),
        "own1": torch.zeros(2),
    }
    dcp.load(state, checkpoint_id=directory)
    show(set_state_dict(model, optimizer, model_state_dict=of_model, optim_state_dict=of_optimizer))
    show(
        counter.count,
        state["epoch"],
        state["shape"],
        state["half"],
        state["view"],
        state["own0"],
        state["own1"],
    )
    show([digits(value) for value in get_model_state_dict(model).values()])
    state = optimizer.state_dict()
    show(
        [digits(value) for part in state["state"].values() for value in part.values()],
        state["param_groups"][0]["lr"],
    )
    step(model, optimizer, 3)
    show("went on", [digits(value) for value in get_model_state_dict(model).values()])
    load = lambda **state: outcome(lambda: dcp.load(state, checkpoint_id=directory))
    show(load(missing=torch.zeros(1)), load(half=torch.zeros(4)), load(half=3))
    partial = {"missing": torch.zeros(1), "epoch": 0}
    dcp.load(partial, checkpoint_id=directory, planner=DefaultLoadPlanner(allow_partial_load=True))
    show(partial)
    show(outcome(lambda: dcp.load({}, checkpoint_id=directory + "-none"))[0])
    if os.path.isdir(directory + "-sharded") and MINIGRAD and SIZE > 1:
        model, optimizer = sharded(2)
        of_model, of_optimizer = get_state_dict(model, optimizer)
        dcp.load({"model": of_model, "optimizer": of_optimizer}, checkpoint_id=directory + "-sharded")
        set_state_dict(model, optimizer, model_state_dict=of_model, optim_state_dict=of_optimizer)
        whole = get_optimizer_state_dict(model, optimizer, options=StateDictOptions(full_state_dict=True))
        assert list(whole["state"]) == ["weight", "bias"]
        assert all(part["step"] == 2 for part in whole["state"].values()), whole
        one = sharded(1)[0]
        plain = torch.optim.Adam(one.parameters(), lr=0.01)
        for _ in range(2):
            one(torch.ones(1, 4)).sum().backward()
            plain.step()
        assert torch.equal(one.weight, model.weight) and optimizer.param_groups[0]["lr"] == 0.01
if dist.is_initialized():
    dist.barrier()
    dist.destroy_process_group()
