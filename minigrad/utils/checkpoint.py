"""Checkpoints: a function whose intermediate results are not kept for backward, but computed again when it needs them.

``checkpoint`` has two forms.  The reentrant one is a custom ``Function``: its forward records nothing, its backward runs the function again and a
backward through it.  The other records the function as usual, with hooks on all that its nodes save: instead of a tensor a node keeps a place,
and the first place that backward asks for runs the function again, with other hooks, which bring to each place the tensor that is
saved at the same point.  See ``_CheckpointFrame``.
"""

import contextlib
import enum
import sys
import threading
import warnings
import weakref
from collections import defaultdict

from .. import ops
from .._api import Tensor, enable_grad, get_rng_state, is_grad_enabled, no_grad, set_rng_state
from .._core.aten import aten_arguments
from .._core.engine import captures_only
from .._core.known import with_result
from .._core.saved import Packed, stale
from .._core.switch import here
from ..autograd import Function, backward
from ..autograd.graph import saved_tensors_hooks
from ..nn import Sequential
from ..random import fork_rng
from ._python_dispatch import TorchDispatchMode

__all__ = [
    "SAC_IGNORED_OPS",
    "CheckpointError",
    "CheckpointFunction",
    "CheckpointPolicy",
    "DefaultDeviceType",
    "GraphExecGroup",
    "SelectiveCheckpointContext",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "create_selective_checkpoint_contexts",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
    "set_device_states",
]

_DEFAULT_DETERMINISM_MODE = "default"
_checkpoint_debug_enabled = None
_enable_checkpoint_early_stop = None


class CheckpointError(RuntimeError):
    """The function did not save the same tensors when it ran again."""


class _StopRecomputationError(Exception):
    """Ends a recomputation that has brought all that is needed."""


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled):
    """Inside, ``enabled`` stands for the ``debug`` argument of every ``checkpoint``; None leaves the choice to the argument.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import checkpoint, set_checkpoint_debug_enabled
    >>> with set_checkpoint_debug_enabled(True):
    ...     y = checkpoint(minigrad.sin, minigrad.ones(2, requires_grad=True), use_reentrant=False)
    """
    global _checkpoint_debug_enabled
    was = _checkpoint_debug_enabled
    _checkpoint_debug_enabled = enabled
    try:
        yield
    finally:
        _checkpoint_debug_enabled = was


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """Inside, ``enable`` stands for the ``early_stop`` argument of every ``checkpoint``, wherever its backward runs.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import checkpoint, set_checkpoint_early_stop
    >>> with set_checkpoint_early_stop(False):
    ...     y = checkpoint(minigrad.sin, minigrad.ones(2, requires_grad=True), use_reentrant=False)
    """
    global _enable_checkpoint_early_stop
    was = _enable_checkpoint_early_stop
    _enable_checkpoint_early_stop = enable
    try:
        yield
    finally:
        _enable_checkpoint_early_stop = was


# Devices -------------------------------------------------------------------------------------------------------------------


class DefaultDeviceType:
    """The type of device whose random generators are kept where no tensor says another: ``cpu``."""

    _default_device_type = None

    @staticmethod
    def set_device_type(device="cuda"):
        """Choose another type."""
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type():
        """The type that is chosen.

        >>> from minigrad.utils.checkpoint import DefaultDeviceType
        >>> DefaultDeviceType.get_device_type()
        'cpu'
        """
        if not DefaultDeviceType._default_device_type:
            DefaultDeviceType._default_device_type = "cpu"
        return DefaultDeviceType._default_device_type


def get_device_states(*args):
    """The numbers of the devices, other than the CPU, that hold the tensors in ``args``, and their generators' states: two empty lists.

    >>> import minigrad
    >>> minigrad.utils.checkpoint.get_device_states(minigrad.ones(2))
    ([], [])
    """
    return [], []


def set_device_states(devices, states, *, device_type=None):
    """Give generators of devices other than the CPU the states that ``get_device_states`` told; raises RuntimeError if there are any.

    >>> import minigrad
    >>> minigrad.utils.checkpoint.set_device_states([], [])
    """
    kind = DefaultDeviceType.get_device_type() if device_type is None else device_type
    if kind != "meta" and list(zip(devices, states)):
        raise RuntimeError(
            f"no device of type '{kind}' has a random generator: minigrad computes on the CPU, whose state is torch.get_rng_state()"
        )


# The reentrant form --------------------------------------------------------------------------------------------------------


def detach_variable(inputs):
    """A tuple with each tensor of the tuple ``inputs`` detached, and requiring grad as before; raises RuntimeError for another type.

    >>> import minigrad
    >>> x, n = minigrad.utils.checkpoint.detach_variable((minigrad.ones(1, requires_grad=True) * 2, 3))
    >>> x.requires_grad, x.grad_fn, n
    (True, None, 3)
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}"
        )
    return tuple(x.detach().requires_grad_(x.requires_grad) if isinstance(x, Tensor) else x for x in inputs)


def check_backward_validity(inputs):
    """Warn if no tensor among ``inputs`` requires grad.

    >>> import minigrad
    >>> minigrad.utils.checkpoint.check_backward_validity([minigrad.ones(1, requires_grad=True)])
    """
    if not any(x.requires_grad for x in inputs if isinstance(x, Tensor)):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


class CheckpointFunction(Function):
    """The reentrant form of ``checkpoint``: ``apply(function, preserve_rng_state, *args)``."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        """The function's outputs; nothing is recorded."""
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.rng_state = get_rng_state() if preserve_rng_state else None
        ctx.save_for_backward(*(x for x in args if isinstance(x, Tensor)))
        ctx.others = [None if isinstance(x, Tensor) else x for x in args]
        ctx.places = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        """The gradients of the arguments: the function runs again, and a backward through it."""
        if captures_only():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() "
                "without passing the `inputs` argument."
            )
        inputs = list(ctx.others)
        for i, x in zip(ctx.places, ctx.saved_tensors):
            inputs[i] = x
        with _rng_state(ctx.rng_state):
            inputs = detach_variable(tuple(inputs))
            with enable_grad():
                outputs = ctx.run_function(*inputs)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        pairs = [(z, g) for z, g in zip(outputs, grads) if isinstance(z, Tensor) and z.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([z for z, _ in pairs], [g for _, g in pairs])
        return (None, None, *(x.grad if isinstance(x, Tensor) else None for x in inputs))


@contextlib.contextmanager
def _rng_state(state):
    """Inside, random numbers go on from ``state``, and afterwards as if nothing had been; None changes nothing."""
    if state is None:
        yield
        return
    with fork_rng(devices=[]):
        set_rng_state(state)
        yield


# checkpoint ----------------------------------------------------------------------------------------------------------------


def noop_context_fn():
    """Two contexts that do nothing.

    >>> import minigrad
    >>> forward, recomputation = minigrad.utils.checkpoint.noop_context_fn()
    """
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function,
    *args,
    use_reentrant=None,
    context_fn=noop_context_fn,
    determinism_check=_DEFAULT_DETERMINISM_MODE,
    debug=False,
    early_stop=True,
    **kwargs,
):
    """``function(*args, **kwargs)``, whose intermediate results are computed again in backward instead of being kept.

    ``use_reentrant=False`` is the better of the two forms: see the top of this file.  With ``preserve_rng_state`` (the default) random numbers are
    the same again.  ``context_fn()`` gives two contexts, for the first run and the others.  ``determinism_check="none"`` accepts tensors of
    another shape or dtype than before; ``debug`` lists all operators of both runs in the error; ``early_stop=False`` always runs the
    function to its end.

    Raises ValueError for arguments that the reentrant form does not take; in backward, CheckpointError if the function saved other tensors
    than before.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import checkpoint
    >>> x = minigrad.tensor([0., 1.], requires_grad=True)
    >>> checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False).sum().backward()
    >>> x.grad
    tensor([ 0.5403, -2.4784])
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling "
            "checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to "
            "preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
            "differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve, *args)
    if _checkpoint_debug_enabled is not None:
        debug = _checkpoint_debug_enabled
    log = None
    if debug:
        if context_fn is not noop_context_fn:
            raise ValueError("debug=True is incompatible with non-default context_fn")
        log = _Log("original"), _Log("recompute")
        context_fn = lambda: log
    if determinism_check not in _allowed_determinism_checks_to_fns:
        raise ValueError(
            f"determinism_check should be one of {list(_allowed_determinism_checks_to_fns)}, but got {determinism_check}"
        )
    forward_context, recompute_context = context_fn()
    if not is_grad_enabled():
        return function(*args, **kwargs)
    frame = _CheckpointFrame(
        function,
        args,
        kwargs,
        get_rng_state() if preserve else None,
        recompute_context,
        early_stop if _enable_checkpoint_early_stop is None else _enable_checkpoint_early_stop,
        _allowed_determinism_checks_to_fns[determinism_check],
        log,
    )
    failed = True
    with saved_tensors_hooks(frame.pack, frame.unpack), forward_context:
        result = function(*args, **kwargs)
        failed = False
    if failed:
        raise RuntimeError(
            "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception raised during the "
            "checkpointed forward. This is not supported because checkpoint cannot return a value for a failed forward."
        )
    frame.forward_completed = True
    return result


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """``input`` through a list of functions or a ``Sequential``, in ``segments`` parts of which all but the last are checkpoints.

    Raises ValueError for keyword arguments other than ``preserve_rng_state``.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import checkpoint_sequential
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> checkpoint_sequential([minigrad.exp, minigrad.log, minigrad.sin], 3, x, use_reentrant=False)
    tensor([0.8415], grad_fn=<SinBackward0>)
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version 2.9 "
            "we will raise an exception if use_reentrant is not passed. use_reentrant=False is recommended, but if you need to "
            "preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
            "differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if isinstance(functions, Sequential):
        functions = list(functions.children())

    def part(start, end):
        def forward(input):
            for function in functions[start:end]:
                input = function(input)
            return input

        return forward

    size = len(functions) // segments
    last = size * (segments - 1)
    for start in range(0, last, size):
        input = checkpoint(
            part(start, start + size), input, use_reentrant=use_reentrant, preserve_rng_state=preserve
        )
    return part(last, len(functions))(input)


# The other form --------------------------------------------------------------------------------------------------------------


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
    """Inside, a checkpoint is recomputed once for all backward calls together, which must not need the same saved tensors.

    Raises RuntimeError where there is one already.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import GraphExecGroup, checkpoint
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> y, z = checkpoint(lambda x: (x.sin(), x.exp()), x, use_reentrant=False)
    >>> with GraphExecGroup():
    ...     y.backward()
    ...     z.backward()
    """

    def __enter__(self):
        if _groups.current is not None:
            raise RuntimeError(
                f"GraphExecGroup contexts cannot be nested. Already inside group {_groups.current}"
            )
        _groups.current = self
        return self

    def __exit__(self, *exc):
        _groups.current = None

    @classmethod
    def _get_current_group(cls):
        return _groups.current


class _Groups(threading.local):
    current = None


_groups = _Groups()


class _Argument:
    """A tensor that was given to a checkpoint: saved as if by a node, so that hooks around the checkpoint see it."""

    def __init__(self, tensor):
        self.hooked = bool(here.saved_hooks)
        self.kept = Packed(tensor, tensor, *here.saved_hooks[-1]) if self.hooked else tensor
        self.version = tensor._storage.version

    def unpack(self):
        """The tensor; raises RuntimeError if it was modified."""
        kept = self.kept
        if self.hooked:
            return kept.tensor(kept.edge)
        if kept._storage.version != self.version:
            raise stale(kept, self.version)
        return kept


class _Holder:
    """What a node keeps in the place of a saved tensor: empty, but known to the recomputations that go on (``_Pass``)."""

    def __init__(self):
        self.handles = (
            weakref.WeakKeyDictionary()
        )  # run -> key into the values of that run's pass; None when it was taken


class _Handle:
    pass


class _Pass:
    """One recomputation: what it has brought so far.

    A value lives as long as its handle, which its holder has: until it is taken, the run ends or the node is freed.
    """

    def __init__(self):
        self.count = 0
        self.done = False
        self.values = weakref.WeakKeyDictionary()


class _CheckpointFrame:
    """One call of ``checkpoint``: how to run the function again, and the holders of the tensors that it saved, in order.

    Holders are known by weak references: they live in the nodes, and a holder that is gone needs no value.  There is a pass for each backward run
    (or ``GraphExecGroup``) that asks.  The nodes know the frame through their hooks; the frame knows no node.
    """

    def __init__(self, function, args, kwargs, rng_state, recompute_context, early_stop, metadata_of, log):
        self.function = function
        self.args = [_Argument(x) if isinstance(x, Tensor) else x for x in args]
        self.kwargs = kwargs
        self.rng_state = rng_state
        self.recompute_context = recompute_context
        self.early_stop = early_stop
        self.metadata_of = metadata_of
        self.log = log
        self.holders = []
        self.metadata = []
        self.passes = weakref.WeakKeyDictionary()
        self.forward_completed = False
        self.ignore_saved_mismatch = False

    def pack(self, tensor):
        """A holder for a tensor that a node saves in the first run."""
        holder = _Holder()
        self.holders.append(weakref.ref(holder))
        with no_grad():
            self.metadata.append(self.metadata_of(tensor))
        return holder

    def unpack(self, holder):
        """The tensor for a holder, from a recomputation."""
        try:
            return self.take(holder)
        except CheckpointError as error:
            if self.log is None:
                raise
            raise CheckpointError(_report(*self.log)) from error

    def take(self, holder):
        """As ``unpack``; a tensor is handed out once in each run."""
        run = _groups.current or here.run or _Run()
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
                "Performing two backward calls that overlap (i.e. require the same saved activation in order to compute gradients) "
                "is not allowed while under the torch.utils.checkpoint.GraphExecGroup context. "
            )
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. "
                f"{'' if _groups.current is None else overlap}If you are calling ctx.saved_tensors in backward, make sure to do so only "
                "once. Otherwise please open an issue with details on your use case."
            )
        holder.handles[run] = None
        return now.values[handle]

    def recompute(self, run, now):
        """Run the function again, and bring what it saves to the holders."""
        args = [x.unpack() if isinstance(x, _Argument) else x for x in self.args]
        bring = _bring(weakref.ref(self), run, now)
        with (
            contextlib.suppress(_StopRecomputationError),
            saved_tensors_hooks(bring, _as_it_is),
            enable_grad(),
            _rng_state(self.rng_state),
            self.recompute_context,
        ):
            self.function(*args, **self.kwargs)

    def check(self, run, now):
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


# What debug=True shows -------------------------------------------------------------------------------------------------------


class _Log(TorchDispatchMode):
    """While entered, notes each operator of this thread, and from where it was called."""

    def __init__(self, label):
        self.label = label
        self.lines, self.traces = [], []
        self.numbers = {}

    def __enter__(self):
        self.lines, self.traces, self.numbers = [], [], {}
        return super().__enter__()

    def __exit__(self, *exc):
        super().__exit__(*exc)
        self.numbers = {}

    def watcher(self, cls, operands, params, proceed, writes):
        """Note an operator after it has run."""

        def look():
            given = ", ".join(self.shown(x) for x in aten_arguments(cls, operands, params))
            result = proceed()
            results = result if isinstance(result, (tuple, list)) else (result,)
            made = ", ".join(f"{self.shown(z)}: {_short_type(z)}" for z in results)
            op = ops.overload_of(cls, operands, params, writes)
            self.lines.append(f"{made} = torch._ops.{op}({given})")
            self.traces.append(_trace())
            return result

        return look

    def shown(self, x):
        """An argument: a tensor by a number of its own."""
        if not isinstance(x, Tensor):
            return repr(x)
        number, ref = self.numbers.get(id(x), (None, None))
        if ref is None or ref() is not x:
            number = 1 + max((n for n, _ in self.numbers.values()), default=-1)
            self.numbers[id(x)] = number, weakref.ref(x)
        return f"${number}"

    def with_traces(self):
        """All lines, each followed by the lines of code that led to it, the innermost first."""
        text = ""
        for i, (line, trace) in enumerate(zip(self.lines, self.traces)):
            text += f"{line}   ({i + 1} of {len(self.lines)} in {self.label})\n\n"
            text += f"{trace}\n\n"
        return text


_INNER = tuple(f"{__name__.partition('.')[0]}.{part}" for part in ("_core", "_ops", "utils.checkpoint"))


def _trace():
    """The lines of code that have led here, the innermost first, but for those of the machinery."""
    text = ""
    frame = sys._getframe()
    while frame is not None:
        if not frame.f_globals.get("__name__", "").startswith(_INNER):
            text += f"{frame.f_code.co_filename}:{frame.f_lineno}:{frame.f_code.co_name}\n"
        frame = frame.f_back
    return text


def _short_type(x):
    """A tensor's dtype and shape: ``f32[2, 3]``."""
    kind = str(x.dtype).rpartition(".")[2]
    short = {"bool": "b8", "bfloat16": "bf16"}.get(kind) or kind[0] + "".join(c for c in kind if c.isdigit())
    return f"{short}[{', '.join(map(str, x.shape))}]"


def _report(first, again):
    rule = "+" + "-" * 78 + "+"
    return f"""\
An error happened while unpacking tensors; dumping logs of latest computation
because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.

{rule}
|        1. Stack traces of the operators that ran in the original forward     |
{rule}

{first.with_traces()}
{rule}
|        2. Stack traces of the operators that ran during recomputation        |
{rule}

{again.with_traces()}
{rule}
|       3. Log of operators in the original forward and recomputation          |
{rule}

Operations executed during the original forward:

{chr(10).join(first.lines)}

Operations executed during recomputation:

{chr(10).join(again.lines)}

{rule}
 ERROR: Detected non-determinism while running activation checkpointing

 You are seeing this error because you passed `debug=True` to checkpoint and
 the tensors saved during the original forward differ from those saved during
 recomputation: the function ran other operators, or on other values, than
 before.  Compare the two lists above; the stack traces before them say where
 each operator was called.
"""


# Selective checkpoints -------------------------------------------------------------------------------------------------------


class SelectiveCheckpointContext:
    """What a policy function learns of an operator besides its arguments: its result, ``op_output``."""

    def __init__(self, *, is_recompute, op_output=None):
        self.is_recompute = is_recompute
        self.op_output = op_output


class CheckpointPolicy(enum.Enum):
    """What is to become of an operator's result: kept (``SAVE``; there is nothing to offload to) or computed again (``RECOMPUTE``)."""

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

    def __init__(self, val):
        self.val = val
        self.version = val._version if isinstance(val, Tensor) else None

    def get_val(self, allow_cache_entry_mutation):
        """The result; raises RuntimeError if it was written to, unless that is allowed."""
        if self.version is not None and not allow_cache_entry_mutation and self.val._version != self.version:
            raise RuntimeError("Tensor cached during selective activation checkpoint has been mutated")
        return self.val


def _detach_helper(x):
    return x.detach() if isinstance(x, Tensor) else x


class _CachingTorchDispatchMode(TorchDispatchMode):
    """The context of the first run: keeps the results of the operators that the policy chooses."""

    def __init__(self, policy_fn, storage):
        self.policy_fn = policy_fn
        self.storage = storage
        self.func_counter = defaultdict(int)

    def watcher(self, cls, operands, params, proceed, writes):
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

    def __init__(self, policy_fn, storage, allow_cache_entry_mutation=False):
        self.storage = storage
        self.allow_cache_entry_mutation = allow_cache_entry_mutation
        self.func_counter = defaultdict(int)

    def __enter__(self):
        self.func_counter.clear()  # for another recomputation, under retain_graph
        return super().__enter__()

    def watcher(self, cls, operands, params, proceed, writes):
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


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False):
    """The two contexts of a checkpoint that keeps the results of some operators: for ``checkpoint``'s ``context_fn``.

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
                    "Please update the OpOverloadPacket to a specific OpOverload."
                    "For example, if you have `torch.ops.aten.mm`, change it to `torch.ops.aten.mm.default`."
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
