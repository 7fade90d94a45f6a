"""OpenMP, the threads of PyTorch's loops."""

__all__ = ["is_available"]


def is_available() -> bool:
    """Return whether the library is available: always False, NumPy computes instead.

    >>> import minigrad
    >>> minigrad.backends.openmp.is_available()
    False
    """
    return False
