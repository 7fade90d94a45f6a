"""XPU graphs: they cannot be captured without a device."""

from typing import Any

from .._devices.absent import XPU
from .._devices.alike import graphs
from .._devices.answers import answers
from .._devices.contexts import unmade


class graph:
    """Context manager that captures a graph: raises RuntimeError, because there is no device."""

    def __init__(self, xpu_graph: Any, pool: Any = None, stream: Any = None) -> None:
        XPU.dummy("Stream")


__all__ = [
    *answers(globals(), graphs(XPU, "_xpu_graph_pool_handle", "_xpu_isCurrentStreamCapturing", "XPUGraph")),
    *unmade(globals(), XPU, XPUGraph="A captured graph. It cannot be created without a device."),
    "graph",
]
