"""Programs of 2017 run as they were written, and each form of that time warns once, with what to write instead."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad

SCRIPTS = Path(__file__).parent / "old_scripts"
FORMS = {
    "digits.py": ["volatile", "creator", "loss.data[0]"],
    "bandit.py": ["volatile", "multinomial() without a number of samples", "reinforce()"],
    "adversaries.py": ["volatile", "backward(retain_variables=...)"],
}


@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_script_of_2017_runs(name):
    environment = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-W", "always", "-m", "minigrad", str(SCRIPTS / name)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "done"
    for form in FORMS[name]:
        assert done.stderr.count(f"Warning: {form} is of PyTorch's API of 2017.") == 1
    warned = [line for line in done.stderr.splitlines() if "API of 2017" in line]
    assert len(warned) == len(FORMS[name])
    assert all(line.startswith(str(SCRIPTS / name)) for line in warned)


def test_all_scripts_are_run():
    assert sorted(FORMS) == sorted(path.name for path in SCRIPTS.glob("*.py"))
