"""Models that are spread over processes are not there: the names are, so that libraries can ask whether a model is one."""

from typing import Any

from ...nn import Module
from .._whole import not_spread

__all__ = [
    "CPUOffloadPolicy",
    "FSDPModule",
    "FullyShardedDataParallel",
    "MixedPrecisionPolicy",
    "fully_shard",
]


class MixedPrecisionPolicy:
    """In which precision ``fully_shard`` computes in PyTorch; NotImplementedError.

    >>> from minigrad.distributed.fsdp import MixedPrecisionPolicy
    >>> isinstance(3, MixedPrecisionPolicy)
    False
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise not_spread("MixedPrecisionPolicy")


class CPUOffloadPolicy:
    """Where ``fully_shard`` keeps parameters in PyTorch; NotImplementedError.

    >>> from minigrad.distributed.fsdp import CPUOffloadPolicy
    >>> isinstance(3, CPUOffloadPolicy)
    False
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise not_spread("CPUOffloadPolicy")


class FullyShardedDataParallel(Module):
    """What PyTorch calls a model that is spread over processes; NotImplementedError.

    >>> import minigrad
    >>> from minigrad.distributed.fsdp import FullyShardedDataParallel
    >>> FullyShardedDataParallel(minigrad.nn.Linear(1, 1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    NotImplementedError: FullyShardedDataParallel is not there: in minigrad each process has its tensors whole: ...
    """

    def __init__(self, module: Module, *args: Any, **kwargs: Any) -> None:
        raise not_spread("FullyShardedDataParallel")


class FSDPModule:
    """What ``fully_shard`` makes of a model in PyTorch: no model is one.

    >>> import minigrad
    >>> from minigrad.distributed.fsdp import FSDPModule
    >>> isinstance(minigrad.nn.Linear(1, 1), FSDPModule)
    False
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise not_spread("FSDPModule")


def fully_shard(module: Module, **kwargs: Any) -> Any:
    """Raise NotImplementedError: parameters are not spread over processes.

    >>> import minigrad
    >>> from minigrad.distributed.fsdp import fully_shard
    >>> fully_shard(minigrad.nn.Linear(1, 1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    NotImplementedError: fully_shard is not there: in minigrad each process has its tensors whole: ...
    """
    raise not_spread("fully_shard")
