"""cuSPARSELt, products of sparse matrices on CUDA."""

__all__ = ["is_available"]


def is_available():
    """Whether this library computes: False, NumPy does.

    >>> import minigrad
    >>> minigrad.backends.cusparselt.is_available()
    False
    """
    return False
