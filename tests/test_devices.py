"""The modules of devices say what those of PyTorch without such devices say."""

import importlib
import inspect
import subprocess
import sys
import warnings

import pytest

import minigrad

MODULES = (
    "accelerator accelerator.graphs accelerator.memory cpu cpu.amp cuda cuda.amp cuda.comm cuda.graphs cuda.green_contexts cuda.memory "
    "cuda.nccl cuda.nvtx cuda.profiler cuda.random cuda.sparse cuda.streams cuda.tunable mps mps.event mps.profiler mtia mtia.memory "
    "mtia.mtia_graph xpu xpu.graphs xpu.memory xpu.random xpu.streams"
).split()
#: Names of PyTorch's that are left out, and of minigrad's that PyTorch has there, but not in ``__all__``.
LEFT_OUT = {
    "cuda": {"jiterator"},
    "cuda.tunable": {"mgpu_tune_gemm_in_file", "set_numerical_check_tolerances", "tune_gemm_in_file"},
}
UNLISTED = {
    "cuda": {"AcceleratorError", "OutOfMemoryError", "comm", "green_contexts"},
    "cuda.nccl": {"is_available", "unique_id", "version"},
    "xpu": {"graphs", "memory", "random"},
}
#: What is asked of the machine in another way.
OF_THE_MACHINE = {"get_capabilities"}
#: Calls with arguments, and attributes; ``x`` is a tensor.
CALLS = """
accelerator.current_accelerator(check_available=True)
accelerator.device_index(0).__enter__()
accelerator.device_index(None).__enter__()
accelerator.set_device_idx(0)
accelerator.set_device_index(0)
accelerator.set_stream(None)
accelerator.set_stream(Stream())
accelerator.synchronize(0)
amp.autocast("mps")
amp.autocast("ve")
amp.is_autocast_available("hpu")
amp.is_autocast_available("meta")
amp.is_autocast_available("xpu")
cpu.Event().query()
cpu.Event().record()
cpu.Event().synchronize()
cpu.Event().wait()
cpu.Stream().record_event()
cpu.Stream().wait_event(None)
cpu.Stream().wait_stream(None)
cpu.current_stream() is cpu.current_stream()
cpu.get_capabilities()["architecture"]
cpu.get_capabilities()["avx512_vnni"] if "avx512_vnni" in cpu.get_capabilities() else None
cpu.set_device("cpu")
cpu.stream(None).__enter__()
cpu.stream(cpu.Stream()).__enter__()
cuda.CudaError(1)
cuda.Event(enable_timing=True)
cuda.ExternalStream(0, 0)
cuda.FloatStorage(2)
cuda.FloatStorage.dtype
cuda.FloatStorage.from_buffer(b"")
cuda.FloatTensor
cuda.FloatTensor(2)
cuda.FloatTensor.__module__.partition(".")[2]
cuda.FloatTensor.__name__
cuda.FloatTensor.dtype
cuda.FloatTensor.is_cuda
cuda.FloatTensor.is_sparse
cuda.FloatTensor.layout
cuda.GreenContext.create()
cuda.Stream(0)
cuda.StreamContext(None).idx
cuda._is_compiled()
cuda._is_in_bad_fork()
cuda._lazy_call(print)
cuda._lazy_init()
cuda.caching_allocator_alloc(1)
cuda.caching_allocator_delete(1)
cuda.caching_allocator_disabled().__enter__()
cuda.caching_allocator_enable(False)
cuda.can_device_access_peer(0, 1)
cuda.change_current_allocator(1)
cuda.check_error(0)
cuda.comm.broadcast(x, [0])
cuda.comm.broadcast(x)
cuda.comm.broadcast_coalesced([x], [0])
cuda.comm.gather([x])
cuda.comm.reduce_add([x])
cuda.comm.reduce_add([])
cuda.comm.reduce_add_coalesced([[x]])
cuda.comm.scatter(x, [0])
cuda.cudaStatus.ERROR_NOT_READY
cuda.cudaStatus.SUCCESS
cuda.default_generators
cuda.device("cpu")
cuda.device("cuda").__enter__()
cuda.device("cuda:0").idx
cuda.device(-1).__enter__()
cuda.device(0).__enter__()
cuda.device(0).__exit__(0, 0, 0)
cuda.device(None).__enter__()
cuda.device_of(x).__enter__()
cuda.device_of(x).__exit__(0, 0, 0)
cuda.device_of(x).idx
cuda.get_device_capability(0)
cuda.get_device_name(0)
cuda.get_device_properties("cpu")
cuda.get_device_properties(0)
cuda.get_stream_from_external(0)
cuda.graph(None)
cuda.has_half
cuda.has_magma
cuda.is_bf16_supported(including_emulation=False)
cuda.make_graphed_callables(abs, (x,))
cuda.manual_seed("a")
cuda.manual_seed(1.5)
cuda.manual_seed(5)
cuda.manual_seed_all(5)
cuda.max_memory_allocated("cpu")
cuda.mem_get_info(0)
cuda.memory_allocated(0)
cuda.memory_stats(0)
cuda.memory_summary(0)
cuda.nccl.is_available([])
cuda.nccl.unique_id()
cuda.nccl.version()
cuda.nvtx.mark("a")
cuda.nvtx.range("a").__enter__()
cuda.nvtx.range_end(1)
cuda.nvtx.range_push("a")
cuda.nvtx.range_start("a")
cuda.profiler.profile().__enter__()
cuda.set_device("cpu")
cuda.set_device("cuda")
cuda.set_device("cuda:0")
cuda.set_device(-1)
cuda.set_device(0)
cuda.set_device(None)
cuda.set_per_process_memory_fraction(0.5)
cuda.set_rng_state(x)
cuda.set_rng_state_all([])
cuda.set_rng_state_all([x])
cuda.set_stream(None)
cuda.set_sync_debug_mode("warn")
cuda.sparse.FloatTensor
cuda.sparse.FloatTensor(2)
cuda.sparse.FloatTensor.layout
cuda.stream(None).__enter__()
cuda.stream(None).__exit__(0, 0, 0)
cuda.stream(None).stream
cuda.synchronize(0)
cuda.temperature(0)
cuda.use_mem_pool(None).__enter__()
device(0)
empty(1, device="cuda")
empty(1, device="mtia")
empty(1, device="xpu")
get_autocast_dtype("maia")
get_autocast_dtype("meta")
get_autocast_dtype("mps")
get_device_module("meta")
isinstance(x, cuda.FloatTensor)
isinstance(x.untyped_storage(), cuda.FloatStorage)
mps._is_in_bad_fork()
mps.compile_shader("a")
mps.load_metallib("a")
mps.manual_seed(0)
mps.profiler.metal_capture("a").__enter__()
mps.profiler.profile().__enter__()
mps.set_per_process_memory_fraction("a")
mps.set_per_process_memory_fraction(0.5)
mps.set_per_process_memory_fraction(3.0)
mps.set_rng_state(x)
mtia._is_compiled()
mtia.attach_out_of_memory_observer(print)
mtia.device(-1).__enter__()
mtia.device(0).__enter__()
mtia.graph(None)
mtia.is_bf16_supported(False)
mtia.manual_seed(0)
mtia.manual_seed_all(0)
mtia.memory_allocated(0)
mtia.set_device(-1)
mtia.set_device(0)
mtia.set_rng_state(x)
mtia.set_rng_state_all([x])
mtia.set_stream(None)
mtia.stream(None)
is_vulkan_available()
is_autocast_cpu_enabled(), is_autocast_ipu_enabled(), is_autocast_xla_enabled()
get_autocast_cpu_dtype(), get_autocast_gpu_dtype(), get_autocast_ipu_dtype(), get_autocast_xla_dtype()
x.cuda()
x.xpu()
x.mtia()
x.ipu()
x.to("cuda")
x.to("ipu")
x.to("mps")
x.to("xpu")
x.to(0)
xpu._is_compiled()
xpu.can_device_access_peer(0, 1)
xpu.change_current_allocator(1)
xpu.device(-1).__enter__()
xpu.device(0).__enter__()
xpu.device_of(x).__enter__()
xpu.get_stream_from_external(0)
xpu.graph(None)
xpu.make_graphed_callables(abs, (x,))
xpu.manual_seed(0)
xpu.manual_seed_all(0)
xpu.set_device(-1)
xpu.set_device(0)
xpu.set_per_process_memory_fraction(0.5)
xpu.set_rng_state(x)
xpu.set_rng_state_all([])
xpu.set_stream(None)
xpu.stream(None).__enter__()
xpu.use_mem_pool(None).__enter__()
Event("cpu")
Event("cuda")
Event().device
Event().elapsed_time(Event())
Event().ipc_handle()
Event().query()
Event().record()
Event().synchronize()
Event().wait()
Event(enable_timing=True).elapsed_time(Event(enable_timing=True))
Stream("cpu")
Stream("cuda:0")
Stream("mps")
Stream() == Stream()
Stream().device
Stream().device_index
Stream().device_type
Stream().query()
Stream().record_event()
Stream().stream_id
Stream().synchronize()
Stream().wait_event(Event())
Stream().wait_stream(Stream())
Stream(0)
Stream(device="cpu", priority=0)
""".strip().splitlines()


def outcome(call):
    """What a call comes to, in words that are the same for both libraries: the value, or the type of the error and its first sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = call()
        except Exception as error:
            return type(error).__name__, str(error).splitlines()[0].split(". ")[0].rstrip(".")
    text = repr(value).replace("minigrad.", "torch.")
    return "value", type(value).__name__ if " at 0x" in text else text


def agree(theirs, ours):
    """Whether two outcomes are the same: a message of ours may add to PyTorch's."""
    return theirs[0] == ours[0] and (
        theirs[1] == ours[1] if theirs[0] == "value" else ours[1].startswith(theirs[1])
    )


def function_names(module):
    """The functions and classes of a module that can be called without arguments: that something is missing counts as well."""
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if name[0] != "_" and str(getattr(value, "__module__", "")).startswith(module.__name__)
    ]
    return {*names}


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of PyTorch's mps.Event
@pytest.mark.parametrize("name", MODULES)
def test_modules_have_pytorchs_names_and_answers(name):
    theirs = importlib.import_module(f"torch.{name}")
    importlib.import_module("torch.cuda.comm")  # which it does not import itself
    ours = importlib.import_module(f"minigrad.{name}")
    expected = function_names(theirs) - LEFT_OUT.get(name, set()) | UNLISTED.get(name, set())
    assert {*ours.__all__} == expected
    different = {}
    for each in sorted(expected):
        value = getattr(theirs, each)
        if (
            each not in OF_THE_MACHINE
            and callable(value)
            and not (inspect.isclass(value) and issubclass(value, BaseException))
        ):
            pair = outcome(value), outcome(getattr(ours, each))
            if not agree(*pair):
                different[each] = pair
    assert different == {}


@pytest.mark.torch
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_calls_come_to_what_they_come_to_in_pytorch(call):
    import torch
    import torch.cuda.comm

    outcomes = []
    for library in (torch, minigrad):
        names = {
            name: getattr(library, name) for name in dir(library) if "autocast" in name or "vulkan" in name
        }
        names["x"] = library.ones(1)
        for name in (
            "accelerator amp cpu cuda mps mtia xpu Event Stream device empty get_autocast_dtype get_device_module"
        ).split():
            names[name] = getattr(library, name)
        outcomes.append(outcome(lambda: eval(call, names)))
    assert agree(*outcomes), outcomes


def test_programs_find_out_that_there_is_only_the_cpu():
    found = [
        kind
        for kind in ("cuda", "mps", "mtia", "xpu")
        if minigrad.get_device_module(kind).is_available() or minigrad.get_device_module(kind).device_count()
    ]
    assert not found and not minigrad.accelerator.is_available()
    assert minigrad.accelerator.current_accelerator() is None


@pytest.mark.torch
@pytest.mark.parametrize(
    "call",
    (
        "is_initialized() is_mpi_available() is_nccl_available() is_ucc_available() is_xccl_available() is_torchelastic_launched() "
        "get_rank() get_rank(None) get_world_size() get_node_local_rank() get_node_local_rank(3) QueueEmptyError.__bases__ "
        "DistBackendError.__mro__ DistNetworkError.__mro__ is_backend_available('nosuch')"
    ).split(),
)
def test_programs_find_out_that_they_run_alone(call):
    import torch

    assert not minigrad.distributed.is_available()
    theirs, ours = (
        outcome(lambda: eval(f"lib.distributed.{call}", {"lib": lib})) for lib in (torch, minigrad)
    )
    assert agree(theirs, ours), (theirs, ours)


def test_a_queue_can_be_the_current_one_for_a_block():
    before, queue = minigrad.cpu.current_stream(), minigrad.cpu.Stream()
    with minigrad.cpu.stream(queue):
        assert minigrad.cpu.current_stream() is queue
        with minigrad.cpu.stream(None):
            assert minigrad.cpu.current_stream() is queue
    assert minigrad.cpu.current_stream() is before


def test_functions_of_tables_show_what_they_answer():
    shown = minigrad.cuda.memory_allocated.__doc__
    assert shown.startswith("The memory that tensors occupy on a device, in bytes: 0.\n")
    assert "Traceback" in minigrad.xpu.current_device.__doc__
    with pytest.raises(TypeError, match=r"^set_device\(\) missing 1 required positional argument: 'device'$"):
        minigrad.cuda.set_device()


def test_modules_of_devices_are_imported_when_they_are_used():
    code = "import sys, minigrad; minigrad.cuda.is_available(); print(*[m for m in sys.modules if m.startswith('minigrad.cuda.')])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.split() == []
