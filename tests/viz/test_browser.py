"""The interactive page, as a reader meets it: in a real browser, without a network."""

import itertools
import math
import random

import pytest

import minigrad
from minigrad import nn, viz
from minigrad.viz.page import fill

keys = pytest.importorskip("selenium.webdriver.common.keys").Keys


# Graphs to show ------------------------------------------------------------------------------------------------------------------


def node(index, label="mul", kind="op", module="", **more):
    tensor = {"shape": [2, 3], "dtype": "float32"}
    name = "torch::autograd::AccumulateGrad" if kind == "leaf" else f"{label.capitalize()}Backward0"
    return {
        "id": index,
        "kind": kind,
        "name": name,
        "label": label,
        "module": module,
        "outputs": [tensor],
        **more,
    }


def edge(start, end, input_nr=0):
    return {"from": start, "to": end, "output_nr": 0, "input_nr": input_nr}


def payload(nodes, edges, **more):
    roots = [nodes[0]["id"]] if nodes else []
    return {
        "title": "a graph",
        "minigrad": "1",
        "nodes": nodes,
        "edges": edges,
        "modules": {},
        "roots": roots,
        **more,
    }


def stats(values, **changes):
    flat = list(itertools.chain(*values)) if isinstance(values[0], list) else values
    return {
        "shape": [len(values)] if flat is values else [len(values), len(values[0])],
        "dtype": "float32",
        "min": min(flat),
        "max": max(flat),
        "mean": sum(flat) / len(flat),
        "std": 0.5,
        "norm": math.hypot(*flat),
        "nans": 0,
        "infs": 0,
        "zeros": flat.count(0) / len(flat),
        "histogram": [len(flat)] + [0] * 15,
        "values": values,
        **changes,
    }


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        return x + self.inner(self.norm(x))


class Model(nn.Module):
    """Modules in modules, edges that skip some of them, and one module that is called three times."""

    def __init__(self, width=4):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(2)])
        self.gate = nn.Linear(width, width)
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        for _ in range(3):
            x = self.gate(x).sigmoid() * x
        return self.head(x)


@pytest.fixture(scope="module")
def model_html():
    model = Model()
    with minigrad.autograd.graph.record_origins():
        loss = nn.functional.cross_entropy(model(minigrad.ones(5, 4)), minigrad.tensor([0, 1, 2, 0, 1]))
    picture = viz.graph(loss, model=model, title="A step of training")
    with picture.watch():
        loss.backward()
    return picture.html()


def tangle(count, seed, modules=()):
    """A random graph; with ``modules``, its nodes are strewn over them."""
    chance = random.Random(seed)
    nodes = [
        node(i, chance.choice(["mul", "sigmoid", "x"]), module=chance.choice(modules) if modules else "")
        for i in range(count)
    ]
    edges = []
    for i in range(1, count):
        for place in range(chance.choice([1, 1, 2, 3])):
            edges.append(edge(chance.randrange(max(0, i - chance.choice([3, 12, 60])), i), i, place))
    return payload(nodes, edges)


def five_thousand():
    """A recurrent network of 5,000 nodes in 50 modules of 20 steps: each step uses three parameters, which all steps share."""
    nodes, edges = [], []
    parameters = ["cell.weight", "cell.bias", "x"]
    steps = (5000 - len(parameters)) // 5
    leaves = list(range(5 * steps, 5 * steps + 3))
    for step in range(steps):
        base, inside = 5 * step, f"part{step // 20}.step{step}"
        nodes += [
            node(base + i, label, module=inside)
            for i, label in enumerate(["tanh", "add", "addmm", "mul", "t"])
        ]
        edges += [
            edge(base, base + 1),
            edge(base + 1, base + 2),
            edge(base + 1, base + 3, 1),
            edge(base + 2, base + 4, 1),
        ]
        edges += [edge(base + 4, leaves[0]), edge(base + 2, leaves[1]), edge(base + 3, leaves[2])]
        if step + 1 < steps:
            edges.append(edge(base + 3, base + 5, 1))
    nodes += [node(5 * steps + i, label, "leaf") for i, label in enumerate(parameters)]
    nodes += [node(len(nodes) + i, "spare", "leaf") for i in range(5000 - len(nodes))]
    return payload(nodes, edges)


# What must hold of every drawing -----------------------------------------------------------------------------------------------------


def overlap(p, q, by=0.0):
    return (
        p["x"] + p["w"] > q["x"] + by
        and q["x"] + q["w"] > p["x"] + by
        and p["y"] + p["h"] > q["y"] + by
        and q["y"] + q["h"] > p["y"] + by
    )


def assert_boxes_apart(boxes):
    """No two boxes meet: a sweep from left to right."""
    open_ = []
    for box in sorted(boxes, key=lambda box: box["x"]):
        open_ = [other for other in open_ if other["x"] + other["w"] > box["x"]]
        for other in open_:
            assert not overlap(box, other), (box, other)
        open_.append(box)


def assert_frames_nested(frames, boxes):
    """Frames lie inside of one another or apart, and so do frames and boxes."""

    def inside(p, q):
        return (
            p["x"] >= q["x"]
            and p["y"] >= q["y"]
            and p["x"] + p["w"] <= q["x"] + q["w"]
            and p["y"] + p["h"] <= q["y"] + q["h"]
        )

    for p, q in itertools.combinations(frames, 2):
        assert inside(p, q) or inside(q, p) or not overlap(p, q), (p, q)
    for frame, box in itertools.product(frames, boxes):
        assert inside(box, frame) or not overlap(box, frame), (frame, box)


def samples(points):
    """Points along what is drawn through ``points``: S-curves that are vertical at both ends."""
    corners = list(zip(points[::2], points[1::2]))
    for (ax, ay), (bx, by) in itertools.pairwise(corners):
        for i in range(13):
            t = i / 12
            yield ax + (bx - ax) * t * t * (3 - 2 * t), ay + (by - ay) * (1.5 * t * (1 - t) + t**3)


def assert_edges_clear(shown):
    """Every edge leads from its one box to the other and passes through no third."""
    boxes = {box["id"]: box for box in shown.boxes}
    for number, link in enumerate(shown.links):
        route = shown.run("return window.minigrad.route(arguments[0])", number)
        start, end = boxes[link["from"]], boxes[link["to"]]
        assert start["x"] <= route[0][0] <= start["x"] + start["w"] and route[0][1] == pytest.approx(
            start["y"] + start["h"]
        )
        assert end["x"] <= route[-1][-2] <= end["x"] + end["w"] and route[-1][-1] == pytest.approx(end["y"])
        for before, after in itertools.pairwise(route):
            assert before[-2:] == pytest.approx(after[:2])
        for x, y in itertools.chain.from_iterable(map(samples, route)):
            for box in boxes.values():
                within = (
                    box["x"] + 1 < x < box["x"] + box["w"] - 1 and box["y"] + 1 < y < box["y"] + box["h"] - 1
                )
                assert not within, (link, box, x, y)


def assert_sound(shown):
    assert_boxes_apart(shown.boxes)
    assert_frames_nested(shown.frames, shown.boxes)
    assert_edges_clear(shown)


def colours(shown, box):
    """The different colours in the middle third of a box, as the canvas has them."""
    x, y = shown.point(box, 1 / 3, 1 / 3)
    scale = shown.view["scale"]
    return shown.run(
        """const canvas = document.getElementById("graph");
        const [x, y, w, h] = [...arguments].map((value) => Math.round(value * devicePixelRatio));
        const data = canvas.getContext("2d").getImageData(x, y, w, h).data;
        const seen = new Set();
        for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 3).join());
        return [...seen];""",
        x,
        y,
        max(1, box["w"] * scale / 3),
        max(1, box["h"] * scale / 3),
    )


# Loading and layout --------------------------------------------------------------------------------------------------------------------


def test_page_loads_without_errors_and_asks_for_nothing(show, model_html, tmp_path_factory):
    shown = show(model_html)
    assert shown.errors() == []
    assert [url for url in shown.requests() if not url.startswith("data:")] == [shown.path.as_uri()]
    assert not shown.element("problem").is_displayed()
    assert shown.driver.title == "A step of training"
    shown.photograph("graph", tmp_path_factory.mktemp("screenshots"))


def test_nodes_and_edges_are_drawn(show, model_html):
    shown = show(model_html)
    boxes = shown.boxes
    assert len({(box["x"], box["y"]) for box in boxes}) == len(boxes)
    data = shown.run("return JSON.parse(document.getElementById('graph-data').textContent)")
    assert {box["id"] for box in boxes} == {node["id"] for node in data["nodes"]}
    assert {(link["from"], link["to"]) for link in shown.links} == {
        (edge["from"], edge["to"]) for edge in data["edges"]
    }
    assert (
        len(colours(shown, boxes[0])) > 2
    )  # a ground, a text, and what lies between them at the rims of letters
    x, y = shown.point(boxes[0], 0.5, 1.3)  # on the edge that leaves the root
    ground = shown.run("return getComputedStyle(document.body).backgroundColor")
    pixel = shown.run(
        """const at = [arguments[0] - 3, arguments[1]].map((value) => Math.round(value * devicePixelRatio));
        const data = document.getElementById("graph").getContext("2d").getImageData(...at, 7, 1).data;
        return Array.from({length: 7}, (_, i) => `rgb(${data.slice(4 * i, 4 * i + 3).join(", ")})`);""",
        x,
        y,
    )
    assert any(colour != ground for colour in pixel)


def test_layout_of_a_model_is_sound_open_and_folded(show, model_html):
    shown = show(model_html)
    assert len(shown.frames) > 5
    assert_sound(shown)
    shown.press("fold-all")
    assert shown.frames == []
    assert_sound(shown)


@pytest.mark.parametrize("seed", range(4))
def test_layout_of_random_graphs_is_sound(show, seed):
    assert_sound(show(tangle(60, seed)))


@pytest.mark.parametrize("seed", range(3))
def test_modules_that_lead_to_each_other_and_back(show, seed):
    shown = show(tangle(40, seed, ["a", "a.b", "c", ""]))
    assert len(shown.boxes) == 40 and shown.frames
    assert_sound(shown)
    shown.press("fold-all")
    assert_sound(shown)


def test_roots_are_on_top_and_operands_below(show):
    shown = show(tangle(60, 3))
    boxes = {box["id"]: box for box in shown.boxes}
    assert boxes[0]["y"] == min(box["y"] for box in boxes.values())
    for link in shown.links:
        assert boxes[link["from"]]["y"] + boxes[link["from"]]["h"] < boxes[link["to"]]["y"]


def test_chain_is_straight(show):
    shown = show(payload([node(i) for i in range(9)], [edge(i, i + 1) for i in range(8)]))
    middles = {round(box["x"] + box["w"] / 2, 6) for box in shown.boxes}
    assert len(middles) == 1


def test_layout_is_the_same_every_time(show, model_html):
    first = show(model_html)
    boxes = first.boxes
    assert show(model_html).boxes == boxes


def test_calls_of_one_module_are_told_apart(show, model_html):
    shown = show(model_html)
    shown.press("fold-all")
    titles = [box["title"] for box in shown.boxes if box["kind"] == "folded"]
    assert len(set(titles)) == len(titles)


def test_empty_graph(show):
    shown = show(payload([], []))
    assert shown.errors() == []
    assert shown.boxes == [] and "empty" in shown.text("empty")
    shown.keys(keys.ARROW_DOWN, keys.ENTER, "0", "+")
    shown.press("fit")
    assert shown.errors() == []


def test_one_node(show):
    shown = show(payload([node(0, "x", "leaf")], []))
    (box,) = shown.boxes
    shown.click(box)
    assert shown.text("panel").startswith("x\n") or "x" in shown.text("panel").splitlines()


def test_parts_without_connection_lie_side_by_side(show):
    nodes = [node(i) for i in range(6)]
    shown = show(payload(nodes, [edge(0, 1), edge(2, 3)], roots=[0, 2, 4, 5]))
    assert_sound(shown)
    assert len({box["x"] for box in shown.boxes if box["id"] in (0, 2, 4, 5)}) > 1
    assert shown.driver.find_elements("css selector", "#legend .root")


def test_several_edges_between_two_nodes_are_all_drawn(show):
    shown = show(payload([node(0), node(1, "x", "leaf")], [edge(0, 1, 0), edge(0, 1, 1)]))
    assert shown.links == [{"from": 0, "to": 1, "edges": 2}]
    shown.click(shown.box(0))
    assert "0: x" in shown.text("panel") and "1: x" in shown.text("panel")


def test_long_names_are_shortened_and_told_in_full(show):
    name = "encoder." + "very_long_name." * 12 + "weight"
    shown = show(payload([node(0), node(1, name, "leaf")], [edge(0, 1)]))
    box = shown.box(1)
    assert "…" in box["title"] and box["title"].endswith("weight") and box["w"] <= 260
    shown.click(box)
    assert name in shown.text("panel").replace("\n", "")


# Moving about ----------------------------------------------------------------------------------------------------------------------------


def test_drag_pans_and_wheel_zooms_where_the_mouse_is(show, model_html):
    shown = show(model_html)
    before = shown.view
    shown.over(60, 200).click_and_hold().move_by_offset(80, 45).release().perform()
    shown.settle()
    after = shown.view
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((80, 45), abs=2)
    assert after["scale"] == before["scale"]
    x, y = 300, 250
    held = [(x - after["x"]) / after["scale"], (y - after["y"]) / after["scale"]]
    shown.run(
        """const canvas = document.getElementById("graph"), box = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new WheelEvent("wheel", {clientX: box.left + arguments[0], clientY: box.top + arguments[1],
          deltaY: -200, bubbles: true, cancelable: true}));""",
        x,
        y,
    )
    shown.settle()
    zoomed = shown.view
    assert zoomed["scale"] > 1.2 * after["scale"]
    assert [(x - zoomed["x"]) / zoomed["scale"], (y - zoomed["y"]) / zoomed["scale"]] == pytest.approx(held)


def test_buttons_and_keys_zoom_and_fit(show, model_html):
    shown = show(model_html)
    scale = shown.view["scale"]
    shown.press("zoom-in")
    assert shown.view["scale"] == pytest.approx(1.25 * scale)
    shown.press("zoom-out")
    assert shown.view["scale"] == pytest.approx(scale)
    shown.keys("+")
    assert shown.view["scale"] == pytest.approx(1.25 * scale)
    shown.keys("1")
    assert shown.view["scale"] == pytest.approx(1) and shown.text("zoom") == "100%"
    shown.keys("0")
    size = shown.element("graph").size
    for box in shown.boxes:
        left, top = shown.point(box, 0, 0)
        right, bottom = shown.point(box, 1, 1)
        assert left > 0 and top > 0 and right < size["width"] and bottom < size["height"]


def test_two_fingers_zoom(show, model_html):
    shown = show(model_html)
    scale = shown.view["scale"]
    corner = shown.element("graph").location

    def touch(kind, *distance):
        points = [
            {"x": corner["x"] + 400 + side * d, "y": corner["y"] + 300, "id": side}
            for d in distance
            for side in (-1, 1)
        ]
        shown.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 40)
    for distance in (50, 60, 70, 80):
        touch("touchMove", distance)
    touch("touchEnd")
    shown.settle()
    assert shown.view["scale"] == pytest.approx(2 * scale, rel=0.1)


def test_arrow_keys_follow_edges_and_enter_opens_details(show):
    shown = show(
        payload(
            [node(0, "sum"), node(1, "mul"), node(2, "x", "leaf"), node(3, "y", "leaf")],
            [edge(0, 1), edge(1, 2), edge(1, 3, 1)],
        )
    )
    shown.keys(keys.ARROW_DOWN)
    assert shown.state["selected"] == 0
    shown.keys(keys.ARROW_DOWN, keys.ARROW_DOWN)
    assert shown.state["selected"] == 2
    assert "x" in shown.element("said").get_attribute("textContent")
    shown.keys(keys.ARROW_RIGHT)
    assert shown.state["selected"] == 3
    shown.keys(keys.ARROW_UP, keys.ENTER)
    assert shown.state["selected"] == 1
    assert shown.run("return document.activeElement.id") == "panel"
    assert "mul" in shown.text("panel")
    shown.keys(keys.ESCAPE, into="panel")
    assert shown.state["selected"] is None and not shown.element("panel").is_displayed()


def test_everything_that_can_be_pressed_has_a_name(show, model_html):
    shown = show(model_html)
    shown.click(shown.boxes[0])
    unnamed = shown.run(
        """return [...document.querySelectorAll("button, input, select, canvas, [role]")]
          .filter((e) => !e.closest("[hidden], [aria-hidden=true]") && !e.textContent.trim() && !e.getAttribute("aria-label") && !e.labels?.length)
          .map((e) => e.outerHTML);"""
    )
    assert unnamed == []


def test_hovering_lights_the_edges_of_a_node(show, model_html):
    shown = show(model_html)
    assert shown.state["lit"] == 0
    shown.over(*shown.point(shown.box(1))).perform()
    shown.settle()
    assert shown.state["lit"] >= 2
    assert shown.element("tip").is_displayed()


# Search ------------------------------------------------------------------------------------------------------------------------------------


def test_search_finds_counts_and_walks(show):
    nodes = [
        node(0, "sum"),
        node(1, "mul", outputs=[{"shape": [7, 9], "dtype": "float64"}]),
        node(2, "mul"),
        node(3, "layer.weight", "leaf"),
    ]
    nodes[2]["source"] = {
        "file": "train.py",
        "line": 12,
        "function": "step",
        "text": "h = scale * w",
        "stack": [],
    }
    shown = show(payload(nodes, [edge(0, 1), edge(1, 2), edge(2, 3)]))
    for query, found in [
        ("mulback", [1, 2]),
        ("7, 9", [1]),
        ("7x9", [1]),
        ("float64", [1]),
        ("scale *", [2]),
        ("LAYER.w", [3]),
        ("mulb float64", [1]),
    ]:
        shown.element("search").clear()
        shown.keys(query, into="search")
        assert shown.state["matches"] == found, query
    shown.element("search").clear()
    shown.keys("mulback", into="search")
    assert shown.text("found") == "2 found"
    shown.keys(keys.ENTER, into="search")
    assert shown.text("found") == "1 of 2" and shown.state["selected"] == 1
    shown.keys(keys.ENTER, into="search")
    assert shown.state["selected"] == 2
    shown.keys(keys.ENTER, into="search")
    assert shown.state["selected"] == 1
    shown.keys(keys.SHIFT, keys.ENTER, into="search")
    assert shown.state["selected"] == 2
    shown.element("search").clear()
    shown.keys("nothing like it", into="search")
    assert shown.text("found") == "no match" and shown.state["matches"] == []


def test_slash_goes_to_the_search_and_a_match_in_a_folded_module_is_unfolded(show, model_html):
    shown = show(model_html)
    shown.press("fold-all")
    folded = len(shown.boxes)
    shown.keys("/")
    assert shown.run("return document.activeElement.id") == "search"
    shown.keys("gelu", keys.ENTER, into="search")
    assert len(shown.boxes) > folded
    assert shown.box(shown.state["selected"])["title"] == "gelu"


# Folding -------------------------------------------------------------------------------------------------------------------------------------


def test_folding_hides_what_is_inside_and_unfolding_brings_it_back(show, model_html):
    shown = show(model_html)
    all_boxes, all_links = shown.boxes, shown.links
    shown.press("fold-all")
    boxes = shown.boxes
    assert len(boxes) < len(all_boxes) / 2 and len(shown.links) < len(all_links)
    folded = next(box for box in boxes if box["title"] == "blocks")
    hidden = len(all_boxes) - sum(box["kind"] == "node" for box in boxes)
    counts = [int(box["note"].split("·")[-1].split()[0]) for box in boxes if box["kind"] == "folded"]
    assert sum(counts) == hidden
    shown.click(folded, across=14 / folded["w"])  # on its sign
    assert len(shown.boxes) > len(boxes)
    assert "/blocks" in [frame["id"] for frame in shown.frames]
    shown.press("unfold-all")
    assert shown.boxes == all_boxes and shown.links == all_links


def test_what_is_folded_stays_in_place(show):
    nodes = [node(i, module=module) for i, module in enumerate(["", "one", "one", "two", "two", "two", ""])]
    shown = show(payload(nodes, [edge(i, i + 1) for i in range(6)] + [edge(1, 5, 1)]))
    shown.over(60, 60).click_and_hold().move_by_offset(90, 20).release().perform()
    for name in ("/one", "/two"):
        frame = next(frame for frame in shown.frames if frame["id"] == name)
        before = shown.point(frame, 0.5, 0)
        x, y = shown.point(frame, 0, 0)
        shown.over(x + 12, y + 12).click().perform()  # on the sign of its title
        shown.settle()
        assert shown.point(shown.box(name), 0.5, 0) == pytest.approx(before, abs=1)


def test_double_click_unfolds_and_f_folds(show, model_html):
    shown = show(model_html)
    shown.press("fold-all")
    box = next(box for box in shown.boxes if box["title"] == "head")
    x, y = shown.point(box, 0.7)
    view = shown.view
    shown.over(x, y).click().perform()
    shown.settle()
    assert shown.element("panel").is_displayed() and shown.view == view  # the box is still under the mouse
    shown.over(x, y).double_click().perform()
    shown.settle()
    assert "/head" not in shown.state["folded"]
    inside = next(box for box in shown.boxes if box["title"] == "weight")
    shown.click(inside)
    shown.keys("f")
    assert "/head" in shown.state["folded"]


def test_edges_of_a_folded_module_are_merged(show):
    nodes = [node(0, "sum"), node(1, "add", module="m"), node(2, "mul", module="m"), node(3, "x", "leaf")]
    shown = show(
        payload(nodes, [edge(0, 1), edge(1, 2), edge(1, 3, 1), edge(2, 3)], modules={"": "Net", "m": "Layer"})
    )
    assert len(shown.links) == 4
    shown.press("fold-all")
    assert shown.links == [{"from": 0, "to": "/m", "edges": 1}, {"from": "/m", "to": 3, "edges": 2}]
    assert shown.box("/m")["note"] == "Layer · 2 nodes"


def test_five_thousand_nodes(show):
    shown = show(five_thousand())
    assert shown.errors() == []
    assert 1 < len(shown.boxes) < 300  # large graphs begin folded
    shown.press("unfold-all")
    boxes = shown.boxes
    assert len(boxes) == 5000
    assert_boxes_apart(boxes)
    assert len(shown.links) == shown.run(
        "return JSON.parse(document.getElementById('graph-data').textContent).edges.length"
    )
    print({name: round(took) for name, took in shown.timings.items()}, "ms for", len(boxes), "nodes")
    shown.press("fit")
    shown.keys("+", "-")
    shown.press("fold-all")
    assert len(shown.boxes) < 300
    assert shown.errors() == []


# Details ---------------------------------------------------------------------------------------------------------------------------------------


def test_click_opens_the_details_of_a_node(show, model_html):
    shown = show(model_html)
    shown.keys("log_softmax", keys.ENTER, into="search")
    shown.keys(keys.ESCAPE, into="search")
    selected = shown.state["selected"]
    shown.press("fit")
    shown.keys("1")
    shown.driver.execute_script("document.querySelector('#panel .close').click()")
    assert not shown.element("panel").is_displayed()
    shown.keys("0")
    shown.click(shown.box(selected))
    text = shown.text("panel")
    assert shown.state["selected"] == selected
    for expected in (
        "LogSoftmaxBackward0",
        "float32[5, 3]",
        "Saved for backward",
        "dim",
        "Gradient",
        "test_browser.py",
        "cross_entropy",
    ):
        assert expected in text
    assert shown.driver.find_elements("css selector", "#panel .histogram rect")


def test_operands_lead_to_their_nodes(show, model_html):
    shown = show(model_html)
    shown.click(shown.box(0))
    shown.driver.find_element("css selector", "#panel .link").click()
    shown.settle()
    assert shown.state["selected"] == 1


def test_saved_tensor_that_was_written_to(show):
    saved = {
        "name": "other",
        "shape": [2],
        "dtype": "float32",
        "bytes": 8,
        "version": 0,
        "current": 2,
        "freed": False,
        "value": "[1, 2]",
    }
    fine = {**saved, "name": "self", "current": 0}
    freed = {
        "name": "result",
        "shape": None,
        "dtype": None,
        "bytes": None,
        "version": None,
        "current": None,
        "freed": True,
        "value": "",
    }
    shown = show(payload([node(0, saved=[saved, fine]), node(1, saved=[fine, freed])], [edge(0, 1)]))
    assert [box["badge"] for box in shown.boxes] == ["!", ""]
    assert "written to since" in shown.text("legend")
    shown.click(shown.box(0))
    text = shown.text("panel")
    assert (
        "other" in text
        and "Written to since: backward would fail." in text
        and "version 0 and is at version 2 now" in text
    )
    assert text.count("Written to since") == 1
    shown.click(shown.box(1))
    assert "freed" in shown.text("panel") and "Written to since" not in shown.text("panel")


def test_gradients_that_are_not_finite_or_all_zero(show):
    nodes = [
        node(0, gradient=stats([1.0, 2.0])),
        node(1, gradient=stats([1.0, 2.0], nans=1)),
        node(2, gradient=stats([0.0, 0.0])),
        node(3, gradient=stats([1.0, 2.0], infs=1, max="inf")),
        node(4, "x", "leaf"),
    ]
    shown = show(payload(nodes, [edge(i, i + 1) for i in range(4)]))
    assert [box["gradient"] for box in shown.boxes] == ["", "nan", "zero", "nan", ""]
    assert "NaN or ∞ (2)" in shown.text("legend") and "all zeros" in shown.text("legend")
    shown.click(shown.box(1))
    assert "NaN or infinite" in shown.text("panel")
    shown.click(shown.box(3))
    assert "∞" in shown.text("panel")
    shown.click(shown.box(2))
    assert "zero everywhere" in shown.text("panel")
    plain = show(payload([node(0), node(1)], [edge(0, 1)]))
    assert "zeros" not in plain.text("legend") and "NaN" not in plain.text("legend")


# Replay ------------------------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def lesson():
    """loss = sum((w * x)²) for w = (2, 3), x = (1, -2): dloss/dw = 2 w x², dloss/dx = 2 w² x."""
    w = minigrad.tensor([2.0, 3.0], requires_grad=True)
    x = minigrad.tensor([1.0, -2.0], requires_grad=True)
    return viz.step(((w * x) ** 2).sum()).html()


def test_replay_walks_all_steps_and_shows_the_right_numbers(show, lesson, tmp_path_factory):
    shown = show(lesson)
    assert shown.errors() == []
    assert shown.state["replaying"] and shown.state["step"] == 0
    seen = []
    for step in range(5):
        assert shown.state["step"] == step
        assert shown.text("step-count") == f"Step {step + 1} of 5"
        seen.append(shown.text("panel"))
        if step == 2:
            shown.photograph("replay", tmp_path_factory.mktemp("screenshots"))
        shown.keys(keys.ARROW_RIGHT)
    assert shown.state["step"] == 4  # the last one stays
    heads = [text.splitlines()[1] for text in seen]
    assert heads[:3] == ["sum", "pow", "mul"] and sorted(heads[3:]) == ["w", "x"]
    numbers = [[token.replace("−", "-") for token in text.split()] for text in seen]
    assert "1" in numbers[0]
    assert {"4", "-12"} <= set(numbers[1])  # 2 w x
    assert {"4", "24", "8", "-36"} <= set(numbers[2])
    by_name = dict(zip(heads, numbers))
    assert {"4", "24"} <= set(by_name["w"]) and {"8", "-36"} <= set(by_name["x"])
    shown.press("first-step")
    assert shown.state["step"] == 0
    shown.press("last-step")
    assert shown.state["step"] == 4
    shown.press("back-step")
    assert shown.state["step"] == 3
    shown.press("end-replay")
    assert not shown.state["replaying"] and not shown.element("replay").is_displayed()
    shown.press("start-replay")
    assert shown.state["step"] == 0


def test_replay_plays_by_itself_to_the_end(show, lesson):
    shown = show(lesson)
    shown.run(
        "const speed = document.getElementById('speed'); speed.value = '250'; speed.dispatchEvent(new Event('change'))"
    )
    shown.keys(" ")
    assert shown.state["playing"]
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(shown.driver, 30).until(lambda _: not shown.state["playing"])
    assert shown.state["step"] == 4
    assert shown.errors() == []


def test_pulses_move_unless_motion_is_unwanted(show, lesson):
    shown = show(lesson)
    picture = "return document.getElementById('pulse').toDataURL()"

    def frames():
        wait = "const done = arguments[0]; setTimeout(() => done(document.getElementById('pulse').toDataURL()), 130)"
        return {shown.run(picture), *(shown.driver.execute_async_script(wait) for _ in range(6))}

    assert len(frames()) > 2
    shown.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    shown.driver.refresh()
    shown.settle()
    assert len(frames()) == 1


def test_replay_of_folded_modules_marks_the_box_around(show):
    nodes = [node(0, "sum"), node(1, "mul", module="m"), node(2, "add", module="m"), node(3, "x", "leaf")]
    steps = [
        {"node": i, "incoming": [stats([1.0])], "outgoing": [stats([2.0])], "formula": "g", "text": "a step"}
        for i in range(4)
    ]
    shown = show(payload(nodes, [edge(0, 1), edge(1, 2), edge(2, 3)], modules={"m": "M"}, steps=steps))
    shown.press("fold-all")
    shown.keys(keys.ARROW_RIGHT, keys.ARROW_RIGHT, keys.ARROW_RIGHT)
    assert shown.state["step"] == 3 and shown.errors() == []


# Safety and trouble --------------------------------------------------------------------------------------------------------------------------------


def test_hostile_labels_stay_text(show):
    evil = "</script><img src=x onerror='window.broken = 1'><b>bold</b>"
    hostile = node(0, evil, module=evil, module_type=evil, variable=evil)
    hostile["name"] = evil
    hostile["attributes"] = {evil: evil, "__proto__": evil}
    hostile["saved"] = [
        {
            "name": evil,
            "shape": [1],
            "dtype": evil,
            "bytes": 1,
            "version": 0,
            "current": 1,
            "freed": False,
            "value": evil,
        }
    ]
    hostile["source"] = {"file": evil, "line": 1, "function": evil, "text": evil, "stack": [evil]}
    hostile["gradient"] = stats([1.0], dtype=evil)
    leaf = node(1, "constructor.__proto__.x", "leaf")
    steps = [
        {"node": 0, "incoming": [stats([1.0])], "outgoing": [stats([1.0])], "formula": evil, "text": evil}
    ]
    shown = show(
        payload([hostile, leaf], [edge(0, 1)], title=evil, modules={"": evil, evil: evil}, steps=steps)
    )
    assert evil in shown.text("panel")
    shown.press("end-replay")
    shown.click(shown.box(0))
    shown.over(*shown.point(shown.box(0))).perform()
    shown.keys("/")
    shown.keys("<b>", keys.ENTER, into="search")
    assert evil in shown.text("panel") and evil in shown.text("title") and shown.driver.title == evil
    assert shown.run("return window.broken") is None
    assert shown.run("return document.querySelectorAll('img, b, #panel script').length") == 0
    assert shown.errors() == []
    assert [url for url in shown.requests() if not url.startswith("data:")] == [shown.path.as_uri()]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{nonsense", "not valid JSON"),
        ("[]", "no record"),
        ('{"edges": []}', '"nodes" is no list'),
        ('{"nodes": [{"name": "x"}], "edges": []}', 'no "id"'),
        (
            '{"nodes": [{"id": 1, "name": "x"}], "edges": [{"from": 1, "to": 2}]}',
            "leads to a node that is not there (2)",
        ),
        (
            '{"nodes": [{"id": 1, "name": "x"}, {"id": 1, "name": "y"}], "edges": []}',
            "two nodes have the id 1",
        ),
        ('{"nodes": [{"id": 1, "name": "x"}], "edges": [{"from": 1, "to": 1}]}', "circle"),
        ('{"nodes": [], "edges": [], "steps": [{"node": 3}]}', "step number 0"),
    ],
)
def test_malformed_data_is_told_in_words(show, text, told):
    shown = show(fill(text))
    assert shown.element("problem").is_displayed() and told in shown.text("problem")


def test_least_data_is_enough(show):
    shown = show(
        fill(
            '{"nodes": [{"id": "a", "name": "MulBackward0"}, {"id": "b", "name": "x"}], "edges": [{"from": "a", "to": "b"}]}'
        )
    )
    shown.click(shown.box("a"))
    assert "MulBackward0" in shown.text("panel") and shown.errors() == []


def test_errors_are_shown_in_the_page(show):
    shown = show(payload([node(0)], []))
    shown.run(
        "const late = document.createElement('script'); late.textContent = 'throw new Error(`lost a box`)'; document.body.append(late)"
    )
    assert "lost a box" in shown.text("problem")


def test_works_in_the_frame_of_a_notebook(show, model_html):
    import html

    shown = show(
        f'<!doctype html><iframe srcdoc="{html.escape(model_html)}" sandbox="allow-scripts" style="width:900px;height:600px"></iframe>'
    )
    shown.driver.switch_to.frame(0)
    try:
        assert len(shown.boxes) > 10
        shown.press("fold-all")
        assert 0 < len(shown.boxes) < 20
    finally:
        shown.driver.switch_to.default_content()
    assert shown.errors() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(show, model_html, scheme, tmp_path_factory):
    shown = show(model_html)
    shown.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    shown.settle()
    style = "return getComputedStyle(document.documentElement).getPropertyValue('--' + arguments[0]).trim()"

    def brightness(name):
        text = shown.run(style, name).lstrip("#")
        parts = [int(text[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    grounds = ["canvas", "surface", "box", "leaf", "folded", "done", "bad-fill", "accent-soft"]
    pairs = [("ink", ground) for ground in grounds] + [("soft-ink", ground) for ground in grounds[:6]]
    pairs += [("root-ink", "root"), ("root-ink", "accent"), ("accent", "surface"), ("bad", "surface")]
    for ink, ground in pairs:
        light, dark = sorted([brightness(ink), brightness(ground)], reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)
    shown.photograph(f"graph-{scheme}", tmp_path_factory.mktemp("screenshots"))
