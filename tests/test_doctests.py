"""Every example in a docstring of the package runs, and gives what it says."""

import doctest
import importlib
import importlib.util
import inspect
import pkgutil
import sys

import pytest

import minigrad

MODULES = ["minigrad"] + sorted(
    found.name
    for found in pkgutil.walk_packages(minigrad.__path__, "minigrad.")
    if not found.name.endswith("__main__")
)


def examples(module):
    """The examples of a module, and of the functions and classes that it defines or has families make.

    They begin with nothing, as a user does, but those of internals, which see the names of their module.
    """
    inside = module.__name__.partition(".")[2].partition(".")[0] in ("_base", "_arrays", "_display", "_core")
    names = vars(module) if inside else {}
    yield from doctest.DocTestFinder(recurse=False).find(module, module.__name__, globs=names)
    for name, value in sorted(vars(module).items()):
        if (inspect.isfunction(value) or inspect.isclass(value)) and value.__module__ == module.__name__:
            inside_of = module if inspect.isclass(value) else False  # no class is looked into twice
            yield from doctest.DocTestFinder().find(
                value, f"{module.__name__}.{name}", module=inside_of, globs=names
            )


@pytest.mark.filterwarnings(  # as some functions say
    "ignore:.* (is|is now|has been) deprecated",
    "ignore:.* is in beta",
    "ignore:.* is of PyTorch's API of 2017",
    "ignore:.* was part of PyTorch's private API",
)
@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, monkeypatch):
    for other in [m for m in sys.modules if m.partition(".")[0] == "torch"]:
        monkeypatch.delitem(sys.modules, other)  # another test may have imported PyTorch
    runner = doctest.DocTestRunner(verbose=False)
    report = []
    for example in examples(importlib.import_module(name)):
        if "Needs SciPy" in example.docstring and not importlib.util.find_spec("scipy"):
            continue
        minigrad.manual_seed(0)
        runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)


def test_examples_are_found():
    """Whichever way a function came into being."""
    found = {
        example.name
        for name in MODULES
        for example in examples(importlib.import_module(name))
        if example.examples
    }
    written, method, nested = (
        "minigrad._ops.shape.reshape",
        "minigrad._core.tensor.Tensor.size",
        "minigrad.nn.modules.module.Module",
    )
    assert {written, method, nested} <= found
    assert len(found) > 300
