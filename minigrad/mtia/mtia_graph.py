"""MTIA graphs: they cannot be captured without a device."""

from typing import Any

from .._devices.absent import MTIA
from .._devices.answers import answers


class MTIAGraph:
    """A captured graph: raises RuntimeError, because there is no device."""

    def __new__(cls, keep_graph: bool = False) -> Any:
        MTIA.unhooked("mtiagraphCreate")


class graph:
    """Context manager that captures a graph: raises RuntimeError, because there is no device."""

    def __init__(self, mtia_graph: Any, pool: Any = None, stream: Any = None) -> None:
        MTIA.unhooked("getCurrentDevice")


__all__ = [
    *answers(globals(), {"graph_pool_handle": lambda: MTIA.unhooked("graphPoolHandle")}),
    "MTIAGraph",
    "graph",
]
