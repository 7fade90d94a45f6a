"""``%load_ext minigrad``: ``import torch`` in a notebook is minigrad."""

import subprocess
import sys

import pytest

import minigrad

SESSION = """
import minigrad
minigrad.load_ipython_extension(None)
import torch
print(torch.ones(2).sum().item(), torch.__version__ == minigrad.__version__)
minigrad.unload_ipython_extension(None)
print("torch" in __import__("sys").modules)
"""
IN_IPYTHON = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minigrad")
result = shell.run_cell("import torch; torch.tensor([1., 2.]).tolist()")
print(result.result)
"""


def run(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    return done.stdout.splitlines() or done.stderr


def test_the_extension_gives_and_takes_the_name_of_torch():
    assert run(SESSION) == ["2.0 True", "False"]


def test_ipython_loads_the_extension():
    pytest.importorskip("IPython")
    assert run(IN_IPYTHON)[-1] == "[1.0, 2.0]"


def test_the_names_for_ipython_are_not_exported():
    assert "load_ipython_extension" not in minigrad.__all__
    assert callable(minigrad.load_ipython_extension)
