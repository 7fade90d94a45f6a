"""The reentrant form of ``checkpoint``: a custom ``Function`` whose forward records nothing, and whose backward runs the function again and a
backward through it.
"""

import warnings
from typing import Any

from ..._api import Tensor, enable_grad, get_rng_state, no_grad
from ..._core.runs import captures_only
from ..._ops.autocasting import lasting
from ...autograd import Function, backward
from .random_state import random_numbers_from


def detach_variable(inputs: Any) -> Any:
    """Return a tuple with each tensor of the tuple ``inputs`` detached, and requiring grad as before; raises RuntimeError for another type.

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


def check_backward_validity(inputs: Any) -> None:
    """Warn if no tensor among ``inputs`` requires grad.

    >>> import minigrad
    >>> minigrad.utils.checkpoint.check_backward_validity([minigrad.ones(1, requires_grad=True)])
    """
    if not any(x.requires_grad for x in inputs if isinstance(x, Tensor)):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


class CheckpointFunction(Function):
    """The reentrant form of ``checkpoint``: ``apply(function, preserve_rng_state, *args)``."""

    @staticmethod
    def forward(ctx: Any, run_function: Any, preserve_rng_state: Any, *args: Any) -> Any:
        """The function's outputs; nothing is recorded."""
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.rng_state = get_rng_state() if preserve_rng_state else None
        ctx.autocast = lasting()
        ctx.save_for_backward(*(x for x in args if isinstance(x, Tensor)))
        ctx.others = [None if isinstance(x, Tensor) else x for x in args]
        ctx.places = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradients of the arguments: the function runs again, and a backward through it."""
        if captures_only():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). Call .backward() without it, or checkpoint with use_reentrant=False, which "
                "works with both."
            )
        inputs = list(ctx.others)
        for i, x in zip(ctx.places, ctx.saved_tensors):
            inputs[i] = x
        with random_numbers_from(ctx.rng_state):
            inputs = detach_variable(tuple(inputs))
            with enable_grad(), ctx.autocast:
                outputs = ctx.run_function(*inputs)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        pairs = [(z, g) for z, g in zip(outputs, grads) if isinstance(z, Tensor) and z.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([z for z, _ in pairs], [g for _, g in pairs])
        return (None, None, *(x.grad if isinstance(x, Tensor) else None for x in inputs))
