"""The page: one file that holds the data whole, and nothing in the data can break out of its place."""

import html
import html.parser
import json
import re

import pytest

import minigrad as torch
from minigrad import viz
from minigrad.viz import page

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--",
    "]]>",
    "\u2028\u2029",
    "/*DATA*/",
    "/*STYLE*/",
    "/*SCRIPT*/",
    "\\u003c",
    '"',
    "'",
    "&quot;",
    "λ",
    "\ud800",
]


class Scripts(html.parser.HTMLParser):
    """The scripts of a page, and whatever it would fetch."""

    def __init__(self, text):
        super().__init__()
        self.data, self.fetched, self.scripts, self.inside = "", [], 0, False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.fetched += [
            attrs[name]
            for name in ("src", "href")
            if attrs.get(name) and not attrs[name].startswith(("#", "data:"))
        ]
        self.scripts += tag == "script"
        self.inside = tag == "script" and attrs.get("type") == "application/json"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.data += data


def step():
    tensors = {name: torch.ones(2, requires_grad=True) for name in HOSTILE}
    loss = (sum(tensors.values()) * torch.tensor([float("nan"), float("inf")])).sum()
    return loss, tensors


def test_the_data_comes_back_as_it_was(tmp_path):
    loss, tensors = step()
    picture = viz.graph(loss, params=tensors, title="</title><script>")
    with picture.watch():
        loss.backward()
    picture.save_html(tmp_path / "graph.html")
    text = (tmp_path / "graph.html").read_text("utf-8")
    scripts = Scripts(text)
    assert scripts.scripts == 2 and scripts.fetched == []
    data = json.loads(scripts.data)
    assert data == page.payload(picture._model, "</title><script>")
    assert {node["label"] for node in data["nodes"] if node["kind"] == "leaf"} == set(HOSTILE)
    assert data["nodes"][1]["saved"][0]["value"] == "[nan, inf]"
    assert data["nodes"][-1]["gradient"]["values"] == ["nan", "inf"]
    assert "\u2028" not in text and not re.search(r"https?://(?!www\.w3\.org)", text)


def test_the_data_says_what_the_nodes_say():
    x = torch.ones(2, 3, requires_grad=True)
    y = x.unbind(0)[1] * 2
    picture = viz.graph(y.sum(), params={"x": x})
    with picture.watch():
        picture._model  # nothing runs: no gradients
    data = page.payload(picture._model, "t")
    assert data["roots"] == [0] and data["steps"] is None and data["minigrad"] == torch.__version__
    assert [(e["from"], e["to"], e["output_nr"], e["input_nr"]) for e in data["edges"]] == [
        tuple(e) for e in picture.edges
    ]
    unbind = data["nodes"][2]
    assert unbind["name"] == "UnbindBackward0" and unbind["kind"] == "op" and unbind["label"] == "unbind"
    assert unbind["outputs"] == [{"shape": [3], "dtype": "float32"}] * 2
    assert unbind["inputs"] == [{"shape": [2, 3], "dtype": "float32"}]
    assert unbind["gradient"] is None and unbind["requires"] == "float32[3]"
    assert data["nodes"][1]["attributes"] == {"other": "2"}
    assert data["nodes"][3] == {
        "id": 3, "kind": "leaf", "name": "torch::autograd::AccumulateGrad", "label": "x", "variable": "x", "module": "", "module_type": "",
        "outputs": [{"shape": [2, 3], "dtype": "float32"}], "inputs": [], "saved": [], "attributes": {}, "source": None, "gradient": None,
        "sequence": None, "requires": "float32[2, 3]",
    }  # fmt: skip
    assert data["nodes"][0]["kind"] == "root" and data["nodes"][0]["sequence"] > data["nodes"][1]["sequence"]


def test_a_replay_brings_its_steps():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    replay = viz.step((x * x).sum(), params={"x": x})
    data = json.loads(Scripts(replay.html()).data)
    assert [step["node"] for step in data["steps"]] == [0, 1, 2]
    assert data["steps"][1]["incoming"][0]["values"] == [1.0, 1.0]
    assert [g["values"] for g in data["steps"][1]["outgoing"]] == [[1.0, 2.0]] * 2
    assert data["steps"][1]["formula"] == "self: g * other;  other: g * self"
    assert data["steps"][2]["outgoing"] == [] and data["steps"][2]["text"].startswith("x: ")
    assert data["title"] == "A backward pass, step by step"


def test_a_malformed_text_stays_where_it_is():
    assert Scripts(page.fill("not json")).data.strip() == "not json"


def test_too_many_nodes_are_refused(tmp_path):
    t = torch.ones(2, requires_grad=True)
    for _ in range(20):
        t = t.neg()
    picture = viz.graph(t)
    with pytest.raises(ValueError, match=r"the graph has 21 nodes, and the page is made for up to 20"):
        picture.save_html(tmp_path / "graph.html", limit=20)
    assert not (tmp_path / "graph.html").exists()
    picture.save_html(tmp_path / "graph.html", limit=21)
    picture.save_html(tmp_path / "graph.html", limit=None)
    assert page.MOST == 5000


def test_notebooks_get_the_page_in_a_frame():
    loss, tensors = step()
    picture = viz.graph(loss, params=tensors)
    shown = picture._repr_html_()
    (source,) = re.findall(r'^<iframe srcdoc="([^"]*)" ', shown)
    assert html.unescape(source) == picture.html()
    assert (
        'sandbox="allow-scripts' in shown and "allow-same-origin" not in shown and shown.endswith("</iframe>")
    )
