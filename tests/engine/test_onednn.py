"""The optional engine: looked for when it is first wanted, left alone where it is not there or not wanted, and at peace with threads and forks."""

import ctypes
import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad
from minigrad import backends
from minigrad._arrays import engine, engine_settings
from minigrad._arrays.kernels import convolution


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def conv(n=2, size=6):
    return convolution.conv(random(n, 3, size, size), random(4, 3, 3, 3, seed=1), (1, 1), (1, 1), (1, 1), 1)


def in_process(program, **environment):
    """What a program prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "OMP_NUM_THREADS": "2", **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture
def looked_for_anew(monkeypatch):
    monkeypatch.setattr(engine, "_functions", None)
    monkeypatch.setattr(engine_settings, "FROM", dict.fromkeys(engine_settings.FROM, 0))
    monkeypatch.setattr(engine_settings, "WORTH", 0)


# Is it there? ----------------------------------------------------------------------------------------------------------------


def test_small_work_does_not_look_for_it():
    names = in_process(
        "import sys, minigrad; x = minigrad.randn(2, 3, 5, 5); minigrad.nn.Conv2d(3, 4, 3)(x).sum().backward(); print('minigrad._arrays.onednn' in sys.modules)"
    )
    assert names == ["False"]


def test_the_environment_switches_it_off():
    program = "import sys, minigrad; print(minigrad.backends.mkldnn.is_available(), 'minigrad._arrays.onednn' in sys.modules)"
    assert in_process(program, MINIGRAD_ONEDNN="0") == ["False", "False"]


def test_flags_switch_it_off(onednn):
    with backends.mkldnn.flags(enabled=False):
        conv()
        assert onednn.served == 0
    conv()
    assert onednn.served == 1
    backends.mkldnn.enabled = False
    conv()
    backends.mkldnn.enabled = True
    assert onednn.served == 1


def no_library():
    return ["/nowhere/libdnnl.so.3"]


def fake(major=3, runtime=2, **functions):
    """A function that opens a library which says this of itself."""
    from minigrad._arrays.onednn import _Version

    def opened(path):
        version = ctypes.pointer(_Version(major=major, cpu_runtime=runtime))
        answer = SimpleNamespace()
        library = SimpleNamespace(
            dnnl_version=lambda: version, omp_set_num_threads=answer, omp_get_max_threads=answer
        )
        vars(library).update(functions)
        return library

    return opened


@pytest.mark.parametrize(
    "name, replacement",
    [
        ("_places", no_library),
        ("_opened", "version 2"),
        ("_opened", "no OpenMP"),
        ("_opened", "another library"),
        ("_opened", "functions missing"),
    ],
)
def test_without_a_library_that_serves_numpy_computes(monkeypatch, looked_for_anew, name, replacement):
    from minigrad._arrays import onednn

    opened = {
        "version 2": fake(major=2),
        "no OpenMP": fake(runtime=4),
        "another library": lambda path: SimpleNamespace(),
        "functions missing": fake(),
    }
    expected = _without()
    monkeypatch.setattr(onednn, name, opened.get(replacement, replacement))
    assert not backends.mkldnn.is_available()
    np.testing.assert_array_equal(conv(), expected)


def _without():
    with backends.mkldnn.flags(enabled=False):
        return conv()


def test_what_the_library_cannot_do_numpy_does(onednn, monkeypatch):
    def fail(*args):
        raise onednn.Unsupported

    onednn.clear()
    monkeypatch.setattr(onednn.Descriptions, "primitive", fail)
    np.testing.assert_array_equal(conv(), _without())
    np.testing.assert_array_equal(conv(), _without())  # remembered
    assert onednn.served == 0
    onednn.clear()


def test_errors_while_it_runs_leave_it_to_numpy(onednn, monkeypatch):
    def fail(*args):
        raise onednn.Unsupported

    monkeypatch.setattr(onednn.Operation, "run", fail)
    np.testing.assert_array_equal(conv(), _without())


def test_the_environment_is_as_before_when_it_has_been_loaded(onednn):
    assert "GOMP_SPINCOUNT" not in os.environ or os.environ["GOMP_SPINCOUNT"] != onednn._SPINS


# Primitives ------------------------------------------------------------------------------------------------------------------


def test_primitives_are_kept_and_the_oldest_is_destroyed(onednn, monkeypatch):
    onednn.clear()
    destroyed = []
    destroy = onednn.Operation.destroy
    monkeypatch.setattr(onednn.Operation, "destroy", lambda self: (destroyed.append(self), destroy(self)))
    monkeypatch.setattr(onednn, "CAPACITY", 3)
    expected = {n: conv(n) for n in (1, 2, 3)}
    first, *_ = onednn._kept.values()
    conv(1)
    conv(4)  # in the place of 2
    assert (
        len(onednn._kept) == 3
        and len(destroyed) == 1
        and destroyed[0] is not first
        and not destroyed[0]._made
    )
    for n, z in expected.items():
        np.testing.assert_array_equal(conv(n), z)
    assert len(onednn._kept) == 3


def test_memory_between_primitives_is_given_back_if_it_is_much(onednn, monkeypatch):
    onednn.clear()
    monkeypatch.setattr(onednn, "_KEPT", 0)
    z = convolution.conv(random(2, 16, 9, 9), random(32, 16, 3, 3), (1, 1), (1, 1), (1, 1), 1)
    assert onednn.served == 1 and onednn._arena._array is None
    again = convolution.conv(random(2, 16, 9, 9), random(32, 16, 3, 3), (1, 1), (1, 1), (1, 1), 1)
    np.testing.assert_array_equal(z, again)


# Threads and forks -----------------------------------------------------------------------------------------------------------


def test_how_many_threads(onednn, monkeypatch):
    from minigrad._base import threads

    monkeypatch.setattr(threads, "held", True)
    before = minigrad.get_num_threads()
    minigrad.set_num_threads(2)
    try:
        assert onednn.count(engine_settings.SHARED) == 2 and onednn.count(engine_settings.SHARED - 1) == 1
        with backends.mkldnn.flags(enabled=True, deterministic=True):
            assert onednn.count(engine_settings.SHARED) == 1
        minigrad.use_deterministic_algorithms(True)
        assert onednn.count(engine_settings.SHARED) == 1
        minigrad.use_deterministic_algorithms(False)
        minigrad.set_num_threads(1)
        assert onednn.count(engine_settings.SHARED) == 1
        minigrad.set_num_threads(2)
        monkeypatch.setattr(threads, "held", False)  # BLAS's threads may spin
        assert onednn.count(engine_settings.SHARED) == 1
    finally:
        minigrad.use_deterministic_algorithms(False)
        minigrad.set_num_threads(before)


def test_openmp_has_as_many_threads_as_before(onednn, monkeypatch):
    before = onednn.library.omp_get_max_threads()
    threads = minigrad.get_num_threads()
    minigrad.set_num_threads(before + 1)
    monkeypatch.setattr(engine_settings, "SHARED", 0)
    try:
        conv()
        assert onednn.library.omp_get_max_threads() == before
    finally:
        minigrad.set_num_threads(threads)


def test_several_threads_at_once(onednn):
    expected = {n: conv(n) for n in range(1, 5)}
    wrong = []

    def work(n):
        for _ in range(30):
            if not np.array_equal(conv(n), expected[n]):
                wrong.append(n)

    workers = [threading.Thread(target=work, args=(n,)) for n in expected]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


FORKED = """
import os, sys, multiprocessing, numpy as np, minigrad
from minigrad._arrays import engine_settings, onednn
minigrad.set_num_threads(2)
engine_settings.SHARED = 0
x, w = minigrad.randn(16, 16, 32, 32), minigrad.randn(32, 16, 3, 3)
z = minigrad.nn.functional.conv2d(x, w)
def same(_=None):
    return bool((minigrad.nn.functional.conv2d(x, w) == z).all())
assert len(onednn._kept) == 1
if __name__ == "__main__":
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, str(same()).encode())
        os._exit(0)
    print(os.read(reading, 10).decode())
    os.waitpid(child, 0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(*pool.map(same, range(4)))
    print(same())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_forked_children_compute(onednn):
    assert in_process(FORKED) == ["True"] * 6


FIRST_IN_CHILD = """
import os, sys, minigrad
x, w = minigrad.randn(16, 16, 32, 32), minigrad.randn(32, 16, 3, 3)
child = os.fork()
if not child:
    minigrad.set_num_threads(2)
    minigrad.nn.functional.conv2d(x, w)
    from minigrad._arrays import engine_settings, onednn
    print(onednn.count(engine_settings.SHARED), len(onednn._kept), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_that_is_the_first_to_compute_has_one_thread(onednn):
    assert in_process(FIRST_IN_CHILD) == ["1", "1"]


def test_set_num_threads_gives_the_same_values(onednn, monkeypatch):
    monkeypatch.setattr(engine_settings, "SHARED", 0)
    before = minigrad.get_num_threads()
    try:
        found = []
        for n in (1, 2, 1):
            minigrad.set_num_threads(n)
            found.append(conv(4, 20))
        np.testing.assert_allclose(found[0], found[1], rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(found[0], found[2])
    finally:
        minigrad.set_num_threads(before)
