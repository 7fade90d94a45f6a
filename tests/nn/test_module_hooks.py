"""Hooks of modules: forward, backward, on all modules; their order and what they may change."""

import copy
import pickle
import warnings

import pytest

import minigrad
from minigrad import nn


def test_handles_are_named_by_their_public_path():
    handle = nn.Linear(1, 1).register_forward_hook(print)
    assert type(handle) is minigrad.utils.hooks.RemovableHandle
    assert repr(type(handle)) == "<class 'minigrad.utils.hooks.RemovableHandle'>"
    assert type(pickle.loads(pickle.dumps(handle))) is type(handle)


def two_layers(library):
    """A small network with fixed weights."""
    model = library.nn.Sequential(library.nn.Linear(2, 2), library.nn.Tanh(), library.nn.Linear(2, 1))
    with library.no_grad():
        for p in model.parameters():
            p.fill_(0.5)
    return model


def numbers(value):
    """Tensors in a structure as nested lists, rounded."""
    if value is None:
        return None
    if isinstance(value, (tuple, list)):
        return [numbers(v) for v in value]
    if isinstance(value, dict):
        return {key: numbers(v) for key, v in value.items()}
    return [round(float(v), 5) for v in value.detach().flatten()]


def scenario(library, input_requires_grad=True):
    """All that hooks of all kinds see in one forward and backward, in order."""
    events = []
    model = two_layers(library)
    hooks = library.nn.modules.module

    def note(name, result=None):
        def hook(module, *args):
            events.append((name, type(module).__name__, [numbers(a) for a in args]))
            return result(*args) if result is not None else None

        return hook

    handles = [
        hooks.register_module_forward_pre_hook(note("all forward pre")),
        hooks.register_module_forward_hook(note("all forward")),
        hooks.register_module_full_backward_pre_hook(note("all backward pre")),
        hooks.register_module_full_backward_hook(note("all backward")),
        model[0].register_forward_pre_hook(note("pre", lambda args: (args[0] * 2,))),
        model[0].register_forward_pre_hook(note("pre kwargs"), with_kwargs=True, prepend=True),
        model[0].register_forward_hook(note("forward", lambda args, out: out + 1)),
        model[0].register_forward_hook(note("forward first"), prepend=True),
        model[1].register_full_backward_pre_hook(note("backward pre", lambda grads: (grads[0] * 3,))),
        model[1].register_full_backward_hook(note("backward", lambda gin, gout: (gin[0] * 5,))),
        model[2].register_full_backward_hook(note("backward 2")),
        model[2].register_full_backward_hook(note("backward 1"), prepend=True),
    ]
    x = library.tensor([[1.0, -2.0]], requires_grad=input_requires_grad)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model(x).sum().backward()
    finally:
        for handle in handles:
            handle.remove()
    events.append([str(w.message)[:60] for w in caught])
    events.append(numbers(x.grad))
    events.append([numbers(p.grad) for p in model.parameters()])
    model(x).sum().backward()
    events.append([numbers(p.grad) for p in model.parameters()])
    return events


@pytest.mark.torch
@pytest.mark.parametrize("input_requires_grad", [True, False])
def test_all_kinds_of_hooks_see_what_pytorchs_see(input_requires_grad):
    torch = pytest.importorskip("torch")
    import minigrad.nn.modules.module

    ours, theirs = scenario(minigrad, input_requires_grad), scenario(torch, input_requires_grad)
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs):
        assert mine == other


def test_forward_hooks_may_change_arguments_and_output():
    layer = nn.Identity()
    first = layer.register_forward_pre_hook(lambda module, args: args[0] + 1)
    layer.register_forward_hook(lambda module, args, output: output * 10)
    assert layer(minigrad.ones(1)).item() == 20
    first.remove()
    assert layer(minigrad.ones(1)).item() == 10


def test_keyword_arguments():
    class Scaled(nn.Module):
        def forward(self, x, scale=1):
            return x * scale

    seen = []
    layer = Scaled()
    layer.register_forward_pre_hook(
        lambda m, args, kwargs: (args, {"scale": kwargs["scale"] + 1}), with_kwargs=True
    )
    layer.register_forward_hook(lambda m, args, kwargs, out: seen.append(kwargs), with_kwargs=True)
    assert layer(minigrad.ones(1), scale=2).item() == 3
    assert seen == [{"scale": 3}]
    layer.register_forward_pre_hook(lambda m, args, kwargs: 5, with_kwargs=True)
    with pytest.raises(
        RuntimeError, match=r"forward pre-hook must return None or a tuple of \(new_args, new_kwargs\)"
    ):
        layer(minigrad.ones(1), scale=2)


def test_always_called_hooks():
    class Failing(nn.Module):
        def forward(self, x):
            raise ValueError("the error itself")

    seen = []
    layer = Failing()
    layer.register_forward_hook(lambda m, args, out: seen.append("not"))
    layer.register_forward_hook(lambda m, args, out: seen.append(("always", out)), always_call=True)
    layer.register_forward_hook(lambda m, args, out: 1 / 0, always_call=True)
    with pytest.warns(UserWarning, match="always_call=True`` raised an exception that was silenced"):
        with pytest.raises(ValueError, match="the error itself"):
            layer(1)
    assert seen == [("always", None)]


def test_backward_hooks_must_return_as_many_gradients():
    layer = nn.Linear(1, 1)
    layer.register_full_backward_hook(lambda m, grad_input, grad_output: (None, None))
    with pytest.raises(RuntimeError, match="invalid number of grad_input, got 2, but expected 1"):
        layer(minigrad.ones(1, 1, requires_grad=True)).sum().backward()


def test_full_and_deprecated_backward_hooks_do_not_mix():
    layer = nn.Linear(1, 1)
    layer.register_full_backward_hook(lambda *args: None)
    with pytest.raises(
        RuntimeError,
        match="Cannot use both regular backward hooks and full backward hooks on a single Module",
    ):
        layer.register_backward_hook(lambda *args: None)


def test_deprecated_backward_hooks_see_the_last_node():
    seen = []
    layer = nn.Tanh()
    layer.register_backward_hook(
        lambda m, grad_input, grad_output: seen.append((m, len(grad_input), grad_output[0].item()))
    )
    layer(minigrad.zeros(1, requires_grad=True) * 1).sum().backward()
    assert seen == [(layer, 1, 1.0)]
    twice = nn.Sequential(nn.Tanh(), nn.Tanh())
    twice.register_backward_hook(lambda *args: None)
    with pytest.warns(FutureWarning, match="when the forward contains multiple autograd Nodes is deprecated"):
        twice(minigrad.zeros(1, requires_grad=True))


def test_backward_hooks_of_several_inputs_and_outputs():
    class Pair(nn.Module):
        def forward(self, x, number, y):
            return x * number, "text", y + x

    seen = []
    pair = Pair()
    pair.register_full_backward_hook(lambda m, gin, gout: seen.append((numbers(gin), numbers(gout))))
    x, y = minigrad.ones(1, requires_grad=True), minigrad.ones(1)
    first, text, second = pair(x, 3, y)
    assert text == "text"
    (first + 2 * second).backward()
    assert seen == [([[5.0], None, [0.0]], [[1.0], None, [2.0]])]
    assert x.grad.item() == 5


def test_backward_hooks_without_grad_mode():
    layer = nn.Tanh()
    layer.register_full_backward_hook(lambda *args: None)
    with minigrad.no_grad():
        assert layer(minigrad.zeros(1, requires_grad=True)).grad_fn is None


def test_a_deep_copy_has_its_own_hooks():
    seen = []
    layer = nn.Identity()
    layer.register_forward_hook(lambda m, args, out: seen.append(m))
    twin = copy.deepcopy(layer)
    twin(1)
    assert seen == [twin]
