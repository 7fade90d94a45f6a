"""Passes over graphs: shapes noted on nodes, graphs split into submodules, patterns found, drawings; each is imported when it is first used."""

from ..._base import lazy as _lazy

_SUBMODULES = (
    "annotate_getitem_nodes",
    "graph_drawer",
    "graph_manipulation",
    "infra",
    "operator_support",
    "param_fetch",
    "shape_prop",
    "split_module",
    "tools_common",
    "utils",
)
_later = {name: (f"fx.passes.{name}", "") for name in _SUBMODULES}


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def __dir__():
    return sorted({*globals(), *_later})
