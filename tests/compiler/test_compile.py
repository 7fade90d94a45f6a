"""``compile`` and its kin: results stay, what is said is checked, names are there."""

import copy
import pickle

import pytest

import minigrad
from minigrad import _dynamo, compiler, nn


def double(x):
    """A function to compile."""
    return x * 2


def test_functions_are_called_as_they_are():
    """As a function, as a decorator with and without arguments, for methods and classes."""
    assert minigrad.compile(double)(2) == 4
    assert minigrad.compile(double).__name__ == "double"
    assert minigrad.compile(double).__wrapped__ is double

    @minigrad.compile
    def bare(x):
        return x + 1

    @minigrad.compile(fullgraph=True, dynamic=False, mode="max-autotune")
    def with_arguments(x):
        return x + 1

    @minigrad.compile(backend=lambda gm, inputs: gm)
    def with_backend(x):
        return x + 1

    class Counter:
        def __init__(self):
            self.n = 0

        @minigrad.compile
        def count(self):
            self.n += 1
            return self.n

    assert bare(1) == with_arguments(1) == with_backend(1) == 2
    assert Counter().count() == 1
    assert minigrad.compile(Counter) is Counter


def test_modules():
    """An ``OptimizedModule`` is the module with another name: its attributes, its parameters under a prefix, its mode."""
    net = nn.Sequential(nn.Linear(2, 2), nn.Dropout())
    compiled = minigrad.compile(net, backend="eager")
    assert compiled._orig_mod is net
    assert compiled[0] is net[0] and len(compiled) == 2
    assert list(compiled.state_dict()) == ["_orig_mod.0.weight", "_orig_mod.0.bias"]
    assert [name for name, _ in compiled.named_modules()] == ["", "_orig_mod", "_orig_mod.0", "_orig_mod.1"]
    compiled.eval()
    assert not net.training and not net[1].training and not compiled.training
    compiled.extra = 3
    assert net.extra == 3
    del compiled.extra
    assert not hasattr(net, "extra")
    x = minigrad.ones(1, 2)
    assert minigrad.equal(compiled(x), net(x))
    compiled(x).sum().backward()
    assert net[0].weight.grad is not None
    assert minigrad.equal(copy.deepcopy(compiled)(x), net(x))
    compiled.load_state_dict(
        {name: minigrad.zeros_like(value) for name, value in compiled.state_dict().items()}
    )
    assert minigrad.equal(net(x), minigrad.zeros(1, 2))


def test_pickles():
    """A compiled module travels with its module."""
    compiled = minigrad.compile(nn.Linear(2, 1))
    twin = pickle.loads(pickle.dumps(compiled))
    assert type(twin) is type(compiled)
    assert minigrad.equal(twin.weight, compiled.weight)


def test_modules_compile_themselves():
    """``Module.compile`` is the same, in place."""
    net = nn.Linear(2, 1)
    net.compile(backend="eager", fullgraph=True)
    assert net(minigrad.ones(1, 2)).shape == (1, 1)
    with pytest.raises(RuntimeError, match="Invalid backend: 'no such'"):
        net.compile(backend="no such")


def test_scripts_are_not_compiled():
    """As in PyTorch."""
    with pytest.raises(RuntimeError, match=r"does not support compiling torch.jit.script"):
        minigrad.compile(minigrad.jit.script(nn.ReLU()))


def test_settings():
    """They have names, and values that last as long as they are to."""
    config = _dynamo.config
    with config.patch(cache_size_limit=64, verbose=True):
        assert config.cache_size_limit == 64 and config.verbose
    assert config.cache_size_limit == 8

    @config.patch("suppress_errors", True)
    def inside():
        return config.suppress_errors

    assert inside() and not config.suppress_errors
    before = config.save_config()
    config.verbose = True
    config.load_config(before)
    assert not config.verbose
    assert minigrad._inductor.config.max_autotune is False


def test_backends():
    """What is registered is known."""
    name = "a backend of this test"
    _dynamo.register_backend(double, name=name)
    assert name in compiler.list_backends()
    assert _dynamo.lookup_backend(name) is double
    assert minigrad.compile(double, backend=name)(2) == 4
    with pytest.raises(_dynamo.exc.InvalidBackend):
        _dynamo.lookup_backend("no such")


def test_names_that_say_something_of_compiling():
    """None is compiled, so each hands on what it is given."""
    for decorator in (
        compiler.allow_in_graph,
        compiler.assume_constant_result,
        _dynamo.disallow_in_graph,
        _dynamo.forbid_in_graph,
    ):
        assert decorator(double) is double
    for decorator in (
        compiler.disable,
        compiler.disable(),
        compiler.disable(recursive=False),
        compiler.nested_compile_region,
        _dynamo.run,
    ):
        assert decorator(double)(2) == 4
    with compiler.set_stance("fail_on_recompile"):
        assert double(1) == 2
    assert compiler.set_stance("force_eager")(double)(1) == 2
    assert not (
        compiler.is_compiling()
        or compiler.is_dynamo_compiling()
        or compiler.is_exporting()
        or _dynamo.is_compiling()
    )
    compiler.reset()
    _dynamo.mark_dynamic(minigrad.ones(2), 0)
    compiler.cudagraph_mark_step_begin()
    assert _dynamo.optimize("eager")(double)(2) == 4
    assert _dynamo.explain(double)(minigrad.ones(1)).graph_count == 1


SAME = {
    "mro": lambda t: [c.__name__ for c in type(t.compile(t.nn.Linear(1, 1))).__mro__],
    "repr": lambda t: repr(t.compile(t.nn.Linear(1, 1))),
    "number": lambda t: t.compile(3),
    "mode": lambda t: t.compile(double, mode="fast"),
    "mode and options": lambda t: t.compile(double, mode="default", options={"debug": True}),
    "option": lambda t: t.compile(double, options={"no_such": 1}),
    "backend": lambda t: t.compile(double, backend="no such"),
    "type of the error": lambda t: isinstance(_error(lambda: t.compile(double, backend="no such")), RuntimeError),
    "default backend": lambda t: (t.compiler.set_default_backend("eager"), t.compiler.get_default_backend(), t.compiler.set_default_backend("inductor"))[1],
    "disable": lambda t: t.compiler.disable(3),
    "disabled module": lambda t: type(t.compiler.disable(t.nn.Linear(1, 1))).__name__,
    "allow": lambda t: t.compiler.allow_in_graph(3),
    "allow several": lambda t: t.compiler.allow_in_graph([double])[0] is double,
    "substitute": lambda t: t.compiler.substitute_in_graph(double)(lambda y, z: 1),
    "setting": lambda t: t._dynamo.config.no_such,
    "set": lambda t: setattr(t._dynamo.config, "no_such", 1),
    "defaults": lambda t: [getattr(t._dynamo.config, name) for name in ("cache_size_limit", "recompile_limit", "suppress_errors", "verbose", "capture_scalar_outputs")],
    "numpy": lambda t: t.compiler.wrap_numpy(lambda x: x * 2)(t.ones(2)).tolist(),
    "guards": lambda t: t.compiler.set_enable_guard_collectives(False),
    "artifacts": lambda t: t.compiler.save_cache_artifacts(),
}  # fmt: skip


def _error(function):
    try:
        function()
    except Exception as error:
        return error


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SAME)
def test_as_pytorch(name):
    """The same value, or an error of the same type with the same first words."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch._dynamo")

    def outcome(t):
        try:
            return SAME[name](t)
        except Exception as error:
            return type(error).__name__, str(error).replace("minigrad", "torch")[:30]

    assert outcome(minigrad) == outcome(torch)
