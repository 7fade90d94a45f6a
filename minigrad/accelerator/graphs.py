"""Graphs of kernels of the current accelerator: there is none."""

from .._devices.absent import no_accelerator

__all__ = ["Graph"]


class Graph:
    """A captured graph of kernels: raises RuntimeError, as there is no accelerator."""

    def __new__(cls, keep_graph=False, *, pool=None, capture_error_mode="default"):
        no_accelerator()
