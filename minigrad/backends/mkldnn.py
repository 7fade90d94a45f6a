"""oneDNN, the kernels of networks on the CPU: minigrad computes without, so its settings are kept but change nothing."""

from ._flags import changed as _changed

__all__ = ["flags", "is_available"]

enabled = True
deterministic = False
allow_tf32 = True


def is_available():
    """Whether this library computes: False, NumPy does.

    >>> import minigrad
    >>> minigrad.backends.mkldnn.is_available()
    False
    """
    return False


def flags(enabled=False, deterministic=False, allow_tf32=True, fp32_precision="none"):
    """A context manager that changes settings for the length of a ``with`` block.

    >>> import minigrad
    >>> with minigrad.backends.mkldnn.flags(deterministic=True): print(minigrad.backends.mkldnn.deterministic)
    True
    """
    return _changed(globals(), enabled=enabled, deterministic=deterministic, allow_tf32=allow_tf32)
