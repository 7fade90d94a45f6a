"""Partitions of a joint graph of forward and backward: there are none to take apart."""

from typing import Any

__all__ = ["default_partition", "draw_graph", "min_cut_rematerialization_partition"]

_WHY = "takes a graph of forward and backward, which minigrad does not make: autograd differentiates while a program runs"


def default_partition(joint_module: Any, _joint_inputs: Any, *args: Any, **kwargs: Any) -> Any:
    """Raise NotImplementedError."""
    raise NotImplementedError(f"default_partition {_WHY}")


def min_cut_rematerialization_partition(
    joint_module: Any, _joint_inputs: Any, *args: Any, **kwargs: Any
) -> Any:
    """Raise NotImplementedError."""
    raise NotImplementedError(f"min_cut_rematerialization_partition {_WHY}; utils.checkpoint saves memory")


def draw_graph(traced: Any, fname: str, *args: Any, **kwargs: Any) -> Any:
    """Raise NotImplementedError."""
    raise NotImplementedError("draw_graph needs pydot; minigrad.viz.graph draws the graph of a result")
