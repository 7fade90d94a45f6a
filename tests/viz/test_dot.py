"""Graphviz's language: what it reads back is the graph, whatever things are called."""

import re

import pytest

import minigrad as torch
from minigrad import nn, viz

HOSTILE = [
    "end", 'a"b', '"', "\\", "\\N\\G\\l", "trailing\\", "x[0]", "{a|b}", "<b>bold</b>", "&lt;&amp;", "</script>", "日本語 λ", "new\nline", "-> n1",
    'label"]; n0 -> n9 [x="', "subgraph", "/* no */ // comment", "#", "tab\t.", "node",
]  # fmt: skip


def hostile():
    tensors = {name: torch.ones(2, requires_grad=True) for name in HOSTILE}
    return viz.graph(sum(tensors.values()) * 1, params=tensors, title='the "title" \\ & </x>')


def shown(text):
    """What Graphviz draws for a label's text: its own escapes, then the entities of HTML."""
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text).replace("&amp;", "&")


def read(dot):
    return pytest.importorskip("pygraphviz").AGraph(string=dot)


def test_graphviz_reads_the_same_nodes_and_edges():
    x = torch.randn(3, 4, requires_grad=True)
    first, second = (x * 2).unbind(0)[:2]
    t = (first * second + first).sum()
    picture = viz.graph(t, params={"x": x})
    graph = read(picture.dot())
    assert len(graph.nodes()) == len(picture.nodes)
    found = sorted((int(a[1:]), int(b[1:])) for a, b in graph.edges())
    assert found == sorted((edge.start, edge.end) for edge in picture.edges)
    for node in picture.nodes:
        label = shown(graph.get_node(f"n{node.id}").attr["label"]).split("\n")
        assert label[0] == (
            node.label if node.kind == "leaf" or not node.variable else f"{node.label} ({node.variable})"
        )
        assert label[1].startswith(str(node.outputs[0]))
    (unbind,) = [node for node in picture.nodes if node.label == "unbind"]
    several = re.findall(rf'-> n{unbind.id} \[label="(\d)"\];', picture.dot())
    assert several == [str(edge.output_nr) for edge in picture.edges if edge.end == unbind.id]
    assert sorted(several) == ["0", "0", "1"]


def test_edges_to_the_same_node_are_all_there():
    x = torch.ones(2, requires_grad=True)
    assert viz.graph(x * x).dot().count("n0 -> n1;") == 2


def test_names_that_mean_something_to_graphviz():
    picture = hostile()
    graph = read(picture.dot())
    labels = {
        shown(graph.get_node(f"n{node.id}").attr["label"]).rpartition("\n")[0]
        for node in picture.nodes
        if node.kind == "leaf"
    }
    assert labels == {name.replace("\n", " ").replace("\t", " ") for name in HOSTILE}
    assert len(graph.nodes()) == len(picture.nodes) and len(graph.edges()) == len(picture.edges)
    assert shown(graph.graph_attr["label"]) == 'the "title" \\ & </x>'


def test_modules_are_clusters_inside_of_each_other():
    model = nn.Sequential(nn.Sequential(nn.Linear(2, 3), nn.Tanh()), nn.Linear(3, 1))
    with torch.autograd.graph.record_origins():
        t = model(torch.ones(4, 2)).sum()
    picture = viz.graph(t, model=model)
    graph = read(picture.dot())  # which owns its subgraphs
    outer = {cluster.name: cluster for cluster in graph.subgraphs()}
    assert set(outer) == {"cluster_0", "cluster_1"}
    assert {cluster.name for cluster in outer["cluster_0"].subgraphs()} == {"cluster_0.0", "cluster_0.1"}
    assert outer["cluster_1"].graph_attr["label"] == "1 (Linear)"
    members = set(outer["cluster_1"].nodes())
    assert members == {f"n{node.id}" for node in picture.nodes if node.module == "1"} and len(members) == 3


def test_quotes_and_braces_are_balanced_without_graphviz():
    text = re.sub(r'"(?:[^"\\]|\\.)*"', "S", hostile().dot())
    assert '"' not in text and text.count("{") == text.count("}") and text.count("[") == text.count("]")
    assert all(re.fullmatch(r"(digraph S \{|  .*;|\})", line) for line in text.splitlines())
