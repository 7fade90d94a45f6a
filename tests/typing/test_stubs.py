"""The tables of names and the stubs say what the package has, and a program that mypy checks against the stubs runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad

HERE = Path(__file__).parent
ROOT = Path(minigrad.__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def run(*arguments):
    """Run Python in a process of its own: what other tests did to the package does not show."""
    command = [sys.executable, "-W", "error", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)


def test_tables_and_stubs_are_up_to_date():
    done = run("-m", "tests.generate", "--check")
    assert done.returncode == 0, done.stderr


def test_typed_program_runs():
    done = run(HERE / "public_api.py")
    assert done.returncode == 0, done.stderr


def test_a_name_that_two_modules_claim_is_refused(tmp_path):
    from tests.generate import names

    (tmp_path / "first.py").write_text('__all__ = ["f", "g"]\nMETHODS = "f __neg__=g"\n')
    (tmp_path / "second.py").write_text('__all__: list[str] = []\nMETHODS = "h"\n')
    assert names.tables(tmp_path) == (
        {"_ops.first": ["f", "g"]},
        {"_ops.first": ["f", "__neg__=g"], "_ops.second": ["h"]},
    )
    (tmp_path / "second.py").write_text('METHODS = "__neg__=h"\n')
    with pytest.raises(SystemExit, match=r"__neg__ is both in _ops\.first and in _ops\.second"):
        names.tables(tmp_path)
    (tmp_path / "second.py").write_text("__all__ = [name for name in ()]\n")
    with pytest.raises(SystemExit, match=r"second\.py: __all__ has to be written out"):
        names.tables(tmp_path)
