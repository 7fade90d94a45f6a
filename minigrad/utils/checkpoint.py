"""Checkpoints: a function whose intermediate results are not kept for backward, but computed again when it needs them.

``checkpoint`` has two forms: the reentrant one runs without recording and is one node (``_checkpoint/reentrant.py``); the other is recorded as usual,
its saved tensors left out (``_checkpoint/non_reentrant.py``).
"""

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

from .._api import Tensor, _lazy, get_rng_state, is_grad_enabled
from .._base.publishing import publish
from ..autograd.graph import saved_tensors_hooks
from ..nn import Sequential
from ._checkpoint.log import Log
from ._checkpoint.non_reentrant import (
    _DEFAULT_DETERMINISM_MODE,
    CheckpointError,
    GraphExecGroup,
    _allowed_determinism_checks_to_fns,
    _CheckpointFrame,
)
from ._checkpoint.non_reentrant import (
    _default_meta_extractor as _default_meta_extractor,
)
from ._checkpoint.non_reentrant import (
    _StopRecomputationError as _StopRecomputationError,
)
from ._checkpoint.random_state import DefaultDeviceType, get_device_states, set_device_states
from ._checkpoint.reentrant import CheckpointFunction, check_backward_validity, detach_variable
from ._checkpoint.selective import (
    SAC_IGNORED_OPS,
    CheckpointPolicy,
    SelectiveCheckpointContext,
    create_selective_checkpoint_contexts,
)
from ._checkpoint.selective import (
    _CachedTorchDispatchMode as _CachedTorchDispatchMode,
)
from ._checkpoint.selective import (
    _CachingTorchDispatchMode as _CachingTorchDispatchMode,
)
from ._checkpoint.selective import (
    _policy_from_bool as _policy_from_bool,
)
from ._checkpoint.selective import (
    _VersionWrapper as _VersionWrapper,
)

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
_checkpoint_debug_enabled = None
_enable_checkpoint_early_stop = None

publish(
    __name__,
    CheckpointError,
    CheckpointFunction,
    CheckpointPolicy,
    DefaultDeviceType,
    GraphExecGroup,
    SelectiveCheckpointContext,
)


@contextlib.contextmanager
def _setting(name, value):
    """Inside, this module's global ``name`` is ``value``."""
    was = globals()[name]
    globals()[name] = value
    try:
        yield
    finally:
        globals()[name] = was


def set_checkpoint_debug_enabled(enabled: bool | None) -> Any:
    """Override the ``debug`` argument of every ``checkpoint`` within the block; None does not override it.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import checkpoint, set_checkpoint_debug_enabled
    >>> with set_checkpoint_debug_enabled(True):
    ...     y = checkpoint(minigrad.sin, minigrad.ones(2, requires_grad=True), use_reentrant=False)
    """
    return _setting("_checkpoint_debug_enabled", enabled)


def set_checkpoint_early_stop(enable: bool) -> Any:
    """Override the ``early_stop`` argument of every ``checkpoint`` called within the block, wherever its backward runs.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import checkpoint, set_checkpoint_early_stop
    >>> with set_checkpoint_early_stop(False):
    ...     y = checkpoint(minigrad.sin, minigrad.ones(2, requires_grad=True), use_reentrant=False)
    """
    return _setting("_enable_checkpoint_early_stop", enable)


def noop_context_fn() -> Any:
    """Return two contexts that do nothing.

    >>> import minigrad
    >>> forward, recomputation = minigrad.utils.checkpoint.noop_context_fn()
    """
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Any = noop_context_fn,
    determinism_check: str = _DEFAULT_DETERMINISM_MODE,
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Call ``function(*args, **kwargs)`` without keeping its intermediate results, which backward computes again.

    ``use_reentrant=False`` is the better of the two forms. With ``preserve_rng_state`` (the default) random numbers are the same again.
    ``context_fn()`` returns two contexts, for the first run and for the others. ``determinism_check="none"`` accepts tensors of another
    shape or dtype than before; ``debug`` lists all operators of both runs in the error; ``early_stop=False`` always runs the function to
    its end.

    Raises ValueError for arguments that the reentrant form does not take, and in backward CheckpointError if the function saved other
    tensors than before.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import checkpoint
    >>> x = minigrad.tensor([0., 1.], requires_grad=True)
    >>> checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False).sum().backward()
    >>> x.grad
    tensor([ 0.5403, -2.4784])
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. False is the better choice "
            "for new code: it works with torch.autograd.grad and keyword arguments. True, which is taken for now, is the "
            "older way, by a backward inside of backward.",
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
        log = Log("original"), Log("recompute")
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
            "checkpointed forward. Without the forward's result there is nothing to return: let the exception pass."
        )
    frame.forward_completed = True
    return result


def checkpoint_sequential(
    functions: Any, segments: Any, input: Tensor, use_reentrant: Any = None, **kwargs: Any
) -> Any:
    """Apply a list of functions or a ``Sequential`` to ``input`` in ``segments`` parts, all but the last of which are checkpointed.

    Raises ValueError for keyword arguments other than ``preserve_rng_state``.

    >>> import minigrad
    >>> from minigrad.utils.checkpoint import checkpoint_sequential
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> checkpoint_sequential([minigrad.exp, minigrad.log, minigrad.sin], 3, x, use_reentrant=False)
    tensor([0.8415], grad_fn=<SinBackward0>)
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. False "
            "is the better choice for new code: it works with torch.autograd.grad. True, which is taken for now, is the "
            "older way, by a backward inside of backward.",
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


_lazy.publish_all(globals())
