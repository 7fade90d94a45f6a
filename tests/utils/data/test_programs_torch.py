"""Programs as tutorials have them, each in a process of its own, under PyTorch and under minigrad: all that they print is the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad

pytest.importorskip("torch")
pytestmark = pytest.mark.torch

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1]), "OMP_NUM_THREADS": "1"}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_programs_print_the_same(program):
    runs = [
        subprocess.Popen(
            [sys.executable, *runner, program],
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for runner in (["-m", "minigrad"], [])
    ]
    ours, theirs = ((*run.communicate(timeout=120), run.returncode) for run in runs)
    assert theirs[1:] == ("", 0)
    assert ours == theirs
    assert len(theirs[0].splitlines()) > 5
