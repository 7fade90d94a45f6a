"""The tables of names: in which module of operators each function is, and each method of Tensor.

A module says it itself, at its head: ``__all__`` lists its public functions, and ``METHODS`` what Tensor has of it: "exp exp_ __neg__=neg",
where ``name=other`` is what the module calls ``other``.  Both are read, not imported: the tables are what lets a module be imported late.
"""

import ast
import textwrap
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "minigrad"
TABLE = "_ops/names.py"

HEAD = '''"""In which module each operator is: its functions, and what Tensor has of it, as ``_base/lazy.py`` describes such tables."""
'''


def declared(path):
    """What a module says of its names: its functions, and its methods."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for name in ("__all__", "METHODS"):
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                try:
                    found[name] = ast.literal_eval(node.value)
                except ValueError:
                    raise SystemExit(f"{path.name}: {name} has to be written out") from None
    return found.get("__all__", []), found.get("METHODS", "").split()


def tables(folder=PACKAGE / "_ops"):
    """Module -> names, of functions and of methods; SystemExit where two modules claim a name."""
    functions, methods = {}, {}
    for path in sorted(set(folder.glob("*.py")) - {PACKAGE / TABLE}):
        for table, names in zip((functions, methods), declared(path)):
            for name in (each.partition("=")[0] for each in names):
                for other, others in table.items():
                    if name in [each.partition("=")[0] for each in others]:
                        raise SystemExit(f"{name} is both in {other} and in _ops.{path.stem}")
            if names:
                table[f"_ops.{path.stem}"] = names
    return functions, methods


def written(title, table):
    """A table as the source of a dict."""
    yield f"\n{title} = {{\n"
    for module, names in table.items():
        lines = textwrap.wrap(" ".join(names), 110, break_long_words=False, break_on_hyphens=False)
        if len(lines) == 1 and len(lines[0]) + len(module) < 100:
            yield f'    "{module}": "{lines[0]}",\n'
        else:
            yield f'    "{module}": (\n'
            for line in lines[:-1]:
                yield f'        "{line} "\n'
            yield f'        "{lines[-1]}"\n    ),\n'
    yield "}\n"


def files():
    """The one file, below the package, with its text."""
    functions, methods = tables()
    yield TABLE, "".join([HEAD, *written("FUNCTIONS", functions), *written("METHODS", methods)])
