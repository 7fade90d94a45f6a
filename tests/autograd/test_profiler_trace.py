"""Traces keep the rules of the Trace Event Format, on which Perfetto and chrome://tracing rely."""

import gzip
import json
from collections import defaultdict

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.autograd.profiler import EventList, FunctionEvent, profile, record_function


def read(path):
    """What a trace holds, as strict JSON."""

    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return json.load(file, parse_constant=refuse)


def innermost(slices, at):
    """The slice to which a point of a thread belongs: the deepest that contains it."""
    around = [
        (i, s)
        for i, s in enumerate(slices)
        if (s["pid"], s["tid"]) == (at["pid"], at["tid"]) and s["ts"] <= at["ts"] <= s["ts"] + s["dur"]
    ]
    return max(around, key=lambda found: (found[1]["ts"], -found[1]["dur"], found[0]))[1]


def check(events):
    """Assert the rules; returns the pairs of slices that arrows connect."""
    slices, named, used = [], defaultdict(set), set()
    begins, ends = {}, {}
    for event in events:
        assert type(event["pid"]) is int and type(event["tid"]) is int
        assert event["ts"] >= 0 and isinstance(event["name"], str)
        match event["ph"]:
            case "M":
                assert event["args"]
                named[event["name"]].add((event["pid"], event["tid"]))
                continue
            case "X":
                assert event["dur"] >= 0 and event["cat"] and isinstance(event["args"], dict)
                slices.append(event)
            case "i":
                assert event["s"] in ("t", "p", "g")
            case "s" | "f" as phase:
                ours = begins if phase == "s" else ends
                assert event["id"] not in ours and event["cat"]
                assert (phase == "f") == (event.get("bp") == "e")
                ours[event["id"]] = event
            case other:
                pytest.fail(f"unknown phase {other}")
        used.add((event["pid"], event["tid"]))
    assert used <= named["thread_name"]
    assert {pid for pid, _ in used} <= {pid for pid, _ in named["process_name"]}
    assert begins.keys() == ends.keys()
    within_each_other(slices)
    pairs = []
    for number, begin in begins.items():
        end = ends[number]
        assert begin["ts"] <= end["ts"] and (begin["name"], begin["cat"]) == (end["name"], end["cat"])
        pairs.append((innermost(slices, begin), innermost(slices, end)))
    return pairs


def within_each_other(slices):
    threads = defaultdict(list)
    for each in slices:
        threads[each["pid"], each["tid"]].append((each["ts"], each["ts"] + each["dur"]))
    for spans in threads.values():
        around = []
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while around and around[-1] <= start:
                around.pop()
            assert not around or end <= around[-1] + 1e-9
            around.append(end)


def training_step():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with record_function('a "name" \\ with ünusual characters'):
        nn.functional.cross_entropy(model(torch.randn(5, 3)), torch.tensor([0, 1, 0, 1, 1])).backward()
    optimizer.step()


@pytest.mark.parametrize(
    "options",
    [{}, {"record_shapes": True}, {"profile_memory": True}, {"with_stack": True, "with_modules": True}],
)
@pytest.mark.parametrize("name", ["trace.json", "trace.json.gz"])
def test_the_trace_of_a_training_step(tmp_path, options, name):
    with profile(**options) as prof:
        training_step()
    prof.export_chrome_trace(str(tmp_path / name))
    trace = read(tmp_path / name)
    assert trace["displayTimeUnit"] == "ms" and trace["baseTimeNanoseconds"] > 1e18
    assert {key for key in trace if key.startswith(("record_", "with_", "profile_"))} == set(options)
    pairs = check(trace["traceEvents"])
    assert {(a["name"], b["name"]) for a, b in pairs} == {
        ("aten::addmm", "AddmmBackward0"),
        ("aten::relu", "ReluBackward0"),
        ("aten::_log_softmax", "LogSoftmaxBackward0"),
        ("aten::nll_loss_forward", "NllLossBackward0"),
    }
    assert all(a["args"]["Sequence number"] == b["args"]["Sequence number"] for a, b in pairs)
    assert len(pairs) == 5


def test_operators_that_record_nothing_have_no_arrows(tmp_path):
    x = torch.ones(3, requires_grad=True)
    with profile() as prof:
        torch.ones(3).exp()
        y = x * 2
        torch.ones(3).exp()
        y.sum().backward()
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    pairs = check(read(tmp_path / "trace.json")["traceEvents"])
    assert [a["name"] for a, _ in pairs] == ["aten::sum", "aten::mul"]


def test_two_backward_passes_have_arrows_of_their_own(tmp_path):
    x = torch.ones(3, requires_grad=True)
    with profile() as prof:
        y = x.exp()
        y.sum().backward(retain_graph=True)
        y.sum().backward()
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    pairs = check(read(tmp_path / "trace.json")["traceEvents"])
    assert [b["name"] for _, b in pairs] == ["SumBackward0", "ExpBackward0"] * 2


def test_a_profile_without_events(tmp_path):
    with profile() as prof:
        assert 1 + 1 == 2
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    assert check(read(tmp_path / "trace.json")["traceEvents"]) == []


def test_memory_of_another_thread_than_the_events_has_a_name(tmp_path):
    with profile(profile_memory=True) as prof:
        kept = torch.ones(4)
    del kept
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    check(read(tmp_path / "trace.json")["traceEvents"])


def test_a_list_of_events_is_a_trace_too(tmp_path):
    made = [
        FunctionEvent(i, name, thread, start, end, trace_name=name, fwd_thread=0)
        for i, (name, thread, start, end) in enumerate([("a", 0, 0, 10), ('b"', 0, 2.5, 4), ("c", 7, 1, 3)])
    ]
    made.append(FunctionEvent(9, "[memory]", 0, 5, 5))
    EventList(made).export_chrome_trace(tmp_path / "list.json")
    events = read(tmp_path / "list.json")
    assert isinstance(events, list) and check(events) == []
    assert [(e["name"], e["ts"], e["dur"]) for e in events if e["ph"] == "X"] == [
        ("a", 0, 10),
        ('b"', 2.5, 1.5),
        ("c", 1, 2),
    ]


def test_a_trace_is_saved_once(tmp_path):
    with profile() as prof:
        torch.ones(2)
    path = str(tmp_path / "trace.json")
    prof.export_chrome_trace(path)
    with pytest.raises(RuntimeError, match="Trace is already saved."):
        prof.export_chrome_trace(path)
    prof.export_chrome_trace(path, use_python_export=True)
    with profile() as prof:
        torch.ones(2)
    prof.kineto_results.save(path)
    assert check(read(path)["traceEvents"]) == []
    with pytest.raises(RuntimeError, match="Trace is already saved."):
        prof.export_chrome_trace(path)


def test_only_the_latest_block_is_in_the_trace(tmp_path):
    prof = profile(acc_events=True)
    with prof:
        torch.ones(2).exp()
    prof.entered = False
    with prof:
        torch.ones(2).log()
    assert {e.name for e in prof.function_events} == {"aten::ones", "aten::exp", "aten::log"}
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    events = read(tmp_path / "trace.json")["traceEvents"]
    assert {e["name"] for e in events if e["ph"] == "X"} == {"aten::ones", "aten::log"}
