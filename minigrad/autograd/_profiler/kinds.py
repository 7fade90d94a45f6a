"""The enumerations of PyTorch's profiler."""

import enum

__all__ = ["DeviceType", "ProfilerActivity", "ProfilerState", "RecordScope"]


class DeviceType(enum.Enum):
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


class ProfilerActivity(enum.Enum):
    """What a profiler may be asked to watch; here ``CPU`` is supported."""

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


class ProfilerState(enum.Enum):
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


class RecordScope(enum.Enum):
    """What an event is about."""

    FUNCTION = 0
    BACKWARD_FUNCTION = 1
    USER_SCOPE = 7
