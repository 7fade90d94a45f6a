"""The default generator of random numbers: its seed and its state, under the names of ``torch.random``."""

from ._api import _lazy, get_rng_state, initial_seed, manual_seed, seed, set_rng_state, thread_safe_generator
from ._ops.random import fork_rng

__all__ = [
    "set_rng_state",
    "get_rng_state",
    "manual_seed",
    "seed",
    "initial_seed",
    "fork_rng",
    "thread_safe_generator",
]
_lazy.publish_all(globals())
