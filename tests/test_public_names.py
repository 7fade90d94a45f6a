"""What is public can be found, and says what it is."""

import importlib
import inspect
import pkgutil
import re

import pytest

import minigrad
from minigrad import Tensor

#: The modules that a user can import, by the rule that names them: no underscore in their path.
MODULES = ["minigrad"] + sorted(
    found.name
    for found in pkgutil.walk_packages(minigrad.__path__, "minigrad.")
    if not any(part.startswith("_") for part in found.name.split("."))
)
#: How the docstring of a function begins that does what another one does: in place, or under another name.
ALIAS = re.compile(r"(As|The same as) ``\w+")


def public(module):
    """Name -> function or class of minigrad's that a module has for users."""
    names = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    for name in names:
        value = getattr(module, name)
        if (inspect.isroutine(value) or inspect.isclass(value)) and (value.__module__ or "").startswith(
            "minigrad"
        ):
            yield name, value


def made_by_a_family(function):
    """Whether a family of operators made the function from a class, whose docstring, a formula, it has."""
    return function.__globals__["__name__"] != function.__module__


@pytest.mark.parametrize("name", MODULES)
def test_functions_and_classes_have_docstrings(name):
    without = [
        f"{name}.{each}" for each, value in public(importlib.import_module(name)) if not inspect.getdoc(value)
    ]
    assert not without


@pytest.mark.parametrize("name", MODULES)
def test_public_methods_have_docstrings(name):
    without = []
    for each, value in public(importlib.import_module(name)):
        for method in dir(value) if inspect.isclass(value) else ():
            found = getattr(value, method, None)  # a metaclass lists __abstractmethods__, but has none
            ours = (inspect.isroutine(found) or isinstance(found, property)) and value.__module__.startswith(
                "minigrad"
            )
            if ours and not method.startswith("_") and not inspect.getdoc(found):
                without.append(f"{name}.{each}.{method}")
    assert not without


def test_functions_on_tensors_have_an_example_or_a_formula_or_name_the_function_that_they_repeat():
    without = []
    for name, function in public(minigrad):
        if inspect.isfunction(function):
            doc = inspect.getdoc(function)
            if ">>> " not in doc and not ALIAS.match(doc) and not made_by_a_family(function):
                without.append(name)
    assert not without


def test_every_name_listed_is_there():
    """``dir`` lists what is fetched at its first use, too: none of it may fail."""
    for name in MODULES:
        module = importlib.import_module(name)
        for each in dir(module):
            getattr(module, each)
    for each in dir(Tensor):
        getattr(Tensor, each)


def test_nothing_leaks():
    """A module of another package that minigrad imports for itself is not a name of minigrad's."""
    foreign = [
        f"{name}.{each}"
        for name in MODULES
        for each, value in vars(importlib.import_module(name)).items()
        if inspect.ismodule(value) and not each.startswith("_") and not value.__name__.startswith("minigrad")
    ]
    assert [name for name in foreign if name.count(".") == 1] == []


def test_in_place_methods_end_in_an_underscore_and_return_the_tensor():
    x = minigrad.ones(2)
    for name in ("add_", "mul_", "exp_", "zero_", "neg_", "sqrt_", "fill_"):
        method = getattr(x, name)
        arguments = [1.0] if name in ("add_", "mul_", "fill_") else []
        assert method(*arguments) is x, name
