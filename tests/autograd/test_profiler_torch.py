"""The profiler beside PyTorch's: the same programs give the same events, as far as both do the same steps; the same table and trace."""

import json

import pytest

import minigrad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch


def mlp(t):
    t.manual_seed(0)
    model = t.nn.Sequential(t.nn.Linear(4, 5), t.nn.ReLU(), t.nn.Linear(5, 3))
    x, y = t.randn(6, 4), t.tensor([0, 1, 2, 0, 1, 2])

    def run():
        loss = t.nn.functional.cross_entropy(model(x), y)
        loss.backward()

    return run


def shapes_and_views(t):
    x = t.ones(3, 4, requires_grad=True)

    def run():
        y = x.t()[1:].reshape(-1) * 2
        (y.exp() + 1).mean().backward()

    return run


def convolution(t):
    image, weight = t.ones(2, 3, 8, 8), t.ones(4, 3, 3, 3, requires_grad=True)

    def run():
        z = t.conv2d(image, weight, padding=1).relu()
        t.softmax(z.sum(3), 1).sum().backward()

    return run


def functions(t):
    class Square(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    x = t.ones(3, requires_grad=True)

    def run():
        with t.autograd.profiler.record_function("mine"):
            y = Square.apply(x)
        (y @ t.ones(3)).backward()

    return run


PROGRAMS = [mlp, shapes_and_views, convolution, functions]


def profiled(t, program, **options):
    run = program(t)
    run()  # PyTorch's first convolution asks for more
    with t.autograd.profiler.profile(**options) as prof:
        run()
    return prof


def roots(prof):
    return [e for e in prof.function_events if e.cpu_parent is None and e.name != "[memory]"]


def steps_of(prof):
    """The events that are not within operators: what programs ask for, and what the engine does."""

    def visit(event):
        nested = [
            visit(child) for child in event.cpu_children if not child.name.startswith(("aten::", "detach"))
        ]
        return [event.name, *nested]

    # PyTorch makes the first gradient by an operator, and has one more node where a weight is turned
    missing = {"aten::ones_like", "autograd::engine::evaluate_function: TBackward0"}
    return [visit(e) for e in roots(prof) if e.name not in missing]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_same_events_in_the_same_order(program):
    ours = steps_of(profiled(minigrad, program))
    assert ours == steps_of(profiled(torch, program))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_same_scopes_and_links(program):
    def links(prof):
        numbers = {}
        found = []
        for e in prof.function_events:
            if e.scope == 1 and "TBackward" not in e.name:
                numbers.setdefault(e.sequence_nr, len(numbers))
                found.append((e.name, e.sequence_nr >= 0, e.fwd_thread))
        return found, len(numbers)

    assert links(profiled(minigrad, program)) == links(profiled(torch, program))


FUNCTIONS = {
    "mul": lambda t: t.ones(2, 3) * t.ones(3),
    "mm": lambda t: t.mm(t.ones(2, 3), t.ones(3, 4)),
    "matmul": lambda t: t.ones(2, 3) @ t.ones(3, 4),
    "linear": lambda t: t.nn.functional.linear(t.ones(2, 3), t.ones(4, 3), t.ones(4)),
    "exp": lambda t: t.ones(2, 3).exp(),
    "t": lambda t: t.ones(2, 3).t(),
    "transpose": lambda t: t.ones(2, 3).transpose(0, 1),
    "select": lambda t: t.ones(2, 3)[0],
    "unsqueeze": lambda t: t.ones(2, 3)[None],
    "softmax": lambda t: t.ones(2, 3).softmax(1),
    "cat": lambda t: t.cat([t.ones(2), t.ones(3)]),
    "where": lambda t: t.where(t.ones(3) > 0, t.ones(3), t.zeros(3)),
    "bmm": lambda t: t.bmm(t.ones(2, 3, 4), t.ones(2, 4, 5)),
    "baddbmm": lambda t: t.baddbmm(t.ones(5), t.ones(2, 3, 4), t.ones(2, 4, 5)),
    "conv2d": lambda t: t.conv2d(t.ones(2, 4, 8, 8), t.ones(6, 2, 3, 3), padding=1, groups=2),
    "add_": lambda t: t.ones(2).add_(t.ones(2)),
    "add": lambda t: t.ones(3, 1) + t.ones(1, 4),
    "sum": lambda t: t.ones(2, 3).sum(1),
    "batch_norm": lambda t: t.nn.BatchNorm1d(3)(t.ones(4, 3)),
    "layer_norm": lambda t: t.nn.LayerNorm(3)(t.ones(4, 3)),
    "group_norm": lambda t: t.nn.functional.group_norm(t.ones(2, 4), 2),
    "binary_cross_entropy_with_logits": lambda t: t.nn.functional.binary_cross_entropy_with_logits(
        t.ones(3), t.ones(3)
    ),
    "cumsum": lambda t: t.ones(2, 3).cumsum(0),
    "gather": lambda t: t.gather(t.ones(2, 2), 0, t.zeros(1, 1, dtype=t.int64)),
    "index_select": lambda t: t.index_select(t.ones(2), 0, t.zeros(1, dtype=t.int64)),
    "zeros": lambda t: t.zeros(2, 3),
    "ones": lambda t: t.ones((2, 3)),
}


def first_of(prof, name):
    return next(e for e in prof.function_events if e.name == f"aten::{name}")


def total_flops(prof):
    return sum(e.flops or 0 for e in prof.function_events)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_same_inputs_and_flops(name):
    found = []
    for t in (minigrad, torch):
        with t.autograd.profiler.profile(with_flops=True) as prof:
            FUNCTIONS[name](t)
        event = first_of(prof, name)
        kinds = [] if name in ("zeros", "ones") else event.input_dtypes  # PyTorch names the default dtype
        found.append((event.input_shapes, event.structured_input_shapes, kinds, total_flops(prof)))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["mul", "linear", "conv2d", "cat", "add_"])
def test_the_same_memory(name):
    sizes = []
    for t in (minigrad, torch):
        with t.autograd.profiler.profile(profile_memory=True) as prof:
            kept = FUNCTIONS[name](t)
        assert kept is not None
        sizes.append(first_of(prof, name).cpu_memory_usage)
    assert sizes[0] == sizes[1]


# The same events, written by hand ----------------------------------------------------------------------------------------


def made(t, rows, **options):
    util = t.autograd.profiler_util
    kind = t.autograd.DeviceType.CPU
    events = [
        util.FunctionEvent(
            id=i,
            name=name,
            thread=thread,
            start_us=start,
            end_us=end,
            device_type=kind,
            input_shapes=[[2, i]],
            cpu_memory_usage=1000 * i,
            flops=2000 * i,
            stack=[f"line {i}", "outer " * 20] if "stack" in name else [],
        )
        for i, (name, thread, start, end) in enumerate(rows)
    ]
    listed = util.EventList(events, **options)
    listed._build_tree()
    return listed


ROWS = [
    ("parent", 1, 0, 5000.25),
    ("child", 1, 10, 40),
    ("child", 1, 50, 90.5),
    ("grandchild with a name that is much longer than any column would be", 1, 55, 60),
    ("other thread", 2, 30, 2_000_000),
    ("same", 1, 6000, 6100),
    ("same", 1, 6001, 6099),
]
STACKED = [*ROWS, ("with stack", 1, 7000, 7100)]
ARGUMENTS = [
    {},
    {"sort_by": "cpu_time_total"},
    {"sort_by": "self_cpu_time_total", "row_limit": 3},
    {"header": "A header", "time_unit": "ms"},
    {"top_level_events_only": True},
    {"max_name_column_width": 20, "max_shapes_column_width": 10},
    {"max_name_column_width": None, "max_src_column_width": 20},
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=str)
@pytest.mark.parametrize("options", [{}, {"profile_memory": True}, {"with_flops": True}], ids=str)
def test_the_same_table(arguments, options):
    rows = ROWS if options.get("with_flops") else STACKED  # PyTorch's columns are mixed up with both
    ours, theirs = made(minigrad, rows, **options), made(torch, rows, **options)
    assert ours.table(**arguments) == theirs.table(**arguments)
    for grouping in ({}, {"group_by_input_shapes": True}, {"group_by_stack_n": 1}):
        given = {k: v for k, v in arguments.items() if k != "top_level_events_only"}
        assert ours.key_averages(**grouping).table(**given) == theirs.key_averages(**grouping).table(**given)


def test_the_same_texts_of_events():
    ours, theirs = made(minigrad, STACKED), made(torch, STACKED)
    assert repr(list(ours)) == repr(list(theirs))
    assert repr(list(ours.key_averages())) == repr(list(theirs.key_averages()))
    assert repr(ours.total_average()) == repr(theirs.total_average())
    assert ours.self_cpu_time_total == theirs.self_cpu_time_total


def test_the_same_stacks(tmp_path):
    files = []
    for t in (minigrad, torch):
        path = tmp_path / t.__name__
        made(t, STACKED).export_stacks(str(path), "self_cpu_time_total")
        files.append(path.read_text())
    assert files[0] == files[1] != ""


@pytest.mark.parametrize(
    "options",
    [
        {"wait": 1, "warmup": 1, "active": 2},
        {"wait": 2, "warmup": 1, "active": 1, "repeat": 2, "skip_first": 3},
        {"wait": 5, "warmup": 1, "active": 1, "skip_first": 2, "skip_first_wait": 1},
        {"wait": 5, "warmup": 1, "active": 1, "repeat": 1, "skip_first_wait": 1},
    ],
    ids=str,
)
def test_the_same_schedule(options):
    ours, theirs = minigrad.profiler.schedule(**options), torch.profiler.schedule(**options)
    assert [ours(i).name for i in range(30)] == [theirs(i).name for i in range(30)]


def test_the_same_enumerations():
    assert {d.name: d.value for d in minigrad.profiler.DeviceType} == {
        name: kind.value for name, kind in torch.profiler.DeviceType.__members__.items()
    }
    assert [a.name for a in minigrad.profiler.ProfilerActivity] == list(
        torch.profiler.ProfilerActivity.__members__
    )
    assert [a.name for a in minigrad.profiler.ProfilerAction] == [
        a.name for a in torch.profiler.ProfilerAction
    ]


def test_traces_have_the_same_form(tmp_path):
    kinds = []
    for t in (minigrad, torch):
        path = tmp_path / f"{t.__name__}.json"
        profiled(t, mlp, record_shapes=True).export_chrome_trace(str(path))
        trace = json.loads(path.read_text())
        of_kind = {}
        for e in trace["traceEvents"]:
            if e["ph"] in "Xsf" and e.get("cat") in ("cpu_op", "fwdbwd"):
                of_kind.setdefault((e["ph"], e["cat"]), set()).update(e.keys())
        nodes = {e["name"] for e in trace["traceEvents"] if "Backward" in e.get("name", "")}
        kinds.append((of_kind, nodes - {n for n in nodes if "TBackward" in n}))
    assert kinds[0] == kinds[1]
