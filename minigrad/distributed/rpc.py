"""Calls of functions in other processes: not available, as ``is_available`` says to programs that ask."""

__all__ = ["is_available"]


def is_available() -> bool:
    """Whether functions can be called in other processes: False.

    >>> import minigrad.distributed.rpc
    >>> minigrad.distributed.rpc.is_available()
    False
    """
    return False
