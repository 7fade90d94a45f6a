"""Passes over graphs: shapes noted on nodes, graphs split into submodules, patterns found, drawings; each is imported when it is first used."""

from ..._base import lazy as _lazy

_SUBMODULES = ("shape_prop", "tools_common", "utils")
_later = {name: (f"fx.passes.{name}", "") for name in _SUBMODULES}


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def __dir__():
    return sorted({*globals(), *_later})
