"""Checkpoints that several processes write, and that any number of them reads; minigrad and PyTorch read each other's."""

import os
import pickle
import sys

import pytest

import minigrad
from minigrad.distributed import checkpoint
from minigrad.distributed.checkpoint import default_planner, format_utils, metadata, planner

from .conftest import PROGRAMS
from .test_programs import UNDER_PYTORCH


def lines(done):
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def test_any_number_of_processes_goes_on_from_a_checkpoint(launch, command, tmp_path):
    directory = tmp_path / "checkpoint"
    saved = lines(launch(2, "checkpoints.py", "save", directory))
    assert saved[1] == "['.metadata', '__0_0.distcp', '__1_0.distcp'] 1.0.0"
    three = lines(launch(3, "checkpoints.py", "load", directory))
    one = lines(command(sys.executable, "-m", "minigrad", PROGRAMS / "checkpoints.py", "load", directory))
    assert three == one and three[1] == "<All keys matched successfully>"


@pytest.mark.torch
def test_pytorch_and_minigrad_read_each_others_checkpoints(launch, command, tmp_path):
    pytest.importorskip("torch")
    program, ours, theirs = PROGRAMS / "checkpoints.py", tmp_path / "ours", tmp_path / "theirs"
    saved = lines(launch(2, program, "save", ours))
    assert saved == lines(command(*UNDER_PYTORCH, 2, program, "save", theirs))
    loaded = lines(launch(3, program, "load", theirs))
    assert loaded == lines(command(sys.executable, program, "load", ours))


def test_one_file_and_back(tmp_path):
    state = {
        "model": {"w": minigrad.arange(6.0).reshape(2, 3)},
        "list": [minigrad.ones(1), {"a": 1}],
        "text": "x",
    }
    minigrad.save(state, tmp_path / "all.pt")
    format_utils.torch_save_to_dcp(tmp_path / "all.pt", tmp_path / "directory")
    format_utils.dcp_to_torch_save(tmp_path / "directory", tmp_path / "again.pt")
    again = minigrad.load(tmp_path / "again.pt")
    assert str(again) == str(state)


def test_a_tensor_is_put_together_from_parts(tmp_path):
    """As PyTorch writes what is sharded: a planner gives each of two halves."""
    whole = minigrad.arange(12.0).reshape(4, 3)
    properties = metadata.TensorProperties(minigrad.float32)

    class Halves(checkpoint.DefaultSavePlanner):
        def create_local_plan(self):
            items = []
            for begin in (0, 2):
                chunk = checkpoint.ChunkStorageMetadata(minigrad.Size([begin, 0]), minigrad.Size([2, 3]))
                data = planner.TensorWriteData(chunk, properties, whole.size())
                index = metadata.MetadataIndex("w", chunk.offsets)
                items.append(checkpoint.WriteItem(index, planner.WriteItemType.SHARD, tensor_data=data))
            return checkpoint.SavePlan(items, planner_data={"w": ("w",)})

        def resolve_data(self, write_item):
            begin = write_item.index.offset[0]
            return whole[begin : begin + 2]

    saved = checkpoint.save({"w": whole}, checkpoint_id=tmp_path, planner=Halves(), no_dist=True)
    assert len(saved.state_dict_metadata["w"].chunks) == 2
    state = {"w": minigrad.zeros(4, 3)}
    checkpoint.load(state, checkpoint_id=tmp_path, no_dist=True)
    assert minigrad.equal(state["w"], whole)
    overlapping = [Halves().create_local_plan()] * 2
    with pytest.raises(ValueError, match="Failed to validate global plan: key:w"):
        default_planner.create_default_global_save_plan(overlapping)


def test_what_a_directory_names_is_not_run(tmp_path):
    class Evil:
        def __reduce__(self):
            return os.system, ("echo run",)

    (tmp_path / ".metadata").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(checkpoint.CheckpointException, match=os.system.__module__):
        checkpoint.load({}, checkpoint_id=tmp_path, no_dist=True)


def test_a_directory_that_is_not_complete_has_no_metadata(tmp_path):
    checkpoint.save({"a": minigrad.ones(1)}, checkpoint_id=tmp_path, no_dist=True)
    with pytest.raises(checkpoint.CheckpointException), pytest.warns(match="existing checkpoint"):
        checkpoint.save({"b": minigrad.ones(1), "bad": lambda: 1}, checkpoint_id=tmp_path, no_dist=True)
    assert not (tmp_path / ".metadata").exists()
    checkpoint.save({"a": minigrad.ones(1)}, checkpoint_id=tmp_path, no_dist=True)
    writer = checkpoint.FileSystemWriter(tmp_path, overwrite=False)
    with pytest.raises(checkpoint.CheckpointException, match="already exists"):
        checkpoint.save({"a": minigrad.ones(1)}, storage_writer=writer, no_dist=True)
    with pytest.raises(RuntimeError, match="must be specified"):
        checkpoint.save({}, no_dist=True)
