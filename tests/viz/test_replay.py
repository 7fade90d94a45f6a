"""Replays: what they show is what a backward pass does, and they leave no trace of themselves."""

import random
import threading

import pytest

import minigrad as torch
from minigrad import nn, viz
from minigrad._core.node import as_pair


def leaf(*shape):
    return torch.randn(*shape, requires_grad=True)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 2 * x, x * x

    @staticmethod
    def backward(ctx, g, h):
        (x,) = ctx.saved_tensors
        return 2 * g + 2 * x * h


def random_program(seed):
    """A scalar, its leaves, and the tensors in between."""
    choose = random.Random(seed)
    torch.manual_seed(seed)
    leaves = [leaf(3, 2), leaf(2), leaf(3, 2)]
    pool = [*leaves]
    for _ in range(10):
        x, y = choose.choice(pool), choose.choice(pool)
        made = choose.choice(
            [
                lambda: x * y,
                lambda: x - y.mean(),
                lambda: x.tanh() / 2,
                lambda: x.exp(),
                lambda: x.unbind(0)[0] * 1,
                lambda: Twice.apply(x)[choose.randrange(2)],
                lambda: written(x),
                lambda: x.softmax(-1),
                lambda: x[..., [0, 0]],
                lambda: torch.cat([x, y.expand_as(x)])[: len(x)] if x.dim() > 1 else x.relu(),
            ]
        )()
        if made.shape in ((3, 2), (2,)):
            pool.append(made)
    return (pool[-1] * pool[-2]).sum() + pool[0].sum(), leaves, pool[3:]


def written(x):
    z = x * 1
    z[..., 1] = x[..., 0] * 2
    return z


def is_that_of(found, tensor):
    """Whether statistics are those of a tensor, by its values: the programs are small enough for these to be all there."""
    if found is None or tensor is None:
        return found is None and tensor is None
    return found.values == tensor.tolist() and found.shape == tuple(tensor.shape)


@pytest.mark.parametrize("seed", range(60))
def test_gradients_are_those_that_backward_gives(seed):
    loss, leaves, between = random_program(seed)
    replay = viz.step(loss, params={f"p{i}": x for i, x in enumerate(leaves)})
    ran, arrived, left = [], {}, {}
    for i, node in enumerate(replay._model.live):
        if replay.nodes[i].kind != "leaf":
            node.register_prehook(lambda grads, i=i: ran.append(i))
            node.register_prehook(lambda grads, i=i: arrived.__setitem__(i, grads))
            node.register_hook(lambda ins, outs, i=i: left.__setitem__(i, ins))
    of_tensors = {}
    for x in between:
        x.register_hook(lambda g, key=as_pair(x._edge): of_tensors.__setitem__(key, g))
    loss.backward()
    steps = {step.node: step for step in replay.steps}
    assert [step.node for step in replay.steps if replay.nodes[step.node].kind != "leaf"] == ran
    for i in ran:
        assert len(steps[i].incoming) == len(arrived[i]) and len(steps[i].outgoing) == len(left[i])
        assert all(map(is_that_of, steps[i].incoming, arrived[i]))
        assert all(map(is_that_of, steps[i].outgoing, left[i]))
    for (node, nr), g in of_tensors.items():
        assert is_that_of(steps[replay._model.live.index(node)].incoming[nr], g)
    for x in leaves:
        found = [s for s in replay.steps if replay._model.live[s.node] is x._edge]
        assert [is_that_of(s.incoming[0], x.grad) for s in found] == ([True] if x.grad is not None else [])


@pytest.mark.parametrize("seed", range(10))
def test_what_leaves_adds_up_to_what_arrives(seed):
    loss, *_ = random_program(seed)
    replay = viz.step(loss)
    steps = {step.node: step for step in replay.steps}
    totals = {}
    for edge in replay.edges:
        g = steps[edge.start].outgoing[edge.input_nr]
        if g is not None:
            key = edge.end, edge.output_nr
            totals[key] = totals.get(key, 0) + torch.tensor(g.values)
    for step in replay.steps:
        for nr, g in enumerate(step.incoming):
            if step.node not in replay.roots:
                assert (g is None) == ((step.node, nr) not in totals)
                assert g is None or torch.allclose(torch.tensor(g.values), totals[step.node, nr], rtol=1e-5)


def test_training_is_not_disturbed():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x = torch.randn(5, 3)
    hidden = model[0](x)
    hidden.retain_grad()
    loss = model[2](hidden.tanh()).square().mean()
    calls = []
    model[0].weight.register_post_accumulate_grad_hook(lambda p: calls.append("accumulated"))
    weights = [p.detach().clone() for p in model.parameters()]
    viz.step(loss, model=model)
    assert all(p.grad is None for p in model.parameters()) and hidden.grad is None and calls == []
    assert all(torch.equal(p, w) for p, w in zip(model.parameters(), weights))
    loss.backward(retain_graph=True)
    expected = [p.grad.clone() for p in model.parameters()]
    kept, of_hidden = [p.grad for p in model.parameters()], hidden.grad.clone()
    viz.step(loss, model=model)
    assert all(p.grad is k and torch.equal(k, e) for p, k, e in zip(model.parameters(), kept, expected))
    assert torch.equal(hidden.grad, of_hidden) and calls == ["accumulated"]
    loss.backward()
    assert all(torch.equal(p.grad, 2 * e) for p, e in zip(model.parameters(), expected))


def test_no_hooks_stay_behind():
    loss, *_ = random_program(1)
    live = viz.graph(loss)._model.live
    viz.step(loss)
    broken = loss * 1
    broken.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        viz.step(broken)
    extras = [node._extra for node in live if node._extra is not None]
    assert [(e.tensor, len(e.pre), len(e.post)) for e in extras] == [({}, 0, 0)] * len(extras)


def test_hooks_that_change_gradients_are_seen():
    x = leaf(3)
    y = x * 2
    y.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: g + 1)
    replay = viz.step(y.sum())
    assert [step.incoming[0].values for step in replay.steps] == [1.0, [10.0] * 3, [21.0] * 3]


def test_a_graph_that_was_freed_is_refused():
    x = leaf(3)
    loss = x.exp().sum()
    loss.backward()
    with pytest.raises(RuntimeError, match="second time"):
        viz.step(loss)
    loss = x.exp().sum()
    viz.step(loss, retain_graph=False)
    with pytest.raises(RuntimeError, match="second time"):
        loss.backward()


def test_the_gradient_of_several_elements_is_given():
    x = leaf(3)
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        viz.step(x * 2)
    replay = viz.step(x * 2, gradient=torch.tensor([1.0, 2.0, 3.0]))
    assert replay.steps[-1].incoming[0].values == [2.0, 4.0, 6.0]
    replay = viz.step([x.sum(), (x * 3).sum()])
    assert replay.steps[-1].incoming[0].values == [4.0] * 3


def test_another_thread_is_not_noted():
    x = leaf(3)
    y = x * 2

    def backward(g):
        if threading.current_thread() is threading.main_thread():
            worker = threading.Thread(target=lambda: y.sum().backward(retain_graph=True))
            worker.start()
            worker.join()

    loss = y.sum()
    loss.register_hook(backward)
    replay = viz.step(loss)
    assert [replay.nodes[step.node].label for step in replay.steps] == ["sum", "mul", "x"]


# In words -----------------------------------------------------------------------------------------------------------------------


def texts(loss, **names):
    return [step.text for step in viz.step(loss, params=names).steps]


def test_sentences():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    x = torch.tensor([3.0, 0.5])
    first, second, third = texts((w * x).sum(), w=w)
    assert first.startswith("sum: every summand gets the same gradient")
    assert second == "mul: each factor gets the gradient times the other factor; saved: other = [3, 0.5]"
    assert third == "w: what arrived is added to w.grad"


def test_only_gradients_that_flow_have_a_formula():
    w, x = leaf(2, 3), torch.randn(3, 4)
    assert viz.step((w @ x).sum()).steps[1].formula == "self: g @ mat2.mT"
    x.requires_grad_()
    assert viz.step((w @ x).sum()).steps[1].formula == "self: g @ mat2.mT;  mat2: self.mT @ g"


def test_what_deserves_a_second_look():
    x = torch.zeros(2, requires_grad=True)
    assert "NaN arises here" in texts((x.sqrt() * 0).sum())[2]
    assert "nothing gets through" in texts((x.sqrt() * 0).sum())[1]
    assert "an infinite gradient arises here" in texts(x.sqrt().sum())[1]
    wide = leaf(3, 2)
    assert "summed over what was broadcast" in texts((wide + x).sum())[1]
    assert not any(";" in text for text in texts((wide + wide).sum()))


def test_tiny_gradients_are_not_taken_for_zero():
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    replay = viz.step(x * 1e-100, gradient=torch.full((2,), 1e-100, dtype=torch.float64))
    assert not any("nothing gets through" in step.text for step in replay.steps)


def test_where_no_gradient_arrives():
    class Cut(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return None

    x = leaf(2)
    replay = viz.step(Cut.apply(x.exp()).sum(), params={"x": x})
    assert [step.text for step in replay.steps[2:]] == ["exp: no gradient arrives", "x: no gradient arrives"]
    assert [step.formula for step in replay.steps[2:]] == ["", ""]


def test_factors_of_sums_and_rounded_quotients():
    x, y = leaf(2), leaf(2)
    assert viz.step(torch.add(x, y, alpha=3).sum()).steps[1].formula == "self: g;  other: g * alpha"
    assert "rounded" in texts(torch.div(x, y, rounding_mode="floor").sum())[1]


def test_formulas_are_those_of_real_numbers():
    x = torch.randn(2, dtype=torch.complex64, requires_grad=True)
    steps = viz.step((x * x).view(1, 2).real.sum()).steps
    by_label = {step.text.partition(":")[0]: step for step in steps}
    assert by_label["mul"].formula == "" and "conjugated" in by_label["mul"].text
    assert by_label["view"].formula == "self: g.reshape(self.shape)"


def test_other_operations_show_their_definition():
    x = leaf(3)
    replay = viz.step(torch.special.i0(x).sum())
    assert replay.steps[1].formula == "z = I₀(x);   dz/dx = I₁(x)."
    assert viz.step(Twice.apply(x)[0].sum()).steps[1].text == "Twice: the backward that the program gave it"


def test_text_is_the_whole_replay():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (w * w).sum()
    assert str(viz.step(loss)).splitlines() == [
        "backward pass in 3 steps",
        "1. sum: every summand gets the same gradient: it is spread back over the elements that were summed",
        "   <- float32[] 1",
        "      self: g.expand(self.shape)",
        "   -> mul: float32[2] [1, 1]",
        "2. mul: each factor gets the gradient times the other factor; saved: self = [1, 2], other = [1, 2]",
        "   <- float32[2] [1, 1]",
        "      self: g * other;  other: g * self",
        "   -> w: float32[2] [1, 2]",
        "   -> w: float32[2] [1, 2]",
        "3. w: what arrived is added to w.grad",
        "   <- float32[2] [2, 4]",
    ]
    assert repr(viz.step(loss)) == "Replay(3 steps, 3 nodes: 2 operations, 1 leaf)"


def test_large_gradients_are_statistics():
    x = leaf(100)
    replay = viz.step((x * x).sum())
    g = replay.steps[-1].incoming[0]
    x.grad = None
    (x * x).sum().backward()
    assert g.values is None and g.norm == pytest.approx(x.grad.norm().item(), rel=1e-5)
    assert "from" in str(g) and "mean" in str(g)
