"""The graph of a pipeline: which pipes a pipe is made of."""

import io
import pickle
import warnings
from typing import Any

from .datapipes import IterDataPipe, MapDataPipe

__all__ = ["traverse", "traverse_dps"]

DataPipe: Any = IterDataPipe | MapDataPipe
DataPipeGraph: Any = dict[int, tuple[DataPipe, "DataPipeGraph"]]  # type: ignore[misc]


def traverse_dps(datapipe: Any) -> Any:
    """Return the graph of a pipe: ``{id(pipe): (pipe, graph of the pipes among its attributes)}``, in whatever containers these are.

    Raises RuntimeError if the argument is not a pipe.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> from minigrad.utils.data.graph import traverse_dps
    >>> pipe = IterableWrapper([1, 2]).batch(2)
    >>> ((found, sources),) = traverse_dps(pipe).values()
    >>> found is pipe, [source for source, _ in sources.values()]
    (True, [IterableWrapperIterDataPipe])
    """
    return _graph(datapipe, _among_attributes, set())


def traverse(datapipe: Any, only_datapipe: bool | None = None) -> Any:
    """Return the graph of all pipes that are pickled with a pipe, or with ``only_datapipe`` the result of ``traverse_dps``. Deprecated.

    >>> import warnings
    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> from minigrad.utils.data.graph import traverse, traverse_dps
    >>> pipe = IterableWrapper([1, 2]).batch(2)
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     traverse(pipe) == traverse_dps(pipe)
    True
    """
    warnings.warn(
        "`traverse` function is deprecated and will be removed after 1.13. Call `traverse_dps`, which looks at a pipe's attributes and at "
        "the containers among them.",
        FutureWarning,
        stacklevel=2,
    )
    return _graph(datapipe, _among_attributes if only_datapipe else _pickled, set())


def _graph(pipe, sources, above):
    """The graph of a pipe, whose sources are found by a function; ``above`` are the ids of the pipes that it is a source of."""
    if not isinstance(pipe, (IterDataPipe, MapDataPipe)):
        raise RuntimeError(f"Expected `IterDataPipe` or `MapDataPipe`, but {type(pipe)} is found")
    if id(pipe) in above:
        return {}
    below = {}
    for source in sources(pipe):
        below.update(_graph(source, sources, above | {id(pipe)}))
    return {id(pipe): (pipe, below)}


def _among_attributes(pipe):
    """The pipes among the attributes of a pipe, in whatever containers."""

    def found(value):
        if isinstance(value, (IterDataPipe, MapDataPipe)):
            yield value
        elif isinstance(value, (list, tuple, set)):
            for each in value:
                yield from found(each)
        elif isinstance(value, dict):
            yield from found([*value.values()])

    return [*found([*vars(pipe).values()])]


def _pickled(pipe):
    """The pipes that are pickled with a pipe."""
    found = []

    class Finder(pickle.Pickler):
        def reducer_override(self, obj):
            if obj is pipe or not isinstance(obj, (IterDataPipe, MapDataPipe)):
                return NotImplemented
            found.append(obj)
            return str, ()

    Finder(io.BytesIO()).dump(pipe)
    return found
