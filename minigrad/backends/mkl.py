"""Intel's MKL, as PyTorch is linked with it."""

__all__ = ["is_available"]


def is_available():
    """Whether this library computes: False, NumPy does.

    >>> import minigrad
    >>> minigrad.backends.mkl.is_available()
    False
    """
    return False
