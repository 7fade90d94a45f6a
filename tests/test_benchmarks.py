"""The benchmarks' machinery: what is timed runs in another process, a ratio that has slid is found, and so is the peak of memory.  (No time is judged here.)"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.peak_memory import rise

ROOT = Path(__file__).parent.parent
CHAIN = "z = z \\* 1.01, backward"


def benchmarks(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--rounds", "1", "--settings", "1", "--only", CHAIN, *arguments],
        capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def test_a_time_is_taken_and_written(tmp_path):
    found = benchmarks("--json", str(tmp_path / "now.json"))
    assert found.returncode == 0, found.stderr
    (result,) = json.loads((tmp_path / "now.json").read_text())["results"]
    assert result["target"] > 0 and not result["error"] and result["agrees"]


def test_a_missing_library_is_an_error():
    found = benchmarks("--target", "no_such_library")
    assert found.returncode != 0 and "no_such_library" in found.stderr


@pytest.mark.torch
@pytest.mark.parametrize("recorded, status", [(1e9, 0), (1e-9, 1)])
def test_a_slide_is_found(tmp_path, recorded, status):
    subject = "Chains of 100 steps on 4 elements"
    row = {"subject": subject, "name": "z = z * 1.01, backward", "ratio": recorded}
    (tmp_path / "recorded.json").write_text(json.dumps({"results": [row]}))
    found = benchmarks("--against", str(tmp_path / "recorded.json"))
    assert found.returncode == status, found.stdout + found.stderr
    assert ("slid: " + subject in found.stdout) == bool(status)


def test_what_is_recorded_still_exists():
    listed = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--list"], capture_output=True, text=True, cwd=ROOT, check=True
    )
    results = json.loads((ROOT / "benchmarks/recorded.json").read_text())["results"]
    assert results and {f"{each['subject']}: {each['name']}" for each in results} <= set(
        listed.stdout.splitlines()
    )


@pytest.mark.parametrize(
    "changes, most", [([], 0), ([5, -5, 3], 5), ([-8, 4, -2, 9, -1], 11), ([3, -7, 6, 1], 7)]
)
def test_the_largest_rise(changes, most):
    assert rise(changes) == most


def test_all_that_arrays_take_is_counted():
    program = (
        "import os; import numpy as np; from benchmarks.peak_memory import history_of_numpy, rise\n"
        "def run():\n"
        "    a, b = np.empty(1000, np.int8), np.zeros((2, 500), np.int16)\n"
        "    del a\n"
        "    b.resize(4, 500, refcheck=False)\n"
        "history = history_of_numpy(run)\n"
        "print(rise(history), sum(history), flush=True)\n"
        "os._exit(0)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert found.stdout.split() == ["4000", "0"], found.stderr
