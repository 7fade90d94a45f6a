"""Infinities and nans are silent, whatever filters of warnings a program, or its test runner, sets; NumPy's own warnings are not touched."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import minigrad

TESTS = """
import minigrad


def test_a_pole():
    assert minigrad.log(minigrad.zeros(3)).isinf().all()


def test_a_nan():
    assert (minigrad.zeros(2) / 0).isnan().all()
"""
IMPORTED_WITHIN = """
import warnings
with warnings.catch_warnings():
    import minigrad
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("default")
    minigrad.log(minigrad.zeros(3))
print(len(caught))
"""


def run(*arguments):
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(minigrad.__file__).parents[1]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=120
    )
    return done.stdout.splitlines()[-1]


def test_tests_of_poles_and_nans_do_not_warn(tmp_path):
    path = tmp_path / "test_poles.py"
    path.write_text(TESTS)
    summary = run("-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(path))
    assert "2 passed" in summary
    assert "warning" not in summary


def test_an_import_within_catch_warnings_leaves_the_filter():
    assert run("-c", IMPORTED_WITHIN) == "0"


@pytest.mark.parametrize("action", ["always", "default", "error", "once"])
def test_filters_of_a_program_do_not_show_poles(action):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        assert (minigrad.zeros(2) / 0).log().sum().isnan()
    assert caught == []


def test_reset_filters_do_not_show_poles():
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        minigrad.log(minigrad.zeros(2))
    assert caught == []


def test_numpy_warns_a_program_of_its_own_poles():
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.ones(1) / np.zeros(1)


def test_other_warnings_of_minigrad_are_seen():
    with pytest.warns(UserWarning, match="not writable"):
        minigrad.from_numpy(np.frombuffer(b"1234", np.uint8))
