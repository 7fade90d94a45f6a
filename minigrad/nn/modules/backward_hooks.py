"""Full backward hooks of modules: identity nodes around a module see the gradients of its inputs and outputs together.

The node over the inputs (``Passing``) runs when all their gradients are there, the one over the outputs when the module's backward begins; the
second keeps what it saw for the first, which calls the hooks.
"""

import warnings
from typing import Any

from ..._api import Tensor, autograd, is_grad_enabled


class BackwardHookFunction(autograd.Function):
    """Pass several tensors on unchanged."""

    @staticmethod
    def forward(ctx: Any, *tensors: Any) -> Any:
        ctx.mark_non_differentiable(*[x for x in tensors if not x.requires_grad])
        return tensors

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads


class BackwardHooks:
    """The full backward hooks of one call of a module.

    ``hooks`` is a list of functions ``(module, grad_input, grad_output)``, ``pre_hooks`` one of functions ``(module, grad_output)``;
    either kind may return other gradients.
    """

    module: Any
    hooks: Any
    pre_hooks: Any
    n_inputs: int
    inputs: Any
    n_outputs: int
    outputs: Any
    grad_outputs: Any

    def __init__(self, module: Any, hooks: Any, pre_hooks: Any) -> None:
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_outputs = None  # of the outputs, from when they arrive until the inputs' are there
        # which of the arguments and results are tensors; None if nothing is tracked
        self.inputs = self.outputs = None

    def around_inputs(self, args: Any) -> Any:
        """Return the arguments with their tensors passed through the identity whose node calls the hooks."""
        self.n_inputs = len(args)
        args, self.inputs = _behind_identity(args, self._at_inputs)
        return args

    def around_outputs(self, result: Any) -> Any:
        """Return the result with its tensors passed through the identity whose node records the gradients."""
        results = result if isinstance(result, tuple) else (result,)
        self.n_outputs = len(results)
        results, self.outputs = _behind_identity(results, self._at_outputs)
        return results if isinstance(result, tuple) else results[0]

    def _at_inputs(self, grad_inputs, _):
        if self.grad_outputs is None:
            return None  # the gradient did not come through the outputs: a double backward
        grads = _spread(grad_inputs, self.inputs, self.n_inputs)
        for hook in self.hooks:
            changed = hook(self.module, grads, self.grad_outputs)
            if changed is not None:
                if len(changed) != len(grads):
                    raise RuntimeError(
                        f"Backward hook returned an invalid number of grad_input, got {len(changed)}, but expected {len(grads)}"
                    )
                grads = changed
        self.grad_outputs = None
        return tuple(grads[i] for i in self.inputs)

    def _at_outputs(self, _, grad_outputs):
        grads = _spread(grad_outputs, self.outputs, self.n_outputs)
        for hook in self.pre_hooks:
            changed = hook(self.module, grads)
            if changed is not None:
                if len(changed) != len(grads):
                    raise RuntimeError(
                        "Backward pre hook returned an invalid number of grad_output, "
                        f"got {len(changed)}, but expected {len(grads)}"
                    )
                grads = changed
        self.grad_outputs = grads
        if self.inputs is None:
            self._without_inputs()
        return tuple(grads[i] for i in self.outputs)

    def _without_inputs(self):
        warnings.warn(
            "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs "
            "require gradients. It gets None for the gradients of the inputs.",
            stacklevel=2,
        )
        for hook in self.hooks:
            changed = hook(self.module, (None,) * self.n_inputs, self.grad_outputs)
            if changed is not None and not (isinstance(changed, tuple) and all(g is None for g in changed)):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always return None or None for all "
                    "gradients."
                )
        self.grad_outputs = None


def _spread(values, places, n):
    """A tuple of n, with ``values`` at ``places`` and None elsewhere."""
    spread = [None] * n
    for i, value in zip(places, values):
        spread[i] = value
    return tuple(spread)


def _behind_identity(values, hook):
    """The values with all tensors behind an identity node that has ``hook``, and the tensors' places (None: nothing is tracked)."""
    places = [i for i, x in enumerate(values) if isinstance(x, Tensor)]
    if not (is_grad_enabled() and any(values[i].requires_grad for i in places)):
        return values, None
    passed = BackwardHookFunction.apply(*[values[i] for i in places])
    next(x.grad_fn for x in passed if x.grad_fn is not None).register_hook(hook)
    values_ = list(values)
    for i, x in zip(places, passed):
        values_[i] = x
    return (tuple(values_) if type(values) is tuple else type(values)(*values_)), places
