"""A graph as text for Graphviz."""

from collections.abc import Iterator
from typing import Any

_COLOURS = {"leaf": "#d8ecd8", "root": "#f6dcc0", "op": "#e4e8f0"}


def dot_text(model: Any, title: Any) -> str:
    """Return the ``digraph``: a cluster for each module, edges in the direction of the backward pass."""
    lines = [
        f'digraph "{escaped(title) or "graph"}" {{',
        '  graph [rankdir="TB", fontname="Helvetica", fontsize="11", style="rounded", color="#8a94a6"'
        + (f', label="{escaped(title)}", labelloc="t"];' if title else "];"),
        '  node [shape="box", style="rounded,filled", fontname="Helvetica", fontsize="10", color="#5b6577"];',
        '  edge [color="#5b6577", arrowsize="0.7"];',
    ]
    for depth, kind, text in nested(model):
        indent = "  " * (depth + 1)
        if kind == "open":
            lines += [
                f'{indent}subgraph "cluster_{escaped(text)}" {{',
                f'{indent}  label="{escaped(title_of(text, model.modules))}";',
            ]
        elif kind == "close":
            lines.append(f"{indent}}}")
        else:
            lines.append(indent + _node(text))
    for edge in model.edges:
        several = len(model.nodes[edge.end].outputs) > 1
        label = f' [label="{edge.output_nr}"]' if several else ""
        lines.append(f"  n{edge.start} -> n{edge.end}{label};")
    return "\n".join([*lines, "}"]) + "\n"


def _node(node):
    label = "\\n".join(map(escaped, lines_of(node)))
    tooltip = "\\n".join(
        map(
            escaped,
            [
                node.name,
                *map(str, node.saved),
                *([] if node.source is None else [str(node.source), node.source.text]),
            ],
        )
    )
    shape = ', shape="ellipse"' if node.kind == "leaf" else ""
    return f'n{node.id} [label="{label}", tooltip="{tooltip}", fillcolor="{_COLOURS[node.kind]}"{shape}];'


def escaped(text: Any) -> str:
    """Text inside the quotes of a Graphviz string, which knows escapes and the entities of HTML."""
    text = text.replace("\\", "\\\\").replace("&", "&amp;").replace('"', '\\"')
    return "".join(" " if ord(c) < 32 else c for c in text)


def lines_of(node: Any) -> Any:
    """Return what is written on a node: the label, and what it made."""
    made = [str(made) for made in node.outputs if made is not None]
    first = node.label
    if node.variable and node.kind != "leaf":
        first = f"{node.label} ({node.variable})"
    return [first, ", ".join(made[:3]) + (", ..." if len(made) > 3 else "")] if made else [first]


def title_of(path: Any, modules: Any) -> Any:
    """Return what is written on a module: ``layers.0 (Linear)``."""
    cls = modules.get(path, "")
    return f"{path} ({cls})" if cls else path


def nested(model: Any) -> Iterator[Any]:
    """Return the nodes in their modules, as (depth, kind, ...): ("open", a module's path), ("node", a node), ("close", the path)."""
    of_module = {}
    for node in model.nodes:
        of_module.setdefault(node.module, []).append(node)
    used = set()
    for path in of_module:
        while path and path not in used:
            used.add(path)
            path = path.rpartition(".")[0]
    inside = {}
    for path in model.modules:
        if path and path in used:
            inside.setdefault(path.rpartition(".")[0], []).append(path)
    stack = [("open", "")]
    depth = 0
    while stack:
        kind, path = stack.pop()
        if kind == "close":
            depth -= 1
            yield depth, kind, path
            continue
        if path:
            yield depth, kind, path
            depth += 1
            stack.append(("close", path))
        for node in of_module.get(path, ()):
            yield depth, "node", node
        stack += [("open", inner) for inner in reversed(inside.get(path, ()))]
