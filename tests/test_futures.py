"""Futures: values that one thread sets and others wait for, callbacks, errors."""

import gc
import importlib
import logging
import pickle
import threading

import pytest

import minigrad
from minigrad.futures import Future, collect_all, wait_all
from tests.messages import first_sentence


def completed(value):
    future = Future()
    future.set_result(value)
    return future


def fail(done):
    return 1 / 0


def test_another_thread_waits_for_the_value():
    future, seen = Future(), []
    thread = threading.Thread(target=lambda: seen.append(future.wait()))
    thread.start()
    assert not seen and not future.done()
    future.set_result(5)
    thread.join(60)
    assert seen == [5] and future.done()


def test_callbacks_run_in_order_before_set_result_returns_and_at_once_afterwards():
    future, order = Future(), []
    for i in range(3):
        future.add_done_callback(lambda done, i=i: order.append((i, done is future, done.value())))
    future.then(lambda done: order.append("then"))
    future.set_result("value")
    assert order == [(0, True, "value"), (1, True, "value"), (2, True, "value"), "then"]
    future.add_done_callback(lambda done: order.append("late"))
    assert order[-1] == "late"


def test_a_callback_that_fails_is_logged_and_the_others_run(caplog):
    future, order = Future(), []
    future.add_done_callback(fail)
    future.add_done_callback(lambda done: order.append("second"))
    with caplog.at_level(logging.ERROR):
        future.set_result(1)
    assert order == ["second"] and future.value() == 1
    assert (
        "Got the following error when running the callback: ZeroDivisionError: division by zero"
        in caplog.text
    )


def test_errors_of_then_say_where_and_keep_the_exception():
    following = completed(1).then(fail)
    with pytest.raises(
        RuntimeError, match="ZeroDivisionError: division by zero\n\nAt:\n.*: fail\n"
    ) as raised:
        following.wait()
    assert type(raised.value.__cause__) is ZeroDivisionError
    assert following.then(lambda done: "recovered").wait() == "recovered"


def test_an_interrupt_in_a_callback_reaches_the_thread_and_the_following_future():
    def interrupt(done):
        raise KeyboardInterrupt

    future = Future()
    following = future.then(interrupt)
    with pytest.raises(KeyboardInterrupt):
        future.set_result(1)
    with pytest.raises(RuntimeError, match="KeyboardInterrupt"):
        following.wait()


def test_collect_all_waits_for_all_but_not_after_a_failed_callback():
    first, second = Future(), Future()
    both = collect_all([first, second])
    second.set_exception(ValueError("kept"))
    assert not both.done()
    first.set_result(1)
    assert both.wait() == [first, second]
    pending = Future()
    failed = collect_all([pending, completed(1).then(fail)])
    assert failed.done()
    pending.set_result(2)
    with pytest.raises(RuntimeError, match="division by zero"):
        failed.wait()
    assert collect_all([]).wait() == []


def test_wait_all_from_many_threads():
    futures = [Future() for _ in range(20)]
    sums = [future.then(lambda done: done.value() + 1) for future in futures]
    threads = [threading.Thread(target=future.set_result, args=(i,)) for i, future in enumerate(futures)]
    for thread in threads:
        thread.start()
    assert wait_all(sums) == list(range(1, 21))
    for thread in threads:
        thread.join()


def test_a_completed_future_keeps_no_callback():
    class Seen:
        pass

    kept = Seen()
    future = Future()
    future.add_done_callback(lambda done, kept=kept: None)
    future.set_result(1)
    del kept
    assert not [each for each in gc.get_objects() if type(each) is Seen]


def test_what_is_refused():
    for devices, error in (["cpu"], ValueError), ([minigrad.device("cpu", 0)], RuntimeError):
        with pytest.raises(error):
            Future(devices=devices)
    for call in (
        lambda: Future().then(3),
        lambda: Future().add_done_callback(3),
        lambda: wait_all([1]),
        lambda: collect_all(3),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(RuntimeError, match="has no value yet"):
        Future().value()


PROGRAMS = {
    "twice": lambda lib, f: (f.set_result(1), f.set_result(2)),
    "an exception after a result": lambda lib, f: (f.set_result(1), f.set_exception(ValueError("x"))),
    "a result after an exception": lambda lib, f: (f.set_exception(ValueError("x")), f.set_result(1)),
    "an exception": lambda lib, f: (f.set_exception(ValueError("x")), f.wait()),
    "value of an exception": lambda lib, f: (f.set_exception(KeyError("x")), f.value()),
    "no exception": lambda lib, f: f.set_exception(5),
    "a class of exceptions": lambda lib, f: f.set_exception(ValueError),
    "an interrupt": lambda lib, f: f.set_exception(KeyboardInterrupt()),
    "then raises": lambda lib, f: (f.set_result(1), f.then(fail).wait()),
    "then of an exception": lambda lib, f: (f.set_exception(ValueError("x")), f.then(lambda d: 5).wait()),
    "then that asks for an exception": lambda lib, f: (f.set_exception(ValueError("x")), f.then(lambda d: d.value()).wait()),
    "set again in a callback": lambda lib, f: (f.add_done_callback(lambda d: None), f.set_result(2), f.value()),
    "a future as a value": lambda lib, f: (f.set_result(lib.Future()), f.wait().done())[1],
    "a tensor": lambda lib, f: (f.set_result(importlib.import_module(lib.__name__.split(".")[0]).ones(2)), f.wait().tolist())[1],
    "waiting for an exception among others": lambda lib, f: (f.set_exception(ValueError("x")), lib.wait_all([f])),
    "None among futures": lambda lib, f: lib.collect_all([f, None]),
    "collected": lambda lib, f: (f.set_result(3), [x.value() for x in lib.collect_all((f, f)).wait()]),
    "a pickle": lambda lib, f: pickle.dumps(f),
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_pytorch(name):
    theirs = pytest.importorskip("torch.futures")

    def outcome(lib):
        try:
            return PROGRAMS[name](lib, lib.Future())
        except Exception as error:
            return type(error), first_sentence(str(error))

    assert outcome(minigrad.futures) == outcome(theirs)
