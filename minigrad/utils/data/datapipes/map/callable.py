"""Pipes that call a function with each sample."""

from collections.abc import Callable
from typing import Any

from .._decorator import functional_datapipe
from ..datapipe import MapDataPipe
from ..utils.common import check_function

__all__ = ["MapperMapDataPipe", "default_fn"]


def default_fn(data: Any) -> Any:
    """Return the sample unchanged.

    >>> from minigrad.utils.data.datapipes.map.callable import default_fn
    >>> default_fn(3)
    3
    """
    return data


@functional_datapipe("map")
class MapperMapDataPipe(MapDataPipe):
    """Applies ``fn`` to each sample.

    >>> from minigrad.utils.data.datapipes.map import SequenceWrapper
    >>> SequenceWrapper([1, 2]).map(str)[1]
    '2'
    """

    def __init__(self, datapipe: Any, fn: Callable[..., Any] = default_fn) -> None:
        self.datapipe = datapipe
        check_function(fn)
        self.fn = fn

    def __getitem__(self, index: Any) -> Any:
        return self.fn(self.datapipe[index])

    def __len__(self) -> int:
        return len(self.datapipe)
