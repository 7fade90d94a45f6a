"""Custom Functions."""

import copy
import gc
import pickle
import sys
import weakref

import pytest

import minigrad as torch
from minigrad.autograd import Function
from minigrad.autograd.function import BackwardCFunction, FunctionCtx, once_differentiable


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


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


def function(forward, backward=lambda ctx, g: g, **attributes):
    """A new Function called F."""
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward), **attributes}
    return type(Function)("F", (Function,), body)


# Contexts ------------------------------------------------------------------------------------------------------------------


def test_the_context_is_the_node():
    contexts = []

    def forward(ctx, x):
        contexts.append(ctx)
        ctx.factor = 3
        return x * 3

    y = function(forward).apply(leaf(1.0))
    node = y.grad_fn
    assert node is contexts[0] and node.factor == 3
    assert isinstance(node, BackwardCFunction) and isinstance(node, FunctionCtx)
    assert isinstance(node, torch.autograd.graph.Node) and not isinstance(node, Function)
    assert (type(node).__name__, type(node).__module__) == ("FBackward", "minigrad.autograd.function")
    node.metadata["seen"] = True
    assert y.grad_fn.metadata == {"seen": True}


def test_attributes_of_a_context_may_have_names_that_nodes_use_in_other_ways():
    taken = ("shapes", "inputs", "value", "saved", "names", "kept", "made", "held", "hold", "prefix")

    def forward(ctx, x):
        for name in taken:
            setattr(ctx, name, name)
        ctx.save_for_backward(x)
        return x * 2

    def backward(ctx, g):
        assert [getattr(ctx, name) for name in taken] == list(taken)
        (x,) = ctx.saved_tensors
        return g * x

    x = leaf(3.0)
    function(forward, backward).apply(x).backward()
    assert x.grad.tolist() == [3.0]


def test_a_context_is_not_copied_or_called():
    node = Exp.apply(leaf(1.0)).grad_fn
    for refuse in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot pickle 'ExpBackward' object"):
            refuse(node)
    with pytest.raises(TypeError, match="'ExpBackward' object is not callable"):
        node(torch.ones(1))
    assert node.apply(torch.ones(1)).item() == pytest.approx(2.718281828)


def test_what_a_context_was_told_is_gone_after_forward():
    def forward(ctx, x):
        assert ctx.saved_tensors == () and ctx.to_save is None and ctx.next_functions[0][0].variable is x
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        assert ctx.saved_tensors == (x,)  # those for forward mode
        y = x * 1
        ctx.mark_non_differentiable(y)
        return y, x * 2

    node = function(forward).apply(leaf(1.0))[1].grad_fn
    assert node.to_save is node.saved_for_forward is node.non_differentiable is node.dirty_tensors is None
    assert len(node.saved_tensors) == 1


def test_attributes_that_are_not_to_be_set_or_read():
    node = Exp.apply(leaf(1.0)).grad_fn
    for name in ("saved_tensors", "metadata", "next_functions", "requires_grad"):
        with pytest.raises(AttributeError):
            setattr(node, name, None)
    with pytest.raises(AttributeError):
        node.materialize_grads
    with pytest.raises(TypeError, match="set_materialize_grads received an invalid combination"):
        node.set_materialize_grads(1)


@pytest.mark.parametrize(
    ("mark", "error", "words"),
    [
        (
            lambda ctx, x: ctx.save_for_backward(x, 5),
            TypeError,
            "can only save variables, but argument 1 is of type int",
        ),
        (
            lambda ctx, x: ctx.mark_dirty(5),
            RuntimeError,
            "mark_dirty can only accept variables, but argument 0",
        ),
        (
            lambda ctx, x: ctx.mark_non_differentiable(5),
            RuntimeError,
            "mark_non_differentiable only accepts variable",
        ),
        (lambda ctx, x: ctx.save_for_forward(5), AssertionError, "expects all arguments to be tensors"),
        (
            lambda ctx, x: setattr(ctx, "to_save", [x]),
            RuntimeError,
            "to_save attribute is expected to be a tuple",
        ),
    ],
)
def test_only_tensors_are_marked_and_saved(mark, error, words):
    def forward(ctx, x):
        mark(ctx, x)
        return x * 1

    with pytest.raises(error, match=words):
        function(forward).apply(leaf(1.0))


def test_deprecated_names_warn():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        with pytest.warns(FutureWarning, match="`mark_shared_storage` is deprecated"):
            ctx.mark_shared_storage((x, x))
        return x * 1

    node = function(forward).apply(leaf(1.0)).grad_fn
    with pytest.warns(DeprecationWarning, match="'saved_variables' is deprecated"):
        assert len(node.saved_variables) == 1


# Arguments -----------------------------------------------------------------------------------------------------------------


def test_arguments_by_keyword_find_their_places():
    def forward(ctx, x, factor=1, other=None):
        return x * factor

    F = function(forward, lambda ctx, g: (g, g))
    x, factor = leaf(2.0), leaf(3.0)
    F.apply(x, factor=factor).backward()
    assert factor.grad.tolist() == [1.0]
    with pytest.raises(TypeError, match="unexpected keyword argument 'power'"):
        F.apply(x, power=2)
    with pytest.raises(TypeError, match="multiple values for argument 'x'"):
        F.apply(x, x=x)
    with pytest.raises(TypeError, match=r"missing required argument: 'factor' \(position 1\)"):
        F.apply(x, other=1)


def test_setup_context_sees_defaults():
    seen = []

    class F(Function):
        @staticmethod
        def forward(x, factor=2):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen.append(inputs[1])

    x = leaf(1.0)
    for args, kwargs in (((x,), {}), ((x, 3), {}), ((x,), {"factor": 4}), ((), {"factor": 5, "x": x})):
        F.apply(*args, **kwargs)
    assert seen == [2, 3, 4, 5]


# Saved tensors -------------------------------------------------------------------------------------------------------------


def test_a_function_that_saved_nothing_runs_backward_again():
    x = leaf(1.0)
    y = Scale.apply(x, 3.0)
    y.backward()
    y.backward()
    assert x.grad.tolist() == [6.0]


def test_saved_tensors_read_once_are_freed_then():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 1

    def backward(ctx, g):
        assert len(ctx.saved_tensors) == 1
        with pytest.raises(RuntimeError, match="saved_tensors can only be accessed once"):
            ctx.saved_tensors
        return g

    function(forward, backward, clear_saved_tensors_on_access=True).apply(leaf(1.0)).backward()


def test_a_saved_view_that_is_returned_makes_no_cycle():
    class ExpInPlace(Function):
        @staticmethod
        def forward(ctx, x):
            x.exp_()
            ctx.mark_dirty(x)
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    gc.disable()
    try:
        base = leaf(0.0, 0.0) * 1
        ExpInPlace.apply(base[:1])
        node = weakref.ref(base.grad_fn)
        del base
        assert node() is None
    finally:
        gc.enable()


# Outputs -------------------------------------------------------------------------------------------------------------------


def test_one_tensor_may_be_returned_twice():
    def forward(ctx, x):
        y = x * 2
        return y, y

    x = leaf(1.0)
    a, b = function(forward, lambda ctx, g, h: g + 10 * h).apply(x)
    assert a is b and a.output_nr == 1
    a.backward()
    assert x.grad.tolist() == [10.0]


def test_history_made_inside_forward_is_dropped():
    def forward(ctx, x):
        with torch.enable_grad():
            return x * 2

    x = leaf(1.0)
    y = function(forward, lambda ctx, g: g * 10).apply(x)
    y.backward()
    assert x.grad.tolist() == [10.0]


def test_several_differentiable_views_may_not_be_modified():
    x = leaf(1.0, 2.0) * 1
    a, _ = function(lambda ctx, x: (x[:1], x[1:]), lambda ctx, g, h: torch.cat([g, h])).apply(x)
    with pytest.raises(RuntimeError, match="output of a function that returns multiple views"):
        a.add_(1)


def test_an_input_returned_and_saved_in_setup_context_is_refused():
    class F(Function):
        @staticmethod
        def forward(x):
            return x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)

    with pytest.raises(RuntimeError, match="An input that has been returned as-is as output is being saved"):
        F.apply(leaf(1.0))


def test_undefined_gradients_of_constants_may_stay_undefined():
    seen = []

    def forward(ctx, x):
        ctx._materialize_non_diff_grads = False
        return x * 1, x * 2, x.long()

    def backward(ctx, *gs):
        seen.extend(gs)
        return gs[0]

    function(forward, backward).apply(leaf(1.0))[0].backward()
    assert seen[1].tolist() == [0.0] and seen[2] is None


# mark_dirty ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False])
def test_mark_dirty_of_a_view_wherever_it_stands_among_the_arguments(first):
    def forward(ctx, *args):
        view, other = args if first else args[::-1]
        view.add_(other)
        ctx.mark_dirty(view)
        return view

    def backward(ctx, g):
        return (g * 3, g * 5) if first else (g * 5, g * 3)

    x, w = leaf(1.0, 2.0), leaf(7.0)
    base = x * 1
    view = base[:1]
    out = function(forward, backward).apply(*((view, w) if first else (w, view)))
    assert out is view and base.tolist() == [8.0, 2.0]
    assert type(base.grad_fn).__name__ == "CopySlices" and type(view.grad_fn).__name__ == "AsStridedBackward0"
    base.sum().backward()
    assert x.grad.tolist() == [3.0, 1.0] and w.grad.tolist() == [5.0]


def test_mark_dirty_without_grad_gives_a_detached_alias():
    x = leaf(1.0)
    with torch.no_grad():
        y = Double_.apply(x)
    assert x.tolist() == y.tolist() == [2.0] and y is not x and not y.requires_grad


def test_mark_dirty_of_what_is_no_input_warns():
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    with pytest.warns(UserWarning, match=r"ctx.mark_dirty\(\) received a tensor that was not an input"):
        function(forward).apply(leaf(1.0))


# Backward ------------------------------------------------------------------------------------------------------------------


def test_a_list_of_gradients_is_refused():
    with pytest.raises(RuntimeError, match=r"expected Variable or None \(got list\)"):
        function(lambda ctx, x: x * 1, lambda ctx, g: [g]).apply(leaf(1.0)).backward()


def test_a_gradient_that_nobody_wants_may_have_any_shape():
    x, w = leaf(1.0), torch.ones(1)
    function(lambda ctx, x, w: x * w, lambda ctx, g: (g, torch.ones(3))).apply(x, w).backward()
    assert x.grad.tolist() == [1.0]


def test_backward_as_one_list():
    def backward(ctx, gs):
        return gs.pop() + gs.pop()

    x = leaf(1.0)
    a, b = function(lambda ctx, x: (x * 1, x * 2), backward, boxed_grads_call=True).apply(x)
    (a + b).backward()
    assert x.grad.tolist() == [2.0]


def test_vjp_is_backward_by_another_name_and_not_both():
    def rule(ctx, g):
        return g * 7

    class Named(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        vjp = staticmethod(rule)

    x = leaf(1.0)
    Named.apply(x).backward()
    assert x.grad.tolist() == [7.0]

    class Both(Named):
        backward = staticmethod(rule)

    with pytest.raises(RuntimeError, match="Implementing both 'backward' and 'vjp'"):
        Both.apply(x).backward()


def test_exceptions_restore_the_grad_mode():
    def fail(ctx, *args):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        function(fail).apply(leaf(1.0))
    assert torch.is_grad_enabled()
    with pytest.raises(ValueError, match="no"):
        function(lambda ctx, x: x * 1, fail).apply(leaf(1.0)).backward()
    assert torch.is_grad_enabled()


class Again(Function):
    """x - 1; its backward runs that of another one inside, until x is negative."""

    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            ctx.x = x.detach().requires_grad_() - 1
        return ctx.x.detach()

    @staticmethod
    def backward(ctx, g):
        if ctx.x.item() < 0:
            assert ctx.x.item() == -1
            return g
        with torch.enable_grad():
            Again.apply(ctx.x).sum().backward()
        return g


def test_backward_inside_backward_goes_deeper_than_python_recurses():
    x = torch.tensor(sys.getrecursionlimit() * 1.0, requires_grad=True)
    Again.apply(x).backward()
    assert x.grad.item() == 1.0


def test_exceptions_come_up_from_any_depth():
    x = torch.tensor(100.5, requires_grad=True)
    with pytest.raises(AssertionError):
        Again.apply(x).backward()
    assert torch.is_grad_enabled()


def test_long_chains_run_and_are_freed_without_recursion_or_collector():
    x = leaf(1.0)
    gc.disable()
    try:
        y = x
        for _ in range(30_000):
            y = Scale.apply(y, 1.0)
        node = weakref.ref(y.grad_fn)
        y.backward()
        del y
        assert node() is None
    finally:
        gc.enable()
    assert x.grad.tolist() == [1.0]


def test_gradients_returned_twice_are_not_shared():
    x, y = leaf(1.0), leaf(2.0)
    function(lambda ctx, x, y: x + y, lambda ctx, g: (g, g)).apply(x, y).backward()
    x.grad.add_(1)
    assert y.grad.tolist() == [1.0]


def test_an_instance_of_a_function_with_static_forward_is_refused():
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        instance = Exp()
    with pytest.raises(
        RuntimeError, match="Legacy autograd function with non-static forward method is deprecated"
    ):
        instance(leaf(1.0))


@pytest.mark.torch
def test_every_public_name_of_the_module_is_here():
    torch_function = pytest.importorskip("torch").autograd.function
    missing = [name for name in torch_function.__all__ if not hasattr(torch.autograd.function, name)]
    assert missing == []


def test_users_may_put_any_attribute_on_the_context():
    names = "next seq extra outputs storage shapes value held hold places_held values saved x y z params shape inputs edges names prefix".split()

    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            for name in names:
                setattr(ctx, name, name)
            ctx.save_for_backward(x)
            return x * x, x + 1

        @staticmethod
        def backward(ctx, g, h):
            assert [getattr(ctx, name) for name in names] == names
            (x,) = ctx.saved_tensors
            return 2 * x * g + h

    x = torch.tensor(3.0, requires_grad=True)
    y, z = Square.apply(x)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 1, lambda t: t):
        w, _ = Square.apply(y)
    (w + z).backward()
    assert x.grad.item() == 2 * 9 * 2 * 3 + 1
    assert y.grad_fn.name() == "SquareBackward"
