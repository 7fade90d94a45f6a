"""The data of a graph: what the picture says of nodes is what the tensors themselves say."""

import gc
import json
import random
import sys
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn, viz
from minigrad._core.node import as_pair
from minigrad.autograd import graph as autograd_graph
from minigrad.viz.statistics import statistics_of


def leaf(*shape):
    return torch.randn(*shape, requires_grad=True)


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        z = x * y
        ctx.save_for_backward(x, y, z)
        return z, x + y

    @staticmethod
    def backward(ctx, g, h):
        x, y, _ = ctx.saved_tensors
        return g * y + h, g * x + h


def described(tensor):
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"


def test_nodes_and_edges_are_those_of_next_functions():
    torch.manual_seed(0)
    for seed in range(30):
        t, _ = random_program(seed)
        picture = viz.graph(t)
        expected = set()
        numbers, todo = {}, [t.grad_fn]
        live = picture._model.live
        for i, node in enumerate(live):
            numbers[node] = i
        while todo:
            node = todo.pop()
            for place, (end, nr) in enumerate(node.next_functions):
                if end is not None and (numbers[node], numbers[end], nr, place) not in expected:
                    expected.add((numbers[node], numbers[end], nr, place))
                    todo.append(end)
        assert {tuple(edge) for edge in picture.edges} == expected
        assert len(picture.edges) == len(expected)
        assert [node.name for node in picture.nodes] == [node.name() for node in live]
        assert len(set(live)) == len(live)


def random_program(seed):
    """A scalar of a random program with views, writes in place, functions of several results; and all tensors in it."""
    choose = random.Random(seed)
    torch.manual_seed(seed)
    pool = [leaf(3, 4), leaf(3, 4), leaf(4)]
    for _ in range(12):
        x, y = choose.choice(pool), choose.choice(pool)
        made = choose.choice(
            [
                lambda: x * y,
                lambda: x + y,
                lambda: x.tanh(),
                lambda: x.exp() / (y * y + 1),
                lambda: x.reshape(-1)[:4] * 2,
                lambda: torch.stack([x, x * 2]).unbind(0)[1],
                lambda: Product.apply(x, x * 1)[choose.randrange(2)],
                lambda: torch.where(x > 0, x, y),
                lambda: written(x),
                lambda: x.sigmoid().mean() * y,
                lambda: x.softmax(-1),
                lambda: x.max(-1).values * 3 if x.dim() > 1 and x.shape[0] == 4 else x * x,
                lambda: torch.cat([x, x])[: len(x)],
            ]
        )()
        if made.shape in ((3, 4), (4,)):
            pool.append(made)
    return sum((t * t).sum() for t in pool[3:]) + pool[0].sum(), pool


def written(x):
    z = x.clone()
    z[..., 1] = x[..., 0] * 2
    return z


@pytest.mark.parametrize("seed", range(40))
def test_what_is_said_of_results_is_what_the_tensors_are(seed):
    t, pool = random_program(seed)
    picture = viz.graph([t, *pool[3:]])
    places = {node: i for i, node in enumerate(picture._model.live)}
    for x in pool:
        node, nr = as_pair(x._edge)
        if node in places:
            assert str(picture.nodes[places[node]].outputs[nr]) == described(x)
    unknown = [node.name for node in picture.nodes if None in node.outputs]
    assert unknown == []
    for edge in picture.edges:
        start, end = picture.nodes[edge.start], picture.nodes[edge.end]
        assert start.inputs[edge.input_nr] == end.outputs[edge.output_nr]


@pytest.mark.parametrize("seed", range(20))
def test_results_of_operations_alone_follow_from_what_is_saved(seed):
    """The picture of the last tensor only: no tensor in between is given."""
    t, pool = random_program(seed)
    picture = viz.graph(t)
    places = {node: i for i, node in enumerate(picture._model.live)}
    said = 0
    for x in pool:
        node, nr = as_pair(x._edge)
        if node in places and picture.nodes[places[node]].outputs[nr] is not None:
            said += 1
            assert str(picture.nodes[places[node]].outputs[nr]) == described(x)
    assert said > 3


@pytest.mark.parametrize("seed", range(20))
def test_taking_a_picture_changes_nothing(seed):
    t, pool = random_program(seed)
    t.backward()
    expected = [x.grad for x in pool[:3]]
    t, pool = random_program(seed)
    viz.graph(t)
    t.backward(retain_graph=True)
    viz.graph(t)
    t.backward()
    viz.graph(t)
    for x, g in zip(pool[:3], expected):
        assert torch.equal(x.grad, 2 * g) if g is not None else x.grad is None
    with pytest.raises(RuntimeError, match="second time"):
        t.backward()


def test_running_statistics_and_random_numbers_are_left_alone():
    """What a node made may only be known by running its operator again: that must have no effect."""
    model = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 2))
    p = torch.rand(5, 4, requires_grad=True)
    generator = torch.Generator()
    draws = (torch.bernoulli(p), torch.normal(p, 1.0, generator=generator), torch.normal(1.0, p))
    draws = (*draws, torch.normal(p, p), torch.poisson(p))
    t = model(p).sum()
    batch_norm = model[0](p).grad_fn
    statistics = {name: value.clone() for name, value in model[0].named_buffers()}
    states = torch.get_rng_state(), generator.get_state()
    for of in (t, batch_norm, *draws, *[drawn.grad_fn for drawn in draws]):
        picture = viz.graph(of, params={})
    assert [str(made) for made in picture.nodes[0].outputs] == ["float32[5, 4]"]
    assert batch_norm._input_metadata[0].shape == [5, 4]
    for name, value in model[0].named_buffers():
        assert torch.equal(value, statistics[name])
    assert torch.equal(torch.get_rng_state(), states[0]) and torch.equal(generator.get_state(), states[1])


def test_order_is_that_of_a_backward_pass():
    for seed in range(20):
        t, _ = random_program(seed)
        picture = viz.graph(t)
        ran = []
        for i, node in enumerate(picture._model.live):
            if picture.nodes[i].kind != "leaf":
                node.register_prehook(lambda grads, i=i: ran.append(i))
        t.backward()
        assert ran == sorted(ran) and len(ran) > 10


# What nodes save --------------------------------------------------------------------------------------------------------------


def test_saved_tensors_are_described():
    x, y = leaf(2, 3), leaf(3)
    node = viz.graph(x * y).nodes[0]
    assert [saved.name for saved in node.saved] == ["self", "other"]
    of_x, of_y = node.saved
    assert (of_x.shape, of_x.dtype, of_x.bytes, of_x.version, of_x.current) == ((2, 3), "float32", 24, 0, 0)
    assert (of_y.shape, of_y.bytes) == ((3,), 12)
    assert of_y.value == "[" + ", ".join(f"{v:.4g}" for v in y.tolist()) + "]"


def test_only_what_is_needed_is_saved():
    x, y = leaf(2), torch.ones(2)
    assert [saved.name for saved in viz.graph(x * y).nodes[0].saved] == ["other"]


def test_numbers_and_parameters_are_attributes():
    x = leaf(2, 3)
    assert viz.graph(x * 2.5).nodes[0].attributes == {"other": "2.5"}
    assert viz.graph(x.transpose(0, -1)).nodes[0].attributes == {"dim0": "0", "dim1": "-1"}
    assert viz.graph(x.pow(3)).nodes[0].attributes["exponent"] == "3"


def test_a_modified_tensor_shows_both_versions():
    y = leaf(2) * 1
    z = y * y
    y.add_(1)
    y.add_(1)
    saved = viz.graph(z).nodes[0].saved[0]
    assert (saved.version, saved.current) == (0, 2)
    assert "modified: version 2, saved was 0" in str(saved)
    result = leaf(2).exp()
    picture_before = viz.graph(result * 1)
    result.mul_(2)
    before = [s for node in picture_before.nodes for s in node.saved if s.name == "result"]
    assert [(s.version, s.current) for s in before] == [(0, 0)]


def test_a_modified_result_shows_both_versions():
    y = leaf(2).exp()
    z = y + 1
    y.mul_(2)
    (saved,) = [s for node in viz.graph(z).nodes for s in node.saved]
    assert (saved.name, saved.version, saved.current) == ("result", 0, 1)


def test_what_backward_freed_is_marked():
    x = leaf(3)
    t = (x.exp() * x)[[0, 0, 1]].sum()
    t.backward()
    saved = {s.name: s for node in viz.graph(t).nodes for s in node.saved}
    assert set(saved) == {"result", "self", "other", "indices"}
    assert all(s.freed and s.shape is None and s.value == "" for s in saved.values())


def test_what_hooks_packed_is_not_unpacked():
    x = leaf(3)
    with autograd_graph.saved_tensors_hooks(lambda t: t.tolist(), lambda kept: 1 / 0):
        t = Product.apply(x.exp() * x, x[[0, 1, 2]])[0]
    saved = [s for node in viz.graph(t).nodes for s in node.saved]
    assert len(saved) == 7 and all(s.packed and not s.freed and s.shape is None for s in saved)
    with pytest.raises(ZeroDivisionError):
        t.sum().backward()


def test_what_a_custom_function_saved():
    x, y = leaf(2), leaf(2)
    node = viz.graph(Product.apply(x, y)[0]).nodes[0]
    assert (node.name, node.label) == ("ProductBackward", "Product")
    assert [s.name for s in node.saved] == [f"saved_tensors[{i}]" for i in range(3)]
    assert [str(o) for o in node.outputs] == ["float32[2]", "float32[2]"]


def test_a_function_may_put_anything_on_its_context():
    class Odd(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.name = ctx.held = ctx.value = ctx.places_held = ctx.label = "a text"
            ctx.save_for_backward(x)
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g

    x = leaf(2)
    node = viz.graph(Odd.apply(x)).nodes[0]
    assert (node.name, node.label, len(node.saved)) == ("OddBackward", "Odd", 1)
    assert viz.step(Odd.apply(x).sum()).steps[1].outgoing[0].values == [2.0, 2.0]


def test_long_tensors_are_not_read_in_full():
    x = torch.arange(1e6).requires_grad_()
    (saved,) = viz.graph(x.sin()).nodes[0].saved
    assert saved.value == "[0, 1, 2, 3, 4, ..., 1e+06]"
    (saved,) = viz.graph(x.reshape(1000, 1000).t().sin()).nodes[0].saved
    assert saved.value == "[0, 1000, 2000, 3000, 4000, ..., 1e+06]"


# Names, modules, lines ----------------------------------------------------------------------------------------------------------


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 5), nn.ReLU())
        self.head = nn.Linear(5, 2)

    def forward(self, x):
        return self.head(self.layers(x))


def names(picture):
    return {node.label for node in picture.nodes if node.kind == "leaf"}


def test_params_name_the_leaves():
    w, b = leaf(2), leaf(2)
    t = w * b
    assert names(viz.graph(t, params={"weights": w})) == {"weights", "leaf"}
    assert names(viz.graph(t, params=[("weights", w), ("bias", b)])) == {"weights", "bias"}
    with pytest.raises(TypeError, match="'w' is of type int"):
        viz.graph(t, params={"w": 3})
    with pytest.raises(TypeError, match="params: expected a dictionary of tensors, or a module, but got int"):
        viz.graph(t, params=3)


def test_a_model_names_the_leaves_and_groups_them():
    model = Net()
    expected = {name for name, _ in model.named_parameters()}
    t = model(torch.ones(3, 4)).sum()
    for picture in (viz.graph(t, params=model), viz.graph(t, model=model)):
        assert names(picture) == expected
        modules = {
            node.label: (node.module, node.module_type) for node in picture.nodes if node.kind == "leaf"
        }
        assert modules["layers.0.weight"] == ("layers.0", "Linear")
        assert modules["head.bias"] == ("head", "Linear")
        assert picture.modules == {
            "": "Net",
            "head": "Linear",
            "layers": "Sequential",
            "layers.0": "Linear",
            "layers.1": "ReLU",
        }
    with pytest.raises(TypeError, match="second module"):
        viz.graph(t, params=model, model=Net())
    with pytest.raises(TypeError, match=r"expected an nn\.Module"):
        viz.graph(t, model=3)


def test_variables_of_the_caller_name_what_they_hold():
    weights = leaf(2)
    hidden = weights * 2
    _secret = leaf(2)
    t = hidden * _secret
    picture = viz.graph(t)
    assert names(picture) == {"weights", "leaf"}
    assert [node.variable for node in picture.nodes if node.kind != "leaf"] == ["t", "hidden"]
    model = Net()
    t = model(torch.ones(3, 4)).sum()
    assert "layers.0.weight" in names(viz.graph(t))
    other = Net()
    t = model(torch.ones(3, 4)).sum() + other(torch.ones(3, 4)).sum()
    assert {"model.head.bias", "other.head.bias"} <= names(viz.graph(t))


def test_what_is_left_of_loops_names_no_parameter():
    net, criterion = Net(), nn.MSELoss()
    for layer in net.layers:
        assert isinstance(layer, nn.Module)
    for parameter in net.parameters():
        assert parameter.requires_grad
    loss = criterion(net(torch.ones(3, 4)), torch.ones(3, 2))
    picture = viz.graph(loss)
    assert names(picture) == {name for name, _ in net.named_parameters()}
    assert picture.modules[""] == "Net"


def test_tensors_that_the_caller_deletes_do_not_live_on():
    x = leaf(3)
    alive = weakref.ref(x)
    viz.graph(x * 2)
    viz.step((x * 2).sum())
    del x
    gc.collect()
    assert alive() is None
    y = leaf(3)
    variables = locals()
    viz.graph(y * 2)
    assert variables["y"] is y


def test_several_results_of_one_operation_have_their_names():
    whole = leaf(4)
    first, second = whole.split(2)
    assert viz.graph(first * second).nodes[1].variable == "first, second"


def test_variables_that_may_not_be_used_any_more_do_not_matter():
    x = leaf(2, 3) * 1
    stale, _ = x.unbind(0)
    x.mul_(2)
    with pytest.raises(RuntimeError):
        stale.grad_fn
    assert viz.graph(x).nodes[0].variable == "x"


def test_several_tensors():
    x = leaf(2)
    picture = viz.graph({"a": x.exp(), "rest": [x.sin(), torch.ones(2), "text"]}, params={})
    roots = {picture.nodes[i].variable: picture.nodes[i].label for i in picture.roots}
    assert roots == {"a": "exp", "rest.0": "sin"}
    assert [picture.nodes[i].kind for i in picture.roots] == ["root", "root"]
    assert len(picture.nodes) == 3
    edge = autograd_graph.get_gradient_edge(x.exp())
    for t in (edge, edge.node, [edge, x]):
        assert viz.graph(t).nodes[0].label == "exp"
    assert viz.graph(x).nodes[0].kind == "leaf" and viz.graph(x).roots == [0]


def test_modules_and_lines_are_those_that_were_recorded():
    model = Net()
    with autograd_graph.record_origins():
        t = model(torch.ones(3, 4)).sum()  # the line of this test
    picture = viz.graph(t, params={})
    first = next(node for node in picture.nodes if node.module == "layers.0")
    assert (first.label, first.module_type) == ("linear", "Linear")
    assert picture.modules["layers.0"] == "Linear" and "layers" in picture.modules
    root = picture.nodes[0]
    assert root.source.text == "t = model(torch.ones(3, 4)).sum()  # the line of this test"
    assert root.source.function == "test_modules_and_lines_are_those_that_were_recorded"
    assert root.source.file.endswith("test_model.py") and root.module == ""
    assert viz.graph(t * 2).nodes[0].source is None


def test_what_has_no_graph_is_refused():
    with pytest.raises(RuntimeError, match="does not require grad"):
        viz.graph(torch.ones(2))
    with pytest.raises(RuntimeError, match="none of the tensors"):
        viz.graph([torch.ones(2)])
    with pytest.raises(TypeError, match="got int"):
        viz.graph(3)
    x = leaf(2)
    with torch.no_grad():
        view = x.view(2)
    with pytest.raises(RuntimeError):
        viz.graph(view)


def test_tensors_inside_of_a_transform():
    w = leaf(2)

    def refused(x):
        with pytest.raises(RuntimeError, match="being transformed"):
            viz.graph(x * w)
        return x

    torch.vmap(refused)(torch.ones(3, 2))
    torch.func.jvp(refused, (torch.ones(2),), (torch.ones(2),))
    seen = []

    def inside(x):
        seen.append(viz.graph((x * w).sum(), params={"w": w}))
        return (x * w).sum()

    torch.func.grad(inside)(torch.ones(2))
    assert [node.label for node in seen[0].nodes] == ["sum", "mul", "w", "argument"]
    batch = torch.vmap(lambda x: x * w)(torch.ones(3, 2))
    assert "w" in names(viz.graph(batch))


# Gradients -----------------------------------------------------------------------------------------------------------------------


def check(found, tensor):
    """The statistics of a tensor, against NumPy's."""
    array = tensor.numpy().astype(np.float64)
    assert found.shape == tuple(tensor.shape) and found.dtype == str(tensor.dtype).removeprefix("torch.")
    for name in ("min", "max", "mean", "std"):
        assert getattr(found, name) == pytest.approx(getattr(array, name)(), nan_ok=True)
    assert found.norm == pytest.approx(float(np.linalg.norm(array.ravel())))
    assert found.zeros == (array == 0).mean()
    assert sum(found.histogram) == np.isfinite(array).sum()
    assert found.values == (tensor.tolist() if tensor.numel() <= 64 else None)


def test_statistics_are_those_of_the_gradient():
    torch.manual_seed(0)
    for shape in ((), (3,), (8, 8), (20, 30)):
        g = torch.randn(shape)
        check(statistics_of(g), g)
    g = torch.tensor([0.0, 1.0, 2.0, 16.0])
    assert statistics_of(g).histogram == [1, 1, 1] + [0] * 12 + [1]
    assert statistics_of(torch.full((5,), 3.0)).histogram == [5] + [0] * 15


@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64])
def test_statistics_of_more_than_fits_in_one_block(dtype):
    """Large ones are taken in parts, also where the elements are not in their order in memory."""
    torch.manual_seed(0)
    x = torch.randn(700, 1000, dtype=dtype).t()
    found = statistics_of(x)
    numbers = x.abs().numpy().astype(np.float64) if dtype.is_complex else x.numpy().astype(np.float64)
    assert found.histogram == np.histogram(numbers, 16)[0].tolist()
    for name in ("min", "max", "mean", "std"):
        assert getattr(found, name) == pytest.approx(getattr(numbers, name)())
    assert found.norm == pytest.approx(np.linalg.norm(numbers))
    tracemalloc.start()
    statistics_of(torch.ones(3_000_000).requires_grad_())
    peak = tracemalloc.get_traced_memory()[1] - 12_000_000
    tracemalloc.stop()
    assert peak < 24_000_000  # what one copy in double precision takes


def test_statistics_of_odd_gradients():
    of = statistics_of
    odd = of(torch.tensor([1.0, float("nan"), float("inf"), -float("inf"), 3.0]))
    assert (odd.nans, odd.infs, sum(odd.histogram)) == (1, 2, 2)
    assert odd.as_json()["max"] == "nan" and odd.as_json()["values"] == [1.0, "nan", "inf", "-inf", 3.0]
    assert odd.warning() == ", 1 NaN and 2 infinite"
    assert of(torch.tensor(-float("inf"))).as_json()["min"] == "-inf"
    empty = of(torch.ones(0, 2))
    assert (empty.min, empty.norm, empty.zeros, empty.values) == (None, 0.0, 0.0, [])
    assert of(torch.tensor([3 + 4j])).max == 5.0
    assert of(torch.tensor([1e300, -1e300], dtype=torch.float64)).histogram[-1] == 1
    assert of(torch.ones(3, dtype=torch.bfloat16)).mean == 1.0


def test_numbers_in_json_are_the_numbers():
    torch.manual_seed(0)
    for dtype in (torch.float32, torch.float64, torch.float16):
        g = torch.randn(8, 8, dtype=dtype)
        said = json.loads(json.dumps(statistics_of(g).as_json()))
        assert torch.equal(torch.tensor(said["values"], dtype=torch.float64).to(dtype), g)
        assert said["shape"] == [8, 8] and said["norm"] == pytest.approx(g.double().norm().item(), rel=1e-8)


def test_leaves_show_their_grad():
    x = leaf(3)
    t = (x * 2).sum()
    assert viz.graph(t).nodes[-1].gradients == []
    t.backward(retain_graph=True)
    check(viz.graph(t).nodes[-1].gradient, x.grad)


def test_tensors_that_retain_their_grad_show_it():
    h = leaf(3) * 2
    h.retain_grad()
    t = (h * h).sum()
    t.backward(retain_graph=True)
    check(viz.graph(t, params={"h": h}).nodes[2].gradient, h.grad)


@pytest.mark.parametrize("seed", range(10))
def test_watch_notes_what_arrives(seed):
    t, pool = random_program(seed)
    picture = viz.graph(t)
    arrived = {}
    for i, node in enumerate(picture._model.live):
        if picture.nodes[i].kind != "leaf":
            node.register_prehook(lambda grads, i=i: arrived.__setitem__(i, grads))
    with picture.watch() as watched:
        t.backward()
    assert watched is picture and len(arrived) > 10
    for i, grads in arrived.items():
        assert len(grads) == len(picture.nodes[i].gradients)
        for g, found in zip(grads, picture.nodes[i].gradients):
            assert (g is None) == (found is None)
            if g is not None:
                check(found, g)
    for x in pool[:3]:
        for node in picture.nodes:
            if picture._model.live[node.id] is x._edge:
                check(node.gradient, x.grad)


def test_watch_takes_its_hooks_out_also_when_something_raises():
    x = leaf(3)
    y = x.exp()
    t = (y * y).sum()
    live = viz.graph(t)._model.live
    picture = viz.graph(t)
    with pytest.raises(ZeroDivisionError), picture.watch():
        1 / 0
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified"), picture.watch():
        t.backward()
    assert [hooks_on(node) for node in live] == [0] * len(live)
    assert picture.nodes[-1].gradients == []
    before_the_error = [node.gradient.values for node in picture.nodes[:2]]
    assert before_the_error == [1.0, [1.0] * 3]


def hooks_on(node):
    """How many hooks there are on a node, and on the tensors it made."""
    extra = node._extra
    return 0 if extra is None else sum(map(len, (extra.tensor, extra.pre, extra.post)))


def test_backward_in_another_thread_is_not_disturbed():
    """Its graph ends in the same leaf, whose hooks come and go."""
    x = leaf(3)
    stop, errors = threading.Event(), []

    def work():
        try:
            while not stop.is_set():
                (x.tanh() * 2).sum().backward()
        except Exception as error:
            errors.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    worker = threading.Thread(target=work)
    worker.start()
    try:
        for _ in range(100):
            t = (x * x).sum()
            with viz.graph(t).watch():
                t.backward()
            viz.step((x * x).sum())
    finally:
        stop.set()
        worker.join()
        sys.setswitchinterval(interval)
    assert errors == []


def test_watch_leaves_the_hooks_of_others_alone():
    x = leaf(3)
    t = (x * 2).sum()
    calls = []
    x.register_hook(lambda g: calls.append("x"))
    t.grad_fn.register_prehook(lambda gs: calls.append("node"))
    with viz.graph(t).watch():
        t.backward(retain_graph=True)
    t.backward()
    assert calls == ["node", "x"] * 2


def test_watch_sees_what_hooks_made_of_a_gradient():
    x = leaf(3)
    t = (x * 2).sum()
    x.register_hook(lambda g: g * 10)
    picture = viz.graph(t)
    with picture.watch():
        torch.autograd.grad(t, x)
    assert picture.nodes[-1].gradient.values == [20.0] * 3


def test_watch_and_batches_of_gradients():
    x = leaf(3)
    t = x * 2
    picture = viz.graph(t)
    with picture.watch():
        (rows,) = torch.autograd.grad(t, x, torch.eye(3), is_grads_batched=True)
    assert torch.equal(rows, 2 * torch.eye(3))
    assert picture.nodes[0].gradient is None


# Size ------------------------------------------------------------------------------------------------------------------------------


def test_deep_graphs_need_no_deep_stack():
    t = x = leaf(2)
    for i in range(100_000):
        t = t * 1.5 if i % 2 else t.neg()
    picture = viz.graph(t, params={"x": x})
    assert len(picture.nodes) == 100_001 and len(picture.edges) == 100_000
    assert picture.nodes[-1].label == "x" and str(picture.nodes[50_000].outputs[0]) == "float32[2]"
    assert picture.dot().count(" -> ") == 100_000
    assert picture.mermaid().count(" --> ") == 100_000
    assert str(picture).splitlines()[1:] == [f"   50000 {name}" for name in ("mul", "neg")]
    assert picture._repr_html_() is None


def test_shapes_do_not_cost_what_the_operations_cost():
    """No product of large matrices is computed again for its shape."""
    x, w = leaf(300, 400), leaf(400, 500)
    t = (x @ w).sum()
    node = viz.graph(t).nodes[1]
    assert str(node.outputs[0]) == "float32[300, 500]"
    model = nn.Linear(400, 100)
    t = model(x).relu().sum()
    assert [str(n.outputs[0]) for n in viz.graph(t, params={}).nodes[:3]] == ["float32[]"] + [
        "float32[300, 100]"
    ] * 2


def test_masks_decide_shapes():
    x = leaf(2, 3)
    mask = torch.tensor([[True, False, True], [True, True, False]])
    t = (x.masked_select(mask) + 1).sum()
    assert [str(n.outputs[0]) for n in viz.graph(t).nodes] == [
        "float32[]",
        "float32[4]",
        "float32[4]",
        "float32[2, 3]",
    ]


def test_shapes_of_results_that_nobody_saved():
    """They follow from the operands; here from what is known of those that need no gradient, too."""
    x, y = leaf(2, 3), torch.randn(4, 3, dtype=torch.float64)
    weight = leaf(3)
    for made in (
        torch.cat([x, y]),
        nn.functional.layer_norm(x, (3,)),
        nn.functional.nll_loss(x, torch.tensor([0, 2]), reduction="none"),
        nn.functional.layer_norm(x, (3,), weight),
        torch.where(x > 0, x, torch.zeros(3)),
        x.gather(1, torch.zeros(2, 5, dtype=torch.int64)),
        x.repeat_interleave(torch.tensor([2, 1]), dim=0),
        nn.functional.max_pool2d(leaf(1, 2, 4, 4), 2),
    ):
        node, nr = as_pair(made._edge)
        (found,) = node._input_metadata
        assert (found.shape, found.dtype) == (list(made.shape), made.dtype)
        picture = viz.graph(made.sum(), params={})
        assert str(picture.nodes[1].outputs[nr]) == described(made)


def test_absolute_values_of_complex_numbers_are_real():
    x = torch.randn(3, dtype=torch.complex64, requires_grad=True)
    t = (x * x).abs().sum()
    assert [str(n.outputs[0]) for n in viz.graph(t).nodes[:3]] == ["float32[]", "float32[3]", "complex64[3]"]


# As text ---------------------------------------------------------------------------------------------------------------------------


def test_text_lists_the_nodes():
    w, x = leaf(2, 3), torch.ones(3)
    loss = (w @ x).sum()
    assert repr(viz.graph(loss)) == "Graph(3 nodes: 2 operations, 1 leaf)"
    assert str(viz.graph(loss, title="a step")).splitlines() == [
        "a step of 3 nodes: 2 operations, 1 leaf",
        "  0  sum (loss)  float32[]      <- 1",
        "  1  mv          float32[2]     <- 2",
        "  2  w           float32[2, 3]",
    ]


def test_text_of_a_node():
    model = Net()
    with autograd_graph.record_origins():
        t = model(torch.ones(3, 4)).sum()  # here
    picture = viz.graph(t, model=model)
    with picture.watch():
        t.backward()
    lines = str(picture.nodes[1]).splitlines()
    assert lines[0] == "node 1: linear, AddmmBackward0"
    told = [(line[2:10].rstrip(), line[11:]) for line in lines[1:]]
    assert ("made", "float32[3, 2]") in told and ("took", "float32[2], float32[3, 5], float32[2, 5]") in told
    assert ("module", "head (Linear)") in told
    assert ("gradient", "float32[3, 2] [[1, 1], [1, 1], [1, 1]]") in told
    assert any(what == "line" and text.endswith("return self.head(self.layers(x))") for what, text in told)
    assert [text.split(" =")[0] for what, text in told if what == "saved"] == [
        str(s) for s in picture.nodes[1].saved
    ]
    assert repr(picture.nodes[1]) == "<GraphNode 1: linear float32[3, 2]>"
    assert "took     float32[2], -" in str(viz.graph(leaf(2) * 2).nodes[0])
