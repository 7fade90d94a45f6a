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
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1]), "OMP_NUM_THREADS": "1"}
PYTHON = [sys.executable, "-W", "ignore"]
#: PyTorch takes seconds to import: a process that has imported it forks for each program, whose path and files of output it reads.
FORKING = """
import os, runpy, sys, torch
for line in sys.stdin:
    path, output, errors = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if not child:
        for file, descriptor in ((output, 1), (errors, 2)):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), descriptor)
        sys.argv, sys.path[0] = [path], os.path.dirname(path)
        code = 1
        try:
            runpy.run_path(path, run_name="__main__")
            code = 0
        finally:
            if code:
                sys.excepthook(*sys.exc_info())
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def text_and_numbers(output):
    """The text of each line with a mark for each number, and the numbers of all lines."""
    lines = [re.sub(r"\s+", "", NUMBER.sub("#", line)) for line in output.splitlines()]
    return lines, [float(number) for number in NUMBER.findall(output)]


def close(ours, theirs):
    """Whether two numbers are the same but for rounding, and for the digits that are printed."""
    if math.isnan(theirs) or math.isinf(theirs):
        return str(ours) == str(theirs)
    return math.isclose(ours, theirs, rel_tol=1e-3, abs_tol=1.5e-4)


@pytest.fixture(scope="module")
def run_under_pytorch(tmp_path_factory):
    """A function that gives what a program prints under PyTorch."""
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("printed")
    with subprocess.Popen(
        [*PYTHON, "-c", FORKING], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:

        def run(path):
            output, errors = (folder / f"{path.stem}.{kind}" for kind in ("out", "err"))
            server.stdin.write(f"{path}\t{output}\t{errors}\n")
            server.stdin.flush()
            assert server.stdout.readline().strip() == "0", errors.read_text(encoding="utf-8")
            return output.read_text(encoding="utf-8")

        yield run
        server.stdin.close()


@pytest.mark.torch
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_prints_under_pytorch(name, run_under_pytorch):
    path = FOLDER / f"{name}.py"
    with subprocess.Popen(
        [*PYTHON, "-m", "minigrad", str(path)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        theirs = run_under_pytorch(path)
        ours, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    lines, numbers = text_and_numbers(ours)
    their_lines, their_numbers = text_and_numbers(theirs)
    assert lines == their_lines and lines
    apart = [(mine, other) for mine, other in zip(numbers, their_numbers) if not close(mine, other)]
    assert not apart, f"{apart} in\n{ours}"


def test_differences_are_seen():
    lines, numbers = text_and_numbers("loss 0.25 (3, 4)\ntensor([1., 2.5e-3])")
    assert lines == ["loss#(3,4)", "tensor([#,#])"] and numbers == [0.25, 1.0, 0.0025]
    assert close(0.2501, 0.25) and close(math.inf, math.inf) and close(math.nan, math.nan)
    assert not (close(0.26, 0.25) or close(1.0, math.inf) or close(0.0, math.nan))


def test_there_are_many_programs():
    assert len(PROGRAMS) >= 50
