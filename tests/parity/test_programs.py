"""Random programs in PyTorch and in minigrad, step by step: see ``programs.py``.

``MINIGRAD_PROGRAMS=3000`` runs other programs, and more of them, than the tests do; with ``MINIGRAD_SEED=1``, the same ones each time.  The report of
differences has, for each kind of them, the number of the first program that showed it, that program, and what it was cut down to, and counts
the others.  By hand, without pytest, and with all that differs in a list:

    python -m tests.parity.test_programs COUNT SEED
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pytest.importorskip("torch")

from tests.parity.machine import Progress

MACHINE = Path(__file__).with_name("programs.py")
CHUNK = 2500  # how many programs one process runs at most


def run(count, number, progress):
    """Run programs in processes of their own: what differs, as a report, "" if nothing does; and the programs in which PyTorch crashed.

    Where a process dies at a step that minigrad has not seen yet, the crash is PyTorch's own.  The next process goes on behind it.
    """
    end, found, failures, crashes = number + count, [], [], []
    while number < end:
        size = min(CHUNK, end - number)
        result = subprocess.run(
            [sys.executable, str(MACHINE), str(size), str(number), str(progress)],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "OMP_NUM_THREADS": "1",
                "PYTHONHASHSEED": "0",
            },
            capture_output=True,
            text=True,
        )
        found += map(json.loads, result.stdout.splitlines())
        number += size
        if result.returncode != 0:
            last, library, program = Progress.read(progress)
            number = last + 1
            text = f"# program {last}, in {library}\n{program}"
            if result.returncode < 0 and library == "torch":
                crashes.append(text)
            else:
                failures.append(f"{text}\n{result.stderr[-3000:]}")
    return "\n\n".join(failures + by_kind(found)), crashes


def by_kind(found):
    """Reports of differing programs: the first of each kind, and the numbers of others; the most frequent kinds last."""
    kinds = {}
    for number, kind, text in found:
        kinds.setdefault(kind, {}).setdefault(number, []).append(text)
    kinds = sorted(kinds.items(), key=lambda item: len(item[1]))
    reports = []
    for kind, cases in kinds:
        number, texts = next(iter(cases.items()))
        reports.append("\n\n# cut down\n".join([f"# program {number}: {kind}\n{texts[0]}", *texts[1:2]]))
    reports.append(
        "\n".join(
            f"{len(cases)} of {kind}: programs {', '.join(map(str, list(cases)[:5]))}"
            for kind, cases in kinds
        )
    )
    return [report for report in reports if report]


@pytest.mark.torch
def test_programs(tmp_path):
    asked = os.environ.get("MINIGRAD_PROGRAMS")
    wanted = int(asked or "500")
    # the same programs each time, unless others are asked for
    seed = int(os.environ.get("MINIGRAD_SEED") or (random.randrange(2**30) if asked else 0))
    report, crashes = run(wanted, seed, tmp_path / "progress")
    assert not report, f"seed {seed}\n{report}"
    print(
        f"{wanted - len(crashes)} programs agree; PyTorch crashed in {len(crashes)} others",
        *crashes,
        sep="\n\n",
    )
    assert len(crashes) <= 2 + wanted // 200, crashes


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        report, crashes = run(int(sys.argv[1]), int(sys.argv[2]), Path(place) / "progress")
    print(f"PyTorch crashed in {len(crashes)} programs", *crashes, report, sep="\n\n")
