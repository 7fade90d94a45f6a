"""Pictures of what happens: the graph that a backward pass runs through, the pass itself, step by step, and the layers of a model.

``docs/howto/pictures.md`` and ``docs/howto/summaries.md`` show them.
"""

from typing import TYPE_CHECKING

from .._base import lazy as _lazy

if TYPE_CHECKING:
    from .captured_steps import StepGraph as StepGraph
    from .drawn import graph as graph
    from .graphs import Graph as Graph
    from .model import GraphEdge as GraphEdge
    from .model import GraphNode as GraphNode
    from .replay import Replay as Replay
    from .replay import Step as Step
    from .replay import step as step
    from .saved_values import Saved as Saved
    from .statistics import Statistics as Statistics
    from .summaries import Layer as Layer
    from .summaries import Summary as Summary
    from .summaries import summary as summary

#: Imported when first used.
_later = _lazy.places(
    {
        "viz.captured_steps": "StepGraph",
        "viz.drawn": "graph",
        "viz.graphs": "Graph",
        "viz.model": "GraphEdge GraphNode",
        "viz.replay": "Replay Step step",
        "viz.saved_values": "Saved",
        "viz.statistics": "Statistics",
        "viz.summaries": "Layer Summary summary",
    }
)

__all__ = [
    "Graph",
    "GraphEdge",
    "GraphNode",
    "Layer",
    "Replay",
    "Saved",
    "Statistics",
    "Step",
    "StepGraph",
    "Summary",
    "graph",
    "step",
    "summary",
]


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})
