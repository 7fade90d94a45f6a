"""``capture``: steps that run again as one flat function of NumPy calls."""

import copy
import functools
import sys
import threading
import traceback
from operator import attrgetter
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from .._api import Tensor
from .._arrays.traced import Leak
from .._core.modes import thread_state
from .arguments import flattened, look, matcher, quick_look
from .capturing import Capturing
from .methods import KEPT_AS, step_of
from .outcome import Outcome
from .program import is_of_user
from .replay import Replay
from .surroundings import Surroundings

__all__ = ["Captured", "capture"]

#: How many sets of arguments' shapes, dtypes and options have a plan each.
MOST = 8
#: How often a step is noted before it is given up: twice alike is wanted, and the first times may make states that last.
TRIES = 4
#: How often in a row a plan may fit no more at the next call; from then on the step runs eagerly.
MISFITS = 8

_EMPTY: dict = {}


def capture(function: Any = None, *, fallback: bool = False) -> Any:
    """``function``, a step that does the same at each call, as one that runs again what NumPy was asked to do, without the Python around it.

    The first calls run eagerly and are recorded, until two recordings agree. From then on the recorded calls are replayed, in memory that
    is reserved once, with bit-identical results and side effects: on parameters, gradients, buffers, optimizer states and random numbers.
    Other effects of the Python code, such as printing, happen only while recording.

    Guards check that a plan fits a call: the structure of the arguments; shapes, dtypes, strides and ``requires_grad`` of tensors;
    equality of everything else; grad mode; the variables, globals and attributes that the step reads; settings of modules, options of
    optimizers, and the arrays of parameters. There can be eight plans; beyond them the step runs eagerly.

    Raises RuntimeError, which says where, if a step reads a tensor's value (``item()``, a branch, ``print``), changes Python variables (a
    counter, a list), or cannot be followed; with ``fallback=True`` such a step stays eager.

    A method is captured separately for each instance. Copies and pickles of a captured step, or of an object that holds one, start
    without recordings.

    >>> import minigrad
    >>> w = minigrad.ones(2, requires_grad=True)
    >>> optimizer = minigrad.optim.SGD([w], lr=0.5)
    >>> @minigrad.capture
    ... def step(x):
    ...     optimizer.zero_grad()
    ...     loss = (w * x).sum()
    ...     loss.backward()
    ...     optimizer.step()
    ...     return loss.detach()
    >>> for _ in range(4):
    ...     loss = step(minigrad.tensor([1., 2.]))
    >>> loss, w
    (tensor(-4.5000), tensor([-1., -3.], requires_grad=True))
    """
    if function is None:
        return functools.partial(capture, fallback=fallback)
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(capture(function.__func__, fallback=fallback))
    if not callable(function):
        raise TypeError(f"capture() takes a function, not {type(function).__name__}")
    return Captured(function, fallback)


class Captured:
    """A step that has been, or is to be, captured: see ``capture``.

    In a class it is a method; ``owner`` is the instance of which this is the method, ``of_class`` what stands in the class, None of other functions.
    """

    def __init__(self, function, fallback, of_class=None):
        functools.update_wrapper(
            self, function, updated=("__dict__",) if isinstance(function, FunctionType) else ()
        )
        self.of_class = of_class
        self.owner = function.__self__ if of_class is not None else None
        self._function = function
        self._fallback = fallback
        self._plans: dict[Any, Any] = {}  # what arguments look like -> an Entry
        self._latest: Any = None, None  # the same, as a list, and the Entry, of the latest call
        self._quick: Any = (
            None,
            None,
        )  # a function that knows the latest arguments' look, if one is there, and the Entry
        self._lock = threading.RLock()

    def __get__(self, instance, owner=None):
        if instance is None or not isinstance(self._function, FunctionType):
            return self
        if isinstance(instance, type):  # of a class method; which class it is tells its plans apart
            return MethodType(self, instance)
        steps = getattr(instance, "__dict__", _EMPTY).get(KEPT_AS, _EMPTY)
        step = steps.get(self)
        if step is not None and step.owner is instance:
            return step
        with self._lock:
            return step_of(instance, self, lambda method: Captured(method, self._fallback, self))

    def __copy__(self):
        return Captured(self._function, self._fallback, self.of_class)

    def __deepcopy__(self, memo):
        if self.of_class is not None:
            return self.of_class.__get__(copy.deepcopy(self.owner, memo))
        return Captured(copy.deepcopy(self._function, memo), self._fallback)

    def __reduce__(self):
        if self.of_class is not None:
            return getattr, (self.owner, self.__name__)
        if _is_found_by_name(self):
            return self.__qualname__
        return functools.partial(capture, fallback=self._fallback), (self._function,)

    def __call__(self, *args, **kwargs):
        now = thread_state
        if now.watchers or now.function_modes or now.saved_hooks or now.levels:
            return self._function(*args, **kwargs)  # which they are to see
        matches, entry = self._quick
        if matches is not None and not kwargs and (tensors := matches(args)) is not None:
            with self._lock:
                replay = entry.replay
                if replay is not None and (replay.fits_quickly(tensors) or replay.fits(tensors)):
                    entry.misfits = 0
                    return replay.again(tensors)
        looks = None if kwargs else quick_look(args)
        quick = looks is not None
        if quick:
            leaves = args
        else:
            leaves, spec = flattened((args, kwargs))
            looks = look(leaves, spec)
        with self._lock:
            if looks == self._latest[0]:
                entry = self._latest[1]
            else:
                looks = tuple(looks)
                entry = self._plans.get(looks)
                if entry is None:
                    if len(self._plans) >= MOST:
                        return self._function(*args, **kwargs)
                    entry = self._plans[looks] = Entry()
                self._latest = [*looks], entry
                self._quick = None, entry
            if entry.reason is not None:
                return self._function(*args, **kwargs)
            replay = entry.replay
            if replay is not None:
                tensors = leaves if entry.tensors is None else [leaves[i] for i in entry.tensors]
                if replay.fits(tensors):
                    entry.misfits = 0
                    if quick and self._quick[0] is None:
                        self._quick = matcher(args), entry
                    return replay.again(tensors)
                entry.forget()
            return entry.note(self._function, args, kwargs, leaves, self._fallback)

    @property
    def replays(self):
        """Whether a plan is ready for some look of the arguments."""
        return any(entry.replay is not None for entry in self._plans.values())

    def explain(self, *args, **kwargs):
        """Describe what a call with these arguments runs, as text: the number of NumPy calls, functions that run whole and why, bytes,
        guards, and the source.

        Notebooks show it with colours for forward, backward and update. The arguments are inspected but not used. If nothing is replayed
        yet, the text says so, and why, if that is known.

        >>> import minigrad
        >>> step = minigrad.capture(lambda x: (x * 2).tanh())
        >>> for _ in range(3):
        ...     y = step(minigrad.ones(3))
        >>> print(step.explain(minigrad.ones(3)))
        2 calls of NumPy, 0 of them functions that run whole; 16 bytes of buffers; 0 guards
        <BLANKLINE>
        def replay(x0):
            multiply(x0, given1, mul1)
            tanh1 = empty((3,), float32)
            tanh(mul1, tanh1)
            return (tanh1,)
        """
        leaves, spec = flattened((args, kwargs))
        looks = None if kwargs else quick_look(args)
        entry = self._plans.get(tuple(look(leaves, spec) if looks is None else looks))
        if entry is None:
            return "no call with such arguments has been noted"
        if entry.replay is None:
            return f"runs eagerly: {entry.reason}" if entry.reason else "noted, but not twice alike yet"
        return entry.replay.explained()

    def reset(self):
        """Forget all plans: the next calls are noted anew."""
        with self._lock:
            self._plans.clear()
            self._latest = self._quick = None, None


class Entry:
    """All there is for one look of the arguments: the latest noted run, a replay once two were alike, or the reason why there is none."""

    def __init__(self):
        self.replay: Any = None
        self.before: Any = None
        self.tensors: Any = None  # which of the leaves are tensors, None if all are
        self.tries = self.misfits = 0
        self.reason: str | None = None
        self.objects: Any = ()  # the arguments that are no tensors: alive, as the look of some is their id

    def forget(self):
        """What the step depends on has changed: note anew."""
        self.replay = self.before = None
        self.tries = 0
        self.misfits += 1

    def note(self, function, args, kwargs, leaves, fallback):
        """Run the step as ever, and note it."""
        if self.before is not None and not self.before.holds():
            self.forget()
        self.objects = [x for x in leaves if not isinstance(x, Tensor)]
        surroundings = Surroundings(function, *self.objects)
        why = surroundings.unwatched
        if any(isinstance(x, np.ndarray) for x in self.objects):
            why = "an argument is a NumPy array, whose elements may change; hand over a tensor"
        if self.misfits >= MISFITS:
            self.reason = "what it depends on was different at each call"
        elif why is not None:
            self._give_up(why, function, fallback)
        if self.reason is not None:
            return function(*args, **kwargs)
        capturing = Capturing(
            [x for x in leaves if isinstance(x, Tensor)],
            surroundings,
            fallback,
            () if self.before is None else self.before.leaves,
        )
        modes = thread_state.recording, thread_state.inference
        try:
            result = capturing.run(function, args, kwargs)
        except Leak as leak:
            raise _refusal(str(leak), _line_of_user(leak)) from None
        if capturing.program.reason is not None:
            self.reason = capturing.program.reason
            return result
        self.tries += 1
        now, line = None, ""
        why = capturing.change() or _change_of_arguments(args, kwargs, leaves)
        if (thread_state.recording, thread_state.inference) != modes:
            why = "it leaves grad mode or inference mode on or off"
        if why is None:
            try:
                now = Outcome(capturing, result)
            except Leak as leak:
                self._give_up(str(leak), function, fallback)
                return result
            if self.before is not None:
                why, line = now.differs(self.before)
                if why is None:
                    self.replay = Replay(now)
                    self.before = None
                    tensors = [i for i, x in enumerate(leaves) if isinstance(x, Tensor)]
                    self.tensors = tensors if len(tensors) < len(leaves) else None
                    return result
        self.before = now
        if self.tries >= TRIES and why is not None:
            self._give_up(why, function, fallback, line)
        return result

    def _give_up(self, why, function, fallback, line=""):
        if not fallback:
            raise _refusal(why, line or _line_of(function))
        self.reason = why


def _is_found_by_name(step):
    """Whether a captured step is what its module has under its name, as one is that was captured by a decorator."""
    try:
        return attrgetter(step.__qualname__)(sys.modules[step.__module__]) is step
    except (AttributeError, KeyError):
        return False


def _change_of_arguments(args, kwargs, leaves):
    """What the step has put elsewhere in its arguments, in words; None if nothing."""
    now, _ = flattened((args, kwargs))
    if len(now) != len(leaves) or any(x is not y for x, y in zip(now, leaves)):
        return "it changes what an argument holds"
    return None


def _refusal(why, line):
    return RuntimeError(
        f"this step cannot be captured: {why}{line}.  With capture(..., fallback=True) it runs eagerly"
    )


def _line_of_user(error):
    frames = [f for f in traceback.extract_tb(error.__traceback__) if is_of_user(f.filename)]
    return f" (line {frames[-1].lineno} of {frames[-1].filename}: {frames[-1].line})" if frames else ""


def _line_of(function):
    """Where a function begins."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return "" if code is None else f" (line {code.co_firstlineno} of {code.co_filename}: {code.co_name})"
