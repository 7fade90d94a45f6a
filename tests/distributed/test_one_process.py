"""What needs no MPI: one process alone, stores, the messages that say how to start."""

import subprocess
import sys
import threading
from datetime import timedelta

import pytest

import minigrad
from minigrad import distributed


@pytest.fixture
def alone():
    distributed.init_process_group("gloo", rank=0, world_size=1, store=distributed.HashStore())
    yield
    distributed.destroy_process_group()


def test_collectives_of_one_process(alone):
    x = minigrad.arange(4.0)
    for run in (
        lambda: distributed.all_reduce(x),
        lambda: distributed.all_reduce(x, distributed.ReduceOp.AVG),
        lambda: distributed.reduce(x, 0),
        lambda: distributed.broadcast(x, 0),
        lambda: distributed.scatter(x, [x.clone()]),
        lambda: distributed.all_to_all_single(x, x.clone()),
        lambda: distributed.reduce_scatter_single(x, x.clone()),
        lambda: distributed.all_gather_single(x, x.clone()),
        distributed.barrier,
    ):
        assert run() is None
        assert x.tolist() == [0, 1, 2, 3]
    distributed.all_reduce(x, distributed._make_nccl_premul_sum(2.0))
    assert x.tolist() == [0, 2, 4, 6]
    assert distributed.new_group([0]).group_name == "1" and distributed.get_pg_count() == 2


@pytest.mark.parametrize(
    "call, error, message",
    [
        ("all_reduce(1)", TypeError, "Expected parameter `tensor` of type torch.Tensor"),
        ("all_reduce(minigrad.ones(1), 'sum')", TypeError, "one of ReduceOp"),
        ("broadcast(minigrad.ones(1), 1)", ValueError, "Global rank 1 is not part of group"),
        ("broadcast(minigrad.ones(1))", ValueError, "Must specify src or group_src"),
        ("all_gather([], minigrad.ones(1))", ValueError, "one tensor for each"),
        ("all_gather([minigrad.ones(2)], minigrad.ones(1))", RuntimeError, "invalid tensor size at index 0"),
        (
            "all_to_all_single(minigrad.ones(2), minigrad.ones(2), [1])",
            RuntimeError,
            "Split sizes doesn't match",
        ),
        ("new_group([1])", ValueError, "Rank 1 is out of range"),
        ("new_subgroups(2)", ValueError, "must not exceed the world size"),
        ("init_process_group()", ValueError, "twice"),
        (
            "all_reduce(minigrad.ones(2, dtype=minigrad.complex64), distributed.ReduceOp.MAX)",
            ValueError,
            "complex tensors",
        ),
    ],
)
def test_wrong_arguments_are_refused(alone, call, error, message):
    with pytest.raises(error, match=message):
        eval(f"distributed.{call}")


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({}, ValueError, "environment variable RANK expected, but not set.*minigrad.distributed.run"),
        ({"backend": "nccl"}, ValueError, "no GPUs found"),
        ({"backend": "other"}, ValueError, "Unknown c10d backend type OTHER"),
        ({"init_method": "ftp://a"}, RuntimeError, "No rendezvous handler for ftp://"),
        ({"init_method": "tcp://a:1"}, ValueError, "rank parameter missing"),
    ],
)
def test_a_start_that_cannot_be_says_why(monkeypatch, arguments, error, message):
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(error, match=message):
        distributed.init_process_group(**arguments)
    assert not distributed.is_initialized()


def test_without_mpi4py_the_error_names_the_extra():
    code = """if True:
        import sys
        sys.modules["mpi4py"] = None
        import importlib.util
        importlib.util.find_spec, found = (lambda name, *rest: None if name == "mpi4py" else found(name, *rest)), importlib.util.find_spec
        del sys.modules["mpi4py"]
        import minigrad
        assert not minigrad.distributed.is_available()
        try:
            minigrad.distributed.init_process_group(rank=0, world_size=2, store=minigrad.distributed.HashStore())
        except ImportError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.endswith("run  pip install 'minigrad-numpy[mpi]'\n"), done.stderr


@pytest.fixture(params=["HashStore", "FileStore", "TCPStore", "PrefixStore"])
def store(request, tmp_path):
    make = {
        "HashStore": distributed.HashStore,
        "FileStore": lambda: distributed.FileStore(str(tmp_path / "store"), 1),
        "TCPStore": lambda: distributed.TCPStore("127.0.0.1", 0, 1, True),
        "PrefixStore": lambda: distributed.PrefixStore(
            "a", distributed.PrefixStore("b", distributed.HashStore())
        ),
    }
    return make[request.param]()


def test_stores(store):
    store.set("one", "1")
    store.set("bytes", bytes(range(256)))
    assert store.get("one") == b"1" and store.get("bytes") == bytes(range(256))
    assert [store.add("one", 4), store.add("new", -2)] == [5, -2] and store.get("one") == b"5"
    store.append("one", "0")
    assert store.multi_get(["one", "new"]) == [b"50", b"-2"]
    assert store.check(["one", "new"]) and not store.check(["one", "none"])
    assert store.compare_set("one", "wrong", "x") == b"50" and store.compare_set("one", "50", "x") == b"x"
    assert store.compare_set("fresh", "", "first") == b"first"
    assert store.num_keys() == 4 == len(store.list_keys())
    assert store.delete_key("new") and not store.delete_key("new")
    store.queue_push("queue", "a")
    store.queue_push("queue", "b")
    assert (store.queue_len("queue"), store.queue_pop("queue"), store.queue_pop("queue", block=False)) == (
        2,
        b"a",
        b"b",
    )
    with pytest.raises(distributed.QueueEmptyError):
        store.queue_pop("queue", block=False)
    with pytest.raises(distributed.DistStoreError, match="wait timeout after 50ms, keys: never"):
        store.wait(["never"], timedelta(milliseconds=50))


def test_a_store_is_waited_at(store):
    threading.Timer(0.1, store.set, ("late", "here")).start()
    assert store.get("late") == b"here"


def test_two_clients_of_a_server_and_its_end():
    server = distributed.TCPStore("127.0.0.1", 0, 2, True, wait_for_workers=False)
    client = distributed.TCPStore("127.0.0.1", server.port, 2, False)
    server.set("key", "value")
    assert client.get("key") == b"value" and client.num_keys() == 1
    with pytest.raises(distributed.DistNetworkError, match="timed out"):
        distributed.TCPStore("127.0.0.1", 1, 2, False, timedelta(seconds=0.1))


def test_two_stores_of_a_file(tmp_path):
    one, two = (distributed.FileStore(str(tmp_path / "store"), 2) for _ in range(2))
    one.set("key", "value")
    assert two.get("key") == b"value" and two.add("count", 1) + one.add("count", 1) == 3
    del one, two
    assert not (tmp_path / "store").exists()


def test_libraries_can_ask_for_what_is_spread_over_processes():
    """They import these names as soon as ``is_available()`` is true, and ask with ``isinstance``."""
    from minigrad.distributed import fsdp, tensor
    from minigrad.distributed._composable.fsdp import fully_shard
    from minigrad.distributed.checkpoint import hf_storage
    from minigrad.distributed.tensor import parallel
    from minigrad.distributed.tensor.placement_types import _StridedShard

    layer = minigrad.nn.Linear(1, 1)
    assert not any(isinstance(x, tensor.DTensor) for x in (layer.weight, layer, minigrad.ones(1), None))
    assert not isinstance(layer, (fsdp.FullyShardedDataParallel, fsdp.FSDPModule))
    assert (
        _StridedShard(0, 2).is_shard(0)
        and tensor.Partial().is_partial()
        and tensor.Replicate().is_replicate()
    )
    assert (repr(tensor.Shard(1)), repr(tensor.Partial())) == ("Shard(dim=1)", "Partial(sum)")
    for make in (
        lambda: tensor.DTensor(minigrad.ones(1)),
        lambda: tensor.DTensor.from_local(minigrad.ones(1)),
        lambda: tensor.distribute_tensor(minigrad.ones(1)),
        lambda: parallel.parallelize_module(layer),
        lambda: parallel.ColwiseParallel(),
        lambda: fsdp.fully_shard(layer),
        lambda: fully_shard(layer),
        lambda: fsdp.FullyShardedDataParallel(layer),
        lambda: fsdp.MixedPrecisionPolicy(),
    ):
        with pytest.raises(NotImplementedError, match=r"is not there: .*ZeroRedundancyOptimizer"):
            make()
    for kind in (hf_storage.HuggingFaceStorageReader, hf_storage.HuggingFaceStorageWriter):
        with pytest.raises(NotImplementedError, match="dcp_to_torch_save"):
            kind("path")


def test_the_launcher_of_open_mpi_is_refused_for_ranks_that_start_themselves(tmp_path, monkeypatch):
    from minigrad.distributed import _joining, _launching

    for said, refused in (("mpiexec (Open MPI) 5.0.11", True), ("HYDRA build details:", False)):
        (tmp_path / "mpiexec").write_text(f"#!/bin/sh\necho '{said}'\n")
        (tmp_path / "mpiexec").chmod(0o755)
        monkeypatch.setattr(_launching, "find_mpiexec", lambda: str(tmp_path / "mpiexec"))
        assert ("start the program by" in _joining._refusal()) == refused


def test_a_barrier_of_a_store():
    store, passed = distributed.HashStore(), []

    def come(number):
        store.barrier("key", 3)
        passed.append(number)

    threads = [threading.Thread(target=come, args=(number,)) for number in range(3)]
    for thread in threads[:2]:
        thread.start()
    with pytest.raises(distributed.DistStoreError, match="timeout"):
        store.barrier("other", 2, timedelta(seconds=0.05))
    assert not passed
    threads[2].start()
    for thread in threads:
        thread.join(10)
    assert sorted(passed) == [0, 1, 2]


def test_the_error_of_a_process_is_recorded(tmp_path, monkeypatch):
    from minigrad.distributed.elastic.multiprocessing import errors

    monkeypatch.setenv("TORCHELASTIC_ERROR_FILE", str(tmp_path / "error.json"))

    @errors.record
    def main(error):
        raise error

    assert main(SystemExit(0)) is None and not (tmp_path / "error.json").exists()
    with pytest.raises(SystemExit):
        main(SystemExit(4))
    with pytest.raises(ZeroDivisionError):
        main(ZeroDivisionError("of all things"))
    failed = errors.ProcessFailure(1, 99, 1, str(tmp_path / "error.json"))
    assert failed.message["message"] == "ZeroDivisionError: of all things"
    assert "raise error" in failed.message["extraInfo"]["py_callstack"]
    killed = errors.ProcessFailure(0, 98, -11, "")
    failed.timestamp = killed.timestamp - 5
    error = errors.ChildFailedError("train.py", {0: killed, 1: failed})
    assert error.get_first_failure() == (1, failed)
    assert str(error).splitlines()[1].endswith("ZeroDivisionError: of all things")
    assert "Signal 11 (SIGSEGV) received by PID 98" in str(error)
