"""How many steps of training the process has made, whoever counts them."""

import warnings
from collections import defaultdict

from ..._base.publishing import publish

__all__ = ["KinetoStepTracker"]


class KinetoStepTracker:
    """Counts steps once, though several may announce each: the profiler, every optimizer.

    Each requester has a count of its own; the step of the process is the highest.

    >>> from minigrad.autograd.profiler import KinetoStepTracker
    >>> KinetoStepTracker.init_step_count("mine")
    >>> before = KinetoStepTracker.current_step()
    >>> KinetoStepTracker.increment_step("mine") - before
    1
    >>> KinetoStepTracker.erase_step_count("mine")
    True
    """

    _current_step = 0
    _step_dict: dict = defaultdict(int)

    @classmethod
    def init_step_count(cls, requester):
        """Let a requester count from the current step on."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester):
        """Forget a requester; returns whether there was one."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester):
        """Count one more step of a requester; returns the step of the process."""
        if requester not in cls._step_dict:
            cls.init_step_count(requester)
        cls._step_dict[requester] += 1
        step = max(cls._step_dict.values())
        if step > cls._current_step:
            if step - cls._current_step > 1:
                warnings.warn(
                    f"Profiler step count has increased more than 1 - current_step = {cls._current_step} "
                    f"step dict =  {cls._step_dict}",
                    stacklevel=2,
                )
            cls._current_step = step
        return cls._current_step

    @classmethod
    def current_step(cls):
        """The step of the process."""
        return cls._current_step


publish("minigrad.autograd.profiler", KinetoStepTracker)
