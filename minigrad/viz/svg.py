"""A graph as a picture, drawn by Graphviz through ``pygraphviz``, whose wheels carry it: no program ``dot`` is needed."""

from typing import Any

from .._base.extras import missing_extra


def svg_text(dot: Any) -> Any:
    """Return the SVG for a text in Graphviz's language; raises ImportError without ``pygraphviz``."""
    try:
        import pygraphviz
    except ImportError as error:
        raise missing_extra("svg(), unlike dot(), mermaid() and save_html(),", "pygraphviz", "viz") from error
    graph = pygraphviz.AGraph(string=dot)
    return graph.draw(format="svg", prog="dot").decode("utf-8")
