"""What a loader tells the pipes of a pipeline: seeds, their part of a stream, whether to shuffle."""

import enum
import inspect
import warnings

from .datapipes import IterDataPipe, MapDataPipe
from .sampler import draw_seed

__all__ = ["apply_random_seed", "apply_sharding", "apply_shuffle_settings"]


class SHARDING_PRIORITIES(enum.IntEnum):
    """Between whom a stream is split."""

    DEFAULT = 1
    DISTRIBUTED = 2
    MULTIPROCESSING = 3


def _sources(pipe):
    """The pipes that a pipe is made of: those among its attributes, in whatever containers."""

    def found(value):
        if isinstance(value, (IterDataPipe, MapDataPipe)):
            yield value
        elif isinstance(value, (list, tuple, set)):
            for each in value:
                yield from found(each)
        elif isinstance(value, dict):
            yield from found([*value.values()])

    return [*found([*vars(pipe).values()])]


def _all_pipes(pipe, met=None):
    """A pipe and all that it is made of, each once."""
    met = {} if met is None else met
    if id(pipe) not in met:
        met[id(pipe)] = pipe
        for source in _sources(pipe):
            _all_pipes(source, met)
    return [*met.values()]


def _with_methods(pipe, *names):
    return all(inspect.ismethod(getattr(pipe, name, None)) for name in names)


def apply_random_seed(datapipe, rng):
    """Give each pipe that has ``set_seed`` a seed drawn from the generator ``rng``; returns the pipe.

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


def apply_sharding(datapipe, num_of_instances, instance_id, sharding_group=SHARDING_PRIORITIES.DEFAULT):
    """Tell each pipe that has ``apply_sharding`` that it is number ``instance_id`` of ``num_of_instances``; returns the pipe.

    Raises RuntimeError if one such pipe is made of another.

    >>> from minigrad.utils.data import IterDataPipe
    >>> from minigrad.utils.data.graph_settings import apply_sharding
    >>> class Pipe(IterDataPipe):
    ...     def apply_sharding(self, n, i):
    ...         self.part = i, n
    >>> apply_sharding(Pipe(), 3, 1).part
    (1, 3)
    """

    def tell(pipe, above):
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
        for source in _sources(pipe):
            tell(source, told)

    tell(datapipe, None)
    return datapipe


def apply_shuffle_settings(datapipe, shuffle=None):
    """Tell each pipe that has ``set_shuffle`` and ``set_seed`` whether to shuffle (None: as it is); returns the pipe.

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
