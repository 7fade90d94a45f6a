"""Scripted and traced programs: they give the results that they gave, and look as PyTorch's do."""

import copy
import pickle
import typing

import pytest

import minigrad
from minigrad import jit, nn


def net_of(torch):
    """A model with a submodule, an attribute, a buffer and an exported method."""

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(2, 2)
            self.shift = 3.0
            self.register_buffer("scale", torch.full((2,), 2.0))

        def forward(self, x):
            return self.layer(x) * self.scale + self.shift

        @torch.jit.export
        def double(self, x: int):
            return x * 2

    torch.manual_seed(0)
    return Net()


def increment(x):
    """A function to script."""
    return x + 1


@pytest.fixture
def scripted():
    return jit.script(net_of(minigrad))


def test_a_scripted_module_shares_parameters_and_buffers():
    """It computes with those of the module, which an optimizer of either steps."""
    net = net_of(minigrad)
    scripted = jit.script(net)
    x = minigrad.ones(1, 2)
    assert minigrad.equal(scripted(x), net(x))
    assert scripted.layer.weight is net.layer.weight
    assert scripted.scale is net.scale
    with minigrad.no_grad():
        net.layer.weight.add_(1)
    assert minigrad.equal(scripted(x), net(x))
    scripted(x).sum().backward()
    assert net.layer.weight.grad is not None


def test_attributes_are_its_own(scripted):
    """What is set here is not set there, and counts."""
    net = scripted._running
    scripted.shift = 0.0
    assert scripted.shift == 0.0
    other = jit.script(net_of(minigrad))
    assert other.shift == 3.0
    x = minigrad.zeros(1, 2)
    difference = other(x) - scripted(x)
    assert minigrad.allclose(difference, minigrad.full((1, 2), 3.0))
    assert scripted.double(4) == 8
    assert net.shift == 0.0


def test_modules_of_modules(scripted):
    """Submodules are scripted; modes, dtypes and state dicts reach all that runs."""
    assert type(scripted.layer).__name__ == "RecursiveScriptModule"
    scripted.eval()
    assert not scripted.training and not scripted.layer.training and not scripted._running.layer.training
    assert list(scripted.state_dict()) == ["scale", "layer.weight", "layer.bias"]
    scripted.to(minigrad.float64)
    assert scripted(minigrad.ones(1, 2, dtype=minigrad.float64)).dtype == minigrad.float64
    scripted.load_state_dict({name: minigrad.zeros_like(x) for name, x in scripted.state_dict().items()})
    assert minigrad.equal(
        scripted(minigrad.ones(1, 2, dtype=minigrad.float64)),
        minigrad.full((1, 2), 3.0, dtype=minigrad.float64),
    )
    assert [name for name, _ in scripted.named_modules()] == ["", "layer"]


def test_containers():
    """Sequences of modules are indexed and counted."""
    scripted = jit.script(nn.Sequential(nn.Linear(2, 3), nn.ReLU()))
    assert len(scripted) == 2
    assert scripted[0].weight.shape == (3, 2)
    assert [m.original_name for m in scripted] == ["Linear", "ReLU"]
    assert repr(scripted) == (
        "RecursiveScriptModule(\n  original_name=Sequential\n  (0): RecursiveScriptModule(original_name=Linear)\n"
        "  (1): RecursiveScriptModule(original_name=ReLU)\n)"
    )


def test_copies_and_pickles(scripted):
    """A deep copy has parameters of its own; there is no pickle."""
    twin = copy.deepcopy(scripted)
    with minigrad.no_grad():
        twin.layer.weight.zero_()
    assert scripted.layer.weight.abs().sum() > 0
    assert minigrad.equal(twin._running.layer.weight, minigrad.zeros(2, 2))
    with pytest.raises(RuntimeError, match="Tried to serialize object"):
        pickle.dumps(scripted)


@pytest.mark.parametrize(
    "ask",
    [
        lambda m: m.graph,
        lambda m: m.code,
        lambda m: m.inlined_graph,
        lambda m: m.save("net.pt"),
        lambda m: jit.save(m, "net.pt"),
        lambda m: jit.script(increment).graph,
        lambda m: jit.script(increment).code,
        lambda m: jit.CompilationUnit("def f(x):\n    return x"),
        lambda m: jit.load(__file__),
        lambda m: jit.last_executed_optimized_graph(),
    ],
)
def test_what_needs_torchscript_says_so(ask, scripted):
    """No graph, no code, no file."""
    with pytest.raises(NotImplementedError, match="TorchScript, which minigrad does not have"):
        ask(scripted)


def test_freeze():
    """A frozen module has no parameters, keeps its results, and what it is told to keep."""
    net = net_of(minigrad)
    x = minigrad.ones(1, 2)
    before = net(x)
    frozen = jit.freeze(jit.script(net).eval(), preserved_attrs=["shift"])
    with minigrad.no_grad():
        net.layer.weight.zero_()
    assert minigrad.equal(frozen(x), before)
    assert not frozen(x).requires_grad
    assert list(frozen.state_dict()) == []
    assert frozen.shift == 3.0
    with pytest.raises(AttributeError):
        frozen.layer


def test_traces_run_the_program():
    """Branches are taken anew, where PyTorch's traces repeat the one that the examples took."""

    def sign(x):
        return x if x.sum() > 0 else -x

    traced = jit.trace(sign, minigrad.ones(2))
    assert minigrad.equal(traced(-minigrad.ones(2)), minigrad.ones(2))
    net = jit.trace(net_of(minigrad), (minigrad.ones(1, 2),))
    assert isinstance(net, jit.ScriptModule)
    assert net(minigrad.ones(5, 2)).shape == (5, 2)
    with pytest.raises(RuntimeError):
        jit.trace(net_of(minigrad), minigrad.ones(1, 3))


def test_functions_that_hand_on():
    """Decorators return what they are given."""
    for decorator in (jit.export, jit.unused, jit.ignore, jit.script_method, jit._overload):
        assert decorator(increment) is increment
    assert jit.ignore(drop=False)(increment) is increment
    assert jit.script_if_tracing(increment)(1) == 2
    assert jit.annotate(list[int], []) == []
    assert not jit.is_scripting() and not jit.is_tracing()
    assert jit.script(increment)(1) == 2
    assert jit.wait(jit.fork(increment, 1)) == 2


class Old(jit.ScriptModule):
    """A module in the style of old scripts."""

    __constants__ = ["factor"]
    factor: jit.Final[int]

    def __init__(self):
        super().__init__()
        self.factor = 3

    @jit.script_method
    def forward(self, x):
        return x * self.factor


def test_modules_written_as_scripts():
    """They are modules."""
    assert Old()(2) == 6
    assert jit.script(Old()).factor == 3


SAME = {
    "mro": lambda t: [c.__name__ for c in type(t.jit.script(net_of(t))).__mro__],
    "names": lambda t: (t.jit.script(net_of(t)).original_name, t.jit.script(increment).name, t.jit.script(increment).qualified_name),
    "repr": lambda t: repr(t.jit.script(net_of(t))),
    "state": lambda t: list(t.jit.script(net_of(t)).state_dict()),
    "values": lambda t: t.jit.script(net_of(t))(t.ones(1, 2)).tolist(),
    "traced values": lambda t: t.jit.trace(net_of(t), t.ones(1, 2))(t.ones(3, 2)).tolist(),
    "exported": lambda t: t.jit.script(net_of(t)).double(3),
    "itself": lambda t: (lambda m: t.jit.script(m) is m)(t.jit.script(net_of(t))),
    "no such attribute": lambda t: t.jit.script(net_of(t)).missing,
    "class": lambda t: t.jit.script(t.nn.Linear),
    "number": lambda t: t.jit.script(3),
    "builtin": lambda t: t.jit.script(print),
    "frozen": lambda t: repr(t.jit.freeze(t.jit.script(net_of(t)).eval())),
    "frozen state": lambda t: list(t.jit.freeze(t.jit.script(net_of(t)).eval()).state_dict()),
    "frozen in training": lambda t: t.jit.freeze(t.jit.script(net_of(t))),
    "frozen module": lambda t: t.jit.freeze(net_of(t)),
    "for inference": lambda t: t.jit.optimize_for_inference(net_of(t)),
    "no file": lambda t: t.jit.load("no such file"),
    "save a module": lambda t: t.jit.save(net_of(t), "file"),
    "interface": lambda t: t.jit.interface(3),
    "fork": lambda t: t.jit.wait(t.jit.fork(increment, t.ones(1))).tolist(),
    "fork that fails": lambda t: t.jit.fork(lambda: {}["a"]),
    "attribute": lambda t: repr(t.jit.Attribute(3, int)),
    "fuser": lambda t: t.jit.fuser("no such").__enter__(),
    "trace_module": lambda t: t.jit.trace_module(3, {}),
    "trace_module without names": lambda t: t.jit.trace_module(net_of(t), []),
    "trace a number": lambda t: t.jit.trace(increment, 3),
    "is list": lambda t: [t.jit.isinstance(x, list[int]) for x in ([1], [], ["a"], [1, "a"], 3)],
    "is dict": lambda t: [t.jit.isinstance(x, dict[str, int]) for x in ({"a": 1}, {1: 1}, {})],
    "is tuple": lambda t: [t.jit.isinstance(x, tuple[int, str]) for x in ((1, "a"), (1, 2), (1,))],
    "is optional": lambda t: [t.jit.isinstance(x, typing.Optional[int]) for x in (1, None, "a")],
    "is union": lambda t: [t.jit.isinstance(x, typing.Union[int, list[int]]) for x in (1, [1], ["a"])],
    "is one of": lambda t: [t.jit.isinstance(x, (int, str)) for x in (1, "a", 1.5)],
    "without elements": lambda t: t.jit.isinstance([1], list),
    "bare list": lambda t: t.jit.isinstance([1], list),
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SAME)
def test_as_pytorch(name):
    """The same value, or an error of the same type with the same first words."""
    torch = pytest.importorskip("torch")

    def outcome(t):
        try:
            return SAME[name](t)
        except Exception as error:
            return type(error), str(error).replace("minigrad", "torch").partition("\n")[0].partition(". ")[0][
                :45
            ]

    assert outcome(minigrad) == outcome(torch)
