"""How long graphs live: they die with the last name that leads to them, at once, with the garbage collector off; and threads that share one."""

import gc
import importlib
import sys
import threading
import tracemalloc
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

import minigrad


class Token:
    """Dies with what it hangs on: nodes of PyTorch's cannot be watched themselves."""


class Watched:
    """What a scenario makes: ``mark`` watches a tensor and its node, ``alive()`` counts those that are still there."""

    def __init__(self):
        self.refs = []

    def mark(self, tensor):
        token = Token()
        tensor.grad_fn.metadata["token"] = token
        self.refs += [weakref.ref(token), weakref.ref(tensor)]
        return tensor

    def watch(self, thing):
        self.refs.append(weakref.ref(thing))
        return thing

    def alive(self):
        return sum(ref() is not None for ref in self.refs)


@pytest.fixture
def no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def functions(lib):
    """Custom functions: one that saves, one that writes, one that fails."""

    class Exp(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x, watched):
            y = x.exp()
            ctx.save_for_backward(x, y)
            ctx.note = watched.watch(Token())
            return y

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[1], None

    class Double_(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 2

    class Fails(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.x = x
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ValueError("no")

    return Exp, Double_, Fails


# Scenarios: functions of (library, watched), which end and leave nothing behind ------------------------------------------------


def plain(lib, w):
    w.mark(w.mark(leaf(lib) * 2).exp())


def after_backward(lib, w):
    w.mark(w.mark(leaf(lib) * 2).exp()).sum().backward()


def retained_gradient(lib, w):
    y = w.mark(leaf(lib) * 2)
    y.retain_grad()
    w.mark(y.exp()).sum().backward()
    w.watch(y.grad)


def tensor_hooks(lib, w):
    x = w.watch(leaf(lib))
    x.register_hook(lambda g: g * 2)
    x.register_post_accumulate_grad_hook(lambda t: None)
    y = w.mark(x * 2)
    y.register_hook(lambda g: g * x.detach())
    w.mark(y.exp()).sum().backward()


def hook_that_knows_an_earlier_tensor(lib, w):
    y = w.mark(leaf(lib) * 2)
    z = w.mark(y.exp())
    z.register_hook(lambda g: g * y.detach())
    z.sum().backward()


def hook_that_knows_the_tensor_weakly(lib, w):
    y = w.mark(leaf(lib) * 2)
    ref = weakref.ref(y)
    y.register_hook(lambda g: g * ref().detach())
    w.mark(y.exp()).sum().backward()


def node_hooks(lib, w):
    y = w.mark(leaf(lib) * 2)
    y.grad_fn.register_hook(lambda before, after: None)
    y.grad_fn.register_prehook(lambda gs: None)
    y.sum().backward()


def nodes_in_hand(lib, w):
    z = w.mark(w.mark(leaf(lib) * 2).exp())
    node = z.grad_fn.next_functions[0][0]
    assert node.next_functions


def views_and_writes(lib, w):
    y = w.mark(leaf(lib) * 2)
    v = w.mark(y[1:])
    v.mul_(2)
    u = w.mark(y.view(3))
    u.add_(1)
    v.mul_(v.exp())
    y.mul_(y.exp())
    u.copy_(u.tanh())
    w.mark(v)
    w.mark(y)
    w.mark(u)


def views_and_writes_after_backward(lib, w):
    y = w.mark(leaf(lib) * 2)
    v = w.mark(y[1:])
    v.mul_(2)
    v.retain_grad()
    w.mark(y.exp()).sum().backward()


def several_views(lib, w):
    a, b, _ = w.mark(leaf(lib) * 2).unbind(0)
    (w.mark(a) * w.mark(b)).backward()


def sorting(lib, w):
    values, indices = leaf(lib).sort()
    w.watch(indices)
    w.mark(values).sum().backward()


def function(lib, w):
    w.mark(functions(lib)[0].apply(leaf(lib), w))


def function_after_backward(lib, w):
    w.mark(functions(lib)[0].apply(leaf(lib), w)).sum().backward()


def function_in_place(lib, w):
    w.mark(functions(lib)[1].apply(w.mark(leaf(lib) * 2)))


def function_in_place_on_a_view(lib, w):
    y = w.mark(leaf(lib) * 2)
    w.mark(functions(lib)[1].apply(y[1:]))
    w.mark(y)


def gradients_of_gradients(lib, w):
    x = leaf(lib)
    (g,) = lib.autograd.grad(w.mark((x * x).exp()).sum(), x, create_graph=True)
    w.mark(g).sum().backward()


def gradient_with_a_graph_that_is_reset(lib, w):
    x = leaf(lib)
    w.mark((x * x).exp()).sum().backward(create_graph=True)
    w.mark(x.grad)
    x.grad = None


def gradient_edges(lib, w):
    y = w.mark(leaf(lib) * 2)
    lib.autograd.grad(y.sum(), lib.autograd.graph.get_gradient_edge(y))


def packed_values(lib, w):
    with lib.autograd.graph.saved_tensors_hooks(lambda t: (t, w.watch(Token())), lambda pair: pair[0]):
        y = w.mark(leaf(lib) * 2)
        z = w.mark(y.exp() * y)
    z.sum().backward()


def saved_values_in_hand(lib, w):
    y = w.mark(leaf(lib).exp())
    w.watch(y.grad_fn._saved_result)
    w.watch(w.mark(y * y).grad_fn._saved_self)


def anomaly_mode(lib, w):
    with lib.autograd.detect_anomaly():
        w.mark(w.mark(leaf(lib) * 2).exp()).sum().backward()


def checkpointed(lib, w):
    checkpoint = importlib.import_module(lib.__name__ + ".utils.checkpoint").checkpoint
    w.mark(checkpoint(lambda t: t.exp() * 2, w.mark(leaf(lib) * 2), use_reentrant=False))


def inference(lib, w):
    with lib.inference_mode():
        x = w.watch(lib.ones(3))
        w.watch(x[1:]).mul_(2)


def detached_in_place(lib, w):
    y = w.mark(leaf(lib) * 2)
    w.watch(y.detach())
    y.detach_()


def error_in_forward(lib, w):
    lib.ones(2) + w.mark(leaf(lib) * 2)


def error_in_an_in_place_op(lib, w):
    w.mark(leaf(lib) * 2).add_(lib.ones(2))


def error_in_backward(lib, w):
    w.mark(functions(lib)[2].apply(w.mark(leaf(lib) * 2)).exp()).sum().backward()


def error_in_a_hook(lib, w):
    y = w.mark(leaf(lib) * 2)
    y.register_hook(lambda g: 1 / 0)
    w.mark(y.exp()).sum().backward()


def error_of_a_modified_value(lib, w):
    z = w.mark(w.mark(leaf(lib) * 2).exp())
    z.mul_(2)
    z.sum().backward()


def error_of_a_second_backward(lib, w):
    y = w.mark(leaf(lib).exp()).sum()
    y.backward()
    y.backward()


def leaf(lib):
    return lib.ones(3, requires_grad=True)


SCENARIOS = [
    plain, after_backward, retained_gradient, tensor_hooks, hook_that_knows_an_earlier_tensor, hook_that_knows_the_tensor_weakly,
    node_hooks, nodes_in_hand, views_and_writes, views_and_writes_after_backward, several_views, sorting, function,
    function_after_backward, function_in_place, function_in_place_on_a_view, gradients_of_gradients,
    gradient_with_a_graph_that_is_reset, gradient_edges, packed_values, saved_values_in_hand, anomaly_mode, checkpointed, inference,
    detached_in_place, error_in_forward, error_in_an_in_place_op, error_in_backward, error_in_a_hook, error_of_a_modified_value,
    error_of_a_second_backward,
]  # fmt: skip


def survivors(lib, scenario):
    """How much of what a scenario made is alive after it, and how much there was."""
    watched = Watched()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            scenario(lib, watched)
        except (RuntimeError, ValueError, ZeroDivisionError):
            assert scenario.__name__.startswith("error")
        else:
            assert not scenario.__name__.startswith("error")
    return watched.alive(), len(watched.refs)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_nothing_is_left_of(scenario, no_collector):
    alive, made = survivors(minigrad, scenario)
    assert made and not alive


@pytest.mark.torch
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_nothing_is_left_in_pytorch_of(scenario, no_collector):
    torch = pytest.importorskip("torch")
    survivors(torch, scenario)  # the first time may import something
    assert survivors(torch, scenario)[0] == 0


def test_a_watched_graph_is_alive_while_a_name_leads_to_it(no_collector):
    watched = Watched()
    z = watched.mark(watched.mark(leaf(minigrad) * 2).exp())
    node = z.grad_fn
    assert watched.alive() == 3  # the tensor between is gone: exp saves its result
    del z
    assert watched.alive() == 2
    del node
    assert watched.alive() == 0


# What backward frees -------------------------------------------------------------------------------------------------------


def test_backward_frees_saved_tensors(no_collector):
    y = leaf(minigrad) * 2
    z = (y * y).sum()
    ref = weakref.ref(y)
    del y
    z.backward(retain_graph=True)
    assert ref() is not None
    z.backward()
    assert ref() is None


def test_backward_frees_what_a_function_saved(no_collector):
    watched = Watched()
    y = leaf(minigrad) * 2
    ref = weakref.ref(y)
    z = functions(minigrad)[0].apply(y, watched)
    del y
    assert ref() is not None
    z.sum().backward()
    assert ref() is None
    assert watched.alive() == 1  # the context's own attribute, as long as the node is there
    del z
    assert watched.alive() == 0


def test_backward_frees_a_chain_of_writes(no_collector):
    x = leaf(minigrad)
    y = x * 2
    factor = minigrad.ones(2)
    ref = weakref.ref(factor)
    y[1:].mul_(factor)
    del factor
    assert ref() is not None
    y.sum().backward()
    assert ref() is None


def test_a_removed_hook_is_let_go(no_collector):
    x = leaf(minigrad)
    watched = Watched()
    token = watched.watch(Token())
    y = x * 2
    handles = [
        y.register_hook(lambda g, token=token: None),
        x.register_post_accumulate_grad_hook(lambda t, token=token: None),
        y.grad_fn.register_hook(lambda a, b, token=token: None),
        y.grad_fn.register_prehook(lambda a, token=token: None),
    ]
    del token
    assert watched.alive()
    for handle in handles:
        handle.remove()
    assert not watched.alive()


# Training ------------------------------------------------------------------------------------------------------------------


def training_step(w, b, x, wanted, square):
    h = (x @ w + b).tanh()
    h.retain_grad()
    h.register_hook(lambda g: g * 1)
    y = h * 1
    y[0].mul_(2)
    y.view(-1)[1:].add_(1)
    loss = (square.apply(y.sum(1)) - wanted).pow(2).mean()
    loss.grad_fn.metadata["step"] = loss.detach()
    loss.backward()
    with minigrad.no_grad():
        for p in (w, b):
            p -= p.grad * 0.01
    w.grad = None
    b.grad.zero_()


def test_ten_thousand_steps_leave_nothing_behind(no_collector):
    class Square(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    w = minigrad.randn(3, 4, requires_grad=True)
    b = minigrad.zeros(4, requires_grad=True)
    x, wanted = minigrad.randn(2, 3), minigrad.zeros(2)
    for _ in range(3000):  # until all tables and free lists have the size they keep
        training_step(w, b, x, wanted, Square)
    objects, blocks = len(gc.get_objects()), sys.getallocatedblocks()
    for _ in range(10_000):
        training_step(w, b, x, wanted, Square)
    assert len(gc.get_objects()) - objects < 50
    assert sys.getallocatedblocks() - blocks < 500


def test_many_errors_leave_nothing_behind(no_collector):
    def fail():
        for scenario in (error_in_forward, error_in_an_in_place_op, error_in_backward, error_in_a_hook):
            survivors(minigrad, scenario)

    def tensors_and_nodes():
        kinds = minigrad.Tensor, minigrad.autograd.graph.Node
        return sum(issubclass(type(thing), kinds) for thing in gc.get_objects())

    fail()
    before = tensors_and_nodes()
    for _ in range(100):
        fail()
    assert tensors_and_nodes() == before


# Threads -------------------------------------------------------------------------------------------------------------------


def in_threads(count, work):
    """Run ``work(k)`` in ``count`` threads at once; raises what one of them raised."""
    start = threading.Barrier(count)

    def begin(k):
        start.wait()
        return work(k)

    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(begin, k) for k in range(count)]]


@pytest.fixture
def quick_switches():
    """Let Python switch threads as often as it can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_threads_accumulate_into_one_leaf(quick_switches):
    x = minigrad.ones(3, requires_grad=True)

    def work(k):
        for _ in range(200):
            (x * (k + 1)).sum().backward()

    in_threads(4, work)
    assert x.grad.tolist() == [200.0 * (1 + 2 + 3 + 4)] * 3


def test_threads_run_backward_over_a_shared_graph(quick_switches):
    x = minigrad.ones(3, requires_grad=True)
    shared = (x * 2).exp() * x

    def work(k):
        for _ in range(50):
            (shared * (k + 1)).sum().backward(retain_graph=True)
        return minigrad.autograd.grad(shared.sum(), x, retain_graph=True)[0]

    alone = minigrad.autograd.grad(shared.sum(), x, retain_graph=True)[0]
    for g in in_threads(4, work):
        assert g.tolist() == alone.tolist()
    assert ((x.grad - alone * 500).abs() < 0.01 * x.grad).all()


def test_each_thread_has_its_own_grad_mode(quick_switches):
    x = minigrad.ones(3, requires_grad=True)

    def work(k):
        seen = set()
        for _ in range(200):
            if k % 2:
                with minigrad.no_grad():
                    seen.add((x * 2).requires_grad)
            else:
                seen.add((x * 2).requires_grad)
        return seen

    with minigrad.no_grad():
        assert in_threads(4, work) == [{True}, {False}, {True}, {False}]


def test_hooks_run_in_the_thread_that_calls_backward():
    x = minigrad.ones(3, requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(threading.get_ident()))
    y = (x * 2).sum()

    def work():
        y.backward()
        return threading.get_ident()

    with ThreadPoolExecutor(1) as pool:
        thread = pool.submit(work).result()
    assert seen == [thread] != [threading.get_ident()]


def test_a_backward_in_a_thread_leaves_this_threads_modes_alone():
    x = minigrad.ones(3, requires_grad=True)

    def hook(g):
        started.set()
        go_on.wait(10)

    started, go_on = threading.Event(), threading.Event()
    y = x * 2
    y.register_hook(hook)
    thread = threading.Thread(target=y.sum().backward)
    thread.start()
    assert started.wait(10)
    assert minigrad.is_grad_enabled()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0, 3.0]
    go_on.set()
    thread.join()
    assert x.grad.tolist() == [5.0, 5.0, 5.0]


def test_a_second_backward_in_another_thread_raises():
    y = minigrad.ones(3, requires_grad=True).exp().sum()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(y.backward).result()
        with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
            pool.submit(y.backward).result()


def test_sums_of_gradients_are_dropped_once_they_are_handed_on():
    x = minigrad.ones(50_000, requires_grad=True)
    z = x
    for _ in range(20):
        z = z + z * 2
    held = []
    x.register_hook(lambda g: held.append(tracemalloc.get_traced_memory()[0]))
    seed = minigrad.ones(50_000)
    tracemalloc.start()
    try:
        z.backward(seed)
    finally:
        tracemalloc.stop()
    assert held[0] < 5 * x.nbytes
