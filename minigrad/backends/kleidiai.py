"""KleidiAI, products of matrices on Arm's processors."""

__all__ = ["is_available"]


def is_available() -> bool:
    """Return whether this library computes: False, NumPy does.

    >>> import minigrad
    >>> minigrad.backends.kleidiai.is_available()
    False
    """
    return False
