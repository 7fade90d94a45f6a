"""The types of results that come in named tuples: ``minigrad.return_types.max``, ``.sort``, ``.topk``, ..."""

from ._base import return_types as _types

__all__ = [
    name + suffix for name in _types.FIELDS for suffix in ("", "_out") if name != "histogramdd" or not suffix
]


def __getattr__(name):
    return getattr(_types, name)


def __dir__():
    return __all__
