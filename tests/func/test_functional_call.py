"""Modules as functions of their parameters, and what else ``func`` has for modules."""

import pytest

import minigrad
from minigrad.func import debug_unwrap, functional_call, functionalize, grad, vmap
from minigrad.func import replace_all_batch_norm_modules_ as replace_all
from minigrad.func import stack_module_state as stacked
from tests.messages import first_sentence


def modules(torch):
    """The modules of the tests, for minigrad or PyTorch."""
    nn = torch.nn

    class Net(nn.Module):
        """Writes to its buffer."""

        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(2, 2)
            self.scale = nn.Parameter(torch.tensor([1.0, 2.0]))
            self.register_buffer("count", torch.zeros(2))
            self.number = 3
            with torch.no_grad():
                self.inner.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
                self.inner.bias.copy_(torch.tensor([0.1, 0.2]))

        def forward(self, x, k=1.0):
            self.count = self.count + 1
            return self.inner(x).tanh() * self.scale * k + self.count

    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = self.b = nn.Parameter(torch.ones(1))
            self.register_buffer("p", torch.ones(1))
            self.register_buffer("q", self.p)

        def forward(self, x):
            return x + 10 * self.a + 100 * self.b + 1000 * self.p + 10000 * self.q

    return Net, Tied


Net, Tied = modules(minigrad)
X = minigrad.tensor([[1.0, -1.0], [0.5, 2.0], [0.0, 0.3]])


def test_tensors_are_replaced_for_one_call():
    net = Net()
    weight = net.inner.weight
    given = {"inner.weight": minigrad.zeros(2, 2), "count": minigrad.tensor([10.0, 20.0])}
    out = functional_call(net, given, X[0], {"k": 0.0})
    assert out.tolist() == [11.0, 21.0]
    assert net.inner.weight is weight
    assert net.count.tolist() == [0.0, 0.0]
    assert given["count"].tolist() == [11.0, 21.0], "what the module wrote"


class Failing(minigrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = minigrad.nn.Parameter(minigrad.ones(1))

    def forward(self):
        raise ZeroDivisionError


def test_tensors_are_put_back_when_the_module_fails():
    module = Failing()
    w = module.w
    with pytest.raises(ZeroDivisionError):
        functional_call(module, {"w": minigrad.zeros(1)})
    assert module.w is w


def test_gradients_with_respect_to_parameters():
    net = Net()
    parameters = {name: x.detach() for name, x in net.named_parameters()}

    def loss(parameters, x):
        return functional_call(net, {**parameters, "count": minigrad.zeros(2)}, x).pow(2).sum()

    found = grad(loss)(parameters, X[0])
    loss_here = functional_call(net, {"count": minigrad.zeros(2)}, X[0]).pow(2).sum()
    loss_here.backward()
    for name, x in net.named_parameters():
        assert minigrad.allclose(found[name], x.grad, atol=1e-6)
        assert not found[name].requires_grad
    for_samples = vmap(grad(loss), (None, 0))(parameters, X)
    for name, x in found.items():
        assert minigrad.allclose(for_samples[name][0], x, atol=1e-6)
        assert minigrad.allclose(for_samples[name][2], grad(loss)(parameters, X[2])[name], atol=1e-6)


def test_ensemble():
    nets = [Net() for _ in range(3)]
    for i, net in enumerate(nets):
        with minigrad.no_grad():
            net.scale.mul_(i)
    parameters, buffers = stacked(nets)
    assert {name: tuple(x.shape) for name, x in parameters.items()} == {
        "scale": (3, 2),
        "inner.weight": (3, 2, 2),
        "inner.bias": (3, 2),
    }
    assert all(x.is_leaf and x.requires_grad for x in parameters.values())
    assert not buffers["count"].requires_grad
    out = vmap(lambda p, b, x: functional_call(nets[0], (p, b), x), (0, 0, None))(parameters, buffers, X)
    for net, part in zip(nets, out):
        assert minigrad.allclose(net(X), part, atol=1e-6)


def answer(f):
    """What ``f`` returns, as a list, or how it fails."""
    try:
        result = f()
    except (RuntimeError, ValueError, TypeError, AttributeError, KeyError) as error:
        return type(error).__name__, str(error).split("<class")[0].replace("minigrad", "torch")
    return result.tolist()


def answers(torch):
    """What happens to all kinds of dictionaries."""
    Net, Tied = modules(torch)
    func = torch.func
    net, tied, frozen = Net(), Tied(), Net()
    frozen.inner.weight.requires_grad_(False)
    resting = Net()
    resting.eval()
    x, one = torch.tensor([1.0, -1.0]), torch.ones(1)
    new = {"inner.weight": torch.ones(2, 2), "count": torch.zeros(2)}
    whole = {**dict(net.named_parameters()), **dict(net.named_buffers())}

    def call(given, args=x, **kwargs):
        return answer(lambda: func.functional_call(net, given, args, **kwargs))

    def call_tied(given, **kwargs):
        return answer(
            lambda: func.functional_call(tied, {k: v * one for k, v in given.items()}, one, **kwargs)
        )

    def stack(*models):
        return answer(lambda: func.stack_module_state(models)[0]["inner.weight"])

    return {
        "new": call(new),
        "several": call((new, {"scale": x})),
        "twice": call([new, {"count": x}, {"count": x}]),
        "not all dictionaries": call((new, 3)),
        "no dictionary": call(3),
        "no sequence": call(iter([new])),
        "new name": call({"other": x}),
        "new name further in": call({"inner.other": x}),
        "no such module": call({"none.other": x}),
        "no module": call({"inner.weight.other": x}),
        "attribute": call({"number": x}),
        "number": call({"scale": 3}),
        "empty name": call({"": x}),
        "strict": call(whole, strict=True),
        "missing": call(new, strict=True),
        "unexpected": call({**whole, "z": x, "y": x}, strict=True),
        "both": call({**new, "z": x}, strict=True),
        "tied": call_tied({"a": 2}),
        "the other name": call_tied({"b": 2}),
        "tied buffers": call_tied({"q": 2}),
        "not tied": call_tied({"a": 2}, tie_weights=False),
        "different": call_tied({"a": 2, "b": 3}),
        "different, not tied": call_tied({"a": 2, "b": 3}, tie_weights=False),
        "strict, tied": call_tied({"a": 2, "q": 2}, strict=True),
        "strict, not tied": call_tied({"a": 2, "q": 2}, strict=True, tie_weights=False),
        "stack": stack(net, Net()),
        "stack none": stack(),
        "stack modes": stack(net, resting),
        "stack classes": stack(net, tied),
        "stack flags": stack(net, frozen),
        "functionalize": answer(lambda: func.functionalize(lambda x: x.clone().add_(1))(x)),
        "remove": answer(lambda: func.functionalize(torch.sin, remove="all")),
    }


def test_errors_say_what_is_wrong():
    found = answers(minigrad)
    assert found["twice"] == (
        "ValueError",
        "['count'] appeared in multiple dictionaries; behavior of functional call is ambiguous",
    )
    assert found["no such module"] == ("AttributeError", "Net has no attribute `none`")
    assert found["both"] == (
        "RuntimeError",
        "Error(s) in reparametrizing for Net:\n\tUnexpected key(s): 'z'.\n\tMissing key(s): 'inner.bias', 'scale'.",
    )
    assert found["different"][0] == "ValueError"
    assert found["tied"] == [2 * 110 + 11001.0]
    assert found["not tied"] == [20 + 11101.0]
    assert found["stack flags"] == (
        "RuntimeError",
        "Expected inner.weight from each model to have the same .requires_grad",
    )


@pytest.mark.torch
def test_answers_are_pytorchs():
    torch = pytest.importorskip("torch")
    found, expected = answers(minigrad), answers(torch)
    for name, theirs in expected.items():
        ours = found[name]
        if isinstance(theirs, list):
            assert minigrad.allclose(minigrad.tensor(ours), minigrad.tensor(theirs), atol=1e-6), name
        else:
            assert (ours[0], first_sentence(ours[1])) == (theirs[0], first_sentence(theirs[1])), name


def test_batch_norms_forget_their_statistics():
    class _BatchNorm(minigrad.nn.Module):
        def __init__(self, track_running_stats):
            super().__init__()
            self.track_running_stats = track_running_stats
            self.register_buffer("running_mean", minigrad.zeros(1))

    net = minigrad.nn.Sequential(_BatchNorm(True), minigrad.nn.Sequential(_BatchNorm(False)))
    assert replace_all(net) is net
    assert net[0].running_mean is None
    assert not net[0].track_running_stats
    assert net[1][0].running_mean is not None


def test_functionalize_returns_the_function():
    assert functionalize(minigrad.sin, remove="mutations_and_views")(X).tolist() == X.sin().tolist()
    with pytest.raises(RuntimeError, match="received invalid argument for remove=all"):
        functionalize(minigrad.sin, remove="all")


def test_debug_unwrap_gives_the_tensor_beneath():
    seen = []

    def f(x):
        seen.append((tuple(debug_unwrap(x).shape), tuple(debug_unwrap(x, recurse=False).shape)))
        return x

    vmap(vmap(f))(X)
    assert seen == [((3, 2), (2,))]
    assert debug_unwrap(X) is X
    kept = []
    grad(lambda x: kept.append(debug_unwrap(x)) or x.sum())(X)
    assert not kept[0].requires_grad
