"""Settings of TorchScript's optimizer: they are kept, and nothing heeds them."""

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

from .._api import _level_of_user
from ._script import _without_script

__all__ = []

_fusion_strategy = [("STATIC", 2), ("DYNAMIC", 10)]
_onednn = False


def set_fusion_strategy(strategy: list[tuple[str, int]]) -> Any:
    """Store pairs such as ``("STATIC", 2)``, by which TorchScript would fuse; return the previous ones. Raises TypeError if they are not pairs.

    >>> import minigrad
    >>> before = minigrad.jit.set_fusion_strategy([("STATIC", 2)])
    >>> minigrad.jit.set_fusion_strategy(before)
    [('STATIC', 2)]
    """
    global _fusion_strategy
    try:
        pairs = [(str(kind), int(depth)) for kind, depth in strategy]
    except (TypeError, ValueError):
        raise TypeError(
            "set_fusion_strategy(): incompatible function arguments: a list of pairs of a str and an int is wanted"
        ) from None
    was, _fusion_strategy = _fusion_strategy, pairs
    return was


def enable_onednn_fusion(enabled: bool) -> None:
    """Set whether TorchScript would use oneDNN's kernels.

    >>> import minigrad
    >>> minigrad.jit.enable_onednn_fusion(False)
    """
    global _onednn
    _onednn = bool(enabled)


def onednn_fusion_enabled() -> Any:
    """Return the setting of ``enable_onednn_fusion``.

    >>> import minigrad
    >>> minigrad.jit.onednn_fusion_enabled()
    False
    """
    return _onednn


@contextlib.contextmanager
def fuser(name: str) -> Iterator[Any]:
    """Return a context manager in which TorchScript would use ``fuser0`` to ``fuser3``; raise an Exception for any other name.

    >>> import minigrad
    >>> with minigrad.jit.fuser("fuser1"):
    ...     minigrad.ones(1)
    tensor([1.])
    """
    if name not in ("fuser0", "fuser1", "fuser2", "fuser3"):
        raise Exception(f"unrecognized fuser option (name: {name})")
    yield


@contextlib.contextmanager
def optimized_execution(should_optimize: Any) -> Iterator[Any]:
    """Return a context manager in which scripts would be optimized, or not.

    >>> import minigrad
    >>> with minigrad.jit.optimized_execution(False):
    ...     minigrad.ones(1)
    tensor([1.])
    """
    yield


class strict_fusion:
    """A block of a script in which all is to be fused: outside of scripts it warns.

    >>> import minigrad
    >>> minigrad.jit.strict_fusion.__name__
    'strict_fusion'
    """

    def __init__(self) -> None:
        warnings.warn("Only works in script mode", stacklevel=_level_of_user())

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        pass


def last_executed_optimized_graph() -> Any:
    """Raise NotImplementedError: there are no TorchScript graphs.

    >>> import minigrad
    >>> minigrad.jit.last_executed_optimized_graph()
    Traceback (most recent call last):
        ...
    NotImplementedError: last_executed_optimized_graph() needs TorchScript, which minigrad does not have: scripted and traced programs run as the Python that they are. Save state_dict() and the program.
    """
    raise _without_script("last_executed_optimized_graph()")
