"""The other form of ``checkpoint``: the function is recorded as usual, with hooks on all that its nodes save.

Instead of a tensor a node keeps a place (``_Holder``).  The first place that backward asks for runs the function again, with other hooks, which
bring to each place the tensor that is saved at the same point.
"""

import contextlib
import threading
import weakref
from collections.abc import Callable
from typing import Any

from ..._api import Tensor, enable_grad, no_grad
from ..._core.modes import thread_state
from ..._core.saved import Packed, stale
from ..._ops.autocasting import lasting
from ...autograd.graph import saved_tensors_hooks
from .log import report
from .random_state import random_numbers_from


class CheckpointError(RuntimeError):
    """Raised if the function does not save the same tensors when it runs again."""


class _StopRecomputationError(Exception):
    """Ends a recomputation that has brought all that is needed."""


_DEFAULT_DETERMINISM_MODE = "default"


def _default_meta_extractor(x):
    return {"shape": x.shape, "dtype": x.dtype, "device": x.device}


_allowed_determinism_checks_to_fns = {
    _DEFAULT_DETERMINISM_MODE: _default_meta_extractor,
    "none": lambda _: None,
}
_debug_tip_msg = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint-debug mode globally.
"""


class GraphExecGroup:
    """Within the block, a checkpoint is recomputed once for all backward calls together, which must not need the same saved tensors.

    Raises RuntimeError if there is a group already.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import GraphExecGroup, checkpoint
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> y, z = checkpoint(lambda x: (x.sin(), x.exp()), x, use_reentrant=False)
    >>> with GraphExecGroup():
    ...     y.backward()
    ...     z.backward()
    """

    def __enter__(self) -> Any:
        if _groups.current is not None:
            raise RuntimeError(
                f"GraphExecGroup contexts cannot be nested. Already inside group {_groups.current}"
            )
        _groups.current = self
        return self

    def __exit__(self, *exc: Any) -> None:
        _groups.current = None

    @classmethod
    def _get_current_group(cls):
        return _groups.current


class _Groups(threading.local):
    current: Any = None


_groups = _Groups()


class _Argument:
    """A tensor that was given to a checkpoint: saved as if by a node, so that hooks around the checkpoint see it."""

    def __init__(self, tensor: Any) -> None:
        self.hooked = bool(thread_state.saved_hooks)
        self.kept = Packed(tensor, tensor, *thread_state.saved_hooks[-1]) if self.hooked else tensor
        self.version = tensor._storage.version

    def unpack(self) -> Any:
        """The tensor; raises RuntimeError if it was modified."""
        kept = self.kept
        if self.hooked:
            return kept.tensor(kept.edge)
        if kept._storage.version != self.version:
            raise stale(kept, self.version)
        return kept


class _Holder:
    """What a node keeps in the place of a saved tensor: empty, but known to the recomputations that go on (``_Pass``)."""

    def __init__(self) -> None:
        # run -> key into the values of that run's pass; None when it was taken
        self.handles = weakref.WeakKeyDictionary()


class _Handle:
    """A key by which a holder keeps one value of a pass alive."""


class _Pass:
    """One recomputation: what it has brought so far.

    A value lives as long as its handle, which its holder has: until it is taken, the run ends or the node is freed.
    """

    def __init__(self) -> None:
        self.count = 0
        self.done = False
        self.values = weakref.WeakKeyDictionary()


class _CheckpointFrame:
    """One call of ``checkpoint``: how to run the function again, and the holders of the tensors that it saved, in order.

    Holders are known by weak references: they live in the nodes, and a holder that is gone needs no value.  There is a pass for each backward run
    (or ``GraphExecGroup``) that asks.  The nodes know the frame through their hooks; the frame knows no node.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        args: Any,
        kwargs: Any,
        rng_state: Any,
        recompute_context: Any,
        early_stop: Any,
        metadata_of: Any,
        log: Any,
    ) -> None:
        self.function = function
        self.args = [_Argument(x) if isinstance(x, Tensor) else x for x in args]
        self.kwargs = kwargs
        self.rng_state = rng_state
        self.autocast = lasting()
        self.recompute_context = recompute_context
        self.early_stop = early_stop
        self.metadata_of = metadata_of
        self.log = log
        self.holders = []
        self.metadata = []
        self.passes = weakref.WeakKeyDictionary()
        self.forward_completed = False
        self.ignore_saved_mismatch = False

    def pack(self, tensor: Tensor) -> Any:
        """A holder for a tensor that a node saves in the first run."""
        holder = _Holder()
        self.holders.append(weakref.ref(holder))
        with no_grad():
            self.metadata.append(self.metadata_of(tensor))
        return holder

    def unpack(self, holder: Any) -> Any:
        """The tensor for a holder, from a recomputation."""
        try:
            return self.take(holder)
        except CheckpointError as error:
            if self.log is None:
                raise
            raise CheckpointError(report(*self.log)) from error

    def take(self, holder: Any) -> Any:
        """As ``unpack``; a tensor is handed out once in each run."""
        run = _groups.current or thread_state.run or _Run()
        now = self.passes.get(run)
        if now is None:
            now = self.passes[run] = _Pass()
        if not now.done:
            now.count = 0
            self.recompute(run, now)
            now.done = True
            self.check(run, now)
        handle = holder.handles.get(run)
        if handle is None:
            overlap = (
                "Performing two backward calls that overlap (need the same saved tensor) is not allowed under "
                "torch.utils.checkpoint.GraphExecGroup. "
            )
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. "
                f"{'' if _groups.current is None else overlap}Read ctx.saved_tensors once in a backward, and keep the "
                "result."
            )
        holder.handles[run] = None
        return now.values[handle]

    def recompute(self, run: Any, now: Any) -> None:
        """Run the function again, and bring what it saves to the holders."""
        args = [x.unpack() if isinstance(x, _Argument) else x for x in self.args]
        bring = _bring(weakref.ref(self), run, now)
        with (
            contextlib.suppress(_StopRecomputationError),
            saved_tensors_hooks(bring, _as_it_is),
            enable_grad(),
            self.autocast,
            random_numbers_from(self.rng_state),
            self.recompute_context,
        ):
            self.function(*args, **self.kwargs)

    def check(self, run: Any, now: Any) -> None:
        """Raise CheckpointError unless the recomputation saved the same tensors as the first run."""
        if self.ignore_saved_mismatch:
            return
        if len(self.holders) != now.count:
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.holders)}\n"
                f"Number of tensors saved during recomputation: {now.count}.\n"
                f"{_debug_tip_msg}"
            )
        different = ""
        for i, (ref, before) in enumerate(zip(self.holders, self.metadata)):
            holder = ref()
            if holder is not None:
                metadata = self.metadata_of(now.values[holder.handles[run]])
                if metadata != before:
                    different += f"tensor at position {i}:\nsaved metadata: {before}\nrecomputed metadata: {metadata}\n"
        if different:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the "
                f"forward pass.\n{different}.\n{_debug_tip_msg}"
            )


class _Run:
    """Stands for a backward run where a saved tensor is read outside of any."""


def _as_it_is(kept):
    """The unpack hook of a recomputation."""
    return kept


def _bring(frame_ref, run, now):
    """The pack hook of a recomputation: what is saved goes to the holder whose turn it is."""

    def pack(tensor):
        tensor = tensor.detach() if tensor.requires_grad else tensor
        frame = frame_ref()
        i = now.count
        now.count += 1
        if i >= len(frame.holders):
            if not frame.forward_completed:
                # a backward inside the function, while it runs first: its later part has saved nothing yet
                frame.ignore_saved_mismatch = True
                return tensor
            raise CheckpointError(
                "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward pass.\n"
                f"{_debug_tip_msg}"
            )
        holder = frame.holders[i]()
        if holder is not None:  # else a backward inside the function has freed it
            handle = holder.handles[run] = _Handle()
            now.values[handle] = tensor
        if frame.early_stop and now.count == len(frame.holders):
            raise _StopRecomputationError
        return tensor

    return pack
