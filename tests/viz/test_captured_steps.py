"""Pictures of captured steps: what each call reads was written by the calls, or was there before."""

import bdb
import re
import sys

import pytest

import minigrad as torch
from minigrad import nn


def captured(**options):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1), nn.Dropout(0.5))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1, **options)

    @torch.capture
    def step(x, y):
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    batch = torch.randn(4, 2), torch.randn(4, 1)
    for _ in range(4):
        step(*batch)
    return step, batch


def sources(picture):
    found = {node.id: set() for node in picture.nodes}
    for edge in picture.edges:
        assert edge.start < edge.end
        found[edge.end].add(edge.start)
    return found


def test_nodes_are_calls_and_edges_arrays():
    step, batch = captured()
    explanation = step.explain(*batch)
    picture = torch.viz.graph(explanation, title="one step")
    calls = [node for node in picture.nodes if node.kind != "leaf"]
    lines = [line.strip() for _, line in explanation.lines[1:-1]]
    assert [node.name for node in calls] == [line for line in lines if "= empty(" not in line]
    by_text = {node.name: node for node in calls}
    behind = sources(picture)
    # in a function without views every operand is the latest of that name
    first = by_text["dot(x0, _0_weight, linear1)"]
    assert {picture.nodes[i].label for i in behind[first.id]} == {"x0", "_0_weight"}
    assert behind[by_text["add(linear1, _0_bias, linear1)"].id] >= {first.id}
    # a view of what was written is what was written
    d_weight = next(node for node in calls if re.search(r"dot\(\w+_2, x0, d_0_weight\)", node.name))
    assert {picture.nodes[i].label for i in behind[d_weight.id]} == {"multiply", "x0"}
    moved = next(node for node in calls if node.name.startswith("subtract(_0_weight_2, "))
    assert "_0_weight" in {picture.nodes[i].label for i in behind[moved.id]}
    filled = next(node for node in calls if node.label == "refill")
    assert sum(filled.id in found for found in behind.values()) >= 3
    assert [picture.nodes[i].label for i in picture.roots] == ["divide"]
    assert set(picture.modules) == {"forward", "backward", "update"}
    for text in (picture.dot(), picture.mermaid(), picture.html()):
        assert "dot" in text and "update" in text
    assert "22 multiply" in str(picture) and str(picture).startswith("one step of ")


def test_small_parameters_are_parts_of_one():
    step, batch = captured(foreach=True)
    picture = torch.viz.graph(step.explain(*batch))
    assert re.search(r"dot +float32\[4, 3\] +<- 0, 1 +forward", str(picture))
    behind = sources(picture)
    gathered = next(node for node in picture.nodes if node.name.startswith("subtract(gradients, "))
    assert [picture.nodes[i].label for i in behind[gathered.id]].count("dot") == 4


def test_watching_is_refused():
    step, batch = captured()
    with pytest.raises(RuntimeError, match="no backward pass"):
        torch.viz.graph(step.explain(*batch)).watch()


def test_a_debugger_steps_through_the_source():
    step, batch = captured()
    seen = []

    class Debugger(bdb.Bdb):
        def user_line(self, frame):
            if frame.f_code.co_name == "replay":
                seen.append(self.format_stack_entry((frame, frame.f_lineno)).partition(": ")[2])
            self.set_step()

    debugger, was = Debugger(), sys.gettrace()
    try:
        debugger.runcall(step, *batch)
    finally:
        sys.settrace(was)
    assert seen == [line.strip() for _, line in step.explain(*batch).lines[1:]]
