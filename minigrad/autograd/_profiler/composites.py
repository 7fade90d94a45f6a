"""While a profiler is on, or lines are noted (``_answers/provenance.py``), calls of the functions marked ``@composite`` (``_base/composites.py``) are told."""

import threading
from time import perf_counter_ns as now

from ..._base.composites import unwatch, watch
from ..._base.forking import held_while_forking
from ..._core.modes import thread_state

__all__ = ["hide", "show"]

_lock = held_while_forking(threading.RLock())  # a thread's end may be noticed while it is held
_watching = 0


def show():
    """Let these functions note their calls, until ``hide`` has been called as often."""
    global _watching
    with _lock:
        _watching += 1
        if _watching == 1:
            watch(_observed)


def hide():
    """Undo one ``show``."""
    global _watching
    with _lock:
        _watching -= 1
        if not _watching:
            unwatch()


def _observed(mark):
    """A function that runs ``mark.function`` and notes it."""
    function, name, event, if_new = mark

    def call(*args, **kwargs):
        provenance = thread_state.origins
        if provenance is not None and thread_state.watching:
            return with_provenance(provenance, args, kwargs)
        return timed(args, kwargs)

    def timed(args, kwargs):
        profiler = thread_state.profiler
        if profiler is None or event is None or not thread_state.watching:
            return function(*args, **kwargs)
        start = now()
        result = None
        try:
            result = function(*args, **kwargs)
            return result
        finally:
            if not (if_new and args and result is args[0]):
                profiler.called(event, start, result, args)

    def with_provenance(provenance, args, kwargs):
        given = (*args, *kwargs.values())
        before = provenance.calling(name, given)
        result = timed(args, kwargs)
        provenance.called(name, result, given, before)
        return result

    return call
