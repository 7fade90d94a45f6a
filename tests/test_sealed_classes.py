"""Classes of which PyTorch allows no subclasses, or no objects of a program's own."""

import copy
import pickle

import pytest

import minigrad

SEALED = ["dtype", "layout", "memory_format", "qscheme"]
FINAL = [*SEALED, "Size", "device", "finfo", "iinfo", "FloatTensor"]
CONSTANTS = ["float32", "bfloat16", "quint8", "strided", "sparse_coo", "channels_last", "per_tensor_affine"]


@pytest.mark.parametrize("name", FINAL)
def test_there_are_no_subclasses(name):
    with pytest.raises(TypeError, match=f"^type 'torch.{name}' is not an acceptable base type$"):
        type("Own", (getattr(minigrad, name),), {})


@pytest.mark.parametrize("arguments", [(), ("float32",), ("own", 1, 2)])
@pytest.mark.parametrize("name", SEALED)
def test_there_are_no_further_objects(name, arguments):
    with pytest.raises(TypeError, match=f"^cannot create 'torch.{name}' instances$"):
        getattr(minigrad, name)(*arguments)


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_stay_the_same_objects(name):
    value = getattr(minigrad, name)
    assert copy.copy(value) is copy.deepcopy(value) is pickle.loads(pickle.dumps(value)) is value


def test_layouts_memory_formats_and_schemes_are_of_different_classes():
    assert not isinstance(minigrad.channels_last, minigrad.layout)
    assert not isinstance(minigrad.per_tensor_affine, minigrad.layout)


@pytest.mark.torch
@pytest.mark.parametrize("name", FINAL)
def test_pytorch_refuses_the_same(name):
    import torch

    with pytest.raises(TypeError, match=f"^type 'torch.{name}' is not an acceptable base type$"):
        type("Own", (getattr(torch, name),), {})
