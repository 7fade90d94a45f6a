"""``Parameter`` and ``Buffer``."""

import copy
import pickle

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn


def test_a_parameter_shares_the_memory_of_its_data():
    data = torch.ones(2)
    p = nn.Parameter(data)
    data.add_(1)
    assert p.tolist() == [2, 2]
    assert p._version == 1
    assert p.requires_grad and p.is_leaf


def test_repr():
    assert (
        repr(nn.Parameter(torch.tensor([1.0, 2.0])))
        == "Parameter containing:\ntensor([1., 2.], requires_grad=True)"
    )
    assert repr(nn.Parameter(torch.ones(1), False)) == "Parameter containing:\ntensor([1.])"
    assert repr(nn.Parameter()) == "Parameter containing:\ntensor([], requires_grad=True)"


def test_what_ops_return_is_a_tensor():
    p = nn.Parameter(torch.ones(2))
    for result in (p * 2, p + p, p.sum(), p[0], p.detach(), p.data, p.view(2, 1)):
        assert type(result) is torch.Tensor
    assert (p * 2).grad_fn.next_functions[0][0].variable is p
    assert p.add_ is not None and type(p) is nn.Parameter


def test_a_parameter_requires_grad_under_no_grad_too():
    with torch.no_grad():
        assert nn.Parameter(torch.ones(1)).requires_grad


def test_a_parameter_of_a_result_is_a_leaf():
    y = torch.ones(2, requires_grad=True) * 2
    p = nn.Parameter(y)
    (p * 3).sum().backward()
    assert p.grad.tolist() == [3, 3]


def test_integers_cannot_require_grad():
    with pytest.raises(RuntimeError, match="floating point"):
        nn.Parameter(torch.ones(2, dtype=torch.int64))
    assert nn.Parameter(torch.ones(2, dtype=torch.int64), requires_grad=False).dtype is torch.int64


def test_a_deep_copy_has_its_own_memory_and_no_gradient():
    p = nn.Parameter(torch.ones(2))
    p.sum().backward()
    twin = copy.deepcopy(p)
    assert type(twin) is nn.Parameter and twin.requires_grad and twin.grad is None
    with torch.no_grad():
        twin.zero_()
    assert p.tolist() == [1, 1]
    assert copy.deepcopy(nn.Parameter(torch.ones(1), False)).requires_grad is False


def test_pickling():
    p = nn.Parameter(torch.tensor([1.0, 2.0]))
    p.note = "kept"
    twin = pickle.loads(pickle.dumps(p))
    assert type(twin) is nn.Parameter and twin.requires_grad
    assert twin.tolist() == [1, 2] and twin.note == "kept"


def test_subclasses_of_parameter():
    class Scale(nn.Parameter):
        pass

    p = Scale(torch.ones(2))
    y = p * 2
    assert type(p) is Scale and type(y) is torch.Tensor
    y.sum().backward()
    assert p.grad.tolist() == [2, 2]


def test_tensors_of_a_users_class_are_marked():
    class Units(torch.Tensor):
        pass

    data = torch.ones(2).as_subclass(Units) if hasattr(torch.Tensor, "as_subclass") else Units(2)
    p = nn.Parameter(data)
    assert type(p) is Units
    assert isinstance(p, nn.Parameter)
    assert not isinstance(data, nn.Parameter)
    module = nn.Module()
    module.weight = p
    assert next(iter(module.parameters())) is p


def test_buffers():
    b = nn.Buffer(torch.ones(2), persistent=False)
    assert type(b) is torch.Tensor
    assert isinstance(b, nn.Buffer) and not isinstance(torch.ones(1), nn.Buffer)
    module = nn.Module()
    module.kept, module.dropped = nn.Buffer(torch.zeros(1)), b
    assert [name for name, _ in module.named_buffers()] == ["kept", "dropped"]
    assert list(module.state_dict()) == ["kept"]


def test_gradients_go_into_the_order_of_a_transposed_parameter():
    p = nn.Parameter(torch.tensor(np.arange(6.0).reshape(2, 3)).mT)
    (p * p).sum().backward()
    assert p.grad.stride() == p.stride()
    np.testing.assert_array_equal(p.grad.numpy(), 2 * p.detach().numpy())


def test_the_text_of_a_subclass_has_its_name():
    class Weight(nn.Parameter):
        pass

    assert (
        repr(Weight(torch.ones(2)))
        == "Parameter containing:\nParameter(Weight([1., 1.], requires_grad=True))"
    )
    assert repr(Weight(torch.ones(1), False)) == "Parameter containing:\nParameter(Weight([1.]))"
