"""What is public can be found, and says what it is."""

import importlib
import inspect
import pkgutil
import pydoc
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
#: Modules without ``__all__`` whose functions are public; in others it says which are.
WITHOUT_ALL = {"minigrad.nn.functional", "minigrad.nn.grad", "minigrad.nn.init"}
#: Modules that users of their packages never name: the functions in them have no examples.
INNER = {
    "minigrad.autograd.function_forward",
    "minigrad.autograd.refusal",
    "minigrad.viz.model",
    "minigrad.viz.observed",
    "minigrad.viz.saved_values",
    "minigrad.viz.summary_tables",
}
#: Functions without an example -> why.
WITHOUT_EXAMPLE = {
    "minigrad.autograd.profiler.load_nvprof": "reads a file that NVIDIA's profiler wrote",
    "minigrad.autograd.profiler.parse_nvprof_trace": "reads a file that NVIDIA's profiler wrote",
    "minigrad.nn.modules.module.register_module_backward_hook": "its first call decides for the process which kind of hooks there can be",
}
#: Functions of tensors whose result has no shape: they always raise.
REFUSING = {"Tensor.cuda", "Tensor.pin_memory"}
#: The first parameter of a function that computes with tensors.
TENSORS = {"A", "B", "anchor", "input", "input1", "query", "tensors", "x", "x1"}
#: How a docstring speaks of shapes and dtypes, or leaves that to another one.
SHAPES = re.compile(
    r"shape|dtype|size|dims?\b|dimension|-dim\b|ax[ie]s\b|element|matri|vector|\brows?\b|column|number|"
    r"\bbool\b|integer|floating|complex|tuple|\blist|tensors?\b|itself|bytes|whether|\([\w., *]+,[\w., *]*\)|(As|Like|In-place version of|in favour of|Deprecated:|deprecated name for|deprecated form of|result of|see) ``",
    re.IGNORECASE,
)


def public(module):
    """Name -> function or class of minigrad's that a module has for users."""
    names = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    for name in names:
        value = getattr(module, name)
        if (inspect.isroutine(value) or inspect.isclass(value)) and (value.__module__ or "").startswith(
            "minigrad"
        ):
            yield name, value


def functions():
    """Name -> function, for every function that users reach, and every method of Tensor; each under one name."""
    found = {}
    for module in MODULES:
        if module not in INNER and (
            module in WITHOUT_ALL or hasattr(importlib.import_module(module), "__all__")
        ):
            for name, value in public(importlib.import_module(module)):
                if not inspect.isclass(value):
                    found.setdefault(value, f"{module}.{name}")
    for name in dir(Tensor):
        value = getattr(Tensor, name)
        if not name.startswith("_") and inspect.isroutine(value):
            found.setdefault(value, f"Tensor.{name}")
    return {name: function for function, name in found.items()}


FUNCTIONS = functions()


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
            inherited = (getattr(found, "__module__", None) or "").startswith("multiprocessing")
            if ours and not inherited and not method.startswith("_") and not inspect.getdoc(found):
                without.append(f"{name}.{each}.{method}")
    assert not without


def test_functions_are_found_whoever_made_them():
    assert {
        "minigrad.exp",
        "minigrad.reshape",
        "minigrad.nn.functional.gelu",
        "Tensor.mul_",
        "Tensor.retain_grad",
    } <= {*FUNCTIONS}
    assert len(FUNCTIONS) > 1000


def test_signatures_name_all_parameters():
    """``*params`` and ``*rest`` are how the functions of families pass on what only the class of an op names."""
    leaking = []
    for name, function in FUNCTIONS.items():
        given = inspect.signature(function).parameters.values()
        if any(p.kind is p.VAR_POSITIONAL and p.name in ("params", "rest", "operands") for p in given):
            leaking.append(name)
    assert not leaking


def test_signatures_of_families_are_pytorchs():
    def signature(function):
        return str(inspect.signature(function))

    assert signature(minigrad.exp) == signature(minigrad.nn.functional.logsigmoid) == "(input, *, out=None)"
    assert signature(minigrad.mul) == signature(minigrad.eq) == "(input, other, *, out=None)"
    assert signature(minigrad.isnan) == signature(Tensor.exp_) == signature(Tensor.sign_) == "(input)"
    assert signature(Tensor.mul_) == signature(Tensor.gcd_) == "(input, other)"
    assert signature(minigrad.special.airy_ai) == "(x, *, out=None)"
    assert signature(minigrad.ones(2).mul) == "(other, *, out=None)"
    assert signature(minigrad.diagonal_copy) == "(input, offset=0, dim1=0, dim2=1, *, out=None)"
    assert (
        inspect.signature(minigrad.exp) == inspect.signature(minigrad.cos) != inspect.signature(minigrad.mul)
    )


def test_help_begins_with_the_signature():
    text = pydoc.plain(pydoc.render_doc(minigrad.exp))
    assert "exp(input, *, out=None)\n    The exponential of each element: z = eˣ;   dz/dx = z.\n" in text
    assert "    >>> minigrad.exp(minigrad.tensor([0, 1, 2]))\n" in text


def test_functions_say_what_they_do():
    """Before anything else, in a sentence or a formula."""
    silent = []
    for name, function in FUNCTIONS.items():
        first = inspect.getdoc(function).partition("\n\n")[0]
        if first.startswith(">>>") or len(first.split()) < 2 or not first.endswith((".", "]", ":")):
            silent.append(name)
    assert not silent


def test_functions_of_tensors_speak_of_shapes_and_dtypes():
    silent = []
    for name, function in FUNCTIONS.items():
        first = next(iter(inspect.signature(function).parameters), None)
        if first in TENSORS and not SHAPES.search(inspect.getdoc(function).partition(">>>")[0]):
            silent.append(name)
    assert {*silent} == REFUSING


def test_functions_have_an_example():
    """It runs: ``test_doctests.py``."""
    without = {name for name, function in FUNCTIONS.items() if ">>> " not in inspect.getdoc(function)}
    assert without == {*WITHOUT_EXAMPLE}


def test_modules_have_an_example():
    without = [
        name
        for name, cls in public(minigrad.nn)
        if inspect.isclass(cls) and ">>> " not in inspect.getdoc(cls)
    ]
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
