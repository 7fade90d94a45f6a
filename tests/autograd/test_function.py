"""Custom Functions."""

import gc
import weakref

import pytest

import minigrad as torch
from minigrad.autograd import Function
from minigrad.autograd.function import once_differentiable


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


class Scale(Function):
    @staticmethod
    def forward(ctx, x, factor, y=None):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None, None


def test_a_function_and_its_node():
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    y = Exp.apply(x)
    assert type(y.grad_fn).__name__ == "ExpBackward"
    assert y.grad_fn.name() == "ExpBackward"
    assert y.grad_fn.next_functions[0][0].variable is x
    assert repr(y).endswith("grad_fn=<ExpBackward>)")
    y.sum().backward()
    assert x.grad.tolist() == y.tolist()


def test_double_backward_through_a_function():
    x = torch.tensor(1.0, requires_grad=True)
    (g,) = torch.autograd.grad(Exp.apply(x), x, create_graph=True)
    (gg,) = torch.autograd.grad(g, x)
    assert gg.item() == pytest.approx(2.718281828)


def test_arguments_that_are_not_tensors():
    x = torch.ones(2, requires_grad=True)
    y = Scale.apply(x, 3.0, None)
    assert y.grad_fn.needs_input_grad == (True, False, False)
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_nothing_is_recorded_without_need():
    assert Scale.apply(torch.ones(2), 3.0).grad_fn is None
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        assert not Scale.apply(x, 3.0).requires_grad


def test_forward_itself_is_not_recorded():
    class Look(Function):
        @staticmethod
        def forward(ctx, x):
            assert not torch.is_grad_enabled()
            return x * 2

        @staticmethod
        def backward(ctx, g):
            assert not torch.is_grad_enabled()
            return g * 2

    x = torch.ones(1, requires_grad=True)
    Look.apply(x).backward()
    assert x.grad.item() == 2.0


def test_setup_context_style():
    class Cube(Function):
        @staticmethod
        def forward(x):
            return x**3, x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            (x,) = inputs
            ctx.save_for_backward(x, output[1])

        @staticmethod
        def backward(ctx, g, g2):
            x, double = ctx.saved_tensors
            assert double.tolist() == [4.0]
            return 3 * x * x * g + 2 * g2

    x = torch.tensor([2.0], requires_grad=True)
    a, b = Cube.apply(x)
    assert (a.output_nr, b.output_nr) == (0, 1)
    assert a.grad_fn is b.grad_fn
    (a + b).backward()
    assert x.grad.tolist() == [14.0]


def test_undefined_gradients_are_materialised_or_none():
    received = []

    class Two(Function):
        @staticmethod
        def forward(ctx, x, materialise):
            ctx.set_materialize_grads(materialise)
            return x * 1, x * 2

        @staticmethod
        def backward(ctx, g, h):
            received.append(h)
            return g, None

    x = torch.ones(2, requires_grad=True)
    Two.apply(x, True)[0].sum().backward()
    Two.apply(x, False)[0].sum().backward()
    assert received[0].tolist() == [0.0, 0.0]
    assert received[1] is None


def test_non_differentiable_outputs():
    class Top(Function):
        @staticmethod
        def forward(ctx, x):
            i = x.argmax(0, keepdim=True)
            rounded = x.round()
            ctx.mark_non_differentiable(i, rounded)
            ctx.save_for_backward(i)
            return x.gather(0, i), i, rounded

        @staticmethod
        def backward(ctx, g, gi, gr):
            (i,) = ctx.saved_tensors
            return torch.zeros(3).scatter(0, i, g)

    x = torch.tensor([1.0, 5.0, 2.0], requires_grad=True)
    top, i, rounded = Top.apply(x)
    assert top.requires_grad and not i.requires_grad and not rounded.requires_grad
    top.sum().backward()
    assert x.grad.tolist() == [0.0, 1.0, 0.0]


def test_mark_dirty_rewrites_history():
    class Double_(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = torch.ones(2, requires_grad=True)
    y = x * 3
    version = y._version
    z = Double_.apply(y)
    assert z is y
    assert type(y.grad_fn).__name__ == "Double_Backward"
    assert y._version == version + 2  # by the write itself, and by the mark
    y.sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]
    with pytest.raises(
        RuntimeError, match="a leaf Variable that requires grad has been used in an in-place operation"
    ):
        Double_.apply(torch.ones(2, requires_grad=True))


def test_an_input_returned_as_it_is_becomes_a_view():
    class Same(Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 10

    x = torch.ones(2, requires_grad=True)
    y = Same.apply(x)
    assert y is not x
    y.sum().backward()
    assert x.grad.tolist() == [10.0, 10.0]


@pytest.mark.parametrize(
    ("returned", "error", "words"),
    [
        (
            (1, 2, 3),
            RuntimeError,
            r"function WrongBackward returned an incorrect number of gradients \(expected 2, got 3\)",
        ),
        (
            (torch.ones(2), torch.ones(2)),
            RuntimeError,
            "returned a gradient different than None at position 2",
        ),
        (
            (torch.ones(3), None),
            RuntimeError,
            r"returned an invalid gradient at index 0 - got \[3\] but expected shape",
        ),
        ((5, None), RuntimeError, r"expected Variable or None \(got int\)"),
    ],
)
def test_wrong_gradients_are_refused(returned, error, words):
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x, k):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return returned

    y = Wrong.apply(torch.ones(2, requires_grad=True), 1)
    with pytest.raises(error, match=words):
        y.sum().backward()


def test_gradients_are_summed_and_cast_to_the_input():
    class Spread(Function):
        @staticmethod
        def forward(ctx, x):
            return x.expand(3, 2).clone()

        @staticmethod
        def backward(ctx, g):
            return g.double()

    x = torch.ones(2, requires_grad=True)
    Spread.apply(x).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    assert x.grad.dtype is torch.float32


def test_saved_tensors_are_checked_and_freed():
    x = torch.ones(2, requires_grad=True)
    y = Exp.apply(x)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.sum().backward()
    w = torch.ones(2)

    class Times(Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(w)
            return x * w

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0], None

    z = Times.apply(x, w)
    w.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_once_differentiable_refuses_a_second_derivative():
    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    x = torch.tensor(3.0, requires_grad=True)
    assert torch.autograd.grad(Square.apply(x), x)[0].item() == 6.0
    (g,) = torch.autograd.grad(Square.apply(x) ** 2, x, create_graph=True)
    with pytest.raises(RuntimeError, match="trying to differentiate twice a function that was marked"):
        g.backward()


def test_a_saved_output_makes_no_cycle():
    gc.disable()
    try:
        y = Exp.apply(torch.ones(2, requires_grad=True))
        ref = weakref.ref(y)
        node = weakref.ref(y.grad_fn)
        del y
        assert ref() is None and node() is None
    finally:
        gc.enable()


def test_what_is_missing_is_said():
    class Nothing(Function):
        pass

    with pytest.raises(NotImplementedError, match="You must implement the forward function"):
        Nothing.apply(torch.ones(1))

    class NoBackward(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    with pytest.raises(NotImplementedError, match="You must implement either the backward or vjp method"):
        NoBackward.apply(torch.ones(1, requires_grad=True)).backward()


class Double_(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


class AddBoth_(Function):
    @staticmethod
    def forward(ctx, x, y):
        x.add_(y)
        ctx.mark_dirty(x)
        return x, y * 1

    @staticmethod
    def backward(ctx, g, h):
        return g, g + h


def test_mark_dirty_counts_as_a_write():
    y = torch.ones(2, requires_grad=True) * 1

    class Through(Function):
        @staticmethod
        def forward(ctx, x):
            x.detach().numpy()[...] = 5.0
            ctx.mark_dirty(x)
            return x

    z = y * y
    Through.apply(y)
    assert y._version == 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_mark_dirty_of_one_of_several_views_is_refused():
    a, _ = (torch.ones(2, requires_grad=True) * 1).unbind()
    with pytest.raises(RuntimeError, match="Output 0 of Unbind is a view and is being modified inplace"):
        Double_.apply(a)


def test_mark_dirty_of_a_view_allows_one_output_only():
    x = torch.ones(2, requires_grad=True) * 1
    with pytest.raises(RuntimeError, match="your Function cannot return more than one Tensor"):
        AddBoth_.apply(x[:1], torch.ones(1))


def test_mark_dirty_keeps_a_retained_grad_with_the_tensor():
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    y.retain_grad()
    Double_.apply(y)
    (y * y).sum().backward()
    assert y.grad.tolist() == [4.0, 4.0]


def test_backward_receives_none_for_outputs_that_are_not_tensors():
    seen = []

    class Mixed(Function):
        @staticmethod
        def forward(ctx, x):
            return "text", x * 2, None

        @staticmethod
        def backward(ctx, text, g, nothing):
            seen.append((text, g.tolist(), nothing))
            return g * 2

    x = torch.ones(2, requires_grad=True)
    text, y, nothing = Mixed.apply(x)
    assert text == "text" and nothing is None
    assert y.output_nr == 1
    y.sum().backward()
    assert seen == [(None, [1.0, 1.0], None)]
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_single_output_that_is_not_a_tensor_is_returned():
    class Shape(Function):
        @staticmethod
        def forward(ctx, x):
            return [x.shape]

    assert Shape.apply(torch.ones(2, requires_grad=True)) == [(2,)]


def test_an_input_returned_as_non_differentiable_requires_no_grad():
    class Same(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_non_differentiable(x)
            return x

    x = torch.ones(2, requires_grad=True)
    y = Same.apply(x * 1)
    assert not y.requires_grad


def test_a_complex_gradient_of_a_real_input_is_refused():
    class Turn(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 1j

    with pytest.raises(RuntimeError, match="input_is_complex == grad_is_complex"):
        Turn.apply(torch.ones(2, requires_grad=True)).sum().backward()


def test_non_leaf_tensors_are_pickled_as_leaves():
    import pickle

    y = pickle.loads(pickle.dumps(torch.ones(2, requires_grad=True) * 2))
    assert y.is_leaf and y.requires_grad and y.tolist() == [2.0, 2.0]


def test_mark_dirty_drops_a_gradient_that_was_retained_before():
    y = torch.ones(2, requires_grad=True) * 1
    y.retain_grad()
    y.sum().backward()
    Double_.apply(y)
    assert y.grad is None


def test_a_view_made_in_forward_may_not_be_written_to_even_if_nothing_was_recorded():
    class Flat(Function):
        @staticmethod
        def forward(ctx, x):
            return x.view(-1)

    y = Flat.apply(torch.ones(2, 2))
    with pytest.raises(RuntimeError, match="This view was created inside a custom Function"):
        y.copy_(torch.ones(4, requires_grad=True))
