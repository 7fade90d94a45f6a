"""Layers that are spread over processes are not there."""

from typing import Any

from ..._whole import not_spread

__all__ = ["ColwiseParallel", "ParallelStyle", "RowwiseParallel", "SequenceParallel", "parallelize_module"]


class ParallelStyle:
    """How PyTorch spreads a layer over processes; NotImplementedError.

    >>> from minigrad.distributed.tensor.parallel import ParallelStyle
    >>> ParallelStyle()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    NotImplementedError: ParallelStyle is not there: in minigrad each process has its tensors whole: ...
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise not_spread(type(self).__name__)


class ColwiseParallel(ParallelStyle):
    """Each process some columns of a weight; NotImplementedError.

    >>> from minigrad.distributed.tensor.parallel import ColwiseParallel, ParallelStyle
    >>> issubclass(ColwiseParallel, ParallelStyle)
    True
    """


class RowwiseParallel(ParallelStyle):
    """Each process some rows of a weight; NotImplementedError.

    >>> from minigrad.distributed.tensor.parallel import ParallelStyle, RowwiseParallel
    >>> issubclass(RowwiseParallel, ParallelStyle)
    True
    """


class SequenceParallel(ParallelStyle):
    """Each process a part of the sequence; NotImplementedError.

    >>> from minigrad.distributed.tensor.parallel import ParallelStyle, SequenceParallel
    >>> issubclass(SequenceParallel, ParallelStyle)
    True
    """


def parallelize_module(
    module: Any, device_mesh: Any = None, parallelize_plan: Any = None, *, src_data_rank: int | None = 0
) -> Any:
    """Raise NotImplementedError: layers are not spread over processes.

    >>> import minigrad
    >>> from minigrad.distributed.tensor.parallel import parallelize_module
    >>> parallelize_module(minigrad.nn.Linear(1, 1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    NotImplementedError: parallelize_module is not there: in minigrad each process has its tensors whole: ...
    """
    raise not_spread("parallelize_module")
