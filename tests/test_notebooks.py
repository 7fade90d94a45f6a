"""The notebooks of the documentation run from top to bottom; they are executed as Python, without Jupyter."""

import ast
import itertools
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.md"))
every_notebook = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)


def cells(notebook):
    """The code cells of a notebook, without their tags: (number of the line before the code, code)."""
    text = notebook.read_text(encoding="utf-8")
    found = re.finditer(r"^```\{code-cell\}\n(?::\w+:[^\n]*\n\n?)*(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, cell.start(1)), cell[1]) for cell in found]


def shown(code, names, path):
    """Run a cell, and return the value of its last expression, which the page shows."""
    tree = ast.parse(code)
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, path, "exec"), names)
    return None if last is None else eval(compile(last, path, "eval"), names)


@every_notebook
def test_notebooks_run_from_top_to_bottom(notebook, capsys):
    names = {"__name__": "__main__"}
    for line, code in cells(notebook):
        value = shown("\n" * line + code, names, str(notebook))
        for form in ("__repr__", "_repr_html_"):
            getattr(value, form, str)()


@every_notebook
def test_notebooks_are_short_and_have_exercises_with_answers(notebook):
    text = notebook.read_text(encoding="utf-8")
    assert text.startswith("---\nfile_format: mystnb\n")
    assert len(cells(notebook)) == text.count("```{code-cell}") >= 8
    assert len(text.splitlines()) < 260
    _, exercises = text.split("\n## Exercises\n")
    asked = len(re.findall(r"^\*\*\d\.\*\* ", exercises, re.MULTILINE))
    assert asked == exercises.count("<summary>Answer</summary>") == exercises.count("</details>") == 3


def test_notebooks_lead_to_each_other():
    assert len(NOTEBOOKS) == 5
    for notebook, following in itertools.pairwise(NOTEBOOKS):
        assert f"]({following.name})" in notebook.read_text(encoding="utf-8").splitlines()[-1]
