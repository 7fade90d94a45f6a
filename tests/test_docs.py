"""What the documents name is there, and what they show runs or stands in the source."""

import ast
import doctest
import importlib.util
import operator
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import minigrad

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *sorted((ROOT / "docs").glob("**/*.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
]
SOURCES = "\n".join(path.read_text() for path in sorted((ROOT / "minigrad").rglob("*.py")))
WITHOUT_EXAMPLES = re.sub(r'\n\n +>>> import minigrad\n(?: +\S.*\n)+? +"""', '"""', SOURCES)
#: Folders in which a document may name a file without saying so: its own, and those of the package.
PLACES = ["", "minigrad", "minigrad/_core", "minigrad/_ops"]
#: Written by runs, or another program's.
ELSEWHERE = {"out/digits.png", "script.py", "now.json"}
#: Whose sessions are about operators that are not there: tests/test_guide.py adds them, in a copy.
GUIDE = "adding_an_operator.md"
#: The pages that build one program together, and what knows how to read them: ``docs/tour/start.py``.
TOUR = ROOT / "docs" / "tour"
DOCS = ROOT / "docs"
#: Whose programs are run by tests/test_guide.py and tests/autograd/test_answers.py.
RUN_ELSEWHERE = {GUIDE, "answers.md"}
#: Page -> the package that it needs, and what makes the files that it takes for granted.
NEEDED = {
    "onnx.md": (
        "onnx",
        """
from onnx import TensorProto, helper, numpy_helper, save
import numpy as np
node = helper.make_node("Conv", ["input.1", "weight"], ["y"], kernel_shape=[16, 16], strides=[16, 16])
given, result = (helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("input.1", "y"))
weight = numpy_helper.from_array(np.ones((1, 3, 16, 16), np.float32), "weight")
save(helper.make_model(helper.make_graph([node], "g", [given], [result], [weight]), opset_imports=[helper.make_opsetid("", 18)], ir_version=8), "model.onnx")
""",
    )
}

#: For programs of several processes: the only one.
ALONE = {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "localhost", "MASTER_PORT": "29500"}

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


def blocks(document, language):
    """The code blocks of a language in a document."""
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", document.read_text(), re.MULTILINE | re.DOTALL)


def prose(document):
    """A document without its code blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)


def test_documents_are_found():
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "design.md", "differences.md"} <= {
        path.name for path in DOCUMENTS
    }


@every_document
def test_links_lead_somewhere(document):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose(document))
    missing = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert not missing


@every_document
def test_files_that_are_named_exist(document):
    named = re.findall(r"`((?:[\w.]+/)*(?:[\w.]+\.(?:py|md|toml|json|png)|[\w.]+/))`", prose(document))
    places = [document.parent, *(ROOT / place for place in PLACES)]
    missing = [
        name
        for name in named
        if name not in ELSEWHERE and not any((place / name).exists() for place in places)
    ]
    assert not missing


@every_document
def test_operators_that_are_shown_stand_in_the_source(document):
    """But for the examples in docstrings, which they may leave out."""
    shown = [
        code
        for code in map(textwrap.dedent, blocks(document, "python"))
        if re.match(r"class \w+Backward", code)
    ]
    statements = [statement for code in shown for statement in re.split(r"\n(?=\S)", code.strip())]
    assert [
        statement for statement in statements if f"\n{statement}\n" not in SOURCES + WITHOUT_EXAMPLES
    ] == []


def test_the_example_of_the_readme_runs(capsys):
    (code,) = [code for code in blocks(ROOT / "README.md", "python") if "import minigrad" in code]
    exec(code, {})
    printed = capsys.readouterr().out
    loss = float(re.fullmatch(r"tensor\((.*), grad_fn=<MseLossBackward0>\)\n", printed)[1])
    assert loss < 0.02


def shown(document):
    """What a document shows of Python, from top to bottom: (language, number of the line before the code, code)."""
    text = document.read_text(encoding="utf-8")
    found = re.finditer(r"^ *```(python|pycon)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [(block[1], text.count("\n", 0, block.start(2)), block[2]) for block in found]


def runs_here(document, code):
    """Whether a block of Python is a program or part of one: not an operator of minigrad's, and not run by another test."""
    if DOCS not in document.parents or document.name in RUN_ELSEWHERE:
        return False
    return not re.match(r"class \w+Backward|# recipe: ", code)


@pytest.mark.filterwarnings(
    "ignore:.*API of 2017",
    "ignore:Anomaly Detection",
    "ignore:Error detected",
    "ignore:.export_memory_timeline. is deprecated",
)
@pytest.mark.parametrize(
    "document",
    [
        document
        for document in DOCUMENTS
        if document.parent != TOUR
        and document.name != GUIDE
        and any(language == "pycon" or runs_here(document, code) for language, _, code in shown(document))
    ],
    ids=lambda path: path.name,
)
def test_code_that_is_shown_runs(document, tmp_path, monkeypatch):
    """Each document is one program; files that it shows, and what imports torch, are programs of their own."""
    monkeypatch.chdir(tmp_path)
    if document.name in NEEDED:
        package, preparation = NEEDED[document.name]
        pytest.importorskip(package)
        exec(preparation, {})
    names = {"__name__": "__main__"}
    report = []
    runner = doctest.DocTestRunner(verbose=False)
    for language, line, code in shown(document):
        if language == "pycon":
            session = doctest.DocTestParser().get_doctest(code, {}, document.name, str(document), line)
            session.globs = names
            runner.run(session, out=report.append, clear_globs=False)
        elif not runs_here(document, code):
            continue
        elif re.match(r"# \w+\.py\n|import torch\n", code):
            Path("program.py").write_text(code)
            environment = {**os.environ, "PYTHONPATH": str(ROOT), **ALONE}
            command = [sys.executable, "-m", "minigrad", "program.py"]
            subprocess.run(command, check=True, capture_output=True, env=environment)
        else:
            exec(compile("\n" * line + code, document, "exec"), names)
    assert not runner.failures, "".join(report)


@every_document
def test_what_does_not_run_is_marked_as_such(document):
    """It is for a shell, or is text: pages of the site show both in another way than code that runs."""
    languages = set(re.findall(r"^ *```([^\s{]+)$", document.read_text(encoding="utf-8"), re.MULTILINE))
    assert languages <= {"python", "pycon", "console", "sh", "powershell", "text", "mermaid"}
    opened = len(re.findall(r"^ *```\S+", document.read_text(encoding="utf-8"), re.MULTILINE))
    assert opened == len(re.findall(r"^ *```$", document.read_text(encoding="utf-8"), re.MULTILINE))


def files(document):
    """The files, or lines of files, that a document shows: {the comment in their first line: what follows}."""
    shown = [
        re.fullmatch(r"# (\S+\.py.*|recipe: .*)\n((?:.*\n)*)", code) for code in blocks(document, "python")
    ]
    return {found[1]: found[2] for found in shown if found}


def test_the_recipe_for_scipy_finds_the_minimum():
    optimize = pytest.importorskip("scipy.optimize")
    recipe = files(ROOT / "docs" / "howto" / "transforms.md")["recipe: scipy.optimize.minimize"]
    names = {"__name__": "recipe"}
    exec(recipe, names)
    found = optimize.minimize(names["with_gradient"](names["rosenbrock"]), [-1.2, 1.0, -0.5, 0.8], jac=True)
    assert found.success and abs(found.x - 1).max() < 1e-4
    assert found.nfev < 150  # with slopes by differences it would be five times as many


def test_the_recipe_for_scipy_runs_as_a_program(capsys):
    pytest.importorskip("scipy.optimize")
    recipe = files(ROOT / "docs" / "howto" / "transforms.md")["recipe: scipy.optimize.minimize"]
    exec(recipe, {"__name__": "__main__"})
    assert capsys.readouterr().out.count("success: True") == 2


def names_that_need_scipy():
    """What the document on operators says, as names in the package."""
    text = (ROOT / "docs" / "operators.md").read_text()
    entry = re.search(r"^- SciPy, `.*?`: (.*?)^- ", text, re.MULTILINE | re.DOTALL)[1]
    return set(re.findall(r"`([\w.]+)`", entry))


def test_the_functions_that_need_scipy_are_those_that_are_listed(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    x = minigrad.ones(2)
    candidates = {f"special.{name}" for name in minigrad.special.__all__} | {"igamma", "igammac"}
    need = set()
    for name in candidates:
        function = operator.attrgetter(name)(minigrad)
        for operands in ((x,), (x, x), (x, 2), (2, x)):
            try:
                function(*operands)
            except ImportError as error:
                assert "minigrad-numpy[special]" in str(error)
                need.add(name)
            except (TypeError, RuntimeError, ValueError, IndexError):
                continue  # another number of operands, or of another kind
    assert need == names_that_need_scipy()


def test_the_readme_has_two_commands_that_do_all_the_set_up():
    commands = blocks(ROOT / "README.md", "console")[:2]
    assert [command.count("\n") for command in commands] == [1, 1]
    assert all(command.startswith("python3 -m venv .venv && ") for command in commands)
    assert "examples/digits.py" in commands[0] and "pytest" in commands[1]


# The tour --------------------------------------------------------------------------------------------------------------


def reader_of_the_tour():
    """``docs/tour/start.py`` as a module."""
    spec = importlib.util.spec_from_file_location("start", TOUR / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


start = reader_of_the_tour()
every_page = pytest.mark.parametrize("page", start.PAGES, ids=lambda path: path.stem)


def names_before(page):
    """What the pages before a page define."""
    names = {"__name__": "__main__"}
    for earlier in start.PAGES[: start.PAGES.index(page)]:
        for line, code in start.program(earlier):
            start.define(earlier, line, code, names)
    return names


@every_page
def test_pages_of_the_tour_run_from_top_to_bottom(page):
    names = names_before(page)
    report = []
    runner = doctest.DocTestRunner(verbose=False)
    for language, line, code in start.blocks(page):
        if language == "python":
            start.define(page, line, code, names)
        else:
            session = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), line)
            session.globs = names
            assert session.examples
            runner.run(session, out=report.append, clear_globs=False)
    assert runner.tries and not runner.failures, "".join(report)


@every_page
def test_pages_of_the_tour_are_short_and_end_at_files_and_an_exercise(page):
    lines = page.read_text().splitlines()
    assert 80 <= len(lines) <= 180 and max(map(len, lines)) <= 100
    order = ["## In minigrad", "## Exercise", "<details>", "<summary>Solution</summary>", "</details>"]
    places = [lines.index(line) for line in order]
    assert places == sorted(places)
    _, _, opens, _, closes = places
    assert any(opens < line < closes for _, line, _ in start.blocks(page))
    assert "pycon" in {language for language, line, _ in start.blocks(page) if line < start.exercise(page)}


def defined_in(path):
    """The names of a module's functions, classes and constants, and of what its classes define."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            targets = (name for target in node.targets for name in ast.walk(target))
            names.update(name.id for name in targets if isinstance(name, ast.Name))
    return names


@every_page
def test_files_and_functions_that_the_tour_names_exist(page):
    shown = re.findall(r"\[`([\w/]+\.py): ([\w, ]+)`\]\(([^)]+)\)", page.read_text())
    assert len(shown) >= 3
    for name, functions, link in shown:
        path = page.parent / link
        assert link.endswith("/" + name) and path.exists(), link
        assert set(functions.split(", ")) <= defined_in(path), (link, functions)


def test_the_tour_has_eleven_pages_that_lead_to_each_other():
    names = [page.name for page in start.PAGES]
    assert len(names) == 11
    for page, following in zip(start.PAGES, [*names[1:], "README.md"]):
        assert f"]({following})" in page.read_text().splitlines()[-1 if following != "README.md" else -2]
    listed = re.findall(
        r"^\| \[\d+\. .*?\]\((\d\d_\w+\.md)\)", (TOUR / "README.md").read_text(), re.MULTILINE
    )
    assert listed == names


def test_the_tape_has_fifty_lines():
    ((_, code),) = start.program(start.PAGES[0])
    assert len(code.splitlines()) <= 50


def test_the_library_of_the_tour_has_fewer_than_450_lines():
    last = {}
    for page in start.PAGES[1:]:
        for _, code in start.program(page):
            for statement in ast.parse(code).body:
                name = getattr(statement, "name", statement)
                last[name] = ast.get_source_segment(code, statement).count("\n") + 1
    assert 300 < sum(last.values()) < 450


def test_the_tour_can_be_entered_at_any_page():
    command = [sys.executable, "-i", TOUR / "start.py", "4"]
    session = subprocess.run(
        command, input="x = leaf(2.0); backward(x * x); print(x.grad)", capture_output=True, text=True
    )
    assert session.stdout == "4.0\n"
    program = subprocess.run(
        [sys.executable, TOUR / "start.py", "12", "--print"], capture_output=True, text=True, check=True
    ).stdout
    names = {}
    exec(program, names)
    x = names["Tensor"]([1.0, 2.0])
    assert names["vmap"](names["gradient"](lambda x: x * x), (0,))(x).array.tolist() == [2.0, 4.0]
