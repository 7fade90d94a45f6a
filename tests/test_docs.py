"""What the documents name is there, and what they show runs or stands in the source."""

import doctest
import re
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *sorted((ROOT / "docs").glob("**/*.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
]
SOURCES = "\n".join(path.read_text() for path in sorted((ROOT / "minigrad").rglob("*.py")))
#: Folders in which a document may name a file without saying so: its own, and those of the package.
PLACES = ["", "minigrad", "minigrad/_core", "minigrad/_ops"]
#: Written by runs, or another program's.
ELSEWHERE = {"out/digits.png", "script.py", "now.json"}

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


def blocks(document, language):
    """The code blocks of a language in a document."""
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", document.read_text(), re.MULTILINE | re.DOTALL)


def test_documents_are_found():
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "design.md", "differences.md"} <= {
        path.name for path in DOCUMENTS
    }


@every_document
def test_links_lead_somewhere(document):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text())
    missing = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert not missing


@every_document
def test_files_that_are_named_exist(document):
    text = re.sub(r"^ *```.*?^ *```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    named = re.findall(r"`((?:[\w.]+/)*(?:[\w.]+\.(?:py|md|toml|json|png)|[\w.]+/))`", text)
    places = [document.parent, *(ROOT / place for place in PLACES)]
    missing = [
        name
        for name in named
        if name not in ELSEWHERE and not any((place / name).exists() for place in places)
    ]
    assert not missing


@every_document
def test_operators_that_are_shown_stand_in_the_source(document):
    shown = [
        code
        for code in map(textwrap.dedent, blocks(document, "python"))
        if re.match(r"class \w+Backward", code)
    ]
    statements = [statement for code in shown for statement in re.split(r"\n(?=\S)", code.strip())]
    assert [statement for statement in statements if f"\n{statement}\n" not in SOURCES] == []


def test_the_example_of_the_readme_runs(capsys):
    (code,) = [code for code in blocks(ROOT / "README.md", "python") if "import minigrad" in code]
    exec(code, {})
    printed = capsys.readouterr().out
    loss = float(re.fullmatch(r"tensor\((.*), grad_fn=<MseLossBackward0>\)\n", printed)[1])
    assert loss < 0.02


def sessions(document):
    """What a document shows of the interpreter, as one session."""
    return "\n".join(blocks(document, "pycon"))


@pytest.mark.filterwarnings("ignore:.*API of 2017", "ignore:Anomaly Detection", "ignore:Error detected")
@pytest.mark.parametrize(
    "document", [document for document in DOCUMENTS if sessions(document)], ids=lambda path: path.name
)
def test_sessions_that_are_shown_run(document):
    session = doctest.DocTestParser().get_doctest(sessions(document), {}, document.name, document.name, 0)
    report = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(session, out=report.append)
    assert session.examples and not runner.failures, "".join(report)


def test_the_readme_has_two_commands_that_do_all_the_set_up():
    commands = blocks(ROOT / "README.md", "console")[:2]
    assert [command.count("\n") for command in commands] == [1, 1]
    assert all(command.startswith("python3 -m venv .venv && ") for command in commands)
    assert "examples/digits.py" in commands[0] and "pytest" in commands[1]
