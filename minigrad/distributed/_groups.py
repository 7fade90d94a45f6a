"""Groups of processes: how they are made, and what they say of themselves."""

import enum
import os
import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from . import _communicators, _leaving, _mpi, _ranks, _work
from ._errors import DistBackendError
from ._joining import join
from ._rendezvous import rendezvous

__all__ = [
    "Backend",
    "DebugLevel",
    "GroupMember",
    "ProcessGroup",
    "destroy_process_group",
    "get_backend",
    "get_backend_config",
    "get_debug_level",
    "get_default_backend_for_device",
    "get_global_rank",
    "get_group_rank",
    "get_pg_count",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "group",
    "init_process_group",
    "is_initialized",
    "new_group",
    "new_subgroups",
    "new_subgroups_by_enumeration",
    "set_debug_level",
    "set_debug_level_from_env",
    "split_group",
]

default_pg_timeout = timedelta(minutes=30)
_NO_GROUP = "Default process group has not been initialized, please make sure to call init_process_group."


class Backend(str):
    """The name of a communication backend, in lower case; here MPI serves both ``gloo`` and ``mpi``.

    >>> import minigrad
    >>> minigrad.distributed.Backend("GLOO")
    'gloo'
    """

    UNDEFINED: str = "undefined"
    GLOO: str = "gloo"
    NCCL: str = "nccl"
    UCC: str = "ucc"
    MPI: str = "mpi"
    XCCL: str = "xccl"
    FAKE: str = "fake"
    backend_list: list[str] = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE]
    default_device_backend_map: dict[str, str] = {"cpu": GLOO}

    def __new__(cls, name: str) -> Any:
        if not isinstance(name, str):
            raise ValueError(f"Backend constructor parameter must be string-ish: {name!r}")
        return str.__new__(cls, name.lower())


class DebugLevel(enum.IntEnum):
    """How much is checked: at ``DETAIL`` all ranks compare their arguments before each collective.

    >>> import minigrad
    >>> minigrad.distributed.DebugLevel.DETAIL > minigrad.distributed.DebugLevel.OFF
    True
    """

    OFF = 0
    INFO = 1
    DETAIL = 2


def _level_in_environment():
    name = os.environ.get("TORCH_DISTRIBUTED_DEBUG", "OFF").upper()
    if name not in DebugLevel.__members__:
        raise RuntimeError("The value of TORCH_DISTRIBUTED_DEBUG must be OFF, INFO, or DETAIL.")
    return DebugLevel[name]


_debug_level: Any = None


def get_debug_level() -> DebugLevel:
    """Return how much is checked, as set by the environment variable ``TORCH_DISTRIBUTED_DEBUG`` or ``set_debug_level``.

    >>> import minigrad
    >>> int(minigrad.distributed.get_debug_level())
    0
    """
    global _debug_level
    if _debug_level is None:
        _debug_level = _level_in_environment()
    return _debug_level


def set_debug_level(level: DebugLevel) -> None:
    """Set how much is checked; the same on all ranks.

    >>> import minigrad
    >>> minigrad.distributed.set_debug_level(minigrad.distributed.DebugLevel.OFF)
    """
    global _debug_level
    _debug_level = DebugLevel(level)


def set_debug_level_from_env() -> None:
    """Set how much is checked from the environment variable ``TORCH_DISTRIBUTED_DEBUG``.

    >>> import minigrad
    >>> minigrad.distributed.set_debug_level_from_env()
    """
    global _debug_level
    _debug_level = _level_in_environment()


class ProcessGroup:
    """A group of processes with collectives of its own, made by ``new_group``.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.group.WORLD.size(), distributed.group.WORLD.rank()
    (1, 0)
    >>> distributed.destroy_process_group()
    """

    def __init__(
        self, ranks: Any, rank: int, comm: Any, name: str, desc: str, timeout: timedelta, backend: str
    ) -> None:
        self.ranks: tuple[int, ...] = tuple(ranks)  # of the members, in the world
        self.group_name: str = name
        self.group_desc: str = desc
        self._rank, self._size = rank, len(self.ranks)
        self._comm = comm  # of collectives
        self._direct = None if comm is None else comm.Dup()  # of sends and receives
        self._timeout = timeout
        self._backend = Backend(backend)
        self._broken: Any = None
        self._count = 0
        self._started = _work.completed[name] = 0  # collectives
        self._channel: Any = None  # the same processes once more: see own_channel

    def rank(self) -> int:
        """Return the number of this process in the group."""
        return self._rank

    def size(self) -> int:
        """Return the number of processes in the group."""
        return self._size

    def name(self) -> str:
        """Return the name of the backend."""
        return self._backend

    @property
    def timeout(self) -> timedelta:
        """The time that a collective waits for the other ranks."""
        return self._timeout

    def set_timeout(self, timeout: timedelta) -> None:
        """Set the time that collectives wait for the other ranks."""
        self._timeout = timeout

    def _seconds(self, timeout):
        return (timeout or self._timeout).total_seconds()

    def _close(self):
        if self._channel is not None:
            self._channel._close()
        for comm in (self._comm, self._direct):
            if comm is not None and self._broken is None:
                comm.Free()
        self._comm = self._direct = None
        self._broken = self._broken or DistBackendError("the group was destroyed")


class _World:
    """The groups that there are."""

    default: Any = None
    groups: list[ProcessGroup] = []
    made = 0  # how many groups were made, on this rank or on others
    store: Any = None


class _GroupNames(type):
    """Lets ``group.WORLD`` be whatever the default group is."""

    @property
    def WORLD(cls) -> Any:
        return _World.default


class group(metaclass=_GroupNames):
    """``group.WORLD``: the group of all processes, None before ``init_process_group``.

    >>> import minigrad
    >>> minigrad.distributed.group.WORLD is None
    True
    """


class GroupMember(metaclass=_GroupNames):
    """``GroupMember.WORLD``, and ``NON_GROUP_MEMBER``: what ``new_group`` gives to processes that are not in the group.

    >>> import minigrad
    >>> minigrad.distributed.GroupMember.NON_GROUP_MEMBER
    -100
    """

    NON_GROUP_MEMBER = -100


def init_process_group(
    backend: str | None = None,
    init_method: str | None = None,
    timeout: timedelta | None = None,
    world_size: int = -1,
    rank: int = -1,
    store: Any = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: Any = None,
    _ranks: list[int] | None = None,
) -> None:
    """Create the group of all processes, once in each of them: those that ``mpiexec`` has started, or that find each other.

    Under ``mpiexec`` and ``python -m minigrad.distributed.run`` no argument is needed. ``backend`` is ``gloo`` or ``mpi``, which mean the
    same. Processes that were started otherwise give their ``rank`` and ``world_size``, by arguments or environment variables, and meet by
    ``init_method`` (``env://``, ``tcp://host:port``, ``file://path``) or a ``store``; a single process (``world_size`` 1) needs no MPI.
    Collectives wait for the others for ``timeout``, by default 30 minutes.

    Raises ValueError if there is a group already or the rank is unknown, RuntimeError for another backend, ImportError without mpi4py.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group("gloo", rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.get_rank(), distributed.get_world_size()
    (0, 1)
    >>> distributed.destroy_process_group()
    """
    if _World.default is not None:
        raise ValueError("trying to initialize the default process group twice!")
    if store is not None and init_method is not None:
        raise AssertionError("Cannot specify both init_method and store.")
    backend = _served(backend)
    launched = _under_mpi()
    if launched is not None:
        number, count = launched
        if world_size not in (-1, count):
            raise ValueError(
                f"world_size is {world_size}, but {count} processes were started by MPI's launcher"
            )
        wanted = rank if rank >= 0 else int(os.environ.get("RANK", number))
        comm = None
        if count > 1:
            world = _mpi.load().COMM_WORLD
            comm = world.Dup() if wanted == number else world.Split(0, wanted)
            number = comm.Get_rank()
    else:
        store, number, count = rendezvous(
            backend, init_method, store, rank, world_size, timeout or default_pg_timeout
        )
        comm = join(store, number, count, timeout or default_pg_timeout) if count > 1 else None
    if count > 1:
        _mpi.end_all_on_exceptions()
        _leaving.watch(comm)
    _World.store = store
    _World.default = ProcessGroup(
        range(count), number, comm, group_name or "0", "default_pg", timeout or default_pg_timeout, backend
    )
    _World.groups, _World.made = [_World.default], 1


def _under_mpi():
    """Rank and number of the processes that a launcher of MPI has started, this one among them, or None."""
    found = _ranks.launched()
    if found is not None:
        return found[:2]
    MPI = sys.modules.get("mpi4py.MPI")
    if MPI is not None and MPI.Is_initialized() and MPI.COMM_WORLD.Get_size() > 1:
        return MPI.COMM_WORLD.Get_rank(), MPI.COMM_WORLD.Get_size()
    return None


def _served(backend):
    """The name of a backend, or of that for the CPU in ``cpu:gloo,cuda:nccl``."""
    if backend is None:
        return Backend.GLOO
    name = Backend(backend)
    if ":" in name:
        by_device = dict(part.split(":", 1) for part in name.split(","))
        name = Backend(by_device.get("cpu", next(iter(by_device.values()))))
    if name in ("gloo", "mpi"):
        return name
    if name == "nccl":
        raise ValueError(
            "ProcessGroupNCCL is only supported with GPUs, no GPUs found! minigrad computes on the CPU: use gloo or mpi."
        )
    raise ValueError(f"Unknown c10d backend type {str(name).upper()}: minigrad has gloo and mpi")


def is_initialized() -> bool:
    """Return whether there is a process group.

    >>> import minigrad
    >>> minigrad.distributed.is_initialized()
    False
    """
    return _World.default is not None


def destroy_process_group(group: ProcessGroup | None = None) -> None:
    """Shut down a group, or all of them; operations that are under way are abandoned.

    Raises AssertionError if there is none.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.destroy_process_group()
    >>> distributed.is_initialized()
    False
    """
    if group is GroupMember.NON_GROUP_MEMBER:
        return
    if _World.default is None or (group is not None and group not in _World.groups):
        raise AssertionError("Invalid process group specified or process group is already destroyed")
    everything = group is None or group is _World.default
    doomed: list[Any] = list(_World.groups) if everything else [group]
    _work.poll()
    if everything:
        _leaving.leave()
    for each in doomed:
        each._close()
        _World.groups.remove(each)
    if everything:
        _World.default = _World.store = None


def default_group() -> ProcessGroup:
    if _World.default is None:
        raise ValueError(_NO_GROUP)
    return _World.default


def group_of(group):
    """The group that an argument names, or None where this process is not in it."""
    if group is None:
        return default_group()
    if group is GroupMember.NON_GROUP_MEMBER:
        return None
    if not isinstance(group, ProcessGroup):
        raise TypeError(
            f"Invalid function argument. Expected parameter `group` of type ProcessGroup, but got {type(group)}"
        )
    return group


def own_channel(group):
    """A group of the same processes whose collectives do not wait for those of ``group``: for another thread.  All of them ask for it at the same time."""
    found = group_of(group)
    if found is not None and found._channel is None:
        comm = None if found._comm is None else _communicators.duplicate(found)
        found._channel = ProcessGroup(
            found.ranks,
            found._rank,
            comm,
            f"{found.group_name}/channel",
            f"{found.group_desc}:channel",
            found._timeout,
            found._backend,
        )
    return found._channel if found is not None else GroupMember.NON_GROUP_MEMBER


def get_rank(group: ProcessGroup | None = None) -> int:
    """Return the number of this process in a group, by default that of all processes; -1 if it is not a member.

    Raises ValueError if there is no group.

    >>> import minigrad
    >>> minigrad.distributed.get_rank()
    Traceback (most recent call last):
        ...
    ValueError: Default process group has not been initialized, please make sure to call init_process_group.
    """
    found = group_of(group)
    return -1 if found is None else found._rank


def get_world_size(group: ProcessGroup | None = None) -> int:
    """Return the number of processes in a group, by default that of all processes; -1 if this one is not a member.

    Raises ValueError if there is no group.

    >>> import minigrad
    >>> minigrad.distributed.get_world_size()
    Traceback (most recent call last):
        ...
    ValueError: Default process group has not been initialized, please make sure to call init_process_group.
    """
    found = group_of(group)
    return -1 if found is None else found._size


def get_backend(group: ProcessGroup | None = None) -> Backend:
    """Return the name of the backend that the program asked for.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group("gloo", rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.get_backend()
    'gloo'
    >>> distributed.destroy_process_group()
    """
    found = group_of(group)
    if found is None:
        raise ValueError("Invalid process group specified")
    return found._backend


def get_backend_config(group: ProcessGroup | None = None) -> str:
    """Return the name of the backend and the devices it serves.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group("gloo", rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.get_backend_config()
    'cpu:gloo'
    >>> distributed.destroy_process_group()
    """
    return f"cpu:{get_backend(group)}"


def get_default_backend_for_device(device: Any) -> str:
    """Return the name of the backend for tensors of a device.

    >>> import minigrad
    >>> minigrad.distributed.get_default_backend_for_device("cpu")
    'gloo'
    """
    kind = str(device).partition(":")[0]
    if kind != "cpu":
        raise ValueError(f"Default backend not registered for device : {device}")
    return "gloo"


def get_pg_count() -> int:
    """Return the number of groups.

    >>> import minigrad
    >>> minigrad.distributed.get_pg_count()
    0
    """
    return len(_World.groups)


def get_process_group_ranks(group: ProcessGroup | None = None) -> list[int]:
    """Return the global ranks of the members of a group.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.get_process_group_ranks(distributed.group.WORLD)
    [0]
    >>> distributed.destroy_process_group()
    """
    found = group_of(group)
    return [] if found is None else list(found.ranks)


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """Return the global rank of a member of a group; raise ValueError if there is no such member.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.get_global_rank(distributed.group.WORLD, 0)
    0
    >>> distributed.destroy_process_group()
    """
    if group is GroupMember.WORLD:
        return group_rank
    if not 0 <= group_rank < group._size:
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return group.ranks[group_rank]


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    """Return the rank in a group of a global rank; raise ValueError if it is not a member.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.get_group_rank(distributed.group.WORLD, 0)
    0
    >>> distributed.destroy_process_group()
    """
    if global_rank not in group.ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return group.ranks.index(global_rank)


def new_group(
    ranks: Sequence[int] | None = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: str | None = None,
    device_id: Any = None,
    sort_ranks: bool = True,
) -> Any:
    """Create a group of some of the processes. All processes call this in the same order; the others get ``GroupMember.NON_GROUP_MEMBER``.

    With ``use_local_synchronization`` only the members have to call it. ``pg_options`` has no effect, as in PyTorch's gloo. Raises
    ValueError for ranks that do not exist.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.new_group([0]).size()
    1
    >>> distributed.destroy_process_group()
    """
    world = default_group()
    members = list(range(world._size)) if ranks is None else [int(r) for r in ranks]
    for rank in members:
        if not 0 <= rank < world._size:
            raise ValueError(
                f"Rank {rank} is out of range. Valid ranks are 0 to {world._size - 1} (world_size={world._size})"
            )
    if len(set(members)) != len(members):
        raise ValueError(f"the ranks of a group must differ: {members}")
    if sort_ranks:
        members.sort()
    if use_local_synchronization:
        name = "-".join(map(str, members))
        before = sum(each.group_name.partition(":")[0] == name for each in _World.groups)
        name = f"{name}:{before}" if before else name
        tag = _tag_of(name)
    else:
        name, tag = str(_World.made), _World.made
        _World.made += 1
    own = world._rank
    if own not in members:
        return GroupMember.NON_GROUP_MEMBER
    comm = None
    if len(members) > 1:
        comm = _communicators.of_members(world, members, tag)
    served = world._backend if backend is None else _served(backend)
    made = ProcessGroup(
        members, members.index(own), comm, name, group_desc or "undefined", timeout or world._timeout, served
    )
    _World.groups.append(made)
    return made


def _tag_of(name):
    import zlib

    return zlib.crc32(name.encode()) % 16384 + 16384


def new_subgroups(
    group_size: int | None = None,
    group: ProcessGroup | None = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    group_desc: str | None = None,
) -> tuple[Any, list[Any]]:
    """Divide all processes into groups of ``group_size`` neighbours; return the group of this process, and all groups.

    Raises ValueError if the size does not divide their number.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> own, groups = distributed.new_subgroups(1)
    >>> own.size(), len(groups)
    (1, 1)
    >>> distributed.destroy_process_group()
    """
    if group_size is None:
        group_size = int(os.environ.get("LOCAL_WORLD_SIZE", get_world_size()))
    if group_size <= 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    members = get_process_group_ranks(group)
    if group_size > len(members):
        raise ValueError(
            f"The arg 'group_size' ({group_size}) must not exceed the world size ({len(members)})"
        )
    if len(members) % group_size:
        raise ValueError(f"The world size ({len(members)}) must be divisible by '{group_size=}'")
    parts = [members[k : k + group_size] for k in range(0, len(members), group_size)]
    return new_subgroups_by_enumeration(parts, timeout, backend, pg_options, group_desc)


def new_subgroups_by_enumeration(
    ranks_per_subgroup_list: Sequence[Sequence[int]],
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    group_desc: str | None = None,
) -> tuple[Any, list[Any]]:
    """Create groups of the processes in the given lists; return the group of this process, and all groups.

    Raises ValueError if a process is listed twice.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.new_subgroups_by_enumeration([[0]])[0].rank()
    0
    >>> distributed.destroy_process_group()
    """
    if not ranks_per_subgroup_list:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    own, groups, seen = None, [], set()
    for ranks in ranks_per_subgroup_list:
        twice = seen.intersection(ranks)
        if twice:
            raise ValueError(f"Rank {min(twice)} has appeared in more than one subgroup")
        seen.update(ranks)
    for ranks in ranks_per_subgroup_list:
        made = new_group(ranks, timeout, backend, pg_options, group_desc=group_desc)
        groups.append(made)
        if made is not GroupMember.NON_GROUP_MEMBER:
            own = made
    return own, groups


def split_group(
    parent_pg: ProcessGroup | None = None,
    split_ranks: Sequence[Sequence[int]] | None = None,
    timeout: timedelta | None = None,
    pg_options: Any = None,
    group_desc: str | None = None,
    backend: Any = None,
) -> ProcessGroup | None:
    """Divide a group by lists of ranks in it; return the new group of this process, or None if no list contains it.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.split_group(split_ranks=[[0]]).size()
    1
    >>> distributed.destroy_process_group()
    """
    parent = group_of(parent_pg)
    if not split_ranks:
        raise ValueError("split_ranks cannot be None or empty")
    if parent is None:
        return None
    color = next((k for k, ranks in enumerate(split_ranks) if parent._rank in ranks), None)
    comm = None
    if parent._size > 1:
        key = sorted(split_ranks[color]).index(parent._rank) if color is not None else 0
        comm = _communicators.split(parent, color, key)
    parent._count += 1
    if color is None:
        return None
    ranks = sorted(split_ranks[color])
    if len(ranks) == 1 and comm is not None:
        comm.Free()
        comm = None
    made = ProcessGroup(
        [parent.ranks[r] for r in ranks],
        ranks.index(parent._rank),
        comm,
        f"{parent.group_name}/{parent._count}.{color}",
        group_desc or f"{parent.group_desc}:split:{color}",
        timeout or parent._timeout,
        parent._backend if backend is None else _served(backend),
    )
    _World.groups.append(made)
    return made
