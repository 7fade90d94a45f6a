"""The page that says what works of each operator says what works of each operator."""

import importlib.util
import random

import pytest

from tests.generate import coverage
from tests.operators import table

COMPARED_WITH_SCIPY = {str(row) for row, subject in table.ROWS if "scipy" in vars(subject)}
SUBJECTS = coverage.operators()
LINES = coverage.PAGE.read_text(encoding="utf-8").splitlines()
SHOWN = coverage.shown()


def can_run(rows):
    """Whether the packages that the rows need are installed."""
    needs = {getattr(row, "needs", "") for row in rows} - {""} | {
        "scipy" for row in rows if str(row) in COMPARED_WITH_SCIPY
    }
    return all(importlib.util.find_spec(package) for package in needs)


def differing(operators):
    """The lines that are not as the page has them, each with what is on the page."""
    pairs = ((coverage.line(rows), SHOWN[coverage.names(rows)]) for rows in operators if can_run(rows))
    return [(found, shown) for found, shown in pairs if found != shown]


def test_every_operator_has_its_line():
    wanted = [coverage.names(rows) for found in SUBJECTS.values() for rows in found.values()]
    assert list(SHOWN) == wanted
    assert sum(len(found) for found in SUBJECTS.values()) == len(wanted) > 600


def test_every_line_has_a_mark_in_each_column():
    for line in SHOWN.values():
        marks = [mark.strip() for mark in line[2:-1].split(" | ")[1:]]
        assert len(marks) == 12 and set(marks) <= set(coverage.MARKS.values()), line
        assert marks[0], line


def test_every_other_function_is_listed():
    assert ", ".join(f"`{name}`" for name in coverage.others()) in LINES


def test_some_lines_are_what_is_found():
    pytest.importorskip("ml_dtypes")
    every = [rows for found in SUBJECTS.values() for rows in found.values()]
    drawn = random.Random("\n".join(LINES)).sample(every, 5)  # others whenever the page changes
    assert differing(drawn) == []


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS)
def test_all_lines_are_what_is_found(subject):
    pytest.importorskip("ml_dtypes")
    assert differing(SUBJECTS[subject].values()) == []
