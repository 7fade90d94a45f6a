"""Parts of profiles that programs make or read themselves: events by hand, what devices tell, results by their C++ names, ranges, sequence numbers."""

import asyncio
import json
import threading

import pytest

import minigrad as torch
from minigrad.autograd import (
    DeviceType,
    ProfilerActivity,
    ProfilerConfig,
    ProfilerState,
    profiler,
    profiler_legacy,
    profiler_util,
)
from minigrad.autograd.profiler import EventList, FunctionEvent, MemRecordsAcc, profile, record_function
from minigrad.autograd.profiler_util import EventMetadata, FunctionEventAvg
from minigrad.profiler import RecordScope, _ExperimentalConfig


def event(name="a", start=0, end=10, id=1, thread=0, **more):
    return FunctionEvent(id=id, name=name, thread=thread, start_us=start, end_us=end, **more)


# Events ------------------------------------------------------------------------------------------------------------------


def test_what_devices_tell():
    told = {
        "stream": "7",
        "grid": "[1, 2, 3]",
        "Collective name": '"sum"',
        "Is asynchronized op": "1",
        "other": "3",
    }
    found = event(extra_meta=told).event_metadata
    assert (found.stream, found.grid, found.collective_name, found.is_async) == (7, [1, 2, 3], "sum", True)
    assert found.registers_per_thread is None and len(EventMetadata._fields) == 35
    assert event(extra_meta={"other": "3"}).event_metadata is None
    with pytest.raises(TypeError, match="missing 35 required positional arguments"):
        EventMetadata()


def test_old_names_warn_in_pytorchs_words():
    launch = event(use_device="cuda", metadata_json="{}")
    launch.append_kernel("k", 0, 4)
    with pytest.warns(FutureWarning, match="`metadata_json` is deprecated. Use `event_metadata` instead."):
        assert launch.metadata_json == "{}" == launch._metadata_json
    with pytest.warns(
        FutureWarning, match="`self_cuda_time_total` is deprecated. Use `self_device_time_total`"
    ):
        assert launch.self_cuda_time_total == 4
    with pytest.warns(FutureWarning, match="`cuda_time` is deprecated, please use `device_time` instead."):
        assert launch.cuda_time == 4


def test_only_devices_with_kernels_have_times():
    odd = event(device_type=DeviceType.MKLDNN, use_device="cuda")
    assert odd.cpu_time_total == 0
    with pytest.raises(
        AssertionError, match="Expected device_type to be CUDA, PrivateUse1, MTIA, HPU or XPU"
    ):
        odd.device_time_total


def test_the_time_on_a_device_counts_each_kernel_once():
    call = event("call", use_device="cuda")
    call.append_kernel("kernel", 0, 1)
    kernel = event("kernel", 3, 4, use_device="cuda", device_type=DeviceType.CUDA)
    mark = event("mark", 3, 4, use_device="cuda", device_type=DeviceType.CUDA, is_user_annotation=True)
    events = EventList([call, kernel, mark], use_device="cuda")
    events._build_tree()
    assert events.table().endswith("Self CPU time total: 10.000us\nSelf CUDA time total: 1.000us\n")


def test_a_sum_knows_whether_it_is_of_annotations_only_with_the_first_event():
    total = FunctionEventAvg()
    assert not hasattr(total, "is_user_annotation")
    assert total.add(event(is_user_annotation=True)).is_user_annotation is True


def test_records_of_memory_keep_their_order():
    class Record:
        def __init__(self, start):
            self.start = start

        def start_ns(self):
            return self.start

    records = [[Record(5), "a"], [Record(1), "b"], [Record(5), "c"]]
    found = MemRecordsAcc(records)
    assert (found._start_nses, found._indices) == ((1, 5, 5), (1, 0, 2))
    assert [record[1] for record in found.in_interval(1, 5)] == ["b", "a", "c"]
    assert list(found.in_interval(2, 4)) == []


def test_names_that_profiles_leave_out_or_change():
    assert profiler_util._filter_name("[memory]") and not profiler_util._filter_name("aten::mul")
    assert profiler_util._rewrite_name("ProfilerStep#3", with_wildcard=True) == "ProfilerStep*"
    assert profiler_util._rewrite_name("ProfilerStep#3") == "ProfilerStep#3"
    assert not profiler_util._filter_stack_entry("torch/autograd/__init__.py(7): backward")
    assert profiler_util._filter_stack_entry("train.py(7): backward")


def test_enumerations_have_numbers():
    assert int(ProfilerActivity.CUDA) == 2 and [10, 20, 30][ProfilerActivity.CUDA] == 30
    assert ProfilerActivity.CPU != 0
    assert int(DeviceType.MTIA) == 19 and int(RecordScope.USER_SCOPE) == 7


# Sequence numbers, names -------------------------------------------------------------------------------------------------


def names(prof):
    return [e.name for e in prof.function_events]


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda x: torch.square(x), ["aten::square", "aten::pow"]),
        (lambda x: torch.max(x, x), ["aten::max", "aten::maximum"]),
        (lambda x: torch.hstack([x, x]), ["aten::hstack", "aten::cat"]),
        (lambda x: torch.fft.fft2(x), ["aten::fft_fft2"]),
        (lambda x: torch.nn.functional.interpolate(x[None], scale_factor=2), ["aten::upsample_nearest1d"]),
        (lambda x: torch.nn.functional.max_pool2d(x[None], 2), ["aten::max_pool2d_with_indices"]),
        (lambda x: torch.nn.functional.unfold(x[None, None], 1), ["aten::im2col"]),
        (lambda x: torch.complex(x, x).conj(), ["aten::_conj"]),
        (lambda x: torch.einsum("ij,kj->ik", x, x), ["aten::einsum"]),
        (lambda x: torch.nn.functional.kl_div(x, x, reduction="sum"), ["aten::kl_div"]),
        (lambda x: int(x[0, 0]), ["aten::item"]),
        (lambda x: bool(x[0, 0]), ["aten::is_nonzero"]),
    ],
)
def test_functions_have_pytorchs_names(call, expected):
    x = torch.ones(3, 3)
    call(x)
    with profile() as prof:
        call(x)
    assert set(expected) <= set(names(prof))


def test_functions_are_their_own_again_afterwards():
    before = [f.__code__ for f in (torch.square, torch.hstack, torch.quantile, torch.reshape)]
    with profile():
        assert torch.hstack([torch.ones(2), torch.ones(1)]).tolist() == [1, 1, 1]
        assert torch.quantile(torch.tensor([1.0, 3.0]), 0.5) == 2
        assert torch.quantile.__code__ is not before[2]
    assert [f.__code__ for f in (torch.square, torch.hstack, torch.quantile, torch.reshape)] == before


def test_what_has_nothing_to_do_is_not_called():
    x = torch.ones(2, 3)
    with profile() as prof:
        x.contiguous()
        x.t().contiguous()
    assert names(prof).count("aten::contiguous") == 1


def test_a_batch_norm_in_pytorchs_steps():
    x = torch.ones(4, 2)
    with profile() as prof:
        torch.nn.functional.batch_norm(x, None, None, training=True)
    assert names(prof) == ["aten::batch_norm", "aten::_batch_norm_impl_index", "aten::native_batch_norm"]


def test_flops_of_a_convolution_are_those_of_the_function():
    with profile(with_flops=True) as prof:
        torch.conv2d(torch.ones(2, 3, 8, 8), torch.ones(4, 3, 3, 3))
    assert {e.name: e.flops for e in prof.function_events if e.flops} == {"aten::conv2d": 15552}


@pytest.mark.parametrize("shapes", [((3,), (3, 4)), ((2, 3), (2, 3))])
def test_an_operator_that_refuses_its_operands_is_noted_without_flops(shapes):
    with profile(with_flops=True) as prof, pytest.raises(RuntimeError):
        torch.mm(*map(torch.ones, shapes))
    (seen,) = [e for e in prof.function_events if e.name == "aten::mm"]
    assert seen.input_shapes == [list(shape) for shape in shapes]


def test_a_function_that_is_called_nearly_as_another_has_its_own_inputs():
    with profile(record_shapes=True) as prof:
        torch.conv_tbc(torch.ones(5, 2, 3), torch.ones(2, 3, 4), torch.ones(4))
    (seen,) = [e for e in prof.function_events if e.name == "aten::conv_tbc"]
    assert seen.input_shapes == [[5, 2, 3], [2, 3, 4], [4], []]


def test_the_inputs_in_place_are_those_of_the_function():
    x = torch.ones(3)
    with profile(record_shapes=True) as prof:
        x.cumsum_(0)
        x.add_(x)
    assert [e.concrete_inputs for e in prof.function_events] == [[None, 0, None], [None, None, 1]]


def test_overload_names():
    x = torch.ones(2, 3)
    with profile(experimental_config=_ExperimentalConfig(capture_overload_names=True)) as prof:
        x * x
        x.sum()
        x.sum(0)
    found = [(e.name, e.overload_name) for e in prof.function_events]
    assert found == [("aten::mul", "Tensor"), ("aten::sum", ""), ("aten::sum", "dim_IntList")]
    apart = prof.key_averages(group_by_overload_name=True)
    assert [(a.key, a.overload_name, a.count) for a in apart] == [(*each, 1) for each in found]
    assert [(a.key, a.overload_name, a.count) for a in prof.key_averages()] == [
        ("aten::mul", "", 1),
        ("aten::sum", "", 2),
    ]


def test_unknown_settings_are_refused():
    with pytest.raises(TypeError, match="foo"):
        _ExperimentalConfig(foo=3)


def test_fields_of_events():
    x = torch.ones(2, requires_grad=True)
    with profile() as prof, record_function("mine"):
        x.exp()
    mine, exp = prof.function_events
    assert (mine.activity_type, exp.activity_type) == ("user_annotation", "cpu_op")
    assert exp.external_id == exp.id and exp.flow_id == 0 and exp.flow_start is False


# Ranges ------------------------------------------------------------------------------------------------------------------


def test_a_ranges_name_is_a_text():
    with pytest.raises(RuntimeError, match="Expected a value of type 'str' for argument 'name'.*'int'"):
        record_function(3).__enter__()


def test_a_range_ends_after_it_has_begun():
    with pytest.raises(AssertionError, match="Expected record to be set"):
        record_function("a").__exit__(None, None, None)


def test_a_range_that_the_profile_does_not_see_the_end_of():
    mine = record_function("mine")
    with profile() as prof:
        mine.__enter__()
        torch.ones(2)
    mine.__exit__(None, None, None)
    assert names(prof) == ["mine", "aten::ones"]
    assert prof.function_events[1].cpu_parent is prof.function_events[0]


def test_arguments_of_a_range():
    with profile(record_shapes=True) as prof:
        with record_function("with", "arguments"):
            torch.ones(2)
        with record_function("without"):
            torch.ones(2)
    found = {e.name: (e.input_shapes, e.input_dtypes, e.concrete_inputs) for e in prof.function_events}
    assert found["with"] == ([[]], [""], [None]) and found["without"] == ([], [], [])


def test_ranges_in_coroutines():
    async def work(x):
        with record_function("work"):
            y = x.exp()
            await asyncio.sleep(0)
            return y.log()

    with profile() as prof:
        asyncio.run(work(torch.ones(2)))
    work_event = next(e for e in prof.function_events if e.name == "work")
    assert [child.name for child in work_event.cpu_children] == ["aten::exp", "aten::log"]


# Profilers ---------------------------------------------------------------------------------------------------------------


def test_whether_a_profiler_is_on_in_any_thread():
    assert not profiler._is_profiler_enabled
    with profile():
        assert profiler._is_profiler_enabled
    assert not profiler._is_profiler_enabled


def test_what_was_asked_for():
    prof = profile(record_shapes=True, custom_trace_id_callback=lambda: "mine")
    config = prof.config(create_trace_id=True)
    assert isinstance(config, ProfilerConfig) and config.state is ProfilerState.KINETO
    assert config.report_input_shapes and not config.with_stack and config.trace_id == prof.trace_id == "mine"
    assert len(prof.default_trace_id()) == 32


def test_stacks_need_events():
    with pytest.warns(UserWarning, match="trace_only=True is incompatible with with_stack=True"):
        prof = profile(with_stack=True, experimental_config=_ExperimentalConfig(trace_only=True))
    assert prof.experimental_config.trace_only is False


def test_results_by_their_names_in_cpp(tmp_path):
    x = torch.ones(4, requires_grad=True)
    with profile(profile_memory=True, record_shapes=True) as prof:
        y = x * x
        del y
    found = prof.kineto_results.events()
    assert [e.name() for e in found] == ["aten::mul", "[memory]", "[memory]"]
    mul, made, freed = found
    assert mul.shapes() == [[4], [4]] and mul.duration_ns() == mul.end_ns() - mul.start_ns() > 0
    assert mul.start_thread_id() == mul.end_thread_id() == 1 and not mul.is_async()
    assert (made.nbytes(), freed.nbytes()) == (16, -16)
    assert mul.start_ns() > prof.kineto_results.trace_start_ns() > 1e18


def test_the_parts_of_a_profiler(tmp_path):
    config = profile(record_shapes=True).config()
    torch.autograd._prepare_profiler(config, {ProfilerActivity.CPU})
    torch.autograd._enable_profiler(config, {ProfilerActivity.CPU})
    torch.ones(2).exp()
    torch.autograd._toggle_collection_dynamic(False, {ProfilerActivity.CPU})
    torch.ones(2).log()
    result = torch.autograd._disable_profiler()
    assert [e.name() for e in result.events()] == ["aten::ones", "aten::exp"]
    result.save(str(tmp_path / "trace.json"))
    with open(tmp_path / "trace.json") as file:
        assert [e["name"] for e in json.load(file)["traceEvents"] if e["ph"] == "X"] == [
            "aten::ones",
            "aten::exp",
        ]
    with pytest.raises(RuntimeError, match="Can't disable Kineto profiler when it's not running"):
        torch.autograd._disable_profiler()


def test_threads_have_profilers_of_their_own():
    found = {}

    def work(name, function):
        with profile() as prof:
            for _ in range(20):
                function(torch.ones(3))
        found[name] = set(names(prof))

    threads = [
        threading.Thread(target=work, args=(name, function))
        for name, function in (("exp", torch.exp), ("log", torch.log))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"exp": {"aten::ones", "aten::exp"}, "log": {"aten::ones", "aten::log"}}


def test_metadata(tmp_path):
    with torch.profiler.profile() as prof:
        torch.ones(2)
    prof.add_metadata("text", 'a "b" \\ c')
    prof.add_metadata_json("list", "[1, 2]")
    with pytest.raises(ValueError):
        prof.add_metadata_json("bad", "{not json")
    with pytest.raises(TypeError):
        prof.add_metadata_json("bad", 3)
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    with open(tmp_path / "trace.json") as file:
        trace = json.load(file)
    assert (trace["text"], trace["list"]) == ('a "b" \\ c', [1, 2]) and "bad" not in trace


# The first generation ----------------------------------------------------------------------------------------------------


def test_the_profiler_of_before(tmp_path):
    prof = profiler_legacy.profile(record_shapes=True)
    assert repr(prof) == "<unfinished profiler_legacy.profile>"
    assert str(prof) == "<unfinished profile.profiler_legacy.profile>"
    assert prof.function_events is None and prof.profiler_kind is ProfilerState.CPU
    asked = (
        prof.table,
        prof.key_averages,
        prof.total_average,
        lambda: prof.self_cpu_time_total,
        lambda: prof.export_chrome_trace("trace.json"),
    )
    for ask in asked:
        with pytest.raises(RuntimeError, match="Profiler didn't finish running"):
            ask()
    with prof:
        torch.ones(2).exp()
    assert names(prof) == ["aten::ones", "aten::exp"] and all(e.is_legacy for e in prof.function_events)
    assert "aten::exp" in str(prof) and prof.key_averages(group_by_input_shape=True)[1].input_shapes == [[2]]
    prof.export_chrome_trace(tmp_path / "trace.json")
    with open(tmp_path / "trace.json") as file:
        assert [e["name"] for e in json.load(file) if e["ph"] == "X"] == ["aten::ones", "aten::exp"]
    with pytest.raises(RuntimeError, match="not reentrant"):
        prof.__enter__()
    with pytest.raises(AssertionError, match="requires with_stack=True"):
        prof.export_stacks(str(tmp_path / "stacks.txt"))
    with profiler_legacy.profile(enabled=False) as nothing:
        torch.ones(2)
    assert nothing is None
