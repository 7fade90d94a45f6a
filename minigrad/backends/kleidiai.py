"""KleidiAI, products of matrices on Arm's processors."""

__all__ = ["is_available"]


def is_available() -> bool:
    """Return whether the library is available: always False, NumPy computes instead.

    >>> import minigrad
    >>> minigrad.backends.kleidiai.is_available()
    False
    """
    return False
