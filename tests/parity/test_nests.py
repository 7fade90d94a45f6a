"""Random nests of transforms in PyTorch and in minigrad: see ``nests.py``.

``MINIGRAD_NESTS=5000`` runs other nests, and more of them, than the tests do; with ``MINIGRAD_SEED=1``, the same ones each time.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

MACHINE = Path(__file__).with_name("nests.py")
CHUNK = 250  # how many nests one process runs


def run(count, number, progress):
    """Run nests in a process of their own: its result, the number of the last one, and its text."""
    result = subprocess.run(
        [sys.executable, "-W", "ignore", str(MACHINE), str(count), str(number), str(progress)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "OMP_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
        },
        capture_output=True,
        text=True,
    )
    last, _, text = progress.read_text().partition("\n")
    return result, int(last), text


@pytest.mark.torch
def test_nests(tmp_path):
    asked = os.environ.get("MINIGRAD_NESTS")
    wanted = int(asked or "250")
    # the same nests each time, unless others are asked for
    number = int(os.environ.get("MINIGRAD_SEED") or (random.randrange(2**30) if asked else 0))
    end, crashes = number + wanted, []
    while number < end:
        result, last, text = run(min(CHUNK, end - number), number, tmp_path / "progress")
        if result.returncode not in (0, 1):
            crashes.append(text)  # PyTorch's own
        else:
            assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
        number = last + 1
    assert len(crashes) <= 2 + wanted // 500, crashes
