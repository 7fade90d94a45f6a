"""The pool: all parts are done once, errors and interrupts arrive when nobody works any more, and nothing waits for ever."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from minigrad._base import pool


@pytest.fixture(autouse=True, params=[1, 2, 5])
def threads(request):
    before = pool.count()
    pool.set_count(request.param)
    yield request.param
    pool.set_count(before)


def everybody_at_work(parts=64):
    """Parts that take long enough for helpers to come, and who did them."""
    done = []

    def part(i):
        time.sleep(0.001)
        done.append((i, threading.current_thread().name))

    pool.share(part, range(parts))
    return done


def test_every_part_is_done_once(threads):
    done = everybody_at_work()
    assert sorted(i for i, _ in done) == list(range(64))
    assert (len({name for _, name in done}) > 1) == (threads > 1)


def test_no_parts_and_one_part():
    done = []
    pool.share(done.append, [])
    pool.share(done.append, [3])
    assert done == [3]


def test_the_first_error_ends_the_others_and_is_raised():
    done = []

    def part(i):
        if i == 3:
            raise ValueError("part 3")
        time.sleep(0.001)
        done.append(i)

    with pytest.raises(ValueError, match="part 3"):
        pool.share(part, range(1000))
    at_once = len(done)
    time.sleep(0.01)
    assert at_once == len(done) < 900
    assert len(everybody_at_work()) == 64


@pytest.mark.parametrize("way", [pool.beside, pool.one_by_one])
def test_parts_are_done_beside_a_body_and_after_it(way, threads):
    done = []

    def part(i):
        done.append((i, threading.current_thread() is threading.main_thread()))

    with way(part, range(20)):
        assert not any(by_caller for _, by_caller in done)
        deadline = time.monotonic() + 30
        while way is pool.beside and threads > 1 and len(done) < 20 and time.monotonic() < deadline:
            time.sleep(0.001)  # nobody else takes them
    assert sorted(i for i, _ in done) == list(range(20))
    assert all(by_caller for _, by_caller in done) == (threads == 1 or way is pool.one_by_one)
    with way(part, []):
        pass
    assert len(done) == 20


@pytest.mark.parametrize("way", [pool.beside, pool.one_by_one])
def test_errors_of_parts_and_of_the_body_beside_them(way):
    done = []

    def part(i):
        if i == 3:
            raise ValueError("part 3")
        time.sleep(0.001)
        done.append(i)

    with pytest.raises(ValueError, match="part 3"), way(part, range(1000)):
        pass
    at_once = len(done)
    with pytest.raises(KeyError, match="body"), way(done.append, range(1000, 100_000)):
        raise KeyError("body")
    after_the_body = len(done)
    time.sleep(0.01)
    assert at_once < 900 and len(done) == after_the_body < 90_000
    assert len(everybody_at_work()) == 64


def test_an_error_of_a_helper_keeps_no_arrays():
    import gc
    import weakref

    array = np.ones(10)
    alive = weakref.ref(array)

    def fail(i, held=array):
        time.sleep(0.001)
        raise ValueError

    gc.disable()
    try:
        with pytest.raises(ValueError):
            pool.share(fail, range(8))
        del fail, array
        everybody_at_work(8)
        assert alive() is None
    finally:
        gc.enable()


def test_parts_that_share_and_threads_that_share_at_once():
    counts = []

    def outer(i):
        pool.share(lambda j: counts.append((i, j)), range(5))

    users = [threading.Thread(target=pool.share, args=(outer, range(20))) for _ in range(4)]
    for user in users:
        user.start()
    for user in users:
        user.join(30)
        assert not user.is_alive()
    assert len(counts) == 4 * 20 * 5


def test_helpers_do_about_floating_point_errors_what_the_caller_does():
    x = np.zeros(10)

    def part(_):
        time.sleep(0.001)
        np.log(x)

    with np.errstate(divide="ignore"):
        pool.share(part, range(20))
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        pool.share(part, range(20))


def run(program, **environment):
    """What a program prints, in a process of its own."""
    found = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_has_helpers_of_its_own():
    program = """
        import os, sys, time, threading
        from minigrad._base import pool
        pool.set_count(3)
        names = set()
        def part(i):
            time.sleep(0.002)
            names.add(threading.current_thread().name)
        pool.share(part, range(30))
        child = os.fork()
        if not child:
            names.clear()
            pool.share(part, range(30))
            os._exit(0 if len(names) > 1 else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert run(program) == "0"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_comes_when_no_helper_works_any_more():
    def interrupts():
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    at_work = []

    def part(i):
        at_work.append(i)
        time.sleep(0.01)
        at_work.remove(i)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    killer = threading.Thread(target=interrupts)
    try:
        killer.start()
        with pytest.raises(KeyboardInterrupt):
            pool.share(part, range(1000))
        mine = list(at_work)  # the part that was interrupted is the caller's own
        time.sleep(0.05)
        assert at_work == mine and len(mine) <= 1
    finally:
        killer.join()
        signal.signal(signal.SIGINT, before)
    assert len(everybody_at_work()) == 64


NUMBER = "import minigrad; print(minigrad.get_num_threads())"


def test_the_number_of_threads_comes_from_the_environment():
    assert run(NUMBER, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1") == "1"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity here")
def test_one_core_means_one_thread():
    assert (
        run(
            "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n" + NUMBER,
            OMP_NUM_THREADS="",
            OPENBLAS_NUM_THREADS="",
        )
        == "1"
    )


BLAS = """
    import minigrad
    from minigrad._base import threads
    functions = threads._openblas()
    print(threads.held, functions and functions[0]())
"""


def test_blas_is_held_to_one_thread_unless_it_is_to_keep_its_own():
    own = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    held = run(BLAS, MINIGRAD_HOLD_BLAS="1", **own)
    if held == "False None":
        pytest.skip("NumPy's BLAS is not its wheel's OpenBLAS")
    assert held == "True 1"
    assert run(BLAS, MINIGRAD_HOLD_BLAS="0", **own).startswith("False")


def test_work_is_done_where_no_thread_can_be_started(monkeypatch):
    def refused(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(pool, "_helpers", 0)
    monkeypatch.setattr(threading.Thread, "start", refused)
    done = []
    pool.share(done.append, range(5))
    assert done == list(range(5))
