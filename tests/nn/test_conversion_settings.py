"""``utils.swap_tensors``, and the settings of ``__future__`` by which modules convert their parameters and load state."""

import weakref

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.utils import swap_tensors


@pytest.fixture
def swapping():
    torch.__future__.set_swap_module_params_on_conversion(True)
    yield
    torch.__future__.set_swap_module_params_on_conversion(False)


@pytest.fixture
def overwriting():
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    yield
    torch.__future__.set_overwrite_module_params_on_conversion(False)


class Marked(torch.Tensor):
    pass


def test_tensors_exchange_all_that_they_are():
    a, b = torch.ones(2), torch.zeros(3, dtype=torch.float64).as_subclass(Marked)
    b.note = 5
    swap_tensors(a, b)
    assert (type(a), a.tolist(), a.dtype, a.note) == (Marked, [0, 0, 0], torch.float64, 5)
    assert (type(b), b.tolist(), b.dtype, hasattr(b, "note")) == (torch.Tensor, [1, 1], torch.float32, False)


def test_gradients_hooks_and_requires_grad_go_along():
    a, b = torch.ones(2, requires_grad=True), torch.zeros(1)
    a.grad = torch.full((2,), 7.0)
    a.register_hook(lambda grad: grad * 10)
    swap_tensors(a, b)
    assert not a.requires_grad and a.grad is None and b.grad.tolist() == [7, 7]
    b.sum().backward()
    assert b.grad.tolist() == [17, 17] and b.is_leaf


def test_results_take_their_history_along():
    x = torch.ones(2, requires_grad=True)
    y, other = x * 3, torch.zeros(1)
    y.retain_grad()
    swap_tensors(y, other)
    assert y.is_leaf and not y.requires_grad
    other.sum().backward()
    assert x.grad.tolist() == [3, 3] and other.grad.tolist() == [1, 1]


def test_a_view_may_be_swapped():
    base, other = torch.ones(3), torch.zeros(1)
    view = base[1:]
    swap_tensors(view, other)
    other.fill_(5)
    assert base.tolist() == [1, 5, 5] and other._base is base


def test_a_graph_of_before_is_refused():
    a, b = torch.ones(2, requires_grad=True), torch.zeros(3, requires_grad=True)
    loss = (a * 2).sum()
    swap_tensors(a, b)
    with pytest.raises(RuntimeError, match="AccumulateGrad node that was poisoned by swap_tensors"):
        loss.backward()
    assert a.grad is None and b.grad is None
    (b * 2).sum().backward()
    assert b.grad.tolist() == [2, 2]


def test_what_is_watched_is_not_swapped():
    a, b = torch.ones(2, requires_grad=True), torch.zeros(2)
    ref = weakref.ref(a)
    with pytest.raises(RuntimeError, match="Cannot swap t1 because it has weakref associated with it"):
        swap_tensors(a, b)
    with pytest.raises(RuntimeError, match="Cannot swap t2 because it has weakref"):
        swap_tensors(b, a)
    assert ref() is a
    (a * 2).sum().backward()
    assert a.grad.tolist() == [2, 2]


def test_a_base_of_views_is_not_swapped():
    a = torch.ones(2)
    view = a[:1]
    with pytest.raises(RuntimeError, match="Expected use_count of t1"):
        swap_tensors(a, torch.zeros(2))
    assert view._base is a
    del view
    swap_tensors(a, torch.zeros(3))
    assert a.tolist() == [0, 0, 0]


def test_classes_need_the_same_slots():
    class Slotted(torch.Tensor):
        __slots__ = ("q",)

    a, b = torch.ones(1).as_subclass(Slotted), torch.zeros(1).as_subclass(Slotted)
    with pytest.raises(RuntimeError, match="Cannot swap t1 and t2 if they have different slots"):
        swap_tensors(a, torch.ones(1))
    a.q = 5
    swap_tensors(a, b)
    assert b.q == 5 and not hasattr(a, "q")


def test_conversions_swap_if_they_are_told_to(swapping):
    layer = nn.Linear(2, 1)
    weight = layer.weight
    layer(torch.ones(1, 2)).sum().backward()
    layer.double()
    assert layer.weight is weight
    assert weight.dtype == weight.grad.dtype == torch.float64 and weight.grad.tolist() == [[1, 1]]
    result = layer(torch.ones(1, 2, dtype=torch.float64))
    layer.float()
    with pytest.raises(RuntimeError, match="poisoned by swap_tensors"):
        result.sum().backward()


def test_a_conversion_that_cannot_swap_changes_nothing(swapping):
    layer = nn.Linear(2, 1)
    layer.weight.grad = torch.ones(1, 2)
    ref = weakref.ref(layer.weight)
    with pytest.raises(RuntimeError, match=r"_apply\(\): Couldn't swap Linear.weight"):
        layer.double()
    assert ref().dtype == ref().grad.dtype == torch.float32


def test_state_is_loaded_by_what_parameters_make_of_it(swapping):
    class Halved(torch.Tensor):
        def module_load(self, other, assign=False):
            return other.detach() / 2

    layer = nn.Linear(1, 1, bias=False)
    layer.weight = nn.Parameter(torch.zeros(1, 1).as_subclass(Halved))
    weight = layer.weight
    layer.load_state_dict({"weight": torch.full((1, 1), 6.0)})
    assert layer.weight is weight and weight.item() == 3 and weight.requires_grad


def test_state_is_swapped_in(swapping):
    layer = nn.Linear(2, 1)
    weight, state = layer.weight, {"weight": torch.ones(1, 2), "bias": torch.ones(1)}
    layer.load_state_dict(state)
    assert layer.weight is weight and weight.data_ptr() != state["weight"].data_ptr()
    layer.load_state_dict(state, assign=True)
    assert layer.weight is weight and weight.data_ptr() == state["weight"].data_ptr()
    ref = weakref.ref(weight)
    with pytest.raises(RuntimeError, match='While swapping the parameter named "weight"'):
        layer.load_state_dict(state)
    assert ref() is weight


def test_module_load_must_give_a_new_tensor(swapping):
    class Careless(torch.Tensor):
        def module_load(self, other, assign=False):
            return other

    layer = nn.Linear(1, 1, bias=False)
    layer.weight = nn.Parameter(torch.zeros(1, 1).as_subclass(Careless))
    with pytest.raises(RuntimeError, match="module_load returned one of self or other"):
        layer.load_state_dict({"weight": torch.ones(1, 1)})


def test_conversions_overwrite_if_they_are_told_to(overwriting):
    layer = nn.Linear(2, 1)
    weight = layer.weight
    layer(torch.ones(1, 2)).sum().backward()
    layer.double()
    assert layer.weight is not weight and weight.dtype == torch.float32
    assert layer.weight.dtype == layer.weight.grad.dtype == torch.float64
    assert torch.__future__.get_overwrite_module_params_on_conversion()
