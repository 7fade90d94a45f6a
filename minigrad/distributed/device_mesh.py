"""Processes laid out as a table of several dimensions, each of which has groups of its own: ``init_device_mesh``."""

import math
import threading
from typing import Any

import numpy as np

from .._api import Tensor, from_numpy
from ._groups import (
    ProcessGroup,
    default_group,
    get_rank,
    get_world_size,
    init_process_group,
    is_initialized,
    new_group,
)

__all__ = ["DeviceMesh", "init_device_mesh"]

_active = threading.local()


class DeviceMesh:
    """Ranks in a table; along each dimension the processes that differ in nothing else are a group.

    ``mesh`` has the ranks, nested lists or a tensor of integers; all processes make the mesh, alike; ``backend_override`` has ``(name of a backend, None)`` for each
    dimension. ``mesh["name"]``, of a mesh whose dimensions have names, is the part of it along these dimensions in which this process is.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> mesh = distributed.DeviceMesh("cpu", [[0]], mesh_dim_names=("replicas", "parts"))
    >>> mesh, mesh["parts"].get_group().size()
    (DeviceMesh((replicas=1, parts=1), 'cpu', stride=((), ())), 1)
    >>> distributed.destroy_process_group()
    """

    def __init__(
        self,
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: tuple[str, ...] | None = None,
        backend_override: Any = None,
        _init_backend: bool = True,
        _rank: int | None = None,
    ) -> None:
        if mesh is None:
            raise TypeError("The mesh argument is required except for PRIVATE USAGE ONLY!")
        _check_device(device_type)
        if not is_initialized():
            init_process_group()
        ranks = np.array(mesh.tolist() if isinstance(mesh, Tensor) else mesh, np.int32)
        if ranks.ndim == 0:
            ranks = ranks.reshape(1)
        if ranks.size > get_world_size():
            raise RuntimeError(
                f"Mesh should not be bigger than default world size {get_world_size()}, but found {ranks.size} ranks!"
            )
        if len(np.unique(ranks)) != ranks.size:
            raise AssertionError("Please use a non-overlapping layout when creating a DeviceMesh.")
        overrides = ((None, None),) * ranks.ndim if backend_override is None else tuple(backend_override)
        if len(overrides) != ranks.ndim:
            raise ValueError(
                "backend_override should have the same length as the number of mesh dimensions, "
                f"but got {len(overrides)} and {ranks.ndim}."
            )
        backends = [_backend_of(override) for override in overrides]
        strides = tuple(step // ranks.itemsize for step in ranks.strides)
        self._set(device_type, ranks, tuple(mesh_dim_names or ()) or None, strides, self)
        self._groups: Any = []
        if _init_backend:
            self._groups = [_groups_along(ranks, dim, backend) for dim, backend in enumerate(backends)]

    def _set(self, device_type, ranks, names, strides, root):
        self._device_type, self._ranks, self._names, self._strides = device_type, ranks, names, strides
        self._root, self._flattened = root, {}
        self._rank = get_rank()
        places = np.argwhere(ranks == self._rank)
        self._place = tuple(places[0].tolist()) if len(places) else None

    @classmethod
    def _part(cls, root, ranks, names, strides, groups):
        made = cls.__new__(cls)
        made._set(root._device_type, ranks, names, strides, root)
        made._groups = groups
        return made

    @property
    def device_type(self) -> str:
        """The kind of devices: ``cpu``."""
        return self._device_type

    @property
    def mesh(self) -> Tensor:
        """The ranks, as a tensor."""
        return from_numpy(self._ranks.copy())

    @property
    def mesh_dim_names(self) -> tuple[str, ...] | None:
        """The names of the dimensions."""
        return self._names

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._ranks.ndim

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of processes along each dimension."""
        return self._ranks.shape

    def size(self, mesh_dim: int | None = None) -> int:
        """Return the number of processes, in all or along one dimension."""
        return self._ranks.size if mesh_dim is None else self._ranks.shape[mesh_dim]

    def get_rank(self) -> int:
        """Return the rank of this process among all."""
        return self._rank

    def get_coordinate(self) -> tuple[int, ...] | None:
        """Return the place of this process in the mesh; None if it is not in it."""
        return self._place

    def _dim(self, mesh_dim, more=()):
        if mesh_dim is None:
            if self.ndim > 1:
                raise RuntimeError(
                    f"Found the DeviceMesh have {self.ndim} dimensions",
                    "Optional kwarg `mesh_dim` needs to be specified when device_mesh.ndim > 1.",
                    *more,
                )
            return 0
        if not isinstance(mesh_dim, str):
            return mesh_dim
        if mesh_dim not in (self._names or ()):
            raise KeyError(
                f"Mesh dimension '{mesh_dim}' does not exist. Available mesh dimensions are: {list(self._names or ())}"
            )
        return (self._names or ()).index(mesh_dim)

    def get_local_rank(self, mesh_dim: int | str | None = None) -> int:
        """Return the rank of this process in the group along a dimension, given by number or name; which it is may be left out if there is one only."""
        self._dim(mesh_dim)
        return get_rank(self.get_group(mesh_dim))

    def get_group(self, mesh_dim: int | str | None = None) -> ProcessGroup:
        """Return the group, along a dimension, in which this process is; RuntimeError if it is not in the mesh."""
        hint = "If you want to get the list of all the ProcessGroups in the DeviceMesh,please use `get_all_groups()` instead."
        if isinstance(mesh_dim, str) and mesh_dim in self._root._flattened:
            return self._root._flattened[mesh_dim].get_group()
        dim = self._dim(mesh_dim, (hint,))
        if not self._groups:
            raise RuntimeError("DeviceMesh process groups not initialized!")
        if self._groups[dim] is None:
            raise RuntimeError(f"rank {self._rank} is not part of {self}")
        return self._groups[dim]

    def get_all_groups(self) -> list[ProcessGroup]:
        """Return the groups of this process along all dimensions."""
        return [self.get_group(dim) for dim in range(self.ndim)]

    def __getitem__(self, mesh_dim_names: str | tuple[str, ...]) -> "DeviceMesh":
        if self._names is None:
            raise RuntimeError("Cannot slice a DeviceMesh without mesh_dim_names!")
        names = (mesh_dim_names,) if isinstance(mesh_dim_names, str) else tuple(mesh_dim_names)
        if names == self._names:
            return self
        if len(names) == 1 and names[0] in self._root._flattened:
            return self._root._flattened[names[0]]
        if not names or any(name not in self._names for name in names):
            raise KeyError(
                f"Invalid mesh_dim_names {names} specified. Valid mesh_dim_names are {[*self._names, *self._root._flattened]}."
            )
        dims = [self._names.index(name) for name in names]
        if dims != sorted(set(dims)):
            raise KeyError(
                f"Invalid mesh_dim_names {names} specified. Mesh dim indices should be in ascending order of {self._names}."
            )
        place = self._place or (0,) * self.ndim
        ranks = self._ranks[tuple(slice(None) if dim in dims else place[dim] for dim in range(self.ndim))]
        groups = [self._groups[dim] for dim in dims] if self._groups else []
        return self._part(self._root, ranks, names, tuple(self._strides[dim] for dim in dims), groups)

    def _flatten(self, mesh_dim_name: str | None = None, backend_override: Any = None) -> "DeviceMesh":
        """All processes of the mesh along one dimension, which is called as its dimensions together; all processes call this.

        ``backend_override`` names the backend of its group.
        """
        if not self._names:
            raise RuntimeError("Cannot flatten a DeviceMesh without mesh_dim_names!")
        name = mesh_dim_name or "_".join(self._names)
        if self.ndim == 1 and not mesh_dim_name:
            return self
        root = self._root
        if name not in root._flattened:
            dims = [root._names.index(each) for each in self._names]
            rest = [dim for dim in range(root.ndim) if dim not in dims]
            rows = root._ranks.transpose(*rest, *dims).reshape(-1, self._ranks.size)
            group = _own_group(rows, _backend_of(_as_pair(backend_override)))
            made = self._part(root, self._ranks.reshape(-1), (name,), (self._strides[-1],), [group])
            root._flattened[name] = made
        return root._flattened[name]

    @staticmethod
    def from_group(
        group: Any,
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: tuple[str, ...] | None = None,
    ) -> "DeviceMesh":
        """Return a mesh of groups that there are: of one group, along one dimension; or of a list of groups, one for each dimension of ``mesh``, the ranks.

        Raises ValueError if the groups and the mesh do not fit.

        >>> import minigrad
        >>> from minigrad import distributed
        >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
        >>> distributed.DeviceMesh.from_group(distributed.group.WORLD, "cpu")
        DeviceMesh((1,), 'cpu', stride=((),))
        >>> distributed.destroy_process_group()
        """
        given = mesh.tolist() if isinstance(mesh, Tensor) else mesh
        if isinstance(group, ProcessGroup):
            ranks = list(group.ranks)
            if given is not None and given != ranks:
                raise ValueError(f"Invalid mesh {given} for ProcessGroup with ranks {ranks}")
            groups, given = [group], ranks
        else:
            groups = list(group)
            if not groups:
                raise ValueError("Expects at least one ProcessGroup to be passed")
            if given is None:
                raise ValueError("Must pass mesh if passing multiple ProcessGroups")
            if mesh_dim_names is None:
                raise ValueError("Must pass mesh_dim_names if passing multiple ProcessGroups")
            if np.array(given).ndim != len(groups):
                raise ValueError(
                    f"Expects mesh with ndim equal to number of ProcessGroups but got mesh {given} and {len(groups)} ProcessGroups"
                )
        made = DeviceMesh(device_type, given, mesh_dim_names=mesh_dim_names, _init_backend=False)
        made._groups = groups
        return made

    def __enter__(self) -> "DeviceMesh":
        _active.__dict__.setdefault("meshes", []).append(self)
        return self

    def __exit__(self, *exc: Any) -> None:
        _active.meshes.pop()

    def _key(self):
        return self._device_type, self._names, self._ranks.shape, self._strides, self._ranks.tobytes()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, DeviceMesh) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        if self._names:
            sizes = ", ".join(f"{name}={size}" for name, size in zip(self._names, self.shape))
        else:
            sizes = ", ".join(map(str, self.shape)) + ("," if self.ndim == 1 else "")
        strides = tuple(() if size == 1 else stride for size, stride in zip(self.shape, self._strides))
        return f"DeviceMesh(({sizes}), '{self._device_type}', stride={strides})"

    def __getstate__(self) -> Any:
        """What is pickled: all but the groups, which belong to this process."""
        return self._device_type, self._ranks, self._names, self._strides

    def __setstate__(self, state: Any) -> None:
        device_type, ranks, names, strides = state
        self._set(device_type, ranks, names, strides, self)
        self._groups = []


def _check_device(device_type):
    if not isinstance(device_type, str) or not device_type.isidentifier():
        raise RuntimeError(
            f"Device type with index is not supported but got {device_type}. ",
            "If you maintained a 'torch.device' object, it's recommended to pass in 'device.type'.",
        )
    if device_type != "cpu":
        raise RuntimeError(f"minigrad computes on the CPU: meshes of {device_type} devices are not supported")


def _as_pair(override):
    """What may be given for a dimension, as name of a backend and options."""
    if override is None or isinstance(override, str):
        return override, None
    return override if isinstance(override, tuple) else (None, override)


def _backend_of(override):
    """The name in such a pair."""
    backend, options = override
    if options is not None:
        raise NotImplementedError(
            "backend_override takes names of backends only: minigrad has no backend options"
        )
    return backend


def _by_dimension(overrides, names, ndim):
    """Such pairs for all dimensions, from a dict by number or name."""
    left, pairs = dict(overrides), []
    for dim, name in zip(range(ndim), names or [None] * ndim):
        if dim in left and name in left:
            raise RuntimeError(f"Found redundant dim index {dim} and name {name} in backend_override")
        pairs.append(_as_pair(left.pop(dim, None) if name not in left else left.pop(name)))
    if left:
        raise RuntimeError(
            f"Found invalid keys in backend_override: got {list(left)}, expected integers in range [0, {ndim}) or one of {tuple(names or ())}"
        )
    return tuple(pairs)


def _groups_along(ranks, dim, backend):
    """The group of this process along a dimension."""
    return _own_group(np.moveaxis(ranks, dim, -1).reshape(-1, ranks.shape[dim]), backend)


def _own_group(rows, backend):
    """Make a group of each row of ranks: that of this process, or None."""
    world = default_group()
    if backend is None and rows.shape == (1, world._size):
        return world
    own = None
    for row in rows.tolist():
        made = new_group(row, backend=backend)
        own = made if world._rank in row else own
    return own


def init_device_mesh(
    device_type: str,
    mesh_shape: tuple[int, ...],
    *,
    mesh_dim_names: tuple[str, ...] | None = None,
    backend_override: Any = None,
) -> DeviceMesh:
    """Return a mesh of that shape, of the ranks in order; the group of all processes is made if there is none.  All processes call this.

    ``backend_override`` has the names of the backends of some dimensions, by number or name: ``{"parts": "mpi"}``. Raises RuntimeError for names that repeat or are
    not as many as the dimensions, for other dimensions, and for more ranks than there are; ValueError for other backends.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> mesh = distributed.init_device_mesh("cpu", (1, 1), mesh_dim_names=("replicas", "parts"))
    >>> mesh.get_local_rank("parts"), mesh.size()
    (0, 1)
    >>> distributed.destroy_process_group()
    """
    if mesh_dim_names is not None:
        if len(set(mesh_dim_names)) != len(mesh_dim_names):
            raise RuntimeError(
                f"Each mesh_dim_name must be unique. Found repeated mesh_dim_name in mesh_dim_names {mesh_dim_names}"
            )
        if len(mesh_shape) != len(mesh_dim_names):
            raise RuntimeError(
                "mesh_shape and mesh_dim_names should have same length! "
                f"Found len(mesh_dim_names): {len(mesh_dim_names)} and len(mesh_shape):{len(mesh_shape)}."
            )
    _check_device(device_type)
    ranks = np.arange(math.prod(mesh_shape)).reshape(mesh_shape)
    overrides = backend_override and _by_dimension(backend_override, mesh_dim_names, len(mesh_shape))
    return DeviceMesh(device_type, ranks, mesh_dim_names=mesh_dim_names, backend_override=overrides or None)
