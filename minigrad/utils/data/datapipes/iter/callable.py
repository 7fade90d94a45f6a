"""Pipes that call a function with each sample."""

from collections.abc import Callable, Iterator
from typing import Any

from ..._utils.collate import default_collate
from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe
from ..utils.common import check_function, length_of, validate_input_col

__all__ = ["CollatorIterDataPipe", "MapperIterDataPipe"]


@functional_datapipe("map")
class MapperIterDataPipe(IterDataPipe):
    """Applies ``fn`` to each sample, or to its columns ``input_col``: the result replaces them, or ``output_col`` (-1 appends it).

    Raises ValueError if ``fn`` does not take as many arguments as there are columns.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> [*IterableWrapper([1, 2]).map(str)]
    ['1', '2']
    >>> [*IterableWrapper([(1, 2), (3, 4)]).map(abs, input_col=0, output_col=-1)]
    [(1, 2, 1), (3, 4, 3)]
    """

    def __init__(
        self, datapipe: Any, fn: Callable[..., Any], input_col: Any = None, output_col: Any = None
    ) -> None:
        self.datapipe = datapipe
        check_function(fn)
        self.fn = fn
        if input_col is None and output_col is not None:
            raise ValueError("`output_col` must be None when `input_col` is None.")
        if isinstance(output_col, (list, tuple)):
            if len(output_col) > 1:
                raise ValueError("`output_col` must be a single-element list or tuple")
            (output_col,) = output_col
        self.input_col, self.output_col = input_col, output_col
        validate_input_col(fn, input_col)

    def _apply_fn(self, sample):
        columns, place = self.input_col, self.output_col
        if columns is None:
            return self.fn(sample)
        several = isinstance(columns, (list, tuple))
        result = self.fn(*[sample[each] for each in (columns if several else [columns])])
        changed = list(sample) if isinstance(sample, tuple) else sample
        if place is None:
            first, *others = columns if several else [columns]
            changed[first] = result
            for each in sorted(others, reverse=True):
                del changed[each]
        elif place == -1:
            changed.append(result)
        else:
            changed[place] = result
        return tuple(changed) if isinstance(sample, tuple) else changed

    def __iter__(self) -> Iterator[Any]:
        for sample in self.datapipe:
            yield self._apply_fn(sample)

    def __len__(self) -> int:
        return length_of(self.datapipe, self)


@functional_datapipe("collate")
class CollatorIterDataPipe(MapperIterDataPipe):
    """Applies ``collate_fn``, by default ``default_collate``, to each sample, which is a batch.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> [*IterableWrapper([1, 2, 3]).batch(2).collate()]
    [tensor([1, 2]), tensor([3])]
    """

    def __init__(
        self, datapipe: Any, conversion: Any = default_collate, collate_fn: Callable[..., Any] | None = None
    ) -> None:
        if not callable(conversion) and collate_fn is None:
            raise TypeError(f"A callable function is expected, but {type(conversion)} is provided.")
        super().__init__(datapipe, fn=conversion if collate_fn is None else collate_fn)
