"""How the gradients of several processes become their mean while backward runs: buckets, and the reducer that sends them.

A hook on each parameter copies its gradient into its bucket; when a bucket is full, and all before it have been sent, its reduction starts, and goes on while
backward computes the next gradients.  The order of the buckets is the same on all ranks, so that their reductions meet.

As in PyTorch there is one bucket for each dtype at first; after the first backward parameters are put into buckets in the order in which their gradients came, on
the first rank.  Where some may not come at all (``find_unused_parameters``) the buckets are made at once, and sent from the last parameters on.  On one machine they are
in memory that its processes have in common, where nothing has to be sent (``_shared_memory.py``).
"""

import enum
import weakref
from typing import Any

import numpy as np

from .._api import Tensor, empty, from_numpy, no_grad
from .._core.runs import queue_callback
from . import _exchanges as exchanges
from . import _shared_memory as shared_memory
from ._collectives import launch
from ._deferred import deferring
from ._reduce_ops import ReduceOp, Reduction
from ._work import poll

#: Buckets in common memory begin at multiples of so many bytes.
_ALIGNMENT = 64
#: Bytes of the first bucket, which is to be sent early, and of the others.
FIRST_BUCKET = 1 << 20
BUCKET = 25 << 20


class BuiltinCommHookType(enum.Enum):
    """The hooks that PyTorch has in C++, for ``DistributedDataParallel._register_builtin_comm_hook``.

    >>> import minigrad
    >>> minigrad.distributed.BuiltinCommHookType.ALLREDUCE
    <BuiltinCommHookType.ALLREDUCE: 1>
    """

    ALLREDUCE = 1
    FP16_COMPRESS = 2


class GradBucket:
    """Gradients of some of the parameters, concatenated in one tensor, as a communication hook receives them.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> model = minigrad.nn.parallel.DistributedDataParallel(minigrad.nn.Linear(2, 1))
    >>> def hook(state, bucket):
    ...     print(bucket.index(), bucket.is_last(), bucket.buffer().shape)
    ...     future = minigrad.futures.Future()
    ...     future.set_result(bucket.buffer())
    ...     return future
    >>> model.register_comm_hook(None, hook)
    >>> model(minigrad.ones(3, 2)).sum().backward()
    0 True torch.Size([3])
    >>> distributed.destroy_process_group()
    """

    def __init__(
        self, index: int, buffer: Tensor, parameters: list[Any], views: list[Tensor], is_last: bool
    ) -> None:
        self._index, self._buffer, self._is_last = index, buffer, is_last
        self._parameters, self._views = parameters, views

    def index(self) -> int:
        """The number of the bucket: 0 is sent first."""
        return self._index

    def buffer(self) -> Tensor:
        """The gradients, as one vector."""
        return self._buffer

    def gradients(self) -> list[Tensor]:
        """The gradients, as views of the vector with the shapes of the parameters."""
        return list(self._views)

    def parameters(self) -> list[Any]:
        """The parameters whose gradients these are."""
        return list(self._parameters)

    def is_last(self) -> bool:
        """Whether it is the bucket that is sent last."""
        return self._is_last

    def set_buffer(self, buffer: Tensor) -> None:
        """Let the gradients have the values of a vector."""
        np.copyto(self._buffer._array, buffer.detach()._array.reshape(-1))


class _Bucket:
    """A bucket, and how far it is in this iteration."""

    def __init__(self, index, members, parameters, is_last, flats=None, mine=None):
        self.index, self.members = index, members  # the numbers of its parameters
        self.waiting = len(members)
        self.skipped = (
            False  # whether it was not sent in the last backward, as none of its parameters was used
        )
        self.work: Any = None
        self.flats = flats  # the vectors of all ranks, in memory that they have in common; ``mine`` is that of this one
        own = [parameters[i] for i in members]
        with no_grad():
            flat = (
                empty(sum(p.numel() for p in own), dtype=own[0].dtype) if mine is None else from_numpy(mine)
            )
            ends = np.cumsum([0, *(p.numel() for p in own)]).tolist()
            views = [flat[a:b].view(p.shape) for a, b, p in zip(ends, ends[1:], own)]
        self.public = GradBucket(index, flat, own, views, is_last)


def plan(parameters, order, limits):
    """Lists of numbers of parameters, in this order: one list for each bucket, of one dtype, and full as soon as it has so many bytes; the last limit goes on."""
    filling: dict[Any, list[int]] = {}
    filled: dict[Any, int] = {}
    ahead: dict[Any, list[int]] = {}
    done = []
    for index in order:
        parameter = parameters[index]
        kind = parameter.dtype
        filling.setdefault(kind, []).append(index)
        filled[kind] = filled.get(kind, 0) + parameter.numel() * parameter.element_size()
        left = ahead.setdefault(kind, list(limits))
        if filled[kind] >= left[0]:
            done.append(filling.pop(kind))
            filled[kind] = 0
            del left[: len(left) > 1]
    return done + list(filling.values())


class Reducer:
    """Averages the gradients of some parameters over the processes of a group."""

    def __init__(self, names, parameters, group, caps, find_unused, as_views, static, skip_unused):
        self.names, self.parameters, self.group = names, parameters, group
        self.find_unused, self.as_views, self.static = find_unused, as_views, static
        first_caps, self.caps = caps
        self.skip_unused = skip_unused
        self.order: list[int] = []  # in which gradients came in the first backward
        self.rebuilt = find_unused and not static  # whether the order of the buckets is as it will be
        self.settled = False  # and their memory
        plans = plan(parameters, range(len(parameters)), first_caps)
        self._make_buckets(sorted(plans, key=min, reverse=True))
        self.hook: Any = None  # (function, state)
        self.divisor = group._size  # fewer if some have no data left: see join
        self.active = False  # whether the next backward is to reduce
        self.started = False  # whether it has begun
        self.queued = False
        self.next_bucket = 0
        self.ready = [False] * len(parameters)
        self.used = np.zeros(len(parameters), np.int32)
        self.fired = [0] * len(parameters)  # how often each gradient has come in this backward
        self.expected: Any = None  # how often it comes in each, for static graphs
        reference = weakref.ref(self)
        for index, parameter in enumerate(parameters):
            handle = parameter.register_post_accumulate_grad_hook(_hook_of(reference, index))
            weakref.finalize(self, handle.remove)

    def _make_buckets(self, plans, memory=None):
        """Buckets of these parameters; in memory that the ranks have in common, if there is some: an array of bytes of each rank."""
        self.buckets, begin = [], 0
        for k, members in enumerate(plans):
            flats = mine = None
            if memory is not None:
                end = begin + self._bytes_of(members)
                kind = self.parameters[members[0]].detach()._array.dtype
                flats = [row[begin:end].view(kind) for row in memory]
                mine, begin = flats[self.group._rank], end + -end % _ALIGNMENT
            self.buckets.append(_Bucket(k, members, self.parameters, k == len(plans) - 1, flats, mine))
        self.places = {i: (bucket, k) for bucket in self.buckets for k, i in enumerate(bucket.members)}

    def _bytes_of(self, members):
        return sum(self.parameters[i].numel() * self.parameters[i].element_size() for i in members)

    def rebuild(self):
        """Before the second forward: let the buckets be in the order of the gradients, that of the first rank; all ranks call this.

        Where there is no such order to wait for, and then, they are laid into memory that the ranks have in common, if these are on one machine.
        """
        if self.settled or not (self.rebuilt or self.order):
            return
        self.settled = True
        plans = [bucket.members for bucket in self.buckets]
        if not self.rebuilt:
            self.rebuilt = True
            came = set(self.order)
            missing = [index for index in reversed(range(len(self.parameters))) if index not in came]
            order = np.array([*self.order, *missing])
            if self.group._size > 1:
                program = exchanges.broadcast(self.group, order, 0)
                launch("broadcast of the order of gradients", self.group, program, [], False, (len(order),))
            plans = plan(self.parameters, order.tolist(), self.caps)
        memory = None
        if self.hook is None:
            sizes = map(self._bytes_of, plans)
            memory = shared_memory.common_memory(self.group, sum(size + -size % _ALIGNMENT for size in sizes))
        self._make_buckets(plans, memory)

    def prepare(self, outputs):
        """Expect a backward from these outputs."""
        if self.started:
            raise RuntimeError(self._unfinished())
        self.active, self.next_bucket, self.queued = True, 0, False
        self.ready = [False] * len(self.parameters)
        self.fired = [0] * len(self.parameters)
        self.used[:] = 0
        for bucket in self.buckets:
            bucket.waiting, bucket.work = len(bucket.members), None
        if self.find_unused and not self.static:
            reached = parameters_behind(outputs)
            for index, parameter in enumerate(self.parameters):
                if id(parameter) not in reached:
                    self._mark_unused(index)
        elif self.static and self.expected is not None:
            for index, times in enumerate(self.expected):
                if not times:
                    self._mark_unused(index)

    def arrived(self, index):
        """A gradient has been computed: called by the hook of its parameter."""
        if not self.active:
            return
        poll()
        self.fired[index] += 1
        self.used[index] = 1
        if not self.rebuilt and self.fired[index] == 1:
            self.order.append(index)
        self.started = True
        if self.static and self.expected is None:  # how often gradients come is known when backward has ended
            self._queue(self._end_of_first)
            return
        if self.static and self.fired[index] < self.expected[index]:
            return
        if self.ready[index]:
            raise RuntimeError(
                f"Expected to mark a variable ready only once. The gradient of {self.names[index]} came twice in one backward, or came although no output "
                "depends on it: static_graph=True allows for parameters that several backward passes inside of one reach (checkpoints)"
            )
        self._copy_in(index)
        self._mark_ready(index)

    def shadow(self):
        """Take part in a backward of other ranks, with no gradients; what this rank has stays as it is."""
        if not self.order:  # the others rebuild their buckets in the next forward, and this rank with them
            self.order = list(reversed(range(len(self.parameters))))
        self.started = self.active = False
        self.used[:] = 0
        flats = [bucket.public._buffer._array for bucket in self.buckets]
        held = [flat.copy() for flat in flats] if self.as_views else []
        for bucket, flat in zip(self.buckets, flats):
            flat.fill(0)
            self._send(bucket)
        for bucket in self.buckets:
            if not bucket.skipped:
                bucket.work.wait()
                bucket.work = None
        for flat, values in zip(flats, held):
            np.copyto(flat, values)
        self._used_anywhere()

    def _copy_in(self, index):
        bucket, k = self.places[index]
        slot = bucket.public._views[k]._array
        gradient = self.parameters[index].grad._array
        if self.hook is None and self.group._size > 1:
            np.multiply(gradient, slot.dtype.type(1 / self.divisor), out=slot)
        elif gradient is not slot:
            np.copyto(slot, gradient)

    def _mark_unused(self, index):
        bucket, k = self.places[index]
        bucket.public._views[k]._array.fill(0)
        self._mark_ready(index)

    def _mark_ready(self, index):
        self.ready[index] = True
        self.places[index][0].waiting -= 1
        while self.next_bucket < len(self.buckets) and not self.buckets[self.next_bucket].waiting:
            bucket = self.buckets[self.next_bucket]
            bucket.skipped = self.skip_unused and not self.used[bucket.members].any()
            self._send(bucket)
            self.next_bucket += 1
        if self.next_bucket == len(self.buckets) and self.started:
            self._queue(self.finish)

    def _queue(self, function):
        if not self.queued:
            self.queued = True
            queue_callback(function)

    def _send(self, bucket):
        if bucket.skipped:
            return
        if self.hook is None:
            array = bucket.public._buffer._array
            reduction = Reduction(ReduceOp.SUM, bucket.public._buffer, self.group._size)
            if bucket.flats is None:
                program = exchanges.all_reduce(self.group, array, reduction)
            else:
                program = shared_memory.all_reduce(self.group, bucket.flats, reduction)
            bucket.work = launch(
                "all_reduce of gradients",
                self.group,
                program,
                [],
                True,
                (f"bucket {bucket.index}", bucket.public._buffer),
                array.nbytes,
            )
        else:
            function, state = self.hook
            with deferring():
                bucket.work = function(state, bucket.public)

    def _end_of_first(self):
        """The first backward of a static graph: what has not come by now never comes."""
        self.expected = list(self.fired)
        for index, times in enumerate(self.expected):
            if times:
                self._copy_in(index)
                self._mark_ready(index)
            else:
                self._mark_unused(index)
        self.finish()

    def finish(self):
        """Wait for all buckets, and let the parameters have the reduced gradients."""
        if self.next_bucket < len(self.buckets):
            return  # gradients are missing: the next forward says which
        self.started = self.active = False
        for bucket in self.buckets:
            if bucket.skipped:
                continue
            result = bucket.work.wait()
            if self.hook is not None:
                value = result[0] if isinstance(result, (list, tuple)) else result
                if value is not bucket.public._buffer:
                    bucket.public.set_buffer(value)
            bucket.work = None
        used = self._used_anywhere()
        for index, parameter in enumerate(self.parameters):
            if used[index]:
                bucket, k = self.places[index]
                self._copy_out(parameter, bucket.public._views[k])

    def _used_anywhere(self):
        """Which parameters are used on some rank, where ranks may differ in it; otherwise on this one."""
        if not (self.find_unused or self.static) or self.group._size == 1:
            return self.used
        used = self.used.copy()
        program = exchanges.all_reduce(self.group, used, Reduction.of(np.maximum))
        launch("all_reduce of used parameters", self.group, program, [], False, ("used",))
        return used

    def _copy_out(self, parameter, view):
        if self.as_views:
            if parameter.grad is not view:
                parameter.grad = view
        elif parameter.grad is None:
            parameter.grad = view.clone()
        else:
            np.copyto(parameter.grad._array, view._array)

    def _unfinished(self):
        missing = [name for name, ready in zip(self.names, self.ready) if not ready]
        return (
            "Expected to have finished reduction in the prior iteration before starting a new one. "
            f"Rank {self.group.ranks[self.group._rank]} got no gradient for: {', '.join(missing)}. Parameters that the loss does not depend on need "
            "find_unused_parameters=True; all outputs of forward have to take part in the loss"
        )


def _hook_of(reference, index):
    def arrived(parameter):
        reducer = reference()
        if reducer is not None:
            reducer.arrived(index)

    return arrived


def parameters_behind(outputs):
    """The ids of the leaves on which the tensors in a structure of outputs depend."""
    nodes, leaves, seen = [], set(), set()
    for tensor in tensors_in(outputs):
        if tensor.grad_fn is not None:
            nodes.append(tensor.grad_fn)
        elif tensor.requires_grad:
            leaves.add(id(tensor))
    while nodes:
        node = nodes.pop()
        if node in seen:
            continue
        seen.add(node)
        variable = getattr(node, "variable", None)
        if variable is not None:
            leaves.add(id(variable))
        nodes.extend(following for following, _ in node.next_functions if following is not None)
    return leaves


def tensors_in(value):
    """The tensors in nested containers and dataclasses."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from tensors_in(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors_in(each)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from tensors_in(getattr(value, name))
