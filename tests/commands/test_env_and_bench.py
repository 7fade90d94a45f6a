"""``python -m minigrad env`` and ``bench``, and how ``python -m minigrad`` finds its commands."""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minigrad
from benchmarks import published
from benchmarks.headlines import HEADLINES
from minigrad import __main__ as program
from minigrad._base import extras
from minigrad._commands import bench, env

ROOT = Path(minigrad.__file__).parents[1]


def run(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "minigrad", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def test_the_help_lists_the_commands(tmp_path):
    printed = run("--help", cwd=tmp_path).stdout
    modules = {path.stem for path in (ROOT / "minigrad" / "_commands").glob("*.py")} - {"__init__", "texts"}
    assert set(program.COMMANDS) == modules
    assert all(f"  {name:<15}{text}\n" in printed for name, text in program.COMMANDS.items())


def test_a_command_comes_before_a_script_of_its_name(tmp_path):
    (tmp_path / "env").write_text("import torch; print(torch.ones(1))")
    assert "Versions" in run("env", cwd=tmp_path).stdout
    assert run("./env", cwd=tmp_path).stdout == "tensor([1.])\n"


def test_errors_of_commands_are_exit_codes(tmp_path):
    assert run("inspect", "none.pt", cwd=tmp_path).returncode == 1
    wrong = run("inspect", "--no-such-option", cwd=tmp_path)
    assert wrong.returncode == 2 and "usage: python -m minigrad inspect" in wrong.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell and head")
def test_a_reader_that_leaves_is_no_error(tmp_path):
    minigrad.save([minigrad.zeros(1) for _ in range(5000)], tmp_path / "x.pt")
    command = f"{sys.executable} -m minigrad inspect x.pt | head -n 1"
    done = subprocess.run(
        command,
        shell=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("x.pt: ") and done.stderr == ""


def test_the_environment(capsys, monkeypatch):
    monkeypatch.setenv("MINIGRAD_ONEDNN", "0")
    assert env.main(["--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (
        found["Versions"]["NumPy"] == np.__version__
        and found["Environment variables"]["MINIGRAD_ONEDNN"] == "0"
    )
    assert found["Extras"].keys() == extras.EXTRAS.keys()
    assert env.main([]) == 0
    printed = capsys.readouterr().out
    assert minigrad.version.minigrad in printed and extras.REPAIR not in printed


def test_the_other_project_is_named(capsys, monkeypatch):
    files = importlib.metadata.files

    def with_other(name):
        return ["minigrad/nn.py"] if name == extras.OTHER_PROJECT else files(name)

    monkeypatch.setattr(importlib.metadata, "files", with_other)
    assert env.main([]) == 0
    assert extras.REPAIR in capsys.readouterr().out


def test_without_the_repository_bench_says_so(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    assert bench.main([]) == 1
    assert "in the repository, and not in what pip installs" in capsys.readouterr().err


def test_bench_shows_rows_of_the_published_table(capsys):
    path = next(path for path, words in HEADLINES.items() if words == "tiny MLP, Adam")
    assert published.main([path]) == 0
    printed = capsys.readouterr().out
    assert "tiny MLP, Adam" in printed and "geometric mean" in printed


def test_every_headline_has_a_published_time():
    machine, rows = published.published()
    assert set(HEADLINES) <= rows.keys() and machine["libraries"]["minigrad"]


@pytest.mark.parametrize("command", sorted(program.COMMANDS))
def test_every_command_explains_itself(command, tmp_path):
    done = run(command, "--help", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith(f"usage: python -m minigrad {command}")
