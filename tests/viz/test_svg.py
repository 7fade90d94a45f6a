"""Pictures drawn by Graphviz."""

import builtins
import os
import re
import xml.etree.ElementTree

import pytest

import minigrad as torch
from minigrad import viz

SVG = "{http://www.w3.org/2000/svg}"


def picture():
    w = torch.ones(2, 3, requires_grad=True)
    loss = (w.exp() * w).sum()
    return viz.graph(loss, params={'<w & "v">': w}, title="a <step>")


def test_the_drawing_has_all_nodes_and_edges(monkeypatch):
    pytest.importorskip("pygraphviz")
    monkeypatch.setenv("PATH", os.devnull)  # no program is called
    shown = picture()
    root = xml.etree.ElementTree.fromstring(shown.svg())
    assert root.tag == SVG + "svg"
    groups = [group.get("class") for group in root.iter(SVG + "g")]
    assert groups.count("node") == len(shown.nodes) == 4
    assert groups.count("edge") == len(shown.edges) == 4
    texts = [text.text for text in root.iter(SVG + "text")]
    assert '<w & "v">' in texts and "a <step>" in texts and "float32[2, 3]" in texts


def test_many_nodes_are_drawn():
    pytest.importorskip("pygraphviz")
    t = torch.ones(2, requires_grad=True)
    for _ in range(300):
        t = t.neg()
    assert len(re.findall('class="node"', viz.graph(t).svg())) == 301


def test_without_graphviz_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "pygraphviz":
            raise ImportError("No module named 'pygraphviz'")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ImportError, match=re.escape("pip install 'minigrad-numpy[viz]'")):
        picture().svg()
