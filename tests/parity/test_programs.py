"""Random programs in PyTorch and in minigrad, step by step: see ``programs.py``.

``MINIGRAD_PROGRAMS=3000`` runs other programs, and more of them, than the tests do; with ``MINIGRAD_SEED=1``, the same ones each time.  The report of a
difference has the seed, and the first program that differed as it was, beside the one that it was cut down to.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

MACHINE = Path(__file__).with_name("programs.py")
CHUNK = 125  # how many programs one process runs


def run(count, seed, progress):
    """Run programs in a process of their own: its result, how many were begun, its last words, and the first program that differs."""
    progress.write_text("0 alike nobody\n")
    result = subprocess.run(
        [sys.executable, str(MACHINE), str(count), str(seed), str(progress)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "OMP_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
        },
        capture_output=True,
        text=True,
    )
    head, _, program = progress.read_text().partition("\n")
    begun, alike, library = head.split()
    first = progress.with_name(f"{progress.name}.first")
    return result, int(begun), alike, library, program, first.read_text() if alike == "different" else ""


@pytest.mark.torch
def test_programs(tmp_path):
    asked = os.environ.get("MINIGRAD_PROGRAMS")
    wanted = int(asked or "500")
    # the same programs each time, unless others are asked for
    seed = int(os.environ.get("MINIGRAD_SEED") or (random.randrange(2**30) if asked else 0))
    done, crashes = 0, []
    while done < wanted:
        result, begun, alike, library, program, first = run(
            min(CHUNK, wanted - done), seed, tmp_path / "progress"
        )
        report = f"seed {seed}\nthe first that differs:\n{first}\n\nthe last:\n{program}\n{result.stdout}\n{result.stderr}"
        if result.returncode not in (0, 1) and (alike, library) == ("alike", "torch"):
            # PyTorch's own crash, at a step that minigrad has not seen yet; all programs before it agreed
            crashes.append(program)
            begun -= 1
        else:
            assert result.returncode == 0, report
        done += begun
        seed += 1
    print(f"{done} programs agree; PyTorch crashed in {len(crashes)} others", *crashes, sep="\n\n")
    assert len(crashes) <= 2 + wanted // 200, crashes
