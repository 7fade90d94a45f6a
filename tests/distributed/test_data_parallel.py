"""``DistributedDataParallel``: programs for gloo print PyTorch's numbers; several processes compute what one does."""

import os

import pytest

import minigrad
from minigrad import distributed, nn
from minigrad.distributed.algorithms.ddp_comm_hooks import debugging_hooks, default_hooks, powerSGD_hook


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_several_processes_compute_what_one_does(launch, ranks):
    done = launch(ranks, "as_one_process.py")
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == f"the same as one process {ranks}\n"


def test_a_sharded_optimizer_steps_as_one_alone(launch):
    done = launch(3, "sharded_optimizer.py")
    assert done.returncode == 0, done.stderr[-3000:]
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["SGD", "Adam"]


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="the system has no files in memory")
def test_gradients_in_common_memory(launch):
    done = launch(3, "common_memory.py")
    assert (done.returncode, done.stdout) == (0, "common memory\n"), done.stderr[-3000:]


def test_all_ranks_have_one_model_after_uneven_inputs_and_compressed_gradients(launch):
    done = launch(3, "training_variants.py")
    assert done.returncode == 0, done.stderr[-3000:]
    told = [line.rpartition(" [")[0] for line in done.stdout.splitlines() if line.endswith("']")]
    assert told.count("join True") == 1 and sum(line.endswith(" True") for line in told) >= 15


@pytest.fixture
def alone():
    distributed.init_process_group("gloo", rank=0, world_size=1, store=distributed.HashStore())
    yield
    distributed.destroy_process_group()


def test_the_backend_of_a_dimension_of_a_mesh(alone):
    make = distributed.init_device_mesh
    mesh = make("cpu", (1, 1), mesh_dim_names=("a", "b"), backend_override={"b": "mpi"})
    names = [distributed.get_backend(group) for group in mesh.get_all_groups()]
    assert names == ["gloo", "mpi"] and mesh.get_group("a") is distributed.group.WORLD
    assert distributed.get_backend(mesh._flatten("c", "mpi").get_group()) == "mpi"
    with pytest.raises(ValueError, match="NOWHERE"):
        make("cpu", (1,), backend_override={0: "nowhere"})
    for options in (object(), ("gloo", object())):
        with pytest.raises(NotImplementedError, match="backend options"):
            make("cpu", (1,), backend_override={0: options})


HOOKS = [
    default_hooks.allreduce_hook,
    default_hooks.fp16_compress_hook,
    default_hooks.bf16_compress_hook,
    default_hooks.fp16_compress_wrapper(default_hooks.allreduce_hook),
    default_hooks.bf16_compress_wrapper(default_hooks.allreduce_hook),
    debugging_hooks.noop_hook,
]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook.__name__)
def test_hooks_give_gradients_back(alone, hook):
    if "bf16" in hook.__qualname__ or hook is HOOKS[4]:
        pytest.importorskip("ml_dtypes")
    layer = nn.Linear(3, 2)
    model = nn.parallel.DistributedDataParallel(layer)
    model.register_comm_hook(None, hook)
    model(minigrad.ones(4, 3)).sum().backward()
    assert layer.weight.grad.tolist() == [[4] * 3] * 2 and layer.bias.grad.tolist() == [4, 4]
    with pytest.raises(RuntimeError, match="only be called once"):
        model.register_comm_hook(None, hook)


@pytest.mark.parametrize(
    "hook, rank, images, tolerance",
    [
        (powerSGD_hook.powerSGD_hook, 8, 20, 1e-4),
        (powerSGD_hook.batched_powerSGD_hook, 8, 20, 1e-4),
        (default_hooks.fp16_compress_wrapper(powerSGD_hook.powerSGD_hook), 1, 1, 1e-2),
    ],
    ids=["matrices", "one matrix", "in half precision"],
)
def test_matrices_of_no_more_than_the_rank_are_sent_as_they_are(alone, hook, rank, images, tolerance):
    layer = nn.Linear(7, 7)
    model = nn.parallel.DistributedDataParallel(layer)
    state = powerSGD_hook.PowerSGDState(None, rank, 2, min_compression_rate=0.1)
    model.register_comm_hook(state, hook)
    for _ in range(4):
        layer.zero_grad()
        x = minigrad.randn(images, 7)
        (model(x) * x.cos()).sum().backward()
        for gradient, exact in zip((layer.weight.grad, layer.bias.grad), (x.cos().T @ x, x.cos().sum(0))):
            minigrad.testing.assert_close(gradient, exact, atol=tolerance, rtol=tolerance)
    assert state.iter == 4 and len(state.error_dict) == 1


def test_buckets_are_of_one_dtype_and_of_about_so_many_bytes():
    parameters = [
        minigrad.empty(n, dtype=d)
        for n, d in (
            (100, minigrad.float32),
            (10, minigrad.float64),
            (50, minigrad.float32),
            (60, minigrad.float32),
        )
    ]
    from minigrad.distributed._buckets import plan

    assert plan(parameters, [3, 2, 1, 0], (200, 10_000)) == [[3], [2, 0], [1]]
    assert plan(parameters, range(4), (10_000,)) == [[0, 2, 3], [1]]


def test_a_model_that_has_been_dropped_leaves_no_hooks(alone):
    layer = nn.Linear(2, 1)
    for _ in range(3):
        model = nn.parallel.DistributedDataParallel(layer)
        model(minigrad.ones(1, 2)).sum().backward()
        layer.zero_grad()
    del model
    layer(minigrad.ones(1, 2)).sum().backward()
    assert layer.weight.grad.tolist() == [[1, 1]]
    assert not layer.weight._post_accumulate_grad_hooks


def test_a_copy_reduces_too(alone):
    import copy

    model = copy.deepcopy(nn.parallel.DistributedDataParallel(nn.Linear(2, 1)))
    model(minigrad.ones(1, 2)).sum().backward()
    assert model.module.weight.grad.tolist() == [[1, 1]]


def test_a_group_is_needed():
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        nn.parallel.DistributedDataParallel(nn.Linear(2, 1))


def test_what_lightning_asks_for(alone):
    model = nn.parallel.DistributedDataParallel(nn.Linear(2, 1), find_unused_parameters=True)
    facts = model._get_ddp_logging_data()
    assert facts["world_size"] == 1 and facts["find_unused_parameters"] and facts["module_name"] == "Linear"
    assert distributed.Backend.default_device_backend_map["cpu"] == distributed.get_backend() == "gloo"
