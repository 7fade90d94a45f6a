"""The name to install, and the extras: what errors and documents tell people to type is what ``pyproject.toml`` has."""

import ast
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import minigrad
from minigrad._base import extras

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "minigrad"
#: For work on the repository; no function of the package asks for one of these.
FOR_DEVELOPERS = {"examples", "browser", "docs", "test", "release", "dev", "parity", "benchmarks"}
#: Files in which people read what to install.
TEXTS = {
    path: path.read_text(encoding="utf-8")
    for pattern in ("*.md", "pyproject.toml", "*/**/*.md", "*/**/*.py", "*/**/*.ipynb")
    for path in sorted(ROOT.glob(pattern))
    if path.relative_to(ROOT).parts[0][0] != "." and path != Path(__file__)
}


def declared():
    """The table of ``[project.optional-dependencies]``: extra -> names of distributions.  (Python 3.10 has no reader of TOML.)"""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    table = text.split("[project.optional-dependencies]\n")[1].split("\n[")[0]
    entries = re.findall(r"^(\w+) = (\[.*?\])(?:  #.*)?$", table, re.MULTILINE)
    return {
        extra: tuple(re.match(r"[\w-]+", each)[0] for each in ast.literal_eval(needed))
        for extra, needed in entries
    }


def declared_name():
    return re.search(r'^name = "(.*?)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[
        1
    ]


def test_the_distribution_is_called_as_pyproject_says():
    assert extras.DISTRIBUTION == declared_name() != extras.OTHER_PROJECT == minigrad.__name__


def test_the_extras_are_those_of_pyproject():
    expected = {extra: needed for extra, needed in declared().items() if extra not in FOR_DEVELOPERS}
    assert expected == extras.EXTRAS
    assert FOR_DEVELOPERS <= declared().keys()


def test_every_text_that_names_an_extra_names_one_of_this_distribution():
    found = []
    for path, text in TEXTS.items():
        for name, listed in re.findall(r"""['" ](minigrad[\w-]*|\.)\\?\[([a-z,]+)\\?\]""", text):
            if name in (extras.DISTRIBUTION, "."):
                found += [(path, extra) for extra in listed.split(",")]
            else:
                pytest.fail(f"{path}: {name}[{listed}], where the distribution is {extras.DISTRIBUTION}")
    assert len(found) > 20
    assert [(str(path), extra) for path, extra in found if extra not in declared()] == []


def test_no_text_installs_the_other_project():
    typed = re.compile(r"pip install\b(?: +-{1,2}[\w-]+)* +['\"]?minigrad(?![\w-])")
    assert typed.search("pip install -U 'minigrad[io]'") and not typed.search("pip install minigrad-numpy")
    assert [str(path) for path, text in TEXTS.items() if typed.search(text)] == []


def parsed(word):
    """The modules of the package in which a word stands: path -> syntax tree."""
    found = {path: text for path, text in TEXTS.items() if word in text and PACKAGE in path.parents}
    return {path: ast.parse(text) for path, text in found.items() if path.suffix == ".py"}


def strings_of_code(tree):
    """The strings of a module that are no docstrings, with the pieces of those that are put together."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


def test_errors_take_the_command_from_one_place():
    trees = parsed(extras.DISTRIBUTION)
    saying = [path for path, tree in trees.items() if extras.DISTRIBUTION in "".join(strings_of_code(tree))]
    assert saying == [PACKAGE / "_base" / "extras.py"]


def calls_of_missing_extra():
    for path, tree in parsed("missing_extra(").items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "missing_extra":
                yield path, node


def test_errors_name_the_extra_that_brings_the_package():
    calls = list(calls_of_missing_extra())
    assert len(calls) >= 6
    for path, call in calls:
        package, extra = (ast.literal_eval(argument) for argument in call.args[1:])
        assert package in extras.EXTRAS[extra], f"{path}:{call.lineno}"


def test_the_error_names_the_command():
    error = extras.missing_extra("bfloat16", "ml_dtypes", "io")
    assert "bfloat16 needs the package 'ml_dtypes'" in str(error)
    assert str(error).endswith("run  pip install 'minigrad-numpy[io]'")


@pytest.mark.parametrize(
    "version, old",
    [("2.0.0", True), ("2.1.2", True), ("2.1.3", False), ("2.2.0rc1", False), ("3.0.0", False)],
)
def test_a_numpy_that_is_too_old_for_bfloat16_is_named(version, old, monkeypatch, recwarn):
    monkeypatch.setattr(extras.np, "__version__", version)
    warnings.simplefilter("always")
    extras.warn_of_old_numpy("bfloat16", "io")
    assert [f"NumPy {version} promotes it so" in str(each.message) for each in recwarn] == [True] * old


def copy_of_the_package(tmp_path, installed_over):
    """A copy of what answers, as it is where the other project has been installed over it, or under it."""
    copy = tmp_path / "minigrad"
    copy.mkdir()
    for folder in ("engine", "_base") if installed_over else ():
        shutil.copytree(PACKAGE / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "__init__.py").write_text("from minigrad.engine import Value\n")
    (copy / "engine.py").write_text("class Value: ...\n")  # an extension module in truth
    return copy


@pytest.mark.parametrize("installed_over", [True, False])
def test_the_other_project_over_this_one_is_named(tmp_path, installed_over):
    copy_of_the_package(tmp_path, installed_over)
    run = subprocess.run(
        [sys.executable, "-c", "import minigrad; print(minigrad.Value)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (run.returncode != 0) == installed_over, run.stderr
    if installed_over:
        assert (
            extras.REPAIR in run.stderr and "another project, 'minigrad' on the package index" in run.stderr
        )


def test_names_of_the_other_project_are_refused_by_its_name():
    with pytest.raises(ImportError, match="another project, 'minigrad' on the package index"):
        from minigrad.engine import Value  # noqa: F401
    assert not hasattr(minigrad.engine, "Tensor")
