"""Random calls of every public function in PyTorch and in minigrad: see ``random_calls.py``.

``MINIGRAD_CALLS=1000`` makes other calls of each function, and more of them, than the tests do; with ``MINIGRAD_SEED=1``, the same ones each time, and with
``MINIGRAD_FUNCTIONS='torch.linalg.*'``, of some functions only.
"""

import collections
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

MACHINE = Path(__file__).with_name("random_calls.py")
#: What differs in the calls that the tests make and is not mended yet: a function and a kind of difference in each line.
OPEN = Path(__file__).with_name("random_open.txt")
CALLS = 12


def run(count, seed, pattern, progress):
    """Make all calls, in processes of their own: the lines that they print, and the calls in which PyTorch has crashed."""
    found, crashes, start = [], [], 0
    while True:
        progress.write_text("0 begun")
        result = subprocess.run(
            [sys.executable, str(MACHINE), str(count), str(seed), str(progress), str(start), pattern],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "OMP_NUM_THREADS": "1",
                "PYTHONHASHSEED": "0",
            },
            capture_output=True,
            text=True,
        )
        found += [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
        at, where, *call = progress.read_text().split(None, 2)
        if where == "done":
            return found, crashes
        # PyTorch's own crash; all calls before it have been compared
        assert where == "torch" and result.returncode < 0, f"{where}: {call}\n{result.stderr}"
        crashes.append(call[0].strip())
        start = int(at) + 1


def shown(rows):
    """Differences, in lines for who reads a failure."""
    return "\n".join(f"{r['kind']}: {r['theirs']} | {r['ours']}\n    {r['call']}" for r in rows)


@pytest.mark.torch
def test_random_calls(tmp_path):
    asked = os.environ.get("MINIGRAD_CALLS")
    count = int(asked or CALLS)
    # the same calls each time, unless others are asked for
    seed = int(os.environ.get("MINIGRAD_SEED") or (random.randrange(2**30) if asked else 0))
    rows, crashes = run(count, seed, os.environ.get("MINIGRAD_FUNCTIONS", "*"), tmp_path / "progress")
    counts = sum((collections.Counter(r["counts"]) for r in rows if "counts" in r), collections.Counter())
    unjustified = [r for r in rows if "kind" in r and not r["why"]]
    print(f"seed {seed}: {dict(counts)}; PyTorch crashed in {len(crashes)} calls", *crashes, sep="\n")
    assert len(crashes) <= 2 + count // 4, crashes
    assert counts["succeeded"] > 0.3 * counts.total()
    known = set() if asked else set(OPEN.read_text().splitlines())
    new = [r for r in unjustified if f"{r['function']} {r['kind']}" not in known]
    assert not new, f"seed {seed}\n{shown(new)}"
