"""What does not belong to one subject: ``utils.checkpoint``, ``utils.data``, ``utils.hooks``, ``utils.weak`` and others; each is imported when it is first used."""

from typing import Any

from .._base import lazy as _lazy

_SUBMODULES = (
    "_contextlib",
    "_device",
    "_foreach_utils",
    "_import_utils",
    "_python_dispatch",
    "_pytree",
    "_typing_utils",
    "backcompat",
    "benchmark",
    "checkpoint",
    "collect_env",
    "cpp_extension",
    "data",
    "deterministic",
    "dlpack",
    "file_baton",
    "flop_counter",
    "hooks",
    "module_tracker",
    "model_zoo",
    "serialization",
    "tensorboard",
    "weak",
)
_later = {name: (f"utils.{name}", "") for name in _SUBMODULES} | {
    "swap_tensors": ("utils._swapping", "swap_tensors"),
}
_lazy.show_all(globals())


def set_module(obj: Any, mod: Any) -> None:
    """Set the ``__module__`` of a function or class; raise TypeError if it is not a string.

    >>> import minigrad
    >>> def double(x):
    ...     return 2 * x
    >>> minigrad.utils.set_module(double, "mine")
    >>> double.__module__
    'mine'
    """
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def __dir__():
    return sorted({*globals(), *_later})
