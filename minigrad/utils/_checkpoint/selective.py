"""Selective checkpoints: a policy says of which operators the results are kept."""

import enum
from collections import defaultdict
from typing import Any

from ... import ops
from ..._api import Tensor
from ..._ops.aten import aten_arguments
from .._python_dispatch import TorchDispatchMode
from .known_result import with_result


class SelectiveCheckpointContext:
    """The context that a policy function receives, with the operator's result as ``op_output``."""

    def __init__(self, *, is_recompute: Any, op_output: Any = None) -> None:
        self.is_recompute = is_recompute
        self.op_output = op_output


class CheckpointPolicy(enum.Enum):
    """What happens to an operator's result: it is kept (``SAVE``; there is nothing to offload to) or recomputed (``RECOMPUTE``)."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


def _policy_from_bool(b):
    return CheckpointPolicy.MUST_SAVE if b else CheckpointPolicy.PREFER_RECOMPUTE


#: Operators that policies are not asked about: the machinery of checkpoints uses them itself, or they compute nothing.
SAC_IGNORED_OPS = {
    ops.aten.detach.default,
    ops.prim.device.default,
    ops.aten.dim.default,
    ops.aten.is_contiguous.default,
    ops.aten.is_contiguous.memory_format,
    ops.aten.numel.default,
    ops.aten.size.default,
    ops.aten.storage_offset.default,
    ops.aten.stride.default,
    ops.aten.sym_numel.default,
    ops.aten.sym_size.default,
    ops.aten.sym_storage_offset.default,
    ops.aten.sym_stride.default,
}
_RECOMPUTE = object()
_CONSUMED = object()
_SAC_MISMATCH_MSG = (
    "This can happen if the operations in the checkpointed region are nondeterministic or depend on global state that changed "
    "between forward and backward."
)


class _VersionWrapper:
    """A result that is kept, and must not be written to."""

    def __init__(self, val: Any) -> None:
        self.val = val
        self.version = val._version if isinstance(val, Tensor) else None

    def get_val(self, allow_cache_entry_mutation: Any) -> Any:
        """The result; raises RuntimeError if it was written to, unless that is allowed."""
        if self.version is not None and not allow_cache_entry_mutation and self.val._version != self.version:
            raise RuntimeError("Tensor cached during selective activation checkpoint has been mutated")
        return self.val


def _detach_helper(x):
    return x.detach() if isinstance(x, Tensor) else x


class _CachingTorchDispatchMode(TorchDispatchMode):
    """The context of the first run: keeps the results of the operators that the policy chooses."""

    def __init__(self, policy_fn: Any, storage: Any) -> None:
        self.policy_fn = policy_fn
        self.storage = storage
        self.func_counter = defaultdict(int)

    def watcher(self, cls: Any, operands: Any, params: Any, proceed: Any, writes: Any) -> Any:
        """Run an operator, ask the policy, and note what is to become of the result."""
        op = ops.overload_of(cls, operands, params, writes)
        if op in SAC_IGNORED_OPS:
            return proceed

        def run():
            out = proceed()
            i = self.func_counter[op]
            self.func_counter[op] += 1
            context = SelectiveCheckpointContext(is_recompute=False, op_output=out)
            policy = self.policy_fn(context, op, *aten_arguments(cls, operands, params))
            if isinstance(policy, bool):
                policy = _policy_from_bool(policy)
            saves = policy in (CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE)
            several = isinstance(out, (tuple, list))
            kept = (
                [_VersionWrapper(_detach_helper(z)) for z in (out if several else (out,))] if saves else None
            )
            self.storage[op][i] = _RECOMPUTE if kept is None else tuple(kept) if several else kept[0]
            return out

        return run


class _CachedTorchDispatchMode(TorchDispatchMode):
    """The context of a recomputation: operators whose results were kept do not run."""

    def __init__(self, policy_fn: Any, storage: Any, allow_cache_entry_mutation: bool = False) -> None:
        self.storage = storage
        self.allow_cache_entry_mutation = allow_cache_entry_mutation
        self.func_counter = defaultdict(int)

    def __enter__(self) -> Any:
        self.func_counter.clear()  # for another recomputation, under retain_graph
        return super().__enter__()

    def watcher(self, cls: Any, operands: Any, params: Any, proceed: Any, writes: Any) -> Any:
        """Give an operator's kept result, or run it."""
        op = ops.overload_of(cls, operands, params, writes)
        if op in SAC_IGNORED_OPS:
            return proceed

        def run():
            i = self.func_counter[op]
            self.func_counter[op] += 1
            if op not in self.storage:
                raise RuntimeError(
                    f"{op} encountered during backward but not found in storage. {_SAC_MISMATCH_MSG}"
                )
            entries = self.storage[op]
            if i not in entries:
                raise RuntimeError(
                    f"{op} invocation index {i} encountered during backward but not found in storage. {_SAC_MISMATCH_MSG}"
                )
            entry = entries[i]
            if entry is _CONSUMED:
                raise RuntimeError(
                    "Trying to backward an extra time. You are only allowed to backward once on any region computed under "
                    "selective activation checkpoint."
                )
            if entry is _RECOMPUTE:
                return proceed()
            entries[i] = _CONSUMED
            allowed = self.allow_cache_entry_mutation
            if isinstance(entry, tuple):
                known = tuple(kept.get_val(allowed) for kept in entry)
            else:
                known = entry.get_val(allowed)
            return proceed() if writes else with_result(cls, operands, params, proceed, known)

        return run


def create_selective_checkpoint_contexts(
    policy_fn_or_list: Any, allow_cache_entry_mutation: bool = False
) -> Any:
    """Return the two contexts of a checkpoint that keeps the results of some operators: for ``checkpoint``'s ``context_fn``.

    ``policy_fn(ctx, op, *args, **kwargs)`` says for each operator (an ``OpOverload`` of ``minigrad.ops``) which ``CheckpointPolicy`` holds; a list
    of operators stands for a policy that keeps theirs.  Kept results must not be written to, unless ``allow_cache_entry_mutation``.

    Raises ValueError for a list with something else in it, TypeError for what is neither.

    >>> import functools, minigrad
    >>> from minigrad.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts
    >>> keep_products = functools.partial(create_selective_checkpoint_contexts, [minigrad.ops.aten.mm.default])
    >>> x = minigrad.eye(2, requires_grad=True)
    >>> y = checkpoint(lambda x: (x @ x).sin(), x, use_reentrant=False, context_fn=keep_products)
    >>> y.sum().backward()
    """
    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            if not isinstance(op, ops.OpOverload):
                cure = (
                    "An OpOverloadPacket has several overloads: choose one, as `torch.ops.aten.mm.default` of "
                    "`torch.ops.aten.mm`."
                )
                raise ValueError(
                    f"Expected op in `op_list` to be an OpOverload but got: {op} of type {type(op)}. "
                    f"{cure if isinstance(op, ops.OpOverloadPacket) else ''}"
                )

        def policy_fn(ctx, op, *args, **kwargs):
            return _policy_from_bool(op in policy_fn_or_list)

    elif callable(policy_fn_or_list):
        policy_fn = policy_fn_or_list
    else:
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    storage = defaultdict(dict)
    return (
        _CachingTorchDispatchMode(policy_fn, storage),
        _CachedTorchDispatchMode(None, storage, allow_cache_entry_mutation),
    )
