"""The example trains in several processes, and goes on when one of them has been killed."""

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from .conftest import ROOT, started_with

EXAMPLE = ROOT / "examples/ddp_digits.py"


@pytest.fixture(autouse=True)
def needed():
    pytest.importorskip("sklearn")


def test_it_starts_itself(mpi, command):
    done = command(sys.executable, EXAMPLE, "--quick")
    assert done.returncode == 0, done.stderr[-3000:]
    assert re.search(r"2 processes, accuracy on new digits: (8|9)\d\.\d%", done.stdout)


def rank_one(mark):
    """The process of rank 1, by its environment."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environment = (entry / "environ").read_bytes().split(b"\0")
        except OSError:  # it has ended meanwhile
            continue
        if mark.encode() in environment and {b"PMI_RANK=1", b"OMPI_COMM_WORLD_RANK=1"} & {*environment}:
            return int(entry.name)
    return None


def test_a_run_whose_rank_is_killed_goes_on_from_its_checkpoint(mpi, tmp_path):
    mark = f"MINIGRAD_TEST={uuid.uuid4().hex}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    environment.update([mark.split("=")])
    words = (
        sys.executable,
        "-m",
        "minigrad.distributed.run",
        "--nproc-per-node",
        "2",
        "--max-restarts",
        "1",
        EXAMPLE,
        "--epochs",
        "40",
    )
    with open(tmp_path / "all", "w+") as out:
        process = subprocess.Popen(
            list(map(str, words)), stdout=out, stderr=out, env=environment, cwd=tmp_path
        )
        deadline = time.monotonic() + 60
        while not (tmp_path / "out/ddp_digits.pt").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(rank_one(mark), signal.SIGKILL)
        assert process.wait(100) == 0
        out.seek(0)
        text = out.read()
    assert "start 2 of 2" in text
    found = int(re.search(r"goes on with epoch (\d+)", text)[1])
    assert found >= 1 and text.count(f"epoch {found}: loss") >= 1 and "accuracy on new digits" in text
    assert not started_with(mark)
