"""What a loader tells the pipes of a pipeline: seeds, their part of a stream, whether to shuffle."""

import inspect
import warnings
from typing import Any

from ..._api import Generator
from .datapipes.iter import sharding
from .graph import traverse_dps
from .sampler import draw_seed

__all__ = [
    "apply_random_seed",
    "apply_sharding",
    "apply_shuffle_seed",
    "apply_shuffle_settings",
    "get_all_graph_pipes",
]

SHARDING_PRIORITIES = sharding.SHARDING_PRIORITIES


def get_all_graph_pipes(graph: Any) -> Any:
    """Return each pipe of a graph once.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> from minigrad.utils.data.graph import traverse_dps
    >>> from minigrad.utils.data.graph_settings import get_all_graph_pipes
    >>> numbers = IterableWrapper([1, 2])
    >>> get_all_graph_pipes(traverse_dps(numbers.zip(numbers)))
    [ZipperIterDataPipe, IterableWrapperIterDataPipe]
    """
    return _each_once(graph, {})


def _each_once(graph, met):
    for pipe, below in graph.values():
        if id(pipe) not in met:
            met[id(pipe)] = pipe
            _each_once(below, met)
    return [*met.values()]


def _all_pipes(pipe):
    return get_all_graph_pipes(traverse_dps(pipe))


def _with_methods(pipe, *names):
    return all(inspect.ismethod(getattr(pipe, name, None)) for name in names)


def apply_random_seed(datapipe: Any, rng: Generator) -> Any:
    """Give each pipe that has ``set_seed`` a seed drawn from the generator ``rng``; return the pipe.

    >>> import minigrad
    >>> from minigrad.utils.data import IterDataPipe
    >>> from minigrad.utils.data.graph_settings import apply_random_seed
    >>> class Pipe(IterDataPipe):
    ...     def set_seed(self, seed):
    ...         self.seed = seed
    >>> apply_random_seed(Pipe(), minigrad.Generator().manual_seed(0)).seed >= 0
    True
    """
    for pipe in _all_pipes(datapipe):
        if _with_methods(pipe, "set_seed"):
            pipe.set_seed(draw_seed(rng))
    return datapipe


def apply_shuffle_seed(datapipe: Any, rng: Any) -> Any:
    """A deprecated name for ``apply_random_seed``.

    >>> import minigrad, warnings
    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> from minigrad.utils.data.graph_settings import apply_shuffle_seed
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     apply_shuffle_seed(IterableWrapper([1]).shuffle(), minigrad.Generator())
    ShufflerIterDataPipe
    """
    warnings.warn(
        "`apply_shuffle_seed` is deprecated since 1.12 and will be removed in the future releases. Call `apply_random_seed`.",
        FutureWarning,
        stacklevel=2,
    )
    return apply_random_seed(datapipe, rng)


def apply_sharding(
    datapipe: Any, num_of_instances: int, instance_id: int, sharding_group: Any = SHARDING_PRIORITIES.DEFAULT
) -> Any:
    """Tell each pipe that has ``apply_sharding`` that it is number ``instance_id`` of ``num_of_instances``; return the pipe.

    Raises RuntimeError if one such pipe is made from another.

    >>> from minigrad.utils.data import IterDataPipe
    >>> from minigrad.utils.data.graph_settings import apply_sharding
    >>> class Pipe(IterDataPipe):
    ...     def apply_sharding(self, n, i):
    ...         self.part = i, n
    >>> apply_sharding(Pipe(), 3, 1).part
    (1, 3)
    """

    def tell(pipe, below, above):
        told = above
        if _with_methods(pipe, "apply_sharding"):
            if above is not None:
                raise RuntimeError(
                    f"Sharding twice on a single pipeline is likely unintended and will cause data loss. {pipe} is part of {above}, "
                    "which has its part already."
                )
            group = [sharding_group][: max(0, len(inspect.signature(pipe.apply_sharding).parameters) - 2)]
            pipe.apply_sharding(num_of_instances, instance_id, *group)
            told = pipe
        for source, its_sources in below.values():
            tell(source, its_sources, told)

    for pipe, below in traverse_dps(datapipe).values():
        tell(pipe, below, None)
    return datapipe


def apply_shuffle_settings(datapipe: Any, shuffle: bool | None = None) -> Any:
    """Tell each pipe that has ``set_shuffle`` and ``set_seed`` whether to shuffle (None leaves it); return the pipe.

    >>> from minigrad.utils.data import IterDataPipe
    >>> from minigrad.utils.data.graph_settings import apply_shuffle_settings
    >>> apply_shuffle_settings(IterDataPipe(), shuffle=False)
    IterDataPipe
    """
    if shuffle is None:
        return datapipe
    shufflers = [pipe for pipe in _all_pipes(datapipe) if _with_methods(pipe, "set_shuffle", "set_seed")]
    if shuffle and not shufflers:
        warnings.warn(
            "`shuffle=True` was set, but the datapipe does not contain a `Shuffler`. Adding one at the end.",
            stacklevel=3,
        )
        datapipe = datapipe.shuffle()
        shufflers = [datapipe]
    for pipe in shufflers:
        pipe.set_shuffle(shuffle)
    return datapipe
