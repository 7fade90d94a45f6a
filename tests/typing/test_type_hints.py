"""``typing.get_type_hints`` resolves what functions and methods say of their parameters."""

import importlib
import inspect
import pickle
import pkgutil
import typing

import pytest

import minigrad
from minigrad import Tensor, nn, optim

MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(minigrad.__path__, "minigrad.")
    if not any(part.startswith("_") for part in found.name.split("."))
)


def functions(module):
    """Name -> function, for the functions of a module and the methods of its classes."""
    for name in getattr(module, "__all__", None) or [
        name for name in dir(module) if not name.startswith("_")
    ]:
        value = getattr(module, name)
        if inspect.isfunction(value):
            yield name, value
        elif isinstance(value, type) and value.__module__.startswith("minigrad"):
            for method, found in vars(value).items():
                if inspect.isfunction(found):
                    yield f"{name}.{method}", found


@pytest.mark.parametrize("name", MODULES)
def test_annotations_resolve(name):
    for function, value in functions(importlib.import_module(name)):
        try:
            typing.get_type_hints(value)
        except (AttributeError, NameError, TypeError) as error:
            pytest.fail(f"{name}.{function}: {error}")


def test_parameters_of_layers_losses_and_optimizers():
    hints = typing.get_type_hints(nn.Linear.__init__)
    assert hints["in_features"] is int and hints["bias"] is bool and hints["return"] is type(None)
    assert typing.get_type_hints(nn.functional.cross_entropy)["input"] is Tensor
    assert typing.get_type_hints(optim.SGD.__init__)["lr"] == float | Tensor
    assert typing.get_type_hints(nn.Module.register_buffer)["tensor"] == Tensor | None
    untyped = [
        kind.__name__
        for package in (nn, optim)
        for kind in map(package.__dict__.get, package.__all__)
        if isinstance(kind, type)
        and inspect.isfunction(kind.__init__)
        and not {*list(inspect.signature(kind.__init__).parameters)[1:]}
        <= {*typing.get_type_hints(kind.__init__)}
    ]
    assert untyped == []


def test_functions_made_at_run_time():
    """Their annotations are those of the stubs: read when they are first asked for, of functions and of methods."""
    hints = typing.get_type_hints(minigrad.select)
    assert hints == {"input": Tensor, "dim": int, "index": int, "return": Tensor}
    assert typing.get_type_hints(minigrad.exp)["out"] == Tensor | None
    assert typing.get_type_hints(Tensor.add_)["return"] is Tensor
    assert typing.get_type_hints(minigrad.max)["return"] == Tensor | minigrad.return_types.max
    assert typing.get_type_hints(Tensor.size)["return"] == minigrad.Size | int
    assert typing.get_type_hints(minigrad.manual_seed)["return"] is minigrad.Generator
    assert typing.get_type_hints(minigrad.linalg.cross)["return"] is Tensor
    assert inspect.signature(minigrad.select).parameters["dim"].annotation is int
    annotations = minigrad.select.__annotations__
    assert {**annotations} == dict(annotations.items()) == dict(annotations) == annotations
    assert (
        "dim" in annotations
        and len(annotations) == 4
        and pickle.loads(pickle.dumps(annotations)) == annotations
    )


@pytest.mark.parametrize(
    "name",
    [
        "",
        "cuda",
        "fft",
        "func",
        "linalg",
        "nn.functional",
        "nn.init",
        "nn.utils",
        "signal.windows",
        "sparse",
        "special",
    ],
)
def test_every_function_has_annotations(name):
    module = importlib.import_module(f"minigrad.{name}".rstrip("."))
    public = [each for each in getattr(module, "__all__", dir(module)) if each[0] != "_"]
    found = {each: getattr(module, each) for each in public}
    untyped = [
        each
        for each, value in found.items()
        if inspect.isfunction(value) and "return" not in typing.get_type_hints(value)
    ]
    assert untyped == []


def test_every_method_has_annotations():
    found = {name: getattr(Tensor, name) for name in dir(Tensor) if name != "__new__"}
    assert [
        name
        for name, value in found.items()
        if inspect.isfunction(value) and not typing.get_type_hints(value)
    ] == []
