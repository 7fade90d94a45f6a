"""Mermaid's flowcharts: one statement per line, and no name can be taken for a part of the language."""

import re
from pathlib import Path

import minigrad as torch
from minigrad import nn, viz

HOSTILE = [
    "end", 'a"b', '"', "x[0]", "(y)", "{z}", "</script>", "<b>bold</b>", "`md`", '"`*em*`"', "%%{init: {}}%%", "style:x#a;", "#quot;", "&lt;",
    "日本語 λ", "a|b", "-->", "1. list", "12.", "- item", "graph", "subgraph x", "\\n", "new\nline", "href:http://x.y", "class A", ":::", ";", "@{ shape: rect }",
]  # fmt: skip
NODE = re.compile(r'\s+n(\d+)(\(\["|\[")([^"]*)("\]\)|"\]):::(op|leaf|root)')
EDGE = re.compile(r"\s+n(\d+) -->(?:\|(\d+)\|)? n(\d+)")


def shown(text):
    """What Mermaid draws for a label: its entities are characters."""
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), text)


def test_nodes_and_edges_are_those_of_the_graph():
    x = torch.randn(3, 4, requires_grad=True)
    first, second = (x * 2).unbind(0)[:2]
    t = (first * second + first).sum()
    picture = viz.graph(t, params={"x": x})
    lines = picture.mermaid().splitlines()
    assert lines[0] == "flowchart TD"
    nodes = [found for found in map(NODE.fullmatch, lines) if found]
    assert {int(found[1]): found[5] for found in nodes} == {node.id: node.kind for node in picture.nodes}
    for found in nodes:
        node = picture.nodes[int(found[1])]
        label = shown(found[3]).split("<br/>")
        assert label[0].startswith(node.label) and label[1].startswith(str(node.outputs[0]))
        assert (found[2] == '(["') == (node.kind == "leaf")
    edges = [
        (int(found[1]), int(found[3]), int(found[2] or 0)) for found in map(EDGE.fullmatch, lines) if found
    ]
    assert edges == [(edge.start, edge.end, edge.output_nr) for edge in picture.edges]
    rest = [line for line in lines[1:] if not NODE.fullmatch(line) and not EDGE.fullmatch(line)]
    assert len(rest) == 3 and all(line.startswith("  classDef ") for line in rest)


def test_names_that_mean_something_to_mermaid():
    tensors = {name: torch.ones(2, requires_grad=True) for name in HOSTILE}
    picture = viz.graph(sum(tensors.values()), params=tensors, title='T: "q"\n---\n%%{x}%%')
    text = picture.mermaid()
    assert text.splitlines()[:4] == ["---", 'title: "T: \\"q\\"\\n---\\n%%{x}%%"', "---", "flowchart TD"]
    lines = text.splitlines()[4:]
    labels = [found[3] for found in map(NODE.fullmatch, lines) if found and found[5] == "leaf"]
    assert {shown(label).partition("<br/>")[0] for label in labels} == {
        name.replace("\n", " ") for name in HOSTILE
    }
    for label in labels:
        assert not set(label.replace("<br/>", "")) & set('"`<>&|{}%:\\@*')
        assert "#" not in re.sub(r"#\d+;", "", label) and ";" not in re.sub(r"#\d+;", "", label)
    assert len(lines) == 3 + len(picture.nodes) + len(picture.edges)


def test_modules_are_subgraphs():
    model = nn.Sequential(nn.Sequential(nn.Linear(2, 3), nn.Tanh()), nn.Linear(3, 1))
    t = model(torch.ones(4, 2)).sum()
    lines = [line.strip() for line in viz.graph(t, model=model).mermaid().splitlines()]
    opened = [shown(line) for line in lines if line.startswith("subgraph")]
    assert opened == [
        'subgraph m0["0 (Sequential)"]',
        'subgraph m1["0.0 (Linear)"]',
        'subgraph m2["1 (Linear)"]',
    ]
    assert lines.count("end") == 3
    start, stop = lines.index('subgraph m1["0.0 (Linear)"]'), lines.index("end")
    inside = [NODE.fullmatch(f" {line}") for line in lines[start + 1 : stop]]
    assert {shown(found[3]).partition("<br/>")[0] for found in inside} == {"0.0.weight", "0.0.bias"}


def test_the_drawing_in_the_document_is_that_of_its_session():
    text = (Path(__file__).parents[2] / "docs" / "howto" / "pictures.md").read_text()
    session = text[: text.index("picture = viz.graph(loss)")]
    names: dict = {}
    for code in re.findall(r"^```pycon\n(.*)", session, re.DOTALL | re.MULTILINE):
        exec("\n".join(line[4:] for line in code.splitlines() if line.startswith((">>>", "..."))), names)
    (drawing,) = re.findall(r"^```mermaid\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert (
        viz.graph(names["loss"], model=names["model"], params={})
        .mermaid()
        .replace("mse_loss<", "mse_loss (loss)<")
        == drawing
    )
