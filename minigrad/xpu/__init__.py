"""The API of ``torch.xpu`` (Intel GPUs), with the results and errors of PyTorch on a machine without them."""

from typing import Any

from .._base import lazy as _lazy
from .._devices import alike as _alike
from .._devices import contexts as _contexts
from .._devices.absent import CPU_ONLY as _CPU_ONLY
from .._devices.absent import XPU as _XPU
from .._devices.answers import answers as _answers

_later = _lazy.places(
    {
        "xpu.memory": (
            "memory= MemPool XPUPluggableAllocator change_current_allocator empty_cache get_per_process_memory_fraction "
            "max_memory_allocated max_memory_reserved mem_get_info memory_allocated memory_reserved memory_snapshot memory_stats "
            "memory_stats_as_nested_dict reset_accumulated_memory_stats reset_peak_memory_stats set_per_process_memory_fraction "
            "use_mem_pool"
        ),
        "xpu.random": (
            "random= get_rng_state get_rng_state_all initial_seed manual_seed manual_seed_all seed seed_all set_rng_state "
            "set_rng_state_all"
        ),
        "xpu.streams": "streams= Event Stream",
        "xpu.graphs": "graphs= XPUGraph graph graph_pool_handle is_current_stream_capturing make_graphed_callables",
    },
)  # fmt: skip


def __getattr__(name: str) -> Any:
    return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


default_generators: tuple[Any, ...] = ()


class device(_contexts.DeviceContext):
    """Context manager that sets the current device. Entering it raises NotImplementedError."""

    absent = _XPU

    def __init__(self, device: Any) -> None:
        self._choose(device)

    def __enter__(self) -> Any:
        raise NotImplementedError(f"PyTorch was compiled without XPU support ({_CPU_ONLY})")


class device_of(_contexts.DeviceOf, device):
    """Context manager that sets the current device to that of a tensor. Entering it raises NotImplementedError."""

    def __init__(self, obj: Any) -> None:
        self._choose(obj)


class StreamContext(_contexts.StreamContext):
    """Context manager that sets the current stream; None changes nothing."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream


def _is_compiled():
    return False


def _is_in_bad_fork():
    return False


def _lazy_init():
    _XPU.refuse()


__all__ = [
    *_answers(
        globals(),
        {
            **_alike.devices(_XPU),
            **_alike.sensors(_XPU),
            "stream": _alike.stream_context(__name__, StreamContext),
            "can_device_access_peer": lambda device, peer: _XPU.refuse(),
            "set_device": lambda device: _XPU.refuse(),
        },
    ),
    *("StreamContext", "default_generators", "device", "device_of"),
    *_later,
]
