"""The package that orders the products of ``einsum``: it is not used, the order is from left to right."""

__all__ = ["get_opt_einsum", "is_available"]

enabled = False
strategy = None


def is_available():
    """Whether ``einsum`` uses the package: False.

    >>> import minigrad
    >>> minigrad.backends.opt_einsum.is_available()
    False
    """
    return False


def get_opt_einsum():
    """The package, if ``einsum`` used it: None.

    >>> import minigrad
    >>> minigrad.backends.opt_einsum.get_opt_einsum()
    """
    return None
