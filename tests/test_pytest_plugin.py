"""Under pytest, which forgets the filters of what tests import, infinities and nans are as silent as elsewhere."""

import os
import subprocess
import sys
from pathlib import Path

import minigrad

TESTS = """
import minigrad


def test_a_pole():
    assert minigrad.log(minigrad.zeros(3)).isinf().all()


def test_a_nan():
    assert (minigrad.zeros(2) / 0).isnan().all()
"""


def summary(folder, *options):
    path = folder / "test_poles.py"
    path.write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, str(path)],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(minigrad.__file__).parents[1]),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout.splitlines()[-1]


def test_tests_of_poles_and_nans_do_not_warn(tmp_path):
    assert "2 passed, 2 warnings" in summary(tmp_path)
    silent = summary(tmp_path, "-p", "minigrad._pytest_plugin")
    assert "2 passed" in silent
    assert "warning" not in silent
