"""A formula asks its vocabulary, ``xp``, for names: both worlds, arrays and Tensors, have to know them all."""

import ast
from pathlib import Path

import pytest

from minigrad._arrays import vocabulary as arrays
from minigrad._ops import vocabulary

FILES = sorted(Path(vocabulary.__file__).parent.glob("*.py"))


def asked_of_xp(path):
    """The names that the formulas of a file ask of ``xp``, with the line of each."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "xp":
            yield node.attr, node.lineno


@pytest.mark.parametrize("world", [arrays, vocabulary], ids=["arrays", "Tensors"])
def test_every_name_that_a_formula_uses_is_known(world):
    missing = {
        f"{path.name}:{line}: xp.{name}"
        for path in FILES
        for name, line in asked_of_xp(path)
        if not hasattr(world, name)
    }
    assert not missing


def test_formulas_use_the_vocabulary():
    assert len({name for path in FILES for name, _ in asked_of_xp(path)}) > 50


# Identifiers ------------------------------------------------------------------------------------------------------------

PACKAGE = Path(vocabulary.__file__).parents[1]
#: What was called something else than in PyTorch or in the field, with the name that it has now.
RETIRED = {
    "clothed": "rewrap_subclass",
    "described": "describe",
    "generalise": "",
    "heard": "prune_history",
    "here": "thread_state",
    "lent": "padded_dim",
    "listens": "reaches_outside",
    "lowered": "unwrap",
    "noted": "what it is that is noted",
    "noting": "provenance",
    "picked": "gather_at",
    "purposes": "memory_categories",
    "quickly_noted": "",
    "quietly": "",
    "reclaimed": "restore_operand",
    "rescue": "kernel_error",
    "standing": "rewrap",
    "strength": "promotion_rank",
    "stripped": "strip_subclass",
    "twin_of": "",
    "written": "write_by_kernel",
}
#: The same, of functions, classes and globals: as names of variables inside of functions these are ordinary words.
RETIRED_DEFINITIONS = {
    "others": "product_of_others",
    "over": "wrap_layer",
    "own": "own_storage",
    "plain": "fast_classes",
    "recorded": "the verb",
    "slow": "dispatch",
    "switch": "modes",
}
#: PyTorch's own: ``slow`` is the mode of gradcheck.
KEPT = {("autograd/_gradcheck/compare.py", "slow")}
#: Modules that were called otherwise.
RETIRED_FILES = set(
    "amounts calls described histories holders inputs kinds known listing naming noting old_forms packing places purposes reading recorded "
    "results switch writing".split()
)


def identifiers(tree):
    """(name, whether it is one of a definition or a global, line) of whatever the source of a module gives a name to."""
    inside = {id(child) for node in ast.walk(tree) if isinstance(node, FUNCTIONS) for child in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, (*FUNCTIONS[:2], ast.ClassDef)):
            yield node.name, True, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, id(node) not in inside, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, False, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, False, node.lineno
        elif isinstance(node, ast.alias) and node.asname:
            yield node.asname, True, node.lineno


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def test_retired_names_stay_away():
    """The names are PyTorch's or the field's: a reader who knows these needs no second language."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        for name, defined, line in identifiers(ast.parse(path.read_text(encoding="utf-8"))):
            bare = name.strip("_")
            better = RETIRED.get(bare, RETIRED_DEFINITIONS.get(bare) if defined else None)
            if better is not None and (file, bare) not in KEPT:
                found.append(f"{file}:{line}: {name}" + f" (now: {better})" * bool(better))
    assert not found


def test_retired_names_of_files_stay_away():
    assert not [path for path in PACKAGE.rglob("*.py") if path.stem.strip("_") in RETIRED_FILES]
