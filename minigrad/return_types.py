"""The types of results that come in named tuples: ``minigrad.return_types.max``, ``.sort``, ``.topk``, ..."""

from typing import Any

from ._base import return_types as _types
from ._base.missing import missing_name as _missing_name

__all__ = [
    name + suffix for name in _types.FIELDS for suffix in ("", "_out") if name != "histogramdd" or not suffix
]
_TYPES = tuple(__all__)
__all__ += ["all_return_types", "pytree_register_structseq"]  # noqa: F822 (in __getattr__)


def pytree_register_structseq(cls: Any) -> Any:
    """Let ``utils._pytree`` see the results in tuples of a class: raises ValueError, as it sees them in all types from the start.

    >>> import minigrad
    >>> minigrad.return_types.pytree_register_structseq(minigrad.return_types.max)
    Traceback (most recent call last):
        ...
    ValueError: <class 'minigrad.return_types.max'> is already registered as pytree node.
    """
    raise ValueError(f"{cls} is already registered as pytree node.")


def __getattr__(name: str) -> Any:
    if name == "all_return_types":
        return [getattr(_types, each) for each in _TYPES]
    if name not in __all__:
        raise _missing_name(name, globals())
    return getattr(_types, name)


def __dir__() -> list[str]:
    return __all__
