"""Libraries that are built on PyTorch, as they are installed, on minigrad: programs print what they print on PyTorch, where it is installed."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad
from tests.printed import assert_prints_alike

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("with_*.py"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1]), "OMP_NUM_THREADS": "1"}


def start(*command, cwd):
    return subprocess.Popen(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem.removeprefix("with_"))
def test_prints_what_it_prints_on_pytorch(program, tmp_path):
    if importlib.util.find_spec(program.stem.removeprefix("with_")) is None:
        pytest.skip("not installed")
    runs = [start("-m", "minigrad", program, cwd=tmp_path)]
    if importlib.util.find_spec("torch") is not None:
        runs.append(start(HERE / "with_pytorch.py", program, cwd=tmp_path))
    (ours, *theirs) = [(*run.communicate(timeout=400), run.returncode) for run in runs]
    assert ours[2] == 0, ours[1]
    assert len(ours[0].splitlines()) > 5
    for out, error, code in theirs:
        assert code == 0, error
        assert_prints_alike(ours[0], out)
