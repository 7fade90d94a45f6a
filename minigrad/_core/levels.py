"""Levels: each transform opens one while its function runs.  They nest; the operand's level that was opened last is applied first.

A batch level (``vmap``) and a dual level (forward mode) have tensors of their own, wrapped; a reverse level (``grad``, ``vjp``) has none: its tensors are
fresh aliases that require grad.
"""

from .switch import here


class Level:
    """One transform under way."""

    __slots__ = ("number", "open")
    #: Whether this level wraps tensors.
    wraps = True
    #: Whether this is the one level of ``forward_ad``, not that of a function being transformed.
    is_forward_ad = False
    #: Whether some tensor that a wrapped one of any level stands for is recorded itself.
    tracked_below = False

    def __init__(self):
        self.number = len(here.levels) + 1
        self.open = True
        here.levels = (*here.levels, self)

    def close(self):
        """End this level: it must be the last one that was opened."""
        self.open = False
        here.levels = here.levels[: self.number - 1]


class BatchLevel(Level):
    """The level of a ``vmap`` over ``size`` samples."""

    __slots__ = ("size", "randomness", "tracked_below")

    def __init__(self, size, randomness="error"):
        self.size = size
        self.randomness = randomness
        self.tracked_below = False
        super().__init__()


class DualLevel(Level):
    """A level of forward mode: of ``func.jvp``, or of ``forward_ad``."""

    __slots__ = ("is_forward_ad", "tracked_below")

    def __init__(self, is_forward_ad=False):
        self.is_forward_ad = is_forward_ad
        self.tracked_below = False
        super().__init__()


class ReverseLevel(Level):
    """The level of ``grad``, ``vjp`` and their kin."""

    __slots__ = ("function",)
    wraps = False

    def __init__(self, function=None):
        self.function = function
        super().__init__()


def transforming():
    """Whether a function is being transformed in this thread: ``forward_ad`` by itself transforms none."""
    return any(not level.is_forward_ad for level in here.levels)


def refuse(method, advice=""):
    """Raise RuntimeError for a method of tensors that only makes sense outside of functions being transformed."""
    raise RuntimeError(
        f"You are attempting to call Tensor.{method}() {advice}inside of a function being transformed by a functorch transform. This is "
        "unsupported, please attempt to use the functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call "
        f"{method}() outside of a function being transformed instead."
    )


def innermost():
    """The level opened last that wraps tensors; None if there is none."""
    for level in reversed(here.levels):
        if level.wraps:
            return level
    return None


def any_tracked_below():
    """Whether backward on wrapped tensors has to be recorded, because some tensor beneath them is."""
    return any(level.tracked_below for level in here.levels)
