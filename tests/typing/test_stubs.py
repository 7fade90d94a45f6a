"""The stubs say what the package has, and a program that mypy checks against them runs."""

import os
import subprocess
import sys
from pathlib import Path

import minigrad

HERE = Path(__file__).parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1])}


def run(*arguments):
    """Run a program of this folder, in a process of its own: what other tests did to the package does not show."""
    command = [sys.executable, "-W", "error", *map(str, arguments)]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)


def test_stubs_are_up_to_date():
    done = run(HERE / "stubs.py", "--check")
    assert done.returncode == 0, done.stderr


def test_typed_program_runs():
    done = run(HERE / "public_api.py")
    assert done.returncode == 0, done.stderr
