"""What is made of a profile: sums, tables, traces, stacks; ranges for other tools; files of nvprof; schedules."""

import gzip
import json
import sqlite3
import sys
import types
import warnings

import pytest

import minigrad as torch
from minigrad.autograd import profiler
from minigrad.autograd.profiler import profile, record_function
from minigrad.autograd.profiler_util import (
    EventList,
    FunctionEvent,
    FunctionEventAvg,
    Interval,
    Kernel,
    MemRecordsAcc,
    StringTable,
    _format_memory,
    _format_time,
    _format_time_share,
)
from minigrad.profiler import ProfilerAction, ProfilerActivity, schedule


def event(name, start, end, id=0, thread=1, **more):
    return FunctionEvent(id=id, name=name, thread=thread, start_us=start, end_us=end, **more)


def built(*events, **options):
    made = EventList(events, **options)
    made._build_tree()
    return made


# Events and sums -----------------------------------------------------------------------------------------------------------


def test_nesting_follows_from_times_and_threads():
    made = built(
        event("parent", 0, 100),
        event("child", 10, 40),
        event("grandchild", 20, 30),
        event("sibling", 50, 60),
        event("elsewhere", 10, 20, thread=2),
        event("half inside", 90, 110),
    )
    parents = {e.name: e.cpu_parent and e.cpu_parent.name for e in made}
    assert parents == {
        "parent": None,
        "child": "parent",
        "grandchild": "child",
        "sibling": "parent",
        "elsewhere": None,
        "half inside": None,
    }
    assert made[0].self_cpu_time_total == 60
    assert made[1].self_cpu_time_total == 20
    assert made.self_cpu_time_total == 60 + 20 + 10 + 10 + 10 + 20


def test_what_ends_in_another_thread_has_no_children():
    made = built(event("async", 0, 100, is_async=True), event("inside", 10, 20))
    assert made[0].cpu_children == [] and made[1].cpu_parent is None
    assert made[0].self_cpu_time_total == 0 and made[0].cpu_time_total == 100


def test_an_event_that_is_all_of_one_of_the_same_name_is_left_out():
    made = built(event("a", 0, 10), event("a", 1, 9), event("b", 2, 3), event("c", 4, 5), event("c", 12, 13))
    assert [e.name for e in made] == ["a", "b", "c", "c"]
    assert [c.name for c in made[0].cpu_children] == ["b", "c"]


def test_sums_over_names():
    averages = built(event("a", 0, 10), event("b", 2, 5), event("a", 20, 50)).key_averages()
    a, b = averages
    assert (a.key, a.count, a.cpu_time_total, a.self_cpu_time_total, a.cpu_time) == ("a", 2, 40, 37, 20)
    assert (b.key, b.count, b.cpu_time_total) == ("b", 1, 3)
    assert (a.cpu_time_total_str, a.cpu_time_str) == ("40.000us", "20.000us")


def test_sums_apart_by_shapes_and_by_stacks():
    events = [
        event("a", i, i + 1, input_shapes=[[n]], stack=[line, "main.py(1): main"])
        for i, (n, line) in enumerate([(2, "x"), (2, "y"), (3, "y")])
    ]
    made = built(*events)
    assert [(e.count, e.input_shapes) for e in made.key_averages()] == [(3, "")]
    assert [(e.count, e.input_shapes) for e in made.key_averages(group_by_input_shapes=True)] == [
        (2, [[2]]),
        (1, [[3]]),
    ]
    assert [(e.count, e.stack) for e in made.key_averages(group_by_stack_n=1)] == [(1, ["x"]), (2, ["y"])]


def test_the_sum_of_all():
    total = built(event("a", 0, 10, flops=3), event("b", 20, 25, flops=4)).total_average()
    assert (total.key, total.count, total.cpu_time_total, total.flops) == ("Total", 2, 15, 7)


def test_sums_of_different_names_do_not_mix():
    average = FunctionEventAvg()
    average.add(event("a", 0, 1))
    with pytest.raises(AssertionError, match="Expected keys to match, but got b vs a"):
        average.add(event("b", 0, 1))
    assert average.add(average).count == 2


def test_sums_need_the_nesting():
    with pytest.raises(AssertionError, match="Expected tree to be built before calling key_averages"):
        EventList([event("a", 0, 1)]).key_averages()


def test_kernels_count_as_time_on_the_device():
    launch = event("launch", 0, 10, use_device="cuda", is_legacy=True)
    launch.append_kernel("kernel", 0, 7)
    assert launch.kernels == [Kernel("kernel", 0, 7)]
    assert launch.device_time_total == launch.self_device_time_total == 7
    with pytest.warns(FutureWarning, match="`cuda_time_total` is deprecated"):
        assert launch.cuda_time_total == 7
    table = built(launch).table()
    assert "Self CUDA" in table and table.endswith("Self CUDA time total: 7.000us\n")


def test_parents_and_children_are_events():
    with pytest.raises(AssertionError, match="Expected child to be a FunctionEvent"):
        event("a", 0, 1).append_cpu_child("b")
    with pytest.raises(AssertionError, match="Expected parent to be a FunctionEvent"):
        event("a", 0, 1).set_cpu_parent(None)


def test_small_parts():
    assert Interval(2, 5).elapsed_us() == 3
    assert StringTable()["aten::mul"] == "aten::mul"
    unique = profiler.EnforceUnique()
    unique.see(1, 2)
    with pytest.raises(RuntimeError, match="duplicate key: \\(1, 2\\)"):
        unique.see(1, 2)


def test_records_of_memory_are_found_by_time():
    class Record:
        def __init__(self, at):
            self.start_ns = lambda: at

    records = [[Record(at), False] for at in (30, 10, 20)]
    found = MemRecordsAcc(records)
    assert list(found.in_interval(10, 20)) == [records[1], records[2]]
    assert list(found.in_interval(31, 40)) == []
    assert list(MemRecordsAcc([]).in_interval(0, 1)) == []


@pytest.mark.parametrize(
    ("time", "text"), [(0, "0.000us"), (999.9994, "999.999us"), (1000, "1.000ms"), (2.5e6, "2.500s")]
)
def test_times_as_text(time, text):
    assert _format_time(time) == text


def test_shares_and_bytes_as_text():
    assert _format_time_share(1, 8) == "12.50%"
    assert _format_time_share(0, 0) == "NaN"
    with pytest.raises(AssertionError, match="Expected time_us == 0 but got 1"):
        _format_time_share(1, 0)
    assert [_format_memory(n) for n in (5, -2048, 3 << 20, 1 << 30)] == [
        "5 B",
        "-2.00 KB",
        "3.00 MB",
        "1.00 GB",
    ]


# The table -----------------------------------------------------------------------------------------------------------------


def test_the_table_to_the_letter():
    table = built(event("aa", 0, 1500), event("b", 250, 750)).table()
    line = "------  " + "------------  " * 6
    assert table.split("\n") == [
        line,
        "  Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls  ",
        line,
        "    aa        66.67%       1.000ms       100.00%       1.500ms       1.500ms             1  ",
        "     b        33.33%     500.000us        33.33%     500.000us     500.000us             1  ",
        line,
        "Self CPU time total: 1.500ms",
        "",
    ]


def rows(table):
    """The first words of the rows of a table."""
    lines = table.split("\n")
    ends = [i for i, line in enumerate(lines) if line.startswith("---")]
    return [line.split()[0] for line in lines[ends[1] + 1 : ends[2]] if line.strip()]


def test_rows_in_order_and_limited():
    made = built(event("a", 0, 10), event("b", 20, 50), event("c", 22, 24), event("d", 60, 61))
    assert rows(made.table()) == ["a", "b", "c", "d"]
    assert rows(made.table(sort_by="cpu_time_total")) == ["b", "a", "c", "d"]
    assert rows(made.table(sort_by="self_cpu_time_total", row_limit=2)) == ["b", "a"]
    assert rows(made.table(row_limit=-1)) == ["a", "b", "c", "d"]
    top = made.table(top_level_events_only=True)
    assert rows(top) == ["a", "b", "d"]
    assert "This report only display top-level ops statistics" in top
    with pytest.raises(AttributeError, match="nothing"):
        made.table(sort_by="nothing")


def test_header_unit_and_widths():
    long = "n" * 80
    made = built(event(long, 0, 1500, input_shapes=[[1] * 50]))
    table = made.table(header="My header", time_unit="us", max_shapes_column_width=20)
    lines = table.split("\n")
    assert lines[0] == "=" * (len(lines[2]) - 2) and lines[1] == "My header"
    assert "1500.000us" in table
    assert f"{'n' * 52}...  " in table and "n" * 53 not in table
    assert lines[5].endswith("  " + str([[1] * 50])[:20] + "  ")
    assert long in made.table(max_name_column_width=None)


def test_columns_for_what_was_noted():
    with profile(with_flops=True, profile_memory=True, with_stack=True) as prof:
        torch.ones(2, 3) @ torch.ones(3, 4)
    table = prof.key_averages(group_by_input_shape=True, group_by_stack_n=2).table(sort_by="flops")
    titles = table.split("\n")[1]
    for title in ("CPU Mem", "Self CPU Mem", "Input Shapes", "Total FLOPs", "Source Location"):
        assert title in titles
    (row,) = [line for line in table.split("\n") if "aten::mm" in line]
    assert "[[2, 3], [3, 4]]" in row and "48.000" in row and "32 B" in row
    assert "test_profiler_reports.py(" in row


def test_an_empty_table():
    assert EventList().table() == ""
    with profile() as prof:
        pass
    assert prof.table() == "" and prof.self_cpu_time_total == 0


# Traces ------------------------------------------------------------------------------------------------------------------


def test_a_trace_with_arrows_from_forward_to_backward(tmp_path):
    x = torch.ones(2, requires_grad=True)
    with profile(record_shapes=True, profile_memory=True) as prof, record_function('say "hi"'):
        (x * 2).exp().sum().backward()
    path = tmp_path / "trace.json"
    prof.export_chrome_trace(str(path), metadata={"run": "3"})
    trace = json.loads(path.read_text())
    assert trace["schemaVersion"] == 1 and trace["run"] == 3 and trace["trace_id"] == prof.trace_id
    events = trace["traceEvents"]
    spans = {e["name"]: e for e in events if e["ph"] == "X"}
    assert spans['say "hi"']["cat"] == "user_annotation"
    assert spans["aten::mul"]["cat"] == "cpu_op"
    assert spans["aten::mul"]["args"]["Input Dims"] == [[2], []]
    begins = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    assert begins.keys() == ends.keys() and len(begins) == 3
    arrows = {(begins[i]["ts"], ends[i]["ts"]) for i in begins}
    pairs = [("aten::mul", "MulBackward0"), ("aten::exp", "ExpBackward0"), ("aten::sum", "SumBackward0")]
    assert arrows == {(spans[a]["ts"], spans[b]["ts"]) for a, b in pairs}
    sizes = [e["args"]["Bytes"] for e in events if e["ph"] == "i"]
    assert sorted(sizes)[-3:] == [8, 8, 8] and min(sizes) == -8
    totals = [e["args"]["Total Allocated"] for e in events if e["ph"] == "i"]
    assert totals == [sum(sizes[: i + 1]) for i in range(len(sizes))]


def test_a_compressed_trace(tmp_path):
    with profile() as prof:
        torch.ones(2)
    path = tmp_path / "trace.json.gz"
    prof.export_chrome_trace(path)
    with gzip.open(path, "rt") as file:
        assert [e["name"] for e in json.load(file)["traceEvents"] if e["ph"] == "X"] == ["aten::ones"]


def test_spans_of_a_thread_lie_within_each_other_or_apart(tmp_path):
    x = torch.ones(4, 4, requires_grad=True)
    with profile() as prof:
        for _ in range(5):
            with record_function("step"):
                torch.softmax(x @ x, 1).sum().backward()
    path = tmp_path / "trace.json"
    prof.export_chrome_trace(path)
    spans = [e for e in json.loads(path.read_text())["traceEvents"] if e["ph"] == "X"]
    open_until = []
    for span in spans:
        start, end = round(span["ts"], 3), round(span["ts"] + span["dur"], 3)
        while open_until and open_until[-1] <= start:
            open_until.pop()
        assert not open_until or end <= open_until[-1] + 0.002  # times are rounded to ns
        open_until.append(end)


def test_stacks_for_flame_graphs(tmp_path):
    made = built(event("a", 0, 7.9, stack=["inner line;1", "outer"]), event("b", 10, 10.5, stack=["short"]))
    path = tmp_path / "stacks.txt"
    made.export_stacks(path, "self_cpu_time_total")
    assert path.read_text() == "outer;inner_line_1 7\n"
    with pytest.raises(ValueError, match="metric should be one of"):
        made.export_stacks(path, "count")
    with profile() as prof:
        torch.ones(2)
    with pytest.raises(AssertionError, match="requires with_stack=True"):
        prof.export_stacks(path)


# Ranges for other tools --------------------------------------------------------------------------------------------------


class Tool(types.ModuleType):
    """Stands for the package of another tool, and writes down which ranges it is told of."""

    def __init__(self, name):
        super().__init__(name)
        self.open, self.seen = [], []

    def push_range(self, message):
        self.seen.append((len(self.open), message))
        self.open.append(message)

    def pop_range(self):
        self.open.pop()

    def domain(self, name):
        self.name_of_domain = name
        return self

    def string_handle(self, text):
        return (text,)

    def task_begin(self, domain, handle):
        assert domain is self
        (text,) = handle
        self.push_range(text)

    def task_end(self, domain):
        assert domain is self
        self.pop_range()


def ranges_of_a_step(emit, tool, monkeypatch, **options):
    monkeypatch.setitem(sys.modules, tool.__name__, tool)
    x = torch.ones(2, 3, requires_grad=True)
    with emit(**options), record_function("step"):
        y = x * 2
        y.sum().backward()
    assert tool.open == []
    return y, tool.seen


@pytest.mark.parametrize(("emit", "name"), [(profiler.emit_nvtx, "nvtx"), (profiler.emit_itt, "ittapi")])
def test_operators_and_nodes_are_ranges_with_sequence_numbers(emit, name, monkeypatch):
    y, seen = ranges_of_a_step(emit, Tool(name), monkeypatch)
    seq = y.grad_fn._sequence_nr()
    assert seen[0] == (0, "step")
    assert seen[1] == (1, f"aten::mul, seq={seq}")
    assert (1, f"MulBackward0, stashed seq={seq}") in seen
    assert seen[-1] == (1, "torch::autograd::AccumulateGrad")


def test_ranges_with_sizes(monkeypatch):
    y, seen = ranges_of_a_step(profiler.emit_nvtx, Tool("nvtx"), monkeypatch, record_shapes=True)
    seq = y.grad_fn._sequence_nr()
    assert seen[1] == (1, f"aten::mul, seq={seq}, sizes = [[2, 3], []]")
    assert (1, f"MulBackward0, stashed seq={seq}, sizes = [[2, 3]]") in seen


def test_ranges_beside_a_profile(monkeypatch):
    with profile() as prof:
        _, seen = ranges_of_a_step(profiler.emit_nvtx, Tool("nvtx"), monkeypatch)
    names = [e.name for e in prof.function_events]
    assert "aten::mul" in names and "MulBackward0" in names and "step" in names
    assert len(seen) == 6


@pytest.mark.parametrize(("emit", "name"), [(profiler.emit_nvtx, "nvtx"), (profiler.emit_itt, "ittapi")])
def test_without_the_package_the_extra_is_named(emit, name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'minigrad-numpy\["):
        emit().__enter__()
    assert not torch.autograd._profiler_enabled()
    with emit(enabled=False) as nothing:
        assert nothing is None


def test_ranges_are_not_entered_twice(monkeypatch):
    monkeypatch.setitem(sys.modules, "nvtx", Tool("nvtx"))
    emit = profiler.emit_nvtx()
    with emit, pytest.raises(RuntimeError, match="NVTX annotation context manager is not reentrant"):
        emit.__enter__()


def test_ranges_of_ones_own_for_itt(monkeypatch):
    tool = Tool("ittapi")
    monkeypatch.setitem(sys.modules, "ittapi", tool)
    itt = torch.profiler.itt
    with itt.range("step {}", 3):
        assert itt.range_push("inner") == 1
        itt.mark("here")
        assert itt.range_pop() == 1
    assert tool.open == [] and tool.name_of_domain == "PyTorch"
    assert tool.seen == [(0, "step 3"), (1, "inner"), (2, "here")]
    monkeypatch.setitem(sys.modules, "ittapi", None)
    with pytest.raises(ImportError, match="pip install 'minigrad-numpy"):
        itt.range_push("nobody listens")


# Files of nvprof ---------------------------------------------------------------------------------------------------------


def nvprof_file(path, cbid=211, markers=2):
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE StringTable (_id_ INTEGER, value TEXT);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER (id INTEGER, name INTEGER, timestamp INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME
            (_id_ INTEGER, cbid INTEGER, start INTEGER, end INTEGER, correlationId INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
            (start INTEGER, end INTEGER, name TEXT, correlationId INTEGER);
        """
    )
    connection.executemany("INSERT INTO StringTable VALUES (?, ?)", [(1, "mul"), (2, "add")])
    rows = [(8, 1, 100), (8, 0, 200), (7, 2, 20), (7, 0, 60)]
    connection.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES (?, ?, ?)", rows)
    if markers > 2:
        connection.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES (8, 0, 300)")
    connection.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (5, ?, 110, 120, 99)", (cbid,))
    connection.execute(
        "INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES (130, 170, 'mul_kernel', 99)"
    )
    connection.commit()
    connection.close()


def test_a_file_of_nvprof(tmp_path):
    path = tmp_path / "trace.prof"
    nvprof_file(path)
    found = profiler.load_nvprof(path)
    assert isinstance(found, EventList)
    assert [(e.name, e.time_range.start, e.time_range.end) for e in found] == [
        ("add", 20, 60),
        ("mul", 100, 200),
    ]
    assert [e.kernels for e in found] == [[], [Kernel("mul_kernel", 0, 40)]]


def test_files_of_nvprof_that_make_no_sense(tmp_path):
    nvprof_file(tmp_path / "launch", cbid=13)
    with pytest.raises(AssertionError, match="Expected cbid to be 211, but got 13"):
        profiler.parse_nvprof_trace(tmp_path / "launch")
    nvprof_file(tmp_path / "twice", markers=3)
    with pytest.raises(RuntimeError, match="duplicate key: \\(8,\\)"):
        profiler.parse_nvprof_trace(tmp_path / "twice")


# Schedules ---------------------------------------------------------------------------------------------------------------


def test_a_schedule():
    N, W, R, S = list(ProfilerAction)[:4]
    steps = schedule(skip_first=2, wait=1, warmup=1, active=2, repeat=2)
    assert [steps(i) for i in range(12)] == [N, N, N, W, R, S, N, W, R, S, N, N]
    early = schedule(skip_first=1, wait=5, warmup=1, active=1, skip_first_wait=1)
    assert [early(i) for i in range(10)] == [N, W, S, N, N, N, N, N, W, S]
    with pytest.raises(AssertionError, match="Invalid profiler schedule arguments. Got wait=1"):
        schedule(wait=1, warmup=1, active=0)
    with pytest.raises(AssertionError, match="Step must be non-negative. Got -1"):
        steps(-1)
    with pytest.warns(UserWarning, match="won't be using warmup"):
        schedule(wait=0, warmup=0, active=1)


def run_steps(count, **options):
    traces = []

    def ready(prof):
        traces.append((prof.step_num, [e.name for e in prof.events() if e.name.startswith("aten")]))

    functions = [torch.sin, torch.cos, torch.tan, torch.exp, torch.neg]
    x = torch.ones(2)
    with (
        warnings.catch_warnings(record=True) as caught,
        torch.profiler.profile(on_trace_ready=ready, **options) as prof,
    ):
        warnings.simplefilter("always")
        for i in range(count):
            functions[i](x)
            prof.step()
    return prof, traces, [str(w.message) for w in caught]


def test_a_loop_with_a_schedule():
    prof, traces, _ = run_steps(5, schedule=schedule(wait=1, warmup=1, active=1))
    assert traces == [(3, ["aten::tan"]), (5, [])]  # the last step has begun, and nothing ran in it
    assert prof.step_num == 5
    _, traces, _ = run_steps(5, schedule=schedule(wait=0, warmup=1, active=1))
    assert [names for _, names in traces] == [["aten::cos"], ["aten::exp"], []]


def test_a_loop_without_a_schedule_is_one_trace():
    _, traces, _ = run_steps(2)
    assert traces == [(2, ["aten::sin", "aten::cos"])]


def test_steps_are_ranges_and_one_row():
    with torch.profiler.profile(schedule=schedule(wait=0, warmup=1, active=3)) as prof:
        for _ in range(3):
            torch.ones(2)
            prof.step()
    assert [e.trace_name for e in prof.events() if e.is_user_annotation] == [
        f"ProfilerStep#{i}" for i in (1, 2, 3)
    ]
    (row,) = [e for e in prof.key_averages() if e.key.startswith("ProfilerStep")]
    assert row.key == "ProfilerStep*" and row.count == 3


def test_schedules_that_make_no_sense_warn():
    actions = {0: ProfilerAction.RECORD, 1: ProfilerAction.NONE, 2: ProfilerAction.NONE}
    _, traces, caught = run_steps(2, schedule=actions.get)
    assert traces == [] and "Incorrect schedule: RECORD followed by NONE" in caught
    with pytest.raises(ValueError, match="DEVICE_STOPPED is set internally"):
        torch.profiler.profile(schedule=lambda step: ProfilerAction.DEVICE_STOPPED)


def test_traces_for_tensorboard(tmp_path):
    folder = tmp_path / "logs"
    handler = torch.profiler.tensorboard_trace_handler(str(folder), worker_name="me", use_gzip=True)
    with torch.profiler.profile(on_trace_ready=handler):
        torch.ones(2)
    (file,) = folder.iterdir()
    assert file.name.startswith("me.") and file.name.endswith(".pt.trace.json.gz")


def test_metadata_goes_into_the_trace(tmp_path):
    path = tmp_path / "trace.json"
    with torch.profiler.profile() as prof:
        prof.add_metadata("who", "me")
        prof.add_metadata_json("sizes", "[1, 2]")
    prof.export_chrome_trace(path)
    trace = json.loads(path.read_text())
    assert (trace["who"], trace["sizes"]) == ("me", [1, 2])


def test_activities():
    assert torch.profiler.supported_activities() == {ProfilerActivity.CPU}
    with pytest.raises(ValueError, match="specified more than once"):
        torch.profiler.profile(activities=[ProfilerActivity.CPU] * 2)
    with pytest.raises(TypeError, match="Expected ProfilerActivity or dict"):
        torch.profiler.profile(activities=[ProfilerActivity.CPU, "cpu"])
    for none in ([], ["cpu"]):
        with pytest.raises(AssertionError, match="No valid profiler activities found"):
            torch.profiler.profile(activities=none)
    with (
        pytest.warns(UserWarning, match="CUDA is not available"),
        torch.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as prof,
    ):
        torch.ones(2)
    assert [e.name for e in prof.events()] == ["aten::ones"]


def test_steps_of_several_requesters_count_once():
    tracker = profiler.KinetoStepTracker
    before = tracker.current_step()
    tracker.init_step_count("one")
    tracker.init_step_count("two")
    assert [tracker.increment_step(name) - before for name in ("one", "two", "two")] == [1, 1, 2]
    assert tracker.erase_step_count("one") and tracker.erase_step_count("two")
    assert not tracker.erase_step_count("one")
