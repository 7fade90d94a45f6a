"""The fused kernel of attention layers: there is none, so what is set here changes no result."""

__all__ = ["get_fastpath_enabled", "set_fastpath_enabled"]

_enabled = True


def get_fastpath_enabled() -> bool:
    """Return whether attention layers may use a fused kernel.

    >>> import minigrad
    >>> minigrad.backends.mha.get_fastpath_enabled()
    True
    """
    return _enabled


def set_fastpath_enabled(value: bool) -> None:
    """Set whether attention layers may use a fused kernel.

    >>> import minigrad
    >>> minigrad.backends.mha.set_fastpath_enabled(True)
    >>> minigrad.backends.mha.get_fastpath_enabled()
    True
    """
    global _enabled
    _enabled = value
