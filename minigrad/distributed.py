"""What programs ask of ``torch.distributed`` to find out that they run alone: it is not available, as in a PyTorch that was built without it.

Who asks further, against PyTorch's advice, is told that no group of processes was started.
"""

import os
from typing import Any

from ._base.missing import getattr_of as _getattr_of

__all__ = [
    "DistBackendError",
    "DistError",
    "DistNetworkError",
    "DistStoreError",
    "ProcessGroup",
    "QueueEmptyError",
    "get_node_local_rank",
    "get_rank",
    "get_world_size",
    "is_available",
    "is_backend_available",
    "is_gloo_available",
    "is_initialized",
    "is_mpi_available",
    "is_nccl_available",
    "is_torchelastic_launched",
    "is_ucc_available",
    "is_xccl_available",
]


class DistError(RuntimeError):
    """What PyTorch raises when processes cannot work together: programs catch it, nothing here raises it."""


class DistBackendError(DistError):
    """What PyTorch raises when the library fails by which processes communicate."""


class DistNetworkError(DistError):
    """What PyTorch raises when the network fails."""


class DistStoreError(DistError):
    """What PyTorch raises when the store fails in which processes find each other."""


class QueueEmptyError(DistStoreError):
    """What PyTorch raises when a queue of a store is empty."""


class ProcessGroup:
    """The type of groups of processes, for annotations: there are none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError("minigrad has no torch.distributed: it computes in one process")


def is_available() -> bool:
    """Whether several processes can work together: False.

    >>> import minigrad
    >>> minigrad.distributed.is_available()
    False
    """
    return False


def is_initialized() -> bool:
    """Whether a group of processes was started: False.

    >>> import minigrad
    >>> minigrad.distributed.is_initialized()
    False
    """
    return False


def is_torchelastic_launched() -> bool:
    """Whether ``torchrun`` started this process, which it says in the environment.

    >>> import minigrad
    >>> minigrad.distributed.is_torchelastic_launched()
    False
    """
    return os.environ.get("TORCHELASTIC_RUN_ID") is not None


def is_backend_available(backend: str) -> bool:
    """Whether processes can communicate by a library: False.

    >>> import minigrad
    >>> minigrad.distributed.is_backend_available("gloo")
    False
    """
    return False


def is_gloo_available() -> bool:
    """Whether processes can communicate by Gloo: False.

    >>> import minigrad
    >>> minigrad.distributed.is_gloo_available()
    False
    """
    return False


def is_mpi_available() -> bool:
    """Whether processes can communicate by MPI: False.

    >>> import minigrad
    >>> minigrad.distributed.is_mpi_available()
    False
    """
    return False


def is_nccl_available() -> bool:
    """Whether processes can communicate by NCCL: False.

    >>> import minigrad
    >>> minigrad.distributed.is_nccl_available()
    False
    """
    return False


def is_ucc_available() -> bool:
    """Whether processes can communicate by UCC: False.

    >>> import minigrad
    >>> minigrad.distributed.is_ucc_available()
    False
    """
    return False


def is_xccl_available() -> bool:
    """Whether processes can communicate by XCCL: False.

    >>> import minigrad
    >>> minigrad.distributed.is_xccl_available()
    False
    """
    return False


def get_rank(group: Any = None) -> Any:
    """The number of this process in a group: raises ValueError, as none was started.

    >>> import minigrad
    >>> minigrad.distributed.get_rank()
    Traceback (most recent call last):
        ...
    ValueError: Default process group has not been initialized, please make sure to call init_process_group.
    """
    _no_group()


def get_world_size(group: Any = None) -> Any:
    """The number of processes in a group: raises ValueError, as none was started.

    >>> import minigrad
    >>> minigrad.distributed.get_world_size()
    Traceback (most recent call last):
        ...
    ValueError: Default process group has not been initialized, please make sure to call init_process_group.
    """
    _no_group()


def _no_group():
    raise ValueError(
        "Default process group has not been initialized, please make sure to call init_process_group."
    )


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """The number of this process on its machine, by the environment's ``LOCAL_RANK``, else ``fallback_rank``.

    Raises RuntimeError where there is neither.

    >>> import minigrad
    >>> minigrad.distributed.get_node_local_rank(fallback_rank=0)
    0
    """
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is None:
        raise RuntimeError(
            "LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow `get_node_local_rank` to work, "
            "assuming you are not running in a multi-device context"
        )
    return int(fallback_rank)


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
