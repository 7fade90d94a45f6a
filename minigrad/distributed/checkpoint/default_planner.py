"""The plans that are made if a program gives no others: replicated tensors are written once, and read by all."""

import io
import math
from collections import ChainMap
from dataclasses import replace
from typing import Any

from ... import serialization
from ..._api import Tensor, empty
from ..._base.size import Size
from ._nested import flatten, set_at
from .metadata import (
    BytesStorageMetadata,
    ChunkStorageMetadata,
    Metadata,
    MetadataIndex,
    StorageMeta,
    TensorProperties,
    TensorStorageMetadata,
)
from .planner import (
    LoadItemType,
    LoadPlan,
    LoadPlanner,
    ReadItem,
    SavePlan,
    SavePlanner,
    TensorWriteData,
    WriteItem,
    WriteItemType,
)

__all__ = [
    "DefaultLoadPlanner",
    "DefaultSavePlanner",
    "create_default_global_load_plan",
    "create_default_global_save_plan",
    "create_default_local_load_plan",
    "create_default_local_save_plan",
]


class DefaultSavePlanner(SavePlanner):
    """Writes each name once: of the processes that have it, the one writes it that has least to write so far (``dedup_save_to_lowest_rank``: the first one).

    With ``flatten_state_dict`` nested states are stored under names such as ``model.weight``.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint import DefaultSavePlanner
    >>> planner = DefaultSavePlanner()
    >>> planner.set_up_planner({"model": {"weight": minigrad.ones(2)}, "epoch": 3})
    >>> [item.index.fqn for item in planner.create_local_plan().items]
    ['model.weight', 'epoch']
    """

    def __init__(
        self,
        flatten_state_dict: bool = True,
        flatten_sharded_tensors: bool = True,
        dedup_replicated_tensors: bool | None = None,
        dedup_save_to_lowest_rank: bool = False,
        enable_plan_caching: bool = False,
    ) -> None:
        self.flatten_state_dict = flatten_state_dict
        self.flatten_sharded_tensors = flatten_sharded_tensors
        self.dedup_save_to_lowest_rank = dedup_save_to_lowest_rank
        self.mappings: dict[str, Any] = {}

    def set_up_planner(
        self, state_dict: Any, storage_meta: StorageMeta | None = None, is_coordinator: bool = False
    ) -> None:
        if self.flatten_state_dict:
            state_dict, self.mappings = flatten(state_dict)
        self.state_dict = state_dict
        self.is_coordinator = is_coordinator

    def create_local_plan(self) -> SavePlan:
        plan = create_default_local_save_plan(self.state_dict, self.is_coordinator)
        self.plan = replace(plan, planner_data=self.mappings) if self.flatten_state_dict else plan
        return self.plan

    def create_global_plan(self, all_plans: list[SavePlan]) -> tuple[list[SavePlan], Metadata]:
        plans = _each_once(all_plans, self.dedup_save_to_lowest_rank)
        self.global_plan, self.metadata = create_default_global_save_plan(plans)
        if self.flatten_state_dict:
            self.metadata.planner_data = dict(ChainMap(*(plan.planner_data for plan in plans)))
        return self.global_plan, self.metadata

    def finish_plan(self, new_plan: SavePlan) -> SavePlan:
        self.plan = new_plan
        return new_plan

    def resolve_data(self, write_item: WriteItem) -> Tensor | io.BytesIO:
        return self.transform_object(write_item, self.lookup_object(write_item.index))

    def lookup_object(self, index: MetadataIndex) -> Any:
        """Return what the state has under a name."""
        return self.state_dict[index.fqn]

    def transform_object(self, write_item: WriteItem, object: Any) -> Any:
        """Return what is written of an object: a tensor as it is, of others what ``save`` makes of them."""
        if write_item.type is not WriteItemType.BYTE_IO:
            return object
        data = io.BytesIO()
        serialization.save(object, data)
        return data


class DefaultLoadPlanner(LoadPlanner):
    """Reads into the tensors of a state, and puts other objects into it.

    With ``flatten_state_dict`` nested states are read from names such as ``model.weight``; ``allow_partial_load`` leaves alone what the checkpoint has not.
    Raises RuntimeError for a name that is missing, ValueError for a tensor of another shape.

    >>> from minigrad.distributed.checkpoint import DefaultLoadPlanner
    >>> DefaultLoadPlanner(allow_partial_load=True).allow_partial_load
    True
    """

    def __init__(
        self,
        flatten_state_dict: bool = True,
        flatten_sharded_tensors: bool = True,
        allow_partial_load: bool = False,
    ) -> None:
        self.flatten_state_dict = flatten_state_dict
        self.flatten_sharded_tensors = flatten_sharded_tensors
        self.allow_partial_load = allow_partial_load
        self.original_state_dict: Any = {}
        self.mappings: dict[str, Any] = {}

    def set_up_planner(
        self, state_dict: Any, metadata: Metadata | None = None, is_coordinator: bool = False
    ) -> None:
        self.original_state_dict = state_dict
        if self.flatten_state_dict:
            state_dict, self.mappings = flatten(state_dict)
        self.state_dict, self.metadata, self.is_coordinator = state_dict, metadata, is_coordinator

    def create_local_plan(self) -> LoadPlan:
        if self.metadata is None:
            raise AssertionError("a plan to load needs the metadata of a checkpoint")
        return create_default_local_load_plan(self.state_dict, self.metadata, not self.allow_partial_load)

    def create_global_plan(self, global_plan: list[LoadPlan]) -> list[LoadPlan]:
        return create_default_global_load_plan(global_plan)

    def finish_plan(self, new_plan: LoadPlan) -> LoadPlan:
        return new_plan

    def load_bytes(self, read_item: ReadItem, value: io.BytesIO) -> None:
        name = read_item.dest_index.fqn
        loaded = serialization.load(value, weights_only=False)
        set_at(self.original_state_dict, self.mappings.get(name, (name,)), loaded)

    def resolve_tensor(self, read_item: ReadItem) -> Tensor:
        return self.transform_tensor(read_item, self.lookup_tensor(read_item.dest_index))

    def commit_tensor(self, read_item: ReadItem, tensor: Tensor) -> None:
        pass  # it has been written to the very tensor of the state

    def lookup_tensor(self, index: MetadataIndex) -> Tensor:
        """Return the tensor that the state has under a name."""
        return self.state_dict[index.fqn]

    def transform_tensor(self, read_item: ReadItem, tensor: Tensor) -> Tensor:
        """Return the part of the tensor that is written to."""
        return part_of(tensor, read_item.dest_offsets, read_item.lengths)


class EverythingPlanner(DefaultLoadPlanner):
    """Reads a whole checkpoint into an empty state, which gets the tensors and objects that it has."""

    def set_up_planner(
        self, state_dict: Any, metadata: Metadata | None = None, is_coordinator: bool = False
    ) -> None:
        if metadata is None or state_dict:
            raise AssertionError("a whole checkpoint is read into an empty state")
        for name, stored in metadata.state_dict_metadata.items():
            path = (metadata.planner_data or {}).get(name, (name,))
            if isinstance(stored, TensorStorageMetadata):
                set_at(state_dict, path, empty(stored.size, dtype=stored.properties.dtype))
            else:
                set_at(state_dict, path, stored)
        super().set_up_planner(state_dict, metadata, is_coordinator)


def part_of(tensor: Tensor, offsets: Any, lengths: Any) -> Tensor:
    """Return the view of a tensor that begins at the offsets and has the lengths."""
    for dim, (begin, length) in enumerate(zip(offsets, lengths)):
        if tensor.shape[dim] != length:
            tensor = tensor.narrow(dim, begin, length)
    return tensor


def create_default_local_save_plan(state_dict: dict[str, Any], is_coordinator: bool) -> SavePlan:
    """Return a plan to write all that a flat state has.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.default_planner import create_default_local_save_plan
    >>> [item.type.name for item in create_default_local_save_plan({"a": minigrad.ones(2), "b": 1}, True).items]
    ['TENSOR', 'BYTE_IO']
    """
    items = []
    for name, value in state_dict.items():
        if isinstance(value, Tensor):
            whole = _whole(value.size())
            data = TensorWriteData(whole, TensorProperties.create_from_tensor(value), value.size())
            items.append(
                WriteItem(MetadataIndex(name, whole.offsets), WriteItemType.TENSOR, tensor_data=data)
            )
        else:
            items.append(WriteItem(MetadataIndex(name), WriteItemType.BYTE_IO))
    return SavePlan(items)


def _each_once(plans, to_first):
    """The plans without what another process writes."""
    holders: dict[Any, list[int]] = {}
    for number, plan in enumerate(plans):
        for item in plan.items:
            holders.setdefault(item.index, []).append(number)
    loads = [0] * len(plans)
    kept: list[list[WriteItem]] = [[] for _ in plans]
    sizes = {item.index: item.tensor_storage_size() or 1 for plan in plans for item in plan.items}
    writers = {}
    for index, numbers in holders.items():
        writers[index] = chosen = (
            min(numbers) if to_first else min(numbers, key=lambda number: (loads[number], number))
        )
        loads[chosen] += sizes[index]
    for number, plan in enumerate(plans):
        kept[number] = [item for item in plan.items if writers[item.index] == number]
    return [replace(plan, items=items) for plan, items in zip(plans, kept)]


def create_default_global_save_plan(
    all_plans: list[SavePlan], rewrite_index_hints: bool = True
) -> tuple[list[SavePlan], Metadata]:
    """Return the plans, with the number of each part of a tensor in its index, and the metadata of the checkpoint that they make.

    Raises AssertionError for a name that is written twice, ValueError for parts that overlap, or leave gaps.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.default_planner import create_default_global_save_plan, create_default_local_save_plan
    >>> plans, metadata = create_default_global_save_plan([create_default_local_save_plan({"a": minigrad.ones(2)}, True)])
    >>> metadata.state_dict_metadata["a"].size
    torch.Size([2])
    """
    known: dict[str, Any] = {}
    plans = []
    for plan in all_plans:
        items = []
        for item in plan.items:
            name, data = item.index.fqn, item.tensor_data
            if item.type is not WriteItemType.SHARD and name in known:
                raise AssertionError(f"{name} is to be written twice")
            if data is None:
                known[name] = BytesStorageMetadata()
            else:
                stored = known.setdefault(name, TensorStorageMetadata(data.properties, data.size, []))
                if rewrite_index_hints:
                    item = replace(item, index=MetadataIndex(name, item.index.offset, len(stored.chunks)))
                stored.chunks.append(data.chunk)
            items.append(item)
        plans.append(replace(plan, items=items))
    for name, stored in known.items():
        if isinstance(stored, TensorStorageMetadata):
            _check_parts(name, stored)
    return plans, Metadata(known)


def _check_parts(name, stored):
    """Raise ValueError unless the parts of a tensor fill it, and no two of them overlap."""
    chunks = [chunk for chunk in stored.chunks if math.prod(chunk.sizes)]
    whole = _whole(stored.size)
    inside = all(_overlap(chunk, whole) == chunk for chunk in chunks)
    apart = not any(_overlap(one, other) for k, one in enumerate(chunks) for other in chunks[k + 1 :])
    if not (inside and apart and sum(math.prod(chunk.sizes) for chunk in chunks) == math.prod(stored.size)):
        parts = [(tuple(chunk.offsets), tuple(chunk.sizes)) for chunk in chunks]
        raise ValueError(
            f"Failed to validate global plan: key:{name} of size {tuple(stored.size)} is to be written in parts (offsets, sizes) that "
            f"overlap, lie outside of it or do not fill it: {parts}"
        )


def _whole(size):
    return ChunkStorageMetadata(Size([0] * len(size)), size)


def _overlap(one, other):
    """The part in which two parts of a tensor overlap, or None."""
    begins = [max(a, b) for a, b in zip(one.offsets, other.offsets)]
    ends = [min(a + n, b + m) for a, n, b, m in zip(one.offsets, one.sizes, other.offsets, other.sizes)]
    if any(end <= begin for begin, end in zip(begins, ends)):
        return None
    return ChunkStorageMetadata(Size(begins), Size(b - a for a, b in zip(begins, ends)))


def create_default_local_load_plan(
    state_dict: dict[str, Any], metadata: Metadata, strict: bool = True
) -> LoadPlan:
    """Return a plan to read all that a flat state has, from whatever parts the tensors are stored in; ``strict``: RuntimeError for what the checkpoint has not.

    >>> from minigrad.distributed.checkpoint import BytesStorageMetadata, Metadata
    >>> from minigrad.distributed.checkpoint.default_planner import create_default_local_load_plan
    >>> plan = create_default_local_load_plan({"a": 1}, Metadata({"a": BytesStorageMetadata(), "b": BytesStorageMetadata()}))
    >>> [item.dest_index.fqn for item in plan.items]
    ['a']
    """
    items = []
    for name, value in state_dict.items():
        stored = metadata.state_dict_metadata.get(name)
        if stored is None:
            if strict:
                raise RuntimeError(f"Missing key in checkpoint state_dict: {name}.")
            continue
        if not isinstance(stored, TensorStorageMetadata):
            index, none = MetadataIndex(name), Size([0])
            items.append(ReadItem(LoadItemType.BYTE_IO, index, none, index, none, none))
            continue
        if not isinstance(value, Tensor):
            raise ValueError(
                f"Invalid checkpoint metadata for {name}, expected BytesStorageMetadata but found {type(stored)}: "
                f"the checkpoint has a tensor of size {tuple(stored.size)}, the state a {type(value).__name__}"
            )
        if stored.size != value.size():
            raise ValueError(
                f"Size mismatch between saved {stored.size} and current: {value.size()} for {name}"
            )
        target = _whole(value.size())
        for number, chunk in enumerate(stored.chunks):
            part = _overlap(chunk, target)
            if part is not None:
                inner = Size(a - b for a, b in zip(part.offsets, chunk.offsets))
                there = MetadataIndex(name, chunk.offsets, number)
                destination = MetadataIndex(name, target.offsets, 0)
                items.append(
                    ReadItem(LoadItemType.TENSOR, destination, part.offsets, there, inner, part.sizes)
                )
    return LoadPlan(items)


def create_default_global_load_plan(all_plans: list[LoadPlan]) -> list[LoadPlan]:
    """Return the plans as they are: processes may read the same.

    >>> from minigrad.distributed.checkpoint import LoadPlan
    >>> from minigrad.distributed.checkpoint.default_planner import create_default_global_load_plan
    >>> create_default_global_load_plan([LoadPlan([])])
    [LoadPlan(items=[], storage_data=None, planner_data=None)]
    """
    return all_plans
