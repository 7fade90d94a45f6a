"""Objects that have a state to be saved."""

from typing import Any, Protocol, TypeVar, runtime_checkable

__all__ = ["Stateful", "StatefulT"]


@runtime_checkable
class Stateful(Protocol):
    """Whatever has ``state_dict`` and ``load_state_dict``: modules, optimizers, and objects of a program.

    ``save`` stores what ``state_dict`` gives; ``load`` reads into what it gives, and hands that to ``load_state_dict``.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.stateful import Stateful
    >>> isinstance(minigrad.nn.Linear(1, 1), Stateful)
    True
    """

    def state_dict(self) -> dict[str, Any]:
        """Return the state to be saved."""
        ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take a state."""
        ...


StatefulT = TypeVar("StatefulT", bound=Stateful)
