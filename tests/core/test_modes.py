"""Modes of a thread, and what watches its operations."""

import threading

import minigrad as torch
from minigrad._core import modes


def watching(seen):
    def watcher(cls, operands, params, proceed, writes):
        def look():
            seen.append(cls.function_name())
            return proceed()

        return look

    return watcher


def test_a_watcher_sees_every_operation_of_its_thread_only():
    x = torch.ones(2, requires_grad=True)
    seen = []
    watcher = watching(seen)
    modes.watch(watcher)
    try:
        y = (x * 2).tanh().sum()
        thread = threading.Thread(target=lambda: x.exp())
        thread.start()
        thread.join()
    finally:
        modes.unwatch(watcher)
    assert seen == ["mul", "tanh", "sum"]
    y.backward()
    assert x.grad is not None
    x.exp()
    assert len(seen) == 3


def test_the_innermost_watcher_sees_an_operation_last():
    seen = []
    outer, inner = watching(seen), watching(seen)

    def named(name, watcher):
        def both(cls, operands, params, proceed, writes):
            seen.append(name)
            return watcher(cls, operands, params, proceed, writes)

        return both

    first, second = named("outer", outer), named("inner", inner)
    modes.watch(first)
    modes.watch(second)
    try:
        with torch.no_grad():
            torch.ones(1).neg()
    finally:
        modes.unwatch(second)
        modes.unwatch(first)
    assert [s for s in seen if s in ("outer", "inner")] == ["inner", "outer"]
    assert not torch.ones(1).neg().requires_grad
