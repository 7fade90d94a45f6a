"""``simplify``: what nobody needs is taken out of a graph."""

from typing import Any

_DRAWING = frozenset(
    [
        "RandomUniform",
        "RandomNormal",
        "RandomUniformLike",
        "RandomNormalLike",
        "Bernoulli",
        "Multinomial",
        "Dropout",
    ]
)


def simplify(model: Any) -> None:
    """Take out copies, nodes that do what another does, and nodes and weights without users; the inputs and outputs keep their names."""
    graph = model.graph
    _without_copies(graph)
    _without_repetitions(graph)
    _without_unused(graph)


def _rename_inputs(graph, names):
    for node in graph.node:
        for i, name in enumerate(node.input):
            if name in names:
                node.input[i] = names[name]


def _outer_names(node):
    """The names that the graphs in a node's attributes read, those around them included."""
    found = set()
    for attribute in node.attribute:
        for inner in attribute.g.node:
            found |= {*inner.input} | _outer_names(inner)
    return found


def _fixed_names(graph):
    """The names that values have to keep: of outputs, and of what graphs in nodes read."""
    return {x.name for x in graph.output}.union(*[_outer_names(node) for node in graph.node])


def _keep(graph, nodes):
    del graph.node[:]
    graph.node.extend(nodes)


def _without_copies(graph):
    """Without ``Identity``; one that makes an output of a node's value stays if the value is an output already."""
    made = {name: node for node in graph.node for name in node.output}
    outputs = _fixed_names(graph)
    renamed, kept = {}, []
    for node in graph.node:
        if node.op_type != "Identity" or node.domain:
            kept.append(node)
            continue
        source, name = renamed.get(node.input[0], node.input[0]), node.output[0]
        if name not in outputs:
            renamed[name] = source
        elif source in made and source not in outputs and made[source].op_type != "Constant":
            producer = made[source]  # it makes the output itself
            producer.output[[*producer.output].index(source)] = name
            renamed[source], made[name] = name, producer
            for key, value in renamed.items():
                if value == source:
                    renamed[key] = name
        else:
            kept.append(node)
    _rename_inputs(graph, renamed)
    _keep(graph, kept)


def _without_repetitions(graph):
    """Without nodes that compute what a node before has computed."""
    outputs = _fixed_names(graph)
    seen: dict[Any, Any] = {}
    renamed: dict[str, str] = {}
    kept = []
    for node in graph.node:
        for i, name in enumerate(node.input):
            node.input[i] = renamed.get(name, name)
        attributes = tuple(sorted(a.SerializeToString(deterministic=True) for a in node.attribute))
        key = node.op_type, node.domain, tuple(node.input), len(node.output), attributes
        if node.op_type in _DRAWING or node.domain or outputs & {*node.output} or key not in seen:
            seen.setdefault(key, node)
            kept.append(node)
        else:
            renamed.update(zip(node.output, seen[key].output))
    _keep(graph, kept)


def _without_unused(graph):
    """Without nodes and weights that no output depends on."""
    needed = {x.name for x in graph.output}
    kept = []
    for node in reversed(graph.node):
        if needed & {*node.output}:
            kept.append(node)
            needed.update(node.input, _outer_names(node))
    _keep(graph, kept[::-1])
    weights = [x for x in graph.initializer if x.name in needed]
    del graph.initializer[:]
    graph.initializer.extend(weights)
