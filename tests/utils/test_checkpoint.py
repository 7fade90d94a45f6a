"""Checkpoints give the gradients of the function itself, keep nothing meanwhile, and notice a function that does not repeat itself."""

import contextlib
import functools
import gc
import threading
import warnings
import weakref

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.autograd.graph import disable_saved_tensors_hooks, saved_tensors_hooks
from minigrad.nn import functional as F
from minigrad.utils.checkpoint import (
    SAC_IGNORED_OPS,
    CheckpointError,
    CheckpointPolicy,
    DefaultDeviceType,
    GraphExecGroup,
    SelectiveCheckpointContext,
    check_backward_validity,
    checkpoint,
    checkpoint_sequential,
    create_selective_checkpoint_contexts,
    detach_variable,
    get_device_states,
    noop_context_fn,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
    set_device_states,
)

aten = torch.ops.aten
REENTRANT, RECORDED = {"use_reentrant": True}, {"use_reentrant": False}
FORMS = pytest.mark.parametrize(
    "form",
    [REENTRANT, RECORDED, {"use_reentrant": False, "early_stop": False}],
    ids=["reentrant", "recorded", "to the end"],
)


def leaf(*shape):
    return torch.rand(*(shape or (3, 3)), dtype=torch.float64, requires_grad=True)


def again(x):
    """A leaf of the same values, without gradient."""
    return x.detach().clone().requires_grad_()


def gradient(function, x, **form):
    """The gradient of the sum of all that ``function`` returns, by ``form`` or, without one, as it is."""
    x = again(x)
    out = checkpoint(function, x, **form) if form else function(x)
    sum(z.sum() for z in (out if isinstance(out, tuple) else (out,))).backward()
    return x.grad


class Counted:
    """A function that counts its calls, and how many of them came to the end."""

    def __init__(self, function):
        self.function = function
        self.calls = self.ends = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        result = self.function(*args, **kwargs)
        self.ends += 1
        return result


# Gradients -----------------------------------------------------------------------------------------------------------------


def in_place(x):
    y = x.sin()
    y.mul_(2)
    y[0].add_(x[1])
    return y.exp_() * x


def partly_detached(x):
    return x.sin() * x.detach().exp()


def partly_unrecorded(x):
    with torch.no_grad():
        y = x.sin()
    return y * x


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        square = x * x
        ctx.save_for_backward(x, square)
        return square * x

    @staticmethod
    def backward(ctx, grad):
        x, square = ctx.saved_tensors
        return grad * (square + 2 * x * x)


PROGRAMS = {
    "elementwise": lambda x: (x.sin() * x.exp()).tanh() / (x + 2.5) - 2 * x**3,
    "numbers": lambda x: torch.xlogy(2, x + 1) + 2**x * x.lerp(x.exp(), 0.3) / 3,
    "products": lambda x: (x @ x).mm(x).sigmoid() @ x[0],
    "reductions": lambda x: x.sum(0).exp() * x.max(1)[0] + x.softmax(0).var(1),
    "views": lambda x: (
        x.t().reshape(9).view(3, 3)[1:] * x.transpose(0, 1).unsqueeze(0).expand(2, 3, 3)[0, 1:]
    ),
    "joins": lambda x: torch.cat([part.exp() for part in x.split(1)]) * torch.stack(list(x.unbind())),
    "indices": lambda x: x[torch.tensor([0, 2, 0])].exp() + torch.where(x > 0.5, x.sin(), x.cos()),
    "sorted": lambda x: x.sort(0)[0].exp() * x.topk(3, 1)[0],
    "complex": lambda x: (torch.complex(x, x + 1) * torch.complex(x.exp(), x)).abs(),
    "in place": in_place,
    "detached": partly_detached,
    "unrecorded": partly_unrecorded,
    "custom": lambda x: Cube.apply(Cube.apply(x).sin()),
    "several results": lambda x: (x.sin().exp(), x.cos().exp()),
    "nothing saved": lambda x: x + 1,
    "a view of the input": lambda x: x.view(9),
    "the input": lambda x: x,
}


@FORMS
@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_the_function(name, form):
    x = leaf()
    assert torch.equal(gradient(PROGRAMS[name], x, **form), gradient(PROGRAMS[name], x))


@pytest.mark.filterwarnings(
    "ignore:None of the inputs have requires_grad"
)  # the first run of a reentrant one in another
@FORMS
@pytest.mark.parametrize("inner", [True, False], ids=["reentrant inside", "recorded inside"])
def test_checkpoints_in_checkpoints(form, inner):
    def nested(x, use):
        return use(lambda y: y.cos().tanh() * y, x.sin()).exp()

    x = leaf()
    expected = gradient(lambda x: nested(x, lambda f, y: f(y)), x)
    found = gradient(lambda x: nested(x, functools.partial(checkpoint, use_reentrant=inner)), x, **form)
    assert torch.equal(found, expected)


def test_each_level_of_nested_checkpoints_runs_once_more_than_the_one_around_it():
    functions = []

    def level(depth):
        def function(x):
            x = x.sin()
            if depth:
                x = checkpoint(functions[depth - 1], x, use_reentrant=False)
            return x.sin()

        return Counted(function)

    for depth in range(3):
        functions.append(level(depth))
    gradient(functions[2], leaf(), **RECORDED)
    assert [function.calls for function in functions] == [4, 3, 2]


@FORMS
def test_other_arguments_and_results_pass_through(form):
    x = leaf()
    out = checkpoint(
        lambda x, n, none, table: (x * n, none, table["a"], x.sin()), x, 2, None, {"a": 5}, **form
    )
    assert out[1:3] == (None, 5)
    (out[0] + out[3]).sum().backward()
    assert torch.equal(x.grad, 2 + x.detach().cos())


def test_keyword_arguments_and_tensors_in_containers_take_part():
    x, y = leaf(), leaf()
    checkpoint(lambda x, more: (x * more["y"]).exp(), x, more={"y": y}, use_reentrant=False).sum().backward()
    expected = (x * y).exp()
    assert torch.allclose(x.grad, (expected * y).detach())
    assert torch.allclose(y.grad, (expected * x).detach())


@FORMS
def test_leaves_that_the_function_knows_get_their_gradients(form):
    w, seen = leaf(), []
    w.register_post_accumulate_grad_hook(lambda w: seen.append(w.grad.clone()))
    checkpoint(lambda x: (x @ w).sin(), leaf(), **form).sum().backward()
    assert len(seen) == 1
    assert torch.equal(seen[0], w.grad)


def test_derivatives_of_higher_order():
    def third(function):
        x = torch.tensor([0.3, 0.7], dtype=torch.float64, requires_grad=True)
        y = function(x)
        for _ in range(3):
            (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        return y

    def inner(x):
        return x.sin().exp()

    def nested(x):
        return checkpoint(lambda x: checkpoint(inner, x, **RECORDED).tanh(), x, **RECORDED)

    assert torch.allclose(third(nested), third(lambda x: inner(x).tanh()))


def test_grad_reaches_what_the_function_made():
    made = []

    def function(x):
        made.append(x.sin())
        return made[-1].exp()

    out = checkpoint(function, leaf(), **RECORDED)
    (g,) = torch.autograd.grad(out.sum(), made[0])
    assert torch.equal(g, out)


@FORMS
def test_modules_and_their_hooks(form):
    model, seen = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Dropout(0.5), nn.Linear(4, 2)), []
    model[0].register_full_backward_hook(lambda *args: seen.append("backward"))
    x = torch.rand(5, 3)

    def gradients(run):
        model.zero_grad()
        torch.manual_seed(1)
        given = x.clone().requires_grad_()
        run(given).sum().backward()
        return [given.grad, *(p.grad.clone() for p in model.parameters())]

    expected, found = gradients(model), gradients(lambda x: checkpoint(model, x, **form))
    assert all(torch.equal(a, b) for a, b in zip(expected, found))
    assert seen == ["backward", "backward"]


@FORMS
def test_backward_twice(form):
    x = leaf()
    out = checkpoint(lambda x: x.sin().exp(), x, **form).sum()
    out.backward(retain_graph=True)
    once = x.grad.clone()
    out.backward()
    assert torch.equal(x.grad, 2 * once)
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        out.backward()


def test_two_heads_one_after_the_other():
    x = leaf()
    a, b = checkpoint(lambda x: (x.sin().exp(), x.cos().tanh()), x, **RECORDED)
    a.sum().backward()
    b.sum().backward()
    assert torch.allclose(x.grad, gradient(lambda x: (x.sin().exp(), x.cos().tanh()), x))


@FORMS
def test_backward_in_another_thread(form):
    x = leaf()
    out = checkpoint(lambda x: x.sin().exp(), x, **form).sum()
    thread = threading.Thread(target=out.backward)
    thread.start()
    thread.join()
    assert torch.equal(x.grad, gradient(lambda x: x.sin().exp(), x))


@pytest.mark.parametrize("early_stop", [True, False])
@pytest.mark.parametrize("retain", [True, False])
def test_backward_inside_the_function(early_stop, retain):
    def function(x):
        y = x.sin()
        z = y.cos()
        (g,) = torch.autograd.grad(z.sum(), x, retain_graph=retain)
        return x.cos() * g + (z if retain else 0)

    x = leaf()
    found = gradient(function, x, early_stop=early_stop, **RECORDED)
    assert torch.allclose(found, gradient(function, x))


# How often the function runs, and what is kept ----------------------------------------------------------------------------------


def test_early_stop():
    def calls(**form):
        function = Counted(lambda x: x.sin().exp().sum())
        gradient(function, leaf(), use_reentrant=False, **form)
        return function.calls, function.ends

    assert calls() == (2, 1)
    assert calls(early_stop=False) == (2, 2)
    with set_checkpoint_early_stop(False):
        assert calls() == (2, 2)
        with set_checkpoint_early_stop(True):
            assert calls(early_stop=False) == (2, 1)
        out = checkpoint(function := Counted(lambda x: x.sin().exp().sum()), leaf(), **RECORDED)
    out.backward()
    assert function.ends == 2  # as it was in forward


@FORMS
def test_nothing_is_recorded_or_repeated_without_grad(form):
    function = Counted(lambda x: x.sin())
    with torch.no_grad():
        assert not checkpoint(function, leaf(), **form).requires_grad
    assert function.calls == 1


@FORMS
def test_intermediate_results_are_not_kept(form):
    made = []

    def function(x):
        y = x.sin()
        z = y.exp()
        made.extend((weakref.ref(y), weakref.ref(z)))
        return (z * y).sum()

    gc.disable()
    try:
        out = checkpoint(function, leaf(), **form)
        assert [ref() for ref in made] == [None, None]
        out.backward()
        assert [ref() for ref in made] == [None] * 4
    finally:
        gc.enable()


@FORMS
def test_inputs_are_kept_until_backward_or_the_end_of_the_graph(form):
    gc.disable()
    try:
        for end in ("backward", "dropped"):
            x = leaf() * 2
            ref = weakref.ref(x)
            out = checkpoint(lambda x: x.sin().exp(), x, **form).sum()
            del x
            assert ref() is not None
            if end == "backward":
                out.backward()
            else:
                del out
            assert ref() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "form",
    [
        REENTRANT,
        RECORDED,
        {**RECORDED, "context_fn": lambda: create_selective_checkpoint_contexts([aten.mm.default])},
        {**RECORDED, "debug": True},
    ],
    ids=["reentrant", "recorded", "selective", "debug"],
)
def test_no_growth_over_many_steps(form):
    w = leaf()

    def step():
        inner = lambda x: (x @ w).tanh()
        checkpoint(lambda x: checkpoint(inner, x, **form).exp(), leaf(), **form).sum().backward()

    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            step()
        before = len(gc.get_objects())
        for _ in range(50):
            step()
        assert len(gc.get_objects()) - before < 10
    finally:
        gc.enable()


def test_a_group_recomputes_once():
    def run():
        function = Counted(lambda x: (x.sin().exp(), x.exp().sin()))
        x = leaf()
        a, b = checkpoint(function, x, early_stop=False, **RECORDED)
        a.sum().backward()
        b.sum().backward()
        assert torch.allclose(x.grad, gradient(function.function, x))
        return function.calls

    assert run() == 3
    with GraphExecGroup() as group:
        assert run() == 2
        assert GraphExecGroup._get_current_group() is group
        with pytest.raises(RuntimeError, match="GraphExecGroup contexts cannot be nested"), GraphExecGroup():
            pass
    x = leaf()
    out = checkpoint(lambda x: x.exp().sin(), x, **RECORDED).sum()
    with GraphExecGroup():
        out.backward(retain_graph=True)
        with pytest.raises(CheckpointError, match=r"Performing two backward calls that overlap"):
            out.backward()


# Random numbers ------------------------------------------------------------------------------------------------------------


@FORMS
def test_random_numbers_are_the_same_again(form):
    x = torch.ones(100, requires_grad=True)
    out = checkpoint(lambda x: F.dropout(x.exp(), 0.5).sin(), x, **form)
    torch.rand(3)
    state = torch.get_rng_state()
    out.sum().backward()
    assert torch.equal(out != 0, x.grad != 0)
    assert torch.equal(torch.get_rng_state(), state)


@FORMS
def test_random_numbers_go_on_where_nothing_was_preserved(form):
    x = torch.ones(100, requires_grad=True)
    out = checkpoint(lambda x: F.dropout(x.exp(), 0.5).sin(), x, preserve_rng_state=False, **form)
    state = torch.get_rng_state()
    out.sum().backward()
    assert not torch.equal(out != 0, x.grad != 0)
    assert not torch.equal(torch.get_rng_state(), state)


# What is refused ------------------------------------------------------------------------------------------------------------


def test_the_form_should_be_chosen():
    with pytest.warns(UserWarning, match="the use_reentrant parameter should be passed explicitly"):
        out = checkpoint(torch.sin, leaf())
    assert out.grad_fn.name() == "CheckpointFunctionBackward"
    with pytest.warns(
        UserWarning, match="checkpoint_sequential: the use_reentrant parameter should be passed"
    ):
        checkpoint_sequential([torch.sin, torch.cos], 2, leaf())


def test_the_reentrant_form_needs_an_input_that_requires_grad():
    with pytest.warns(
        UserWarning, match="None of the inputs have requires_grad=True. Gradients will be None"
    ):
        out = checkpoint(torch.sin, torch.ones(2), use_reentrant=True)
    assert not out.requires_grad
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        check_backward_validity([torch.ones(1), "text"])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        check_backward_validity([torch.ones(1), leaf()])
    assert not seen


@pytest.mark.parametrize("inner", [True, False], ids=["nested", "alone"])
def test_the_reentrant_form_refuses_runs_for_some_inputs_only(inner):
    x = leaf()
    function = functools.partial(checkpoint, torch.sin, use_reentrant=True) if inner else torch.sin
    text = (
        r"When use_reentrant=True, torch\.utils\.checkpoint is incompatible with \.grad\(\) or passing an `inputs` "
        r"parameter to \.backward\(\)\. Call \.backward\(\) without it, or checkpoint with use_reentrant=False"
    )
    with pytest.raises(RuntimeError, match=text):
        torch.autograd.grad(checkpoint(function, x, use_reentrant=True).sum(), x)
    with pytest.raises(RuntimeError, match=text):
        checkpoint(function, x, use_reentrant=True).sum().backward(inputs=[x])
    checkpoint(function, x, use_reentrant=True).sum().backward()
    assert torch.equal(x.grad, x.detach().cos())


def test_the_reentrant_form_needs_a_result_that_requires_grad():
    out = checkpoint(lambda x: x.detach(), leaf(), use_reentrant=True).sum()
    with pytest.raises(RuntimeError, match="none of output has requires_grad=True, this checkpoint"):
        out.backward()


@pytest.mark.parametrize(
    ("kwargs", "text"),
    [
        ({"use_reentrant": True, "n": 1, "m": 2}, "Unexpected keyword arguments: n,m"),
        ({"use_reentrant": True, "debug": True}, "Passing `context_fn` or `debug` is only supported when"),
        ({"use_reentrant": True, "context_fn": lambda: None}, "Passing `context_fn` or `debug` is only"),
        (
            {"use_reentrant": False, "determinism_check": "much"},
            r"one of \['default', 'none'\], but got much",
        ),
        (
            {"use_reentrant": False, "debug": True, "context_fn": lambda: noop_context_fn()},
            "debug=True is incompatible with non-default context_fn",
        ),
    ],
)
def test_arguments_that_do_not_fit(kwargs, text):
    with pytest.raises(ValueError, match=text):
        checkpoint(torch.sin, leaf(), **kwargs)


@FORMS
def test_exceptions_pass_and_leave_nothing_behind(form):
    fails = [True]

    def function(x):
        y = x.sin()
        if fails.pop(0):
            raise KeyError("here")
        return y.exp().cos()

    x = leaf()
    with pytest.raises(KeyError, match="here"):
        checkpoint(function, x, **form)
    fails[:] = [False, True, False]
    out = checkpoint(function, x, **form).sum()
    with pytest.raises(KeyError, match="here"):
        out.backward(retain_graph=True)
    assert x.grad is None
    out.backward()
    assert torch.equal(x.grad, gradient(lambda x: x.sin().exp().cos(), x))


@FORMS
def test_an_input_that_was_written_to(form):
    x = leaf() * 1
    out = checkpoint(lambda x: x.sin().exp(), x, **form).sum()
    x.add_(1)
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        out.backward()


# Functions that do not repeat themselves -----------------------------------------------------------------------------------------


def second_time(first, other):
    """A function that is ``first`` when called first, and then ``other``."""
    functions = [first]
    return lambda x: functions.pop()(x) if functions else other(x)


def failing_backward(function, **form):
    x = leaf()
    out = checkpoint(function, x, use_reentrant=False, **form).sum()
    with pytest.raises(CheckpointError) as caught:
        out.backward()
    return str(caught.value)


def test_fewer_tensors_than_before():
    text = failing_backward(second_time(lambda x: x.sin().sin().sin(), lambda x: x.sin()))
    assert "A different number of tensors was saved during the original forward and recomputation." in text
    assert (
        "Number of tensors saved during forward: 3\nNumber of tensors saved during recomputation: 1." in text
    )
    assert "Tip: To see a more detailed error message, either pass `debug=True`" in text


def test_more_tensors_than_before():
    function = second_time(lambda x: x.sin(), lambda x: x.sin().sin())
    text = failing_backward(function, early_stop=False)
    assert "trying to save more tensors during recomputation than during the original forward pass." in text


def test_other_shapes_or_dtypes_than_before():
    text = failing_backward(second_time(lambda x: x.sin().exp(), lambda x: x[:2].sin().exp()))
    assert (
        "Recomputed values for the following tensors have different metadata than during the forward pass"
        in text
    )
    assert (
        "tensor at position 0:\n"
        "saved metadata: {'shape': torch.Size([3, 3]), 'dtype': torch.float64, 'device': device(type='cpu')}\n"
        "recomputed metadata: {'shape': torch.Size([2, 3]), 'dtype': torch.float64, 'device': device(type='cpu')}\n"
    ) in text
    failing_backward(second_time(lambda x: x.sin().exp(), lambda x: x.float().sin().exp()))


def test_the_check_can_be_left_out():
    function = second_time(lambda x: x.exp(), lambda x: x[:1].exp())
    x = leaf()
    checkpoint(function, x, determinism_check="none", **RECORDED).sum().backward()
    assert torch.equal(x.grad, x.detach().exp()[:1].expand(3, 3))


@pytest.mark.parametrize("by", ["argument", "context"])
def test_debug_lists_the_operators(by):
    function = second_time(lambda x: (x.sin() * 2.5).exp(), lambda x: x.cos().sum(dim=0).exp())
    with set_checkpoint_debug_enabled(True) if by == "context" else contextlib.nullcontext():
        text = failing_backward(function, early_stop=False, **({"debug": True} if by == "argument" else {}))
    first, again = text.split("Operations executed during the original forward:")[1].split(
        "Operations executed during recomputation:"
    )
    assert first.split("\n")[2:5] == [
        "$1: f64[3, 3] = torch._ops.aten.sin.default($0)",
        "$2: f64[3, 3] = torch._ops.aten.mul.Tensor($1, 2.5)",
        "$3: f64[3, 3] = torch._ops.aten.exp.default($2)",
    ]
    assert "$2: f64[3] = torch._ops.aten.sum.dim_IntList($1, 0" in again
    assert "You are seeing this error because you passed `debug=True` to checkpoint" in text
    calls = text.split("(1 of 3 in original)\n\n")[1].split("\n")
    assert __file__ in calls[0]
    assert calls[0].endswith(":<lambda>")


def test_debug_can_be_switched_off_from_around():
    function = second_time(lambda x: x.sin().sin(), lambda x: x.sin())
    with set_checkpoint_debug_enabled(False):
        assert "A different number of tensors" in failing_backward(function, debug=True)


def test_a_saved_tensor_is_unpacked_once_in_a_run():
    class Greedy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0] * ctx.saved_tensors[0]

    text = failing_backward(Greedy.apply)
    assert (
        "Unpack is being triggered for a tensor that was already unpacked once. Read ctx.saved_tensors once"
        in text
    )


def test_saved_attributes_outside_of_backward():
    out = checkpoint(lambda x: x.sin().exp(), leaf(), **RECORDED)
    assert torch.equal(out.grad_fn._saved_result, out)
    assert torch.equal(out.grad_fn._saved_result, out)


# Hooks and contexts ------------------------------------------------------------------------------------------------------------


def test_hooks_around_a_checkpoint_see_its_inputs_only():
    packed = []

    def pack(x):
        packed.append(x.shape)
        return x

    x, constant = leaf(3, 3), torch.ones(2)
    with saved_tensors_hooks(pack, lambda x: x):
        out = checkpoint(lambda x, c: (x.sum(0).sin().exp(), c), x, constant, **RECORDED)[0].sum()
    assert packed == [(3, 3), (2,)]
    out.backward()
    assert torch.equal(x.grad, gradient(lambda x: x.sum(0).sin().exp(), x))


@FORMS
def test_hooks_inside_a_checkpoint(form):
    events = []

    def function(x):
        y = x.sin()
        with saved_tensors_hooks(
            lambda t: events.append("pack") or t, lambda t: events.append("unpack") or t
        ):
            y = y.exp()
        return y.cos()

    x = leaf()
    assert torch.equal(gradient(function, x, **form), gradient(lambda x: x.sin().exp().cos(), x))
    assert "unpack" in events


def test_refused_hooks_refuse_checkpoints():
    with disable_saved_tensors_hooks("not here"), pytest.raises(RuntimeError, match="not here"):
        checkpoint(torch.sin, leaf(), **RECORDED)


def test_contexts_of_both_runs():
    events = []

    @contextlib.contextmanager
    def noting(name):
        events.append(f"enter {name}")
        yield
        events.append(f"exit {name}")

    function = lambda x: events.append("run") or x.sin().exp()
    contexts = lambda: (noting("forward"), noting("recomputation"))
    gradient(function, leaf(), context_fn=contexts, early_stop=False, **RECORDED)
    assert events == [
        "enter forward",
        "run",
        "exit forward",
        "enter recomputation",
        "run",
        "exit recomputation",
    ]


def test_a_forward_context_may_not_hide_exceptions():
    contexts = lambda: (contextlib.suppress(ZeroDivisionError), contextlib.nullcontext())
    with pytest.raises(RuntimeError, match="suppressed an exception raised during the checkpointed forward"):
        checkpoint(lambda x: 1 / 0, leaf(), context_fn=contexts, **RECORDED)


# checkpoint_sequential -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("use_reentrant", [True, False])
@pytest.mark.parametrize("segments", [1, 2, 3, 5])
def test_sequential(segments, use_reentrant):
    functions = [Counted(torch.sin) for _ in range(5)]
    x = leaf()
    checkpoint_sequential(functions, segments, x, use_reentrant=use_reentrant).sum().backward()
    assert torch.equal(x.grad, gradient(lambda x: x.sin().sin().sin().sin().sin(), x))
    last = 5 // segments * (segments - 1)
    assert [f.calls for f in functions] == [2] * last + [1] * (5 - last)


def test_sequential_of_modules():
    model, x = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)), torch.rand(2, 3)
    out = checkpoint_sequential(model, 3, x, use_reentrant=False)
    assert torch.equal(out, model(x))
    with pytest.raises(ValueError, match="Unexpected keyword arguments: a,b"):
        checkpoint_sequential(model, 3, x, use_reentrant=False, a=1, b=2)


# Selective checkpoints -----------------------------------------------------------------------------------------------------------


def selective(policy, **kwargs):
    return {
        **RECORDED,
        "context_fn": functools.partial(create_selective_checkpoint_contexts, policy, **kwargs),
    }


@pytest.mark.parametrize("policy", CheckpointPolicy)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "in place"])
def test_gradients_are_the_same_under_any_policy(name, policy):
    x = leaf()
    found = gradient(PROGRAMS[name], x, **selective(lambda ctx, op, *args, **kwargs: policy))
    assert torch.equal(found, gradient(PROGRAMS[name], x))


@pytest.mark.parametrize("kept", [(), ("mul",), ("exp",), ("mul", "exp")])
def test_kept_results_are_not_computed_again(kept):
    """A factor that grows with each call shows which of the runs a result is from."""
    calls = []

    def function(x):
        calls.append(None)
        return (x * len(calls)).exp().sin()

    ops = {"mul": aten.mul.Tensor, "exp": aten.exp.default}
    x = leaf()
    found = gradient(function, x, **selective([ops[name] for name in kept]))
    factor = torch.tensor(1.0 if kept else 2.0, dtype=torch.float64)
    inner = (x.detach() * factor).exp()
    assert torch.allclose(found, inner.cos() * inner * 1)


def test_what_a_policy_is_told():
    seen = []

    def policy(ctx, op, *args, **kwargs):
        assert isinstance(ctx, SelectiveCheckpointContext)
        assert not ctx.is_recompute
        seen.append((str(op), ctx.op_output.shape, [x.shape for x in args if isinstance(x, torch.Tensor)]))
        return op is aten.addmm.default

    w, b = leaf(2, 3), leaf(2)
    gradient(lambda x: F.linear(x, w, b).sum(0) * 2 - 1, leaf(4, 3), **selective(policy))
    assert seen == [
        ("aten.addmm.default", (4, 2), [(2,), (4, 3), (3, 2)]),
        ("aten.sum.dim_IntList", (2,), [(4, 2)]),
        ("aten.mul.Tensor", (2,), [(2,)]),
        ("aten.sub.Tensor", (2,), [(2,)]),
    ]


def test_selective_checkpoints_in_selective_checkpoints():
    def function(x):
        return checkpoint(lambda y: y.exp().cos(), x.sin(), **selective([aten.exp.default])).tanh()

    x = leaf()
    assert torch.equal(
        gradient(function, x, **selective([aten.sin.default])),
        gradient(lambda x: x.sin().exp().cos().tanh(), x),
    )


def test_kept_results_serve_one_backward():
    out = checkpoint(lambda x: x.sin().exp().cos(), leaf(), **selective([aten.exp.default])).sum()
    out.backward(retain_graph=True)
    with pytest.raises(
        RuntimeError, match="Trying to backward an extra time. You are only allowed to backward once"
    ):
        out.backward()


def test_kept_results_may_not_be_written_to():
    def function(x):
        y = x.sin() * 2
        y.add_(1)
        return y.cos()

    out = checkpoint(function, leaf(), **selective([aten.mul.Tensor])).sum()
    with pytest.raises(
        RuntimeError, match="Tensor cached during selective activation checkpoint has been mutated"
    ):
        out.backward()
    x = leaf()
    form = selective([aten.mul.Tensor], allow_cache_entry_mutation=True)
    assert not torch.equal(gradient(function, x, **form), gradient(function, x))  # 1 is added twice


@pytest.mark.parametrize(
    ("other", "text"),
    [
        (lambda x: x.cos().exp(), "aten.cos.default encountered during backward but not found in storage"),
        (
            lambda x: x.sin().sin().exp(),
            "aten.sin.default invocation index 1 encountered during backward but not",
        ),
    ],
)
def test_other_operators_than_before(other, text):
    function = second_time(lambda x: x.sin().exp(), other)
    out = checkpoint(function, leaf(), early_stop=False, **selective([aten.exp.default])).sum()
    with pytest.raises(RuntimeError, match=text):
        out.backward()


def test_policies_that_are_none():
    with pytest.raises(ValueError, match="choose one, as `torch.ops.aten.mm.default`"):
        create_selective_checkpoint_contexts([aten.mm])
    with pytest.raises(ValueError, match="Expected op in `op_list` to be an OpOverload but got: mm of type"):
        create_selective_checkpoint_contexts(["mm"])
    with pytest.raises(TypeError, match="policy_fn_or_list must be either a function or a list of ops"):
        create_selective_checkpoint_contexts(3)


def test_ignored_operators_are_none_that_compute():
    assert aten.detach.default in SAC_IGNORED_OPS
    assert aten.mm.default not in SAC_IGNORED_OPS


# Small parts -----------------------------------------------------------------------------------------------------------------


def test_detach_variable():
    x = leaf() * 2
    found, same = detach_variable((x, "text"))
    assert found.is_leaf
    assert found.requires_grad
    assert same == "text"
    assert found.data_ptr() == x.data_ptr()
    with pytest.raises(
        RuntimeError, match="Only tuple of tensors is supported. Got Unsupported input type: list"
    ):
        detach_variable([x])


def test_devices():
    assert DefaultDeviceType.get_device_type() == "cpu"
    assert get_device_states(leaf()) == ([], [])
    set_device_states([], [])
    set_device_states([0], [None], device_type="meta")
    with pytest.raises(RuntimeError, match="no device of type 'cuda' has a random generator"):
        set_device_states([0], [None], device_type="cuda")


def test_fork_rng_knows_no_other_device():
    state = torch.get_rng_state()
    with torch.random.fork_rng(devices=[], device_type="cuda"):
        torch.rand(1)
    assert torch.equal(torch.get_rng_state(), state)
    with torch.random.fork_rng(enabled=False):
        torch.rand(1)
    assert not torch.equal(torch.get_rng_state(), state)
    with (
        pytest.raises(RuntimeError, match="Expected one of cpu, cuda"),
        torch.random.fork_rng(device_type="foo"),
    ):
        pass
    with (
        pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"),
        torch.random.fork_rng([0]),
    ):
        pass
