"""Modules that PyTorch keeps for libraries: names that mean something of today's, under paths of old."""

import importlib

import pytest

import minigrad as torch
from minigrad import nn, optim
from minigrad.optim.adam import adam
from minigrad.optim.sgd import sgd


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("_VF", {"dropout": torch.dropout, "layer_norm": torch.layer_norm, "split": torch.split}),
        ("_tensor", {"Tensor": torch.Tensor}),
        ("nn.parallel.distributed", {"DistributedDataParallel": nn.parallel.DistributedDataParallel}),
        ("optim._functional", {"adam": adam, "sgd": sgd}),
    ],
)
def test_names_of_old_paths(path, names):
    module = importlib.import_module(f"minigrad.{path}")
    assert {name: getattr(module, name) for name in names} == names
    assert not hasattr(module, "no_such_name")


def test_optimizers_of_many_tensors():
    from minigrad.optim import _multi_tensor

    p = torch.ones(2, requires_grad=True)
    optimizer = _multi_tensor.SGD([p], lr=0.5)
    assert isinstance(optimizer, optim.SGD) and optimizer.defaults["foreach"]
    p.sum().backward()
    optimizer.step()
    assert p.tolist() == [0.5, 0.5]


def test_annotations_of_sizes():
    from minigrad.nn import common_types

    for name, given in {
        "_size_2_t": "int | tuple[int, int]",
        "_ratio_any_t": "float | tuple[float, ...]",
    }.items():
        assert getattr(common_types, name) == eval(given)
    assert common_types._tensor_list_t == torch.Tensor | tuple[torch.Tensor, ...]


def test_results_become_those_of_a_class():
    from minigrad._tensor import _convert

    class Mine(torch.Tensor):
        pass

    x = torch.ones(1)
    first, (second, third) = _convert((x, [x, 5]), Mine)
    assert (type(first), type(second), third) == (Mine, Mine, 5) and _convert(x, torch.Tensor) is x


def test_texts_of_tensors():
    from minigrad import _tensor_str

    x = torch.tensor([[1.0, 2.0], [3.0, 4.5]])
    assert _tensor_str._tensor_str(x, 1) == "[[1.0000, 2.0000],\n  [3.0000, 4.5000]]"
    assert _tensor_str._tensor_str(x[0].bfloat16(), 0) == "[1., 2.]"
    assert _tensor_str._str(x) == repr(x)
    with _tensor_str.printoptions(precision=1):
        assert _tensor_str.PRINT_OPTS.precision == 1 and repr(x[1]) == "tensor([3.0, 4.5])"
    assert x.__repr__(tensor_contents="...") == "tensor(...)"
    assert (
        nn.Parameter(x).__repr__(tensor_contents="...")
        == "Parameter containing:\ntensor(..., requires_grad=True)"
    )


def test_pickles_of_2018_name_a_backend():
    from minigrad.nn.backends.thnn import _get_thnn_function_backend

    assert _get_thnn_function_backend() is None
