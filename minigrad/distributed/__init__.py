"""Several processes that compute together: groups of them, collectives, stores, as ``torch.distributed``; MPI moves the data, through mpi4py.

``python -m minigrad.distributed.run --nproc-per-node 2 program.py``, or ``mpiexec -n 2 python -m minigrad program.py``, starts a program in several processes,
which call ``init_process_group``.  ``pip install 'minigrad-numpy[mpi]'`` brings mpi4py and an MPI.

The files: ``_ranks`` and ``_launching`` (who started this process), ``_rendezvous``, ``_joining`` and ``_stores`` (how processes meet), ``_mpi``, ``_work`` (how what is
started makes progress), ``_exchanges`` (what travels in a collective), ``_groups``, ``_communicators``,
``_shared_memory`` (what need not travel), and then the functions that programs call.
"""

import os
from typing import Any

from .._api import _lazy
from . import _mpi
from ._buckets import BuiltinCommHookType as BuiltinCommHookType
from ._buckets import GradBucket as GradBucket
from ._collectives import all_gather as all_gather
from ._collectives import all_gather_coalesced as all_gather_coalesced
from ._collectives import all_gather_into_tensor as all_gather_into_tensor
from ._collectives import all_gather_single as all_gather_single
from ._collectives import all_reduce as all_reduce
from ._collectives import all_reduce_coalesced as all_reduce_coalesced
from ._collectives import all_to_all as all_to_all
from ._collectives import all_to_all_single as all_to_all_single
from ._collectives import barrier as barrier
from ._collectives import broadcast as broadcast
from ._collectives import gather as gather
from ._collectives import monitored_barrier as monitored_barrier
from ._collectives import reduce as reduce
from ._collectives import reduce_scatter as reduce_scatter
from ._collectives import reduce_scatter_single as reduce_scatter_single
from ._collectives import reduce_scatter_tensor as reduce_scatter_tensor
from ._collectives import scatter as scatter
from ._collectives import supports_complex as supports_complex
from ._errors import DistBackendError as DistBackendError
from ._errors import DistError as DistError
from ._errors import DistNetworkError as DistNetworkError
from ._errors import DistStoreError as DistStoreError
from ._errors import QueueEmptyError as QueueEmptyError
from ._groups import Backend as Backend
from ._groups import DebugLevel as DebugLevel
from ._groups import GroupMember as GroupMember
from ._groups import ProcessGroup as ProcessGroup
from ._groups import default_pg_timeout as default_pg_timeout
from ._groups import destroy_process_group as destroy_process_group
from ._groups import get_backend as get_backend
from ._groups import get_backend_config as get_backend_config
from ._groups import get_debug_level as get_debug_level
from ._groups import get_default_backend_for_device as get_default_backend_for_device
from ._groups import get_global_rank as get_global_rank
from ._groups import get_group_rank as get_group_rank
from ._groups import get_pg_count as get_pg_count
from ._groups import get_process_group_ranks as get_process_group_ranks
from ._groups import get_rank as get_rank
from ._groups import get_world_size as get_world_size
from ._groups import group as group
from ._groups import init_process_group as init_process_group
from ._groups import is_initialized as is_initialized
from ._groups import new_group as new_group
from ._groups import new_subgroups as new_subgroups
from ._groups import new_subgroups_by_enumeration as new_subgroups_by_enumeration
from ._groups import set_debug_level as set_debug_level
from ._groups import set_debug_level_from_env as set_debug_level_from_env
from ._groups import split_group as split_group
from ._objects import all_gather_object as all_gather_object
from ._objects import broadcast_object_list as broadcast_object_list
from ._objects import gather_object as gather_object
from ._objects import recv_object_list as recv_object_list
from ._objects import scatter_object_list as scatter_object_list
from ._objects import send_object_list as send_object_list
from ._point_to_point import P2POp as P2POp
from ._point_to_point import batch_isend_irecv as batch_isend_irecv
from ._point_to_point import irecv as irecv
from ._point_to_point import isend as isend
from ._point_to_point import recv as recv
from ._point_to_point import send as send
from ._reduce_ops import ReduceOp as ReduceOp
from ._reduce_ops import make_premul_sum as _make_nccl_premul_sum
from ._reduce_ops import reduce_op as reduce_op
from ._stores import FileStore as FileStore
from ._stores import HashStore as HashStore
from ._stores import PrefixStore as PrefixStore
from ._stores import Store as Store
from ._stores import TCPStore as TCPStore
from ._work import Work as Work

__all__ = [
    "Backend",
    "BuiltinCommHookType",
    "DebugLevel",
    "DeviceMesh",
    "DistBackendError",
    "DistError",
    "DistNetworkError",
    "DistStoreError",
    "FileStore",
    "GradBucket",
    "GroupMember",
    "HashStore",
    "P2POp",
    "PrefixStore",
    "ProcessGroup",
    "QueueEmptyError",
    "ReduceOp",
    "Store",
    "TCPStore",
    "Work",
    "all_gather",
    "all_gather_coalesced",
    "all_gather_into_tensor",
    "all_gather_object",
    "all_gather_single",
    "all_reduce",
    "all_reduce_coalesced",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "gather_object",
    "get_backend",
    "get_backend_config",
    "get_debug_level",
    "get_default_backend_for_device",
    "get_global_rank",
    "get_group_rank",
    "get_node_local_rank",
    "get_pg_count",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "group",
    "init_device_mesh",
    "init_process_group",
    "irecv",
    "is_available",
    "is_backend_available",
    "is_gloo_available",
    "is_initialized",
    "is_mpi_available",
    "is_nccl_available",
    "is_torchelastic_launched",
    "is_ucc_available",
    "is_xccl_available",
    "isend",
    "monitored_barrier",
    "new_group",
    "new_subgroups",
    "new_subgroups_by_enumeration",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_op",
    "reduce_scatter",
    "reduce_scatter_single",
    "reduce_scatter_tensor",
    "scatter",
    "scatter_object_list",
    "send",
    "send_object_list",
    "set_debug_level",
    "set_debug_level_from_env",
    "split_group",
    "supports_complex",
]


def is_available() -> bool:
    """Return whether processes can work together: whether mpi4py is installed.

    >>> import minigrad
    >>> minigrad.distributed.is_available() in (True, False)
    True
    """
    return _mpi.installed()


def is_torchelastic_launched() -> bool:
    """Return whether ``torchrun`` started this process, according to the environment.

    >>> import minigrad
    >>> minigrad.distributed.is_torchelastic_launched()
    False
    """
    return os.environ.get("TORCHELASTIC_RUN_ID") is not None


def is_backend_available(backend: str) -> bool:
    """Return whether a backend can be used: ``mpi``, and ``gloo``, which MPI serves, if mpi4py is installed.

    >>> import minigrad
    >>> minigrad.distributed.is_backend_available("nccl")
    False
    """
    return backend.lower() in ("gloo", "mpi") and _mpi.installed()


def is_gloo_available() -> bool:
    """Return whether the backend ``gloo``, which MPI serves here, can be used: whether mpi4py is installed.

    >>> import minigrad
    >>> minigrad.distributed.is_gloo_available() == minigrad.distributed.is_available()
    True
    """
    return _mpi.installed()


def is_mpi_available() -> bool:
    """Return whether processes can communicate by MPI: whether mpi4py is installed.

    >>> import minigrad
    >>> minigrad.distributed.is_mpi_available() == minigrad.distributed.is_available()
    True
    """
    return _mpi.installed()


def is_nccl_available() -> bool:
    """Return whether processes can communicate by NCCL: always False.

    >>> import minigrad
    >>> minigrad.distributed.is_nccl_available()
    False
    """
    return False


def is_ucc_available() -> bool:
    """Return whether processes can communicate by UCC: always False.

    >>> import minigrad
    >>> minigrad.distributed.is_ucc_available()
    False
    """
    return False


def is_xccl_available() -> bool:
    """Return whether processes can communicate by XCCL: always False.

    >>> import minigrad
    >>> minigrad.distributed.is_xccl_available()
    False
    """
    return False


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """Return the number of this process on its machine, from the environment variable ``LOCAL_RANK``, else ``fallback_rank``.

    Raises RuntimeError if there is neither.

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


_later = _lazy.places(
    {"distributed.device_mesh": "device_mesh= DeviceMesh init_device_mesh"},
    {
        f"distributed.{name}": f"{name}="
        for name in (
            "algorithms",
            "checkpoint",
            "distributed_c10d",
            "elastic",
            "fsdp",
            "nn",
            "optim",
            "rpc",
            "run",
            "tensor",
        )
    },
)


def __getattr__(name: str) -> Any:
    return _lazy.fetch(name, _later, globals())
