"""A graph as a flowchart for Mermaid, which GitHub, GitLab and many notebooks draw."""

import json
import re
from typing import Any

from .dot import lines_of, nested, title_of

#: What is written as it is inside of quotes; all else might be Mermaid's, Markdown's or HTML's.
_special = re.compile(r"[^\w \[\](),.-]|\.(?=\s|$)")


def mermaid_text(model: Any, title: Any) -> str:
    """Return the ``flowchart``: a subgraph for each module, edges in the direction of the backward pass."""
    lines = []
    if title:
        lines += ["---", f"title: {json.dumps(title)}", "---"]  # YAML takes strings as JSON has them
    lines.append("flowchart TD")
    modules = 0
    for depth, kind, what in nested(model):
        indent = "  " * (depth + 1)
        if kind == "open":
            lines.append(f"{indent}subgraph m{modules}[{quoted(title_of(what, model.modules))}]")
            modules += 1
        elif kind == "close":
            lines.append(f"{indent}end")
        else:
            label = '"' + "<br/>".join(map(escaped, lines_of(what))) + '"'
            shape = f"([{label}])" if what.kind == "leaf" else f"[{label}]"
            lines.append(f"{indent}n{what.id}{shape}:::{what.kind}")
    for edge in model.edges:
        several = len(model.nodes[edge.end].outputs) > 1
        lines.append(f"  n{edge.start} -->{f'|{edge.output_nr}|' if several else ''} n{edge.end}")
    return (
        "\n".join(
            [
                *lines,
                "  classDef op fill:#e4e8f0,stroke:#5b6577,color:#000",
                "  classDef leaf fill:#d8ecd8,stroke:#5b6577,color:#000",
                "  classDef root fill:#f6dcc0,stroke:#5b6577,color:#000",
            ]
        )
        + "\n"
    )


def escaped(text: Any) -> Any:
    """Text as it stands inside quotes: what could mean anything to Mermaid is an entity, ``#34;``."""
    return _special.sub(lambda found: f"#{ord(found[0])};" if ord(found[0]) > 31 else " ", text)


def quoted(text: Any) -> str:
    """Text in quotes."""
    return f'"{escaped(text)}"'
