"""Pipes that leave samples out."""

from collections.abc import Callable, Iterator
from typing import Any

from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe
from ..utils.common import StreamWrapper, check_function, validate_input_col

__all__ = ["FilterIterDataPipe"]


@functional_datapipe("filter")
class FilterIterDataPipe(IterDataPipe):
    """Yields the samples for which ``filter_fn`` (of the columns ``input_col``, if given) returns True; raises ValueError if it does not
    return a bool.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> [*IterableWrapper(["a", "1", "b"]).filter(str.isalpha)]
    ['a', 'b']
    """

    def __init__(self, datapipe: Any, filter_fn: Callable[..., Any], input_col: Any = None) -> None:
        self.datapipe = datapipe
        check_function(filter_fn)
        self.filter_fn = filter_fn
        self.input_col = input_col
        validate_input_col(filter_fn, input_col)

    def __iter__(self) -> Iterator[Any]:
        columns = self.input_col
        for sample in self.datapipe:
            if columns is None:
                wanted = self.filter_fn(sample)
            elif isinstance(columns, (list, tuple)):
                wanted = self.filter_fn(*[sample[each] for each in columns])
            else:
                wanted = self.filter_fn(sample[columns])
            if not isinstance(wanted, bool):
                raise ValueError(
                    "Boolean output is required for `filter_fn` of FilterIterDataPipe, got", type(wanted)
                )
            if wanted:
                yield sample
            else:
                StreamWrapper.close_streams(sample)
