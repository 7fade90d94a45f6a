"""Passes over graphs: shapes noted on nodes, graphs split into submodules, patterns found, drawings; each is imported when it is first used."""

from typing import TYPE_CHECKING

from ..._base import lazy as _lazy

if TYPE_CHECKING:
    from . import annotate_getitem_nodes as annotate_getitem_nodes
    from . import graph_drawer as graph_drawer
    from . import graph_manipulation as graph_manipulation
    from . import infra as infra
    from . import operator_support as operator_support
    from . import param_fetch as param_fetch
    from . import shape_prop as shape_prop
    from . import split_module as split_module
    from . import tools_common as tools_common
    from . import utils as utils


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


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})
