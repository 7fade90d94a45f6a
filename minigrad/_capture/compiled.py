"""``compiled``: what ``compile`` makes of a function.  It runs as the Python that it is, unless a replay is known to come to the same.

Calls that look alike are noted (see ``trial_run.py``); two that were clean and alike make a plan, and calls that the plan fits run it.  All else runs eagerly, at the price of a comparison or
two, and the reason is kept for ``explain`` and ``fullgraph``.
"""

import functools
import sys
import threading
import weakref
from typing import Any

from .._api import Tensor
from .._arrays.memory_layout import owner_of
from .._base import compiling
from .._base.device import get_default_device
from .._base.dtypes import get_default_dtype
from .._base.pytree import tree_flatten, tree_unflatten
from .._base.settings import are_deterministic_algorithms_enabled
from .._core.modes import reads_unusual_modes, thread_state
from .arguments import quick_look
from .recorded_replay import RecordedReplay
from .replay import Replay
from .trial_run import CHANGE, HISTORY, PROGRAM, Refused, trial_run

__all__ = ["Compiled", "compiled", "reset"]

unusual_modes = 0
reads_unusual_modes(globals())

#: How often a call is noted for one plan, and how often a plan is made anew, before it is given up.
_TRIES, _RENEWALS = 4, 16
#: For how many looks of gradients one plan has a backward.
_LOOKS = 8
#: A function that calls fewer ops than these is as quick as its replay; the second number is for calls that record gradients.
_SHORT, _SHORT_WITH_HISTORY = 6, 3
#: What says by its value all there is to say of it.
_VALUES = (int, float, complex, str, bytes, bool, type(None))
#: Of these, equality does not tell all: zeros have a sign, and nan is not itself.
_INEXACT = (float, complex)
_every: weakref.WeakSet = weakref.WeakSet()


def compiled(function, fullgraph=False, replays=True, limit=None):
    """A function that does what ``function`` does; ``replays`` is False for backends that run programs as they are, ``limit`` says how many plans there may be."""
    engine = Compiled(function, fullgraph, replays, limit)

    @functools.wraps(
        function, assigned=[a for a in functools.WRAPPER_ASSIGNMENTS if hasattr(function, a)], updated=()
    )
    def call(*args, **kwargs):
        if engine.eager or (engine.trains and not unusual_modes):
            return function(*args, **kwargs)
        return engine(args, kwargs)

    call._torchdynamo_orig_callable = function  # type: ignore[attr-defined]
    call._engine = engine  # type: ignore[attr-defined]
    return call


def reset():
    """Let all compiled functions forget their plans, and why they had none."""
    for engine in list(_every):
        engine.reset()


class Entry:
    """What is known of calls that look alike: the latest noted one, a plan, or why there is none."""

    def __init__(self):
        self.plan: Any = None
        self.before: Any = None
        self.reason: str | None = None
        self.tries = self.changes = self.renewals = 0
        self.looks: list = []  # of gradients for which a backward is noted, where it is not that of the results themselves


class Compiled:
    """The plans of one function, by what its arguments look like."""

    def __init__(self, function, fullgraph=False, replays=True, limit=None):
        self.function = function
        self.fullgraph = fullgraph
        self.replays = replays
        self.limit = limit
        self._lock = threading.Lock()
        _every.add(self)
        self.reset()

    def reset(self):
        """Forget all plans."""
        self.eager = not self.replays and not self.fullgraph  # whether each call runs eagerly
        self.trains = False  # whether each call does that records gradients
        self._plans: dict[Any, Entry] = {}

    def __call__(self, args, kwargs):
        function = self.function
        if (
            (unusual_modes and _looked_on())
            or not compiling.active()
            or (self.trains and thread_state.recording)
        ):
            return function(*args, **kwargs)
        key, leaves = _look(args, kwargs)
        entry = None if key is None else self._plans.get(key)
        if entry is None:
            if (
                key is None
                or len(self._plans) >= self._most()
                or not compiling.check_noting(len(self._plans))
            ):
                return function(*args, **kwargs)
            entry = self._plans[key] = Entry()
            if (
                not self.fullgraph
            ):  # a look that does not come again is not worth noting, nor the memory that it takes
                return function(*args, **kwargs)
        if entry.reason is not None or sys.getprofile() is not None or not self._lock.acquire(False):
            return function(*args, **kwargs)
        try:
            if entry.plan is not None:
                tensors = [x for x in leaves if isinstance(x, Tensor)]
                if entry.plan.fits(tensors):
                    return entry.plan.replay.again(tensors)
                _begin_anew(entry)
                if entry.reason is not None:
                    return function(*args, **kwargs)
            return self._note(entry, args, kwargs, leaves)
        finally:
            self._lock.release()

    def _most(self):
        if self.limit is not None:
            return self.limit
        return min(compiling.setting("recompile_limit", 8), compiling.setting("cache_size_limit", 8))

    def _note(self, entry, args, kwargs, leaves):
        try:
            result, trial = trial_run(
                self.function, args, kwargs, leaves, entry.before, self.fullgraph, tuple(entry.looks)
            )
        except Refused as refused:
            self.reset()
            raise compiling.unsupported(refused, refused.place) from None
        if trial.kind in (PROGRAM, CHANGE) and self.fullgraph:
            self.reset()
            raise compiling.unsupported(trial.reason, trial.place)
        if not self.replays or (
            trial.kind is None
            and trial.capturing.ops_called
            < (_SHORT if trial.capturing.history is None else _SHORT_WITH_HISTORY)
        ):
            self.eager = True
        elif trial.kind is None:
            self._compare(entry, trial, _rebuilder(args, kwargs))
        else:
            entry.before = None
            if trial.kind == HISTORY:
                self.trains = True
            entry.changes += trial.kind == CHANGE  # it may have been for the first time
            if trial.kind != CHANGE or entry.changes == _TRIES - 1:
                entry.reason = trial.reason
                self.eager = trial.kind in (PROGRAM, CHANGE)
        return result

    def _compare(self, entry, trial, rebuild):
        """Make a plan if the call did what the one before did."""
        before, why = entry.before, None
        entry.before = trial
        entry.tries += 1
        if before is not None:
            why, _ = trial.outcome.differs(before.outcome)
            if why is None and not trial.outcome.lasting.issuperset(trial.used):
                why = "it reads a tensor that is another one each time"
            if why is None:
                entry.plan, entry.before = Fitting(trial, self.function, rebuild), None
                if trial.capturing.history is not None:
                    entry.plan.replay.recording.came = functools.partial(_let_note, weakref.ref(entry))
                return
        if entry.tries >= _TRIES:
            entry.reason, entry.before = f"two calls of it did not do the same: {why}", None

    def explain(self, args, kwargs):
        """For calls with such arguments: the plan as text, or None; and the reason why there is none, or None."""
        entry = self._plans.get(_look(args, kwargs)[0])
        if entry is None:
            return None, None
        return None if entry.plan is None else entry.plan.replay.explained(), entry.reason


def _begin_anew(entry):
    """The plan does not fit any more."""
    entry.plan = entry.before = None
    entry.tries = entry.changes = 0
    entry.renewals += 1
    if entry.renewals > _RENEWALS:
        entry.reason = "what it depends on changes too often"


def _let_note(reference, look):
    """A gradient came that looks in a way for which no backward was noted: the next plan has one; ``look`` is None for gradients of gradients, for which there is none."""
    entry = reference()
    if entry is None or entry.plan is None:
        return
    if look is None:
        entry.reason = "gradients of its gradients are asked for"
        return
    entry.looks = [*(entry.looks or entry.plan.replay.history.ways), look]
    entry.plan = entry.before = None
    entry.tries = 0
    if len(entry.looks) > _LOOKS:
        entry.reason = "gradients come in ever other layouts"


def _rebuilder(args, kwargs):
    """A function that makes the arguments of a call of its tensors, for calls that look as this one does."""
    leaves, spec = tree_flatten((args, kwargs))
    places = [i for i, x in enumerate(leaves) if isinstance(x, Tensor)]
    leaves = [None if isinstance(x, Tensor) else x for x in leaves]

    def rebuild(tensors):
        found = [*leaves]
        for i, tensor in zip(places, tensors):
            found[i] = tensor
        return tree_unflatten(found, spec)

    return rebuild


class Fitting:
    """A plan, and what must be as it was for it to fit."""

    def __init__(self, trial, function, rebuild):
        outcome, state = trial.outcome, trial.effects.state
        history = trial.capturing.history
        ends = {id(leaf) for leaf in outcome.leaves}
        leaves = [(x, grad) for x, grad in state.tensors.values() if x.requires_grad and x.is_leaf]
        #: leaves whose gradients the plan does not set: what they are, none or one, may have been asked for
        self.others = [(x, grad) for x, grad in leaves if id(x) not in ends]
        self.hooked = [x._node for x, _ in leaves if x._node is not None]
        if history is not None:
            self.hooked = []  # their hooks are called by the backward, as ever
            if not state.reads_gradients():
                self.others = []
        changed = {place.memory.number for step in outcome.program.steps for place in step.changed()}
        memories = outcome.program.memories.values()
        #: the memory that is written to: no argument may lie in it
        self.writes_to = {id(m.array) for m in memories if m.born is None and m.number in changed}
        self.settings = _settings()
        self.state = state
        state.seal()
        if history is None:
            self.replay = Replay(outcome)
        else:
            self.replay = RecordedReplay(outcome, history, state, function, rebuild)
            self.replay.recording.fits = self.fits

    def fits(self, tensors):
        """Whether the plan may run in the place of the function, for arguments that look as they did."""
        if self.settings != _settings() or not self.replay.fits(tensors) or not self.state.holds():
            return False
        for x, grad in self.others:
            if x.grad is not grad:
                return False
        for node in self.hooked:
            if node._extra is not None:
                return False
        return not self.writes_to or not any(id(owner_of(x._array)) in self.writes_to for x in tensors)


def _settings():
    """What functions of the library depend on, besides modes."""
    return get_default_dtype(), get_default_device(), are_deterministic_algorithms_enabled()


def _looked_on():
    """Whether something in this thread wants to hear of ops, or changes what they do."""
    now = thread_state
    return bool(
        now.watchers
        or now.observers
        or now.saved_hooks
        or now.levels
        or now.function_modes
        or now.capturing is not None
        or now.profiler is not None
        or now.anomaly is not None
        or now.origins is not None
        or now.autocast is not None
        or now.run is not None
    )


def _look(args, kwargs):
    """What a plan depends on that can be seen in a call, and the leaves of the arguments; None for what is never replayed."""
    quick = None if kwargs else quick_look(args)
    if quick is not None:
        for x in args:
            if isinstance(x, Tensor):
                if x.is_inference():
                    return None, args
            elif x.__class__ in _INEXACT and (not x or x != x):
                quick.append(repr(x))
        return tuple(quick), args
    leaves, spec = tree_flatten((args, kwargs))
    seen = [spec, thread_state.recording, thread_state.inference]
    tensors = []
    for x in leaves:
        if isinstance(x, Tensor):
            if x.is_inference():
                return None, leaves
            a = x._array
            seen.append(
                (
                    x.__class__,
                    x.dtype,
                    a.shape,
                    a.strides,
                    x.requires_grad,
                    tensors.index(id(x)) if id(x) in tensors else None,
                )
            )
            tensors.append(id(x))
        elif x.__class__ in _INEXACT and (not x or x != x):
            seen.append((x.__class__, repr(x)))
        else:
            seen.append((x.__class__, x if x.__class__ in _VALUES else id(x)))
    return tuple(seen), leaves
