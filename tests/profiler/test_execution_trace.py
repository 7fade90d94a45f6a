"""Execution traces: every operator with its inputs and outputs, in PyTorch's JSON."""

import gzip
import json
import os

import pytest

import minigrad as torch
from minigrad.profiler import ExecutionTraceObserver, profile, record_function, schedule
from minigrad.profiler.profiler import _ITraceObserver


def read(path):
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt") as file:
        return json.load(file)


def traced(path, program):
    observer = ExecutionTraceObserver().register_callback(str(path))
    observer.start()
    program()
    observer.stop()
    observer.unregister_callback()
    return {node["name"]: node for node in read(path)["nodes"]}


def attribute(node, name):
    return next(each["value"] for each in node["attrs"] if each["name"] == name)


def test_the_life_of_an_observer(tmp_path):
    observer = ExecutionTraceObserver()
    assert not observer.is_registered and observer.get_output_file_path() is None
    observer.start()
    assert not observer.is_running()
    path = str(tmp_path / "trace.json")
    assert observer.register_callback(path) is observer
    assert observer.is_registered and observer.get_output_file_path() == path
    observer.start()
    assert observer.is_running()
    torch.ones(2).exp()
    observer.stop()
    torch.ones(2).log()
    observer.start()
    torch.ones(2).sqrt()
    observer.cleanup()
    assert not observer.is_running() and not observer.is_registered
    trace = read(path)
    assert trace["schema"].startswith("1.1.1-chakra") and trace["pid"] == os.getpid()
    assert trace["start_ts"] <= trace["finish_ts"]
    ops = [node["name"] for node in trace["nodes"] if node["name"].startswith("aten")]
    assert ops == ["aten::ones", "aten::exp", "aten::ones", "aten::sqrt"]


def test_nodes_know_their_surroundings(tmp_path):
    x = torch.ones(2, 3, requires_grad=True)

    def program():
        with record_function("mine"):
            (x @ torch.ones(3, 4)).sum().backward()

    nodes = traced(tmp_path / "trace.json", program)
    by_id = {node["id"]: node["name"] for node in nodes.values()}
    parents = {name: by_id[node["ctrl_deps"]] for name, node in nodes.items()}
    assert parents["aten::mm"] == "aten::matmul" and parents["aten::matmul"] == "mine"
    assert parents["MmBackward0"] == "autograd::engine::evaluate_function: MmBackward0"
    assert parents["mine"] == "[pytorch|profiler|execution_trace|thread]"
    assert (
        parents["[pytorch|profiler|execution_trace|thread]"] == "[pytorch|profiler|execution_trace|process]"
    )
    assert attribute(nodes["MmBackward0"], "seq_id") == attribute(nodes["aten::mm"], "seq_id") >= 0
    assert (attribute(nodes["mine"], "scope"), attribute(nodes["MmBackward0"], "scope")) == (7, 1)


def test_inputs_and_outputs(tmp_path):
    x = torch.arange(6.0).reshape(2, 3)

    def program():
        y = x[1]
        torch.sum(y, dim=0, keepdim=True)
        torch.cat([y, y])

    nodes = traced(tmp_path / "trace.json", program)
    select, total, cat = nodes["aten::select"], nodes["aten::sum"], nodes["aten::cat"]
    (view,) = select["outputs"]["values"]
    tensor, storage, offset, count, itemsize, device = view
    assert (offset, count, itemsize, device) == (3, 3, 4, "cpu")
    assert storage == select["inputs"]["values"][0][1] and tensor != select["inputs"]["values"][0][0]
    assert select["inputs"]["types"][0] == "Tensor(float)" and select["inputs"]["shapes"][0] == [2, 3]
    assert total["inputs"]["values"][0] == view and "Bool" in total["inputs"]["types"]
    assert cat["inputs"]["types"][0] == "GenericList[Tensor(float),Tensor(float)]"
    assert cat["outputs"]["shapes"] == [[6]]


def test_numbers_tell_tensors_apart(tmp_path):
    x = torch.ones(3)

    def program():
        for _ in range(5):
            x.exp().log()

    path = tmp_path / "trace.json"
    traced(path, program)
    nodes = [node for node in read(path)["nodes"] if node["name"] in ("aten::exp", "aten::log")]
    made = [node["outputs"]["values"][0][0] for node in nodes]
    assert len(set(made)) == 10
    assert [node["inputs"]["values"][0][0] for node in nodes[1::2]] == made[::2]
    assert len({node["inputs"]["values"][0][0] for node in nodes[::2]}) == 1


def test_a_compressed_trace(tmp_path):
    assert "aten::exp" in traced(tmp_path / "trace.json.gz", lambda: torch.ones(2).exp())


def test_with_a_profiler_it_notes_the_same_steps(tmp_path):
    path = str(tmp_path / "trace.json")
    plan = schedule(wait=1, warmup=1, active=1, repeat=1)
    observer = ExecutionTraceObserver().register_callback(path)
    with profile(execution_trace_observer=observer, schedule=plan) as prof:
        for function in (torch.exp, torch.log, torch.sqrt, torch.sin):
            function(torch.ones(2))
            prof.step()
    found = [node["name"] for node in read(path)["nodes"]]
    assert "aten::sqrt" in found and "ProfilerStep#2" in found
    assert not {"aten::exp", "aten::log", "aten::sin"} & set(found)


def test_the_environment_can_ask_for_one(monkeypatch, tmp_path):
    assert profile().execution_trace_observer is None
    monkeypatch.setenv("ENABLE_PYTORCH_EXECUTION_TRACE", "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    prof = profile()
    with prof:
        torch.ones(2)
    observer = prof.execution_trace_observer
    assert not observer.is_registered and observer.get_resources_dir() is None
    assert "aten::ones" in [node["name"] for node in read(observer.get_output_file_path())["nodes"]]


def test_a_folder_for_what_belongs_to_the_trace(tmp_path):
    path = str(tmp_path / "trace.json")
    observer = ExecutionTraceObserver().register_callback(path)
    assert observer.get_resources_dir() is None
    observer.set_extra_resource_collection(True)
    assert (
        observer.get_resources_dir() == str(tmp_path / "trace_resources")
        and (tmp_path / "trace_resources").is_dir()
    )
    assert ExecutionTraceObserver.get_resources_dir_for_et_path(str(tmp_path / "other.json")) is None
    observer.cleanup()


def test_other_observers():
    with pytest.raises(TypeError, match="abstract"):
        _ITraceObserver()
    seen = []

    class Observer(_ITraceObserver):
        def start(self):
            seen.append("start")

        def stop(self):
            seen.append("stop")

        def cleanup(self):
            seen.append("cleanup")

    with profile(execution_trace_observer=Observer()):
        torch.ones(2)
    assert seen == ["start", "stop", "cleanup"]
