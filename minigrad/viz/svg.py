"""A graph as a picture, drawn by Graphviz through ``pygraphviz``, whose wheels carry it: no program ``dot`` is needed."""

from typing import Any


def svg_text(dot: Any) -> Any:
    """The SVG for a text in Graphviz's language; raises ImportError without ``pygraphviz``."""
    try:
        import pygraphviz
    except ImportError as error:
        raise ImportError(
            "svg() draws with Graphviz, through pygraphviz: pip install 'minigrad[viz]'.  dot(), mermaid() and save_html() need nothing."
        ) from error
    graph = pygraphviz.AGraph(string=dot)
    return graph.draw(format="svg", prog="dot").decode("utf-8")
