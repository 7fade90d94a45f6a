"""Metal on Apple's machines."""

__all__ = ["is_available", "is_built"]


def is_available():
    """Whether there is such a device: False.

    >>> import minigrad
    >>> minigrad.backends.mps.is_available()
    False
    """
    return False


def is_built():
    """Whether this package was made for such devices: False.

    >>> import minigrad
    >>> minigrad.backends.mps.is_built()
    False
    """
    return False
