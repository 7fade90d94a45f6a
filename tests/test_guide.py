"""The guide to a new operator, followed word for word in a copy of the repository: its files, its commands, its sessions."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "howto" / "adding_an_operator.md").read_text(encoding="utf-8")
#: What there is in the copy.
COPIED = (
    "minigrad",
    "docs/coverage",
    "tests/operators",
    "tests/generate",
    "tests/conftest.py",
    "tests/numeric.py",
    "tests/test_layers.py",
)
#: Runs the sessions in standard input, and the examples in the docstrings of the module that is named.
EXAMPLES = """
import doctest, importlib, sys
session = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, "guide", None, 0)
tests = [session, *doctest.DocTestFinder().find(importlib.import_module(sys.argv[1]))]
runner = doctest.DocTestRunner(verbose=False)
for test in tests:
    runner.run(test)
print(sum(len(test.examples) > 0 for test in tests), runner.tries)
sys.exit(runner.failures)
"""


def blocks(language):
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def files():
    """The files that the guide shows: {path: text}."""
    shown = [
        re.fullmatch(r"# ((?:minigrad|tests)/\S+\.py)\n(.*)", code, re.DOTALL) for code in blocks("python")
    ]
    return {found[1]: found[2] for found in shown if found}


def run(folder, *arguments, given=None):
    """Run Python in a folder, in which the package is the copy; returns what it prints."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        input=given,
        capture_output=True,
        encoding="utf-8",
        timeout=250,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The copy, with the files of the guide, after its commands; and what the last of them printed."""
    folder = tmp_path_factory.mktemp("copy")
    for name in COPIED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(settings, encoding="utf-8")
    for name, text in files().items():
        assert not (ROOT / name).exists(), f"{name} is there already"
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    printed = []
    (commands,) = blocks("sh")
    for command in commands.splitlines():
        program, *arguments = shlex.split(command)
        assert program == "python"
        printed.append(run(folder, *arguments))
    return folder, "".join(printed)


def test_the_guide_shows_an_operator_its_row_and_its_test():
    assert [name.rpartition("/")[0] for name in files()] == [
        "minigrad/_ops",
        "tests/operators/table",
        "tests/ops",
    ]


def test_the_rows_earn_all_checks_of_the_table(copy):
    folder, printed = copy
    table = run(folder, "-m", "pytest", "-q", "--collect-only", "tests/operators", "-k", "cbrt or softcap")
    for check in (
        "values", "gradients", "layout_does_not_matter", "in_place", "out", "batches", "gradients_of_batches", "tangents",
    ):  # fmt: skip
        for name in ("cbrt", "softcap"):
            assert f"test_table.py::test_{check}[{name}]" in table
    (passed,) = re.findall(r"(\d+) passed", printed)
    assert int(passed) > 16


def test_what_the_guide_shows_of_it_is_so(copy):
    folder, _ = copy
    documented, examples = run(
        folder, "-c", EXAMPLES, "minigrad._ops.nearer", given="\n".join(blocks("pycon"))
    ).split()[-2:]
    assert int(documented) == 6 and int(examples) > 30


def test_nothing_else_has_to_know(copy):
    """No test of what holds for all operators fails."""
    folder, _ = copy
    run(folder, "-m", "tests.generate", "--check")
    run(
        folder,
        "-m",
        "pytest",
        "-q",
        "tests/operators/test_every_operator.py",
        "tests/operators/test_coverage.py",
        "tests/test_layers.py",
        "-m",
        "not slow",
    )


def test_an_operator_without_a_row_is_noticed(copy, tmp_path):
    folder, _ = copy
    shutil.copytree(folder, tmp_path / "without", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "without" / "tests" / "operators" / "table" / "nearer.py").unlink()
    with pytest.raises(AssertionError, match="cbrt"):
        run(tmp_path / "without", "-m", "pytest", "-q", "tests/operators/test_every_operator.py")
