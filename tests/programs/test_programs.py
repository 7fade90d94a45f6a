"""Programs in PyTorch's idioms, from 2017 to today: each prints the same under PyTorch and under ``python -m minigrad``."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad

FOLDER = Path(__file__).parent
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("test_"))
#: Numbers with a point or an exponent; others stand for counts and sizes, and are compared as text.
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+|nan\b|inf\b)", re.IGNORECASE)


def text_and_numbers(output):
    """The text of each line with a mark for each number, and the numbers of all lines."""
    lines = [re.sub(r"\s+", "", NUMBER.sub("#", line)) for line in output.splitlines()]
    return lines, [float(number) for number in NUMBER.findall(output)]


def close(ours, theirs):
    """Whether two numbers are the same but for rounding, and for the digits that are printed."""
    if math.isnan(theirs) or math.isinf(theirs):
        return str(ours) == str(theirs)
    return math.isclose(ours, theirs, rel_tol=1e-3, abs_tol=1.5e-4)


def start(*runner):
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(minigrad.__file__).parents[1]),
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-W", "ignore", *runner]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def printed(process):
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return output


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_prints_under_pytorch(name):
    pytest.importorskip("torch")
    path = str(FOLDER / f"{name}.py")
    processes = start("-m", "minigrad", path), start(path)
    ours, theirs = (printed(process) for process in processes)
    assert theirs.strip()
    lines, numbers = text_and_numbers(ours)
    their_lines, their_numbers = text_and_numbers(theirs)
    assert lines == their_lines
    apart = [(mine, other) for mine, other in zip(numbers, their_numbers) if not close(mine, other)]
    assert not apart, f"{apart} in\n{ours}"


def test_differences_are_seen():
    lines, numbers = text_and_numbers("loss 0.25 (3, 4)\ntensor([1., 2.5e-3])")
    assert lines == ["loss#(3,4)", "tensor([#,#])"] and numbers == [0.25, 1.0, 0.0025]
    assert close(0.2501, 0.25) and close(math.inf, math.inf) and close(math.nan, math.nan)
    assert not (close(0.26, 0.25) or close(1.0, math.inf) or close(0.0, math.nan))


def test_there_are_many_programs():
    assert len(PROGRAMS) >= 50
