"""The profiler: what is noted of a program, how it nests, what it says of shapes, memory, FLOPs, lines and modules."""

import pickle
import threading

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.autograd import profiler
from minigrad.autograd.profiler import profile, record_function


def tree(prof):
    """The nesting of a profile as nested lists ``[name, child, ...]``, without the events of memory alone."""

    def of(event):
        return [event.name, *[of(child) for child in event.cpu_children]]

    return [of(e) for e in prof.function_events if e.cpu_parent is None and e.name != "[memory]"]


def named(prof, name):
    """The only event of a name."""
    (event,) = [e for e in prof.function_events if e.name == name]
    return event


def node(name):
    return [f"autograd::engine::evaluate_function: {name}", [name]]


LEAF = node("torch::autograd::AccumulateGrad")


# What is noted -----------------------------------------------------------------------------------------------------------


def test_operators_and_backward_nodes_in_their_order():
    x = torch.ones(2, requires_grad=True)
    with profile() as prof:
        (x * 2 + 1).sum().backward()
    assert tree(prof) == [
        ["aten::mul"],
        ["aten::add"],
        ["aten::sum"],
        node("SumBackward0"),
        node("AddBackward0"),
        node("MulBackward0"),
        LEAF,
    ]


def test_functions_stand_around_the_steps_that_do_their_work():
    x, w, b = torch.ones(2, 3), torch.ones(4, 3), torch.ones(4)
    with profile() as prof:
        torch.softmax(x, 1)
        nn.functional.linear(x, w, b)
        torch.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2))
        x @ w.t()
        x.to(torch.float64)
    assert tree(prof) == [
        ["aten::softmax", ["aten::_softmax"]],
        ["aten::linear", ["aten::addmm"]],
        ["aten::ones"],
        ["aten::ones"],
        ["aten::conv2d", ["aten::convolution"]],
        ["aten::t"],
        ["aten::matmul", ["aten::mm"]],
        ["aten::to", ["aten::_to_copy"]],
    ]


def test_functions_that_are_no_operators_are_noted():
    with profile() as prof:
        x = torch.zeros(2)
        torch.randn(3)
        x.detach()
        x.sum().item()
        torch.einsum("i,i->i", x, x)
    names = [item[0] for item in tree(prof)]
    assert names == [
        "aten::zeros",
        "aten::randn",
        "aten::detach",
        "aten::sum",
        "aten::item",
        "aten::einsum",
    ]


def test_random_numbers_are_an_empty_tensor_that_is_filled():
    with profile() as prof:
        torch.randn(3)
        torch.rand(3)
        torch.randint(0, 3, (2,))
    assert tree(prof) == [
        ["aten::randn", ["aten::empty"], ["aten::normal_"]],
        ["aten::rand", ["aten::empty"], ["aten::uniform_"]],
        ["aten::randint", ["aten::empty"], ["aten::random_"]],
    ]
    assert {e.sequence_nr for e in prof.function_events} == {-1}


def test_functions_are_themselves_again_after_the_profile():
    function, code = torch.zeros, torch.zeros.__code__
    with profile():
        assert torch.zeros is function
        assert function.__code__ is not code
        with profile():
            assert torch.zeros(2, dtype=torch.int64).tolist() == [0, 0]
        assert function.__code__ is not code
    assert function.__code__ is code


def test_writes_in_place_have_an_underscore():
    x = torch.ones(3)
    with profile() as prof:
        x.add_(1)
        x.zero_()
        x[0] = torch.ones(()).exp()
    assert [e.name for e in prof.function_events] == [
        "aten::add_",
        "aten::zero_",
        "aten::ones",
        "aten::exp",
        "aten::select",
        "aten::copy_",
    ]


def test_custom_functions_by_their_names():
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    x = torch.ones(2, requires_grad=True)
    with profile() as prof:
        Twice.apply(x).sum().backward()
    assert tree(prof) == [
        ["Twice", ["aten::mul"]],
        ["aten::sum"],
        node("SumBackward0"),
        ["autograd::engine::evaluate_function: TwiceBackward", ["TwiceBackward", ["aten::mul"]]],
        LEAF,
    ]
    assert named(prof, "Twice").sequence_nr == named(prof, "TwiceBackward").sequence_nr >= 0


def test_gradients_of_gradients_show_the_operators_within_nodes():
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    with profile() as prof:
        torch.autograd.grad(y, x, create_graph=True)
    inner = named(prof, "MulBackward0")
    assert {child.name for child in inner.cpu_children} >= {"aten::mul"}


def test_an_operator_that_raises_is_noted():
    with profile() as prof, pytest.raises(RuntimeError):
        torch.mm(torch.ones(2, 3), torch.ones(2, 3))
    assert named(prof, "aten::mm").cpu_time_total > 0


def test_only_wanted_gradients_are_computed_under_a_profiler():
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    z = (x * y).sum()
    with profile() as prof:
        (g,) = torch.autograd.grad(z, x)
    assert g.tolist() == [1, 1]
    assert x.grad is None and y.grad is None
    assert [e.name for e in prof.function_events if e.scope == 1] == ["SumBackward0", "MulBackward0"]
    assert tree(prof)[-1] == ["autograd::engine::evaluate_function: torch::autograd::AccumulateGrad"]


def test_values_and_gradients_are_the_same_under_a_profiler():
    def run():
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        loss = model(torch.randn(5, 3)).square().mean()
        loss.backward()
        return [loss.item(), *[p.grad.tolist() for p in model.parameters()]]

    plain = run()
    with profile(
        record_shapes=True, profile_memory=True, with_stack=True, with_flops=True, with_modules=True
    ):
        assert run() == plain


def test_hooks_run_under_a_profiler():
    x = torch.ones(2, requires_grad=True)
    seen = []
    y = x * 2
    y.register_hook(lambda g: seen.append("tensor"))
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append("node"))
    with profile():
        y.sum().backward()
    assert seen == ["tensor", "node"]


# Off, nested, threads ----------------------------------------------------------------------------------------------------


def test_nothing_is_on_outside():
    assert not torch.autograd._profiler_enabled()
    with profile():
        assert torch.autograd._profiler_enabled()
    assert not torch.autograd._profiler_enabled()


def test_a_disabled_profile_notes_nothing():
    with profile(enabled=False) as prof:
        assert prof is None
        assert not torch.autograd._profiler_enabled()


def test_a_profile_cannot_be_entered_twice():
    prof = profile()
    with prof, pytest.raises(RuntimeError, match="Profiler context manager is not reentrant"):
        prof.__enter__()


def test_a_profile_within_a_profile():
    x = torch.ones(2, requires_grad=True)
    with profile() as outer:
        x * 1
        with profile() as inner, record_function("mine"):
            (x + 1).sum().backward()
        x - 1
    within = ["aten::add", "aten::sum"]
    assert [c.name for c in named(inner, "mine").cpu_children][:2] == within
    assert [c.name for c in named(outer, "mine").cpu_children][:2] == within
    assert [e.name for e in inner.function_events if e.scope == 1] == [
        e.name for e in outer.function_events if e.scope == 1
    ]
    assert {"aten::mul", "aten::sub"} <= {e.name for e in outer.function_events}
    assert not {"aten::mul", "aten::sub"} & {e.name for e in inner.function_events}


def test_profiles_may_end_in_any_order():
    first, second = profile(), profile()
    first.__enter__()
    second.__enter__()
    torch.ones(2)
    first.__exit__(None, None, None)
    torch.zeros(2)
    second.__exit__(None, None, None)
    assert not torch.autograd._profiler_enabled()
    torch.empty(2)
    assert [e.name for e in first.function_events] == ["aten::ones"]
    assert [e.name for e in second.function_events] == ["aten::ones", "aten::zeros"]


EVERYTHING = {"record_shapes": True, "profile_memory": True, "with_stack": True, "with_flops": True}


def test_transforms_run_under_a_profiler():
    x = torch.randn(3, 4, dtype=torch.float64)

    def f(x):
        return (x.sin() @ x).exp()

    def compute():
        jacobian = torch.func.vmap(torch.func.jacrev(f))(x)
        value, tangent = torch.func.jvp(f, (x[0],), (x[1],))
        return [t.tolist() for t in (jacobian, value, tangent, torch.func.hessian(f)(x[0]))]

    plain = compute()
    with profile(**EVERYTHING) as prof:
        assert compute() == plain
    assert {"aten::sin", "aten::exp"} <= {e.name for e in prof.function_events}


def test_mixed_precision_under_a_profiler():
    x = torch.ones(2, 2)
    with (
        profile(**EVERYTHING) as outer,
        torch.autocast("cpu", dtype=torch.float16),
        profile(**EVERYTHING) as inner,
    ):
        assert (x @ x).dtype == torch.float16
    for prof in (outer, inner):
        assert [e.name for e in prof.function_events].count("aten::mm") == 1


def test_subclasses_and_modes_under_a_profiler():
    from minigrad.utils._python_dispatch import TorchDispatchMode

    class Mine(torch.Tensor):
        pass

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))

    x = torch.ones(2).as_subclass(Mine)
    with profile(**EVERYTHING) as prof, Mode():
        assert type(x + 1) is Mine
    assert [e.name for e in prof.function_events].count("aten::add") == 1


def test_other_threads_are_not_watched():
    def work():
        torch.ones(2).neg()

    with profile() as prof:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        torch.ones(2).exp()
    assert [e.name for e in prof.function_events] == ["aten::ones", "aten::exp"]


def test_an_exception_ends_the_profile():
    with pytest.raises(KeyError), profile() as prof:
        torch.ones(2)
        raise KeyError
    assert not torch.autograd._profiler_enabled()
    assert [e.name for e in prof.function_events] == ["aten::ones"]


def test_collection_can_be_paused():
    activities = [torch.profiler.ProfilerActivity.CPU]
    with profile() as prof:
        torch.ones(2)
        prof.toggle_collection_dynamic(False, activities)
        torch.zeros(2)
        prof.toggle_collection_dynamic(True, activities)
        torch.empty(2)
    assert [e.name for e in prof.function_events] == ["aten::ones", "aten::empty"]


def test_events_of_earlier_blocks_are_kept_on_request():
    def names(**options):
        prof = profile(**options)
        for function in (torch.ones, torch.zeros):
            prof._prepare_trace()
            prof._start_trace()
            function(2)
            prof.__exit__(None, None, None)
        return sorted(e.name for e in prof.function_events)

    assert names(acc_events=True) == ["aten::ones", "aten::zeros"]
    assert names() == ["aten::zeros"]


# Ranges ------------------------------------------------------------------------------------------------------------------


def test_ranges_surround_what_runs_in_them():
    @record_function("decorated")
    def factorial(n):
        return torch.ones(()) if n == 0 else n * factorial(n - 1)

    with profile() as prof, record_function("outer", "some args"):
        assert factorial(1).item() == 1
    assert tree(prof) == [
        ["outer", ["decorated", ["decorated", ["aten::ones"]], ["aten::mul"]], ["aten::item"]],
    ]
    outer = named(prof, "outer")
    assert outer.is_user_annotation and outer.scope == 7 and outer.sequence_nr == -1


def test_ranges_cost_nothing_and_are_nothing_without_a_profiler():
    with record_function("unseen") as range_, profile() as prof:
        torch.ones(2)
    assert range_.name == "unseen"
    assert [e.name for e in prof.function_events] == ["aten::ones"]


def test_a_range_can_last_until_a_future_is_done():
    class Future:
        def then(self, function):
            self.function = function
            return self

        def value(self):
            return 7

    with profile() as prof:
        with record_function("waits") as range_:
            future = range_._call_end_callbacks_on_future(Future())
        torch.ones(2)
        assert future.function(future) == 7
        with pytest.raises(RuntimeError, match="can only be called once"):
            range_._call_end_callbacks_on_future(future)
    assert [c.name for c in named(prof, "waits").cpu_children] == ["aten::ones"]


def test_ranges_need_not_end_in_their_order():
    with profile() as prof:
        outer = record_function("outer")
        outer.__enter__()
        with record_function("inner"):
            outer.__exit__(None, None, None)
        with record_function("inner"):
            outer.__enter__()
        outer.__exit__(None, None, None)
    assert sorted(e.name for e in prof.function_events) == ["inner", "inner", "outer", "outer"]


def test_ranges_by_the_operators_of_the_dispatcher():
    enter, leave = torch.ops.profiler._record_function_enter_new, torch.ops.profiler._record_function_exit
    with profile() as prof:
        first = enter("first", None)
        second = torch.autograd._record_function_with_args_enter("second", torch.ones(2), 3)
        torch.autograd._record_function_with_args_exit(second)
        leave._RecordFunction(first)
    assert tree(prof) == [["first", ["aten::ones"], ["second"]]]
    assert [e.name for e in prof.function_events if e.is_user_annotation] == ["first", "second"]


def test_optimizers_have_ranges():
    weight = nn.Parameter(torch.ones(2))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    weight.grad = torch.ones(2)
    with profile() as prof:
        optimizer.step()
        optimizer.zero_grad()
    names = [e.name for e in prof.function_events if e.is_user_annotation]
    assert names == ["Optimizer.step#SGD.step", "Optimizer.zero_grad#SGD.zero_grad"]
    assert weight.grad is None


# Sequence numbers --------------------------------------------------------------------------------------------------------


def test_operators_and_their_nodes_share_sequence_numbers():
    x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    with profile() as prof:
        z = x + y
        s = z.sum()
        s.backward()
    for name, of_node in (("aten::add", "AddBackward0"), ("aten::sum", "SumBackward0")):
        forward = named(prof, name)
        backward = named(prof, of_node)
        around = named(prof, f"autograd::engine::evaluate_function: {of_node}")
        assert forward.sequence_nr == backward.sequence_nr == around.sequence_nr >= 0
        assert forward.fwd_thread == 0
        assert backward.fwd_thread == around.fwd_thread == forward.thread
        assert (forward.scope, around.scope, backward.scope) == (0, 0, 1)


@pytest.mark.parametrize(
    "op",
    [lambda x: x[0], lambda x: x.unbind()[0], lambda x: x.max(0).values, lambda x: x.exp_()],
    ids=["view", "several outputs", "with indices", "in place"],
)
def test_nodes_of_all_kinds_share_the_sequence_number(op):
    x = torch.ones(2, 2, requires_grad=True).clone()
    with profile() as prof:
        op(x).sum().backward()
    made = prof.function_events[0]
    assert made.sequence_nr >= 0
    assert made.sequence_nr in {e.sequence_nr for e in prof.function_events if e.scope == 1}


def test_what_autograd_does_not_see_has_no_sequence_number():
    x = torch.ones(2, requires_grad=True)
    with profile() as prof:
        with torch.no_grad():
            x * 2
        torch.ones(2) + 1
        (x * 3).sum().backward()
    numbers = {e.name: e.sequence_nr for e in prof.function_events if e.cpu_parent is None}
    assert numbers["aten::ones"] == -1 and numbers["aten::add"] >= 0
    first, second = [e for e in prof.function_events if e.name == "aten::mul"]
    assert first.sequence_nr == -1
    node = next(e for e in prof.function_events if e.name == "MulBackward0")
    assert second.sequence_nr == node.sequence_nr == second.flow_id == node.flow_id
    assert second.flow_start and not node.flow_start


def test_an_operator_without_a_node_has_the_number_of_the_next():
    x = torch.ones(2, requires_grad=True)
    with profile() as prof:
        torch.ones(2).neg()
        x.exp().sum().backward()
    events = {e.name: e for e in prof.function_events}
    assert events["aten::neg"].sequence_nr >= 0 and events["aten::neg"].flow_id == 0
    assert events["aten::exp"].flow_id == events["ExpBackward0"].sequence_nr


# Details -----------------------------------------------------------------------------------------------------------------


def test_shapes_types_strides_and_values():
    x = torch.ones(2, 3)
    with profile(record_shapes=True) as prof:
        x.t().sum(1)
        torch.cat([x, x], 1)
    total = named(prof, "aten::sum")
    assert total.input_shapes == [[3, 2], [], [], []]
    assert total.structured_input_strides == [[1, 3], [], [], []]
    assert total.input_dtypes == ["float", "ScalarList", "Scalar", ""]
    assert total.concrete_inputs == [None, [1], False, None]
    joined = named(prof, "aten::cat")
    assert joined.input_shapes == [[], []]
    assert joined.structured_input_shapes == [[[2, 3], [2, 3]], []]
    assert joined.input_dtypes == ["TensorList", "Scalar"]


def test_shapes_of_linear_are_those_of_the_function():
    layer = nn.Linear(20, 30)
    with profile(record_shapes=True) as prof:
        layer(torch.ones(128, 20))
    assert named(prof, "aten::linear").input_shapes == [[128, 20], [30, 20], [30]]
    assert named(prof, "aten::addmm").input_shapes == [[30], [128, 20], [20, 30], [], []]


def test_nothing_is_noted_of_inputs_unless_asked():
    with profile() as prof:
        torch.ones(2) * 2
    assert all(e.input_shapes == [] and e.stack == [] for e in prof.function_events)


X = torch.ones(2, 3)
FLOPS = {
    "mm": (lambda: torch.mm(X, torch.ones(3, 4)), 2 * 2 * 3 * 4),
    "addmm": (lambda: torch.addmm(torch.ones(4), X, torch.ones(3, 4)), 2 * 2 * 3 * 4),
    "bmm": (lambda: torch.bmm(torch.ones(5, 2, 3), torch.ones(5, 3, 4)), 5 * 2 * 2 * 3 * 4),
    "baddbmm": (
        lambda: torch.baddbmm(torch.ones(5, 2, 4), torch.ones(5, 2, 3), torch.ones(5, 3, 4)),
        5 * 2 * 2 * 3 * 4,
    ),
    "mv": (lambda: torch.mv(X, torch.ones(3)), 2 * 2 * 3),
    "dot": (lambda: torch.dot(X[0], X[0]), 2 * 3),
    "stacks": (lambda: torch.ones(6, 1, 2, 3) @ torch.ones(5, 3, 4), 6 * 5 * 2 * 2 * 3 * 4),
    "linear": (lambda: nn.functional.linear(torch.ones(5, 2, 3), torch.ones(4, 3)), 2 * 5 * 2 * 3 * 4),
    "linear, bias": (lambda: nn.functional.linear(X, torch.ones(4, 3), torch.ones(4)), 2 * 2 * 3 * 4),
    "conv1d": (lambda: torch.conv1d(torch.ones(2, 3, 8), torch.ones(4, 3, 3)), 2 * 2 * 6 * 4 * 3 * 3),
    "conv2d": (
        lambda: torch.conv2d(torch.ones(2, 4, 8, 8), torch.ones(6, 2, 3, 3), padding=1, stride=2, groups=2),
        2 * 2 * 4 * 4 * 6 * 2 * 3 * 3,
    ),
    "transposed": (
        lambda: torch.conv_transpose2d(torch.ones(2, 3, 5, 5), torch.ones(3, 4, 2, 2)),
        2 * 2 * 3 * 5 * 5 * 4 * 2 * 2,
    ),
    "mul": (lambda: torch.ones(2, 3) * 2, 6),
    "add": (lambda: torch.ones(2, 3) + torch.ones(2, 3), 6),
    "attention": (
        lambda: nn.functional.scaled_dot_product_attention(*[torch.ones(2, 3, 4)] * 3),
        2 * (2 * 3 * 3 * 4) * 2,
    ),
}


@pytest.mark.parametrize("name", FLOPS)
def test_flops(name):
    function, expected = FLOPS[name]
    with profile(with_flops=True) as prof:
        function()
    counted = sum(e.flops for e in prof.function_events)
    if name == "attention":  # besides the products of matrices, scores may be scaled
        counted -= sum(e.flops for e in prof.function_events if e.name == "aten::mul")
    assert counted == expected


def test_memory_made_and_freed():
    with profile(profile_memory=True) as prof:
        x = torch.ones(256)
        with record_function("inside"):
            y = x * 2
        z = y[:10]
        del y, z
    assert named(prof, "aten::ones").cpu_memory_usage == 1024
    product = named(prof, "aten::mul")
    assert product.cpu_memory_usage == product.self_cpu_memory_usage == 1024
    inside = named(prof, "inside")
    assert (inside.cpu_memory_usage, inside.self_cpu_memory_usage) == (1024, 0)
    assert named(prof, "aten::slice").cpu_memory_usage == 0
    assert named(prof, "[memory]").cpu_memory_usage == -1024
    assert "CPU Mem" in prof.table()


def test_memory_of_gradients():
    x = torch.ones(256, requires_grad=True)
    y = (x * torch.ones(256)).sum()
    with profile(profile_memory=True) as prof:
        y.backward()
    assert named(prof, "MulBackward0").cpu_memory_usage == 1024


def test_memory_counts_no_longer_after_the_end():
    prof = profile(profile_memory=True)
    with prof:
        x = torch.ones(8)
    recorded = list(prof._recorder.memory)
    del x
    assert prof._recorder.memory == recorded


def line_of_interest(x):
    return x * 2


def test_stacks_lead_from_the_users_line_outwards():
    x = torch.ones(2, requires_grad=True)
    with profile(with_stack=True) as prof:
        line_of_interest(x).sum().backward()
    stack = named(prof, "aten::mul").stack
    assert stack[0].endswith(": line_of_interest") and "test_profiler.py(" in stack[0]
    assert stack[1].endswith(": test_stacks_lead_from_the_users_line_outwards")
    assert named(prof, "MulBackward0").stack == stack


def test_stacks_show_each_function_once():
    x, y = torch.ones(2, 3), torch.tensor([0, 1])
    with profile(with_stack=True) as prof:
        nn.functional.cross_entropy(x, y)
    stack = named(prof, "aten::log_softmax").stack
    assert [entry.endswith(": cross_entropy") for entry in stack[:2]] == [True, False]


def test_modules_are_named_with_their_instances():
    class Pair(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Tanh(), nn.Tanh()

        def forward(self, x):
            return self.second(self.first(x))

    model = Pair()
    with profile(with_modules=True) as prof:
        model(torch.ones(2))
    first, second = [e.stack for e in prof.function_events if e.name == "aten::tanh"]
    assert [entry.rpartition("_")[0] for entry in first] == ["nn.Module: Tanh", "nn.Module: Pair"]
    assert first[1] == second[1] and first[0] != second[0]


# Refused -----------------------------------------------------------------------------------------------------------------


def test_other_devices_are_refused_with_a_warning():
    with (
        pytest.warns(FutureWarning, match="use_cuda"),
        pytest.warns(UserWarning, match="CUDA is not available"),
    ):
        assert profile(use_cuda=True).use_device is None
    with pytest.warns(UserWarning, match="XPU is not available, disabling XPU profiling"):
        profile(use_device="xpu")
    with pytest.warns(UserWarning, match="The abacus is not a valid device option"):
        profile(use_device="abacus")


def test_a_profile_of_nothing_is_refused():
    with pytest.raises(AssertionError, match="Device-only events supported only with Kineto"):
        profile(use_cpu=False)
    with pytest.raises(AssertionError, match="No activities specified"):
        profile(use_cpu=False, use_kineto=True)
    with pytest.raises(ValueError, match="post_processing_timeout_s must be non-negative"):
        profile(post_processing_timeout_s=-1)


def test_an_unfinished_profile_says_so():
    prof = profile()
    assert repr(prof) == str(prof) == "<unfinished torch.autograd.profile>"
    assert prof.function_events == [] == prof.key_averages()
    assert prof.table() == "" and prof.self_cpu_time_total == 0
    assert prof.total_average().key == "Total"
    with pytest.raises(AssertionError, match="Expected profiling results"):
        prof.export_chrome_trace("trace.json")


def test_post_processing_can_be_cut_short():
    with profile(post_processing_timeout_s=0) as prof:
        torch.ones(2)
    assert prof.function_events == []


def test_trace_only_has_no_events(tmp_path):
    config = profiler._ExperimentalConfig(trace_only=True)
    with profile(experimental_config=config) as prof:
        torch.ones(2)
    with pytest.raises(RuntimeError, match="trace_only=True"):
        prof.key_averages()
    prof.export_chrome_trace(tmp_path / "trace.json")
    assert "aten::ones" in (tmp_path / "trace.json").read_text()


def test_the_old_profiler_is_the_same():
    with pytest.warns(UserWarning, match="CUDA is not available"):
        prof = torch.autograd.profiler_legacy.profile(use_cuda=True, record_shapes=True)
    with prof:
        torch.ones(2).neg()
    assert named(prof, "aten::neg").input_shapes == [[2]]


def test_events_can_be_pickled():
    with profile() as prof:
        torch.ones(2)
    (event,) = pickle.loads(pickle.dumps(list(prof.function_events)))
    assert event.name == "aten::ones" and event.cpu_time_total > 0
