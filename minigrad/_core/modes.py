"""Modes: what is switched on in which thread, and the one count that tells ops whether anything is.

``thread_state`` holds the state of the current thread.  Reading it costs more than an op can afford, so each module with hot
code has a global ``unusual_modes``, the number of unusual modes open in all threads, and asks ``thread_state`` only while that is
not zero.  ``loud_modes`` is the number of those that are more than ``no_grad``, of which an op need not know before it has something to record.
A mode calls ``opened``/``closed`` around its life.
"""

import threading
from typing import Any

from .._base.forking import held_while_forking
from . import late
from .storage import FRESH, INFERENCE

#: What ``thread_state.mode`` says in one word; an op reads it once (0.04 us), and only while ``unusual_modes`` is not zero.
PLAIN, SILENT, INFERRING, WATCHED = range(4)


class _Opened:
    """How many unusual modes one thread has open; when the thread ends, they end with it."""

    __slots__ = ("count", "loud")

    def __init__(self):
        self.count = self.loud = 0

    def __del__(self):
        if self.count:
            _count_opened(-self.count, -self.loud)


class _Here(threading.local):
    def __init__(self):
        self.opened = _Opened()

    recording = True  # grad mode
    inference = False
    watchers: tuple[
        Any, ...
    ] = ()  # what wants to see every op of this thread, innermost last: see interpret.py
    watching = True  # False while an op runs that the watchers have seen
    mode = PLAIN  # follows from the above: see _changed
    fresh = FRESH  # the storage of new tensors; INFERENCE in inference mode
    observers: tuple[Any, ...] = ()  # what wants to see every node that is recorded: see observers.py
    saved_hooks: tuple[Any, ...] = ()  # pairs of hooks on saved tensors: see saved_hooks.py
    #: whether a transform that began in inference mode is under way: it may save inference tensors
    saves_inference = False
    why_no_hooks: Any = None  # the message with which such hooks are refused, if they are
    before_write: Any = None  # with saved_hooks: called with each tensor that is about to be written to
    levels: tuple[Any, ...] = ()  # the transforms under way, innermost last: see levels.py
    pulling: Any = None  # the level of the reverse transform whose backward runs, if one does
    forward = True  # whether tangents are computed
    overrides = True  # whether operands are asked for their __torch_function__: see overriding.py
    function_modes: tuple[Any, ...] = ()  # those that hear of every function of this thread, innermost last
    asks_modes = True  # whether they are asked
    operator: Any = None  # the method by which they hear of what was one of Python's operators, if it was
    run: Any = None  # the backward pass that runs, the innermost: see engine.py
    anomaly: Any = None  # anomaly mode, if on: see autograd/_anomaly.py
    origins: Any = None  # what notes the user's lines, if anything does: see autograd/_origins.py
    capturing: Any = None  # what notes a step that is being captured: see _capture/capturing.py
    profiler: Any = None  # what times backward passes, if anything does: see autograd/_profiler/
    leaf_layout = True  # whether a leaf's first gradient takes the leaf's order in memory
    view_replay = False  # whether a view is derived again by its own ops, not by one AsStridedBackward0
    autocast: Any = None  # the innermost block of mixed precision: see autocasting.py
    multithreading = True  # what users were told; backward runs in the calling thread in any case


thread_state = _Here()
late.may_save_inference = lambda: thread_state.inference or thread_state.saves_inference
_readers: list[dict] = []  # the globals of modules
_count = _loud = 0
_lock = held_while_forking(threading.RLock())  # a thread's end may be noticed while it is held


def capturing() -> Any:
    """What notes the step that is being captured in this thread; None if none is."""
    return thread_state.capturing


def reads_unusual_modes(module_globals):
    """Keep ``unusual_modes`` and ``loud_modes`` in this module's globals equal to the numbers of open modes."""
    with _lock:  # modules are imported when first used, while other threads may open modes
        _readers.append(module_globals)
        module_globals["unusual_modes"], module_globals["loud_modes"] = _count, _loud


def opened(change=1, loud=True):
    """Count one more unusual mode (or ``change`` of them) of this thread as open."""
    of_thread = thread_state.opened
    of_thread.count += change
    if loud:
        of_thread.loud += change
    _count_opened(change, change if loud else 0)


def _count_opened(change, loud):
    global _count, _loud
    with _lock:  # free-threaded builds need it; reading is never locked
        _count += change
        _loud += loud
        for module_globals in _readers:
            module_globals["unusual_modes"] = _count
        if loud:
            for module_globals in _readers:
                module_globals["loud_modes"] = _loud


def closed():
    """Count one unusual mode as closed."""
    opened(-1)


def _changed():
    if thread_state.watchers and thread_state.watching:
        thread_state.mode = WATCHED
    else:
        thread_state.mode = (
            INFERRING if thread_state.inference else PLAIN if thread_state.recording else SILENT
        )


def set_recording(on):
    """Switch grad mode of this thread; returns what it was."""
    was = thread_state.recording
    if was is not on:
        thread_state.recording = on
        if thread_state.mode <= SILENT:  # else it is none of grad mode's
            thread_state.mode = PLAIN if on else SILENT
        opened(1 if was else -1, loud=False)
        if thread_state.origins is not None:
            thread_state.origins.switched(on)
    return was


def set_inference(on):
    """Switch inference mode of this thread; returns what it was."""
    was = thread_state.inference
    thread_state.inference = on
    thread_state.fresh = INFERENCE if on else FRESH
    _changed()
    return was


def suspend_inference():
    """Switch inference mode off for a transform, which may save inference tensors then; returns what ``resume_inference`` takes."""
    was = thread_state.inference, thread_state.saves_inference
    if was[0]:
        set_inference(False)
        thread_state.saves_inference = True
    return was


def resume_inference(was):
    """Undo ``suspend_inference``, which returned ``was``."""
    inference, thread_state.saves_inference = was
    if inference:
        set_inference(True)


def set_watching(on):
    """Let the watchers of this thread see ops, or not; returns what it was."""
    was = thread_state.watching
    thread_state.watching = on
    _changed()
    return was


def watch(watcher):
    """Let ``watcher`` see every op of this thread (see ``interpret.py``); ``unwatch`` ends it."""
    thread_state.watchers = (*thread_state.watchers, watcher)
    _changed()
    opened()


def unwatch(watcher):
    """Undo the latest ``watch(watcher)``."""
    thread_state.watchers = without_latest(thread_state.watchers, watcher)
    _changed()
    closed()


def without_latest(stack, item):
    """A tuple without the last of the elements that equal ``item``."""
    place = len(stack) - 1 - stack[::-1].index(item)
    return stack[:place] + stack[place + 1 :]
