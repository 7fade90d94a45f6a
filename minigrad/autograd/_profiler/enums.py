"""The enumerations of PyTorch's profiler."""

import enum
from dataclasses import dataclass

from ..._base.publishing import publish

__all__ = ["DeviceType", "ProfilerActivity", "ProfilerConfig", "ProfilerState", "RecordScope"]


class _Numbered(enum.Enum):
    """An enumeration whose members are not numbers, but have one, as PyTorch's."""

    def __int__(self):
        return self.value

    __index__ = __int__


class DeviceType(_Numbered):
    """The kinds of devices that an event may be on; here it is ``CPU``."""

    CPU = 0
    CUDA = 1
    MKLDNN = 2
    OPENGL = 3
    OPENCL = 4
    IDEEP = 5
    HIP = 6
    FPGA = 7
    MAIA = 8
    XLA = 9
    Vulkan = 10
    Metal = 11
    XPU = 12
    MPS = 13
    Meta = 14
    HPU = 15
    VE = 16
    Lazy = 17
    IPU = 18
    MTIA = 19
    PrivateUse1 = 20


class ProfilerActivity(_Numbered):
    """What a profiler may be asked to watch; here ``CPU`` is supported."""

    CPU = 0
    XPU = 1
    MTIA = 4
    CUDA = 2
    HPU = 3
    PrivateUse1 = 5


class ProfilerState(_Numbered):
    """How a profiler watches."""

    Disabled = 0
    CPU = 1
    CUDA = 2
    NVTX = 3
    ITT = 4
    PRIVATEUSE1 = 5
    KINETO = 6
    KINETO_GPU_FALLBACK = 7
    KINETO_PRIVATEUSE1_FALLBACK = 8
    KINETO_PRIVATEUSE1 = 9


class RecordScope(_Numbered):
    """What an event is about; here, a function, a node of a backward pass or a user's range."""

    FUNCTION = 0
    BACKWARD_FUNCTION = 1
    TORCHSCRIPT_FUNCTION = 2
    KERNEL_FUNCTION_DTYPE = 3
    CUSTOM_CLASS = 4
    BUILD_FEATURE = 5
    LITE_INTERPRETER = 6
    USER_SCOPE = 7
    STATIC_RUNTIME_OP = 8
    STATIC_RUNTIME_MODEL = 9


@dataclass(frozen=True)
class ProfilerConfig:
    """What a profiler was asked for."""

    state: ProfilerState
    report_input_shapes: bool
    profile_memory: bool
    with_stack: bool
    with_flops: bool
    with_modules: bool
    experimental_config: object
    trace_id: str = ""


publish("minigrad.autograd", DeviceType, ProfilerConfig, ProfilerState)
publish("minigrad.profiler", ProfilerActivity, RecordScope)
