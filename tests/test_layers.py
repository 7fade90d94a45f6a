"""Imports point downwards: a module imports only from lower floors, or from its own if no circle closes.

Imports in functions count, and so do strings that name modules, as the tables of ``_base/lazy.py`` do: what is imported when it is first used is imported all the same.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "minigrad"

PUBLIC = ""  # the floor of everything that no other floor names
#: The floors, from the bottom up: a package or a module below ``minigrad`` stands on one of them with all that is in it.
BUILDING = [
    "_alias _base return_types version torch_version",
    "_arrays",
    "_display",
    "_core",
    "_ops",
    "_meta _sparse _tensor _transforms _utils autograd func",
    "_api",
    PUBLIC,
    "__main__",
]
FLOORS = {name: number for number, names in enumerate(BUILDING) for name in names.split()}
TOP = len(BUILDING) - 1  # where ``minigrad`` itself stands
#: The vocabulary and the tables of names gather the operators: a storey above them in the same package.
GATHERING = {"_ops.vocabulary", "_ops.names"}


def module_name(path):
    """The dotted name of a file below the package: ``_core.tensor``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def floor(name):
    """The floor on which a module stands."""
    package = name.partition(".")[0]
    return FLOORS.get(package, BUILDING.index(PUBLIC)) + (name in GATHERING) / 2 if name else TOP


def exists(name):
    path = ROOT.joinpath(*name.split(".")) if name else ROOT
    return path.is_dir() or path.with_suffix(".py").is_file()


def imports(path):
    """The modules of the package that a file imports, wherever in it the import stands."""
    here = module_name(path).split(".") if module_name(path) else []
    package = here if path.name == "__init__.py" else here[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
            elif node.module and node.module.split(".")[0] == "minigrad":
                base = []
            else:
                continue
            module = (node.module or "").removeprefix("minigrad").lstrip(".")
            base = ".".join([*base, *filter(None, module.split("."))])
            for alias in node.names:
                inner = f"{base}.{alias.name}".lstrip(".")
                yield node.lineno, inner if exists(inner) and alias.name != "*" else base
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "minigrad":
                    yield node.lineno, alias.name.removeprefix("minigrad").lstrip(".")


#: Functions that import what a string names: of the standard library, and of ``_base/lazy.py``.
IMPORTING = {"__import__", "import_module", "bind", "fetch", "load", "places"}


def named_in_strings(path):
    """The modules of the package that the strings of a file name: dotted paths anywhere, single names where something is imported by them, or in a table."""
    own = module_name(path).split(".") if module_name(path) else []
    package = own if path.name == "__init__.py" else own[:-1]
    tree = ast.parse(path.read_text())
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}

    def module(text, alone):
        level = len(text) - len(text.lstrip("."))
        name = text[level:].removeprefix("minigrad.")
        if not re.fullmatch(r"\w+(\.\w+)*", name) or not (alone or "." in name):
            return None
        if level:
            name = ".".join([*package[: len(package) - level + 1], name])
        return name if exists(name) else None

    def importing(node):
        """Whether a string is an argument of a function that imports, on its own, in a tuple or as a key of a table."""
        parent = parents[node]
        while isinstance(parent, (ast.Dict, ast.Tuple)):
            if (
                isinstance(parent, ast.Dict)
                and any(node is value for value in parent.values)
                and isinstance(node, ast.Constant)
            ):
                return False  # the names that are taken from the module
            if isinstance(parent, ast.Dict) and any(
                isinstance(key, ast.Constant) and isinstance(key.value, str) and module(key.value, False)
                for key in parent.keys
            ):
                return True
            node, parent = parent, parents[parent]
        if not isinstance(parent, ast.Call):
            return False
        called = parent.func
        return getattr(called, "id", getattr(called, "attr", None)) in IMPORTING

    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            first, *rest = node.values  # f"{_PACKAGE}._core.tensor"
            if isinstance(first, ast.FormattedValue) and rest and isinstance(rest[0], ast.Constant):
                found = (
                    module(rest[0].value.removeprefix("."), True) if rest[0].value.startswith(".") else None
                )
                if found:
                    yield node.lineno, found
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            parent = parents[node]
            public = isinstance(parent, ast.Assign) and [
                getattr(t, "id", getattr(t, "attr", "")) for t in parent.targets
            ] == ["__module__"]
            public |= (
                isinstance(parent, ast.Call)
                and getattr(parent.func, "id", getattr(parent.func, "attr", "")) == "publish"
            )
            if (
                isinstance(parent, (ast.Expr, ast.JoinedStr)) or public
            ):  # a docstring; the path under which pickles find something
                continue
            found = module(node.value, importing(node))
            if found:
                yield node.lineno, found


FILES = sorted(ROOT.rglob("*.py"))


def upwards(path):
    """What a file imports, or names in strings, from floors above its own."""
    own = module_name(path)
    for line, imported in (*imports(path), *named_in_strings(path)):
        inside = own == "" or (own.split(".")[0] == imported.split(".")[0] and own.split(".")[0][0] != "_")
        if floor(imported) > floor(own) and not inside:
            yield f"{path}:{line}: {own} (floor {floor(own)}) imports {imported} (floor {floor(imported)})"


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_point_downwards(path):
    assert not [*upwards(path)]


HIDDEN = {
    "in a function": "def f():\n    from ..nn import functional",
    "in a method": "class A:\n    def f(self):\n        import minigrad.nn.functional",
    "behind a condition": "if False:\n    from minigrad.nn import functional",
    "in a table": 'TABLE = {"_base.lazy": "a b", "nn.functional": "c"}',
    "a package in a table": 'TABLE = {"_base.lazy": "a b", "nn": "c"}',
    "in a call": 'load("nn.functional")',
    "a package in a call": 'lazy.load("nn")',
    "in the table of a call": 'found = lazy.places({"nn": "functional="})',
    "in the place of one name": 'lazy.fetch(name, {name: ("nn", "c")}, globals())',
    "in a format": 'module = f"{_PACKAGE}.nn.functional"',
    "with the name of the package": 'PATHS = ["minigrad.nn.functional"]',
    "relative": 'import_module("..nn", __package__)',
    "by its name alone": 'importlib.import_module("minigrad.nn")',
}


@pytest.mark.parametrize("hidden", HIDDEN)
def test_hidden_imports_are_seen(hidden, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    for name in ("_base/lazy.py", "_core/lower.py", "nn/__init__.py", "nn/functional.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    lower, upper = tmp_path / "_core" / "lower.py", tmp_path / "nn" / "upper.py"
    for path in (lower, upper):
        path.write_text(HIDDEN[hidden])
    assert "imports nn" in "".join(upwards(lower))
    assert not [*upwards(upper)]


@pytest.mark.parametrize(
    "text",
    [
        '"""See nn.functional."""',
        'name = "nn"',
        'NAMES = {"sizes": "nn"}',
        'message = f"in {where}, nn.functional"',
        'class A:\n    __module__ = "minigrad.nn.functional"',
        'publish("minigrad.nn.functional", A)',
        'TABLE = {"_base.lazy": "nn"}',
        'from .._base import lazy\nlazy.load("_base.lazy")',
    ],
)
def test_other_strings_are_no_imports(text, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    for name in ("_base/lazy.py", "nn/functional.py", "_core/lower.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    path = tmp_path / "_core" / "lower.py"
    path.write_text(text)
    assert not [*upwards(path)]


def late_bindings(path):
    """What a module sets, while it is imported, on things that it has imported: triples (line, thing, attribute)."""
    tree = ast.parse(path.read_text())
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    for node in tree.body:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Attribute) and target.attr != "__module__":
                thing = target.value
                while isinstance(thing, ast.Attribute):
                    thing = thing.value
                if isinstance(thing, ast.Name) and thing.id in imported:
                    yield node.lineno, thing.id, target.attr
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and getattr(node.value.func, "id", "") == "setattr"
        ):
            yield node.lineno, "setattr", ""


def test_late_bindings_stand_in_one_place():
    """What a lower floor calls though a higher one supplies it: each slot of ``_core/late.py`` is filled once, by the module that its comment names."""
    filled = {}
    for path in FILES:
        for line, thing, slot in late_bindings(path):
            assert thing == "late", (
                f"{path}:{line} sets an attribute of {thing}: late bindings stand in _core/late.py"
            )
            assert slot not in filled, f"{path}:{line} fills {slot}, as {filled[slot]} does"
            filled[slot] = path.relative_to(ROOT).as_posix()
    text = (ROOT / "_core" / "late.py").read_text()
    slots = {
        slot: comment for comment, slot in re.findall(r"((?:^#:.*\n)+)^(\w+): Any = None", text, re.MULTILINE)
    }
    assert slots.keys() == filled.keys()
    for slot, path in filled.items():
        assert f"``{path.removeprefix('_core/')}``" in slots[slot].replace("\n#: ", " "), (
            f"the comment on {slot} does not name {path}"
        )


def test_no_circles():
    """No module leads back to itself through imports."""
    graph = {module_name(p): {i for _, i in imports(p)} for p in FILES}
    state = {}

    def visit(name, trail):
        if state.get(name) == "done":
            return
        assert state.get(name) != "open", f"circle: {' -> '.join([*trail, name])}"
        state[name] = "open"
        for following in sorted(graph.get(name, ())):
            visit(following, [*trail, name])
        state[name] = "done"

    for name in graph:
        visit(name, [])


def test_nn_and_optim_see_only_the_public_names():
    """What nn and optim need, a user may need: they build on ``_api``, on each other, and on the processes of ``distributed``."""
    seen = []
    for path in FILES:
        own = module_name(path)
        if own.split(".")[0] in ("nn", "optim"):
            seen.append(own)
            for line, imported in imports(path):
                top = imported.split(".")[0]
                assert top in ("_api", "nn", "optim", "utils", "autograd", "distributed", "__future__"), (
                    f"{path}:{line} imports {imported}"
                )
    assert seen


def needed_at_once(path):
    """The modules that a file imports while it is executed itself, in order: not those in functions, not those for type checkers."""

    def statements(body):
        for node in body:
            if isinstance(node, ast.ImportFrom):
                yield node
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                yield from statements(node.orelse)
            elif not isinstance(node, ast.FunctionDef):
                for block in ("body", "orelse", "finalbody", "handlers"):
                    yield from statements(getattr(node, block, ()))

    here = module_name(path).split(".") if module_name(path) else []
    package = here if path.name == "__init__.py" else here[:-1]
    for node in statements(ast.parse(path.read_text()).body):
        if node.level:
            base = ".".join(
                [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            ).strip(".")
            yield base
            yield from (f"{base}.{a.name}" for a in node.names if exists(f"{base}.{a.name}"))


def test_threads_that_import_at_once_do_not_wait_for_each_other():
    """Python holds a module's lock while it imports what the module needs, and, first of all, the packages that the module is in.

    So a package that imports one of its own modules is imported before that module, by all who stand outside: then no circle of locks closes.
    """
    waits = {}
    for path in FILES:
        own = module_name(path)
        waits[own] = [name for name in needed_at_once(path) if not f"{own}.".startswith(f"{name}.")]
    for own, needed in [*waits.items()]:
        for i, name in enumerate(needed):
            inner, package = name, name.rpartition(".")[0]
            while package and not f"{own}.".startswith(f"{package}.") and package not in needed[:i]:
                waits.setdefault(inner, []).append(package)
                inner, package = package, package.rpartition(".")[0]
    assert waits["_core.tensor"]
    done = set()

    def visit(name, trail):
        assert name not in trail, (
            f"each waits for the next: {' -> '.join([*trail[trail.index(name) :], name])}"
        )
        if name not in done:
            for following in waits.get(name, ()):
                visit(following, [*trail, name])
            done.add(name)

    for name in [*waits]:
        visit(name, [])
