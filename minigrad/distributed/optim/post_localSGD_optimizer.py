"""An optimizer that averages the models of the processes now and then."""

import warnings
from typing import Any

from ...optim import Optimizer
from ..algorithms.model_averaging.averagers import ModelAverager

__all__ = ["PostLocalSGDOptimizer"]


class PostLocalSGDOptimizer(Optimizer):
    """Another optimizer, after each step of which the averager averages the parameters if it is the turn.

    The state dict has the averager's count as ``step``.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.model_averaging.averagers import PeriodicModelAverager
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> layer = minigrad.nn.Linear(2, 1)
    >>> steps = distributed.optim.PostLocalSGDOptimizer(minigrad.optim.SGD(layer.parameters(), 0.1), PeriodicModelAverager(period=4))
    >>> layer(minigrad.ones(1, 2)).sum().backward()
    >>> steps.step()
    >>> distributed.destroy_process_group()
    """

    def __init__(self, optim: Optimizer, averager: ModelAverager) -> None:
        self.optim = optim
        self.param_groups = optim.param_groups
        self.averager = averager

    @property
    def state(self) -> Any:  # type: ignore[override]
        """The state of the optimizer in it."""
        return self.optim.state

    def __repr__(self) -> str:
        return repr(self.optim)

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the optimizer in it, and the averager's count."""
        return {**self.optim.state_dict(), "step": self.averager.step}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take a state; warns if it has no count, which begins at 0 then."""
        self.optim.load_state_dict(state_dict)
        if "step" not in state_dict:
            warnings.warn(
                "Loaded state dict does not contain a step counter for an averager. Setting step counter to 0.",
                stacklevel=2,
            )
        self.averager.step = state_dict.get("step", 0)

    def step(self) -> None:  # type: ignore[override]
        """Let the optimizer step, and the averager average."""
        self.optim.step()
        self.averager.average_parameters(self.param_groups)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Let the parameters have no gradients."""
        self.optim.zero_grad(set_to_none=set_to_none)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own."""
        self.optim.add_param_group(param_group)
