"""The interactive page: its parts and the data of a graph put together into one file that needs nothing else."""

import functools
import html
import json
from pathlib import Path
from typing import Any

from ..version import __version__

#: So many nodes the page shows without becoming slow.
MOST = 5000
#: The parts of the page: a frame, a style, and scripts, of which only ``main.js`` runs anything when it is loaded.
_PARTS = Path(__file__).parent / "browser"


@functools.cache
def template() -> Any:
    """Return the page with its style and scripts, without data."""
    main = _PARTS / "main.js"
    scripts = [*sorted(path for path in _PARTS.glob("*.js") if path != main), main]
    parts = {
        "/*STYLE*/": (_PARTS / "style.css").read_text("utf-8"),
        "/*SCRIPT*/": "\n".join(path.read_text("utf-8") for path in scripts),
    }
    text = (_PARTS / "page.html").read_text("utf-8")
    for place, part in parts.items():
        text = text.replace(place, part, 1)
    return text


def fill(data: Any) -> Any:
    """Return the whole page for ``data``, JSON text without ``<``."""
    return template().replace("/*DATA*/", data, 1)


def page(payload: Any) -> Any:
    """Return the whole page for the data of a graph.

    All that the JSON holds is ASCII without ``<``: nothing in it can end the element that it stands in, or a line of a script.
    """
    return fill(json.dumps(payload, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c"))


def payload(model: Any, title: Any, steps: Any = None) -> Any:
    """Return the data that the page reads: see ``browser/graph.js``."""
    return {
        "title": title,
        "minigrad": __version__,
        "nodes": [node.as_json() for node in model.nodes],
        "edges": [
            {"from": start, "to": end, "output_nr": output_nr, "input_nr": input_nr}
            for start, end, output_nr, input_nr in model.edges
        ],
        "modules": model.modules,
        "roots": model.roots,
        "steps": steps,
    }


def frame(text: Any) -> str:
    """Return a page as an element of a notebook's output, walled off from the notebook."""
    return (
        f'<iframe srcdoc="{html.escape(text)}" sandbox="allow-scripts allow-downloads" title="Autograd graph" '
        'style="width:100%;height:600px;border:1px solid #8884"></iframe>'
    )


def check_size(nodes: Any, limit: Any) -> None:
    """Raise ValueError if a graph has more nodes than the page is to show."""
    if limit is not None and nodes > limit:
        raise ValueError(
            f"the graph has {nodes:,} nodes, and the page is made for up to {limit:,}: take the picture of a part (of an intermediate tensor, of one "
            "layer's output, of fewer time steps), use dot() or mermaid(), which have no limit, or pass another limit (None for none)"
        )
