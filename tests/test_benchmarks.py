"""The benchmarks' machinery: what is timed runs in another process, a ratio that has slid is found, and so is the peak of memory.  (No time is judged here.)"""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad
from benchmarks import cases, growth, others, registry, report, run, timing
from benchmarks.answers import Answers, magnitude
from benchmarks.headlines import HEADLINES, geometric_mean, means
from benchmarks.others import numpy_by_hand
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


@pytest.mark.parametrize("slow_calls", [0, 1, 3])
def test_slow_calls_before_the_usual_ones_do_not_set_how_many_make_a_sample(monkeypatch, slow_calls):
    """By a clock that only the calls move: the first ones take 8 ms, the others 30 us, both exact in binary."""
    now, calls = 0.0, 0

    def run():
        nonlocal now, calls
        calls += 1
        now += 2**-7 if calls <= slow_calls else 2**-15

    monkeypatch.setattr(timing.time, "perf_counter", lambda: now)
    assert timing.repeats_for(run, 300 * 2**-15) == 300


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


def test_headlines_and_programs_for_other_libraries_are_benchmarks():
    paths = {each.path for subject in cases.subjects() for each in subject.benchmarks}
    assert {*HEADLINES, *others.PROGRAMS} <= paths


def row(path, ratio, **others):
    further = {name: registry.Measurement(1.0, ratio=each) for name, each in others.items()}
    return report.Row(
        registry.Benchmark(*path.split(": ", 1), None, None, "s"),
        registry.Measurement(1.0, ratio=ratio, median=ratio, further=further),
    )


def test_the_geometric_mean_is_of_all_headlines_in_a_setting():
    rows = [row(path, ratio, all=4.0) for path, ratio in zip(HEADLINES, [2.0] * (len(HEADLINES) - 1) + [0.5])]
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)
    found = means(rows, ["1", "all", "1 busy"])
    assert found == pytest.approx({"1": 2 ** (1 - 2 / len(HEADLINES)), "all": 4.0})
    assert means(rows[1:], ["1", "all"]) == {}


@pytest.mark.parametrize(
    "ratio, median, slid", [(1.2, 1.2, False), (1.4, 1.4, True), (1.4, 1.1, False), (1.1, 1.4, False), (1.4, None, True)]
)  # fmt: skip
def test_a_slide_is_one_of_the_best_times_and_of_most_rounds(ratio, median, slid):
    found = registry.Measurement(1.0, 1.0, ratio, median)
    assert run.has_slid(report.Row(None, found), 1.3) is slid


@pytest.mark.parametrize("name", growth.PROGRAMS)
def test_programs_that_grow_run_in_their_smallest_size(name):
    answers = Answers(minigrad)
    assert answers.set_up(growth.path(name, growth.PROGRAMS[name][1][0])) > 0


@pytest.mark.parametrize("library", ["hips_autograd", "my_grad"])
@pytest.mark.parametrize("program", [others.CHAIN, others.TANH_MLP, others.DIGITS_MLP, others.HESSIAN])
def test_other_libraries_compute_the_same(library, program):
    module = importlib.import_module(f"benchmarks.others.{library}") if library in installed() else None
    if module is None or program not in module.SETUPS:
        pytest.skip(f"{library} is not installed, or cannot run it")
    right, found = Answers(minigrad).set_up(program), Answers(module).set_up(program)
    assert not registry.difference(right, found)


@pytest.mark.parametrize("path", numpy_by_hand.SETUPS)
def test_captured_steps_go_on_as_those_by_hand(path):
    answers = [Answers(library) for library in (minigrad, numpy_by_hand)]
    right, found = [[each.set_up(path), *[magnitude(each.run()) for _ in range(5)]] for each in answers]
    assert found == pytest.approx(right, rel=1e-4) and len(set(found)) == 6


def test_what_runs_leave_behind():
    program = (
        "import os; import numpy as np; from benchmarks.peak_memory import left_behind\n"
        "kept = []\n"
        "print(left_behind(lambda: kept.append(np.empty(2 * len(np.empty(500)), np.int8))), flush=True)\n"
        "os._exit(0)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert found.stdout.split() == ["5000"], found.stderr


def installed():
    return {module.rpartition(".")[2] for module in others.installed().values()}
