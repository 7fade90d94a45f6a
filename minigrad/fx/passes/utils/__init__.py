"""Tools of passes: patterns (``matcher_utils``), parts of graphs as modules (``common``, ``fuser_utils``)."""

from ...._base import lazy as _lazy

_later = _lazy.places({"fx.passes.utils.common": "HolderModule compare_graphs lift_subgraph_as_module"})
_later |= {
    name: (f"fx.passes.utils.{name}", "")
    for name in ("common", "fuser_utils", "matcher_utils", "source_matcher_utils")
}

__all__ = ["HolderModule", "compare_graphs", "lift_subgraph_as_module"]


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def __dir__():
    return sorted({*globals(), *_later})
