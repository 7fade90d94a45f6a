"""Tools of passes: patterns (``matcher_utils``), parts of graphs as modules (``common``, ``fuser_utils``)."""

from typing import TYPE_CHECKING

from ...._base import lazy as _lazy

if TYPE_CHECKING:
    from . import common as common
    from . import fuser_utils as fuser_utils
    from . import matcher_utils as matcher_utils
    from . import source_matcher_utils as source_matcher_utils
    from .common import HolderModule as HolderModule
    from .common import compare_graphs as compare_graphs
    from .common import lift_subgraph_as_module as lift_subgraph_as_module


_later = _lazy.places({"fx.passes.utils.common": "HolderModule compare_graphs lift_subgraph_as_module"})
_later |= {
    name: (f"fx.passes.utils.{name}", "")
    for name in ("common", "fuser_utils", "matcher_utils", "source_matcher_utils")
}

__all__ = ["HolderModule", "compare_graphs", "lift_subgraph_as_module"]


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})
