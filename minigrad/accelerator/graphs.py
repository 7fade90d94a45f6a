"""Graphs of the current accelerator: they cannot be captured without one."""

from typing import Any, Literal

from .._devices.absent import no_accelerator

__all__ = ["Graph"]


class Graph:
    """A captured graph: raises RuntimeError, because there is no accelerator."""

    def __new__(
        cls,
        keep_graph: bool = False,
        *,
        pool: tuple[int, int] | None = None,
        capture_error_mode: Literal["default", "global", "thread_local", "relaxed"] = "default",
    ) -> Any:
        no_accelerator()
