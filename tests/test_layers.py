"""Imports point downwards: a module imports only from lower floors, or from its own if no circle closes."""

import ast
from pathlib import Path

import pytest

from minigrad import _api
from minigrad._ops import names

ROOT = Path(__file__).parent.parent / "minigrad"

#: The floors, from the bottom up: a package or a module below ``minigrad`` stands on one of them with all that is in it.
BUILDING = [
    "_alias _base return_types version",
    "_arrays",
    "_display",
    "_core",
    "_ops",
    "_transforms autograd func",
    "_api",
    (
        "_C _device_modules _serialization _utils _vmap_internals amp backends cpu cuda fft functional linalg masked nn ops optim "
        "overrides profiler random serialization signal special storage testing types utils viz"
    ),
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
    assert name == "" or package in FLOORS, f"minigrad.{package} has no floor: put it into BUILDING"
    return FLOORS[package] + (name in GATHERING) / 2 if name else TOP


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


FILES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_point_downwards(path):
    own = module_name(path)
    for line, imported in imports(path):
        inside = own == "" or (own.split(".")[0] == imported.split(".")[0] and own.split(".")[0][0] != "_")
        assert floor(imported) <= floor(own) or inside, (
            f"{path}:{line}: {own} (floor {floor(own)}) imports {imported} (floor {floor(imported)})"
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
    """What nn and optim need, a user may need: they build on ``_api``, and on each other."""
    seen = []
    for path in FILES:
        own = module_name(path)
        if own.split(".")[0] in ("nn", "optim"):
            seen.append(own)
            for line, imported in imports(path):
                top = imported.split(".")[0]
                assert top in ("_api", "nn", "optim", "utils", "autograd"), (
                    f"{path}:{line} imports {imported}"
                )
    assert seen


def test_tables_of_late_imports_point_downwards():
    """What is imported when its name is first used stands in tables, not in import statements."""
    tables = {"_ops.names": [names.FUNCTIONS, names.METHODS], "_api": [_api._FUNCTIONS, _api._INTERNAL]}
    for own, each in tables.items():
        for module in {name for table in each for name in table}:
            assert floor(module) < floor(own), (
                f"{own} (floor {floor(own)}) fetches from {module} (floor {floor(module)})"
            )


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
