"""Compiled forwards in training loops: one node stands for what the call records, and its gradients have the bits of eager ones."""

import threading

import pytest

import minigrad
from minigrad import nn
from minigrad.nn import functional as F


def net(*layers):
    """A small net; the last layers are given."""
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2), *layers)


class Several(nn.Module):
    """Results of several kinds: three with gradients, one without, and no tensor."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 4), nn.Linear(4, 4)

    def forward(self, x):
        h = self.a(x).tanh()
        y = self.b(h) * h
        return {"h": h, "y": [y, y.argmax(1)], "loss": y.square().mean(), "n": 3}


class Recurrent(nn.Module):
    """Parameters that take part several times: sums of more than two gradients."""

    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.LSTMCell(3, 4), nn.Linear(4, 2)

    def forward(self, x):
        state = None
        for _ in range(4):
            state = self.cell(x, state)
        return self.out(state[0])


class Scaled(nn.Module):
    """Inputs and parameters both require grad; a buffer is counted up, in place."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(minigrad.randn(3))
        self.register_buffer("calls", minigrad.zeros(()))

    def forward(self, x):
        self.calls.add_(1)
        y = x * self.w + self.w.exp()
        y = (y.sin() * y).cumsum(0)
        y[0] = 1.0
        return y * x.sigmoid()


def grads(model):
    return [p.grad for p in model.parameters()]


def plain(model, compiled, x):
    """The usual loop."""
    compiled_result = compiled(x)
    loss = F.mse_loss(compiled_result, minigrad.ones(len(x), 2))
    model.zero_grad()
    loss.backward()
    with minigrad.no_grad():
        for p in model.parameters():
            p -= 0.1 * p.grad
    return [compiled_result, loss, *grads(model)]


def accumulating(model, compiled, x):
    """Gradients are added to those that are there; one is dropped every now and then."""
    F.mse_loss(compiled(x), minigrad.ones(len(x), 2)).backward()
    found = [p.grad.clone() for p in model.parameters()]
    next(model.parameters()).grad = None
    return found


def two_forwards(model, compiled, x):
    """Two calls before the first backward, whose results are used together, with the parameters themselves."""
    a, b = compiled(x), compiled(x.flip(0) * 2)
    kept = a.clone()
    ((a * b).square().mean() + sum(p.square().sum() for p in model.parameters())).backward()
    found = [a, b, kept, *[p.grad.clone() for p in model.parameters()]]
    model.zero_grad()
    return found


def again_and_again(model, compiled, x):
    """The graph is kept, and gradients are asked for by ``grad``."""
    y = compiled(x)
    y.backward(minigrad.ones_like(y), retain_graph=True)
    y.backward(minigrad.ones_like(y), retain_graph=True)
    found = minigrad.autograd.grad(y, [next(model.parameters())], minigrad.ones_like(y), retain_graph=True)
    y.backward(minigrad.ones_like(y))
    with pytest.raises(RuntimeError, match="second time"):
        y.backward(minigrad.ones_like(y))
    return [y, *found, *grads(model)]


def of_any_layout(model, compiled, x):
    """Gradients in layouts that were not noted: of a sum, transposed, with gaps."""
    found = []
    for g in (
        minigrad.ones(1, 1).expand(len(x), 2),
        minigrad.randn(2, len(x)).t(),
        minigrad.randn(len(x), 4)[:, ::2],
        minigrad.randn(len(x), 2),
        minigrad.randn(len(x), 6)[:, ::3],
    ):
        y = compiled(x)
        y.backward(g)
        found += [y, *[p.grad.clone() for p in model.parameters()]]
    return found


def inside_a_model(model, compiled, x):
    """The input has a history of its own, and the result goes on."""
    first = minigrad.ones(3, requires_grad=True)
    h = (x * first).tanh()
    y = compiled(h)
    z = compiled(h * 0.5) + y * h[:, :2]
    z.square().mean().backward()
    return [y, z, first.grad, *grads(model)]


def with_hooks(model, compiled, x):
    """Hooks of parameters and of results are called."""
    seen = []
    handles = [p.register_hook(lambda g: seen.append(g.clone()) or g * 2) for p in model.parameters()]
    y = compiled(x)
    y.register_hook(lambda g: seen.append(g) or -g)
    y.retain_grad()
    y.square().mean().backward()
    for handle in handles:
        handle.remove()
    return [*seen, y.grad, *grads(model)]


def some_of_several(model, compiled, x):
    """Of several results, other ones each time have a gradient."""
    found = []
    for take in ("h", "y", "loss", "hy", "all", "loss"):
        out = compiled(x)
        parts = [out["h"].mean(), out["y"][0].sum(), out["loss"]]
        chosen = {"h": parts[:1], "y": parts[1:2], "loss": parts[2:], "hy": parts[:2], "all": parts}[take]
        sum(chosen).backward()
        found += [
            out["h"],
            *out["y"],
            out["loss"],
            *[p.grad if p.grad is None else p.grad.clone() for p in model.parameters()],
        ]
        assert out["n"] == 3
    return found


def leaf_input(model, compiled, x):
    """The input is a leaf that requires grad."""
    x = x.requires_grad_()
    y = compiled(x)
    y.square().sum().backward()
    return [y, x.grad, *grads(model), *model.buffers()]


def modes(model, compiled, x):
    """Calls with and without grad, in training and evaluation."""
    found = []
    for mode in (True, False):
        model.train(mode)
        y = compiled(x)
        y.square().mean().backward()
        with minigrad.no_grad():
            found.append(compiled(x))
        with minigrad.autocast("cpu"):
            found.append(compiled(x))
        found += [y, *[p.grad.clone() for p in model.parameters()], *[b.clone() for b in model.buffers()]]
    return found


def batches(model, compiled, x):
    """Batches of several sizes, with frozen parameters in between."""
    found = []
    for n in (2, 5, 3):
        y = compiled(x[:n])
        y.square().mean().backward()
        found += [y, *[None if p.grad is None else p.grad.clone() for p in model.parameters()]]
    return found


SCENES = {
    "plain": (net, plain, True),
    "batch_norm": (lambda: net(nn.BatchNorm1d(2)), plain, True),
    "dropout": (lambda: net(nn.Dropout(0.5)), plain, True),
    "recurrent": (Recurrent, plain, True),
    "recurrent_twice": (Recurrent, two_forwards, True),
    "accumulating": (net, accumulating, True),
    "two_forwards": (lambda: net(nn.BatchNorm1d(2), nn.Dropout(0.5)), two_forwards, True),
    "again": (net, again_and_again, True),
    "layouts": (lambda: net(nn.BatchNorm1d(2), nn.Dropout(0.5)), of_any_layout, None),
    "inside": (net, inside_a_model, True),
    "hooks": (net, with_hooks, None),
    "several": (Several, some_of_several, None),
    "leaf_input": (Scaled, leaf_input, None),
    "modes": (lambda: net(nn.BatchNorm1d(2), nn.Dropout(0.5)), modes, None),
    "batches": (net, batches, None),
    "views": (lambda: net(nn.Unflatten(1, (1, 2)), nn.Flatten()), plain, True),
}


def bits(x):
    if x is None:
        return None
    return x.dtype, tuple(x.shape), x.stride(), x.requires_grad, x.detach().contiguous().numpy().tobytes()


@pytest.mark.parametrize("name", SCENES)
def test_training_is_exact(name):
    """Seven times, with other inputs each; the last time by a replay where that is said."""
    build, scene, replays = SCENES[name]
    histories, nodes = [], []
    for compiles in (False, True):
        minigrad.manual_seed(0)
        model = build()
        run = minigrad.compile(model) if compiles else model
        called = []

        def noted(x, run=run, called=called):
            result = run(x)
            called.append(getattr(result, "grad_fn", None))
            return result

        histories.append([list(map(bits, scene(model, noted, minigrad.randn(6, 3)))) for _ in range(7)])
        nodes.append(called)
    for i, (eager, compiled) in enumerate(zip(*histories)):
        for k, (a, b) in enumerate(zip(eager, compiled)):
            assert a == b, f"time {i}, tensor {k}"
        assert len(eager) == len(compiled)
    if replays:
        assert type(nodes[1][-1]).__name__ == "CompiledFunctionBackward"
        assert not any(type(node).__name__ == "CompiledFunctionBackward" for node in nodes[0])


def ready(model, *args):
    """The compiled model, after as many calls as it takes until it is replayed."""
    compiled = minigrad.compile(model)
    for _ in range(4):
        result = compiled(*args)
    assert result.grad_fn.name() == "CompiledFunctionBackward"
    return compiled


def test_the_node():
    """It leads to the parameters, and has their gradients."""
    model = net()
    y = ready(model, minigrad.randn(5, 3))(minigrad.randn(5, 3))
    ends = [node.variable for node, _ in y.grad_fn.next_functions]
    assert {id(p) for p in ends} == {id(p) for p in model.parameters()}
    assert y._version == 0 and not y.is_leaf and not y._is_view()


def raises(function):
    try:
        function()
    except RuntimeError as error:
        return str(error).partition(": [")[0].partition(" (or")[0]
    return None


@pytest.mark.parametrize("change", ["weight", "bias", "input", "result", "nothing"])
def test_what_is_saved_may_not_change(change):
    """An error says so where eager's does: the bias and the result of the last layer are not saved."""
    said = []
    for compiles in (False, True):
        minigrad.manual_seed(0)
        model = net(nn.Sigmoid()) if change == "result" else net()
        x = minigrad.randn(5, 3)
        y = (ready(model, x) if compiles else model)(x)
        with minigrad.no_grad():
            {"weight": model[2].weight, "bias": model[2].bias, "input": x, "result": y, "nothing": x + 1}[
                change
            ].add_(1)
        said.append(raises(lambda y=y: y.backward(minigrad.ones_like(y))))
    assert said[0] == said[1] and (said[0] is None) == (change in ("bias", "nothing"))


@pytest.mark.parametrize("change", ["weight", "bias", "input", "result"])
def test_data_that_are_set_before_backward(change):
    """Eager goes on with new data of what it has saved; a replay, whose backward has the old ones, refuses, and never uses them in silence."""
    found = []
    for compiles in (False, True):
        minigrad.manual_seed(0)
        model = net()
        x = minigrad.randn(5, 3)
        y = (ready(model, x) if compiles else model)(x)
        tensor = {"weight": model[2].weight, "bias": model[2].bias, "input": x, "result": y}[change]
        tensor.data = tensor.data + 1
        said = raises(lambda y=y: y.backward(minigrad.ones_like(y)))
        found.append((said, grads(model)))
    if change in ("bias", "result"):  # nothing saved
        assert all(said is None for said, _ in found)
        for a, b in zip(found[0][1], found[1][1]):
            minigrad.testing.assert_close(a, b, rtol=0, atol=0)
    else:
        assert found[0][0] is None and "has been set since" in found[1][0]


def test_a_forward_that_cannot_be_repeated():
    """Gradients in another layout need the forward once more: an error says so if it would not do the same."""
    model = net()
    compiled = ready(model, minigrad.randn(5, 3))
    y = compiled(minigrad.randn(5, 3))
    with minigrad.no_grad():
        model[4].bias.add_(1)
    with pytest.raises(RuntimeError, match="its forward must run again"):
        y.sum().backward()
    compiled(minigrad.randn(5, 3)).sum().backward()
    assert model[0].weight.grad is not None


def changed_since(function, argument, change, backward):
    """The gradients of two leaves after ``backward``, for an argument that ``change`` got between the last call and it."""
    leaf = minigrad.arange(6.0).reshape(2, 3).div(8).requires_grad_()
    factor = minigrad.linspace(0, 1, 6).reshape(2, 3).requires_grad_()
    kinds = {
        "a leaf": lambda: leaf,
        "a tensor with history": lambda: leaf * 2,
        "a view": lambda: leaf.detach()[:].requires_grad_(),
        "a tensor without": lambda: leaf.detach(),
    }
    for _ in range(4):
        x = kinds[argument]()
        y = function(x, factor)
    getattr(x, change)(False) if change == "requires_grad_" and x.requires_grad else getattr(x, change)()
    backward(y)
    return y.grad_fn.name(), [None if t.grad is None else t.grad.tolist() for t in (x, leaf, factor)]


def twice_differentiated(y):
    x = minigrad.ones_like(y, requires_grad=True)
    y.backward(x, create_graph=True)


def of_another_layout(y):
    y.backward(minigrad.ones(3, 2).t())


def of_another_layout_in_inference_mode(y):
    with minigrad.inference_mode():
        y.backward(minigrad.ones(3, 2).t())


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize(
    "backward", [twice_differentiated, of_another_layout, of_another_layout_in_inference_mode]
)
@pytest.mark.parametrize(
    "argument, change",
    [
        ("a leaf", "requires_grad_"),
        ("a leaf", "detach_"),
        ("a leaf", "clone"),
        ("a tensor with history", "detach_"),
        ("a view", "requires_grad_"),
        ("a tensor without", "requires_grad_"),
    ],
)
def test_a_forward_that_is_repeated_has_the_histories_of_its_call(argument, change, backward):
    """Whether arguments require grad by then, and in whatever mode backward is called."""
    function = lambda x, factor: (x.tanh() * factor).exp()
    _, expected = changed_since(function, argument, change, backward)
    name, found = changed_since(minigrad.compile(function), argument, change, backward)
    assert name == "CompiledFunctionBackward"
    minigrad.testing.assert_close(found, expected)


@pytest.mark.parametrize("odd", ["hook of a module", "custom Function", "result that is a parameter's view"])
def test_what_stays_eager(odd):
    """The numbers are eager's, and so is the graph."""
    model = net()
    seen = []
    function = {
        "hook of a module": lambda x: model(x),
        "custom Function": lambda x: Negated.apply(model(x)),
        "result that is a parameter's view": lambda x: (model(x), model[0].weight.t()),
    }[odd]
    if odd == "hook of a module":
        model[2].register_full_backward_hook(lambda module, before, after: seen.append(after))
    compiled = minigrad.compile(function)
    for i in range(5):
        result = compiled(minigrad.randn(5, 3))
        result = result if isinstance(result, minigrad.Tensor) else result[0]
        assert result.grad_fn.name() != "CompiledFunctionBackward"
        result.sum().backward()
        assert odd != "hook of a module" or len(seen) == i + 1


class Negated(minigrad.autograd.Function):
    """A Function of the program."""

    @staticmethod
    def forward(ctx, x):
        return -x

    @staticmethod
    def backward(ctx, g):
        return -g


def test_gradients_of_gradients():
    """The first time by the graph of a forward that runs once more, with the same draws and buffers, from then on eagerly."""
    results = []
    for compiles in (False, True):
        minigrad.manual_seed(0)
        model = net(nn.BatchNorm1d(2), nn.Softplus(), nn.Dropout(0.3))
        run = minigrad.compile(model) if compiles else model
        found = []
        for i in range(7):
            x = minigrad.randn(5, 3, requires_grad=True)
            y = run(x)
            if compiles and i in (3, 4):
                assert (y.grad_fn.name() == "CompiledFunctionBackward") == (i == 3)
            (g,) = minigrad.autograd.grad(y.sum(), x, create_graph=True)
            (g.square().mean() + y.mean()).backward()
            found += [
                y,
                g,
                x.grad,
                *[p.grad.clone() for p in model.parameters()],
                *[b.clone() for b in model.buffers()],
            ]
        results.append(found)
    for a, b in zip(*results):
        minigrad.testing.assert_close(a, b, rtol=1e-3, atol=1e-5)


def test_threads():
    """Threads that use one compiled model at the same time have their own numbers."""
    model = net()
    x = [minigrad.randn(5, 3) for _ in range(4)]
    expected = [minigrad.autograd.grad(model(each).square().sum(), [*model.parameters()]) for each in x]
    compiled = ready(model, x[0])
    wrong = []

    def work(i):
        for _ in range(40):
            found = minigrad.autograd.grad(compiled(x[i]).square().sum(), [*model.parameters()])
            if list(map(bits, found)) != list(map(bits, expected[i])):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_error_in_the_forward():
    """An index out of range raises what it raises, and the next call is right."""
    minigrad.manual_seed(0)
    embedding, layer = nn.Embedding(5, 4), nn.Linear(4, 2)

    def function(i):
        return layer(embedding(i).tanh()).sigmoid()

    compiled = ready(function, minigrad.tensor([1, 2]))
    with pytest.raises(IndexError):
        compiled(minigrad.tensor([1, 7]))
    for i in (minigrad.tensor([0, 4]), minigrad.tensor([3, 3])):
        found = [
            minigrad.autograd.grad(f(i).square().sum(), [embedding.weight, layer.bias])
            for f in (function, compiled)
        ]
        assert list(map(bits, found[0])) == list(map(bits, found[1]))


def test_explain():
    """Both functions are shown."""
    compiled = ready(net(), minigrad.randn(5, 3))
    (entry,) = compiled.forward._engine._plans.values()
    text = entry.plan.replay.explained()
    assert text.count("def replay(") == 2 and "# for gradients with strides (8, 4)" in text


@pytest.mark.parametrize("change", ["__code__", "__defaults__", "__kwdefaults__", "class of a module"])
def test_what_reloading_changes(change):
    """Tools that reload modules put new code into functions that are there, and classes on objects: the next call has them."""

    class Own(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(minigrad.randn(4, 4))

        def forward(self, x):
            return x @ self.w

    class Doubled(Own):
        def forward(self, x):
            return x @ self.w * 2

    found = []
    for compiles in (False, True):
        minigrad.manual_seed(0)
        model = net()
        model[2] = Own()

        def function(x, scale=(1.0,), *, shift=(0.0,), model=model):
            return (model(x) * scale[0] + shift[0]).tanh()

        def other(x, scale=(1.0,), *, shift=(0.0,), model=model):
            return model(x).sigmoid()

        run = ready(function, minigrad.randn(5, 3)) if compiles else function
        if change == "__code__":
            function.__code__ = other.__code__
        elif change == "__defaults__":
            function.__defaults__ = ((3.0,),)
        elif change == "__kwdefaults__":
            function.__kwdefaults__ = {"shift": (4.0,), "model": model}
        else:
            model[2].__class__ = Doubled
        x = minigrad.ones(2, 3)
        y = run(minigrad.ones(5, 3))
        y.sum().backward()
        found.append([run(x), y, *grads(model)])
    for a, b in zip(*found):
        minigrad.testing.assert_close(a, b, rtol=0, atol=0)
