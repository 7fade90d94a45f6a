"""``compile`` replays what comes to the same, and nothing else: results, effects and errors are those of the function itself."""

import copy
import functools
import gc
import math
import pickle
import random
import threading
import time
import types

import numpy as np
import pytest

import minigrad
from minigrad import _dynamo, compiler, nn

Unsupported = _dynamo.exc.Unsupported


def plans(compiled):
    """How many plans a compiled function or module has."""
    engine = getattr(compiled, "forward", compiled)._engine
    return sum(entry.plan is not None for entry in engine._plans.values())


def long(x):
    """Enough ops for a replay to be worth it."""
    for _ in range(4):
        x = (x * 1.5).sin() + 0.25
    return x


def tiny_net():
    minigrad.manual_seed(0)
    return nn.Sequential(
        nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2)
    )


def same(a, b):
    """Whether two results have the same bits, and say the same of themselves."""
    if isinstance(a, minigrad.Tensor):
        return (
            type(a) is type(b)
            and a.dtype == b.dtype
            and a.stride() == b.stride()
            and a.requires_grad == b.requires_grad
            and a._version == b._version
            and a.detach().numpy().tobytes() == b.detach().numpy().tobytes()
        )
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and (a == b or (a != a and b != b))


# What is replayed -----------------------------------------------------------------------------------------------------------------

SCALE = 2.0
CONFIG = {"scale": 2.0, "names": ["a"]}
SETTINGS = types.SimpleNamespace(scale=2.0, deep=[1.0, [3.0]])


def local_containers(x):
    out = {}
    for i, name in enumerate("abcdefgh"):
        out[name] = [x * i]
    return out


def draws(x):
    return long(x) + minigrad.rand(3) + nn.functional.dropout(x, 0.5)


def constants(x):
    return long(x) * minigrad.tensor([1.0, 2.0, 3.0]) + math.sqrt(2.0)


def in_place(x):
    y = long(x)
    y.add_(1)
    y[0] = 5
    return y, x.ndim


class Pair:
    """An object that a function makes for itself."""

    def __init__(self, a, b):
        self.a, self.b = a, b


def own_objects(x):
    pair = Pair(long(x), x)
    pair.a = pair.a + 1
    return pair.a * pair.b


@pytest.mark.parametrize(
    "function",
    [long, local_containers, draws, constants, in_place, own_objects, lambda x: (long(x), 3, None)],
    ids=lambda function: function.__name__,
)
def test_replays_are_exact(function):
    """With other elements each time, and the same random numbers."""
    compiled = minigrad.compile(function, fullgraph=True)
    for seed in range(6):
        x = minigrad.randn(3)
        minigrad.manual_seed(seed)
        expected = function(x)
        minigrad.manual_seed(seed)
        assert same(compiled(x), expected)
    assert plans(compiled) == 1


KEPT = (minigrad.tensor([1.00001]),)


def test_tensors_that_look_alike_are_told_apart(monkeypatch):
    """A tuple is the same if its elements are, whatever they print as."""
    compiled = minigrad.compile(lambda x: long(x) * KEPT[0], fullgraph=True)
    x = minigrad.ones(1)
    for value in (1.00001, 1.00002):
        monkeypatch.setitem(globals(), "KEPT", (minigrad.tensor([value]),))
        for _ in range(4):
            assert same(compiled(x), long(x) * KEPT[0])
    assert repr(minigrad.tensor([1.00001])) == repr(minigrad.tensor([1.00002]))


COLLECTIONS = 0


def collecting(phase, info):
    global COLLECTIONS
    COLLECTIONS += 1


def test_what_the_collector_calls_is_no_part_of_the_function():
    """It calls functions of the program at any moment, whose effects are not those of what is noted."""
    before = gc.get_threshold()
    gc.callbacks.append(collecting)
    gc.set_threshold(1)
    try:
        compiled = minigrad.compile(long, fullgraph=True)
        for _ in range(3):
            x = minigrad.randn(3)
            assert same(compiled(x), long(x))
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(collecting)
    assert plans(compiled) == 1 and COLLECTIONS and gc.isenabled()


def test_whole_steps():
    """Loss, parameters and gradients have the bits of steps that run eagerly."""
    nets = [tiny_net(), tiny_net()]

    def step_of(net):
        optimizer = minigrad.optim.Adam(net.parameters(), lr=0.01)

        def step(x):
            optimizer.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            optimizer.step()
            return loss

        return step

    eager, compiled = step_of(nets[0]), minigrad.compile(step_of(nets[1]), fullgraph=True)
    for _ in range(6):
        x = minigrad.randn(5, 3)
        assert same(eager(x), compiled(x))
        for p, q in zip(nets[0].parameters(), nets[1].parameters()):
            assert same(p, q) and same(p.grad, q.grad)
    assert plans(compiled) == 1
    with pytest.raises(RuntimeError, match="second time"):
        compiled(minigrad.randn(5, 3)).backward()


def test_parameters_of_a_group():
    """A group that has other parameters, equal to those that it had, moves those."""
    ends = []
    for compiles in (False, True):
        a, b = (minigrad.ones(1, requires_grad=True) for _ in range(2))
        optimizer = minigrad.optim.SGD([a], lr=0.1)

        def step(x, a=a, b=b, optimizer=optimizer):
            optimizer.zero_grad()
            (long(a * x) * b).square().sum().backward()
            optimizer.step()
            return x

        step = minigrad.compile(step) if compiles else step
        for _ in range(5):
            step(minigrad.ones(1))
        assert not compiles or plans(step) == 1
        with minigrad.no_grad():
            b.copy_(a)
        optimizer.param_groups[0]["params"] = [b]
        step(minigrad.ones(1))
        ends.append((a.item(), b.item()))
    assert ends[0] == ends[1]


def test_modules_without_grad():
    """A plan sees new parameters, other modes, hooks and attributes."""
    net = tiny_net()
    net.append(nn.Dropout())
    compiled = minigrad.compile(net)
    x = minigrad.randn(2, 3)

    def check():
        for _ in range(3):
            minigrad.manual_seed(1)
            expected = net(x)
            minigrad.manual_seed(1)
            assert same(compiled(x), expected)

    with minigrad.no_grad():
        check()
        assert plans(compiled) == 1
        for change in (
            lambda: net.eval(),
            lambda: net[0].weight.add_(1),
            lambda: net[2].register_parameter("weight", nn.Parameter(minigrad.ones(4, 4))),
            lambda: setattr(net[4], "bias", None),
            lambda: setattr(net[7], "p", 0.1),
            lambda: net.train(),
            lambda: net.__setitem__(1, nn.Sigmoid()),
        ):
            change()
            check()
            assert plans(compiled) == 1
        handle = net[3].register_forward_hook(lambda module, args, result: result * 3)
        check()
        handle.remove()
        check()
    check()  # with a history
    compiled(x).sum().backward()
    assert net[0].weight.grad is not None


def test_what_lasts_is_guarded():
    """Globals, attributes, closures, lists and settings that a function reads may change between calls."""
    global SCALE
    factor = 1.0
    held = types.SimpleNamespace(scale=1.0)

    def function(x, times=SETTINGS):
        return long(x) * SCALE * CONFIG["scale"] * times.deep[1][0] * factor * held.scale * len(
            CONFIG["names"]
        ) + minigrad.zeros(3)

    compiled = minigrad.compile(function)
    x = minigrad.randn(3)

    def check():
        for _ in range(3):
            assert same(compiled(x), function(x))
        assert plans(compiled) == 1

    check()
    SCALE = 3.0
    check()
    CONFIG["scale"] = -0.0
    check()
    CONFIG["names"].append("b")
    check()
    SETTINGS.deep[1][0] = 7.0
    check()
    factor = 5.0
    check()
    held = types.SimpleNamespace(scale=4.0)
    check()
    held.scale = minigrad.tensor(2.0)
    check()
    minigrad.set_default_dtype(minigrad.float64)
    try:
        assert same(compiled(x), function(x))
    finally:
        minigrad.set_default_dtype(minigrad.float32)
    SCALE, SETTINGS.deep[1][0], CONFIG["scale"] = 2.0, 3.0, 2.0
    CONFIG["names"].pop()


def test_numbers_and_other_arguments():
    """Signs of zeros, nan, types, and the contents of objects are told apart."""

    class Options:
        def __init__(self):
            self.scale = 2.0

    options = Options()

    def function(x, y, options=None):
        return long(x) * y * (1 if options is None else options.scale)

    compiled = minigrad.compile(function)
    x = minigrad.randn(3)
    for y in (0.0, -0.0, 1, True, 1.0, float("nan")):
        for _ in range(3):
            assert same(compiled(x, y), function(x, y))
    compiled = minigrad.compile(function)
    for scale in (2.0, 3.0):
        options.scale = scale
        for _ in range(3):
            assert same(compiled(x, 1, options), function(x, 1, options))
    assert plans(compiled) == 1


def test_a_first_call_is_not_noted():
    """Nothing of it is kept: it may be the only one."""
    compiled = minigrad.compile(long)
    compiled(minigrad.ones(3))
    (entry,) = compiled._engine._plans.values()
    assert entry.before is None and entry.plan is None
    compiled(minigrad.ones(3))
    assert entry.before is not None


@functools.lru_cache
def remembered(n):
    return n * SCALE


def test_caches():
    """What was computed once may be forgotten, and computed anew."""
    global SCALE
    compiled = minigrad.compile(lambda x: long(x) * remembered(3))
    for SCALE in (2.0, 5.0):
        remembered.cache_clear()
        for _ in range(4):
            assert same(compiled(minigrad.ones(3)), long(minigrad.ones(3)) * (3 * SCALE))
    SCALE = 2.0


# What is not ----------------------------------------------------------------------------------------------------------------------

LIST, DICT, NUMBER, ITERATOR, ARRAY = [], {}, 0, iter(range(1000)), np.ones(3, np.float32)
BUFFER = minigrad.zeros(3)
OBJECT = types.SimpleNamespace(calls=0, last=None)


def prints(x):
    print("effect", end="")
    return long(x)


def appends(x):
    LIST.append(1)
    return long(x)


def stores(x):
    DICT[len(DICT)] = 1
    return long(x)


def sets_a_global(x):
    global NUMBER
    NUMBER += 1
    return long(x) * NUMBER


def sets_an_attribute(x):
    OBJECT.calls += 1
    return long(x) * OBJECT.calls


def keeps_a_tensor(x):
    OBJECT.last = long(x)
    return OBJECT.last + 1


def asks_the_time(x):
    return long(x) * time.monotonic()


def draws_from_python(x):
    return long(x) * random.random()


def maps_an_effect(x):
    list(map(LIST.append, "ab"))
    return long(x)


def reads_a_value(x):
    return long(x) * x.sum().item()


def branches(x):
    return long(x) if x[0] > 0 else -x


def reads_a_list(x):
    return x.tolist(), long(x)


def reseeds(x):
    minigrad.manual_seed(0)
    return long(x) + minigrad.rand(3)


def breaks(x):
    _dynamo.graph_break()
    return long(x)


@compiler.disable
def never(x):
    return x + 1


def calls_disabled(x):
    return long(never(x))


PROGRAM = {
    prints: 'print("effect", end="")', appends: "LIST.append(1)", stores: None, sets_a_global: "NUMBER += 1", sets_an_attribute: None, keeps_a_tensor: None,
    asks_the_time: "time.monotonic()", draws_from_python: "random.random()", maps_an_effect: "def maps_an_effect(x):", reads_a_value: "x.sum().item()",
    branches: "x[0] > 0", reads_a_list: "x.tolist()", reseeds: "minigrad.manual_seed(0)", breaks: "graph_break()", calls_disabled: "never(x)",
}  # fmt: skip


@pytest.mark.parametrize("function", PROGRAM, ids=lambda function: function.__name__)
def test_effects_and_values(function, capsys):
    """Each call runs the Python; with ``fullgraph=True`` an error says what and where, and ``explain`` too."""
    compiled = minigrad.compile(function)
    x = minigrad.ones(3)
    before = len(LIST), len(DICT), NUMBER, OBJECT.calls
    for _ in range(5):
        compiled(x)
    assert plans(compiled) == 0
    effects = [b - a for a, b in zip(before, (len(LIST), len(DICT), NUMBER, OBJECT.calls))]
    wanted = {
        appends: (0, 5),
        maps_an_effect: (0, 10),
        stores: (1, 5),
        sets_a_global: (2, 5),
        sets_an_attribute: (3, 5),
    }
    if function in wanted:
        place, count = wanted[function]
        assert effects[place] == count
    assert capsys.readouterr().out == "effect" * 5 * (function is prints)
    with pytest.raises(Unsupported) as error:
        minigrad.compile(function, fullgraph=True)(x)
    if PROGRAM[function] is not None:
        assert "from user code" in str(error.value)
        assert PROGRAM[function] in str(error.value).splitlines()[-1]
    found = _dynamo.explain(function)(x)
    assert (found.graph_count, found.graph_break_count) == (0, 1)
    assert found.break_reasons[0].reason in str(error.value)


def next_of_iterator(x):
    return long(x) * next(ITERATOR)


def reads_an_array(x):
    return long(x) * float(ARRAY[0])


def draws_from_numpy(x):
    return long(x) * 2 if np.random.rand() < 2 else x


def returns_a_view(x):
    return x.view(3, 1), long(x)


def returns_twice(x):
    y = long(x)
    return y, y[:2]


def returns_its_list(x):
    return [long(x)] if not isinstance(x, list) else x


def writes_to_its_argument(x):
    x.mul_(2)
    return long(x)


def swaps_data(x):
    BUFFER.data = long(x)
    return BUFFER + 1


@pytest.mark.parametrize(
    "function",
    [
        next_of_iterator,
        reads_an_array,
        draws_from_numpy,
        returns_a_view,
        returns_twice,
        writes_to_its_argument,
        swaps_data,
    ],
    ids=lambda function: function.__name__,
)
def test_what_cannot_be_followed(function):
    """It runs eagerly, with ``fullgraph=True`` too: it is no fault of the program."""
    global ITERATOR
    compiled = minigrad.compile(function, fullgraph=True)
    for i in range(5):
        ARRAY[0] = i
        ITERATOR = iter(range(i, 1000))
        x = minigrad.randn(3)
        y = x.clone()
        results = compiled(x)
        ITERATOR = iter(range(i, 1000))
        assert same(results, function(y))
        assert same(x, y)
    assert plans(compiled) == 0


def test_history_is_live():
    """What requires grad has a history, whoever needs it afterwards."""
    net = tiny_net()
    w = minigrad.ones(3, requires_grad=True)
    for function in (
        minigrad.compile(net),
        minigrad.compile(lambda x: net(x) * 2),
        minigrad.compile(lambda x: long(w * x), fullgraph=True),
    ):
        for _ in range(5):
            function(minigrad.randn(3)).sum().backward()
    assert w.grad is not None and net[0].weight.grad is not None
    x = minigrad.randn(3, requires_grad=True)
    compiled = minigrad.compile(long)
    for _ in range(5):
        compiled(x.detach())
    compiled(x).sum().backward()
    assert x.grad is not None
    assert _dynamo.explain(net)(minigrad.randn(3)).graph_count == 1
    reason = _dynamo.explain(lambda x: Doubled.apply(net(x)))(minigrad.randn(3)).break_reasons[0]
    assert "DoubledBackward that may do more" in reason.reason and not reason.graph_break


class Doubled(minigrad.autograd.Function):
    """A Function of the program: its backward is Python, which a replay would leave out."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


def test_views_that_are_not_followed():
    """Conjugate views of an argument end the noting, and have the argument's elements all the same."""
    for function in (lambda x: (x * 1).adjoint().clone(), lambda x: [x.adjoint().clone(), x.conj() * 2]):
        compiled, captured = minigrad.compile(function), minigrad.capture(function, fallback=True)
        for _ in range(4):
            x = minigrad.randn(2, 3, dtype=minigrad.complex64)
            assert same(compiled(x), function(x)) and same(captured(x), function(x))


def test_gradients_that_are_not_of_the_call():
    """A function that reads ``.grad``, or drops it, does so each time."""
    w = minigrad.ones(3, requires_grad=True)

    @minigrad.compile
    def update(x):
        with minigrad.no_grad():
            w.sub_(w.grad * 0.5)
            result = long(x)
        w.grad = None
        return result

    expected = minigrad.ones(3)
    for i in range(6):
        (w * i).sum().backward()
        update(minigrad.ones(3))
        expected = expected - i * 0.5
        assert w.grad is None and minigrad.equal(w.detach(), expected)


def test_arguments_that_are_written_elsewhere():
    """A step that writes to a parameter is not replayed for an argument in the same memory."""
    w = minigrad.zeros(3)

    @minigrad.compile
    def add(x):
        y = long(x)
        w.add_(1)
        return y + x

    for _ in range(4):
        add(minigrad.ones(3))
    twin = w.clone()
    y = long(twin)
    twin.add_(1)
    assert minigrad.equal(add(w.view(3)), y + twin)


def test_errors_are_those_of_the_function():
    """With their traceback, and what was drawn before is drawn once."""

    def fails(x):
        long(x)
        raise KeyError("mine")

    for _ in range(3):
        with pytest.raises(KeyError, match="mine"):
            minigrad.compile(fails)(minigrad.ones(3))
    compiled = minigrad.compile(lambda x, y: long(x) + y)
    for _ in range(3):
        compiled(minigrad.ones(3), minigrad.ones(3))
    with pytest.raises(RuntimeError, match="size"):
        compiled(minigrad.ones(3), minigrad.ones(4))


# Around it ------------------------------------------------------------------------------------------------------------------------


def test_eight_plans():
    """One for each look of the arguments; ``recompile_limit`` says how many; ``reset`` forgets them."""
    compiled = minigrad.compile(long)
    few = minigrad.compile(long, recompile_limit=2)
    for n in range(1, 12):
        for _ in range(3):
            x = minigrad.randn(n)
            assert same(compiled(x), long(x)) and same(few(x), long(x))
    assert plans(compiled) == 8 and plans(few) == 2
    compiler.reset()
    assert plans(compiled) == 0
    with _dynamo.config.patch(recompile_limit=1):
        for n in range(1, 4):
            for _ in range(3):
                compiled(minigrad.randn(n))
    assert plans(compiled) == 1


def test_switches():
    """Stances, ``config.disable`` and ``disable``."""
    compiled = minigrad.compile(long)

    def calls(n=3, times=4):
        for _ in range(times):
            compiled(minigrad.randn(n))
        return plans(compiled)

    with compiler.set_stance("force_eager"):
        assert calls() == 0
    with _dynamo.config.patch(disable=True):
        assert calls() == 0
    assert compiler.disable(calls)() == 0
    assert compiler.disable(calls, recursive=False)() == 1
    with compiler.set_stance("eager_on_recompile"):
        assert calls(4) == 1
    with compiler.set_stance("fail_on_recompile"):
        assert calls(3) == 1
        with pytest.raises(_dynamo.exc.RecompileError):
            calls(4)
    assert calls(4) == 2


def test_modes_are_looked_at():
    """Grad mode, transforms and dispatch modes."""
    w = minigrad.ones(3, requires_grad=True)
    compiled = minigrad.compile(lambda x: long(x) * w)
    x = minigrad.randn(3)
    for _ in range(4):
        with minigrad.no_grad():
            assert not compiled(x).requires_grad
        with minigrad.inference_mode():
            assert compiled(x).is_inference()
        assert compiled(x).requires_grad
    plain = minigrad.compile(long)
    for _ in range(4):
        plain(x)
    assert same(minigrad.func.vmap(plain)(x.expand(2, 3)), minigrad.func.vmap(long)(x.expand(2, 3)))
    assert same(
        minigrad.func.grad(lambda x: plain(x).sum())(x), minigrad.func.grad(lambda x: long(x).sum())(x)
    )
    with minigrad.autocast("cpu", dtype=minigrad.bfloat16):
        a, b = minigrad.ones(3, 3), minigrad.ones(3, 3)
        product = minigrad.compile(lambda a, b: long(a) @ b)
        assert [product(a, b).dtype for _ in range(4)] == [minigrad.bfloat16] * 4


def test_compiled_modules_travel():
    """Copies and pickles have the settings, and plans of their own; ``Module.compile`` is undone by both, as in PyTorch."""
    net = tiny_net()
    compiled = minigrad.compile(net, mode="reduce-overhead")
    x = minigrad.randn(2, 3)
    with minigrad.no_grad():
        for _ in range(3):
            compiled(x)
        for twin in (copy.deepcopy(compiled), pickle.loads(pickle.dumps(compiled))):
            assert twin.dynamo_ctx["mode"] == "reduce-overhead" and plans(twin) == 0
            twin._orig_mod[0].weight.zero_()
            for _ in range(3):
                assert same(twin(x), twin._orig_mod(x)) and not same(twin(x), net(x))
            assert plans(twin) == 1
        net.compile()
        for _ in range(4):
            assert same(net(x), compiled(x))
        assert plans(net) == 1
        assert "forward" not in copy.deepcopy(net).__dict__
        assert same(pickle.loads(pickle.dumps(net))(x), net(x))


def test_methods():
    """Instances have plans of their own, and their attributes are looked at."""

    class Scaled:
        def __init__(self, scale):
            self.scale = scale

        @minigrad.compile
        def call(self, x, *, twice=False):
            return long(x) * self.scale * (2 if twice else 1)

    a, b = Scaled(2.0), Scaled(3.0)
    x = minigrad.randn(3)
    for scale in (2.0, 5.0):
        a.scale = scale
        for _ in range(3):
            assert same(a.call(x), long(x) * a.scale * 1)
            assert same(b.call(x, twice=True), long(x) * 3.0 * 2)
    assert plans(Scaled.call) == 2


def test_threads():
    """Where one replays, others run eagerly, or replay later."""
    compiled = minigrad.compile(long)
    found = []

    def work(seed):
        generator = minigrad.Generator().manual_seed(seed)
        for _ in range(50):
            x = minigrad.randn(3, generator=generator)
            found.append(same(compiled(x), long(x)))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 150 and all(found)


def test_explain():
    """What would be replayed, and where the first reason against it is."""
    found = _dynamo.explain(long)(minigrad.ones(3))
    assert (found.graph_count, found.graph_break_count, found.op_count, found.break_reasons) == (1, 0, 12, [])
    assert str(found).startswith("Graph Count: 1\nGraph Break Count: 0\nOp Count: 12\n")
    found = _dynamo.explain(minigrad.compile(reads_a_value))(minigrad.ones(3))
    (place,) = found.break_reasons[0].user_stack
    assert place.name == "reads_a_value" and "item()" in place.line


def test_short_functions_are_left_alone():
    """A replay would not be quicker."""
    compiled = minigrad.compile(lambda x: x * 2)
    for _ in range(3):
        assert same(compiled(minigrad.ones(3)), minigrad.full((3,), 2.0))
    assert plans(compiled) == 0 and compiled._engine.eager
