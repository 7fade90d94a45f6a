"""Tensors that are spread over processes are not there: the classes are, so that libraries can ask whether a tensor is one."""

from typing import Any

from ..._api import Tensor
from .._whole import not_spread
from ..device_mesh import DeviceMesh
from .placement_types import Partial as Partial
from .placement_types import Placement as Placement
from .placement_types import Replicate as Replicate
from .placement_types import Shard as Shard

__all__ = ["DTensor", "Partial", "Placement", "Replicate", "Shard", "distribute_module", "distribute_tensor"]


class DTensor(Tensor):
    """What PyTorch calls a tensor that is spread over processes; no tensor is one, and NotImplementedError is raised where one is asked for.

    >>> import minigrad
    >>> from minigrad.distributed.tensor import DTensor
    >>> isinstance(minigrad.ones(2), DTensor)
    False
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        raise not_spread("DTensor")

    @staticmethod
    def from_local(*args: Any, **kwargs: Any) -> Any:
        """Raise NotImplementedError."""
        raise not_spread("DTensor.from_local")


def distribute_tensor(
    tensor: Tensor,
    device_mesh: DeviceMesh | None = None,
    placements: Any = None,
    *,
    src_data_rank: int | None = 0,
) -> Any:
    """Raise NotImplementedError: tensors are not spread over processes.

    >>> import minigrad
    >>> from minigrad.distributed.tensor import Shard, distribute_tensor
    >>> distribute_tensor(minigrad.ones(2), None, [Shard(0)])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    NotImplementedError: distribute_tensor is not there: in minigrad each process has its tensors whole: ...
    """
    raise not_spread("distribute_tensor")


def distribute_module(
    module: Any,
    device_mesh: DeviceMesh | None = None,
    partition_fn: Any = None,
    input_fn: Any = None,
    output_fn: Any = None,
) -> Any:
    """Raise NotImplementedError: modules are not spread over processes.

    >>> import minigrad
    >>> from minigrad.distributed.tensor import distribute_module
    >>> distribute_module(minigrad.nn.Linear(1, 1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    NotImplementedError: distribute_module is not there: in minigrad each process has its tensors whole: ...
    """
    raise not_spread("distribute_module")
