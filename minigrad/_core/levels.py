"""Levels: each transform opens one while its function runs.  They nest; the operand's level that was opened last is applied first.

A batch level (``vmap``) and a dual level (forward mode) have tensors of their own, wrapped; a reverse level (``grad``, ``vjp``) has none: its tensors are
fresh aliases that require grad.
"""

import functools
import weakref
from typing import Any

from .modes import thread_state
from .node import tick


class Level:
    """One transform under way."""

    number: int
    open: bool

    __slots__ = ("number", "open")
    #: The function being differentiated, if one is; when that began; and what tensors it holds from outside: see ``_transforms/captured.py``.
    function: Any = None
    born: Any = None
    held: Any = None
    #: Whether this level wraps tensors.
    wraps = True
    #: Whether a vmap of the library's own, which users do not see: that of ``functional.jacobian(vectorize=True)``.
    is_internal = False
    #: Whether this is the one level of ``forward_ad``, not that of a function being transformed.
    is_forward_ad = False
    #: Whether some tensor that a wrapped one of any level stands for is recorded itself.
    tracked_below = False

    def __init__(self):
        self.number = len(thread_state.levels) + 1
        self.open = True
        thread_state.levels = (*thread_state.levels, self)

    def close(self):
        """End this level: it must be the last one that was opened."""
        self.open = False
        thread_state.levels = thread_state.levels[: self.number - 1]


class BatchLevel(Level):
    """The level of a ``vmap`` over ``size`` samples."""

    is_internal: bool
    randomness: str
    tracked_below: bool

    __slots__ = ("size", "randomness", "is_internal", "tracked_below")

    def __init__(self, size, randomness="error", is_internal=False):
        self.size = size
        self.is_internal = is_internal
        self.randomness = randomness
        self.tracked_below = False
        super().__init__()


class DualLevel(Level):
    """A level of forward mode: of ``func.jvp``, or of ``forward_ad``, where all tangents end with it, whoever still has the tensors."""

    __slots__ = ("born", "function", "held", "is_forward_ad", "layers", "linearizes", "tracked_below")

    def __init__(self, function=None, is_forward_ad=False, linearizes=False):
        self.linearizes = linearizes  # whether tangents are recorded in every grad mode
        self.function, self.born, self.held = function, tick(), None
        self.is_forward_ad = is_forward_ad
        self.layers = weakref.WeakSet() if is_forward_ad else None
        self.tracked_below = False
        super().__init__()

    def close(self):
        """End this level: it must be the last one that was opened."""
        super().close()
        if self.layers is not None:
            for layer in self.layers:
                layer.tangent = None
            self.layers.clear()


class ReverseLevel(Level):
    """The level of ``grad``, ``vjp`` and their kin."""

    function: Any
    born: int
    held: Any

    __slots__ = ("born", "function", "held")
    wraps = False

    def __init__(self, function=None):
        self.function, self.born, self.held = function, tick(), None
        super().__init__()


def of_this_level(hook):
    """A hook on a tensor, as called in the backward of the transform under way only: not again where that backward is differentiated."""
    level = next((level for level in reversed(thread_state.levels) if not level.wraps), None)
    if level is None:
        return hook

    @functools.wraps(hook, updated=())
    def called(g):
        return (
            hook(g)
            if thread_state.pulling is level or (thread_state.pulling is None and level.open)
            else None
        )

    return called


def transforming():
    """Whether a function is being transformed in this thread: ``forward_ad`` by itself transforms none."""
    return any(not (level.is_forward_ad or level.is_internal) for level in thread_state.levels)


def refuse(method, advice=""):
    """Raise RuntimeError for a method of tensors that only makes sense outside of functions being transformed."""
    raise RuntimeError(
        f"You are attempting to call Tensor.{method}() {advice}inside of a function being transformed by a functorch "
        f"transform. Use a transform in its place (grad, vjp, jacrev, jacfwd, hessian), or call {method}() outside of the "
        "function."
    )


def innermost():
    """The level opened last that wraps tensors; None if there is none."""
    for level in reversed(thread_state.levels):
        if level.wraps:
            return level
    return None


def any_tracked_below():
    """Whether backward on wrapped tensors has to be recorded, because some tensor beneath them is."""
    return any(level.tracked_below for level in thread_state.levels)
