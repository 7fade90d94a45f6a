"""Datasets that are made of each other in a pipeline: the classes to write such datasets with, and those that PyTorch has (``iter``, ``map``)."""

from typing import TYPE_CHECKING

from ...._api import _lazy
from ._decorator import functional_datapipe
from .datapipe import DataChunk, DFIterDataPipe, IterDataPipe, MapDataPipe

if TYPE_CHECKING:
    from . import iter as iter
    from . import map as map
    from . import utils as utils


__all__ = ["DFIterDataPipe", "DataChunk", "IterDataPipe", "MapDataPipe", "functional_datapipe"]
_later = {name: (f"utils.data.datapipes.{name}", "") for name in ("iter", "map", "utils")}


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})
