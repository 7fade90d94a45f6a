"""CUDA graphs: they cannot be captured without a device."""

from typing import Any

from .._devices.absent import CUDA
from .._devices.alike import graphs
from .._devices.answers import answers
from .._devices.contexts import unmade
from .streams import Stream


class graph:
    """Context manager that captures a graph: raises RuntimeError, because there is no device."""

    def __init__(
        self,
        cuda_graph: Any,
        pool: Any = None,
        stream: Any = None,
        capture_error_mode: str = "global",
        enable_annotations: bool = False,
    ) -> None:
        Stream()


__all__ = [
    *answers(globals(), graphs(CUDA, "_graph_pool_handle", "_cuda_isCurrentStreamCapturing", "CUDAGraph")),
    *unmade(globals(), CUDA, CUDAGraph="A captured graph. It cannot be created without a device."),
    "graph",
]
