"""Sequences and dictionaries of modules and parameters."""

from collections import OrderedDict

import pytest

import minigrad as torch
from minigrad import nn


def names(container):
    return [type(module).__name__ for module in container]


def test_sequential():
    model = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
    x = torch.ones(4, 3)
    assert torch.equal(model(x), model[2](model[1](model[0](x))))
    assert len(model) == 3 and isinstance(model[-1], nn.Linear)
    assert names(model[1:]) == ["ReLU", "Linear"]
    assert list(nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Tanh()))._modules) == ["a", "b"]


def test_sequential_as_a_list():
    model = nn.Sequential(nn.ReLU(), nn.Tanh())
    assert model.append(nn.Sigmoid()) is model
    assert names(model + nn.Sequential(nn.GELU())) == ["ReLU", "Tanh", "Sigmoid", "GELU"]
    assert names(model * 2) == names(2 * model) == names(model) * 2
    model += nn.Sequential(nn.GELU())
    model *= 2
    assert len(model) == 8
    del model[0]
    del model[3:]
    assert names(model) == ["Tanh", "Sigmoid", "GELU"] and list(model._modules) == ["0", "1", "2"]
    assert isinstance(model.pop(1), nn.Sigmoid)
    model.insert(1, nn.SiLU()).insert(0, nn.Mish())
    assert names(model) == ["Mish", "Tanh", "SiLU", "GELU"]
    model[1] = nn.ReLU()
    assert names(model.extend([nn.CELU()])) == ["Mish", "ReLU", "SiLU", "GELU", "CELU"]


def test_module_list():
    modules = nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU()])
    assert len(list(modules.parameters())) == 4
    assert repr(modules) == (
        "ModuleList(\n  (0-1): 2 x Linear(in_features=1, out_features=1, bias=True)\n  (2): ReLU()\n)"
    )
    modules.insert(1, nn.Tanh())
    modules += [nn.GELU()]
    assert names(modules) == ["Linear", "Tanh", "Linear", "ReLU", "GELU"]
    assert names(modules[1:3]) == ["Tanh", "Linear"] and type(modules[1:3]) is nn.ModuleList
    assert names(modules + [nn.SiLU()])[-1] == "SiLU"
    del modules[-1]
    assert len(modules) == 4 and repr(nn.ModuleList()) == "ModuleList()"
    with pytest.raises(NotImplementedError, match=r"Module \[ModuleList\] is missing"):
        modules(1)


def test_module_dict():
    modules = nn.ModuleDict({"a": nn.Linear(1, 1), "b": nn.ReLU()})
    modules["c"] = nn.Tanh()
    modules.update([("d", nn.GELU())])
    assert list(modules) == list(modules.keys()) == ["a", "b", "c", "d"]
    assert "a" in modules and len(modules) == 4 and modules["b"] is list(modules.values())[1]
    assert isinstance(modules.pop("b"), nn.ReLU)
    del modules["c"]
    assert [key for key, _ in modules.items()] == ["a", "d"]
    assert list(modules.state_dict()) == ["a.weight", "a.bias"]
    modules.clear()
    assert not len(modules)


def test_parameter_list():
    values = nn.ParameterList([torch.ones(2, 3), nn.Parameter(torch.ones(1)), "text"])
    assert [type(v).__name__ for v in values] == ["Parameter", "Parameter", "str"]
    assert len(list(values.parameters())) == 2
    values.append(torch.zeros(2))
    values[0] = nn.Parameter(torch.zeros(5))
    assert len(values) == 4 and values[-1].tolist() == [0, 0] and len(values[1:3]) == 2
    assert list(values.state_dict()) == ["0", "1", "3"]
    assert repr(values) == (
        "ParameterList(\n"
        "    (0): Parameter containing: [torch.float32 of size 5]\n"
        "    (1): Parameter containing: [torch.float32 of size 1]\n"
        "    (2): Object of type: str\n"
        "    (3): Parameter containing: [torch.float32 of size 2]\n"
        ")"
    )


def test_parameter_dict():
    values = nn.ParameterDict({"b": torch.ones(2), "a": 1})
    assert list(values) == ["a", "b"]
    assert values.setdefault("c", torch.zeros(1)) is values["c"] and isinstance(values["c"], nn.Parameter)
    assert values.get("d", 5) == 5 and "c" in values and len(values) == 3
    assert list(reversed(values)) == ["c", "b", "a"]
    merged = values | nn.ParameterDict(OrderedDict(e=torch.ones(1)))
    assert list(merged) == ["a", "b", "c", "e"] and merged["b"] is values["b"]
    assert values.popitem()[0] == "c" and values.pop("a") == 1
    assert repr(values) == "ParameterDict(  (b): Parameter containing: [torch.FloatTensor of size 2])"
    assert [p.tolist() for p in values.values()] == [[1, 1]]
    assert list(values.fromkeys(["x", "y"], 1).items()) == [("x", 1), ("y", 1)]
    values.clear()
    assert not len(values) and not list(values.parameters())


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: nn.Sequential(1), TypeError, "int is not a Module subclass"),
        (
            lambda: nn.Sequential(nn.ReLU()) + 5,
            ValueError,
            "add operator supports only objects of Sequential class",
        ),
        (lambda: nn.Sequential(nn.ReLU()) * 0, ValueError, "Non-positive multiplication factor 0"),
        (lambda: nn.Sequential(nn.ReLU()) * "a", TypeError, r"unsupported operand type\(s\) for \*"),
        (lambda: nn.Sequential(nn.ReLU()).insert(9, nn.ReLU()), IndexError, "Index out of range: 9"),
        (lambda: nn.Sequential(nn.ReLU()).insert(0, 1), AssertionError, "module should be of type"),
        (lambda: nn.Sequential()[0], IndexError, "index 0 is out of range"),
        (
            lambda: nn.ModuleList(5),
            TypeError,
            "ModuleList.extend should be called with an iterable, but got int",
        ),
        (
            lambda: nn.ModuleDict(5),
            TypeError,
            "ModuleDict.update should be called with an iterable of key/value pairs",
        ),
        (lambda: nn.ModuleDict([5]), TypeError, "sequence element #0 should be Iterable; isint"),
        (
            lambda: nn.ModuleDict([("a", nn.ReLU(), 1)]),
            ValueError,
            "sequence element #0 has length 3; 2 is required",
        ),
        (lambda: nn.ModuleDict({1: nn.ReLU()}), TypeError, "module name should be a string. Got int"),
        (
            lambda: nn.ParameterList(3),
            TypeError,
            "'int' object is not iterable|should be called with an iterable",
        ),
        (lambda: nn.ParameterList([torch.ones(1)])[3], IndexError, "index 3 is out of range"),
        (lambda: nn.ParameterList()(), RuntimeError, "ParameterList should not be called."),
        (lambda: nn.ParameterDict()(1), RuntimeError, "ParameterDict should not be called."),
        (
            lambda: nn.ParameterDict({1: torch.ones(1)}),
            TypeError,
            "cannot be used as a key as it is not a string",
        ),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_container_is_deprecated():
    with pytest.warns(FutureWarning, match="`nn.Container` is deprecated"):
        assert list(nn.Container(a=nn.ReLU())._modules) == ["a"]
