"""OpenMP, the threads of PyTorch's loops."""

__all__ = ["is_available"]


def is_available() -> bool:
    """Return whether this library computes: False, NumPy does.

    >>> import minigrad
    >>> minigrad.backends.openmp.is_available()
    False
    """
    return False
