"""``DistributedDataParallel``: one model in several processes, each with its part of the data, and the mean of their gradients in all of them."""

import contextlib
import math
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..._api import device, is_grad_enabled, no_grad
from ..._api import tensor as make_tensor
from ...distributed import _exchanges as exchanges
from ...distributed._buckets import BUCKET, FIRST_BUCKET, BuiltinCommHookType, Reducer
from ...distributed._collectives import all_reduce, launch
from ...distributed._groups import ProcessGroup, group_of
from ...distributed._objects import all_gather_object
from ...distributed._reduce_ops import ReduceOp
from ...distributed._staging import deliver, source
from ...distributed.algorithms import Join, Joinable, JoinHook
from ..modules.module import Module

__all__ = ["DistributedDataParallel"]


class DistributedDataParallel(Module, Joinable):
    """Wrap a module, available as ``module``, so that its gradients are averaged over all processes of a group.

    All processes must wrap the same module, and call it and ``backward`` the same number of times. Parameters and buffers start with the
    values of rank 0; with ``forward_sync_buffers`` the buffers are set to these again before each forward (``broadcast_buffers`` is the older
    name; if it is False, buffers also start with their own values). Gradients are averaged while backward runs, in buckets of
    ``bucket_cap_mb`` megabytes (25; the first one of 1), or of the sizes in ``bucket_cap_mb_list``, whose last one is repeated; with
    ``gradient_as_bucket_view`` they stay in the buckets. ``find_unused_parameters`` is for models whose output may not depend on all
    parameters, ``static_graph`` for those that use the same parameters in every iteration. ``device_mesh``, of one dimension, gives the group
    instead of ``process_group``. ``skip_all_reduce_unused_params`` does not send buckets in which all parameters are unused; these must be
    the same on all ranks in all iterations, or ranks wait for ever. ``batched_grad_copy`` has no effect: each gradient is divided as it is
    copied. There is no ``mixed_precision``: use ``autocast`` to compute, and hooks to send gradients, in half precision.

    Raises ValueError without a group; RuntimeError, naming a parameter, if the processes' parameters differ; RuntimeError if no parameter
    requires grad; and at the next forward if gradients did not arrive.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> model = minigrad.nn.parallel.DistributedDataParallel(minigrad.nn.Linear(2, 1))
    >>> list(model.state_dict())
    ['module.weight', 'module.bias']
    >>> distributed.destroy_process_group()
    """

    def __init__(
        self,
        module: Module,
        device_ids: Any = None,
        output_device: Any = None,
        dim: int = 0,
        broadcast_buffers: bool | None = None,
        init_sync: bool = True,
        process_group: ProcessGroup | None = None,
        bucket_cap_mb: float | None = None,
        find_unused_parameters: bool = False,
        check_reduction: bool = False,
        gradient_as_bucket_view: bool = False,
        static_graph: bool = False,
        delay_all_reduce_named_params: Any = None,
        param_to_hook_all_reduce: Any = None,
        mixed_precision: Any = None,
        device_mesh: Any = None,
        skip_all_reduce_unused_params: bool = False,
        bucket_cap_mb_list: Sequence[float] | None = None,
        batched_grad_copy: bool = False,
        forward_sync_buffers: bool | None = None,
    ) -> None:
        super().__init__()
        Joinable.__init__(self)
        if mixed_precision is not None:
            raise NotImplementedError(
                "DistributedDataParallel has no mixed_precision in minigrad: torch.autocast computes in half precision, and register_comm_hook with "
                "fp16_compress_hook or bf16_compress_hook sends gradients in it"
            )
        if delay_all_reduce_named_params is not None or param_to_hook_all_reduce is not None:
            raise NotImplementedError(
                "DistributedDataParallel has no delay_all_reduce_named_params in minigrad"
            )
        if device_mesh is not None:
            if process_group is not None:
                raise RuntimeError("Cannot specify both process_group and device_mesh arguments.")
            if device_mesh.ndim != 1:
                raise RuntimeError(f"Only 1D device mesh is supported, but got {device_mesh}.")
            process_group = device_mesh.get_group(mesh_dim=0)
        group = group_of(process_group)
        if group is None:
            raise RuntimeError("this process is not in the group of DistributedDataParallel")
        if device_ids or output_device is not None:
            raise ValueError(
                "DistributedDataParallel device_ids and output_device arguments only work with single-device/multiple-device GPU modules or CPU modules, "
                f"but got device_ids {device_ids}, output_device {output_device}, and module parameters on the CPU."
            )
        ignored = set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
        named = [(name, p) for name, p in module.named_parameters() if name not in ignored]
        trained = [(name, p) for name, p in named if p.requires_grad]
        if not trained:
            raise RuntimeError(
                "DistributedDataParallel is not needed when a module doesn't have any parameter that requires a gradient."
            )
        self.process_group = group
        self.module = module
        self.device_ids = None
        self.output_device = None
        self.dim = dim
        syncs_first = True
        if broadcast_buffers is not None:
            warnings.warn(
                "`broadcast_buffers` is deprecated. Use `forward_sync_buffers` instead; with `forward_sync_buffers=False` buffers get the values of rank 0 at the start"
                if forward_sync_buffers is None
                else "Both `broadcast_buffers` and `forward_sync_buffers` were specified. `broadcast_buffers` is ignored.",
                FutureWarning,
                stacklevel=2,
            )
            if forward_sync_buffers is None:
                forward_sync_buffers = syncs_first = broadcast_buffers
        if check_reduction:
            warnings.warn(
                "The `check_reduction` argument in `DistributedDataParallel` module is deprecated. Please avoid using it.",
                FutureWarning,
                stacklevel=2,
            )
        self.forward_sync_buffers = forward_sync_buffers is None or forward_sync_buffers
        self.find_unused_parameters = find_unused_parameters
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.static_graph = static_graph
        self.skip_all_reduce_unused_params = skip_all_reduce_unused_params
        self.batched_grad_copy = batched_grad_copy
        self.require_backward_grad_sync = True
        self._ignored = ignored
        self._divides_by_all = True
        _check_alike(named, group)
        if init_sync:
            _broadcast([p for _, p in named] + (self._synced_buffers() if syncs_first else []), group)
        self._caps = _bucket_caps(
            bucket_cap_mb, bucket_cap_mb_list, find_unused_parameters and not static_graph
        )
        self._reducer = self._new_reducer(trained)

    def _new_reducer(self, named):
        return Reducer(
            [name for name, _ in named],
            [p for _, p in named],
            self.process_group,
            self._caps,
            self.find_unused_parameters,
            self.gradient_as_bucket_view,
            self.static_graph,
            self.skip_all_reduce_unused_params,
        )

    @property
    def broadcast_buffers(self) -> bool:
        """``forward_sync_buffers`` by its older name."""
        return self.forward_sync_buffers

    @broadcast_buffers.setter
    def broadcast_buffers(self, value: bool) -> None:
        self.forward_sync_buffers = value

    def _synced_buffers(self):
        return [b for name, b in self.module.named_buffers() if name not in self._ignored]

    def will_sync_module_buffers(self) -> bool:
        """Return whether the next forward copies the buffers of rank 0 to all processes."""
        return self.forward_sync_buffers and self.require_backward_grad_sync and bool(self._synced_buffers())

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        reduces = is_grad_enabled() and self.require_backward_grad_sync
        if reduces and self._reducer.started:
            raise RuntimeError(self._reducer._unfinished())
        if self._join_config.enable:
            self._tell_those_without_data(reduces)
        else:
            self._reducer.divisor = self.process_group._size  # a join may have left another one
            if self.will_sync_module_buffers():
                _broadcast(self._synced_buffers(), self.process_group)
        if reduces:
            self._reducer.rebuild()
        self._reducer.active = False
        outputs = self.module(*inputs, **kwargs)
        if reduces:
            self._reducer.prepare(outputs)
        return outputs

    def _tell_those_without_data(self, reduces):
        """In a join: what the ranks without data have to take part in."""
        work = Join.notify_join_context(self)
        if work is not None:
            with_data = int(work.result()[0].item())
            self._reducer.divisor = self.process_group._size if self._divides_by_all else with_data
        _, syncs = _any(self.process_group, reduces, self.will_sync_module_buffers())
        if syncs:
            root = _last(self.process_group, True)
            _broadcast(self._synced_buffers(), self.process_group, root)

    @property
    def join_device(self) -> device:
        """The device of the module: the CPU."""
        return device("cpu")

    @property
    def join_process_group(self) -> ProcessGroup:
        """The process group."""
        return self.process_group

    def join_hook(self, divide_by_initial_world_size: bool = True, **kwargs: Any) -> JoinHook:
        """Return the hook by which a process without data takes part in ``Join``.

        It joins the averages without gradients of its own, and receives the model of the last processes at the end. Gradients are divided
        by the number of all processes, or of those that still have data.
        """
        self._divides_by_all = divide_by_initial_world_size
        return _JoinHook(self)

    def join(
        self,
        divide_by_initial_world_size: bool = True,
        enable: bool = True,
        throw_on_early_termination: bool = False,
    ) -> Join:
        """Return a context manager in which processes may run different numbers of iterations: ``Join`` of this module alone.

        >>> import minigrad
        >>> from minigrad import distributed
        >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
        >>> model = minigrad.nn.parallel.DistributedDataParallel(minigrad.nn.Linear(2, 1))
        >>> with model.join():
        ...     model(minigrad.ones(1, 2)).sum().backward()
        >>> distributed.destroy_process_group()
        """
        return Join(
            [self],
            enable,
            throw_on_early_termination,
            divide_by_initial_world_size=divide_by_initial_world_size,
        )

    @contextlib.contextmanager
    def no_sync(self) -> Iterator[None]:
        """Let gradients accumulate in each process within the block; the first backward after it averages them.

        >>> import minigrad
        >>> from minigrad import distributed
        >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
        >>> model = minigrad.nn.parallel.DistributedDataParallel(minigrad.nn.Linear(2, 1))
        >>> with model.no_sync():
        ...     model(minigrad.ones(1, 2)).sum().backward()
        >>> distributed.destroy_process_group()
        """
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def register_comm_hook(self, state: Any, hook: Any) -> None:
        """Let ``hook(state, bucket)`` communicate each ``GradBucket``: it returns a Future of the vector of averaged gradients.

        Raises RuntimeError if there is a hook already, TypeError if it is not callable.
        """
        if not callable(hook):
            raise TypeError("Communication hook must be callable.")
        if self._reducer.hook is not None:
            raise RuntimeError("register_comm_hook or register_builtin_comm_hook can only be called once.")
        self._reducer.hook = hook, state

    def _register_builtin_comm_hook(self, comm_hook_type):
        """Register one of the two hooks that PyTorch has in C++."""
        from ...distributed.algorithms.ddp_comm_hooks import default_hooks

        hooks = {
            BuiltinCommHookType.ALLREDUCE: default_hooks.allreduce_hook,
            BuiltinCommHookType.FP16_COMPRESS: default_hooks.fp16_compress_hook,
        }
        self.register_comm_hook(self.process_group, hooks[comm_hook_type])

    def _set_static_graph(self):
        self.static_graph = self._reducer.static = True

    def _get_ddp_logging_data(self):
        """Facts about this module, which libraries ask for by PyTorch's names."""
        return {
            "module_name": type(self.module).__name__,
            "world_size": self.process_group._size,
            "rank": self.process_group._rank,
            "backend_name": str(self.process_group._backend),
            "broadcast_buffers": self.broadcast_buffers,
            "find_unused_parameters": self.find_unused_parameters,
            "gradient_as_bucket_view": self.gradient_as_bucket_view,
            "static_graph": self.static_graph,
        }

    def __getstate__(self) -> Any:
        """What is pickled or copied: all but the group and its buckets, which belong to this process."""
        state = dict(self.__dict__)
        del state["process_group"], state["_reducer"]
        return state

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        self.process_group = group_of(None)
        named = [
            (name, p)
            for name, p in self.module.named_parameters()
            if name not in self._ignored and p.requires_grad
        ]
        self._reducer = self._new_reducer(named)


def _bucket_caps(megabytes, listed, finds_unused):
    """Bytes of the buckets, of which the last goes on: of those before the first backward, and of those after it."""
    if listed:
        caps = tuple(int(each * (1 << 20)) for each in listed)
        return caps, caps
    caps = (FIRST_BUCKET, BUCKET) if megabytes is None else (int(megabytes * (1 << 20)),)
    return caps if finds_unused else (math.inf,), caps


class _JoinHook(JoinHook):
    """The collectives of an iteration, for a process that has no data left."""

    def __init__(self, model):
        self.model = model

    def main_hook(self):
        model, group = self.model, self.model.process_group
        reduces, syncs = _any(group, False, False)
        if syncs:
            _broadcast(model._synced_buffers(), group, _last(group, False))
        if reduces:
            model._reducer.rebuild()
            model._reducer.shadow()

    def post_hook(self, is_last_joiner):
        model, group = self.model, self.model.process_group
        held = [p for name, p in model.module.named_parameters() if name not in model._ignored]
        buffers = model._synced_buffers() if model.forward_sync_buffers else []
        _broadcast(held + buffers, group, _last(group, is_last_joiner))


def _any(group, *flags):
    """Whether one of the processes says so: for each of the flags."""
    said = make_tensor([float(flag) for flag in flags])
    all_reduce(said, ReduceOp.MAX, group)
    return [bool(flag) for flag in said.tolist()]


def _last(group, candidate):
    """The last of the ranks that are candidates."""
    number = make_tensor([group._rank if candidate else -1])
    all_reduce(number, ReduceOp.MAX, group)
    return int(number.item())


def _check_alike(named, group):
    """Raise RuntimeError, on all ranks, unless their parameters have the same names, shapes and dtypes."""
    if group._size == 1:
        return
    own = [(name, tuple(p.shape), str(p.dtype), p.requires_grad) for name, p in named]
    lists: list[Any] = [None] * group._size
    all_gather_object(lists, own, group)
    for rank, other in enumerate(lists):
        if other == lists[0]:
            continue
        for first, theirs in zip(lists[0], other):
            if first != theirs:
                raise RuntimeError(
                    f"DistributedDataParallel expects the same model on all ranks: rank {group.ranks[0]} has {_told(first)} where "
                    f"rank {group.ranks[rank]} has {_told(theirs)}"
                )
        longer, of = (lists[0], 0) if len(lists[0]) > len(other) else (other, rank)
        extra = longer[min(len(lists[0]), len(other))]
        raise RuntimeError(
            f"DistributedDataParallel expects the same model on all ranks: rank {group.ranks[0]} has {len(lists[0])} params, while "
            f"rank {group.ranks[rank]} has {len(other)}: only rank {group.ranks[of]} has {_told(extra)}"
        )


def _told(parameter):
    name, shape, dtype, requires_grad = parameter
    return f"{name} of shape {shape}, {dtype}" + ("" if requires_grad else ", which does not require grad")


def _broadcast(tensors, group, root=0):
    """Let tensors have the values of a rank: in one message for each dtype."""
    if group._size == 1:
        return
    by_dtype: dict[Any, list[Any]] = {}
    for tensor in tensors:
        by_dtype.setdefault(tensor.dtype, []).append(tensor)
    with no_grad():
        for dtype, alike in by_dtype.items():
            arrays = [source(tensor) for tensor in alike]
            flat = np.concatenate([array.reshape(-1) for array in arrays])
            launch(
                "broadcast of a model",
                group,
                exchanges.broadcast(group, flat, root),
                [],
                False,
                (len(alike), dtype),
                flat.nbytes,
            )
            if group._rank != root:
                ends = np.cumsum([array.size for array in arrays])[:-1]
                for tensor, part in zip(alike, np.split(flat, ends)):
                    deliver(tensor, part.reshape(tuple(tensor.shape)))
