"""What a forked child has of its parent: random states, locks that are free, modules that can be imported, graphs."""

import importlib
import os
import sys
import threading
import time

import pytest

import minigrad as mg
import minigrad.multiprocessing as mp
from minigrad._base import lazy
from minigrad.autograd.graph import register_multi_grad_hook

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="forks"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]
fork = mp.get_context("fork") if hasattr(os, "fork") else None

LOCKS = [
    ("_base.device", "_lock"),
    ("_capture.capturing", "_lock"),
    ("_core.modes", "_lock"),
    ("_core.accumulate", "_accumulating"),
    ("_base.pool", "_starting"),
    ("_base.redirecting", "lock"),
    ("_base.pytree", "_registering"),
    ("_arrays.random.generator", "_creating"),
    ("_arrays.random.generator", "_sharing"),
    ("_arrays.onednn", "_lock"),
    ("_arrays.shared_memory", "_lock"),
    ("_library.registry", "_lock"),
    ("_ops.sharing", "moving"),
    ("autograd.graph", "_collecting"),
    ("autograd._profiler.composites", "_lock"),
    ("distributed._work", "lock"),
]


def exit_code(function):
    """How a forked child ends that calls ``function``, which returns whether all is well."""
    pid = os.fork()
    if not pid:
        code = 1
        try:
            code = 0 if function() else 2
        finally:
            os._exit(code)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return "it hangs"


def fork_while(start, function):
    """As ``exit_code``, forked while another thread is in the ``with`` block that ``start`` gives."""
    inside = threading.Event()

    def hold():
        with start():
            inside.set()
            time.sleep(0.05)

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    code = exit_code(function)
    thread.join()
    return code


@pytest.mark.parametrize("path, name", LOCKS)
def test_no_lock_is_held_in_a_child(path, name):
    lock = getattr(importlib.import_module(f"minigrad.{path}"), name)
    assert fork_while(lambda: lock, lambda: _acquired_elsewhere(lock)) == 0
    assert _acquired_elsewhere(lock)


def _acquired_elsewhere(lock):
    """Whether another thread can have the lock."""
    found = []

    def acquire():
        found.append(lock.acquire(timeout=5))
        if found[0]:
            lock.release()

    thread = threading.Thread(target=acquire)
    thread.start()
    thread.join()
    return found == [True]


def test_the_list_of_locks_is_complete():
    known = {id(getattr(importlib.import_module(f"minigrad.{path}"), name)) for path, name in LOCKS}
    others = [
        (name, each)
        for name, module in [*sys.modules.items()]
        if name.startswith("minigrad.")
        for each, value in [*module.__dict__.items()]
        if type(value) in (type(threading.Lock()), type(threading.RLock())) and id(value) not in known
    ]
    assert not others


def test_generators_are_whole_and_free_in_a_child():
    """Of the default one and of others: the fork waits for the thread that draws."""
    generator = mg.Generator().manual_seed(3)
    expected = mg.randn(3, generator=mg.Generator().manual_seed(3))
    for each in (generator, mg.default_generator):
        assert (
            fork_while(
                lambda each=each: each.lock, lambda each=each: mg.rand(3, generator=each).shape == (3,)
            )
            == 0
        )
    assert exit_code(lambda: mg.equal(mg.randn(3, generator=generator), expected)) == 0
    assert mg.equal(mg.randn(3, generator=generator), expected)


def test_modules_can_be_imported_in_a_child():
    """Those that another thread was importing when it was forked too."""

    class Importing:
        def __enter__(self):
            lazy._importing[self] = threading.get_ident()

        def __exit__(self, *exception):
            del lazy._importing[self]

    start = time.monotonic()
    assert fork_while(Importing, lambda: not lazy._importing) == 0
    assert time.monotonic() - start >= 0.05


def test_children_of_a_busy_program():
    """A thread computes in all ways that take locks while others are forked, who do the same."""
    stop = threading.Event()

    def compute():
        w = mg.ones(3, requires_grad=True)
        a, b = w * 2, w * 3
        register_multi_grad_hook((a, b), lambda grads: None)
        (a + b).sum().backward()
        with mg.no_grad(), mg.inference_mode():
            mg.randn(4)
        with mg.autograd.profiler.profile():
            mg.rand(2)
        x = mg.zeros(2).share_memory_()
        mg.Generator().manual_seed(1)
        return w.grad.tolist() == [5, 5, 5] and x.is_shared()

    def busy():
        while not stop.is_set():
            compute()

    thread = threading.Thread(target=busy)
    compute()
    thread.start()
    try:
        codes = [exit_code(compute) for _ in range(20)]
    finally:
        stop.set()
        thread.join()
    assert codes == [0] * 20


def test_modes_of_other_threads_are_closed_in_a_child():
    code = fork_while(mg.no_grad, lambda: importlib.import_module("minigrad._core.modes")._count == 0)
    assert code == 0


def draw(queue):
    queue.put((mg.rand(2), mg.initial_seed()))


def test_random_states_of_children():
    """A forked one goes on where its parent was, all alike; a spawned one begins anew."""
    mg.manual_seed(5)
    mg.rand(1)
    sent = fork.SimpleQueue()
    processes = [fork.Process(target=draw, args=(sent,)) for _ in range(2)]
    for process in processes:
        process.start()
        process.join()
    (first, seed), (second, _) = sent.get(), sent.get()
    assert mg.equal(first, second) and mg.equal(first, mg.rand(2)) and seed == 5
    spawn = mp.get_context("spawn")
    sent = spawn.SimpleQueue()
    process = spawn.Process(target=draw, args=(sent,))
    process.start()
    process.join()
    assert process.exitcode == 0
    assert sent.get()[1] != 5


def test_a_graph_goes_on_in_a_child():
    w = mg.tensor([2.0], requires_grad=True)
    loss = (w * w).sum()

    def backward():
        loss.backward()
        return w.grad.tolist() == [4]

    assert exit_code(backward) == 0
    assert w.grad is None


def test_shared_memory_outlives_a_fork():
    x, own = mg.zeros(2).share_memory_(), mg.zeros(2)

    def write():
        x[0], own[0] = 1, 1
        x.share_memory_()
        return True

    assert exit_code(write) == 0
    assert x.tolist() == [1, 0] and own.tolist() == [0, 0]
