"""Graphs of CUDA's kernels: there are none."""

from typing import Any

from .._devices.absent import CUDA
from .._devices.alike import graphs
from .._devices.answers import answers
from .._devices.contexts import unmade
from .streams import Stream


class graph:
    """A context that captures a graph of kernels: raises RuntimeError, as there is no device."""

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
    *unmade(globals(), CUDA, CUDAGraph="A captured graph of kernels."),
    "graph",
]
