"""What a release consists of says the same in all of its files."""

import re
from pathlib import Path

import minigrad

ROOT = Path(__file__).parent.parent
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_version_has_one_place():
    assert 'dynamic = ["version"]' in PYPROJECT and 'path = "minigrad/version.py"' in PYPROJECT
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[
        1
    ]
    assert cited == minigrad.__version__ == minigrad.version.minigrad


def test_the_changelog_has_the_usual_form():
    titles = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert titles[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", title) for title in titles[1:])
    kinds = set(re.findall(r"^### (.*)$", CHANGELOG, re.MULTILINE))
    assert kinds and kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_sdist_has_every_document():
    included = re.search(r"\[tool\.hatch\.build\.targets\.sdist\]\ninclude = \[(.*)\]", PYPROJECT)[1]
    documents = {path.name for path in (*ROOT.glob("*.md"), *ROOT.glob("*.cff"), ROOT / "LICENSE")}
    assert documents <= set(re.findall(r'"(.*?)"', included))


def test_the_licences_are_named():
    listed = re.search(r"^license-files = \[(.*)\]", PYPROJECT, re.MULTILINE)[1]
    files = re.findall(r'"(.*?)"', listed)
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "minigrad").rglob("*LICENSE*")}
    assert {"LICENSE", *found} == set(files) and all((ROOT / file).is_file() for file in files)


def test_the_pythons_of_the_metadata_are_those_that_are_tested():
    classified = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', PYPROJECT)
    lowest = re.search(r'^requires-python = ">=(.*)"', PYPROJECT, re.MULTILINE)[1]
    assert classified[0] == lowest
    workflow = ROOT / ".github" / "workflows" / "ci.yml"
    if workflow.is_file():  # not in an sdist
        tested = re.search(r"^        python: \[(.*)\]$", workflow.read_text(encoding="utf-8"), re.MULTILINE)[
            1
        ]
        assert {classified[0], classified[-1]} <= set(re.findall(r'"(.*?)"', tested)) <= set(classified)
