"""cuDNN, the kernels of networks on CUDA: there is none, so its settings are kept but change nothing."""

from ._flags import changed as _changed

__all__ = ["flags", "is_acceptable", "is_available", "set_flags", "version"]

enabled = True
benchmark = False
benchmark_limit = None
deterministic = False
allow_tf32 = True


def is_available():
    """Whether this library computes: False.

    >>> import minigrad
    >>> minigrad.backends.cudnn.benchmark = True
    >>> minigrad.backends.cudnn.is_available()
    False
    """
    return False


def version():
    """The library's version: None.

    >>> import minigrad
    >>> minigrad.backends.cudnn.version()
    """
    return None


def is_acceptable(tensor):
    """Whether the library could compute with the tensor: False.

    >>> import minigrad
    >>> minigrad.backends.cudnn.is_acceptable(minigrad.ones(2))
    False
    """
    return False


def set_flags(
    _enabled=None, _benchmark=None, _benchmark_limit=None, _deterministic=None, _allow_tf32=None, _fp32_precision="none"
):  # fmt: skip
    """Change settings; returns what all were before.

    >>> import minigrad
    >>> before = minigrad.backends.cudnn.set_flags(_benchmark=True)
    >>> minigrad.backends.cudnn.benchmark
    True
    >>> minigrad.backends.cudnn.benchmark = False
    """
    given = {
        "enabled": _enabled,
        "benchmark": _benchmark,
        "benchmark_limit": _benchmark_limit,
        "deterministic": _deterministic,
        "allow_tf32": _allow_tf32,
    }
    before = tuple(globals()[name] for name in given)
    globals().update({name: value for name, value in given.items() if value is not None})
    return before


def flags(
    enabled=False,
    benchmark=False,
    benchmark_limit=10,
    deterministic=False,
    allow_tf32=True,
    fp32_precision="none",
):
    """A context manager that changes settings for the length of a ``with`` block.

    >>> import minigrad
    >>> with minigrad.backends.cudnn.flags(benchmark=True): print(minigrad.backends.cudnn.benchmark)
    True
    """
    return _changed(
        globals(),
        enabled=enabled,
        benchmark=benchmark,
        benchmark_limit=benchmark_limit,
        deterministic=deterministic,
        allow_tf32=allow_tf32,
    )
