"""Groups, collectives and stores where libraries import them from: whatever the package has."""

import sys
from typing import Any

from .._base.missing import missing_name
from . import __all__ as __all__
from ._groups import default_group as _get_default_group  # noqa: F401


def __getattr__(name: str) -> Any:
    package = sys.modules[__name__.rpartition(".")[0]]
    if name in package.__all__ or name in ("_make_nccl_premul_sum", "default_pg_timeout"):
        return getattr(package, name)
    raise missing_name(name, globals())
