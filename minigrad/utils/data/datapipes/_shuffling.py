"""What pipes that shuffle share: whether they do, and by which seed."""

import random
from typing import Any

from ..sampler import draw_seed

__all__ = ["Shuffling"]


class Shuffling:
    """A pipe that shuffles unless told not to, by a seed drawn from the default generator for each iteration, or set for the next."""

    def __init__(self) -> None:
        self._enabled = True
        self._seed: Any = None
        self._random = random.Random()

    def set_shuffle(self, shuffle: bool = True) -> Any:
        """Shuffle from the next iteration on, or do not; returns the pipe."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed: int) -> Any:
        """Shuffle by this seed in the next iteration; returns the pipe."""
        self._seed = seed
        return self

    def reset(self) -> None:
        """Draw a seed, unless there is one."""
        if self._enabled:
            self._random.seed(draw_seed() if self._seed is None else self._seed)
            self._seed = None
