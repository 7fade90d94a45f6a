"""Names of the compiler that makes kernels: ``config``, and ``list_options`` of it."""

from .._base import compiling as _compiling
from . import config as config

__all__ = ["compile", "list_mode_options", "list_options"]


def compile(gm, example_inputs, options=None):
    """Return the function of a graph module unchanged.

    >>> import minigrad
    >>> minigrad._inductor.compile(len, []) is len
    True
    """
    return gm


def list_options():
    """Return the names of ``config``.

    >>> import minigrad
    >>> "max_autotune" in minigrad._inductor.list_options()
    True
    """
    return sorted(config.get_config_copy())


def list_mode_options(mode=None, dynamic=None):
    """Return the options that each mode of ``compile`` stands for.

    >>> import minigrad
    >>> minigrad._inductor.list_mode_options("default")
    {}
    """
    return (
        dict(_compiling.MODES[mode])
        if mode
        else {name: dict(options) for name, options in _compiling.MODES.items()}
    )
