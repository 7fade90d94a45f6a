"""Functions as they were written in 2017: instances are called, and are the nodes."""

import gc
import weakref

import pytest

import minigrad as torch
from minigrad.autograd import Function
from minigrad.autograd.function import InplaceFunction, NestedIOFunction, _unflatten, traceable

pytestmark = pytest.mark.filterwarnings("ignore:.*API of 2017")


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


class Times(Function):
    def __init__(self, factor=1):
        self.factor = factor

    def forward(self, x, y):
        self.save_for_backward(x, y)
        return x * y * self.factor

    def backward(self, g):
        x, y = self.saved_tensors
        return g * y * self.factor, g * x * self.factor


class Negate(Function):
    def forward(self, x):
        return -x

    def backward(self, g):
        return -g


def test_an_instance_is_the_node():
    x, y = leaf(2.0), leaf(3.0)
    f = Times(5)
    z = f(x, y)
    assert z.grad_fn is f and z.creator is f
    assert isinstance(f, torch.autograd.graph.Node) and f.name() == "Times"
    z.backward()
    assert (x.grad.item(), y.grad.item()) == (15.0, 10.0)


def test_what_an_instance_tells_of_its_call():
    x, y, f = leaf(2.0), leaf(3.0), Times()
    double = x * 2
    f(double, y)
    assert (f.num_inputs, f.num_outputs, f.needs_input_grad, f.requires_grad) == (2, 1, (True, True), True)
    assert f.previous_functions == ((double.grad_fn, 0), (y, 0))
    assert f.next_functions[1][0].variable is y
    constant = Negate()
    constant(torch.ones(1))
    assert (constant.needs_input_grad, constant.requires_grad) == ((False,), False)


def test_the_previous_functions_of_any_node():
    x = leaf(1.0)
    double = x * 2
    assert (double + 1).grad_fn.previous_functions[0] == (double.grad_fn, 0)
    assert double.grad_fn.previous_functions[0][0] is x


def test_forward_and_backward_are_not_recorded():
    class Look(Function):
        def forward(self, x):
            assert not torch.is_grad_enabled()
            return x * 1

        def backward(self, g):
            assert not torch.is_grad_enabled()
            return g * 1

    x = leaf(1.0)
    torch.autograd.grad(Look()(x), x, create_graph=True)


def test_saved_tensors_are_freed():
    z = Times()(leaf(2.0), leaf(3.0))
    z.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        z.backward()


def test_a_second_derivative_is_refused():
    x, g = leaf(1.0), leaf(1.0)
    (first,) = torch.autograd.grad(Negate()(x), x, g, create_graph=True)
    assert first.item() == -1.0
    with pytest.raises(RuntimeError, match="Negate is not differentiable twice"):
        first.backward()


def test_several_outputs_of_which_one_has_no_gradient():
    seen = []

    class Split(Function):
        def forward(self, x):
            whole = x.long()
            self.mark_non_differentiable(whole)
            return x * 2, whole

        def backward(self, g, h):
            seen.append(h.tolist())
            return g * 2

    x, f = leaf(1.5), Split()
    double, whole = f(x)
    assert f.num_outputs == 2 and not whole.requires_grad and double.grad_fn is f
    double.backward()
    assert x.grad.tolist() == [2.0] and seen == [[0]]


def test_backward_can_be_called_by_users():
    f = Negate()
    f(leaf(1.0))
    assert f.backward(torch.ones(1)).tolist() == [-1.0]
    assert Negate.backward(f, torch.ones(1)).tolist() == [-1.0]


def test_the_same_class_serves_both_ages():
    class Double(Function):
        def forward(self, x):
            self.factor = 2
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor

    for call in (Double(), Double.apply):
        x = leaf(1.0)
        call(x).backward()
        assert x.grad.tolist() == [2.0]


def test_an_instance_called_again_has_two_backwards():
    f = Times(2)
    a, b = leaf(2.0), leaf(3.0)
    first = f(a, a)
    second = f(b, b)
    third = f(second, second)
    first.backward()
    third.backward()
    assert a.grad.item() == 2 * 2 * 2
    assert b.grad.item() == 4 * 8 * 3**3  # third = 8 b^4
    assert first.grad_fn is f and second.grad_fn is not f
    assert f(a, a).grad_fn is f  # its backward is over


def test_an_instance_of_2017_warns_once():
    with pytest.warns(FutureWarning, match=r"write `Negate.apply\(...\)` instead") as given:
        Negate()(leaf(1.0))
        Negate()(leaf(1.0))
    assert len(given) == 1


def test_arguments_must_be_tensors():
    with pytest.raises(TypeError, match="expected a Variable argument, but got int"):
        Times()(leaf(1.0), 5)


def test_hooks_on_an_instance():
    seen = []
    f, x = Negate(), leaf(1.0)
    f.register_hook(
        lambda grad_inputs, grad_outputs: seen.append((grad_inputs[0].item(), grad_outputs[0].item()))
    )
    f(x).backward()
    assert seen == [(-1.0, 1.0)]


def test_a_missing_backward_is_said():
    class Half(Function):
        def forward(self, x):
            return x / 2

    with pytest.raises(NotImplementedError, match="You must implement either the backward or vjp method"):
        Half()(leaf(1.0)).backward()


def test_volatile_inputs_make_volatile_outputs():
    x = torch.autograd.Variable(torch.ones(1), volatile=True)
    z = Times()(x, leaf(1.0))
    assert z.volatile and not z.requires_grad and z.grad_fn is None


@pytest.mark.parametrize("inplace", [True, False])
def test_an_inplace_function(inplace):
    class Double(InplaceFunction):
        def forward(self, x):
            if self.inplace:
                self.mark_dirty(x)
                return x.mul_(2)
            return x * 2

        def backward(self, g):
            return g * 2

    x = leaf(1.0)
    y = x * 1
    z = Double(inplace)(y)
    assert (z is y) == inplace
    z.backward()
    assert x.grad.tolist() == [2.0]


class Nested(NestedIOFunction):
    def forward_extended(self, pair, named):
        a, (b, c) = pair
        self.save_for_backward((a, (b,)), named)
        return [a * b, (b * c, None)], {"double": named["x"] * 2}

    def backward_extended(self, listed, named):
        (a, (b,)), _ = self.saved_tensors
        of_ab, (of_bc, _) = listed
        return (of_ab * b, (of_ab * a, of_bc)), {"x": named["double"] * 2}


def test_a_function_of_nested_arguments():
    a, b, c, x = (leaf(float(n)) for n in (2, 3, 4, 5))
    (ab, (bc, nothing)), named = Nested()((a, (b, c)), {"x": x})
    assert (ab.item(), bc.item(), nothing, named["double"].item()) == (6.0, 12.0, None, 10.0)
    (ab + bc + named["double"]).backward()
    assert [t.grad.item() for t in (a, b, c, x)] == [3.0, 2.0, 1.0, 2.0]


def test_a_function_of_nested_arguments_refuses_other_things():
    with pytest.raises(
        ValueError, match=r"doesn't know how to process an input object of type int\. Accepted types: Tensors"
    ):
        Nested()(5)


def test_flat_values_are_arranged_again():
    assert _unflatten((1, 2, 3), [0, (0, None, {"k": 0})]) == [1, (2, None, {"k": 3})]


def test_instances_are_freed_without_the_collector():
    gc.disable()
    try:
        for make in (
            lambda: Times()(leaf(1.0), leaf(2.0)),
            lambda: Nested()((leaf(1.0), (leaf(2.0), leaf(3.0))), {"x": leaf(1.0)})[0][0],
        ):
            node = weakref.ref(make().grad_fn)
            assert node() is None
    finally:
        gc.enable()


def test_traceable_marks_a_class():
    assert traceable(Negate) is Negate and Negate.is_traceable
