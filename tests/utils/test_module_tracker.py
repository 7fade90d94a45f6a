"""``ModuleTracker`` knows the modules that run, forwards and backwards, by PyTorch's names."""

import pytest

import minigrad


def walk(torch):
    """What is said at each step of two forwards and backwards."""
    from importlib import import_module

    tracker = import_module(f"{torch.__name__}.utils.module_tracker").ModuleTracker()
    said = []

    def note(place):
        return lambda *args: said.append((place, sorted(tracker.parents), tracker.is_bw))

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Linear(2, 2)
            self.b = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(2, 1))

        def forward(self, x):
            return self.b(self.a(x))

    torch.manual_seed(0)
    model = Model()
    with tracker:
        model.a.register_forward_pre_hook(note("a"))
        model.b[1].register_forward_hook(note("b.1"))
        model.b[1].weight.register_hook(note("weight of b.1"))
        model.a.weight.register_hook(note("weight of a"))
        for requires_grad in (False, True):
            x = torch.ones(1, 2, requires_grad=requires_grad)
            if requires_grad:
                x.register_hook(note("x"))
            y = model(x)
            note("between")()
            y.sum().backward()
            note("after")()
    model(torch.ones(1, 2))
    return [step for step in said if step[0] != "weight of a"], tracker.parents


def test_modules_that_run_are_known():
    said, left = walk(minigrad)
    assert ("a", ["Global", "Model", "Model.a"], False) in said
    assert ("weight of b.1", ["Global", "Model", "Model.b", "Model.b.1"], True) in said
    assert said[-3:] == [("after", ["Global"], False), ("a", ["Global"], False), ("b.1", ["Global"], False)]
    assert left == {"Global"}


@pytest.mark.torch
def test_modules_are_named_as_in_pytorch():
    torch = pytest.importorskip("torch")
    assert walk(minigrad) == walk(torch)
