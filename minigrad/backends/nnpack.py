"""NNPACK, a library of convolutions."""

__all__ = ["is_available"]


def is_available():
    """Whether this library computes: False, NumPy does.

    >>> import minigrad
    >>> minigrad.backends.nnpack.is_available()
    False
    """
    return False
