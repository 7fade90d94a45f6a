"""The table of operators, by subject: each module here has rows, and says which operators have none and why.

``ROWS`` earn all checks of ``test_table.py``; ``RANDOM`` ones draw numbers, and have tests of their own.  ``MARKS`` are what the rows of a subject
need of pytest, ``EXCLUSIONS`` the operators without a row, each with what is checked instead.
"""

import importlib
import pkgutil

import pytest

SUBJECTS = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
#: Every row, and the subject that it is from.
ROWS = [(row, subject) for subject in SUBJECTS for row in subject.ROWS]
EXCLUSIONS = {name: why for subject in SUBJECTS for name, why in getattr(subject, "EXCLUSIONS", {}).items()}


def every(wanted=lambda row: True):
    """Parametrise a test by the rows that ``wanted`` holds for."""
    return pytest.mark.parametrize(
        "row",
        [pytest.param(row, id=str(row), marks=getattr(s, "MARKS", ())) for row, s in ROWS if wanted(row)],
    )
