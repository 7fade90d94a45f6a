"""Every example in a docstring of the package runs, and gives what it says."""

import ast
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
    made = made_in(module)
    for name, value in sorted(vars(module).items()):
        if inspect.isfunction(value) or (inspect.isclass(value) and name in made):
            yield from examples_of(value, f"{module.__name__}.{name}", module, names)


def examples_of(value, name, module, names):
    """The examples of a function, if the module defines it, of a property, or of a class and what is in it."""
    if not inspect.isfunction(value) or home_of(value) == module.__name__:
        yield from doctest.DocTestFinder(recurse=False).find(value, name, module=False, globs=names)
    for inner, part in vars(value).items() if inspect.isclass(value) else ():
        part = getattr(part, "__func__", part)  # of static and class methods
        own = inspect.isclass(part) and part.__qualname__ == f"{value.__qualname__}.{inner}"
        if inspect.isfunction(part) or isinstance(part, property) or own:
            yield from examples_of(part, f"{name}.{inner}", module, names)


def home_of(function):
    """The name of the module in which a function was written, or the operator of which a family made it, whatever its ``__module__`` says to users."""
    function = inspect.unwrap(function)
    if function.__globals__["__name__"] == "minigrad._devices.alike":  # a table that several modules share
        return function.__module__
    return function.op.__module__ if hasattr(function, "op") else function.__globals__["__name__"]


def made_in(module):
    """The names of the classes that a module defines, or gets from a call."""
    names = set()
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            stored = [
                found
                for found in ast.walk(node.targets[0])
                if isinstance(getattr(found, "ctx", None), ast.Store)
            ]
            names.update(found.id for found in stored if isinstance(found, ast.Name))
    return names


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
        if "(Needs TensorBoard)" in example.docstring and not importlib.util.find_spec("tensorboard"):
            continue
        if "(Needs onnx)" in example.docstring and not importlib.util.find_spec("onnx"):
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
