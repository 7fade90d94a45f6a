"""Functions that several device modules share: tables, name -> function."""

from collections import OrderedDict
from typing import Any


def devices(absent):
    """Devices: CUDA and XPU."""
    refuse = absent.refuse
    return {
        "is_available": lambda: False,
        "is_initialized": lambda: False,
        "device_count": lambda: 0,
        "init": lambda: refuse(),
        "current_device": lambda: refuse(),
        "get_device_name": lambda device=None: refuse(),
        "get_device_capability": lambda device=None: refuse(),
        "get_device_properties": lambda device=None: refuse(),
        "get_arch_list": lambda: [],  # noqa: PIE807 (a function of its own)
        "get_gencode_flags": lambda: "",
        "is_bf16_supported": lambda including_emulation=True: False,
        "is_tf32_supported": lambda: False,
        "synchronize": lambda device=None: refuse(),
        "current_stream": lambda device=None: refuse(),
        "get_stream_from_external": lambda data_ptr, device=None: refuse(),
        "set_stream": lambda stream: None if stream is None else refuse(),
    }


def sensors(absent):
    """Sensors that other packages would read from a device: CUDA and XPU."""
    return {
        "clock_rate": lambda device=None: absent.unread(),
        "device_memory_used": lambda device=None: absent.unread(),
        "memory_usage": lambda device=None: absent.unread(),
        "power_draw": lambda device=None: absent.unread(),
        "temperature": lambda device=None: absent.unread(),
        "utilization": lambda device=None: absent.unread(),
    }


def memory(absent):
    """Memory: CUDA and XPU."""
    refuse, prefix = absent.refuse, f"_{absent.name}_"
    return {
        "change_current_allocator": lambda allocator: absent.missing(f"{prefix}changeCurrentAllocator"),
        "empty_cache": lambda: None,
        "get_per_process_memory_fraction": lambda device=None: refuse(),
        "max_memory_allocated": lambda device=None: 0,
        "max_memory_reserved": lambda device=None: 0,
        "mem_get_info": lambda device=None: refuse(),
        "memory_allocated": lambda device=None: 0,
        "memory_reserved": lambda device=None: 0,
        "memory_stats": lambda device=None: OrderedDict(),
        "memory_stats_as_nested_dict": lambda device=None: {},
        "reset_accumulated_memory_stats": lambda device=None: absent.missing(
            f"{prefix}resetAccumulatedMemoryStats"
        ),
        "reset_peak_memory_stats": lambda device=None: absent.missing(f"{prefix}resetPeakMemoryStats"),
        "set_per_process_memory_fraction": lambda fraction, device=None: refuse(),
    }


def random_numbers(absent: Any) -> Any:
    """Random number generators: CUDA and XPU."""
    kind = absent.name
    return {
        "get_rng_state": lambda device=kind: absent.refuse(),
        "get_rng_state_all": lambda: [],  # noqa: PIE807 (a function of its own)
        "initial_seed": lambda: absent.refuse(),
        "manual_seed": lambda seed: _checked(seed),
        "manual_seed_all": lambda seed: _checked(seed),
        "seed": lambda: None,
        "seed_all": lambda: None,
        "set_rng_state": lambda new_state, device=kind: None,
        "set_rng_state_all": lambda new_states: None,
    }


def _checked(seed):
    """Raise unless ``seed`` is a number: it is one for all that, as a program would see with a device."""
    int(seed)


def graphs(absent: Any, handle: Any, capturing: Any, graph: Any) -> Any:
    """Captured graphs: CUDA and XPU, with the names below them."""
    return {
        "graph_pool_handle": lambda: absent.dummy(handle),
        "is_current_stream_capturing": lambda: absent.dummy(capturing),
        "make_graphed_callables": lambda callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None: (
            absent.dummy(graph)
        ),
    }


def stream_context(home, context):
    """The function ``stream`` of the module ``home``, which makes a context of this class."""

    def stream(stream):
        return context(stream)

    stream.__doc__ = f"""Return a context manager that sets the current stream; None changes nothing.

    >>> import minigrad
    >>> with {home}.stream(None):
    ...     minigrad.ones(2)
    tensor([1., 1.])
    """
    return stream
