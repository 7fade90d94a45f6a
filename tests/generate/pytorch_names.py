"""Writes PyTorch's public names, and the page that shows which of them minigrad has.

python -m tests.generate.pytorch_names

The names (``minigrad/_base/pytorch_names.txt``) are taken from PyTorch if it is installed, and stay as they are without it. The page
(``docs/names.md``) is made of them and of minigrad: run this when names have been added.
"""

import ast
import importlib
import importlib.util
import os
import re
import types
import warnings
from pathlib import Path

from minigrad._base.missing import MissingAttribute, is_class

ROOT = Path(__file__).parents[2]
NAMES = ROOT / "minigrad/_base/pytorch_names.txt"
PAGE = ROOT / "docs/names.md"
#: Classes whose attributes are names as well.
CLASSES = ("Tensor",)
#: Folders of PyTorch's that hold no modules for users.
NO_MODULES = {"bin", "include", "lib", "share", "test"}

INTRODUCTION = """\
# PyTorch's names in minigrad

PyTorch {version} has {total:,} public names in {modules} modules. minigrad has {there:,} of them: {share} of all names, and {core} of those that \
are not in the modules for distributed programs, compilation, export, quantization, or devices other than the CPU.

A name is missing because its subject is not supported (the table says which), because it is internal to PyTorch, or because it is not implemented yet. \
Names with a listed difference are those that begin an entry of [differences.md](differences.md).

Using a missing name raises an error that says so: AttributeError, ImportError or ModuleNotFoundError, so `hasattr` and `try: import` work \
as usual. A name that exists may still refuse some arguments, devices or layouts, with an error: [differences.md](differences.md). \
[The coverage of operators](coverage/operators.md) shows what each operator supports.
"""
ABSENT = MissingAttribute(type, "")
#: Parts of PyTorch that are not about tensors on the CPU.
ELSEWHERE = (
    "accelerator", "ao", "compiler", "contrib", "cuda", "distributed", "export", "fx", "jit", "monitor", "mps", "mtia", "nativert", "numa", "onnx", "package", "quantization", "sparse", "xpu",
)  # fmt: skip


#: Why most of what is missing of a part is missing.
REASONS = {
    **dict.fromkeys(["cuda", "mps", "mtia", "xpu", "accelerator"], "devices other than the CPU"),
    **dict.fromkeys(["ao", "quantization"], "quantization is not supported"),
    **dict.fromkeys(
        ["compiler", "nativert", "jit"], "there is no compiler: functions run as Python or are replayed"
    ),
    **dict.fromkeys(["contrib", "monitor", "numa", "package"], "not about tensors on the CPU"),
    "backends": "libraries that minigrad does not call",
    "distributed": "communication is MPI's; RPC, pipelines and sharded tensors are not implemented",
    "export": "exported programs keep less than PyTorch's",
    "fx": "symbolic sizes and compiler passes are not implemented",
    "nested": "nested tensors are not supported",
    "onnx": "the exporter is built differently",
}
#: Where a name without a module is meant to be, the first that has it.
PLACES = ("torch", "torch.Tensor", "torch.nn.functional", "torch.nn", "torch.autograd", "torch.optim")
#: The entries of ``differences.md`` name at their beginning, in bold, what differs.
DIFFERENCES = ROOT / "docs/differences.md"


def differing():
    """The names that begin an entry of the page of differences."""
    entries = re.findall(r"^- \*\*(.+?)\*\*", DIFFERENCES.read_text(encoding="utf-8"), re.MULTILINE)
    return {name for entry in entries for name in re.findall(r"`([A-Za-z_][\w.]*)", entry)}


def _is_one_of(names, home, name):
    """Whether a name of a module is one of these names, and means the same there as in the first of the usual places that have it."""
    if name not in names:
        return False
    usual = (place for place in map(ours, PLACES) if has(place, name))
    return getattr(next(usual, home), name) is getattr(home, name)


def modules():
    """The dotted names of PyTorch's modules that have no underscore in their path, without importing any."""
    (place,) = importlib.util.find_spec("torch").submodule_search_locations
    for folder, folders, files in os.walk(place):
        path = os.path.relpath(folder, place).split(os.sep) if folder != place else []
        folders[:] = sorted(name for name in folders if name[0] != "_" and name not in NO_MODULES)
        if not any(name.endswith(".py") for name in files):
            continue
        yield ".".join(["torch", *path])
        for name in sorted(files):
            if name.endswith(".py") and name[0] != "_":
                yield ".".join(["torch", *path, name[:-3]])


def public(name, module):
    """The names that a module has for users: its ``__all__``, and what else is its own."""
    own = {
        each
        for each in getattr(module, "__all__", ())
        if isinstance(each, str) and (each != "Tensor" or name == "torch")
    }
    if not own or name == "torch":
        for each, value in vars(module).items():
            home = getattr(value, "__module__", None)
            if name == "torch" and home is None and not isinstance(value, (types.ModuleType, bool)):
                home = "torch"
            if isinstance(home, str) and (f"{home}.".startswith((f"{name}.", "torch._"))):
                own.add(each)
    return sorted(each for each in own if each[0] != "_")


def written(name):
    """As ``public``, of a module that cannot be imported: what its text defines, and what it imports from its own package."""
    (place,) = importlib.util.find_spec("torch").submodule_search_locations
    path = Path(place, *name.split(".")[1:])
    tree = ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text())
    own = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            own.add(node.name)
        elif isinstance(node, ast.ImportFrom) and node.level:
            own.update(alias.asname or alias.name for alias in node.names)
    return sorted(each for each in own if each[0] != "_")


def names():
    """The text of the file of names: a line for each module, and for each of ``CLASSES``."""
    torch = importlib.import_module("torch")

    lines = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in modules():
            try:
                module = importlib.import_module(name)
                found = public(name, module)
            except ImportError:  # it needs a package that is not here
                found = written(name)
            lines.append(f"{name}: {' '.join(found)}".rstrip(": "))
    for path in CLASSES:
        cls = torch
        for part in path.split("."):
            cls = getattr(cls, part)
        lines.append(f"torch.{path}: {' '.join(each for each in sorted(dir(cls)) if each[0] != '_')}")
    return f"# {torch.__version__.partition('+')[0]}\n" + "\n".join(sorted(lines, key=_place)) + "\n"


def _place(line):
    return line.partition(":")[0].split(".")


def read():
    """(PyTorch's version, {module or class: its names}) from the file."""
    first, *lines = NAMES.read_text(encoding="utf-8").splitlines()
    parts = (line.partition(":") for line in lines)
    return first.removeprefix("# "), {name: listed.split() for name, _, listed in parts}


def ours(path):
    """minigrad's module or class of that name, or None."""
    name = "minigrad" + path.removeprefix("torch")
    if not is_class(path):
        return importlib.import_module(name) if _exists(name) else None
    home, _, cls = name.rpartition(".")
    return getattr(importlib.import_module(home), cls)


def _exists(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # of a package above it
        return False


def has(home, name):
    """Whether a module or class of minigrad's has a name."""
    return not isinstance(getattr(home, name, ABSENT), MissingAttribute)


def page():
    """The text of the page."""
    version, listed = read()
    different = differing()
    rows, counts = [], {"there": 0, "total": 0, "core": 0, "core there": 0}
    for path, all_names in listed.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            home = ours(path)
            there = [name for name in all_names if home is not None and has(home, name)]
        missing = [name for name in all_names if name not in there]
        counts["there"] += len(there)
        counts["total"] += len(all_names)
        if path.split(".")[1:2] not in [[part] for part in ELSEWHERE]:
            counts["core"] += len(all_names)
            counts["core there"] += len(there)
        if home is None:
            state = "no"
        else:
            state = "yes" if not missing else "in part"
        short = path.removeprefix("torch").removeprefix(".")
        changed = [
            name for name in there if f"{short}.{name}" in different or _is_one_of(different, home, name)
        ]
        plain = [name for name in there if name not in changed]
        reason = REASONS.get(short.partition(".")[0], "") if missing else ""
        cells = [" ".join(f"`{name}`" for name in group) for group in (missing, changed, plain)]
        rows.append(f"| `{path}` | {state} | {' | '.join([cells[0], reason, *cells[1:]])} |")
    heading = INTRODUCTION.format(
        version=version,
        total=counts["total"],
        modules=len(listed),
        there=counts["there"],
        share=f"{counts['there'] / counts['total']:.0%}",
        core=f"{counts['core there'] / counts['core']:.0%}",
    )
    return "\n".join(["<!-- Written by `python -m tests.generate.pytorch_names`: do not edit. -->\n\n" + heading, "| module or class | available | missing names | why | available, with a listed difference | available |", "|---|---|---|---|---|---|", *rows, ""])  # fmt: skip


def main():
    """Write both files."""
    if importlib.util.find_spec("torch") is not None:
        NAMES.write_text(names(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
